/*
 * ctf.c - open a trace folder: metadata, plans, stream files, streams
 */
#include "ctf/ctf.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/listing.h"
#include "base/meaning.h"
#include "base/str.h"
#include "base/ways.h"
#include "ctf/metadata.h"
#include "ctf/numbering.h"
#include "ctf/stream.h"

#define MOST_BYTES (UINT64_C(1) << 58)	/* limit of a stream file, so that positions in bits do not overflow */

static bool
is_file(const char *path)
{
	struct stat st;

	/* If this cannot be found out, opening reports the cause. */
	return stat(path, &st) == 0 ? S_ISREG(st.st_mode) : errno != ENOENT && errno != ENOTDIR && errno != ELOOP;
}

static enum tn_probe
ctf_probe(const char *path, bool is_folder)
{
	char file[PATH_MAX];	/* a longer path cannot be opened */

	if (!is_folder)
		return TN_PROBE_NO;	/* the path of a file `metadata` means its folder: lib/set/open.c handles this */
	return snprintf(file, sizeof file, "%s/metadata", path) < (int)sizeof file && is_file(file) ? TN_PROBE_YES : TN_PROBE_NO;
}

static enum tn_probe
ctf_probe_memory(const struct tn_memory *memory)
{
	return tn_memory_find(memory, "metadata") ? TN_PROBE_YES : TN_PROBE_NO;
}

/* Whether the bytes begin like packets, metadata or index files. */
static bool
has_ctf_magic(const char *path)
{
	static const uint8_t magic[][4] = {
		{ 0xc1, 0xfc, 0x1f, 0xc1 }, { 0xc1, 0x1f, 0xfc, 0xc1 },	/* magic number of packets */
		{ 0x75, 0xd1, 0x1d, 0x57 }, { 0x57, 0x1d, 0xd1, 0x75 },	/* magic number of metadata packets */
		{ 0xc1, 0xf1, 0xdc, 0xc1 }, { 0xc1, 0xdc, 0xf1, 0xc1 },	/* magic number of LTTng's index files */
	};
	uint8_t bytes[4];
	FILE *f = fopen(path, "rbe");
	bool has = false;

	if (!f)
		return false;
	if (fread(bytes, 1, 4, f) == 4)
		for (size_t i = 0; i < TN_COUNT(magic); i++)
			has |= memcmp(bytes, magic[i], 4) == 0;
	fclose(f);
	return has;
}

static bool
ctf_belongs(const char *path, struct tn_str *folder, struct tn_str *stream)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	tn_str_add(folder, path, slash ? (size_t)(slash - path) : 0);
	if (!folder->n)
		tn_str_puts(folder, slash ? "/" : ".");
	if (folder->failed)
		return true;
	if (ctf_probe(folder->text, true) == TN_PROBE_YES) {
		if (strcmp(name, "metadata") != 0)
			tn_str_puts(stream, path);
		return true;
	}
	tn_str_clear(folder);
	return has_ctf_magic(path);
}

/* ---- the files of a folder ---- */

struct name {
	const char *text;
	uint64_t size;		/* size when the folder was read; if the file grows, later bytes are ignored */
};

struct names { struct name *item; size_t n, room; };

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static bool
may_be_stream(const char *name)
{
	return name[0] != '.' && strcmp(name, "metadata") != 0 && !strchr(name, '/');
}

static enum tn_code
add_name(struct tn_trace *trace, struct names *names, const char *name, uint64_t size, struct tn_error *err)
{
	struct name *place = TN_ARRAY_ADD(names);

	if (!place || !(place->text = tn_arena_string(&trace->arena, name)))
		return tn_fail_memory(err);
	place->size = size;
	return TN_OK;
}

/* Whether the trace that this one extends already has the file. */
static bool
is_had(const struct tn_trace *grows, const struct stat *st)
{
	for (size_t i = 0; grows && i < grows->n_streams; i++)
		for (size_t k = 0; k < grows->stream[i]->n_files; k++) {
			const struct tn_map *map = &grows->stream[i]->file[k].map;

			if (map->device == (uint64_t)st->st_dev && map->inode == (uint64_t)st->st_ino)
				return true;
		}
	return false;
}

/* List the files that may be streams, in the order of the folder. */
static enum tn_code
list_memory(struct tn_trace *trace, struct names *names, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < trace->memory->n; i++) {
		const struct tn_memory_bytes *file = &trace->memory->file[i];

		if (may_be_stream(file->name) && file->size)
			rc = add_name(trace, names, file->name, file->size, err);
	}
	return rc;
}

