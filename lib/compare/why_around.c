/* why_around.c - windows of time on threads, and the events in them, by class */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/why_around.h"
#include "base/error.h"
#include "scan/pieces.h"

enum { DURING, BEFORE, KINDS };

#define USUAL_OF 100000	/* number of spans whose lengths give the usual length */

static const char *const kind_name[KINDS] = { "during", "before" };

void
tn_around_release(struct tn_around *a)
{
	TN_ARRAY_RELEASE(&a->span);
	TN_ARRAY_RELEASE(&a->threads);
	tn_hash_release(&a->thread_of);
	a->met = a->every = 0;
}

bool
tn_around_add(struct tn_around *a, uint64_t key, const struct tn_around_thread *thread, const struct tn_around_span *span)
{
	struct tn_hash_item *number;
	struct tn_around_span *at;
	bool is_new;
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
	number = tn_hash_add_u64(&a->thread_of, key, &is_new);
	at = number ? TN_ARRAY_ADD(&a->span) : NULL;
	if (!at)
		return false;
	if (is_new) {
		struct tn_around_thread *new_thread = TN_ARRAY_ADD(&a->threads);

		if (!new_thread)
			return false;
		*new_thread = *thread;
		number->value = a->threads.n - 1;
	}
	*at = *span;
	at->thread = (uint32_t)number->value;
	return true;
}

/* ---- windows ---- */

/* The spans by thread and begin. Each has two windows: its own time, and the time before it. */
struct windows {
	struct tn_around_span *item;
	size_t *first;			/* for each thread, the indices of its first span and after its last span */
	size_t n_threads;
	uint64_t usual_ns;		/* length of the windows before spans */
	double length_ns[KINDS][2][TN_COMPARE_BLOCKS];	/* total length in each block: [0]: rest, [1]: selected */
};

