/* expression_decide.c - the result of a test for a cell, and of a condition for an event, on the general path */
#include "language/expression_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- numbers ---- */

/* Compare a floating-point number with an integer, exactly. */
static int
compare_mixed(double f, const struct tn_number *i)
{
	double whole;
	uint64_t magnitude;

	if (isnan(f))
		return 2;
	if ((f < 0) != i->is_negative)
		return f < 0 ? -1 : 1;
	whole = trunc(fabs(f));
	if (whole >= 18446744073709551616.0)
		return f < 0 ? -1 : 1;
	magnitude = (uint64_t)whole;
	if (magnitude != i->magnitude)
		return (magnitude < i->magnitude) != (f < 0) ? -1 : 1;
	return fabs(f) == whole ? 0 : f < 0 ? -1 : 1;
}

int
tn_number_compare(const struct tn_number *a, const struct tn_number *b)
{
	if (a->is_float && b->is_float)
		return a->f < b->f ? -1 : a->f > b->f ? 1 : a->f == b->f ? 0 : 2;
	if (a->is_float)
		return compare_mixed(a->f, b);
	if (b->is_float) {
		int order = compare_mixed(b->f, a);

		return order == 2 ? 2 : -order;
	}
	if (a->is_negative != b->is_negative)
		return a->is_negative ? -1 : 1;
	if (a->magnitude == b->magnitude)
		return 0;
	return (a->magnitude < b->magnitude) != a->is_negative ? -1 : 1;
}

static bool
is_truth(const struct tn_cell *cell)
{
	return cell->type && cell->type->kind == TN_KIND_BOOL;
}

static bool
cell_number(const struct tn_cell *cell, struct tn_number *out)
{
	switch (cell->kind) {
	case TN_CELL_UNSIGNED:
		*out = (struct tn_number) { .magnitude = is_truth(cell) ? cell->u != 0 : cell->u };
		return true;
	case TN_CELL_SIGNED:
		*out = (struct tn_number) {
			.is_negative = cell->i < 0, .magnitude = cell->i < 0 ? -(uint64_t)cell->i : (uint64_t)cell->i,
		};
		return true;
	case TN_CELL_DOUBLE:
		*out = (struct tn_number) { .is_float = true, .f = cell->f };
		return true;
	default:
		return false;
	}
}

/* ---- one cell ---- */

#define NOT_COMPARABLE 3

static int
compare_text(const char *a, size_t n, const char *b, size_t m)
{
	int order = n && m ? memcmp(a, b, n < m ? n : m) : 0;

	return order ? (order < 0 ? -1 : 1) : n < m ? -1 : n > m;
}

/* Compare a cell with a literal: negative, 0 or positive; 2: not a number; NOT_COMPARABLE. */
static int
compare(const struct tn_cell *cell, const struct tn_literal *l)
{
	struct tn_number number;

	if (cell->kind == TN_CELL_TEXT)
		return compare_text(cell->text, cell->n, l->text, l->n);
	if (!cell_number(cell, &number))
		return NOT_COMPARABLE;
	if (l->is_number) {
		struct tn_number literal = l->number;

		/* A float of 32 bits is compared as it is displayed: 12.9 is not 12.8999996. */
		if (literal.is_float && cell->kind == TN_CELL_DOUBLE && cell->type && cell->type->length == 32)
			literal.f = (double)(float)literal.f;
		if (literal.is_float && isnan(literal.f))
			return number.is_float && isnan(number.f) ? 0 : 2;
		return tn_number_compare(&number, &literal);
	}
	if (is_truth(cell) && (strcmp(l->text, "true") == 0 || strcmp(l->text, "false") == 0))
		return (number.magnitude != 0) - (l->text[0] == 't');
	return NOT_COMPARABLE;
}

static bool
has_labels(const struct tn_cell *cell)
{
	return cell->type && cell->type->mapping && (cell->kind == TN_CELL_UNSIGNED || cell->kind == TN_CELL_SIGNED);
}

bool
tn_path_ends(const char *path, size_t n, const struct tn_literal *l)
{
	return l->n && l->n < n && path[n - l->n - 1] == '/' && memcmp(path + n - l->n, l->text, l->n) == 0;
}

