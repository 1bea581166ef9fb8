/*
 * fit.h - the columns that fit a trace, as long as the user has chosen none
 */
#ifndef FIT_H
#define FIT_H

#include "session/session.h"

/* Whether some event has what a name means; if not, *err has the nearest name. */
bool fit_is_there(struct session *s, const char *name, struct tn_error *err);
/* Choose the columns for a terminal of @cols columns; returns whether the choice changed. */
bool fit_columns(struct session *s, int cols);

/* Columns are as wide as their widest possible text: they do not move while the user scrolls. */
void fit_widths(struct session *s);

#endif
