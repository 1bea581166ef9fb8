#include <criterion/criterion.h>
#include <sys/socket.h>

#include "live/url.h"

#define WRITE "net://: write net://RELAY[:PORT]/host/MACHINE/SESSION"

Test(live_url, parts)
{
	static const struct row {
		const char *text;
		bool fine;
		int family;
		const char *relay, *port, *machine, *session;
		const char *why;	/* the message; NULL: not compared */
	} rows[] = {
		{ "net://relay", true, AF_INET, "relay", "5344", "", "" },
		{ "net://relay/", true, AF_INET, "relay", "5344", "", "" },
		{ "net4://relay:1", true, AF_INET, "relay", "1", "", "" },
		{ "net6://[::1]:65535/host/m/s", true, AF_INET6, "::1", "65535", "m", "s" },
		{ "net6://[::1]/host/m/s/", true, AF_INET6, "::1", "5344", "m", "s" },
		{ "net://[::1]:5344/host/m/s", true, AF_INET6, "::1", "5344", "m", "s" },
		{ "net://a:5/host/my machine/a/b", true, AF_INET, "a", "5", "my machine", "a/b" },
		{ "net://", false, .why = WRITE }, { "net://:5", false }, { "net://a:", false }, { "net://a:0", false },
		{ "net://a:65536", false }, { "net://a:5x", false }, { "net://[a", false }, { "net://[a]x", false },
		{ "net://a/x", false, .why = "net://a/x: write /host/MACHINE/SESSION after the relay" },
		{ "net://a/host", false }, { "net://a/host/m", false, .why = "net://a/host/m: write MACHINE/SESSION after /host/" },
		{ "net://a/host//s", false }, { "net://a/host/m/", false, .why = "net://a/host/m/: the name of the session is missing or too long" },
		{ "file://a", false, .why = "file://a: not an address net://RELAY" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct tn_live_url u;
		struct tn_error err;
		enum tn_code rc = tn_live_url_parse(&u, r->text, &err);

		cr_assert_eq(rc == TN_OK, r->fine, "%s: %d", r->text, rc);
		if (!r->fine) {
			cr_assert_eq(rc, TN_ERR_ARGUMENT, "%s: %d", r->text, rc);
			if (r->why)
				cr_assert_str_eq(err.text, r->why);
			continue;
		}
		cr_assert_eq(u.family, r->family, "%s", r->text);
		cr_assert_str_eq(u.relay, r->relay, "%s", r->text);
		cr_assert_str_eq(u.port, r->port, "%s", r->text);
		cr_assert_eq(u.has_session, *r->session != '\0', "%s", r->text);
		cr_assert_str_eq(u.machine, r->machine, "%s", r->text);
		cr_assert_str_eq(u.session, r->session, "%s", r->text);
	}
}
