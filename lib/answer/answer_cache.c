#include "answer/answer_cache.h"

#include <inttypes.h>
#include <stdlib.h>

#include "answer/question_text.h"
#include "base/error.h"
#include "base/meaning.h"
#include "model/functions.h"
#include "scan/asker.h"

/* ---- words ---- */

bool
tn_types_add(struct tn_types *types, const struct tn_type *type)
{
	const struct tn_type **at;

	for (size_t i = 0; i < types->type.n; i++)
		if (types->type.item[i] == type)
			return true;
	if (!type)
		return true;
	at = TN_ARRAY_ADD(&types->type);
	if (at)
		*at = type;
	return at != NULL;
}

void
tn_answer_put_word(struct tn_answer_out *out, uint64_t word)
{
	tn_str_put(&out->bytes, &word, sizeof word);
}

void
tn_answer_put_bytes(struct tn_answer_out *out, const void *bytes, size_t n)
{
	static const char zeros[8];

	tn_answer_put_word(out, n);
	tn_str_put(&out->bytes, bytes, n);
	tn_str_put(&out->bytes, zeros, (8 - n % 8) % 8);
}

void
tn_answer_put_value(struct tn_answer_out *out, const struct tn_answer_value *v)
{
	size_t type = 0;

	while (v->type && type < out->types->type.n && out->types->type.item[type] != v->type)
		type++;
	out->failed |= v->type && type == out->types->type.n;
	tn_answer_put_word(out, (uint64_t)v->kind | (v->type ? (uint64_t)type + 1 : 0) << 8);
	if (v->kind == TN_ANSWER_TEXT)
		tn_answer_put_bytes(out, v->text, v->n);
	else
		tn_answer_put_word(out, v->kind == TN_ANSWER_NONE ? 0 : v->is.u);
}

void
tn_answer_put_location(struct tn_answer_out *out, const struct tn_location *at)
{
	tn_answer_put_word(out, (uint64_t)at->time_ns);
	tn_answer_put_word(out, at->row);
	tn_answer_put_word(out, (uint64_t)at->stream << 32 | at->packet);
}

uint64_t
tn_answer_get_word(struct tn_answer_in *in)
{
	if (in->at == in->end) {
		in->bad = true;
		return 0;
	}
	return *in->at++;
}

const void *
tn_answer_get_bytes(struct tn_answer_in *in, size_t *n)
{
	uint64_t size = tn_answer_get_word(in);
	const void *bytes = in->at;

	*n = 0;
	if (in->bad || size > 8 * (uint64_t)(in->end - in->at)) {
		in->bad = true;
		return NULL;
	}
	*n = (size_t)size;
	in->at += (size + 7) / 8;
	return bytes;
}

struct tn_answer_value
tn_answer_get_value(struct tn_answer_in *in)
{
	uint64_t head = tn_answer_get_word(in), type = head >> 8;
	struct tn_answer_value v = { .kind = (enum tn_answer_kind)(head & 0xff) };

	if ((head & 0xff) > TN_ANSWER_TEXT || type > in->types->type.n)
		in->bad = true;
	else if (v.kind == TN_ANSWER_TEXT)
		v.text = tn_answer_get_bytes(in, &v.n);
	else
		v.is.u = tn_answer_get_word(in);
	if (in->bad)
		return (struct tn_answer_value) { 0 };
	v.type = type ? in->types->type.item[type - 1] : NULL;
	return v;
}

struct tn_location
tn_answer_get_location(struct tn_answer_in *in)
{
	struct tn_location at = { .time_ns = (int64_t)tn_answer_get_word(in) };
	uint64_t place;

	at.row = tn_answer_get_word(in);
	place = tn_answer_get_word(in);
	at.stream = (uint32_t)(place >> 32);
	at.packet = (uint32_t)place;
	return at;
}

size_t
tn_answer_get_count(struct tn_answer_in *in, size_t words)
{
	uint64_t n = tn_answer_get_word(in);

	if (n <= (uint64_t)(in->end - in->at) / words)
		return (size_t)n;
	in->bad = true;
	return 0;
}

/* ---- notices ---- */

static int
take_notice(void *user, const struct tn_row *row)
{
	struct tn_answer_cache *k = user;
	struct tn_row *kept = k->keeps && k->notice.n < TN_ANSWER_CACHE_NOTICES ? TN_ARRAY_ADD(&k->notice) : NULL;

	if (kept) {
		*kept = *row;
		kept->text = row->text ? strdup(row->text) : NULL;
	}
	k->keeps &= kept && (kept->text || !row->text);
	return k->asked->notice ? k->asked->notice(k->asked->user, row) : 0;
}

static void
keep_notice(struct tn_answer_out *out, const struct tn_row *row)
{
	tn_answer_put_word(out, (uint64_t)row->kind);
	tn_answer_put_word(out, (uint64_t)row->has_time | (uint64_t)row->has_cycles << 1 | (uint64_t)row->has_range << 2 |
			  (uint64_t)(row->text != NULL) << 3);
	tn_answer_put_word(out, (uint64_t)row->time_ns);
	tn_answer_put_word(out, row->cycles);
	tn_answer_put_location(out, &row->location);
	tn_answer_put_word(out, row->count);
	tn_answer_put_word(out, (uint64_t)row->begin_ns);
	tn_answer_put_word(out, (uint64_t)row->end_ns);
	if (row->text)
		tn_answer_put_bytes(out, row->text, strlen(row->text) + 1);
}

