/* recode_stream.c - values to the data of the draft's events, which the draft's packet writer puts into packets */
#include "write/recode.h"

#include <stdlib.h>
#include <string.h>

#include "write/draft.h"

#define MUCH ((size_t)16 << 20)	/* bytes after which a long packet is divided */

/* The data of a packet's context or of an event. */
struct data {
	struct tn_recoder *rc;
	TN_ARRAY(struct tn_datum) list;
	/* Bytes that are not in this form in the trace. Data have offsets in these bytes until settle() is called. */
	struct tn_str made;
	TN_ARRAY(size_t) is_made;
	struct tn_sink *sink;	/* receives the differences between trace and export */
	const char *event;	/* name of the event's class; NULL: the data are of a packet's context */
	bool failed;		/* memory is out */
};

struct recode {
	struct tn_sink sink;	/* first member, because pointers to it are converted */
	struct tn_recoder *rc;
	struct tn_packet_writer packet;
	const struct tn_recode_class *class;	/* NULL: no packet was begun */
	struct tn_event event, head;	/* `head`: the packet context, which a divided packet needs twice */
	struct data event_data, head_data;
	struct tn_recode_shown shown;
	uint8_t *buffer;
	uint64_t begin, end, first, last;	/* times of the source packet, and of its events */
	uint64_t number;	/* stream_instance_id */
	uint64_t sequence, discarded;
	uint64_t part_events;
};

/* ---- data ---- */

static inline void
put(struct data *d, struct tn_datum datum)
{
	if (TN_ARRAY_RESERVE(&d->list, d->list.n + 1))
		d->list.item[d->list.n++] = datum;
	else
		d->failed = true;
}

static void
put_u(struct data *d, uint64_t v)
{
	put(d, tn_datum_u(v));
}

/* Add a datum with the bytes made from @from on. */
static void
put_made(struct data *d, size_t from)
{
	size_t *place = TN_ARRAY_ADD(&d->is_made);

	if (!place || d->made.failed) {
		d->failed = true;
		return;
	}
	*place = d->list.n;
	put(d, (struct tn_datum) { .kind = TN_DATUM_BYTES, .is.u = from, .n = d->made.n - from });
}

static void
settle(struct data *d)
{
	for (size_t i = 0; i < d->is_made.n && !d->failed; i++) {
		struct tn_datum *datum = &d->list.item[d->is_made.item[i]];

		datum->is.bytes = tn_str_text(&d->made) + (size_t)datum->is.u;
	}
}

static void
forget(struct data *d)
{
	d->list.n = d->is_made.n = 0;
	tn_str_clear(&d->made);
}

static void
data_release(struct data *d)
{
	TN_ARRAY_RELEASE(&d->list);
	TN_ARRAY_RELEASE(&d->is_made);
	tn_str_release(&d->made);
}

/* Write the string up to its first NUL. */
static void
put_string(struct data *d, const struct tn_value *v)
{
	bool may_hold_nul = v->field->type->extent != TN_EXTENT_TERMINATED && v->size;
	const uint8_t *nul = may_hold_nul ? memchr(v->bytes, 0, (size_t)v->size) : NULL;

	put(d, tn_datum_bytes(v->bytes, nul ? (size_t)(nul - v->bytes) : (size_t)v->size));
}

/* Write a number of more than 64 bits, the most significant byte first. */
static void
put_wide(struct data *d, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	size_t bytes = (size_t)((t->length + 7) / 8), from = d->made.n;
	uint8_t *p;

	if (!tn_str_grow(&d->made, bytes)) {
		d->failed = true;
		return;
	}
	p = memset(d->made.text + from, 0, bytes + 1);
	d->made.n += bytes;
	for (uint64_t i = 0; i < t->length; i++)
		p[bytes - 1 - i / 8] |= (uint8_t)(tn_type_bit(t, v->bytes, 0, i) << (i % 8));
	put_made(d, from);
}

