/*
 * encode.h - a column of a row group as the pages of a column chunk
 *
 * Pages have version 1. Levels and codes of a dictionary use the hybrid of run lengths and packed bits. Integers
 * without a dictionary are packed differences, all other values plain.
 */
#ifndef TN_COLUMNS_ENCODE_H
#define TN_COLUMNS_ENCODE_H

#include "base/compression.h"
#include "columns/column.h"

enum tn_pages_encoding { TN_ENCODE_PLAIN = 0, TN_ENCODE_RLE = 3, TN_ENCODE_DELTA = 5, TN_ENCODE_DICTIONARY = 8 };

#define TN_BOUND_BYTES 64	/* longer least and greatest values are cut */

/* The least or the greatest value. */
struct tn_bound {
	bool is_there;
	bool is_exact;		/* a value, not one beyond it */
	uint8_t n;
	uint8_t bytes[TN_BOUND_BYTES + 4];
};

struct tn_page {
	size_t at, size;	/* position and size in the chunk, with the header */
	uint64_t row;		/* the first one, in the row group */
	uint64_t nulls;
	bool all_null;
	struct tn_bound least, greatest;
};

/* A column chunk. Zeroed before first use; the buffers are kept. */
struct tn_pages {
	struct tn_str bytes;
	TN_ARRAY(struct tn_page) page;	/* data pages */
	bool has_dictionary;
	uint32_t encodings;		/* encodings of its pages, as bits */
	bool is_packed;			/* the pages are packed with zstd */
	size_t first;			/* start of the first data page */
	uint64_t entries, unpacked;
	uint64_t nulls, nans;
	struct tn_bound least, greatest;
	bool has_bounds;		/* every page with values has bounds */
};

/* The packets of a page, each once: [first, first + n) of @met. */
struct tn_page_packets {
	size_t first, n;
};

/* The rows of a row group. */
struct tn_group_rows {
	uint64_t n;
	/* For columns of packets: */
	const uint32_t *packet;	/* for each row: its number among the packets of the row group */
	size_t n_packets;
	TN_ARRAY(struct tn_page_packets) page;
	TN_ARRAY(uint32_t) met;
};

/* Space that one thread needs. */
struct tn_encoder {
	const struct tn_packer *packer;	/* NULL: pages are not packed */
	void *context;
	struct tn_str body, packed, header;
	TN_ARRAY(uint32_t) code;	/* numbers as codes of a dictionary, */
	TN_ARRAY(uint64_t) number;	/* the numbers of the dictionary */
	TN_ARRAY(uint64_t) distinct;	/* numbers of a page, each once */
	TN_ARRAY(uint32_t) of_packet;	/* columns of packets: the code of each packet's value, + 1; */
	TN_ARRAY(uint32_t) of_row;	/* the codes of the rows of a page */
	struct tn_column by_row;	/* the values of packets that have no codes */
	size_t held;
	uint32_t *table;
	uint32_t *met;			/* by word: the number of the page that has it */
	size_t met_room;
};

/* Fill the rest from n, packet and n_packets. False: memory is out. */
bool tn_find_packets(struct tn_group_rows *rows);
void tn_found_packets_release(struct tn_group_rows *rows);
/* Fill @out from the column. False: memory is out. */
bool tn_encode(struct tn_encoder *e, struct tn_pages *out, struct tn_column *c, const struct tn_group_rows *rows);
/* The order of the pages' bounds: 1 rising, 2 falling, 0 neither. */
int tn_bounds_order(const struct tn_column *c, const struct tn_pages *p);
void tn_encoder_release(struct tn_encoder *e);
void tn_pages_release(struct tn_pages *p);

#endif
