/*
 * targets.c - what libFuzzer mutates: one target a kind of input, chosen by TNAV_FUZZ_TARGET
 *
 * Nothing may crash, hang or read what is not there, which sanitizers and libFuzzer's limits see. `differ` compares:
 * the fast and the general walk, lines from bits and from values, large and smallest batches, one thread and three,
 * the count, and an export that is read back. A kept input of tests/fuzz/corpus/<target>/ runs in make check through
 * tests/fuzz/replay.c. make fuzz SECONDS=N (tests/fuzz/fuzz) looks for new ones.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "base/folder.h"
#include "base/str.h"
#include "base/ways.h"
#include "fuzz/targets.h"
#include "model/trace.h"

unsigned fuzz_ways;

unsigned
tn_ways(void)
{
	return fuzz_ways;
}

const char fuzz_metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;\n"
	"typealias integer { size = 64; } := u64; typealias integer { size = 5; align = 1; signed = true; } := i5;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u8 stream_id; }; };\n"
	"clock { name = c; freq = 1000000000; offset_s = 1000; };\n"
	"typealias integer { size = 27; align = 1; map = clock.c.value; } := short_time;\n"
	"typealias integer { size = 64; map = clock.c.value; } := long_time;\n"
	"stream { id = 0; packet.context := struct { long_time timestamp_begin; long_time timestamp_end; u32 content_size; "
	"u32 packet_size; u8 events_discarded; u8 packet_seq_num; };\n"
	"event.header := struct { enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;\n"
	"variant <id> { struct { short_time timestamp; } compact; struct { u32 id; long_time timestamp; } extended; } v; }\n"
	"align(8); event.context := struct { u8 cpu; }; };\n"
	"event { id = 0; name = \"numbers\"; fields := struct { u8 a; i5 b; u32 c; floating_point { exp_dig = 8; mant_dig = 24; "
	"byte_order = be; } f; }; };\n"
	"event { id = 1; name = \"text\"; fields := struct { string s; u8 n; u8 sequence[n]; string t[2]; }; };\n"
	"event { id = 2; name = \"choice\"; fields := struct { enum : u8 { A, B = 2 ... 9, C } tag; variant <tag> { u32 A; "
	"string B; struct { u8 x; i5 y; } C; } v; integer { size = 8; encoding = UTF8; } text[4]; }; };\n"
	"event { id = 31; name = \"wide\"; context := struct { u64 ip; }; fields := struct { integer { size = 128; base = 16; } w; "
	"struct { u8 n; } in[3]; } align(32); };\n";

/* ---- reading all of a set ---- */

static int
keep_lines(void *user, const char *text, size_t n)
{
	if (user)
		tn_str_add(user, text, n);
	return 0;
}

static int
keep_notice(void *user, const struct tn_row *row)
{
	if (user)
		tn_str_printf(user, "notice %d\n", (int)row->kind);
	return 0;
}

/* All lines and notices into @out (NULL: nobody wants them). */
static enum tn_code
print(struct tn_set *set, enum tn_line_format format, unsigned threads, struct tn_str *out)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_scan_options o = {
		TN_SCAN_OPTIONS, .threads = threads, .lines = keep_lines, .notice = keep_notice, .user = out,
	};
	struct tn_text *text;
	enum tn_code rc;

	how.format = format;
	how.utc = true;
	rc = tn_text_new(&text, set, &how, NULL);
	if (rc < 0)
		return rc;
	o.text = text;
	rc = tn_scan(set, &o, NULL, NULL);
	tn_text_free(text);
	return rc;
}

static struct tn_open_options
open_quietly(void)
{
	return (struct tn_open_options) { TN_OPEN_OPTIONS, .no_index_cache = true };
}

static void
read_all(struct tn_set *set)
{
	uint64_t events;

	(void)!tn_count(set, &(struct tn_count_options) { TN_COUNT_OPTIONS, .threads = 1 }, &events, NULL);
	(void)!print(set, TN_LINE_TEXT, 1, NULL);
	(void)!print(set, TN_LINE_JSON, 1, NULL);
	(void)!print(set, TN_LINE_CSV, 1, NULL);
	(void)!tn_set_check(set, NULL);
}

