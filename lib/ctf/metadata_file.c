#include "ctf/metadata.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/messages.h"
#include "base/str.h"
#include "ctf/ctf2.h"
#include "ctf/tsdl.h"

#define METADATA_MAGIC 0x75d11d57u
#define HEADER_SIZE 37u
#define MAX_SIZE (UINT64_C(1) << 27)	/* limit of the text, which is in memory */

struct unpacker {
	struct tn_ctf_metadata *out;
	char *text;	/* has space for the whole file and a NUL */
	size_t n_text;
	const uint8_t *bytes;
	size_t n;
	const char *path;
	const struct tn_problems *problems;
	bool foreign_version;	/* some packet header has another version than CTF 1.8 */
};

static uint32_t
load32(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
			  : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Whether a metadata packet begins at @p, and the byte order of its header. */
static bool
has_magic(const uint8_t *p, size_t n, bool *big_endian)
{
	if (n < 4)
		return false;
	*big_endian = load32(p, true) == METADATA_MAGIC;
	return *big_endian || load32(p, false) == METADATA_MAGIC;
}

static bool
all_zeros(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

/*
 * Compare the properties that all packet headers must share. Those of the first header are used, and differences are
 * reported.
 */
static void
compare_header(struct unpacker *u, size_t at, const uint8_t *h, bool big_endian)
{
	struct tn_ctf_metadata *out = u->out;

	if (at == 0) {
		out->is_packetized = true;
		out->big_endian = big_endian;
		out->has_uuid = !all_zeros(h + 4, 16);
		memcpy(out->uuid, h + 4, 16);
		return;
	}
	if (big_endian != out->big_endian)
		tn_tell(u->problems, TN_WRONG, "%s: metadata packet at byte %zu: its byte order differs from the first packet",
			u->path, at);
	if (memcmp(out->uuid, h + 4, 16) != 0)
		tn_tell(u->problems, TN_WRONG, "%s: metadata packet at byte %zu: its UUID differs from the first packet",
			u->path, at);
}

/* Convert a size in bits in a packet header to bytes. A part of a byte is dropped, and reported (CTF 1.8.3, 7.1). */
static size_t
whole_bytes(const struct unpacker *u, size_t at, const char *what, uint32_t bits)
{
	if (bits % 8)
		tn_tell(u->problems, TN_WRONG, "%s: metadata packet at byte %zu: %s of %" PRIu32 " bits is not a whole number of "
			"bytes, rounded down", u->path, at, what, bits);
	return bits / 8;
}

/* Append the text of the packet at byte @at; *size is the size of the packet. */
static enum tn_code
unpack_packet(struct unpacker *u, size_t at, size_t *size, struct tn_error *err)
{
	const uint8_t *h = u->bytes + at;
	size_t left = u->n - at, content, packet;
	bool big_endian;

	if (!has_magic(h, left, &big_endian))
		return tn_fail(err, TN_ERR_FORMAT, "%s: metadata packet at byte %zu: magic number is 0x%08" PRIx32
			       ", not 0x%08x", u->path, at, load32(h, u->out->big_endian), METADATA_MAGIC);
	compare_header(u, at, h, big_endian);
	content = whole_bytes(u, at, _("content size"), load32(h + 24, big_endian));
	packet = whole_bytes(u, at, _("packet size"), load32(h + 28, big_endian));
	if (content < HEADER_SIZE)
		return tn_fail(err, TN_ERR_FORMAT, "%s: metadata packet at byte %zu: content of %" PRIu32
			       " bits is less than its header of %u", u->path, at, load32(h + 24, big_endian),
			       8 * HEADER_SIZE);
	if (h[32])
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: metadata packet at byte %zu: compressed (scheme %u)",
			       u->path, at, h[32]);
	if (h[33])
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: metadata packet at byte %zu: encrypted (scheme %u)",
			       u->path, at, h[33]);
	u->foreign_version |= h[35] != 1 || h[36] != 8;
	if (h[34])
		tn_tell(u->problems, TN_WARNING, "%s: metadata packet at byte %zu: checksum (scheme %u) not verified",
			u->path, at, h[34]);
	if (packet < content) {
		tn_tell(u->problems, TN_WRONG, "%s: metadata packet at byte %zu: packet of %zu bytes with %zu bytes of content: "
			"tnav uses the content size", u->path, at, packet, content);
		packet = content;
	}
	if (content > left) {
		tn_tell(u->problems, TN_WRONG, "%s: metadata packet at byte %zu: %zu bytes of content, but the file has %zu",
			u->path, at, content, left);
		content = left;
	}
	memcpy(u->text + u->n_text, h + HEADER_SIZE, content - HEADER_SIZE);
	u->n_text += content - HEADER_SIZE;
	*size = packet < left ? packet : left;
	return TN_OK;
}

