/*
 * lanes.c - states over time, with a lane for each value of a field
 *
 * Begin and end events arrive in order. The state of a lane is the state of the open span that began last. At each
 * change, the time since the previous change is added to the lane's cells.
 */
#include <ctype.h>
#include <stdlib.h>

#include "lane/lanes.h"
#include "lane/lanes_memory.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "base/ways.h"
#include "base/wide.h"
#include "index/packet_index.h"
#include "scan/asker.h"

#define MOST_LANES 4096
#define MOST_GATHERED ((size_t)20 << 20)
#define MOST_STATES 65535	/* limit of states; more become "others" */
#define MOST_LOSS_BITS ((size_t)1 << 26)

/* ---- make and free ---- */

enum tn_code
tn_lanes_new(struct tn_lanes **out, struct tn_set *set, const char *text, struct tn_error *err)
{
	struct tn_lanes *l;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set || !text)
		return tn_fail_null(err);
	l = calloc(1, sizeof *l);
	if (!l)
		return tn_fail_memory(err);
	l->set = set;
	l->key = l->captured = SIZE_MAX;
	l->fine_bytes = MOST_GATHERED;
	l->fine_cells = tn_ways() & TN_WAYS_SMALL ? 16 : TN_FINE_CELLS;
	l->text = strdup(text);
	rc = l->text ? tn_spans_new(&l->spans, set, err) : tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_lanes_define(l, text, err);
	/* The stored fine cells do not contain the ends of spans that are one event. */
	for (size_t i = 0; rc == TN_OK && i < l->spans->definition.n; i++)
		if (l->spans->definition.item[i].whole)
			l->fine_cells = 0;
	if (rc == TN_OK)
		rc = tn_origins_find(&l->origins, set, strcmp(l->name, "stream") == 0, err);
	if (rc < 0) {
		tn_lanes_free(l);
		return rc;
	}
	*out = l;
	return TN_OK;
}

static void
free_lane(struct lane *lane)
{
	free(lane->key);
	free(lane->cell);
	free(lane->kept);
	tn_shares_release(&lane->shares);
	TN_ARRAY_RELEASE(&lane->ranks);
	free(lane);
}

void
tn_lanes_picture_release(struct tn_lanes *l)
{
	free((void *)l->picture.lane);
	free((void *)l->picture.state);
	free((void *)l->picture.longest);
	free((void *)l->picture.time_ns);
	l->picture = (struct tn_lanes_picture) { 0 };
}

static void
forget_near(struct tn_lanes *l)
{
	memset(l->near_lane, 0, sizeof l->near_lane);
	memset(l->near_state, 0, sizeof l->near_state);
}

void
tn_lanes_clear(struct tn_lanes *l)
{
	for (size_t i = 0; i < l->lane.n; i++)
		free_lane(l->lane.item[i]);
	tn_slab_release(&l->nodes);
	l->nowhere = NULL;
	forget_near(l);
	for (size_t i = 0; i < l->state.n; i++)
		free(l->state.item[i]);
	l->lane.n = l->state.n = l->state_ns.n = l->state_first.n = 0;
	tn_hash_clear(&l->by_value);
	tn_hash_clear(&l->by_name);
	tn_lanes_picture_release(l);
	free(l->marks);
	free(l->lost_in);
	free(l->until_ns);
	l->until_ns = NULL;
	l->marks = NULL;
	l->lost_in = NULL;
	l->left_out = 0;
	l->known = 0;
	l->failed = false;
}

void
tn_lanes_look(struct tn_lanes *out, const struct tn_lanes *l)
{
	*out = (struct tn_lanes) {
		.set = l->set, .spans = l->spans, .key = l->key, .captured = l->captured, .by_field = l->by_field,
		.origins = l->origins,	/* borrowed by the copy */
	};
}

void
tn_lanes_release(struct tn_lanes *l)
{
	tn_lanes_clear(l);
	TN_ARRAY_RELEASE(&l->lane);
	TN_ARRAY_RELEASE(&l->state);
	TN_ARRAY_RELEASE(&l->state_ns);
	TN_ARRAY_RELEASE(&l->state_first);
	TN_ARRAY_RELEASE(&l->words);
	tn_hash_release(&l->by_value);
	tn_hash_release(&l->by_name);
}

