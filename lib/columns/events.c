/*
 * events.c - the events of a scan as the rows of one file, or of a file for each value of some keys
 *
 * The files of a folder have the layout that engines read as one table: "name=sched_switch/part-0.parquet". All files
 * together use at most as much memory as one file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "columns/rows.h"
#include "scan/asker.h"
#include "scan/ranges.h"
#include "write/outfile.h"

#define CHECKED_ROWS 4096		/* rows after which the memory of all files is checked */
#define BUFFER ((size_t)16 << 10)	/* for each file; there can be thousands of files */
#define MOST_NAME 200			/* limit of bytes in a folder's name; longer names are cut, and get a checksum */

enum { KEY_NAME, KEY_HOST, KEY_TRACE, KEY_STREAM, KEYS };
static const char *const key_names[KEYS] = { "name", "host", "trace", "stream" };

/* One of the files. */
struct part {
	struct tn_event_rows rows;
	struct tn_outfile out;
	struct tn_error *fault;	/* reason why it could not be written */
};

struct writing {
	struct tn_set *set;
	const struct tn_scan_options *scan;
	struct tn_columns_options options;
	struct part *one;	/* NULL: there is a file for each key */
	struct tn_encoders encoders;
	struct tn_row_reader reader;
	struct tn_new_folder folder;
	unsigned key[KEYS];
	size_t n_keys;
	const char *without[KEYS + 1];	/* names of the keys, which are not columns */
	TN_ARRAY(struct part *) part;
	struct tn_hash by_path, by_class;	/* value: number of the file */
	struct tn_arena paths;
	struct tn_str path;
	struct part *lost;	/* the table of losses; NULL: no losses yet */
	struct tn_node *lost_node[9];
	/* For a single file: number of losses of each kind, for its metadata. */
	uint64_t n_lost[TN_ROW_DAMAGE + 1];
	bool lost_unknown;	/* the number of some losses is unknown */
	struct tn_error err, fault;	/* why the scan was stopped; why a file could not be written */
	enum tn_code rc;
	uint64_t rows;
};

/* ---- the folder ---- */

static int
write_part(void *user, const void *bytes, size_t n)
{
	struct part *part = user;

	return tn_outfile_write(&part->out, bytes, n, part->fault) < 0;
}

/* Append the value of a key to a path. It is escaped, so that no byte of a trace can change the path. */
static void
put_escaped(struct tn_str *out, const char *text)
{
	size_t begin = out->n, n = strlen(text);

	for (const char *p = text; *p; p++) {
		bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("-_.~", *p);

		tn_str_printf(out, plain ? "%c" : "%%%02X", (unsigned char)*p);
	}
	if (out->n - begin > MOST_NAME && !out->failed) {
		out->n = begin + MOST_NAME;
		while (out->text[out->n - 1] == '%' || out->text[out->n - 2] == '%')
			out->n--;
		tn_str_printf(out, "~%016jx", (uintmax_t)tn_sum_bytes(0, text, n));
	}
}

/* The properties of an event that select its file. */
struct place {
	const struct tn_stream *stream;
	const struct tn_event_class *event_class;
	const char *name;
};

static const char *
key_of(unsigned key, const struct place *e)
{
	switch (key) {
	case KEY_NAME: return e->name;
	case KEY_HOST: return tn_stream_host(e->stream);
	case KEY_TRACE: return e->stream->trace->path;
	default: return tn_stream_name(e->stream);
	}
}

/* Make a path such as "name=a/host=b". */
static void
put_path(struct writing *w, const struct place *e)
{
	w->path.n = 0;
	for (size_t i = 0; i < w->n_keys; i++) {
		const char *value = key_of(w->key[i], e);

		tn_str_printf(&w->path, "%s%s=", i ? "/" : "", key_names[w->key[i]]);
		if (value)
			put_escaped(&w->path, value);
		else
			tn_str_puts(&w->path, "__HIVE_DEFAULT_PARTITION__");
	}
}

static void
release_part(struct part *part)
{
	if (!part)
		return;
	tn_event_rows_release(&part->rows);
	tn_outfile_release(&part->out);
	free(part);
}

