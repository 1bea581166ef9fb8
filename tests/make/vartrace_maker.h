/*
 * vartrace_maker.h - records of vartrace dumps in memory: for unit tests and for dumps of any size
 */
#ifndef VARTRACE_MAKER_H
#define VARTRACE_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vt_maker {
	uint8_t *data;
	size_t n, room;
	bool big_endian;
	uint8_t padding;	/* the contents of padding: any bytes are allowed */
};

void vt_word(struct vt_maker *m, uint32_t word);
/* A record; nested ones do not have a time. @data is in the byte order of the dump. */
void vt_record(struct vt_maker *m, uint32_t time, unsigned id, unsigned type, const void *data, size_t n);
void vt_nested(struct vt_maker *m, unsigned id, unsigned type, const void *data, size_t n);
/* A single integer of up to 32 bits as the library stores it: widened to a word. */
void vt_scalar(struct vt_maker *m, uint32_t time, unsigned id, unsigned type, int64_t value);
void vt_nested_scalar(struct vt_maker *m, unsigned id, unsigned type, int64_t value);
/* Begin a subtrace, give its place to vt_end() once its records are there. */
size_t vt_begin(struct vt_maker *m, uint32_t time, unsigned id);
size_t vt_begin_nested(struct vt_maker *m, unsigned id);
void vt_end(struct vt_maker *m, size_t at);
/* Numbers in the byte order of the dump. */
const void *vt_double(const struct vt_maker *m, double value, uint8_t room[8]);

#endif
