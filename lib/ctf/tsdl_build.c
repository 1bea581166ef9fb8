#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctf/locate.h"
#include "ctf/tsdl.h"
#include "ctf/tsdl_builder.h"
#include "ctf/tsdl_parser.h"

/*
 * Limit of fields, and also of fields for each byte of the text, because a few bytes with named types can make many
 * fields.
 */
#define MAX_FIELDS (1u << 17)

/* A stream class, and the event blocks that name it. */
struct stream {
	struct tn_stream_class *class;
	const struct tsdl_block *block;		/* NULL: no stream block */
	struct event *event, **event_end;
	size_t n_events;
};

struct event {
	struct tsdl_block *block;
	uint64_t id;
	struct event *next;
};

struct streams {
	struct stream *item;
	size_t n;
	struct stream **by_id;
};

/* ---- event classes ---- */

/* A log level that is out of range or not a number is ignored, because the decoder does not use it. */
static int
log_level(struct tsdl_builder *b, const struct tsdl_block *block)
{
	const struct tsdl_entry *e = tn_tsdl_entry(block, "loglevel");

	if (!e)
		return -1;
	if (e->value.kind == TSDL_VALUE_NUMBER && !e->value.is_negative && e->value.magnitude <= 14)
		return (int)e->value.magnitude;
	tn_tsdl_tell(b->u, TN_WARNING, e->value.place, "unknown log level, ignored");
	return -1;
}

static bool
event_text(struct tsdl_builder *b, const struct tsdl_block *block, const char *name, const char **out)
{
	const struct tsdl_entry *e = tn_tsdl_entry(block, name);

	if (!e)
		return true;
	if (e->value.kind == TSDL_VALUE_NUMBER)
		return tn_tsdl_fail(b->u, e->value.place, "`%s` must be a string", name);
	*out = tn_tsdl_value_text(b->u, &e->value);
	if (*out && !**out)
		*out = NULL;
	return b->u->code >= 0;
}

static bool
build_scope(struct tsdl_builder *b, const struct tsdl_block *block, const char *name, int scope, struct tn_field **out)
{
	const struct tsdl_entry *e = block ? tn_tsdl_entry(block, name) : NULL;

	b->root[scope] = (struct tsdl_root) { .field = NULL };
	return !e || tn_tsdl_scope(b, scope, e->type, out);
}

static bool
build_event(struct tsdl_builder *b, struct tn_stream_class *sc, const struct event *event)
{
	struct tn_event_class *ec = TN_NEW(&b->trace->arena, struct tn_event_class);

	if (!ec)
		return tn_tsdl_fail_memory(b->u);
	ec->id = ec->last_id = event->id;
	ec->stream_class = sc;
	ec->log_level = log_level(b, event->block);
	sc->event_class[sc->n_event_classes++] = ec;
	if (!event_text(b, event->block, "name", &ec->name) ||
	    !event_text(b, event->block, "model.emf.uri", &ec->emf_uri) ||
	    !build_scope(b, event->block, "context", TN_SCOPE_SPECIFIC_CONTEXT, &ec->specific_context) ||
	    !build_scope(b, event->block, "fields", TN_SCOPE_PAYLOAD, &ec->payload))
		return false;
	tn_tsdl_bundle_done(event->block);
	return true;
}

struct has_role {
	uint32_t role;
	bool found;
};

static void
look_for_role(struct tn_field *f, void *user)
{
	struct has_role *h = user;

	h->found |= (f->type->roles & h->role) != 0;
}

static bool
has_role(struct tn_field *root, uint32_t role)
{
	struct has_role h = { role, false };

	if (root)
		tn_tsdl_each(root, look_for_role, &h);
	return h.found;
}

/* Two events must not have one id; the error names the second one in the text. */
static bool
check_event_ids(struct tsdl_builder *b, const struct stream *s)
{
	const struct tn_stream_class *sc = s->class;
	size_t i = 1, seen = 0;

	while (i < sc->n_event_classes && sc->event_class[i]->id != sc->event_class[i - 1]->id)
		i++;
	if (i >= sc->n_event_classes)
		return true;
	for (const struct event *e = s->event; e; e = e->next)
		if (e->id == sc->event_class[i]->id && seen++ == 1)
			return tn_tsdl_fail(b->u, e->block->place, "two events have the id %" PRIu64 " in stream %" PRIu64, e->id,
					    sc->id);
	return true;
}