static struct part *
make_part(struct writing *w, const char *folder)
{
	struct part *part = calloc(1, sizeof *part);
	char *made, *path;

	if (!part) {
		tn_fail_memory(&w->err);
		return NULL;
	}
	part->fault = &w->fault;
	made = tn_new_folder_make(&w->folder, folder, &w->err);
	path = made ? tn_printed("%s/part-0.parquet", made) : NULL;
	if (made && !path)
		tn_fail_memory(&w->err);
	free(made);
	if (!path || tn_outfile_init(&part->out, path, w->folder.final, BUFFER, &w->err) < 0) {
		free(part);
		return NULL;
	}
	tn_parquet_init(&part->rows.file, &(struct tn_columns_sink) { write_part, part }, &w->encoders);
	for (const char *const *note = w->options.note; note && note[0] && note[1]; note += 2)
		tn_parquet_note(&part->rows.file, note[0], note[1], strlen(note[1]));
	return part;
}

/* Make columns for the classes whose events belong to the same file as the event. */
static enum tn_code
make_columns(struct writing *w, struct part *part, const struct place *e)
{
	const struct tn_columns_options *o = &w->options;
	const struct tn_event_class **classes = calloc(o->n_column_classes + 2, sizeof *classes);
	bool by_name = false, by_trace = false;
	enum tn_code rc;
	size_t n = 0;

	if (!classes)
		return tn_fail_memory(&w->err);
	for (size_t i = 0; i < w->n_keys; i++) {
		by_name |= w->key[i] == KEY_NAME;
		by_trace |= w->key[i] == KEY_TRACE;
	}
	for (size_t i = 0; i < o->n_column_classes; i++) {
		const struct tn_event_class *ec = o->column_class[i];
		bool same = ec->name && e->name && strcmp(ec->name, e->name) == 0;

		if ((!by_name || same || ec == e->event_class) && (!by_trace || ec->stream_class->trace == e->stream->trace))
			classes[n++] = ec;
	}
	rc = tn_schema_make(&part->rows.schema, &part->rows.file, w->set, classes, n, w->without, w->reader.running,
			    &w->err);
	free(classes);
	return rc == TN_OK ? tn_parquet_begin(&part->rows.file, &w->err) : rc;
}

/* Find or make the file of the event. NULL: failure; w->err is set. */
static struct part *
part_of(struct writing *w, const struct place *e)
{
	bool is_usual = e->name == e->event_class->name;	/* false: the event has its own name */
	uint64_t key = (uint64_t)e->stream->rank << 32 | e->event_class->index;
	struct tn_hash_item *item = is_usual ? tn_hash_find_u64(&w->by_class, key) : NULL;
	struct part **part;
	size_t number;
	const char *copy;

	if (item)
		return w->part.item[item->value];
	put_path(w, e);
	item = w->path.failed ? NULL : tn_hash_find(&w->by_path, w->path.text, w->path.n);
	if (item) {
		number = (size_t)item->value;
	} else {
		number = w->part.n;
		copy = w->path.failed ? NULL : tn_arena_string(&w->paths, tn_str_text(&w->path));
		item = copy ? tn_hash_add(&w->by_path, copy, w->path.n, NULL) : NULL;
		part = item ? TN_ARRAY_ADD(&w->part) : NULL;
		if (!part) {
			tn_fail_memory(&w->err);
			return NULL;
		}
		item->value = number;
		if (!(*part = make_part(w, copy)) || make_columns(w, *part, e) < 0)
			return NULL;
	}
	if (is_usual) {
		if (!(item = tn_hash_add_u64(&w->by_class, key, NULL))) {
			tn_fail_memory(&w->err);
			return NULL;
		}
		item->value = number;
	}
	return w->part.item[number];
}

/* If all files together use too much memory, the largest ones write their rows. */
static enum tn_code
bound_memory(struct writing *w, struct tn_error *err)
{
	for (;;) {
		struct part *most = NULL;
		size_t all = 0;
		enum tn_code rc;

		for (size_t i = 0; i < w->part.n; i++) {
			size_t held = w->part.item[i]->rows.file.held;

			all += held;
			if (!most || held > most->rows.file.held)
				most = w->part.item[i];
		}
		if (all < TN_GROUP_BYTES || !most)
			return TN_OK;
		rc = tn_parquet_end_group(&most->rows.file, err);
		if (rc < 0)
			return rc;
		/* Also release unused space, because each file may have been the largest one before. */
		for (size_t i = 0; i < most->rows.file.leaf.n; i++) {
			tn_column_release(&most->rows.file.leaf.item[i]->column);
			tn_pages_release(&most->rows.file.pages[i]);
		}
	}
}

