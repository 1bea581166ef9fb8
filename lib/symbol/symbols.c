/* symbols.c - the names of an event's address: the mapping, the helper of the mapped file, and stored answers */
#include "symbol/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/options.h"
#include "model/decoder.h"

#define DEBUG_DIR "/usr/lib/debug"
#define MOST_ID 64		/* limit of bytes of a build id */
#define MOST_HELPERS 16		/* limit of helpers at a time */
#define MOST_ANSWERS 65536	/* limit of stored answers; when it is reached, all are dropped */
/* Limits of helper failures, for a file and for all files. When one is reached, no more helpers are started. */
#define MOST_FAILURES_OF_FILE 3
#define MOST_FAILURES 12
#define ANSWERS_FOR_FAILURE 256	/* a failure after as many answers does not count: a helper has 20 seconds for all of them */

/* Readable texts: file and offset; function; source and line; inlined functions. */
enum { TEXT_BINARY, TEXT_FUNCTION, TEXT_SOURCE, TEXT_INLINED, TEXTS };

struct answer {
	const char *text[TEXTS];
	size_t n[TEXTS];
};

enum tn_code
tn_symbols_new(struct tn_symbols **out, struct tn_set *set, const struct tn_symbols_options *options, struct tn_error *err)
{
	struct tn_symbols *s;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set)
		return tn_fail_null(err);
	s = calloc(1, sizeof *s);
	if (!s)
		return tn_fail_memory(err);
	s->options = (struct tn_symbols_options) { TN_SYMBOLS_OPTIONS };
	pthread_mutex_init(&s->lock, NULL);
	pthread_rwlock_init(&s->mapped, NULL);
	pthread_mutex_init(&s->telling, NULL);
	rc = options ? tn_options_take(&s->options, sizeof s->options, options, "tn_symbols_options", err) : TN_OK;
	if (rc == TN_OK) {
		s->debug_dir = strdup(s->options.debug_dir ? s->options.debug_dir : DEBUG_DIR);
		s->prefix = s->options.target_prefix ? strdup(s->options.target_prefix) : NULL;
		if (!s->debug_dir || (s->options.target_prefix && !s->prefix))
			rc = tn_fail_memory(err);
	}
	for (size_t i = 0; i < set->n_traces && rc == TN_OK; i++) {
		const struct tn_trace *trace = set->trace[i];

		if (trace->kallsyms_size && !s->kernel)
			rc = tn_symbol_map_new(&s->kernel, err);
		if (trace->kallsyms_size && rc == TN_OK)
			rc = tn_symbol_map_take(s->kernel, trace->kallsyms, trace->kallsyms_size, err);
	}
	if (rc == TN_OK)
		rc = tn_mappings_read(&s->mappings, set, s->options.threads, INT64_MAX, err);
	if (rc < 0) {
		tn_symbols_free(s);
		return rc;
	}
	*out = s;
	return TN_OK;
}

enum tn_code
tn_symbols_grow(struct tn_symbols *s, struct tn_set *set, int64_t end_ns, bool *changed, struct tn_error *err)
{
	enum tn_code rc;

	if (!s || !set)
		return tn_fail_null(err);
	pthread_mutex_lock(&s->lock);
	pthread_rwlock_wrlock(&s->mapped);
	/* The first mappings come from incomplete traces: read all of them again. */
	if (!s->grows) {
		s->first = s->mappings;
		s->mappings = (struct tn_mappings) { .changed = true };
		s->grows = true;
	}
	rc = tn_mappings_read(&s->mappings, set, s->options.threads, end_ns, err);
	if (changed)
		*changed = s->mappings.changed;
	if (s->mappings.changed)
		s->functions = NULL;
	s->mappings.changed = false;
	pthread_rwlock_unlock(&s->mapped);
	pthread_mutex_unlock(&s->lock);
	return rc;
}

