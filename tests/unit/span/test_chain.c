/* Chains of waits of a made-up kernel: deeper, longer and worse than what traces/kernel of the golden cases has. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; map = clock.c.value; } := time;\n"
	"trace { major = 1; minor = 8; byte_order = le; };\n"
	"stream { packet.context := struct { u8 cpu_id; }; event.header := struct { u8 id; time timestamp; }; };\n"
	"event { id = 0; name = sched_switch; fields := struct { %s prev_comm; %s prev_tid; u32 prev_state; %s next_comm; %s next_tid; }; };\n"
	"event { id = 1; name = sched_waking; fields := struct { %s comm; %s tid; }; };\n";

struct kernel {
	struct tn_str metadata, stream;
	struct tn_set *set;
	bool spelled;		/* its threads are words */
};

static struct tn_error err;

static void
put(struct kernel *k, uint64_t n, size_t bytes)
{
	for (; bytes--; n >>= 8)
		tn_str_putc(&k->stream, (char)(n & 255));
}

static void
put_thread(struct kernel *k, uint32_t tid)
{
	put(k, 'x', 2);
	if (k->spelled)
		put(k, 'a' + tid, 2);
	else
		put(k, tid, 4);
}

static void
turn(struct kernel *k, uint64_t ns, uint32_t from, uint32_t state, uint32_t to)
{
	put(k, 0, 1);
	put(k, ns, 8);
	put_thread(k, from);
	put(k, state, 4);
	put_thread(k, to);
}

static void
wake(struct kernel *k, uint64_t ns, uint32_t tid)
{
	put(k, 1, 1);
	put(k, ns, 8);
	put_thread(k, tid);
}

static void
begin(struct kernel *k, bool spelled)
{
	const char *tid = spelled ? "string" : "u32", *c = "string";

	*k = (struct kernel) { .spelled = spelled };
	tn_str_printf(&k->metadata, metadata, c, tid, c, tid, c, tid);
	put(k, 0, 1);
}

static void
end(struct kernel *k)
{
	const struct tn_memory_file files[] = {
		{ "metadata", k->metadata.text, k->metadata.n }, { "s", k->stream.text, k->stream.n },
	};

	cr_assert(!k->stream.failed);
	cr_assert_eq(tn_set_open_memory(&k->set, files, 2, NULL, &err), TN_OK, "%s", err.text);
}

static void
release(struct kernel *k)
{
	tn_set_close(k->set);
	tn_str_release(&k->metadata);
	tn_str_release(&k->stream);
}

static int
say(void *user, const struct tn_chain_link *l)
{
	tn_str_printf(user, "%zu:%" PRId64 " %s %" PRId64 " %" PRId64 "..%" PRId64 "\n", l->depth, l->tid, tn_chain_kind_name(l->kind),
		      l->whom, l->begin_ns, l->end_ns);
	return 0;
}

static void
expect(struct kernel *k, int64_t tid, int64_t begin_ns, int64_t end_ns, const char *want)
{
	struct tn_str got = { 0 };
	bool cut;

	cr_assert_eq(tn_chain_run(k->set, NULL, NULL, tid, begin_ns, end_ns, say, &got, &cut, &err), TN_OK, "%s", err.text);
	cr_expect_str_eq(tn_str_text(&got), want, "%s", tn_str_text(&got));
	cr_expect(!cut);
	tn_str_release(&got);
}

