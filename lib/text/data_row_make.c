/*
 * data_row_make.c - the codes of the direct path for records; data_row_run.c runs them
 *
 * As in lines of text, a structure writes nothing itself: its first member begins with the structure's brace and
 * name, and its last member ends with the closing brace. In CSV, a field of a scope, or of a structure in a scope, is
 * a cell. If the cells of the class are in the order of the columns, a cell begins with the commas after the previous
 * cell. Otherwise (the class is scattered) the code notes the place of each cell, and sorts the cells after the last
 * one.
 */
#include <stdlib.h>

#include "text/direct_make.h"
#include "text/json_value.h"
#include "text/data_row.h"

/* The text and state around a field. */
struct place {
	bool shown;
	bool element;		/* the field begins an element of an array */
	bool cell;		/* CSV: the field is a cell; the fields inside are not cells */
	struct tn_words tail;	/* the text after the field, and after all compounds that end with it */
};

static const struct tn_words nothing = { "", 0 };

static void make_field(struct tn_direct_maker *m, const struct tn_field *field, struct place place);

static enum text_how
how_of(const struct tn_type *t)
{
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
		if (t->length > 64)
			return HOW_WIDE;
		return t->mapping ? HOW_ENUM : t->kind == TN_KIND_SINT ? HOW_SIGNED : HOW_DECIMAL;
	case TN_KIND_BITS: return t->length > 64 ? HOW_WIDE : HOW_DECIMAL;
	case TN_KIND_BITMAP: return t->length > 64 ? HOW_WIDE : HOW_ENUM;
	default: return tn_direct_how(t);
	}
}

static const char *
opening(enum text_how how, bool cell)
{
	switch (how) {
	case HOW_STRING: case HOW_WIDE: case HOW_BLOB: return cell ? "" : "\"";
	case HOW_STRUCT: return "{}";
	case HOW_ARRAY: return cell ? "" : "[";	/* the text of a cell is inside of quotes if it needs them */
	default: return "";
	}
}

static const char *
ending(enum text_how how, bool cell)
{
	switch (how) {
	case HOW_STRING: case HOW_WIDE: case HOW_BLOB: return cell ? "" : "\"";
	case HOW_ARRAY: return cell ? "" : "]";
	default: return "";
	}
}

/* ---- labels ---- */

void
tn_data_row_put_labels(const struct text_field *f, uint64_t v, bool cells, struct tn_str *out)
{
	const struct tn_type *t = f->field.type;
	struct tn_value value = { .field = &f->field, .u = v };

	if (cells) {
		tn_json_labels(out, &value, tn_json_utf8, "|");
		return;
	}
	tn_str_puts(out, "{\"value\":");
	if (tn_str_reserve(out, TN_PUT_INTEGER)) {
		char *p = out->text + out->n;

		out->n = (size_t)((t->kind == TN_KIND_SINT ? tn_put_i64(p, (int64_t)v) : tn_put_u64(p, v)) - out->text);
	}
	tn_str_puts(out, ",\"labels\":[");
	tn_json_labels(out, &value, tn_json_string, ",");
	tn_str_puts(out, "]}");
}

void
tn_data_row_quote(struct tn_str *out, size_t from)
{
	size_t n = out->n - from;

	if (out->failed || tn_csv_is_plain(out->text + from, n) || n > SIZE_MAX / 4 || !tn_str_reserve(out, 3 * n + 2))
		return;
	memmove(out->text + from + 2 * n + 2, out->text + from, n);
	out->n = (size_t)(tn_csv_put_quoted(out->text + from, out->text + from + 2 * n + 2, n) - out->text);
}

/* Write the text of a small value, as a sink does. If there are two cells, the commas between them are included. */
static void
put_dense(struct tn_direct_maker *m, const struct text_field *f, uint64_t v)
{
	size_t from;

	if (!(f->cell & CELL_LABELS)) {
		tn_data_row_put_labels(f, v, false, &m->room);
		if (f->cell)
			tn_data_row_quote(&m->room, 0);
		return;
	}
	if (tn_str_reserve(&m->room, TN_PUT_INTEGER))
		m->room.n = (size_t)(tn_put_u64(m->room.text, v) - m->room.text);
	tn_put_words(&m->room, &f->between);
	from = m->room.n;
	tn_data_row_put_labels(f, v, true, &m->room);
	if (m->room.n > from)
		tn_data_row_quote(&m->room, from);
}

static void
make_dense(struct tn_direct_maker *m, struct text_field *f)
{
	if (f->field.type->kind == TN_KIND_BITMAP || f->cell & CELL_PLACED)
		return;
	tn_direct_make_dense(m, f, put_dense);
}

