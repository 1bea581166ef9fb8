/* value.c - decoded values as text: text.md, 4; additions of CTF 2 as babeltrace 2.1 prints them */
#include <stdlib.h>

#include "model/labels.h"
#include "text/line.h"
#include "text/text.h"

static void
put_label(const struct tn_text *text, const char *label, struct tn_str *out)
{
	tn_put_words(out, &text->ink.value);
	tn_str_puts(out, "\"");
	tn_put_escaped(out, (const uint8_t *)label, strlen(label));
	tn_str_puts(out, "\"");
	tn_put_words(out, &text->ink.reset);
}

void
tn_put_labels(const struct tn_text *text, const struct tn_type *t, uint64_t v, struct tn_str *out)
{
	struct tn_label_list list;
	const struct tn_mapping *m;
	bool some = false;

	for (tn_labels_begin(&list, t, v); (m = tn_labels_next(&list)); ) {
		if (some)
			tn_str_puts(out, ", ");
		put_label(text, m->label, out);
		some = true;
	}
	if (!some) {
		tn_put_words(out, &text->ink.unknown);
		tn_str_puts(out, "<unknown>");
		tn_put_words(out, &text->ink.reset);
	}
}

/* The next flag after @last, by name, of the flags that are set in @v. Without a table the mappings are searched. */
static const char *
next_flag(const struct tn_type *t, uint64_t v, const char *last)
{
	const char *next = NULL;

	for (size_t i = 0; i < t->n_mappings; i++) {
		const struct tn_mapping *m = &t->mapping[i];

		if ((!last || strcmp(m->label, last) > 0) && (!next || strcmp(m->label, next) < 0) && tn_mapping_has(t, m, v))
			next = m->label;
	}
	return next;
}

/* Flags are in the order of their names, because babeltrace sorts the members of a JSON object. */
void
tn_put_flags(const struct tn_text *text, const struct tn_type *t, uint64_t v, struct tn_str *out)
{
	const struct tn_labels *labels = t->labels;
	const char *flag = NULL;
	bool some = false;

	for (size_t i = 0; v && (labels ? i < t->n_mappings : (flag = next_flag(t, v, flag)) != NULL); i++) {
		if (labels && !(labels->mask[labels->by_name[i]] & v))
			continue;
		tn_str_puts(out, some ? ", " : " { ");
		put_label(text, labels ? t->mapping[labels->by_name[i]].label : flag, out);
		some = true;
	}
	if (some)
		tn_str_puts(out, " }");
}

void
tn_put_blob(const uint8_t *bytes, uint64_t n, struct tn_str *out)
{
	static const char hex[] = "0123456789abcdef";
	char *p;

	tn_str_puts(out, "{");
	for (uint64_t i = 0; i < n;) {
		uint64_t end = n - i < TN_PUT_PIECE ? n : i + TN_PUT_PIECE;

		if (!tn_str_reserve(out, 3 * TN_PUT_PIECE))
			return;
		p = out->text + out->n;
		for (; i < end; i++) {
			*p++ = ' ';
			*p++ = hex[bytes[i] >> 4];
			*p++ = hex[bytes[i] & 15];
		}
		out->n = (size_t)(p - out->text);
	}
	tn_str_puts(out, " }");
}

static void
put_number(const struct tn_text *text, const struct tn_value *v, struct tn_str *out)
{
	const struct tn_type *t = v->field->type;

	tn_put_words(out, &text->ink.value);
	if (t->length > 64)
		tn_put_wide(out, v->bytes, 0, t);
	else if (tn_str_reserve(out, TN_PUT_INTEGER))
		out->n = (size_t)(tn_put_integer(out->text + out->n, t, v->u) - out->text);
	tn_put_words(out, &text->ink.reset);
}

static void
put_bits(const struct tn_text *text, const struct tn_value *v, struct tn_str *out)
{
	const struct tn_type *t = v->field->type;

	tn_put_words(out, &text->ink.value);
	if (t->length > 64) {
		tn_put_wide(out, v->bytes, 0, t);
	} else if (tn_str_reserve(out, TN_PUT_INTEGER)) {
		tn_str_puts(out, "0x");
		out->n = (size_t)(tn_put_hex(out->text + out->n, v->u) - out->text);
	}
	tn_put_words(out, &text->ink.reset);
	if (t->kind == TN_KIND_BITMAP && t->length <= 64)
		tn_put_flags(text, t, v->u, out);
}

