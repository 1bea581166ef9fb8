/*
 * session.h - what all views look at: the traces, where the user is, how things are shown
 *
 * One struct, owned by the app. Views read it; they change only what its comments say they may.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <tnav/answer.h>

#include "browse.h"
#include "cli/loss_summary.h"
#include "gettext.h"
#include "job.h"
#include "problems.h"
#include "screen/style.h"
#include "tally.h"

/* AUTO: the user's place in each trace is kept, and offered when the trace is opened again. ON: it is restored. */
enum keep_session { SESSION_AUTO, SESSION_ON, SESSION_OFF };

enum delta_kind { DELTA_SHOWN, DELTA_STREAM, DELTA_TYPE, DELTA_ORIGIN, DELTA_OFF, DELTA_KINDS };

enum column_kind {
	COLUMN_TIME, COLUMN_DELTA, COLUMN_ORIGIN, COLUMN_NAME, COLUMN_FIELDS,
	COLUMN_PAYLOAD, COLUMN_CONTEXT, COLUMN_HOST, COLUMN_TRACE, COLUMN_STREAM, COLUMN_PACKET, COLUMN_LEVEL,
	COLUMN_DURATION,
	COLUMN_FIELD,		/* settings.field[0], and so on */
	COLUMN_KINDS = COLUMN_FIELD + QUERY_FIELDS
};

struct column {
	enum column_kind kind;
	bool on, pinned;
	int width;		/* given by the user; 0: as wide as what was shown */
	int seen;		/* widest that was shown */
	bool filled;		/* a column of a field: an event that was shown has the field */
};

/* Names of fields that mean the same, apart by blanks; "": a free row. */
#define SAME_ROWS 16
#define SAME_TEXT 200
struct same {
	char names[SAME_TEXT];
};

struct settings {
	struct tn_text_options text;
	enum delta_kind delta;
	bool since_origin;	/* times are shown as differences from `origin_ns` */
	int64_t origin_ns;
	int64_t gap_ns;		/* ]g stops at a longer time between events */
	bool readable;		/* values as people read them; else as babeltrace2 prints them */
	bool header;		/* a heading above the columns */
	bool strip;		/* a strip below it: the number of events over time */
	bool exact;		/* all digits of deltas */
	bool columns_chosen;	/* the user chose the columns, not fit_columns() */
	bool wrap;
	bool losses;		/* rows of losses and damage are shown */
	bool color;
	enum background background;
	bool ignore_case;	/* for searches */
	bool history;		/* lines that the user types are kept for the next run */
	enum keep_session session;	/* the user's place in each trace is kept, too */
	bool cursor;		/* the terminal's cursor is at what is selected */
	bool mouse;		/* the terminal reports the mouse; Shift then selects text */
	int context;		/* events shown around a match of the filter */
	struct column column[COLUMN_KINDS];	/* in their order */
	struct same same[SAME_ROWS];
	char addresses[SAME_TEXT];	/* fields that are addresses, beside the usual ones; apart by commas */
	struct color_rule rule[COLOR_RULES];	/* the first rule that an event passes gives its colour */
	char field[QUERY_FIELDS][FIELD_PATH];	/* fields of the columns: full names, or attributes; "": free */
};

/* A place the user wants to find again. */
struct bookmark {
	struct tn_location at;
	int64_t time_ns;
	char letter;		/* a mark; 0: a bookmark */
	char *note;		/* NULL: none */
	char *text;		/* name of the event, safe */
};

#define MESSAGE_SIZE 1200

/*
 * Wishes that the parts of the browser leave for the app: the parts know neither each other nor the views. The app
 * fulfils the wishes after each key and once a turn, when the parts are done.
 */
