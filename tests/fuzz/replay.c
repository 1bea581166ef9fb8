/*
 * replay TARGET FILE... - run kept inputs; each has two seconds
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/targets.h"

int
main(int argc, char **argv)
{
	const struct fuzz_target *t = argc > 1 ? fuzz_find(argv[1]) : NULL;

	if (!t) {
		fprintf(stderr, "replay: no such target\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		static uint8_t room[1 << 20];
		FILE *f = fopen(argv[i], "rb");
		uint8_t *data;
		size_t n;

		if (!f) {
			perror(argv[i]);
			return 2;
		}
		n = fread(room, 1, sizeof room, f);
		fclose(f);
		data = malloc(n ? n : 1);	/* allocated with its exact size: a read beyond it is detected */
		if (!data)
			return 2;
		for (size_t k = 0; k < n; k++)
			data[k] = room[k];
		fprintf(stderr, "%s\n", argv[i]);
		alarm(120);	/* under a sanitizer, on a busy machine */
		t->run(data, n);
		alarm(0);
		free(data);
	}
	return 0;
}
