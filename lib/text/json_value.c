/*
 * json_value.c - values as JSON (RFC 8259)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistr.h>

#include "model/labels.h"
#include "text/json_value.h"

/* Write the escape of one character; returns the number of bytes read. */
static size_t
put_odd(char **at, const uint8_t *bytes, size_t n)
{
	static const char hex[] = "0123456789abcdef";
	char *p = *at;
	ucs4_t c;
	int k = 1;

	if (*bytes == '"' || *bytes == '\\') {
		p[0] = '\\';
		p[1] = (char)*bytes;
		*at = p + 2;
	} else if (*bytes < 0x80) {
		memcpy(p, "\\u00", 4);
		p[4] = hex[*bytes >> 4];
		p[5] = hex[*bytes & 15];
		*at = p + 6;
	} else if ((k = u8_mbtoucr(&c, bytes, n)) > 0) {
		memcpy(p, bytes, (size_t)k);
		*at = p + k;
	} else {
		memcpy(p, "\\ufffd", 6);
		*at = p + 6;
		k = 1;
	}
	return (size_t)k;
}

void
tn_json_string(struct tn_str *out, const uint8_t *bytes, size_t n)
{
	const uint8_t *end = bytes + n;

	tn_str_put_text(out, "\"");
	while (bytes < end) {
		size_t plain = 0;
		char *p;

		while (bytes + plain < end && bytes[plain] >= 0x20 && bytes[plain] < 0x7f &&
		       bytes[plain] != '"' && bytes[plain] != '\\')
			plain++;
		tn_str_put(out, bytes, plain);
		bytes += plain;
		if (bytes == end || !tn_str_reserve(out, 8))
			break;
		p = out->text + out->n;
		bytes += put_odd(&p, bytes, (size_t)(end - bytes));
		out->n = (size_t)(p - out->text);
	}
	tn_str_put_text(out, "\"");
}

#if defined(__SSE2__)
#include <emmintrin.h>

size_t
tn_json_put_some(char *p, const uint8_t *bytes, size_t n, size_t most, char **end)
{
	size_t at = 0;

	most = most < n ? most : n;
	while (at < most) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
		/* The comparison is signed, so it is also true for bytes from 0x80 on. */
		__m128i odd = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));
		size_t some = most - at < 16 ? most - at : 16;
		unsigned mask;

		odd = _mm_or_si128(odd, _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
						     _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
		mask = (unsigned)_mm_movemask_epi8(odd) & ((1u << some) - 1);
		_mm_storeu_si128((__m128i *)(void *)p, v);
		if (mask)
			some = (size_t)__builtin_ctz(mask);
		p += some;
		at += some;
		if (mask)
			at += put_odd(&p, bytes + at, n - at);
	}
	*end = p;
	return at;
}
#else
size_t
tn_json_put_some(char *p, const uint8_t *bytes, size_t n, size_t most, char **end)
{
	size_t at = 0;

	while (at < n && at < most) {
		if (bytes[at] >= 0x20 && bytes[at] < 0x7f && bytes[at] != '"' && bytes[at] != '\\')
			*p++ = (char)bytes[at++];
		else
			at += put_odd(&p, bytes + at, n - at);
	}
	*end = p;
	return at;
}
#endif

void
tn_json_utf8(struct tn_str *out, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		const uint8_t *broken = u8_check(bytes, n);
		size_t whole = broken ? (size_t)(broken - bytes) : n;

		tn_str_put(out, bytes, whole);
		if (!broken)
			break;
		tn_str_put_text(out, "\xef\xbf\xbd");
		bytes += whole + 1;
		n -= whole + 1;
	}
}

size_t
tn_json_string_size(const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;

	/* In a text without a given length, a NUL is the end, as in lines of text (vartrace). */
	if (t->encoding == TN_ENCODING_NONE && t->extent == TN_EXTENT_DYNAMIC)
		return (size_t)v->size;
	return v->size ? strnlen((const char *)v->bytes, (size_t)v->size) : 0;
}

void
tn_json_blob(struct tn_str *out, const uint8_t *bytes, uint64_t n)
{
	static const char hex[] = "0123456789abcdef";

	for (uint64_t i = 0; i < n;) {
		uint64_t end = n - i < TN_PUT_PIECE ? n : i + TN_PUT_PIECE;
		char *p;

		if (!tn_str_reserve(out, 2 * TN_PUT_PIECE))
			return;
		p = out->text + out->n;
		for (; i < end; i++) {
			*p++ = hex[bytes[i] >> 4];
			*p++ = hex[bytes[i] & 15];
		}
		out->n = (size_t)(p - out->text);
	}
}

