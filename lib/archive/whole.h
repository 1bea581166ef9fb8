/*
 * whole.h - whether the members of an archive are still in their folder as they were unpacked
 *
 * A note in the folder has a sum of what each member is (name, size, inode, times) and one of the bytes of all. The second
 * is compared where a member is so young that its times may not tell of a change (tn_map_settled()).
 */
#ifndef TN_ARCHIVE_WHOLE_H
#define TN_ARCHIVE_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct stat;

/* The text of the note on @folder as it is now, into the empty @out; false: it cannot be read. */
bool tn_whole_note(struct tn_str *out, const char *folder);
/* Whether @note is still true. */
bool tn_whole_is(const char *note, const char *folder);
/* Appended: what tells the file at @path, with a sum of its bytes where its times tell nothing yet. False: it cannot be known. */
bool tn_whole_file(struct tn_str *key, const char *path, const struct stat *st);

#endif
