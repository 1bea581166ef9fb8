#include "columns/fields.h"

#include "base/error.h"
#include "base/ways.h"

#define JUDGED_ROWS 8192
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- event classes ---- */

static bool
is_direct(const struct tn_row_reader *r, const struct tn_class_rows *c, const struct tn_event_class *ec)
{
	/* The text of an attribute is borrowed from the packet, but packets are not read again for each row. */
	for (size_t i = 0; i < TN_SCHEMA_ATTRIBUTES; i++)
		if (c->field[i] && c->scope[i] == TN_SCOPE_PACKET_CONTEXT && !r->out->schema.attribute[i]->same &&
		    !r->out->schema.attribute[i]->column.of_packets)
			return false;
	return tn_schema_has_code(ec) && !(c->scopes & TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT));
}

/* Whether some values of the packet's context belong to each row: those in lists and groups, and attributes. */
static bool
needs_packet(struct tn_row_reader *r, const struct tn_field *field)
{
	const struct tn_field_nodes *f = tn_fields_of(r, field);

	if (f->node && !f->node->column.of_packets)
		return true;
	if (f->attribute && !r->out->schema.attribute[f->attribute - 1]->column.of_packets)
		return true;
	for (size_t i = 0; field->type->kind == TN_KIND_STRUCT && i < field->type->n_fields; i++)
		if (needs_packet(r, &field->type->field[i]))
			return true;
	return false;
}

static enum tn_code
make_class(struct tn_row_reader *r, struct tn_class_rows *c, const struct tn_event_class *ec, struct tn_error *err)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
	const struct tn_event_plan *plan = ec->stream_class->plan ? tn_plan_event(ec) : NULL;
	const struct tn_field *context = ec->stream_class->packet_context;
	const struct tn_op *code;
	size_t n = 0;

	if (ec->stream_class->plan && !plan)
		return tn_fail_memory(err);
	c->is_made = true;
	c->row_bytes = 2 * sizeof(uint64_t);	/* time and cycles */
	for (size_t i = 0; i < TN_COUNT(scopes); i++) {
		const struct tn_field *root = tn_event_class_scope(ec, scopes[i]);

		if (root && root->id >= r->trace->n_fields)
			continue;
		if (root && !root->hidden && !r->trace->of_field[root->id].is_known)
			tn_schema_meet(&r->out->schema, r->trace, root, scopes[i]);
		c->scopes |= root && !root->hidden ? TN_SCOPE_BIT(scopes[i]) : 0;
		code = plan ? root && !root->hidden ? plan->read[scopes[i]] : plan->skip[scopes[i]] : NULL;
		if (!code)
			continue;
		c->code[n] = (struct tn_class_code) { code, tn_loads_make(r, code, &c->row_bytes) };
		if (!c->code[n++].load)
			return tn_fail_memory(err);
	}
	c->code[n].op = NULL;
	if (context && !context->hidden && needs_packet(r, context))
		c->scopes |= TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT);
	if (!plan)	/* an event may have other fields than its class */
		c->scopes |= TN_SCOPE_SHOWN & ~TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT);
	c->is_direct = is_direct(r, c, ec);
	return TN_OK;
}

/* ---- packets ---- */

static void
put_fixed(struct tn_row_reader *r, struct tn_node *leaf, const char *text)
{
	if (text && leaf)
		tn_node_put_text(leaf, r->row, 0, text, strlen(text));
}

/* Put the attributes of a packet or of an event. */
static enum tn_code
put_attributes(struct tn_row_reader *r, const struct tn_class_rows *c, size_t row, struct tn_error *err)
{
	const struct tn_schema *s = &r->out->schema;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < TN_SCHEMA_ATTRIBUTES; i++) {
		struct tn_node *node = s->attribute[i];
		const struct tn_row_attribute *a = &r->attribute[i];
		bool is_text = i == TN_SCHEMA_PROCESS;
		struct tn_cell cell = { .kind = TN_CELL_NONE };

		if (node->same || node->column.of_packets != r->in_packet)
			continue;
		if (a->is_there && is_text) {
			tn_node_put_text(node, r->row, 0, a->bytes, a->n);
		} else if (a->is_there) {
			tn_node_put(node, r->row, 0, a->number);
		} else if (i == TN_SCHEMA_PID && r->trace->has_pid) {
			tn_node_put(node, r->row, 0, r->trace->pid);
		} else if (is_text && r->trace->process) {
			put_fixed(r, node, r->trace->process);
		} else if (c && c->running[i]) {
			rc = tn_running_look(r->running, &r->state.running, r->batch, row, tn_schema_part(i), &cell, err);
			if (cell.kind == TN_CELL_TEXT)
				tn_node_put_text(node, r->row, 0, cell.text, cell.n);
			else if (cell.kind == TN_CELL_SIGNED)
				tn_node_put(node, r->row, 0, cell.u);
		}
	}
	return rc;
}

