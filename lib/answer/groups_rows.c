/*
 * groups_rows.c - the events of a piece, put into groups
 *
 * What the rows of a batch have in a key or in what is summed up is loaded first, a column of numbers each, straight from
 * the bits; then row after row finds its group: by its class, where all keys are the same for its events in a stream; by
 * its numbers, of which the last ones met are remembered; or by the keys put together. What is no number, or not easily
 * reached, is looked at one by one.
 */
#include "answer/groups.h"

#include <stdlib.h>

#include "answer/numbers.h"
#include "answer/pieces.h"
#include "base/error.h"
#include "base/ways.h"
#include "order/cursor.h"
#include "query/condition.h"

#define NEAR 256	/* a power of two */
#define NEAR_NUMBERS 2
#define HAS_NO_KEY 2

/* The group of some numbers. */
struct near {
	struct tn_group *group;	/* NULL: none is known */
	uint64_t what;		/* class and kinds */
	uint64_t u[NEAR_NUMBERS];
};

/* What the rows of a batch have in a key or an argument. */
struct column {
	uint64_t *value;
	uint8_t *kind;			/* enum tn_number_kind */
	const struct tn_step **step;	/* by number of the class; NULL: none of its events has it, or all have the same */
	bool wanted;
	bool some_hard;			/* some rows of the batch may have to be looked at one by one */
	int64_t from_ns, to_ns;		/* the step of time met last; from == to: none */
};

struct state {
	struct tn_tally tally;
	struct near *near;
	struct tn_group **of_class;	/* by number of the class: where the key is the same for all its events in a stream */
	const struct tn_stream *stream;	/* that of_class is of */
	struct tn_group *last;		/* of the event before; NULL */
	struct tn_take_place *place;	/* by number of the class: of each key, then of each argument */
	struct tn_answer_value *argument;
	struct tn_tally_row row;	/* that is added */
	uint64_t without;		/* events that have none of the keys */
	const struct tn_groups *groups;
	/* Columns: of each key, then of each argument. */
	struct column *column;
	struct tn_step *step;		/* as `place` */
	uint8_t *met;			/* by number of the class: its steps are known; HAS_NO_KEY */
	size_t number[NEAR_NUMBERS], n_numbers;	/* which keys may be numbers */
	bool many;			/* more than that many may be */
	size_t *hard;
	uint8_t *pass;
	struct tn_group **group;	/* of each row, while columns are added */
	size_t room;			/* rows */
	/* Where rows are only counted, by one key that is a number: these. */
	struct tn_numbers numbers;
	bool is_mixed;			/* some class has another kind of key */
	bool is_signed, some_number;	/* of the first take: all numbers are signed, or none is; some class has one */
};

static size_t
count_takes(const struct tn_groups *g)
{
	return g->keys.n + g->arguments.n;
}

static const struct tn_take *
take_at(const struct tn_groups *g, size_t i)
{
	return i < g->keys.n ? &g->keys.item[i] : &g->arguments.item[i - g->keys.n];
}

