/* folder.h - whole folders, and the cache folder */
#ifndef TN_BASE_FOLDER_H
#define TN_BASE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Remove a folder and its contents as far as possible; does not follow links. */
void tn_remove_folder(const char *path);

/* The size of all files in the folder and below; links are not followed. */
uint64_t tn_folder_bytes(const char *path);

/* The part of @path after @folder, without a slash at its start; NULL: @path is not below @folder. */
const char *tn_folder_below(const char *folder, const char *path);

/* Make the folder and its parents, unless they exist. @path is changed during the call. */
bool tn_make_folders(char *path, mode_t mode);

/* Write all bytes, in several steps if needed; false: errno has the reason. */
bool tn_write_all(int fd, const void *bytes, size_t n);

/*
 * Get the path $XDG_CACHE_HOME/tnav or ~/.cache/tnav; the caller owns it. The folder may not exist. NULL: the user does
 * not have a home folder, or memory is out.
 */
char *tn_cache_folder(void);

/* Mark the folder as used by this program until the descriptor is closed; -1: this failed. */
int tn_folder_hold(const char *folder);
/* Remove the folders with this prefix whose program has ended. */
void tn_folders_not_held(const char *above, const char *prefix, void (*found)(void *user, const char *path), void *user);

#endif
