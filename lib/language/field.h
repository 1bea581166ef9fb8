/*
 * field.h - one field or attribute of any event, at the speed of the walk
 *
 * A reference is a name (names.h) resolved once over a set. At the first event of each event class it becomes
 * the few instructions that reach the field's bits (plan/reach.h). Then each row gives a cell
 * (plan/cell.h) without decoding anything else:
 *
 *	struct tn_reference ret;
 *	struct tn_row_state state = { 0 };	// one a thread
 *
 *	rc = tn_reference_init(&ret, names, "event.fields.ret", &err);	// or "ret", "tid", "args[2]"
 *	...for each row:
 *		tn_row_at(&state, batch, row);		// once a row, for any number of references
 *		rc = tn_reference_get(&ret, &state, &cell, &err);
 *		if (rc == TN_OK && cell.kind == TN_CELL_SIGNED)
 *			... cell.i ...
 *	tn_row_state_release(&state);
 *	tn_reference_release(&ret);
 *
 * TN_CELL_NONE: the event does not have the field. An enumeration is its number, with its labels in
 * cell.type->mapping (tn_cell_label() gives the first that has the value). Text is borrowed until the next
 * tn_row_at() with this state, or until the batch is dropped. Fields that the instructions cannot reach (elements of
 * arrays, formats without plans, UTF-16) are taken from decoded values: slower, the same cells.
 *
 * Threads	A reference is shared by any number of threads, a state belongs to one thread. Neither outlives the set;
 *		a set with new event classes needs new references (rows of later classes are NONE).
 */
#ifndef TN_LANGUAGE_FIELD_H
#define TN_LANGUAGE_FIELD_H

#include <pthread.h>
#include <stdatomic.h>

#include "index/batches.h"
#include "plan/reach.h"
#include "language/names.h"

/* ---- the state that a thread keeps from row to row; zero it before first use ---- */

#define TN_PACKET_ENDS 64	/* entries, selected by the rank of the stream */

struct tn_row_state {
	const struct tn_batch *batch;
	size_t row;
	bool values_only;	/* use the general path (tests) */
	/* The state of the row's header. */
	enum { TN_BEHIND_UNKNOWN, TN_BEHIND_KNOWN, TN_BEHIND_FAILED } behind;
	struct tn_machine m;
	struct tn_slot *slot;
	size_t n_slots;
	struct tn_running_state *running;	/* NULL until the running thread is requested */
	/* Decoded values, if needed. */
	struct tn_event event;
	unsigned scopes;	/* all scopes that were requested so far */
	unsigned read;		/* scopes that are already read for this row */
	/* If not NULL, only this field of the row was read. @many: most rows need several fields. */
	const struct tn_field *only;
	struct tn_event one;
	uint64_t n_one, n_all;
	bool many;
	struct tn_packet_values *packet;	/* values of packets' scopes, for some streams */
	/* For differences of times: to find the last event before a packet. */
	struct tn_walk_pool pool;
	bool has_pool;
	const struct tn_stream *last_stream;
	size_t last_packet;
	bool has_last;
	int64_t last_ns;
	/* Packets whose last event was read, so that the next packet of their stream need not walk them again. */
	struct tn_packet_end {
		const struct tn_stream *stream;
		size_t packet;
		int64_t ns;
	} ended[TN_PACKET_ENDS];
};

void tn_row_state_release(struct tn_row_state *state);

/* Prepare the machine for the batch's packet. False: memory is out. */
bool tn_row_prepare(struct tn_row_state *state, const struct tn_batch *batch);

/* Find the end of the row's header, with a machine that is prepared for the packet. False: the header cannot be decoded. */
static inline bool
tn_row_after_prepared(struct tn_row_state *s)
{
	const struct tn_batch *b = s->batch;

	if (s->behind == TN_BEHIND_UNKNOWN)
		s->behind = tn_reach_after_header(&s->m, b->stream->stream_class->plan,
						   b->base_bit + b->refs.item[s->row].bit) ? TN_BEHIND_KNOWN
											   : TN_BEHIND_FAILED;
	return s->behind == TN_BEHIND_KNOWN;
}

/* Find the end of the row's header, and prepare the machine if necessary. */
static inline bool
tn_row_after(struct tn_row_state *s)
{
	if (s->behind != TN_BEHIND_UNKNOWN)
		return s->behind == TN_BEHIND_KNOWN;
	return tn_row_prepare(s, s->batch) && tn_row_after_prepared(s);
}

