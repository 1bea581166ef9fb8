/*
 * start.c - whether a file is a dump, its byte order, and its first whole record
 *
 * The format does not have a magic number: a dump is recognised by records that follow each other to the end
 * (7). It may begin with the rest of a record (6.1, 6.2). Only the first WINDOW bytes are examined, so that a
 * large dump opens at once.
 */
#include "vartrace/record.h"

#define WINDOW (UINT64_C(1) << 20)
#define FIRST_MAX (UINT64_C(65535) + TN_VT_HEADER)	/* the rest of a record is never longer */
#define BUDGET (UINT64_C(4) << 20)	/* limit of records that the search examines */
#define LEAP 4			/* if one step of time is LEAP times as long as all others, the times are not from one clock */
#define TRIAL 16		/* records examined first; a complete check follows only if they are in order */

/* The evidence that records begin at a start. */
struct score {
	bool accepted;
	bool lost;		/* bytes before the start are not records */
	bool exact;		/* ends with the dump or the window, not with a cut record */
	uint64_t n, evidence, unknown, back;
	uint64_t bad;		/* records that the library cannot have written: few are damage, many a wrong start */
	uint32_t leap;		/* the largest step of time forward */
};

struct search {
	struct tn_vt_dump dump;
	uint64_t budget;
};

/* Rate the start at @at by at most @most records. The end of the dump may cut the last one. */
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
		if (score.n && !tn_vt_is_forward(time, r.time))
			score.back++;
		else if (score.n && r.time - time > score.leap)
			score.leap = r.time - time;
		time = r.time;
		score.n++;
		at = r.next;
	}
	score.exact = at >= end || score.n == most;
	/*
	 * A start needs two records, mostly with properties that random bytes do not have. A run without a flaw needs
	 * more of these records, and may contain others.
	 */
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
	/* In the wrong byte order a few large records can fit; many small records are stronger evidence. */
	if (a->evidence != b->evidence)
		return a->evidence > b->evidence;
	return a->unknown < b->unknown;
}

/* Whether the first records are in order, so that a complete check is worthwhile. */
static bool
is_promising(struct search *s, uint64_t at)
{
	struct score trial = rate(s, at, TRIAL);

	return trial.accepted && trial.n >= 2;
}

/*
 * Whether the bytes before @to are records, all of known types, the first at time 0: the start of a dump whose ring
 * has not wrapped. The same bytes can also be read as nested records, because a time of 0 looks like an empty
 * subtrace.
 */
static bool
is_first_record(struct search *s, uint64_t to)
{
	struct tn_vt_record r;
	uint64_t at = 0;

	if (!tn_vt_record(&s->dump, 0, &r) || r.time != 0)
		return false;
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
 * Whether records start at @after rather than at @before, when the bytes between are nested records as well. Read
 * as a time, the header of a nested record is a number far from the times that follow: time steps back, or leaps
 * much farther than anywhere after it.
 */
static bool
starts_later(const struct score *before, const struct score *after)
{
	uint64_t flaws = before->back + before->bad, flaws_after = after->back + after->bad;

	if (!after->accepted || !before->accepted)
		return after->accepted && !before->accepted;
	if (after->exact != before->exact)
		return after->exact;
	if (flaws_after != flaws)
		return flaws_after < flaws;
	return before->leap / LEAP > (after->leap ? after->leap : 1);
}

/* The start itself, or a place after nested records that are the rest of a subtrace. */
static struct score
find_after_nested(struct search *s, struct tn_vt_start *start)
{
	struct score best = rate(s, 0, UINT64_MAX);
	uint64_t at = 0, n = 0;
	struct tn_vt_record r;

	start->at = start->n_nested = 0;
	while (at <= FIRST_MAX && tn_vt_nested(&s->dump, at, s->dump.size, &r)) {
		unsigned element = tn_vt_element_size(r.type);

		if ((element && r.size % element) ||
		    (r.type == TN_VT_SUBTRACE && !tn_vt_subtrace_fits(&s->dump, r.data, r.data + r.size)))
			break;
		at = r.next;
		n++;
		if (at < s->dump.size && is_promising(s, at)) {
			struct score score = rate(s, at, UINT64_MAX);

			if (starts_later(&best, &score) && !(best.accepted && is_first_record(s, at))) {
				best = score;
				start->at = at;
				start->n_nested = n;
			}
		}
	}
	return best;
}

/* The first place from which records follow each other without a step back: the bytes before it are lost. */
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

/* Whether the score is so good that no start after lost bytes can be better (is_better()). */
static bool
is_settled(const struct score *score)
{
	return score->accepted && score->exact;
}

/* @s is for one byte order; @other is the result for the other one. */
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

/*
 * Whether all records up to the end have known types. This suffices to read a file that the user calls a dump, but
 * not to recognise a dump.
 */
static bool
is_whole(const struct score *score)
{
	return score->exact && score->evidence && !score->bad;
}

struct tn_vt_start
tn_vt_find_start(const uint8_t *data, uint64_t size, int order)
{
	struct search search[2] = BOTH_ORDERS(data, size);
	struct tn_vt_start start[2] = { { .big_endian = false }, { .big_endian = true } };
	struct score score[2] = { { 0 } };
	int first = order < 0 ? 0 : order, last = order < 0 ? 1 : order;

	/* The search after lost bytes is long: it is delayed until it is needed. */
	for (int i = first; i <= last; i++)
		score[i] = find_after_nested(&search[i], &start[i]);
	for (int i = first; i <= last; i++)
		find_in_order(&search[i], &score[i], &score[!i], &start[i]);
	if (order >= 0)
		return start[order];
	if (!score[0].accepted && !score[1].accepted) {
		bool little = is_whole(&score[0]), big = is_whole(&score[1]);

		start[0].both = little && big;
		start[0].likely = little != big;
		start[0].big_endian = big && !little;
		return start[0];
	}
	return is_better(&score[1], &score[0]) ? start[1] : start[0];
}
