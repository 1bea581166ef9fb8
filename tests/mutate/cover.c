/*
 * cover.c - which places of a program are reached: gcc -fsanitize-coverage=trace-pc calls this at each
 *
 * MUTATE_COVER is the beginning of the name of a file that gets a byte for each address of the program, 1 where it came
 * by; several processes may share one. Nothing is stored at the end: what a process that is killed did counts too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start, etext;
static unsigned char *seen;
static size_t size;

void __sanitizer_cov_trace_pc(void);

__attribute__((constructor)) static void
begin(void)
{
	const char *prefix = getenv("MUTATE_COVER");
	char path[4096];
	void *p;
	int fd;

	if (!prefix || snprintf(path, sizeof path, "%s.%s", prefix, program_invocation_short_name) >= (int)sizeof path)
		return;
	size = (size_t)(&etext - &__executable_start);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	p = ftruncate(fd, (off_t)size) == 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	close(fd);
	if (p != MAP_FAILED)
		seen = p;
}

void
__sanitizer_cov_trace_pc(void)
{
	size_t at = (size_t)((char *)__builtin_return_address(0) - &__executable_start);

	if (seen && at < size)
		seen[at] = 1;
}
