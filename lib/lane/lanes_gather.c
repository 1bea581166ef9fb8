/*
 * lanes_gather.c - fill fine cells while all of the time is read
 *
 * If the bytes exceed the limit, cells become twice as wide: two neighbours are joined, and spans that were open only at
 * the border between them are dropped.
 */
#include <stdlib.h>

#include "lane/lanes_memory.h"
#include "base/arena.h"

#define LEAST_CELLS 256		/* fewer cells are useless */
#define FEW 64			/* shares of one cell that are searched for the same state */

struct gather_lane {
	int64_t at_ns;			/* recorded up to this time */
	bool has_at;
	uint32_t cell;			/* current cell */
	int64_t first_ns;
	uint64_t class;			/* UINT64_MAX: without labels */
	struct tn_shares shares;
	TN_ARRAY(struct tn_fine_share) done;
	TN_ARRAY(struct tn_fine_rank) ranks;
};

struct key {
	const uint64_t *word;		/* its words, in the arena */
	size_t n;
};

struct tn_gather {
	int64_t begin_ns, last_ns, origin_ns;
	unsigned shift;
	uint32_t cells;
	size_t bytes, most;
	bool stopped;
	bool told_open;			/* the spans that are open at the end were reported */
	uint32_t class;			/* class of the begin that is being reported */
	struct tn_words_out words;
	TN_ARRAY(struct gather_lane) lane;
	TN_ARRAY(struct tn_fine_open) open;
	TN_ARRAY(struct key) keys;
	struct tn_hash by_key;
	struct tn_arena arena;		/* memory of the keys */
	TN_ARRAY(struct tn_fine_notice) notices;
	struct tn_str text;		/* texts of notices */
};

static uint32_t
cell_of(const struct tn_gather *g, int64_t ns)
{
	return (uint32_t)((uint64_t)(ns - g->origin_ns) >> g->shift);
}

struct tn_gather *
tn_gather_new(int64_t begin_ns, int64_t last_ns, size_t cells, size_t most)
{
	const int64_t far = INT64_C(1) << 61;
	struct tn_gather *g;

	if (begin_ns < -far || last_ns > far || last_ns < begin_ns)
		return NULL;
	g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->begin_ns = begin_ns;
	g->last_ns = last_ns;
	g->most = most;
	while ((uint64_t)(last_ns - begin_ns) >> g->shift >= cells)
		g->shift++;
	g->origin_ns = begin_ns & -(INT64_C(1) << g->shift);
	g->cells = cell_of(g, last_ns) + 1;
	return g;
}

void
tn_gather_stop(struct tn_gather *g)
{
	g->stopped = true;
}

void
tn_gather_free(struct tn_gather *g)
{
	for (size_t i = 0; i < g->lane.n; i++) {
		tn_shares_release(&g->lane.item[i].shares);
		TN_ARRAY_RELEASE(&g->lane.item[i].done);
		TN_ARRAY_RELEASE(&g->lane.item[i].ranks);
	}
	TN_ARRAY_RELEASE(&g->lane);
	TN_ARRAY_RELEASE(&g->open);
	TN_ARRAY_RELEASE(&g->keys);
	TN_ARRAY_RELEASE(&g->notices);
	TN_ARRAY_RELEASE(&g->words);
	tn_hash_release(&g->by_key);
	tn_arena_release(&g->arena);
	tn_str_release(&g->text);
	free(g);
}

/* ---- wider cells ---- */

static bool
put_share(struct tn_gather *g, struct gather_lane *gl, uint32_t cell, uint32_t state, uint64_t ns)
{
	struct tn_fine_share *s;

	for (size_t i = gl->done.n, n = 0; !(state & TN_FINE_RUN) && i-- > 0 && n < FEW; n++) {
		s = &gl->done.item[i];
		if (s->cell != cell || s->state & TN_FINE_RUN)
			break;
		if (s->state == state) {
			s->ns += ns;
			return true;
		}
	}
	s = TN_ARRAY_ADD(&gl->done);
	if (!s)
		return false;
	*s = (struct tn_fine_share) { cell, state, ns };
	g->bytes += sizeof *s;
	return true;
}

