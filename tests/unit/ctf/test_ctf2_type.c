/* Each field class, property and location of CTF 2: a payload in JSON and the types that come of it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctf2_model.h"

#define U8 "{'type':'fixed-length-unsigned-integer','length':8,'byte-order':'little-endian'}"
#define S8 "{'type':'fixed-length-signed-integer','length':8,'byte-order':'little-endian'}"
#define B8 "{'type':'fixed-length-boolean','length':8,'byte-order':'little-endian'}"
#define STR "{'type':'null-terminated-string'}"
#define M(name, type) "{'name':'" name "','field-class':" type "}"
#define STRUCT(members) "{'type':'structure','member-classes':[" members "]}"

/* The place of a message in a member of the payload. */
#define AT(place, rest) \
	"metadata:" place ": fragment 4 (event-record-class): payload-field-class.member-classes[" rest

struct row {
	const char *members;	/* of the payload */
	const char *want;	/* the payload, or the error */
	const char *problems;	/* NULL: none */
};

static char *
metadata(const char *members)
{
	struct tn_str s = { 0 };

	tn_str_printf(&s, "^{'type':'preamble','version':2}\n"
		      "^{'type':'field-class-alias','name':'byte','field-class':" U8 "}\n"
		      "^{'type':'data-stream-class','packet-context-field-class':"
		      STRUCT(M("cpu", U8) "," M("neg", S8)) "}\n"
		      "^{'type':'event-record-class','payload-field-class':{'type':'structure','member-classes':[%s\n]}}",
		      members);
	return s.text;
}

static void
check(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *text = metadata(row[i].members);
		struct ctf2_model m;

		ctf2_model_build(&m, text);
		cr_expect_str_eq(m.code ? m.error.text : ctf2_show(&m, m.trace.event_class[0]->payload), row[i].want,
				 "row %zu: %s\n  gives  %s\n  not    %s", i, row[i].members,
				 m.code ? m.error.text : ctf2_show(&m, m.trace.event_class[0]->payload), row[i].want);
		cr_expect_str_eq(tn_str_text(&m.problems), row[i].problems ? row[i].problems : "",
				 "row %zu: %s\n  tells  %s\n  not    %s", i, row[i].members, tn_str_text(&m.problems),
				 row[i].problems ? row[i].problems : "");
		ctf2_model_release(&m);
		free(text);
	}
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

#define BITS(type, more) "\n{'name':'f','field-class':{'type':'fixed-length-" type "'," more "}}"
#define LE8 "'length':8,'byte-order':'little-endian'"

Test(ctf2_type, bit_arrays)
{
	static const struct row rows[] = {
		{ BITS("unsigned-integer", LE8), "{f:u8le}" },
		{ BITS("signed-integer", "'length':33,'byte-order':'big-endian','alignment':16"), "{f:s33be@16}@16" },
		{ BITS("unsigned-integer", LE8 ",'bit-order':'first-to-last'"), "{f:u8le}" },
		{ BITS("unsigned-integer", LE8 ",'bit-order':'last-to-first'"), "{f:u8le~}" },
		{ BITS("unsigned-integer", "'length':8,'byte-order':'big-endian','bit-order':'last-to-first'"), "{f:u8be}" },
		{ BITS("unsigned-integer", "'length':8,'byte-order':'big-endian','bit-order':'first-to-last'"),
		  "{f:u8be~}" },
		{ BITS("unsigned-integer", LE8 ",'preferred-display-base':16"), "{f:u8lex16}" },
		{ BITS("unsigned-integer", "'length':200,'byte-order':'big-endian'"), "{f:u200be}" },
		{ BITS("bit-array", "'length':3,'byte-order':'big-endian'"), "{f:bits3be}" },
		{ BITS("boolean", LE8), "{f:bool8le}" },
		{ BITS("bit-map", LE8 ",'flags':{'R':[[0,0]],'HI':[[4,5],[7,7]]}"), "{f:map8le{R=0..0,HI=4..5|7..7}}" },
		{ BITS("floating-point-number", "'length':16,'byte-order':'big-endian'"), "{f:flt16be}" },
		{ BITS("floating-point-number", "'length':64,'byte-order':'big-endian','alignment':64"),
		  "{f:flt64be@64}@64" },
		{ BITS("floating-point-number", "'length':160,'byte-order':'big-endian'"), "{f:flt160be}" },
	};

	CHECK(rows);
}

