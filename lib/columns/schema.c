#include "columns/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "language/attribute_field.h"
#include "model/path.h"
#include "plan/plan.h"
#include "text/json_value.h"

/* Columns whose names are the same before the ':'. */
struct tn_same_name {
	struct tn_node *node;
	struct tn_same_name *next;
};

/* ---- types ---- */

static struct tn_leaf_type
integer_type(unsigned bits, bool is_signed)
{
	struct tn_leaf_type t = { .logical = TN_LOGICAL_INTEGER, .is_signed = is_signed };

	t.bits = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
	t.physical = t.bits == 64 ? TN_PHYSICAL_INT64 : TN_PHYSICAL_INT32;
	return t;
}

static const struct tn_leaf_type text_type = { .physical = TN_PHYSICAL_BYTES, .logical = TN_LOGICAL_TEXT };

static struct tn_leaf_type
leaf_type(const struct tn_type *t)
{
	uint64_t bits = t->varint ? 64 : t->length;

	switch (t->kind) {
	case TN_KIND_STRING: return text_type;
	case TN_KIND_BLOB: return (struct tn_leaf_type) { .physical = TN_PHYSICAL_BYTES };
	case TN_KIND_BOOL: return (struct tn_leaf_type) { .physical = TN_PHYSICAL_BOOL };
	case TN_KIND_FLOAT:
		if (bits <= 64)
			return (struct tn_leaf_type) { .physical = bits <= 32 ? TN_PHYSICAL_FLOAT : TN_PHYSICAL_DOUBLE };
		break;
	default: break;
	}
	if (bits > 64)
		return (struct tn_leaf_type) { .physical = TN_PHYSICAL_FIXED, .size = (uint32_t)((bits + 7) / 8) };
	return integer_type((unsigned)bits, t->kind == TN_KIND_SINT);
}

static bool
is_float(const struct tn_leaf_type *t)
{
	return t->physical == TN_PHYSICAL_FLOAT || t->physical == TN_PHYSICAL_DOUBLE;
}

/* Whether one column can have the values of both types; *a becomes its type. */
static bool
unite(struct tn_leaf_type *a, const struct tn_leaf_type *b)
{
	if (a->logical == TN_LOGICAL_INTEGER && b->logical == TN_LOGICAL_INTEGER && a->is_signed == b->is_signed) {
		*a = integer_type(a->bits > b->bits ? a->bits : b->bits, a->is_signed);
		return true;
	}
	if (is_float(a) && is_float(b)) {
		a->physical = a->physical == b->physical ? a->physical : TN_PHYSICAL_DOUBLE;
		return true;
	}
	return a->physical == b->physical && a->logical == b->logical && a->size == b->size && !is_float(a) &&
	       a->logical != TN_LOGICAL_INTEGER;
}

/* The suffix for the name of a column, if a column of another type has the plain name. */
static const char *
type_name(const struct tn_type *t, char *room, size_t size)
{
	struct tn_leaf_type leaf;

	if (t->kind >= TN_KIND_STRUCT)
		return t->kind == TN_KIND_ARRAY ? "list" : t->kind == TN_KIND_STRUCT ? "group" : "choice";
	leaf = leaf_type(t);
	if (leaf.logical != TN_LOGICAL_INTEGER)
		return leaf.logical == TN_LOGICAL_TEXT ? "text" : is_float(&leaf) ? "float" :
		       leaf.physical == TN_PHYSICAL_BOOL ? "bool" : "bytes";
	snprintf(room, size, "%sint%u", leaf.is_signed ? "" : "u", leaf.bits);
	return room;
}

/* ---- nodes ---- */

static bool
has_members(const struct tn_type *t)
{
	for (size_t i = 0; i < t->n_fields; i++)
		if (!t->field[i].hidden)
			return true;
	return false;
}

/* Make a name that no other member of the group has, also for readers that ignore case. */
static const char *
member_name(struct tn_schema *s, const struct tn_node *in, const char *name)
{
	struct tn_str tried = { 0 };
	const char *copy = name;
	size_t n = 1;

	for (size_t i = 0; in && i < in->n; i++)
		if (strcmp(in->child[i]->name, copy) == 0) {
			tried.n = 0;
			tn_str_printf(&tried, "%s:%zu", name, ++n);
			copy = tn_str_text(&tried);
			i = SIZE_MAX;
		}
	copy = tn_arena_string(&s->arena, copy);
	tn_str_release(&tried);
	return copy;
}

