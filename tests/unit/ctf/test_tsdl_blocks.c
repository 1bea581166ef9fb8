/* Blocks of CTF 1.8 metadata, reserved names, clocks (ctf1-tsdl.md, 6, 10, 11). */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tsdl_model.h"

/* 6.1 */
Test(tsdl_blocks, trace)
{
	static const struct tsdl_row rows[] = {
		{ "trace { major = 1; minor = 8; byte_order = le; };",
		  "ctf 1.8 le\n" },
		{ "trace { major = 1; minor = 8; byte_order = be; uuid = "
			 "'2A6422d0-6cee-11e0-8c08-cb07d7b3a564'; };",
		  "ctf 1.8 be uuid 2a..64\n" },
		{ "trace { major = 1; minor = 8; byte_order = network; };",
		  "ctf 1.8 be\n" },
		{ "trace { major = 1; minor = 9; byte_order = le; };",
		  "ctf 1.9 le\n",
		  "warning: metadata:1:28: `9`: CTF version is not 1.8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; colour = red; x := struct { }; };",
		  "ctf 1.8 le\n",
		  "warning: metadata:1:48: `colour`: unknown entry, ignored\n"
		  "warning: metadata:1:62: `x`: unknown entry, ignored\n" },
		{ "typealias integer { size = 16; } := a; event { fields := struct { a x; }; }; trace "
			 "{ major = 1; minor = 8; byte_order = be; };",
		  "ctf 1.8 be\n"
		  "stream 0\n"
		  "event 0 (no name)\n"
		  "  fields {x:u16b}/8\n" },
		{ "trace { typealias integer { size = 8; } := u8; major = 1; minor = 8; byte_order = "
			 "le; packet.header := struct { u8 x; }; };",
		  "ctf 1.8 le\n"
		  "trace {x:u8}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { } };",
		  "ctf 1.8 le\n"
		  "trace {}/1\n",
		  "wrong: metadata:1:76: `}`: `;` is missing before this (reported once)\n" },
	};

	TSDL_CHECK(rows);
}

