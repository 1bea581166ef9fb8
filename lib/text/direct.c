/* direct.c - make the codes of the direct path; direct_run.c runs them */
#include "text/direct.h"

#include <stdlib.h>

#include "text/debug_info.h"
#include "text/direct_make.h"
#include "text/direct_template.h"

/* ---- enumerations of small values: one text for each value ---- */

#define MOST_DENSE 256		/* limit of values of a field with a text for each */

/* The number of values, from 0 on, that each get a text. */
static uint64_t
dense_values(const struct tn_type *t)
{
	uint64_t n = 1;

	for (size_t i = 0; i < t->n_mappings; i++)
		for (size_t k = 0; k < t->mapping[i].n_ranges; k++) {
			uint64_t last = t->mapping[i].range[k].upper;

			if (last < MOST_DENSE && last >= n)
				n = last + 1;
		}
	return n;
}

/* "LABELS : container = N )" */
static void
put_enum(const struct tn_text *text, const struct tn_type *t, uint64_t v, struct tn_str *out)
{
	tn_put_labels(text, t, v, out);
	tn_str_puts(out, " : container = ");
	if (tn_str_reserve(out, TN_PUT_INTEGER))
		out->n = (size_t)(tn_put_integer(out->text + out->n, t, v) - out->text);
	tn_str_puts(out, " )");
}

void
tn_direct_put_enum(const struct tn_text *text, const struct text_field *f, uint64_t v, struct tn_str *out)
{
	put_enum(text, f->field.type, v, out);
}

/* Fields of one enumeration, in an alias or an array, share the texts that were made for the first field. */
static bool
is_same_enum(const struct text_field *a, const struct text_field *b)
{
	const struct tn_type *x = a->field.type, *y = b->field.type;

	return x->labels && x->labels == y->labels && x->kind == y->kind && x->length == y->length && x->base == y->base &&
	       a->cell == b->cell && a->between.n == b->between.n &&
	       (!a->between.n || memcmp(a->between.text, b->between.text, a->between.n) == 0);
}

void
tn_direct_make_dense(struct tn_direct_maker *m, struct text_field *f,
		     void (*put)(struct tn_direct_maker *m, const struct text_field *f, uint64_t v))
{
	uint64_t n = m->dense_left ? dense_values(f->field.type) : 0;

	if (m->last_enum && is_same_enum(m->last_enum, f)) {
		f->dense = m->last_enum->dense;
		f->n_dense = m->last_enum->n_dense;
		return;
	}
	f->dense = TN_NEW_ARRAY(&m->text->arena, n, struct tn_words);
	if (!f->dense) {
		m->failed = true;
		return;
	}
	for (uint64_t v = 0; v < n && m->dense_left && !m->failed; v++) {
		size_t bytes;

		put(m, f, v);
		bytes = m->room.n + sizeof f->dense[0];
		if (bytes > m->dense_left) {
			m->room.n = 0;
			m->dense_left = 0;
			break;
		}
		m->dense_left -= bytes;
		f->dense[v] = tn_direct_copy(m);
		f->n_dense = v + 1;
	}
	m->last_enum = f;
}

static void
put_words(struct tn_direct_maker *m, const struct text_field *f, uint64_t v)
{
	put_enum(m->text, f->field.type, v, &m->room);
}

/* ---- fields ---- */

enum text_how
tn_direct_how(const struct tn_type *t)
{
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
		if (t->length > 64)
			return HOW_WIDE;
		if (t->mapping)
			return HOW_ENUM;
		if (t->base == 16 && (t->kind == TN_KIND_UINT || t->length == 0 || t->length == 64))
			return HOW_HEX;
		if (t->base == 8 || t->base == 2 || t->base == 16)
			return HOW_INTEGER;
		return t->kind == TN_KIND_SINT ? HOW_SIGNED : HOW_DECIMAL;
	case TN_KIND_BOOL: return HOW_BOOL;
	case TN_KIND_BITS: return t->length > 64 ? HOW_WIDE : HOW_HEX;
	case TN_KIND_BITMAP: return t->length > 64 ? HOW_WIDE : HOW_BITMAP;
	case TN_KIND_FLOAT: return t->length > 64 ? HOW_WIDE : HOW_FLOAT;
	case TN_KIND_STRING: return HOW_STRING;
	case TN_KIND_BLOB: return HOW_BLOB;
	case TN_KIND_STRUCT: return HOW_STRUCT;
	case TN_KIND_ARRAY: return HOW_ARRAY;
	case TN_KIND_VARIANT: return HOW_VARIANT;
	case TN_KIND_OPTIONAL: return HOW_OPTIONAL;
	}
	return HOW_HIDDEN;
}

