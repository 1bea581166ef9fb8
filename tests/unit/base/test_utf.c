#include <criterion/criterion.h>
#include <string.h>

#include "base/array.h"
#include "base/utf.h"

Test(utf, to_utf8)
{
	static const struct { const char *bytes; size_t n; unsigned unit; bool big; const char *want; } rows[] = {
		{ "", 0, 2, true, "" },
		{ "\0h\0\xe9", 4, 2, true, "h\xc3\xa9" },
		{ "h\0\xe9\0", 4, 2, false, "h\xc3\xa9" },
		{ "\xd8\x3d\xde\x00", 4, 2, true, "\xf0\x9f\x98\x80" },
		{ "\xd8\x3d\0a", 4, 2, true, "\xef\xbf\xbd" "a" },	/* a first half alone */
		{ "\xde\x00\0a", 4, 2, true, "\xef\xbf\xbd" "a" },	/* a second half alone */
		{ "\xd8\x3d", 2, 2, true, "\xef\xbf\xbd" },
		{ "\0a\0", 3, 2, true, "a" },				/* an odd tail */
		{ "\0\1\xf6\0", 4, 4, true, "\xf0\x9f\x98\x80" },
		{ "\0\xf6\1\0", 4, 4, false, "\xf0\x9f\x98\x80" },
		{ "\0\x11\0\0\0\0\xd8\0", 8, 4, true, "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "a\0\0\0b\0\0", 7, 4, false, "a" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		char out[64];
		size_t n = tn_utf8_from(out, (const uint8_t *)rows[i].bytes, rows[i].n, rows[i].unit, rows[i].big);

		cr_expect(n == strlen(rows[i].want) && memcmp(out, rows[i].want, n) == 0, "row %zu: %.*s", i, (int)n, out);
		cr_expect_leq(n, tn_utf8_room(rows[i].n, rows[i].unit), "row %zu", i);
	}
}
