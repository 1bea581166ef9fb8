#include "language/field.h"

#include <stdlib.h>

#include "base/error.h"
#include "language/attribute_field.h"
#include "language/marker_field.h"
#include "language/row_before.h"
#include "language/running.h"
#include "language/symbol_field.h"

/* ---- cells ---- */

/* Make a cell of a decoded value; an option is replaced by its content. */
static struct tn_cell
cell_of(const struct tn_value *v)
{
	struct tn_cell cell = { .kind = TN_CELL_NONE };
	const struct tn_type *t;

	while (v && (v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL))
		v = tn_value_first(v);
	if (!v)
		return cell;
	cell.type = t = v->field->type;
	switch (t->kind) {
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		cell.kind = TN_CELL_TEXT;
		cell.text = v->bytes ? (const char *)v->bytes : "";
		cell.n = (size_t)v->size;
		break;
	case TN_KIND_FLOAT:
		cell.kind = t->length <= 64 ? TN_CELL_DOUBLE : TN_CELL_OPAQUE;
		cell.f = v->f;
		break;
	case TN_KIND_SINT:
	case TN_KIND_UINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
		cell.kind = (t->length > 64 && t->kind != TN_KIND_BOOL) || (t->varint && v->option) ? TN_CELL_OPAQUE :
			    t->kind == TN_KIND_SINT ? TN_CELL_SIGNED : TN_CELL_UNSIGNED;
		cell.u = v->u;
		break;
	default:
		cell.kind = TN_CELL_OPAQUE;
		cell.u = v->n;
		break;
	}
	return cell;
}

const char *
tn_cell_label(const struct tn_cell *cell)
{
	const struct tn_type *t = cell->type;

	for (size_t i = 0; t && (cell->kind == TN_CELL_SIGNED || cell->kind == TN_CELL_UNSIGNED) && i < t->n_mappings; i++)
		if (tn_mapping_has(t, &t->mapping[i], cell->u))
			return t->mapping[i].label;
	return NULL;
}

static struct tn_cell
text_cell(const char *text)
{
	if (!text)
		return (struct tn_cell) { .kind = TN_CELL_NONE };
	return (struct tn_cell) { .kind = TN_CELL_TEXT, .text = text, .n = strlen(text) };
}

static struct tn_cell
number_cell(uint64_t u)
{
	return (struct tn_cell) { .kind = TN_CELL_UNSIGNED, .u = u };
}

static struct tn_cell
signed_cell(int64_t i)
{
	return (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = i };
}

/* ---- the state of a thread ---- */

#define PACKETS 64	/* limit of streams whose packets' values are cached */

struct tn_packet_values {
	struct tn_event event;
	const struct tn_stream *stream;
	size_t packet;
	uint64_t content_bits;
};

void
tn_row_state_release(struct tn_row_state *s)
{
	tn_event_release(&s->event);
	tn_event_release(&s->one);
	for (size_t i = 0; s->packet && i < PACKETS; i++)
		tn_event_release(&s->packet[i].event);
	free(s->packet);
	if (s->has_pool)
		tn_walk_pool_release(&s->pool);
	tn_running_state_free(s->running);
	free(s->slot);
	*s = (struct tn_row_state) { 0 };
}

/* The end of the content that still exists in the file. */
static inline uint64_t
end_of(const struct tn_batch *b)
{
	uint64_t end = b->entry.flags & TN_PACKET_CHECKED ? b->entry.content_bits : b->entry.size_bits, size = 0;
	const struct tn_stream *stream = b->stream;

	if (b->entry.file < stream->n_files && stream->file[b->entry.file].map.size > b->entry.offset)
		size = (stream->file[b->entry.file].map.size - b->entry.offset) * 8;
	return end < size ? end : size;
}

static bool
make_slots(struct tn_row_state *s, size_t n)
{
	free(s->slot);
	s->slot = calloc(n, sizeof *s->slot);
	s->n_slots = s->slot ? n : 0;
	s->m.slot = s->slot;
	return s->slot;
}