void
tn_symbols_free(struct tn_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->binary.n; i++)
		tn_helper_stop(&s->binary.item[i].helper);
	TN_ARRAY_RELEASE(&s->binary);
	tn_hash_release(&s->binaries);
	tn_hash_release(&s->answers);
	tn_arena_release(&s->arena);
	tn_arena_release(&s->keys);
	tn_arena_release(&s->function_arena);
	TN_ARRAY_RELEASE(&s->file);
	tn_mappings_release(&s->mappings);
	tn_mappings_release(&s->first);
	tn_symbol_map_free(s->kernel);
	tn_libdw_unload(&s->dw);
	pthread_mutex_destroy(&s->lock);
	pthread_rwlock_destroy(&s->mapped);
	pthread_mutex_destroy(&s->telling);
	free(s->debug_dir);
	free(s->prefix);
	free(s);
}

size_t
tn_symbols_mappings(const struct tn_symbols *s)
{
	return s ? s->mappings.n + (s->kernel != NULL) : 0;
}

size_t
tn_symbols_problem(struct tn_symbols *s, char *out, size_t room)
{
	size_t n;

	if (!s || (!out && room))
		return 0;
	pthread_mutex_lock(&s->telling);
	n = strlen(s->problem);
	if (room)
		snprintf(out, room, "%s", s->problem);
	pthread_mutex_unlock(&s->telling);
	return n;
}

/* ---- files ---- */

/* Append a part, with one slash before it. */
static void
put_part(struct tn_str *path, const char *part)
{
	while (path->n && *part == '/')
		part++;
	while (path->n > 1 && path->text[path->n - 1] == '/')
		path->n--;
	if (path->n && path->text[path->n - 1] != '/')
		tn_str_puts(path, "/");
	tn_str_puts(path, part);
}

static void
put_elf_path(const struct tn_symbols *s, const struct tn_image *m, struct tn_str *path)
{
	if (s->prefix)
		put_part(path, s->prefix);
	put_part(path, m->path);
}

/* Open a regular file without blocking; -1: this failed. */
static int
open_file(const struct tn_str *path)
{
	int fd = path->failed || !path->n ? -1 : open(path->text, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Open DIR/.build-id/ab/cdef.debug. */
static int
open_by_id(const struct tn_symbols *s, const uint8_t *id, size_t n)
{
	struct tn_str path = { 0 };
	int fd;

	put_part(&path, s->debug_dir);
	put_part(&path, ".build-id");
	for (size_t i = 0; i < n; i++)
		tn_str_printf(&path, i ? i == 1 ? "/%02x" : "%02x" : "/%02x", id[i]);
	tn_str_puts(&path, n > 1 ? ".debug" : "/.debug");
	fd = open_file(&path);
	tn_str_release(&path);
	return fd;
}

static size_t
padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Find the build id in notes. Returns its size; 0: none. */
static size_t
id_in_notes(const uint8_t *bytes, size_t n, uint8_t id[MOST_ID])
{
	Elf64_Nhdr note;

	for (size_t at = 0; at < n && n - at >= sizeof note;) {
		size_t name = at + sizeof note, text;

		memcpy(&note, bytes + at, sizeof note);
		text = name + padded(note.n_namesz);
		if (text > n || note.n_descsz > n - text)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" && note.n_descsz <= MOST_ID &&
		    memcmp(bytes + name, "GNU", sizeof "GNU") == 0) {
			memcpy(id, bytes + text, note.n_descsz);
			return note.n_descsz;
		}
		at = text + padded(note.n_descsz);
	}
	return 0;
}

/* Find the build id of an ELF file. Returns its size; 0: none. */
static size_t
own_build_id(int fd, uint8_t id[MOST_ID])
{
	uint8_t bytes[4096];
	Elf64_Ehdr head;
	Elf64_Phdr p;
	size_t found = 0;

	if (fd < 0 || pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof p)
		return 0;
	for (size_t i = 0; i < head.e_phnum && !found; i++) {
		ssize_t n;

		if (pread(fd, &p, sizeof p, (off_t)(head.e_phoff + i * sizeof p)) != (ssize_t)sizeof p)
			return 0;
		n = p.p_filesz < sizeof bytes ? (ssize_t)p.p_filesz : (ssize_t)sizeof bytes;
		n = p.p_type == PT_NOTE ? pread(fd, bytes, (size_t)n, (off_t)p.p_offset) : 0;
		if (n > 0)
			found = id_in_notes(bytes, (size_t)n, id);
	}
	return found;
}

static void
open_files(const struct tn_symbols *s, const struct tn_binary *b, struct tn_helper_work *work)
{
	const struct tn_image *m = b->mapping;
	struct tn_str elf = { 0 }, path = { 0 };
	uint8_t id[MOST_ID];
	size_t folder, n;

	for (int i = 0; i < TN_HELPER_FILES; i++)
		work->fd[i] = -1;
	put_elf_path(s, m, &elf);
	work->fd[0] = open_file(&elf);
	if (b->has_id) {
		work->build_id = m->build_id;
		work->build_id_size = m->build_id_size;
		work->fd[1] = open_by_id(s, m->build_id, m->build_id_size);
	}
	n = own_build_id(work->fd[0], id);
	work->fd[TN_HELPER_OWN_ID] = n ? open_by_id(s, id, n) : -1;
	for (folder = elf.n; folder && elf.text[folder - 1] != '/'; folder--)
		;
	for (int i = 2; b->has_link && !elf.failed && i < TN_HELPER_OWN_ID; i++) {
		tn_str_clear(&path);
		if (i == 4)
			put_part(&path, s->debug_dir);
		if (folder) {
			elf.text[folder - (folder > 1)] = '\0';
			put_part(&path, elf.text);
			elf.text[folder - (folder > 1)] = '/';
		} else {
			put_part(&path, ".");
		}
		if (i == 3)
			put_part(&path, ".debug");
		put_part(&path, m->link);
		work->fd[i] = open_file(&path);
	}
	work->crc = m->crc;
	tn_str_release(&elf);
	tn_str_release(&path);
}

/* ---- helpers ---- */

/* If there are too many helpers, end the one that was used least recently. */
static void
make_space(struct tn_symbols *s)
{
	struct tn_binary *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->binary.n; i++) {
		struct tn_binary *b = &s->binary.item[i];

		if (!b->helper.pid)
			continue;
		n++;
		if (!oldest || b->used < oldest->used)
			oldest = b;
	}
	if (n >= MOST_HELPERS)
		tn_helper_stop(&oldest->helper);
}

