/*
 * window.h - neighbouring rows with their text, on the screen and around it
 *
 * Jobs find the rows, one in each direction, and window_take() adds the rows that they found. Without a filter, rows
 * usually arrive in a moment, for which the window waits; otherwise they arrive later. Rows are added and removed only at
 * the ends.
 *
 * Neighbouring losses are one row, and so are neighbouring damages, because no event is between them.
 *
 * Invariant: rows are in order, without a gap among those that match the filter.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "session.h"

enum piece { PIECE_NAME, PIECE_PACKET, PIECE_COMMON, PIECE_SPECIFIC, PIECE_PAYLOAD, PIECES };

/* The list does not keep text after this number of bytes; the details show it. */
#define ROW_TEXT_MAX 16384

struct event_row {
	struct tn_row row;
	char *text;		/* the pieces, safe for a terminal; all text of a notice is in PIECE_PAYLOAD */
	uint32_t end[PIECES];
	/* All notices that the row represents. */
	struct tn_location last;	/* place of the last notice; for an event, its own place */
	size_t places;
	uint64_t lost_events, lost_packets;
	bool lost_unknown;	/* the number of lost events is partly unknown */
	unsigned style;		/* style by the user's rules; 0: no rule matches */
	bool around;		/* the row does not match the filter, and is shown around a match */
	char *field;		/* values of the columns of fields, safe for a terminal; NULL: none */
	uint32_t field_end[QUERY_FIELDS];
	unsigned wanted;	/* a bit for each of these values that a job still has to find */
	bool has_delta;		/* the delta that depends on other rows is known */
	enum delta_kind delta_kind;
	int64_t delta_ns;
	bool delta_known;
	bool named;		/* the names of its addresses were requested */
};

struct fill;

struct window {
	struct session *session;
	struct event_row *row;
	size_t n, room;
	bool at_begin, at_end;	/* no row exists before the first, or after the last one */
	struct fill *fill[2];	/* running searches for rows: [0] backward, [1] forward */
	bool stopped[2];	/* the user or a failure has stopped the search */
	bool failed;		/* a failure has stopped a search, and was reported */
	bool changed;		/* the rows have changed since window_take() last returned true */
	size_t taken_before;	/* number of rows that a job added before row 0 */
	struct tn_cursor *cur;	/* lent to the job that reads rows */
	struct job *deltas;	/* computes deltas that need rows outside of the window */
	struct job *names;	/* finds names of addresses */
	struct job *attributes;	/* finds values that are not in the rows */
};

void window_init(struct window *w, struct session *s);
void window_release(struct window *w);

/* Forget all rows, and get at most @n rows on each side of a place. */
void window_start(struct window *w, const struct place *place, size_t n);
/* Get at most @n more rows at one end. Returns the number that arrived at once (backward: before row 0); without @wait, 0. */
size_t window_more(struct window *w, bool forward, size_t n, bool wait);
/* Add the rows that jobs have found. *before: number of rows added before row 0. Returns whether anything has changed. */
bool window_take(struct window *w, size_t *before);
/* Whether a job is searching for rows in this direction. */
bool window_looking(const struct window *w, bool forward);
/* Stop searching for rows. Rows that were found stay. */
void window_stop(struct window *w);
/* After a stop or a failure: allow window_more() to search again. */
void window_resume(struct window *w);
/* Keep only rows [from, to). */
void window_trim(struct window *w, size_t from, size_t to);

/* The index of the row that contains @at, or of the first row after it; w->n: there is none. */
size_t window_find(const struct window *w, const struct tn_location *at);

/*
 * Let a job compute the deltas of rows [from, to), to the previous event of the stream or of the class, as the settings
 * require.
 */
void window_deltas(struct window *w, size_t from, size_t to);
/* Let a job find those attributes of rows [from, to) that are not fields, such as the running thread. */
void window_attributes(struct window *w, size_t from, size_t to);
/* Let a job find the names of the addresses in rows [from, to). */
void window_names(struct window *w, size_t from, size_t to);
/* Note for which columns of fields rows [from, to) have values. */
void window_note_columns(const struct window *w, size_t from, size_t to);
void event_row_set_field(struct event_row *r, size_t field, const char *text);	/* NULL: the row does not have the field */
/* Add the losses of @b to those of its neighbour @a. False: @a and @b are not both losses. */
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
