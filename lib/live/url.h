/* url.h - parse net://RELAY[:PORT][/host/MACHINE/SESSION] */
#ifndef TN_LIVE_URL_H
#define TN_LIVE_URL_H

#include <stdbool.h>

#include "base/error.h"

#define TN_LIVE_PORT "5344"
#define TN_LIVE_MACHINE 64	/* size of a machine's name with its NUL */
#define TN_LIVE_SESSION 255	/* size of a session's name with its NUL */

struct tn_live_url {
	int family;		/* AF_UNSPEC, AF_INET, AF_INET6 */
	char relay[256];	/* name or address of the relay, without brackets */
	char port[8];
	bool has_session;	/* false: the address means all sessions of the relay */
	char machine[TN_LIVE_MACHINE];	/* name of the machine in the relay's list */
	char session[TN_LIVE_SESSION];
};

/* Whether @text begins like the address of a live session. */
bool tn_live_url_is(const char *text);

/* TN_ERR_ARGUMENT: the error describes the mistake. */
enum tn_code tn_live_url_parse(struct tn_live_url *out, const char *text, struct tn_error *err);

#endif
