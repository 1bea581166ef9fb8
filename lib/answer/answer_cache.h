/*
 * answer_cache.h - an answer that is kept (digest/answer_file.h): its question as a text, and what it came to as words
 *
 * All that is written are words of 8 bytes, texts are padded to them. Types stand as numbers in a list that the asker
 * makes the same way each time. What is read is checked against its end; what is wrong makes `bad`, and there is no
 * answer then.
 *
 * What was damaged or lost is told while events are read, to who asked for notices. It is told again from what is kept;
 * of more than TN_ANSWER_CACHE_NOTICES no answer is kept.
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
	struct tn_scan_options options;	/* to ask with: notes what it tells */
	TN_ARRAY(struct tn_row) notice;	/* texts are owned */
	bool keeps;		/* it will be kept */
	struct tn_answer_file kept;
};

struct tn_types {
	TN_ARRAY(const struct tn_type *) type;
};

bool tn_types_add(struct tn_types *types, const struct tn_type *type);	/* NULL is left out; false: memory is out */

struct tn_answer_out {
	struct tn_str bytes;
	const struct tn_types *types;
	bool failed;		/* a type that is not in the list: the answer cannot be kept */
};

struct tn_answer_in {
	const uint64_t *at, *end;
	const struct tn_types *types;
	bool bad;
};

/*
 * The question: @kind with its number (base/meaning.h), the lines that the caller adds to `question` afterwards, the filter
 * and the range.
 */
void tn_answer_cache_init(struct tn_answer_cache *k, const struct tn_set *set, const char *kind, int meaning);
void tn_answer_cache_ask(struct tn_answer_cache *k, const struct tn_scan_options *options);
/* What is kept of it; false: nothing. Then `options` are to be asked with. */
bool tn_answer_cache_find(struct tn_answer_cache *k, struct tn_answer_in *in);
/* Tell the notices of what was found, when it is known that it is used. */
enum tn_code tn_answer_cache_tell(struct tn_answer_cache *k, struct tn_answer_in *in, struct tn_error *err);
/* Whether what was asked can be kept; *out is begun. */
bool tn_answer_cache_begin(struct tn_answer_cache *k, struct tn_answer_out *out);
void tn_answer_cache_put(struct tn_answer_cache *k, struct tn_answer_out *out);
void tn_answer_cache_release(struct tn_answer_cache *k);

void tn_answer_put_word(struct tn_answer_out *out, uint64_t word);
void tn_answer_put_bytes(struct tn_answer_out *out, const void *bytes, size_t n);	/* with their number */
void tn_answer_put_value(struct tn_answer_out *out, const struct tn_answer_value *value);
void tn_answer_put_location(struct tn_answer_out *out, const struct tn_location *at);

uint64_t tn_answer_get_word(struct tn_answer_in *in);
const void *tn_answer_get_bytes(struct tn_answer_in *in, size_t *n);	/* borrowed; NULL: bad */
struct tn_answer_value tn_answer_get_value(struct tn_answer_in *in);	/* text is borrowed */
struct tn_location tn_answer_get_location(struct tn_answer_in *in);
size_t tn_answer_get_count(struct tn_answer_in *in, size_t words);	/* of things that have at least so many words each */

#endif
