/* sequence.h - two sequences of events while they are made */
#ifndef TN_COMPARE_SEQUENCE_H
#define TN_COMPARE_SEQUENCE_H

#include <tnav/compare.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

#define TN_SEQUENCE_EVENTS 2000000	/* limit of aligned events, on each side */
#define TN_SEQUENCE_LISTED 4000000	/* limit of listed events of all values, on each side */
#define TN_SEQUENCE_VALUES 100000	/* limit of values, on each side */
#define TN_SEQUENCE_BYTES (48u << 20)	/* limit of the names and fields of different events */
#define TN_SEQUENCE_LOSSES 1000000	/* limit of losses whose places are kept, on each side */

/* The content of events; equal events share one. */
struct tn_different {
	const char *name;
	struct tn_answer_value *field;
};

struct tn_event_place {
	uint32_t stream, packet, row;
};

/* The events with one value of the key. */
struct tn_events_of {
	char *value, *name;	/* owned; `name` may be NULL */
	uint64_t count;		/* number of events; the first ones are kept in the lists */
	TN_ARRAY(uint32_t) number;	/* number of the struct tn_different of each event */
	TN_ARRAY(int64_t) time_ns;
	/* The following lists are only for an alignment. */
	TN_ARRAY(struct tn_event_place) place;
	TN_ARRAY(struct tn_odd_time { uint32_t event; bool has_time; int64_t time_ns; }) odd;	/* shown with another time */
	TN_ARRAY(uint32_t) after_loss;	/* the events that are the first after a loss, in order */
};

struct tn_sequence_side {
	struct tn_selection selection;
	struct tn_nicknames *names;	/* NULL: the values do not have names */
	TN_ARRAY(struct tn_events_of) of;	/* one for each value, in the order of their first events */
	bool has_first, is_told;	/* is_told: the notices were already reported */
	int64_t first_ns;	/* time of the first event, of all values */
	uint64_t more, lost;
};

/* A difference: rows with @n[0] events of the first side and @n[1] events of the second. */
struct tn_hunk {
	size_t row;
	uint32_t at[2], n[2];
};

struct tn_listed_pair {
	size_t of[2];		/* numbers of its values on both sides; SIZE_MAX: none */
	struct tn_sequence_pair pair;
};

struct tn_sequence {
	char *key, *value[2], *shown;	/* `shown`: the fields to show, as typed; NULL: none */
	TN_ARRAY(char *) fields;
	struct tn_sequence_side side[2];
	TN_ARRAY(struct tn_different) different;
	struct tn_hash by_content;
	struct tn_arena arena;
	size_t bytes;
	TN_ARRAY(struct tn_listed_pair) pairs;
	TN_ARRAY(struct tn_hunk) hunks;
	struct tn_sequence_totals totals;
};

/* sequence_read.c: check that a side has the key and the fields; read one value of a side, or all (NULL). */
enum tn_code tn_sequence_check(struct tn_sequence *q, size_t side, struct tn_error *err) TN_MUST_CHECK;
enum tn_code tn_sequence_read(struct tn_sequence *q, size_t side, const char *value, struct tn_error *err) TN_MUST_CHECK;
void tn_sequence_forget(struct tn_sequence *q);	/* forgets all events that were read */
/* sequence_pairs.c */
enum tn_code tn_sequence_make_pairs(struct tn_sequence *q, struct tn_error *err) TN_MUST_CHECK;
/* Find the length of the equal part of two sequences, and their first difference. Each may be NULL. */
void tn_sequence_compare(const struct tn_sequence *q, const struct tn_events_of *first, const struct tn_events_of *second,
			 struct tn_sequence_pair *out);

#endif
