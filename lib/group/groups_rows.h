/*
 * groups_rows.h - the events of a piece while they are put into groups: what groups_columns.c, groups_count.c and
 * groups_rows.c share
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
#define TN_ROWS_TEXTS 1024	/* that are found at once */

/* The group of some numbers. */
struct tn_rows_near {
	struct tn_group *group;	/* NULL: none is known */
	uint64_t what;		/* class and kinds */
	uint64_t u[TN_ROWS_NUMBERS];
};

/* What the rows of a batch have in a key or an argument. */
struct tn_rows_column {
	uint64_t *value;
	uint8_t *kind;			/* enum tn_number_kind */
	const struct tn_step **step;	/* by number of the class; NULL: none of its events has it, or all have the same */
	bool wanted;
	bool some_hard;			/* some rows of the batch may have to be looked at one by one */
	int64_t from_ns, to_ns;		/* the step of time met last; from == to: none */
};

struct tn_group_rows {
	struct tn_tally tally;
	struct tn_rows_near *near;
	struct tn_group **of_class;	/* by number of the class: where the key is the same for all its events in a stream */
	const struct tn_stream *stream;	/* that of_class is of */
	struct tn_group *last;		/* of the event before; NULL */
	struct tn_take_place *place;	/* by number of the class: of each key, then of each argument */
	struct tn_answer_value *argument;
	struct tn_tally_row row;	/* that is added */
	uint64_t without;		/* events that have none of the keys */
	const struct tn_groups *groups;
	/* Columns: of each key, then of each argument. */
	struct tn_rows_column *column;
	struct tn_step *step;		/* as `place` */
	uint8_t *met;			/* by number of the class: its steps are known; TN_ROWS_NO_KEY */
	size_t number[TN_ROWS_NUMBERS], n_numbers;	/* which keys may be numbers */
	bool many;			/* more than that many may be */
	size_t *hard;
	uint8_t *pass;
	struct tn_group **group;	/* of each row, while columns are added */
	size_t room;			/* rows */
	/* Where rows are only counted, by one key that is a number: these. */
	struct tn_numbers numbers;
	bool is_mixed;			/* some class has another kind of key */
	bool is_signed, some_number;	/* of the key: all numbers are signed, or none is; some class has one */
	/* The same of a text. */
	struct tn_found_text *found;	/* room for TN_ROWS_TEXTS; NULL: none was wanted yet */
	bool some_text;			/* some class has one, and none a number */
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

/* Whether some instructions reach a text. */
static inline bool
tn_place_is_text(const struct tn_place *place)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind == TN_KIND_STRING;
}

/* Whether the field of the row is reached by some instructions, and is a whole number. */
static inline bool
tn_place_number(const struct tn_place *place, struct tn_row_state *row, struct tn_cell *out)
{
	return (place->way == TN_PLACE_FIXED || place->way == TN_PLACE_WALK) && place->field->type->kind != TN_KIND_STRING &&
	       tn_row_behind_prepared(row) && tn_reach_load(&place->reach, &row->m, place->field, out) &&
	       (out->kind == TN_CELL_UNSIGNED || out->kind == TN_CELL_SIGNED);
}

/* One key, a number. */
static inline struct tn_group *
tn_group_rows_number(struct tn_group_rows *s, uint64_t u, uint8_t kind)
{
	const uint64_t key[2] = { kind == TN_NUMBER_NEGATIVE ? TN_ANSWER_SINT : TN_ANSWER_UINT, u };

	return tn_tally_group(&s->tally, key, 2);
}

/* A row more, whose values are in `argument`. False: memory is out. */
static inline bool
tn_group_rows_add(const struct tn_groups *g, struct tn_group_rows *s, struct tn_group *group, const struct tn_batch *b,
		  size_t row)
{
	if (g->plan.needs_place)
		s->row.at = tn_location_of(b, row);
	s->row.has_time = g->plan.needs_time && b->stream->stream_class->clock;
	if (s->row.has_time)
		s->row.time_ns = tn_batch_time(b, row);
	return tn_tally_add(&s->tally, group, &s->row);
}

/* groups_columns.c: the state of a piece, what a user of pieces.h makes and releases. */
void *tn_group_rows_make(void *groups);
void tn_group_rows_release(void *state);
/* What the row that the reader is at has in a key or an argument; *constant stays true when all events of the class have it. */
enum tn_code tn_group_rows_value(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, size_t i,
				 struct tn_answer_value *out, bool *constant, struct tn_error *err);
/* The group of the row by its keys, put together; *out is NULL when it has none. */
enum tn_code tn_group_rows_group(struct tn_group_rows *s, struct tn_piece_reader *reader, size_t class, struct tn_group **out,
				 struct tn_error *err);
/* All classes that the rows are of; room for as many rows. */
enum tn_code tn_group_rows_meet(struct tn_group_rows *s, const struct tn_batch *b, size_t first, size_t end,
				struct tn_error *err);
/* What the rows have in keys and arguments, a column each. */
enum tn_code tn_group_rows_fill(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
				size_t end, struct tn_error *err);

/* groups_count.c: rows that need no look at each: *done is false when it is not so, and nothing was added. */
enum tn_code tn_group_rows_together(struct tn_group_rows *s, struct tn_piece_reader *reader, const struct tn_batch *b,
				    size_t first, size_t end, bool *done, struct tn_error *err);

#endif
