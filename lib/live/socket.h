/*
 * socket.h - a TCP connection to a relay, without endless waits
 *
 * Each call waits at most `patience_ms` without receiving a byte. It ends at once if a stop is requested
 * (TN_ERR_CANCELLED).
 */
#ifndef TN_LIVE_SOCKET_H
#define TN_LIVE_SOCKET_H

#include <stdatomic.h>

#include "live/wire.h"

struct tn_live_stop {
	atomic_bool asked;
	int fd;			/* becomes readable when a stop is requested */
};

struct tn_live_connection {
	int fd;			/* -1: closed */
	struct tn_live_stop *stop;
	int patience_ms;
};

/* Connect. Resolving a name may take long: *looking_up is set meanwhile, and a stop has no effect. */
enum tn_code tn_live_connection_open(struct tn_live_connection *c, const struct tn_live_url *url,
				     struct tn_live_stop *stop, int patience_ms, atomic_bool *looking_up,
				     struct tn_error *err);
void tn_live_connection_close(struct tn_live_connection *c);

/* Send header and payload in one write. */
enum tn_code tn_live_send_request(struct tn_live_connection *c, enum tn_live_command command, const void *payload,
			     size_t n, struct tn_error *err);
/* Receive exactly @n bytes. */
enum tn_code tn_live_receive(struct tn_live_connection *c, void *bytes, size_t n, struct tn_error *err);

/* Sleep. TN_ERR_CANCELLED: a stop was requested. */
enum tn_code tn_live_pause(struct tn_live_stop *stop, int ms, struct tn_error *err);

#endif
