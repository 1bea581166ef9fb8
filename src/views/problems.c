#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "screen/array.h"

/*
 * The problems that were found when the traces were opened, and all losses and damage among the events, for which a job
 * searches while the list is open. Enter goes to the place.
 */
#define PROBLEM_ROWS 100000

struct found {
	struct tn_location at;
	int64_t time_ns;
	enum tn_row_kind kind;
	bool has_time;
	uint64_t count;		/* number of losses; or TN_COUNT_UNKNOWN */
	bool has_span;
	int64_t span_ns;
	char *text;
};

struct problem_search {
	pthread_mutex_t lock;
	struct found *row;
	size_t n, room;
	bool more;			/* there are more problems, above the limit */
	struct problem_list *list;	/* for the app's thread only */
};

struct problem_list {
	struct list_view list;
	struct job *job;
	struct problem_search *search;	/* data of the job while it runs */
	struct found *row;		/* taken from these data */
	size_t n;
	bool complete, more;	/* `more`: there are more problems, above the limit */
	int time_width;		/* greatest width so far */
};

static void
search_free(void *data)
{
	struct problem_search *h = data;

	for (size_t i = 0; i < h->n; i++)
		free(h->row[i].text);
	free(h->row);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

static bool
room_for_one(struct problem_search *h)
{
	struct found *grown = h->n < PROBLEM_ROWS ? array_more(h->row, h->n, &h->room, sizeof *grown) : NULL;

	h->row = grown ? grown : h->row;
	return grown;
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct problem_search *h = job->data;
	struct tn_str b = { 0 }, safe = { 0 };

	if (row->kind == TN_ROW_EVENT)
		return 0;
	tn_text_notice(job->q.query->text, row, &b);
	tn_text_safe(b.text ? b.text : "", b.n, &safe);
	tn_str_release(&b);
	pthread_mutex_lock(&h->lock);
	h->more = !room_for_one(h);
	if (!h->more)
		h->row[h->n++] = (struct found) {
			.at = row->location, .time_ns = row->time_ns, .kind = row->kind, .has_time = row->has_time,
			.count = row->count, .has_span = row->has_range && row->end_ns >= row->begin_ns,
			.span_ns = row->end_ns - row->begin_ns, .text = safe.text,
		};
	else
		tn_str_release(&safe);
	pthread_mutex_unlock(&h->lock);
	return job_stopped(job) || h->more;
}

static void
search_problems(struct job *job)
{
	struct tn_scan_options options = job_scan_options(job);

	options.notice = on_row;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

/* The number of rows for problems reported at opening, including the row for problems that were not stored. */
static size_t
opened_rows(const struct session *s)
{
	return problems_count(s->options->problems) + (problems_left_out(s->options->problems) > 0);
}

/* Take the problems that are found so far. The job owns the texts until it ends. */
static void
take(struct problem_list *p)
{
	struct problem_search *h = p->search;

	if (!h)
		return;
	pthread_mutex_lock(&h->lock);
	if (h->n > p->n) {
		struct found *grown = realloc(p->row, h->n * sizeof *grown);

		if (grown) {
			p->row = grown;
			for (; p->n < h->n; p->n++) {
				p->row[p->n] = h->row[p->n];
				h->row[p->n].text = NULL;
			}
		}
	}
	pthread_mutex_unlock(&h->lock);
	p->list.n = opened_rows(p->list.base.session) + p->n + p->more;
}

static void
search_end(struct job *job)
{
	struct problem_search *h = job->data;

	h->list->more = h->more;
	take(h->list);
	h->list->complete = job->code >= 0 && !h->more;
	h->list->search = NULL;
	h->list->job = NULL;
}

static const struct job_class search_class = {
	.label = N_("searching for problems"), .everything = true,
	.run = search_problems, .finish = search_end, .cancelled = search_end, .free = search_free,
};

static bool
problems_open(struct view *v, struct tn_error *err)
{
	struct problem_list *p = (struct problem_list *)v;
	struct problem_search *h = calloc(1, sizeof *h);

	if (!h) {
		strcpy(err->text, "out of memory");
		return false;
	}
	pthread_mutex_init(&h->lock, NULL);
	h->list = p;
	p->search = h;
	p->job = job_start(v->session, &search_class, h);
	if (!p->job)
		p->search = NULL;
	p->list.n = opened_rows(v->session);
	return true;
}

static void
problems_close(struct view *v)
{
	struct problem_list *p = (struct problem_list *)v;

	job_drop(p->job);
	for (size_t i = 0; i < p->n; i++)
		free(p->row[i].text);
	free(p->row);
}

static unsigned
problems_turn(struct view *v)
{
	struct problem_list *p = (struct problem_list *)v;
	size_t n = p->n;

	take(p);
	return p->n != n ? VIEW_REDRAW : VIEW_PASS;
}

#define FROM_WIDTH 14
#define LOST_WIDTH 12
#define SPAN_WIDTH 12

static void
put_found(struct problem_list *p, const struct found *f, struct line *out)
{
	struct session *s = p->list.base.session;
	char text[32];
	int begin;

	if (f->has_time)
		session_put_time(s, out, STYLE_TIME, f->time_ns);
	if (out->width > p->time_width)
		p->time_width = out->width;
	line_pad(out, p->time_width + 1, true);
	begin = out->width;
	line_puts(out, STYLE_ORIGIN, s->traces.origin[f->at.stream]);
	line_pad(out, begin + FROM_WIDTH + 1, true);
	if (f->kind == TN_ROW_DAMAGE) {
		line_pad(out, begin + FROM_WIDTH + 1 + LOST_WIDTH + SPAN_WIDTH + 2, true);
		line_puts(out, STYLE_DAMAGE, f->text ? f->text : "");
		return;
	}
	if (f->kind == TN_ROW_BREAK) {
		line_pad(out, begin + FROM_WIDTH + 1 + LOST_WIDTH, true);
		line_right(out, STYLE_TEXT, f->has_span ? span_text(f->span_ns, text) : "", SPAN_WIDTH);
		line_puts(out, STYLE_LOSS, _("  connection lost and restored"));
		return;
	}
	line_right(out, STYLE_LOSS, f->count == TN_COUNT_UNKNOWN ? "?" : number_text(f->count, text), LOST_WIDTH);
	line_right(out, STYLE_TEXT, f->has_span ? span_text(f->span_ns, text) : "", SPAN_WIDTH);
	line_puts(out, STYLE_LOSS, f->kind == TN_ROW_LOST_EVENTS ? _("  events") : _("  packets"));
}

static void
problems_row(struct view *v, size_t i, struct line *out)
{
	struct problem_list *p = (struct problem_list *)v;
	struct session *s = v->session;
	size_t kept = problems_count(s->options->problems), opened = opened_rows(s);
	char number[32];

	if (i < kept) {
		enum tn_severity severity;
		const char *text = problems_text(s->options->problems, i, &severity);

		line_puts(out, severity == TN_DAMAGE ? STYLE_DAMAGE : STYLE_DIM,
			  severity == TN_DAMAGE ? _("damage") : severity == TN_WRONG ? _("wrong") :
			  severity == TN_WARNING ? _("warning") : _("note"));
		line_puts(out, STYLE_TEXT, " ");
		line_puts_unsafe(out, STYLE_TEXT, text);
		return;
	}
	if (i < opened) {
		size_t n = problems_left_out(s->options->problems);

		line_printf(out, STYLE_WARNING, ngettext("%s more is not stored: tnav --check lists all",
			    "%s more are not stored: tnav --check lists all", n), number_text(n, number));
	} else if (i - opened < p->n) {
		put_found(p, &p->row[i - opened], out);
	} else {
		line_puts(out, STYLE_WARNING, _("more problems follow that are not listed: ]e goes to the next one"));
	}
}

static void
problems_heading(struct view *v, struct line *out)
{
	struct problem_list *p = (struct problem_list *)v;

	if (!p->list.n) {
		line_puts(out, STYLE_HEADING, p->complete ? _("There are no problems.") : _("no problem so far"));
		return;
	}
	if (p->n && !p->time_width) {
		struct line l = { 0 };

		put_found(p, &p->row[0], &l);	/* to find the width of the times */
		line_release(&l);
	}
	line_puts(out, STYLE_HEADING, _("time"));
	line_pad(out, p->time_width + 1, true);
	line_puts(out, STYLE_HEADING, _("from"));
	line_pad(out, p->time_width + 2 + FROM_WIDTH, true);
	line_right(out, STYLE_HEADING, _("lost"), LOST_WIDTH);
	line_right(out, STYLE_HEADING, _("within"), SPAN_WIDTH);
	line_puts(out, STYLE_HEADING, "  ");
	line_puts(out, STYLE_HEADING, p->complete ? _("what") : _("what (so far)"));
}

static void
problems_status(struct view *v, struct line *out)
{
	struct problem_list *p = (struct problem_list *)v;
	size_t left_out = problems_left_out(v->session->options->problems);
	uint64_t events = 0, packets = 0, damages = 0;
	char number[32];

	for (size_t i = 0; i < p->n; i++) {
		const struct found *f = &p->row[i];

		damages += f->kind == TN_ROW_DAMAGE;
		if (f->count != TN_COUNT_UNKNOWN)
			*(f->kind == TN_ROW_LOST_EVENTS ? &events : &packets) += f->kind == TN_ROW_DAMAGE ? 0 : f->count;
	}
	if (v->session->traces.counted)	/* counters that fell and rose again must not count as new losses */
		events = v->session->traces.lost.events;
	line_printf(out, STYLE_STATUS, ngettext("%s line", "%s lines", p->list.n), number_text(p->list.n, number));
	if (left_out)
		line_printf(out, STYLE_STATUS_NOTE, ngettext("  %s is not stored", "  %s are not stored", left_out),
			    number_text(left_out, number));
	if (p->more)
		line_puts(out, STYLE_STATUS_NOTE, _("  not all of them"));
	line_printf(out, STYLE_STATUS, ngettext("  %s event lost", "  %s events lost", events), number_text(events, number));
	if (packets)
		line_printf(out, STYLE_STATUS, ngettext("  %s packet lost", "  %s packets lost", packets),
			    number_text(packets, number));
	if (damages)
		line_printf(out, STYLE_STATUS, ngettext("  %s damage", "  %s damages", damages), number_text(damages, number));
}

static unsigned
problems_act(struct view *v, const struct call *call)
{
	struct problem_list *p = (struct problem_list *)v;
	size_t kept = problems_count(v->session->options->problems), opened = opened_rows(v->session);

	if (call->action != ACT_OPEN)
		return VIEW_PASS;
	if (p->list.selected < kept) {	/* there is no place to go to: show the whole text */
		enum tn_severity severity;

		session_say(v->session, "%s", problems_text(v->session->options->problems, p->list.selected, &severity));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (p->list.selected < opened || p->list.selected - opened >= p->n)
		return VIEW_DONE;
	return view_request_go(v, &p->row[p->list.selected - opened].at);
}

const struct view_class problems_view = {
	.name = "problems",
	.title = N_("problems"),
	.hint = N_("Enter goes there  q back"),
	.size = sizeof(struct problem_list),
	.open = problems_open,
	.close = problems_close,
	.turn = problems_turn,
	.act = problems_act,
	.status = problems_status,
	.row = problems_row,
	.heading = problems_heading,
};
