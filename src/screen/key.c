#include <config.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistr.h>

#include "key.h"

static const struct {
	uint32_t key;
	const char *name;
} named[] = {
	{ K_ENTER, "Enter" }, { K_TAB, "Tab" }, { K_ESC, "Esc" }, { ' ', "Space" }, { '<', "lt" },
#define K(name, text) { K_##name, text },
	KEYS(K)
#undef K
};

/* Parse the name between < and >. */
static uint32_t
parse_name(const char *name, size_t n)
{
	uint32_t flag = 0;

	if (n > 2 && (name[0] == 'M' || name[0] == 'm') && name[1] == '-') {
		flag = K_ALT;
		name += 2;
		n -= 2;
		if (n == 1)
			return (unsigned char)name[0] | flag;
	}
	if (n == 3 && (name[0] == 'C' || name[0] == 'c') && name[1] == '-')
		return K_CTRL((uint32_t)(unsigned char)name[2]) | flag;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (strlen(named[i].name) == n && strncasecmp(named[i].name, name, n) == 0)
			return named[i].key | flag;
	return K_NONE;
}

/* Parse one key at *text, and advance *text past it. */
static uint32_t
parse_one(const char **text)
{
	const char *t = *text, *end;
	ucs4_t uc;
	int used;

	if (t[0] == '<' && (end = strchr(t, '>')) != NULL && end > t + 1) {
		*text = end + 1;
		return parse_name(t + 1, (size_t)(end - t - 1));
	}
	if (t[0] == '^' && t[1] >= '?' && t[1] <= 'z') {
		*text = t + 2;
		return t[1] == '?' ? K_BACKSPACE : K_CTRL((uint32_t)t[1]);
	}
	used = u8_mbtoucr(&uc, (const uint8_t *)t, strlen(t));
	if (used <= 0 || uc < ' ')
		return K_NONE;
	*text = t + used;
	return uc;
}

size_t
keys_parse(uint32_t keys[KEY_SEQUENCE], const char *text, const char **bad)
{
	size_t n = 0;

	*bad = text;
	while (*text) {
		uint32_t key;

		*bad = text;
		if (n == KEY_SEQUENCE || (key = parse_one(&text)) == K_NONE)
			return 0;
		keys[n++] = key;
	}
	return n;
}

static size_t
name_one(uint32_t key, char *room, size_t size)
{
	char text[8] = "";
	const char *alt = key & K_ALT ? "M-" : "";
	int n;

	key &= ~(uint32_t)K_ALT;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].key == key) {
			n = snprintf(room, size, "<%s%s>", alt, named[i].name);
			return n > 0 && (size_t)n < size ? (size_t)n : 0;
		}
	if (key < ' ') {
		text[0] = '^';
		text[1] = (char)(key + '@');
	} else {
		key_text(key, text);
	}
	n = snprintf(room, size, *alt ? "<%s%s>" : "%s%s", alt, text);
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

const char *
keys_name(const uint32_t *keys, size_t n, char *room, size_t size)
{
	size_t used = 0;

	if (size)
		room[0] = '\0';
	for (size_t i = 0; i < n; i++)
		used += name_one(keys[i], room + used, size - used);
	return room;
}

size_t
key_text(uint32_t key, char room[4])
{
	int n;

	if (key < ' ' || key == 0x7f || key >= K_FIRST)
		return 0;
	n = u8_uctomb((uint8_t *)room, key, 4);
	return n > 0 ? (size_t)n : 0;
}
