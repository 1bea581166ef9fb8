#include <config.h>

#include "columns/parquet.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "base/ways.h"
#include "columns/thrift.h"

#define SMALL_GROUP 1500	/* size of a row group in tests, in bytes */
#define FEW_ROWS 2000		/* for fewer rows, no threads are started */

static const char magic[4] = "PAR1";

/* Positions of the parts of the footer for a written column chunk. */
struct tn_parquet_chunk {
	size_t meta, column_index, offset_index;	/* sizes of these structs; 0: absent */
	uint64_t unpacked, packed;
};

enum tn_code
tn_encoders_init(struct tn_encoders *e, unsigned threads, struct tn_error *err)
{
	*e = (struct tn_encoders) { .threads = tn_threads_size(threads) };
	e->packs = !(tn_ways() & TN_WAYS_UNPACKED) && tn_packer_load(&e->packer);
	e->encoder = calloc(e->threads, sizeof *e->encoder);
	for (unsigned i = 0; e->encoder && i < e->threads; i++)
		e->encoder[i].packer = e->packs ? &e->packer : NULL;
	return e->encoder ? TN_OK : tn_fail_memory(err);
}

void
tn_encoders_release(struct tn_encoders *e)
{
	for (unsigned i = 0; e->encoder && i < e->threads; i++)
		tn_encoder_release(&e->encoder[i]);
	free(e->encoder);
	tn_packer_release(&e->packer);
	*e = (struct tn_encoders) { 0 };
}

void
tn_parquet_init(struct tn_parquet *p, const struct tn_columns_sink *sink, struct tn_encoders *encoders)
{
	*p = (struct tn_parquet) {
		.sink = *sink, .encoders = encoders, .group_bytes = tn_ways() & TN_WAYS_SMALL ? SMALL_GROUP : TN_GROUP_BYTES,
		.root = { .name = "schema", .kind = TN_NODE_GROUP },
	};
}

static struct tn_node *
add_node(struct tn_parquet *p, struct tn_node *in, const char *name, enum tn_node_kind kind)
{
	struct tn_node *node = TN_NEW(&p->arena, struct tn_node);
	const char *copy = tn_arena_string(&p->arena, name);

	in = in ? in : &p->root;
	if (!node || !copy || !tn_array_reserve((void **)&in->child, &in->room, in->n + 1, sizeof *in->child))
		return NULL;
	*node = (struct tn_node) {
		.in = in, .name = copy, .kind = kind, .definition = (uint16_t)(in->definition + 1 + (in->kind == TN_NODE_LIST)),
		.repetition = (uint16_t)(in->repetition + (in->kind == TN_NODE_LIST)),
	};
	in->child[in->n++] = node;
	return node;
}

struct tn_node *
tn_parquet_inner(struct tn_parquet *p, struct tn_node *in, const char *name, enum tn_node_kind kind)
{
	return add_node(p, in, name, kind);
}

struct tn_node *
tn_parquet_leaf(struct tn_parquet *p, struct tn_node *in, const char *name, const struct tn_leaf_type *type)
{
	struct tn_node *node = add_node(p, in, name, TN_NODE_LEAF);

	if (node)
		node->column = (struct tn_column) {
			.type = *type, .definition = node->definition, .repetition = node->repetition, .held = &p->held,
			.is_flat = node->definition == 1 && !node->repetition,
		};
	return node;
}

void
tn_parquet_note(struct tn_parquet *p, const char *key, const char *value, size_t n)
{
	struct tn_thrift t = { .out = &p->notes };

	tn_thrift_put_bytes(&t, 1, key, strlen(key));
	tn_thrift_put_bytes(&t, 2, value, n);
	tn_thrift_end(&t);
	p->n_notes++;
}

static bool
gather(struct tn_parquet *p, struct tn_node *node)
{
	struct tn_node **at;

	if (node->kind == TN_NODE_LEAF) {
		node->number = p->leaf.n;
		at = TN_ARRAY_ADD(&p->leaf);
		if (at)
			*at = node;
		return at != NULL;
	}
	for (size_t i = 0; i < node->n; i++)
		if (!gather(p, node->child[i]))
			return false;
	return true;
}

static enum tn_code
put(struct tn_parquet *p, const void *bytes, size_t n, struct tn_error *err)
{
	p->at += n;
	return n && p->sink.write(p->sink.user, bytes, n) ? tn_fail(err, TN_ERR_CANCELLED, "stopped") : TN_OK;
}