static enum tn_code
unpack_packets(struct unpacker *u, struct tn_error *err)
{
	size_t at = 0, size = 0;

	while (u->n - at >= HEADER_SIZE) {
		enum tn_code rc;

		if (at && all_zeros(u->bytes + at, u->n - at))
			return TN_OK;
		if ((rc = unpack_packet(u, at, &size, err)) < 0)
			return rc;
		at += size;
	}
	if (at == 0)
		return tn_fail(err, TN_ERR_FORMAT, "%s: metadata packet at byte 0: %zu bytes, but its header needs %u",
			       u->path, u->n, HEADER_SIZE);
	if (!all_zeros(u->bytes + at, u->n - at))
		tn_tell(u->problems, TN_WRONG, P_("%s: %zu byte after the last metadata packet ignored",
			"%s: %zu bytes after the last metadata packet ignored", u->n - at), u->path, u->n - at);
	return TN_OK;
}

/* The first byte of a text shows its language; the version in a packet header does not. */
static enum tn_ctf_language
language_of(const char *text, size_t n)
{
	size_t i = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;	/* skip a byte order mark */

	if (i < n && text[i] == 0x1e)
		return TN_CTF_JSON;
	while (i < n && isspace((unsigned char)text[i]))
		i++;
	return i < n && (text[i] == '{' || text[i] == '[' || text[i] == 0x1e) ? TN_CTF_JSON : TN_CTF_TSDL;
}

/*
 * Check that plain TSDL begins with a comment that names its version (CTF 1.8.3, 7.3). The kernel traces of one LTTng
 * release do not have it, and the KEDR dialect never has it.
 */
static enum tn_code
check_signature(const struct unpacker *u, const char *text, size_t n, struct tn_error *err)
{
	size_t i = 7, major = 0, minor = 0, word = 0;

	if (n < 7 || memcmp(text, "/* CTF ", 7) != 0) {
		u->out->has_signature = false;
		return TN_OK;
	}
	for (; i < n && isdigit((unsigned char)text[i]); i++)
		major = major < 1000 ? major * 10 + (size_t)(text[i] - '0') : major;
	while (7 + word < n && word < 40 && text[7 + word] && !strchr(" *\n", text[7 + word]))
		word++;
	if (i == 7 || i + 1 >= n || text[i] != '.' || !isdigit((unsigned char)text[i + 1]))
		return tn_fail(err, TN_ERR_FORMAT, "%s:1:8: `%.*s`: not a CTF version", u->path, (int)word, text + 7);
	for (i++; i < n && isdigit((unsigned char)text[i]); i++)
		minor = minor < 1000 ? minor * 10 + (size_t)(text[i] - '0') : minor;
	if (major != 1)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s:1:8: `%.*s`: CTF version is not 1.8", u->path,
			       (int)(i - 7 < 40 ? i - 7 : 40), text + 7);
	if (minor != 8)
		tn_tell(u->problems, TN_WARNING, "%s:1:8: `%.*s`: CTF version is not 1.8", u->path,
			(int)(i - 7 < 40 ? i - 7 : 40), text + 7);
	return TN_OK;
}

/* Find the text, and join its pieces. */
static enum tn_code
find_text(struct unpacker *u, bool borrow, struct tn_error *err)
{
	bool big_endian, packets = has_magic(u->bytes, u->n, &big_endian);
	enum tn_code rc = TN_OK;

	if (borrow && !packets) {
		u->out->text = (const char *)u->bytes;
		u->out->n = u->n;
		return TN_OK;
	}
	if (!(u->text = u->out->copy = malloc(u->n + 1)))
		return tn_fail_memory(err);
	if (packets) {
		rc = unpack_packets(u, err);
	} else if ((u->n_text = u->n)) {
		memcpy(u->text, u->bytes, u->n);
	}
	u->text[u->n_text] = '\0';
	u->out->text = u->text;
	u->out->n = u->n_text;
	return rc;
}