static struct tn_node *add_nodes(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *f, struct tn_node *in,
				 const char *name);

/* Add the nodes of all members of a structure or a variant. */
static bool
add_members(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_type *type, struct tn_node *in)
{
	static const struct tn_leaf_type nothing = { .physical = TN_PHYSICAL_BOOL };

	for (size_t i = 0; i < type->n_fields; i++) {
		const struct tn_field *f = &type->field[i];
		const char *name = f->hidden ? NULL : member_name(s, in, *f->label ? f->label : "value");

		if (!f->hidden && (!name || !add_nodes(s, t, f, in, name)))
			return false;
	}
	/* A group must have at least one member. */
	return in->n || tn_parquet_leaf(s->file, in, "empty", &nothing);
}

/* Add the nodes of a field below @in; NULL: below the table. */
static struct tn_node *
add_nodes(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *field, struct tn_node *in, const char *name)
{
	const struct tn_field *f = tn_field_content(field);
	struct tn_field_nodes *nodes = &t->of_field[f->id];
	const struct tn_type *type = f->type;
	struct tn_leaf_type leaf;
	struct tn_node *node;

	t->of_field[field->id].is_known = nodes->is_known = true;
	if (type->kind == TN_KIND_ARRAY) {
		node = tn_parquet_inner(s->file, in, name, TN_NODE_LIST);
		if (!node || !add_nodes(s, t, &type->field[0], node, "element"))
			return NULL;
	} else if (type->kind == TN_KIND_STRUCT || type->kind == TN_KIND_VARIANT) {
		node = tn_parquet_inner(s->file, in, name, TN_NODE_GROUP);
		if (!node || !add_members(s, t, type, node))
			return NULL;
	} else if (tn_json_has_labels(type)) {
		node = tn_parquet_inner(s->file, in, name, TN_NODE_GROUP);
		leaf = leaf_type(type);
		nodes->node = node ? tn_parquet_leaf(s->file, node, "value", &leaf) : NULL;
		nodes->labels = node ? tn_parquet_leaf(s->file, node, "labels", &text_type) : NULL;
		nodes->memo = TN_NEW_ARRAY(&s->arena, TN_LABEL_MEMOS, struct tn_label_memo);
		return nodes->labels && nodes->node && nodes->memo ? node : NULL;
	} else {
		leaf = leaf_type(type);
		node = tn_parquet_leaf(s->file, in, name, &leaf);
	}
	t->of_field[field->id].node = nodes->node = node;
	return node;
}

/* ---- columns that several classes share ---- */

/* Give the field the nodes of another field that has the same form. False: the forms differ. */
static bool
share(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *field, struct tn_node *node, bool is_top)
{
	const struct tn_field *f = tn_field_content(field);
	struct tn_field_nodes *nodes = &t->of_field[f->id];
	const struct tn_type *type = f->type;
	struct tn_leaf_type leaf, both;
	bool labels = tn_json_has_labels(type) && !is_top;
	size_t k = 0;

	if (type->kind == TN_KIND_ARRAY) {
		if (node->kind != TN_NODE_LIST || !share(s, t, &type->field[0], node->child[0], false))
			return false;
	} else if (type->kind == TN_KIND_STRUCT || type->kind == TN_KIND_VARIANT) {
		if (node->kind != TN_NODE_GROUP || (!has_members(type) && strcmp(node->child[0]->name, "empty") != 0))
			return false;
		for (size_t i = 0; i < type->n_fields; i++) {
			const struct tn_field *m = &type->field[i];

			if (m->hidden)
				continue;
			if (k == node->n || strcmp(node->child[k]->name, *m->label ? m->label : "value") != 0 ||
			    !share(s, t, m, node->child[k++], false))
				return false;
		}
		if (k < node->n && has_members(type))
			return false;
	} else if (labels) {
		if (node->kind != TN_NODE_GROUP || node->n != 2 || strcmp(node->child[1]->name, "labels") != 0)
			return false;
		leaf = leaf_type(type);
		both = node->child[0]->column.type;
		if (node->child[0]->kind != TN_NODE_LEAF || !unite(&both, &leaf) || both.bits != node->child[0]->column.type.bits)
			return false;
		nodes->labels = node->child[1];
		node = node->child[0];
		nodes->memo = TN_NEW_ARRAY(&s->arena, TN_LABEL_MEMOS, struct tn_label_memo);
		if (!nodes->memo)
			return false;
	} else {
		leaf = leaf_type(type);
		if (node->kind != TN_NODE_LEAF)
			return false;
		both = node->column.type;
		/* Widen the type of the column, but only if no list has values of it yet. */
		if (!unite(&both, &leaf) ||
		    (!is_top && (both.bits != node->column.type.bits || both.physical != node->column.type.physical)))
			return false;
		node->column.type = both;
	}
	t->of_field[field->id].node = nodes->node = node;
	t->of_field[field->id].is_known = nodes->is_known = true;
	return true;
}

