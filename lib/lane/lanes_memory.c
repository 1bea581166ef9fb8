/* lanes_memory.c - load and check recorded lanes, because stored files are not trusted */
#include "lane/lanes_memory.h"

#include <stdlib.h>


#define MOST_CELLS (UINT64_C(1) << 24)

static const size_t sizes[TN_FINE_PARTS] = {
	sizeof(struct tn_fine_lane), sizeof(struct tn_fine_rank), sizeof(struct tn_fine_state), sizeof(struct tn_fine_share),
	sizeof(struct tn_fine_open), sizeof(struct tn_fine_key), sizeof(uint64_t),
	sizeof(struct tn_fine_notice), 1,
};

/* ---- checks ---- */

static uint64_t
cell_of(const struct tn_lanes_memory *m, int64_t ns)
{
	return (uint64_t)(ns - m->head->origin_ns) >> m->head->shift;
}

static bool
is_time(const struct tn_lanes_memory *m, int64_t ns)
{
	return ns >= m->head->begin_ns && ns <= m->head->last_ns;
}

/* Check the sizes of the parts, and that no bytes follow them. */
static bool
take_parts(struct tn_lanes_memory *m, size_t n)
{
	const uint8_t *at = (const uint8_t *)(m->head + 1);
	const void *part[TN_FINE_PARTS];
	size_t rest = n - sizeof *m->head;

	for (size_t i = 0; i < TN_FINE_PARTS; i++) {
		if (m->head->n[i] > rest / sizes[i])
			return false;
		part[i] = at;
		at += (size_t)m->head->n[i] * sizes[i];
		rest -= (size_t)m->head->n[i] * sizes[i];
	}
	m->lane = part[TN_FINE_LANES];
	m->rank = part[TN_FINE_RANKS];
	m->state = part[TN_FINE_STATES];
	m->share = part[TN_FINE_SHARES];
	m->open = part[TN_FINE_OPEN];
	m->key = part[TN_FINE_KEYS];
	m->word = part[TN_FINE_WORDS];
	m->notice = part[TN_FINE_NOTICES];
	m->text = part[TN_FINE_TEXT];
	return !rest && m->head->n[TN_FINE_KEYS] < TN_FINE_NONE && m->head->n[TN_FINE_STATES] < TN_FINE_RUN;
}

static bool
check_head(const struct tn_lanes_memory *m, int64_t begin_ns, int64_t last_ns)
{
	const struct tn_fine_head *h = m->head;

	return h->magic == TN_FINE_MAGIC && h->begin_ns == begin_ns && h->last_ns == last_ns && h->shift < 61 &&
	       begin_ns <= last_ns && begin_ns > -(INT64_C(1) << 62) && last_ns < INT64_C(1) << 62 && h->origin_ns <= begin_ns &&
	       (uint64_t)(begin_ns - h->origin_ns) >> h->shift == 0 && h->cells && h->cells <= MOST_CELLS &&
	       cell_of(m, last_ns) == h->cells - 1;
}

/* Whether @values values fill exactly @n words. */
static bool
check_words(const uint64_t *w, size_t n, size_t values)
{
	for (; values; values--) {
		size_t size = 2;

		if (!n)
			return false;
		switch ((enum tn_answer_kind)(w[0] & 0xff)) {
		case TN_ANSWER_UINT:
		case TN_ANSWER_SINT:
		case TN_ANSWER_FLOAT:
			if (w[0] >> 8)
				return false;
			break;
		case TN_ANSWER_TEXT:
			if (w[0] >> 8 > 8 * (uint64_t)n)
				return false;
			size = 1 + (size_t)((w[0] >> 8) + 7) / 8;
			break;
		case TN_ANSWER_NONE:
		default:
			return false;
		}
		if (size > n)
			return false;
		w += size;
		n -= size;
	}
	return !n;
}

/* Check one lane: its cells must be in order, and no cell may have too much time. */
static bool
check_shares(const struct tn_lanes_memory *m, const struct tn_fine_share *s, uint64_t n)
{
	uint64_t next = 0, full = 0;	/* the next cell must be at @next or later; @full: the time in the cell so far */

	for (uint64_t i = 0; i < n; i++) {
		bool run = s[i].state & TN_FINE_RUN;
		uint64_t cell = s[i].cell;

		if ((s[i].state & ~TN_FINE_RUN) >= m->head->n[TN_FINE_STATES] || !s[i].ns || cell < next || cell >= m->head->cells)
			return false;
		if (cell > next)
			full = 0;
		if (run) {
			if (full || s[i].ns > m->head->cells - cell)
				return false;
			next = cell + s[i].ns;
			continue;
		}
		next = cell;
		if (s[i].ns > (UINT64_C(1) << m->head->shift) - full)
			return false;
		full += s[i].ns;
	}
	return true;
}

static bool
check_lanes(struct tn_lanes_memory *m, const struct tn_lanes *l)
{
	const uint64_t *n = m->head->n;
	uint64_t share = 0, rank = 0, word = 0;
	int64_t first = m->head->begin_ns;

	for (uint64_t i = 0; i < n[TN_FINE_LANES]; i++) {
		const struct tn_fine_lane *lane = &m->lane[i];

		m->share_at[i] = share;
		if (lane->first_ns < first || !is_time(m, lane->first_ns) || lane->n_shares > n[TN_FINE_SHARES] - share ||
		    lane->n_ranks > n[TN_FINE_RANKS] - rank || lane->n_words > n[TN_FINE_WORDS] - word ||
		    (lane->class != UINT64_MAX && lane->class >= l->spans->classes.n) ||
		    !check_words(m->word + word, (size_t)lane->n_words, 1) || !check_shares(m, m->share + share, lane->n_shares))
			return false;
		first = lane->first_ns;
		share += lane->n_shares;
		rank += lane->n_ranks;
		word += lane->n_words;
	}
	m->share_at[n[TN_FINE_LANES]] = share;
	m->key_at[0] = word;
	for (uint64_t i = 0; i < n[TN_FINE_RANKS]; i++)
		if (!is_time(m, m->rank[i].first_ns) || m->rank[i].rank >= l->set->n_streams)
			return false;
	return share == n[TN_FINE_SHARES] && rank == n[TN_FINE_RANKS];
}

