/*
 * private.h - Chrome trace JSON: one scan of the file finds classes, threads and types, and makes an entry for each
 * event
 *
 * All entries are sorted by time, in runs in memory that are merged in a nameless file. tnav reads this file as the
 * stream. It reads the text of an event from the JSON file only when it shows the event.
 *
 * Source     chromejson.md
 */
#ifndef TN_CHROMEJSON_PRIVATE_H
#define TN_CHROMEJSON_PRIVATE_H

#include "base/filesort.h"
#include "base/hash.h"
#include "chromejson/text.h"
#include "model/build.h"

/* An event, or damage. */
struct tn_cj_entry {
	int64_t ns;		/* time of the event; an event without a time gets the time of the event before it in the file */
	uint64_t at;		/* position of its { in the file, in bytes */
	uint32_t class;
	uint32_t track;		/* number of the track, and flags TN_CJ_... */
};

#define TN_CJ_DAMAGE (UINT32_C(1) << 31)	/* the bytes are not a readable event */
#define TN_CJ_LOSS (UINT32_C(1) << 30)		/* the tracer lost events here: trace_buffer_overflowed */
#define TN_CJ_TRACK (TN_CJ_LOSS - 1)
#define TN_CJ_BLOCK 4096			/* entries in a packet */

/* ---- types, learnt from values (learn.c) ---- */

/* A place in events, and the kinds of values that occurred there. */
struct tn_cj_node {
	const char *key;	/* key without escapes */
	const uint8_t *raw;	/* key as in the file */
	uint32_t raw_n;
	uint32_t seen;		/* bits 1 << enum tn_cj_kind, and TN_CJ_NEGATIVE, _LARGE and _FLOAT */
	struct tn_cj_node *first, *last, *next;	/* members; an array has one, its elements */
	uint32_t n, index;	/* number of members; its own number in the parent */
	bool more;		/* some members are left out: there are too many, or they are too long or too deep */
	struct tn_field *field;	/* made after the scan */
};

#define TN_CJ_NEGATIVE (1u << 16)	/* an integer was negative */
#define TN_CJ_LARGE (1u << 17)		/* an integer was greater than INT64_MAX */
#define TN_CJ_FLOAT (1u << 18)		/* a number was not an integer of 64 bits */

struct tn_cj_learner {
	struct tn_arena *arena;
	size_t n;		/* number of nodes in the trace */
	bool failed;		/* memory is out */
};

/* Add a new member to @in; NULL: memory is out. */
struct tn_cj_node *tn_cj_node_add(struct tn_arena *arena, struct tn_cj_node *in);
/* The member with the key, made if it is new. NULL: it is not kept. @hint: the member before it in the file, or NULL. */
struct tn_cj_node *tn_cj_member_of(struct tn_cj_learner *l, struct tn_cj_node *object, const struct tn_cj_piece *key,
				   struct tn_cj_node *hint);
const struct tn_cj_node *tn_cj_find_member(const struct tn_cj_node *object, const struct tn_cj_piece *key,
					   const struct tn_cj_node *hint);
/* Learn the kind of the value at @p; returns the place after the value. */
const uint8_t *tn_cj_learn(struct tn_cj_learner *l, struct tn_cj_node *node, const uint8_t *p, const uint8_t *end,
			   unsigned depth);
/* Bits of `seen` for a value; arrays and objects also have values inside. */
uint32_t tn_cj_bits(const uint8_t *p, size_t n);
struct tn_type *tn_cj_build_type(struct tn_builder *b, struct tn_cj_node *node);

/* ---- classes and threads ---- */

/* A class: events of one phase, category and name. */
struct tn_cj_class {
	char phase;
	struct tn_cj_piece category, name;	/* as in the file; `n` 0: absent */
	bool is_other;		/* the class for events of all names that do not have a class */
	struct tn_cj_node payload;
	struct tn_event_class *event_class;
};

struct tn_cj_track {
	struct tn_cj_piece pid, tid;	/* as in the file, without quotes; `n` 0: absent */
	const char *process, *thread;	/* names of both; or NULL */
};