Test(ctf2_type, bit_arrays_refused)
{
	static const struct row rows[] = {
		{ BITS("unsigned-integer", "'byte-order':'big-endian'"),
		  AT("5:27", "0].field-class: the property \"length\" is missing") },
		{ BITS("unsigned-integer", "'length':8"),
		  AT("5:27", "0].field-class: the property \"byte-order\" is missing") },
		{ BITS("unsigned-integer", "'length':0,'byte-order':'big-endian'"),
		  AT("5:76", "0].field-class.length: a length must be a positive number of bits, not 0") },
		{ BITS("unsigned-integer", "'length':-8,'byte-order':'big-endian'"),
		  AT("5:76", "0].field-class.length: must not be negative: -8") },
		{ BITS("unsigned-integer", "'length':2.0,'byte-order':'big-endian'"),
		  AT("5:76", "0].field-class.length: must be an integer, not 2.0") },
		{ BITS("unsigned-integer", "'length':true,'byte-order':'big-endian'"),
		  AT("5:76", "0].field-class.length: must be an integer, not true") },
		{ BITS("unsigned-integer", "'length':18446744073709551616,'byte-order':'big-endian'"),
		  AT("5:76", "0].field-class.length: does not fit into 64 bits: 18446744073709551616") },
		{ BITS("unsigned-integer", "'length':8,'byte-order':'native'"),
		  AT("5:91", "0].field-class.byte-order: must be \"little-endian\" or \"big-endian\", "
		     "not \"native\"") },
		{ BITS("unsigned-integer", LE8 ",'bit-order':'LE'"),
		  AT("5:119", "0].field-class.bit-order: must be \"first-to-last\" or "
		     "\"last-to-first\", not \"LE\"") },
		{ BITS("unsigned-integer", LE8 ",'alignment':0"),
		  AT("5:119", "0].field-class.alignment: an alignment must be a power of two, not 0") },
		{ BITS("unsigned-integer", LE8 ",'alignment':24"),
		  AT("5:119", "0].field-class.alignment: an alignment must be a power of two, not 24") },
		{ BITS("unsigned-integer", LE8 ",'alignment':4294967296"),
		  AT("5:119", "0].field-class.alignment: an alignment of 4294967296 bits exceeds the "
		     "limit of tnav") },
		{ BITS("unsigned-integer", LE8 ",'preferred-display-base':3"),
		  AT("5:132", "0].field-class.preferred-display-base: a display base must be 2, 8, 10 or 16, not 3") },
		{ BITS("bit-map", LE8),
		  AT("5:27", "0].field-class: the property \"flags\" is missing") },
		{ BITS("bit-map", LE8 ",'flags':{}"),
		  AT("5:106", "0].field-class.flags: a bit map needs at least one flag") },
		{ BITS("bit-map", LE8 ",'flags':{'R':[]}"),
		  AT("5:111", "0].field-class.flags.R: a range set needs at least one range") },
		{ BITS("floating-point-number", "'length':80,'byte-order':'big-endian'"),
		  AT("5:81", "0].field-class.length: a floating point number must have 16, 32, 64, 128 or a larger "
		     "multiple of 32 bits, not 80") },
		{ BITS("floating-point-number", "'length':96,'byte-order':'big-endian'"),
		  AT("5:81", "0].field-class.length: a floating point number must have 16, 32, 64, 128 or a larger "
		     "multiple of 32 bits, not 96") },
		{ BITS("enumeration", LE8),
		  AT("5:35", "0].field-class.type: unknown field class type \"fixed-length-enumeration\"") },
	};

	CHECK(rows);
}

#define F(type) "\n{'name':'f','field-class':" type "}"

Test(ctf2_type, leaves)
{
	static const struct row rows[] = {
		{ F("{'type':'variable-length-unsigned-integer'}"), "{f:uleb@8}@8" },
		{ F("{'type':'variable-length-signed-integer','preferred-display-base':8,'mappings':{'a':[[-1,1]]}}"),
		  "{f:slebx8{a=-1..1}@8}@8" },
		{ F(STR), "{f:str@8}@8" },
		{ F("{'type':'null-terminated-string','encoding':'utf-8'}"), "{f:str@8}@8" },
		{ F("{'type':'null-terminated-string','encoding':'utf-16be'}"), "{f:str16be@8}@8" },
		{ F("{'type':'null-terminated-string','encoding':'utf-16le'}"), "{f:str16le@8}@8" },
		{ F("{'type':'null-terminated-string','encoding':'utf-32be'}"), "{f:str32be@8}@8" },
		{ F("{'type':'static-length-string','length':0,'encoding':'utf-32le'}"), "{f:str32le[0]@8}@8" },
		{ F("{'type':'dynamic-length-string','length-field-location':{'origin':'packet-context','path':['cpu']}}"),
		  "{f:str[#0 /packet-context/cpu]@8}@8" },
		{ F("{'type':'static-length-blob','length':3}"), "{f:blob[3]@8}@8" },
		{ F("{'type':'static-length-blob','length':3,'media-type':'image/png'}"), "{f:blob[3](image/png)@8}@8" },
		{ M("n", U8) "," F("{'type':'dynamic-length-blob','length-field-location':{'path':['n']}}"),
		  "{n#0:u8le, f:blob[#0 n]@8}@8" },
		{ F("'byte'"), "{f:u8le}" },
	};

	CHECK(rows);
}

