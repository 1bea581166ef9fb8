/* lanes_picture.c - the lanes that the caller sees: cells with their marks, states with their letters */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lane/lanes.h"
#include "base/error.h"

/* ---- states ---- */

/* A state and its number, for sorting. */
struct ranked {
	struct tn_lane_state state;
	uint32_t number;
};

static int
longest_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->state.ns != y->state.ns)
		return x->state.ns > y->state.ns ? -1 : 1;
	return strcmp(x->state.name, y->state.name);
}

/* Choose the first letter of the name that is free, small or capital; otherwise any free letter. */
static char
choose(const char *name, bool taken[256])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	for (const char *at = name; *at && at < name + 64; at++) {
		int c = (unsigned char)*at, other = islower(c) ? toupper(c) : tolower(c);

		if (c >= 0x80 || !isalnum(c))
			continue;
		if (!taken[c])
			return (char)c;
		if (at == name && !taken[other])
			return (char)other;
	}
	for (const char *at = letters; *at; at++)
		if (!taken[(unsigned char)*at])
			return *at;
	return '*';
}

/* The states that lasted longest choose their letters first. */
static bool
put_states(struct tn_lanes *l)
{
	size_t n = l->state.n;
	struct ranked *ranked = calloc(n + 1, sizeof *ranked);
	struct tn_lane_state *state = calloc(n + 1, sizeof *state);
	uint32_t *longest = calloc(n + 1, sizeof *longest);
	bool taken[256] = { false };

	l->picture.states = n;
	l->picture.state = state;
	l->picture.longest = longest;
	for (size_t i = 0; ranked && i < n; i++)
		ranked[i] = (struct ranked) { { l->state.item[i], l->state_ns.item[i], '\0' }, (uint32_t)i + 1 };
	if (ranked && n)
		qsort(ranked, n, sizeof *ranked, longest_first);
	for (size_t i = 0; ranked && state && longest && i < n; i++) {
		struct tn_lane_state *s = &state[longest[i] = ranked[i].number];

		*s = ranked[i].state;
		s->letter = choose(s->name, taken);
		taken[(unsigned char)s->letter] = true;
	}
	free(ranked);
	return ranked && state && longest;
}

/* ---- lanes ---- */

/* Whether one of the column's notices is from a stream with begins of the lane. */
static bool
is_lost(const struct tn_lanes *l, const struct lane *lane, size_t column)
{
	for (size_t k = 0; l->lost_in && k < lane->ranks.n; k++) {
		size_t bit = column * l->set->n_streams + lane->ranks.item[k];

		if (l->lost_in[bit / 8] & 1 << bit % 8)
			return true;
	}
	return !l->lost_in;
}

static bool
put_lanes(struct tn_lanes *l)
{
	struct tn_lane *lane = calloc(l->lane.n + 1, sizeof *lane);
	int64_t *time_ns = calloc(l->columns + 1, sizeof *time_ns);

	l->picture.lanes = l->lane.n;
	l->picture.lane = lane;
	l->picture.time_ns = time_ns;
	if (!lane || !time_ns)
		return false;
	for (size_t i = 0; i < l->lane.n; i++) {
		tn_unpack(l->lane.item[i]->value, &lane[i].value);
		lane[i].cell = l->lane.item[i]->cell;
	}
	for (size_t c = 0; c <= l->columns; c++)
		time_ns[c] = tn_lanes_begin(l, c);
	for (size_t c = 0; c < l->columns; c++)
		for (size_t i = 0; l->marks[c] & TN_LANE_LOST && i < l->lane.n; i++)
			if (is_lost(l, l->lane.item[i], c))
				l->lane.item[i]->cell[c] |= TN_LANE_LOST;
	return true;
}

enum tn_code
tn_lanes_picture(struct tn_lanes_picture *out, struct tn_lanes *lanes, struct tn_lanes *preview, struct tn_error *err)
{
	struct tn_lanes *l = preview ? preview : lanes;
	enum tn_code rc = TN_OK;
	size_t known;

	if (!out || !lanes)
		return tn_fail_null(err);
	*out = (struct tn_lanes_picture) { 0 };
	known = tn_lanes_known(lanes);
	if (preview)
		rc = tn_lanes_settle(preview, lanes, known, err);
	tn_lanes_picture_release(l);
	if (rc < 0 || !l->marks)
		return rc;
	if (!put_states(l) || !put_lanes(l)) {
		tn_lanes_picture_release(l);
		return tn_fail_memory(err);
	}
	l->picture.columns = l->columns;
	l->picture.known = known;
	l->picture.mark = l->marks;
	l->picture.left_out = lanes->left_out;
	l->picture.memory = lanes->memory;
	*out = l->picture;
	return TN_OK;
}
