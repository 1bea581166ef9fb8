/*
 * helper.h - a process that reads one ELF file and its debug data
 *
 * Debug data can be hostile, and libdw checks it less than tnav checks traces. The helper gets open files and cannot open
 * others. It cannot write files, make processes, or exceed its limits of time and memory. If it dies, only names are
 * missing.
 */
#ifndef TN_SYMBOL_HELPER_H
#define TN_SYMBOL_HELPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbol/library.h"

/*
 * The files of a helper: the ELF file, the debug file for the build id in the trace, three for the debug link, the debug
 * file for the build id in the ELF file.
 */
#define TN_HELPER_FILES 6
#define TN_HELPER_OWN_ID 5
#define TN_HELPER_TEXT 4096	/* limit of bytes of a name or a path; longer ones are cut */

/* The files of a mapping, and what the trace records about them. */
struct tn_helper_work {
	int fd[TN_HELPER_FILES];	/* -1: absent */
	const uint8_t *build_id;	/* NULL: not recorded in the trace */
	size_t build_id_size;
	uint32_t crc;		/* checksum of the file of the debug link */
};

enum { TN_HELPER_FUNCTION, TN_HELPER_SOURCE, TN_HELPER_INLINED, TN_HELPER_TEXTS };	/* the texts of an answer */
enum { TN_HELPER_MISMATCH = 1, TN_HELPER_HAS_SOURCE = 2, TN_HELPER_HAS_FILE = 4 };

enum {
	/*
	 * Answer like addr2line -f -i -C: demangled names, inlined functions, the line that contains an address, and
	 * symbols if debug data is missing. Without this flag, answer like babeltrace2: a line only for the first address
	 * of a function, or for a call.
	 */
	TN_HELPER_READABLE = 1,
	TN_HELPER_OFFSET = 2,	/* the address is a position in the file */
	TN_HELPER_FUNCTIONS = 4	/* answer with all functions (struct tn_helper_function), for no address */
};

struct tn_helper_question {
	uint64_t address;
	uint64_t how;		/* flags TN_HELPER_... */
};

struct tn_helper_answer {
	uint32_t flags;
	uint32_t line;
	/*
	 * Sizes of the texts that follow, without NULs. The text of inlined functions has a name and a "path:line" for
	 * each, with a newline after both; the caller is the first.
	 */
	uint32_t n[TN_HELPER_TEXTS];
};

/* One of all functions. Its name follows. */
struct tn_helper_function {
	uint64_t low, high;	/* first and last byte; `high` 0: up to the next function */
	uint32_t n;		/* bytes of the name; TN_HELPER_END: the list ends, without a function here */
	uint32_t flags;		/* only set in the last item */
};

#define TN_HELPER_END UINT32_MAX

/* The parent's data about a helper. */
struct tn_helper {
	pid_t pid;		/* 0: no process */
	int fd;
	unsigned n_answers;	/* number of answers since its start */
};

/* Start a helper. The caller may close its files then. False: this failed. */
bool tn_helper_start(struct tn_helper *h, const struct tn_libdw *dw, const struct tn_helper_work *work);
/* Ask a question. @text has TN_HELPER_TEXT bytes for each text. False: the helper failed, and is ended. */
bool tn_helper_ask(struct tn_helper *h, const struct tn_helper_question *question, struct tn_helper_answer *out, char *text);
/* Ask for all functions. @add returns false to stop. False: the helper failed, and is ended. */
bool tn_helper_functions(struct tn_helper *h, const struct tn_helper_question *question, uint32_t *flags,
			 bool (*add)(void *user, const struct tn_helper_function *function, const char *name), void *user);
void tn_helper_stop(struct tn_helper *h);

/* helper_process.c: run in the helper. Returns when the parent closes @socket. */
void tn_helper_run(const struct tn_libdw *dw, const struct tn_helper_work *work, int socket);

#endif