enum tn_code
tn_parquet_begin(struct tn_parquet *p, struct tn_error *err)
{
	if (!gather(p, &p->root))
		return tn_fail_memory(err);
	if (!p->leaf.n || p->leaf.n > TN_MOST_LEAVES)
		return tn_fail(err, TN_ERR_ARGUMENT, "%zu columns: a file can have 1 to %d: choose fewer event classes with a "
						     "filter",
			       p->leaf.n, TN_MOST_LEAVES);
	p->pages = calloc(p->leaf.n, sizeof *p->pages);
	if (!p->pages)
		return tn_fail_memory(err);
	return put(p, magic, sizeof magic, err);
}

void
tn_node_none(struct tn_node *node, uint64_t row, unsigned definition, unsigned repetition)
{
	if (node->kind == TN_NODE_LEAF)
		tn_column_entry(&node->column, row, definition, repetition);
	for (size_t i = 0; i < node->n; i++)
		tn_node_none(node->child[i], row, definition, repetition);
}

/* ---- row groups ---- */

struct encoding {
	struct tn_parquet *p;
	struct tn_group_rows rows;
	atomic_size_t next;
	atomic_bool failed;
};

static void
encode_some(void *user, unsigned number)
{
	struct encoding *e = user;
	struct tn_parquet *p = e->p;
	size_t i;

	while ((i = atomic_fetch_add(&e->next, 1)) < p->leaf.n) {
		struct tn_node *leaf = p->leaf.item[i];

		if (!leaf->same && !tn_encode(&p->encoders->encoder[number], &p->pages[i], &leaf->column, &e->rows))
			atomic_store(&e->failed, true);
	}
}

static void
put_bounds(struct tn_thrift *t, const struct tn_pages *pages)
{
	struct tn_thrift s = tn_thrift_begin(t, 12);
	/* No bounds are written if they are incomplete, or if there are NaNs, which some readers sort above all numbers. */
	bool has = pages->least.is_there && pages->has_bounds && !pages->nans;

	tn_thrift_put_i64(&s, 3, (int64_t)pages->nulls);
	if (has) {
		tn_thrift_put_bytes(&s, 5, pages->greatest.bytes, pages->greatest.n);
		tn_thrift_put_bytes(&s, 6, pages->least.bytes, pages->least.n);
		tn_thrift_put_bool(&s, 7, pages->greatest.is_exact);
		tn_thrift_put_bool(&s, 8, pages->least.is_exact);
	}
	if (pages->nans)
		tn_thrift_put_i64(&s, 9, (int64_t)pages->nans);
	tn_thrift_end(&s);
}

/* Write the names on the way from the root to the leaf. A list has a group for its elements. */
static void
put_path(struct tn_thrift *t, const struct tn_node *leaf)
{
	const struct tn_node *way[256];
	size_t n = 0, parts = 0;

	for (const struct tn_node *at = leaf; at->in && n < sizeof way / sizeof *way; at = at->in) {
		way[n++] = at;
		parts += at->kind == TN_NODE_LIST ? 2 : 1;
	}
	tn_thrift_put_list(t, 3, TN_THRIFT_BYTES, parts);
	while (n--) {
		tn_thrift_bytes(t->out, way[n]->name, strlen(way[n]->name));
		if (way[n]->kind == TN_NODE_LIST)
			tn_thrift_bytes(t->out, "list", 4);
	}
}

static void
put_meta(struct tn_parquet *p, const struct tn_node *leaf, const struct tn_pages *pages, uint64_t at)
{
	struct tn_thrift t = { .out = &p->meta };

	tn_thrift_put_i32(&t, 1, (int32_t)leaf->column.type.physical);
	tn_thrift_put_list(&t, 2, TN_THRIFT_I32, (size_t)__builtin_popcount(pages->encodings));
	for (int i = 0; i <= TN_ENCODE_DICTIONARY; i++)
		if (pages->encodings >> i & 1)
			tn_put_zigzag(t.out, i);
	put_path(&t, leaf);
	tn_thrift_put_i32(&t, 4, pages->is_packed ? 6 : 0);
	tn_thrift_put_i64(&t, 5, (int64_t)pages->entries);
	tn_thrift_put_i64(&t, 6, (int64_t)pages->unpacked);
	tn_thrift_put_i64(&t, 7, (int64_t)pages->bytes.n);
	tn_thrift_put_i64(&t, 9, (int64_t)(at + pages->first));
	if (pages->has_dictionary)
		tn_thrift_put_i64(&t, 11, (int64_t)at);
	put_bounds(&t, pages);
	tn_thrift_end(&t);
}

