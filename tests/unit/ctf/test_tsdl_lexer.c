/* Tokens of CTF 1.8 metadata (ctf1-tsdl.md, 2). */
#include <criterion/criterion.h>

#include "tsdl_model.h"

/* 2.1, 2.2 */
Test(tsdl_lexer, blanks_and_comments)
{
	static const struct tsdl_row rows[] = {
		{ FIELDS("u8\t/* a * / ** */a;// u8 b;\n"
			 "\014\013\015 u8 c; /*\n"
			 "*/"),
		  "{a:u8 c:u8}/8" },
		{ FIELDS("u8 a; // no \\\n"
			 "u8 b;"),
		  "{a:u8 b:u8}/8" },
		{ FIELDS("/* /* */ u8 a;"),
		  "{a:u8}/8" },
		{ TRACE "env { a = 1; }; // the text ends here",
		  "ctf 1.8 le\n"
		  "env a = 1\n" },
		{ FIELDS("u8 a; /* \303\244 \377 */"),
		  "{a:u8}/8" },
		{ FIELDS("u8 \303\244;"),
		  "metadata:4:4: `\\xc3`: this is not a TSDL token" },
		{ FIELDS("u8 a; \\\n"
			 "u8 b;"),
		  "metadata:4:7: `\\`: this is not a TSDL token" },
		{ FIELDS("u8 a; # define"),
		  "metadata:4:7: `#`: this is not a TSDL token" },
		{ FIELDS("u8 a; /* u8 b;"),
		  "metadata:4:7: `/*`: the comment has no end" },
		{ FIELDS("u8 \\u00e4x; u8 a\\U0001F600;"),
		  "{\\u00e4x:u8 a\\U0001F600:u8}/8" },
		{ FIELDS("u8 \\u00e;"),
		  "metadata:4:4: `\\`: this is not a TSDL token" },
		{ "\357\273\277trace { };",
		  "metadata:1:1: `\\xef`: this is not a TSDL token" },
	};

	TSDL_CHECK(rows);
}

/* 2.4 */
Test(tsdl_lexer, integers)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "env { a = 0; b = 10; c = 017; d = 0x1F; e = 0Xff; f = 0b101; g = 0B11; h = "
			 "18446744073709551615; };",
		  "ctf 1.8 le\n"
		  "env a = 0\n"
		  "env b = 10\n"
		  "env c = 15\n"
		  "env d = 31\n"
		  "env e = 255\n"
		  "env f = 5\n"
		  "env g = 3\n"
		  "env h = 18446744073709551615\n" },
		{ TRACE "env { a = 1u; b = 2U; c = 3l; d = 4L; e = 5ll; f = 6LL; g = 7ul; h = 8LU; i = 9ull; "
			 "j = 10LLU; k = 0x1FuLL; };",
		  "ctf 1.8 le\n"
		  "env a = 1\n"
		  "env b = 2\n"
		  "env c = 3\n"
		  "env d = 4\n"
		  "env e = 5\n"
		  "env f = 6\n"
		  "env g = 7\n"
		  "env h = 8\n"
		  "env i = 9\n"
		  "env j = 10\n"
		  "env k = 31\n" },
		{ TRACE "env { a = - 5; b = +5; c = (5); d = ((-5)); };",
		  "ctf 1.8 le\n"
		  "env a = -5\n"
		  "env b = 5\n"
		  "env c = 5\n"
		  "env d = -5\n" },
		{ TRACE "env { a = 08; };",
		  "metadata:2:11: `08`: not an integer" },
		{ TRACE "env { a = 1x; };",
		  "metadata:2:11: `1x`: not an integer" },
		{ TRACE "env { a = 0x; };",
		  "metadata:2:11: `0x`: not an integer" },
		{ TRACE "env { a = 0b2; };",
		  "metadata:2:11: `0b2`: not an integer" },
		{ TRACE "env { a = 1uu; };",
		  "metadata:2:11: `1uu`: not an integer" },
		{ TRACE "env { a = 1lll; };",
		  "metadata:2:11: `1lll`: not an integer" },
		{ TRACE "env { a = 1lL; };",
		  "metadata:2:11: `1lL`: not an integer" },
		{ TRACE "env { a = 18446744073709551616; };",
		  "metadata:2:11: `18446744073709551616`: the integer has more than 64 bits" },
		{ TRACE "env { a = 0x10000000000000000; };",
		  "metadata:2:11: `0x10000000000000000`: the integer has more than 64 bits" },
		{ TRACE "env { a = 1.5; };",
		  "metadata:2:12: `.`: expected `;`" },
		{ TRACE "env { a = --5; };",
		  "metadata:2:12: `-`: expected an integer" },
		{ TRACE "env { a = -x; };",
		  "metadata:2:12: `x`: expected an integer" },
		{ TRACE "env { a = (5; };",
		  "metadata:2:13: `;`: expected `)`" },
		{ TRACE "env { a = ; };",
		  "metadata:2:11: `;`: expected a value" },
		{ FIELDS("enum : u8 { A = 1...3, B = 4 ...6 } a;"),
		  "{a:u8<A=1..3 B=4..6>}/8" },
	};

	TSDL_CHECK(rows);
}

/* 2.5 */
Test(tsdl_lexer, strings)
{
	static const struct tsdl_row rows[] = {
		{ TRACE "env { a = 'x'; b = ''; c = 'a\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\?z'; };",
		  "ctf 1.8 le\n"
		  "env a = 'x'\n"
		  "env b = ''\n"
		  "env c = 'a\007\010\014\n"
		  "\015\t\013\\\"\"?z'\n" },
		{ TRACE "env { a = '\\101\\60\\0601\\x41\\x4G\\x41B'; b = 'a\\0b'; c = "
			 "'\\u00e4\\u20ac\\U0001F600'; };",
		  "ctf 1.8 le\n"
		  "env a = 'A001A\004GAB'\n"
		  "env b = 'a'\n"
		  "env c = '\303\244\342\202\254\360\237\230\200'\n" },
		{ TRACE "env { a = 'two\n"
			 "lines'; b = L'wide'; c = 'a/*b*/c//d'; d = '\303\244'; };",
		  "ctf 1.8 le\n"
		  "env a = 'two\n"
		  "lines'\n"
		  "env b = 'wide'\n"
		  "env c = 'a/*b*/c//d'\n"
		  "env d = '\303\244'\n" },
		{ TRACE "env { a = '\\q\\x\\ux'; };",
		  "ctf 1.8 le\n"
		  "env a = 'qxux'\n",
		  "warning: metadata:2:12: `\\q`: unknown escape: the backslash is ignored\n"
		  "warning: metadata:2:14: `\\x`: unknown escape: the backslash is ignored\n"
		  "warning: metadata:2:16: `\\u`: unknown escape: the backslash is ignored\n" },
		{ TRACE "env { a = 'b' 'c'; };",
		  "metadata:2:15: `\"c\"`: expected `;`" },
		{ TRACE "env { a = 'b; };",
		  "metadata:2:11: `\"b; };`: the string has no end" },
		{ TRACE "env { a = 'b\\",
		  "metadata:2:11: `\"b`: the string has no end" },
	};

	TSDL_CHECK(rows);
}
