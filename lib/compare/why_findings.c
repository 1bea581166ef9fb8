/* why_findings.c - find the best values and ranges of each field, and pairs of them that explain more than either one */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/why_findings.h"
#include "compare/statistics.h"
#include "base/error.h"
#include "base/str.h"

#define SURE 0.003		/* the same limit as for differences (rows.c) */
#define LIKELY 0.05
#define FEW 12			/* if a field has at most this many different numbers, only values are compared, not ranges */
#define RANGES 64		/* a range consists of some of RANGES parts, which have equally many things */
#define OF_A_FACTOR 3		/* limit of candidates for one field */
#define BETTER 1.1		/* factor by which a pair must explain more than each of its parts */

void
tn_findings_forget(struct tn_findings *f)
{
	for (size_t i = 0; i < f->factor.n; i++)
		tn_factor_clear(&f->factor.item[i]);
	tn_arena_release(&f->arena);
	tn_codes_clear(&f->codes);
	memset(f->pair, 0, sizeof f->pair);
	f->all[0] = f->all[1] = 0;
}

void
tn_findings_clear(struct tn_findings *f)
{
	tn_findings_forget(f);
	TN_ARRAY_RELEASE(&f->finding);
	f->n = f->asked = 0;
}

void
tn_findings_release(struct tn_findings *f)
{
	tn_findings_clear(f);
	for (size_t i = 0; i < f->factor.n; i++)
		tn_factor_release(&f->factor.item[i]);
	TN_ARRAY_RELEASE(&f->factor);
	tn_codes_release(&f->codes);
	free(f->code);
}

/* Allocate the memory for one thing, or for all codes of another part. */
static enum tn_code
begin(struct tn_findings *f, struct tn_error *err)
{
	if (f->codes.n_columns)
		return TN_OK;
	f->code = malloc((f->factor.n + 1) * TN_FACTOR_VALUES * sizeof *f->code);
	if (!f->code)
		return tn_fail_memory(err);
	f->codes.n_columns = f->factor.n + 1;
	return TN_OK;
}

enum tn_code
tn_findings_add(struct tn_findings *f, const struct tn_answer_value *time, const struct tn_answer_value *value, bool selected,
		struct tn_error *err)
{
	const uint64_t row = f->all[0] + f->all[1];
	enum tn_code rc = begin(f, err);

	if (rc < 0)
		return rc;
	f->all[selected]++;
	for (size_t i = 0; i < f->factor.n; i++)
		if (!tn_factor_count(&f->factor.item[i], &f->arena, i ? &value[i - 1] : time, selected, row, &f->code[i]))
			return tn_fail_memory(err);
	f->code[f->factor.n] = selected;
	return tn_codes_add(&f->codes, f->code, err);
}

/* ---- parts ---- */

struct merge {
	struct tn_findings *to;
	const struct tn_findings *from;
	uint64_t row;		/* number of the first row in the chunk of @from */
};

/* Convert the codes of each row in a chunk of @from to codes of @to. */
static enum tn_code
merge_chunk(void *user, struct tn_codes *c, struct tn_error *err)
{
	struct merge *m = user;

	for (size_t i = 0; i < m->from->factor.n; i++) {
		const struct tn_factor *f = &m->from->factor.item[i];
		const uint16_t *code = m->to->code + i * TN_FACTOR_VALUES;
		uint16_t *at = c->chunk + i * TN_CODES_ROWS;

		for (size_t k = 0; k < c->n; k++)
			if (at[k] != TN_CODES_NONE)
				at[k] = code[f->step_of && m->row + k < f->stepped_at ? f->step_of[at[k]] : at[k]];
	}
	m->row += c->n;
	return tn_codes_add_chunk(&m->to->codes, c, err);
}

enum tn_code
tn_findings_merge(struct tn_findings *to, struct tn_findings *from, struct tn_error *err)
{
	struct merge m = { .to = to, .from = from };
	const uint64_t row = to->all[0] + to->all[1];
	enum tn_code rc = begin(to, err);

	if (rc < 0 || !from->codes.n_columns)
		return rc;
	for (size_t i = 0; i < to->factor.n; i++)
		if (!tn_factor_merge(&to->factor.item[i], &to->arena, &from->factor.item[i], row, to->code + i * TN_FACTOR_VALUES))
			return tn_fail_memory(err);
	to->all[0] += from->all[0];
	to->all[1] += from->all[1];
	return tn_codes_each(&from->codes, merge_chunk, &m, err);
}

/* ---- candidates ---- */