static enum tn_truth
equals(const struct tn_node *test, const struct tn_cell *cell, const struct tn_literal *l)
{
	int order;

	if (has_labels(cell) && !l->is_number) {
		for (size_t i = 0; i < cell->type->n_mappings; i++) {
			const struct tn_mapping *m = &cell->type->mapping[i];

			if (strlen(m->label) == l->n && memcmp(m->label, l->text, l->n) == 0 &&
			    tn_mapping_has(cell->type, m, cell->u))
				return TN_TRUE;
		}
		return TN_FALSE;
	}
	order = compare(cell, l);
	if (order && test->reference->meaning.attribute == TN_ATTRIBUTE_TRACE && tn_path_ends(cell->text, cell->n, l))
		order = 0;
	return order == NOT_COMPARABLE ? TN_NEITHER : order == 0 ? TN_TRUE : TN_FALSE;
}

static enum tn_truth
between(const struct tn_cell *cell, const struct tn_item *item)
{
	int low = item->low.is_open ? 1 : compare(cell, &item->low);
	int high = item->high.is_open ? -1 : compare(cell, &item->high);

	if (low == NOT_COMPARABLE || high == NOT_COMPARABLE)
		return TN_NEITHER;
	return (low == 0 || low == 1) && high <= 0 ? TN_TRUE : TN_FALSE;
}

static enum tn_truth
is_in(const struct tn_node *test, const struct tn_cell *cell)
{
	enum tn_truth all = TN_NEITHER;

	for (size_t i = 0; i < test->n_items; i++) {
		const struct tn_item *item = &test->item[i];
		enum tn_truth one = item->is_range ? between(cell, item) : equals(test, cell, &item->low);

		if (one == TN_TRUE)
			return TN_TRUE;
		if (one == TN_FALSE)
			all = TN_FALSE;
	}
	return all;
}

static enum tn_truth
negation(enum tn_truth v)
{
	return v == TN_NEITHER ? v : v == TN_TRUE ? TN_FALSE : TN_TRUE;
}

static enum tn_truth
match_text(const struct tn_node *test, const char *text, size_t n, struct tn_trial *trial)
{
	bool matched = false;

	if (trial->code == TN_OK) {
		trial->code = tn_regex_match(test->regex, trial->room, text, n, &matched, trial->err);
		trial->gave_up = trial->code < 0;
	}
	return matched ? TN_TRUE : TN_FALSE;
}

/* Match a text, the labels of a number or otherwise its digits, or the name of a level. */
static enum tn_truth
matches(const struct tn_node *test, const struct tn_cell *cell, struct tn_trial *trial)
{
	struct tn_number number;
	char digits[64];
	bool labelled = false;
	int n;

	if (cell->kind == TN_CELL_TEXT)
		return match_text(test, cell->text, cell->n, trial);
	for (size_t i = 0; has_labels(cell) && i < cell->type->n_mappings; i++) {
		const struct tn_mapping *m = &cell->type->mapping[i];

		if (!tn_mapping_has(cell->type, m, cell->u))
			continue;
		labelled = true;
		if (match_text(test, m->label, strlen(m->label), trial) == TN_TRUE)
			return TN_TRUE;
	}
	if (labelled || !cell_number(cell, &number))
		return labelled ? TN_FALSE : TN_NEITHER;
	if (test->reference->meaning.attribute == TN_ATTRIBUTE_LOG_LEVEL && tn_log_level_name((int)cell->i))
		n = snprintf(digits, sizeof digits, "%s", tn_log_level_name((int)cell->i));
	else if (is_truth(cell))
		n = snprintf(digits, sizeof digits, "%s", number.magnitude ? "true" : "false");
	else if (number.is_float)
		n = snprintf(digits, sizeof digits, "%g", number.f);
	else
		n = snprintf(digits, sizeof digits, "%s%" PRIu64, number.is_negative ? "-" : "", number.magnitude);
	return match_text(test, digits, (size_t)n, trial);
}

static enum tn_truth
is_true(const struct tn_cell *cell)
{
	struct tn_number number;

	if (cell->kind == TN_CELL_TEXT)
		return cell->n ? TN_TRUE : TN_FALSE;
	if (cell_number(cell, &number))
		return (number.is_float ? number.f != 0 : number.magnitude != 0) ? TN_TRUE : TN_FALSE;
	return cell->type && cell->type->kind >= TN_KIND_STRUCT ? (cell->u ? TN_TRUE : TN_FALSE) : TN_NEITHER;
}

