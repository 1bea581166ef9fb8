/*
 * keymap.h - the actions of keys in each view
 *
 * The map of the view has priority over the map "all". A later binding of the same keys replaces an earlier one. Keys
 * bound to ACT_NONE do nothing.
 */
#ifndef KEYMAP_H
#define KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "action.h"
#include "screen/key.h"

struct binding {
	const char *view;	/* a name of a view, or "all"; the table of views owns it */
	uint32_t key[KEY_SEQUENCE];
	size_t n;
	enum action action;
};

struct keymap {
	struct binding *binding;
	size_t n, room;
};

/* Add the built-in bindings. False: memory is out. */
bool keymap_defaults(struct keymap *map);
void keymap_release(struct keymap *map);
bool keymap_bind(struct keymap *map, const char *view, const uint32_t *key, size_t n, enum action action);

enum keymap_found { KEYMAP_NONE, KEYMAP_MORE, KEYMAP_ACTION };

/* The meaning of the keys typed so far: an action, the start of longer keys, or nothing. */
enum keymap_found
keymap_find(const struct keymap *map, const char *view, const uint32_t *key, size_t n, enum action *out);

#endif