/* If cycles are nanoseconds, they differ from the time by the same number in all events. */
static void
find_shift(struct tn_packet_rows *p, const struct tn_batch *b, size_t row)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;
	uint64_t cycles;

	if (!clock || clock->frequency != 1000000000)
		return;
	cycles = tn_clock_cycles(clock, b->refs.item[row].time_ns);
	p->has_shift = cycles && cycles != UINT64_MAX;
	p->shift = cycles - (uint64_t)b->refs.item[row].time_ns;
}

/* Put the values that all events of the batch's packet share into the row of the packet. */
static enum tn_code
begin_packet(struct tn_row_reader *r, struct tn_packet_rows *p, const struct tn_batch *b, size_t row, struct tn_error *err)
{
	const struct tn_schema *s = &r->out->schema;
	const struct tn_field *context = b->stream->stream_class->packet_context;
	const struct tn_value *v;
	enum tn_code rc;

	*p = (struct tn_packet_rows) { .stream = b->stream, .packet = b->packet, .number = (uint32_t)r->out->file.n_packets++ };
	find_shift(p, b, row);
	r->is_new = true;
	r->row = p->number;
	r->in_packet = true;
	memset(r->attribute, 0, sizeof r->attribute);
	put_fixed(r, s->trace_path, b->stream->trace->path);
	put_fixed(r, s->host, s->host_of_stream[b->stream->rank]);
	put_fixed(r, s->stream, tn_stream_name(b->stream));
	tn_node_put(s->packet, r->row, 0, b->packet);
	if (context && !context->hidden && context->id < r->trace->n_fields) {
		rc = b->stream->trace->ops->read(b, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), &r->event, err);
		if (rc < 0)
			return rc;
		if (!r->trace->of_field[context->id].is_known)
			tn_schema_meet(&r->out->schema, r->trace, context, TN_SCOPE_PACKET_CONTEXT);
		if ((v = tn_event_scope(&r->event, TN_SCOPE_PACKET_CONTEXT)))
			tn_fields_put(r, v);
	}
	rc = put_attributes(r, NULL, row, err);
	r->in_packet = false;
	return rc;
}

static bool
is_packet(const struct tn_packet_rows *p, const struct tn_batch *b, const uint8_t *context, size_t n)
{
	return p->packet == b->packet && p->stream == b->stream && p->n_context == n && (!n || !memcmp(p->context, context, n));
}

/* Put the columns that all classes have, for a row of a class with a name. */
static inline void
put_common(struct tn_row_reader *r, struct tn_class_rows *class, size_t row)
{
	const struct tn_batch *b = r->batch;
	const struct tn_schema *s = &r->out->schema;
	const struct tn_ref *ref = &b->refs.item[row];
	const struct tn_clock *clock = b->stream->stream_class->clock;
	size_t group = r->out->file.group_row.n + 1;
	int64_t ns;

	if (s->name && LIKELY(class->name_group == group && !s->name->column.is_full)) {
		tn_column_there(&s->name->column, r->row);
		tn_column_code(&s->name->column, class->name_code);
	} else if (s->name) {
		put_fixed(r, s->name, r->trace->trace->event_class[ref->event_class]->name);
		class->name_group = group;
		class->name_code = s->name->column.last_code;
	}
	if (!clock)
		return;
	ns = UNLIKELY(b->cycles != NULL) ? tn_batch_time(b, row) : ref->time_ns;
	if (LIKELY(!clock->beyond && !b->cycles) || tn_clock_fits(clock, ns)) {
		tn_column_there(&s->time_ns->column, r->row);
		tn_column_store(&s->time_ns->column, (uint64_t)ns);
	}
	tn_column_there(&s->cycles->column, r->row);
	tn_column_store(&s->cycles->column, LIKELY(r->packet->has_shift && !b->cycles) ? (uint64_t)ref->time_ns + r->packet->shift
										     : tn_batch_cycles(b, row));
}

