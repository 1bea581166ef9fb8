/*
 * take.h - one value of an event, by the name of a field or an attribute, as an answer needs it
 */
#ifndef TN_LANGUAGE_TAKE_H
#define TN_LANGUAGE_TAKE_H

#include <tnav/answer.h>

#include "language/classes.h"
#include "language/field.h"

struct tn_take {
	char *name;		/* as it was written */
	int64_t step_ns;	/* "time/10ms"; else 0 */
	struct tn_reference *reference;
	struct tn_reference *field;	/* of events that do not have the attribute: the field of that name; or NULL */
	bool is_either;		/* "A|B": @field is B */
	const struct tn_classes *classes;
	bool is_time;
	int span_value;		/* of a span: which (group_spans.c) */
};

/* @column: of the name in what the user typed, which is @what, for errors. */
enum tn_code tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n,
			  const char *what, size_t column, struct tn_error *err);
/* The same of events of some classes (by number): a name that means something else in others is not ambiguous. */
enum tn_code tn_take_init_among(struct tn_take *take, const struct tn_classes *classes, const uint8_t *among,
				const char *name, size_t n, const char *what, size_t column, struct tn_error *err);
/* The step of "time/10ms". */
enum tn_code tn_take_step(const char *name, int64_t *step_ns, struct tn_error *err);
void tn_take_release(struct tn_take *take);

/* Whether events of the class may have it. *no_memory is set when that cannot be known: here and below. */
bool tn_take_has(const struct tn_take *take, size_t class, bool *no_memory);
/* Whether it is the field of that name, for want of the attribute. */
bool tn_take_has_field(const struct tn_take *take, size_t class);
/* Whether all that events of the class may have is text. */
bool tn_take_is_text(const struct tn_take *take, size_t class, bool *no_memory);
/* A type with labels or another base than 10, when that is what events of the class have; else NULL. */
const struct tn_type *tn_take_labels(const struct tn_take *take, size_t class, bool *no_memory);

/* The value of the row that the state is at. Texts are borrowed until the next row. */
enum tn_code tn_take_value(const struct tn_take *take, size_t class, struct tn_row_state *state,
			   struct tn_answer_value *out, struct tn_error *err);

/* A number's bits. Of a boolean's it matters only whether one is set. */
static inline uint64_t
tn_take_number(const struct tn_cell *cell)
{
	return cell->type && cell->type->kind == TN_KIND_BOOL ? cell->u != 0 : cell->u;
}

/* The begin of the step that a time lies in. */
static inline int64_t
tn_take_step_of(int64_t time_ns, int64_t step_ns)
{
	int64_t rest = time_ns % step_ns;

	return (int64_t)((uint64_t)time_ns - (uint64_t)(rest < 0 ? rest + step_ns : rest));
}

/* Where it is in the events of a class, found once. */
struct tn_take_place {
	const struct tn_reference *reference;	/* NULL: not looked for yet */
	const struct tn_place *place;
	const struct tn_type *type;	/* of numbers that are shown in another way than as decimal ones; NULL */
	bool is_constant;	/* all events of the class in one stream have the same */
};

enum tn_code tn_take_find(const struct tn_take *take, size_t class, struct tn_take_place *out, struct tn_error *err);
/* As tn_take_value(). */
enum tn_code tn_take_get(const struct tn_take *take, const struct tn_take_place *place, struct tn_row_state *state,
			 struct tn_answer_value *out, struct tn_error *err);

#endif
