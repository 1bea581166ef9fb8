/*
 * fake.h - a format made up in memory: a test says which rows there are
 */
#ifndef TN_TEST_FAKE_H
#define TN_TEST_FAKE_H

#include "model/decoder.h"

struct fake_row {
	int64_t time_ns;	/* as "recorded"; may go back */
	bool is_notice;
};

struct fake_packet {
	const struct fake_row *row;
	size_t n;
};

struct fake_stream {
	const struct fake_packet *packet;
	size_t n;
	bool no_clock;
};

/* Result of the next open of fake_format. */
struct fake_trace {
	const struct fake_stream *stream;
	size_t n;
	size_t extend_by;	/* entries found at a time; 0: all */
	unsigned walk_rows;	/* rows of a batch, at most; 0: as many as are wanted */
	const char *file;	/* mapped as the file of each stream, its last byte is read by each walk; NULL: 16 bytes */
	uint64_t size;		/* size of files of each stream; 0: 16 */
	bool ends;		/* the last packet says when its last event is */
	const char *name;	/* the string of every event; NULL: "row N" is made */
	size_t walks, extends;	/* how often that was asked for */
};

extern struct fake_trace fake;
extern const struct tn_format fake_format;

/* Open a set of what is in `fake`; aborts the test when it cannot. */
struct tn_set *fake_open(void);

/* Expected result: every row with its key, in order. */
struct fake_place {
	struct tn_location at;
	int64_t shown_ns;
	bool is_notice;
};

size_t fake_order(struct fake_place **out);	/* freed with free() */

/* Random rows: @ties of 10 have the time of the previous one, @back of 10 are before it. Kept until the next call. */
void fake_random(unsigned seed, size_t n_streams, size_t n_packets, size_t n_rows, unsigned ties, unsigned back);

#endif
