/*
 * recorder.c - the ring recorder
 *
 * The buffer is a ring of 32-bit words; positions count words since the beginning and never wrap
 * (64 bits), a word lies at position & mask. Writing goes: move `claimed` over what will be
 * overwritten, write, move `written` to the end of the record. So whoever looks in between, even from
 * a signal handler, knows that whole records lie between claimed - words and written.
 *
 * Each block notes the first outermost record that begins in it. A dump begins at the oldest note
 * whose record is still whole: always at a record, never inside a nested one.
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
#define DEPTH 16
#define NO_NOTE UINT64_MAX

struct tn_recorder {
	uint32_t *word;
	uint64_t mask;			/* words - 1 */
	uint64_t words;
	unsigned block_shift;		/* position >> block_shift: number of its block since the beginning */
	uint64_t n_blocks;
	uint64_t at;			/* where the next word goes */
	_Atomic uint64_t claimed;	/* positions below claimed - words are overwritten */
	_Atomic uint64_t written;	/* whole records end here */
	uint64_t open[DEPTH];		/* positions of the headers of open nested records */
	unsigned depth;			/* how many are open */
	unsigned lost_depth;		/* opened, but did not fit: their ends are to be ignored */
	uint64_t top;			/* where the outermost open record begins */
	uint32_t (*clock)(void *user);
	void *clock_user;
	uint32_t count;
	void (*lock)(void *user), (*unlock)(void *user);
	void *lock_user;
	void *own;			/* buffer to free */
	_Atomic uint64_t note[];	/* by block & (n_blocks - 1) */
};

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
	struct tn_recorder *r;
	uint64_t n, bytes;

	*out = NULL;
	if (size > SIZE_MAX / 4 || blocks > MAX_BLOCKS)
		return tn_fail(err, TN_ERR_ARGUMENT, "a recorder of %zu bytes in %u blocks", size, blocks);
	n = power_of_two_below(blocks > MIN_BLOCKS ? blocks : MIN_BLOCKS);
	bytes = power_of_two_below(size ? size : 1);
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
	r->n_blocks = n;
	while ((UINT64_C(1) << r->block_shift) * n < r->words)
		r->block_shift++;
	for (uint64_t i = 0; i < n; i++)
		atomic_init(&r->note[i], NO_NOTE);
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

void
tn_recorder_set_clock(struct tn_recorder *r, uint32_t (*clock)(void *user), void *user)
{
	r->clock = clock;
	r->clock_user = user;
}

void
tn_recorder_set_lock(struct tn_recorder *r, void (*lock)(void *user), void (*unlock)(void *user), void *user)
{
	r->lock = lock;
	r->unlock = unlock;
	r->lock_user = user;
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

	first = (r->words - at) * 4 < whole ? (size_t)(r->words - at) * 4 : whole;
	memcpy(&r->word[at], bytes, first);
	memcpy(r->word, (const char *)bytes + first, whole - first);
	r->at += whole / 4;
	if (n > whole) {
		memcpy(&rest, (const char *)bytes + whole, n - whole);
		put(r, rest);
	}
}

