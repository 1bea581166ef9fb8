/*
 * left_out.h - what the digest says of a question before a scan
 */
#ifndef TESTS_LEFT_OUT_H
#define TESTS_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>

struct tn_set;

/*
 * Number of packets, of *n, that need not be read to count passing events; SIZE_MAX: not a question, or memory
 * is out.
 */
size_t left_out(struct tn_set *set, const char *text, size_t *n);

/*
 * Check the packets of @set that code without a scan leaves out (scan/packet_skip.h). False: an event in them
 * passes @text, judged by @plain, the same traces. *out: number of these packets; 0 if a question is about
 * lines.
 */
bool is_rightly_left_out(struct tn_set *set, struct tn_set *plain, char (*text)[300], size_t n, size_t *out);

#endif
