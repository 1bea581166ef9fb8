/*
 * recorder.c - the ring recorder
 *
 * The buffer is a ring of 32-bit words. A position counts words since the beginning in 64 bits, so it never wraps; a word
 * is at position & mask. Writing has three steps: move `claimed` over the words that will be overwritten, write, move
 * `written` to the end of the record. So a reader that interrupts a step, even in a signal handler, finds complete
 * records between `claimed` - words and `written`.
 *
 * Each block notes the first outermost record that begins in it. A dump begins at the oldest noted record that is still
 * complete, so always at a record, and never inside a nested one.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/recorder.h>

#include "base/error.h"

#define MIN_BLOCKS 4
#define MIN_BLOCK_SIZE 64
#define MAX_BLOCKS 65536
#define USUAL_SIZE 4096
#define USUAL_BLOCKS 8
#define DEPTH 16
#define NO_NOTE UINT64_MAX

/* How the code handles a record; common records need few instructions. */
enum way {
	LONG_WAY,	/* there is a lock */
	CLOCKED,	/* no lock, no open record, and there is a clock */
	OUTSIDE,	/* no lock, no open record, and no clock: records are counted instead */
	INSIDE		/* no lock, and a record is open */
};

struct tn_recorder {
	uint32_t *word;
	uint64_t mask;			/* number of words - 1 */
	uint64_t words;
	enum way way, outside;		/* `outside`: CLOCKED or OUTSIDE */
	int level;
	uint64_t at;			/* position of the next word */
	uint64_t next_note;		/* the first outermost record at or after this is noted: it is the first of its block */
	uint64_t most;			/* limit of words in an outermost record: the ring keeps a block of older ones */
	uint64_t limit;			/* the end that the open outermost record must not exceed */
	_Atomic uint64_t claimed;	/* words before position `claimed` - words are overwritten */
	_Atomic uint64_t written;	/* complete records end here */
	uint32_t (*clock)(void *user);
	void *clock_user;
	uint32_t count;
	unsigned depth;			/* number of open nested records */
	uint64_t open[DEPTH];		/* positions of their headers */
	void (*lock)(void *user), (*unlock)(void *user);
	void *lock_user;
	_Atomic(const void *) owner;	/* the thread that has the lock, because its record is open; NULL: none */
	unsigned block_shift;		/* position >> block_shift: number of the block since the beginning */
	uint64_t n_blocks;
	void *own;			/* the buffer to free */
	_Atomic uint64_t note[];	/* by number of the block, modulo the number of blocks */
};

/* The address of this variable identifies the thread. Its value is not used. */
static _Thread_local char this_thread;

static uint64_t
power_of_two_below(uint64_t n)
{
	uint64_t p = 1;

	while (p * 2 <= n)
		p *= 2;
	return p;
}

enum tn_code
tn_recorder_new(struct tn_recorder **out, void *buffer, size_t size, unsigned blocks, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_recorder *r;
	uint64_t n, bytes;

	*out = NULL;
	size = size ? size : USUAL_SIZE;
	blocks = blocks ? blocks : USUAL_BLOCKS;
	if (size > SIZE_MAX / 4 || blocks > MAX_BLOCKS)
		return tn_fail(err, TN_ERR_ARGUMENT, "a recorder of %zu bytes in %u blocks", size, blocks);
	n = power_of_two_below(blocks > MIN_BLOCKS ? blocks : MIN_BLOCKS);
	bytes = power_of_two_below(size);
	if (bytes < n * MIN_BLOCK_SIZE)
		return tn_fail(err, TN_ERR_ARGUMENT, "a recorder of %zu bytes in %llu blocks: at least %u bytes a block",
			       size, (unsigned long long)n, MIN_BLOCK_SIZE);
	if ((uintptr_t)buffer % 4)
		return tn_fail(err, TN_ERR_ARGUMENT, "the buffer of a recorder is not aligned to 4 bytes");
	r = calloc(1, sizeof *r + n * sizeof *r->note);
	if (!r)
		return tn_fail_memory(err);
	if (!buffer && !(buffer = r->own = calloc(1, bytes))) {
		free(r);
		return tn_fail_memory(err);
	}
	r->word = buffer;
	r->words = bytes / 4;
	r->mask = r->words - 1;
	r->most = r->words - r->words / 4;
	if (r->most > 2 + TN_RECORD_MAX / 4)
		r->most = 2 + TN_RECORD_MAX / 4;
	r->n_blocks = n;
	while ((UINT64_C(1) << r->block_shift) * n < r->words)
		r->block_shift++;
	for (uint64_t i = 0; i < n; i++)
		atomic_init(&r->note[i], NO_NOTE);
	r->level = TN_LEVEL_DEBUG;
	r->way = r->outside = OUTSIDE;
	*out = r;
	return TN_OK;
}

