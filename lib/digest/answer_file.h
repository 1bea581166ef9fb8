/*
 * answer_file.h - whole answers, stored beside the index
 *
 * An answer to a question over all of a set, as bytes that its caller encodes and decodes: one file an answer under
 * $XDG_CACHE_HOME/tnav. Like the index it is optional. An answer is valid only for the files and packets as they are now,
 * this version of the program and the language of its messages; an answer that cannot be read, is damaged or does not
 * match counts as missing. Nothing is stored for traces that grow, are spooled or still unpacked, that are in memory, or
 * opened without a cache.
 *
 * A question is a text with everything that the answer depends on besides the traces: its kind first (such as "slowest
 * spans", with its number of base/meaning.h), then filter and range (scan/question.h). All answers of a set
 * together take about one per cent of its traces at most: the least recently used are removed.
 *
 * Threads	Any; a set that does not change meanwhile.
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
 * The largest size of an answer for the set; 0: none is stored. Some packets may still be unknown: the answer
 * to a question that reads all events is stored when it is done.
 */
size_t tn_answer_file_room(const struct tn_set *set);
/*
 * Load a stored answer. False: no answer, or it is not yet certain that it is about these packets. The checksum
 * over all of it is right, but it does not stop an attacker: callers check all contents.
 */
bool tn_answer_file_load(struct tn_answer_file *out, const struct tn_set *set, const char *question);
void tn_answer_file_release(struct tn_answer_file *kept);	/* zeroed is allowed */
/*
 * Store an answer in place of an earlier one. Returns whether that was tried; failures are ignored. The answer
 * must be about all packets in the index as it is now.
 */
bool tn_answer_file_put(const struct tn_set *set, const char *question, const void *bytes, size_t n);

#endif
