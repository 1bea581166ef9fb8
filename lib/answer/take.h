/*
 * take.h - one value of an event, by the name of a field or an attribute
 *
 * A name is looked up once for each event class. Attributes are what every event has, whatever its tracer
 * calls it: name, id, loglevel, stream, trace, host, cpu, tid, pid, process, time, packet.
 */
#ifndef TN_ANSWER_TAKE_H
#define TN_ANSWER_TAKE_H

#include <tnav/answer.h>

#include "answer/classes.h"

enum tn_take_kind {
	TN_TAKE_NOTHING, TN_TAKE_FIELD, TN_TAKE_PATH, TN_TAKE_NAME, TN_TAKE_ID, TN_TAKE_LOG_LEVEL, TN_TAKE_STREAM,
	TN_TAKE_TRACE, TN_TAKE_HOST, TN_TAKE_TIME, TN_TAKE_PACKET
};

/* How it is found in the events of a class. */
struct tn_way {
	enum tn_take_kind kind;
	enum tn_scope scope;
	const struct tn_field *field;
};

struct tn_take {
	char *name;		/* as it was written */
	int64_t step_ns;	/* "time/10ms"; else 0 */
	struct tn_way *way;	/* by number of the class */
};

/* @column: of the name in what the user typed, for errors; @what is that text. */
enum tn_code tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n,
			  const char *what, size_t column, struct tn_error *err);
void tn_take_release(struct tn_take *take);

static inline bool
tn_take_has(const struct tn_take *take, size_t class)
{
	return take->way[class].kind != TN_TAKE_NOTHING;
}

/* The scopes to be read for it: TN_SCOPE_BIT. */
static inline unsigned
tn_take_scopes(const struct tn_take *take, size_t class)
{
	const struct tn_way *w = &take->way[class];

	return w->kind == TN_TAKE_FIELD ? TN_SCOPE_BIT(w->scope) : w->kind == TN_TAKE_PATH ? TN_SCOPE_ALL : 0;
}

/* The value in row @row; @event has the scopes. Texts are borrowed from the event, or longer. */
void tn_take_value(const struct tn_take *take, size_t class, const struct tn_batch *batch, size_t row,
		   const struct tn_event *event, struct tn_answer_value *out);

/* A value of an event as an answer's. */
void tn_take_of(const struct tn_value *value, struct tn_answer_value *out);

#endif
