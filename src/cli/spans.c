/*
 * spans.c - spans, one a line
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"
#include "screen/array.h"

/* A span that is kept until its turn comes: @span points into what follows. */
struct kept {
	struct tn_span span;
	size_t size;		/* bytes of all of it */
	uint64_t number;	/* in the order of the begins */
};

#define KEPT_BYTES ((size_t)48 << 20)	/* of spans to be sorted */

enum sort { SORT_NONE, SORT_DURATION, SORT_BEGIN, SORT_END, SORT_NAME, SORT_STATE, SORT_KEY, SORT_FIELD };

struct printer {
	struct answer answer;
	struct tn_spans *spans;
	enum output_format as;
	enum sort sort;
	size_t column;		/* of SORT_KEY, SORT_FIELD */
	bool backward;
	struct kept **kept;
	size_t n_kept, room, bytes;
	uint64_t left_out;	/* for want of memory */
	uint64_t n;
	bool is_cut;		/* a name or a label was */
	bool has_hosts;		/* numbers of threads mean one thing on each: it is told, unless a definition names it */
};

/* "" where there is none. */
static const char *
host_of(const struct printer *p, const struct tn_span *s)
{
	const struct tn_stream *stream = tn_set_stream(p->answer.job->set, s->is_at_begin ? s->begin.stream : s->end.stream);
	const char *host = tn_stream_host(stream);

	return host ? host : "";
}

/* ---- a line ---- */

static void
put_json(struct printer *p, const struct tn_span *s)
{
	struct tn_str *out = &p->answer.line;
	const struct { const char *name; bool some; int64_t value; } times[] = {
		{ "begin", s->has_begin, s->begin_ns }, { "end", s->has_end, s->end_ns },
		{ "duration", s->has_duration, s->duration_ns },
	};

	put_text(out, "{\"name\":");
	tn_answer_json_string(s->name, strlen(s->name), out);
	for (size_t i = 0; i < 3; i++) {
		put_member(out, times[i].name, false);
		if (times[i].some)
			put_number(out, times[i].value);
		else
			put_text(out, "null");
	}
	put_text(out, ",\"key\":{");
	for (size_t i = 0; i < s->n_keys; i++) {
		put_member(out, tn_spans_key(p->spans, s->definition, i), i == 0);
		tn_answer_value_json(&s->key[i], out);
	}
	put_text(out, "},\"state\":\"");
	put_text(out, tn_span_state_name(s->state));
	put_text(out, "\"");
	if (p->has_hosts) {
		put_member(out, "host", false);
		tn_answer_json_string(host_of(p, s), strlen(host_of(p, s)), out);
	}
	for (size_t i = 0; i < s->n_captured; i++) {
		put_member(out, tn_spans_captured(p->spans, s->definition, i), false);
		tn_answer_value_json(&s->captured[i], out);
	}
	put_text(out, "}\n");
}

/* A name that stands before the @i-th of @of is called the same; of fields, those that every span has, too. */
static bool
is_taken(const struct printer *p, size_t d, size_t i, const char *(*of)(const struct tn_spans *, size_t, size_t), bool fields)
{
	static const char *const own[] = { "name", "begin", "end", "duration", "key", "state" };
	const char *name = of(p->spans, d, i);
	bool taken = false;

	for (size_t k = 0; k < i; k++)
		taken |= strcmp(of(p->spans, d, k), name) == 0;
	for (size_t k = 0; k < sizeof own / sizeof *own; k++)
		taken |= fields && strcmp(own[k], name) == 0;
	return taken;
}

/* 0, or 2 with a message: a name is no member of an object twice. */
static int
check_members(const struct printer *p)
{
	for (size_t d = 0; p->as == FORMAT_JSON && d < tn_spans_count(p->spans); d++) {
		for (size_t i = 0; tn_spans_key(p->spans, d, i); i++)
			if (is_taken(p, d, i, tn_spans_key, false))
				return refuse_member(tn_spans_key(p->spans, d, i));
		for (size_t i = 0; tn_spans_captured(p->spans, d, i); i++)
			if (is_taken(p, d, i, tn_spans_captured, true))
				return refuse_member(tn_spans_captured(p->spans, d, i));
	}
	return 0;
}

