/*
 * pieces.h - all rows of a set, a piece of a stream at a time, in several threads
 *
 * Pieces are consecutive packets of one stream. They are dealt out in the order of their begins, worked on
 * by any thread, and delivered in the order in which they were dealt out. Where a filter has to see lines,
 * rows come one after the other in the order of time, and pieces are mixed.
 */
#ifndef TN_SCAN_PIECES_H
#define TN_SCAN_PIECES_H

#include "scan/pack.h"
#include "language/field.h"
#include "scan/filter.h"

/* What a thread has to read with. */
struct tn_piece_reader {
	struct tn_row_state row;	/* values of the row it is at */
	struct tn_event event;	/* room for conditions */
	struct tn_filter_state filter;
	struct tn_words_out words;	/* the user's, to put a record together */
};

struct tn_piece {
	void *state;		/* of the user: one a slot */
	struct tn_stream *stream;	/* NULL: mixed, in the order of time */
	/* No row of the stream that comes in a later piece has an earlier key; `last`: there are none. */
	int64_t bound_ns;
	bool last;
};

struct tn_pieces_ops {
	void *(*make)(void *user);	/* state of a slot; NULL: memory is out */
	void (*release)(void *state);
	/* Rows [first, end) of a walked batch, all in the range. Any thread, one a state. */
	enum tn_code (*rows)(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *batch,
			     size_t first, size_t end, struct tn_error *err);
	/* In order; the state is empty behind it. TN_END: no more is wanted. */
	enum tn_code (*deliver)(void *user, struct tn_piece *piece, struct tn_error *err);
	bool all;	/* rows that do not pass the filter are looked at, too: packets without others are read */
	/* Each stream, before anything is delivered; the bound is that of its first packet. NULL: not wanted. */
	enum tn_code (*begin)(void *user, struct tn_stream *stream, int64_t bound_ns, bool empty, struct tn_error *err);
};

enum tn_code tn_pieces_run(struct tn_set *set, const struct tn_scan_options *options, const struct tn_pieces_ops *ops,
			   void *user, struct tn_error *err) TN_MUST_CHECK;

/* Whether the conditions on values let the row pass; lines were looked at before. */
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
