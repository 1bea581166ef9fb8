/* debug.h - the files of one mapping in the helper process: what its parts share */
#ifndef TN_SYMBOL_DEBUG_H
#define TN_SYMBOL_DEBUG_H

#include <setjmp.h>
#include <signal.h>
#include <time.h>

#include "base/array.h"
#include "symbol/helper.h"

/* Constants of DWARF, and of the headers of libelf and libdw. */
enum {
	DW_TAG_invalid = 0, DW_TAG_lexical_block = 0x0b, DW_TAG_inlined_subroutine = 0x1d, DW_TAG_catch_block = 0x25,
	DW_TAG_subprogram = 0x2e, DW_TAG_try_block = 0x32, DW_AT_low_pc = 0x11, DW_AT_ranges = 0x55, DW_AT_call_file = 0x58,
	DW_AT_call_line = 0x59, DW_AT_linkage_name = 0x6e, DW_AT_MIPS_linkage_name = 0x2007, DWARF_C_READ = 0, ELF_C_READ = 1,
	ELF_K_ELF = 3
};

/* The range of a function: first and last byte. */
struct tn_extent {
	uint64_t low, high;
	uint64_t die;		/* for a unit: position of its DIE */
	const char *name;	/* for a symbol: its name */
	size_t place;		/* position in the file: of several ranges at one address, the first counts */
};

/* Ranges sorted by address, without overlaps. */
struct tn_extents {
	struct tn_extent *item;
	size_t n, room;
	bool is_read;
};

struct tn_unit {
	uint64_t die;		/* position of the unit's DIE */
	struct tn_extents extents;
};

struct tn_debug {
	const struct tn_libdw *dw;
	const struct tn_helper_work *work;
	struct tn_elf *elf;	/* NULL: absent */
	struct tn_dw *dwarf, *readable;	/* the DWARF data that babeltrace2 finds, and the data for readable answers; NULL: none */
	bool mismatch;		/* the build id of the file differs from that of the mapped file */
	struct tn_helper_answer answer;
	char text[TN_HELPER_TEXTS][TN_HELPER_TEXT];
	/* helper_functions.c reads these on first use: */
	TN_ARRAY(struct tn_unit) unit;
	struct tn_extents symbols;
	char demangled[TN_HELPER_TEXT];	/* the name that was demangled last */
	/* demangle.c: */
	timer_t timer;
	bool has_timer;
	sigjmp_buf stopped;
	unsigned n_stopped;	/* number of names whose demangling took too long */
};

/* helper_babeltrace.c: append to a text of the answer; a text that is too long is cut. */
void tn_debug_put(struct tn_debug *d, int text, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Write the place of the call that was inlined as the function at @die; NULL: unknown. */
const char *tn_debug_call(struct tn_debug *d, struct tn_dw_die *unit, struct tn_dw_die *die, uint64_t *line);
bool tn_debug_next(const struct tn_libdw *dw, struct tn_dw_die *die, bool *inside);	/* moves to the next DIE of a level */

/* Answer like babeltrace2's debug-info component. */
void tn_debug_info(struct tn_debug *d, uint64_t address);

/* helper_functions.c: make the readable answer. */
void tn_debug_names(struct tn_debug *d, uint64_t address);
/* Pass all functions, demangled, to @add, which returns false to stop. */
void tn_debug_functions(struct tn_debug *d, bool (*add)(void *user, uint64_t low, uint64_t high, const char *name), void *user);

/* demangle.c: the name as in the source, valid until the next call; @name if that fails. */
const char *tn_demangle(struct tn_debug *d, const char *name);
/*
 * demangle_rust.c: write the demangled name to @out, which has TN_HELPER_TEXT bytes. False: @name is not a Rust name, or
 * has a part that this version does not know.
 */
bool tn_demangle_rust(const char *name, char *out);

#endif
