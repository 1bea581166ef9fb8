/* plot.c - a number over time: the definition, the runs, and the memory of earlier runs */
#include "plot/plot.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "answer/question_text.h"
#include "base/error.h"
#include "base/meaning.h"
#include "base/now.h"
#include "base/options.h"
#include "model/path.h"
#include "scan/filter.h"
#include "set/set.h"
#include "span/spans.h"
#include "text/text.h"

#define STEPS 8		/* smallest number of fine cells in a column */
#define LEAST_STEPS 4	/* smallest number of cells in a column, if a memory exists */
#define MORE_CELLS 65536	/* cells that a memory has in addition, for later windows */
#define SAMPLES 64
#define SAMPLE_BYTES 100000
#define SAMPLING_NS 60000000

/* ---- the definition ---- */

static char *
trimmed(const char *from, const char *end)
{
	while (from < end && isspace((unsigned char)*from))
		from++;
	while (end > from && isspace((unsigned char)end[-1]))
		end--;
	return strndup(from, (size_t)(end - from));
}

/* Set the options of a run, with the condition of a plot of events. */
static enum tn_code
ask(struct tn_plot *p, const struct tn_scan_options *options, struct tn_error *err)
{
	struct tn_time_context times = { TN_TIME_CONTEXT };
	enum tn_code rc;

	p->asked = (struct tn_scan_options) { TN_SCAN_OPTIONS };
	rc = tn_options_take(&p->asked, sizeof p->asked, options, "tn_scan_options", err);
	if (rc < 0 || !p->where || p->spans)
		return rc;
	tn_filter_free(p->filter);
	rc = tn_filter_new(&p->filter, p->set, err);
	times.utc = p->asked.text && p->asked.text->options.utc;
	if (rc == TN_OK) {
		tn_filter_times(p->filter, &times);
		rc = tn_filter_add_expression(p->filter, p->where, err);
	}
	if (rc == TN_OK && p->asked.filter)
		rc = tn_filter_borrow(p->filter, p->asked.filter, err);
	p->asked.filter = p->filter;
	return rc;
}

/* Get the unit of the value, and check that the key and the condition are valid. */
static enum tn_code
check(struct tn_plot *p, struct tn_error *err)
{
	enum tn_code rc = tn_plot_groups(p, "max", err);

	if (rc == TN_OK)
		p->unit = tn_groups_unit(p->groups, tn_groups_key_count(p->groups));
	if (rc == TN_OK && p->key)
		p->key_unit = tn_groups_unit(p->groups, 0);
	if (rc == TN_OK && tn_groups_key_count(p->groups) > 1)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': a plot can have only one key", p->key);
	return rc == TN_OK ? ask(p, NULL, err) : rc;
}

/* Parse "VALUE [by KEY] [where CONDITION]". */
static enum tn_code
read_definition(struct tn_plot *p, const char *text, struct tn_error *err)
{
	const char *end = text + strlen(text), *where = tn_path_find_word(text, end, "where"), *head = where ? where : end;
	const char *by = tn_path_find_word(text, head, "by"), *name;
	char *value = trimmed(text, by ? by : head);
	size_t n = value ? strlen(value) : 0;
	enum tn_code rc;

	p->where = where ? trimmed(where + 6, end) : NULL;
	p->key = by ? trimmed(by + 3, head) : NULL;
	name = value;
	if (!value || (by && !p->key) || (where && !p->where))
		rc = tn_fail_memory(err);
	else if (!n)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': write the number to plot: ret, dur by name", text);
	else if (by && !*p->key)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': a key is missing after `by`", text);
	else if (where && !*p->where)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': a condition is missing after `where`", text);
	else
		rc = tn_bins_read(&p->bins, &name, &n, err);
	if (rc == TN_OK)
		p->value = strndup(name, n);
	if (rc == TN_OK && !p->value)
		rc = tn_fail_memory(err);
	free(value);
	return rc == TN_OK ? check(p, err) : rc;
}

enum tn_code
tn_plot_new(struct tn_plot **out, struct tn_set *set, const struct tn_spans *spans, const char *definition, struct tn_error *err)
{
	struct tn_plot *p;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set || !definition)
		return tn_fail_null(err);
	p = calloc(1, sizeof *p);
	if (!p)
		return tn_fail_memory(err);
	p->set = set;
	p->spans = spans;
	rc = read_definition(p, definition, err);
	if (rc < 0) {
		tn_plot_free(p);
		return rc;
	}
	*out = p;
	return TN_OK;
}

