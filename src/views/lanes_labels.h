/* lanes_labels.h - the labels of lanes, cut so that the parts in which they differ stay */
#ifndef VIEWS_LANES_LABELS_H
#define VIEWS_LANES_LABELS_H

#include "screen/line.h"

/* The part that is kept of a label that is too wide. */
enum label_part { LABEL_END, LABEL_BOTH, LABEL_BEGIN, LABEL_MIDDLE, LABEL_PARTS };

struct labels {
	int width;		/* columns for the labels */
	int skip;		/* number of columns at the start that all names share */
	enum label_part part;
};

/* The width of the widest of @n names. */
int labels_widest(char *const *name, size_t n);
/* Choose the part of the names to show in @width columns: the one with which most names differ. */
struct labels labels_of(char *const *name, size_t n, int width);
/* Add a label, with a ~ for the part that is cut. */
void labels_put(const struct labels *labels, const char *name, unsigned style, struct line *out);

#endif