static struct tn_row
kept_notice(struct tn_answer_in *in, const struct tn_set *set)
{
	uint64_t kind = tn_answer_get_word(in), flags = tn_answer_get_word(in);
	struct tn_row row = { 0 };

	in->bad |= kind <= TN_ROW_EVENT || kind > TN_ROW_BREAK || (kind == TN_ROW_DAMAGE) != ((flags & 8) != 0);
	row.kind = in->bad ? TN_ROW_DAMAGE : (enum tn_row_kind)kind;
	row.has_time = flags & 1;
	row.has_cycles = flags & 2;
	row.has_range = flags & 4;
	row.time_ns = (int64_t)tn_answer_get_word(in);
	row.cycles = tn_answer_get_word(in);
	row.location = tn_answer_get_location(in);
	row.count = tn_answer_get_word(in);
	row.begin_ns = (int64_t)tn_answer_get_word(in);
	row.end_ns = (int64_t)tn_answer_get_word(in);
	if (flags & 8) {
		size_t n;

		row.text = tn_answer_get_bytes(in, &n);
		in->bad |= !n || row.text[n - 1];
	}
	in->bad |= row.location.stream >= set->n_streams;
	if (!in->bad)
		row.stream = set->stream[row.location.stream];
	return row;
}

/* ---- the question ---- */

void
tn_answer_cache_init(struct tn_answer_cache *k, const struct tn_set *set, const char *kind, int meaning)
{
	*k = (struct tn_answer_cache) { .set = set };
	tn_str_printf(&k->question, "%s %d %d\n", kind, meaning, TN_MEANING_SPANS);
}

void
tn_answer_cache_ask(struct tn_answer_cache *k, const struct tn_scan_options *o)
{
	k->asked = o;
	k->options = *o;
	k->keeps = tn_answer_file_room(k->set) != 0 && tn_question_text(&k->question, o, k->set);
	if (!k->keeps)
		return;
	tn_answer_with(&k->options, k);
	k->options.notice = take_notice;
}

bool
tn_answer_cache_join(struct tn_answer_cache *k, struct tn_answer_cache *second)
{
	const struct tn_set *a = k->set, *b = second->set;

	tn_str_printf(&k->question, "second\n%s", tn_str_text(&second->question));
	k->keeps = second->keeps = k->keeps && second->keeps && !k->question.failed;
	k->second = second;
	if (a == b)
		return true;
	k->both.n_traces = a->n_traces + b->n_traces;
	k->both.trace = malloc(k->both.n_traces * sizeof *k->both.trace);
	if (!k->both.trace)
		return false;
	memcpy(k->both.trace, a->trace, a->n_traces * sizeof *a->trace);
	memcpy(k->both.trace + a->n_traces, b->trace, b->n_traces * sizeof *b->trace);
	return true;
}

/* Get the traces that the stored answer is about. */
static const struct tn_set *
set_of(const struct tn_answer_cache *k)
{
	return k->both.trace ? &k->both : k->set;
}

/* A question with symbol(...) also depends on the files that give the names. */
static void
ask_functions(struct tn_answer_cache *k)
{
	const struct tn_functions *all;

	if (!strstr(tn_str_text(&k->question), "symbol("))
		return;
	for (const struct tn_answer_cache *of = k; of && k->keeps; of = of->second) {
		const struct tn_function_source *from = &of->set->functions;

		k->keeps = from->read && from->read(from, &all, NULL) == TN_OK;
		if (k->keeps)
			tn_str_printf(&k->question, "functions %" PRIx64 "\n", all->sum);
	}
	k->keeps &= !k->question.failed;
}

bool
tn_answer_cache_find(struct tn_answer_cache *k, struct tn_answer_in *in)
{
	ask_functions(k);
	if (!k->keeps || !tn_answer_file_load(&k->kept, set_of(k), k->question.text))
		return false;
	in->at = (const uint64_t *)(const void *)k->kept.bytes;
	in->end = in->at + k->kept.n / 8;
	in->bad = false;
	for (const struct tn_answer_cache *of = k; of && !in->bad; of = of->second) {
		size_t n = tn_answer_get_count(in, 8);

		for (size_t i = 0; i < n && !in->bad; i++)
			kept_notice(in, of->set);
	}
	return !in->bad;
}

enum tn_code
tn_answer_cache_tell(struct tn_answer_cache *k, struct tn_answer_in *in, struct tn_error *err)
{
	in->at = (const uint64_t *)(const void *)k->kept.bytes;
	for (const struct tn_answer_cache *of = k; of; of = of->second) {
		size_t n = tn_answer_get_count(in, 8);

		for (size_t i = 0; i < n && !in->bad; i++) {
			struct tn_row row = kept_notice(in, of->set);

			if (!in->bad && of->asked->notice && of->asked->notice(of->asked->user, &row))
				return tn_fail(err, TN_ERR_CANCELLED, "stopped");
		}
	}
	return TN_OK;
}

bool
tn_answer_cache_begin(struct tn_answer_cache *k, struct tn_answer_out *out)
{
	if (!k->keeps || (k->second && !k->second->keeps))
		return false;
	for (const struct tn_answer_cache *of = k; of; of = of->second) {
		tn_answer_put_word(out, of->notice.n);
		for (size_t i = 0; i < of->notice.n; i++)
			keep_notice(out, &of->notice.item[i]);
	}
	return true;
}

void
tn_answer_cache_put(struct tn_answer_cache *k, struct tn_answer_out *out)
{
	if (!out->failed && !out->bytes.failed)
		tn_answer_file_put(set_of(k), k->question.text, out->bytes.text, out->bytes.n);
	tn_str_release(&out->bytes);
}

void
tn_answer_cache_release(struct tn_answer_cache *k)
{
	for (size_t i = 0; i < k->notice.n; i++)
		free((char *)k->notice.item[i].text);
	TN_ARRAY_RELEASE(&k->notice);
	tn_str_release(&k->question);
	tn_answer_file_release(&k->kept);
	free(k->both.trace);
}
