/*
 * safe.c - text from a trace made safe for a terminal
 */
#include <unistr.h>

#include "text/line.h"
#include "text/put.h"

/* Characters that a terminal obeys or that turn the writing direction: Unicode 15, "Bidi_Control" and C0, C1. */
static bool
is_unsafe(ucs4_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static char *
put_digits(char *p, uint32_t v, unsigned n)
{
	while (n-- > 0)
		*p++ = "0123456789abcdef"[v >> 4 * n & 15];
	return p;
}

void
tn_text_safe(const char *bytes, size_t n, struct tn_text_buffer *out)
{
	if (!out)
		return;

	const uint8_t *at = (const uint8_t *)bytes, *end = at + n;
	char *p;

	if (n > SIZE_MAX / 16 || !tn_reserve(out, 4 * n)) {
		out->failed = true;
		return;
	}
	/* A byte becomes at most four: "\xNN"; "\uNNNN" stands for at least two bytes. */
	p = out->text + out->n;
	while (at < end) {
		ucs4_t c;
		int k;

		if (*at >= 0x20 && *at < 0x7f) {
			*p++ = (char)*at++;
			continue;
		}
		k = u8_mbtoucr(&c, at, (size_t)(end - at));
		if (k <= 0 || c < 0x80) {
			p[0] = '\\';
			p[1] = 'x';
			p = put_digits(p + 2, *at++, 2);
		} else if (is_unsafe(c)) {
			p[0] = '\\';
			p[1] = 'u';
			p = put_digits(p + 2, c, 4);
			at += k;
		} else {
			memcpy(p, at, (size_t)k);
			p += k;
			at += k;
		}
	}
	out->n = (size_t)(p - out->text);
	tn_put_end(out);
}