static void
put_column_index(struct tn_parquet *p, const struct tn_column *c, const struct tn_pages *pages)
{
	struct tn_thrift t = { .out = &p->column_index };

	if (!pages->has_bounds || pages->nans)
		return;
	tn_thrift_put_list(&t, 1, TN_THRIFT_FALSE, pages->page.n);
	for (size_t i = 0; i < pages->page.n; i++)
		tn_str_put(t.out, pages->page.item[i].all_null ? "\1" : "\2", 1);
	tn_thrift_put_list(&t, 2, TN_THRIFT_BYTES, pages->page.n);
	for (size_t i = 0; i < pages->page.n; i++)
		tn_thrift_bytes(t.out, pages->page.item[i].least.bytes, pages->page.item[i].least.n);
	tn_thrift_put_list(&t, 3, TN_THRIFT_BYTES, pages->page.n);
	for (size_t i = 0; i < pages->page.n; i++)
		tn_thrift_bytes(t.out, pages->page.item[i].greatest.bytes, pages->page.item[i].greatest.n);
	tn_thrift_put_i32(&t, 4, tn_bounds_order(c, pages));
	tn_thrift_put_list(&t, 5, TN_THRIFT_I64, pages->page.n);
	for (size_t i = 0; i < pages->page.n; i++)
		tn_put_zigzag(t.out, (int64_t)pages->page.item[i].nulls);
	tn_thrift_end(&t);
}

static void
put_offset_index(struct tn_parquet *p, const struct tn_pages *pages, uint64_t at)
{
	struct tn_thrift t = { .out = &p->offset_index };

	tn_thrift_put_list(&t, 1, TN_THRIFT_STRUCT, pages->page.n);
	for (size_t i = 0; i < pages->page.n; i++) {
		const struct tn_page *page = &pages->page.item[i];
		struct tn_thrift place = { .out = t.out };

		tn_thrift_put_i64(&place, 1, (int64_t)(at + page->at));
		tn_thrift_put_i32(&place, 2, (int32_t)page->size);
		tn_thrift_put_i64(&place, 3, (int64_t)page->row);
		tn_thrift_end(&place);
	}
	tn_thrift_end(&t);
}

static enum tn_code
put_chunk(struct tn_parquet *p, size_t i, struct tn_error *err)
{
	const struct tn_node *leaf = p->leaf.item[i], *source = leaf->same ? leaf->same : leaf;
	struct tn_parquet_chunk *chunk = TN_ARRAY_ADD(&p->chunk);
	size_t meta = p->meta.n, column_index = p->column_index.n, offset_index = p->offset_index.n;
	const struct tn_pages *pages = &p->pages[source->number];

	if (!chunk)
		return tn_fail_memory(err);
	put_meta(p, leaf, pages, p->at);
	put_column_index(p, &source->column, pages);
	put_offset_index(p, pages, p->at);
	*chunk = (struct tn_parquet_chunk) {
		p->meta.n - meta, p->column_index.n - column_index, p->offset_index.n - offset_index, pages->unpacked,
		pages->bytes.n,
	};
	return put(p, pages->bytes.text, pages->bytes.n, err);
}

enum tn_code
tn_parquet_end_group(struct tn_parquet *p, struct tn_error *err)
{
	struct encoding encoding = { .p = p, .rows = { .n = p->row, .packet = p->packet.item, .n_packets = p->n_packets } };
	struct tn_threads workers;
	uint64_t *rows = TN_ARRAY_ADD(&p->group_row);
	size_t helpers = p->row < FEW_ROWS ? 0 : p->encoders->threads - 1;
	enum tn_code rc = TN_OK;

	if (!rows || p->failed)
		return tn_fail_memory(err);
	*rows = p->row;
	if (tn_find_packets(&encoding.rows)) {
		tn_threads_start(&workers, (unsigned)(helpers < p->leaf.n ? helpers : p->leaf.n - 1), encode_some, &encoding);
		encode_some(&encoding, 0);
		tn_threads_join(&workers);
	} else {
		atomic_store(&encoding.failed, true);
	}
	tn_found_packets_release(&encoding.rows);
	if (atomic_load(&encoding.failed))
		return tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < p->leaf.n; i++)
		rc = put_chunk(p, i, err);
	for (size_t i = 0; i < p->leaf.n; i++)
		tn_column_clear(&p->leaf.item[i]->column);
	p->rows += p->row;
	p->row = p->held = p->packet.n = p->n_packets = 0;
	return rc;
}

/* ---- the footer ---- */

