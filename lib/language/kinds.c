#include "language/kinds.h"

#include "base/error.h"

static unsigned
kinds_of_type(const struct tn_type *t)
{
	unsigned kinds = 0;

	switch (t->kind) {
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		return TN_IS_TEXTS;
	case TN_KIND_BOOL:
		return TN_IS_TRUTHS;
	case TN_KIND_FLOAT:
		return t->length > 64 ? TN_IS_WIDE : TN_IS_NUMBERS | TN_IS_FLOATS;
	case TN_KIND_STRUCT:
	case TN_KIND_ARRAY:
		return TN_IS_COMPOUNDS;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		for (size_t i = 0; i < t->n_fields; i++)
			kinds |= kinds_of_type(t->field[i].type);
		return kinds;
	default:
		if (t->length > 64 && !t->varint)
			return TN_IS_WIDE;
		return TN_IS_NUMBERS | (t->mapping ? TN_IS_LABELS : 0);
	}
}

unsigned
tn_meaning_kinds(const struct tn_meaning *meaning)
{
	unsigned kinds = 0;

	switch (meaning->attribute) {
	case TN_ATTRIBUTE_NONE:
		for (size_t i = 0; i < meaning->n_targets; i++)
			kinds |= kinds_of_type(meaning->target[i].field->type);
		return kinds;
	case TN_ATTRIBUTE_NAME:
	case TN_ATTRIBUTE_TRACE:
	case TN_ATTRIBUTE_PROCESS:
	case TN_ATTRIBUTE_MARKER_PHASE:
	case TN_ATTRIBUTE_MARKER_NAME:
	case TN_ATTRIBUTE_MARKER_TRACK:
		return TN_IS_TEXTS;
	case TN_ATTRIBUTE_STREAM:
		return TN_IS_TEXTS | TN_IS_NUMBERS;
	case TN_ATTRIBUTE_EXTRA:
		return meaning->kind == TN_EXTRA_ANY ? TN_IS_ANYTHING :
		       meaning->kind == TN_EXTRA_TEXT ? TN_IS_TEXTS : TN_IS_NUMBERS;
	case TN_ATTRIBUTE_HOST:
		return TN_IS_ANYTHING;
	default:
		return TN_IS_NUMBERS | (meaning->has_texts ? TN_IS_TEXTS : 0);
	}
}

/* Fail, because the field, or the first option of a variant, is a structure or an array. */
static enum tn_code
fail_compound(const struct tn_meaning *meaning, struct tn_error *err)
{
	const struct tn_type *t = meaning->target[0].field->type;

	if (t->kind == TN_KIND_ARRAY)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s is an array: write [0] for one element, [*] for any "
						     "element", meaning->path);
	if (t->kind == TN_KIND_STRUCT && t->n_fields)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s is a structure: write a member, .%s%s%s", meaning->path,
			       t->field[0].label, t->n_fields > 1 ? ", ." : "", t->n_fields > 1 ? t->field[1].label : "");
	return tn_fail(err, TN_ERR_ARGUMENT, "%s is neither a number nor a text", meaning->path);
}

enum tn_code
tn_meaning_has_value(const struct tn_meaning *meaning, struct tn_error *err)
{
	unsigned kinds = tn_meaning_kinds(meaning);

	if (kinds == TN_IS_COMPOUNDS)
		return fail_compound(meaning, err);
	if (kinds == TN_IS_WIDE)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s has more than 64 bits and cannot be compared: use has(%s)",
			       meaning->path, meaning->path);
	return TN_OK;
}

enum tn_code
tn_meaning_has_one_value(const struct tn_meaning *meaning, struct tn_error *err)
{
	unsigned kinds = tn_meaning_kinds(meaning);

	if (meaning->has_any)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s has several values: write [0] for one element",
			       meaning->path);
	if (kinds == TN_IS_COMPOUNDS && meaning->target[0].field->type->kind == TN_KIND_ARRAY)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s is an array: write [0] for one element", meaning->path);
	if (kinds == TN_IS_WIDE)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s has more than 64 bits and cannot be used here", meaning->path);
	return tn_meaning_has_value(meaning, err);
}
