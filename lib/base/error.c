#include "base/error.h"
#include "base/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Remove an incomplete character from the end of @text, which fills its @size bytes. */
static void
keep_characters(char *text, size_t size)
{
	size_t n = strlen(text);
	size_t back = 0;

	if (n + 1 < size)
		return;
	while (back < 3 && back < n && ((unsigned char)text[n - 1 - back] & 0xc0) == 0x80)
		back++;
	if (back < n && (unsigned char)text[n - 1 - back] >= 0xc0)
		text[n - 1 - back] = '\0';
}

enum tn_code
tn_fail(struct tn_error *err, enum tn_code code, const char *format, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, format);
	vsnprintf(err->text, sizeof err->text, _(format), ap);
	va_end(ap);
	keep_characters(err->text, sizeof err->text);
	return code;
}

enum tn_code
tn_fail_errno(struct tn_error *err, const char *format, ...)
{
	int cause = errno;
	char where[TN_ERROR_SIZE - 120];	/* leaves space for the cause */
	va_list ap;

	va_start(ap, format);
	vsnprintf(where, sizeof where, _(format), ap);
	va_end(ap);
	keep_characters(where, sizeof where);
	if (err) {
		err->code = TN_ERR_SYSTEM;
		snprintf(err->text, sizeof err->text, "%s: %s", where, strerror(cause));
		keep_characters(err->text, sizeof err->text);
	}
	return TN_ERR_SYSTEM;
}

enum tn_code
tn_fail_memory(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_MEMORY, "out of memory");
}

enum tn_code
tn_fail_null(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_ARGUMENT, "a pointer is NULL, but must not be");
}

enum tn_code
tn_at(struct tn_error *err, enum tn_code rc, const char *format, ...)
{
	char where[TN_ERROR_SIZE];
	size_t used, have;
	va_list ap;

	if (!err)
		return rc;
	va_start(ap, format);
	vsnprintf(where, sizeof where - 2, _(format), ap);
	va_end(ap);
	strcat(where, ": ");
	used = strlen(where);
	have = strlen(err->text);
	if (used + have >= sizeof err->text)
		have = sizeof err->text - 1 - used;	/* the end of the cause is cut, not the place */
	memmove(err->text + used, err->text, have);
	memcpy(err->text, where, used);
	err->text[used + have] = '\0';
	keep_characters(err->text, sizeof err->text);
	return rc;
}

const char *
tn_error_reason(const struct tn_error *err, const char *quoted)
{
	const char *at = strstr(err->text, quoted);

	at = at ? strstr(at + strlen(quoted), ": ") : NULL;
	return at ? at + 2 : err->text;
}

void
tn_tell(const struct tn_problems *to, enum tn_severity severity, const char *format, ...)
{
	char text[2 * TN_ERROR_SIZE];
	va_list ap;

	if (!to || !to->fn)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, _(format), ap);
	va_end(ap);
	keep_characters(text, sizeof text);
	to->fn(to->user, &(struct tn_problem) { .severity = severity, .text = text });
}
