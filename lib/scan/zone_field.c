/*
 * zone_field.c - note the values of fields that a filter compares
 *
 * Values that all events of a packet share cost nothing, so the first question about them records them. Number ranges and
 * texts are noted while a condition reads them, for one field in each packet. Hashes of numbers take longer. The first
 * question about a field must stay fast. A second question is mostly followed by a third, which uses the hashes that the
 * second one records. Known facts are not recorded again.
 */
#include "scan/zone_writer.h"

#include <stdlib.h>

#include "digest/text_filter.h"
#include "index/packet_index.h"
#include "language/condition.h"

#define ROWS 256	/* rows that are read at a time */

/* ---- which fields ---- */

struct finding {
	struct tn_zone_fields *out;
	const struct tn_set *set;
};

/* Whether an earlier question was about the field, so that a digest has its column. */
static bool
was_asked(const struct tn_set *set, const char *name)
{
	bool asked = false;

	for (size_t i = 0; i < set->n_traces && !asked; i++) {
		struct tn_digest *digest = set->trace[i]->digest;

		if (!digest)
			continue;
		tn_digest_lock(digest);
		asked = tn_digest_column(digest, TN_COLUMN_FIELD, name, false) != NULL;
		tn_digest_unlock(digest);
	}
	return asked;
}

/* Find the packets of a stream that have a note of the needed level, and whether some have none. */
static bool
note_known(struct tn_zone_field *f, const struct tn_column *column, struct tn_stream *stream, size_t number)
{
	struct tn_known_packets *known = &f->known[stream->rank];
	bool lacks = false;

	known->n = tn_stream_packet_count(stream);
	known->known = calloc(known->n + 1, 1);
	if (!known->known)
		known->n = 0;
	for (size_t i = 0; i < known->n; i++) {
		struct tn_note note = tn_column_note(column, number, i);

		known->known[i] = note.n && (tn_zone_level(note) & f->level) == f->level;
		lacks |= !known->known[i];
	}
	return lacks || !tn_index_is_complete(stream);
}

/* New notes of texts replace the existing ones. */
static void
add_levels(struct tn_zone_field *f, const struct tn_column *column, const struct tn_trace *t)
{
	for (size_t s = 0; s < t->n_streams; s++)
		for (size_t i = 0; i < tn_stream_packet_count(t->stream[s]); i++)
			f->level |= tn_zone_level(tn_column_note(column, s, i));
}

/* Find the packets without sufficient notes. False: there are none, or memory is out. */
static bool
find_known(struct tn_zone_field *f, const struct tn_set *set)
{
	bool lacks = false;

	f->known = calloc(set->n_streams + 1, sizeof *f->known);
	f->worth = calloc(set->n_streams + 1, sizeof *f->worth);
	f->n_streams = f->known ? set->n_streams : 0;
	for (size_t i = 0; f->known && i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];
		struct tn_column *column = NULL;

		if (!t->digest)
			continue;
		tn_digest_lock(t->digest);
		column = tn_digest_column(t->digest, TN_COLUMN_FIELD, tn_str_text(&f->name), false);
		if (column && !tn_column_use(t->digest, column))
			column = NULL;
		if (column && f->kind == TN_ZONE_TEXT)
			add_levels(f, column, t);
		for (size_t s = 0; column && s < t->n_streams; s++)
			lacks |= note_known(f, column, t->stream[s], s);
		lacks |= !column;
		tn_digest_unlock(t->digest);
	}
	return lacks && f->worth;
}

static bool
is_integer(const struct tn_place *place)
{
	const struct tn_type *t = place->n_targets == 1 ? place->target[0].field->type : NULL;

	return t && (t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT) && t->length <= 64;
}

static bool
is_text(const struct tn_place *place)
{
	return place->n_targets == 1 && place->target[0].field->type->kind == TN_KIND_STRING;
}

