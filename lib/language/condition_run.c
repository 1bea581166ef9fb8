/* condition_run.c - run the steps of a condition for one row, or for the rows of a batch */
#include "language/condition_rows.h"

/* ---- one row ---- */

static inline bool
in_ranges(const struct tn_step *s, uint64_t v)
{
	size_t lo = 0;

	TN_BISECT(lo, s->n, mid, v > s->range[mid].high);
	return lo < s->n && v >= s->range[lo].low;
}

static bool
find_text(const struct tn_step *s, const char *text, size_t n)
{
	uint64_t hash = tn_step_hash(text, n);

	for (size_t at = (size_t)hash & (s->n - 1); s->text[at].text; at = (at + 1) & (s->n - 1))
		if (s->text[at].hash == hash && s->text[at].n == n && memcmp(s->text[at].text, text, n) == 0)
			return true;
	return false;
}

/* The start of the field, if all its bytes exist. UINT64_MAX: the general path must report the problem. */
static inline uint64_t
place_of(const struct tn_step *s, struct tn_row_state *row)
{
	uint64_t at;

	if (!tn_row_after_prepared(row))
		return UINT64_MAX;
	at = (row->m.at + s->mask) & ~s->mask;
	return at <= row->m.end && s->need <= row->m.end - at ? at + s->distance : UINT64_MAX;
}

static inline bool
run_bytes(const struct tn_step *s, const uint8_t *p)
{
	uint64_t v = load_bytes(s, p);

	if (v < s->one.low || v > s->one.high)
		return false;
	if (s->kind == TN_STEP_BYTES)
		return true;
	v -= s->one.low;
	return s->bitmap[v / 64] >> v % 64 & 1;
}

static inline bool
run_string(const struct tn_step *s, const uint8_t *p, uint64_t left)
{
	size_t n = s->text->n, room = s->ends ? (size_t)(left >> 3) : s->room;
	bool same = n <= room && (n < room || !s->ends) && memcmp(p, s->text->text, n) == 0 && (n == room || p[n] == 0);

	return same == s->want;
}

static inline bool
test_text(const struct tn_step *s, const struct tn_cell *cell)
{
	return (cell->n == s->text->n && memcmp(cell->text, s->text->text, cell->n) == 0) == s->want;
}

static inline bool
test_cell(const struct tn_step *s, const struct tn_cell *cell, struct tn_trial *trial)
{
	uint64_t v;

	switch (s->how) {
	case TN_STEP_RANGE:
		v = cell->u ^ s->turn;
		return cell->kind == s->cell && v >= s->one.low && v <= s->one.high;
	case TN_STEP_RANGES:
		return cell->kind == s->cell && in_ranges(s, cell->u ^ s->turn);
	case TN_STEP_TEXT:
		return cell->kind == TN_CELL_TEXT && test_text(s, cell);
	case TN_STEP_TEXTS:
		return cell->kind == TN_CELL_TEXT && find_text(s, cell->text, cell->n) == s->want;
	default:
		return tn_test_cell(s->test, cell, trial) == (s->want ? TN_TRUE : TN_FALSE);
	}
}

/* Find the text of the number at @p. */
static inline void
look_up(const struct tn_step *s, const uint8_t *p, struct tn_cell *out)
{
	uint32_t number = (uint32_t)(s->big_endian ? tn_load64_be(p) >> 32 : tn_load64(p));

	out->kind = TN_CELL_TEXT;
	out->type = s->place->field->type;
	out->text = tn_lookup_at(s->lookup, p, number, &out->n);
}

static void
observe_cell(struct tn_observer *w, const struct tn_cell *cell)
{
	bool is_signed = cell->kind == TN_CELL_SIGNED;

	if (is_signed || cell->kind == TN_CELL_UNSIGNED) {
		uint64_t v = cell->u ^ (uint64_t)is_signed << 63;

		w->has_signed |= is_signed;
		w->has_unsigned |= !is_signed;
		w->least = v < w->least ? v : w->least;
		w->greatest = v > w->greatest ? v : w->greatest;
	} else if (cell->kind == TN_CELL_TEXT && w->take) {
		tn_observer_flush(w);	/* the text may not stay valid */
		w->missed |= !w->take(w->user, &(struct tn_found_text) { cell->text, cell->n }, 1);
	} else if (cell->kind != TN_CELL_NONE) {
		w->missed = true;
	}
}

