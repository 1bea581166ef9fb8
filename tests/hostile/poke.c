/*
 * poke FILE - write bytes into a file through a page that is mapped, so that its times tell of the first write only
 *
 * Each line of standard input is an offset and bytes in hex; it is answered with "ok" when they are written.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	char line[4096], *bytes;
	struct stat st;
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0 || fstat(fd, &st) < 0)
		return 1;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return 1;
	while (fgets(line, sizeof line, stdin)) {
		char *hex, *end;
		size_t at = strtoull(line, &hex, 10);

		for (hex += strspn(hex, " "); hex[0] > ' ' && hex[1] > ' '; hex += 2, at++) {
			char two[3] = { hex[0], hex[1] };

			if (at >= (size_t)st.st_size)
				return 1;
			bytes[at] = (char)strtoul(two, &end, 16);
			if (*end)
				return 1;
		}
		puts("ok");
		fflush(stdout);
	}
	return 0;
}
