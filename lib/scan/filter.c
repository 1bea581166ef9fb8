#include "scan/filter.h"

#include <stdlib.h>

#include "base/array.h"
#include "order/cursor.h"
#include "language/expression_tree.h"
#include "scan/condition_verdict.h"
#include "scan/prefilter.h"
#include "language/regex.h"
#include "model/path.h"

struct condition {
	struct tn_regex *regex;		/* a condition has either this or an expression */
	struct tn_expression *expression;
	bool negate;
	bool borrowed;
};

struct tn_filter {
	const struct tn_set *set;
	struct tn_names *names;		/* made for the first expression */
	bool has_times;
	struct tn_time_context times;
	TN_ARRAY(struct condition) conditions;
	size_t n_expressions, n_lines;	/* number of conditions on values, and of conditions on lines */
};

enum tn_code
tn_filter_new(struct tn_filter **out, const struct tn_set *set, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);
	*out = calloc(1, sizeof **out);
	if (!*out)
		return tn_fail_memory(err);
	(*out)->set = set;
	return TN_OK;
}

void
tn_filter_free(struct tn_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->conditions.n && !f->conditions.item[i].borrowed; i++) {
		tn_regex_free(f->conditions.item[i].regex);
		tn_expression_free(f->conditions.item[i].expression);
	}
	TN_ARRAY_RELEASE(&f->conditions);
	tn_names_free(f->names);
	free(f);
}

void
tn_filter_times(struct tn_filter *f, const struct tn_time_context *times)
{
	if (!f)
		return;
	f->has_times = times != NULL;
	if (times)
		f->times = *times;
}

static enum tn_code
make_names(struct tn_filter *f, struct tn_error *err)
{
	return f->names ? TN_OK : tn_names_new(&f->names, f->set, NULL, err);
}

enum tn_code
tn_filter_add_regex(struct tn_filter *f, const char *pattern, bool negate, struct tn_error *err)
{
	if (!f || !pattern)
		return tn_fail_null(err);

	struct tn_regex *regex;
	struct condition *c;
	enum tn_code rc = tn_regex_new(&regex, pattern, false, err);

	if (rc < 0)
		return rc;
	c = TN_ARRAY_ADD(&f->conditions);
	if (!c) {
		tn_regex_free(regex);
		return tn_fail_memory(err);
	}
	c->regex = regex;
	c->negate = negate;
	f->n_lines++;
	return TN_OK;
}

static enum tn_code
make_language(struct tn_filter *f, struct tn_language *out, struct tn_error *err)
{
	enum tn_code rc = make_names(f, err);

	*out = (struct tn_language) {
		.names = f->names, .set = (struct tn_set *)f->set,	/* to find the first event of the set, if needed */
		.times = f->has_times ? &f->times : NULL,
	};
	return rc;
}

static enum tn_code
add_expression(struct tn_filter *f, const char *text, bool is_rest, struct tn_error *err)
{
	if (!f || !text)
		return tn_fail_null(err);

	struct tn_language language;
	struct tn_expression *expression;
	struct condition *c;
	enum tn_code rc = make_language(f, &language, err);

	if (rc < 0)
		return rc;
	language.is_rest = is_rest;
	rc = tn_expression_new(&expression, &language, text, err);
	if (rc < 0)
		return rc;
	c = TN_ARRAY_ADD(&f->conditions);
	if (!c) {
		tn_expression_free(expression);
		return tn_fail_memory(err);
	}
	c->expression = expression;
	f->n_expressions++;
	f->n_lines += tn_expression_wants_line(expression);
	return TN_OK;
}

enum tn_code
tn_filter_add_expression(struct tn_filter *f, const char *text, struct tn_error *err)
{
	return add_expression(f, text, false, err);
}

enum tn_code
tn_filter_add_rest(struct tn_filter *f, const char *text, struct tn_error *err)
{
	return add_expression(f, text, true, err);
}

enum tn_code
tn_filter_borrow(struct tn_filter *f, const struct tn_filter *from, struct tn_error *err)
{
	for (size_t i = 0; i < from->conditions.n; i++) {
		struct condition *c = TN_ARRAY_ADD(&f->conditions);

		if (!c)
			return tn_fail_memory(err);
		*c = from->conditions.item[i];
		c->borrowed = true;
	}
	f->n_expressions += from->n_expressions;
	f->n_lines += from->n_lines;
	return TN_OK;
}

