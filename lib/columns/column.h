/*
 * column.h - a leaf of the schema: the values of one row group until they are encoded
 *
 * An entry has a repetition level and a definition level, and a value if the definition level is the highest one. A flat
 * column, which is not in a group or list, has only a bit for each row: whether there is a value. Other columns store
 * their levels as runs. Rows without an entry are null, so columns that an event does not have cost nothing.
 *
 * All numbers are stored in 64 bits. Texts are numbers of words in the column's dictionary; when it is full, later texts
 * are stored directly.
 */
#ifndef TN_COLUMNS_COLUMN_H
#define TN_COLUMNS_COLUMN_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/str.h"

/* Physical types, numbered as in the format. */
enum tn_physical {
	TN_PHYSICAL_BOOL = 0, TN_PHYSICAL_INT32 = 1, TN_PHYSICAL_INT64 = 2, TN_PHYSICAL_FLOAT = 4, TN_PHYSICAL_DOUBLE = 5,
	TN_PHYSICAL_BYTES = 6, TN_PHYSICAL_FIXED = 7
};

enum tn_logical { TN_LOGICAL_NONE, TN_LOGICAL_TEXT, TN_LOGICAL_TIMESTAMP, TN_LOGICAL_INTEGER };

/* The type of a leaf. */
struct tn_leaf_type {
	enum tn_physical physical;
	enum tn_logical logical;
	uint8_t bits;		/* size of an INTEGER: 8, 16, 32, 64 */
	bool is_signed;		/* sign of an INTEGER, which decides the order of the values */
	bool rises;		/* a time or a counter, which needs no dictionary */
	uint32_t size;		/* size of FIXED in bytes */
};

struct tn_level_run {
	uint32_t n;
	uint16_t definition, repetition;
};

struct tn_word {
	const uint8_t *bytes;
	uint32_t n;
	uint32_t mended;	/* number of invalid UTF-8 sequences that were replaced */
};

struct tn_column {
	struct tn_leaf_type type;
	uint16_t definition, repetition;	/* the highest levels */
	bool is_flat;
	bool of_packets;		/* rows are numbers of packets (tn_parquet.packet); flat */
	size_t *held;			/* size of the buffers of all columns */
	/*
	 * Flat column: rows [0, whole) have values. If a row without a value occurred, @whole is UINT64_MAX, and each row
	 * has a bit in the @there_n words; later rows have no value.
	 */
	uint64_t whole;
	uint64_t *there;
	size_t there_n, there_room;
	/* Levels of a column that is not flat. */
	TN_ARRAY(struct tn_level_run) runs;
	uint64_t rows;			/* number of rows whose entries are complete */
	uint64_t entries;
	/* Values, as numbers or as codes of words. */
	TN_ARRAY(uint64_t) number;
	TN_ARRAY(uint32_t) code;
	TN_ARRAY(struct tn_word) word;
	struct tn_hash by_bytes;
	struct tn_arena copies;
	size_t word_bytes;
	bool is_full;			/* the dictionary is full */
	bool has_mended;		/* some word had invalid UTF-8 */
	struct tn_str plain;		/* texts after the last code: size (unless FIXED), bytes */
	size_t n_plain;
	uint64_t mended;		/* invalid sequences in all values; words are counted when they are encoded */
	uint32_t last_code;		/* code of the last text */
	bool failed;			/* memory was out */
};

static inline bool
tn_column_is_text(const struct tn_column *c)
{
	return c->type.physical >= TN_PHYSICAL_BYTES;
}

/* The size of a number in bytes. */
static inline unsigned
tn_column_size(const struct tn_column *c)
{
	return c->type.physical == TN_PHYSICAL_BOOL ? 1 :
	       c->type.physical == TN_PHYSICAL_INT32 || c->type.physical == TN_PHYSICAL_FLOAT ? 4 : 8;
}

/* Flat column: use bits from now on, with space for rows up to @row. False: memory is out. */
bool tn_column_more_rows(struct tn_column *c, uint64_t row);

/* Flat column: note that the row has a value. */
static inline void
tn_column_there(struct tn_column *c, uint64_t row)
{
	if (row >> 6 < c->there_n)
		c->there[row >> 6] |= UINT64_C(1) << (row & 63);
	else if (row == c->whole)
		c->whole++;
	else if (tn_column_more_rows(c, row))
		c->there[row >> 6] |= UINT64_C(1) << (row & 63);
}

/* Flat column: whether the row has a value. */
static inline bool
tn_column_has(const struct tn_column *c, uint64_t row)
{
	return row >> 6 < c->there_n ? c->there[row >> 6] >> (row & 63) & 1 : c->whole != UINT64_MAX && row < c->whole;
}

void tn_column_add_run(struct tn_column *c, unsigned definition, unsigned repetition, uint64_t n);

/* Column that is not flat: add null entries for earlier rows without an entry. */
static inline void
tn_column_pad(struct tn_column *c, uint64_t row)
{
	if (row > c->rows) {
		tn_column_add_run(c, 0, 0, row - c->rows);
		c->rows = row;
	}
}

/* Begin an entry of row @row. If @definition is the highest level, the value must follow. */
static inline void
tn_column_entry(struct tn_column *c, uint64_t row, unsigned definition, unsigned repetition)
{
	struct tn_level_run *last;

	if (__builtin_expect(c->is_flat, 1)) {
		if (definition)
			tn_column_there(c, row);
		return;
	}
	if (!repetition) {
		tn_column_pad(c, row);
		c->rows++;
	}
	last = c->runs.n ? &c->runs.item[c->runs.n - 1] : NULL;
	if (last && last->definition == definition && last->repetition == repetition && last->n < UINT32_MAX) {
		last->n++;
		c->entries++;
	} else {
		tn_column_add_run(c, definition, repetition, 1);
	}
}

/* Store a number. The caller adds its size to *held. */
static inline void
tn_column_store(struct tn_column *c, uint64_t v)
{
	if (__builtin_expect(c->number.n == c->number.room, 0) && !TN_ARRAY_RESERVE(&c->number, c->number.n + 1)) {
		c->failed = true;
		return;
	}
	c->number.item[c->number.n++] = v;
}

static inline void
tn_column_number(struct tn_column *c, uint64_t v)
{
	tn_column_store(c, v);
	*c->held += sizeof v;
}

static inline void
tn_column_code(struct tn_column *c, uint32_t code)
{
	if (__builtin_expect(c->code.n == c->code.room, 0) && !TN_ARRAY_RESERVE(&c->code, c->code.n + 1)) {
		c->failed = true;
		return;
	}
	c->code.item[c->code.n++] = code;
	*c->held += sizeof code;
}

void tn_column_text(struct tn_column *c, const void *bytes, size_t n);
void tn_column_clear(struct tn_column *c);	/* empties the column for the next row group */
void tn_column_release(struct tn_column *c);

#endif