/* Append @n bytes of 0. */
static void
put_zeros(struct data *d, uint64_t n)
{
	size_t from = d->made.n;

	if (n > SIZE_MAX / 4 || !tn_str_grow(&d->made, (size_t)n)) {
		d->failed = true;
		return;
	}
	memset(d->made.text + from, 0, (size_t)n + 1);
	d->made.n += (size_t)n;
	put_made(d, from);
}

/*
 * Whether an element is one byte in the draft. An array of bytes is always one datum; without elements, it could be
 * mistaken for the next value.
 */
static bool
is_byte(const struct tn_recode_field *way)
{
	return way->way == TN_WAY_BOOL || (way->way == TN_WAY_INTEGER && way->bits == 8);
}

static void
note(const struct data *d, struct tn_unsaid *u, const struct tn_field *f)
{
	if (u->n++)
		return;
	u->field = f;
	u->event = d->event;
}

/* Put a member that the event does not have. */
static void
put_nothing(struct data *d, const struct tn_field *f)
{
	const struct tn_recode_field *way = tn_recode_way(d->rc, f);
	const struct tn_type *t = f->type;
	uint64_t n = t->extent == TN_EXTENT_STATIC ? t->length : 0;

	if (way->own && way->way != TN_WAY_UNKNOWN)
		put_u(d, 0);
	switch (way->way) {
	case TN_WAY_INTEGER:
	case TN_WAY_BOOL:
		put_u(d, 0);
		return;
	case TN_WAY_FLOAT:
		put(d, tn_datum_f(0));
		return;
	case TN_WAY_STRING:
	case TN_WAY_TEXT:
		put(d, tn_datum_bytes("", 0));
		return;
	case TN_WAY_WIDE:
		n = (t->length + 7) / 8;
		/* fall through */
	case TN_WAY_BYTES:
		put_zeros(d, n);
		return;
	case TN_WAY_STRUCT:
		for (size_t i = 0; i < t->n_fields; i++)
			put_nothing(d, &t->field[i]);
		return;
	case TN_WAY_ARRAY:
		for (uint64_t i = 0; i < n && !d->failed; i++)
			put_nothing(d, &t->field[0]);
		return;
	case TN_WAY_VARIANT:
		if (t->n_fields && !t->lenient_tag)
			put_nothing(d, &t->field[0]);
		return;
	case TN_WAY_OPTIONAL:
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		return;
	}
}

static void put_value(struct data *d, const struct tn_value *v, const struct tn_recode_member *how);

/* @v NULL: the event does not have the members. */
static void
put_members(struct data *d, const struct tn_type *t, const struct tn_value *v, const bool *has)
{
	const struct tn_value *member = v ? v + 1 : NULL;
	uint64_t met = 0;

	for (size_t i = 0; i < t->n_fields; i++) {
		bool is_there = v && met < v->n && member->field == &t->field[i], is_written = !has || has[i];

		if (is_there && is_written)
			put_value(d, member, NULL);
		else if (is_written)
			put_nothing(d, &t->field[i]);
		if (is_there != is_written && !t->field[i].hidden)
			note(d, &d->sink->missing, &t->field[i]);
		if (is_there) {
			member += member->next;
			met++;
		}
	}
}

static void
put_text(struct data *d, const struct tn_value *v)
{
	size_t from = d->made.n;

	if (!d->rc->value_text(d->rc->user, v, &d->made) || d->made.failed) {
		d->failed = true;
		return;
	}
	/* Cut the text at its first NUL. */
	if (d->made.n > from)
		d->made.n = from + strnlen(d->made.text + from, d->made.n - from);
	put_made(d, from);
}

