/*
 * packet_writer.c - the packets of one stream, in a buffer
 *
 * Follows the platform contract of barectf (its document "Platform API"): the writer knows the layout of packets and
 * events in the buffer; callbacks know where packets go, and the time.
 *
 * An event is written directly into the packet. If it does not fit, its size in an empty packet is computed, to decide
 * whether it needs the next packet or fits into none.
 */
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/messages.h"
#include "base/options.h"
#include "write/draft.h"
#include "write/encode.h"

struct tn_datum tn_datum_u(uint64_t v) { return (struct tn_datum) { .kind = TN_DATUM_UINT, .is.u = v }; }
struct tn_datum tn_datum_i(int64_t v) { return (struct tn_datum) { .kind = TN_DATUM_SINT, .is.i = v }; }
struct tn_datum tn_datum_f(double v) { return (struct tn_datum) { .kind = TN_DATUM_FLOAT, .is.f = v }; }

struct tn_datum
tn_datum_bytes(const void *bytes, size_t n)
{
	return (struct tn_datum) { .kind = TN_DATUM_BYTES, .is.bytes = bytes, .n = n };
}

struct tn_datum
tn_datum_text(const char *text)
{
	if (!text)
		return (struct tn_datum) { 0 };
	return tn_datum_bytes(text, strlen(text));
}

void
tn_packet_writer_init(struct tn_packet_writer *w, const struct tn_stream_class *sc, uint64_t stream_id, void *buffer,
		      size_t size, const struct tn_packet_callbacks *callbacks, void *user)
{
	if (!w || !callbacks)
		return;
	*w = (struct tn_packet_writer) {
		.used = size,
		.stream_class = sc,
		.stream_id = stream_id,
		.buffer = buffer,
		.size_bits = (uint64_t)size * 8,
		.enabled = true,
		.callbacks = *callbacks,
		.user = user,
	};
}

static uint64_t
time_now(struct tn_packet_writer *w)
{
	if (!w->use_event_time && w->callbacks.clock)
		w->now = w->callbacks.clock(w->user);
	return w->now;
}

/* The value of one of the writer's own members in the packet context. */
static uint64_t
own_value(const struct tn_packet_writer *w, unsigned roles)
{
	if (roles & TN_ROLE_TIMESTAMP_BEGIN)
		return w->begin;
	if (roles & TN_ROLE_TIMESTAMP_END)
		return w->end;
	if (roles & TN_ROLE_CONTENT_SIZE)
		return w->content_bits;
	if (roles & TN_ROLE_PACKET_SIZE)
		return w->packet_bits;
	return roles & TN_ROLE_SEQUENCE_NUMBER ? w->sequence : w->discarded;
}

/* Encode all of the writer's own members at their positions. */
static bool
encode_own(const struct tn_packet_writer *w, struct tn_encoder *e)
{
	const struct tn_draft_class *c = tn_draft_class_of(w->stream_class);
	const struct tn_field *member = w->stream_class->packet_context->type->field;
	bool fine = true;

	for (size_t i = 0; fine && i < c->n_own; i++) {
		const struct tn_type *t = member[i].type;
		unsigned bits = (unsigned)t->length;

		fine = tn_encode_align(e, t->align) &&
		       tn_encode_bits(e, bits, tn_low_bits(own_value(w, t->roles), bits), t->big_endian);
	}
	return fine;
}

static bool
encode_head(struct tn_packet_writer *w, struct tn_encoder *e)
{
	const struct tn_trace *t = w->stream_class->trace;
	bool be = t->big_endian;

	if (!tn_encode_bits(e, 32, TN_DRAFT_MAGIC, be))
		return false;
	for (unsigned i = 0; t->has_uuid && i < 16; i++)
		if (!tn_encode_bits(e, 8, t->uuid[i], be))
			return false;
	if (!tn_encode_bits(e, 32, w->stream_class->id, be) || !tn_encode_bits(e, 64, w->stream_id, be) ||
	    !tn_encode_align(e, w->stream_class->packet_context->type->align))
		return false;
	w->late = e->at;
	return encode_own(w, e) && tn_encode_run(e, &tn_draft_class_of(w->stream_class)->context);
}

