#include "ftrace/types.h"

#include <string.h>

#include "model/labels.h"

/* ---- one field ---- */

static struct tn_type *
new_number(struct tn_ftrace_builder *b, const struct tn_ftrace_field *f)
{
	bool flags = f->mapping && f->is_flags;
	struct tn_type *t = tn_build_type(&b->b, flags ? TN_KIND_BITMAP : f->is_signed && !f->is_hex ? TN_KIND_SINT : TN_KIND_UINT,
					  8 * (uint64_t)f->width);

	if (!t)
		return NULL;
	t->base = f->is_hex ? 16 : 10;
	if (f->kind != TN_FTRACE_NUMBER || !f->mapping)
		return t;
	t->mapping = f->mapping;
	t->n_mappings = f->n_mappings;
	t->labels = tn_labels_new(&b->b.trace->arena, t);
	b->b.failed |= !t->labels;
	return t;
}

static struct tn_type *
new_type(struct tn_ftrace_builder *b, const struct tn_ftrace_field *f)
{
	struct tn_type *t;

	switch (f->kind) {
	case TN_FTRACE_NUMBER:
		return new_number(b, f);
	case TN_FTRACE_TEXT:
		t = tn_build_type(&b->b, TN_KIND_STRING, f->size);
		break;
	case TN_FTRACE_NUMBERS:
		t = tn_build_array(&b->b, new_number(b, f));
		if (t)
			t->length = f->size / f->width;
		break;
	default:
		t = tn_build_type(&b->b, TN_KIND_BLOB, f->size);
		break;
	}
	if (t) {
		t->extent = f->located ? TN_EXTENT_DYNAMIC : TN_EXTENT_STATIC;
		t->located = f->located;
		t->record = f->located ? b->record : TN_RECORD_NONE;
		if (f->located)
			t->length = 0;
	}
	return t;
}

/* Add a field that the text line shows, @gap bytes after the field before it. */
static struct tn_field *
add_field(struct tn_ftrace_builder *b, struct tn_type *in, const struct tn_ftrace_field *f, uint32_t gap)
{
	struct tn_field *field = tn_build_field(&b->b, in, f->name, new_type(b, f));

	if (field)
		field->gap = 8 * gap;
	return field;
}

/* ---- scopes ---- */

static struct tn_field *
number_scope(struct tn_ftrace_builder *b, struct tn_type *type)
{
	struct tn_field *root = tn_build_root(&b->b, type);

	if (!b->b.failed)
		tn_field_number(root, &b->b.trace->n_fields);
	return root;
}

struct tn_field *
tn_ftrace_header(struct tn_ftrace_builder *b)
{
	struct tn_type *header = tn_build_compound(&b->b, TN_KIND_STRUCT, 2);

	tn_build_field(&b->b, header, "type_len", tn_build_type(&b->b, TN_KIND_UINT, 5));
	tn_build_field(&b->b, header, "time_delta", tn_build_type(&b->b, TN_KIND_UINT, 27));
	if (header) {
		header->align = 32;
		header->record = TN_RECORD_RING;
	}
	return number_scope(b, header);
}

/* Add the name of the thread, from the command lines that were saved at the end of the recording. */
static void
add_command(struct tn_ftrace_builder *b, struct tn_type *context)
{
	static const char derived[] = "{\"derived\":\"saved_cmdlines\"}";
	struct tn_type *t = tn_build_type(&b->b, TN_KIND_STRING, 0);
	struct tn_field *f = tn_build_field(&b->b, context, "comm", t);

	if (!f)
		return;
	t->extent = TN_EXTENT_STATIC;
	t->lookup = b->commands;
	f->attributes = derived;
}

