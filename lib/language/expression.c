/* expression.c - the functions of expressions, and the choice between the general and the compiled path */
#include "language/expression_tree.h"

#include "base/ways.h"

#include <stdlib.h>

struct tn_expression {
	struct tn_tree tree;
	const struct tn_names *names;
	struct tn_arena arena;			/* memory of the steps */
	pthread_mutex_t lock;			/* protects the arena */
	_Atomic(struct tn_steps *) *steps;	/* by tn_names_class(); made when needed */
	bool general;			/* always use the general path (tests) */
	bool only_lines;		/* all tests are of the line */
};

enum tn_code
tn_expression_new(struct tn_expression **out, const struct tn_language *language, const char *text, struct tn_error *err)
{
	struct tn_expression *e = calloc(1, sizeof *e);
	enum tn_code rc;

	*out = NULL;
	if (!e)
		return tn_fail_memory(err);
	pthread_mutex_init(&e->lock, NULL);
	e->names = language->names;
	e->general = tn_ways() & TN_WAYS_VALUES;
	rc = tn_tree_parse(&e->tree, language, text, err);
	e->only_lines = true;
	for (const struct tn_node *test = e->tree.tests; test; test = test->next_test)
		e->only_lines &= test->kind == TN_NODE_LINE;
	if (rc == TN_OK && !(e->steps = calloc(tn_names_class_count(e->names) + 1, sizeof *e->steps)))
		rc = tn_fail_memory(err);
	if (rc < 0) {
		tn_expression_free(e);
		return rc;
	}
	*out = e;
	return TN_OK;
}

void
tn_expression_free(struct tn_expression *e)
{
	if (!e)
		return;
	tn_tree_release(&e->tree);
	tn_arena_release(&e->arena);
	pthread_mutex_destroy(&e->lock);
	free((void *)e->steps);
	free(e);
}

void
tn_expression_state_release(struct tn_expression_state *s)
{
	tn_row_state_release(&s->row);
	tn_regex_room_release(&s->regex);
}

const char *
tn_expression_remark(const struct tn_expression *e)
{
	return e->tree.remark;
}

const struct tn_node *
tn_expression_root(const struct tn_expression *e)
{
	return e->tree.root;
}

bool
tn_expression_wants_line(const struct tn_expression *e)
{
	return e->tree.wants_line;
}

static size_t
add_pattern(const struct tn_node *node, const char **out, size_t n, size_t room)
{
	if (node->kind == TN_NODE_LINE && n < room && !tn_regex_ignores_case(node->regex))
		out[n++] = tn_regex_pattern(node->regex);
	return n;
}

size_t
tn_expression_patterns(const struct tn_expression *e, const char **out, size_t room)
{
	const struct tn_node *root = e->tree.root;
	size_t n = add_pattern(root, out, 0, room);

	for (const struct tn_node *in = root->kind == TN_NODE_AND ? root->in : NULL; in; in = in->next)
		n = add_pattern(in, out, n, room);
	return n;
}

/* The steps of a class, made if necessary. NULL: this failed, and *err is set. */
static const struct tn_steps *
steps_of(const struct tn_expression *expression, size_t class, struct tn_error *err)
{
	struct tn_expression *e = (struct tn_expression *)expression;	/* the cached steps are not part of its value */
	struct tn_steps *steps = atomic_load_explicit(&e->steps[class], memory_order_acquire);

	if (__builtin_expect(steps != NULL, 1))
		return steps;
	pthread_mutex_lock(&e->lock);
	steps = atomic_load_explicit(&e->steps[class], memory_order_relaxed);
	if (!steps) {
		steps = tn_steps_compile(&e->arena, &e->tree, e->names, class, err);
		atomic_store_explicit(&e->steps[class], steps, memory_order_release);
	}
	pthread_mutex_unlock(&e->lock);
	return steps;
}

const struct tn_steps *
tn_expression_steps(const struct tn_expression *e, const struct tn_event_class *ec)
{
	size_t class = tn_names_find_class(e->names, ec);
	struct tn_error err;

	return class == SIZE_MAX ? NULL : steps_of(e, class, &err);
}

enum tn_verdict
tn_expression_verdict(const struct tn_expression *e, const struct tn_event_class *ec)
{
	const struct tn_steps *steps = tn_expression_steps(e, ec);

	return steps ? tn_steps_verdict(steps) : TN_VERDICT_OPEN;
}

enum tn_code
tn_expression_match(const struct tn_expression *e, struct tn_expression_state *s, const struct tn_batch *batch, size_t row,
		    const char *line, size_t n, bool *pass, struct tn_error *err)
{
	size_t class = tn_names_class(e->names, batch->stream, batch->refs.item[row].event_class);
	struct tn_trial trial = { .room = &s->regex, .err = err };
	const struct tn_steps *steps;

	*pass = false;
	if (__builtin_expect(s->general || e->general || class == SIZE_MAX, 0)) {
		s->row.values_only = s->general || e->general;
		tn_row_at(&s->row, batch, row);
		*pass = (!line && e->tree.wants_line) || tn_decide(e->tree.root, s, line, n, &trial) == TN_TRUE;
		return trial.gave_up ? tn_regex_at(batch, row, trial.code, err) : trial.code;
	}
	steps = steps_of(e, class, err);
	if (!steps)
		return err && err->code < 0 ? err->code : TN_ERR_MEMORY;
	*pass = tn_steps_run(steps, s, batch, row, line, n, &trial) != TN_VERDICT_NO;
	return trial.gave_up ? tn_regex_at(batch, row, trial.code, err) : trial.code;
}

enum tn_code
tn_expression_match_rows(const struct tn_expression *e, struct tn_expression_state *s, const struct tn_batch *batch,
			 size_t row, size_t n, uint8_t *pass, struct tn_error *err)
{
	struct tn_trial trial = { .room = &s->regex, .err = err };
	size_t end = row + n, first = row, n_classes;
	size_t class = tn_names_classes_of(e->names, batch->stream, &n_classes);

	if (e->only_lines) {
		tn_observer_miss(s->observer);
		return TN_OK;
	}
	while (row < end) {
		bool one;
		enum tn_code rc;

		if (s->general || e->general || !n_classes)
			tn_observer_miss(s->observer);
		else
			row = tn_steps_run_rows(e->steps + class, n_classes, s, batch, row, end, pass + (row - first), &trial);
		if (trial.gave_up)	/* the state belongs to the event whose text was requested */
			return tn_regex_at(batch, s->row.row, trial.code, err);
		if (trial.code < 0)
			return trial.code;
		if (row == end)
			break;
		/* The class does not have steps yet. */
		if (pass[row - first] && batch->refs.item[row].event_class != TN_REF_NOTICE) {
			rc = tn_expression_match(e, s, batch, row, NULL, 0, &one, err);
			if (rc < 0)
				return rc;
			pass[row - first] = one;
		}
		row++;
	}
	return TN_OK;
}

enum tn_code
tn_expression_match_thing(const struct tn_expression *e, struct tn_expression_state *s, const struct tn_batch *batch,
			  size_t row, bool *pass, struct tn_error *err)
{
	struct tn_trial trial = { .room = &s->regex, .err = err };

	s->row.batch = NULL;
	if (batch)
		tn_row_at(&s->row, batch, row);
	*pass = tn_decide(e->tree.root, s, NULL, 0, &trial) == TN_TRUE;
	return trial.code;
}
