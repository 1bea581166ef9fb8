/*
 * lesson.h - what a scan learns of the packets it reads, for the digest
 *
 * Whoever works on a chunk notes what it saw of each batch: events by class, and those that pass. The notes of chunks
 * are put together in the order of delivery; a packet all rows of which were seen, without anything to be told in it,
 * is known then. What is not seen to its end is not learnt.
 */
#ifndef TN_QUERY_LESSON_H
#define TN_QUERY_LESSON_H

#include <stdatomic.h>

#include "query/condition.h"
#include "query/prefilter.h"
#include "query/question.h"
#include "query/slices.h"
#include "query/values.h"

struct tn_lesson;

#define TN_LESSON_FIELDS 8	/* of which values are learnt in one scan */
#define TN_LESSON_ROWS 2048	/* that have to be looked at more closely at a time, and texts */

/* What was seen of a field; its prints are among those of the notes. */
struct tn_seen_values {
	enum tn_values_kind kind;
	bool many;
	uint64_t least, greatest;
	size_t first_print, n_prints;
	size_t text_words;	/* tn_values_text_words() of the packet */
	bool full, beyond, has_sieve;	/* it begins with word first_word of the notes */
	bool spared_prints, spared_sieve;	/* values.h */
	unsigned sieve_bits;	/* 0: none is made */
	size_t first_word, first_bit, n_bits;
};

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
	size_t first_values;	/* one a field of the lesson */
	bool has_slices;
	unsigned shift;		/* of the slices */
	size_t first_slice, n_slices;
};

/* The notes of one chunk. */
struct tn_lesson_notes {
	TN_ARRAY(struct tn_seen) seen;
	TN_ARRAY(struct tn_class_count) counts;
	TN_ARRAY(struct tn_seen_values) values;
	TN_ARRAY(uint32_t) prints;
	TN_ARRAY(uint64_t) words;	/* of sieves */
	TN_ARRAY(uint16_t) bits;	/* of sieves */
	struct tn_slices slices;
};

/* What is being noted of a field. */
struct tn_lesson_reading {
	struct tn_lesson_room *room;
	struct tn_lesson_notes *notes;
	struct tn_seen_values *v;
	size_t most;		/* prints: where nearly all values differ, there will be too many in the end */
};

/* Of a thread; zeroed before first use, freed by tn_lesson_room_release(). */
struct tn_lesson_room {
	uint32_t *events, *passed;	/* by class */
	uint32_t *touched;
	size_t n;
	uint64_t *prints;	/* a bit for each that was met */
	struct tn_watch watch;
	struct tn_lesson_reading reading;	/* of the watch */
	size_t *hard;		/* of the watch */
	struct tn_found_text *text;
};

/*
 * @prefilter: of the filter, or NULL; @question: to be remembered with what it selects; NULL: nothing is selected. Sets *out
 * to NULL where nothing can be learnt. @question outlives the lesson.
 */
void tn_lesson_begin(struct tn_lesson **out, const struct tn_set *set, const struct tn_filter *filter,
		     const struct tn_prefilter *prefilter, const struct tn_question *question);
/*
 * Around the decision about @rows of a batch: what it looks at is noted, of a field that was not asked for before; *out says
 * what there was, with its prints among @notes.
 */
void tn_lesson_watch(const struct tn_lesson *lesson, struct tn_lesson_room *room, struct tn_expression_state *state,
		     struct tn_lesson_notes *notes, const struct tn_batch *batch, size_t rows, struct tn_seen_values *out);
void tn_lesson_watched(const struct tn_lesson *lesson, struct tn_expression_state *state, const struct tn_batch *batch);
/*
 * Rows [low, high] of a batch; @pass: a flag each, NULL: all pass; @watched: of tn_lesson_watched(). What there is no
 * memory for is not learnt.
 */
void tn_lesson_read(const struct tn_lesson *lesson, struct tn_lesson_room *room, struct tn_expression_state *state,
		    struct tn_lesson_notes *notes, const struct tn_batch *batch, size_t low, size_t high,
		    const uint8_t *pass, const struct tn_seen_values *watched);
void tn_lesson_learn(struct tn_lesson *lesson, struct tn_lesson_notes *notes);	/* and clear them */
void tn_lesson_end(struct tn_lesson *lesson);	/* NULL is allowed */

void tn_lesson_notes_release(struct tn_lesson_notes *notes);
void tn_lesson_room_release(struct tn_lesson_room *room);

/* ---- values of fields (lesson_field.c) ---- */

