/* Tests of query/values: what a packet has, as the digest keeps it. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "query/lesson.h"
#include "query/text_hash.h"
#include "query/values.h"

/* What the texts @text[0..n) of one packet are kept as, and read again. */
static void
keep(struct tn_values *out, const char *const *text, size_t n, unsigned sieve_bits, size_t most, struct tn_note_bytes *note)
{
	struct tn_lesson_notes notes = { 0 };
	struct tn_seen_values v = { .kind = TN_VALUES_TEXT, .sieve_bits = sieve_bits };
	struct tn_found_text *found = calloc(n + 1, sizeof *found);
	struct tn_values values = { 0 };
	struct tn_values_part part;

	for (size_t i = 0; i < n; i++)
		found[i] = (struct tn_found_text) { text[i], strlen(text[i]) };
	cr_assert(tn_lesson_texts(&notes, &v, found, n));
	part = (struct tn_values_part) {
		v.kind, v.many, v.least, v.greatest, notes.prints.item, v.n_prints, v.full, v.sieve_bits, notes.bits.item, v.n_bits,
		v.has_sieve ? notes.words.item + v.first_word : NULL, v.spared_prints, v.spared_sieve,
	};
	tn_values_clear(&values);
	values.closely = true;
	values.deeply = sieve_bits != 0;
	tn_values_join(&values, &part);
	note->n = 0;
	cr_assert(tn_values_write(&values, most, note));
	cr_assert(tn_values_read(out, note->item, note->n));
	tn_values_release(&values);
	tn_lesson_notes_release(&notes);
	free(found);
}

Test(values, texts_of_one_size_have_all_their_parts)
{
	enum { MOST = 40 };
	static char room[MOST][200];
	const char *text[MOST];
	struct tn_note_bytes note = { 0 };
	struct tn_values v = { 0 };

	for (size_t size = 4; size < 190; size += 1 + size / 16) {
		for (size_t i = 0; i < MOST; i++) {
			memset(room[i], 'x', size);
			room[i][size] = '\0';
			for (size_t k = 0; k < 3; k++)
				room[i][i * (7 + k * 31) % size] = (char)('a' + i % 20);
			text[i] = room[i];
		}
		keep(&v, text, MOST, 15, 1000, &note);
		for (size_t i = 0; i < MOST; i++)
			for (size_t k = 0; k + 4 <= size; k++)
				cr_expect(tn_values_may_have_inside(&v, text[i] + k, 4), "%zu of size %zu, from %zu", i, size, k);
	}
	tn_values_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(values, texts_are_found_again_and_others_are_mostly_not_there)
{
	enum { MOST = 300 };
	static char room[MOST][40];
	const char *text[MOST];
	struct tn_note_bytes note = { 0 };
	struct tn_values v = { 0 };
	char other[40];

	for (size_t i = 0; i < MOST; i++) {
		snprintf(room[i], sizeof room[i], "/api/v%zu/items/%zu?user=%zu", i % 2, 4 * i + 200000, i % 10);
		text[i] = room[i];
	}
	for (size_t n = 1; n <= MOST; n += n < 60 ? 1 : 60) {
		size_t wrong = 0, inside = 0;

		keep(&v, text, n, 13, 1000, &note);
		cr_assert(!v.many && !v.full && v.deeply && v.closely);
		for (size_t i = 0; i < n; i++) {
			cr_expect(tn_values_may_have_text(&v, text[i], strlen(text[i])), "%zu of %zu", i, n);
			for (size_t k = 0; k + 5 <= strlen(text[i]); k++)
				cr_expect(tn_values_may_have_inside(&v, text[i] + k, 5), "%zu of %zu, from %zu", i, n, k);
		}
		for (size_t i = 0; i < 1000; i++) {
			snprintf(other, sizeof other, "/api/v1/items/%zu?user=1", 700001 + 4 * i);
			wrong += tn_values_may_have_text(&v, other, strlen(other));
			inside += tn_values_may_have_inside(&v, other + 14, 6);
		}
		cr_expect(wrong < 10, "%zu of 1000 texts where there are %zu", wrong, n);
		cr_expect(inside < 150, "%zu of 1000 parts where there are %zu", inside, n);
	}
	tn_values_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(values, what_has_no_room_says_nothing)
{
	const char *const text[] = { "first", "second", "third", "and another, longer than a sieve of so few bits" };
	struct tn_note_bytes note = { 0 };
	struct tn_values v = { 0 };

	keep(&v, text, 3, 5, 2, &note);
	cr_expect(v.many, "three prints where there is room for two");
	cr_expect(tn_values_may_have_text(&v, "second", 6) && tn_values_may_have_inside(&v, "econ", 4));
	keep(&v, text, 4, 5, 4, &note);
	cr_expect(v.full && !v.many);
	cr_expect(tn_values_may_have_inside(&v, "nowhere", 7));
	cr_expect_not(tn_values_may_have_text(&v, "nowhere", 7));
	keep(&v, text, 3, 0, 4, &note);
	cr_expect(!v.deeply && tn_values_may_have_inside(&v, "nowhere", 7), "no sieve was made");
	tn_values_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(values, a_note_that_is_none_is_refused)
{
	static const struct { const char *bytes; size_t n; } rows[] = {
		{ "", 0 }, { "\x07", 1 }, { "\x0b", 1 }, { "\x0b\x05", 2 }, { "\x1b\x00", 2 }, { "\x1b\x00\x04", 3 },
		{ "\x1b\x00\x10", 3 }, { "\x1b\x00\x05" "abc", 6 }, { "\x1b\x00\x05" "abcdefghi", 12 },
		{ "\x1b\x00\x45\x20", 4 }, { "\x1b\x00\x45\x1f\x01", 5 }, { "\x1b\x00\x40", 3 }, { "\x1b\x00\x00z", 4 },
	};
	struct tn_values v = { 0 };

	for (size_t i = 0; i < TN_COUNT(rows); i++)
		cr_expect_not(tn_values_read(&v, (const uint8_t *)rows[i].bytes, rows[i].n), "row %zu", i);
	cr_expect(tn_values_read(&v, (const uint8_t *)"\x1b\x00\x45\x1f", 4));
	cr_expect(tn_values_read(&v, (const uint8_t *)"\x1b\x00\x05" "abcdefgh", 11));
	tn_values_release(&v);
}

Test(values, the_size_of_a_text_is_found_wherever_it_ends)
{
	uint8_t room[600];

	for (size_t n = 0; n < 560; n++) {
		memset(room, 'x', sizeof room);
		room[n] = 0;
		cr_expect_eq(tn_text_size(room, sizeof room), n);
		cr_expect_eq(tn_text_size(room, n), n);
		cr_expect_eq(tn_text_size(room, n / 2), n / 2);
	}
}