static void
name_flags(struct tn_ftrace_field *f)
{
	static const struct tn_range bits[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 6, 6 }, { 7, 7 } };
	static const struct tn_mapping names[] = {
		{ "irqs_off", &bits[0], 1 }, { "need_resched_lazy", &bits[1], 1 }, { "need_resched", &bits[2], 1 },
		{ "hardirq", &bits[3], 1 }, { "softirq", &bits[4], 1 }, { "preempt_resched", &bits[5], 1 }, { "nmi", &bits[6], 1 },
		{ "bh_off", &bits[7], 1 },
	};

	f->mapping = names;
	f->n_mappings = TN_COUNT(names);
	f->is_flags = true;
}

void
tn_ftrace_common(struct tn_ftrace_builder *b, struct tn_type *context, const struct tn_ftrace_format *format)
{
	uint32_t at = 0;

	for (size_t i = 0; i < format->n_common && !b->b.failed; i++) {
		struct tn_ftrace_field f = format->field[i];
		struct tn_field *field;

		if (strcmp(f.name, "common_flags") == 0 && f.size == 1)
			name_flags(&f);
		field = add_field(b, context, &f, f.offset - at);
		at = f.offset + f.size;
		if (field && i == 0)
			field->hidden = true;	/* the name of the event already contains it */
		if (b->commands && strcmp(f.name, "common_pid") == 0 && f.kind == TN_FTRACE_NUMBER && f.size == 4)
			add_command(b, context);
	}
}

struct tn_field *
tn_ftrace_context(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format)
{
	struct tn_type *context = tn_build_compound(&b->b, TN_KIND_STRUCT, format->n_common + 1);

	tn_ftrace_common(b, context, format);
	return number_scope(b, context);
}

/* Returns the position after the common fields, in bytes. */
static uint32_t
context_end(const struct tn_ftrace_format *format)
{
	const struct tn_ftrace_field *last = &format->field[format->n_common - 1];

	return last->offset + last->size;
}

struct tn_field *
tn_ftrace_payload(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format)
{
	struct tn_type *payload = tn_build_compound(&b->b, TN_KIND_STRUCT, format->n_fields - format->n_common);
	bool texts = b->addresses && strcmp(format->system, "ftrace") == 0;
	bool calls = strcmp(format->system, "raw_syscalls") == 0;
	uint32_t at = context_end(format);

	for (size_t i = format->n_common; i < format->n_fields && !b->b.failed; i++) {
		struct tn_ftrace_field f = format->field[i];

		if (texts && f.kind == TN_FTRACE_NUMBER && (strcmp(f.name, "fmt") == 0 || strcmp(f.name, "str") == 0)) {
			f.mapping = b->addresses;
			f.n_mappings = b->n_addresses;
		}
		if (calls && f.kind == TN_FTRACE_NUMBER && strcmp(f.name, "id") == 0)
			f.mapping = tn_ftrace_syscalls(b->b.trace, &f.n_mappings);
		add_field(b, payload, &f, f.offset - at);
		at = f.offset + f.size;
	}
	return number_scope(b, payload);
}

struct tn_field *
tn_ftrace_bytes(struct tn_ftrace_builder *b)
{
	struct tn_ftrace_field data = {
		.name = "data", .kind = TN_FTRACE_NUMBERS, .located = TN_LOCATED_REST, .width = 1, .is_hex = true,
	};
	struct tn_type *payload = tn_build_compound(&b->b, TN_KIND_STRUCT, 1);

	add_field(b, payload, &data, 0);
	return number_scope(b, payload);
}

bool
tn_ftrace_same_context(const struct tn_ftrace_format *a, const struct tn_ftrace_format *b)
{
	if (a->n_common != b->n_common)
		return false;
	for (size_t i = 0; i < a->n_common; i++)
		if (a->field[i].offset != b->field[i].offset || a->field[i].size != b->field[i].size ||
		    strcmp(a->field[i].name, b->field[i].name) != 0)
			return false;
	return true;
}

uint32_t
tn_ftrace_need(const struct tn_ftrace_format *format)
{
	const struct tn_ftrace_field *last = format->n_fields ? &format->field[format->n_fields - 1] : NULL;

	return last ? last->offset + last->size : 0;
}
