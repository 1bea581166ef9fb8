/*
 * tnav/recorder.h - a ring recorder: the last records of a program, in memory
 *
 * The recorder has a fixed buffer in blocks. New records overwrite the oldest ones. A record is a time stamp, a message
 * number, a type and a value. A record can contain several values, and records nest. tnav opens a dump of the buffer as
 * "vartrace".
 *
 * Units      Sizes are bytes. Time stamps have 32 bits, in units of the clock; by default they count records.
 * Ownership  A recorder owns its buffer. If the caller gives a buffer, the recorder borrows it until it is freed.
 * Threads    Without a lock, use a recorder in one thread. To use it in several threads, call tn_recorder_set_lock()
 *            before they start; records of two threads then never mix. tn_recorder_dump() takes no lock: call it while no
 *            other thread records. A signal handler can call it, too; the dump omits an interrupted record.
 * Errors     TN_OK; TN_ERR_RANGE if a record does not fit (no part of it is recorded);
 *            TN_ERR_ARGUMENT for an end without a begin in the same thread. Errors have no text, so that recording is fast.
 * States     object		state			may be called
 *            a recorder	new			tn_recorder_set_...(), then everything
 *              		no record open		all but tn_record_end() (TN_ERR_ARGUMENT)
 *              		a record open (begin was TN_OK)	in its thread: values, tn_record_begin() (16 deep), tn_record_end();
 *              					in others: values and begin wait for the lock
 *              		begin was TN_ERR_RANGE	as before: no record was opened, so do not call tn_record_end()
 *              		freed			nothing
 * Source     the dump format of the vartrace library.
 */
#ifndef TNAV_RECORDER_H
#define TNAV_RECORDER_H

#include <stdbool.h>

#include <tnav/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_recorder;

/* Element types; a program may use 16 to 254 for its own structures. */
enum tn_record_type {
	TN_RECORD_NESTED = 0,	/* made by tn_record_begin() */
	TN_RECORD_I8 = 1, TN_RECORD_U8 = 2, TN_RECORD_I16 = 3, TN_RECORD_U16 = 4,
	TN_RECORD_I32 = 5, TN_RECORD_U32 = 6, TN_RECORD_I64 = 7, TN_RECORD_U64 = 8,
	TN_RECORD_TEXT = 12, TN_RECORD_DOUBLE = 13, TN_RECORD_FLOAT = 15,
	TN_RECORD_BYTES = 255
};

/* The largest value of a record, including nested records and their headers. */
#define TN_RECORD_MAX 65532

/*
 * Levels. Define TN_RECORD_LEVEL before you include this header, to remove calls with higher levels at compile
 * time: with TN_LEVEL_INFO, TN_RECORD(TN_LEVEL_DEBUG, tn_record_u32(r, 7, n)) makes no code and does not
 * evaluate its arguments. Without TN_RECORD_LEVEL, all levels are recorded.
 */
enum tn_record_level { TN_LEVEL_FATAL, TN_LEVEL_ERROR, TN_LEVEL_WARNING, TN_LEVEL_INFO, TN_LEVEL_DEBUG };
#ifndef TN_RECORD_LEVEL
#define TN_RECORD_LEVEL TN_LEVEL_DEBUG
#endif
#define TN_RECORD(level, call) do { if ((level) <= TN_RECORD_LEVEL) (void)(call); } while (0)
/*
 * Like TN_RECORD(), but also checks the level of the recorder, which the program can change at run time.
 */
#define TN_RECORD_TO(recorder, level, call) \
	do { \
		if ((level) <= TN_RECORD_LEVEL && (level) <= (int)tn_recorder_level(recorder)) \
			(void)(call); \
	} while (0)

/*
 * Make a recorder of @size bytes (0: 4096) in @blocks blocks (0: 8). Both are rounded down to powers of two, but
 * to at least 4 blocks of 64 bytes. @buffer must be aligned to 4 bytes; NULL: the recorder allocates it.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_recorder_new(struct tn_recorder **out, void *buffer, size_t size, unsigned blocks, struct tn_error *err);
TN_API void tn_recorder_free(struct tn_recorder *recorder);	/* NULL is allowed */

/* Set a callback that returns the time stamp of each outermost record, under the lock. NULL: count records. */
TN_API void tn_recorder_set_clock(struct tn_recorder *recorder, uint32_t (*clock)(void *user), void *user);

/*
 * Set callbacks that lock and unlock. The recorder calls them before and after each outermost record, but not
 * for nested records of the same thread, so the lock need not be recursive. NULL: no lock.
 */
TN_API void tn_recorder_set_lock(struct tn_recorder *recorder, void (*lock)(void *user), void (*unlock)(void *user),
				 void *user);

/* Set the highest level that TN_RECORD_TO() records. The initial level is TN_LEVEL_DEBUG: all records. */
TN_API void tn_recorder_set_level(struct tn_recorder *recorder, enum tn_record_level level);
TN_API enum tn_record_level tn_recorder_level(const struct tn_recorder *recorder);	/* the level set last */

