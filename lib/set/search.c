/*
 * search.c - find the traces at and below a path; archives are unpacked to folders here
 *
 * A search does not follow links to folders. If the target of a link is in the searched folder, it is found at its own
 * path; a link to another place is reported.
 */
#include "set/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/listing.h"
#include "base/mapfile.h"
#include "base/now.h"
#include "base/str.h"

#define DEPTH_MAX 128	/* limit of nested folders */
#define PROGRESS_NS 50000000

static struct tn_identity
identity_of(const struct stat *st)
{
	return (struct tn_identity) { (uint64_t)st->st_dev, (uint64_t)st->st_ino };
}

/* Find or make the item of @id in @table. NULL: memory is out. */
static struct tn_hash_item *
add_identity(struct tn_search *search, struct tn_hash *table, const struct tn_identity *id, bool *is_new)
{
	struct tn_identity *key = TN_NEW(&search->arena, struct tn_identity);

	if (!key)
		return NULL;
	*key = *id;
	return tn_hash_add(table, key, sizeof *key, is_new);
}

/* ---- formats ---- */

/* Whether the user wants the format; the name "vartrace-be" also means the format vartrace. */
static bool
is_wanted(const struct tn_search *search, const struct tn_format *format)
{
	size_t n = strlen(format->name);

	return !search->wanted || (strncmp(search->wanted, format->name, n) == 0 &&
				   (search->wanted[n] == '\0' || search->wanted[n] == '-'));
}

static enum tn_probe
ask_bytes(const struct tn_search *search, const struct tn_format *format, const char *path, bool is_folder)
{
	const struct tn_memory *memory = search->memory;
	enum tn_probe found;
	struct tn_map map;

	if (memory ? memory->n != 1 : is_folder)
		return TN_PROBE_NO;
	if ((memory ? tn_map_memory(&map, memory->file->bytes, memory->file->size, NULL) : tn_map_open(&map, path, NULL)) != TN_OK)
		return TN_PROBE_NO;
	found = format->probe_bytes(map.data, map.size);
	tn_map_release(&map);
	return found;
}

static enum tn_probe
ask(const struct tn_search *search, const struct tn_format *format, const char *path, bool is_folder)
{
	if (format->probe_bytes)
		return ask_bytes(search, format, path, is_folder);
	if (!search->memory)
		return format->probe(path, is_folder);
	return format->probe_memory ? format->probe_memory(search->memory) : TN_PROBE_NO;
}

/* Find the format that fits the path best; NULL: none. @certain: leave out formats that are only possible. */
static const struct tn_format *
probe(const struct tn_search *search, const char *path, bool is_folder, bool certain)
{
	const struct tn_format *maybe = NULL;

	for (size_t i = 0; search->formats[i]; i++) {
		const struct tn_format *format = search->formats[i];

		if (!is_wanted(search, format))
			continue;
		switch (ask(search, format, path, is_folder)) {
		case TN_PROBE_YES:
			return format;
		case TN_PROBE_MAYBE:
			if (!maybe && !certain)
				maybe = format;
			break;
		case TN_PROBE_NO:
			break;
		}
	}
	return maybe;
}

const struct tn_format *
tn_search_forced(const struct tn_search *search)
{
	for (size_t i = 0; search->wanted && search->formats[i]; i++)
		if (is_wanted(search, search->formats[i]))
			return search->formats[i];
	return NULL;
}

/* ---- found traces ---- */

/* Add a trace. It may be reachable through several paths; only the first one counts. */
static enum tn_code
add_trace(struct tn_search *search, const char *path, const char *below, const struct tn_format *format,
	  const struct stat *st, struct tn_found **out, struct tn_error *err)
{
	struct tn_identity id = identity_of(st);
	struct tn_found *found;
	struct tn_hash_item *item;
	bool is_new;

	item = add_identity(search, &search->found, &id, &is_new);
	if (!item)
		return tn_fail_memory(err);
	if (is_new) {
		item->value = search->traces.n;
		found = TN_ARRAY_ADD(&search->traces);
		if (!found)
			return tn_fail_memory(err);
		found->path = strdup(path);
		found->below = strdup(below);
		found->format = format;
		found->id = id;
		if (!found->path || !found->below)
			return tn_fail_memory(err);
	}
	*out = &search->traces.item[item->value];
	if (!is_new && !(*out)->only.n)
		*out = NULL;	/* everything in it is already found */
	return TN_OK;
}

