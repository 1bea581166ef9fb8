#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../make/ovni_maker.h"
#include "ovni/ovni.h"
#include "ovni/private.h"
#include "rows.h"

static char folder[64];		/* of the trace of a test */
static char thread[96];		/* of its one stream */

static void
make_folder(void)
{
	snprintf(folder, sizeof folder, "%s", "ovni-test-XXXXXX");
	cr_assert(mkdtemp(folder));
	snprintf(thread, sizeof thread, "%s/thread.1", folder);
}

static void
remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(ovni, .init = make_folder, .fini = remove_folder);

static struct ovni_maker
begin_thread(bool big_endian)
{
	struct ovni_maker m;

	cr_assert(ovni_json(thread, "host.a", 7, 8, ""));
	cr_assert(ovni_begin(&m, thread, big_endian));
	return m;
}

/* Read the trace; its rows and problems are exactly these. */
static void
expect(const char *rows, const char *problems)
{
	struct rows r = { 0 };

	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_str_eq(tn_str_text(&r.text), rows);
	cr_assert_str_eq(tn_str_text(&r.problems), problems);
	cr_assert(!r.keys_fall);
	rows_release(&r);
}

static void
note_problem(void *user, const struct tn_problem *problem)
{
	tn_str_printf(&((struct rows *)user)->problems, "%s\n", problem->text);
}

#define CONTEXT "{ loom = \"host.a\", pid = 7, tid = 8 }"

Test(ovni, catalogue_is_whole)
{
	static const char no_event[4][4] = { "OHz", "@@@", "\0HX", "zzz" };
	struct ovni_maker m = begin_thread(false);
	const struct tn_ovni_trace *own;
	struct rows r = { 0 };

	cr_assert(ovni_end(&m));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	own = r.trace.own;
	cr_assert_eq(own->n_events, 365);
	for (uint32_t i = 0; i < own->n_events; i++) {
		const struct tn_ovni_event *e = &own->event[i];
		char head[5] = { 0, e->def->mcv[0], e->def->mcv[1], e->def->mcv[2] };

		cr_assert_eq(tn_ovni_find(own, (const uint8_t *)head), i, "%s", e->def->mcv);
		cr_assert_eq(strlen(e->def->mcv), 3);
		cr_assert(i == 0 || e[-1].mcv < e->mcv, "%s", e->def->mcv);
		for (uint32_t k = 0; k < e->n_pieces; k++)
			cr_assert(!memchr(e->piece[k].text, '{', e->piece[k].n), "%s", e->def->mcv);
		cr_assert_eq(r.trace.event_class[i]->id, e->mcv);
	}
	for (size_t i = 0; i < 4; i++) {
		char head[5] = { 0, no_event[i][0], no_event[i][1], no_event[i][2] };

		cr_assert_eq(tn_ovni_find(own, (const uint8_t *)head), own->n_events, "row %zu", i);
	}
	rows_release(&r);
}

/* Arguments of every kind, in both byte orders (4, 7). */
Test(ovni, arguments_and_text)
{
	for (int be = 0; be < 2; be++) {
		struct ovni_maker m = begin_thread(be);
		uint8_t p[64];

		ovni_event(&m, "OHx", 1000, p, (size_t)(ovni_put(&m, ovni_put(&m, ovni_put(&m, p, 3, 4), (uint64_t)-1, 4),
								    0x7f00aa10, 8) - p));
		ovni_event(&m, "OAr", 1001, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 2, 4), 9, 4) - p));
		ovni_event(&m, "OM=", 1002, p, (size_t)(ovni_put(&m, ovni_put(&m, p, (uint64_t)-100000000001, 8), 42, 4) - p));
		ovni_event(&m, "OB.", 1003, NULL, 0);
		memcpy(ovni_put(&m, p, 7, 4), "a \"b\" 100%", 11);
		ovni_jumbo(&m, "VYc", 1004, p, 15);
		ovni_put(&m, ovni_put(&m, ovni_put(&m, p, 1, 8), (uint64_t)-2, 8), 3, 8);
		ovni_jumbo(&m, "VWC", 1005, p, 24);
		cr_assert(ovni_end(&m));
		expect("[1000] OHx: " CONTEXT ", { text = \"this thread starts on CPU 3; creator thread -1, creation tag "
		       "0x7f00aa10\", cpu = 3, tid = -1, tag = 2130749968 }\n"
		       "[1001] OAr: " CONTEXT ", { text = \"thread 9 is moved to the CPU with loom index 2 by this thread\", cpu = 2, tid = 9 }\n"
		       "[1002] OM=: " CONTEXT ", { text = \"mark type 42: set to -100000000001\", "
		       "value = -100000000001, type = 42, warning = \"mark type 42 is not defined\" }\n"
		       "[1003] OB.: " CONTEXT ", { text = \"burst marker, used to measure the cost of an event\" }\n"
		       "[1004] VYc: " CONTEXT ", { text = \"task type 7 gets the label a \\\"b\\\" 100%\", typeid = 7, "
		       "label = \"a \\\"b\\\" 100%\" }\n"
		       "[1005] VWC: " CONTEXT ", { text = \"hardware counter values; the first is 1\", value = 1, "
		       "rest = [ [0] = -2, [1] = 3 ] }\n", "");
	}
}

