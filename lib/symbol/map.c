/*
 * map.c - names of addresses from a text file: nm, kallsyms, /proc/PID/maps
 */
#include "symbol/symbols.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"

#define MOST_SYMBOLS ((size_t)8 << 20)
#define MOST_NAME 1000		/* limit of bytes of a name; longer names are cut */
#define LAST_SIZE ((uint64_t)1 << 20)	/* assumed size of the last symbol */

struct symbol {
	uint64_t begin, end;	/* `end` 0: the symbol ends at the next one */
	uint64_t offset;	/* for a mapped file: position of `begin` in the file */
	const char *name;
	unsigned char rank;	/* of several symbols at an address, the one with the smallest rank is shown */
	bool is_file;
};

struct tn_symbol_map {
	struct tn_arena arena;
	TN_ARRAY(struct symbol) symbol;
};

enum tn_code
tn_symbol_map_new(struct tn_symbol_map **out, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);
	*out = calloc(1, sizeof **out);
	return *out ? TN_OK : tn_fail_memory(err);
}

void
tn_symbol_map_free(struct tn_symbol_map *m)
{
	if (!m)
		return;
	tn_arena_release(&m->arena);
	TN_ARRAY_RELEASE(&m->symbol);
	free(m);
}

/* ---- lines ---- */

/* Read a hexadecimal number at *@at, and skip the blanks after it. */
static bool
take_hex(const char **at, uint64_t *out)
{
	const char *p = *at;

	*out = 0;
	for (; isxdigit((unsigned char)*p) && p - *at < 16; p++)
		*out = *out << 4 | (uint64_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 0x20) - 'a' + 10);
	if (p == *at || isxdigit((unsigned char)*p))
		return false;
	*at = p;
	return true;
}

static const char *
skip_words(const char *p, int n)
{
	while (*p == ' ' || *p == '\t')
		p++;
	for (; n; n--) {
		while (*p && *p != ' ' && *p != '\t')
			p++;
		while (*p == ' ' || *p == '\t')
			p++;
	}
	return p;
}

/* Parse "BEGIN-END perms offset device inode path". */
static bool
take_mapping(const char *p, struct symbol *s)
{
	const char *slash;

	if (*p++ != '-' || !take_hex(&p, &s->end) || s->end <= s->begin)
		return false;
	p = skip_words(p, 1);
	if (!take_hex(&p, &s->offset))
		return false;
	p = skip_words(p, 2);
	slash = strrchr(p, '/');
	s->name = slash && slash[1] ? slash + 1 : p;
	s->is_file = true;
	s->rank = 9;
	return *s->name != '\0';
}

/* Parse "ADDRESS [SIZE] TYPE NAME", and perhaps a tab and a module after it. */
static bool
take_symbol(const char *p, struct symbol *s)
{
	static const char ranks[] = "TtWwVviIDdBbRrGgSsCcAaNn";
	const char *rank;
	uint64_t size = 0;

	p = skip_words(p, 0);
	if (p[0] && p[1] != ' ') {
		if (!take_hex(&p, &size))
			return false;
		p = skip_words(p, 0);
	}
	rank = *p ? strchr(ranks, *p) : NULL;
	if (!rank || p[1] != ' ' || !p[2])
		return false;
	s->rank = (unsigned char)(rank - ranks);
	s->end = size && size < UINT64_MAX - s->begin ? s->begin + size : 0;
	s->name = skip_words(p + 1, 0);
	return true;
}

static enum tn_code
take_line(struct tn_symbol_map *m, const char *line, struct tn_error *err)
{
	struct symbol s = { 0 }, *at;
	const char *p = line;
	size_t n;

	if (!take_hex(&p, &s.begin) || !(*p == '-' ? take_mapping(p, &s) : take_symbol(p, &s)))
		return TN_OK;
	if (m->symbol.n >= MOST_SYMBOLS)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "more than %zu symbols", MOST_SYMBOLS);
	n = strcspn(s.name, "\t\r\n");
	s.name = tn_arena_copy(&m->arena, s.name, n < MOST_NAME ? n : MOST_NAME);
	at = s.name ? TN_ARRAY_ADD(&m->symbol) : NULL;
	if (!at)
		return tn_fail_memory(err);
	*at = s;
	return TN_OK;
}

