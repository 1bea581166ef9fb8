#include "text/columns.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/path.h"
#include "text/json_value.h"

static const char *const first_columns[TN_FIRST_COLUMNS] = {
	"time", "time_ns", "cycles", "trace", "stream.name", "packet.number", "event.name",
};

const enum tn_scope tn_column_scopes[TN_COLUMN_SCOPES] = {
	TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
};

struct maker {
	struct tn_text *text;
	struct tn_hash by_name;
	TN_ARRAY(const char *) name;
	TN_ARRAY(size_t) column;	/* columns of the current class */
	struct tn_str path;
	size_t n_bytes;		/* total length of all names, in bytes */
};

static bool
add_column(struct maker *m, const char *name)
{
	struct tn_hash_item *item = tn_hash_find(&m->by_name, name, strlen(name));
	size_t *column;

	if (!item) {
		const char **at;
		char *copy;

		m->n_bytes += strlen(name) + 1;
		m->text->too_wide = m->n_bytes > TN_COLUMN_BYTES;
		copy = m->text->too_wide ? NULL : tn_arena_string(&m->text->arena, name);
		at = copy ? TN_ARRAY_ADD(&m->name) : NULL;
		item = at ? tn_hash_add(&m->by_name, copy, strlen(copy), NULL) : NULL;
		if (!item)
			return false;
		*at = copy;
		item->value = m->name.n - 1;
	}
	column = TN_ARRAY_ADD(&m->column);
	if (column)
		*column = (size_t)item->value;
	return column != NULL;
}

static bool
add_named(struct maker *m, const char *name)
{
	size_t n = m->path.n;
	bool added;

	tn_str_puts(&m->path, name);
	added = !m->path.failed && add_column(m, tn_str_text(&m->path));
	m->path.n = n;
	return added;
}

static bool
add_field(struct maker *m, const struct tn_field *field)
{
	const struct tn_type *t = field->type;

	if (tn_json_has_labels(t))
		return add_named(m, ".value") && add_named(m, ".labels");
	if (t->kind != TN_KIND_STRUCT)
		return add_named(m, "");
	for (size_t i = 0; i < t->n_fields; i++) {
		size_t n = m->path.n;

		if (t->field[i].hidden)
			continue;
		tn_path_put_step(&m->path, &t->field[i], TN_PATH_EACH);
		if (!add_field(m, &t->field[i]))
			return false;
		m->path.n = n;
	}
	return true;
}

