#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

bool
tn_str_grow(struct tn_str *s, size_t more)
{
	size_t room = s->room ? s->room : 128;
	char *p;

	if (s->failed || more > SIZE_MAX / 4 || s->n > SIZE_MAX / 4) {
		s->failed = true;
		return false;
	}
	if (s->most && s->n > s->most) {
		s->failed = s->full = true;
		return false;
	}
	while (room <= s->n + more + TN_STR_SLACK)
		room *= 2;
	p = realloc(s->text, room);
	if (!p) {
		s->failed = true;
		return false;
	}
	s->text = p;
	s->room = room;
	s->text[s->n] = '\0';
	return true;
}

void
tn_str_add(struct tn_str *s, const void *bytes, size_t n)
{
	if (!s || (n && !bytes) || !tn_str_reserve(s, n))
		return;
	if (n)
		memcpy(s->text + s->n, bytes, n);
	s->n += n;
	s->text[s->n] = '\0';
}

void
tn_str_vprintf(struct tn_str *s, const char *format, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0 || !tn_str_reserve(s, (size_t)n))
		return;
	vsnprintf(s->text + s->n, (size_t)n + 1, format, ap);
	s->n += (size_t)n;
}

void
tn_str_printf(struct tn_str *s, const char *format, ...)
{
	va_list ap;

	if (!s || !format)
		return;
	va_start(ap, format);
	tn_str_vprintf(s, format, ap);
	va_end(ap);
}

void
tn_str_clear(struct tn_str *s)
{
	if (!s)
		return;
	s->n = 0;
	s->failed = s->full = false;
	if (s->text)
		s->text[0] = '\0';
}

void
tn_str_release(struct tn_str *s)
{
	if (!s)
		return;
	free(s->text);
	*s = (struct tn_str) { 0 };
}

char *
tn_str_take(struct tn_str *s)
{
	char *text = !s->failed && tn_str_reserve(s, 0) ? s->text : NULL;

	if (!text)
		free(s->text);
	*s = (struct tn_str) { 0 };
	return text;
}

char *
tn_printed(const char *format, ...)
{
	struct tn_str s = { 0 };
	va_list ap;

	va_start(ap, format);
	tn_str_vprintf(&s, format, ap);
	va_end(ap);
	return tn_str_take(&s);
}

void
tn_str_put_uuid(struct tn_str *s, const uint8_t uuid[16])
{
	for (int i = 0; i < 16; i++)
		tn_str_printf(s, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}
