/*
 * answer_file.h - whole answers, kept beside the index
 *
 * What a question over all of a set came to, as bytes that its asker makes and understands: one file an answer under
 * $XDG_CACHE_HOME/tnav. As the index it is only a shortcut: an answer is of the files and packets as they are now, was
 * written by this version of the program in the language of its messages, and what cannot be read, is damaged or belongs
 * to anything else is not there. Nothing is kept of traces that grow, are spooled or still unpacked, that are in memory, or
 * opened without a cache.
 *
 * A question is a text that says all that the answer depends on besides the traces: what is asked (a kind first, as
 * "slowest spans", with its number of base/meaning.h), filter and range (scan/question.h). All answers of a set
 * together are about one per cent of its traces at most: those not used for longest go.
 *
 * Threads	Any; a set that does not change meanwhile.
 */
#ifndef TN_DIGEST_ANSWER_FILE_H
#define TN_DIGEST_ANSWER_FILE_H

#include "base/mapfile.h"
#include "model/decoder.h"

/* An answer that was kept. */
struct tn_answer_file {
	const uint8_t *bytes;	/* aligned to 8; borrowed until release */
	size_t n;
	struct tn_map map;
};

/*
 * How many bytes an answer about the set may have; 0: none is kept of it. Some packets may not be known yet: an answer to
 * a question that looks at all events is kept when it is done.
 */
size_t tn_answer_file_room(const struct tn_set *set);
/*
 * The answer that was kept. False: there is none, or it cannot be known yet that it is of these packets. The sum over all
 * of it is right then, but that is no defence against who means it: whatever is in it is checked by who uses it.
 */
bool tn_answer_file_load(struct tn_answer_file *out, const struct tn_set *set, const char *question);
void tn_answer_file_release(struct tn_answer_file *kept);	/* zeroed is allowed */
/*
 * Keep it, in the place of an earlier one; whether that was tried. Whether it worked is nobody's concern. The answer has to be
 * of all packets as the index has them now.
 */
bool tn_answer_file_put(const struct tn_set *set, const char *question, const void *bytes, size_t n);

#endif
