/* Fragments of CTF 2 metadata, their framing, order and rules. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ctf2_model.h"
#include "in_use.h"

#define PRE "^{'type':'preamble','version':2}\n"
#define DSC "^{'type':'data-stream-class'}\n"
#define U(bits, more) "{'type':'fixed-length-unsigned-integer','length':" bits ",'byte-order':'big-endian'" more "}"
#define S(bits, more) "{'type':'fixed-length-signed-integer','length':" bits ",'byte-order':'big-endian'" more "}"
#define M(name, type) "{'name':'" name "','field-class':" type "}"
#define STRUCT(members) "{'type':'structure','member-classes':[" members "]}"
#define UUID "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255]"

struct row {
	const char *text;
	const char *want;	/* the error, or "" */
	const char *problems;	/* NULL: none */
};

static void
check(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ctf2_model m;

		ctf2_model_build(&m, row[i].text);
		cr_expect_str_eq(m.error.text, row[i].want, "row %zu: %s\n  gives  %s\n  not    %s", i, row[i].text,
				 m.error.text, row[i].want);
		cr_expect_str_eq(tn_str_text(&m.problems), row[i].problems ? row[i].problems : "",
				 "row %zu: %s\n  tells  %s\n  not    %s", i, row[i].text, tn_str_text(&m.problems),
				 row[i].problems ? row[i].problems : "");
		ctf2_model_release(&m);
	}
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

Test(ctf2_build, framing)
{
	static const struct row rows[] = {
		{ PRE DSC, "" },
		{ "^{'type':'preamble','version':2}^{'type':'data-stream-class'}", "" },
		{ "^^^" PRE "^^" DSC "^^\n", "" },
		{ "\n " PRE DSC, "",
		  "metadata:2:2: a byte order mark or white space before the first record separator\n" },
		{ "\xef\xbb\xbf" PRE DSC, "",
		  "metadata:1:2: a byte order mark or white space before the first record separator\n" },
		{ "{'type':'preamble','version':2}\n{'type':'data-stream-class'}", "",
		  "metadata:1:1: no record separator, the byte 1e, before the first fragment\n" },
		{ "\xef\xbb\xbf{'type':'preamble','version':2}{'type':'data-stream-class'}", "",
		  "metadata:1:2: no record separator, the byte 1e, before the first fragment\n" },
		{ "[{'type':'preamble','version':2},\n{'type':'data-stream-class'}]", "",
		  "metadata:1:1: no record separator, the byte 1e, before the first "
		  "fragment\nmetadata:1:1: an array of fragments: write each fragment on its own\n" },
		{ PRE "{'type':'data-stream-class'}", "",
		  "metadata:2:1: no record separator, the byte 1e, before this fragment\n" },
		{ PRE DSC "^{'type':'data-str", "",
		  "metadata:3:1: the last fragment is cut off and is left out\n" },
		{ PRE DSC "^{'type'", "",
		  "metadata:3:1: the last fragment is cut off and is left out\n" },
		{ PRE DSC "^{'type':'data-stream-class','id':1", "",
		  "metadata:3:1: the last fragment is cut off and is left out\n" },
		{ PRE DSC "^{'type':'data-stream-class','id':tr", "",
		  "metadata:3:1: the last fragment is cut off and is left out\n" },
		{ PRE DSC "^{'type':'\xc3", "",
		  "metadata:3:1: the last fragment is cut off and is left out\n" },
	};

	CHECK(rows);
}

Test(ctf2_build, not_json)
{
	static const struct row rows[] = {
		{ "",
		  "metadata: there is no fragment" },
		{ "^\n",
		  "metadata: there is no fragment" },
		{ PRE,
		  "metadata: there is no data stream class" },
		{ PRE "^{'type':'data-stream-class',}\n",
		  "metadata:2:29: fragment 2: this is not JSON: a name in quotes expected, not '}'" },
		{ PRE "^{'type':'data-stream-class' /* no */}\n",
		  "metadata:2:29: fragment 2: this is not JSON: ',' or '}' expected, not '/'" },
		{ PRE "^{'type':'data-stream-class'\n" DSC,
		  "metadata:2:1: fragment 2: this is not JSON: the value does not end before the next record "
		  "separator, the byte 1e" },
		{ PRE "^{'type':'data-stream-class','id':1,'id':2}\n",
		  "metadata:2:36: fragment 2: this is not JSON: the name \"id\" occurs twice" },
		{ PRE "^{'type':\n  'data-stream-class' 'id'}\n",
		  "metadata:3:23: fragment 2: this is not JSON: ',' or '}' expected, not '\"id'" },
		{ PRE "^{'type':'\\u0000'}\n",
		  "metadata:2:10: fragment 2: this is not JSON: \\u0000 in a string" },
		{ PRE "^{'type':'\xff'}\n",
		  "metadata:2:10: fragment 2: this is not JSON: byte ff is not UTF-8" },
		{ PRE "^{'type':'a','id':01}\n",
		  "metadata:2:18: fragment 2: this is not JSON: '01' is not a value" },
		{ PRE "^data-stream-class\n",
		  "metadata:2:1: fragment 2: this is not JSON: 'data-stream-class' is not a value" },
		{ PRE "^'data-stream-class'\n",
		  "metadata:2:1: fragment 2: must be an object, not \"data-stream-class\"" },
		{ PRE "^}\n",
		  "metadata:2:1: fragment 2: this is not JSON: a value expected, not '}'" },
		{ PRE DSC "^{'type':'data-stream-class' 'id",
		  "metadata:3:29: fragment 3: this is not JSON: ',' or '}' expected, not '\"id'" },
		{ PRE "^[[]]\n",
		  "metadata:2:2: fragment 2: must be an object, not []",
		  "metadata:2:1: an array of fragments: write each fragment on its own\n" },
	};

	CHECK(rows);
}

