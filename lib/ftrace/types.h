/*
 * types.h - types of the model, and with them plans, from format texts
 *
 * A record is the data of one event: common_type, the other common fields, the event's own. Its common fields become the common
 * context of a stream class, its own fields the payload of an event class. The first slot of the trace belongs to the plans of
 * located fields: set trace->n_slots to 1 or more.
 *
 *	header		what the format puts before a record; for ring buffers tn_ftrace_header()
 *	context		tn_ftrace_context(): common_pid is followed by `comm`, the thread's name by the saved command lines
 *	payload		tn_ftrace_payload(), or tn_ftrace_bytes() of what has no usable format
 */
#ifndef TN_FTRACE_TYPES_H
#define TN_FTRACE_TYPES_H

#include "ftrace/format.h"
#include "model/build.h"

struct tn_ftrace_builder {
	struct tn_builder b;
	enum tn_record_kind record;	/* the way the header before a record gives its size */
	const struct tn_lookup *commands;	/* tn_ftrace_commands(), or NULL */
	/* Texts of addresses: printk_formats, for the fields fmt and str of bprint and bputs; NULL: none */
	const struct tn_mapping *addresses;
	size_t n_addresses;
};

/* The header of a ring buffer's event: type_len, time_delta. */
struct tn_field *tn_ftrace_header(struct tn_ftrace_builder *b);
/* The common fields of a format; all formats of a kernel have the same. */
struct tn_field *tn_ftrace_context(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format);
/* Add them to a structure with space for n_common + 1 more fields. */
void tn_ftrace_common(struct tn_ftrace_builder *b, struct tn_type *in, const struct tn_ftrace_format *format);
struct tn_field *tn_ftrace_payload(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format);
/* All fields after the common ones, as bytes. */
struct tn_field *tn_ftrace_bytes(struct tn_ftrace_builder *b);

/*
 * Names of system calls by number, for the architecture in the environment of @trace; NULL: unknown. Programs of 32 bits
 * have other numbers, on the same machine.
 */
const struct tn_mapping *tn_ftrace_syscalls(const struct tn_trace *trace, size_t *n);

/* Whether @b has the same common fields as @a, at the same places. */
bool tn_ftrace_same_context(const struct tn_ftrace_format *a, const struct tn_ftrace_format *b);

/* The least size of a record with all its fields; 0 for a format without fields. */
uint32_t tn_ftrace_need(const struct tn_ftrace_format *format);

#endif
