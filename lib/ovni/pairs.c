/*
 * pairs.c - begin and end events, by the letters of their names
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ovni/private.h"

/*
 * The third letter of a name gives its role. `[` or a small letter begins, and `]` or the capital letter ends. x and
 * e begin and end execution; p and r pause and resume; h is hungry and f filled; O and I leave a processor and return
 * to it.
 */
static const char rules[][3] = { "[]", "xe", "pr", "hf", "OI" };

/* Some letters look like a pair but are not one: two ways to create, values of a state, two pairs side by side. */
static bool
is_no_pair(const char *begin, const char *end)
{
	static const char *const none[] = { "OHc OHC", "VTc VTC", "6Pp 6Pr", "VPp VPr", "VAO VAI", "VSn VSN" };
	char both[8];

	snprintf(both, sizeof both, "%.3s %.3s", begin, end);
	for (size_t i = 0; i < TN_COUNT(none); i++)
		if (strcmp(none[i], both) == 0)
			return true;
	return false;
}

static bool
find_end(const char *begin, bool (*has)(void *user, const char *name), void *user, char end[TN_PAIR_NAME])
{
	if (strlen(begin) != 3)
		return false;
	memcpy(end, begin, 4);
	/* Pair a small letter with its capital letter, if both events exist. */
	if (islower((unsigned char)begin[2])) {
		end[2] = (char)toupper((unsigned char)begin[2]);
		if (has(user, end) && !is_no_pair(begin, end))
			return true;
	}
	/* The pair in the opposite order. */
	end[2] = 'n';
	if (strcmp(begin, "VSN") == 0 && has(user, end))
		return true;
	for (size_t i = 0; i < TN_COUNT(rules); i++) {
		end[2] = rules[i][1];
		if (begin[2] == rules[i][0] && has(user, end) && !is_no_pair(begin, end))
			return true;
	}
	return false;
}

/*
 * Threads of several looms, which may be on several hosts, can have the same number. So the key is the stream's name,
 * LOOM/proc/thread.
 */
static const char *
thread_key(const struct tn_trace *trace)
{
	size_t n = trace->n_streams ? strcspn(trace->stream[0]->name, "/") : 0;

	for (size_t i = 1; i < trace->n_streams; i++)
		if (strncmp(trace->stream[i]->name, trace->stream[0]->name, n + 1) != 0)
			return "loom";
	return NULL;
}

const struct tn_pair_rules tn_ovni_pairs = { .end = find_end, .thread_key = thread_key };
