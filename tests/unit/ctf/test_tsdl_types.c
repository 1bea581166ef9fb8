/* Types of CTF 1.8 metadata: attributes, names, structures, arrays (ctf1-tsdl.md, 4, 5, 12). */
#include <criterion/criterion.h>

#include "tsdl_model.h"

#define TEN(x) x x x x x x x x x x

/* 5.1: size, default alignment, sign, byte order, base. */
Test(tsdl_types, integers)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("integer { size = 8; } a; integer { size = 12; } b; integer { size = 16; } c; "
			 "integer { size = 1; } d; integer { size = 64; } e;"),
		  "{a:u8 b:u12 c:u16 d:u1 e:u64}/8" },
		{ FIELDS("integer { size = 32; align = 32; } a; integer { size = 5; align = 8; } b; integer { "
			 "size = 16; align = 1; } c; integer { size = 0x10; align = 010; } d;"),
		  "{a:u32/32 b:u5/8 c:u16/1 d:u16}/32" },
		{ FIELDS("integer { size = 8; signed = true; } a; integer { signed = TRUE; size = 8; } b; "
			 "integer { size = 8; signed = 1; } c; integer { size = 8; signed = 0; } d; integer { "
			 "size = 8; signed = false; } e; integer { size = 8; signed = FALSE; } f;"),
		  "{a:s8 b:s8 c:s8 d:u8 e:u8 f:u8}/8" },
		{ FIELDS("integer { size = 8; byte_order = native; } a; integer { size = 8; byte_order = le; "
			 "} b; integer { size = 8; byte_order = be; } c; integer { size = 8; byte_order = "
			 "network; } d;"),
		  "{a:u8 b:u8 c:u8b d:u8b}/8" },
		{ FIELDS("integer { size = 8; base = 2; } a0;\n"
			 "integer { size = 8; base = 8; } a1;\n"
			 "integer { size = 8; base = 10; } a2;\n"
			 "integer { size = 8; base = 16; } a3;\n"
			 "integer { size = 8; base = decimal; } a4;\n"
			 "integer { size = 8; base = dec; } a5;\n"
			 "integer { size = 8; base = d; } a6;\n"
			 "integer { size = 8; base = i; } a7;\n"
			 "integer { size = 8; base = u; } a8;\n"
			 "integer { size = 8; base = hexadecimal; } a9;\n"
			 "integer { size = 8; base = hex; } a10;\n"
			 "integer { size = 8; base = x; } a11;\n"
			 "integer { size = 8; base = X; } a12;\n"
			 "integer { size = 8; base = p; } a13;\n"
			 "integer { size = 8; base = octal; } a14;\n"
			 "integer { size = 8; base = oct; } a15;\n"
			 "integer { size = 8; base = o; } a16;\n"
			 "integer { size = 8; base = binary; } a17;\n"
			 "integer { size = 8; base = bin; } a18;\n"
			 "integer { size = 8; base = b; } a19;\n"),
		  "{a0:u8#2 a1:u8#8 a2:u8 a3:u8#16 a4:u8 a5:u8 a6:u8 a7:u8 a8:u8 a9:u8#16 a10:u8#16 "
		  "a11:u8#16 a12:u8#16 a13:u8#16 a14:u8#8 a15:u8#8 a16:u8#8 a17:u8#2 a18:u8#2 "
		  "a19:u8#2}/8" },
		{ FIELDS("integer { size = (8); } a; integer { size = 8ul; } b; integer { size = 8LLU; align "
			 "= 8l; } c; integer { size = +8; } d;"),
		  "{a:u8 b:u8 c:u8 d:u8}/8" },
		{ FIELDS("integer { size = 65; } a; integer { size = 128; signed = true; } b; integer { size "
			 "= 1073741824; } c;"),
		  "{a:u65 b:s128 c:u1073741824}/8" },
		{ FIELDS("integer { size = 8; encoding = UTF8; } a; integer { size = 8; encoding = ascii; } "
			 "b; integer { size = 8; encoding = none; } c; integer { size = 8; encoding = "
			 "'UTF-8'; } d;"),
		  "{a:u8 b:u8 c:u8 d:u8}/8",
		  "wrong: metadata:4:159: `\"UTF-8\"`: an encoding must be a word, not a string\n" },
		{ FIELDS("integer { size = 8; is_signed = true; } a;"),
		  "{a:s8}/8" },
		{ FIELDS("integer { size = 8; colour = red; } a;"),
		  "{a:u8}/8",
		  "warning: metadata:4:21: `colour`: unknown attribute, ignored\n" },
		{ FIELDS("integer { size = 8 } a; integer { size = 16 } b;"),
		  "{a:u8 b:u16}/8",
		  "wrong: metadata:4:20: `}`: `;` is missing before this (reported once)\n" },
	};

	TSDL_CHECK(rows);
}

