#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_file.h"
#include "reopen.h"
#include "select/marks.h"
#include "session/settings.h"
#include "session/store.h"

#define FOLDER "sessions"
#define FIRST_LINE "tnav session 1"
#define KEPT_MOST 200	/* largest number of traces with a stored session */
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

/* ---- identity of the traces ---- */

static uint64_t
mix(uint64_t hash, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
	return hash;
}

/* The identity of the traces, from their UUIDs or else their paths, so that two runs of a program differ. */
static uint64_t
identity(const struct session *s)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < tn_set_trace_count(s->traces.set); i++) {
		const struct tn_trace *trace = tn_set_trace(s->traces.set, i);
		const uint8_t *uuid = tn_trace_uuid(trace);
		const char *path = tn_trace_path(trace);

		hash = uuid ? mix(hash, uuid, 16) : mix(hash, path, strlen(path) + 1);
	}
	return mix(hash, (size_t[]) { tn_set_stream_count(s->traces.set) }, sizeof(size_t));
}

static void
file_name(const struct session *s, const char *name, char *out, size_t size)
{
	snprintf(out, size, FOLDER "/%016" PRIx64 "-%s", identity(s), name);
}

/* ---- writing ---- */

/* The time without the shift, because shifts are stored separately. */
static int64_t
own_time(const struct session *s, const struct tn_location *at, int64_t time_ns)
{
	if (at->stream >= tn_set_stream_count(s->traces.set))
		return time_ns;
	return (int64_t)((uint64_t)time_ns
			 - (uint64_t)session_offset(s, tn_stream_trace(tn_set_stream(s->traces.set, at->stream))));
}

static void
put_location(struct line *l, const struct session *s, const char *word, const struct tn_location *at)
{
	line_printf(l, STYLE_TEXT, "%s %" PRId64 " %" PRIu32 " %" PRIu32 " %" PRIu64, word, own_time(s, at, at->time_ns),
		    at->stream, at->packet, at->row);
}

static void
put_columns(struct line *l, const struct settings *set)
{
	if (!set->columns_chosen)
		return;
	line_puts(l, STYLE_TEXT, "set columns ");
	settings_put(set, "columns", l);
	line_puts(l, STYLE_TEXT, "\n");
	for (size_t i = 0; i < COLUMN_KINDS; i++)
		if (set->column[i].on && set->column[i].width)
			line_printf(l, STYLE_TEXT, "width %d %s\n", set->column[i].width, column_name(set, set->column[i].kind));
}

static void
put_conditions(struct line *l, const struct session *s)
{
	for (size_t i = 0; i < s->asks.n_conditions; i++) {
		const struct condition *c = &s->asks.condition[i];

		if (c->is_range)
			line_printf(l, STYLE_TEXT, "range %d %d %d %" PRId64 " %" PRId64 " %s\n", c->on, c->has_begin, c->has_end,
				    c->begin_ns, c->end_ns, c->text);
		if (c->is_range || strchr(c->text, '\n'))
			continue;
		line_printf(l, STYLE_TEXT, "filter %d ", c->on);
		line_puts(l, STYLE_TEXT, c->text);
		line_puts(l, STYLE_TEXT, "\n");
	}
}

static void
put_marks(struct line *l, const struct session *s)
{
	for (size_t i = 0; i < s->here.n_bookmarks; i++) {
		const struct bookmark *b = &s->here.bookmark[i];

		put_location(l, s, "mark", &b->at);
		line_printf(l, STYLE_TEXT, " %" PRId64 " %d ", own_time(s, &b->at, b->time_ns), b->letter);
		line_puts(l, STYLE_TEXT, b->text ? b->text : "");
		line_puts(l, STYLE_TEXT, "\n");
		if (b->note) {
			line_puts(l, STYLE_TEXT, "note ");
			line_puts(l, STYLE_TEXT, b->note);
			line_puts(l, STYLE_TEXT, "\n");
		}
	}
}

