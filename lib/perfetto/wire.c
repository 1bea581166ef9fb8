#include "perfetto/wire.h"

#include <inttypes.h>

#define MOST_TEXT 4096		/* limit of a message that is written as text, in bytes */
#define MOST_DEPTH 6

uint64_t
tn_pf_long_varint(struct tn_pf_in *in)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 70 && in->p < in->end; shift += 7) {
		uint8_t byte = *in->p++;

		v |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		if (byte < 0x80)
			return v;
	}
	in->bad = true;
	return 0;
}

void
tn_pf_skip_group(struct tn_pf_in *in)
{
	uint64_t depth = 1, n;

	while (depth && !in->bad) {
		uint64_t key = tn_pf_varint(in);

		switch (key & 7) {
		case TN_PF_VARINT: tn_pf_varint(in); break;
		case TN_PF_GROUP: depth++; break;
		case TN_PF_GROUP_END: depth--; break;
		case TN_PF_FIXED64: case TN_PF_FIXED32: case TN_PF_BYTES:
			n = (key & 7) == TN_PF_BYTES ? tn_pf_varint(in) : (key & 7) == TN_PF_FIXED64 ? 8 : 4;
			in->bad |= n > (uint64_t)(in->end - in->p);
			in->p += in->bad ? 0 : n;
			break;
		default: in->bad = true;
		}
	}
}

/* Whether the bytes look like text; such a message is shown as text. */
static bool
is_text(struct tn_pf_bytes b)
{
	for (uint64_t i = 0; i < b.n; i++)
		if ((b.p[i] < 0x20 && b.p[i] != '\n' && b.p[i] != '\t') || b.p[i] == 0x7f)
			return false;
	return true;
}

static bool
is_message(struct tn_pf_bytes b)
{
	struct tn_pf_in in = tn_pf_in(b);
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f))
		;
	return b.n && !in.bad;
}

static void
put_message(struct tn_str *out, struct tn_pf_bytes message, unsigned depth)
{
	struct tn_pf_in in = tn_pf_in(message);
	struct tn_pf_field f;
	bool first = true;

	while (tn_pf_next(&in, &f)) {
		if (out->n > MOST_TEXT) {
			tn_str_puts(out, "...");
			return;
		}
		tn_str_printf(out, "%s%" PRIu64 ": ", first ? "" : ", ", f.number);
		first = false;
		if (f.wire != TN_PF_BYTES) {
			tn_str_printf(out, "%" PRIu64, f.value);
		} else if (f.bytes.n > MOST_TEXT) {
			tn_str_printf(out, "(%" PRIu64 " bytes)", f.bytes.n);
		} else if (is_text(f.bytes)) {
			tn_str_puts(out, "\"");
			tn_str_add(out, f.bytes.p, f.bytes.n);
			tn_str_puts(out, "\"");
		} else if (depth < MOST_DEPTH && is_message(f.bytes)) {
			tn_str_puts(out, "{");
			put_message(out, f.bytes, depth + 1);
			tn_str_puts(out, "}");
		} else {
			tn_str_printf(out, "(%" PRIu64 " bytes)", f.bytes.n);
		}
	}
}

void
tn_pf_text(struct tn_str *out, struct tn_pf_bytes message)
{
	if (is_message(message))
		put_message(out, message, 0);
	else if (message.n)
		tn_str_printf(out, "(%" PRIu64 " bytes)", message.n);
}
