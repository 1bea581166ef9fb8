/* regex.h - regular expressions for filters */
#ifndef TN_LANGUAGE_REGEX_H
#define TN_LANGUAGE_REGEX_H

#include <tnav/query.h>

/* Memory for matches, for one thread at a time. Zero it before first use. */
struct tn_regex_room {
	struct tn_regex_match *match;
};

void tn_regex_room_release(struct tn_regex_room *room);

struct tn_batch;

/*
 * Whether text[0, n) has a match. TN_ERR_ARGUMENT: the regex reached its limit, and *matched is false. Safe in several
 * threads, each with its own @room.
 */
enum tn_code tn_regex_match(const struct tn_regex *regex, struct tn_regex_room *room, const char *text, size_t n,
			    bool *matched, struct tn_error *err) TN_MUST_CHECK;

/* Add the event before the error text of tn_regex_match(). */
enum tn_code tn_regex_at(const struct tn_batch *batch, size_t row, enum tn_code rc, struct tn_error *err);

/* The pattern that was passed to tn_regex_new(). */
const char *tn_regex_pattern(const struct tn_regex *regex);
bool tn_regex_ignores_case(const struct tn_regex *regex);

#endif
