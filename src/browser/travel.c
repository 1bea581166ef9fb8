#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "session/session.h"
#include "travel.h"

/* Fields that mean the same under other names: the condition that is made of them is among the filters. */
static const char *const same[][8] = {
	{ "tid", "vtid", "next_tid", "prev_tid", "event.fields.tid", "child_tid" },
	{ "pid", "vpid", "parent_pid", "child_pid", "event.fields.pid" },
	{ "process", "procname", "comm", "next_comm", "prev_comm" },
	{ "sector", "event.fields.sector" }, { "skbaddr" }, { "fd", "fildes", "ufd" },
};

/* Whether some event has it. */
static bool
is_there(struct session *s, const char *name, const char *value)
{
	struct tn_filter *filter;
	char text[1024];
	bool there;

	if ((size_t)snprintf(text, sizeof text, "%s == %s", name, value) >= sizeof text ||
	    tn_filter_new(&filter, s->set, NULL) != TN_OK)
		return false;
	there = tn_filter_add_expression(filter, text, NULL) == TN_OK;
	tn_filter_free(filter);
	return there;
}

static void
add_name(struct session *s, char *text, size_t size, const char *name)
{
	size_t n = strlen(text);

	if (is_there(s, name, s->focus_value))
		snprintf(text + n, size - n, "%s%s == %s", n ? " or " : "", name, s->focus_value);
}

bool
travel(struct filters *f, struct session *s, struct tn_error *err)
{
	const char *tail = s->focus_path ? strrchr(s->focus_path, '.') : NULL;
	char text[2048] = "";

	err->code = TN_ERR_ARGUMENT;
	if (!s->focus_path || !s->focus_value) {
		snprintf(err->text, sizeof err->text, "%s", _("choose a field first: Enter opens the details, Tab goes there"));
		return false;
	}
	tail = tail ? tail + 1 : s->focus_path;
	for (size_t i = 0; i < sizeof same / sizeof *same && !*text; i++)
		for (size_t k = 0; k < 8 && same[i][k] && !*text; k++)
			if (strcmp(same[i][k], tail) == 0)
				for (size_t j = 0; j < 8 && same[i][j]; j++)
					add_name(s, text, sizeof text, same[i][j]);
	if (!*text)
		add_name(s, text, sizeof text, tail);
	if (!*text)
		snprintf(text, sizeof text, "%s == %s", s->focus_path, s->focus_value);
	return filters_add(f, s, text, err);
}