/* 5.1, 13. */
Test(tsdl_types, wrong_integers)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("integer { } a;"),
		  "metadata:4:1: `integer`: an integer needs a size" },
		{ FIELDS("integer { align = 8; } a;"),
		  "metadata:4:1: `integer`: an integer needs a size" },
		{ FIELDS("integer { size = 0; } a;"),
		  "metadata:4:18: `0`: must be 1 to 1073741824" },
		{ FIELDS("integer { size = -8; } a;"),
		  "metadata:4:18: `-8`: must be 1 to 1073741824" },
		{ FIELDS("integer { size = '8'; } a;"),
		  "metadata:4:18: `\"8\"`: expected an integer" },
		{ FIELDS("integer { size = 1073741825; } a;"),
		  "metadata:4:18: `1073741825`: must be 1 to 1073741824" },
		{ FIELDS("integer { size = eight; } a;"),
		  "metadata:4:18: `eight`: expected an integer" },
		{ FIELDS("integer { size = 8; align = 3; } a;"),
		  "metadata:4:29: `3`: an alignment must be a power of two" },
		{ FIELDS("integer { size = 8; align = 0; } a;"),
		  "metadata:4:29: `0`: an alignment must be a power of two" },
		{ FIELDS("integer { size = 8; align = -8; } a;"),
		  "metadata:4:29: `-8`: an alignment must be a power of two" },
		{ FIELDS("integer { size = 8; align = '8'; } a;"),
		  "metadata:4:29: `\"8\"`: an alignment must be a power of two" },
		{ FIELDS("integer { size = 8; align = 4294967296; } a;"),
		  "metadata:4:29: `4294967296`: must be 1 to 2147483648" },
		{ FIELDS("integer { size = 8; signed = maybe; } a;"),
		  "metadata:4:30: `maybe`: not a boolean: write true, false, 1 or 0" },
		{ FIELDS("integer { size = 8; signed = 'true'; } a;"),
		  "metadata:4:30: `\"true\"`: not a boolean: write true, false, 1 or 0" },
		{ FIELDS("integer { size = 8; byte_order = middle; } a;"),
		  "metadata:4:34: `middle`: not a byte order: native, le, be or network" },
		{ FIELDS("integer { size = 8; base = 3; } a;"),
		  "metadata:4:28: `3`: a base must be 2, 8, 10 or 16" },
		{ FIELDS("integer { size = 8; base = ternary; } a;"),
		  "metadata:4:28: `ternary`: not a base: 2, 8, 10, 16 or a word for one" },
		{ FIELDS("integer { size = 8; base = 'hex'; } a;"),
		  "metadata:4:28: `\"hex\"`: not a base: 2, 8, 10, 16 or a word for one" },
		{ FIELDS("integer { size = 8; encoding = latin1; } a;"),
		  "metadata:4:32: `latin1`: not an encoding: none, UTF8 or ASCII" },
		{ FIELDS("integer { size = 8; encoding = 'ascii'; } a;"),
		  "metadata:4:32: `\"ascii\"`: not an encoding: none, UTF8 or ASCII" },
		{ FIELDS("integer { size = 8; size = 8; } a;"),
		  "metadata:4:21: `size`: the attribute is given twice" },
		{ FIELDS("integer a;"),
		  "metadata:4:9: `a`: expected `{`" },
		{ FIELDS("integer { size = 8; } int;"),
		  "metadata:4:23: `int`: a keyword cannot be declared" },
	};

	TSDL_CHECK(rows);
}

