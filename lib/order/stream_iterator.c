/* stream_iterator.c - iterators over packets and events, whose positions are plain structures; and variables by name */
#include <tnav/iterate.h>

#include <string.h>

#include "index/batches.h"
#include "index/packet_index.h"
#include "model/decoder.h"
#include "model/path.h"

struct tn_reader {
	struct tn_batches batches;
	struct tn_walked *at;		/* the batch used last, because consecutive rows are in it */
	struct tn_batch packet;		/* for tn_packet_iter_read(); it does not have rows */
	struct tn_event event;
};

enum tn_code
tn_reader_new(struct tn_reader **out, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);
	*out = calloc(1, sizeof **out);
	if (!*out)
		return tn_fail_memory(err);
	tn_batches_init(&(*out)->batches);
	return TN_OK;
}

void
tn_reader_free(struct tn_reader *r)
{
	if (!r)
		return;
	tn_walked_drop(r->at);
	tn_batches_release(&r->batches);
	tn_batch_release(&r->packet);
	tn_event_release(&r->event);
	free(r);
}

/* A stream without const, because reading extends its index; users do not see this change. */
static struct tn_stream *
growing(const struct tn_stream *stream)
{
	return (struct tn_stream *)(uintptr_t)stream;
}

/* ---- packets ---- */

/* These values mark the end, so that later calls also return TN_END. */
#define NO_NEXT_PACKET SIZE_MAX
#define NO_NEXT_ROW UINT64_MAX

static enum tn_code
packet_at(const struct tn_stream *stream, size_t packet, struct tn_error *err)
{
	struct tn_packet entry;

	return tn_index_get(growing(stream), packet, &entry, NULL, err);
}

enum tn_code
tn_packet_iter_begin(const struct tn_stream *stream, struct tn_packet_iter *out, struct tn_error *err)
{
	if (!stream || !out)
		return tn_fail_null(err);

	enum tn_code rc = packet_at(stream, 0, err);

	if (rc == TN_OK)
		*out = (struct tn_packet_iter) { stream, 0 };
	return rc;
}

enum tn_code
tn_packet_iter_next(struct tn_packet_iter *at, struct tn_error *err)
{
	if (!at || !at->stream)
		return tn_fail_null(err);

	enum tn_code rc;

	if (at->packet == NO_NEXT_PACKET)
		return TN_END;
	rc = packet_at(at->stream, at->packet + 1, err);
	if (rc == TN_OK)
		at->packet++;
	return rc;
}

enum tn_code
tn_packet_iter_info(const struct tn_packet_iter *at, struct tn_packet_info *out, struct tn_error *err)
{
	if (!at || !at->stream || !out)
		return tn_fail_null(err);

	enum tn_code rc = packet_at(at->stream, at->packet, err);

	return rc == TN_OK ? tn_stream_packet(at->stream, at->packet, out) : rc;
}

enum tn_code
tn_packet_iter_read(struct tn_reader *r, const struct tn_packet_iter *at, const struct tn_event **out,
		    struct tn_error *err)
{
	if (!r || !at || !at->stream || !out)
		return tn_fail_null(err);

	const struct tn_stream *s = at->stream;
	struct tn_batch *b = &r->packet;
	enum tn_code rc;

	tn_batch_clear(b);
	rc = tn_index_get(growing(s), at->packet, &b->entry, NULL, err);
	if (rc == TN_OK)
		rc = tn_packet_check(s, &b->entry, err);
	if (rc != TN_OK)
		return rc;
	b->stream = s;
	b->packet = at->packet;
	b->data = s->file[b->entry.file].map.data + b->entry.offset;
	rc = s->trace->ops->read(b, TN_READ_PACKET,
				 TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) | TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT),
				 &r->event, err);
	if (rc == TN_OK)
		*out = &r->event;
	return rc;
}

/* ---- events ---- */

static bool
holds(const struct tn_walked *w, const struct tn_event_iter *at)
{
	return w && w->batch.stream == at->stream && w->batch.packet == at->packet &&
	       at->row >= w->batch.begin.row && at->row - w->batch.begin.row < w->batch.refs.n;
}

