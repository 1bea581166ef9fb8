/*
 * ovni.c - find the streams of a trace and open them
 */
#include "ovni/ovni.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/listing.h"
#include "base/meaning.h"
#include "base/messages.h"
#include "base/str.h"
#include "model/build.h"
#include "ovni/private.h"

#define DEPTH_MAX 64
#define PROBE_DEPTH 6		/* depth to which a probe searches for a stream */
#define PROBE_FOLDERS 4096	/* limit of folders that a probe examines */
#define HOUR INT64_C(3600000000000)

/* ---- probe ---- */

static bool
join_path(char *out, size_t size, const char *folder, const char *name)
{
	return (size_t)snprintf(out, size, "%s%s%s", folder, *folder && *name ? "/" : "", name) < size;
}

static bool
has_bytes(const char *folder, const char *name, const char *wanted)
{
	char path[PATH_MAX], bytes[4096];
	size_t n = 0;
	FILE *f;

	if (!join_path(path, sizeof path, folder, name) || !(f = fopen(path, "rbe")))
		return false;
	n = fread(bytes, 1, sizeof bytes - 1, f);
	fclose(f);
	bytes[n] = '\0';
	return n && strstr(bytes, wanted) != NULL;
}

static bool
is_file(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return join_path(path, sizeof path, folder, name) && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
has_magic(const char *path)
{
	char bytes[4];
	FILE *f = fopen(path, "rbe");
	bool has = f && fread(bytes, 1, 4, f) == 4 && memcmp(bytes, "ovni", 4) == 0;

	if (f)
		fclose(f);
	return has;
}

/* Damaged streams count too, so that they are reported. */
static bool
is_stream(const char *folder)
{
	return is_file(folder, "stream.json") &&
	       (is_file(folder, "stream.obs") || has_bytes(folder, "stream.json", "\"ovni\""));
}

static bool
is_folder_entry(const char *folder, const struct dirent *d, char *path)
{
	struct stat st;

	if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 || d->d_type == DT_REG || d->d_type == DT_LNK)
		return false;
	return join_path(path, PATH_MAX, folder, d->d_name) && lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Whether @folder or a folder below it is a stream. */
static bool
find_stream(const char *folder, unsigned depth, unsigned *budget)
{
	bool found = is_stream(folder);
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	if (found || !depth || !*budget)
		return found;
	dir = opendir(folder);
	if (!dir)	/* unreadable folders are not traces; opening reports the cause of a failure */
		return errno != EACCES && errno != ENOENT && errno != ENOTDIR;
	--*budget;
	errno = 0;
	while (!found && (d = readdir(dir))) {
		if (is_folder_entry(folder, d, path))
			found = find_stream(path, depth - 1, budget);
		errno = 0;
	}
	found |= errno != 0;
	closedir(dir);
	return found;
}

/*
 * Whether the folder has parts that are named as the tracer names them (loom.NAME, proc.PID, thread.TID). Such parts
 * show the top of a trace.
 */
static bool
has_parts(const char *folder)
{
	struct dirent *d;
	bool found = false;
	DIR *dir = opendir(folder);

	errno = 0;
	while (dir && !found && (d = readdir(dir)))
		found = strncmp(d->d_name, "loom.", 5) == 0 || strncmp(d->d_name, "proc.", 5) == 0 ||
			strncmp(d->d_name, "thread.", 7) == 0;
	found |= errno != 0;
	if (dir)
		closedir(dir);
	return found;
}

/*
 * A folder above streams is a trace, or it is a folder above several traces. It is a trace if its folders have the
 * names of parts or are streams, or if it has the table of offsets, which belongs to a whole trace.
 */
static enum tn_probe
ovni_probe(const char *path, bool is_folder)
{
	unsigned budget = PROBE_FOLDERS, depth;

	if (!is_folder)
		return TN_PROBE_NO;
	depth = has_parts(path) || is_file(path, "clock-offsets.txt") ? PROBE_DEPTH : 1;
	return find_stream(path, depth, &budget) ? TN_PROBE_YES : TN_PROBE_NO;
}

/* "loom.NAME", "proc.PID" and "thread.TID" are nested folders: find the trace that contains them. */
static void
climb(struct tn_str *folder)
{
	static const char *const parts[] = { "thread.", "proc.", "loom." };

	for (size_t i = 0; i < TN_COUNT(parts); i++) {
		const char *slash = strrchr(folder->text, '/');

		if (slash && slash != folder->text && strncmp(slash + 1, parts[i], strlen(parts[i])) == 0) {
			folder->n = (size_t)(slash - folder->text);
			folder->text[folder->n] = '\0';
		}
	}
}

static bool
ovni_belongs(const char *path, struct tn_str *folder, struct tn_str *stream)
{
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
	bool is_stream_file, belongs;

	if (!slash || slash == real) {
		free(real);
		return false;
	}
	*slash = '\0';
	is_stream_file = strcmp(slash + 1, "stream.obs") == 0 || strcmp(slash + 1, "stream.json") == 0;
	belongs = (is_stream_file && is_stream(real)) || has_magic(path);
	if (is_stream_file && is_stream(real)) {
		tn_str_puts(folder, real);
		tn_str_printf(stream, "%s/stream.obs", real);
		if (!folder->failed)
			climb(folder);
		if (!folder->failed && ovni_probe(folder->text, true) != TN_PROBE_YES) {
			tn_str_clear(folder);
			tn_str_puts(folder, real);
		}
	}
	free(real);
	return belongs;
}

/* ---- the folders of a trace ---- */

struct finder {
	struct tn_trace *trace;
	TN_ARRAY(struct tn_ovni_meta) found;
};

static enum tn_code
add_found(struct finder *f, const char *folder, const char *relative, struct tn_error *err)
{
	struct tn_ovni_meta *m = TN_ARRAY_ADD(&f->found);

	if (!m || !(m->folder = tn_arena_string(&f->trace->arena, folder)) ||
	    !(m->path = tn_arena_string(&f->trace->arena, relative)))
		return tn_fail_memory(err);
	return TN_OK;
}

static enum tn_code find_streams(struct finder *f, const char *folder, const char *relative, unsigned depth,
				 struct tn_error *err);

static enum tn_code
find_in_entry(struct finder *f, const char *folder, const char *name, const char *relative, unsigned depth,
	      struct tn_error *err)
{
	bool is_json = strcmp(name, "stream.json") == 0;
	struct tn_error why = { 0 };
	char below[PATH_MAX];
	struct tn_entry e;
	enum tn_code rc = tn_entry_look(&e, folder, name, &why);

	if (rc < 0) {
		/* Only these two files are needed (1). */
		bool needed = is_json || strcmp(name, "stream.obs") == 0;

		tn_tell(&f->trace->problems, rc == TN_ERR_NOT_FOUND && e.is_link && !needed ? TN_NOTE : TN_DAMAGE, "%s", why.text);
	} else if (is_json && S_ISREG(e.st.st_mode)) {
		return add_found(f, folder, relative, err);
	} else if (S_ISDIR(e.st.st_mode) && e.is_link) {
		tn_tell_link(&f->trace->problems, f->trace->path, e.path);
	} else if (S_ISDIR(e.st.st_mode)) {
		if (depth + 1 < DEPTH_MAX && join_path(below, sizeof below, relative, name))
			return find_streams(f, e.path, below, depth + 1, err);
		tn_tell(&f->trace->problems, TN_WARNING, "%s: more than %d folders deep, not searched", e.path, DEPTH_MAX);
	}
	return TN_OK;
}

static enum tn_code
find_streams(struct finder *f, const char *folder, const char *relative, unsigned depth, struct tn_error *err)
{
	struct tn_error why = { 0 };
	struct tn_listing names;
	enum tn_code rc = tn_listing_read(&names, folder, &why);

	if (rc != TN_ERR_MEMORY) {
		if (rc < 0)
			tn_tell(&f->trace->problems, TN_DAMAGE, "%s", why.text);
		rc = TN_OK;
	}
	for (size_t i = 0; rc == TN_OK && i < names.n; i++)
		rc = find_in_entry(f, folder, names.name[i], relative, depth, err);
	tn_listing_release(&names);
	return rc == TN_ERR_MEMORY ? tn_fail_memory(err) : rc;
}

static int
by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct tn_ovni_meta *)a)->path, ((const struct tn_ovni_meta *)b)->path);
}

