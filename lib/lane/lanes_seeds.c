/* lanes_seeds.c - the start of a picture: lanes and states, open spans, losses */
#include <stdlib.h>

#include "lane/lanes_memory.h"
#include "base/error.h"

/* ---- lanes and states ---- */

static enum tn_code
add_lanes(const struct tn_lanes_memory *m, struct tn_lanes *l, struct tn_error *err)
{
	uint64_t word = 0, rank = 0;
	bool no_memory = false;

	for (uint64_t i = 0; i < m->head->n[TN_FINE_LANES] && m->lane[i].first_ns < l->end_ns; i++) {
		const struct tn_fine_lane *from = &m->lane[i];
		struct tn_answer_value v;
		struct lane *lane;

		tn_unpack(m->word + word, &v);
		if (from->class != UINT64_MAX && v.kind != TN_ANSWER_TEXT && v.kind != TN_ANSWER_FLOAT)
			v.type = tn_lanes_type(l, (size_t)from->class, &no_memory);
		lane = tn_lanes_lane(l, &v, from->first_ns);
		if (no_memory || l->failed)
			return tn_fail_memory(err);
		if (!lane || lane->number != i)
			return TN_END;
		for (uint64_t k = 0; k < from->n_ranks; k++)
			if (m->rank[rank + k].first_ns < l->end_ns)
				tn_lanes_rank(l, lane, (uint32_t)m->rank[rank + k].rank);
		word += from->n_words;
		rank += from->n_ranks;
	}
	return l->failed ? tn_fail_memory(err) : TN_OK;
}

enum tn_code
tn_memory_prepare(const struct tn_lanes_memory *m, struct tn_lanes *l, struct tn_error *err)
{
	const char *text = m->text;

	for (uint64_t i = 0; i < m->head->n[TN_FINE_STATES] && m->state[i].first_ns < l->end_ns; i++) {
		uint32_t state = tn_lanes_state_of(l, text, (size_t)m->state[i].n, m->state[i].first_ns);

		if (l->failed)
			return tn_fail_memory(err);
		if (state != i)
			return TN_END;
		text += m->state[i].n;
	}
	return add_lanes(m, l, err);
}

/* ---- open spans ---- */

static struct tn_span_record *
add_seed(struct tn_record_buffer *out, size_t words, enum tn_span_record_kind kind)
{
	size_t size = sizeof(struct tn_span_record) + 8 * words;
	struct tn_span_record *t;

	if (out->room - out->n < size) {
		size_t room = 2 * out->room + size + 4096;
		uint8_t *bytes = realloc(out->bytes, room);

		if (!bytes)
			return NULL;
		out->bytes = bytes;
		out->room = room;
	}
	t = (struct tn_span_record *)(void *)(out->bytes + out->n);
	out->n += size;
	*t = (struct tn_span_record) { .record.size = (uint32_t)size, .record.kind = kind, .has_time = 1 };
	return t;
}

/* Pack the values that a begin is reported with: its state, or its lane. */
static bool
pack_captured(const struct tn_lanes *l, const struct tn_fine_open *o, struct tn_words_out *words)
{
	const struct tn_span_definition *d = &l->spans->definition.item[0];

	words->n = 0;
	for (size_t i = 0; i < d->captures.n; i++) {
		struct tn_answer_value v = { 0 };

		if (o->lane != TN_FINE_NONE && (l->by_field ? i == 0 : d->is_named && i == d->captures.n - 1)) {
			v.kind = TN_ANSWER_TEXT;
			v.text = l->state.item[o->state];
			v.n = strlen(v.text);
		} else if (o->lane != TN_FINE_NONE && i == l->captured) {
			tn_unpack(l->lane.item[o->lane]->value, &v);
			/* Remove the prefix, because it is added again when the begin is reported. */
			tn_origins_strip(&l->origins, &v, o->rank);
		}
		if (!tn_pack(words, &v, true))
			return false;
	}
	return true;
}

