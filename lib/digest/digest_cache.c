/* digest_cache.c - the columns in memory */
#include "digest/digest.h"

#include "base/hash.h"

static void
column_free(const struct tn_digest *d, struct tn_column *c)
{
	for (size_t i = 0; c->stream && i < d->n_streams; i++)
		free(c->stream[i].at);
	free(c->stream);
	free(c->name);
	TN_ARRAY_RELEASE(&c->bytes);
	free(c);
}

void
tn_digest_free(struct tn_digest *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->columns.n; i++)
		column_free(d, d->columns.item[i]);
	TN_ARRAY_RELEASE(&d->columns);
	tn_map_release(&d->map);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

static size_t
column_size(const struct tn_digest *d, const struct tn_column *c)
{
	size_t size = sizeof *c + strlen(c->name) + d->n_streams * sizeof *c->stream + c->bytes.n - c->stale +
		      (c->stored ? c->stored_size : 0);

	for (size_t i = 0; i < d->n_streams; i++)
		size += c->stream[i].n * sizeof *c->stream[i].at;
	return size;
}

void
tn_digest_forget(struct tn_digest *d, struct tn_column *c)
{
	size_t i = 0;

	while (d->columns.item[i] != c)
		i++;
	d->columns.item[i] = d->columns.item[--d->columns.n];
	column_free(d, c);
	d->news = true;
}

void
tn_digest_shrink(struct tn_digest *d)
{
	size_t size = 0;

	for (size_t i = 0; i < d->columns.n; i++)
		size += column_size(d, d->columns.item[i]);
	while (size > d->most) {
		struct tn_column *oldest = NULL;

		for (size_t i = 0; i < d->columns.n; i++) {
			struct tn_column *c = d->columns.item[i];

			if (!oldest || c->used < oldest->used)
				oldest = c;
		}
		size -= column_size(d, oldest);
		tn_digest_forget(d, oldest);
	}
}

struct tn_column *
tn_digest_column(struct tn_digest *d, enum tn_column_kind kind, const char *name, bool make)
{
	struct tn_column *c, **kept;

	for (size_t i = 0; i < d->columns.n; i++)
		if (d->columns.item[i]->kind == kind && strcmp(d->columns.item[i]->name, name) == 0)
			return d->columns.item[i];
	if (!make || strlen(name) > TN_DIGEST_NAME || !(c = calloc(1, sizeof *c)))
		return NULL;
	c->kind = kind;
	c->name = strdup(name);
	c->stream = calloc(d->n_streams + 1, sizeof *c->stream);
	kept = c->name && c->stream ? TN_ARRAY_ADD(&d->columns) : NULL;
	if (!kept) {
		column_free(d, c);
		return NULL;
	}
	return *kept = c;
}

struct tn_column *
tn_digest_next(struct tn_digest *d, enum tn_column_kind kind, size_t *at)
{
	while (*at < d->columns.n) {
		struct tn_column *c = d->columns.item[(*at)++];

		if (c->kind == kind)
			return c;
	}
	return NULL;
}

const char *
tn_column_name(const struct tn_column *c)
{
	return c->name;
}

/* ---- notes ---- */

/* Find the start of the notes in a stored column. */
static bool
find_notes(const struct tn_digest *d, struct tn_column *c)
{
	const uint8_t *begin = c->bytes.item, *p = begin, *end = begin + c->bytes.n;

	for (size_t s = 0; s < d->n_streams; s++) {
		struct tn_column_stream *stream = &c->stream[s];
		size_t n = (size_t)d->packets[s];

		if (n > (size_t)(end - p))
			return false;	/* each number needs at least one byte */
		if (!tn_array_reserve((void **)&stream->at, &stream->room, n, sizeof *stream->at))
			return false;
		for (stream->n = 0; stream->n < n; stream->n++) {
			const uint8_t *note = p;
			uint64_t size;

			if (!tn_varint_get(&p, end, &size) || (size && size - 1 > (size_t)(end - p)))
				return false;
			stream->at[stream->n] = size ? (uint32_t)(note - begin) + 1 : 0;
			p += size ? size - 1 : 0;
		}
	}
	return p == end;
}

/* Copy a stored column into memory. */
static bool
take_stored(const struct tn_digest *d, struct tn_column *c)
{
	const uint8_t *stored = c->stored;

	c->stored = NULL;
	if (tn_sum_bytes(TN_COLUMN_FIELD, stored, c->stored_size) != c->stored_sum ||
	    !TN_ARRAY_RESERVE(&c->bytes, c->stored_size + 1))
		return false;
	memcpy(c->bytes.item, stored, c->stored_size);
	c->bytes.n = c->stored_size;
	return find_notes(d, c);
}

bool
tn_column_use(struct tn_digest *d, struct tn_column *c)
{
	if (c->stored && !take_stored(d, c)) {
		tn_digest_forget(d, c);
		return false;
	}
	c->used = ++d->clock;
	return true;
}

struct tn_note
tn_column_note(const struct tn_column *c, size_t s, size_t packet)
{
	const struct tn_column_stream *stream = &c->stream[s];
	const uint8_t *p;
	uint64_t size;

	if (packet >= stream->n || !stream->at[packet])
		return (struct tn_note) { 0 };
	p = c->bytes.item + stream->at[packet] - 1;
	if (!tn_varint_get(&p, c->bytes.item + c->bytes.n, &size))
		return (struct tn_note) { 0 };
	return (struct tn_note) { p, (size_t)size - 1 };
}

void
tn_column_put(struct tn_digest *d, struct tn_column *c, size_t s, size_t packet, const uint8_t *bytes, size_t n)
{
	struct tn_column_stream *stream = &c->stream[s];
	struct tn_note before;

	if (c->bytes.n - c->stale + n > d->most || c->bytes.n + n + TN_VARINT_SIZE > UINT32_MAX || packet >= UINT32_MAX)
		return;
	before = tn_column_note(c, s, packet);
	if (before.bytes && before.n == n && (!n || memcmp(before.bytes, bytes, n) == 0))
		return;
	if (!TN_ARRAY_RESERVE(&c->bytes, c->bytes.n + n + TN_VARINT_SIZE) ||
	    (packet >= stream->room &&
	     !tn_array_reserve((void **)&stream->at, &stream->room, packet + 1, sizeof *stream->at)))
		return;
	for (; stream->n <= packet; stream->n++)
		stream->at[stream->n] = 0;
	c->stale += before.bytes ? before.n + 1 : 0;
	stream->at[packet] = (uint32_t)c->bytes.n + 1;
	c->bytes.n += tn_varint_put(c->bytes.item + c->bytes.n, (uint64_t)n + 1);
	if (n)
		memcpy(c->bytes.item + c->bytes.n, bytes, n);
	c->bytes.n += n;
	d->news = true;
}
