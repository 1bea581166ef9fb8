/*
 * wish.h - what the next table of answers is about
 *
 * Each function replaces the wish of the session. The caller then opens the table: a command by its action, a view by
 * view_request_answer().
 */
#ifndef WISH_H
#define WISH_H

#include "session.h"

/* Texts may be NULL, "" is as NULL; they are copied. */
void wish_for(struct session *s, enum answer_kind kind, const char *spans, const char *by, const char *show, const char *where);
/*
 * Why are these as they are? Spans of the definition @spans that meet @condition against the others; or with NULL events.
 * @range (may be NULL): only those in it are selected, the others are the rest. One of @range and @condition is there.
 */
void wish_why(struct session *s, const char *spans, const struct bounds *range, const char *condition);
void wish_diff(struct session *s, const char *path);	/* the open trace and another one */
/* Where the sides of the last comparison part, by a definition (tn_sequence_new()). False: nothing was compared. */
bool wish_sequence(struct session *s, const char *definition);
/*
 * X: the range @selected is the first of two, or the second one; NULL: none is selected, and the first range, or the time
 * between two marks, is compared with the rest. False: the session says what is missing.
 */
bool wish_parts(struct session *s, const struct bounds *selected);

#endif
