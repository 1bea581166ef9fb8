/*
 * str.h - the growable string of the library: reserve space once, then write through a pointer
 *
 * TN_STR_SLACK more bytes always follow the reserved ones, because copies write chunks of up to 32 bytes.
 */
#ifndef TN_BASE_STR_H
#define TN_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tnav/str.h>

#define TN_STR_SLACK 64

/* Reserve @more bytes and the slack after the text. False, with `failed` set: memory is out. */
bool tn_str_grow(struct tn_str *s, size_t more);

static inline bool
tn_str_reserve(struct tn_str *s, size_t more)
{
	return s->room - s->n > more + TN_STR_SLACK || tn_str_grow(s, more);
}

/* Like tn_str_add(), for code that writes the fields of an event: inline, and no pointer is NULL. */
static inline void
tn_str_put(struct tn_str *s, const void *bytes, size_t n)
{
	if (!tn_str_reserve(s, n))
		return;
	if (n)
		memcpy(s->text + s->n, bytes, n);
	s->n += n;
	s->text[s->n] = '\0';
}

static inline void
tn_str_put_text(struct tn_str *s, const char *text)
{
	tn_str_put(s, text, strlen(text));
}

/* End a sequence of writes: put the NUL after the text. */
static inline void
tn_str_end(struct tn_str *s)
{
	if (s->text)
		s->text[s->n] = '\0';
}

void tn_str_vprintf(struct tn_str *s, const char *format, va_list ap);

/* Give the text to the caller, which frees it. @s is empty then. NULL: memory is out. */
char *tn_str_take(struct tn_str *s);
/* Print into a new text, owned by the caller; NULL: memory is out. */
char *tn_printed(const char *format, ...) TN_PRINTF(1, 2);
/* Append a UUID in the form "2a6422d0-6cee-11e0-8c08-cb07d7b3a564". */
void tn_str_put_uuid(struct tn_str *s, const uint8_t uuid[16]);

#endif
