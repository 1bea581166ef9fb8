/* Begins and ends that are proposed, by the names and fields of event classes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <tnav/tnav.h>

/* Events "name|field,field" of one stream; fields are numbers, "x" before one: base 16. */
static struct tn_set *
set_of(const char *const *event, size_t n, bool has_tid)
{
	static uint64_t buffer[64];
	static const struct tn_packet_callbacks callbacks = { .close = NULL };
	struct tn_packet_writer writer;
	struct tn_str metadata = { 0 };
	struct tn_memory_file file[2];
	struct tn_stream_class *sc;
	struct tn_error err = { 0 };
	struct tn_draft *d;
	struct tn_set *set;

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM });
	if (has_tid) {
		struct tn_type *context = tn_draft_struct(d);

		tn_draft_member(d, context, "vtid", tn_draft_uint(d, 32, 0, 10));
		sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .common_context = context });
	}
	for (size_t i = 0; i < n; i++) {
		struct tn_type *payload = tn_draft_struct(d);
		char text[128], *save = NULL;
		const char *name;

		snprintf(text, sizeof text, "%s", event[i]);
		name = strtok_r(text, "|", &save);
		for (char *f; (f = strtok_r(NULL, ",", &save)); )
			tn_draft_member(d, payload, f + (*f == 'x'), tn_draft_uint(d, *f == 'x' ? 64 : 32, 0, *f == 'x' ? 16 : 10));
		tn_draft_event_class(d, sc, name, -1, NULL, payload);
	}
	cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &metadata, &err), TN_OK, "%s", err.text);
	tn_packet_writer_init(&writer, sc, 0, buffer, sizeof buffer, &callbacks, NULL);
	cr_assert_eq(tn_packet_writer_open(&writer, NULL, 0, &err), TN_OK);
	tn_packet_writer_close(&writer);
	file[0] = (struct tn_memory_file) { "metadata", metadata.text, metadata.n };
	file[1] = (struct tn_memory_file) { "s", buffer, sizeof buffer };
	cr_assert_eq(tn_set_open_memory(&set, file, 2, NULL, &err), TN_OK, "%s", err.text);
	tn_str_release(&metadata);
	tn_draft_free(d);
	return set;
}

struct row {
	const char *event[4];
	const char *want;	/* definitions, a line each */
	bool has_tid;
};

