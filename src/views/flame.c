#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flame_view.h"
#include "gettext.h"
#include "session/expression.h"

#define AGAIN_MS 1000	/* time between pictures of a trace that grows */
#define SLICE 4096		/* frames that one turn searches */

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the job ---- */

static void
stacking_free(void *data)
{
	struct stacking *m = data;

	if (!m)
		return;
	for (size_t i = 0; i < FLAME_FORMS; i++)
		tn_flame_free(m->flame[i]);
	free(m->wanted);
	free(m->asked);
	free(m->spans);
	free(m->field);
	tn_str_release(&m->names);
	free(m);
}

static bool
name_address(void *user, uint64_t address, struct tn_str *out)
{
	struct job *job = user;
	struct stacking *m = job->data;

	if (!naming_name(job->q.opened->naming, NULL, address, m->spans ? 0 : TN_SYMBOL_INLINED, out))
		return false;
	tn_str_printf(&m->names, "0x%" PRIX64 "\n", address);
	tn_str_add(&m->names, out->text, out->n);
	tn_str_puts(&m->names, "\n");
	return !m->names.failed;
}

/*
 * Use the spans of :flame. If there are none, use functions or spans that the format defines, otherwise the spans that
 * the user asked for last.
 */
static enum tn_code
define(struct stacking *m, struct tn_spans *spans, struct tn_set *set, struct tn_error *err)
{
	struct tn_str all = { 0 };
	const char *ready;

	if (*m->wanted)
		tn_str_puts(&all, m->wanted);
	for (size_t i = 0; !*m->wanted && (ready = tn_flame_ready(set, i)); i++)
		tn_str_printf(&all, i ? "\n%s" : "%s", ready);
	if (!all.n && !tn_set_has_chains(set))
		tn_str_puts(&all, m->asked);
	if (!all.n) {
		tn_str_release(&all);
		return TN_END;
	}
	m->spans = all.failed ? NULL : all.text;
	return m->spans ? tn_spans_add_question(spans, m->spans, err) : TN_ERR_MEMORY;
}

/* Find the field by which the spans of a frame can be found: all definitions must show one field, which is the same. */
static void
find_field(struct stacking *m, const struct tn_spans *spans)
{
	const char *field = tn_spans_captured(spans, 0, 0);

	for (size_t i = 0; i < tn_spans_count(spans); i++) {
		const char *other = tn_spans_captured(spans, i, 0);

		if (!field != !other || (field && (strcmp(field, other) != 0 || tn_spans_captured(spans, i, 1))))
			return;
	}
	m->field = strdup(field ? field : "name");
}

static void
flame_run(struct job *job)
{
	struct stacking *m = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_flame *raw = NULL, **tree = &m->flame[FLAME_TREE];
	struct tn_spans *spans = NULL;
	struct tn_error *err = &job->error;
	enum tn_code rc = tn_spans_new(&spans, job->q.set, err);

	if (rc == TN_OK)
		rc = define(m, spans, job->q.set, err);
	if (rc == TN_OK)
		find_field(m, spans);
	if (rc == TN_END && !tn_set_has_chains(job->q.set)) {
		rc = TN_ERR_ARGUMENT;
		snprintf(err->text, sizeof err->text, "%s", _("nothing to stack: no functions, no samples. Press A, open a "
							      "pair and press r again, or :flame BEGIN END by KEY"));
	}
	rc = rc == TN_END ? tn_flame_of_chains(&raw, job->q.set, &scan, err) :
	     rc == TN_OK ? tn_flame_of_spans(&raw, spans, &scan, err) : rc;
	tn_spans_free(spans);
	if (rc == TN_OK) {
		naming_read(job->q.opened->naming, job->q.set, m->options);
		rc = tn_flame_named(tree, raw, name_address, job, err);
	}
	tn_flame_free(raw);
	if (rc == TN_OK)
		rc = tn_flame_callers(&m->flame[FLAME_CALLERS], *tree, 0, err);
	if (rc == TN_OK)
		rc = tn_flame_frames(&m->flame[FLAME_TABLE], *tree, err);
	job->code = rc;
}