/* Columns are those of all definitions, one behind the other. */
static void
put_csv_line(struct printer *p, const struct tn_span *s)
{
	struct tn_str *out = &p->answer.line;

	put_csv(out, s->name, strlen(s->name));
	put_text(out, ",");
	if (s->has_begin)
		put_number(out, s->begin_ns);
	put_text(out, ",");
	if (s->has_end)
		put_number(out, s->end_ns);
	put_text(out, ",");
	if (s->has_duration)
		put_number(out, s->duration_ns);
	put_text(out, ",");
	put_text(out, tn_span_state_name(s->state));
	if (p->has_hosts) {
		put_text(out, ",");
		put_csv(out, host_of(p, s), strlen(host_of(p, s)));
	}
	for (size_t d = 0; d < tn_spans_count(p->spans); d++) {
		for (size_t i = 0; tn_spans_key(p->spans, d, i); i++) {
			put_text(out, ",");
			if (d == s->definition)
				put_csv_value(out, &s->key[i]);
		}
		for (size_t i = 0; tn_spans_captured(p->spans, d, i); i++) {
			put_text(out, ",");
			if (d == s->definition)
				put_csv_value(out, &s->captured[i]);
		}
	}
	put_text(out, "\n");
}

static void
put_csv_heading(struct printer *p)
{
	struct tn_str *out = &p->answer.line;

	put_text(out, "name,begin,end,duration,state");
	if (p->has_hosts)
		put_text(out, ",host");
	for (size_t d = 0; d < tn_spans_count(p->spans); d++) {
		const char *name;

		for (size_t i = 0; (name = tn_spans_key(p->spans, d, i)); i++) {
			put_text(out, ",key.");
			put_csv(out, name, strlen(name));
		}
		for (size_t i = 0; (name = tn_spans_captured(p->spans, d, i)); i++) {
			put_text(out, ",");
			put_csv(out, name, strlen(name));
		}
	}
	put_text(out, "\n");
}

static void
put_time(struct printer *p, bool some, int64_t ns)
{
	struct tn_str time = { 0 };

	if (some)
		tn_text_time(p->answer.text, ns, &time);
	else
		put_text(&time, "-");
	put_column(&p->answer.line, time.text ? time.text : "", time.n, 19);
	put_text(&p->answer.line, "  ");
	tn_str_release(&time);
}

/* Of names and labels, which stand once in a trace and in each of these lines. */
#define SHOWN_BYTES 240

/* The whole text, or its begin. */
static void
put_begin(struct printer *p, const char *text, size_t n)
{
	size_t shown = n;

	if (n > SHOWN_BYTES)
		for (shown = SHOWN_BYTES; shown && ((unsigned char)text[shown] & 0xc0) == 0x80; shown--)
			;
	put_column(&p->answer.line, text, shown, 0);
	if (shown < n)
		put_text(&p->answer.line, "...");
	p->is_cut |= shown < n;
}

static void
put_named(struct printer *p, const char *name, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };

	if (v->kind == TN_ANSWER_NONE)
		return;
	tn_answer_value_text(v, &text);
	put_text(&p->answer.line, "  ");
	put_text(&p->answer.line, name);
	put_text(&p->answer.line, "=");
	if (v->type)
		put_begin(p, text.text ? text.text : "", text.n);
	else
		put_column(&p->answer.line, text.text ? text.text : "", text.n, 0);
	tn_str_release(&text);
}

