#define _GNU_SOURCE	/* pipe2() */
#include "live/live.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "live/client.h"

#define PATIENCE_MS 15000

static void
drop(struct tn_live *live)
{
	if (atomic_fetch_sub(&live->holders, 1) != 1)
		return;
	tn_live_connection_close(&live->connection);
	for (size_t i = 0; i < live->traces.n; i++) {
		free(live->traces.item[i].name);
		free(live->traces.item[i].path);
		tn_str_release(&live->traces.item[i].metadata);
	}
	for (size_t i = 0; i < live->streams.n; i++) {
		free(live->streams.item[i].name);
		TN_ARRAY_RELEASE(&live->streams.item[i].breaks);
	}
	for (size_t i = 0; i < live->notes.n; i++)
		free(live->notes.item[i].text);
	TN_ARRAY_RELEASE(&live->traces);
	TN_ARRAY_RELEASE(&live->streams);
	TN_ARRAY_RELEASE(&live->notes);
	TN_ARRAY_RELEASE(&live->parts);
	free(live->packet);
	tn_spool_remove(&live->spool);
	if (live->stop.fd >= 0)
		close(live->stop.fd);
	if (live->stop_write >= 0)
		close(live->stop_write);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

static void
run(void *arg)
{
	struct tn_live *live = arg;

	tn_live_run(live);
	drop(live);
}

static struct tn_live *
make(const struct tn_live_url *url, const struct tn_live_options *options, struct tn_error *err)
{
	struct tn_live *live = calloc(1, sizeof *live);
	int fds[2];

	if (!live) {
		tn_fail_memory(err);
		return NULL;
	}
	live->url = *url;
	if (options)
		live->options = *options;
	if (!live->options.patience_ms)
		live->options.patience_ms = PATIENCE_MS;
	live->connection.fd = -1;
	live->stop.fd = live->stop_write = -1;
	live->spool.lock = -1;
	atomic_init(&live->holders, 1);
	pthread_mutex_init(&live->lock, NULL);
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0) {
		tn_fail_errno(err, "pipe");
		drop(live);
		return NULL;
	}
	live->stop.fd = fds[0];
	live->stop_write = fds[1];
	return live;
}

enum tn_code
tn_live_open(struct tn_live **out, const struct tn_live_url *url, const struct tn_live_options *options,
	     struct tn_error *err)
{
	struct tn_live *live = make(url, options, err);
	enum tn_code rc;

	*out = NULL;
	if (!live)
		return err ? err->code : TN_ERR_SYSTEM;
	if ((rc = tn_spool_new(&live->spool, err)) < 0) {
		drop(live);
		return rc;
	}
	atomic_fetch_add(&live->holders, 1);
	if ((rc = tn_worker_start(&live->worker, run, live, err)) < 0) {
		atomic_fetch_sub(&live->holders, 1);
		drop(live);
		return rc;
	}
	*out = live;
	return TN_OK;
}

void
tn_live_close(struct tn_live *live)
{
	if (!live)
		return;
	atomic_store(&live->stop.asked, true);
	(void)!write(live->stop_write, "", 1);
	/* The resolver can take long: leave the thread alone; it frees the rest when the resolver returns. */
	if (atomic_load(&live->looking_up)) {
		tn_worker_leave(live->worker);
		tn_spool_remove(&live->spool);
	} else {
		tn_worker_join(live->worker);
	}
	drop(live);
}

const char *
tn_live_folder(const struct tn_live *live)
{
	return live->spool.folder;
}

void
tn_live_find_left(void (*found)(void *user, const char *path, uint64_t bytes), void *user)
{
	tn_spool_find_left(found, user);
}

void
tn_live_look(struct tn_live *live, struct tn_live_look *out)
{
	pthread_mutex_lock(&live->lock);
	*out = live->look;
	out->streams = 0;
	for (size_t i = 0; i < live->streams.n; i++)
		out->streams += !live->streams.item[i].ended;
	pthread_mutex_unlock(&live->lock);
}

void
tn_live_streams(struct tn_live *live, void (*one)(void *user, const struct tn_live_stream *stream), void *user)
{
	pthread_mutex_lock(&live->lock);
	for (size_t i = 0; i < live->streams.n; i++) {
		const struct tn_live_known *k = &live->streams.item[i];
		struct tn_live_stream s = {
			.trace = live->traces.item[k->trace].path, .name = k->name, .has_until = k->has_until,
			.until = k->until, .silent_ns = tn_live_silence(live, k), .ended = k->ended,
		};

		one(user, &s);
	}
	pthread_mutex_unlock(&live->lock);
}

void
tn_live_breaks(struct tn_live *live, void (*one)(void *user, const char *trace, const char *name, const uint64_t *offset,
						 size_t n), void *user)
{
	pthread_mutex_lock(&live->lock);
	for (size_t i = 0; i < live->streams.n; i++) {
		const struct tn_live_known *k = &live->streams.item[i];

		if (k->breaks.n && live->traces.item[k->trace].path)
			one(user, live->traces.item[k->trace].path, k->name, k->breaks.item, k->breaks.n);
	}
	pthread_mutex_unlock(&live->lock);
}

enum tn_code
tn_live_drop(struct tn_live *live, const char *path, uint64_t from, uint64_t to, struct tn_error *err)
{
	enum tn_code rc = tn_spool_drop(path, from, to, err);

	pthread_mutex_lock(&live->lock);
	live->look.kept -= rc == TN_OK ? to - from : 0;
	pthread_mutex_unlock(&live->lock);
	return rc;
}

/* ---- the list ---- */

struct listing {
	void (*one)(void *user, const struct tn_live_session *session);
	void *user;
};

static enum tn_code
list_one(void *user, const struct tn_live_session_record *r)
{
	const struct listing *l = user;
	const struct tn_live_session s = {
		.machine = r->machine, .session = r->session, .timer_us = r->timer_us, .viewers = r->viewers,
		.streams = r->streams,
	};

	l->one(l->user, &s);
	return TN_OK;
}

enum tn_code
tn_live_list(const struct tn_live_url *url, int patience_ms,
	     void (*one)(void *user, const struct tn_live_session *session), void *user, struct tn_error *err)
{
	const struct tn_live_options how = { .patience_ms = patience_ms };
	struct listing listing = { one, user };
	struct tn_live *live = make(url, &how, err);
	enum tn_code rc;

	if (!live)
		return err ? err->code : TN_ERR_SYSTEM;
	rc = tn_live_connect(live, err);
	if (rc == TN_OK)
		rc = tn_live_request_sessions(live, list_one, &listing, err);
	drop(live);
	return rc;
}