/* The G of a value; a value counts only if it is more frequent in the selected things. */
static double
g_of(const struct tn_findings *f, const uint64_t n[2])
{
	double selected = (double)n[1] * (double)f->all[0], rest = (double)n[0] * (double)f->all[1];

	return selected > rest ? tn_shares_g(n[1], f->all[1], n[0], f->all[0]) : 0;
}

/* Keep the best candidates, at most a few for each field, sorted. */
static void
offer(struct tn_findings *f, const struct tn_candidate *c)
{
	size_t at = f->n, of_factor = 0, worst = 0;

	if (!(c->g > 0))
		return;
	for (size_t i = 0; i < f->n; i++)
		if (f->candidate[i].factor == c->factor) {
			of_factor++;
			worst = i;
		}
	if (of_factor == OF_A_FACTOR) {
		if (f->candidate[worst].g >= c->g)
			return;
		memmove(&f->candidate[worst], &f->candidate[worst + 1], (f->n - worst - 1) * sizeof *f->candidate);
		at = --f->n;
	}
	while (at > 0 && f->candidate[at - 1].g < c->g)
		at--;
	if (at == TN_CANDIDATES)
		return;
	if (f->n == TN_CANDIDATES)
		f->n--;
	memmove(&f->candidate[at + 1], &f->candidate[at], (f->n - at) * sizeof *f->candidate);
	f->candidate[at] = *c;
	f->n++;
}

static void
offer_values(struct tn_findings *f, size_t factor)
{
	const struct tn_factor *of = &f->factor.item[factor];

	for (size_t i = 0; !of->is_stepped && i < of->values.n; i++) {
		const struct tn_factor_value *v = &of->values.item[i];
		struct tn_candidate c = { .factor = factor, .from = v->value, .to = v->value, .n = { v->n[0], v->n[1] } };

		f->asked++;
		c.g = g_of(f, c.n);
		offer(f, &c);
	}
}

/* Offer the best range of numbers; it consists of neighbouring parts with equally many things. */
static void
offer_ranges(struct tn_findings *f, size_t factor)
{
	const struct tn_factor *of = &f->factor.item[factor];
	struct tn_factor_value part[RANGES];
	uint64_t all = 0, sum = 0;
	size_t n = 0, numbers = 0;
	struct tn_candidate best = { .g = 0 };

	for (size_t i = 0; i < of->values.n; i++)
		if (of->values.item[i].value.kind != TN_ANSWER_TEXT) {
			all += of->values.item[i].n[0] + of->values.item[i].n[1];
			numbers++;
		}
	if (numbers <= FEW)
		return;
	for (size_t i = 0; i < of->values.n; i++) {
		const struct tn_factor_value *v = &of->values.item[i];

		if (v->value.kind == TN_ANSWER_TEXT)
			continue;
		if (!n || (n < RANGES && (double)sum >= (double)all / RANGES * (double)n))
			part[n++] = *v;
		else {
			part[n - 1].last = v->last;
			part[n - 1].n[0] += v->n[0];
			part[n - 1].n[1] += v->n[1];
		}
		sum += v->n[0] + v->n[1];
	}
	for (size_t from = 0; from < n; from++) {
		struct tn_candidate c = { .factor = factor, .is_range = true, .from = part[from].value };

		for (size_t to = from; to < n; to++) {
			c.to = part[to].last;
			c.n[0] += part[to].n[0];
			c.n[1] += part[to].n[1];
			c.g = g_of(f, c.n);
			if (c.g > best.g)
				best = c;
		}
	}
	if (tn_answer_value_compare(&best.from, &best.to) == 0)
		best.g = 0;	/* a range of one value is already a candidate */
	f->asked += n * 4;	/* neighbouring ranges have nearly the same things: this is about the number of others */
	offer(f, &best);
}

/* ---- pairs of candidates ---- */

struct pairs {
	struct tn_findings *f;
	uint32_t *mask[TN_CANDIDATES];	/* by code: a mask of the candidates with this code */
	size_t factor[TN_CANDIDATES];	/* the number of the factor of each candidate */
	size_t n;
	uint64_t row;
};

/* Collect, for each value of the factor, the candidates that contain it. */
static bool
mark(struct pairs *p, size_t factor)
{
	const struct tn_findings *f = p->f;
	const struct tn_factor *of = &f->factor.item[factor];
	uint32_t *mask = calloc(TN_FACTOR_VALUES, sizeof *mask);

	p->factor[p->n] = factor;
	p->mask[p->n++] = mask;
	for (size_t i = 0; mask && i < f->n; i++)
		for (size_t k = 0; f->candidate[i].factor == factor && k < of->values.n; k++) {
			const struct tn_candidate *c = &f->candidate[i];
			const struct tn_factor_value *v = &of->values.item[k];

			if ((v->value.kind == TN_ANSWER_TEXT) == (c->from.kind == TN_ANSWER_TEXT) &&
			    tn_answer_value_compare(&v->value, &c->from) >= 0 && tn_answer_value_compare(&v->last, &c->to) <= 0)
				mask[v->code] |= UINT32_C(1) << i;
		}
	return mask != NULL;
}

