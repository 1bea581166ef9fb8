/*
 * tnav/str.h - a growable string of bytes
 *
 * Invariant  If text is not NULL, text[n] is NUL and n < room. Zeroed is empty and valid.
 * Errors     If memory is out, the string keeps its bytes and `failed` is set: check it once, at the end.
 * Ownership  text is malloc()ed: code that takes it out frees it.
 * States     state		may be called
 *            zeroed	everything; text is NULL until something is added
 *            failed	everything; adding does nothing, tn_str_clear() and tn_str_release() make it usable again
 *            released	everything: it is as zeroed
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
	bool failed, full;	/* memory ran out; with `full` as well: the text reached `most` bytes */
};

/* Append. */
TN_API void tn_str_add(struct tn_str *s, const void *bytes, size_t n);
TN_API void tn_str_printf(struct tn_str *s, const char *format, ...) TN_PRINTF(2, 3);	/* as printf(3) writes */

TN_API void tn_str_clear(struct tn_str *s);	/* empties it; keeps the allocation */
TN_API void tn_str_release(struct tn_str *s);	/* empties and frees it; it can be used again */

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
