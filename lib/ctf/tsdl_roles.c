#include <string.h>

#include "base/messages.h"
#include "ctf/tsdl_builder.h"

void
tn_tsdl_each(struct tn_field *field, void (*fn)(struct tn_field *, void *), void *user)
{
	fn(field, user);
	for (size_t i = 0; i < field->type->n_fields; i++)
		tn_tsdl_each(&field->type->field[i], fn, user);
}

static bool
is_named(const struct tn_field *f, const char *name)
{
	return strcmp(f->name, name) == 0;
}

static bool
is_number(const struct tsdl_builder *b, const struct tn_type *t)
{
	return t->length <= 64 && (t->kind == TN_KIND_UINT || (b->dialect->signed_numbers && t->kind == TN_KIND_SINT));
}

/* The place in the text where the scope @e declares its member @f. */
static struct tsdl_place
place_of(const struct tsdl_entry *e, const struct tn_field *f)
{
	const struct tsdl_type *t = tsdl_literal(e->type);

	if (t->kind == TSDL_TYPE_STRUCT)
		for (const struct tsdl_member *m = t->body.member; m; m = m->next)
			if (m->name->text == f->name)
				return m->place;
	return e->place;
}

static bool
must_be_number(struct tsdl_builder *b, const struct tn_field *f, const struct tsdl_entry *e)
{
	return is_number(b, f->type) ||
	       tn_tsdl_fail(b->u, place_of(e, f), "only an unsigned integer of at most 64 bits can have this name");
}

/* Set the role that the name of @f gives it. */
static bool
take_reserved(struct tsdl_builder *b, struct tn_field *f, const struct tsdl_reserved *names, const struct tsdl_entry *e)
{
	for (const struct tsdl_reserved *r = names; r->name; r++) {
		if (!is_named(f, r->name))
			continue;
		if (r->must && !must_be_number(b, f, e))
			return false;
		if (!is_number(b, f->type))
			return true;
		f->type->roles |= r->role;
		f->hidden = r->hidden;
	}
	return true;
}

/* ---- packet header: direct members only ---- */

static bool
is_uuid(const struct tn_type *t)
{
	const struct tn_type *e = t->kind == TN_KIND_ARRAY ? t->field[0].type : NULL;

	return e && t->extent == TN_EXTENT_STATIC && t->length == 16 && e->kind == TN_KIND_UINT && e->length == 8 &&
	       e->align == 8;
}

bool
tn_tsdl_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e)
{
	for (size_t i = 0; i < root->type->n_fields; i++) {
		struct tn_field *f = &root->type->field[i];

		if (is_named(f, "magic")) {
			if (!is_number(b, f->type) || f->type->length != 32)
				return tn_tsdl_fail(b->u, place_of(e, f), "only an unsigned integer of 32 bits can have this "
									  "name");
			if (i)
				tn_tsdl_tell(b->u, TN_WRONG, place_of(e, f), "the magic number must be the first member");
			f->type->roles |= TN_ROLE_MAGIC;
		} else if (is_named(f, "uuid")) {
			if (!is_uuid(f->type))
				return tn_tsdl_fail(b->u, place_of(e, f), "only an array of 16 unsigned bytes can have this "
									  "name");
			f->type->roles |= TN_ROLE_UUID;
		} else if (!take_reserved(b, f, b->dialect->header_names, e)) {
			return false;
		}
	}
	return true;
}

/* ---- packet context: direct members only; event header: at any depth ---- */

bool
tn_tsdl_context_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e)
{
	for (size_t i = 0; i < root->type->n_fields; i++)
		if (!take_reserved(b, &root->type->field[i], b->dialect->context_names, e))
			return false;
	return true;
}

struct id_check {
	const struct tn_field *bad;	/* the first field that cannot be an id */
};

static void
check_id(struct tn_field *f, void *user)
{
	struct id_check *c = user;

	if (!is_named(f, "id"))
		return;
	if (f->type->kind == TN_KIND_UINT && f->type->length <= 64)
		f->type->roles |= TN_ROLE_EVENT_CLASS_ID;
	else if (!c->bad)
		c->bad = f;
}

bool
tn_tsdl_event_header_roles(struct tsdl_builder *b, struct tn_field *root, const struct tsdl_entry *e)
{
	struct id_check c = { NULL };

	tn_tsdl_each(root, check_id, &c);
	return !c.bad || must_be_number(b, c.bad, e);
}

/* ---- clocks ---- */

struct implicit {
	struct tsdl_builder *b;
	int scope;
	bool failed;
};

