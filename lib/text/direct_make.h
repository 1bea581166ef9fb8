/* direct_make.h - make the codes of the direct path: the parts that lines of text and records share */
#ifndef TN_TEXT_DIRECT_MAKE_H
#define TN_TEXT_DIRECT_MAKE_H

#include "text/direct.h"
#include "text/direct_field.h"

#define TN_DIRECT_BYTES ((size_t)24 << 20)
#define TN_DIRECT_DENSE_BYTES ((size_t)4 << 20)

/* The number of makers: one for the classes of a trace whose columns rise, one for all other classes. */
#define TN_DIRECT_MAKERS 2

struct tn_direct_maker {
	struct tn_text *text;
	const struct tn_trace *trace;
	struct tn_str room;
	struct text_field **of_field;	/* by tn_field.id; NULL: not made yet */
	/* Memory is out: unfinished objects are not used, and no more classes get codes. */
	bool failed;
	size_t bytes_left, dense_left;	/* bytes left of TN_DIRECT_BYTES and TN_DIRECT_DENSE_BYTES */
	const struct text_field *last_enum;	/* the enumeration made last */
	const struct tn_field *common;	/* the last counted common context */
	size_t common_bytes;		/* its cost in bytes */
	/* CSV only: */
	const struct tn_class_columns *columns;	/* columns of the class being made */
	size_t next, last;		/* the next of these columns, and the last one written */
	bool scattered;
};

void tn_direct_maker_init(struct tn_direct_maker *m, struct tn_text *text, const struct tn_trace *trace);
void tn_direct_maker_release(struct tn_direct_maker *m);
bool tn_direct_maker_ready(struct tn_direct_maker *m);	/* false: memory is out now, or was before */

/* Copy the text in m->room to the arena, with slack after it, so that it can be copied in whole chunks. */
struct tn_words tn_direct_copy(struct tn_direct_maker *m);

/*
 * Make the texts of the small values of @f; @put writes one text into m->room. The total size of these texts is
 * limited: other values are written when they occur.
 */
void tn_direct_make_dense(struct tn_direct_maker *m, struct text_field *f,
			  void (*put)(struct tn_direct_maker *m, const struct text_field *f, uint64_t v));
/*
 * Count the words and code of a class, and return whether they still fit. If they do not, the class takes the general
 * path.
 */
bool tn_direct_is_affordable(struct tn_direct_maker *m, const struct tn_event_class *ec);
const struct tn_field *tn_direct_last_shown(const struct tn_type *t);	/* NULL: no member is shown */

/* How a line of text shows values of the type. */
enum text_how tn_direct_how(const struct tn_type *t);

/* Whether the direct path can run all instructions of @code; *n counts them. */
bool tn_direct_can_run(const struct tn_op *code, size_t *n);

/*
 * Append a copy of @code of @n instructions and its end. The copy has text fields and adjusted jumps, and leaves out
 * instructions that do nothing here. @to is instruction @at of the copy.
 */
struct tn_op *tn_direct_append_code(struct tn_direct_maker *m, struct tn_op *to, uint32_t at, const struct tn_op *code, size_t n);

/*
 * The size in bytes of a context that can repeat: fixed fields after the header that begin at a whole byte, and whose
 * values nothing else needs. 0: another context.
 */
uint32_t tn_direct_repeat_bytes(const struct tn_plan *plan, const struct tn_op *code, uint32_t *align);

#endif
