/*
 * answers.c - the rows of an answer's table as a Parquet file
 *
 * The type of a column depends on all its values. So rows are kept, the first ones in memory and the others in a nameless
 * file, and are written at the end.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include <tnav/table.h>

#include "base/error.h"
#include "base/options.h"
#include "columns/parquet.h"

#define KEPT ((size_t)4 << 20)	/* limit of rows in memory, in bytes */
#define MOST_TEXT ((size_t)1 << 30)

struct column {
	struct tn_table_column as;	/* borrowed from the table */
	struct tn_str name;
	/* The kinds of values that occurred. */
	bool has_text, has_label, has_float, has_negative, has_large;
	struct tn_node *node, *ns, *number;	/* columns; a time or a label also has a column with its number */
};

struct tn_columns_table {
	bool is_wall;
	struct column *column;
	size_t n;
	struct tn_str rows;	/* rows that are not in `spool` yet */
	FILE *spool;		/* NULL: all rows are in memory */
	uint64_t n_rows;
	struct tn_encoders encoders;
	struct tn_parquet file;
	struct tn_str text;
};

void
tn_columns_table_free(struct tn_columns_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->column && i < t->n; i++)
		tn_str_release(&t->column[i].name);
	free(t->column);
	tn_str_release(&t->rows);
	tn_str_release(&t->text);
	if (t->spool)
		fclose(t->spool);
	tn_parquet_release(&t->file);
	tn_encoders_release(&t->encoders);
	free(t);
}

enum tn_code
tn_columns_table_new(struct tn_columns_table **out, const struct tn_table *table, const struct tn_columns_sink *sink,
		     const struct tn_set *set, const struct tn_columns_options *options, struct tn_error *err)
{
	struct tn_columns_options o = { TN_COLUMNS_OPTIONS };
	size_t n = tn_table_column_count(table);
	struct tn_columns_table *t;
	enum tn_code rc;

	if (!out || !table || !sink || !set)
		return tn_fail_null(err);
	if ((rc = tn_options_take(&o, sizeof o, options, "tn_columns_options", err)) < 0)
		return rc;
	t = calloc(1, sizeof *t);
	if (!t || !(t->column = calloc(n + 1, sizeof *t->column))) {
		free(t);
		return tn_fail_memory(err);
	}
	if ((rc = tn_encoders_init(&t->encoders, o.threads, err)) < 0) {
		tn_columns_table_free(t);
		return rc;
	}
	t->is_wall = tn_set_is_wall_time(set);
	t->n = n;
	tn_parquet_init(&t->file, sink, &t->encoders);
	for (const char *const *note = o.note; note && note[0] && note[1]; note += 2)
		tn_parquet_note(&t->file, note[0], note[1], strlen(note[1]));
	for (size_t i = 0; i < n; i++) {
		struct column *c = &t->column[i];

		c->as = *tn_table_column(table, i);
		tn_str_printf(&c->name, c->as.object ? "%s.%s" : "%s%s", c->as.object ? c->as.object : "", c->as.name);
		t->rows.failed |= c->name.failed;
	}
	*out = t;
	return TN_OK;
}

static void
look_at(struct column *c, const struct tn_answer_value *v)
{
	c->has_text |= v->kind == TN_ANSWER_TEXT;
	c->has_float |= v->kind == TN_ANSWER_FLOAT;
	c->has_negative |= v->kind == TN_ANSWER_SINT && v->is.i < 0;
	c->has_large |= v->kind == TN_ANSWER_UINT && v->is.u > INT64_MAX;
	c->has_label |= (v->kind == TN_ANSWER_UINT || v->kind == TN_ANSWER_SINT) && v->type && tn_type_label_count(v->type);
}

