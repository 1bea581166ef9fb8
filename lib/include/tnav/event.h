/*
 * tnav/event.h - a decoded event
 *
 * Units      Times are nanoseconds from the origin of the stream's clock; cycles are raw clock values.
 * Ownership  An event is borrowed from the cursor that read it, until its next read or until it is closed.
 * States     object		state					may be called
 *            an event	read					all functions
 *              		after the next read of its cursor or reader	nothing: get the event again
 * Source     CTF 1.8.3, 6 "Event structure"; CTF2-SPEC-2.0, 6.2.
 */
#ifndef TNAV_EVENT_H
#define TNAV_EVENT_H

#include <tnav/value.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_stream;
struct tn_event_class;

enum tn_scope {
	TN_SCOPE_PACKET_HEADER,
	TN_SCOPE_PACKET_CONTEXT,
	TN_SCOPE_EVENT_HEADER,
	TN_SCOPE_COMMON_CONTEXT,
	TN_SCOPE_SPECIFIC_CONTEXT,
	TN_SCOPE_PAYLOAD
};

#define TN_SCOPE_BIT(scope) (1u << (scope))
#define TN_SCOPE_SHOWN 0x3au	/* what the text line shows: packet context, the two contexts, payload */
#define TN_SCOPE_ALL 0x3fu

/* "trace.packet.header", "stream.packet.context", "stream.event.header", "stream.event.context", ... */
TN_API const char *tn_scope_name(enum tn_scope scope);
/* How its fields' full paths begin: "packet.context", "event.context" (both contexts), "event.fields", ... */
TN_API const char *tn_scope_path(enum tn_scope scope);
/*
 * The same for a scope of one event, so that its fields are found again by their full paths (tn_event_find(), conditions):
 * the longer name of the common context when a field of the event's own context has the name of one of its fields, for
 * "event.context" then means that one. (Records and the details have the longer name for such fields only; the others are
 * found by either.) NULL for no event.
 */
TN_API const char *tn_event_scope_path(const struct tn_event *event, enum tn_scope scope);

TN_API const char *tn_event_name(const struct tn_event *event);	/* NULL when it has none */
/* Its class; never NULL. */
TN_API const struct tn_event_class *tn_event_class(const struct tn_event *event);
TN_API const struct tn_stream *tn_event_stream(const struct tn_event *event);	/* the stream it is in */
TN_API bool tn_event_time(const struct tn_event *event, int64_t *time_ns);	/* false: no clock */
/* Raw clock value; false: no clock. */
TN_API bool tn_event_cycles(const struct tn_event *event, uint64_t *cycles);
TN_API uint64_t tn_event_bit(const struct tn_event *event);	/* where its header starts in the packet */
TN_API uint64_t tn_event_end_bit(const struct tn_event *event);	/* the bit behind its last field */
TN_API size_t tn_event_packet(const struct tn_event *event);	/* number of its packet in the stream */
/* Root value of a scope; NULL when it is absent or was not read. */
TN_API const struct tn_value *tn_event_scope(const struct tn_event *event, enum tn_scope scope);
/*
 * The value at a full name, "packet.context.cpu_id", "event.fields.a.b[2]" (the longer names of TSDL,
 * "stream.packet.context.cpu_id", are understood too), or a bare path,
 * looked up in payload, specific context, common context, packet context. NULL when there is none.
 */
TN_API const struct tn_value *tn_event_find(const struct tn_event *event, const char *path);

#ifdef __cplusplus
}
#endif
#endif
