/* Shared by the tests of CTF 1.8 metadata: text to a model, a model to text. */
#ifndef TEST_TSDL_MODEL_H
#define TEST_TSDL_MODEL_H

#include "base/str.h"
#include "ctf/tsdl.h"
#include "model/decoder.h"

struct tsdl_model {
	struct tn_trace trace;
	enum tn_code code;
	struct tn_error error;
	struct tn_str problems;	/* a line each */
	struct tn_str shown;
};

/* Build the model of @text, in which ' stands for ". Release it with tsdl_model_release(). */
void tsdl_model_build(struct tsdl_model *m, const char *text);
void tsdl_model_release(struct tsdl_model *m);

/*
 * A scope or field in short, valid until the next call:
 *
 *	u8 s32 f64 bits128	bits; `b` behind: big-endian; /N: alignment that is not the usual one; #16: base
 *	u8<A=0..1,2 B=3>	enumeration
 *	str str[4] str[@0]	string; its length; the slot of its length
 *	[4]T [@0]T		array, sequence
 *	{a:T b:T}/8		structure and its alignment
 *	?@0{a(0..1):T b():T}	variant, its slot, its options and what selects them
 *	a=0:T			the field has slot 0; -a: it is hidden; a!clock: it has a role
 *	@0&1			guarded by slot 1; ?%1: it stores guard 1; ?^1: it clears slot 1
 */
const char *tsdl_show(struct tsdl_model *m, const struct tn_field *field);

/* The whole model: a line for each entry of the environment, clock, scope, class. */
const char *tsdl_show_all(struct tsdl_model *m);

/* A text and what must come of it. */
struct tsdl_row {
	const char *text;
	const char *want;	/* the error; what begins with `{`: the first event's payload; else all of the model */
	const char *problems;	/* NULL: none */
};

void tsdl_check(const struct tsdl_row *row, size_t n);

#define TSDL_CHECK(rows) tsdl_check(rows, sizeof rows / sizeof *rows)

#define TRACE "trace { major = 1; minor = 8; byte_order = le; };\n"
/* Members of a payload: they begin on line 4. */
#define FIELDS(members) \
	TRACE "typealias integer { size = 8; } := u8;\n" \
	"event { name = e; fields := struct {\n" members "\n}; };\n"

#endif
