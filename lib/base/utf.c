#include "base/utf.h"

#include <unistr.h>

static uint32_t
load_unit(const uint8_t *p, unsigned unit, bool big_endian)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < unit; i++)
		v = v << 8 | p[big_endian ? i : unit - 1 - i];
	return v;
}

size_t
tn_utf8_from(char *out, const uint8_t *bytes, size_t n, unsigned unit, bool big_endian)
{
	size_t i = 0, used = 0;

	while (n - i >= unit) {
		ucs4_t c = load_unit(bytes + i, unit, big_endian);
		int k = 0;

		i += unit;
		if (unit == 2 && c >= 0xd800 && c < 0xdc00 && n - i >= 2) {
			uint32_t low = load_unit(bytes + i, 2, big_endian);

			/* Half of a surrogate pair counts, together with the unit after it, as one invalid unit. */
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		k = u8_uctomb((uint8_t *)out + used, c, 4);
		if (k <= 0)
			k = u8_uctomb((uint8_t *)out + used, 0xfffd, 4);
		used += (size_t)k;
	}
	return used;
}