/* Find how to reach the field in each class. False: for one class this costs too much. */
static bool
find_places(struct tn_zone_field *f, const struct tn_set *set)
{
	const struct tn_names *names = f->reference->names;
	size_t n = tn_names_class_count(names);
	bool plain = true, others = false, strings = false, numbers = false, is_signed = false;

	f->step = calloc(n + 1, sizeof *f->step);
	f->of_class = calloc(n + 1, sizeof *f->of_class);
	f->of_packet = true;
	for (size_t i = 0; f->step && f->of_class && i < n; i++) {
		const struct tn_place *place = tn_reference_place(f->reference, i);

		if (!place || place->way == TN_PLACE_VALUES || place->way == TN_PLACE_ROW || place->way == TN_PLACE_MARKER)
			return false;
		/* If the class decides a field, the field is never tested. */
		if (place->way == TN_PLACE_NONE || (place->way == TN_PLACE_CONSTANT && !place->n_targets))
			continue;
		f->of_class[i] = &f->step[i];
		f->of_packet &= place->way == TN_PLACE_PACKET;
		if (is_integer(place) && tn_step_of_place(&f->step[i], place)) {
			if (numbers && is_signed != f->step[i].is_signed)
				return false;
			numbers = true;
			is_signed = f->step[i].is_signed;
		} else if (is_text(place)) {
			strings = true;
			if (place->way == TN_PLACE_PACKET || !tn_step_of_text(&f->step[i], place))
				f->step[i] = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
		} else {
			f->step[i] = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
			others = true;
		}
		plain &= f->step[i].easy || f->step[i].kind == TN_STEP_STRING;
	}
	f->kind = numbers ? (is_signed ? TN_ZONE_SIGNED : TN_ZONE_UNSIGNED) : strings && !others ? TN_ZONE_TEXT : TN_ZONE_NONE;
	f->asked = f->of_packet || was_asked(set, tn_str_text(&f->name));
	if (f->asked)
		f->level |= TN_ZONE_HASHES;
	else if (f->kind != TN_ZONE_TEXT)
		f->level &= ~(unsigned)TN_ZONE_HASHES;
	f->plain = plain && (f->kind == TN_ZONE_TEXT || !strings);
	return f->step && f->of_class;
}

static void
field_release(struct tn_zone_field *f)
{
	tn_str_release(&f->name);
	free(f->step);
	free((void *)f->of_class);
	for (size_t i = 0; i < f->n_streams; i++)
		free(f->known[i].known);
	free(f->known);
	free(f->worth);
	tn_zone_lines_free(f->lines);
	*f = (struct tn_zone_field) { 0 };
}

static void
find_field(struct finding *find, const struct tn_reference *reference, unsigned level)
{
	struct tn_zone_fields *all = find->out;
	struct tn_zone_field *f = &all->item[all->n];

	if (all->n == TN_ZONE_FIELDS)
		return;
	*f = (struct tn_zone_field) { .reference = reference, .level = level };
	tn_question_name(&f->name, &reference->meaning);
	for (size_t i = 0; i < all->n && !f->name.failed; i++)
		if (strcmp(all->item[i].name.text, tn_str_text(&f->name)) == 0) {
			all->item[i].level |= all->item[i].kind == TN_ZONE_TEXT ? level : 0;
			f->name.failed = true;
		}
	if (!f->name.failed && find_places(f, find->set) && (f->kind == TN_ZONE_TEXT || level != TN_ZONE_NGRAMS) &&
	    find_known(f, find->set))
		all->n++;
	else
		field_release(f);
}

static void
find_fields(void *user, const struct tn_node *node)
{
	for (const struct tn_node *in = node->in; in; in = in->next)
		find_fields(user, in);
	if (node->reference && node->kind != TN_NODE_HAS && !node->reference->meaning.has_any &&
	    node->reference->meaning.attribute != TN_ATTRIBUTE_EXTRA)
		find_field(user, node->reference, node->regex ? TN_ZONE_NGRAMS : TN_ZONE_HASHES);
}

static void
no_regex(void *user, const struct tn_regex *regex, bool negate)
{
	(void)user, (void)regex, (void)negate;
}

void
tn_zone_fields_find(struct tn_zone_fields *out, const struct tn_set *set, const struct tn_filter *filter)
{
	struct finding find = { out, set };
	bool single = tn_filter_is_single(filter), asked = false;
	struct tn_zone_field read[TN_ZONE_FIELDS];
	size_t n_read = 0;

	tn_filter_each(filter, find_fields, no_regex, &find);
	for (size_t i = 0; i < out->n; i++)
		asked |= out->item[i].asked;
	for (size_t i = 0; i < out->n; i++) {
		struct tn_zone_field *f = &out->item[i];

		if (f->asked || (!single && f->kind == TN_ZONE_TEXT && f->plain && !asked)) {
			read[n_read++] = *f;
		} else if (single) {
			out->item[out->n_observed++] = *f;
		} else {
			out->asked[out->n_asked++] = f->name;
			f->name = (struct tn_str) { 0 };
			field_release(f);
		}
	}
	out->n = out->n_observed + n_read;
	memcpy(out->item + out->n_observed, read, n_read * sizeof *read);
}

static bool
is_known_anywhere(const struct tn_zone_field *f)
{
	for (size_t s = 0; s < f->n_streams; s++)
		if (f->known[s].n && memchr(f->known[s].known, 1, f->known[s].n))
			return true;
	return false;
}

