/*
 * take.h - one value of an event, by the name of a field or an attribute, as an answer needs it
 */
#ifndef TN_LANGUAGE_TAKE_H
#define TN_LANGUAGE_TAKE_H

#include <tnav/answer.h>

#include "language/bins.h"
#include "language/classes.h"
#include "language/field.h"

struct tn_take {
	char *name;		/* as written */
	char *label;		/* label that a key of groups has from `as`; else NULL */
	int64_t step_ns;	/* "time/10ms"; else 0 */
	struct tn_bins bins;	/* "ret/100", "log2(ret)" */
	char *of;		/* for spans, with bins: the name without them; else NULL */
	struct tn_reference *reference;
	struct tn_reference *field;	/* field of that name, for events without the attribute; or NULL */
	bool is_either;		/* "A|B": @field is B */
	const struct tn_classes *classes;
	bool is_time;
	int span_value;		/* for a span: number of its value (group_spans.c) */
};

/* @column: of the name in @what, the user's text, for errors. */
enum tn_code tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n,
			  const char *what, size_t column, struct tn_error *err);
/*
 * Like the function above, for events of some classes (by number): other meanings in other classes do not make
 * the name ambiguous.
 */
enum tn_code tn_take_init_among(struct tn_take *take, const struct tn_classes *classes, const uint8_t *among,
				const char *name, size_t n, const char *what, size_t column, struct tn_error *err);
/* The step of "time/10ms". */
enum tn_code tn_take_step(const char *name, int64_t *step_ns, struct tn_error *err);
void tn_take_release(struct tn_take *take);

/* Whether events of the class may have it. Here and below *no_memory is set if that cannot be decided. */
bool tn_take_has(const struct tn_take *take, size_t class, bool *no_memory);
/* Whether the class has the field of that name in place of the attribute. */
bool tn_take_has_field(const struct tn_take *take, size_t class);
/* Whether it is always text in events of the class. */
bool tn_take_is_text(const struct tn_take *take, size_t class, bool *no_memory);
/* The type of its values in events of the class, if it has labels or another base than 10; else NULL. */
const struct tn_type *tn_take_labels(const struct tn_take *take, size_t class, bool *no_memory);

/* The value in the state's row. Texts are borrowed until the next row. */
enum tn_code tn_take_value(const struct tn_take *take, size_t class, struct tn_row_state *state,
			   struct tn_answer_value *out, struct tn_error *err);

/* A number's bits. For a boolean it only matters whether one is set. */
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

/* The place of the value in the events of a class, searched for once. */
struct tn_take_place {
	const struct tn_reference *reference;	/* NULL: not searched for yet */
	const struct tn_place *place;
	const struct tn_type *type;	/* type of numbers not displayed in decimal; NULL */
	bool is_constant;	/* constant for all events of the class in one stream */
};

enum tn_code tn_take_find(const struct tn_take *take, size_t class, struct tn_take_place *out, struct tn_error *err);
/* Like tn_take_value(), at a place found before. */
enum tn_code tn_take_get(const struct tn_take *take, const struct tn_take_place *place, struct tn_row_state *state,
			 struct tn_answer_value *out, struct tn_error *err);

#endif
