/*
 * tnav/iterate.h - packets of a stream, events of a packet, events of a stream, variables by name
 *
 * For events of all streams in time order use tnav/cursor.h. Iterators here are plain positions: copy them
 * freely and keep any number of them; they own nothing. The state of decoding (a walked batch, values of
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
 * Threads    A reader belongs to one thread; several readers on one set may be used by several threads.
 * Errors     TN_OK, TN_END or a negative code with *err set. A call that does not return TN_OK leaves
 *            the iterator where it was. Iterators skip damage; tn_cursor shows it in its place.
 * States     object		state		may be called
 *            a reader	open		all functions, on streams of any set that is open
 *            an iterator	set by _begin()	all functions; after TN_END or an error it is where it was
 *              		copied		the copies are independent
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
/* Sizes, times and counters of the packet. */
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
	uint64_t row;		/* in the packet; notices of losses are rows too */
};

/* The first event of the stream; TN_END if the stream has no events. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin(struct tn_reader *reader, const struct tn_stream *stream, struct tn_event_iter *out,
		    struct tn_error *err);
/* The first event of a packet; TN_END if the packet has no events. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_begin_packet(struct tn_reader *reader, const struct tn_packet_iter *packet, struct tn_event_iter *out,
			   struct tn_error *err);
/* The next event of the stream, also across packets; TN_END after the last. */
TN_API TN_MUST_CHECK enum tn_code
tn_event_iter_next(struct tn_reader *reader, struct tn_event_iter *at, struct tn_error *err);
/* The next event of the same packet; TN_END after its last. */
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
 * A variable is a place for values: a struct tn_field. Its full name is the name of its scope and the path to
 * it: "stream.packet.context.packet_size", "event.fields.values[]" (the element of an array),
 * "event.fields.v.option.x". Names may be written as in the metadata or as displayed. If a whole scope is a
 * variant (KEDR), the path may contain its option's name, "event.fields.accesses[].addr", or leave it out.
 */

/* The variable with this full name in events of @ec; NULL: no such variable. */
TN_API const struct tn_field *tn_event_class_find(const struct tn_event_class *ec, const char *full_name);
/*
 * As above, for the fields that all events of a stream have: the packet's scopes, event header, common context.
 */
TN_API const struct tn_field *tn_stream_find(const struct tn_stream *stream, const char *full_name);
/* Find a variable relative to another: "a.b", "[]", "[].x"; "" is the variable itself. */
TN_API const struct tn_field *tn_field_find(const struct tn_field *field, const char *relative_name);

/*
 * The value of a variable in an event. TN_END: the event does not contain it (an option that is not selected,
 * an optional that is absent). TN_ERR_ARGUMENT: the event does not have the variable; its scope was not read;
 * or it is inside an array and only an element has a value: use tn_value_of().
 */
TN_API TN_MUST_CHECK enum tn_code
tn_event_value(const struct tn_event *event, const struct tn_field *field, const struct tn_value **out);
/* As above, within a value: an element, a structure. */
TN_API TN_MUST_CHECK enum tn_code
tn_value_of(const struct tn_value *context, const struct tn_field *field, const struct tn_value **out);

#ifdef __cplusplus
}
#endif
#endif