void
tn_lanes_free(struct tn_lanes *l)
{
	if (!l)
		return;
	tn_lanes_release(l);
	tn_lanes_memory_free(l->memory);
	tn_origins_release(&l->origins);
	free(l->text);
	free(l->name);
	tn_spans_free(l->spans);
	free(l);
}

/* ---- cells ---- */

size_t
tn_lanes_column(const struct tn_lanes *l, int64_t ns)
{
	uint64_t width = (uint64_t)l->end_ns - (uint64_t)l->begin_ns;

	return (size_t)tn_multiply_divide((uint64_t)ns - (uint64_t)l->begin_ns, l->columns, width);
}

int64_t
tn_lanes_begin(const struct tn_lanes *l, size_t column)
{
	uint64_t width = (uint64_t)l->end_ns - (uint64_t)l->begin_ns;

	return (int64_t)((uint64_t)l->begin_ns + tn_multiply_divide_up(width, column, l->columns));
}

static bool
is_longer(const struct tn_lanes *l, const struct tn_share *x, const struct tn_share *y)
{
	return x->ns != y->ns ? x->ns > y->ns : strcmp(l->state.item[x->state], l->state.item[y->state]) < 0;
}

/* The longest share, or with @after, the longest share after it. NULL: none. */
static const struct tn_share *
longest_share(const struct tn_lanes *l, const struct tn_shares *shares, const struct tn_share *after)
{
	const struct tn_share *best = NULL;

	for (size_t i = 0; i < shares->n; i++) {
		const struct tn_share *s = &shares->item[i];

		if ((!after || is_longer(l, after, s)) && (!best || is_longer(l, s, best)))
			best = s;
	}
	return best;
}

uint64_t
tn_lanes_width(const struct tn_lanes *l, size_t column)
{
	int64_t begin = tn_lanes_begin(l, column), end = tn_lanes_begin(l, column + 1);

	begin = begin < l->first_ns ? l->first_ns : begin;
	end = end > l->last_ns ? l->last_ns : end;
	return end > begin ? (uint64_t)end - (uint64_t)begin : 0;
}

struct tn_share *
tn_lanes_kept(struct tn_lanes *l, struct lane *lane, size_t column)
{
	if (lane->number >= l->most_kept)
		return NULL;
	if (!lane->kept && !(lane->kept = calloc(l->columns, TN_LANE_SHARES * sizeof *lane->kept)))
		l->failed = true;
	return lane->kept ? lane->kept + column * TN_LANE_SHARES : NULL;
}

/* Choose the state that lasted longest in the cell. Of states with equal times, choose the first by name. */
static void
finish_cell(struct tn_lanes *l, struct lane *lane)
{
	const struct tn_share *best = longest_share(l, &lane->shares, NULL), *next = best;
	struct tn_share *kept = best ? tn_lanes_kept(l, lane, lane->column) : NULL;

	if (best)
		lane->cell[lane->column] = (best->state + 1) | (best->ns < tn_lanes_width(l, lane->column) ? TN_LANE_PART : 0);
	for (size_t i = 0; kept && next && i < TN_LANE_SHARES; i++, next = longest_share(l, &lane->shares, next))
		kept[i] = *next;
	if (l->columns > 1)
		tn_shares_clear(&lane->shares);
}

static void
add_share(struct tn_lanes *l, struct lane *lane, size_t column, uint32_t state, uint64_t ns)
{
	if (column != lane->column)
		finish_cell(l, lane);
	lane->column = column;
	if (!tn_shares_add(&lane->shares, state, ns)) {
		l->failed = true;
		return;
	}
	l->state_ns.item[state] += ns;
}

/* From its last change up to @ns, the lane was in the state on top: add this time. */
static void
advance(struct tn_lanes *l, struct lane *lane, int64_t ns)
{
	int64_t from = lane->last_ns;

	if (l->gather)
		tn_gather_advance(l->gather, lane, ns);
	if (ns > l->end_ns)
		ns = l->end_ns;
	if (!lane->has_last || ns > lane->last_ns)
		lane->last_ns = ns;
	if (!lane->has_last || !lane->top) {
		lane->has_last = true;
		return;
	}
	if (from < l->begin_ns)
		from = l->begin_ns;
	while (from < ns) {
		size_t column = tn_lanes_column(l, from);
		int64_t to = tn_lanes_begin(l, column + 1);

		if (to > ns)
			to = ns;
		add_share(l, lane, column, lane->top->state, (uint64_t)to - (uint64_t)from);
		from = to;
	}
}

