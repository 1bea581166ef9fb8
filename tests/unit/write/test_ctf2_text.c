/* The model of a trace as metadata of CTF 2: what it says is read back as the same model, said in the same words. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/trace.h"
#include "write/draft.h"

static const char metadata[] =
	"\x1e{\"type\":\"preamble\",\"version\":2}"
	"\x1e{\"type\":\"trace-class\",\"namespace\":\"ns\",\"name\":\"a \\\"trace\\\"\",\"uid\":\"\\u0001\\u007f\\\\\","
	"\"environment\":{\"host\":\"h\\n\",\"low\":-5,\"high\":18446744073709551615},"
	"\"packet-header-field-class\":{\"type\":\"structure\",\"member-classes\":["
	"{\"name\":\"u\",\"field-class\":{\"type\":\"static-length-blob\",\"length\":16,\"media-type\":\"x/y\"}}]}}"
	"\x1e{\"type\":\"clock-class\",\"id\":\"c\",\"namespace\":\"cn\",\"name\":\"cc\",\"uid\":\"cu\",\"frequency\":3,"
	"\"origin\":{\"namespace\":\"on\",\"name\":\"oo\",\"uid\":\"ou\"},\"offset-from-origin\":{\"seconds\":-7,\"cycles\":2},"
	"\"precision\":11,\"accuracy\":13,\"description\":\"d\"}"
	"\x1e{\"type\":\"data-stream-class\",\"id\":4,\"namespace\":\"sn\",\"name\":\"s\",\"uid\":\"su\",\"default-clock-class-id\":\"c\","
	"\"event-record-header-field-class\":{\"type\":\"structure\",\"member-classes\":["
	"{\"name\":\"id\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\"big-endian\","
	"\"bit-order\":\"first-to-last\",\"roles\":[\"event-record-class-id\"]}},"
	"{\"name\":\"t\",\"field-class\":{\"type\":\"variable-length-unsigned-integer\",\"roles\":[\"default-clock-timestamp\"]}}]}}"
	"\x1e{\"type\":\"event-record-class\",\"id\":2,\"data-stream-class-id\":4,\"namespace\":\"en\",\"name\":\"e\",\"uid\":\"eu\","
	"\"attributes\":{\"lttng.org,2009\":{\"log-level\":\"debug:line\",\"emf-uri\":\"http://x\"}},"
	"\"specific-context-field-class\":{\"type\":\"structure\",\"member-classes\":["
	"{\"name\":\"n\",\"field-class\":{\"type\":\"fixed-length-signed-integer\",\"length\":8,\"byte-order\":\"little-endian\","
	"\"preferred-display-base\":16,\"mappings\":{\"few\":[[-3,-1],[5,5]]}}}]},"
	"\"payload-field-class\":{\"type\":\"structure\",\"minimum-alignment\":64,\"member-classes\":["
	"{\"name\":\"v\",\"field-class\":{\"type\":\"variant\",\"selector-field-location\":"
	"{\"origin\":\"event-record-specific-context\",\"path\":[\"n\"]},\"options\":["
	"{\"name\":\"low\",\"selector-field-ranges\":[[-128,-1]],\"field-class\":{\"type\":\"null-terminated-string\",\"encoding\":\"utf-16be\"}},"
	"{\"selector-field-ranges\":[[0,5],[9,127]],\"field-class\":{\"type\":\"static-length-array\",\"length\":2,"
	"\"minimum-alignment\":32,\"element-field-class\":{\"type\":\"fixed-length-bit-map\",\"length\":16,\"byte-order\":\"little-endian\","
	"\"bit-order\":\"last-to-first\",\"flags\":{\"f\":[[0,0],[3,4]]}}}}]}},"
	"{\"name\":\"deep\",\"field-class\":{\"type\":\"structure\",\"member-classes\":["
	"{\"name\":\"on\",\"field-class\":{\"type\":\"fixed-length-boolean\",\"length\":8,\"byte-order\":\"little-endian\"}},"
	"{\"name\":\"len\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":5,\"byte-order\":\"little-endian\","
	"\"alignment\":4}}]}},"
	"{\"name\":\"o\",\"field-class\":{\"type\":\"optional\",\"selector-field-location\":"
	"{\"origin\":\"event-record-payload\",\"path\":[\"deep\",\"on\"]},\"field-class\":{\"type\":\"dynamic-length-array\","
	"\"length-field-location\":{\"origin\":\"event-record-payload\",\"path\":[\"deep\",\"len\"]},"
	"\"element-field-class\":{\"type\":\"fixed-length-floating-point-number\",\"length\":32,\"byte-order\":\"big-endian\"}}}},"
	"{\"name\":\"p\",\"field-class\":{\"type\":\"optional\",\"selector-field-location\":"
	"{\"origin\":\"event-record-payload\",\"path\":[\"deep\",\"len\"]},\"selector-field-ranges\":[[1,2],[4,4]],"
	"\"field-class\":{\"type\":\"dynamic-length-blob\","
	"\"length-field-location\":{\"origin\":\"event-record-payload\",\"path\":[\"deep\",\"len\"]}}}}]}}";

static void
say(const char *in, size_t n, struct tn_str *out)
{
	const struct tn_memory_file files[] = { { "metadata", in, n } };
	struct tn_error err;
	struct tn_set *set;

	cr_assert_eq(tn_set_open_memory(&set, files, 1, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_ctf2_text(out, set->trace[0], &err), TN_OK, "%s", err.text);
	tn_set_close(set);
}

Test(ctf2_text, is_read_back)
{
	static const char *const wanted[] = {
		"\"uid\":\"\\u0001\\u007f\\\\\"", "\"name\":\"a \\\"trace\\\"\"", "\"host\":\"h\\u000a\",\"low\":-5,\"high\":18446744073709551615",
		"\"origin\":{\"namespace\":\"on\",\"name\":\"oo\",\"uid\":\"ou\"}", "{\"seconds\":-7,\"cycles\":2}",
		"\"precision\":11,\"accuracy\":13,\"description\":\"d\"", "\"bit-order\":\"first-to-last\"",
		"\"bit-order\":\"last-to-first\"", "\"flags\":{\"f\":[[0,0],[3,4]]}", "\"few\":[[-3,-1],[5,5]]", "\"minimum-alignment\":64",
		"\"minimum-alignment\":32", "\"selector-field-ranges\":[[-128,-1]]", "\"selector-field-ranges\":[[1,2],[4,4]]",
		"\"length-field-location\":{\"origin\":\"event-record-payload\",\"path\":[\"deep\",\"len\"]}",
		"{\"log-level\":\"debug:line\",\"emf-uri\":\"http://x\"}", "\"encoding\":\"utf-16be\"", "\"media-type\":\"x/y\"",
		"\"default-clock-class-id\":\"cc\"", "\"preferred-display-base\":16", "\"alignment\":4",
	};
	struct tn_str first = { 0 }, second = { 0 };

	say(metadata, sizeof metadata - 1, &first);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		cr_expect(strstr(tn_str_text(&first), wanted[i]), "'%s' is not in\n%s", wanted[i], tn_str_text(&first));
	say(tn_str_text(&first), first.n, &second);
	cr_expect_str_eq(tn_str_text(&first), tn_str_text(&second));
	tn_str_release(&first);
	tn_str_release(&second);
}

/* TSDL says where a length is from where it stands; a CTF 2 location names each structure from the scope down, at most 64. */
Test(ctf2_text, field_too_deep_to_name)
{
	enum { LEVELS = 70 };
	struct tn_str deep = { 0 }, out = { 0 };
	struct tn_memory_file file;
	struct tn_error err;
	struct tn_set *set;

	tn_str_puts(&deep, "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { }; event { name = e; fields := ");
	for (int i = 0; i <= LEVELS; i++)
		tn_str_puts(&deep, "struct { ");
	tn_str_puts(&deep, "integer { size = 8; } len; integer { size = 8; } a[len]; ");
	for (int i = 0; i < LEVELS; i++)
		tn_str_puts(&deep, "} s; ");
	tn_str_puts(&deep, "}; };\n");
	file = (struct tn_memory_file) { "metadata", tn_str_text(&deep), deep.n };
	cr_assert_eq(tn_set_open_memory(&set, &file, 1, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_ctf2_text(&out, set->trace[0], &err), TN_ERR_UNSUPPORTED);
	cr_assert_str_eq(err.text, "'a' refers to a field that cannot be found");
	tn_set_close(set);
	tn_str_release(&out);
	tn_str_release(&deep);
}