static bool
build_events(struct tsdl_builder *b, struct stream *s)
{
	struct tn_stream_class *sc = s->class;

	if (!(sc->event_class = TN_NEW_ARRAY(&b->trace->arena, s->n_events + 1, struct tn_event_class *)))
		return tn_tsdl_fail_memory(b->u);
	b->event = 0;
	for (const struct event *e = s->event; e; e = e->next, b->event++)
		if (!build_event(b, sc, e))
			return false;
	tn_ctf_sort_events(sc);
	if (!check_event_ids(b, s))
		return false;
	if (s->n_events > 1 && !has_role(sc->event_header, TN_ROLE_EVENT_CLASS_ID))
		return tn_tsdl_fail(b->u, s->event->next->block->place,
				    "several events, but the event header of stream %" PRIu64 " has no `id`", sc->id);
	return true;
}

/* ---- stream classes ---- */

static bool
build_stream(struct tsdl_builder *b, struct stream *s)
{
	struct tn_stream_class *sc = s->class;
	const struct tsdl_entry *context = s->block ? tn_tsdl_entry(s->block, "packet.context") : NULL;
	const struct tsdl_entry *header = s->block ? tn_tsdl_entry(s->block, "event.header") : NULL;

	b->mapped.n = 0;
	b->event = TN_CTF_EVERY;
	if (header || context)
		b->implicit_place = header ? header->place : context->place;
	if (!build_scope(b, s->block, "packet.context", TN_SCOPE_PACKET_CONTEXT, &sc->packet_context) ||
	    (context && !tn_tsdl_context_roles(b, sc->packet_context, context)) ||
	    !build_scope(b, s->block, "event.header", TN_SCOPE_EVENT_HEADER, &sc->event_header) ||
	    (header && !tn_tsdl_event_header_roles(b, sc->event_header, header)) ||
	    !build_scope(b, s->block, "event.context", TN_SCOPE_COMMON_CONTEXT, &sc->common_context))
		return false;
	return build_events(b, s) && tn_tsdl_map_clocks(b, sc);
}

static bool
new_stream(struct tsdl_builder *b, struct streams *all, const struct tsdl_block *block)
{
	static const char *const names[] = { "id", ":packet.context", ":event.header", ":event.context", NULL };
	struct tn_stream_class *sc = TN_NEW(&b->trace->arena, struct tn_stream_class);
	struct stream *s = &all->item[all->n];
	const struct tsdl_entry *id;

	if (!sc)
		return tn_tsdl_fail_memory(b->u);
	sc->trace = b->trace;
	*s = (struct stream) { .class = sc, .block = block };
	s->event_end = &s->event;
	all->by_id[all->n++] = s;
	b->trace->stream_class[b->trace->n_stream_classes++] = sc;
	if (!block)
		return true;
	if (!tn_tsdl_check_entries(b, block, names))
		return false;
	if ((id = tn_tsdl_entry(block, "id"))) {
		if (!tn_tsdl_unsigned(b, id, &sc->id))
			return false;
		sc->has_id = true;
	}
	return true;
}