Test(ctf2_build, preamble)
{
	static const struct row rows[] = {
		{ DSC,
		  "metadata:1:1: fragment 1 (data-stream-class): the first fragment must be the preamble" },
		{ "^{'type':'nothing'}",
		  "metadata:1:1: fragment 1 (nothing): the first fragment must be the preamble" },
		{ PRE PRE DSC,
		  "metadata:2:1: fragment 2 (preamble): there is already a preamble" },
		{ PRE "^{'type':'data-stream'}",
		  "metadata:2:9: fragment 2 (data-stream): type: unknown fragment type \"data-stream\"" },
		{ PRE "^{'type':7}",
		  "metadata:2:9: fragment 2: type: must be a string, not 7" },
		{ PRE "^{'id':7}",
		  "metadata:2:1: fragment 2: the property \"type\" is missing" },
		{ "^{'type':'preamble'}",
		  "metadata:1:1: fragment 1 (preamble): the property \"version\" is missing" },
		{ "^{'type':'preamble','version':1}",
		  "metadata:1:30: fragment 1 (preamble): version: the version must be 2, not 1" },
		{ "^{'type':'preamble','version':'2'}",
		  "metadata:1:30: fragment 1 (preamble): version: must be an integer, not \"2\"" },
		{ "^{'type':'preamble','version':2.0}",
		  "metadata:1:30: fragment 1 (preamble): version: must be an integer, not 2.0" },
		{ "^{'type':'preamble','version':2,'uuid':[1,2,3]}",
		  "metadata:1:39: fragment 1 (preamble): uuid: a UUID must have 16 integers, not 3" },
		{ "^{'type':'preamble','version':2,'uuid':[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,256]}",
		  "metadata:1:75: fragment 1 (preamble): uuid[15]: a byte of a UUID must be 0 to 255, not 256" },
		{ "^{'type':'preamble','version':2,'uuid':[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,-1]}",
		  "metadata:1:75: fragment 1 (preamble): uuid[15]: a byte of a UUID must be 0 to 255, not -1" },
		{ "^{'type':'preamble','version':2,'uuid':'00010203'}",
		  "metadata:1:39: fragment 1 (preamble): uuid: must be an array, not \"00010203\"" },
		{ "^{'type':'preamble','version':2,'extensions':{'x.org':{}}}" DSC, "" },
		{ "^{'type':'preamble','version':2,'extensions':{'x.org':{'zip':{'level':1}}}}" DSC,
		  "metadata:1:61: fragment 1 (preamble): extensions[\"x.org\"].zip: the trace needs the "
		  "extension \"zip\" of \"x.org\", which tnav does not know: tnav cannot decode its streams" },
		{ "^{'type':'preamble','version':2,'extensions':[]}" DSC,
		  "metadata:1:45: fragment 1 (preamble): extensions: must be an object, not []" },
		{ "^{'type':'preamble','version':2,'attributes':[]}" DSC,
		  "metadata:1:45: fragment 1 (preamble): attributes: must be an object, not []" },
		{ "[{'fragment':'preamble','version':2,'field-types':[]}]",
		  "metadata:1:2: fragment 1: this is a proposal for CTF 2 from before 2021, which "
		  "tnav does not read",
		  "metadata:1:1: no record separator, the byte 1e, before the first "
		  "fragment\nmetadata:1:1: an array of fragments: write each fragment on its own\n" },
	};

	CHECK(rows);
}

#define ALIAS(name, type) "^{'type':'field-class-alias','name':'" name "','field-class':" type "}\n"

Test(ctf2_build, aliases)
{
	static const struct row rows[] = {
		{ PRE ALIAS("a", U("8", "")) ALIAS("b", "'a'") ALIAS("c", STRUCT(M("x", "'b'"))) DSC, "" },
		{ PRE ALIAS("a", U("8", "")) ALIAS("a", U("9", "")),
		  "metadata:3:36: fragment 3 (field-class-alias): name: there is already a field class "
		  "alias \"a\"" },
		{ PRE ALIAS("a", "'b'") ALIAS("b", U("8", "")),
		  "metadata:2:54: fragment 2 (field-class-alias): field-class: there is no field class "
		  "alias \"b\" before this" },
		{ PRE ALIAS("a", STRUCT(M("x", "'a'"))),
		  "metadata:2:118: fragment 2 (field-class-alias): "
		  "field-class.member-classes[0].field-class: there is no field class alias \"a\" before "
		  "this" },
		{ PRE "^{'type':'field-class-alias','field-class':" U("8", "") "}",
		  "metadata:2:1: fragment 2 (field-class-alias): the property \"name\" is missing" },
		{ PRE "^{'type':'field-class-alias','name':'x'}",
		  "metadata:2:1: fragment 2 (field-class-alias): the property \"field-class\" is missing" },
		{ PRE ALIAS("a", U("0", "")),
		  "metadata:2:103: fragment 2 (field-class-alias): field-class.length: a length must be "
		  "a positive number of bits, not 0" },
		/* An error at a use of an alias has both places. */
		{ PRE ALIAS("a", STRUCT(M("x", "{'type':'dynamic-length-blob','length-field-location':{'path':[null,'n']}}")))
		  DSC "^{'type':'event-record-class','payload-field-class':" STRUCT(M("n", "'a'")) "}",
		  "metadata:2:186: fragment 2 (field-class-alias): "
		  "field-class.member-classes[0].field-class.length-field-location.path[1]: the path does not lead to "
		  "a field: it ends at a structure, \"n\" (used by fragment 4 (event-record-class): "
		  "payload-field-class.member-classes[0].field-class)" },
		{ PRE ALIAS("a", U("8", ",'roles':['default-clock-timestamp']"))
		  "^{'type':'data-stream-class','packet-context-field-class':" STRUCT(M("n", "'a'")) "}",
		  "metadata:2:140: fragment 2 (field-class-alias): field-class.roles[0]: the role "
		  "\"default-clock-timestamp\" needs a data stream class with a default clock class "
		  "(used by fragment 3 (data-stream-class): "
		  "packet-context-field-class.member-classes[0].field-class)" },
	};

	CHECK(rows);
}

