/*
 * note.c - what is worth telling, until somebody asks
 */
#include "live/client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"

#define MOST_NOTES 1000	/* of one address, told or not: whoever prints them has a disk that can be full */

void
tn_live_note(struct tn_live *live, enum tn_severity severity, const char *format, ...)
{
	struct tn_str text = { 0 };
	struct tn_live_note *note;
	va_list ap;

	tn_str_printf(&text, strchr(live->url.relay, ':') ? "net://[%s]:%s: " : "net://%s:%s: ", live->url.relay, live->url.port);
	va_start(ap, format);
	tn_str_vprintf(&text, _(format), ap);
	va_end(ap);
	pthread_mutex_lock(&live->lock);
	if (live->n_noted == MOST_NOTES - 1)
		tn_str_printf(&text, _("; no more of this is told"));
	note = text.failed || live->n_noted >= MOST_NOTES ? NULL : TN_ARRAY_ADD(&live->notes);
	live->n_noted += note != NULL;
	if (note)
		*note = (struct tn_live_note) { severity, text.text };
	pthread_mutex_unlock(&live->lock);
	if (!note)
		tn_str_release(&text);
}

bool
tn_live_news(struct tn_live *live, enum tn_severity *severity, char *text, size_t size)
{
	struct tn_live_note note = { 0 };
	bool any;

	pthread_mutex_lock(&live->lock);
	any = live->notes.n > 0;
	if (any) {
		note = live->notes.item[0];
		live->notes.n--;
		memmove(live->notes.item, live->notes.item + 1, live->notes.n * sizeof note);
	}
	pthread_mutex_unlock(&live->lock);
	if (!any)
		return false;
	*severity = note.severity;
	snprintf(text, size, "%s", note.text);
	free(note.text);
	return true;
}