struct line;
struct reopened;
struct wish {
	bool redraw;
	struct reopened *opened;	/* traces to show in place of these */
	bool looked;		/* the event is ready: the code that waits for it may continue */
	bool go;		/* go to `place`, and remember the place before */
	struct place place;
	enum align align;
	unsigned since;		/* `views_opened` at the time of that wish: views opened later stay open */
	bool refresh;		/* other rows pass, or their look changed: fetch them again */
	bool recount;		/* the number of events has changed */
	bool hits;		/* another search: count its hits */
	bool requery;		/* the look of times or columns changed: make the query again */
	bool first_column;	/* a column was added: scroll to the first column */
	char *picture;		/* write the screen to this file; owned */
	bool picture_over;	/* whether it replaces an existing file */
	bool session;		/* keep the session of this name, or continue from it */
	char session_name[64];
};

/* The kind of an answer: spans, groups of events or of spans. Texts are owned; NULL: the usual. */
enum answer_kind {
	ANSWER_SPANS, ANSWER_PAIRS, ANSWER_GROUPS, ANSWER_CHAIN, ANSWER_DIFF, ANSWER_WHY,
	ANSWER_LINES,	/* events of the other trace */
	ANSWER_SEQUENCE	/* `by`: the events */
};
/* Where the user left an answer, to come back to it. */
struct answer_place {
	bool some;
	struct tn_location begin, end;	/* the span the cursor was on */
	char *row;			/* the pair, or the condition of the group, under the cursor; NULL: a span */
	size_t sorted;			/* SIZE_MAX: the usual */
	bool nested, from_pairs;
};

struct answer_wish {
	enum answer_kind kind;
	char *spans;		/* a definition a line; NULL: none, pairs are proposed */
	char *by, *show, *where;
	const char *sort;	/* the column that groups are sorted by at first; NULL: the usual */
	struct answer_place left;	/* the user's place when leaving for an event */
	struct tn_location chain_at;	/* the span whose waits are asked for: its begin, */
	int64_t chain_begin_ns, chain_end_ns;
	int64_t chain_tid;		/* its thread; -1: the thread of the begin event */
	bool unfolded;			/* pairs without events are listed, too */
	char *other;			/* path of the other trace: DIFF compares with it, spans and lines are from it; NULL */
	struct bounds part[2];		/* DIFF without `other`: two ranges; the second without limits: the rest */
	char *why;			/* WHY: the condition of the selected spans, or events without `spans` */
	char *changes;			/* the kept definition that the next :span replaces; NULL */
};

/* One event read whole (whole_event.h). */
enum whole_event_state { WHOLE_EVENT_NONE, WHOLE_EVENT_WAIT, WHOLE_EVENT_READY, WHOLE_EVENT_FAILED };

struct whole_event {
	enum whole_event_state state;
	struct tn_location at;
	struct tn_cursor *cur;		/* WHOLE_EVENT_READY: a cursor on the row */
	struct tn_row row;
	const struct tn_event *event;	/* its values; NULL: a notice, or the event cannot be read */
	struct tn_error error;		/* the reason why `event` is missing */
	struct job *job;
};

#define NAMED_KEYS 16
/* The traces that are open, and what is known of all of them. */
struct traces {
	struct opened *opened;
	struct tn_set *set;		/* its set */
	struct tn_trace_offset *offset;	/* shifts of traces that the user has set */
	size_t n_offsets;
	struct bounds bounds;		/* bounds of existing rows: the range of the asks, up to settled_ns */
	int64_t settled_ns;		/* growing traces: all events up to this time have arrived */
	bool grows;			/* the set grows: tn_set_grow() takes in new data */
	bool unpacks;			/* archives are being unpacked: no events are counted, existing ones are shown */
	uint64_t late;			/* packets that arrived late */
	bool indexed;			/* all packets are known */
	bool ranged;			/* tnav has searched for the times when they begin and end */
	bool has_range;			/* begin and end of the traces are known */
	int64_t begin_ns, end_ns;
	bool counted;			/* `events` is known */
	uint64_t events;
	struct loss lost;		/* losses by the tracers, in `loss_places` places; `damages`: damaged places */
	uint64_t loss_places, damages;
	char **origin;			/* a short label of each stream, safe; by rank */
	struct tn_nicknames *names;	/* session_nicknames() */
	struct job *gathering;
	struct {
		char name[FIELD_PATH];
		bool has_names;
	} key[NAMED_KEYS];		/* keys that views asked about last; of the same set */
	unsigned keys;			/* the number of names that views asked about */
	const struct tn_set *named_keys_of;
	const struct tn_set *named;	/* the set of `names`, */
	int64_t named_until_ns;		/* and its settled_ns when they were gathered */
};

