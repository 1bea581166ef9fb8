#include "scan/packet_skip.h"

#include <stdlib.h>

#include "digest/counts.h"
#include "digest/slices.h"
#include "digest/tail.h"
#include "digest/zone_map.h"
#include "index/packet_index.h"
#include "scan/zone_writer.h"

/* The known values of a field that a condition tests. */
struct known {
	const struct tn_reference *reference;
	const struct tn_column *column;	/* NULL: no values are known */
	size_t packet, number;	/* the packet that the values belong to */
	bool is_read;
	bool is_known;
	struct tn_zone values;
};

/* The columns of one trace that a question needs. */
struct look {
	struct tn_packet_skip *out;
	const struct tn_scan_options *o;
	const struct tn_question *question;
	const struct tn_prefilter *prefilter;	/* NULL is allowed */
	bool counts_only;
	int64_t first_end_ns;	/* the earliest end of a packet with rows in the range */
	const struct tn_trace *trace;
	const struct tn_column *all, *exact, *tails;
	/* Known questions that match every event that this question matches. */
	TN_ARRAY(const struct tn_column *) wider;
	enum tn_verdict *verdict;	/* for each class, by its number */
	struct known known[TN_ZONE_FIELDS];
	size_t n_known;
	struct known texts;	/* texts of lines */
	const struct tn_stream *stream;
	size_t number, packet;	/* stream and packet that are examined now */
	/* For callers that need the matching events: their classes, with numbers. */
	const struct tn_event_class **class;
	uint64_t *count;
	size_t n_counts;
	uint64_t events;	/* number of events in the last note of counts */
	const struct tn_column *slices[2];	/* slices of all events and of matching events; searched when needed */
	bool has_slices[2];
	struct tn_slices_read read;
};

/* A packet whose counts the caller gets, and the source of its slices. */
struct tn_packet_look {
	struct look *look;
	bool exact;		/* true: slices of matching events; false: slices of all events, which all match */
	struct tn_packet entry;	/* the packet's entry in the index */
	uint64_t events;
};

/* ---- values ---- */

static struct known *
find_known(struct look *l, const struct tn_reference *reference)
{
	struct tn_str name = { 0 };
	struct known *k;

	for (size_t i = 0; i < l->n_known; i++)
		if (l->known[i].reference == reference)
			return &l->known[i];
	if (l->n_known == TN_ZONE_FIELDS)
		return NULL;
	k = &l->known[l->n_known++];
	*k = (struct known) { .reference = reference };
	tn_question_name(&name, &reference->meaning);
	if (!name.failed) {
		struct tn_column *column = tn_digest_column(l->trace->digest, TN_COLUMN_FIELD, tn_str_text(&name), false);

		k->column = column && tn_column_use(l->trace->digest, column) ? column : NULL;
	}
	tn_str_release(&name);
	return k;
}

/* Get the zone map of the field for the current packet. */
static const struct tn_zone *
read_known(const struct look *l, struct known *k)
{
	struct tn_note note;

	if (!k || !k->column)
		return NULL;
	if (!k->is_read || k->packet != l->packet || k->number != l->number) {
		note = tn_column_note(k->column, l->number, l->packet);
		k->is_known = note.bytes && tn_zone_read(&k->values, note.bytes, note.n);
		k->is_read = true;
		k->packet = l->packet;
		k->number = l->number;
	}
	return k->is_known ? &k->values : NULL;
}

static const struct tn_zone *
known_values(void *user, const struct tn_reference *reference)
{
	return read_known(user, find_known(user, reference));
}

/* Whether events of a class may match. */
static bool
may_pass(struct look *l, size_t class)
{
	const struct tn_zone *texts = read_known(l, &l->texts);

	if (l->prefilter && !tn_prefilter_may_pass(l->prefilter, l->stream, (uint32_t)class,
						   texts && texts->level & TN_ZONE_NGRAMS ? texts : NULL))
		return false;
	return tn_filter_may_pass(l->o->filter, l->trace->event_class[class], known_values, l);
}

