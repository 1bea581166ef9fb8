/* condition_columns.c - get the values of one field in many rows, for the notes of a digest and for groups */
#include "language/condition_rows.h"

/* ---- only numbers ---- */

size_t
tn_steps_numbers(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch,
		 size_t row, size_t end, uint64_t *out, size_t *hard, size_t *n_hard)
{
	const struct tn_ref *ref = batch->refs.item;
	size_t n = 0, n_far = 0;
	struct rows r;
	struct easy easy;

	if (!tn_row_prepare(state, batch))
		return SIZE_MAX;
	begin_rows(&r, state, batch);
	begin_easy(&easy, &r);
	for (; row < end; row++) {
		uint32_t class = ref[row].event_class;
		const struct tn_step *s = __builtin_expect(class == TN_REF_NOTICE, 0) ? NULL : of_class[class];
		const uint8_t *p;

		if (!s)
			continue;
		if (__builtin_expect(s->kind == TN_STEP_BYTES, 1) && (p = after_easy(&easy, ref[row].bit)))
			out[n++] = s->easy ? load_easy(s, p) : load_aligned(&easy, s, p);
		else
			hard[n_far++] = row;
	}
	*n_hard = n_far;
	return n;
}

bool
tn_steps_column(const struct tn_step *const *of_class, struct tn_short_texts *texts, struct tn_row_state *state,
		const struct tn_batch *batch, size_t row, size_t end, uint64_t *out, uint8_t *kind, size_t *hard, size_t *n_hard)
{
	const struct tn_ref *ref = batch->refs.item;
	size_t n_far = 0;
	struct rows r;
	struct easy easy;

	*n_hard = 0;
	if (!tn_row_prepare(state, batch))
		return false;
	begin_rows(&r, state, batch);
	begin_easy(&easy, &r);
	for (; row < end; row++, out++, kind++) {
		uint32_t class = ref[row].event_class;
		const struct tn_step *s = __builtin_expect(class == TN_REF_NOTICE, 0) ? NULL : of_class[class];
		struct tn_found_text text;
		const uint8_t *p;

		if (!s) {
			*kind = TN_NUMBER_NONE;
		} else if (__builtin_expect(s->kind == TN_STEP_BYTES, 1) && (p = after_easy(&easy, ref[row].bit))) {
			uint64_t v = (s->easy ? load_easy(s, p) : load_aligned(&easy, s, p)) ^ (uint64_t)s->is_signed << 63;

			*out = v;
			*kind = s->is_signed & v >> 63 ? TN_NUMBER_NEGATIVE : TN_NUMBER_PLAIN;
		} else if (texts && s->kind == TN_STEP_STRING && (p = after_easy(&easy, ref[row].bit)) &&
			   find_string(&text, &easy, s, p) && text.n <= TN_SHORT_TEXT) {
			*out = tn_short_text(texts, text.text, text.n);
			*kind = TN_NUMBER_TEXT;
		} else {
			*kind = TN_NUMBER_HARD;
			hard[n_far++] = row;
		}
	}
	*n_hard = n_far;
	return true;
}

/* Reach a text by running some instructions. */
static bool __attribute__((noinline))
reach_text(struct tn_found_text *out, const struct tn_place *place, struct tn_row_state *state, const struct tn_batch *batch,
	   size_t row)
{
	struct tn_cell cell;

	if ((place->way != TN_PLACE_FIXED && place->way != TN_PLACE_WALK) || place->field->type->kind != TN_KIND_STRING)
		return false;
	tn_row_at(state, batch, row);
	if (!tn_row_after_prepared(state) || !tn_reach_load(&place->reach, &state->m, place->field, &cell) ||
	    cell.kind != TN_CELL_TEXT)
		return false;
	*out = (struct tn_found_text) { cell.text, cell.n };
	return true;
}