/* 5.2, 5.3: sizes that are not an IEEE 754 interchange format stay bits. */
Test(tsdl_types, floats_and_strings)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("floating_point { exp_dig = 8; mant_dig = 24; } a; floating_point { exp_dig = 11; "
			 "mant_dig = 53; align = 64; byte_order = be; } b; floating_point { exp_dig = 5; "
			 "mant_dig = 11; align = 1; } c;"),
		  "{a:f32 b:f64b/64 c:f16/1}/64" },
		{ FIELDS("floating_point { exp_dig = 15; mant_dig = 113; } a; floating_point { exp_dig = 9; "
			 "mant_dig = 23; } b;"),
		  "{a:bits128#16 b:bits32#16}/8" },
		{ FIELDS("floating_point { exp_dig = 8; } a;"),
		  "metadata:4:1: `floating_point`: a floating point number needs exp_dig and mant_dig" },
		{ FIELDS("floating_point { mant_dig = 24; } a;"),
		  "metadata:4:1: `floating_point`: a floating point number needs exp_dig and mant_dig" },
		{ FIELDS("floating_point { exp_dig = 8; mant_dig = 0; } a;"),
		  "metadata:4:42: `0`: must be 1 to 65536" },
		{ FIELDS("floating_point { exp_dig = 8; mant_dig = 24; align = 5; } a;"),
		  "metadata:4:54: `5`: an alignment must be a power of two" },
		{ FIELDS("floating_point { exp_dig = 8; mant_dig = 24; bias = 1; } a;"),
		  "{a:f32}/8",
		  "warning: metadata:4:46: `bias`: unknown attribute, ignored\n" },
		{ FIELDS("string a; string { } b; string { encoding = UTF8; } c; string { encoding = ASCII; } "
			 "d; string { encoding = none; } e;"),
		  "{a:str b:str c:str d:ascii e:str}/8" },
		{ FIELDS("string { encoding = ASCII } a;"),
		  "{a:ascii}/8",
		  "wrong: metadata:4:27: `}`: `;` is missing before this (reported once)\n" },
		{ FIELDS("string { encoding = EBCDIC; } a;"),
		  "metadata:4:21: `EBCDIC`: not an encoding: none, UTF8 or ASCII" },
		{ FIELDS("string { length = 4; } a;"),
		  "{a:str}/8",
		  "warning: metadata:4:10: `length`: unknown attribute, ignored\n" },
	};

	TSDL_CHECK(rows);
}

/* 5.4: implicit values continue after the last one, equal labels are one mapping. */
Test(tsdl_types, enumerations)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("enum : u8 { A, B, C } a;"),
		  "{a:u8<A=0 B=1 C=2>}/8" },
		{ FIELDS("enum : u8 { A, B, C, } a;"),
		  "{a:u8<A=0 B=1 C=2>}/8" },
		{ FIELDS("enum : u8 { A = 3, B, C = 10 ... 20, D, 'E' = 0x40, \"F g\" } a;"),
		  "{a:u8<A=3 B=4 C=10..20 D=21 E=64 F g=65>}/8" },
		{ FIELDS("enum : u8 { A = 0, B = 1, A = 2 ... 3, B, A } a;"),
		  "{a:u8<A=0,2..3,5 B=1,4>}/8" },
		{ FIELDS("enum : u8 { A = 5 ... 9, B = 7 ... 10 } a;"),
		  "{a:u8<A=5..9 B=7..10>}/8",
		  "note: metadata:4:26: `B`: shares values with the label `A`\n" },
		{ FIELDS("enum : integer { size = 8; signed = true; } { A = -128, B = -3 ... 3, C, D = 127 } "
			 "a;"),
		  "{a:s8<A=-128 B=-3..3 C=4 D=127>}/8" },
		{ FIELDS("enum : integer { size = 64; } { A = 18446744073709551615, B = 0xFFFFFFFFFFFFFFFE } "
			 "a;"),
		  "{a:u64<A=18446744073709551615 B=18446744073709551614>}/8" },
		{ FIELDS("enum : integer { size = 64; signed = true; } { A = -9223372036854775808, B = "
			 "9223372036854775807 } a;"),
		  "{a:s64<A=-9223372036854775808 B=9223372036854775807>}/8" },
		{ FIELDS("enum : u8 { int, event, string, 'x\\ny', '', '_a', _b } a;"),
		  "{a:u8<int=0 event=1 string=2 x\n"
		  "y=3 =4 _a=5 _b=6>}/8" },
		{ FIELDS("typealias integer { size = 5; align = 1; } := int; enum { A, B } a; enum x { C } b; "
			 "enum x c;"),
		  "{a:u5<A=0 B=1> b:u5<C=0> c:u5<C=0>}/1" },
		{ FIELDS("typealias u8 := unsigned char; enum n : unsigned char { A } a;"),
		  "{a:u8<A=0>}/8" },
		{ FIELDS("enum : integer { size = 65; } { A = 1 } a;"),
		  "{a:u65}/1",
		  "warning: metadata:4:1: `enum : integer { size = 65; }`: the labels are ignored: the integer has "
		  "more than 64 bits\n" },
	};

	TSDL_CHECK(rows);
}

