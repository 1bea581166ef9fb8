#include "language/running_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "index/packet_index.h"
#include "language/attribute_field.h"
#include "language/running_processes.h"
#include "model/loss.h"

#define KEPT 64		/* limit of cached packets, in addition to two for each stream */
#define NEAR 64		/* number of streams for which a thread keeps the last packet */

/* The stream whose switches give the thread for the events of a stream. */
struct source {
	bool is_found;
	const struct tn_stream *stream;	/* NULL: none */
	bool is_mixed;		/* the stream has events of several processors, each with its own thread */
};

/* The data for a trace. */
struct kernel {
	const struct tn_trace *trace;
	struct tn_switch **of_class;	/* by index of the class; NULL: the class, or all classes, are not switches */
	struct tn_processes *processes;	/* NULL: none */
};

struct tn_running {
	const struct tn_set *set;
	struct tn_arena arena;
	TN_ARRAY(struct kernel) kernel;
	pthread_mutex_t lock;		/* protects all members below */
	struct source *source;		/* for each stream, by rank */
	struct tn_running_marks **kept;	/* the least recently used is last */
	size_t n_kept, most_kept;
};

/* The last position of a thread in a stream. */
struct near {
	const struct tn_running *running;
	struct source source;
	const struct tn_stream *stream;	/* stream of the event */
	struct tn_running_marks *marks;
	size_t at;		/* the first mark that is not before the event */
	int64_t after_ns, until_ns;	/* if the marks are of another stream: end of its previous packet, and of this one */
};

struct tn_running_state {
	struct tn_switch_reader reader;
	struct near near[NEAR];
	char *name;		/* name of the thread before the marks, if it is kept only here */
};

/* ---- classes ---- */

static const struct kernel *
kernel_of(const struct tn_running *r, const struct tn_trace *trace)
{
	for (size_t i = 0; r && i < r->kernel.n; i++)
		if (r->kernel.item[i].trace == trace)
			return &r->kernel.item[i];
	return NULL;
}