static void
tell(struct tn_symbols *s, const char *format, const char *what)
{
	pthread_mutex_lock(&s->telling);
	snprintf(s->problem, sizeof s->problem, format, what);
	pthread_mutex_unlock(&s->telling);
}

bool
tn_symbols_start(struct tn_symbols *s, struct tn_binary *b)
{
	struct tn_helper_work work = { .crc = 0 };
	struct tn_error err;
	bool started;

	b->used = ++s->uses;
	if (b->helper.pid)
		return true;
	if (b->failures >= MOST_FAILURES_OF_FILE || s->failures >= MOST_FAILURES)
		return false;
	if (!s->dw.handle && tn_libdw_load(&s->dw, &err) < 0) {
		tell(s, "%s", err.text);
		s->failures = MOST_FAILURES;
		return false;
	}
	make_space(s);
	open_files(s, b, &work);
	started = tn_helper_start(&b->helper, &s->dw, &work);
	for (int i = 0; i < TN_HELPER_FILES; i++)
		if (work.fd[i] >= 0)
			close(work.fd[i]);
	return started || tn_symbols_failed(s, b);
}

bool
tn_symbols_failed(struct tn_symbols *s, struct tn_binary *b)
{
	unsigned n = b->helper.n_answers;

	b->failures += n < ANSWERS_FOR_FAILURE;
	s->failures += n < ANSWERS_FOR_FAILURE;
	b->helper.n_answers = 0;
	if (b->failures >= MOST_FAILURES_OF_FILE || s->failures >= MOST_FAILURES)
		tell(s, _("%.1500s: the debug data is damaged, or takes too much time or memory: addresses in this file have no "
			  "names"),
		     b->mapping->path);
	else if (n)
		return true;
	else
		tell(s, _("%.1500s: the debug data is damaged, or takes too much time or memory: some addresses in this file "
			  "have no names"), b->mapping->path);
	return false;
}

