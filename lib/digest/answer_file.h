/*
 * answer_file.h - whole answers, stored with the index
 *
 * An answer to a question over a whole set, as bytes that its caller encodes and decodes. Each answer is a file in
 * $XDG_CACHE_HOME/tnav. Like the index, it is optional. An answer is valid only for the current files and packets, for
 * this version of the program and for the language of its messages. An answer that cannot be read, is damaged or does not
 * match counts as missing. Nothing is stored for traces that grow, are spooled or still unpacked, that are in memory, or
 * that were opened without a cache.
 *
 * A question is a text with everything, apart from the traces, on which the answer depends: first its kind (such as
 * "slowest spans", with its number of base/meaning.h), then filter and range (scan/question.h). The answers of a set
 * together take at most about one per cent of the size of its traces: the least recently used are removed.
 *
 * Threads Any; the set must not change meanwhile.
 */
#ifndef TN_DIGEST_ANSWER_FILE_H
#define TN_DIGEST_ANSWER_FILE_H

#include "base/mapfile.h"
#include "model/decoder.h"

/* A stored answer. */
struct tn_answer_file {
	const uint8_t *bytes;	/* aligned to 8; borrowed until release */
	size_t n;
	struct tn_map map;
};

/*
 * The largest size of an answer for the set; 0: no answers are stored. Some packets may still be unknown: the answer to a
 * question that reads all events is stored when it is done.
 */
size_t tn_answer_file_room(const struct tn_set *set);
/*
 * Load a stored answer. False: there is none, or it is not certain yet that it is about these packets. The checksum of
 * the file is right, but does not protect against an attack, so callers must check all contents.
 */
bool tn_answer_file_load(struct tn_answer_file *out, const struct tn_set *set, const char *question);
void tn_answer_file_release(struct tn_answer_file *kept);	/* a zeroed one is allowed */
/*
 * Store an answer in place of an earlier one. Returns whether this was tried; failures are ignored. The answer must be
 * about all packets that the index has now.
 */
bool tn_answer_file_put(const struct tn_set *set, const char *question, const void *bytes, size_t n);

#endif