Test(ctf2_type, leaves_refused)
{
	static const struct row rows[] = {
		{ F("{'type':'null-terminated-string','encoding':'UTF-8'}"),
		  AT("5:71", "0].field-class.encoding: an encoding must be utf-8, utf-16be, utf-16le, utf-32be or "
		     "utf-32le, not \"UTF-8\"") },
		{ F("{'type':'static-length-string'}"),
		  AT("5:27", "0].field-class: the property \"length\" is missing") },
		{ F("{'type':'static-length-string','length':-1}"),
		  AT("5:67", "0].field-class.length: must not be negative: -1") },
		{ F("{'type':'dynamic-length-string'}"),
		  AT("5:27", "0].field-class: the property \"length-field-location\" is missing") },
		{ F("{'type':'static-length-blob'}"),
		  AT("5:27", "0].field-class: the property \"length\" is missing") },
		{ F("{'type':'static-length-blob','length':1,'media-type':7}"),
		  AT("5:80", "0].field-class.media-type: must be a string, not 7") },
		{ F("{'type':'dynamic-length-blob'}"),
		  AT("5:27", "0].field-class: the property \"length-field-location\" is missing") },
		{ F("{}"),
		  AT("5:27", "0].field-class: the property \"type\" is missing") },
		{ F("{'type':3}"),
		  AT("5:35", "0].field-class.type: must be a string, not 3") },
		{ F("3"),
		  AT("5:27", "0].field-class: must be an object, not 3") },
		{ F("'word'"),
		  AT("5:27", "0].field-class: there is no field class alias \"word\" before this") },
		{ F("{'type':'u8\\u0007\\u00e9'}"),
		  AT("5:35", "0].field-class.type: unknown field class type \"u8?é\"") },
	};

	CHECK(rows);
}

Test(ctf2_type, compounds)
{
	static const struct row rows[] = {
		{ "", "{}" },
		{ F("{'type':'structure'}"), "{f:{}}" },
		{ F("{'type':'structure','minimum-alignment':32}"), "{f:{}@32}@32" },
		{ M("_s", U8) "," M("", U8) "," M("a b", U8), "{_s:u8le, u8le, a b:u8le}" },
		{ F(STRUCT(M("x", STR) "," M("y", U8))), "{f:{x:str@8, y:u8le}@8}@8" },
		{ F("{'type':'static-length-array','length':3,'element-field-class':" U8 "}"), "{f:array[3]<u8le>}" },
		{ F("{'type':'static-length-array','length':0,'minimum-alignment':64,'element-field-class':" STR "}"),
		  "{f:array[0]<str@8>@64}@64" },
		{ M("n", U8) "," F("{'type':'dynamic-length-array','length-field-location':{'path':['n']},"
				   "'element-field-class':'byte'}"), "{n#0:u8le, f:array[#0 n]<u8le>}" },
		{ M("b", B8) "," F("{'type':'optional','selector-field-location':{'path':['b']},'field-class':" STR "}"),
		  "{b#0:bool8le, f:opt<#0 b>str@8}" },
		{ M("n", U8) "," F("{'type':'optional','selector-field-location':{'path':['n']},"
				   "'selector-field-ranges':[[1,5],[9,9]],'field-class':" U8 "}"),
		  "{n#0:u8le, f:opt<#0 n 1..5|9..9>u8le}" },
		{ M("n", S8) "," F("{'type':'optional','selector-field-location':{'path':['n']},"
				   "'selector-field-ranges':[[-3,5]],'field-class':" U8 "}"),
		  "{n#0:s8le, f:opt<#0s n -3..5>u8le}" },
		{ M("n", U8) "," F("{'type':'variant','selector-field-location':{'path':['n']},'options':["
				   "{'name':'a','selector-field-ranges':[[0,3]],'field-class':" U8 "},"
				   "{'selector-field-ranges':[[4,18446744073709551615]],'field-class':" STR "}]}"),
		  "{n#0:u8le, f:var<#0 n>{a(0..3):u8le, (4..18446744073709551615):str@8}}" },
		{ M("n", S8) "," F("{'type':'variant','selector-field-location':{'path':['n']},'options':["
				   "{'selector-field-ranges':[[-9223372036854775808,-1]],'field-class':" U8 "}]}"),
		  "{n#0:s8le, f:var<#0s n>{(-9223372036854775808..-1):u8le}}" },
	};

	CHECK(rows);
}

#define OPT(location, more) "{'type':'optional','selector-field-location':" location "," more "'field-class':" U8 "}"
#define VAR(location, options) "{'type':'variant','selector-field-location':" location ",'options':[" options "]}"
#define O(ranges, type) "{'selector-field-ranges':" ranges ",'field-class':" type "}"
#define BLOB(location) "{'type':'dynamic-length-blob','length-field-location':" location "}"