bool
tn_plot_is_of_spans(const char *definition)
{
	static const char *const names[] = { "dur", "duration", "any_duration", "inside" };
	size_t n;

	if (!definition)
		return false;
	definition += strspn(definition, " ");
	definition += strncmp(definition, "log2(", 5) == 0 ? 5 : 0;
	n = strcspn(definition, " /)");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == n && strncmp(names[i], definition, n) == 0)
			return true;
	return false;
}

void
tn_plot_free(struct tn_plot *p)
{
	if (!p)
		return;
	tn_plot_release_picture(p);
	tn_groups_free(p->groups);
	tn_plot_memory_free(p->memory);
	tn_plot_memory_free(p->made);
	tn_filter_free(p->filter);
	free(p->value);
	free(p->key);
	free(p->where);
	free(p);
}

/* ---- the memory ---- */

/* The question of the plot as a text. NULL: no text can express it. */
static char *
question_of(const struct tn_plot *p)
{
	struct tn_answer_cache k;
	char *question = NULL;

	tn_answer_cache_init(&k, p->set, "plot", TN_MEANING_GROUPS);
	if (p->spans)
		tn_spans_question(p->spans, &k);
	tn_str_printf(&k.question, "plot %s by %s bins %d %a\nwhere %s\n", p->value, p->key ? p->key : "", (int)p->bins.kind,
		      p->bins.width, p->where ? p->where : "");
	if (tn_question_text(&k.question, &p->asked, p->set))
		question = strdup(k.question.text);
	tn_answer_cache_release(&k);
	return question;
}

struct tn_plot_memory *
tn_plot_memory(const struct tn_plot *p)
{
	return p ? tn_plot_memory_get(p->memory) : NULL;
}

void
tn_plot_remember(struct tn_plot *p, struct tn_plot_memory *memory)
{
	if (!p)
		return;
	tn_plot_memory_get(memory);
	tn_plot_memory_free(p->memory);
	p->memory = memory;
}

/* ---- runs ---- */

static enum tn_code
check_size(const struct tn_plot *p, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows, struct tn_error *err)
{
	if (!p || !p->set)
		return tn_fail_null(err);
	if (columns < 2 || rows < 2 || columns > TN_PLOT_COLUMNS || rows > TN_PLOT_COLUMNS || end_ns <= begin_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "a plot needs 2 to %d columns and rows, and an end after its begin",
			       TN_PLOT_COLUMNS);
	return TN_OK;
}

static enum tn_code
begin(struct tn_plot *p, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows,
      struct tn_error *err)
{
	enum tn_code rc = check_size(p, begin_ns, end_ns, columns, rows, err);

	return rc < 0 ? rc : options ? ask(p, options, err) : tn_fail_null(err);
}

/* Whether the memory answers the question for this window, with cells that are fine enough. */
static bool
is_remembered(const struct tn_plot *p, int64_t begin_ns, int64_t end_ns, unsigned shift)
{
	const struct tn_plot_memory *m = p->memory;
	char *question = m ? question_of(p) : NULL;
	bool is = question && m->question && strcmp(m->question, question) == 0 && m->grown == p->set->grown &&
		  m->shift <= shift && begin_ns >= m->begin_ns && end_ns <= m->end_ns;

	free(question);
	return is;
}

bool
tn_plot_remembers(struct tn_plot *p, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t columns)
{
	return begin(p, options, begin_ns, end_ns, columns, 2, NULL) == TN_OK &&
	       is_remembered(p, begin_ns, end_ns, tn_plot_shift(begin_ns, end_ns, columns, LEAST_STEPS));
}

enum tn_code
tn_plot_gather(struct tn_plot *p, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t rows,
	       struct tn_error *err)
{
	enum tn_code rc = begin(p, options, begin_ns, end_ns, 2, rows, err);
	unsigned shift;