/* The node of @to that has the same names above it as node @i of @from; if it does not exist, the nearest caller. */
static size_t
same_node(const struct tn_flame *from, size_t i, const struct tn_flame *to)
{
	struct tn_flame_node n, other;
	size_t above, end;

	if (!i || !tn_flame_node(from, i, &n))
		return 0;
	above = same_node(from, n.parent, to);
	if (!tn_flame_node(to, above, &other) || other.depth + 1 != n.depth)
		return above;
	end = other.end;
	for (size_t k = above + 1; k < end && tn_flame_node(to, k, &other); k = other.end)
		if (strcmp(other.name, n.name) == 0)
			return k;
	return above;
}

static void
count_rows(struct flame_view *f, size_t at)
{
	struct tn_flame_node zoom = node_at(f, zoom_of(f));

	f->list.n = shown(f) ? f->is_table ? tn_flame_count(shown(f)) - 1 : zoom.end - f->zoom : 0;
	f->list.selected = at > zoom_of(f) + f->is_table ? at - zoom_of(f) - f->is_table : 0;
	f->hits.n = f->hits.next = 0;
	f->hits.total = 0;
	free(f->hits.pattern);
	f->hits.pattern = NULL;
}

static void
take(struct flame_view *f, struct job *job)
{
	const struct tn_flame *former = shown(f);
	struct stacking *old = f->made;
	size_t at = selected(f);

	f->made = job->data;
	job->data = NULL;
	f->zoom = f->is_table ? 0 : same_node(former, f->zoom, shown(f));
	count_rows(f, same_node(former, at, shown(f)));
	stacking_free(old);
}

static void
flame_end(struct job *job)
{
	struct flame_view *f = ((struct stacking *)job->data)->view;
	struct session *s = f->list.base.session;

	f->job = NULL;
	s->wish.redraw = true;
	free(f->list.instead);
	f->list.instead = NULL;
	if (job->code == TN_OK) {
		take(f, job);
		if (tn_flame_count(shown(f)) <= 1)
			f->list.instead = strdup(_("no stack in this range: no matching event begins a span or has a chain"));
	} else if (job->code != TN_ERR_CANCELLED) {
		session_fail(s, "%s", job->error.text);
		f->list.instead = f->made ? NULL : line_safe_copy(job->error.text, strlen(job->error.text));
	}
}

static const struct job_class flame_class = {
	.label = N_("stacking"),
	.run = flame_run, .finish = flame_end, .cancelled = flame_end, .free = stacking_free,
};

static void
start(struct flame_view *f)
{
	struct session *s = f->list.base.session;
	struct stacking *m = calloc(1, sizeof *m);

	job_drop(f->job);
	f->job = NULL;
	f->query = s->asks.query;
	f->settled_ns = s->traces.settled_ns;
	f->since_ms = now_ms();
	if (!m)
		return;
	m->view = f;
	m->options = s->options;
	m->wanted = strdup(s->answers.flame ? s->answers.flame : "");
	m->asked = strdup(s->answers.wish.spans ? s->answers.wish.spans : "");
	if (!m->wanted || !m->asked)
		stacking_free(m);
	else
		f->job = job_start(s, &flame_class, m);
}

static void
flame_close(struct view *v)
{
	struct flame_view *f = (struct flame_view *)v;

	job_drop(f->job);
	stacking_free(f->made);
	free(f->box);
	free(f->hits.pattern);
}

static unsigned
flame_prepare(struct view *v)
{
	struct flame_view *f = (struct flame_view *)v;

	if (f->query != v->session->asks.query)
		start(f);
	return VIEW_PASS;
}

/* ---- the search ---- */

/* Sum up the shares of frames that match the search. A frame inside of such a frame is part of it. */
static bool
add_hits(struct flame_view *f)
{
	const struct asks *asks = &f->list.base.session->asks;
	size_t zoom = zoom_of(f), end = f->is_table ? tn_flame_count(shown(f)) : node_at(f, zoom).end;

	if (!asks->mark || !asks->pattern || !shown(f))
		return false;
	if (!f->hits.pattern || strcmp(f->hits.pattern, asks->pattern) != 0 || f->hits.zoom != zoom) {
		free(f->hits.pattern);
		f->hits.pattern = strdup(asks->pattern);
		f->hits.zoom = zoom;
		f->hits.next = zoom + (zoom == 0);
		f->hits.n = 0;
		f->hits.total = 0;
	}
	if (f->hits.next >= end)
		return false;
	for (int i = 0; i < SLICE && f->hits.next < end; i++) {
		struct tn_flame_node n = node_at(f, f->hits.next);
		bool hit = flame_is_hit(f, n.name);

		f->hits.n += hit;
		f->hits.total += !hit ? 0 : f->is_table ? n.self : n.total;
		f->hits.next = hit && !f->is_table ? n.end : f->hits.next + 1;
	}
	return true;
}

