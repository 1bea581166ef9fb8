/*
 * zone_lines.c - note all texts in the lines of a packet which, like numbers, a regular expression over the line can
 * match
 *
 * If a class has a text that cannot be reached at little cost (in an array), nothing is noted about packets with its
 * events.
 */
#include "scan/zone_writer.h"

#include <stdlib.h>

#include "base/arena.h"

struct tn_zone_lines {
	size_t n_streams;
	struct tn_class_steps **of_stream;	/* for each stream, by rank; then for each class */
	struct tn_arena arena;
};

/* The texts of a class while they are collected. */
struct texts {
	struct tn_zone_lines *lines;
	const struct tn_event_class *ec;
	enum tn_scope scope;
	struct tn_step step[TN_CLASS_STEPS];
	size_t n;
};

static bool
has_texts(const struct tn_type *t)
{
	bool has = t->kind == TN_KIND_STRING;

	for (size_t i = 0; i < t->n_fields && !has; i++)
		has = has_texts(t->field[i].type);
	return has;
}

/* False: the text cannot be reached. */
static bool
add_text(struct texts *to, const struct tn_field *f)
{
	struct tn_place *place = TN_NEW(&to->lines->arena, struct tn_place);
	struct tn_step *s = &to->step[to->n];

	if (!place || to->n == TN_CLASS_STEPS ||
	    tn_reach_compile(&place->reach, &to->lines->arena, to->ec, to->scope, f, -1, NULL) != TN_OK || !place->reach.code)
		return false;
	place->way = place->reach.load ? TN_PLACE_FIXED : TN_PLACE_WALK;
	place->field = f;
	if (!tn_step_of_text(s, place))
		*s = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
	to->n++;
	return true;
}

static bool
add_texts(struct texts *to, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	if (t->kind == TN_KIND_STRING)
		return add_text(to, f);
	if (t->kind == TN_KIND_ARRAY)
		return !has_texts(t);
	for (size_t i = 0; i < t->n_fields; i++)
		if (!add_texts(to, &t->field[i]))
			return false;
	return true;
}

/* Collect the texts of a class. False: memory is out. */
static bool
find_class(struct tn_zone_lines *lines, const struct tn_event_class *ec, struct tn_class_steps *out)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
	struct texts to = { .lines = lines, .ec = ec };
	bool good = ec->stream_class->plan != NULL;
	struct tn_step *step;

	for (size_t i = 0; i < TN_COUNT(scopes) && good; i++) {
		const struct tn_field *root = tn_event_class_scope(ec, scopes[i]);

		to.scope = scopes[i];
		good = !root || add_texts(&to, root);
	}
	if (!good)
		to.step[0] = (struct tn_step) { .kind = TN_STEP_GENERAL };
	out->n = good ? (uint32_t)to.n : 1;
	if (out->n == 1 && to.step->kind == TN_STEP_STRING && !to.step->ends && to.step->room >= 16 && to.step->mask <= 7)
		out->only_byte = (uint32_t)(to.step->distance / 8);
	out->step = step = TN_NEW_ARRAY(&lines->arena, out->n + 1, struct tn_step);
	if (step)
		memcpy(step, to.step, out->n * sizeof *step);
	return step != NULL;
}

struct tn_zone_lines *
tn_zone_lines_new(const struct tn_set *set)
{
	struct tn_zone_lines *lines = calloc(1, sizeof *lines);
	bool good = lines && (lines->of_stream = calloc(set->n_streams + 1, sizeof *lines->of_stream));

	for (size_t i = 0; i < set->n_traces && good; i++) {
		const struct tn_trace *t = set->trace[i];
		struct tn_class_steps *class = TN_NEW_ARRAY(&lines->arena, t->n_event_classes + 1, struct tn_class_steps);

		good = class != NULL;
		for (size_t c = 0; c < t->n_event_classes && good; c++)
			good = find_class(lines, t->event_class[c], &class[c]);
		for (size_t s = 0; s < t->n_streams && good; s++)
			lines->of_stream[t->stream[s]->rank] = class;
	}
	if (good)
		return lines;
	tn_zone_lines_free(lines);
	return NULL;
}

void
tn_zone_lines_free(struct tn_zone_lines *lines)
{
	if (!lines)
		return;
	free(lines->of_stream);
	tn_arena_release(&lines->arena);
	free(lines);
}

/* Read rows on the slow path, one by one. False: a text cannot be read. */
static bool
read_hard(const struct tn_class_steps *of_class, struct tn_expression_state *state, struct tn_zone_notes *notes,
	  struct tn_zone_part *v, const struct tn_batch *b, const size_t *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct tn_class_steps *c = &of_class[b->refs.item[row[i]].event_class];

		tn_row_at(&state->row, b, row[i]);
		for (size_t k = 0; k < c->n; k++) {
			const struct tn_place *place = c->step[k].place;
			struct tn_cell cell = { .kind = TN_CELL_NONE };

			if (!tn_row_after(&state->row) || !tn_reach_load(&place->reach, &state->row.m, place->field, &cell))
				return false;
			if (cell.kind == TN_CELL_NONE)
				continue;
			if (cell.kind != TN_CELL_TEXT ||
			    !tn_zone_texts(notes, v, &(struct tn_found_text) { cell.text, cell.n }, 1))
				return false;
			v->kind = TN_ZONE_TEXT;
		}
	}
	return true;
}

void
tn_zone_lines_read(const struct tn_zone_lines *lines, struct tn_zone_buffer *room, struct tn_expression_state *state,
		     struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_batch *b, size_t row, size_t end)
{
	const struct tn_class_steps *of_class = lines->of_stream[b->stream->rank];

	while (row < end && v->kind != TN_ZONE_MIXED) {
		struct tn_found_text *text = room->text;
		size_t *hard = room->hard, n_hard;
		size_t n = tn_steps_all_texts(of_class, state, b, &row, end, text, TN_ZONE_ROWS, hard, &n_hard);

		if (n == SIZE_MAX || !tn_zone_texts(notes, v, text, n) ||
		    !read_hard(of_class, state, notes, v, b, hard, n_hard) || v->full)
			v->kind = TN_ZONE_MIXED;
		else if (n)
			v->kind = TN_ZONE_TEXT;
	}
}
