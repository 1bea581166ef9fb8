/*
 * open.c - the table of formats, and sets of traces
 *
 * Only this file includes every format.
 */
#include <config.h>

#include "set/open.h"

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
#include "chromejson/chromejson.h"
#include "ctf/ctf.h"
#include "digest/digest.h"
#include "index/index_cache.h"
#include "index/packet_index.h"
#include "ovni/ovni.h"
#include "set/set.h"
#include "perfdata/perfdata.h"
#include "perfetto/perfetto.h"
#include "tracedat/tracedat.h"
#include "uftrace/uftrace.h"
#include "vartrace/vartrace.h"

const char *tn_version(void) { return PACKAGE_VERSION; }

size_t
tn_libraries(char *out, size_t room)
{
	char pcre[32] = "", archive[64];
	int n;

	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	pcre[strcspn(pcre, " ")] = '\0';	/* cut the date after it */
	tn_archive_library(archive, sizeof archive);
	n = snprintf(out, out ? room : 0, "PCRE2 %s, libunistring %d.%d, %s", pcre, _libunistring_version >> 16,
		     _libunistring_version >> 8 & 0xff, archive);
	return n < 0 ? 0 : (size_t)n;
}

static const struct tn_format *const all_formats[] = {
	&tn_format_ctf,
	&tn_format_ovni,
	&tn_format_perfdata,
	&tn_format_tracedat,
	&tn_format_chromejson,
	&tn_format_perfetto,
	&tn_format_uftrace,
	&tn_format_vartrace,
	NULL
};

/* ---- opening sets ---- */

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

/* Search all arguments. An argument without a trace is only a problem, if another one has a trace. */
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
	if (rc == TN_OK)
		tn_set_align(&own->set);
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
	own->set.problems = (struct tn_problems) { tn_set_tell, own };
	own->options.no_index_cache |= own->options.metadata != NULL;	/* cache keys are made for files in one folder */
	search.wanted = own->options.format;
	search.options = &own->options;
	search.problems = &own->set.problems;
	own->fresh = how.no_index_cache;
	search.unpacked = own->fresh ? &own->unpacked : NULL;
	if (n_paths == 0 && !memory)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "no trace given");
	else if (search.wanted && !tn_search_forced(&search))
		rc = tn_fail(err, TN_ERR_ARGUMENT,
			     "unknown format '%s': use ctf, ovni, perf.data, trace.dat, chrome-json, perfetto, uftrace, "
			     "vartrace, vartrace-le or vartrace-be",
			     search.wanted);
	else if (own->options.metadata && own->options.growing)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "%s: a trace whose metadata is elsewhere cannot be followed",
			     own->options.metadata);
	else if (!memory && tn_grow_is_wanted(own, path, n_paths))
		rc = tn_grow_begin(own, formats, path, n_paths, err);
	else if (!memory && own->options.unpack_wait_ns && !search.wanted && !own->fresh && !own->options.metadata &&
		 (rc = tn_archives_begin(own, path, n_paths, err)) != TN_END)
		rc = rc == TN_OK ? tn_grow_begin(own, formats, path, n_paths, err) : rc;
	else
		rc = open_arguments(own, &search, path, n_paths, err);
	tn_search_release(&search);
	if (rc != TN_OK) {
		tn_set_close(&own->set);
		return rc;
	}
	own->memory = NULL;
	tn_set_compare_clocks(&own->set);
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
	tn_unpacked_release(&own->unpacked);
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

/* Get the time of the first event with a time, from the first row on; or that of the last one, from the last row back. */
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
		rc = backward ? tn_cursor_prev(cur, err) : tn_cursor_next(cur, err);
	}
	return rc;
}

enum tn_code
tn_set_first_time(struct tn_set *set, int64_t *time_ns, struct tn_error *err)
{
	if (!set || !time_ns)
		return tn_fail_null(err);

	bool *timed = calloc(set->n_streams + 1, sizeof *timed);
	struct tn_cursor *cur = NULL;
	struct tn_row row;
	enum tn_code rc;

	if (!timed)
		return tn_fail_memory(err);
	for (size_t i = 0; i < set->n_streams; i++)
		timed[i] = set->stream[i]->stream_class->clock;
	rc = tn_cursor_new(&cur, set, err);
	if (rc == TN_OK)
		rc = tn_cursor_only(cur, timed, err);
	if (rc == TN_OK)
		rc = tn_cursor_first(cur, err);
	while (rc == TN_OK && tn_cursor_row(cur, &row) && !(row.kind == TN_ROW_EVENT && row.has_time))
		rc = tn_cursor_next(cur, err);
	if (rc == TN_OK)
		*time_ns = row.time_ns;
	tn_cursor_free(cur);
	free(timed);
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
