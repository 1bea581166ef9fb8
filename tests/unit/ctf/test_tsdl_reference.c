/* Lengths and tags of CTF 1.8 metadata (ctf1-tsdl.md, 8, 9). */
#include <criterion/criterion.h>

#include "tsdl_model.h"

/* 8.3: the nearest structure outwards that has the name before the place; names as written. */
Test(tsdl_reference, relative)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8 n; u8 a[n]; struct { u8 b[n]; struct { u8 c[n]; } t; } s;"),
		  "{n=0:u8 a:[@0]u8 s:{b:[@0]u8 t:{c:[@0]u8}/8}/8}/8" },
		{ FIELDS("u8 n; struct { u8 n; u8 a[n]; } s; u8 b[n]; u8 c[s.n];"),
		  "{n=1:u8 s:{n=0:u8 a:[@0]u8}/8 b:[@1]u8 c:[@0]u8}/8" },
		{ FIELDS("u8 n; struct { u8 a[n]; u8 n; } s;"),
		  "{n=0:u8 s:{a:[@0]u8 n:u8}/8}/8" },
		{ FIELDS("struct { struct { u8 n; } y; } x; u8 a[x.y.n];"),
		  "{x:{y:{n=0:u8}/8}/8 a:[@0]u8}/8" },
		{ FIELDS("u8 _n; u8 a[_n];"),
		  "{_n=0:u8 a:[@0]u8}/8" },
		{ FIELDS("u8 _n; u8 a[n];"),
		  "metadata:4:13: `n`: no earlier field has this name" },
		{ FIELDS("u8 a[n]; u8 n;"),
		  "metadata:4:6: `n`: no earlier field has this name" },
		{ FIELDS("u8 a[a];"),
		  "metadata:4:6: `a`: no earlier field has this name" },
		{ FIELDS("u8 n; struct { u8 n; u8 b[n]; } s[n];"),
		  "{n=1:u8 s:[@1]{n=0:u8 b:[@0]u8}/8}/8" },
		{ FIELDS("u8 m, n, a[m][n];"),
		  "{m=1:u8 n=0:u8 a:[@1][@0]u8}/8" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; string B; } v; "),
		  "{k=0:u8<A=0 B=1> v:?@0{A(0):u8 B(1):str}}/8" },
		{ FIELDS("enum : u8 { A, B } k; struct { variant <k> { u8 A; string B; } v; } s; struct { "
			 "variant <k> { u8 B; } v; } t;"),
		  "{k=0:u8<A=0 B=1> s:{v:?@0{A(0):u8 B(1):str}}/1 t:{v:?@0{B(1):u8}}/1}/8",
		  "note: metadata:4:90: `k`: no option has the name of the label `A`\n" },
		{ FIELDS("struct { enum : u8 { A, B } k; } s; variant <s.k> { u8 A; string B; } v;"),
		  "{s:{k=0:u8<A=0 B=1>}/8 v:?@0{A(0):u8 B(1):str}}/8" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { struct { u8 n; u8 a[n]; } A; struct { variant "
			 "<k> { u8 A; u8 B; } w; } B; } v;"),
		  "{k=1:u8<A=0 B=1> v:?@1{A(0):{n=0:u8 a:[@0]u8}/8 B(1):{w:?@1{A(0):u8 B(1):u8}}/1}}/8" },
		{ FIELDS("variant w { u8 A; string B; }; enum : u8 { A, B } k; variant w <k> v; enum : u8 { B "
			 "} l; variant w <l> x;"),
		  "{k=0:u8<A=0 B=1> v:?@0{A(0):u8 B(1):str} l=1:u8<B=0> x:?@1{A():u8 B(0):str}}/8",
		  "note: metadata:4:16: `A`: no label of the tag selects this option\n" },
		{ FIELDS("variant w { u8 A; u8 B; }; enum : u8 { A, B } k; variant w <k> v[2];"),
		  "{k=0:u8<A=0 B=1> v:[2]?@0{A(0):u8 B(1):u8}}/8" },
		{ FIELDS("enum : integer { size = 8; signed = true; } { A = -1, B = 0 ... 5 } k; variant <k> "
			 "{ u8 A; string B; } v; "),
		  "{k=0:s8<A=-1 B=0..5> v:?@0{A(-1):u8 B(0..5):str}}/8" },
		{ FIELDS("enum : u8 { A = 0, B = 1, A = 5 ... 6 } k; variant <k> { u8 A; string B; } v; "),
		  "{k=0:u8<A=0,5..6 B=1> v:?@0{A(0,5..6):u8 B(1):str}}/8" },
		{ FIELDS("enum : u8 { A = 0 ... 3, B = 2 ... 5 } k; variant <k> { u8 A; string B; } v; "),
		  "{k=0:u8<A=0..3 B=2..5> v:?@0{A(0..3):u8 B(2..5):str}}/8",
		  "note: metadata:4:26: `B`: shares values with the label `A`\n" },
		{ FIELDS("enum : u8 { N } n; u8 a[n];"),
		  "{n=0:u8<N=0> a:[@0]u8}/8" },
	};

	TSDL_CHECK(rows);
}

