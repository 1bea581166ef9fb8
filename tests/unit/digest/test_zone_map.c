/* Tests of digest/zone_map and text_filter: what a packet has, as the digest keeps it. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scan/zone_writer.h"
#include "base/text_hash.h"
#include "digest/text_filter.h"

/* The note of the texts @text[0..n) of one packet, written and read again. */
static void
keep(struct tn_zone *out, const char *const *text, size_t n, unsigned ngram_bits, size_t words, struct tn_note_bytes *note)
{
	struct tn_zone_notes notes = { 0 };
	struct tn_zone_part v = { .kind = TN_ZONE_TEXT, .ngram_bits = ngram_bits, .bloom_words = words };
	struct tn_found_text *found = calloc(n + 1, sizeof *found);
	struct tn_zone values = { 0 };

	for (size_t i = 0; i < n; i++)
		found[i] = (struct tn_found_text) { text[i], strlen(text[i]) };
	cr_assert(tn_zone_texts(&notes, &v, found, n));
	tn_zone_clear(&values);
	values.level = TN_ZONE_HASHES | (ngram_bits ? TN_ZONE_NGRAMS : 0);
	tn_zone_join(&values, &v, &notes.lists);
	note->n = 0;
	cr_assert(tn_zone_write(&values, 0, note));
	cr_assert(tn_zone_read(out, note->item, note->n));
	tn_zone_release(&values);
	tn_zone_notes_release(&notes);
	free(found);
}

