/* chromejson.c - open a file, make packets of blocks of entries, walk them */
#include "chromejson/chromejson.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/meaning.h"
#include "base/messages.h"
#include "base/str.h"
#include "chromejson/private.h"
#include "index/stored_scan.h"

#define LOOK ((size_t)65536)	/* bytes from the start in which an event must begin (chromejson.md, 1) */
#define STEP 64			/* packets that one step finds */

/* ---- open ---- */

/* Whether the first bytes have `"ph": "x"` or "traceEvents". */
static bool
has_event(const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece key;
	const uint8_t *after;

	for (; p < end && (p = memchr(p, '"', (size_t)(end - p))); p = after) {
		if (!(after = tn_cj_string(p, end, &key)))
			return false;
		if (TN_CJ_IS(&key, "traceEvents"))
			return true;
		if (!TN_CJ_IS(&key, "ph"))
			continue;
		p = tn_cj_blanks(after, end);
		if (p < end && *p == ':')
			p = tn_cj_blanks(p + 1, end);
		if (end - p >= 3 && p[0] == '"' && p[2] == '"')
			return true;
	}
	return false;
}

static enum tn_probe
chromejson_probe(const uint8_t *data, size_t size)
{
	const uint8_t *p = data, *end = p + (size < LOOK ? size : LOOK);
	enum tn_probe found = TN_PROBE_NO;

	if (size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	p = size ? tn_cj_blanks(p, end) : end;
	if (p < end && (*p == '[' || *p == '{')) {
		const uint8_t *q = tn_cj_blanks(p + 1, end);

		/* A logger that is killed before its first event leaves such a file. */
		if (*p == '[' && (q == end || *q == ']'))
			found = TN_PROBE_MAYBE;
		else if (has_event(p, end))
			found = TN_PROBE_YES;
	}
	return found;
}

static enum tn_code
open_stream(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_cj_trace *own = trace->own;
	const char *path = tn_build_path(trace, trace->path);
	struct tn_stream *s = tn_build_stream(trace, trace->stream_class[0], path, "events", &own->map);

	if (!s)
		return tn_fail_memory(err);
	tn_map_view(&s->file->map, &own->entries);
	return TN_OK;
}

static enum tn_code
chromejson_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_cj_trace *own = TN_NEW(&trace->arena, struct tn_cj_trace);
	enum tn_code rc;

	trace->format = "Chrome JSON";
	trace->own = own;
	if (!own)
		return tn_fail_memory(err);
	rc = tn_trace_map(trace, &own->map, trace->path, err);
	if (rc == TN_OK && !tn_stored_scan_load(trace, &own->map, tn_cj_parts, &own->stored, &own->entries)) {
		own->found = (struct tn_cj_found) { 0 };
		TN_ARRAY_RELEASE(&own->classes);
		TN_ARRAY_RELEASE(&own->tracks);
		trace->n_env = 0;
		rc = tn_cj_scan(trace, err);
		if (rc == TN_OK)
			tn_stored_scan_save(trace, &own->map, tn_cj_parts, &own->entries);
	}
	if (rc == TN_OK) {
		tn_cj_tell(trace);
		rc = tn_cj_build(trace, err);
	}
	return rc == TN_OK ? open_stream(trace, err) : rc;
}

static void
chromejson_close(struct tn_trace *trace)
{
	struct tn_cj_trace *own = trace->own;

	if (!own)
		return;
	TN_ARRAY_RELEASE(&own->classes);
	TN_ARRAY_RELEASE(&own->tracks);
	tn_map_release(&own->entries);
	tn_map_release(&own->stored);
	tn_map_release(&own->map);
}

/* ---- index ---- */

static const struct tn_cj_entry *
entry_at(const struct tn_cj_trace *own, uint64_t i)
{
	return (const struct tn_cj_entry *)(const void *)own->entries.data + i;
}

static int64_t
key_of(const struct tn_stream *stream, const struct tn_cj_entry *e)
{
	const struct tn_cj_trace *own = stream->trace->own;
	int64_t ns = tn_clock_ns(stream->stream_class->clock, (uint64_t)(e->ns - own->found.base_ns));

	return ns == INT64_MAX ? ns - 1 : ns;
}

