/* flame.c - a tree of stacks in its final order, and the trees and tables made from it */
#include "stack/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct node {
	uint32_t name, parent, end, depth;
	uint64_t calls, total, self, longest_ns, open, doubtful;
};

struct tn_flame {
	struct tn_arena arena;	/* memory of the names */
	const char **name;
	size_t n_names;
	struct node *node;
	size_t n;
	struct tn_flame_counts counts;
	bool sampled;
};

void
tn_flame_free(struct tn_flame *f)
{
	if (!f)
		return;
	tn_arena_release(&f->arena);
	free(f->name);
	free(f->node);
	free(f);
}

bool
tn_flame_is_sampled(const struct tn_flame *f)
{
	return f && f->sampled;
}

size_t
tn_flame_count(const struct tn_flame *f)
{
	return f ? f->n : 0;
}

struct tn_flame_counts
tn_flame_counts(const struct tn_flame *f)
{
	return f ? f->counts : (struct tn_flame_counts) { 0 };
}

bool
tn_flame_node(const struct tn_flame *f, size_t i, struct tn_flame_node *out)
{
	const struct node *n;

	if (!f || !out || i >= f->n)
		return false;
	n = &f->node[i];
	*out = (struct tn_flame_node) {
		.name = f->name[n->name], .parent = n->parent, .end = n->end, .depth = n->depth, .calls = n->calls,
		.total = n->total, .self = n->self, .longest_ns = n->longest_ns, .open = n->open, .doubtful = n->doubtful,
	};
	return true;
}

static void
put_name(const char *name, struct tn_str *out)
{
	for (; *name; name++)
		tn_str_putc(out, *name == ';' ? ',' : *name == '\n' || *name == '\r' ? ' ' : *name);
}

void
tn_flame_path(const struct tn_flame *f, size_t i, struct tn_str *out)
{
	uint32_t at[TN_FLAME_DEPTH + 1];
	size_t n = 0;

	if (!f || !out)
		return;
	for (; i && i < f->n && n < TN_COUNT(at); i = f->node[i].parent)
		at[n++] = (uint32_t)i;
	while (n--) {
		put_name(f->name[f->node[at[n]].name], out);
		if (n)
			tn_str_putc(out, ';');
	}
}

/* ---- the order ---- */

struct sorter {
	struct tn_stacks *s;
	uint32_t *rank;		/* rank of each name, in the order of bytes */
	uint32_t *order;	/* numbers of stacks; callees of the same stack are neighbours, in their order */
	uint32_t *first;	/* start of each stack's callees in `order` */
};

/* Merge sort, with a comparison that has an argument; qsort() does not have one. */
static void
merge_sort(uint32_t *item, uint32_t *spare, size_t n, const void *by, bool (*before)(const void *by, uint32_t a, uint32_t b))
{
	size_t half = n / 2, i = 0, k = half, at = 0;

	if (n < 2)
		return;
	merge_sort(item, spare, half, by, before);
	merge_sort(item + half, spare, n - half, by, before);
	memcpy(spare, item, n * sizeof *item);
	while (i < half || k < n)
		item[at++] = k == n || (i < half && !before(by, spare[k], spare[i])) ? spare[i++] : spare[k++];
}

static bool
name_before(const void *sorter, uint32_t a, uint32_t b)
{
	const struct sorter *by = sorter;

	return strcmp(by->s->name.item[a], by->s->name.item[b]) < 0;
}

static bool
larger(const void *sorter, uint32_t a, uint32_t b)
{
	const struct sorter *by = sorter;
	const struct tn_stack *x = &by->s->stack.item[a], *y = &by->s->stack.item[b];

	if (x->parent != y->parent)
		return x->parent < y->parent;
	if (x->total != y->total)
		return x->total > y->total;
	return by->rank[x->name] < by->rank[y->name];
}

/*
 * Add the totals of callees to their callers; a callee has a larger number than its caller. A stack without calls, time
 * and callees is one that a thread passed in no time; `used` is 1 for all others.
 */
static void
add_totals(struct tn_stacks *s)
{
	for (size_t i = 0; i < s->stack.n; i++)
		s->stack.item[i].used = 0;
	for (size_t i = s->stack.n; i--;) {
		struct tn_stack *t = &s->stack.item[i];

		t->total += t->self;
		t->used |= t->calls || t->total;
		if (i) {
			s->stack.item[t->parent].total += t->total;
			s->stack.item[t->parent].used |= t->used;
		}
	}
}