const char *
tn_filter_remark(const struct tn_filter *f)
{
	const char *remark = NULL;

	for (size_t i = 0; f && i < f->conditions.n && !remark; i++)
		if (f->conditions.item[i].expression)
			remark = tn_expression_remark(f->conditions.item[i].expression);
	return remark;
}

enum tn_code
tn_filter_names(struct tn_filter *f, const struct tn_names **out, struct tn_error *err)
{
	enum tn_code rc = make_names(f, err);

	*out = f->names;
	return rc;
}

const struct tn_set *
tn_filter_set(const struct tn_filter *f)
{
	return f->set;
}

bool
tn_condition_is_expression(const char *text)
{
	return text && tn_expression_is_meant(text);
}

const char *
tn_condition_find_word(const char *text, const char *word)
{
	return text && word ? tn_path_find_word(text, text + strlen(text), word) : NULL;
}

bool
tn_condition_has_name(const char *text, const char *name)
{
	return text && name && tn_path_has_name(text, name);
}

bool
tn_filter_takes_expression(struct tn_filter *f, const char *text)
{
	struct tn_language language;

	return f && text && (tn_expression_is_meant(text) ||
			     (make_language(f, &language, NULL) == TN_OK && tn_expression_is_one(&language, text)));
}

enum tn_code
tn_filter_add(struct tn_filter *f, const char *text, struct tn_error *err)
{
	if (!f || !text)
		return tn_fail_null(err);
	if (tn_filter_takes_expression(f, text))
		return tn_filter_add_expression(f, text, err);
	return tn_filter_add_regex(f, *text == '!' ? text + 1 : text, *text == '!', err);
}

bool
tn_filter_empty(const struct tn_filter *f)
{
	return f && f->conditions.n == 0;
}

bool
tn_filter_is_single(const struct tn_filter *f)
{
	return f->conditions.n == 1 && f->conditions.item[0].expression;
}

bool
tn_filter_line_match(const struct tn_filter *f, struct tn_line_match *out)
{
	const struct condition *c = f && f->conditions.n == 1 ? &f->conditions.item[0] : NULL;
	const struct tn_node *root = c && c->expression ? tn_expression_root(c->expression) : NULL;

	if (!c || (!c->regex && root->kind != TN_NODE_LINE))
		return false;
	*out = (struct tn_line_match) { .regex = c->regex ? c->regex : root->regex, .negate = c->regex && c->negate };
	out->has_pair = !tn_regex_ignores_case(out->regex) && tn_pattern_pair(tn_regex_pattern(out->regex), out->pair);
	return true;
}

bool
tn_filter_has_regex(const struct tn_filter *f)
{
	return f && f->n_lines > 0;
}

size_t
tn_filter_patterns(const struct tn_filter *f, const char **out, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < f->conditions.n && n < room; i++) {
		const struct condition *c = &f->conditions.item[i];

		if (c->expression)
			n += tn_expression_patterns(c->expression, out + n, room - n);
		else if (!c->negate)
			out[n++] = tn_regex_pattern(c->regex);
	}
	return n;
}

void
tn_filter_each(const struct tn_filter *f, void (*node)(void *user, const struct tn_node *root),
	       void (*regex)(void *user, const struct tn_regex *regex, bool negate), void *user)
{
	for (size_t i = 0; i < f->conditions.n; i++) {
		const struct condition *c = &f->conditions.item[i];

		if (c->expression)
			node(user, tn_expression_root(c->expression));
		else
			regex(user, c->regex, c->negate);
	}
}

enum tn_verdict
tn_filter_verdict(const struct tn_filter *f, const struct tn_event_class *ec)
{
	enum tn_verdict all = f->n_lines ? TN_VERDICT_OPEN : TN_VERDICT_YES;

	for (size_t i = 0; i < f->conditions.n && all != TN_VERDICT_NO; i++) {
		const struct condition *c = &f->conditions.item[i];
		enum tn_verdict one = c->expression ? tn_expression_verdict(c->expression, ec) : TN_VERDICT_OPEN;

		all = one == TN_VERDICT_YES ? all : one;
	}
	return all;
}

bool
tn_filter_may_pass(const struct tn_filter *f, const struct tn_event_class *ec,
		   const struct tn_zone *(*known)(void *user, const struct tn_reference *reference), void *user)
{
	for (size_t i = 0; i < f->conditions.n; i++) {
		const struct condition *c = &f->conditions.item[i];

		if (c->expression && tn_condition_verdict(c->expression, ec, known, user) == TN_VERDICT_NO)
			return false;
	}
	return true;
}

