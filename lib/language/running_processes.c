/*
 * running_processes.c - the processes of threads
 *
 * A fact gives the process of a thread from its time on. The number of a thread is used again after the thread's end, so
 * births of threads divide the time of a number. A fact from a state dump is also valid for the time before it, back to
 * the birth.
 */
#include "language/running_processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "digest/counts.h"
#include "index/packet_index.h"
#include "language/attribute_field.h"

#define CLONE_THREAD 0x10000
#define UNKNOWN (-1)
#define SAME_BIRTH_NS 1000000000	/* longest time between two reports of one birth */

enum how { IS, BORN, EXEC, TASK };

static const struct { const char *event; enum how how; const char *thread, *other; } rows[] = {
#define PROCESS(event, how, thread, other) { event, how, thread, other },
#include "language/running.def"
};

struct source {
	enum how how;
	struct tn_switch_field thread, other, own;	/* `own`: the thread of the event itself */
	struct source *next;	/* next source for the same class */
};

struct fact {
	int64_t tid, time_ns;
	int64_t pid;		/* number of the process; or UNKNOWN */
	int64_t as;		/* the thread whose process this thread has; or UNKNOWN */
	size_t number;
	bool is_born, also_before;
};

struct tn_processes {
	const struct tn_trace *trace;
	struct tn_arena arena;
	void **of_class;	/* struct source of each class, by its index */
	struct tn_switch_field **own;	/* by index of the class */
	atomic_bool is_gathered;	/* the facts are complete, unless the trace grows */
	pthread_mutex_t lock;	/* protects all members below; held while facts are collected */
	TN_ARRAY(struct fact) fact;	/* sorted by thread and time */
	size_t *n_packets;	/* for each stream, number of packets whose facts were collected */
	uint64_t *content_bits;	/* for each stream, size of the last of these packets */
	struct tn_switch_reader reader;
};

/* ---- classes ---- */

static bool
find(struct tn_switch_field *f, const struct tn_event_class *ec, enum tn_scope scope, const char *name)
{
	const char *const names[] = { name, NULL };

	return tn_member_field(ec, scope, names, 0, &f->target) && tn_type_is_integer(f->target.field->type);
}

/* vtid is not used, because facts have the thread numbers of the host. */
static enum tn_code
find_own(struct tn_switch_field *f, struct tn_arena *arena, const struct tn_event_class *ec, struct tn_error *err)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT };
	static const char *const names[] = { "tid", "common_pid" };

	for (size_t i = 0; i < TN_COUNT(scopes); i++)
		for (size_t k = 0; k < TN_COUNT(names); k++)
			if (find(f, ec, scopes[i], names[k]))
				return tn_switch_place(f, arena, ec, err);
	f->target.field = NULL;
	return TN_OK;
}

static enum tn_code
add_source(struct tn_processes *p, const struct tn_event_class *ec, size_t row, struct tn_error *err)
{
	struct source s = { .how = rows[row].how }, *source;
	enum tn_code rc;

	if (!find(&s.thread, ec, TN_SCOPE_PAYLOAD, rows[row].thread) ||
	    (rows[row].other && !find(&s.other, ec, TN_SCOPE_PAYLOAD, rows[row].other)))
		return TN_OK;
	for (source = p->of_class[ec->index]; source; source = source->next)
		if (source->how == s.how)
			return TN_OK;
	rc = tn_switch_place(&s.thread, &p->arena, ec, err);
	if (rc == TN_OK)
		rc = tn_switch_place(&s.other, &p->arena, ec, err);
	if (rc == TN_OK)
		rc = find_own(&s.own, &p->arena, ec, err);
	if (rc != TN_OK)
		return rc;
	if (!(source = TN_NEW(&p->arena, struct source)))
		return tn_fail_memory(err);
	*source = s;
	source->next = p->of_class[ec->index];
	p->of_class[ec->index] = source;
	return TN_OK;
}

