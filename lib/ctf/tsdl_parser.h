/*
 * tsdl_parser.h - TSDL tokens to a tree, by recursive descent (CTF 1.8.3, C.2 "Grammar")
 *
 * The grammar is the union of CTF 1.8 and the KEDR dialect. No table of types is needed to separate a type name from the
 * declared name: the declared name is the last word.
 */
#ifndef TN_CTF_TSDL_PARSER_H
#define TN_CTF_TSDL_PARSER_H

#include "ctf/tsdl_ast.h"

/* Read the whole unit->text into blocks and declarations. False: the error is raised. */
bool tn_tsdl_parse(struct tsdl_unit *u);

/* tsdl_types.c: make a literal type from a list of attributes, after checks. NULL: the error is raised. */
struct tsdl_type *tn_tsdl_integer(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);
struct tsdl_type *tn_tsdl_float(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);
struct tsdl_type *tn_tsdl_string(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute);

/* An enumerator as in the text. */
struct tsdl_enumerator {
	struct tsdl_word *label;
	struct tsdl_place place;
	bool has_first, has_last;
	struct tsdl_value first, last;
};

/* Set the mappings of @type, whose container must be set. */
bool tn_tsdl_enumerate(struct tsdl_unit *u, struct tsdl_type *type, const struct tsdl_enumerator *item, size_t n);

/* Read an alignment, which must be a power of two. */
bool tn_tsdl_alignment(struct tsdl_unit *u, const struct tsdl_value *value, uint64_t *out);

#endif
