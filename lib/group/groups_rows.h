/*
 * groups_rows.h - grouping the events of a piece: shared by groups_columns.c, groups_count.c and groups_rows.c
 */
#ifndef TN_GROUP_GROUPS_ROWS_H
#define TN_GROUP_GROUPS_ROWS_H

#include "group/groups.h"
#include "group/numbers.h"
#include "scan/pieces.h"
#include "order/cursor.h"
#include "language/condition.h"

#define TN_ROWS_NEAR 256	/* entries of the cache; a power of two */
#define TN_ROWS_NUMBERS 2
#define TN_ROWS_NO_KEY 2
#define TN_ROWS_TEXTS 1024	/* number of texts that one step finds */

/* A cache from numbers to groups. */
struct tn_rows_near {
	struct tn_group *group;	/* NULL: the entry is unused */
	uint64_t what;		/* the kinds of the numbers, and the class */
	uint64_t u[TN_ROWS_NUMBERS];
};

/* The values of a batch's rows for a key or an argument. */
struct tn_rows_column {
	uint64_t *value;
	uint8_t *kind;			/* enum tn_number_kind */
	/* By number of the class; NULL: the events do not have the value, or all have the same value. */
	const struct tn_step **step;
	bool wanted;
	bool not_delta;			/* for some class, the values are not the time since the previous row */
	bool some_hard;			/* some rows of the batch may need the slow path */
	int64_t from_ns, to_ns;		/* the last step of time; equal: none */
};

struct tn_group_rows {
	struct tn_group_table table;
	struct tn_rows_near *near;
	/* By number of the class: the group, if all events of the class in the stream have the same key. */
	struct tn_group **of_class;
	const struct tn_stream *stream;	/* the stream that of_class is valid for */
	struct tn_group *last;		/* group of the previous event; NULL */
	struct tn_take_place *place;	/* by number of the class, then by number of the key or argument */
	struct tn_answer_value *argument;
	struct tn_group_table_row row;	/* the row to add */
	uint64_t without;		/* number of events without any of the keys */
	const struct tn_groups *groups;
	void *sunk;			/* state of the sink; NULL: none */
	/* A column for each key, then for each argument. */
	struct tn_rows_column *column;
	struct tn_step *step;		/* in the order of `place` */
	uint8_t *met;			/* by number of the class: TN_ROWS_... flags; 0: its steps are not known yet */
	size_t number[TN_ROWS_NUMBERS], n_numbers;	/* the keys that may be numbers, or whose texts have numbers */
	bool many;			/* more than TN_ROWS_NUMBERS keys may be numbers */
	struct tn_short_texts texts;	/* short texts of keys */
	size_t *hard;
	uint8_t *pass;
	struct tn_group **group;	/* the group of each row, while columns are added */
	size_t room;			/* number of rows for which there is space */
	/* Used if rows are only counted, by one key that is a number. */
	struct tn_numbers numbers;
	bool is_mixed;			/* some class has another kind of key */
	bool is_signed, some_number;	/* is_signed: the numbers of the key are signed. some_number: some class has a number */
	/* Used if rows are only counted, by one key that is a text. */
	struct tn_found_text *found;	/* space for TN_ROWS_TEXTS; NULL: not allocated yet */
	bool some_text;			/* some class has a text, and no class has a number */
};

static inline size_t
tn_groups_takes(const struct tn_groups *g)
{
	return g->keys.n + g->arguments.n;
}

static inline const struct tn_take *
tn_groups_take_at(const struct tn_groups *g, size_t i)
{
	return i < g->keys.n ? &g->keys.item[i] : &g->arguments.item[i - g->keys.n];
}

/* Whether the instructions reach a text. */
static inline bool
tn_place_is_text(const struct tn_place *place)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind == TN_KIND_STRING;
}

/* Whether the instructions reach the field of the row, and it is a whole number. */
static inline bool
tn_place_number(const struct tn_place *place, struct tn_row_state *row, struct tn_cell *out)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind != TN_KIND_STRING &&
	       tn_row_after_prepared(row) && tn_reach_load(&place->reach, &row->m, place->field, out) &&
	       (out->kind == TN_CELL_UNSIGNED || out->kind == TN_CELL_SIGNED);
}

/* The group of a row whose only key is a number. */
static inline struct tn_group *
tn_group_rows_number(struct tn_group_rows *s, uint64_t u, uint8_t kind)
{
	const uint64_t key[2] = { kind == TN_NUMBER_NEGATIVE ? TN_ANSWER_SINT : TN_ANSWER_UINT, u };

	return tn_group_table_group(&s->table, key, 2);
}

/* Add a row whose values are in `argument`. False: memory is out. */
static inline bool
tn_group_rows_add(const struct tn_groups *g, struct tn_group_rows *s, struct tn_group *group, const struct tn_batch *b,
		  size_t row)
{
	if (g->sink)
		return s->argument[0].kind == TN_ANSWER_NONE || !b->stream->stream_class->clock ||
		       g->sink->put(s->sunk, tn_group_key(&s->table, group), group->key_words, tn_batch_time(b, row),
				    b->stream->rank, s->argument[0].kind, s->argument[0].is.u);
	if (g->plan.needs_place)
		s->row.at = tn_location_of(b, row);
	s->row.has_time = g->plan.needs_time && b->stream->stream_class->clock;
	if (s->row.has_time)
		s->row.time_ns = tn_batch_time(b, row);
	return tn_group_table_add(&s->table, group, &s->row);
}

/* groups_columns.c: the state for a piece, for users of pieces.h. */
void *tn_group_rows_make(void *groups);
void tn_group_rows_release(void *state);
/*
 * Get the value of the reader's row for a key or an argument. *constant stays true if all events of the class have this
 * value.
 */
enum tn_code tn_group_rows_value(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, size_t i,
				 struct tn_answer_value *out, bool *constant, struct tn_error *err);
/* Get the group of the row by its combined keys; *out is NULL if the row does not have any. */
enum tn_code tn_group_rows_group(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, struct tn_group **out,
				 struct tn_error *err);
/* Prepare all classes of the rows, and make space for the rows. */
enum tn_code tn_group_rows_meet(struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t end,
				struct tn_error *err);
/* Fill the columns of keys and arguments from the rows. */
enum tn_code tn_group_rows_fill(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
				size_t end, struct tn_error *err);

/* groups_count.c: count rows without reading each. *done false: this is impossible, and nothing was added. */
enum tn_code tn_group_rows_together(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
				    size_t first, size_t end, bool *done, struct tn_error *err);

#endif
