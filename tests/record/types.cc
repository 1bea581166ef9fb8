/*
 * types.cc - what tn_record() makes of a value in C++: functions of the library that write down how they are called
 *
 * With WRONG defined: an expression that must not compile.
 */
#include <array>
#include <cstdio>
#include <string>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include <tnav/recorder.h>

static std::string said;

static void
say(const char *what, const void *bytes, std::size_t n, unsigned type = 0)
{
	char text[64];

	std::snprintf(text, sizeof text, "%s:%u", what, type);
	said = text;
	for (std::size_t i = 0; i < n; i++) {
		std::snprintf(text, sizeof text, "%s%02x", i ? "" : ":", static_cast<const unsigned char *>(bytes)[i]);
		said += text;
	}
}

#define NUMBER(name, type) \
	enum tn_code tn_record_##name(struct tn_recorder *, uint8_t, type value) { say(#name, &value, sizeof value); return TN_OK; }

extern "C" {
NUMBER(i8, int8_t) NUMBER(u8, uint8_t) NUMBER(i16, int16_t) NUMBER(u16, uint16_t) NUMBER(i32, int32_t) NUMBER(u32, uint32_t)
NUMBER(i64, int64_t) NUMBER(u64, uint64_t) NUMBER(float, float) NUMBER(double, double) NUMBER(bool, bool) NUMBER(char, char)
enum tn_code tn_record_text(struct tn_recorder *, uint8_t, const char *t) { say("text", t, std::string(t).size()); return TN_OK; }
enum tn_code tn_record_bytes(struct tn_recorder *, uint8_t, const void *b, size_t n) { say("bytes", b, n); return TN_OK; }
enum tn_code
tn_record_array(struct tn_recorder *, uint8_t, uint8_t type, const void *elements, size_t n, size_t size)
{
	say("array", elements, n * size, type);
	return TN_OK;
}
}

static int bad;

static void
is(const char *what, const char *wanted)
{
	if (said != wanted) {
		std::printf("%s: %s, not %s\n", what, said.c_str(), wanted);
		bad = 1;
	}
}

#define IS(value, wanted) (tn_record(r, 1, value), is(#value, wanted))

enum plain { ONE = 1 };
enum class scoped : unsigned char { TWO = 2 };
struct own { int x; };

int
main()
{
	struct tn_recorder *r = nullptr;
	unsigned short shorts[2] = { 1, 0x203 };
	const int grid[2][2] = { { 1, 2 }, { 3, 4 } };
	char text[8] = { 'h', 'i' }, full[2] = { 'h', 'i' };
	const char *pointer = "ptr";
	char *writable = text;
	unsigned char raw[2] = { 7, 8 };
	bool flags[2] = { true, false };
	double reals[1] = { 0 };
	int number = 5;
	(void)number, (void)pointer;

	IS(number, "i32:0:05000000");
	IS(true, "bool:0:01");
	IS('x', "char:0:78");
	IS(ONE, sizeof(std::underlying_type<plain>::type) == 4 ? "u32:0:01000000" : "");
	IS(scoped::TWO, "u8:0:02");
	IS("literal", "array:12:6c69746572616c");
	IS(pointer, "text:0:707472");
	IS(writable, "text:0:6869");
	IS(text, "array:12:6869");
	IS(full, "array:12:6869");
	IS(shorts, "array:4:01000302");
	IS(grid, "array:5:01000000020000000300000004000000");
	IS(raw, "array:2:0708");
	IS(flags, "array:255:0100");
	IS(reals, "array:13:0000000000000000");
	IS(std::string("a\0b", 3), "array:12:610062");
	IS((std::vector<int16_t> { 1, 2 }), "array:3:01000200");
	IS(std::vector<float> { 1 }, "array:15:0000803f");
	IS((std::array<uint64_t, 1> { { 1 } }), "array:8:0100000000000000");
	IS(std::vector<long long> {}, "array:7");
#if __cplusplus >= 201703L
	const std::byte bytes[2] = { std::byte { 9 }, std::byte { 10 } };

	IS(bytes, "array:255:090a");
	IS(std::byte { 3 }, "bytes:0:03");
#endif
#if __cplusplus >= 202002L
	IS(std::span(shorts), "array:4:01000302");
#endif
	own object = { 1 }, objects[2] = { { 1 }, { 2 } };
	(void)object, (void)objects;
#ifdef WRONG
	tn_record(r, 1, WRONG);
#endif
	return bad;
}