/* ---- spans ---- */

struct lane *
tn_lanes_lane(struct tn_lanes *l, const struct tn_answer_value *v, int64_t ns)
{
	struct tn_hash_item *item;
	struct lane *lane, **at;
	size_t bare;
	bool is_new;

	l->words.n = 0;
	if (!tn_pack(&l->words, v, false)) {
		l->failed = true;
		return NULL;
	}
	item = tn_hash_find(&l->by_value, l->words.item, 8 * l->words.n);
	if (item)
		return item->pointer;
	if (l->lane.n == MOST_LANES) {
		l->left_out += ns < l->end_ns;
		if (l->gather)
			tn_gather_stop(l->gather);
		return NULL;
	}
	bare = l->words.n;
	lane = tn_pack(&l->words, v, true) ? calloc(1, sizeof *lane) : NULL;
	at = lane ? TN_ARRAY_ADD(&l->lane) : NULL;
	if (!at) {
		free(lane);
		l->failed = true;
		return NULL;
	}
	*at = lane;
	lane->number = (uint32_t)l->lane.n - 1;
	lane->first_ns = ns;
	lane->key = malloc(8 * l->words.n);
	lane->cell = calloc(l->columns, sizeof *lane->cell);
	if (lane->key && l->words.n)
		memcpy(lane->key, l->words.item, 8 * l->words.n);
	lane->value = lane->key ? lane->key + bare : NULL;
	item = lane->key && lane->cell ? tn_hash_add(&l->by_value, lane->key, 8 * bare, &is_new) : NULL;
	if (!item) {	/* half a lane is useless; if the caller still uses the picture, it has the other lanes */
		l->lane.n--;
		free(lane->key);
		free(lane->cell);
		free(lane);
		l->failed = true;
		return NULL;
	}
	item->pointer = lane;
	return lane;
}

/* Note a stream with begins of a lane, because its losses may affect the lane. */
void
tn_lanes_rank(struct tn_lanes *l, struct lane *lane, uint32_t rank)
{
	size_t lo = 0;

	TN_BISECT(lo, lane->ranks.n, mid, lane->ranks.item[mid] < rank);
	if (lo < lane->ranks.n && lane->ranks.item[lo] == rank)
		return;
	if (!TN_ARRAY_ADD(&lane->ranks)) {
		l->failed = true;
		return;
	}
	memmove(lane->ranks.item + lo + 1, lane->ranks.item + lo, (lane->ranks.n - 1 - lo) * sizeof *lane->ranks.item);
	lane->ranks.item[lo] = rank;
}

uint32_t
tn_lanes_state_of(struct tn_lanes *l, const char *name, size_t n, int64_t ns)
{
	struct tn_hash_item *item;
	uint64_t *sum;
	int64_t *first;
	char **at;

	item = tn_hash_find(&l->by_name, name, n);
	if (!item && l->state.n >= MOST_STATES) {
		name = "(others)";
		n = strlen(name);
		item = tn_hash_find(&l->by_name, name, n);
		if (l->gather)
			tn_gather_stop(l->gather);
	}
	if (item)
		return (uint32_t)item->value;
	if (l->gather && memchr(name, '\0', n))
		tn_gather_stop(l->gather);	/* the recording needs the names of states as texts */
	at = TN_ARRAY_ADD(&l->state);
	sum = TN_ARRAY_ADD(&l->state_ns);
	first = TN_ARRAY_ADD(&l->state_first);
	if (!at || !sum || !first || !(*at = malloc(n + 1))) {
		l->failed = true;
		return 0;
	}
	memcpy(*at, name, n);
	(*at)[n] = '\0';
	*first = ns;
	item = tn_hash_add(&l->by_name, *at, n, NULL);
	if (!item)
		l->failed = true;
	else
		item->value = l->state.n - 1;
	return (uint32_t)(l->state.n - 1);
}

/*
 * Find the cache entry of a number. *known: it has a result; otherwise the caller sets the result. NULL: the value is not
 * a number.
 */