static void
put_array(struct data *d, const struct tn_value *v)
{
	const struct tn_value *element = v + 1;
	const struct tn_recode_field *way = tn_recode_way(d->rc, &v->field->type->field[0]);
	size_t from = d->made.n;

	if (!is_byte(way)) {
		for (uint64_t i = 0; i < v->n && !d->failed; i++, element += element->next)
			put_value(d, element, NULL);
		return;
	}
	/* Reserve the whole size at once. */
	if (!tn_str_grow(&d->made, (size_t)v->n)) {
		d->failed = true;
		return;
	}
	for (uint64_t i = 0; i < v->n; i++)
		d->made.text[from + i] = (char)(way->way == TN_WAY_BOOL ? element[i].u != 0 : element[i].u);
	d->made.n += (size_t)v->n;
	put_made(d, from);
}

static void
put_inside(struct data *d, const struct tn_recode_field *way, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	bool none = t->kind == TN_KIND_OPTIONAL || t->lenient_tag;

	if (t->kind == TN_KIND_OPTIONAL)
		put_u(d, v->n != 0);
	else if (way->own)
		put_u(d, v->n ? v->option + none : 0);
	if (v->n)
		put_value(d, v + 1, NULL);
}

static void
put_value(struct data *d, const struct tn_value *v, const struct tn_recode_member *how)
{
	const struct tn_recode_field *way = tn_recode_way(d->rc, v->field);

	switch (way->way) {
	case TN_WAY_INTEGER:
		if (v->field->type->varint && v->option)
			note(d, &d->sink->beyond, v->field);
		put(d, v->field->type->kind == TN_KIND_SINT ? tn_datum_i(v->i) : tn_datum_u(v->u));
		return;
	case TN_WAY_BOOL:
		put_u(d, v->u != 0);
		return;
	case TN_WAY_FLOAT:
		put(d, tn_datum_f(v->f));
		return;
	case TN_WAY_WIDE:
		put_wide(d, v);
		return;
	case TN_WAY_STRING:
		if (how && how->has_nul) {
			put_u(d, v->size);
			put(d, tn_datum_bytes(v->bytes, (size_t)v->size));
		} else {
			put_string(d, v);
		}
		return;
	case TN_WAY_BYTES:
		if (way->own)
			put_u(d, v->size);
		put(d, tn_datum_bytes(v->bytes, (size_t)v->size));
		return;
	case TN_WAY_STRUCT:
		put_members(d, v->field->type, v, NULL);
		return;
	case TN_WAY_ARRAY:
		if (way->own && !(how && how->counted))
			put_u(d, v->n);
		put_array(d, v);
		return;
	case TN_WAY_VARIANT:
	case TN_WAY_OPTIONAL:
		put_inside(d, way, v);
		return;
	case TN_WAY_TEXT:
		put_text(d, v);
		return;
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		return;
	}
}

static const struct tn_value *
root_of(const struct tn_event *e, enum tn_scope scope)
{
	return e->scope[scope] == UINT32_MAX ? NULL : &e->value[e->scope[scope]];
}

/* Put a scope with the members in @has (NULL: all); a hidden scope is left out. */
static void
put_scope(struct data *d, const struct tn_field *root, const struct tn_value *v, const bool *has)
{
	if (!root || root->hidden)
		return;
	if (root->type->kind == TN_KIND_STRUCT)
		put_members(d, root->type, v, has);
	else if (v)
		put_value(d, v, NULL);
	else
		put_nothing(d, root);
}

/* Put the members of an event of a discovered class. */
static void
put_shape(struct data *d, const struct tn_value *payload, const struct tn_recode_member *how)
{
	const struct tn_value *v = payload + 1;

	for (uint64_t i = 0; i < payload->n; i++, v += v->next)
		put_value(d, v, &how[i]);
}

/* ---- packets ---- */

static void *
grow(void *user, size_t size)
{
	struct recode *r = user;
	uint8_t *bigger = realloc(r->buffer, size);

	if (bigger)
		r->buffer = bigger;
	return bigger;
}