static bool
ask(struct tn_symbols *s, struct tn_binary *b, const struct tn_helper_question *question, struct tn_helper_answer *answer,
    char *text)
{
	bool ok = false, again = true;

	while (!ok && again && tn_symbols_start(s, b)) {
		ok = tn_helper_ask(&b->helper, question, answer, text);
		again = !ok && tn_symbols_failed(s, b);
	}
	return ok;
}

struct tn_binary *
tn_symbols_binary(struct tn_symbols *s, const struct tn_image *image, const struct tn_moment *at)
{
	struct tn_image *m = (struct tn_image *)image;	/* the mapping belongs to @s; the number is only a cache in it */
	struct tn_binary b = {
		.mapping = m, .has_id = m->build_id && !tn_moment_is_before(at, &m->build_id_at),
		.has_link = m->link && !tn_moment_is_before(at, &m->link_at), .helper = { .fd = -1 },
	};
	size_t *number = &m->binary[b.has_id * 2 + b.has_link];
	struct tn_str key = { 0 };
	struct tn_hash_item *item;
	struct tn_binary *more;
	bool is_new = false;

	if (*number)
		return &s->binary.item[*number - 1];
	tn_str_printf(&key, "%d%d%d %08" PRIx32 " ", b.has_id, b.has_link, m->is_pic, b.has_link ? m->crc : 0);
	for (size_t i = 0; b.has_id && i < m->build_id_size; i++)
		tn_str_printf(&key, "%02x", m->build_id[i]);
	tn_str_printf(&key, " %s%c%s", m->path, '\n', b.has_link ? m->link : "");
	item = key.failed ? NULL : tn_hash_add(&s->binaries, key.text, key.n, &is_new);
	if (item && is_new) {
		tn_hash_copy_key(item, tn_arena_copy(&s->keys, key.text, key.n));
		more = item->key.at ? TN_ARRAY_ADD(&s->binary) : NULL;
		item->value = more ? s->binary.n - 1 : 0;
		if (more)
			*more = b;
		else
			tn_hash_remove(&s->binaries, item);
		item = more ? item : NULL;
	}
	tn_str_release(&key);
	*number = item ? item->value + 1 : 0;
	return item ? &s->binary.item[item->value] : NULL;
}

/* ---- texts ---- */

/* The name of a file without its folders; if the path ends with a slash, the whole path. */
static const char *
short_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Write the readable texts. @text has TN_HELPER_TEXT bytes for each text of the helper's answer. */
static void
put_texts(const struct tn_symbols *s, const struct tn_image *m, uint64_t place, const struct tn_helper_answer *got,
	  const char *text, struct tn_str out[TEXTS])
{
	struct tn_str path = { 0 };

	if (got->flags & TN_HELPER_MISMATCH)
		return;
	put_elf_path(s, m, &path);
	if (path.n)
		tn_str_puts(&out[TEXT_BINARY], s->options.full_path ? path.text : short_path(path.text));
	out[TEXT_BINARY].failed |= path.failed;
	tn_str_printf(&out[TEXT_BINARY], m->is_pic ? "+%#0" PRIx64 : "@%#0" PRIx64, place);
	tn_str_add(&out[TEXT_FUNCTION], text + TN_HELPER_FUNCTION * TN_HELPER_TEXT, got->n[TN_HELPER_FUNCTION]);
	tn_str_add(&out[TEXT_INLINED], text + TN_HELPER_INLINED * TN_HELPER_TEXT, got->n[TN_HELPER_INLINED]);
	tn_str_clear(&path);
	tn_str_add(&path, text + TN_HELPER_SOURCE * TN_HELPER_TEXT, got->n[TN_HELPER_SOURCE]);
	if (got->flags & TN_HELPER_HAS_SOURCE)
		tn_str_printf(&out[TEXT_SOURCE], "%s:%" PRIu32,
			      s->options.full_path ? tn_str_text(&path) : short_path(tn_str_text(&path)), got->line);
	out[TEXT_SOURCE].failed |= path.failed;
	tn_str_release(&path);
}