size_t
tn_steps_texts(const struct tn_step *const *of_class, struct tn_row_state *state, const struct tn_batch *batch, size_t *row,
	       size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard)
{
	const struct tn_ref *ref = batch->refs.item;
	size_t n = 0, n_far = 0, i = *row;
	struct rows r;
	struct easy easy;

	if (!tn_row_prepare(state, batch))
		return SIZE_MAX;
	begin_rows(&r, state, batch);
	begin_easy(&easy, &r);
	for (; i < end && n + n_far < most; i++) {
		uint32_t class = ref[i].event_class;
		const struct tn_step *s = __builtin_expect(class == TN_REF_NOTICE, 0) ? NULL : of_class[class];
		const uint8_t *p;

		if (!s)
			continue;
		p = s->kind == TN_STEP_STRING ? after_easy(&easy, ref[i].bit) : NULL;
		if (__builtin_expect(p && find_string(&out[n], &easy, s, p), 1) ||
		    reach_text(&out[n], s->place, state, batch, i))
			n++;
		else
			hard[n_far++] = i;
	}
	*row = i;
	*n_hard = n_far;
	return n;
}

#define LIKE_LAST 16	/* size of the parts (start and end) by which a text is compared with the previous one */

/*
 * The previous text of a fixed size, with this number of bytes as padding: most names of processes equal the previous
 * one. It is empty at first.
 */
struct last_text {
	uint64_t first, second, mask;
};

static inline bool
is_like_last(const struct last_text *last, const uint8_t *p)
{
	return tn_load64(p) == last->first && (tn_load64(p + 8) & last->mask) == last->second;
}

/* Take the texts of a row after its header. False: some need the slow path. */
static inline bool
take_texts(const struct tn_class_steps *c, const struct easy *easy, const uint8_t *p, struct last_text *last,
	   struct tn_found_text *out, size_t *n)
{
	for (const struct tn_step *s = c->step, *behind = s + c->n; s < behind; s++) {
		bool fixed = !s->ends && s->room >= LIKE_LAST;

		if (s->kind != TN_STEP_STRING)
			return false;
		if (fixed && is_like_last(last, easy->p + (string_at(easy, s, p) >> 3)))
			continue;
		if (!find_string(&out[*n], easy, s, p))
			return false;
		if (fixed && out[*n].n < LIKE_LAST) {
			const uint8_t *text = (const uint8_t *)out[*n].text;

			last->first = tn_load64(text);
			last->mask = out[*n].n < 8 ? 0 : UINT64_MAX;
			last->second = tn_load64(text + 8) & last->mask;
		}
		++*n;
	}
	return true;
}

size_t
tn_steps_all_texts(const struct tn_class_steps *of_class, struct tn_expression_state *state, const struct tn_batch *batch,
		   size_t *row, size_t end, struct tn_found_text *out, size_t most, size_t *hard, size_t *n_hard)
{
	const struct tn_ref *ref = batch->refs.item;
	struct last_text last = { 0 };
	size_t n = 0, n_far = 0, i = *row;
	struct rows r;
	struct easy easy;

	if (!tn_row_prepare(&state->row, batch))
		return SIZE_MAX;
	begin_rows(&r, &state->row, batch);
	begin_easy(&easy, &r);
	end = end - i < most ? end : i + most;
	for (; i < end && n + TN_CLASS_STEPS <= most; i++) {
		const struct tn_class_steps *c = &of_class[ref[i].event_class];
		const uint8_t *p;

		if (!c->n)
			continue;
		if (__builtin_expect(c->step->kind == TN_STEP_GENERAL, 0))
			return SIZE_MAX;
		p = after_easy(&easy, ref[i].bit);
		if (__builtin_expect(p && c->only_byte, 1) && is_like_last(&last, p + c->only_byte))
			continue;
		if (__builtin_expect(!p || !take_texts(c, &easy, p, &last, out, &n), 0))
			hard[n_far++] = i;
	}
	*row = i;
	*n_hard = n_far;
	return n;
}
