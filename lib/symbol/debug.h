/* debug.h - the files of one mapping in the helper process: what its parts share */
#ifndef TN_SYMBOL_DEBUG_H
#define TN_SYMBOL_DEBUG_H

#include <setjmp.h>
#include <signal.h>
#include <time.h>

#include "base/array.h"
#include "symbol/helper.h"

/* Numbers of DWARF and of libelf's and libdw's headers. */
enum {
	DW_TAG_invalid = 0, DW_TAG_lexical_block = 0x0b, DW_TAG_inlined_subroutine = 0x1d, DW_TAG_catch_block = 0x25,
	DW_TAG_subprogram = 0x2e, DW_TAG_try_block = 0x32, DW_AT_low_pc = 0x11, DW_AT_ranges = 0x55, DW_AT_call_file = 0x58,
	DW_AT_call_line = 0x59, DW_AT_linkage_name = 0x6e, DW_AT_MIPS_linkage_name = 0x2007, DWARF_C_READ = 0, ELF_C_READ = 1,
	ELF_K_ELF = 3
};

/* The bytes [low, high] of a function. */
struct tn_extent {
	uint64_t low, high;
	uint64_t die;		/* a unit: position of its DIE */
	const char *name;	/* name of a symbol */
	size_t place;		/* position in the file: of several at one address, the first counts */
};

/* Sorted by address, without overlaps. */
struct tn_extents {
	struct tn_extent *item;
	size_t n, room;
	bool is_read;
};

struct tn_unit {
	uint64_t die;		/* its offset */
	struct tn_extents extents;
};

struct tn_debug {
	const struct tn_libdw *dw;
	const struct tn_helper_work *work;
	struct tn_elf *elf;	/* NULL: there is none */
	struct tn_dw *dwarf, *readable;	/* the debug data that babeltrace2 finds, and the data for people; NULL: none */
	bool mismatch;		/* the file has another build id than the mapped one */
	struct tn_helper_answer answer;
	char text[TN_HELPER_TEXTS][TN_HELPER_TEXT];
	/* helper_functions.c reads these when they are needed: */
	TN_ARRAY(struct tn_unit) unit;
	struct tn_extents symbols;
	char demangled[TN_HELPER_TEXT];	/* the name demangled last */
	/* demangle.c: */
	timer_t timer;
	bool has_timer;
	sigjmp_buf stopped;
	unsigned n_stopped;	/* names that took too long */
};

/* helper_babeltrace.c. Append to a text of the answer; what does not fit is cut. */
void tn_debug_put(struct tn_debug *d, int text, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The place of the call that was inlined as the function at @die; NULL: unknown. */
const char *tn_debug_call(struct tn_debug *d, struct tn_dw_die *unit, struct tn_dw_die *die, uint64_t *line);
bool tn_debug_next(const struct tn_libdw *dw, struct tn_dw_die *die, bool *inside);	/* the next DIE of a level */

/* The answer as babeltrace2's debug-info component finds it. */
void tn_debug_info(struct tn_debug *d, uint64_t address);

/* helper_functions.c: the answer for people. */
void tn_debug_names(struct tn_debug *d, uint64_t address);
/* All functions, demangled; @add returns false to stop. */
void tn_debug_functions(struct tn_debug *d, bool (*add)(void *user, uint64_t low, uint64_t high, const char *name), void *user);

/* demangle.c: the name as the source has it, until the next call; else @name. */
const char *tn_demangle(struct tn_debug *d, const char *name);
/* demangle_rust.c: @out has TN_HELPER_TEXT bytes. False: @name is not one of Rust, or has a part that is not known here. */
bool tn_demangle_rust(const char *name, char *out);

#endif