/* 6.1, 13 */
Test(tsdl_blocks, wrong_trace)
{
	static const struct tsdl_row rows[] = {
		{ "struct a { };",
		  "metadata:1:14: end of the text: there is no trace block" },
		{ "",
		  "metadata:1:1: end of the text: the metadata declares nothing" },
		{ "/* nothing */ // here",
		  "metadata:1:22: end of the text: the metadata declares nothing" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "trace { major = 1; minor = 8; byte_order = le; };",
		  "metadata:2:1: `trace`: a second trace block" },
		{ "trace { minor = 8; byte_order = le; };",
		  "metadata:1:1: `trace`: the trace block has no `major`" },
		{ "trace { major = 1; byte_order = le; };",
		  "metadata:1:1: `trace`: the trace block has no `minor`" },
		{ "trace { major = 1; minor = 8; };",
		  "metadata:1:1: `trace`: the trace block has no `byte_order`" },
		{ "trace { major = 2; minor = 8; byte_order = le; };",
		  "metadata:1:17: `2`: CTF version is not 1.8" },
		{ "trace { major = '1'; minor = 8; byte_order = le; };",
		  "metadata:1:17: `\"1\"`: `major` must be an unsigned integer" },
		{ "trace { major = 1; minor = x; byte_order = le; };",
		  "metadata:1:28: `x`: `minor` must be an unsigned integer" },
		{ "trace { major = 1; minor = 8; byte_order = native; };",
		  "metadata:1:44: `native`: the byte order of a trace must be le, be or network" },
		{ "trace { major = 1; minor = 8; byte_order = 'le'; };",
		  "metadata:1:44: `\"le\"`: the byte order of a trace must be le, be or network" },
		{ "trace { major = 1; minor = 8; byte_order = le; major = 1; };",
		  "metadata:1:48: `major`: given twice" },
		{ "trace { major = 1; minor = 8; byte_order = le; uuid = '2a6422d0'; };",
		  "metadata:1:55: `\"2a6422d0\"`: not a UUID" },
		{ "trace { major = 1; minor = 8; byte_order = le; uuid = "
			 "'2a6422d0-6cee-11e0-8c08-cb07d7b3a56g'; };",
		  "metadata:1:55: `\"2a6422d0-6cee-11e0-8c08-cb07d7b3a56g\"`: not a UUID" },
		{ "trace { major = 1; minor = 8; byte_order = le; uuid = "
			 "'2a6422d06cee11e08c08cb07d7b3a564'; };",
		  "metadata:1:55: `\"2a6422d06cee11e08c08cb07d7b3a564\"`: not a UUID" },
		{ "trace { major = 1; minor = 8; byte_order = le; uuid = 5; };",
		  "metadata:1:55: `5`: not a UUID" },
		{ "trace { major = 1; minor = 8; byte_order = le; packet.header := integer { size = 8; "
			 "}; };",
		  "metadata:1:65: `integer`: a scope must be a structure" },
		{ "trace { major = 1; minor = 8; byte_order = le; packet.header = 5; };",
		  "metadata:1:48: `packet.header`: a type: write `:=`" },
		{ "trace { major = 1; minor = 8; byte_order = le; packet.header := nosuch; };",
		  "metadata:1:65: `nosuch`: no type `nosuch` is declared" },
		{ "trace { major := struct { }; minor = 8; byte_order = le; };",
		  "metadata:1:9: `major`: not a type: write `=`" },
		{ "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { }; "
			 "packet.header := struct { }; };",
		  "metadata:1:77: `packet.header`: given twice" },
		{ "trace major = 1; minor = 8; byte_order = le;",
		  "metadata:1:7: `major`: expected `{`" },
		{ "trace { major = 1; minor = 8; byte_order = le; }; }",
		  "metadata:1:51: `}`: expected a declaration" },
		{ "trace { major 1; };",
		  "metadata:1:15: `1`: expected `=` or `:=`" },
		{ "trace { = 1; };",
		  "metadata:1:9: `=`: expected a name or `}`" },
		{ "nonsense;",
		  "metadata:1:1: `nonsense`: the declaration declares nothing" },
		{ "typedef;",
		  "metadata:1:8: `;`: expected a type" },
	};

	TSDL_CHECK(rows);
}

/* Many names, each of them twice. */
Test(tsdl_blocks, environment_of_many_entries)
{
	struct tn_trace trace = { .format = "" };
	struct tn_str text = { 0 };
	struct tn_error err;

	tn_str_puts(&text, TRACE);
	for (int block = 0; block < 50; block++) {
		tn_str_puts(&text, "env { ");
		for (int i = 0; i < 100; i++)
			tn_str_printf(&text, "name_%d = %d; ", (100 * block + i) % 2500, 100 * block + i);
		tn_str_puts(&text, "};\n");
	}
	cr_assert(tn_tsdl_build(&trace, tn_str_text(&text), text.n, &err) == TN_OK, "%s", err.text);
	cr_expect_eq(trace.n_env, 2500);
	for (size_t i = 0; i < trace.n_env; i++) {
		char name[32];

		snprintf(name, sizeof name, "name_%zu", i);
		cr_assert_str_eq(trace.env[i].name, name);
		cr_assert(!trace.env[i].is_text && trace.env[i].number == 2500 + (int64_t)i, "entry %zu", i);
	}
	tn_trace_release(&trace);
	tn_str_release(&text);
}