static struct tn_set *
open_memory(const struct tn_memory_file *file, size_t n, const char *format)
{
	struct tn_open_options how = open_quietly();
	struct tn_set *set;

	how.format = format;
	return tn_set_open_memory(&set, file, n, &how, NULL) == TN_OK ? set : NULL;
}

static void
read_memory(const struct tn_memory_file *file, size_t n, const char *format)
{
	struct tn_set *set = open_memory(file, n, format);

	if (set)
		read_all(set);
	tn_set_close(set);
}

/* The first two bytes say how long the first of two parts is. */
static size_t
split(const uint8_t **data, size_t *n)
{
	size_t first;

	if (*n < 2)
		return 0;
	first = (size_t)(*data)[0] | (size_t)(*data)[1] << 8;
	*data += 2;
	*n -= 2;
	return first < *n ? first : *n;
}

/* ---- targets ---- */

static void
tsdl(const uint8_t *data, size_t n)
{
	static const uint8_t packet[64] = { 0xc1, 0x1f, 0xfc, 0xc1 };
	const struct tn_memory_file file[] = { { "metadata", data, n }, { "s", packet, sizeof packet } };

	read_memory(file, 2, "ctf");
}

static void
index_file(const uint8_t *data, size_t n)
{
	static uint8_t stream[4096];
	const struct tn_memory_file file[] = {
		{ "metadata", fuzz_metadata, sizeof fuzz_metadata - 1 }, { "s", stream, sizeof stream },
		{ "index/s.idx", data, n },
	};

	for (size_t i = 0; i < sizeof stream; i += 128)
		memcpy(stream + i, "\xc1\x1f\xfc\xc1", 4);
	read_memory(file, 3, "ctf");
}

static void
packets(const uint8_t *data, size_t n)
{
	const struct tn_memory_file file[] = { { "metadata", fuzz_metadata, sizeof fuzz_metadata - 1 }, { "s", data, n } };

	read_memory(file, 2, "ctf");
}

static struct tn_set *
open_trace(const uint8_t *data, size_t n)
{
	size_t first = split(&data, &n);
	const struct tn_memory_file file[] = { { "metadata", data, first }, { "s", data + first, n - first } };

	return open_memory(file, 2, "ctf");
}

static struct tn_set *
open_vartrace(const uint8_t *data, size_t n)
{
	static const char *const format[] = { "vartrace", "vartrace-le", "vartrace-be" };
	const struct tn_memory_file file = { "dump", n ? data + 1 : data, n ? n - 1 : 0 };

	return open_memory(&file, 1, format[n ? data[0] % 3 : 0]);
}

static struct tn_set *
open_tracedat(const uint8_t *data, size_t n)
{
	const struct tn_memory_file file = { "trace.dat", data, n };

	return open_memory(&file, 1, "trace.dat");
}

static struct tn_set *
open_perfdata(const uint8_t *data, size_t n)
{
	const struct tn_memory_file file = { "perf.data", data, n };

	return open_memory(&file, 1, "perf.data");
}

static struct tn_set *
open_chromejson(const uint8_t *data, size_t n)
{
	const struct tn_memory_file file = { "t.json", data, n };

	return open_memory(&file, 1, "chrome-json");
}

static struct tn_set *
open_perfetto(const uint8_t *data, size_t n)
{
	const struct tn_memory_file file = { "t.pftrace", data, n };

	return open_memory(&file, 1, "perfetto");
}

static char folder[64];

const char *
fuzz_make_folder(void)
{
	const char *top = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

	snprintf(folder, sizeof folder, "%s/tnav-fuzz-XXXXXX", top);
	if (!mkdtemp(folder))
		abort();
	return folder;
}

void
fuzz_remove_folder(void)
{
	tn_remove_folder(folder);
}

static void
spew(const char *name, const uint8_t *data, size_t n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "wb");
	if (!f || (n && fwrite(data, n, 1, f) != 1) || fclose(f) != 0)
		abort();
}