/* Join each two cells to one. */
static bool
widen_lane(struct tn_gather *g, struct gather_lane *gl)
{
	struct tn_fine_share *old = gl->done.item;
	size_t n = gl->done.n;
	uint64_t width = UINT64_C(1) << g->shift;
	bool ok = true;

	gl->cell >>= 1;
	gl->done.item = NULL;
	gl->done.n = gl->done.room = 0;
	g->bytes -= n * sizeof *old;
	for (size_t i = 0; ok && i < n; i++) {
		uint32_t cell = old[i].cell, state = old[i].state & ~TN_FINE_RUN, end;

		if (!(old[i].state & TN_FINE_RUN)) {
			ok = put_share(g, gl, cell / 2, state, old[i].ns);
			continue;
		}
		end = cell + (uint32_t)old[i].ns;
		if (cell & 1)
			ok = put_share(g, gl, cell / 2, state, width);
		if (ok && end / 2 > (cell + 1) / 2)
			ok = put_share(g, gl, (cell + 1) / 2, state | TN_FINE_RUN, end / 2 - (cell + 1) / 2);
		if (ok && end & 1)
			ok = put_share(g, gl, end / 2, state, width);
	}
	free(old);
	return ok;
}

static uint32_t
key_of(struct tn_gather *g, const uint64_t *word, size_t n)
{
	bool is_new;
	struct tn_hash_item *item = tn_hash_add(&g->by_key, word, 8 * n, &is_new);
	struct key *key;
	uint64_t *copy;

	if (item && !is_new)
		return (uint32_t)item->value;
	copy = item ? tn_arena_alloc(&g->arena, 8 * n) : NULL;
	key = copy ? TN_ARRAY_ADD(&g->keys) : NULL;
	if (!key) {
		if (item)
			tn_hash_remove(&g->by_key, item);
		g->stopped = true;
		return 0;
	}
	memcpy(copy, word, 8 * n);
	*key = (struct key) { copy, n };
	tn_hash_copy_key(item, copy);
	item->value = g->keys.n - 1;
	g->bytes += 8 * n + sizeof *key;
	return (uint32_t)item->value;
}

/* Remove the keys that belong to removed begins. */
static void
forget_keys(struct tn_gather *g)
{
	struct tn_arena arena = g->arena;
	struct key *keys = g->keys.item;

	for (size_t i = 0; i < g->keys.n; i++)
		g->bytes -= 8 * keys[i].n + sizeof *keys;
	g->arena = (struct tn_arena) { 0 };
	g->keys.item = NULL;
	g->keys.n = g->keys.room = 0;
	tn_hash_clear(&g->by_key);
	for (size_t i = 0; i < g->open.n && !g->stopped; i++) {
		const struct key *key = &keys[g->open.item[i].key];

		g->open.item[i].key = key_of(g, key->word, key->n);
	}
	tn_arena_release(&arena);
	free(keys);
}

/* Keep every second border. False: the span is not open at any of these. */
static bool
widen_borders(uint32_t *first, uint32_t *last)
{
	*first = (*first + 1) / 2;
	if (*last != TN_FINE_NONE)
		*last /= 2;
	return *first <= *last;
}

static void
widen(struct tn_gather *g)
{
	size_t n = 0;

	if (g->cells / 2 < LEAST_CELLS) {
		g->stopped = true;
		return;
	}
	for (size_t i = 0; i < g->lane.n; i++)
		if (!widen_lane(g, &g->lane.item[i]))
			g->stopped = true;
	for (size_t i = 0; i < g->open.n; i++) {
		struct tn_fine_open o = g->open.item[i];

		if (widen_borders(&o.first, &o.last))
			g->open.item[n++] = o;
	}
	g->bytes -= (g->open.n - n) * sizeof *g->open.item;
	g->open.n = n;
	g->shift++;
	g->cells = cell_of(g, g->last_ns) + 1;
	if (!g->stopped)
		forget_keys(g);
}

