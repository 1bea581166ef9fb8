/*
 * options.h - the command line
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "data_rows.h"

enum mode { MODE_AUTO, MODE_PRINT, MODE_COUNT, MODE_INFO, MODE_CHECK, MODE_EXPORT, MODE_METADATA, MODE_COMPLETE,
	MODE_SPANS, MODE_GROUPS, MODE_PAIRS, MODE_ASK, MODE_CHAIN, MODE_LANES, MODE_LADDER, MODE_FLAME, MODE_PLOT, MODE_DIFF,
	MODE_WHY, MODE_HELP, MODE_VERSION };
enum plot_as { PLOT_AUTO, PLOT_HEAT, PLOT_LINE, PLOT_STEPS, PLOT_POINTS };
enum flame_form { FLAME_TREE, FLAME_FOLDED, FLAME_FRAMES, FLAME_CALLERS };
enum color { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS };

struct options {
	enum mode mode;
	struct tn_text_options text;	/* the code that knows the output sets .color */
	enum color color;
	const char **filter;		/* "RE" or "!RE"; the array is owned, the texts belong to the command line */
	size_t n_filters;
	const char **spans;		/* definitions; the array is owned, as with `filter` */
	size_t n_spans;
	const char *by, *show;		/* keys and columns of groups; NULL */
	const char *group_by;		/* keys of groups of spans; NULL */
	const char *where;		/* condition for spans; NULL: all. For groups of events: one more filter */
	const char *lanes;		/* definition of the lanes */
	const char *plot;		/* definition of the plot */
	enum plot_as plot_as;
	int rows;		/* rows of a plot */
	enum flame_form flame;
	bool flame_diff;		/* --diff or --first with --flame */
	const char **map;		/* files with names of addresses; owned like `filter` */
	size_t n_maps;
	uint64_t columns;		/* 0: the usual number */
	const char *ladder;		/* the kind of its lanes; "auto" */
	const char *ask;		/* name of a ready question */
	bool narrowed;			/* a filter or a range leaves out events */
	const char *question;		/* definitions of the question's spans, a line each; NULL: events */
	const char *chain;	/* the thread of the chain */
	const char *first, *second;	/* selections to compare; NULL */
	const char *why;		/* condition of the spans to explain; NULL */
	const char *values;		/* fields whose values are compared; NULL */
	const char *sequence;		/* definition of the events to align; NULL: none */
	bool diff, exit_code;
	uint64_t copy_limit;		/* bytes of a copy from a host; 0: the default */
	const char *sort;		/* NULL: in the order of arrival */
	uint64_t top;			/* lines; 0: all */
	bool debug_info, full_path;	/* names of addresses */
	const char *debug_dir, *target_prefix;	/* NULL: the usual ones */
	const char *begin, *end;	/* times as typed; NULL: no bound */
	char *range;			/* owned: what --timerange was cut into */
	const char *output;		/* file; NULL: standard output */
	const char *partition;		/* keys that divide the output into files; NULL: one file */
	bool force;			/* overwrite the output */
	enum output_format as;		/* format of the events */
	const char *complete;		/* the condition of --complete */
	const char *export;		/* folder of --export */
	unsigned threads;		/* 0: one a processor */
	const char *format;
	const char *metadata;		/* file that describes the streams; NULL: beside them */
	int64_t clock_offset_ns;
	bool align;			/* align traces by the clocks they share */
	bool no_index_cache, no_index_files;
	bool compress;			/* --export writes an archive */
	bool help_all;			/* --help=all */
	bool intersection;		/* only where all streams have events */
	bool follow;			/* the traces are still written */
	const char *live_from;		/* text as typed; NULL */
	bool live_from_now;
	int64_t live_lag_ns;		/* 0: the usual one */
	uint64_t live_keep;		/* bytes; 0: all */
	const char *record;		/* file for the program's own diagnostics; NULL: none */
	bool demo;
	const char *const *trace;	/* traces of the command line */
	char **copy;			/* owned: files of traces that were copied here, removed in the end; NULL: none */
	size_t n_traces;
	const char **command;		/* "+COMMAND", without the '+'; the array is owned */
	size_t n_commands;
};

/*
 * Read the command line. 0, or 2 with a message on standard error. options_release() afterwards in
 * both cases.
 */
int options_read(struct options *o, int argc, char **argv);
void options_release(struct options *o);
void options_help(FILE *out);

/* For tests: what a LIST of --names and --fields means; false when a word in it is unknown. */
bool options_names(const char *list, unsigned *out);
bool options_fields(const char *list, unsigned *out);

#endif
