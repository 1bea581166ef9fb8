/*
 * tnav/text.h - events as text: the line of babeltrace2, its parts, times
 *
 * Units      Times are int64_t nanoseconds.
 * Ownership  Functions append text to a string of the caller (tnav/str.h).
 * Threads    A struct tn_text is read-only: threads can share it, each with its own string and cursor.
 * States     object	state	may be called
 *            a text	open	every function that takes it, in several threads
 *            its set	grown	with TN_GREW_CLASSES: tn_text_free() only; a new text knows all classes
 *              		closed	nothing: free the text before
 * Source     the output of babeltrace2 2.0.4, byte for byte, where babeltrace2 can print it.
 */
#ifndef TNAV_TEXT_H
#define TNAV_TEXT_H

#include <tnav/cursor.h>
#include <tnav/str.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tn_time_format {
	TN_TIME_OF_DAY,		/* hh:mm:ss.nnnnnnnnn */
	TN_TIME_DATE,		/* YYYY-MM-DD hh:mm:ss.nnnnnnnnn */
	TN_TIME_SECONDS,	/* [-]s.nnnnnnnnn */
	TN_TIME_NS,		/* nanoseconds */
	TN_TIME_CYCLES		/* raw clock value, 20 digits */
};

/* Parts of a line that a program can select. */
enum {
	TN_FIELD_TRACE = 1 << 0, TN_FIELD_HOSTNAME = 1 << 1, TN_FIELD_DOMAIN = 1 << 2, TN_FIELD_PROCNAME = 1 << 3,
	TN_FIELD_VPID = 1 << 4, TN_FIELD_LOGLEVEL = 1 << 5, TN_FIELD_EMF = 1 << 6,
	TN_FIELDS_DEFAULT = TN_FIELD_HOSTNAME | TN_FIELD_PROCNAME | TN_FIELD_VPID,
	TN_FIELDS_ALL = 0x7f
};
enum {
	TN_NAMES_PAYLOAD = 1 << 0, TN_NAMES_CONTEXT = 1 << 1, TN_NAMES_HEADER = 1 << 2, TN_NAMES_SCOPE = 1 << 3,
	TN_NAMES_DEFAULT = TN_NAMES_PAYLOAD | TN_NAMES_CONTEXT,
	TN_NAMES_ALL = 0xf
};

/*
 * Formats of a line. CSV and JSON are records for other programs: the names of their values also work in filters
 * ("event.fields.a.b"). In JSON, a name with dots becomes nested objects; in CSV it is a column.
 */
enum tn_line_format { TN_LINE_TEXT, TN_LINE_CSV, TN_LINE_JSON };

struct tn_text_options {
	size_t size;		/* TN_TEXT_OPTIONS_DEFAULT sets it */
	enum tn_time_format time;	/* in records: the form of the member "time" */
	bool utc;		/* else the local zone (TZ) */
	bool no_delta;
	unsigned fields;	/* TN_FIELD_... */
	unsigned names;		/* TN_NAMES_... */
	bool color;
	enum tn_line_format format;
	/*
	 * CSV: the event classes that get columns, sorted by trace; borrowed for tn_text_new(). NULL: all classes.
	 */
	const struct tn_event_class *const *column_class;
	size_t n_column_classes;
	/*
	 * For a terminal: pass names from a trace (of events, fields, hosts, files) through tn_text_safe(), so
	 * that no name contains a line feed or an escape sequence. Values of strings never contain control
	 * characters; pass the line through tn_text_safe() for their other unsafe characters.
	 */
	bool safe;
	/*
	 * Called for events whose common context has an unsigned `ip` and a signed `vpid`, in several threads,
	 * for text lines only. It appends the file, the function and the source of the address to @out[0] to
	 * @out[2], which become the member `debug_info` of the context. It returns false if memory is out.
	 * NULL: lines do not have this member.
	 */
	bool (*debug_info)(void *user, const struct tn_event *event, struct tn_str out[3]);
	void *debug_info_user;
};
/* The defaults of babeltrace2: struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT; */
#if defined(__cplusplus) && __cplusplus < 202002L
#define TN_TEXT_OPTIONS_DEFAULT \
	{ TN_SIZED(tn_text_options), TN_TIME_OF_DAY, false, false, TN_FIELDS_DEFAULT, TN_NAMES_DEFAULT, false, \
	  TN_LINE_TEXT, NULL, 0, false, NULL, NULL }