/* ---- cells ---- */

/* Write the commas up to the next column, or note the column's number if the class is scattered. */
static void
to_next_column(struct tn_direct_maker *m)
{
	size_t column = m->columns->column[m->next++];

	for (; !m->scattered && m->last < column; m->last++)
		tn_str_puts(&m->room, ",");
}

static void
begin_cell(struct tn_direct_maker *m, struct text_field *f)
{
	f->number = (uint32_t)m->next;
	if (m->scattered)
		f->cell |= CELL_PLACED;
	to_next_column(m);
	switch ((enum text_how)f->how) {
	case HOW_ENUM: case HOW_STRING: case HOW_BLOB: case HOW_ARRAY: case HOW_STRUCT: case HOW_OBJECT:
		f->cell |= CELL_QUOTED;
		break;
	default:
		break;
	}
}

/* ---- fields ---- */

/* Make "}" and the text after the structure. */
static struct tn_words
brace_and(struct tn_direct_maker *m, const struct tn_words *tail)
{
	struct tn_str before = m->room;
	struct tn_words end;

	m->room = (struct tn_str) { 0 };
	tn_str_puts(&m->room, "}");
	tn_put_words(&m->room, tail);
	end = tn_direct_copy(m);
	tn_str_release(&m->room);
	m->room = before;
	return end;
}

/* The braces of a structure that a member of it writes. */
enum braces { BRACE_NONE, BRACE_OPEN = 1, BRACE_CLOSE = 2, BRACE_BOTH = 3 };

/*
 * Make the members of a structure. m->room contains the text before the structure, which the first member takes.
 * @some: there are other members before.
 */
static void
make_members(struct tn_direct_maker *m, const struct tn_type *t, struct place place, enum braces braces, bool some)
{
	const struct tn_field *last = tn_direct_last_shown(t);
	struct tn_words end = place.tail;
	bool first = true;

	if (braces & BRACE_CLOSE)
		end = brace_and(m, &place.tail);
	if (braces & BRACE_OPEN)
		tn_str_puts(&m->room, "{");
	for (size_t i = 0; i < t->n_fields && !m->failed; i++) {
		const struct tn_field *field = &t->field[i];
		struct place inside = { .shown = !field->hidden, .tail = nothing };

		if (inside.shown) {
			if (some)
				tn_str_puts(&m->room, ",");
			tn_json_string(&m->room, (const uint8_t *)field->label, strlen(field->label));
			tn_str_puts(&m->room, ":");
			inside.element = place.element && first;
			first = false;
			if (field == last)
				inside.tail = end;
			some = true;
		}
		make_field(m, field, inside);
	}
}

/* CSV: make a cell for each member. */
static void
make_cells(struct tn_direct_maker *m, const struct tn_type *t)
{
	for (size_t i = 0; i < t->n_fields && !m->failed; i++) {
		const struct tn_field *field = &t->field[i];
		struct place inside = { .shown = !field->hidden, .cell = !field->hidden, .tail = nothing };

		make_field(m, field, inside);
	}
}

/* Make the contents of an array, a variant or an optional, or of a structure that is hidden or a cell. */
static void
make_inside(struct tn_direct_maker *m, struct text_field *f, struct place place)
{
	const struct tn_type *t = f->field.type;
	bool choice = t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL;
	struct place inside = { .shown = place.shown && t->kind != TN_KIND_STRUCT, .tail = nothing };

	if (f->how == HOW_OBJECT) {
		inside.tail = nothing;
		make_members(m, t, inside, BRACE_NONE, false);
		return;
	}
	inside.element = t->kind == TN_KIND_ARRAY;
	/* For a variant or optional in a cell, the content decides whether the cell needs quotes. */
	inside.cell = choice && place.cell;
	for (size_t i = 0; i < t->n_fields && !m->failed; i++)
		make_field(m, &t->field[i], inside);
}

static void
make_shown(struct tn_direct_maker *m, struct text_field *f, struct place place, bool in_choice)
{
	const struct tn_type *t = f->field.type;

	f->how = (uint8_t)how_of(t);
	if (f->how == HOW_STRUCT && place.cell)
		f->how = HOW_OBJECT;
	f->element = place.element;
	if (place.cell && in_choice) {
		/*
		 * The field of the variant or optional has the commas and the number; this switch makes the text
		 * between them.
		 */
		switch ((enum text_how)f->how) {
		case HOW_ENUM: case HOW_STRING: case HOW_BLOB: case HOW_ARRAY: case HOW_STRUCT: case HOW_OBJECT:
			f->cell = CELL_QUOTED;
			break;
		default:
			break;
		}
	} else if (place.cell) {
		begin_cell(m, f);
	}
	tn_str_puts(&m->room, opening((enum text_how)f->how, place.cell));
	f->lead = tn_direct_copy(m);
	if (place.cell && !in_choice && tn_json_has_labels(t)) {
		f->cell |= CELL_LABELS;
		to_next_column(m);
		f->between = tn_direct_copy(m);
	}
	tn_str_puts(&m->room, ending((enum text_how)f->how, place.cell));
	tn_put_words(&m->room, &place.tail);
	f->tail = tn_direct_copy(m);
	f->need = f->lead.n + f->tail.n + f->between.n + 3 * TN_STR_SLACK;
	if (f->how == HOW_ENUM)
		make_dense(m, f);
}

