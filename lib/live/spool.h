/*
 * spool.h - received data as CTF traces that grow
 *
 * A spool is a folder in the user's cache, for one address. It contains traces with the relay's names; each is a folder
 * with `metadata` and a file for each stream. A trace's folder appears when its first metadata is complete. Whole packets
 * are appended. The folder is removed at the end. A lock distinguishes a folder in use from a leftover of a crash.
 */
#ifndef TN_LIVE_SPOOL_H
#define TN_LIVE_SPOOL_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct tn_spool {
	char *folder;
	int lock;		/* the lock, which is held while the spool is in use */
	uint64_t written;	/* bytes since the last check of the free space */
	uint64_t size;		/* bytes written in total */
};

#define TN_SPOOL_RESERVE ((uint64_t)256 << 20)	/* bytes of the disk that must stay free */

/* Make an empty spool. */
enum tn_code tn_spool_new(struct tn_spool *s, struct tn_error *err);
/* Remove the spool and its contents. A zeroed one is allowed. */
void tn_spool_remove(struct tn_spool *s);

/*
 * Make a safe path below the spool, such as "ust/uid/1000/64-bit", from a name of the relay. If the name leads out of the
 * spool ("../.."), that part is left out. Owned by the caller.
 */
char *tn_spool_name(const char *from_relay);

/* Make the folder @name for a trace; if it exists, name-2, name-3 and so on. Returns its path, owned by the caller. */
char *tn_spool_trace(struct tn_spool *s, const char *name, struct tn_error *err);

/* Append to the file @name in the folder @trace; the file is made if it does not exist. */
enum tn_code tn_spool_append(struct tn_spool *s, const char *trace, const char *name, const void *bytes, size_t n,
			     struct tn_error *err);
/* Write the file @name with these bytes; it appears when it is complete. */
enum tn_code tn_spool_put(struct tn_spool *s, const char *trace, const char *name, const void *bytes, size_t n,
			  struct tn_error *err);

/* Make the bytes [from, to) of a file a hole. */
enum tn_code tn_spool_drop(const char *path, uint64_t from, uint64_t to, struct tn_error *err);

/* Find spools without a lock; reports path and size of each. */
void tn_spool_find_left(void (*found)(void *user, const char *path, uint64_t bytes), void *user);

#endif
