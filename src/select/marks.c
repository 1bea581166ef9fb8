#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "marks.h"

void
marks_remove(struct session *s, size_t i)
{
	free(s->here.bookmark[i].note);
	free(s->here.bookmark[i].text);
	memmove(&s->here.bookmark[i], &s->here.bookmark[i + 1], (--s->here.n_bookmarks - i) * sizeof *s->here.bookmark);
}

/* Insert a mark so that marks are sorted by time, and remove the former mark of this letter. */
void
marks_set(struct session *s, const char *name, char letter, const char *note)
{
	struct bookmark *grown;
	size_t i = 0;

	if (!s->here.has_row)
		return;
	for (size_t k = 0; letter && k < s->here.n_bookmarks; k++)
		if (s->here.bookmark[k].letter == letter) {
			marks_remove(s, k);
			break;
		}
	grown = realloc(s->here.bookmark, (s->here.n_bookmarks + 1) * sizeof *grown);
	if (!grown)
		return;
	s->here.bookmark = grown;
	while (i < s->here.n_bookmarks && tn_location_compare(&s->here.bookmark[i].at, &s->here.row.location) < 0)
		i++;
	memmove(&s->here.bookmark[i + 1], &s->here.bookmark[i], (s->here.n_bookmarks++ - i) * sizeof *s->here.bookmark);
	s->here.bookmark[i] = (struct bookmark) {
		.at = s->here.row.location, .time_ns = s->here.row.time_ns, .letter = letter,
		.note = note && *note ? strdup(note) : NULL, .text = strdup(name),
	};
	if (letter)
		session_say(s, _("mark %c set"), letter);
	else
		session_say(s, _("bookmark set: B lists them"));
}

void
marks_toggle(struct session *s, const char *name)
{
	for (size_t i = 0; s->here.has_row && i < s->here.n_bookmarks; i++)
		if (!s->here.bookmark[i].letter && tn_location_compare(&s->here.bookmark[i].at, &s->here.row.location) == 0) {
			marks_remove(s, i);
			session_say(s, _("bookmark removed"));
			return;
		}
	marks_set(s, name, 0, NULL);
}

static void
go_to(struct session *s, const struct bookmark *b)
{
	struct place place = { .kind = PLACE_LOCATION, .location = b->at };

	session_go(s, &place, ALIGN_NEAR);
	if (b->note)
		session_say(s, "%s", b->note);
}

bool
marks_go(struct session *s, char letter)
{
	for (size_t i = 0; i < s->here.n_bookmarks; i++)
		if (s->here.bookmark[i].letter == letter) {
			go_to(s, &s->here.bookmark[i]);
			return true;
		}
	return false;
}

void
marks_go_next(struct session *s, bool backward, uint64_t count)
{
	const struct bookmark *hit = NULL;

	for (size_t i = 0; i < s->here.n_bookmarks && s->here.has_row && count; i++) {
		const struct bookmark *b = &s->here.bookmark[backward ? s->here.n_bookmarks - 1 - i : i];
		int order = tn_location_compare(&b->at, &s->here.row.location);

		if (backward ? order < 0 : order > 0) {
			hit = b;
			count--;
		}
	}
	if (hit)
		go_to(s, hit);
	else
		session_say(s, backward ? _("no bookmark above") : _("no bookmark below"));
}

static int
by_place(const void *a, const void *b)
{
	return tn_location_compare(&((const struct bookmark *)a)->at, &((const struct bookmark *)b)->at);
}

void
marks_shift(struct session *s, const int64_t *by, size_t n)
{
	if (s->here.select_from.stream < n)
		s->here.select_from.time_ns = (int64_t)((uint64_t)s->here.select_from.time_ns +
							(uint64_t)by[s->here.select_from.stream]);
	for (size_t i = 0; i < s->here.n_bookmarks; i++)
		if (s->here.bookmark[i].at.stream < n) {
			uint64_t shift = (uint64_t)by[s->here.bookmark[i].at.stream];

			s->here.bookmark[i].at.time_ns = (int64_t)((uint64_t)s->here.bookmark[i].at.time_ns + shift);
			s->here.bookmark[i].time_ns = (int64_t)((uint64_t)s->here.bookmark[i].time_ns + shift);
		}
	if (s->here.n_bookmarks)
		qsort(s->here.bookmark, s->here.n_bookmarks, sizeof *s->here.bookmark, by_place);
}
