/* Pictures of lanes out of what is remembered are those that are made from the events: random traces, random windows. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "lane/lanes.h"
#include "lane/lanes_memory.h"

#include "../../make/random_trace.h"

#define BEGIN_NS RANDOM_TRACE_BEGIN

static struct tn_error err;
static struct tn_set *set;
static uint64_t seed;

static uint64_t
any(uint64_t n)
{
	return random_below(&seed, n);
}

static void
ok(enum tn_code rc)
{
	cr_assert(rc >= 0, "%s", err.text);
}

static int
on_notice(void *user, const struct tn_row *row)
{
	tn_str_printf(user, "notice %d %ld %u %u %lu\n", (int)row->kind, (long)row->time_ns, row->location.stream,
		      row->location.packet, (unsigned long)row->count);
	return 0;
}

/* All that a picture tells. */
static void
draw(struct tn_lanes *l, struct tn_str *out)
{
	struct tn_lanes_picture p;

	ok(tn_lanes_picture(&p, l, NULL, &err));
	for (size_t i = 0; i < p.lanes; i++) {
		uint64_t ns;

		tn_answer_value_text(&p.lane[i].value, out);
		tn_str_putc(out, ':');
		for (size_t c = 0; c < p.columns; c++) {
			uint32_t cell = p.lane[i].cell[c];
			const char *state = p.state[cell & TN_LANE_STATE].name;

			tn_str_printf(out, " %s%s%s", state ? state : ".", cell & TN_LANE_PART ? "~" : "",
				      cell & TN_LANE_LOST ? "!" : "");
			for (size_t k = 0, share; (share = tn_lanes_share(l, i, c, k, &ns)); k++)
				tn_str_printf(out, " %s %lu", p.state[share].name, (unsigned long)ns);
		}
		tn_str_putc(out, '\n');
	}
	for (size_t i = 0; i < p.states; i++) {
		const struct tn_lane_state *state = &p.state[p.longest[i]];

		tn_str_printf(out, "%c %s %lu\n", state->letter, state->name, (unsigned long)state->ns);
	}
	for (size_t c = 0; c < p.columns; c++)
		tn_str_puts(out, p.mark[c] & TN_LANE_LOST ? "!" : ".");
	tn_str_printf(out, "\n%lu left out\n", (unsigned long)p.left_out);
}

static const char *const definitions[] = {
	"sched_switch.next_comm by cpu", "(work_begin work_end by id) by kind", "(work_begin work_end by id fifo) by cpu",
	"id by kind", "(syscall_entry_read syscall_exit_read by tid) by cpu", "name by stream", "kind by id", "next_tid by next_comm",
};

/* The same window both ways. */
static void
compare(struct tn_lanes *plain, struct tn_lanes *fine, const char *what, int64_t begin, int64_t end, size_t columns)
{
	struct tn_str want = { 0 }, got = { 0 };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1, .notice = on_notice };

	o.user = &want;
	ok(tn_lanes_run(plain, &o, begin, end, columns, &err));
	draw(plain, &want);
	o.user = &got;
	ok(tn_lanes_run(fine, &o, begin, end, columns, &err));
	draw(fine, &got);
	cr_expect_str_eq(tn_str_text(&got), tn_str_text(&want), "%s: %zu columns of [%ld, %ld)\n%s---- not\n%s", what, columns,
			 (long)(begin - BEGIN_NS), (long)(end - BEGIN_NS), tn_str_text(&got), tn_str_text(&want));
	tn_str_release(&want);
	tn_str_release(&got);
}

/* As if each stream were of another host. */
static void
give_hosts(struct tn_lanes *l)
{
	tn_origins_release(&l->origins);
	l->origins.before = calloc(set->n_streams + 1, sizeof *l->origins.before);
	cr_assert(l->origins.before);
	for (; l->origins.n < set->n_streams; l->origins.n++)
		l->origins.before[l->origins.n] = tn_printed("h%zu:", l->origins.n);
}

