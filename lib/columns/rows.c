#include "columns/rows.h"

#include "text/json_value.h"

/* ---- values ---- */

static bool
is_choice(const struct tn_value *v)
{
	return v->field->type->kind == TN_KIND_OPTIONAL;
}

static void
put_scalar(struct tn_event_rows *w, struct tn_node *leaf, const struct tn_value *v, unsigned repetition)
{
	const struct tn_type *t = v->field->type;
	uint64_t row = w->file.row, bits = v->u;
	float f;
	size_t n;

	switch (leaf->column.type.physical) {
	case TN_PHYSICAL_BYTES:
		n = t->kind == TN_KIND_STRING ? tn_json_string_size(v) : (size_t)v->size;
		tn_node_put_text(leaf, row, repetition, v->bytes, n);
		return;
	case TN_PHYSICAL_FIXED:
		n = leaf->column.type.size;
		w->scratch.n = 0;
		if (tn_str_reserve(&w->scratch, n) && tn_value_wide(v, (uint8_t *)w->scratch.text, n, &n) == TN_OK)
			tn_node_put_text(leaf, row, repetition, w->scratch.text, n);
		else if (t->kind == TN_KIND_FLOAT && !w->scratch.failed)
			tn_node_put_text(leaf, row, repetition, v->bytes, n);
		else
			leaf->column.failed = true;
		return;
	case TN_PHYSICAL_BOOL: bits = bits != 0; break;
	case TN_PHYSICAL_FLOAT:
		f = (float)v->f;
		bits = 0;
		memcpy(&bits, &f, sizeof f);
		break;
	default:
		if (t->varint && v->option) {	/* more than 64 bits */
			tn_node_none(leaf, row, leaf->definition - 1u, repetition);
			return;
		}
		break;
	}
	tn_node_put(leaf, row, repetition, bits);
}

static const struct tn_label_text *
labels_of(struct tn_event_rows *w, struct tn_field_nodes *nodes, const struct tn_value *v)
{
	struct tn_label_memo *memo = &nodes->memo[v->u % TN_LABEL_MEMOS];

	if (!memo->text.is_known || memo->number != v->u) {
		w->scratch.n = 0;
		tn_json_labels(&w->scratch, v, tn_json_utf8, "|");
		memo->number = v->u;
		memo->text = (struct tn_label_text) { w->scratch.n, true, NULL };
		if (w->scratch.n)
			memo->text.bytes = tn_arena_copy(&w->schema.arena, w->scratch.text, w->scratch.n);
		if (w->scratch.failed || (w->scratch.n && !memo->text.bytes))
			nodes->labels->column.failed = true;
	}
	return &memo->text;
}

/* Values of an absent field: as far as the node around it is there. */
static void
put_absent(struct tn_event_rows *w, struct tn_node *node, unsigned repetition)
{
	if (node->in->in || node->in->kind == TN_NODE_LIST)
		tn_node_none(node, w->file.row, node->definition - 1u, repetition);
}

static void put_value(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_value *v, struct tn_node *at,
		      unsigned repetition);

static void
put_labelled(struct tn_event_rows *w, struct tn_field_nodes *nodes, const struct tn_value *v, unsigned repetition)
{
	bool is_beyond = v->field->type->varint && v->option;	/* more than 64 bits: no number, no label */
	const struct tn_label_text *text = is_beyond ? NULL : labels_of(w, nodes, v);

	put_scalar(w, nodes->node, v, repetition);
	if (text && text->n)
		tn_node_put_text(nodes->labels, w->file.row, repetition, text->bytes, text->n);
	else
		put_absent(w, nodes->labels, repetition);
}

static void
put_list(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_value *v, struct tn_node *list, unsigned repetition)
{
	const struct tn_value *at = v + 1;

	if (!v->n)
		tn_node_none(list, w->file.row, list->definition, repetition);
	for (uint64_t i = 0; i < v->n; i++, at += at->next)
		put_value(w, t, at, list->child[0], i ? list->child[0]->repetition : repetition);
}

/* The members of a structure, of which some may be missing; or the option of a variant. */
static void
put_group(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_value *v, struct tn_node *group, unsigned repetition)
{
	const struct tn_type *type = v->field->type;
	const struct tn_value *at = v + 1;
	uint64_t n = 0;
	size_t k = 0;

	for (size_t i = 0; i < type->n_fields; i++) {
		bool there = n < v->n && at->field == &type->field[i];

		if (!type->field[i].hidden && there)
			put_value(w, t, at, group->child[k], repetition);
		else if (!type->field[i].hidden)
			put_absent(w, group->child[k], repetition);
		k += !type->field[i].hidden;
		n += there;
		at += there ? at->next : 0;
	}
	if (!k)		/* the member that stands for none */
		tn_node_none(group->child[0], w->file.row, group->definition, repetition);
}

