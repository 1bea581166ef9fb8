/*
 * unpack.c - unpack compressed packets into a nameless file
 *
 * The packets inside replace the compressed one, so the rest of the module sees one list of packets. A packet that cannot
 * be unpacked is copied, and becomes a row.
 *
 * Source     perfetto.md, 2
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/compression.h"
#include "perfetto/private.h"

#define MOST_PACKET (UINT64_C(64) << 20)	/* limit of the unpacked size of one packet */
#define MOST_TIMES 200				/* the unpacked size of all may be this multiple of the file */
#define LEAST_BYTES (UINT64_C(64) << 20)	/* plus this number of bytes */
#define MOST_DEPTH 2

struct unpack {
	struct tn_trace *trace;
	struct tn_pf_trace *own;
	struct tn_unpacker zlib, zstd;
	struct tn_error *err;
	int fd;
	uint64_t made, most;
	bool full, failed;
	uint64_t n_left;		/* number of packets that could not be unpacked */
};

static bool
is_packed(uint64_t content)
{
	return content == TN_PF_ZLIB || content == TN_PF_ZSTD;
}

/* Unpack a packet. Returns the number of bytes in *out, which the caller frees. 0: it cannot be unpacked. */
static uint64_t
unpack_one(struct unpack *u, const struct tn_pf_packet *p, uint8_t **out)
{
	struct tn_unpacker *how = p->content == TN_PF_ZLIB ? &u->zlib : &u->zstd;
	uint64_t size = 8 * p->body.n + 4096;

	*out = NULL;
	if (!how->handle && tn_unpacker_load(how, p->content == TN_PF_ZLIB ? TN_COMPRESSION_ZLIB : TN_COMPRESSION_ZSTD,
					     u->trace->path, u->err) < 0) {
		u->failed = true;
		return 0;
	}
	for (;; size *= 4) {
		unsigned long made;
		int code;

		size = size < MOST_PACKET ? size : MOST_PACKET;
		free(*out);
		if (!(*out = malloc((size_t)size + TN_MAP_SLACK))) {
			u->failed = true;
			tn_fail_memory(u->err);
			return 0;
		}
		made = (unsigned long)size;
		if (how->zlib) {
			code = how->zlib(*out, &made, p->body.p, (unsigned long)p->body.n);
			if (code == 0)
				return made;
			/* Z_BUF_ERROR: more space is needed. */
			if (code != -5)
				return 0;
		} else {
			size_t n = how->zstd(*out, (size_t)size, p->body.p, (size_t)p->body.n);

			if (n <= size)
				return n;
		}
		if (size == MOST_PACKET)
			return 0;
	}
}

static void
put(struct unpack *u, const uint8_t *p, uint64_t n)
{
	u->full |= n > u->most - u->made;
	if (u->full || u->failed)
		return;
	u->made += n;
	u->failed = !tn_write_all(u->fd, p, (size_t)n);
	if (u->failed)
		tn_fail_errno(u->err, "cannot write to a temporary file");
}

static void
put_all(struct unpack *u, const uint8_t *data, uint64_t size, unsigned depth)
{
	struct tn_pf_packet p;
	uint64_t at = 0, n;
	uint8_t *out = NULL;

	for (; !u->full && !u->failed && at < size; at = p.next) {
		if (!tn_pf_packet_at(&p, data, at, size)) {
			/* Copy damaged bytes, so that the scan finds and reports them. */
			p.next = tn_pf_resync(data, at, size);
			put(u, data + at, p.next - at);
			continue;
		}
		if (!is_packed(p.content) || depth >= MOST_DEPTH || !(n = unpack_one(u, &p, &out))) {
			u->n_left += is_packed(p.content);
			put(u, data + at, p.next - at);
		} else {
			put_all(u, out, n, depth + 1);
		}
		free(out);
		out = NULL;
	}
}

static enum tn_code
run(struct unpack *u)
{
	struct tn_pf_trace *own = u->own;
	uint64_t limit = own->size * MOST_TIMES + LEAST_BYTES;
	enum tn_code rc = TN_OK;

	u->most = own->size * 8 + (UINT64_C(1) << 20);
	for (;;) {
		u->most = u->most < limit ? u->most : limit;
		if ((rc = tn_map_scratch(&own->flat, &u->fd, u->most, u->err)) < 0)
			return rc;
		u->made = u->n_left = 0;
		u->full = false;
		put_all(u, own->data, own->size, 0);
		close(u->fd);
		if (u->failed)
			return u->err->code;
		if (!u->full || u->most == limit)
			break;
		tn_map_release(&own->flat);
		u->most *= 4;
	}
	if (u->full)
		tn_tell(&u->trace->problems, TN_DAMAGE, "%s: the compressed packets have more than %" PRIu64 " bytes: the rest "
			"is left out", u->trace->path, u->most);
	if (u->n_left)
		tn_tell(&u->trace->problems, TN_DAMAGE, "%s: %" PRIu64 " compressed packets cannot be unpacked", u->trace->path,
			u->n_left);
	own->data = own->flat.data;
	own->size = u->made;
	own->is_flat = true;
	return TN_OK;
}

enum tn_code
tn_pf_unpack(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_error own_err;
	struct unpack u = { .trace = trace, .own = trace->own, .err = err ? err : &own_err, .fd = -1 };
	enum tn_code rc = run(&u);

	tn_unpacker_release(&u.zlib);
	tn_unpacker_release(&u.zstd);
	return rc;
}
