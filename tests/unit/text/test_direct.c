/*
 * The direct path against the general one: random types over random bits, in every set of options. The
 * format here is as small as it can be: one packet of a header-less stream class, values by the machine.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../plan/world.h"
#include "plan/plan.h"
#include "text/class_words.h"
#include "text/line.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

Test(direct, agrees_with_the_general_path)
{
	static const struct { unsigned names; enum tn_time_format time; enum tn_line_format format; } ways[] = {
		{ TN_NAMES_DEFAULT, TN_TIME_OF_DAY }, { TN_NAMES_ALL, TN_TIME_OF_DAY }, { 0, TN_TIME_SECONDS },
		{ TN_NAMES_PAYLOAD | TN_NAMES_SCOPE, TN_TIME_CYCLES }, { TN_NAMES_CONTEXT, TN_TIME_DATE },
		{ TN_NAMES_DEFAULT, TN_TIME_SECONDS, TN_LINE_JSON }, { TN_NAMES_DEFAULT, TN_TIME_DATE, TN_LINE_CSV },
		{ TN_NAMES_DEFAULT, TN_TIME_NS, TN_LINE_CSV }, { TN_NAMES_DEFAULT, TN_TIME_DATE, TN_LINE_CSV },
	};
	static uint8_t data[CONTENT + 64];
	size_t good = 0, bad = 0, coded = 0, scattered = 0, templated = 0, shapes[3] = { 0 };

	world_seed(88172645463325252u);
	for (unsigned round = 0; round < 2250; round++) {
		struct world w;
		struct tn_error err;
		struct tn_text *direct, *general;
		const struct tn_class_words *words;
		struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
		struct tn_line_state ds = { 0 }, gs = { 0 };
		struct tn_line_previous dp = { 0 }, gp = { 0 };
		struct tn_str d = { 0 }, g = { 0 };
		struct tn_batch batch = { 0 };
		/* So that the columns of the events come in the other one's order. */
		const struct tn_event_class *columns[] = { &w.other_class, &w.event_class };

		make_world(&w);
		cr_assert_leq(w.trace.n_slots, 256);
		cr_assert_eq(tn_plan_compile(&w.trace, &err), TN_OK, "%s", err.text);
		shapes[w.stream_class.plan->shape]++;
		make_bits(data, CONTENT);
		o.names = ways[round % ROWS(ways)].names;
		o.time = ways[round % ROWS(ways)].time;
		o.format = ways[round % ROWS(ways)].format;
		o.column_class = columns;
		o.n_column_classes = ROWS(columns);
		o.utc = true;
		cr_assert_eq(tn_text_new(&direct, &w.set, &o, NULL), TN_OK);
		setenv("TNAV_WAYS", "values", 1);
		cr_assert_eq(tn_text_new(&general, &w.set, &o, NULL), TN_OK);
		unsetenv("TNAV_WAYS");
		/*
		 * Labels that are the same for two fields make one column of them: a case for the general path, as names
		 * that both contexts have.
		 */
		cr_assert_not(direct->trace[0].of_class[0].made, "round %u: words of a class of which no event was met", round);
		words = tn_class_words(direct, &direct->trace[0], 0);
		cr_assert(words && words->made, "round %u", round);
		coded += words->code != NULL;
		templated += words->template != NULL;
		scattered += words->scattered;
		cr_assert(o.format == TN_LINE_CSV || words->shadowed || words->code, "round %u has no direct code", round);
		batch.stream = &w.stream;
		batch.data = data;
		batch.entry.content_bits = CONTENT * 8;
		for (unsigned i = 0; i < 20; i++) {
			struct tn_ref *ref = TN_ARRAY_ADD(&batch.refs);
			enum tn_code rd, rg;

			/* In some the content ends inside of them. */
			ref->bit = i % 5 == 4 ? (CONTENT - dice(80)) * 8 : 1024 * 8 + i * 64;
			/* An extended id now and then. */
			if (i % 7 == 3)
				memset(data + ref->bit / 8, 0xff, 2);
			ref->time_ns = i * INT64_C(123456789) + (i > 15) * INT64_C(5000000000);
			/* A few of them close together: only four digits of their stamps change. */
			if (i > 5 && i < 12)
				ref->time_ns = 5 * INT64_C(123456789) + i * (int64_t)(1 + round % 4000);
			rd = tn_line_append(direct, &ds, &batch, i, &dp, &d, NULL);
			rg = tn_line_append(general, &gs, &batch, i, &gp, &g, NULL);
			cr_assert_eq(rd, rg, "round %u, row %u: %d, not %d", round, i, rd, rg);
			good += rd == TN_OK;
			bad += rd != TN_OK;
			cr_assert_eq(d.n, g.n, "round %u, row %u:\n%s\n%s", round, i, d.text, g.text);
			cr_assert(!d.n || memcmp(d.text, g.text, d.n) == 0, "round %u, row %u:\n%s\n%s", round, i, d.text, g.text);
		}
		/* All of them at once, as far as they can be decoded: one line after the other. */
		for (size_t from = 0; from < batch.refs.n; from++) {
			struct tn_line_previous p = { 0 };

			/* The first line does not fit at all: nothing is added to a NULL. */
			tn_str_release(&d);
			tn_str_clear(&g);
			for (size_t i = from; i < batch.refs.n; i++)
				if (tn_line_append(general, &gs, &batch, i, &p, &g, NULL) != TN_OK)
					break;
			p = (struct tn_line_previous) { 0 };
			(void)!tn_line_append_rows(direct, &ds, &batch, &from, batch.refs.n, &p, &d, NULL);
			cr_assert(d.n == g.n && (!d.n || memcmp(d.text, g.text, d.n) == 0), "round %u, up to row %zu:\n%s\n%s",
				  round, from, d.text, g.text);
		}
		TN_ARRAY_RELEASE(&batch.refs);
		tn_line_state_release(&ds);
		tn_line_state_release(&gs);
		tn_str_release(&d);
		tn_str_release(&g);
		tn_text_free(direct);
		tn_text_free(general);
		tn_shared_arena_free(w.trace.late);
		tn_arena_release(&w.trace.arena);
	}
	/* Both happen often, else the test says little. */
	cr_assert_gt(good, 10000);
	cr_assert_gt(bad, 10);
	cr_assert_gt(coded, 1800, "%zu", coded);
	cr_assert_gt(templated, 100, "%zu", templated);
	cr_assert_gt(scattered, 20, "%zu", scattered);
	cr_assert_gt(shapes[TN_SHAPE_COMPACT], 100);
	cr_assert_gt(shapes[TN_SHAPE_LARGE], 100);
}
