/* names_index.h - all fields that have a name, sorted by name */
#ifndef TN_LANGUAGE_NAMES_INDEX_H
#define TN_LANGUAGE_NAMES_INDEX_H

#include <pthread.h>

#include "language/names.h"

/* A field, found by the last name in its path. */
struct entry {
	const char *label;
	const struct tn_field *field;
	enum tn_scope scope;
	const void *owner;
	size_t order;		/* position in the order in which fields were found */
};

struct tn_names {
	struct tn_extras extras;
	const struct tn_set *set;
	TN_ARRAY(struct entry) entry;	/* sorted by label, then by `order` */
	size_t n_streams, n_classes;
	size_t *first_class;		/* for each stream, by rank: number of the first class of its trace */
	uint32_t *trace_classes;	/* for each stream, by rank: number of classes of its trace */
	const struct tn_event_class **event_class;
	bool no_memory;
	bool has_markers;		/* some class may have events that are markers */
	struct tn_running *running;
	/* Classes that have events in the packets read so far (names_events.c). */
	struct {
		pthread_mutex_t lock;
		bool *seen;
		size_t packets;		/* number of packets read in each stream */
		bool all;
	} events;
};

/* Whether one of the classes in @among (flags by number) has an event: walks packets until one is found. */
enum tn_code tn_names_have_events(const struct tn_names *names, const uint8_t *among, bool *out, struct tn_error *err);

/* The first entry whose label is not before @label. */
size_t tn_names_find_entry(const struct tn_names *names, const char *label);

#endif