/* ---- a stream ---- */

static enum tn_code
check_header(const struct tn_map *map, bool *big_endian, struct tn_error *err)
{
	if (!map->size)
		return tn_fail(err, TN_ERR_FORMAT, "the file is empty");
	if (map->size < TN_OVNI_STREAM_HEADER)
		return tn_fail(err, TN_ERR_FORMAT, "%zu bytes are less than the header of %d", map->size, TN_OVNI_STREAM_HEADER);
	if (memcmp(map->data, "ovni", 4) != 0)
		return tn_fail(err, TN_ERR_FORMAT, "byte 0: %02x %02x %02x %02x, not \"ovni\"", map->data[0], map->data[1],
			       map->data[2], map->data[3]);
	/* The byte order is not marked: the version reveals it (4). */
	*big_endian = tn_ovni_u32(map->data + 4, true) == 1;
	if (!*big_endian && tn_ovni_u32(map->data + 4, false) != 1)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "byte 4: version %" PRIu32 " of the stream: tnav reads only 1",
			       tn_ovni_u32(map->data + 4, false));
	return TN_OK;
}

/* "loom/proc.PID/thread.TID"; unknown parts are left out. */
static const char *
make_name(struct tn_trace *trace, const struct tn_ovni_meta *m)
{
	char name[LINE_MAX];
	int n = snprintf(name, sizeof name, "%.600s", m->loom ? m->loom : "");

	if (m->pid)
		n += snprintf(name + n, sizeof name - (size_t)n, "%sproc.%" PRId64, n ? "/" : "", m->pid);
	if (m->tid)
		n += snprintf(name + n, sizeof name - (size_t)n, "%sthread.%" PRId64, n ? "/" : "", m->tid);
	return tn_arena_string(&trace->arena, n ? name : *m->path ? m->path : "stream");
}