/* Payloads that do not fit the catalogue, and events that are not in it (10). */
Test(ovni, payloads_of_other_shape)
{
	struct ovni_maker m = begin_thread(false);
	static const uint8_t bytes[16] = { 1, 2, 0, 0, 5, 0xff };

	ovni_event(&m, "OAs", 1, bytes, 6);
	ovni_event(&m, "OHx", 2, bytes, 6);
	ovni_event(&m, "OHx", 3, NULL, 0);
	ovni_event(&m, "XYZ", 4, bytes, 3);
	ovni_event(&m, "OHz", 5, NULL, 0);
	ovni_jumbo(&m, "X\n\xff", 6, bytes, 2);
	ovni_jumbo(&m, "OB.", 7, bytes, 1);
	ovni_event(&m, "VYc", 8, bytes, 5);
	ovni_jumbo(&m, "VYc", 9, "\1\0\0\0ab", 6);
	ovni_jumbo(&m, "VYc", 10, "\1\0\0\0", 4);
	ovni_jumbo(&m, "VWC", 11, bytes, 11);
	ovni_event(&m, "OM=", 12, "\0\0\0\0\0\0\0\0\1\0\0\0\7\7", 14);
	cr_assert(ovni_end(&m));
	expect("[1] OAs: " CONTEXT ", { text = \"this thread moves to the CPU with loom index 513\", cpu = 513, "
	       "rest = [ [0] = 0x5, [1] = 0xFF ] }\n"
	       "[2] OHx: " CONTEXT ", { text = \"this thread starts on CPU 513; creator thread ?, creation tag ?\", cpu = 513, "
	       "rest = [ [0] = 0x5, [1] = 0xFF ], warning = \"a payload of 6 bytes has no room for tid\" }\n"
	       "[3] OHx: " CONTEXT ", { text = \"this thread starts on CPU ?; creator thread ?, creation tag ?\", "
	       "warning = \"a payload of 0 bytes has no room for cpu\" }\n"
	       "[4] XYZ: " CONTEXT ", { payload = [ [0] = 1, [1] = 2, [2] = 0 ] }\n"
	       "[5] OHz: " CONTEXT ", { payload = [ ] }\n"
	       "[6] X\\x0a\\xff: " CONTEXT ", { payload = [ [0] = 1, [1] = 2 ] }\n"
	       "[7] OB.: " CONTEXT ", { text = \"burst marker, used to measure the cost of an event\", rest = [ [0] = 0x1 ] }\n"
	       "[8] VYc: " CONTEXT ", { payload = [ [0] = 1, [1] = 2, [2] = 0, [3] = 0, [4] = 5 ], "
	       "warning = \"VYc should be a jumbo event\" }\n"
	       "[9] VYc: " CONTEXT ", { text = \"task type 1 gets the label ab\", typeid = 1, label = \"ab\", "
	       "warning = \"label has no end\" }\n"
	       "[10] VYc: " CONTEXT ", { text = \"task type 1 gets the label ?\", typeid = 1, "
	       "warning = \"a payload of 4 bytes has no room for label\" }\n"
	       "[11] VWC: " CONTEXT ", { text = \"hardware counter values; the first is 280396939919873\", value = 280396939919873, "
	       "warning = \"3 bytes behind the arguments\" }\n"
	       "[12] OM=: " CONTEXT ", { text = \"mark type 1: set to 0\", value = 0, type = 1, "
	       "rest = [ [0] = 0x7, [1] = 0x7 ], warning = \"a mark of 14 bytes, not 12; value 0 is not allowed; "
	       "mark type 1 is not defined\" }\n", "");
}

Test(ovni, flags_that_are_not_used)
{
	struct ovni_maker m = begin_thread(false);

	fwrite("\xe0OB.\1\0\0\0\0\0\0\0", 1, 12, m.file);
	fwrite("\x3fXYZ\2\0\0\0\0\0\0\0\1\0\0\0\5", 1, 17, m.file);
	ovni_event(&m, "OB.", UINT64_C(1) << 63, NULL, 0);
	ovni_event(&m, "OB.", UINT64_MAX, NULL, 0);
	cr_assert(ovni_end(&m));
	expect("[1] OB.: " CONTEXT ", { text = \"burst marker, used to measure the cost of an event\", "
	       "warning = \"reserved flags 0xe0\" }\n"
	       "[2] XYZ: " CONTEXT ", { payload = [ [0] = 5 ], warning = \"reserved flags 0x20; size code 15 in a jumbo event\" }\n"
	       "[9223372036854775808] OB.: " CONTEXT ", { text = \"burst marker, used to measure the cost of an event\", "
	       "warning = \"the highest bit of the clock is set\" }\n"
	       "[18446744073709551615] OB.: " CONTEXT ", { text = \"burst marker, used to measure the cost of an event\", "
	       "warning = \"the highest bit of the clock is set\" }\n", "");
}

