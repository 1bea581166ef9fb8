/*
 * wire.h - pack and unpack the records of the LTTng live protocol
 *
 * All numbers are big-endian, whatever the byte order of the trace. A NUL ends a text inside of an array. Unpacking only
 * checks that texts end.
 */
#ifndef TN_LIVE_WIRE_H
#define TN_LIVE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/url.h"

enum tn_live_command {
	TN_LIVE_CONNECT = 1, TN_LIVE_LIST = 2, TN_LIVE_ATTACH = 3, TN_LIVE_NEXT_INDEX = 4, TN_LIVE_GET_PACKET = 5,
	TN_LIVE_GET_METADATA = 6, TN_LIVE_NEW_STREAMS = 7, TN_LIVE_CREATE = 8, TN_LIVE_DETACH = 9
};

enum { TN_LIVE_MAJOR = 2, TN_LIVE_MINOR = 15, TN_LIVE_MINOR_LISTS = 15 };	/* from this minor on, sessions have long names */

enum { TN_LIVE_ATTACH_OK = 1, TN_LIVE_ATTACH_TAKEN, TN_LIVE_ATTACH_UNKNOWN, TN_LIVE_ATTACH_NOT_LIVE,
	TN_LIVE_ATTACH_SEEK, TN_LIVE_ATTACH_NO_SESSION };
enum { TN_LIVE_INDEX_OK = 1, TN_LIVE_INDEX_RETRY, TN_LIVE_INDEX_HUP, TN_LIVE_INDEX_ERROR, TN_LIVE_INDEX_INACTIVE,
	TN_LIVE_INDEX_EOF };
enum { TN_LIVE_PACKET_OK = 1, TN_LIVE_PACKET_RETRY, TN_LIVE_PACKET_ERROR, TN_LIVE_PACKET_EOF };
enum { TN_LIVE_METADATA_OK = 1, TN_LIVE_METADATA_NONE, TN_LIVE_METADATA_ERROR };
enum { TN_LIVE_STREAMS_OK = 1, TN_LIVE_STREAMS_NONE, TN_LIVE_STREAMS_ERROR, TN_LIVE_STREAMS_HUP };
enum { TN_LIVE_FLAG_METADATA = 1, TN_LIVE_FLAG_STREAMS = 2 };

#define TN_LIVE_HEADER 16
#define TN_LIVE_SIZE_CONNECT 20
#define TN_LIVE_SIZE_SESSION 339
#define TN_LIVE_SIZE_SESSION_15 32	/* two texts follow the record */
#define TN_LIVE_SIZE_STREAM 4371
#define TN_LIVE_SIZE_INDEX 64

struct tn_live_session_record {
	uint64_t id;
	uint32_t timer_us, viewers, streams;
	char machine[TN_LIVE_MACHINE + 192];	/* newer relays have longer names */
	char session[TN_LIVE_SESSION + 1];
};

struct tn_live_stream_record {
	uint64_t id, trace;
	bool is_metadata;
	char folder[4097];
	char channel[256];
};

struct tn_live_index_record {
	uint64_t offset, size_bits, content_bits, begin, end, discarded, stream_class;
	uint32_t status, flags;
};

void tn_live_put32(uint8_t *p, uint32_t v);
void tn_live_put64(uint8_t *p, uint64_t v);
uint32_t tn_live_get32(const uint8_t *p);
uint64_t tn_live_get64(const uint8_t *p);

void tn_live_get_session(struct tn_live_session_record *out, const uint8_t p[TN_LIVE_SIZE_SESSION]);
void tn_live_get_stream(struct tn_live_stream_record *out, const uint8_t p[TN_LIVE_SIZE_STREAM]);
void tn_live_get_index(struct tn_live_index_record *out, const uint8_t p[TN_LIVE_SIZE_INDEX]);

#endif
