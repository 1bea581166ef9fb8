/*
 * format.h - the kernel's descriptions of its events: events/SYSTEM/NAME/format, events/header_page
 *
 * A format is parsed once into fields with their places in a record; types.h makes types from them. Texts are hostile:
 * an invalid text is an error, and the caller shows events of that class as bytes.
 *
 * Source     tracedat.md, 4 "Data of an event", "print fmt".
 */
#ifndef TN_FTRACE_FORMAT_H
#define TN_FTRACE_FORMAT_H

#include "base/arena.h"
#include "base/error.h"
#include "model/type.h"

enum tn_ftrace_kind {
	TN_FTRACE_NUMBER,	/* one number of `width` bytes: 1, 2, 4 or 8 */
	TN_FTRACE_TEXT,
	TN_FTRACE_NUMBERS,	/* several numbers of `width` bytes */
	TN_FTRACE_BYTES		/* a structure, or a value of another size */
};

struct tn_ftrace_field {
	const char *name;
	uint32_t offset, size;	/* place in the record, in bytes; a field that is TN_LOCATED_REST does not have a size */
	enum tn_ftrace_kind kind;
	enum tn_located located;
	unsigned width;
	bool is_signed;
	bool is_hex;		/* a pointer, or a field that print fmt shows as a pointer or in hexadecimal */
	bool is_flags;		/* whether the ranges of `mapping` are bits; otherwise they are values */
	const struct tn_mapping *mapping;	/* mapping in __print_symbolic or __print_flags; NULL: none */
	size_t n_mappings;
};

struct tn_ftrace_format {
	const char *system, *name;
	uint16_t id;		/* common_type of the records */
	struct tn_ftrace_field *field;	/* sorted by offset, without overlaps; common fields first */
	size_t n_fields, n_common;
};

/* Properties of the machine that the declarations of fields do not have. */
struct tn_ftrace_machine {
	unsigned long_size;	/* bytes of the kernel's long: 4 or 8 */
};

/*
 * Parse a format; all texts are copied into @arena. TN_ERR_FORMAT: *err has the mistake, and name and id are set if
 * they were found.
 */
enum tn_code tn_ftrace_format_parse(struct tn_ftrace_format *out, struct tn_arena *arena, const struct tn_ftrace_machine *machine,
				    const char *system, const char *text, size_t n, struct tn_error *err);

/* print.c: parse how print fmt shows the fields: hexadecimal, labels, flags. The rest of print fmt is ignored. */
bool tn_ftrace_print_parse(struct tn_ftrace_format *format, struct tn_arena *arena, const char *text, size_t n);

/* The layout of pages of a ring buffer, from events/header_page. */
struct tn_ftrace_layout {
	bool big_endian;
	uint32_t time_at, commit_at, data_at;	/* bytes from the start of the page */
	uint32_t commit_size;	/* bytes of the kernel's long: 4 or 8 */
};

/* Parse a page layout; @out->big_endian must be set. */
enum tn_code tn_ftrace_layout_parse(struct tn_ftrace_layout *out, const char *text, size_t n, struct tn_error *err);

#endif