Test(tsdl_types, wrong_enumerations)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("enum { A } a;"),
		  "metadata:4:1: `enum`: no type `int` is declared" },
		{ FIELDS("typealias string := int; enum { A } a;"),
		  "metadata:4:26: `enum`: an enumeration needs an integer type" },
		{ FIELDS("enum : string { A } a;"),
		  "metadata:4:19: `}`: expected `=`" },
		{ FIELDS("enum : struct { } { A } a;"),
		  "metadata:4:8: `struct`: an enumeration needs an integer type" },
		{ FIELDS("enum e : u8 { A }; enum : enum e { B } a;"),
		  "metadata:4:27: `enum e`: no type `int` is declared" },
		{ FIELDS("enum : u8 { } a;"),
		  "metadata:4:1: `enum : u8`: an enumeration without labels" },
		{ FIELDS("enum : u8 { A = 256 } a;"),
		  "metadata:4:17: `256`: does not fit in an unsigned integer of 8 bits" },
		{ FIELDS("enum : u8 { A = 255, B } a;"),
		  "metadata:4:22: `B`: does not fit in an unsigned integer of 8 bits" },
		{ FIELDS("enum : u8 { A = -1 } a;"),
		  "metadata:4:17: `-1`: does not fit in an unsigned integer of 8 bits" },
		{ FIELDS("enum : integer { size = 8; signed = true; } { A = 128 } a;"),
		  "metadata:4:51: `128`: does not fit in a signed integer of 8 bits" },
		{ FIELDS("enum : integer { size = 8; signed = true; } { A = -129 } a;"),
		  "metadata:4:51: `-129`: does not fit in a signed integer of 8 bits" },
		{ FIELDS("enum : integer { size = 64; } { A = 18446744073709551615, B } a;"),
		  "metadata:4:59: `B`: no value is left for this label" },
		{ FIELDS("enum : integer { size = 64; signed = true; } { A = 9223372036854775807, B } a;"),
		  "metadata:4:73: `B`: no value is left for this label" },
		{ FIELDS("enum : u8 { A = 3 ... 2 } a;"),
		  "metadata:4:17: `3 ... 2`: the range ends before it begins" },
		{ FIELDS("enum : u8 { A = 1 ... } a;"),
		  "metadata:4:23: `}`: expected a value" },
		{ FIELDS("enum : u8 { A = B } a;"),
		  "metadata:4:17: `B`: the value of a label must be an integer" },
		{ FIELDS("enum : u8 { A = '1' } a;"),
		  "metadata:4:17: `\"1\"`: the value of a label must be an integer" },
		{ FIELDS("enum : u8 { A B } a;"),
		  "metadata:4:15: `B`: expected `,` or `}`" },
		{ FIELDS("enum : u8 { 1 } a;"),
		  "metadata:4:13: `1`: expected a label" },
		{ FIELDS("enum : u8 a;"),
		  "metadata:4:8: `u8 a`: no type `u8 a` is declared" },
		{ FIELDS("enum nosuch a;"),
		  "metadata:4:1: `enum nosuch`: no such type is declared" },
		{ FIELDS("enum;"),
		  "metadata:4:5: `;`: expected a name, `:` or `{`" },
	};

	TSDL_CHECK(rows);
}

