/*
 * every_byte TARGET FILE... - each file of a small trace cut at each length, each bit flipped, each byte 0 and 255
 *
 * FILE is an input of the target (tests/fuzz/corpus): the first two bytes say where the metadata ends. Nothing may
 * crash, which sanitizers see. Of a stream that is cut the lines before the cut are those of the whole stream, and
 * with more bytes they do not become fewer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "fuzz/targets.h"

#define LONG_FILE 2048	/* bytes */

static uint8_t *room;
static size_t size, head;	/* bytes of all; before the stream */
static const struct fuzz_target *target;
static unsigned long runs, faults;
static const char *path;

static void
try(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);	/* allocated with its exact size: a read beyond it is detected */

	if (!copy)
		abort();
	memcpy(copy, data, n);
	target->run(copy, n);
	free(copy);
	runs++;
}

/* Without the notices, which tell of the cut. */
static void
drop_notices(struct tn_str *s)
{
	char *to = s->text;

	for (char *at = s->text, *end; at && *at; at = end) {
		end = strchr(at, '\n');
		end = end ? end + 1 : at + strlen(at);
		if (strncmp(at, "notice ", 7) == 0)
			continue;
		memmove(to, at, (size_t)(end - at));
		to += end - at;
	}
	s->n = s->text ? (size_t)(to - s->text) : 0;
	if (s->text)
		*to = '\0';
}

static void
cut_stream(void)
{
	struct tn_str whole = { 0 };
	size_t most = 0;

	if (!fuzz_lines(target, room, size, &whole) || strstr(tn_str_text(&whole), "notice ")) {
		tn_str_release(&whole);
		return;
	}
	for (size_t n = head; n < size; n++) {
		struct tn_str got = { 0 };

		runs++;
		if (fuzz_lines(target, room, n, &got)) {
			drop_notices(&got);
			if (got.n > whole.n || memcmp(tn_str_text(&got), tn_str_text(&whole), got.n) != 0 || fuzz_count_lines(&got) < most) {
				printf("%s: cut to %zu bytes: %zu lines after %zu, or other ones:\n%s", path, n, fuzz_count_lines(&got), most,
				       tn_str_text(&got));
				faults++;
			}
			if (fuzz_count_lines(&got) > most)
				most = fuzz_count_lines(&got);
		}
		tn_str_release(&got);
	}
	tn_str_release(&whole);
}

/* Whatever is there of a format that is one file; of a trace.dat the event in which it ends is another one than before. */
static void
cut_file(void)
{
	for (size_t n = 0; n < size; n++)
		try(room, n);
}

/* Sanitizers make a run ten times as long: of a long file they see one bit of each byte, not all eight. */
static bool
is_sampled(void)
{
#ifdef __SANITIZE_ADDRESS__
	return size > LONG_FILE;
#else
	return false;
#endif
}

static void
break_bytes(void)
{
	for (size_t i = head < 2 ? 0 : 2; i < size; i++) {
		uint8_t was = room[i];

		for (unsigned bit = 0; bit < 8; bit++) {
			if (is_sampled() && bit != i % 8)
				continue;
			room[i] = was ^ (uint8_t)(1u << bit);
			try(room, size);
		}
		room[i] = 0;
		try(room, size);
		room[i] = 255;
		try(room, size);
		room[i] = was;
	}
}

/* The metadata is cut by what the first two bytes say. */
static void
cut_metadata(void)
{
	uint8_t was[2] = { room[0], room[1] };

	for (size_t n = 0; head > 2 && n + 2 < head; n++) {
		uint8_t *copy = malloc(size);

		if (!copy)
			abort();
		copy[0] = (uint8_t)n;
		copy[1] = (uint8_t)(n >> 8);
		memcpy(copy + 2, room + 2, n);
		memcpy(copy + 2 + n, room + head, size - head);
		try(copy, 2 + n + size - head);
		free(copy);
	}
	room[0] = was[0];
	room[1] = was[1];
}

/* Bytes before the stream: the two that say how long the metadata is, and the metadata. 0: the trace is one file. */
static size_t
head_of(size_t n)
{
	static const char *const one_file[] = { "chromejson", "perfetto", "tracedat", "perfdata" };

	for (size_t i = 0; i < sizeof one_file / sizeof *one_file; i++)
		if (strcmp(target->name, one_file[i]) == 0)
			return 0;
	if (strcmp(target->name, "vartrace") == 0)
		return 1;
	return n < 2 ? n : 2 + ((size_t)room[0] | (size_t)room[1] << 8);
}

int
main(int argc, char **argv)
{
	target = argc > 1 ? fuzz_find(argv[1]) : NULL;
	room = malloc(1 << 20);
	if (!target || !target->open || !room)
		return 2;
	for (int i = 2; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");

		path = argv[i];
		size = f ? fread(room, 1, 1 << 20, f) : 0;
		if (f)
			fclose(f);
		head = head_of(size);
		if (head > size)
			head = size;
		if (head)
			cut_stream();
		else
			cut_file();
		cut_metadata();
		break_bytes();
	}
	free(room);
	printf("every byte: %s: %lu inputs, %lu faults\n", target->name, runs, faults);
	return faults != 0;
}