Test(ctf2_type, compounds_refused)
{
	static const struct row rows[] = {
		{ F("{'type':'structure','member-classes':{}}"),
		  AT("5:64", "0].field-class.member-classes: must be an array, not {}") },
		{ F("{'type':'structure','member-classes':[7]}"),
		  AT("5:65", "0].field-class.member-classes[0]: must be an object, not 7") },
		{ F("{'type':'structure','member-classes':[{'field-class':" U8 "}]}"),
		  AT("5:65", "0].field-class.member-classes[0]: the property \"name\" is missing") },
		{ F("{'type':'structure','member-classes':[{'name':'x'}]}"),
		  AT("5:65", "0].field-class.member-classes[0]: the property \"field-class\" is missing") },
		{ F("{'type':'structure','minimum-alignment':3}"),
		  AT("5:67", "0].field-class.minimum-alignment: an alignment must be a power of two, "
		     "not 3") },
		{ M("a", U8) "," M("b", U8) "," M("a", U8),
		  AT("4:314", "2].name: there is already a member \"a\"") },
		{ F("{'type':'static-length-array','length':3}"),
		  AT("5:27", "0].field-class: the property \"element-field-class\" is missing") },
		{ F("{'type':'static-length-array','element-field-class':" U8 "}"),
		  AT("5:27", "0].field-class: the property \"length\" is missing") },
		{ F("{'type':'dynamic-length-array','element-field-class':" U8 "}"),
		  AT("5:27", "0].field-class: the property \"length-field-location\" is missing") },
		{ M("n", U8) "," F(OPT("{'path':['n']}", "")),
		  AT("5:27", "1].field-class: the property \"selector-field-ranges\" is missing: the "
		     "selector is an integer") },
		{ M("n", STR) "," F(OPT("{'path':['n']}", "")),
		  AT("5:72", "1].field-class.selector-field-location: \"n\" is a string: a selector "
		     "must be a boolean or an integer of at most 64 bits") },
		{ F("{'type':'optional','field-class':" U8 "}"),
		  AT("5:27", "0].field-class: the property \"selector-field-location\" is missing") },
		{ M("b", B8) "," F("{'type':'optional','selector-field-location':{'path':['b']}}"),
		  AT("5:27", "1].field-class: the property \"field-class\" is missing") },
		{ M("n", U8) "," F(OPT("{'path':['n']}", "'selector-field-ranges':[],")),
		  AT("5:111", "1].field-class.selector-field-ranges: a range set needs at least one "
		     "range") },
		{ M("n", U8) "," F(OPT("{'path':['n']}", "'selector-field-ranges':[[2,1]],")),
		  AT("5:112", "1].field-class.selector-field-ranges[0]: the lower end of a range is "
		     "above its upper end: [2,1]") },
		{ M("n", U8) "," F(OPT("{'path':['n']}", "'selector-field-ranges':[[1]],")),
		  AT("5:112", "1].field-class.selector-field-ranges[0]: a range must have two integers, not "
		     "1: [1]") },
		{ M("n", U8) "," F(OPT("{'path':['n']}", "'selector-field-ranges':[[1,2.5]],")),
		  AT("5:115", "1].field-class.selector-field-ranges[0][1]: must be an integer, not 2.5") },
		{ M("n", U8) "," F(VAR("{'path':['n']}", "")),
		  AT("5:96", "1].field-class.options: a variant needs at least one option") },
		{ M("n", U8) "," F("{'type':'variant','selector-field-location':{'path':['n']}}"),
		  AT("5:27", "1].field-class: the property \"options\" is missing") },
		{ M("n", U8) "," F(VAR("{'path':['n']}", "{'field-class':" U8 "}")),
		  AT("5:97", "1].field-class.options[0]: the property \"selector-field-ranges\" is "
		     "missing") },
		{ M("n", U8) "," F(VAR("{'path':['n']}", "{'selector-field-ranges':[[1,1]]}")),
		  AT("5:97", "1].field-class.options[0]: the property \"field-class\" is missing") },
		{ M("b", B8) "," F(VAR("{'path':['b']}", O("[[1,1]]", U8))),
		  AT("5:71", "1].field-class.selector-field-location: \"b\" is a boolean: a selector "
		     "must be an integer of at most 64 bits") },
		{ M("n", U8) "," F(VAR("{'path':['n']}",
				       "{'name':'x','selector-field-ranges':[[1,1]],'field-class':" U8 "},"
				       "{'name':'x','selector-field-ranges':[[2,2]],'field-class':" U8 "}")),
		  AT("5:245", "1].field-class.options[1].name: there is already an option \"x\"") },
		{ M("n", S8) "," F(BLOB("{'path':['n']}")),
		  AT("5:81", "1].field-class.length-field-location: \"n\" is a signed integer: a "
		     "length must be an unsigned integer of at most 64 bits") },
		{ M("n", B8) "," F(BLOB("{'path':['n']}")),
		  AT("5:81", "1].field-class.length-field-location: \"n\" is a boolean: a length must "
		     "be an unsigned integer of at most 64 bits") },
		{ M("n", "{'type':'fixed-length-unsigned-integer','length':65,'byte-order':'big-endian'}") ","
		  F(BLOB("{'path':['n']}")),
		  AT("5:81", "1].field-class.length-field-location: \"n\" is an integer longer than 64 "
		     "bits: a length must be an unsigned integer of at most 64 bits") },
	};

	CHECK(rows);
}