static bool
sort(struct sorter *by)
{
	struct tn_stacks *s = by->s;
	size_t most = s->stack.n > s->name.n ? s->stack.n : s->name.n;
	uint32_t *spare = calloc(most + 1, sizeof *spare), *names = calloc(s->name.n + 1, sizeof *names);
	bool ok = false;

	by->rank = calloc(s->name.n + 1, sizeof *by->rank);
	by->order = calloc(s->stack.n + 1, sizeof *by->order);
	by->first = calloc(s->stack.n + 1, sizeof *by->first);
	if (spare && names && by->rank && by->order && by->first) {
		for (uint32_t i = 0; i < s->name.n; i++)
			names[i] = i;
		merge_sort(names, spare, s->name.n, by, name_before);
		for (uint32_t i = 0; i < s->name.n; i++)
			by->rank[names[i]] = i;
		for (uint32_t i = 1; i < s->stack.n; i++)
			by->order[i - 1] = i;
		merge_sort(by->order, spare, s->stack.n - 1, by, larger);
		for (uint32_t i = (uint32_t)s->stack.n - 1; i--;)
			by->first[s->stack.item[by->order[i]].parent] = i;
		ok = true;
	}
	free(names);
	free(spare);
	return ok;
}

/* Put the stacks into the order of the flame: each before its callees. */
static void
place(struct tn_flame *f, struct sorter *by)
{
	const struct tn_stack *stack = by->s->stack.item;
	uint32_t at = 0, parent = 0;	/* number of the stack that was placed last, and of its parent */
	size_t n = by->s->stack.n - 1;

	f->node[0] = (struct node) { .calls = stack[0].calls, .total = stack[0].total, .self = stack[0].self };
	f->n = 1;
	for (;;) {
		uint32_t next = by->first[at];

		if (next < n && stack[by->order[next]].parent == at) {
			const struct tn_stack *t = &stack[by->order[next]];

			by->first[at]++;
			if (!t->used)
				continue;
			f->node[f->n] = (struct node) {
				.name = t->name, .parent = parent, .depth = t->depth, .calls = t->calls, .total = t->total,
				.self = t->self, .longest_ns = t->longest_ns, .open = t->open, .doubtful = t->doubtful,
			};
			parent = (uint32_t)f->n++;
			at = by->order[next];
			continue;
		}
		f->node[parent].end = (uint32_t)f->n;
		if (!at)
			return;
		parent = f->node[parent].parent;
		at = stack[at].parent;
	}
}

enum tn_code
tn_flame_make(struct tn_flame **out, struct tn_stacks *s, const struct tn_flame_counts *counts, bool sampled,
	      struct tn_error *err)
{
	struct tn_flame *f = calloc(1, sizeof *f);
	struct sorter by = { .s = s };
	enum tn_code rc = TN_OK;

	add_totals(s);
	if (!f || !(f->node = calloc(s->stack.n, sizeof *f->node)) || !sort(&by)) {
		tn_flame_free(f);
		f = NULL;
		rc = tn_fail_memory(err);
	} else {
		place(f, &by);
		f->counts = *counts;
		f->sampled = sampled;
		f->name = s->name.item;
		f->n_names = s->name.n;
		f->arena = s->arena;
		s->name.item = NULL;
		s->name.n = s->name.room = 0;
		s->arena = (struct tn_arena) { 0 };
	}
	free(by.rank);
	free(by.order);
	free(by.first);
	tn_stacks_release(s);
	*out = f;
	return rc;
}

/* ---- callers and frames ---- */

/* The number that each name of @f has in @s. NULL: memory is out. */
static uint32_t *
names_in(struct tn_stacks *s, const struct tn_flame *f)
{
	uint32_t *number = calloc(f->n_names + 1, sizeof *number);

	for (size_t i = 0; number && i < f->n_names; i++) {
		number[i] = tn_stacks_name(s, f->name[i], strlen(f->name[i]));
		if (number[i] == UINT32_MAX) {
			free(number);
			return NULL;
		}
	}
	return number;
}

