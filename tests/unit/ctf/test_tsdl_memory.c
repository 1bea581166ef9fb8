/* Memory shared by the tree of CTF 1.8 metadata and its model, and freed while the model is made. */
#include <criterion/criterion.h>
#include <string.h>

#include "in_use.h"
#include "tsdl_model.h"

#define EVENTS 240

/* A name of a number or string is one type in all events, but not where it gets a role, a clock or another name. */
Test(tsdl_memory, numbers_and_strings_are_shared)
{
	struct tsdl_model m;
	const struct tn_type *of[2], *header, *context;
	const struct tn_field *f;

	tsdl_model_build(&m, TRACE "clock { name = c; freq = 1000; };\n"
		"typealias integer { size = 8; } := u8;\n"
		"typealias integer { size = 8; map = clock.c.value; } := time;\n"
		"typedef u8 byte;\n"
		"typealias enum : u8 { A, B } := label;\n"
		"stream { event.header := struct { u8 id; time timestamp; }; event.context := struct { u8 n; }; };\n"
		"event { id = 1; fields := struct { byte c; u8 a; u8 b; label d; label e; time f; time g; u8 h[2]; }; };\n"
		"event { id = 2; context := struct { label d; }; fields := struct { u8 a; byte c; string s; string t; }; };\n");
	cr_assert_eq(m.code, TN_OK, "%s", m.error.text);
	cr_expect_str_eq(tsdl_show(&m, m.trace.event_class[0]->payload),
			 "{c:u8 a:u8 b:u8 d:u8<A=0 B=1> e:u8<A=0 B=1> -f!clock:u8 -g!clock:u8 h:[2]u8}/8");
	f = m.trace.event_class[0]->payload->type->field;
	of[0] = f[1].type;
	cr_expect(f[2].type == of[0] && f[7].type->field[0].type == of[0]);
	cr_expect_str_eq(of[0]->alias, "u8");
	cr_expect(f[0].type != of[0]);
	cr_expect_str_eq(f[0].type->alias, "byte");
	cr_expect(f[3].type == f[4].type);
	cr_expect(f[5].type != f[6].type, "what a clock counts");
	of[1] = f[0].type;
	f = m.trace.event_class[1]->payload->type->field;
	cr_expect(f[0].type == of[0] && f[1].type == of[1]);
	cr_expect(m.trace.event_class[1]->specific_context->type->field[0].type ==
		  m.trace.event_class[0]->payload->type->field[3].type);
	header = m.trace.stream_class[0]->event_header->type->field[0].type;
	context = m.trace.stream_class[0]->common_context->type->field[0].type;
	cr_expect(header->roles == TN_ROLE_EVENT_CLASS_ID && header != of[0] && of[0]->roles == 0);
	cr_expect(context != of[0]);
	tsdl_model_release(&m);
}

#define HEADER "struct { integer { size = 16; } id; }"

/* Events of two streams, in turns, each with declarations of its own: all are what they say. */
Test(tsdl_memory, events_keep_what_they_declare)
{
	struct tsdl_model m;
	struct tn_str text = { 0 }, want = { 0 };

	tn_str_puts(&text, "trace { major = 1; minor = 8; byte_order = le;\n"
		"packet.header := struct { integer { size = 8; } stream_id; }; };\n"
		"stream { id = 0; event.header := " HEADER "; };\nstream { id = 1; event.header := " HEADER "; };\n");
	for (unsigned i = 0; i < EVENTS; i++)
		tn_str_printf(&text, "event { id = %u; name = 'e%u'; stream_id = %u; typealias integer { size = %u; } := own;\n"
			      "struct inner { own a; };\n"
			      "fields := struct { own n; struct inner s; enum : own { L%u } l; own q[n]; }; };\n",
			      i, i, i % 2, i % 60 + 1, i);
	cr_assert(!text.failed);
	tsdl_model_build(&m, text.text);
	cr_assert_eq(m.code, TN_OK, "%s", m.error.text);
	cr_assert_eq(m.trace.n_event_classes, EVENTS);
	for (size_t i = 0; i < EVENTS; i++) {
		const struct tn_event_class *ec = m.trace.event_class[i];
		unsigned id = (unsigned)ec->id, bits = id % 60 + 1;

		cr_assert_eq(id, i < EVENTS / 2 ? 2 * i : 2 * (i - EVENTS / 2) + 1);
		want.n = 0;
		tn_str_printf(&want, "{n=0:u%u s:{a:u%u}/%d l:u%u<L%u=0> q:[@0]u%u}/%d", bits, bits, bits % 8 ? 1 : 8, bits, id,
			      bits, bits % 8 ? 1 : 8);
		cr_expect_str_eq(tsdl_show(&m, ec->payload), want.text, "event %u", id);
	}
	tsdl_model_release(&m);
	tn_str_release(&text);
	tn_str_release(&want);
}

static size_t first, last;

static void
look(void *user, const struct tn_problem *problem)
{
	(void)user;
	if (!strstr(problem->text, "log level"))
		return;
	last = in_use();
	first = first ? first : last;
}

/* Trees of events are freed as their classes are made: each is reported then, by its log level. */
Test(tsdl_memory, trees_of_events_are_given_back)
{
	struct tn_trace trace = { .problems = { look, NULL } };
	struct tn_str text = { 0 };
	struct tn_error err;

	tn_str_puts(&text, TRACE "stream { event.header := " HEADER "; };\n");
	for (unsigned i = 0; i < EVENTS; i++) {
		tn_str_printf(&text, "event { id = %u; loglevel = 99; fields := struct { string s;\n", i);
		for (unsigned k = 0; k < 30; k++)
			tn_str_printf(&text, "typealias integer { size = 8; align = 8; base = 10; } := t%u;\n", k);
		tn_str_puts(&text, "}; };\n");
	}
	cr_assert(!text.failed);
	cr_assert_eq(tn_tsdl_build(&trace, text.text, text.n, &err), TN_OK, "%s", err.text);
	cr_expect(!first || last + 2000 * EVENTS < first, "%zu bytes at the first event, %zu at the last", first, last);
	tn_trace_release(&trace);
	tn_str_release(&text);
}
