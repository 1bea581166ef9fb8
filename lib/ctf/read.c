/*
 * read.c - the values of an event
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "ctf/stream.h"

struct reader {
	const struct tn_batch *batch;
	struct tn_machine m;
	unsigned scopes;
	struct tn_event *out;
	struct tn_error *err;
	size_t first;		/* index of the scope's root value */
};

static enum tn_code
fail(struct reader *r, enum tn_trouble trouble, enum tn_scope scope)
{
	char text[600];

	if (trouble == TN_TROUBLE_SINK && r->out->n_values - r->first < TN_PLAN_VALUES)
		return tn_fail_memory(r->err);
	tn_machine_explain(&r->m, trouble, scope, text, sizeof text);
	return tn_fail(r->err, TN_ERR_FORMAT, "%s: packet %zu at byte %" PRIu64 ": %s", r->batch->stream->path,
		       r->batch->packet, r->batch->entry.offset, text);
}

static enum tn_code
shorter(const struct tn_batch *b, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file became shorter", b->stream->path, b->packet);
}

/* Read or skip one scope. */
static enum tn_code
scope(struct reader *r, const struct tn_op *skip, const struct tn_op *read, enum tn_scope which)
{
	bool wanted = r->scopes & TN_SCOPE_BIT(which);
	size_t first = r->out->n_values;
	enum tn_trouble trouble;

	if (!skip)
		return TN_OK;
	r->first = first;
	trouble = wanted ? tn_machine_read(&r->m, read, r->out) : tn_machine_skip(&r->m, skip);
	if (trouble != TN_TROUBLE_NONE)
		return fail(r, trouble, which);
	if (wanted)
		r->out->scope[which] = (uint32_t)first;
	return TN_OK;
}

static enum tn_code
scope_of_stream(struct reader *r, const struct tn_plan *plan, enum tn_scope which)
{
	return plan ? scope(r, plan->skip[which], plan->read[which], which) : TN_OK;
}

/* Name the event by the label of an enumeration in its header (KEDR). */
static void
name_by_header(struct tn_event *out, const struct tn_plan *plan, uint64_t id)
{
	const struct tn_value *v, *end;

	out->name = NULL;
	if (plan->name_field && out->scope[TN_SCOPE_EVENT_HEADER] != UINT32_MAX) {
		v = &out->value[out->scope[TN_SCOPE_EVENT_HEADER]];
		for (end = v + v->next; v < end; v++)
			if (v->field == plan->name_field)
				out->name = tn_value_label(v);
	}
	if (!out->name && plan->name_field) {
		if (plan->name_field->type->kind == TN_KIND_SINT)
			snprintf(out->name_room, sizeof out->name_room, "%" PRId64, (int64_t)id);
		else
			snprintf(out->name_room, sizeof out->name_room, "%" PRIu64, id);
		out->name = out->name_room;
	}
}

static enum tn_code
event(struct reader *r, size_t i)
{
	const struct tn_batch *b = r->batch;
	const struct tn_stream_class *sc = b->stream->stream_class;
	const struct tn_event_class *ec;
	const struct tn_event_plan *plan;
	const struct tn_field *first;
	struct tn_event *out = r->out;
	const struct tn_ref *ref = &b->refs.item[i];
	struct tn_machine probe;
	enum tn_code rc;
	bool unnamed;

	if (i >= b->refs.n || ref->event_class == TN_REF_NOTICE)
		return tn_fail(r->err, TN_ERR_ARGUMENT, "the row is not an event");
	ec = sc->trace->event_class[ref->event_class];
	out->event_class = ec;
	out->name = ec->name;
	out->has_cycles = sc->clock != NULL;
	out->time_ns = tn_batch_time(b, i);
	out->has_time = tn_clock_fits(sc->clock, out->time_ns);
	out->cycles = tn_batch_cycles(b, i);
	out->row = b->begin.row + i;
	r->m.at = b->base_bit + ref->bit;
	/* The row begins where the previous event ended. The event begins where its first scope is aligned. */
	first = sc->event_header ? sc->event_header : sc->common_context ? sc->common_context
		: ec->specific_context ? ec->specific_context : ec->payload;
	out->bit = tn_align_up(r->m.at, first ? first->type->align : 1);
	r->m.empty = 0;
	if (r->m.at > r->m.end)
		return shorter(r->batch, r->err);
	unnamed = !ec->name && sc->plan->name_field;
	probe = r->m;
	if (unnamed)
		r->scopes |= TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER);
	if ((rc = scope_of_stream(r, sc->plan, TN_SCOPE_EVENT_HEADER)) < 0)
		return rc;
	if (unnamed && tn_machine_skip(&probe, sc->plan->header) == TN_TROUBLE_NONE)
		name_by_header(out, sc->plan, probe.id);
	plan = tn_plan_event(ec);
	if (!plan)
		return tn_fail_memory(r->err);
	for (unsigned s = TN_SCOPE_COMMON_CONTEXT; s < TN_SCOPES; s++)
		if ((rc = scope(r, plan->skip[s], plan->read[s], (enum tn_scope)s)) < 0)
			return rc;
	out->end_bit = r->m.at;
	return TN_OK;
}

enum tn_code
tn_ctf_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err)
{
	const struct tn_stream_file *file = &b->stream->file[b->entry.file];
	const struct tn_stream_class *sc = b->stream->stream_class;
	struct reader r = { .batch = b, .scopes = scopes, .out = out, .err = err };
	struct tn_ctf_slots slots;
	uint64_t size = tn_ctf_file_size(file), end;
	enum tn_code rc = TN_OK;

	tn_event_begin(out, b);
	if (b->entry.offset >= size)
		return shorter(b, err);
	if (!tn_ctf_slots_init(&slots, b->stream->trace))
		return tn_fail_memory(err);
	size = (size - b->entry.offset) * 8;
	/* The size in an index file may be wrong. The walk used the packet's own size, and no event exceeded it. */
	end = b->entry.flags & TN_PACKET_CHECKED ? b->entry.content_bits : b->entry.size_bits;
	r.m = (struct tn_machine) {
		.p = file->map.data + b->entry.offset, .slot = slots.slot, .end = end < size ? end : size,
	};
	/* Run the packet's scopes if they are requested, or if other scopes refer to them. */
	if (i == TN_READ_PACKET || sc->plan->packet_slots ||
	    scopes & (TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) | TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT))) {
		rc = scope_of_stream(&r, sc->plan, TN_SCOPE_PACKET_HEADER);
		if (rc == TN_OK)
			rc = scope_of_stream(&r, sc->plan, TN_SCOPE_PACKET_CONTEXT);
		out->end_bit = r.m.at;
	}
	if (rc == TN_OK && i != TN_READ_PACKET)
		rc = event(&r, i);
	tn_ctf_slots_release(&slots);
	if (rc == TN_OK && tn_map_torn(&file->map) && b->entry.offset * 8 + out->end_bit > tn_ctf_file_size(file) * 8)
		rc = shorter(b, err);
	return rc;
}
