/*
 * lesson_field.c - what values the fields have that a filter compares
 *
 * What all events of a packet have costs nothing and is learnt the first time it is asked for, and so are the range of
 * numbers and the texts at known places, which cost little. Prints take longer: the first question about a field is as
 * fast as can be; who asks a second one will ask a third, which is answered by what that one learns. What is known is not
 * learnt again.
 */
#include "query/lesson.h"

#include <stdlib.h>

#include "index/packet_index.h"
#include "query/condition.h"
#include "query/text_hash.h"

#define ROWS 256	/* at a time */

/* ---- which fields ---- */

struct finding {
	struct tn_lesson_fields *out;
	const struct tn_set *set;
};

/* Whether the digests have a question about the field. */
static bool
was_asked(const struct tn_set *set, const char *name)
{
	bool asked = false;

	for (size_t i = 0; i < set->n_traces && !asked; i++) {
		struct tn_digest *digest = set->trace[i]->digest;
		const struct tn_column *column;
		size_t at = 0;

		if (!digest)
			continue;
		tn_digest_lock(digest);
		while (!asked && (column = tn_digest_next(digest, TN_COLUMN_COUNTS, &at)))
			asked = strstr(tn_column_name(column), name) != NULL;
		tn_digest_unlock(digest);
	}
	return asked;
}

/* Which packets of a stream have a note that says as much as would be learnt; whether some have none. */
static bool
note_known(struct tn_lesson_field *f, const struct tn_column *column, struct tn_stream *stream, size_t number)
{
	struct tn_known_packets *known = &f->known[stream->rank];
	bool lacks = false;

	known->n = tn_stream_packet_count(stream);
	known->known = calloc(known->n + 1, 1);
	if (!known->known)
		known->n = 0;
	for (size_t i = 0; i < known->n; i++) {
		struct tn_note note = tn_column_note(column, number, i);

		known->known[i] = note.bytes && tn_values_suffice(note.bytes, note.n, f->closely, f->deeply);
		lacks |= !known->known[i];
	}
	return lacks || !tn_index_is_complete(stream);
}

/* Where something is to be learnt of it; false: nowhere, or memory is out. */
static bool
find_known(struct tn_lesson_field *f, const struct tn_set *set)
{
	bool lacks = false;

	f->known = calloc(set->n_streams + 1, sizeof *f->known);
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
		for (size_t s = 0; column && s < t->n_streams; s++)
			lacks |= note_known(f, column, t->stream[s], s);
		lacks |= !column;
		tn_digest_unlock(t->digest);
	}
	return lacks;
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

/* How the field is reached in each class. False: it is not worth it in one of them. */
static bool
find_places(struct tn_lesson_field *f, const struct tn_set *set)
{
	const struct tn_names *names = f->reference->names;
	size_t n = tn_names_class_count(names);
	bool plain = true, others = false, strings = false;

	f->step = calloc(n + 1, sizeof *f->step);
	f->of_class = calloc(n + 1, sizeof *f->of_class);
	f->of_packet = true;
	for (size_t i = 0; f->step && f->of_class && i < n; i++) {
		const struct tn_place *place = tn_reference_place(f->reference, i);

		if (!place || place->way == TN_PLACE_VALUES || place->way == TN_PLACE_ROW)
			return false;
		/* What the class decides is never looked up. */
		if (place->way == TN_PLACE_NONE || (place->way == TN_PLACE_CONSTANT && !place->n_targets))
			continue;
		f->of_class[i] = &f->step[i];
		f->of_packet &= place->way == TN_PLACE_PACKET;
		if (is_integer(place) && tn_step_of_place(&f->step[i], place)) {
			if (f->has_numbers && f->is_signed != f->step[i].is_signed)
				return false;
			f->has_numbers = others = true;
			f->is_signed = f->step[i].is_signed;
		} else if (is_text(place)) {
			f->of_texts = strings = true;
			if (place->way == TN_PLACE_PACKET || !tn_step_of_text(&f->step[i], place))
				f->step[i] = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
		} else {
			f->step[i] = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
			others = true;
		}
		plain &= f->step[i].easy || f->step[i].kind == TN_STEP_STRING;
	}
	f->of_texts &= !others;
	f->asked = f->of_packet || was_asked(set, tn_str_text(&f->name));
	f->closely = f->asked || f->of_texts;
	return f->step && f->of_class && (f->asked || (plain && (f->of_texts || !strings)));
}

static void
field_release(struct tn_lesson_field *f)
{
	tn_str_release(&f->name);
	free(f->step);
	free((void *)f->of_class);
	for (size_t i = 0; i < f->n_streams; i++)
		free(f->known[i].known);
	free(f->known);
	*f = (struct tn_lesson_field) { 0 };
}

