/* fields.c - put the values of fields into their columns */
#include "columns/fields.h"

#include "text/json_value.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static enum tn_field_how
how_of(const struct tn_field_nodes *f, const struct tn_field *field)
{
	const struct tn_column *c = f->node ? &f->node->column : NULL;
	bool is_simple = c && c->is_flat && !c->of_packets && !f->attribute && !f->labels;

	if (!f->node || field->type->kind == TN_KIND_OPTIONAL)
		return TN_HOW_NONE;
	if (f->labels)
		return TN_HOW_LABELS;
	if (f->node->kind != TN_NODE_LEAF)
		return f->node->kind == TN_NODE_LIST ? TN_HOW_LIST : TN_HOW_GROUP;
	if (is_simple && c->type.physical == TN_PHYSICAL_BYTES)
		return TN_HOW_TEXT;
	if (is_simple && c->type.logical == TN_LOGICAL_INTEGER)
		return TN_HOW_INTEGER;
	if (is_simple && (c->type.physical == TN_PHYSICAL_FLOAT || c->type.physical == TN_PHYSICAL_DOUBLE))
		return TN_HOW_FLOAT;
	return !c->is_flat && !f->attribute && c->type.logical == TN_LOGICAL_INTEGER && f->node->in->kind == TN_NODE_LIST &&
	       field->parent->type->kind == TN_KIND_ARRAY ? TN_HOW_ELEMENT : TN_HOW_LEAF;
}

struct tn_field_nodes *
tn_fields_of(struct tn_row_reader *r, const struct tn_field *field)
{
	struct tn_field_nodes *f = &r->trace->of_field[field->id];

	if (UNLIKELY(f->how == TN_HOW_NEW))
		f->how = (uint8_t)how_of(f, field);
	return f;
}

/* The node of a member of a structure or a variant, with all parts of the value; NULL: no column. */
static struct tn_node *
node_of(struct tn_row_reader *r, const struct tn_field *field)
{
	const struct tn_field_nodes *f = &r->trace->of_field[tn_field_content(field)->id];

	/* In a list or a group, a number and its labels are a group. */
	return f->labels && f->node && f->node->in->in ? f->node->in : f->node;
}

/* Begin an element of a list. Each element except the first one has the repetition level of the list. */
static void
begin(struct tn_row_reader *r, const struct tn_field *field)
{
	struct tn_row_list *list = &r->list[r->depth];

	if (!field->parent || field->parent->type->kind != TN_KIND_ARRAY || !r->depth)
		return;
	r->repetition = list->any ? list->element : list->before;
	list->any = true;
}

/* Whether the column is filled by another call: some columns belong to packets, others to events. */
static bool
is_elsewhere(const struct tn_row_reader *r, const struct tn_node *node)
{
	return node->column.of_packets != r->in_packet;
}

/* Put null for an absent field, at the level of its nearest container that is present. */
static void
put_absent(struct tn_row_reader *r, struct tn_node *node)
{
	if (node && !is_elsewhere(r, node) && (node->in->in || node->in->kind == TN_NODE_LIST))
		tn_node_none(node, r->row, node->definition - 1u, r->repetition);
}

/* ---- numbers ---- */

static void
put_bits(struct tn_row_reader *r, struct tn_node *leaf, uint64_t v)
{
	if (is_elsewhere(r, leaf))
		return;
	if (leaf->column.type.physical == TN_PHYSICAL_BOOL)
		v = v != 0;
	tn_node_put(leaf, r->row, r->repetition, v);
}

static const struct tn_label_text *
labels_of(struct tn_row_reader *r, struct tn_field_nodes *nodes, const struct tn_field *field, uint64_t number)
{
	struct tn_label_memo *memo = &nodes->memo[number % TN_LABEL_MEMOS];
	struct tn_value v = { .field = field, .u = number, .next = 1 };

	if (!memo->text.is_known || memo->number != number) {
		r->scratch.n = 0;
		tn_json_labels(&r->scratch, &v, tn_json_utf8, "|");
		memo->number = number;
		memo->text = (struct tn_label_text) { r->scratch.n, true, NULL };
		if (r->scratch.n)
			memo->text.bytes = tn_arena_copy(&r->out->schema.arena, r->scratch.text, r->scratch.n);
		if (r->scratch.failed || (r->scratch.n && !memo->text.bytes))
			nodes->labels->column.failed = true;
	}
	return &memo->text;
}

static void
put_labels(struct tn_row_reader *r, struct tn_field_nodes *f, const struct tn_field *field, uint64_t v)
{
	const struct tn_label_text *text = labels_of(r, f, field, v);

	if (!text->n || !text->bytes)
		put_absent(r, f->labels);
	else if (!is_elsewhere(r, f->labels))
		tn_node_put_text(f->labels, r->row, r->repetition, text->bytes, text->n);
}

