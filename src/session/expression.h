/* expression.h - conditions that views make, with values in the form of the language */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <tnav/answer.h>

/* Make "PATH == "TEXT"", with escapes if the text needs them. The caller frees it. NULL: memory is out. */
char *expression_text(const char *path, const char *text, size_t n);
/* The opposite of a condition. Takes ownership of @condition, which may be NULL. */
char *expression_not(char *condition);
/*
 * Append "... or not has(PATH)", because neither a comparison nor its opposite is true for events without the field.
 * Takes ownership of @condition.
 */
char *expression_or_without(char *condition, const char *path);
/*
 * Add the condition that a key of groups has a value: "NAME == VALUE" or "not has(NAME)". @has_steps: the name has steps.
 * @unit: result of tn_groups_unit(); times and durations are written in their form.
 */
void expression_key(struct tn_str *out, const char *name, bool has_steps, enum tn_group_unit unit, const struct tn_answer_value *v);
/* Add the condition that a key is in a step. For log2 of negative numbers, the limit nearer to 0 belongs to the step. */
void expression_step(struct tn_str *out, const char *key, enum tn_group_unit unit, const struct tn_answer_value *v,
		     const struct tn_answer_value *from, const struct tn_answer_value *to);

#endif
