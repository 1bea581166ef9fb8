/* text_files.c - the texts of a folder: info, task.txt, maps, symbols (uftrace.md, 2, 3 and 7) */
#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/str.h"
#include "uftrace/private.h"

#define MOST_TASKS 65536
#define MOST_MAPS 65536			/* limit of maps of a session */
#define MOST_SYMBOL_BYTES (UINT64_C(256) << 20)
#define MOST_LINE 65536
#define MOST_EVENTS 4096

struct lines {
	const char *p, *end;
};

/* Get the next line, without its newline; false: no more lines. */
static bool
next_line(struct lines *l, const char **line, size_t *n)
{
	const char *newline;

	if (l->p >= l->end)
		return false;
	newline = memchr(l->p, '\n', (size_t)(l->end - l->p));
	*line = l->p;
	*n = (size_t)((newline ? newline : l->end) - l->p);
	l->p = newline ? newline + 1 : l->end;
	return true;
}

bool
tn_uf_map(struct tn_uf_trace *t, struct tn_map *map, const char *name, bool needed)
{
	struct tn_str path = { 0 };
	struct tn_error why = { 0 };
	enum tn_code rc;

	tn_str_printf(&path, "%s/%s", t->trace->path, name);
	rc = path.failed ? TN_ERR_MEMORY : tn_trace_map(t->trace, map, path.text, &why);
	if (rc < 0 && needed)
		tn_tell(&t->trace->problems, TN_WARNING, "%s: names of functions are missing: %s", t->trace->path, why.text);
	tn_str_release(&path);
	return rc == TN_OK;
}

/*
 * Returns the text after @key in a line of KEY=VALUE pairs, up to a blank or in quotes; NULL: the key is absent, or
 * memory is out.
 */
static char *
value_of(struct tn_uf_trace *t, const char *line, size_t n, const char *key)
{
	size_t size = strlen(key);
	const char *p = memmem(line, n, key, size), *end = line + n, *stop;

	if (!p || n > MOST_LINE)
		return NULL;
	p += size;
	if (p < end && *p == '"') {
		p++;
		stop = memchr(p, '"', (size_t)(end - p));
	} else {
		stop = memchr(p, ' ', (size_t)(end - p));
	}
	return tn_arena_copy(&t->trace->arena, p, (size_t)((stop ? stop : end) - p));
}

static int64_t
number_of(struct tn_uf_trace *t, const char *line, size_t n, const char *key)
{
	char *text = value_of(t, line, n, key);

	return text ? strtoll(text, NULL, 10) : 0;
}

/* Convert a time "SECONDS.NANOSECONDS". */
static uint64_t
time_of(struct tn_uf_trace *t, const char *line, size_t n)
{
	char *text = value_of(t, line, n, "timestamp="), *dot;
	uint64_t seconds = text ? strtoull(text, &dot, 10) : 0;

	return text && *dot == '.' && seconds < UINT64_C(1) << 32 ? seconds * 1000000000 + strtoull(dot + 1, NULL, 10) : 0;
}

/* ---- info ---- */

/* Add a spec "NAME@arg1/d32". A C++ name is changed to the form in which functions are shown. */
static bool
add_spec(struct tn_uf_trace *t, const char *p, size_t n)
{
	const char **one = TN_ARRAY_ADD(&t->spec_lines);
	char *text = tn_arena_copy(&t->trace->arena, p, n), *at = text ? strchr(text, '@') : NULL;
	struct tn_str name = { 0 };

	if (!one || !text)
		return false;
	if (at && strncmp(text, "_Z", 2) == 0) {
		*at = '\0';
		tn_uf_demangle(&name, text);
		tn_str_printf(&name, "@%s", at + 1);
		text = name.failed ? NULL : tn_arena_string(&t->trace->arena, name.text);
	}
	*one = text;
	tn_str_release(&name);
	return text;
}

static bool
add_specs(struct tn_uf_trace *t, const char *p, size_t n)
{
	while (n) {
		const char *semicolon = memchr(p, ';', n);
		size_t size = semicolon ? (size_t)(semicolon - p) : n;
		if (size && !add_spec(t, p, size))
			return false;
		n -= size + (semicolon != NULL);
		p += size + 1;
	}
	return true;
}