/* Whether an event reports a process. The birth of a thread alone does not. */
static bool
tells(const struct tn_processes *p)
{
	for (size_t i = 0; i < p->trace->n_event_classes; i++)
		for (const struct source *s = p->of_class[i]; s; s = s->next)
			if (s->other.target.field)
				return true;
	return false;
}

static enum tn_code
find_sources(struct tn_processes *p, struct tn_error *err)
{
	size_t n = p->trace->n_event_classes;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < TN_COUNT(rows) && rc == TN_OK; k++)
			if (p->trace->event_class[i]->name && strcmp(p->trace->event_class[i]->name, rows[k].event) == 0)
				rc = add_source(p, p->trace->event_class[i], k, err);
	return rc;
}

static enum tn_code
find_owns(struct tn_processes *p, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < p->trace->n_event_classes && rc == TN_OK; i++) {
		struct tn_switch_field f = { .target = { .field = NULL } };

		rc = find_own(&f, &p->arena, p->trace->event_class[i], err);
		if (rc == TN_OK && f.target.field) {
			if (!(p->own[i] = TN_NEW(&p->arena, struct tn_switch_field)))
				return tn_fail_memory(err);
			*p->own[i] = f;
		}
	}
	return rc;
}

enum tn_code
tn_processes_new(struct tn_processes **out, const struct tn_trace *trace, struct tn_error *err)
{
	struct tn_processes *p = calloc(1, sizeof *p);
	enum tn_code rc;

	*out = NULL;
	if (!p)
		return tn_fail_memory(err);
	p->trace = trace;
	pthread_mutex_init(&p->lock, NULL);
	p->of_class = calloc(trace->n_event_classes + (size_t)1, sizeof *p->of_class);
	p->own = calloc(trace->n_event_classes + (size_t)1, sizeof *p->own);
	p->n_packets = calloc(trace->n_streams + (size_t)1, sizeof *p->n_packets);
	p->content_bits = calloc(trace->n_streams + (size_t)1, sizeof *p->content_bits);
	rc = p->of_class && p->own && p->n_packets && p->content_bits ? find_sources(p, err) : tn_fail_memory(err);
	if (rc == TN_OK && tells(p))
		rc = find_owns(p, err);
	if (rc == TN_OK && tells(p))
		*out = p;
	else
		tn_processes_free(p);
	return rc;
}

