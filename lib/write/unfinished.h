/*
 * unfinished.h - drafts of files or folders, in the folder of the final place
 *
 * A draft has the name ".tnav-unfinished-XXXXXX". Its writer locks it with flock() until the process ends. So a draft
 * without a lock is a leftover of a killed program.
 */
#ifndef TN_WRITE_UNFINISHED_H
#define TN_WRITE_UNFINISHED_H

/* Make "a/.tnav-unfinished-XXXXXX" from "a/b", for mkstemp() and mkdtemp(). The caller frees it. NULL: memory is out. */
char *tn_unfinished_path(const char *final);

/*
 * Remove leftovers of killed programs from the folder of @final: drafts of this user without a lock, more than a minute
 * old.
 */
void tn_unfinished_sweep(const char *final);

/*
 * Give a complete file or folder its name, if the name is free. Like rename(), returns -1 and sets errno on failure:
 * EEXIST if the name exists. A file system that cannot check this may replace an empty folder, but nothing else.
 */
int tn_unfinished_name(const char *draft, const char *final);

/* Mark a draft as used until the descriptor is closed. -1: this failed. */
int tn_unfinished_hold(const char *path);

#endif
