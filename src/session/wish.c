#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wish.h"

static char *
copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

void
wish_for(struct session *s, enum answer_kind kind, const char *spans, const char *by, const char *show, const char *where)
{
	struct answer_wish *w = &s->answers.wish;
	struct answer_wish wish = {
		.changes = w->changes, .kind = kind, .spans = copy(spans), .by = copy(by), .show = copy(show), .where = copy(where),
	};

	s->answers.asks_anew = true;
	answer_wish_release(w);
	free(w->left.row);
	*w = wish;
}

void
wish_why(struct session *s, const char *spans, const struct bounds *range, const char *condition)
{
	struct tn_str text = { 0 };

	if (range)
		tn_str_printf(&text, "time >= @%" PRId64 " and time <= @%" PRId64, range->begin_ns, range->end_ns);
	if (condition && *condition)
		tn_str_printf(&text, range ? " and (%s)" : "%s", condition);
	wish_for(s, ANSWER_WHY, spans, NULL, NULL, NULL);
	s->answers.wish.why = text.text ? strdup(text.text) : NULL;
	tn_str_release(&text);
}

void
wish_diff(struct session *s, const char *path)
{
	char *own = copy(path);	/* @path may be a text of the wish */

	wish_for(s, ANSWER_DIFF, NULL, NULL, NULL, NULL);
	s->answers.wish.other = own;
}

bool
wish_sequence(struct session *s, const char *definition)
{
	struct answer_wish *w = &s->answers.wish;
	const struct bounds part[2] = { w->part[0], w->part[1] };
	char *own;

	if (!w->other && !w->part[0].has_begin)
		return false;
	own = copy(w->other);
	wish_for(s, ANSWER_SEQUENCE, NULL, definition, NULL, NULL);
	w->other = own;
	memcpy(w->part, part, sizeof w->part);
	return true;
}

static void
wish_ranges(struct session *s, const struct bounds *first, const struct bounds *second)
{
	wish_for(s, ANSWER_DIFF, NULL, NULL, NULL, NULL);
	s->answers.wish.part[0] = *first;
	s->answers.wish.part[1] = *second;
	s->answers.has_part = false;
}

/* Get the time between the two marks with letters, if there are exactly two. */
static bool
between_marks(const struct session *s, struct bounds *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->here.n_bookmarks; i++)
		if (s->here.bookmark[i].letter && n++ < 2) {
			out->begin_ns = n == 1 ? s->here.bookmark[i].time_ns : out->begin_ns;
			out->end_ns = s->here.bookmark[i].time_ns;
		}
	out->has_begin = out->has_end = n == 2;
	return n == 2;
}

bool
wish_parts(struct session *s, const struct bounds *selected)
{
	const struct bounds rest = { .has_begin = false };
	struct bounds marked = { .has_begin = false };

	if (selected && !s->answers.has_part) {
		s->answers.has_part = true;
		s->answers.part = *selected;
		session_say(s, "%s", _("first range set: select another and press X; X alone compares the rest"));
		return false;
	}
	if (!s->answers.has_part && !between_marks(s, &marked)) {
		session_say(s, "%s",
			    _("X compares two ranges: V selects one, X sets it; or the time between two marks with the rest"));
		return false;
	}
	if (s->answers.has_part)
		marked = s->answers.part;
	wish_ranges(s, &marked, selected ? selected : &rest);
	return true;
}
