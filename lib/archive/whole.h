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
/* Whether @note is still true for @folder. */
bool tn_whole_is(const char *note, const char *folder);
/*
 * Append the identity of the file at @path, with a checksum of its bytes if its times do not show all changes yet. False:
 * the file cannot be read.
 */
bool tn_whole_file(struct tn_str *key, const char *path, const struct stat *st);

#endif