/* 8.5, 13. */
Test(tsdl_reference, wrong_relative)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8 a[nosuch];"),
		  "metadata:4:6: `nosuch`: no earlier field has this name" },
		{ FIELDS("integer { size = 8; signed = true; } n; u8 a[n];"),
		  "metadata:4:46: `n`: the length of a sequence must not be signed" },
		{ FIELDS("string n; u8 a[n];"),
		  "metadata:4:16: `n`: the length of a sequence must be an unsigned integer" },
		{ FIELDS("struct { u8 x; } n; u8 a[n];"),
		  "metadata:4:26: `n`: the length of a sequence must be an unsigned integer" },
		{ FIELDS("integer { size = 65; } n; u8 a[n];"),
		  "metadata:4:32: `n`: the length of a sequence must be an unsigned integer" },
		{ FIELDS("struct { u8 x; } s; u8 a[s.y];"),
		  "metadata:4:26: `s.y`: no field has this name: `y`" },
		{ FIELDS("u8 x; u8 a[x.y];"),
		  "metadata:4:12: `x.y`: the path continues after a value: `y`" },
		{ FIELDS("struct { u8 n; } s[2]; u8 a[s.n];"),
		  "metadata:4:29: `s.n`: the path leads into an array: `n`" },
		{ FIELDS("u8 n[2]; u8 a[n];"),
		  "metadata:4:15: `n`: the length of a sequence must be an unsigned integer" },
		{ FIELDS("u8 k; variant <k> { u8 A; string B; } v; "),
		  "metadata:4:16: `k`: the tag of a variant must be an enumeration" },
		{ FIELDS("string k; variant <k> { u8 A; string B; } v; "),
		  "metadata:4:20: `k`: the tag of a variant must be an enumeration" },
		{ FIELDS("variant <k> { u8 A; string B; } v; enum : u8 { A, B } k; "),
		  "metadata:4:10: `k`: no earlier field has this name" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; u8 B; u8 A; } v;"),
		  "metadata:4:52: `A`: already declared in the same variant" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 C; } v;"),
		  "metadata:4:32: `k`: no label of the tag is the name of an option",
		  "note: metadata:4:40: `C`: no label of the tag selects this option\n" },
		{ FIELDS("enum : u8 { A, B } k; variant { u8 A; } v;"),
		  "metadata:4:41: `v`: a variant needs a tag where it is used" },
		{ FIELDS("enum : u8 { A, B } k; variant w <k> { u8 A; u8 B; }; variant w v;"),
		  "metadata:4:54: `variant w`: declare the variant without a tag, and write `variant NAME <TAG>` "
		  "here" },
		{ FIELDS("variant w { u8 A; }; variant w v;"),
		  "metadata:4:32: `v`: a variant needs a tag where it is used" },
		{ FIELDS("variant w { u8 A; }; variant w v[2];"),
		  "metadata:4:32: `v`: a variant needs a tag where it is used" },
		{ FIELDS("enum : u8 { A, B } k; variant w <k> { u8 A; }; variant w <k> v;"),
		  "metadata:4:59: `k`: the variant has a tag already" },
		{ FIELDS("enum : u8 { A, B } k; variant <> { u8 A; } v;"),
		  "metadata:4:32: `>`: expected a name" },
		{ FIELDS("enum : u8 { A, B } k; variant <1> { u8 A; } v;"),
		  "metadata:4:32: `1`: expected a name" },
		{ FIELDS("enum : u8 { A, B } k; variant <'k'> { u8 A; } v;"),
		  "metadata:4:32: `\"k\"`: expected a name" },
		{ FIELDS("enum : u8 { A, B } k; variant <variant> { u8 A; } v;"),
		  "metadata:4:32: `variant`: a keyword cannot name a field" },
		{ FIELDS("enum : u8 { A, B } k; variant nosuch <k> v;"),
		  "metadata:4:23: `variant nosuch <k>`: no such type is declared" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> v;"),
		  "metadata:4:35: `v`: expected `{`" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; struct { u8 a[A]; } B; } v;"),
		  "metadata:4:57: `A`: no earlier field has this name" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; struct { u8 a[event.fields.v.A]; } B; } v;"),
		  "metadata:4:57: `event.fields.v.A`: the field is in another option of the same variant: `A`" },
		{ FIELDS("enum : u8 { A, B } k; variant <k.x> { u8 A; } v;"),
		  "metadata:4:32: `k.x`: the path continues after a value: `x`" },
		{ FIELDS("u8 a[trace];"),
		  "metadata:4:6: `trace`: no such scope" },
		{ FIELDS("u8 a[x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x"
			 ".x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x];"),
		  "metadata:4:6: `x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x....`: "
		  "the path has more than 64 names" },
	};

	TSDL_CHECK(rows);
}

