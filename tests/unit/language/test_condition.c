/* The compiled way against the general one: random conditions over random types and bits. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../plan/world.h"
#include "base/str.h"
#include "plan/plan.h"
#include "language/expression.h"

#define ROWS 12
#define LEAVES 64

struct leaf {
	struct tn_str name;
	struct tn_reference *reference;
};

struct trial {
	struct world w;
	struct tn_names *names;
	struct tn_batch batch;
	struct leaf leaf[LEAVES];
	size_t n;
	size_t decided, passed, refused;
};

/* The name of one element of each array that the field is in. */
static void
choose_elements(struct tn_str *name)
{
	struct tn_str chosen = { 0 };

	for (const char *p = tn_str_text(name); *p; p++) {
		tn_str_putc(&chosen, *p);
		if (p[0] == '[' && p[1] == ']')
			tn_str_printf(&chosen, "%u", dice(4));
	}
	tn_str_release(name);
	*name = chosen;
}

static void
find_leaves(struct trial *t, enum tn_scope scope, const struct tn_field *f)
{
	for (size_t i = 0; f && i < f->type->n_fields && t->n < LEAVES; i++) {
		const struct tn_field *in = &f->type->field[i];
		struct leaf *leaf = &t->leaf[t->n];

		if ((*in->label || f->type->kind == TN_KIND_ARRAY) && in->type->kind < TN_KIND_STRUCT) {
			tn_names_shortest(t->names, scope, in, &leaf->name);
			choose_elements(&leaf->name);
			leaf->reference = calloc(1, sizeof *leaf->reference);
			if (tn_reference_init(leaf->reference, t->names, tn_str_text(&leaf->name), NULL, NULL) == TN_OK) {
				t->n++;
			} else {	/* several are called so */
				free(leaf->reference);
				tn_str_release(&leaf->name);
				memset(leaf, 0, sizeof *leaf);
			}
		}
		find_leaves(t, scope, in);
	}
}

static void
put_value(struct tn_str *out, const struct leaf *leaf, struct tn_row_state *state, const struct tn_batch *b)
{
	struct tn_cell cell = { .kind = TN_CELL_NONE };
	const char *label;

	tn_row_at(state, b, dice(ROWS));
	if (tn_reference_get(leaf->reference, state, &cell, NULL) < 0)
		cell.kind = TN_CELL_NONE;
	label = tn_cell_label(&cell);
	if (label && dice(2)) {
		tn_str_printf(out, "\"%s\"", label);
		return;
	}
	switch (cell.kind) {
	case TN_CELL_UNSIGNED: tn_str_printf(out, "%" PRIu64, cell.u + dice(3) - 1); break;
	case TN_CELL_SIGNED: tn_str_printf(out, "%" PRId64, cell.i); break;
	case TN_CELL_DOUBLE: tn_str_printf(out, "%.6f", cell.f == cell.f && cell.f < 1e9 && cell.f > -1e9 ? cell.f : 0.5); break;
	case TN_CELL_TEXT:
		tn_str_putc(out, '"');
		for (size_t i = 0; i < cell.n; i++)
			tn_str_printf(out, "\\x%02x", (unsigned char)cell.text[i]);
		tn_str_putc(out, '"');
		break;
	default: tn_str_printf(out, "%u", dice(200)); break;
	}
}

static void
put_condition(struct tn_str *out, struct trial *t, struct tn_row_state *state, unsigned depth)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=" };
	const struct leaf *leaf = &t->leaf[dice((uint32_t)t->n)];
	const char *name = tn_str_text(&leaf->name);

	if (depth && dice(2)) {
		tn_str_puts(out, dice(3) ? "(" : "not (");
		put_condition(out, t, state, depth - 1);
		tn_str_puts(out, dice(2) ? ") and (" : ") or (");
		put_condition(out, t, state, depth - 1);
		tn_str_puts(out, ")");
		return;
	}
	switch (dice(6)) {
	case 0:
		tn_str_printf(out, "has(%s)", name);
		return;
	case 1:
		tn_str_printf(out, "%s%s in (", name, dice(2) ? "" : " not");
		for (uint32_t n = 1 + dice(6); n--; tn_str_puts(out, n ? ", " : ")"))
			put_value(out, leaf, state, &t->batch);
		return;
	case 2:
		tn_str_printf(out, "%s in ", name);
		tn_str_puts(out, dice(2) ? ".." : "");
		put_value(out, leaf, state, &t->batch);
		tn_str_puts(out, out->n > 4 && strstr(tn_str_text(out) + out->n - 4, "..") ? "" : "..");
		return;
	case 3:
		tn_str_printf(out, "%s =~ /[a-m0-4]/", name);
		return;
	default:
		tn_str_printf(out, "%s %s ", name, ops[dice(6)]);
		put_value(out, leaf, state, &t->batch);
		return;
	}
}

