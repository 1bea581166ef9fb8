/*
 * stored.c - write and read the words of an answer; make its question, which contains everything that the answer depends
 * on
 */
#include <inttypes.h>
#include <string.h>

#include "compare/stored.h"
#include "base/error.h"
#include "base/meaning.h"
#include "base/options.h"
#include "scan/question.h"

/* ---- words ---- */

uint64_t
tn_move_word(struct tn_moving *m, uint64_t word)
{
	if (!m->out)
		return tn_answer_get_word(&m->in);
	tn_answer_put_word(m->out, word);
	return word;
}

double
tn_move_real(struct tn_moving *m, double real)
{
	uint64_t word;

	memcpy(&word, &real, sizeof word);
	word = tn_move_word(m, word);
	memcpy(&real, &word, sizeof word);
	return real;
}

unsigned
tn_move_choice(struct tn_moving *m, unsigned choice, unsigned n)
{
	uint64_t word = tn_move_word(m, choice);

	m->in.bad |= word >= n;
	return word < n ? (unsigned)word : 0;
}

static const char *
keep(struct tn_moving *m, const char *text, size_t n)
{
	const char *kept = text ? tn_arena_copy(m->arena, text, n) : NULL;

	m->failed |= text && !kept;
	return kept;
}

const char *
tn_move_text(struct tn_moving *m, const char *text)
{
	size_t n = text ? strlen(text) + 1 : 0;

	if (m->out) {
		tn_answer_put_bytes(m->out, text ? text : "", n);
		return text;
	}
	text = tn_answer_get_bytes(&m->in, &n);
	return n ? keep(m, text, n - 1) : NULL;
}

struct tn_answer_value
tn_move_value(struct tn_moving *m, struct tn_answer_value v)
{
	if (m->out) {
		tn_answer_put_value(m->out, &v);
		return v;
	}
	v = tn_answer_get_value(&m->in);
	if (v.kind == TN_ANSWER_TEXT)
		v.text = keep(m, v.text ? v.text : "", v.text ? v.n : 0);
	return v;
}

size_t
tn_move_count(struct tn_moving *m, size_t n, size_t words)
{
	if (!m->out)
		return tn_answer_get_count(&m->in, words);
	tn_answer_put_word(m->out, n);
	return n;
}

/* ---- the question ---- */

void
tn_stored_say(struct tn_str *question, const char *what, const char *text)
{
	tn_str_printf(question, "%s %zu %s\n", what, strlen(text), text);
}

static enum tn_code
ask(const struct tn_stored_question *q, struct tn_answer_cache *k, struct tn_scan_options *options, struct tn_error *err)
{
	for (size_t i = 0; i < q->n; i++) {
		const struct tn_selection *s = &q->side[i];
		enum tn_code rc;

		options[i] = (struct tn_scan_options) { TN_SCAN_OPTIONS };
		rc = tn_options_take(&options[i], sizeof options[i], s->options, "tn_scan_options", err);
		if (rc < 0)
			return rc;
		if (!i)
			tn_str_add(&k[i].question, tn_str_text(q->text), q->text->n);
		tn_str_printf(&k[i].question, "part %d hole %d %" PRId64 " %" PRId64 " zone", s->is_part, s->has_hole,
			      s->hole_begin_ns, s->hole_end_ns);
		tn_question_zone(&k[i].question, s->set);
		tn_str_puts(&k[i].question, "\n");
		tn_answer_cache_ask(&k[i], &options[i]);
	}
	return q->n == 1 || tn_answer_cache_join(&k[0], &k[1]) ? TN_OK : tn_fail_memory(err);
}

/* ---- the answer ---- */

/* Find the stored answer. TN_END: it is not stored. */
static enum tn_code
find(const struct tn_stored_question *q, struct tn_answer_cache *k, struct tn_error *err)
{
	struct tn_moving m = { .arena = q->arena, .in = { .types = q->types } };

	if (!tn_answer_cache_find(k, &m.in))
		return TN_END;
	q->move(q->user, &m);
	if (m.failed)
		return tn_fail_memory(err);
	return m.in.bad || m.in.at != m.in.end ? TN_END : tn_answer_cache_tell(k, &m.in, err);
}

static enum tn_code
read_and_store(const struct tn_stored_question *q, struct tn_answer_cache *k, struct tn_error *err)
{
	const struct tn_scan_options *given[2] = { NULL, NULL };
	struct tn_answer_out out = { .types = q->types };
	struct tn_moving m = { .out = &out };
	enum tn_code rc;

	for (size_t i = 0; i < q->n; i++) {
		given[i] = q->side[i].options;
		q->side[i].options = &k[i].options;
	}
	rc = q->read(q->user, err);
	for (size_t i = 0; i < q->n; i++)
		q->side[i].options = given[i];
	if (rc == TN_OK && tn_answer_cache_begin(k, &out)) {
		q->move(q->user, &m);
		tn_answer_cache_put(k, &out);
	}
	return rc;
}

enum tn_code
tn_stored_answer(const struct tn_stored_question *q, struct tn_error *err)
{
	struct tn_scan_options options[2];
	struct tn_answer_cache k[2];
	enum tn_code rc;

	for (size_t i = 0; i < q->n; i++)
		tn_answer_cache_init(&k[i], q->side[i].set, "comparison", TN_MEANING_COMPARE);
	rc = ask(q, k, options, err);
	if (rc == TN_OK)
		rc = find(q, k, err);
	if (rc == TN_END)
		rc = read_and_store(q, k, err);
	for (size_t i = 0; i < q->n; i++)
		tn_answer_cache_release(&k[i]);
	return rc;
}
