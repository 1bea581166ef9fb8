/*
 * tnav/event.h - a decoded event
 *
 * Units      Times are nanoseconds from the origin of the stream's clock; cycles are raw clock values.
 * Ownership  An event belongs to the cursor or reader that read it, and is valid until the next read, or until the
 *            cursor or reader is freed.
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
/*
 * Prefix of the full paths of the scope's fields: "packet.context", "event.context" (both contexts),
 * "event.fields", ...
 */
TN_API const char *tn_scope_path(enum tn_scope scope);
/*
 * The prefix with which full paths find the fields of this event (tn_event_find(), conditions). If both contexts
 * have a field of the same name, "event.context" means the event's own context; the result for the common context
 * is then its longer name. (Records and the details view use the longer name for such fields only; other fields
 * have both names.) NULL if @event is NULL.
 */
TN_API const char *tn_event_scope_path(const struct tn_event *event, enum tn_scope scope);

TN_API const char *tn_event_name(const struct tn_event *event);	/* NULL if it does not have a name */
/* The event's class; never NULL. */
TN_API const struct tn_event_class *tn_event_class(const struct tn_event *event);
TN_API const struct tn_stream *tn_event_stream(const struct tn_event *event);	/* the stream of the event */
TN_API bool tn_event_time(const struct tn_event *event, int64_t *time_ns);	/* false: no clock */
/* Raw clock value; false: no clock. */
TN_API bool tn_event_cycles(const struct tn_event *event, uint64_t *cycles);
TN_API uint64_t tn_event_bit(const struct tn_event *event);	/* position of its header in the packet */
TN_API uint64_t tn_event_end_bit(const struct tn_event *event);	/* the bit after its last field */
TN_API size_t tn_event_packet(const struct tn_event *event);	/* number of the packet in the stream */
/* Root value of a scope; NULL if it is absent or was not read. */
TN_API const struct tn_value *tn_event_scope(const struct tn_event *event, enum tn_scope scope);
/*
 * Find a value by its full name: "packet.context.cpu_id", "event.fields.a.b[2]", or a longer name of TSDL,
 * "stream.packet.context.cpu_id". A path without a scope is searched in payload, specific context, common
 * context and packet context, in this order. NULL: no such value.
 */
TN_API const struct tn_value *tn_event_find(const struct tn_event *event, const char *path);

#ifdef __cplusplus
}
#endif
#endif