/* Whether this is the metadata file that the user chose, which is in the folder of the streams under another name. */
static bool
is_metadata(const struct tn_trace *trace, const struct stat *st)
{
	struct stat metadata;

	return trace->options && trace->options->metadata && stat(trace->options->metadata, &metadata) == 0 &&
	       metadata.st_dev == st->st_dev && metadata.st_ino == st->st_ino;
}

static enum tn_code
list_folder(struct tn_trace *trace, struct names *names, struct tn_error *err)
{
	struct tn_listing all;
	enum tn_code rc = tn_listing_read(&all, trace->path, err);

	for (size_t i = 0; rc == TN_OK && i < all.n; i++) {
		struct tn_error why = { 0 };
		struct tn_entry e;

		if (!may_be_stream(all.name[i]))
			continue;
		if (tn_entry_look(&e, trace->path, all.name[i], &why) < 0)
			tn_tell(&trace->problems, TN_DAMAGE, "%s", why.text);
		else if (S_ISREG(e.st.st_mode) && e.st.st_size > 0 && !is_had(trace->grows, &e.st) && !is_metadata(trace, &e.st))
			rc = add_name(trace, names, all.name[i], (uint64_t)e.st.st_size, err);
	}
	tn_listing_release(&all);
	return rc;
}

/* List the regular files that may be streams, sorted by name (ctf1-binary.md, 1.1). */
static enum tn_code
list_files(struct tn_trace *trace, struct names *names, struct tn_error *err)
{
	enum tn_code rc = trace->memory ? list_memory(trace, names, err) : list_folder(trace, names, err);

	if (rc == TN_OK && names->n)
		qsort(names->item, names->n, sizeof *names->item, by_bytes);
	return rc;
}

/* Make @path absolute, without "." and "..", but keep symbolic links. NULL: memory is out. */
static const char *
absolute(struct tn_arena *arena, const char *path)
{
	struct tn_str s = { 0 };
	char here[PATH_MAX];
	const char *out = NULL;

	if (path[0] != '/' && getcwd(here, sizeof here))
		path = (tn_str_printf(&s, "%s/%s", here, path), tn_str_text(&s));
	if (!s.failed) {
		char *copy = tn_arena_alloc(arena, strlen(path) + 2), *to = copy;

		while (copy && *path) {
			size_t n = strcspn(path, "/");

			if (n == 2 && path[0] == '.' && path[1] == '.') {
				while (to > copy && *--to != '/')
					;
			} else if (n && !(n == 1 && path[0] == '.')) {
				*to++ = '/';
				memcpy(to, path, n);
				to += n;
			}
			path += n + (path[n] == '/');
		}
		if (copy && to == copy)
			*to++ = '/';
		out = copy;
	}
	tn_str_release(&s);
	return out;
}

/* ---- stream files ---- */

/* A file, and the data of its first packet or of its index file. */
struct candidate {
	const char *name;
	struct tn_stream_file file;
	struct tn_ctf_lttng_index index;
	bool has_index;
	enum tn_ctf_flaw flaw;	/* flaw of the first packet; used if all files have a flaw */
	const char *why;	/* reason for TN_CTF_NO_MAGIC */
	struct tn_stream_class *stream_class;
	bool has_instance;	/* the packets have an instance id, and begin times: files with the same id are one stream */
	uint64_t instance;
	struct candidate *next;	/* the next candidate of the same stream */
	bool taken;
};

/* Take the ids from the index file, if it has all ids. */
static bool
identify_by_index(struct tn_trace *trace, struct candidate *c)
{
	uint64_t id, instance;

	if (trace->options && trace->options->no_index_files)
		return false;
	c->has_index = tn_ctf_lttng_index_open(&c->index, trace, c->file.path, c->file.map.size);
	c->file.beside = c->index.identity;
	if (!c->has_index)
		return false;
	tn_ctf_lttng_index_ids(&c->index, 0, &id, &instance);
	for (size_t i = 0; i < trace->n_stream_classes; i++) {
		struct tn_stream_class *sc = trace->stream_class[i];
		const struct tn_plan *plan = sc->plan;

		if (sc->id != id)
			continue;
		/* If begin times are not whole, index entries do not give the start of a packet. */
		if (!sc->clock || !plan->begin_known || plan->begin_bits < 64 || plan->end_bits < 64)
			break;
		if (instance == TN_UNKNOWN)
			return false;
		c->stream_class = sc;
		c->instance = instance;
		c->has_instance = true;
		return true;
	}
	tn_map_release(&c->index.map);
	c->has_index = false;
	return false;
}