static struct tn_lanes_near *
near_of(struct tn_lanes_near *cache, const struct tn_answer_value *v, uint32_t rank, bool *known)
{
	struct tn_lanes_near *near = &cache[(v->is.u ^ v->is.u >> 6 ^ v->is.u >> 12 ^ rank) % TN_LANES_NEAR];

	*known = false;
	if (v->kind != TN_ANSWER_UINT && v->kind != TN_ANSWER_SINT)
		return NULL;
	*known = near->kind == v->kind && near->u == v->is.u && near->type == v->type && near->rank == rank;
	if (!*known)
		*near = (struct tn_lanes_near) { .kind = v->kind, .u = v->is.u, .type = v->type, .rank = rank };
	return near;
}

static uint32_t
state_of_span(struct tn_lanes *l, const struct tn_span *s)
{
	const struct tn_answer_value *v = s->captured;
	struct tn_str text = { 0 };
	struct tn_lanes_near *near;
	uint32_t state;
	bool known;

	if (!l->by_field)
		return tn_lanes_state_of(l, s->name, strlen(s->name), s->begin_ns);
	if (v->kind == TN_ANSWER_TEXT)
		return tn_lanes_state_of(l, v->text, v->n, s->begin_ns);
	near = near_of(l->near_state, v, 0, &known);
	if (known)
		return near->state;
	tn_answer_value_text(v, &text);
	l->failed |= text.failed;
	state = tn_lanes_state_of(l, tn_str_text(&text), text.n, s->begin_ns);
	tn_str_release(&text);
	if (near)
		near->state = state;
	return state;
}

/* The lane of a begin. NULL: none, or l->failed is set. */
static struct lane *
lane_of_span(struct tn_lanes *l, const struct tn_span *s)
{
	static const struct tn_answer_value none;
	const struct tn_answer_value *bare = tn_lanes_value_of(l, s);
	struct tn_lanes_near *near;
	struct tn_str room = { 0 };
	struct tn_answer_value v = none;
	struct lane *lane = NULL;
	bool known;

	near = near_of(l->near_lane, bare, s->begin.stream, &known);
	if (known)
		return near->lane;
	if (!tn_origins_own(&l->origins, bare, s->begin.stream, &room, &v))
		l->failed = true;
	else if (v.kind != TN_ANSWER_NONE)
		lane = tn_lanes_lane(l, &v, s->begin_ns);
	tn_str_release(&room);
	if (near && lane)
		near->lane = lane;
	else if (near)
		near->kind = TN_ANSWER_NONE;	/* not cached, because each span without a lane is counted */
	return lane;
}

static bool
on_begin(void *user, const struct tn_span *s, void **mine)
{
	struct tn_lanes *l = user;
	struct lane *lane;
	struct node *node, **top;

	if (!s->has_begin)
		return true;
	lane = lane_of_span(l, s);
	if (!lane && (l->failed || !l->gather))
		return !l->failed;
	node = tn_slab_take(&l->nodes, sizeof *node);
	if (!node)
		return false;
	*mine = node;
	*node = (struct node) { .begin = s->begin, .begin_ns = s->begin_ns };
	if (lane) {
		l->at_ns = s->begin_ns;
		if (s->begin_ns < l->end_ns)
			tn_lanes_rank(l, lane, s->begin.stream);
		advance(l, lane, s->begin_ns);
		node->lane = lane;
		node->state = state_of_span(l, s);
	}
	top = lane ? &lane->top : &l->nowhere;
	node->below = *top;
	if (*top)
		(*top)->above = node;
	*top = node;
	if (l->gather && !l->failed)
		tn_gather_begin(l->gather, l, node, s);
	return !l->failed;
}

/* The end of the known time of a trace, which is its last packet, even if other traces continue. INT64_MAX: unknown. */
static int64_t
end_of_trace(struct tn_lanes *l, uint32_t rank)
{
	if (l->set->n_traces < 2)
		return INT64_MAX;
	if (!l->until_ns) {
		l->until_ns = calloc(l->set->n_traces, sizeof *l->until_ns);
		for (size_t i = 0; l->until_ns && i < l->set->n_traces; i++)
			l->until_ns[i] = tn_index_end_of_trace(l->set, l->set->trace[i]);
	}
	l->failed |= !l->until_ns;
	return l->until_ns ? l->until_ns[l->spans->classes.trace[rank]] : INT64_MAX;
}

