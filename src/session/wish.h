/*
 * wish.h - what the next table of answers is about
 *
 * Each function replaces the wish of the session. The caller then opens the table: a command by its action, a view by
 * view_request_answer().
 */
#ifndef WISH_H
#define WISH_H

#include "session.h"

/* Texts are copied; NULL and "" mean none. */
void wish_for(struct session *s, enum answer_kind kind, const char *spans, const char *by, const char *show, const char *where);
/*
 * Ask why some spans of the definition @spans, or events (NULL), are as they are. Those that meet @condition or are
 * in @range are selected, and compared with the rest. One of @range and @condition is not NULL.
 */
void wish_why(struct session *s, const char *spans, const struct bounds *range, const char *condition);
void wish_diff(struct session *s, const char *path);	/* compare the open trace with another one */
/* Find where the sides of the last comparison differ, by a definition (tn_sequence_new()). False: there is none. */
bool wish_sequence(struct session *s, const char *definition);
/*
 * X: @selected is the first of two ranges, or the second. NULL: no range is selected; the first range, or the time
 * between two marks, is compared with the rest. False: the session says what is missing.
 */
bool wish_parts(struct session *s, const struct bounds *selected);

#endif