static void
forget_packets(struct tn_event_rows *out)
{
	memset(out->kept, 0, sizeof out->kept);
	memset(out->latest, 0, sizeof out->latest);
}

/* Find or begin the packet of the row, which has this common context. */
static enum tn_code
enter(struct tn_row_reader *r, size_t row, const uint8_t *context, size_t n, struct tn_error *err)
{
	const struct tn_batch *b = r->batch;
	struct tn_packet_rows *p;
	struct tn_packet_rows **latest = &r->out->latest[b->stream->rank % TN_PACKETS_KEPT];
	uint64_t hash = b->stream->rank;
	enum tn_code rc;

	if (*latest && is_packet(*latest, b, context, n)) {
		r->packet = *latest;
		return TN_OK;
	}
	for (size_t i = 0; i + 4 <= n; i += 8) {
		uint64_t some = tn_load64(context + i);

		hash = (hash ^ (i + 8 <= n ? some : (uint32_t)some)) * UINT64_C(0x9e3779b97f4a7c15);
	}
	r->packet = *latest = p = &r->out->kept[(n ? hash >> 40 : hash) % TN_PACKETS_KEPT];
	if (is_packet(p, b, context, n))
		return TN_OK;
	if ((rc = begin_packet(r, p, b, row, err)) < 0)
		return rc;
	p->n_context = (uint8_t)n;
	if (n)
		memcpy(p->context, context, n);
	return TN_OK;
}

/* ---- rows ---- */

static enum tn_code
changed(const struct tn_batch *b, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file became shorter", b->stream->path, b->packet);
}

/* Put an event whose codes can be run. A packet with another common context counts as another packet. */
static inline enum tn_code
put_direct(struct tn_row_reader *r, struct tn_class_rows *c, size_t row, struct tn_error *err)
{
	const struct tn_batch *b = r->batch;
	const struct tn_class_code *code = c->code;
	struct tn_machine *m = &r->state.m;
	size_t n = c->context_bytes;
	const uint8_t *context = NULL;
	enum tn_code rc;

	if (UNLIKELY(!tn_reach_after_header(m, b->stream->stream_class->plan, b->base_bit + b->refs.item[row].bit)))
		return changed(b, err);
	m->empty = 0;
	if (n) {
		uint64_t at = tn_align_up(m->at, c->context_align);

		if (at > m->end || m->end - at < n * 8)
			return changed(b, err);
		context = m->p + (at >> 3);
		m->at = at;
	}
	if (UNLIKELY(!r->packet || r->packet->n_context != n || (n && memcmp(r->packet->context, context, n) != 0))) {
		if ((rc = enter(r, row, context, n, err)) < 0)
			return rc;
		if (n && r->is_new) {
			uint64_t at = m->at;

			r->row = r->packet->number;
			r->in_packet = true;
			if (!tn_loads_run(r, code))
				return changed(b, err);
			r->in_packet = false;
			m->at = at;
		}
		r->is_new = false;
	}
	m->at += n * 8;
	r->row = r->out->file.row;
	for (code += n != 0; code->op; code++)
		if (UNLIKELY(!tn_loads_run(r, code)))
			return changed(b, err);
	put_common(r, c, row);
	tn_parquet_of_packet(&r->out->file, r->packet->number);
	r->out->file.held += c->row_bytes;
	return TN_OK;
}

