/* symbols.h - the names of a set: the parts that symbols.c and functions.c share */
#ifndef TN_SYMBOL_SYMBOLS_H
#define TN_SYMBOL_SYMBOLS_H

#include <tnav/symbol.h>

#include <pthread.h>
#include <stdatomic.h>

#include "model/functions.h"
#include "symbol/helper.h"
#include "symbol/mappings.h"

/* A file with the facts known at a moment: with or without build id and debug link. */
struct tn_binary {
	const struct tn_image *mapping;	/* any mapping of this file */
	bool has_id, has_link;
	struct tn_helper helper;
	unsigned failures;	/* number of failures of its helpers */
	uint64_t used;		/* number of its last use */
};

/* The functions of a file, for all its mappings. */
struct tn_function_file {
	const struct tn_function *function;	/* NULL: not read */
	size_t n;
	uint64_t sum;
	const struct tn_functions *counted;	/* the last tn_functions in which this file was counted */
};

struct tn_symbols {
	struct tn_symbols_options options;
	char *debug_dir, *prefix;	/* owned */
	struct tn_mappings mappings, first;	/* `first`: earlier mappings of traces that grow; files refer to them */
	bool grows;
	struct tn_symbol_map *kernel;	/* the symbols in the traces; NULL: none */
	pthread_mutex_t lock;	/* protects the members below */
	struct tn_libdw dw;
	TN_ARRAY(struct tn_binary) binary;
	struct tn_hash binaries;	/* index of each file, by the known facts about it */
	struct tn_arena keys;		/* memory of the keys of binaries */
	struct tn_hash answers;		/* answers by binary and address */
	struct tn_arena arena;		/* memory of the answers and their keys */
	uint64_t uses;
	size_t failures;
	_Atomic(struct tn_functions *) functions;	/* read when a condition needs them; NULL: not yet, or not all */
	TN_ARRAY(struct tn_function_file) file;
	size_t function_bytes;	/* size of the names of functions */
	struct tn_arena function_arena;
	pthread_rwlock_t mapped;	/* protects the mappings while traces grow; taken after `lock` */
	pthread_mutex_t telling;	/* protects the report, so that readers do not wait for a helper */
	char problem[2048];
};

/* Get the file of a mapping, with the facts known at a moment. The caller holds the lock. NULL: memory is out. */
struct tn_binary *tn_symbols_binary(struct tn_symbols *s, const struct tn_image *m, const struct tn_moment *at);
/* Start the file's helper, unless it runs. False: impossible, or too many helpers failed. */
bool tn_symbols_start(struct tn_symbols *s, struct tn_binary *b);
/*
 * Call this when the helper failed at a question. True: ask a new helper, because data read for earlier questions may be
 * the cause. False: this question has no answer; other questions still get theirs.
 */
bool tn_symbols_failed(struct tn_symbols *s, struct tn_binary *b);

/* map.c: get the functions of a map. -1: memory is out. */
enum tn_code tn_symbol_map_functions(const struct tn_symbol_map *m, struct tn_arena *arena, struct tn_function **out,
				     size_t *n, struct tn_error *err) TN_MUST_CHECK;

#endif
