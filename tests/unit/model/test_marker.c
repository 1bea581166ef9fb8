#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/marker.h"

/* The marker of a text whose bytes end where the text does; the letter of its phase, or 0. */
static char
read_exactly(struct tn_marker *m, const char *text, size_t n, char **room)
{
	*room = malloc(n ? n : 1);
	memcpy(*room, text, n);
	return tn_marker_read(m, *room, n) ? *m->phase : '\0';
}

Test(marker, parts)
{
	static const struct {
		const char *text;
		unsigned has;
		int64_t pid, number;
		const char *name, *track;
	} rows[] = {
		{ "B|7|name", TN_MARKER_PID | TN_MARKER_NAME, 7, 0, "name", "" },
		{ "B|7|a|b\n\n", TN_MARKER_PID | TN_MARKER_NAME, 7, 0, "a|b", "" },
		{ "B|0|", TN_MARKER_PID | TN_MARKER_NAME, 0, 0, "", "" },
		{ "E", 0, 0, 0, "", "" },
		{ "E|", 0, 0, 0, "", "" },
		{ "E|7", TN_MARKER_PID, 7, 0, "", "" },
		{ "E|7|name", TN_MARKER_PID, 7, 0, "", "" },
		{ "S|7|a|b|-9", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_COOKIE, 7, -9, "a|b", "" },
		{ "F|7||0", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_COOKIE, 7, 0, "", "" },
		{ "G|7|t|n|4", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_TRACK | TN_MARKER_COOKIE, 7, 4, "n", "t" },
		{ "H|7|t|4", TN_MARKER_PID | TN_MARKER_TRACK | TN_MARKER_COOKIE, 7, 4, "", "t" },
		{ "H|7|t|n|4", TN_MARKER_PID | TN_MARKER_TRACK | TN_MARKER_COOKIE, 7, 4, "", "t" },
		{ "N|7|t|n", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_TRACK, 7, 0, "n", "t" },
		{ "C|7|n|9223372036854775807", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_VALUE, 7, INT64_MAX, "n", "" },
		{ "C|7|n|-9223372036854775808", TN_MARKER_PID | TN_MARKER_NAME | TN_MARKER_VALUE, 7, INT64_MIN, "n", "" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_marker m;
		char *room;
		char phase = read_exactly(&m, rows[i].text, strlen(rows[i].text), &room);

		cr_expect_eq(phase, *rows[i].text, "%s", rows[i].text);
		cr_expect_eq(m.has, rows[i].has, "%s: %u", rows[i].text, m.has);
		cr_expect_eq(m.pid, rows[i].pid, "%s", rows[i].text);
		cr_expect_eq(m.number, rows[i].number, "%s", rows[i].text);
		cr_expect(m.n_name == strlen(rows[i].name) && (!m.n_name || memcmp(m.name, rows[i].name, m.n_name) == 0), "%s",
			  rows[i].text);
		cr_expect(m.n_track == strlen(rows[i].track) && (!m.n_track || memcmp(m.track, rows[i].track, m.n_track) == 0), "%s",
			  rows[i].text);
		free(room);
	}
}

Test(marker, others)
{
	static const char *const rows[] = {
		"", "\n", "B", "B|", "B|7", "B||n", "B|-1|n", "B|+1|n", "B|99999999999999999999|n", "E|x", "EE", "S|7|n", "S|7|n|", "S|7|n|-",
		"G|7|t|4", "H|7|t", "C|7|n|1.5", "C|7|n|9223372036854775808", "N|7|t", "Z|7|n", "|7|n", "hello",
	};
	struct tn_marker m;
	char *room;

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		cr_expect_eq(read_exactly(&m, rows[i], strlen(rows[i]), &room), '\0', "%s", rows[i]);
		free(room);
	}
	/* A NUL ends nothing; too long a text is not read. */
	cr_expect_eq(read_exactly(&m, "B|7|a\0b", 7, &room), 'B');
	cr_expect_eq(m.n_name, 3);
	free(room);
	room = calloc(1, 70000);
	memset(room, 'x', 70000);
	memcpy(room, "B|7|", 4);
	cr_expect(tn_marker_read(&m, room, 65536));
	cr_expect(!tn_marker_read(&m, room, 65537));
	free(room);
}