/* Mapped bytes stay readable when their folder is gone. */
static struct tn_set *
open_ovni(const uint8_t *data, size_t n)
{
	size_t first = split(&data, &n);
	struct tn_open_options how = open_quietly();
	const char *path = fuzz_make_folder();
	struct tn_set *set;

	spew("stream.json", data, first);
	spew("stream.obs", data + first, n - first);
	if (tn_set_open(&set, &path, 1, &how, NULL) < 0)
		set = NULL;
	tn_remove_folder(folder);
	return set;
}

/* The texts of the folder beside info and the records of a thread. */
static struct tn_set *
open_uftrace(const uint8_t *data, size_t n)
{
	static const char task[] = "SESS timestamp=1.000000000 pid=10 sid=0123456789abcdef exename=\"/bin/prog\"\n"
				   "TASK timestamp=1.000000001 tid=10 pid=10\n",
		map[] = "1000-9000 r-xp 00000000 00:00 0    /bin/prog\n",
		symbols[] = "0000000000000100 T main\n0000000000000200 T two\n0000000000000300 T anything\n"
			    "0000000000000400 P _Z3sixPKc\n0000000000000500 t t\n0000000000000600 T deep\n",
		debug[] = "F: 600 deep\nA: @arg1%rdi\nR: @retval/p\n", events[] = "EVENT: 1000001 prog:tick\n";
	size_t first = split(&data, &n);
	struct tn_open_options how = open_quietly();
	const char *path = fuzz_make_folder();
	struct tn_set *set;

	spew("task.txt", (const uint8_t *)task, sizeof task - 1);
	spew("sid-0123456789abcdef.map", (const uint8_t *)map, sizeof map - 1);
	spew("prog.sym", (const uint8_t *)symbols, sizeof symbols - 1);
	spew("prog.dbg", (const uint8_t *)debug, sizeof debug - 1);
	spew("events.txt", (const uint8_t *)events, sizeof events - 1);
	spew("info", data, first);
	spew("10.dat", data + first, n - first);
	if (tn_set_open(&set, &path, 1, &how, NULL) < 0)
		set = NULL;
	tn_remove_folder(folder);
	return set;
}

static void
read_set(struct tn_set *set)
{
	if (set)
		read_all(set);
	tn_set_close(set);
}

static void
read_path(const char *path, bool stored)
{
	struct tn_open_options how = open_quietly();
	struct tn_set *set;

	how.no_index_cache = !stored;
	read_set(tn_set_open(&set, &path, 1, &how, NULL) == TN_OK ? set : NULL);
}

void fuzz_read_path(const char *path) { read_path(path, false); }
void fuzz_read_stored(const char *path) { read_path(path, true); }

static void traces(const uint8_t *data, size_t n) { read_set(open_trace(data, n)); }
static void vartrace(const uint8_t *data, size_t n) { read_set(open_vartrace(data, n)); }
static void tracedat(const uint8_t *data, size_t n) { read_set(open_tracedat(data, n)); }
static void chromejson(const uint8_t *data, size_t n) { read_set(open_chromejson(data, n)); }
static void perfetto(const uint8_t *data, size_t n) { read_set(open_perfetto(data, n)); }
static void perfdata(const uint8_t *data, size_t n) { read_set(open_perfdata(data, n)); }
static void uftrace(const uint8_t *data, size_t n) { read_set(open_uftrace(data, n)); }
static void ovni(const uint8_t *data, size_t n) { read_set(open_ovni(data, n)); }

bool
fuzz_lines(const struct fuzz_target *target, const uint8_t *data, size_t n, struct tn_str *out)
{
	struct tn_set *set = target->open(data, n);
	bool good = set && print(set, TN_LINE_TEXT, 1, out) == TN_OK;

	tn_set_close(set);
	return good;
}

/* A set of one event class that has a field of each kind. */
static struct tn_set *
fixed_set(void)
{
	const struct tn_memory_file file[] = {
		{ "metadata", fuzz_metadata, sizeof fuzz_metadata - 1 }, { "s", "\xc1\x1f\xfc\xc1", 4 },
	};

	return open_memory(file, 2, "ctf");
}