/* 6.2 */
Test(tsdl_blocks, environment)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "env { a = 1; b = 'x y'; c = word; int = 2; _d = -9223372036854775808; e = "
			 "18446744073709551615; };\n"
			 "env { f = 0x10; };",
		  "ctf 1.8 le\n"
		  "env a = 1\n"
		  "env b = 'x y'\n"
		  "env c = 'word'\n"
		  "env int = 2\n"
		  "env _d = -9223372036854775808\n"
		  "env e = 18446744073709551615\n"
		  "env f = 16\n" },
		{ TRACE "env { a = 1; b = 2; a = 'three'; };",
		  "ctf 1.8 le\n"
		  "env a = 'three'\n"
		  "env b = 2\n",
		  "warning: metadata:2:21: `a`: given twice: the last one counts\n" },
		{ TRACE "env { a = 'line\\n\\x41\\101\\0tail'; };",
		  "ctf 1.8 le\n"
		  "env a = 'line\n"
		  "AA'\n" },
		{ TRACE "env { a := struct { }; };",
		  "metadata:2:9: `:=`: expected `=`" },
		{ TRACE "env { a = -9223372036854775809; };",
		  "metadata:2:11: `-9223372036854775809`: the integer has more than 64 bits" },
		{ TRACE "env { a = 1 };",
		  "ctf 1.8 le\n"
		  "env a = 1\n",
		  "wrong: metadata:2:13: `}`: `;` is missing before this (reported once)\n" },
		/* names of several words, and those that are keywords elsewhere */
		{ TRACE "env { a . b /* c */ . c = 1;; event -> name = x . y; struct = string; a.b.c = 2 };",
		  "ctf 1.8 le\n"
		  "env a.b.c = 2\n"
		  "env event.name = 'x . y'\n"
		  "env struct = 'string'\n",
		  "wrong: metadata:2:81: `}`: `;` is missing before this (reported once)\n"
		  "warning: metadata:2:71: `a.b.c`: given twice: the last one counts\n" },
		{ TRACE "env { };\nenv { a = 1; };\nenv { b = 2; a = 3; };",
		  "ctf 1.8 le\n"
		  "env a = 3\n"
		  "env b = 2\n",
		  "warning: metadata:4:14: `a`: given twice: the last one counts\n" },
		/* a block that is cut does not count, not even where it would give an entry again */
		{ TRACE "env { a = 1; };\nenv { b = 2; a = 3;",
		  "ctf 1.8 le\n"
		  "env a = 1\n",
		  "wrong: metadata:3:1: `env`: the text ends inside this declaration, which is ignored\n" },
		{ TRACE "env { a b = 1; };",
		  "metadata:2:9: `b`: expected `=`" },
		{ TRACE "env { 1 = 1; };",
		  "metadata:2:7: `1`: expected a name or `}`" },
		{ TRACE "env { a.1 = 1; };",
		  "metadata:2:9: `1`: expected a name" },
		{ TRACE "env { a = ; };",
		  "metadata:2:11: `;`: expected a value" },
	};

	TSDL_CHECK(rows);
}