void
tn_zone_fields_add_lines(struct tn_zone_fields *fields, const struct tn_set *set)
{
	struct tn_zone_field *f = &fields->item[fields->n];

	if (fields->n == TN_ZONE_FIELDS)
		return;
	*f = (struct tn_zone_field) { .kind = TN_ZONE_TEXT, .asked = true, .level = TN_ZONE_NGRAMS };
	tn_str_puts(&f->name, TN_ZONE_LINES);
	if (!f->name.failed && find_known(f, set) && (f->lines = tn_zone_lines_new(set))) {
		f->first_lines = !is_known_anywhere(f);
		fields->n++;
	} else {
		field_release(f);
	}
}

void
tn_zone_fields_release(struct tn_zone_fields *fields)
{
	for (size_t i = 0; i < fields->n; i++)
		field_release(&fields->item[i]);
	for (size_t i = 0; i < fields->n_asked; i++)
		tn_str_release(&fields->asked[i]);
	fields->n = fields->n_asked = 0;
}

/* ---- values of the rows ---- */

#define NUMBER_HASHES 65536	/* hashes of numbers are less than this; hashes of texts can be greater */

/* Allocate the state of a thread. */
static bool
make_room(struct tn_zone_buffer *room)
{
	if (!room->hashes)
		room->hashes = calloc(NUMBER_HASHES / 64, sizeof *room->hashes);
	if (!room->hard)
		room->hard = malloc(TN_ZONE_ROWS * sizeof *room->hard);
	if (!room->text)
		room->text = malloc(TN_ZONE_ROWS * sizeof *room->text);
	return room->hashes && room->hard && room->text;
}

/*
 * Whether the remaining rows need not be read: they may have any value. For texts, neither a Bloom filter nor n-grams are
 * needed.
 */
static bool
is_settled(struct tn_zone_reading *r)
{
	struct tn_zone_part *v = r->v;

	if (v->kind == TN_ZONE_TEXT && v->many && (!v->ngram_bits || v->full))
		v->kind = TN_ZONE_MIXED;
	return v->kind == TN_ZONE_MIXED;
}

static bool
add_hash(struct tn_zone_reading *r, uint16_t hash)
{
	uint64_t *word = &r->room->hashes[hash / 64], bit = UINT64_C(1) << hash % 64;

	if (*word & bit)
		return true;
	r->v->many = r->v->n_hashes == r->most || !TN_ARRAY_RESERVE(&r->notes->lists.hashes, r->notes->lists.hashes.n + 1);
	if (r->v->many)
		return false;
	*word |= bit;
	r->notes->lists.hashes.item[r->notes->lists.hashes.n++] = hash;
	r->v->n_hashes++;
	return true;
}

static void
add_kind(struct tn_zone_part *v, enum tn_zone_kind kind)
{
	v->kind = v->kind == TN_ZONE_NONE || v->kind == kind ? kind : TN_ZONE_MIXED;
}

static void
add_numbers(struct tn_zone_reading *r, const uint64_t *number, size_t n, bool is_signed)
{
	uint64_t least = r->v->least, greatest = r->v->greatest;

	if (!n)
		return;
	add_kind(r->v, is_signed ? TN_ZONE_SIGNED : TN_ZONE_UNSIGNED);
	for (size_t i = 0; i < n; i++) {
		least = number[i] < least ? number[i] : least;
		greatest = number[i] > greatest ? number[i] : greatest;
	}
	r->v->least = least;
	r->v->greatest = greatest;
	for (size_t i = 0; i < n && !r->v->many; i++)
		if (i == 0 || number[i] != number[i - 1])
			add_hash(r, tn_zone_hash(number[i]));
}

static void
add_cell(struct tn_zone_reading *r, const struct tn_cell *cell)
{
	uint64_t number = cell->u ^ (cell->kind == TN_CELL_SIGNED ? UINT64_C(1) << 63 : 0);

	switch (cell->kind) {
	case TN_CELL_NONE:
		break;
	case TN_CELL_UNSIGNED:
	case TN_CELL_SIGNED:
		add_numbers(r, &number, 1, cell->kind == TN_CELL_SIGNED);
		break;
	case TN_CELL_TEXT:
		add_kind(r->v, TN_ZONE_TEXT);
		if (!tn_zone_texts(r->notes, r->v, &(struct tn_found_text) { cell->text, cell->n }, 1))
			r->v->kind = TN_ZONE_MIXED;
		break;
	default:
		r->v->kind = TN_ZONE_MIXED;
		break;
	}
}

