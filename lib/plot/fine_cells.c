/* fine_cells.c - the values of a plot in fine cells: several threads gather them; cells are merged and made coarser */
#include "plot/fine_cells.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "group/groups.h"

#define MOST_BYTES ((size_t)96 << 20)
#define WAITING 65536		/* limit of values in a cell that wait to be put into bins */
#define FEW 24			/* limit of values that are sorted; more are counted in an array */
#define OPEN 16			/* cells of a series with waiting values: spans do not come in the order of their begins */
#define PARTS 64			/* of one thread that fills a memory alone: a picture so far lacks no more */
#define LOG_BINS (2 * 64 * TN_PLOT_OCTAVE + 2)
#define LEAST_LEVEL (-300)
#define MOST_LEVEL 2200		/* number of powers of two from the smallest to the largest float */

/* ---- bins ---- */

static uint64_t
power_of_ten(int n)
{
	uint64_t p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

/* The width of a bin as a whole number; 0: the width is fractional or too large. */
static uint64_t
whole_unit(const struct tn_plot_lattice *l, int level)
{
	if (l->scale == TN_PLOT_DECIMAL)
		return level >= 0 && level <= 19 ? power_of_ten(level) : 0;
	return level < 63 && l->bins.step && l->bins.step <= UINT64_MAX >> level ? l->bins.step << level : 0;
}

double
tn_plot_limit(const struct tn_plot_lattice *l, int level, int64_t bin)
{
	if (l->scale == TN_PLOT_STEPS)
		return (double)bin * ldexp(l->bins.width, level);
	if (l->scale == TN_PLOT_DECIMAL)	/* the float that is nearest to a decimal number, at all levels */
		return level < 0 ? (double)bin / pow(10, -level) : (double)bin * pow(10, level);
	bin = bin < 0 ? -bin : bin;
	return bin ? ldexp(TN_PLOT_OCTAVE + (double)((bin - 1) % TN_PLOT_OCTAVE), (int)((bin - 1) / TN_PLOT_OCTAVE) - 3) : 0;
}

static int64_t
log_bin(uint64_t u)
{
	int octave = u ? 63 - __builtin_clzll(u) : 0;

	if (!u)
		return 0;
	u = octave >= 3 ? u >> (octave - 3) : u << (3 - octave);
	return octave * TN_PLOT_OCTAVE + (int64_t)(u & (TN_PLOT_OCTAVE - 1)) + 1;
}

static inline double
as_double(enum tn_answer_kind kind, uint64_t bits)
{
	double f;

	memcpy(&f, &bits, sizeof f);
	return kind == TN_ANSWER_FLOAT ? f : kind == TN_ANSWER_SINT ? (double)(int64_t)bits : (double)bits;
}

/* @unit: the width of a bin of the level, if it is a whole number; otherwise 0. */
static inline int64_t
bin_of(const struct tn_plot_lattice *l, int level, uint64_t unit, enum tn_answer_kind kind, uint64_t bits)
{
	bool negative = kind == TN_ANSWER_SINT && (int64_t)bits < 0;
	uint64_t u = negative ? -bits : bits;
	int64_t bin;
	double f;

	if (l->scale == TN_PLOT_LOG2) {
		if (kind == TN_ANSWER_FLOAT)	/* these values are refused later */
			return log_bin((uint64_t)fmin(fabs(as_double(kind, bits)), 9e18));
		return negative ? -log_bin(u) : log_bin(u);
	}
	if (kind != TN_ANSWER_FLOAT && unit == 1 && !negative)
		return (int64_t)u;
	if (kind != TN_ANSWER_FLOAT && unit)
		return negative ? -(int64_t)(u / unit + (u % unit > 0)) : (int64_t)(u / unit);
	f = as_double(kind, bits);
	bin = (int64_t)floor(f / tn_plot_limit(l, level, 1));
	while (tn_plot_limit(l, level, bin) > f)
		bin--;
	while (tn_plot_limit(l, level, bin + 1) <= f)
		bin++;
	return bin;
}

int64_t
tn_plot_bin(const struct tn_plot_lattice *l, int level, enum tn_answer_kind kind, uint64_t bits)
{
	return bin_of(l, level, whole_unit(l, level), kind, bits);
}

int64_t
tn_plot_rebin(const struct tn_plot_lattice *l, int64_t bin, int by)
{
	int64_t unit;

	if (by <= 0 || l->scale == TN_PLOT_LOG2)
		return bin;
	if (l->scale == TN_PLOT_STEPS)
		return bin >> (by < 63 ? by : 63);
	if (by > 18)
		return bin < 0 ? -1 : 0;
	unit = (int64_t)power_of_ten(by);
	return bin / unit - (bin % unit < 0);
}

/* The lowest level, at least @least, at which [min, max] has few bins with exact numbers. */
static int
level_of(const struct tn_plot_lattice *l, double min, double max, bool has_fractions, int least)
{
	double range = max / 2 - min / 2, size = fmax(fabs(min), fabs(max));
	int level = l->scale == TN_PLOT_STEPS || !has_fractions ? 0 : LEAST_LEVEL;

	if (l->scale == TN_PLOT_LOG2)
		return 0;
	if (l->scale == TN_PLOT_DECIMAL && has_fractions && size > 0) {
		double units = fmax(range / (double)l->most * 2, size / 1e15);

		level = units > 1e-300 ? (int)floor(log10(units)) : LEAST_LEVEL;
	}
	if (has_fractions && size == 0)
		level = 0;
	level = level > least ? level : least;
	for (; level < MOST_LEVEL; level++) {
		double unit = tn_plot_limit(l, level, 1);

		if (range / unit < (double)l->most / 2 - 2 && size / unit < (has_fractions ? 4e15 : 4e18))
			break;
	}
	return level;
}

/* ---- one cell ---- */

static int
compare_bins(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Counts of bins, by number; all are zero between uses. */
struct counts {
	uint64_t *n;
	size_t room;
};

static bool
put_bin(struct tn_plot_fine *f, size_t *room, int64_t bin, uint64_t n)
{
	while (n) {
		uint32_t here = n < 65535 ? (uint32_t)n : 65535;

		if (f->n_bins == *room) {
			size_t more = *room ? 2 * *room : 8;
			uint32_t *grown = realloc(f->bin, more * sizeof *grown);

			if (!grown)
				return false;
			f->bin = grown;
			*room = more;
		}
		f->bin[f->n_bins++] = TN_PLOT_BIN(bin - f->first, here);
		n -= here;
	}
	return true;
}

static void
trim(struct tn_plot_fine *f)
{
	uint32_t *bin = f->n_bins ? realloc(f->bin, f->n_bins * sizeof *bin) : NULL;

	f->bin = bin ? bin : f->bin;
}

/* Move the counts of bins [first, last] to the cell. */
static bool
take_counts(struct tn_plot_fine *f, struct counts *c, int64_t first, int64_t last)
{
	size_t room = 0;
	bool whole = true;

	f->bin = NULL;
	f->n_bins = 0;
	f->first = first;
	for (int64_t b = first; b <= last; b++) {
		whole = whole && (!c->n[b - first] || put_bin(f, &room, b, c->n[b - first]));
		c->n[b - first] = 0;
	}
	trim(f);
	return whole;
}

static void
release_cell(struct tn_plot_fine *f)
{
	free(f->bin);
	tn_sketch_release(&f->sketch);
}

static size_t
bytes_of(const struct tn_plot_fine *f)
{
	return f->n_bins * sizeof *f->bin + tn_sketch_bytes(&f->sketch);
}

static bool
has_room(struct counts *c, size_t n)
{
	uint64_t *grown;

	if (n <= c->room)
		return true;
	grown = realloc(c->n, n * sizeof *grown);
	if (!grown)
		return false;
	memset(grown + c->room, 0, (n - c->room) * sizeof *grown);
	c->n = grown;
	c->room = n;
	return true;
}

/* Count values in bins. There are few bins, because the level was chosen for this. */
static bool
count_bins(struct tn_plot_fine *f, struct counts *c, int64_t *bin, size_t n)
{
	int64_t first = bin[0], last = bin[0];
	size_t room = 0;
	bool whole = true;

	if (n <= FEW) {
		qsort(bin, n, sizeof *bin, compare_bins);
		f->first = bin[0];
		for (size_t i = 0, end; whole && i < n; i = end) {
			for (end = i + 1; end < n && bin[end] == bin[i];)
				end++;
			whole = put_bin(f, &room, bin[i], end - i);
		}
		trim(f);
		return whole;
	}
	for (size_t i = 1; i < n; i++) {
		first = bin[i] < first ? bin[i] : first;
		last = bin[i] > last ? bin[i] : last;
	}
	if (!has_room(c, (size_t)(last - first) + 1))
		return false;
	for (size_t i = 0; i < n; i++)
		c->n[bin[i] - first]++;
	return take_counts(f, c, first, last);
}

static void
add_bins(struct counts *c, int64_t first, const struct tn_plot_lattice *l, const struct tn_plot_fine *f, int level)
{
	for (uint32_t i = 0; i < f->n_bins; i++)
		c->n[tn_plot_rebin(l, f->first + (f->bin[i] >> 16), level - f->level) - first] += f->bin[i] & 0xffff;
}

static int64_t
last_bin(const struct tn_plot_fine *f)
{
	return f->first + (f->bin[f->n_bins - 1] >> 16);
}

/* Add the cell @from, whose values are later, to another cell, and empty it. */
static bool
merge_cell(const struct tn_plot_lattice *l, struct counts *c, struct tn_plot_fine *into, struct tn_plot_fine *from)
{
	struct tn_plot_fine made = *into;
	int64_t first, last, other;
	int level;

	if (!from->n)
		return true;
	if (!into->n) {
		*into = *from;
		*from = (struct tn_plot_fine) { 0 };
		return true;
	}
	made.n += from->n;
	made.sum += from->sum;
	made.min = fmin(into->min, from->min);
	made.max = fmax(into->max, from->max);
	made.has_fractions |= from->has_fractions;
	if (from->last_ns > into->last_ns || (from->last_ns == into->last_ns && from->last_rank >= into->last_rank)) {
		made.last = from->last;
		made.last_ns = from->last_ns;
		made.last_rank = from->last_rank;
	}
	level = into->level > from->level ? into->level : from->level;
	made.level = level_of(l, made.min, made.max, made.has_fractions, level);
	first = tn_plot_rebin(l, into->first, made.level - into->level);
	other = tn_plot_rebin(l, from->first, made.level - from->level);
	first = other < first ? other : first;
	last = tn_plot_rebin(l, last_bin(into), made.level - into->level);
	other = tn_plot_rebin(l, last_bin(from), made.level - from->level);
	last = other > last ? other : last;
	if (last - first > 65535 || !has_room(c, (size_t)(last - first) + 1) || !tn_sketch_merge(&into->sketch, &from->sketch))
		return false;
	made.sketch = into->sketch;
	add_bins(c, first, l, into, made.level);
	add_bins(c, first, l, from, made.level);
	free(into->bin);
	release_cell(from);
	*from = (struct tn_plot_fine) { 0 };
	*into = made;
	return take_counts(into, c, first, last);
}

/* ---- a piece ---- */

struct waiting {
	uint64_t bits;
	enum tn_answer_kind kind;
};

/* Values of a series that wait for the end of their cell. */
struct open_cell {
	int64_t cell;
	TN_ARRAY(struct waiting) value;
	size_t last;	/* index of the last one */
	int64_t last_ns;
	uint32_t last_rank;
};

struct part {
	size_t series;
	int64_t cell;
	struct tn_plot_fine fine;
};

struct piece {
	struct tn_plot_memory *m;
	unsigned shift;			/* `shift` of the memory when the piece began */
	struct open_cell open[TN_PLOT_SERIES][OPEN];
	struct counts counts;
	int64_t bin[WAITING];
	TN_ARRAY(struct part) parts;
	uint64_t left_out, not_finite;
	size_t series;			/* the series used last */
};

static void
piece_release(void *state)
{
	struct piece *p = state;

	for (size_t i = 0; i < TN_PLOT_SERIES * OPEN; i++)
		TN_ARRAY_RELEASE(&p->open[i / OPEN][i % OPEN].value);
	for (size_t i = 0; i < p->parts.n; i++)
		release_cell(&p->parts.item[i].fine);
	TN_ARRAY_RELEASE(&p->parts);
	free(p->counts.n);
	free(p);
}

static void *
piece_make(void *user)
{
	struct piece *p = calloc(1, sizeof *p);

	if (p) {
		p->m = user;
		p->shift = p->m->shift;
	}
	return p;
}

/* Make a part of the waiting values of a cell. */
static bool
close_cell(struct piece *p, size_t series, struct open_cell *o)
{
	struct part *part;
	uint64_t unit;
	bool whole = true;
	struct tn_plot_fine f = { .n = o->value.n, .last_ns = o->last_ns, .last_rank = o->last_rank, .min = INFINITY,
				  .max = -INFINITY };

	if (!o->value.n)
		return true;
	f.last = as_double(o->value.item[o->last].kind, o->value.item[o->last].bits);
	for (const struct waiting *w = o->value.item; w < o->value.item + o->value.n; w++) {
		double d = as_double(w->kind, w->bits);

		f.sum += d;
		f.min = d < f.min ? d : f.min;
		f.max = d > f.max ? d : f.max;
		f.has_fractions |= w->kind == TN_ANSWER_FLOAT;
		whole = whole && (!p->m->has_sketches || tn_sketch_add(&f.sketch, d));
	}
	f.level = level_of(&p->m->lattice, f.min, f.max, f.has_fractions, INT_MIN);
	unit = whole_unit(&p->m->lattice, f.level);
	for (size_t i = 0; i < o->value.n; i++)
		p->bin[i] = bin_of(&p->m->lattice, f.level, unit, o->value.item[i].kind, o->value.item[i].bits);
	part = whole && count_bins(&f, &p->counts, p->bin, o->value.n) ? TN_ARRAY_ADD(&p->parts) : NULL;
	o->value.n = 0;
	if (!part) {
		release_cell(&f);
		return false;
	}
	*part = (struct part) { series, o->cell, f };
	return true;
}

static bool
is_key(const struct tn_plot_series *s, const uint64_t *key, size_t words)
{
	return s->key.n == words && memcmp(s->key.item, key, 8 * words) == 0;
}

/* Make a series of the key. Earlier pictures do not have it. */
static size_t
learn(struct piece *p, const uint64_t *key, size_t words)
{
	struct tn_plot_memory *m = p->m;
	struct tn_plot_series *s = &m->series[m->n_series];

	if (m->n_series == TN_PLOT_SERIES || !TN_ARRAY_RESERVE(&s->key, words)) {
		m->is_full = m->ends;
		return SIZE_MAX;
	}
	memcpy(s->key.item, key, 8 * words);
	s->key.n = words;
	tn_unpack(s->key.item, &s->value);
	return p->series = m->n_series++;
}

static size_t
series_of(struct piece *p, const uint64_t *key, size_t words)
{
	if (!p->m->has_key || is_key(&p->m->series[p->series], key, words))
		return p->series;
	for (size_t i = 0; i < p->m->n_series; i++)
		if (is_key(&p->m->series[i], key, words))
			return p->series = i;
	return p->m->learns ? learn(p, key, words) : SIZE_MAX;
}

/* ---- the memory ---- */

struct tn_plot_memory *
tn_plot_memory_new(const struct tn_plot_lattice *lattice, int64_t begin_ns, int64_t end_ns, unsigned shift, size_t n_series)
{
	struct tn_plot_memory *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	atomic_init(&m->refs, 1);
	m->lattice = *lattice;
	if (lattice->scale == TN_PLOT_LOG2)
		m->lattice.most = LOG_BINS;
	m->begin_ns = begin_ns;
	m->end_ns = end_ns;
	m->shift = shift;
	m->first = begin_ns >> shift;
	m->cells = (size_t)(((end_ns - 1) >> shift) - m->first) + 1;
	m->n_series = n_series;
	m->cell = calloc(m->cells * n_series + 1, sizeof *m->cell);
	m->lost = calloc(m->cells, sizeof *m->lost);
	if (m->cell && m->lost)
		return m;
	tn_plot_memory_free(m);
	return NULL;
}

struct tn_plot_memory *
tn_plot_memory_sorted(struct tn_plot_memory *m, const size_t *order)
{
	struct tn_plot_memory *sorted = tn_plot_memory_new(&m->lattice, m->begin_ns, m->end_ns, m->shift, m->n_series);

	if (!sorted)
		return NULL;
	sorted->has_key = m->has_key;
	sorted->has_sketches = m->has_sketches;
	sorted->left_out = m->left_out;
	sorted->not_finite = m->not_finite;
	sorted->spans = m->spans;
	sorted->bytes = m->bytes;
	memcpy(sorted->lost, m->lost, m->cells * sizeof *m->lost);
	for (size_t s = 0; s < m->n_series; s++) {
		struct tn_plot_fine *from = &m->cell[order[s] * m->cells];
		const struct tn_plot_series *of = &m->series[order[s]];
		struct tn_plot_series *to = &sorted->series[s];

		if (!TN_ARRAY_RESERVE(&to->key, of->key.n)) {
			tn_plot_memory_free(sorted);
			return NULL;
		}
		memcpy(to->key.item, of->key.item, 8 * of->key.n);
		to->key.n = of->key.n;
		tn_unpack(to->key.item, &to->value);
		memcpy(&sorted->cell[s * m->cells], from, m->cells * sizeof *from);
		memset(from, 0, m->cells * sizeof *from);
	}
	return sorted;
}

struct tn_plot_memory *
tn_plot_memory_get(struct tn_plot_memory *m)
{
	if (m)
		atomic_fetch_add(&m->refs, 1);
	return m;
}

void
tn_plot_memory_free(struct tn_plot_memory *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	for (size_t i = 0; m->cell && i < m->cells * m->n_series; i++)
		release_cell(&m->cell[i]);
	for (size_t i = 0; i < TN_PLOT_SERIES; i++)
		TN_ARRAY_RELEASE(&m->series[i].key);
	free(m->cell);
	free(m->lost);
	free(m->question);
	free(m);
}

/* Join each two neighbouring cells to one. */
static bool
make_coarser(struct tn_plot_memory *m, struct counts *c)
{
	int64_t first = m->first >> 1;
	size_t cells = (size_t)(((m->first + (int64_t)m->cells - 1) >> 1) - first) + 1;

	m->bytes = 0;
	for (size_t s = 0; s < m->n_series; s++)
		for (size_t i = 0; i < m->cells; i++) {
			size_t to = s * cells + (size_t)(((m->first + (int64_t)i) >> 1) - first);
			struct tn_plot_fine moved = m->cell[s * m->cells + i];

			/* The new place is at or before the old one. */
			m->cell[s * m->cells + i] = (struct tn_plot_fine) { 0 };
			if (!merge_cell(&m->lattice, c, &m->cell[to], &moved)) {
				release_cell(&moved);
				return false;
			}
		}
	for (size_t i = 0; i < m->cells; i++) {
		bool lost = m->lost[i];

		m->lost[i] = false;
		m->lost[((m->first + (int64_t)i) >> 1) - first] |= lost;
	}
	for (size_t i = 0; i < cells * m->n_series; i++)
		m->bytes += bytes_of(&m->cell[i]);
	m->first = first;
	m->cells = cells;
	m->shift++;
	return true;
}

static bool
merge_parts(struct tn_plot_memory *m, struct piece *p)
{
	bool whole = true;

	for (size_t i = 0; i < p->parts.n; i++) {
		struct part *part = &p->parts.item[i];
		size_t at = (size_t)((part->cell >> (m->shift - p->shift)) - m->first);
		struct tn_plot_fine *to = &m->cell[part->series * m->cells + at];

		m->bytes -= bytes_of(to);
		whole = whole && merge_cell(&m->lattice, &p->counts, to, &part->fine);
		m->bytes += bytes_of(to);
		release_cell(&part->fine);
	}
	p->parts.n = 0;
	m->left_out += p->left_out;
	m->not_finite += p->not_finite;
	p->left_out = p->not_finite = 0;
	while (whole && m->bytes > MOST_BYTES && m->cells > 1)
		whole = make_coarser(m, &p->counts);
	return whole;
}

/* ---- the sink ---- */

static bool
piece_put(void *state, const uint64_t *key, size_t words, int64_t time_ns, uint32_t rank, enum tn_answer_kind kind,
	  uint64_t bits)
{
	struct piece *p = state;
	struct open_cell *o;
	size_t series;

	if (time_ns < p->m->begin_ns || time_ns >= p->m->end_ns || kind == TN_ANSWER_TEXT)
		return true;
	series = series_of(p, key, words);
	if (p->m->is_full)
		return false;
	if (series == SIZE_MAX || (kind == TN_ANSWER_FLOAT && !isfinite(as_double(kind, bits)))) {
		*(series == SIZE_MAX ? &p->left_out : &p->not_finite) += 1;
		return true;
	}
	o = &p->open[series][(time_ns >> p->shift) & (OPEN - 1)];
	if (time_ns >> p->shift != o->cell || o->value.n == WAITING) {
		if (!close_cell(p, series, o))
			return false;
		o->cell = time_ns >> p->shift;
		if (p->m->alone && p->parts.n >= PARTS)
			return merge_parts(p->m, p) && piece_put(state, key, words, time_ns, rank, kind, bits);
	}
	if (!TN_ARRAY_RESERVE(&o->value, o->value.n + 1))
		return false;
	o->value.item[o->value.n++] = (struct waiting) { bits, kind };
	if (o->value.n == 1 || time_ns >= o->last_ns) {
		o->last = o->value.n - 1;
		o->last_ns = time_ns;
		o->last_rank = rank;
	}
	return true;
}

static bool
piece_merge(void *user, void *state)
{
	struct piece *p = state;
	bool whole = true;

	for (size_t i = 0; i < TN_PLOT_SERIES * OPEN; i++)
		whole = close_cell(p, i / OPEN, &p->open[i / OPEN][i % OPEN]) && whole;
	whole = merge_parts(user, p) && whole;
	p->shift = p->m->shift;
	return whole;
}

const struct tn_group_sink tn_plot_sink = {
	.make = piece_make, .release = piece_release, .put = piece_put, .merge = piece_merge,
};

void
tn_plot_memory_lose(struct tn_plot_memory *m, int64_t from_ns, int64_t to_ns)
{
	if (to_ns < m->begin_ns || from_ns >= m->end_ns)
		return;
	from_ns = from_ns < m->begin_ns ? m->begin_ns : from_ns;
	to_ns = to_ns >= m->end_ns ? m->end_ns - 1 : to_ns;
	for (int64_t i = from_ns >> m->shift; i <= to_ns >> m->shift; i++)
		m->lost[i - m->first] = true;
}