/* ---- losses ---- */

enum { LOST_TIME, LOST_TIME_NS, LOST_TRACE, LOST_HOST, LOST_STREAM, LOST_WHAT, LOST_COUNT, LOST_BEGIN, LOST_END };

static bool
make_lost(struct writing *w)
{
	static const struct tn_leaf_type time = { TN_PHYSICAL_INT64, TN_LOGICAL_TIMESTAMP, .is_signed = true, .rises = true },
		ns = { TN_PHYSICAL_INT64, TN_LOGICAL_INTEGER, .bits = 64, .is_signed = true, .rises = true },
		text = { .physical = TN_PHYSICAL_BYTES, .logical = TN_LOGICAL_TEXT },
		number = { TN_PHYSICAL_INT64, TN_LOGICAL_INTEGER, .bits = 64 };
	static const struct { const char *name; const struct tn_leaf_type *type; } columns[] = {
		[LOST_TIME] = { "time", &time }, [LOST_TIME_NS] = { "time_ns", &ns }, [LOST_TRACE] = { "trace", &text },
		[LOST_HOST] = { "host", &text }, [LOST_STREAM] = { "stream", &text }, [LOST_WHAT] = { "what", &text },
		[LOST_COUNT] = { "count", &number }, [LOST_BEGIN] = { "begin_ns", &ns }, [LOST_END] = { "end_ns", &ns },
	};
	bool is_wall = tn_set_is_wall_time(w->set);

	if (!(w->lost = make_part(w, "_lost")))
		return false;
	for (size_t i = is_wall ? LOST_TIME : LOST_TIME_NS; i <= LOST_END; i++)
		if (!(w->lost_node[i] = tn_parquet_leaf(&w->lost->rows.file, NULL, columns[i].name, columns[i].type))) {
			tn_fail_memory(&w->err);
			return false;
		}
	if (is_wall)
		w->lost_node[LOST_TIME]->same = w->lost_node[LOST_TIME_NS];
	return tn_parquet_begin(&w->lost->rows.file, &w->err) == TN_OK;
}

static void
put_lost_text(struct writing *w, size_t column, const char *text)
{
	if (text)
		tn_node_put_text(w->lost_node[column], w->lost->rows.file.row, 0, text, strlen(text));
}

static enum tn_code
put_lost(struct writing *w, const struct tn_row *row)
{
	if (!w->lost && !make_lost(w))
		return w->err.code;

	uint64_t at = w->lost->rows.file.row;

	if (row->has_time)
		tn_node_put(w->lost_node[LOST_TIME_NS], at, 0, (uint64_t)row->time_ns);
	put_lost_text(w, LOST_TRACE, row->stream->trace->path);
	put_lost_text(w, LOST_HOST, tn_stream_host(row->stream));
	put_lost_text(w, LOST_STREAM, tn_stream_name(row->stream));
	put_lost_text(w, LOST_WHAT, row->kind == TN_ROW_LOST_EVENTS ? "events" :
		      row->kind == TN_ROW_LOST_PACKETS ? "packets" : "damage");
	if (row->kind != TN_ROW_DAMAGE && row->count != TN_COUNT_UNKNOWN)
		tn_node_put(w->lost_node[LOST_COUNT], at, 0, row->count);
	if (row->has_range) {
		tn_node_put(w->lost_node[LOST_BEGIN], at, 0, (uint64_t)row->begin_ns);
		tn_node_put(w->lost_node[LOST_END], at, 0, (uint64_t)row->end_ns);
	}
	return tn_parquet_end_row(&w->lost->rows.file, &w->err);
}

/* ---- the scan ---- */