/* ---- counts ---- */

/*
 * Get the counts of a note, only for classes whose events all match (@whole). *open: events of other classes may match,
 * too. False: the note is invalid.
 */
static bool
read_counts(struct look *l, struct tn_note note, bool whole, uint64_t *passed, bool *open)
{
	struct tn_counts counts;
	uint32_t class;
	uint64_t n;

	*passed = 0;
	*open = false;
	l->n_counts = 0;
	if (!tn_counts_begin(&counts, note))
		return false;
	l->events = counts.total;
	while (tn_counts_next(&counts, l->trace->n_event_classes, &class, &n)) {
		if (whole && !*open && l->verdict[class] == TN_VERDICT_OPEN)
			*open = may_pass(l, class);
		if (!whole || l->verdict[class] == TN_VERDICT_YES) {
			l->class[l->n_counts] = l->trace->event_class[class];
			l->count[l->n_counts++] = n;
			*passed += n;
		}
	}
	return tn_counts_end(&counts);
}

/* ---- one packet ---- */

/* Get an entry with its known end. The end in the index is only a bound, usually the start of the next packet. */
static bool
get_packet(const struct look *l, struct tn_stream *s, size_t number, size_t packet, struct tn_packet *out)
{
	struct tn_tail tail;

	if (tn_index_get(s, packet, out, NULL, NULL) != TN_OK)
		return false;
	if (tn_tail_get(&tail, l->tails, number, packet) && tail.key_ns >= out->begin_ns && tail.key_ns < out->end_ns)
		out->end_ns = tail.key_ns;
	return true;
}

/* Whether all rows of the packet are in the range of the scan. */
static bool
is_inside(const struct look *l, const struct tn_stream *s, const struct tn_packet *p)
{
	const struct tn_scan_options *o = l->o;

	if (!o->has_begin && !o->has_end && !o->has_from && !o->has_to)
		return true;
	return s->stream_class->clock && (!o->has_begin || p->begin_ns >= o->begin_ns) &&
	       (!o->has_end || p->end_ns <= o->end_ns) && (!o->has_from || p->begin_ns > o->from.time_ns) &&
	       (!o->has_to || p->end_ns < o->to.time_ns);
}

static const struct tn_column *
slices_column(struct look *l, bool exact)
{
	struct tn_digest *digest = l->trace->digest;
	struct tn_column *column;

	if (l->has_slices[exact])
		return l->slices[exact];
	column = tn_digest_column(digest, TN_COLUMN_SLICES, exact ? tn_str_text(&l->question->all) : "", false);
	l->slices[exact] = column && tn_column_use(digest, column) ? column : NULL;
	l->has_slices[exact] = true;
	return l->slices[exact];
}

bool
tn_packet_slices(const struct tn_packet_counts *counts, struct tn_packet_slices *out)
{
	const struct tn_packet_look *p = counts ? counts->look : NULL;
	const struct tn_column *column = p && out ? slices_column(p->look, p->exact) : NULL;
	struct tn_slices_read *read = column ? &p->look->read : NULL;

	if (!read || !tn_slices_read(read, tn_column_note(column, p->look->number, p->look->packet), &p->entry, p->events))
		return false;
	*out = (struct tn_packet_slices) {
		tn_slice_begin(read->first, read->shift), UINT64_C(1) << read->shift, read->n, read->count,
	};
	return true;
}

/* Pass the contents of l->class and l->count to callers that count. */
static bool
hand_over(struct look *l, const struct tn_stream *s, size_t packet, const struct tn_packet *p, uint64_t passed, bool exact)
{
	const struct tn_scan_options *o = l->o;
	struct tn_packet_look look = { l, exact, *p, passed };
	const struct tn_packet_counts counts = {
		.stream = s->rank, .packet = packet, .begin_ns = p->begin_ns, .end_ns = p->end_ns, .events = passed,
		.n_classes = l->n_counts, .event_class = l->class, .count = l->count,
		.look = exact || passed == l->events ? &look : NULL,
	};

	if (!l->counts_only || !is_inside(l, s, p) || (o->packet && !o->packet(o->user, &counts)))
		return false;
	l->out->passed += passed;
	return true;
}

