/*
 * zone_writer.h - notes that a scan makes for the digest, about the packets it reads
 *
 * The thread that works on a chunk notes the contents of each batch: the number of events of each class, and of the
 * matching events. The notes of chunks are joined in the order of delivery. A packet is recorded only if the scan saw all
 * of its rows, without notices among them.
 */
#ifndef TN_SCAN_ZONE_WRITER_H
#define TN_SCAN_ZONE_WRITER_H

#include <stdatomic.h>

#include "digest/slices.h"
#include "digest/tail.h"
#include "digest/zone_map.h"
#include "language/condition.h"
#include "scan/prefilter.h"
#include "scan/question.h"

struct tn_zone_writer;

#define TN_ZONE_FIELDS 8	/* limit of fields whose values are recorded in one scan */
#define TN_ZONE_ROWS 2048	/* limit of rows on the slow path at a time, and of texts */

struct tn_class_count {
	uint32_t event_class;
	uint32_t events, passed;
};

/* The contents of rows [first, first + n) of a packet. */
struct tn_seen {
	const struct tn_stream *stream;
	size_t packet;
	uint64_t first, n;
	bool told;		/* a notice is among the rows */
	bool last;		/* the rows end the packet */
	bool has_tail;		/* the last row has a time */
	struct tn_tail tail;
	size_t first_count, n_counts;
	size_t first_values;	/* index of the first of its values; there is one for each field of the writer */
	bool has_slices;
	unsigned shift;		/* shift of the slices */
	size_t first_slice, n_slices;
};

/* The notes of one chunk. */
struct tn_zone_notes {
	TN_ARRAY(struct tn_seen) seen;
	TN_ARRAY(struct tn_class_count) counts;
	TN_ARRAY(struct tn_zone_part) values;
	struct tn_zone_lists lists;	/* the lists that the values refer to */
	struct tn_slices slices;
};

/* The values of a field while they are read. */
struct tn_zone_reading {
	struct tn_zone_buffer *room;
	struct tn_zone_notes *notes;
	struct tn_zone_part *v;
	/* Limit of hashes: if nearly all values differ, the packet will have too many at the end. */
	size_t most;
};

/* The buffer of a thread. Zero it before first use, and free it with tn_zone_buffer_release(). */
struct tn_zone_buffer {
	uint32_t *events, *passed;	/* for each class, by its number */
	uint32_t *touched;
	size_t n;
	uint64_t *hashes;	/* a bit for each hash that occurred */
	struct tn_observer observer;
	struct tn_zone_reading reading;	/* the field that is being observed */
	size_t *hard;		/* rows of the observed field that need the slow path */
	struct tn_found_text *text;
};

/*
 * Begin to make notes. @prefilter: that of the filter, or NULL. @question: the matching events are recorded for it; it
 * must outlive the writer; NULL: they are not recorded. Sets *out to NULL if nothing can be recorded.
 */
void tn_zone_writer_begin(struct tn_zone_writer **out, const struct tn_set *set, const struct tn_filter *filter,
		     const struct tn_prefilter *prefilter, const struct tn_question *question);
/*
 * Call this before, and tn_zone_writer_observed() after, the decision about @rows of a batch: values of a new field that
 * are read meanwhile are noted. *out gets the result, with its hashes in @notes.
 */
void tn_zone_writer_observe(const struct tn_zone_writer *writer, struct tn_zone_buffer *room, struct tn_expression_state *state,
		     struct tn_zone_notes *notes, const struct tn_batch *batch, size_t rows, struct tn_zone_part *out);
void tn_zone_writer_observed(const struct tn_zone_writer *writer, struct tn_expression_state *state, const struct tn_batch *batch);
/*
 * Note rows [low, high] of a batch. @pass: a flag for each row; NULL: all match. @observed: result of
 * tn_zone_writer_observed(). If memory is out, the rows are not recorded.
 */
void tn_zone_writer_read(const struct tn_zone_writer *writer, struct tn_zone_buffer *room, struct tn_expression_state *state,
		    struct tn_zone_notes *notes, const struct tn_batch *batch, size_t low, size_t high,
		    const uint8_t *pass, const struct tn_zone_part *observed);
void tn_zone_writer_learn(struct tn_zone_writer *writer, struct tn_zone_notes *notes);	/* also clears the notes */
void tn_zone_writer_end(struct tn_zone_writer *writer);	/* NULL is allowed */

void tn_zone_notes_release(struct tn_zone_notes *notes);
void tn_zone_buffer_release(struct tn_zone_buffer *room);

/* ---- values of fields (zone_field.c) ---- */

