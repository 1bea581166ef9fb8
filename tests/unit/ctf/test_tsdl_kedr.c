/* Metadata in the KEDR dialect (kedr.md). */
#include <criterion/criterion.h>

#include "tsdl_model.h"

/* kedr.md 1: a scope that is not a structure or an event without name and id, and no words that the dialect lacks. */
Test(tsdl_kedr, recognised)
{
	static const struct tsdl_row rows[] = {
		{ "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; };\n"
			 "event { fields := u8; };",
		  "kedr 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { u8 x; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {x:u8}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { name = e; fields := struct { u8 x; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 e\n"
		  "  fields {x:u8}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { id = 0; fields := struct { u8 x; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {x:u8}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { name = e; fields := u8; };\n",
		  "metadata:5:29: `u8`: a scope must be a structure" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { string x; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {x:str}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "typealias u8 := x;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { u8 x; }; };\n",
		  "ctf 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {x:u8}/8\n" },
		{ "trace { major = 1; minor = 8; byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "env { a = 1; };\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { u8 x; }; };\n",
		  "ctf 1.8 le\n"
		  "env a = 1\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {x:u8}/8\n" },
		{ "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := u8; };",
		  "kedr 1.8 le\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header:u8}/8\n"
		  "event 0 event\n" },
	};

	TSDL_CHECK(rows);
}

/* 4, 8: a class for each range of each label; the options that the label selects. */
Test(tsdl_kedr, kinds_of_events)
{
	static const struct tsdl_row rows[] = {
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b = 5 ... 7, c = 9 }; };\n"
			 "event { fields := variant <stream.event.header> { u8 a; struct { u8 x; } b; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id:u8<a=0 b=5..7 c=9>}/8\n"
		  "event 0 a\n"
		  "  fields {fields:u8}/8\n"
		  "event 5..7 b\n"
		  "  fields {x:u8}/8\n"
		  "event 9 c\n"
		  "other event 0 (no name)\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := struct { u8 "
			 "x; enum : u8 { p, q } k; }; };\n"
			 "event { context := variant <stream.event.header.k> { struct { u8 n; } p; }; fields "
			 ":= variant <stream.event.header.k> { u8 p[event.context.p.n]; u8 "
			 "q[event.context.p.n]; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {x:u8 k!id:u8<p=0 q=1>}/8\n"
		  "event 0 p\n"
		  "  context {n=0:u8}/8\n"
		  "  fields {fields:[@0]u8}/8\n"
		  "event 1 q\n"
		  "  fields {fields:[0]u8}/8\n"
		  "other event 0 (no name)\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := struct { "
			 "enum : u8 { p } k; enum : u8 { q } l; }; };\n"
			 "event { fields := variant <stream->event->header->l> { u8 q; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {k:u8<p=0> l!id:u8<q=0>}/8\n"
		  "event 0 q\n"
		  "  fields {fields:u8}/8\n"
		  "other event 0 (no name)\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := struct { "
			 "enum : u8 { p } k; enum : u8 { q } l; }; };\n"
			 "event { fields := u8; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {k:u8<p=0> l:u8<q=0>}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := struct { "
			 "enum : u8 { p } k; u8 l; }; };\n"
			 "event { fields := struct { u8 x; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {k!id:u8<p=0> l:u8}/8\n"
		  "event 0 p\n"
		  "  fields {x:u8}/8\n"
		  "other event 0 (no name)\n"
		  "  fields {x:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := u8; };\n"
			 "event { fields := u8; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header:u8}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a = 1, b = 0 ... 3 }; };\n"
			 "event { fields := u8; };\n",
		  "metadata:4:56: `event.header`: labels `b` and `a` share a value",
		  "note: metadata:4:84: `a`: shares values with the label `b`\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b = 5 ... 7, c = 9 }; };\n"
			 "event { fields := struct { variant <stream.event.header> { u8 a; } v; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id=0:u8<a=0 b=5..7 c=9>}/8\n"
		  "event 0 a\n"
		  "  fields {v:?@0{a(0):u8}}/1\n"
		  "event 5..7 b\n"
		  "  fields {v:?@0{a(0):u8}}/1\n"
		  "event 9 c\n"
		  "  fields {v:?@0{a(0):u8}}/1\n"
		  "other event 0 (no name)\n"
		  "  fields {v:?@0{a(0):u8}}/1\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b, a = 7 }; };\n"
			 "event { fields := variant <stream.event.header> { struct { } a; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id:u8<a=0,7 b=1>}/8\n"
		  "event 0 a\n"
		  "event 1 b\n"
		  "event 7 a\n"
		  "other event 0 (no name)\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b = 5 ... 7, c = 9 }; };\n"
			 "event { event.fields := u8[4]; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id:u8<a=0 b=5..7 c=9>}/8\n"
		  "event 0 a\n"
		  "  fields {fields:[4]u8}/8\n"
		  "event 5..7 b\n"
		  "  fields {fields:[4]u8}/8\n"
		  "event 9 c\n"
		  "  fields {fields:[4]u8}/8\n"
		  "other event 0 (no name)\n"
		  "  fields {fields:[4]u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b = 5 ... 7, c = 9 }; };\n"
			 "event { typedef variant <stream.event.header> { u8 a; } v; fields := v; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id:u8<a=0 b=5..7 c=9>}/8\n"
		  "event 0 a\n"
		  "  fields {fields:u8}/8\n"
		  "event 5..7 b\n"
		  "event 9 c\n"
		  "other event 0 (no name)\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "variant w { u8 a; };\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := enum : u8 { "
			 "a, b = 5 ... 7, c = 9 }; };\n"
			 "event { fields := variant w <stream.event.header>; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {header!id:u8<a=0 b=5..7 c=9>}/8\n"
		  "event 0 a\n"
		  "  fields {fields:u8}/8\n"
		  "event 5..7 b\n"
		  "event 9 c\n"
		  "other event 0 (no name)\n" },
	};

	TSDL_CHECK(rows);
}

