/* lanes_marks.c - properties of lanes besides their states: letters, places of losses, places of searched events */
#include <ctype.h>
#include <stdlib.h>

#include "lane/lanes.h"
#include "base/error.h"
#include "base/options.h"

/* ---- letters ---- */

static bool
is_longer(const struct tn_lanes *l, uint32_t x, uint32_t y)
{
	uint64_t m = l->state_ns.item[x], n = l->state_ns.item[y];

	return m != n ? m > n : strcmp(l->state.item[x], l->state.item[y]) < 0;
}

/* A heap's way down, the shortest on top. */
static void
sift(const struct tn_lanes *l, uint32_t *item, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		uint32_t moved = item[i];

		if (child + 1 < n && is_longer(l, item[child], item[child + 1]))
			child++;
		if (!is_longer(l, moved, item[child]))
			return;
		item[i] = item[child];
		item[child] = moved;
	}
}

static bool
sort_states(struct tn_lanes *l)
{
	size_t n = l->state.n;

	l->longest.n = 0;
	if (!TN_ARRAY_RESERVE(&l->longest, n + 1))
		return false;
	for (size_t i = 0; i < n; i++)
		l->longest.item[i] = (uint32_t)i;
	l->longest.n = n;
	for (size_t i = n / 2; i-- > 0;)
		sift(l, l->longest.item, i, n);
	for (size_t end = n; end-- > 1;) {
		uint32_t shortest = l->longest.item[0];

		l->longest.item[0] = l->longest.item[end];
		l->longest.item[end] = shortest;
		sift(l, l->longest.item, 0, end);
	}
	return true;
}

/* The first letter of its name that is free, small or large; else any. */
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

static bool
give_letters(struct tn_lanes *l)
{
	bool taken[256] = { false };

	if (l->letter && l->longest.n == l->state.n)
		return true;
	free(l->letter);
	l->letter = calloc(l->state.n + 1, 1);
	if (!l->letter || !sort_states(l))
		return false;
	for (size_t i = 0; i < l->longest.n; i++) {
		uint32_t state = l->longest.item[i];

		l->letter[state] = choose(l->state.item[state], taken);
		taken[(unsigned char)l->letter[state]] = true;
	}
	return true;
}

char
tn_lanes_letter(struct tn_lanes *l, size_t state)
{
	return l && state && state <= l->state.n && give_letters(l) ? l->letter[state - 1] : '*';
}

size_t
tn_lanes_longest(struct tn_lanes *l, size_t i)
{
	return l && i < l->state.n && give_letters(l) ? (size_t)l->longest.item[i] + 1 : 0;
}

/* ---- losses ---- */

bool
tn_lanes_lost_in(const struct tn_lanes *l, size_t i, size_t column)
{
	if (!l || i >= l->lane.n || !l->lost || column >= l->columns || !l->lost[column])
		return false;
	for (size_t k = 0; l->lost_in && k < l->lane.item[i]->ranks.n; k++) {
		size_t bit = column * l->set->n_streams + l->lane.item[i]->ranks.item[k];

		if (l->lost_in[bit / 8] & 1 << bit % 8)
			return true;
	}
	return !l->lost_in;
}

/* ---- searched events ---- */

struct search {
	struct tn_lanes *lanes;
	const struct tn_scan_options *options;
	struct tn_take lane;
};

static enum tn_code
search_rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
	    size_t end, struct tn_error *err)
{
	const struct search *s = user;

	for (size_t i = first; i < end; i++) {
		size_t class = b->refs.item[i].event_class;
		struct tn_answer_value v, of_lane;
		struct tn_str room = { 0 };
		struct tn_record *r;
		enum tn_code rc;
		bool pass, no_memory = false;

		if (class == TN_REF_NOTICE)
			continue;
		rc = tn_piece_passes(s->options, reader, b, i, &pass, err);
		if (rc < 0)
			return rc;
		class = tn_class_of(&s->lanes->spans->classes, b, i);
		if (!pass)
			continue;
		v.kind = TN_ANSWER_NONE;
		tn_row_at(&reader->row, b, i);
		if (tn_take_has(&s->lane, class, &no_memory))
			rc = tn_take_value(&s->lane, class, &reader->row, &v, err);
		if (rc >= 0 && no_memory)
			rc = tn_fail_memory(err);
		if (rc < 0)
			return rc;
		reader->words.n = 0;
		no_memory = !tn_origins_own(&s->lanes->origins, &v, b->stream->rank, &room, &of_lane) ||
			    (v.kind != TN_ANSWER_NONE && !tn_pack(&reader->words, &of_lane, false));
		tn_str_release(&room);
		if (no_memory)
			return tn_fail_memory(err);
		r = tn_record_add(out, b, i, sizeof *r + 8 * reader->words.n);
		if (!r)
			return tn_fail_memory(err);
		if (reader->words.n)
			memcpy(r + 1, reader->words.item, 8 * reader->words.n);
	}
	return TN_OK;
}

static enum tn_code
take_hit(void *user, const struct tn_record *r, struct tn_error *err)
{
	struct tn_lanes *l = ((struct search *)user)->lanes;
	size_t size = r->size - sizeof *r;
	struct tn_hash_item *item = size ? tn_hash_find(&l->by_value, r + 1, size) : NULL;
	uint8_t **hit = item ? &((struct lane *)item->pointer)->hit : &l->elsewhere;
	size_t column;

	if (r->key_ns < l->begin_ns || r->key_ns >= l->end_ns)
		return TN_OK;
	if (!*hit && !(*hit = calloc(l->columns / 8 + 1, 1)))
		return tn_fail_memory(err);
	column = tn_lanes_column(l, r->key_ns);
	(*hit)[column / 8] |= (uint8_t)(1 << column % 8);
	return TN_OK;
}

enum tn_code
tn_lanes_search(struct tn_lanes *l, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_feed_ops ops = { .rows = search_rows, .take = take_hit };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct search s = { .lanes = l, .options = &o };
	enum tn_code rc;

	if (!l || !l->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0 || !l->columns)
		return rc;
	o.has_begin = o.has_end = true;
	o.begin_ns = l->begin_ns;
	o.end_ns = l->end_ns - 1;
	for (size_t i = 0; i < l->lane.n; i++) {
		free(l->lane.item[i]->hit);
		l->lane.item[i]->hit = NULL;
	}
	free(l->elsewhere);
	l->elsewhere = NULL;
	rc = tn_take_init(&s.lane, &l->spans->classes, l->name, strlen(l->name), l->name, 1, err);
	if (rc < 0)
		return rc;
	rc = tn_feed_run(l->set, &o, &ops, &s, err);
	tn_take_release(&s.lane);
	return rc;
}

bool
tn_lanes_hit(const struct tn_lanes *l, size_t i, size_t column)
{
	const uint8_t *hit = !l || i > l->lane.n ? NULL : i == l->lane.n ? l->elsewhere : l->lane.item[i]->hit;

	return hit && column < l->columns && hit[column / 8] & 1 << column % 8;
}
