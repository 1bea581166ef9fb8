#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "keymap.h"
#include "screen/array.h"

static const struct {
	const char *view, *keys;
	enum action action;
} defaults[] = {
	{ "all", "j", ACT_EVENT_NEXT }, { "all", "<Down>", ACT_EVENT_NEXT }, { "all", "^N", ACT_EVENT_NEXT },
	{ "all", "k", ACT_EVENT_PREVIOUS }, { "all", "<Up>", ACT_EVENT_PREVIOUS },
	{ "all", "^P", ACT_EVENT_PREVIOUS },
	{ "all", "^E", ACT_SCROLL_DOWN }, { "all", "^Y", ACT_SCROLL_UP },
	{ "all", "<Space>", ACT_PAGE_DOWN }, { "all", "f", ACT_PAGE_DOWN }, { "all", "^F", ACT_PAGE_DOWN },
	{ "all", "<PgDn>", ACT_PAGE_DOWN },
	{ "all", "b", ACT_PAGE_UP }, { "all", "^B", ACT_PAGE_UP }, { "all", "<PgUp>", ACT_PAGE_UP },
	{ "all", "d", ACT_HALF_DOWN }, { "all", "^D", ACT_HALF_DOWN },
	{ "all", "u", ACT_HALF_UP }, { "all", "^U", ACT_HALF_UP },
	{ "all", "g", ACT_FIRST }, { "all", "<Home>", ACT_FIRST },
	{ "all", "G", ACT_LAST }, { "all", "<End>", ACT_LAST },
	{ "all", "%", ACT_PERCENT },
	{ "all", "<Left>", ACT_LEFT }, { "all", "<Right>", ACT_RIGHT }, { "all", "|", ACT_FIRST_COLUMN },
	{ "all", "zz", ACT_VIEW_MIDDLE }, { "all", "zt", ACT_VIEW_TOP }, { "all", "zb", ACT_VIEW_BOTTOM },
	{ "all", "t", ACT_GOTO_TIME },
	{ "all", "]s", ACT_STREAM_NEXT }, { "all", "[s", ACT_STREAM_PREVIOUS },
	{ "all", "]t", ACT_TYPE_NEXT }, { "all", "[t", ACT_TYPE_PREVIOUS },
	{ "all", "]f", ACT_VALUE_NEXT }, { "all", "[f", ACT_VALUE_PREVIOUS },
	{ "all", "]p", ACT_PACKET_NEXT }, { "all", "[p", ACT_PACKET_PREVIOUS },
	{ "all", "}", ACT_PACKET_NEXT }, { "all", "{", ACT_PACKET_PREVIOUS },
	{ "all", "]e", ACT_PROBLEM_NEXT }, { "all", "[e", ACT_PROBLEM_PREVIOUS },
	{ "all", "e", ACT_PROBLEM_NEXT }, { "all", "E", ACT_PROBLEM_PREVIOUS },
	{ "all", "]g", ACT_GAP_NEXT }, { "all", "[g", ACT_GAP_PREVIOUS },
	{ "all", "]'", ACT_BOOKMARK_NEXT }, { "all", "['", ACT_BOOKMARK_PREVIOUS },
	{ "all", "^O", ACT_JUMP_BACK }, { "all", "<lt>", ACT_JUMP_BACK }, { "all", ">", ACT_JUMP_FORWARD },
	{ "all", "^R", ACT_RESTORE },
	{ "all", "m", ACT_MARK_SET }, { "all", "'", ACT_MARK_GO },
	{ "all", "/", ACT_SEARCH_FORWARD }, { "all", "?", ACT_SEARCH_BACKWARD },
	{ "all", "n", ACT_SEARCH_NEXT }, { "all", "N", ACT_SEARCH_PREVIOUS },
	{ "all", "<M-u>", ACT_SEARCH_CLEAR },
	{ "all", "*", ACT_WORD_FORWARD }, { "all", "#", ACT_WORD_BACKWARD },
	{ "all", "&", ACT_FILTER }, { "all", "^T", ACT_FILTER_TOGGLE },
	{ "all", "!", ACT_EXCLUDE }, { "all", "U", ACT_FILTER_REMOVE },
	{ "all", "C", ACT_FILTERS },
	{ "all", "+", ACT_CONTEXT_MORE }, { "all", "-", ACT_CONTEXT_LESS },
	{ "all", "<Enter>", ACT_DETAILS }, { "all", "<Tab>", ACT_PANE_NEXT }, { "all", "_", ACT_PANE_MAXIMISE },
	{ "all", "x", ACT_BYTES }, { "all", "=", ACT_WHERE }, { "all", "^G", ACT_WHERE },
	{ "all", "p", ACT_PACKETS }, { "all", "s", ACT_STREAMS }, { "all", "S", ACT_STATISTICS },
	{ "all", "i", ACT_HISTOGRAM }, { "all", "L", ACT_PROBLEMS }, { "all", "M", ACT_METADATA },
	{ "all", "B", ACT_BOOKMARKS }, { "all", "c", ACT_COLUMNS },
	{ "all", "D", ACT_TIME_FORMAT }, { "all", "T", ACT_DELTA },
	{ "all", "o", ACT_ORIGIN_SET }, { "all", "O", ACT_ORIGIN_CLEAR }, { "all", "W", ACT_WRAP },
	{ "all", "H", ACT_LOSSES }, { "all", "A", ACT_SPANS },
	{ "all", "v", ACT_LANES }, { "all", "K", ACT_TRAVEL }, { "all", "l", ACT_LADDER },
	{ "all", "V", ACT_SELECT }, { "all", "y", ACT_COPY }, { "all", "Y", ACT_COPY_LINES },
	{ "all", "F", ACT_FOLLOW }, { "all", "R", ACT_RELOAD }, { "all", ":", ACT_COMMAND },
	{ "all", "^L", ACT_REDRAW }, { "all", "^Z", ACT_SUSPEND }, { "all", "^C", ACT_CANCEL },
	{ "all", "h", ACT_HELP }, { "all", "<F1>", ACT_HELP },
	{ "all", "q", ACT_CLOSE }, { "all", "<Esc>", ACT_ESCAPE }, { "all", "Q", ACT_QUIT },

	{ "details", "<Enter>", ACT_OPEN },
	{ "packets", "<Enter>", ACT_OPEN }, { "packets", "]", ACT_STREAM_NEXT },
	{ "packets", "[", ACT_STREAM_PREVIOUS },
	{ "streams", "<Enter>", ACT_OPEN },
	{ "statistics", "<Enter>", ACT_OPEN }, { "statistics", "<Tab>", ACT_SORT },
	{ "metadata", "<Tab>", ACT_SORT },
	{ "values", "<Enter>", ACT_OPEN }, { "values", "<Tab>", ACT_SORT },
	{ "answers", "<Enter>", ACT_OPEN }, { "answers", "<Tab>", ACT_SORT }, { "answers", "%", ACT_SPAN_END },
	{ "answers", "<Delete>", ACT_REMOVE }, { "answers", "I", ACT_NEST },
	{ "answers", "w", ACT_CHAIN },
	{ "ladder", "<Enter>", ACT_OPEN }, { "ladder", "<Tab>", ACT_SORT },
	{ "all", "r", ACT_FLAME },
	{ "flame", "<Enter>", ACT_OPEN }, { "flame", "<Tab>", ACT_SORT }, { "flame", "I", ACT_CALLERS },
	{ "flame", "+", ACT_ZOOM_IN }, { "flame", "z", ACT_ZOOM_IN },
	{ "flame", "-", ACT_ZOOM_OUT }, { "flame", "Z", ACT_ZOOM_OUT }, { "flame", "<BS>", ACT_ZOOM_OUT },
	{ "all", "P", ACT_PLOT }, { "all", "a", ACT_WHY }, { "all", "X", ACT_COMPARE },
	{ "plot", "<Enter>", ACT_OPEN }, { "plot", "<Tab>", ACT_SORT }, { "plot", "+", ACT_ZOOM_IN }, { "plot", "-", ACT_ZOOM_OUT },
	{ "plot", "z", ACT_ZOOM_IN }, { "plot", "Z", ACT_ZOOM_OUT },
	{ "lanes", "<Enter>", ACT_OPEN }, { "lanes", "+", ACT_ZOOM_IN }, { "lanes", "-", ACT_ZOOM_OUT },
	{ "lanes", "z", ACT_ZOOM_IN }, { "lanes", "Z", ACT_ZOOM_OUT },
	{ "problems", "<Enter>", ACT_OPEN },
	{ "bookmarks", "<Enter>", ACT_OPEN }, { "bookmarks", "<Delete>", ACT_REMOVE },
	{ "histogram", "<Left>", ACT_EVENT_PREVIOUS }, { "histogram", "<Right>", ACT_EVENT_NEXT },
	{ "histogram", "<Enter>", ACT_OPEN }, { "histogram", "<Tab>", ACT_SORT },
	{ "histogram", "+", ACT_ZOOM_IN }, { "histogram", "-", ACT_ZOOM_OUT },
	{ "histogram", "z", ACT_ZOOM_IN }, { "histogram", "Z", ACT_ZOOM_OUT },
	{ "histogram", "[", ACT_RANGE_BEGIN }, { "histogram", "]", ACT_RANGE_END },
	{ "filters", "<Enter>", ACT_OPEN }, { "filters", "<Space>", ACT_TOGGLE }, { "filters", "<Delete>", ACT_REMOVE },
	{ "filters", "K", ACT_ITEM_UP }, { "filters", "J", ACT_ITEM_DOWN },
	{ "help", "<Enter>", ACT_OPEN }, { "metadata", "<Enter>", ACT_OPEN },
	{ "columns", "<Enter>", ACT_TOGGLE }, { "columns", "<Space>", ACT_TOGGLE }, { "columns", "p", ACT_PIN },
	{ "columns", "K", ACT_ITEM_UP }, { "columns", "J", ACT_ITEM_DOWN },
	{ "columns", "+", ACT_WIDER }, { "columns", "-", ACT_NARROWER },
};