/* The first written packet decides which members the events of the stream have. */
static enum tn_code
choose_class(struct recode *r, const struct tn_batch *b, struct tn_error *err)
{
	/* A packet that can grow is never closed by the packet writer. */
	static const struct tn_packet_callbacks callbacks = { .grow = grow };
	const struct tn_stream *stream = r->sink.stream;
	const struct tn_value *common = NULL;
	size_t i = 0;
	enum tn_code rc;

	while (i < b->refs.n && b->refs.item[i].event_class == TN_REF_NOTICE)
		i++;
	if (r->rc->serial && i < b->refs.n) {
		rc = r->rc->trace->ops->read(b, i, TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT), &r->event, err);
		if (rc != TN_OK)
			return rc;
		common = root_of(&r->event, TN_SCOPE_COMMON_CONTEXT);
	}
	r->class = tn_recode_stream_class(r->rc, stream->stream_class, common, err);
	if (!r->class)
		return err ? err->code : TN_ERR_MEMORY;
	tn_packet_writer_init(&r->packet, r->class->to, r->number, NULL, 0, &callbacks, r);
	return TN_OK;
}

static enum tn_code
recode_begin(struct tn_sink *sink, const struct tn_batch *b, const struct tn_packet_numbers *numbers,
	     struct tn_error *err)
{
	struct recode *r = (struct recode *)sink;
	const struct tn_field *context = sink->stream->stream_class->packet_context;
	const struct tn_packet *e = &b->entry;
	enum tn_code rc = r->class ? TN_OK : choose_class(r, b, err);

	if (rc != TN_OK)
		return rc;
	r->begin = e->begin_cycles;
	r->end = e->end_cycles;
	r->part_events = 0;
	r->sequence = e->sequence == TN_UNKNOWN ? 0 : e->sequence + numbers->sequence_shift + sink->more_packets;
	r->discarded = e->discarded == TN_UNKNOWN ? 0 : e->discarded - numbers->discarded_shift;
	forget(&r->head_data);
	if (context && !context->hidden && context->type->kind == TN_KIND_STRUCT) {
		rc = r->rc->trace->ops->read(b, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), &r->head, err);

		if (rc != TN_OK)
			return rc;
		put_scope(&r->head_data, context, root_of(&r->head, TN_SCOPE_PACKET_CONTEXT), NULL);
	}
	settle(&r->head_data);
	if (r->head_data.failed)
		return tn_fail_memory(err);
	return tn_packet_writer_open(&r->packet, r->head_data.list.item, r->head_data.list.n, err);
}

/* @divided: the rest of the source packet follows in another packet. */
static enum tn_code
end_part(struct recode *r, bool divided, struct tn_error *err)
{
	uint64_t begin = r->begin, end = divided ? TN_UNKNOWN : r->end, *last = &r->last;
	struct tn_packet_says says = {
		TN_PACKET_SAYS, .has_begin = true, .has_end = true, .has_sequence = true, .has_discarded = true,
		.sequence = r->sequence, .discarded = r->discarded,
	};
	struct tn_packet p;
	enum tn_code rc;

	if (begin == TN_UNKNOWN || (r->part_events && r->first < begin))
		begin = r->part_events ? r->first : end != TN_UNKNOWN ? end : *last;
	if (end == TN_UNKNOWN || (r->part_events && *last > end))
		end = r->part_events ? *last : begin;
	if (end < begin)
		end = begin;
	*last = end;
	says.begin = begin;
	says.end = end;
	rc = tn_packet_writer_close_as(&r->packet, &says, err);
	p = tn_packet_writer_closed(&r->packet);
	p.offset = tn_outfile_size(&r->sink.file);
	r->sink.packets++;
	if (rc == TN_OK)
		rc = tn_outfile_write(&r->sink.file, r->buffer, tn_packet_writer_packet_size(&r->packet), err);
	if (rc == TN_OK && r->sink.has_index)
		rc = tn_index_file_add(&r->sink.index, &p, r->packet.stream_class->id, r->packet.stream_id, err);
	return rc;
}

static enum tn_code
recode_end(struct tn_sink *sink, struct tn_error *err)
{
	return end_part((struct recode *)sink, false, err);
}

