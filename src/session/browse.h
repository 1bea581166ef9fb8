/*
 * browse.h - the options with which the browser starts
 */
#ifndef BROWSE_H
#define BROWSE_H

#include <stdbool.h>

#include <tnav/symbol.h>
#include <tnav/text.h>

struct problems;

struct browse_options {
	struct tn_text_options text;	/* form of times and fields at the start */
	const char *const *filter;	/* conditions, as the user types them after `&` */
	size_t n_filters;
	const char *const *command;	/* commands to run first, as typed after ':', or "/RE", "&FILTER" */
	size_t n_commands;
	bool has_begin, has_end;	/* only events between the two are shown */
	int64_t begin_ns, end_ns;
	const char *same;		/* names of fields that mean the same in these traces; NULL: only the usual names */
	const char *title;		/* path in the title line; NULL: the traces give it */
	unsigned threads;		/* threads for scans; 0: one for each processor */
	bool grows;			/* the set grows, because its traces are still being written (tnav/grow.h) */
	struct problems *problems;	/* problems reported when the set was opened; borrowed; may be NULL */
	/*
	 * Open the same traces again, for `R`, or as traces that grow. NULL: this is impossible. The caller of browse()
	 * closes the old set.
	 */
	enum tn_code (*reopen)(void *user, bool grows, const struct tn_trace_offset *offset, size_t n_offsets,
			       struct tn_set **out, struct tn_error *err);
	/* Open another trace to compare with. Called in its own thread. */
	enum tn_code (*open)(void *user, const char *path, struct tn_set **out, struct tn_error *err);
	void *user;
	/* For names of addresses: the files of --map, and where debug data are. */
	const char *const *map;
	size_t n_maps;
	struct tn_symbols_options symbols;
};

#endif