/* Find or make the column with this name, and its nodes. NULL: memory is out. */
static struct tn_node *
top_node(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *field, const char *name)
{
	struct tn_hash_item *item = tn_hash_find(&s->by_name, name, strlen(name));
	const struct tn_field *f = tn_field_content(field);
	struct tn_same_name *same = TN_NEW(&s->arena, struct tn_same_name);
	struct tn_str text = { 0 };
	char room[16];

	for (struct tn_same_name *at = item ? item->pointer : NULL; at; at = at->next)
		if (share(s, t, field, at->node, true))
			return at->node;
	if (item) {
		const char *type = type_name(f->type, room, sizeof room);

		tn_str_printf(&text, "%s:%s", name, type);
		for (unsigned i = 2; tn_hash_find(&s->by_name, tn_str_text(&text), text.n); i++) {
			text.n = 0;
			tn_str_printf(&text, "%s:%s%u", name, type, i);
		}
	} else {
		const char *copy = tn_arena_string(&s->arena, name);

		item = copy ? tn_hash_add(&s->by_name, copy, strlen(copy), NULL) : NULL;
	}
	if (!item || !same || text.failed) {
		tn_str_release(&text);
		return NULL;
	}
	*same = (struct tn_same_name) { .next = item->pointer };
	item->pointer = same;
	/* The next type gets another name. */
	if (text.n) {
		const char *copy = tn_arena_string(&s->arena, tn_str_text(&text));

		if (!copy || !tn_hash_add(&s->by_name, copy, text.n, NULL)) {
			tn_str_release(&text);
			return NULL;
		}
	}
	if (f->type->kind >= TN_KIND_STRUCT || !tn_json_has_labels(f->type)) {
		same->node = add_nodes(s, t, field, NULL, text.n ? text.text : name);
	} else {
		struct tn_leaf_type leaf = leaf_type(f->type);

		same->node = tn_parquet_leaf(s->file, NULL, text.n ? text.text : name, &leaf);
		t->of_field[field->id].node = t->of_field[f->id].node = same->node;
	}
	tn_str_release(&text);
	if (same->node)
		same->node->column.of_packets = s->in_packet && same->node->kind == TN_NODE_LEAF;
	return same->node;
}

/* The column for the texts of labels, next to the column of the numbers. */
static struct tn_node *
labels_node(struct tn_schema *s, const char *name)
{
	struct tn_hash_item *item = tn_hash_find(&s->by_name, name, strlen(name));
	struct tn_same_name *same;
	const char *copy;

	for (same = item ? item->pointer : NULL; same; same = same->next)
		if (same->node->kind == TN_NODE_LEAF && same->node->column.type.logical == TN_LOGICAL_TEXT)
			return same->node;
	same = TN_NEW(&s->arena, struct tn_same_name);
	copy = tn_arena_string(&s->arena, name);
	item = copy ? tn_hash_add(&s->by_name, copy, strlen(copy), NULL) : NULL;
	if (!item || !same)
		return NULL;
	*same = (struct tn_same_name) { tn_parquet_leaf(s->file, NULL, name, &text_type), item->pointer };
	item->pointer = same;
	if (same->node)
		same->node->column.of_packets = s->in_packet;
	return same->node;
}

