/* safe.c - make text from a trace safe for a terminal */
#include <unistr.h>

#include "text/line.h"
#include "text/put.h"

/*
 * Characters that control a terminal, change the writing direction or are invisible: C0, C1, and "Bidi_Control" and
 * "Default_Ignorable_Code_Point" of Unicode 15. Exceptions are the joiners U+200C and U+200D and the variation
 * selectors of the basic plane, which many languages and emoji need.
 */
bool
tn_text_is_unsafe(uint32_t c)
{
	static const struct {
		ucs4_t first, last;
	} ranges[] = {
		{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x00ad, 0x00ad }, { 0x034f, 0x034f }, { 0x061c, 0x061c },
		{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200b }, { 0x200e, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges && c >= ranges[i].first; i++)
		if (c <= ranges[i].last)
			return true;
	return false;
}

static char *
put_digits(char *p, uint32_t v, unsigned n)
{
	while (n-- > 0)
		*p++ = "0123456789abcdef"[v >> 4 * n & 15];
	return p;
}

void
tn_text_safe(const char *bytes, size_t n, struct tn_str *out)
{
	if (!out)
		return;

	const uint8_t *at = (const uint8_t *)bytes, *end = at + n;
	char *p;

	if (n > SIZE_MAX / 16 || !tn_str_reserve(out, 4 * n)) {
		out->failed = true;
		return;
	}
	/* One byte becomes at most four: "\xNN" replaces one byte, "\uNNNN" at least two bytes, "\UNNNNNNNN" four. */
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
		} else if (tn_text_is_unsafe(c)) {
			p[0] = '\\';
			p[1] = c > 0xffff ? 'U' : 'u';
			p = put_digits(p + 2, c, c > 0xffff ? 8 : 4);
			at += k;
		} else {
			memcpy(p, at, (size_t)k);
			p += k;
			at += k;
		}
	}
	out->n = (size_t)(p - out->text);
	tn_str_end(out);
}
