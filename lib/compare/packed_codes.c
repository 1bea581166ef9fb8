/* packed_codes.c - pack chunks when they are full, and write them to a file when there are many */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/packed_codes.h"
#include "base/error.h"
#include "base/mapfile.h"

#define MEMORY ((size_t)16 << 20)	/* limit for chunks that are not in the file */

enum { SAME, BYTES, WORDS };		/* how the codes of a column are packed */

struct head {
	uint32_t rows, size;
};

void
tn_codes_clear(struct tn_codes *c)
{
	if (c->file)
		fclose(c->file);
	c->file = NULL;
	c->in_file = 0;
	c->n = 0;
	tn_str_clear(&c->kept);
}

void
tn_codes_release(struct tn_codes *c)
{
	tn_codes_clear(c);
	free(c->chunk);
	c->chunk = NULL;
	tn_str_release(&c->kept);
}

/* ---- packing ---- */

static void
pack_column(struct tn_str *out, const uint16_t *code, size_t n)
{
	bool same = true, small = true;
	uint8_t byte[TN_CODES_ROWS];
	uint16_t how;

	for (size_t i = 0; i < n; i++) {
		same &= code[i] == code[0];
		small &= code[i] < UINT8_MAX || code[i] == TN_CODES_NONE;
		byte[i] = (uint8_t)code[i];	/* TN_CODES_NONE becomes UINT8_MAX */
	}
	how = same ? SAME : small ? BYTES : WORDS;
	tn_str_put(out, &how, sizeof how);
	if (how == BYTES)
		tn_str_put(out, byte, n);
	else
		tn_str_put(out, code, same ? sizeof *code : n * sizeof *code);
}

static const uint8_t *
unpack_column(uint16_t *code, size_t n, const uint8_t *from)
{
	uint16_t how, same;

	memcpy(&how, from, sizeof how);
	from += sizeof how;
	if (how == WORDS) {
		memcpy(code, from, n * sizeof *code);
		return from + n * sizeof *code;
	}
	memcpy(&same, from, how == SAME ? sizeof same : 1);
	for (size_t i = 0; i < n; i++)
		code[i] = how == SAME ? same : from[i] == UINT8_MAX ? TN_CODES_NONE : from[i];
	return from + (how == SAME ? sizeof same : n);
}

static enum tn_code
write_kept(struct tn_codes *c, struct tn_error *err)
{
	struct tn_map none;
	int fd;

	if (!c->file) {
		enum tn_code rc = tn_map_scratch(&none, &fd, 0, err);

		if (rc < 0)
			return rc;
		c->file = fdopen(fd, "w+");
		if (!c->file)
			close(fd);
	}
	if (!c->file || fwrite(c->kept.text, 1, c->kept.n, c->file) != c->kept.n || fflush(c->file) != 0)
		return tn_fail_errno(err, "the values do not fit into a temporary file");
	c->in_file += c->kept.n;
	tn_str_clear(&c->kept);
	return TN_OK;
}

/* Pack the rows of the chunk. */
static enum tn_code
flush(struct tn_codes *c, struct tn_error *err)
{
	struct head head = { .rows = (uint32_t)c->n };
	const size_t at = c->kept.n;

	if (!c->n)
		return TN_OK;
	tn_str_put(&c->kept, &head, sizeof head);
	for (size_t i = 0; i < c->n_columns; i++)
		pack_column(&c->kept, c->chunk + i * TN_CODES_ROWS, c->n);
	if (c->kept.failed)
		return tn_fail_memory(err);
	head.size = (uint32_t)(c->kept.n - at - sizeof head);
	memcpy(c->kept.text + at, &head, sizeof head);
	c->n = 0;
	return c->kept.n < MEMORY ? TN_OK : write_kept(c, err);
}

/* ---- rows ---- */

static enum tn_code
make_room(struct tn_codes *c, struct tn_error *err)
{
	if (!c->chunk)
		c->chunk = malloc(c->n_columns * TN_CODES_ROWS * sizeof *c->chunk);
	if (!c->chunk)
		return tn_fail_memory(err);
	return c->n < TN_CODES_ROWS ? TN_OK : flush(c, err);
}

enum tn_code
tn_codes_add(struct tn_codes *c, const uint16_t *row, struct tn_error *err)
{
	enum tn_code rc = make_room(c, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c->n_columns; i++)
		c->chunk[i * TN_CODES_ROWS + c->n] = row[i];
	c->n++;
	return TN_OK;
}

enum tn_code
tn_codes_add_chunk(struct tn_codes *c, const struct tn_codes *from, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	size_t n;

	for (size_t at = 0; rc == TN_OK && at < from->n; at += n) {
		rc = make_room(c, err);
		if (rc < 0)
			return rc;
		n = from->n - at < TN_CODES_ROWS - c->n ? from->n - at : TN_CODES_ROWS - c->n;
		for (size_t i = 0; i < c->n_columns; i++)
			memcpy(c->chunk + i * TN_CODES_ROWS + c->n, from->chunk + i * TN_CODES_ROWS + at, n * sizeof *c->chunk);
		c->n += n;
	}
	return rc;
}

/* Read the next @size bytes of the chunks, from the file and then from memory. */
static enum tn_code
take(struct tn_codes *c, void *out, size_t size, uint64_t *at, struct tn_error *err)
{
	if (*at >= c->in_file)
		memcpy(out, c->kept.text + (*at - c->in_file), size);
	else if (fread(out, 1, size, c->file) != size)
		return tn_fail_errno(err, "a temporary file");
	*at += size;
	return TN_OK;
}

enum tn_code
tn_codes_each(struct tn_codes *c, enum tn_code (*chunk)(void *user, struct tn_codes *c, struct tn_error *err), void *user,
	      struct tn_error *err)
{
	enum tn_code rc = flush(c, err);
	uint8_t *bytes = rc == TN_OK ? malloc(c->n_columns * (TN_CODES_ROWS + 1) * sizeof *c->chunk) : NULL;
	uint64_t at = 0;
	struct head head;

	if (rc == TN_OK && !bytes)
		rc = tn_fail_memory(err);
	if (c->file)
		rewind(c->file);
	while (rc == TN_OK && at < c->in_file + c->kept.n) {
		const uint8_t *from = bytes;

		rc = take(c, &head, sizeof head, &at, err);
		if (rc == TN_OK)
			rc = take(c, bytes, head.size, &at, err);
		c->n = rc == TN_OK ? head.rows : 0;
		for (size_t i = 0; c->n && i < c->n_columns; i++)
			from = unpack_column(c->chunk + i * TN_CODES_ROWS, c->n, from);
		if (rc == TN_OK)
			rc = chunk(user, c, err);
	}
	c->n = 0;
	free(bytes);
	return rc;
}