static void
put_line(struct printer *p, const struct tn_span *s)
{
	struct tn_str *out = &p->answer.line, duration = { 0 };

	put_time(p, s->has_begin, s->begin_ns);
	put_time(p, s->has_end, s->end_ns);
	if (s->has_duration)
		put_duration(&duration, (double)s->duration_ns);
	else
		put_text(&duration, "-");
	for (size_t i = duration.n; i < 11; i++)
		put_text(out, " ");
	put_text(out, duration.text ? duration.text : "");
	tn_str_release(&duration);
	put_text(out, "  ");
	put_column(out, tn_span_state_name(s->state), strlen(tn_span_state_name(s->state)), 8);
	put_text(out, "  ");
	put_begin(p, s->name, strlen(s->name));
	if (p->has_hosts) {
		put_text(out, "  host=");
		put_begin(p, host_of(p, s), strlen(host_of(p, s)));
	}
	for (size_t i = 0; i < s->n_keys; i++)
		put_named(p, tn_spans_key(p->spans, s->definition, i), &s->key[i]);
	for (size_t i = 0; i < s->n_captured; i++)
		put_named(p, tn_spans_captured(p->spans, s->definition, i), &s->captured[i]);
	put_text(out, "\n");
}

static int
print_span(struct printer *p, const struct tn_span *s)
{
	if (p->as == FORMAT_JSON)
		put_json(p, s);
	else if (p->as == FORMAT_CSV)
		put_csv_line(p, s);
	else
		put_line(p, s);
	return answer_put(&p->answer);
}

/* ---- sorting ---- */

static int
compare_numbers(bool a_some, int64_t a, bool b_some, int64_t b)
{
	if (a_some != b_some)
		return a_some ? 1 : -1;
	return !a_some ? 0 : a < b ? -1 : a > b;
}

/* Names of keys and fields say which of any definition is meant; spans without it come first. */
static const struct tn_answer_value *
value_of(const struct printer *p, const struct tn_span *s)
{
	static const struct tn_answer_value none;

	if (p->sort == SORT_KEY)
		return p->column < s->n_keys ? &s->key[p->column] : &none;
	return p->column < s->n_captured ? &s->captured[p->column] : &none;
}

/* <0: @a is printed before @b. Equal ones in the order of their begins. */
static int
compare(const struct printer *p, const struct kept *a, const struct kept *b)
{
	const struct tn_span *s = &a->span, *t = &b->span;
	int order = 0;

	switch (p->sort) {
	case SORT_NONE:
		break;
	case SORT_DURATION:
		order = -compare_numbers(s->has_duration, s->duration_ns, t->has_duration, t->duration_ns);
		break;
	case SORT_BEGIN:
		order = compare_numbers(s->has_begin, s->begin_ns, t->has_begin, t->begin_ns);
		break;
	case SORT_END:
		order = compare_numbers(s->has_end, s->end_ns, t->has_end, t->end_ns);
		break;
	case SORT_NAME:
		order = strcmp(s->name, t->name);
		break;
	case SORT_STATE:
		order = strcmp(tn_span_state_name(s->state), tn_span_state_name(t->state));
		break;
	case SORT_KEY:
	case SORT_FIELD:
		order = tn_answer_value_compare(value_of(p, s), value_of(p, t));
		break;
	}
	if (p->backward)
		order = -order;
	return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

/* A copy with all that it points to. */
static struct kept *
keep(const struct tn_span *s, uint64_t number)
{
	size_t n = s->n_keys + s->n_captured, bytes = 0;
	struct tn_answer_value *v;
	struct kept *k;
	char *text;

	for (size_t i = 0; i < s->n_keys; i++)
		bytes += s->key[i].kind == TN_ANSWER_TEXT ? s->key[i].n : 0;
	for (size_t i = 0; i < s->n_captured; i++)
		bytes += s->captured[i].kind == TN_ANSWER_TEXT ? s->captured[i].n : 0;
	k = malloc(sizeof *k + n * sizeof *v + bytes + 1);
	if (!k)
		return NULL;
	v = (struct tn_answer_value *)(void *)(k + 1);
	text = (char *)(v + n);
	k->span = *s;
	k->size = sizeof *k + n * sizeof *v + bytes + 1;
	k->number = number;
	for (size_t i = 0; i < n; i++) {
		v[i] = i < s->n_keys ? s->key[i] : s->captured[i - s->n_keys];
		if (v[i].kind != TN_ANSWER_TEXT)
			continue;
		memcpy(text, v[i].text, v[i].n);
		v[i].text = text;
		text += v[i].n;
	}
	k->span.key = v;
	k->span.captured = v + s->n_keys;
	return k;
}

/* The heap of those kept has the one on top that would be printed last. */
static void
sift_down(struct printer *p, size_t n, size_t i)
{
	struct kept *k = p->kept[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && compare(p, p->kept[child + 1], p->kept[child]) > 0)
			child++;
		if (compare(p, k, p->kept[child]) >= 0)
			break;
		p->kept[i] = p->kept[child];
		i = child;
	}
	p->kept[i] = k;
}

