/* model.c - make the model from the results of the scan */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "chromejson/private.h"

/* chromejson.md, 3. The key of an asynchronous span consists of id, scope, category and name. */
static const struct tn_span_kind slice = { .name = "slice", .by = "pid, tid", .duration = "dur" };
static const struct tn_span_kind async = { .name = "async", .by = "async_key" };
static const struct tn_span_kind task = { .name = "task", .by = "async_key" };
static const struct tn_span_kind object = { .name = "object", .by = "async_key" };
static const struct tn_span_kind context = { .name = "context", .by = "async_key" };

static const struct { char phase; const struct tn_span_kind *kind; enum tn_span_part part; } parts[] = {
	{ 'B', &slice, TN_SPAN_PART_BEGIN }, { 'E', &slice, TN_SPAN_PART_END }, { 'X', &slice, TN_SPAN_PART_WHOLE },
	{ 'b', &async, TN_SPAN_PART_BEGIN }, { 'e', &async, TN_SPAN_PART_END },
	{ 'S', &task, TN_SPAN_PART_BEGIN }, { 'F', &task, TN_SPAN_PART_END },
	{ 'N', &object, TN_SPAN_PART_BEGIN }, { 'D', &object, TN_SPAN_PART_END },
	{ '(', &context, TN_SPAN_PART_BEGIN }, { ')', &context, TN_SPAN_PART_END },
};

static struct tn_clock *
new_clock(struct tn_trace *trace)
{
	const struct tn_cj_trace *own = trace->own;
	struct tn_clock *clock;
	int64_t offset;

	if (__builtin_add_overflow(own->found.base_ns, own->found.origin_ns, &offset))
		offset = own->found.base_ns;
	clock = tn_build_clock(trace, "ts", "microseconds of the program's clock, in nanoseconds", offset);
	if (clock && own->found.has_origin)
		clock->origin = TN_ORIGIN_UNIX;
	return clock;
}

static struct tn_field *
build_context(struct tn_builder *b, const struct tn_cj_trace *own)
{
	struct tn_type *t = tn_build_compound(b, TN_KIND_STRUCT, 7), *text = tn_build_type(b, TN_KIND_STRING, 0);
	struct tn_type *number = tn_build_type(b, TN_KIND_SINT, 64);
	struct tn_field *key;

	tn_build_field(b, t, "ph", text);
	tn_build_field(b, t, "cat", text);
	tn_build_field(b, t, "pid", own->found.pid_is_text ? text : number);
	tn_build_field(b, t, "tid", own->found.tid_is_text ? text : number);
	tn_build_field(b, t, "procname", text);
	tn_build_field(b, t, "thread_name", text);
	if ((key = tn_build_field(b, t, "async_key", text)))
		key->hidden = true;
	return tn_build_root(b, t);
}

/*
 * The first members are those that read.c adds: the duration of an X event, and the name of an event whose class does
 * not have one.
 */
static struct tn_field *
build_payload(struct tn_builder *b, struct tn_cj_class *c)
{
	size_t n = c->payload.n + (size_t)c->payload.more + 2;
	struct tn_type *t = tn_build_compound(b, TN_KIND_STRUCT, n);

	if (c->phase == 'X')
		tn_build_field(b, t, "dur", tn_build_type(b, TN_KIND_UINT, 64));
	if (c->is_other)
		tn_build_field(b, t, "name", tn_build_type(b, TN_KIND_STRING, 0));
	for (struct tn_cj_node *m = c->payload.first; m && t; m = m->next)
		m->field = tn_build_field(b, t, m->key, tn_cj_build_type(b, m));
	if (c->payload.more && t)
		tn_build_field(b, t, "more", tn_build_type(b, TN_KIND_STRING, 0));
	return tn_build_root(b, t);
}

static void
build_class(struct tn_builder *b, struct tn_stream_class *sc, struct tn_cj_class *c, size_t i, struct tn_event_class *ec)
{
	struct tn_trace *trace = b->trace;
	const char phase[2] = { c->phase, '\0' };

	ec->id = ec->last_id = i;
	ec->index = (uint32_t)i;
	ec->name = c->name.n ? tn_cj_copy(&trace->arena, &c->name) : NULL;
	/* An event without a name gets the name of its phase. */
	if (!ec->name || !*ec->name)
		ec->name = tn_arena_string(&trace->arena, phase);
	ec->log_level = -1;
	ec->stream_class = sc;
	ec->payload = build_payload(b, c);
	for (size_t k = 0; k < TN_COUNT(parts); k++)
		if (parts[k].phase == c->phase) {
			ec->span_kind = parts[k].kind;
			ec->span_part = parts[k].part;
		}
	b->failed |= !ec->name;
	sc->event_class[i] = trace->event_class[i] = c->event_class = ec;
}

enum tn_code
tn_cj_build(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_cj_trace *own = trace->own;
	struct tn_builder b = { .trace = trace };
	size_t n = own->classes.n;
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);
	struct tn_event_class *ec = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_event_class);

	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 1, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_event_class *);
	if (!sc || !ec || !trace->stream_class || !trace->event_class ||
	    !new_clock(trace) ||
	    !(sc->event_class = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_event_class *)))
		return tn_fail_memory(err);
	trace->n_stream_classes = 1;
	trace->stream_class[0] = sc;
	sc->name = "events";
	sc->trace = trace;
	sc->clock = trace->clock[0];
	sc->common_context = own->context = build_context(&b, own);
	sc->n_event_classes = trace->n_event_classes = n;
	tn_field_number(own->context, &trace->n_fields);
	for (size_t i = 0; i < n && !b.failed; i++) {
		build_class(&b, sc, &own->classes.item[i], i, &ec[i]);
		if (!b.failed)
			tn_field_number(ec[i].payload, &trace->n_fields);
	}
	return b.failed ? tn_fail_memory(err) : TN_OK;
}
