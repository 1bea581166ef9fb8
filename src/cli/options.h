/* options.h - the command line */
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
	struct tn_text_options text;	/* form of lines; the code that opens the output sets .color */
	enum color color;
	const char **filter;		/* "RE" or "!RE"; the array is owned, its texts belong to the command line */
	size_t n_filters;
	const char **spans;		/* definitions; the array is owned, as for `filter` */
	size_t n_spans;
	const char *by, *show;		/* keys and columns of groups; NULL: not given */
	const char *group_by;		/* keys of groups of spans; NULL: not given */
	const char *where;		/* condition for spans; NULL: all spans. For groups of events: another filter */
	const char *lanes;		/* definition of the lanes */
	const char *plot;		/* definition of the plot */
	enum plot_as plot_as;
	int rows;		/* rows of a plot */
	enum flame_form flame;
	bool flame_diff;		/* --flame with --diff or --first */
	const char **map;		/* files with names of addresses; owned as for `filter` */
	size_t n_maps;
	uint64_t columns;		/* 0: the default number */
	const char *ladder;		/* kind of the ladder's lanes, or "auto" */
	const char *ask;		/* name of a ready question */
	bool narrowed;			/* a filter or a range excludes events */
	const char *question;		/* definitions of the question's spans, one per line; NULL: it is about events */
	const char *chain;	/* thread of the chain */
	const char *first, *second;	/* the two selections to compare; NULL: not given */
	const char *why;		/* condition for the spans to explain; NULL: not given */
	const char *values;		/* fields whose values are compared; NULL: not given */
	const char *sequence;		/* definition of the events to align; NULL: not given */
	bool diff, exit_code;
	uint64_t copy_limit;		/* largest copy from a host, in bytes; 0: the default */
	const char *sort;		/* NULL: keep the order of arrival */
	uint64_t top;			/* number of lines; 0: all lines */
	bool debug_info, full_path;	/* show names of addresses; show whole paths */
	const char *debug_dir, *target_prefix;	/* NULL: the default folders */
	const char *begin, *end;	/* times as typed; NULL: no bound */
	char *range;			/* owned: text of --timerange, cut in two */
	const char *output;		/* path of the output; NULL: standard output */
	const char *partition;		/* keys that divide the output into files; NULL: one file */
	bool force;			/* overwrite an existing output */
	enum output_format as;		/* format of the events */
	const char *complete;		/* condition that --complete completes */
	const char *export;		/* folder that --export writes */
	unsigned threads;		/* 0: one thread for each processor */
	const char *format;
	const char *metadata;		/* file with the streams' metadata; NULL: it is in the streams' folder */
	int64_t clock_offset_ns;
	bool align;			/* align traces by the clocks they share */
	bool no_index_cache, no_index_files;
	bool compress;			/* --export writes an archive */
	bool help_all;			/* --help=all was given */
	bool intersection;		/* only the time when all streams have events */
	bool follow;			/* the traces are still being written */
	const char *live_from;		/* text as typed; NULL: not given */
	bool live_from_now;
	int64_t live_lag_ns;		/* 0: the default */
	uint64_t live_keep;		/* bytes to keep; 0: all */
	const char *record;		/* file for the program's own diagnostics; NULL: not given */
	bool demo;
	const char *const *trace;	/* traces of the command line */
	char **copy;			/* owned: temporary copies of traces from other hosts; NULL: no copies */
	size_t n_traces;
	const char **command;		/* commands "+COMMAND", without the '+'; the array is owned */
	size_t n_commands;
};

/* Read the command line. Returns 0, or 2 after a message on standard error. Call options_release() in both cases. */
int options_read(struct options *o, int argc, char **argv);
void options_release(struct options *o);
void options_help(FILE *out);

/* For tests: read a LIST of --names or --fields. False: it has an unknown word. */
bool options_names(const char *list, unsigned *out);
bool options_fields(const char *list, unsigned *out);

#endif
