/*
 * store.h - small files of text that are kept between runs: $XDG_STATE_HOME/tnav, else ~/.local/state/tnav
 *
 * Never needed, never trusted: a user without write access loses only the content of these files.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>

#include <tnav/error.h>

#define STORE_BYTES ((size_t)1 << 20)	/* a larger file is not one of these */

/* All of a file, with a zero in place of each newline and after the end; NULL when there is none, or *err says why. */
char *lines_read(const char *path, size_t *n, struct tn_error *err);
/* In place of the one that was there, whole or not at all; only its owner may read it. */
bool lines_write(const char *path, const char *text, size_t n, struct tn_error *err);

/* The same of a kept file; NULL: none that can be read. */
char *store_read(const char *name, size_t *n);
bool store_write(const char *name, const char *text, size_t n, struct tn_error *err);
/* Names of the files in a folder of it that begin with @begin, without @begin, each with a blank after it. */
/* Files in the folder with this end: the @most newest stay. */
void store_prune(const char *folder, const char *end, size_t most);
void store_list(const char *folder, const char *begin, char *out, size_t size);


/* Where what the user configures is: $XDG_CONFIG_HOME/tnav/@name, else ~/.config/tnav/@name. */
bool config_path(char *out, size_t size, const char *name);

#endif
