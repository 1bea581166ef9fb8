/*
 * names.h - texts by number and by address: saved_cmdlines, printk_formats
 */
#ifndef TN_FTRACE_NAMES_H
#define TN_FTRACE_NAMES_H

#include "base/arena.h"
#include "model/type.h"

/* Threads' names at the end of the recording, "PID NAME" a line. NULL: memory is out. */
const struct tn_lookup *tn_ftrace_commands(struct tn_arena *arena, const char *text, size_t n);

/* "0xADDRESS : "text\n"" a line, as labels of addresses. False: memory is out. */
bool tn_ftrace_printk_formats(struct tn_arena *arena, const char *text, size_t n, const struct tn_mapping **out, size_t *n_out);

#endif
