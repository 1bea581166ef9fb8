#include "columns/thrift.h"

static void
put_byte(struct tn_str *out, unsigned byte)
{
	char c = (char)byte;

	tn_str_put(out, &c, 1);
}

void
tn_put_varint(struct tn_str *out, uint64_t n)
{
	char text[10];
	size_t i = 0;

	for (; n >= 0x80; n >>= 7)
		text[i++] = (char)(n | 0x80);
	text[i++] = (char)n;
	tn_str_put(out, text, i);
}

void
tn_put_zigzag(struct tn_str *out, int64_t n)
{
	tn_put_varint(out, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

void
tn_thrift_bytes(struct tn_str *out, const void *bytes, size_t n)
{
	tn_put_varint(out, n);
	tn_str_put(out, bytes, n);
}

void
tn_thrift_field(struct tn_thrift *t, unsigned id, enum tn_thrift_type type)
{
	if (id > t->last && id - t->last <= 15) {
		put_byte(t->out, (id - t->last) << 4 | type);
	} else {
		put_byte(t->out, type);
		tn_put_zigzag(t->out, id);
	}
	t->last = id;
}

void
tn_thrift_put_i32(struct tn_thrift *t, unsigned id, int32_t n)
{
	tn_thrift_field(t, id, TN_THRIFT_I32);
	tn_put_zigzag(t->out, n);
}

void
tn_thrift_put_i64(struct tn_thrift *t, unsigned id, int64_t n)
{
	tn_thrift_field(t, id, TN_THRIFT_I64);
	tn_put_zigzag(t->out, n);
}

void
tn_thrift_put_bool(struct tn_thrift *t, unsigned id, bool b)
{
	tn_thrift_field(t, id, b ? TN_THRIFT_TRUE : TN_THRIFT_FALSE);
}

void
tn_thrift_put_bytes(struct tn_thrift *t, unsigned id, const void *bytes, size_t n)
{
	tn_thrift_field(t, id, TN_THRIFT_BYTES);
	tn_thrift_bytes(t->out, bytes, n);
}

void
tn_thrift_put_list(struct tn_thrift *t, unsigned id, enum tn_thrift_type element, size_t n)
{
	tn_thrift_field(t, id, TN_THRIFT_LIST);
	put_byte(t->out, (n < 15 ? (unsigned)n << 4 : 0xf0) | element);
	if (n >= 15)
		tn_put_varint(t->out, n);
}

struct tn_thrift
tn_thrift_begin(struct tn_thrift *t, unsigned id)
{
	tn_thrift_field(t, id, TN_THRIFT_STRUCT);
	return (struct tn_thrift) { .out = t->out };
}

void
tn_thrift_end(struct tn_thrift *t)
{
	put_byte(t->out, 0);
}

void
tn_thrift_put_empty(struct tn_thrift *t, unsigned id)
{
	struct tn_thrift inside = tn_thrift_begin(t, id);

	tn_thrift_end(&inside);
}