/* 6.3, 10.3, 10.4: offsets normalised, the origin of LTTng's clock is known. */
Test(tsdl_blocks, clocks)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "clock { name = a; };",
		  "ctf 1.8 le\n"
		  "clock a 1000000000 Hz 0 s + 0\n" },
		{ TRACE "clock { name = 'b c'; uuid = '00112233-4455-6677-8899-aabbccddeeff'; description = "
			 "'text'; freq = 1000; precision = 7; offset_s = 100; offset = 2500; absolute = true; "
			 "};",
		  "ctf 1.8 le\n"
		  "clock b c 1000 Hz 102 s + 500 unix uuid 00..ff precision 7 (text)\n" },
		{ TRACE "clock { name = a; offset = -1; }; clock { name = b; offset_s = -5; offset = "
			 "-2000000001; }; clock { name = c; freq = 3; offset = 3; };",
		  "ctf 1.8 le\n"
		  "clock a 1000000000 Hz -1 s + 999999999\n"
		  "clock b 1000000000 Hz -8 s + 999999999\n"
		  "clock c 3 Hz 1 s + 0\n" },
		{ TRACE "clock { name = a; freq = 18446744073709551615; offset = -9223372036854775808; };",
		  "ctf 1.8 le\n"
		  "clock a 18446744073709551615 Hz -1 s + 9223372036854775807\n" },
		{ TRACE "env { tracer_name = 'lttng-ust'; }; clock { name = monotonic; offset = "
			 "1571238431155326237; }; clock { name = other; };",
		  "ctf 1.8 le\n"
		  "env tracer_name = 'lttng-ust'\n"
		  "clock monotonic 1000000000 Hz 1571238431 s + 155326237 unix\n"
		  "clock other 1000000000 Hz 0 s + 0\n" },
		{ TRACE "clock { name = monotonic; }; env { tracer_name = 'lttngx'; };",
		  "ctf 1.8 le\n"
		  "env tracer_name = 'lttngx'\n"
		  "clock monotonic 1000000000 Hz 0 s + 0 unix\n" },
		{ TRACE "env { tracer_name = 'barectf'; }; clock { name = monotonic; absolute = FALSE; };",
		  "ctf 1.8 le\n"
		  "env tracer_name = 'barectf'\n"
		  "clock monotonic 1000000000 Hz 0 s + 0\n" },
		{ TRACE "clock { name = a; colour = red; };",
		  "ctf 1.8 le\n"
		  "clock a 1000000000 Hz 0 s + 0\n",
		  "warning: metadata:2:19: `colour`: unknown entry, ignored\n" },
		{ TRACE "clock { freq = 1; };",
		  "metadata:2:1: `clock`: a clock needs a name" },
		{ TRACE "clock { name = ''; };",
		  "metadata:2:1: `clock`: a clock needs a name" },
		{ TRACE "clock { name = a; };\n"
			 "clock { name = a; };",
		  "metadata:3:16: `a`: the name of the clock is used twice" },
		{ TRACE "clock { name = a; freq = 0; };",
		  "metadata:2:26: `0`: a frequency must not be 0" },
		{ TRACE "clock { name = a; freq = -1; };",
		  "metadata:2:26: `-1`: `freq` must be an unsigned integer" },
		{ TRACE "clock { name = a; offset = 9223372036854775808; };",
		  "metadata:2:28: `9223372036854775808`: `offset` must be a signed integer of 64 bits" },
		{ TRACE "clock { name = a; offset_s = 'x'; };",
		  "metadata:2:30: `\"x\"`: `offset_s` must be a signed integer of 64 bits" },
		{ TRACE "clock { name = a; absolute = maybe; };",
		  "metadata:2:30: `maybe`: not a boolean: write true, false, 1 or 0" },
		{ TRACE "clock { name = a; name = b; };",
		  "metadata:2:19: `name`: given twice" },
		{ TRACE "clock { name = 5; };",
		  "metadata:2:16: `5`: `name` must be a string" },
		{ TRACE "clock { name = a; offset_s = 9223372036854775807; offset = 1000000000; };",
		  "metadata:2:1: `clock`: the offset of the clock is out of range" },
	};

	TSDL_CHECK(rows);
}

/* 6.4 */
Test(tsdl_blocks, streams)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "stream { };",
		  "ctf 1.8 le\n"
		  "stream 0\n" },
		{ TRACE "stream { id = 5; };",
		  "ctf 1.8 le\n"
		  "stream 5\n",
		  "warning: metadata:2:1: `stream`: the stream has an id, but the packet header has no "
		  "`stream_id`\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "stream_id; }; };\n"
			 "stream { id = 7; }; stream { }; stream { id = 18446744073709551615; };",
		  "ctf 1.8 le\n"
		  "trace {stream_id!stream:u8}/8\n"
		  "stream 7\n"
		  "stream 0\n"
		  "stream 18446744073709551615\n" },
		{ TRACE "event { name = e; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 e\n" },
		{ TRACE "stream { colour = red; };",
		  "ctf 1.8 le\n"
		  "stream 0\n",
		  "warning: metadata:2:10: `colour`: unknown entry, ignored\n" },
		{ TRACE "stream { };\n"
			 "stream { id = 1; };",
		  "metadata:3:1: `stream`: several streams, but the packet header has no `stream_id`" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "stream_id; }; };\n"
			 "stream { id = 1; };\n"
			 "stream { id = 1; };",
		  "metadata:4:1: `stream`: two streams have the id 1" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "stream_id; }; };\n"
			 "stream { };\n"
			 "stream { id = 0; };",
		  "metadata:4:1: `stream`: two streams have the id 0" },
		{ TRACE "stream { id = -1; };",
		  "metadata:2:15: `-1`: `id` must be an unsigned integer" },
		{ TRACE "stream { id = one; };",
		  "metadata:2:15: `one`: `id` must be an unsigned integer" },
		{ TRACE "stream { id = 0; id = 0; };",
		  "metadata:2:18: `id`: given twice" },
		{ TRACE "stream { event.header := string; };",
		  "metadata:2:26: `string`: a scope must be a structure" },
		{ TRACE "stream { packet.context := enum : integer { size = 8; } { A }; };",
		  "metadata:2:28: `enum : integer { size = 8; }`: a scope must be a structure" },
		{ TRACE "stream { typealias integer { size = 8; } := u8; event.header := struct { u8 id; }; "
			 "};\n"
			 "event { fields := struct { u8 x; }; };",
		  "metadata:3:28: `u8`: no type `u8` is declared" },
		{ TRACE "stream { };\n"
			 "stream { typedef integer { size = 8; } u8; };",
		  "metadata:3:1: `stream`: two streams have the id 0" },
	};

	TSDL_CHECK(rows);
}