bool
tn_row_prepare(struct tn_row_state *s, const struct tn_batch *b)
{
	size_t n_slots = b->stream->trace->n_slots + (size_t)1;

	if (n_slots > s->n_slots && !make_slots(s, n_slots))
		return false;
	s->m.p = b->data;
	s->m.end = end_of(b);
	s->m.order = 0;
	return true;
}

/*
 * Get the values of some scopes of the row, and of all scopes that were requested before. @only: the field whose values
 * are needed, because a format can read one field much faster than all; or NULL. Texts stay valid until the next row.
 */
static enum tn_code
row_values(struct tn_row_state *s, unsigned scopes, const struct tn_field *only, const struct tn_event **out,
	   struct tn_error *err)
{
	const struct tn_format *format = s->batch->stream->trace->ops;
	enum tn_code rc;

	*out = &s->event;
	if (s->read && (s->read & scopes) == scopes)
		return TN_OK;
	if (only && !s->many && (!s->only || s->only == only)) {
		*out = &s->one;
		if (s->only)
			return TN_OK;
		s->n_one++;
		s->one.only = only;
		rc = format->read(s->batch, s->row, scopes, &s->one, err);
		s->only = rc == TN_OK ? only : NULL;
		return rc;
	}
	s->many |= ++s->n_all > s->n_one / 2 + 8;
	s->scopes |= scopes;
	rc = format->read(s->batch, s->row, s->scopes, &s->event, err);
	s->read = rc == TN_OK ? s->scopes | TN_SCOPE_BIT(TN_SCOPES) : 0;
	return rc;
}

/* Get the values of the packet's scopes. They are decoded once for each packet, because rows of many streams alternate. */
static enum tn_code
packet_values(struct tn_row_state *s, const struct tn_event **out, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	struct tn_packet_values *kept;
	enum tn_code rc;

	if (!s->packet && !(s->packet = calloc(PACKETS, sizeof *s->packet)))
		return tn_fail_memory(err);
	kept = &s->packet[b->stream->rank % PACKETS];
	*out = &kept->event;
	if (kept->stream == b->stream && kept->packet == b->packet && kept->content_bits == b->entry.content_bits)
		return TN_OK;
	kept->stream = NULL;
	rc = b->stream->trace->ops->read(b, TN_READ_PACKET,
					 TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) | TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT),
					 &kept->event, err);
	if (rc == TN_OK) {
		kept->stream = b->stream;
		kept->packet = b->packet;
		kept->content_bits = b->entry.content_bits;
	}
	return rc;
}

/* ---- decoded values ---- */

struct search {
	const struct tn_field *way[2 * TN_PLAN_DEPTH];	/* the fields on the way from the root to the current one */
	size_t n;
	const int64_t *index;
	bool (*each)(void *user, const struct tn_cell *cell);
	void *user;
	bool found, stopped, array;
	bool by_label;		/* the event has another shape than its class, so fields are found by name */
};

static void
descend(struct search *s, const struct tn_value *v, size_t level, size_t array)
{
	if (level == s->n) {
		struct tn_cell cell = cell_of(v);

		if (cell.kind == TN_CELL_NONE)
			return;
		s->found = true;
		s->stopped = !s->each(s->user, &cell);
		return;
	}
	if (v->field->type->kind == TN_KIND_ARRAY) {
		int64_t i = s->index[array];
		const struct tn_value *at = tn_value_first(v);

		s->array |= i == TN_INDEX_ANY;
		if (i != TN_INDEX_ANY) {
			if (at && (uint64_t)i < v->n)
				descend(s, tn_value_at(v, (size_t)i), level + 1, array + 1);
			return;
		}
		for (; at && !s->stopped; at = tn_value_after(v, at))
			descend(s, at, level + 1, array + 1);
		return;
	}
	for (const struct tn_value *at = tn_value_first(v); at && !s->stopped; at = tn_value_after(v, at))
		if (at->field == s->way[level] ||
		    (s->by_label && strcmp(at->field->label, s->way[level]->label) == 0))
			descend(s, at, level + 1, array);
}

