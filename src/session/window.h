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
	char *text;		/* the pieces one after the other, safe; a notice has it all in PIECE_PAYLOAD */
	uint32_t end[PIECES];
	/* Of notices: all that the row stands for. */
	struct tn_location last;	/* the last of them; of an event its own place */
	size_t places;
	uint64_t lost_events, lost_packets;
	bool lost_unknown;	/* of some nobody knows how many */
	unsigned style;		/* by the user's rules; 0: none says */
	bool around;		/* shown around a match, no match itself */
	char *field;		/* values of the columns of fields one after the other, safe; NULL: none */
	uint32_t field_end[QUERY_FIELDS];
	unsigned wanted;	/* a bit for each of these that a job has yet to find */
	bool has_delta;		/* of the kinds that look at other rows, once computed */
	enum delta_kind delta_kind;
	int64_t delta_ns;
	bool delta_known;
	bool named;		/* its addresses were asked for names */
};

struct fill;

struct window {
	struct session *session;
	struct event_row *row;
	size_t n, room;
	bool at_begin, at_end;	/* there is no row before the first, after the last */
	struct fill *fill[2];	/* looking: [0] backward, [1] forward */
	bool stopped[2];	/* by the user, or by a failure */
	bool failed;		/* it was a failure, and the message says which */
	bool changed;		/* since window_take() said so */
	size_t taken_before;	/* rows that came in front when a job ended */
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
/* A job is looking in this direction. */
bool window_looking(const struct window *w, bool forward);
/* Stop looking; what was found stays. */
void window_stop(struct window *w);
/* After it was stopped, or failed: window_more() looks again. */
void window_resume(struct window *w);
/* Keep rows [from, to) only. */
void window_trim(struct window *w, size_t from, size_t to);

/* Number of the row that holds @at, or of the first one after it; w->n when there is none. */
size_t window_find(const struct window *w, const struct tn_location *at);

/* Times to the event before in the stream, or of the type, of rows [from, to), by the settings; soon. */
void window_deltas(struct window *w, size_t from, size_t to);
/* Values of attributes that are not fields of rows [from, to), such as the running thread; soon. */
void window_attributes(struct window *w, size_t from, size_t to);
/* Names of the addresses in rows [from, to); soon. */
void window_names(struct window *w, size_t from, size_t to);
/* Note which columns of fields rows [from, to) fill. */
void window_note_columns(const struct window *w, size_t from, size_t to);
void event_row_set_field(struct event_row *r, size_t field, const char *text);	/* NULL: the row does not have it */
/* Adds @b's losses to those of @a, which is next to it. False: @a, @b or both are not losses. */
bool event_row_fold(struct event_row *a, struct event_row *b, bool b_is_after);

/* One row from the cursor's. False when memory is out or it cannot be read: *err says. */
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