static void
bound(struct tn_gather *g)
{
	while (g->bytes > g->most && !g->stopped)
		widen(g);
}

/* ---- cells ---- */

static void
finish_cell(struct tn_gather *g, struct gather_lane *gl)
{
	for (size_t i = 0; i < gl->shares.n; i++)
		if (!put_share(g, gl, gl->cell, gl->shares.item[i].state, gl->shares.item[i].ns))
			g->stopped = true;
	tn_shares_clear(&gl->shares);
}

static void
add_time(struct tn_gather *g, struct gather_lane *gl, uint32_t state, int64_t from, int64_t to)
{
	while (from < to && !g->stopped) {
		uint32_t cell = cell_of(g, from);
		int64_t end = g->origin_ns + (int64_t)((uint64_t)(cell + 1) << g->shift);
		uint64_t whole = 0;

		if (cell != gl->cell) {
			finish_cell(g, gl);
			gl->cell = cell;
			bound(g);
			if (gl->cell != cell)
				continue;	/* cells are wider now */
		}
		if (end > to)
			end = to;
		if (!tn_shares_add(&gl->shares, state, (uint64_t)(end - from)))
			g->stopped = true;
		from = end;
		if (from < to)
			whole = (uint64_t)(to - from) >> g->shift;
		if (!whole)
			continue;
		finish_cell(g, gl);
		gl->cell = cell_of(g, from);
		if (!put_share(g, gl, gl->cell, state | TN_FINE_RUN, whole))
			g->stopped = true;
		gl->cell += (uint32_t)whole;
		from += (int64_t)(whole << g->shift);
	}
}

void
tn_gather_advance(struct tn_gather *g, const struct lane *lane, int64_t ns)
{
	struct gather_lane *gl;

	if (g->stopped || lane->number >= g->lane.n)
		return;
	gl = &g->lane.item[lane->number];
	if (gl->has_at && ns > gl->at_ns && lane->top)
		add_time(g, gl, lane->top->state, gl->at_ns, ns);
	if (!gl->has_at || ns > gl->at_ns)
		gl->at_ns = ns;
	gl->has_at = true;
}

/* ---- spans open at borders ---- */

/* The time of a span must be the one by which rows are sorted. */
static void
check_time(struct tn_gather *g, int64_t ns, int64_t key_ns)
{
	if (ns != key_ns || ns < g->begin_ns || ns > g->last_ns)
		g->stopped = true;
}

void
tn_gather_record(struct tn_gather *g, uint32_t class)
{
	if (g->stopped)
		return;
	g->class = class;
	bound(g);
}

static void
note_rank(struct tn_gather *g, struct gather_lane *gl, uint32_t rank, int64_t ns)
{
	struct tn_fine_rank *r;

	for (size_t i = 0; i < gl->ranks.n; i++)
		if (gl->ranks.item[i].rank == rank)
			return;
	r = TN_ARRAY_ADD(&gl->ranks);
	if (!r) {
		g->stopped = true;
		return;
	}
	*r = (struct tn_fine_rank) { ns, rank };
	g->bytes += sizeof *r;
}

/* Make the lane's record at its first begin. */
static void
new_lane(struct tn_gather *g, const struct tn_lanes *l, const struct node *node)
{
	const uint64_t *w = node->lane->value;
	struct gather_lane *gl = TN_ARRAY_ADD(&g->lane);
	struct tn_answer_value v;
	bool no_memory = false;

	if (!gl) {
		g->stopped = true;
		return;
	}
	tn_unpack(w, &v);
	gl->first_ns = node->begin_ns;
	gl->class = v.type ? g->class : UINT64_MAX;
	gl->at_ns = node->begin_ns;
	gl->has_at = true;
	gl->cell = cell_of(g, gl->at_ns);
	g->bytes += sizeof *gl + 64;
	if (v.type && (tn_lanes_type(l, g->class, &no_memory) != v.type || no_memory))
		g->stopped = true;
}