static bool
check_keys(struct tn_lanes_memory *m, const struct tn_lanes *l)
{
	uint64_t at = m->key_at[0], all = m->head->n[TN_FINE_WORDS];

	for (uint64_t i = 0; i < m->head->n[TN_FINE_KEYS]; i++) {
		uint64_t n = m->key[i].n_words;

		/* The first word is the definition; it must equal that of the begins with this key. */
		if (!n || n > all - at || n >= UINT32_MAX ||
		    !check_words(m->word + at + 1, (size_t)n - 1, l->spans->definition.item[0].begin_key.n))
			return false;
		m->key_at[i] = at;
		at += n;
	}
	return at == all;
}

/* Check the texts of states; the texts of notices follow them. */
static bool
check_texts(const struct tn_lanes_memory *m, const struct tn_lanes *l)
{
	uint64_t rest = m->head->n[TN_FINE_TEXT];
	const char *text = m->text;
	int64_t first = m->head->begin_ns;

	for (uint64_t i = 0; i < m->head->n[TN_FINE_STATES]; i++) {
		const struct tn_fine_state *s = &m->state[i];

		if (s->first_ns < first || !is_time(m, s->first_ns) || s->n > rest ||
		    (s->n && memchr(text, '\0', (size_t)s->n)))
			return false;
		first = s->first_ns;
		rest -= s->n;
		text += s->n;
	}
	for (uint64_t i = 0; i < m->head->n[TN_FINE_NOTICES]; i++) {
		const struct tn_fine_notice *a = &m->notice[i];

		if (a->n > rest || a->rank >= l->set->n_streams || a->kind == TN_ROW_EVENT || a->kind > TN_ROW_DAMAGE ||
		    a->has_time > 1 || a->has_cycles > 1 || a->has_range > 1 || a->has_text > 1)
			return false;
		rest -= a->n;
	}
	return !rest;
}

static bool
check_borders(const struct tn_lanes_memory *m, int64_t ns, uint32_t first, uint32_t last)
{
	return is_time(m, ns) && cell_of(m, ns) + 1 <= first && first <= last && last <= m->head->cells;
}

static bool
check_open(struct tn_lanes_memory *m, const struct tn_lanes *l)
{
	const struct tn_span_definition *d = &l->spans->definition.item[0];

	for (uint64_t i = 0; i < m->head->n[TN_FINE_OPEN]; i++) {
		const struct tn_fine_open *o = &m->open[i];
		uint32_t *latest = &m->latest[i / TN_FINE_BLOCK];

		if (!check_borders(m, o->begin_ns, o->first, o->last) || (i && tn_fine_compare(o - 1, o) >= 0) ||
		    o->rank >= l->set->n_streams || o->class >= d->n_names || !d->span_name[o->class] ||
		    o->key >= m->head->n[TN_FINE_KEYS] ||
		    m->word[m->key_at[o->key]] !=
			    tn_spans_origin(l->spans, d, tn_span_space(d, &d->begin, o->class), o->rank) ||
		    (o->lane != TN_FINE_NONE && o->lane >= m->head->n[TN_FINE_LANES]) ||
		    (o->lane != TN_FINE_NONE && o->state >= m->head->n[TN_FINE_STATES]))
			return false;
		if (o->last > *latest)
			*latest = o->last;
	}
	return true;
}

struct tn_lanes_memory *
tn_memory_new(const struct tn_lanes *l, char *question)
{
	struct tn_lanes_memory *m = calloc(1, sizeof *m);

	if (!m) {
		free(question);
		return NULL;
	}
	atomic_init(&m->refs, 1);
	m->set = l->set;
	m->grown = l->set->grown;
	m->question = question;
	return m;
}

bool
tn_memory_take(struct tn_lanes_memory *m, const struct tn_lanes *l, const uint8_t *bytes, size_t n, int64_t begin_ns,
	       int64_t last_ns)
{
	m->head = (const struct tn_fine_head *)(const void *)bytes;
	if (n < sizeof *m->head || !check_head(m, begin_ns, last_ns) || !take_parts(m, n))
		return false;
	m->share_at = calloc((size_t)m->head->n[TN_FINE_LANES] + 1, sizeof *m->share_at);
	m->key_at = calloc((size_t)m->head->n[TN_FINE_KEYS] + 1, sizeof *m->key_at);
	m->latest = calloc((size_t)m->head->n[TN_FINE_OPEN] / TN_FINE_BLOCK + 1, sizeof *m->latest);
	return m->share_at && m->key_at && m->latest && check_lanes(m, l) && check_keys(m, l) && check_texts(m, l) &&
	       check_open(m, l);
}

struct tn_lanes_memory *
tn_lanes_memory_get(struct tn_lanes_memory *m)
{
	if (m)
		atomic_fetch_add(&m->refs, 1);
	return m;
}

void
tn_lanes_memory_free(struct tn_lanes_memory *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	free(m->question);
	free(m->bytes);
	tn_answer_file_release(&m->kept);
	free(m->share_at);
	free(m->key_at);
	free(m->latest);
	free(m);
}