/* The user wants all streams of a trace. */
static enum tn_code
add_whole(struct tn_search *search, const char *path, const char *below, const struct tn_format *format,
	  const struct stat *st, struct tn_error *err)
{
	struct tn_found *found;
	enum tn_code rc = add_trace(search, path, below, format, st, &found, err);

	if (rc == TN_OK && found)
		found->only.n = 0;
	return rc;
}

/* The user also wants the stream with the file at @stream. @named: its name as typed. */
static enum tn_code
add_part(struct tn_search *search, const char *path, const struct tn_format *format, const char *stream,
	 const char *named, struct tn_error *err)
{
	struct tn_identity *only;
	struct tn_found *found;
	struct stat st, stream_st;
	enum tn_code rc;

	if (stat(path, &st) < 0 || stat(stream, &stream_st) < 0)
		return tn_fail_errno(err, "%s", named);
	rc = add_trace(search, path, "", format, &st, &found, err);
	if (rc < 0 || !found)
		return rc;
	only = TN_ARRAY_ADD(&found->only);
	if (!only || (!found->named && !(found->named = strdup(named))))
		return tn_fail_memory(err);
	*only = identity_of(&stream_st);
	return TN_OK;
}

/* ---- folders ---- */

static enum tn_code search_folder(struct tn_search *search, const char *path, const char *below, const struct stat *st,
				  unsigned depth, struct tn_error *err);

/*
 * The format of a file in a folder that is not a trace. NULL: do not open the file. tnav opens formats whose files are
 * recognised with certainty. A file of another format, or an old file that perf renamed, may be a copy of another file,
 * so the user decides.
 */
static const struct tn_format *
format_in_folder(const struct tn_search *search, const struct tn_entry *e)
{
	struct tn_identity id = identity_of(&e->st);
	const struct tn_format *format = NULL;
	size_t n = strlen(e->path);

	if (S_ISREG(e->st.st_mode) && !e->is_link && !tn_hash_find(&search->found, &id, sizeof id))
		format = probe(search, e->path, false, true);
	if (!format || (format->in_folders && (n < 4 || strcmp(e->path + n - 4, ".old") != 0)))
		return format;
	tn_tell(search->problems, TN_WARNING, "%s: this trace (%s) is not opened with its folder; name it to open it too",
		e->path, format->name);
	return NULL;
}

static enum tn_code
search_entry(struct tn_search *search, const char *path, const char *name, const char *below, unsigned depth,
	     struct tn_error *err)
{
	struct tn_str child_below = { 0 };
	const struct tn_format *format;
	struct tn_error why = { 0 };
	struct tn_entry e;
	enum tn_code rc = tn_entry_look(&e, path, name, &why);

	if (rc < 0) {
		bool describes = strcmp(name, "metadata") == 0 || strcmp(name, "stream.json") == 0;
		enum tn_severity severity = rc != TN_ERR_NOT_FOUND ? TN_DAMAGE : !e.is_link ? TN_WARNING :
					    describes && !search->growing ? TN_DAMAGE : TN_NOTE;

		/*
		 * An entry that was removed since the folder was read is not damage. A link without a target is not a
		 * trace, unless it has the name of a description.
		 */
		tn_tell(search->problems, severity, "%s", why.text);
		return TN_OK;
	}
	format = format_in_folder(search, &e);
	if (!S_ISDIR(e.st.st_mode) && !format)
		return TN_OK;
	if (e.is_link) {
		tn_tell_link(search->problems, search->top, e.path);
		return TN_OK;
	}
	tn_str_printf(&child_below, "%s%s%s", below, *below ? "/" : "", name);
	rc = child_below.failed ? tn_fail_memory(err) :
	     format ? add_whole(search, e.path, child_below.text, format, &e.st, err) :
	     search_folder(search, e.path, child_below.text, &e.st, depth + 1, err);
	tn_str_release(&child_below);
	return rc;
}

/* Search the files and folders in a folder. Unreadable ones are reported. */
static enum tn_code
search_inside(struct tn_search *search, const char *path, const char *below, unsigned depth, struct tn_error *err)
{
	struct tn_error why = { 0 };
	struct tn_listing names;
	enum tn_code rc = tn_listing_read(&names, path, &why);

	if (rc == TN_ERR_MEMORY) {
		tn_listing_release(&names);
		return tn_fail_memory(err);
	}
	if (rc < 0)
		tn_tell(search->problems, TN_DAMAGE, "%s", why.text);
	rc = TN_OK;
	for (size_t i = 0; rc == TN_OK && i < names.n; i++)
		rc = search_entry(search, path, names.name[i], below, depth, err);
	tn_listing_release(&names);
	return rc;
}