static bool
add_kept(struct printer *p, struct kept *k)
{
	struct kept **more = array_more(p->kept, p->n_kept, &p->room, sizeof *more);
	size_t i;

	if (!more)
		return false;
	p->kept = more;
	for (i = p->n_kept++; i && compare(p, k, p->kept[(i - 1) / 2]) > 0; i = (i - 1) / 2)
		p->kept[i] = p->kept[(i - 1) / 2];
	p->kept[i] = k;
	return true;
}

static int
take_sorted(struct printer *p, const struct tn_span *s)
{
	uint64_t top = p->answer.job->options->top;
	struct kept probe = { .span = *s, .number = p->n }, *k;
	bool full = top && p->n_kept == top, crowded = !full && p->bytes >= KEPT_BYTES && p->n_kept;

	p->left_out += crowded;
	if ((full || crowded) && compare(p, &probe, p->kept[0]) > 0)
		return 0;
	k = keep(s, p->n);
	if (!k) {
		complain(NULL, _("out of memory"));
		return 1;
	}
	p->bytes += k->size;
	if (full || crowded) {
		p->bytes -= p->kept[0]->size;
		free(p->kept[0]);
		p->kept[0] = k;
		sift_down(p, p->n_kept, 0);
	} else if (!add_kept(p, k)) {
		free(k);
		complain(NULL, _("out of memory"));
		return 1;
	}
	/* One that is larger than what it took the place of. */
	while (p->bytes > KEPT_BYTES + k->size && p->n_kept > 1) {
		struct kept *last = p->kept[0];

		p->left_out++;
		p->bytes -= last->size;
		p->kept[0] = p->kept[--p->n_kept];
		sift_down(p, p->n_kept, 0);
		free(last);
	}
	return 0;
}

static int
print_sorted(struct printer *p)
{
	size_t n = p->n_kept;
	int status = 0;

	/* The last one goes behind the heap, again and again. */
	while (p->n_kept > 1) {
		struct kept *last = p->kept[0];

		p->kept[0] = p->kept[--p->n_kept];
		sift_down(p, p->n_kept, 0);
		p->kept[p->n_kept] = last;
	}
	for (size_t i = 0; i < n && !status; i++)
		status = print_span(p, &p->kept[i]->span);
	for (size_t i = 0; i < n; i++)
		free(p->kept[i]);
	p->n_kept = 0;
	return status;
}

/* ---- all ---- */

static int
on_span(void *user, const struct tn_span *s)
{
	struct printer *p = user;
	uint64_t top = p->answer.job->options->top;
	int status;

	if (p->sort != SORT_NONE)
		status = take_sorted(p, s);
	else
		status = print_span(p, s);
	p->n++;
	return status || (p->sort == SORT_NONE && top && p->n == top);
}

static int
on_slowest(void *user, const struct tn_span *s)
{
	return print_span(user, s);
}

static bool
find_value(struct printer *p, const char *name, enum sort sort, const char *(*of)(const struct tn_spans *, size_t, size_t))
{
	for (size_t d = 0; d < tn_spans_count(p->spans); d++)
		for (size_t i = 0; of(p->spans, d, i); i++)
			if (strcmp(of(p->spans, d, i), name) == 0) {
				p->sort = sort;
				p->column = i;
				return true;
			}
	return false;
}

