#include "write/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROOM 4096

enum tn_code
tn_outfile_init(struct tn_outfile *f, char *path, const char *shown, size_t most, struct tn_error *err)
{
	*f = (struct tn_outfile) { .path = path, .shown = shown, .most = most > FIRST_ROOM ? most : FIRST_ROOM };
	return path ? TN_OK : tn_fail_memory(err);
}

void
tn_outfile_release(struct tn_outfile *f)
{
	free(f->path);
	free(f->buffer);
	*f = (struct tn_outfile) { 0 };
}

/* Make an error that names the output. EFAULT: a source file was cut, so bytes of a lost page cannot be written. */
static enum tn_code
failed(const struct tn_outfile *f, struct tn_error *err)
{
	if (errno == EFAULT)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the trace became shorter while it was read", f->shown);
	return tn_fail_errno(err, "%s", f->path);
}

static enum tn_code
put(struct tn_outfile *f, uint64_t offset, const uint8_t *bytes, size_t n, struct tn_error *err)
{
	int fd = open(f->path, O_WRONLY | O_CLOEXEC | (f->made ? 0 : O_CREAT | O_EXCL), 0666);
	enum tn_code rc = TN_OK;

	if (fd < 0)
		return failed(f, err);
	f->made = true;
	while (n) {
		ssize_t k = pwrite(fd, bytes, n, (off_t)offset);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			if (k == 0)
				errno = EIO;
			rc = failed(f, err);
			break;
		}
		bytes += k;
		offset += (uint64_t)k;
		n -= (size_t)k;
	}
	/* Some file systems report only on close() that they are full. */
	if (close(fd) != 0 && rc == TN_OK && errno != EINTR)
		rc = failed(f, err);
	return rc;
}

enum tn_code
tn_outfile_flush(struct tn_outfile *f, struct tn_error *err)
{
	enum tn_code rc;

	if (!f->n && f->made)
		return TN_OK;
	rc = put(f, f->at, f->buffer, f->n, err);
	f->at += f->n;
	f->n = 0;
	return rc;
}

static bool
grow(struct tn_outfile *f, size_t need)
{
	size_t room = f->room ? f->room : FIRST_ROOM;
	uint8_t *bigger;

	while (room < need)
		room *= 2;
	if (room > f->most)
		room = f->most;
	if (room == f->room)
		return true;
	bigger = realloc(f->buffer, room);
	if (!bigger)
		return false;
	f->buffer = bigger;
	f->room = room;
	return true;
}

enum tn_code
tn_outfile_write(struct tn_outfile *f, const void *bytes, size_t n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (n > f->most - f->n)
		rc = tn_outfile_flush(f, err);
	if (rc != TN_OK)
		return rc;
	if (n > f->most / 2) {
		rc = tn_outfile_flush(f, err);
		if (rc == TN_OK)
			rc = put(f, f->at, bytes, n, err);
		f->at += n;
		return rc;
	}
	if (n > f->room - f->n && !grow(f, f->n + n))
		return tn_fail_memory(err);
	if (n)
		memcpy(f->buffer + f->n, bytes, n);
	f->n += n;
	return TN_OK;
}

enum tn_code
tn_outfile_patch(struct tn_outfile *f, uint64_t offset, const void *bytes, size_t n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (n && offset < f->at && offset + n > f->at)
		rc = tn_outfile_flush(f, err);
	if (rc != TN_OK || !n)
		return rc;
	if (offset < f->at)
		return put(f, offset, bytes, n, err);
	memcpy(f->buffer + (offset - f->at), bytes, n);
	return TN_OK;
}

/* ---- index files ---- */

#define INDEX_MAGIC UINT32_C(0xc1f1dcc1)
#define INDEX_ENTRY 72

static void
put_be(uint8_t *p, unsigned bytes, uint64_t v)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * (bytes - 1 - i)));
}

enum tn_code
tn_index_file_begin(struct tn_outfile *f, struct tn_error *err)
{
	uint8_t header[16];

	put_be(header, 4, INDEX_MAGIC);
	put_be(header + 4, 4, 1);	/* version 1.1 of the format */
	put_be(header + 8, 4, 1);
	put_be(header + 12, 4, INDEX_ENTRY);
	return tn_outfile_write(f, header, sizeof header, err);
}

enum tn_code
tn_index_file_add(struct tn_outfile *f, const struct tn_packet *p, uint64_t stream_class, uint64_t instance,
		  struct tn_error *err)
{
	uint64_t word[9] = {
		p->offset, p->size_bits, p->content_bits, p->begin_cycles, p->end_cycles,
		p->discarded == TN_UNKNOWN ? 0 : p->discarded, stream_class, instance, p->sequence,
	};
	uint8_t entry[INDEX_ENTRY];

	for (unsigned i = 0; i < 9; i++)
		put_be(entry + 8 * i, 8, word[i]);
	return tn_outfile_write(f, entry, sizeof entry, err);
}
