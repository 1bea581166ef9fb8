#include "live/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static enum tn_code
stopped(struct tn_error *err)
{
	return tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

enum tn_code
tn_live_pause(struct tn_live_stop *stop, int ms, struct tn_error *err)
{
	struct pollfd p = { .fd = stop->fd, .events = POLLIN };

	if (!atomic_load(&stop->asked))
		(void)!poll(&p, 1, ms);
	return atomic_load(&stop->asked) ? stopped(err) : TN_OK;
}

/* Wait until the socket can be read or written. */
static enum tn_code
wait_for(struct tn_live_connection *c, short events, struct tn_error *err)
{
	struct pollfd p[2] = { { .fd = c->fd, .events = events }, { .fd = c->stop->fd, .events = POLLIN } };
	int n;

	do {
		if (atomic_load(&c->stop->asked))
			return stopped(err);
		n = poll(p, 2, c->patience_ms);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return tn_fail_errno(err, "waiting for the relay");
	if (atomic_load(&c->stop->asked))
		return stopped(err);
	if (n == 0)
		return tn_fail(err, TN_ERR_SYSTEM, "the relay has sent nothing for %d s", (c->patience_ms + 999) / 1000);
	return TN_OK;
}

static enum tn_code
cannot_connect(struct tn_error *err)
{
	return tn_fail_errno(err, "cannot connect (lttng-relayd listens for viewers at port 5344, or at its --live-port)");
}

/* Connect to one address. */
static enum tn_code
connect_to(struct tn_live_connection *c, const struct addrinfo *a, struct tn_error *err)
{
	int on = 1, error = 0;
	socklen_t size = sizeof error;
	enum tn_code rc;

	c->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->fd < 0)
		return tn_fail_errno(err, "socket");
	(void)!setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (connect(c->fd, a->ai_addr, a->ai_addrlen) == 0)
		return TN_OK;
	if (errno != EINPROGRESS)
		return cannot_connect(err);
	if ((rc = wait_for(c, POLLOUT, err)) < 0)
		return rc;
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	if (!error)
		return TN_OK;
	errno = error;
	return cannot_connect(err);
}

enum tn_code
tn_live_connection_open(struct tn_live_connection *c, const struct tn_live_url *url, struct tn_live_stop *stop,
			int patience_ms, atomic_bool *looking_up, struct tn_error *err)
{
	struct addrinfo wish = { .ai_family = url->family, .ai_socktype = SOCK_STREAM }, *list = NULL;
	enum tn_code rc = TN_OK;
	int error;

	*c = (struct tn_live_connection) { .fd = -1, .stop = stop, .patience_ms = patience_ms };
	atomic_store(looking_up, true);
	error = getaddrinfo(url->relay, url->port, &wish, &list);
	atomic_store(looking_up, false);
	if (error)
		return tn_fail(err, TN_ERR_NOT_FOUND, "%s: %s", url->relay,
			       error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
	for (const struct addrinfo *a = list; a; a = a->ai_next) {
		rc = connect_to(c, a, err);
		if (rc == TN_OK || rc == TN_ERR_CANCELLED)
			break;
		tn_live_connection_close(c);
	}
	freeaddrinfo(list);
	if (rc < 0)
		tn_live_connection_close(c);
	return rc < 0 ? tn_at(err, rc, "relay %s port %s", url->relay, url->port) : rc;
}

void
tn_live_connection_close(struct tn_live_connection *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

enum tn_code
tn_live_send_request(struct tn_live_connection *c, enum tn_live_command command, const void *payload, size_t n,
		struct tn_error *err)
{
	uint8_t bytes[TN_LIVE_HEADER + 64] = { 0 };
	size_t at = 0, size = TN_LIVE_HEADER + n;

	tn_live_put64(bytes, n);
	tn_live_put32(bytes + 8, command);
	if (n)
		memcpy(bytes + TN_LIVE_HEADER, payload, n);
	while (at < size) {
		ssize_t sent = send(c->fd, bytes + at, size - at, MSG_NOSIGNAL);
		enum tn_code rc;

		if (sent > 0) {
			at += (size_t)sent;
			continue;
		}
		if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			return tn_fail_errno(err, "the connection broke");
		if ((rc = wait_for(c, POLLOUT, err)) < 0)
			return rc;
	}
	return TN_OK;
}

enum tn_code
tn_live_receive(struct tn_live_connection *c, void *bytes, size_t n, struct tn_error *err)
{
	size_t at = 0;

	while (at < n) {
		ssize_t got;
		enum tn_code rc;

		if (atomic_load(&c->stop->asked))
			return stopped(err);
		got = recv(c->fd, (uint8_t *)bytes + at, n - at, 0);

		if (got > 0) {
			at += (size_t)got;
			continue;
		}
		if (got == 0)
			return tn_fail(err, TN_ERR_SYSTEM, "the relay closed the connection");
		if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			return tn_fail_errno(err, "the connection broke");
		if ((rc = wait_for(c, POLLIN, err)) < 0)
			return rc;
	}
	return TN_OK;
}