/* Cached results of LOOKUP steps by the bits that decide them, so that a text of many rows is found and tested once. */
struct looked_up {
	const struct tn_step *step;
	uint64_t key;
	bool passes;
};

struct lookups {
	bool begun;
	struct looked_up item[256];
};

static bool
test_lookup(const struct tn_step *s, const uint8_t *p, struct tn_observer *observer, struct tn_trial *trial)
{
	struct tn_cell cell;

	look_up(s, p, &cell);
	if (observer)
		observe_cell(observer, &cell);
	return test_cell(s, &cell, trial);
}

/* Pass each text to @observer once; @observer may be NULL. */
static bool __attribute__((noinline))
run_lookup(const struct tn_step *s, const uint8_t *p, struct lookups *known, struct tn_observer *observer, struct tn_trial *trial)
{
	const struct tn_lookup *lookup = s->lookup;
	uint64_t mask = lookup->find ? lookup->key_mask : UINT32_MAX, key = tn_load64(p + lookup->key_byte) & mask;
	struct looked_up *item = &known->item[(key ^ (uintptr_t)s) * UINT64_C(0x9e3779b97f4a7c15) >> 56];

	if (!mask)
		return test_lookup(s, p, observer, trial);
	if (__builtin_expect(!known->begun, 0))
		memset(known, 0, sizeof *known);
	known->begun = true;
	if (item->step != s || item->key != key)
		*item = (struct looked_up) { s, key, test_lookup(s, p, observer, trial) };
	return item->passes;
}

static bool
get_cell(const struct tn_step *s, struct tn_expression_state *state, struct tn_cell *cell, struct tn_trial *trial)
{
	uint64_t at = s->kind == TN_STEP_LOOKUP ? place_of(s, &state->row) : UINT64_MAX;
	enum tn_code rc;

	if (at != UINT64_MAX) {
		look_up(s, state->row.m.p + (at >> 3), cell);
		return true;
	}
	rc = tn_place_get(s->test->reference, s->place, &state->row, cell, trial->err);
	if (__builtin_expect(rc < 0, 0))
		trial->code = trial->code < 0 ? trial->code : rc;
	return rc >= 0;
}

static bool
run_cell(const struct tn_step *s, struct tn_expression_state *state, struct tn_trial *trial)
{
	struct tn_cell cell;

	return get_cell(s, state, &cell, trial) && test_cell(s, &cell, trial);
}

static inline bool
run_step(const struct tn_step *s, struct tn_expression_state *state, const char *line, size_t n, struct tn_trial *trial)
{
	uint64_t at;

	switch (s->kind) {
	case TN_STEP_BYTES:
	case TN_STEP_BITMAP:
		at = place_of(s, &state->row);
		return __builtin_expect(at != UINT64_MAX, 1) ? run_bytes(s, state->row.m.p + (at >> 3))
							    : run_cell(s, state, trial);
	case TN_STEP_STRING:
		at = place_of(s, &state->row);
		return __builtin_expect(at != UINT64_MAX, 1)
			       ? run_string(s, state->row.m.p + (at >> 3), state->row.m.end - at)
			       : run_cell(s, state, trial);
	case TN_STEP_LINE:
	case TN_STEP_GENERAL:
		return tn_decide(s->test, state, line, n, trial) == (s->want ? TN_TRUE : TN_FALSE);
	default:
		return run_cell(s, state, trial);
	}
}

static inline enum tn_verdict
run(const struct tn_steps *steps, struct tn_expression_state *state, const struct tn_batch *batch, size_t row,
    const char *line, size_t n, struct tn_trial *trial)
{
	uint32_t at = steps->first;

	if (at >= TN_STEP_NO)
		return at == TN_STEP_YES ? TN_VERDICT_YES : TN_VERDICT_NO;
	tn_row_at(&state->row, batch, row);
	do {
		const struct tn_step *s = &steps->step[at];

		if (s->kind == TN_STEP_LINE && !line)
			return TN_VERDICT_OPEN;
		at = run_step(s, state, line, n, trial) ? s->yes : s->no;
	} while (at < TN_STEP_NO);
	return at == TN_STEP_YES && trial->code >= 0 ? TN_VERDICT_YES : TN_VERDICT_NO;
}