static void
compare_ways(struct trial *t, const char *text)
{
	struct tn_language language = { .names = t->names };
	struct tn_expression_state compiled = { 0 }, rows = { 0 }, general = { .general = true };
	struct tn_expression *e;
	struct tn_error err;
	uint8_t pass[ROWS];

	if (tn_expression_new(&e, &language, text, &err) < 0) {
		cr_assert_eq(err.code, TN_ERR_ARGUMENT, "%s", err.text);
		t->refused++;
		return;
	}
	memset(pass, 1, sizeof pass);
	if (tn_expression_match_rows(e, &rows, &t->batch, 0, ROWS, pass, &err) < 0)
		memset(pass, 9, sizeof pass);
	for (size_t i = 0; i < ROWS; i++) {
		bool one, other;

		if (tn_expression_match(e, &general, &t->batch, i, NULL, 0, &other, &err) < 0)
			continue;	/* an event that cannot be read, perhaps after the requested field */
		cr_assert_eq(tn_expression_match(e, &compiled, &t->batch, i, NULL, 0, &one, &err), TN_OK, "%s: %s", text, err.text);
		cr_assert_eq(one, other, "%s: row %zu is %d, by values %d", text, i, one, other);
		cr_assert(pass[i] == 9 || pass[i] == other, "%s: row %zu is %d, by values %d", text, i, pass[i], other);
		t->decided++;
		t->passed += other;
	}
	tn_expression_state_release(&compiled);
	tn_expression_state_release(&rows);
	tn_expression_state_release(&general);
	tn_expression_free(e);
}

Test(condition, compiled_as_general)
{
	static uint8_t data[CONTENT + 64];
	static struct trial t;

	world_seed(3141592653589793238u);
	for (unsigned round = 0; round < 500; round++) {
		struct tn_stream_file file = { .map = { .data = data, .size = CONTENT } };
		struct tn_row_state state = { 0 };
		struct tn_error err;

		make_world(&t.w);
		cr_assert_eq(tn_plan_compile(&t.w.trace, &err), TN_OK, "%s", err.text);
		make_bits(data, CONTENT);
		t.w.stream.file = &file;
		t.w.stream.n_files = 1;
		t.batch = (struct tn_batch) { .stream = &t.w.stream, .data = data };
		t.batch.entry.content_bits = t.batch.entry.size_bits = CONTENT * 8;
		for (unsigned i = 0; i < ROWS; i++) {
			struct tn_ref *ref = TN_ARRAY_ADD(&t.batch.refs);

			ref->bit = i % 6 == 4 ? (CONTENT - dice(80)) * 8 : 1024 * 8 + i * 64;
			if (i % 7 == 3)
				memset(data + ref->bit / 8, 0xff, 2);
		}
		cr_assert_eq(tn_names_new(&t.names, &t.w.set, NULL, &err), TN_OK);
		t.n = 0;
		find_leaves(&t, TN_SCOPE_PAYLOAD, t.w.event_class.payload);
		find_leaves(&t, TN_SCOPE_SPECIFIC_CONTEXT, t.w.event_class.specific_context);
		find_leaves(&t, TN_SCOPE_COMMON_CONTEXT, t.w.stream_class.common_context);
		find_leaves(&t, TN_SCOPE_PACKET_CONTEXT, t.w.stream_class.packet_context);
		for (unsigned i = 0; t.n && i < 8; i++) {
			struct tn_str text = { 0 };

			put_condition(&text, &t, &state, dice(3));
			compare_ways(&t, tn_str_text(&text));
			tn_str_release(&text);
		}
		for (size_t i = 0; i < t.n; i++) {
			tn_str_release(&t.leaf[i].name);
			tn_reference_release(t.leaf[i].reference);
			free(t.leaf[i].reference);
			memset(&t.leaf[i], 0, sizeof t.leaf[i]);
		}
		tn_row_state_release(&state);
		tn_names_free(t.names);
		TN_ARRAY_RELEASE(&t.batch.refs);
		tn_shared_arena_free(t.w.trace.late);
		tn_arena_release(&t.w.trace.arena);
	}
	/* Both happen often, else the test says little. */
	cr_assert_gt(t.decided, 10000, "%zu decided, %zu passed, %zu refused", t.decided, t.passed, t.refused);
	cr_assert_gt(t.passed, t.decided / 8, "%zu decided, %zu passed, %zu refused", t.decided, t.passed, t.refused);
}