/* The text at the start and at the end of each value of this kind. */
static const char *
opening(enum text_how how)
{
	switch (how) {
	case HOW_HEX: case HOW_BITMAP: return "0x";
	case HOW_ENUM: return "( ";
	case HOW_STRING: return "\"";
	case HOW_STRUCT: return "{ }";
	case HOW_ARRAY: return "[";
	default: return "";
	}
}

static const char *
ending(enum text_how how)
{
	return how == HOW_STRING ? "\"" : how == HOW_ARRAY ? " ]" : "";
}

/* The text and state around a field in the line. */
struct place {
	bool shown, names;
	bool element;		/* the field begins an element of an array */
	struct tn_words tail;	/* the text after the field, and after all compounds that end with it */
};

static void make_field(struct tn_direct_maker *m, const struct tn_field *field, struct place place);

static const struct tn_words nothing = { "", 0 };

/* Make " }" and the text after the structure. */
static struct tn_words
brace_and(struct tn_direct_maker *m, const struct tn_words *tail)
{
	tn_str_puts(&m->room, " }");
	tn_put_words(&m->room, tail);
	return tn_direct_copy(m);
}

const struct tn_field *
tn_direct_last_shown(const struct tn_type *t)
{
	for (size_t i = t->n_fields; i-- > 0;)
		if (!t->field[i].hidden)
			return &t->field[i];
	return NULL;
}

/*
 * Make a structure with members to show. It writes nothing itself: its first member begins with the opening brace,
 * and its last member ends with the closing brace. m->room contains the text before the structure.
 */
static void
make_struct(struct tn_direct_maker *m, const struct tn_type *t, struct place place)
{
	const struct tn_field *last = tn_direct_last_shown(t);
	struct tn_str before = m->room;
	struct tn_words end;
	bool some = false;

	m->room = (struct tn_str) { 0 };
	end = brace_and(m, &place.tail);
	tn_str_release(&m->room);
	m->room = before;
	tn_str_puts(&m->room, "{");
	for (size_t i = 0; i < t->n_fields && !m->failed; i++) {
		const struct tn_field *field = &t->field[i];
		struct place inside = { .shown = !field->hidden, .names = place.names, .tail = nothing };

		if (inside.shown) {
			tn_str_puts(&m->room, some ? ", " : " ");
			if (place.names) {
				tn_put_name(m->text, field->label, &m->room);
				tn_str_puts(&m->room, " = ");
			}
			inside.element = place.element && !some;
			if (field == last)
				inside.tail = end;
			some = true;
		}
		make_field(m, field, inside);
	}
}

/* Make a field. m->room contains the text before the value; the field takes it, unless it shows nothing. */
static void
make_field(struct tn_direct_maker *m, const struct tn_field *field, struct place place)
{
	struct text_field *f = TN_NEW(&m->text->arena, struct text_field);
	const struct tn_type *t = field->type;
	struct place inside = { .shown = place.shown, .names = place.names, .tail = nothing };

	if (!f) {
		m->failed = true;
		return;
	}
	m->of_field[field->id] = f;
	f->field = *field;
	f->names = place.names;
	if (place.shown && t->kind == TN_KIND_STRUCT && tn_direct_last_shown(t)) {
		f->how = HOW_HIDDEN;
		make_struct(m, t, place);
		return;
	}
	if (place.shown) {
		f->how = (uint8_t)tn_direct_how(t);
		f->element = place.element;
		tn_str_puts(&m->room, opening((enum text_how)f->how));
		f->lead = tn_direct_copy(m);
		tn_str_puts(&m->room, ending((enum text_how)f->how));
		tn_put_words(&m->room, &place.tail);
		f->tail = tn_direct_copy(m);
		f->need = f->lead.n + f->tail.n + 2 * TN_STR_SLACK;
		if (f->how == HOW_ENUM)
			tn_direct_make_dense(m, f, put_words);
	}
	/*
	 * The content of an array, variant or optional is shown if the compound is shown. Members of a structure are
	 * not shown here.
	 */
	inside.shown = place.shown && t->kind != TN_KIND_STRUCT;
	inside.element = t->kind == TN_KIND_ARRAY;
	for (size_t i = 0; i < t->n_fields && !m->failed; i++)
		make_field(m, &t->field[i], inside);
}

