/*
 * stream_labels.h - short labels that say where an event comes from
 */
#ifndef STREAM_LABELS_H
#define STREAM_LABELS_H

#include <tnav/trace.h>

/*
 * One label a stream, by rank: the end of its name, and of host, folders and process only what tells it apart
 * from the others. Safe for the terminal. NULL when memory is out.
 */
char **origin_labels(const struct tn_set *set);

#endif