/* 9: names as written; one underscore more or less when there is no exact one. */
Test(tsdl_reference, labels)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; u8 B; u8 C; } v;"),
		  "{k=0:u8<A=0 B=1> v:?@0{A(0):u8 B(1):u8 C():u8}}/8",
		  "note: metadata:4:52: `C`: no label of the tag selects this option\n" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; } v;"),
		  "{k=0:u8<A=0 B=1> v:?@0{A(0):u8}}/8",
		  "note: metadata:4:32: `k`: no option has the name of the label `B`\n" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 _A; u8 B; } v;"),
		  "{k=0:u8<A=0 B=1> v:?@0{_A(0):u8 B(1):u8}}/8",
		  "warning: metadata:4:40: `_A`: option `_A` is used for label `A`\n" },
		{ FIELDS("enum : u8 { _A, _B } k; variant <k> { u8 A; u8 _B; } v;"),
		  "{k=0:u8<_A=0 _B=1> v:?@0{A(0):u8 _B(1):u8}}/8",
		  "warning: metadata:4:42: `A`: option `A` is used for label `_A`\n" },
		{ FIELDS("enum : u8 { _A, A } k; variant <k> { u8 _A; u8 A; } v;"),
		  "{k=0:u8<_A=0 A=1> v:?@0{_A(0):u8 A(1):u8}}/8" },
		{ FIELDS("enum : u8 { _A, A } k; variant <k> { u8 A; } v;"),
		  "{k=0:u8<_A=0 A=1> v:?@0{A(1):u8}}/8",
		  "note: metadata:4:33: `k`: no option has the name of the label `_A`\n" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { } v;"),
		  "{k=0:u8<A=0 B=1> v:?@0{}}/8",
		  "note: metadata:4:32: `k`: no option has the name of the label `A`\n" },
	};

	TSDL_CHECK(rows);
}