static void
release_state(void *user)
{
	struct state *s = user;

	for (size_t i = 0; s->column && i < count_takes(s->groups); i++) {
		free(s->column[i].value);
		free(s->column[i].kind);
		free((void *)s->column[i].step);
	}
	tn_tally_release(&s->tally);
	tn_numbers_release(&s->numbers);
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

static void *
make_state(void *user)
{
	const struct tn_groups *g = user;
	size_t n = count_takes(g), classes = g->classes.n + 1;
	struct state *s = calloc(1, sizeof *s);
	bool whole;

	if (!s)
		return NULL;
	s->groups = g;
	s->of_class = calloc(classes, sizeof *s->of_class);
	s->near = calloc(NEAR, sizeof *s->near);
	s->argument = calloc(g->arguments.n + 1, sizeof *s->argument);
	s->row.argument = s->argument;
	s->place = calloc(classes * (n + 1), sizeof *s->place);
	s->step = calloc(classes * (n + 1), sizeof *s->step);
	s->met = calloc(classes, 1);
	s->column = calloc(n + 1, sizeof *s->column);
	tn_tally_init(&s->tally, &g->piece_plan);
	s->numbers.seed = g->plan.seed;
	s->numbers.factor = g->plan.factor;
	whole = s->of_class && s->near && s->argument && s->place && s->step && s->met && s->column;
	for (size_t i = 0; whole && i < n; i++) {
		s->column[i].step = calloc(classes, sizeof *s->column[i].step);
		whole = s->column[i].step != NULL;
	}
	if (!whole) {
		release_state(s);
		return NULL;
	}
	return s;
}

/* ---- one value, the general way ---- */

static enum tn_code
find_place(struct state *s, size_t class, size_t i, struct tn_take_place **out, struct tn_error *err)
{
	*out = &s->place[class * count_takes(s->groups) + i];
	return (*out)->reference ? TN_OK : tn_take_find(take_at(s->groups, i), class, *out, err);
}

static enum tn_code
value_of(struct state *s, struct tn_piece_reader *reader, size_t class, size_t i, struct tn_answer_value *out,
	 bool *constant, struct tn_error *err)
{
	struct tn_take_place *at;
	enum tn_code rc = find_place(s, class, i, &at, err);

	if (rc < 0)
		return rc;
	*constant = *constant && at->is_constant;
	return tn_take_get(take_at(s->groups, i), at, &reader->row, out, err);
}

/* The group of the row by its keys, put together; *out is NULL when it has none. */
static enum tn_code
group_of(struct state *s, struct tn_piece_reader *reader, size_t class, struct tn_group **out, struct tn_error *err)
{
	const struct tn_groups *g = s->groups;
	struct tn_words_out *key = &reader->words;
	bool constant = true, some = !g->keys.n;

	key->n = 0;
	for (size_t i = 0; i < g->keys.n; i++) {
		struct tn_answer_value v;
		enum tn_code rc = value_of(s, reader, class, i, &v, &constant, err);

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
	/* Mostly it is that of the event before. */
	*out = s->last;
	if (!*out || (*out)->key_words != key->n ||
	    (key->n && memcmp(tn_group_key(&s->tally, *out), key->item, 8 * key->n) != 0))
		*out = tn_tally_group(&s->tally, key->item, key->n);
	if (!*out)
		return tn_fail_memory(err);
	if (*out != s->tally.others)
		s->last = *out;
	if (constant)
		s->of_class[class] = *out;
	return TN_OK;
}

/* ---- columns ---- */

static bool
make_room(struct state *s, size_t rows)
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
	for (size_t i = 0; i < count_takes(s->groups); i++) {
		struct column *c = &s->column[i];

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

/* Whether the key of all classes met, or the only argument, is a number of the same kind, or none. */
static void
note_kind(struct state *s, size_t class)
{
	enum tn_place_way way = s->place[class * count_takes(s->groups)].place->way;
	const struct tn_step *step = s->column[0].step[class];

	if (!step) {
		s->is_mixed |= way != TN_PLACE_NONE;
	} else if (step->kind == TN_STEP_BYTES && !s->some_number) {
		s->is_signed = step->is_signed;
		s->some_number = true;
	} else {
		s->is_mixed |= way == TN_PLACE_PACKET || (step->kind == TN_STEP_BYTES && s->is_signed != step->is_signed);
	}
}

/* How the events of a class give their keys and arguments: found when the first one is met. */
static enum tn_code
meet_class(struct state *s, size_t class, struct tn_error *err)
{
	const struct tn_groups *g = s->groups;

	for (size_t i = 0; i < count_takes(g); i++) {
		struct tn_step *step = &s->step[class * count_takes(g) + i];
		struct column *c = &s->column[i];
		struct tn_take_place *at;
		enum tn_code rc = find_place(s, class, i, &at, err);

		if (rc < 0)
			return rc;
		if (take_at(g, i)->is_time || (at->is_constant && i < g->keys.n) || at->place->way == TN_PLACE_NONE)
			continue;
		tn_step_of_place(step, at->place);
		/* Of a boolean the bits do not matter, only whether one is set. */
		if (at->place->field && at->place->field->type->kind == TN_KIND_BOOL)
			step->kind = TN_STEP_CELL;
		c->step[class] = step;
		c->wanted = true;
	}
	if (g->keys.n == 1 || count_takes(g) == 1)
		note_kind(s, class);
	s->met[class] = g->keys.n == 1 && s->place[class * count_takes(g)].place->way == TN_PLACE_NONE ? HAS_NO_KEY : 1;
	return TN_OK;
}

/* Which keys may be numbers, of what classes whatever. */
static void
list_numbers(struct state *s)
{
	s->n_numbers = 0;
	s->many = false;
	for (size_t i = 0; i < s->groups->keys.n; i++) {
		if (!s->column[i].wanted && !take_at(s->groups, i)->is_time)
			continue;
		if (s->n_numbers < NEAR_NUMBERS)
			s->number[s->n_numbers++] = i;
		else
			s->many = true;
	}
}

/* Rows are in the order of time: a division only where the step changes. */
static void
fill_times(struct column *c, const struct tn_batch *b, size_t first, size_t end, int64_t step)
{
	int64_t from = c->from_ns, to = c->to_ns;

	for (size_t i = first; i < end; i++) {
		int64_t at = b->cycles ? tn_batch_time(b, i) : b->refs.item[i].time_ns;

		if (!step) {
			from = at;
		} else if (at < from || at >= to) {
			from = tn_take_step_of(at, step);
			/* At the end of what there is no step is remembered. */
			if (__builtin_add_overflow(from, step, &to))
				to = from;
		}
		c->value[i - first] = (uint64_t)from;
		c->kind[i - first] = from < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
	}
	c->from_ns = step ? from : 0;
	c->to_ns = step ? to : 0;
}

/* Whether the field of the row is reached by some instructions, and is a whole number. */
static inline bool
is_number(const struct tn_place *place, struct tn_row_state *row, struct tn_cell *out)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind != TN_KIND_STRING &&
	       tn_row_behind_prepared(row) &&
	       tn_reach_load(&place->reach, &row->m, place->field, out) &&
	       (out->kind == TN_CELL_UNSIGNED || out->kind == TN_CELL_SIGNED);
}

/* What is reached by some instructions: a number, or what has to be looked at the general way. True: there is some of that. */
static bool
look_closely(struct state *s, struct column *c, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
	     size_t n_hard)
{
	const struct tn_place *packet = NULL;	/* all rows of a packet have the same there: `cell` */
	struct tn_cell cell = { 0 };
	size_t n_numbers = 0;

	for (size_t k = 0; k < n_hard; k++) {
		size_t i = s->hard[k], class = tn_class_of(&s->groups->classes, b, i);
		const struct tn_take_place *at = &s->place[class * count_takes(s->groups) + (size_t)(c - s->column)];

		tn_row_at(&reader->row, b, i);
		if (at->place->way == TN_PLACE_PACKET) {
			if (at->place != packet && tn_place_get(at->reference, at->place, &reader->row, &cell, NULL) < 0)
				cell.kind = TN_CELL_NONE;
			packet = at->place;
			if (cell.kind != TN_CELL_UNSIGNED && cell.kind != TN_CELL_SIGNED)
				continue;
		} else if (packet = NULL, !is_number(at->place, &reader->row, &cell)) {
			continue;
		}
		c->value[i - first] = tn_take_number(&cell);
		c->kind[i - first] = cell.kind == TN_CELL_SIGNED && cell.i < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
		n_numbers++;
	}
	return n_numbers < n_hard;
}

/* All classes that the rows are of; room for as many rows. */
static enum tn_code
meet_classes(struct state *s, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
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

static enum tn_code
fill_columns(struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
	     struct tn_error *err)
{
	const struct tn_groups *g = s->groups;
	size_t base = g->classes.first[b->stream->rank];

	for (size_t k = 0; k < count_takes(g); k++) {
		struct column *c = &s->column[k];
		size_t n_hard;

		c->some_hard = false;
		if (take_at(g, k)->is_time && b->stream->stream_class->clock) {
			fill_times(c, b, first, end, take_at(g, k)->step_ns);
		} else if (!c->wanted) {
			memset(c->kind, TN_NUMBER_NONE, end - first);
		} else {
			if (!tn_steps_column(c->step + base, &reader->row, b, first, end, c->value, c->kind, s->hard, &n_hard))
				return tn_fail_memory(err);
			c->some_hard = n_hard && look_closely(s, c, reader, b, first, n_hard);
		}
	}
	return TN_OK;
}

/* ---- a row ---- */

/* One key, a number. */
static struct tn_group *
group_of_number(struct state *s, uint64_t u, uint8_t kind)
{
	const uint64_t key[2] = { kind == TN_NUMBER_NEGATIVE ? TN_ANSWER_SINT : TN_ANSWER_UINT, u };

	return tn_tally_group(&s->tally, key, 2);
}

/* Where the group of the row's numbers is remembered; NULL: they have to be looked at the general way. */
static inline struct near *
near_of(struct state *s, size_t class, size_t i)
{
	size_t at = s->groups->keys.n > 1 ? class : 0;
	uint64_t what = at << 4, u[NEAR_NUMBERS] = { 0 };
	struct near *near;

	for (size_t k = 0; k < s->n_numbers; k++) {
		const struct column *c = &s->column[s->number[k]];

		if (__builtin_expect(c->kind[i] == TN_NUMBER_HARD || (c->kind[i] == TN_NUMBER_NONE && s->groups->keys.n == 1), 0))
			return NULL;
		u[k] = c->kind[i] == TN_NUMBER_NONE ? 0 : c->value[i];
		what |= (uint64_t)c->kind[i] << 2 * k;
		at = at * 31 + (size_t)(u[k] ^ u[k] >> 8 ^ u[k] >> 24);
	}
	near = &s->near[at % NEAR];
	if (near->group && near->what == what && near->u[0] == u[0] && near->u[1] == u[1])
		return near;
	*near = (struct near) { .what = what, .u = { u[0], u[1] } };
	return near;
}

/* The group of row @i of the columns, which is @row of the batch; NULL: it has no key. */
static inline enum tn_code
find_group(struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t class, size_t i, size_t row,
	   struct tn_group **out, struct tn_error *err)
{
	struct near *near = NULL;
	enum tn_code rc = TN_OK;

	if ((*out = s->of_class[class]))
		return TN_OK;
	if (s->met[class] == HAS_NO_KEY) {
		s->without++;
		return TN_OK;
	}
	if (s->n_numbers && !s->many && (near = near_of(s, class, i)) && (*out = near->group))
		return TN_OK;
	if (near && s->groups->keys.n == 1) {
		*out = group_of_number(s, near->u[0], near->what & 3);
		rc = *out ? TN_OK : tn_fail_memory(err);
	} else {
		tn_row_at(&reader->row, b, row);
		rc = group_of(s, reader, class, out, err);
	}
	if (rc == TN_OK && near && *out != s->tally.others)
		near->group = *out;
	return rc;
}

/* What row @i of the columns has for the aggregates. */
static inline enum tn_code
find_arguments(struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t class, size_t i, size_t row,
	       struct tn_error *err)
{
	const struct tn_groups *g = s->groups;

	for (size_t k = 0; k < g->arguments.n; k++) {
		static const enum tn_answer_kind kinds[] = { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT };
		const struct column *c = &s->column[g->keys.n + k];
		struct tn_answer_value *v = &s->argument[k];
		bool constant = false;
		enum tn_code rc;

		v->kind = c->kind[i] == TN_NUMBER_HARD ? TN_ANSWER_NONE : kinds[c->kind[i]];
		v->is.u = c->value[i];
		v->type = g->plan.has_edges ? s->place[class * count_takes(g) + g->keys.n + k].type : NULL;
		if (__builtin_expect(c->kind[i] != TN_NUMBER_HARD, 1))
			continue;
		tn_row_at(&reader->row, b, row);
		rc = value_of(s, reader, class, g->keys.n + k, v, &constant, err);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}

/* Numbers that the rows of @group have are added column by column. */
static enum tn_code
add_columns(struct tn_groups *g, struct state *s, size_t n, struct tn_error *err)
{
	for (size_t k = 0; k < g->aggregates.n; k++) {
		const struct tn_aggregate *a = &g->aggregates.item[k];
		const struct column *c = &s->column[g->keys.n + a->argument];

		if (a->works && !tn_tally_column(a, s->group, c->value, c->kind, n))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Whether all that the row has for the aggregates is in columns. */
static inline bool
is_easy(const struct tn_groups *g, const struct state *s, size_t i)
{
	for (size_t k = 0; k < g->arguments.n; k++)
		if (s->column[g->keys.n + k].kind[i] == TN_NUMBER_HARD)
			return false;
	return true;
}

/* The same of all rows of the batch. */
static bool
are_easy(const struct tn_groups *g, const struct state *s)
{
	for (size_t k = 0; k < g->arguments.n; k++)
		if (s->column[g->keys.n + k].some_hard)
			return false;
	return true;
}

static inline bool
add_event(const struct tn_groups *g, struct state *s, struct tn_group *group, const struct tn_batch *b, size_t row)
{
	if (g->plan.has_edges)
		s->row.at = tn_location_of(b, row);
	s->row.has_time = g->plan.has_rate && b->stream->stream_class->clock;
	if (s->row.has_time)
		s->row.time_ns = tn_batch_time(b, row);
	return tn_tally_add(&s->tally, group, &s->row);
}

/* A row whose group may have to be looked for; it is put into `group` when the columns have all of it. */
static enum tn_code
add_row(struct tn_groups *g, struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t i,
	bool by_column, struct tn_error *err)
{
	size_t class = tn_class_of(&g->classes, b, first + i);
	struct tn_group *group;
	enum tn_code rc = find_group(s, reader, b, class, i, first + i, &group, err);

	if (rc < 0 || !group)
		return rc;
	if (g->only_counts || (by_column && is_easy(g, s, i))) {
		group->count++;
		s->group[i] = group;
		return TN_OK;
	}
	rc = find_arguments(s, reader, b, class, i, first + i, err);
	return rc == TN_OK && !add_event(g, s, group, b, first + i) ? tn_fail_memory(err) : rc;
}

/* Rows whose values are in columns. */
static enum tn_code
rows_by_columns(struct tn_groups *g, struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
		size_t end, struct tn_error *err)
{
	const uint8_t *pass = NULL;
	bool classes_only = !g->arguments.n && !s->n_numbers;
	bool by_column = !g->only_counts && !g->plan.has_edges && !g->plan.has_rate, fast;
	struct tn_group *const *of_class = s->of_class + g->classes.first[b->stream->rank];
	enum tn_code rc = classes_only ? TN_OK : fill_columns(s, reader, b, first, end, err);

	if (rc == TN_OK && g->options->filter) {
		memset(s->pass, 1, end - first);
		rc = tn_filter_match_rows(g->options->filter, &reader->filter, b, first, end - first, s->pass, err);
		pass = s->pass;
	}
	fast = g->only_counts || (by_column && are_easy(g, s));
	for (size_t i = 0; rc == TN_OK && i < end - first; i++) {
		uint32_t class = b->refs.item[first + i].event_class;
		struct tn_group *group;

		s->group[i] = NULL;
		if (class == TN_REF_NOTICE || (pass && !pass[i]))
			continue;
		if (fast && (group = of_class[class])) {
			group->count++;
			s->group[i] = group;
		} else {
			rc = add_row(g, s, reader, b, first, i, by_column, err);
		}
	}
	return rc == TN_OK && by_column ? add_columns(g, s, end - first, err) : rc;
}

/* Numbers that are only counted need no row. */
static enum tn_code
count_numbers(struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
	      struct tn_error *err)
{
	const struct column *c = &s->column[0];
	const struct tn_step **of_class = c->step + s->groups->classes.first[b->stream->rank];
	size_t n_hard, n = tn_steps_numbers(of_class, &reader->row, b, first, end, c->value, s->hard, &n_hard);

	if (n == SIZE_MAX)
		return tn_fail_memory(err);
	for (size_t i = 0; s->is_signed && i < n; i++)
		c->value[i] ^= UINT64_C(1) << 63;	/* as they are, not as they compare */
	s->without += end - first - n - n_hard;
	for (size_t i = first; b->notices.n && i < end; i++)
		s->without -= b->refs.item[i].event_class == TN_REF_NOTICE;
	for (size_t k = 0; k < n_hard; k++) {
		size_t i = s->hard[k], class = tn_class_of(&s->groups->classes, b, i);
		struct tn_group *group;
		struct tn_cell cell;
		enum tn_code rc;

		tn_row_at(&reader->row, b, i);
		if (is_number(c->step[class]->place, &reader->row, &cell) && (cell.kind == TN_CELL_SIGNED) == s->is_signed) {
			c->value[n++] = tn_take_number(&cell);
			continue;
		}
		rc = group_of(s, reader, class, &group, err);
		if (rc < 0)
			return rc;
		if (group)
			group->count++;
	}
	return tn_numbers_add(&s->numbers, c->value, n) ? TN_OK : tn_fail_memory(err);
}

/* Whether one group has all events, and numbers of one field are all that is asked of them. */
static bool
is_of_numbers(const struct tn_groups *g, const struct state *s)
{
	return !g->keys.n && g->arguments.n == 1 && !g->arguments.item[0].is_time && !g->options->filter &&
	       tn_tally_takes_numbers(&s->tally);
}

/* What is no number that is at hand, or is less than 0. */
static enum tn_code
add_one(struct tn_groups *g, struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t row,
	struct tn_group *group, struct tn_error *err)
{
	bool constant = false;
	enum tn_code rc;

	tn_row_at(&reader->row, b, row);
	rc = value_of(s, reader, tn_class_of(&g->classes, b, row), 0, &s->argument[0], &constant, err);
	if (rc == TN_OK && !add_event(g, s, group, b, row))
		rc = tn_fail_memory(err);
	return rc;
}

/* All events in one group: their numbers, in no order, without a row each. */
static enum tn_code
add_numbers(struct tn_groups *g, struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
	    size_t end, struct tn_error *err)
{
	const struct column *c = &s->column[0];
	const struct tn_step **of_class = c->step + g->classes.first[b->stream->rank];
	struct tn_group *group = tn_tally_group(&s->tally, NULL, 0);
	size_t n_hard, n = tn_steps_numbers(of_class, &reader->row, b, first, end, c->value, s->hard, &n_hard), plain = 0;
	enum tn_code rc = TN_OK;

	if (!group || n == SIZE_MAX)
		return tn_fail_memory(err);
	group->count += end - first - n - n_hard;	/* those have nothing */
	for (size_t i = first; b->notices.n && i < end; i++)
		group->count -= b->refs.item[i].event_class == TN_REF_NOTICE;
	for (size_t i = 0; s->is_signed && i < n; i++) {
		uint64_t u = c->value[i] ^ UINT64_C(1) << 63;

		s->argument[0] = (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.u = u };
		if (!(u >> 63))
			c->value[plain++] = u;
		else if (!tn_tally_add(&s->tally, group, &s->row))
			return tn_fail_memory(err);
	}
	if (!tn_tally_add_numbers(&s->tally, group, c->value, s->is_signed ? plain : n))
		return tn_fail_memory(err);
	for (size_t k = 0; rc == TN_OK && k < n_hard; k++)
		rc = add_one(g, s, reader, b, s->hard[k], group, err);
	return rc;
}

/* Events that are only counted, by steps of time: they come in its order, and many are in one step. */
static enum tn_code
count_times(struct state *s, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
{
	int64_t step = s->groups->keys.item[0].step_ns;
	const struct tn_ref *ref = b->refs.item;

	for (size_t i = first, begin; i < end; i = begin) {
		int64_t from = tn_take_step_of(ref[i].time_ns, step), to;
		struct tn_group *group = group_of_number(s, (uint64_t)from, from < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN);

		if (!group)
			return tn_fail_memory(err);
		/* Of the last step that there is, which has no end, they come one by one. */
		(void)__builtin_add_overflow(from, step, &to);
		for (begin = i + 1; begin < end && ref[begin].time_ns >= from && ref[begin].time_ns < to;)
			begin++;
		group->count += begin - i;
	}
	return TN_OK;
}

/* The general way; also for rows that come one by one, from many streams. */
static enum tn_code
rows_one_by_one(struct tn_groups *g, struct state *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
		size_t end, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = first; rc == TN_OK && i < end; i++) {
		struct tn_group *group;
		bool pass, constant = false;
		size_t class;

		if (b->refs.item[i].event_class == TN_REF_NOTICE)
			continue;
		rc = tn_piece_passes(g->options, reader, b, i, &pass, err);
		if (rc < 0 || !pass)
			continue;
		class = tn_class_of(&g->classes, b, i);
		tn_row_at(&reader->row, b, i);
		group = s->of_class[class];
		rc = group ? TN_OK : group_of(s, reader, class, &group, err);
		for (size_t k = 0; rc == TN_OK && group && k < g->arguments.n; k++)
			rc = value_of(s, reader, class, g->keys.n + k, &s->argument[k], &constant, err);
		if (rc == TN_OK && group && !add_event(g, s, group, b, i))
			rc = tn_fail_memory(err);
	}
	return rc;
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	struct tn_groups *g = user;
	struct state *s = state;
	enum tn_code rc;

	if (s->stream != b->stream) {
		memset(s->of_class, 0, g->classes.n * sizeof *s->of_class);
		if (g->keys.n > 1)
			memset(s->near, 0, NEAR * sizeof *s->near);
		s->stream = b->stream;
	}
	if (tn_filter_has_regex(g->options->filter) || tn_ways() & TN_WAYS_VALUES) {
		reader->row.values_only = tn_ways() & TN_WAYS_VALUES;
		return rows_one_by_one(g, s, reader, b, first, end, err);
	}
	if (g->only_counts && g->keys.n == 1 && g->keys.item[0].is_time && g->keys.item[0].step_ns && !g->options->filter &&
	    b->stream->stream_class->clock && !b->cycles && !b->notices.n)
		return count_times(s, b, first, end, err);
	rc = meet_classes(s, b, first, end, err);
	if (rc < 0)
		return rc;
	if (g->only_counts && g->keys.n == 1 && !g->keys.item[0].is_time && !g->options->filter && !s->is_mixed)
		return count_numbers(s, reader, b, first, end, err);
	if (!s->is_mixed && is_of_numbers(g, s))
		return add_numbers(g, s, reader, b, first, end, err);
	return rows_by_columns(g, s, reader, b, first, end, err);
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct tn_groups *g = user;
	struct state *s = piece->state;
	bool merged = tn_tally_count(&g->all, s->numbers.item, s->numbers.n, s->is_signed) &&
		      tn_tally_merge(&g->all, &s->tally);

	tn_numbers_clear(&s->numbers);
	g->without += s->without;
	s->without = 0;
	s->stream = NULL;
	s->last = NULL;
	memset(s->near, 0, NEAR * sizeof *s->near);
	tn_tally_clear(&s->tally);
	return merged ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_groups_run_events(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_pieces_ops ops = {
		.make = make_state, .release = release_state, .rows = rows, .deliver = deliver,
	};

	return tn_pieces_run(g->set, options, &ops, g, err);
}
