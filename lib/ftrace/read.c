/*
 * read.c - the values of an event whose record has a plan
 */
#include <inttypes.h>

#include "base/error.h"
#include "ftrace/rows.h"
#include "plan/machine.h"

#define SLOTS 8

struct reader {
	const struct tn_batch *batch;
	struct tn_machine m;
	unsigned scopes;
	struct tn_event *out;
	struct tn_error *err;
};

/* Read or skip one scope. */
static enum tn_code
scope(struct reader *r, const struct tn_op *skip, const struct tn_op *read, enum tn_scope which)
{
	bool wanted = r->scopes & TN_SCOPE_BIT(which);
	size_t first = r->out->n_values;
	enum tn_trouble trouble;
	char text[600];

	if (!skip)
		return TN_OK;
	trouble = wanted ? tn_machine_read(&r->m, read, r->out) : tn_machine_skip(&r->m, skip);
	if (trouble == TN_TROUBLE_SINK && r->out->n_values - first < TN_PLAN_VALUES)
		return tn_fail_memory(r->err);
	if (trouble != TN_TROUBLE_NONE) {
		tn_machine_explain(&r->m, trouble, which, text, sizeof text);
		return tn_fail(r->err, TN_ERR_FORMAT, "%s: packet %zu at byte %" PRIu64 ": %s", r->batch->stream->path,
			       r->batch->packet, r->batch->entry.offset, text);
	}
	if (wanted)
		r->out->scope[which] = (uint32_t)first;
	return TN_OK;
}

static enum tn_code
read_event(struct reader *r, size_t i)
{
	const struct tn_batch *b = r->batch;
	const struct tn_stream_class *sc = b->stream->stream_class;
	const struct tn_plan *of_stream = sc->plan;
	const struct tn_ref *ref = &b->refs.item[i];
	const struct tn_event_plan *plan;
	const struct tn_event_class *ec;
	struct tn_event *out = r->out;
	enum tn_code rc;

	if (i >= b->refs.n || ref->event_class == TN_REF_NOTICE)
		return tn_fail(r->err, TN_ERR_ARGUMENT, "the row is not an event");
	ec = sc->trace->event_class[ref->event_class];
	if (!(plan = tn_plan_event(ec)))
		return tn_fail_memory(r->err);
	out->event_class = ec;
	out->name = ec->name;
	out->has_cycles = true;
	out->time_ns = tn_batch_time(b, i);
	out->has_time = tn_clock_fits(sc->clock, out->time_ns);
	out->cycles = tn_batch_cycles(b, i);
	out->row = b->begin.row + i;
	out->bit = r->m.at = b->base_bit + ref->bit;
	if (r->m.at > r->m.end)
		return tn_fail(r->err, TN_ERR_FORMAT, "%s: packet %zu: the file became shorter", b->stream->path, b->packet);
	rc = scope(r, of_stream->skip[TN_SCOPE_EVENT_HEADER], of_stream->read[TN_SCOPE_EVENT_HEADER], TN_SCOPE_EVENT_HEADER);
	for (unsigned s = TN_SCOPE_COMMON_CONTEXT; rc == TN_OK && s < TN_SCOPES; s++)
		rc = scope(r, plan->skip[s], plan->read[s], (enum tn_scope)s);
	out->end_bit = r->m.at;
	return rc;
}

/* The page does not contain the processor; the stream has it. */
static enum tn_code
read_context(struct reader *r, uint64_t cpu)
{
	const struct tn_field *root = r->batch->stream->stream_class->packet_context;
	struct tn_values values = { .event = r->out };
	size_t at = r->out->n_values;

	if (!root || !(r->scopes & TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT)))
		return TN_OK;
	tn_values_begin(&values, root, 0);
	tn_values_add(&values, &root->type->field[0], 0)->u = cpu;
	tn_values_end(&values, at, 1, 0);
	if (values.failed)
		return tn_fail_memory(r->err);
	r->out->scope[TN_SCOPE_PACKET_CONTEXT] = (uint32_t)at;
	return TN_OK;
}

enum tn_code
tn_ftrace_read(const struct tn_batch *b, size_t i, unsigned scopes, uint64_t cpu, struct tn_event *out, struct tn_error *err)
{
	struct tn_slot slot[SLOTS] = { { 0 } };
	struct reader r = {
		.batch = b, .scopes = scopes, .out = out, .err = err,
		.m = { .p = b->data, .end = b->entry.content_bits, .slot = slot },
	};
	enum tn_code rc;

	tn_event_begin(out, b);
	if (b->stream->trace->n_slots > SLOTS)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: too many references", b->stream->path);
	rc = read_context(&r, cpu);
	return rc == TN_OK && i != TN_READ_PACKET ? read_event(&r, i) : rc;
}