/* Each thread is woken by the next one, 15 in a row: the 13th level is cut off. */
Test(chain, deeper_than_twelve)
{
	struct tn_str got = { 0 };
	const char *last = "";
	struct kernel k;
	bool cut = false;

	begin(&k, false);
	for (uint32_t t = 1; t < 16; t++)
		turn(&k, 10 * t, t, 1, t + 1);
	for (uint32_t t = 15; t > 0; t--) {
		wake(&k, 1000 - 20 * t, t);
		turn(&k, 1001 - 20 * t, t + 1, 1, t);
	}
	end(&k);
	cr_assert_eq(tn_chain_run(k.set, NULL, NULL, 1, 0, 2000, say, &got, &cut, &err), TN_OK, "%s", err.text);
	cr_expect(cut);
	for (const char *at = tn_str_text(&got); *at; at = strchr(at, '\n') + 1)
		if (atoi(at) >= atoi(last))
			last = at;
	cr_expect(strncmp(last, "11:12 ", 6) == 0, "%s", tn_str_text(&got));
	cr_expect(strstr(tn_str_text(&got), "0:1 asleep 2 10..980\n1:2 ran -1 10..20\n1:2 asleep 3 20..960\n"), "%s", tn_str_text(&got));
	tn_str_release(&got);
	release(&k);
}

/* The end of a wait was lost: what is known of later counts. Woken as soon as asleep: two waits begin at once. */
Test(chain, waits_that_overlap)
{
	struct kernel k;

	begin(&k, false);
	turn(&k, 10, 7, 1, 8);
	turn(&k, 20, 7, 1, 8);		/* it must have come back meanwhile */
	wake(&k, 30, 7);
	turn(&k, 40, 8, 0, 7);
	turn(&k, 60, 7, 1, 8);
	wake(&k, 60, 7);
	turn(&k, 70, 8, 1, 7);
	end(&k);
	expect(&k, 7, 0, 50,
	       "0:7 unknown -1 0..10\n0:7 asleep -1 10..20\n0:7 asleep 8 20..30\n1:8 ran -1 20..30\n0:7 ready 8 30..40\n0:7 ran -1 40..50\n");
	expect(&k, 7, 25, 50, "0:7 asleep 8 25..30\n1:8 ran -1 25..30\n0:7 ready 8 30..40\n0:7 ran -1 40..50\n");
	expect(&k, 7, 50, 80, "0:7 ran -1 50..60\n0:7 ready 8 60..70\n0:7 ran -1 70..80\n");
	expect(&k, 9, 50, 80, "0:9 unknown -1 50..80\n");
	release(&k);
}

static int
count(void *user, const struct tn_chain_link *l)
{
	(void)l;
	++*(size_t *)user;
	return 0;
}

Test(chain, longer_than_is_told)
{
	struct kernel k;
	bool cut = false;
	size_t n = 0;

	begin(&k, false);
	for (uint32_t i = 0; i < 6000; i++) {
		turn(&k, 100 * i, 7, 1, 8);
		wake(&k, 100 * i + 20, 7);
		turn(&k, 100 * i + 40, 8, 0, 7);
	}
	end(&k);
	cr_assert_eq(tn_chain_run(k.set, NULL, NULL, 7, 0, 600000, count, &n, &cut, &err), TN_OK, "%s", err.text);
	cr_expect_eq(n, 20000u, "%zu", n);
	cr_expect(cut);
	release(&k);
}

Test(chain, mistakes)
{
	struct tn_location at = { 0 };
	struct kernel k;
	const char *host;
	int64_t tid;
	size_t n = 0;

	begin(&k, true);
	turn(&k, 10, 7, 1, 8);
	wake(&k, 30, 7);
	turn(&k, 40, 8, 0, 7);
	end(&k);
	cr_expect_eq(tn_chain_run(NULL, NULL, NULL, 7, 0, 1, count, &n, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_chain_run(k.set, NULL, NULL, 7, 0, 1, NULL, &n, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_chain_run(k.set, NULL, NULL, 7, 5, 5, count, &n, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "a wait chain needs a time range");
	cr_expect_eq(n, 0u);
	at.stream = 1;
	cr_expect_eq(tn_chain_thread(k.set, NULL, &at, &host, &tid, &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "the event is from other traces");
	/* No number, no thread; nothing is before the beginning of time. */
	expect(&k, 7, 0, 50, "0:7 unknown -1 0..50\n");
	expect(&k, 7, INT64_MIN + 5, INT64_MIN + 9, "0:7 unknown -1 -9223372036854775803..-9223372036854775799\n");
	release(&k);
}