/* Search a folder. A folder that is a trace is not searched further. */
static enum tn_code
search_folder(struct tn_search *search, const char *path, const char *below, const struct stat *st, unsigned depth,
	      struct tn_error *err)
{
	struct tn_identity id = identity_of(st);
	const struct tn_format *format;
	bool is_new;

	if (depth > DEPTH_MAX) {
		tn_tell(search->problems, TN_WARNING, "%s: more than %d folders deep, not searched; name this folder to open it",
			path, DEPTH_MAX);
		return TN_OK;
	}
	if (!add_identity(search, &search->seen, &id, &is_new))
		return tn_fail_memory(err);
	if (!is_new)
		return TN_OK;
	format = probe(search, path, true, false);
	if (format)
		return add_whole(search, path, below, format, st, err);
	return search_inside(search, path, below, depth, err);
}

static enum tn_code search_file(struct tn_search *search, const char *path, const struct stat *st, struct tn_error *err);

/* If the folder is an archive of one file, this file is the trace. TN_END: it is not. */
static enum tn_code
search_only_file(struct tn_search *search, const char *folder, struct tn_error *err)
{
	struct tn_listing names;
	struct tn_str path = { 0 };
	enum tn_code rc = tn_listing_read(&names, folder, NULL);
	size_t n = 0;
	struct stat st;

	for (size_t i = 0; rc == TN_OK && i < names.n; i++) {
		if (strcmp(names.name[i], TN_WHOLE) == 0 || strcmp(names.name[i], TN_CUT) == 0)
			continue;
		tn_str_clear(&path);
		tn_str_printf(&path, "%s/%s", folder, names.name[i]);
		n++;
	}
	tn_listing_release(&names);
	if (rc == TN_OK)
		rc = n == 1 && !path.failed && lstat(path.text, &st) == 0 && S_ISREG(st.st_mode) &&
		     search_file(search, path.text, &st, err) == TN_OK ? TN_OK : TN_END;
	tn_str_release(&path);
	return rc == TN_OK ? rc : TN_END;
}

/* Whether the folder is an unpacked archive. */
static bool
is_unpacked(const char *folder)
{
	char *note = tn_printed("%s/" TN_WHOLE, folder);
	bool is = note && access(note, F_OK) == 0;

	free(note);
	return is;
}

static enum tn_code
search_top(struct tn_search *search, const char *argument, const char *path, const struct stat *st, struct tn_error *err)
{
	size_t found = search->traces.n, seen = search->seen.n;
	struct tn_identity id = identity_of(st);
	enum tn_code rc;

	if (tn_hash_find(&search->seen, &id, sizeof id))
		return TN_OK;	/* this path is inside of an earlier argument, whose traces are already found */
	search->top = path;
	if (is_unpacked(path) && search_only_file(search, path, NULL) == TN_OK)
		return TN_OK;
	rc = search_folder(search, path, "", st, 0, err);
	if (rc < 0 || search->traces.n > found)
		return rc;
	if (tn_search_forced(search))	/* the format reports the mistake */
		return add_whole(search, path, "", tn_search_forced(search), st, err);
	id = identity_of(st);
	if (search->growing || tn_hash_find(&search->found, &id, sizeof id))
		return TN_OK;
	if (search->seen.n == seen + 1)
		return tn_fail(err, TN_ERR_NOT_FOUND, "%s: neither a trace nor a folder with traces (a CTF trace is a folder "
			       "with a file 'metadata'; tnav also finds trace.dat, perf.data and Perfetto files; name a JSON "
			       "file or a vartrace dump itself)",
			       argument);
	return tn_fail(err, TN_ERR_NOT_FOUND, "%s: no trace in this folder or below it", argument);
}

/* ---- files ---- */

