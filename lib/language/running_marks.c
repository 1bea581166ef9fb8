#include "language/running_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "index/packet_index.h"
#include "language/attribute_field.h"

/* ---- events that are switches ---- */

static const struct {
	const char *event, *before[2], *after[2];
} rows[] = {
#define RUNNING(event, before, before_name, after, after_name) { event, { before, before_name }, { after, after_name } },
#include "language/running.def"
};

static bool
find(const struct tn_event_class *ec, const char *name, struct tn_target *out)
{
	const char *const names[] = { name, NULL };

	return tn_member_field(ec, TN_SCOPE_PAYLOAD, names, 0, out);
}

enum tn_code
tn_switch_place(struct tn_switch_field *f, struct tn_arena *arena, const struct tn_event_class *ec, struct tn_error *err)
{
	return f->target.field ? tn_reach_compile(&f->reach, arena, ec, f->target.scope, f->target.field, -1, err) : TN_OK;
}

enum tn_code
tn_switch_init(struct tn_switch *out, struct tn_arena *arena, const struct tn_event_class *ec, struct tn_error *err)
{
	enum tn_code rc = TN_END;

	*out = (struct tn_switch) { .ec = ec };
	if (!ec->name || !tn_attribute_field(TN_ATTRIBUTE_CPU, ec, &out->cpu.target))
		return TN_END;
	for (size_t i = 0; i < TN_COUNT(rows) && rc == TN_END; i++) {
		if (strcmp(ec->name, rows[i].event) != 0 ||
		    !find(ec, rows[i].after[TN_RUNNING_TID], &out->after[TN_RUNNING_TID].target) ||
		    !tn_type_is_integer(out->after[TN_RUNNING_TID].target.field->type))
			continue;
		(void)find(ec, rows[i].before[TN_RUNNING_TID], &out->before[TN_RUNNING_TID].target);
		(void)find(ec, rows[i].before[TN_RUNNING_NAME], &out->before[TN_RUNNING_NAME].target);
		(void)find(ec, rows[i].after[TN_RUNNING_NAME], &out->after[TN_RUNNING_NAME].target);
		rc = tn_switch_place(&out->before[TN_RUNNING_TID], arena, ec, err);
		if (rc == TN_OK)
			rc = tn_switch_place(&out->after[TN_RUNNING_TID], arena, ec, err);
		if (rc == TN_OK)
			rc = tn_switch_place(&out->after[TN_RUNNING_NAME], arena, ec, err);
		if (rc == TN_OK && out->cpu.target.scope != TN_SCOPE_PACKET_CONTEXT)
			rc = tn_switch_place(&out->cpu, arena, ec, err);
	}
	return rc;
}

/* ---- reading switches ---- */

void
tn_switch_reader_release(struct tn_switch_reader *r)
{
	tn_event_release(&r->event);
	if (r->has_pool)
		tn_walk_pool_release(&r->pool);
	free(r->slot);
	*r = (struct tn_switch_reader) { 0 };
}

bool
tn_switch_reader_begin(struct tn_switch_reader *r, const struct tn_batch *b)
{
	size_t n = b->stream->trace->n_slots + (size_t)1;

	if (n > r->n_slots) {
		free(r->slot);
		r->slot = calloc(n, sizeof *r->slot);
		r->n_slots = r->slot ? n : 0;
	}
	r->m.slot = r->slot;
	r->m.p = b->data;
	r->m.end = b->entry.content_bits < b->entry.size_bits ? b->entry.content_bits : b->entry.size_bits;
	r->m.order = 0;
	return r->slot;
}

/* Get a value from decoded values. They are borrowed until the next event is read. */
static void
get_decoded(struct tn_switch_reader *r, const struct tn_switch_field *f, const struct tn_batch *b, size_t row,
	    struct tn_cell *out)
{
	if (b->stream->trace->ops->read(b, row, TN_SCOPE_BIT(f->target.scope), &r->event, NULL) < 0)
		return;
	for (size_t i = 0; i < r->event.n_values; i++) {
		const struct tn_value *v = &r->event.value[i];
		enum tn_kind kind = v->field->type->kind;

		if (v->field != f->target.field)
			continue;
		if (kind == TN_KIND_STRING)
			*out = (struct tn_cell) { .kind = TN_CELL_TEXT, .text = (const char *)v->bytes, .n = (size_t)v->size };
		else if (tn_type_is_integer(v->field->type) && v->field->type->length <= 64)
			*out = (struct tn_cell) { .kind = kind == TN_KIND_SINT ? TN_CELL_SIGNED : TN_CELL_UNSIGNED, .u = v->u };
	}
}

struct tn_cell
tn_switch_get(struct tn_switch_reader *r, const struct tn_switch_field *f, const struct tn_batch *b, size_t row)
{
	struct tn_cell cell = { .kind = TN_CELL_NONE };

	if (!f->target.field || f->target.scope == TN_SCOPE_PACKET_CONTEXT)
		return cell;
	if (f->reach.code &&
	    tn_reach_after_header(&r->m, b->stream->stream_class->plan, b->base_bit + b->refs.item[row].bit) &&
	    tn_reach_load(&f->reach, &r->m, f->target.field, &cell))
		return cell;
	cell.kind = TN_CELL_NONE;
	get_decoded(r, f, b, row, &cell);
	return cell;
}

