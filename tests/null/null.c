/*
 * null.c - every function of the public headers with NULL for each of its pointers, and with an index after the
 * end: no call crashes, and without its object a function returns an error, NULL or false
 *
 * Each call is a process of its own. tests/null/calls makes calls.h from the headers.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tnav/tnav.h>

#define ROOM (1 << 16)

struct result {
	enum { NOTHING, POINTER, CODE, TRUTH } kind;
	int code;
	const void *pointer;
};

struct call {
	const char *name;
	const char *params;	/* 'p' a pointer, 'i' an index, '-' anything else */
	struct result (*make)(int k);
};

/* ---- objects that are good ---- */

static struct tn_set *set;
static struct tn_cursor *cursor;
static struct tn_reader *reader;
static struct tn_text *text;
static struct tn_filter *filter;
static struct tn_regex *regex;
static struct tn_draft *draft;
static struct tn_stream_class *stream_class;
static struct tn_event_class *drafted;
static struct tn_type *structure;
static struct tn_clock *draft_clock;
static struct tn_packet_writer packet_writer;
static struct tn_recorder *recorder;
static struct tn_trace_writer *trace_writer;
static const struct tn_event *event;
static struct tn_row row;
static struct tn_packet_iter packet_at;
static struct tn_event_iter event_at;
static struct tn_named *named;
static struct tn_compare *compare;
static struct tn_why *why;
static struct tn_sequence *sequence;
static struct tn_table *table;
static struct tn_columns_table *columns;
static struct tn_columns_sink sink;
static uint64_t buffer[512];

static void
need(enum tn_code rc, const struct tn_error *err)
{
	if (rc == TN_OK)
		return;
	fprintf(stderr, "null: %s\n", err->text);
	exit(2);
}

static void
keep_packet(void *user)
{
	(void)user;
	tn_packet_writer_close(&packet_writer);
}

static int
drop_bytes(void *user, const void *bytes, size_t n)
{
	(void)user;
	(void)bytes;
	(void)n;
	return 0;
}

/* A trace of one event. */
static void
open_set(void)
{
	static const struct tn_packet_callbacks callbacks = { .close = keep_packet };
	struct tn_str metadata = { 0 };
	struct tn_memory_file file[2];
	struct tn_datum data[2] = { tn_datum_u(7), tn_datum_text("seven") };
	struct tn_error err = { 0 };

	need(tn_draft_new(&draft, NULL, &err), &err);
	tn_draft_env_text(draft, "hostname", "here");
	draft_clock = tn_draft_clock(draft, "c", 1000, 0, 0, true);
	stream_class = tn_draft_stream_class(draft, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .clock = draft_clock });
	structure = tn_draft_struct(draft);
	tn_draft_member(draft, structure, "n", tn_draft_uint(draft, 32, 0, 10));
	tn_draft_member(draft, structure, "s", tn_draft_string(draft));
	drafted = tn_draft_event_class(draft, stream_class, "e", -1, NULL, structure);
	need(tn_draft_finish(draft, &err), &err);
	need(tn_draft_metadata(draft, TN_METADATA_CTF_1_8, &metadata, &err), &err);
	tn_packet_writer_init(&packet_writer, stream_class, 0, buffer, sizeof buffer, &callbacks, NULL);
	need(tn_packet_writer_open(&packet_writer, NULL, 0, &err), &err);
	need(tn_packet_writer_event_at(&packet_writer, 5, drafted, data, 2, &err), &err);
	tn_packet_writer_close(&packet_writer);
	file[0] = (struct tn_memory_file) { "metadata", metadata.text, metadata.n };
	file[1] = (struct tn_memory_file) { "s", buffer, sizeof buffer };
	need(tn_set_open_memory(&set, file, 2, NULL, &err), &err);
	tn_str_release(&metadata);
}

static void
make_objects(void)
{
	struct tn_selection selection = { TN_SELECTION };
	const struct tn_stream *stream;
	struct tn_error err = { 0 };

	open_set();
	selection.set = set;
	stream = tn_set_stream(set, 0);
	need(tn_cursor_new(&cursor, set, &err), &err);
	need(tn_cursor_first(cursor, &err), &err);
	tn_cursor_row(cursor, &row);
	need(tn_cursor_read(cursor, TN_SCOPE_ALL, &event, &err), &err);
	need(tn_reader_new(&reader, &err), &err);
	need(tn_packet_iter_begin(stream, &packet_at, &err), &err);
	need(tn_event_iter_begin(reader, stream, &event_at, &err), &err);
	need(tn_text_new(&text, set, NULL, &err), &err);
	need(tn_filter_new(&filter, set, &err), &err);
	need(tn_regex_new(&regex, "a", false, &err), &err);
	need(tn_named_new(&named, set, "name", &err), &err);
	need(tn_compare_new(&compare, &selection, &selection, &err), &err);
	need(tn_why_new(&why, &selection, NULL, "n == 5", &err), &err);
	need(tn_sequence_new(&sequence, &selection, &selection, "stream", &err), &err);
	sink.write = drop_bytes;
	need(tn_table_new(&table, &(struct tn_table_options) { .text = text }, &err), &err);
	need(tn_table_add_column(table, &(struct tn_table_column) { .name = "n" }, &err), &err);
	need(tn_columns_table_new(&columns, table, &sink, set, NULL, &err), &err);
	need(tn_recorder_new(&recorder, NULL, 0, 0, &err), &err);
	need(tn_trace_writer_new(&trace_writer, "null.trace", draft, TN_METADATA_CTF_1_8, &err), &err);
}

