/*
 * outfile.h - a file that is written at its end, and patched slightly before it
 *
 * The file is open only while its buffer is written: an export may write more files at a time than a process
 * may have open. Existing files are never overwritten.
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
	size_t n, room, most;	/* bytes in it, its size, its largest size */
	uint64_t at;		/* bytes in the file before the buffer's */
	bool made;
};

/* @path is taken over (malloc), also on failure. The file appears at the first flush. */
enum tn_code tn_outfile_init(struct tn_outfile *f, char *path, const char *shown, size_t most, struct tn_error *err);
enum tn_code tn_outfile_write(struct tn_outfile *f, const void *bytes, size_t n, struct tn_error *err);
/* Overwrite @n bytes that were written at @offset. */
enum tn_code tn_outfile_patch(struct tn_outfile *f, uint64_t offset, const void *bytes, size_t n, struct tn_error *err);
enum tn_code tn_outfile_flush(struct tn_outfile *f, struct tn_error *err);
void tn_outfile_release(struct tn_outfile *f);	/* bytes that were not flushed are lost */

static inline uint64_t
tn_outfile_size(const struct tn_outfile *f)
{
	return f->at + f->n;
}

/* ---- LTTng's index files (ctf1-binary.md, 11) ---- */

enum tn_code tn_index_file_begin(struct tn_outfile *f, struct tn_error *err);
/* Offset, sizes, times and counters of @p; TN_UNKNOWN is written as it is. */
enum tn_code
tn_index_file_add(struct tn_outfile *f, const struct tn_packet *p, uint64_t stream_class, uint64_t instance,
		  struct tn_error *err);

/* ---- a folder that appears under its name when it is complete ---- */

struct tn_new_folder {
	char *final;		/* the name it will have */
	char *around;		/* a folder beside it, of our own, ... */
	char *path;		/* ... in which it is made */
	int held;		/* marks it as in use; -1 */
};

enum tn_code tn_new_folder_begin(struct tn_new_folder *f, const char *final, struct tn_error *err);
/* Make @name, which may have slashes, in it; NULL, *err set. The result is malloc()ed. */
char *tn_new_folder_make(const struct tn_new_folder *f, const char *name, struct tn_error *err);
/* A path beside it that vanishes with it; malloc()ed, NULL, *err set. */
char *tn_new_folder_beside(const struct tn_new_folder *f, const char *name, struct tn_error *err);
/* Give the final name to that path, which is taken over: a file made from the folder. */
void tn_new_folder_become(struct tn_new_folder *f, char *path);
/* Replace the draft's name by the final name in a message. */
void tn_new_folder_name_in(const struct tn_new_folder *f, struct tn_error *err);
/* Write everything to the disk and give it its name. */
enum tn_code tn_new_folder_finish(struct tn_new_folder *f, struct tn_error *err);
/* Remove the folder if it did not get its name; frees all. */
void tn_new_folder_release(struct tn_new_folder *f);

#endif