static void
put_logical(struct tn_thrift *t, const struct tn_node *node)
{
	const struct tn_leaf_type *type = &node->column.type;
	struct tn_thrift logical, inside, unit;

	if (node->kind == TN_NODE_GROUP || (node->kind == TN_NODE_LEAF && type->logical == TN_LOGICAL_NONE))
		return;
	logical = tn_thrift_begin(t, 10);
	if (node->kind == TN_NODE_LIST) {
		tn_thrift_put_empty(&logical, 3);
	} else if (type->logical == TN_LOGICAL_TEXT) {
		tn_thrift_put_empty(&logical, 1);
	} else if (type->logical == TN_LOGICAL_TIMESTAMP) {
		inside = tn_thrift_begin(&logical, 8);
		tn_thrift_put_bool(&inside, 1, true);
		unit = tn_thrift_begin(&inside, 2);
		tn_thrift_put_empty(&unit, 3);	/* unit: nanoseconds */
		tn_thrift_end(&unit);
		tn_thrift_end(&inside);
	} else {
		inside = tn_thrift_begin(&logical, 10);
		tn_thrift_field(&inside, 1, TN_THRIFT_I8);
		tn_str_put(t->out, (char [1]) { (char)type->bits }, 1);
		tn_thrift_put_bool(&inside, 2, type->is_signed);
		tn_thrift_end(&inside);
	}
	tn_thrift_end(&logical);
}

/* The annotation for old readers; -1: none. */
static int
old_annotation(const struct tn_node *node)
{
	const struct tn_leaf_type *type = &node->column.type;

	if (node->kind != TN_NODE_LEAF)
		return node->kind == TN_NODE_LIST ? 3 : -1;
	if (type->logical == TN_LOGICAL_INTEGER)
		return (type->is_signed ? 15 : 11) + __builtin_ctz(type->bits) - 3;
	return type->logical == TN_LOGICAL_TEXT ? 0 : -1;
}

enum { REQUIRED, OPTIONAL, REPEATED };

/* Append the schema of a node. Returns the number of its elements. */
static size_t
put_schema(struct tn_str *out, const struct tn_node *node)
{
	struct tn_thrift t = { .out = out };
	int old = old_annotation(node);
	size_t n = 1;

	if (node->kind == TN_NODE_LEAF)
		tn_thrift_put_i32(&t, 1, (int32_t)node->column.type.physical);
	if (node->kind == TN_NODE_LEAF && node->column.type.physical == TN_PHYSICAL_FIXED)
		tn_thrift_put_i32(&t, 2, (int32_t)node->column.type.size);
	if (node->in)
		tn_thrift_put_i32(&t, 3, OPTIONAL);
	tn_thrift_put_bytes(&t, 4, node->name, strlen(node->name));
	if (node->kind != TN_NODE_LEAF)
		tn_thrift_put_i32(&t, 5, (int32_t)node->n);
	if (old >= 0)
		tn_thrift_put_i32(&t, 6, old);
	if (node->in)
		put_logical(&t, node);
	tn_thrift_end(&t);
	if (node->kind == TN_NODE_LIST) {
		t = (struct tn_thrift) { .out = out };
		tn_thrift_put_i32(&t, 3, REPEATED);
		tn_thrift_put_bytes(&t, 4, "list", 4);
		tn_thrift_put_i32(&t, 5, 1);
		tn_thrift_end(&t);
		n++;
	}
	for (size_t i = 0; i < node->n; i++)
		n += put_schema(out, node->child[i]);
	return n;
}

/* Positions of the next chunk and its parts. */
struct places {
	size_t chunk, meta;
	uint64_t column_index, offset_index;
};

static void
put_group(struct tn_parquet *p, struct tn_str *out, size_t group, struct places *at)
{
	struct tn_thrift t = { .out = out };
	uint64_t unpacked = 0;

	tn_thrift_put_list(&t, 1, TN_THRIFT_STRUCT, p->leaf.n);
	for (size_t i = 0; i < p->leaf.n; i++) {
		const struct tn_parquet_chunk *c = &p->chunk.item[at->chunk++];
		struct tn_thrift chunk = { .out = out };

		tn_thrift_put_i64(&chunk, 2, 0);
		tn_thrift_field(&chunk, 3, TN_THRIFT_STRUCT);
		tn_str_put(out, p->meta.text + at->meta, c->meta);
		tn_thrift_put_i64(&chunk, 4, (int64_t)at->offset_index);
		tn_thrift_put_i32(&chunk, 5, (int32_t)c->offset_index);
		if (c->column_index) {
			tn_thrift_put_i64(&chunk, 6, (int64_t)at->column_index);
			tn_thrift_put_i32(&chunk, 7, (int32_t)c->column_index);
		}
		tn_thrift_end(&chunk);
		at->meta += c->meta;
		at->column_index += c->column_index;
		at->offset_index += c->offset_index;
		unpacked += c->unpacked;
	}
	tn_thrift_put_i64(&t, 2, (int64_t)unpacked);
	tn_thrift_put_i64(&t, 3, (int64_t)p->group_row.item[group]);
	tn_thrift_end(&t);
}

