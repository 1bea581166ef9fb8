/*
 * whole.h - whether the members of an archive are unchanged in their folder
 *
 * A note in the folder has a checksum of the state of each member (name, size, inode, times) and one of all
 * bytes. The second is compared if a member is so young that its times may not reveal a change
 * (tn_map_settled()).
 */
#ifndef TN_ARCHIVE_WHOLE_H
#define TN_ARCHIVE_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct stat;

/* Write the note for @folder as it is now into the empty @out; false: the folder cannot be read. */
bool tn_whole_note(struct tn_str *out, const char *folder);
/* Whether @note still applies. */
bool tn_whole_is(const char *note, const char *folder);
/*
 * Append the identity of the file at @path, with a checksum of its bytes if its times prove nothing yet. False:
 * it cannot be read.
 */
bool tn_whole_file(struct tn_str *key, const char *path, const struct stat *st);

#endif
