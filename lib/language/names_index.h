/*
 * names_index.h - all fields with a name, by their names
 */
#ifndef TN_LANGUAGE_NAMES_INDEX_H
#define TN_LANGUAGE_NAMES_INDEX_H

#include <pthread.h>

#include "language/names.h"

/* A field with a name, found by the last part of its path. */
struct entry {
	const char *label;
	const struct tn_field *field;
	enum tn_scope scope;
	const void *owner;
	size_t order;		/* position in the order of finding */
};

struct tn_names {
	struct tn_extras extras;
	const struct tn_set *set;
	TN_ARRAY(struct entry) entry;	/* by label, then in the order of finding */
	size_t n_streams, n_classes;
	size_t *first_class;		/* by rank of the stream: number of the first class of its trace */
	uint32_t *trace_classes;	/* by rank: number of classes of its trace */
	const struct tn_event_class **event_class;
	bool no_memory;
	bool has_markers;		/* some class may be markers */
	struct tn_running *running;
	/* Classes whose events were found in the packets read so far (names_events.c). */
	struct {
		pthread_mutex_t lock;
		bool *seen;
		size_t packets;		/* number of packets read, for each stream */
		bool all;
	} events;
};

/* Whether one of the classes, @among by their numbers, has an event: walks packets until it finds one. */
enum tn_code tn_names_have_events(const struct tn_names *names, const uint8_t *among, bool *out, struct tn_error *err);

/* The first entry whose label is not before @label. */
size_t tn_names_find_entry(const struct tn_names *names, const char *label);

#endif