static void
compare_windows(const char *definition, size_t cells, size_t bytes, size_t windows)
{
	struct tn_lanes *plain, *fine;
	struct tn_lanes_memory *m;
	int64_t first, last, width;
	bool hosts;

	ok(tn_set_time_range(set, &first, &last, &err));
	ok(tn_lanes_new(&plain, set, definition, &err));
	ok(tn_lanes_new(&fine, set, definition, &err));
	plain->fine_cells = 0;
	fine->fine_cells = cells;
	fine->fine_bytes = bytes;
	tn_lanes_keep_shares(plain, cells % 2 * 3);
	tn_lanes_keep_shares(fine, cells % 2 * 3);
	hosts = any(2);
	if (hosts) {
		give_hosts(plain);
		give_hosts(fine);
	}
	/* Recording leaves the first picture unchanged. */
	compare(plain, fine, definition, first, any(3) ? last : last - (last - first) / 5, 1 + any(30));
	m = tn_lanes_memory_get(fine->memory);
	/* More lanes, one for each host, can need more than the bytes that are enough without hosts. */
	cr_expect(m || (hosts && bytes < SIZE_MAX), "%s: it is remembered", definition);
	/* Nothing is there. */
	compare(plain, fine, definition, first - 2000, first - 1000, 3);
	compare(plain, fine, definition, last + 1000, last + 2000, 3);
	for (size_t i = 0; m && i < windows; i++) {
		struct tn_str what = { 0 };
		size_t columns = 1 + any(40);
		int64_t begin = first + (int64_t)any((uint64_t)(last - first));
		int64_t end = begin + 1 + (int64_t)any((uint64_t)(last - first));

		width = INT64_C(1) << m->head->shift;
		if (i % 4 == 1) {	/* borders on those of fine cells */
			begin = m->head->origin_ns + width * (int64_t)any(m->head->cells);
			end = begin + (int64_t)columns * width * (int64_t)(1 + any(3));
		} else if (i % 4 == 2) {	/* all of it, and more */
			begin = first - (int64_t)any(1000);
			end = last + (int64_t)any(1000);
		} else if (i % 4 == 3) {	/* hardly wider than fine cells */
			end = begin + 1 + (int64_t)any((uint64_t)width * 3 * columns);
		}
		tn_str_printf(&what, "%s, %zu cells, window %zu", definition, cells, i);
		compare(plain, fine, tn_str_text(&what), begin, end, columns);
		cr_expect_eq(fine->memory, m, "%s: it was not read anew", tn_str_text(&what));
		tn_str_release(&what);
	}
	tn_lanes_memory_free(m);
	tn_lanes_free(plain);
	tn_lanes_free(fine);
}

Test(lanes_memory, same_pictures)
{
	static const size_t cells[] = { 1, 7, 60, 1000, 65536 };

	for (uint64_t number = 1; number <= 4; number++) {
		struct random_trace *trace = random_trace_open(number, 600, &set, &err);

		cr_assert_not_null(trace, "%s", err.text);
		seed = number;
		for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++)
			for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
				compare_windows(definitions[d], cells[c], SIZE_MAX, 12);
		random_trace_close(trace, set);
	}
}

/* Fine cells become wider until they fit: their result is the same. */
Test(lanes_memory, wider_cells)
{
	struct random_trace *trace = random_trace_open(5, 3000, &set, &err);
	size_t widened = 0;

	cr_assert_not_null(trace, "%s", err.text);
	seed = 5;
	for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		size_t least = 0;
		unsigned shift = 0;

		for (size_t bytes = 1 << 20; bytes > 100; bytes = bytes / 4 * 3) {
			struct tn_lanes_memory *m;
			struct tn_lanes *l;
			int64_t first, last;

			ok(tn_set_time_range(set, &first, &last, &err));
			ok(tn_lanes_new(&l, set, definitions[d], &err));
			l->fine_cells = 8192;
			l->fine_bytes = bytes;
			ok(tn_lanes_run(l, &o, first, last + 1, 20, &err));
			m = tn_lanes_memory_get(l->memory);
			if (m && m->head->shift > shift) {
				widened += shift > 0;
				shift = m->head->shift;
				least = bytes;
			}
			/* Where even the widest are too many there is none. */
			cr_expect(m || bytes < 1 << 19, "%s: %zu bytes", definitions[d], bytes);
			tn_lanes_memory_free(m);
			tn_lanes_free(l);
		}
		compare_windows(definitions[d], 8192, least, 12);
	}
	cr_expect_geq(widened, 12, "%zu times", widened);
	random_trace_close(trace, set);
}