/* @made: make columns that do not exist; otherwise only find them. */
static bool
add_field(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *field, bool made)
{
	const struct tn_field *f = tn_field_content(field);
	struct tn_field_nodes *nodes = &t->of_field[f->id];
	const struct tn_type *type = f->type;
	size_t n = s->path.n;
	struct tn_hash_item *item;
	bool ok = true;

	if (t->of_field[field->id].is_known)
		return true;
	t->of_field[field->id].is_known = nodes->is_known = true;
	if (type->kind == TN_KIND_STRUCT && f == field) {
		for (size_t i = 0; ok && i < type->n_fields; i++) {
			if (type->field[i].hidden)
				continue;
			tn_path_put_step(&s->path, &type->field[i], TN_PATH_EACH);
			ok = !s->path.failed && add_field(s, t, &type->field[i], made);
			s->path.n = n;
		}
		return ok;
	}
	if (tn_json_has_labels(type)) {
		tn_str_puts(&s->path, ".labels");
		nodes->memo = TN_NEW_ARRAY(&s->arena, TN_LABEL_MEMOS, struct tn_label_memo);
		nodes->labels = made && nodes->memo ? labels_node(s, tn_str_text(&s->path)) : NULL;
		ok = nodes->labels || !made;
		s->path.n = n;
		tn_str_puts(&s->path, ".value");
	}
	tn_str_end(&s->path);
	item = tn_hash_find(&s->by_name, tn_str_text(&s->path), s->path.n);
	if (made)
		ok = ok && !s->path.failed && top_node(s, t, field, tn_str_text(&s->path));
	for (struct tn_same_name *at = !made && item ? item->pointer : NULL; at; at = at->next) {
		struct tn_leaf_type before = at->node->column.type;

		/* Types do not change any more. */
		if (at->node->kind == TN_NODE_LEAF && share(s, t, field, at->node, true)) {
			if (memcmp(&before.bits, &at->node->column.type.bits, 1) != 0)
				nodes->node = NULL;
			at->node->column.type = before;
			break;
		}
	}
	s->path.n = n;
	return ok;
}

/* Whether the class's own context has a member with this name, so that "event.context.NAME" means this member. */
static bool
is_shadowed(const struct tn_event_class *const *classes, size_t n, const struct tn_stream_class *sc, const struct tn_field *member)
{
	for (size_t i = 0; i < n; i++) {
		const struct tn_field *own = classes[i]->specific_context;

		if (classes[i]->stream_class != sc || !own || own->hidden)
			continue;
		if (own->type->kind != TN_KIND_STRUCT && !member->parent)
			return true;
		for (size_t k = 0; own->type->kind == TN_KIND_STRUCT && member->parent && k < own->type->n_fields; k++)
			if (strcmp(own->type->field[k].label, member->label) == 0 ||
			    strcmp(own->type->field[k].name, member->label) == 0)
				return true;
	}
	return false;
}

static bool
add_scope(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_event_class *const *classes, size_t n,
	  const struct tn_event_class *ec, enum tn_scope scope)
{
	const struct tn_field *root = tn_event_class_scope(ec, scope);
	bool is_struct = root && root->type->kind == TN_KIND_STRUCT, ok = true;

	if (!root || root->hidden || t->of_field[root->id].is_known)
		return true;
	t->of_field[root->id].is_known = is_struct;
	for (size_t i = 0; ok && i < (is_struct ? root->type->n_fields : 1); i++) {
		const struct tn_field *f = is_struct ? &root->type->field[i] : root;
		bool shadowed = scope == TN_SCOPE_COMMON_CONTEXT && is_shadowed(classes, n, ec->stream_class, f);

		if (f->hidden)
			continue;
		tn_str_clear(&s->path);
		tn_str_puts(&s->path, shadowed ? tn_scope_name(scope) : tn_scope_path(scope));
		tn_path_put_step(&s->path, f, TN_PATH_EACH);
		s->in_packet = scope == TN_SCOPE_PACKET_CONTEXT;
		ok = add_field(s, t, f, true);
		s->in_packet = false;
	}
	return ok;
}

void
tn_schema_meet(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *root, enum tn_scope scope)
{
	tn_str_clear(&s->path);
	tn_str_puts(&s->path, tn_scope_path(scope));
	if (root->type->kind != TN_KIND_STRUCT)
		tn_path_put_step(&s->path, root, TN_PATH_EACH);
	(void)add_field(s, t, root, false);
}

static struct tn_trace_nodes *
nodes_of(struct tn_schema *s, const struct tn_trace *trace)
{
	for (size_t i = 0; i < s->n_traces; i++)
		if (s->trace[i].trace == trace)
			return &s->trace[i];
	return NULL;
}

/* ---- the first columns ---- */

