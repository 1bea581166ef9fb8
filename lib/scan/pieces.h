/*
 * pieces.h - all rows of a set, in pieces of a stream, with several threads
 *
 * A piece has successive packets of one stream. Pieces are made in the order of their start times, processed by any
 * thread, and delivered in the order in which they were made. If a filter must match lines, rows arrive one after another
 * in the order of time, and pieces are mixed.
 */
#ifndef TN_SCAN_PIECES_H
#define TN_SCAN_PIECES_H

#include "scan/pack.h"
#include "language/field.h"
#include "scan/filter.h"

/* A thread's state for reading. */
struct tn_piece_reader {
	struct tn_row_state row;	/* values of the current row */
	struct tn_event event;	/* memory for conditions */
	struct tn_filter_state filter;
	struct tn_words_out words;	/* the user's, to build a record */
	void *own;		/* the user's, NULL at first; freed with free() */
};

struct tn_piece {
	void *state;		/* the user's: one for each slot */
	struct tn_stream *stream;	/* NULL: the piece is mixed, in the order of time */
	/* Lower bound of the keys of the stream in later pieces. `last`: there is no later piece. */
	int64_t bound_ns;
	bool last;
};

struct tn_pieces_ops {
	void *(*make)(void *user);	/* makes the state of a slot; NULL: memory is out */
	void (*release)(void *state);
	/*
	 * Process rows [first, end) of a walked batch, which all are in the range. Any thread may call this, but only one
	 * for each state.
	 */
	enum tn_code (*rows)(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *batch,
			     size_t first, size_t end, struct tn_error *err);
	/* Called in order; must leave the state empty. TN_END: stop. */
	enum tn_code (*deliver)(void *user, struct tn_piece *piece, struct tn_error *err);
	bool all;	/* also report rows that do not match the filter, in packets with matching rows */
	/* Called for each stream before any delivery, with the bound of its first packet. NULL: not called. */
	enum tn_code (*begin)(void *user, struct tn_stream *stream, int64_t bound_ns, bool empty, struct tn_error *err);
};

enum tn_code tn_pieces_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_pieces_ops *ops,
			   void *user, struct tn_error *err) TN_MUST_CHECK;

/* Whether the row matches the conditions on values. Conditions on lines were tested before. */
static inline enum tn_code
tn_piece_passes(const struct tn_scan_options *o, struct tn_piece_reader *reader, const struct tn_batch *batch,
		size_t row, bool *pass, struct tn_error *err)
{
	*pass = true;
	if (!o->filter)
		return TN_OK;
	return tn_filter_match_values(o->filter, &reader->filter, batch, row, pass, err);
}

#endif