/* Get a buffer of twice the size, or of @least bytes. The new bytes are 0. */
static bool
grow(struct tn_packet_writer *w)
{
	size_t before = (size_t)(w->size_bits / 8), size = before < 128 ? 256 : before * 2;
	uint8_t *bigger = size > before && size <= SIZE_MAX / 8 ? w->callbacks.grow(w->user, size) : NULL;

	if (!bigger)
		return false;
	memset(bigger + before, 0, size - before);
	w->buffer = bigger;
	w->size_bits = (uint64_t)size * 8;
	return true;
}

/* Clear the buffer; otherwise old bytes would become padding. */
static void
clean(struct tn_packet_writer *w)
{
	size_t n = w->callbacks.grow ? w->used : (size_t)(w->size_bits / 8);

	if (n)
		memset(w->buffer, 0, n);
	w->used = 0;
}

enum tn_code
tn_packet_writer_open(struct tn_packet_writer *w, const struct tn_datum *data, size_t n, struct tn_error *err)
{
	if (!w)
		return tn_fail_null(err);

	struct tn_encoder e;
	bool fine;

	if (!tn_draft_class_of(w->stream_class)->context.op)
		return tn_fail(err, TN_ERR_ARGUMENT, "the draft of the stream class is not finished");
	w->now = time_now(w);
	if ((!w->enabled && !w->in_tracing_section) || w->is_open)
		return TN_OK;
	clean(w);
	w->begin = w->now;
	w->end = w->content_bits = 0;
	w->packet_bits = w->callbacks.grow ? 0 : w->size_bits;
	do {
		e = (struct tn_encoder) { .p = w->buffer, .end = w->size_bits, .datum = data, .datum_end = n ? data + n : data };
		fine = encode_head(w, &e);
	} while (e.state == TN_ENCODE_FULL && w->callbacks.grow && grow(w));
	w->used = (size_t)((e.at + 7) / 8);
	if (e.state == TN_ENCODE_MEMORY || (e.state == TN_ENCODE_FULL && w->callbacks.grow))
		return tn_fail_memory(err);
	if (!fine || e.datum != e.datum_end)
		return tn_fail(err, TN_ERR_ARGUMENT, "packet context: %s", e.state == TN_ENCODE_FULL ?
			       _("there is not enough space in the packet") :
			       fine ? _("there are more values than members") : e.bad);
	w->at = w->off_content = e.at;
	w->clock = w->now;
	w->is_open = true;
	return TN_OK;
}

enum tn_code
tn_packet_writer_close_as(struct tn_packet_writer *w, const struct tn_packet_says *says, struct tn_error *err)
{
	if (!w)
		return tn_fail_null(err);

	struct tn_packet_says own = { TN_PACKET_SAYS };
	enum tn_code rc = tn_options_take(&own, sizeof own, says, "tn_packet_says", err);
	const struct tn_draft_class *c = tn_draft_class_of(w->stream_class);
	struct tn_encoder e;

	if (rc < 0 || (!w->enabled && !w->in_tracing_section) || !w->is_open)
		return rc;
	if (own.has_begin && (c->header != TN_HEADER_PLAIN || c->time_bits < 64))
		return tn_fail(err, TN_ERR_ARGUMENT, "the start of a packet can be set only if event times have 64 bits");
	w->begin = own.has_begin ? own.begin : w->begin;
	w->end = own.has_end ? own.end : time_now(w);
	w->sequence = own.has_sequence ? own.sequence : w->sequence;
	w->discarded = own.has_discarded ? own.discarded : w->discarded;
	w->content_bits = w->at;
	w->packet_bits = w->callbacks.grow ? tn_align_up(w->at, 8) : w->size_bits;
	w->used = (size_t)((w->at + 7) / 8);
	e = (struct tn_encoder) { .p = w->buffer, .at = w->late, .end = w->size_bits };
	encode_own(w, &e);
	w->at = w->size_bits;
	w->is_open = false;
	w->sequence++;
	w->told = w->discarded;
	return TN_OK;
}