/* @at: its node. */
static void
put_value(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_value *v, struct tn_node *at, unsigned repetition)
{
	while (is_choice(v)) {
		if (!v->n) {
			put_absent(w, at, repetition);
			return;
		}
		v++;
	}
	if (at->kind == TN_NODE_LEAF)
		put_scalar(w, at, v, repetition);
	else if (at->kind == TN_NODE_LIST)
		put_list(w, t, v, at, repetition);
	else if (v->field->type->kind < TN_KIND_STRUCT)
		put_labelled(w, &t->of_field[v->field->id], v, repetition);
	else
		put_group(w, t, v, at, repetition);
}

/* A field of the table: a column, or a structure that was taken apart. */
static void
put_field(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_value *v)
{
	const struct tn_value *whole = v, *at;
	struct tn_field_nodes *nodes;

	while (is_choice(v)) {
		if (!v->n)
			return;
		v++;
	}
	nodes = &t->of_field[v->field->id];
	if (nodes->labels) {
		if (nodes->node)
			put_labelled(w, nodes, v, 0);
	} else if (nodes->node && nodes->node->kind == TN_NODE_LEAF) {
		put_scalar(w, nodes->node, v, 0);
	} else if (nodes->node) {
		put_value(w, t, v, nodes->node, 0);
	} else if (v->field->type->kind == TN_KIND_STRUCT && v == whole) {
		at = v + 1;
		for (uint64_t i = 0; i < v->n; i++, at += at->next)
			put_field(w, t, at);
	}
}

/* ---- rows ---- */

static const struct tn_value *
member(const struct tn_event *e, enum tn_scope scope, const struct tn_field *field)
{
	const struct tn_value *v = tn_event_scope(e, scope), *at = v + 1;

	for (uint64_t i = 0; v && v->field->type->kind == TN_KIND_STRUCT && i < v->n; i++, at += at->next)
		if (at->field == field)
			return at;
	return NULL;
}

static void
put_text(struct tn_event_rows *w, struct tn_node *leaf, const char *text, bool stays)
{
	if (text && leaf && stays)
		tn_node_put_fixed_text(leaf, w->file.row, text);
	else if (text && leaf)
		tn_node_put_text(leaf, w->file.row, 0, text, strlen(text));
}

static void
put_attributes(struct tn_event_rows *w, struct tn_trace_nodes *t, const struct tn_event *e)
{
	const struct tn_class_attributes *a = t->of_class[e->event_class->index];

	for (size_t i = 0; i < TN_SCHEMA_ATTRIBUTES; i++) {
		struct tn_node *node = w->schema.attribute[i];
		const struct tn_field *f = a ? a->field[i] : NULL;
		const struct tn_value *v = f && !node->same ? member(e, (enum tn_scope)a->scope[i], f) : NULL;

		if (node->same)
			continue;
		if (v)
			put_scalar(w, node, v, 0);
		else if (i == TN_SCHEMA_PROCESS)
			put_text(w, node, t->process, true);
		else if (i == TN_SCHEMA_PID && t->has_pid)
			tn_node_put(node, w->file.row, 0, t->pid);
	}
}

void
tn_event_rows_put(struct tn_event_rows *w, const struct tn_event *e)
{
	static const enum tn_scope scopes[] = {
		TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
	};
	struct tn_trace_nodes *t = w->schema.of_stream[e->stream->rank];
	struct tn_schema *s = &w->schema;
	uint64_t row = w->file.row;

	if (e->has_time)
		tn_node_put(s->time_ns, row, 0, (uint64_t)e->time_ns);
	if (e->has_cycles)
		tn_node_put(s->cycles, row, 0, e->cycles);
	put_text(w, s->trace_path, e->stream->trace->path, true);
	put_text(w, s->host, s->host_of_stream[e->stream->rank], true);
	put_text(w, s->stream, tn_stream_name(e->stream), true);
	tn_node_put(s->packet, row, 0, e->packet);
	put_text(w, s->name, e->name, e->name == e->event_class->name);
	put_attributes(w, t, e);
	for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
		const struct tn_value *v = tn_event_scope(e, scopes[i]);

		if (!v || v->field->hidden)
			continue;
		if (!t->of_field[v->field->id].is_known)
			tn_schema_meet(s, t, v->field, scopes[i]);
		put_field(w, t, v);
	}
}

void
tn_event_rows_release(struct tn_event_rows *w)
{
	tn_parquet_release(&w->file);
	tn_schema_release(&w->schema);
	tn_str_release(&w->scratch);
}