static bool
on_end(void *user, const struct tn_span *s, void *mine)
{
	struct tn_lanes *l = user;
	struct node *node = mine;
	int64_t end_ns = s->end_ns;
	bool has_end = s->has_end || s->is_replaced;

	if (node && l->gather)
		tn_gather_end(l->gather, l, node, s);
	if (!node)
		return true;
	if (s->state == TN_SPAN_OPEN && !s->is_replaced) {
		end_ns = end_of_trace(l, s->begin.stream);
		has_end = end_ns < l->end_ns;
		if (!has_end)
			return !l->failed;
	}
	if (has_end && node->lane) {
		l->at_ns = end_ns > l->at_ns ? end_ns : l->at_ns;
		advance(l, node->lane, end_ns);
	}
	if (node->above)
		node->above->below = node->below;
	else
		*(node->lane ? &node->lane->top : &l->nowhere) = node->below;
	if (node->below)
		node->below->above = node->above;
	tn_slab_give(&l->nodes, node, sizeof *node);
	return !l->failed;
}

static bool
on_record(void *user, uint32_t class)
{
	struct tn_lanes *l = user;

	if (l->gather)
		tn_gather_record(l->gather, class);
	return true;
}

void
tn_lanes_lose(struct tn_lanes *l, int64_t ns, uint32_t rank)
{
	size_t column, bit;

	if (ns < l->begin_ns || ns >= l->end_ns)
		return;
	column = tn_lanes_column(l, ns);
	bit = column * l->set->n_streams + rank;
	l->marks[column] |= TN_LANE_LOST;
	if (l->lost_in)
		l->lost_in[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct tn_lanes *l = user;

	if (l->gather) {
		tn_gather_notice(l->gather, row);
		if (row->location.time_ns >= l->end_ns)
			return 0;
	}
	if (row->has_time)
		tn_lanes_lose(l, row->location.time_ns, row->location.stream);
	return l->options->notice ? l->options->notice(l->options->user, row) : 0;
}

/* Compare numbers in texts by value: "VM1:2" is before "VM1:10". */
static int
compare_texts(const char *a, size_t n, const char *b, size_t m)
{
	size_t i = 0, k = 0;

	while (i < n && k < m) {
		size_t digits = 0, others = 0;

		while (i + digits < n && isdigit((unsigned char)a[i + digits]))
			digits++;
		while (k + others < m && isdigit((unsigned char)b[k + others]))
			others++;
		if (digits && others && digits != others && a[i] != '0' && b[k] != '0')
			return digits < others ? -1 : 1;
		if (a[i] != b[k])
			return (unsigned char)a[i] < (unsigned char)b[k] ? -1 : 1;
		i++;
		k++;
	}
	return (i < n) - (k < m);
}

static int
compare_lanes(const void *a, const void *b)
{
	const struct lane *x = *(struct lane *const *)a, *y = *(struct lane *const *)b;
	struct tn_answer_value v, w;

	tn_unpack(x->value, &v);
	tn_unpack(y->value, &w);
	if (v.kind == TN_ANSWER_TEXT && w.kind == TN_ANSWER_TEXT)
		return compare_texts(v.text, v.n, w.text, w.n);
	return tn_answer_value_compare(&v, &w);
}

/* The end of the window, or of the traces if that is earlier: the state after their last event is unknown. */
static enum tn_code
known_until(const struct tn_lanes *l, int64_t *out, struct tn_error *err)
{
	int64_t begin, end;
	enum tn_code rc = tn_set_time_range(l->set, &begin, &end, err);

	*out = rc == TN_OK && end < l->end_ns ? end : l->end_ns;
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_lanes_fill(struct tn_lanes *l, const struct tn_scan_options *given, const struct tn_lanes_way *way, struct tn_error *err)
{
	const struct tn_span_observer observer = { on_begin, on_end, on_record, way->seeds };
	struct tn_scan_options o = *given;
	int64_t until_ns = l->end_ns;
	enum tn_code rc;

	l->options = given;
	o.has_begin = way->has_from;
	o.begin_ns = way->from_ns;
	o.has_end = !l->gather;
	o.end_ns = l->end_ns - 1;
	o.notice = way->is_quiet ? NULL : on_notice;
	tn_answer_with(&o, l);
	free(l->until_ns);
	l->until_ns = NULL;	/* more packets may be known now */
	rc = tn_spans_observe(l->spans, &o, &observer, l, err);
	l->options = NULL;
	if (l->failed) {
		tn_lanes_clear(l);	/* a lane or a state may be incomplete */
		return tn_fail_memory(err);
	}
	if (rc >= 0 && !way->is_guess) {
		enum tn_code known = known_until(l, &until_ns, err);

		rc = known == TN_OK ? rc : known;
	}
	for (size_t i = 0; i < l->lane.n; i++) {
		advance(l, l->lane.item[i], until_ns);
		finish_cell(l, l->lane.item[i]);
	}
	if (l->failed) {
		tn_lanes_clear(l);
		return tn_fail_memory(err);
	}
	return rc;
}

void
tn_lanes_sort(struct tn_lanes *l)
{
	if (l->lane.n)
		qsort(l->lane.item, l->lane.n, sizeof *l->lane.item, compare_lanes);
}

enum tn_code
tn_lanes_window(struct tn_lanes *l, int64_t begin_ns, int64_t end_ns, size_t columns, struct tn_error *err)
{
	size_t streams = l->set->n_streams;

	if (!columns || columns > 1000000 || begin_ns >= end_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "lanes need a time range, and from 1 to 1000000 columns");
	tn_lanes_clear(l);
	l->begin_ns = l->at_ns = begin_ns;
	l->end_ns = end_ns;
	l->first_ns = INT64_MIN;
	l->last_ns = INT64_MAX;
	l->columns = columns;
	l->marks = calloc(columns, sizeof *l->marks);
	if (!l->marks)
		return tn_fail_memory(err);
	if (streams <= MOST_LOSS_BITS / columns)
		l->lost_in = calloc(columns * streams / 8 + 1, 1);
	return TN_OK;
}

void
tn_lanes_forget_after(struct tn_lanes *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->lane.n; i++) {
		struct lane *lane = l->lane.item[i];

		if (lane->first_ns < l->end_ns) {
			l->lane.item[n++] = lane;
			continue;
		}
		tn_hash_remove(&l->by_value, tn_hash_find(&l->by_value, lane->key, 8 * (size_t)(lane->value - lane->key)));
		free_lane(lane);
	}
	l->lane.n = n;
	while (l->state.n && l->state_first.item[l->state.n - 1] >= l->end_ns) {
		char *name = l->state.item[--l->state.n];
		struct tn_hash_item *item = tn_hash_find(&l->by_name, name, strlen(name));

		if (item && item->value == l->state.n)
			tn_hash_remove(&l->by_name, item);
		free(name);
	}
	l->state_ns.n = l->state_first.n = l->state.n;
	forget_near(l);
}

size_t
tn_lanes_known(struct tn_lanes *l)
{
	if (!l->options)	/* no run is in progress */
		return l->known;
	if (l->failed || l->at_ns <= l->begin_ns)
		return 0;
	for (size_t i = 0; i < l->lane.n; i++)
		advance(l, l->lane.item[i], l->at_ns);
	tn_lanes_sort(l);
	return l->at_ns >= l->end_ns ? l->columns : tn_lanes_column(l, l->at_ns);
}

/* ---- results ---- */

void
tn_lanes_keep_shares(struct tn_lanes *l, size_t n)
{
	if (l)
		l->most_kept = n;
}

size_t
tn_lanes_share(const struct tn_lanes *l, size_t i, size_t column, size_t which, uint64_t *ns)
{
	const struct lane *lane = l && i < l->lane.n && column < l->columns ? l->lane.item[i] : NULL;
	const struct tn_share *share = NULL;

	if (lane && l->columns == 1) {
		for (size_t k = 0; k <= which && (k == 0 || share); k++)
			share = longest_share(l, &lane->shares, share);
	} else if (lane && lane->kept && which < TN_LANE_SHARES) {
		share = &lane->kept[column * TN_LANE_SHARES + which];
	}
	if (!share || !share->ns)
		return 0;
	if (ns)
		*ns = share->ns;
	return (size_t)share->state + 1;
}