	if (rc < 0 || is_remembered(p, begin_ns, end_ns, 63))
		return rc;
	p->has_lines = true;
	shift = tn_plot_shift(begin_ns, end_ns, p->key ? MORE_CELLS / 4 : MORE_CELLS, 1);
	rc = tn_plot_fill(p, begin_ns, end_ns, shift, rows, err);
	if (rc == TN_OK) {
		p->made->question = question_of(p);
		p->made->grown = p->set->grown;
		tn_plot_remember(p, p->made);
	}
	tn_plot_memory_free(p->made);
	p->made = NULL;
	return rc;
}

enum tn_code
tn_plot_run(struct tn_plot *p, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns,
	    size_t columns, size_t rows, struct tn_error *err)
{
	enum tn_code rc = begin(p, options, begin_ns, end_ns, columns, rows, err);
	unsigned shift;

	if (rc < 0)
		return rc;
	shift = tn_plot_shift(begin_ns, end_ns, columns, STEPS);
	p->form = form;
	p->has_lines = form == TN_PLOT_LINE;
	if (is_remembered(p, begin_ns, end_ns, tn_plot_shift(begin_ns, end_ns, columns, LEAST_STEPS)))
		return tn_plot_draw(p, p->memory, begin_ns, end_ns, columns, rows, shift, err);
	rc = tn_plot_fill(p, begin_ns, end_ns, shift, rows, err);
	rc = rc == TN_OK ? tn_plot_draw(p, p->made, begin_ns, end_ns, columns, rows, shift, err) : rc;
	tn_plot_memory_free(p->made);
	p->made = NULL;
	return rc;
}

enum tn_code
tn_plot_so_far(struct tn_plot *p, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows,
	       struct tn_error *err)
{
	enum tn_code rc = check_size(p, begin_ns, end_ns, columns, rows, err);

	if (rc < 0 || !p->made)
		return rc < 0 ? rc : TN_END;
	p->form = form;
	return tn_plot_draw(p, p->made, begin_ns, end_ns, columns, rows, tn_plot_shift(begin_ns, end_ns, columns, STEPS), err);
}

/* The total size of all streams. */
static double
bytes_of(const struct tn_set *set)
{
	double n = 0;

	for (size_t i = 0; i < set->n_streams; i++)
		n += (double)set->stream[i]->size;
	return n;
}

/* Read samples in the order of reversed bits, so that samples are spread over the whole window at any time. */
enum tn_code
tn_plot_guess(struct tn_plot *p, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns,
	      size_t columns, size_t rows, struct tn_error *err)
{
	enum tn_code rc = begin(p, options, begin_ns, end_ns, columns, rows, err);
	double width = ((double)end_ns - (double)begin_ns) / SAMPLES, look;
	int64_t until = tn_now_ns() + SAMPLING_NS;

	if (rc < 0)
		return rc;
	look = width * SAMPLES * SAMPLE_BYTES / (bytes_of(p->set) + 1);
	if ((p->spans && !p->key) || look > width / 8 || look < 1)
		return TN_END;	/* the complete plot is nearly as fast, or a sample is not useful */
	p->form = form;
	p->has_lines = form == TN_PLOT_LINE;
	rc = tn_plot_begin(p, begin_ns, end_ns, p->spans ? tn_plot_shift(begin_ns, end_ns, MORE_CELLS / 4, 1) :
			   tn_plot_shift(begin_ns, end_ns, columns, STEPS), rows, true, err);
	/* If there are too many keys, count them first; there is no picture meanwhile. */
	if (rc == TN_OK && p->spans && (rc = tn_plot_read(p, begin_ns, end_ns, err)) == TN_ERR_CANCELLED)
		rc = TN_OK;
	for (unsigned i = 0; !p->spans && rc == TN_OK && i < SAMPLES && tn_now_ns() < until; i++) {
		unsigned place = (i & 1) << 5 | (i & 2) << 3 | (i & 4) << 1 | (i & 8) >> 1 | (i & 16) >> 3 | (i & 32) >> 5;
		int64_t at = begin_ns + (int64_t)(width * place);

		rc = tn_plot_read(p, at, at + (int64_t)look + 1, err);
	}
	rc = rc == TN_OK && p->key ? p->made->n_series ? tn_plot_sort(p, err) : TN_END : rc;
	rc = rc == TN_OK ? tn_plot_draw(p, p->made, begin_ns, end_ns, columns, rows, 0, err) : rc;
	tn_plot_memory_free(p->made);
	p->made = NULL;
	return rc;
}