static const enum tn_attribute_id attribute_id[TN_SCHEMA_ATTRIBUTES] = {
	TN_ATTRIBUTE_CPU, TN_ATTRIBUTE_TID, TN_ATTRIBUTE_PID, TN_ATTRIBUTE_PROCESS,
};

static void
find_attributes(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_event_class *ec)
{
	struct tn_class_rows *rows = &t->of_class[ec->index];
	struct tn_target target;

	for (size_t i = 0; i < TN_SCHEMA_ATTRIBUTES; i++) {
		bool is_text = i == TN_SCHEMA_PROCESS, runs = s->running && i != TN_SCHEMA_CPU;
		enum tn_running_part part = tn_schema_part(i);
		bool found = tn_attribute_field(attribute_id[i], ec, &target);

		if (!found && runs && !(found = tn_running_before(s->running, ec, part, &target)))
			rows->running[i] = tn_running_tells(s->running, ec, part);
		if (!found || (is_text ? target.field->type->kind != TN_KIND_STRING
				       : !tn_type_is_integer(target.field->type) || target.field->type->length > 64))
			continue;
		rows->field[i] = target.field;
		rows->scope[i] = (unsigned char)target.scope;
	}
}

/*
 * Decide where an attribute comes from. If it is the same column in all classes, it shares this column's pages. If all
 * classes have it in their packet's context, or no class has it, it is the same for all events of a packet. Otherwise it
 * is found for each row.
 */
static void
place_attribute(struct tn_schema *s, size_t i, const struct tn_event_class *const *classes, size_t n)
{
	bool is_same = n > 0, of_packets = true;
	const struct tn_node *same = NULL;

	for (size_t k = 0; k < n; k++) {
		struct tn_trace_nodes *t = nodes_of(s, tn_event_class_trace(classes[k]));
		const struct tn_class_rows *rows = t ? &t->of_class[classes[k]->index] : NULL;
		const struct tn_field *f = rows ? rows->field[i] : NULL;
		const struct tn_node *node = f ? t->of_field[f->id].node : NULL;

		is_same &= node && (!same || node == same) && !(i == TN_SCHEMA_PID && t->has_pid);
		same = node;
		of_packets &= f ? rows->scope[i] == TN_SCOPE_PACKET_CONTEXT
				: !rows || !rows->running[i];
	}
	if (is_same && same->kind == TN_NODE_LEAF && same->in == &s->file->root) {
		s->attribute[i]->same = same;
		s->attribute[i]->column.type = same->column.type;
		return;
	}
	s->attribute[i]->column.of_packets = of_packets;
	s->has_row_attributes |= !of_packets;
	for (size_t k = 0; k < n; k++) {
		struct tn_trace_nodes *t = nodes_of(s, tn_event_class_trace(classes[k]));
		const struct tn_field *f = t ? t->of_class[classes[k]->index].field[i] : NULL;

		if (f && f->id < t->n_fields)
			t->of_field[f->id].attribute = (uint8_t)(i + 1);
	}
}

static bool
is_among(const char *const *names, const char *name)
{
	while (names && *names)
		if (strcmp(*names++, name) == 0)
			return true;
	return false;
}

static bool
add_first(struct tn_schema *s, const struct tn_set *set, const char *const *without)
{
	const struct tn_leaf_type time_ns = { TN_PHYSICAL_INT64, TN_LOGICAL_INTEGER, .bits = 64, .is_signed = true, .rises = true };
	const struct tn_leaf_type time = { TN_PHYSICAL_INT64, TN_LOGICAL_TIMESTAMP, .is_signed = true, .rises = true };
	const struct tn_leaf_type counter = { TN_PHYSICAL_INT64, TN_LOGICAL_INTEGER, .bits = 64, .rises = true };
	const struct tn_leaf_type number = integer_type(64, false), is_signed = integer_type(64, true);
	struct tn_node **const of_packets[] = { &s->trace_path, &s->host, &s->stream, &s->packet };
	bool is_wall = tn_set_is_wall_time(set);
	const struct { struct tn_node **node; const char *name; const struct tn_leaf_type *type; } first[] = {
		{ &s->time, "time", &time }, { &s->time_ns, "time_ns", &time_ns }, { &s->cycles, "cycles", &counter },
		{ &s->trace_path, "trace", &text_type }, { &s->host, "host", &text_type }, { &s->stream, "stream", &text_type },
		{ &s->packet, "packet", &number }, { &s->attribute[TN_SCHEMA_CPU], "cpu", &number },
		{ &s->attribute[TN_SCHEMA_TID], "tid", &is_signed }, { &s->attribute[TN_SCHEMA_PID], "pid", &is_signed },
		{ &s->attribute[TN_SCHEMA_PROCESS], "process", &text_type }, { &s->name, "name", &text_type },
	};

	for (size_t i = is_wall ? 0 : 1; i < sizeof first / sizeof *first; i++) {
		if (is_among(without, first[i].name))
			continue;
		*first[i].node = tn_parquet_leaf(s->file, NULL, first[i].name, first[i].type);
		if (!*first[i].node)
			return false;
	}
	if (is_wall)
		s->time->same = s->time_ns;
	for (size_t i = 0; i < TN_COUNT(of_packets); i++)
		if (*of_packets[i])
			(*of_packets[i])->column.of_packets = true;
	return true;
}