void
tn_recorder_free(struct tn_recorder *r)
{
	if (!r)
		return;
	free(r->own);
	free(r);
}

static void
choose_way(struct tn_recorder *r)
{
	r->outside = r->clock ? CLOCKED : OUTSIDE;
	r->way = r->lock ? LONG_WAY : r->depth ? INSIDE : r->outside;
}

void
tn_recorder_set_clock(struct tn_recorder *r, uint32_t (*clock)(void *user), void *user)
{
	if (!r)
		return;
	r->clock = clock;
	r->clock_user = user;
	choose_way(r);
}

void
tn_recorder_set_lock(struct tn_recorder *r, void (*lock)(void *user), void (*unlock)(void *user), void *user)
{
	if (!r)
		return;
	r->lock = lock;
	r->unlock = unlock;
	r->lock_user = user;
	choose_way(r);
}

void
tn_recorder_set_level(struct tn_recorder *r, enum tn_record_level level)
{
	if (!r)
		return;
	r->level = (int)level;
}

enum tn_record_level
tn_recorder_level(const struct tn_recorder *r)
{
	if (!r)
		return (enum tn_record_level)0;
	return (enum tn_record_level)r->level;
}

static inline uint32_t
header(size_t size, uint8_t id, uint8_t type)
{
	return (uint32_t)size | (uint32_t)id << 16 | (uint32_t)type << 24;
}

static inline void
put(struct tn_recorder *r, uint32_t word)
{
	r->word[r->at++ & r->mask] = word;
}

static void
put_bytes(struct tn_recorder *r, const void *bytes, size_t n)
{
	size_t whole = n / 4 * 4, first;
	uint64_t at = r->at & r->mask;
	uint32_t rest = 0;

	if (!n)
		return;
	first = (r->words - at) * 4 < whole ? (size_t)(r->words - at) * 4 : whole;
	memcpy(&r->word[at], bytes, first);
	memcpy(r->word, (const char *)bytes + first, whole - first);
	r->at += whole / 4;
	if (n > whole) {
		memcpy(&rest, (const char *)bytes + whole, n - whole);
		put(r, rest);
	}
}