void
tn_processes_free(struct tn_processes *p)
{
	if (!p)
		return;
	TN_ARRAY_RELEASE(&p->fact);
	free(p->of_class);
	free(p->own);
	free(p->n_packets);
	free(p->content_bits);
	tn_switch_reader_release(&p->reader);
	tn_arena_release(&p->arena);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

const struct tn_switch_field *
tn_processes_thread(const struct tn_processes *p, const struct tn_event_class *ec)
{
	return p->own[ec->index];
}

/* ---- facts ---- */

bool
tn_running_has_none(const struct tn_trace *trace, void *const *of_class, const struct tn_stream *stream, size_t packet,
		    const struct tn_packet *entry)
{
	struct tn_column *column;
	struct tn_counts counts;
	bool none = false;
	uint32_t class;
	uint64_t n;

	if (!trace->digest || entry->flags & ~TN_PACKET_CHECKED)
		return false;
	tn_digest_lock(trace->digest);
	column = tn_digest_column(trace->digest, TN_COLUMN_COUNTS, "", false);
	for (size_t s = 0; column && s < trace->n_streams; s++) {
		if (trace->stream[s] != stream || !tn_column_use(trace->digest, column) ||
		    !tn_counts_begin(&counts, tn_column_note(column, s, packet)))
			continue;
		none = counts.total == entry->n_events;
		while (tn_counts_next(&counts, trace->n_event_classes, &class, &n))
			none &= !of_class[class];
		none &= tn_counts_end(&counts);
		break;
	}
	tn_digest_unlock(trace->digest);
	return none;
}

static bool
number(struct tn_switch_reader *r, const struct tn_switch_field *f, const struct tn_batch *b, size_t row, int64_t *out)
{
	struct tn_cell cell = tn_switch_get(r, f, b, row);

	*out = cell.kind == TN_CELL_SIGNED || cell.kind == TN_CELL_UNSIGNED ? cell.i : UNKNOWN;
	return *out >= 0;
}

static bool
add_fact(struct tn_processes *p, const struct source *s, const struct tn_batch *b, size_t row)
{
	struct fact f = { .time_ns = b->refs.item[row].time_ns, .pid = UNKNOWN, .as = UNKNOWN, .number = p->fact.n }, *fact;
	int64_t other;

	if (!number(&p->reader, &s->thread, b, row, &f.tid))
		return true;
	(void)number(&p->reader, &s->other, b, row, &other);
	switch (s->how) {
	case IS:
		f.pid = other;
		f.also_before = true;
		break;
	case BORN:
		f.pid = other;
		f.is_born = true;
		break;
	case EXEC:	/* the first thread of a process stays its first thread */
		f.pid = f.tid;
		f.also_before = other == f.tid;
		break;
	case TASK:
		f.is_born = true;
		if (other >= 0 && !(other & CLONE_THREAD))
			f.pid = f.tid;
		else if (other >= 0)
			(void)number(&p->reader, &s->own, b, row, &f.as);
		break;
	}
	if (f.pid == UNKNOWN && !f.is_born)
		return true;
	if ((fact = TN_ARRAY_ADD(&p->fact)))
		*fact = f;
	return fact != NULL;
}

static enum tn_code
gather_batch(struct tn_processes *p, const struct tn_batch *b, struct tn_error *err)
{
	if (!tn_switch_reader_begin(&p->reader, b))
		return tn_fail_memory(err);
	for (size_t i = 0; i < b->refs.n; i++) {
		uint32_t class = b->refs.item[i].event_class;

		for (const struct source *s = class < p->trace->n_event_classes ? p->of_class[class] : NULL; s; s = s->next)
			if (!add_fact(p, s, b, i))
				return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Collect the facts of a packet. TN_END: no such packet. */
static enum tn_code
gather_packet(struct tn_processes *p, size_t stream, size_t packet, struct tn_error *err)
{
	struct tn_switch_reader *r = &p->reader;
	struct tn_batch_place place = { .stream = p->trace->stream[stream], .packet = packet, .limit = TN_BATCH_REFS };
	struct tn_packet entry;
	enum tn_code rc = tn_index_get(place.stream, packet, &entry, NULL, err);
	bool last = false;

	if (rc != TN_OK)
		return rc;
	p->content_bits[stream] = entry.content_bits;
	if (tn_running_has_none(p->trace, p->of_class, place.stream, packet, &entry))
		return TN_OK;
	if (!r->has_pool)
		tn_walk_pool_init(&r->pool);
	r->has_pool = true;
	while (!last && rc == TN_OK) {
		struct tn_walked *w;

		rc = tn_walk(&r->pool, &place, &w, err);
		if (rc != TN_OK)
			return rc;
		rc = gather_batch(p, &w->batch, err);
		place.mark = w->batch.end;
		place.number++;
		last = w->batch.last;
		tn_walked_drop(w);
	}
	return rc;
}

static int
compare(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static bool
has_class(const struct tn_processes *p, const struct tn_stream *stream)
{
	for (size_t i = 0; i < stream->stream_class->n_event_classes; i++)
		if (p->of_class[stream->stream_class->event_class[i]->index])
			return true;
	return false;
}

/*
 * Collect the facts of all packets. ftrace reports a new thread twice. The second report (sched_process_fork) does not
 * have the process, so it adds nothing.
 */
static enum tn_code
gather(struct tn_processes *p, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	size_t n = 0;

	for (size_t s = 0; s < p->trace->n_streams; s++) {
		if (!has_class(p, p->trace->stream[s]))
			continue;
		if (p->n_packets[s])	/* the last packet may have grown */
			p->n_packets[s]--;
		while ((rc = gather_packet(p, s, p->n_packets[s], err)) == TN_OK)
			p->n_packets[s]++;
		if (rc < 0)
			return rc;
	}
	if (p->fact.n)
		qsort(p->fact.item, p->fact.n, sizeof *p->fact.item, compare);
	for (size_t i = 0; i < p->fact.n; i++) {
		struct fact *f = &p->fact.item[i];

		if (n && f->is_born && f->pid == UNKNOWN && f->as == UNKNOWN && p->fact.item[n - 1].is_born &&
		    p->fact.item[n - 1].tid == f->tid && f->time_ns - p->fact.item[n - 1].time_ns < SAME_BIRTH_NS)
			continue;
		p->fact.item[n] = *f;
		n++;
	}
	p->fact.n = n;
	return TN_OK;
}

/* ---- the process of a thread ---- */

/* The number of facts about smaller thread numbers, and about this thread up to @time_ns. */
static size_t
count_until(const struct tn_processes *p, int64_t tid, int64_t time_ns)
{
	struct fact key = { .tid = tid, .time_ns = time_ns, .number = SIZE_MAX };
	size_t lo = 0, hi = p->fact.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&p->fact.item[mid], &key) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int64_t
process_of(const struct tn_processes *p, int64_t tid, int64_t time_ns)
{
	/*
	 * The creator of the thread can also have a creator. Each step leads to an earlier time, and real chains are
	 * shorter than the limit.
	 */
	for (size_t steps = 0; steps < 64 && tid > 0; steps++) {
		size_t i = count_until(p, tid, time_ns);
		const struct fact *f = p->fact.item;
		bool has_before = i && f[i - 1].tid == tid, has_after = i < p->fact.n && f[i].tid == tid;

		if (has_before && f[i - 1].pid != UNKNOWN)
			return f[i - 1].pid;
		if (has_before && f[i - 1].as != UNKNOWN) {
			tid = f[i - 1].as;
			time_ns = f[i - 1].time_ns;
			continue;
		}
		return has_after && f[i].also_before ? f[i].pid : UNKNOWN;
	}
	return tid ? UNKNOWN : 0;	/* thread 0: the idle threads */
}

/* Whether the packet was added, or has grown, since the facts were collected. */
static bool
has_grown(const struct tn_processes *p, const struct tn_batch *b)
{
	for (size_t s = 0; s < p->trace->n_streams; s++)
		if (p->trace->stream[s] == b->stream)
			return has_class(p, b->stream) &&
			       (b->packet >= p->n_packets[s] ||
				(b->packet + 1 == p->n_packets[s] && b->entry.content_bits != p->content_bits[s]));
	return false;
}

enum tn_code
tn_processes_find(struct tn_processes *p, const struct tn_batch *b, int64_t tid, int64_t time_ns, struct tn_cell *out,
		  struct tn_error *err)
{
	bool is_gathered = atomic_load_explicit(&p->is_gathered, memory_order_acquire), grows = p->trace->options->growing;
	enum tn_code rc = TN_OK;
	int64_t pid = UNKNOWN;

	if (!is_gathered || grows) {
		pthread_mutex_lock(&p->lock);
		if (!atomic_load_explicit(&p->is_gathered, memory_order_relaxed) || (grows && has_grown(p, b)))
			rc = gather(p, err);
		if (rc == TN_OK)
			pid = process_of(p, tid, time_ns);
		atomic_store_explicit(&p->is_gathered, rc == TN_OK, memory_order_release);
		pthread_mutex_unlock(&p->lock);
	} else {
		pid = process_of(p, tid, time_ns);
	}
	if (pid != UNKNOWN)
		*out = (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = pid };
	return rc;
}