static enum tn_code
put_event(struct tn_row_reader *r, const struct tn_class_rows *c, size_t row, struct tn_error *err)
{
	static const enum tn_scope scopes[] = {
		TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
	};
	const struct tn_batch *b = r->batch;
	struct tn_schema *s = &r->out->schema;
	struct tn_event *e = &r->event;
	enum tn_code rc = enter(r, row, NULL, 0, err);

	if (rc == TN_OK)
		rc = b->stream->trace->ops->read(b, row, c ? c->scopes : 0, e, err);
	if (rc < 0)
		return rc;
	r->is_new = false;
	r->row = r->out->file.row;
	tn_parquet_of_packet(&r->out->file, r->packet->number);
	if (e->has_time)
		tn_node_put(s->time_ns, r->row, 0, (uint64_t)e->time_ns);
	if (e->has_cycles)
		tn_node_put(s->cycles, r->row, 0, e->cycles);
	put_fixed(r, s->name, e->name);
	for (size_t i = 0; c && i < TN_COUNT(scopes); i++) {
		const struct tn_value *v = c->scopes & TN_SCOPE_BIT(scopes[i]) ? tn_event_scope(e, scopes[i]) : NULL;

		if (!v || v->field->id >= r->trace->n_fields || v->field->hidden)
			continue;
		if (UNLIKELY(!r->trace->of_field[v->field->id].is_known))
			tn_schema_meet(s, r->trace, v->field, scopes[i]);
		tn_fields_put(r, v);
	}
	return TN_OK;
}

/* End a row group that is full. Or, if few of its events share a context with others, stop sharing contexts. */
static enum tn_code
end_rows(struct tn_row_reader *r, struct tn_error *err)
{
	struct tn_event_rows *out = r->out;
	struct tn_parquet *file = &out->file;
	uint64_t judged = tn_ways() & TN_WAYS_SMALL ? 4 : JUDGED_ROWS;
	bool is_full = file->held >= file->group_bytes || file->row == TN_GROUP_ROWS, parts;
	enum tn_code rc;

	parts = out->schema.shares_context && file->row % judged == 0 && file->n_packets >= file->row / 8;
	if (!is_full && !parts) {
		out->looked = file->row - file->row % judged + judged;
		return TN_OK;
	}
	rc = tn_parquet_end_group(file, err);
	if (parts)
		tn_schema_part_context(&out->schema);
	forget_packets(out);
	r->packet = NULL;
	out->looked = 0;
	return rc;
}

enum tn_code
tn_event_rows_put(struct tn_event_rows *out, struct tn_row_reader *r, const struct tn_batch *b, size_t first, size_t n,
		  struct tn_error *err)
{
	const struct tn_trace *trace = b->stream->trace;
	bool has_attributes = out->schema.has_row_attributes;
	struct tn_parquet *file = &out->file;
	enum tn_code rc;

	r->out = out;
	r->batch = b;
	r->trace = out->schema.of_stream[b->stream->rank];
	r->packet = NULL;
	if (!file->row)
		forget_packets(out);
	/* The position of a packet identifies it, even if the batch uses the memory of an earlier batch. */
	if (b->stream->stream_class->plan && (b->data != r->prepared || b->entry.content_bits != r->prepared_bits)) {
		if (!tn_row_prepare(&r->state, b))
			return tn_fail_memory(err);
		r->prepared = b->data;
		r->prepared_bits = b->entry.content_bits;
	}
	for (size_t row = first; row < first + n; row++) {
		uint32_t index = b->refs.item[row].event_class;
		struct tn_class_rows *c = index < r->trace->n_classes ? &r->trace->of_class[index] : NULL;

		if (UNLIKELY(c && !c->is_made) && (rc = make_class(r, c, trace->event_class[index], err)) < 0)
			return rc;
		for (size_t i = 0; has_attributes && i < TN_SCHEMA_ATTRIBUTES; i++)
			r->attribute[i].is_there = false;
		rc = c && LIKELY(c->is_direct) ? put_direct(r, c, row, err) : put_event(r, c, row, err);
		if (has_attributes && rc == TN_OK)
			rc = put_attributes(r, c, row, err);
		if (rc < 0)
			return rc;
		if (UNLIKELY(++file->row >= out->looked || file->held >= file->group_bytes) &&
		    (rc = end_rows(r, err)) < 0)
			return rc;
	}
	return TN_OK;
}

void
tn_event_rows_release(struct tn_event_rows *out)
{
	tn_parquet_release(&out->file);
	tn_schema_release(&out->schema);
}

void
tn_row_reader_release(struct tn_row_reader *r)
{
	tn_row_state_release(&r->state);
	tn_event_release(&r->event);
	tn_str_release(&r->scratch);
}
