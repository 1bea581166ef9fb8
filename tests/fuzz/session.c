/*
 * session.c - where one was and what is marked, as the browser keeps it for a trace
 *
 * What was read is written and read again: that is the same, whatever the file was.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/cursor.h>
#include <tnav/tnav.h>

#include "select/filters.h"
#include "reopen/session_file.h"
#include "select/marks.h"
#include "reopen/reopen.h"
#include "session/settings.h"
#include "fuzz/targets.h"
#include "session/store.h"

static struct tn_set *set;

static void
open_set(void)
{
	static uint8_t stream[1024];
	const struct tn_memory_file file[] = { { "metadata", fuzz_metadata, strlen(fuzz_metadata) }, { "s", stream, sizeof stream } };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true };

	for (size_t i = 0; i < sizeof stream; i += 128) {
		uint32_t bits = 128 * 8;

		memcpy(stream + i, "\xc1\x1f\xfc\xc1", 4);
		memcpy(stream + i + 21, &bits, 4);
		memcpy(stream + i + 25, &bits, 4);
	}
	if (tn_set_open_memory(&set, file, 2, &how, NULL) != TN_OK)
		abort();
}

struct one {
	struct session session;
	struct filters filters;
	struct session_file session_file;
};

static void
begin_session(struct one *o)
{
	static const struct browse_options options = { .text = TN_TEXT_OPTIONS_DEFAULT, .threads = 1 };
	struct session *s = &o->session;

	*o = (struct one) { .session_file = { "" } };
	jobs_init(&s->jobs, NULL);
	if (!traces_init(&s->traces, set, false))
		abort();
	asks_init(&s->asks, s);
	s->options = &options;
	session_bound(s);
	settings_defaults(&s->settings, &options);
	if (session_query(s, &s->asks.query, NULL, 0, &(struct tn_error) { 0 }) != TN_OK)
		abort();
}

static void
end_session(struct one *o)
{
	struct session *s = &o->session;

	filters_forget(&o->filters);
	asks_release(&s->asks);
	here_release(&s->here);
	answer_asks_release(&s->answers);
	traces_release(&s->traces);
}

/* Each mark leads somewhere, or to an error. */
static void
visit_marks(const struct session *s)
{
	struct tn_cursor *cur;

	if (tn_cursor_new(&cur, set, NULL) != TN_OK)
		abort();
	for (size_t i = 0; i < s->here.n_bookmarks; i++)
		if (tn_cursor_restore(cur, &s->here.bookmark[i].at, NULL) == TN_OK)
			(void)!tn_cursor_prev(cur, NULL);
	tn_cursor_free(cur);
}

/* Go on from the file, and write it again: its text. */
static char *
pass_through(const char *path)
{
	struct tn_error err;
	struct one o;
	size_t n;
	char *text;

	begin_session(&o);
	session_file_begin_usual(&o.session_file, &o.session, &o.filters);
	visit_marks(&o.session);
	if (!session_file_save(&o.session_file, &o.session, &err))
		abort();
	end_session(&o);
	text = lines_read(path, &n, &err);
	for (size_t i = 0; text && i < n; i++)
		if (!text[i])
			text[i] = '\n';
	if (!text && !strstr(err.text, "too large"))
		abort();
	return text;
}

void
fuzz_session(const uint8_t *data, size_t n)
{
	static char name[96], path[192];
	char *first, *second;

	if (!*path) {
		const char *home = fuzz_home(), *at;
		struct tn_error err;
		char names[96];
		struct one o;

		open_set();
		begin_session(&o);
		strcpy(o.session_file.name, PLACE_USUAL);
		if (!session_file_save(&o.session_file, &o.session, &err))
			abort();
		end_session(&o);
		store_list("sessions", "", names, sizeof names);
		at = strstr(names, "-" PLACE_USUAL);	/* sixteen digits before it */
		if (!at || at - names < 16)
			abort();
		snprintf(name, sizeof name, "sessions/%.16s-%s", at - 16, PLACE_USUAL);
		snprintf(path, sizeof path, "%s/%s", home, name);
	}
	fuzz_home_file(name, data, n);
	first = pass_through(path);
	second = pass_through(path);
	if (first && (!second || strcmp(first, second) != 0)) {
		fprintf(stderr, "written, read and written again it is something else:\n%s---\n%s", first, second ? second : "(none)");
		abort();
	}
	free(first);
	free(second);
}
