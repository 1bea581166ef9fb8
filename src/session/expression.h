/*
 * expression.h - conditions that views make: values as the language says them
 */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <tnav/answer.h>

/* Make "PATH == "TEXT"", with escapes if the text needs them; malloc()ed; NULL: memory is out. */
char *expression_text(const char *path, const char *text, size_t n);
/* The opposite of a condition; takes @condition over, NULL is allowed. */
char *expression_not(char *condition);
/* "... or not has(PATH)": neither a comparison nor its opposite is true for events without the field. Takes it over. */
char *expression_or_without(char *condition, const char *path);
/*
 * Add that a key of groups has a value: "NAME == VALUE", "not has(NAME)"; @has_steps: the name is one with steps.
 * @unit: of tn_groups_unit(); times and durations are written as such.
 */
void expression_key(struct tn_str *out, const char *name, bool has_steps, enum tn_group_unit unit, const struct tn_answer_value *v);
/* Add that a key is in a step: for log2 of negative numbers, the limit nearer to 0 belongs to the step. */
void expression_step(struct tn_str *out, const char *key, enum tn_group_unit unit, const struct tn_answer_value *v,
		     const struct tn_answer_value *from, const struct tn_answer_value *to);

#endif
