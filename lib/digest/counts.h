/*
 * counts.h - the number of events of a packet that pass a question, by class: notes of TN_COLUMN_COUNTS
 *
 * A note has the total; then, for each class that has such events, the difference of its number to the previous
 * one (from 0 on), and its count.
 */
#ifndef TN_DIGEST_COUNTS_H
#define TN_DIGEST_COUNTS_H

#include "digest/digest.h"

/* Append the note; @class: numbers of classes, ascending; @count: by number of the class. False: memory is out. */
bool tn_counts_write(struct tn_note_bytes *out, const uint32_t *class, size_t n, const uint32_t *count);

/* A note that is being read. */
struct tn_counts {
	const uint8_t *at, *end;
	uint64_t total;		/* events of all classes */
	uint64_t left;		/* events of the classes not yet read */
	uint64_t next;		/* the least possible number of the next class */
	bool bad;
};

/* False: no note. */
bool tn_counts_begin(struct tn_counts *out, struct tn_note note);
/*
 * The next class, whose number is below @n_classes, and its events. False: no more classes; tn_counts_end()
 * returns whether the note was valid.
 */
bool tn_counts_next(struct tn_counts *counts, size_t n_classes, uint32_t *class, uint64_t *events);

static inline bool
tn_counts_end(const struct tn_counts *counts)
{
	return !counts->bad && !counts->left;
}

#endif