/* Set r->at to the batch with the row. TN_END: the packet has fewer rows, or does not exist. */
static enum tn_code
load(struct tn_reader *r, const struct tn_event_iter *at, struct tn_error *err)
{
	struct tn_batch_place place = {
		.stream = growing(at->stream), .packet = at->packet, .limit = tn_batch_limit(1),
	};
	const struct tn_walked *w = r->at;

	if (holds(w, at))
		return TN_OK;
	/* Usually the row is in the next batch of the packet; otherwise begin with the first batch. */
	if (w && w->batch.stream == at->stream && w->batch.packet == at->packet && at->row >= w->batch.end.row) {
		if (w->batch.last)
			return TN_END;
		place.number = w->number + 1;
		place.mark = w->batch.end;
	}
	for (;;) {
		struct tn_walked *next;
		enum tn_code rc = tn_batches_get(&r->batches, &place, &next, err);

		if (rc != TN_OK)
			return rc;
		tn_walked_drop(r->at);
		r->at = next;
		if (holds(next, at))
			return TN_OK;
		if (next->batch.last)
			return TN_END;
		place.number++;
		place.mark = next->batch.end;
	}
}

/* Find the first event at or after @at in its packet. */
static enum tn_code
settle_in_packet(struct tn_reader *r, struct tn_event_iter *at, struct tn_error *err)
{
	struct tn_event_iter try = *at;
	enum tn_code rc;

	while ((rc = load(r, &try, err)) == TN_OK) {
		const struct tn_batch *b = &r->at->batch;

		if (b->refs.item[try.row - b->begin.row].event_class != TN_REF_NOTICE) {
			*at = try;
			return TN_OK;
		}
		try.row++;
	}
	return rc;
}

static enum tn_code
settle(struct tn_reader *r, struct tn_event_iter *at, struct tn_error *err)
{
	struct tn_event_iter try = *at;
	enum tn_code rc;

	while ((rc = settle_in_packet(r, &try, err)) == TN_END) {
		if (try.packet == NO_NEXT_PACKET)
			return TN_END;
		if ((rc = packet_at(try.stream, try.packet + 1, err)) != TN_OK)
			return rc;
		try.packet++;
		try.row = 0;
	}
	if (rc == TN_OK)
		*at = try;
	return rc;
}

enum tn_code
tn_event_iter_begin(struct tn_reader *r, const struct tn_stream *stream, struct tn_event_iter *out, struct tn_error *err)
{
	if (!r || !stream || !out)
		return tn_fail_null(err);

	struct tn_event_iter at = { stream, 0, 0 };
	enum tn_code rc = packet_at(stream, 0, err);

	if (rc == TN_OK && (rc = settle(r, &at, err)) == TN_OK)
		*out = at;
	return rc;
}

enum tn_code
tn_event_iter_begin_packet(struct tn_reader *r, const struct tn_packet_iter *packet, struct tn_event_iter *out,
			   struct tn_error *err)
{
	if (!r || !packet || !packet->stream || !out)
		return tn_fail_null(err);

	struct tn_event_iter at = { packet->stream, packet->packet, 0 };
	enum tn_code rc = settle_in_packet(r, &at, err);

	if (rc == TN_OK)
		*out = at;
	return rc;
}

enum tn_code
tn_event_iter_next(struct tn_reader *r, struct tn_event_iter *at, struct tn_error *err)
{
	if (!r || !at || !at->stream)
		return tn_fail_null(err);

	struct tn_event_iter next = { at->stream, at->packet, at->row < NO_NEXT_ROW ? at->row + 1 : at->row };
	enum tn_code rc = settle(r, &next, err);

	if (rc == TN_OK)
		*at = next;
	return rc;
}

enum tn_code
tn_event_iter_next_in_packet(struct tn_reader *r, struct tn_event_iter *at, struct tn_error *err)
{
	if (!r || !at || !at->stream)
		return tn_fail_null(err);

	struct tn_event_iter next = { at->stream, at->packet, at->row < NO_NEXT_ROW ? at->row + 1 : at->row };
	enum tn_code rc = settle_in_packet(r, &next, err);

	if (rc == TN_OK)
		*at = next;
	return rc;
}

struct tn_packet_iter
tn_event_iter_packet(const struct tn_event_iter *at)
{
	if (!at)
		return (struct tn_packet_iter) { 0 };
	return (struct tn_packet_iter) { at->stream, at->packet };
}

enum tn_code
tn_event_iter_read(struct tn_reader *r, const struct tn_event_iter *at, unsigned scopes, const struct tn_event **out,
		   struct tn_error *err)
{
	if (!r || !at || !at->stream || !out)
		return tn_fail_null(err);

	const struct tn_batch *b;
	enum tn_code rc = load(r, at, err);

	if (rc != TN_OK)
		return rc;
	b = &r->at->batch;
	rc = at->stream->trace->ops->read(b, (size_t)(at->row - b->begin.row), scopes, &r->event, err);
	if (rc == TN_OK)
		*out = &r->event;
	return rc;
}

