/*
 * url.h - net://RELAY[:PORT][/host/MACHINE/SESSION]
 */
#ifndef TN_LIVE_URL_H
#define TN_LIVE_URL_H

#include <stdbool.h>

#include "base/error.h"

#define TN_LIVE_PORT "5344"
#define TN_LIVE_MACHINE 64	/* bytes of a machine's name, with its zero byte */
#define TN_LIVE_SESSION 255	/* bytes of a session's name, with its zero byte */

struct tn_live_url {
	int family;		/* AF_UNSPEC, AF_INET, AF_INET6 */
	char relay[256];	/* name or address, without brackets */
	char port[8];
	bool has_session;	/* else the address means all sessions of the relay */
	char machine[TN_LIVE_MACHINE];	/* name of the machine in the relay's list */
	char session[TN_LIVE_SESSION];
};

/* Whether @text begins like the address of a live session. */
bool tn_live_url_is(const char *text);

/* TN_ERR_ARGUMENT: the text gives the mistake. */
enum tn_code tn_live_url_parse(struct tn_live_url *out, const char *text, struct tn_error *err);

#endif
