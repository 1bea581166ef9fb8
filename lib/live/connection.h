/*
 * connection.h - a TCP connection to a relay: requests out, answers in, never a wait without an end
 *
 * Every call waits for the relay at most `patience_ms` without a byte moving, and ends at once when the
 * stop is asked for (TN_ERR_CANCELLED).
 */
#ifndef TN_LIVE_CONNECTION_H
#define TN_LIVE_CONNECTION_H

#include <stdatomic.h>

#include "live/wire.h"

struct tn_live_stop {
	atomic_bool asked;
	int fd;			/* becomes readable then */
};

struct tn_live_connection {
	int fd;			/* -1: closed */
	struct tn_live_stop *stop;
	int patience_ms;
};

#define TN_LIVE_CONNECTION_CLOSED { .fd = -1 }

/* Connect. Looking up a name may take its time: *looking_up is set meanwhile, and the stop is not heard. */
enum tn_code tn_live_connection_open(struct tn_live_connection *c, const struct tn_live_url *url,
				     struct tn_live_stop *stop, int patience_ms, atomic_bool *looking_up,
				     struct tn_error *err);
void tn_live_connection_close(struct tn_live_connection *c);

/* Header and payload in one write. */
enum tn_code tn_live_send_request(struct tn_live_connection *c, enum tn_live_command command, const void *payload,
			     size_t n, struct tn_error *err);
/* Exactly @n bytes. */
enum tn_code tn_live_receive(struct tn_live_connection *c, void *bytes, size_t n, struct tn_error *err);

/* Sleep; TN_ERR_CANCELLED when the stop was asked for. */
enum tn_code tn_live_pause(struct tn_live_stop *stop, int ms, struct tn_error *err);

#endif