/* ---- variables ---- */

/* Find the field for the first step of *path, and move *path past the step. */
static const struct tn_field *
step(const struct tn_field *field, const char **path)
{
	const struct tn_type *t = field->type;
	const struct tn_field *found = NULL;
	struct tn_str first = { 0 };
	size_t n;

	if (strncmp(*path, "[]", 2) == 0) {
		*path += 2;
		return t->kind == TN_KIND_ARRAY ? &t->field[0] : NULL;
	}
	if (t->kind == TN_KIND_ARRAY)
		return NULL;
	*path += **path == '.';
	n = tn_path_take_name(*path, &first);
	for (int shown = 0; shown < 2 && n && !found && !first.failed; shown++)
		for (size_t i = 0; i < t->n_fields && !found; i++)
			if (strcmp(shown ? t->field[i].label : t->field[i].name, tn_str_text(&first)) == 0)
				found = &t->field[i];
	tn_str_release(&first);
	if (found)
		*path += n;
	if (found || !n)
		return found;
	/* The content of an optional does not have its own name. */
	return t->kind == TN_KIND_OPTIONAL ? step(&t->field[0], path) : NULL;
}

const struct tn_field *
tn_field_find(const struct tn_field *field, const char *path)
{
	if (!path)
		return NULL;
	while (field && *path)
		field = step(field, &path);
	return field;
}

static const struct tn_field *
find_below(const struct tn_field *root, const char *path)
{
	root = tn_root_enter(root, &path);
	return tn_field_find(root, path);
}

const struct tn_field *
tn_event_class_find(const struct tn_event_class *ec, const char *name)
{
	if (!ec || !name)
		return NULL;
	/* "event.context" first means the context of the event class, then that of the stream class. */
	for (int s = TN_SCOPES; s-- > 0; ) {
		const struct tn_field *root = tn_event_class_scope(ec, (enum tn_scope)s);
		const char *rest = root ? tn_scope_rest(name, (enum tn_scope)s) : NULL;
		const struct tn_field *field = rest ? find_below(root, rest) : NULL;

		if (field)
			return field;
	}
	return NULL;
}

const struct tn_field *
tn_stream_find(const struct tn_stream *stream, const char *name)
{
	if (!stream || !name)
		return NULL;

	const struct tn_stream_class *sc = stream->stream_class;
	const struct tn_field *const root[] = {
		[TN_SCOPE_PACKET_HEADER] = stream->trace->packet_header,
		[TN_SCOPE_PACKET_CONTEXT] = sc->packet_context,
		[TN_SCOPE_EVENT_HEADER] = sc->event_header,
		[TN_SCOPE_COMMON_CONTEXT] = sc->common_context,
	};

	for (size_t s = 0; s < TN_COUNT(root); s++) {
		const char *rest = tn_scope_rest(name, (enum tn_scope)s);

		if (rest)
			return root[s] ? find_below(root[s], rest) : NULL;
	}
	return NULL;
}

/* Go down from @v, a value of @from, to the value of @field inside. */
static enum tn_code
descend(const struct tn_value *v, const struct tn_field *from, const struct tn_field *field, const struct tn_value **out)
{
	const struct tn_value *above, *at;
	enum tn_code rc;

	if (field == from) {
		*out = v;
		return TN_OK;
	}
	if (!field->parent)
		return TN_ERR_ARGUMENT;
	rc = descend(v, from, field->parent, &above);
	if (rc != TN_OK)
		return rc;
	if (above->field->type->kind == TN_KIND_ARRAY)
		return TN_ERR_ARGUMENT;	/* the array has several elements */
	for (at = tn_value_first(above); at; at = tn_value_after(above, at))
		if (at->field == field) {
			*out = at;
			return TN_OK;
		}
	return TN_END;
}

enum tn_code
tn_value_of(const struct tn_value *context, const struct tn_field *field, const struct tn_value **out)
{
	if (!context || !field || !out)
		return TN_ERR_ARGUMENT;
	return descend(context, context->field, field, out);
}

enum tn_code
tn_event_value(const struct tn_event *event, const struct tn_field *field, const struct tn_value **out)
{
	if (!event || !field || !out)
		return TN_ERR_ARGUMENT;

	const struct tn_field *root = field;

	while (root->parent)
		root = root->parent;
	for (int s = 0; s < TN_SCOPES; s++) {
		const struct tn_value *v = tn_event_scope(event, (enum tn_scope)s);

		if (v && v->field == root)
			return descend(v, root, field, out);
	}
	return TN_ERR_ARGUMENT;
}