/* The file ends inside an event: what is before it is good (10). */
Test(ovni, cut_events)
{
	static const struct { const char *tail; size_t n; const char *why; } rows[] = {
		{ "\0", 1, "1 byte remains, its header has 12" },
		{ "\0OB.\1\2\3\4\5\6\7", 11, "11 bytes remain, its header has 12" },
		{ "\1OB.\1\2\3\4\5\6\7\x8\x9", 13, "13 bytes remain, its header says that it has more" },
		{ "\x13VYc\1\2\3\4\5\6\7\x8\4\0\0", 15, "15 bytes remain, its header says that it has more" },
		{ "\x13VYc\1\2\3\4\5\6\7\x8\4\0\0\0abc", 19, "19 bytes remain, its header says that it has more" },
		{ "\x13VYc\1\2\3\4\5\6\7\x8\xff\xff\xff\xff""abcd", 20, "20 bytes remain, its header says that it has more" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		for (unsigned events = 0; events < 3; events++) {
			struct ovni_maker m = begin_thread(false);
			struct tn_str want = { 0 };
			struct rows r = { .limit = i & 1 };

			for (unsigned k = 0; k < events; k++) {
				ovni_event(&m, "OHe", 5 + k, NULL, 0);
				tn_str_printf(&want, "[%u] OHe: " CONTEXT ", { text = \"this thread ends\" }\n", 5 + k);
			}
			fwrite(rows[i].tail, 1, rows[i].n, m.file);
			cr_assert(ovni_end(&m));
			tn_str_printf(&want, "[%u] damage: packet 0 at byte 8: byte %u: the file ends inside an event: %s\n",
				      events ? events + 4 : 0, 8 + 12 * events, rows[i].why);
			rows_read(&r, &tn_format_ovni, folder);
			cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
			cr_assert_str_eq(tn_str_text(&r.text), tn_str_text(&want), "row %zu", i);
			rows_release(&r);
			tn_str_release(&want);
		}
	}
}

/* Streams that cannot be read, each with the place (2, 4, 10). */
Test(ovni, refused_streams)
{
#define OBS "ovni\1\0\0\0"
	static const struct { const char *json; const char *obs; size_t n; const char *why; } rows[] = {
		{ NULL, "", 0, "/stream.obs: the file is empty" },
		{ NULL, "ovni\1", 5, "/stream.obs: 5 bytes are less than the header of 8" },
		{ NULL, "ovnI\1\0\0\0", 8, "/stream.obs: byte 0: 6f 76 6e 49, not \"ovni\"" },
		{ NULL, "ovni\2\0\0\0", 8, "/stream.obs: byte 4: version 2 of the stream: tnav reads only 1" },
		{ "[ 3 ]", OBS, 8, "/stream.json: not a JSON object" },
		{ "{ \"versio\": 3 }", OBS, 8, "/stream.json: no \"version\"" },
		{ "{ \"version\": 2 }", OBS, 8, "/stream.json: \"version\" is 2: tnav reads only 3" },
		{ "{ \"version\": \"3\" }", OBS, 8, "/stream.json: \"version\" is not a number" },
		{ "{ \"version\": 4.5 }", OBS, 8, "/stream.json: \"version\" is 4: tnav reads only 3" },
		{ "{ \"version\": 3,\n  \"ovni\": {\n", OBS, 8, "/stream.json:3:1: not valid JSON: the text ends inside an object" },
		{ "{\n \"version\": 3x }", OBS, 8, "/stream.json:2:13: not valid JSON: '3x' is not a value" },
		{ "/* open", OBS, 8, "/stream.json:1:8: not valid JSON: the text ends inside white space" },
		{ "", OBS, 8, "/stream.json:1:1: not valid JSON" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct rows r = { 0 };

		cr_assert(ovni_json(thread, "host.a", 7, 8, ""));
		if (rows[i].json)
			cr_assert(maker_text(thread, "stream.json", rows[i].json));
		cr_assert(maker_file(thread, "stream.obs", rows[i].obs, rows[i].n));
		cr_assert_eq(tn_format_ovni.probe(folder, true), TN_PROBE_YES, "row %zu", i);
		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_lt(r.rc, 0, "row %zu", i);
		cr_assert(strstr(r.err.text, rows[i].why), "row %zu: %s", i, r.err.text);
		cr_assert(strstr(r.err.text, thread), "row %zu: %s", i, r.err.text);
		rows_release(&r);
	}
}

Test(ovni, missing_stream_obs)
{
	struct rows r = { 0 };

	cr_assert(ovni_json(thread, "host.a", 7, 8, ""));
	cr_assert_eq(tn_format_ovni.probe(folder, true), TN_PROBE_YES);
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_ERR_NOT_FOUND);
	cr_assert(strstr(r.err.text, "thread.1/stream.obs"), "%s", r.err.text);
	rows_release(&r);
}

/* One bad stream costs that stream. */
Test(ovni, other_streams_open)
{
	struct ovni_maker m = begin_thread(false);
	char other[128];
	struct rows r = { 0 };

	ovni_event(&m, "OHe", 1, NULL, 0);
	cr_assert(ovni_end(&m));
	snprintf(other, sizeof other, "%s/deep/er/thread.2", folder);
	cr_assert(ovni_json(other, "host.a", 7, 9, ""));
	cr_assert(maker_file(other, "stream.obs", "ovno", 4));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_eq(r.trace.n_streams, 1);
	cr_assert_eq(r.n_events, 1);
	cr_assert(strstr(tn_str_text(&r.problems), "damage: "));
	cr_assert(strstr(tn_str_text(&r.problems), "deep/er/thread.2/stream.obs: 4 bytes are less than the header of 8: "
			 "the stream is left out"), "%s", tn_str_text(&r.problems));
	rows_release(&r);
}

/* Rules that stream.json violates without being unreadable (2, 3, 9): rule, and the warning. */
Test(ovni, doubtful_metadata)
{
#define HEAD "{ \"version\": 3.9, \"ovni\": { \"lib\": { \"version\": \"1.14.0\", \"commit\": \"c\" }, "
#define PART "\"part\": \"thread\", "
#define IDS "\"tid\": 8, \"pid\": 7, \"loom\": \"host.a\", "
#define APP "\"app_id\": 1, \"loom_cpus\": [ { \"index\": 0, \"phyid\": 5 } ], "
#define NEED "\"require\": { \"ovni\": \"1.1.0\" }, "
#define DONE "\"finished\": 1 } }"
	static const struct { const char *json, *why; } rows[] = {
		{ HEAD PART IDS APP NEED DONE, "" },
		{ "// a // b\n/* \" */ " HEAD PART IDS APP NEED "\"x\": \"/* \\\\\\\" // \", " DONE, "" },
		{ HEAD IDS APP NEED DONE, "no \"ovni.part\": read as a thread" },
		{ HEAD "\"part\": \"cpu\", " IDS APP NEED DONE, "\"ovni.part\" is \"cpu\"" },
		{ HEAD "\"part\": 3, " IDS APP NEED DONE, "\"ovni.part\" is not a string" },
		{ HEAD PART "\"pid\": 7, \"loom\": \"host.a\", " APP NEED DONE, "\"ovni.tid\" is missing or 0" },
		{ HEAD PART "\"tid\": 8, \"pid\": 0, \"loom\": \"host.a\", " APP NEED DONE, "\"ovni.pid\" is missing or 0" },
		{ HEAD PART "\"tid\": 8, \"pid\": 3000000000, \"loom\": \"a\", " APP NEED DONE,
		  "\"ovni.pid\" is not a number of 32 bits" },
		{ HEAD PART "\"tid\": 8, \"pid\": 7, " APP NEED DONE, "no \"ovni.loom\"" },
		{ HEAD PART "\"tid\": 8, \"pid\": 7, \"loom\": \"a/b\", " APP NEED DONE, "\"a/b\" in \"ovni.loom\" has a '/'" },
		{ HEAD PART IDS "\"loom_cpus\": [ { \"index\": 0, \"phyid\": 5 } ], " NEED DONE,
		  "process 7 of loom host.a: no thread has an \"ovni.app_id\" above 0" },
		{ HEAD PART IDS "\"app_id\": -1, " NEED DONE, "\"ovni.app_id\" must be above 0" },
		{ HEAD PART IDS "\"app_id\": 1, " NEED DONE, "loom host.a: no thread has \"ovni.loom_cpus\"" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ ], " NEED DONE, "\"ovni.loom_cpus\" is not an array of CPUs" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ { \"index\": 0 } ], " NEED DONE, "CPU 0 of \"ovni.loom_cpus\"" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ { \"index\": -1, \"phyid\": 2 } ], " NEED DONE,
		  "CPU 0 of \"ovni.loom_cpus\"" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ { \"index\": 3, \"phyid\": 2 } ], " NEED DONE,
		  "loom host.a: the index 3 is not below the number of CPUs, 1" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ { \"index\": 0, \"phyid\": 2 }, { \"index\": 1, \"phyid\": 2 } ], "
		  NEED DONE, "loom host.a: CPU 2 has index 0 and 1" },
		{ HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ { \"index\": 0, \"phyid\": 2 }, { \"index\": 0, \"phyid\": 3 } ], "
		  NEED DONE, "loom host.a: CPUs 2 and 3 have both index 0" },
		{ HEAD PART IDS APP "\"rank\": 1, " NEED DONE, "only one of \"ovni.rank\" and \"ovni.nranks\" is present" },
		{ HEAD PART IDS APP "\"rank\": 4, \"nranks\": 4, " NEED DONE, "rank 4 of 4" },
		{ HEAD PART IDS APP DONE, "no \"ovni.require\"" },
		{ HEAD PART IDS APP "\"require\": [ ], " DONE, "\"ovni.require\" is not an object" },
		{ HEAD PART IDS APP "\"require\": { \"nosv\": \"3.0.0\" }, " DONE, "model \"nosv\" of version 3.0.0" },
		{ HEAD PART IDS APP "\"require\": { \"nosv\": \"2.8.0\" }, " DONE, "model \"nosv\" of version 2.8.0" },
		{ HEAD PART IDS APP "\"require\": { \"nosv\": \"2.7.99-x\" }, " DONE, "" },
		{ HEAD PART IDS APP "\"require\": { \"nosv\": 2 }, " DONE, "the version of \"ovni.require.nosv\"" },
		{ HEAD PART IDS APP "\"require\": { \"abc\": \"1.0.0\" }, " DONE, "model \"abc\" is not known" },
		{ HEAD PART IDS APP NEED "\"x\": 1 } }", "no \"ovni.finished\": the stream is incomplete" },
		{ "{ \"version\": 3, \"ovni\": { " PART IDS APP NEED DONE, "no \"ovni.lib.version\" and \"ovni.lib.commit\"" },
		{ "{ \"version\": 3 }", "no object \"ovni\"" },
		{ HEAD PART IDS APP NEED "\"mark\": { \"100\": { \"title\": \"t\", \"chan_type\": \"single\" } }, " DONE,
		  "mark type \"100\" is not a number from 0 to 99" },
		{ HEAD PART IDS APP NEED "\"mark\": { \"1\": { \"title\": \"t\", \"chan_type\": \"x\" } }, " DONE,
		  "mark type 1 needs a \"title\" and a \"chan_type\"" },
		{ HEAD PART IDS APP NEED "\"mark\": { \"1\": { \"title\": \"t\", \"chan_type\": \"single\", \"labels\": "
		  "{ \"a\": \"b\" } } }, " DONE, "label \"a\" of mark type 1 is not a text for a number" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct ovni_maker m = begin_thread(false);
		struct rows r = { 0 };

		ovni_event(&m, "OHe", 5, NULL, 0);
		cr_assert(ovni_end(&m));
		cr_assert(maker_text(thread, "stream.json", rows[i].json));
		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_eq(r.rc, TN_OK, "row %zu: %s", i, r.err.text);
		cr_assert_eq(r.n_events, 1);
		if (*rows[i].why)
			cr_assert(strstr(tn_str_text(&r.problems), rows[i].why), "row %zu: %s", i, tn_str_text(&r.problems));
		else
			cr_assert_str_eq(tn_str_text(&r.problems), "", "row %zu", i);
		rows_release(&r);
	}
}

Test(ovni, more_cpus_than_are_looked_at)
{
	struct ovni_maker m = begin_thread(false);
	struct tn_str json = { 0 };
	struct rows r = { 0 };

	cr_assert(ovni_end(&m));
	tn_str_puts(&json, HEAD PART IDS "\"app_id\": 1, \"loom_cpus\": [ ");
	for (int i = 0; i <= 65536; i++)
		tn_str_printf(&json, "%s{\"index\":%d,\"phyid\":%d}", i ? "," : "", i, i);
	tn_str_puts(&json, " ], " NEED DONE);
	cr_assert(maker_text(thread, "stream.json", tn_str_text(&json)));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert(strstr(tn_str_text(&r.problems), "stream.json: 65537 CPUs: only the first 65536 are read"), "%s", tn_str_text(&r.problems));
	rows_release(&r);
	tn_str_release(&json);
}

/* Facts of several streams about one object (3). */
Test(ovni, streams_that_disagree)
{
	char other[128];
	struct rows r = { 0 };
	struct ovni_maker m = begin_thread(false);

	cr_assert(ovni_end(&m));
	snprintf(other, sizeof other, "%s/thread.2", folder);
	cr_assert(maker_text(other, "stream.json", "{ \"version\": 3, \"ovni\": { \"lib\": { \"version\": \"1.10.0\", \"commit\": "
			     "\"\" }, " PART IDS "\"app_id\": 2, \"rank\": 0, \"nranks\": 2, " NEED DONE));
	cr_assert(maker_file(other, "stream.obs", OBS, 8));
	snprintf(other, sizeof other, "%s/thread.3", folder);
	cr_assert(ovni_json(other, "host.a", 70, 71, ""));
	cr_assert(maker_file(other, "stream.obs", OBS, 8));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	for (size_t i = 0; i < 4; i++) {
		static const char *const why[] = {
			"are both thread 8 of process 7 of loom host.a", "process 7 of loom host.a: app_id is 1 in",
			"streams of several versions of libovni: 1.14.0 in", "loom host.a: process 70 has no rank, others have one",
		};

		cr_assert(strstr(tn_str_text(&r.problems), why[i]), "%s not in %s", why[i], tn_str_text(&r.problems));
	}
	rows_release(&r);
}

/* The regions of 5, with what the tracer's own tool makes of them. */
Test(ovni, sort_regions)
{
	static const struct { const char *mcv; uint64_t clock; } events[] = {
		{ "OHp", 5000 }, { "OB.", 5100 }, { "OB.", 5200 }, { "OB.", 5600 }, { "OB.", 5900 }, { "OU[", 6000 },
		{ "KCO", 5250 }, { "KCI", 5580 }, { "OU]", 6010 }, { "OB.", 6100 }, { "OU[", 6150 }, { "OU]", 6160 },
		{ "OB.", 6200 }, { "OHw", 6300 }, { "OU[", 7010 }, { "KCI", 6890 }, { "KCO", 6301 }, { "OU]", 7020 },
		{ "OU[", 7100 }, { "OB.", 4000 }, { "OB.", 7005 }, { "OU]", 7110 }, { "OHe", 7110 },
	};
	static const char want[] = "4000 OB. 5000 OHp 5100 OB. 5200 OB. 5250 KCO 5580 KCI 5600 OB. 5900 OB. 6000 OU[ "
		"6010 OU] 6100 OB. 6150 OU[ 6160 OU] 6200 OB. 6300 OHw 6301 KCO 6890 KCI 7005 OB. 7010 OU[ 7020 OU] 7100 OU[ "
		"7110 OU] 7110 OHe ";

	for (unsigned limit = 0; limit < 5; limit++) {
		struct ovni_maker m = begin_thread(limit & 1);
		struct rows r = { .limit = limit };
		struct tn_str got = { 0 };

		for (size_t i = 0; i < TN_COUNT(events); i++)
			ovni_event(&m, events[i].mcv, events[i].clock, NULL, 0);
		cr_assert(ovni_end(&m));
		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
		cr_assert(!r.keys_fall);
		cr_assert(!strstr(tn_str_text(&r.text), "warning"), "%s", tn_str_text(&r.text));
		for (const char *at = tn_str_text(&r.text); at && *at; at = strchr(at, '\n') + 1)
			tn_str_printf(&got, "%.4s %.3s ", at + 1, at + 7);
		cr_assert_str_eq(tn_str_text(&got), want, "limit %u", limit);
		tn_str_release(&got);
		rows_release(&r);
	}
}

/* A clock that runs back outside of a region: in order all the same, and said. */
Test(ovni, clock_runs_back)
{
	struct ovni_maker m = begin_thread(false);

	ovni_event(&m, "OHp", 9000, NULL, 0);
	ovni_event(&m, "OHw", 8500, NULL, 0);
	ovni_event(&m, "OHe", 9003, NULL, 0);
	cr_assert(ovni_end(&m));
	expect("[8500] OHw: " CONTEXT ", { text = \"state becomes Warming: it will run soon\", "
	       "warning = \"the clock runs back here, outside of a sort region\" }\n"
	       "[9000] OHp: " CONTEXT ", { text = \"this thread pauses\" }\n"
	       "[9003] OHe: " CONTEXT ", { text = \"this thread ends\" }\n",
	       "wrong: host.a/proc.7/thread.8: 1 event is earlier than the one before, outside of sort regions; "
	       "the first at byte 20\n");
}

/* Titles and labels come from all streams of the trace (9). */
Test(ovni, marks)
{
	struct ovni_maker m;
	char other[128];
	uint8_t p[12];

	cr_assert(ovni_json(thread, "host.a", 7, 8, "\"mark\": { \"0\": { \"title\": \"Phase\", \"chan_type\": \"stack\", "
			    "\"labels\": { \"3\": \"solve\", \"1\": \"setup\" } }, \"5\": { \"title\": \"N\", \"chan_type\": \"single\" } }, "));
	cr_assert(ovni_begin(&m, thread, false));
	ovni_event(&m, "OM[", 1, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 1, 8), 0, 4) - p));
	ovni_event(&m, "OM]", 2, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 3, 8), 0, 4) - p));
	ovni_event(&m, "OM[", 3, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 2, 8), 0, 4) - p));
	ovni_event(&m, "OM[", 4, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 4, 8), 0, 4) - p));
	ovni_event(&m, "OM=", 5, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 9, 8), 0, 4) - p));
	ovni_event(&m, "OM=", 6, p, (size_t)(ovni_put(&m, ovni_put(&m, p, 9, 8), (uint64_t)-1, 4) - p));
	cr_assert(ovni_end(&m));
	snprintf(other, sizeof other, "%s/thread.2", folder);
	cr_assert(ovni_json(other, "host.a", 7, 9, "\"mark\": { \"0\": { \"title\": \"Phase\", \"chan_type\": \"stack\", "
			    "\"labels\": { \"2\": \"finish\" } }, \"5\": { \"title\": \"M\", \"chan_type\": \"single\" } }, "));
	cr_assert(maker_file(other, "stream.obs", OBS, 8));
