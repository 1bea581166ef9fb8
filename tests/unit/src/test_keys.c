#include <criterion/criterion.h>
#include <string.h>

#include "session/keymap.h"

Test(key, sequences_have_names)
{
	static const struct {
		const char *text;
		size_t n;
		uint32_t key[KEY_SEQUENCE];
		const char *name;	/* NULL: the text itself */
	} rows[] = {
		{ "j", 1, { 'j' }, NULL },
		{ "]s", 2, { ']', 's' }, NULL },
		{ "^F", 1, { 6 }, NULL },
		{ "^f", 1, { 6 }, "^F" },
		{ "<C-f>", 1, { 6 }, "^F" },
		{ "^", 1, { '^' }, NULL },
		{ "^?", 1, { K_BACKSPACE }, "<BS>" },
		{ "<Enter>", 1, { 13 }, NULL },
		{ "<enter>", 1, { 13 }, "<Enter>" },
		{ "<lt>", 1, { '<' }, NULL },
		{ "<", 1, { '<' }, "<lt>" },
		{ "<M-u>", 1, { 'u' | K_ALT }, NULL },
		{ "<M-Left>", 1, { K_LEFT | K_ALT }, NULL },
		{ "<F1><PgDn>g", 3, { K_F1, K_PGDN, 'g' }, NULL },
		{ "é", 1, { 0xe9 }, NULL },
		{ "<Space>", 1, { ' ' }, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t key[KEY_SEQUENCE];
		char name[KEY_NAME];
		const char *bad;
		size_t n = keys_parse(key, rows[i].text, &bad);

		cr_assert_eq(n, rows[i].n, "%s: %zu keys", rows[i].text, n);
		for (size_t k = 0; k < n; k++)
			cr_assert_eq(key[k], rows[i].key[k], "%s: key %zu is %x", rows[i].text, k, key[k]);
		cr_assert_str_eq(keys_name(key, n, name, sizeof name), rows[i].name ? rows[i].name : rows[i].text);
	}
}

Test(key, what_is_no_sequence_says_where)
{
	static const struct { const char *text; size_t at; } rows[] = {
		{ "", 0 }, { "<Nokey>", 0 }, { "ab<Nokey>", 2 }, { "abcde", 4 }, { "a\tb", 1 }, { "a\xff", 1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t key[KEY_SEQUENCE];
		const char *bad;

		cr_assert_eq(keys_parse(key, rows[i].text, &bad), 0, "row %zu", i);
		cr_assert_eq((size_t)(bad - rows[i].text), rows[i].at, "row %zu: at %zu", i, (size_t)(bad - rows[i].text));
	}
}

static enum action
found(const struct keymap *map, const char *view, const char *text, enum keymap_found want)
{
	uint32_t key[KEY_SEQUENCE];
	const char *bad;
	enum action action = ACT_NONE;
	size_t n = keys_parse(key, text, &bad);
	enum keymap_found got = keymap_find(map, view, key, n, &action);

	cr_assert_eq(got, want, "%s in %s: %d", text, view, (int)got);
	return action;
}

Test(keymap, the_view_wins)
{
	struct keymap map = { 0 };

	cr_assert(keymap_defaults(&map));
	cr_assert_eq(found(&map, "events", "j", KEYMAP_ACTION), ACT_EVENT_NEXT);
	cr_assert_eq(found(&map, "packets", "<Enter>", KEYMAP_ACTION), ACT_OPEN);
	cr_assert_eq(found(&map, "events", "<Enter>", KEYMAP_ACTION), ACT_DETAILS);
	found(&map, "events", "]", KEYMAP_MORE);
	cr_assert_eq(found(&map, "events", "]s", KEYMAP_ACTION), ACT_STREAM_NEXT);
	found(&map, "events", "]z", KEYMAP_NONE);
	/* An action of the view's own hides longer sequences that hold everywhere. */
	cr_assert_eq(found(&map, "histogram", "]", KEYMAP_ACTION), ACT_RANGE_END);
	keymap_release(&map);
}

Test(keymap, a_later_binding_replaces)
{
	struct keymap map = { 0 };
	uint32_t key[] = { 'j' };
	size_t n;

	cr_assert(keymap_defaults(&map));
	n = map.n;
	cr_assert(keymap_bind(&map, "all", key, 1, ACT_QUIT));
	cr_assert_eq(map.n, n);
	cr_assert_eq(found(&map, "events", "j", KEYMAP_ACTION), ACT_QUIT);
	cr_assert(keymap_bind(&map, "events", key, 1, ACT_NONE));
	cr_assert_eq(found(&map, "events", "j", KEYMAP_ACTION), ACT_NONE);
	cr_assert_eq(found(&map, "packets", "j", KEYMAP_ACTION), ACT_QUIT);
	keymap_release(&map);
}

/* Each key of the map is reachable: none is hidden by a shorter one of the same map. */
Test(keymap, no_default_hides_another)
{
	struct keymap map = { 0 };

	cr_assert(keymap_defaults(&map));
	for (size_t i = 0; i < map.n; i++)
		for (size_t k = 0; k < map.n; k++) {
			const struct binding *a = &map.binding[i], *b = &map.binding[k];

			cr_assert(a->n >= b->n || strcmp(a->view, b->view) != 0
				  || memcmp(a->key, b->key, a->n * sizeof *a->key) != 0,
				  "%s: binding %zu hides %zu", a->view, i, k);
		}
	keymap_release(&map);
}

Test(action, names_are_their_own)
{
	for (int i = 1; i < ACTIONS_END; i++) {
		cr_assert_eq(action_find(action_info((enum action)i)->name), (enum action)i, "%s",
			     action_info((enum action)i)->name);
		cr_assert(*action_info((enum action)i)->help);
	}
	cr_assert_eq(action_find("no-such-action"), ACT_NONE);
}