static bool
is_number(const struct tn_cell *cell)
{
	return cell->kind == TN_CELL_SIGNED || cell->kind == TN_CELL_UNSIGNED;
}

static bool
add(struct tn_running_marks *marks, struct tn_switch_reader *r, const struct tn_switch *s, const struct tn_batch *b, size_t row)
{
	struct tn_running_mark *mark = TN_ARRAY_ADD(&marks->mark);
	struct tn_cell cell;

	if (!mark)
		return false;
	*mark = (struct tn_running_mark) {
		.row = b->begin.row + row, .time_ns = b->refs.item[row].time_ns, .is_loss = !s,
	};
	if (!s)
		return true;
	cell = tn_switch_get(r, &s->after[TN_RUNNING_TID], b, row);
	mark->is_loss = !is_number(&cell);
	mark->tid = cell.i;
	cell = tn_switch_get(r, &s->cpu, b, row);
	mark->cpu = is_number(&cell) ? (uint32_t)cell.u : UINT32_MAX;
	cell = tn_switch_get(r, &s->after[TN_RUNNING_NAME], b, row);
	if (cell.kind == TN_CELL_TEXT) {
		mark->name = (uint32_t)marks->text.n;
		mark->name_n = (uint32_t)cell.n;
		tn_str_put(&marks->text, cell.text, cell.n);
	}
	return !marks->text.failed;
}

/* ---- the marks of a packet ---- */

void
tn_running_marks_drop(struct tn_running_marks *marks)
{
	if (!marks || atomic_fetch_sub_explicit(&marks->holders, 1, memory_order_acq_rel) != 1)
		return;
	TN_ARRAY_RELEASE(&marks->mark);
	tn_str_release(&marks->text);
	free(marks->before.name);
	free(marks);
}

static bool
add_batch(struct tn_running_marks *marks, struct tn_switch_reader *r, struct tn_switch *const *of_class, const struct tn_batch *b)
{
	size_t n_classes = b->stream->trace->n_event_classes;

	if (!tn_switch_reader_begin(r, b))
		return false;
	marks->content_bits = b->entry.content_bits;
	for (size_t i = 0; i < b->refs.n; i++) {
		uint32_t class = b->refs.item[i].event_class;
		const struct tn_switch *s = class < n_classes ? of_class[class] : NULL;

		if ((s || class == TN_REF_NOTICE) && !add(marks, r, s, b, i))
			return false;
	}
	return true;
}

static enum tn_code
walk(struct tn_running_marks *marks, struct tn_switch_reader *r, struct tn_switch *const *of_class, struct tn_error *err)
{
	struct tn_batch_place place = {
		.stream = (struct tn_stream *)marks->stream,	/* const is cast away, because the index may grow */
		.packet = marks->packet, .limit = TN_BATCH_REFS,
	};
	bool last = false;

	if (!r->has_pool)
		tn_walk_pool_init(&r->pool);
	r->has_pool = true;
	while (!last) {
		struct tn_walked *w;
		enum tn_code rc = tn_walk(&r->pool, &place, &w, err);

		if (rc != TN_OK)
			return rc;
		if (!add_batch(marks, r, of_class, &w->batch))
			rc = tn_fail_memory(err);
		place.mark = w->batch.end;
		place.number++;
		last = w->batch.last;
		tn_walked_drop(w);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}

enum tn_code
tn_running_marks_make(struct tn_running_marks **out, struct tn_switch_reader *r, struct tn_switch *const *of_class,
		      const struct tn_stream *stream, size_t packet, const struct tn_batch *b, struct tn_error *err)
{
	struct tn_running_marks *marks = calloc(1, sizeof *marks);
	enum tn_code rc;

	*out = NULL;
	if (!marks)
		return tn_fail_memory(err);
	atomic_init(&marks->holders, 1);
	marks->stream = stream;
	marks->packet = packet;
	if (b)
		rc = add_batch(marks, r, of_class, b) ? TN_OK : tn_fail_memory(err);
	else
		rc = walk(marks, r, of_class, err);
	if (rc == TN_OK)
		*out = marks;
	else
		tn_running_marks_drop(marks);
	return rc;
}

bool
tn_running_cpu(struct tn_switch_reader *r, const struct tn_stream *stream, const struct tn_field *field, uint32_t *cpu)
{
	struct tn_batch b = { .stream = stream };

	if (tn_index_sure((struct tn_stream *)stream, 0, &b.entry, NULL, NULL) != TN_OK ||
	    b.entry.flags & (TN_PACKET_GONE | TN_PACKET_BAD))
		return false;
	b.data = stream->file[b.entry.file].map.data;
	if (b.data)
		b.data += b.entry.offset;
	if (stream->trace->ops->read(&b, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), &r->event, NULL) < 0)
		return false;
	for (size_t i = 0; i < r->event.n_values; i++)
		if (r->event.value[i].field == field && tn_type_is_integer(field->type)) {
			*cpu = (uint32_t)r->event.value[i].u;
			return true;
		}
	return false;
}