/* Whether the packet does not contain the first event of the range, whose line has another delta than in other ranges. */
static bool
is_surely_not_first(const struct look *l, const struct tn_packet *p)
{
	return !l->question->of_lines || !l->o->has_begin || p->begin_ns > l->first_end_ns;
}

static unsigned
mark_of(struct look *l, const struct tn_stream *s, size_t number, size_t packet, const struct tn_packet *p)
{
	struct tn_counts counts;
	struct tn_note note;
	uint64_t passed;
	bool open;

	l->stream = s;
	l->number = number;
	l->packet = packet;
	if (!is_surely_not_first(l, p))
		return TN_MARK_READ;
	for (size_t i = 0; i < l->wider.n; i++)
		if (tn_counts_begin(&counts, tn_column_note(l->wider.item[i], number, packet)) && counts.total == 0)
			return TN_MARK_LEFT_OUT;
	note = l->exact ? tn_column_note(l->exact, number, packet) : (struct tn_note) { 0 };
	if (note.bytes && read_counts(l, note, false, &passed, &open))
		return passed == 0 || hand_over(l, s, packet, p, passed, true) ? TN_MARK_LEFT_OUT : TN_MARK_READ;
	note = l->all ? tn_column_note(l->all, number, packet) : (struct tn_note) { 0 };
	if (note.bytes && read_counts(l, note, true, &passed, &open) && !open)
		return passed == 0 || hand_over(l, s, packet, p, passed, false) ? TN_MARK_LEFT_OUT : TN_MARK_READ;
	return TN_MARK_READ;
}

/* ---- one trace ---- */

/*
 * Find the columns with facts about matching events. Damaged columns are dropped when they are used, and others replace
 * them.
 */
static void
find_columns(struct look *l, struct tn_digest *d)
{
	struct tn_column *column;
	size_t at = 0;

	l->all = l->exact = l->tails = NULL;
	l->wider.n = 0;
	while ((column = tn_digest_next(d, TN_COLUMN_COUNTS, &at))) {
		const struct tn_column **wider;
		const char *name = tn_column_name(column);

		if (!tn_question_has(l->question, name))
			continue;
		if (!tn_column_use(d, column)) {
			at = l->wider.n = 0;
			l->all = l->exact = NULL;
			continue;
		}
		if (!*name)
			l->all = column;
		if (strcmp(name, tn_str_text(&l->question->all)) == 0)
			l->exact = column;
		else if (*name && (wider = TN_ARRAY_ADD(&l->wider)))
			*wider = column;
	}
	column = tn_digest_column(d, TN_COLUMN_TAILS, "", false);
	if (column && tn_column_use(d, column))
		l->tails = column;
}

static bool
begin_trace(struct look *l, const struct tn_trace *t)
{
	size_t n = t->n_event_classes;

	l->trace = t;
	if (tn_prefilter_needs_texts(l->prefilter)) {
		struct tn_column *column = tn_digest_column(t->digest, TN_COLUMN_FIELD, TN_ZONE_LINES, false);

		l->texts.column = column && tn_column_use(t->digest, column) ? column : NULL;
		l->texts.is_read = false;
	}
	l->verdict = calloc(n + 1, sizeof *l->verdict);
	l->class = calloc(n + 1, sizeof *l->class);
	l->count = calloc(n + 1, sizeof *l->count);
	if (!l->verdict || !l->class || !l->count)
		return false;
	for (size_t i = 0; i < n; i++)
		l->verdict[i] = l->o->filter ? tn_filter_verdict(l->o->filter, t->event_class[i]) : TN_VERDICT_YES;
	return true;
}