enum tn_code
tn_ctf_metadata_unpack(struct tn_ctf_metadata *out, const uint8_t *bytes, size_t n, bool borrow, const char *path,
		       const struct tn_problems *problems, struct tn_error *err)
{
	struct unpacker u = { .out = out, .bytes = bytes, .path = path, .problems = problems };
	enum tn_code rc;

	memset(out, 0, sizeof *out);
	if (n > MAX_SIZE)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: metadata of %zu bytes: the limit is %" PRIu64 " "
			       "MiB", path, n, MAX_SIZE >> 20);
	/* Remove zeros after the text, which are the rest of the tracer's buffer. */
	while (n && !bytes[n - 1])
		n--;
	u.n = n;
	rc = find_text(&u, borrow, err);
	if (rc >= 0) {
		out->language = language_of(out->text, out->n);
		out->has_signature = true;
		if (out->language == TN_CTF_TSDL && u.foreign_version)
			rc = tn_fail(err, TN_ERR_UNSUPPORTED, "%s: metadata packet at byte 0: CTF version is not 1.8", path);
		else if (out->language == TN_CTF_TSDL && !out->is_packetized)
			rc = check_signature(&u, out->text, out->n, err);
	}
	if (rc < 0)
		tn_ctf_metadata_release(out);
	return rc;
}

static enum tn_code
check_cut(const struct tn_map *map, const char *path, enum tn_code rc, struct tn_error *err)
{
	/* If the file was cut, the text contains zeros of the map and is invalid. */
	return tn_map_cut(map) ? tn_fail(err, TN_ERR_FORMAT, "%s: the file became shorter while it was read", path) : rc;
}

/* Read the text of the file. If it is not copied, it is in @map. */
static enum tn_code
read_file(struct tn_ctf_metadata *out, struct tn_map *map, const struct tn_trace *trace, const char *path,
	  struct tn_error *err)
{
	bool borrow = !trace->memory;
	enum tn_code rc;

	memset(out, 0, sizeof *out);
	if ((rc = tn_trace_map(trace, map, path, err)) < 0)
		return rc;
	borrow = borrow && map->size > TN_CTF_METADATA_COPIED;
	rc = tn_ctf_metadata_unpack(out, map->data, map->size, borrow, path, &trace->problems, err);
	rc = check_cut(map, path, rc, err);
	if (rc < 0)
		tn_ctf_metadata_release(out);
	if (rc < 0 || out->copy)
		tn_map_release(map);
	return rc;
}

void
tn_ctf_metadata_release(struct tn_ctf_metadata *m)
{
	free(m->copy);
	memset(m, 0, sizeof *m);
}

/* Check that packet headers and the text describe the same trace. */
static enum tn_code
compare_trace(const struct tn_ctf_metadata *m, const struct tn_trace *trace, const char *path, struct tn_error *err)
{
	if (!m->is_packetized || m->language != TN_CTF_TSDL)
		return TN_OK;
	if (m->big_endian != trace->big_endian)
		return tn_fail(err, TN_ERR_FORMAT, m->big_endian ?
			       N_("%s: metadata packet at byte 0: header is big-endian, the trace little-endian") :
			       N_("%s: metadata packet at byte 0: header is little-endian, the trace big-endian"), path);
	if (m->has_uuid && trace->has_uuid && memcmp(m->uuid, trace->uuid, 16) != 0)
		tn_tell(&trace->problems, TN_WRONG, "%s: UUID of the metadata packets differs from the UUID of the trace", path);
	return TN_OK;
}

static enum tn_code
build(struct tn_trace *trace, const struct tn_ctf_metadata *m, const char *path, struct tn_error *err)
{
	enum tn_code rc;

	if (m->language == TN_CTF_JSON) {
		rc = tn_ctf2_build(trace, m->text, m->n, err);
	} else {
		rc = tn_tsdl_build(trace, m->text, m->n, err);
		if (rc >= 0 && !m->has_signature && strcmp(trace->format, "CTF 1.8") == 0)
			tn_tell(&trace->problems, TN_WRONG, "%s:1:1: the metadata does not begin with `/* CTF 1.8`", path);
	}
	return rc < 0 ? rc : compare_trace(m, trace, path, err);
}

enum tn_code
tn_ctf_metadata_load(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_map *map = &trace->metadata_map;
	struct tn_ctf_metadata m;
	struct tn_str path = { 0 };
	enum tn_code rc;

	tn_ctf_metadata_path(trace, &path);
	if (path.failed)
		return tn_fail_memory(err);
	if ((rc = read_file(&m, map, trace, path.text, err)) < 0)
		goto out;
	rc = build(trace, &m, path.text, err);
	if (map->base) {
		trace->metadata_sum = tn_sum_metadata(map, m.text, m.n);
		rc = check_cut(map, path.text, rc, err);
	}
	if (rc >= 0 && m.copy && !tn_arena_adopt(&trace->arena, m.copy))
		rc = tn_fail_memory(err);
	if (rc >= 0) {
		trace->metadata_text = m.text;
		trace->metadata_size = m.n;
		m.copy = NULL;
	}
out:
	tn_ctf_metadata_release(&m);
	tn_str_release(&path);
	return rc;
}