static void
language(const uint8_t *data, size_t n)
{
	char *text = strndup((const char *)data, n);
	struct tn_set *set = fixed_set();
	struct tn_filter *filter;

	if (!text || !set || tn_filter_new(&filter, set, NULL) != TN_OK)
		abort();
	(void)!tn_filter_add_expression(filter, text, NULL);
	(void)!tn_filter_add_regex(filter, text, false, NULL);
	tn_filter_free(filter);
	tn_set_close(set);
	free(text);
}

static void
times(const uint8_t *data, size_t n)
{
	const struct tn_time_context context = { TN_TIME_CONTEXT, .near_ns = 1, .begin_ns = INT64_MIN, .end_ns = INT64_MAX, .utc = true };
	char *text = strndup((const char *)data, n);
	int64_t ns;

	if (!text)
		abort();
	(void)!tn_time_parse(text, &context, &ns, NULL);
	free(text);
}

/* Expected output of every path. */
static void
compare(struct tn_set *set, const struct tn_str *want, unsigned how, unsigned threads)
{
	struct tn_str got = { 0 };

	fuzz_ways = how & ~(unsigned)TN_WAYS_WALK;
	if (print(set, TN_LINE_TEXT, threads, &got) < 0 || got.n != want->n || memcmp(tn_str_text(&got), tn_str_text(want), got.n)) {
		fprintf(stderr, "ways %u with %u threads:\n%s---\n%s", how, threads, tn_str_text(want), tn_str_text(&got));
		abort();
	}
	fuzz_ways = 0;
	tn_str_release(&got);
}

size_t
fuzz_count_lines(const struct tn_str *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->text[i] == '\n';
	return n;
}

/* Types that CTF 1.8 cannot express, below @f (lib/write/recode.h). */
static bool
has_no_word(const struct tn_field *f)
{
	const struct tn_type *t = f ? f->type : NULL;

	if (!t)
		return false;
	if (t->kind >= TN_KIND_BOOL && t->kind <= TN_KIND_BITMAP)
		return true;
	if (t->kind == TN_KIND_BLOB || t->kind == TN_KIND_OPTIONAL || t->varint || t->lenient_tag ||
	    (t->kind <= TN_KIND_FLOAT && t->length > 64))
		return true;
	for (size_t i = 0; i < t->n_fields; i++)
		if (has_no_word(&t->field[i]))
			return true;
	return false;
}

static bool
is_reworded(const struct tn_set *set)
{
	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];

		for (size_t k = 0; k < t->n_stream_classes; k++) {
			const struct tn_field *context = t->stream_class[k]->packet_context;

			if (has_no_word(context) || has_no_word(t->stream_class[k]->common_context) ||
			    (context && !context->type->n_fields))
				return true;
		}
		for (size_t k = 0; k < t->n_event_classes; k++)
			if (has_no_word(t->event_class[k]->specific_context) || has_no_word(t->event_class[k]->payload))
				return true;
	}
	return false;
}

/* The same lines; where something has another word, or a length or tag of its own in front, as many. */
static bool
is_the_same(const struct tn_set *set, const struct tn_str *got, const struct tn_str *want)
{
	const char *text = tn_str_text(got);

	if (is_reworded(set) || strstr(text, "_length = ") || strstr(text, "_tag = "))
		return fuzz_count_lines(got) == fuzz_count_lines(want);
	return got->n == want->n && memcmp(text, tn_str_text(want), got->n) == 0;
}

static void
compare_export(struct tn_set *set, const struct tn_str *want)
{
	struct tn_open_options how = open_quietly();
	struct tn_str got = { 0 };
	struct tn_set *back;
	char path[80];
	const char *one = path;

	snprintf(path, sizeof path, "%s/out", fuzz_make_folder());
	if (tn_export(set, path, NULL, NULL) == TN_OK) {
		if (tn_set_open(&back, &one, 1, &how, NULL) != TN_OK) {
			fprintf(stderr, "an export that cannot be opened\n");
			abort();
		}
		if (print(back, TN_LINE_TEXT, 1, &got) < 0 || !is_the_same(set, &got, want)) {
			fprintf(stderr, "exported:\n%s---\n%s", tn_str_text(want), tn_str_text(&got));
			abort();
		}
		tn_set_close(back);
	}
	tn_str_release(&got);
	tn_remove_folder(folder);
}

