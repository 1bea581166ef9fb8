/*
 * filesort.h - records sorted by time and place, more of them than fit into memory
 *
 * Records that are in order but for neighbours (within 9 MiB of records) are written once. Others are sorted in runs,
 * which are written to files without a name and merged. Each record begins with its key.
 *
 *	struct tn_filesort s = { .size = sizeof struct record };
 *	rc = tn_filesort_add(&s, &record, err);		// again and again
 *	rc = tn_filesort_end(&s, &map, &n, err);	// the map has n records, and is the caller's
 *	tn_filesort_release(&s);
 */
#ifndef TN_BASE_FILESORT_H
#define TN_BASE_FILESORT_H

#include "base/array.h"
#include "base/mapfile.h"

struct tn_filesort_key {
	int64_t ns;
	uint64_t at;
};

struct tn_filesort_run {
	struct tn_map map;
	uint64_t n;
};

/* The caller zeroes the structure and sets the first members. */
struct tn_filesort {
	size_t size;		/* bytes of a record, a multiple of 8 */
	/*
	 * Change the order of records, which are all records of one time; NULL: they stay in their order. False:
	 * memory is out.
	 */
	bool (*arrange)(void *user, void *records, size_t n);
	void *user;
	uint8_t *now;		/* the records in memory */
	size_t n, room;
	TN_ARRAY(struct tn_filesort_run) runs;
	struct tn_filesort_run out;	/* the sorted records before those in memory, while there are no runs */
	int fd;				/* the file descriptor of `out`, if it is open */
	bool is_open;
	size_t kept;			/* records at the start of the memory that were already sorted when the others came */
	struct tn_filesort_key last;	/* the key of the last record in `out` */
};

enum tn_code tn_filesort_add(struct tn_filesort *s, const void *record, struct tn_error *err) TN_MUST_CHECK;
enum tn_code tn_filesort_end(struct tn_filesort *s, struct tn_map *out, uint64_t *n, struct tn_error *err) TN_MUST_CHECK;
void tn_filesort_release(struct tn_filesort *s);

#endif
