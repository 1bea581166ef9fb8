/*
 * open.c - the table of formats; sets of traces
 *
 * The only file that sees every format.
 */
#include <config.h>

#include "open.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <inttypes.h>
#include <pcre2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistring/version.h>

#include <tnav/tnav.h>

#include "archive/archive.h"
#include "base/memory.h"
#include "base/now.h"
#include "base/options.h"
#include "base/str.h"
#include "base/ways.h"
#include "ctf/ctf.h"
#include "digest/digest.h"
#include "index/index_cache.h"
#include "index/packet_index.h"
#include "ovni/ovni.h"
#include "set.h"
#include "vartrace/vartrace.h"

const char *tn_version(void) { return PACKAGE_VERSION; }

size_t
tn_libraries(char *out, size_t room)
{
	char pcre[32] = "", archive[64];
	int n;

	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	pcre[strcspn(pcre, " ")] = '\0';	/* behind it: its date */
	tn_archive_library(archive, sizeof archive);
	n = snprintf(out, out ? room : 0, "PCRE2 %s, libunistring %d.%d, %s", pcre, _libunistring_version >> 16,
		     _libunistring_version >> 8 & 0xff, archive);
	return n < 0 ? 0 : (size_t)n;
}

static const struct tn_format *const all_formats[] = {
	&tn_format_ctf,
	&tn_format_ovni,
	&tn_format_vartrace,
	NULL
};

/* ---- opening them ---- */

static void
tell(void *user, const struct tn_problem *problem)
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
	tell(told->own, problem);
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

static void
store_indices(struct tn_own_set *own)
{
	bool *skip = calloc(own->set.n_traces, sizeof *skip), shrink = false;

	for (size_t i = 0; skip && i < own->set.n_traces; i++)
		skip[i] = own->told[i].any || own->set.trace[i]->is_part;
	if (skip)
		tn_index_store_save(own->store, &own->set, skip);
	for (size_t i = 0; skip && i < own->set.n_traces; i++)
		shrink |= !skip[i] && tn_digest_save(own->set.trace[i]->digest);
	if (shrink)
		tn_index_store_shrink(own->store);
	free(skip);
}

/* Host name of the environment, then the path below the argument (text.md, 1). */
static bool
name_trace(struct tn_trace *t, const char *below)
{
	const struct tn_env *host = tn_trace_env(t, "hostname");
	struct tn_str name = { 0 };

	if (t->name)
		return true;	/* its format knows better */
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
	for (size_t k = 0; k < s->n_files; k++)
		for (size_t i = 0; i < found->only.n; i++)
			if (found->only.item[i].device == s->file[k].map.device &&
			    found->only.item[i].inode == s->file[k].map.inode)
				return true;
	return false;
}

/* Files of streams were named alone: the other streams go. */
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
	       tn_fail(err, TN_ERR_FORMAT, "%s: no stream of the trace %s", found->named, t->path);
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
			tn_tell(&t->problems, TN_WARNING, "%s: clock `%s`: times from its offset of %" PRId64 " s on do not "
				"fit into 64 bits of nanoseconds: its events are ordered by cycles and shown without a time",
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
		struct tn_trace **joined;
		enum tn_code rc;

		if (set->trace[i]->ops != t->ops)
			continue;
		joined = TN_ARRAY_ADD(&own->joined);
		if (!joined) {
			tn_set_free_trace(t);
			return tn_fail_memory(err);
		}
		*joined = t;	/* whatever comes of it: what went over uses its memory */
		rc = t->ops->join(set->trace[i], t, err);
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

/* The order of equal times (text.md, 8); the path decides what that page leaves open. */
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

/* Streams that have no rank yet come behind those that have: no location changes. */
enum tn_code
tn_set_rank_streams(struct tn_set *set, struct tn_error *err)
{
	size_t n = set->n_streams, all = 0;
	struct tn_stream **stream;

	for (size_t i = 0; i < set->n_traces; i++)
		all += set->trace[i]->n_streams;
	if (all >= UINT32_MAX)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%zu streams are too many", all);
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

/* Times that count from different origins are put in one order all the same; say so once. */
static void
compare_clocks(const struct tn_set *set)
{
	const struct tn_stream *first = NULL;

	for (size_t i = 0; i < set->n_streams; i++) {
		const struct tn_stream *s = set->stream[i];

		if (!s->stream_class->clock)
			continue;
		if (!first)
			first = s;
		if (tn_clocks_compare(first->stream_class->clock, s->stream_class->clock))
			continue;
		if (first->stream_class->clock->origin != s->stream_class->clock->origin ||
		    first->stream_class->clock->origin == TN_ORIGIN_NAMED) {
			tn_tell(&set->problems, TN_NOTE, "%s and %s: the clocks do not count from the same time: "
				"the order of their events means little", first->trace->path, s->trace->path);
			return;
		}
	}
}

/* ---- sets ---- */

static enum tn_code
open_found(struct tn_own_set *own, struct tn_search *search, size_t failed, struct tn_error *err)
{
	struct tn_error why = { 0 };
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < search->traces.n; i++) {
		struct tn_trace *t = NULL;

		rc = tn_set_open_trace(own, &search->traces.item[i], NULL, &t, &why);
		if (rc == TN_OK)
			rc = tn_set_add_trace(own, t, NULL, &why);
		if (rc == TN_OK)
			continue;
		if (rc == TN_ERR_MEMORY || search->traces.n + failed == 1)
			break;
		tn_tell(&own->set.problems, TN_DAMAGE, "%s", why.text);
		failed++;
		rc = TN_OK;
	}
	if (rc == TN_OK && own->set.n_traces == 0)
		rc = why.code < 0 ? why.code : TN_ERR_NOT_FOUND;
	if (rc != TN_OK && err && why.code < 0)
		*err = why;
	return rc;
}

/* Look at all arguments. One that leads nowhere is a problem when another does not. */
static enum tn_code
search_arguments(struct tn_own_set *own, struct tn_search *search, const char *const *path, size_t n_paths, size_t *failed,
		 struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < n_paths; i++) {
		rc = tn_search_argument(search, path[i], err);
		if (rc == TN_OK)
			continue;
		if (rc == TN_ERR_MEMORY || n_paths == 1)
			return rc;
		++*failed;
		if (*failed == n_paths)
			return rc;
		tn_tell(&own->set.problems, TN_DAMAGE, "%s", err->text);
	}
	return TN_OK;
}

