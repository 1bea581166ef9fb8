/*
 * session.h - the data of all views: the traces, the place of the user, and the settings
 *
 * One structure, which the app owns. Views read it, and change only the members whose comments allow this.
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

/* Whether the user's place in each trace is kept. AUTO: it is offered when the trace is opened again. ON: it is restored. */
enum keep_session { SESSION_AUTO, SESSION_ON, SESSION_OFF };

enum delta_kind { DELTA_SHOWN, DELTA_STREAM, DELTA_TYPE, DELTA_ORIGIN, DELTA_OFF, DELTA_KINDS };

enum column_kind {
	COLUMN_TIME, COLUMN_DELTA, COLUMN_ORIGIN, COLUMN_NAME, COLUMN_FIELDS,
	COLUMN_PAYLOAD, COLUMN_CONTEXT, COLUMN_HOST, COLUMN_TRACE, COLUMN_STREAM, COLUMN_PACKET, COLUMN_LEVEL,
	COLUMN_DURATION,
	COLUMN_FIELD,		/* a field: settings.field[0] and following */
	COLUMN_KINDS = COLUMN_FIELD + QUERY_FIELDS
};

struct column {
	enum column_kind kind;
	bool on, pinned;
	int width;		/* set by the user; 0: the width of the widest text */
	int seen;		/* width of the widest text shown */
	bool filled;		/* column of a field: a shown event has had the field */
};

/* Names of fields that mean the same, with blanks between them; "": a free row. */
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
	int64_t gap_ns;		/* ]g stops at a longer time between two events */
	bool readable;		/* values are in readable form; otherwise as babeltrace2 prints them */
	bool header;		/* a heading is above the columns */
	bool strip;		/* a strip is below the heading: the number of events over time */
	bool exact;		/* deltas are shown with all digits */
	bool columns_chosen;	/* the user has chosen the columns, not fit_columns() */
	bool wrap;
	bool losses;		/* rows of losses and damage are shown */
	bool color;
	enum background background;
	bool ignore_case;	/* searches ignore case */
	bool history;		/* typed lines are kept for the next run */
	enum keep_session session;	/* whether the user's place in each trace is also kept */
	bool cursor;		/* the terminal's cursor is put on the selected line */
	bool mouse;		/* the terminal reports the mouse; with Shift it selects text */
	int context;		/* number of events that are shown around an event that matches the filter */
	struct column column[COLUMN_KINDS];	/* in the order on the screen */
	struct same same[SAME_ROWS];
	char addresses[SAME_TEXT];	/* fields that are addresses, in addition to the usual ones; with commas between them */
	struct color_rule rule[COLOR_RULES];	/* the first rule that an event matches gives its colour */
	char field[QUERY_FIELDS][FIELD_PATH];	/* fields of columns: full names, or attributes; "": free */
};

/* A place that the user has marked. */
struct bookmark {
	struct tn_location at;
	int64_t time_ns;
	char letter;		/* the letter of a mark; 0: a bookmark */
	char *note;		/* NULL: none */
	char *text;		/* safe name of the event */
};

#define MESSAGE_SIZE 1200

/*
 * Wishes that parts of the browser leave for the app, because the parts know neither each other nor the views. The app
 * fulfils the wishes after each key and once in each turn, when the parts have ended.
 */
struct line;
struct reopened;
struct wish {
	bool redraw;
	struct reopened *opened;	/* traces to show in place of the open ones */
	bool looked;		/* the event is ready: the code that waits for it may continue */
	bool go;		/* go to `place`, and keep the former place for returning */
	struct place place;
	enum align align;
	unsigned since;		/* `views_opened` when the wish was made: views that were opened later stay open */
	bool refresh;		/* other rows match, or their form has changed: get them again */
	bool recount;		/* the number of events has changed */
	bool hits;		/* there is another search: count its hits */
	bool requery;		/* the form of times or columns has changed: make the query again */
	bool first_column;	/* a column was added: scroll to the first column */
	char *picture;		/* write the screen to this file; owned */
	bool picture_over;	/* an existing file may be replaced */
	bool session;		/* keep the session with this name, or continue from it */
	char session_name[64];
};

/* The subject of an answer. Texts are owned; NULL: the usual. */
enum answer_kind {
	ANSWER_SPANS, ANSWER_PAIRS, ANSWER_GROUPS, ANSWER_CHAIN, ANSWER_DIFF, ANSWER_WHY,
	ANSWER_LINES,	/* events of the other trace */
	ANSWER_SEQUENCE	/* aligned events, selected by `by` */
};
/* Where the user was in an answer, to return there. */
struct answer_place {
	bool some;
	struct tn_location begin, end;	/* the span at the cursor */
	char *row;			/* the pair at the cursor, or the condition of the group; NULL: a span */
	size_t sorted;			/* column that sorts; SIZE_MAX: the usual one */
	bool nested, from_pairs;
};