static void
put_footer(struct tn_parquet *p, struct tn_str *out, struct places *at)
{
	static const char creator[] = "tnav version " PACKAGE_VERSION;
	struct tn_str schema = { 0 };
	struct tn_thrift t = { .out = out };
	size_t n = put_schema(&schema, &p->root);

	tn_thrift_put_i32(&t, 1, 1);
	tn_thrift_put_list(&t, 2, TN_THRIFT_STRUCT, n);
	tn_str_put(out, schema.text, schema.n);
	tn_thrift_put_i64(&t, 3, (int64_t)p->rows);
	tn_thrift_put_list(&t, 4, TN_THRIFT_STRUCT, p->group_row.n);
	for (size_t i = 0; i < p->group_row.n; i++)
		put_group(p, out, i, at);
	if (p->n_notes) {
		tn_thrift_put_list(&t, 5, TN_THRIFT_STRUCT, p->n_notes);
		tn_str_put(out, p->notes.text, p->notes.n);
	}
	tn_thrift_put_bytes(&t, 6, creator, sizeof creator - 1);
	tn_thrift_put_list(&t, 7, TN_THRIFT_STRUCT, p->leaf.n);
	for (size_t i = 0; i < p->leaf.n; i++) {
		struct tn_thrift order = { .out = out };

		tn_thrift_put_empty(&order, 1);
		tn_thrift_end(&order);
	}
	tn_thrift_end(&t);
	out->failed |= schema.failed;
	tn_str_release(&schema);
}

enum tn_code
tn_parquet_finish(struct tn_parquet *p, struct tn_error *err)
{
	struct places at = { 0 };
	struct tn_str footer = { 0 };
	enum tn_code rc = p->row ? tn_parquet_end_group(p, err) : TN_OK;
	uint8_t size[4];
	char number[32];

	for (size_t i = 0; i < p->leaf.n; i++)
		p->mended += p->leaf.item[i]->column.mended;
	snprintf(number, sizeof number, "%ju", (uintmax_t)p->mended);
	tn_parquet_note(p, "tnav.invalid_utf8", number, strlen(number));
	at.column_index = p->at;
	at.offset_index = p->at + p->column_index.n;
	if (rc == TN_OK)
		rc = put(p, p->column_index.text, p->column_index.n, err);
	if (rc == TN_OK)
		rc = put(p, p->offset_index.text, p->offset_index.n, err);
	if (rc == TN_OK) {
		put_footer(p, &footer, &at);
		for (unsigned i = 0; i < 4; i++)
			size[i] = (uint8_t)(footer.n >> 8 * i);
		if (footer.failed || p->meta.failed || p->column_index.failed || p->offset_index.failed || p->notes.failed)
			rc = tn_fail_memory(err);
		else if (footer.n > INT32_MAX)
			rc = tn_fail(err, TN_ERR_RANGE, "the footer would have %zu bytes: write fewer events", footer.n);
	}
	if (rc == TN_OK)
		rc = put(p, footer.text, footer.n, err);
	if (rc == TN_OK)
		rc = put(p, size, sizeof size, err);
	if (rc == TN_OK)
		rc = put(p, magic, sizeof magic, err);
	tn_str_release(&footer);
	return rc;
}

static void
release_node(struct tn_node *node)
{
	for (size_t i = 0; i < node->n; i++)
		release_node(node->child[i]);
	free(node->child);
	tn_column_release(&node->column);
}

void
tn_parquet_release(struct tn_parquet *p)
{
	release_node(&p->root);
	for (size_t i = 0; p->pages && i < p->leaf.n; i++)
		tn_pages_release(&p->pages[i]);
	free(p->pages);
	TN_ARRAY_RELEASE(&p->packet);
	TN_ARRAY_RELEASE(&p->leaf);
	TN_ARRAY_RELEASE(&p->chunk);
	TN_ARRAY_RELEASE(&p->group_row);
	tn_str_release(&p->meta);
	tn_str_release(&p->column_index);
	tn_str_release(&p->offset_index);
	tn_str_release(&p->notes);
	tn_arena_release(&p->arena);
	*p = (struct tn_parquet) { 0 };
}