#define MARK(clock, mcv, verb, value, type, more) "[" #clock "] " mcv ": " CONTEXT ", { text = \"mark type " #type ": " verb " " #value \
	"\", value = " #value ", type = " #type ", " more " }\n"
	{
		struct rows r = { 0 };

		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
		cr_assert_str_eq(tn_str_text(&r.text),
			MARK(1, "OM[", "push", 1, 0, "title = \"Phase\", label = \"setup\"")
			MARK(2, "OM]", "pop", 3, 0, "title = \"Phase\", label = \"solve\"")
			MARK(3, "OM[", "push", 2, 0, "title = \"Phase\", label = \"finish\"")
			MARK(4, "OM[", "push", 4, 0, "title = \"Phase\"")
			MARK(5, "OM=", "set to", 9, 0, "title = \"Phase\", warning = \"mark type 0 is a stack channel\"")
			MARK(6, "OM=", "set to", 9, -1, "warning = \"mark type -1 is not defined\""));
		cr_assert(strstr(tn_str_text(&r.problems), "mark type 5 is already defined as \"N\""),
			  "%s", tn_str_text(&r.problems));
		rows_release(&r);
	}
}

/* Offsets by host (6): exact, negative ones too; raw clocks stay as they are. */
Test(ovni, clock_offsets)
{
	static const struct { const char *loom; int64_t first_ns; } hosts[] = {
		{ "hostA.w0", 5 }, { "hostB.w1", INT64_C(710000000129) }, { "hostC", -2 }, { "hostB2.x", 5 },
	};
	char path[128];
	struct rows r = { 0 };

	for (size_t i = 0; i < TN_COUNT(hosts); i++) {
		struct ovni_maker m;

		snprintf(path, sizeof path, "%s/loom.%zu/thread", folder, i);
		cr_assert(ovni_json(path, hosts[i].loom, 7, 8, ""));
		cr_assert(ovni_begin(&m, path, false));
		ovni_event(&m, "OHe", 5, NULL, 0);
		cr_assert(ovni_end(&m));
	}
	cr_assert(maker_text(folder, "clock-offsets.txt", "rank hostname offset_median offset_mean offset_std\n"
		"0 hostA 0 0.000000 0.0\n\n2 hostB 710000000124 710000000124.25 171.25  \r\n3\thostC\t-7.9\t-7\t0\n"
		"4 hostB 1 1 1\n5 hostD 1 1\n6 hostE x 1 1\n7 hostF 1 1 1"));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_eq(r.trace.n_streams, 4);
	cr_assert_eq(r.trace.n_clocks, 3);
	for (size_t i = 0; i < TN_COUNT(hosts); i++) {
		cr_assert_eq(r.trace.stream[i]->index.packet[0].begin_ns, hosts[i].first_ns, "row %zu", i);
		cr_assert(tn_clocks_compare(r.trace.stream[i]->stream_class->clock, r.trace.stream[0]->stream_class->clock));
	}
	for (size_t i = 0; i < 5; i++) {
		static const char *const why[] = {
			"clock-offsets.txt:6: host \"hostB\" is there twice", "clock-offsets.txt:7: 4 words",
			"clock-offsets.txt:8: not a number: \"x\"", "clock-offsets.txt: no loom is on host \"hostF\"",
			"thread.8 are more than an hour apart",
		};

		cr_assert_eq(strstr(tn_str_text(&r.problems), why[i]) != NULL, i < 4, "%s in %s", why[i],
			     tn_str_text(&r.problems));
	}
	rows_release(&r);
}