/* ---- rows whose steps only read fields at known positions ---- */

static bool __attribute__((noinline))
ask_packet(struct rows *r, const struct tn_step *s, size_t row)
{
	uint8_t *known = &r->known[s->test->number];

	if (!*known) {
		tn_row_at(&r->state->row, r->batch, row);
		*known = run_cell(s, r->state, r->trial) ? 2 : 1;
	}
	return *known == 2;
}

/*
 * Test the time since the previous row. For the first row of a batch, or after a notice, the previous row must be
 * searched for.
 */
static inline bool
is_delta(struct rows *r, const struct tn_step *s, size_t row)
{
	const struct tn_batch *b = r->batch;
	uint64_t v;

	if (__builtin_expect(row == 0 || b->refs.item[row - 1].event_class == TN_REF_NOTICE || b->cycles, 0)) {
		tn_row_at(&r->state->row, b, row);
		return run_cell(s, r->state, r->trial);
	}
	tn_row_note_end(&r->state->row, b, row, b->refs.item[row].time_ns);
	v = ((uint64_t)b->refs.item[row].time_ns - (uint64_t)b->refs.item[row - 1].time_ns) ^ UINT64_C(1) << 63;
	return v >= s->one.low && v <= s->one.high;
}

/* Test an attribute that is not a field of the row. */
static inline bool
run_beside(struct rows *r, const struct tn_step *s, size_t row)
{
	const struct tn_batch *b = r->batch;
	uint64_t v;

	if (s->kind == TN_STEP_PACKET)
		return r->known[s->test->number] ? r->known[s->test->number] == 2 : ask_packet(r, s, row);
	if (!b->stream->stream_class->clock)
		return false;
	if (s->kind == TN_STEP_DELTA)
		return is_delta(r, s, row);
	v = (uint64_t)(b->cycles ? tn_batch_time(b, row) : b->refs.item[row].time_ns) ^ UINT64_C(1) << 63;
	return v >= s->one.low && v <= s->one.high;
}

/* Find the end of the header that begins at @bit. False: it needs the slow path. */
static inline bool
is_plain(const struct rows *r, uint32_t bit, uint64_t *behind)
{
	uint64_t at = r->base + bit;
	const uint8_t *p;

	/* At this distance from the end, the header is complete, and the bytes of the next field can be read. */
	if (__builtin_expect(at > r->end || r->end - at < 512, 0))
		return false;
	at = (at + r->align) & ~r->align;
	p = r->p + (at >> 3);
	*behind = at + r->skip;
	if (r->shape == TN_SHAPE_FIXED)
		return true;
	if (r->shape == TN_SHAPE_LARGE) {
		*behind = ((at + 16 + r->time_align) & ~r->time_align) + 32;
		return __builtin_expect((p[0] & p[1]) != 0xff, 1);
	}
	*behind = at + 32;
	return __builtin_expect((r->big_endian ? *p >> 3 : *p & 31u) != r->longer, 1);
}

/* Like run(), for steps that do not observe values. 2: the row needs the slow path. */
static inline unsigned
run_plain(const struct tn_steps *steps, struct rows *r, size_t row, uint32_t bit)
{
	uint64_t at, behind;
	const uint8_t *p;
	uint32_t next = steps->first;

	if (!is_plain(r, bit, &behind))
		return 2;
	do {
		const struct tn_step *s = &steps->step[next];

		if (s->kind == TN_STEP_TIME || s->kind == TN_STEP_DELTA || s->kind == TN_STEP_PACKET) {
			next = run_beside(r, s, row) ? s->yes : s->no;
			continue;
		}
		at = (behind + s->mask) & ~s->mask;
		if (__builtin_expect(at > r->end || s->need > r->end - at, 0))
			return 2;
		at += s->distance;
		p = r->p + (at >> 3);
		next = (s->kind == TN_STEP_STRING ? run_string(s, p, r->end - at) :
			s->kind == TN_STEP_LOOKUP ? run_lookup(s, p, r->lookups, NULL, r->trial) :
			run_bytes(s, p)) ? s->yes : s->no;
	} while (next < TN_STEP_NO);
	return next == TN_STEP_YES;
}

/* ---- observing values ---- */