static enum tn_code
count_chunk(void *user, struct tn_codes *c, struct tn_error *err)
{
	struct pairs *p = user;
	const uint16_t *selected = c->chunk + p->f->factor.n * TN_CODES_ROWS;
	uint32_t has[TN_CODES_ROWS] = { 0 };

	(void)err;
	for (size_t i = 0; i < p->n; i++) {
		const struct tn_factor *f = &p->f->factor.item[p->factor[i]];
		const uint16_t *code = c->chunk + p->factor[i] * TN_CODES_ROWS;

		for (size_t k = 0; k < c->n; k++)
			if (code[k] != TN_CODES_NONE)
				has[k] |= p->mask[i][f->step_of && p->row + k < f->stepped_at ? f->step_of[code[k]] : code[k]];
	}
	for (size_t k = 0; k < c->n; k++)
		for (uint32_t one = has[k]; one; one &= one - 1)
			for (uint32_t other = one; other; other &= other - 1)
				p->f->pair[__builtin_ctz(one)][__builtin_ctz(other)][selected[k]]++;
	p->row += c->n;
	return TN_OK;
}

static enum tn_code
count_pairs(struct tn_findings *f, struct tn_error *err)
{
	struct pairs p = { .f = f };
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < f->n; i++) {
		size_t k = 0;

		while (k < p.n && p.factor[k] != f->candidate[i].factor)
			k++;
		if (k == p.n && !mark(&p, f->candidate[i].factor))
			rc = tn_fail_memory(err);
	}
	if (rc == TN_OK && p.n)
		rc = tn_codes_each(&f->codes, count_chunk, &p, err);
	for (size_t i = 0; i < p.n; i++)
		free(p.mask[i]);
	return rc;
}

enum tn_code
tn_findings_choose(struct tn_findings *f, struct tn_error *err)
{
	for (size_t i = 0; i < f->factor.n; i++) {
		tn_factor_sort(&f->factor.item[i]);
		if (f->factor.item[i].is_dropped)
			continue;
		offer_values(f, i);
		offer_ranges(f, i);
	}
	f->asked += f->n * f->n / 2;
	return count_pairs(f, err);
}

/* ---- findings ---- */

/* Write a limit. Factor 0 is the time. */
static void
put_limit(struct tn_str *out, const struct tn_candidate *c, const struct tn_answer_value *v)
{
	tn_str_puts(out, c->factor ? "" : "@");
	tn_answer_value_json(v, out);
}

static void
put_condition(struct tn_str *out, const struct tn_findings *f, const struct tn_candidate *c)
{
	const char *name = f->factor.item[c->factor].name;

	tn_str_printf(out, "%s %s ", name, c->is_range ? ">=" : "==");
	put_limit(out, c, &c->from);
	if (c->is_range) {
		tn_str_printf(out, " and %s <= ", name);
		put_limit(out, c, &c->to);
	}
}

/* Make the condition of one candidate, or of two. */
static bool
set_condition(struct tn_findings *f, struct tn_why_finding *out, const struct tn_candidate *a, const struct tn_candidate *b)
{
	struct tn_str text = { 0 };

	put_condition(&text, f, a);
	if (b) {
		tn_str_puts(&text, " and ");
		put_condition(&text, f, b);
	}
	out->condition = text.failed ? NULL : tn_arena_copy(&f->arena, text.text, text.n);
	tn_str_release(&text);
	return out->condition != NULL;
}

static void
put_value(struct tn_str *out, const struct tn_candidate *c)
{
	tn_answer_value_text(&c->from, out);
	if (c->is_range) {
		tn_str_puts(out, " to ");
		tn_answer_value_text(&c->to, out);
	}
}

static enum tn_compare_verdict
verdict_of(double probability)
{
	return probability < SURE ? TN_COMPARE_SURE : probability < LIKELY ? TN_COMPARE_LIKELY : TN_COMPARE_NOISE;
}

void
tn_findings_judge_exact(struct tn_why_finding *out, double probability)
{
	out->lift = out->selected_share / out->rest_share;
	out->probability = fmin(1, probability);
	out->verdict = verdict_of(out->probability);
}