static void
end_trace(struct look *l)
{
	free(l->verdict);
	free((void *)l->class);
	free(l->count);
	for (size_t i = 0; i < l->n_known; i++)
		tn_zone_release(&l->known[i].values);
	l->n_known = 0;
	tn_zone_release(&l->texts.values);
	l->texts = (struct known) { 0 };
	l->verdict = NULL;
	l->class = NULL;
	l->count = NULL;
	TN_ARRAY_RELEASE(&l->wider);
}

static void
mark_stream(struct look *l, struct tn_stream *s, size_t number)
{
	struct tn_packet_marks *marks = &l->out->marks[s->rank];
	size_t n = tn_stream_packet_count(s);	/* number of packets found so far */

	marks->mark = calloc(n + 1, 1);
	marks->n = marks->mark ? n : 0;
	for (size_t i = 0; i < marks->n; i++) {
		struct tn_packet p;

		if (get_packet(l, s, number, i, &p))
			marks->mark[i] = (uint8_t)mark_of(l, s, number, i, &p);
	}
}

/* Find the earliest end of a packet that has events in the range. */
static void
find_first_end(struct look *l, const struct tn_trace *t)
{
	for (size_t s = 0; l->all && s < t->n_streams; s++)
		for (size_t i = 0; i < tn_stream_packet_count(t->stream[s]); i++) {
			struct tn_counts counts;
			struct tn_packet p;

			if (!tn_counts_begin(&counts, tn_column_note(l->all, s, i)) || !counts.total ||
			    !get_packet(l, t->stream[s], s, i, &p) ||
			    !is_inside(l, t->stream[s], &p))
				continue;
			if (p.end_ns < l->first_end_ns)
				l->first_end_ns = p.end_ns;
			break;	/* later packets end later */
		}
}

/* ---- the deltas of lines ---- */

struct interval {
	int64_t begin_ns, end_ns;
};

struct gaps {
	TN_ARRAY(struct interval) read;
	TN_ARRAY(struct tn_line_previous) tails;	/* last events of skipped packets */
	bool failed;
};