static bool
put_number(struct tn_row_reader *r, const struct tn_field *field, uint64_t v)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);

	if (f->how == TN_HOW_INTEGER) {
		tn_node_put(f->node, r->row, 0, v);
		return true;
	}
	if (f->how == TN_HOW_ELEMENT && r->list[r->depth].any && !r->in_packet) {
		tn_column_entry(&f->node->column, r->row, f->node->definition, r->list[r->depth].element);
		tn_column_number(&f->node->column, v);
		return true;
	}
	begin(r, field);
	if (f->how == TN_HOW_NONE)
		return true;
	put_bits(r, f->node, v);
	if (f->how == TN_HOW_LABELS)
		put_labels(r, f, field, v);
	if (f->attribute)
		r->attribute[f->attribute - 1] = (struct tn_row_attribute) { .is_there = true, .number = v };
	return true;
}

/* The number does not fit: put null. */
static bool
put_too_large(struct tn_row_reader *r, const struct tn_field *field)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);

	begin(r, field);
	if (f->node)
		put_absent(r, f->node);
	if (f->labels)
		put_absent(r, f->labels);
	return true;
}

static bool
put_float(struct tn_row_reader *r, const struct tn_field *field, double v)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);
	uint64_t bits = 0;
	float single = (float)v;

	begin(r, field);
	if (f->how == TN_HOW_NONE || is_elsewhere(r, f->node))
		return true;
	if (f->node->column.type.physical == TN_PHYSICAL_FLOAT)
		memcpy(&bits, &single, sizeof single);
	else
		memcpy(&bits, &v, sizeof v);
	tn_node_put(f->node, r->row, r->repetition, bits);
	return true;
}

/* ---- texts ---- */

static bool
put_text(struct tn_row_reader *r, const struct tn_field *field, const void *bytes, size_t n)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);

	begin(r, field);
	if (f->how == TN_HOW_NONE)
		return true;
	if (!is_elsewhere(r, f->node))
		tn_node_put_text(f->node, r->row, r->repetition, bytes, n);
	if (f->attribute)
		r->attribute[f->attribute - 1] = (struct tn_row_attribute) { .is_there = true, .bytes = bytes, .n = n };
	return true;
}

/* Put a number of more than 64 bits. */
static void
put_wide(struct tn_row_reader *r, const struct tn_value *v)
{
	struct tn_field_nodes *f = tn_fields_of(r, v->field);
	size_t n = f->node ? f->node->column.type.size : 0;

	begin(r, v->field);
	if (f->how != TN_HOW_LEAF || is_elsewhere(r, f->node))
		return;
	r->scratch.n = 0;
	if (v->field->type->kind == TN_KIND_FLOAT)
		tn_node_put_text(f->node, r->row, r->repetition, v->bytes, n);
	else if (tn_str_reserve(&r->scratch, n) && tn_value_wide(v, (uint8_t *)r->scratch.text, n, &n) == TN_OK)
		tn_node_put_text(f->node, r->row, r->repetition, r->scratch.text, n);
	else
		f->node->column.failed = true;
}

/* ---- compounds ---- */

static bool
put_array(struct tn_row_reader *r, const struct tn_field *field, uint64_t n)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);
	struct tn_node *node = f->how == TN_HOW_LIST ? f->node : NULL;

	begin(r, field);
	if (r->depth == TN_PLAN_DEPTH)
		return false;
	r->list[++r->depth] = (struct tn_row_list) { r->repetition, node ? node->child[0]->repetition : 0, false };
	if (node && !n && !is_elsewhere(r, node))
		tn_node_none(node, r->row, node->definition, r->repetition);
	return true;
}

static bool
put_close(struct tn_row_reader *r, const struct tn_field *field)
{
	if (field->type->kind == TN_KIND_ARRAY)
		r->repetition = r->list[r->depth--].before;
	return true;
}

static bool
put_struct(struct tn_row_reader *r, const struct tn_field *field)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);
	bool any = false;

	begin(r, field);
	for (size_t i = 0; f->how == TN_HOW_GROUP && i < field->type->n_fields; i++)
		any |= !field->type->field[i].hidden;
	if (f->how == TN_HOW_GROUP && !any && !is_elsewhere(r, f->node))	/* the member that stands for none */
		tn_node_none(f->node->child[0], r->row, f->node->definition, r->repetition);
	return true;
}

