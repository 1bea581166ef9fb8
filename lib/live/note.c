/* note.c - notes, kept until the owner reads them */
#include "live/client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/now.h"

#define NOTHING_NS INT64_C(3000000000)	/* or three live timers, because packets arrive once in each timer period */
#define MOST_NOTES 1000	/* limit for one address, read or unread, because the user's log could fill the disk */

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
		tn_str_printf(&text, _("; further ones are not reported"));
	note = text.failed || live->n_noted >= MOST_NOTES ? NULL : TN_ARRAY_ADD(&live->notes);
	live->n_noted += note != NULL;
	if (note)
		*note = (struct tn_live_note) { severity, text.text };
	pthread_mutex_unlock(&live->lock);
	if (!note)
		tn_str_release(&text);
}

void
tn_live_note_no_packets(struct tn_live *live)
{
	int64_t timer = 0, wait;

	for (size_t i = 0; i < live->parts.n; i++)
		timer = live->parts.item[i].timer_us > timer ? live->parts.item[i].timer_us : timer;
	wait = 3 * timer * 1000 > NOTHING_NS ? 3 * timer * 1000 : NOTHING_NS;
	if (live->told_nothing || live->look.packets || !live->metadata_bytes || tn_now_ns() - live->attached_ns < wait)
		return;
	live->told_nothing = true;
	tn_live_note(live, TN_WARNING, "session %s of %s: for %d s the relay has sent metadata only, and no packet: check that the "
		     "session is started and that its events occur", live->url.session, live->url.machine,
		     (int)(wait / 1000000000));
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
