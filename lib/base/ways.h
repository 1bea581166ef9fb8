/*
 * ways.h - switch off fast paths, for tests
 *
 * In the library tn_ways() is 0 (ways.c). A test program defines a function of the same name, and the linker takes
 * that one. The installed library does not contain this switch.
 */
#ifndef TN_BASE_WAYS_H
#define TN_BASE_WAYS_H

enum {
	TN_WAYS_BESIDE = 1 << 7,	/* do not wait for archives that are unpacked in the background */
	TN_WAYS_WALK = 1 << 0,		/* walk packets with the general machine */
	TN_WAYS_VALUES = 1 << 1,	/* make lines from decoded values, never directly from bits */
	TN_WAYS_ALL_LINES = 1 << 2,	/* match regular expressions against every line: decide no line before it is made */
	TN_WAYS_SMALL = 1 << 3,		/* use batches, chunks, pieces, row groups and pages of the smallest size */
	TN_WAYS_STORE = 1 << 4,		/* store the indices of the smallest traces, too */
	TN_WAYS_NO_DIGEST = 1 << 5,	/* scans write no notes and read every packet */
	/* Make each allocation from an arena a separate malloc(), so that each can fail. */
	TN_WAYS_ARENA = 1 << 6,
	TN_WAYS_UNPACKED = 1 << 8	/* do not compress files of columns */
};

unsigned tn_ways(void);

#endif