static bool
save(const char *name, const struct session *s, struct tn_error *err)
{
	const struct settings *set = &s->settings;
	struct line l = { 0 };
	char file[128];
	bool good;

	line_puts(&l, STYLE_TEXT, FIRST_LINE "\n");
	for (size_t i = 0; i < tn_set_trace_count(s->traces.set); i++)
		if (session_offset(s, tn_set_trace(s->traces.set, i)))
			line_printf(&l, STYLE_TEXT, "offset %zu %" PRId64 "\n", i,
				    session_offset(s, tn_set_trace(s->traces.set, i)));
	put_columns(&l, set);
	line_printf(&l, STYLE_TEXT, "set time %s\nset delta %s\nset utc %s\nset wrap %s\nset losses %s\n",
		    settings_value("time", set->text.time), settings_value("delta", set->delta), set->text.utc ? "on" : "off",
		    set->wrap ? "on" : "off", set->losses ? "on" : "off");
	if (set->since_origin || set->origin_ns)
		line_printf(&l, STYLE_TEXT, "origin %d %" PRId64 "\n", set->since_origin, set->origin_ns);
	for (size_t i = 0; i < COLOR_RULES && *set->rule[i].text; i++) {
		line_puts(&l, STYLE_TEXT, "color ");
		line_puts(&l, STYLE_TEXT, set->rule[i].text);
		line_printf(&l, STYLE_TEXT, " %s\n", style_name_of(set->rule[i].style));
	}
	put_conditions(&l, s);
	put_marks(&l, s);
	if (s->here.has_row) {
		put_location(&l, s, "place", &s->here.row.location);
		line_puts(&l, STYLE_TEXT, "\n");
	}
	file_name(s, name, file, sizeof file);
	good = store_write(file, l.text ? l.text : "", l.n, err);
	line_release(&l);
	return good;
}

/*
 * Whether the session is worth storing. A stored session that was offered but not accepted is only replaced by one with
 * marks or filters.
 */
static bool
is_worth_keeping(const struct session_file *k, const struct session *s)
{
	bool has = s->here.n_bookmarks || s->asks.n_conditions;

	if (k->offered && !k->taken)
		return has;
	return has || (s->here.has_row && s->traces.has_range && s->here.row.location.time_ns > s->traces.begin_ns);
}

bool
session_file_save(const struct session_file *k, const struct session *s, struct tn_error *err)
{
	if (*k->name)
		return save(k->name, s, err);
	/* Ignore a failure to write the folder, because the user did not request this. */
	if (k->automatic && s->settings.session == SESSION_AUTO && is_worth_keeping(k, s) && save(PLACE_USUAL, s, err))
		store_prune(FOLDER, "-" PLACE_USUAL, KEPT_MOST);
	return true;
}

/* ---- reading: nothing in the file is trusted ---- */

struct reading {
	struct session *s;
	struct tn_trace_offset *offset;	/* offsets of all traces */
	size_t n_offsets;
	bool shifted;
	struct condition *condition;
	size_t n;
	struct bookmark *mark;
	size_t n_marks;
	bool has_place;
	struct tn_location place;
};

static bool
read_location(const struct reading *r, const char *text, struct tn_location *out, int *used)
{
	int n = 0;

	if (sscanf(text, "%" SCNd64 " %" SCNu32 " %" SCNu32 " %" SCNu64 "%n", &out->time_ns, &out->stream, &out->packet,
		   &out->row, &n) != 4 || out->stream >= tn_set_stream_count(r->s->traces.set))
		return false;
	if (used)
		*used = n;
	return true;
}

static void
read_offset(struct reading *r, const char *text)
{
	size_t i;
	int64_t ns;

	if (sscanf(text, "%zu %" SCNd64, &i, &ns) != 2 || i >= r->n_offsets)
		return;
	r->offset[i].offset_ns = ns;
	r->shifted |= ns != 0;
}

#define CONDITIONS_MAX 100

static void
read_condition(struct reading *r, const char *text, bool is_range)
{
	struct condition c = { .is_range = is_range }, *grown;
	int n = 0, on = 0, has_begin = 0, has_end = 0;

	if (is_range ? sscanf(text, "%d %d %d %" SCNd64 " %" SCNd64 " %n", &on, &has_begin, &has_end, &c.begin_ns, &c.end_ns,
			      &n) != 5 : sscanf(text, "%d %n", &on, &n) != 1)
		return;
	if (!n || !text[n] || r->n >= CONDITIONS_MAX)
		return;
	grown = realloc(r->condition, (r->n + 1) * sizeof *grown);
	if (!grown)
		return;
	r->condition = grown;
	c.on = on;
	c.has_begin = has_begin;
	c.has_end = has_end;
	c.text = strdup(text + n);
	if (c.text)
		r->condition[r->n++] = c;
}

#define MARKS_MAX 10000

static void
read_mark(struct reading *r, const char *text)
{
	struct bookmark b = { .letter = 0 }, *grown;
	int n = 0, more = 0, letter = 0;

	if (r->n_marks >= MARKS_MAX || !read_location(r, text, &b.at, &n)
	    || sscanf(text + n, " %" SCNd64 " %d %n", &b.time_ns, &letter, &more) != 2 || letter < 0 || letter > 0x7e)
		return;
	grown = realloc(r->mark, (r->n_marks + 1) * sizeof *grown);
	if (!grown)
		return;
	r->mark = grown;
	b.letter = letter > ' ' ? (char)letter : 0;
	b.text = strdup(more ? text + n + more : "");
	r->mark[r->n_marks++] = b;
}