static enum tn_code
identify(struct tn_trace *trace, struct candidate *c, struct tn_error *err)
{
	struct tn_ctf_slots slots;
	struct tn_machine m = { 0 };
	struct tn_ctf_header h;
	struct tn_error why = { 0 };
	struct tn_ctf_sweep sweep = { 0 };
	uint64_t budget = UINT64_MAX;

	if (identify_by_index(trace, c))
		return TN_OK;
	if (!tn_ctf_slots_init(&slots, trace))
		return tn_fail_memory(err);
	m.slot = slots.slot;
	m.p = c->file.map.data;
	m.end = c->file.map.size * 8;
	c->flaw = tn_ctf_header_read(&h, &m, trace, NULL, &why);
	if (c->flaw != TN_CTF_FINE) {
		if (tn_ctf_sweep(&sweep, &budget, trace, &c->file, NULL, 0) && sweep.found) {
			m.p = c->file.map.data + sweep.at;
			m.end = (c->file.map.size - sweep.at) * 8;
			m.clock = 0;
			c->flaw = tn_ctf_header_read(&h, &m, trace, NULL, NULL);
		}
	}
	c->stream_class = h.stream_class ? h.stream_class : trace->stream_class[0];
	if (c->flaw == TN_CTF_FINE && h.has_instance && h.begin_cycles != TN_UNKNOWN) {
		c->has_instance = true;
		c->instance = h.instance;
	}
	tn_ctf_slots_release(&slots);
	if (c->flaw == TN_CTF_NO_MAGIC && !(c->why = tn_arena_string(&trace->arena, why.text)))
		return tn_fail_memory(err);
	/* Once the class is known, an index file without instance ids can be used, too. */
	if (c->has_index && !c->stream_class->plan->begin_known) {
		tn_map_release(&c->index.map);
		c->has_index = false;
	}
	return TN_OK;
}

/* Whether the string from @p on is a number: one digit or more. */
static bool
is_number(const char *p)
{
	return *p && strspn(p, "0123456789") == strlen(p);
}

/* The name of a stream. "chan_0_2" is the second part of "chan_0" if the stream has several files, or is instance 0. */
static const char *
stream_name(struct tn_trace *trace, const struct candidate *first, bool several)
{
	const char *last = strrchr(first->name, '_'), *before;
	char number[24];

	if (!last || last == first->name || !is_number(last + 1))
		return first->name;
	if (!several) {
		/*
		 * If there is only one file, remove the last number only if the number before it is the instance
		 * (processor).
		 */
		for (before = last - 1; before > first->name && *before != '_'; before--)
			;
		snprintf(number, sizeof number, "_%" PRIu64 "_", first->instance);
		if (!first->has_instance || strncmp(before, number, strlen(number)) != 0 ||
		    before + strlen(number) != last + 1)
			return first->name;
	}
	return tn_arena_copy(&trace->arena, first->name, (size_t)(last - first->name));
}

static bool
same_stream(const struct candidate *a, const struct candidate *b)
{
	return a->has_instance && b->has_instance && a->instance == b->instance && a->stream_class == b->stream_class;
}