/* Find the trace of which the file is a part, by the rules of its format. TN_END: it is not a part. */
static enum tn_code
search_owner(struct tn_search *search, const char *path, struct tn_error *err)
{
	enum tn_code rc = TN_END;

	for (size_t i = 0; rc == TN_END && search->formats[i]; i++) {
		const struct tn_format *format = search->formats[i];
		struct tn_str folder = { 0 }, stream = { 0 };
		struct stat st;

		if (!is_wanted(search, format) || !format->belongs || !format->belongs(path, &folder, &stream))
			;	/* perhaps another format reads it */
		else if (folder.failed || stream.failed)
			rc = tn_fail_memory(err);
		else if (!folder.n)
			rc = tn_fail(err, TN_ERR_FORMAT, "%s: a part of a trace (%s), without the file that describes it: give "
				     "the folder of the trace", path, format->name);
		else if (stream.n)
			rc = add_part(search, folder.text, format, stream.text, path, err);
		else if (stat(folder.text, &st) < 0)
			rc = tn_fail_errno(err, "%s", folder.text);
		else
			rc = add_whole(search, folder.text, "", format, &st, err);
		tn_str_release(&folder);
		tn_str_release(&stream);
	}
	return rc;
}

/* Use @path, a folder of files or one file, as streams of a CTF trace whose metadata is in another folder. */
static enum tn_code
search_streams(struct tn_search *search, const char *path, const struct stat *st, struct tn_error *err)
{
	const struct tn_format *format = NULL;
	const char *slash = strrchr(path, '/');
	struct tn_str folder = { 0 };
	enum tn_code rc;

	for (size_t i = 0; search->formats[i]; i++)
		if (strcmp(search->formats[i]->name, "ctf") == 0)
			format = search->formats[i];
	if (!format || !is_wanted(search, format))
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: only traces in CTF have metadata of their own",
			       search->options->metadata);
	if (S_ISDIR(st->st_mode))
		return add_whole(search, path, "", format, st, err);
	tn_str_add(&folder, path, slash ? (size_t)(slash - path) : 0);
	if (!folder.n)
		tn_str_puts(&folder, slash ? "/" : ".");
	rc = folder.failed ? tn_fail_memory(err) : add_part(search, folder.text, format, path, path, err);
	tn_str_release(&folder);
	return rc;
}

/* Add a file: a part of a trace, or a whole trace. */
static enum tn_code
search_file(struct tn_search *search, const char *path, const struct stat *st, struct tn_error *err)
{
	/* Do not open a pipe, because this would wait for a writer. */
	enum tn_code rc = S_ISREG(st->st_mode) ? search_owner(search, path, err) : TN_END;
	const struct tn_format *format;

	if (rc != TN_END)
		return rc;
	format = probe(search, path, false, false);
	if (!format)
		format = tn_search_forced(search);
	if (format)
		return add_whole(search, path, "", format, st, err);
	return tn_fail(err, TN_ERR_FORMAT, "%s: not a trace: give a trace folder, a folder above traces, "
		       "or name the format with --format", path);
}

enum tn_code
tn_search_memory(struct tn_search *search, const struct tn_memory *memory, struct tn_error *err)
{
	const struct stat identity = { .st_dev = (dev_t)-1 };
	const struct tn_format *format;
	struct tn_str name = { 0 };
	enum tn_code rc;

	search->memory = memory;
	format = probe(search, TN_MEMORY_PATH, true, false);
	if (!format && memory->n == 1)
		format = tn_search_forced(search);
	tn_str_puts(&name, TN_MEMORY_PATH);
	if (memory->n == 1 && !tn_memory_find(memory, "metadata"))
		tn_str_printf(&name, "/%s", memory->file->name);
	if (name.failed)
		rc = tn_fail_memory(err);
	else if (format)
		rc = add_whole(search, name.text, "", format, &identity, err);
	else
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: not a trace: give the files of a CTF trace, `metadata` among "
			     "them, or one file that is a trace", TN_MEMORY_PATH);
	tn_str_release(&name);
	return rc;
}

struct unpacking {
	const struct tn_open_options *options;
	const char *path;
	int64_t next_ns;	/* time of the next report */
};

static int
unpacking_progress(void *user, uint64_t done, uint64_t all)
{
	struct unpacking *u = user;
	int64_t now = tn_now_ns();

	if (!u->options || !u->options->progress || now < u->next_ns)
		return 0;
	u->next_ns = now + PROGRESS_NS;
	return u->options->progress(u->options->user, u->path, done, all);
}

void
tn_unpacked_release(struct tn_unpacked *unpacked)
{
	for (size_t i = 0; i < unpacked->list.n; i++)
		tn_unpack_free(unpacked->list.item[i]);
	TN_ARRAY_RELEASE(&unpacked->list);
}