/*
 * A line costs what it is, however many there are: hosts that differ, and the same one again and again. Compared with all
 * before it, it would be minutes.
 */
Test(ovni, many_clock_offsets, .timeout = 20)
{
	static const struct { unsigned hosts; size_t told; } rows[] = { { 150000, 0 }, { 1, 149999 } };

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct rows r = { 0 };
		struct tn_trace t = { .problems = { note_problem, &r } };
		struct tn_ovni_offsets offsets = { 0 };
		struct tn_str text = { 0 };
		struct tn_error err;
		char path[96], host[32];
		size_t told = 0;

		tn_str_puts(&text, "rank hostname offset_median offset_mean offset_std\n");
		for (unsigned k = 0; k < 150000; k++)
			tn_str_printf(&text, "%u host%u %u 0 0\n", k, k % rows[i].hosts, k);
		cr_assert(maker_text(folder, "clock-offsets.txt", tn_str_text(&text)));
		snprintf(path, sizeof path, "%s/clock-offsets.txt", folder);
		cr_assert_eq(tn_ovni_load_offsets(&offsets, &t, path, &err), TN_OK, "%s", err.text);
		cr_assert_eq(offsets.list.n, rows[i].hosts);
		for (unsigned k = 0; k < rows[i].hosts; k++) {
			const struct tn_ovni_offset *o;

			snprintf(host, sizeof host, "host%u", k);
			o = tn_ovni_find_offset(&offsets, host, strlen(host));
			cr_assert(o && o->median == (int64_t)k, "%s", host);
		}
		cr_assert_null(tn_ovni_find_offset(&offsets, "host", 4));
		for (const char *at = tn_str_text(&r.problems); (at = strchr(at, '\n')); at++)
			told++;
		cr_assert_eq(told, rows[i].told);
		tn_ovni_offsets_release(&offsets);
		tn_arena_release(&t.arena);
		tn_str_release(&r.problems);
		tn_str_release(&text);
	}
}

