/* kinds.h - the possible kinds of a name's values, and whether the name has values */
#ifndef TN_LANGUAGE_KINDS_H
#define TN_LANGUAGE_KINDS_H

#include "language/names.h"

enum {
	TN_IS_NUMBERS = 1, TN_IS_TEXTS = 2, TN_IS_LABELS = 4, TN_IS_TRUTHS = 8, TN_IS_COMPOUNDS = 16, TN_IS_ANYTHING = 32,
	TN_IS_WIDE = 64,		/* numbers of more than 64 bits, which the language cannot compare */
	TN_IS_FLOATS = 128	/* set in addition to NUMBERS */
};

/* All kinds that values of the name can have. */
unsigned tn_meaning_kinds(const struct tn_meaning *meaning);

/*
 * Whether values of the name can be compared: not those of structures, arrays and numbers of more than 64 bits.
 * TN_ERR_ARGUMENT: the text proposes another name.
 */
enum tn_code tn_meaning_has_value(const struct tn_meaning *meaning, struct tn_error *err) TN_MUST_CHECK;

/* Like tn_meaning_has_value(), if each event must have only one value, so that `[*]` is an error. */
enum tn_code tn_meaning_has_one_value(const struct tn_meaning *meaning, struct tn_error *err) TN_MUST_CHECK;

#endif
