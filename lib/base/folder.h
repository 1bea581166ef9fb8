/*
 * folder.h - folders as a whole, and those of the cache
 */
#ifndef TN_BASE_FOLDER_H
#define TN_BASE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Remove a folder with all that is in it; links are not followed. What cannot be removed stays. */
void tn_remove_folder(const char *path);

/* Bytes of the files in it and below; links are not followed. */
uint64_t tn_folder_bytes(const char *path);

/* Make it and those above it; as good when they are there. @path is changed meanwhile. */
bool tn_make_folders(char *path, mode_t mode);

/* Write all of it, however often that takes; false: errno says why not. */
bool tn_write_all(int fd, const void *bytes, size_t n);

/* $XDG_CACHE_HOME/tnav or ~/.cache/tnav, which may not exist; owned by the caller. NULL: there is none, or no memory. */
char *tn_cache_folder(void);

/* Say that this program is at work in the folder, until the descriptor is closed; -1: it cannot be said. */
int tn_folder_hold(const char *folder);
/* Folders of that prefix that were held by a program that is no more. */
void tn_folders_not_held(const char *above, const char *prefix, void (*found)(void *user, const char *path), void *user);

#endif