static int
compare_streams(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	if (x->class->id != y->class->id)
		return x->class->id < y->class->id ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct stream *
find_stream(const struct streams *all, uint64_t id)
{
	size_t lo = 0;

	TN_BISECT(lo, all->n, mid, all->by_id[mid]->class->id < id);
	return lo < all->n && all->by_id[lo]->class->id == id ? all->by_id[lo] : NULL;
}

/* Ids of stream classes must be unique. If there are several classes, the packets must have an id. */
static bool
check_stream_ids(struct tsdl_builder *b, struct streams *all)
{
	bool told = has_role(b->trace->packet_header, TN_ROLE_STREAM_CLASS_ID);

	if (all->n)
		qsort(all->by_id, all->n, sizeof *all->by_id, compare_streams);
	for (size_t i = 1; i < all->n; i++)
		if (all->by_id[i]->class->id == all->by_id[i - 1]->class->id)
			return tn_tsdl_fail(b->u, all->by_id[i]->block->place, "two streams have the id %" PRIu64,
					    all->by_id[i]->class->id);
	if (all->n > 1 && !told)
		return tn_tsdl_fail(b->u, all->item[1].block->place,
				    "several streams, but the packet header has no `stream_id`");
	if (all->n == 1 && all->item[0].class->has_id && !told)
		tn_tsdl_tell(b->u, TN_WARNING, all->item[0].block->place,
			     "the stream has an id, but the packet header has no `stream_id`");
	return true;
}

/* Add the event @block to its stream. */
static bool
new_event(struct tsdl_builder *b, struct streams *all, struct tsdl_block *block)
{
	static const char *const names[] = {
		"name", "id", "stream_id", ":context", ":fields", "loglevel", "model.emf.uri", NULL
	};
	const struct tsdl_entry *id = tn_tsdl_entry(block, "id"), *stream_id = tn_tsdl_entry(block, "stream_id");
	struct event *e = TN_NEW(&b->u->arena, struct event);
	struct stream *s = all->n == 1 ? &all->item[0] : NULL;
	uint64_t n = 0;

	if (!e)
		return tn_tsdl_fail_memory(b->u);
	e->block = block;
	if (!tn_tsdl_check_entries(b, block, names) || (id && !tn_tsdl_unsigned(b, id, &e->id)))
		return false;
	if (stream_id) {
		if (!tn_tsdl_unsigned(b, stream_id, &n))
			return false;
		if (!(s = find_stream(all, n)))
			return tn_tsdl_fail(b->u, stream_id->value.place, "there is no stream with this id");
	}
	if (!s)
		return tn_tsdl_fail(b->u, block->place, "there are several streams, and the event has no `stream_id`");
	*s->event_end = e;
	s->event_end = &e->next;
	s->n_events++;
	return true;
}

static bool
build_streams(struct tsdl_builder *b)
{
	struct streams all = { .n = 0 };
	size_t n = 0, n_events = 0;

	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		n += i->keyword == TSDL_STREAM;
		n_events += i->keyword == TSDL_EVENT;
	}
	all.item = TN_NEW_ARRAY(&b->u->arena, n + 1, struct stream);
	all.by_id = TN_NEW_ARRAY(&b->u->arena, n + 1, struct stream *);
	b->trace->stream_class = TN_NEW_ARRAY(&b->trace->arena, n + 1, struct tn_stream_class *);
	if (!all.item || !all.by_id || !b->trace->stream_class)
		return tn_tsdl_fail_memory(b->u);
	for (const struct tsdl_block *i = b->u->block; i; i = i->next)
		if (i->keyword == TSDL_STREAM && !new_stream(b, &all, i))
			return false;
	/* If there are no stream blocks, all events belong to one stream. */
	if (n == 0 && n_events && !new_stream(b, &all, NULL))
		return false;
	if (!check_stream_ids(b, &all))
		return false;
	for (struct tsdl_block *i = b->u->block; i; i = i->next)
		if (i->keyword == TSDL_EVENT && !new_event(b, &all, i))
			return false;
	b->u->declaration = NULL;	/* all are checked; those in event blocks are freed with these blocks */
	for (size_t i = 0; i < all.n; i++) {
		b->stream = (uint32_t)i;
		if (!build_stream(b, &all.item[i]))
			return false;
	}
	return true;
}

/* ---- the whole ---- */

/* Drop maps in the packet header, because all streams share it, so it cannot update a clock. */
static void
drop_header_maps(struct tsdl_builder *b)
{
	for (size_t i = 0; i < b->mapped.n; i++)
		tn_tsdl_tell(b->u, TN_WARNING, b->mapped.item[i].place, "the map of this integer is ignored: it is in a packet "
									"header");
	b->mapped.n = 0;
}

static bool
build_packet_header(struct tsdl_builder *b)
{
	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		const struct tsdl_entry *e = i->keyword == TSDL_TRACE ? tn_tsdl_entry(i, "packet.header") : NULL;

		if (!e)
			continue;
		b->stream = b->event = TN_CTF_EVERY;
		if (!tn_tsdl_scope(b, TN_SCOPE_PACKET_HEADER, e->type, &b->trace->packet_header) ||
		    !tn_tsdl_header_roles(b, b->trace->packet_header, e))
			return false;
	}
	drop_header_maps(b);
	return true;
}