#define TC(more) "^{'type':'trace-class'" more "}\n"
#define HEADER(members) TC(",'packet-header-field-class':" STRUCT(members))

Test(ctf2_build, trace_classes)
{
	static const struct row rows[] = {
		{ PRE TC("") DSC, "" },
		{ PRE TC("") TC("") DSC,
		  "metadata:3:1: fragment 3 (trace-class): there is already a trace class" },
		{ PRE DSC TC(""),
		  "metadata:3:1: fragment 3 (trace-class): the trace class must be before the first data stream "
		  "class" },
		{ PRE TC(",'name':7") DSC,
		  "metadata:2:30: fragment 2 (trace-class): name: must be a string, not 7" },
		{ PRE TC(",'environment':[]") DSC,
		  "metadata:2:37: fragment 2 (trace-class): environment: must be an object, not []" },
		{ PRE TC(",'environment':{'a':true}") DSC,
		  "metadata:2:42: fragment 2 (trace-class): environment.a: an entry of the environment must be an "
		  "integer or a string, not true" },
		{ PRE TC(",'environment':{'a':1.5}") DSC,
		  "metadata:2:42: fragment 2 (trace-class): environment.a: an entry of the environment must be an "
		  "integer or a string, not 1.5" },
		{ PRE TC(",'environment':{'a':18446744073709551616}") DSC, "",
		  "metadata:2:42: fragment 2 (trace-class): environment.a: the number does not fit into "
		  "64 bits: shown as the nearest that does\n" },
		{ PRE TC(",'packet-header-field-class':" U("8", "")) DSC,
		  "metadata:2:51: fragment 2 (trace-class): packet-header-field-class: a scope must be a structure, "
		  "not \"unsigned integer\"" },
		{ PRE TC(",'packet-header-field-class':7") DSC,
		  "metadata:2:51: fragment 2 (trace-class): packet-header-field-class: must be an "
		  "object, not 7" },
		{ PRE HEADER(M("a", U("32", ",'roles':['packet-magic-number']"))) DSC, "" },
		{ PRE HEADER(M("a", U("31", ",'roles':['packet-magic-number']"))) DSC,
		  "metadata:2:202: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the magic number "
		  "must be a fixed-length integer of 32 bits" },
		{ PRE HEADER(M("a", U("8", "")) "," M("b", U("32", ",'roles':['packet-magic-number']"))) DSC,
		  "metadata:2:307: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[1].field-class.roles[0]: the magic number "
		  "must be the first member of the packet header" },
		{ PRE HEADER(M("a", STRUCT(M("b", U("32", ",'roles':['packet-magic-number']"))))) DSC,
		  "metadata:2:266: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.member-classes[0].field-class.roles[0]: the magic number must be the first member of the packet header" },
		{ PRE HEADER(M("a", "{'type':'variable-length-unsigned-integer','roles':['packet-magic-number']}")) DSC,
		  "metadata:2:167: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the magic number "
		  "must be a fixed-length integer of 32 bits" },
		{ PRE HEADER(M("a", "{'type':'static-length-blob','length':16,'roles':['metadata-stream-uuid']}")) DSC,
		  "metadata:2:165: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the preamble has no "
		  "\"uuid\" to compare with" },
		{ "^{'type':'preamble','version':2,'uuid':" UUID "}\n"
		  HEADER(M("a", "{'type':'static-length-blob','length':15,'roles':['metadata-stream-uuid']}")) DSC,
		  "metadata:2:165: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the metadata stream "
		  "UUID must be a BLOB of 16 bytes, not 15" },
		{ "^{'type':'preamble','version':2,'uuid':" UUID "}\n"
		  HEADER(M("a", "{'type':'static-length-blob','length':16,'roles':['metadata-stream-uuid']}")) DSC, "" },
		{ PRE HEADER(M("a", "{'type':'static-length-blob','length':16,'roles':['data-stream-id']}")) DSC, "",
		  "metadata:2:165: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"data-stream-id\" is ignored: a BLOB cannot have it\n" },
		{ PRE HEADER(M("a", U("32", ",'roles':['metadata-stream-uuid']"))) DSC, "",
		  "metadata:2:202: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"metadata-stream-uuid\" is ignored: an integer cannot have it\n" },
		{ PRE HEADER(M("a", U("128", ",'roles':['data-stream-id']"))) DSC, "",
		  "metadata:2:203: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"data-stream-id\" is ignored: the integer is longer than 64 bits\n" },
		{ PRE HEADER(M("a", S("32", ",'roles':['data-stream-id']"))) DSC, "",
		  "metadata:2:199: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles: roles of a signed "
		  "integer are ignored\n" },
		{ PRE HEADER(M("a", U("32", ",'roles':'data-stream-id'"))) DSC,
		  "metadata:2:201: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles: must be an array, not "
		  "\"data-stream-id\"" },
		{ PRE HEADER(M("a", U("32", ",'roles':[1]"))) DSC,
		  "metadata:2:202: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.roles[0]: must be a string, "
		  "not 1" },
	};

	CHECK(rows);
}