/* Get the properties that select the file of a row. If the event has its own name, it is the name of @w->reader.event. */
static enum tn_code
place_of(struct writing *w, const struct tn_batch *b, size_t row, struct place *out, struct tn_error *err)
{
	const struct tn_event_class *ec = b->stream->trace->event_class[b->refs.item[row].event_class];
	enum tn_code rc = TN_OK;

	*out = (struct place) { b->stream, ec, ec->name };
	if (ec->name)
		return TN_OK;
	rc = b->stream->trace->ops->read(b, row, 0, &w->reader.event, err);
	out->name = w->reader.event.name;
	return rc;
}

static enum tn_code
take(void *user, const struct tn_batch *b, size_t first, size_t n, struct tn_error *err)
{
	struct writing *w = user;
	enum tn_code rc = TN_OK;

	if (w->one) {
		w->rows += n;
		return tn_event_rows_put(&w->one->rows, &w->reader, b, first, n, err);
	}
	for (size_t row = first; rc == TN_OK && row < first + n; row++) {
		struct place at;
		struct part *part;

		if ((rc = place_of(w, b, row, &at, err)) < 0)
			break;
		if (!(part = part_of(w, &at))) {
			if (err)
				*err = w->err;
			return w->err.code;
		}
		rc = tn_event_rows_put(&part->rows, &w->reader, b, row, 1, err);
		if (rc == TN_OK && ++w->rows % CHECKED_ROWS == 0)
			rc = bound_memory(w, err);
	}
	return rc;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct writing *w = user;

	if (w->one) {
		bool is_loss = row->kind == TN_ROW_LOST_EVENTS || row->kind == TN_ROW_LOST_PACKETS;

		if (!is_loss)
			w->n_lost[TN_ROW_DAMAGE]++;
		else if (row->count != TN_COUNT_UNKNOWN)
			w->n_lost[row->kind] += row->count;
		else
			w->lost_unknown = true;
	} else if ((w->rc = put_lost(w, row)) < 0) {
		return 1;
	}
	return w->scan->notice ? w->scan->notice(w->scan->user, row) : 0;
}

/* Add the losses to the file's metadata, because they are not rows. */
static void
note_losses(const struct writing *w, struct tn_parquet *file)
{
	static const struct { const char *key; enum tn_row_kind kind; } notes[] = {
		{ "tnav.lost_events", TN_ROW_LOST_EVENTS }, { "tnav.lost_packets", TN_ROW_LOST_PACKETS },
		{ "tnav.damaged_places", TN_ROW_DAMAGE },
	};
	char number[32];

	for (size_t i = 0; i < TN_COUNT(notes); i++) {
		snprintf(number, sizeof number, "%ju", (uintmax_t)w->n_lost[notes[i].kind]);
		tn_parquet_note(file, notes[i].key, number, strlen(number));
	}
	if (w->lost_unknown)
		tn_parquet_note(file, "tnav.lost_more", "true", 4);
}

static enum tn_code
begin(struct writing *w, struct tn_error *err)
{
	enum tn_code rc = tn_encoders_init(&w->encoders, w->scan->threads, err);

	return rc == TN_OK ? tn_running_new(&w->reader.running, w->set, err) : rc;
}

static void
end(struct writing *w)
{
	tn_row_reader_release(&w->reader);
	tn_running_free(w->reader.running);
	tn_encoders_release(&w->encoders);
}

static enum tn_code
run(struct writing *w, struct tn_error *err)
{
	struct tn_scan_options look = *w->scan;
	enum tn_code rc;

	look.lines = NULL;
	look.row = NULL;
	look.packet = NULL;
	look.times = NULL;
	look.event = NULL;
	look.notice = on_notice;
	tn_answer_with(&look, w);
	rc = tn_scan_ranges(w->set, &look, &(struct tn_scan_ranges) { take, w }, NULL, err);
	if (rc != TN_ERR_CANCELLED || w->rc >= 0)
		return rc;
	if (err)
		*err = w->err;
	return w->rc;
}

