/*
 * tnav/str.h - a growable string of bytes
 *
 * Invariant  If text is not NULL, text[n] is NUL and n < room. A zeroed structure is a valid empty string.
 * Errors     If memory is out, the string keeps its bytes and sets `failed`. Check `failed` once, at the end.
 * Ownership  text is malloc()ed: a caller that takes it out of the structure frees it.
 * States     state		may be called
 *            zeroed	everything; text is NULL until bytes are added
 *            failed	everything; adding does nothing until tn_str_clear() or tn_str_release()
 *            released	everything, as zeroed
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_STR_H
#define TNAV_STR_H

#include <stdbool.h>
#include <string.h>

#include <tnav/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_str {
	char *text;
	size_t n, room;
	size_t most;		/* the limit of n; 0: no limit */
	bool failed, full;	/* bytes are missing because memory is out; with `full`: because of `most` */
};

/* Append @n bytes. */
TN_API void tn_str_add(struct tn_str *s, const void *bytes, size_t n);
TN_API void tn_str_printf(struct tn_str *s, const char *format, ...) TN_PRINTF(2, 3);	/* append, as printf(3) */

TN_API void tn_str_clear(struct tn_str *s);	/* empty it, and keep the allocation */
TN_API void tn_str_release(struct tn_str *s);	/* empty it, and free the text */

static inline void
tn_str_puts(struct tn_str *s, const char *text)
{
	tn_str_add(s, text, strlen(text));
}

static inline void
tn_str_putc(struct tn_str *s, char c)
{
	tn_str_add(s, &c, 1);
}

/* The text; "" if nothing was added. */
static inline const char *
tn_str_text(const struct tn_str *s)
{
	return s->text ? s->text : "";
}

#ifdef __cplusplus
}
#endif
#endif
