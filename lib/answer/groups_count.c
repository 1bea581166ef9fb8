/*
 * groups_count.c - rows that are put into groups without a look at each: they are only counted, by one key, or all are in
 * one group
 */
#include "answer/groups_rows.h"

#include <stdlib.h>

#include "base/error.h"

/* What is neither number nor text, or not easily reached. */
static enum tn_code
count_one(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t row, struct tn_error *err)
{
	struct tn_group *group;
	enum tn_code rc;

	tn_row_at(&reader->row, b, row);
	rc = tn_group_rows_group(s, reader, tn_class_of(&s->groups->classes, b, row), &group, err);
	if (rc == TN_OK && group)
		group->count++;
	return rc;
}

/* Numbers that are only counted need no row. */
static enum tn_code
count_numbers(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
	      struct tn_error *err)
{
	const struct tn_rows_column *c = &s->column[0];
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
		struct tn_cell cell;
		enum tn_code rc;

		tn_row_at(&reader->row, b, i);
		if (tn_place_number(c->step[class]->place, &reader->row, &cell) && (cell.kind == TN_CELL_SIGNED) == s->is_signed) {
			c->value[n++] = tn_take_number(&cell);
			continue;
		}
		rc = count_one(s, reader, b, i, err);
		if (rc < 0)
			return rc;
	}
	return tn_numbers_add(&s->numbers, c->value, n) ? TN_OK : tn_fail_memory(err);
}

/* Those that wait are put into the piece's groups, so that there are never too many. */
static bool
put_texts(struct tn_group_rows *s)
{
	bool whole = tn_tally_count_texts(&s->tally, &s->texts);

	tn_texts_clear(&s->texts);
	return whole;
}

/* Texts that are found; a very long one goes to its group at once. */
static bool
add_texts(struct tn_group_rows *s, struct tn_found_text *text, size_t n)
{
	size_t first = 0;

	for (size_t i = 0; i < n; i++) {
		struct tn_texts one = { .seed = s->texts.seed, .factor = s->texts.factor };
		bool whole;

		if (__builtin_expect(text[i].n <= TN_TEXTS_LONG, 1))
			continue;
		whole = tn_texts_add(&s->texts, text + first, i - first) && put_texts(s) && tn_texts_add(&one, text + i, 1) &&
			tn_tally_count_texts(&s->tally, &one);
		tn_texts_release(&one);
		if (!whole)
			return false;
		first = i + 1;
	}
	return tn_texts_add(&s->texts, text + first, n - first) && (s->texts.n < TN_TEXTS_MANY || put_texts(s));
}

/* Texts that are only counted, the same. */
static enum tn_code
count_texts(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
	    struct tn_error *err)
{
	const struct tn_step **of_class = s->column[0].step + s->groups->classes.first[b->stream->rank];
	size_t row = first;

	if (!s->found && !(s->found = malloc(TN_ROWS_TEXTS * sizeof *s->found)))
		return tn_fail_memory(err);
	s->without += end - first;
	for (size_t i = first; b->notices.n && i < end; i++)
		s->without -= b->refs.item[i].event_class == TN_REF_NOTICE;
	while (row < end) {
		size_t n_hard, n = tn_steps_texts(of_class, &reader->row, b, &row, end, s->found, TN_ROWS_TEXTS, s->hard, &n_hard);

		if (n == SIZE_MAX || !add_texts(s, s->found, n))
			return tn_fail_memory(err);
		s->without -= n + n_hard;
		for (size_t k = 0; k < n_hard; k++) {
			enum tn_code rc = count_one(s, reader, b, s->hard[k], err);

			if (rc < 0)
				return rc;
		}
	}
	return TN_OK;
}

/* Whether one group has all events, and numbers of one field are all that is asked of them. */
static bool
is_of_numbers(const struct tn_groups *g, const struct tn_group_rows *s)
{
	return !g->keys.n && g->arguments.n == 1 && !g->arguments.item[0].is_time && !g->options->filter &&
	       tn_tally_takes_numbers(&s->tally);
}

/* What is no number that is at hand, or is less than 0. */
static enum tn_code
add_one(const struct tn_groups *g, struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t row,
	struct tn_group *group, struct tn_error *err)
{
	bool constant = false;
	enum tn_code rc;

	tn_row_at(&reader->row, b, row);
	rc = tn_group_rows_value(s, reader, tn_class_of(&g->classes, b, row), 0, &s->argument[0], &constant, err);
	if (rc == TN_OK && !tn_group_rows_add(g, s, group, b, row))
		rc = tn_fail_memory(err);
	return rc;
}

/* All events in one group: their numbers, in no order, without a row each. */
static enum tn_code
add_numbers(const struct tn_groups *g, struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
	    size_t first, size_t end, struct tn_error *err)
{
	const struct tn_rows_column *c = &s->column[0];
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
count_times(struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
{
	int64_t step = s->groups->keys.item[0].step_ns;
	const struct tn_ref *ref = b->refs.item;

	for (size_t i = first, begin; i < end; i = begin) {
		int64_t from = tn_take_step_of(ref[i].time_ns, step), to;
		struct tn_group *group = tn_group_rows_number(s, (uint64_t)from, from < 0 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN);

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

enum tn_code
tn_group_rows_together(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
		       size_t end, bool *done, struct tn_error *err)
{
	const struct tn_groups *g = s->groups;
	bool one_key = g->only_counts && g->keys.n == 1 && !g->options->filter;
	enum tn_code rc;

	*done = true;
	if (one_key && g->keys.item[0].is_time && g->keys.item[0].step_ns && b->stream->stream_class->clock && !b->cycles &&
	    !b->notices.n)
		return count_times(s, b, first, end, err);
	rc = tn_group_rows_meet(s, b, first, end, err);
	if (rc < 0)
		return rc;
	if (one_key && !g->keys.item[0].is_time && !s->is_mixed)
		return s->some_text ? count_texts(s, reader, b, first, end, err) : count_numbers(s, reader, b, first, end, err);
	if (!s->is_mixed && is_of_numbers(g, s))
		return add_numbers(g, s, reader, b, first, end, err);
	*done = false;
	/* They came first. */
	return s->texts.n && !put_texts(s) ? tn_fail_memory(err) : TN_OK;
}
