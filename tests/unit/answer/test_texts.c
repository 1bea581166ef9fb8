/* Texts and how often they were met (texts.h), and the groups they become: whatever there are, as they are one by one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tally.h"

enum { ALL = 6000, WIDE = 64, KINDS = 7 };

static char text[ALL][WIDE];
static struct tn_found_text all[ALL];
static struct tn_tally_plan plan;

/* Texts of any length, in pages: nothing behind one is its own. */
static void
make_texts(int kind)
{
	for (size_t i = 0; i < ALL; i++) {
		size_t which = kind == 0 ? i % 3 : kind == 1 ? i : kind == 2 ? (i < 3000 ? i % 7 : i)
			     : kind == 3 ? (i < 3000 ? i : i % 7) : kind == 4 ? i % 2500 : kind == 5 ? i / 2 : i % 40;

		memset(text[i], '#', WIDE);
		all[i] = (struct tn_found_text) { text[i], kind == 6 ? which : (size_t)snprintf(text[i], WIDE, "%.*s%zu",
			(int)(which % 29), "the same for all of those that follow", which) };
		if (kind == 6)
			memset(text[i], 'x', which);
		text[i][all[i].n] = (char)i;
	}
}

static void
make_plan(void)
{
	plan = (struct tn_tally_plan) { 0 };
	tn_tally_lay_out(&plan, NULL);
}

TestSuite(texts, .init = make_plan);

/* The group of a text, as the general way has its key. */
static struct tn_group *
group_of(struct tn_tally *t, const struct tn_found_text *f)
{
	struct tn_words_out key = { 0 };
	struct tn_answer_value v = { .kind = TN_ANSWER_TEXT, .text = f->text, .n = f->n };
	struct tn_group *g;

	cr_assert(tn_pack(&key, &v, false));
	g = tn_tally_group(t, key.item, key.n);
	cr_assert_not_null(g);
	TN_ARRAY_RELEASE(&key);
	return g;
}

static void
compare(const struct tn_tally *got, const struct tn_tally *want, int kind)
{
	uint32_t at = 0, same = 0;
	struct tn_group *g, *h;

	do {
		g = tn_tally_at(got, &at);
		h = tn_tally_at(want, &same);
		cr_assert_eq(!g, !h, "kind %d", kind);
		cr_assert(!g || (g->count == h->count && g->key_words == h->key_words && g->hash == h->hash &&
				 memcmp(tn_group_key(got, g), tn_group_key(want, h), 8 * g->key_words) == 0), "kind %d", kind);
	} while (g);
	cr_assert_eq(got->n, want->n, "kind %d", kind);
	cr_assert_eq(got->bytes, want->bytes, "kind %d", kind);
	cr_assert_eq(!got->others, !want->others, "kind %d", kind);
	cr_assert(!got->others || got->others->count == want->others->count, "kind %d", kind);
}

Test(texts, as_one_by_one)
{
	static const size_t most[KINDS] = { 3, ALL, ALL, ALL, 2500, 3000, 40 };
	struct tn_texts t = { .seed = plan.seed, .factor = plan.factor };

	for (size_t bound = 0; bound < 2; bound++)
		for (int kind = 0; kind < KINDS; kind++) {
			struct tn_tally got, want;

			plan.most_bytes = bound * 60000;
			tn_tally_init(&got, &plan);
			tn_tally_init(&want, &plan);
			make_texts(kind);
			for (size_t i = 0, n; i < ALL; i += n) {
				n = ALL - i < 97 ? ALL - i : 97;
				cr_assert(tn_texts_add(&t, all + i, n));
				/* In two pieces. */
				if (i == 97 * 20) {
					cr_assert(tn_tally_count_texts(&got, &t));
					tn_texts_clear(&t);
					cr_assert(t.n == 0 && t.met == 0);
				}
				for (size_t k = i; k < i + n; k++)
					group_of(&want, &all[k])->count++;
			}
			cr_assert(t.met <= most[kind] || t.is_raw, "kind %d: %zu texts", kind, t.met);
			cr_assert(kind == 1 ? t.is_raw : !t.is_raw || (kind != 0 && kind != 6), "kind %d", kind);
			cr_assert(tn_tally_count_texts(&got, &t));
			tn_texts_clear(&t);
			cr_assert_eq(!got.others, !bound || kind == 0 || kind == 6, "kind %d", kind);
			compare(&got, &want, kind);
			tn_tally_release(&got);
			tn_tally_release(&want);
		}
	tn_texts_release(&t);
}

/* What is left in the table from before is nothing, also where its places begin again; a large table is given back. */
Test(texts, cleared_again_and_again)
{
	static const struct tn_found_text some[] = { { "a", 1 }, { "bc", 2 }, { "bc", 2 }, { "", 0 }, { "a", 1 } };
	struct tn_texts t = { .seed = 5, .factor = tn_hash_factor() };

	for (int i = 0; i < 100; i++) {
		if (i == 50)
			t.base = UINT32_MAX / 2 - 100;
		cr_assert(tn_texts_add(&t, some, 5));
		cr_assert(t.met == 3 && tn_text_at(t.item)->count == 2 && tn_text_at(t.item + 3)->count == 2, "%d: %zu", i, t.met);
		tn_texts_clear(&t);
	}
	cr_expect(t.base < 500, "%u", t.base);
	make_texts(1);
	for (size_t i = 0; i < 3 * ALL; i++)
		cr_assert(tn_texts_add(&t, &(struct tn_found_text) { text[i % ALL], all[i / 3].n > 40 ? 40 : i % 25 + 20 }, 1));
	tn_texts_clear(&t);
	cr_assert(t.n_slots <= 16384 || !t.slot);
	cr_assert(tn_texts_add(&t, some, 2) && t.met == 2);
	tn_texts_release(&t);
}
