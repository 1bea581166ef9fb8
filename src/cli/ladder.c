/* ladder.c - the answer --ladder: single events between lanes, as text */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"
#include "screen/rungs.h"

#define MOST 1000000		/* largest value of --top */
#define SINCE_WIDTH 12
#define LANES_ROOM 64

struct printer {
	struct answer answer;
	struct tn_ladder *ladder;
	const char *name;	/* name of the value that makes the lanes */
	size_t by;
	struct line row;
};

static const char *
lane(const struct printer *p, size_t i)
{
	return tn_ladder_lane(p->ladder, p->by, i);
}

static const char *
nickname(const struct printer *p, size_t i)
{
	const struct tn_answer_value value = tn_answer_text(lane(p, i));

	return tn_nicknames_find(p->answer.names, p->name, NULL, &value);
}

/* The time since the first event. False: this event or the first event has no time. */
static bool
since(const struct printer *p, const struct tn_rung *r, int64_t *ns)
{
	struct tn_rung first;

	return tn_ladder_rung(p->ladder, p->by, 0, &first) && r->has_time && first.has_time &&
	       !__builtin_sub_overflow(r->time_ns, first.time_ns, ns);
}

static int
make_table(struct answer *a)
{
	static const char *const names[] = { "time", "since", "name", "by", "lane", "from" };
	int status = answer_table(a);

	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++)
		answer_column(a, (struct tn_table_column) { .name = names[i] });
	return status;
}

static void
put_table_row(struct printer *p, const struct tn_rung *r)
{
	int64_t ns = 0;
	bool some = since(p, r, &ns);
	const struct tn_answer_value row[] = {
		tn_answer_number(r->has_time, r->time_ns), tn_answer_number(some, ns), tn_answer_text(r->name),
		tn_answer_text(p->name), tn_answer_text(lane(p, r->lane)), tn_answer_text(lane(p, r->from)),
	};

	(void)answer_row(&p->answer, row);	/* the end of the answer reports a failed write */
}

/* The number of lanes to draw beside each other; events of other lanes only give the lane's name. */
static size_t
drawn(const struct printer *p)
{
	size_t n = tn_ladder_lanes(p->ladder, p->by, NULL);

	return n < LADDER_LANES ? n : LADDER_LANES;
}

static void
put_row(struct printer *p)
{
	tn_str_add(&p->answer.line, p->row.text ? p->row.text : "", p->row.n);
	line_clear(&p->row);
}

static void
print_heading(struct printer *p)
{
	struct tn_str *out = &p->answer.line;
	int width = rungs_width(drawn(p), LANES_ROOM);

	if (answer_form(&p->answer) != TN_TABLE_TEXT) {
		(void)answer_heading(&p->answer);
	} else {
		line_right(&p->row, 0, _("since"), SINCE_WIDTH);
		line_puts(&p->row, 0, " ");
		for (size_t i = 0; i < drawn(p); i++)
			rungs_heading(&p->row, lane(p, i), nickname(p, i), width);
		line_puts(&p->row, 0, _("event"));
		put_row(p);
		put_text(out, "\n");
	}
}

/* Print an event as a line of the drawing, which has ASCII characters only, so it is the same in every locale. */
static void
print_text(struct printer *p, const struct tn_rung *r)
{
	struct tn_str *out = &p->answer.line, text = { 0 };
	const struct tn_answer_value value = tn_answer_text(lane(p, r->lane));
	size_t n = drawn(p);
	int64_t ns;

	if (since(p, r, &ns))
		tn_table_duration((double)ns, &text);
	line_right(&p->row, 0, text.text ? text.text : "", SINCE_WIDTH);
	line_puts(&p->row, 0, " ");
	rungs_row(&p->row, n, r->from, r->lane, rungs_width(n, LANES_ROOM), false);
	put_row(p);
	put_column(out, r->name, strlen(r->name), 0);
	if (r->lane >= n && lane(p, r->lane)) {
		put_text(out, "  ");
		put_column(out, lane(p, r->lane), strlen(lane(p, r->lane)), 0);
		answer_put_name(&p->answer, p->name, &value, out);
	}
	put_text(out, "\n");
	tn_str_release(&text);
}

static void
warn_more(uint64_t n)
{
	char text[256];

	snprintf(text, sizeof text,
		 ngettext("only the first %ju events are shown: --top=N shows more, --filter selects fewer",
			  "only the first %ju events are shown: --top=N shows more, --filter selects fewer",
			  (unsigned long)n), (uintmax_t)n);
	complain(_("warning"), text);
}

static void
note_no_lanes(const char *name)
{
	char text[256];

	snprintf(text, sizeof text, _("none of the events has a value of %.80s: there are no lanes"), name);
	complain(_("note"), text);
}

static int
run(struct printer *p)
{
	struct job *job = p->answer.job;
	const struct options *o = job->options;
	size_t most = !o->top ? LADDER_RUNGS : o->top < MOST ? (size_t)o->top : MOST;
	struct tn_error err;
	struct tn_rung r;
	enum tn_code rc = tn_ladder_run(p->ladder, &p->answer.scan, most, &err);
	int failed;

	if (rc < 0)
		return answer_status(&p->answer, rc, &err);
	if (!p->name) {
		p->by = tn_ladder_best(p->ladder, LADDER_LANES);
		p->name = rungs_kind[p->by];
	}
	job->events = tn_ladder_count(p->ladder);
	failed = answer_names(&p->answer, NULL, p->name);
	if (failed)
		return failed;
	print_heading(p);
	failed = answer_put(&p->answer);
	for (size_t i = 0; !failed && tn_ladder_rung(p->ladder, p->by, i, &r); i++) {
		if (answer_form(&p->answer) == TN_TABLE_TEXT)
			print_text(p, &r);
		else
			put_table_row(p, &r);
		failed = answer_put(&p->answer);
	}
	if (tn_ladder_count(p->ladder) && !tn_ladder_lanes(p->ladder, p->by, NULL))
		note_no_lanes(p->name);
	if (tn_ladder_has_more(p->ladder) && most != o->top)
		warn_more(most);
	return 0;
}

int
print_ladder(struct job *job)
{
	struct printer p = { .name = job->options->ladder };
	struct tn_error err;
	enum tn_code rc;
	int status;

	if (strcmp(p.name, "auto") == 0) {
		p.name = NULL;
		rc = tn_ladder_new(&p.ladder, job->set, rungs_kind, RUNGS_KINDS, &err);
	} else {
		rc = tn_ladder_new(&p.ladder, job->set, &p.name, 1, &err);
	}
	if (rc != TN_OK)
		return job_failed(&err);
	status = answer_begin(&p.answer, job);
	if (!status)
		status = make_table(&p.answer);
	if (!status)
		status = run(&p);
	status = answer_end(&p.answer, status);
	line_release(&p.row);
	tn_ladder_free(p.ladder);
	return status;
}