static bool
seed_begin(const struct tn_lanes_memory *m, const struct tn_lanes *l, const struct tn_fine_open *o, struct tn_words_out *words,
	   struct tn_record_buffer *out)
{
	size_t key_words = (size_t)m->key[o->key].n_words;
	struct tn_span_record *t = NULL;
	uint64_t *to;

	if (pack_captured(l, o, words))
		t = add_seed(out, key_words + words->n, TN_SPAN_RECORD_BEGIN);
	if (!t)
		return false;
	t->record.key_ns = t->time_ns = o->begin_ns;
	t->record.row = o->row;
	t->record.rank = o->rank;
	t->record.packet = o->packet;
	t->class = o->class;
	t->key_words = (uint32_t)key_words;
	t->captured_words = (uint32_t)words->n;
	to = (uint64_t *)(void *)(t + 1);
	memcpy(to, m->word + m->key_at[o->key], 8 * key_words);
	memcpy(to + key_words, words->item, 8 * words->n);
	t->hash = tn_hash_of(l->spans->seed, to, 8 * key_words);
	return true;
}

enum tn_code
tn_memory_seeds(const struct tn_lanes_memory *m, const struct tn_lanes *l, uint32_t border, struct tn_record_buffer *out,
		struct tn_error *err)
{
	struct tn_words_out words = { 0 };
	uint64_t n = m->head->n[TN_FINE_OPEN];
	enum tn_code rc = TN_OK;

	out->n = 0;
	for (uint64_t i = 0; rc == TN_OK && i < n && m->open[i].first <= border; i++) {
		if (i % TN_FINE_BLOCK == 0 && m->latest[i / TN_FINE_BLOCK] < border)
			i += TN_FINE_BLOCK - 1;
		else if (m->open[i].last < border)
			continue;
		else if (m->open[i].lane != TN_FINE_NONE &&
			 (m->open[i].lane >= l->lane.n || m->open[i].state >= l->state.n))
			rc = TN_END;	/* this span begins after the window */
		else if (!seed_begin(m, l, &m->open[i], &words, out))
			rc = tn_fail_memory(err);
	}
	TN_ARRAY_RELEASE(&words);
	return rc;
}

/* ---- notices ---- */

static bool
tell(const struct tn_lanes *l, const struct tn_scan_options *o, const struct tn_fine_notice *a, const char *text, bool *stop)
{
	struct tn_row row = {
		.kind = (enum tn_row_kind)a->kind, .stream = l->set->stream[a->rank], .has_time = a->has_time,
		.has_cycles = a->has_cycles, .time_ns = a->time_ns, .cycles = a->cycles, .count = a->count,
		.has_range = a->has_range, .begin_ns = a->begin_ns, .end_ns = a->end_ns,
		.location = { .time_ns = a->key_ns, .stream = a->rank, .packet = a->packet, .row = a->row },
	};
	char *copy = a->has_text ? strndup(text, (size_t)a->n) : NULL;

	row.text = copy;
	*stop = (copy || !a->has_text) && o->notice(o->user, &row);
	free(copy);
	return copy || !a->has_text;
}

enum tn_code
tn_memory_notices(const struct tn_lanes_memory *m, struct tn_lanes *l, const struct tn_scan_options *o, struct tn_error *err)
{
	const char *text = m->text;
	bool stop = false;

	for (uint64_t i = 0; i < m->head->n[TN_FINE_STATES]; i++)
		text += m->state[i].n;
	for (uint64_t i = 0; i < m->head->n[TN_FINE_NOTICES]; i++) {
		const struct tn_fine_notice *a = &m->notice[i];

		if (a->key_ns < l->end_ns) {
			if (a->has_time)
				tn_lanes_lose(l, a->key_ns, a->rank);
			if (o->notice && !tell(l, o, a, text, &stop))
				return tn_fail_memory(err);
		}
		if (stop)
			return tn_fail(err, TN_ERR_CANCELLED, "stopped");
		text += a->n;
	}
	return TN_OK;
}