/* 6.5: sorted by id, in any order in the text, before their stream too. */
Test(tsdl_blocks, events)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "event { name = 'b'; id = 2; };\n"
			 "stream { event.header := struct { u8 id; }; };\n"
			 "event { name = a; id = 1; loglevel = 6; model.emf.uri = 'http://x'; };\n"
			 "event { name = 'z'; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "header {id!id:u8}/8\n"
		  "event 0 z\n"
		  "event 1 a level 6 emf http://x\n"
		  "event 2 b\n" },
		{ TRACE "event { name = ''; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 (no name)\n" },
		{ TRACE "event { name = 'a.b:c d'; id = 3; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 3 a.b:c d\n" },
		{ TRACE "stream { id = 4; };\n"
			 "event { name = a; };",
		  "ctf 1.8 le\n"
		  "stream 4\n"
		  "event 0 a\n",
		  "warning: metadata:2:1: `stream`: the stream has an id, but the packet header has no "
		  "`stream_id`\n" },
		{ TRACE "stream { };\n"
			 "event { name = a; stream_id = 0; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 a\n" },
		{ TRACE "event { loglevel = 15; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 (no name)\n",
		  "warning: metadata:2:20: `15`: unknown log level, ignored\n" },
		{ TRACE "event { loglevel = 'INFO'; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 (no name)\n",
		  "warning: metadata:2:20: `\"INFO\"`: unknown log level, ignored\n" },
		{ TRACE "event { loglevel = -1; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 (no name)\n",
		  "warning: metadata:2:20: `-1`: unknown log level, ignored\n" },
		{ TRACE "event { colour = red; };",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 (no name)\n",
		  "warning: metadata:2:9: `colour`: unknown entry, ignored\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { u8 id; }; };\n"
			 "event { name = a; id = 1; };\n"
			 "event { name = b; id = 1; };",
		  "metadata:6:1: `event`: two events have the id 1 in stream 0" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { u8 x; }; };\n"
			 "event { name = a; id = 1; };\n"
			 "event { name = b; id = 2; };",
		  "metadata:6:1: `event`: several events, but the event header of stream 0 has no `id`" },
		{ TRACE "stream { };\n"
			 "event { stream_id = 1; };",
		  "metadata:3:21: `1`: there is no stream with this id" },
		{ TRACE "event { stream_id = 1; };",
		  "metadata:2:21: `1`: there is no stream with this id" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "stream_id; }; };\n"
			 "stream { id = 0; }; stream { id = 1; };\n"
			 "event { name = a; };",
		  "metadata:4:1: `event`: there are several streams, and the event has no `stream_id`" },
		{ TRACE "event { id = 'x'; };",
		  "metadata:2:14: `\"x\"`: `id` must be an unsigned integer" },
		{ TRACE "event { name = 5; };",
		  "metadata:2:16: `5`: `name` must be a string" },
		{ TRACE "event { name = a; name = b; };",
		  "metadata:2:19: `name`: given twice" },
		{ TRACE "event { fields := integer { size = 8; }; };",
		  "metadata:2:19: `integer`: a scope must be a structure" },
		{ TRACE "event { context := string; };",
		  "metadata:2:20: `string`: a scope must be a structure" },
		{ TRACE "event { fields = 5; };",
		  "metadata:2:9: `fields`: a type: write `:=`" },
		{ TRACE "event { name = 'x' 'y'; };",
		  "metadata:2:20: `\"y\"`: expected `;`" },
		{ TRACE "callsite { name = 'x'; func = 'f'; line = 3; ip = 0x40; }; callsite { name = 'y'; };",
		  "ctf 1.8 le\n",
		  "note: metadata:2:1: `callsite`: callsite blocks are ignored (reported once)\n" },
	};

	TSDL_CHECK(rows);
}

