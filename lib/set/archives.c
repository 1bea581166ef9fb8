/*
 * archives.c - archives of a set that are unpacked in the background, but visible from the start
 *
 * Such a set grows until all archives are unpacked. Then it is opened again as usual, to get its index and the order of
 * equal times. Archives that are not unpacked completely are removed.
 */
#include <config.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include <tnav/tnav.h>

#include "archive/archive.h"
#include "base/now.h"
#include "base/ways.h"
#include "set/set.h"

static int
note_progress(void *user, uint64_t done, uint64_t all)
{
	struct tn_own_archive *p = user;

	atomic_store(&p->done, done);
	atomic_store(&p->all, all);
	return atomic_load(&p->stop);
}

static void
run(void *user)
{
	struct tn_own_archive *p = user;

	p->rc = tn_unpack_run(p->unpack, note_progress, p, &p->error);
	atomic_store(&p->ended, true);
}

static bool
is_packed(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && tn_archive_is(path);
}

static enum tn_code
start(struct tn_own_set *own, const char *path, size_t i, struct tn_error *err)
{
	struct tn_own_archive **at = TN_ARRAY_ADD(&own->packed), *p;
	enum tn_code rc;

	if (!at || !(p = calloc(1, sizeof *p))) {
		own->packed.n -= at != NULL;
		return tn_fail_memory(err);
	}
	*at = p;
	p->path = i;
	atomic_init(&p->done, 0);
	atomic_init(&p->all, 0);
	atomic_init(&p->stop, false);
	atomic_init(&p->ended, false);
	rc = tn_unpack_begin(&p->unpack, path, NULL, false, err);
	if (rc == TN_OK && !tn_unpack_is_done(p->unpack))
		return tn_worker_start(&p->worker, run, p, err);
	atomic_store(&p->ended, true);
	return rc;
}

static bool
all_ended(const struct tn_own_set *own)
{
	for (size_t i = 0; i < own->packed.n; i++)
		if (!atomic_load(&own->packed.item[i]->ended))
			return false;
	return true;
}

enum tn_code
tn_archives_begin(struct tn_own_set *own, const char *const *path, size_t n, struct tn_error *err)
{
	static const struct timespec pause = { 0, 500000 };
	int64_t wait = tn_ways() & TN_WAYS_BESIDE ? -1 : own->options.unpack_wait_ns, until = tn_now_ns() + wait;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < n; i++)
		if (is_packed(path[i]))
			rc = start(own, path[i], i, err);
	while (rc == TN_OK && !all_ended(own) && tn_now_ns() < until)
		nanosleep(&pause, NULL);
	if (rc == TN_OK && own->packed.n && (!all_ended(own) || wait < 0))
		return TN_OK;
	/* All archives are unpacked, and found in the cache. If not, opening them in order reports each error. */
	for (size_t i = 0; rc == TN_OK && i < own->packed.n; i++)
		if (own->packed.item[i]->rc == TN_OK)
			rc = tn_unpack_finish(own->packed.item[i]->unpack, err);
	tn_archives_end(own);
	return rc == TN_ERR_MEMORY ? rc : TN_END;
}

struct tn_own_archive *
tn_archives_find(const struct tn_own_set *own, size_t i)
{
	for (size_t k = 0; k < own->packed.n; k++)
		if (own->packed.item[k]->path == i)
			return own->packed.item[k];
	return NULL;
}

/* The archive is complete: give its folder the final name, so that later searches, also by other programs, find it. */
static void
finish(struct tn_own_set *own, struct tn_own_archive *p)
{
	char *folder;

	if (p->rc == TN_OK)
		p->rc = tn_unpack_finish(p->unpack, &p->error);
	p->told = true;
	if (p->rc < 0) {
		if (p->rc != TN_ERR_CANCELLED)
			tn_tell(&own->set.problems, TN_DAMAGE, "%s", p->error.text);
		return;
	}
	folder = strdup(tn_unpack_folder(p->unpack));
	if (!folder)
		return;	/* this set keeps the previous name, because its files are mapped from there */
	free(own->path.item[p->path]);
	own->path.item[p->path] = folder;
}

void
tn_archives_look(struct tn_own_set *own, struct tn_growth *out)
{
	uint64_t done = 0, all = 0;

	own->unpacking = false;
	for (size_t i = 0; i < own->packed.n; i++) {
		struct tn_own_archive *p = own->packed.item[i];
		bool ended = atomic_load(&p->ended);

		own->unpacking = own->unpacking || !ended;
		if (ended && !p->told)
			finish(own, p);
		if (ended && p->rc < 0)
			out->cut = p->error.text;
		done += atomic_load(&p->done);
		all += atomic_load(&p->all);
	}
	out->unpacking = own->unpacking;
	out->unpacked = all ? (double)done / (double)all : 0;
}

void
tn_archives_end(struct tn_own_set *own)
{
	for (size_t i = 0; i < own->packed.n; i++)
		atomic_store(&own->packed.item[i]->stop, true);
	for (size_t i = 0; i < own->packed.n; i++) {
		tn_worker_join(own->packed.item[i]->worker);
		tn_unpack_free(own->packed.item[i]->unpack);
		free(own->packed.item[i]);
	}
	TN_ARRAY_RELEASE(&own->packed);
	own->unpacking = false;
}

void
tn_set_stop_unpacking(struct tn_set *set)
{
	struct tn_own_set *own = (struct tn_own_set *)set;

	for (size_t i = 0; set && i < own->packed.n; i++)
		atomic_store(&own->packed.item[i]->stop, true);
}

bool
tn_set_is_unpacking(const struct tn_set *set)
{
	return set && ((const struct tn_own_set *)set)->packed.n > 0;
}

bool
tn_path_is_archive(const char *path)
{
	return path && is_packed(path);
}