static int
read_sort(struct printer *p, const char *text)
{
	static const struct { const char *name; enum sort sort; } names[] = {
		{ "duration", SORT_DURATION }, { "dur", SORT_DURATION }, { "begin", SORT_BEGIN }, { "end", SORT_END },
		{ "name", SORT_NAME }, { "state", SORT_STATE },
	};
	char all[512];

	if (!text)
		return 0;
	p->backward = *text == '-';
	text += p->backward;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i].name) == 0) {
			p->sort = names[i].sort;
			return 0;
		}
	if (find_value(p, text, SORT_KEY, tn_spans_key) || find_value(p, text, SORT_FIELD, tn_spans_captured))
		return 0;
	snprintf(all, sizeof all, _("--sort=%s: write duration, begin, end, name, state, or a key or field that is shown"), text);
	complain(NULL, all);
	return 2;
}

/* What is not in the lines, or not as it should be. */
static void
tell_left_out(const struct printer *p, const struct tn_span_counts *counts)
{
	char text[512];

	if (p->left_out) {
		snprintf(text, sizeof text, _("%ju spans that come behind those are left out: sorted ones are kept in %zu MiB of "
					      "memory; --where leaves out others, and without --sort there are all"),
			 (uintmax_t)p->left_out, KEPT_BYTES >> 20);
		complain(_("warning"), text);
	}
	tell_bounds(counts);
	if (p->is_cut) {
		snprintf(text, sizeof text, _("names of more than %d bytes are shown with '...' at their end: "
					      "--output-format=jsonl and csv have all of them"), SHOWN_BYTES);
		complain(_("warning"), text);
	}
	if (!counts->without_key)
		return;
	snprintf(text, sizeof text, ngettext("%ju event has not all of the keys and was left out",
					     "%ju events have not all of the keys and were left out", counts->without_key),
		 (uintmax_t)counts->without_key);
	complain(_("warning"), text);
}

static int
run(struct printer *p)
{
	struct tn_span_counts counts;
	struct tn_error err;
	uint64_t top = p->answer.job->options->top;
	enum tn_code rc;
	int status;

	if (p->as == FORMAT_CSV) {
		put_csv_heading(p);
		if (answer_head(&p->answer))
			return 0;
	}
	/* Equal ones come in the order of their begins. */
	if (p->sort == SORT_DURATION && !p->backward && top && top <= TN_SPANS_SLOWEST) {
		rc = tn_spans_slowest(p->spans, &p->answer.scan, (size_t)top, on_slowest, p, &counts, &err);
		p->left_out = counts.left_out;
		for (size_t i = 0; i < sizeof counts.of_state / sizeof *counts.of_state; i++)
			p->n += counts.of_state[i];
	} else {
		rc = tn_spans_run(p->spans, &p->answer.scan, TN_SPANS_BY_BEGIN, on_span, p, &counts, &err);
	}
	if (rc == TN_ERR_CANCELLED && p->sort == SORT_NONE && top && p->n == top)
		rc = TN_OK;
	status = answer_status(&p->answer, rc, &err);
	if (!status && p->sort != SORT_NONE)
		print_sorted(p);
	if (!status)
		tell_left_out(p, &counts);
	p->answer.job->events = p->n;
	return status;
}

static bool
has_name(const struct printer *p, const char *name, const char *(*of)(const struct tn_spans *, size_t, size_t))
{
	for (size_t d = 0; d < tn_spans_count(p->spans); d++)
		for (size_t i = 0; of(p->spans, d, i); i++)
			if (strcmp(of(p->spans, d, i), name) == 0)
				return true;
	return false;
}

int
print_spans(struct job *job)
{
	const struct options *o = job->options;
	struct printer p = { .as = o->as };
	struct tn_error err;
	enum tn_code rc;
	int status;

	rc = tn_spans_new(&p.spans, job->set, &err);
	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(p.spans, o->spans[i], &err);
	if (rc == TN_OK && o->where)
		rc = tn_spans_where(p.spans, o->where, &err);
	status = rc == TN_OK ? read_sort(&p, o->sort) : job_failed(&err);
	p.has_hosts = tn_set_has_hosts(job->set) && !has_name(&p, "host", tn_spans_key) && !has_name(&p, "host", tn_spans_captured);
	if (!status)
		status = check_members(&p);
	if (!status) {
		status = answer_begin(&p.answer, job);
		if (!status)
			status = run(&p);
		status = answer_end(&p.answer, status);
	}
	tn_spans_free(p.spans);
	free(p.kept);
	return status;
}
