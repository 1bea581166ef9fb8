/*
 * meaning.h - numbers in the keys of stored files, raised when the same bytes of a trace get another meaning
 *
 * Later runs of the program use a stored index, digest or answer if its key is the same. The key includes the
 * version, but the code also changes between versions. Raise the number of a line if its code gives another result
 * for the same input, or stores the same result in another form. tests/lint/meanings.sh notices changes of the code
 * and fails.
 */
#ifndef TN_BASE_MEANING_H
#define TN_BASE_MEANING_H

#define TN_MEANING_CTF 4	/* events, packets, times and values of a CTF trace */
#define TN_MEANING_OVNI 1	/* events, packets, times and values of an ovni trace */
#define TN_MEANING_VARTRACE 2	/* events, packets, times and values of a vartrace dump */
#define TN_MEANING_TRACEDAT 6	/* events, packets, times and values of a trace.dat */
#define TN_MEANING_PERFDATA 6	/* events, packets, times and values of a perf.data */
#define TN_MEANING_CHROMEJSON 4	/* events, packets, times and values of Chrome trace JSON */
#define TN_MEANING_UFTRACE 5	/* events, packets, times and values of a folder of uftrace */
#define TN_MEANING_PERFETTO 2	/* events, packets, times and values of a trace of Perfetto */
#define TN_MEANING_INDEX 5	/* the stored index: its layout, and the entries of packets */
#define TN_MEANING_DIGEST 6	/* the stored digest: its layout, and the notes in its columns */
#define TN_MEANING_QUESTION 9	/* conditions as text, and the events and lines that they match */
#define TN_MEANING_ANSWER 2	/* the layout of a stored answer, its values and notices */
#define TN_MEANING_SPANS 11	/* definitions of spans, and the sorted spans */
#define TN_MEANING_GROUPS 8	/* groups of spans, and their columns */
#define TN_MEANING_LANES 8	/* the stored lanes */
#define TN_MEANING_COMPARE 4	/* comparisons and "why" questions */
#define TN_MEANING_ARCHIVE 1	/* the list of files unpacked from an archive */

/* The first word of a stored file: eight bytes that include the number. It also shows a file of the other byte order. */
#define TN_MEANING_MAGIC(kind, number) \
	(UINT64_C(0x00786469766e7400) + ((uint64_t)(kind) << 32) + ((uint64_t)(number) << 56))

#endif
