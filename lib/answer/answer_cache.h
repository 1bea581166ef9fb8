/*
 * answer_cache.h - a stored answer (digest/answer_file.h): its question as a text, and the answer as words
 *
 * All data are words of 8 bytes, and texts are padded to words. A type is stored as its number in a list that the caller
 * always makes in the same order. Reading checks the end of the data. A mistake sets `bad`, and the answer is then
 * ignored.
 *
 * Callers that asked for notices get reports of damage and losses while events are read. A stored answer reports them
 * again; an answer with more than TN_ANSWER_CACHE_NOTICES of them is not stored.
 */
#ifndef TN_ANSWER_ANSWER_CACHE_H
#define TN_ANSWER_ANSWER_CACHE_H

#include <tnav/answer.h>

#include "base/array.h"
#include "base/str.h"
#include "digest/answer_file.h"

#define TN_ANSWER_CACHE_NOTICES 1000

struct tn_answer_cache {
	const struct tn_set *set;
	struct tn_str question;
	const struct tn_scan_options *asked;
	struct tn_scan_options options;	/* options for the question, which also record the notices */
	TN_ARRAY(struct tn_row) notice;	/* owns the texts */
	bool keeps;		/* the answer will be stored */
	struct tn_answer_file kept;
	struct tn_answer_cache *second;	/* the second question, if the answer is about two sets; or NULL */
	struct tn_set both;	/* the traces of both sets */
};

struct tn_types {
	TN_ARRAY(const struct tn_type *) type;
};

bool tn_types_add(struct tn_types *types, const struct tn_type *type);	/* NULL as @type is ignored; false: memory is out */

struct tn_answer_out {
	struct tn_str bytes;
	const struct tn_types *types;
	bool failed;		/* a type is not in the list, so the answer cannot be stored */
};

struct tn_answer_in {
	const uint64_t *at, *end;
	const struct tn_types *types;
	bool bad;
};

/*
 * Begin the question: @kind with its number (base/meaning.h), then lines that the caller adds to `question`, then the
 * filter and the range.
 */
void tn_answer_cache_init(struct tn_answer_cache *k, const struct tn_set *set, const char *kind, int meaning);
void tn_answer_cache_ask(struct tn_answer_cache *k, const struct tn_scan_options *options);
/* Make @k a question about two sets, after the question about each set was made. False: memory is out. */
bool tn_answer_cache_join(struct tn_answer_cache *k, struct tn_answer_cache *second);
/* Find the stored answer. False: there is none; ask the question with `options`. */
bool tn_answer_cache_find(struct tn_answer_cache *k, struct tn_answer_in *in);
/* Report the notices of the answer that was found. Call this when it is certain that the answer will be used. */
enum tn_code tn_answer_cache_tell(struct tn_answer_cache *k, struct tn_answer_in *in, struct tn_error *err);
/* Whether the answer can be stored; *out is then ready for it. */
bool tn_answer_cache_begin(struct tn_answer_cache *k, struct tn_answer_out *out);
void tn_answer_cache_put(struct tn_answer_cache *k, struct tn_answer_out *out);
void tn_answer_cache_release(struct tn_answer_cache *k);

void tn_answer_put_word(struct tn_answer_out *out, uint64_t word);
void tn_answer_put_bytes(struct tn_answer_out *out, const void *bytes, size_t n);	/* writes the number of bytes first */
void tn_answer_put_value(struct tn_answer_out *out, const struct tn_answer_value *value);
void tn_answer_put_location(struct tn_answer_out *out, const struct tn_location *at);

uint64_t tn_answer_get_word(struct tn_answer_in *in);
const void *tn_answer_get_bytes(struct tn_answer_in *in, size_t *n);	/* borrowed; NULL: the data are bad */
struct tn_answer_value tn_answer_get_value(struct tn_answer_in *in);	/* the text is borrowed */
struct tn_location tn_answer_get_location(struct tn_answer_in *in);
size_t tn_answer_get_count(struct tn_answer_in *in, size_t words);	/* number of objects that each have at least @words words */

#endif
