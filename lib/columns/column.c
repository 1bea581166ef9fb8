#include "columns/column.h"

#include <stdlib.h>
#include <unistr.h>

#include "base/ways.h"

#define MOST_WORDS 32768		/* limit of words in a dictionary */
#define MOST_WORD_BYTES ((size_t)1 << 20)
#define EARLY 4096			/* after this number of words, the column checks whether texts repeat */

bool
tn_column_more_rows(struct tn_column *c, uint64_t row)
{
	size_t n = (size_t)(row >> 6) + (size_t)(row >> 8) + 8;
	uint64_t *there = n > c->there_room ? realloc(c->there, n * sizeof *there) : c->there;

	if (!there) {
		c->failed = true;
		return false;
	}
	if (n > c->there_room) {
		*c->held += (n - c->there_room) * sizeof *there;
		c->there = there;
		c->there_room = n;
	}
	memset(there + c->there_n, 0, (n - c->there_n) * sizeof *there);
	c->there_n = n;
	if (c->whole != UINT64_MAX) {
		memset(there, 0xff, (size_t)(c->whole >> 6) * sizeof *there);
		if (c->whole & 63)
			there[c->whole >> 6] = (UINT64_C(1) << (c->whole & 63)) - 1;
		c->whole = UINT64_MAX;
	}
	return true;
}

void
tn_column_add_run(struct tn_column *c, unsigned definition, unsigned repetition, uint64_t n)
{
	while (n) {
		struct tn_level_run *last = c->runs.n ? &c->runs.item[c->runs.n - 1] : NULL;
		uint32_t some;

		if (!last || last->definition != definition || last->repetition != repetition || last->n == UINT32_MAX) {
			last = TN_ARRAY_ADD(&c->runs);
			if (!last) {
				c->failed = true;
				return;
			}
			*last = (struct tn_level_run) { 0, (uint16_t)definition, (uint16_t)repetition };
			*c->held += sizeof *last;
		}
		some = n < UINT32_MAX - last->n ? (uint32_t)n : UINT32_MAX - last->n;
		last->n += some;
		c->entries += some;
		n -= some;
	}
}

static bool
is_broken(const struct tn_column *c, const uint8_t *bytes, size_t n)
{
	uint64_t any = 0, word;
	size_t i = 0;

	if (c->type.logical != TN_LOGICAL_TEXT || !n)
		return false;
	/* Most texts are ASCII. */
	for (; i + 8 <= n && i < 64; i += 8) {
		memcpy(&word, bytes + i, 8);
		any |= word;
	}
	for (; i < n && i < 64; i++)
		any |= bytes[i];
	return (any & UINT64_C(0x8080808080808080) || n > 64) && u8_check(bytes, n) != NULL;
}

/* Copy a text, and replace invalid UTF-8, which readers refuse, by U+FFFD. Returns the number of replacements. */
static uint32_t
mend(const uint8_t *bytes, size_t n, struct tn_str *out)
{
	uint32_t mended = 0;

	for (;; mended++) {
		const uint8_t *broken = n ? u8_check(bytes, n) : NULL;
		size_t whole = broken ? (size_t)(broken - bytes) : n;

		tn_str_put(out, bytes, whole);
		if (!broken)
			return mended;
		tn_str_put_text(out, "\xef\xbf\xbd");
		bytes += whole + 1;
		n -= whole + 1;
	}
}

static void
put_plain(struct tn_column *c, const void *bytes, size_t n)
{
	size_t before = c->plain.n, at;
	uint32_t size;

	if (n > INT32_MAX / 2) {	/* the text is too large for a page */
		c->failed = true;
		return;
	}
	tn_str_put(&c->plain, "\0\0\0", c->type.physical == TN_PHYSICAL_BYTES ? 4 : 0);
	at = c->plain.n;
	if (is_broken(c, bytes, n))
		c->mended += mend(bytes, n, &c->plain);
	else
		tn_str_put(&c->plain, bytes, n);
	size = (uint32_t)(c->plain.n - at);
	if (c->plain.failed)
		c->failed = true;
	else if (c->type.physical == TN_PHYSICAL_BYTES)
		memcpy(c->plain.text + before, (uint8_t [4]) { (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
							       (uint8_t)(size >> 24) }, 4);
	c->n_plain++;
	*c->held += c->plain.n - before;
}

/* Add a word to the dictionary; the table finds it by its original bytes. */
static bool
add_word(struct tn_column *c, struct tn_hash_item *item, const void *bytes, size_t n)
{
	struct tn_word *word = TN_ARRAY_ADD(&c->word);
	char *copy = tn_arena_copy(&c->copies, bytes, n);
	struct tn_str mended = { 0 };

	if (!word || !copy)
		return false;
	tn_hash_copy_key(item, copy);
	item->value = c->word.n - 1;
	*word = (struct tn_word) { .bytes = (const uint8_t *)copy, .n = (uint32_t)n };
	if (is_broken(c, bytes, n)) {
		word->mended = mend(bytes, n, &mended);
		word->n = (uint32_t)mended.n;
		word->bytes = mended.failed ? NULL : (uint8_t *)tn_arena_copy(&c->copies, mended.text, mended.n);
		tn_str_release(&mended);
	}
	c->word_bytes += word->n + 4;
	*c->held += n + word->n + sizeof *word + sizeof *item;
	c->has_mended |= word->mended != 0;
	/* There are few packets, and codes are needed for their values, so their dictionary has no limit. */
	c->is_full = !c->of_packets && (c->word.n >= (tn_ways() & TN_WAYS_SMALL ? 5 : MOST_WORDS) ||
					c->word_bytes >= MOST_WORD_BYTES ||
					(c->word.n == EARLY && c->code.n < 2 * EARLY));
	return word->bytes != NULL;
}

void
tn_column_text(struct tn_column *c, const void *bytes, size_t n)
{
	struct tn_hash_item *item;
	bool is_new = false;

	if (c->failed)
		return;
	/* The text often equals the previous one. */
	if (c->code.n && !c->is_full && !c->word.item[c->last_code].mended && c->word.item[c->last_code].n == n &&
	    memcmp(c->word.item[c->last_code].bytes, bytes, n) == 0) {
		tn_column_code(c, c->last_code);
		return;
	}
	c->is_full |= n > MOST_WORD_BYTES && !c->of_packets;
	if (c->is_full) {
		put_plain(c, bytes, n);
		return;
	}
	item = tn_hash_add(&c->by_bytes, bytes, n, &is_new);
	if (!item || (is_new && !add_word(c, item, bytes, n))) {
		c->failed = true;
		return;
	}
	c->last_code = (uint32_t)item->value;
	tn_column_code(c, c->last_code);
}

void
tn_column_clear(struct tn_column *c)
{
	c->runs.n = c->number.n = c->code.n = c->word.n = 0;
	c->rows = c->entries = 0;
	tn_hash_clear(&c->by_bytes);
	tn_arena_release(&c->copies);
	c->word_bytes = c->plain.n = c->n_plain = 0;
	c->is_full = c->has_mended = false;
	c->last_code = 0;
	c->whole = c->there_n = 0;
}

void
tn_column_release(struct tn_column *c)
{
	free(c->there);
	c->there = NULL;
	c->there_n = c->there_room = 0;
	TN_ARRAY_RELEASE(&c->runs);
	TN_ARRAY_RELEASE(&c->number);
	TN_ARRAY_RELEASE(&c->code);
	TN_ARRAY_RELEASE(&c->word);
	tn_hash_release(&c->by_bytes);
	tn_arena_release(&c->copies);
	tn_str_release(&c->plain);
}
