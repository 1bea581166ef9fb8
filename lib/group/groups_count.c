/* groups_count.c - count rows by one key without processing each row */
#include "group/groups_rows.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/error.h"

/* The slow path, for a value that is neither a number nor a text, or that the instructions do not reach. */
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

/* Count numbers without rows. */
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
		c->value[i] ^= UINT64_C(1) << 63;	/* stored as unsigned, but compared as signed */
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

/* A text often equals the previous one. If it does not, its end usually differs. */
static inline bool
is_same(const struct tn_found_text *a, const struct tn_found_text *b)
{
	if (a->n != b->n)
		return false;
	if (a->n < 8)
		return !a->n || memcmp(a->text, b->text, a->n) == 0;
	return tn_load64((const uint8_t *)a->text + a->n - 8) == tn_load64((const uint8_t *)b->text + b->n - 8) &&
	       memcmp(a->text, b->text, a->n - 8) == 0;
}

/* Count the texts that were found; each is a key. */
static bool
add_texts(struct tn_group_rows *s, struct tn_words_out *key, const struct tn_found_text *text, size_t n)
{
	const struct tn_found_text *before = NULL;
	struct tn_group *group = NULL;

	for (const struct tn_found_text *end = text + n; text < end; before = text++) {
		if (!before || !is_same(before, text)) {
			key->n = 0;
			group = tn_pack(key, &(struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text->text, .n = text->n },
					false) ? tn_group_table_group(&s->table, key->item, key->n) : NULL;
		}
		if (!group)
			return false;
		group->count++;
	}
	return true;
}

/* Count texts without rows, like numbers. */
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

		if (n == SIZE_MAX || !add_texts(s, &reader->words, s->found, n))
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

/* Count events by steps of time. Rows are in the order of time, and many are in one step. */
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
		/* The last step of time does not have an end, so its rows are counted one by one. */
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
	if (one_key && !g->keys.item[0].is_time && !g->keys.item[0].bins.kind && !s->is_mixed)
		return s->some_text ? count_texts(s, reader, b, first, end, err) : count_numbers(s, reader, b, first, end, err);
	*done = false;
	return TN_OK;
}
