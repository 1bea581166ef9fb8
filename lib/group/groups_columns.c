/* groups_columns.c - the values of a batch's rows for the keys and arguments of groups, as columns of numbers */
#include "group/groups_rows.h"

#include <stdlib.h>

#include "base/error.h"

void
tn_group_rows_release(void *user)
{
	struct tn_group_rows *s = user;

	for (size_t i = 0; s->column && i < tn_groups_takes(s->groups); i++) {
		free(s->column[i].value);
		free(s->column[i].kind);
		free((void *)s->column[i].step);
	}
	if (s->sunk)
		s->groups->sink->release(s->sunk);
	tn_group_table_release(&s->table);
	tn_numbers_release(&s->numbers);
	free(s->found);
	free(s->near);
	free(s->of_class);
	free(s->place);
	free(s->argument);
	free(s->column);
	free(s->step);
	free(s->met);
	free(s->hard);
	free(s->pass);
	free((void *)s->group);
	free(s);
}

void *
tn_group_rows_make(void *user)
{
	const struct tn_groups *g = user;
	size_t n = tn_groups_takes(g), classes = g->classes.n + 1;
	struct tn_group_rows *s = calloc(1, sizeof *s);
	bool whole;

	if (!s)
		return NULL;
	s->groups = g;
	s->of_class = calloc(classes, sizeof *s->of_class);
	s->near = calloc(TN_ROWS_NEAR, sizeof *s->near);
	s->argument = calloc(g->arguments.n + 1, sizeof *s->argument);
	s->row.argument = s->argument;
	s->place = calloc(classes * (n + 1), sizeof *s->place);
	s->step = calloc(classes * (n + 1), sizeof *s->step);
	s->met = calloc(classes, 1);
	s->column = calloc(n + 1, sizeof *s->column);
	tn_group_table_init(&s->table, &g->piece_plan);
	s->numbers.seed = g->plan.seed;
	s->numbers.factor = g->plan.factor;
	if (g->sink)
		s->sunk = g->sink->make(g->sink->user);
	whole = (s->sunk || !g->sink) && s->of_class && s->near && s->argument && s->place && s->step && s->met && s->column;
	for (size_t i = 0; whole && i < n; i++) {
		s->column[i].step = calloc(classes, sizeof *s->column[i].step);
		whole = s->column[i].step != NULL;
	}
	if (!whole) {
		tn_group_rows_release(s);
		return NULL;
	}
	return s;
}

/* ---- one value, the general way ---- */

static enum tn_code
find_place(struct tn_group_rows *s, size_t class, size_t i, struct tn_take_place **out, struct tn_error *err)
{
	*out = &s->place[class * tn_groups_takes(s->groups) + i];
	return (*out)->reference ? TN_OK : tn_take_find(tn_groups_take_at(s->groups, i), class, *out, err);
}

enum tn_code
tn_group_rows_value(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, size_t i, struct tn_answer_value *out,
	 bool *constant, struct tn_error *err)
{
	struct tn_take_place *at;
	enum tn_code rc = find_place(s, class, i, &at, err);

	if (rc < 0)
		return rc;
	*constant = *constant && at->is_constant;
	return tn_take_get(tn_groups_take_at(s->groups, i), at, &reader->row, out, err);
}

enum tn_code
tn_group_rows_group(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, struct tn_group **out,
		    struct tn_error *err)
{
	const struct tn_groups *g = s->groups;
	struct tn_words_out *key = &reader->words;
	bool constant = true, some = !g->keys.n;

	key->n = 0;
	for (size_t i = 0; i < g->keys.n; i++) {
		struct tn_answer_value v;
		enum tn_code rc = tn_group_rows_value(s, reader, class, i, &v, &constant, err);

		if (rc < 0)
			return rc;
		some |= v.kind != TN_ANSWER_NONE;
		if (!tn_pack(key, &v, false))
			return tn_fail_memory(err);
	}
	*out = NULL;
	if (!some) {
		s->without++;
		return TN_OK;
	}
	/* Usually the group is that of the previous event. */
	*out = s->last;
	if (!*out || (*out)->key_words != key->n ||
	    (key->n && memcmp(tn_group_key(&s->table, *out), key->item, 8 * key->n) != 0))
		*out = tn_group_table_group(&s->table, key->item, key->n);
	if (!*out)
		return tn_fail_memory(err);
	if (*out != s->table.others)
		s->last = *out;
	if (constant)
		s->of_class[class] = *out;
	return TN_OK;
}

/* ---- columns ---- */

static bool
make_room(struct tn_group_rows *s, size_t rows)
{
	bool whole = true;

	if (rows <= s->room)
		return true;
	rows = rows < 1024 ? 1024 : rows;
	s->room = 0;
	free(s->hard);
	free(s->pass);
	free((void *)s->group);
	s->group = malloc(rows * sizeof(struct tn_group *));
	s->hard = malloc(rows * sizeof *s->hard);
	s->pass = malloc(rows);
	for (size_t i = 0; i < tn_groups_takes(s->groups); i++) {
		struct tn_rows_column *c = &s->column[i];

		free(c->value);
		free(c->kind);
		c->value = calloc(rows, sizeof *c->value);
		c->kind = malloc(rows);
		whole = whole && c->value && c->kind;
	}
	if (!whole || !s->hard || !s->pass || !s->group)
		return false;
	s->room = rows;
	return true;
}

