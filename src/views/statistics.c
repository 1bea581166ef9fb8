#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_line.h"
#include "list.h"
#include "session/expression.h"

/*
 * The number of events of each type and each stream that match the filters. A job counts; the numbers so far are shown
 * meanwhile. Tab sorts by number or by name. Enter on a type filters for it. Types with one name are one row, which can
 * be opened to show them.
 */
struct kind_of_row {
	bool is_stream;
	bool is_part;		/* a type whose name is that of the row above */
	bool open, hidden;	/* its parts are shown; it is a part that is not shown */
	uint32_t stream;
	size_t class, parts;	/* index of the class, or of the first class with the name; number of types with the name */
	const struct tn_event_class *event_class;
	char *name;		/* safe for a terminal; for a part, the name of its trace */
	const char *of;		/* name of the type, or of the stream */
	uint64_t n, of_n;	/* counts at the last turn: its own, and of all types with the name */
};

struct kind_count {
	atomic_ullong *by_class;	/* for all traces: index of the class, from the first class of its trace on */
	atomic_ullong *by_stream;
	size_t n_classes, n_streams;
};

struct statistics {
	struct list_view list;
	struct kind_of_row *item;	/* hidden rows are last */
	size_t n_items;
	struct job *job;	/* set while the job counts */
	struct bounds counted;	/* the range to count, as far as the traces had settled */
	uint64_t all;
	bool by_name, complete;
};

struct counting {
	struct statistics *view;	/* for the app's thread only */
	struct kind_count tally;
	const struct tn_trace **trace;
	size_t *trace_at, n_traces;	/* index of the first class of each trace */
	size_t *same;			/* for each class, the first class with its name */
};