static void
add_frame(struct tn_stack *t, const struct node *n)
{
	t->calls += n->calls;
	t->self += n->self;
	t->open += n->open;
	t->doubtful += n->doubtful;
	t->longest_ns = n->longest_ns > t->longest_ns ? n->longest_ns : t->longest_ns;
}

enum tn_code
tn_flame_callers(struct tn_flame **out, const struct tn_flame *f, size_t node, struct tn_error *err)
{
	struct tn_flame_counts counts;
	struct tn_stacks s = { 0 };
	uint32_t *number = NULL;

	if (out)
		*out = NULL;
	if (!out || !f || node >= f->n)
		return tn_fail_null(err);
	counts = f->counts;
	if (!tn_stacks_init(&s) || !(number = names_in(&s, f)))
		goto no_memory;
	for (size_t i = node ? node : 1; i < f->node[node].end; i++) {
		const struct node *n = &f->node[i];
		uint32_t at = 0;

		for (size_t k = i; k; k = f->node[k].parent) {
			uint32_t next = tn_stacks_callee(&s, at, number[f->node[k].name]);

			if (next == UINT32_MAX)
				goto no_memory;
			if (next == at) {
				counts.cut += n->calls ? n->calls : n->self != 0;
				break;
			}
			at = next;
			s.stack.item[at].calls += n->calls;
			s.stack.item[at].open += n->open;
			s.stack.item[at].doubtful += n->doubtful;
			if (n->longest_ns > s.stack.item[at].longest_ns)
				s.stack.item[at].longest_ns = n->longest_ns;
		}
		s.stack.item[at].self += n->self;
	}
	free(number);
	return tn_flame_make(out, &s, &counts, f->sampled, err);
no_memory:
	free(number);
	tn_stacks_release(&s);
	return tn_fail_memory(err);
}

struct renaming {
	struct tn_stacks s;
	struct tn_flame_counts counts;
	TN_ARRAY(uint32_t) part;	/* numbers of names; an address whose name has several lines gets a frame for each line */
	size_t *first;		/* the first new name of each old name, and the end */
	struct tn_str text;
};

static bool
add_parts(struct renaming *r, const char *old, bool (*name)(void *user, uint64_t address, struct tn_str *out), void *user)
{
	const char *text = old, *line;
	char *end;
	uint64_t address;

	r->text.n = 0;
	if (strncmp(old, "0x", 2) == 0) {
		address = strtoull(old + 2, &end, 16);
		if (!*end && end > old + 2 && name(user, address, &r->text) && r->text.n)
			text = r->text.text;
	}
	do {
		uint32_t *part = r->text.failed ? NULL : TN_ARRAY_ADD(&r->part);

		line = text;
		text += strcspn(text, "\n");
		if (!part || (*part = tn_stacks_name(&r->s, line, (size_t)(text - line))) == UINT32_MAX)
			return false;
	} while (*text++);
	return true;
}

/* The stack of a renamed node, as a callee of its renamed caller. UINT32_MAX: memory is out. */
static uint32_t
renamed(struct renaming *r, uint32_t at, const struct node *n)
{
	for (size_t k = r->first[n->name]; k < r->first[n->name + 1]; k++) {
		uint32_t caller = at;

		at = tn_stacks_callee(&r->s, caller, r->part.item[k]);
		if (at == UINT32_MAX)
			return at;
		r->counts.nameless += r->part.item[k] == TN_STACK_NAMELESS ? n->calls : 0;
		if (at == caller) {
			r->counts.cut += n->calls;
			r->s.stack.item[at].self += n->self;
			return at;
		}
		if (k + 1 < r->first[n->name + 1]) {	/* another function is inlined in this one */
			r->s.stack.item[at].calls += n->calls;
			r->s.stack.item[at].doubtful += n->doubtful;
		}
	}
	add_frame(&r->s.stack.item[at], n);
	return at;
}