void
tn_observer_miss(struct tn_observer *w)
{
	if (w)
		w->missed = true;
}

static void __attribute__((noinline))
observe_hard(struct tn_observer *w, size_t row)
{
	if (w->n_hard == w->room)
		w->missed = true;
	else
		w->hard[w->n_hard++] = row;
}

/* On the stack, so that the compiler knows that writing `pass` does not change it. */
struct observed {
	const struct tn_reference *reference;
	const struct tn_step *const *of_class;
	uint64_t least, greatest;
};

static inline unsigned
pass_of(const struct tn_step *one, bool is_so)
{
	return (is_so ? one->yes : one->no) == TN_STEP_YES;
}

/*
 * Observe a row whose field is a number at a known position. Returns whether the row passes; 2: the field does not decide
 * this.
 */
static inline unsigned __attribute__((always_inline))
observe_bytes(struct observed *on, const struct easy *easy, const struct tn_step *s, const struct tn_step *one, const uint8_t *p)
{
	uint64_t v = __builtin_expect(s->easy, 1) ? load_easy(s, p) : load_aligned(easy, s, p);

	on->least = v < on->least ? v : on->least;
	on->greatest = v > on->greatest ? v : on->greatest;
	if (!one || one->kind > TN_STEP_BITMAP)
		return 2;
	v -= one->one.low;
	if (v > one->one.high - one->one.low)
		return pass_of(one, false);
	return pass_of(one, one->kind == TN_STEP_BYTES || (one->bitmap[v / 64] >> v % 64 & 1));
}

/* Observe a row on the slow path. */
static unsigned __attribute__((noinline))
observe_closely(struct tn_observer *w, const struct tn_step *one, struct tn_expression_state *state, const struct tn_batch *batch,
	      size_t row, struct tn_trial *trial)
{
	struct tn_cell cell;

	if (!one) {
		observe_hard(w, row);
		return 2;
	}
	tn_row_at(&state->row, batch, row);
	if (!get_cell(one, state, &cell, trial))
		return 0;
	observe_cell(w, &cell);
	return pass_of(one, test_cell(one, &cell, trial));
}

/* Like observe_number(), for a row whose field is a text at a known position. */
static inline unsigned __attribute__((always_inline))
observe_text(struct tn_observer *w, const struct tn_step *s, const struct tn_step *one, struct tn_trial *trial)
{
	const struct tn_found_text *text = &w->text[w->n_texts];
	struct tn_cell cell = { .kind = TN_CELL_TEXT, .text = text->text, .n = text->n };

	if (++w->n_texts == w->room)
		tn_observer_flush(w);
	if (!one)
		return 2;
	if (one->how == TN_STEP_TEXT)
		return pass_of(one, (cell.n == one->text->n && memcmp(cell.text, one->text->text, cell.n) == 0) == one->want);
	cell.type = s->place->field ? s->place->field->type : NULL;
	return pass_of(one, test_cell(one, &cell, trial));
}

/* @time: the time of the row, in the form in which steps compare it. */
static inline bool __attribute__((always_inline))
run_easy(const struct tn_steps *steps, const uint8_t *p, uint64_t time, const struct rows *r)
{
	uint32_t next = steps->first;

	do {
		const struct tn_step *s = &steps->step[next];
		uint64_t v;
		bool in;

		if (s->kind == TN_STEP_LOOKUP) {
			next = run_lookup(s, p + s->byte, r->lookups, NULL, r->trial) ? s->yes : s->no;
			continue;
		}
		v = (__builtin_expect(s->kind == TN_STEP_TIME, 0) ? time : load_easy(s, p)) - s->one.low;
		in = v <= s->one.high - s->one.low;
		if (in && s->kind == TN_STEP_BITMAP)
			in = s->bitmap[v / 64] >> v % 64 & 1;
		next = in ? s->yes : s->no;
	} while (next < TN_STEP_NO);
	return next == TN_STEP_YES;
}

enum tn_verdict
tn_steps_run(const struct tn_steps *steps, struct tn_expression_state *state, const struct tn_batch *batch, size_t row,
	     const char *line, size_t n, struct tn_trial *trial)
{
	state->row.values_only = false;
	if (!tn_row_prepare(&state->row, batch)) {
		trial->code = tn_fail_memory(trial->err);
		return TN_VERDICT_NO;
	}
	return run(steps, state, batch, row, line, n, trial);
}

