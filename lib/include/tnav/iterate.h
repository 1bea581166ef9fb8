/*
 * tnav/iterate.h - packets of a stream, events of a packet, events of a stream, variables by name
 *
 * For events of all streams in time order use tnav/cursor.h. An iterator is a plain position: you can copy it, and
 * there is nothing to free. A reader has the state of decoding (packets that are read, values of one event). Make
 * one reader for each thread.
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
 * Ownership  A reader borrows the set of its streams: free the reader first. An event is valid until the
 *            next read of its reader; an iterator is valid until its set is closed.
 * Threads    Use a reader in one thread; several threads can use readers of their own on one set.
 * Errors     TN_OK, TN_END or a negative code with *err set. A call that does not return TN_OK leaves
 *            the iterator where it was. Iterators skip damage; tn_cursor shows it in its place.
 * States     object		state		may be called
 *            a reader	open		all functions, on streams of any set that is open
 *            an iterator	set by _begin()	all functions; after TN_END or an error it is where it was
 *              		copied		the copies are independent
 *              		not set		_begin() only
 *            its set		grown		all functions: packets keep their numbers
 *              		closed		nothing: free the reader before
 * Source     the KEDR CTF reader's manual, 6 "Basic" and 7 "Variables".
 */
#ifndef TNAV_ITERATE_H
#define TNAV_ITERATE_H

#include <tnav/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_reader;

/* Make a reader; free it with tn_reader_free(). */
TN_API TN_MUST_CHECK enum tn_code tn_reader_new(struct tn_reader **out, struct tn_error *err);
TN_API void tn_reader_free(struct tn_reader *reader);	/* NULL is allowed */

/* ---- packets of a stream ---- */

struct tn_packet_iter {
	const struct tn_stream *stream;
	size_t packet;
};

/* The first packet; TN_END if the stream has no packets. */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_begin(const struct tn_stream *stream, struct tn_packet_iter *out, struct tn_error *err);
/* The next packet; TN_END after the last. */
TN_API TN_MUST_CHECK enum tn_code tn_packet_iter_next(struct tn_packet_iter *at, struct tn_error *err);
/* Get sizes, times and counters of the packet. */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_info(const struct tn_packet_iter *at, struct tn_packet_info *out, struct tn_error *err);
/*
 * Read the values of the packet's header and context, as an event whose other scopes are absent. TN_ERR_FORMAT:
 * the packet is damaged there.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_iter_read(struct tn_reader *reader, const struct tn_packet_iter *at, const struct tn_event **out,
		    struct tn_error *err);

/* ---- events of a packet, of a stream ---- */

struct tn_event_iter {
	const struct tn_stream *stream;
	size_t packet;
	uint64_t row;		/* index in the packet; notices of losses are rows too */
};

/* The first event of the stream; TN_END if the stream has no events. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin(struct tn_reader *reader, const struct tn_stream *stream, struct tn_event_iter *out,
		    struct tn_error *err);
/* The first event of a packet; TN_END if the packet has no events. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin_packet(struct tn_reader *reader, const struct tn_packet_iter *packet, struct tn_event_iter *out,
			   struct tn_error *err);
/* The next event of the stream, which can be in a later packet; TN_END after the last. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_next(struct tn_reader *reader, struct tn_event_iter *at, struct tn_error *err);
/* The next event of the same packet; TN_END after the last event of the packet. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_next_in_packet(struct tn_reader *reader, struct tn_event_iter *at, struct tn_error *err);
/* The packet of the event. */
TN_API struct tn_packet_iter tn_event_iter_packet(const struct tn_event_iter *at);
/* Read the values of the event; @scopes are TN_SCOPE_BITs. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_read(struct tn_reader *reader, const struct tn_event_iter *at, unsigned scopes,
		   const struct tn_event **out, struct tn_error *err);

/* ---- variables ---- */

/*
 * A variable is a struct tn_field. Its full name is the name of its scope and the path in this scope:
 * "stream.packet.context.packet_size", "event.fields.values[]" (the elements of an array),
 * "event.fields.v.option.x". Write names as in the metadata or as tnav shows them. If a whole scope is a
 * variant (KEDR), the name of the option, "event.fields.accesses[].addr", can be omitted.
 */

/* The variable with this full name in events of @ec; NULL: no such variable. */
TN_API const struct tn_field *tn_event_class_find(const struct tn_event_class *ec, const char *full_name);
/*
 * The variable with this full name in the packet's scopes, the event header or the common context; NULL: none.
 */
TN_API const struct tn_field *tn_stream_find(const struct tn_stream *stream, const char *full_name);
/* Find a variable by its path from another one: "a.b", "[]", "[].x"; "" is the variable itself. */
TN_API const struct tn_field *tn_field_find(const struct tn_field *field, const char *relative_name);

/*
 * The value of a variable in an event. TN_END: this event does not contain it (another option is selected, or
 * the optional is absent). TN_ERR_ARGUMENT: the variable is not one of this event class; its scope was not read;
 * or it is inside an array, so that it has several values: use tn_value_of() with an element.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_event_value(const struct tn_event *event, const struct tn_field *field, const struct tn_value **out);
/* The same within @context, such as an element of an array. */
TN_API TN_MUST_CHECK enum tn_code
tn_value_of(const struct tn_value *context, const struct tn_field *field, const struct tn_value **out);

#ifdef __cplusplus
}
#endif
#endif
