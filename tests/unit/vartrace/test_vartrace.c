#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "../../make/vartrace_maker.h"
#include "../ovni/rows.h"
#include "vartrace/record.h"
#include "vartrace/vartrace.h"

static char path[64];
static const char *named;	/* format as the user names it */

static void
make_path(void)
{
	int fd;

	snprintf(path, sizeof path, "%s", "vartrace-test-XXXXXX");
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	close(fd);
	named = NULL;
}

static void
remove_path(void)
{
	unlink(path);
}

TestSuite(vartrace, .init = make_path, .fini = remove_path);

static void
store(const struct vt_maker *m, size_t from, size_t n)
{
	FILE *f = fopen(path, "wb");

	cr_assert(f);
	cr_assert_eq(fwrite(m->data + from, 1, n, f), n);
	cr_assert_eq(fclose(f), 0);
}

static struct rows
read_dump(const struct vt_maker *m, size_t from, size_t to, unsigned limit)
{
	struct rows r = { .limit = limit, .options = { .format = named } };

	store(m, from, to - from);
	rows_read(&r, &tn_format_vartrace, path);
	return r;
}

static void
expect_part(const struct vt_maker *m, size_t from, size_t to, const char *rows)
{
	for (unsigned limit = 0; limit < 3; limit++) {
		struct rows r = read_dump(m, from, to, limit);

		cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
		cr_assert_str_eq(tn_str_text(&r.text), rows);
		cr_assert(!r.keys_fall);
		cr_assert_eq(r.trace.big_endian, m->big_endian);
		rows_release(&r);
	}
}

static void
expect(const struct vt_maker *m, const char *rows)
{
	expect_part(m, 0, m->n, rows);
}

/* Both byte orders, with padding that would show if it were read. */
#define EACH_ORDER(m) \
	for (struct vt_maker m = { .padding = 0xa5 }, *once = &m; once; \
	     m.n = 0, once = m.big_endian ? (free(m.data), NULL) : (m.big_endian = true, &m))

