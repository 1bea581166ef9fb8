/* flame_diff.c - compare the frames of two sides: calls, total and self time; the largest change of self time comes first */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"

enum { NAME, CALLS, TOTAL = CALLS + 2, SELF = TOTAL + 2, DIFFERENCE = SELF + 2, FACTOR, COLUMNS };

struct frame {
	const char *name;	/* borrowed from a flame */
	uint64_t calls[2], total[2], self[2];
};

struct frames {
	struct frame *item;
	size_t n;
};

static int64_t
difference(const struct frame *f)
{
	return (int64_t)(f->self[1] - f->self[0]);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct frame *)a)->name, ((const struct frame *)b)->name);
}

static int
by_difference(const void *a, const void *b)
{
	const struct frame *x = a, *y = b;
	uint64_t dx = (uint64_t)llabs(difference(x)), dy = (uint64_t)llabs(difference(y));

	return dx != dy ? dx > dy ? -1 : 1 : by_name(a, b);
}

/* Collect the names of both flames, each name once. False: memory is out. */
static bool
join(struct frames *all, struct tn_flame *const flame[2])
{
	struct tn_flame_node node;
	size_t n = 0;

	all->item = calloc(tn_flame_count(flame[0]) + tn_flame_count(flame[1]) + 1, sizeof *all->item);
	if (!all->item)
		return false;
	for (int side = 0; side < 2; side++)
		for (size_t i = 1; tn_flame_node(flame[side], i, &node); i++) {
			struct frame *f = &all->item[all->n++];

			f->name = node.name;
			f->calls[side] = node.calls;
			f->total[side] = node.total;
			f->self[side] = node.self;
		}
	qsort(all->item, all->n, sizeof *all->item, by_name);
	for (size_t i = 0; i < all->n; i++) {
		struct frame *last = n ? &all->item[n - 1] : NULL;

		if (!last || strcmp(last->name, all->item[i].name) != 0) {
			all->item[n++] = all->item[i];
			continue;
		}
		for (int side = 0; side < 2; side++) {
			last->calls[side] += all->item[i].calls[side];
			last->total[side] += all->item[i].total[side];
			last->self[side] += all->item[i].self[side];
		}
	}
	all->n = n;
	qsort(all->item, all->n, sizeof *all->item, by_difference);
	return true;
}

static int
make_table(struct answer *a, bool sampled)
{
	static const char *const names[COLUMNS] = {
		"name", "first_calls", "second_calls", "first_total", "second_total", "first_self", "second_self", "difference",
		"factor",
	};
	const unsigned right = TN_COLUMN_RIGHT | TN_COLUMN_SHORT;
	const unsigned hidden = sampled ? TN_COLUMN_NO_TEXT | TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON : 0;
	int status = answer_table(a);

	for (size_t i = CALLS; !status && i < COLUMNS; i++) {
		bool time = i >= TOTAL && i <= DIFFERENCE && !sampled;

		answer_column(a, (struct tn_table_column) {
			.name = names[i], .unit = time ? TN_GROUP_DURATION : TN_GROUP_NUMBER,
			.flags = right | (i < TOTAL ? hidden : 0), .width = 12,
		});
	}
	if (!status)
		answer_column(a, (struct tn_table_column) { .name = names[NAME] });
	return status;
}

static int
print_frame(struct answer *a, const struct frame *f)
{
	struct tn_answer_value row[COLUMNS];
	size_t n = 6;

	for (int side = 0; side < 2; side++) {
		row[side] = tn_answer_number(true, (int64_t)f->calls[side]);
		row[2 + side] = tn_answer_number(true, (int64_t)f->total[side]);
		row[4 + side] = tn_answer_number(true, (int64_t)f->self[side]);
	}
	row[n++] = tn_answer_number(true, difference(f));
	row[n++] = (struct tn_answer_value) {
		.kind = f->self[0] ? TN_ANSWER_FLOAT : TN_ANSWER_NONE,
		.is.f = f->self[0] ? (double)f->self[1] / (double)f->self[0] : 0,
	};
	row[n++] = tn_answer_text(f->name);
	return answer_row(a, row);
}

int
print_flame_diff(struct answer *a, struct tn_flame *const flame[2])
{
	uint64_t top = a->job->options->top;
	struct frames all = { 0 };
	struct tn_error err = { .code = TN_ERR_MEMORY, .text = "out of memory" };
	int status, failed;

	if (tn_flame_is_sampled(flame[0]) != tn_flame_is_sampled(flame[1])) {
		complain(NULL, _("one side has stacks of spans, the other one samples: name spans with --spans"));
		return 1;
	}
	if (!join(&all, flame))
		return job_failed(&err);
	status = make_table(a, tn_flame_is_sampled(flame[0]));
	failed = status || answer_heading(a);
	for (size_t i = 0; !failed && i < all.n && (!top || i < top); i++)
		failed = print_frame(a, &all.item[i]);
	a->job->events = all.n;
	free(all.item);
	return status;
}
