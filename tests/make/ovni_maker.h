/*
 * ovni_maker.h - write streams of ovni traces: for unit tests and for traces of any size
 */
#ifndef OVNI_MAKER_H
#define OVNI_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ovni_maker {
	FILE *file;
	bool big_endian;
};

/* Make a folder and those above it. */
bool maker_folder(const char *path);
/* Write a file of text, or of @n bytes, in @folder, which is made. */
bool maker_file(const char *folder, const char *name, const void *bytes, size_t n);
bool maker_text(const char *folder, const char *name, const char *text);

/* stream.json of a complete thread; @more goes into its object "ovni", "" or "..., ". */
bool ovni_json(const char *folder, const char *loom, int pid, int tid, const char *more);
/* Begin and end stream.obs in @folder, which is made. */
bool ovni_begin(struct ovni_maker *m, const char *folder, bool big_endian);
bool ovni_end(struct ovni_maker *m);
/* Numbers in the byte order of the stream, one after the other: payloads. */
uint8_t *ovni_put(const struct ovni_maker *m, uint8_t *at, uint64_t value, unsigned bytes);
/* An event with 0 or 2 to 16 bytes of payload; a jumbo event. */
void ovni_event(struct ovni_maker *m, const char *mcv, uint64_t clock, const void *payload, size_t n);
void ovni_jumbo(struct ovni_maker *m, const char *mcv, uint64_t clock, const void *data, size_t n);

#endif
