/*
 * lanes_labels.h - the labels of lanes, cut so that what differs stays
 */
#ifndef VIEWS_LANES_LABELS_H
#define VIEWS_LANES_LABELS_H

#include "screen/line.h"

/* The part that stays of a label that is too wide. */
enum label_part { LABEL_END, LABEL_BOTH, LABEL_BEGIN, LABEL_MIDDLE, LABEL_PARTS };

struct labels {
	int width;		/* columns for the labels */
	int skip;		/* columns at the start that all names share */
	enum label_part part;
};

/* The widest of @n names. */
int labels_widest(char *const *name, size_t n);
/* The part of the names to show in @width columns: the part that leaves the most of them different. */
struct labels labels_of(char *const *name, size_t n, int width);
/* Add a label, with a ~ for the part left out. */
void labels_put(const struct labels *labels, const char *name, unsigned style, struct line *out);

#endif