/* Pass all values that the target has in one event. */
static bool
search(const struct tn_target *target, const int64_t *index, const struct tn_event *e,
       bool (*each)(void *user, const struct tn_cell *cell), void *user, bool *stopped, bool *there)
{
	const struct tn_value *root = tn_event_scope(e, target->scope);
	struct search s = { .index = index, .each = each, .user = user };
	const struct tn_field *top = target->field;
	size_t n = 0;

	for (; top->parent; top = top->parent)
		n++;
	if (!root || n > TN_COUNT(s.way))
		return false;
	s.n = n;
	s.by_label = root->field != top;	/* ovni: the event should be a jumbo event, but is not */
	for (const struct tn_field *f = target->field; f->parent; f = f->parent)
		s.way[--n] = f;
	descend(&s, root, 0, 0);
	*stopped = s.stopped;
	*there |= s.found || s.array;
	return s.found;
}

static bool
keep_first(void *user, const struct tn_cell *cell)
{
	*(struct tn_cell *)user = *cell;
	return false;
}

/* Pass the values of the fields of a class, from decoded values. */
static enum tn_code
each_value(const struct tn_reference *r, const struct tn_place *place, struct tn_row_state *s,
	   bool (*each)(void *user, const struct tn_cell *cell), void *user, bool *there, struct tn_error *err)
{
	bool packet = place->scopes < TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER), stopped = false;
	const struct tn_field *only = place->n_targets == 1 ? place->target[0].field : NULL;
	const struct tn_event *event;
	enum tn_code rc = packet ? packet_values(s, &event, err) : row_values(s, place->scopes, only, &event, err);

	for (size_t i = 0; rc == TN_OK && i < place->n_targets && !stopped; i++)
		if (search(&place->target[i], r->meaning.index, event, each, user,
			   &stopped, there) && !r->meaning.has_any)
			break;
	return rc;
}

/* ---- attributes that are not fields ---- */

static enum tn_running_part
part_of(enum tn_attribute_id id)
{
	return id == TN_ATTRIBUTE_PROCESS ? TN_RUNNING_NAME : id == TN_ATTRIBUTE_PID ? TN_RUNNING_PID : TN_RUNNING_TID;
}

static enum tn_code
row_attribute(const struct tn_reference *r, struct tn_row_state *s, struct tn_cell *out, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	const struct tn_stream *stream = b->stream;
	const struct tn_event *event;
	enum tn_code rc;

	switch (r->meaning.attribute) {
	case TN_ATTRIBUTE_NAME:		/* events of the class have their own names */
		rc = row_values(s, TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER), NULL, &event, err);
		if (rc == TN_OK)
			*out = text_cell(event->name);
		return rc;
	case TN_ATTRIBUTE_STREAM:
		*out = text_cell(stream->name ? stream->name : "");
		return TN_OK;
	case TN_ATTRIBUTE_STREAM_ID:
		*out = number_cell(stream->id);
		return TN_OK;
	case TN_ATTRIBUTE_HOST:
		*out = text_cell(tn_stream_host(stream));
		return TN_OK;
	case TN_ATTRIBUTE_TIME:
		if (stream->stream_class->clock)
			*out = signed_cell(tn_batch_time(b, s->row));
		return TN_OK;
	case TN_ATTRIBUTE_CYCLES:
		if (stream->stream_class->clock)
			*out = number_cell(tn_batch_cycles(b, s->row));
		return TN_OK;
	case TN_ATTRIBUTE_DELTA:
		return tn_row_delta(s, out, err);
	case TN_ATTRIBUTE_PACKET:
		*out = number_cell(b->packet);
		return TN_OK;
	case TN_ATTRIBUTE_LOST:
		return tn_row_lost(s, out, err);
	case TN_ATTRIBUTE_TID:
	case TN_ATTRIBUTE_PID:
	case TN_ATTRIBUTE_PROCESS:
	case TN_ATTRIBUTE_RUNNING:
		return tn_running_look(tn_names_running(r->names), &s->running, b, s->row, part_of(r->meaning.attribute), out, err);
	default:
		return TN_OK;
	}
}

