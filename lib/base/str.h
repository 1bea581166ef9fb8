/*
 * str.h - a growable string of bytes
 *
 * Invariant: when text is not NULL, text[n] is NUL and n < room. Zeroed is empty and valid. When
 * memory is out the string keeps what it has and `failed` is set: check it once, at the end.
 */
#ifndef TN_BASE_STR_H
#define TN_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tnav/error.h>

struct tn_str {
	char *text;
	size_t n, room;
	bool failed;
};

/* Make room for @more bytes and a NUL behind the text; false (and `failed`) when memory is out. */
bool tn_str_grow(struct tn_str *s, size_t more);

void tn_str_add(struct tn_str *s, const void *bytes, size_t n);
void tn_str_puts(struct tn_str *s, const char *text);
void tn_str_putc(struct tn_str *s, char c);
void tn_str_printf(struct tn_str *s, const char *format, ...) TN_PRINTF(2, 3);
void tn_str_vprintf(struct tn_str *s, const char *format, va_list ap);
void tn_str_clear(struct tn_str *s);	/* keeps the room */
void tn_str_release(struct tn_str *s);

/* The text, "" when nothing was ever added. */
static inline const char *
tn_str_text(const struct tn_str *s)
{
	return s->text ? s->text : "";
}

#endif