Test(ctf2_type, warnings)
{
	static const struct row rows[] = {
		{ M("b", B8) "," F(OPT("{'path':['b']}", "'selector-field-ranges':[[1,1]],")),
		  "{b#0:bool8le, f:opt<#0 b>u8le}",
		  AT("5:111", "1].field-class.selector-field-ranges: the ranges are ignored: the "
		     "selector is a boolean\n") },
		{ M("n", U8) "," F(VAR("{'path':['n']}", O("[[1,5]]", U8) "," O("[[8,8],[5,6]]", STR))),
		  "{n#0:u8le, f:var<#0 n>{(1..5):u8le, (8..8|5..6):str@8}}",
		  AT("5:226", "1].field-class.options[1]: the selector ranges overlap the ranges of option "
		     "0, which has priority\n") },
		{ M("n", S8) "," F(VAR("{'path':['n']}", O("[[-5,5]]", U8) "," O("[[-9,-5]]", STR))),
		  "{n#0:s8le, f:var<#0s n>{(-5..5):u8le, (-9..-5):str@8}}",
		  AT("5:227", "1].field-class.options[1]: the selector ranges overlap the ranges of option "
		     "0, which has priority\n") },
		{ BITS("unsigned-integer", LE8 ",'colour':'red'"),
		  "{f:u8le}",
		  AT("5:116", "0].field-class.colour: unknown property, ignored\n") },
		{ BITS("unsigned-integer", LE8 ",'roles':['packet-magic-number']"),
		  "{f:u8le}",
		  AT("5:116", "0].field-class.roles[0]: the role \"packet-magic-number\" is ignored: "
		     "it has no meaning in this scope\n") },
		{ BITS("unsigned-integer", LE8 ",'roles':['event-record-class-id','boss']"),
		  "{f:u8le}",
		  AT("5:116", "0].field-class.roles[0]: the role \"event-record-class-id\" is ignored: "
		     "it has no meaning in this scope\n") AT("5:140", "0].field-class.roles[1]: unknown role \"boss\": "
		     "ignored\n") },
		{ BITS("signed-integer", LE8 ",'roles':['event-record-class-id']"),
		  "{f:s8le}",
		  AT("5:113", "0].field-class.roles: roles of a signed integer are ignored\n") },
		{ BITS("unsigned-integer", LE8 ",'extensions':{'x.org':{'y':1}}"),
		  "{f:u8le}",
		  AT("5:129", "0].field-class.extensions[\"x.org\"]: the extension \"y\" is ignored: "
		     "the preamble does not declare it\n") },
		{ BITS("unsigned-integer", LE8 ",'extensions':{'x.org':{}}"), "{f:u8le}" },
		{ BITS("unsigned-integer", LE8 ",'mappings':{'a':[[-2,3],[-9,-4]],'b':[[18446744073709551616,"
		       "18446744073709551617]],'c':[[255,99999999999999999999]]}"),
		  "{f:u8le{a=0..3,b=,c=255..18446744073709551615}}",
		  AT("5:124", "0].field-class.mappings.a[0]: a negative bound of unsigned values never "
		     "matches: [-2,3]\n") AT("5:131", "0].field-class.mappings.a[1]: a negative bound "
		     "of unsigned values never matches: [-9,-4]\n") },
		{ BITS("signed-integer", LE8 ",'mappings':{'a':[[-99999999999999999999,-9223372036854775809],[-9223372036854775809,"
		       "9223372036854775808]],'b':[[9223372036854775808,9223372036854775809]]}"),
		  "{f:s8le{a=-9223372036854775808..9223372036854775807,b=}}" },
		{ BITS("bit-map", LE8 ",'flags':{'far':[[7,8]]}"),
		  "{f:map8le{far=7..8}}",
		  AT("5:114", "0].field-class.flags.far[0]: a bit after the end of a bit map of 8 "
		     "bits: [7,8]\n") },
		{ BITS("unsigned-enumeration", LE8 ",'mappings':{'a':[[1,1]]}") "," M("n", U8) ","
		  M("g", BLOB("['n']")) "," M("h", BLOB("['packet-context','cpu']")),
		  "{f:u8le{a=1..1}, n#1:u8le, g:blob[#1 n]@8, h:blob[#0 /packet-context/cpu]@8}@8",
		  AT("5:35", "0].field-class.type: a property of a CTF 2 release candidate, read as an "
		     "integer with mappings (reported once)\n") },
	};

	CHECK(rows);
}

#define ARRAY(type) "{'type':'static-length-array','length':2,'element-field-class':" type "}"
#define STRSEL(location) "{'type':'optional','selector-field-location':{'path':['b']},'field-class':" STRUCT(location) "}"

