/*
 * tsdl_parser.h - TSDL tokens to a tree, by recursive descent (CTF 1.8.3, C.2 "Grammar")
 *
 * The grammar is the union of CTF 1.8 and of the KEDR dialect. Separating a type name from the declared name
 * needs no table of types: the last word is the declared name.
 */
#ifndef TN_CTF_TSDL_PARSER_H
#define TN_CTF_TSDL_PARSER_H

#include "ctf/tsdl_ast.h"

/* Read all of unit->text into blocks and declarations; false with the error raised. */
bool tn_tsdl_parse(struct tsdl_unit *u);

/*
 * tsdl_types.c: make a literal type from its attributes, after checks. Attributes are a list of entries; NULL
 * with the error raised.
 */
struct tsdl_type *tn_tsdl_integer(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);
struct tsdl_type *tn_tsdl_float(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);
struct tsdl_type *tn_tsdl_string(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);

/* An enumerator as written. */
struct tsdl_enumerator {
	struct tsdl_word *label;
	struct tsdl_place place;
	bool has_first, has_last;
	struct tsdl_value first, last;
};

/* Set the mappings of @type, whose container is set. */
bool tn_tsdl_enumerate(struct tsdl_unit *u, struct tsdl_type *type, const struct tsdl_enumerator *item, size_t n);

/* An alignment: a power of two. */
bool tn_tsdl_alignment(struct tsdl_unit *u, const struct tsdl_value *value, uint64_t *out);

#endif
