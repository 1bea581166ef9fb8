#include "digest/counts.h"

#include "base/array.h"

bool
tn_counts_write(struct tn_note_bytes *out, const uint32_t *class, size_t n, const uint32_t *count)
{
	uint64_t total = 0;
	uint32_t next = 0;

	if (!TN_ARRAY_RESERVE(out, out->n + (1 + 2 * n) * TN_VARINT_SIZE))
		return false;
	for (size_t i = 0; i < n; i++)
		total += count[class[i]];
	out->n += tn_varint_put(out->item + out->n, total);
	for (size_t i = 0; i < n; i++) {
		if (!count[class[i]])
			continue;
		out->n += tn_varint_put(out->item + out->n, class[i] - next);
		out->n += tn_varint_put(out->item + out->n, count[class[i]]);
		next = class[i] + 1;
	}
	return true;
}

bool
tn_counts_begin(struct tn_counts *c, struct tn_note note)
{
	*c = (struct tn_counts) { .at = note.bytes, .end = note.bytes + note.n };
	if (!note.bytes || !tn_varint_get(&c->at, c->end, &c->total))
		return false;
	c->left = c->total;
	return true;
}

bool
tn_counts_next(struct tn_counts *c, size_t n_classes, uint32_t *class, uint64_t *events)
{
	uint64_t gap;

	if (c->bad || c->at == c->end)
		return false;
	c->bad = !tn_varint_get(&c->at, c->end, &gap) || !tn_varint_get(&c->at, c->end, events) || gap >= n_classes ||
		 c->next + gap >= n_classes || *events > c->left;
	if (c->bad)
		return false;
	*class = (uint32_t)(c->next + gap);
	c->next += gap + 1;
	c->left -= *events;
	return true;
}
