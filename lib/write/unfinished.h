/*
 * unfinished.h - drafts beside the place of what is written, until it is complete
 *
 * A draft has a name of its own, ".tnav-unfinished-XXXXXX", in the folder of its final place. Who writes it
 * holds a lock on it (flock()), which ends with the process: what nobody holds any more is what a kill left.
 */
#ifndef TN_WRITE_UNFINISHED_H
#define TN_WRITE_UNFINISHED_H

/* "a/b" to "a/.tnav-unfinished-XXXXXX", for mkstemp() and mkdtemp(). malloc()ed; NULL: memory. */
char *tn_unfinished_path(const char *final);

/* Remove what a kill left beside @final: the user's own, more than a minute old, held by nobody. */
void tn_unfinished_sweep(const char *final);

/*
 * Give a file or folder that is complete its name, which nothing has yet. As rename(): -1 and errno, EEXIST when
 * something has it. A file system that cannot say so may let it take the place of an empty folder, of nothing else.
 */
int tn_unfinished_name(const char *draft, const char *final);

/* Say that it is being written, as long as the descriptor is open. -1: it cannot be said. */
int tn_unfinished_hold(const char *path);

#endif