/* ---- places ---- */

/* Make a cell of the text or number in an entry of the environment. */
static struct tn_cell
env_cell(const struct tn_trace *trace, const char *name)
{
	const struct tn_env *env = tn_trace_env(trace, name);

	if (!env)
		return (struct tn_cell) { .kind = TN_CELL_NONE };
	return env->is_text ? text_cell(env->text) : env->is_unsigned ? number_cell((uint64_t)env->number)
								      : signed_cell(env->number);
}

/* Whether the format gives a host for each stream. */
static bool
has_own_hosts(const struct tn_trace *trace)
{
	for (size_t i = 0; i < trace->n_streams; i++)
		if (trace->stream[i]->host)
			return true;
	return false;
}

/* The attribute is a field of a context, or a value of the whole trace, or the thread of the last switch. */
static void
place_context(const struct tn_reference *r, const struct tn_event_class *ec, struct tn_place *out)
{
	const struct tn_running *running = tn_names_running(r->names);
	const struct tn_trace *trace = ec->stream_class->trace;
	enum tn_attribute_id id = r->meaning.attribute;

	if (id != TN_ATTRIBUTE_RUNNING && tn_attribute_field(id, ec, &out->own)) {
		out->target = &out->own;
		out->n_targets = 1;
	} else if (id == TN_ATTRIBUTE_PID && tn_trace_env(trace, "vpid")) {
		out->cell = env_cell(trace, "vpid");
	} else if (id == TN_ATTRIBUTE_PROCESS && tn_trace_env(trace, "procname")) {
		out->cell = env_cell(trace, "procname");
	} else if (id != TN_ATTRIBUTE_CPU && tn_running_before(running, ec, part_of(id), &out->own)) {
		out->target = &out->own;
		out->n_targets = 1;
	} else if (id != TN_ATTRIBUTE_CPU && tn_running_tells(running, ec, part_of(id))) {
		out->way = TN_PLACE_ROW;
	}
}

/* Find how to get an attribute: it is the same for all events of a class, or a field, or neither. */
static void
place_attribute(const struct tn_reference *r, const struct tn_event_class *ec, struct tn_place *out)
{
	const struct tn_trace *trace = ec->stream_class->trace;

	out->way = TN_PLACE_CONSTANT;
	switch (r->meaning.attribute) {
	case TN_ATTRIBUTE_NAME:
		if (!ec->name)
			out->way = TN_PLACE_ROW;
		out->cell = text_cell(ec->name);
		return;
	case TN_ATTRIBUTE_ID:
		out->cell = number_cell(ec->id);
		return;
	case TN_ATTRIBUTE_LOG_LEVEL:
		if (ec->log_level >= 0)
			out->cell = signed_cell(ec->log_level);
		return;
	case TN_ATTRIBUTE_TRACE:
		out->cell = text_cell(trace->path);
		return;
	case TN_ATTRIBUTE_HOST:
		if (has_own_hosts(trace))
			out->way = TN_PLACE_ROW;
		else
			out->cell = env_cell(trace, "hostname");
		return;
	case TN_ATTRIBUTE_CPU:
	case TN_ATTRIBUTE_TID:
	case TN_ATTRIBUTE_PID:
	case TN_ATTRIBUTE_PROCESS:
	case TN_ATTRIBUTE_RUNNING:
		place_context(r, ec, out);
		return;
	default:
		out->way = TN_PLACE_ROW;
		return;
	}
}