static enum tn_code
open_arguments(struct tn_own_set *own, struct tn_search *search, const char *const *path, size_t n_paths,
	       struct tn_error *err)
{
	size_t failed = 0;
	enum tn_code rc = own->memory ? tn_search_memory(search, own->memory, err)
				      : search_arguments(own, search, path, n_paths, &failed, err);

	if (rc == TN_OK)
		rc = open_found(own, search, failed, err);
	if (rc == TN_OK)
		rc = tn_set_rank_streams(&own->set, err);
	return rc == TN_OK ? tn_set_listen(own, err) : rc;
}

static enum tn_code
open_set(struct tn_set **out, const struct tn_format *const *formats, const struct tn_memory *memory,
	 const char *const *path, size_t n_paths, const struct tn_open_options *options, struct tn_error *err)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS };
	struct tn_search search = { .formats = formats };
	struct tn_own_set *own;
	struct tn_error unused;
	enum tn_code rc;

	*out = NULL;
	if (!err)
		err = &unused;
	rc = tn_options_take(&how, sizeof how, options, "tn_open_options", err);
	if (rc < 0)
		return rc;
	if (!(own = calloc(1, sizeof *own)))
		return tn_fail_memory(err);
	own->options = how;
	own->memory = memory;
	pthread_mutex_init(&own->telling, NULL);
	own->set.problems = (struct tn_problems) { tell, own };
	search.wanted = own->options.format;
	search.options = &own->options;
	search.problems = &own->set.problems;
	if (n_paths == 0 && !memory)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "no trace is given");
	else if (search.wanted && !tn_search_forced(&search))
		rc = tn_fail(err, TN_ERR_ARGUMENT, "format '%s' is not known", search.wanted);
	else if (!memory && tn_grow_is_wanted(own, path, n_paths))
		rc = tn_grow_begin(own, formats, path, n_paths, err);
	else
		rc = open_arguments(own, &search, path, n_paths, err);
	tn_search_release(&search);
	if (rc != TN_OK) {
		tn_set_close(&own->set);
		return rc;
	}
	own->memory = NULL;
	compare_clocks(&own->set);
	if (!own->options.no_index_cache) {
		own->store = tn_index_store_load(&own->set, NULL);
		for (size_t i = 0; i < own->set.n_traces && !(tn_ways() & TN_WAYS_NO_DIGEST); i++)
			own->set.trace[i]->digest = tn_digest_open(own->store, own->set.trace[i]);
	}
	*out = &own->set;
	return TN_OK;
}

enum tn_code
tn_set_open_formats(struct tn_set **out, const struct tn_format *const *formats, const char *const *path,
		    size_t n_paths, const struct tn_open_options *options, struct tn_error *err)
{
	return open_set(out, formats, NULL, path, n_paths, options, err);
}

