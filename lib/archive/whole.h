/*
 * whole.h - whether the unpacked members of an archive are unchanged
 *
 * A note in the folder has a checksum of the state of each member (name, size, inode, times), and a checksum of all
 * bytes. The second one is compared only if a member is so young that its times may not show a change (tn_map_settled()).
 */
#ifndef TN_ARCHIVE_WHOLE_H
#define TN_ARCHIVE_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct stat;

/* Write the note for the current state of @folder into the empty @out. False: the folder cannot be read. */
bool tn_whole_note(struct tn_str *out, const char *folder);
/* Put the note into the folder. */
void tn_whole_write(const char *folder, const struct tn_str *note);
/* Whether the folder has a note that is still true. */
bool tn_whole_is(const char *folder);
/*
 * Append the identity of the file at @path, with a checksum of its bytes if its times do not show all changes yet. False:
 * the file cannot be read.
 */
bool tn_whole_file(struct tn_str *key, const char *path, const struct stat *st);

#define TN_ARCHIVE_PREFIX "archive-"	/* names of folders with unpacked archives begin so */

/*
 * Remove the least recently used folders, but not @used, which will have @bytes more, if all have more than @most
 * (limits.c). A program that uses a folder keeps the files that it has open.
 */
void tn_archives_shrink(const char *cache, const char *used, uint64_t bytes, uint64_t most);

#endif