/* Find the targets of the class: in its own scopes, otherwise in those of its stream class or trace. */
static void
place_targets(const struct tn_meaning *meaning, const struct tn_event_class *ec, struct tn_place *out)
{
	const void *const owner[] = { ec, ec->stream_class, ec->stream_class->trace };

	for (size_t k = 0; k < TN_COUNT(owner) && !out->n_targets; k++) {
		size_t lo = 0;

		TN_BISECT(lo, meaning->n_targets, mid,
			  (uintptr_t)meaning->target[mid].owner < (uintptr_t)owner[k]);
		out->target = meaning->target + lo;
		while (lo + out->n_targets < meaning->n_targets && meaning->target[lo + out->n_targets].owner == owner[k])
			out->n_targets++;
	}
}

static enum tn_code
place_fields(struct tn_reference *r, const struct tn_event_class *ec, struct tn_place *out, struct tn_error *err)
{
	const struct tn_target *one = &out->target[0];
	enum tn_code rc;

	for (size_t i = 0; i < out->n_targets; i++)
		out->scopes |= TN_SCOPE_BIT(out->target[i].scope);
	out->way = out->scopes < TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER) ? TN_PLACE_PACKET : TN_PLACE_VALUES;
	if (out->n_targets != 1 || out->way == TN_PLACE_PACKET)
		return TN_OK;
	rc = tn_reach_compile(&out->reach, &r->arena, ec, one->scope, one->field,
			      r->meaning.has_any ? -1 : r->meaning.index[0], err);
	out->field = one->field;
	if (rc == TN_OK && out->reach.code)
		out->way = out->reach.load ? TN_PLACE_FIXED : TN_PLACE_WALK;
	return rc;
}

static struct tn_place *
make_place(struct tn_reference *r, const struct tn_event_class *ec)
{
	struct tn_place *place = TN_NEW(&r->arena, struct tn_place);

	if (!place)
		return NULL;
	if (tn_is_of_markers(&r->meaning)) {
		if (!ec->marker)
			return place;
		place->own = (struct tn_target) { .owner = ec, .field = ec->marker, .scope = TN_SCOPE_PAYLOAD };
		place->target = &place->own;
		place->n_targets = 1;
	} else if (r->meaning.attribute)
		place_attribute(r, ec, place);
	else
		place_targets(&r->meaning, ec, place);
	if (place->n_targets && place_fields(r, ec, place, NULL) < 0)
		return NULL;
	if (tn_is_of_markers(&r->meaning))
		return tn_marker_place(r, place);
	return r->functions ? tn_symbol_place(r, place) : place;
}

const struct tn_place *
tn_reference_place(const struct tn_reference *reference, size_t class)
{
	/* The cached places are not part of its value. */
	struct tn_reference *r = (struct tn_reference *)reference;
	struct tn_place *place;

	if (class >= tn_names_class_count(r->names))
		return NULL;
	place = atomic_load_explicit(&r->place[class], memory_order_acquire);
	if (place)
		return place;
	pthread_mutex_lock(&r->lock);
	place = atomic_load_explicit(&r->place[class], memory_order_relaxed);
	if (!place) {
		place = make_place(r, tn_names_event_class(r->names, class));
		atomic_store_explicit(&r->place[class], place, memory_order_release);
	}
	pthread_mutex_unlock(&r->lock);
	return place;
}

/* ---- references ---- */

enum tn_code
tn_reference_init(struct tn_reference *r, const struct tn_names *names, const char *name, const uint8_t *among,
		  struct tn_error *err)
{
	enum tn_code rc;

	*r = (struct tn_reference) { .names = names };
	pthread_mutex_init(&r->lock, NULL);
	rc = tn_symbol_name(r, &name, err);
	if (rc == TN_OK)
		rc = tn_names_resolve(names, &r->arena, name, among, &r->meaning, err);
	if (rc == TN_OK && r->functions && r->meaning.attribute)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s' is not an address", name);
	if (rc == TN_OK && r->functions)
		rc = tn_reference_init(r->process, names, "event.pid", NULL, err);
	if (rc == TN_OK && !(r->place = calloc(tn_names_class_count(names) + 1, sizeof *r->place)))
		rc = tn_fail_memory(err);
	if (rc < 0)
		tn_reference_release(r);
	return rc;
}

