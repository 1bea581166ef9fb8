/* why_around.c - windows of time on threads; the events in them by class */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/why_around.h"
#include "base/error.h"
#include "scan/pieces.h"

enum { DURING, BEFORE, KINDS };

static const char *const kind_name[KINDS] = { "during", "before" };

void
tn_around_release(struct tn_around *a)
{
	TN_ARRAY_RELEASE(&a->span);
	a->met = a->every = 0;
}

bool
tn_around_add(struct tn_around *a, const struct tn_around_span *span)
{
	struct tn_around_span *at;
	size_t n = 0;

	a->every = a->every ? a->every : 1;
	if (a->met++ % a->every)
		return true;
	if (a->span.n == TN_AROUND_SPANS) {
		for (size_t i = 0; i < a->span.n; i += 2)
			a->span.item[n++] = a->span.item[i];
		a->span.n = n;
		a->every *= 2;
		if ((a->met - 1) % a->every)
			return true;
	}
	at = TN_ARRAY_ADD(&a->span);
	if (at)
		*at = *span;
	return at != NULL;
}

/* ---- windows ---- */

struct window {
	uint64_t thread;
	int64_t begin_ns, end_ns;	/* events between them, not at them */
	int64_t latest_ns;		/* the latest end of this and all earlier windows of the thread */
	bool selected;
	uint8_t block;
};

struct windows {
	struct window *item;
	size_t n;
	struct tn_hash first;		/* of each thread: its first window; they are in order */
	double length_ns[2][TN_COMPARE_BLOCKS];	/* rest, selected */
};

static void
windows_release(struct windows *w)
{
	free(w->item);
	tn_hash_release(&w->first);
}

