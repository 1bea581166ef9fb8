/*
 * types.h - types of the model, and plans, from format texts
 *
 * A record is the data of one event: common_type, the other common fields, the event's own fields. The common fields
 * become the common context of a stream class, and the own fields the payload of an event class. The first slot of
 * the trace belongs to the plans of located fields, so set trace->n_slots to 1 or more.
 *
 * tn_ftrace_header() makes the header of a record in a ring buffer; other formats make their own. tn_ftrace_context()
 * makes the context: `comm`, the name of the thread, follows common_pid. The payload is tn_ftrace_payload(), or
 * tn_ftrace_bytes() for an event without a usable format.
 */
#ifndef TN_FTRACE_TYPES_H
#define TN_FTRACE_TYPES_H

#include "ftrace/format.h"
#include "model/build.h"

struct tn_ftrace_builder {
	struct tn_builder b;
	enum tn_record_kind record;	/* how the header before a record gives the size of the record */
	const struct tn_lookup *commands;	/* tn_ftrace_commands(), or NULL */
	/* printk_formats: texts of addresses, for the fields fmt and str of bprint and bputs; NULL: none */
	const struct tn_mapping *addresses;
	size_t n_addresses;
};

/* Make the header of a ring buffer's event: type_len, time_delta. */
struct tn_field *tn_ftrace_header(struct tn_ftrace_builder *b);
/* Make the context from the common fields of a format, which all formats of a kernel have. */
struct tn_field *tn_ftrace_context(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format);
/* Add the common fields to a structure, which must have space for n_common + 1 more fields. */
void tn_ftrace_common(struct tn_ftrace_builder *b, struct tn_type *in, const struct tn_ftrace_format *format);
struct tn_field *tn_ftrace_payload(struct tn_ftrace_builder *b, const struct tn_ftrace_format *format);
/* Make a payload that has all fields after the common ones as bytes. */
struct tn_field *tn_ftrace_bytes(struct tn_ftrace_builder *b);

/*
 * Find the names of system calls for the architecture in the environment of @trace; NULL: unknown. 32-bit programs on
 * a 64-bit machine use other numbers.
 */
const struct tn_mapping *tn_ftrace_syscalls(const struct tn_trace *trace, size_t *n);

/* Whether @b has the same common fields as @a, at the same places. */
bool tn_ftrace_same_context(const struct tn_ftrace_format *a, const struct tn_ftrace_format *b);

/* The smallest size of a record with all fields; 0 for a format without fields. */
uint32_t tn_ftrace_need(const struct tn_ftrace_format *format);

#endif