/* A field that the filter compares, and that can be reached at little cost. */
struct tn_lesson_field {
	const struct tn_reference *reference;
	struct tn_str name;	/* of its column */
	struct tn_step *step;	/* by tn_names_class() */
	const struct tn_step **of_class;	/* the same; NULL: no event of the class has it */
	bool has_numbers, is_signed;	/* of integers at known places */
	bool of_texts;		/* in all classes that have it */
	bool of_packet;		/* the same for all events of a packet */
	bool plain;		/* it can be read beside the condition at little cost */
	bool asked;		/* it was asked for before */
	bool closely;		/* prints, too; else the least and the greatest number alone */
	bool deeply;		/* of texts a sieve, too */
	struct tn_known_packets *known;	/* by rank: where there is nothing to learn */
	struct tn_lesson_worth *worth;	/* by rank */
	struct tn_lesson_lines *lines;	/* it is no field, but all texts that lines show; NULL: it is one */
	bool first_lines;	/* and nothing is known of them yet */
	size_t n_streams;
};

struct tn_known_packets {
	uint8_t *known;
	size_t n;
};

/*
 * How many packets of a stream, one after the other, had more texts than there is room for: after some of them only a
 * sample is looked at, until one has fewer.
 */
struct tn_lesson_worth {
	atomic_uint prints, sieve;
};

#define TN_LESSON_IN_VAIN 4	/* so many packets */
#define TN_LESSON_SAMPLE 16	/* then one of so many */

static inline bool
tn_lesson_spares(const atomic_uint *in_vain, size_t packet)
{
	return packet % TN_LESSON_SAMPLE && atomic_load_explicit(in_vain, memory_order_relaxed) >= TN_LESSON_IN_VAIN;
}

static inline bool
tn_lesson_field_knows(const struct tn_lesson_field *f, const struct tn_stream *stream, size_t packet)
{
	return stream->rank < f->n_streams && packet < f->known[stream->rank].n && f->known[stream->rank].known[packet];
}

struct tn_lesson_fields {
	struct tn_lesson_field item[TN_LESSON_FIELDS];
	size_t n;
	/*
	 * The first of them are not read: what the condition looks at is noted. One a packet, in turn: many cost no more than
	 * one, and what is left is learnt by the next question.
	 */
	size_t n_watched;
};

void tn_lesson_fields_find(struct tn_lesson_fields *out, const struct tn_set *set, const struct tn_filter *filter);
/* The texts of all fields, for regular expressions over the line. */
void tn_lesson_fields_add_lines(struct tn_lesson_fields *fields, const struct tn_set *set);
void tn_lesson_fields_release(struct tn_lesson_fields *fields);
void tn_lesson_fields_watch(const struct tn_lesson_fields *fields, struct tn_lesson_room *room,
			    struct tn_expression_state *state, struct tn_lesson_notes *notes, const struct tn_batch *batch,
			    size_t rows, struct tn_seen_values *out);
void tn_lesson_fields_watched(const struct tn_lesson_fields *fields, struct tn_expression_state *state,
			      const struct tn_batch *batch);
/* What events of rows [low, high] have; to the notes, one a field. False: memory is out. */
bool tn_lesson_fields_read(const struct tn_lesson_fields *fields, struct tn_lesson_room *room,
			   struct tn_expression_state *state, struct tn_lesson_notes *notes,
			   const struct tn_batch *batch, size_t low, size_t high, const struct tn_seen_values *watched);

/* Texts of a field, in a batch: to the notes; *v is of the field. False: memory is out. */
bool tn_lesson_texts(struct tn_lesson_notes *notes, struct tn_seen_values *v, const struct tn_found_text *text, size_t n);

/* ---- texts of lines (lesson_lines.c) ---- */

#define TN_LESSON_LINES "texts of lines"	/* of their column */

/*
 * All texts of all packets take longer than a first question may: that looks at some packets which follow each other, of so
 * many; the next one at the rest.
 */
#define TN_LINES_RUN 16
#define TN_LINES_SHARE 4

static inline bool
tn_lesson_lines_spare(size_t packet)
{
	return packet / TN_LINES_RUN % TN_LINES_SHARE != 0;
}

/* NULL: memory is out. */
struct tn_lesson_lines *tn_lesson_lines_new(const struct tn_set *set);
void tn_lesson_lines_free(struct tn_lesson_lines *lines);	/* NULL is allowed */
/* What texts the rows [row, end) have, all of them events; *v becomes MIXED where one cannot be reached. */
void tn_lesson_lines_read(const struct tn_lesson_lines *lines, struct tn_lesson_room *room, struct tn_expression_state *state,
			  struct tn_lesson_notes *notes, struct tn_seen_values *v, const struct tn_batch *batch, size_t row,
			  size_t end);

/* ---- what is kept of a packet ---- */

/* TN_COLUMN_TAILS: its last event; no note where that has no time. */
struct tn_tail_note {
	int64_t key_ns, ns;
	uint64_t cycles;
};

/*
 * TN_COLUMN_COUNTS: how many in all; then class by class, how much further the class is (from 0 on), how many.
 * TN_COLUMN_FIELD: values.h; TN_COLUMN_SLICES: slices.h.
 */

#endif
