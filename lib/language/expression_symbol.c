/*
 * expression_symbol.c - convert symbol(NAME), a test of a function's name, to tests of addresses, by process and time
 *
 * An address without a known function has the empty name. So the test lists the functions that match, or those that do
 * not.
 */
#include <inttypes.h>

#include "base/messages.h"
#include "language/expression_tree.h"
#include "language/kinds.h"
#include "model/functions.h"

struct range {
	uint64_t low, high;
};

struct expansion {
	struct tn_parser *p;
	struct tn_node *test;	/* the parsed test, with the field and the names */
	const char *field;	/* as in the expression */
	const struct tn_functions *all;
	struct tn_regex_room room;
	bool of_empty;		/* the test is true for "" */
	TN_ARRAY(struct range) range;	/* ranges of addresses in the last file */
	const struct tn_function *of;	/* the functions of this file */
	struct tn_node *in, *in_process;	/* tests of addresses in any process, and in certain processes */
	bool failed;
	const char *nearest;
	size_t distance;
};

/* ---- the names ---- */

static bool
is_match(struct expansion *x, const char *name)
{
	bool matched = false;

	if (x->test->regex && tn_regex_match(x->test->regex, &x->room, name, strlen(name), &matched, NULL) < 0)
		matched = false;
	for (size_t i = 0; i < x->test->n_items && !matched; i++) {
		const struct tn_literal *l = &x->test->item[i].low;

		matched = strlen(name) == l->n && memcmp(name, l->text, l->n) == 0;
		if (l->n)
			tn_nearest(l->text, name, &x->nearest, &x->distance);
	}
	return matched;
}

/* Find the ranges of the functions whose result differs from that of an unknown function, as positions in their file. */
static const struct range *
ranges_of(struct expansion *x, const struct tn_function_image *image, size_t *n)
{
	if (x->of != image->function) {
		x->of = image->function;
		x->range.n = 0;
		for (size_t i = 0; i < image->n && !x->failed; i++) {
			const struct tn_function *f = &image->function[i];
			struct range *last = x->range.n ? &x->range.item[x->range.n - 1] : NULL;

			if (is_match(x, f->name) == x->of_empty)
				continue;
			if (last && last->high + 1 == f->low) {
				last->high = f->high;
				continue;
			}
			last = TN_ARRAY_ADD(&x->range);
			x->failed |= !last;
			if (last)
				*last = (struct range) { f->low, f->high };
		}
	}
	*n = x->range.n;
	return x->range.item;
}

/* ---- nodes ---- */

static struct tn_literal
number_of(const struct expansion *x, bool is_negative, uint64_t magnitude)
{
	return (struct tn_literal) {
		.is_number = true, .number = { .is_negative = is_negative, .magnitude = magnitude }, .text = "", .at = x->test->at,
	};
}

static struct tn_literal
time_of(const struct expansion *x, int64_t ns)
{
	struct tn_literal l = number_of(x, ns < 0, ns < 0 ? -(uint64_t)ns : (uint64_t)ns);

	l.is_open = ns == INT64_MIN || ns == INT64_MAX;
	return l;
}

/* Make a test of @name (NULL: of the field) with space for @n items. NULL: failure. */
static struct tn_node *
new_test(struct expansion *x, const char *name, enum tn_node_kind kind, size_t n)
{
	struct tn_node *test = x->failed ? NULL : tn_parse_test(x->p);

	x->failed |= !test;
	if (!test)
		return NULL;
	test->kind = kind;
	test->at = x->test->at;
	test->n_items = n;
	test->item = TN_NEW_ARRAY(&x->p->tree->arena, n + 1, struct tn_item);
	test->reference = TN_NEW(&x->p->tree->arena, struct tn_reference);
	if (!test->item || !test->reference) {
		x->failed = true;
		test->reference = NULL;
		tn_parse_memory(x->p);
	} else if (tn_reference_init(test->reference, x->p->language->names, name ? name : x->field, NULL, x->p->err) < 0) {
		x->failed = true;
		test->reference = NULL;
	}
	return x->failed ? NULL : test;
}

