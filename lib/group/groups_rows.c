/*
 * groups_rows.c - put the events of a piece into groups
 *
 * First, the values of a batch's rows for keys and arguments are loaded from the bits, each as a column of numbers
 * (groups_columns.c). Then each row finds its group in one of three ways: by its class, if all events of the class in the
 * stream have the same key; by its numbers, of which recent ones are cached; or by the combined keys. Values that are not
 * numbers, or that the instructions do not reach, are processed one by one.
 */
#include "group/groups_rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/ways.h"

/* ---- a row ---- */

#define KIND_BITS 3

/* The cache entry for the row's numbers; NULL: they need the general path. */
static inline struct tn_rows_near *
near_of(struct tn_group_rows *s, size_t class, size_t i)
{
	size_t at = s->groups->keys.n > 1 ? class : 0;
	uint64_t what = at << KIND_BITS * TN_ROWS_NUMBERS, u[TN_ROWS_NUMBERS] = { 0 };
	struct tn_rows_near *near;

	for (size_t k = 0; k < s->n_numbers; k++) {
		const struct tn_rows_column *c = &s->column[s->number[k]];

		if (__builtin_expect(c->kind[i] == TN_NUMBER_HARD || (c->kind[i] == TN_NUMBER_NONE && s->groups->keys.n == 1), 0))
			return NULL;
		u[k] = c->kind[i] == TN_NUMBER_NONE ? 0 : c->value[i];
		what |= (uint64_t)c->kind[i] << KIND_BITS * k;
		at = at * 31 + (size_t)(u[k] ^ u[k] >> 8 ^ u[k] >> 24);
	}
	near = &s->near[at % TN_ROWS_NEAR];
	if (near->group && near->what == what && near->u[0] == u[0] && near->u[1] == u[1])
		return near;
	*near = (struct tn_rows_near) { .what = what, .u = { u[0], u[1] } };
	return near;
}

/* The group of row @i of the columns, which is row @row of the batch; NULL: the row does not have a key. */
static inline enum tn_code
find_group(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t class, size_t i, size_t row,
	   struct tn_group **out, struct tn_error *err)
{
	struct tn_rows_near *near = NULL;
	enum tn_code rc = TN_OK;

	if ((*out = s->of_class[class]))
		return TN_OK;
	if (s->met[class] == TN_ROWS_NO_KEY) {
		s->without++;
		return TN_OK;
	}
	if (s->n_numbers && !s->many && (near = near_of(s, class, i)) && (*out = near->group))
		return TN_OK;
	if (near && s->groups->keys.n == 1 && s->column[0].kind[i] != TN_NUMBER_TEXT) {
		*out = tn_group_rows_number(s, near->u[0], s->column[0].kind[i]);
		rc = *out ? TN_OK : tn_fail_memory(err);
	} else {
		tn_row_at(&reader->row, b, row);
		rc = tn_group_rows_group(s, reader, class, out, err);
	}
	if (rc == TN_OK && near && *out != s->table.others)
		near->group = *out;
	return rc;
}

