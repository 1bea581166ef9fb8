/*
 * keeping.h - an answer that is kept (digest/kept.h): its question as a text, and what it came to as words
 *
 * All that is written are words of 8 bytes, texts are padded to them. Types stand as numbers in a list that the asker
 * makes the same way each time. What is read is checked against its end; what is wrong makes `bad`, and there is no
 * answer then.
 *
 * What was damaged or lost is told while events are read, to who asked for notices. It is told again from what is kept;
 * of more than TN_KEEP_NOTICES no answer is kept.
 */
#ifndef TN_ANSWER_KEEPING_H
#define TN_ANSWER_KEEPING_H

#include <tnav/answer.h>

#include "base/array.h"
#include "base/str.h"
#include "digest/kept.h"

#define TN_KEEP_NOTICES 1000

struct tn_keeping {
	const struct tn_set *set;
	struct tn_str question;
	const struct tn_scan_options *asked;
	struct tn_scan_options options;	/* to ask with: notes what it tells */
	TN_ARRAY(struct tn_row) notice;	/* texts are owned */
	bool keeps;		/* it will be kept */
	struct tn_kept kept;
};

struct tn_types {
	TN_ARRAY(const struct tn_type *) type;
};

bool tn_types_add(struct tn_types *types, const struct tn_type *type);	/* NULL is left out; false: memory is out */

struct tn_keep_out {
	struct tn_str bytes;
	const struct tn_types *types;
	bool failed;		/* a type that is not in the list: the answer cannot be kept */
};

struct tn_keep_in {
	const uint64_t *at, *end;
	const struct tn_types *types;
	bool bad;
};

/*
 * The question: @kind with its number (base/meaning.h), the lines that the caller adds to `question` afterwards, the filter
 * and the range.
 */
void tn_keeping_init(struct tn_keeping *k, const struct tn_set *set, const char *kind, int meaning);
void tn_keeping_ask(struct tn_keeping *k, const struct tn_scan_options *options);
/* What is kept of it; false: nothing. Then `options` are to be asked with. */
bool tn_keeping_find(struct tn_keeping *k, struct tn_keep_in *in);
/* Tell the notices of what was found, when it is known that it is used. */
enum tn_code tn_keeping_tell(struct tn_keeping *k, struct tn_keep_in *in, struct tn_error *err);
/* Whether what was asked can be kept; *out is begun. */
bool tn_keeping_begin(struct tn_keeping *k, struct tn_keep_out *out);
void tn_keeping_put(struct tn_keeping *k, struct tn_keep_out *out);
void tn_keeping_release(struct tn_keeping *k);

void tn_keep_word(struct tn_keep_out *out, uint64_t word);
void tn_keep_bytes(struct tn_keep_out *out, const void *bytes, size_t n);	/* with their number */
void tn_keep_value(struct tn_keep_out *out, const struct tn_answer_value *value);
void tn_keep_location(struct tn_keep_out *out, const struct tn_location *at);

uint64_t tn_kept_word(struct tn_keep_in *in);
const void *tn_kept_bytes(struct tn_keep_in *in, size_t *n);	/* borrowed; NULL: bad */
struct tn_answer_value tn_kept_value(struct tn_keep_in *in);	/* text is borrowed */
struct tn_location tn_kept_location(struct tn_keep_in *in);
size_t tn_kept_count(struct tn_keep_in *in, size_t words);	/* of things that have at least so many words each */

#endif
