/*
 * counts.h - the number of matching events of a packet, for each class: notes of TN_COLUMN_COUNTS
 *
 * A note has the total. Then it has two numbers for each class with matching events: the difference of the class's number
 * from the previous one (the first from 0), and the count.
 */
#ifndef TN_DIGEST_COUNTS_H
#define TN_DIGEST_COUNTS_H

#include "digest/digest.h"

/*
 * Append the note. @class: numbers of classes, ascending. @count: count for each class, by its number. False: memory is
 * out.
 */
bool tn_counts_write(struct tn_note_bytes *out, const uint32_t *class, size_t n, const uint32_t *count);

/* A note that is being read. */
struct tn_counts {
	const uint8_t *at, *end;
	uint64_t total;		/* number of events of all classes */
	uint64_t left;		/* number of events of the classes that are not read yet */
	uint64_t next;		/* smallest possible number of the next class */
	bool bad;
};

/* Begin to read a note. False: the note is empty or damaged. */
bool tn_counts_begin(struct tn_counts *out, struct tn_note note);
/*
 * Read the next class, whose number is less than @n_classes, and its events. False: no more classes; tn_counts_end() then
 * returns whether the note was valid.
 */
bool tn_counts_next(struct tn_counts *counts, size_t n_classes, uint32_t *class, uint64_t *events);

static inline bool
tn_counts_end(const struct tn_counts *counts)
{
	return !counts->bad && !counts->left;
}

#endif
