#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exclude.h"
#include "session/expression.h"

/* The chosen value or the event class as a condition. NULL: the session shows why this is impossible. */
static char *
condition_of(struct session *s, bool of_field)
{
	const struct tn_row *row = &s->here.row;
	const char *name;
	char *text;

	if (of_field && (!s->here.focus_path || !s->here.focus_value)) {
		session_say(s, "%s", _("This line has no value to filter by."));
		return NULL;
	}
	if (of_field)
		return asprintf(&text, "%s == %s", s->here.focus_path, s->here.focus_value) < 0 ? NULL : text;
	if (!s->here.has_row || row->kind != TN_ROW_EVENT) {
		session_say(s, "%s", s->here.has_row ? _("This row is not an event: H hides losses and damage.") :
			    _("no event is selected"));
		return NULL;
	}
	name = row->event_class ? tn_event_class_name(row->event_class) : NULL;
	if (!name) {
		session_say(s, "%s", _("This event has no name to filter by: choose a field of its details."));
		return NULL;
	}
	return expression_text("name", name, strlen(name));
}

void
exclude(struct filters *f, struct session *s, bool of_field)
{
	char *text = expression_not(condition_of(s, of_field));
	struct tn_error err;

	if (of_field && text)
		text = expression_or_without(text, s->here.focus_path);
	if (!text)
		return;
	if (!filters_add(f, s, text, &err))
		session_fail(s, "%s", err.text);
	else
		session_say(s, _("hidden: U shows them again"));
	free(text);
}
