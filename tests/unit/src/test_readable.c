#include <criterion/criterion.h>
#include <string.h>

#include "screen/readable.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

Test(readable, values)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "" }, { "a = 1, b = -2", "a = 1, b = -2" },
		{ "s = ( \"RUNNING\" : container = 0 ), n = 3", "s = RUNNING, n = 3" },
		{ "f = ( \"A\", \"B\" : container = 3 )", "f = A|B" },
		{ "s = ( <unknown> : container = 0x7 )", "s = 0x7" },
		{ "a = [ [0] = 203, [1] = 0, [2] = 113 ]", "a = [203 0 113]" }, { "a = [ ], b = 1", "a = [], b = 1" },
		{ "a = [ [0] = { x = 1, y = 2 }, [1] = { x = 3, y = 4 } ]", "a = [{ x = 1, y = 2 } { x = 3, y = 4 }]" },
		{ "a = [ [0] = [ [0] = 1, [1] = 2 ], [1] = [ [0] = 3 ] ]", "a = [[1 2] [3]]" },
		{ "a = [ [0] = ( \"ON\" : container = 1 ), [1] = \"x, [1] = y\" ]", "a = [ON \"x, [1] = y\"]" },
		{ "t = \"say \\\"no\\\" \\\\ \\n\"", "t = \"say \"no\" \\ \\n\"" },
		{ "t = \"( \\\"A\\\" : container = 1 )\"", "t = \"( \"A\" : container = 1 )\"" },
		/* Cut texts stay as they are. */
		{ "s = ( \"RUNN", "s = ( \"RUNN" }, { "s = ( \"A\" : container = 1", "s = ( \"A\" : container = 1" },
		{ "a = [ [0] = 1, [1", "a = [1 [1" }, { "t = \"\\", "t = \"\\" }, { "] } ]", "] } ]" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct readable r = { 0 };
		size_t n = strlen(rows[i].text);

		cr_assert(readable_make(&r, rows[i].text, n));
		cr_assert(r.n == strlen(rows[i].want) && memcmp(r.text ? r.text : "", rows[i].want, r.n) == 0, "row %zu: %.*s, not %s", i,
			  (int)r.n, r.text, rows[i].want);
		for (size_t k = 0; k < r.n; k++)
			cr_assert(r.from[k] == READABLE_NONE || (r.from[k] < n && rows[i].text[r.from[k]] == r.text[k]),
				  "row %zu: byte %zu", i, k);
		readable_release(&r);
	}
}

/* More brackets than are remembered. */
Test(readable, deep)
{
	struct readable r = { 0 };
	char text[1000];

	memset(text, '{', sizeof text / 2);
	memset(text + sizeof text / 2, '}', sizeof text / 2);
	cr_assert(readable_make(&r, text, sizeof text));
	cr_assert_eq(r.n, sizeof text);
	readable_release(&r);
}
