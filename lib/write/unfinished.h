/*
 * unfinished.h - drafts beside the final place of a file, until it is complete
 *
 * A draft has a name of its own, ".tnav-unfinished-XXXXXX", in the folder of its final place. Its writer has a
 * lock on it (flock()), which ends with the process: a draft without a lock is a leftover of a killed program.
 */
#ifndef TN_WRITE_UNFINISHED_H
#define TN_WRITE_UNFINISHED_H

/* "a/b" to "a/.tnav-unfinished-XXXXXX", for mkstemp() and mkdtemp(). malloc()ed; NULL: memory is out. */
char *tn_unfinished_path(const char *final);

/* Remove leftovers of killed programs beside @final: the user's own, more than a minute old, without a lock. */
void tn_unfinished_sweep(const char *final);

/*
 * Give a complete file or folder its name, if the name is free. As rename(): -1 and errno, EEXIST if the name
 * exists. A file system that cannot check this may replace an empty folder, nothing else.
 */
int tn_unfinished_name(const char *draft, const char *final);

/* Mark a draft as in use, as long as the descriptor is open. -1: the mark failed. */
int tn_unfinished_hold(const char *path);

#endif