/* Store a value: its kind, number and type; for a text, its size and bytes. */
static void
keep(struct tn_str *out, const struct tn_answer_value *v)
{
	uint8_t kind = (uint8_t)v->kind;
	uint64_t n = v->n < MOST_TEXT ? v->n : MOST_TEXT;

	tn_str_put(out, &kind, 1);
	if (v->kind == TN_ANSWER_TEXT) {
		tn_str_put(out, &n, sizeof n);
		tn_str_put(out, v->text, n);
	} else if (v->kind != TN_ANSWER_NONE) {
		tn_str_put(out, &v->is.u, sizeof v->is.u);
		tn_str_put(out, &v->type, sizeof v->type);
	}
}

enum tn_code
tn_columns_table_row(struct tn_columns_table *t, const struct tn_answer_value *values, struct tn_error *err)
{
	if (!t || !values)
		return tn_fail_null(err);
	for (size_t i = 0; i < t->n; i++) {
		if (t->column[i].as.flags & TN_COLUMN_NO_CSV)
			continue;
		look_at(&t->column[i], &values[i]);
		keep(&t->rows, &values[i]);
	}
	t->n_rows++;
	if (t->rows.failed)
		return tn_fail_memory(err);
	if (t->rows.n < KEPT)
		return TN_OK;
	if (!t->spool && !(t->spool = tmpfile()))
		return tn_fail_errno(err, "a temporary file");
	if (fwrite(t->rows.text, 1, t->rows.n, t->spool) != t->rows.n)
		return tn_fail_errno(err, "a temporary file");
	t->rows.n = 0;
	return TN_OK;
}

/* ---- at the end ---- */

static bool
add_leaf(struct tn_columns_table *t, struct tn_node **out, const struct column *c, const char *end, struct tn_leaf_type type)
{
	t->text.n = 0;
	tn_str_printf(&t->text, "%s%s", tn_str_text(&c->name), end);
	for (size_t i = 0; i < t->file.root.n; i++)	/* readers refuse a file with a name that occurs twice */
		if (strcmp(t->file.root.child[i]->name, tn_str_text(&t->text)) == 0) {
			tn_str_puts(&t->text, ":2");
			i = SIZE_MAX;
		}
	*out = t->text.failed ? NULL : tn_parquet_leaf(&t->file, NULL, tn_str_text(&t->text), &type);
	return *out != NULL;
}

static bool
add_column(struct tn_columns_table *t, struct column *c)
{
	const struct tn_leaf_type text = { .physical = TN_PHYSICAL_BYTES, .logical = TN_LOGICAL_TEXT };
	const struct tn_leaf_type real = { .physical = TN_PHYSICAL_DOUBLE }, truth = { .physical = TN_PHYSICAL_BOOL };
	const struct tn_leaf_type time = { TN_PHYSICAL_INT64, TN_LOGICAL_TIMESTAMP, .is_signed = true };
	struct tn_leaf_type number = { TN_PHYSICAL_INT64, TN_LOGICAL_INTEGER, .bits = 64, .is_signed = !c->has_large };
	bool is_time = c->as.unit == TN_GROUP_TIME && !c->has_text && !c->has_float && !c->has_large;

	if (is_time) {
		bool ok = !t->is_wall || add_leaf(t, &c->ns, c, "", time);

		ok = ok && add_leaf(t, &c->node, c, "_ns", number);
		if (c->ns)
			c->ns->same = c->node;
		return ok;
	}
	if (c->as.flags & TN_COLUMN_BOOL && !c->has_text)
		return add_leaf(t, &c->node, c, "", truth);
	if (c->has_float && !c->has_text && !c->has_label)
		return add_leaf(t, &c->node, c, "", real);
	if (c->has_text || c->has_label || (c->has_negative && c->has_large) || (c->as.unit == TN_GROUP_NUMBER && !t->n_rows))
		return add_leaf(t, &c->node, c, "", text) &&
		       (!c->has_label || c->has_text || c->has_float || add_leaf(t, &c->number, c, ".value", number));
	return add_leaf(t, &c->node, c, "", number);
}

