/* The growable string, arenas and growable arrays: bounds, and their contents if memory is out. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"

Test(str, appended)
{
	struct tn_str s = { 0 };

	cr_expect_str_eq(tn_str_text(&s), "");
	tn_str_add(&s, NULL, 0);
	tn_str_add(&s, NULL, 5);
	cr_expect_eq(s.n, 0, "bytes that are not there");
	tn_str_puts(&s, "a");
	tn_str_putc(&s, 'b');
	tn_str_printf(&s, "%d%s", 12, "");
	cr_expect_str_eq(tn_str_text(&s), "ab12");
	for (size_t i = 0; i < 2000; i++) {
		tn_str_add(&s, "0123456789", i % 11);
		cr_assert(s.n < s.room && s.text[s.n] == '\0');
	}
	tn_str_clear(&s);
	cr_expect(s.n == 0 && s.text && !*s.text, "keeps its room");
	tn_str_release(&s);
	cr_expect(!s.text && !s.room);
	tn_str_clear(&s);
	tn_str_clear(NULL);
	tn_str_release(NULL);
	tn_str_add(NULL, "x", 1);
	tn_str_printf(NULL, "x");
	tn_str_printf(&s, NULL);
	cr_expect_null(s.text);
}

/* A limit: what is there stays, the string says that there was more, and can be used again. */
Test(str, limits)
{
	struct tn_str s = { .most = 100 };

	for (int i = 0; i < 100; i++)
		tn_str_puts(&s, "twelve bytes");
	cr_expect(s.failed && s.full);
	cr_expect(s.n > 100 && s.n <= 100 + 128 + TN_STR_SLACK, "%zu", s.n);
	cr_expect(strncmp(s.text, "twelve bytes", 12) == 0 && s.text[s.n] == '\0');
	tn_str_clear(&s);
	cr_expect(!s.failed && !s.full);
	tn_str_puts(&s, "x");
	cr_expect_str_eq(tn_str_text(&s), "x");
	s.most = 0;
	cr_expect_not(tn_str_grow(&s, SIZE_MAX / 4 + 1), "more than there can be");
	cr_expect(s.failed && strcmp(tn_str_text(&s), "x") == 0);
	tn_str_puts(&s, "more than the room that it has got: a string that has failed takes nothing that it would have to grow for, "
		    "so that it can be looked at once, at the end, and what it holds then is what was there when it failed");
	cr_expect_str_eq(tn_str_text(&s), "x");
	tn_str_release(&s);
}

Test(arena, sizes)
{
	struct tn_arena a = { 0 };
	char *large, *copy;

	cr_expect_null(tn_arena_alloc(&a, SIZE_MAX / 2 + 1));
	cr_expect_null(tn_arena_array(&a, SIZE_MAX / 8, 16), "the product does not fit");
	cr_expect_not_null(tn_arena_array(&a, SIZE_MAX, 0));
	for (size_t size = 0; size < 3000; size += 7) {
		char *p = tn_arena_alloc(&a, size);

		cr_assert(p && (uintptr_t)p % 8 == 0, "%zu bytes at %p", size, (void *)p);
		for (size_t i = 0; i < size; i++)
			cr_assert_eq(p[i], 0);
		memset(p, 0xa5, size);
	}
	large = tn_arena_alloc(&a, 1 << 20);
	cr_assert(large && large[0] == 0 && large[(1 << 20) - 1] == 0);
	copy = tn_arena_copy(&a, "a\0b", 3);
	cr_expect(memcmp(copy, "a\0b\0", 4) == 0);
	cr_expect_str_eq(tn_arena_copy(&a, NULL, 0), "");
	cr_expect_null(tn_arena_copy(&a, "", SIZE_MAX / 2 + 1));
	tn_arena_release(&a);
	cr_expect(!a.block && !a.at && !a.end);
}

/* Texts come from the end of the space and structures from its start: neither overwrites the other. */
Test(arena, texts_and_structures_share_blocks)
{
	struct tn_arena a = { 0 };
	struct { uint64_t *number; char *text; } made[4000];
	char words[24];

	for (size_t i = 0; i < 4000; i++) {
		snprintf(words, sizeof words, "text %zu", i * i * i);
		made[i].text = tn_arena_copy(&a, words, strlen(words));
		made[i].number = tn_arena_alloc(&a, 8 * (1 + i % 3));
		cr_assert(made[i].text && made[i].number);
		cr_assert_eq(made[i].number[i % 3], 0, "structure %zu is not zeroed", i);
		memset(made[i].number, 0xa5, 8 * (1 + i % 3));
		*made[i].number = i;
	}
	for (size_t i = 0; i < 4000; i++) {
		snprintf(words, sizeof words, "text %zu", i * i * i);
		cr_assert_str_eq(made[i].text, words);
		cr_assert_eq(*made[i].number, i);
	}
	tn_arena_release(&a);
}

/* A leak is what the sanitizers would tell. */
Test(arena, adopted)
{
	struct tn_arena a = { 0 };
	char *first = strdup("first"), *second = strdup("second"), *p;

	cr_assert(tn_arena_adopt(&a, first), "an empty one");
	p = tn_arena_alloc(&a, 24);
	cr_assert(p && p[23] == 0);
	cr_assert(tn_arena_adopt(&a, second) && tn_arena_adopt(&a, NULL));
	cr_expect_eq(tn_arena_alloc(&a, 8), p + 24, "the room of the newest block is used on");
	cr_expect_str_eq(first, "first");
	cr_expect_str_eq(second, "second");
	tn_arena_release(&a);
	cr_expect(!a.block && !a.at && !a.end);
}

Test(array, room)
{
	TN_ARRAY(uint64_t) list = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t *p = TN_ARRAY_ADD(&list);

		cr_assert(p && *p == 0);
		*p = i;
	}
	for (uint64_t i = 0; i < 1000; i++)
		cr_assert_eq(list.item[i], i);
	cr_expect_not(TN_ARRAY_RESERVE(&list, SIZE_MAX / 4));
	cr_expect_eq(list.n, 1000, "nothing has changed");
	cr_expect_eq(list.item[999], 999);
	TN_ARRAY_RELEASE(&list);
	cr_expect(!list.item && !list.n && !list.room);
}