Test(ovni, hosts_without_offsets)
{
	struct ovni_maker m = begin_thread(false);
	char other[128];
	struct rows r = { 0 };

	ovni_event(&m, "OHe", 5, NULL, 0);
	cr_assert(ovni_end(&m));
	snprintf(other, sizeof other, "%s/thread.2", folder);
	cr_assert(ovni_json(other, "host2.a", 7, 9, ""));
	cr_assert(ovni_begin(&m, other, true));
	ovni_event(&m, "OHe", UINT64_C(3600000000006), NULL, 0);
	cr_assert(ovni_end(&m));
	rows_read(&r, &tn_format_ovni, folder);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert(strstr(tn_str_text(&r.problems), "looms host.a and host2.a are on different hosts"));
	cr_assert(strstr(tn_str_text(&r.problems), "the first events of host.a/proc.7/thread.8 and host2.a/proc.7/thread.9 "
			 "are more than an hour apart"), "%s", tn_str_text(&r.problems));
	cr_assert_str_eq(r.trace.stream[1]->name, "host2.a/proc.7/thread.9");
	rows_release(&r);
}

/* ---- large streams ---- */

struct place {
	uint64_t clock, number;
};

static int
by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->clock != y->clock ? (x->clock > y->clock) - (x->clock < y->clock) : (x->number > y->number) - (x->number < y->number);
}

