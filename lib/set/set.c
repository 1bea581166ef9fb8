/* set.c - make a set of traces: open traces, join or add them, rank their streams */
#include "set/set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "digest/digest.h"
#include "index/packet_index.h"
#include "model/marker.h"

/* ---- receivers of problems ---- */

void
tn_set_tell(void *user, const struct tn_problem *problem)
{
	struct tn_own_set *own = user;

	if (!own->options.problem)
		return;
	pthread_mutex_lock(&own->telling);
	own->options.problem(own->options.user, problem);
	pthread_mutex_unlock(&own->telling);
}

static void
tell_of_trace(void *user, const struct tn_problem *problem)
{
	struct tn_told *told = user;

	__atomic_store_n(&told->any, true, __ATOMIC_RELAXED);
	tn_set_tell(told->own, problem);
}

enum tn_code
tn_set_listen(struct tn_own_set *own, struct tn_error *err)
{
	struct tn_told *told = calloc(own->set.n_traces ? own->set.n_traces : 1, sizeof *told);

	if (!told)
		return tn_fail_memory(err);
	free(own->told);
	own->told = told;
	for (size_t i = 0; i < own->set.n_traces; i++) {
		own->told[i].own = own;
		own->set.trace[i]->problems = (struct tn_problems) { tell_of_trace, &own->told[i] };
	}
	return TN_OK;
}

/* ---- traces ---- */

/* Name a trace: host name in the environment, then the path below the argument (text.md, 1). */
static bool
name_trace(struct tn_trace *t, const char *below)
{
	const struct tn_env *host = tn_trace_env(t, "hostname");
	struct tn_str name = { 0 };

	if (t->name)
		return true;	/* the format has already set the name */
	if (host && host->is_text)
		tn_str_puts(&name, host->text);
	if (name.n && *below)
		tn_str_putc(&name, '/');
	tn_str_puts(&name, below);
	if (!name.failed)
		t->name = tn_arena_string(&t->arena, tn_str_text(&name));
	tn_str_release(&name);
	return t->name != NULL;
}

/* A trace of several folders, as a rotation makes them, is not named after one of them: babeltrace2 shows only its host. */
static bool
name_of_folders(struct tn_trace *t)
{
	const struct tn_env *host = tn_trace_env(t, "hostname");

	if (!t->line_name)
		t->line_name = tn_arena_string(&t->arena, host && host->is_text ? host->text : "");
	return t->line_name != NULL;
}

void
tn_set_free_trace(struct tn_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_streams; i++)
		tn_index_guard_free(t->stream[i]);
	tn_digest_free(t->digest);
	tn_trace_release(t);
	free(t);
}

static int64_t
shift_of(const struct tn_open_options *o, const char *path)
{
	int64_t shift = o->clock_offset_ns;

	for (size_t i = 0; i < o->n_offsets; i++)
		if (strcmp(o->offset[i].path, path) == 0 &&
		    __builtin_add_overflow(shift, o->offset[i].offset_ns, &shift))
			shift = o->offset[i].offset_ns < 0 ? INT64_MIN : INT64_MAX;
	return shift;
}

static bool
is_wanted(const struct tn_stream *s, const struct tn_found *found)
{
	for (size_t k = 0; k < s->n_files; k++) {
		const struct tn_map *map = tn_stream_source(&s->file[k]);

		for (size_t i = 0; i < found->only.n; i++)
			if (found->only.item[i].device == map->device && found->only.item[i].inode == map->inode)
				return true;
	}
	return false;
}

/* If the user named single stream files, remove the other streams. */
static enum tn_code
keep_only(struct tn_trace *t, const struct tn_found *found, struct tn_error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_streams; i++) {
		if (is_wanted(t->stream[i], found))
			t->stream[n++] = t->stream[i];
		else
			tn_stream_release(t->stream[i]);
	}
	t->n_streams = n;
	t->is_part = true;
	return n || t->grows ? TN_OK :
	       tn_fail(err, TN_ERR_FORMAT, "%s: the file is not a stream of the trace %s", found->named, t->path);
}

enum tn_code
tn_set_open_trace(struct tn_own_set *own, const struct tn_found *found, const struct tn_trace *grows,
		  struct tn_trace **out, struct tn_error *err)
{
	struct tn_trace *t = calloc(1, sizeof *t);
	enum tn_code rc;

