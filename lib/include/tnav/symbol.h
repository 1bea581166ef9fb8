/*
 * tnav/symbol.h - names of addresses: the files that processes mapped, and the debug data of these files
 *
 * LTTng's user space tracer records which files a process maps (lttng_ust_statedump, lttng_ust_dl, lttng_ust_lib).
 * tn_symbols_new() reads these events once. The name of an address comes from the ELF file and its DWARF data. A
 * helper process without privileges reads them with elfutils' libdw, with limits of time and memory. If the helper
 * fails, addresses do not have names, and tn_symbols_problem() gives the reason.
 *
 * Units      Addresses are those of the traced process.
 * Ownership  Symbols borrow their set.
 * Threads    All functions may be called in several threads at once.
 * Errors     An address without a name has empty texts; this is not an error.
 * States     object		state	may be called
 *            symbols		open	all functions
 *              		freed	nothing
 *            their set		closed	nothing: free the symbols before
 * Source     text.md; the events of lttng-ust 2.13; DWARF 5.
 */
#ifndef TNAV_SYMBOL_H
#define TNAV_SYMBOL_H

#include <tnav/query.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_symbols;
struct tn_symbol_map;	/* names from text files; zero or more files together */

#define TN_SYMBOLS_OPTIONS TN_SIZED(tn_symbols_options)
struct tn_symbols_options {
	size_t size;		/* TN_SYMBOLS_OPTIONS sets it */
	const char *debug_dir;	/* folder of separate debug files; NULL: /usr/lib/debug */
	const char *target_prefix;	/* folder that contains the files of the traced system; NULL: none */
	bool full_path;		/* write whole paths, not only names of files */
	unsigned threads;	/* threads for the scan; 0: one for each processor */
	const struct tn_symbol_map *map;	/* for addresses without a mapping; borrowed; NULL: none */
};

/* Read the mappings of all processes. @options may be NULL. */
TN_API TN_MUST_CHECK enum tn_code
tn_symbols_new(struct tn_symbols **out, struct tn_set *set, const struct tn_symbols_options *options, struct tn_error *err);
/*
 * For traces that grow: read the new mappings up to @end_ns, the time up to which rows are complete (INT64_MAX:
 * the end). Sets *@changed (may be NULL) to true if there are new mappings: the caller must then make filters
 * with symbol() again. Other functions of these symbols wait until this one returns.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_symbols_grow(struct tn_symbols *symbols, struct tn_set *set, int64_t end_ns, bool *changed, struct tn_error *err);
TN_API void tn_symbols_free(struct tn_symbols *symbols);	/* NULL is allowed; ends the helper processes */
TN_API size_t tn_symbols_mappings(const struct tn_symbols *symbols);	/* number of mappings and tables of symbols */

/*
 * Append to @out the texts that babeltrace2 --debug-info writes for an event whose common context has `ip` and
 * `vpid`: to @out[0] the file and offset ("libc.so.6+0x4a", "prog@0x401136"), to @out[1] the function
 * ("main+0x12"), to @out[2] the source and line ("main.c:7"). Appends nothing for an unknown text. False:
 * memory is out. Use it as `debug_info` of struct tn_text_options.
 */
TN_API bool tn_symbols_debug_info(void *symbols, const struct tn_event *event, struct tn_str out[3]);

enum { TN_SYMBOL_OFFSET = 1, TN_SYMBOL_SOURCE = 2, TN_SYMBOL_INLINED = 4 };
/*
 * Append the demangled name of an address in the process and at the time of @event: "main". @parts adds the
 * offset ("main+0x12"), the source ("main (file.c:12)"), or the functions that are inlined at the address, each
 * on a line of its own, the innermost last ("main (file.c:12)\ntwice (file.c:3)"). If the function is unknown,
 * the name is the file ("libc.so.6+0x4a1"). @event NULL: the name is that of any process, if all processes with
 * this address have the same name. False: there is no name and nothing was appended, or memory is out.
 */
TN_API bool tn_symbols_name(struct tn_symbols *symbols, const struct tn_event *event, uint64_t address, unsigned parts,
			    struct tn_str *out);

/*
 * Allow symbol(ip) == "main" in conditions over the set. @symbols is called for such a condition, in the thread
 * that compiles it. It returns the symbols of the set, or NULL with the reason in @err. Without this call, such
 * conditions are errors. Free the symbols after all filters and spans that use them.
 */
TN_API void tn_set_symbols(struct tn_set *set, struct tn_symbols *(*symbols)(void *user, struct tn_error *err), void *user);
/*
 * Read the names of all functions of all mapped files now, instead of with the first condition that needs them.
 * TN_ERR_NOT_FOUND: there are no names; the error's text says what to do.
 */
TN_API TN_MUST_CHECK enum tn_code tn_symbols_functions(struct tn_symbols *symbols, struct tn_error *err);

/*
 * Write the reason why names are missing, for people; "" if no step failed. Returns the length; cuts the text
 * to @room bytes.
 */
TN_API size_t tn_symbols_problem(struct tn_symbols *symbols, char *out, size_t room);

/* ---- names from text files ---- */

/* Make an empty map. */
TN_API TN_MUST_CHECK enum tn_code tn_symbol_map_new(struct tn_symbol_map **out, struct tn_error *err);
TN_API void tn_symbol_map_free(struct tn_symbol_map *map);	/* NULL is allowed */
/*
 * Add the symbols of an output of nm ("0000000000401136 T main") or of a copy of /proc/kallsyms, or the files
 * of a copy of /proc/PID/maps. Ignores other lines. TN_ERR_FORMAT: the file has no such line.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_symbol_map_read(struct tn_symbol_map *map, const char *path, struct tn_error *err);
/*
 * Append the name of an address: "main", or with the offset "main+0x12"; for a mapped file "libc.so.6+0x4a1". False: no
 * symbol contains the address, and nothing was appended. Several threads can call this while no thread reads a file.
 */
TN_API bool tn_symbol_map_name(const struct tn_symbol_map *map, uint64_t address, bool with_offset, struct tn_str *out);

#ifdef __cplusplus
}
#endif
#endif