/* The stored answer, or a new one; NULL: memory is out. */
static const struct answer *
answer_of(struct tn_symbols *s, struct tn_binary *b, const struct tn_image *m, const struct tn_helper_question *question)
{
	uint64_t key[2] = { (uint64_t)(b - s->binary.item) << 2 | question->how, question->address };
	struct tn_hash_item *item = tn_hash_find(&s->answers, key, sizeof key);
	struct tn_helper_answer got = { 0 };
	struct tn_str out[TEXTS] = { { 0 } };
	char text[TN_HELPER_TEXTS * TN_HELPER_TEXT];
	struct answer *a;
	bool whole = true;

	if (item)
		return item->pointer;
	if (s->answers.n >= MOST_ANSWERS) {
		tn_hash_clear(&s->answers);
		tn_arena_release(&s->arena);
		s->arena = (struct tn_arena) { 0 };
	}
	if (!ask(s, b, question, &got, text))
		got = (struct tn_helper_answer) { 0 };
	put_texts(s, m, question->address, &got, text, out);
	a = TN_NEW(&s->arena, struct answer);
	for (int i = 0; i < TEXTS; i++) {
		if (a && !out[i].failed) {
			a->n[i] = out[i].n;
			a->text[i] = tn_arena_copy(&s->arena, tn_str_text(&out[i]), out[i].n);
		}
		whole &= a && a->text[i];
		tn_str_release(&out[i]);
	}
	item = whole ? tn_hash_add(&s->answers, key, sizeof key, NULL) : NULL;
	if (!item)
		return NULL;
	tn_hash_copy_key(item, tn_arena_copy(&s->arena, (const char *)key, sizeof key));
	if (!item->key.at)
		return NULL;
	item->pointer = a;
	return a;
}

/* ---- names of events ---- */

/* Get the number of the event's process: from the common context of LTTng or of perf. */
static bool
process_of(const struct tn_event *event, int64_t *pid)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT };
	static const char *const names[] = { "vpid", "pid" };
	const struct tn_value *v = NULL;
	uint64_t u;

	for (size_t i = 0; i < TN_COUNT(scopes) && !v; i++) {
		const struct tn_value *context = tn_event_scope(event, scopes[i]);

		for (size_t k = 0; k < TN_COUNT(names) && context && !v; k++)
			v = tn_value_member(context, names[k]);
	}
	if (!v)
		return false;
	if (tn_value_i64(v, pid) == TN_OK)
		return true;
	*pid = tn_value_u64(v, &u) == TN_OK ? (int64_t)u : 0;
	return *pid > 0;
}

/* Like answer_of(); the caller holds the lock. */
static const struct answer *
answer_at(struct tn_symbols *s, const struct tn_image *m, const struct tn_moment *at, uint64_t address, bool readable)
{
	struct tn_helper_question q = {
		.address = tn_image_place(m, address),
		.how = (readable ? TN_HELPER_READABLE : 0) | (m->of_file ? TN_HELPER_OFFSET : 0),
	};
	struct tn_binary *b = tn_symbols_binary(s, m, at);

	return b ? answer_of(s, b, m, &q) : NULL;
}

/*
 * Find the mapping of an address; @event NULL: in any process. Mappings keep their addresses, but their ends change under
 * `lock` while traces grow.
 */
static const struct tn_image *
find(struct tn_symbols *s, const struct tn_event *event, int64_t pid, const struct tn_moment *at, uint64_t address)
{
	const struct tn_image *m;

	pthread_rwlock_rdlock(&s->mapped);
	m = event ? tn_mappings_find(&s->mappings, event->stream->trace, pid, at, address) :
	    tn_mappings_find_any(&s->mappings, address);
	pthread_rwlock_unlock(&s->mapped);
	return m;
}