static void
find_field(struct finding *find, const struct tn_reference *reference, bool deeply)
{
	struct tn_lesson_fields *all = find->out;
	struct tn_lesson_field *f = &all->item[all->n];

	if (all->n == TN_LESSON_FIELDS)
		return;
	*f = (struct tn_lesson_field) { .reference = reference };
	tn_question_name(&f->name, &reference->meaning);
	f->deeply = deeply;
	for (size_t i = 0; i < all->n && !f->name.failed; i++)
		if (strcmp(all->item[i].name.text, tn_str_text(&f->name)) == 0) {
			all->item[i].deeply |= deeply && all->item[i].of_texts;
			f->name.failed = true;
		}
	if (!f->name.failed && find_places(f, find->set) && (f->of_texts || !deeply) && find_known(f, find->set))
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
		find_field(user, node->reference, node->regex);
}

static void
no_regex(void *user, const struct tn_regex *regex, bool negate)
{
	(void)user, (void)regex, (void)negate;
}

void
tn_lesson_fields_find(struct tn_lesson_fields *out, const struct tn_set *set, const struct tn_filter *filter)
{
	struct finding find = { out, set };
	size_t n = 0;

	tn_filter_each(filter, find_fields, no_regex, &find);
	for (size_t i = 0; i < out->n; i++)
		n += out->item[i].asked || out->item[i].of_texts;
	/* What one has is noted on the way; to read that of others, too, would take too long. */
	out->watched = out->n && !n && tn_filter_is_single(filter);
	for (size_t i = n = 0; i < out->n; i++)
		if (out->item[i].asked || (out->watched && !i) || (out->item[i].of_texts && !n))
			out->item[n++] = out->item[i];
		else
			field_release(&out->item[i]);
	out->n = n;
}

void
tn_lesson_fields_release(struct tn_lesson_fields *fields)
{
	for (size_t i = 0; i < fields->n; i++)
		field_release(&fields->item[i]);
	fields->n = 0;
}

/* ---- what they have ---- */

#define HARD_ROWS 2048	/* rows of a batch that have to be looked at more closely */

/* What a thread needs. */
static bool
make_room(struct tn_lesson_room *room)
{
	if (!room->prints)
		room->prints = calloc(65536 / 64, sizeof *room->prints);
	if (!room->hard)
		room->hard = malloc(HARD_ROWS * sizeof *room->hard);
	if (!room->text)
		room->text = malloc(HARD_ROWS * sizeof *room->text);
	return room->prints && room->hard && room->text;
}

struct reading {
	struct tn_lesson_room *room;
	struct tn_lesson_notes *notes;
	struct tn_seen_values *v;
	size_t most;		/* prints: where nearly all values differ, there will be too many in the end */
};

static bool
add_print(struct reading *r, uint16_t print)
{
	uint64_t *word = &r->room->prints[print / 64], bit = UINT64_C(1) << print % 64;

	if (*word & bit)
		return true;
	r->v->many = r->v->n_prints == r->most || !TN_ARRAY_RESERVE(&r->notes->prints, r->notes->prints.n + 1);
	if (r->v->many)
		return false;
	*word |= bit;
	r->notes->prints.item[r->notes->prints.n++] = print;
	r->v->n_prints++;
	return true;
}

static void
add_kind(struct tn_seen_values *v, enum tn_values_kind kind)
{
	v->kind = v->kind == TN_VALUES_NONE || v->kind == kind ? kind : TN_VALUES_MIXED;
}

static void
add_numbers(struct reading *r, const uint64_t *number, size_t n, bool is_signed)
{
	uint64_t least = r->v->least, greatest = r->v->greatest;

	if (!n)
		return;
	add_kind(r->v, is_signed ? TN_VALUES_SIGNED : TN_VALUES_UNSIGNED);
	for (size_t i = 0; i < n; i++) {
		least = number[i] < least ? number[i] : least;
		greatest = number[i] > greatest ? number[i] : greatest;
	}
	r->v->least = least;
	r->v->greatest = greatest;
	for (size_t i = 0; i < n && !r->v->many; i++)
		if (i == 0 || number[i] != number[i - 1])
			add_print(r, tn_print_of(number[i]));
}

static void
add_cell(struct reading *r, const struct tn_cell *cell)
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
		add_kind(r->v, TN_VALUES_TEXT);
		if (!r->v->many)
			r->v->many |= !tn_lesson_texts(r->notes, r->v, &(struct tn_found_text) {
				cell->text, cell->n, tn_text_hash(cell->text, cell->n) }, 1);
		break;
	default:
		r->v->kind = TN_VALUES_MIXED;
		break;
	}
}

/* Rows that have to be looked at one by one. */
static void
read_cells(struct reading *r, const struct tn_lesson_field *f, const struct tn_step *const *of_class,
	   struct tn_expression_state *state, const struct tn_batch *b, const size_t *row, size_t n)
{
	for (size_t i = 0; i < n && r->v->kind != TN_VALUES_MIXED; i++) {
		const struct tn_place *place = of_class[b->refs.item[row[i]].event_class]->place;
		struct tn_cell cell;
		struct tn_error err;

		if (r->v->many && r->v->kind == TN_VALUES_TEXT)
			return;	/* nothing more is learnt of texts */
		tn_row_at(&state->row, b, row[i]);
		if (tn_place_get(f->reference, place, &state->row, &cell, &err) < 0)
			cell.kind = TN_CELL_OPAQUE;
		add_cell(r, &cell);
	}
}