static bool
read_info_line(struct tn_uf_trace *t, const char *line, size_t n)
{
	static const char *const kinds[] = { "argspec:", "retspec:", "argauto:", "retauto:" };
	const struct { const char *key; const char **to; } texts[] = {
		{ "exename:", &t->program }, { "cmdline:", &t->command }, { "osinfo:kernel=", &t->kernel },
		{ "osinfo:hostname=", &t->hostname }, { "uftrace_version:", &t->writer },
	};

	for (size_t i = 0; i < TN_COUNT(texts); i++)
		if (n > strlen(texts[i].key) && memcmp(line, texts[i].key, strlen(texts[i].key)) == 0) {
			size_t size = strlen(texts[i].key);

			return (*texts[i].to = tn_arena_copy(&t->trace->arena, line + size, n - size));
		}
	t->is_glob |= n == 17 && memcmp(line, "pattern_type:glob", 17) == 0;
	for (size_t i = 0; i < TN_COUNT(kinds); i++)
		if (n > 8 && memcmp(line, kinds[i], 8) == 0) {
			bool good = memcmp(line + 8, "lines=", 6) == 0 || add_specs(t, line + 8, n - 8);

			t->n_manual = i < 2 ? t->spec_lines.n : t->n_manual;
			return good;
		}
	return true;
}

static enum tn_code
read_info(struct tn_uf_trace *t, struct tn_error *err)
{
	struct tn_map map = { 0 };
	struct lines l;
	const char *line;
	size_t n;
	bool good = true;

	if (!tn_uf_map(t, &map, "info", false) || map.size < 40) {
		tn_map_release(&map);
		return tn_fail(err, TN_ERR_FORMAT, "%s/info: the file ends in its header", t->trace->path);
	}
	t->big_endian = map.data[14] == 2;
	t->is_32 = map.data[15] == 1;
	t->version = (unsigned)tn_uf_number(map.data + 8, 4, t->big_endian);
	l = (struct lines) { (const char *)map.data + 40, (const char *)map.data + map.size };
	while (good && next_line(&l, &line, &n))
		good = read_info_line(t, line, n);
	tn_map_release(&map);
	if (!good)
		return tn_fail_memory(err);
	if (t->version < 3 || t->version > 4)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: the folder has version %u of uftrace: tnav reads 3 and "
							"4", t->trace->path,
			       t->version);
	return TN_OK;
}

/* ---- symbols ---- */

