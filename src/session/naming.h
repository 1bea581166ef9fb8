/*
 * naming.h - names of addresses for the views: what the trace says of mapped files, and files of --map
 *
 * Made for the traces that are open, read once by the first job that needs names. Debug data is slow at times: only jobs ask
 * for names.
 */
#ifndef NAMING_H
#define NAMING_H

#include <tnav/symbol.h>

#include "browse.h"
#include "question.h"
#include "screen/line.h"

struct session;

struct naming *naming_new(void);	/* NULL: memory is out */
void naming_free(struct naming *n);	/* before its set is closed; NULL is allowed */
/* In a job: read what names need, the first time. False: nothing names an address of these traces. */
bool naming_read(struct naming *n, struct tn_set *set, const struct browse_options *options);
/* Up to this time, the rows of growing traces are complete. INT64_MIN: none are yet; INT64_MAX: all are. */
void naming_settled(struct naming *n, int64_t settled_ns);
/* tn_symbols_name(), for code in a job. */
bool naming_name(struct naming *n, const struct tn_event *event, uint64_t address, unsigned parts, struct tn_str *out);
/* "main+0x12 (file.c:9) > inlined (file.c:3)" */
#define NAMING_WHOLE (TN_SYMBOL_OFFSET | TN_SYMBOL_SOURCE | TN_SYMBOL_INLINED)
/* Whether a field is an address; @configured: names apart by commas. */
bool naming_is_address(const char *event, const char *field, const char *configured);

/*
 * Serve symbol(FIELD) in conditions, keys and columns. A condition is compiled while nobody may wait: so the first
 * one with a symbol() is refused, and a job reads the names of all functions. Code in a job reads them itself.
 */
void naming_serve(struct naming *n, struct tn_set *set);
void naming_functions(struct naming *n, struct tn_set *set, const struct browse_options *options);	/* in a job: read them */
/* Read the functions, in a job, if @text (may be NULL) has a symbol(). */
void naming_prepare(struct naming *n, struct tn_set *set, const struct browse_options *options, const char *text);
bool naming_wants_functions(const struct naming *n);	/* a condition has had a symbol() */
bool naming_starts_functions(struct naming *n);	/* true once: a job has to read the functions */
void naming_turn(struct session *s);	/* start that job if it is time */

/* Only for the app's thread: */
bool naming_may(const struct naming *n);	/* false: certainly nothing has a name */
/* Names of addresses in the rows on the screen; NULL: none, or the name is no longer kept. */
void naming_keep(struct naming *n, const struct tn_location *at, uint64_t address, const char *name);
const char *naming_kept(const struct naming *n, const struct tn_location *at, uint64_t address);
unsigned naming_changes(const struct naming *n);	/* number of names kept so far */
const char *naming_news(struct naming *n);	/* after a job: why names are missing; NULL: nothing new */
void naming_problem(struct naming *n, struct line *out);	/* why names are missing, if they are */
/* The options of the command line for these names. */
void naming_words(const struct browse_options *o, void (*word)(void *user, const char *word), void *user);

#endif