	if (!t)
		return tn_fail_memory(err);
	t->path = tn_arena_string(&t->arena, found->path);
	if (!t->path) {
		free(t);
		return tn_fail_memory(err);
	}
	t->options = &own->options;
	t->problems = own->set.problems;
	t->ops = found->format;
	t->grows = grows;
	t->memory = own->memory;
	rc = found->format->open(t, err);
	t->memory = NULL;
	if (rc == TN_OK)
		tn_marker_find(t);	/* for all formats, because an exported trace has the class, too */
	if (rc == TN_OK && !name_trace(t, found->below))
		rc = tn_fail_memory(err);
	if (rc == TN_OK && found->only.n)
		rc = keep_only(t, found, err);
	if (rc != TN_OK) {
		tn_set_free_trace(t);
		return rc;
	}
	for (size_t i = 0; i < t->n_clocks; i++) {
		struct tn_clock *c = t->clock[i];

		c->shift_ns = shift_of(&own->options, t->path);
		tn_clock_settle(c);
		if (c->beyond)
			tn_tell(&t->problems, TN_WARNING, "%s: clock `%s`: with its offset of %" PRId64 " s, times do not fit "
				"into 64 bits of nanoseconds: its events are ordered by cycles and shown without a time",
				t->path, c->name, c->offset_s);
	}
	*out = t;
	return TN_OK;
}

enum tn_code
tn_set_add_trace(struct tn_own_set *own, struct tn_trace *t, struct tn_trace **into, struct tn_error *err)
{
	struct tn_set *set = &own->set;
	struct tn_trace **trace;

	for (size_t i = 0; t->ops->join && i < set->n_traces; i++) {
		const char *line_name = set->trace[i]->line_name;
		struct tn_trace **joined;
		enum tn_code rc;

		if (set->trace[i]->ops != t->ops)
			continue;
		joined = TN_ARRAY_ADD(&own->joined);
		if (!joined) {
			tn_set_free_trace(t);
			return tn_fail_memory(err);
		}
		*joined = t;	/* also after a failure, because moved streams use its memory */
		rc = t->ops->join(set->trace[i], t, err);
		set->trace[i]->line_name = line_name;	/* the two traces may have been exchanged */
		if (rc == TN_OK && strcmp(set->trace[i]->path, t->path) != 0 && !name_of_folders(set->trace[i]))
			rc = tn_fail_memory(err);
		if (rc != TN_END) {
			if (into)
				*into = set->trace[i];
			return rc;
		}
		own->joined.n--;
	}
	if (into)
		*into = t;
	trace = realloc(set->trace, (set->n_traces + 1) * sizeof *trace);
	if (!trace) {
		tn_set_free_trace(t);
		return tn_fail_memory(err);
	}
	set->trace = trace;
	set->trace[set->n_traces++] = t;
	return TN_OK;
}

/* ---- ranks ---- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare streams in the order of equal times (text.md, 8). If it does not decide, the path does. */
static int
by_rank(const void *left, const void *right)
{
	const struct tn_stream *a = *(struct tn_stream *const *)left, *b = *(struct tn_stream *const *)right;
	const struct tn_trace *ta = a->trace, *tb = b->trace;
	int order = 0;

	if (ta->has_uuid != tb->has_uuid)
		return ta->has_uuid ? -1 : 1;
	if (ta->has_uuid)
		order = memcmp(ta->uuid, tb->uuid, 16);
	if (order == 0)
		order = strcmp(tn_trace_name(ta), tn_trace_name(tb));
	if (order == 0)
		order = compare_numbers(a->stream_class->id, b->stream_class->id);
	if (order == 0)
		order = compare_numbers(a->id, b->id);
	if (order == 0)
		order = strcmp(ta->path, tb->path);
	if (order == 0)
		order = strcmp(a->path ? a->path : "", b->path ? b->path : "");
	return order;
}

/* Streams without a rank come after the others, so that no location changes. */
enum tn_code
tn_set_rank_streams(struct tn_set *set, struct tn_error *err)
{
	size_t n = set->n_streams, all = 0;
	struct tn_stream **stream;

	for (size_t i = 0; i < set->n_traces; i++)
		all += set->trace[i]->n_streams;
	if (all >= UINT32_MAX)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "too many streams: %zu", all);
	stream = realloc(set->stream, (all > n ? all : n + 1) * sizeof *stream);
	if (!stream)
		return tn_fail_memory(err);
	set->stream = stream;
	for (size_t i = 0; i < set->n_traces; i++)
		for (size_t k = 0; k < set->trace[i]->n_streams; k++)
			if (!set->trace[i]->stream[k]->index.guard)
				stream[n++] = set->trace[i]->stream[k];
	if (n > set->n_streams)
		qsort(stream + set->n_streams, n - set->n_streams, sizeof *stream, by_rank);
	while (set->n_streams < n) {
		struct tn_stream *s = stream[set->n_streams];
		enum tn_code rc = tn_index_guard_new(s, err);

		if (rc < 0)
			return rc;
		s->rank = (uint32_t)set->n_streams++;
	}
	return TN_OK;
}