struct tn_plot *
tn_plot_take(struct tn_plot *p)
{
	struct tn_plot *taken = p && p->of ? malloc(sizeof *taken) : NULL;

	if (!taken)
		return NULL;
	*taken = *p;
	taken->set = NULL;
	taken->groups = NULL;
	taken->filter = NULL;
	taken->memory = taken->made = NULL;
	taken->value = strdup(p->value);
	taken->key = p->key ? strdup(p->key) : NULL;
	taken->where = p->where ? strdup(p->where) : NULL;
	p->cell = NULL;
	p->point = NULL;
	p->lost = NULL;
	p->of = NULL;
	tn_plot_release_picture(p);
	if (taken->value && (taken->key || !p->key) && (taken->where || !p->where))
		return taken;
	tn_plot_free(taken);
	return NULL;
}

/* ---- the picture ---- */

size_t
tn_plot_columns(const struct tn_plot *p)
{
	return p ? p->columns : 0;
}

size_t
tn_plot_rows(const struct tn_plot *p)
{
	return p ? p->rows : 0;
}

size_t
tn_plot_series(const struct tn_plot *p)
{
	return p ? p->n_series : 0;
}

uint64_t
tn_plot_left_out(const struct tn_plot *p)
{
	return p && p->of ? p->left_out : 0;
}

uint64_t
tn_plot_not_finite(const struct tn_plot *p)
{
	return p && p->of ? p->not_finite : 0;
}

struct tn_span_counts
tn_plot_span_counts(const struct tn_plot *p)
{
	return p && p->of ? p->counts : (struct tn_span_counts) { 0 };
}

enum tn_group_unit
tn_plot_unit(const struct tn_plot *p)
{
	return p ? p->unit : TN_GROUP_NUMBER;
}

const char *
tn_plot_value_name(const struct tn_plot *p)
{
	return p ? p->value : NULL;
}

const char *
tn_plot_key_name(const struct tn_plot *p)
{
	return p ? p->key : NULL;
}

enum tn_group_unit
tn_plot_key_unit(const struct tn_plot *p)
{
	return p ? p->key_unit : TN_GROUP_NUMBER;
}

const char *
tn_plot_remark(const struct tn_plot *p)
{
	return p && p->filter ? tn_filter_remark(p->filter) : NULL;
}

const char *
tn_plot_condition(const struct tn_plot *p)
{
	return p ? p->where : NULL;
}

const struct tn_answer_value *
tn_plot_key(const struct tn_plot *p, size_t series)
{
	return p && p->key && series < tn_plot_series(p) ? &p->of->series[series].value : NULL;
}

bool
tn_plot_key_step(const struct tn_plot *p, size_t series, struct tn_answer_value *from, struct tn_answer_value *to)
{
	const struct tn_plot_series *s = tn_plot_key(p, series) ? &p->of->series[series] : NULL;

	if (s && s->has_step)
		*from = s->from, *to = s->to;
	return s && s->has_step;
}

uint64_t
tn_plot_cell(const struct tn_plot *p, size_t series, size_t column, size_t row)
{
	if (!p || !p->cell || series >= tn_plot_series(p) || column >= p->columns || row >= p->rows)
		return 0;
	return p->cell[(series * p->columns + column) * p->rows + row];
}

uint64_t
tn_plot_most(const struct tn_plot *p, size_t series)
{
	uint64_t most = 0;

	if (!p || !p->cell || series >= tn_plot_series(p))
		return 0;
	for (size_t i = 0; i < p->columns * p->rows; i++) {
		uint64_t n = p->cell[series * p->columns * p->rows + i];

		most = n > most ? n : most;
	}
	return most;
}

bool
tn_plot_lost(const struct tn_plot *p, size_t column)
{
	return p && p->lost && column < p->columns && p->lost[column];
}

struct tn_plot_point
tn_plot_point(const struct tn_plot *p, size_t series, size_t column)
{
	if (!p || !p->point || series >= tn_plot_series(p) || column >= p->columns)
		return tn_plot_no_point;
	return p->point[series * p->columns + column];
}
