#include <math.h>
#include <string.h>

#include <tnav/answer.h>

#include "base/error.h"
#include "model/decoder.h"
#include "text/json_value.h"
#include "text/put.h"

/* Whether the number fits the type. A value can come from a class in which its field has another type. */
static bool
is_of_type(const struct tn_answer_value *v, const struct tn_type *t)
{
	unsigned bits = t->length < 64 ? (unsigned)t->length : 64;

	if (v->kind == TN_ANSWER_FLOAT)
		return t->kind == TN_KIND_FLOAT;
	if (t->kind == TN_KIND_BOOL)
		return v->kind == TN_ANSWER_UINT && v->is.u <= 1;
	if (v->kind == TN_ANSWER_SINT)
		return t->kind == TN_KIND_SINT && (t->varint || bits == 64 || v->is.i >= -(INT64_C(1) << (bits - 1)));
	bits -= t->kind == TN_KIND_SINT;
	return t->varint ? t->kind != TN_KIND_SINT || v->is.u <= INT64_MAX : bits == 64 || v->is.u >> bits == 0;
}

/* Make a value of a field with the type. */
static struct tn_value
as_value(const struct tn_answer_value *v, struct tn_field *field, struct tn_type *type)
{
	*type = (struct tn_type) {
		.kind = v->kind == TN_ANSWER_FLOAT ? TN_KIND_FLOAT : v->kind == TN_ANSWER_SINT ? TN_KIND_SINT : TN_KIND_UINT,
		.length = 64,
	};
	*field = (struct tn_field) { .type = v->type && is_of_type(v, v->type) ? (struct tn_type *)v->type : type };
	return (struct tn_value) { .field = field, .u = v->is.u };
}

void
tn_answer_value_json(const struct tn_answer_value *v, struct tn_str *out)
{
	struct tn_field field;
	struct tn_type type;
	struct tn_value value;

	if (!v || !out)
		return;
	if (v->kind == TN_ANSWER_NONE) {
		tn_str_puts(out, "null");
	} else if (v->kind == TN_ANSWER_TEXT) {
		tn_json_string(out, (const uint8_t *)v->text, v->n);
	} else {
		value = as_value(v, &field, &type);
		tn_json_value(out, &value);
	}
	tn_str_end(out);
}

/* Whether the base is 16, 8 or 2, as in lines of events. */
static bool
is_of_base(const struct tn_type *t)
{
	return (t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT) && t->base && t->base != 10 && t->length <= 64;
}

/* Whether another number has the same label. */
static bool
shares_label(const struct tn_answer_value *v, const struct tn_type *t)
{
	const struct tn_mapping *own = NULL;

	if (t->kind != TN_KIND_UINT && t->kind != TN_KIND_SINT)
		return false;
	for (size_t i = 0; i < t->n_mappings && !own; i++)
		if (tn_mapping_has(t, &t->mapping[i], v->is.u))
			own = &t->mapping[i];
	if (!own)
		return false;
	for (size_t i = 0; i < t->n_mappings; i++)
		for (size_t k = 0; strcmp(t->mapping[i].label, own->label) == 0 && k < t->mapping[i].n_ranges; k++)
			if (t->mapping[i].range[k].lower != v->is.u || t->mapping[i].range[k].upper != v->is.u)
				return true;
	return false;
}

void
tn_answer_value_text(const struct tn_answer_value *v, struct tn_str *out)
{
	struct tn_field field;
	struct tn_type type;
	struct tn_value value;
	size_t n;

	if (!v || !out)
		return;
	n = out->n;
	if (v->kind == TN_ANSWER_TEXT) {
		tn_str_add(out, v->text, v->n);
	} else if (v->kind != TN_ANSWER_NONE) {
		value = as_value(v, &field, &type);
		if (tn_json_has_labels(value.field->type))
			tn_json_labels(out, &value, tn_json_utf8, "|");
		if (out->n > n && shares_label(v, value.field->type)) {
			tn_str_puts(out, " (");
			tn_json_scalar(out, &value);
			tn_str_puts(out, ")");
		}
		if (out->n == n && is_of_base(value.field->type) && tn_str_reserve(out, TN_PUT_INTEGER))
			out->n = (size_t)(tn_put_integer(out->text + n, value.field->type, v->is.u) - out->text);
		else if (out->n == n)
			tn_json_scalar(out, &value);
	}
	tn_str_end(out);
}

void
tn_answer_json_string(const char *bytes, size_t n, struct tn_str *out)
{
	if (!out)
		return;
	tn_json_string(out, (const uint8_t *)bytes, bytes ? n : 0);
	tn_str_end(out);
}

/* ---- order ---- */

static double
number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_SINT ? (double)v->is.i : (double)v->is.u;
}

static int
compare_numbers(const struct tn_answer_value *a, const struct tn_answer_value *b)
{
	double x, y;

	if (a->kind == TN_ANSWER_UINT && b->kind == TN_ANSWER_UINT)
		return a->is.u < b->is.u ? -1 : a->is.u > b->is.u;
	if (a->kind == TN_ANSWER_SINT && b->kind == TN_ANSWER_SINT)
		return a->is.i < b->is.i ? -1 : a->is.i > b->is.i;
	x = number(a);
	y = number(b);
	if (isnan(x) || isnan(y))
		return isnan(y) - isnan(x);
	return x < y ? -1 : x > y;
}

/* The order is: NONE, numbers, texts. */
static int
rank(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_NONE ? 0 : v->kind == TN_ANSWER_TEXT ? 2 : 1;
}

int
tn_answer_value_compare(const struct tn_answer_value *a, const struct tn_answer_value *b)
{
	int order;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	if (a->kind == TN_ANSWER_NONE)
		return 0;
	if (a->kind != TN_ANSWER_TEXT)
		return compare_numbers(a, b);
	order = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);
	return order ? order : a->n < b->n ? -1 : a->n > b->n;
}
