/*
 * ways.h - the general way where there is a fast one, for tests
 *
 * The library has tn_ways() = 0 (ways.c). A test program brings a function of that name of its own, which the
 * linker takes in its place; nothing of it is in the installed library.
 */
#ifndef TN_BASE_WAYS_H
#define TN_BASE_WAYS_H

enum {
	TN_WAYS_BESIDE = 1 << 7,	/* archives that are unpacked beside the set are not waited for a moment */
	TN_WAYS_WALK = 1 << 0,		/* packets are walked by the general machine */
	TN_WAYS_VALUES = 1 << 1,	/* lines are made from decoded values, never directly from bits */
	TN_WAYS_ALL_LINES = 1 << 2,	/* regular expressions see every line: nothing is decided before it is made */
	TN_WAYS_SMALL = 1 << 3,		/* batches, chunks and pieces as small as they can be */
	TN_WAYS_STORE = 1 << 4,		/* indices of the smallest traces are stored */
	TN_WAYS_NO_DIGEST = 1 << 5,	/* scans learn nothing and look at every packet */
	TN_WAYS_ARENA = 1 << 6		/* what comes of an arena is allocated by itself: each of it can fail */
};

unsigned tn_ways(void);

#endif