static enum tn_code
open_stream(struct tn_trace *trace, struct tn_ovni_meta *m, struct tn_error *err)
{
	struct tn_ovni_stream *own = TN_NEW(&trace->arena, struct tn_ovni_stream);
	struct tn_stream *s;
	struct tn_map map;
	char path[PATH_MAX];
	enum tn_code rc;

	rc = tn_ovni_load_meta(trace, m, err);
	if (rc < 0)
		return rc;
	if (!own || !join_path(path, sizeof path, m->folder, "stream.obs"))
		return tn_fail_memory(err);
	rc = tn_map_open(&map, path, err);
	if (rc < 0)
		return rc;
	rc = check_header(&map, &own->big_endian, err);
	s = rc == TN_OK ? tn_build_stream(trace, NULL, tn_build_path(trace, path), make_name(trace, m), NULL) : NULL;
	if (!s) {
		tn_map_release(&map);
		return rc < 0 ? tn_at(err, rc, "%s", path) : tn_fail_memory(err);
	}
	s->file->map = map;
	s->size = map.size;
	s->own = own;
	if (map.size == TN_OVNI_STREAM_HEADER)
		tn_tell(&trace->problems, TN_NOTE, "%s: no events", path);
	s->loom = m->loom;
	if (m->loom && !(s->host = tn_arena_copy(&trace->arena, m->loom, strcspn(m->loom, "."))))
		return tn_fail_memory(err);
	own->loom = m->loom;
	own->loom_n = m->loom ? strlen(m->loom) : 0;
	own->has_pid = m->pid != 0;
	own->has_tid = m->tid != 0;
	own->pid = (int32_t)m->pid;
	own->tid = (int32_t)m->tid;
	own->is_kernel = m->requires_kernel;
	return TN_OK;
}

/* Unreadable streams are reported; the others open. */
static enum tn_code
open_streams(struct tn_trace *trace, struct finder *f, struct tn_error *err)
{
	struct tn_error why = { 0 }, first = { 0 };
	size_t n = 0;

	trace->stream = TN_NEW_ARRAY(&trace->arena, f->found.n, struct tn_stream *);
	if (!trace->stream)
		return tn_fail_memory(err);
	for (size_t i = 0; i < f->found.n; i++) {
		enum tn_code rc = open_stream(trace, &f->found.item[i], &why);

		if (rc == TN_OK) {
			f->found.item[n++] = f->found.item[i];
			continue;
		}
		if (rc == TN_ERR_MEMORY)
			return tn_fail_memory(err);
		if (!first.code)
			first = why;
		else
			tn_tell(&trace->problems, TN_DAMAGE, "%s: the stream is left out", why.text);
	}
	if (n == 0)
		return tn_fail(err, first.code, "%s", first.text);
	if (first.code)
		tn_tell(&trace->problems, TN_DAMAGE, "%s: the stream is left out", first.text);
	f->found.n = n;
	return TN_OK;
}

/* ---- clocks ---- */

