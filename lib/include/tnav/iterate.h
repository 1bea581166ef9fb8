/*
 * tnav/iterate.h - packets of a stream, events of a packet, events of a stream, variables by name
 *
 * Events of all streams in time order are tnav/cursor.h's. Here iterators are plain places: copy them
 * freely, keep as many as you like, they hold nothing. What decoding needs (a walked batch, values of
 * one event) is in a reader, one for each thread.
 *
 *	struct tn_event_iter at;
 *
 *	for (rc = tn_event_iter_begin(reader, stream, &at, &err); rc == TN_OK;
 *	     rc = tn_event_iter_next(reader, &at, &err)) {
 *		if ((rc = tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, &err)) < 0)
 *			break;
 *		...
 *	}
 *	// TN_END: all done
 *
 * Units      Positions are bits from the start of the packet, packet numbers count from 0.
 * Ownership  A reader borrows the set of its streams: free it first. An event is borrowed from the
 *            reader until its next read; an iterator until its set is closed.
 * Threads    A reader is one thread's; several readers on one set may be used by several threads.
 * Errors     TN_OK, TN_END or a negative code with *err set. A call that does not return TN_OK leaves
 *            the iterator where it was. Damage is passed over here: tn_cursor shows it in its place.
 * States     object		state		may be called
 *            a reader	open		all functions, on streams of any set that is open
 *            an iterator	set by _begin()	all functions; after TN_END or an error it is where it was
 *              		copied		both go their own ways
 *              		not set		_begin() only
 *            its set		grown		all functions: packets keep their numbers
 *              		closed		nothing; the reader is freed before
 * Source     the KEDR CTF reader's manual, 6 "Basic" and 7 "Variables".
 */
#ifndef TNAV_ITERATE_H
#define TNAV_ITERATE_H

#include <tnav/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_reader;

/* To be freed with tn_reader_free(). */
TN_API TN_MUST_CHECK enum tn_code tn_reader_new(struct tn_reader **out, struct tn_error *err);
TN_API void tn_reader_free(struct tn_reader *reader);	/* NULL is allowed */

/* ---- packets of a stream ---- */

struct tn_packet_iter {
	const struct tn_stream *stream;
	size_t packet;
};

/* The first packet; TN_END when the stream has none. */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_begin(const struct tn_stream *stream, struct tn_packet_iter *out, struct tn_error *err);
/* The next packet; TN_END behind the last. */
TN_API TN_MUST_CHECK enum tn_code tn_packet_iter_next(struct tn_packet_iter *at, struct tn_error *err);
/* Sizes, times, counters. */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_info(const struct tn_packet_iter *at, struct tn_packet_info *out, struct tn_error *err);
/*
 * Values of the packet's header and context: an event without event, whose other scopes are absent.
 * TN_ERR_FORMAT when the packet is damaged there.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_read(struct tn_reader *reader, const struct tn_packet_iter *at, const struct tn_event **out,
		    struct tn_error *err);

/* ---- events of a packet, of a stream ---- */

struct tn_event_iter {
	const struct tn_stream *stream;
	size_t packet;
	uint64_t row;		/* in the packet; notices of losses count too */
};

/* The first event of the stream, of a packet; TN_END when there is none. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin(struct tn_reader *reader, const struct tn_stream *stream, struct tn_event_iter *out,
		    struct tn_error *err);
/* The first event of a packet; TN_END when it has none. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin_packet(struct tn_reader *reader, const struct tn_packet_iter *packet, struct tn_event_iter *out,
			   struct tn_error *err);
/* The next event of the stream, over packet borders; of the same packet, TN_END behind its last. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_next(struct tn_reader *reader, struct tn_event_iter *at, struct tn_error *err);
/* The next event of the same packet; TN_END behind its last. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_next_in_packet(struct tn_reader *reader, struct tn_event_iter *at, struct tn_error *err);
/* The packet that the event is in. */
TN_API struct tn_packet_iter tn_event_iter_packet(const struct tn_event_iter *at);
/* Values of the event, for the scopes wanted (TN_SCOPE_BIT). */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_read(struct tn_reader *reader, const struct tn_event_iter *at, unsigned scopes,
		   const struct tn_event **out, struct tn_error *err);

/* ---- variables ---- */

/*
 * A variable is a place for values: a struct tn_field. Its full name is that of its scope and the path
 * to it: "stream.packet.context.packet_size", "event.fields.values[]" (the element of an array),
 * "event.fields.v.option.x". Names are as the metadata writes them; as they are shown does too. Where a whole scope
 * is a variant (KEDR), its option's name may stand in the path, "event.fields.accesses[].addr", or be left out.
 */

/* The variable of that full name for events of @ec; NULL when there is none. */
TN_API const struct tn_field *tn_event_class_find(const struct tn_event_class *ec, const char *full_name);
/* The same for what all events of a stream have: the packet's scopes, event header, common context. */
TN_API const struct tn_field *tn_stream_find(const struct tn_stream *stream, const char *full_name);
/* Relative to a variable: "a.b", "[]", "[].x"; "" is the variable itself. */
TN_API const struct tn_field *tn_field_find(const struct tn_field *field, const char *relative_name);

/*
 * The value of a variable in an event. TN_END: it does not exist there (an option that is not
 * selected, an optional that is absent). TN_ERR_ARGUMENT: the event has no such variable, its scope was
 * not read, or it lies in an array, so that it has a value only in an element: tn_value_of().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_event_value(const struct tn_event *event, const struct tn_field *field, const struct tn_value **out);
/* The same inside a value: of an element, of a structure. */
TN_API TN_MUST_CHECK enum tn_code
tn_value_of(const struct tn_value *context, const struct tn_field *field, const struct tn_value **out);

#ifdef __cplusplus
}
#endif
#endif