static int
by_address(const void *a, const void *b)
{
	const struct tn_uf_symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static bool
add_symbol(struct tn_uf_trace *t, struct tn_uf_module *m, const char *line, size_t n)
{
	struct tn_str name = { 0 };
	struct tn_uf_symbol *s;
	char *raw, *rest, *text = NULL;
	bool good;

	if (n < 4 || *line == '#' || n > MOST_LINE)
		return true;
	if (!(raw = tn_arena_copy(&t->trace->arena, line, n)) || !(s = TN_ARRAY_ADD(&m->symbols)))
		return false;
	s->address = strtoull(raw, &rest, 16);
	if (rest[0] == ' ' && rest[1] == '+')
		strtoull(rest + 2, &rest, 16);
	if (rest[0] != ' ' || !rest[1] || rest[2] != ' ') {
		m->symbols.n--;
		return true;
	}
	if (rest[1] == '?')
		return true;
	if (m == &t->kernel_data.symbols) {
		/* The kernel shows addresses as 0 to readers without privilege. */
		if (!s->address || !strchr("TtWw", rest[1]))
			m->symbols.n--;
		rest[3 + strcspn(rest + 3, "\t")] = '\0';
		s->name = rest + 3;
		return true;
	}
	good = tn_uf_demangle(&name, rest + 3) && (text = tn_arena_alloc(&t->trace->arena, name.n + 1 + TN_LOOKUP_SLACK));
	if (good) {
		memcpy(text, name.text, name.n + 1);
		s->name = text;
		good = tn_uf_find_specs(t, s, rest + 3, NULL, NULL);
	}
	tn_str_release(&name);
	return good;
}

/* Read the specs that come from the debug information of a program: lines F (address and name), A and R. */
static bool
read_debug(struct tn_uf_trace *t, struct tn_uf_module *m, const char *name)
{
	struct tn_uf_symbol *symbol = NULL;
	struct lines l;
	struct tn_map map = { 0 };
	const char *line;
	size_t n;
	bool good = true;

	if (!tn_uf_map(t, &map, name, false))
		return true;
	l = (struct lines) { (const char *)map.data, (const char *)map.data + map.size };
	while (good && next_line(&l, &line, &n)) {
		bool known = n > 3 && n < MOST_LINE && strchr("FAR", *line) && line[1] == ':';
		char *text = known ? tn_arena_copy(&t->trace->arena, line, n) : NULL;

		if (text && *text == 'F') {
			struct tn_uf_symbol key = { .address = strtoull(text + 3, NULL, 16) };

			symbol = m->symbols.n ? bsearch(&key, m->symbols.item, m->symbols.n, sizeof key, by_address) : NULL;
		} else if (text && symbol && symbol->name && text[3] == '@') {
			good = tn_uf_find_specs(t, symbol, "", *text == 'A' ? text + 4 : NULL, *text == 'R' ? text + 4 : NULL);
		}
	}
	tn_map_release(&map);
	return good;
}

bool
tn_uf_read_symbols(struct tn_uf_trace *t, struct tn_uf_module *m, const char *file)
{
	struct tn_map map = { 0 };
	struct lines l;
	const char *line;
	size_t n;
	bool good = true;

	if (!tn_uf_map(t, &map, file, false))
		return true;
	l = (struct lines) { (const char *)map.data, (const char *)map.data + map.size };
	t->symbol_bytes += map.size;
	while (good && t->symbol_bytes < MOST_SYMBOL_BYTES && next_line(&l, &line, &n))
		good = add_symbol(t, m, line, n);
	tn_map_release(&map);
	if (m->symbols.n)
		qsort(m->symbols.item, m->symbols.n, sizeof *m->symbols.item, by_address);
	return good;
}

static const struct tn_uf_module *
open_module(struct tn_uf_trace *t, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	struct tn_uf_module *m, **add;
	struct tn_str name = { 0 };
	bool good = true;

	for (size_t i = 0; i < t->modules.n; i++)
		if (strcmp(t->modules.item[i]->name, base) == 0)
			return t->modules.item[i];
	if (!(m = TN_NEW(&t->trace->arena, struct tn_uf_module)) || !(add = TN_ARRAY_ADD(&t->modules)))
		return NULL;
	*add = m;
	m->name = base;
	tn_str_printf(&name, "%s.sym", base);
	if (*base && *base != '[' && !name.failed) {
		good = tn_uf_read_symbols(t, m, name.text);
		tn_str_clear(&name);
		tn_str_printf(&name, "%s.dbg", base);
		good = good && !name.failed && (!m->symbols.n || read_debug(t, m, name.text));
	}
	good = good && !name.failed;
	tn_str_release(&name);
	return good ? m : NULL;
}

/* ---- sessions ---- */

static int
by_begin(const void *a, const void *b)
{
	const struct tn_uf_map *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Parse lines "begin-end perms offset dev inode path build-id:HEX". */
static bool
read_maps(struct tn_uf_trace *t, struct tn_uf_session *s)
{
	struct tn_str name = { 0 };
	struct tn_map file = { 0 };
	struct lines l;
	const char *line;
	size_t n;
	bool good;

	tn_str_printf(&name, "sid-%s.map", s->id);
	good = !name.failed;
	if (good && tn_uf_map(t, &file, name.text, true)) {
		l = (struct lines) { (const char *)file.data, (const char *)file.data + file.size };
		while (good && s->maps.n < MOST_MAPS && next_line(&l, &line, &n)) {
			char *text = n < MOST_LINE ? tn_arena_copy(&t->trace->arena, line, n) : NULL, *p = text, *id;
			struct tn_uf_map map = { 0 }, *add;

			good = text || n >= MOST_LINE;
			map.begin = p ? strtoull(p, &p, 16) : 0;
			if (!p || *p++ != '-')
				continue;
			map.end = strtoull(p, &p, 16);
			p += strspn(p, " ");
			p += strcspn(p, " ");
			map.offset = strtoull(p, &p, 16);
			p = strchr(p, '/');
			if (!p)
				continue;
			if ((id = strstr(p, " build-id:")))
				*id = '\0';
			good = (map.module = open_module(t, p)) && (add = TN_ARRAY_ADD(&s->maps));
			if (good)
				*add = map;
		}
		tn_map_release(&file);
	}
	tn_str_release(&name);
	if (s->maps.n)
		qsort(s->maps.item, s->maps.n, sizeof *s->maps.item, by_begin);
	return good;
}

static bool
add_session(struct tn_uf_trace *t, const char *line, size_t n)
{
	struct tn_uf_session *s = TN_NEW(&t->trace->arena, struct tn_uf_session), **add = TN_ARRAY_ADD(&t->sessions);
	char *path = value_of(t, line, n, "exename="), *slash = path ? strrchr(path, '/') : NULL;

	if (!s || !add) {
		t->sessions.n -= add != NULL;
		return false;
	}
	*add = s;
	s->time = time_of(t, line, n);
	s->pid = number_of(t, line, n, " pid=");
	s->id = value_of(t, line, n, " sid=");
	s->program = slash ? slash + 1 : path ? path : "";
	/* The id must be usable as a file name in this folder. */
	if (!s->id || !*s->id || s->id[strspn(s->id, "0123456789abcdefABCDEF")])
		return true;
	return read_maps(t, s);
}

static enum tn_code
read_tasks(struct tn_uf_trace *t, struct tn_error *err)
{
	struct tn_map map = { 0 };
	struct lines l;
	const char *line;
	size_t n;
	bool good = true;

	if (!tn_uf_map(t, &map, "task.txt", true))
		return TN_OK;
	l = (struct lines) { (const char *)map.data, (const char *)map.data + map.size };
	while (good && next_line(&l, &line, &n) && t->tasks.n < MOST_TASKS) {
		bool task = n > 5 && memcmp(line, "TASK ", 5) == 0, fork = n > 5 && memcmp(line, "FORK ", 5) == 0;
		struct tn_uf_task *add;

		if (n > 5 && memcmp(line, "SESS ", 5) == 0) {
			good = t->sessions.n < MOST_TASKS ? add_session(t, line, n) : true;
		} else if (task || fork) {
			good = (add = TN_ARRAY_ADD(&t->tasks));
			if (!good)
				break;
			add->time = time_of(t, line, n);
			add->pid = number_of(t, line, n, " pid=");
			add->tid = task ? number_of(t, line, n, " tid=") : add->pid;
			add->parent = fork ? number_of(t, line, n, " ppid=") : 0;
		}
	}
	tn_map_release(&map);
	return good ? TN_OK : tn_fail_memory(err);
}

/* Read lines "EVENT: ID provider:name". */
static enum tn_code
read_events(struct tn_uf_trace *t, struct tn_error *err)
{
	struct tn_map map = { 0 };
	struct lines l;
	const char *line;
	size_t n;
	bool good = true;

	if (!tn_uf_map(t, &map, "events.txt", false))
		return TN_OK;
	l = (struct lines) { (const char *)map.data, (const char *)map.data + map.size };
	while (good && next_line(&l, &line, &n) && t->events.n < MOST_EVENTS)
		if (n > 8 && n < MOST_LINE && memcmp(line, "EVENT: ", 7) == 0) {
			char *name = tn_arena_copy(&t->trace->arena, line + 7, n - 7), *rest;
			uint64_t id = name ? strtoull(name, &rest, 10) : 0;

			good = name && (*rest != ' ' || id > UINT32_MAX || tn_uf_add_event(t, (uint32_t)id, rest + 1));
		}
	tn_map_release(&map);
	return good ? TN_OK : tn_fail_memory(err);
}

bool
tn_uf_find_sessions(struct tn_uf_trace *t, struct tn_uf_stream *s)
{
	int64_t pid = 0;
	uint64_t until = UINT64_MAX;

	s->session = TN_NEW_ARRAY(&t->trace->arena, t->sessions.n + 1, const struct tn_uf_session *);
	if (!s->session)
		return false;
	for (size_t i = 0; i < t->tasks.n; i++)
		if (t->tasks.item[i].tid == s->tid)
			pid = t->tasks.item[i].pid;
	s->pid = pid = pid ? pid : s->tid;
	/*
	 * Collect the sessions of the process and of the processes that forked it, latest first; the order is
	 * reversed at the end.
	 */
	for (size_t depth = 0; depth < 64 && pid; depth++) {
		const struct tn_uf_task *fork = NULL;

		for (size_t i = t->sessions.n; i-- > 0;)
			if (t->sessions.item[i]->pid == pid && t->sessions.item[i]->time <= until && s->n_sessions < t->sessions.n)
				s->session[s->n_sessions++] = t->sessions.item[i];
		for (size_t i = 0; i < t->tasks.n && !fork; i++)
			if (t->tasks.item[i].parent && t->tasks.item[i].pid == pid)
				fork = &t->tasks.item[i];
		pid = fork && fork->parent != pid ? fork->parent : 0;
		until = fork ? fork->time : 0;
	}
	for (size_t i = 0; i < s->n_sessions / 2; i++) {
		const struct tn_uf_session *swap = s->session[i];

		s->session[i] = s->session[s->n_sessions - 1 - i];
		s->session[s->n_sessions - 1 - i] = swap;
	}
	return true;
}

static const struct tn_uf_symbol *
search_module(const struct tn_uf_module *m, uint64_t address)
{
	size_t lo = 0;

	TN_BISECT(lo, m->symbols.n, mid, m->symbols.item[mid].address <= address);
	return lo && m->symbols.item[lo - 1].name ? &m->symbols.item[lo - 1] : NULL;
}

const char *
tn_uf_kernel_symbol(const struct tn_uf_trace *t, uint64_t address)
{
	const struct tn_uf_symbol *s = search_module(&t->kernel_data.symbols, address);

	return s ? s->name : NULL;
}

const struct tn_uf_symbol *
tn_uf_find_symbol(const struct tn_uf_session *session, uint64_t address)
{
	const struct tn_uf_map *map = NULL;
	size_t lo = 0;

	TN_BISECT(lo, session ? session->maps.n : 0, mid, session->maps.item[mid].begin <= address);
	if (!lo || address >= (map = &session->maps.item[lo - 1])->end)
		return NULL;
	return search_module(map->module, address - map->begin + map->offset);
}

/* ---- all of it ---- */

enum tn_code
tn_uf_read_folder(struct tn_uf_trace *t, struct tn_error *err)
{
	enum tn_code rc = read_info(t, err);

	if (rc == TN_OK)
		rc = tn_uf_build(t, err);
	if (rc == TN_OK)
		rc = read_events(t, err);
	return rc == TN_OK ? read_tasks(t, err) : rc;
}

void
tn_uf_release_folder(struct tn_uf_trace *t)
{
	for (size_t i = 0; i < t->sessions.n; i++)
		TN_ARRAY_RELEASE(&t->sessions.item[i]->maps);
	for (size_t i = 0; i < t->modules.n; i++)
		TN_ARRAY_RELEASE(&t->modules.item[i]->symbols);
	for (size_t i = 0; i < t->specs.n; i++)
		free(t->specs.item[i]->arg);
	TN_ARRAY_RELEASE(&t->kernel_data.symbols.symbols);
	TN_ARRAY_RELEASE(&t->sessions);
	TN_ARRAY_RELEASE(&t->tasks);
	TN_ARRAY_RELEASE(&t->modules);
	TN_ARRAY_RELEASE(&t->specs);
	TN_ARRAY_RELEASE(&t->events);
	TN_ARRAY_RELEASE(&t->classes);
	TN_ARRAY_RELEASE(&t->spec_lines);
}