/* Sort the candidates by stream. The candidates of a stream keep their order. */
static int
by_stream(const void *a, const void *b)
{
	const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;

	if (x->has_instance != y->has_instance)
		return x->has_instance ? -1 : 1;
	if (x->has_instance && x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	if (x->has_instance && x->stream_class != y->stream_class)
		return (uintptr_t)x->stream_class < (uintptr_t)y->stream_class ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Link each candidate to the next one of its stream, also for a large number of candidates. */
static bool
chain_candidates(struct candidate *c, size_t n)
{
	struct candidate **all = calloc(n ? n : 1, sizeof *all);
	size_t n_all = 0;

	if (!all)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!c[i].taken)
			all[n_all++] = &c[i];
	qsort(all, n_all, sizeof *all, by_stream);
	for (size_t i = 0; i + 1 < n_all; i++)
		all[i]->next = same_stream(all[i], all[i + 1]) ? all[i + 1] : NULL;
	free(all);
	return true;
}

/* Make a stream of a candidate and of the following candidates that belong to it. */
static struct tn_stream *
make_stream(struct tn_trace *trace, struct candidate *c, const char *folder)
{
	struct tn_stream *s = TN_NEW(&trace->arena, struct tn_stream);
	struct tn_ctf_stream *own = calloc(1, sizeof *own);
	size_t n_files = 0;
	char *path;

	for (const struct candidate *k = c; k; k = k->next)
		n_files++;
	path = tn_arena_alloc(&trace->arena, strlen(folder) + strlen(c->name) + 2);
	if (!s || !own || !path || !(own->file = calloc(n_files, sizeof *own->file)) ||
	    !(s->file = TN_NEW_ARRAY(&trace->arena, n_files, struct tn_stream_file)))
		goto fail;
	sprintf(path, "%s%s%s", folder, folder[1] ? "/" : "", c->name);
	s->own = own;
	s->trace = trace;
	s->stream_class = c->stream_class;
	s->has_instance_id = c->has_instance;
	s->id = c->instance;
	s->path = path;
	s->name = stream_name(trace, c, n_files > 1);
	own->end_ns = INT64_MIN;
	own->highest = TN_UNKNOWN;
	if (!s->name)
		goto fail;
	for (struct candidate *k = c; k; k = k->next) {
		struct tn_ctf_file *f = &own->file[own->n_files];

		k->taken = true;
		s->file[own->n_files++] = k->file;
		s->n_files = own->n_files;
		s->size += k->file.map.size;
		f->has_index = k->has_index;
		f->index = k->index;
		memset(&k->file.map, 0, sizeof k->file.map);
		k->has_index = false;
	}
	return s;
fail:
	if (own)
		free(own->file);
	free(own);
	return NULL;
}

/* Leave out files without the magic number: they are not streams of this trace, unless no file has it. */
static void
leave_strays(struct tn_trace *trace, struct candidate *c, size_t n)
{
	bool some = false;

	for (size_t i = 0; i < n; i++)
		some = some || c[i].flaw != TN_CTF_NO_MAGIC;
	for (size_t i = 0; some && i < n; i++) {
		if (c[i].flaw != TN_CTF_NO_MAGIC)
			continue;
		c[i].taken = true;
		tn_tell(&trace->problems, TN_WARNING, "%s: the file is not a stream of this trace and is left out: "
						      "%s", c[i].file.path,
			c[i].why);
	}
}

static enum tn_code
open_candidates(struct tn_trace *trace, const struct names *names, struct candidate *c, size_t *n, struct tn_error *err)
{
	enum tn_code rc;

	for (size_t i = 0; i < names->n; i++) {
		struct candidate *one = &c[*n];
		struct tn_error why = { 0 };
		uint64_t size;	/* not size_t, because MOST_BYTES exceeds it on 32-bit systems */
		char *path = tn_arena_alloc(&trace->arena, strlen(trace->path) + strlen(names->item[i].text) + 2);
		size_t end = strlen(trace->path);

		if (!path)
			return tn_fail_memory(err);
		sprintf(path, "%s%s%s", trace->path, end && trace->path[end - 1] == '/' ? "" : "/", names->item[i].text);
		*one = (struct candidate) { .name = names->item[i].text };
		one->file.path = path;
		rc = tn_trace_map(trace, &one->file.map, path, &why);
		if (rc == TN_ERR_MEMORY)
			return tn_fail_memory(err);
		size = one->file.map.size;
		if (rc == TN_OK && size > MOST_BYTES)
			rc = tn_fail(&why, TN_ERR_UNSUPPORTED, "%s: the file is too large to be read", path);
		if (rc != TN_OK || !one->file.map.size) {
			if (rc != TN_OK)
				tn_tell(&trace->problems, TN_DAMAGE, "%s", why.text);
			tn_map_release(&one->file.map);
			continue;
		}
		if (trace->options->growing && one->file.map.size > names->item[i].size)
			one->file.map.size = (size_t)names->item[i].size;
		if ((rc = identify(trace, one, err)) < 0)
			return rc;
		/* The first header of the file is incomplete. Read it again when the file has grown. */
		if (trace->options->growing && one->flaw == TN_CTF_SHORT)
			tn_map_release(&one->file.map);
		else
			(*n)++;
	}
	return TN_OK;
}

static enum tn_code
open_streams(struct tn_trace *trace, const struct names *names, struct tn_error *err)
{
	struct candidate *c = calloc(names->n, sizeof *c);
	const char *folder = trace->memory ? trace->path : absolute(&trace->arena, trace->path);
	enum tn_code rc = TN_OK;
	size_t n = 0;

	if (!c || !folder || !(trace->stream = TN_NEW_ARRAY(&trace->arena, names->n, struct tn_stream *)))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = open_candidates(trace, names, c, &n, err);
	if (rc == TN_OK)
		leave_strays(trace, c, n);
	if (rc == TN_OK && !chain_candidates(c, n))
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < n; i++) {
		struct tn_stream *s;

		if (c[i].taken)
			continue;
		s = make_stream(trace, &c[i], folder);
		if (s)
			trace->stream[trace->n_streams++] = s;
		else
			rc = tn_fail_memory(err);
	}
	for (size_t i = 0; c && i < n; i++) {
		tn_map_release(&c[i].file.map);
		if (c[i].has_index)
			tn_map_release(&c[i].index.map);
	}
	free(c);
	tn_ctf_number_streams(trace);
	return rc;
}

