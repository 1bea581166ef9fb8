/*
 * reload.c - the same traces opened again, for files that have grown
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app_state.h"

/* Bookmarks, jumps and the cursor are places in the files: they hold as long as the files only grew. */
void
app_reload(struct app *a, bool to_end)
{
	struct session *s = &a->session;
	struct place place = { .kind = s->has_row ? PLACE_LOCATION : PLACE_BEGIN, .location = s->row.location };
	struct tn_set *set;
	struct tn_error err;

	if (!s->options->reopen) {
		session_say(s, _("there are no files to look at again"));
		return;
	}
	if (s->options->reopen(s->options->user, s->offset, s->n_offsets, &set, &err) != TN_OK) {
		session_fail(s, "%s", err.text);
		return;
	}
	if (!app_change_set(a, set, &err)) {
		session_fail(s, "%s", err.text);
		a->quit = a->n_screens == 0;
		return;
	}
	if (to_end)
		place.kind = PLACE_END;
	app_reply(a, a->screen[0], events_go(a->screen[0], &place, to_end ? ALIGN_BOTTOM : ALIGN_MIDDLE));
	if (!a->following)
		session_say(s, _("opened again"));
}

void
app_follow(struct app *a)
{
	struct session *s = &a->session;
	struct place end = { .kind = PLACE_END };

	if (!s->options->reopen) {
		session_say(s, _("there are no files that could grow"));
		return;
	}
	a->following = !a->following;
	a->follow_size = 0;
	a->follow_paused = false;
	if (a->following)
		app_go(a, &end, ALIGN_BOTTOM);
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
app_follow_turn(struct app *a)
{
	uint64_t size = size_of_files(a->session.set);

	if (size == a->follow_size || jobs_foreground(&a->session.jobs))
		return;
	if (a->follow_size)
		app_reload(a, true);
	a->follow_size = size;
}
