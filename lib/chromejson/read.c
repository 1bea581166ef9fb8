/* read.c - read the values of an event from its text */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "chromejson/private.h"

#define SLOTS 64	/* members of an object that need no allocated memory */

struct reader {
	struct tn_values values;
	struct tn_event *e;
	const struct tn_cj_trace *own;
	const uint8_t *begin, *end;	/* `begin`: the event. `end`: its end; the end of the file, if only one field is wanted */
	const struct tn_field *top;	/* the member of a scope that is wanted; NULL: all members */
	char *room;			/* space for texts that differ from their form in the file */
	size_t left;
	bool failed;
};

/* Whether the caller needs values of the field. */
static bool
is_wanted(const struct reader *r, const struct tn_field *field)
{
	const struct tn_field *only = r->e->only, *f = only;

	if (!r->top)
		return true;
	while (f && f != field)
		f = f->parent;
	if (f)
		return true;
	for (f = field; f && f != only;)
		f = f->parent;
	return f;
}

/* Whether the wanted field is part of the payload but not a member of its object: the duration, or the name. */
static bool
is_beside(const struct reader *r, const struct tn_cj_class *c)
{
	const struct tn_field *first = c->event_class->payload->type->field;

	return (r->top && r->top == first && (c->phase == 'X' || c->is_other)) ||
	       (r->top && r->top == first + 1 && c->phase == 'X' && c->is_other);
}

static bool
make_room(struct reader *r)
{
	const uint8_t *end = r->room ? NULL : r->top ? tn_cj_skip(r->begin, r->end) : r->end;
	size_t n = r->room ? 0 : (end ? 4 * (size_t)(end - r->begin) : 0) + 64 + 2 * 1024;
	struct tn_event *e = r->e;

	if (n > e->text_size) {
		void *room = realloc(e->text_room, n);

		r->failed |= !room;
		if (!room)
			return false;
		e->text_room = room;
		e->text_size = n;
	}
	if (n) {
		r->room = e->text_room;
		r->left = n;
	}
	return true;
}

static void
put_text(struct reader *r, const struct tn_field *field, const char *text, size_t n)
{
	tn_values_string(&r->values, field, text, n, r->e->bit);
}

static void
put_piece(struct reader *r, const struct tn_field *field, const struct tn_cj_piece *piece)
{
	size_t n;

	if (!piece->escaped || !make_room(r) || piece->n > r->left) {
		put_text(r, field, (const char *)piece->p, piece->n);
		return;
	}
	n = tn_cj_unescape((uint8_t *)r->room, piece);
	put_text(r, field, r->room, n);
	r->room += n;
	r->left -= n;
}

/* ---- payload ---- */

static const uint8_t *put_value(struct reader *r, const struct tn_cj_node *node, const struct tn_field *field, const uint8_t *p);

static void
put_number(struct reader *r, const struct tn_field *field, const uint8_t *p, size_t n)
{
	struct tn_value *v = tn_values_add(&r->values, field, r->e->bit);
	uint64_t number;
	bool negative;

	v->end = v->bit;
	if (field->type->kind == TN_KIND_FLOAT)
		v->f = tn_cj_real(p, n);
	else
		v->u = !tn_cj_integer(p, n, &number, &negative) ? 0 : negative ? 0 - number : number;
}

/* Add the members without a field, as text. */
static void
put_more(struct reader *r, const struct tn_cj_node *node, const struct tn_field *field, const uint8_t *p, bool is_event)
{
	struct tn_cj_piece key;
	char *from = make_room(r) ? r->room : NULL;
	const uint8_t *after, *quote;
	bool last;

	for (; from && (quote = p, p = tn_cj_member(p, r->end, &key, &last)) && !last; p = after) {
		size_t n;

		if (!(after = tn_cj_skip(p, r->end)))
			break;
		if ((is_event && tn_cj_special(&key) <= TN_CJ_CAT) || tn_cj_find_member(node, &key, NULL))
			continue;
		quote = key.p - 1;
		n = (size_t)(after - quote);
		if (n + 2 > r->left)
			break;
		if (r->room > from) {
			memcpy(r->room, ", ", 2);
			r->room += 2;
			r->left -= 2;
		}
		memcpy(r->room, quote, n);
		r->room += n;
		r->left -= n;
	}
	if (r->room > from)
		put_text(r, field, from, (size_t)(r->room - from));
}