/* Single values of each type at their limits (3, 4). */
Test(vartrace, scalars)
{
	EACH_ORDER(m) {
		uint8_t room[8];

		vt_scalar(&m, 1, 0, TN_VT_INT8, -128);
		vt_scalar(&m, 2, 1, TN_VT_INT8, 127);
		vt_scalar(&m, 3, 2, TN_VT_UINT8, 255);
		vt_scalar(&m, 4, 3, TN_VT_INT16, -32768);
		vt_scalar(&m, 5, 4, TN_VT_UINT16, 65535);
		vt_scalar(&m, 6, 5, TN_VT_INT32, INT32_MIN);
		vt_scalar(&m, 7, 6, TN_VT_UINT32, UINT32_MAX);
		vt_record(&m, 8, 7, TN_VT_INT64, m.big_endian ? "\x80\0\0\0\0\0\0\0" : "\0\0\0\0\0\0\0\x80", 8);
		vt_record(&m, 9, 8, TN_VT_UINT64, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
		vt_record(&m, 10, 9, TN_VT_FLOAT, m.big_endian ? "\xc0\x20\0\0" : "\0\0\x20\xc0", 4);
		vt_record(&m, 11, 255, TN_VT_DOUBLE, vt_double(&m, -0.75, room), 8);
		vt_record(&m, 12, 12, TN_VT_CHAR, "x", 1);
		expect(&m, "[1] message 0: { type = \"int8\", value = -128 }\n"
		       "[2] message 1: { type = \"int8\", value = 127 }\n"
		       "[3] message 2: { type = \"uint8\", value = 255 }\n"
		       "[4] message 3: { type = \"int16\", value = -32768 }\n"
		       "[5] message 4: { type = \"uint16\", value = 65535 }\n"
		       "[6] message 5: { type = \"int32\", value = -2147483648 }\n"
		       "[7] message 6: { type = \"uint32\", value = 4294967295 }\n"
		       "[8] message 7: { type = \"int64\", value = -9223372036854775808 }\n"
		       "[9] message 8: { type = \"uint64\", value = 18446744073709551615 }\n"
		       "[10] message 9: { type = \"float\", value = -2.5 }\n"
		       "[11] message 255: { type = \"double\", value = -0.75 }\n"
		       "[12] message 12: { type = \"char\", value = \"x\" }\n");
	}
}

/* The places of type and value of a message in the dump, in both byte orders. */
Test(vartrace, places)
{
	EACH_ORDER(m) {
		const char *format = m.big_endian ? "vartrace-be" : "vartrace-le";
		struct tn_open_options how = { TN_OPEN_OPTIONS, .format = format, .no_index_cache = true };
		const struct tn_value *type, *value;
		const struct tn_event *event;
		struct tn_cursor *cur;
		struct tn_error err;
		struct tn_set *set;

		vt_record(&m, 1, 1, TN_VT_CHAR, "y", 1);
		vt_record(&m, 2, 2, TN_VT_CHAR, "x", 1);
		store(&m, 0, m.n);
		cr_assert_eq(tn_set_open(&set, (const char *[]) { path }, 1, &how, &err), TN_OK, "%s", err.text);
		cr_assert_eq(tn_cursor_new(&cur, set, &err), TN_OK);
		for (int i = 0; i < 2; i++) {
			cr_assert_eq(tn_cursor_next(cur, &err), TN_OK, "%s", err.text);
			cr_assert_eq(tn_cursor_read(cur, TN_SCOPE_ALL, &event, &err), TN_OK, "%s", err.text);
			type = tn_event_find(event, "event.fields.type");
			value = tn_event_find(event, "event.fields.value");
			cr_assert(type && value);
			cr_expect_eq(m.data[tn_value_bit(type) / 8], TN_VT_CHAR, "%s: type at %d", format, (int)tn_value_bit(type));
			cr_expect_eq(tn_value_end(type), tn_value_bit(type) + 8, "%s", format);
			cr_expect_eq(m.data[tn_value_bit(value) / 8], i ? 'x' : 'y', "%s", format);
		}
		tn_cursor_free(cur);
		tn_set_close(set);
	}
}

/* Arrays, also of one element, which a big-endian machine puts elsewhere than a scalar (4). */
Test(vartrace, arrays_and_texts)
{
	EACH_ORDER(m) {
		vt_record(&m, 1, 1, TN_VT_INT8, "\xff", 1);
		vt_record(&m, 2, 2, TN_VT_INT8, "\xff\1\2", 3);
		vt_record(&m, 3, 3, TN_VT_UINT16, m.big_endian ? "\1\2" : "\2\1", 2);
		vt_record(&m, 4, 4, TN_VT_UINT16, m.big_endian ? "\1\2\3\4\5\6" : "\2\1\4\3\6\5", 6);
		vt_record(&m, 5, 5, TN_VT_INT32, m.big_endian ? "\xff\xff\xff\xfe" : "\xfe\xff\xff\xff", 4);
		vt_record(&m, 6, 6, TN_VT_INT16, "", 0);
		vt_record(&m, 7, 7, TN_VT_CHAR, "", 0);
		vt_record(&m, 8, 8, TN_VT_CHAR, "nul\0\"x\n", 7);
		vt_record(&m, 9, 9, 40, "\xf9\xff\1", 3);
		vt_record(&m, 10, 10, TN_VT_UNKNOWN, "\0\1", 2);
		vt_record(&m, 11, 11, TN_VT_INT32, "\1\2\3\4\5\6", 6);
		vt_scalar(&m, 12, 12, TN_VT_UINT8, 0);
		expect(&m, "[1] message 1: { type = \"int8\", value = -1 }\n"
		       "[2] message 2: { type = \"int8\", value = [ [0] = -1, [1] = 1, [2] = 2 ] }\n"
		       "[3] message 3: { type = \"uint16\", value = 258 }\n"
		       "[4] message 4: { type = \"uint16\", value = [ [0] = 258, [1] = 772, [2] = 1286 ] }\n"
		       "[5] message 5: { type = \"int32\", value = -2 }\n"
		       "[6] message 6: { type = \"int16\", value = [ ] }\n"
		       "[7] message 7: { type = \"char\", value = \"\" }\n"
		       "[8] message 8: { type = \"char\", value = \"nul\\x00\\\"x\\x0a\" }\n"
		       "[9] message 9: { type = \"user:40\", value = [ [0] = 249, [1] = 255, [2] = 1 ] }\n"
		       "[10] message 10: { type = \"unknown\", value = [ [0] = 0, [1] = 1 ] }\n"
		       "[11] message 11: { type = \"int32\", value = [ [0] = 1, [1] = 2, [2] = 3, [3] = 4, [4] = 5, [5] = 6 ], "
		       "warning = \"the size is not a multiple of the element's\" }\n"
		       "[12] message 12: { type = \"uint8\", value = 0 }\n");
	}
}

Test(vartrace, subtraces)
{
	EACH_ORDER(m) {
		uint8_t room[8];
		size_t outer, inner;

		vt_end(&m, vt_begin(&m, 500, 1));
		outer = vt_begin(&m, 600, 7);
		vt_nested(&m, 8, TN_VT_DOUBLE, vt_double(&m, 1.25, room), 8);
		inner = vt_begin_nested(&m, 9);
		vt_nested_scalar(&m, 10, TN_VT_INT16, -9);
		vt_end(&m, vt_begin_nested(&m, 11));
		vt_nested(&m, 12, TN_VT_CHAR, "x", 2);
		vt_end(&m, inner);
		vt_nested_scalar(&m, 13, TN_VT_UINT8, 200);
		vt_end(&m, outer);
		vt_scalar(&m, 700, 2, TN_VT_INT32, 77);
		expect(&m, "[500] message 1: { type = \"subtrace\", value = [ ] }\n"
		       "[600] message 7: { type = \"subtrace\", value = [ [0] = { message = 8, type = \"double\", value = 1.25 }, "
		       "[1] = { message = 9, type = \"subtrace\", value = [ [0] = { message = 10, type = \"int16\", value = -9 }, "
		       "[1] = { message = 11, type = \"subtrace\", value = [ ] }, "
		       "[2] = { message = 12, type = \"char\", value = \"x\\x00\" } ] }, "
		       "[2] = { message = 13, type = \"uint8\", value = 200 } ] }\n"
		       "[700] message 2: { type = \"int32\", value = 77 }\n");
	}
}

/* The contents of a subtrace must end with it (8). */
Test(vartrace, subtraces_that_do_not_end)
{
	struct vt_maker m = { 0 };
	size_t outer;

	for (uint32_t i = 0; i < 8; i++)
		vt_scalar(&m, 0, 1, TN_VT_INT32, 1);
	outer = vt_begin(&m, 2, 2);
	vt_nested_scalar(&m, 3, TN_VT_INT32, 3);
	vt_word(&m, 100 | 4u << 16 | (uint32_t)TN_VT_INT32 << 24);
	vt_end(&m, outer);
	vt_scalar(&m, 3, 1, TN_VT_INT32, 1);
	vt_scalar(&m, 4, 1, TN_VT_INT32, 1);
#define ONE "[0] message 1: { type = \"int32\", value = 1 }\n"
	expect(&m, ONE ONE ONE ONE ONE ONE ONE ONE
	       "[2] message 2: { type = \"subtrace\", value = [ [0] = { message = 3, type = \"int32\", value = 3 } ], "
	       "warning = \"what follows is cut by the end of the subtrace\" }\n"
	       "[3] message 1: { type = \"int32\", value = 1 }\n"
	       "[4] message 1: { type = \"int32\", value = 1 }\n");
	free(m.data);
}

/* Deep nesting: 300 levels are read without harm, 256 of them as what they are. */
Test(vartrace, deep_subtraces)
{
	struct vt_maker m = { 0 };
	size_t at[300], levels = 0;
	struct rows r;

	at[0] = vt_begin(&m, 1, 1);
	for (size_t i = 1; i < 300; i++)
		at[i] = vt_begin_nested(&m, 1);
	vt_nested_scalar(&m, 2, TN_VT_INT32, 5);
	for (size_t i = 300; i-- > 0;)
		vt_end(&m, at[i]);
	vt_scalar(&m, 2, 3, TN_VT_INT32, 6);
	vt_scalar(&m, 3, 3, TN_VT_INT32, 6);
	r = read_dump(&m, 0, m.n, 0);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_eq(r.n_events, 3);
	for (const char *p = tn_str_text(&r.text); (p = strstr(p, "\"subtrace\"")); p++)
		levels++;
	cr_assert_eq(levels, TN_VT_DEPTH + 1);
	cr_assert(strstr(tn_str_text(&r.text), "warning = \"subtraces deeper than 256 are shown as bytes\""));
	rows_release(&r);
	free(m.data);
}

/* 32 bits of time pass 2^32 forward; a step back is shown as one (2). */
Test(vartrace, time)
{
	EACH_ORDER(m) {
		static const uint32_t times[] = { 4294967290, 4294967295, 2, 5, 4294967294, 7, 7 };
		struct tn_str want = { 0 };

		for (size_t i = 0; i < TN_COUNT(times); i++) {
			vt_scalar(&m, times[i], 5, TN_VT_UINT32, (int64_t)i);
			tn_str_printf(&want, "[%llu] message 5: { type = \"uint32\", value = %zu }\n",
				      times[i] + (times[i] < 100 ? 1ULL << 32 : 0), i);
		}
		expect(&m, tn_str_text(&want));
		tn_str_release(&want);
	}
}

Test(vartrace, time_does_not_fall_below_zero)
{
	struct vt_maker m = { 0 };

	vt_scalar(&m, 5, 1, TN_VT_INT32, 1);
	vt_scalar(&m, 3, 1, TN_VT_INT32, 2);
	vt_scalar(&m, 4294967295, 1, TN_VT_INT32, 3);
	expect(&m, "[5] message 1: { type = \"int32\", value = 1 }\n"
	       "[3] message 1: { type = \"int32\", value = 2 }\n"
	       "[4294967295] message 1: { type = \"int32\", value = 3 }\n");
	free(m.data);
}

/* A dump that is cut at its end costs the last record (6.3): every length. */
Test(vartrace, cut_end)
{
	EACH_ORDER(m) {
		size_t whole[4] = { 0 };

		for (uint32_t i = 0; i < 3; i++) {
			vt_record(&m, i, i, TN_VT_CHAR, "qqqqqqqqqq", 10);
			whole[i + 1] = m.n;
		}
		for (size_t n = whole[2]; n <= m.n; n++) {
			struct rows r = read_dump(&m, 0, n, n & 1);
			bool all = n == whole[2] || n + 2 >= m.n;	/* two bytes are padding */

			cr_assert_eq(r.rc, TN_OK, "%zu: %s", n, r.err.text);
			cr_assert_eq(r.n_events, n + 2 >= m.n ? 3 : 2, "%zu bytes", n);
			cr_assert_eq(strstr(tn_str_text(&r.text), "damage") == NULL, all, "%zu bytes: %s", n, tn_str_text(&r.text));
			if (!all) {
				char want[64];

				snprintf(want, sizeof want, "[1] damage: packet 0 at byte 0: bytes 40 to %zu: ", n - 1);
				cr_assert(strstr(tn_str_text(&r.text), want), "%s", tn_str_text(&r.text));
			}
			rows_release(&r);
		}
	}
}

/* A dump that begins inside a record: in a subtrace, or in plain data (6.1, 6.2). */
Test(vartrace, lost_start)
{
	EACH_ORDER(m) {
		size_t sub, second, rest;
		uint8_t numbers[400];

		sub = vt_begin(&m, 100, 1);
		for (unsigned i = 0; i < 8; i++)
			vt_nested_scalar(&m, i, TN_VT_INT32, 1000 + i);
		vt_end(&m, sub);
		second = m.n;
		for (uint32_t i = 0; i < 4; i++) {
			sub = vt_begin(&m, 200 + i, 2);
			vt_nested_scalar(&m, 3, TN_VT_INT32, (int64_t)i);
			vt_end(&m, sub);
		}
#define FOUR "[200] message 2: { type = \"subtrace\", value = [ [0] = { message = 3, type = \"int32\", value = 0 } ] }\n" \
		"[201] message 2: { type = \"subtrace\", value = [ [0] = { message = 3, type = \"int32\", value = 1 } ] }\n" \
		"[202] message 2: { type = \"subtrace\", value = [ [0] = { message = 3, type = \"int32\", value = 2 } ] }\n" \
		"[203] message 2: { type = \"subtrace\", value = [ [0] = { message = 3, type = \"int32\", value = 3 } ] }\n"
		expect_part(&m, second, m.n, FOUR);
		expect_part(&m, second - 3 * 8, m.n, "[200] message ?: { type = \"subtrace\", value = [ "
			    "[0] = { message = 5, type = \"int32\", value = 1005 }, [1] = { message = 6, type = \"int32\", "
			    "value = 1006 }, [2] = { message = 7, type = \"int32\", value = 1007 } ], "
			    "warning = \"the start of this subtrace is not in the dump\" }\n" FOUR);
		m.n = 0;
		for (unsigned i = 0; i < sizeof numbers; i++)
			numbers[i] = i % 4 == (m.big_endian ? 3u : 0u) ? (uint8_t)(i / 4) : i % 4 == (m.big_endian ? 2u : 1u) ? 0x42 : 0;
		vt_record(&m, 100, 1, TN_VT_INT32, numbers, sizeof numbers);
		rest = m.n;
		for (uint32_t i = 0; i < 4; i++) {
			sub = vt_begin(&m, 200 + i, 2);
			vt_nested_scalar(&m, 3, TN_VT_INT32, (int64_t)i);
			vt_end(&m, sub);
		}
		expect_part(&m, rest - 100, m.n, "[200] damage: packet 0 at byte 0: bytes 0 to 99: rest of a record whose start "
			    "is not in the dump\n" FOUR);
	}
}

/* ---- rings that have wrapped ---- */

static uint32_t
next_random(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((*state >> 33) % below);
}

static void
put_random(struct vt_maker *m, uint64_t *state)
{
	static const uint8_t integers[] = { TN_VT_INT8, TN_VT_UINT8, TN_VT_INT16, TN_VT_UINT16, TN_VT_INT32, TN_VT_UINT32 };
	unsigned id = 1 + next_random(state, 20), type = integers[next_random(state, TN_COUNT(integers))];
	uint8_t data[64];

	for (size_t i = 0; i < sizeof data; i++)
		data[i] = next_random(state, 3) ? 0 : (uint8_t)next_random(state, 256);
	switch (next_random(state, 6)) {
	case 0:
		vt_nested(m, id, type, data, (size_t)next_random(state, 8) * tn_vt_element_size(type));
		break;
	case 1:
		vt_nested(m, id, TN_VT_CHAR, "some text of a program", 1 + next_random(state, 20));
		break;
	case 2:
		vt_nested(m, id, TN_VT_UNKNOWN, data, 1 + next_random(state, 40));
		break;
	case 3:
		vt_nested(m, id, TN_VT_DOUBLE, data, 8);
		break;
	default:
		vt_nested_scalar(m, id, type, next_random(state, 3) ? next_random(state, 100) : next_random(state, 1 << 30));
		break;
	}
}

struct places {
	size_t at[2000], n;
};

static void
put_subtrace(struct vt_maker *m, uint64_t *state, unsigned depth, struct places *ends)
{
	for (unsigned left = 1 + next_random(state, 5); left; left--) {
		if (depth < 3 && next_random(state, 5) == 0) {
			size_t inner = vt_begin_nested(m, 1 + next_random(state, 20));

			put_subtrace(m, state, depth + 1, ends);
			vt_end(m, inner);
		} else {
			put_random(m, state);
		}
		cr_assert_lt(ends->n, TN_COUNT(ends->at));
		ends->at[ends->n++] = m->n;
	}
}

/*
 * Rings of a counter, a slow and a fast clock, which start after any record of a subtrace: what is left of the
 * subtrace has no time, however much its first header and value look like a time and a header. No header of the
 * program (ids up to 20) is by accident a time of its clock.
 */
Test(vartrace, wrapped_rings)
{
	static const uint32_t origins[] = { 10, 200 << 16, UINT32_C(3000000000) }, steps[] = { 1, 1000, 1000000 };
	uint64_t state = 24;

	EACH_ORDER(m) {
		for (unsigned ring = 0; ring < 600; ring++) {
			uint32_t time = origins[ring % 3] + next_random(&state, 1000);
			size_t from, first = 0, top[60];
			struct places ends = { .n = 0 };
			struct tn_vt_start start;

			m.n = 0;
			for (size_t i = 0; i < TN_COUNT(top); i++) {
				size_t sub;

				top[i] = m.n;
				sub = vt_begin(&m, time, 1 + next_random(&state, 20));
				put_subtrace(&m, &state, 0, &ends);
				vt_end(&m, sub);
				time += 1 + next_random(&state, steps[ring % 3]);
			}
			from = ends.at[next_random(&state, (uint32_t)ends.n / 2)];
			while (top[first] < from)
				first++;
			start = tn_vt_find_start(m.data + from, m.n - from, -1);
			cr_assert(start.found && start.big_endian == m.big_endian, "ring %u", ring);
			cr_assert_eq(start.at, top[first] - from, "ring %u: %zu bytes have no time, not %zu", ring, top[first] - from,
				     (size_t)start.at);
			cr_assert_eq(start.n_nested > 0, top[first] > from, "ring %u", ring);
		}
	}
}

/* More data than 16 bits of size can say (6.4). */
Test(vartrace, oversize_records)
{
	EACH_ORDER(m) {
		static uint8_t data[200000];
		size_t sub;
		struct rows r;

		for (size_t i = 0; i < sizeof data; i++)
			data[i] = (uint8_t)(13 * i);
		vt_scalar(&m, 1, 1, TN_VT_INT32, 1);
		vt_record(&m, 2, 2, TN_VT_UINT8, data, 70000);
		vt_scalar(&m, 3, 3, TN_VT_INT32, 3);
		memset(data, 0, sizeof data);
		vt_record(&m, 4, 4, TN_VT_UINT64, data, sizeof data);
		vt_scalar(&m, 5, 5, TN_VT_INT32, 5);
		sub = vt_begin(&m, 6, 6);
		for (unsigned i = 0; i < 9000; i++)
			vt_nested_scalar(&m, 7, TN_VT_INT32, i);
		vt_end(&m, sub);
		vt_scalar(&m, 8, 8, TN_VT_INT32, 8);
		vt_scalar(&m, 9, 9, TN_VT_INT32, 9);
		r = read_dump(&m, 0, m.n, 0);
		cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
		cr_assert_eq(r.n_events, 8);
		for (size_t i = 0; i < 6; i++) {
			static const char *const want[] = {
				"[2] message 2: { type = \"uint8\", value = [ [0] = 0, [1] = 13,", "[69999] = 163 ], warning = \"more data",
				"[3] message 3: { type = \"int32\", value = 3 }", "[4] message 4: { type = \"uint64\"",
				"[24999] = 0 ], warning", "[8999] = { message = 7, type = \"int32\", value = 8999 } ]",
			};

			cr_assert(strstr(tn_str_text(&r.text), want[i]), "%s", want[i]);
		}
		rows_release(&r);
	}
}

/* Several entries, and as many rows a walk as one likes: always the same. */
Test(vartrace, large_dump)
{
	struct vt_maker m = { 0 };
	struct rows r, one;

	for (uint32_t i = 0; i < 60000; i++)
		vt_scalar(&m, i * 100000, i & 0xff, TN_VT_INT32, i);	/* passes 2^32 */
	r = read_dump(&m, 0, m.n, 0);
	one = read_dump(&m, 0, m.n, 1000);
	cr_assert_eq(r.rc, TN_OK, "%s", r.err.text);
	cr_assert_eq(r.n_events, 60000);
	cr_assert_gt(r.trace.stream[0]->index.n, 2);
	cr_assert(!r.keys_fall);
	cr_assert_str_eq(tn_str_text(&r.text), tn_str_text(&one.text));
	cr_assert(strstr(tn_str_text(&r.text), "[5999900000] message 95: { type = \"int32\", value = 59999 }\n"));
	rows_release(&r);
	rows_release(&one);
	free(m.data);
}

static enum tn_probe
probe(const char *file)
{
	enum tn_probe found = TN_PROBE_NO;
	struct tn_map map;

	if (tn_map_open(&map, file, NULL) == TN_OK) {
		found = tn_format_vartrace.probe_bytes(map.data, map.size);
		tn_map_release(&map);
	}
	return found;
}

/* No magic number: what is taken for a dump, and what is not (7). */
Test(vartrace, probe)
{
	static const char text[] = "# A readme\n\nThis is text, of which no part is a dump, however long it may go on.\n"
		"Words follow words, four letters each are a time, and two of the next four are a size.\n";
	struct vt_maker m = { 0 };
	uint8_t other[4096];
	uint64_t state = 3;

	cr_assert_eq(probe(path), TN_PROBE_MAYBE, "an empty dump");
	cr_assert_eq(probe("no-such-file"), TN_PROBE_NO);
	vt_scalar(&m, 1, 1, TN_VT_INT32, 1);
	store(&m, 0, m.n);
	cr_assert_eq(probe(path), TN_PROBE_NO, "one record says nothing");
	vt_scalar(&m, 2, 1, TN_VT_INT32, 1);
	store(&m, 0, m.n);
	cr_assert_eq(probe(path), TN_PROBE_MAYBE);
	m.n = 0;
	for (unsigned i = 0; i < 20; i++)
		for (const char *p = text; *p; p += 4)
			vt_word(&m, (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)(p[1] ? p[2] : 'x') << 16 | UINT32_C(0x20000000));
	store(&m, 0, m.n);
	cr_assert_eq(probe(path), TN_PROBE_NO, "text");
	for (unsigned round = 0; round < 20; round++) {
		m.n = 0;
		for (size_t i = 0; i < sizeof other / 4; i++) {
			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			vt_word(&m, (uint32_t)(state >> 32));
		}
		store(&m, 0, m.n);
		cr_assert_eq(probe(path), TN_PROBE_NO, "random bytes, round %u", round);
	}
	m.n = 0;
	for (size_t i = 0; i < 1000; i++)
		vt_word(&m, 0);
	store(&m, 0, m.n);
	cr_assert_eq(probe(path), TN_PROBE_NO, "zeros");
	free(m.data);
}

/*
 * Bytes before the first record of a dump: the start is searched for within the length of a record's rest, no
 * farther.
 */
Test(vartrace, start_is_not_looked_for_without_end, .timeout = 20)
{
	static const struct { size_t lost; bool found; } rows[] = {
		{ 400, true }, { 4096, true }, { 65540, true }, { 65548, false }, { 80000, false },
	};
	EACH_ORDER(m) {
		for (size_t i = 0; i < TN_COUNT(rows); i++) {
			struct tn_vt_start start;

			m.n = 0;
			while (m.n < rows[i].lost)	/* read as a header: half an element too much */
				vt_word(&m, (uint32_t)TN_VT_INT32 << 24 | UINT32_C(0xfffffd));
			for (uint32_t k = 0; k < 40; k++)
				vt_scalar(&m, 100 + k, 1, TN_VT_INT32, (int64_t)TN_VT_INT32 << 24 | 0xfffffd);
			start = tn_vt_find_start(m.data, m.n, -1);
			cr_assert_eq(start.found, rows[i].found, "%zu bytes are lost", rows[i].lost);
			cr_assert_eq(tn_vt_has_start(m.data, m.n), rows[i].found, "%zu bytes are lost", rows[i].lost);
			cr_assert_eq(start.at, rows[i].found ? rows[i].lost : 0, "%zu bytes are lost: %llu", rows[i].lost,
				     (unsigned long long)start.at);
			cr_assert_eq(start.found && start.big_endian, rows[i].found && m.big_endian);
		}
	}
}

/* Named by the user, a dump of one record is taken; what is none is refused with what to do. */
Test(vartrace, named_by_option)
{
	struct vt_maker m = { .big_endian = true };
	struct rows r;

	/* Two uint16 of a message 0 in either byte order: they do not say which. */
	vt_word(&m, 0);
	vt_word(&m, UINT32_C(0x04000004));
	vt_word(&m, 1);
	named = "vartrace";
	r = read_dump(&m, 0, m.n, 0);
	cr_assert_eq(r.rc, TN_ERR_FORMAT);
	cr_assert(strstr(r.err.text, "both byte orders: choose the format vartrace-le"), "%s", r.err.text);
	rows_release(&r);
	m.n = 0;
	vt_scalar(&m, 1, 1, TN_VT_INT32, 258);
	expect(&m, "[1] message 1: { type = \"int32\", value = 258 }\n");
	r = read_dump(&m, 0, 11, 0);
	cr_assert_eq(r.rc, TN_ERR_FORMAT);
	cr_assert(strstr(r.err.text, "follow each other in either byte order"), "%s", r.err.text);
	rows_release(&r);
	named = "vartrace-be";
	expect(&m, "[1] message 1: { type = \"int32\", value = 258 }\n");
	r = read_dump(&m, 0, 7, 0);
	cr_assert_eq(r.rc, TN_ERR_FORMAT);
	cr_assert(strstr(r.err.text, "no record of a vartrace dump"), "%s", r.err.text);
	rows_release(&r);
	named = "vartrace-le";
	r = read_dump(&m, 0, 0, 0);
	cr_assert_eq(r.rc, TN_OK);
	cr_assert_eq(r.n_events, 0);
	cr_assert(strstr(tn_str_text(&r.problems), "an empty file"));
	rows_release(&r);
	free(m.data);
}

/* No bytes do harm, and rows come to an end: damaged copies of a good dump. */
Test(vartrace, damaged_dumps)
{
	EACH_ORDER(m) {
		uint64_t state = 7;
		size_t sub;

		named = m.big_endian ? "vartrace-be" : "vartrace-le";
		for (uint32_t i = 0; i < 40; i++) {
			vt_scalar(&m, i, 1, TN_VT_INT16, -5);
			vt_record(&m, i, 2, TN_VT_CHAR, "some text", 9);
			sub = vt_begin(&m, i, 3);
			vt_nested_scalar(&m, 3, TN_VT_INT32, (int64_t)i);
			vt_end(&m, sub);
		}
		for (unsigned round = 0; round < 300; round++) {
			size_t at = (state >> 33) % m.n;
			uint8_t kept = m.data[at];
			struct rows r;

			state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
			m.data[at] = (uint8_t)(state >> 40);
			r = read_dump(&m, 0, m.n - round % 13, round % 3);
			cr_assert(!r.keys_fall);
			rows_release(&r);
			m.data[at] = kept;
		}
	}
}