Test(zone_map, texts_of_one_size_have_all_their_parts)
{
	enum { MOST = 40 };
	static char room[MOST][200];
	const char *text[MOST];
	struct tn_note_bytes note = { 0 };
	struct tn_zone v = { 0 };

	for (size_t size = 4; size < 190; size += 1 + size / 16) {
		for (size_t i = 0; i < MOST; i++) {
			memset(room[i], 'x', size);
			room[i][size] = '\0';
			for (size_t k = 0; k < 3; k++)
				room[i][i * (7 + k * 31) % size] = (char)('a' + i % 20);
			text[i] = room[i];
		}
		keep(&v, text, MOST, 15, 100, &note);
		for (size_t i = 0; i < MOST; i++)
			for (size_t k = 0; k + 4 <= size; k++)
				cr_expect(tn_zone_may_have_inside(&v, text[i] + k, 4), "%zu of size %zu, from %zu", i, size, k);
	}
	tn_zone_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(zone_map, texts_are_found_again_and_others_are_mostly_not_there)
{
	enum { MOST = 300 };
	static char room[MOST][40];
	const char *text[MOST];
	struct tn_note_bytes note = { 0 };
	struct tn_zone v = { 0 };
	char other[40];

	for (size_t i = 0; i < MOST; i++) {
		snprintf(room[i], sizeof room[i], "/api/v%zu/items/%zu?user=%zu", i % 2, 4 * i + 200000, i % 10);
		text[i] = room[i];
	}
	for (size_t n = 1; n <= MOST; n += n < 60 ? 1 : 60) {
		size_t wrong = 0, inside = 0;

		keep(&v, text, n, 13, 50, &note);
		cr_assert(!v.many && !v.full && v.level == (TN_ZONE_HASHES | TN_ZONE_NGRAMS));
		for (size_t i = 0; i < n; i++) {
			cr_expect(tn_zone_may_have_text(&v, text[i], strlen(text[i])), "%zu of %zu", i, n);
			for (size_t k = 0; k + 5 <= strlen(text[i]); k++)
				cr_expect(tn_zone_may_have_inside(&v, text[i] + k, 5), "%zu of %zu, from %zu", i, n, k);
		}
		for (size_t i = 0; i < 1000; i++) {
			snprintf(other, sizeof other, "/api/v1/items/%zu?user=1", 700001 + 4 * i);
			wrong += tn_zone_may_have_text(&v, other, strlen(other));
			inside += tn_zone_may_have_inside(&v, other + 14, 6);
		}
		cr_expect(wrong < 10, "%zu of 1000 texts where there are %zu", wrong, n);
		cr_expect(inside < 150, "%zu of 1000 parts where there are %zu", inside, n);
	}
	tn_zone_release(&v);
	TN_ARRAY_RELEASE(&note);
}

/* Without an n-gram filter: as many as the packet of a tracer has. */
Test(zone_map, hashes_of_like_texts_differ)
{
	enum { MOST = 1000 };
	static const char *const forms[] = {
		"%zu", "k%zu=%zu", "/items/%zu", "/a/%zu/%zu.html", "/api/v1/items/%zu?user=%zu", "/usr/lib/x86_64-linux-gnu/%zu/some/%zu.so",
	};
	static char room[MOST][64];
	const char *text[MOST];
	struct tn_note_bytes note = { 0 };
	struct tn_zone v = { 0 };
	char other[64];

	for (size_t f = 0; f < TN_COUNT(forms); f++) {
		size_t wrong = 0;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		for (size_t i = 0; i < MOST; i++) {
			snprintf(room[i], sizeof room[i], forms[f], i * 4, i % 10);
			text[i] = room[i];
		}
		keep(&v, text, MOST, 0, tn_bloom_words(1 << 18), &note);
		cr_assert(!v.many && note.n < (1 << 18) / 190, "form %zu: %zu bytes", f, note.n);
		for (size_t i = 0; i < MOST; i++)
			cr_expect(tn_zone_may_have_text(&v, text[i], strlen(text[i])), "form %zu: %zu", f, i);
		for (size_t i = 0; i < MOST; i++) {
			snprintf(other, sizeof other, forms[f], i * 4 + 1 + i % 3, i % 10);
			wrong += tn_zone_may_have_text(&v, other, strlen(other));
		}
#pragma GCC diagnostic pop
		cr_expect(wrong < MOST * 5 / 100, "form %zu: %zu of %d that are not there", f, wrong, MOST);
	}
	tn_zone_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(zone_map, what_has_no_room_says_nothing)
{
	const char *const text[] = { "first", "second", "third", "and another, longer than a filter of so few bits" };
	static char room[40][8];
	const char *more[TN_COUNT(room)];
	struct tn_note_bytes note = { 0 };
	struct tn_zone v = { 0 };

	for (size_t i = 0; i < TN_COUNT(room); i++) {
		snprintf(room[i], sizeof room[i], "%zu", i);
		more[i] = room[i];
	}
	keep(&v, more, TN_COUNT(room), 0, 1, &note);
	cr_expect(v.many, "so many texts where there is room for ten");
	cr_expect(tn_zone_may_have_text(&v, "second", 6));
	keep(&v, text, 3, 5, 1, &note);
	cr_expect_not(v.many);
	cr_expect(tn_zone_may_have_text(&v, "second", 6) && tn_zone_may_have_inside(&v, "econ", 4));
	keep(&v, text, 4, 5, 1, &note);
	cr_expect(v.full && !v.many);
	cr_expect(tn_zone_may_have_inside(&v, "nowhere", 7));
	cr_expect_not(tn_zone_may_have_text(&v, "nowhere", 7));
	keep(&v, text, 3, 0, 1, &note);
	cr_expect(!(v.level & TN_ZONE_NGRAMS) && tn_zone_may_have_inside(&v, "nowhere", 7), "no filter was made");
	tn_zone_release(&v);
	TN_ARRAY_RELEASE(&note);
}

Test(zone_map, a_note_that_is_none_is_refused)
{
	/* A kind, words of texts, their bits; 2 to the power of the bits of an n-gram filter, and those. */
	static const struct { const char *bytes; size_t n; } rows[] = {
		{ "", 0 }, { "\x07", 1 }, { "\x0b", 1 }, { "\x0b\x01", 2 }, { "\x0b\x01\x02", 3 }, { "\x0b\x01\x03\x01", 4 },
		{ "\x0b\x01\x03\x01\x3f", 5 }, { "\x0b\x01\x02\x40", 4 }, { "\x0b\x01\x00" "abcdefg", 10 },
		{ "\x0b\x01\x00" "abcdefghi", 12 }, { "\x0b\x81\x04\x01", 4 }, { "\x0b\x00\x00", 3 },
		{ "\x1b\x00", 2 }, { "\x1b\x00\x04\x01", 4 }, { "\x1b\x00\x10\x01", 4 }, { "\x1b\x00\x05\x00" "abc", 7 },
		{ "\x1b\x00\x05\x00" "abcdefghi", 13 }, { "\x1b\x00\x05\x02\x40", 5 }, { "\x1b\x00\x05\x02\x1f\x01", 6 },
		{ "\x1b\x00\x00z", 4 },
	}, good[] = {
		{ "\x0b\x00", 2 }, { "\x0b\x01\x03\x01\x3e", 5 }, { "\x0b\x01\x00" "abcdefgh", 11 }, { "\x1b\x00\x00", 3 },
		{ "\x1b\x00\x05\x02\x1f", 5 }, { "\x1b\x01\x02\x07\x05\x00" "abcdefgh", 14 },
	};
	struct tn_zone v = { 0 };

	for (size_t i = 0; i < TN_COUNT(rows); i++)
		cr_expect_not(tn_zone_read(&v, (const uint8_t *)rows[i].bytes, rows[i].n), "row %zu", i);
	for (size_t i = 0; i < TN_COUNT(good); i++)
		cr_expect(tn_zone_read(&v, (const uint8_t *)good[i].bytes, good[i].n), "good row %zu", i);
	tn_zone_release(&v);
}

Test(zone_map, the_size_of_a_text_is_found_wherever_it_ends)
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
