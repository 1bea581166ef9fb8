#include "live/wire.h"

#include <string.h>


void
tn_live_put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

void
tn_live_put64(uint8_t *p, uint64_t v)
{
	tn_live_put32(p, (uint32_t)(v >> 32));
	tn_live_put32(p + 4, (uint32_t)v);
}

uint32_t
tn_live_get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

uint64_t
tn_live_get64(const uint8_t *p)
{
	return (uint64_t)tn_live_get32(p) << 32 | tn_live_get32(p + 4);
}

/* Copy the text in a field of @size bytes; @out has space for one more. */
static void
get_text(char *out, const uint8_t *p, size_t size)
{
	size_t n = strnlen((const char *)p, size);

	memcpy(out, p, n);
	out[n] = '\0';
}

void
tn_live_get_session(struct tn_live_session_record *out, const uint8_t p[TN_LIVE_SIZE_SESSION])
{
	out->id = tn_live_get64(p);
	out->timer_us = tn_live_get32(p + 8);
	out->viewers = tn_live_get32(p + 12);
	out->streams = tn_live_get32(p + 16);
	get_text(out->machine, p + 20, TN_LIVE_MACHINE);
	get_text(out->session, p + 84, TN_LIVE_SESSION);
}

void
tn_live_get_stream(struct tn_live_stream_record *out, const uint8_t p[TN_LIVE_SIZE_STREAM])
{
	out->id = tn_live_get64(p);
	out->trace = tn_live_get64(p + 8);
	out->is_metadata = tn_live_get32(p + 16) == 1;
	get_text(out->folder, p + 20, 4096);
	get_text(out->channel, p + 4116, 255);
}

void
tn_live_get_index(struct tn_live_index_record *out, const uint8_t p[TN_LIVE_SIZE_INDEX])
{
	out->offset = tn_live_get64(p);
	out->size_bits = tn_live_get64(p + 8);
	out->content_bits = tn_live_get64(p + 16);
	out->begin = tn_live_get64(p + 24);
	out->end = tn_live_get64(p + 32);
	out->discarded = tn_live_get64(p + 40);
	out->stream_class = tn_live_get64(p + 48);
	out->status = tn_live_get32(p + 56);
	out->flags = tn_live_get32(p + 60);
}