/* Move the state to this row, which is an event. */
static inline void
tn_row_at(struct tn_row_state *state, const struct tn_batch *batch, size_t row)
{
	state->batch = batch;
	state->row = row;
	state->behind = TN_BEHIND_UNKNOWN;
	state->read = 0;
	state->only = NULL;
}

/* Note that the row, an event, is read for a difference of times. If the row ends its packet, the next packet can use it. */
static inline void
tn_row_note_end(struct tn_row_state *s, const struct tn_batch *b, size_t row, int64_t ns)
{
	if (row + 1 == b->refs.n && b->last)
		s->ended[b->stream->rank % TN_PACKET_ENDS] = (struct tn_packet_end) { b->stream, b->packet, ns };
}

/* ---- references ---- */

/* How a field is reached in the events of one class. */
enum tn_place_way {
	TN_PLACE_NONE,		/* events of the class do not have it */
	TN_PLACE_CONSTANT,	/* all events have the same value, in `cell` */
	TN_PLACE_FIXED,		/* the field has a fixed distance from the end of the header */
	TN_PLACE_WALK,		/* a code of the machine reaches the field */
	TN_PLACE_PACKET,		/* the field is in a scope of the packet */
	TN_PLACE_VALUES,		/* the value is among the decoded values */
	TN_PLACE_ROW,		/* the name is an attribute that is not a field */
	TN_PLACE_SYMBOL,	/* the value is the name of the function at `address` */
	TN_PLACE_MARKER		/* the value is a part of the marker in the text at `address` */
};

struct tn_place {
	enum tn_place_way way;
	struct tn_cell cell;
	struct tn_reach reach;
	const struct tn_field *field;	/* the field that `reach` loads */
	unsigned scopes;
	const struct tn_target *target;	/* the fields of this class that the name can mean */
	size_t n_targets;
	struct tn_target own;		/* the target, if the attribute is a field */
	const struct tn_place *address;	/* for TN_PLACE_SYMBOL and TN_PLACE_MARKER */
};

struct tn_reference {
	struct tn_meaning meaning;
	const struct tn_names *names;
	struct tn_arena arena;
	pthread_mutex_t lock;		/* protects the arena while places are made */
	_Atomic(struct tn_place *) *place;	/* by tn_names_class() */
	/* For "symbol(NAME)": the meaning is that of NAME, and the value is an address in the process. Otherwise NULL. */
	const struct tn_functions *functions;
	struct tn_reference *process;
};

/*
 * @names must outlive the reference. @among: as in tn_names_resolve(). TN_ERR_ARGUMENT: the name is unknown or ambiguous.
 * "symbol(NAME)" is the name of the function at the address NAME, or "" if it is unknown. TN_ERR_NOT_FOUND: no functions
 * are known.
 */
enum tn_code tn_reference_init(struct tn_reference *out, const struct tn_names *names, const char *name,
			       const uint8_t *among, struct tn_error *err) TN_MUST_CHECK;
void tn_reference_release(struct tn_reference *reference);

/* How to get the value in events of a class. NULL: memory is out, or the class was added later. */
const struct tn_place *tn_reference_place(const struct tn_reference *reference, size_t class);

/* Get the cell of the state's row. A name with "[*]" can have several cells; this is the first. */
enum tn_code tn_reference_get(const struct tn_reference *reference, struct tn_row_state *state, struct tn_cell *out,
			      struct tn_error *err) TN_MUST_CHECK;

/*
 * Call @each for each cell, until it returns false. *there: the event has the field, even if it has no elements; @there
 * may be NULL.
 */
enum tn_code tn_reference_each(const struct tn_reference *reference, struct tn_row_state *state,
			       bool (*each)(void *user, const struct tn_cell *cell), void *user, bool *there,
			       struct tn_error *err) TN_MUST_CHECK;

/* Like tn_reference_each(), with a place that was found before. */
enum tn_code tn_place_get(const struct tn_reference *reference, const struct tn_place *place,
			  struct tn_row_state *state, struct tn_cell *out, struct tn_error *err) TN_MUST_CHECK;

/* ---- cells ---- */

/* The first label of an enumeration's value; NULL: no label. */
const char *tn_cell_label(const struct tn_cell *cell);

#endif