#define CLOCK(more) "^{'type':'clock-class'," more "}\n"

Test(ctf2_build, clock_classes)
{
	static const struct row rows[] = {
		{ PRE CLOCK("'id':'k','frequency':1") CLOCK("'id':'l','frequency':18446744073709551615") DSC, "" },
		{ PRE CLOCK("'id':'k','frequency':1") CLOCK("'id':'k','frequency':1") DSC,
		  "metadata:3:28: fragment 3 (clock-class): id: there is already a clock class \"k\"" },
		{ PRE CLOCK("'frequency':1") DSC,
		  "metadata:2:1: fragment 2 (clock-class): the property \"id\" is missing" },
		{ PRE CLOCK("'id':'k'") DSC,
		  "metadata:2:1: fragment 2 (clock-class): the property \"frequency\" is missing" },
		{ PRE CLOCK("'id':'k','frequency':0") DSC,
		  "metadata:2:44: fragment 2 (clock-class): frequency: the frequency must be positive, "
		  "not 0" },
		{ PRE CLOCK("'id':'k','frequency':-1") DSC,
		  "metadata:2:44: fragment 2 (clock-class): frequency: must not be negative: -1" },
		{ PRE CLOCK("'id':'k','frequency':1e9") DSC,
		  "metadata:2:44: fragment 2 (clock-class): frequency: must be an integer, not 1e9" },
		{ PRE CLOCK("'id':'k','frequency':1,'origin':'epoch'") DSC,
		  "metadata:2:55: fragment 2 (clock-class): origin: an origin must be \"unix-epoch\" or an "
		  "object, not \"epoch\"" },
		{ PRE CLOCK("'id':'k','frequency':1,'origin':7") DSC,
		  "metadata:2:55: fragment 2 (clock-class): origin: must be an object, not 7" },
		{ PRE CLOCK("'id':'k','frequency':1,'origin':{'name':'n'}") DSC,
		  "metadata:2:55: fragment 2 (clock-class): origin: the property \"uid\" is missing" },
		{ PRE CLOCK("'id':'k','frequency':1,'origin':{'uid':'n'}") DSC,
		  "metadata:2:55: fragment 2 (clock-class): origin: the property \"name\" is missing" },
		{ PRE CLOCK("'id':'k','frequency':10,'offset-from-origin':{'cycles':10}") DSC,
		  "metadata:2:78: fragment 2 (clock-class): offset-from-origin.cycles: must be less than "
		  "the frequency, 10, not 10" },
		{ PRE CLOCK("'id':'k','frequency':10,'offset-from-origin':{'cycles':-1}") DSC,
		  "metadata:2:78: fragment 2 (clock-class): offset-from-origin.cycles: must not be "
		  "negative: -1" },
		{ PRE CLOCK("'id':'k','frequency':10,'offset-from-origin':{'seconds':1.5}") DSC,
		  "metadata:2:79: fragment 2 (clock-class): offset-from-origin.seconds: must be an "
		  "integer, not 1.5" },
		{ PRE CLOCK("'id':'k','frequency':10,'offset-from-origin':7") DSC,
		  "metadata:2:68: fragment 2 (clock-class): offset-from-origin: must be an object, not 7" },
		{ PRE CLOCK("'id':'k','frequency':10,'offset-from-origin':{'seconds':-9223372036854775809}") DSC, "",
		  "metadata:2:79: fragment 2 (clock-class): offset-from-origin.seconds: the offset does "
		  "not fit into 64 bits: the nearest that does is used\n" },
		{ PRE CLOCK("'id':'k','frequency':10,'precision':-1") DSC,
		  "metadata:2:59: fragment 2 (clock-class): precision: must not be negative: -1" },
		{ PRE CLOCK("'id':'k','frequency':10,'accuracy':'good'") DSC,
		  "metadata:2:58: fragment 2 (clock-class): accuracy: must be an integer, not \"good\"" },
		{ PRE CLOCK("'id':'k','name':'n','uid':'u','frequency':10") CLOCK("'id':'l','name':'n','uid':'u','frequency':11")
		  DSC, "",
		  "metadata:3:1: fragment 3 (clock-class): the clock class has the identity of \"k\", "
		  "but another frequency, precision, accuracy or origin\n" },
		{ PRE CLOCK("'id':'k','name':'n','uid':'u','frequency':10") CLOCK("'id':'l','name':'n','uid':'u','frequency':10,"
		  "'offset-from-origin':{'cycles':3}") DSC, "" },
	};

	CHECK(rows);
}

#define STREAM(more) "^{'type':'data-stream-class'" more "}\n"
#define EVENT(more) "^{'type':'event-record-class'" more "}\n"
#define CONTEXT(members) STREAM(",'packet-context-field-class':" STRUCT(members))

