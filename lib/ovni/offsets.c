/*
 * offsets.c - clock-offsets.txt: offsets for the clocks of hosts (6)
 *
 * The first line is a header, which is ignored; then a line a host: rank, host, median, mean, deviation.
 */
#include "ovni/private.h"

#include <string.h>

#define OFFSETS_MAX (UINT64_C(16) << 20)	/* bytes of the file */

struct offsets {
	struct tn_trace *trace;
	const char *path;
	size_t line;
	struct tn_ovni_offsets *out;
};

/* Read a real number and cut it to an integer, without functions that depend on the locale. */
static bool
parse_real(const char *text, int64_t *out)
{
	bool minus = *text == '-';
	uint64_t v = 0;

	text += *text == '-' || *text == '+';
	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (v > (INT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(*text - '0');
	}
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++)
			;
	*out = minus ? -(int64_t)v : (int64_t)v;
	return !*text;
}

static enum tn_code
add_offset(struct offsets *o, const char *name, int64_t median, struct tn_error *err)
{
	char *host = tn_arena_string(&o->trace->arena, name);
	struct tn_ovni_offset *offset;
	struct tn_hash_item *item;
	bool is_new;

	item = host ? tn_hash_add(&o->out->by_host, host, strlen(host), &is_new) : NULL;
	if (!item)
		return tn_fail_memory(err);
	if (!is_new) {
		tn_tell(&o->trace->problems, TN_WRONG, "%s:%zu: host \"%s\" is there twice: the first line counts", o->path,
			o->line, host);
		return TN_OK;
	}
	item->value = o->out->list.n;
	offset = TN_ARRAY_ADD(&o->out->list);
	if (!offset)
		return tn_fail_memory(err);
	offset->host = host;
	offset->median = median;
	return TN_OK;
}

/* @text is one line without its newline; it is cut into words. */
static enum tn_code
parse_line(struct offsets *o, char *text, struct tn_error *err)
{
	char *word[5], *save = NULL;
	int64_t number[5] = { 0 };
	size_t n = 0;

	for (char *w = strtok_r(text, " \t\r\v\f", &save); w && n < 5; w = strtok_r(NULL, " \t\r\v\f", &save))
		word[n++] = w;
	if (n == 0)
		return TN_OK;
	for (size_t i = 0; i < n; i++) {
		if (i != 1 && !parse_real(word[i], &number[i])) {
			tn_tell(&o->trace->problems, TN_WRONG, "%s:%zu: not a number: \"%.80s\"", o->path, o->line, word[i]);
			return TN_OK;
		}
	}
	if (n < 5) {
		tn_tell(&o->trace->problems, TN_WRONG,
			"%s:%zu: %zu words, not the five of \"rank host median mean deviation\"", o->path, o->line, n);
		return TN_OK;
	}
	return add_offset(o, word[1], number[2], err);
}

static enum tn_code
parse_text(struct offsets *o, char *text, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (o->line = 1; text && rc == TN_OK; o->line++) {
		char *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		if (o->line > 1)
			rc = parse_line(o, text, err);
		text = end;
	}
	return rc;
}

enum tn_code
tn_ovni_load_offsets(struct tn_ovni_offsets *out, struct tn_trace *trace, const char *path, struct tn_error *err)
{
	struct offsets o = { .trace = trace, .path = path, .out = out };
	struct tn_map map;
	enum tn_code rc = tn_map_open(&map, path, err);

	*out = (struct tn_ovni_offsets) { 0 };
	if (rc == TN_ERR_NOT_FOUND)
		return TN_OK;
	if (rc == TN_ERR_MEMORY)
		return rc;
	if (rc < 0 || map.size > OFFSETS_MAX) {
		tn_tell(&trace->problems, TN_DAMAGE, "%s: cannot be read: clocks are not corrected", path);
		if (rc == TN_OK)
			tn_map_release(&map);
		return TN_OK;
	}
	if (map.size) {
		char *text = tn_arena_copy(&trace->arena, (const char *)map.data, map.size);

		rc = text ? parse_text(&o, text, err) : tn_fail_memory(err);
	}
	tn_map_release(&map);
	return rc;
}

struct tn_ovni_offset *
tn_ovni_find_offset(const struct tn_ovni_offsets *offsets, const char *host, size_t n)
{
	struct tn_hash_item *item = tn_hash_find(&offsets->by_host, host, n);

	return item ? &offsets->list.item[item->value] : NULL;
}

void
tn_ovni_offsets_release(struct tn_ovni_offsets *offsets)
{
	TN_ARRAY_RELEASE(&offsets->list);
	tn_hash_release(&offsets->by_host);
}
