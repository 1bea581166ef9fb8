/* library_more.c - sets that grow, archives, pieces of text, while calls of the system fail: jobs of library.c */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"
#include "library.h"

/* ---- a set that grows ---- */

/* Files of the tests' own never fail: what is written and how far is the same each time. */
static void
append(const char *path, const char *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd) != 0) {
		perror(path);
		exit(2);
	}
}

static void
make_half(const struct small_trace *t)
{
	if (mkdir("written", 0700) != 0) {
		perror("written");
		exit(2);
	}
	append("written/metadata", t->metadata.text, t->metadata.n);
	append("written/s0", t->stream[0].text, 4096);
}

static void
make_whole(const struct small_trace *t)
{
	append("written/s0", t->stream[0].text + 4096, t->stream[0].n - 4096);
	append("written/s1", t->stream[1].text, t->stream[1].n);
}

/* A call that failed has left the set as it was: the next one takes in what has come. */
static enum tn_code
grow(struct job *j, struct tn_set *set)
{
	struct tn_growth growth;
	enum tn_code rc = tn_set_grow(set, true, &growth, &j->err);

	if (rc < 0)
		rc = tn_set_grow(set, true, &growth, &j->err);
	j->problems += growth.missing != NULL;	/* why a trace cannot be read yet */
	return rc;
}

enum tn_code
grown(struct job *j)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j, .growing = true };
	const char *path = "written";
	struct tn_set *set = NULL;
	struct tn_cursor *cursor = NULL;
	struct tn_row row;
	enum tn_code rc;

	faults_pause(true);
	make_half(j->small);
	faults_pause(false);
	rc = tn_set_open(&set, &path, 1, &how, &j->err);
	if (rc == TN_OK)
		rc = grow(j, set);
	faults_pause(true);
	make_whole(j->small);
	faults_pause(false);
	for (int i = 0; rc == TN_OK && i < 3; i++)
		rc = grow(j, set);
	if (rc == TN_OK)
		rc = tn_set_settle(set, &j->err);
	if (rc == TN_OK)
		rc = tn_cursor_new(&cursor, set, &j->err);
	for (rc = rc == TN_OK ? tn_cursor_first(cursor, &j->err) : rc; rc == TN_OK; rc = tn_cursor_next(cursor, &j->err))
		if (tn_cursor_row(cursor, &row))
			add_number(j, (uint64_t)row.location.time_ns);
	tn_cursor_free(cursor);
	tn_set_close(set);
	return rc < 0 ? rc : TN_OK;
}

/* ---- an index ---- */

/* Results from before the failure stay, and nothing is missing after the next call. */
enum tn_code
indexed(struct job *j)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j, .no_index_cache = true };
	struct tn_set *set = NULL;
	struct tn_packet_info packet;
	enum tn_code rc;

	rc = j->path ? tn_set_open(&set, &j->path, 1, &how, &j->err) : tn_set_open_memory(&set, j->small->file, 3, &how, &j->err);
	if (rc == TN_OK && (rc = tn_set_index(set, 1, &j->err)) < 0)
		rc = tn_set_index(set, 1, &j->err);
	faults_pause(true);
	for (size_t i = 0; rc >= 0 && i < tn_set_stream_count(set); i++)
		for (size_t k = 0; tn_stream_packet(tn_set_stream(set, i), k, &packet) == TN_OK; k++) {
			add_number(j, packet.offset);
			add_number(j, (uint64_t)packet.begin_ns);
			add_number(j, (uint64_t)packet.end_ns);
		}
	tn_set_close(set);
	faults_pause(false);
	return rc;
}

/* ---- an archive ---- */

enum tn_code
unpacked(struct job *j)
{
	struct tn_export_options o = { TN_EXPORT_OPTIONS, .threads = 1, .archive = true };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j };
	const char *path = "exported.tar.zst";
	struct tn_set *set = NULL;
	uint64_t n = 0;
	enum tn_code rc;

	faults_pause(true);
	if (tn_export(j->set, "exported", &o, &j->err) != TN_OK) {
		faults_pause(false);
		return TN_OK;	/* no library for archives */
	}
	faults_pause(false);
	rc = tn_set_open(&set, &path, 1, &how, &j->err);
	if (rc == TN_OK)
		rc = tn_count(set, NULL, &n, &j->err);
	add_number(j, n);
	tn_set_close(set);
	return rc;
}

/* ---- pieces of text ---- */

enum tn_code
pieces(struct job *j)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_cursor *cursor = NULL;
	struct tn_filter *filter = NULL;
	struct tn_text *text = NULL;
	struct tn_str out = { 0 };
	const struct tn_event *event;
	struct tn_row row;
	bool pass = false;
	enum tn_code rc;

	how.utc = true;
	how.format = TN_LINE_CSV;
	rc = tn_text_new(&text, j->set, &how, &j->err);
	if (rc == TN_OK && (rc = tn_filter_new(&filter, j->set, &j->err)) == TN_OK)
		rc = tn_filter_add_regex(filter, "[5-9], |o", false, &j->err);
	if (rc == TN_OK)
		rc = tn_filter_add(filter, "time > \"00:00:01\" and not (id == 77)", &j->err);
	if (rc == TN_OK)
		rc = tn_cursor_new(&cursor, j->set, &j->err);
	if (rc == TN_OK)
		tn_text_heading(text, &out);
	for (rc = rc == TN_OK ? tn_cursor_first(cursor, &j->err) : rc; rc == TN_OK; rc = tn_cursor_next(cursor, &j->err)) {
		tn_cursor_row(cursor, &row);
		if ((rc = tn_filter_match(filter, text, cursor, &pass, &j->err)) < 0)
			break;
		add_number(j, pass);
		if (row.kind != TN_ROW_EVENT) {
			tn_text_notice(text, &row, &out);
			continue;
		}
		rc = tn_text_fields(text, cursor, &out, &j->err);
		if (rc == TN_OK)
			rc = tn_text_line(text, cursor, NULL, &out, &j->err);
		if (rc == TN_OK)
			rc = tn_cursor_read(cursor, TN_SCOPE_ALL, &event, &j->err);
		if (rc != TN_OK)
			break;
		if (tn_event_scope(event, TN_SCOPE_PAYLOAD))
			tn_text_value(text, tn_event_scope(event, TN_SCOPE_PAYLOAD), &out);
		tn_text_time(text, row.time_ns, &out);
		tn_text_delta(text, -row.time_ns, &out);
	}
	j->out_of_memory |= out.failed;
	add_text(j, tn_str_text(&out));
	tn_str_release(&out);
	tn_cursor_free(cursor);
	tn_filter_free(filter);
	tn_text_free(text);
	return rc < 0 ? rc : TN_OK;
}