/* 11: direct members. */
Test(tsdl_blocks, packet_header)
{
	static const struct tsdl_row rows[] = {
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; "
			 "u8 uuid[16]; u8 stream_id; u32 stream_instance_id; u8 other; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {magic!magic:u32 uuid!uuid:[16]u8 stream_id!stream:u8 "
		  "stream_instance_id!instance:u32 other:u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 x; u32 "
			 "magic; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {x:u8 magic!magic:u32}/8\n",
		  "wrong: metadata:3:84: `magic`: the magic number must be the first member\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { struct { "
			 "u32 magic; u8 stream_id; } s; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {s:{magic:u32 stream_id:u8}/8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 magic; "
			 "}; };\n",
		  "metadata:3:77: `magic`: only an unsigned integer of 32 bits can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { "
			 "size = 32; signed = true; } magic; }; };\n",
		  "metadata:3:112: `magic`: only an unsigned integer of 32 bits can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { string "
			 "magic; }; };\n",
		  "metadata:3:81: `magic`: only an unsigned integer of 32 bits can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "uuid[15]; }; };\n",
		  "metadata:3:77: `uuid`: only an array of 16 unsigned bytes can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 uuid; "
			 "}; };\n",
		  "metadata:3:77: `uuid`: only an array of 16 unsigned bytes can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { "
			 "size = 8; align = 1; } uuid[16]; }; };\n",
		  "metadata:3:107: `uuid`: only an array of 16 unsigned bytes can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 n; u8 "
			 "uuid[n]; }; };\n",
		  "metadata:3:83: `uuid`: only an array of 16 unsigned bytes can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { string "
			 "stream_id; }; };\n",
		  "metadata:3:81: `stream_id`: only an unsigned integer of at most 64 bits can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { "
			 "size = 8; signed = true; } stream_id; }; };\n",
		  "metadata:3:111: `stream_id`: only an unsigned integer of at most 64 bits can have this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { "
			 "size = 65; } stream_instance_id; }; };\n",
		  "metadata:3:97: `stream_instance_id`: only an unsigned integer of at most 64 bits can have this "
		  "name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { enum : u8 "
			 "{ A } stream_id; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {stream_id!stream:u8<A=0>}/8\n" },
	};

	TSDL_CHECK(rows);
}

/* 11, text.md 3: what is bookkeeping is hidden, unless something refers to it. */
Test(tsdl_blocks, packet_context)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { u32 packet_size; u32 content_size; u32 "
			 "events_discarded; u32 packet_seq_num; u8 cpu_id; u8 other; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet {-packet_size!packet:u32 -content_size!content:u32 "
		  "-events_discarded!discarded:u32 -packet_seq_num!sequence:u32 cpu_id!cpu:u8 "
		  "other:u8}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { struct { u32 packet_size; } s; u8 x; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet {s:{packet_size:u32}/8 x:u8}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { u8 content_size; u8 a[content_size]; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet {content_size!content=0:u8 a:[@0]u8}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { string packet_size; }; };\n",
		  "metadata:4:44: `packet_size`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { integer { size = 32; signed = true; } "
			 "content_size; }; };\n",
		  "metadata:4:75: `content_size`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { integer { size = 128; } events_discarded; }; "
			 "};\n",
		  "metadata:4:61: `events_discarded`: only an unsigned integer of at most 64 bits can have this "
		  "name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { struct { } timestamp_begin; }; };\n",
		  "metadata:4:48: `timestamp_begin`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { string cpu_id; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet {cpu_id:str}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { u8 _packet_size; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet {_packet_size:u8}/8\n" },
	};

	TSDL_CHECK(rows);
}

