/*
 * left_out.h - what the digest says of a question before a scan
 */
#ifndef TESTS_LEFT_OUT_H
#define TESTS_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>

struct tn_set;

/* How many packets need not be read to know how many events pass, of *n; SIZE_MAX: it is no question, or no memory. */
size_t left_out(struct tn_set *set, const char *text, size_t *n);

/*
 * What who reads packets without a scan leaves out of @set (scan/packet_skip.h). False: events in them pass all of @text, as
 * @plain, the same traces, says. *out: how many packets these are; none where a question is about lines.
 */
bool is_rightly_left_out(struct tn_set *set, struct tn_set *plain, char (*text)[300], size_t n, size_t *out);

#endif