/* Read rows on the slow path, one by one. */
static void
read_cells(struct tn_zone_reading *r, const struct tn_zone_field *f, const struct tn_step *const *of_class,
	   struct tn_expression_state *state, const struct tn_batch *b, const size_t *row, size_t n)
{
	for (size_t i = 0; i < n && !is_settled(r); i++) {
		const struct tn_place *place = of_class[b->refs.item[row[i]].event_class]->place;
		struct tn_cell cell;
		struct tn_error err;

		tn_row_at(&state->row, b, row[i]);
		if (tn_place_get(f->reference, place, &state->row, &cell, &err) < 0)
			cell.kind = TN_CELL_OPAQUE;
		add_cell(r, &cell);
	}
}

static void
read_texts(struct tn_zone_reading *r, const struct tn_zone_field *f, const struct tn_step *const *of_class,
	   struct tn_expression_state *state, const struct tn_batch *b, size_t row, size_t end)
{
	struct tn_found_text *text = r->room->text;

	while (row < end && !is_settled(r)) {
		size_t *hard = r->room->hard, n_hard;
		size_t n = tn_steps_texts(of_class, &state->row, b, &row, end, text, TN_ZONE_ROWS, hard, &n_hard);

		if (n == SIZE_MAX || !tn_zone_texts(r->notes, r->v, text, n)) {
			r->v->kind = TN_ZONE_MIXED;
			return;
		}
		if (n)
			add_kind(r->v, TN_ZONE_TEXT);
		read_cells(r, f, of_class, state, b, hard, n_hard);
	}
}

static void
read_field(struct tn_zone_reading *r, const struct tn_zone_field *f, const struct tn_step *const *of_class,
	   struct tn_expression_state *state, const struct tn_batch *b, size_t low, size_t end)
{
	uint64_t number[ROWS];
	size_t hard[ROWS], n, n_hard;

	while (f->of_packet && low < end && (b->refs.item[low].event_class == TN_REF_NOTICE ||
					     !of_class[b->refs.item[low].event_class]))
		low++;
	if (f->of_packet) {
		read_cells(r, f, of_class, state, b, &low, low < end);
		return;
	}
	if (f->kind == TN_ZONE_TEXT) {
		read_texts(r, f, of_class, state, b, low, end);
		return;
	}
	for (; low < end && r->v->kind != TN_ZONE_MIXED; low += ROWS) {
		n = tn_steps_numbers(of_class, &state->row, b, low, end - low < ROWS ? end : low + ROWS, number, hard, &n_hard);
		if (n == SIZE_MAX)
			r->v->kind = TN_ZONE_MIXED;
		else
			add_numbers(r, number, n, f->kind == TN_ZONE_SIGNED);
		read_cells(r, f, of_class, state, b, hard, n == SIZE_MAX ? 0 : n_hard);
	}
}

/* Decide which notes to make for the part of a packet. */
static void
begin_field(struct tn_zone_reading *r, const struct tn_zone_field *f, const struct tn_batch *b, size_t rows)
{
	const struct tn_zone_writer_worth *worth = &f->worth[b->stream->rank];
	uint64_t bytes = b->entry.size_bits / 8;

	*r->v = (struct tn_zone_part) {
		.least = UINT64_MAX, .first_hash = r->notes->lists.hashes.n, .first_bit = r->notes->lists.bits.n,
		.bloom_words = tn_bloom_words(bytes),
		.spared_hashes = f->kind == TN_ZONE_TEXT && tn_zone_writer_spares(&worth->hashes, b->packet),
		.spared_ngrams = f->kind == TN_ZONE_TEXT && f->level & TN_ZONE_NGRAMS &&
				 tn_zone_writer_spares(&worth->ngrams, b->packet),
	};
	r->v->many = !(f->level & TN_ZONE_HASHES) || r->v->spared_hashes;
	r->v->ngram_bits = f->level & TN_ZONE_NGRAMS && !r->v->spared_ngrams ? tn_ngram_bits(bytes) : 0;
	r->most = rows / 2 < TN_ZONE_MOST_HASHES - 8 ? 8 + rows / 2 : TN_ZONE_MOST_HASHES;
	if (f->kind == TN_ZONE_TEXT && r->v->many && !r->v->ngram_bits)
		r->v->kind = TN_ZONE_MIXED;
}

static const struct tn_zone_part nothing_seen = {
	.kind = TN_ZONE_MIXED, .many = true, .least = UINT64_MAX, .spared_hashes = true,
};

static bool
take_texts(void *user, const struct tn_found_text *text, size_t n)
{
	struct tn_zone_reading *r = user;

	add_kind(r->v, TN_ZONE_TEXT);
	return tn_zone_texts(r->notes, r->v, text, n);
}