/* 5.5: alignment is the largest of align() and the members, variants do not count. */
Test(tsdl_types, structures)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("struct { u8 x; integer { size = 32; align = 32; } y; } a; struct { u8 x; } "
			 "align(64) b; struct { integer { size = 32; align = 32; } x; } align(8) c;"),
		  "{a:{x:u8 y:u32/32}/32 b:{x:u8}/64 c:{x:u32/32}/32}/64" },
		{ FIELDS("struct { } a; struct { } align(32) _pad; struct { integer { size = 3; } x; } b;"),
		  "{a:{}/1 _pad:{}/32 b:{x:u3}/1}/32" },
		{ FIELDS("struct s { u8 x; }; struct s a; struct s b[2]; struct s align(16) c;"),
		  "{a:{x:u8}/8 b:[2]{x:u8}/8 c:{x:u8}/16}/16" },
		{ FIELDS("struct s { u8 x; } a; struct s b;"),
		  "{a:{x:u8}/8 b:{x:u8}/8}/8" },
		{ FIELDS("enum : u8 { t } k; struct { variant <k> { integer { size = 32; align = 32; } t; } "
			 "v; } a;"),
		  "{k=0:u8<t=0> a:{v:?@0{t(0):u32/32}}/1}/8" },
		{ FIELDS("struct { integer { size = 16; align = 16; } x[0]; } a; struct { string s; } b;"),
		  "{a:{x:[0]u16/16}/16 b:{s:str}/8}/16" },
		{ FIELDS("u8 _str; u8 str; u8 _; u8 __;"),
		  "{_str:u8 str:u8 _:u8 __:u8}/8" },
		{ FIELDS("u8 a, b, c[2];"),
		  "{a:u8 b:u8 c:[2]u8}/8" },
		{ FIELDS("u8 u8;"),
		  "{u8:u8}/8" },
		{ FIELDS("u8 size, value, map, base, name, id, native, be, le, bool;"),
		  "{size:u8 value:u8 map:u8 base:u8 name:u8 id:u8 native:u8 be:u8 le:u8 bool:u8}/8" },
		{ FIELDS("u8 x"),
		  "{x:u8}/8",
		  "wrong: metadata:5:1: `}`: `;` is missing before this (reported once)\n" },
		{ FIELDS(";u8 x;;"),
		  "{x:u8}/8" },
	};

	TSDL_CHECK(rows);
}

Test(tsdl_types, wrong_structures)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8 a; u8 a;"),
		  "metadata:4:10: `a`: already declared in the same structure" },
		{ FIELDS("struct { u8 a; u8 b, a; } s;"),
		  "metadata:4:22: `a`: already declared in the same structure" },
		{ FIELDS("struct { u8 x; } align(3) a;"),
		  "metadata:4:24: `3`: an alignment must be a power of two" },
		{ FIELDS("struct { u8 x; } align(0) a;"),
		  "metadata:4:24: `0`: an alignment must be a power of two" },
		{ FIELDS("struct { u8 x; } align(X) a;"),
		  "metadata:4:24: `X`: an alignment must be a power of two" },
		{ FIELDS("struct { u8 x; } align(0xFFFFFFFFFFFFFFFF) a;"),
		  "metadata:4:24: `0xFFFFFFFFFFFFFFFF`: an alignment must be a power of two" },
		{ FIELDS("struct s { struct s x; } a;"),
		  "metadata:4:12: `struct s`: no such type is declared" },
		{ FIELDS("struct nosuch a;"),
		  "metadata:4:1: `struct nosuch`: no such type is declared" },
		{ FIELDS("struct s { u8 x; }; struct s { u8 y; };"),
		  "metadata:4:21: `struct s`: already declared in the same scope" },
		{ FIELDS("struct a;"),
		  "metadata:4:1: `struct a`: no such type is declared" },
		{ FIELDS("struct;"),
		  "metadata:4:7: `;`: expected a name or `{`" },
		{ FIELDS("struct int { u8 x; } a;"),
		  "metadata:4:8: `int`: a keyword cannot be declared" },
		{ FIELDS("u8 trace;"),
		  "metadata:4:4: `trace`: a keyword cannot be declared" },
		{ FIELDS("u8 struct;"),
		  "metadata:4:10: `;`: expected a name or `{`" },
		{ FIELDS("u8 int;"),
		  "metadata:4:4: `int`: a keyword cannot be declared" },
		{ FIELDS("u8;"),
		  "metadata:4:1: `u8`: a type or a name is missing" },
		{ FIELDS("u8 a b;"),
		  "metadata:4:1: `u8 a`: no type `u8 a` is declared" },
		{ FIELDS("u8 1;"),
		  "metadata:4:1: `u8`: a type or a name is missing" },
		{ FIELDS("u8 x:5;"),
		  "metadata:4:5: `:`: bit-fields are not supported" },
		{ FIELDS("u8 (x)[2];"),
		  "metadata:4:1: `u8`: a type or a name is missing" },
		{ FIELDS("u8 x y;"),
		  "metadata:4:1: `u8 x`: no type `u8 x` is declared" },
		{ FIELDS("u8 x }"),
		  "metadata:5:4: `}`: expected a declaration",
		  "wrong: metadata:4:6: `}`: `;` is missing before this (reported once)\n" },
		{ FIELDS(TEN(TEN("struct {")) TEN("struct {") TEN("struct {") TEN("struct {") "u8 x;" TEN(TEN("} s;"))),
		  "metadata:4:1024: `{`: more than 128 levels of nested types" },
	};

	TSDL_CHECK(rows);
}

