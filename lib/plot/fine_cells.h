/*
 * fine_cells.h - the values of a plot in fine cells of time: pictures of any window are made from them
 *
 * A fine cell is 1 << shift nanoseconds, and begins at a multiple of that. It has the number of its values, their sum, the
 * least, the greatest and the last one, a sketch of them, and how many are in each bin. Bins of a linear axis are units of its
 * level: powers of ten, or the user's step times powers of two, so that the bins of one level are whole parts of those of the
 * next, and cells with different levels can be added exactly. Each cell has the lowest level that leaves it few bins. Bins of
 * a doubling axis are eighths of the powers of two.
 *
 * The memory is bounded: if it gets too large, two neighbouring cells become one.
 */
#ifndef TN_PLOT_FINE_CELLS_H
#define TN_PLOT_FINE_CELLS_H

#include <stdatomic.h>

#include <tnav/plot.h>

#include "base/array.h"
#include "group/sketch.h"
#include "language/bins.h"
#include "scan/pack.h"

#define TN_PLOT_OCTAVE 8	/* bins between a power of two and the next one */

enum tn_plot_scale { TN_PLOT_DECIMAL, TN_PLOT_STEPS, TN_PLOT_LOG2 };

struct tn_plot_lattice {
	enum tn_plot_scale scale;
	struct tn_bins bins;	/* STEPS: the step */
	size_t most;		/* bins of a fine cell */
};

#define TN_PLOT_BIN(offset, n) ((uint32_t)(offset) << 16 | (uint32_t)(n))

struct tn_plot_fine {
	uint64_t n;		/* values; 0: all else is unset */
	double sum, min, max, last;
	int64_t last_ns;
	uint32_t last_rank;
	bool has_fractions;
	int level;
	int64_t first;		/* number of the lowest bin */
	uint32_t n_bins;	/* items; a bin may be several */
	uint32_t *bin;		/* offset from the first, and the number of values; ascending */
	struct tn_sketch sketch;	/* empty: the memory has none */
};

/* The packed key of a series. */
struct tn_plot_series {
	struct tn_words_out key;
	struct tn_answer_value value;	/* borrowed from the key */
	bool has_step;			/* the key is in steps: `from` and `to` are its limits */
	struct tn_answer_value from, to;
};

struct tn_plot_memory {
	atomic_uint refs;
	char *question;		/* the question it answers; with the set's growth */
	uint64_t grown;
	struct tn_plot_lattice lattice;
	int64_t begin_ns, end_ns;	/* the memory has all values in [begin_ns, end_ns) */
	unsigned shift;
	int64_t first;		/* number of the first cell: its time >> shift */
	size_t cells, n_series;
	struct tn_plot_fine *cell;	/* [series][cell] */
	bool *lost;		/* [cell]: events were lost, or there is damage */
	struct tn_plot_series series[TN_PLOT_SERIES];
	bool has_key;
	bool alone;		/* one thread fills it: values of spans, or samples */
	bool learns;		/* the series are the keys that come first */
	bool ends;		/* the reading ends at one key too many; else its values are left out */
	bool is_full;		/* the reading ended at one key too many */
	bool has_sketches;	/* sketches for lines of quantiles */
	uint64_t left_out;	/* values of other keys */
	struct tn_span_counts spans;
	uint64_t not_finite;	/* values that are infinite, or not a number */
	size_t bytes;
};

/* An empty one for [begin_ns, end_ns) with one reference, of cells of 1 << @shift; NULL: memory is out. */
struct tn_plot_memory *tn_plot_memory_new(const struct tn_plot_lattice *lattice, int64_t begin_ns, int64_t end_ns, unsigned shift,
					  size_t n_series);
/* Move the values to a memory with the series in this order; @m keeps only its keys. NULL: memory is out. */
struct tn_plot_memory *tn_plot_memory_sorted(struct tn_plot_memory *m, const size_t *order);
/* A sink for the values of groups (group/groups.h): its user is the memory. */
extern const struct tn_group_sink tn_plot_sink;
void tn_plot_memory_lose(struct tn_plot_memory *m, int64_t from_ns, int64_t to_ns);

/* ---- bins ---- */

/* The lower limit of a bin; of a doubling axis of its magnitude. */
double tn_plot_limit(const struct tn_plot_lattice *l, int level, int64_t bin);
/* @bits: of a number of that kind. */
int64_t tn_plot_bin(const struct tn_plot_lattice *l, int level, enum tn_answer_kind kind, uint64_t bits);
/* The bin of a higher level that contains a bin. */
int64_t tn_plot_rebin(const struct tn_plot_lattice *l, int64_t bin, int by);

#endif
