/* chain.c - the answer --chain: the waits of a thread as text */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

struct links {
	struct answer *answer;
	bool some;		/* at least one link was found */
};

/* Append a thread such as "403 httpd", padded to the width of most threads. */
static void
put_thread(struct links *links, const struct tn_chain_link *l)
{
	const struct tn_answer_value tid = tn_answer_number(true, l->tid);
	struct tn_str thread = { 0 };

	tn_str_printf(&thread, "%" PRId64, l->tid);
	answer_put_name(links->answer, "tid", &tid, &thread);
	tn_str_printf(&links->answer->line, "  %*s", (int)(2 * l->depth), "");
	put_column(&links->answer->line, thread.text ? thread.text : "", thread.n, links->answer->names ? 20 : 10);
	tn_str_release(&thread);
}

static int
print_link(void *user, const struct tn_chain_link *l)
{
	struct links *links = user;
	struct answer *a = links->answer;
	struct tn_str *out = &a->line;
	const char *kind = tn_chain_kind_name(l->kind);
	uint64_t ns = (uint64_t)l->end_ns - (uint64_t)l->begin_ns;	/* as uint64_t, because an int64_t could overflow */
	const struct tn_answer_value whom = tn_answer_number(l->whom >= 0, l->whom);
	char text[80];

	links->some |= l->kind != TN_CHAIN_UNKNOWN;
	if (answer_form(a) != TN_TABLE_TEXT) {
		const struct tn_answer_value row[] = {
			tn_answer_number(true, (int64_t)l->depth), tn_answer_number(true, l->tid), tn_answer_text(kind),
			tn_answer_number(l->whom >= 0, l->whom), tn_answer_number(true, l->begin_ns),
			tn_answer_number(true, l->end_ns), { .kind = TN_ANSWER_UINT, .is.u = ns },
			tn_answer_text(l->doubtful ? "doubtful" : NULL), tn_answer_number(l->doubtful, 1),
		};

		return answer_row(a, row);
	}
	tn_text_time(a->text, l->begin_ns, out);
	put_thread(links, l);
	snprintf(text, sizeof text, " %-10s ", kind);
	put_text(out, text);
	tn_table_duration((double)ns, out);
	if (l->whom >= 0) {
		snprintf(text, sizeof text, l->kind == TN_CHAIN_ASLEEP ? _("  woken by %jd") : _("  %jd ran"),
			 (intmax_t)l->whom);
		put_text(out, text);
		answer_put_name(a, "tid", &whom, out);
	}
	if (l->doubtful)
		put_text(out, _("  doubtful: events were lost"));
	put_text(out, "\n");
	return answer_put(a);
}

/* Find the range that the options give, or else the time range of the traces. */
static enum tn_code
window(const struct job *job, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err)
{
	int64_t first = 0, last = 0;
	enum tn_code rc = TN_OK;

	if (!job->has_begin || !job->has_end)
		rc = tn_set_time_range(job->set, &first, &last, err);
	*begin_ns = job->has_begin ? job->begin_ns : first;
	*end_ns = job->has_end ? job->end_ns : last;
	return rc;
}

static int
make_table(struct answer *a)
{
	static const char *const names[] = { "depth", "tid", "state", "whom", "begin", "end", "duration" };
	int status = answer_table(a);

	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++)
		answer_column(a, (struct tn_table_column) { .name = names[i] });
	if (!status) {
		answer_column(a, (struct tn_table_column) { .name = "doubtful", .flags = TN_COLUMN_NO_JSON });
		answer_column(a, (struct tn_table_column) { .name = "doubtful",
						      .flags = TN_COLUMN_NO_CSV | TN_COLUMN_OPTIONAL | TN_COLUMN_BOOL });
	}
	return status;
}

static enum tn_code
run_chain(struct answer *a, const char *host, int64_t tid, int64_t begin_ns, int64_t end_ns, struct tn_error *err)
{
	struct links links = { .answer = a };
	bool cut = false;
	enum tn_code rc;

	if (answer_names(a, NULL, "tid") || (answer_form(a) != TN_TABLE_TEXT && (make_table(a) || answer_heading(a))))
		return TN_OK;
	a->host = host;
	rc = tn_chain_run(a->job->set, &a->scan, host, tid, begin_ns, end_ns, print_link, &links, &cut, err);
	if (rc == TN_OK && !links.some) {
		char text[160];

		snprintf(text, sizeof text, _("no event in this time shows what thread %jd did"), (intmax_t)tid);
		complain(_("note"), text);
	}
	if (cut)
		complain(_("warning"), _("the chain is cut at its limit: choose a shorter time"));
	return rc;
}