void
tn_gather_begin(struct tn_gather *g, const struct tn_lanes *l, struct node *node, const struct tn_span *s)
{
	node->class = g->class;
	check_time(g, s->begin_ns, s->begin.time_ns);
	/* Open spans were dropped for lack of memory, and more events follow. */
	if (g->told_open)
		g->stopped = true;
	if (g->stopped || !node->lane)
		return;
	if (node->lane->number == g->lane.n)
		new_lane(g, l, node);
	if (!g->stopped)
		note_rank(g, &g->lane.item[node->lane->number], s->begin.stream, s->begin_ns);
}

void
tn_gather_end(struct tn_gather *g, struct tn_lanes *l, const struct node *node, const struct tn_span *s)
{
	const struct tn_span_definition *d = &l->spans->definition.item[s->definition];
	struct tn_fine_open o = { .last = TN_FINE_NONE }, *at;
	bool is_open = s->state == TN_SPAN_OPEN && !s->is_replaced;

	if (is_open)
		g->told_open = true;
	else if (!(s->has_end || s->is_replaced) || g->told_open)
		g->stopped = true;
	else
		check_time(g, s->end_ns, s->end.time_ns);
	if (g->stopped)
		return;
	o.first = cell_of(g, node->begin_ns) + 1;
	if (!is_open)
		o.last = cell_of(g, s->end_ns);
	if (o.first > o.last)
		return;
	g->words.n = 0;
	if (!TN_ARRAY_RESERVE(&g->words, 1)) {
		g->stopped = true;
		return;
	}
	g->words.item[g->words.n++] = tn_spans_origin(l->spans, d, tn_span_space(d, &d->begin, node->class), s->begin.stream);
	for (size_t i = 0; i < s->n_keys; i++)
		if (!tn_pack(&g->words, &s->key[i], false))
			g->stopped = true;
	at = g->stopped ? NULL : TN_ARRAY_ADD(&g->open);
	if (!at) {
		g->stopped = true;
		return;
	}
	*at = o;
	at->begin_ns = node->begin_ns;
	at->row = node->begin.row;
	at->rank = node->begin.stream;
	at->packet = node->begin.packet;
	at->class = node->class;
	at->lane = node->lane ? node->lane->number : TN_FINE_NONE;
	at->state = node->lane ? node->state : 0;
	g->bytes += sizeof *at;
	at->key = key_of(g, g->words.item, g->words.n);
	bound(g);
}

void
tn_gather_notice(struct tn_gather *g, const struct tn_row *row)
{
	size_t n = row->text ? strlen(row->text) : 0;
	bool take = !g->stopped && row->kind <= TN_ROW_DAMAGE;
	struct tn_fine_notice *at = take ? TN_ARRAY_ADD(&g->notices) : NULL;

	if (!at) {
		g->stopped = true;
		return;
	}
	*at = (struct tn_fine_notice) {
		.key_ns = row->location.time_ns, .time_ns = row->time_ns, .begin_ns = row->begin_ns, .end_ns = row->end_ns,
		.row = row->location.row, .cycles = row->cycles, .count = row->count, .n = n,
		.rank = row->location.stream, .packet = row->location.packet, .kind = (uint8_t)row->kind,
		.has_time = row->has_time, .has_cycles = row->has_cycles, .has_range = row->has_range,
		.has_text = row->text != NULL,
	};
	tn_str_add(&g->text, row->text ? row->text : "", n);
	g->bytes += sizeof *at + n;
	/* Wider cells do not reduce their number. */
	if (g->text.failed || (g->notices.n * sizeof *at + g->text.n) > g->most / 4)
		g->stopped = true;
}

/* ---- the whole ---- */

static int
by_place(const void *a, const void *b)
{
	return tn_fine_compare(a, b);
}

/* Close all spans at the end of the traces. */
static void
close_all(struct tn_gather *g)
{
	for (size_t i = 0; i < g->lane.n; i++)
		finish_cell(g, &g->lane.item[i]);
	for (size_t i = 0; i < g->open.n; i++)
		if (g->open.item[i].last == TN_FINE_NONE)
			g->open.item[i].last = g->cells;
	if (g->open.n)
		qsort(g->open.item, g->open.n, sizeof *g->open.item, by_place);
}

