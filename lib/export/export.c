/*
 * export.c - write the events that match as traces of CTF 1.8 in a folder
 *
 * Streams are written independently, each in its own order, so no merge is needed. Only a regular expression needs lines,
 * which contain the time since the previous event of any stream. A scan then decides which rows match, and the streams
 * are written during the scan.
 */
#define _GNU_SOURCE	/* pthread_cond_clockwait() */
#include "export/export.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "archive/archive.h"
#include "base/messages.h"
#include "base/options.h"
#include "base/str.h"
#include "base/threads.h"
#include "base/wide.h"
#include "index/packet_index.h"
#include "text/text.h"
#include "write/recode.h"

#define PROGRESS_NS 50000000
#define ALL_ROOM ((size_t)64 << 20)	/* limit of the buffers of all files together, when many are written at the same time */
#define MOST_ROOM ((size_t)1 << 20)
#define LEAST_ROOM ((size_t)16 << 10)
#define ARCHIVE_END ".tar.zst"

/* ---- names ---- */

static char *
last_part(const char *path)
{
	size_t n = strlen(path), from;

	while (n && path[n - 1] == '/')
		n--;
	for (from = n; from && path[from - 1] != '/'; from--)
		;
	return strndup(path + from, n - from);
}

/* The path of a trace below the argument that led to it; otherwise the name of its folder. */
static char *
trace_name(const struct tn_trace *t)
{
	const struct tn_env *host = tn_trace_env(t, "hostname");
	size_t n = host && host->is_text ? strlen(host->text) : 0;
	const char *below = t->name && n && strncmp(t->name, host->text, n) == 0 && t->name[n] == '/' ? t->name + n + 1
				: t->name && !n ? t->name : "";

	while (*below == '/')
		below++;
	return *below && !strstr(below, "..") && !strstr(below, "//") ? strdup(below) : last_part(t->path);
}

/* Make a file name from any text, but not one of the names that are special in a trace. */
static char *
file_name(const struct tn_stream *s)
{
	bool plain = s->n_files == 1 && s->path && strncmp(s->trace->format, "CTF", 3) == 0;
	char *name = plain ? last_part(s->path) : strdup(s->name ? s->name : "");

	if (!name)
		return NULL;
	for (char *c = name; *c; c++)
		if (*c == '/' || (unsigned char)*c < 0x20)
			*c = '_';
	if (!*name || *name == '.' || strlen(name) > 200 || strcmp(name, "metadata") == 0 || strcmp(name, "index") == 0) {
		free(name);
		name = malloc(48);
		if (name)
			snprintf(name, 48, "stream_%u", (unsigned)s->rank);
	}
	return name;
}

static char *
with_number(char *name, unsigned n)
{
	char *numbered = tn_printed("%s-%u", name, n);

	free(name);
	return numbered;
}

static bool
trace_name_taken(const struct tn_export *x, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(x->trace[i].name, name) == 0)
			return true;
	return false;
}

static bool
stream_name_taken(const struct tn_export *x, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (x->stream[i].trace == x->stream[n].trace && strcmp(x->stream[i].name, name) == 0)
			return true;
	return false;
}