static void
check(const struct row *row)
{
	struct tn_str got = { 0 };
	struct tn_spans *spans;
	struct tn_pairs *pairs;
	struct tn_error err;
	struct tn_set *set;
	size_t n = 0;

	while (n < 4 && row->event[n])
		n++;
	set = set_of(row->event, n, row->has_tid);
	cr_assert_eq(tn_pairs_new(&pairs, set, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	for (size_t i = 0; i < tn_pairs_count(pairs); i++) {
		tn_str_printf(&got, "%s\n", tn_pairs_definition(pairs, i));
		cr_expect_eq(tn_spans_add(spans, tn_pairs_definition(pairs, i), &err), TN_OK, "%s", err.text);
	}
	cr_expect_null(tn_pairs_definition(pairs, tn_pairs_count(pairs)));
	cr_expect_str_eq(tn_str_text(&got), row->want, "%s: %s", row->event[0], tn_str_text(&got));
	tn_str_release(&got);
	tn_spans_free(spans);
	tn_pairs_free(pairs);
	tn_set_close(set);
}

Test(pairs, by_names_and_fields)
{
	static const struct row rows[] = {
		/* Which one it is: an id of both, of up to three; a number of base 16 with 32 bits or more is one. */
		{ { "disk_begin|id,n", "disk_end|id" }, "disk_begin disk_end by id as disk\n", false },
		{ { "begin_disk|req,seq,tag,job", "end_disk|req,seq,tag,job" }, "begin_disk end_disk by req, seq, tag as disk\n", false },
		{ { "map_enter|xwhere,len", "map_leave|xwhere,len" }, "map_enter map_leave by where as map\n", false },
		{ { "a_start|queue_id,len", "a_stop|queue_id,len" }, "a_start a_stop by queue_id as a\n", false },
		/* Else the one number that both have, if it is not a measure; else the thread; else the stream. */
		{ { "a_start|number,xq", "a_stop|number" }, "a_start a_stop by number as a\n", false },
		{ { "a_start|len", "a_stop|len" }, "a_start a_stop by stream as a\n", false },
		{ { "a_start|one,two", "a_stop|one,two" }, "a_start a_stop by stream as a\n", false },
		{ { "a_start|one", "a_stop|one,ret" }, "a_start a_stop by one as a\n", true },
		{ { "a_start|len", "a_stop|len" }, "a_start a_stop by tid as a\n", true },
		{ { "a_start|cpu", "a_stop|cpu" }, "a_start a_stop by cpu as a\n", false },
		{ { "a_start|stream", "a_stop|stream" }, "a_start a_stop by event.fields.stream as a\n", false },
		/* Names: the word is separate; the first existing end counts; each event begins one pair. */
		{ { "restart", "restop" }, "", false },
		{ { "beginner", "ender" }, "", false },
		{ { "a:entry", "a:return", "a:exit" }, "a:entry a:exit by stream as a\n", false },
		{ { "f_entry", "f_return", "f_exit" }, "f_entry f_exit by stream as f\n", false },
		{ { "f_entry", "f_return" }, "f_entry f_return by stream as f\n", false },
		{ { "begin", "end" }, "begin end by stream\n", false },
		{ { "x.begin.y", "x.end.y" }, "x.begin.y x.end.y by stream as x.y\n", false },
		{ { "lock_begin", "lock_end", "unlock_begin" }, "lock_begin lock_end by stream as lock\n", false },
		{ { "alone_begin" }, "", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(&rows[i]);
}

Test(pairs, ready_questions)
{
	size_t n = 0;

	while (tn_ready_question_at(n))
		n++;
	cr_assert_gt(n, 5);
	for (size_t i = 0; i < n; i++) {
		const struct tn_ready_question *q = tn_ready_question_at(i);

		cr_expect(q->name[0] && q->title[0] && q->spans && q->by && q->show[0] && q->sort && q->where, "%s", q->name);
		for (size_t k = 0; k < i; k++)
			cr_expect_str_neq(q->name, tn_ready_question_at(k)->name);
	}
	cr_expect_null(tn_ready_question_at(SIZE_MAX));
}

/* The keys of the question in traces with these events, and its first definition, as it was understood. */
static void
check_words(const char *const *event, size_t n, const char *question, const char *spans, const char *by)
{
	struct tn_set *set = set_of(event, n, true);
	const struct tn_ready_question *q;
	struct tn_spans *of;
	struct tn_error err;
	size_t i = 0;
	char *keys;

	while ((q = tn_ready_question_at(i)) && strcmp(q->name, question) != 0)
		i++;
	cr_assert_not_null(q);
	keys = tn_ready_question_keys(q, set);
	cr_expect_str_eq(keys, by);
	cr_assert_eq(tn_spans_new(&of, set, &err), TN_OK);
	cr_expect_eq(tn_spans_add_question(of, q->spans, &err), *spans ? TN_OK : TN_ERR_ARGUMENT, "%s", err.text);
	cr_expect_eq(tn_spans_count(of), *spans ? (size_t)(strchr(spans, '2') ? 2 : 1) : 0);
	tn_spans_free(of);
	free(keys);
	tn_set_close(set);
}

Test(pairs, ready_questions_in_the_words_of_the_traces)
{
	static const char *const lttng[] = { "sched_process_fork|child_tid,child_comm", "sched_process_exit|tid" },
		*const ftrace[] = { "sched:sched_process_fork|child_pid,child_comm", "sched:sched_process_exit|pid" },
		*const both[] = { "sched_process_fork|child_tid,child_comm", "sched_process_exit|tid",
				  "sched:sched_process_fork|child_pid,child_comm", "sched:sched_process_exit|pid" },
		*const memory[] = { "kmem:kmalloc|ptr,bytes_alloc", "kmem:kfree|ptr" },
		*const waking[] = { "sched:sched_waking|pid,comm", "sched:sched_switch|next_pid,prev_pid,next_comm,prev_comm" },
		*const none[] = { "a|n", "b|n" };

	check_words(lttng, 2, "processes", "1", "name, begin.child_comm, state");
	check_words(none, 2, "processes", "", "name, begin.child_comm, state");
	check_words(ftrace, 2, "processes", "1", "name, begin.child_comm, state");
	check_words(both, 4, "processes", "2", "name, begin.child_comm, state");
	check_words(lttng, 2, "processors", "", "cpu, next_tid");
	check_words(ftrace, 2, "processors", "", "cpu, next_pid");
	check_words(both, 4, "processors", "", "cpu, next_tid|next_pid");
	check_words(memory, 2, "memory", "1", "name, state");
	/* Words after begin. too. */
	check_words(waking, 2, "wakeups", "1", "name, event.fields.pid, begin.event.fields.comm");
	check_words(both, 4, "migrations", "", "event.fields.tid|event.fields.pid, dest_cpu");
}

/* A field of the question alone does not make one: a class must pass the question's condition. */
Test(pairs, ready_questions_without_events)
{
	static const struct { const char *question, *event; bool there; } rows[] = {
		{ "pages", "tick|n", false }, { "pages", "mm_page_alloc|order", true }, { "pages", "kmem:mm_page_free|order", true },
		{ "migrations", "sched_switch|tid,dest_cpu", false }, { "migrations", "sched_migrate_task|tid,dest_cpu", true },
		{ "migrations", "sched_migrate_task|n", false }, { "io", "sched_migrate_task|tid", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_set *set = set_of(&rows[i].event, 1, true);
		const struct tn_ready_question *q;
		size_t k = 0;

		while ((q = tn_ready_question_at(k)) && strcmp(q->name, rows[i].question) != 0)
			k++;
		cr_assert_not_null(q);
		cr_expect_eq(tn_ready_question_check(q, set, NULL), rows[i].there ? TN_OK : TN_ERR_ARGUMENT, "%zu", i);
		tn_set_close(set);
	}
	cr_expect_eq(tn_ready_question_check(NULL, NULL, NULL), TN_ERR_ARGUMENT);
}
