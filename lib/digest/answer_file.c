/*
 * answer_file.c - the files of whole answers
 *
 * A file is read by the version of the program that wrote it, on the same machine. Its parts, each aligned to 8 bytes:
 *
 *	struct head		with a checksum of all the rest
 *	the key			the traces of the answer, and the question; compared byte by byte
 *	the answer
 */
#include <config.h>

#include "digest/answer_file.h"

#include <inttypes.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/meaning.h"
#include "base/messages.h"
#include "base/str.h"
#include "digest/digest.h"
#include "index/key.h"

#define MAGIC TN_MEANING_MAGIC(2, TN_MEANING_ANSWER)

struct head {
	uint64_t magic;
	uint64_t sum;
	uint64_t key_size;	/* size of the key without the padding */
	uint64_t size;		/* size of the answer without the padding */
};

static const char zeros[8];

/* ---- the traces of an answer ---- */

/* The store for answers about the set; NULL: none. */
static const struct tn_index_store *
store_of(const struct tn_set *set)
{
	for (size_t i = 0; i < set->n_traces; i++)
		if (!set->trace[i]->digest || !set->trace[i]->digest->store || set->trace[i]->is_part)
			return NULL;
	return set->n_traces ? set->trace[0]->digest->store : NULL;
}

/* Size limit of all answers about the set together. */
static size_t
room_of_all(const struct tn_set *set)
{
	size_t room = 0;

	for (size_t i = 0; i < set->n_traces; i++)
		room += set->trace[i]->digest->most;
	return room;
}

size_t
tn_answer_file_room(const struct tn_set *set)
{
	return store_of(set) ? room_of_all(set) / 4 : 0;
}

/* The language of messages, because an answer contains reports of damage. */
static uint64_t
language(void)
{
	const char *head = tn_messages_head();

	return tn_sum_bytes(7, head, strlen(head));
}

/* False: not all packets are known, or memory is out. */
static bool
make_key(struct tn_str *key, const struct tn_set *set, const char *question)
{
	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];
		uint64_t *packets = calloc(t->n_streams + 1, sizeof *packets), sum;
		bool known = packets && tn_digest_packets(t, packets, &sum);

		free(packets);
		if (!known)
			return false;
		tn_key_put(key, t);
		tn_str_printf(key, "%s\n%016" PRIx64, tn_trace_name(t), sum);
		/* Ranks of streams: answers refer to them. */
		for (size_t s = 0; s < t->n_streams; s++)
			tn_str_printf(key, " %" PRIu32, t->stream[s]->rank);
		tn_str_puts(key, "\n");
	}
	tn_str_printf(key, "%d %d %016" PRIx64 "\n", TN_MEANING_INDEX, TN_MEANING_QUESTION, language());
	tn_str_puts(key, question);
	return !key->failed;
}

/* The start of the names of all answers about the set, which does not change when its files do. */
static void
prefix_of(const struct tn_set *set, char out[20])
{
	const struct tn_index_store *store = store_of(set);
	struct tn_str names = { 0 };

	for (size_t i = 0; i < set->n_traces; i++)
		tn_index_store_name(&names, store, set->trace[i], "\n");
	snprintf(out, 20, "%016" PRIx64 "-", tn_sum_bytes(4, tn_str_text(&names), names.n));
	tn_str_release(&names);
}

static void
path_of(struct tn_str *path, const struct tn_set *set, const char *question)
{
	uint64_t sum = tn_sum_bytes(language(), question, strlen(question));
	char prefix[20], name[64];

	prefix_of(set, prefix);
	snprintf(name, sizeof name, "%s%016" PRIx64 TN_ANSWER_SUFFIX, prefix, sum);
	tn_index_store_path(path, store_of(set), name);
}

/* ---- reading ---- */

static uint64_t
sum_of(const struct head *head, const void *key, const void *answer)
{
	uint64_t sum = tn_sum_bytes(6, &head->key_size, sizeof *head - 2 * sizeof(uint64_t));

	return tn_sum_bytes(tn_sum_bytes(sum, key, (size_t)head->key_size), answer, (size_t)head->size);
}

static bool
check_file(struct tn_answer_file *kept, const struct tn_str *key)
{
	const struct tn_map *map = &kept->map;
	const struct head *head = (const struct head *)map->data;
	size_t before = sizeof *head + tn_align_up(key->n, 8);

	if (map->size < before || head->magic != MAGIC || head->key_size != key->n || head->size > map->size ||
	    map->size - before != tn_align_up(head->size, 8) || memcmp(head + 1, key->text, key->n) != 0)
		return false;
	kept->bytes = map->data + before;
	kept->n = (size_t)head->size;
	return sum_of(head, head + 1, kept->bytes) == head->sum;
}

bool
tn_answer_file_load(struct tn_answer_file *out, const struct tn_set *set, const char *question)
{
	struct tn_str key = { 0 }, path = { 0 };
	bool good = false;

	*out = (struct tn_answer_file) { 0 };
	if (!store_of(set))
		return false;
	path_of(&path, set, question);
	if (!path.failed && tn_index_store_open(&out->map, path.text))
		good = make_key(&key, set, question) && check_file(out, &key);
	if (good)
		tn_index_store_used(path.text);
	else
		tn_answer_file_release(out);
	tn_str_release(&key);
	tn_str_release(&path);
	return good;
}

void
tn_answer_file_release(struct tn_answer_file *kept)
{
	tn_map_release(&kept->map);
	*kept = (struct tn_answer_file) { 0 };
}

/* ---- writing ---- */

struct writing {
	struct head head;
	const char *key;
	const void *bytes;
};

static bool
put(FILE *file, const void *bytes, uint64_t n)
{
	size_t padding = (size_t)(tn_align_up(n, 8) - n);

	return (n == 0 || fwrite(bytes, (size_t)n, 1, file) == 1) && fwrite(zeros, 1, padding, file) == padding;
}

static bool
write_answer(void *user, FILE *file)
{
	const struct writing *w = user;

	return put(file, &w->head, sizeof w->head) && put(file, w->key, w->head.key_size) &&
	       put(file, w->bytes, w->head.size);
}

bool
tn_answer_file_put(const struct tn_set *set, const char *question, const void *bytes, size_t n)
{
	struct tn_str key = { 0 }, path = { 0 };
	char prefix[20];
	bool keep = n <= tn_answer_file_room(set) && store_of(set) && make_key(&key, set, question);

	for (size_t i = 0; keep && i < set->n_traces; i++)
		keep = tn_key_is_same(set->trace[i]);
	if (keep)
		path_of(&path, set, question);
	keep = keep && !path.failed;
	if (keep) {
		struct writing w = { .head = { .magic = MAGIC, .key_size = key.n, .size = n }, .key = key.text, .bytes = bytes };

		w.head.sum = sum_of(&w.head, w.key, bytes);
		tn_index_store_put(store_of(set), path.text, write_answer, &w);
		prefix_of(set, prefix);
		tn_index_store_shrink_some(store_of(set), prefix, TN_ANSWER_SUFFIX, room_of_all(set));
		tn_index_store_shrink(store_of(set));
	}
	tn_str_release(&key);
	tn_str_release(&path);
	return keep;
}