#else
#define TN_TEXT_OPTIONS_DEFAULT { TN_SIZED(tn_text_options), .fields = TN_FIELDS_DEFAULT, .names = TN_NAMES_DEFAULT }
#endif

struct tn_text;

/* Make a format for lines of the set's events; copies @options. Free it with tn_text_free(). */
TN_API TN_MUST_CHECK enum tn_code
tn_text_new(struct tn_text **out, const struct tn_set *set, const struct tn_text_options *options, struct tn_error *err);
TN_API void tn_text_free(struct tn_text *text);	/* NULL is allowed */

/* Append the heading before the first line: the names of the columns in CSV, nothing in other formats. */
TN_API void tn_text_heading(const struct tn_text *text, struct tn_str *out);

/*
 * Append the line of the event at the cursor, with its newline. @previous_ns: time of the previous printed event;
 * NULL: unknown. TN_ERR_ARGUMENT: the row is a notice, or (CSV) the event's class does not have columns.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_text_line(const struct tn_text *text, struct tn_cursor *cur, const int64_t *previous_ns,
	     struct tn_str *out, struct tn_error *err);

/*
 * Append the contexts and the payload only: "{ cpu_id = 2 }, { x = 1 }", the part of the line after the name.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_text_fields(const struct tn_text *text, struct tn_cursor *cur, struct tn_str *out, struct tn_error *err);

/* Append the origin part, "host:procname:(vpid)"; nothing if the environment does not have these. */
TN_API void tn_text_origin(const struct tn_text *text, const struct tn_stream *stream, struct tn_str *out);

/* Append one value as the line would show it. */
TN_API void tn_text_value(const struct tn_text *text, const struct tn_value *value, struct tn_str *out);

/* Append the text of a notice, without a newline: the warning of babeltrace2 for losses, the cause for damage. */
TN_API void tn_text_notice(const struct tn_text *text, const struct tn_row *row, struct tn_str *out);

/* ---- times ---- */

/* Append a time, or a difference of times ("+0.000001200", "-1.5..."), without brackets. */
TN_API void tn_text_time(const struct tn_text *text, int64_t time_ns, struct tn_str *out);
/* Append a difference with its sign, as seconds. */
TN_API void tn_text_delta(const struct tn_text *text, int64_t delta_ns, struct tn_str *out);

/*
 * The context of a typed time. Absolute times are "hh:mm[:ss[.frac]]" (on the day of @near_ns; "8:36:5" is 08:36:05),
 * "YYYY-MM-DD[ T]hh:mm[:ss[.frac]]", "[-]s[.frac]", "@ns", and a time copied from a line, with its brackets. "+5ms" and
 * "-1s" (units ns us ms s m h) count from @near_ns, as do "+N%" and "-N%" of the time from @begin_ns to @end_ns. "N%"
 * counts from @begin_ns. "begin" and "start" are @begin_ns, "end" is @end_ns.
 */
#define TN_TIME_CONTEXT TN_SIZED(tn_time_context)
struct tn_time_context {
	size_t size;		/* TN_TIME_CONTEXT sets it */
	int64_t near_ns;	/* time at the user's position */
	int64_t begin_ns, end_ns;	/* time range of the trace, for percentages and words */
	bool utc;
};
/* Parse a typed time. TN_ERR_ARGUMENT: the error's text has the mistake and the valid forms. */
TN_API TN_MUST_CHECK enum tn_code
tn_time_parse(const char *text, const struct tn_time_context *context, int64_t *out_ns, struct tn_error *err);

/*
 * Append text from a trace so that a terminal or a clipboard can take it: control characters, broken UTF-8 and
 * invisible characters become escapes (\xNN, \uNNNN, \UNNNNNNNN). Invisible characters are changes of the writing
 * direction, soft hyphens, spaces without width, fillers and tags.
 */
TN_API void tn_text_safe(const char *bytes, size_t n, struct tn_str *out);
/* Whether tn_text_safe() escapes this Unicode character. A caller that must not change the length can replace it. */
TN_API bool tn_text_is_unsafe(uint32_t character);

/*
 * Find the word that is most similar to a mistyped word. Start with *best = NULL and *distance = SIZE_MAX, and call
 * this function for each candidate. It ignores case, and words that differ in more than a third of their letters.
 */
TN_API void tn_nearest(const char *typed, const char *candidate, const char **best, size_t *distance);

#ifdef __cplusplus
}
#endif
#endif