void
tn_zone_fields_observe(const struct tn_zone_fields *fields, struct tn_zone_buffer *room, struct tn_expression_state *state,
		       struct tn_zone_notes *notes, const struct tn_batch *b, size_t rows, struct tn_zone_part *out)
{
	const struct tn_zone_field *f = &fields->item[b->packet % fields->n_observed];
	size_t n, first = tn_names_classes_of(f->reference->names, b->stream, &n);

	*out = nothing_seen;
	state->observer = NULL;
	if (n < b->stream->trace->n_event_classes || tn_zone_field_knows(f, b->stream, b->packet) || !make_room(room))
		return;
	room->reading = (struct tn_zone_reading) { room, notes, out, 0 };
	begin_field(&room->reading, f, b, rows);
	if (out->kind == TN_ZONE_MIXED)
		return;
	room->observer = (struct tn_observer) {
		.reference = f->reference, .of_class = f->of_class + first, .least = UINT64_MAX, .hard = room->hard,
		.room = TN_ZONE_ROWS, .take = f->kind == TN_ZONE_TEXT ? take_texts : NULL, .user = &room->reading,
		.text = room->text,
	};
	state->observer = &room->observer;
}

/* Add the numbers that the condition read. */
static void
add_watched(struct tn_zone_reading *r, const struct tn_zone_field *f, const struct tn_observer *w)
{
	bool is_signed = f->kind == TN_ZONE_SIGNED || (f->kind != TN_ZONE_UNSIGNED && w->has_signed);

	if (w->least > w->greatest)
		return;
	add_kind(r->v, is_signed ? TN_ZONE_SIGNED : TN_ZONE_UNSIGNED);
	if (is_signed ? w->has_unsigned : w->has_signed)
		r->v->kind = TN_ZONE_MIXED;
	r->v->least = w->least;
	r->v->greatest = w->greatest;
}

void
tn_zone_fields_observed(const struct tn_zone_fields *fields, struct tn_expression_state *state, const struct tn_batch *b)
{
	const struct tn_zone_field *f = &fields->item[b->packet % fields->n_observed];
	struct tn_observer *w = state->observer;
	struct tn_zone_reading *r = w->user;
	size_t n = 0;

	state->observer = NULL;
	tn_observer_flush(w);
	add_watched(r, f, w);
	for (size_t i = 0; i < w->n_hard; i++)
		if (w->of_class[b->refs.item[w->hard[i]].event_class])
			w->hard[n++] = w->hard[i];
	if (!w->missed)
		read_cells(r, f, w->of_class, state, b, w->hard, n);
	if (w->missed)
		*r->v = nothing_seen;
}

bool
tn_zone_fields_read(const struct tn_zone_fields *fields, struct tn_zone_buffer *room, struct tn_expression_state *state,
		      struct tn_zone_notes *notes, const struct tn_batch *b, size_t low, size_t high,
		      const struct tn_zone_part *observed)
{
	if (!make_room(room))
		return false;
	for (size_t i = 0; i < fields->n; i++) {
		const struct tn_zone_field *f = &fields->item[i];
		struct tn_zone_reading r = { room, notes, TN_ARRAY_ADD(&notes->values), 0 };
		size_t n, first;

		if (!r.v)
			return false;
		if (i < fields->n_observed) {
			*r.v = b->packet % fields->n_observed == i ? *observed : nothing_seen;
			continue;
		}
		begin_field(&r, f, b, high - low);
		if (tn_zone_field_knows(f, b->stream, b->packet))
			continue;
		if (f->lines && f->first_lines && tn_zone_lines_spare(b->packet)) {
			*r.v = nothing_seen;
			r.v->spared_ngrams = true;
			continue;
		}
		if (f->lines) {
			tn_zone_lines_read(f->lines, room, state, notes, r.v, b, low, high + 1);
			continue;
		}
		first = tn_names_classes_of(f->reference->names, b->stream, &n);
		if (n < b->stream->trace->n_event_classes)
			r.v->kind = TN_ZONE_MIXED;
		else if (r.v->kind != TN_ZONE_MIXED)
			read_field(&r, f, f->of_class + first, state, b, low, high + 1);
		for (size_t k = 0; k < r.v->n_hashes && f->kind != TN_ZONE_TEXT; k++)
			if (notes->lists.hashes.item[r.v->first_hash + k] < NUMBER_HASHES)	/* not the hash of a text */
				room->hashes[notes->lists.hashes.item[r.v->first_hash + k] / 64] = 0;
	}
	return true;
}
