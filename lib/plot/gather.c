/* gather.c - read the values of a plot: those of the keys with most values, and losses */
#include "plot/plot.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "group/groups.h"
#include "scan/asker.h"

#define BINS_A_ROW 50	/* a row has at most this number of bins */

enum tn_code
tn_plot_groups(struct tn_plot *p, const char *aggregate, struct tn_error *err)
{
	const char *by = p->key ? p->key : "";
	struct tn_str show = { 0 };
	enum tn_code rc;

	tn_groups_free(p->groups);
	p->groups = NULL;
	tn_str_printf(&show, p->where && p->spans ? "%s(%s where %s)" : "%s(%s)", aggregate, p->value, p->where);
	rc = show.failed ? tn_fail_memory(err) : p->spans ? tn_groups_of_spans(&p->groups, p->spans, by, show.text, err) :
	     tn_groups_new(&p->groups, p->set, by, show.text, err);
	/* The user did not type the aggregate, so omit its name and column from the message. */
	if (rc == TN_ERR_ARGUMENT && err && tn_error_reason(err, show.text) != err->text) {
		struct tn_error inner = *err;

		rc = tn_fail(err, rc, "'%s': %s", p->value, tn_error_reason(&inner, show.text));
	}
	tn_str_release(&show);
	if (rc == TN_OK && p->groups->aggregates.n > 1)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': write one number for the plot, and close each bracket", p->value);
	return rc;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct tn_plot *p = user;
	bool again = p->told++ < p->skipped;

	if (row->has_range)
		tn_plot_memory_lose(p->made, row->begin_ns, row->end_ns);
	else if (row->has_time)
		tn_plot_memory_lose(p->made, row->time_ns, row->time_ns);
	return p->asked.notice && !again ? p->asked.notice(p->asked.user, row) : 0;
}

struct sum {
	size_t row;
	uint64_t n;
	size_t before;	/* number of keys before it */
};

static int
by_number(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : x->before < y->before ? -1 : x->before > y->before;
}

/* Choose the keys with most values, and omit the others. */
static enum tn_code
choose_series(struct tn_plot *p, struct tn_plot_memory *m, struct tn_error *err)
{
	size_t rows = tn_groups_count(p->groups), n = 0;
	struct sum *sum = calloc(rows + 1, sizeof *sum);
	bool whole = sum != NULL;

	for (size_t i = 0; whole && i < rows; i++) {
		bool is_rest;
		const struct tn_answer_value *v = tn_groups_row(p->groups, i, &is_rest);

		if (!is_rest && v[1].is.u)
			sum[n++] = (struct sum) { i, v[1].is.u, i };
	}
	if (n)
		qsort(sum, n, sizeof *sum, by_number);
	for (size_t i = 0; whole && i < n && i < TN_PLOT_SERIES; i++) {
		struct tn_plot_series *s = &m->series[i];

		whole = tn_pack(&s->key, &tn_groups_row(p->groups, sum[i].row, NULL)[0], false);
		m->n_series = i + 1;
		if (whole) {
			tn_unpack(s->key.item, &s->value);
			s->value.type = tn_groups_row(p->groups, sum[i].row, NULL)[0].type;
			s->has_step = tn_groups_step(p->groups, 0, &s->value, &s->from, &s->to);
		}
	}
	free(sum);
	return !whole ? tn_fail_memory(err) : n ? TN_OK : TN_END;
}

/* The axis that the definition asks for. Several forms of one number have one axis. */
static struct tn_plot_lattice
lattice_of(const struct tn_plot *p, size_t rows)
{
	struct tn_plot_lattice l = { .bins = p->bins, .most = rows < 20 ? 20 * BINS_A_ROW : rows * BINS_A_ROW };

	l.scale = p->bins.kind == TN_BINS_LOG2 || (!p->bins.kind && p->unit == TN_GROUP_DURATION) ? TN_PLOT_LOG2 :
		  p->bins.kind ? TN_PLOT_STEPS : TN_PLOT_DECIMAL;
	l.most = l.most > 32768 ? 32768 : l.most;
	return l;
}

static struct tn_scan_options
options_of(struct tn_plot *p)
{
	struct tn_scan_options o = p->asked;

	o.notice = on_notice;
	if (p->made->learns)
		o.threads = 1;
	tn_answer_with(&o, p);
	return o;
}

/* Make an empty memory for [begin_ns, end_ns) with its series. */
enum tn_code
tn_plot_begin(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, unsigned shift, size_t rows, bool samples,
	      struct tn_error *err)
{
	bool learns = p->key && (samples || (p->spans && !p->has_many_keys));
	struct tn_plot_lattice lattice = lattice_of(p, rows);
	struct tn_plot_memory keys = { 0 };
	enum tn_code rc = TN_OK;

