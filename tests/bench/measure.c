/*
 * measure run COMMAND...	run it, its output read and thrown away; prints: seconds, peak KiB, lines, exit status
 * measure read FILE...		map the files and read every word; prints: bytes, seconds of the second pass
 * measure copy BYTES		one process writes so many bytes to a pipe, this one reads them; prints: seconds
 *
 * The machine's own limits and the figures that are held against them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BLOCK (1 << 20)

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Read everything from @fd; the lines in it. */
static uint64_t
drain(int fd)
{
	static char block[BLOCK];
	uint64_t lines = 0;
	ssize_t n;

	while ((n = read(fd, block, sizeof block)) > 0)
		for (const char *p = block; (p = memchr(p, '\n', (size_t)(block + n - p))); p++)
			lines++;
	return lines;
}

static int
run(char **argv)
{
	struct rusage usage;
	double begin = seconds();
	uint64_t lines;
	int ends[2], status;
	pid_t pid;

	if (pipe(ends) != 0 || (pid = fork()) < 0)
		fail("fork");
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(ends[1], 1);
		dup2(null, 2);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETPIPE_SZ, BLOCK);
	lines = drain(ends[0]);
	if (wait4(pid, &status, 0, &usage) < 0)
		fail("wait");
	printf("%.6f %ld %llu %d\n", seconds() - begin, usage.ru_maxrss, (unsigned long long)lines,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}

static uint64_t
sum_file(const char *path, volatile uint64_t *sink)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const uint64_t *p;
	struct stat st;
	uint64_t sum = 0;

	if (fd < 0 || fstat(fd, &st) != 0)
		fail(path);
	if (st.st_size == 0) {
		close(fd);
		return 0;
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		fail(path);
	for (size_t i = 0; i < (size_t)st.st_size / 8; i++)
		sum += p[i];
	*sink = sum;
	munmap((void *)p, (size_t)st.st_size);
	close(fd);
	return (uint64_t)st.st_size;
}

static int
read_files(char **path)
{
	volatile uint64_t sink = 0;
	uint64_t bytes = 0;
	double begin = 0;

	for (int pass = 0; pass < 2; pass++) {
		begin = seconds();
		bytes = 0;
		for (char **p = path; *p; p++)
			bytes += sum_file(*p, &sink);
	}
	printf("%llu %.6f\n", (unsigned long long)bytes, seconds() - begin);
	return 0;
}

static int
copy(uint64_t bytes)
{
	static char block[65536];
	double begin = seconds();
	int ends[2];
	pid_t pid;

	if (pipe(ends) != 0 || (pid = fork()) < 0)
		fail("fork");
	if (pid == 0) {
		close(ends[0]);
		for (uint64_t at = 0; at < bytes; at += sizeof block)
			if (write(ends[1], block, sizeof block) < 0)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	drain(ends[0]);
	waitpid(pid, NULL, 0);
	printf("%.6f\n", seconds() - begin);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "run") == 0)
		return run(argv + 2);
	if (argc > 2 && strcmp(argv[1], "read") == 0)
		return read_files(argv + 2);
	if (argc == 3 && strcmp(argv[1], "copy") == 0)
		return copy(strtoull(argv[2], NULL, 10));
	fprintf(stderr, "usage: measure run COMMAND... | measure read FILE... | measure copy BYTES\n");
	return 2;
}
