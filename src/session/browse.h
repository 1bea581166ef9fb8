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
	struct tn_text_options text;	/* look of times and fields at the start */
	const char *const *filter;	/* conditions, as typed after `&` */
	size_t n_filters;
	const char *const *command;	/* commands to run first: as typed after ':', or "/RE", "&FILTER" */
	size_t n_commands;
	bool has_begin, has_end;	/* only events between the two are shown */
	int64_t begin_ns, end_ns;
	const char *same;		/* names of fields that mean the same in these traces; NULL: the usual ones alone */
	const char *title;		/* path in the title line; NULL: made from the traces */
	unsigned threads;		/* threads for scans; 0: one a processor */
	bool grows;			/* the set grows: its traces are still written (tnav/grow.h) */
	struct problems *problems;	/* reported when the set was opened; borrowed; may be NULL */
	/*
	 * Open the same traces again, for `R`, or as ones that grow; NULL: cannot be done. The old set is closed by
	 * browse()'s caller.
	 */
	enum tn_code (*reopen)(void *user, bool grows, const struct tn_trace_offset *offset, size_t n_offsets,
			       struct tn_set **out, struct tn_error *err);
	/* Open another trace, to compare with. Called in a thread of its own. */
	enum tn_code (*open)(void *user, const char *path, struct tn_set **out, struct tn_error *err);
	void *user;
	/* Names of addresses: the files of --map, and where debug data is. */
	const char *const *map;
	size_t n_maps;
	struct tn_symbols_options symbols;
};

#endif