static int
compare_intervals(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static int
compare_previous(const struct tn_line_previous *a, const struct tn_line_previous *b)
{
	if (a->key_ns != b->key_ns)
		return a->key_ns < b->key_ns ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int
compare_tails(const void *a, const void *b)
{
	return compare_previous(a, b);
}

/* Collect the times of packets that are read. */
static void
look_read(struct look *l, void *user, const struct tn_trace *t)
{
	struct gaps *g = user;

	for (size_t s = 0; s < t->n_streams; s++)
		for (size_t i = 0; i < tn_stream_packet_count(t->stream[s]); i++) {
			struct interval *one;
			struct tn_packet p;

			if (tn_packet_mark(l->out->marks, t->stream[s], i) != TN_MARK_READ)
				continue;
			if (!get_packet(l, t->stream[s], s, i, &p) || !(one = TN_ARRAY_ADD(&g->read)))
				g->failed = true;
			else
				*one = (struct interval) { p.begin_ns, p.end_ns };
		}
}

/* Join times that overlap. */
static void
join_read(struct gaps *g)
{
	size_t n = 0;

	if (g->read.n)
		qsort(g->read.item, g->read.n, sizeof *g->read.item, compare_intervals);
	for (size_t i = 0; i < g->read.n; i++) {
		const struct interval one = g->read.item[i];

		if (n && one.begin_ns <= g->read.item[n - 1].end_ns) {
			if (one.end_ns > g->read.item[n - 1].end_ns)
				g->read.item[n - 1].end_ns = one.end_ns;
		} else {
			g->read.item[n++] = one;
		}
	}
	g->read.n = n;
}

static bool
overlaps(const struct gaps *g, const struct tn_packet *p)
{
	size_t lo = 0;

	TN_BISECT(lo, g->read.n, mid, g->read.item[mid].end_ns < p->begin_ns);
	return lo < g->read.n && g->read.item[lo].begin_ns <= p->end_ns;
}

/*
 * Examine the skipped packets of a stream. Those that overlap packets that are read are read, too; of the others, the
 * tail is noted.
 */
static void
look_at_left_out(struct look *l, struct gaps *g, struct tn_stream *s, size_t number)
{
	struct tn_packet_marks *marks = &l->out->marks[s->rank];

	for (size_t i = 0; i < marks->n; i++) {
		struct tn_line_previous *tail;
		struct tn_tail kept;
		struct tn_packet p;

		if (marks->mark[i] != TN_MARK_LEFT_OUT)
			continue;
		if (!tn_tail_get(&kept, l->tails, number, i) || !get_packet(l, s, number, i, &p) || overlaps(g, &p)) {
			marks->mark[i] = TN_MARK_MUTE;
			continue;
		}
		if (l->o->has_begin && kept.key_ns < l->o->begin_ns)
			continue;
		if (!(tail = TN_ARRAY_ADD(&g->tails))) {
			g->failed = true;
			return;
		}
		*tail = (struct tn_line_previous) { true, kept.ns, kept.cycles, kept.key_ns, s->rank };
	}
}

/* For each range of time that is read, find the last event before it that is not read. */
static void
place_tails(struct tn_packet_skip *f, struct gaps *g)
{
	size_t tail = 0;

	if (g->tails.n)
		qsort(g->tails.item, g->tails.n, sizeof *g->tails.item, compare_tails);
	for (size_t i = 0; i < g->read.n; i++) {
		struct tn_packet_skip_gap *gap = TN_ARRAY_ADD(&f->gaps);

		if (!gap) {
			g->failed = true;
			return;
		}
		gap->begin_ns = g->read.item[i].begin_ns;
		while (tail < g->tails.n && g->tails.item[tail].key_ns < gap->begin_ns)
			tail++;
		if (tail)
			gap->before = g->tails.item[tail - 1];
	}
}

void
tn_packet_skip_previous(const struct tn_packet_skip *f, int64_t key_ns, struct tn_line_previous *previous)
{
	size_t lo = 0;
	const struct tn_line_previous *before;

	TN_BISECT(lo, f->gaps.n, mid, f->gaps.item[mid].begin_ns <= key_ns);
	before = lo ? &f->gaps.item[lo - 1].before : NULL;
	if (before && before->known && (!previous->known || compare_previous(previous, before) < 0))
		*previous = *before;
}

/* ---- all ---- */

static void
each_trace(struct look *l, const struct tn_set *set, void (*look)(struct look *l, void *user, const struct tn_trace *t), void *user)
{
	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];

		l->all = l->exact = l->tails = NULL;
		l->has_slices[0] = l->has_slices[1] = false;
		l->wider.n = 0;
		if (t->digest) {
			tn_digest_lock(t->digest);
			find_columns(l, t->digest);
		}
		look(l, user, t);
		if (t->digest)
			tn_digest_unlock(t->digest);
	}
}

static void
look_first(struct look *l, void *user, const struct tn_trace *t)
{
	(void)user;
	find_first_end(l, t);
}

static void
look_marks(struct look *l, void *user, const struct tn_trace *t)
{
	(void)user;
	if ((l->all || l->exact || l->wider.n) && begin_trace(l, t))
		for (size_t s = 0; s < t->n_streams; s++)
			mark_stream(l, t->stream[s], s);
	end_trace(l);
}

static void
look_tails(struct look *l, void *user, const struct tn_trace *t)
{
	for (size_t s = 0; s < t->n_streams; s++)
		look_at_left_out(l, user, t->stream[s], s);
}

/* Memory is out: the events before the read packets are unknown, so read all packets. */
static void
mute_all(struct tn_packet_skip *f)
{
	for (size_t s = 0; s < f->n_streams; s++)
		for (size_t i = 0; i < f->marks[s].n; i++)
			if (f->marks[s].mark[i] == TN_MARK_LEFT_OUT)
				f->marks[s].mark[i] = TN_MARK_MUTE;
}

