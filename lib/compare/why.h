/* why.h - a "why" question while it is answered */
#ifndef TN_COMPARE_WHY_H
#define TN_COMPARE_WHY_H

#include "compare/why_findings.h"
#include "span/spans.h"

#define TN_WHY_FIELDS 60	/* limit of fields; a definition may show 64 */

/* Different names, owned. A zeroed list is empty. */
struct tn_why_names {
	TN_ARRAY(char *) item;
};

struct tn_around;

struct tn_why {
	struct tn_selection selection;
	char *condition;
	char *definition;		/* NULL: the question is about events */
	struct tn_spans *spans;		/* the definition, which shows all fields: those of factor 1, 2, ... */
	struct tn_span_where *where;
	/* For questions about events: */
	struct tn_classes classes;
	bool has_classes;
	struct tn_expression *expression;
	uint8_t *among;			/* by number of the class: whether its events are selected, or belong to the rest */
	TN_ARRAY(struct tn_take) take;	/* for each factor after the time, how to get its value */
	struct tn_take_place *place;	/* for each class and each take; `reference` NULL: the class does not have the value */

	struct tn_around *around;	/* NULL: the question is about events */
	struct tn_findings findings;
	TN_ARRAY(uint64_t) derived;	/* for each field, the number of spans whose duration equals it */
	int64_t begin_ns, slice_ns;	/* the slices into which the times of begins are divided */
};

void tn_why_names_release(struct tn_why_names *names);
/* Add a name. False: memory is out. */
bool tn_why_add_name(struct tn_why_names *names, const char *name);
/* Add the fields of the class whose values can be compared, and the attributes of all events. False: memory is out. */
bool tn_why_add_class(struct tn_why_names *names, const struct tn_event_class *class);
bool tn_why_add_attributes(struct tn_why_names *names);
bool tn_why_has_name(const struct tn_why_names *names, const char *name);
bool tn_why_is_in(const char *condition, const char *name);	/* whether the condition has the name as a word */
/*
 * Whether a field is compared. "begin.X" is not compared if the condition names X, and the time is not if the condition
 * names begin or end.
 */
bool tn_why_is_asked(const struct tn_why *w, const char *name);
enum tn_code tn_why_add_factor(struct tn_why *w, const char *name, struct tn_error *err);
/* The first value of each span or event: the slice of its time. */
struct tn_answer_value tn_why_slice(const struct tn_why *w, int64_t time_ns);

/* why_events.c: questions about events. */
enum tn_code tn_why_events_init(struct tn_why *w, struct tn_error *err) TN_MUST_CHECK;
void tn_why_events_release(struct tn_why *w);
enum tn_code tn_why_events_read(struct tn_why *w, struct tn_error *err) TN_MUST_CHECK;

#endif
