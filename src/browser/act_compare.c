/* act_compare.c - the keys a and X on selected events */
#include <config.h>

#include <stdio.h>

#include "act.h"
#include "select/selection.h"
#include "session/wish.h"

/* X compares two ranges; a explains the selected events or, in the details, the events with the chosen value. */
bool
act_compare(struct app *a, enum action action)
{
	struct session *s = &a->session;
	const bool value = screens_active(&a->screens)->class == &details_view && s->here.focus_path && s->here.focus_value;
	struct bounds bounds;
	bool selected = selection_bounds(s, &bounds);
	char text[PROMPT_SIZE] = "";

	if (action == ACT_COMPARE && !wish_parts(s, selected ? &bounds : NULL)) {
		s->here.selecting = false;
		return false;
	}
	if (action == ACT_WHY && !selected && !value) {
		session_say(s, "%s", _("select events with V, then press a; or press a in details, spans, histogram"));
		return false;
	}
	if (value)
		snprintf(text, sizeof text, "%s == %s", s->here.focus_path, s->here.focus_value);
	if (action == ACT_WHY)
		wish_why(s, NULL, selected ? &bounds : NULL, selected ? NULL : text);
	s->here.selecting = false;
	return true;
}