struct answer_wish {
	enum answer_kind kind;
	char *spans;		/* one definition in each line; NULL: none, so pairs are proposed */
	char *by, *show, *where;
	const char *sort;	/* the column that sorts groups at first; NULL: the usual one */
	struct answer_place left;	/* the place of the user when leaving for an event */
	struct tn_location chain_at;	/* begin of the span whose waits are to be explained */
	int64_t chain_begin_ns, chain_end_ns;
	int64_t chain_tid;		/* its thread; -1: the thread of the begin event */
	bool unfolded;			/* pairs without events are listed, too */
	char *other;			/* path of the other trace: DIFF compares with it, spans and lines are from it; NULL */
	struct bounds part[2];		/* DIFF without `other`: two ranges; the second without limits: the rest */
	char *why;			/* for WHY: the condition that selects spans, or without `spans`, events */
	char *changes;			/* the kept definition that the next :span replaces; NULL: none */
};

/* An event with all its values (whole_event.h). */
enum whole_event_state { WHOLE_EVENT_NONE, WHOLE_EVENT_WAIT, WHOLE_EVENT_READY, WHOLE_EVENT_FAILED };

struct whole_event {
	enum whole_event_state state;
	struct tn_location at;
	struct tn_cursor *cur;		/* if WHOLE_EVENT_READY: a cursor on the row */
	struct tn_row row;
	const struct tn_event *event;	/* its values; NULL: the row is a notice, or the event cannot be read */
	struct tn_error error;		/* the reason why `event` is NULL */
	struct job *job;
};

#define NAMED_KEYS 16
/* The open traces, and facts about all of them. */
struct traces {
	struct opened *opened;
	struct tn_set *set;		/* the set of `opened` */
	struct tn_trace_offset *offset;	/* shifts of traces that the user has set */
	size_t n_offsets;
	struct bounds bounds;		/* bounds of shown rows: the range of the asks, up to settled_ns */
	int64_t settled_ns;		/* growing traces: all events up to this time have arrived */
	bool grows;			/* the set grows: tn_set_grow() adds new data */
	bool unpacks;			/* archives are being unpacked: available events are shown, but not counted */
	uint64_t late;			/* packets that arrived late */
	bool indexed;			/* all packets are known */
	bool ranged;			/* the search for begin and end of the traces has ended */
	bool has_range;			/* begin and end of the traces are known */
	int64_t begin_ns, end_ns;
	bool counted;			/* `events` is known */
	uint64_t events;
	struct loss lost;		/* losses by the tracers, in `loss_places` places; number of damaged places */
	uint64_t loss_places, damages;
	char **origin;			/* a short safe label of each stream, by rank */
	struct tn_nicknames *names;	/* result of session_nicknames() */
	struct job *gathering;
	struct {
		char name[FIELD_PATH];
		bool has_names;
	} key[NAMED_KEYS];		/* keys about which views asked last, for the same names */
	unsigned keys;			/* number of keys about which views asked */
	const struct tn_set *named_keys_of;
	const struct tn_set *named;	/* the set that `names` are for */
	int64_t named_until_ns;		/* its settled_ns when the names were collected */
};

/* Columns whose width is that of the widest text. */
struct widths {
	int origin_width, name_width;
	size_t name_prefix_size;	/* size of the text with which all names begin, such as "shop:"; it is left out: */
	int short_name_width;
	char time_prefix[32];		/* the text with which all shown times begin, such as "13:46:" */
	size_t time_prefix_size;
};

/* The user's questions about the traces: range, filters, search. */
struct asks {
	struct bounds range;		/* the range that the user has set */
	struct query *query;		/* form of the rows, and which rows match */
	struct condition *condition;	/* the filters, the oldest first */
	size_t n_conditions;
	unsigned changes;		/* number of changes of the conditions, by which views that count detect a change */
	struct tally all, pass, found;	/* counts of all events, of matching events in the range, of hits of the search */
	struct tn_regex *mark;		/* its matches are marked on the screen; NULL: none */
	char *pattern;			/* pattern of the last search; NULL: no search yet */
	bool pattern_is_condition;	/* `pattern` is a condition, not a regular expression */
	const void *searched;		/* the view that is searched; NULL: the events */
	bool backward;			/* direction of the search */
};

/* Where the user is, and marked places. */
struct here {
	bool missed;			/* the search found nothing, and the list shows a hint */
	bool show_hit;			/* the target of the jump is a hit: scroll to the text that was found */
	bool has_row;			/* the cursor is on a row */
	struct tn_row row;		/* this row; row.text is not valid */
	struct tn_location row_last;	/* if the row represents several notices: the last one */
	struct tn_location shown_begin, shown_end;	/* first and last row on the screen */
	struct whole_event whole;	/* the row whose values were read last */
	char *focus_path;		/* path of the selected field of the event, "event.fields.a.b[2]"; NULL: none */
	char *focus_value;		/* its value in the form of a condition; NULL: impossible */
	uint64_t focus_bit, focus_bits;	/* position and number of its bits in the packet */
	struct bookmark *bookmark;	/* in the order of time */
	size_t n_bookmarks;
	bool selecting;			/* a range is being selected, from this time: */
	struct tn_location select_from;
};