static int
compare_spans(const void *a, const void *b)
{
	const struct tn_around_span *x = a, *y = b;

	return x->thread != y->thread ? (x->thread > y->thread) - (x->thread < y->thread) :
	       (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static int
compare_lengths(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The median: all windows before spans have this length, so that events at a fixed distance do not differ. */
static bool
usual_length(const struct tn_around *a, int64_t *out)
{
	int64_t *all = calloc(a->span.n + 1, sizeof *all);

	for (size_t i = 0; all && i < a->span.n; i++)
		all[i] = a->span.item[i].end_ns - a->span.item[i].begin_ns;
	if (all)
		qsort(all, a->span.n, sizeof *all, compare_lengths);
	*out = all ? all[a->span.n / 2] : 0;
	free(all);
	return all != NULL;
}

/* The spans are in the order of threads and begins, and so are the windows. */
static bool
make_windows(struct windows *w, const struct tn_around *a, int kind, int64_t usual_ns)
{
	w->item = calloc(a->span.n + 1, sizeof *w->item);
	for (size_t i = 0; w->item && i < a->span.n; i++) {
		const struct tn_around_span *s = &a->span.item[i];
		struct window *to = &w->item[w->n];
		int64_t from = s->begin_ns;

		if (kind == BEFORE && __builtin_sub_overflow(s->begin_ns, usual_ns, &from))
			continue;
		*to = (struct window) { s->thread, from, kind == BEFORE ? s->begin_ns : s->end_ns, 0, s->selected, s->block };
		w->length_ns[s->selected][s->block] += (double)(to->end_ns - to->begin_ns);
		w->n++;
	}
	for (size_t i = 0; i < w->n; i++) {
		struct window *at = &w->item[i];
		const bool same = i && at[-1].thread == at->thread;
		struct tn_hash_item *item;
		bool is_new;

		at->latest_ns = same && at[-1].latest_ns > at->end_ns ? at[-1].latest_ns : at->end_ns;
		item = same ? NULL : tn_hash_add_u64(&w->first, at->thread, &is_new);
		if (!same && !item)
			return false;
		if (item)
			item->value = i;
	}
	return w->item != NULL;
}

/* ---- counting ---- */

typedef uint64_t counts[2][TN_COMPARE_BLOCKS];	/* rest, selected; by block of the window */

struct search {
	struct tn_around *around;
	struct tn_why *why;
	const struct tn_scan_options *options;
	struct tn_classes classes;
	struct tn_take tid;
	struct tn_take_place *place;	/* by class */
	struct windows window[KINDS];
	counts *all[KINDS];		/* by class; the sum of the slots */
};

#define RECENT 64		/* a power of two */

/* Where the latest event of a thread was. */
struct recent {
	bool some;
	uint64_t thread;
	size_t first[KINDS], at[KINDS];	/* its windows, and those that begin at the event or later; `n`: it has none */
};

struct slot {
	counts **of[KINDS];		/* by class; NULL: none yet */
	size_t n_classes;
	struct recent recent[RECENT];
};

static void
slot_release(void *state)
{
	struct slot *s = state;

	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t i = 0; s->of[kind] && i < s->n_classes; i++)
			free(s->of[kind][i]);
		free(s->of[kind]);
	}
	free(s);
}

static void *
slot_make(void *user)
{
	const struct search *f = user;
	struct slot *s = calloc(1, sizeof *s);
	bool good = s != NULL;

	for (int kind = 0; good && kind < KINDS; kind++) {
		s->n_classes = f->classes.n;
		s->of[kind] = calloc(f->classes.n + 1, sizeof *s->of[kind]);
		good = s->of[kind] != NULL;
	}
	if (!good && s)
		slot_release(s);
	return good ? s : NULL;
}

static struct recent *
recent_of(struct slot *s, const struct search *f, uint64_t thread)
{
	struct recent *r = &s->recent[thread * UINT64_C(0x9e3779b97f4a7c15) >> 58 & (RECENT - 1)];

	if (r->some && r->thread == thread)
		return r;
	*r = (struct recent) { .some = true, .thread = thread };
	for (int kind = 0; kind < KINDS; kind++) {
		const struct tn_hash_item *item = tn_hash_find_u64(&f->window[kind].first, thread);

		r->first[kind] = r->at[kind] = item ? (size_t)item->value : f->window[kind].n;
	}
	return r;
}

static bool
is_before(const struct windows *w, const struct recent *r, size_t at, int64_t time_ns)
{
	return at < w->n && w->item[at].thread == r->thread && w->item[at].begin_ns < time_ns;
}

/* The first window of the thread that does not begin before a time: mostly that of the last event. */
static size_t
find_window(const struct windows *w, const struct recent *r, size_t first, size_t last, int64_t time_ns)
{
	size_t lo = first;

	if ((last == first || is_before(w, r, last - 1, time_ns)) && !is_before(w, r, last, time_ns))
		return last;
	TN_BISECT(lo, w->n, mid, is_before(w, r, mid, time_ns));
	return lo;
}

/* All windows of the thread around a time. */
static bool
count_at(const struct windows *w, counts **of, struct recent *r, int kind, int64_t time_ns)
{
	size_t at = r->at[kind] = find_window(w, r, r->first[kind], r->at[kind], time_ns);

	while (at-- > r->first[kind] && w->item[at].latest_ns > time_ns) {
		const struct window *to = &w->item[at];

		if (to->end_ns <= time_ns)
			continue;
		if (!*of && !(*of = calloc(1, sizeof **of)))
			return false;
		(**of)[to->selected][to->block]++;
	}
	return true;
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	const struct search *f = user;
	struct slot *s = state;
	const uint64_t loom = (uint64_t)f->classes.loom[b->stream->rank] << 32;

	for (size_t i = first; i < end; i++) {
		struct tn_answer_value tid = { 0 };
		struct recent *r;
		bool pass = true;
		size_t class;
		enum tn_code rc;

		if (b->refs.item[i].event_class == TN_REF_NOTICE)
			continue;
		class = tn_class_of(&f->classes, b, i);
		rc = f->place[class].reference ? tn_piece_passes(f->options, reader, b, i, &pass, err) : TN_OK;
		if (rc < 0)
			return rc;
		if (!f->place[class].reference || !pass)
			continue;
		tn_row_at(&reader->row, b, i);
		rc = tn_take_get(&f->tid, &f->place[class], &reader->row, &tid, err);
		if (rc < 0)
			return rc;
		if (tid.kind != TN_ANSWER_UINT)
			continue;
		r = recent_of(s, f, loom ^ tid.is.u);
		for (int kind = 0; kind < KINDS; kind++)
			if (!count_at(&f->window[kind], &s->of[kind][class], r, kind, tn_batch_time(b, i)))
				return tn_fail_memory(err);
	}
	return TN_OK;
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct search *f = user;
	struct slot *s = piece->state;

	(void)err;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < s->n_classes; i++) {
			uint64_t *from = s->of[kind][i] ? &(*s->of[kind][i])[0][0] : NULL, *to = &f->all[kind][i][0][0];

			for (size_t k = 0; from && k < 2 * TN_COMPARE_BLOCKS; k++)
				to[k] += from[k];
			if (from)
				memset(from, 0, sizeof **s->of[kind]);
		}
	return TN_OK;
}

/* ---- findings ---- */

static double
sum(const double *of)
{
	double all = 0;

	for (size_t i = 0; i < TN_COMPARE_BLOCKS; i++)
		all += of[i];
	return all;
}