enum tn_code
tn_flame_named(struct tn_flame **out, const struct tn_flame *f, bool (*name)(void *user, uint64_t address, struct tn_str *out),
	       void *user, struct tn_error *err)
{
	struct renaming r = { .first = NULL };
	uint32_t *stack = NULL;
	enum tn_code rc = TN_ERR_MEMORY;

	if (out)
		*out = NULL;
	if (!out || !f || !f->n || !name)
		return tn_fail_null(err);
	r.counts = f->counts;
	r.first = calloc(f->n_names + 1, sizeof *r.first);
	stack = calloc(f->n, sizeof *stack);
	if (!r.first || !stack || !tn_stacks_init(&r.s))
		goto end;
	for (size_t i = 0; i < f->n_names; i++) {
		if (!add_parts(&r, f->name[i], name, user))
			goto end;
		r.first[i + 1] = r.part.n;
	}
	for (size_t i = 1; i < f->n; i++)
		if ((stack[i] = renamed(&r, stack[f->node[i].parent], &f->node[i])) == UINT32_MAX)
			goto end;
	r.s.stack.item[0].self += f->node[0].self;
	rc = tn_flame_make(out, &r.s, &r.counts, f->sampled, err);
end:
	tn_stacks_release(&r.s);
	TN_ARRAY_RELEASE(&r.part);
	tn_str_release(&r.text);
	free(r.first);
	free(stack);
	return rc == TN_ERR_MEMORY ? tn_fail_memory(err) : rc;
}

static bool
self_before(const void *flame, uint32_t a, uint32_t b)
{
	const struct tn_flame *f = flame;
	const struct node *x = &f->node[a], *y = &f->node[b];

	if (x->self != y->self)
		return x->self > y->self;
	return x->total != y->total ? x->total > y->total : strcmp(f->name[x->name], f->name[y->name]) < 0;
}

/* Sort the rows of the table. False: memory is out. */
static bool
sort_by_self(struct tn_flame *f)
{
	uint32_t *order = calloc(2 * f->n, sizeof *order);
	struct node *old = f->node, *node = order ? calloc(f->n, sizeof *node) : NULL;

	if (node) {
		for (uint32_t i = 0; i < f->n; i++)
			order[i] = i;
		merge_sort(order + 1, order + f->n, f->n - 1, f, self_before);
		node[0] = old[0];
		for (uint32_t i = 1; i < f->n; i++) {
			node[i] = old[order[i]];
			node[i].end = i + 1;
		}
		f->node = node;
		free(old);
	}
	free(order);
	return node;
}

enum tn_code
tn_flame_frames(struct tn_flame **out, const struct tn_flame *f, struct tn_error *err)
{
	struct tn_stacks s = { 0 };
	uint32_t *number = NULL, *on_path = NULL;
	uint64_t *total = NULL, all;
	enum tn_code rc = TN_ERR_MEMORY;
	size_t above = 0;	/* the node whose callees come next */

	if (out)
		*out = NULL;
	if (!out || !f || !f->n)
		return tn_fail_null(err);
	on_path = calloc(f->n_names + 1, sizeof *on_path);
	total = calloc(f->n_names + 1, sizeof *total);
	if (!on_path || !total || !tn_stacks_init(&s) || !(number = names_in(&s, f)))
		goto end;
	for (size_t i = 1; i < f->n; i++) {
		const struct node *n = &f->node[i];
		uint32_t at = tn_stacks_callee(&s, 0, number[n->name]);

		if (at == UINT32_MAX)
			goto end;
		for (; above != n->parent; above = f->node[above].parent)
			on_path[f->node[above].name]--;
		above = i;
		if (!on_path[n->name]++)
			total[n->name] += n->total;
		add_frame(&s.stack.item[at], n);
	}
	all = f->n ? f->node[0].total : 0;
	rc = tn_flame_make(out, &s, &f->counts, f->sampled, err);
	if (rc == TN_OK) {
		uint64_t *of = calloc((*out)->n_names + 1, sizeof *of);

		for (size_t i = 0; of && i < f->n_names; i++)
			of[number[i]] = total[i];
		for (size_t i = 1; of && i < (*out)->n; i++)
			(*out)->node[i].total = of[(*out)->node[i].name];
		if (of)
			(*out)->node[0].total = all;
		if (!of || !sort_by_self(*out)) {
			tn_flame_free(*out);
			*out = NULL;
			rc = TN_ERR_MEMORY;
		}
		free(of);
	}
end:
	tn_stacks_release(&s);
	free(number);
	free(on_path);
	free(total);
	return rc == TN_ERR_MEMORY ? tn_fail_memory(err) : rc;
}