/* Results of the scan, in addition to classes and threads. */
struct tn_cj_found {
	uint64_t n_events, n_untimed;
	uint64_t n_unshown;		/* number of values that tnav does not show: stackFrames, samples, ... */
	int64_t base_ns;		/* time of clock value 0: the earliest time, if some times are negative */
	int64_t origin_ns;		/* time 0 as nanoseconds from 1970 */
	bool has_origin, pid_is_text, tid_is_text;
	bool is_cut;			/* the end of the file's object is missing */
};

struct tn_cj_trace {
	struct tn_map map;		/* the JSON file */
	struct tn_map stored;		/* a stored scan, if there is one */
	struct tn_map entries;		/* all entries, sorted */
	uint64_t n_entries;
	struct tn_cj_found found;
	TN_ARRAY(struct tn_cj_class) classes;
	TN_ARRAY(struct tn_cj_track) tracks;
	struct tn_field *context;
};

/* Members of an event that are not payload. If one is absent, the `p` of its piece is NULL. */
enum { TN_CJ_PH, TN_CJ_TS, TN_CJ_DUR, TN_CJ_PID, TN_CJ_TID, TN_CJ_NAME, TN_CJ_CAT, TN_CJ_ARGS, TN_CJ_ID, TN_CJ_ID2,
	TN_CJ_SCOPE, TN_CJ_SPECIAL };

struct tn_cj_event {
	struct tn_cj_piece value[TN_CJ_SPECIAL];	/* strings without quotes, other values as in the file; `p` NULL: absent */
	bool is_string[TN_CJ_SPECIAL];
	char phase;		/* '?': the event has no phase, or a longer one */
};

/* The number of the member with this key; TN_CJ_SPECIAL: another member. */
unsigned tn_cj_special(const struct tn_cj_piece *key);
/*
 * Read the members of the event at @p, its brace. Returns the place after the event. NULL: the event does not end, or
 * is invalid.
 */
const uint8_t *tn_cj_read_members(struct tn_cj_event *e, const uint8_t *p, const uint8_t *end);
/* Whether the member is not part of the payload of events of the phase. */
static inline bool
tn_cj_is_apart(unsigned which, char phase)
{
	return which <= TN_CJ_CAT && (which != TN_CJ_DUR || phase == 'X');
}

/* ---- texts between values (shape.c) ---- */

#define TN_CJ_VALUES 64		/* limit of values in an event with a shape */

struct tn_cj_shapes {
	TN_ARRAY(struct tn_cj_state) states;
	uint32_t first;
	/* The shape of the event that was read last, and its values; an array is one value. */
	struct tn_cj_piece value[TN_CJ_VALUES];
	uint8_t which[TN_CJ_VALUES];
	bool is_string[TN_CJ_VALUES];
	unsigned n;
	uint32_t shape;
};

/* Read the event at @p, its brace. Returns the place after the event. NULL: the shape is unknown. */
const uint8_t *tn_cj_shape_read(struct tn_cj_shapes *t, const uint8_t *p, const uint8_t *end, struct tn_cj_event *e);
void tn_cj_shape_learn(struct tn_cj_shapes *t, struct tn_arena *arena, const uint8_t *p, const uint8_t *end);

/* ---- the scan (scan.c, sort.c, store.c), the model (model.c), events (read.c) ---- */

/* Implements tn_filesort.arrange; @user is the struct tn_cj_trace. */
bool tn_cj_order_spans(void *user, void *records, size_t n);
/* The duration of the X event at @at. */
int64_t tn_cj_duration_at(const struct tn_cj_trace *own, uint64_t at);

enum tn_code tn_cj_scan(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
/* Report all contents of the file that tnav does not show as rows. */
void tn_cj_tell(const struct tn_trace *trace);
struct tn_scan_parts;
bool tn_cj_parts(struct tn_trace *trace, struct tn_scan_parts *s);	/* index/stored_scan.h */
enum tn_code tn_cj_build(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
enum tn_code tn_cj_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err);

#endif
