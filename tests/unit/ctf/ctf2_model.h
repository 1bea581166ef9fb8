/* Shared by the tests of CTF 2 metadata: text to a model, a model to text. */
#ifndef TEST_CTF2_MODEL_H
#define TEST_CTF2_MODEL_H

#include "base/str.h"
#include "ctf/ctf2.h"
#include "model/decoder.h"

struct ctf2_model {
	struct tn_trace trace;
	enum tn_code code;
	struct tn_error error;
	struct tn_str problems;	/* a line each */
	struct tn_str room;	/* of ctf2_show() */
};

/*
 * Build the model of @text, in which ' stands for " and ^ for a record separator. Release it with
 * ctf2_model_release().
 */
void ctf2_model_build(struct ctf2_model *m, const char *text);
void ctf2_model_release(struct ctf2_model *m);

/* A scope or field as text; see the source. Valid until the next call. */
const char *ctf2_show(struct ctf2_model *m, const struct tn_field *field);

#endif
