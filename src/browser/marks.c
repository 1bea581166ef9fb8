/*
 * marks.c - marks and bookmarks: places with a letter, places with a note
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "app_state.h"

void
app_remove_bookmark(struct app *a, size_t i)
{
	struct session *s = &a->session;

	free(s->bookmark[i].note);
	free(s->bookmark[i].text);
	memmove(&s->bookmark[i], &s->bookmark[i + 1], (--s->n_bookmarks - i) * sizeof *s->bookmark);
}

static char *
row_name(struct app *a)
{
	const struct event_row *r = events_row(a->screen[0]);
	size_t n = 0;
	const char *text = r ? event_row_piece(r, r->row.kind == TN_ROW_EVENT ? PIECE_NAME : PIECE_PAYLOAD, &n) : "";

	return strndup(text, n);
}

/* Put a mark in the order of time; one of the same letter goes. */
void
app_mark(struct app *a, char letter, const char *note)
{
	struct session *s = &a->session;
	struct bookmark *grown;
	size_t i = 0;

	if (!s->has_row)
		return;
	for (size_t k = 0; letter && k < s->n_bookmarks; k++)
		if (s->bookmark[k].letter == letter) {
			app_remove_bookmark(a, k);
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
		.note = note && *note ? strdup(note) : NULL, .text = row_name(a),
	};
	if (letter)
		session_say(s, _("mark %c set"), letter);
	else
		session_say(s, _("bookmark set: B lists them"));
}

void
app_toggle_bookmark(struct app *a)
{
	struct session *s = &a->session;

	for (size_t i = 0; s->has_row && i < s->n_bookmarks; i++)
		if (!s->bookmark[i].letter && tn_location_compare(&s->bookmark[i].at, &s->row.location) == 0) {
			app_remove_bookmark(a, i);
			session_say(s, _("bookmark removed"));
			return;
		}
	app_mark(a, 0, NULL);
}

static void
go_to(struct app *a, const struct bookmark *b)
{
	struct place place = { .kind = PLACE_LOCATION, .location = b->at };

	app_go(a, &place, ALIGN_NEAR);
	if (b->note)
		session_say(&a->session, "%s", b->note);
}

bool
app_go_mark(struct app *a, char letter)
{
	struct session *s = &a->session;

	for (size_t i = 0; i < s->n_bookmarks; i++)
		if (s->bookmark[i].letter == letter) {
			go_to(a, &s->bookmark[i]);
			return true;
		}
	return false;
}

void
app_go_bookmark(struct app *a, bool backward, uint64_t count)
{
	struct session *s = &a->session;
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
		go_to(a, hit);
	else
		session_say(s, backward ? _("no bookmark above") : _("no bookmark below"));
}
