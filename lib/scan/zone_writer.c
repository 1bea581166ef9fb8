#include "scan/zone_writer.h"

#include <stdlib.h>

#include "digest/counts.h"
#include "index/packet_index.h"

#define MOST_COUNTERS ((size_t)1 << 22)	/* limit of counters for all streams and their classes; above it, no notes are made */

/* The packet of a stream that is being read. */
struct open_packet {
	bool is_open;
	bool is_spoilt;		/* its start was not read, or it has notices */
	size_t packet;
	uint64_t rows;		/* number of rows so far */
	size_t number;		/* number of the stream in its trace */
	struct tn_zone_buffer room;	/* buffers for counts */
	size_t n_touched;
	struct tn_zone values[TN_ZONE_FIELDS];
	bool has_slices;
	unsigned shift;
	struct tn_slices slices;
};

struct tn_zone_writer {
	const struct tn_set *set;
	const struct tn_question *question;
	struct open_packet *open;	/* for each stream, by rank */
	size_t n_streams;
	struct tn_zone_fields fields;
	struct tn_note_bytes note;
};

static bool
room_make(struct tn_zone_buffer *room, size_t n_classes)
{
	if (room->n >= n_classes && room->events)
		return true;
	tn_zone_buffer_release(room);
	room->events = calloc(n_classes + 1, sizeof *room->events);
	room->passed = calloc(n_classes + 1, sizeof *room->passed);
	room->touched = calloc(n_classes + 1, sizeof *room->touched);
	room->n = n_classes;
	if (room->events && room->passed && room->touched)
		return true;
	tn_zone_buffer_release(room);
	return false;
}

void
tn_zone_buffer_release(struct tn_zone_buffer *room)
{
	free(room->events);
	free(room->passed);
	free(room->touched);
	free(room->hashes);
	free(room->hard);
	free(room->text);
	*room = (struct tn_zone_buffer) { 0 };
}

void
tn_zone_notes_release(struct tn_zone_notes *notes)
{
	TN_ARRAY_RELEASE(&notes->seen);
	TN_ARRAY_RELEASE(&notes->counts);
	TN_ARRAY_RELEASE(&notes->values);
	tn_zone_lists_release(&notes->lists);
	TN_ARRAY_RELEASE(&notes->slices);
}

void
tn_zone_writer_begin(struct tn_zone_writer **out, const struct tn_set *set, const struct tn_filter *filter,
		const struct tn_prefilter *prefilter, const struct tn_question *question)
{
	struct tn_zone_writer *writer;
	size_t counters = 0;
	bool any = false;

	*out = NULL;
	for (size_t i = 0; i < set->n_traces; i++) {
		any |= set->trace[i]->digest != NULL;
		counters += set->trace[i]->n_streams * set->trace[i]->n_event_classes;
	}
	if (!any || counters > MOST_COUNTERS || !(writer = calloc(1, sizeof *writer)))
		return;
	writer->set = set;
	writer->question = question;
	writer->n_streams = set->n_streams;
	writer->open = calloc(set->n_streams + 1, sizeof *writer->open);
	if (!writer->open) {
		free(writer);
		return;
	}
	for (size_t i = 0; i < set->n_traces; i++)
		for (size_t k = 0; k < set->trace[i]->n_streams; k++)
			writer->open[set->trace[i]->stream[k]->rank].number = k;
	if (filter)
		tn_zone_fields_find(&writer->fields, set, filter);
	if (tn_prefilter_needs_texts(prefilter))
		tn_zone_fields_add_lines(&writer->fields, set);
	*out = writer;
}

/* ---- reading: in any thread ---- */

static void
see_tail(struct tn_seen *seen, const struct tn_batch *b, size_t row)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;

	if (b->refs.item[row].event_class == TN_REF_NOTICE || !clock || !tn_clock_fits(clock, tn_batch_time(b, row)))
		return;
	seen->has_tail = true;
	seen->tail = (struct tn_tail) { b->refs.item[row].time_ns, tn_batch_time(b, row), tn_batch_cycles(b, row) };
}

#define FEW_CLASSES 64

/*
 * Count events of few classes with four counters for each, so that an event need not wait for the count of the previous
 * one.
 */