Test(ctf2_build, stream_and_event_classes)
{
	static const struct row rows[] = {
		{ PRE DSC DSC,
		  "metadata:3:1: fragment 3 (data-stream-class): there is already a data stream class 0" },
		{ PRE STREAM(",'id':1") STREAM(",'id':1"),
		  "metadata:3:34: fragment 3 (data-stream-class): id: there is already a data stream "
		  "class 1" },
		{ PRE STREAM(",'id':1") DSC, "" },
		{ PRE STREAM(",'id':-1"),
		  "metadata:2:34: fragment 2 (data-stream-class): id: must not be negative: -1" },
		{ PRE STREAM(",'default-clock-class-id':'k'") CLOCK("'id':'k','frequency':1"),
		  "metadata:2:54: fragment 2 (data-stream-class): default-clock-class-id: there is no "
		  "clock class \"k\" before this" },
		{ PRE CLOCK("'id':'k','frequency':1") STREAM(",'default-clock-class-id':'k'"), "" },
		{ PRE STREAM(",'event-record-header-field-class':'x'"),
		  "metadata:2:63: fragment 2 (data-stream-class): event-record-header-field-class: there "
		  "is no field class alias \"x\" before this" },
		{ PRE STREAM(",'event-record-common-context-field-class':" U("8", "")),
		  "metadata:2:71: fragment 2 (data-stream-class): event-record-common-context-field-class: a scope "
		  "must be a structure, not \"unsigned integer\"" },
		{ PRE CONTEXT(M("a", U("64", ",'roles':['default-clock-timestamp']"))),
		  "metadata:2:209: fragment 2 (data-stream-class): "
		  "packet-context-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"default-clock-timestamp\" needs a data stream class with a default clock class" },
		{ PRE CONTEXT(M("a", U("64", ",'roles':['packet-end-default-clock-timestamp']"))),
		  "metadata:2:209: fragment 2 (data-stream-class): "
		  "packet-context-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"packet-end-default-clock-timestamp\" needs a data stream class with a default clock "
		  "class" },
		{ PRE CONTEXT(M("a", U("64", ",'roles':['event-record-class-id']"))), "",
		  "metadata:2:209: fragment 2 (data-stream-class): "
		  "packet-context-field-class.member-classes[0].field-class.roles[0]: the role "
		  "\"event-record-class-id\" is ignored: it has no meaning in this scope\n" },
		{ PRE EVENT(""),
		  "metadata:2:1: fragment 2 (event-record-class): there is no data stream class 0 before "
		  "this" },
		{ PRE DSC EVENT("") EVENT(""),
		  "metadata:4:1: fragment 4 (event-record-class): there is already an event record class "
		  "0 of the data stream class 0" },
		{ PRE DSC EVENT(",'id':7") EVENT(",'id':7"),
		  "metadata:4:35: fragment 4 (event-record-class): id: there is already an event record "
		  "class 7 of the data stream class 0" },
		{ PRE DSC EVENT(",'id':7") EVENT(",'id':8"), "" },
		{ PRE DSC EVENT(",'data-stream-class-id':7"),
		  "metadata:3:53: fragment 3 (event-record-class): data-stream-class-id: there is no "
		  "data stream class 7 before this" },
		{ PRE DSC EVENT(",'payload-field-class':'x'"),
		  "metadata:3:52: fragment 3 (event-record-class): payload-field-class: there is no "
		  "field class alias \"x\" before this" },
		{ PRE DSC EVENT(",'payload-field-class':{'type':'null-terminated-string'}"),
		  "metadata:3:52: fragment 3 (event-record-class): payload-field-class: a scope must be a structure, "
		  "not \"string\"" },
		{ PRE DSC EVENT(",'specific-context-field-class':{'type':'null-terminated-string'}"),
		  "metadata:3:61: fragment 3 (event-record-class): specific-context-field-class: a scope must be a "
		  "structure, not \"string\"" },
		{ PRE DSC EVENT(",'name':null"),
		  "metadata:3:37: fragment 3 (event-record-class): name: must be a string, not null" },
		{ PRE DSC EVENT(",'attributes':{'lttng.org,2009':{'log-level':'loud'}}"), "",
		  "metadata:3:74: fragment 3 (event-record-class): "
		  "attributes[\"lttng.org,2009\"].log-level: there is no log level \"loud\": ignored\n" },
		{ PRE DSC EVENT(",'attributes':{'lttng.org,2009':{'log-level':7}}"), "",
		  "metadata:3:74: fragment 3 (event-record-class): "
		  "attributes[\"lttng.org,2009\"].log-level: there is no log level 7: ignored\n" },
		/* Scopes that are decoded later, in the order of the packet. */
		{ PRE CONTEXT(M("a", "{'type':'dynamic-length-blob','length-field-location':"
			       "{'origin':'event-record-header','path':['x']}}")),
		  "metadata:2:176: fragment 2 (data-stream-class): "
		  "packet-context-field-class.member-classes[0].field-class.length-field-location: the "
		  "scope event-record-header is decoded later" },
		{ PRE HEADER(M("a", "{'type':'dynamic-length-blob','length-field-location':"
			     "{'origin':'packet-context','path':['x']}}")) DSC,
		  "metadata:2:169: fragment 2 (trace-class): "
		  "packet-header-field-class.member-classes[0].field-class.length-field-location: the "
		  "scope packet-context is decoded later" },
	};

	CHECK(rows);
}

#define CHECK_UINT(value, want) cr_expect_eq((uint64_t)(value), (uint64_t)(want), "%s: %" PRIu64, #value, (uint64_t)(value))
#define CHECK_TEXT(value, want) cr_expect_str_eq((value) ? (value) : "(null)", want, "%s: %s", #value, value)