/*
 * Note whether the only key is, in all classes so far, a number of one kind, or a text, or missing. Events with another
 * kind of value take the slow path.
 */
static void
note_kind(struct tn_group_rows *s, size_t class)
{
	const struct tn_place *place = s->place[class * tn_groups_takes(s->groups)].place;
	const struct tn_step *step = s->column[0].step[class];

	if (!step) {
		s->is_mixed |= place->way != TN_PLACE_NONE;
	} else if (place->way == TN_PLACE_PACKET) {
		s->is_mixed = true;
	} else if (step->kind == TN_STEP_BYTES) {
		s->is_mixed |= s->some_text || (s->some_number && s->is_signed != step->is_signed);
		/* The numbers counted so far keep their sign. */
		if (!s->some_number)
			s->is_signed = step->is_signed;
		s->some_number = true;
	} else {
		s->some_text |= tn_place_is_text(place) && !s->some_number;
	}
}

/* At the first event of a class, find how to read keys and arguments in its events. */
static enum tn_code
meet_class(struct tn_group_rows *s, size_t class, struct tn_error *err)
{
	const struct tn_groups *g = s->groups;

	for (size_t i = 0; i < tn_groups_takes(g); i++) {
		struct tn_step *step = &s->step[class * tn_groups_takes(g) + i];
		struct tn_rows_column *c = &s->column[i];
		struct tn_take_place *at;
		enum tn_code rc = find_place(s, class, i, &at, err);

		if (rc < 0)
			return rc;
		if (tn_groups_take_at(g, i)->is_time || (at->is_constant && i < g->keys.n) || at->place->way == TN_PLACE_NONE)
			continue;
		if (at->other || !tn_place_is_text(at->place) || !tn_step_of_text(step, at->place))
			tn_step_of_place(step, at->place);
		/* A boolean is true if any bit is set; the bits do not matter. Where "A|B" has no A, the slow path reads B. */
		if (at->other || (at->place->field && at->place->field->type->kind == TN_KIND_BOOL))
			step->kind = TN_STEP_CELL;
		c->step[class] = step;
		c->wanted = true;
		c->not_delta |= at->other || at->place->way != TN_PLACE_ROW ||
				at->reference->meaning.attribute != TN_ATTRIBUTE_DELTA;
	}
	if (g->keys.n == 1)
		note_kind(s, class);
	s->met[class] = g->keys.n == 1 && s->place[class * tn_groups_takes(g)].place->way == TN_PLACE_NONE ? TN_ROWS_NO_KEY : 1;
	return TN_OK;
}

/* Find the keys that are numbers in at least one class. */
static void
list_numbers(struct tn_group_rows *s)
{
	s->n_numbers = 0;
	s->many = false;
	for (size_t i = 0; i < s->groups->keys.n; i++) {
		if (!s->column[i].wanted && !tn_groups_take_at(s->groups, i)->is_time)
			continue;
		if (s->n_numbers < TN_ROWS_NUMBERS)
			s->number[s->n_numbers++] = i;
		else
			s->many = true;
	}
}

/* Rows are in the order of time, so a division is only needed when the step changes. */
static void
fill_times(struct tn_rows_column *c, const struct tn_batch *b, size_t first, size_t end, int64_t step)
{
	int64_t from = c->from_ns, to = c->to_ns;

	for (size_t i = first; i < end; i++) {
		int64_t at = b->cycles ? tn_batch_time(b, i) : b->refs.item[i].time_ns;

		if (!step) {
			from = at;
		} else if (at < from || at >= to) {
			from = tn_take_step_of(at, step);
			/* The last step of time does not have an end, so it is not cached. */
			if (__builtin_add_overflow(from, step, &to))
				to = from;
		}
		c->value[i - first] = (uint64_t)from;
		c->kind[i - first] = from < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
	}
	c->from_ns = step ? from : 0;
	c->to_ns = step ? to : 0;
}

/*
 * Compute the time since the previous row. For the first row of a batch, and after a notice, the previous row must be
 * searched for.
 */