static size_t
count_few(struct tn_zone_buffer *room, size_t n_classes, const struct tn_ref *ref, size_t rows)
{
	uint32_t events[4][FEW_CLASSES];
	size_t n = 0, i = 0;

	for (size_t k = 0; k < 4; k++)
		memset(events[k], 0, n_classes * sizeof events[k][0]);
	for (; i + 8 <= rows; i += 8) {
		events[0][ref[i].event_class]++;
		events[1][ref[i + 1].event_class]++;
		events[2][ref[i + 2].event_class]++;
		events[3][ref[i + 3].event_class]++;
		events[0][ref[i + 4].event_class]++;
		events[1][ref[i + 5].event_class]++;
		events[2][ref[i + 6].event_class]++;
		events[3][ref[i + 7].event_class]++;
	}
	for (; i < rows; i++)
		events[0][ref[i].event_class]++;
	for (uint32_t class = 0; class < n_classes; class++) {
		room->events[class] = events[0][class] + events[1][class] + events[2][class] + events[3][class];
		if (room->events[class])
			room->touched[n++] = class;
	}
	return n;
}

/*
 * Count the events of each class, and the matching events, of which there usually are many or few. Returns the number of
 * classes.
 */
static size_t
count_classes(struct tn_zone_buffer *room, size_t n_classes, const struct tn_ref *ref, size_t rows, const uint8_t *pass)
{
	bool few = n_classes <= FEW_CLASSES && n_classes <= rows;
	size_t n = few ? count_few(room, n_classes, ref, rows) : 0;

	for (size_t i = 0; !few && i < rows; i++)
		if (room->events[ref[i].event_class]++ == 0)
			room->touched[n++] = ref[i].event_class;
	for (size_t i = 0; pass && i < rows; i++) {
		const uint8_t *next;
		uint64_t eight;

		if (i + 8 <= rows && (memcpy(&eight, pass + i, 8), eight == 0)) {
			if (!(next = memchr(pass + i, 1, rows - i)))
				break;
			i = (size_t)(next - pass);
		}
		room->passed[ref[i].event_class] += pass[i];
	}
	return n;
}

void
tn_zone_writer_observe(const struct tn_zone_writer *writer, struct tn_zone_buffer *room, struct tn_expression_state *state,
		struct tn_zone_notes *notes, const struct tn_batch *b, size_t rows, struct tn_zone_part *out)
{
	if (writer && writer->fields.n_observed && b->stream->trace->digest)
		tn_zone_fields_observe(&writer->fields, room, state, notes, b, rows, out);
}

void
tn_zone_writer_observed(const struct tn_zone_writer *writer, struct tn_expression_state *state, const struct tn_batch *b)
{
	if (state->observer)
		tn_zone_fields_observed(&writer->fields, state, b);
}

static void
note_slices(struct tn_zone_notes *notes, struct tn_seen *seen, const struct tn_batch *b, size_t low, size_t high,
	    const uint8_t *pass, size_t passed)
{
	seen->first_slice = notes->slices.n;
	seen->has_slices = b->stream->stream_class->clock && tn_slices_shift(&b->entry, &seen->shift) &&
			   tn_slices_note(&notes->slices, b, low, high, pass, passed, seen->shift);
	seen->n_slices = notes->slices.n - seen->first_slice;
}

void
tn_zone_writer_read(const struct tn_zone_writer *writer, struct tn_zone_buffer *room, struct tn_expression_state *state,
	       struct tn_zone_notes *notes, const struct tn_batch *b, size_t low, size_t high, const uint8_t *pass,
	       const struct tn_zone_part *observed)
{
	const struct tn_trace *trace = b->stream->trace;
	struct tn_seen *seen;
	size_t n, passed = 0;

	if (!trace->digest || !room_make(room, trace->n_event_classes) || !(seen = TN_ARRAY_ADD(&notes->seen)))
		return;
	*seen = (struct tn_seen) {
		.stream = b->stream, .packet = b->packet, .first = b->begin.row + low, .n = high - low + 1,
		.told = b->notices.n, .last = b->last && high + 1 == b->refs.n, .first_count = notes->counts.n,
		.first_values = notes->values.n,
	};
	if (seen->told)
		return;
	n = count_classes(room, trace->n_event_classes, b->refs.item + low, high - low + 1, pass);
	seen->told = !TN_ARRAY_RESERVE(&notes->counts, notes->counts.n + n);
	for (size_t i = 0; i < n; i++) {
		uint32_t class = room->touched[i];

		if (!seen->told)
			notes->counts.item[notes->counts.n++] = (struct tn_class_count) {
				class, room->events[class], pass ? room->passed[class] : room->events[class],
			};
		passed += pass ? room->passed[class] : room->events[class];
		room->events[class] = room->passed[class] = 0;
	}
	seen->n_counts = notes->counts.n - seen->first_count;
	if (!seen->told)
		note_slices(notes, seen, b, low, high, pass, passed);
	if (writer->fields.n && !seen->told)
		seen->told = !tn_zone_fields_read(&writer->fields, room, state, notes, b, low, high, observed);
	if (seen->last)
		see_tail(seen, b, high);
}