/* 8.4: an alias of a structure is looked up where it was declared; any other where it is used. */
Test(tsdl_reference, definition_site)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8 n; typedef struct { u8 a[n]; } t; struct { string n; t x; } s;"),
		  "{n=0:u8 s:{n:str x:{a:[@0]u8}/8}/8}/8" },
		{ FIELDS("typedef struct { u8 n; u8 a[n]; } t; u8 n; t x;"),
		  "{n:u8 x:{n=0:u8 a:[@0]u8}/8}/8" },
		{ FIELDS("typedef u8 t[n]; u8 n; t x;"),
		  "metadata:4:14: `n`: no earlier field has this name" },
		{ FIELDS("u8 n; typedef u8 t[n]; struct { u8 n; t x; } s;"),
		  "{n=0:u8 s:{n:u8 x:[@0]u8}/8}/8" },
		{ FIELDS("u8 n; struct { typedef u8 t[n]; u8 n; t x; } s;"),
		  "{n=0:u8 s:{n:u8 x:[@0]u8}/8}/8" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typedef u8 t[n];\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 n; t x; struct { u8 "
			 "n; t y; } s; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {n=0:u8 x:[@0]u8 s:{n=1:u8 y:[@1]u8}/8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "struct r { u8 a[n]; };\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 n; struct r x; }; "
			 "};\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {n=0:u8 x:{a:[@0]u8}/8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "typedef u8 t[n];\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 n; }; };\n",
		  "metadata:2:14: `n`: no earlier field has this name" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "struct r { enum : u8 { A } k; variant <k> { string A; } v; };\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 n; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {n:u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "struct r { string k; variant <k> { string A; } v; };\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 n; }; };\n",
		  "metadata:2:31: `k`: the tag of a variant must be an enumeration" },
	};

	TSDL_CHECK(rows);
}