/* A good argument of the type; for unknown types zeroed memory. */
static void *
given(const char *type)
{
	static max_align_t rooms[8][ROOM / sizeof(max_align_t)];
	static unsigned used;
	max_align_t *room = rooms[used++ % 8];
	const struct tn_value *payload = tn_event_scope(event, TN_SCOPE_PAYLOAD);
	const struct {
		const char *type;
		const void *object;
	} all[] = {
		{ "struct tn_set*", set }, { "struct tn_trace*", tn_set_trace(set, 0) },
		{ "struct tn_stream*", tn_set_stream(set, 0) }, { "struct tn_cursor*", cursor },
		{ "struct tn_reader*", reader }, { "struct tn_text*", text }, { "struct tn_filter*", filter },
		{ "struct tn_regex*", regex }, { "struct tn_draft*", draft },
		{ "struct tn_stream_class*", stream_class }, { "struct tn_clock*", tn_stream_clock(tn_set_stream(set, 0)) },
		{ "struct tn_event_class*", tn_event_class(event) }, { "struct tn_event*", event },
		{ "struct tn_value*", payload }, { "struct tn_field*", tn_value_field(payload) },
		{ "struct tn_type*", tn_field_type(tn_value_field(payload)) },
		{ "struct tn_packet_writer*", &packet_writer }, { "struct tn_trace_writer*", trace_writer },
		{ "struct tn_named*", named }, { "struct tn_compare*", compare }, { "struct tn_why*", why },
		{ "struct tn_sequence*", sequence },
		{ "struct tn_table*", table }, { "struct tn_columns_table*", columns }, { "struct tn_columns_sink*", &sink },
		{ "struct tn_recorder*", recorder }, { "struct tn_row*", &row }, { "struct tn_location*", &row.location },
		{ "struct tn_packet_iter*", &packet_at }, { "struct tn_event_iter*", &event_at }, { "char*", "null.x" },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i].type, type) == 0)
			return (void *)(uintptr_t)all[i].object;
	if (strstr(type, "_options*") || strstr(type, "_context*") || strstr(type, "draft_stream*") ||
	    strstr(type, "output_stream*"))
		*(size_t *)room = sizeof(size_t);
	return room;
}

#include "calls.h"

/* ---- calls ---- */

static bool
is_object(const struct call *c)
{
	return c->params[0] == 'p';
}

/* The expected result of the function if its object, the first parameter, is NULL. */
static bool
says_so(const struct call *c, const struct result *r)
{
	static const char *const may[] = {
		"tn_location_compare", "tn_log_level_name",
		"tn_filter_empty",	/* no filter is one without conditions */
	};

	for (size_t i = 0; i < sizeof may / sizeof *may; i++)
		if (strcmp(c->name, may[i]) == 0)
			return true;
	return r->kind == POINTER ? !r->pointer : r->kind == CODE ? r->code < 0 : r->kind == TRUTH ? !r->code : true;
}

static bool
ends_an_object(const struct call *c)
{
	return strstr(c->name, "_free") || strstr(c->name, "_close");
}

static int
in_child(const struct call *c, int k)
{
	pid_t child = fork();
	struct result r;
	int status;

	if (child == 0) {
		alarm(120);
		r = c->make(k);
		if (k <= 0 && is_object(c) && !says_so(c, &r))
			_exit(3);
		if (k > 0 && c->params[k] == 'i' && r.kind == POINTER && r.pointer)
			_exit(4);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
main(void)
{
	char folder[] = "/tmp/tnav-null.XXXXXX", remove[64];
	unsigned good = 0, bad = 0;

	if (!mkdtemp(folder) || chdir(folder) != 0) {
		perror("null: /tmp");
		return 2;
	}
	make_objects();
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		const struct call *c = &calls[i];

		for (int k = -1; k < (int)strlen(c->params); k++) {
			int how;

			if (k >= 0 && (c->params[k] == '-' || (k > 0 && ends_an_object(c))))
				continue;
			how = in_child(c, k);
			if (how == 0) {
				good++;
				continue;
			}
			bad++;
			printf("%s(): parameter %d: %s%d\n", c->name, k, how == 3 ? "no word of a missing object, " :
			       how == 4 ? "something behind the end, " : "", how);
		}
	}
	tn_trace_writer_free(trace_writer);
	snprintf(remove, sizeof remove, "rm -rf %s", folder);
	if (system(remove) != 0)
		return 2;
	printf("null: %u calls passed, %u failed\n", good, bad);
	return bad != 0;
}
