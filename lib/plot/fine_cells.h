/*
 * fine_cells.h - the values of a plot in fine cells of time, from which pictures of any window are made
 *
 * A fine cell is 1 << shift nanoseconds long, and begins at a multiple of its length. It has the number of its values,
 * their sum, the smallest, the largest and the last one, a sketch of them, and the number of values in each bin. Bins of
 * a linear axis are units of a level: powers of ten, or the user's step times powers of two. Each bin of a level is
 * inside of one bin of the next level, so that cells with different levels can be added exactly. A cell has the lowest
 * level that gives it few bins. Bins of a doubling axis are eighths of powers of two.
 *
 * The memory is limited: if it becomes too large, each two neighbouring cells become one.
 */
#ifndef TN_PLOT_FINE_CELLS_H
#define TN_PLOT_FINE_CELLS_H

#include <stdatomic.h>

#include <tnav/plot.h>

#include "base/array.h"
#include "group/sketch.h"
#include "language/bins.h"
#include "scan/pack.h"

#define TN_PLOT_OCTAVE 8	/* number of bins from a power of two to the next one */

enum tn_plot_scale { TN_PLOT_DECIMAL, TN_PLOT_STEPS, TN_PLOT_LOG2 };

struct tn_plot_lattice {
	enum tn_plot_scale scale;
	struct tn_bins bins;	/* step of STEPS */
	size_t most;		/* limit of bins in a fine cell */
};

#define TN_PLOT_BIN(offset, n) ((uint32_t)(offset) << 16 | (uint32_t)(n))

struct tn_plot_fine {
	uint64_t n;		/* number of values; 0: the other members are not set */
	double sum, min, max, last;
	int64_t last_ns;
	uint32_t last_rank;
	bool has_fractions;
	int level;
	int64_t first;		/* number of the lowest bin */
	uint32_t n_bins;	/* number of items in `bin`; a bin may have several */
	uint32_t *bin;		/* offset from the first bin, and number of values; ascending */
	struct tn_sketch sketch;	/* empty if the memory does not have sketches */
};

/* A series, with its packed key. */
struct tn_plot_series {
	struct tn_words_out key;
	struct tn_answer_value value;	/* borrows from the key */
	bool has_step;			/* the key is divided into steps; `from` and `to` are the limits of this step */
	struct tn_answer_value from, to;
};

struct tn_plot_memory {
	atomic_uint refs;
	char *question;		/* the question for which it was made, with the growth of the set */
	uint64_t grown;
	struct tn_plot_lattice lattice;
	int64_t begin_ns, end_ns;	/* the memory has all values in [begin_ns, end_ns) */
	unsigned shift;
	int64_t first;		/* number of the first cell: its time >> shift */
	size_t cells, n_series;
	struct tn_plot_fine *cell;	/* by series, then by cell */
	bool *lost;		/* for each cell, whether events were lost, or damaged */
	struct tn_plot_series series[TN_PLOT_SERIES];
	bool has_key;
	bool alone;		/* one thread fills it, with values of spans or with samples */
	bool learns;		/* the keys that arrive first become series */
	bool ends;		/* the reading ends if there are too many keys; otherwise values of more keys are left out */
	bool is_full;		/* the reading ended because there were too many keys */
	bool has_sketches;	/* cells have sketches, for lines of quantiles */
	uint64_t left_out;	/* number of values of other keys */
	struct tn_span_counts spans;
	uint64_t not_finite;	/* number of values that are infinite or NaN */
	size_t bytes;
};

/* Make an empty memory for [begin_ns, end_ns), with one reference and cells of 1 << @shift. NULL: memory is out. */
struct tn_plot_memory *tn_plot_memory_new(const struct tn_plot_lattice *lattice, int64_t begin_ns, int64_t end_ns, unsigned shift,
					  size_t n_series);
/* Move the values to a new memory with the series in this order; @m keeps only its keys. NULL: memory is out. */
struct tn_plot_memory *tn_plot_memory_sorted(struct tn_plot_memory *m, const size_t *order);
/* A sink for the values of groups (group/groups.h), whose user is a memory. */
extern const struct tn_group_sink tn_plot_sink;
void tn_plot_memory_lose(struct tn_plot_memory *m, int64_t from_ns, int64_t to_ns);

/* ---- bins ---- */

/* The lower limit of a bin; on a doubling axis, of its magnitude. */
double tn_plot_limit(const struct tn_plot_lattice *l, int level, int64_t bin);
/* @bits: the bits of a number of this kind */
int64_t tn_plot_bin(const struct tn_plot_lattice *l, int level, enum tn_answer_kind kind, uint64_t bits);
/* The bin of a higher level that contains a bin. */
int64_t tn_plot_rebin(const struct tn_plot_lattice *l, int64_t bin, int by);

#endif