/* A field that the filter compares, and that can be reached at little cost. */
struct tn_zone_field {
	const struct tn_reference *reference;
	struct tn_str name;	/* name of the field's column */
	struct tn_step *step;	/* by the index of tn_names_class() */
	const struct tn_step **of_class;	/* by tn_names_class(); NULL: events of the class do not have it */
	enum tn_zone_kind kind;	/* UNSIGNED, SIGNED: some are integers at known places; TEXT: all are texts; NONE: neither */
	bool of_packet;		/* all events of a packet have the same value */
	bool plain;		/* values can be read at little cost while the condition is tested */
	bool asked;		/* an earlier question needed the field */
	unsigned level;		/* level of new zone maps: TN_ZONE_HASHES and others */
	struct tn_known_packets *known;	/* for each stream, by rank: the packets with sufficient notes */
	struct tn_zone_writer_worth *worth;	/* for each stream, by rank */
	struct tn_zone_lines *lines;	/* not NULL: the field represents all texts in lines */
	bool first_lines;	/* lines do not have notes yet */
	size_t n_streams;
};

struct tn_known_packets {
	uint8_t *known;
	size_t n;
};

/*
 * The number of successive packets of a stream with too many texts. After TN_ZONE_IN_VAIN of them only a sample is
 * recorded, until a packet has fewer texts.
 */
struct tn_zone_writer_worth {
	atomic_uint hashes, ngrams;
};

#define TN_ZONE_IN_VAIN 4	/* packets with too many texts after which only a sample is recorded */
#define TN_ZONE_SAMPLE 16	/* the sample is one of this number of packets */

static inline bool
tn_zone_writer_spares(const atomic_uint *in_vain, size_t packet)
{
	return packet % TN_ZONE_SAMPLE && atomic_load_explicit(in_vain, memory_order_relaxed) >= TN_ZONE_IN_VAIN;
}

static inline bool
tn_zone_field_knows(const struct tn_zone_field *f, const struct tn_stream *stream, size_t packet)
{
	return stream->rank < f->n_streams && packet < f->known[stream->rank].n && f->known[stream->rank].known[packet];
}

struct tn_zone_fields {
	struct tn_zone_field item[TN_ZONE_FIELDS];
	size_t n;
	/*
	 * The first fields are not read: the values that the condition reads are noted, for one field in each packet, in
	 * turn. So many fields cost no more than one, and the next question records the rest.
	 */
	size_t n_observed;
	/* Fields whose values are not read this time. The digest records that they were needed. */
	struct tn_str asked[TN_ZONE_FIELDS];
	size_t n_asked;
};

void tn_zone_fields_find(struct tn_zone_fields *out, const struct tn_set *set, const struct tn_filter *filter);
/* Add the texts of all fields, for regular expressions over the line. */
void tn_zone_fields_add_lines(struct tn_zone_fields *fields, const struct tn_set *set);
void tn_zone_fields_release(struct tn_zone_fields *fields);
void tn_zone_fields_observe(const struct tn_zone_fields *fields, struct tn_zone_buffer *room,
			    struct tn_expression_state *state, struct tn_zone_notes *notes, const struct tn_batch *batch,
			    size_t rows, struct tn_zone_part *out);
void tn_zone_fields_observed(const struct tn_zone_fields *fields, struct tn_expression_state *state,
			      const struct tn_batch *batch);
/* Note the values in rows [low, high], with one result for each field. False: memory is out. */
bool tn_zone_fields_read(const struct tn_zone_fields *fields, struct tn_zone_buffer *room,
			   struct tn_expression_state *state, struct tn_zone_notes *notes,
			   const struct tn_batch *batch, size_t low, size_t high, const struct tn_zone_part *observed);

/* Note the texts of a field in a batch; *v is for the field. False: memory is out. */
bool tn_zone_texts(struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_found_text *text, size_t n);

/* ---- texts of lines (zone_lines.c) ---- */

#define TN_ZONE_LINES "texts of lines"	/* name of the column of lines */

/*
 * Reading all texts of all packets would take too long for a first question. So it records a run of packets in each
 * group, and the next question records the rest.
 */
#define TN_LINES_RUN 16
#define TN_LINES_SHARE 4

static inline bool
tn_zone_lines_spare(size_t packet)
{
	return packet / TN_LINES_RUN % TN_LINES_SHARE != 0;
}

/* NULL: memory is out. */
struct tn_zone_lines *tn_zone_lines_new(const struct tn_set *set);
void tn_zone_lines_free(struct tn_zone_lines *lines);	/* NULL is allowed */
/* Note the texts of the rows [row, end), which all are events. *v becomes MIXED if a text cannot be reached. */
void tn_zone_lines_read(const struct tn_zone_lines *lines, struct tn_zone_buffer *room, struct tn_expression_state *state,
			  struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_batch *batch, size_t row,
			  size_t end);

#endif
