/*
 * expression.h - conditions that views make: values as the language says them
 */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <stddef.h>

/* "PATH == "TEXT"", with escapes where the text needs them; malloc()ed; NULL: memory is out. */
char *expression_text(const char *path, const char *text, size_t n);
/* Its opposite; takes @condition over, NULL is allowed. */
char *expression_not(char *condition);
/* "... or not has(PATH)": a comparison is not true for events without the field, and neither is its opposite. Takes it over. */
char *expression_or_without(char *condition, const char *path);

#endif
