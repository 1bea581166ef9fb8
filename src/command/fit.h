/* fit.h - choose columns that fit a trace, unless the user chose some */
#ifndef FIT_H
#define FIT_H

#include "session/session.h"

/* Whether some event has the field or attribute; if not, *err names the nearest one. */
bool fit_is_there(struct session *s, const char *name, struct tn_error *err);
/* Choose columns for a terminal of @cols columns. Returns whether the choice changed. */
bool fit_columns(struct session *s, int cols);

/* Make columns as wide as their widest possible text, so that they do not move while the user scrolls. */
void fit_widths(struct session *s);

#endif
