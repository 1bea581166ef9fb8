/*
 * lesson.h - what a scan learns of the packets it reads, for the digest
 *
 * Whoever works on a chunk notes what it saw of each batch: events by class, and those that pass. The notes of chunks
 * are put together in the order of delivery; a packet all rows of which were seen, without anything to be told in it,
 * is known then. What is not seen to its end is not learnt.
 */
#ifndef TN_QUERY_LESSON_H
#define TN_QUERY_LESSON_H

#include "query/question.h"

struct tn_lesson;

struct tn_class_count {
	uint32_t event_class;
	uint32_t events, passed;
};

/* Rows [first, first + n) of a packet. */
struct tn_seen {
	const struct tn_stream *stream;
	size_t packet;
	uint64_t first, n;
	bool told;		/* there is a notice among them */
	bool last;		/* the packet has no more */
	bool has_tail;		/* the last of them has a time */
	int64_t tail_ns, tail_key_ns;
	uint64_t tail_cycles;
	size_t first_count, n_counts;
};

/* The notes of one chunk. */
struct tn_lesson_notes {
	TN_ARRAY(struct tn_seen) seen;
	TN_ARRAY(struct tn_class_count) counts;
};

/* Of a thread; zeroed before first use, freed by tn_lesson_room_release(). */
struct tn_lesson_room {
	struct tn_class_count *count;	/* by class */
	uint32_t *touched;
	size_t n;
};

/*
 * @question: to be remembered with what it selects; NULL: nothing is selected. Sets *out to NULL where nothing
 * can be learnt. @question outlives the lesson.
 */
void tn_lesson_begin(struct tn_lesson **out, const struct tn_set *set, const struct tn_question *question);
/* Rows [low, high] of a batch; @pass: a flag each, NULL: all pass. What there is no memory for is not learnt. */
void tn_lesson_read(const struct tn_lesson *lesson, struct tn_lesson_room *room, struct tn_lesson_notes *notes,
		    const struct tn_batch *batch, size_t low, size_t high, const uint8_t *pass);
void tn_lesson_learn(struct tn_lesson *lesson, struct tn_lesson_notes *notes);	/* and clear them */
void tn_lesson_end(struct tn_lesson *lesson);	/* NULL is allowed */

void tn_lesson_notes_release(struct tn_lesson_notes *notes);
void tn_lesson_room_release(struct tn_lesson_room *room);

/* ---- what is kept of a packet ---- */

/* TN_COLUMN_TAILS: its last event; no note where that has no time. */
struct tn_tail_note {
	int64_t key_ns, ns;
	uint64_t cycles;
};

/* TN_COLUMN_COUNTS: how many in all; then class by class, how much further the class is (from 0 on), how many. */

#endif
