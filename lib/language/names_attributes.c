/* names_attributes.c - properties that every event has, whatever its tracer */
#include "language/names.h"

static const struct tn_attribute attributes[] = {
	{ "name", "the event's name", false },
	{ "id", "the number of its event class", true },
	{ "loglevel", "its log level: a name or a number", false },
	{ "stream", "the name of its stream, or its number", false },
	{ "trace", "the path or name of its trace", false },
	{ "host", "where it was traced: hostname of the environment, of the loom", true },
	{ "cpu", "the processor: cpu_id of the packet, or the field with that role", false },
	{ "tid", "the thread: vtid, tid or common_pid of the context, or what the last sched_switch says", false },
	{ "pid", "the process: vpid or pid of the context, vpid of the environment, or what forks and state dumps say", false },
	{ "process", "its name: procname or comm of the context, procname of the environment, or of the last sched_switch", false },
	{ "time", "when: 13:46:40.5, 2026-11-21 13:46, @nanoseconds", false },
	{ "delta", "since the event before in its stream, not in the list: 5ms", false },
	{ "packet", "the number of its packet in the stream", false },
	{ "lost", "how many events were lost right before it in its stream", false },
};

static const enum tn_attribute_id ids[] = {
	TN_ATTRIBUTE_NAME, TN_ATTRIBUTE_ID, TN_ATTRIBUTE_LOG_LEVEL, TN_ATTRIBUTE_STREAM, TN_ATTRIBUTE_TRACE,
	TN_ATTRIBUTE_HOST, TN_ATTRIBUTE_CPU, TN_ATTRIBUTE_TID, TN_ATTRIBUTE_PID, TN_ATTRIBUTE_PROCESS,
	TN_ATTRIBUTE_TIME, TN_ATTRIBUTE_DELTA, TN_ATTRIBUTE_PACKET, TN_ATTRIBUTE_LOST,
};
_Static_assert(TN_COUNT(ids) == TN_COUNT(attributes), "one for the other");

/* The names that records use for attributes. */
static const struct { const char *name; enum tn_attribute_id id; } aliases[] = {
	{ "event.log_level", TN_ATTRIBUTE_LOG_LEVEL }, { "time_ns", TN_ATTRIBUTE_TIME },
	{ "cycles", TN_ATTRIBUTE_CYCLES }, { "stream.name", TN_ATTRIBUTE_STREAM }, { "stream.id", TN_ATTRIBUTE_STREAM_ID },
	{ "packet.number", TN_ATTRIBUTE_PACKET }, { "stream.packet.number", TN_ATTRIBUTE_PACKET },
	{ "event.running", TN_ATTRIBUTE_RUNNING },
};

static const char *const marker_parts[] = {
	"marker.phase", "marker.pid", "marker.name", "marker.track", "marker.cookie", "marker.value"
};
_Static_assert(TN_COUNT(marker_parts) == TN_ATTRIBUTE_MARKER_VALUE - TN_ATTRIBUTE_MARKER_PHASE + 1, "one for the other");

const char *
tn_marker_attribute(size_t i)
{
	return i < TN_COUNT(marker_parts) ? marker_parts[i] : NULL;
}

const struct tn_attribute *
tn_attributes(size_t *n)
{
	if (!n)
		return NULL;
	if (n)
		*n = TN_COUNT(attributes);
	return attributes;
}

bool
tn_attribute_find(const struct tn_extras *extras, const char *name, struct tn_meaning *out, bool *yields)
{
	bool with_event = strncmp(name, "event.", 6) == 0;
	const char *bare = with_event ? name + 6 : name;

	*yields = false;
	for (size_t i = 0; i < extras->n; i++)
		if (strcmp(name, extras->name[i]) == 0) {
			*out = (struct tn_meaning) {
				.attribute = TN_ATTRIBUTE_EXTRA, .extra = i, .path = extras->name[i],
				.kind = extras->kind ? extras->kind[i] : TN_EXTRA_ANY,
			};
			return true;
		}
	if (extras->of)
		return false;
	for (size_t i = 0; i < TN_COUNT(attributes); i++)
		if (strcmp(bare, attributes[i].name) == 0) {
			*out = (struct tn_meaning) { .attribute = ids[i], .path = attributes[i].name };
			*yields = attributes[i].yields && !with_event;
			return true;
		}
	for (size_t i = 0; i < TN_COUNT(aliases); i++)
		if (strcmp(name, aliases[i].name) == 0) {
			*out = (struct tn_meaning) { .attribute = aliases[i].id, .path = aliases[i].name };
			*yields = !strchr(name, '.');
			return true;
		}
	for (size_t i = 0; i < TN_COUNT(marker_parts); i++)
		if (strcmp(bare, marker_parts[i]) == 0) {
			*out = (struct tn_meaning) {
				.attribute = (enum tn_attribute_id)(TN_ATTRIBUTE_MARKER_PHASE + i), .path = marker_parts[i],
			};
			return true;
		}
	return false;
}

bool
tn_attribute_hides(const struct tn_meaning *m)
{
	return tn_is_of_contexts(m) || m->attribute == TN_ATTRIBUTE_DELTA || m->attribute == TN_ATTRIBUTE_PACKET ||
	       m->attribute == TN_ATTRIBUTE_LOST;
}

const char *
tn_attribute_in_full(const struct tn_meaning *m)
{
	return m->attribute == TN_ATTRIBUTE_ID ? "event.id" : m->attribute == TN_ATTRIBUTE_HOST ? "event.host" : NULL;
}

const char *
tn_attribute_other_word(const char *name)
{
	static const struct { const char *other, *name; } words[] = {
		{ "hostname", "host" }, { "thread", "tid" }, { "thread_id", "tid" }, { "process_id", "pid" }, { "comm", "process" },
		{ "procname", "process" }, { "timestamp", "time" }, { "level", "loglevel" }, { "severity", "loglevel" },
		{ "event_name", "name" }, { "type", "name" }, { "channel", "stream" }, { "processor", "cpu" }, { "core", "cpu" },
		{ "gap", "delta" },
	};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (strcmp(name, words[i].other) == 0)
			return words[i].name;
	return NULL;
}
