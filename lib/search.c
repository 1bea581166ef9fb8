/*
 * search.c - which traces lie at and below a path; archives become folders here
 */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive/archive.h"
#include "base/memory.h"
#include "base/now.h"
#include "base/str.h"
#include "set.h"

#define DEPTH_MAX 128	/* folders inside folders */
#define PROGRESS_NS 50000000

/* "vartrace-be" names the format vartrace. */
static bool
is_wanted(const struct tn_search *search, const struct tn_format *format)
{
	size_t n = strlen(format->name);

	return !search->wanted || (strncmp(search->wanted, format->name, n) == 0 &&
				   (search->wanted[n] == '\0' || search->wanted[n] == '-'));
}

/* The format that knows the path best, NULL when none does. */
static const struct tn_format *
probe(const struct tn_search *search, const char *path, bool is_folder)
{
	const struct tn_format *maybe = NULL;

	for (size_t i = 0; search->formats[i]; i++) {
		const struct tn_format *format = search->formats[i];

		if (!is_wanted(search, format))
			continue;
		switch (format->probe(path, is_folder)) {
		case TN_PROBE_YES:
			return format;
		case TN_PROBE_MAYBE:
			if (!maybe)
				maybe = format;
			break;
		case TN_PROBE_NO:
			break;
		}
	}
	return maybe;
}

static bool
is_known(const struct tn_found *list, size_t n, const struct stat *st)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].device == st->st_dev && list[i].inode == st->st_ino)
			return true;
	return false;
}

/* One trace may be reached in several ways: the first counts. */
static bool
add_trace(struct tn_search *search, const char *path, const char *below, const struct tn_format *format,
	  const struct stat *st)
{
	struct tn_found *found;

	if (is_known(search->traces.item, search->traces.n, st))
		return true;
	found = TN_ARRAY_ADD(&search->traces);
	if (!found)
		return false;
	found->path = strdup(path);
	found->below = strdup(below);
	found->format = format;
	found->device = st->st_dev;
	found->inode = st->st_ino;
	return found->path && found->below;
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names { char **item; size_t n, room; };

static void
free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->item[i]);
	free(names->item);
}

/* What is in a folder, in an order that does not depend on the file system. */
static bool
read_names(struct names *names, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool ok = true;

	if (!dir)
		return true;	/* not ours to read: nothing is found there */
	while (ok && (entry = readdir(dir))) {
		char **name;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		name = TN_ARRAY_ADD(names);
		ok = name && (*name = strdup(entry->d_name));
		if (name && !*name)
			names->n--;
	}
	closedir(dir);
	if (names->n)
		qsort(names->item, names->n, sizeof *names->item, by_bytes);
	return ok;
}

static bool search_folder(struct tn_search *search, const char *path, const char *below, const struct stat *st,
			  unsigned depth);

/* Look into the folders of a folder; false when memory is out. */
static bool
search_inside(struct tn_search *search, const char *path, const char *below, unsigned depth)
{
	struct names names = { 0 };
	bool ok = read_names(&names, path);

	for (size_t i = 0; ok && i < names.n; i++) {
		struct tn_str child = { 0 }, child_below = { 0 };
		struct stat st;
		size_t n = strlen(path);

		tn_str_printf(&child, "%s%s%s", path, n && path[n - 1] == '/' ? "" : "/", names.item[i]);
		tn_str_printf(&child_below, "%s%s%s", below, *below ? "/" : "", names.item[i]);
		ok = !child.failed && !child_below.failed;
		if (ok && stat(child.text, &st) == 0 && S_ISDIR(st.st_mode))
			ok = search_folder(search, child.text, child_below.text, &st, depth + 1);
		tn_str_release(&child);
		tn_str_release(&child_below);
	}
	free_names(&names);
	return ok;
}

/* A folder that is a trace is not searched further. False when memory is out. */
static bool
search_folder(struct tn_search *search, const char *path, const char *below, const struct stat *st, unsigned depth)
{
	const struct tn_format *format;
	struct tn_found *seen;

	if (depth > DEPTH_MAX || is_known(search->seen.item, search->seen.n, st))
		return true;
	seen = TN_ARRAY_ADD(&search->seen);
	if (!seen)
		return false;
	seen->device = st->st_dev;
	seen->inode = st->st_ino;
	format = probe(search, path, true);
	if (format)
		return add_trace(search, path, below, format, st);
	return search_inside(search, path, below, depth);
}

/* The format the user named, when it is only one of ours. */
const struct tn_format *
tn_search_forced(const struct tn_search *search)
{
	for (size_t i = 0; search->wanted && search->formats[i]; i++)
		if (is_wanted(search, search->formats[i]))
			return search->formats[i];
	return NULL;
}

