/* The words of a stored answer, and wrong notices. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/query.h>

#include "../../make/scratch.h"
#include "../order/fake.h"
#include "answer/answer_cache.h"
#include "digest/digest.h"
#include "index/index_cache.h"
#include "index/packet_index.h"

static void
make_fake(void)
{
	make_folder();
	fake_random(4, 3, 20, 3, 2, 1);
}

TestSuite(keeping_words, .init = make_fake, .fini = remove_folder);

static struct tn_answer_in
reader(const struct tn_answer_out *out)
{
	const uint64_t *at = (const uint64_t *)(const void *)out->bytes.text;

	return (struct tn_answer_in) { .at = at, .end = at + out->bytes.n / 8, .types = out->types };
}

Test(keeping_words, what_is_put_is_taken)
{
	static const struct tn_type type[2];
	struct tn_types types = { 0 }, others = { 0 };
	struct tn_answer_out out = { .types = &types };
	struct tn_answer_value v;
	struct tn_answer_in in;
	size_t n;

	cr_assert(tn_types_add(&types, &type[0]));
	cr_assert(tn_types_add(&types, NULL));
	cr_assert(tn_types_add(&types, &type[1]));
	cr_assert(tn_types_add(&types, &type[0]));
	cr_assert_eq(types.type.n, 2);
	tn_answer_put_value(&out, &(struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = "nine of 9", .n = 9, .type = &type[1] });
	tn_answer_put_value(&out, &(struct tn_answer_value) { .kind = TN_ANSWER_NONE, .is.u = 77 });
	tn_answer_put_location(&out, &(struct tn_location) { .time_ns = -4, .row = 5, .stream = 6, .packet = 7 });
	in = reader(&out);
	v = tn_answer_get_value(&in);
	cr_assert_eq(v.n, 9);
	cr_assert_eq(memcmp(v.text, "nine of 9", 9), 0);
	cr_assert_eq(v.type, &type[1]);
	v = tn_answer_get_value(&in);
	cr_assert(v.kind == TN_ANSWER_NONE && v.is.u == 0 && !v.type);
	cr_assert_eq(tn_answer_get_location(&in).packet, 7);
	cr_assert(in.at == in.end && !in.bad);
	/* Behind the end is nothing. */
	cr_assert_eq(tn_answer_get_word(&in), 0);
	cr_assert(in.bad);

	/* A type that the reader does not have; a kind that there is not; a text longer than all. */
	in = reader(&out);
	in.types = &others;
	v = tn_answer_get_value(&in);
	cr_assert(in.bad && v.kind == TN_ANSWER_NONE && !v.text);
	((uint64_t *)(void *)out.bytes.text)[0] = TN_ANSWER_TEXT + 1;
	in = reader(&out);
	v = tn_answer_get_value(&in);
	cr_assert(in.bad && v.kind == TN_ANSWER_NONE);
	((uint64_t *)(void *)out.bytes.text)[0] = 1000;
	in = reader(&out);
	cr_assert_null(tn_answer_get_bytes(&in, &n));
	cr_assert(in.bad && n == 0);
	in = reader(&out);
	cr_assert_eq(tn_answer_get_count(&in, 1), 0);
	cr_assert(in.bad);

	/* A value with a type that is not in the list cannot be stored. */
	cr_assert_not(out.failed);
	out.types = &others;
	tn_answer_put_value(&out, &(struct tn_answer_value) { .kind = TN_ANSWER_NONE, .type = &type[0] });
	cr_assert(out.failed);
	tn_str_release(&out.bytes);
	TN_ARRAY_RELEASE(&types.type);
}

/* ---- notices ---- */

static int
on_notice(void *user, const struct tn_row *row)
{
	tn_str_printf(*(struct tn_str **)user, "%d %s\n", (int)row->kind, row->text ? row->text : "-");
	return 0;
}

static bool
never(void *user)
{
	(void)user;
	return false;
}

/* The reports from a stored answer whose only notice has these two words first. False: not a valid answer. */
static bool
told(struct tn_set *set, uint64_t kind, uint64_t flags, const char *text, struct tn_str *out)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .notice = on_notice, .stopped = never, .user = &out };
	struct tn_answer_out words = { 0 };
	struct tn_answer_in in;
	struct tn_answer_cache k;
	bool found;

	tn_str_clear(out);
	tn_answer_cache_init(&k, set, "words", 1);
	tn_answer_cache_ask(&k, &o);
	cr_assert(k.keeps);
	cr_assert_not(k.options.stopped(k.options.user));	/* the asker's is asked */
	tn_answer_put_word(&words, 1);
	tn_answer_put_word(&words, kind);
	tn_answer_put_word(&words, flags);
	for (int i = 0; i < 8; i++)
		tn_answer_put_word(&words, 0);
	if (text)
		tn_answer_put_bytes(&words, text, strlen(text) + 1);
	tn_answer_cache_put(&k, &words);
	found = tn_answer_cache_find(&k, &in);
	if (found)
		cr_assert_eq(tn_answer_cache_tell(&k, &in, NULL), TN_OK);
	tn_answer_cache_release(&k);
	return found;
}

Test(keeping_words, notices_that_lie_are_not_told)
{
	struct tn_index_store_options options = { folder, 0, 8 << 20 };
	struct tn_set *set = fake_open();
	struct tn_index_store *store = tn_index_store_load(set, &options);
	struct tn_str out = { 0 };

	for (size_t i = 0; i < set->n_traces; i++)
		set->trace[i]->digest = tn_digest_open(store, set->trace[i]);
	for (size_t i = 0; i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);

	cr_assert(told(set, TN_ROW_LOST_EVENTS, 7, NULL, &out));
	cr_assert_str_eq(out.text, "1 -\n");
	cr_assert(told(set, TN_ROW_BREAK, 0, NULL, &out));
	cr_assert(told(set, TN_ROW_DAMAGE, 8, "it is broken", &out));
	cr_assert_str_eq(out.text, "3 it is broken\n");
	/* An event, kinds that there are not, one that is another when it is cut to 32 bits. */
	cr_assert_not(told(set, TN_ROW_EVENT, 0, NULL, &out));
	cr_assert_not(told(set, TN_ROW_BREAK + 1, 0, NULL, &out));
	cr_assert_not(told(set, UINT64_MAX, 0, NULL, &out));
	cr_assert_not(told(set, (UINT64_C(1) << 32) + TN_ROW_LOST_EVENTS, 0, NULL, &out));
	/* Damage has a text, nothing else has one. */
	cr_assert_not(told(set, TN_ROW_DAMAGE, 0, NULL, &out));
	cr_assert_not(told(set, TN_ROW_LOST_PACKETS, 8, "why?", &out));

	tn_str_release(&out);
	for (size_t i = 0; i < set->n_streams; i++)
		tn_index_guard_free(set->stream[i]);
	tn_set_close(set);
	tn_index_store_free(store);
}