/* Record a single value, here 8 bits signed. @id is the message number that the program chose, 0 to 255. */
TN_API enum tn_code tn_record_i8(struct tn_recorder *recorder, uint8_t id, int8_t value);
/* 8 bits unsigned. */
TN_API enum tn_code tn_record_u8(struct tn_recorder *recorder, uint8_t id, uint8_t value);
/* 16 bits signed. */
TN_API enum tn_code tn_record_i16(struct tn_recorder *recorder, uint8_t id, int16_t value);
/* 16 bits unsigned. */
TN_API enum tn_code tn_record_u16(struct tn_recorder *recorder, uint8_t id, uint16_t value);
/* 32 bits signed. */
TN_API enum tn_code tn_record_i32(struct tn_recorder *recorder, uint8_t id, int32_t value);
/* 32 bits unsigned. */
TN_API enum tn_code tn_record_u32(struct tn_recorder *recorder, uint8_t id, uint32_t value);
/* 64 bits signed. */
TN_API enum tn_code tn_record_i64(struct tn_recorder *recorder, uint8_t id, int64_t value);
/* 64 bits unsigned. */
TN_API enum tn_code tn_record_u64(struct tn_recorder *recorder, uint8_t id, uint64_t value);
/* A binary32. */
TN_API enum tn_code tn_record_float(struct tn_recorder *recorder, uint8_t id, float value);
/* A binary64. */
TN_API enum tn_code tn_record_double(struct tn_recorder *recorder, uint8_t id, double value);
/* A byte (TN_RECORD_BYTES), because the format does not have booleans. */
TN_API enum tn_code tn_record_bool(struct tn_recorder *recorder, uint8_t id, bool value);
/* A text of one character. */
TN_API enum tn_code tn_record_char(struct tn_recorder *recorder, uint8_t id, char value);
TN_API enum tn_code tn_record_text(struct tn_recorder *recorder, uint8_t id, const char *text);	/* omits the NUL */
/* An object as it is in memory: &object, sizeof object. */
TN_API enum tn_code tn_record_bytes(struct tn_recorder *recorder, uint8_t id, const void *bytes, size_t n);

/* Record @n elements of a type, copied from memory. For structures use a type from 16 to 254. */
TN_API enum tn_code tn_record_array(struct tn_recorder *recorder, uint8_t id, uint8_t type, const void *elements,
				    size_t n, size_t element_size);

/*
 * tn_record(recorder, id, value) selects one of the functions above by the type of the value. A pointer to char is a
 * text. Other pointers do not compile, because the size of the object is unknown; the compiler's message names the
 * function to call.
 *
 * In C++ it also takes arrays and objects that have data() and size() (std::vector, std::array, std::span,
 * std::string), as arrays of their elements: numbers of their type, char as text (up to a NUL in an array),
 * std::byte and bool as bytes.
 */
#ifndef __cplusplus
#define TN_RECORD_OF(value, other) \
	_Generic((value), \
		bool: tn_record_bool, char: tn_record_char, char *: tn_record_text, const char *: tn_record_text, \
		signed char: tn_record_i8, unsigned char: tn_record_u8, \
		short: tn_record_i16, unsigned short: tn_record_u16, int: tn_record_i32, unsigned: tn_record_u32, \
		long: tn_record_i64, unsigned long: tn_record_u64, \
		long long: tn_record_i64, unsigned long long: tn_record_u64, \
		float: tn_record_float, double: tn_record_double, default: other)
struct tn_record_other;
/* No function has this type. It marks values that fit no function above. */
typedef struct tn_record_other *tn_record_none(struct tn_recorder *recorder, uint8_t id, ...);
#define tn_record(recorder, id, value) \
	(sizeof(struct { \
		_Static_assert(_Generic(TN_RECORD_OF(value, (tn_record_none *)0), tn_record_none *: 0, default: 1), \
			       "tn_record() takes numbers and text: call tn_record_array() for elements behind a pointer, " \
			       "tn_record_bytes() for anything else"); \
		int unused; \
	}) ? TN_RECORD_OF(value, (enum tn_code (*)(struct tn_recorder *, uint8_t, ...))0)((recorder), (id), (value)) : TN_OK)
#endif

/*
 * Put all values between these two calls in one record, with one time stamp. Records nest up to 16 deep. TN_ERR_RANGE:
 * there is not enough space, or 16 records are open; no record was opened, so do not call tn_record_end().
 */
TN_API enum tn_code tn_record_begin(struct tn_recorder *recorder, uint8_t id);
TN_API enum tn_code tn_record_end(struct tn_recorder *recorder);	/* TN_ERR_ARGUMENT: no record is open */

/*
 * Copy the complete records in the buffer to @out, the oldest first. If they need more than @room bytes, copy
 * the newest records that fit. Omits an unfinished record. Returns the number of written bytes.
 */
TN_API size_t tn_recorder_dump(const struct tn_recorder *recorder, void *out, size_t room);