static size_t
class_number(const struct counting *c, const struct tn_event_class *ec)
{
	const struct tn_trace *trace = tn_event_class_trace(ec);

	for (size_t i = 0; i < c->n_traces; i++)
		if (c->trace[i] == trace)
			return c->trace_at[i] + tn_event_class_index(ec);
	return SIZE_MAX;
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct counting *c = job->data;
	size_t i;

	if (row->kind != TN_ROW_EVENT)
		return 0;
	i = class_number(c, row->event_class);
	if (i < c->tally.n_classes)
		atomic_store_explicit(&c->tally.by_class[i],
				      atomic_load_explicit(&c->tally.by_class[i], memory_order_relaxed) + 1,
				      memory_order_relaxed);
	if (row->location.stream < c->tally.n_streams)
		atomic_store_explicit(&c->tally.by_stream[row->location.stream],
				      atomic_load_explicit(&c->tally.by_stream[row->location.stream],
							   memory_order_relaxed) + 1, memory_order_relaxed);
	return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

/* Use the counts of packets that were counted before. */
static bool
on_packet(void *user, const struct tn_packet_counts *counts)
{
	struct counting *c = ((struct job *)user)->data;

	for (size_t i = 0; i < counts->n_classes; i++) {
		size_t k = class_number(c, counts->event_class[i]);

		if (k < c->tally.n_classes)
			atomic_fetch_add_explicit(&c->tally.by_class[k], counts->count[i], memory_order_relaxed);
	}
	if (counts->stream < c->tally.n_streams)
		atomic_fetch_add_explicit(&c->tally.by_stream[counts->stream], counts->events, memory_order_relaxed);
	return true;
}

static void
count_run(struct job *job)
{
	struct tn_scan_options options = job_scan_options(job);

	options.any_order = true;
	options.row = on_row;
	options.packet = on_packet;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

static void
count_free(void *data)
{
	struct counting *c = data;

	free(c->tally.by_class);
	free(c->tally.by_stream);
	free(c->trace);
	free(c->trace_at);
	free(c->same);
	free(c);
}

/* ---- the view ---- */

static int
by_place(const struct kind_of_row *x, const struct kind_of_row *y)
{
	int order = strcmp(x->of, y->of);

	if (!order)
		order = y->class == x->class ? x->is_part - y->is_part : 0;
	if (!order && x->is_part != y->is_part)
		order = x->is_part - y->is_part;
	if (!order && x->n != y->n)
		order = x->n < y->n ? 1 : -1;
	return order ? order : strcmp(x->name, y->name);
}

static int
compare(const struct kind_of_row *x, const struct kind_of_row *y, bool name)
{
	if (x->hidden != y->hidden)
		return x->hidden - y->hidden;
	if (x->is_stream != y->is_stream)
		return x->is_stream - y->is_stream;
	if (!name && x->of_n != y->of_n)
		return x->of_n < y->of_n ? 1 : -1;
	return by_place(x, y);
}

static int
by_number(const void *a, const void *b)
{
	return compare(a, b, false);
}

static int
by_name(const void *a, const void *b)
{
	return compare(a, b, true);
}

static void
sort(struct statistics *t)
{
	qsort(t->item, t->n_items, sizeof *t->item, t->by_name ? by_name : by_number);
	for (t->list.n = 0; t->list.n < t->n_items && !t->item[t->list.n].hidden; t->list.n++)
		;
}

static void
update(struct statistics *t, const struct counting *c)
{
	uint64_t *all = calloc(c->tally.n_classes + 1, sizeof *all);

	if (!all)
		return;
	for (size_t i = 0; i < c->tally.n_classes; i++)
		all[c->same[i]] += atomic_load(&c->tally.by_class[i]);
	t->all = 0;
	for (size_t i = 0; i < t->n_items; i++) {
		struct kind_of_row *r = &t->item[i];

		r->of_n = r->is_stream ? atomic_load(&c->tally.by_stream[r->stream]) : all[c->same[r->class]];
		r->n = r->is_part ? atomic_load(&c->tally.by_class[r->class]) : r->of_n;
		if (r->is_stream)
			t->all += r->n;
	}
	free(all);
	sort(t);
}

static void
count_end(struct job *job)
{
	struct counting *c = job->data;

	update(c->view, c);
	c->view->complete = job->code >= 0;
	c->view->job = NULL;
}

static const struct job_class count_class = {
	.label = N_("counting by type"),
	.run = count_run, .finish = count_end, .cancelled = count_end, .free = count_free,
};

struct named {
	const char *name;
	size_t at;
};

static int
by_class_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static const char *
name_of(const struct tn_event_class *ec)
{
	const char *name = tn_event_class_name(ec);

	return name ? name : "<unknown>";
}

/* Put types with one name, from several traces, into one row. */
static bool
put_together(struct counting *c)
{
	size_t n = c->tally.n_classes, at = 0;
	struct named *named = calloc(n + 1, sizeof *named);

	c->same = calloc(n + 1, sizeof *c->same);
	if (!named || !c->same) {
		free(named);
		return false;
	}
	for (size_t i = 0; i < c->n_traces; i++)
		for (size_t k = 0; k < tn_trace_event_class_count(c->trace[i]); k++, at++)
			named[at] = (struct named) { name_of(tn_trace_event_class(c->trace[i], k)), at };
	qsort(named, n, sizeof *named, by_class_name);
	for (size_t i = 0; i < n; i++)
		c->same[named[i].at] = i && !strcmp(named[i].name, named[i - 1].name) ? c->same[named[i - 1].at] : named[i].at;
	free(named);
	return true;
}

static bool
prepare(struct counting *c, struct session *s)
{
	c->n_traces = tn_set_trace_count(s->traces.set);
	c->trace = calloc(c->n_traces + 1, sizeof *c->trace);
	c->trace_at = calloc(c->n_traces + 1, sizeof *c->trace_at);
	c->tally.n_streams = tn_set_stream_count(s->traces.set);
	c->tally.by_stream = calloc(c->tally.n_streams + 1, sizeof *c->tally.by_stream);
	if (!c->trace || !c->trace_at || !c->tally.by_stream)
		return false;
	for (size_t i = 0; i < c->n_traces; i++) {
		c->trace[i] = tn_set_trace(s->traces.set, i);
		c->trace_at[i] = c->tally.n_classes;
		c->tally.n_classes += tn_trace_event_class_count(c->trace[i]);
	}
	c->tally.by_class = calloc(c->tally.n_classes + 1, sizeof *c->tally.by_class);
	if (!put_together(c))
		return false;
	return c->tally.by_class != NULL;
}

/* The name of the trace, or the end of its path. */
static const char *
short_name(const struct tn_trace *trace)
{
	const char *name = tn_trace_name(trace), *path = tn_trace_path(trace), *slash = strrchr(path, '/');

	return *name ? name : slash && slash[1] ? slash + 1 : path;
}

/* Add an item, and take ownership of @name. False: @name is NULL. */
static bool
add_item(struct statistics *t, struct kind_of_row r, char *name)
{
	r.name = name;
	if (name)
		t->item[t->n_items++] = r;
	return name != NULL;
}

/* Add a row for each name, and one for each of its types if there are several. False: memory is out. */
static bool
add_items(struct statistics *t, const struct counting *c, struct session *s)
{
	size_t *parts = calloc(c->tally.n_classes + 1, sizeof *parts);
	bool good = parts != NULL;

	for (size_t i = 0; good && i < c->tally.n_classes; i++)
		parts[c->same[i]]++;
	for (size_t i = 0; good && i < c->n_traces; i++)
		for (size_t k = 0; good && k < tn_trace_event_class_count(c->trace[i]); k++) {
			const struct tn_event_class *ec = tn_trace_event_class(c->trace[i], k);
			struct kind_of_row r = { .event_class = ec, .class = c->trace_at[i] + k, .of = name_of(ec) };
			size_t first = c->same[r.class];
			const char *of_trace;

			if (first == r.class) {
				r.parts = parts[first];
				good = add_item(t, r, line_safe_copy(r.of, strlen(r.of)));
			}
			if (parts[first] < 2)
				continue;
			r.is_part = r.hidden = true;
			r.parts = 0;
			of_trace = short_name(c->trace[i]);
			good = good && add_item(t, r, line_safe_copy(of_trace, strlen(of_trace)));
		}
	for (size_t i = 0; good && i < c->tally.n_streams; i++) {
		struct kind_of_row r = { .is_stream = true, .stream = (uint32_t)i, .of = s->traces.origin[i] };

		good = add_item(t, r, strdup(s->traces.origin[i]));
	}
	free(parts);
	if (good)
		sort(t);
	return good;
}

static void
start(struct statistics *t, struct counting *c)
{
	struct session *s = t->list.base.session;

	c->view = t;
	t->counted = s->traces.bounds;
	t->job = job_start(s, &count_class, c);
}

static bool
statistics_open(struct view *v, struct tn_error *err)
{
	struct statistics *t = (struct statistics *)v;
	struct counting *c = calloc(1, sizeof *c);

	strcpy(err->text, "out of memory");
	if (!c)
		return false;
	if (!prepare(c, v->session)
	    || !(t->item = calloc(2 * c->tally.n_classes + c->tally.n_streams + 1, sizeof *t->item))
	    || !add_items(t, c, v->session)) {
		count_free(c);
		return false;
	}
	start(t, c);
	return true;
}

/* The filters have changed: the rows stay, and their events are counted again. */
static void
statistics_again(struct view *v)
{
	struct statistics *t = (struct statistics *)v;
	struct counting *c = calloc(1, sizeof *c);

	if (!c)
		return;
	if (!prepare(c, v->session)) {
		count_free(c);
		return;
	}
	job_drop(t->job);
	t->complete = false;
	start(t, c);
}

static void
statistics_close(struct view *v)
{
	struct statistics *t = (struct statistics *)v;

	job_drop(t->job);
	for (size_t i = 0; i < t->n_items; i++)
		free(t->item[i].name);
	free(t->item);
}

static unsigned
statistics_turn(struct view *v)
{
	struct statistics *t = (struct statistics *)v;

	if (!t->job)
		return VIEW_PASS;
	update(t, t->job->data);
	return VIEW_REDRAW;
}

static void
statistics_heading(struct view *v, struct line *out)
{
	struct statistics *t = (struct statistics *)v;

	line_right(out, STYLE_HEADING, _("events"), 15);
	line_right(out, STYLE_HEADING, "%", 8);
	line_right(out, STYLE_HEADING, _("a second"), 13);
	line_puts(out, STYLE_HEADING, _("  type, then stream"));
	line_puts(out, STYLE_HEADING, t->by_name ? _(" (by name; Tab: by number)") : _(" (by number; Tab: by name)"));
}

/* The length of the counted time in seconds; 0: unknown. */
static double
counted_seconds(const struct statistics *t)
{
	const struct session *s = t->list.base.session;
	const struct bounds *b = &t->counted;
	int64_t begin = b->has_begin && b->begin_ns > s->traces.begin_ns ? b->begin_ns : s->traces.begin_ns;
	int64_t end = b->has_end && b->end_ns < s->traces.end_ns ? b->end_ns : s->traces.end_ns;

	return s->traces.has_range && end > begin ? ns_between(begin, end) / 1e9 : 0;
}

static void
statistics_row(struct view *v, size_t i, struct line *out)
{
	struct statistics *t = (struct statistics *)v;
	const struct kind_of_row *r = &t->item[i];
	double seconds = counted_seconds(t);
	char text[32];

	line_right(out, r->n ? STYLE_TEXT : STYLE_DIM, number_text(r->n, text), 15);
	snprintf(text, sizeof text, "%.2f", t->all ? 100.0 * (double)r->n / (double)t->all : 0.0);
	line_right(out, STYLE_DIM, text, 8);
	if (seconds > 0)
		snprintf(text, sizeof text, "%.1f", (double)r->n / seconds);
	else
		text[0] = '\0';
	line_right(out, STYLE_DIM, text, 13);
	line_puts(out, STYLE_DIM, r->is_part ? "    " : r->parts < 2 ? "  " : r->open ? "- " : "+ ");
	line_puts(out, r->is_stream || r->is_part ? STYLE_ORIGIN : r->n ? STYLE_NAME : STYLE_DIM, r->name);
	if (!r->is_stream && !r->is_part)
		event_meaning_put(t->list.base.session, r->of, strlen(r->of), out);
}

/* A filter for the events of a class: " name: ", with the special characters of a regex escaped. */
static char *
type_condition(const struct tn_event_class *ec)
{
	const char *name = tn_event_class_name(ec);
	char *out = name ? malloc(strlen(name) * 2 + 8) : NULL, *p = out;

	if (!out)
		return NULL;
	*p++ = ' ';
	for (; *name; name++) {
		if (ispunct((unsigned char)*name) && *name != '_' && *name != ':')
			*p++ = '\\';
		*p++ = *name;
	}
	strcpy(p, ": ");
	return out;
}

static char *
name_condition(const struct tn_event_class *ec)
{
	const char *name = tn_event_class_name(ec);

	return name ? expression_text("name", name, strlen(name)) : NULL;
}

/* A condition with the name of the stream, which streams of other traces may have, too. NULL: no condition can express it. */
static char *
stream_condition(const struct session *s, uint32_t rank)
{
	const char *name = tn_stream_name(tn_set_stream(s->traces.set, rank));
	char *out;

	if (strpbrk(name, "\"\\") || asprintf(&out, "stream == \"%s\"", name) < 0)
		return NULL;
	return out;
}

/* A condition for the event class of one trace. */
static char *
part_condition(const struct tn_event_class *ec)
{
	const char *name = tn_event_class_name(ec), *trace = tn_trace_path(tn_event_class_trace(ec));
	char *out;

	if (!name || strpbrk(name, "\"\\") || strpbrk(trace, "\"\\") ||
	    asprintf(&out, "name == \"%s\" and trace == \"%s\"", name, trace) < 0)
		return NULL;
	return out;
}

/* Show or hide the parts of the name that the row belongs to. */
static unsigned
open_parts(struct statistics *t, bool open)
{
	const char *of = t->item[t->list.selected].of;
	size_t at = t->list.selected;

	while (t->item[at].is_part && at > 0)
		at--;
	if (t->item[at].parts < 2)
		return VIEW_DONE;
	for (size_t i = 0; i < t->n_items; i++) {
		if (t->item[i].is_part && strcmp(t->item[i].of, of) == 0)
			t->item[i].hidden = !open;
	}
	t->item[at].open = open;
	sort(t);
	list_select(&t->list, at);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
statistics_act(struct view *v, const struct call *call)
{
	struct statistics *t = (struct statistics *)v;
	const struct kind_of_row *r = t->list.selected < t->list.n ? &t->item[t->list.selected] : NULL;

	if (call->action == ACT_SORT) {
		t->by_name = !t->by_name;
		sort(t);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (r && !r->is_stream && (call->action == ACT_RIGHT || call->action == ACT_LEFT))
		return open_parts(t, call->action == ACT_RIGHT);
	if (call->action == ACT_EXCLUDE && r)
		return view_request_text(v, REQUEST_EXCLUDE, expression_not(
					 r->is_stream ? stream_condition(v->session, r->stream) :
					 r->is_part ? part_condition(r->event_class) : name_condition(r->event_class)));
	if (call->action != ACT_OPEN || !r)
		return VIEW_PASS;
	return view_request_text(v, REQUEST_FILTER,
				 r->is_stream ? stream_condition(v->session, r->stream) :
				 r->is_part ? part_condition(r->event_class) : type_condition(r->event_class));
}

static bool
statistics_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	(void)v;
	word(user, "--by");
	word(user, "name");
	word(user, "--show");
	word(user, "count");
	return true;
}

const struct view_class statistics_view = {
	.command = statistics_command,
	.name = "statistics",
	.title = N_("statistics"),
	.hint = N_("Enter filters  ! hides this  Tab sorts  Right opens rows with +  q back"),
	.size = sizeof(struct statistics),
	.open = statistics_open,
	.again = statistics_again,
	.close = statistics_close,
	.turn = statistics_turn,
	.act = statistics_act,
	.row = statistics_row,
	.heading = statistics_heading,
};