Test(ctf2_type, locations)
{
	static const struct row rows[] = {
		/* The parent structure, and its parent. */
		{ M("n", U8) "," F(STRUCT(M("x", BLOB("{'path':[null,'n']}")))), "{n#0:u8le, f:{x:blob[#0 ../n]@8}@8}@8" },
		{ M("n", U8) "," F(STRUCT(M("y", STRUCT(M("x", BLOB("{'path':[null,null,'n']}")))))),
		  "{n#0:u8le, f:{y:{x:blob[#0 ../../n]@8}@8}@8}@8" },
		/* Down and up again. */
		{ M("n", U8) "," M("q", STRUCT(M("z", U8))) "," F(BLOB("{'path':['q',null,'n']}")),
		  "{n#0:u8le, q:{z:u8le}, f:blob[#0 q/../n]@8}@8" },
		{ M("q", STRUCT(M("z", U8))) "," F(BLOB("{'path':['q','z']}")),
		  "{q:{z#0:u8le}, f:blob[#0 q/z]@8}@8" },
		/* Arrays, variants and optionals on the way up take no null. */
		{ M("n", U8) "," F(ARRAY(STRUCT(M("x", BLOB("{'path':[null,'n']}"))))),
		  "{n#0:u8le, f:array[2]<{x:blob[#0 ../n]@8}@8>@8}@8" },
		{ M("n", U8) "," F(ARRAY(ARRAY(BLOB("{'path':['n']}")))),
		  "{n#0:u8le, f:array[2]<array[2]<blob[#0 n]@8>@8>@8}@8" },
		{ F(ARRAY(STRUCT(M("n", U8) "," M("x", BLOB("{'path':['n']}"))))),
		  "{f:array[2]<{n#0:u8le, x:blob[#0 n]@8}@8>@8}@8" },
		{ F(ARRAY(STRUCT(M("n", U8) "," M("x", BLOB("{'origin':'event-record-payload','path':['f','n']}"))))),
		  "{f:array[2]<{n#0:u8le, x:blob[#0 /event-record-payload/f/n]@8}@8>@8}@8" },
		{ M("n", U8) "," F(VAR("{'path':['n']}", O("[[1,1]]", STRUCT(M("x", BLOB("{'path':[null,'n']}")))))),
		  "{n#0:u8le, f:var<#0 n>{(1..1):{x:blob[#0 ../n]@8}@8}}" },
		{ M("n", U8) "," F(VAR("{'path':['n']}", O("[[1,1]]", STRUCT(M("k", U8) ","
			M("x", BLOB("{'origin':'event-record-payload','path':['f','k']}")))) ","
			O("[[2,2]]", STR))),
		  "{n#0:u8le, f:var<#0 n>{(1..1):{k#1:u8le, x:blob[#1 /event-record-payload/f/k]@8}@8, "
		     "(2..2):str@8}}" },
		{ M("b", B8) "," F(STRSEL(M("x", OPT("{'path':[null,'b']}", "")))),
		  "{b#0:bool8le, f:opt<#0 b>{x:opt<#0 ../b>u8le}}" },
		/* Through a variant: one slot for all its options; the second one leads nowhere. */
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", U8) "," O("[[2,2]]",
			"{'type':'variable-length-unsigned-integer'}"))) "," F(BLOB("{'path':['v']}")),
		  "{n#0:u8le, v:var<#0 n>{#1(1..1):u8le, #1(2..2):uleb@8}, f:blob[#1 v]@8}@8" },
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", STRUCT(M("k", U8) "," M("x", BLOB("{'path':['k']}"))))
			"," O("[[2,2]]", STRUCT(M("k", U8) "," M("x", BLOB("{'path':['k']}")))))) ","
		  F(BLOB("{'path':['v','k']}")),
		  "{n#0:u8le, v:var<#0 n>{(1..1):{k#1:u8le, x:blob[#1 k]@8}@8, (2..2):{k#1:u8le, "
		     "x:blob[#1 k]@8}@8}, f:blob[#1 v/k]@8}@8" },
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", STRUCT(M("k", U8))) "," O("[[2,2]]", STRUCT(""))))
		  "," F(BLOB("{'path':['v','k']}")),
		  "{n#0:u8le, v:var<#0 n>&2(10){(1..1):{k#1:u8le}, (2..2):{}}, f:blob[#1 v/k]?2@8}@8" },
		/* Through an optional that may be disabled. */
		{ M("b", B8) "," M("o", STRSEL(M("k", U8))) "," F(BLOB("{'path':['o','k']}")),
		  "{b#0:bool8le, o:opt<#0 b>&2(1){k#1:u8le}, f:blob[#1 o/k]?2@8}@8" },
		{ M("b", B8) "," M("o", OPT("{'path':['b']}", "")) "," F(BLOB("{'path':['o']}")) ","
		  M("g", BLOB("{'path':['o']}")),
		  "{b#0:bool8le, o:opt<#0 b>&2(1)&3(1)#1:u8le, f:blob[#1 o]?2@8, g:blob[#1 o]?3@8}@8" },
		/* As many as one likes, each with its own guard, in their order. */
		{ M("b", B8) "," M("o", OPT("{'path':['b']}", "")) "," F(BLOB("{'path':['o']}")) ","
		  M("g", BLOB("{'path':['o']}")) "," M("h", BLOB("{'path':['o']}")) "," M("i", BLOB("{'path':['o']}")) ","
		  M("j", BLOB("{'path':['o']}")),
		  "{b#0:bool8le, o:opt<#0 b>&2(1)&3(1)&4(1)&5(1)&6(1)#1:u8le, f:blob[#1 o]?2@8, g:blob[#1 o]?3@8, "
		     "h:blob[#1 o]?4@8, i:blob[#1 o]?5@8, j:blob[#1 o]?6@8}@8" },
		/* Two lengths by one field. */
		{ M("n", U8) "," F(BLOB("{'path':['n']}")) "," M("g", BLOB("{'path':['n']}")),
		  "{n#0:u8le, f:blob[#0 n]@8, g:blob[#0 n]@8}@8" },
	};

	CHECK(rows);
}