static bool
add_trace(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_trace *trace)
{
	const struct tn_env *pid = tn_trace_env(trace, "vpid"), *process = tn_trace_env(trace, "procname");

	*t = (struct tn_trace_nodes) {
		.trace = trace, .of_field = TN_NEW_ARRAY(&s->arena, trace->n_fields + 1, struct tn_field_nodes),
		.of_class = TN_NEW_ARRAY(&s->arena, trace->n_event_classes + 1, struct tn_class_rows),
		.n_fields = trace->n_fields, .n_classes = trace->n_event_classes,
		.process = process && process->is_text ? process->text : NULL,
		.has_pid = pid && !pid->is_text, .pid = pid && !pid->is_text ? (uint64_t)pid->number : 0,
	};
	for (size_t i = 0; i < trace->n_streams; i++) {
		s->of_stream[trace->stream[i]->rank] = t;
		s->host_of_stream[trace->stream[i]->rank] = tn_stream_host(trace->stream[i]);
	}
	return t->of_field && t->of_class;
}

static bool
add_classes(struct tn_schema *s, const struct tn_event_class *const *classes, size_t n)
{
	static const enum tn_scope scopes[] = {
		TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
	};

	for (size_t i = 0; i < n; i++) {
		struct tn_trace_nodes *t = nodes_of(s, tn_event_class_trace(classes[i]));

		for (size_t k = 0; t && k < sizeof scopes / sizeof *scopes; k++)
			if (!add_scope(s, t, classes, n, classes[i], scopes[k]))
				return false;
		if (t)
			find_attributes(s, t, classes[i]);
	}
	return true;
}

/* ---- contexts that are shared ---- */

bool
tn_schema_has_code(const struct tn_event_class *ec)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
	const struct tn_plan *plan = ec->stream_class->plan;
	const struct tn_event_plan *codes = plan && !plan->packet_slots && !plan->mixed && ec->name ? tn_plan_event(ec) : NULL;

	if (!codes)
		return false;
	for (size_t i = 0; i < TN_COUNT(scopes); i++)
		for (const struct tn_op *op = codes->read[scopes[i]]; op && op->code != TN_OP_END; op++)
			if ((op->code == TN_OP_WIDE && !(op->flags & TN_OP_TRUTH)) || op->code == TN_OP_UNMADE ||
			    (op->field && op->field->type->kind == TN_KIND_STRING &&
			     op->field->type->encoding >= TN_ENCODING_UTF16BE))
				return false;
	return true;
}

/*
 * The size of the common context, if the size is a fixed, small number of whole bytes and all its columns are flat;
 * otherwise 0.
 */
static unsigned
context_bytes(struct tn_trace_nodes *t, const struct tn_event_class *ec, uint32_t *align)
{
	const struct tn_field *root = ec->stream_class->common_context;
	const struct tn_plan *plan = ec->stream_class->plan;
	const struct tn_event_plan *codes = tn_plan_event(ec);
	const struct tn_op *op = codes ? codes->skip[TN_SCOPE_COMMON_CONTEXT] : NULL;

	*align = 1;
	if (!root || root->hidden || root->type->kind != TN_KIND_STRUCT || !op)
		return 0;
	for (size_t i = 0; i < root->type->n_fields; i++) {
		const struct tn_field_nodes *f = &t->of_field[root->type->field[i].id];

		if (!f->node || f->node->kind != TN_NODE_LEAF || f->attribute)
			return 0;
	}
	if (op->code == TN_OP_ALIGN)
		*align = op++->a;
	if (op->code != TN_OP_SKIP || op[1].code != TN_OP_END || op->n % 8 || op->n / 8 > TN_CONTEXT_BYTES ||
	    (*align % 8 && (plan->after_mod % 8 || plan->after_off % 8)))
		return 0;
	return (unsigned)(op->n / 8);
}