static void
read_width(struct reading *r, const char *text)
{
	struct settings *set = &r->s->settings;
	char *name;
	long width = strtol(text, &name, 10);

	for (size_t i = 0; i < COLUMN_KINDS && *name == ' ' && width > 0 && width < 1000; i++)
		if (set->column[i].on && strcmp(column_name(set, set->column[i].kind), name + 1) == 0)
			set->column[i].width = (int)width;
}

static void
read_origin(struct settings *set, const char *text)
{
	set->since_origin = *text == '1';
	set->origin_ns = *text ? strtoll(text + 1, NULL, 10) : 0;
}

static void
read_line(struct reading *r, char *line)
{
	struct settings *set = &r->s->settings;
	char *rest = strchr(line, ' '), *value;
	struct tn_error err;

	if (!rest)
		return;
	*rest++ = '\0';
	if (strcmp(line, "offset") == 0)
		read_offset(r, rest);
	else if (strcmp(line, "filter") == 0 || strcmp(line, "range") == 0)
		read_condition(r, rest, *line == 'r');
	else if (strcmp(line, "mark") == 0)
		read_mark(r, rest);
	else if (strcmp(line, "note") == 0 && r->n_marks && !r->mark[r->n_marks - 1].note)
		r->mark[r->n_marks - 1].note = strdup(rest);
	else if (strcmp(line, "place") == 0)
		r->has_place = read_location(r, rest, &r->place, NULL);
	else if (strcmp(line, "origin") == 0)
		read_origin(set, rest);
	else if (strcmp(line, "color") == 0)
		(void)!settings_color(set, rest, &err);
	else if (strcmp(line, "width") == 0)
		read_width(r, rest);
	else if (strcmp(line, "set") == 0 && (value = strchr(rest, ' ')) != NULL) {
		*value++ = '\0';
		(void)!settings_set(set, rest, value, &err);
	}
}

static void
list_offsets(struct reading *r)
{
	size_t n = tn_set_trace_count(r->s->traces.set);

	r->offset = calloc(n + 1, sizeof *r->offset);
	for (size_t i = 0; r->offset && i < n; i++) {
		r->offset[i].path = strdup(tn_trace_path(tn_set_trace(r->s->traces.set, i)));
		if (!r->offset[i].path)
			break;
		r->n_offsets = i + 1;
	}
}

/* Restore the marks, with the current shifts. */
static void
take_marks(struct reading *r)
{
	struct session *s = r->s;

	bookmarks_release(&s->here);
	for (size_t i = 0; i < r->n_marks; i++) {
		struct bookmark *b = &r->mark[i];
		uint64_t shift = (uint64_t)session_offset(s, tn_stream_trace(tn_set_stream(s->traces.set, b->at.stream)));

		b->at.time_ns = (int64_t)((uint64_t)b->at.time_ns + shift);
		b->time_ns = (int64_t)((uint64_t)b->time_ns + shift);
	}
	s->here.bookmark = r->mark;
	s->here.n_bookmarks = r->n_marks;
	r->mark = NULL;
	r->n_marks = 0;
}

/* Apply a session. False: *err names a filter that is no longer valid; all other parts are restored. */
static bool
take(struct reading *r, struct filters *f, struct tn_error *err)
{
	struct session *s = r->s;
	struct place place = { .kind = r->has_place ? PLACE_LOCATION : PLACE_BEGIN, .location = r->place };
	bool good = true;

	take_marks(r);
	s->wish.requery = s->wish.refresh = true;
	if (r->n || s->asks.n_conditions) {
		good = filters_set(f, s, r->condition, r->n, err);
		r->condition = NULL;	/* filters_set() owns it in any case */
		r->n = 0;
	}
	if (r->has_place)
		place.location.time_ns = (int64_t)((uint64_t)place.location.time_ns
			+ (uint64_t)session_offset(s, tn_stream_trace(tn_set_stream(s->traces.set, place.location.stream))));
	if (r->shifted && s->options->reopen) {
		reopen_start(s, r->offset, r->n_offsets, &place, ALIGN_MIDDLE, _("offset alone lists the shifts"));
		r->offset = NULL;
	} else if (r->has_place) {
		session_go(s, &place, ALIGN_MIDDLE);
	}
	return good;
}