static void
differ(const uint8_t *data, size_t n)
{
	size_t first = split(&data, &n);
	const struct tn_memory_file file[] = {
		{ "metadata", first ? data : (const uint8_t *)fuzz_metadata, first ? first : sizeof fuzz_metadata - 1 },
		{ "s", data + first, n - first },
	};
	struct tn_set *set = open_memory(file, 2, "ctf");
	struct tn_open_options shifted = open_quietly();
	struct tn_str want = { 0 };
	uint64_t events = 0;

	if (set && print(set, TN_LINE_TEXT, 1, &want) == TN_OK && want.n < 1 << 20) {
		size_t lines = fuzz_count_lines(&want);
		bool notices = strstr(tn_str_text(&want), "notice ");

		compare(set, &want, TN_WAYS_VALUES, 1);
		compare(set, &want, TN_WAYS_SMALL, 3);
		if (tn_count(set, NULL, &events, NULL) == TN_OK && !notices && events != lines) {
			fprintf(stderr, "%zu lines, %llu events\n", lines, (unsigned long long)events);
			abort();
		}
		if (!notices)
			compare_export(set, &want);
		tn_set_close(set);
		fuzz_ways = TN_WAYS_WALK;	/* which a trace takes is decided when it is opened */
		set = open_memory(file, 2, "ctf");
		if (!set)
			abort();
		compare(set, &want, TN_WAYS_WALK, 1);
		fuzz_ways = 0;
		tn_set_close(set);
		/* Times that are not those of the trace are in no bits of it: what is exported goes through values. */
		shifted.clock_offset_ns = 1000000000;
		if (tn_set_open_memory(&set, file, 2, &shifted, NULL) != TN_OK)
			abort();
		tn_str_clear(&want);
		if (!notices && print(set, TN_LINE_TEXT, 1, &want) == TN_OK)
			compare_export(set, &want);
	}
	fuzz_ways = 0;
	tn_set_close(set);
	tn_str_release(&want);
}

const struct fuzz_target fuzz_targets[] = {
	{ "tsdl", tsdl, NULL }, { "ctf2", tsdl, NULL }, { "metadata", tsdl, NULL }, { "index", index_file, NULL },
	{ "packets", packets, NULL }, { "traces", traces, open_trace }, { "ovni", ovni, open_ovni },
	{ "vartrace", vartrace, open_vartrace }, { "tracedat", tracedat, open_tracedat },
	{ "perfdata", perfdata, open_perfdata }, { "chromejson", chromejson, open_chromejson },
	{ "perfdata", perfdata, open_perfdata }, { "uftrace", uftrace, open_uftrace },
	{ "perfetto", perfetto, open_perfetto },
	{ "language", language, NULL }, { "times", times, NULL },
	{ "differ", differ, NULL }, { "stored_index", fuzz_stored_index, NULL }, { "relay", fuzz_relay, NULL },
	{ "stored_digest", fuzz_stored_digest, NULL }, { "configuration", fuzz_configuration, NULL },
	{ "session", fuzz_session, NULL }, { "kept", fuzz_kept, NULL }, { NULL, NULL, NULL },
};

const struct fuzz_target *
fuzz_find(const char *name)
{
	const struct fuzz_target *t = fuzz_targets;

	while (t->name && (!name || strcmp(t->name, name) != 0))
		t++;
	return t->name && t->run ? t : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct fuzz_target *target;

	if (!target && !(target = fuzz_find(getenv("TNAV_FUZZ_TARGET")))) {
		fprintf(stderr, "TNAV_FUZZ_TARGET names no target\n");
		exit(2);
	}
	target->run(data, n);
	return 0;
}