/*
 * Add the members of an object, which begins before @p, in the order of the fields. Each member is added once: of
 * several with one name, the last. @type: type of the structure. @first: the first of its fields that is a member.
 * Returns the number of values added.
 */
static uint64_t
put_members(struct reader *r, const struct tn_cj_node *node, const struct tn_type *type, const uint8_t *p, char phase,
	    const uint8_t **end)
{
	const uint8_t *few[SLOTS] = { NULL }, **slot = node->n > SLOTS ? calloc(node->n, sizeof *slot) : few, *at = p;
	const struct tn_cj_node *hint = NULL, *m;
	struct tn_cj_piece key;
	uint64_t n = 0;
	bool last = false;

	if (!slot) {
		r->failed = true;
		*end = NULL;
		return 0;
	}
	while ((at = tn_cj_member(at, r->end, &key, &last)) && !last) {
		if ((!phase || !tn_cj_is_apart(tn_cj_special(&key), phase)) && (m = tn_cj_find_member(node, &key, hint))) {
			slot[m->index] = at;
			hint = m;
		}
		if (!(at = tn_cj_skip(at, r->end)))
			break;
	}
	*end = at;
	for (m = node->first; m; m = m->next) {
		const uint8_t *value = slot[m->index];

		if (!value || !is_wanted(r, m->field) || tn_cj_kind_of(value, r->end) == TN_CJ_NULL)
			continue;
		put_value(r, m, m->field, value);
		n++;
	}
	if (node->more && is_wanted(r, &type->field[type->n_fields - 1])) {
		size_t before = r->e->n_values;

		put_more(r, node, &type->field[type->n_fields - 1], p, phase != 0);
		n += r->e->n_values > before;
	}
	if (slot != few)
		free(slot);
	return n;
}

/* Add the value at @p; returns the place after the value. */
static const uint8_t *
put_value(struct reader *r, const struct tn_cj_node *node, const struct tn_field *field, const uint8_t *p)
{
	enum tn_cj_kind kind = tn_cj_kind_of(p, r->end);
	const uint8_t *after = NULL;
	struct tn_cj_piece text;
	uint64_t n = 0;
	size_t at;
	bool last = false;

	switch (field->type->kind) {
	case TN_KIND_STRUCT:
		at = tn_values_begin(&r->values, field, r->e->bit);
		if (kind == TN_CJ_OBJECT)
			n = put_members(r, node, field->type, p + 1, 0, &after);
		tn_values_end(&r->values, at, n, r->e->bit);
		return after;
	case TN_KIND_ARRAY:
		at = tn_values_begin(&r->values, field, r->e->bit);
		if (kind == TN_CJ_ARRAY)
			for (after = p + 1; (after = tn_cj_element(after, r->end, &last)) && !last; n++)
				if (!(after = put_value(r, node->first, node->first->field, after)))
					break;
		tn_values_end(&r->values, at, n, r->e->bit);
		return after;
	default:
		break;
	}
	if (!(after = tn_cj_skip(p, r->end)))
		after = r->end;
	if (field->type->kind == TN_KIND_BOOL) {
		struct tn_value *v = tn_values_add(&r->values, field, r->e->bit);

		v->u = *p == 't';
		v->end = v->bit;
	} else if (field->type->kind != TN_KIND_STRING) {
		put_number(r, field, p, (size_t)(after - p));
	} else if (kind == TN_CJ_STRING && tn_cj_string(p, after, &text)) {
		put_piece(r, field, &text);
	} else {
		put_text(r, field, (const char *)p, (size_t)(after - p));
	}
	return after;
}