void
tn_packet_writer_close(struct tn_packet_writer *w)
{
	(void)!tn_packet_writer_close_as(w, NULL, NULL);
}

struct tn_packet
tn_packet_writer_closed(const struct tn_packet_writer *w)
{
	const struct tn_draft_class *c = tn_draft_class_of(w->stream_class);

	return (struct tn_packet) {
		.size_bits = w->packet_bits, .content_bits = w->content_bits, .begin_cycles = w->begin, .end_cycles = w->end,
		.sequence = c->sequence_bits ? tn_low_bits(w->sequence - 1, c->sequence_bits) : TN_UNKNOWN,
		.discarded = c->discarded_bits ? tn_low_bits(w->discarded, c->discarded_bits) : TN_UNKNOWN,
	};
}

static bool
encode_header(struct tn_packet_writer *w, struct tn_encoder *e, const struct tn_event_class *ec)
{
	const struct tn_draft_class *c = tn_draft_class_of(w->stream_class);
	unsigned id_bits, time_bits;
	bool be = w->stream_class->trace->big_endian, clock = w->stream_class->clock != NULL;
	uint64_t extended, time;

	if (!tn_encode_align(e, w->stream_class->event_header->type->align))
		return false;
	if (c->header == TN_HEADER_PLAIN)
		return tn_encode_bits(e, c->id_bits, ec->id, be) &&
		       (!clock || (tn_encode_align(e, c->time_bits % 8 ? 1 : 8) &&
				   tn_encode_bits(e, c->time_bits, w->now, be)));
	id_bits = c->header == TN_HEADER_COMPACT ? 5 : 16;
	time_bits = c->header == TN_HEADER_COMPACT ? 27 : 32;
	extended = (UINT64_C(1) << id_bits) - 1;
	if (ec->id < extended && !clock)
		return tn_encode_bits(e, id_bits, ec->id, be);
	/* Id and time together are one integer of 32 or 48 bits. */
	time = tn_low_bits(w->now, time_bits);
	if (ec->id < extended && (w->now - w->clock) >> time_bits == 0)
		return tn_encode_bits(e, id_bits + time_bits, be ? ec->id << time_bits | time : time << id_bits | ec->id, be);
	return tn_encode_bits(e, id_bits, extended, be) && tn_encode_align(e, 8) &&
	       tn_encode_bits(e, 32, ec->id, be) && (!clock || tn_encode_bits(e, 64, w->now, be));
}

/* Encode the event at the encoder's position. */
static bool
encode_event(struct tn_packet_writer *w, struct tn_encoder *e, const struct tn_event_class *ec)
{
	if (!encode_header(w, e, ec) || !tn_encode_run(e, tn_draft_program(ec)))
		return false;
	if (e->datum != e->datum_end) {
		e->state = TN_ENCODE_BAD;
		e->bad = _("there are more values than fields");
		return false;
	}
	return true;
}

/* Write the event into the open packet. If it does not fit, the packet is unchanged. */
static enum tn_encode_state
try_once(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data, size_t n,
	 struct tn_encoder *e)
{
	uint8_t last = 0;

	e->p = w->buffer;
	e->at = w->at;
	e->end = w->size_bits;
	e->datum = data;
	e->datum_end = n ? data + n : data;
	e->state = TN_ENCODE_OK;
	e->bad_field = NULL;
	/* A bit field may begin in the last byte, whatever the byte order of the field before it. */
	if (w->at % 8)
		last = w->buffer[w->at / 8];
	if (encode_event(w, e, ec)) {
		w->at = e->at;
		w->clock = w->now;
		return TN_ENCODE_OK;
	}
	/* The bits after the content must stay 0. */
	if (w->at % 8)
		w->buffer[w->at / 8] = last;
	if (e->at > w->at)
		memset(w->buffer + (w->at + 7) / 8, 0, (e->at + 7) / 8 - (w->at + 7) / 8);
	return e->state;
}