/* 5.7: the leftmost suffix is the outermost; 12: 8-bit integers on bytes with an encoding are text. */
Test(tsdl_types, arrays)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8 a[3]; u8 b[2][3]; u8 c[0]; u8 d[0x10]; u8 e[18446744073709551615]; integer { "
			 "size = 12; align = 4; } f[2];"),
		  "{a:[3]u8 b:[2][3]u8 c:[0]u8 d:[16]u8 e:[18446744073709551615]u8 f:[2]u12/4}/8" },
		{ FIELDS("typedef u8 row[3]; row a[2]; typealias u8 [4] := four; four b; typedef row "
			 "grid[5][6]; grid c;"),
		  "{a:[2][3]u8 b:[4]u8 c:[5][6][3]u8}/8" },
		{ FIELDS("integer { size = 8; encoding = UTF8; } a[4]; integer { size = 8; encoding = ASCII; "
			 "signed = true; } b[2][3]; integer { size = 8; align = 1; encoding = UTF8; } c[4]; "
			 "integer { size = 16; encoding = UTF8; } d[4]; integer { size = 8; align = 16; "
			 "encoding = UTF8; } e[4]; integer { size = 8; encoding = none; } f[4];"),
		  "{a:str[4] b:[2]ascii[3] c:[4]u8/1 d:[4]u16 e:[4]u8/16 f:[4]u8}/16" },
		{ FIELDS("enum : integer { size = 8; encoding = UTF8; } { A } a[4];"),
		  "{a:str[4]}/8" },
		{ FIELDS("u8 n; integer { size = 8; encoding = UTF8; } a[n]; u8 b[n][2]; u8 c[2][n]; u8 "
			 "d[n][n];"),
		  "{n=0:u8 a:str[@0] b:[@0][2]u8 c:[2][@0]u8 d:[@0][@0]u8}/8" },
		{ FIELDS("u8 a[-1];"),
		  "metadata:4:6: `-1`: the length of an array must be a number or a field" },
		{ FIELDS("u8 a['1'];"),
		  "metadata:4:6: `\"1\"`: the length of an array must be a number or a field" },
		{ FIELDS("u8 a[];"),
		  "metadata:4:6: `]`: expected a value" },
		{ FIELDS("u8 a[2;"),
		  "metadata:4:7: `;`: expected `]`" },
		{ FIELDS("u8 a[string];"),
		  "metadata:4:6: `string`: a keyword cannot name a field" },
		{ FIELDS("u8 a[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]["
			 "1][1][1][1][1];"),
		  "metadata:4:77: `[`: more than 24 array suffixes" },
	};

	TSDL_CHECK(rows);
}