static struct tn_clock *
new_clock(struct tn_trace *trace, const char *name, int64_t offset)
{
	struct tn_clock *c = tn_build_clock(trace, name, "monotonic clock of the host, put right by clock-offsets.txt where the "
					    "trace has one", offset);

	if (!c)
		return NULL;
	/* All clocks of one trace count from the same moment; the clocks of another trace count from another one. */
	c->origin = TN_ORIGIN_NAMED;
	c->origin_name_space = "ovni";
	c->origin_name = "trace";
	c->origin_uid = trace->path;
	return c;
}

/*
 * Returns the number of the clock with this offset. Stream classes are made for each clock later. @known: offsets
 * that have a clock.
 */
static enum tn_code
clock_number(struct tn_trace *trace, struct tn_hash *known, const char *name, int64_t offset, size_t *out,
	     struct tn_error *err)
{
	bool is_new;
	struct tn_hash_item *item = tn_hash_add_u64(known, (uint64_t)offset, &is_new);

	if (!item)
		return tn_fail_memory(err);
	if (is_new) {
		item->value = trace->n_clocks;
		if (!new_clock(trace, name, offset))
			return tn_fail_memory(err);
	}
	*out = item->value;
	return TN_OK;
}

static bool
on_same_host(const struct tn_ovni_meta *a, const struct tn_ovni_meta *b)
{
	size_t n = strcspn(a->loom, ".");

	return strcspn(b->loom, ".") == n && memcmp(a->loom, b->loom, n) == 0;
}

static void
tell_of_hosts(struct tn_trace *trace, const struct tn_ovni_meta *m, size_t n)
{
	const struct tn_ovni_meta *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!m[i].loom)
			continue;
		if (!first) {
			first = &m[i];
		} else if (!on_same_host(first, &m[i])) {
			tn_tell(&trace->problems, TN_WARNING, "looms %s and %s are on different hosts and there is no "
				"clock-offsets.txt: their times cannot be compared", first->loom, m[i].loom);
			return;
		}
	}
}

static void
tell_of_unused(struct tn_trace *trace, const char *path, const struct tn_ovni_offsets *offsets)
{
	const struct tn_ovni_offset *first = NULL;
	size_t n = 0;

	for (size_t k = 0; k < offsets->list.n; k++)
		if (!offsets->list.item[k].used && !n++)
			first = &offsets->list.item[k];
	if (n == 1)
		tn_tell(&trace->problems, TN_WRONG, "%s: no loom is on host \"%s\"", path, first->host);
	else if (n)
		tn_tell(&trace->problems, TN_WRONG, P_("%s: no loom is on host \"%s\", nor on %zu other",
			"%s: no loom is on host \"%s\", nor on %zu others", n - 1), path, first->host, n - 1);
}

/*
 * @stream_clock: the number of each stream's clock. The name of a host is the part of the loom's name before the
 * first dot.
 */
static enum tn_code
number_clocks(struct tn_trace *trace, const struct tn_ovni_offsets *offsets, const struct tn_ovni_meta *m, size_t n,
	      size_t *stream_clock, struct tn_error *err)
{
	struct tn_hash known = { 0 };
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < n && rc == TN_OK; i++) {
		struct tn_ovni_offset *offset = NULL;

		if (m[i].loom)
			offset = tn_ovni_find_offset(offsets, m[i].loom, strcspn(m[i].loom, "."));
		if (offset)
			offset->used = true;
		rc = clock_number(trace, &known, offset ? offset->host : "monotonic", offset ? offset->median : 0,
				  &stream_clock[i], err);
	}
	tn_hash_release(&known);
	return rc;
}

static enum tn_code
load_clocks(struct tn_trace *trace, const struct tn_ovni_meta *m, size_t n, size_t *stream_clock, struct tn_error *err)
{
	struct tn_ovni_offsets offsets = { 0 };
	char path[PATH_MAX];
	enum tn_code rc;

	if (!join_path(path, sizeof path, trace->path, "clock-offsets.txt"))
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: the path is too long", trace->path);
	rc = tn_ovni_load_offsets(&offsets, trace, path, err);
	if (rc == TN_OK) {
		if (!offsets.list.n)
			tell_of_hosts(trace, m, n);
		trace->clock = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_clock *);
		rc = trace->clock ? number_clocks(trace, &offsets, m, n, stream_clock, err) : tn_fail_memory(err);
		tell_of_unused(trace, path, &offsets);
	}
	tn_ovni_offsets_release(&offsets);
	return rc;
}

