/* stream_labels.h - short labels that show the origin of an event */
#ifndef STREAM_LABELS_H
#define STREAM_LABELS_H

#include <tnav/trace.h>

/*
 * Make a label for each stream, indexed by rank: the end of its name, and parts of host, folders and process if they are
 * needed to tell streams apart. Labels are safe for the terminal. NULL: memory is out.
 */
char **origin_labels(const struct tn_set *set);

#endif