static void
read_payload(struct reader *r, const struct tn_cj_class *c, const struct tn_cj_event *members, const uint8_t *p)
{
	const struct tn_field *root = c->event_class->payload, *f = root->type->field;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	const struct tn_cj_piece *dur = &members->value[TN_CJ_DUR], *name = &members->value[TN_CJ_NAME];
	const uint8_t *end;
	uint64_t n = 0;
	int64_t ns;

	if (c->phase == 'X') {
		if (dur->p && is_wanted(r, f) && tn_cj_decimal(dur->p, dur->n, 3, &ns) && ns >= 0) {
			struct tn_value *v = tn_values_add(&r->values, f, r->e->bit);

			v->u = (uint64_t)ns;
			v->end = v->bit;
			n++;
		}
		f++;
	}
	if (c->is_other && name->p && is_wanted(r, f)) {
		put_piece(r, f, name);
		n++;
	}
	if (!is_beside(r, c))
		n += put_members(r, &c->payload, root->type, p + 1, c->phase, &end);
	tn_values_end(&r->values, at, n, r->e->bit);
}

/* ---- context ---- */

static void
put_number_or_text(struct reader *r, const struct tn_field *field, const struct tn_cj_piece *piece)
{
	if (field->type->kind == TN_KIND_STRING)
		put_piece(r, field, piece);
	else
		put_number(r, field, piece->p, piece->n);
}

static void
add_room(struct reader *r, const void *bytes, size_t n)
{
	n = n < r->left ? n : r->left;
	memcpy(r->room, bytes, n);
	r->room += n;
	r->left -= n;
}

static void
add_member(struct reader *r, const struct tn_cj_event *e, unsigned which)
{
	if (e->value[which].p)
		add_room(r, e->value[which].p, e->value[which].n);
	add_room(r, "|", 1);
}

/* Whether the id is an object {"local": ...}. */
static bool
is_local(const struct tn_cj_piece *id2)
{
	const uint8_t *end = id2->p + id2->n, *p;
	struct tn_cj_piece key;
	bool last = true;

	p = id2->n && *id2->p == '{' ? tn_cj_member(id2->p + 1, end, &key, &last) : NULL;
	return p && !last && TN_CJ_IS(&key, "local");
}

/* Add the key that joins events without a thread (chromejson.md, 3). A local id is unique only in its process. */
static bool
put_async_key(struct reader *r, const struct tn_field *field, const struct tn_cj_event *e)
{
	const struct tn_cj_piece *id2 = &e->value[TN_CJ_ID2];
	char *from;

	if (!e->phase || !strchr("bneSTpFNOD()", e->phase) || (!e->value[TN_CJ_ID].p && !id2->p) || !make_room(r))
		return false;
	from = r->room;
	add_member(r, e, TN_CJ_CAT);
	add_member(r, e, TN_CJ_SCOPE);
	if (!strchr("bne", e->phase))
		add_member(r, e, TN_CJ_NAME);
	add_member(r, e, TN_CJ_ID);
	if (id2->p)
		add_room(r, id2->p, id2->n);
	if (id2->p && is_local(id2))
		add_member(r, e, TN_CJ_PID);
	put_text(r, field, from, (size_t)(r->room - from));
	return true;
}

