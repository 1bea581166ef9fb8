/*
 * relay.c - a relay whose answers are the input, in place of live/socket.c: no socket, no wait
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/targets.h"
#include "live/client.h"

static const uint8_t *said;	/* data that the relay has still to send */
static size_t left;
static unsigned pauses;

enum tn_code
tn_live_pause(struct tn_live_stop *stop, int ms, struct tn_error *err)
{
	(void)stop;
	(void)ms;
	return left && pauses++ < 100 ? TN_OK : tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

enum tn_code
tn_live_connection_open(struct tn_live_connection *c, const struct tn_live_url *url, struct tn_live_stop *stop,
			int patience_ms, atomic_bool *looking_up, struct tn_error *err)
{
	(void)url;
	(void)looking_up;
	*c = (struct tn_live_connection) { .fd = -1, .stop = stop, .patience_ms = patience_ms };
	return left ? TN_OK : tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

void
tn_live_connection_close(struct tn_live_connection *c)
{
	c->fd = -1;
}

enum tn_code
tn_live_send_request(struct tn_live_connection *c, enum tn_live_command command, const void *payload, size_t n,
		struct tn_error *err)
{
	(void)c;
	(void)command;
	(void)payload;
	(void)n;
	return left ? TN_OK : tn_fail(err, TN_ERR_SYSTEM, "the connection broke");
}

enum tn_code
tn_live_receive(struct tn_live_connection *c, void *bytes, size_t n, struct tn_error *err)
{
	(void)c;
	if (n > left) {
		left = 0;
		return tn_fail(err, TN_ERR_SYSTEM, "the relay has closed the connection");
	}
	if (n)
		memcpy(bytes, said, n);
	said += n;
	left -= n;
	return TN_OK;
}

/* All that a viewer does in one thread; the spool it leaves is read then. */
void
fuzz_relay(const uint8_t *data, size_t n)
{
	struct tn_live *live = calloc(1, sizeof *live);
	const char *folder = fuzz_make_folder();

	if (!live || setenv("XDG_CACHE_HOME", folder, 1) != 0 ||
	    tn_live_url_parse(&live->url, "net://localhost:1/host/machine/one", NULL) < 0)
		abort();
	live->options.patience_ms = 1000;
	live->connection.fd = live->stop.fd = live->stop_write = live->spool.lock = -1;
	atomic_init(&live->holders, 1);
	pthread_mutex_init(&live->lock, NULL);
	if (tn_spool_new(&live->spool, NULL) < 0)
		abort();
	said = data;
	left = n;
	pauses = 0;
	tn_live_run(live);
	fuzz_read_path(tn_live_folder(live));
	tn_live_close(live);
	fuzz_remove_folder();
}
