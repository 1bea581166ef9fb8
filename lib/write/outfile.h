/*
 * outfile.h - a file that is written at its end, and corrected slightly before its end
 *
 * The file is open only while its buffer is written, because an export may write more files at a time than a process can
 * have open. Existing files are never overwritten.
 */
#ifndef TN_WRITE_OUTFILE_H
#define TN_WRITE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/trace.h"

struct tn_outfile {
	char *path;
	const char *shown;	/* name for messages; borrowed */
	uint8_t *buffer;
	size_t n, room, most;	/* bytes in the buffer, its size, and its largest size */
	uint64_t at;		/* bytes in the file, without the buffer */
	bool made;
};

/* @path was allocated with malloc(), and now belongs to @f, even if the call fails. The file is made at the first flush. */
enum tn_code tn_outfile_init(struct tn_outfile *f, char *path, const char *shown, size_t most, struct tn_error *err);
enum tn_code tn_outfile_write(struct tn_outfile *f, const void *bytes, size_t n, struct tn_error *err);
/* Overwrite @n bytes that were written at @offset. */
enum tn_code tn_outfile_patch(struct tn_outfile *f, uint64_t offset, const void *bytes, size_t n, struct tn_error *err);
enum tn_code tn_outfile_flush(struct tn_outfile *f, struct tn_error *err);
void tn_outfile_release(struct tn_outfile *f);	/* drops bytes that were not flushed */

static inline uint64_t
tn_outfile_size(const struct tn_outfile *f)
{
	return f->at + f->n;
}

/* ---- LTTng's index files (ctf1-binary.md, 11) ---- */

enum tn_code tn_index_file_begin(struct tn_outfile *f, struct tn_error *err);
/* Add offset, sizes, times and counters of @p; TN_UNKNOWN is written unchanged. */
enum tn_code
tn_index_file_add(struct tn_outfile *f, const struct tn_packet *p, uint64_t stream_class, uint64_t instance,
		  struct tn_error *err);

/* ---- a folder that gets its name when it is complete ---- */

struct tn_new_folder {
	char *final;		/* path of the finished folder */
	char *around;		/* a private folder next to it */
	char *path;		/* the folder in `around` that is being made */
	int held;		/* descriptor that marks it as used; -1: none */
};

enum tn_code tn_new_folder_begin(struct tn_new_folder *f, const char *final, struct tn_error *err);
/*
 * Make @name, which may have slashes, in the folder. Returns its path, which the caller frees. NULL: failure, and *err is
 * set.
 */
char *tn_new_folder_make(const struct tn_new_folder *f, const char *name, struct tn_error *err);
/* Make a path next to the folder; it is removed with the folder. The caller frees it. NULL: failure, and *err is set. */
char *tn_new_folder_beside(const struct tn_new_folder *f, const char *name, struct tn_error *err);
/* Give the final name to the file @path, which was made from the folder, and not to the folder. @path then belongs to @f. */
void tn_new_folder_become(struct tn_new_folder *f, char *path);
/* In a message, replace the name of the draft by the final name. */
void tn_new_folder_name_in(const struct tn_new_folder *f, struct tn_error *err);
/* Write all data to the disk, and give the folder its name. */
enum tn_code tn_new_folder_finish(struct tn_new_folder *f, struct tn_error *err);
/* Remove the folder, unless it got its name, and free all memory. */
void tn_new_folder_release(struct tn_new_folder *f);

#endif