static bool
is_in_choice(const struct tn_field *field)
{
	const struct tn_type *t = field->parent ? field->parent->type : NULL;

	return t && (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL);
}

/* Make a field. m->room contains the text before the value; the field takes it, unless it shows nothing. */
static void
make_field(struct tn_direct_maker *m, const struct tn_field *field, struct place place)
{
	struct text_field *f = TN_NEW(&m->text->arena, struct text_field);
	const struct tn_type *t = field->type;
	bool in_choice = is_in_choice(field);

	if (!f) {
		m->failed = true;
		return;
	}
	m->of_field[field->id] = f;
	f->field = *field;
	if (place.shown && t->kind == TN_KIND_STRUCT && place.cell && !in_choice) {
		f->how = HOW_HIDDEN;
		make_cells(m, t);
		return;
	}
	if (place.shown && t->kind == TN_KIND_STRUCT && !place.cell && tn_direct_last_shown(t)) {
		f->how = HOW_HIDDEN;
		make_members(m, t, place, BRACE_BOTH, false);
		return;
	}
	if (place.shown)
		make_shown(m, f, place, in_choice);
	make_inside(m, f, place);
}

static bool
has_members(const struct tn_field *root)
{
	return tn_field_shown(root) && root->type->kind == TN_KIND_STRUCT && tn_direct_last_shown(root->type);
}

/*
 * JSON: both contexts are one object. The text of the common context is the same for all classes, so it begins the
 * object and leaves it open. The specific context continues and ends the object; without one, words->middle ends it.
 * A context without members to show writes nothing.
 */
static void
make_context(struct tn_direct_maker *m, const struct tn_field *root, bool goes_on)
{
	struct place place = { .shown = true, .tail = nothing };
	struct text_field *f = TN_NEW(&m->text->arena, struct text_field);

	if (!f) {
		m->failed = true;
		return;
	}
	f->field = *root;
	f->how = HOW_HIDDEN;
	m->of_field[root->id] = f;
	if (!goes_on)
		tn_str_puts(&m->room, ",\"context\":");
	make_members(m, root->type, place, goes_on ? BRACE_CLOSE : BRACE_OPEN, goes_on);
}

static void
make_json_scope(struct tn_direct_maker *m, const struct tn_event_class *ec, const struct tn_field *root, size_t scope)
{
	const struct tn_field *common = ec->stream_class->common_context;
	struct place place = { .shown = !root->hidden, .tail = nothing };

	if (scope == 1 && has_members(root)) {
		make_context(m, root, false);
	} else if (scope == 2 && has_members(common) && has_members(root)) {
		make_context(m, root, true);
	} else {
		place.shown = place.shown && (scope == 3 || root->type->kind != TN_KIND_STRUCT || has_members(root));
		if (place.shown)
			tn_str_puts(&m->room, scope == 3 ? ",\"fields\":" : ",\"context\":");
		make_field(m, root, place);
	}
}

static void
make_scope(struct tn_direct_maker *m, const struct tn_event_class *ec, const struct tn_field *root, size_t scope)
{
	const struct tn_class_columns *c = m->columns;
	struct place place = { .tail = nothing };

	if (!root || m->failed)
		return;
	if (!m->of_field[root->id] && !c) {
		make_json_scope(m, ec, root, scope);
	} else if (!m->of_field[root->id]) {
		place.shown = place.cell = !root->hidden;
		m->next = c->begin[scope];
		make_field(m, root, place);
	}
	if (c && c->begin[scope] < c->begin[scope + 1])
		m->last = c->column[c->begin[scope + 1] - 1];
}