/* Unpack into a temporary folder instead of the cache, once in each run. */
static enum tn_code
unpack_fresh(char **folder, struct tn_unpacked *unpacked, const char *path, struct unpacking *u, struct tn_error *err)
{
	struct tn_unpack *unpack = NULL, **kept;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < unpacked->list.n && !unpack; i++)
		if (strcmp(tn_unpack_path(unpacked->list.item[i]), path) == 0)
			unpack = unpacked->list.item[i];
	if (!unpack) {
		rc = tn_unpack_begin(&unpack, path, NULL, true, err);
		if (rc == TN_OK)
			rc = tn_unpack_run(unpack, unpacking_progress, u, err);
		kept = rc == TN_OK ? TN_ARRAY_ADD(&unpacked->list) : NULL;
		if (kept) {
			*kept = unpack;
		} else {
			tn_unpack_free(unpack);
			rc = rc < 0 ? rc : tn_fail_memory(err);
		}
	}
	if (rc == TN_OK && !(*folder = strdup(tn_unpack_folder(unpack))))
		rc = tn_fail_memory(err);
	return rc;
}

/* Unpack an archive into a folder of the cache, and search this folder. */
static enum tn_code
search_archive(struct tn_search *search, const char *path, struct tn_error *err)
{
	struct unpacking u = { .options = search->options, .path = path };
	size_t found = search->traces.n;
	struct tn_identity id;
	char *folder = NULL, *single, why[256];
	struct stat st;
	enum tn_code rc;

	if (search->unpacked)
		rc = unpack_fresh(&folder, search->unpacked, path, &u, err);
	else
		rc = tn_archive_unpack(&folder, path, NULL, unpacking_progress, &u, err);
	if (rc < 0)
		return rc;
	search->top = folder;
	if ((single = tn_archive_single(path)) && tn_archive_cut(why, sizeof why, folder))
		tn_tell(search->problems, TN_DAMAGE, "%s: the archive cannot be read to its end: %s", path, why);
	free(single);
	if (stat(folder, &st) < 0) {
		rc = tn_fail_errno(err, "%s", folder);
		free(folder);
		return rc;
	}
	id = identity_of(&st);
	if (!tn_hash_find(&search->seen, &id, sizeof id) && search_only_file(search, folder, NULL) != TN_OK) {
		rc = search_folder(search, folder, "", &st, 0, err);
		if (rc == TN_OK && search->traces.n == found)
			rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: no trace in this archive", path);
	}
	free(folder);
	return rc;
}

static bool
is_destination(const char *text)
{
	return strncmp(text, "tcp://", 6) == 0 || strncmp(text, "tcp4://", 7) == 0 || strncmp(text, "tcp6://", 7) == 0;
}

enum tn_code
tn_search_argument(struct tn_search *search, const char *argument, struct tn_error *err)
{
	size_t n = strlen(argument);
	enum tn_code rc;
	struct stat st;
	char *path;

	while (n > 1 && argument[n - 1] == '/')
		n--;
	path = tn_arena_copy(&search->arena, argument, n);
	if (!path)
		return tn_fail_memory(err);
	if (search->options && search->options->metadata && stat(path, &st) == 0)
		return search_streams(search, path, &st, err);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !search->wanted && tn_archive_is(path))
		return search_archive(search, path, err);
	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode) ? search_top(search, argument, path, &st, err) : search_file(search, path, &st, err);
	rc = errno == ENOENT || errno == ENOTDIR ? TN_ERR_NOT_FOUND : TN_ERR_SYSTEM;
	/* `lttng view` passes an empty argument to a viewer for sessions without a known folder. */
	if (!*argument)
		tn_fail(err, rc, "no trace given: lttng view gives none for snapshots; give the folder of the session");
	else if (is_destination(argument))
		tn_fail(err, rc, "%s: LTTng sends data to this address and stores nothing here: give the folder of its relay "
			"daemon, or net://RELAY, which lists live sessions", argument);
	else
		tn_fail_errno(err, "%s", argument);
	if (err)
		err->code = rc;
	return rc;
}

void
tn_found_release(struct tn_found *found)
{
	free(found->path);
	free(found->below);
	free(found->named);
	TN_ARRAY_RELEASE(&found->only);
	*found = (struct tn_found) { 0 };
}

void
tn_search_release(struct tn_search *search)
{
	for (size_t i = 0; i < search->traces.n; i++)
		tn_found_release(&search->traces.item[i]);
	TN_ARRAY_RELEASE(&search->traces);
	tn_hash_release(&search->found);
	tn_hash_release(&search->seen);
	tn_arena_release(&search->arena);
}