/* Join @a and @b with @kind; each may be NULL. */
static struct tn_node *
join(struct expansion *x, enum tn_node_kind kind, struct tn_node *a, struct tn_node *b)
{
	struct tn_node *all;

	if (!a || !b)
		return a ? a : b;
	if (b->kind == kind) {
		a->next = b->in;
		b->in = a;
		return b;
	}
	a->next = b;
	all = tn_parse_node(x->p, kind, a);
	x->failed |= !all;
	return all;
}

static struct tn_node *
negate(struct expansion *x, struct tn_node *node)
{
	struct tn_node *not = node ? tn_parse_node(x->p, TN_NODE_NOT, node) : NULL;

	x->failed |= node && !not;
	return not;
}

/* Make the test that an event belongs to the process and time of an image. */
static struct tn_node *
when(struct expansion *x, const struct tn_function_image *image)
{
	struct tn_node *all = NULL, *test;

	if ((image->begin_ns != INT64_MIN || image->end_ns != INT64_MAX) && (test = new_test(x, "event.time", TN_NODE_IN, 1))) {
		test->item->is_range = true;
		test->item->low = time_of(x, image->begin_ns);
		test->item->high = time_of(x, image->end_ns == INT64_MAX ? INT64_MAX : image->end_ns - 1);
		all = join(x, TN_NODE_AND, test, all);
	}
	if ((test = new_test(x, "event.pid", TN_NODE_EQUAL, 1))) {
		test->item->low = number_of(x, image->pid < 0, image->pid < 0 ? -(uint64_t)image->pid : (uint64_t)image->pid);
		test->item->high = test->item->low;
		all = join(x, TN_NODE_AND, test, all);
	}
	if (x->p->language->set->n_traces > 1 && (test = new_test(x, "event.trace", TN_NODE_EQUAL, 1))) {
		const char *path = image->trace->path;

		test->item->low = (struct tn_literal) { .is_quoted = true, .text = path, .n = strlen(path), .at = x->test->at };
		test->item->high = test->item->low;
		all = join(x, TN_NODE_AND, test, all);
	}
	return all;
}

static struct tn_node *
addresses(struct expansion *x, const struct tn_function_image *image, const struct range *range, size_t n)
{
	struct tn_node *test = new_test(x, NULL, TN_NODE_IN, n);
	size_t k = 0;

	for (size_t i = 0; test && i < n; i++) {
		uint64_t low = image->base + range[i].low, high = image->base + range[i].high;

		/* The last symbol of a table ends with its mapping. */
		if (range[i].high == UINT64_MAX || high < low || high > image->high)
			high = image->high;
		if (low < image->low || low > high)
			continue;
		test->item[k++] = (struct tn_item) { number_of(x, false, low), number_of(x, false, high), .is_range = true };
	}
	if (test)
		test->n_items = k;
	return k ? test : NULL;
}

/* Names in a map are only for addresses outside of mapped files. */
static struct tn_node *
not_mapped(struct expansion *x, const struct tn_node *test)
{
	struct tn_node *all = NULL;

	for (size_t i = 0; i < x->all->image.n; i++) {
		const struct tn_function_image *image = &x->all->image.item[i];
		const struct range whole = { image->low - image->base, image->high - image->base };
		bool meets = false;

		for (size_t k = 0; image->trace && k < test->n_items && !meets; k++)
			meets = test->item[k].low.number.magnitude <= image->high &&
				test->item[k].high.number.magnitude >= image->low;
		if (meets)
			all = join(x, TN_NODE_OR, join(x, TN_NODE_AND, addresses(x, image, &whole, 1), when(x, image)), all);
	}
	return negate(x, all ? join(x, TN_NODE_AND, new_test(x, "event.pid", TN_NODE_HAS, 0), all) : NULL);
}

static void
add_image(struct expansion *x, const struct tn_function_image *image)
{
	size_t n;
	const struct range *range = ranges_of(x, image, &n);
	struct tn_node *test = n ? addresses(x, image, range, n) : NULL;

	if (test && image->trace)
		x->in_process = join(x, TN_NODE_OR, join(x, TN_NODE_AND, test, when(x, image)), x->in_process);
	else if (test)
		x->in = join(x, TN_NODE_OR, join(x, TN_NODE_AND, test, not_mapped(x, test)), x->in);
}

/* ---- the test ---- */

