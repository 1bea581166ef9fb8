#include <config.h>

#include <sys/stat.h>

#include "follow.h"
#include "reopen.h"

void
follow_reload(struct session *s)
{
	struct place place = { .kind = s->has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->row.location };

	if (reopen_can(s))
		reopen_start(s, NULL, 0, &place, ALIGN_MIDDLE, _("opened again"));
}

void
follow_switch(struct follow *f, struct session *s)
{
	struct place end = { .kind = PLACE_END };

	if (!s->options->reopen) {
		session_say(s, _("there are no files that could grow"));
		return;
	}
	*f = (struct follow) { .on = !f->on };
	if (f->on)
		session_go(s, &end, ALIGN_BOTTOM);
}

static uint64_t
size_of_files(const struct tn_set *set)
{
	uint64_t size = 0;

	for (size_t i = 0; i < tn_set_stream_count(set); i++) {
		struct stat st;

		if (stat(tn_stream_path(tn_set_stream(set, i)), &st) == 0)
			size += (uint64_t)st.st_size;
	}
	return size;
}

void
follow_turn(struct follow *f, struct session *s)
{
	struct place end = { .kind = PLACE_END };
	uint64_t size;

	if (!f->on || f->paused || jobs_foreground(&s->jobs) || reopen_runs(s))
		return;
	size = size_of_files(s->set);
	if (size == f->size)
		return;
	if (f->size)
		reopen_start(s, NULL, 0, &end, ALIGN_BOTTOM, NULL);
	f->size = size;
}