/* Note integers whose name alone maps them to a clock (ctf1-tsdl.md, 10.2). */
static void
map_by_name(struct tn_field *f, void *user)
{
	struct implicit *im = user;
	struct tsdl_mapped *m;
	bool named = im->scope == TN_SCOPE_EVENT_HEADER ? is_named(f, "timestamp")
							: is_named(f, "timestamp_begin") || is_named(f, "timestamp_end");

	if (!named || f->type->kind != TN_KIND_UINT || f->type->length > 64 || f->type->roles & TN_ROLE_CLOCK)
		return;
	if (!(m = TN_ARRAY_ADD(&im->b->mapped)))
		im->failed = true;
	else
		*m = (struct tsdl_mapped) { .field = f, .scope = im->scope };
}

/* Rank of a mapped integer as the source for the clock of its stream class. */
static int
weight(const struct tsdl_mapped *m)
{
	if (!m->clock)
		return 0;
	switch (m->scope) {
	case TN_SCOPE_EVENT_HEADER:
		return is_named(m->field, "timestamp") ? 6 : 5;
	case TN_SCOPE_PACKET_CONTEXT:
		return is_named(m->field, "timestamp_begin") ? 4 : 3;
	case TN_SCOPE_PACKET_HEADER:
		return 0;
	default:
		return 2;
	}
}

static struct tn_clock *
choose_clock(struct tsdl_builder *b, bool *ok)
{
	const struct tsdl_mapped *best = NULL;
	struct tn_clock *clock;

	*ok = true;
	for (size_t i = 0; i < b->mapped.n; i++)
		if (!best || weight(&b->mapped.item[i]) > weight(best))
			best = &b->mapped.item[i];
	if (!best)
		return NULL;
	if (best->clock)
		return best->clock;
	if (b->trace->n_clocks > 1 && !b->told_clocks) {
		tn_tsdl_tell(b->u, TN_WARNING, b->implicit_place, "the times name no clock, and there are %zu clocks: `%s` is "
								  "used",
			     b->trace->n_clocks, b->trace->clock[0]->name);
		b->told_clocks = true;
	}
	if (b->trace->n_clocks)
		return b->trace->clock[0];
	clock = tn_tsdl_default_clock(b);
	*ok = clock != NULL;
	return clock;
}

/* Make @m's field update @clock, or a plain integer. */
static void
apply(struct tsdl_builder *b, const struct tsdl_mapped *m, const struct tn_clock *clock)
{
	struct tn_type *t = m->field->type;

	t->roles &= ~(uint32_t)TN_ROLE_CLOCK;
	if (m->clock && m->clock != clock) {
		tn_tsdl_tell(b->u, TN_WARNING, m->place, "the clock of this stream is `%s`: this field is read as a plain "
							 "integer",
			     clock->name);
		t->roles &= ~(uint32_t)(TN_ROLE_TIMESTAMP_BEGIN | TN_ROLE_TIMESTAMP_END);
		m->field->hidden = false;
		return;
	}
	if (t->kind != TN_KIND_UINT || t->length > 64) {
		tn_tsdl_tell(b->u, TN_WARNING, m->place, "the map is ignored: the integer is %s",
			     t->kind == TN_KIND_SINT ? _("signed") : _("not a number"));
		m->field->hidden = t->kind == TN_KIND_SINT;
		return;
	}
	m->field->hidden = true;
	if (!(t->roles & TN_ROLE_TIMESTAMP_END))	/* this time is later than the events that follow it */
		t->roles |= TN_ROLE_CLOCK;
}

bool
tn_tsdl_map_clocks(struct tsdl_builder *b, struct tn_stream_class *sc)
{
	struct implicit im = { .b = b };
	struct tn_clock *clock;
	bool ok;

	for (size_t i = 0; i < b->mapped.n; i++)
		b->mapped.item[i].field->type->roles |= TN_ROLE_CLOCK;	/* already mapped */
	if (sc->event_header) {
		im.scope = TN_SCOPE_EVENT_HEADER;
		tn_tsdl_each(sc->event_header, map_by_name, &im);
	}
	if (sc->packet_context) {
		im.scope = TN_SCOPE_PACKET_CONTEXT;
		tn_tsdl_each(sc->packet_context, map_by_name, &im);
	}
	if (im.failed)
		return tn_tsdl_fail_memory(b->u);
	clock = choose_clock(b, &ok);
	if (!ok)
		return false;
	sc->clock = clock;
	for (size_t i = 0; i < b->mapped.n; i++)
		apply(b, &b->mapped.item[i], clock);
	b->mapped.n = 0;
	return true;
}

/* ---- hidden fields ---- */

/* Show a bookkeeping field if another field refers to it. */
static void
show_referred(struct tn_field *f, void *user)
{
	(void)user;
	if (f->slot != TN_NO_SLOT)
		f->hidden = false;
}

static void
hide(struct tn_field *root, void *user)
{
	tn_tsdl_each(root, show_referred, user);
	tn_field_hide_empty(root);
}

void
tn_tsdl_hide(struct tn_trace *trace)
{
	tn_trace_each_scope(trace, hide, NULL);
}