/* The worked example of the format's page, all fragments. */
Test(ctf2_build, model)
{
	struct ctf2_model m;
	struct tn_trace *t = &m.trace;
	const struct tn_clock *c;

	ctf2_model_build(&m,
		"^{'type':'preamble','version':2,'uuid':" UUID "}\n"
		ALIAS("u8", U("8", ",'alignment':8"))
		TC(",'namespace':'example.com,2026','name':'demo','uid':'t1','attributes':{ 'a b': [ 18446744073709551615, ' \\' '] },"
		   "'environment':{'host':'h1','build':-3,'big':18446744073709551615},'packet-header-field-class':" STRUCT(
			M("magic", U("32", ",'roles':['packet-magic-number']")) ","
			M("uuid", "{'type':'static-length-blob','length':16,'roles':['metadata-stream-uuid']}") ","
			M("dsc", "{'type':'variable-length-unsigned-integer','roles':['data-stream-class-id']}") ","
			M("id", U("8", ",'roles':['data-stream-id']"))))
		CLOCK("'id':'k','name':'mono','namespace':'ns','uid':'u','frequency':1000,'origin':'unix-epoch','precision':5,"
		      "'accuracy':7,'description':'tick','offset-from-origin':{'seconds':-5,'cycles':250}")
		CLOCK("'id':'other','frequency':1,'origin':{'namespace':'a','name':'b','uid':'c'}")
		STREAM(",'id':200,'name':'s','default-clock-class-id':'k','packet-context-field-class':" STRUCT(
			M("tot", U("16", ",'roles':['packet-total-length']")) ","
			M("cont", U("16", ",'roles':['packet-content-length']")) ","
			M("beg", U("32", ",'roles':['default-clock-timestamp']")) ","
			M("end", U("32", ",'roles':['packet-end-default-clock-timestamp']")) ","
			M("lost", U("32", ",'roles':['discarded-event-record-counter-snapshot']")) ","
			M("seq", U("32", ",'roles':['packet-sequence-number']")) ","
			M("cpu_id", "'u8'"))
		       ",'event-record-header-field-class':" STRUCT(
			M("id", U("3", ",'roles':['event-record-class-id']")) ","
			M("ts", U("5", ",'roles':['default-clock-timestamp']"))))
		STREAM(",'id':3,'packet-context-field-class':" STRUCT(M("s", STRUCT(
			M("seq", U("32", ",'roles':['packet-sequence-number']")))) ","
			M("len", U("8", ",'roles':['packet-content-length']"))))
		EVENT(",'id':2,'data-stream-class-id':200,'name':'mix','attributes':"
		      "{'lttng.org,2009':{'log-level':'info','emf-uri':'http://x'}}")
		EVENT(",'id':1,'data-stream-class-id':200,'attributes':{'emf-uri':'wrong','babeltrace.org,2020':"
		      "{'log-level':'debug:line'}}")
		EVENT(",'data-stream-class-id':3,'payload-field-class':" STRUCT(
			"{'name':'n','field-class':" U("8", ",'attributes':{'babeltrace.org,2020':{'is-key-only':true}}") "},"
			M("b", "{'type':'dynamic-length-blob','length-field-location':{'path':['n']}}") ","
			M("c", "{'type':'dynamic-length-blob','length-field-location':{'origin':'packet-context','path':['len']}}"))));
	cr_assert_str_eq(m.error.text, "");
	cr_expect_str_eq(tn_str_text(&m.problems), "", "%s", tn_str_text(&m.problems));
	CHECK_TEXT(t->format, "CTF 2");
	cr_expect(t->has_uuid && t->uuid[1] == 1 && t->uuid[15] == 255 && t->big_endian);
	CHECK_TEXT(t->name_space, "example.com,2026");
	CHECK_TEXT(t->own_name, "demo");
	CHECK_TEXT(t->uid, "t1");
	CHECK_TEXT(t->attributes, "{\"a b\":[18446744073709551615,\" \\\" \"]}");
	CHECK_UINT(t->n_env, 3);
	CHECK_TEXT(t->env[0].text, "h1");
	cr_expect(!t->env[1].is_text && t->env[1].number == -3 && !t->env[1].is_unsigned);
	cr_expect(t->env[2].number == -1 && t->env[2].is_unsigned);
	CHECK_TEXT(ctf2_show(&m, t->packet_header), "-{-magic:u32be!magic, -uuid:blob!uuid[16]@8, -dsc:uleb!stream-class@8, "
		   "-id:u8be!stream}@8");

	CHECK_UINT(t->n_clocks, 2);
	c = t->clock[0];
	CHECK_TEXT(c->name, "mono");
	CHECK_TEXT(c->name_space, "ns");
	CHECK_TEXT(c->uid, "u");
	CHECK_TEXT(c->description, "tick");
	cr_expect(c->origin == TN_ORIGIN_UNIX && !c->unnamed);
	CHECK_UINT(c->frequency, 1000);
	CHECK_UINT(c->offset_s, -5);
	CHECK_UINT(c->offset_cycles, 250);
	CHECK_UINT(c->precision, 5);
	CHECK_UINT(c->accuracy, 7);
	CHECK_UINT(tn_clock_ns(c, 240), -4510000000);
	c = t->clock[1];
	CHECK_TEXT(c->name, "other");
	cr_expect(c->origin == TN_ORIGIN_NAMED && c->unnamed);
	CHECK_TEXT(c->origin_name_space, "a");
	CHECK_TEXT(c->origin_name, "b");
	CHECK_TEXT(c->origin_uid, "c");
	CHECK_UINT(c->precision, TN_UNKNOWN);
	CHECK_UINT(c->accuracy, TN_UNKNOWN);

	CHECK_UINT(t->n_stream_classes, 2);
	CHECK_UINT(t->stream_class[0]->id, 200);
	CHECK_TEXT(t->stream_class[0]->name, "s");
	cr_expect(t->stream_class[0]->clock == t->clock[0] && !t->stream_class[1]->clock);
	CHECK_TEXT(ctf2_show(&m, t->stream_class[0]->packet_context), "{-tot:u16be!size, -cont:u16be!content, -beg:u32be!clock!begin, "
		   "-end:u32be!end, -lost:u32be!discarded, -seq:u32be!sequence, cpu_id:u8be!cpu@8}@8");
	CHECK_TEXT(ctf2_show(&m, t->stream_class[0]->event_header), "-{-id:u3be!event-class, -ts:u5be!clock}");
	CHECK_TEXT(ctf2_show(&m, t->stream_class[1]->packet_context), "{-s:{-seq:u32be!sequence}, len#0:u8be!content}");

	CHECK_UINT(t->n_event_classes, 3);
	CHECK_UINT(t->stream_class[0]->n_event_classes, 2);
	CHECK_UINT(t->stream_class[0]->event_class[0]->id, 1);
	CHECK_UINT(t->stream_class[0]->event_class[1]->id, 2);
	CHECK_UINT(t->stream_class[0]->event_class[0]->index, 0);
	CHECK_UINT(t->event_class[1]->log_level, 6);
	CHECK_TEXT(t->event_class[1]->emf_uri, "http://x");
	CHECK_TEXT(t->event_class[1]->name, "mix");
	CHECK_UINT(t->event_class[0]->log_level, 13);
	CHECK_TEXT(t->event_class[0]->emf_uri, "wrong");
	cr_expect(!t->event_class[0]->name);
	cr_expect(t->event_class[2]->log_level == -1 && !t->event_class[2]->emf_uri);
	CHECK_TEXT(ctf2_show(&m, t->event_class[2]->payload), "{-n#1:u8be, b:blob[#1 n]@8, c:blob[#0 /packet-context/len]@8}@8");
	CHECK_UINT(t->n_slots, 2);
	ctf2_model_release(&m);
}