enum tn_code
tn_set_open(struct tn_set **out, const char *const *path, size_t n_paths, const struct tn_open_options *options,
	    struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);
	return tn_set_open_formats(out, all_formats, path, n_paths, options, err);
}

enum tn_code
tn_set_open_memory(struct tn_set **out, const struct tn_memory_file *file, size_t n, const struct tn_open_options *options,
		   struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_open_options how = { TN_OPEN_OPTIONS };
	struct tn_memory_bytes *bytes;
	enum tn_code rc;

	*out = NULL;
	rc = tn_options_take(&how, sizeof how, options, "tn_open_options", err);
	if (rc < 0)
		return rc;
	if (!(bytes = calloc(n ? n : 1, sizeof *bytes)))
		return tn_fail_memory(err);
	for (size_t i = 0; i < n; i++)
		bytes[i] = (struct tn_memory_bytes) { file[i].name, file[i].bytes, file[i].size };
	how.no_index_cache = true;
	rc = open_set(out, all_formats, &(struct tn_memory) { bytes, n }, NULL, 0, &how, err);
	free(bytes);
	return rc;
}

void
tn_set_close(struct tn_set *set)
{
	struct tn_own_set *own = (struct tn_own_set *)set;

	if (!set)
		return;
	if (own->store)
		store_indices(own);
	for (size_t i = 0; i < set->n_traces; i++)
		tn_set_free_trace(set->trace[i]);
	for (size_t i = 0; i < own->joined.n; i++)
		tn_set_free_trace(own->joined.item[i]);
	TN_ARRAY_RELEASE(&own->joined);
	tn_index_store_free(own->store);
	tn_grow_end(own);
	free(own->told);
	free(set->trace);
	free(set->stream);
	pthread_mutex_destroy(&own->telling);
	free(own);
}

bool
tn_set_indexed(const struct tn_set *set)
{
	if (!set)
		return false;
	for (size_t i = 0; i < set->n_streams; i++)
		if (!tn_index_is_complete(set->stream[i]))
			return false;
	return true;
}

enum tn_code
tn_set_index_to(struct tn_set *set, int64_t time_ns, int64_t budget_ns, struct tn_error *err)
{
	if (!set)
		return tn_fail_null(err);

	int64_t begin = tn_now_ns();

	tn_index_reach(set->stream, set->n_streams, time_ns, budget_ns);
	for (size_t i = 0; i < set->n_streams; i++)
		while (!tn_index_reaches(set->stream[i], time_ns)) {
			enum tn_code rc;

			if (budget_ns && tn_now_ns() - begin >= budget_ns)
				return TN_OK;
			if ((rc = tn_index_step(set->stream[i], err)) < 0)
				return rc;
		}
	return TN_END;
}

enum tn_code
tn_set_index(struct tn_set *set, int64_t budget_ns, struct tn_error *err)
{
	if (!set)
		return tn_fail_null(err);
	return tn_set_index_to(set, INT64_MAX, budget_ns, err);
}

enum tn_code
tn_set_check(struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (!set)
		return tn_fail_null(err);
	for (size_t i = 0; i < set->n_streams && rc == TN_OK; i++)
		if (set->stream[i]->trace->ops->check)
			rc = set->stream[i]->trace->ops->check(set->stream[i], err);
	return rc;
}

/* The first event with a time from the first row on, or the last one from the last row back. */
static enum tn_code
end_time(struct tn_cursor *cur, bool backward, int64_t *time_ns, struct tn_error *err)
{
	struct tn_row row;
	enum tn_code rc;

	rc = backward ? tn_cursor_last(cur, err) : tn_cursor_seek(cur, INT64_MIN + 1, err);
	while (rc == TN_OK && tn_cursor_row(cur, &row)) {
		if (row.kind == TN_ROW_EVENT && row.has_time) {
			*time_ns = row.location.time_ns;
			return TN_OK;
		}
		if (!row.has_time && backward)
			return TN_END;	/* what has no time comes before all that has one */
		rc = backward ? tn_cursor_prev(cur, err) : tn_cursor_next(cur, err);
	}
	return rc;
}

enum tn_code
tn_set_time_range(struct tn_set *set, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err)
{
	if (!begin_ns || !end_ns)
		return tn_fail_null(err);

	struct tn_cursor *cur;
	enum tn_code rc = tn_cursor_new(&cur, set, err);

	if (rc == TN_OK)
		rc = end_time(cur, false, begin_ns, err);
	if (rc == TN_OK)
		rc = end_time(cur, true, end_ns, err);
	tn_cursor_free(cur);
	return rc;
}
