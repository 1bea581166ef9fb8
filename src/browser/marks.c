#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "marks.h"

void
marks_remove(struct session *s, size_t i)
{
	free(s->bookmark[i].note);
	free(s->bookmark[i].text);
	memmove(&s->bookmark[i], &s->bookmark[i + 1], (--s->n_bookmarks - i) * sizeof *s->bookmark);
}

/* Put a mark in the order of time; one of the same letter goes. */
void
marks_set(struct session *s, const char *name, char letter, const char *note)
{
	struct bookmark *grown;
	size_t i = 0;

	if (!s->has_row)
		return;
	for (size_t k = 0; letter && k < s->n_bookmarks; k++)
		if (s->bookmark[k].letter == letter) {
			marks_remove(s, k);
			break;
		}
	grown = realloc(s->bookmark, (s->n_bookmarks + 1) * sizeof *grown);
	if (!grown)
		return;
	s->bookmark = grown;
	while (i < s->n_bookmarks && tn_location_compare(&s->bookmark[i].at, &s->row.location) < 0)
		i++;
	memmove(&s->bookmark[i + 1], &s->bookmark[i], (s->n_bookmarks++ - i) * sizeof *s->bookmark);
	s->bookmark[i] = (struct bookmark) {
		.at = s->row.location, .time_ns = s->row.time_ns, .letter = letter,
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
	for (size_t i = 0; s->has_row && i < s->n_bookmarks; i++)
		if (!s->bookmark[i].letter && tn_location_compare(&s->bookmark[i].at, &s->row.location) == 0) {
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
	for (size_t i = 0; i < s->n_bookmarks; i++)
		if (s->bookmark[i].letter == letter) {
			go_to(s, &s->bookmark[i]);
			return true;
		}
	return false;
}

void
marks_go_next(struct session *s, bool backward, uint64_t count)
{
	const struct bookmark *hit = NULL;

	for (size_t i = 0; i < s->n_bookmarks && s->has_row && count; i++) {
		const struct bookmark *b = &s->bookmark[backward ? s->n_bookmarks - 1 - i : i];
		int order = tn_location_compare(&b->at, &s->row.location);

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

void
marks_release(struct session *s)
{
	while (s->n_bookmarks)
		marks_remove(s, s->n_bookmarks - 1);
	free(s->bookmark);
	s->bookmark = NULL;
}

static int
by_place(const void *a, const void *b)
{
	return tn_location_compare(&((const struct bookmark *)a)->at, &((const struct bookmark *)b)->at);
}

void
marks_shift(struct session *s, const int64_t *by, size_t n)
{
	if (s->select_from.stream < n)
		s->select_from.time_ns = (int64_t)((uint64_t)s->select_from.time_ns + (uint64_t)by[s->select_from.stream]);
	for (size_t i = 0; i < s->n_bookmarks; i++)
		if (s->bookmark[i].at.stream < n) {
			uint64_t shift = (uint64_t)by[s->bookmark[i].at.stream];

			s->bookmark[i].at.time_ns = (int64_t)((uint64_t)s->bookmark[i].at.time_ns + shift);
			s->bookmark[i].time_ns = (int64_t)((uint64_t)s->bookmark[i].time_ns + shift);
		}
	if (s->n_bookmarks)
		qsort(s->bookmark, s->n_bookmarks, sizeof *s->bookmark, by_place);
}