/* Properties of the release candidates, reported once. */
Test(ctf2_build, release_candidates)
{
	struct ctf2_model m;
	struct tn_trace *t = &m.trace;

	ctf2_model_build(&m,
		PRE
		TC(",'uuid':" UUID)
		CLOCK("'name':'mono','frequency':10,'uuid':" UUID ",'origin-is-unix-epoch':true,'offset':{'seconds':3,'cycles':4}")
		STREAM(",'default-clock-class-name':'mono','user-attributes':{'x':1},'event-record-header-field-class':" STRUCT(
			M("id", "{'type':'fixed-length-unsigned-enumeration','length':8,'byte-order':'big-endian',"
			  "'mappings':{'a':[[0,9]]}}")))
		EVENT(",'payload-field-class':" STRUCT(
			M("b", "{'type':'dynamic-length-blob','length-field-location':['event-record-header','id']}") ","
			M("s", STRUCT(M("n", U("8", "")) ","
			  M("b", "{'type':'dynamic-length-blob','length-field-location':['n']}") ","
			  M("c", "{'type':'dynamic-length-blob','length-field-location':[null,'s','n']}"))))));
	cr_assert_str_eq(m.error.text, "");
	CHECK_TEXT(tn_str_text(&m.problems), "metadata:2:30: fragment 2 (trace-class): uuid: a property of a CTF 2 "
		   "release candidate, read as \"uid\" (reported once)\n");
	CHECK_TEXT(t->uid, "00010203-0405-0607-0809-0a0b0c0d0eff");
	CHECK_TEXT(t->clock[0]->name, "mono");
	CHECK_TEXT(t->clock[0]->uid, "00010203-0405-0607-0809-0a0b0c0d0eff");
	cr_expect(t->clock[0]->origin == TN_ORIGIN_UNIX && !t->clock[0]->unnamed);
	CHECK_UINT(t->clock[0]->offset_s, 3);
	CHECK_UINT(t->clock[0]->offset_cycles, 4);
	cr_expect(t->stream_class[0]->clock == t->clock[0]);
	CHECK_TEXT(t->stream_class[0]->attributes, "{\"x\":1}");
	CHECK_TEXT(ctf2_show(&m, t->stream_class[0]->event_header), "{id#0:u8be{a=0..9}}");
	CHECK_TEXT(ctf2_show(&m, t->event_class[0]->payload), "{b:blob[#0 /event-record-header/id]@8, "
		   "s:{n#1:u8be, b:blob[#1 n]@8, c:blob[#1 ../s/n]@8}@8}@8");
	ctf2_model_release(&m);
}

/* Each property with a value of another kind: the error names it, and its place. */
Test(ctf2_build, properties_of_another_kind)
{
	static const struct {
		const char *before, *properties, *value, *after;
	} rows[] = {
		{ PRE "^{'type':'trace-class',", "namespace name uid environment", "5", "}" DSC },
		{ PRE "^{'type':'trace-class',", "attributes extensions packet-header-field-class", "[]", "}" DSC },
		{ PRE "^{'type':'trace-class','environment':{", "a", "[]", "}}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,", "namespace name uid description", "5", "}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,", "precision accuracy offset-from-origin", "'5'", "}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,", "origin", "5", "}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,'origin':{'name':'n','uid':'u',", "namespace", "5", "}}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,'origin':{'uid':'u',", "name", "5", "}}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,'origin':{'name':'n',", "uid", "5", "}}" DSC },
		{ PRE "^{'type':'clock-class','id':'c','frequency':5,'offset-from-origin':{", "seconds cycles", "'5'", "}}" DSC },
		{ PRE "^{'type':'clock-class','id':'c',", "frequency", "'5'", "}" DSC },
		{ PRE "^{'type':'clock-class','frequency':5,", "id", "5", "}" DSC },
		{ PRE "^{'type':'data-stream-class',", "namespace name uid default-clock-class-id", "5", "}" },
		{ PRE "^{'type':'data-stream-class',", "id", "'5'", "}" },
		{ PRE "^{'type':'data-stream-class',", "packet-context-field-class event-record-header-field-class "
		  "event-record-common-context-field-class attributes", "'5'", "}" },
		{ PRE DSC "^{'type':'event-record-class',", "namespace name uid", "5", "}" },
		{ PRE DSC "^{'type':'event-record-class',", "id data-stream-class-id", "'5'", "}" },
		{ PRE DSC "^{'type':'event-record-class',", "payload-field-class specific-context-field-class attributes", "'5'", "}" },
		{ PRE "^{'type':'field-class-alias','field-class':{'type':'null'},", "name", "5", "}" DSC },
		{ PRE "^{'type':'field-class-alias','name':'n',", "field-class", "5", "}" DSC },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char properties[160], *rest = properties;

		snprintf(properties, sizeof properties, "%s", rows[i].properties);
		for (char *property; (property = strsep(&rest, " "));) {
			char text[512];
			struct ctf2_model m;

			snprintf(text, sizeof text, "%s'%s':%s%s", rows[i].before, property, rows[i].value, rows[i].after);
			ctf2_model_build(&m, text);
			cr_expect(strstr(m.error.text, property), "row %zu, %s: %s", i, property, m.error.text);
			cr_expect(strncmp(m.error.text, "metadata:", 9) == 0, "row %zu, %s: %s", i, property, m.error.text);
			ctf2_model_release(&m);
		}
	}
}

