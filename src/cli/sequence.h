/* sequence.h - the first differences of two runs */
#ifndef CLI_SEQUENCE_H
#define CLI_SEQUENCE_H

#include <tnav/compare.h>

#include "answers.h"

/*
 * Print the aligned sequences of --sequence, or list the pairs of values. Returns the exit status; *differs: the status
 * for --exit-code.
 */
int print_sequence(struct answer *a, const struct tn_selection *first, const struct tn_selection *second, int *differs);

#endif