/* Columns that keep their width: the width of the widest text. */
struct widths {
	int origin_width, name_width;
	size_t name_prefix_size;	/* bytes that all names begin with, "shop:"; without them: */
	int short_name_width;
	char time_prefix[32];		/* the text that all times as shown begin with, "13:46:" */
	size_t time_prefix_size;
};

/* The user's questions to the traces: a range, filters, a search. */
struct asks {
	struct bounds range;		/* the range that the user wants */
	struct query *query;		/* the look of the rows, and which rows pass */
	struct condition *condition;	/* filters, oldest first */
	size_t n_conditions;
	unsigned changes;		/* number of changes of the conditions: views that count compare it */
	struct tally all, pass, found;	/* every event; what passes the filters, in the range; hits of the search */
	struct tn_regex *mark;		/* marks its matches on the screen; NULL: nothing */
	char *pattern;			/* last search; NULL: none yet */
	bool pattern_is_condition;	/* `pattern` is a condition, not a regular expression */
	const void *searched;		/* the view of the search; NULL: the events */
	bool backward;			/* direction of the search */
};

/* Where the user is, and the places to come back to. */
struct here {
	bool missed;			/* the search found nothing: the list shows a hint */
	bool show_hit;			/* the row to jump to is a hit: scroll it to the found text */
	bool has_row;			/* the user is on a row */
	struct tn_row row;		/* that row; row.text is not kept */
	struct tn_location row_last;	/* if the row stands for several: the last of them */
	struct tn_location shown_begin, shown_end;	/* first and last row on the screen */
	struct whole_event whole;	/* the last row that was read whole */
	char *focus_path;		/* chosen field of the event, "event.fields.a.b[2]"; NULL: none */
	char *focus_value;		/* its value in an expression; NULL: impossible */
	uint64_t focus_bit, focus_bits;	/* its bits in the packet */
	struct bookmark *bookmark;	/* in the order of time */
	size_t n_bookmarks;
	bool selecting;			/* a range is being selected, from: */
	struct tn_location select_from;
};

/* Questions about spans, groups and lanes. */
struct answer_asks {
	struct answer_wish wish;
	char *lanes;			/* the content of lanes; NULL: the usual */
	char *plot;			/* the number to plot; NULL: none yet */
	char *flame;			/* the spans to stack; NULL: the usual */
	char *followed;			/* the condition of the followed value; NULL: none */
	enum delta_kind delta_before;	/* former value of settings.delta */
	bool has_part;			/* X took the first of two ranges: */
	struct bounds part;
	struct opened *other;		/* the other trace of a comparison, from this path; NULL; owned */
	char *other_path;
	struct nesting *nesting;	/* spans of the rows (nesting.h); NULL */
	bool asks_anew;			/* the next view of answers is opened anew */
	/* A command is about this table, as options for the shell; "": about no table; NULL: events. Owned. */
	char *table;
	char *table_end;	/* the rest of its options, after the traces; NULL; owned */
};

