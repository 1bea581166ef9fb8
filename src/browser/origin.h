/*
 * origin.h - short labels that say where an event comes from
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <tnav/trace.h>

/*
 * One label a stream, by rank: its name, with what tells its trace from the others in front where
 * streams of several traces have the same name. Safe for the terminal. NULL when memory is out.
 */
char **origin_labels(const struct tn_set *set);
void origin_labels_free(char **label, size_t n);

#endif
