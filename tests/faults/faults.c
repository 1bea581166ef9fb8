/*
 * faults.c - calls of the system fail at their n-th time: tnav linked with these in their place (ld --wrap)
 *
 *	TNAV_FAULT=KIND:N	the N-th call of a kind fails; KIND:N+ all from it on
 *	TNAV_FAULT_COUNT=FILE	how many calls of the kind there were, then of each
 *
 * KIND is alloc, open, read, map, write, sync, rename, thread, folder, stat, poll. What libraries call among themselves
 * is not counted.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"

enum kind { NONE, ALLOC, OPEN, READ, MAP, WRITE, SYNC, RENAME, THREAD, FOLDER, STAT, POLL, KINDS };

static const char *const names[] = { "", "alloc", "open", "read", "map", "write", "sync", "rename", "thread", "folder", "stat", "poll" };
static enum kind wanted;
static unsigned long at;
static bool from_then_on;
static atomic_ulong calls[KINDS];

ssize_t __real_write(int fd, const void *p, size_t n);
int __real_open(const char *path, int flags, ...);

static void
count_out(void)
{
	const char *path = getenv("TNAV_FAULT_COUNT");
	enum kind kind = wanted;
	char text[512];
	size_t n;
	int fd;

	wanted = NONE;	/* what comes now is not tnav: gcov stores what it has seen */
	fd = path ? __real_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd < 0)
		return;
	n = (size_t)snprintf(text, sizeof text, "%lu\n", atomic_load(&calls[kind]));
	for (size_t i = ALLOC; i < KINDS; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s %lu\n", names[i], atomic_load(&calls[i]));
	if (__real_write(fd, text, strlen(text)) < 0)
		abort();
	close(fd);
}

void
faults_set(const char *fault)
{
	const char *colon = fault ? strchr(fault, ':') : NULL;
	char *end;

	wanted = NONE;
	if (!colon)
		return;
	for (size_t i = 1; i < sizeof names / sizeof *names; i++)
		if (strncmp(names[i], fault, (size_t)(colon - fault)) == 0 && !names[i][colon - fault])
			wanted = (enum kind)i;
	atomic_store(&calls[wanted], 0);
	at = strtoul(colon + 1, &end, 10);
	from_then_on = *end == '+';
}

unsigned long
faults_calls(void)
{
	return atomic_load(&calls[wanted]);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("TNAV_FAULT");

	if (!fault || !strchr(fault, ':'))
		return;
	faults_set(fault);
	atexit(count_out);
}

static bool
fails(enum kind kind, int error)
{
	unsigned long n;

	n = atomic_fetch_add(&calls[kind], 1) + 1;
	if (kind != wanted)
		return false;
	if (n != at && !(from_then_on && n > at))
		return false;
	errno = error;
	return true;
}

#define WRAP(type, name, args, call, kind, error, result) \
	type __real_##name args; \
	type __wrap_##name args; \
	type __wrap_##name args { return fails(kind, error) ? result : __real_##name call; }

WRAP(void *, malloc, (size_t n), (n), ALLOC, ENOMEM, NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), ALLOC, ENOMEM, NULL)
WRAP(void *, realloc, (void *p, size_t n), (p, n), ALLOC, ENOMEM, NULL)
WRAP(char *, strdup, (const char *s), (s), ALLOC, ENOMEM, NULL)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), ALLOC, ENOMEM, NULL)
WRAP(char *, realpath, (const char *path, char *out), (path, out), ALLOC, ENOMEM, NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), OPEN, EMFILE, NULL)
WRAP(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), READ, EIO, -1)
WRAP(ssize_t, pread, (int fd, void *p, size_t n, off_t o), (fd, p, n, o), READ, EIO, -1)
WRAP(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t o), (p, n, prot, flags, fd, o), MAP, ENOMEM, MAP_FAILED)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), WRITE, ENOSPC, -1)
WRAP(size_t, fwrite, (const void *p, size_t s, size_t n, FILE *f), (p, s, n, f), WRITE, ENOSPC, 0)
WRAP(int, fsync, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, fdatasync, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, rename, (const char *a, const char *b), (a, b), RENAME, EACCES, -1)
WRAP(int, pthread_create, (pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u), (t, a, f, u), THREAD, 0, EAGAIN)
WRAP(DIR *, opendir, (const char *path), (path), FOLDER, EMFILE, NULL)
WRAP(struct dirent *, readdir, (DIR *d), (d), FOLDER, EIO, NULL)
WRAP(int, stat, (const char *path, struct stat *st), (path, st), STAT, EIO, -1)
WRAP(int, lstat, (const char *path, struct stat *st), (path, st), STAT, EIO, -1)
WRAP(int, fstat, (int fd, struct stat *st), (fd, st), STAT, EIO, -1)

WRAP(int, poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms), POLL, ENOMEM, -1)

int __wrap_open(const char *path, int flags, ...);

int
__wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails(OPEN, EMFILE) ? -1 : __real_open(path, flags, mode);
}