bool
tn_symbols_debug_info(void *symbols, const struct tn_event *event, struct tn_str out[3])
{
	struct tn_symbols *s = symbols;
	const struct tn_value *context = event ? tn_event_scope(event, TN_SCOPE_COMMON_CONTEXT) : NULL, *v;
	const struct tn_image *m;
	struct tn_moment at;
	const struct answer *a;
	uint64_t ip;
	int64_t vpid;

	if (!s || !event || !out)
		return false;
	if (!context || !(v = tn_value_member(context, "ip")) || tn_value_u64(v, &ip) != TN_OK || !process_of(event, &vpid))
		return true;
	at = (struct tn_moment) { event->time_ns, event->stream->rank, event->packet, event->row };
	m = find(s, event, vpid, &at, ip);
	if (!m)
		return true;
	pthread_mutex_lock(&s->lock);
	a = answer_at(s, m, &at, ip, false);
	for (int i = 0; a && i < 3; i++)
		tn_str_add(&out[i], a->text[i], a->n[i]);
	pthread_mutex_unlock(&s->lock);
	return a != NULL;
}

/* Write "\ntwice (file.c:7)" for each function that is inlined at the address. */
static void
put_inlined(const struct tn_symbols *s, const char *text, unsigned parts, struct tn_str *out)
{
	while (*text) {
		const char *source = text + strcspn(text, "\n") + 1, *end, *slash;

		if (source[-1] != '\n' || !(end = strchr(source, '\n')))
			return;
		tn_str_putc(out, '\n');
		tn_str_add(out, text, (size_t)(source - 1 - text));
		if (parts & TN_SYMBOL_SOURCE && end > source) {
			while (!s->options.full_path && (slash = memchr(source, '/', (size_t)(end - source))))
				source = slash + 1;
			tn_str_printf(out, " (%.*s)", (int)(end - source), source);
		}
		text = end + 1;
	}
}

/* Write the function, or if it is unknown, the place in the file. */
static bool
put_name(struct tn_symbols *s, const struct tn_image *m, const struct tn_moment *at, uint64_t address, unsigned parts,
	 struct tn_str *out)
{
	const struct answer *a;
	size_t before = out->n;
	bool ok;

	pthread_mutex_lock(&s->lock);
	a = answer_at(s, m, at, address, true);
	if (a && a->n[TEXT_FUNCTION]) {
		const char *name = a->text[TEXT_FUNCTION], *plus = parts & TN_SYMBOL_OFFSET ? NULL : strrchr(name, '+');

		tn_str_add(out, name, plus && plus > name ? (size_t)(plus - name) : a->n[TEXT_FUNCTION]);
	} else {
		/* The place is known even if the file is missing, or another file has its path now. */
		tn_str_printf(out, m->is_pic ? "%s+%#" PRIx64 : "%s@%#" PRIx64, short_path(m->path), tn_image_place(m, address));
	}
	if (a && a->n[TEXT_SOURCE] && parts & TN_SYMBOL_SOURCE)
		tn_str_printf(out, " (%s)", a->text[TEXT_SOURCE]);
	if (a && a->n[TEXT_FUNCTION] && parts & TN_SYMBOL_INLINED)
		put_inlined(s, a->text[TEXT_INLINED], parts, out);
	ok = a && out->n > before && !out->failed;
	pthread_mutex_unlock(&s->lock);
	return ok;
}

bool
tn_symbols_name(struct tn_symbols *s, const struct tn_event *event, uint64_t address, unsigned parts, struct tn_str *out)
{
	struct tn_moment at = { .time_ns = INT64_MAX };
	const struct tn_image *m = NULL;
	int64_t pid;

	if (!s || !out)
		return false;
	if (event && process_of(event, &pid)) {
		at = (struct tn_moment) { event->time_ns, event->stream->rank, event->packet, event->row };
		m = find(s, event, pid, &at, address);
	} else if (!event) {
		m = find(s, NULL, 0, NULL, address);
	}
	if (m && put_name(s, m, &at, address, parts, out))
		return true;
	return tn_symbol_map_name(s->options.map, address, parts & TN_SYMBOL_OFFSET, out) ||
	       tn_symbol_map_name(s->kernel, address, parts & TN_SYMBOL_OFFSET, out);
}
