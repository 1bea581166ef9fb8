/*
 * names.h - texts by number and by address: saved_cmdlines, printk_formats
 */
#ifndef TN_FTRACE_NAMES_H
#define TN_FTRACE_NAMES_H

#include "base/arena.h"
#include "model/type.h"

/* Parse the names that threads had at the end of the recording, a line "PID NAME" for each. NULL: memory is out. */
const struct tn_lookup *tn_ftrace_commands(struct tn_arena *arena, const char *text, size_t n);

/* Parse lines `0xADDRESS : "text\n"` into labels of addresses. False: memory is out. */
bool tn_ftrace_printk_formats(struct tn_arena *arena, const char *text, size_t n, const struct tn_mapping **out, size_t *n_out);

#endif