/* The parts after the head; each begins at a multiple of 8 bytes. */
struct writing {
	struct tn_str out;
	const struct lane **lane;	/* lanes by number */
	struct tn_fine_head head;
};

static void
put(struct writing *w, enum tn_fine_part part, const void *items, size_t n, size_t size)
{
	w->head.n[part] += n;
	tn_str_add(&w->out, items ? items : "", n * size);
}

static size_t
bare_words(const struct lane *lane)
{
	return (size_t)(lane->value - lane->key);
}

static void
put_lanes(struct writing *w, const struct tn_gather *g, const struct tn_lanes *l)
{
	for (size_t i = 0; i < g->lane.n; i++) {
		const struct gather_lane *gl = &g->lane.item[i];
		struct tn_fine_lane lane = {
			gl->first_ns, gl->done.n, gl->ranks.n, bare_words(w->lane[i]), gl->class,
		};

		put(w, TN_FINE_LANES, &lane, 1, sizeof lane);
	}
	for (size_t i = 0; i < g->lane.n; i++)
		put(w, TN_FINE_RANKS, g->lane.item[i].ranks.item, g->lane.item[i].ranks.n, sizeof(struct tn_fine_rank));
	for (size_t i = 0; i < l->state.n; i++) {
		struct tn_fine_state state = { l->state_first.item[i], strlen(l->state.item[i]) };

		put(w, TN_FINE_STATES, &state, 1, sizeof state);
	}
	for (size_t i = 0; i < g->lane.n; i++)
		put(w, TN_FINE_SHARES, g->lane.item[i].done.item, g->lane.item[i].done.n, sizeof(struct tn_fine_share));
}

static void
put_words(struct writing *w, const struct tn_gather *g)
{
	for (size_t i = 0; i < g->keys.n; i++) {
		struct tn_fine_key key = { g->keys.item[i].n };

		put(w, TN_FINE_KEYS, &key, 1, sizeof key);
	}
	for (size_t i = 0; i < g->lane.n; i++)
		put(w, TN_FINE_WORDS, w->lane[i]->key, bare_words(w->lane[i]), 8);
	for (size_t i = 0; i < g->keys.n; i++)
		put(w, TN_FINE_WORDS, g->keys.item[i].word, g->keys.item[i].n, 8);
}

uint8_t *
tn_gather_finish(struct tn_gather *g, const struct tn_lanes *l, size_t *n)
{
	struct writing w = { .head = { .magic = TN_FINE_MAGIC, .begin_ns = g->begin_ns, .last_ns = g->last_ns } };

	if (g->stopped || l->failed || l->lane.n != g->lane.n)
		return NULL;
	w.lane = calloc(l->lane.n + 1, sizeof *w.lane);
	for (size_t i = 0; w.lane && i < l->lane.n; i++)
		w.lane[l->lane.item[i]->number] = l->lane.item[i];
	close_all(g);
	w.head.origin_ns = g->origin_ns;
	w.head.shift = g->shift;
	w.head.cells = g->cells;
	tn_str_add(&w.out, &w.head, sizeof w.head);
	w.out.failed |= !w.lane;
	if (w.out.failed) {
		free(w.lane);
		tn_str_release(&w.out);
		return NULL;
	}
	put_lanes(&w, g, l);
	put(&w, TN_FINE_OPEN, g->open.item, g->open.n, sizeof *g->open.item);
	put_words(&w, g);
	put(&w, TN_FINE_NOTICES, g->notices.item, g->notices.n, sizeof *g->notices.item);
	for (size_t i = 0; i < l->state.n; i++)
		put(&w, TN_FINE_TEXT, l->state.item[i], strlen(l->state.item[i]), 1);
	put(&w, TN_FINE_TEXT, g->text.text, g->text.n, 1);
	free(w.lane);
	if (w.out.failed || g->stopped) {
		tn_str_release(&w.out);
		return NULL;
	}
	memcpy(w.out.text, &w.head, sizeof w.head);
	*n = w.out.n;
	return (uint8_t *)tn_str_take(&w.out);
}