/* ---- recording: in one thread ---- */

static int
compare_classes(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Append the counts of a packet in their stored form. */
static void
put_counts(struct tn_zone_writer *writer, const struct open_packet *p, const uint32_t *count, struct tn_digest *digest,
	   const char *name)
{
	struct tn_column *column = tn_digest_column(digest, TN_COLUMN_COUNTS, name, true);

	writer->note.n = 0;
	if (column && tn_column_use(digest, column) && tn_counts_write(&writer->note, p->room.touched, p->n_touched, count))
		tn_column_put(digest, column, p->number, p->packet, writer->note.item, writer->note.n);
}

static void
put_slices(struct tn_zone_writer *writer, const struct open_packet *p, bool passed, const struct tn_packet *entry,
	   struct tn_digest *digest, const char *name)
{
	struct tn_column *column;

	writer->note.n = 0;
	if (tn_slices_write(&p->slices, passed, entry, p->shift, &writer->note) &&
	    (column = tn_digest_column(digest, TN_COLUMN_SLICES, name, true)) && tn_column_use(digest, column))
		tn_column_put(digest, column, p->number, p->packet, writer->note.item, writer->note.n);
}

/* Count a packet whose notes were useless because the limit was exceeded. If no notes were made, this is unknown. */
static void
judge(atomic_uint *in_vain, bool spared, bool useless)
{
	unsigned n = atomic_load_explicit(in_vain, memory_order_relaxed);

	if (!spared)
		atomic_store_explicit(in_vain, !useless ? 0 : n < TN_ZONE_IN_VAIN ? n + 1 : n, memory_order_relaxed);
}

static void
judge_texts(const struct tn_zone_field *f, const struct tn_stream *stream, const struct tn_zone *v)
{
	struct tn_zone_writer_worth *worth = &f->worth[stream->rank];

	if (v->kind == TN_ZONE_NONE)
		return;
	if (f->level & TN_ZONE_HASHES)
		judge(&worth->hashes, v->spared_hashes, v->many || v->kind == TN_ZONE_MIXED);
	if (f->level & TN_ZONE_NGRAMS)
		judge(&worth->ngrams, v->spared_ngrams, v->full || v->kind == TN_ZONE_MIXED);
}

/* Write the values of field number @i; the note has at most 1/200 of the size of the packet. */
static void
put_values(struct tn_zone_writer *writer, struct open_packet *p, size_t i, const struct tn_seen *seen, struct tn_digest *digest)
{
	const struct tn_zone_field *f = &writer->fields.item[i];
	struct tn_zone *v = &p->values[i];
	struct tn_column *column;
	struct tn_packet entry;

	if (tn_zone_field_knows(f, seen->stream, p->packet))
		return;
	column = tn_digest_column(digest, TN_COLUMN_FIELD, tn_str_text(&f->name), true);
	v->level = f->level;
	writer->note.n = 0;
	if (!column || !tn_column_use(digest, column) ||
	    tn_index_get((struct tn_stream *)seen->stream, p->packet, &entry, NULL, NULL) != TN_OK ||
	    !tn_zone_write(v, tn_zone_most_hashes(entry.size_bits / 8), &writer->note))
		return;
	if (f->kind == TN_ZONE_TEXT)
		judge_texts(f, seen->stream, v);
	/* Parts that were skipped may be read next time. */
	if (v->kind != TN_ZONE_MIXED || !(v->spared_hashes || v->spared_ngrams))
		tn_column_put(digest, column, p->number, p->packet, writer->note.item, writer->note.n);
}

/* A column without notes records that the field was needed. */
static void
note_asked(struct tn_digest *digest, const char *name)
{
	struct tn_column *column = tn_digest_column(digest, TN_COLUMN_FIELD, name, true);

	if (column)
		(void)tn_column_use(digest, column);
}

/* Keep the notes, because the scan saw the whole packet. */
static void
keep(struct tn_zone_writer *writer, struct open_packet *p, const struct tn_seen *seen)
{
	struct tn_digest *digest = seen->stream->trace->digest;
	const char *asked = writer->question && writer->question->all.n ? writer->question->all.text : NULL;
	struct tn_packet entry;

	if (p->n_touched)
		qsort(p->room.touched, p->n_touched, sizeof *p->room.touched, compare_classes);
	tn_digest_lock(digest);
	put_counts(writer, p, p->room.events, digest, "");
	if (asked)
		put_counts(writer, p, p->room.passed, digest, asked);
	if (p->has_slices && tn_index_get((struct tn_stream *)seen->stream, p->packet, &entry, NULL, NULL) == TN_OK) {
		put_slices(writer, p, false, &entry, digest, "");
		if (asked)
			put_slices(writer, p, true, &entry, digest, asked);
	}
	for (size_t i = 0; i < writer->fields.n; i++)
		put_values(writer, p, i, seen, digest);
	for (size_t i = 0; i < writer->fields.n_asked; i++)
		note_asked(digest, tn_str_text(&writer->fields.asked[i]));
	if (seen->has_tail)
		tn_tail_put(digest, p->number, p->packet, &seen->tail);
	tn_digest_unlock(digest);
}

static void
close_packet(struct open_packet *p)
{
	for (size_t i = 0; i < p->n_touched; i++)
		p->room.events[p->room.touched[i]] = p->room.passed[p->room.touched[i]] = 0;
	for (size_t i = 0; i < TN_ZONE_FIELDS; i++)
		tn_zone_clear(&p->values[i]);
	p->n_touched = p->slices.n = 0;
	p->is_open = false;
}

static void
add_counts(struct open_packet *p, const struct tn_class_count *count, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t class = count[i].event_class;

		if (!p->room.events[class])
			p->room.touched[p->n_touched++] = class;
		p->room.events[class] += count[i].events;
		p->room.passed[class] += count[i].passed;
	}
}