static void
fill_deltas(struct tn_group_rows *s, struct tn_rows_column *c, struct tn_piece_reader *reader, const struct tn_batch *b,
	    size_t first, size_t end)
{
	const struct tn_ref *ref = b->refs.item;

	for (size_t i = first; i < end; i++) {
		int64_t now = b->cycles ? tn_batch_time(b, i) : ref[i].time_ns, delta;
		struct tn_cell cell;

		c->kind[i - first] = TN_NUMBER_NONE;
		if (ref[i].event_class == TN_REF_NOTICE)
			continue;
		if (i && ref[i - 1].event_class != TN_REF_NOTICE) {
			delta = (int64_t)((uint64_t)now - (uint64_t)(b->cycles ? tn_batch_time(b, i - 1) : ref[i - 1].time_ns));
			tn_row_note_end(&reader->row, b, i, now);
		} else {
			const struct tn_take_place *at = &s->place[tn_class_of(&s->groups->classes, b, i) *
								   tn_groups_takes(s->groups) + (size_t)(c - s->column)];

			tn_row_at(&reader->row, b, i);
			if (tn_place_get(at->reference, at->place, &reader->row, &cell, NULL) < 0) {
				c->kind[i - first] = TN_NUMBER_HARD;
				c->some_hard = true;
				continue;
			}
			if (cell.kind == TN_CELL_NONE)
				continue;
			delta = cell.i;
		}
		c->value[i - first] = (uint64_t)delta;
		c->kind[i - first] = delta < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
	}
}

/* Replace numbers by the numbers of their bins. */
static void
fill_bins(struct tn_rows_column *c, const struct tn_bins *bins, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((c->kind[i] == TN_NUMBER_PLAIN || c->kind[i] == TN_NUMBER_NEGATIVE) &&
		    !tn_bin_whole(bins, c->kind[i] == TN_NUMBER_NEGATIVE, &c->value[i])) {
			c->kind[i] = TN_NUMBER_HARD;
			c->some_hard = true;
		}
}

/* Load values by the instructions: numbers, or a mark for the slow path. True: some values need the slow path. */
static bool
look_closely(struct tn_group_rows *s, struct tn_rows_column *c, struct tn_piece_reader *reader, const struct tn_batch *b,
	     size_t first, size_t n_hard)
{
	const struct tn_place *packet = NULL;	/* the value is the same for all rows of a packet: `cell` */
	struct tn_cell cell = { 0 };
	size_t n_numbers = 0;

	for (size_t k = 0; k < n_hard; k++) {
		size_t i = s->hard[k], class = tn_class_of(&s->groups->classes, b, i);
		const struct tn_take_place *at = &s->place[class * tn_groups_takes(s->groups) + (size_t)(c - s->column)];

		tn_row_at(&reader->row, b, i);
		if (at->place->way == TN_PLACE_PACKET) {
			if (at->place != packet && tn_place_get(at->reference, at->place, &reader->row, &cell, NULL) < 0)
				cell.kind = TN_CELL_NONE;
			packet = at->place;
			if (cell.kind != TN_CELL_UNSIGNED && cell.kind != TN_CELL_SIGNED)
				continue;
		} else if (packet = NULL, !tn_place_number(at->place, &reader->row, &cell)) {
			continue;
		}
		c->value[i - first] = tn_take_number(&cell);
		c->kind[i - first] = cell.kind == TN_CELL_SIGNED && cell.i < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
		n_numbers++;
	}
	return n_numbers < n_hard;
}

enum tn_code
tn_group_rows_meet(struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
{
	size_t base = s->groups->classes.first[b->stream->rank];
	const uint8_t *met = s->met + base;
	const struct tn_ref *ref = b->refs.item;
	bool more = false;

	if (!make_room(s, end - first))
		return tn_fail_memory(err);
	while (!b->notices.n && first < end && met[ref[first].event_class])
		first++;
	for (size_t i = first; i < end; i++) {
		uint32_t class = b->refs.item[i].event_class;

		if (class != TN_REF_NOTICE && __builtin_expect(!s->met[base + class], 0)) {
			enum tn_code rc = meet_class(s, base + class, err);

			if (rc < 0)
				return rc;
			more = true;
		}
	}
	if (more)
		list_numbers(s);
	return TN_OK;
}

enum tn_code
tn_group_rows_fill(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
	     struct tn_error *err)
{
	const struct tn_groups *g = s->groups;
	size_t base = g->classes.first[b->stream->rank];

	for (size_t k = 0; k < tn_groups_takes(g); k++) {
		struct tn_rows_column *c = &s->column[k];
		size_t n_hard;

		c->some_hard = false;
		if (tn_groups_take_at(g, k)->is_time && b->stream->stream_class->clock) {
			fill_times(c, b, first, end, tn_groups_take_at(g, k)->step_ns);
		} else if (!c->wanted) {
			memset(c->kind, TN_NUMBER_NONE, end - first);
		} else {
			if (!c->not_delta && b->stream->stream_class->clock)
				fill_deltas(s, c, reader, b, first, end);
			else if (!tn_steps_column(c->step + base, k < g->keys.n ? &s->texts : NULL, &reader->row, b, first, end,
						  c->value, c->kind, s->hard, &n_hard))
				return tn_fail_memory(err);
			else
				c->some_hard = n_hard && look_closely(s, c, reader, b, first, n_hard);
			if (tn_groups_take_at(g, k)->bins.kind)
				fill_bins(c, &tn_groups_take_at(g, k)->bins, end - first);
		}
	}
	return TN_OK;
}
