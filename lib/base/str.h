/*
 * str.h - the growable string, from inside: room made once, then written through a pointer
 *
 * Behind what room was made for there is always TN_STR_SLACK more: copies go in chunks of up to 32 bytes, whatever
 * their length.
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

/* Make room for @more bytes and the slack behind the text, whatever there is; false (and `failed`) when memory is out. */
bool tn_str_grow(struct tn_str *s, size_t more);

static inline bool
tn_str_reserve(struct tn_str *s, size_t more)
{
	return s->room - s->n > more + TN_STR_SLACK || tn_str_grow(s, more);
}

/* tn_str_add() where it is called for each field of an event: in line, and neither is NULL. */
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

/* End a sequence of writes: the NUL behind the text. */
static inline void
tn_str_end(struct tn_str *s)
{
	if (s->text)
		s->text[s->n] = '\0';
}

void tn_str_vprintf(struct tn_str *s, const char *format, va_list ap);

/* The text, which is the caller's to free from now on, @s is empty; NULL: memory was out. */
char *tn_str_take(struct tn_str *s);
/* A text of its own, the caller's; NULL: memory is out. */
char *tn_printed(const char *format, ...) TN_PRINTF(1, 2);
/* "2a6422d0-6cee-11e0-8c08-cb07d7b3a564". */
void tn_str_put_uuid(struct tn_str *s, const uint8_t uuid[16]);

#endif
