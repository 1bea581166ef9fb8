/* lanes_guess.c - previews: guess the picture, then replace it by exact results */
#include <stdlib.h>
#include <string.h>

#include "lane/lanes.h"
#include "base/error.h"
#include "base/options.h"

/* Copy the states of a short window to cells [first, end) of the large window. */
static void
take_guess(struct tn_lanes *l, const struct tn_lanes *seen, size_t first, size_t end)
{
	for (size_t i = 0; i < seen->lane.n && !l->failed; i++) {
		const struct lane *from = seen->lane.item[i];
		struct tn_answer_value v;
		const char *name;
		struct lane *to;
		uint32_t state;

		tn_unpack(from->value, &v);
		to = tn_lanes_lane(l, &v, from->first_ns);
		if (!to || !from->cell[0])
			continue;
		name = seen->state.item[(from->cell[0] & TN_LANE_STATE) - 1];
		state = tn_lanes_state_of(l, name, strlen(name), from->first_ns);
		if (l->failed)
			return;
		for (size_t c = first; c < end; c++)
			to->cell[c] = (state + 1) | (from->cell[0] & TN_LANE_PART);
		l->state_ns.item[state] += (uint64_t)(tn_lanes_begin(l, end) - tn_lanes_begin(l, first));
	}
}

enum tn_code
tn_lanes_guess(struct tn_lanes *l, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t columns,
	       size_t column, size_t n, int64_t look_ns, struct tn_error *err)
{
	struct tn_scan_options given = { TN_SCAN_OPTIONS };
	struct tn_lanes_way way = { .has_from = true, .is_guess = true, .is_quiet = true };
	struct tn_lanes seen;
	enum tn_code rc;

	if (!l || !l->set)
		return tn_fail_null(err);
	rc = tn_options_take(&given, sizeof given, options, "tn_scan_options", err);
	if (rc == TN_OK && (l->begin_ns != begin_ns || l->end_ns != end_ns || l->columns != columns))
		rc = tn_lanes_window(l, begin_ns, end_ns, columns, err);
	if (rc < 0)
		return rc;
	if (column >= columns || !n || look_ns <= 0)
		return tn_fail(err, TN_ERR_ARGUMENT, "a guess needs a column of the window and a time to look at");
	tn_lanes_look(&seen, l);
	begin_ns = way.from_ns = tn_lanes_begin(l, column);
	rc = tn_lanes_window(&seen, begin_ns,
			     (uint64_t)look_ns < (uint64_t)end_ns - (uint64_t)begin_ns ? begin_ns + look_ns : end_ns,
			     1, err);
	if (rc == TN_OK)
		rc = tn_lanes_fill(&seen, &given, &way, err);
	if (rc == TN_OK)
		take_guess(l, &seen, column, columns - column < n ? columns : column + n);
	if (rc == TN_OK && l->failed)
		rc = tn_fail_memory(err);
	tn_lanes_sort(l);
	tn_lanes_release(&seen);
	return rc;
}

/* The number in @to of a state of @from, plus 1; cached. 0: memory is out. */
static uint32_t
same_state(struct tn_lanes *to, const struct tn_lanes *from, uint32_t state, uint32_t *same)
{
	if (!same[state])
		same[state] = tn_lanes_state_of(to, from->state.item[state], strlen(from->state.item[state]),
						from->state_first.item[state]) + 1;
	return to->failed ? 0 : same[state];
}

/* Copy the first @known cells of an exact lane. */
static void
settle_lane(struct tn_lanes *l, const struct tn_lanes *exact, const struct lane *from, size_t known, uint32_t *same)
{
	struct tn_answer_value v;
	struct tn_share *kept;
	struct lane *to;

	tn_unpack(from->value, &v);
	to = tn_lanes_lane(l, &v, from->first_ns);
	if (!to)
		return;
	for (size_t c = 0; c < known && !l->failed; c++) {
		uint32_t state = from->cell[c] & TN_LANE_STATE;

		to->cell[c] = state ? same_state(l, exact, state - 1, same) | (from->cell[c] & TN_LANE_PART) : 0;
		kept = state && from->kept ? tn_lanes_kept(l, to, c) : NULL;
		for (size_t i = 0; kept && i < TN_LANE_SHARES; i++) {
			kept[i] = from->kept[c * TN_LANE_SHARES + i];
			if (kept[i].ns)
				kept[i].state = same_state(l, exact, kept[i].state, same) - 1;
		}
	}
	for (size_t i = 0; i < from->ranks.n && !l->failed; i++)
		tn_lanes_rank(l, to, from->ranks.item[i]);
}

/* Compute the total time of each state: exact if known, otherwise as guessed. */
static void
settle_times(struct tn_lanes *l, const struct tn_lanes *exact, size_t known, uint32_t *same)
{
	for (size_t i = 0; i < l->state_ns.n; i++)
		l->state_ns.item[i] = 0;
	for (size_t i = 0; i < l->lane.n; i++)
		for (size_t c = known; c < l->columns; c++)
			if (l->lane.item[i]->cell[c] & TN_LANE_STATE)
				l->state_ns.item[(l->lane.item[i]->cell[c] & TN_LANE_STATE) - 1] += tn_lanes_width(l, c);
	for (uint32_t i = 0; i < exact->state.n && !l->failed; i++) {
		uint32_t state = exact->state_ns.item[i] ? same_state(l, exact, i, same) : 0;

		if (state)
			l->state_ns.item[state - 1] += exact->state_ns.item[i];
	}
}

static void
settle_losses(struct tn_lanes *l, const struct tn_lanes *exact)
{
	size_t bits = l->columns * l->set->n_streams;

	if (exact->marks && l->marks)
		memcpy(l->marks, exact->marks, l->columns * sizeof *l->marks);
	if (exact->lost_in && l->lost_in)
		memcpy(l->lost_in, exact->lost_in, bits / 8 + 1);
}

enum tn_code
tn_lanes_settle(struct tn_lanes *l, const struct tn_lanes *exact, size_t known, struct tn_error *err)
{
	uint32_t *same;

	if (!l || !exact || !l->set)
		return tn_fail_null(err);
	if (l->set != exact->set || l->columns != exact->columns || l->begin_ns != exact->begin_ns || l->end_ns != exact->end_ns ||
	    known > l->columns)
		return tn_fail(err, TN_ERR_ARGUMENT, "the guesses and the results are from different windows");
	same = calloc(exact->state.n + 1, sizeof *same);
	if (!same)
		return tn_fail_memory(err);
	for (size_t i = 0; i < l->lane.n; i++)
		memset(l->lane.item[i]->cell, 0, known * sizeof *l->lane.item[i]->cell);
	for (size_t i = 0; i < exact->lane.n && !l->failed; i++)
		settle_lane(l, exact, exact->lane.item[i], known, same);
	settle_times(l, exact, known, same);
	settle_losses(l, exact);
	free(same);
	tn_lanes_sort(l);
	return l->failed ? tn_fail_memory(err) : TN_OK;
}
