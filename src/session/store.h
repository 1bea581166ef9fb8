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

#define STORE_BYTES ((size_t)1 << 20)	/* limit: larger files are not read */

/* The text of a file, with a zero for each newline and at the end; NULL: no such file, or *err has the reason. */
char *lines_read(const char *path, size_t *n, struct tn_error *err);
/* Replace the file, as a whole or not at all; only its owner may read it. */
bool lines_write(const char *path, const char *text, size_t n, struct tn_error *err);

/* The text of a kept file; NULL: it does not exist or cannot be read. */
char *store_read(const char *name, size_t *n);
bool store_write(const char *name, const char *text, size_t n, struct tn_error *err);
/* Remove files of the folder whose names end with @end, but for the newest @most. */
void store_prune(const char *folder, const char *end, size_t most);
/* Names of the folder's files that begin with @begin, without @begin, each with a blank after it. */
void store_list(const char *folder, const char *begin, char *out, size_t size);


/* The path of a configuration file: $XDG_CONFIG_HOME/tnav/@name, else ~/.config/tnav/@name. */
bool config_path(char *out, size_t size, const char *name);

#endif
