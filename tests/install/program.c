/* A program that knows nothing but the installed library: print names of events, and how many there are. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tnav/tnav.h>

int
main(int argc, char **argv)
{
	const char *last = "";
	struct tn_error err;
	struct tn_cursor *cursor;
	struct tn_row row;
	struct tn_set *set;
	uint64_t n = 0;
	enum tn_code code;

	if (argc == 1) {
		puts(tn_version());
		return 0;
	}
	if (argc != 2 || tn_set_open(&set, (const char *const *)argv + 1, 1, NULL, &err) != TN_OK)
		return 1;
	if (tn_cursor_new(&cursor, set, &err) != TN_OK)
		return 1;
	for (code = tn_cursor_first(cursor, &err); code == TN_OK; code = tn_cursor_next(cursor, &err))
		if (tn_cursor_row(cursor, &row) && row.kind == TN_ROW_EVENT) {
			last = tn_event_class_name(row.event_class);
			n++;
		}
	printf("%" PRIu64 " events, the last one is %s\n", n, last);
	tn_cursor_free(cursor);
	tn_set_close(set);
	return code != TN_END;
}