/* Check declared types that are not used: they must be valid, too. */
static bool
check_unused(struct tsdl_builder *b)
{
	b->scope = -1;
	for (const struct tsdl_declaration *d = b->u->declaration; d; d = d->later) {
		struct tn_field *f;

		if (d->used || d->home)
			continue;
		if (!(f = tn_tsdl_new_field(b, 1)) || !tn_tsdl_instance(b, NULL, d->type, f))
			return false;
	}
	return true;
}

static void
tell_callsites(struct tsdl_builder *b)
{
	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		if (i->keyword == TSDL_CALLSITE) {
			tn_tsdl_tell(b->u, TN_NOTE, i->place, "callsite blocks are ignored (reported once)");
			return;
		}
	}
}

static bool
build_standard(struct tsdl_builder *b)
{
	if (b->u->empty_enum.n)
		return tn_tsdl_fail(b->u, b->u->empty_enum, "an enumeration without labels");
	if (b->u->bare_variant.n)
		return tn_tsdl_fail(b->u, b->u->bare_variant, "declare the variant without a tag, and write `variant NAME <TAG>` "
				    "here");
	tell_callsites(b);
	return tn_tsdl_build_trace(b) && tn_tsdl_take_env(b->u) && tn_tsdl_build_clocks(b) && check_unused(b) &&
	       build_packet_header(b) && build_streams(b);
}

static const struct tsdl_reserved header_names[] = {
	{ "stream_id", TN_ROLE_STREAM_CLASS_ID, .must = true },
	{ "stream_instance_id", TN_ROLE_STREAM_ID, .must = true },
	{ NULL },
}, context_names[] = {
	{ "packet_size", TN_ROLE_PACKET_SIZE, .must = true, .hidden = true },
	{ "content_size", TN_ROLE_CONTENT_SIZE, .must = true, .hidden = true },
	{ "timestamp_begin", TN_ROLE_TIMESTAMP_BEGIN, .must = true, .hidden = true },
	{ "timestamp_end", TN_ROLE_TIMESTAMP_END, .must = true, .hidden = true },
	{ "events_discarded", TN_ROLE_DISCARDED, .must = true, .hidden = true },
	{ "packet_seq_num", TN_ROLE_SEQUENCE_NUMBER, .must = true, .hidden = true },
	{ "cpu_id", TN_ROLE_CPU_ID },
	{ NULL },
};

static const struct tsdl_dialect standard = {
	.format = "CTF 1.8",
	.build = build_standard,
	.header_names = header_names,
	.context_names = context_names,
	.whole_bytes = true,
	.shows_base = true,
	.all_options = true,
	.guards = true,
};

/* The last dialect is used if no other one matches. */
static const struct tsdl_dialect *const dialects[] = { &tn_tsdl_kedr, &standard };

static const struct tsdl_dialect *
dialect_of(const struct tsdl_unit *u)
{
	size_t i = 0;

	while (dialects[i]->is_it && !dialects[i]->is_it(u))
		i++;
	return dialects[i];
}

static bool
build(struct tsdl_unit *u)
{
	struct tsdl_builder b = { .u = u, .trace = u->trace, .max_fields = MAX_FIELDS + u->n };
	bool ok;

	b.max_work = TN_CTF_MAX_WORK + 64 * (uint64_t)u->n;
	b.dialect = dialect_of(u);
	b.has_order = !b.dialect->needs_order;
	u->trace->format = b.dialect->format;
	u->trace->is_loose = b.dialect->is_loose;
	u->trace->strict_uuid = b.dialect->strict_uuid;
	ok = b.dialect->build(&b) &&
	     ((tn_ctf_list_classes(b.trace) && tn_ctf_wire(b.trace, &b.wiring)) || tn_tsdl_fail_memory(u));
	if (ok)
		tn_tsdl_hide(u->trace);
	tn_ctf_wiring_release(&b.wiring);
	TN_ARRAY_RELEASE(&b.mapped);
	TN_ARRAY_RELEASE(&b.taken);
	return ok;
}

enum tn_code
tn_tsdl_build(struct tn_trace *trace, const char *text, size_t n, struct tn_error *err)
{
	struct tsdl_unit u = { .trace = trace, .err = err, .text = text, .n = n };

	assert(n <= UINT32_MAX / 2);	/* metadata_file.c does not read more */
	if (tn_tsdl_unit_init(&u) && tn_tsdl_parse(&u))
		build(&u);
	tn_tsdl_unit_release(&u);
	return u.code;
}