void
tn_filter_state_release(struct tn_filter_state *state)
{
	tn_expression_state_release(&state->expression);
	tn_line_state_release(&state->line);
	tn_str_release(&state->plain);
}

enum tn_code
tn_filter_match_values(const struct tn_filter *f, struct tn_filter_state *state, const struct tn_batch *batch,
		       size_t row, bool *pass, struct tn_error *err)
{
	*pass = true;
	if (!f || !f->n_expressions)
		return TN_OK;
	for (size_t i = 0; *pass && i < f->conditions.n; i++) {
		const struct condition *c = &f->conditions.item[i];
		enum tn_code rc;

		if (!c->expression)
			continue;
		rc = tn_expression_match(c->expression, &state->expression, batch, row, NULL, 0, pass, err);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}

enum tn_code
tn_filter_match_rows(const struct tn_filter *f, struct tn_filter_state *state, const struct tn_batch *batch, size_t row,
		     size_t n, uint8_t *pass, struct tn_error *err)
{
	for (size_t i = 0; f->n_expressions && i < f->conditions.n; i++) {
		const struct condition *c = &f->conditions.item[i];
		enum tn_code rc;

		if (!c->expression)
			continue;
		rc = tn_expression_match_rows(c->expression, &state->expression, batch, row, n, pass, err);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}

enum tn_code
tn_filter_match_line(const struct tn_filter *f, struct tn_filter_state *state, const struct tn_batch *batch, size_t row,
		     const char *line, size_t n, bool *pass, struct tn_error *err)
{
	*pass = true;
	for (size_t i = 0; f && *pass && i < f->conditions.n; i++) {
		const struct condition *c = &f->conditions.item[i];
		bool matched;
		enum tn_code rc = TN_OK;

		if (c->regex) {
			rc = tn_regex_match(c->regex, &state->expression.regex, line, n, &matched, err);
			*pass = matched != c->negate;
		} else if (tn_expression_wants_line(c->expression)) {
			const struct tn_node *root = tn_expression_root(c->expression);

			rc = root->kind == TN_NODE_LINE
				     ? tn_regex_match(root->regex, &state->expression.regex, line, n, pass, err)
				     : tn_expression_match(c->expression, &state->expression, batch, row, line, n, pass, err);
			if (root->kind != TN_NODE_LINE && rc < 0)
				return rc;
		}
		if (rc < 0)
			return tn_regex_at(batch, row, rc, err);
	}
	return TN_OK;
}

/* Match the line of the row, in the format of the output, against the regular expressions. */
static enum tn_code
match_line(const struct tn_filter *f, struct tn_filter_state *state, const struct tn_text *text, struct tn_cursor *cur,
	   bool *pass, struct tn_error *err)
{
	const struct tn_batch *batch;
	struct tn_str line = { 0 };
	int64_t before_ns;
	uint64_t before_cycles;
	size_t row;
	enum tn_code rc;

	rc = tn_cursor_event_before(cur, &before_ns, &before_cycles, err);
	if (rc >= 0)
		rc = tn_text_line(tn_text_plain(text), cur, rc == TN_OK ? &before_ns : NULL, &line, err);
	if (rc == TN_OK)
		batch = tn_cursor_batch(cur, &row);
	if (rc == TN_OK)
		rc = tn_filter_match_line(f, state, batch, row, line.text, line.n - 1, pass, err);
	tn_str_release(&line);
	return rc;
}

enum tn_code
tn_filter_match(const struct tn_filter *f, const struct tn_text *text, struct tn_cursor *cur, bool *pass,
		struct tn_error *err)
{
	if (!f || !cur || !pass)
		return tn_fail_null(err);

	struct tn_filter_state state = { 0 };
	const struct tn_batch *batch;
	size_t row;
	enum tn_code rc;

	batch = tn_cursor_batch(cur, &row);
	*pass = true;
	if (!batch)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on a row");
	if (batch->refs.item[row].event_class == TN_REF_NOTICE)
		return TN_OK;
	rc = tn_filter_match_values(f, &state, batch, row, pass, err);
	if (rc == TN_OK && *pass && tn_filter_has_regex(f))
		rc = match_line(f, &state, text, cur, pass, err);
	tn_filter_state_release(&state);
	return rc;
}