/* The other options of a variant are null. */
static bool
put_variant(struct tn_row_reader *r, const struct tn_field *field, uint32_t option)
{
	struct tn_field_nodes *f = tn_fields_of(r, field);

	begin(r, field);
	for (size_t i = 0; f->how == TN_HOW_GROUP && i < field->type->n_fields; i++)
		if (i != option && !field->type->field[i].hidden)
			put_absent(r, node_of(r, &field->type->field[i]));
	if (f->how == TN_HOW_GROUP && !field->type->n_fields)
		put_absent(r, f->node->child[0]);
	return true;
}

static bool
put_optional(struct tn_row_reader *r, const struct tn_field *field, bool is_there)
{
	begin(r, field);
	if (!is_there)
		put_absent(r, node_of(r, field));
	return true;
}

/* ---- the machine ---- */

#define TN_RUN_NAME run_fields
#define TN_RUN_SINK struct tn_row_reader
#define TN_RUN_FIRST sink->first
#define TN_SINK_UINT(op, v, bit) put_number(sink, (op)->field, v)
#define TN_SINK_SINT(op, v, bit) put_number(sink, (op)->field, (uint64_t)(v))
#define TN_SINK_TOO_LARGE(op, v, bit) put_too_large(sink, (op)->field)
#define TN_SINK_FLOAT(op, v, bit) put_float(sink, (op)->field, v)
#define TN_SINK_STRING(op, p, n, bit) put_text(sink, (op)->field, p, n)
#define TN_SINK_BLOB(op, p, n, bit) put_text(sink, (op)->field, p, n)
#define TN_SINK_STRUCT(op, bit) put_struct(sink, (op)->field)
#define TN_SINK_ARRAY(op, n, bit) put_array(sink, (op)->field, n)
#define TN_SINK_VARIANT(op, option, bit) put_variant(sink, (op)->field, option)
#define TN_SINK_OPTIONAL(op, there, bit) put_optional(sink, (op)->field, there)
#define TN_SINK_CLOSE(op, bit) put_close(sink, (op)->field)
#include "plan/run.h"

/* ---- loads ---- */

enum load_code {
	LOAD_NUMBER,	/* number: store it in its column */
	LOAD_FIELD,	/* number for which LOAD_NUMBER does not suffice */
	LOAD_SAVE,	/* store the last number in a slot */
	LOAD_TEXT,	/* text up to a zero byte: store it in its column */
	LOAD_ALIGN,	/* align to `n` bytes */
	LOAD_CHECK,	/* check that `n` bytes are left */
	LOAD_ADVANCE,	/* advance by `n` bytes */
	LOAD_RUN,	/* the machine runs the rest */
	LOAD_END
};

struct tn_load {
	enum load_code code;
	struct tn_fixed_number number;
	uint64_t n;		/* number of bytes; for SAVE, the slot */
	struct tn_column *column;
	const struct tn_op *op;
};

/* Make a load for an instruction. False: the machine must run it. */
static bool
make_load(struct tn_row_reader *r, const struct tn_op *op, struct tn_load *out)
{
	const struct tn_field_nodes *f = op->field ? tn_fields_of(r, op->field) : NULL;

	*out = (struct tn_load) { .column = f && f->node ? &f->node->column : NULL, .op = op, .n = op->n / 8 };
	switch (op->code) {
	case TN_OP_END: out->code = LOAD_END; return true;
	case TN_OP_SAVE: out->code = LOAD_SAVE; out->n = op->a; return true;
	case TN_OP_ALIGN: out->code = LOAD_ALIGN; out->n = op->a / 8; return op->a % 8 == 0;
	case TN_OP_CHECK: out->code = LOAD_CHECK; return op->n % 8 == 0;
	case TN_OP_ADVANCE: out->code = LOAD_ADVANCE; return op->n % 8 == 0;
	case TN_OP_STRING8: out->code = LOAD_TEXT; return f && f->how == TN_HOW_TEXT;
	case TN_OP_FLOAT:
		out->code = LOAD_NUMBER;
		return f && f->how == TN_HOW_FLOAT && op->bits == tn_column_size(out->column) * 8 &&
		       tn_fixed_number_of(&out->number, op);
	default:
		out->code = f && f->how == TN_HOW_INTEGER ? LOAD_NUMBER : LOAD_FIELD;
		return f && tn_fixed_number_of(&out->number, op);
	}
}

