/*
 * numbering.h - the order of a trace's streams, and the numbers of those that have none of their own
 */
#ifndef TN_CTF_NUMBERING_H
#define TN_CTF_NUMBERING_H

#include "model/trace.h"

/* Streams without an instance id are numbered, in each class from 0. */
void tn_ctf_number_streams(struct tn_trace *trace);
/*
 * Streams of several folders that are one trace, as if they were one folder's: in the order of their paths, whichever
 * folder came first. Those of a set that grows stay where they are.
 */
void tn_ctf_sort_streams(struct tn_trace *trace);

#endif
