/* folder.h - whole folders, and the cache folder */
#ifndef TN_BASE_FOLDER_H
#define TN_BASE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Remove a folder and its contents as far as possible; does not follow links. */
void tn_remove_folder(const char *path);

/* Bytes of the files in it and below; links are not followed. */
uint64_t tn_folder_bytes(const char *path);

/* The part of @path below @folder, without a slash at its start; NULL: it is not below. */
const char *tn_folder_below(const char *folder, const char *path);

/* Make the folder and its parents, unless they exist. @path is changed during the call. */
bool tn_make_folders(char *path, mode_t mode);

/* Write all bytes, in several steps if needed; false: see errno. */
bool tn_write_all(int fd, const void *bytes, size_t n);

/*
 * $XDG_CACHE_HOME/tnav or ~/.cache/tnav, which may not exist; owned by the caller. NULL: no home folder, or no
 * memory.
 */
char *tn_cache_folder(void);

/* Mark the folder as used by this program until the descriptor is closed; -1: the mark failed. */
int tn_folder_hold(const char *folder);
/* Remove the folders with this prefix whose marking program has ended. */
void tn_folders_not_held(const char *above, const char *prefix, void (*found)(void *user, const char *path), void *user);

#endif