	tn_plot_memory_free(p->made);
	p->made = NULL;
	keys.n_series = learns ? TN_PLOT_SERIES : 1;
	if (p->key && !learns) {
		struct tn_scan_options o = p->asked;

		rc = tn_plot_groups(p, "count", err);
		o.notice = NULL;
		rc = rc == TN_OK ? tn_groups_run(p->groups, &o, err) : rc;
		rc = rc == TN_OK ? choose_series(p, &keys, err) : rc;
	}
	if (rc == TN_OK)
		p->made = tn_plot_memory_new(&lattice, begin_ns, end_ns, shift, keys.n_series);
	if (!p->made) {
		for (size_t i = 0; i < TN_PLOT_SERIES; i++)
			TN_ARRAY_RELEASE(&keys.series[i].key);
		return rc == TN_OK ? tn_fail_memory(err) : rc;
	}
	memcpy(p->made->series, keys.series, sizeof keys.series);
	p->made->has_key = p->key != NULL;
	p->made->has_sketches = p->has_lines;
	p->made->alone = p->spans || learns;
	if (learns) {
		p->made->learns = true;
		p->made->ends = !samples;
		p->made->n_series = 0;
	}
	return rc;
}

/* Read spans from the first event on, because they may begin before the range; their ends may be after it. */
enum tn_code
tn_plot_read(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, struct tn_error *err)
{
	struct tn_group_sink sink = tn_plot_sink;
	struct tn_scan_options o = options_of(p);
	enum tn_code rc = tn_plot_groups(p, "max", err);

	if (!p->spans) {
		o.begin_ns = o.has_begin && o.begin_ns > begin_ns ? o.begin_ns : begin_ns;
		o.end_ns = o.has_end && o.end_ns < end_ns - 1 ? o.end_ns : end_ns - 1;
		o.has_begin = o.has_end = true;
	}
	sink.user = p->made;
	if (rc == TN_OK) {
		p->groups->sink = &sink;
		rc = tn_groups_run(p->groups, &o, err);
		p->groups->sink = NULL;
		p->made->spans = tn_groups_span_counts(p->groups);
	}
	return rc;
}

/* Sort the series: most values first, then by key. */
enum tn_code
tn_plot_sort(struct tn_plot *p, struct tn_error *err)
{
	struct tn_plot_memory *m = p->made, *sorted;
	struct sum sum[TN_PLOT_SERIES];
	size_t order[TN_PLOT_SERIES];

	for (size_t s = 0; s < m->n_series; s++) {
		sum[s] = (struct sum) { s, 0 };
		for (size_t i = 0; i < m->cells; i++)
			sum[s].n += m->cell[s * m->cells + i].n;
		for (size_t i = 0; i < m->n_series; i++)
			sum[s].before += tn_answer_value_compare(&m->series[i].value, &m->series[s].value) < 0;
	}
	qsort(sum, m->n_series, sizeof *sum, by_number);
	for (size_t s = 0; s < m->n_series; s++)
		order[s] = sum[s].row;
	sorted = tn_plot_memory_sorted(m, order);
	if (!sorted)
		return tn_fail_memory(err);
	tn_plot_memory_free(m);
	p->made = sorted;
	for (size_t s = 0; s < sorted->n_series; s++) {
		struct tn_plot_series *of = &sorted->series[s];

		for (size_t i = 0; !of->value.type && i < tn_groups_count(p->groups); i++)
			of->value.type = tn_groups_row(p->groups, i, NULL)[0].type;
		of->has_step = tn_groups_step(p->groups, 0, &of->value, &of->from, &of->to);
	}
	return TN_OK;
}

/*
 * Keys of spans are known only after matching spans, which is done once. If there are too many keys, they are counted
 * first.
 */
enum tn_code
tn_plot_fill(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, unsigned shift, size_t rows, struct tn_error *err)
{
	enum tn_code rc;

	p->told = p->skipped = 0;
	p->has_many_keys = false;
	rc = tn_plot_begin(p, begin_ns, end_ns, shift, rows, false, err);
	rc = rc == TN_OK ? tn_plot_read(p, begin_ns, end_ns, err) : rc;
	if (p->made && p->made->is_full) {
		p->skipped = p->told;
		p->told = 0;
		p->has_many_keys = true;
		rc = tn_plot_begin(p, begin_ns, end_ns, shift, rows, false, err);
		rc = rc == TN_OK ? tn_plot_read(p, begin_ns, end_ns, err) : rc;
	} else if (rc == TN_OK && p->made->learns) {
		rc = p->made->n_series ? tn_plot_sort(p, err) : TN_END;
	}
	p->told = p->skipped = 0;
	return rc;
}