static void
read_context(struct reader *r, const struct tn_cj_class *c, const struct tn_cj_track *t, const struct tn_cj_event *e)
{
	const struct tn_field *root = r->own->context, *f = root->type->field;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	uint64_t n = 1;

	put_text(r, &f[0], &c->phase, 1);
	if (e->value[TN_CJ_CAT].p && e->value[TN_CJ_CAT].n) {
		put_piece(r, &f[1], &e->value[TN_CJ_CAT]);
		n++;
	}
	if (t && t->pid.n) {
		put_number_or_text(r, &f[2], &t->pid);
		n++;
	}
	if (t && t->tid.n) {
		put_number_or_text(r, &f[3], &t->tid);
		n++;
	}
	if (t && t->process) {
		put_text(r, &f[4], t->process, strlen(t->process));
		n++;
	}
	if (t && t->thread) {
		put_text(r, &f[5], t->thread, strlen(t->thread));
		n++;
	}
	n += put_async_key(r, &f[6], e);
	tn_values_end(&r->values, at, n, r->e->bit);
}

/* ---- an event ---- */

/*
 * Whether the members must be read by name: if all fields are wanted, or "cat", "async_key", or a field that is not
 * in the payload's object.
 */
static bool
needs_members(const struct reader *r, const struct tn_cj_class *c)
{
	const struct tn_field *context = r->own->context->type->field;

	return !r->top || r->top == &context[1] || r->top == &context[6] || is_beside(r, c);
}

int64_t
tn_cj_duration_at(const struct tn_cj_trace *own, uint64_t at)
{
	const uint8_t *end = own->map.data + own->map.size;
	struct tn_cj_event e;
	int64_t ns;

	tn_cj_read_members(&e, own->map.data + at, end);
	return e.value[TN_CJ_DUR].p && tn_cj_decimal(e.value[TN_CJ_DUR].p, e.value[TN_CJ_DUR].n, 3, &ns) ? ns : 0;
}

enum tn_code
tn_cj_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_cj_trace *own = b->stream->trace->own;
	struct reader r = { .e = e, .values.event = e, .own = own };
	const struct tn_ref *ref = i == TN_READ_PACKET ? NULL : &b->refs.item[i];
	const struct tn_cj_entry *entry;
	const struct tn_cj_track *track;
	const struct tn_cj_class *c;
	struct tn_cj_event members;
	const uint8_t *p;

	tn_event_begin(e, b);
	if (!ref)
		return TN_OK;
	for (const struct tn_field *f = e->only; f && f->parent; f = f->parent)
		r.top = f;
	entry = (const struct tn_cj_entry *)(const void *)(b->data + (b->base_bit + ref->bit) / 8);
	r.begin = p = own->map.data + entry->at;
	r.end = own->map.data + own->map.size;
	/* The file may have changed since the scan. */
	if (entry->class >= own->classes.n || entry->at >= own->map.size || *p != '{' ||
	    (!r.top && !(r.end = tn_cj_skip(p, r.end))) || tn_map_torn(&own->map))
		return tn_fail(err, TN_ERR_FORMAT, "%s: byte %" PRIu64 ": the event is no longer in the file", b->stream->path,
			       entry->at);
	c = &own->classes.item[entry->class];
	track = (entry->track & TN_CJ_TRACK) < own->tracks.n ? &own->tracks.item[entry->track & TN_CJ_TRACK] : NULL;
	e->event_class = c->event_class;
	e->name = c->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = (uint64_t)(entry->ns - own->found.base_ns);
	e->time_ns = tn_clock_ns(b->stream->stream_class->clock, e->cycles);
	e->row = b->begin.row + i;
	e->bit = b->base_bit + ref->bit;
	e->end_bit = e->bit + 8 * sizeof *entry;
	if (!(scopes & (TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT) | TN_SCOPE_BIT(TN_SCOPE_PAYLOAD))))
		return TN_OK;
	if (!r.top && !make_room(&r))
		return tn_fail_memory(err);
	if (needs_members(&r, c))
		tn_cj_read_members(&members, p, r.end);
	else
		members = (struct tn_cj_event) { .phase = '?' };
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT)) {
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
		read_context(&r, c, track, &members);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		read_payload(&r, c, &members, p);
	}
	return r.values.failed || r.failed ? tn_fail_memory(err) : TN_OK;
}