/* JSON: make the text between the contexts. False: the contexts cannot be joined for this class. */
static bool
make_middle(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words)
{
	const struct tn_field *a = ec->stream_class->common_context, *b = ec->specific_context;
	bool both = tn_field_shown(a) && tn_field_shown(b);

	if (both && (a->type->kind != TN_KIND_STRUCT || b->type->kind != TN_KIND_STRUCT))
		return false;
	if (has_members(a))
		tn_str_puts(&m->room, has_members(b) ? "" : "}");
	else if (!has_members(b) && ((tn_field_shown(a) && a->type->kind == TN_KIND_STRUCT) ||
				     (tn_field_shown(b) && b->type->kind == TN_KIND_STRUCT)))
		tn_str_puts(&m->room, ",\"context\":{}");
	words->middle = tn_direct_copy(m);
	return true;
}

/* ---- classes ---- */

/*
 * Find the first column of the class after the cells of the packet. False: some columns of the class are before these
 * cells.
 */
static bool
begin_columns(struct tn_direct_maker *m)
{
	const struct tn_class_columns *c = m->columns;
	size_t n = c->begin[1];

	m->last = n ? c->column[n - 1] : TN_FIRST_COLUMNS - 1;
	for (size_t i = 1; i < n; i++)
		if (c->column[i] <= c->column[i - 1])
			return false;
	for (size_t i = n; i < c->begin[TN_COLUMN_SCOPES]; i++)
		if (n && c->column[i] <= m->last)
			return false;
	return true;
}

static void
make_end(struct tn_direct_maker *m, struct tn_class_words *words)
{
	if (!m->columns) {
		tn_str_puts(&m->room, "}}\n");
		words->tail = tn_direct_copy(m);
		return;
	}
	if (m->scattered) {
		const struct tn_class_columns *c = m->columns;
		size_t n = c->begin[TN_COLUMN_SCOPES];

		m->last = c->column[c->order[n - 1]];
	}
	for (size_t i = m->last + 1; i < m->text->columns->n; i++)
		tn_str_puts(&m->room, ",");
	tn_str_puts(&m->room, "\n");
	words->tail = tn_direct_copy(m);
}

static void
make_words(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words)
{
	tn_data_row_class_words(m->text, ec, &m->room);
	words->head = tn_direct_copy(m);
}

static void
make_class(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words)
{
	const struct tn_stream_class *sc = ec->stream_class;
	const struct tn_event_plan *plan = tn_plan_event(ec);
	const struct tn_op *common = sc->plan->read[TN_SCOPE_COMMON_CONTEXT], *from[2];
	const struct tn_field *root[2] = { ec->specific_context, ec->payload };
	struct tn_op *code, *at;
	size_t n_common = 0, n[2] = { 0 };

	if (!plan)
		return;
	from[0] = plan->read[TN_SCOPE_SPECIFIC_CONTEXT];
	from[1] = plan->read[TN_SCOPE_PAYLOAD];
	if ((common && !tn_direct_can_run(common, &n_common)) || (from[0] && !tn_direct_can_run(from[0], &n[0])) ||
	    (from[1] && !tn_direct_can_run(from[1], &n[1])) || !tn_direct_is_affordable(m, ec))
		return;
	code = at = TN_NEW_ARRAY(&m->text->arena, n_common + n[0] + n[1] + 2, struct tn_op);
	if (!code) {
		m->failed = true;
		return;
	}
	if (!m->columns && !make_middle(m, ec, words))
		return;
	make_words(m, ec, words);
	make_scope(m, ec, sc->common_context, 1);
	if (common && !m->failed) {
		at = tn_direct_append_code(m, at, 0, common, n_common);
		if (tn_field_shown(sc->common_context) && !m->scattered)
			words->repeat_bytes = tn_direct_repeat_bytes(sc->plan, common, &words->repeat_align);
		words->repeats = code;
		at++->code = TN_OP_END;
	}
	code = at;
	for (size_t i = 0; i < 2; i++) {
		make_scope(m, ec, root[i], i + 2);
		if (from[i] && !m->failed)
			at = tn_direct_append_code(m, at, (uint32_t)(at - code), from[i], n[i]);
	}
	at->code = TN_OP_END;
	make_end(m, words);
	words->scattered = m->scattered;
	if (!m->failed)
		words->code = code;
}

void
tn_data_row_make_class(struct tn_direct_maker *makers, const struct tn_event_class *ec, struct tn_class_words *words)
{
	struct tn_direct_maker *m = makers;

	/*
	 * The texts of a common context are made once for all classes, so a class with other names takes the general
	 * path.
	 */
	if (!ec->stream_class->plan || words->shadowed)
		return;
	if (m->text->columns) {
		if (!words->columns)
			return;
		m = &makers[!words->columns->rising];
		m->columns = words->columns;
		m->scattered = !words->columns->rising;
		if (m->scattered && !words->columns->order)
			return;
	}
	if (tn_direct_maker_ready(m) && (!m->columns || begin_columns(m)))
		make_class(m, ec, words);
}
