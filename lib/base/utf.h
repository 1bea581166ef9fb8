/*
 * utf.h - UTF-16 and UTF-32 to UTF-8
 */
#ifndef TN_BASE_UTF_H
#define TN_BASE_UTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upper limit of the UTF-8 size of @n bytes in units of 2 or 4 bytes. */
static inline size_t
tn_utf8_room(size_t n, unsigned unit)
{
	return n / unit * (unit == 2 ? 3 : 4);
}

/*
 * Write the UTF-8 of @n bytes of UTF-16 (@unit 2) or UTF-32 (@unit 4) to @out, without a NUL. Returns the number of
 * bytes written. Invalid characters become U+FFFD; an incomplete unit at the end is left out.
 */
size_t tn_utf8_from(char *out, const uint8_t *bytes, size_t n, unsigned unit, bool big_endian);

#endif
