/*
 * private.h - Chrome trace JSON: one scan of the file learns classes, threads and types, and makes an entry for each event
 *
 * All entries are sorted by time: in runs in memory, which are merged in a file without a name. tnav reads this file as
 * the stream. It reads the text of an event from the JSON file when it shows the event.
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
	int64_t ns;		/* time of the event; without one, the time of the event before it in the file */
	uint64_t at;		/* byte of its { in the file */
	uint32_t class;
	uint32_t track;		/* number of the track, and TN_CJ_... */
};

#define TN_CJ_DAMAGE (UINT32_C(1) << 31)	/* no event can be read here */
#define TN_CJ_LOSS (UINT32_C(1) << 30)		/* events were lost here: trace_buffer_overflowed */
#define TN_CJ_TRACK (TN_CJ_LOSS - 1)
#define TN_CJ_BLOCK 4096			/* entries in a packet */

/* ---- types, learnt from values (learn.c) ---- */

/* A place in events, with everything that was seen there. */
struct tn_cj_node {
	const char *key;	/* unescaped */
	const uint8_t *raw;	/* as in the file */
	uint32_t raw_n;
	uint32_t seen;		/* bits: 1 << enum tn_cj_kind, and those below */
	struct tn_cj_node *first, *last, *next;	/* members; an array has one, its elements */
	uint32_t n, index;	/* members; its number among them */
	bool more;		/* some members are too many, too long, or too deep */
	struct tn_field *field;	/* made when all were seen */
};

#define TN_CJ_NEGATIVE (1u << 16)	/* integers below 0 */
#define TN_CJ_LARGE (1u << 17)		/* above INT64_MAX */
#define TN_CJ_FLOAT (1u << 18)		/* numbers other than integers of 64 bits */

struct tn_cj_learner {
	struct tn_arena *arena;
	size_t n;		/* nodes of the trace */
	bool failed;		/* memory is out */
};

/* Add a new member to @in; NULL: memory is out. */
struct tn_cj_node *tn_cj_node_add(struct tn_arena *arena, struct tn_cj_node *in);
/* The member with that key, made if it is new; NULL: it is not kept. @hint: the member before it, or NULL. */
struct tn_cj_node *tn_cj_member_of(struct tn_cj_learner *l, struct tn_cj_node *object, const struct tn_cj_piece *key,
				   struct tn_cj_node *hint);
const struct tn_cj_node *tn_cj_find_member(const struct tn_cj_node *object, const struct tn_cj_piece *key,
					   const struct tn_cj_node *hint);
/* Learn the value at @p; after it. */
const uint8_t *tn_cj_learn(struct tn_cj_learner *l, struct tn_cj_node *node, const uint8_t *p, const uint8_t *end,
			   unsigned depth);
/* Bits of `seen` for a value, of which arrays and objects have more inside. */
uint32_t tn_cj_bits(const uint8_t *p, size_t n);
struct tn_type *tn_cj_build_type(struct tn_builder *b, struct tn_cj_node *node);

/* ---- classes and threads ---- */

/* Events of one phase, category and name. */
struct tn_cj_class {
	char phase;
	struct tn_cj_piece category, name;	/* as in the file; n 0: none */
	bool is_other;		/* the class for events of all other names */
	struct tn_cj_node payload;
	struct tn_event_class *event_class;
};

struct tn_cj_track {
	struct tn_cj_piece pid, tid;	/* as in the file, without quotes; n 0: none */
	const char *process, *thread;	/* names; or NULL */
};

/* Results of the scan, beside classes and threads. */
struct tn_cj_found {
	uint64_t n_events, n_untimed;
	uint64_t n_unshown;		/* stackFrames, samples, ... */
	int64_t base_ns;		/* time of the clock's value 0: the least one, if there are times below 0 */
	int64_t origin_ns;		/* nanoseconds from 1970 to time 0 */
	bool has_origin, pid_is_text, tid_is_text;
	bool is_cut;			/* the object of the file does not end */
};

struct tn_cj_trace {
	struct tn_map map;		/* the JSON file */
	struct tn_map stored;		/* a stored scan, if there is one */
	struct tn_map entries;		/* all of them, sorted */
	uint64_t n_entries;
	struct tn_cj_found found;
	TN_ARRAY(struct tn_cj_class) classes;
	TN_ARRAY(struct tn_cj_track) tracks;
	struct tn_field *context;
};

/* The members of an event that are not payload; value NULL: absent. */
enum { TN_CJ_PH, TN_CJ_TS, TN_CJ_DUR, TN_CJ_PID, TN_CJ_TID, TN_CJ_NAME, TN_CJ_CAT, TN_CJ_ARGS, TN_CJ_ID, TN_CJ_ID2,
	TN_CJ_SCOPE, TN_CJ_SPECIAL };

struct tn_cj_event {
	struct tn_cj_piece value[TN_CJ_SPECIAL];	/* strings without quotes, others as they are; p NULL: absent */
	bool is_string[TN_CJ_SPECIAL];
	char phase;		/* '?': none, or a longer one */
};

/* The number of the member with this key; TN_CJ_SPECIAL: another member. */
unsigned tn_cj_special(const struct tn_cj_piece *key);
/* Read the members of the event at @p, a brace; after it. NULL: it does not end, or cannot be read. */
const uint8_t *tn_cj_read_members(struct tn_cj_event *e, const uint8_t *p, const uint8_t *end);
/* Whether the member is not part of the payload of events of that phase. */
static inline bool
tn_cj_is_apart(unsigned which, char phase)
{
	return which <= TN_CJ_CAT && (which != TN_CJ_DUR || phase == 'X');
}

/* ---- texts between values (shape.c) ---- */

#define TN_CJ_VALUES 64		/* limit of the values of an event */

struct tn_cj_shapes {
	TN_ARRAY(struct tn_cj_state) states;
	uint32_t first;
	/* The values of the event that was read last; arrays are one value. The shape of the event. */
	struct tn_cj_piece value[TN_CJ_VALUES];
	uint8_t which[TN_CJ_VALUES];
	bool is_string[TN_CJ_VALUES];
	unsigned n;
	uint32_t shape;
};

/* Read the event at @p, a brace; after it. NULL: its shape is not known. */
const uint8_t *tn_cj_shape_read(struct tn_cj_shapes *t, const uint8_t *p, const uint8_t *end, struct tn_cj_event *e);
void tn_cj_shape_learn(struct tn_cj_shapes *t, struct tn_arena *arena, const uint8_t *p, const uint8_t *end);

/* ---- the scan (scan.c, sort.c, store.c), the model (model.c), events (read.c) ---- */

/* For tn_filesort: @user is the struct tn_cj_trace. */
bool tn_cj_order_spans(void *user, void *records, size_t n);
/* The duration of the X event at @at. */
int64_t tn_cj_duration_at(const struct tn_cj_trace *own, uint64_t at);

enum tn_code tn_cj_scan(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
/* Report everything that the scan found and tnav does not show as rows. */
void tn_cj_tell(const struct tn_trace *trace);
struct tn_scan_parts;
bool tn_cj_parts(struct tn_trace *trace, struct tn_scan_parts *s);	/* index/stored_scan.h */
enum tn_code tn_cj_build(struct tn_trace *trace, struct tn_error *err) TN_MUST_CHECK;
enum tn_code tn_cj_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err);

#endif