static enum tn_code
divide(struct recode *r, struct tn_error *err)
{
	enum tn_code rc = end_part(r, true, err);

	r->sink.more_packets++;
	r->begin = TN_UNKNOWN;
	r->part_events = 0;
	r->sequence++;
	return rc == TN_OK ? tn_packet_writer_open(&r->packet, r->head_data.list.item, r->head_data.list.n, err) : rc;
}

/* ---- events ---- */

static enum tn_code
recode_event(struct tn_sink *sink, const struct tn_batch *b, size_t row, uint64_t end_bit, struct tn_error *err)
{
	struct recode *r = (struct recode *)sink;
	const struct tn_stream_class *sc = sink->stream->stream_class;
	const struct tn_event_class *ec = r->rc->trace->event_class[b->refs.item[row].event_class];
	const struct tn_event_class *to = r->rc->fixed[ec->index];
	uint64_t time = sc->clock ? tn_batch_cycles(b, row) : 0;
	const struct tn_value *payload;
	struct data *d = &r->event_data;
	enum tn_code rc;

	(void)end_bit;
	if (r->packet.at / 8 > MUCH && (rc = divide(r, err)) != TN_OK)
		return rc;
	rc = r->rc->trace->ops->read(b, row, TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT) |
				     TN_SCOPE_BIT(TN_SCOPE_SPECIFIC_CONTEXT) | TN_SCOPE_BIT(TN_SCOPE_PAYLOAD),
				     &r->event, err);
	payload = root_of(&r->event, TN_SCOPE_PAYLOAD);
	if (rc == TN_OK && r->rc->serial)
		rc = tn_recode_class(r->rc, r->class->to, &r->event, payload, &r->shown, &to, err);
	if (rc != TN_OK)
		return rc;
	forget(d);
	d->event = to->name;
	put_scope(d, sc->common_context, root_of(&r->event, TN_SCOPE_COMMON_CONTEXT), r->class->has);
	put_scope(d, ec->specific_context, root_of(&r->event, TN_SCOPE_SPECIFIC_CONTEXT), NULL);
	if (r->rc->serial && payload && !payload->field->hidden && payload->field->type->kind == TN_KIND_STRUCT)
		put_shape(d, payload, r->shown.members.item);
	else
		put_scope(d, ec->payload, payload, NULL);
	settle(d);
	if (d->failed || r->rc->failed)
		return tn_fail_memory(err);
	if (!r->part_events++)
		r->first = time;
	r->last = time;
	sink->events++;
	return tn_packet_writer_event_at(&r->packet, time, to, d->list.item, d->list.n, err);
}

static void
recode_free(struct tn_sink *sink)
{
	struct recode *r = (struct recode *)sink;

	tn_sink_release(sink);
	tn_event_release(&r->event);
	tn_event_release(&r->head);
	data_release(&r->event_data);
	data_release(&r->head_data);
	tn_str_release(&r->shown.key);
	TN_ARRAY_RELEASE(&r->shown.members);
	free(r->buffer);
	free(r);
}

static const struct tn_sink_ops recode_ops = {
	.begin = recode_begin, .event = recode_event, .end = recode_end, .finish = tn_sink_flush, .free = recode_free,
};

enum tn_code
tn_recode_new(struct tn_sink **out, struct tn_recoder *rc, const struct tn_stream *stream, uint64_t number,
	      const char *folder, const char *name, size_t room, struct tn_error *err)
{
	struct recode *r = calloc(1, sizeof *r);

	*out = r ? &r->sink : NULL;
	if (!r)
		return tn_fail_memory(err);
	r->sink.ops = &recode_ops;
	r->rc = r->event_data.rc = r->head_data.rc = rc;
	r->event_data.sink = r->head_data.sink = &r->sink;
	r->number = stream->has_instance_id ? stream->id : number;
	return tn_sink_init(&r->sink, &recode_ops, stream, folder, name, stream->stream_class->clock != NULL, room, err);
}