/* 4: the exact words are the name; without `const` when there is none with it. */
Test(tsdl_types, names)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("typealias u8 := unsigned long; unsigned long a;"),
		  "{a:u8}/8" },
		{ FIELDS("typealias u8 := unsigned long; long unsigned a;"),
		  "metadata:4:32: `long unsigned`: no type `long unsigned` is declared" },
		{ FIELDS("int a;"),
		  "metadata:4:1: `int`: no type `int` is declared" },
		{ FIELDS("typealias u8 := my type; my type a;"),
		  "{a:u8}/8" },
		{ FIELDS("const u8 a; u8 const b;"),
		  "{a:u8 b:u8}/8" },
		{ FIELDS("typealias integer { size = 16; } := const u8; const u8 a;"),
		  "{a:u16}/8" },
		{ FIELDS("typealias integer { size = 32; } := void *; void *a; const void *b; void * const c;"),
		  "{a:u32#16 b:u32#16 c:u32#16}/8" },
		{ FIELDS("typealias integer { size = 64; } := struct page *; struct page *a; typealias u8 := "
			 "void * *; void **b;"),
		  "{a:u64#16 b:u8#16}/8" },
		{ FIELDS("typealias integer { size = 32; } := char * const *; char * const * a;"),
		  "{a:u32#16}/8" },
		{ FIELDS("u8 *a;"),
		  "metadata:4:1: `u8 *`: no type `u8 *` is declared" },
		{ FIELDS("typealias integer { size = 32; } := u8 *; u8 *a, b, *c;"),
		  "{a:u32#16 b:u8 c:u32#16}/8" },
		{ FIELDS("typealias string := char *; char *a;"),
		  "{a:str}/8" },
		{ FIELDS("typedef u8 a, b[2]; a x; b y;"),
		  "{x:u8 y:[2]u8}/8" },
		{ FIELDS("u8 typedef my; my a;"),
		  "{a:u8}/8" },
		{ FIELDS("typedef struct { u8 x; } s; s a; typedef enum : u8 { A } e; e b;"),
		  "{a:{x:u8}/8 b:u8<A=0>}/8" },
		{ FIELDS("typealias struct { u8 x; } := foo; enum foo : u8 { A }; struct foo { u8 y; }; "
			 "variant foo { u8 A; }; foo a; enum foo b; struct foo c; variant foo <b> d;"),
		  "{a:{x:u8}/8 b=0:u8<A=0> c:{y:u8}/8 d:?@0{A(0):u8}}/8" },
		{ FIELDS("struct { typealias integer { size = 16; } := u8; u8 x; } a; u8 b;"),
		  "{a:{x:u16}/8 b:u8}/8" },
		{ FIELDS("typealias u8 := a; typealias u8 := a;"),
		  "metadata:4:36: `a`: already declared in the same scope" },
		{ FIELDS("typedef u8 a; typealias u8 := a;"),
		  "metadata:4:31: `a`: already declared in the same scope" },
		{ FIELDS("typedef u8 int;"),
		  "metadata:4:12: `int`: a keyword cannot be declared" },
		{ FIELDS("typealias u8 := trace;"),
		  "metadata:4:17: `trace`: expected the name of a type" },
		{ FIELDS("typealias u8 := integer;"),
		  "metadata:4:24: `;`: expected `{`" },
		{ FIELDS("typealias u8 := ;"),
		  "metadata:4:17: `;`: expected the name of a type" },
		{ FIELDS("typealias variant { u8 a; } := v;"),
		  "metadata:4:32: `v`: a variant without a tag cannot have an alias: write `variant v "
		  "{...};`" },
		{ FIELDS("typedef variant { u8 a; } v;"),
		  "metadata:4:27: `v`: a variant without a tag cannot have an alias: write `variant v "
		  "{...};`" },
		{ FIELDS("typealias nosuch := a;"),
		  "metadata:4:11: `nosuch`: no type `nosuch` is declared" },
		{ FIELDS("u8 integer { size = 8; } a;"),
		  "metadata:4:4: `integer`: a type cannot be part of the name of a type" },
		{ FIELDS("typedef u8;"),
		  "metadata:4:9: `u8`: a type or a name is missing" },
		{ FIELDS("const a;"),
		  "metadata:4:8: `;`: expected a type" },
		{ FIELDS("late a; typealias u8 := late;"),
		  "metadata:4:1: `late`: no type `late` is declared" },
		{ FIELDS("u8 ******************************a;"),
		  "metadata:4:28: `*`: more than 24 stars" },
	};

	TSDL_CHECK(rows);
}