static unsigned
flame_turn(struct view *v)
{
	struct flame_view *f = (struct flame_view *)v;
	const struct session *s = v->session;
	bool more = add_hits(f);

	if (!f->job && s->traces.grows && f->settled_ns != s->traces.settled_ns && now_ms() - f->since_ms >= AGAIN_MS)
		start(f);
	return more || f->job ? VIEW_REDRAW : VIEW_PASS;
}

/* ---- keys ---- */

static unsigned
zoom(struct flame_view *f, size_t to, size_t at)
{
	f->zoom = to;
	f->first = 0;
	count_rows(f, at);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
zoom_out(struct flame_view *f, int64_t n)
{
	size_t to = f->zoom, at = f->zoom;

	for (; n-- && to; to = node_at(f, to).parent)
		at = to;
	return zoom(f, to, at);
}

static unsigned
go_to(struct flame_view *f, size_t node)
{
	list_select(&f->list, node - f->zoom);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Move down to the largest callee, or up to the caller. */
static unsigned
move_deep(struct flame_view *f, int64_t n)
{
	size_t at = selected(f);

	for (; n > 0 && node_at(f, at).end > at + 1; n--)
		at++;
	for (; n < 0 && at > f->zoom; n++)
		at = node_at(f, at).parent;
	return go_to(f, at);
}

/* Go to the next frame at this depth, whatever its caller is. */
static unsigned
move_aside(struct flame_view *f, int64_t n)
{
	size_t at = selected(f), end = node_at(f, f->zoom).end;
	uint32_t depth = node_at(f, at).depth;

	for (size_t i = at; n > 0 && (i = node_at(f, i).depth < depth ? i + 1 : node_at(f, i).end) < end;)
		if (node_at(f, i).depth == depth) {
			at = i;
			n--;
		}
	for (size_t i = at; n < 0 && i > f->zoom + 1;)
		if (node_at(f, --i).depth == depth) {
			at = i;
			n++;
		}
	return go_to(f, at);
}

/* Make a condition such as "addr == 0x401136 or addr == 0x401140", for all addresses with this name. */
static char *
condition_of(const struct stacking *m, const char *name)
{
	struct tn_str out = { 0 };
	size_t n = strlen(name);
	char *end;

	for (const char *raw = m->names.text; raw && *raw;) {
		const char *other = strchr(raw, '\n') + 1, *next = strchr(other, '\n') + 1;

		if ((size_t)(next - other) == n + 1 && memcmp(other, name, n) == 0)
			tn_str_printf(&out, out.n ? " or %s == %.*s" : "%s == %.*s", m->field, (int)(other - 1 - raw), raw);
		raw = next;
	}
	if (out.n)
		return out.text;
	strtod(name, &end);
	if (strcmp(m->field, "name") == 0 || !*name || *end)
		return expression_text(m->field, name, n);
	tn_str_printf(&out, "%s == %s", m->field, name);
	return out.text;
}

/* List the spans that have the frame's name. */
static unsigned
list_spans(struct flame_view *f)
{
	struct session *s = f->list.base.session;
	struct answer_wish *w = &s->answers.wish;
	char *spans = f->made->spans ? strdup(f->made->spans) : NULL;

	if (!spans) {
		session_say(s, "%s", _("this frame has samples, not spans: choose a frame of spans"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	answer_wish_release(w);
	free(w->left.row);
	*w = (struct answer_wish) {
		.changes = w->changes, .kind = ANSWER_SPANS, .spans = spans,
		.where = f->made->field ? condition_of(f->made, node_at(f, selected(f)).name) : NULL,
	};
	if (!f->made->field)
		session_say(s, "%s", _("all spans: several fields name a frame"));
	s->answers.asks_anew = true;
	return view_request(&f->list.base, &(struct request) { REQUEST_ACT, .is.call = { .action = ACT_ANSWER } });
}

static unsigned
open_frame(struct flame_view *f)
{
	size_t at = selected(f);

	if (!f->list.n || !at)
		return VIEW_DONE;
	return f->is_table || at == f->zoom || node_at(f, at).end == at + 1 ? list_spans(f) : zoom(f, at, at);
}

static unsigned
act_on_graph(struct flame_view *f, const struct call *call)
{
	int64_t n = call->count && call->count < 100000 ? (int64_t)call->count : 1;

	switch (call->action) {
	case ACT_EVENT_NEXT: return move_deep(f, n);
	case ACT_EVENT_PREVIOUS: return move_deep(f, -n);
	case ACT_PAGE_DOWN:
	case ACT_HALF_DOWN:
	case ACT_SCROLL_DOWN: return move_deep(f, 10 * n);
	case ACT_PAGE_UP:
	case ACT_HALF_UP:
	case ACT_SCROLL_UP: return move_deep(f, -10 * n);
	case ACT_FIRST: return go_to(f, f->zoom);
	case ACT_LAST: return move_deep(f, TN_FLAME_DEPTH);
	case ACT_LEFT: return move_aside(f, -n);
	case ACT_RIGHT: return move_aside(f, n);
	case ACT_ZOOM_IN: return zoom(f, selected(f), selected(f));
	case ACT_ZOOM_OUT: return zoom_out(f, n);
	case ACT_ESCAPE: return f->zoom ? zoom_out(f, 1) : VIEW_PASS;
	case ACT_CALLERS:
		f->form = f->form == FLAME_CALLERS ? FLAME_TREE : FLAME_CALLERS;
		return zoom(f, 0, 0);
	default: return VIEW_PASS;
	}
}

static unsigned
flame_act(struct view *v, const struct call *call)
{
	struct flame_view *f = (struct flame_view *)v;

	if (!f->made)
		return VIEW_PASS;
	if (call->action == ACT_SORT) {
		f->is_table = !f->is_table;
		count_rows(f, 0);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action == ACT_OPEN)
		return open_frame(f);
	return f->is_table ? VIEW_PASS : act_on_graph(f, call);
}

static unsigned
flame_point(struct view *v, int row, int col, bool drag, bool end)
{
	struct flame_view *f = (struct flame_view *)v;

	if (f->is_table)
		return VIEW_PASS;
	for (size_t i = 0; !drag && !end && f->made && i < f->n_boxes; i++) {
		const struct box *b = &f->box[i];

		if (b->row != v->area.row + row || col < b->col - v->area.col || col >= b->col - v->area.col + b->cols)
			continue;
		return b->node < f->zoom || b->node >= node_at(f, f->zoom).end ? zoom(f, b->node, b->node) : go_to(f, b->node);
	}
	return VIEW_DONE;
}

static bool
flame_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	static const char *const names[FLAME_FORMS] = { "--flame", "--flame=callers", "--flame=frames" };
	const struct flame_view *f = (struct flame_view *)v;
	const struct browse_options *o = v->session->options;

	if (!f->made)
		return false;
	word(user, names[f->is_table ? FLAME_TABLE : f->form]);
	for (const char *at = f->made->spans; at && (*f->made->wanted || strcmp(at, f->made->asked) == 0);) {
		char *line = strndup(at, strcspn(at, "\n"));

		word(user, "--spans");
		word(user, line ? line : "");
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
		free(line);
	}
	naming_words(o, word, user);
	return true;
}

const struct view_class flame_view = {
	.command = flame_command,
	.name = "flame",
	.title = N_("flame graph"),
	.hint = N_("Enter zooms  BS out  Tab table  I callers  / search  q back"),
	.size = sizeof(struct flame_view),
	.close = flame_close,
	.prepare = flame_prepare,
	.draw = flame_draw,
	.turn = flame_turn,
	.point = flame_point,
	.act = flame_act,
	.status = flame_status,
	.row = flame_row,
	.heading = flame_heading,
};