/* 8.2: the same scope or an earlier one. */
Test(tsdl_reference, absolute)
{
	static const struct tsdl_row rows[] = {
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 h; }; "
			 "};\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 "
			 "a[trace.packet.header.h]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {h=0:u8}/8\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {a:[@0]u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 h; }; "
			 "};\n"
			 "stream { packet.context := struct { u8 p; u8 a[trace.packet.header.h]; u8 "
			 "b[stream.packet.context.p]; }; event.header := struct { u8 q; u8 "
			 "c[stream.packet.context.p]; }; event.context := struct { u8 r; u8 "
			 "a[stream.event.header.q]; }; };\n"
			 "event { name = e; context := struct { u8 s; u8 a[stream.event.context.r]; u8 b[s]; "
			 "}; fields := struct { u8 t; u8 a[event.context.s]; u8 b[event.fields.t]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {h=0:u8}/8\n"
		  "stream 0\n"
		  "packet {p=1:u8 a:[@0]u8 b:[@1]u8}/8\n"
		  "header {q=2:u8 c:[@1]u8}/8\n"
		  "common {r=3:u8 a:[@2]u8}/8\n"
		  "event 0 e\n"
		  "  context {s=4:u8 a:[@3]u8 b:[@4]u8}/8\n"
		  "  fields {t=5:u8 a:[@4]u8 b:[@5]u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { struct { u8 n; u8 "
			 "a[event.fields.s.n]; u8 b[event.fields.s.n][2]; } s; u8 c[event.fields.s.n]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {s:{n=0:u8 a:[@0]u8 b:[@0][2]u8}/8 c:[@0]u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { struct { u8 n; struct "
			 "{ u8 b[event.fields.s.n]; } t[2]; } s[3]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {s:[3]{n=0:u8 t:[2]{b:[@0]u8}/8}/8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct { u8 packet_size; u8 content_size; }; "
			 "event.header := struct {  }; event.context := struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 "
			 "a[stream.packet.context.packet_size]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {packet_size!packet=0:u8 -content_size!content:u8}/8\n"
		  "header {}/1\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {a:[@0]u8}/8\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct { enum : u8 { A, B } "
			 "id; }; event.context := struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { variant "
			 "<stream.event.header.id> { u8 A; string B; } v; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {}/1\n"
		  "stream 0\n"
		  "packet {}/1\n"
		  "header {id!id=0:u8<A=0 B=1>}/8\n"
		  "common {}/1\n"
		  "event 0 e\n"
		  "  context {}/1\n"
		  "  fields {v:?@0{A(0):u8 B(1):str}}/1\n" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct { u8 a[stream.event.header.n]; }; event.header := "
			 "struct { u8 n; }; event.context := struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct {  }; };\n",
		  "metadata:3:42: `stream.event.header.n`: refers to a field later in the packet" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct { u8 a[event.fields.n]; }; fields := struct { "
			 "u8 n; }; };\n",
		  "metadata:4:44: `event.fields.n`: refers to a field later in the packet" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 a[event.fields.n]; "
			 "u8 n; }; };\n",
		  "metadata:4:67: `event.fields.n`: no earlier field has this name: `n`" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { struct { u8 "
			 "a[event.fields.s]; } s; }; };\n",
		  "metadata:4:76: `event.fields.s`: the field is not complete yet: `s`" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 "
			 "a[stream.packet.context.nosuch]; }; };\n",
		  "metadata:4:67: `stream.packet.context.nosuch`: no field has this name: `nosuch`" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 "
			 "a[stream.packet.nosuch.n]; }; };\n",
		  "metadata:4:67: `stream.packet.nosuch.n`: no such scope" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { u8 a[event.fields]; }; "
			 "};\n",
		  "metadata:4:67: `event.fields`: the field is not complete yet: `fields`" },
		{ FIELDS("u8 a[stream.packet.context.n];"),
		  "metadata:4:6: `stream.packet.context.n`: the trace has no such scope" },
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {  }; };\n"
			 "stream { packet.context := struct {  }; event.header := struct {  }; event.context "
			 ":= struct {  }; };\n"
			 "event { name = e; context := struct {  }; fields := struct { struct { u8 n; } s[2]; "
			 "u8 a[event.fields.s.n]; }; };\n",
		  "metadata:4:90: `event.fields.s.n`: the path leads into an array: `n`" },
	};

	TSDL_CHECK(rows);
}

/* 8.2: env.NAME is a length that is known. */
Test(tsdl_reference, environment)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "env { n = 3; s = 'x'; m = -1; big = 18446744073709551615; };\n"
			 "event { fields := struct { integer { size = 8; } a[env.n], b[2][env.n], c[env.big]; "
			 "integer { size = 8; encoding = UTF8; } d[env.n]; }; };",
		  "ctf 1.8 le\n"
		  "env n = 3\n"
		  "env s = 'x'\n"
		  "env m = -1\n"
		  "env big = 18446744073709551615\n"
		  "stream 0\n"
		  "event 0 (no name)\n"
		  "  fields {a:[3]u8 b:[2][3]u8 c:[18446744073709551615]u8 d:str[3]}/8\n" },
		{ TRACE "env { s = 'x'; };\n"
			 "event { fields := struct { integer { size = 8; } a[env.s]; }; };",
		  "metadata:3:52: `env.s`: the entry is not a number of elements" },
		{ TRACE "env { m = -1; };\n"
			 "event { fields := struct { integer { size = 8; } a[env.m]; }; };",
		  "metadata:3:52: `env.m`: the entry is not a number of elements" },
		{ TRACE "event { fields := struct { integer { size = 8; } a[env.n]; }; };",
		  "metadata:2:52: `env.n`: the environment has no such entry" },
		{ TRACE "env { n = 3; };\n"
			 "event { fields := struct { integer { size = 8; } a[env.n.m]; }; };",
		  "metadata:3:52: `env.n.m`: the environment has no such entry" },
	};

	TSDL_CHECK(rows);
}

