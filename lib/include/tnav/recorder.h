/*
 * tnav/recorder.h - a ring recorder: the last moments of a program, always at hand
 *
 * A fixed buffer in blocks; the oldest records go first. A record is a time stamp, a message number,
 * a type and a value; several values may be bundled under one time stamp, nested to any use. What is
 * dumped describes itself: tnav opens a dump ("vartrace").
 *
 * Units      Sizes are bytes. Time stamps are 32 bits of whatever the clock counts; by default a
 *            counter of records.
 * Ownership  A recorder owns its buffer, unless one was given to it, which it borrows until freed.
 * Threads    None by itself: tn_recorder_set_lock(), before the threads begin; then a record, and all that
 *            is bundled in one, is one thread's: no other's comes between. tn_recorder_dump() takes no lock: call it where no
 *            other thread records. It may be called from a signal handler that interrupted a record
 *            being written: it leaves that one out.
 * Errors     TN_OK, TN_ERR_RANGE when a record cannot be kept whole (nothing of it is recorded),
 *            TN_ERR_ARGUMENT for an end without a beginning in the same thread. Neither formats a text: recording is cheap.
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

/* The most that one record, nested ones with their headers included, can hold. */
#define TN_RECORD_MAX 65532

/*
 * Levels: define TN_RECORD_LEVEL before including this header to drop everything above it at compile
 * time: TN_RECORD(TN_LEVEL_DEBUG, tn_record_u32(r, 7, n)) then costs nothing, its arguments included.
 */
enum tn_record_level { TN_LEVEL_FATAL, TN_LEVEL_ERROR, TN_LEVEL_WARNING, TN_LEVEL_INFO, TN_LEVEL_DEBUG };
#ifndef TN_RECORD_LEVEL
#define TN_RECORD_LEVEL TN_LEVEL_INFO
#endif
#define TN_RECORD(level, call) do { if ((level) <= TN_RECORD_LEVEL) (void)(call); } while (0)
/* The same, and it must not be above the recorder's own level, which can be changed while a program runs. */
#define TN_RECORD_TO(recorder, level, call) \
	do { \
		if ((level) <= TN_RECORD_LEVEL && (level) <= (int)tn_recorder_level(recorder)) \
			(void)(call); \
	} while (0)

/*
 * A recorder of @size bytes (0: 4096) in @blocks blocks (0: 8), both rounded down to powers of two, at
 * least 4 blocks of 64 bytes. @buffer, aligned to 4 bytes, may be NULL: allocated.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_recorder_new(struct tn_recorder **out, void *buffer, size_t size, unsigned blocks, struct tn_error *err);
TN_API void tn_recorder_free(struct tn_recorder *recorder);	/* NULL is allowed */

/* Where time stamps come from; called once for each outermost record, under the lock. NULL: the counter. */
TN_API void tn_recorder_set_clock(struct tn_recorder *recorder, uint32_t (*clock)(void *user), void *user);

/*
 * Called before and after each outermost record; held from tn_record_begin() to its end, in which calls of
 * the same thread do not take it again. It need not be recursive. NULL: none.
 */
TN_API void tn_recorder_set_lock(struct tn_recorder *recorder, void (*lock)(void *user), void (*unlock)(void *user),
				 void *user);

/* What TN_RECORD_TO() lets through; TN_LEVEL_DEBUG, all of it, at the beginning. */
TN_API void tn_recorder_set_level(struct tn_recorder *recorder, enum tn_record_level level);
TN_API enum tn_record_level tn_recorder_level(const struct tn_recorder *recorder);	/* as it was set */

/* Single values. @id is the program's own number for the message, 0 to 255. */
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
/* A byte: the format has no word for truth (TN_RECORD_BYTES). */
TN_API enum tn_code tn_record_bool(struct tn_recorder *recorder, uint8_t id, bool value);
/* A text of one character. */
TN_API enum tn_code tn_record_char(struct tn_recorder *recorder, uint8_t id, char value);
TN_API enum tn_code tn_record_text(struct tn_recorder *recorder, uint8_t id, const char *text);	/* without its NUL */
/* Anything, as it lies in memory: &object, sizeof object. */
TN_API enum tn_code tn_record_bytes(struct tn_recorder *recorder, uint8_t id, const void *bytes, size_t n);

/* @n elements of a type, copied as they are in memory; also structures, under a type of the program's own. */
TN_API enum tn_code tn_record_array(struct tn_recorder *recorder, uint8_t id, uint8_t type, const void *elements,
				    size_t n, size_t element_size);

/*
 * tn_record(recorder, id, value): the one of the above that its type asks for; in C++, where it is
 * overloaded, it is the same.
 */
#ifndef __cplusplus
#define tn_record(recorder, id, value) \
	_Generic((value), \
		bool: tn_record_bool, char: tn_record_char, char *: tn_record_text, const char *: tn_record_text, \
		signed char: tn_record_i8, unsigned char: tn_record_u8, \
		short: tn_record_i16, unsigned short: tn_record_u16, int: tn_record_i32, unsigned: tn_record_u32, \
		long: tn_record_i64, unsigned long: tn_record_u64, \
		long long: tn_record_i64, unsigned long long: tn_record_u64, \
		float: tn_record_float, double: tn_record_double)((recorder), (id), (value))
#endif

/* Everything between these is one record with one time stamp. Pairs nest, up to 16 deep. */
TN_API enum tn_code tn_record_begin(struct tn_recorder *recorder, uint8_t id);
TN_API enum tn_code tn_record_end(struct tn_recorder *recorder);	/* TN_ERR_ARGUMENT: none is open */

/*
 * Copy the whole records that are left, oldest first, to @out; with too little room the newest ones
 * that fit. Returns the bytes written. An unfinished record is left out.
 */
TN_API size_t tn_recorder_dump(const struct tn_recorder *recorder, void *out, size_t room);

/* Bytes of the buffer: no dump is larger. */
TN_API size_t tn_recorder_size(const struct tn_recorder *recorder);

#ifdef __cplusplus
}

#define TN_RECORD_OVERLOAD(type, name) \
	static inline enum tn_code tn_record(struct tn_recorder *recorder, uint8_t id, type value) \
	{ \
		return tn_record_##name(recorder, id, value); \
	}
TN_RECORD_OVERLOAD(bool, bool)
TN_RECORD_OVERLOAD(char, char)
TN_RECORD_OVERLOAD(const char *, text)
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
#endif
#endif