bool
keymap_bind(struct keymap *map, const char *view, const uint32_t *key, size_t n, enum action action)
{
	struct binding *b;

	for (size_t i = 0; i < map->n; i++) {
		b = &map->binding[i];
		if (b->n == n && memcmp(b->key, key, n * sizeof *key) == 0 && strcmp(b->view, view) == 0) {
			b->action = action;
			return true;
		}
	}
	b = array_more(map->binding, map->n, &map->room, sizeof *b);
	if (!b)
		return false;
	map->binding = b;
	b = &map->binding[map->n++];
	*b = (struct binding) { .view = view, .n = n, .action = action };
	memcpy(b->key, key, n * sizeof *key);
	return true;
}

bool
keymap_defaults(struct keymap *map)
{
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
		uint32_t key[KEY_SEQUENCE];
		const char *bad;
		size_t n = keys_parse(key, defaults[i].keys, &bad);

		if (!n || !keymap_bind(map, defaults[i].view, key, n, defaults[i].action))
			return false;
	}
	return true;
}

void
keymap_release(struct keymap *map)
{
	free(map->binding);
	*map = (struct keymap) { 0 };
}

static enum keymap_found
find_in(const struct keymap *map, const char *view, const uint32_t *key, size_t n, enum action *out)
{
	enum keymap_found found = KEYMAP_NONE;

	for (size_t i = 0; i < map->n; i++) {
		const struct binding *b = &map->binding[i];

		if (b->n < n || memcmp(b->key, key, n * sizeof *key) != 0 || strcmp(b->view, view) != 0)
			continue;
		if (b->n == n) {
			*out = b->action;
			return KEYMAP_ACTION;
		}
		found = KEYMAP_MORE;
	}
	return found;
}

enum keymap_found
keymap_find(const struct keymap *map, const char *view, const uint32_t *key, size_t n, enum action *out)
{
	enum keymap_found found = find_in(map, view, key, n, out);

	return found != KEYMAP_NONE ? found : find_in(map, "all", key, n, out);
}