char *
tn_json_put_finite(char *p, double d, bool single)
{
	char text[40];

	if (tn_put_shortest(&p, d, single))
		return p;
	for (int digits = single ? 6 : 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, d);
		if (single ? strtof(text, NULL) == (float)d : strtod(text, NULL) == d)
			break;
	}
	for (const char *from = text; *from; from++)	/* the decimal point depends on the locale */
		*p++ = strchr("0123456789+-e", *from) ? *from : '.';
	return p;
}

static void
put_finite(struct tn_str *out, double d, bool single)
{
	if (tn_str_reserve(out, TN_PUT_DOUBLE))
		out->n = (size_t)(tn_json_put_finite(out->text + out->n, d, single) - out->text);
}

/* Whether JSON needs quotes around the value. */
static bool
is_quoted(const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;

	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP: return t->length > 64 || (t->varint && v->option);
	case TN_KIND_FLOAT: return t->length > 64 || !isfinite(v->f);
	case TN_KIND_BLOB:
	case TN_KIND_STRING: return true;
	default: return false;
	}
}

void
tn_json_scalar(struct tn_str *out, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;

	if (t->kind == TN_KIND_BOOL)
		tn_str_put_text(out, v->u ? "true" : "false");
	else if (t->kind == TN_KIND_BLOB)
		tn_json_blob(out, v->bytes, v->size);
	else if (t->varint && v->option)
		tn_str_put_text(out, "too large");
	else if (t->length > 64)
		tn_put_wide(out, v->bytes, 0, t);
	else if (t->kind == TN_KIND_FLOAT && isfinite(v->f))
		put_finite(out, v->f, t->length == 32);
	else if (t->kind == TN_KIND_FLOAT)
		tn_str_put_text(out, isnan(v->f) ? "nan" : v->f > 0 ? "inf" : "-inf");
	else if (tn_str_reserve(out, TN_PUT_INTEGER)) {
		char *p = out->text + out->n;

		out->n = (size_t)((t->kind == TN_KIND_SINT ? tn_put_i64(p, v->i) : tn_put_u64(p, v->u)) - out->text);
	}
}

bool
tn_json_has_labels(const struct tn_type *t)
{
	return t->length <= 64 && ((t->mapping && (t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT)) ||
				   t->kind == TN_KIND_BITMAP);
}

void
tn_json_labels(struct tn_str *out, const struct tn_value *v, tn_json_label_fn *put, const char *between)
{
	const struct tn_type *t = v->field->type;
	struct tn_label_list list;
	const struct tn_mapping *m;
	bool some = false;

	if (t->varint && v->option)
		return;
	for (tn_labels_begin(&list, t, v->u); (m = tn_labels_next(&list)); ) {
		tn_str_put_text(out, some ? between : "");
		put(out, (const uint8_t *)m->label, strlen(m->label));
		some = true;
	}
}

static void
put_leaf(struct tn_str *out, const struct tn_value *v)
{
	bool quoted = is_quoted(v);

	if (v->field->type->kind == TN_KIND_STRING) {
		tn_json_string(out, v->bytes, tn_json_string_size(v));
		return;
	}
	tn_str_put_text(out, quoted ? "\"" : "");
	tn_json_scalar(out, v);
	tn_str_put_text(out, quoted ? "\"" : "");
}

bool
tn_json_members(struct tn_str *out, const struct tn_value *v, bool some)
{
	const struct tn_value *at = v + 1;

	for (uint64_t i = 0; i < v->n; i++, at += at->next) {
		if (at->field->hidden)
			continue;
		tn_str_put_text(out, some ? "," : "");
		some = true;
		tn_json_string(out, (const uint8_t *)at->field->label, strlen(at->field->label));
		tn_str_put_text(out, ":");
		tn_json_value(out, at);
	}
	return some;
}

void
tn_json_value(struct tn_str *out, const struct tn_value *v)
{
	const struct tn_value *at = v + 1;

	switch (v->field->type->kind) {
	case TN_KIND_STRUCT:
		tn_str_put_text(out, "{");
		tn_json_members(out, v, false);
		tn_str_put_text(out, "}");
		return;
	case TN_KIND_ARRAY:
		tn_str_put_text(out, "[");
		for (uint64_t i = 0; i < v->n && !out->failed; i++, at += at->next) {
			tn_str_put_text(out, i ? "," : "");
			tn_json_value(out, at);
		}
		tn_str_put_text(out, "]");
		return;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		if (v->n)
			tn_json_value(out, at);
		else
			tn_str_put_text(out, "null");
		return;
	default:
		break;
	}
	if (!tn_json_has_labels(v->field->type)) {
		put_leaf(out, v);
		return;
	}
	tn_str_put_text(out, "{\"value\":");
	put_leaf(out, v);
	tn_str_put_text(out, ",\"labels\":[");
	tn_json_labels(out, v, tn_json_string, ",");
	tn_str_put_text(out, "]}");
}