static void
put_value(struct tn_columns_table *t, struct column *c, const struct tn_answer_value *v)
{
	const struct tn_leaf_type *type = &c->node->column.type;
	uint64_t row = t->file.row, bits = v->is.u;
	double d;

	if (v->kind == TN_ANSWER_NONE)
		return;
	if (type->physical == TN_PHYSICAL_BYTES) {
		t->text.n = 0;
		tn_answer_value_text(v, &t->text);
		if (v->kind == TN_ANSWER_TEXT)
			tn_node_put_text(c->node, row, 0, v->text, v->n);
		else
			tn_node_put_text(c->node, row, 0, t->text.text, t->text.n);
		if (c->number)
			tn_node_put(c->number, row, 0, bits);
		return;
	}
	if (type->physical == TN_PHYSICAL_DOUBLE && v->kind != TN_ANSWER_FLOAT) {
		d = v->kind == TN_ANSWER_SINT ? (double)v->is.i : (double)v->is.u;
		memcpy(&bits, &d, sizeof bits);
	}
	tn_node_put(c->node, row, 0, type->physical == TN_PHYSICAL_BOOL ? bits != 0 : bits);
}

/* Get the next @n stored bytes. */
static bool
take(struct tn_columns_table *t, size_t *at, void *out, size_t n)
{
	if (t->spool) {
		if (fread(out, 1, n, t->spool) == n)
			return true;
		if (ferror(t->spool))
			return false;
		fclose(t->spool);	/* a value is never divided between file and memory */
		t->spool = NULL;
	}
	if (n > t->rows.n - *at)
		return false;
	if (n)
		memcpy(out, t->rows.text + *at, n);
	*at += n;
	return true;
}

static bool
take_value(struct tn_columns_table *t, size_t *at, struct tn_str *room, struct tn_answer_value *v)
{
	uint8_t kind;
	uint64_t n;

	*v = (struct tn_answer_value) { .kind = TN_ANSWER_NONE };
	if (!take(t, at, &kind, 1))
		return false;
	v->kind = (enum tn_answer_kind)kind;
	if (kind == TN_ANSWER_NONE)
		return true;
	if (kind != TN_ANSWER_TEXT)
		return take(t, at, &v->is.u, sizeof v->is.u) && take(t, at, &v->type, sizeof v->type);
	room->n = 0;
	if (!take(t, at, &n, sizeof n) || !tn_str_reserve(room, n) || !take(t, at, room->text, n))
		return false;
	v->text = room->text;
	v->n = n;
	return true;
}

enum tn_code
tn_columns_table_end(struct tn_columns_table *t, struct tn_error *err)
{
	struct tn_str room = { 0 };
	struct tn_answer_value v;
	enum tn_code rc = TN_OK;
	size_t at = 0;

	if (!t)
		return tn_fail_null(err);
	for (size_t i = 0; i < t->n; i++)
		if (!(t->column[i].as.flags & TN_COLUMN_NO_CSV) && !add_column(t, &t->column[i]))
			return tn_fail_memory(err);
	if (t->spool && (fflush(t->spool) != 0 || fseek(t->spool, 0, SEEK_SET) != 0))
		return tn_fail_errno(err, "a temporary file");
	rc = tn_parquet_begin(&t->file, err);
	for (uint64_t row = 0; rc == TN_OK && row < t->n_rows; row++) {
		for (size_t i = 0; rc == TN_OK && i < t->n; i++) {
			if (t->column[i].as.flags & TN_COLUMN_NO_CSV)
				continue;
			if (!take_value(t, &at, &room, &v))
				rc = tn_fail(err, TN_ERR_SYSTEM, "stored rows cannot be read back");
			else
				put_value(t, &t->column[i], &v);
		}
		if (rc == TN_OK)
			rc = tn_parquet_end_row(&t->file, err);
	}
	if (rc == TN_OK)
		rc = tn_parquet_finish(&t->file, err);
	tn_str_release(&room);
	return rc;
}