/* Make the fields of a scope; @first: it is the first scope of the line. */
static void
make_scope(struct tn_direct_maker *m, const struct tn_field *root, enum tn_scope scope, bool first)
{
	unsigned names = m->text->options.names;
	struct place place = { .tail = nothing };

	if (!root || m->of_field[root->id] || m->failed)
		return;
	place.shown = !root->hidden;
	place.names = names & (scope == TN_SCOPE_PAYLOAD ? TN_NAMES_PAYLOAD : TN_NAMES_CONTEXT);
	if (place.shown) {
		if (!first)
			tn_str_puts(&m->room, ", ");
		if (names & TN_NAMES_SCOPE) {
			tn_str_puts(&m->room, tn_scope_name(scope));
			tn_str_puts(&m->room, " = ");
		}
	}
	make_field(m, root, place);
}

/* ---- codes ---- */

bool
tn_direct_can_run(const struct tn_op *code, size_t *n)
{
	for (; code->code != TN_OP_END; code++, ++*n) {
		const struct tn_type *t = code->field ? code->field->type : NULL;

		switch ((enum tn_op_code)code->code) {
		case TN_OP_ORDER_CHECK:
		case TN_OP_ORDER_SET:
		case TN_OP_STRING16:
		case TN_OP_STRING32:
			return false;
		case TN_OP_WIDE:
			/* The lower half can be a length or a tag; the machine handles this case. */
			break;
		default:
			if (t && t->kind == TN_KIND_STRING && t->encoding > TN_ENCODING_UTF8)
				return false;
			break;
		}
	}
	return true;
}

/* A structure writes nothing itself, unless it is empty. */
static bool
is_needed(const struct tn_direct_maker *m, const struct tn_op *op)
{
	const struct text_field *f;

	if (!op->field || op->field->type->kind != TN_KIND_STRUCT || (op->code != TN_OP_OPEN && op->code != TN_OP_CLOSE))
		return true;
	f = m->of_field[op->field->id];
	return f && (f->how == HOW_OBJECT || (f->how == HOW_STRUCT && op->code == TN_OP_OPEN));
}

static const void *
moved_choice(struct tn_direct_maker *m, const struct tn_op *op, const uint32_t *moved)
{
	const struct tn_choice *from = op->more;
	struct tn_choice *to = TN_NEW(&m->text->arena, struct tn_choice);
	size_t n = op->code == TN_OP_OPTIONAL ? 1 : op->field->type->n_fields;

	if (!to) {
		m->failed = true;
		return from;
	}
	*to = *from;
	to->target = TN_NEW_ARRAY(&m->text->arena, n + 1, uint32_t);
	if (!to->target) {
		m->failed = true;
		return from;
	}
	for (size_t i = 0; i < n; i++)
		to->target[i] = moved[from->target[i]];
	to->end = moved[from->end];
	return to;
}