static void
set_context(struct tn_trace_nodes *t, const struct tn_field *root, bool of_packets)
{
	for (size_t i = 0; root && root->type->kind == TN_KIND_STRUCT && i < root->type->n_fields; i++) {
		struct tn_field_nodes *f = &t->of_field[root->type->field[i].id];

		if (f->node)
			f->node->column.of_packets = of_packets;
		if (f->labels)
			f->labels->column.of_packets = of_packets;
		f->how = TN_HOW_NEW;
	}
}

/*
 * A thread usually runs for many events. So if the common contexts of all classes are cheap to compare, equal contexts
 * are put only once.
 */
static void
share_contexts(struct tn_schema *s, const struct tn_event_class *const *classes, size_t n)
{
	uint32_t align;

	for (size_t i = 0; i < n; i++) {
		struct tn_trace_nodes *t = nodes_of(s, tn_event_class_trace(classes[i]));

		if (!t || !tn_schema_has_code(classes[i]) || !context_bytes(t, classes[i], &align))
			return;
	}
	s->shares_context = n > 0 && !s->has_row_attributes;
	for (size_t i = 0; s->shares_context && i < n; i++) {
		struct tn_trace_nodes *t = nodes_of(s, tn_event_class_trace(classes[i]));
		struct tn_class_rows *rows = &t->of_class[classes[i]->index];

		rows->context_bytes = (uint8_t)context_bytes(t, classes[i], &rows->context_align);
		set_context(t, classes[i]->stream_class->common_context, true);
	}
}

void
tn_schema_part_context(struct tn_schema *s)
{
	s->shares_context = false;
	for (size_t i = 0; i < s->n_traces; i++)
		for (size_t k = 0; k < s->trace[i].n_classes; k++) {
			if (s->trace[i].of_class[k].context_bytes)
				set_context(&s->trace[i], s->trace[i].trace->event_class[k]->stream_class->common_context, false);
			s->trace[i].of_class[k].context_bytes = 0;
			s->trace[i].of_class[k].is_made = false;
		}
}

/* Fields cannot use the names of the first columns. */
enum tn_code
tn_schema_make(struct tn_schema *s, struct tn_parquet *file, const struct tn_set *set, const struct tn_event_class *const *classes,
	       size_t n, const char *const *without, const struct tn_running *running, struct tn_error *err)
{
	const struct tn_event_class **all = NULL;
	bool ok;

	*s = (struct tn_schema) { .file = file, .running = running };
	s->trace = TN_NEW_ARRAY(&s->arena, set->n_traces + 1, struct tn_trace_nodes);
	s->of_stream = TN_NEW_ARRAY(&s->arena, set->n_streams + 1, struct tn_trace_nodes *);
	s->host_of_stream = TN_NEW_ARRAY(&s->arena, set->n_streams + 1, const char *);
	ok = s->trace && s->of_stream && s->host_of_stream;
	for (size_t i = 0; ok && i < set->n_traces; i++)
		ok = add_trace(s, &s->trace[s->n_traces++], set->trace[i]);
	if (ok && !classes) {
		n = 0;
		for (size_t i = 0; i < set->n_traces; i++)
			n += set->trace[i]->n_event_classes;
		ok = (all = TN_NEW_ARRAY(&s->arena, n + 1, const struct tn_event_class *)) != NULL;
		n = 0;
		for (size_t i = 0; ok && i < set->n_traces; i++)
			for (size_t k = 0; k < set->trace[i]->n_event_classes; k++)
				all[n++] = set->trace[i]->event_class[k];
		classes = all;
	}
	ok = ok && add_first(s, set, without) && add_classes(s, classes, n);
	for (size_t i = 0; ok && i < TN_SCHEMA_ATTRIBUTES; i++)
		place_attribute(s, i, classes, n);
	if (ok)
		share_contexts(s, classes, n);
	return ok ? TN_OK : tn_fail_memory(err);
}

void
tn_schema_release(struct tn_schema *s)
{
	tn_hash_release(&s->by_name);
	tn_arena_release(&s->arena);
	tn_str_release(&s->path);
}
