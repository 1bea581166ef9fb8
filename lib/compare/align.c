/* align.c - a longest common subsequence in linear memory */
#include "compare/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NOWHERE INT32_MIN	/* the value of a diagonal that no path reaches */
#define LEAST_EDITS 64		/* edits that the search may make even if the work limit is reached */
#define STOP_STEPS ((uint64_t)1 << 20)

/* The numbers of a side that the other side has, too, and their places. */
struct part {
	uint32_t *number, *place;
	size_t n;
};

struct box {
	size_t begin[2], end[2];
};

struct aligner {
	struct tn_alignment *a;
	struct part part[2];
	/*
	 * For each diagonal: the farthest position in the first side that a path reaches, from the start and from the end
	 * of a box.
	 */
	int32_t *reach[2];
	uint64_t work, asked;
	bool cancelled;
};

static void
keep(struct aligner *l, size_t i, size_t j)
{
	l->a->kept[0][l->part[0].place[i]] = 1;
	l->a->kept[1][l->part[1].place[j]] = 1;
	l->a->common++;
}

/* ---- the middle of a box ---- */

/* A box that is read from its start, or backward from its end. */
struct view {
	const uint32_t *first, *second;
	ptrdiff_t step;
	int32_t n, m;
	int32_t *reach;		/* indices from -m - 1 to n + 1 */
};

static struct view
view_of(const struct aligner *l, const struct box *b, bool back)
{
	const uint32_t *first = l->part[0].number, *second = l->part[1].number;

	return (struct view) {
		.first = back ? first + b->end[0] - 1 : first + b->begin[0],
		.second = back ? second + b->end[1] - 1 : second + b->begin[1],
		.step = back ? -1 : 1,
		.n = (int32_t)(b->end[0] - b->begin[0]), .m = (int32_t)(b->end[1] - b->begin[1]),
		.reach = l->reach[back] + (b->end[1] - b->begin[1]) + 1,
	};
}

/* Extend the path on diagonal @k by one edit, then by all equal numbers after it. */
static void
advance(struct aligner *l, const struct view *v, int32_t edits, int32_t k)
{
	int32_t down = v->reach[k + 1], right = v->reach[k - 1], x = NOWHERE;
	uint64_t steps = 1;

	if (edits == 0)
		x = 0;
	if (down != NOWHERE && down - k <= v->m)
		x = down;
	if (right != NOWHERE && right < v->n && right + 1 > x)
		x = right + 1;
	for (; x != NOWHERE && x < v->n && x - k < v->m && v->first[v->step * x] == v->second[v->step * (x - k)]; steps++)
		x++;
	v->reach[k] = x;
	l->work += steps;
}

/* The first diagonal that @edits edits can reach; from there on, they can reach every second diagonal. */
static int32_t
first_diagonal(const struct view *v, int32_t edits)
{
	return edits <= v->m ? -edits : -v->m + ((edits - v->m) & 1);
}

static int32_t
last_diagonal(const struct view *v, int32_t edits)
{
	return edits <= v->n ? edits : v->n - ((edits - v->n) & 1);
}

/* The end of the path that has passed most numbers, used if the search is cut short. */
static void
furthest(const struct view *v, int32_t edits, int32_t *x, int32_t *y)
{
	int32_t best = -1;

	for (int32_t k = first_diagonal(v, edits); k <= last_diagonal(v, edits); k += 2)
		if (v->reach[k] != NOWHERE && 2 * v->reach[k] - k > best) {
			best = 2 * v->reach[k] - k;
			*x = v->reach[k];
			*y = *x - k;
		}
}

static bool
is_stopped(struct aligner *l)
{
	if (l->work - l->asked < STOP_STEPS || !l->a->stopped)
		return l->cancelled;
	l->asked = l->work;
	return l->cancelled = l->a->stopped(l->a->user);
}

/*
 * Find a place on a shortest path through the box. The box has numbers of both sides, and neither the first nor the last
 * numbers are equal, so the place is neither its start nor its end. False: stopped.
 */
