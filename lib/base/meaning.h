/*
 * meaning.h - numbers in the keys of what is stored, raised when the same bytes of a trace mean something else
 *
 * An index, a digest or an answer is believed by any later run of the program, so long as its key is the same. The key
 * has the version, but between two versions the code changes every day. Raise the number of a line when the code it
 * names gives another result for the same input, or stores the same result in another form. tests/lint/meanings.sh
 * notices changes of the code and asks.
 */
#ifndef TN_BASE_MEANING_H
#define TN_BASE_MEANING_H

#define TN_MEANING_CTF 3	/* events, packets, times and values of a CTF trace */
#define TN_MEANING_OVNI 1	/* the same of an ovni trace */
#define TN_MEANING_VARTRACE 1	/* the same of a vartrace dump */
#define TN_MEANING_TRACEDAT 2	/* the same of a trace.dat */
#define TN_MEANING_INDEX 4	/* the stored index: its layout, and the entries of packets */
#define TN_MEANING_DIGEST 6	/* the stored digest: its layout, and the notes in its columns */
#define TN_MEANING_QUESTION 4	/* a condition as a text, and which events and lines it matches */
#define TN_MEANING_ANSWER 2	/* the layout of a kept answer, values, notices */
#define TN_MEANING_SPANS 7	/* what spans are, and the slowest of them */
#define TN_MEANING_GROUPS 6	/* groups of spans, and their columns */
#define TN_MEANING_LANES 4	/* what was gathered of lanes */
#define TN_MEANING_ARCHIVE 1	/* the list of what was unpacked of an archive */

/* The first word of a stored file: eight bytes, of which the number is one. It also tells another byte order. */
#define TN_MEANING_MAGIC(kind, number) \
	(UINT64_C(0x00786469766e7400) + ((uint64_t)(kind) << 32) + ((uint64_t)(number) << 56))

#endif