/*
 * A loaded memory is checked: one of its bytes is changed, or some are missing. Nothing crashes; most changes
 * are found.
 */
Test(lanes_memory, damage)
{
	struct random_trace *trace = random_trace_open(9, 300, &set, &err);
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	size_t found = 0, tries = 0;
	int64_t first, last;

	cr_assert_not_null(trace, "%s", err.text);
	ok(tn_set_time_range(set, &first, &last, &err));
	for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++) {
		struct tn_lanes *l;
		struct tn_lanes_memory *whole;
		size_t n;

		ok(tn_lanes_new(&l, set, definitions[d], &err));
		l->fine_cells = 60;
		ok(tn_lanes_run(l, &o, first, last + 1, 20, &err));
		whole = tn_lanes_memory_get(l->memory);
		cr_assert_not_null(whole);
		n = (size_t)((const uint8_t *)whole->text - whole->bytes) + (size_t)whole->head->n[TN_FINE_TEXT];
		for (size_t i = 0; i < 150; i++, tries++) {
			struct tn_lanes_memory *m = tn_memory_new(l, strdup(whole->question));
			size_t some = i % 10 == 9 ? any(n) : n;

			m->bytes = malloc(n);
			memcpy(m->bytes, whole->bytes, n);
			if (i % 10 != 9)
				m->bytes[i < 80 ? any(sizeof *m->head) : any(n)] ^= (uint8_t)(1 << any(8));
			if (tn_memory_take(m, l, m->bytes, some, first, last)) {
				cr_expect(tn_lanes_remember(l, m, &o));
				ok(tn_lanes_run(l, &o, first + (int64_t)any(3000), last - (int64_t)any(3000), 1 + any(30), &err));
				ok(tn_lanes_run(l, &o, first + 5000, first + 5300, 1 + any(30), &err));
			} else {
				found++;
			}
			tn_lanes_memory_free(m);
		}
		tn_lanes_memory_free(whole);
		tn_lanes_free(l);
	}
	cr_expect_gt(found, tries / 3, "%zu of %zu", found, tries);
	random_trace_close(trace, set);
}

/* A key with more words than exist, and a text in it of that length: the bytes after the end are not read. */
Test(lanes_memory, key_after_all)
{
	static const uint64_t n_words[] = { 0, UINT64_C(1) << 31, UINT32_MAX, UINT64_MAX };
	struct random_trace *trace = random_trace_open(9, 300, &set, &err);
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_lanes_memory *whole;
	struct tn_lanes *l;
	int64_t first, last;
	size_t n;

	cr_assert_not_null(trace, "%s", err.text);
	ok(tn_set_time_range(set, &first, &last, &err));
	ok(tn_lanes_new(&l, set, definitions[1], &err));
	l->fine_cells = 60;
	ok(tn_lanes_run(l, &o, first, last + 1, 20, &err));
	whole = tn_lanes_memory_get(l->memory);
	cr_assert_not_null(whole);
	cr_assert(whole->head->n[TN_FINE_KEYS] > 1 && l->spans->definition.item[0].begin_key.n == 1);
	n = (size_t)((const uint8_t *)whole->text - whole->bytes) + (size_t)whole->head->n[TN_FINE_TEXT];
	for (size_t i = 0; i < sizeof n_words / sizeof *n_words; i++) {
		struct tn_lanes_memory *m = tn_memory_new(l, strdup(whole->question));
		uint64_t text = (n_words[i] - 2) * 8 << 8 | TN_ANSWER_TEXT;

		m->bytes = malloc(n);
		memcpy(m->bytes, whole->bytes, n);
		memcpy(m->bytes + ((const uint8_t *)whole->key - whole->bytes), &n_words[i], 8);
		memcpy(m->bytes + ((const uint8_t *)(whole->word + whole->key_at[0] + 1) - whole->bytes), &text, 8);
		cr_expect_not(tn_memory_take(m, l, m->bytes, n, first, last), "%llu words", (unsigned long long)n_words[i]);
		tn_lanes_memory_free(m);
	}
	tn_lanes_memory_free(whole);
	tn_lanes_free(l);
	random_trace_close(trace, set);
}
