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

#define TN_ROWS_NEAR 256	/* a power of two */
#define TN_ROWS_NUMBERS 2
#define TN_ROWS_NO_KEY 2
#define TN_ROWS_TEXTS 1024	/* texts found in one step */

/* A cache from numbers to groups. */
struct tn_rows_near {
	struct tn_group *group;	/* NULL: unused */
	uint64_t what;		/* kinds and class */
	uint64_t u[TN_ROWS_NUMBERS];
};

/* The values of a batch's rows for a key or an argument. */
struct tn_rows_column {
	uint64_t *value;
	uint8_t *kind;			/* enum tn_number_kind */
	/* By number of the class; NULL: its events do not have it, or all have the same. */
	const struct tn_step **step;
	bool wanted;
	bool not_delta;			/* the values are not the time since the row before, for some class */
	bool some_hard;			/* some rows of the batch may need the slow path */
	int64_t from_ns, to_ns;		/* the last step of time; from == to: none */
};

struct tn_group_rows {
	struct tn_group_table table;
	struct tn_rows_near *near;
	/* By number of the class: the group, if all its events in a stream have the same key. */
	struct tn_group **of_class;
	const struct tn_stream *stream;	/* the stream of of_class */
	struct tn_group *last;		/* group of the previous event; NULL */
	struct tn_take_place *place;	/* by number of the class: for each key, then for each argument */
	struct tn_answer_value *argument;
	struct tn_group_table_row row;	/* the row to add */
	uint64_t without;		/* events that do not have any of the keys */
	const struct tn_groups *groups;
	void *sunk;			/* state of the sink; NULL: none */
	/* Columns: for each key, then for each argument. */
	struct tn_rows_column *column;
	struct tn_step *step;		/* in the order of `place` */
	uint8_t *met;			/* by number of the class: its steps are known; TN_ROWS_NO_KEY */
	size_t number[TN_ROWS_NUMBERS], n_numbers;	/* which keys may be numbers, or have numbers for their texts */
	bool many;			/* more than TN_ROWS_NUMBERS keys may be numbers */
	struct tn_short_texts texts;	/* short texts of keys */
	size_t *hard;
	uint8_t *pass;
	struct tn_group **group;	/* for each row, while columns are added */
	size_t room;			/* size in rows */
	/* Used if rows are only counted, by one key that is a number. */
	struct tn_numbers numbers;
	bool is_mixed;			/* a class has another kind of key */
	bool is_signed, some_number;	/* the numbers of the key are all signed, or all unsigned; a class has one */
	/* Used if rows are only counted, by one key that is a text. */
	struct tn_found_text *found;	/* space for TN_ROWS_TEXTS; NULL: not allocated yet */
	bool some_text;			/* a class has a text, and none a number */
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

/* Whether instructions reach a text. */
static inline bool
tn_place_is_text(const struct tn_place *place)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind == TN_KIND_STRING;
}

/* Whether instructions reach the field of the row, and it is a whole number. */
static inline bool
tn_place_number(const struct tn_place *place, struct tn_row_state *row, struct tn_cell *out)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind != TN_KIND_STRING &&
	       tn_row_after_prepared(row) && tn_reach_load(&place->reach, &row->m, place->field, out) &&
	       (out->kind == TN_CELL_UNSIGNED || out->kind == TN_CELL_SIGNED);
}

/* The group of a single key that is a number. */
static inline struct tn_group *
tn_group_rows_number(struct tn_group_rows *s, uint64_t u, uint8_t kind)
{
	const uint64_t key[2] = { kind == TN_NUMBER_NEGATIVE ? TN_ANSWER_SINT : TN_ANSWER_UINT, u };

	return tn_group_table_group(&s->table, key, 2);
}

/* Add a row, whose values are in `argument`. False: memory is out. */
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

/* groups_columns.c: the state for a piece, made and released by a user of pieces.h. */
void *tn_group_rows_make(void *groups);
void tn_group_rows_release(void *state);
/* The value of the reader's row for a key or an argument; *constant stays true if all events of the class have it. */
enum tn_code tn_group_rows_value(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, size_t i,
				 struct tn_answer_value *out, bool *constant, struct tn_error *err);
/* The group of the row by its combined keys; *out is NULL if the row does not have them. */
enum tn_code tn_group_rows_group(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, struct tn_group **out,
				 struct tn_error *err);
/* Prepare all classes of the rows, and space for the rows. */
enum tn_code tn_group_rows_meet(struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t end,
				struct tn_error *err);
/* Fill the columns of keys and arguments from the rows. */
enum tn_code tn_group_rows_fill(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
				size_t end, struct tn_error *err);

/*
 * groups_count.c: count rows without reading each; *done is false if that is impossible, and nothing was added.
 */
enum tn_code tn_group_rows_together(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
				    size_t first, size_t end, bool *done, struct tn_error *err);

#endif