static void
read_texts(struct reading *r, const struct tn_lesson_field *f, const struct tn_step *const *of_class,
	   struct tn_expression_state *state, const struct tn_batch *b, size_t row, size_t end)
{
	struct tn_found_text *text = r->room->text;

	while (row < end && r->v->kind != TN_VALUES_MIXED) {
		size_t n_hard, n = tn_steps_texts(of_class, state, b, &row, end, text, HARD_ROWS, r->room->hard, &n_hard);

		if (n == SIZE_MAX || !tn_lesson_texts(r->notes, r->v, text, n)) {
			r->v->kind = TN_VALUES_MIXED;
			return;
		}
		if (n)
			add_kind(r->v, TN_VALUES_TEXT);
		read_cells(r, f, of_class, state, b, r->room->hard, n_hard);
	}
}

static void
read_field(struct reading *r, const struct tn_lesson_field *f, const struct tn_step *const *of_class,
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
	if (f->of_texts) {
		read_texts(r, f, of_class, state, b, low, end);
		return;
	}
	for (; low < end && r->v->kind != TN_VALUES_MIXED; low += ROWS) {
		n = tn_steps_numbers(of_class, &state->row, b, low, end - low < ROWS ? end : low + ROWS, number, hard, &n_hard);
		if (n == SIZE_MAX)
			r->v->kind = TN_VALUES_MIXED;
		else
			add_numbers(r, number, n, f->is_signed);
		read_cells(r, f, of_class, state, b, hard, n == SIZE_MAX ? 0 : n_hard);
	}
}

void
tn_lesson_fields_watch(const struct tn_lesson_fields *fields, struct tn_lesson_room *room, struct tn_expression_state *state,
		       const struct tn_batch *b)
{
	const struct tn_lesson_field *f = &fields->item[0];
	size_t n, first = tn_names_classes_of(f->reference->names, b->stream, &n);

	state->watch = NULL;
	if (n < b->stream->trace->n_event_classes || tn_lesson_field_knows(f, b->stream, b->packet))
		return;
	if (!make_room(room))
		return;
	room->watch = (struct tn_watch) {
		.of_class = f->of_class + first, .least = UINT64_MAX, .hard = room->hard, .room = HARD_ROWS,
	};
	state->watch = &room->watch;
}

void
tn_lesson_fields_watched(const struct tn_lesson_fields *fields, struct tn_lesson_room *room,
			 struct tn_expression_state *state, const struct tn_batch *b, struct tn_seen_values *out)
{
	const struct tn_lesson_field *f = &fields->item[0];
	const struct tn_watch *w = state->watch;
	struct reading r = { .room = room, .v = out };
	size_t n = 0;

	*out = (struct tn_seen_values) { .kind = TN_VALUES_MIXED, .many = true, .least = UINT64_MAX };
	state->watch = NULL;
	if (!w || w->missed)
		return;
	out->kind = w->least <= w->greatest ? f->is_signed ? TN_VALUES_SIGNED : TN_VALUES_UNSIGNED : TN_VALUES_NONE;
	out->least = w->least;
	out->greatest = w->greatest;
	for (size_t i = 0; i < w->n_hard; i++)
		if (w->of_class[b->refs.item[w->hard[i]].event_class])
			w->hard[n++] = w->hard[i];
	read_cells(&r, f, w->of_class, state, b, w->hard, n);
}

bool
tn_lesson_fields_read(const struct tn_lesson_fields *fields, struct tn_lesson_room *room, struct tn_expression_state *state,
		      struct tn_lesson_notes *notes, const struct tn_batch *b, size_t low, size_t high)
{
	if (!make_room(room))
		return false;
	for (size_t i = 0; i < fields->n; i++) {
		const struct tn_lesson_field *f = &fields->item[i];
		struct reading r = { room, notes, TN_ARRAY_ADD(&notes->values), 8 + (high - low) / 2 };
		size_t n, first = tn_names_classes_of(f->reference->names, b->stream, &n);

		if (!r.v)
			return false;
		r.most = r.most < TN_PRINTS ? r.most : TN_PRINTS;
		*r.v = (struct tn_seen_values) {
			.least = UINT64_MAX, .first_print = notes->prints.n, .many = !f->closely, .first_bit = notes->bits.n,
			.sieve_bits = f->deeply ? tn_sieve_bits(b->entry.size_bits / 8) : 0,
		};
		if (tn_lesson_field_knows(f, b->stream, b->packet))
			continue;
		if (n < b->stream->trace->n_event_classes)
			r.v->kind = TN_VALUES_MIXED;
		else
			read_field(&r, f, f->of_class + first, state, b, low, high + 1);
		for (size_t k = 0; k < r.v->n_prints && r.v->kind != TN_VALUES_TEXT; k++)
			room->prints[notes->prints.item[r.v->first_print + k] / 64] = 0;
	}
	return true;
}
