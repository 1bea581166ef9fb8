#include "digest/tail.h"

#include <string.h>

void
tn_tail_put(struct tn_digest *d, size_t stream, size_t packet, const struct tn_tail *tail)
{
	struct tn_column *column = tn_digest_column(d, TN_COLUMN_TAILS, "", true);

	if (column && tn_column_use(d, column))
		tn_column_put(d, column, stream, packet, (const uint8_t *)tail, sizeof *tail);
}

bool
tn_tail_get(struct tn_tail *out, const struct tn_column *column, size_t stream, size_t packet)
{
	struct tn_note note = column ? tn_column_note(column, stream, packet) : (struct tn_note) { 0 };

	if (note.n != sizeof *out)
		return false;
	memcpy(out, note.bytes, sizeof *out);
	return true;
}
