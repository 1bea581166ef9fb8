/*
 * window.h - a run of neighbouring rows with their text: what is on the screen and around it
 *
 * Rows come from jobs, one in each direction, and window_take() moves what they found. Without a filter
 * they are there within a moment, which is waited for; where they are not, they come later as well.
 * Rows come and go only at the ends.
 *
 * Neighbouring losses are one row, and so are neighbouring damages: there is nothing between them.
 *
 * Invariant: rows are in order, without a gap among those that pass the filter.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "session.h"

enum piece { PIECE_NAME, PIECE_PACKET, PIECE_COMMON, PIECE_SPECIFIC, PIECE_PAYLOAD, PIECES };

/* Text after this number of bytes is not kept for the list: the details show it. */
#define ROW_TEXT_MAX 16384

struct event_row {
	struct tn_row row;
	char *text;		/* the pieces one after the other, safe; all text of a notice is in PIECE_PAYLOAD */
	uint32_t end[PIECES];
	/* All notices that the row stands for. */
	struct tn_location last;	/* place of the last one; for an event, its own place */
	size_t places;
	uint64_t lost_events, lost_packets;
	bool lost_unknown;	/* the number of some lost events is unknown */
	unsigned style;		/* style of the user's rules; 0: no rule applies */
	bool around;		/* the row is shown around a match and does not pass the filter */
	char *field;		/* values of the columns of fields one after the other, safe; NULL: none */
	uint32_t field_end[QUERY_FIELDS];
	unsigned wanted;	/* a bit for each of these values that a job has yet to find */
	bool has_delta;		/* a delta that depends on other rows is computed */
	enum delta_kind delta_kind;
	int64_t delta_ns;
	bool delta_known;
	bool named;		/* names of its addresses were asked for */
};

struct fill;

struct window {
	struct session *session;
	struct event_row *row;
	size_t n, room;
	bool at_begin, at_end;	/* there is no row before the first, after the last */
	struct fill *fill[2];	/* running searches for rows: [0] backward, [1] forward */
	bool stopped[2];	/* stopped by the user, or by a failure */
	bool failed;		/* stopped by a failure, which the message reports */
	bool changed;		/* the rows have changed since window_take() returned true */
	size_t taken_before;	/* rows that came in front of row 0 when a job ended */
	struct tn_cursor *cur;	/* lent to the job that reads rows */
	struct job *deltas;	/* computes times to rows that are not in the window */
	struct job *names;	/* finds names of addresses */
	struct job *attributes;	/* finds values that are not in the rows themselves */
};

void window_init(struct window *w, struct session *s);
void window_release(struct window *w);

/* Forget all rows and get up to @n on either side of a place. */
void window_start(struct window *w, const struct place *place, size_t n);
/* Get up to @n more rows at one end; returns the number that came at once (backward: before row 0), 0 without @wait. */
size_t window_more(struct window *w, bool forward, size_t n, bool wait);
/* Takes the rows that the jobs found; *before rows came in front of row 0. True when anything changed. */
bool window_take(struct window *w, size_t *before);
/* Whether a job looks for rows in this direction. */
bool window_looking(const struct window *w, bool forward);
/* Stop looking for rows; found rows stay. */
void window_stop(struct window *w);
/* After a stop or a failure: let window_more() look again. */
void window_resume(struct window *w);
/* Keep rows [from, to) only. */
void window_trim(struct window *w, size_t from, size_t to);

/* Number of the row that holds @at, or of the first one after it; w->n when there is none. */
size_t window_find(const struct window *w, const struct tn_location *at);

/* Compute, soon, the deltas of rows [from, to): to the event before in the stream or of the class, by the settings. */
void window_deltas(struct window *w, size_t from, size_t to);
/* Find, soon, the attributes of rows [from, to) that are not fields, such as the running thread. */
void window_attributes(struct window *w, size_t from, size_t to);
/* Find, soon, the names of the addresses in rows [from, to). */
void window_names(struct window *w, size_t from, size_t to);
/* Note which columns of fields rows [from, to) fill. */
void window_note_columns(const struct window *w, size_t from, size_t to);
void event_row_set_field(struct event_row *r, size_t field, const char *text);	/* NULL: the row does not have it */
/* Add the losses of @b to those of its neighbour @a. False: @a, @b or both are not losses. */
bool event_row_fold(struct event_row *a, struct event_row *b, bool b_is_after);

/* Make a row from the cursor's row. False: memory is out, or the event cannot be read; *err has the reason. */
bool event_row_make(struct event_row *out, struct tn_cursor *cur, const struct query *q, struct tn_error *err);
void event_row_release(struct event_row *r);
static inline const char *
event_row_piece(const struct event_row *r, enum piece piece, size_t *n)
{
	uint32_t from = piece ? r->end[piece - 1] : 0;

	*n = r->end[piece] - from;
	return r->text ? r->text + from : "";
}

#endif
