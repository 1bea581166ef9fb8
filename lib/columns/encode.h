/*
 * encode.h - encode a column of a row group as the pages of a column chunk
 *
 * Pages have version 1. Levels and codes of a dictionary use the hybrid of run lengths and packed bits. Integers without
 * a dictionary are packed differences; all other values are plain.
 */
#ifndef TN_COLUMNS_ENCODE_H
#define TN_COLUMNS_ENCODE_H

#include "base/compression.h"
#include "columns/column.h"

enum tn_pages_encoding { TN_ENCODE_PLAIN = 0, TN_ENCODE_RLE = 3, TN_ENCODE_DELTA = 5, TN_ENCODE_DICTIONARY = 8 };

#define TN_BOUND_BYTES 64	/* limit of bytes in a bound; longer bounds are cut */

/* The lower or upper bound of values. */
struct tn_bound {
	bool is_there;
	bool is_exact;		/* the bound is a value, and not beyond all values */
	uint8_t n;
	uint8_t bytes[TN_BOUND_BYTES + 4];
};

struct tn_page {
	size_t at, size;	/* position and size in the chunk, including the header */
	uint64_t row;		/* first row, counted in the row group */
	uint64_t nulls;
	bool all_null;
	struct tn_bound least, greatest;
};

/* A column chunk. Zero it before first use; the buffers are used again. */
struct tn_pages {
	struct tn_str bytes;
	TN_ARRAY(struct tn_page) page;	/* data pages */
	bool has_dictionary;
	uint32_t encodings;		/* encodings of its pages, as bits */
	bool is_packed;			/* the pages are compressed with zstd */
	size_t first;			/* position of the first data page */
	uint64_t entries, unpacked;
	uint64_t nulls, nans;
	struct tn_bound least, greatest;
	bool has_bounds;		/* every page with values has bounds */
};

/* The different packets of a page: [first, first + n) of @met. */
struct tn_page_packets {
	size_t first, n;
};

/* The rows of a row group. */
struct tn_group_rows {
	uint64_t n;
	/* For columns of packets: */
	const uint32_t *packet;	/* for each row, the number of its packet in the row group */
	size_t n_packets;
	TN_ARRAY(struct tn_page_packets) page;
	TN_ARRAY(uint32_t) met;
};

/* Buffers for one thread. */
struct tn_encoder {
	const struct tn_packer *packer;	/* NULL: pages are not compressed */
	void *context;
	struct tn_str body, packed, header;
	TN_ARRAY(uint32_t) code;	/* codes of numbers */
	TN_ARRAY(uint64_t) number;	/* the numbers of the dictionary */
	TN_ARRAY(uint64_t) distinct;	/* the different numbers of a page */
	TN_ARRAY(uint32_t) of_packet;	/* columns of packets: for each packet, the code of its value plus 1 */
	TN_ARRAY(uint32_t) of_row;	/* codes of the rows of a page */
	struct tn_column by_row;	/* values of packets without codes, row by row */
	size_t held;
	uint32_t *table;
	uint32_t *met;			/* for each word, the last page that had it */
	size_t met_room;
};

/* Compute the other members from n, packet and n_packets. False: memory is out. */
bool tn_find_packets(struct tn_group_rows *rows);
void tn_found_packets_release(struct tn_group_rows *rows);
/* Encode the column into @out. False: memory is out. */
bool tn_encode(struct tn_encoder *e, struct tn_pages *out, struct tn_column *c, const struct tn_group_rows *rows);
/* The order of the pages' bounds: 1 ascending, 2 descending, 0 neither. */
int tn_bounds_order(const struct tn_column *c, const struct tn_pages *p);
void tn_encoder_release(struct tn_encoder *e);
void tn_pages_release(struct tn_pages *p);

#endif