const struct tn_load *
tn_loads_make(struct tn_row_reader *r, const struct tn_op *code, uint32_t *row_bytes)
{
	struct tn_load *load;
	size_t n = 1, k = 0;

	while (code[n - 1].code != TN_OP_END)
		n++;
	load = TN_NEW_ARRAY(&r->out->schema.arena, n, struct tn_load);
	for (size_t i = 0; load && i < n; i++) {
		/* If the members of a structure have their own nodes, the structure has no value. */
		if ((code[i].code == TN_OP_OPEN || code[i].code == TN_OP_CLOSE) &&
		    tn_fields_of(r, code[i].field)->how == TN_HOW_NONE)
			continue;
		if (!make_load(r, &code[i], &load[k++])) {
			load[k - 1].code = LOAD_RUN;
			break;
		}
		*row_bytes += load[k - 1].code == LOAD_NUMBER ? sizeof(uint64_t) : 0;
	}
	return load;
}

static enum tn_trouble
run_from(struct tn_row_reader *r, const struct tn_op *code, const struct tn_op *first)
{
	r->first = first;
	return run_fields(&r->state.m, code, r);
}

bool
tn_loads_run(struct tn_row_reader *r, const struct tn_class_code *code)
{
	struct tn_machine *m = &r->state.m;
	const uint8_t *p = m->p, *zero;
	uint64_t at = m->at >> 3, end = m->end >> 3, v = 0, row = r->row;

	if (UNLIKELY(m->at & 7 || r->in_packet))
		return run_from(r, code->op, code->op) == TN_TROUBLE_NONE;
	for (const struct tn_load *load = code->load; ; load++) {
		switch (load->code) {
		case LOAD_NUMBER:
			v = tn_fixed_number_load(&load->number, p + at);
			tn_column_there(load->column, row);
			tn_column_store(load->column, v);
			break;
		case LOAD_FIELD:
			v = tn_fixed_number_load(&load->number, p + at);
			put_number(r, load->op->field, v);
			break;
		case LOAD_SAVE:
			m->slot[load->n] = (struct tn_slot) { v, 1 };
			break;
		case LOAD_TEXT:
			zero = at < end ? memchr(p + at, 0, end - at) : NULL;
			if (!zero)
				return false;
			tn_column_there(load->column, row);
			tn_column_text(load->column, p + at, (size_t)(zero - (p + at)));
			at = (uint64_t)(zero + 1 - p);
			break;
		case LOAD_ALIGN:
			at = tn_align_up(at, load->n);
			if (at > end)
				return false;
			break;
		case LOAD_CHECK:
			if (load->n > end - at)
				return false;
			break;
		case LOAD_ADVANCE:
			at += load->n;
			break;
		case LOAD_RUN:
			m->at = at << 3;
			return run_from(r, code->op, load->op) == TN_TROUBLE_NONE;
		case LOAD_END:
			m->at = at << 3;
			return true;
		}
	}
}

/* ---- values that are already decoded ---- */

static void
put_members(struct tn_row_reader *r, const struct tn_value *v)
{
	const struct tn_type *type = v->field->type;
	const struct tn_value *at = v + 1;
	uint64_t n = 0;

	for (size_t i = 0; i < type->n_fields; i++) {
		if (n < v->n && at->field == &type->field[i]) {
			tn_fields_put(r, at);
			at += at->next;
			n++;
		} else if (type->field[i].id < r->trace->n_fields && !type->field[i].hidden) {
			put_absent(r, node_of(r, &type->field[i]));
		}
	}
}

void
tn_fields_put(struct tn_row_reader *r, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	const struct tn_value *at = v + 1;

	if (v->field->id >= r->trace->n_fields)
		return;
	switch (t->kind) {
	case TN_KIND_STRING:
		put_text(r, v->field, v->bytes, tn_json_string_size(v));
		return;
	case TN_KIND_BLOB:
		put_text(r, v->field, v->bytes, (size_t)v->size);
		return;
	case TN_KIND_ARRAY:
		if (!put_array(r, v->field, v->n))
			return;
		for (uint64_t i = 0; i < v->n; i++, at += at->next)
			tn_fields_put(r, at);
		put_close(r, v->field);
		return;
	case TN_KIND_STRUCT:
		put_struct(r, v->field);
		put_members(r, v);
		return;
	case TN_KIND_VARIANT:
		put_variant(r, v->field, v->n ? (uint32_t)(at->field - t->field) : UINT32_MAX);
		break;
	case TN_KIND_OPTIONAL:
		put_optional(r, v->field, v->n != 0);
		break;
	default:
		if (t->varint && v->option)
			put_too_large(r, v->field);
		else if (!t->varint && t->length > 64 && t->kind != TN_KIND_BOOL)
			put_wide(r, v);
		else if (t->kind == TN_KIND_FLOAT)
			put_float(r, v->field, v->f);
		else
			put_number(r, v->field, v->u);
		return;
	}
	if (v->n)
		tn_fields_put(r, at);
}
