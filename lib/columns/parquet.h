/*
 * parquet.h - a Parquet file while it is written: the schema, a row group in memory, the footer
 *
 *	tn_parquet_init(&p, &sink, &encoders);
 *	a = tn_parquet_leaf(&p, NULL, "a", &type);	// NULL when memory is out
 *	rc = tn_parquet_begin(&p, &err);		// no nodes from here on
 *	tn_node_number(a, p.row, 7); ...
 *	rc = tn_parquet_end_row(&p, &err);
 *	...
 *	rc = tn_parquet_finish(&p, &err);
 *	tn_parquet_release(&p);
 *
 * Every column is optional. Row groups end when the values in memory are TN_GROUP_BYTES.
 */
#ifndef TN_COLUMNS_PARQUET_H
#define TN_COLUMNS_PARQUET_H

#include <tnav/columns.h>

#include "columns/encode.h"

#define TN_GROUP_BYTES ((size_t)24 << 20)	/* limit of the values of a row group before encoding */
#define TN_GROUP_ROWS 1000000
#define TN_MOST_LEAVES 65536

enum tn_node_kind { TN_NODE_LEAF, TN_NODE_GROUP, TN_NODE_LIST };

/* A node of the schema. */
struct tn_node {
	const char *name;	/* in the arena */
	enum tn_node_kind kind;
	uint16_t definition;	/* the level at which the node is present */
	uint16_t repetition;	/* number of lists around it */
	struct tn_node *in;	/* node that contains it */
	struct tn_node **child;	/* children; in a list, the element */
	size_t n, room;
	struct tn_column column;	/* column of a leaf */
	size_t number;		/* number of a leaf */
	const struct tn_node *same;	/* a leaf with the same values; or NULL */
};

struct tn_parquet_chunk;

/* Buffers for the threads, for one file, or for several files that are written in turn. */
struct tn_encoders {
	struct tn_packer packer;
	bool packs;
	unsigned threads;
	struct tn_encoder *encoder;	/* one for each thread */
};

enum tn_code tn_encoders_init(struct tn_encoders *e, unsigned threads, struct tn_error *err);
void tn_encoders_release(struct tn_encoders *e);

struct tn_parquet {
	struct tn_columns_sink sink;
	struct tn_encoders *encoders;	/* borrowed */
	size_t group_bytes;
	struct tn_arena arena;
	struct tn_node root;
	TN_ARRAY(struct tn_node *) leaf;
	struct tn_pages *pages;		/* one for each leaf */
	uint64_t row, rows;		/* rows in this row group so far; rows in the groups before it */
	TN_ARRAY(uint32_t) packet;	/* for each row, the number of its packet in the row group; empty: no columns of packets */
	size_t n_packets;
	size_t held;			/* size of the values in memory */
	uint64_t at;			/* size of the file */
	uint64_t mended;
	TN_ARRAY(struct tn_parquet_chunk) chunk;
	TN_ARRAY(uint64_t) group_row;	/* number of rows in each row group */
	struct tn_str meta, column_index, offset_index, notes;	/* parts of the footer that are already encoded */
	size_t n_notes;
	bool failed;			/* memory was out */
};

void tn_parquet_init(struct tn_parquet *p, const struct tn_columns_sink *sink, struct tn_encoders *encoders);
struct tn_node *tn_parquet_leaf(struct tn_parquet *p, struct tn_node *in, const char *name, const struct tn_leaf_type *type);
/* Add a group or a list, to which more nodes can be added. */
struct tn_node *tn_parquet_inner(struct tn_parquet *p, struct tn_node *in, const char *name, enum tn_node_kind kind);
/* Add a text to the key-value metadata; only before tn_parquet_finish(). */
void tn_parquet_note(struct tn_parquet *p, const char *key, const char *value, size_t n);
enum tn_code tn_parquet_begin(struct tn_parquet *p, struct tn_error *err);
/* Encode and write the rows in memory. tn_parquet_end_row() calls this when there are many. */
enum tn_code tn_parquet_end_group(struct tn_parquet *p, struct tn_error *err);
static inline enum tn_code
tn_parquet_end_row(struct tn_parquet *p, struct tn_error *err)
{
	p->row++;
	return p->held >= p->group_bytes || p->row == TN_GROUP_ROWS ? tn_parquet_end_group(p, err) : TN_OK;
}
enum tn_code tn_parquet_finish(struct tn_parquet *p, struct tn_error *err);
void tn_parquet_release(struct tn_parquet *p);

/* For columns of packets: the next row belongs to packet @packet of the row group, counted from 0. */
static inline void
tn_parquet_of_packet(struct tn_parquet *p, uint32_t packet)
{
	if (__builtin_expect(p->packet.n == p->packet.room, 0) && !TN_ARRAY_RESERVE(&p->packet, p->packet.n + 1)) {
		p->failed = true;
		return;
	}
	p->packet.item[p->packet.n++] = packet;
	p->held += sizeof packet;
}

/* Add an entry without a value for each leaf below @node, with the definition level @definition. */
void tn_node_none(struct tn_node *node, uint64_t row, unsigned definition, unsigned repetition);

static inline void
tn_node_put(struct tn_node *leaf, uint64_t row, unsigned repetition, uint64_t v)
{
	tn_column_entry(&leaf->column, row, leaf->definition, repetition);
	tn_column_number(&leaf->column, v);
}

static inline void
tn_node_put_text(struct tn_node *leaf, uint64_t row, unsigned repetition, const void *bytes, size_t n)
{
	tn_column_entry(&leaf->column, row, leaf->definition, repetition);
	tn_column_text(&leaf->column, bytes, n);
}

#endif
