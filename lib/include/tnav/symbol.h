/*
 * tnav/symbol.h - names of addresses: what was mapped where, and the debug data of these files
 *
 * LTTng's user space tracer records which files a process maps (lttng_ust_statedump, lttng_ust_dl, lttng_ust_lib).
 * tn_symbols_new() reads these events once. The names of an address come from the ELF files and their DWARF data, which
 * a helper process without privileges reads through elfutils' libdw, with limits of time and memory. If it fails,
 * addresses stay without names, and tn_symbols_problem() says why.
 *
 * Units      Addresses are those of the traced process.
 * Ownership  Symbols borrow their set.
 * Threads    All functions may be called in several threads at once.
 * Errors     None once the mappings are read: an address without a name has empty texts.
 * States     object		state	may be called
 *            symbols		open	all functions
 *              		freed	nothing
 *            their set		closed	nothing: free them before
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
	const char *target_prefix;	/* folder before the paths of mapped files; NULL: none */
	bool full_path;		/* write whole paths, not only names of files */
	unsigned threads;	/* of the scan; 0: one a processor */
	const struct tn_symbol_map *map;	/* for addresses without a mapping; borrowed; NULL: none */
};

/* Read the mappings of all processes. @options may be NULL. */
TN_API TN_MUST_CHECK enum tn_code
tn_symbols_new(struct tn_symbols **out, struct tn_set *set, const struct tn_symbols_options *options, struct tn_error *err);
/*
 * For traces that grow: read the mappings that they have got, up to @end_ns, where rows are complete (INT64_MAX: all rows are).
 * Sets *@changed, if it is not NULL, to whether there are new ones: filters with symbol() must then be made again. Other
 * functions of these symbols wait until this one returns.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_symbols_grow(struct tn_symbols *symbols, struct tn_set *set, int64_t end_ns, bool *changed, struct tn_error *err);
TN_API void tn_symbols_free(struct tn_symbols *symbols);	/* NULL is allowed; ends the helper processes */
TN_API size_t tn_symbols_mappings(const struct tn_symbols *symbols);	/* mappings, and tables of symbols, in the traces */

/*
 * The texts that babeltrace2 --debug-info writes for an event whose common context has `ip` and `vpid`: the file and the
 * place in it ("libc.so.6+0x4a", "prog@0x401136"), the function ("main+0x12"), source and line ("main.c:7"). They are
 * appended to @out[0] to @out[2]; nothing is appended if it is unknown. False: memory is out.
 * It is a `debug_info` of struct tn_text_options.
 */
TN_API bool tn_symbols_debug_info(void *symbols, const struct tn_event *event, struct tn_str out[3]);

enum { TN_SYMBOL_OFFSET = 1, TN_SYMBOL_SOURCE = 2, TN_SYMBOL_INLINED = 4 };
/*
 * Append the name of an address in the process and at the time of @event, demangled: "main"; with its offset ("main+0x12"),
 * with its source ("main (file.c:12)"); with the functions that are inlined at the address, each on a line of its own, the
 * innermost last ("main (file.c:12)\ntwice (file.c:3)"); without a function the file ("libc.so.6+0x4a1"). @event NULL: of any
 * process, if all that have something at this address have the same. False: there is none, and nothing is appended, or memory
 * is out.
 */
TN_API bool tn_symbols_name(struct tn_symbols *symbols, const struct tn_event *event, uint64_t address, unsigned parts,
			    struct tn_str *out);

/*
 * Give conditions over the set the names of functions: symbol(ip) == "main". @symbols is called, in the thread that compiles
 * the condition, when one has such a test: it returns the symbols of the set, or NULL and the reason. Without it, such a test is
 * refused. The symbols outlive the filters and spans that were made with them.
 */
TN_API void tn_set_symbols(struct tn_set *set, struct tn_symbols *(*symbols)(void *user, struct tn_error *err), void *user);
/*
 * Read the names of all functions of all mapped files now, not with the first condition that needs them. TN_ERR_NOT_FOUND:
 * there are none; the text says what to do.
 */
TN_API TN_MUST_CHECK enum tn_code tn_symbols_functions(struct tn_symbols *symbols, struct tn_error *err);

/* The reason why names are missing, for people; "" if nothing did. Returns the length; the text is cut to @room bytes. */
TN_API size_t tn_symbols_problem(struct tn_symbols *symbols, char *out, size_t room);

/* ---- names from text files ---- */

TN_API TN_MUST_CHECK enum tn_code tn_symbol_map_new(struct tn_symbol_map **out, struct tn_error *err);
TN_API void tn_symbol_map_free(struct tn_symbol_map *map);	/* NULL is allowed */
/*
 * Add the symbols of a file as nm prints it ("0000000000401136 T main"), of a copy of /proc/kallsyms, or the files in a copy of
 * /proc/PID/maps. Other lines are ignored; TN_ERR_FORMAT: all of them are others.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_symbol_map_read(struct tn_symbol_map *map, const char *path, struct tn_error *err);
/*
 * Append the name of an address: "main", and with its offset "main+0x12"; of a mapped file "libc.so.6+0x4a1".
 * False: it is in no symbol, and nothing is appended. In several threads at once, if none reads a file.
 */
TN_API bool tn_symbol_map_name(const struct tn_symbol_map *map, uint64_t address, bool with_offset, struct tn_str *out);

#ifdef __cplusplus
}
#endif
#endif