/* A file: the metadata of a folder, or all of a trace. */
static enum tn_code
search_file(struct tn_search *search, const char *path, const struct stat *st, struct tn_error *err)
{
	const struct tn_format *format = probe(search, path, false);
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct stat folder_st;
	bool ok = true;

	if (!format && strcmp(name, "metadata") == 0) {
		struct tn_str folder = { 0 };

		tn_str_add(&folder, path, slash ? (size_t)(slash - path) : 0);
		if (folder.n == 0)
			tn_str_puts(&folder, slash ? "/" : ".");
		if (!folder.failed && stat(folder.text, &folder_st) == 0)
			format = probe(search, folder.text, true);
		if (format)
			ok = add_trace(search, folder.text, "", format, &folder_st);
		ok = ok && !folder.failed;
		tn_str_release(&folder);
		if (ok && format)
			return TN_OK;
	} else {
		if (!format)
			format = tn_search_forced(search);
		if (format)
			ok = add_trace(search, path, "", format, st);
	}
	if (!ok)
		return tn_fail_memory(err);
	if (!format)
		return tn_fail(err, TN_ERR_FORMAT, "%s: not a trace: give a trace folder, a folder above traces, "
			       "or name the format with --format", path);
	return TN_OK;
}

/* Files in memory: a folder with metadata, or one file that is all of a trace. */
static enum tn_code
search_memory(struct tn_search *search, const char *path, struct tn_error *err)
{
	const struct stat identity = { .st_dev = (dev_t)-1, .st_ino = tn_memory_number(path) };
	const struct tn_format *format = probe(search, path, true);
	struct tn_memory_bytes file, second;
	struct tn_str name = { 0 };
	bool ok = true;

	tn_str_puts(&name, path);
	if (!format && tn_memory_file(path, 0, &file) && !tn_memory_file(path, 1, &second)) {
		tn_str_printf(&name, "/%s", file.name);
		format = name.failed ? NULL : probe(search, name.text, false);
		if (!format)
			format = tn_search_forced(search);
	}
	if (format && !name.failed)
		ok = add_trace(search, name.text, "", format, &identity);
	ok = ok && !name.failed;
	tn_str_release(&name);
	if (!ok)
		return tn_fail_memory(err);
	if (!format)
		return tn_fail(err, TN_ERR_FORMAT, "%s: not a trace: give the files of a CTF trace, `metadata` among "
			       "them, or one file that is a trace", path);
	return TN_OK;
}

struct unpacking {
	const struct tn_open_options *options;
	const char *path;
	int64_t next_ns;	/* when to tell again */
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

/* An archive becomes a folder of the cache. */
static enum tn_code
search_archive(struct tn_search *search, const char *path, struct tn_error *err)
{
	struct unpacking u = { .options = search->options, .path = path };
	size_t found = search->traces.n;
	struct stat st;
	char *folder;
	enum tn_code rc = tn_archive_unpack(&folder, path, NULL, unpacking_progress, &u, err);

	if (rc < 0)
		return rc;
	if (stat(folder, &st) < 0)
		rc = tn_fail_errno(err, "%s", folder);
	else if (!search_folder(search, folder, "", &st, 0))
		rc = tn_fail_memory(err);
	else if (search->traces.n == found)
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: no trace in this archive", path);
	free(folder);
	return rc;
}

enum tn_code
tn_search_argument(struct tn_search *search, const char *argument, struct tn_error *err)
{
	size_t found = search->traces.n, n = strlen(argument);
	enum tn_code rc = TN_OK;
	struct stat st;
	char *path;

	if (tn_memory_is(argument))
		return search_memory(search, argument, err);
	while (n > 1 && argument[n - 1] == '/')
		n--;
	path = strndup(argument, n);
	if (!path)
		return tn_fail_memory(err);
	if (stat(path, &st) < 0) {
		rc = tn_fail_errno(err, "%s", argument);
		if (errno == ENOENT || errno == ENOTDIR) {
			rc = TN_ERR_NOT_FOUND;
			if (err)
				err->code = rc;
		}
	} else if (S_ISREG(st.st_mode) && !search->wanted && tn_archive_is(path)) {
		rc = search_archive(search, path, err);
	} else if (!S_ISDIR(st.st_mode)) {
		rc = search_file(search, path, &st, err);
	} else if (is_known(search->seen.item, search->seen.n, &st)) {
		/* Below or equal to an argument before: what is there was found. */
	} else if (!search_folder(search, path, "", &st, 0)) {
		rc = tn_fail_memory(err);
	} else if (search->traces.n == found && tn_search_forced(search)) {
		if (!add_trace(search, path, "", tn_search_forced(search), &st))	/* let the format say what is wrong */
			rc = tn_fail_memory(err);
	} else if (search->growing) {
		/* There may be one later. */
	} else if (search->traces.n == found && search->seen.n == 1) {
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: not a trace and no trace below it "
			     "(a CTF trace is a folder that holds a file 'metadata')", argument);
	} else if (search->traces.n == found) {
		rc = tn_fail(err, TN_ERR_NOT_FOUND, "%s: no trace in this folder or below it", argument);
	}
	free(path);
	return rc;
}

void
tn_search_release(struct tn_search *search)
{
	for (size_t i = 0; i < search->traces.n; i++) {
		free(search->traces.item[i].path);
		free(search->traces.item[i].below);
	}
	TN_ARRAY_RELEASE(&search->traces);
	TN_ARRAY_RELEASE(&search->seen);
}