/* Size of the buffer in bytes, which is the largest size of a dump. */
TN_API size_t tn_recorder_size(const struct tn_recorder *recorder);

#ifdef __cplusplus
}

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#define TN_RECORD_OVERLOAD(type, name) \
	static inline enum tn_code tn_record(struct tn_recorder *recorder, uint8_t id, type value) \
	{ \
		return tn_record_##name(recorder, id, value); \
	}
TN_RECORD_OVERLOAD(bool, bool)
TN_RECORD_OVERLOAD(char, char)
TN_RECORD_OVERLOAD(signed char, i8)
TN_RECORD_OVERLOAD(unsigned char, u8)
TN_RECORD_OVERLOAD(short, i16)
TN_RECORD_OVERLOAD(unsigned short, u16)
TN_RECORD_OVERLOAD(int, i32)
TN_RECORD_OVERLOAD(unsigned, u32)
TN_RECORD_OVERLOAD(long, i64)
TN_RECORD_OVERLOAD(unsigned long, u64)
TN_RECORD_OVERLOAD(long long, i64)
TN_RECORD_OVERLOAD(unsigned long long, u64)
TN_RECORD_OVERLOAD(float, float)
TN_RECORD_OVERLOAD(double, double)
#undef TN_RECORD_OVERLOAD

namespace tn_record_details {

template <typename T> struct is_byte : std::is_same<T, bool> {};
#if __cplusplus >= 201703L
template <> struct is_byte<std::byte> : std::true_type {};
#endif

/* The type of an element in a record; 0: no such type. */
template <typename T> constexpr uint8_t
type_of()
{
	return is_byte<T>::value ? TN_RECORD_BYTES
		: std::is_same<T, char>::value ? TN_RECORD_TEXT
		: std::is_same<T, float>::value ? TN_RECORD_FLOAT
		: std::is_same<T, double>::value ? TN_RECORD_DOUBLE
		: !std::is_integral<T>::value || sizeof(T) > 8 ? 0
		: static_cast<uint8_t>((sizeof(T) == 1 ? TN_RECORD_I8 : sizeof(T) == 2 ? TN_RECORD_I16
					: sizeof(T) == 4 ? TN_RECORD_I32 : TN_RECORD_I64) + !std::is_signed<T>::value);
}

template <typename T> enum tn_code
elements(struct tn_recorder *recorder, uint8_t id, const T *first, std::size_t n)
{
	typedef typename std::remove_cv<T>::type element;

	static_assert(type_of<element>() != 0, "tn_record() takes numbers, text and bytes: call tn_record_array() with a type of "
					       "the program's own for other elements");
	return tn_record_array(recorder, id, type_of<element>(), first, n, sizeof(T));
}

template <typename T> struct never : std::false_type {};

/* Tags that order the overloads: the first one that fits is used. */
struct last {};
struct third : last {};
struct second : third {};
struct first : second {};

template <typename T, std::size_t n> enum tn_code
record(struct tn_recorder *recorder, uint8_t id, const T (&value)[n], first)
{
	typedef typename std::remove_all_extents<T>::type element;
	const element *begin = reinterpret_cast<const element *>(&value);
	const void *end = std::is_same<element, char>::value && std::rank<T>::value == 0 ? std::memchr(begin, 0, n) : nullptr;

	return elements(recorder, id, begin, end ? static_cast<std::size_t>(reinterpret_cast<const element *>(end) - begin)
						 : sizeof value / sizeof(element));
}

template <typename T> auto
record(struct tn_recorder *recorder, uint8_t id, const T &value, second)
	-> decltype(static_cast<void>(value.size()), static_cast<void>(*value.data()), TN_OK)
{
	return elements(recorder, id, value.data(), value.size());
}

template <typename T> typename std::enable_if<std::is_convertible<T, const char *>::value && std::is_pointer<T>::value,
					      enum tn_code>::type
record(struct tn_recorder *recorder, uint8_t id, const T &value, third)
{
	return tn_record_text(recorder, id, value);
}

#if __cplusplus >= 201703L
static inline enum tn_code
record(struct tn_recorder *recorder, uint8_t id, const std::byte &value, third)
{
	return tn_record_bytes(recorder, id, &value, 1);
}
#endif

template <typename T> typename std::enable_if<std::is_enum<T>::value && !is_byte<T>::value, enum tn_code>::type
record(struct tn_recorder *recorder, uint8_t id, const T &value, third)
{
	return tn_record(recorder, id, static_cast<typename std::underlying_type<T>::type>(value));
}

template <typename T> enum tn_code
record(struct tn_recorder *, uint8_t, const T &, last)
{
	static_assert(never<T>::value, "tn_record() takes numbers, text, arrays and what has data() and size(): call "
				      "tn_record_array() for elements behind a pointer, tn_record_bytes() for anything else");
	return TN_ERR_ARGUMENT;
}

}

template <typename T> static inline enum tn_code
tn_record(struct tn_recorder *recorder, uint8_t id, const T &value)
{
	return tn_record_details::record(recorder, id, value, tn_record_details::first());
}
#endif
#endif
