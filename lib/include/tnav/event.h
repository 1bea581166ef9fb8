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
#define TN_SCOPE_SHOWN 0x3au	/* the scopes in a line of text: packet context, the two contexts, payload */
#define TN_SCOPE_ALL 0x3fu

/* "trace.packet.header", "stream.packet.context", "stream.event.header", "stream.event.context", ... */
TN_API const char *tn_scope_name(enum tn_scope scope);
/* Prefix of the full paths of its fields: "packet.context", "event.context" (both contexts), "event.fields", ... */
TN_API const char *tn_scope_path(enum tn_scope scope);
/*
 * The prefix that finds the fields of this event again by their full paths (tn_event_find(), conditions).
 * "event.context" means the event's own context if both contexts have a field of the same name. The result is
 * then the longer name of the common context. (Records and the details view use the longer name for such fields
 * only; either name finds the others.) NULL for no event.
 */
TN_API const char *tn_event_scope_path(const struct tn_event *event, enum tn_scope scope);

TN_API const char *tn_event_name(const struct tn_event *event);	/* NULL if it does not have a name */
/* The event's class; never NULL. */
TN_API const struct tn_event_class *tn_event_class(const struct tn_event *event);
TN_API const struct tn_stream *tn_event_stream(const struct tn_event *event);	/* the stream it is in */
TN_API bool tn_event_time(const struct tn_event *event, int64_t *time_ns);	/* false: no clock */
/* Raw clock value; false: no clock. */
TN_API bool tn_event_cycles(const struct tn_event *event, uint64_t *cycles);
TN_API uint64_t tn_event_bit(const struct tn_event *event);	/* position of its header in the packet */
TN_API uint64_t tn_event_end_bit(const struct tn_event *event);	/* the bit after its last field */
TN_API size_t tn_event_packet(const struct tn_event *event);	/* number of the packet in the stream */
/* Root value of a scope; NULL if it is absent or was not read. */
TN_API const struct tn_value *tn_event_scope(const struct tn_event *event, enum tn_scope scope);
/*
 * Find a value by its full name, "packet.context.cpu_id", "event.fields.a.b[2]" (or the longer names of TSDL,
 * "stream.packet.context.cpu_id"), or by a bare path, which is searched for in payload, specific context,
 * common context, packet context. NULL: no such value.
 */
TN_API const struct tn_value *tn_event_find(const struct tn_event *event, const char *path);

#ifdef __cplusplus
}
#endif
#endif