struct session {
	const struct browse_options *options;
	struct traces traces;
	struct settings settings;
	struct widths widths;
	struct asks asks;
	struct here here;
	struct answer_asks answers;
	struct jobs jobs;
	unsigned threads;
	bool utf8;			/* the terminal shows UTF-8 */
	int colors;			/* the number of its colours: 0, 8, 256 */
	struct wish wish;
	unsigned views_opened;		/* number of views that the user has opened so far */
	char *copy_text;		/* the text that the next `y` copies instead of events; owned; NULL */
	char message[MESSAGE_SIZE];	/* text of the last line; views set it with session_say() */
	bool message_is_error;
};

/*
 * The members that own something. Their releases leave them as if they were zeroed; what jobs use is released after
 * jobs_end().
 */
void asks_init(struct asks *asks, struct session *s);
void asks_release(struct asks *asks);
/* @set stays the caller's. */
bool traces_init(struct traces *traces, struct tn_set *set, bool grows);
void traces_release(struct traces *traces);
/* Begin and end of the traces within the bounds; they are known. */
void traces_times(const struct traces *traces, int64_t *begin_ns, int64_t *end_ns);
void traces_forget_labels(struct traces *traces);
void here_release(struct here *here);
void bookmarks_release(struct here *here);
void answer_wish_release(struct answer_wish *wish);	/* free its texts; `left` stays */
void answer_asks_release(struct answer_asks *answers);
void conditions_free(struct condition *condition, size_t n);
/* Copy conditions, with space for @more; NULL: memory is out. */
struct condition *conditions_copy(const struct condition *from, size_t n, size_t more);
void labels_free(char **label, size_t n);
void offsets_free(struct tn_trace_offset *offset, size_t n);

/*
 * Begin a job with the session's query. Takes @data over, also on failure: the result is then NULL, and the session
 * reports the reason.
 */
struct job *job_start(struct session *session, const struct job_class *class, void *data);
/* Begin a job with another query. */
struct job *job_ask(struct session *session, const struct job_class *class, void *data, struct query *query);

void session_go(struct session *s, const struct place *place, enum align align);
/* Go to a place that a job has found: views opened since the job began stay open. */
void job_go(const struct job *job, const struct place *place, enum align align);
/* Make a query with these conditions and the session's other settings. */
enum tn_code session_query(struct session *s, struct query **out, const struct condition *condition, size_t n,
			   struct tn_error *err) TN_MUST_CHECK;
void session_bound(struct session *s);	/* call it when the range or the settled time has changed */
void session_say(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void session_fail(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A time in the format of the settings; @cycles for the format of cycles. */
void session_time(const struct session *s, int64_t time_ns, uint64_t cycles, struct tn_str *out);
/* A path of the stream's files, below the trace's own path if it is there. */
const char *session_path_in_trace(const struct tn_stream *stream, const char *path);
int64_t session_offset(const struct session *s, const struct tn_trace *trace);	/* 0: its times are its own */
/* Add a time in that format to a line, not as a difference. */
void session_put_time(const struct session *s, struct line *out, unsigned style, int64_t time_ns);
/* Per mille of the time range; -1: not known. */
int session_permille(const struct session *s, int64_t time_ns);
/* A number with its thousands apart; returns @room. */
const char *number_text(uint64_t n, char room[32]);
/* Bytes for people: "129.4 MB". */
const char *size_text(uint64_t bytes, char room[32]);
/* A span of time in the unit that suits it: "1.234 ms". */
const char *span_text(int64_t ns, char room[32]);
/* A duration with its sign in at most six columns: "+1.84u"; @utf8: with the Greek letter. */
const char *span_short(int64_t ns, bool utf8, char room[32]);
/*
 * Names of threads and so on, for views that show their numbers; NULL: not known yet, a job gathers them, or there are
 * none. Borrowed until jobs finish.
 */
const struct tn_nicknames *session_nicknames(struct session *s);
/* Like tn_nicknames_of(), for each drawing: it remembers the result, as that function searches all event classes. */
bool session_has_nicknames(struct session *s, const char *key);
void session_time_prefix(struct session *s);	/* the format or the range of times has changed */

#endif