static void
put_float(const struct tn_text *text, const struct tn_value *v, struct tn_str *out)
{
	const struct tn_type *t = v->field->type;

	if (t->length > 64) {
		put_bits(text, v, out);
		return;
	}
	tn_put_words(out, &text->ink.value);
	if (tn_str_reserve(out, TN_PUT_DOUBLE))
		out->n = (size_t)(tn_put_double(out->text + out->n, v->f) - out->text);
	tn_put_words(out, &text->ink.reset);
}

static void
put_struct(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out)
{
	const struct tn_value *at = v + 1;
	bool some = false;

	tn_str_puts(out, "{");
	for (uint64_t i = 0; i < v->n; i++, at += at->next) {
		if (at->field->hidden)
			continue;
		tn_str_puts(out, some ? ", " : " ");
		some = true;
		if (names) {
			tn_put_words(out, &text->ink.name);
			tn_put_name(text, at->field->label, out);
			tn_put_words(out, &text->ink.reset);
			tn_str_puts(out, " = ");
		}
		tn_put_value(text, at, names, out);
	}
	tn_str_puts(out, " }");
}

static void
put_array(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out)
{
	const struct tn_value *at = v + 1;

	tn_str_puts(out, "[");
	for (uint64_t i = 0; i < v->n && !out->failed; i++, at += at->next) {
		tn_str_puts(out, i ? ", " : " ");
		if (names && tn_str_reserve(out, 32)) {
			char *p = out->text + out->n;

			*p++ = '[';
			p = tn_put_u64(p, i);
			memcpy(p, "] = ", 4);
			out->n = (size_t)(p + 4 - out->text);
		}
		tn_put_value(text, at, names, out);
	}
	tn_str_puts(out, " ]");
}

/* The name of the option is never shown. */
static void
put_inside(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out)
{
	if (!v->n) {
		tn_str_puts(out, v->field->type->kind == TN_KIND_OPTIONAL ? "<none>" : "{ }");
		return;
	}
	tn_str_puts(out, "{ ");
	tn_put_value(text, v + 1, names, out);
	tn_str_puts(out, " }");
}

/* In text without an encoding, of a given length (vartrace), a NUL is a byte like others. */
static void
put_bytes(struct tn_str *out, const uint8_t *bytes, size_t n)
{
	for (;;) {
		const uint8_t *nul = n ? memchr(bytes, 0, n) : NULL;
		size_t before = nul ? (size_t)(nul - bytes) : n;

		tn_put_escaped(out, bytes, before);
		if (!nul)
			return;
		tn_str_puts(out, "\\x00");
		bytes += before + 1;
		n -= before + 1;
	}
}

void
tn_put_value(const struct tn_text *text, const struct tn_value *v, bool names, struct tn_str *out)
{
	const struct tn_type *t = v->field->type;

	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
		if (t->varint && v->option) {
			tn_str_puts(out, t->mapping ? "( " : "");
			tn_put_words(out, &text->ink.unknown);
			tn_str_puts(out, "<too large>");
			tn_put_words(out, &text->ink.reset);
			tn_str_puts(out, t->mapping ? " )" : "");
			return;
		}
		if (!t->mapping || t->length > 64) {
			put_number(text, v, out);
			return;
		}
		tn_str_puts(out, "( ");
		tn_put_labels(text, t, v->u, out);
		tn_str_puts(out, " : container = ");
		put_number(text, v, out);
		tn_str_puts(out, " )");
		return;
	case TN_KIND_BOOL:
		tn_put_words(out, &text->ink.value);
		tn_str_puts(out, v->u ? "true" : "false");
		tn_put_words(out, &text->ink.reset);
		return;
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
		put_bits(text, v, out);
		return;
	case TN_KIND_FLOAT:
		put_float(text, v, out);
		return;
	case TN_KIND_STRING:
		tn_put_words(out, &text->ink.value);
		tn_str_puts(out, "\"");
		if (t->encoding == TN_ENCODING_NONE && t->extent == TN_EXTENT_DYNAMIC)
			put_bytes(out, v->bytes, (size_t)v->size);
		else
			tn_put_escaped(out, v->bytes, (size_t)v->size);
		tn_str_puts(out, "\"");
		tn_put_words(out, &text->ink.reset);
		return;
	case TN_KIND_BLOB:
		tn_put_blob(v->bytes, v->size, out);
		return;
	case TN_KIND_STRUCT:
		put_struct(text, v, names, out);
		return;
	case TN_KIND_ARRAY:
		put_array(text, v, names, out);
		return;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		put_inside(text, v, names, out);
		return;
	}
}

void
tn_text_value(const struct tn_text *text, const struct tn_value *value, struct tn_str *out)
{
	if (!text || !value || !out)
		return;
	tn_put_value(text, value, text->options.names & TN_NAMES_PAYLOAD, out);
	tn_str_end(out);
}