static int
by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;	/* a search finds the last symbol at an address */
	return -strcmp(x->name, y->name);
}

enum tn_code
tn_symbol_map_take(struct tn_symbol_map *m, const char *text, size_t n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	char line[4096];

	for (size_t at = 0, size; at < n && rc == TN_OK; at += size + 1) {
		const char *end = memchr(text + at, '\n', n - at);

		size = end ? (size_t)(end - (text + at)) : n - at;
		snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line - 1), text + at);
		rc = take_line(m, line, err);
	}
	if (m->symbol.n)
		qsort(m->symbol.item, m->symbol.n, sizeof *m->symbol.item, by_address);
	return rc;
}

enum tn_code
tn_symbol_map_read(struct tn_symbol_map *m, const char *path, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	char line[4096];
	bool begins = true, some = false;
	size_t first;
	FILE *f;

	if (!m || !path)
		return tn_fail_null(err);
	first = m->symbol.n;
	f = fopen(path, "re");
	if (!f)
		return errno == ENOENT ? tn_fail(err, TN_ERR_NOT_FOUND, "%s: no such file", path) : tn_fail_errno(err, "%s", path);
	/* The rest of a line that is too long must not become a line. */
	while (rc == TN_OK && fgets(line, sizeof line, f)) {
		if (begins)
			rc = take_line(m, line, err);
		begins = strchr(line, '\n') != NULL;
	}
	if (rc == TN_OK && ferror(f))
		rc = tn_fail_errno(err, "%s", path);
	fclose(f);
	if (rc < 0)
		return tn_at(err, rc, "%s", path);
	for (size_t i = first; i < m->symbol.n && !some; i++)
		some = m->symbol.item[i].begin != 0;
	if (m->symbol.n == first)
		return tn_fail(err, TN_ERR_FORMAT, "%s: no line is a symbol (nm, kallsyms) or a mapping (/proc/PID/maps)", path);
	if (!some)
		return tn_fail(err, TN_ERR_FORMAT, "%s: all addresses are 0: copy kallsyms as root", path);
	qsort(m->symbol.item, m->symbol.n, sizeof *m->symbol.item, by_address);
	return TN_OK;
}

/* ---- names ---- */

/* The first address after a symbol; UINT64_MAX: the symbol does not have an end. */
static uint64_t
end_of(const struct tn_symbol_map *m, size_t i)
{
	const struct symbol *s = &m->symbol.item[i];
	uint64_t last = s->begin < UINT64_MAX - LAST_SIZE ? s->begin + LAST_SIZE : UINT64_MAX;

	return s->end ? s->end : i + 1 < m->symbol.n ? UINT64_MAX : last;
}

enum tn_code
tn_symbol_map_functions(const struct tn_symbol_map *m, struct tn_arena *arena, struct tn_function **out, size_t *n,
			struct tn_error *err)
{
	struct tn_function *f = TN_NEW_ARRAY(arena, m->symbol.n + 1, struct tn_function);

	*out = f;
	*n = 0;
	if (!f)
		return tn_fail_memory(err);
	for (size_t i = 0; i < m->symbol.n; i++) {
		const struct symbol *s = &m->symbol.item[i];
		uint64_t next = i + 1 < m->symbol.n ? s[1].begin : UINT64_MAX, end = end_of(m, i);

		end = end < next ? end : next;
		if (!s->is_file && end > s->begin)
			f[(*n)++] = (struct tn_function) { s->begin, end - 1, s->name };
	}
	return TN_OK;
}

bool
tn_symbol_map_name(const struct tn_symbol_map *m, uint64_t address, bool with_offset, struct tn_str *out)
{
	size_t lo = 0;
	const struct symbol *s;

	if (!m || !out)
		return false;
	TN_BISECT(lo, m->symbol.n, mid, m->symbol.item[mid].begin <= address);
	if (!lo)
		return false;
	s = &m->symbol.item[lo - 1];
	if (address >= end_of(m, lo - 1))
		return false;
	tn_str_puts(out, s->name);
	if (s->is_file || (with_offset && address > s->begin))
		tn_str_printf(out, "+0x%" PRIx64, address - s->begin + s->offset);
	return true;
}
