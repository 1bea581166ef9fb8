/* Bytes that are allocated; 0 where a sanitizer, or the library of C, does not tell. */
#ifndef TEST_IN_USE_H
#define TEST_IN_USE_H

#include <malloc.h>
#include <stddef.h>

static inline size_t
in_use(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
#else
	return 0;
#endif
}

#endif
