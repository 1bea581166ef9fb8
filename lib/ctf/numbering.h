/* numbering.h - order the streams of a trace, and number the streams without an id */
#ifndef TN_CTF_NUMBERING_H
#define TN_CTF_NUMBERING_H

#include "model/trace.h"

/* Number the streams without an instance id, in each class from 0. */
void tn_ctf_number_streams(struct tn_trace *trace);
/*
 * Sort the streams of several folders that are one trace by their paths, as if they were in one folder. Streams of a set
 * that grows keep their places.
 */
void tn_ctf_sort_streams(struct tn_trace *trace);

#endif
