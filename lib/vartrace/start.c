/*
 * start.c - whether a file is a dump, its byte order, and its first whole record
 *
 * There is no magic number: a dump is known by its records following each other to the end (7). It may
 * begin with the rest of a record (6.1, 6.2). Only the first WINDOW bytes are looked at, so that a large
 * dump opens at once.
 */
#include "vartrace/record.h"

#define WINDOW (UINT64_C(1) << 20)
#define FIRST_MAX (UINT64_C(65535) + TN_VT_HEADER)	/* the rest of a record is not longer */
#define BUDGET (UINT64_C(4) << 20)	/* records that the search may look at */
#define TRIAL 16		/* records that decide whether a start is worth a whole look */

/* How well records follow each other from a start on. */
struct score {
	bool accepted;
	bool lost;		/* bytes before the start are no records at all */
	bool exact;		/* ends with the dump or the window, not with a cut record */
	uint64_t n, evidence, unknown, back;
	uint64_t bad;		/* records that the library cannot have written: few are damage, many a wrong start */
};

struct search {
	struct tn_vt_dump dump;
	uint64_t budget;
};

/* Records from @at on, at most @most. The last may be cut by the end of the dump. */
static struct score
rate(struct search *s, uint64_t at, uint64_t most)
{
	const struct tn_vt_dump *d = &s->dump;
	uint64_t end = d->size < WINDOW ? d->size : WINDOW;
	struct score score = { 0 };
	struct tn_vt_record r;
	uint32_t time = 0;
	bool flawless;

	while (at < end && score.n < most && s->budget) {
		unsigned element;

		s->budget--;
		if (!tn_vt_record(d, at, &r))
			break;
		element = tn_vt_element_size(r.type);
		if ((element && r.size % element) ||
		    (r.type == TN_VT_SUBTRACE && !tn_vt_subtrace_fits(d, r.data, r.data + r.size)))
			score.bad++;
		else if (r.type == TN_VT_SUBTRACE)
			score.evidence += r.size > 0;
		else if (element)
			score.evidence++;
		else
			score.unknown++;
		score.back += score.n && !tn_vt_is_forward(time, r.time);
		time = r.time;
		score.n++;
		at = r.next;
	}
	score.exact = at >= end || score.n == most;
	/* Two records are needed, and not mostly what anything could be; more of that in a run without a flaw. */
	flawless = score.exact && score.bad + score.back == 0;
	score.accepted = score.evidence >= 2 && score.bad * 8 <= score.evidence &&
			 score.evidence * (flawless ? 4 : 1) >= score.unknown;
	return score;
}

static bool
is_better(const struct score *a, const struct score *b)
{
	if (a->accepted != b->accepted)
		return a->accepted;
	if (a->exact != b->exact)
		return a->exact;
	if (a->lost != b->lost)
		return b->lost;
	if (a->bad != b->bad)
		return a->bad < b->bad;
	if (a->back != b->back)
		return a->back < b->back;
	if (a->unknown != b->unknown)
		return a->unknown < b->unknown;
	return a->n > b->n;
}

/* Worth a whole look: the first records are in order. */
static bool
is_promising(struct search *s, uint64_t at)
{
	struct score trial = rate(s, at, TRIAL);

	return trial.accepted && trial.n >= 2;
}

/*
 * The bytes before @to are records themselves, all of known types. That they are nested ones as well is an accident
 * then: a time is the header of an empty subtrace. A time behind them that runs back is a damaged one.
 */
static bool
is_records(struct search *s, uint64_t to)
{
	struct tn_vt_record r;
	uint64_t at = 0;

	while (at < to && s->budget && tn_vt_record(&s->dump, at, &r) && !r.repaired) {
		unsigned element = tn_vt_element_size(r.type);

		s->budget--;
		if (!element || r.size % element)
			return false;
		at = r.next;
	}
	return at == to;
}

/*
 * The start itself, or a place behind nested records that are the rest of a subtrace: the one with the
 * fewest steps back. Read 4 bytes off, nested records look like others whose time is a value: hence
 * the count of steps.
 */
static struct score
find_after_nested(struct search *s, struct tn_vt_start *start)
{
	struct score best = rate(s, 0, UINT64_MAX);
	uint64_t at = 0, n = 0;
	struct tn_vt_record r;

	start->at = start->n_nested = 0;
	while (!(best.accepted && best.back + best.bad == 0) && at <= FIRST_MAX &&
	       tn_vt_nested(&s->dump, at, s->dump.size, &r)) {
		unsigned element = tn_vt_element_size(r.type);

		if ((element && r.size % element) ||
		    (r.type == TN_VT_SUBTRACE && !tn_vt_subtrace_fits(&s->dump, r.data, r.data + r.size)))
			break;
		at = r.next;
		n++;
		if (at < s->dump.size && is_promising(s, at)) {
			struct score score = rate(s, at, UINT64_MAX);

			if (score.accepted && (!best.accepted || (score.back + score.bad < best.back + best.bad &&
								  !is_records(s, at)))) {
				best = score;
				start->at = at;
				start->n_nested = n;
			}
		}
	}
	return best;
}

/* The first place from which records follow each other without a step back: what is before it is lost. */
static struct score
find_after_lost(struct search *s, struct tn_vt_start *start)
{
	struct score score = { 0 };

	for (uint64_t at = 4; at <= FIRST_MAX && at < s->dump.size && s->budget; at += 4) {
		if (!is_promising(s, at))
			continue;
		score = rate(s, at, UINT64_MAX);
		if (score.accepted && score.exact && score.back + score.bad == 0) {
			start->at = at;
			start->n_nested = 0;
			score.lost = true;
			return score;
		}
	}
	return (struct score) { 0 };
}

/* Whether nothing that is found behind lost bytes is better (is_better()). */
static bool
is_settled(const struct score *score)
{
	return score->accepted && score->exact;
}

/* @s is of one byte order; @other what is known of the other one. */
static void
find_in_order(struct search *s, struct score *score, const struct score *other, struct tn_vt_start *start)
{
	if (!score->accepted) {
		struct score lost = is_settled(other) ? (struct score) { 0 } : find_after_lost(s, start);

		if (lost.accepted)
			*score = lost;
		else
			start->at = start->n_nested = 0;
	}
	start->found = score->accepted;
}

#define BOTH_ORDERS(data, size) { \
	{ .dump = { (data), (size), false }, .budget = BUDGET }, { .dump = { (data), (size), true }, .budget = BUDGET }, \
}

bool
tn_vt_has_start(const uint8_t *data, uint64_t size)
{
	struct search search[2] = BOTH_ORDERS(data, size);
	struct tn_vt_start start;

	return find_after_nested(&search[0], &start).accepted || find_after_nested(&search[1], &start).accepted ||
	       find_after_lost(&search[0], &start).accepted || find_after_lost(&search[1], &start).accepted;
}

struct tn_vt_start
tn_vt_find_start(const uint8_t *data, uint64_t size, int order)
{
	struct search search[2] = BOTH_ORDERS(data, size);
	struct tn_vt_start start[2] = { { .big_endian = false }, { .big_endian = true } };
	struct score score[2] = { { 0 } };
	int first = order < 0 ? 0 : order, last = order < 0 ? 1 : order;

	/* The search behind lost bytes is long: it waits until it is known that it can be needed. */
	for (int i = first; i <= last; i++)
		score[i] = find_after_nested(&search[i], &start[i]);
	for (int i = first; i <= last; i++)
		find_in_order(&search[i], &score[i], &score[!i], &start[i]);
	if (order >= 0)
		return start[order];
	return is_better(&score[1], &score[0]) ? start[1] : start[0];
}