int
print_chain(struct job *job)
{
	int64_t begin_ns, end_ns;
	const char *number = strrchr(job->options->chain, ':');
	char *end, *host = NULL, text[256];
	long long tid;
	struct answer a;
	struct tn_error err;
	enum tn_code rc;
	int status;

	errno = 0;
	if (number) {
		host = strndup(job->options->chain, (size_t)(number - job->options->chain));
		if (!host) {
			complain(NULL, _("out of memory"));
			return 1;
		}
	}
	number = number ? number + 1 : job->options->chain;
	tid = strtoll(number, &end, 10);
	if (end == number || *end || errno == ERANGE) {
		snprintf(text, sizeof text, _("--chain=%.80s: write the number of a thread"), job->options->chain);
		complain(NULL, text);
		free(host);
		return 2;
	}
	status = answer_begin(&a, job);
	rc = status ? TN_OK : window(job, &begin_ns, &end_ns, &err);
	if (rc == TN_END)
		complain(NULL, _("no event has a time"));
	if (!status && rc == TN_OK)
		rc = run_chain(&a, host, tid, begin_ns, end_ns, &err);
	free(host);
	if (!status)
		status = rc == TN_END ? 1 : answer_status(&a, rc, &err);
	return answer_end(&a, status);
}

/* ---- the chain of a span ---- */

/* The longest closed span found so far. */
struct longest {
	bool some;
	struct tn_location at;
	int64_t begin_ns, end_ns;
	int64_t tid;		/* thread number in a key of the span; -1: no key has one */
	struct tn_str words;	/* name and keys of the span */
	const struct tn_spans *spans;
};

static int
take_longest(void *user, const struct tn_span *s)
{
	struct longest *l = ((struct answer *)user)->span;

	if (s->state != TN_SPAN_CLOSED || !s->has_duration || s->duration_ns <= 0 ||
	    (l->some && s->duration_ns <= l->end_ns - l->begin_ns))
		return 0;
	l->some = true;
	l->at = s->begin;
	l->begin_ns = s->begin_ns;
	l->end_ns = s->end_ns;
	l->tid = -1;
	l->words.n = 0;
	put_column(&l->words, s->name, strlen(s->name), 0);
	for (size_t i = 0; i < s->n_keys; i++) {
		struct tn_str value = { 0 };

		if (l->tid < 0 && s->key[i].kind == TN_ANSWER_UINT && s->key[i].is.i >= 0 &&
		    tn_chain_is_thread(tn_spans_key(l->spans, s->definition, i)))
			l->tid = s->key[i].is.i;
		tn_answer_value_text(&s->key[i], &value);
		tn_str_printf(&l->words, "  %s=", tn_spans_key(l->spans, s->definition, i));
		put_column(&l->words, value.text ? value.text : "", value.n, 0);
		tn_str_release(&value);
	}
	return 0;
}

/* Define the spans that the user gave, or else system calls. */
static enum tn_code
define(struct tn_spans **out, const struct job *job, struct tn_error *err)
{
	const struct options *o = job->options;
	enum tn_code rc = tn_spans_new(out, job->set, err);

	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(*out, o->spans[i], err);
	if (!o->n_spans && rc == TN_OK &&
	    tn_spans_add(*out, "syscall_entry_* syscall_exit_* by tid as *", NULL) != TN_OK) {
		err->code = TN_ERR_ARGUMENT;
		snprintf(err->text, sizeof err->text, "%s",
			 _("--ask=chain: there are no system calls: name the spans, --spans 'BEGIN END by KEY'"));
		return TN_ERR_ARGUMENT;
	}
	if (o->where && rc == TN_OK)
		rc = tn_spans_where(*out, o->where, err);
	return rc;
}

int
ask_chain(struct job *job)
{
	struct longest longest = { .some = false };
	struct tn_spans *spans = NULL;
	struct tn_error err;
	struct answer a;
	const char *host = NULL;
	int64_t tid;
	enum tn_code rc = TN_OK;
	int status = answer_begin(&a, job);

	a.span = &longest;
	if (!status)
		rc = define(&spans, job, &err);
	longest.spans = spans;
	if (!status && rc == TN_OK)
		rc = tn_spans_run(spans, &a.scan, TN_SPANS_BY_BEGIN, take_longest, &a, NULL, &err);
	if (!status && rc == TN_OK && !longest.some) {
		complain(NULL, _("--ask=chain: there is no closed span"));
		status = 1;
	}
	if (!status && rc == TN_OK) {
		rc = tn_chain_thread(job->set, &a.scan, &longest.at, &host, &tid, &err);
		if (longest.tid >= 0 && rc >= 0) {
			rc = TN_OK;
			tid = longest.tid;
		}
		if (rc == TN_END) {
			complain(NULL, _("--ask=chain: the thread of the longest span is unknown: events need a tid, or "
					 "sched_switch before them"));
			status = 1;
		}
	}
	if (!status && rc == TN_OK && job->options->as == FORMAT_TEXT) {
		put_text(&a.line, "# ");
		put_text(&a.line, longest.words.text ? longest.words.text : "");
		put_text(&a.line, "  ");
		tn_table_duration((double)(longest.end_ns - longest.begin_ns), &a.line);
		put_text(&a.line, "\n");
		answer_head(&a);
	}
	if (!status && rc == TN_OK)
		rc = run_chain(&a, host, tid, longest.begin_ns, longest.end_ns, &err);
	if (!status)
		status = answer_status(&a, rc, &err);
	tn_str_release(&longest.words);
	tn_spans_free(spans);
	return answer_end(&a, status);
}