/* Thousands of lengths through one optional take what they are: no more than the metadata may unfold to. */
Test(ctf2_type, many_references_through_one_optional)
{
	struct tn_str text = { 0 };
	struct ctf2_model m;
	const struct tn_type *optional;

	tn_str_puts(&text, "^{'type':'preamble','version':2}^{'type':'data-stream-class'}"
		    "^{'type':'event-record-class','payload-field-class':{'type':'structure','member-classes':["
		    M("b", B8) "," M("o", OPT("{'path':['b']}", "")));
	for (int i = 0; i < 8000; i++)
		tn_str_printf(&text, "," M("f%d", BLOB("{'path':['o']}")), i);
	tn_str_puts(&text, "]}}");
	ctf2_model_build(&m, tn_str_text(&text));
	cr_assert_eq(m.code, TN_OK, "%s", m.error.text);
	optional = m.trace.event_class[0]->payload->type->field[1].type;
	cr_assert_eq(optional->n_guards, 8000);
	for (int i = 0; i < 8000; i++)
		cr_assert(optional->guard[i].slot == i + 2 && optional->guard[i].leads[0], "guard %d", i);
	ctf2_model_release(&m);
	tn_str_release(&text);
}

Test(ctf2_type, locations_refused)
{
	static const struct row rows[] = {
		{ F(BLOB("{'path':[]}")),
		  AT("5:89", "0].field-class.length-field-location.path: the path is empty") },
		{ F(BLOB("{'path':['n',null]}")),
		  AT("5:94", "0].field-class.length-field-location.path[1]: a path must not end with "
		     "null") },
		{ F(BLOB("{'path':['n',3]}")),
		  AT("5:94", "0].field-class.length-field-location.path[1]: must be a string, not 3") },
		{ F(BLOB("{'path':'n'}")),
		  AT("5:89", "0].field-class.length-field-location.path: must be an array, not \"n\"") },
		{ F(BLOB("{}")),
		  AT("5:81", "0].field-class.length-field-location: the property \"path\" is missing") },
		{ F(BLOB("7")),
		  AT("5:81", "0].field-class.length-field-location: must be an object, not 7") },
		{ F(BLOB("{'path':[null]}")),
		  AT("5:90", "0].field-class.length-field-location.path[0]: a path must not end with null") },
		{ F(BLOB("{'origin':'packet','path':['n']}")),
		  AT("5:91", "0].field-class.length-field-location.origin: there is no scope \"packet\"") },
		{ F(BLOB("{'origin':'packet-header','path':['n']}")),
		  AT("5:81", "0].field-class.length-field-location: there is no packet-header here") },
		{ F(BLOB("{'origin':'event-record-header','path':['n']}")),
		  AT("5:81", "0].field-class.length-field-location: there is no event-record-header "
		     "here") },
		{ F(BLOB("{'origin':'packet-context','path':['n']}")),
		  AT("5:116", "0].field-class.length-field-location.path[0]: the path does not lead to a field: "
		     "there is no member \"n\" in the scope") },
		{ F(BLOB("{'origin':'packet-context','path':['neg']}")),
		  AT("5:81", "0].field-class.length-field-location: \"neg\" is a signed integer: a "
		     "length must be an unsigned integer of at most 64 bits") },
		{ F(BLOB("{'path':['n']}")),
		  AT("5:90", "0].field-class.length-field-location.path[0]: the path does not lead to a field: "
		     "there is no member \"n\" in the structure") },
		{ F(BLOB("{'path':[null,'n']}")),
		  AT("5:90", "0].field-class.length-field-location.path[0]: the path does not lead to a field: "
		     "a null element leads out of the scope") },
		{ F(BLOB("{'path':['f']}")),
		  AT("5:90", "0].field-class.length-field-location.path[0]: the path does not lead to a field: "
		     "\"f\" is the field itself") },
		{ F(BLOB("{'path':['n']}")) "," M("n", U8),
		  AT("5:90", "0].field-class.length-field-location.path[0]: the path does not lead to a field: "
		     "\"n\" is decoded later") },
		{ M("n", U8) "," F(STRUCT(M("x", BLOB("{'path':['n']}")))),
		  AT("5:154", "1].field-class.member-classes[0].field-class.length-field-location.path[0]: the path does not lead to a field: there is no member \"n\" in the structure") },
		{ M("n", STRUCT("")) "," F(BLOB("{'path':['n']}")),
		  AT("5:90", "1].field-class.length-field-location.path[0]: the path does not lead to a field: it "
		     "ends at a structure, \"n\"") },
		{ M("n", U8) "," F(BLOB("{'path':['n','m']}")),
		  AT("5:94", "1].field-class.length-field-location.path[1]: the path does not lead to a field: "
		     "\"n\" is not a structure") },
		{ M("a", ARRAY(U8)) "," F(BLOB("{'path':['a']}")),
		  AT("5:90", "1].field-class.length-field-location.path[0]: the path does not lead to a field: it "
		     "leads into an array, \"a\", that does not contain the field") },
		{ M("a", ARRAY(STRUCT(M("n", U8)))) "," F(BLOB("{'path':['a','n']}")),
		  AT("5:90", "1].field-class.length-field-location.path[0]: the path does not lead to a field: it "
		     "leads into an array, \"a\", that does not contain the field") },
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", U8) "," O("[[2,2]]", STR))) ","
		  F(BLOB("{'path':['v']}")),
		  AT("5:81", "2].field-class.length-field-location: \"v\" is a string: a length must "
		     "be an unsigned integer of at most 64 bits") },
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", U8) "," O("[[2,2]]", S8))) ","
		  F(VAR("{'path':['v']}", O("[[2,2]]", U8))),
		  AT("5:71", "2].field-class.selector-field-location: the path leads to fields of different kinds: "
		     "unsigned integer and signed integer") },
		{ M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", STRUCT("")))) "," F(BLOB("{'path':['v','k']}")),
		  AT("5:94", "2].field-class.length-field-location.path[1]: the path does not lead to a field: "
		     "there is no member \"k\" in the structure") },
	};

	CHECK(rows);
}