/* Report clocks that differ too much at the first events of the streams (5). */
static void
check_first_clocks(struct tn_trace *trace)
{
	const struct tn_stream *low = NULL, *high = NULL;
	int64_t low_ns = 0, high_ns = 0;

	for (size_t i = 0; i < trace->n_streams; i++) {
		const struct tn_stream *s = trace->stream[i];
		const struct tn_map *map = &s->file[0].map;
		bool be = ((const struct tn_ovni_stream *)s->own)->big_endian;
		const uint8_t *event = map->data + TN_OVNI_STREAM_HEADER;
		int64_t ns;

		if (!tn_ovni_event_size(event, map->size - TN_OVNI_STREAM_HEADER, be))
			continue;
		ns = tn_clock_ns(s->stream_class->clock, tn_ovni_clock(event, be));
		if (!low || ns < low_ns)
			low = s, low_ns = ns;
		if (!high || ns > high_ns)
			high = s, high_ns = ns;
	}
	if (low && (uint64_t)high_ns - (uint64_t)low_ns > HOUR)
		tn_tell(&trace->problems, TN_WRONG, "the first events of %s and %s are more than an hour apart", low->name,
			high->name);
}

/* ---- the trace ---- */

/* Join the texts of all stream.json files, each after its path. */
static enum tn_code
keep_metadata(struct tn_trace *trace, const struct tn_ovni_meta *m, size_t n, struct tn_error *err)
{
	struct tn_str s = { 0 };

	for (size_t i = 0; i < n; i++) {
		tn_str_printf(&s, "// %s%sstream.json\n", m[i].path, *m[i].path ? "/" : "");
		tn_str_add(&s, m[i].text, m[i].text_size);
		tn_str_puts(&s, "\n");
	}
	trace->metadata_text = s.failed ? NULL : tn_arena_copy(&trace->arena, tn_str_text(&s), s.n);
	trace->metadata_size = s.n;
	tn_str_release(&s);
	return trace->metadata_text ? TN_OK : tn_fail_memory(err);
}

static enum tn_code
keep_environment(struct tn_trace *trace, const struct tn_ovni_meta *m, size_t n, struct tn_error *err)
{
	const char *version = NULL;
	size_t k = 0;

	trace->env = TN_NEW_ARRAY(&trace->arena, 3, struct tn_env);
	if (!trace->env)
		return tn_fail_memory(err);
	for (size_t i = 0; i < n && !version; i++)
		version = m[i].lib_version;
	trace->env[k++] = (struct tn_env) { .name = "tracer_name", .is_text = true, .text = "libovni" };
	if (version)
		trace->env[k++] = (struct tn_env) { .name = "tracer_version", .is_text = true, .text = version };
	trace->env[k++] = (struct tn_env) { .name = "threads", .number = (int64_t)n };
	trace->n_env = k;
	return TN_OK;
}

/* Write the numbers as "0-3, 8"; @cpu is sorted by index. */
static const char *
cpus_text(struct tn_trace *trace, const struct tn_ovni_cpu *cpu, size_t n)
{
	int64_t *id = calloc(n + 1, sizeof *id);
	struct tn_str s = { 0 };
	const char *text = NULL;

	for (size_t i = 0; id && i < n; i++)
		id[i] = cpu[i].phyid;
	if (id)
		qsort(id, n, sizeof *id, by_number);
	for (size_t i = 0, end; id && i < n; i = end) {
		for (end = i + 1; end < n && id[end] - id[end - 1] <= 1; end++)
			;
		tn_str_printf(&s, "%s%" PRId64, i ? ", " : "", id[i]);
		if (id[end - 1] != id[i])
			tn_str_printf(&s, "-%" PRId64, id[end - 1]);
	}
	if (id && !s.failed)
		text = tn_arena_copy(&trace->arena, tn_str_text(&s), s.n);
	tn_str_release(&s);
	free(id);
	return text;
}

/*
 * Fill in the properties of the stream's process and loom, which other streams may define. @before: the previous
 * stream of the same loom, or NULL.
 */