static enum tn_encode_state
try_event(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data, size_t n,
	  struct tn_encoder *e)
{
	enum tn_encode_state state = try_once(w, ec, data, n, e);

	while (state == TN_ENCODE_FULL && w->callbacks.grow)
		state = grow(w) ? try_once(w, ec, data, n, e) : TN_ENCODE_MEMORY;
	return state;
}

/* Whether the event would fit into an empty packet. */
static bool
ever_fits(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data, size_t n)
{
	struct tn_encoder e = {
		.at = w->off_content, .end = w->size_bits, .datum = data, .datum_end = n ? data + n : data,
	};

	return encode_event(w, &e, ec);
}

/* Whether the step from the last event exceeds the range of the clock in a plain header. */
static bool
step_is_too_far(const struct tn_packet_writer *w)
{
	const struct tn_draft_class *c = tn_draft_class_of(w->stream_class);

	return c->header == TN_HEADER_PLAIN && c->time_bits < 64 && w->stream_class->clock &&
	       (w->now - w->clock) >> c->time_bits;
}

/* Get a packet with space for the event. False: this failed, and the event is lost. */
static bool
next_packet(struct tn_packet_writer *w, struct tn_error *err, enum tn_code *code)
{
	if (w->is_open)
		w->callbacks.close(w->user);
	if (w->callbacks.is_full && w->callbacks.is_full(w->user))
		return false;
	if (w->callbacks.open)
		w->callbacks.open(w->user);
	else
		*code = tn_packet_writer_open(w, NULL, 0, err);
	return w->is_open;
}

static enum tn_code
fail_data(const struct tn_event_class *ec, const struct tn_encoder *e, struct tn_error *err)
{
	char path[256];

	if (!e->bad_field)
		return tn_fail(err, TN_ERR_ARGUMENT, "event '%s': %s", ec->name, e->bad);
	return tn_fail(err, TN_ERR_ARGUMENT, "event '%s': %s: %s", ec->name,
		       tn_field_path(e->bad_field, "field", path, sizeof path), e->bad);
}

static enum tn_code
place_event(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data, size_t n,
	    struct tn_error *err)
{
	enum tn_encode_state state = TN_ENCODE_FULL;
	enum tn_code code = TN_OK;
	struct tn_encoder e;

	w->use_event_time = true;
	if (w->is_open && !step_is_too_far(w)) {
		state = try_event(w, ec, data, n, &e);
		if (state == TN_ENCODE_FULL && !ever_fits(w, ec, data, n)) {
			w->discarded++;
			w->use_event_time = false;
			return TN_OK;
		}
	}
	if (state == TN_ENCODE_FULL && next_packet(w, err, &code))
		state = try_event(w, ec, data, n, &e);
	w->use_event_time = false;
	if (state == TN_ENCODE_BAD)
		return fail_data(ec, &e, err);
	if (state == TN_ENCODE_MEMORY)
		return tn_fail_memory(err);
	if (state == TN_ENCODE_FULL)
		w->discarded++;
	/* The packet is exactly full: close it now, before the next event. */
	else if (w->at == w->size_bits && !w->callbacks.grow)
		w->callbacks.close(w->user);
	return code;
}

/* Write the event with the time in w->now. */
static enum tn_code
write_event(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data, size_t n,
	    struct tn_error *err)
{
	enum tn_code code;

	if (!tn_draft_program(ec)->op)
		return tn_fail(err, TN_ERR_ARGUMENT, "the draft of event '%s' is not finished", ec->name ? ec->name : "");
	if (ec->stream_class != w->stream_class)
		return tn_fail(err, TN_ERR_ARGUMENT, "event '%s' is from another stream class than the "
						     "writer", ec->name ? ec->name : "");
	if (!w->enabled)
		return TN_OK;
	w->in_tracing_section = 1;
	code = place_event(w, ec, data, n, err);
	w->in_tracing_section = 0;
	return code;
}

