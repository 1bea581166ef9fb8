/* marks.h - marks, which have a letter, and bookmarks, which have a note */
#ifndef MARKS_H
#define MARKS_H

#include "session/session.h"

/* Mark the cursor's row, whose event is called @name; @letter 0: a bookmark. Another mark with the letter is removed. */
void marks_set(struct session *s, const char *name, char letter, const char *note);
void marks_toggle(struct session *s, const char *name);
void marks_remove(struct session *s, size_t i);
bool marks_go(struct session *s, char letter);	/* false: no mark has the letter */
void marks_go_next(struct session *s, bool backward, uint64_t count);
void marks_shift(struct session *s, const int64_t *by, size_t n);	/* streams have new shifts, indexed by rank */

#endif