static enum tn_code
know_parts(struct tn_stream *stream, const struct tn_ovni_meta *m, const struct tn_ovni_stream *before, struct tn_error *err)
{
	struct tn_ovni_stream *own = stream->own;
	struct tn_env *about = TN_NEW_ARRAY(&stream->trace->arena, 5, struct tn_env);

	own->app_id = (int32_t)m->app_id;
	own->rank = (int32_t)m->rank;
	own->n_ranks = (int32_t)m->n_ranks;
	own->cpu = m->loom_cpu;
	own->n_cpus = m->n_loom_cpus;
	if (before && before->cpu == own->cpu)
		own->cpu_text = before->cpu_text;
	else if (own->n_cpus)
		own->cpu_text = cpus_text(stream->trace, own->cpu, own->n_cpus);
	if (!about || (own->n_cpus && !own->cpu_text))
		return tn_fail_memory(err);
	own->cpu_text_n = own->cpu_text ? strlen(own->cpu_text) : 0;
	stream->about = about;
	if (own->loom)
		*about++ = (struct tn_env) { .name = "loom", .is_text = true, .text = own->loom };
	if (own->app_id > 0)
		*about++ = (struct tn_env) { .name = "app_id", .number = own->app_id };
	if (own->rank >= 0)
		*about++ = (struct tn_env) { .name = "rank", .number = own->rank };
	if (own->n_ranks >= 0)
		*about++ = (struct tn_env) { .name = "nranks", .number = own->n_ranks };
	if (own->cpu_text)
		*about++ = (struct tn_env) { .name = "loom_cpus", .is_text = true, .text = own->cpu_text };
	stream->n_about = (size_t)(about - stream->about);
	return TN_OK;
}

static enum tn_code
complete(struct tn_trace *trace, struct finder *f, struct tn_error *err)
{
	size_t n = f->found.n, *stream_clock = TN_NEW_ARRAY(&trace->arena, n, size_t);
	enum tn_code rc;

	if (!stream_clock)
		return tn_fail_memory(err);
	trace->big_endian = ((struct tn_ovni_stream *)trace->stream[0]->own)->big_endian;
	rc = load_clocks(trace, f->found.item, n, stream_clock, err);
	for (size_t i = 0; i < n; i++)
		((struct tn_ovni_trace *)trace->own)->has_ranks |= f->found.item[i].rank >= 0;
	if (rc == TN_OK)
		rc = tn_ovni_build(trace, err);
	if (rc == TN_OK)
		rc = keep_metadata(trace, f->found.item, n, err);
	if (rc == TN_OK)
		rc = keep_environment(trace, f->found.item, n, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		struct tn_stream_class *sc = trace->stream_class[stream_clock[i]];

		trace->stream[i]->stream_class = sc;
		((struct tn_ovni_stream *)trace->stream[i]->own)->class_base = sc->event_class[0]->index;
	}
	check_first_clocks(trace);
	rc = tn_ovni_join_parts(trace, f->found.item, n, err);
	for (size_t i = 0; i < n && rc == TN_OK; i++)
		rc = know_parts(trace->stream[i], &f->found.item[i], i ? trace->stream[i - 1]->own : NULL, err);
	return rc;
}

static enum tn_code
ovni_open(struct tn_trace *trace, struct tn_error *err)
{
	struct finder f = { .trace = trace };
	enum tn_code rc;

	trace->format = "ovni 3";
	trace->major = 3;
	trace->own = TN_NEW(&trace->arena, struct tn_ovni_trace);
	if (!trace->own)
		return tn_fail_memory(err);
	rc = find_streams(&f, trace->path, "", 0, err);
	if (rc == TN_OK && !f.found.n)
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: no folder with a stream.json", trace->path);
	if (rc == TN_OK) {
		qsort(f.found.item, f.found.n, sizeof *f.found.item, by_path);
		rc = open_streams(trace, &f, err);
	}
	if (rc == TN_OK)
		rc = complete(trace, &f, err);
	TN_ARRAY_RELEASE(&f.found);
	return rc;
}

static void
ovni_drop(struct tn_stream *stream)
{
	TN_ARRAY_RELEASE(&((struct tn_ovni_stream *)stream->own)->scan.segments);
}

static void
ovni_close(struct tn_trace *trace)
{
	struct tn_ovni_trace *own = trace->own;

	for (size_t i = 0; own && i < TN_OVNI_MARKS; i++)
		TN_ARRAY_RELEASE(&own->mark[i].labels);
}

const struct tn_format tn_format_ovni = {
	.name = "ovni",
	.meaning = TN_MEANING_OVNI,
	.pairs = &tn_ovni_pairs,
	.probe = ovni_probe,
	.belongs = ovni_belongs,
	.open = ovni_open,
	.extend = tn_ovni_extend,
	.walk = tn_ovni_walk,
	.check = tn_ovni_check,
	.read = tn_ovni_read,
	.drop = ovni_drop,
	.close = ovni_close,
};
