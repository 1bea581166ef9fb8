/*
 * listing.h - the entries of a folder, and the targets of its links
 *
 *	struct tn_listing f;
 *	rc = tn_listing_read(&f, path, err);	// after a failure f has the entries read so far
 *	for (size_t i = 0; i < f.n; i++)
 *		rc = tn_entry_look(&entry, path, f.name[i], err);
 *	tn_listing_release(&f);
 */
#ifndef TN_BASE_LISTING_H
#define TN_BASE_LISTING_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

/* Names without "." and "..", sorted by bytes, so that no result depends on the order of the file system. */
struct tn_listing {
	char **name;
	size_t n, room;
};

enum tn_code tn_listing_read(struct tn_listing *out, const char *path, struct tn_error *err);
void tn_listing_release(struct tn_listing *f);

struct tn_entry {
	char path[PATH_MAX];	/* folder and name */
	bool is_link;
	struct stat st;		/* state of the entry, or of the target of a link */
};

/* TN_ERR_NOT_FOUND: the target of a link does not exist, or the entry was removed. */
enum tn_code tn_entry_look(struct tn_entry *out, const char *folder, const char *name, struct tn_error *err);

/*
 * Report that tnav does not follow a link at @path, below @top, to a folder. A target inside of @top is found at its
 * own path. For a target outside of @top the message says how to open it.
 */
void tn_tell_link(const struct tn_problems *problems, const char *top, const char *path);

/* Whether @path, with links resolved, is @top or is inside of it. */
bool tn_path_holds(const char *top, const char *path);

#endif