/* 11: at any depth; the last one decoded wins. */
Test(tsdl_blocks, event_header)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { enum : integer { size = 5; align = 1; } { compact "
			 "= 0 ... 30, extended = 31 } id; variant <id> { struct { integer { size = 27; align "
			 "= 1; } timestamp; } compact; struct { u32 id; integer { size = 64; } timestamp; } "
			 "extended; } v; }; };\n",
		  "ctf 1.8 le\n"
		  "clock default 1000000000 Hz 0 s + 0\n"
		  "stream 0 by default\n"
		  "header {id!id=0:u5<compact=0..30 extended=31> "
		  "v:?@0{compact(0..30):{-timestamp!clock:u27}/1 extended(31):{id!id:u32 "
		  "-timestamp!clock:u64}/8}}/1\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { string id; }; };\n",
		  "metadata:4:42: `id`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { integer { size = 8; signed = true; } id; }; };\n",
		  "metadata:4:72: `id`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { struct { string id; } s; }; };\n",
		  "metadata:4:10: `event.header`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { integer { size = 65; } id; }; };\n",
		  "metadata:4:58: `id`: only an unsigned integer of at most 64 bits can have this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { u8 _id; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "header {_id:u8}/8\n" },
	};

	TSDL_CHECK(rows);
}

/* 10.1, 10.2 */
Test(tsdl_blocks, mapped_clocks)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { integer { size = 64; map = clock.c.value; } "
			 "timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u64}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { u32 timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "clock default 1000000000 Hz 0 s + 0\n"
		  "stream 0 by default\n"
		  "header -{-timestamp!clock:u32}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { u32 timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u32}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; }; clock { name = d; };\n"
			 "stream { event.header := struct { u32 timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "clock d 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u32}/8\n",
		  "warning: metadata:5:10: `event.header`: the times name no clock, and there are 2 "
		  "clocks: `c` is used\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; }; clock { name = d; };\n"
			 "stream { event.header := struct { integer { size = 32; map = clock.d.value; } "
			 "timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "clock d 1000000000 Hz 0 s + 0\n"
		  "stream 0 by d\n"
		  "header -{-timestamp!clock:u32}/8\n" },
		{ TRACE "typealias integer { size = 32; } := u32;\n"
			 "stream { packet.context := struct { u32 timestamp_begin; u32 timestamp_end; u32 x; "
			 "}; };",
		  "ctf 1.8 le\n"
		  "clock default 1000000000 Hz 0 s + 0\n"
		  "stream 0 by default\n"
		  "packet {-timestamp_begin!clock!begin:u32 -timestamp_end!end:u32 x:u32}/8\n" },
		{ TRACE "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; }; stream { packet.context := struct { u32 timestamp_begin; "
			 "integer { size = 64; map = clock.c.value; } timestamp_end; }; event.header := "
			 "struct { u32 timestamp; }; };\n"
			 "event { fields := struct { integer { size = 8; map = clock.c.value; } t; u32 "
			 "timestamp; integer { size = 8; map = clock.c.value; } n; u32 a[n]; }; };",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "packet -{-timestamp_begin!clock!begin:u32 -timestamp_end!end:u64}/8\n"
		  "header -{-timestamp!clock:u32}/8\n"
		  "event 0 (no name)\n"
		  "  fields {-t!clock:u8 timestamp:u32 n!clock=0:u8 a:[@0]u32}/8\n" },
		{ TRACE "clock { name = c; }; clock { name = d; };\n"
			 "stream { packet.context := struct { integer { size = 32; map = clock.d.value; } "
			 "timestamp_begin; }; event.header := struct { integer { size = 32; map = "
			 "clock.c.value; } timestamp; }; };",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "clock d 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "packet {timestamp_begin:u32}/8\n"
		  "header -{-timestamp!clock:u32}/8\n",
		  "warning: metadata:3:64: `clock.d.value`: the clock of this stream is `c`: this field is read as a "
		  "plain integer\n" },
		{ TRACE "clock { name = c; };\n"
			 "stream { event.header := struct { integer { size = 32; signed = true; map = "
			 "clock.c.value; } t; }; };",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-t:s32}/8\n",
		  "warning: metadata:3:77: `clock.c.value`: the map is ignored: the integer is signed\n" },
		{ "clock { name = c; };\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { "
			 "size = 32; map = clock.c.value; } t; }; };\n"
			 "stream { };",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "trace {t:u32}/8\n"
		  "stream 0\n",
		  "warning: metadata:2:101: `clock.c.value`: the map of this integer is ignored: it is in a packet header\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { integer { size = 32; map = clock.nosuch.value; } "
			 "timestamp; }; };\n",
		  "metadata:4:62: `clock.nosuch.value`: there is no clock of this name" },
		{ TRACE "typealias integer { size = 32; map = clock.nosuch.value; } := unused;",
		  "metadata:2:38: `clock.nosuch.value`: there is no clock of this name" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { integer { size = 32; map = c.value; } timestamp; "
			 "}; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u32}/8\n",
		  "warning: metadata:5:62: `c.value`: ignored: a map is `clock.NAME.value`\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { integer { size = 32; map = clock.c; } t; }; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0\n"
		  "header {t:u32}/8\n",
		  "warning: metadata:5:62: `clock.c`: ignored: a map is `clock.NAME.value`\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { integer { size = 32; map = 'clock.c.value'; } t; "
			 "}; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0\n"
		  "header {t:u32}/8\n",
		  "warning: metadata:5:62: `\"clock.c.value\"`: ignored: a map is `clock.NAME.value`\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { integer { size = 32; map = clock.c.value; } "
			 "timestamp; }; };\n"
			 "clock { name = c; };\n",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u32}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { integer { size = 32; signed = true; } timestamp; "
			 "}; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "header {timestamp:s32}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "typealias integer { size = 32; } := u32;\n"
			 "stream { event.header := struct { string timestamp; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "header {timestamp:str}/8\n" },
		{ TRACE "typealias integer { size = 8; } := u8;\n"
			 "clock { name = c; };\n"
			 "stream { event.header := struct { u8 timestamp; }; };\n"
			 "event { fields := struct { struct { integer { size = 8; map = clock.c.value; } t; } "
			 "s; integer { size = 8; map = clock.c.value; } a[2]; enum : u8 { A, B } k; variant "
			 "<k> { integer { size = 8; map = clock.c.value; } A; u8 B; } v; variant <k> { "
			 "integer { size = 8; map = clock.c.value; } A; } w; }; };",
		  "ctf 1.8 le\n"
		  "clock c 1000000000 Hz 0 s + 0\n"
		  "stream 0 by c\n"
		  "header -{-timestamp!clock:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {-s:{-t!clock:u8}/8 -a:[2]u8 k=0:u8<A=0 B=1> v:?@0{A(0)!clock:u8 B(1):u8} "
		  "-w:?@0{-A(0)!clock:u8}}/8\n",
		  "note: metadata:5:239: `k`: no option has the name of the label `B`\n" },
	};

	TSDL_CHECK(rows);
}