static bool
remark(struct expansion *x)
{
	struct tn_str text = { 0 };

	if (x->p->tree->remark)
		return true;
	tn_str_puts(&text, _("no function has this name"));
	if (x->nearest)
		tn_str_printf(&text, _("; the nearest is '%s'"), x->nearest);
	if (x->all->n_missing)
		tn_str_printf(&text, _("; %zu of %zu mapped files have no function names, the first is %s: use --debug-info-dir"),
			      x->all->n_missing, x->all->n_files, x->all->missing);
	x->p->tree->remark = text.failed ? NULL : tn_arena_string(&x->p->tree->arena, text.text);
	tn_str_release(&text);
	return x->p->tree->remark || tn_parse_memory(x->p);
}

/* Check the test. False: it cannot be a test of a name. */
static bool
check(struct tn_parser *p, const struct tn_node *test)
{
	const struct tn_meaning *meaning = &test->reference->meaning;
	struct tn_error why;

	if (tn_meaning_has_value(meaning, &why) < 0)
		return tn_parse_fail(p, test->at, "%s", why.text);
	if (test->kind >= TN_NODE_LESS && test->kind <= TN_NODE_GREATER_EQUAL)
		return tn_parse_fail(p, test->at, "compare a name with ==, !=, in, =~ or !~");
	for (size_t i = 0; i < test->n_items; i++)
		if (test->item[i].is_range || test->item[i].low.is_number)
			return tn_parse_fail(p, test->item[i].low.at ? test->item[i].low.at : test->at,
					     "write the name of a function here: \"main\"");
	return true;
}

static struct tn_node *
expand(struct expansion *x, bool negated)
{
	struct tn_node *all, *any;

	x->of_empty = is_match(x, "");
	if (negated && strstr(x->field, "[*]")) {
		tn_parse_fail(x->p, x->test->at, "there are several addresses: write not symbol(...) == \"main\", or =~");
		return NULL;
	}
	for (size_t i = 0; i < x->all->image.n && !x->failed; i++)
		add_image(x, &x->all->image.item[i]);
	if (!x->in && !x->in_process && !remark(x))
		return NULL;
	if (x->in_process)
		x->in_process = join(x, TN_NODE_AND, new_test(x, "event.pid", TN_NODE_HAS, 0), x->in_process);
	/* If an event does not have the field, the test is neither true nor false. */
	any = new_test(x, NULL, TN_NODE_IN, 1);
	if (any) {
		any->item->is_range = true;
		any->item->low = number_of(x, true, UINT64_C(1) << 63);
		any->item->high.is_open = true;
	}
	all = join(x, TN_NODE_OR, negate(x, any), join(x, TN_NODE_OR, x->in, x->in_process));
	if (x->of_empty != negated)
		all = negate(x, all);
	if (x->failed && x->p->err->code >= 0)
		tn_parse_memory(x->p);
	return x->failed ? NULL : all;
}

struct tn_node *
tn_expand_symbol(struct tn_parser *p, struct tn_node *test)
{
	const struct tn_set *set = p->language->set;
	struct expansion x = { .p = p, .test = test, .distance = SIZE_MAX };
	bool negated = test->kind == TN_NODE_DIFFERENT || test->kind == TN_NODE_NOT_IN || test->kind == TN_NODE_NO_MATCH ||
		       test->kind == TN_NODE_TRUE;
	struct tn_item empty = { .low = { .text = "" }, .high = { .text = "" } };
	struct tn_error why = { 0 };
	struct tn_node *all = NULL;
	const char *name = strchr(test->at, '(') + 1;

	if (!check(p, test))
		return NULL;
	name += strspn(name, " \t\r\n");
	x.field = tn_arena_copy(&p->tree->arena, name, tn_name_length(name));
	if (!x.field) {
		tn_parse_memory(p);
		return NULL;
	}
	if (test->kind == TN_NODE_TRUE) {
		test->item = &empty;
		test->n_items = 1;
	}
	if (!set || !set->functions.read) {
		tn_parse_fail(p, test->at, "function names are not known here");
		return NULL;
	}
	if (set->functions.read(&set->functions, &x.all, &why) < 0)
		tn_parse_fail(p, test->at, "%s", why.text);
	else
		all = expand(&x, negated);
	/* The addresses now replace the names. */
	test->n_items = 0;
	test->item = NULL;
	tn_regex_room_release(&x.room);
	TN_ARRAY_RELEASE(&x.range);
	return all;
}
