/* take.h - get one value of an event, by the name of a field or an attribute, in the form that answers need */
#ifndef TN_LANGUAGE_TAKE_H
#define TN_LANGUAGE_TAKE_H

#include <tnav/answer.h>

#include "language/bins.h"
#include "language/classes.h"
#include "language/field.h"

struct tn_take {
	char *name;		/* as typed */
	char *label;		/* label that `as` gives a key of groups; otherwise NULL */
	int64_t step_ns;	/* step in "time/10ms"; otherwise 0 */
	struct tn_bins bins;	/* bins in "ret/100" or "log2(ret)" */
	char *of;		/* for spans with bins: the name without the bins; otherwise NULL */
	struct tn_reference *reference;
	struct tn_reference *field;	/* the field with this name, for events without the attribute; or NULL */
	bool is_either;		/* the name is "A|B", and @field is B, for events without A */
	const struct tn_classes *classes;
	bool is_time;
	int span_value;		/* for a span: number of the value (group_spans.c) */
};

/* @column: position of the name in @what, the user's text, for errors. */
enum tn_code tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n,
			  const char *what, size_t column, struct tn_error *err);
/*
 * Like tn_take_init(), for the events of some classes (by number): meanings in other classes do not make the name
 * ambiguous.
 */
enum tn_code tn_take_init_among(struct tn_take *take, const struct tn_classes *classes, const uint8_t *among,
				const char *name, size_t n, const char *what, size_t column, struct tn_error *err);
/* Get the step of "time/10ms". */
enum tn_code tn_take_step(const char *name, int64_t *step_ns, struct tn_error *err);
void tn_take_release(struct tn_take *take);

/*
 * Whether events of the class may have the value. Here and in the following functions, *no_memory is set if this cannot
 * be decided.
 */
bool tn_take_has(const struct tn_take *take, size_t class, bool *no_memory);
/* Whether the class has a field with the name in place of the attribute. */
bool tn_take_has_field(const struct tn_take *take, size_t class);
/* Whether the value is always a text in events of the class. */
bool tn_take_is_text(const struct tn_take *take, size_t class, bool *no_memory);
/* The type of the values in events of the class, if it has labels or another base than 10; otherwise NULL. */
const struct tn_type *tn_take_labels(const struct tn_take *take, size_t class, bool *no_memory);

/* Get the value in the state's row. Texts are borrowed until the next row. */
enum tn_code tn_take_value(const struct tn_take *take, size_t class, struct tn_row_state *state,
			   struct tn_answer_value *out, struct tn_error *err);

/* The bits of a number. For a boolean it only matters whether any bit is set. */
static inline uint64_t
tn_take_number(const struct tn_cell *cell)
{
	return cell->type && cell->type->kind == TN_KIND_BOOL ? cell->u != 0 : cell->u;
}

/* The start of the step that contains a time. */
static inline int64_t
tn_take_step_of(int64_t time_ns, int64_t step_ns)
{
	int64_t rest = time_ns % step_ns;

	return (int64_t)((uint64_t)time_ns - (uint64_t)(rest < 0 ? rest + step_ns : rest));
}

/* How to get the value in the events of a class, found once. */
struct tn_take_place {
	const struct tn_reference *reference;	/* NULL: not found yet */
	const struct tn_place *place;
	const struct tn_place *other;	/* in "A|B": place of B, for events of the class without A; otherwise NULL */
	const struct tn_type *type;	/* type of numbers that are displayed in another form than decimal; NULL: none */
	bool is_constant;	/* all events of the class in one stream have the same value */
};

enum tn_code tn_take_find(const struct tn_take *take, size_t class, struct tn_take_place *out, struct tn_error *err);
/* Like tn_take_value(), with a place that was found before. */
enum tn_code tn_take_get(const struct tn_take *take, const struct tn_take_place *place, struct tn_row_state *state,
			 struct tn_answer_value *out, struct tn_error *err);

#endif