/* The compiler makes two versions, because most conditions do not observe values. */
static inline size_t __attribute__((always_inline))
run_rows(const _Atomic(struct tn_steps *) *of_class, size_t n_classes, struct tn_expression_state *state,
	 const struct tn_batch *batch, size_t row, size_t end, uint8_t *pass, struct tn_trial *trial, struct tn_observer *observer)
{
	struct observed on = { 0 };
	struct lookups lookups;
	struct rows rows;
	struct easy easy;
	bool timed = batch->stream->stream_class->clock && !batch->cycles;	/* each row has a time, which is its merge key */

	begin_rows(&rows, &state->row, batch);
	rows.state = state;
	rows.trial = trial;
	rows.lookups = &lookups;
	lookups.begun = false;
	begin_easy(&easy, &rows);
	if (observer)
		on = (struct observed) { observer->reference, observer->of_class, UINT64_MAX, 0 };
	for (; row < end; row++, pass++) {
		const struct tn_ref *ref = &batch->refs.item[row];
		const struct tn_steps *steps;
		const uint8_t *p;
		unsigned plain = 2;

		if ((!*pass && !observer) || ref->event_class == TN_REF_NOTICE)
			continue;
		steps = ref->event_class < n_classes ? atomic_load_explicit(&of_class[ref->event_class], memory_order_acquire)
						     : NULL;
		if (__builtin_expect(!steps, 0)) {
			if (observer)
				observe_hard(observer, row);
			break;
		}
		if (observer && on.of_class[ref->event_class]) {
			const struct tn_step *s = on.of_class[ref->event_class];
			const struct tn_step *one = steps->only == on.reference ? steps->step : NULL;

			p = s->kind != TN_STEP_CELL ? after_easy(&easy, ref->bit) : NULL;
			if (p && s->kind == TN_STEP_BYTES)
				plain = observe_bytes(&on, &easy, s, one, p);
			else if (p && observer->take && find_string(&observer->text[observer->n_texts], &easy, s, p))
				plain = observe_text(observer, s, one, trial);
			else if (one && one->kind == TN_STEP_LOOKUP && one->easy && (p = after_easy(&easy, ref->bit)))
				plain = pass_of(one, run_lookup(one, p + one->byte, &lookups, observer, trial));
			else
				plain = observe_closely(observer, one, state, batch, row, trial);
			if (__builtin_expect(trial->code < 0, 0))
				break;
			if (plain < 2) {
				*pass &= plain;
				continue;
			}
		}
		if (observer && !*pass)
			continue;
		if (steps->first >= TN_STEP_NO) {
			*pass = steps->first == TN_STEP_YES;
			continue;
		}
		p = steps->easy ? after_easy(&easy, ref->bit) : NULL;
		if (p && (!steps->has_times || timed)) {
			*pass = run_easy(steps, p, (uint64_t)ref->time_ns ^ UINT64_C(1) << 63, &rows);
			if (__builtin_expect(trial->code < 0, 0))
				break;
			continue;
		}
		if (steps->plain && rows.shape != TN_SHAPE_OTHER)
			plain = run_plain(steps, &rows, row, ref->bit);
		*pass = plain < 2 ? plain : run(steps, state, batch, row, NULL, 0, trial) != TN_VERDICT_NO;
		if (__builtin_expect(trial->code < 0, 0))
			break;
	}
	if (observer && on.least <= on.greatest) {
		observer->least = on.least < observer->least ? on.least : observer->least;
		observer->greatest = on.greatest > observer->greatest ? on.greatest : observer->greatest;
	}
	return row;
}

size_t
tn_steps_run_rows(const _Atomic(struct tn_steps *) *of_class, size_t n_classes, struct tn_expression_state *state,
		  const struct tn_batch *batch, size_t row, size_t end, uint8_t *pass, struct tn_trial *trial)
{
	state->row.values_only = false;
	if (!tn_row_prepare(&state->row, batch)) {
		trial->code = tn_fail_memory(trial->err);
		return row;
	}
	if (state->observer)
		return run_rows(of_class, n_classes, state, batch, row, end, pass, trial, state->observer);
	return run_rows(of_class, n_classes, state, batch, row, end, pass, trial, NULL);
}
