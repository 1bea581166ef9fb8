/*
 * library.h - libarchive, loaded only when an archive is opened or written
 *
 * It depends on a dozen libraries for all kinds of compression. A program that opens a folder need not load them.
 */
#ifndef TN_ARCHIVE_LIBRARY_H
#define TN_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include "base/error.h"

/* The functions that tnav calls, without the prefix "archive_". */
#define TN_LIBARCHIVE_CALLS(X)                                                                                \
	X(entry_filetype) X(entry_free) X(entry_hardlink) X(entry_new) X(entry_pathname)                      \
	X(entry_set_gname) X(entry_set_pathname) X(entry_set_uname) X(entry_sourcepath) X(error_string)       \
	X(filter_bytes) X(filter_code) X(filter_count) X(read_data) X(read_disk_descend) X(read_disk_new) X(read_disk_open)        \
	X(read_free) X(read_new) X(read_next_header) X(read_next_header2) X(read_open_filename)               \
	X(read_support_filter_all) X(read_support_format_raw) X(read_support_format_tar)                      \
	X(read_support_format_zip)                                                                            \
	X(version_string) X(write_add_filter_zstd) X(write_close) X(write_data) X(write_free)                 \
	X(write_header) X(write_new) X(write_open_fd) X(write_set_format_pax_restricted)

struct tn_libarchive {
	void *handle;	/* NULL: not loaded */
#define X(call) __typeof__(archive_##call) *call;
	TN_LIBARCHIVE_CALLS(X)
#undef X
};

/*
 * Load the library. @path is the file that an error names. TN_ERR_UNSUPPORTED: the library is not installed, or one of
 * the functions is missing.
 */
enum tn_code tn_libarchive_load(struct tn_libarchive *la, const char *path, struct tn_error *err);

/* If libarchive has no name for the only file of @entry, give it the name @name; NULL: do nothing. */
void tn_archive_name(const struct tn_libarchive *la, struct archive_entry *entry, const char *name);

/* Unload the library. A zeroed structure is allowed. */
void tn_libarchive_unload(struct tn_libarchive *la);

#endif