/* More places than any trace has, and metadata that grow without end. */
Test(ctf2_type, hostile)
{
	struct tn_str s = { 0 };
	struct ctf2_model m;

	/* 200 structures in each other. */
	for (int i = 0; i < 200; i++)
		tn_str_puts(&s, "{'name':'f','field-class':{'type':'structure','member-classes':[");
	tn_str_puts(&s, M("n", U8));
	for (int i = 0; i < 200; i++)
		tn_str_puts(&s, "]}}");
	{
		char *text = metadata(tn_str_text(&s));

		ctf2_model_build(&m, text);
		cr_expect(strstr(m.error.text, "more than 128 nested field classes"), "%s", m.error.text);
		ctf2_model_release(&m);
		free(text);
	}

	/* 40 aliases, each a structure of two of the one before: 2^40 fields. */
	tn_str_clear(&s);
	tn_str_puts(&s, "^{'type':'preamble','version':2}^{'type':'field-class-alias','name':'a0','field-class':" U8 "}");
	for (int i = 1; i <= 40; i++)
		tn_str_printf(&s, "^{'type':'field-class-alias','name':'a%d','field-class':{'type':'structure',"
			      "'member-classes':[{'name':'x','field-class':'a%d'},{'name':'y','field-class':'a%d'}]}}",
			      i, i - 1, i - 1);
	ctf2_model_build(&m, tn_str_text(&s));
	cr_expect(strstr(m.error.text, "expand to more than 33 MiB"), "%s", m.error.text);
	ctf2_model_release(&m);

	/* A path that goes 30 times through a variant of two structures: 2^30 ways. */
	tn_str_clear(&s);
	tn_str_puts(&s, M("n", U8) "," M("v", VAR("{'path':['n']}", O("[[1,1]]", STRUCT(M("k", U8))) ","
						  O("[[2,2]]", STRUCT(M("k", U8))))) ",");
	tn_str_puts(&s, "{'name':'f','field-class':{'type':'dynamic-length-blob','length-field-location':{'path':[");
	for (int i = 0; i < 30; i++)
		tn_str_puts(&s, "'v',null,");
	tn_str_puts(&s, "'n']}}}");
	{
		char *text = metadata(tn_str_text(&s));

		ctf2_model_build(&m, text);
		cr_expect(strstr(m.error.text, "the path has more than 100000 alternatives"), "%s", m.error.text);
		ctf2_model_release(&m);
		free(text);
	}
	tn_str_release(&s);
}