void
tn_reference_release(struct tn_reference *r)
{
	tn_arena_release(&r->arena);
	pthread_mutex_destroy(&r->lock);
	free((void *)r->place);
	r->place = NULL;
	if (r->process)
		tn_reference_release(r->process);
	free(r->process);
	r->process = NULL;
}

static enum tn_code
symbol(const struct tn_reference *r, const struct tn_place *place, struct tn_row_state *s, struct tn_cell *out,
       struct tn_error *err)
{
	struct tn_cell address, pid;
	enum tn_code rc = tn_place_get(r, place->address, s, &address, err);

	if (rc == TN_OK)
		rc = tn_reference_get(r->process, s, &pid, err);
	if (rc == TN_OK)
		tn_symbol_look(r->functions, s, &address, &pid, out);
	return rc;
}

static enum tn_code
marker(const struct tn_reference *r, const struct tn_place *place, struct tn_row_state *s, struct tn_cell *out,
       struct tn_error *err)
{
	struct tn_cell text;
	enum tn_code rc = tn_place_get(r, place->address, s, &text, err);

	if (rc == TN_OK)
		tn_marker_part(r->meaning.attribute, &text, out);
	return rc;
}

enum tn_code
tn_place_get(const struct tn_reference *r, const struct tn_place *place, struct tn_row_state *s, struct tn_cell *out,
	     struct tn_error *err)
{
	bool there = false;

	out->kind = TN_CELL_NONE;
	switch (place->way) {
	case TN_PLACE_NONE:
		return TN_OK;
	case TN_PLACE_CONSTANT:
		*out = place->cell;
		return TN_OK;
	case TN_PLACE_ROW:
		return row_attribute(r, s, out, err);
	case TN_PLACE_FIXED:
	case TN_PLACE_WALK:
		if (!s->values_only && tn_row_after(s) && tn_reach_load(&place->reach, &s->m, place->field, out))
			return TN_OK;
		out->kind = TN_CELL_NONE;
		break;
	case TN_PLACE_SYMBOL:
		return symbol(r, place, s, out, err);
	case TN_PLACE_MARKER:
		return marker(r, place, s, out, err);
	case TN_PLACE_PACKET:
	case TN_PLACE_VALUES:
		break;
	}
	return each_value(r, place, s, keep_first, out, &there, err);
}

enum tn_code
tn_reference_get(const struct tn_reference *r, struct tn_row_state *s, struct tn_cell *out, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	size_t class = tn_names_class(r->names, b->stream, b->refs.item[s->row].event_class);
	const struct tn_place *place = tn_reference_place(r, class);

	if (place)
		return tn_place_get(r, place, s, out, err);
	out->kind = TN_CELL_NONE;
	return class == SIZE_MAX ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_reference_each(const struct tn_reference *r, struct tn_row_state *s,
		  bool (*each)(void *user, const struct tn_cell *cell), void *user, bool *there, struct tn_error *err)
{
	const struct tn_batch *b = s->batch;
	size_t class = tn_names_class(r->names, b->stream, b->refs.item[s->row].event_class);
	const struct tn_place *place = tn_reference_place(r, class);
	bool unused;
	struct tn_cell cell;
	enum tn_code rc;

	there = there ? there : &unused;
	*there = false;
	if (!place)
		return class == SIZE_MAX ? TN_OK : tn_fail_memory(err);
	if (r->meaning.has_any && place->n_targets)
		return each_value(r, place, s, each, user, there, err);
	rc = tn_place_get(r, place, s, &cell, err);
	*there = rc == TN_OK && cell.kind != TN_CELL_NONE;
	if (*there)
		each(user, &cell);
	return rc;
}