static enum tn_code
name_all(struct tn_export *x, struct tn_error *err)
{
	const struct tn_set *set = x->set;

	for (size_t i = 0; i < set->n_traces; i++) {
		struct tn_export_trace *t = &x->trace[i];

		t->trace = set->trace[i];
		t->name = set->n_traces == 1 ? strdup("") : trace_name(t->trace);
		for (unsigned k = 1; t->name && trace_name_taken(x, i, t->name); k++)
			t->name = with_number(t->name, k);
		if (!t->name)
			return tn_fail_memory(err);
	}
	for (size_t i = 0; i < set->n_streams; i++) {
		struct tn_export_stream *s = &x->stream[i];

		s->export = x;
		s->stream = set->stream[i];
		for (size_t k = 0; k < set->n_traces; k++)
			if (set->trace[k] == s->stream->trace)
				s->trace = &x->trace[k];
		x->all_bytes += s->stream->size;
		s->name = file_name(s->stream);
		for (size_t k = 0; k < i; k++)
			s->number += x->stream[k].trace == s->trace;
		for (unsigned k = 1; s->name && stream_name_taken(x, i, s->name); k++)
			s->name = with_number(s->name, k);
		if (!s->name)
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* ---- traces ---- */

static bool
can_repack(const struct tn_export *x, const struct tn_trace *t)
{
	const struct tn_export_options *o = x->options;
	bool all = !x->filter && !x->by_rows && !o->has_begin && !o->has_end;

	if (!t->metadata_text || strcmp(t->format, "CTF 1.8") != 0)
		return false;
	/* The user's offset of times is not in the bits, so copied bits do not have it. */
	for (size_t i = 0; i < t->n_clocks; i++)
		if (t->clock[i]->shift_ns)
			return false;
	return all || tn_repack_can(t);
}

/* Values without a type are written as text. */
static bool
value_text(void *user, const struct tn_value *v, struct tn_str *out)
{
	const struct tn_export *x = user;
	struct tn_str b = { 0 };
	bool fine;

	tn_text_value(x->plain, v, &b);
	fine = !b.failed;
	if (fine)
		tn_str_add(out, b.text, b.n);
	tn_str_release(&b);
	return fine;
}

/*
 * Whether another trace has the same UUID. Traces with one UUID are read as one trace whose metadata only grows. The
 * export has other metadata, so it gets another UUID.
 */
static bool
shares_uuid(const struct tn_export *x, const struct tn_trace *t)
{
	for (size_t i = 0; i < x->set->n_traces; i++) {
		const struct tn_trace *other = x->set->trace[i];

		if (other != t && other->has_uuid && t->has_uuid && memcmp(other->uuid, t->uuid, 16) == 0)
			return true;
	}
	return false;
}

/* Make the folder of the trace. In an archive it is inside of a folder with the export's name. */
static char *
make_folder(const struct tn_export *x, const struct tn_export_trace *t, struct tn_error *err)
{
	struct tn_str name = { 0 };
	char *folder = NULL;

	tn_str_printf(&name, "%s%s%s", x->inside, *x->inside && *t->name ? "/" : "", t->name);
	if (name.failed)
		tn_fail_memory(err);
	else
		folder = tn_new_folder_make(&x->folder, tn_str_text(&name), err);
	tn_str_release(&name);
	return folder;
}

static enum tn_code
begin_trace(struct tn_export *x, struct tn_export_trace *t, struct tn_error *err)
{
	free(t->folder);
	tn_recoder_free(t->recoder);
	t->recoder = NULL;
	t->folder = make_folder(x, t, err);
	if (!t->folder)
		return err ? err->code : TN_ERR_SYSTEM;
	if (!t->recode)
		return tn_repack_metadata(t->trace, t->folder, x->folder.final, err);
	return tn_recoder_new(&t->recoder, t->trace, !shares_uuid(x, t->trace), value_text, x, err);
}

static enum tn_code
finish_trace(struct tn_export *x, struct tn_export_trace *t, struct tn_error *err)
{
	return t->recode ? tn_recoder_metadata(t->recoder, t->folder, x->folder.final, err) : TN_OK;
}

static enum tn_code
begin_stream(struct tn_export_stream *s, struct tn_error *err)
{
	const struct tn_export_trace *t = s->trace;

	if (t->recode)
		return tn_recode_new(&s->sink, t->recoder, s->stream, s->number, t->folder, s->name, s->export->room, err);
	return tn_repack_new(&s->sink, s->stream, t->folder, s->name, s->export->room, err);
}

/* The trace needs the other method of writing: begin again. */
static void
note_failure(struct tn_export_stream *s)
{
	if (s->code == TN_ERR_UNSUPPORTED && !s->trace->recode)
		atomic_store(&s->trace->failed_repack, true);
	if (s->code < 0)
		tn_at(&s->err, s->code, "%s", s->stream->path);
}

/* ---- streams that are written independently ---- */

struct work {
	struct tn_export *x;
	atomic_size_t next;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	unsigned at_work;
};

static void
write_stream(struct tn_export_stream *s)
{
	s->code = begin_stream(s, &s->err);
	if (s->code == TN_OK)
		s->code = tn_export_stream_finish(s, &s->err);
	if (s->code < 0) {
		note_failure(s);
		atomic_store(&s->export->stop, true);
	}
}

/* If the streams of a trace are written one after another, the first worker writes all of them. */
static void
work(struct work *w)
{
	struct tn_export *x = w->x;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < x->set->n_streams) {
		struct tn_export_stream *s = &x->stream[i];
		bool serial = s->trace->recode && s->trace->recoder->serial;

		if (serial && s->number)
			continue;
		for (size_t k = i; k < (serial ? x->set->n_streams : i + 1); k++)
			if (x->stream[k].trace == s->trace)
				write_stream(&x->stream[k]);
	}
}

static void
hand(void *user, unsigned number)
{
	struct work *w = user;

	(void)number;
	work(w);
	pthread_mutex_lock(&w->lock);
	w->at_work--;
	pthread_cond_signal(&w->ended);
	pthread_mutex_unlock(&w->lock);
}

static bool
is_stopped(struct tn_export *x)
{
	const struct tn_export_options *o = x->options;

	return o->progress && o->progress(o->user, atomic_load(&x->done_bytes), x->all_bytes);
}

/* Report progress until all workers are done. */
static enum tn_code
wait_for(struct work *w, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	pthread_mutex_lock(&w->lock);
	while (w->at_work) {
		struct timespec until;

		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += PROGRESS_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		pthread_cond_clockwait(&w->ended, &w->lock, CLOCK_MONOTONIC, &until);
		if (!w->at_work)
			break;
		pthread_mutex_unlock(&w->lock);
		if (rc == TN_OK && is_stopped(w->x)) {
			rc = tn_fail(err, TN_ERR_CANCELLED, "stopped");
			atomic_store(&w->x->stop, true);
		}
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return rc;
}

/* The first stream that failed, and was not stopped because another one failed. */
static enum tn_code
first_failure(const struct tn_export *x, struct tn_error *err)
{
	const struct tn_export_stream *found = NULL;

	for (size_t i = 0; i < x->set->n_streams; i++)
		if (x->stream[i].code < 0 && (!found || found->code == TN_ERR_CANCELLED))
			found = &x->stream[i];
	if (!found)
		return TN_OK;
	if (err)
		*err = found->err;
	return found->code;
}

static enum tn_code
write_streams(struct tn_export *x, struct tn_error *err)
{
	struct work w = { .x = x };
	struct tn_threads workers;
	unsigned threads = tn_threads_size(x->options->threads), started;
	enum tn_code rc;

	if (threads > x->set->n_streams)
		threads = x->set->n_streams ? (unsigned)x->set->n_streams : 1;
	pthread_mutex_init(&w.lock, NULL);
	pthread_cond_init(&w.ended, NULL);
	w.at_work = threads;
	started = tn_threads_start(&workers, threads, hand, &w);
	pthread_mutex_lock(&w.lock);
	w.at_work -= threads - started;
	pthread_mutex_unlock(&w.lock);
	if (!started)
		work(&w);
	rc = wait_for(&w, err);
	tn_threads_join(&workers);
	pthread_cond_destroy(&w.ended);
	pthread_mutex_destroy(&w.lock);
	return rc == TN_OK ? first_failure(x, err) : rc;
}

/* ---- rows that a scan selects ---- */

struct listing {
	struct tn_export *x;
	enum tn_code code;
	struct tn_error *err;
};

static int
on_row(void *user, const struct tn_row *row)
{
	struct listing *l = user;
	struct tn_export_stream *s = &l->x->stream[row->location.stream];

	if (row->kind == TN_ROW_EVENT)
		s->code = tn_export_row(s, row->location.packet, row->location.row, &s->err);
	else if (row->kind == TN_ROW_DAMAGE)
		s->code = tn_export_damage(s, row, &s->err);
	if (s->code < 0)
		note_failure(s);
	return s->code < 0;
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct listing *l = user;

	(void)read, (void)passed, (void)at_ns;
	return is_stopped(l->x);
}

static enum tn_code
write_rows(struct tn_export *x, struct tn_error *err)
{
	const struct tn_export_options *o = x->options;
	struct listing l = { .x = x, .err = err };
	struct tn_scan_options scan = {
		TN_SCAN_OPTIONS,
		.filter = o->filter, .text = o->text, .has_begin = o->has_begin, .has_end = o->has_end,
		.begin_ns = o->begin_ns, .end_ns = o->end_ns, .threads = o->threads,
		.row = on_row, .progress = on_progress, .user = &l,
	};
	enum tn_code rc = TN_OK, failed;

	for (size_t i = 0; rc == TN_OK && i < x->set->n_streams; i++)
		rc = begin_stream(&x->stream[i], err);
	if (rc == TN_OK)
		rc = tn_scan(x->set, &scan, NULL, err);
	for (size_t i = 0; rc == TN_OK && i < x->set->n_streams; i++) {
		struct tn_export_stream *s = &x->stream[i];

		s->code = tn_export_stream_finish(s, &s->err);
		if (s->code < 0)
			note_failure(s);
		rc = s->code < 0 ? s->code : is_stopped(x) ? tn_fail(err, TN_ERR_CANCELLED, "stopped") : TN_OK;
	}
	failed = first_failure(x, err);
	return failed < 0 ? failed : rc < 0 ? rc : TN_OK;
}

/* ---- all of it ---- */

static void
forget_streams(struct tn_export *x)
{
	for (size_t i = 0; i < x->set->n_streams; i++) {
		struct tn_export_stream *s = &x->stream[i];
		struct tn_export_stream fresh = {
			.export = x, .trace = s->trace, .stream = s->stream, .name = s->name, .number = s->number,
		};

		s->name = NULL;
		tn_export_stream_release(s);
		*s = fresh;
	}
	atomic_store(&x->stop, false);
	atomic_store(&x->done_bytes, 0);
}

/* Whether a trace needs the other method of writing. */
static bool
is_to_be_recoded(struct tn_export *x)
{
	bool some = false;

	for (size_t i = 0; i < x->set->n_traces; i++)
		if (atomic_load(&x->trace[i].failed_repack) && !x->trace[i].recode)
			some = x->trace[i].recode = true;
	return some;
}

static bool
ends_in(const char *name, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n > m && strncmp(name + n - m, end, m) == 0;
}

/*
 * The names "a/b" and "a/b.tar.zst" both mean the archive a/b.tar.zst, which contains the folder b. Names of other kinds
 * of archives are refused.
 */
static enum tn_code
name_final(struct tn_export *x, const char *folder, struct tn_error *err)
{
	static const char *const others[] = { ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".zip" };
	struct tn_str final = { 0 };
	size_t n = strlen(folder);
	bool says_so;

	while (n > 1 && folder[n - 1] == '/')
		n--;
	for (size_t i = 0; i < TN_COUNT(others); i++)
		if (ends_in(folder, n, others[i]))
			return tn_fail(err, TN_ERR_ARGUMENT, "%s: the name of a written archive must end in .tar.zst", folder);
	says_so = ends_in(folder, n, ARCHIVE_END);
	x->archive = x->options->archive || says_so;
	if (!x->archive) {
		x->inside = strdup("");
		x->final = strdup(folder);
		return x->inside && x->final ? TN_OK : tn_fail_memory(err);
	}
	tn_str_add(&final, folder, says_so ? n - strlen(ARCHIVE_END) : n);
	x->inside = final.failed ? NULL : last_part(final.text);
	tn_str_puts(&final, ARCHIVE_END);
	x->final = final.text;
	return final.failed || !x->inside ? tn_fail_memory(err) : TN_OK;
}

static enum tn_code
pack(struct tn_export *x, struct tn_error *err)
{
	char *file = tn_new_folder_beside(&x->folder, "archive", err);
	enum tn_code rc = file ? tn_archive_pack(file, x->folder.path, err) : TN_ERR_MEMORY;

	if (file)
		tn_new_folder_become(&x->folder, file);
	return rc;
}

static enum tn_code
write_all(struct tn_export *x, struct tn_error *err)
{
	enum tn_code rc;

	do {
		forget_streams(x);
		tn_new_folder_release(&x->folder);
		rc = tn_new_folder_begin(&x->folder, x->final, err);
		for (size_t i = 0; rc == TN_OK && i < x->set->n_traces; i++)
			rc = begin_trace(x, &x->trace[i], err);
		if (rc == TN_OK)
			rc = x->by_rows ? write_rows(x, err) : write_streams(x, err);
		for (size_t i = 0; rc == TN_OK && i < x->set->n_traces; i++)
			rc = finish_trace(x, &x->trace[i], err);
	} while (rc == TN_ERR_UNSUPPORTED && is_to_be_recoded(x));
	if (rc == TN_OK)
		rc = tn_export_check(x, err);
	return rc == TN_OK && x->archive ? pack(x, err) : rc;
}

static enum tn_code
tell_damages(const struct tn_export *x, struct tn_error *err)
{
	const struct tn_export_options *o = x->options;

	for (size_t i = 0; o->damage && i < x->set->n_streams; i++)
		for (size_t k = 0; k < x->stream[i].damages.n; k++)
			if (o->damage(o->user, &x->stream[i].damages.item[k]))
				return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

static void
tell(const struct tn_export *x, struct tn_str *text)
{
	struct tn_problem problem = { TN_WARNING, tn_str_text(text) };

	if (!text->failed)
		x->options->problem(x->options->user, &problem);
	tn_str_release(text);
}

static void
tell_values(const struct tn_export *x, const struct tn_stream *s, const struct tn_unsaid *u, const char *what)
{
	struct tn_str text = { 0 };
	char path[256];

	if (!u->n)
		return;
	tn_field_path(u->field, "", path, sizeof path);
	tn_str_printf(&text, _("%s: %s (%" PRIu64 " in all; the first is '%s' of '%s')"), s->path, what, u->n,
		      *path == '.' ? path + 1 : path, u->event ? u->event : _("the packet context"));
	tell(x, &text);
}

/* Warn if the user's offset of times is not a whole number of cycles. */
static void
tell_clock(const struct tn_export *x, const struct tn_clock *c)
{
	int64_t shift = c->shift_ns % 1000000000;
	uint64_t rest = shift < 0 ? 0 - (uint64_t)shift : (uint64_t)shift;
	uint64_t part = tn_multiply_divide(rest, c->frequency, 1000000000);
	struct tn_str text = { 0 };

	if (tn_multiply_divide(part, 1000000000, c->frequency) == rest)
		return;
	tn_str_printf(&text, _("clock %s counts %" PRIu64 " times a second: the exported times are shifted by a whole number of "
			       "counts, rounded down"), c->name, c->frequency);
	tell(x, &text);
}

static void
tell_losses(const struct tn_export *x, const struct tn_stream *s, uint64_t n)
{
	struct tn_str text = { 0 };

	if (!n)
		return;
	tn_str_printf(&text, P_("%s: the export does not show %" PRIu64 " loss of unknown size",
				"%s: the export does not show %" PRIu64 " losses of unknown size", n), s->path, n);
	tell(x, &text);
}

static void
tell_unsaid(const struct tn_export *x)
{
	for (size_t i = 0; x->options->problem && i < x->set->n_traces; i++)
		for (size_t k = 0; x->trace[i].recode && k < x->set->trace[i]->n_clocks; k++)
			tell_clock(x, x->set->trace[i]->clock[k]);
	for (size_t i = 0; x->options->problem && i < x->set->n_streams; i++) {
		const struct tn_sink *sink = x->stream[i].sink;

		tell_values(x, sink->stream, &sink->beyond,
			    _("an integer of more than 64 bits is exported as the nearest one of 64"));
		tell_values(x, sink->stream, &sink->missing,
			    _("fields that only some events of the stream have are exported as 0, or left out"));
		tell_losses(x, sink->stream, x->stream[i].sum.unsaid);
	}
}

static void
sum_up(const struct tn_export *x)
{
	struct tn_exported *sum = x->options->exported;

	if (!sum)
		return;
	*sum = (struct tn_exported) { .streams = x->set->n_streams, .traces = x->set->n_traces };
	for (size_t i = 0; i < x->set->n_streams; i++) {
		const struct tn_sink *sink = x->stream[i].sink;

		sum->events += sink->events;
		sum->packets += sink->packets;
		sum->bytes += tn_outfile_size(&sink->file);
	}
}

static void
release(struct tn_export *x)
{
	for (size_t i = 0; x->stream && i < x->set->n_streams; i++)
		tn_export_stream_release(&x->stream[i]);
	for (size_t i = 0; x->trace && i < x->set->n_traces; i++) {
		free(x->trace[i].name);
		free(x->trace[i].folder);
		tn_recoder_free(x->trace[i].recoder);
	}
	free(x->final);
	free(x->inside);
	free(x->stream);
	free(x->trace);
	tn_text_free(x->plain);
	tn_walk_pool_release(&x->pool);
	tn_new_folder_release(&x->folder);
}

enum tn_code
tn_export(struct tn_set *set, const char *folder, const struct tn_export_options *options, struct tn_error *err)
{
	if (!set || !folder)
		return tn_fail_null(err);

	struct tn_export_options own = { TN_EXPORT_OPTIONS };
	const struct tn_export_options *o = &own;
	struct tn_export x = { .set = set, .options = o };
	struct tn_error unwanted;
	enum tn_code rc;
	size_t n;

	err = err ? err : &unwanted;
	rc = tn_options_take(&own, sizeof own, options, "tn_export_options", err);
	if (rc < 0)
		return rc;
	n = set->n_streams ? set->n_streams : 1;
	x.by_rows = tn_filter_has_regex(o->filter);
	x.filter = !x.by_rows && o->filter && !tn_filter_empty(o->filter) ? o->filter : NULL;
	x.room = x.by_rows ? ALL_ROOM / n : MOST_ROOM;
	x.room = x.room > MOST_ROOM ? MOST_ROOM : x.room < LEAST_ROOM ? LEAST_ROOM : x.room;
	if (x.by_rows && !o->text)
		return tn_fail(err, TN_ERR_ARGUMENT, "regular expressions need a format of lines");
	tn_walk_pool_init(&x.pool);
	x.stream = calloc(n, sizeof *x.stream);
	x.trace = calloc(set->n_traces ? set->n_traces : 1, sizeof *x.trace);
	rc = name_final(&x, folder, err);
	if (rc == TN_OK)
		rc = x.stream && x.trace ? name_all(&x, err) : tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_text_new(&x.plain, set, NULL, err);
	for (size_t i = 0; rc == TN_OK && i < set->n_traces; i++)
		x.trace[i].recode = !can_repack(&x, set->trace[i]);
	if (rc == TN_OK)
		rc = write_all(&x, err);
	if (rc == TN_OK)
		rc = tell_damages(&x, err);
	if (rc == TN_OK && is_stopped(&x))
		rc = tn_fail(err, TN_ERR_CANCELLED, "stopped");
	if (rc == TN_OK)
		rc = tn_new_folder_finish(&x.folder, err);
	if (rc == TN_OK) {
		tell_unsaid(&x);
		sum_up(&x);
	} else {
		tn_new_folder_name_in(&x.folder, err);
	}
	release(&x);
	return rc;
}
