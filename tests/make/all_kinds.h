/*
 * all_kinds.h - a trace of CTF 2 on the disk, with every kind of type that the writer has
 */
#ifndef ALL_KINDS_H
#define ALL_KINDS_H

#include <tnav/tnav.h>

/* Write it to @folder, which is made: two streams, one of them without a clock. */
enum tn_code all_kinds_write(const char *folder, struct tn_error *err);

#endif
