/*
 * faults.c - calls of the system fail at their n-th time: tnav linked with these in their place (ld --wrap)
 *
 *	TNAV_FAULT=KIND:N	the N-th call of a kind fails; KIND:N+ all from it on
 *	TNAV_FAULT_RUN=COMMAND	a shell runs that at the N-th call, which then does not fail: what lies around changes
 *	TNAV_FAULT_COUNT=FILE	how many calls of each kind there were: numbers of 64 bits in that order, behind a 0
 *
 * All processes that have the same FILE count together, and what one that was killed has counted is there.
 *
 * KIND is alloc, open, read, map, write, sync, rename, thread, folder, stat, poll. What libraries call among themselves
 * is not counted. `write` is whatever needs room: a folder that is made as well; write:N+ is a disk that is full.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

enum kind { NONE, ALLOC, OPEN, READ, MAP, WRITE, SYNC, RENAME, THREAD, FOLDER, STAT, POLL, KINDS };

static const char *const names[] = { "", "alloc", "open", "read", "map", "write", "sync", "rename", "thread", "folder", "stat", "poll" };
static enum kind wanted;
static unsigned long at;
static bool from_then_on;
static _Atomic bool paused;
static const char *command;
static bool (*chosen)(int kind);
static _Atomic uint64_t own[KINDS], *calls = own;
static _Atomic long maps;

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
void *__real_mmap(void *p, size_t n, int prot, int flags, int fd, off_t o);

/* Code after the end is not tnav's: gcov stores its data. */
static void
end(void)
{
	wanted = NONE;
	calls = own;
}

static void
share(const char *path)
{
	int fd = path ? __real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;
	void *p = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, sizeof own) == 0)
		p = __real_mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED)
		calls = p;
	if (fd >= 0)
		__real_close(fd);
}

void
faults_set(const char *fault)
{
	const char *colon = fault ? strchr(fault, ':') : NULL;
	char *rest;

	wanted = NONE;
	if (!colon)
		return;
	for (size_t i = 1; i < sizeof names / sizeof *names; i++)
		if (strncmp(names[i], fault, (size_t)(colon - fault)) == 0 && !names[i][colon - fault])
			wanted = (enum kind)i;
	atomic_store(&calls[wanted], 0);
	at = strtoul(colon + 1, &rest, 10);
	from_then_on = *rest == '+';
}

void
faults_choose(bool (*choose)(int kind))
{
	chosen = choose;
}

void
faults_pause(bool pause)
{
	atomic_store(&paused, pause);
}

unsigned long
faults_calls(void)
{
	return (unsigned long)atomic_load(&calls[wanted]);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *fault = getenv("TNAV_FAULT");

	if (!fault || !strchr(fault, ':'))
		return;
	faults_set(fault);
	command = getenv("TNAV_FAULT_RUN");
	share(getenv("TNAV_FAULT_COUNT"));
	atexit(end);
}

/* Nothing of this process is needed for it, as its locks may be held. */
static void
run(const char *what)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)what, NULL };
	pid_t child = vfork();

	if (child == 0) {
		execve("/bin/sh", argv, (char *[]) { (char *)"PATH=/usr/bin:/bin", NULL });
		_exit(127);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

static bool
fails(enum kind kind, int error)
{
	if (atomic_load(&paused))
		return false;

	uint64_t n = atomic_fetch_add(&calls[kind], 1) + 1;

	if (chosen && chosen((int)kind)) {
		errno = error;
		return true;
	}
	if (kind != wanted)
		return false;
	if (n != at && !(from_then_on && n > at))
		return false;
	if (command) {
		run(command);
		return false;
	}
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
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), WRITE, ENOSPC, -1)
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t o), (fd, p, n, o), WRITE, ENOSPC, -1)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), WRITE, ENOSPC, -1)
WRAP(char *, mkdtemp, (char *path), (path), WRITE, ENOSPC, NULL)
WRAP(int, mkostemp, (char *path, int flags), (path, flags), WRITE, ENOSPC, -1)
WRAP(int, fflush, (FILE *f), (f), WRITE, ENOSPC, EOF)
WRAP(size_t, fwrite, (const void *p, size_t s, size_t n, FILE *f), (p, s, n, f), WRITE, ENOSPC, 0)
WRAP(int, fsync, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, fdatasync, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, syncfs, (int fd), (fd), SYNC, EIO, -1)
WRAP(int, rename, (const char *a, const char *b), (a, b), RENAME, EACCES, -1)
WRAP(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), RENAME, EACCES, -1)
WRAP(int, link, (const char *a, const char *b), (a, b), RENAME, EACCES, -1)
WRAP(int, pthread_create, (pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u), (t, a, f, u), THREAD, 0, EAGAIN)
WRAP(DIR *, opendir, (const char *path), (path), FOLDER, EMFILE, NULL)
WRAP(struct dirent *, readdir, (DIR *d), (d), FOLDER, EIO, NULL)
WRAP(int, stat, (const char *path, struct stat *st), (path, st), STAT, EIO, -1)
WRAP(int, lstat, (const char *path, struct stat *st), (path, st), STAT, EIO, -1)
WRAP(int, fstat, (int fd, struct stat *st), (fd, st), STAT, EIO, -1)

WRAP(int, poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms), POLL, ENOMEM, -1)

void *__wrap_mmap(void *p, size_t n, int prot, int flags, int fd, off_t o);
int __wrap_munmap(void *p, size_t n);
int __real_munmap(void *p, size_t n);

/* A position inside another buffer. */
void *
__wrap_mmap(void *p, size_t n, int prot, int flags, int fd, off_t o)
{
	void *got = fails(MAP, ENOMEM) ? MAP_FAILED : __real_mmap(p, n, prot, flags, fd, o);

	maps += !p && got != MAP_FAILED;
	return got;
}

int
__wrap_munmap(void *p, size_t n)
{
	maps--;
	return __real_munmap(p, n);
}

long
faults_maps(void)
{
	return maps;
}

int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);

/* Bytes that were not written: the file is closed all the same. */
int
__wrap_fclose(FILE *f)
{
	bool is_lost = fails(WRITE, ENOSPC);
	int rc = __real_fclose(f);

	if (is_lost)
		errno = ENOSPC;
	return is_lost ? EOF : rc;
}

int __wrap_close(int fd);

/* As fclose(): some file systems say only here that they are full, and that the bytes are lost. */
int
__wrap_close(int fd)
{
	struct stat st;
	bool is_output = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && __real_fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	bool is_lost = is_output && fails(WRITE, ENOSPC);
	int rc = is_lost ? ftruncate(fd, 0) : 0;

	rc |= __real_close(fd);
	if (is_lost)
		errno = ENOSPC;
	return is_lost ? -1 : rc;
}

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
