/* direct_make.h - making the codes of the direct path: the parts shared by lines of text and records */
#ifndef TN_TEXT_DIRECT_MAKE_H
#define TN_TEXT_DIRECT_MAKE_H

#include "text/direct.h"
#include "text/direct_field.h"

#define TN_DIRECT_BYTES ((size_t)24 << 20)
#define TN_DIRECT_DENSE_BYTES ((size_t)4 << 20)

/* Makers: one for the classes of a trace whose columns rise, one for all others. */
#define TN_DIRECT_MAKERS 2

struct tn_direct_maker {
	struct tn_text *text;
	const struct tn_trace *trace;
	struct tn_str room;
	struct text_field **of_field;	/* by tn_field.id; NULL: not made yet */
	/* Memory is out: half-made objects are not used, and no further class gets a code. */
	bool failed;
	size_t bytes_left, dense_left;	/* TN_DIRECT_BYTES and TN_DIRECT_DENSE_BYTES at the start */
	const struct text_field *last_enum;	/* the enumeration made last */
	const struct tn_field *common;	/* the common context last counted, */
	size_t common_bytes;		/* and its cost in bytes */
	/* CSV: */
	const struct tn_class_columns *columns;	/* columns of the class being made */
	size_t next, last;		/* the next one of these, the last written column */
	bool scattered;
};

void tn_direct_maker_init(struct tn_direct_maker *m, struct tn_text *text, const struct tn_trace *trace);
void tn_direct_maker_release(struct tn_direct_maker *m);
bool tn_direct_maker_ready(struct tn_direct_maker *m);	/* false: memory is out, or was */

/* Move the text in m->room to the arena, with slack after it for copies in whole chunks. */
struct tn_words tn_direct_copy(struct tn_direct_maker *m);

/*
 * Make the texts of f's small values: @put writes one into m->room. The bytes of all fields together are
 * bounded: other values are written when they occur.
 */
void tn_direct_make_dense(struct tn_direct_maker *m, struct text_field *f,
			  void (*put)(struct tn_direct_maker *m, const struct text_field *f, uint64_t v));
/* Whether the words and code of a class, which are counted, still fit; if not, the class takes the general path. */
bool tn_direct_is_affordable(struct tn_direct_maker *m, const struct tn_event_class *ec);
const struct tn_field *tn_direct_last_shown(const struct tn_type *t);	/* NULL: no member is shown */

/* The form of values of the type in a line of text. */
enum text_how tn_direct_how(const struct tn_type *t);

/* Whether the direct path can run the instruction; *n counts up to the end. */
bool tn_direct_can_run(const struct tn_op *code, size_t *n);

/*
 * Append a copy of @code of @n instructions and its end, without instructions that do nothing here, with our
 * fields, and with adjusted jumps; @to is instruction @at of the copy.
 */
struct tn_op *tn_direct_append_code(struct tn_direct_maker *m, struct tn_op *to, uint32_t at, const struct tn_op *code, size_t n);

/*
 * A run of fixed fields after the header, from a whole byte on, whose values nothing else needs: its size in
 * bytes; 0: something else.
 */
uint32_t tn_direct_repeat_bytes(const struct tn_plan *plan, const struct tn_op *code, uint32_t *align);

#endif
