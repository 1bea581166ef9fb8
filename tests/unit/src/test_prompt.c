#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "screen/key.h"
#include "prompt/prompt.h"

static enum prompt_result
type(struct prompt *p, const char *names)
{
	enum prompt_result result = PROMPT_MORE;
	char copy[256], *name;

	strcpy(copy, names);
	for (name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
		uint32_t key[KEY_SEQUENCE];
		const char *bad;
		size_t n = keys_parse(key, name, &bad);

		cr_assert(n, "%s", name);
		for (size_t i = 0; i < n; i++)
			result = prompt_key(p, key[i]);
	}
	return result;
}

/* Keys, and the text and the place of the cursor they leave. */
Test(prompt, editing)
{
	static const struct { const char *keys, *want; size_t at; } rows[] = {
		{ "a b c", "abc", 3 },
		{ "a b <Left> x", "axb", 2 },
		{ "a b c <BS>", "ab", 2 },
		{ "a b c <Home> <Delete>", "bc", 0 },
		{ "a b c <Left> ^U", "c", 0 },
		{ "a b c <Home> <Right> ^K", "a", 1 },
		{ "a b <Space> c d ^W", "ab ", 3 },
		{ "a b <Space> c d <Space> ^W", "ab ", 3 },
		{ "日 本 <Left> <BS>", "本", 0 },
		{ "é x ^A ^D", "x", 0 },
		{ "a ^E ^B ^F b", "ab", 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prompt p;

		prompt_start(&p, "/", "", NULL);
		type(&p, rows[i].keys);
		cr_assert_str_eq(p.text, rows[i].want, "%s: '%s'", rows[i].keys, p.text);
		cr_assert_eq(p.at, rows[i].at, "%s: at %zu", rows[i].keys, p.at);
	}
}

Test(prompt, endings)
{
	static const struct { const char *keys; enum prompt_result want; } rows[] = {
		{ "<Enter>", PROMPT_DONE }, { "a <Esc>", PROMPT_CANCELLED }, { "a ^C", PROMPT_CANCELLED },
		{ "<BS>", PROMPT_CANCELLED }, { "a <BS>", PROMPT_CHANGED }, { "a <Tab>", PROMPT_COMPLETE },
		{ "a <Left>", PROMPT_MORE }, { "a <F1>", PROMPT_MORE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct prompt p;

		prompt_start(&p, "/", "", NULL);
		cr_assert_eq(type(&p, rows[i].keys), rows[i].want, "%s", rows[i].keys);
	}
}

Test(prompt, history)
{
	struct history h = { 0 };
	struct prompt p;

	history_add(&h, "one");
	history_add(&h, "two");
	history_add(&h, "");
	history_add(&h, "one");	/* moves to the end */
	cr_assert_eq(h.n, 2);
	prompt_start(&p, "/", "", &h);
	type(&p, "x <Up>");
	cr_assert_str_eq(p.text, "one");
	type(&p, "<Up> <Up>");
	cr_assert_str_eq(p.text, "two");
	type(&p, "<Down> <Down> <Down>");
	cr_assert_str_eq(p.text, "x");	/* the text being typed */
	for (int i = 0; i < HISTORY_SIZE + 5; i++) {
		char text[16];

		snprintf(text, sizeof text, "%d", i);
		history_add(&h, text);
	}
	cr_assert_eq(h.n, HISTORY_SIZE);
	cr_assert_str_eq(h.text[0], "5");
	history_release(&h);
}

Test(prompt, a_full_one_takes_no_more)
{
	struct prompt p;

	prompt_start(&p, "/", "", NULL);
	for (int i = 0; i < PROMPT_SIZE + 10; i++)
		cr_assert_eq(prompt_key(&p, 'a'), i < PROMPT_SIZE - 1 ? PROMPT_CHANGED : PROMPT_FULL, "byte %d", i);
	cr_assert_eq(p.n, PROMPT_SIZE - 1);
	cr_assert_eq(p.text[p.n], '\0');
}
