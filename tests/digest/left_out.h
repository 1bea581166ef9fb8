/*
 * left_out.h - what the digest says of a question before a scan
 */
#ifndef TESTS_LEFT_OUT_H
#define TESTS_LEFT_OUT_H

#include <stddef.h>

struct tn_set;

/* How many packets need not be read to know how many events pass, of *n; SIZE_MAX: it is no question, or no memory. */
size_t left_out(struct tn_set *set, const char *text, size_t *n);

#endif
