#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "list.h"

/*
 * What was wrong when the traces were opened, and all losses and damage among the events, which a job
 * looks for while the list is open. Enter goes to the place.
 */
#define PROBLEM_ROWS 100000

struct found {
	struct tn_location at;
	int64_t time_ns;
	enum tn_row_kind kind;
	char *text;
};

struct problem_hunt {
	pthread_mutex_t lock;
	struct found *row;
	size_t n, room;
	struct problem_list *list;	/* the app's thread */
};

struct problem_list {
	struct list_view list;
	struct job *job;
	struct problem_hunt *hunt;	/* its data, while it runs */
	struct found *row;		/* taken from it */
	size_t n;
	bool complete;
};

static void
hunt_free(void *data)
{
	struct problem_hunt *h = data;

	for (size_t i = 0; i < h->n; i++)
		free(h->row[i].text);
	free(h->row);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

static bool
room_for_one(struct problem_hunt *h)
{
	size_t room = h->room ? h->room * 2 : 64;
	struct found *grown;

	if (h->n < h->room)
		return true;
	grown = h->n < PROBLEM_ROWS ? realloc(h->row, room * sizeof *grown) : NULL;
	if (!grown)
		return false;
	h->row = grown;
	h->room = room;
	return true;
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct job *job = user;
	struct problem_hunt *h = job->data;
	struct tn_text_buffer b = { 0 }, safe = { 0 };

	if (row->kind == TN_ROW_EVENT)
		return 0;
	tn_text_notice(job->q.query->text, row, &b);
	tn_text_safe(b.text ? b.text : "", b.n, &safe);
	tn_text_buffer_free(&b);
	pthread_mutex_lock(&h->lock);
	if (room_for_one(h))
		h->row[h->n++] = (struct found) { row->location, row->time_ns, row->kind, safe.text };
	else
		tn_text_buffer_free(&safe);
	pthread_mutex_unlock(&h->lock);
	return atomic_load(&job->stop) || h->n >= PROBLEM_ROWS;
}

static void
hunt_problems(struct job *job)
{
	struct tn_scan_options options = job_scan_options(job);

	options.notice = on_row;
	job->code = tn_scan(job->q.set, &options, NULL, &job->error);
}

/* What was found so far; the texts stay the job's until it ends. */
static void
take(struct problem_list *p)
{
	struct problem_hunt *h = p->hunt;

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
	p->list.n = problems_count(p->list.base.session->options->problems) + p->n;
}

static void
hunt_end(struct job *job)
{
	struct problem_hunt *h = job->data;

	take(h->list);
	h->list->complete = job->code >= 0;
	h->list->hunt = NULL;
	h->list->job = NULL;
}

static const struct job_class hunt_class = {
	.label = N_("looking for problems"), .everything = true,
	.run = hunt_problems, .finish = hunt_end, .cancelled = hunt_end, .free = hunt_free,
};

static bool
problems_open(struct view *v, struct tn_error *err)
{
	struct problem_list *p = (struct problem_list *)v;
	struct problem_hunt *h = calloc(1, sizeof *h);

	if (!h) {
		strcpy(err->text, "out of memory");
		return false;
	}
	pthread_mutex_init(&h->lock, NULL);
	h->list = p;
	p->hunt = h;
	p->job = job_start(v->session, &hunt_class, h);
	if (!p->job)
		p->hunt = NULL;
	p->list.n = problems_count(v->session->options->problems);
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

static void
problems_row(struct view *v, size_t i, struct line *out)
{
	struct problem_list *p = (struct problem_list *)v;
	struct session *s = v->session;
	size_t opened = problems_count(s->options->problems);
	struct tn_text_buffer b = { 0 };

	if (i < opened) {
		enum tn_severity severity;
		const char *text = problems_text(s->options->problems, i, &severity);

		line_puts(out, severity == TN_DAMAGE ? STYLE_DAMAGE : STYLE_DIM,
			  severity == TN_DAMAGE ? _("damage") : severity == TN_WARNING ? _("warning") : _("note"));
		line_puts(out, STYLE_TEXT, " ");
		line_puts_unsafe(out, STYLE_TEXT, text);
		return;
	}
	i -= opened;
	tn_text_time(s->query->text, p->row[i].time_ns, &b);
	line_add(out, STYLE_TIME, b.text ? b.text : "", b.n);
	tn_text_buffer_free(&b);
	line_puts(out, STYLE_TEXT, " ");
	line_puts(out, STYLE_ORIGIN, s->origin[p->row[i].at.stream]);
	line_puts(out, STYLE_TEXT, " ");
	line_puts(out, p->row[i].kind == TN_ROW_DAMAGE ? STYLE_DAMAGE : STYLE_LOSS, p->row[i].text ? p->row[i].text : "");
}

static void
problems_heading(struct view *v, struct line *out)
{
	struct problem_list *p = (struct problem_list *)v;

	if (p->list.n)
		line_puts(out, STYLE_HEADING, p->complete ? _("all problems") : _("problems so far"));
	else
		line_puts(out, STYLE_HEADING, p->complete ? _("There are no problems.") : _("no problem so far"));
}

static unsigned
problems_act(struct view *v, const struct call *call)
{
	struct problem_list *p = (struct problem_list *)v;
	size_t opened = problems_count(v->session->options->problems);

	if (call->action != ACT_OPEN)
		return VIEW_PASS;
	if (p->list.selected < opened) {	/* no place to go to: the whole text */
		enum tn_severity severity;

		session_say(v->session, "%s", problems_text(v->session->options->problems, p->list.selected, &severity));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (p->list.selected - opened >= p->n)
		return VIEW_DONE;
	v->go = (struct place) { .kind = PLACE_LOCATION, .location = p->row[p->list.selected - opened].at };
	return VIEW_DONE | VIEW_GO;
}

const struct view_class problems_view = {
	.name = "problems",
	.title = N_("problems"),
	.size = sizeof(struct problem_list),
	.open = problems_open,
	.close = problems_close,
	.turn = problems_turn,
	.act = problems_act,
	.row = problems_row,
	.heading = problems_heading,
};
