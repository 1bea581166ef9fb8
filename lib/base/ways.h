/*
 * ways.h - switch off fast paths, for tests
 *
 * The library has tn_ways() = 0 (ways.c). A test program defines a function of that name, which the linker
 * takes instead; the installed library contains nothing of it.
 */
#ifndef TN_BASE_WAYS_H
#define TN_BASE_WAYS_H

enum {
	TN_WAYS_BESIDE = 1 << 7,	/* tnav does not wait at all for archives that are unpacked in the background */
	TN_WAYS_WALK = 1 << 0,		/* packets are walked by the general machine */
	TN_WAYS_VALUES = 1 << 1,	/* lines are made from decoded values, never directly from bits */
	TN_WAYS_ALL_LINES = 1 << 2,	/* regular expressions see every line: no line is decided before it is made */
	TN_WAYS_SMALL = 1 << 3,		/* batches, chunks, pieces, row groups and pages of the smallest size */
	TN_WAYS_STORE = 1 << 4,		/* indices of the smallest traces are stored */
	TN_WAYS_NO_DIGEST = 1 << 5,	/* scans write no notes and read every packet */
	/* Each allocation from an arena is a separate malloc(), so that each can fail. */
	TN_WAYS_ARENA = 1 << 6,
	TN_WAYS_UNPACKED = 1 << 8	/* files of columns are not compressed */
};

unsigned tn_ways(void);

#endif