static void
release(struct reading *r)
{
	offsets_free(r->offset, r->offset ? r->n_offsets : 0);
	conditions_free(r->condition, r->n);
	for (size_t i = 0; i < r->n_marks; i++) {
		free(r->mark[i].note);
		free(r->mark[i].text);
	}
	free(r->mark);
}

/* Load a session. False: there is no session with this name. */
static bool
load(struct session *s, struct filters *f, const char *name)
{
	struct reading r = { .s = s };
	struct tn_error err;
	char file[128], *all;
	size_t n = 0;
	bool ours;

	file_name(s, name, file, sizeof file);
	all = store_read(file, &n);
	if (!all)
		return false;
	ours = strcmp(all, FIRST_LINE) == 0;
	list_offsets(&r);
	for (char *line = all, *next; ours && line < all + n; line = next) {
		next = line + strlen(line) + 1;
		read_line(&r, line);
	}
	if (!ours)
		session_fail(s, _("'%s' is not a session that this version can read"), name);
	else if (!take(&r, f, &err))
		session_fail(s, "%s", err.text);
	else
		session_say(s, _("session %s is restored"), name);
	release(&r);
	free(all);
	return true;
}

/* ---- sessions on request ---- */

void
session_file_begin(struct session_file *k, struct session *s, struct filters *f, const char *name)
{
	char begin[64], list[MESSAGE_SIZE - 200];
	struct tn_error err;

	if (!*name) {
		snprintf(begin, sizeof begin, "%016" PRIx64 "-", identity(s));
		store_list(FOLDER, begin, list, sizeof list);
		session_say(s, *list ? _("sessions of these traces: %s") : _("no session of these traces is stored%s: session "
			"NAME starts one"), list);
		return;
	}
	if (strcmp(name, "off") == 0) {
		session_say(s, *k->name ? _("session %s is no longer stored: its last state is "
					    "kept") : _("no session is stored%s"), k->name);
		k->name[0] = '\0';
		return;
	}
	if (strlen(name) > PLACE_NAME || name[strspn(name, NAME_CHARACTERS)] || *name == '.') {
		session_fail(s, _("a session name has up to %d letters, digits, _ - and ."), PLACE_NAME);
		return;
	}
	if (*k->name && strcmp(k->name, name) != 0 && !session_file_save(k, s, &err)) {
		session_fail(s, "%s", err.text);
		return;
	}
	if (strcmp(k->name, name) == 0 || !load(s, f, name)) {	/* store it now too, so that a later crash loses nothing */
		strcpy(k->name, name);
		if (session_file_save(k, s, &err))
			session_say(s, _("session %s is stored from now on"), name);
		else
			session_fail(s, "%s", err.text);
	}
	strcpy(k->name, name);
}

void
session_file_begin_usual(struct session_file *k, struct session *s, struct filters *f)
{
	strcpy(k->name, PLACE_USUAL);
	load(s, f, PLACE_USUAL);
}

/* ---- the offer at the start ---- */

void
session_file_offer(struct session_file *k, struct session *s)
{
	struct reading r = { .s = s };
	char file[128], marks[64] = "", filters[64] = "", *all;
	size_t n = 0, n_marks = 0, n_filters = 0;
	struct line l = { 0 };

	k->automatic = true;
	file_name(s, PLACE_USUAL, file, sizeof file);
	all = store_read(file, &n);
	if (!all)
		return;
	k->offered = strcmp(all, FIRST_LINE) == 0;
	for (char *line = all; k->offered && line < all + n; line += strlen(line) + 1) {
		n_marks += strncmp(line, "mark ", 5) == 0;
		n_filters += strncmp(line, "filter ", 7) == 0 || strncmp(line, "range ", 6) == 0;
		if (strncmp(line, "place ", 6) == 0)
			r.has_place = read_location(&r, line + 6, &r.place, NULL);
	}
	free(all);
	k->offered &= r.has_place || n_marks || n_filters;
	if (!k->offered || *s->message)
		return;
	if (r.has_place)
		session_put_time(s, &l, STYLE_TEXT, r.place.time_ns);
	if (n_marks)
		snprintf(marks, sizeof marks, ngettext(", %zu mark", ", %zu marks", n_marks), n_marks);
	if (n_filters)
		snprintf(filters, sizeof filters, ngettext(", %zu filter", ", %zu filters", n_filters), n_filters);
	session_say(s, _("Last time: %s%s%s. ^R goes there."), l.text ? l.text : "", marks, filters);
	line_release(&l);
}

void
session_file_restore(struct session_file *k, struct session *s, struct filters *f)
{
	k->taken = load(s, f, PLACE_USUAL);
	if (!k->taken)
		session_say(s, "%s", _("No place of these traces is stored."));
}
