/*
 * wish.h - set the subject of the next table of answers
 *
 * Each function replaces the wish of the session. The caller then opens the table: a command by its action, a view by
 * view_request_answer().
 */
#ifndef WISH_H
#define WISH_H

#include "session.h"

/* Texts are copied. NULL and "" mean none. */
void wish_for(struct session *s, enum answer_kind kind, const char *spans, const char *by, const char *show, const char *where);
/*
 * Ask why some spans of the definition @spans, or events (NULL), are as they are. Those that match @condition, or are in
 * @range, are compared with all others. One of @range and @condition is not NULL.
 */
void wish_why(struct session *s, const char *spans, const struct bounds *range, const char *condition);
void wish_diff(struct session *s, const char *path);	/* compares the open trace with another one */
/* Find where the sides of the last comparison differ, by a definition (tn_sequence_new()). False: there is no comparison. */
bool wish_sequence(struct session *s, const char *definition);
/*
 * For the key X: @selected is the first of two ranges, or the second. NULL: no range is selected, so the first range, or
 * the time between two marks, is compared with all other events. False: the session reports what is missing.
 */
bool wish_parts(struct session *s, const struct bounds *selected);

#endif
