#include "vartrace_maker.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *
grow(struct vt_maker *m, size_t n)
{
	uint8_t *at;

	if (m->n + n > m->room) {
		m->room = (m->n + n) * 2;
		m->data = realloc(m->data, m->room);
		if (!m->data)
			abort();
	}
	at = m->data + m->n;
	m->n += n;
	return at;
}

static void
put_word(const struct vt_maker *m, uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		at[m->big_endian ? 3 - i : i] = (uint8_t)(word >> 8 * i);
}

void
vt_word(struct vt_maker *m, uint32_t word)
{
	put_word(m, grow(m, 4), word);
}

/* The header is built by addition, so that a size of more than 16 bits goes over into the id. */
static uint32_t
header(unsigned id, unsigned type, size_t n)
{
	return (uint32_t)n + ((uint32_t)id << 16) + ((uint32_t)type << 24);
}

void
vt_nested(struct vt_maker *m, unsigned id, unsigned type, const void *data, size_t n)
{
	uint8_t *at;

	vt_word(m, header(id, type, n));
	at = grow(m, (n + 3) & ~(size_t)3);
	memset(at, m->padding, (n + 3) & ~(size_t)3);
	if (n)
		memcpy(at, data, n);
}

void
vt_record(struct vt_maker *m, uint32_t time, unsigned id, unsigned type, const void *data, size_t n)
{
	vt_word(m, time);
	vt_nested(m, id, type, data, n);
}

void
vt_nested_scalar(struct vt_maker *m, unsigned id, unsigned type, int64_t value)
{
	vt_word(m, header(id, type, type < 3 ? 1 : type < 5 ? 2 : 4));
	vt_word(m, (uint32_t)value);
}

void
vt_scalar(struct vt_maker *m, uint32_t time, unsigned id, unsigned type, int64_t value)
{
	vt_word(m, time);
	vt_nested_scalar(m, id, type, value);
}

size_t
vt_begin_nested(struct vt_maker *m, unsigned id)
{
	vt_word(m, header(id, 0, 0));
	return m->n;
}

size_t
vt_begin(struct vt_maker *m, uint32_t time, unsigned id)
{
	vt_word(m, time);
	return vt_begin_nested(m, id);
}

void
vt_end(struct vt_maker *m, size_t at)
{
	uint8_t *head = m->data + at - 4;
	unsigned id = head[m->big_endian ? 1 : 2];

	put_word(m, head, (uint32_t)(m->n - at) | (uint32_t)id << 16);
}

const void *
vt_double(const struct vt_maker *m, double value, uint8_t room[8])
{
	uint64_t bits;

	memcpy(&bits, &value, 8);
	for (unsigned i = 0; i < 8; i++)
		room[m->big_endian ? 7 - i : i] = (uint8_t)(bits >> 8 * i);
	return room;
}
