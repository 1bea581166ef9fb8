/*
 * kinds.h - what the values can be that a name means, and whether they are values at all
 */
#ifndef TN_LANGUAGE_KINDS_H
#define TN_LANGUAGE_KINDS_H

#include "language/names.h"

enum {
	TN_IS_NUMBERS = 1, TN_IS_TEXTS = 2, TN_IS_LABELS = 4, TN_IS_TRUTHS = 8, TN_IS_COMPOUNDS = 16, TN_IS_ANYTHING = 32,
	TN_IS_WIDE = 64,		/* numbers of more than 64 bits, which have no value here */
	TN_IS_FLOATS = 128	/* beside NUMBERS */
};

/* All that they can be. */
unsigned tn_meaning_kinds(const struct tn_meaning *meaning);

/*
 * Whether values of the name can be compared at all: of structures, arrays and numbers of more than 64 bits none can.
 * TN_ERR_ARGUMENT says what to write instead.
 */
enum tn_code tn_meaning_has_value(const struct tn_meaning *meaning, struct tn_error *err) TN_MUST_CHECK;

/* The same where each event has to have one of them only: no `[*]`. */
enum tn_code tn_meaning_has_one_value(const struct tn_meaning *meaning, struct tn_error *err) TN_MUST_CHECK;

#endif
