/*
 * regex.h - what filters want to know of a regular expression
 */
#ifndef TN_QUERY_REGEX_H
#define TN_QUERY_REGEX_H

#include <tnav/query.h>

/* Whether text[0, n) has a match. Safe in several threads. */
bool tn_regex_matches(const struct tn_regex *regex, const char *text, size_t n);

/* An error when one of the matches before, in this thread, could not be decided. To be asked while the regex is there. */
enum tn_code tn_regex_trouble(struct tn_error *err);

/* As it was given to tn_regex_new(). */
const char *tn_regex_pattern(const struct tn_regex *regex);

#endif