/* Get the values of row @i of the columns for the aggregates. */
static inline enum tn_code
find_arguments(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t class, size_t i,
	       size_t row, struct tn_error *err)
{
	const struct tn_groups *g = s->groups;

	for (size_t k = 0; k < g->arguments.n; k++) {
		static const enum tn_answer_kind kinds[] = { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT };
		const struct tn_rows_column *c = &s->column[g->keys.n + k];
		struct tn_answer_value *v = &s->argument[k];
		bool constant = false;
		enum tn_code rc;

		v->kind = c->kind[i] == TN_NUMBER_HARD ? TN_ANSWER_NONE : kinds[c->kind[i]];
		v->is.u = c->value[i];
		v->type = g->plan.needs_place ? s->place[class * tn_groups_takes(g) + g->keys.n + k].type : NULL;
		if (__builtin_expect(c->kind[i] != TN_NUMBER_HARD, 1))
			continue;
		tn_row_at(&reader->row, b, row);
		rc = tn_group_rows_value(s, reader, class, g->keys.n + k, v, &constant, err);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}

/* Pass the numbers of the rows in @group to the sink. */
static enum tn_code
sink_column(struct tn_groups *g, struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t n, struct tn_error *err)
{
	const struct tn_rows_column *c = &s->column[g->keys.n];
	bool whole = true;

	for (size_t i = 0; whole && b->stream->stream_class->clock && i < n; i++)
		if (s->group[i] && (c->kind[i] == TN_NUMBER_PLAIN || c->kind[i] == TN_NUMBER_NEGATIVE))
			whole = g->sink->put(s->sunk, tn_group_key(&s->table, s->group[i]), s->group[i]->key_words,
					     b->cycles ? tn_batch_time(b, first + i) : b->refs.item[first + i].time_ns,
					     b->stream->rank, c->kind[i] == TN_NUMBER_PLAIN ? TN_ANSWER_UINT : TN_ANSWER_SINT,
					     c->value[i]);
	return whole ? TN_OK : tn_fail_memory(err);
}

/* Add the numbers of the rows in @group, column by column. */
static enum tn_code
add_columns(struct tn_groups *g, struct tn_group_rows *s, size_t n, struct tn_error *err)
{
	for (size_t k = 0; k < g->aggregates.n; k++) {
		const struct tn_aggregate *a = &g->aggregates.item[k];
		const struct tn_rows_column *c = &s->column[g->keys.n + a->argument];

		if (a->works && !tn_group_table_column(&s->table, a, s->group, c->value, c->kind, n))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Whether the columns have all values of the row for the aggregates. */
static inline bool
is_easy(const struct tn_groups *g, const struct tn_group_rows *s, size_t i)
{
	for (size_t k = 0; k < g->arguments.n; k++)
		if (s->column[g->keys.n + k].kind[i] == TN_NUMBER_HARD)
			return false;
	return true;
}

/* Whether all rows of the batch are easy. */
static bool
are_easy(const struct tn_groups *g, const struct tn_group_rows *s)
{
	for (size_t k = 0; k < g->arguments.n; k++)
		if (s->column[g->keys.n + k].some_hard)
			return false;
	return true;
}

/* Add a row whose group may be unknown. If the columns have all values of the row, only set `group`. */
static enum tn_code
add_row(struct tn_groups *g, struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
	size_t i, bool by_column, struct tn_error *err)
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
	return rc == TN_OK && !tn_group_rows_add(g, s, group, b, first + i) ? tn_fail_memory(err) : rc;
}

/*
 * Add rows from @i on whose class has one group, if the columns have all values. Returns the first row that needs the
 * slow path.
 */
static inline size_t
add_easy_rows(const struct tn_ref *ref, struct tn_group *const *of_class, const uint8_t *pass, struct tn_group **group, size_t i,
	      size_t n)
{
	for (; i < n; i++) {
		struct tn_group *g = NULL;

		if (ref[i].event_class != TN_REF_NOTICE && (!pass || pass[i])) {
			g = of_class[ref[i].event_class];
			if (!g)
				break;
			g->count++;
		}
		group[i] = g;
	}
	return i;
}

/* Add rows whose values are in columns. */
static enum tn_code
rows_by_columns(struct tn_groups *g, struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
		size_t first, size_t end, struct tn_error *err)
{
	const struct tn_ref *ref = b->refs.item + first;
	const uint8_t *pass = NULL;
	bool classes_only = !g->arguments.n && !s->n_numbers;
	bool by_column = !g->only_counts && !g->plan.needs_place && !g->plan.needs_time, fast;
	struct tn_group *const *of_class = s->of_class + g->classes.first[b->stream->rank];
	enum tn_code rc = classes_only ? TN_OK : tn_group_rows_fill(s, reader, b, first, end, err);

	if (rc == TN_OK && g->options->filter) {
		memset(s->pass, 1, end - first);
		rc = tn_filter_match_rows(g->options->filter, &reader->filter, b, first, end - first, s->pass, err);
		pass = s->pass;
	}
	fast = g->only_counts || (by_column && are_easy(g, s));
	for (size_t i = 0; rc == TN_OK && i < end - first; i++) {
		if (fast)
			i = pass ? add_easy_rows(ref, of_class, pass, s->group, i, end - first)
				 : add_easy_rows(ref, of_class, NULL, s->group, i, end - first);
		if (i == end - first)
			break;
		s->group[i] = NULL;
		if (ref[i].event_class != TN_REF_NOTICE && (!pass || pass[i]))
			rc = add_row(g, s, reader, b, first, i, by_column, err);
	}
	if (rc < 0 || !by_column)
		return rc;
	return g->sink ? sink_column(g, s, b, first, end - first, err) : add_columns(g, s, end - first, err);
}

/* The general path; also for single rows from many streams. */
static enum tn_code
rows_one_by_one(struct tn_groups *g, struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
		size_t first, size_t end, struct tn_error *err)
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
		rc = group ? TN_OK : tn_group_rows_group(s, reader, class, &group, err);
		for (size_t k = 0; rc == TN_OK && group && k < g->arguments.n; k++)
			rc = tn_group_rows_value(s, reader, class, g->keys.n + k, &s->argument[k], &constant, err);
		if (rc == TN_OK && group && !tn_group_rows_add(g, s, group, b, i))
			rc = tn_fail_memory(err);
	}
	return rc;
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	struct tn_groups *g = user;
	struct tn_group_rows *s = state;
	enum tn_code rc;
	bool done;

	if (s->stream != b->stream) {
		memset(s->of_class, 0, g->classes.n * sizeof *s->of_class);
		if (g->keys.n > 1)
			memset(s->near, 0, TN_ROWS_NEAR * sizeof *s->near);
		s->stream = b->stream;
	}
	if (tn_filter_has_regex(g->options->filter) || tn_ways() & TN_WAYS_VALUES) {
		reader->row.values_only = tn_ways() & TN_WAYS_VALUES;
		return rows_one_by_one(g, s, reader, b, first, end, err);
	}
	rc = tn_group_rows_together(s, reader, b, first, end, &done, err);
	if (rc < 0 || done)
		return rc;
	return rows_by_columns(g, s, reader, b, first, end, err);
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct tn_groups *g = user;
	struct tn_group_rows *s = piece->state;
	bool merged = g->sink ? g->sink->merge(g->sink->user, s->sunk) :
		      tn_group_table_count(&g->all, s->numbers.item, s->numbers.n, s->is_signed) &&
		      tn_group_table_merge(&g->all, &s->table);

	tn_numbers_clear(&s->numbers);
	g->without += s->without;
	s->without = 0;
	s->stream = NULL;
	s->last = NULL;
	memset(s->near, 0, TN_ROWS_NEAR * sizeof *s->near);
	tn_group_table_clear(&s->table);
	return merged ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_groups_run_events(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_pieces_ops ops = {
		.make = tn_group_rows_make, .release = tn_group_rows_release, .rows = rows, .deliver = deliver,
	};

	return tn_pieces_run(g->set, options, &ops, g, err);
}
