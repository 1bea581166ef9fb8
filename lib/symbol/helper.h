/*
 * helper.h - a process that reads one ELF file and its debug data
 *
 * Debug data is hostile, and libdw trusts it more than tnav trusts any trace. The helper gets open files and opens none. It
 * cannot write, make processes, or use more than its share of time and memory. If it dies, only names are missing.
 */
#ifndef TN_SYMBOL_HELPER_H
#define TN_SYMBOL_HELPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbol/library.h"

/* The ELF file, that of the build id that the trace tells, three of its debug link, that of the build id in the file. */
#define TN_HELPER_FILES 6
#define TN_HELPER_OWN_ID 5
#define TN_HELPER_TEXT 4096	/* bytes of a name or a path; longer ones are cut */

/* The files of a mapping, and what the trace says of them. */
struct tn_helper_work {
	int fd[TN_HELPER_FILES];	/* -1: there is none */
	const uint8_t *build_id;	/* NULL: the trace does not tell it */
	size_t build_id_size;
	uint32_t crc;		/* checksum of the file of the debug link */
};

enum { TN_HELPER_FUNCTION, TN_HELPER_SOURCE, TN_HELPER_INLINED, TN_HELPER_TEXTS };	/* texts of an answer */
enum { TN_HELPER_MISMATCH = 1, TN_HELPER_HAS_SOURCE = 2, TN_HELPER_HAS_FILE = 4 };

enum {
	/*
	 * Answers as of addr2line -f -i -C: demangled names, inlined functions, the line that contains an address,
	 * symbols where no debug data is. Else as of babeltrace2: the line only of a function's first address, or of
	 * a call.
	 */
	TN_HELPER_READABLE = 1,
	TN_HELPER_OFFSET = 2,	/* the address is a place in the file */
	TN_HELPER_FUNCTIONS = 4	/* no address: answer with all functions (struct tn_helper_function) */
};

struct tn_helper_question {
	uint64_t address;
	uint64_t how;		/* flags */
};

struct tn_helper_answer {
	uint32_t flags;
	uint32_t line;
	/* Bytes that follow, without NULs. Of inlined functions: name and "path:line", each with a newline, the caller first. */
	uint32_t n[TN_HELPER_TEXTS];
};

/* One of all functions; its name follows. */
struct tn_helper_function {
	uint64_t low, high;	/* the last byte; 0: up to the function after it */
	uint32_t n;		/* bytes of the name; TN_HELPER_END: there are no more, and none has this one */
	uint32_t flags;		/* set in the last function */
};

#define TN_HELPER_END UINT32_MAX

/* A helper as its parent knows it. */
struct tn_helper {
	pid_t pid;		/* 0: none */
	int fd;
	unsigned n_answers;	/* number of answers since its start */
};

/* Start one; its files may be closed then. False: no process. */
bool tn_helper_start(struct tn_helper *h, const struct tn_libdw *dw, const struct tn_helper_work *work);
/* Ask. @text has TN_HELPER_TEXT bytes for each text. False: it failed and is ended. */
bool tn_helper_ask(struct tn_helper *h, const struct tn_helper_question *question, struct tn_helper_answer *out, char *text);
/* Ask for all functions; @add returns false to stop. False: it failed and is ended. */
bool tn_helper_functions(struct tn_helper *h, const struct tn_helper_question *question, uint32_t *flags,
			 bool (*add)(void *user, const struct tn_helper_function *function, const char *name), void *user);
void tn_helper_stop(struct tn_helper *h);

/* helper_process.c: the helper's own work. It returns when the parent closes @socket. */
void tn_helper_run(const struct tn_libdw *dw, const struct tn_helper_work *work, int socket);

#endif