void
tn_packet_skip_make(struct tn_packet_skip *out, const struct tn_set *set, const struct tn_scan_options *options,
		 const struct tn_question *question, const struct tn_prefilter *prefilter, bool counts_only, bool with_lines)
{
	struct look l = {
		.out = out, .o = options, .question = question, .prefilter = prefilter, .counts_only = counts_only,
		.first_end_ns = INT64_MAX,
	};
	struct gaps g = { 0 };

	*out = (struct tn_packet_skip) { .n_streams = set->n_streams };
	for (size_t i = 0; i < set->n_streams && with_lines; i++)
		if (!set->stream[i]->stream_class->clock || !tn_index_is_complete(set->stream[i]))
			return;	/* the order of the events is unknown */
	out->marks = calloc(set->n_streams + 1, sizeof *out->marks);
	if (!out->marks)
		return;
	if (question->of_lines && options->has_begin)
		each_trace(&l, set, look_first, NULL);
	each_trace(&l, set, look_marks, NULL);
	if (with_lines) {
		each_trace(&l, set, look_read, &g);
		join_read(&g);
		each_trace(&l, set, look_tails, &g);
		place_tails(out, &g);
	}
	TN_ARRAY_RELEASE(&g.read);
	TN_ARRAY_RELEASE(&g.tails);
	TN_ARRAY_RELEASE(&l.wider);
	if (g.failed)
		mute_all(out);
}

void
tn_packet_skip_release(struct tn_packet_skip *f)
{
	for (size_t i = 0; f->marks && i < f->n_streams; i++)
		free(f->marks[i].mark);
	free(f->marks);
	TN_ARRAY_RELEASE(&f->gaps);
}

/* ---- for code that reads packets without a scan ---- */

struct tn_left_out {
	struct tn_question question;
	struct tn_packet_skip skip;
};

struct tn_left_out *
tn_left_out_new(const struct tn_set *set, const struct tn_scan_options *options)
{
	struct tn_left_out *left;
	bool any = false;

	for (size_t i = 0; i < set->n_traces; i++)
		any |= set->trace[i]->digest != NULL;
	if (!any || !options->filter || tn_filter_empty(options->filter) || tn_filter_has_regex(options->filter))
		return NULL;
	left = calloc(1, sizeof *left);
	if (left && tn_question_of(&left->question, options->filter, set, NULL))
		tn_packet_skip_make(&left->skip, set, options, &left->question, NULL, false, false);
	return left;
}

const struct tn_packet_marks *
tn_left_out_marks(const struct tn_left_out *left)
{
	return left ? left->skip.marks : NULL;
}

void
tn_left_out_free(struct tn_left_out *left)
{
	if (!left)
		return;
	tn_packet_skip_release(&left->skip);
	tn_question_release(&left->question);
	free(left);
}

/* ---- classes that have events ---- */

static bool
see_classes(const struct tn_trace *t, void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user)
{
	struct tn_column *column = tn_digest_column(t->digest, TN_COLUMN_COUNTS, "", false);
	bool all = true;

	if (!column || !tn_column_use(t->digest, column))
		return false;
	for (size_t s = 0; s < t->n_streams; s++) {
		all &= tn_index_is_complete(t->stream[s]);
		for (size_t i = 0; i < tn_stream_packet_count(t->stream[s]); i++) {
			struct tn_counts counts;
			uint32_t class;
			uint64_t n;

			if (!tn_counts_begin(&counts, tn_column_note(column, s, i))) {
				all = false;
				continue;
			}
			while (tn_counts_next(&counts, t->n_event_classes, &class, &n))
				seen(user, t->stream[s], class);
			all &= tn_counts_end(&counts);
		}
	}
	return all;
}

bool
tn_known_classes(const struct tn_set *set,
		 void (*seen)(void *user, const struct tn_stream *stream, uint32_t event_class), void *user)
{
	bool all = true;

	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];

		if (!t->digest) {
			all = false;
			continue;
		}
		tn_digest_lock(t->digest);
		all &= see_classes(t, seen, user);
		tn_digest_unlock(t->digest);
	}
	return all;
}