/* Move `claimed` over the words that will be overwritten, for a dump that may interrupt this thread. */
static inline void
claim(struct tn_recorder *r, uint64_t words)
{
	atomic_store_explicit(&r->claimed, r->at + words, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

/* Note the outermost record that begins here: it is the first one in its block. */
static void
note(struct tn_recorder *r)
{
	uint64_t block = r->at >> r->block_shift;

	atomic_store_explicit(&r->note[block & (r->n_blocks - 1)], r->at, memory_order_relaxed);
	r->next_note = (block + 1) << r->block_shift;
}

static inline uint32_t
stamp(struct tn_recorder *r)
{
	uint32_t count = r->count++;

	return r->clock ? r->clock(r->clock_user) : count;
}

/* Begin an outermost record of @words words. After this, the ring's oldest part may be overwritten. */
static inline void
start(struct tn_recorder *r, uint64_t words)
{
	claim(r, words);
	if (r->at >= r->next_note)
		note(r);
	put(r, stamp(r));
}

static inline void
finish(struct tn_recorder *r)
{
	atomic_store_explicit(&r->written, r->at, memory_order_release);
}

/* Whether @words more words fit into the open record, or a new record of @words words fits. */
static inline bool
fits(const struct tn_recorder *r, uint64_t words)
{
	return r->depth ? r->at + words <= r->limit : words <= r->most;
}

/* Take the lock, unless a nested record of this thread is open: the thread then has the lock. */
static void
enter(struct tn_recorder *r)
{
	if (r->lock && atomic_load_explicit(&r->owner, memory_order_relaxed) != &this_thread)
		r->lock(r->lock_user);
}

/* Release the lock, unless a nested record is open. */
static void
leave(struct tn_recorder *r)
{
	bool keep = r->depth;

	choose_way(r);
	if (!r->lock)
		return;
	atomic_store_explicit(&r->owner, keep ? &this_thread : NULL, memory_order_relaxed);
	if (!keep && r->unlock)
		r->unlock(r->lock_user);
}

/* Record @size bytes of data. A number of at most four bytes is written as @word. */
static enum tn_code
record_long(struct tn_recorder *r, uint8_t id, uint8_t type, const void *bytes, size_t size, const uint32_t *word)
{
	uint64_t words = 1 + (size + 3) / 4;
	enum tn_code rc = TN_ERR_RANGE;

	if (size > TN_RECORD_MAX)
		return rc;
	if (!bytes && size)
		return TN_ERR_ARGUMENT;
	enter(r);
	if (fits(r, r->depth ? words : words + 1)) {
		if (!r->depth)
			start(r, words + 1);
		else
			claim(r, words);
		put(r, header(size, id, type));
		if (word)
			put(r, *word);
		else
			put_bytes(r, bytes, size);
		if (!r->depth)
			finish(r);
		rc = TN_OK;
	}
	leave(r);
	return rc;
}

/*
 * Handle the records that record_words() does not handle. It is a separate function so that record_words() saves few
 * registers.
 */
static __attribute__((noinline)) enum tn_code
record_words_long(struct tn_recorder *r, uint8_t id, uint8_t type, size_t size, uint64_t data)
{
	uint32_t word[2], *p;
	unsigned n = size > 4 ? 2 : 1;

	memcpy(word, &data, sizeof word);
	if (r->way == CLOCKED && (r->at & r->mask) + 2 + n <= r->words) {
		p = &r->word[r->at & r->mask];
		claim(r, 2 + n);
		if (r->at >= r->next_note)
			note(r);
		*p++ = stamp(r);
		*p++ = header(size, id, type);
		memcpy(p, word, n * sizeof *p);
		r->at += 2 + n;
		finish(r);
		return TN_OK;
	}
	return record_long(r, id, type, word, size, n == 1 ? word : NULL);
}

/*
 * The common case, in few instructions and without a call: 1 or 2 words of data, of which @size bytes are used. The first
 * word contains the first bytes in memory.
 */
static inline enum tn_code
record_words(struct tn_recorder *r, uint8_t id, uint8_t type, size_t size, uint64_t data)
{
	unsigned n = size > 4 ? 2 : 1;
	uint64_t at = r->at;
	uint32_t *p = &r->word[at & r->mask];

	if (r->way == INSIDE && (at & r->mask) + 1 + n <= r->words && at + 1 + n <= r->limit) {
		claim(r, 1 + n);
		p[0] = header(size, id, type);
		memcpy(p + 1, &data, n * sizeof *p);
		r->at = at + 1 + n;
		return TN_OK;
	}
	if (r->way == OUTSIDE && (at & r->mask) + 2 + n <= r->words) {
		claim(r, 2 + n);
		if (at >= r->next_note)
			note(r);
		p[0] = r->count++;
		p[1] = header(size, id, type);
		memcpy(p + 2, &data, n * sizeof *p);
		r->at = at + 2 + n;
		finish(r);
		return TN_OK;
	}
	return record_words_long(r, id, type, size, data);
}

#define FEW 64

/* Copy at most FEW bytes by overlapping moves, which is faster than a call. The rest of the last word is 0. */
static inline void
copy_few(uint32_t *to, const void *bytes, size_t n)
{
	const char *from = bytes;
	char *out = (char *)to;

	if (n % 4)
		to[n / 4] = 0;
	if (n >= 16) {
		char block[4][16];

		memcpy(block[0], from, 16);
		memcpy(block[3], from + n - 16, 16);
		if (n > 32) {
			memcpy(block[1], from + 16, 16);
			memcpy(block[2], from + n - 32, 16);
			memcpy(out + 16, block[1], 16);
			memcpy(out + n - 32, block[2], 16);
		}
		memcpy(out, block[0], 16);
		memcpy(out + n - 16, block[3], 16);
	} else if (n >= 8) {
		uint64_t first, last;

		memcpy(&first, from, 8);
		memcpy(&last, from + n - 8, 8);
		memcpy(out, &first, 8);
		memcpy(out + n - 8, &last, 8);
	} else if (n >= 4) {
		uint32_t first, last;

		memcpy(&first, from, 4);
		memcpy(&last, from + n - 4, 4);
		memcpy(out, &first, 4);
		memcpy(out + n - 4, &last, 4);
	} else {
		for (size_t i = 0; i < n; i++)
			out[i] = from[i];
	}
}

static inline void
copy_many(uint32_t *to, const void *bytes, size_t n)
{
	if (n % 4)
		to[n / 4] = 0;
	if (n)
		memcpy(to, bytes, n);
}

/* Handle the records that record_block() does not handle: more bytes, or a clock. */
static __attribute__((noinline)) enum tn_code
record_block_long(struct tn_recorder *r, uint8_t id, uint8_t type, const void *bytes, size_t size)
{
	uint64_t words = ((uint64_t)size + 3) / 4, at = r->at & r->mask;
	uint32_t *p = &r->word[at];

	if (size <= TN_RECORD_MAX && (bytes || !size) && at + 2 + words <= r->words) {
		if (r->way == r->outside && 2 + words <= r->most) {
			claim(r, 2 + words);
			if (r->at >= r->next_note)
				note(r);
			p[0] = stamp(r);
			p[1] = header(size, id, type);
			copy_many(p + 2, bytes, size);
			r->at += 2 + words;
			finish(r);
			return TN_OK;
		}
		if (r->way == INSIDE && r->at + 1 + words <= r->limit) {
			claim(r, 1 + words);
			p[0] = header(size, id, type);
			copy_many(p + 1, bytes, size);
			r->at += 1 + words;
			return TN_OK;
		}
	}
	return record_long(r, id, type, bytes, size, NULL);
}

/* Like record_words(), for arrays, text and bytes, which are rare. */
static inline enum tn_code
record_block(struct tn_recorder *r, uint8_t id, uint8_t type, const void *bytes, size_t size)
{
	uint64_t words = ((uint64_t)size + 3) / 4, at = r->at;
	uint32_t *p = &r->word[at & r->mask];

	if (size <= FEW && (bytes || !size) && (at & r->mask) + 2 + words <= r->words) {
		if (r->way == OUTSIDE) {	/* the smallest ring has space for FEW bytes */
			claim(r, 2 + words);
			if (at >= r->next_note)
				note(r);
			p[0] = r->count++;
			p[1] = header(size, id, type);
			copy_few(p + 2, bytes, size);
			r->at = at + 2 + words;
			finish(r);
			return TN_OK;
		}
		if (r->way == INSIDE && at + 1 + words <= r->limit) {
			claim(r, 1 + words);
			p[0] = header(size, id, type);
			copy_few(p + 1, bytes, size);
			r->at = at + 1 + words;
			return TN_OK;
		}
	}
	return record_block_long(r, id, type, bytes, size);
}

_Static_assert(2 + FEW / 4 <= MIN_BLOCKS * MIN_BLOCK_SIZE / 4 * 3 / 4, "a record of FEW bytes is at most three quarters of a ring");

/* Small numbers are widened and assigned to a word: vartrace.md, 4. */
#define RECORD_NUMBER(name, c_type, number) \
	enum tn_code \
	tn_record_##name(struct tn_recorder *r, uint8_t id, c_type value) \
	{ \
		uint32_t word = (uint32_t)value; \
		uint64_t data = 0; \
		\
		if (!r) \
			return TN_ERR_ARGUMENT; \
		memcpy(&data, &word, sizeof word); \
		return record_words(r, id, number, sizeof value, data); \
	}

RECORD_NUMBER(i8, int8_t, TN_RECORD_I8)
RECORD_NUMBER(u8, uint8_t, TN_RECORD_U8)
RECORD_NUMBER(i16, int16_t, TN_RECORD_I16)
RECORD_NUMBER(u16, uint16_t, TN_RECORD_U16)
RECORD_NUMBER(i32, int32_t, TN_RECORD_I32)
RECORD_NUMBER(u32, uint32_t, TN_RECORD_U32)

/* All other values are copied to the start of their words. */
#define RECORD_COPY(name, c_type, number) \
	enum tn_code \
	tn_record_##name(struct tn_recorder *r, uint8_t id, c_type value) \
	{ \
		uint64_t data = 0; \
		\
		if (!r) \
			return TN_ERR_ARGUMENT; \
		memcpy(&data, &value, sizeof value); \
		return record_words(r, id, number, sizeof value, data); \
	}

RECORD_COPY(i64, int64_t, TN_RECORD_I64)
RECORD_COPY(u64, uint64_t, TN_RECORD_U64)
RECORD_COPY(float, float, TN_RECORD_FLOAT)
RECORD_COPY(double, double, TN_RECORD_DOUBLE)
RECORD_COPY(bool, bool, TN_RECORD_BYTES)
RECORD_COPY(char, char, TN_RECORD_TEXT)

enum tn_code
tn_record_text(struct tn_recorder *r, uint8_t id, const char *text)
{
	if (!r)
		return TN_ERR_ARGUMENT;
	return record_block(r, id, TN_RECORD_TEXT, text, text ? strlen(text) : 0);
}

enum tn_code
tn_record_bytes(struct tn_recorder *r, uint8_t id, const void *bytes, size_t n)
{
	if (!r)
		return TN_ERR_ARGUMENT;
	return record_block(r, id, TN_RECORD_BYTES, bytes, n);
}

enum tn_code
tn_record_array(struct tn_recorder *r, uint8_t id, uint8_t type, const void *elements, size_t n, size_t element_size)
{
	if (!r)
		return TN_ERR_ARGUMENT;
	if (type == TN_RECORD_NESTED)
		return TN_ERR_ARGUMENT;
	if (n > TN_RECORD_MAX || element_size > TN_RECORD_MAX)	/* otherwise their product does not overflow */
		return n && element_size ? TN_ERR_RANGE : record_block(r, id, type, elements, 0);
	return record_block(r, id, type, elements, n * element_size);
}

static __attribute__((noinline)) enum tn_code
begin_long(struct tn_recorder *r, uint8_t id)
{
	enum tn_code rc = TN_ERR_RANGE;

	enter(r);
	if (r->depth < DEPTH && fits(r, r->depth ? 1 : 2)) {
		if (!r->depth) {
			r->limit = r->at + r->most;
			start(r, 2);
		} else {
			claim(r, 1);
		}
		r->open[r->depth++] = r->at;
		put(r, header(0, id, TN_RECORD_NESTED));
		rc = TN_OK;
	}
	leave(r);
	return rc;
}

enum tn_code
tn_record_begin(struct tn_recorder *r, uint8_t id)
{
	if (!r)
		return TN_ERR_ARGUMENT;

	uint64_t at = r->at;
	uint32_t *p = &r->word[at & r->mask];

	if (r->way != OUTSIDE || (at & r->mask) + 2 > r->words)
		return begin_long(r, id);
	claim(r, 2);
	if (at >= r->next_note)
		note(r);
	p[0] = r->count++;
	p[1] = header(0, id, TN_RECORD_NESTED);
	r->limit = at + r->most;
	r->open[0] = at + 1;
	r->at = at + 2;
	r->depth = 1;
	r->way = INSIDE;
	return TN_OK;
}

/* End the innermost open record, whose size is now known. */
static inline void
close_one(struct tn_recorder *r, uint64_t at)
{
	r->word[at & r->mask] |= (uint32_t)(r->at - at - 1) * 4;
}

static __attribute__((noinline)) enum tn_code
end_long(struct tn_recorder *r)
{
	/* A record that another thread has open must not be ended here. */
	if (r->lock && atomic_load_explicit(&r->owner, memory_order_relaxed) != &this_thread)
		return TN_ERR_ARGUMENT;
	if (!r->depth)
		return TN_ERR_ARGUMENT;
	close_one(r, r->open[--r->depth]);
	if (r->depth)
		return TN_OK;
	finish(r);
	leave(r);
	return TN_OK;
}

enum tn_code
tn_record_end(struct tn_recorder *r)
{
	if (!r)
		return TN_ERR_ARGUMENT;
	if (r->way != INSIDE || r->depth != 1)
		return end_long(r);
	close_one(r, r->open[0]);
	r->depth = 0;
	r->way = r->outside;
	finish(r);
	return TN_OK;
}

size_t
tn_recorder_size(const struct tn_recorder *r)
{
	if (!r)
		return 0;
	return (size_t)r->words * 4;
}

/* The number of words of the outermost record at @at. */
static uint64_t
outermost_words(const struct tn_recorder *r, uint64_t at)
{
	return 2 + ((r->word[(at + 1) & r->mask] & 0xffff) + 3) / 4;
}

size_t
tn_recorder_dump(const struct tn_recorder *r, void *out, size_t room)
{
	if (!r || !out)
		return 0;

	uint64_t written = atomic_load_explicit(&r->written, memory_order_acquire);
	uint64_t claimed = atomic_load_explicit(&r->claimed, memory_order_relaxed);
	uint64_t oldest = claimed > r->words ? claimed - r->words : 0;
	uint64_t from = written, n, first, at;

	for (uint64_t i = 0; i < r->n_blocks; i++) {
		uint64_t note = atomic_load_explicit(&r->note[i], memory_order_relaxed);

		if (note != NO_NOTE && note >= oldest && note < from)
			from = note;
	}
	while (from < written && (written - from) * 4 > room)
		from += outermost_words(r, from);
	n = written - from;
	at = from & r->mask;
	first = r->words - at < n ? r->words - at : n;
	memcpy(out, &r->word[at], (size_t)first * 4);
	memcpy((char *)out + first * 4, r->word, (size_t)(n - first) * 4);
	return (size_t)n * 4;
}