/* Tell a dump that may interrupt us what is going to be overwritten, before it is. */
static inline void
claim(struct tn_recorder *r, uint64_t words)
{
	atomic_store_explicit(&r->claimed, r->at + words, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

/* Begin an outermost record of @words in all: after this the ring's oldest part may be overwritten. */
static inline void
start(struct tn_recorder *r, uint64_t words)
{
	uint64_t block = r->at >> r->block_shift;
	_Atomic uint64_t *note = &r->note[block & (r->n_blocks - 1)];
	uint64_t noted = atomic_load_explicit(note, memory_order_relaxed);

	r->top = r->at;
	claim(r, words);
	/* A note of an earlier turn of the ring is not of this block. */
	if (noted == NO_NOTE || noted >> r->block_shift != block)
		atomic_store_explicit(note, r->at, memory_order_relaxed);
	put(r, r->clock ? r->clock(r->clock_user) : r->count);
	r->count++;
}

static inline void
finish(struct tn_recorder *r)
{
	atomic_store_explicit(&r->written, r->at, memory_order_release);
}

/* Bytes of data in an open nested record so far. */
static inline uint64_t
inside(const struct tn_recorder *r, unsigned depth)
{
	return (r->at - r->open[depth] - 1) * 4;
}

/* Room for @words more in the record that is open (or a new one): the ring keeps a block for older records. */
static bool
fits(struct tn_recorder *r, uint64_t words)
{
	if (r->depth) {
		/* The outermost is the longest. */
		if (inside(r, 0) + words * 4 > TN_RECORD_MAX)
			return false;
		words += r->at - r->top;
	}
	return words <= r->words - (r->words >> 2);
}

static inline void
lock(struct tn_recorder *r)
{
	if (r->lock && !r->depth && !r->lost_depth)
		r->lock(r->lock_user);
}

static inline void
unlock(struct tn_recorder *r)
{
	if (r->unlock && !r->depth && !r->lost_depth)
		r->unlock(r->lock_user);
}

static enum tn_code
record(struct tn_recorder *r, uint8_t id, uint8_t type, const void *bytes, size_t size)
{
	uint64_t words = 1 + (size + 3) / 4;
	enum tn_code rc = TN_ERR_RANGE;

	if (size > TN_RECORD_MAX)
		return rc;
	lock(r);
	if (r->lost_depth == 0 && fits(r, words + 1)) {
		if (!r->depth)
			start(r, words + 1);
		else
			claim(r, words);
		put(r, header(size, id, type));
		put_bytes(r, bytes, size);
		if (!r->depth)
			finish(r);
		rc = TN_OK;
	}
	unlock(r);
	return rc;
}

/* The common case in few instructions: one word of data, not nested, no lock. */
static inline enum tn_code
record_word(struct tn_recorder *r, uint8_t id, uint8_t type, uint32_t value)
{
	if (r->lock || r->depth || r->lost_depth)
		return record(r, id, type, &value, 4);
	start(r, 3);
	put(r, header(4, id, type));
	put(r, value);
	finish(r);
	return TN_OK;
}

enum tn_code
tn_record_i32(struct tn_recorder *r, uint8_t id, int32_t value)
{
	return record_word(r, id, TN_RECORD_I32, (uint32_t)value);
}

enum tn_code
tn_record_u32(struct tn_recorder *r, uint8_t id, uint32_t value)
{
	return record_word(r, id, TN_RECORD_U32, value);
}

enum tn_code
tn_record_i64(struct tn_recorder *r, uint8_t id, int64_t value)
{
	return record(r, id, TN_RECORD_I64, &value, 8);
}

enum tn_code
tn_record_u64(struct tn_recorder *r, uint8_t id, uint64_t value)
{
	return record(r, id, TN_RECORD_U64, &value, 8);
}

enum tn_code
tn_record_double(struct tn_recorder *r, uint8_t id, double value)
{
	return record(r, id, TN_RECORD_DOUBLE, &value, 8);
}

enum tn_code
tn_record_text(struct tn_recorder *r, uint8_t id, const char *text)
{
	return record(r, id, TN_RECORD_TEXT, text, strlen(text));
}

enum tn_code
tn_record_array(struct tn_recorder *r, uint8_t id, uint8_t type, const void *elements, size_t n, size_t element_size)
{
	if (type == TN_RECORD_NESTED || (element_size && n > TN_RECORD_MAX / element_size))
		return type == TN_RECORD_NESTED ? TN_ERR_ARGUMENT : TN_ERR_RANGE;
	return record(r, id, type, elements, n * element_size);
}

enum tn_code
tn_record_begin(struct tn_recorder *r, uint8_t id)
{
	lock(r);
	if (r->lost_depth || r->depth == DEPTH || !fits(r, 2)) {
		r->lost_depth++;	/* its end belongs to it: what is inside is not recorded either */
		return TN_ERR_RANGE;
	}
	if (!r->depth)
		start(r, 2);
	else
		claim(r, 1);
	r->open[r->depth++] = r->at;
	put(r, header(0, id, TN_RECORD_NESTED));
	return TN_OK;
}

enum tn_code
tn_record_end(struct tn_recorder *r)
{
	uint64_t at;

	if (r->lost_depth) {
		r->lost_depth--;
		unlock(r);
		return TN_OK;
	}
	if (!r->depth)
		return TN_ERR_ARGUMENT;
	at = r->open[r->depth - 1];
	r->word[at & r->mask] |= (uint32_t)inside(r, r->depth - 1);
	if (--r->depth == 0) {
		finish(r);
		unlock(r);
	}
	return TN_OK;
}

size_t
tn_recorder_size(const struct tn_recorder *r)
{
	return (size_t)r->words * 4;
}

/* Words of the outermost record at @at. */
static uint64_t
record_words(const struct tn_recorder *r, uint64_t at)
{
	return 2 + ((r->word[(at + 1) & r->mask] & 0xffff) + 3) / 4;
}

size_t
tn_recorder_dump(const struct tn_recorder *r, void *out, size_t room)
{
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
		from += record_words(r, from);
	n = written - from;
	at = from & r->mask;
	first = r->words - at < n ? r->words - at : n;
	memcpy(out, &r->word[at], (size_t)first * 4);
	memcpy((char *)out + first * 4, r->word, (size_t)(n - first) * 4);
	return (size_t)n * 4;
}