enum tn_code
tn_packet_writer_event(struct tn_packet_writer *w, const struct tn_event_class *ec, const struct tn_datum *data,
		       size_t n, struct tn_error *err)
{
	if (!w || !ec)
		return tn_fail_null(err);
	w->now = time_now(w);
	return write_event(w, ec, data, n, err);
}

enum tn_code
tn_packet_writer_event_at(struct tn_packet_writer *w, uint64_t clock, const struct tn_event_class *ec,
			  const struct tn_datum *data, size_t n, struct tn_error *err)
{
	if (!w || !ec)
		return tn_fail_null(err);
	if (clock < w->now && !tn_draft_class_of(w->stream_class)->any_order)
		return tn_fail(err, TN_ERR_ARGUMENT, "event '%s': its time %" PRIu64 " is before %" PRIu64, ec->name, clock,
			       w->now);
	w->now = clock;
	return write_event(w, ec, data, n, err);
}

/* Write a packet without events that records the current number of discarded events. */
static void
close_empty(struct tn_packet_writer *w, uint64_t discarded)
{
	uint64_t all = w->discarded;
	enum tn_code code = TN_OK;

	if (!w->is_open && !next_packet(w, NULL, &code))
		return;
	w->discarded = discarded;
	w->callbacks.close(w->user);
	w->discarded = all;
}

/* Readers find a loss as the difference between two packets. So without an earlier packet, two packets are needed. */
static void
tell_discarded(struct tn_packet_writer *w)
{
	if (!w->enabled || w->discarded == w->told || !tn_draft_class_of(w->stream_class)->discarded_bits)
		return;
	w->use_event_time = true;
	if (w->sequence == 0)
		close_empty(w, 0);
	close_empty(w, w->discarded);
	w->use_event_time = false;
}

void
tn_packet_writer_finish(struct tn_packet_writer *w)
{
	if (!w)
		return;
	if (w->is_open && !tn_packet_writer_is_empty(w))
		w->callbacks.close(w->user);
	tell_discarded(w);
}

void
tn_packet_writer_set_buffer(struct tn_packet_writer *w, void *buffer, size_t size)
{
	if (!w)
		return;

	bool was_full = tn_packet_writer_is_full(w);

	w->buffer = buffer;
	w->size_bits = (uint64_t)size * 8;
	w->used = size;
	if (was_full)
		w->at = w->size_bits;
}

void *tn_packet_writer_buffer(const struct tn_packet_writer *w) { return w ? w->buffer : NULL; }
size_t tn_packet_writer_size(const struct tn_packet_writer *w) { return w ? (size_t)(w->size_bits / 8) : 0; }
size_t tn_packet_writer_packet_size(const struct tn_packet_writer *w) { return w ? (size_t)(w->packet_bits / 8) : 0; }
bool tn_packet_writer_is_full(const struct tn_packet_writer *w) { return w && w->at == w->size_bits; }
bool tn_packet_writer_is_empty(const struct tn_packet_writer *w) { return w && w->at <= w->off_content; }
bool tn_packet_writer_is_open(const struct tn_packet_writer *w) { return w && w->is_open; }
uint64_t tn_packet_writer_discarded(const struct tn_packet_writer *w) { return w ? w->discarded : 0; }
uint64_t tn_packet_writer_sequence(const struct tn_packet_writer *w) { return w ? w->sequence : 0; }

const volatile int *
tn_packet_writer_in_tracing_section(const struct tn_packet_writer *w)
{
	return w ? &w->in_tracing_section : NULL;
}

bool tn_packet_writer_is_enabled(const struct tn_packet_writer *w) { return w && w->enabled; }

void
tn_packet_writer_enable(struct tn_packet_writer *w, bool on)
{
	if (w)
		w->enabled = on;
}