/* 8.5: a path into an option is guarded: the option may not be there. */
Test(tsdl_reference, into_variants)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; struct { u8 n; } B; } v; u8 a[v.A]; u8 "
			 "b[v.B.n]; u8 c[v.A];"),
		  "{k=0:u8<A=0 B=1> v:?%2%4%5@0{A(0)=1:u8 B(1):{n=3:u8}/8} a:[@1&2]u8 b:[@3&4]u8 "
		  "c:[@1&5]u8}/8" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { struct { u8 n; u8 a[n]; } A; u8 B; } v;"),
		  "{k=1:u8<A=0 B=1> v:?@1{A(0):{n=0:u8 a:[@0]u8}/8 B(1):u8}}/8" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { variant <k> { u8 A; } A; u8 B; } v; u8 a[v.A.A];"),
		  "{k=0:u8<A=0 B=1> v:?%2@0{A(0):?%2@0{A(0)=1:u8} B(1):u8} a:[@1&2]u8}/8",
		  "note: metadata:4:46: `k`: no option has the name of the label `B`\n" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { enum : u8 { X } A; u8 B; } v; variant <v.A> { "
			 "u8 X; } w;"),
		  "{k=0:u8<A=0 B=1> v:?%2@0{A(0)=1:u8<X=0> B(1):u8} w:?@1&2{X(0):u8}}/8" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; } v; u8 a[v.nosuch];"),
		  "metadata:4:53: `v.nosuch`: no field has this name: `nosuch`",
		  "note: metadata:4:32: `k`: no option has the name of the label `B`\n" },
		{ FIELDS("enum : u8 { A, B } k; variant <k> { u8 A; } v; u8 a[v];"),
		  "metadata:4:53: `v`: the length of a sequence must be an unsigned integer",
		  "note: metadata:4:32: `k`: no option has the name of the label `B`\n" },
	};

	TSDL_CHECK(rows);
}

/* An event's slots begin after those of all stream classes, separately for each event. */
Test(tsdl_reference, slots)
{
	static const struct tsdl_row rows[] = {
		{ "typealias integer { size = 8; } := u8;\n"
			 "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 "
			 "stream_id; u8 h; }; };\n"
			 "stream { id = 0; packet.context := struct { u8 n; u8 a[n]; u8 "
			 "b[trace.packet.header.h]; }; event.header := struct { u8 id; }; };\n"
			 "stream { id = 1; event.context := struct { u8 x, y; u8 a[x]; u8 b[y]; }; "
			 "event.header := struct { u8 id; }; };\n"
			 "event { id = 0; stream_id = 0; fields := struct { u8 n; u8 a[n]; u8 m; u8 b[m]; }; "
			 "};\n"
			 "event { id = 1; stream_id = 0; fields := struct { u8 n; u8 a[n]; u8 "
			 "b[stream.packet.context.n]; }; };\n"
			 "event { id = 0; stream_id = 1; fields := struct { u8 n; u8 a[n]; }; };\n",
		  "ctf 1.8 le\n"
		  "trace {stream_id!stream:u8 h=0:u8}/8\n"
		  "stream 0\n"
		  "packet {n=1:u8 a:[@1]u8 b:[@0]u8}/8\n"
		  "header {id!id:u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {n=3:u8 a:[@3]u8 m=4:u8 b:[@4]u8}/8\n"
		  "event 1 (no name)\n"
		  "  fields {n=3:u8 a:[@3]u8 b:[@1]u8}/8\n"
		  "stream 1\n"
		  "header {id!id:u8}/8\n"
		  "common {x=1:u8 y=2:u8 a:[@1]u8 b:[@2]u8}/8\n"
		  "event 0 (no name)\n"
		  "  fields {n=3:u8 a:[@3]u8}/8\n" },
	};

	TSDL_CHECK(rows);
}