static enum tn_code
add_block(struct tn_stream *stream, uint64_t first, struct tn_error *err)
{
	const struct tn_cj_trace *own = stream->trace->own;
	struct tn_packet_index *ix = &stream->index;
	uint64_t n = own->n_entries - first < TN_CJ_BLOCK ? own->n_entries - first : TN_CJ_BLOCK;
	const struct tn_cj_entry *e = entry_at(own, first);
	struct tn_packet p = {
		.offset = first * sizeof *e, .size_bits = 8 * n * sizeof *e, .content_bits = 8 * n * sizeof *e,
		.begin_cycles = (uint64_t)(e->ns - own->found.base_ns),
		.end_cycles = (uint64_t)(e[n - 1].ns - own->found.base_ns),
		.clock_start = (uint64_t)(e->ns - own->found.base_ns),
		.begin_ns = key_of(stream, e), .end_ns = key_of(stream, &e[n - 1]),
		.discarded = TN_UNKNOWN, .highest = TN_UNKNOWN, .sequence = TN_UNKNOWN, .n_events = n, .flags = TN_PACKET_CHECKED,
	};

	for (uint64_t i = 0; i < n; i++)
		if (e[i].track & (TN_CJ_DAMAGE | TN_CJ_LOSS))
			p.n_events = TN_UNKNOWN;
	if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
		return tn_fail_memory(err);
	ix->packet[ix->n++] = p;
	return TN_OK;
}

static enum tn_code
chromejson_extend(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_cj_trace *own = stream->trace->own;
	struct tn_packet_index *ix = &stream->index;
	enum tn_code rc = TN_OK;

	for (unsigned i = 0; i < STEP && rc == TN_OK; i++) {
		uint64_t first = ix->n * (uint64_t)TN_CJ_BLOCK;

		if (first >= own->n_entries) {
			ix->complete = true;
			break;
		}
		rc = add_block(stream, first, err);
	}
	return rc;
}

/* ---- rows ---- */

static enum tn_code
put_notice(struct tn_batch *b, const struct tn_cj_entry *e, int64_t key, uint64_t bit, struct tn_error *err)
{
	struct tn_notice loss = { .kind = TN_ROW_LOST_EVENTS, .count = TN_UNKNOWN };
	char text[200];

	if (e->track & TN_CJ_LOSS)
		return tn_batch_notice(b, key, &loss) ? TN_OK : tn_fail_memory(err);
	snprintf(text, sizeof text, _("packet %zu: byte %" PRIu64 " of the file: this is not an event, or the event is cut"),
		 b->packet, e->at);
	return tn_batch_damage(b, key, bit, text) ? TN_OK : tn_fail_memory(err);
}

static enum tn_code
chromejson_walk(struct tn_batch *b, struct tn_error *err)
{
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	uint64_t at = b->begin.bit, end = b->entry.content_bits, step = 8 * sizeof(struct tn_cj_entry);
	int64_t key = b->begin.key;
	enum tn_code rc = TN_OK;

	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	b->base_bit = 0;
	for (; rc == TN_OK && b->refs.n < limit && at < end; at += step) {
		const struct tn_cj_entry *e = (const struct tn_cj_entry *)(const void *)(b->data + at / 8);

		key = key_of(b->stream, e);
		if (e->track & (TN_CJ_DAMAGE | TN_CJ_LOSS)) {
			rc = put_notice(b, e, key, at, err);
			continue;
		}
		b->refs.item[b->refs.n++] = (struct tn_ref) { key, (uint32_t)at, e->class };
		b->n_events++;
	}
	b->last = at >= end;
	b->end = (struct tn_mark) { at, b->begin.clock, b->begin.row + b->refs.n, key, b->begin.told };
	return rc;
}

const struct tn_format tn_format_chromejson = {
	.name = "chrome-json",
	.meaning = TN_MEANING_CHROMEJSON,
	.probe_bytes = chromejson_probe,
	.open = chromejson_open,
	.extend = chromejson_extend,
	.walk = chromejson_walk,
	.read = tn_cj_read,
	.close = chromejson_close,
};