/* ---- opening ---- */

/* Find the bytes with which packets begin. */
static void
find_magic(struct tn_trace *trace, struct tn_ctf_trace *own)
{
	const struct tn_field *h = trace->packet_header, *f;

	if (!h || h->type->kind != TN_KIND_STRUCT || !h->type->n_fields)
		return;
	f = &h->type->field[0];
	if (!(f->type->roles & TN_ROLE_MAGIC) || f->type->length != 32 || f->type->reversed)
		return;
	own->has_magic = true;
	for (unsigned i = 0; i < 4; i++)
		own->magic[i] = (uint8_t)(TN_CTF_MAGIC >> (f->type->big_endian ? 24 - 8 * i : 8 * i));
}

static int64_t
env_number(const struct tn_trace *trace, const char *name, int64_t otherwise)
{
	const struct tn_env *e = tn_trace_env(trace, name);

	return !e ? otherwise : e->is_text ? atoll(e->text) : e->number;
}

/*
 * Whether the tracer writes events after the end of their packet: lttng-ust before 2.11, lttng-modules before 2.9.13 and
 * 2.10.10 (ctf1-binary.md, 13).
 */
static bool
has_late_events(const struct tn_trace *trace)
{
	const struct tn_env *name = tn_trace_env(trace, "tracer_name");
	int64_t major = env_number(trace, "tracer_major", 0), minor = env_number(trace, "tracer_minor", 0);
	int64_t patch = env_number(trace, "tracer_patchlevel", env_number(trace, "tracer_patch", 0));

	if (!name || !name->is_text)
		return false;
	if (strcmp(name->text, "lttng-ust") == 0)
		return major < 2 || (major == 2 && minor < 11);
	if (strcmp(name->text, "lttng-modules") == 0)
		return major < 2 || (major == 2 && (minor < 9 || (minor == 9 && patch < 13) || (minor == 10 && patch < 10)));
	return false;
}

static void
ctf_drop(struct tn_stream *stream)
{
	struct tn_ctf_stream *own = stream->own;

	if (!own)
		return;
	for (size_t k = 0; k < own->n_files; k++)
		if (own->file[k].has_index)
			tn_map_release(&own->file[k].index.map);
	free(own->file);
	free(own);
	stream->own = NULL;
}

/* Build the trace from the metadata. */
static enum tn_code
open_model(struct tn_trace *trace, struct tn_ctf_trace *own, struct tn_error *err)
{
	enum tn_code rc = tn_ctf_metadata_load(trace, err);

	if (rc < 0)
		return rc;
	own->general = tn_ways() & TN_WAYS_WALK;
	own->is_ctf2 = trace->format && strncmp(trace->format, "CTF 2", 5) == 0;
	own->late_events = has_late_events(trace);
	find_magic(trace, own);
	if ((rc = tn_plan_compile(trace, err)) < 0) {
		struct tn_str path = { 0 };

		tn_ctf_metadata_path(trace, &path);
		rc = tn_at(err, rc, "%s", tn_str_text(&path));
		tn_str_release(&path);
	}
	return rc;
}

static enum tn_code
ctf_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_ctf_trace *own = TN_NEW(&trace->arena, struct tn_ctf_trace);
	struct names names = { 0 };
	enum tn_code rc;

	if (!own)
		return tn_fail_memory(err);
	trace->own = own;
	/*
	 * If the trace grows, list the files before reading the metadata: the metadata then describes all packets in
	 * these files.
	 */
	if ((rc = list_files(trace, &names, err)) == TN_OK)
		rc = open_model(trace, own, err);
	if (rc == TN_OK && names.n) {
		if (!trace->n_stream_classes)
			rc = tn_fail(err, TN_ERR_FORMAT, "%s: has stream files but no stream class", trace->path);
		else
			rc = open_streams(trace, &names, err);
	}
	TN_ARRAY_RELEASE(&names);
	return rc;
}

const struct tn_format tn_format_ctf = {
	.name = "ctf",
	.meaning = TN_MEANING_CTF,
	.pairs = &tn_ctf_pairs,
	.probe = ctf_probe, .probe_memory = ctf_probe_memory,
	.belongs = ctf_belongs,
	.open = ctf_open,
	.join = tn_ctf_join,
	.extend = tn_ctf_extend,
	.agrees = tn_ctf_agrees, .put_right = tn_ctf_put_right,
	.grow = tn_ctf_grow,
	.walk = tn_ctf_walk,
	.read = tn_ctf_read,
	.drop = ctf_drop,
};
