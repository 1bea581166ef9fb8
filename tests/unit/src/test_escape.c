#include <config.h>

#include <criterion/criterion.h>

#include "screen/key_escape.h"

/* The key for the characters after an Escape, and the number of characters taken. */
static const struct {
	const char *text;	/* after the Escape; when it is used up, no more arrives in time */
	enum escape_end end;
	uint32_t key;
	size_t used;
} cases[] = {
	{ "", ESCAPE_KEY, K_ESC, 0 },
	{ "[B", ESCAPE_KEY, K_DOWN, 2 },
	{ "OB", ESCAPE_KEY, K_DOWN, 2 },
	{ "[1;5A", ESCAPE_KEY, K_UP, 5 },
	{ "[5~x", ESCAPE_KEY, K_PGUP, 3 },
	{ "[6;3~", ESCAPE_KEY, K_PGDN, 5 },
	{ "[7~", ESCAPE_KEY, K_HOME, 3 },
	{ "[H", ESCAPE_KEY, K_HOME, 2 },
	{ "OF", ESCAPE_KEY, K_END, 2 },
	{ "[[A", ESCAPE_KEY, K_F1, 3 },
	{ "OP", ESCAPE_KEY, K_F1, 2 },
	{ "[24~", ESCAPE_KEY, K_F12, 4 },
	{ "[Z", ESCAPE_KEY, K_BACKTAB, 2 },
	{ "u", ESCAPE_KEY, 'u' | K_ALT, 1 },
	{ "[", ESCAPE_KEY, '[' | K_ALT, 1 },
	{ "\003", ESCAPE_TWO, K_NONE, 1 },
	{ "\033", ESCAPE_TWO, K_NONE, 1 },
	{ "[?1;2c", ESCAPE_NOTHING, K_NONE, 6 },
	{ "[99~", ESCAPE_NOTHING, K_NONE, 4 },
	{ "[12;40R", ESCAPE_KEY, K_F3, 7 },
	{ "[I", ESCAPE_NOTHING, K_NONE, 2 },
	{ "[M #$q", ESCAPE_NOTHING, K_NONE, 5 },
	{ "[<0;12;7M", ESCAPE_KEY, K_MOUSE, 9 },
	{ "[<0;12M", ESCAPE_NOTHING, K_NONE, 7 },
	{ "[<0;0;0M", ESCAPE_NOTHING, K_NONE, 8 },
	{ "]11;rgb:0000/0000/0000\007q", ESCAPE_NOTHING, K_NONE, 23 },
	{ "P1$r0m\033\\q", ESCAPE_NOTHING, K_NONE, 8 },
	{ "[200~", ESCAPE_KEY, K_PASTE_BEGIN, 5 },
	{ "[1", ESCAPE_NOTHING, K_NONE, 2 },
	{ "[1\003", ESCAPE_NOTHING, K_NONE, 3 },
};

Test(escape, sequences)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct escape e = { .n = 0 };
		enum escape_end end = ESCAPE_MORE;
		uint32_t key = K_NONE;
		size_t used = 0;

		while (end == ESCAPE_MORE)
			end = cases[i].text[used] ? escape_add(&e, (unsigned char)cases[i].text[used++], &key)
						  : escape_over(&e, &key);
		cr_assert_eq(end, cases[i].end, "row %zu: ends as %d", i, (int)end);
		if (end == ESCAPE_KEY)
			cr_assert_eq(key, cases[i].key, "row %zu: key %x", i, key);
		cr_assert_eq(used, cases[i].used, "row %zu: %zu characters used", i, used);
	}
}

Test(escape, long_sequence_is_nothing)
{
	struct escape e = { .n = 0 };
	uint32_t key = K_NONE;

	cr_assert_eq(escape_add(&e, '[', &key), ESCAPE_MORE);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(escape_add(&e, '1', &key), ESCAPE_MORE);
	cr_assert_neq(escape_add(&e, 'z', &key), ESCAPE_MORE);
}

Test(escape, mouse)
{
	struct escape e = { .n = 0 };
	uint32_t key = K_NONE;

	for (const char *p = "[<65;3;9M"; *p; p++)
		escape_add(&e, (unsigned char)*p, &key);
	cr_assert_eq(key, K_MOUSE);
	cr_assert_eq(e.mouse.what, MOUSE_WHEEL_DOWN);
	cr_assert_eq(e.mouse.row, 8);
	cr_assert_eq(e.mouse.col, 2);
}