static enum tn_code
add_trace(struct tn_running *r, const struct tn_trace *trace, struct tn_error *err)
{
	struct kernel k = { .trace = trace }, *kernel;

	for (size_t i = 0; i < trace->n_event_classes; i++) {
		struct tn_switch s;
		enum tn_code rc = tn_switch_init(&s, &r->arena, trace->event_class[i], err);

		if (rc < 0)
			return rc;
		if (rc == TN_END)
			continue;
		if (!k.of_class)
			k.of_class = TN_NEW_ARRAY(&r->arena, trace->n_event_classes + 1, struct tn_switch *);
		if (!k.of_class || !(k.of_class[i] = TN_NEW(&r->arena, struct tn_switch)))
			return tn_fail_memory(err);
		*k.of_class[i] = s;
	}
	if (tn_processes_new(&k.processes, trace, err) < 0)
		return tn_fail_memory(err);
	if (!k.of_class && !k.processes)
		return TN_OK;
	kernel = TN_ARRAY_ADD(&r->kernel);
	if (kernel)
		*kernel = k;
	else
		tn_processes_free(k.processes);
	return kernel ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_running_new(struct tn_running **out, const struct tn_set *set, struct tn_error *err)
{
	struct tn_running *r = calloc(1, sizeof *r);
	enum tn_code rc = TN_OK;

	*out = NULL;
	if (!r)
		return tn_fail_memory(err);
	r->set = set;
	pthread_mutex_init(&r->lock, NULL);
	for (size_t i = 0; i < set->n_traces && rc == TN_OK; i++)
		rc = add_trace(r, set->trace[i], err);
	r->most_kept = KEPT + 2 * set->n_streams;
	if (rc == TN_OK && r->kernel.n) {
		r->source = calloc(set->n_streams + 1, sizeof *r->source);
		r->kept = calloc(r->most_kept, sizeof *r->kept);
		rc = r->source && r->kept ? TN_OK : tn_fail_memory(err);
	}
	if (rc == TN_OK && r->kernel.n)
		*out = r;
	else
		tn_running_free(r);
	return rc;
}

void
tn_running_free(struct tn_running *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_kept; i++)
		tn_running_marks_drop(r->kept[i]);
	free(r->kept);
	free(r->source);
	for (size_t i = 0; i < r->kernel.n; i++)
		tn_processes_free(r->kernel.item[i].processes);
	TN_ARRAY_RELEASE(&r->kernel);
	tn_arena_release(&r->arena);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static const struct tn_switch *
switch_of(const struct tn_running *r, const struct tn_event_class *ec)
{
	const struct kernel *k = kernel_of(r, ec->stream_class->trace);

	return k && k->of_class && ec->index < k->trace->n_event_classes ? k->of_class[ec->index] : NULL;
}

/* The first class of switches in a stream class. */
static const struct tn_switch *
switch_in(const struct kernel *k, const struct tn_stream_class *sc)
{
	for (size_t i = 0; k->of_class && i < k->trace->n_event_classes; i++)
		if (k->of_class[i] && k->of_class[i]->ec->stream_class == sc)
			return k->of_class[i];
	return NULL;
}

bool
tn_running_before(const struct tn_running *r, const struct tn_event_class *ec, enum tn_running_part part, struct tn_target *out)
{
	const struct tn_switch *s = part == TN_RUNNING_PID ? NULL : switch_of(r, ec);

	if (!s || !s->before[part].target.field)
		return false;
	*out = s->before[part].target;
	return true;
}

/* The field with the thread of the events, from which the process follows. NULL: the running thread is used. */
static const struct tn_switch_field *
thread_field(const struct tn_running *r, const struct kernel *k, const struct tn_event_class *ec)
{
	const struct tn_switch_field *own = tn_processes_thread(k->processes, ec);
	const struct tn_switch *s = switch_of(r, ec);

	return own || !s || !s->before[TN_RUNNING_TID].target.field ? own : &s->before[TN_RUNNING_TID];
}

bool
tn_running_tells(const struct tn_running *r, const struct tn_event_class *ec, enum tn_running_part part)
{
	const struct kernel *k = kernel_of(r, ec->stream_class->trace);
	struct tn_target cpu;

	if (part == TN_RUNNING_PID && (!k || !k->processes || thread_field(r, k, ec)))
		return k && k->processes;
	return k && k->of_class && tn_attribute_field(TN_ATTRIBUTE_CPU, ec, &cpu) &&
	       (cpu.scope == TN_SCOPE_PACKET_CONTEXT || switch_in(k, ec->stream_class));
}

/* ---- streams ---- */

static bool
cpu_field(const struct tn_stream_class *sc, const struct tn_field **out)
{
	struct tn_target cpu;

	if (!sc->n_event_classes || !tn_attribute_field(TN_ATTRIBUTE_CPU, sc->event_class[0], &cpu))
		return false;
	*out = cpu.field;
	return cpu.scope == TN_SCOPE_PACKET_CONTEXT;
}

/* For a stream without switches, find the stream with the switches of the same processor. */
static struct source
find_other(const struct kernel *k, struct tn_switch_reader *reader, const struct tn_stream *stream)
{
	const struct tn_field *field;
	uint32_t cpu, other;

	if (!cpu_field(stream->stream_class, &field) || !tn_running_cpu(reader, stream, field, &cpu))
		return (struct source) { .is_found = true };
	for (size_t i = 0; i < k->trace->n_streams; i++) {
		const struct tn_stream *t = k->trace->stream[i];

		if (switch_in(k, t->stream_class) && cpu_field(t->stream_class, &field) &&
		    tn_running_cpu(reader, t, field, &other) && other == cpu)
			return (struct source) { .is_found = true, .stream = t };
	}
	return (struct source) { .is_found = true };
}

static struct source
find_source(struct tn_running *r, struct tn_switch_reader *reader, const struct tn_stream *stream)
{
	const struct kernel *k = kernel_of(r, stream->trace);
	const struct tn_switch *s = k ? switch_in(k, stream->stream_class) : NULL;
	struct source source;

	pthread_mutex_lock(&r->lock);
	source = r->source[stream->rank];
	pthread_mutex_unlock(&r->lock);
	if (source.is_found)
		return source;
	if (s)
		source = (struct source) { true, stream, s->cpu.target.scope != TN_SCOPE_PACKET_CONTEXT };
	else if (k)
		source = find_other(k, reader, stream);
	else
		source = (struct source) { .is_found = true };
	pthread_mutex_lock(&r->lock);
	r->source[stream->rank] = source;
	pthread_mutex_unlock(&r->lock);
	return source;
}

/* ---- marks of packets ---- */

static void
keep(struct tn_running *r, struct tn_running_marks *marks, size_t i)
{
	memmove(&r->kept[1], &r->kept[0], i * sizeof *r->kept);
	r->kept[0] = marks;
}

/* The cached marks of the packet; NULL: they are not cached. The caller holds the lock. */
static struct tn_running_marks *
recall(struct tn_running *r, const struct tn_stream *stream, size_t packet, const struct tn_batch *b)
{
	for (size_t i = 0; i < r->n_kept; i++) {
		struct tn_running_marks *marks = r->kept[i];

		if (marks->stream != stream || marks->packet != packet || (b && marks->content_bits != b->entry.content_bits))
			continue;
		keep(r, marks, i);
		atomic_fetch_add_explicit(&marks->holders, 1, memory_order_relaxed);
		return marks;
	}
	return NULL;
}

/* Get the marks of a packet, and add a user. @b: a batch of the packet, or NULL. */
static enum tn_code
marks_of(struct tn_running_marks **out, struct tn_running *r, struct tn_switch_reader *reader, const struct tn_stream *stream,
	 size_t packet, const struct tn_batch *b, struct tn_error *err)
{
	const struct kernel *k = kernel_of(r, stream->trace);
	bool whole = b && !b->begin.row && b->last;
	enum tn_code rc;

	pthread_mutex_lock(&r->lock);
	*out = recall(r, stream, packet, b);
	pthread_mutex_unlock(&r->lock);
	if (*out)
		return TN_OK;
	rc = tn_running_marks_make(out, reader, k->of_class, stream, packet, whole ? b : NULL, err);
	if (rc != TN_OK)
		return rc;
	pthread_mutex_lock(&r->lock);
	if (r->n_kept == r->most_kept)
		tn_running_marks_drop(r->kept[--r->n_kept]);
	atomic_fetch_add_explicit(&(*out)->holders, 1, memory_order_relaxed);
	keep(r, *out, r->n_kept++);
	pthread_mutex_unlock(&r->lock);
	return TN_OK;
}

/* Whether the counts of a digest show that the packet has no switch and no damage, and that no losses are before it. */
static bool
has_no_mark(const struct kernel *k, const struct tn_stream *stream, size_t packet)
{
	struct tn_packet entry, before;
	struct tn_loss loss;

	if (!k->trace->digest || !packet || tn_index_get((struct tn_stream *)stream, packet, &entry, &before, NULL) != TN_OK)
		return false;
	loss = tn_loss_find(stream->stream_class, &entry, &before);
	return !loss.events && !loss.packets &&
	       tn_running_has_none(k->trace, (void *const *)k->of_class, stream, packet, &entry);
}

/* The last of the first @n marks that is for the processor, or is a loss. SIZE_MAX: none. */
static size_t
last_of(const struct tn_running_marks *marks, size_t n, const struct source *source, uint32_t cpu)
{
	while (n-- > 0)
		if (!source->is_mixed || marks->mark.item[n].is_loss || marks->mark.item[n].cpu == cpu)
			return n;
	return SIZE_MAX;
}

static struct tn_running_thread
thread_of(const struct tn_running_marks *marks, size_t i)
{
	const struct tn_running_mark *mark = &marks->mark.item[i];

	return (struct tn_running_thread) {
		!mark->is_loss, mark->tid, mark->name_n ? marks->text.text + mark->name : NULL, mark->name_n,
	};
}

static bool
copy(struct tn_running_thread *out, const struct tn_running_thread *from)
{
	*out = *from;
	if (from->name && !(out->name = malloc(from->name_n + 1)))
		return false;
	if (from->name)
		memcpy(out->name, from->name, from->name_n);
	return true;
}

/* Get the thread before the marks. False: it is not stored in them yet. */
static bool
before_of(struct tn_running *r, const struct tn_running_marks *marks, struct tn_running_thread *out)
{
	bool has;

	pthread_mutex_lock(&r->lock);
	has = marks->has_before;
	*out = marks->before;
	pthread_mutex_unlock(&r->lock);
	return has;
}

/* Find the thread at the start of a packet; its name is copied. */
static enum tn_code
search(struct tn_running *r, struct tn_switch_reader *reader, const struct source *source, size_t packet, uint32_t cpu,
       struct tn_running_thread *out, struct tn_error *err)
{
	const struct kernel *k = kernel_of(r, source->stream->trace);

	*out = (struct tn_running_thread) { 0 };
	while (packet-- > 0) {
		struct tn_running_marks *marks;
		struct tn_running_thread found;
		enum tn_code rc;
		bool done = true;
		size_t last;

		if (has_no_mark(k, source->stream, packet))
			continue;
		rc = marks_of(&marks, r, reader, source->stream, packet, NULL, err);
		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
		last = last_of(marks, marks->mark.n, source, cpu);
		if (last != SIZE_MAX)
			found = thread_of(marks, last);
		else
			done = !source->is_mixed && before_of(r, marks, &found);
		if (done && !copy(out, &found))
			rc = tn_fail_memory(err);
		tn_running_marks_drop(marks);
		if (done)
			return rc;
	}
	return TN_OK;
}

/* Like search(), but store the result in the marks. */
static enum tn_code
find_before(struct tn_running *r, struct tn_running_state *state, const struct source *source, struct tn_running_marks *marks,
	    uint32_t cpu, struct tn_running_thread *out, struct tn_error *err)
{
	struct tn_running_thread found;
	enum tn_code rc;

	if (!source->is_mixed && before_of(r, marks, out))
		return TN_OK;
	rc = search(r, &state->reader, source, marks->packet, cpu, &found, err);
	if (rc < 0)
		return rc;
	if (source->is_mixed) {
		free(state->name);
		state->name = found.name;
		*out = found;
		return TN_OK;
	}
	pthread_mutex_lock(&r->lock);
	if (marks->has_before)
		free(found.name);
	else
		marks->before = found;
	marks->has_before = true;
	*out = marks->before;
	pthread_mutex_unlock(&r->lock);
	return TN_OK;
}

/* ---- the thread of an event ---- */

static void
leave(struct near *near)
{
	tn_running_marks_drop(near->marks);
	*near = (struct near) { 0 };
}

void
tn_running_state_free(struct tn_running_state *state)
{
	for (size_t i = 0; state && i < NEAR; i++)
		leave(&state->near[i]);
	if (state) {
		tn_switch_reader_release(&state->reader);
		free(state->name);
	}
	free(state);
}

/* Enter the packet of the event, and its marks. */
static enum tn_code
enter_own(struct tn_running *r, struct tn_running_state *state, struct near *near, const struct tn_batch *b, struct tn_error *err)
{
	struct tn_running_marks *marks = near->marks;

	if (marks && marks->packet == b->packet && marks->content_bits == b->entry.content_bits)
		return TN_OK;
	near->marks = NULL;
	near->at = 0;
	tn_running_marks_drop(marks);
	return marks_of(&near->marks, r, &state->reader, b->stream, b->packet, b, err);
}

/* Enter the packet of another stream that has the rows before @limit_ns. */
static enum tn_code
enter_other(struct tn_running *r, struct tn_running_state *state, struct near *near, int64_t limit_ns, struct tn_error *err)
{
	struct tn_stream *stream = (struct tn_stream *)near->source.stream;	/* const is cast away, because the index may grow */
	struct tn_packet entry, before;
	enum tn_code rc;
	size_t packet;

	if (near->marks && near->after_ns < limit_ns && limit_ns <= near->until_ns)
		return TN_OK;
	tn_running_marks_drop(near->marks);
	near->marks = NULL;
	near->at = 0;
	rc = tn_index_find(stream, limit_ns, &packet, err);
	if (rc < 0)
		return rc;
	near->until_ns = INT64_MAX;
	rc = tn_index_get(stream, packet, &entry, &before, err);
	if (rc == TN_OK)
		near->until_ns = entry.end_ns;
	else if (rc == TN_END && packet)
		rc = tn_index_get(stream, --packet, &entry, &before, err);
	near->after_ns = rc == TN_OK && packet ? before.end_ns : INT64_MIN;
	return rc == TN_OK ? marks_of(&near->marks, r, &state->reader, stream, packet, NULL, err) : rc;
}

/* The number of marks before a row, or before a time. */
static size_t
count_before(const struct tn_running_marks *marks, size_t hint, bool by_row, uint64_t row, int64_t limit_ns)
{
	const struct tn_running_mark *m = marks->mark.item;
	size_t lo = 0, hi = marks->mark.n;

#define IS_BEFORE(i) (by_row ? m[i].row < row : m[i].time_ns < limit_ns)
	/* Requests are usually for successive rows. */
	if (hint <= hi && (!hint || IS_BEFORE(hint - 1))) {
		if (hint == hi || !IS_BEFORE(hint))
			return hint;
		lo = hint + 1;
		if (lo == hi || !IS_BEFORE(lo))
			return lo;
	}
	TN_BISECT(lo, hi, mid, IS_BEFORE(mid));
#undef IS_BEFORE
	return lo;
}

/* Get the processor from the event itself. */
static bool
own_cpu(struct tn_running_state *state, const struct tn_batch *b, size_t row, uint32_t *cpu)
{
	const struct tn_event_class *ec = b->stream->trace->event_class[b->refs.item[row].event_class];
	struct tn_event *e = &state->reader.event;
	struct tn_target target;

	if (!tn_attribute_field(TN_ATTRIBUTE_CPU, ec, &target) ||
	    b->stream->trace->ops->read(b, row, TN_SCOPE_BIT(target.scope), e, NULL) < 0)
		return false;
	for (size_t i = 0; i < e->n_values; i++)
		if (e->value[i].field == target.field && tn_type_is_integer(target.field->type)) {
			*cpu = (uint32_t)e->value[i].u;
			return true;
		}
	return false;
}

static enum tn_code
look(struct tn_running *r, struct tn_running_state *state, const struct tn_batch *b, size_t row, struct tn_running_thread *out,
     struct tn_error *err)
{
	struct near *near = &state->near[b->stream->rank % NEAR];
	int64_t limit_ns = b->refs.item[row].time_ns;
	uint32_t cpu = 0;
	enum tn_code rc;
	bool own;
	size_t last;

	if (near->running != r || near->stream != b->stream) {
		leave(near);
		*near = (struct near) { .running = r, .stream = b->stream, .source = find_source(r, &state->reader, b->stream) };
	}
	if (!near->source.stream || (near->source.is_mixed && !own_cpu(state, b, row, &cpu)))
		return TN_OK;
	own = near->source.stream == b->stream;
	if (!own && near->source.stream->rank < b->stream->rank && limit_ns < INT64_MAX)
		limit_ns++;	/* include switches at the same time that come first in the order of all rows */
	rc = own ? enter_own(r, state, near, b, err) : enter_other(r, state, near, limit_ns, err);
	if (rc != TN_OK || !near->marks)
		return rc < 0 ? rc : TN_OK;
	near->at = count_before(near->marks, near->at, own, b->begin.row + row, limit_ns);
	last = last_of(near->marks, near->at, &near->source, cpu);
	if (last == SIZE_MAX)
		return find_before(r, state, &near->source, near->marks, cpu, out, err);
	*out = thread_of(near->marks, last);
	return TN_OK;
}

/* Get the process of the event's thread. */
static enum tn_code
look_process(struct tn_running *r, struct tn_running_state *state, const struct tn_batch *b, size_t row, struct tn_cell *out,
	     struct tn_error *err)
{
	const struct kernel *k = kernel_of(r, b->stream->trace);
	uint32_t class = b->refs.item[row].event_class;
	struct tn_running_thread thread = { 0 };
	const struct tn_switch_field *field;
	enum tn_code rc = TN_OK;

	if (!k || !k->processes || class >= k->trace->n_event_classes)
		return TN_OK;
	field = thread_field(r, k, k->trace->event_class[class]);
	if (field) {
		struct tn_cell cell;

		if (!tn_switch_reader_begin(&state->reader, b))
			return tn_fail_memory(err);
		cell = tn_switch_get(&state->reader, field, b, row);
		thread.known = cell.kind == TN_CELL_SIGNED || cell.kind == TN_CELL_UNSIGNED;
		thread.tid = cell.i;
	} else {
		rc = look(r, state, b, row, &thread, err);
	}
	return rc < 0 || !thread.known ? rc
		: tn_processes_find(k->processes, b, thread.tid, b->refs.item[row].time_ns, out, err);
}

enum tn_code
tn_running_look(struct tn_running *r, struct tn_running_state **state, const struct tn_batch *b, size_t row,
		enum tn_running_part part, struct tn_cell *out, struct tn_error *err)
{
	struct tn_running_thread thread = { 0 };
	enum tn_code rc;

	*out = (struct tn_cell) { .kind = TN_CELL_NONE };
	if (!*state && !(*state = calloc(1, sizeof **state)))
		return tn_fail_memory(err);
	if (part == TN_RUNNING_PID)
		return look_process(r, *state, b, row, out, err);
	rc = look(r, *state, b, row, &thread, err);
	if (rc < 0 || !thread.known)
		return rc;
	if (part == TN_RUNNING_TID)
		*out = (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = thread.tid };
	else if (thread.name)
		*out = (struct tn_cell) { .kind = TN_CELL_TEXT, .text = thread.name, .n = thread.name_n };
	return TN_OK;
}