static bool
find_middle(struct aligner *l, const struct box *b, int32_t *x, int32_t *y)
{
	const struct view view[2] = { view_of(l, b, false), view_of(l, b, true) };
	const int32_t n = view[0].n, m = view[0].m, delta = n - m;

	for (size_t i = 0; i < 2; i++)
		view[i].reach[0] = view[i].reach[1] = view[i].reach[-1] = NOWHERE;
	for (int32_t edits = 0; !is_stopped(l); edits++) {
		for (size_t i = 0; i < 2; i++) {
			const struct view *v = &view[i];

			if (edits < n + 1)
				v->reach[edits + 1] = NOWHERE;
			if (edits < m + 1)
				v->reach[-edits - 1] = NOWHERE;
			for (int32_t k = first_diagonal(v, edits); k <= last_diagonal(v, edits); k += 2) {
				const int32_t other = delta - k, reached = edits - (i == 0);
				bool both;

				advance(l, v, edits, k);
				both = (delta & 1) == (i == 0) && other >= -reached && other <= reached;
				both &= other >= -m && other <= n;
				if (!both || v->reach[k] == NOWHERE || view[!i].reach[other] == NOWHERE ||
				    v->reach[k] + view[!i].reach[other] < n)
					continue;
				*x = i == 0 ? v->reach[k] : n - v->reach[k];
				*y = i == 0 ? *x - k : m - (v->reach[k] - k);
				return true;
			}
		}
		if (l->work > l->a->most_work && edits >= LEAST_EDITS) {
			l->a->is_approximate = true;
			furthest(&view[0], edits, x, y);
			return true;
		}
	}
	return false;
}

/* ---- boxes ---- */

/* Continue with the larger half, and call the function for the smaller one, so that the recursion has logarithmic depth. */
static void
align_box(struct aligner *l, struct box b)
{
	const uint32_t *first = l->part[0].number, *second = l->part[1].number;

	while (!l->cancelled) {
		struct box left, right;
		int32_t x = 0, y = 0;
		bool is_left_larger;

		for (; b.begin[0] < b.end[0] && b.begin[1] < b.end[1] && first[b.begin[0]] == second[b.begin[1]]; l->work++)
			keep(l, b.begin[0]++, b.begin[1]++);
		for (; b.begin[0] < b.end[0] && b.begin[1] < b.end[1] && first[b.end[0] - 1] == second[b.end[1] - 1]; l->work++)
			keep(l, --b.end[0], --b.end[1]);
		if (b.begin[0] == b.end[0] || b.begin[1] == b.end[1] || !find_middle(l, &b, &x, &y))
			return;
		left = right = b;
		left.end[0] = right.begin[0] = b.begin[0] + (size_t)x;
		left.end[1] = right.begin[1] = b.begin[1] + (size_t)y;
		is_left_larger = (size_t)x + (size_t)y > right.end[0] - right.begin[0] + right.end[1] - right.begin[1];
		align_box(l, is_left_larger ? right : left);
		b = is_left_larger ? left : right;
	}
}

/* Take the numbers of a side that the other side also has. */
static bool
take_part(struct part *p, const struct tn_alignment *a, size_t side, const uint8_t *seen)
{
	p->number = malloc((a->n[side] + 1) * sizeof *p->number);
	p->place = malloc((a->n[side] + 1) * sizeof *p->place);
	for (size_t i = 0; p->number && p->place && i < a->n[side]; i++)
		if (seen[a->side[side][i]] == 3) {
			p->number[p->n] = a->side[side][i];
			p->place[p->n++] = (uint32_t)i;
		}
	return p->number && p->place;
}

enum tn_code
tn_align(struct tn_alignment *a, struct tn_error *err)
{
	struct aligner l = { .a = a };
	uint8_t *seen = calloc((size_t)a->numbers + 1, 1);
	bool good = seen != NULL;

	a->common = 0;
	a->is_approximate = false;
	for (size_t side = 0; side < 2; side++) {
		good &= a->n[side] <= TN_ALIGN_MOST && (a->kept[side] = calloc(a->n[side] + 1, 1)) != NULL;
		for (size_t i = 0; good && i < a->n[side]; i++)
			seen[a->side[side][i]] |= (uint8_t)(1u << side);
	}
	for (size_t side = 0; side < 2 && good; side++)
		good = take_part(&l.part[side], a, side, seen);
	for (size_t i = 0; i < 2 && good; i++)
		good = (l.reach[i] = malloc((l.part[0].n + l.part[1].n + 4) * sizeof **l.reach)) != NULL;
	if (good)
		align_box(&l, (struct box) { .end = { l.part[0].n, l.part[1].n } });
	for (size_t i = 0; i < 2; i++) {
		free(l.part[i].number);
		free(l.part[i].place);
		free(l.reach[i]);
	}
	free(seen);
	if (!good)
		return tn_fail_memory(err);
	return l.cancelled ? tn_fail(err, TN_ERR_CANCELLED, "stopped") : TN_OK;
}