static int
compare_pairs(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Add the names and the labels of @t, because a path may use either. */
static bool
add_names(struct tn_hash *names, const struct tn_type *t)
{
	for (size_t i = 0; i < t->n_fields; i++) {
		const char *name = t->field[i].name, *label = t->field[i].label;

		if (!tn_hash_add(names, name, strlen(name), NULL) || !tn_hash_add(names, label, strlen(label), NULL))
			return false;
	}
	return true;
}

static bool
shadow_class(struct tn_text *text, const struct tn_type *a, const struct tn_type *b, struct tn_class_words *words)
{
	bool both = a->kind == TN_KIND_STRUCT, *shadowed = NULL, ok = true;
	struct tn_hash names = { 0 };

	if (both != (b->kind == TN_KIND_STRUCT))
		return true;
	if (both)
		ok = add_names(&names, b);
	for (size_t i = 0; ok && i < (both ? a->n_fields : 1); i++) {
		if (both && !tn_hash_find(&names, a->field[i].label, strlen(a->field[i].label)))
			continue;
		if (!shadowed)
			shadowed = TN_NEW_ARRAY(&text->arena, a->n_fields + 1, bool);
		ok = shadowed != NULL;
		if (ok)
			shadowed[i] = true;
	}
	words->shadowed = shadowed;
	tn_hash_release(&names);
	return ok;
}

bool
tn_columns_shadow(struct tn_text *text, const struct tn_trace *trace, struct tn_trace_words *words)
{
	for (size_t i = 0; i < trace->n_event_classes; i++) {
		const struct tn_event_class *ec = trace->event_class[i];
		const struct tn_field *a = tn_event_class_scope(ec, TN_SCOPE_COMMON_CONTEXT), *b = ec->specific_context;

		if (tn_field_shown(a) && tn_field_shown(b) &&
		    !shadow_class(text, a->type, b->type, &words->of_class[i]))
			return false;
	}
	return true;
}

/* Set c->order to the indices of `column` in the order of the columns, or to NULL if two fields share a column. */
static bool
sort_columns(struct maker *m, struct tn_class_columns *c)
{
	size_t n = m->column.n, (*pair)[2] = calloc(n + 1, sizeof *pair), *order;
	bool apart = true;

	order = TN_NEW_ARRAY(&m->text->arena, n + 1, size_t);
	for (size_t i = 0; pair && i < n; i++) {
		pair[i][0] = m->column.item[i];
		pair[i][1] = i;
	}
	if (pair)
		qsort(pair, n, sizeof *pair, compare_pairs);
	for (size_t i = 0; pair && order && i < n; i++) {
		apart = apart && (!i || pair[i][0] != pair[i - 1][0]);
		order[i] = pair[i][1];
	}
	c->order = apart ? order : NULL;
	free(pair);
	return pair && order;
}

/* Add the columns of the common context. Other fields shadow some of its members. */
static bool
add_common(struct maker *m, const struct tn_field *root, const bool *shadowed)
{
	const struct tn_type *t = root->type;
	bool is_struct = t->kind == TN_KIND_STRUCT;

	for (size_t i = 0; i < (is_struct ? t->n_fields : 1); i++) {
		const struct tn_field *field = is_struct ? &t->field[i] : root;

		if (field->hidden)
			continue;
		tn_str_clear(&m->path);
		tn_str_puts(&m->path, shadowed[i] ? tn_scope_name(TN_SCOPE_COMMON_CONTEXT)
						  : tn_scope_path(TN_SCOPE_COMMON_CONTEXT));
		tn_path_put_step(&m->path, field, TN_PATH_EACH);
		if (!add_field(m, field))
			return false;
	}
	return true;
}

static bool
add_class(struct maker *m, const struct tn_event_class *ec, const bool *shadowed, struct tn_class_columns *c)
{
	size_t *column;

	m->column.n = 0;
	for (size_t i = 0; i < TN_COLUMN_SCOPES; i++) {
		const struct tn_field *root = tn_event_class_scope(ec, tn_column_scopes[i]);

		tn_str_clear(&m->path);
		tn_str_puts(&m->path, tn_scope_path(tn_column_scopes[i]));
		if (root && !root->hidden &&
		    !(shadowed && tn_column_scopes[i] == TN_SCOPE_COMMON_CONTEXT ? add_common(m, root, shadowed)
										 : add_field(m, root)))
			return false;
		c->begin[i + 1] = m->column.n;
	}
	c->rising = true;
	for (size_t i = 1; i < m->column.n; i++)
		c->rising = c->rising && m->column.item[i] > m->column.item[i - 1];
	column = TN_NEW_ARRAY(&m->text->arena, m->column.n + 1, size_t);
	c->column = column;
	if (column && m->column.n)
		memcpy(column, m->column.item, m->column.n * sizeof *column);
	return column && (c->rising || sort_columns(m, c));
}

static bool
add_words(struct maker *m, const struct tn_event_class *ec, struct tn_class_words *words)
{
	struct tn_class_columns *c = TN_NEW(&m->text->arena, struct tn_class_columns);

	words->columns = c;
	return c && add_class(m, ec, words->shadowed, c);
}

/* The named classes are sorted by trace. */
static bool
add_named_classes(struct maker *m)
{
	const struct tn_text_options *o = &m->text->options;
	size_t k = 0;

	for (size_t i = 0; i < o->n_column_classes; i++) {
		const struct tn_event_class *ec = o->column_class[i];
		const struct tn_trace *trace = tn_event_class_trace(ec);
		size_t looked = 0;

		while (looked++ < m->text->n_traces && m->text->trace[k].trace != trace)
			k = (k + 1) % m->text->n_traces;
		if (m->text->trace[k].trace == trace && !add_words(m, ec, &m->text->trace[k].of_class[ec->index]))
			return false;
	}
	return true;
}

static bool
add_all_classes(struct maker *m, const struct tn_set *set)
{
	for (size_t i = 0; i < set->n_traces; i++)
		for (size_t k = 0; k < set->trace[i]->n_event_classes; k++)
			if (!add_words(m, set->trace[i]->event_class[k], &m->text->trace[i].of_class[k]))
				return false;
	return true;
}

bool
tn_columns_make(struct tn_text *text, const struct tn_set *set)
{
	struct maker m = { .text = text };
	struct tn_columns *columns = TN_NEW(&text->arena, struct tn_columns);
	const char **name = NULL;
	bool made = columns != NULL;

	for (size_t i = 0; i < TN_FIRST_COLUMNS && made; i++)
		made = add_column(&m, first_columns[i]);
	made = made && (text->options.column_class ? add_named_classes(&m) : add_all_classes(&m, set));
	if (made)
		made = (name = TN_NEW_ARRAY(&text->arena, m.name.n, const char *)) != NULL;
	if (made) {
		memcpy(name, m.name.item, m.name.n * sizeof *name);
		*columns = (struct tn_columns) { name, m.name.n };
		text->columns = columns;
	}
	tn_hash_release(&m.by_name);
	TN_ARRAY_RELEASE(&m.name);
	TN_ARRAY_RELEASE(&m.column);
	tn_str_release(&m.path);
	return made;
}