/* 1: a trace that is being recorded: what ends in the middle is left out, when the trace block is there. */
Test(tsdl_blocks, unfinished_text)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "event { name = a; };\n"
			 "event { name = b; fields := struct { integer { si",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 a\n",
		  "wrong: metadata:3:1: `event`: the text ends inside this declaration, which is "
		  "ignored\n" },
		{ TRACE "event { name = a; }",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "event 0 a\n",
		  "wrong: metadata:2:20: end of the text: `;` is missing before this (reported once)\n" },
		{ TRACE "typealias integer { size = 8; } := u",
		  "ctf 1.8 le\n",
		  "wrong: metadata:2:1: `typealias`: the text ends inside this declaration, which is "
		  "ignored\n" },
		{ TRACE "event { name = a; }; /* half a comm",
		  "metadata:2:22: `/*`: the comment has no end" },
		{ TRACE "event { name = a; }; event { name = 'half a na",
		  "metadata:2:37: `\"half a na`: the string has no end" },
		{ TRACE "event { name = a; }; event { name = 'half\\",
		  "metadata:2:37: `\"half`: the string has no end" },
		{ "trace { major = 1; minor = 8; byte_order = le; ",
		  "metadata:1:48: end of the text: expected a name or `}`" },
	};

	TSDL_CHECK(rows);
}
