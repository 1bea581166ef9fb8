/*
 * world.h - random types over random bits: a trace of one stream class, whose format is as small as it can be:
 * values by the machine. All events are of its first event class; the other one has names in common with it
 */
#ifndef TN_TEST_WORLD_H
#define TN_TEST_WORLD_H

#include "model/decoder.h"

#define CONTENT 4096	/* bytes of the packet */

struct world {
	struct tn_trace trace;
	struct tn_stream_class stream_class;
	struct tn_event_class event_class, other_class;
	struct tn_event_class *classes[2];
	struct tn_stream_class *stream_classes[1];
	struct tn_clock clock;
	struct tn_stream stream;
	struct tn_trace *traces[1];
	struct tn_stream *streams[1];
	struct tn_set set;
	uint32_t next_id;
	int32_t next_slot;
};

void world_seed(uint64_t seed);
uint32_t dice(uint32_t sides);
void make_world(struct world *w);	/* released with its trace's arenas */
void make_bits(uint8_t *p, size_t n);	/* mostly small numbers and letters: lengths and texts then make sense */

#endif
