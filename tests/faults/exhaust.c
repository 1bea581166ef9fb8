/*
 * exhaust.c - memory is out for everybody: tnav linked with these takes their place in the C library, ncurses and the rest
 *
 *	TNAV_EXHAUST=N		the N-th allocation fails; N+ all from it on
 *	TNAV_EXHAUST_COUNT=FILE	how many there were
 *
 * faults.c lets only calls of tnav's own fail, and knows which. A sanitizer has an allocator of its own: there this does
 * nothing, and writes no FILE.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __has_feature
#define HAS(x) __has_feature(x)
#else
#define HAS(x) 0
#endif

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && !HAS(address_sanitizer) && !HAS(thread_sanitizer) && \
	!HAS(memory_sanitizer)

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t);
static atomic_ulong calls;
static unsigned long at;
static bool from_then_on;

static bool
fails(void)
{
	unsigned long n = atomic_fetch_add(&calls, 1) + 1;

	if (at == 0 || n < at || (n > at && !from_then_on))
		return false;
	errno = ENOMEM;
	return true;
}

/* Allocations of dlsym() itself, before the real function is known. */
static void *
early(size_t n)
{
	static _Alignas(16) unsigned char room[4096];
	static size_t used;
	void *p = room + used;

	n = (n + 15) & ~(size_t)15;
	if (n > sizeof room - used)
		return NULL;
	used += n;
	return p;
}

static void
find(void)
{
	static bool finding;

	if (finding)
		return;
	finding = true;
	*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
}

static void
count_out(void)
{
	const char *path = getenv("TNAV_EXHAUST_COUNT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
	char text[32];
	ssize_t rc;

	at = 0;
	if (fd < 0)
		return;
	snprintf(text, sizeof text, "%lu\n", atomic_load(&calls));
	rc = write(fd, text, strlen(text));
	(void)rc;
	close(fd);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *text = getenv("TNAV_EXHAUST");
	char *end;

	if (!text)
		return;
	atexit(count_out);
	atomic_store(&calls, 0);
	at = strtoul(text, &end, 10);
	from_then_on = *end == '+';
}

void *
malloc(size_t n)
{
	if (!real_malloc)
		find();
	return !real_malloc ? early(n) : fails() ? NULL : real_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	if (!real_calloc)
		find();
	return !real_calloc ? early(n * size) : fails() ? NULL : real_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	if (!real_realloc)
		find();
	return !real_realloc ? early(n) : fails() ? NULL : real_realloc(p, n);
}
#else
typedef int nothing;
#endif
