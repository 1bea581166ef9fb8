/*
 * store.h - small text files that are kept between runs: $XDG_STATE_HOME/tnav, otherwise ~/.local/state/tnav
 *
 * They are optional and not trusted: without write access, only their contents are lost.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>

#include <tnav/error.h>

#define STORE_BYTES ((size_t)1 << 20)	/* larger files are not read */

/*
 * Read the text of a file, with a NUL for each newline and at the end. NULL: the file does not exist, or *err has the
 * reason.
 */
char *lines_read(const char *path, size_t *n, struct tn_error *err);
/* Replace the file, completely or not at all. Only its owner may read it. */
bool lines_write(const char *path, const char *text, size_t n, struct tn_error *err);

/* Read the text of a kept file. NULL: it does not exist or cannot be read. */
char *store_read(const char *name, size_t *n);
bool store_write(const char *name, const char *text, size_t n, struct tn_error *err);
/* Remove the files in the folder whose names end with @end, except the newest @most. */
void store_prune(const char *folder, const char *end, size_t most);
/* List the files in the folder whose names begin with @begin: the names without @begin, each with a blank after it. */
void store_list(const char *folder, const char *begin, char *out, size_t size);


/* Make the path of a configuration file: $XDG_CONFIG_HOME/tnav/@name, otherwise ~/.config/tnav/@name. */
bool config_path(char *out, size_t size, const char *name);

#endif