static uint64_t
random_number(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

/*
 * Some 100,000 events, with regions that reach back over up to 20,000 of them: the rows are those of a
 * stable sort, and are the same however many a walk takes.
 */
Test(ovni, long_regions_are_sorted)
{
	enum { EVENTS = 120000 };
	struct place *place = malloc(EVENTS * sizeof *place);
	struct ovni_maker m = begin_thread(false);
	uint64_t state = 1, now = 1000000;
	uint64_t n = 0;

	while (n < EVENTS - 4000) {
		size_t run = random_number(&state) % 20000, late = random_number(&state) % 2000;
		uint64_t from = now;

		for (size_t i = 0; i < run && n < EVENTS - 4000; i++) {
			now += random_number(&state) % 3;
			place[n] = (struct place) { now, n };
			n++;
			ovni_event(&m, "OB.", now, &n, 8);
		}
		place[n] = (struct place) { now, n };
		n++;
		ovni_event(&m, "OU[", now, &n, 8);
		for (size_t i = 0; i < late; i++) {
			uint64_t clock = from + random_number(&state) % (now - from + 1);

			place[n] = (struct place) { clock, n };
			n++;
			ovni_event(&m, "KCO", clock, &n, 8);
		}
		place[n] = (struct place) { now, n };
		n++;
		ovni_event(&m, "OU]", now, &n, 8);
	}
	cr_assert(ovni_end(&m));
	qsort(place, n, sizeof *place, by_place);
	for (unsigned limit = 0; limit < 6000; limit += 3000) {
		struct rows r = { .limit = limit };
		char *at, *end;

		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
		cr_assert_eq(r.n_events, n);
		cr_assert(!r.keys_fall);
		cr_assert_gt(r.trace.stream[0]->index.n, 2);
		at = r.text.text;
		for (size_t i = 0; i < n; i++, at = end + 1) {
			const char *rest;
			uint64_t number = 0;

			/* One line at a time: what looks for the end of a string looks no further. */
			end = memchr(at, '\n', 1000);
			*end = '\0';
			rest = strstr(at, "rest = [");
			for (unsigned k = 0; k < 8; k++) {
				rest = strstr(rest, "= 0x") + 4;
				number |= (uint64_t)strtoull(rest, NULL, 16) << 8 * k;
			}
			cr_assert_eq(strtoull(at + 1, NULL, 10), place[i].clock, "row %zu", i);
			cr_assert_eq(number, place[i].number + 1, "row %zu", i);
		}
		rows_release(&r);
	}
	free(place);
}

/* An event that comes 4 MB late: in its place where the kernel model is used, which writes late; else said. */
Test(ovni, very_late_event)
{
	for (int kernel = 0; kernel < 2; kernel++) {
		struct ovni_maker m;
		struct rows r = { 0 };
		const char *at;

		cr_assert(ovni_json(thread, "host.a", 7, 8, kernel ? "\"require\": { \"kernel\": \"1.0.0\" }, " : ""));
		cr_assert(ovni_begin(&m, thread, false));
		for (uint64_t i = 0; i < 150000; i++)
			ovni_event(&m, "XYZ", 10 * i, "abcdefghijklmnop", 16);
		ovni_event(&m, "OU[", 1500000, NULL, 0);
		ovni_event(&m, "KCO", 5005, NULL, 0);
		ovni_event(&m, "OU]", 1500001, NULL, 0);
		cr_assert(ovni_end(&m));
		rows_read(&r, &tn_format_ovni, folder);
		cr_assert_eq(r.n_events, 150003);
		cr_assert(!r.keys_fall);
		at = strstr(tn_str_text(&r.text), "KCO");
		cr_assert(at);
		cr_assert_eq(strncmp(strchr(at, '\n') + 1, "[5010] XYZ", 10) == 0, kernel);
		cr_assert_eq(strstr(at, "too late to be put in its place") != NULL, !kernel);
		rows_release(&r);
	}
}

/*
 * One clock far ahead, and one event far too late: each is said where it is; all others keep their
 * order, and the times of a row never fall below those before as the merge sees them.
 */
Test(ovni, wrong_clocks_cost_their_event)
{
	enum { EVENTS = 200000 };	/* 5.6 MB: more than a clock can do harm to */
	struct ovni_maker m = begin_thread(false);
	struct rows r = { 0 };
	struct tn_stream *s;
	struct tn_batch b = { 0 };
	struct tn_event e = { 0 };
	struct tn_str said = { 0 };
	int64_t key = INT64_MIN;
	size_t wrong = 0, seen = 0;

	for (size_t i = 0; i < EVENTS; i++) {
		uint64_t clock = i == 10 ? UINT64_C(1) << 50 : i == EVENTS - 10 ? 20 : 1000 + i;

		ovni_event(&m, "OAs", clock, "abcdefghijklmnop", 16);
	}
	cr_assert(ovni_end(&m));
	r.trace = (struct tn_trace) { .path = folder, .ops = &tn_format_ovni, .options = &r.options };
	cr_assert_eq(tn_format_ovni.open(&r.trace, &r.err), TN_OK, "%s", r.err.text);
	s = r.trace.stream[0];
	while (!s->index.complete)
		cr_assert_eq(tn_format_ovni.extend(s, &r.err), TN_OK, "%s", r.err.text);
	for (size_t n = 0; n < s->index.n; n++) {
		b.begin = (struct tn_mark) { .key = s->index.packet[n].begin_ns };
		do {
			tn_batch_clear(&b);
			b.stream = s;
			b.packet = n;
			b.entry = s->index.packet[n];
			b.data = s->file[0].map.data + b.entry.offset;
			cr_assert_eq(tn_format_ovni.walk(&b, &r.err), TN_OK);
			seen += b.n_events;
			for (size_t i = 0; i < b.refs.n; i++) {
				cr_assert_geq(b.refs.item[i].time_ns, key, "entry %zu, row %zu", n, i);
				key = b.refs.item[i].time_ns;
				cr_assert_lt(key, INT64_C(1) << 50);
				if (tn_batch_time(&b, i) == key)
					continue;
				wrong++;
				cr_assert_eq(tn_format_ovni.read(&b, i, TN_SCOPE_SHOWN, &e, &r.err), TN_OK);
				cr_assert(e.cycles == UINT64_C(1) << 50 || e.cycles == 20, "%" PRIu64, e.cycles);
				cr_assert_str_eq(e.value[e.n_values - 1].field->name, "warning");
				said.n = 0;
				rows_value(&said, &e.value[e.n_values - 1]);
				cr_assert_str_eq(tn_str_text(&said), e.cycles == 20 ? "\"the clock runs back here, outside of a sort region\""
					: "\"the clock is ahead of all that follows\"");
			}
			b.begin = b.end;
		} while (!b.last);
	}
	cr_assert_eq(seen, EVENTS);
	cr_assert_leq(wrong, 2);
	cr_assert_geq(wrong, 1);
	tn_str_release(&said);
	tn_batch_release(&b);
	tn_event_release(&e);
	rows_release(&r);
}

/* Files that are found, and files left for other formats. */
Test(ovni, probe)
{
	char path[160];

	cr_assert_eq(tn_format_ovni.probe(folder, true), TN_PROBE_NO);
	snprintf(path, sizeof path, "%s/a/ovni/loom.x/proc.1/thread.1", folder);
	cr_assert(ovni_json(path, "x", 1, 1, ""));
	cr_assert(maker_file(path, "stream.obs", OBS, 8));
	cr_assert_eq(tn_format_ovni.probe(path, true), TN_PROBE_YES);
	cr_assert_eq(tn_format_ovni.probe(folder, true), TN_PROBE_NO);
	snprintf(path, sizeof path, "%s/a/ovni", folder);
	cr_assert_eq(tn_format_ovni.probe(path, true), TN_PROBE_YES);
	snprintf(path, sizeof path, "%s/a", folder);
	cr_assert_eq(tn_format_ovni.probe(path, true), TN_PROBE_NO);
	cr_assert(maker_text(path, "clock-offsets.txt", ""));
	cr_assert_eq(tn_format_ovni.probe(path, true), TN_PROBE_YES);
	snprintf(path, sizeof path, "%s/a/ovni/loom.x/proc.1/thread.1/stream.obs", folder);
	cr_assert_eq(tn_format_ovni.probe(path, false), TN_PROBE_NO);
	snprintf(path, sizeof path, "%s/other", folder);
	cr_assert(maker_text(path, "stream.json", "{ \"kind\": 3 }"));
	cr_assert_eq(tn_format_ovni.probe(path, true), TN_PROBE_NO);
}

/* Stream and trace of a single file: none for a missing file, or a file at an impossible place. */
Test(ovni, a_file_of_a_stream)
{
	struct tn_str in = { 0 }, stream = { 0 };
	struct ovni_maker m = begin_thread(false);
	char path[128];

	cr_assert(ovni_end(&m));
	snprintf(path, sizeof path, "%s/stream.obs", thread);
	cr_expect(tn_format_ovni.belongs(path, &in, &stream));
	cr_expect(in.n && stream.n && strstr(stream.text, "thread.1/stream.obs"), "%s %s", tn_str_text(&in), tn_str_text(&stream));
	tn_str_clear(&in);
	tn_str_clear(&stream);
	snprintf(path, sizeof path, "%s/nosuch.obs", thread);
	cr_expect(!tn_format_ovni.belongs(path, &in, &stream) && !in.n && !stream.n);
	cr_expect(!tn_format_ovni.belongs("/stream.obs", &in, &stream) && !in.n && !stream.n);
	cr_expect(!tn_format_ovni.belongs("/", &in, &stream) && !in.n && !stream.n);
	tn_str_release(&in);
	tn_str_release(&stream);
}