/* Each cut of a good metadata stream is an error or a warning, never worse. */
Test(ctf2_build, every_cut)
{
	static const char text[] =
		PRE TC(",'environment':{'a':'\xc3\xa9\\u00e9','b':12345678901234567890}") CLOCK("'id':'k','frequency':1000")
		STREAM(",'default-clock-class-id':'k'") EVENT(",'payload-field-class':" STRUCT(M("x", U("8", ""))));
	char cut[sizeof text];

	for (size_t n = 0; n < sizeof text; n++) {
		struct ctf2_model m;

		memcpy(cut, text, n);
		cut[n] = '\0';
		ctf2_model_build(&m, cut);
		cr_expect(m.code == TN_OK || strstr(m.error.text, "there is no"), "%zu bytes: %s", n, m.error.text);
		ctf2_model_release(&m);
	}
}

#define ENTRIES 5000

/* A long environment: its strings are those of the fragment, whose values are gone. Also where fragments are in one array. */
Test(ctf2_build, long_environments)
{
	static const char *const around[][2] = {
		{ PRE "^{'type':'trace-class','environment':{'e0':0", "}}\n" DSC },
		{ "[{'type':'preamble','version':2},{'type':'trace-class','environment':{'e0':0",
		  "}},{'type':'data-stream-class'}]" },
	};

	for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
		struct tn_str text = { 0 }, want = { 0 };
		struct ctf2_model m;
		size_t before, after;

		tn_str_puts(&text, around[i][0]);
		for (unsigned k = 1; k < ENTRIES; k++)
			tn_str_printf(&text, ",'e\\u00e9-%u':'text\\t%u'", k, k);
		tn_str_puts(&text, around[i][1]);
		cr_assert(!text.failed);
		before = in_use();
		ctf2_model_build(&m, text.text);
		after = in_use();
		cr_assert_eq(m.code, TN_OK, "%zu: %s", i, m.error.text);
		cr_assert_eq(m.trace.n_env, ENTRIES);
		cr_expect_eq(m.trace.env[0].number, 0);
		for (unsigned k = 1; k < ENTRIES; k++) {
			want.n = 0;
			tn_str_printf(&want, "e\xc3\xa9-%u=text\t%u", k, k);
			text.n = 0;
			tn_str_printf(&text, "%s=%s", m.trace.env[k].name, m.trace.env[k].text);
			cr_assert_str_eq(text.text, want.text, "%zu", i);
		}
		cr_expect(after <= before + 50 * ENTRIES + (1 << 17), "%zu: %zu bytes before, %zu behind", i, before, after);
		ctf2_model_release(&m);
		tn_str_release(&text);
		tn_str_release(&want);
	}
}

/* More than a hundred warnings tell nobody anything: the last one says that there are more. */
Test(ctf2_build, warnings_without_end)
{
	struct tn_str text = { 0 };
	struct ctf2_model m;
	size_t lines = 0;

	tn_str_puts(&text, PRE "^{'type':'trace-class','environment':{'e0':0");
	for (unsigned k = 1; k < 150; k++)
		tn_str_printf(&text, ",'e%u':18446744073709551616", k);
	tn_str_puts(&text, "}}\n" DSC);
	cr_assert(!text.failed);
	ctf2_model_build(&m, text.text);
	cr_expect_eq(m.code, TN_OK, "%s", m.error.text);
	for (const char *p = tn_str_text(&m.problems); (p = strchr(p, '\n')); p++)
		lines++;
	cr_expect_eq(lines, 101, "%zu:\n%s", lines, tn_str_text(&m.problems));
	cr_expect(strstr(tn_str_text(&m.problems), "\nmetadata: more than 100 warnings: the others are left out\n"), "%s",
		  tn_str_text(&m.problems));
	ctf2_model_release(&m);
	tn_str_release(&text);
}

/* A text whose fragment ends with a mistake is freed with the fragment. */
Test(ctf2_build, a_long_environment_of_a_wrong_fragment)
{
	struct tn_str text = { 0 };
	struct ctf2_model m;

	tn_str_puts(&text, PRE "^{'type':'trace-class','environment':{'e0':0");
	for (unsigned k = 1; k < ENTRIES; k++)
		tn_str_printf(&text, ",'e%u':'text'", k);
	tn_str_puts(&text, "},'packet-header-field-class':7}\n" DSC);
	cr_assert(!text.failed);
	ctf2_model_build(&m, text.text);
	cr_expect_eq(m.code, TN_ERR_FORMAT);
	cr_expect(strstr(m.error.text, "packet-header-field-class: "), "%s", m.error.text);
	cr_expect_eq(m.trace.n_env, 0);
	ctf2_model_release(&m);
	tn_str_release(&text);
}