/* The user's questions about spans, groups and lanes. */
struct answer_asks {
	struct answer_wish wish;
	char *lanes;			/* definition of lanes; NULL: the usual one */
	char *plot;			/* the number to plot; NULL: none yet */
	char *flame;			/* the spans to stack; NULL: the usual ones */
	char *followed;			/* the condition for the followed value; NULL: none */
	enum delta_kind delta_before;	/* settings.delta before the value was followed */
	bool has_part;			/* X has selected the first of two ranges: */
	struct bounds part;
	struct opened *other;		/* the other trace of a comparison, opened from this path; owned; NULL: none */
	char *other_path;
	struct nesting *nesting;	/* spans of the rows (nesting.h); NULL: none */
	bool asks_anew;			/* the next view of answers is opened again */
	/* The options of the shell command for the current table; "": no table; NULL: the events. Owned. */
	char *table;
	char *table_end;	/* the options that follow the traces; owned; NULL: none */
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
	int colors;			/* number of its colours: 0, 8 or 256 */
	struct wish wish;
	unsigned views_opened;		/* number of views that the user has opened so far */
	char *copy_text;		/* text that the next `y` copies in place of events; owned; NULL: none */
	char message[MESSAGE_SIZE];	/* text of the last line, which views set with session_say() */
	bool message_is_error;
};

/*
 * The members that own memory. Their release functions leave them zeroed. Memory that jobs use is released after
 * jobs_end().
 */
void asks_init(struct asks *asks, struct session *s);
void asks_release(struct asks *asks);
/* The caller keeps ownership of @set. */
bool traces_init(struct traces *traces, struct tn_set *set, bool grows);
void traces_release(struct traces *traces);
/* Begin and end of the traces inside of the bounds. Both must be known. */
void traces_times(const struct traces *traces, int64_t *begin_ns, int64_t *end_ns);
void traces_forget_labels(struct traces *traces);
void here_release(struct here *here);
void bookmarks_release(struct here *here);
void answer_wish_release(struct answer_wish *wish);	/* frees its texts, but not those of `left` */
void answer_asks_release(struct answer_asks *answers);
void conditions_free(struct condition *condition, size_t n);
/* Copy conditions, with space for @more others. NULL: memory is out. */
struct condition *conditions_copy(const struct condition *from, size_t n, size_t more);
void labels_free(char **label, size_t n);
void offsets_free(struct tn_trace_offset *offset, size_t n);

/*
 * Begin a job with the session's query. Takes ownership of @data, even if this fails; then the result is NULL, and the
 * session reports the reason.
 */
struct job *job_start(struct session *session, const struct job_class *class, void *data);
/* Begin a job with another query. */
struct job *job_ask(struct session *session, const struct job_class *class, void *data, struct query *query);

void session_go(struct session *s, const struct place *place, enum align align);
/* Go to a place that a job has found. Views that were opened since the job began stay open. */
void job_go(const struct job *job, const struct place *place, enum align align);
/* Make a query with these conditions and with the session's other settings. */
enum tn_code session_query(struct session *s, struct query **out, const struct condition *condition, size_t n,
			   struct tn_error *err) TN_MUST_CHECK;
void session_bound(struct session *s);	/* call it when the range or the settled time has changed */
void session_say(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void session_fail(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write a time in the format of the settings; @cycles: for the format of cycles. */
void session_time(const struct session *s, int64_t time_ns, uint64_t cycles, struct tn_str *out);
/* The path of the stream's file, without the path of the trace if it begins with that. */
const char *session_path_in_trace(const struct tn_stream *stream, const char *path);
int64_t session_offset(const struct session *s, const struct tn_trace *trace);	/* 0: the times are not shifted */
/* Add a time in the format of the settings, but not as a difference. */
void session_put_time(const struct session *s, struct line *out, unsigned style, int64_t time_ns);
/* Position in the time range, per mille; -1: unknown. */
int session_permille(const struct session *s, int64_t time_ns);
/* A number with its thousands separated. Returns @room. */
const char *number_text(uint64_t n, char room[32]);
/* A size in readable form: "129.4 MB". */
const char *size_text(uint64_t bytes, char room[32]);
/* A duration in a suitable unit: "1.234 ms". */
const char *span_text(int64_t ns, char room[32]);
/* A duration with its sign, in at most six columns: "+1.84u". @utf8: with the Greek letter. */
const char *span_short(int64_t ns, bool utf8, char room[32]);
/*
 * Names of threads and other numbers, for views that show these numbers. NULL: not known yet, because a job is collecting
 * them, or there are none. Borrowed until jobs finish.
 */
const struct tn_nicknames *session_nicknames(struct session *s);
/* Like tn_nicknames_of(), for use in drawing: caches the result, because that function searches all event classes. */
bool session_has_nicknames(struct session *s, const char *key);
void session_time_prefix(struct session *s);	/* call it when the format or the range of times has changed */

#endif
