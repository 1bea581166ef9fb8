#include "live/url.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const struct scheme {
	const char *text;
	int family;
} schemes[] = {
	{ "net://", AF_INET }, { "net4://", AF_INET }, { "net6://", AF_INET6 },
};

static const struct scheme *
scheme_of(const char *text)
{
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncmp(text, schemes[i].text, strlen(schemes[i].text)) == 0)
			return &schemes[i];
	return NULL;
}

bool
tn_live_url_is(const char *text)
{
	return scheme_of(text) != NULL;
}

static bool
copy(char *to, size_t room, const char *from, size_t n)
{
	if (n == 0 || n >= room)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

static bool
is_port(const char *text, size_t n)
{
	return n > 0 && n < 6 && strspn(text, "0123456789") >= n && atoi(text) > 0 && atoi(text) < 65536;
}

/* Parse "RELAY", "RELAY:PORT" or "[ADDRESS]:PORT", up to the end or a slash. */
static bool
parse_relay(struct tn_live_url *u, const char *text, size_t n)
{
	const char *end = text + n, *port;

	memcpy(u->port, TN_LIVE_PORT, sizeof TN_LIVE_PORT);
	if (*text == '[') {
		const char *close = memchr(text, ']', n);

		if (!close || !copy(u->relay, sizeof u->relay, text + 1, (size_t)(close - text - 1)))
			return false;
		port = close + 1;
		if (port < end && *port != ':')
			return false;
	} else {
		port = memchr(text, ':', n);
		if (!port)
			port = end;
		if (!copy(u->relay, sizeof u->relay, text, (size_t)(port - text)))
			return false;
	}
	if (port == end)
		return true;
	port++;
	return is_port(port, (size_t)(end - port)) && copy(u->port, sizeof u->port, port, (size_t)(end - port));
}

enum tn_code
tn_live_url_parse(struct tn_live_url *out, const char *text, struct tn_error *err)
{
	const struct scheme *scheme = scheme_of(text);
	const char *at, *end;
	size_t n;

	memset(out, 0, sizeof *out);
	if (!scheme)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: not an address net://RELAY", text);
	out->family = scheme->family;
	at = text + strlen(scheme->text);
	if (*at == '[' && strcmp(scheme->text, "net://") == 0)
		out->family = AF_INET6;	/* only an IPv6 address has brackets */
	n = strcspn(at, "/");
	if (!parse_relay(out, at, n))
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: write net://RELAY[:PORT]/host/MACHINE/SESSION", text);
	at += n;
	if (!*at || strcmp(at, "/") == 0)
		return TN_OK;
	if (strncmp(at, "/host/", 6) != 0)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: write /host/MACHINE/SESSION after the relay", text);
	at += 6;
	end = strchr(at, '/');
	if (!end || !copy(out->machine, sizeof out->machine, at, (size_t)(end - at)))
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: write MACHINE/SESSION after /host/", text);
	at = end + 1;
	n = strlen(at);
	while (n && at[n - 1] == '/')
		n--;
	if (!copy(out->session, sizeof out->session, at, n))
		return tn_fail(err, TN_ERR_ARGUMENT, "%s: the name of the session is missing or too long", text);
	out->has_session = true;
	return TN_OK;
}