void
tn_findings_judge(const struct tn_findings *f, struct tn_why_finding *out, double probability)
{
	out->lift = out->selected_share / out->rest_share;
	out->probability = fmin(1, probability * (double)f->asked);
	out->verdict = out->lift < 1.02 || out->selected < 5 ? TN_COMPARE_NOISE : verdict_of(out->probability);
}

static struct tn_why_finding *
add(struct tn_findings *f, const uint64_t n[2])
{
	struct tn_why_finding *out = TN_ARRAY_ADD(&f->finding);

	if (!out)
		return NULL;
	out->rest = n[0];
	out->selected = n[1];
	out->selected_share = (double)n[1] / (double)f->all[1];
	out->rest_share = (double)n[0] / (double)f->all[0];
	out->g = g_of(f, n);
	tn_findings_judge(f, out, tn_shares_probability(out->g));
	return out;
}

/* Whether two candidates select the same things. */
static bool
are_same(const struct tn_findings *f, size_t i, size_t k)
{
	const uint64_t *both = f->pair[i < k ? i : k][i < k ? k : i], *one = f->pair[i][i], *other = f->pair[k][k];

	return both[0] == one[0] && both[1] == one[1] && both[0] == other[0] && both[1] == other[1];
}

/* List the conditions that are merged into candidate @of. Omit factor 0, the time: a slice explains no other field. */
static bool
put_same(struct tn_findings *f, size_t of, const bool *merged, const size_t *into, struct tn_why_finding *out)
{
	struct tn_str text = { 0 };

	for (size_t i = 0; i < f->n; i++)
		if (merged[i] && into[i] == of && f->candidate[i].factor && f->candidate[i].factor != f->candidate[of].factor) {
			tn_str_puts(&text, text.n ? ", " : "");
			put_condition(&text, f, &f->candidate[i]);
		}
	if (text.n && !text.failed)
		out->same = tn_arena_copy(&f->arena, text.text, text.n);
	text.failed |= text.n && !out->same;
	if (text.failed) {
		tn_str_release(&text);
		return false;
	}
	tn_str_release(&text);
	return true;
}

/* Add a pair of candidates of different fields, if it explains more than either one. */
static bool
add_pair(struct tn_findings *f, size_t i, size_t k)
{
	const struct tn_candidate *a = &f->candidate[i], *b = &f->candidate[k];
	const uint64_t *n = f->pair[i][k];
	struct tn_why_finding *out;
	struct tn_str text = { 0 };
	double g = g_of(f, n);

	if (a->factor == b->factor || g < fmax(a->g, b->g) * BETTER + 20)
		return true;
	out = add(f, n);
	if (!out)
		return false;
	tn_str_printf(&text, "%s, %s", f->factor.item[a->factor].name, f->factor.item[b->factor].name);
	out->field = text.failed ? NULL : tn_arena_copy(&f->arena, text.text, text.n);
	tn_str_clear(&text);
	put_value(&text, a);
	tn_str_puts(&text, ", ");
	put_value(&text, b);
	out->value.kind = TN_ANSWER_TEXT;
	out->value.n = text.n;
	out->value.text = text.failed ? NULL : tn_arena_copy(&f->arena, text.text, text.n);
	tn_str_release(&text);
	return out->field && out->value.text && set_condition(f, out, a, b);
}

static int
compare_findings(const void *a, const void *b)
{
	const struct tn_why_finding *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->g != y->g)
		return x->g > y->g ? -1 : 1;
	return strcmp(x->field, y->field);
}

enum tn_code
tn_findings_make(struct tn_findings *f, struct tn_error *err)
{
	bool merged[TN_CANDIDATES] = { false };
	size_t into[TN_CANDIDATES] = { 0 };

	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < i && !merged[i]; k++)
			if (!merged[k] && are_same(f, i, k)) {
				merged[i] = true;
				into[i] = k;
			}
	for (size_t i = 0; i < f->n; i++) {
		const struct tn_candidate *c = &f->candidate[i];
		struct tn_why_finding *out;

		for (size_t k = i + 1; !merged[i] && k < f->n; k++)
			if (!merged[k] && !add_pair(f, i, k))
				return tn_fail_memory(err);
		out = merged[i] ? NULL : add(f, c->n);
		if (merged[i])
			continue;
		if (!out)
			return tn_fail_memory(err);
		out->field = f->factor.item[c->factor].name;
		out->is_range = c->is_range;
		out->from = c->from;
		out->to = c->to;
		if (!c->is_range)
			out->value = c->from;
		if (!put_same(f, i, merged, into, out) || !set_condition(f, out, c, NULL))
			return tn_fail_memory(err);
	}
	if (f->finding.n)
		qsort(f->finding.item, f->finding.n, sizeof *f->finding.item, compare_findings);
	return TN_OK;
}