struct tn_op *
tn_direct_append_code(struct tn_direct_maker *m, struct tn_op *to, uint32_t at, const struct tn_op *code, size_t n)
{
	uint32_t *moved = calloc(n + 1, sizeof *moved);

	if (!moved) {
		m->failed = true;
		return to;
	}
	for (size_t i = 0; i <= n; i++) {
		moved[i] = at;
		at += i < n && is_needed(m, &code[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!is_needed(m, &code[i]))
			continue;
		*to = code[i];
		if (code[i].field && m->of_field[code[i].field->id])
			to->field = &m->of_field[code[i].field->id]->field;
		switch ((enum tn_op_code)code[i].code) {
		case TN_OP_ARRAY:
		case TN_OP_ARRAY_FIXED:
		case TN_OP_LOOP:
		case TN_OP_LOOP_FIXED:
		case TN_OP_JUMP:
			to->a = moved[code[i].a];
			break;
		case TN_OP_VARIANT:
		case TN_OP_OPTIONAL:
			to->more = moved_choice(m, &code[i], moved);
			break;
		default:
			break;
		}
		to++;
	}
	free(moved);
	return to;
}

uint32_t
tn_direct_repeat_bytes(const struct tn_plan *plan, const struct tn_op *code, uint32_t *align)
{
	uint64_t bits;

	/* No alignment is needed if the position is already aligned, or if events can begin at any bit. */
	*align = plan->after_mod % 8 || plan->after_off % 8 ? 1 : 8;
	if (code->code == TN_OP_ALIGN) {
		*align = code->a;
		code++;
	}
	if (code->code == TN_OP_OPEN)
		code++;
	if (code->code != TN_OP_CHECK || *align < 8)
		return 0;
	bits = code->n;
	for (code++; code->code != TN_OP_ADVANCE; code++)
		if (!(code->code >= TN_OP_U8 && code->code <= TN_OP_BLOB_FIXED) && code->code != TN_OP_OPEN &&
		    code->code != TN_OP_CLOSE)
			return 0;
	if (code->n != bits || bits % 8 || bits > 8 * TN_REPEAT_BYTES)
		return 0;
	for (code++; code->code == TN_OP_CLOSE; code++)
		;
	return code->code == TN_OP_END ? (uint32_t)(bits / 8) : 0;
}

/* Estimate the bytes that the field's words and code will take. */
static size_t
cost_of(const struct tn_field *field)
{
	size_t n = field ? sizeof(struct text_field) + 3 * (sizeof(struct tn_op) + sizeof(struct tn_template_op)) +
			   3 * strlen(field->label) : 0;

	for (size_t i = 0; field && i < field->type->n_fields; i++)
		n += cost_of(&field->type->field[i]);
	return n;
}

bool
tn_direct_is_affordable(struct tn_direct_maker *m, const struct tn_event_class *ec)
{
	const struct tn_stream_class *sc = ec->stream_class;
	size_t bytes = cost_of(ec->specific_context) + cost_of(ec->payload);

	/* The fields of the common context are made once for the stream class, and its code once for each class. */
	if (m->common != sc->common_context) {
		m->common = sc->common_context;
		m->common_bytes = cost_of(sc->common_context);
	}
	bytes += m->common_bytes;
	if (bytes > m->bytes_left)
		return false;
	m->bytes_left -= bytes;
	return true;
}

/* ---- classes ---- */

void
tn_direct_maker_init(struct tn_direct_maker *m, struct tn_text *text, const struct tn_trace *trace)
{
	*m = (struct tn_direct_maker) {
		.text = text, .trace = trace, .dense_left = TN_DIRECT_DENSE_BYTES, .bytes_left = TN_DIRECT_BYTES,
	};
}

void
tn_direct_maker_release(struct tn_direct_maker *m)
{
	free(m->of_field);
	tn_str_release(&m->room);
}

bool
tn_direct_maker_ready(struct tn_direct_maker *m)
{
	if (m->failed)
		return false;
	if (!m->of_field)
		m->of_field = calloc((size_t)m->trace->n_fields + 1, sizeof *m->of_field);
	m->failed = !m->of_field;
	return !m->failed;
}

void
tn_direct_make_class(struct tn_direct_maker *m, const struct tn_event_class *ec, struct tn_class_words *words)
{
	static const enum tn_scope scope[3] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
	const struct tn_stream_class *sc = ec->stream_class;
	const struct tn_field *root[3] = { sc->common_context, ec->specific_context, ec->payload };
	const struct tn_op *from[3];
	const struct tn_event_plan *plan;
	bool first = !tn_field_shown(sc->packet_context);
	struct tn_op *code, *begin, *at;
	size_t n[3] = { 0 };

	if (tn_has_debug_info(m->text, sc->common_context))
		return;
	plan = sc->plan && tn_direct_maker_ready(m) ? tn_plan_event(ec) : NULL;
	if (!plan)
		return;
	for (size_t i = 0; i < 3; i++)
		from[i] = plan->read[scope[i]];
	for (size_t i = 0; i < 3; i++)
		if (from[i] && !tn_direct_can_run(from[i], &n[i]))
			return;
	if (!tn_direct_is_affordable(m, ec))
		return;
	code = begin = at = TN_NEW_ARRAY(&m->text->arena, n[0] + n[1] + n[2] + 2, struct tn_op);
	if (!code) {
		m->failed = true;
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		make_scope(m, root[i], scope[i], first);
		if (tn_field_shown(root[i]))
			first = false;
		if (from[i] && !m->failed)
			at = tn_direct_append_code(m, at, (uint32_t)(at - begin), from[i], n[i]);
		if (i == 0 && from[0] && tn_field_shown(root[0]))
			words->repeat_bytes = tn_direct_repeat_bytes(sc->plan, from[0], &words->repeat_align);
		if (i == 0 && words->repeat_bytes) {
			words->repeats = code;
			at++->code = TN_OP_END;
			begin = at;
		}
	}
	at->code = TN_OP_END;
	if (m->failed)
		return;
	words->code = begin;
	words->template = tn_template_make(m, sc->plan, words);
	if (m->failed)
		words->code = NULL;
}

void
tn_direct_release(struct tn_direct *d)
{
	free(d->slot);
	free(d->repeat);
	free(d->prefix);
	tn_str_release(&d->context);
	tn_str_release(&d->before);
	tn_str_release(&d->cells);
	*d = (struct tn_direct) { 0 };
}