static void
learn(struct tn_zone_writer *writer, const struct tn_zone_notes *notes, const struct tn_seen *seen)
{
	struct open_packet *p = &writer->open[seen->stream->rank];

	if (!p->is_open || p->packet != seen->packet) {
		close_packet(p);
		p->is_open = true;
		p->packet = seen->packet;
		p->rows = 0;
		p->has_slices = seen->has_slices;
		p->shift = seen->shift;
		p->is_spoilt = !room_make(&p->room, seen->stream->trace->n_event_classes);
	}
	p->is_spoilt |= seen->told || seen->first != p->rows;
	p->rows += seen->n;
	if (!p->is_spoilt) {
		add_counts(p, notes->counts.item + seen->first_count, seen->n_counts);
		for (size_t i = 0; i < writer->fields.n; i++)
			tn_zone_join(&p->values[i], &notes->values.item[seen->first_values + i], &notes->lists);
		p->has_slices = p->has_slices && seen->has_slices && seen->shift == p->shift &&
				tn_slices_join(&p->slices, notes->slices.item + seen->first_slice, seen->n_slices);
	}
	if (!seen->last)
		return;
	if (!p->is_spoilt)
		keep(writer, p, seen);
	close_packet(p);
}

void
tn_zone_writer_learn(struct tn_zone_writer *writer, struct tn_zone_notes *notes)
{
	for (size_t i = 0; i < notes->seen.n; i++)
		learn(writer, notes, &notes->seen.item[i]);
	notes->seen.n = notes->counts.n = notes->values.n = notes->slices.n = 0;
	tn_zone_lists_clear(&notes->lists);
}

void
tn_zone_writer_end(struct tn_zone_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < writer->set->n_traces; i++) {
		struct tn_digest *digest = writer->set->trace[i]->digest;

		if (!digest)
			continue;
		tn_digest_lock(digest);
		tn_digest_shrink(digest);
		tn_digest_unlock(digest);
	}
	for (size_t i = 0; i < writer->n_streams; i++) {
		tn_zone_buffer_release(&writer->open[i].room);
		TN_ARRAY_RELEASE(&writer->open[i].slices);
		for (size_t k = 0; k < TN_ZONE_FIELDS; k++)
			tn_zone_release(&writer->open[i].values[k]);
	}
	tn_zone_fields_release(&writer->fields);
	free(writer->open);
	TN_ARRAY_RELEASE(&writer->note);
	free(writer);
}