enum tn_truth
tn_test_cell(const struct tn_node *test, const struct tn_cell *cell, struct tn_trial *trial)
{
	int order;

	if (test->kind == TN_NODE_HAS)
		return cell->kind != TN_CELL_NONE ? TN_TRUE : TN_FALSE;
	if (cell->kind == TN_CELL_NONE)
		return TN_NEITHER;
	switch (test->kind) {
	case TN_NODE_TRUE: return is_true(cell);
	case TN_NODE_EQUAL: return equals(test, cell, &test->item->low);
	case TN_NODE_DIFFERENT: return negation(equals(test, cell, &test->item->low));
	case TN_NODE_MATCH: return matches(test, cell, trial);
	case TN_NODE_NO_MATCH: return negation(matches(test, cell, trial));
	case TN_NODE_IN: return is_in(test, cell);
	case TN_NODE_NOT_IN: return negation(is_in(test, cell));
	default: break;
	}
	order = compare(cell, &test->item->low);
	if (order == NOT_COMPARABLE)
		return TN_NEITHER;
	switch (test->kind) {
	case TN_NODE_LESS: return order < 0 ? TN_TRUE : TN_FALSE;
	case TN_NODE_LESS_EQUAL: return order <= 0 ? TN_TRUE : TN_FALSE;
	case TN_NODE_GREATER: return order == 1 ? TN_TRUE : TN_FALSE;
	default: return order == 0 || order == 1 ? TN_TRUE : TN_FALSE;
	}
}

/* ---- the general path ---- */

struct any {
	const struct tn_node *test;
	struct tn_trial *trial;
	enum tn_truth all;
};

static bool
try_one(void *user, const struct tn_cell *cell)
{
	struct any *any = user;
	enum tn_truth one = tn_test_cell(any->test, cell, any->trial);

	if (one != TN_NEITHER)
		any->all = one;
	return one != TN_TRUE;
}

static enum tn_truth
decide_test(const struct tn_node *test, struct tn_expression_state *s, struct tn_trial *trial)
{
	const struct tn_reference *r = test->reference;
	struct tn_cell cell = { .kind = TN_CELL_NONE };
	struct any any = { test, trial, TN_NEITHER };
	bool there = false;
	enum tn_code rc = TN_OK;

	if (r->meaning.attribute == TN_ATTRIBUTE_EXTRA) {
		if (s->extra)
			s->extra(s->user, r->meaning.extra, &cell);
	} else if (s->row.batch && r->meaning.has_any) {
		rc = tn_reference_each(r, &s->row, try_one, &any, &there, trial->err);
		if (rc == TN_OK && test->kind == TN_NODE_HAS)
			return any.all == TN_TRUE ? TN_TRUE : TN_FALSE;
		if (rc == TN_OK)
			return any.all == TN_NEITHER && there ? TN_FALSE : any.all;
	} else if (s->row.batch) {
		rc = tn_reference_get(r, &s->row, &cell, trial->err);
	}
	if (rc < 0 && trial->code == TN_OK)
		trial->code = rc;
	return rc < 0 ? TN_NEITHER : tn_test_cell(test, &cell, trial);
}

enum tn_truth
tn_decide(const struct tn_node *node, struct tn_expression_state *s, const char *line, size_t n, struct tn_trial *trial)
{
	enum tn_truth decisive = node->kind == TN_NODE_AND ? TN_FALSE : TN_TRUE;
	enum tn_truth all = negation(decisive);

	switch (node->kind) {
	case TN_NODE_NOT:
		return negation(tn_decide(node->in, s, line, n, trial));
	case TN_NODE_UNLESS:
		return tn_decide(node->in, s, line, n, trial) == TN_TRUE ? TN_FALSE : TN_TRUE;
	case TN_NODE_LINE:
		return line ? match_text(node, line, n, trial) : TN_NEITHER;
	case TN_NODE_AND:
	case TN_NODE_OR:
		for (const struct tn_node *in = node->in; in; in = in->next) {
			enum tn_truth one = tn_decide(in, s, line, n, trial);

			if (one == decisive)
				return decisive;
			if (one == TN_NEITHER)
				all = TN_NEITHER;
		}
		return all;
	default:
		return decide_test(node, s, trial);
	}
}