static int
compare_begins(const void *a, const void *b)
{
	const struct tn_around_span *x = a, *y = b;

	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static uint64_t
length_of(const struct tn_around_span *s)
{
	return s->end_ns > s->begin_ns ? (uint64_t)s->end_ns - (uint64_t)s->begin_ns : 0;
}

static int
compare_lengths(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Find the median length; if there are many spans, of a part of them. All windows before spans have this length, so that
 * events at a fixed distance do not differ.
 */
static bool
find_usual(struct windows *w, size_t n_spans)
{
	const size_t step = n_spans / USUAL_OF + 1;
	uint64_t *all = calloc(n_spans / step + 1, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; all && i < n_spans; i += step)
		all[n++] = length_of(&w->item[i]);
	if (n)
		qsort(all, n, sizeof *all, compare_lengths);
	w->usual_ns = n ? all[n / 2] : 0;
	free(all);
	return all != NULL;
}

/* Put the spans of each thread together. Usually they arrive in the order of their begins. */
static bool
sort_spans(struct windows *w, const struct tn_around *a)
{
	size_t sum = 0;

	w->n_threads = a->thread_of.n;
	w->item = calloc(a->span.n + 1, sizeof *w->item);
	w->first = calloc(w->n_threads + 1, sizeof *w->first);
	if (!w->item || !w->first)
		return false;
	for (size_t i = 0; i < a->span.n; i++)
		w->first[a->span.item[i].thread]++;
	for (size_t t = 0; t <= w->n_threads; t++) {
		const size_t n = w->first[t];

		w->first[t] = sum;
		sum += n;
	}
	for (size_t i = 0; i < a->span.n; i++)
		w->item[w->first[a->span.item[i].thread]++] = a->span.item[i];
	memmove(w->first + 1, w->first, w->n_threads * sizeof *w->first);
	w->first[0] = 0;
	for (size_t t = 0; t < w->n_threads; t++) {
		bool sorted = true;

		for (size_t i = w->first[t] + 1; i < w->first[t + 1] && sorted; i++)
			sorted = w->item[i - 1].begin_ns <= w->item[i].begin_ns;
		if (!sorted)
			qsort(w->item + w->first[t], w->first[t + 1] - w->first[t], sizeof *w->item, compare_begins);
	}
	return true;
}

static bool
make_windows(struct windows *w, const struct tn_around *a)
{
	if (!sort_spans(w, a) || !find_usual(w, a->span.n))
		return false;
	for (size_t i = 0; i < a->span.n; i++) {
		struct tn_around_span *s = &w->item[i];
		const bool same = i && s[-1].thread == s->thread;

		s->latest_ns = same && s[-1].latest_ns > s->end_ns ? s[-1].latest_ns : s->end_ns;
		w->length_ns[DURING][s->selected][s->block] += (double)length_of(s);
		w->length_ns[BEFORE][s->selected][s->block] += (double)w->usual_ns;
	}
	return true;
}

/* ---- counting ---- */

typedef uint64_t counts[2][TN_COMPARE_BLOCKS];	/* [0]: rest, [1]: selected; by block of the window */

struct search {
	struct tn_around *around;
	struct tn_why *why;
	const struct tn_scan_options *options;
	struct tn_classes classes;
	struct tn_take tid;
	struct tn_take_place *place;	/* by number of the class */
	struct windows windows;
	counts *all[KINDS];		/* by number of the class: the sum of all slots */
};

#define RECENT 64		/* entries of the cache; a power of two */

/* The place of a thread's latest event. */
struct recent {
	bool some;
	uint64_t thread;
	size_t first, end;	/* range of the thread's spans */
	size_t at;		/* the first span that begins at or after the event */
};

struct slot {
	counts **of[KINDS];		/* by number of the class; NULL: no counts yet */
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

	const struct tn_hash_item *number;

	if (r->some && r->thread == thread)
		return r;
	*r = (struct recent) { .some = true, .thread = thread };
	number = tn_hash_find_u64(&f->around->thread_of, thread);
	if (number) {
		r->first = r->at = f->windows.first[number->value];
		r->end = f->windows.first[number->value + 1];
	}
	return r;
}

/* Move to the first span that begins at or after a time. It is usually near, so the steps begin small and double. */
static void
go_to(const struct windows *w, struct recent *r, int64_t time_ns)
{
	size_t lo = r->first, hi = r->at, step = 1;

	if (hi == lo || w->item[hi - 1].begin_ns < time_ns) {
		lo = hi;
		while (hi < r->end && w->item[hi].begin_ns < time_ns) {
			lo = hi + 1;
			hi = r->end - hi > step ? hi + step : r->end;
			step *= 2;
		}
	}
	TN_BISECT(lo, hi, mid, w->item[mid].begin_ns < time_ns);
	r->at = lo;
}

static bool
count_one(counts **of, const struct tn_around_span *s)
{
	if (!*of && !(*of = calloc(1, sizeof **of)))
		return false;
	(**of)[s->selected][s->block]++;
	return true;
}

/* Count the event in all windows of the thread that contain its time. */
static bool
count_at(const struct windows *w, struct slot *s, size_t class, struct recent *r, int64_t time_ns)
{
	go_to(w, r, time_ns);
	for (size_t at = r->at; at-- > r->first && w->item[at].latest_ns > time_ns;)
		if (w->item[at].end_ns > time_ns && !count_one(&s->of[DURING][class], &w->item[at]))
			return false;
	for (size_t at = r->at; at < r->end && (uint64_t)w->item[at].begin_ns - (uint64_t)time_ns < w->usual_ns; at++)
		if (w->item[at].begin_ns > time_ns && !count_one(&s->of[BEFORE][class], &w->item[at]))
			return false;
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
		if (r->end > r->first && !count_at(&f->windows, s, class, r, tn_batch_time(b, i)))
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

/* Add a finding if the class is more frequent in the windows of the selected spans. */
static bool
test_class(struct search *f, int kind, const char *name, const counts *n)
{
	double (*length_ns)[TN_COMPARE_BLOCKS] = f->windows.length_ns[kind];
	const double selected_ns = sum(length_ns[1]), rest_ns = sum(length_ns[0]);
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
			weight[i][b] = length_ns[i][b] / (i ? selected_ns : rest_ns);
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

/* Add up classes with the same name, which several traces can have. */
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
	bool no_memory = false, good = make_windows(&f->windows, f->around);
	enum tn_code rc = TN_OK;

	TN_ARRAY_RELEASE(&f->around->span);	/* the windows have copies of the spans */
	f->place = calloc(f->classes.n + 1, sizeof *f->place);
	for (int kind = 0; kind < KINDS && good; kind++) {
		f->all[kind] = calloc(f->classes.n + 1, sizeof *f->all[kind]);
		good = f->all[kind] != NULL;
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
	for (int kind = 0; kind < KINDS; kind++)
		free(f.all[kind]);
	free(f.windows.item);
	free(f.windows.first);
	free(f.place);
	tn_classes_release(&f.classes);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;	/* these traces do not have threads */
}
