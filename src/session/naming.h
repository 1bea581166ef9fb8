/*
 * naming.h - names of addresses for the views: from the mapped files that the trace records, and from files of --map
 *
 * Made for the open traces, and read by the first job that needs names. Debug data can be slow, so only jobs ask for
 * names.
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
/* In a job: read the data for names, the first time. False: no source has names of addresses in these traces. */
bool naming_read(struct naming *n, struct tn_set *set, const struct browse_options *options);
/* Set the time up to which the rows of growing traces are complete. INT64_MIN: none are yet; INT64_MAX: all are. */
void naming_settled(struct naming *n, int64_t settled_ns);
/* Like tn_symbols_name(), for code in a job. */
bool naming_name(struct naming *n, const struct tn_event *event, uint64_t address, unsigned parts, struct tn_str *out);
/* The whole name, such as "main+0x12 (file.c:9) > inlined (file.c:3)". */
#define NAMING_WHOLE (TN_SYMBOL_OFFSET | TN_SYMBOL_SOURCE | TN_SYMBOL_INLINED)
/* Whether a field is an address. @configured: names with commas between them. */
bool naming_is_address(const char *event, const char *field, const char *configured);

/*
 * Make symbol(FIELD) available in conditions, keys and columns. The user must not wait while a condition is compiled, so
 * the first one with a symbol() is refused, and a job reads the names of all functions. Code in a job reads them itself.
 */
void naming_serve(struct naming *n, struct tn_set *set);
void naming_functions(struct naming *n, struct tn_set *set, const struct browse_options *options);	/* call it in a job */
/* In a job: read the functions if @text has a symbol(). @text may be NULL. */
void naming_prepare(struct naming *n, struct tn_set *set, const struct browse_options *options, const char *text);
bool naming_wants_functions(const struct naming *n);	/* whether a condition had a symbol() */
bool naming_starts_functions(struct naming *n);	/* returns true once, when a job has to read the functions */
void naming_turn(struct session *s);	/* starts this job if necessary */

/* Only for the app's thread. */
bool naming_may(const struct naming *n);	/* false: certainly no address has a name */
/* Keep the names of the addresses in a row on the screen; get them, or NULL: none, or they were replaced. */
void naming_keep(struct naming *n, const struct tn_location *at, uint64_t address, const char *name);
const char *naming_kept(const struct naming *n, const struct tn_location *at, uint64_t address);
unsigned naming_changes(const struct naming *n);	/* number of names kept so far */
const char *naming_news(struct naming *n);	/* after a job: the reason why names are missing; NULL: no new reason */
void naming_problem(struct naming *n, struct line *out);	/* writes the reason why names are missing, if there is one */
/* Write the command line options for these names. */
void naming_words(const struct browse_options *o, void (*word)(void *user, const char *word), void *user);

#endif