/* A finding, if the class is more frequent in the windows of the selected spans. */
static bool
test_class(struct search *f, int kind, const char *name, const counts *n)
{
	const struct windows *w = &f->window[kind];
	const double selected_ns = sum(w->length_ns[1]), rest_ns = sum(w->length_ns[0]);
	struct tn_counts_over_time side[2] = { { .n = 0 } };
	double weight[2][TN_COMPARE_BLOCKS];
	struct tn_findings *all = &f->why->findings;
	struct tn_why_finding *out;

	if (!(selected_ns > 0) || !(rest_ns > 0))
		return true;
	for (size_t i = 0; i < 2; i++) {
		for (size_t b = 0; b < TN_COMPARE_BLOCKS; b++) {
			side[i].slice[b] = (*n)[i][b];
			side[i].n += side[i].slice[b];
			weight[i][b] = w->length_ns[i][b] / (i ? selected_ns : rest_ns);
		}
		side[i].weight = weight[i];
	}
	if (side[1].n < 5 || (double)side[1].n * rest_ns <= (double)side[0].n * selected_ns)
		return true;
	out = TN_ARRAY_ADD(&all->finding);
	if (!out)
		return false;
	out->field = kind_name[kind];
	out->is_rate = true;
	out->value = tn_answer_text(name);
	out->selected = side[1].n;
	out->rest = side[0].n;
	out->selected_share = (double)side[1].n / selected_ns * 1e9;
	out->rest_share = (double)side[0].n / rest_ns * 1e9;
	tn_findings_judge(all, out, tn_test_counts(&side[1], &side[0], selected_ns / rest_ns));
	return true;
}

/* Classes of several traces may have one name. */
static bool
add_names(struct search *f)
{
	const struct tn_event_class **class = f->classes.item;

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < f->classes.n; i++) {
			size_t k = 0;

			while (k < i && (!class[k]->name || !class[i]->name || strcmp(class[k]->name, class[i]->name) != 0))
				k++;
			if (k == i && !class[i]->name)
				continue;
			for (size_t at = 0; k < i && at < 2 * TN_COMPARE_BLOCKS; at++) {
				(&f->all[kind][k][0][0])[at] += (&f->all[kind][i][0][0])[at];
				(&f->all[kind][i][0][0])[at] = 0;
			}
		}
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < f->classes.n; i++)
			if (class[i]->name && !test_class(f, kind, class[i]->name, &f->all[kind][i]))
				return false;
	return true;
}

static enum tn_code
prepare(struct search *f, struct tn_error *err)
{
	int64_t usual_ns;
	bool no_memory = false, good = usual_length(f->around, &usual_ns);
	enum tn_code rc = TN_OK;

	if (f->around->span.n)
		qsort(f->around->span.item, f->around->span.n, sizeof *f->around->span.item, compare_spans);
	f->place = calloc(f->classes.n + 1, sizeof *f->place);
	for (int kind = 0; kind < KINDS && good; kind++) {
		f->all[kind] = calloc(f->classes.n + 1, sizeof *f->all[kind]);
		good = f->all[kind] && make_windows(&f->window[kind], f->around, kind, usual_ns);
	}
	for (size_t c = 0; rc == TN_OK && good && f->place && c < f->classes.n; c++)
		if (tn_take_has(&f->tid, c, &no_memory))
			rc = tn_take_find(&f->tid, c, &f->place[c], err);
	return rc < 0 ? rc : good && f->place && !no_memory ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_around_find(struct tn_around *a, struct tn_why *w, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_pieces_ops ops = { .make = slot_make, .release = slot_release, .rows = rows, .deliver = deliver };
	struct search f = { .around = a, .why = w, .options = options };
	enum tn_code rc = tn_classes_init(&f.classes, w->selection.set, err);

	if (rc < 0)
		return rc;
	rc = tn_take_init(&f.tid, &f.classes, "tid", 3, "tid", 1, err);
	if (rc == TN_OK) {
		rc = prepare(&f, err);
		if (rc == TN_OK)
			rc = tn_pieces_run(w->selection.set, options, &ops, &f, err);
		w->findings.asked += KINDS * f.classes.n;
		if (rc == TN_OK && !add_names(&f))
			rc = tn_fail_memory(err);
		tn_take_release(&f.tid);
	}
	for (int kind = 0; kind < KINDS; kind++) {
		windows_release(&f.window[kind]);
		free(f.all[kind]);
	}
	free(f.place);
	tn_classes_release(&f.classes);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;	/* these traces have no threads */
}