enum tn_code
tn_columns_events(struct tn_set *set, const struct tn_columns_sink *sink, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err)
{
	struct part part = { .fault = NULL };
	struct writing w = { .set = set, .scan = scan, .options = { TN_COLUMNS_OPTIONS }, .one = &part };
	struct tn_columns_options *o = &w.options;
	enum tn_code rc;

	if (!set || !sink || !sink->write || !scan)
		return tn_fail_null(err);
	if ((rc = tn_options_take(o, sizeof *o, options, "tn_columns_options", err)) < 0)
		return rc;
	rc = begin(&w, err);
	tn_parquet_init(&part.rows.file, sink, &w.encoders);
	for (const char *const *note = o->note; note && note[0] && note[1]; note += 2)
		tn_parquet_note(&part.rows.file, note[0], note[1], strlen(note[1]));
	if (rc == TN_OK)
		rc = tn_schema_make(&part.rows.schema, &part.rows.file, set, o->column_class, o->n_column_classes, NULL,
				    w.reader.running, err);
	if (rc == TN_OK)
		rc = tn_parquet_begin(&part.rows.file, err);
	if (rc == TN_OK)
		rc = run(&w, err);
	note_losses(&w, &part.rows.file);
	if (rc == TN_OK)
		rc = tn_parquet_finish(&part.rows.file, err);
	if (passed)
		*passed = w.rows;
	tn_event_rows_release(&part.rows);
	end(&w);
	return rc;
}

/* ---- making and finishing the folder ---- */

static enum tn_code
read_keys(struct writing *w, const char *text, struct tn_error *err)
{
	while (*text) {
		size_t n = strcspn(text, ","), k = 0;

		while (k < KEYS && (strlen(key_names[k]) != n || memcmp(key_names[k], text, n) != 0))
			k++;
		for (size_t i = 0; i < w->n_keys && k < KEYS; i++)
			if (w->key[i] == k)
				return tn_fail(err, TN_ERR_ARGUMENT, "%s is named twice", key_names[k]);
		if (k == KEYS)
			return tn_fail(err, TN_ERR_ARGUMENT, "%.*s: files can be divided only by name, host, trace and stream",
				       n < 100 ? (int)n : 100, text);
		w->without[w->n_keys] = key_names[k];
		w->key[w->n_keys++] = (unsigned)k;
		text += n + (text[n] == ',');
	}
	return w->n_keys ? TN_OK : tn_fail(err, TN_ERR_ARGUMENT, "files can be divided by name, host, trace and stream: write "
								 "one of these");
}

static enum tn_code
finish_part(struct part *part, struct tn_error *err)
{
	enum tn_code rc = tn_parquet_finish(&part->rows.file, err);

	return rc == TN_OK ? tn_outfile_flush(&part->out, err) : rc;
}

enum tn_code
tn_columns_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err)
{
	struct writing w = { .set = set, .scan = scan, .options = { TN_COLUMNS_OPTIONS } };
	enum tn_code rc;

	if (!set || !folder || !keys || !scan)
		return tn_fail_null(err);
	if ((rc = tn_options_take(&w.options, sizeof w.options, options, "tn_columns_options", err)) < 0 ||
	    (rc = read_keys(&w, keys, err)) < 0)
		return rc;
	rc = begin(&w, err);
	if (rc == TN_OK)
		rc = tn_new_folder_begin(&w.folder, folder, err);
	if (rc == TN_OK)
		rc = run(&w, err);
	for (size_t i = 0; rc == TN_OK && i < w.part.n; i++)
		rc = finish_part(w.part.item[i], err);
	if (rc == TN_OK && w.lost)
		rc = finish_part(w.lost, err);
	if (rc == TN_OK)
		rc = tn_new_folder_finish(&w.folder, err);
	if (rc == TN_ERR_CANCELLED && w.fault.code < 0) {
		rc = w.fault.code;
		if (err)
			*err = w.fault;
	}
	if (rc < 0 && err && w.folder.path)
		tn_new_folder_name_in(&w.folder, err);
	if (passed)
		*passed = w.rows;
	for (size_t i = 0; i < w.part.n; i++)
		release_part(w.part.item[i]);
	release_part(w.lost);
	TN_ARRAY_RELEASE(&w.part);
	tn_hash_release(&w.by_path);
	tn_hash_release(&w.by_class);
	tn_arena_release(&w.paths);
	tn_str_release(&w.path);
	tn_new_folder_release(&w.folder);
	end(&w);
	return rc;
}