/* 4: bases mean nothing, 8-bit alignment from 8 bits on, the last suffix is the outermost, signed lengths. */
Test(tsdl_kedr, values)
{
	static const struct tsdl_row rows[] = {
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { integer { size = 12; signed = false; base = 16; } x; "
			 "integer { size = 7; } y; u8 a[2][3], b[4][5][6]; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {x:u12/8 y:u7 a:[3][2]u8 b:[6][5][4]u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { integer { size = 8; is_signed = true; } n; u8 a[n]; }; "
			 "};\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {n=0:s8 a:[@0 signed]u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { enum : u8 { } e; enum : u8 { A } k; variant <k> { enum : "
			 "u8 { X } A; } v; variant <v.A> { u8 X; } w; variant <k> { } x; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {e:u8 k=0:u8<A=0> v:?^1@0{A(0)=1:u8<X=0>} w:?@1{X(0):u8} x:?@0{}}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := struct { typedef u8 t[n]; }; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n" },
		{ "stream { packet.context := struct { integer { size = 8; } packet_size; }; };\n"
			 "event { fields := integer { size = 16; }; };",
		  "metadata:2:19: `integer`: neither this integer nor the trace has a byte order" },
		{ "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 n; }; };\n"
			 "event { fields := u8; };",
		  "metadata:3:10: `packet.context`: the packet context has no integer `packet_size`" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { nosuch := u8; };\n",
		  "metadata:5:9: `nosuch`: there is no variable of this name" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := u8; event.fields := u8; };\n",
		  "metadata:5:23: `event.fields`: given twice" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := u8; "
			 "event.header := u8; };\n"
			 "event {  };\n",
		  "metadata:4:76: `event.header`: given twice" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := variant <nosuch> { u8 a; }; };\n",
		  "metadata:5:28: `nosuch`: no earlier field has this name" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; };  };\n"
			 "event { fields := variant <stream.event.header> { u8 a; }; };\n",
		  "metadata:5:28: `stream.event.header`: the trace has no such scope" },
	};

	TSDL_CHECK(rows);
}

/* 6, 8 */
Test(tsdl_kedr, parameters_and_time)
{
	static const struct tsdl_row rows[] = {
		{ "trace { byte_order = be; hex = 0x1234; oct = 01234; neg = -1; uuid = "
			 "'00112233445566778899aabbccddeeff'; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; e = 1; f = 'two'; };\n"
			 "event { g = three; fields := u8; };\n",
		  "kedr 1.8 be uuid 00..ff\n"
		  "env trace.byte_order = 'be'\n"
		  "env trace.hex = '0x1234'\n"
		  "env trace.oct = '01234'\n"
		  "env trace.neg = '-1'\n"
		  "env trace.uuid = '00112233445566778899aabbccddeeff'\n"
		  "env stream.e = '1'\n"
		  "env stream.f = 'two'\n"
		  "env event.g = 'three'\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8b}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8b}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.context := struct { "
			 "integer { size = 64; } timestamp; u8 counter; }; };\n"
			 "event { fields := u8; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "clock default 1000000000 Hz 0 s + 0\n"
		  "stream 0 by default late\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "common {timestamp!clock:u64 counter:u8}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; event.header := struct { "
			 "integer { size = 64; } timestamp; }; };\n"
			 "event { fields := u8; };\n",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "clock default 1000000000 Hz 0 s + 0\n"
		  "stream 0 by default\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "header {timestamp!clock:u64}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size, content_size, timestamp_begin, "
			 "timestamp_end, lost_events_total, stream_packet_count, cpu_id; }; };\n"
			 "event { fields := u8; };",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "stream 0\n"
		  "packet {-packet_size!packet:u8 -content_size!content:u8 -timestamp_begin:u8 "
		  "-timestamp_end:u8 lost_events_total!discarded:u8 stream_packet_count!sequence:u8 "
		  "cpu_id:u8}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; packet.header := struct { integer { size = 32; } magic; "
			 "integer { size = 8; } uuid[16]; integer { size = 8; } stream_id; }; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; };\n"
			 "event { fields := u8; };",
		  "kedr 1.8 le\n"
		  "env trace.byte_order = 'le'\n"
		  "trace {magic!magic:u32 uuid!uuid:[16]u8 stream_id:u8}/8\n"
		  "stream 0\n"
		  "packet -{-packet_size!packet:u8}/8\n"
		  "event 0 event\n"
		  "  fields {fields:u8}/8\n" },
		{ "trace { byte_order = le; };\n"
			 "typedef integer { size = 8; signed = false; } u8;\n"
			 "typedef integer { size = 16; signed = true; byte_order = be; } s16;\n"
			 "stream { packet.context := struct { u8 packet_size; }; a = 1; a = 2; };\n"
			 "event { fields := u8; };\n",
		  "metadata:4:63: `a`: given twice" },
	};

	TSDL_CHECK(rows);
}
