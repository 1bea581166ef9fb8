/*
 * span_match.c - begins and ends put together
 *
 * They come in the order of the events. A begin is put on the stack of its key, an end takes one from there.
 * All begins are in one list in the order in which they came, so that spans can be told in that order: one that
 * ended waits there for those before it. What is open or waits is bounded by bytes.
 */
#include <stdlib.h>

#include "answer/losses.h"
#include "answer/room.h"
#include "answer/spans.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/options.h"

#define NEAR_STACKS 256	/* a power of two */
#define MOST_IDLE 1024		/* stacks that stay, to be used again */
#define IDLE_WORDS 16		/* of the keys of those */
#define MOST_BYTES ((size_t)40 << 20)	/* of spans that are open, or wait for their turn */

/* The open begins of one key. */
struct stack {
	size_t open, told;	/* begins on it; those that wait to be told and need the key */
	struct begun *first, *last;
	uint64_t hash;
	uint32_t key_words;
	bool is_idle;		/* neither open nor told, and stays */
	uint64_t key[];
};

/* How a span ended. Of one that waits to be told the words follow. */
struct ended {
	struct tn_location at;
	int64_t ns;
	bool has_time;
	uint32_t n_words;
	const uint64_t *words;
};

/* A begin, or an orphan that waits. There are hundreds of thousands: 96 bytes. */
struct begun {
	struct begun *before, *behind;	/* in the list of all */
	struct begun *below, *above;	/* on the stack */
	struct stack *stack;
	union {
		struct ended *ended;	/* of one that waits to be told */
		void *mine;		/* of who watches: none waits then */
	};
	struct tn_location at;
	int64_t ns;
	uint32_t damage;	/* that was seen before it */
	uint32_t class;
	uint32_t captured_words;
	uint16_t definition;
	uint8_t state;		/* enum tn_span_state; OPEN as long as it is on the stack */
	bool has_time : 1;
	bool unsure : 1;	/* its thread may be another */
	uint64_t captured[];	/* of the begin; of an orphan: none */
};

_Static_assert(TN_SPANS_MOST <= UINT16_MAX, "definitions have 16 bits");

/* A begin or an end as it came. */
struct met {
	const struct tn_record *record;
	const struct tn_taken *key;	/* the record that has the definition and the key */
	int64_t ns;
	const uint64_t *captured;
	uint32_t class, captured_words;
};

/* The thread that runs on a processor of a trace. */
struct current {
	uint32_t trace, cpu;
	uint32_t rank;		/* of the stream that told it, */
	int64_t since_ns;	/* and when */
	bool known;
	uint64_t word[2];	/* as a part of a key */
};

struct match {
	const struct tn_spans *spans;
	const struct tn_scan_options *options;
	enum tn_span_order order;
	int (*span)(void *user, const struct tn_span *span);
	const struct tn_span_watch *watch;	/* or NULL */
	struct tn_span_wish wish;
	void *user;
	struct tn_room room;
	struct tn_hash stacks;	/* by key */
	struct stack *near[NEAR_STACKS];	/* by hash: those met last; or NULL */
	size_t n_idle;		/* stacks on which nothing lies */
	struct begun *first, *last;
	struct tn_losses losses;
	uint32_t *damage, n_damage;	/* by rank: number of the last loss of unknown extent; of all, at most UINT32_MAX */
	TN_ARRAY(struct current) current;
	bool unsure;		/* whether it is the thread of the record that is taken */
	TN_ARRAY(uint32_t) damaged;	/* ranks that have some */
	struct tn_expression_state condition;
	struct tn_span_counts counts;
	struct tn_span now;		/* that is told */
	struct tn_answer_value key[TN_SPAN_KEYS], captured[TN_SPAN_FIELDS];
};

static const uint64_t *
words_of(const struct tn_taken *t)
{
	return (const uint64_t *)(const void *)(t + 1);
}

/* ---- stacks ---- */

/* Keys are a few words. */
static inline bool
has_key(const struct stack *s, const struct tn_taken *t)
{
	const uint64_t *w = words_of(t);

	if (s->hash != t->hash || s->key_words != t->key_words)
		return false;
	for (uint32_t i = 0; i < t->key_words; i++)
		if (s->key[i] != w[i])
			return false;
	return true;
}

static struct stack *
find_stack(struct match *m, const struct tn_taken *t)
{
	struct stack **near = &m->near[t->hash % NEAR_STACKS], *s = *near;
	size_t bytes = 8 * (size_t)t->key_words;
	struct tn_hash_item *item;
	bool is_new;

	if (s && has_key(s, t))
		return s;
	item = tn_hash_add_hashed(&m->stacks, t->hash, words_of(t), bytes, &is_new);
	if (!item)
		return NULL;
	if (!is_new)
		return *near = item->pointer;
	s = tn_room_take(&m->room, sizeof *s + bytes);
	if (!s) {
		tn_hash_remove(&m->stacks, item);
		return NULL;
	}
	*s = (struct stack) { .key_words = t->key_words, .hash = t->hash };
	memcpy(s->key, words_of(t), bytes);
	tn_hash_keep_key(item, s->key);
	item->pointer = s;
	return *near = s;
}

/* The stack of the key, which is in use from now on; NULL: memory is out. */
static struct stack *
stack_of(struct match *m, const struct tn_taken *t)
{
	struct stack *s = find_stack(m, t);

	if (s && s->is_idle) {
		s->is_idle = false;
		m->n_idle--;
	}
	return s;
}

/* A stack on which nothing lies, and whose key nobody tells any more, is of no use; some stay all the same. */
static void
drop_stack(struct match *m, struct stack *s)
{
	if (s->open || s->told || s->is_idle)
		return;
	if (m->n_idle < MOST_IDLE && s->key_words <= IDLE_WORDS) {
		s->is_idle = true;
		m->n_idle++;
		return;
	}
	if (m->near[s->hash % NEAR_STACKS] == s)
		m->near[s->hash % NEAR_STACKS] = NULL;
	tn_hash_remove(&m->stacks, tn_hash_find_hashed(&m->stacks, s->hash, s->key, 8 * (size_t)s->key_words));
	tn_room_give(&m->room, s, sizeof *s + 8 * (size_t)s->key_words);
}

static void
push(struct stack *s, struct begun *b)
{
	b->stack = s;
	b->below = s->last;
	if (s->last)
		s->last->above = b;
	else
		s->first = b;
	s->last = b;
	s->open++;
}

static void
pull(struct begun *b)
{
	struct stack *s = b->stack;

	if (b->below)
		b->below->above = b->above;
	else
		s->first = b->above;
	if (b->above)
		b->above->below = b->below;
	else
		s->last = b->below;
	s->open--;
}

/* ---- the list ---- */

static void
append(struct match *m, struct begun *b)
{
	b->before = m->last;
	if (m->last)
		m->last->behind = b;
	else
		m->first = b;
	m->last = b;
}

static void
forget(struct match *m, struct begun *b)
{
	if (b->before)
		b->before->behind = b->behind;
	else
		m->first = b->behind;
	if (b->behind)
		b->behind->before = b->before;
	else
		m->last = b->before;
	if (!m->watch && b->ended)
		tn_room_give(&m->room, b->ended, sizeof *b->ended + 8 * (size_t)b->ended->n_words);
	tn_room_give(&m->room, b, sizeof *b + 8 * (size_t)b->captured_words);
}

static struct begun *
new_begun(struct match *m, const struct met *t, bool is_end)
{
	size_t words = is_end ? 0 : t->captured_words;
	struct begun *b = tn_room_take(&m->room, sizeof *b + 8 * words);

	if (!b)
		return NULL;
	*b = (struct begun) {
		.class = t->class, .definition = (uint16_t)t->key->definition, .damage = m->n_damage,
		.captured_words = (uint32_t)words, .state = TN_SPAN_OPEN,
	};
	if (words)
		memcpy(b->captured, t->captured, 8 * words);
	return b;
}

/* ---- losses ---- */

/* A begin or an end could have been lost between the two. */
static bool
is_doubtful(struct match *m, const struct begun *b, const struct tn_location *end, bool *failed)
{
	struct tn_lost_question q = {
		.definition = b->definition, .begin_rank = b->at.stream, .end_rank = end->stream,
		.begin_ns = b->at.time_ns, .end_ns = end->time_ns,
	};

	if (m->n_damage == UINT32_MAX)
		return true;
	for (size_t i = 0; i < m->damaged.n; i++)
		if (m->damage[m->damaged.item[i]] > b->damage && tn_loss_matters(m->spans, m->damaged.item[i], &q))
			return true;
	return tn_losses_touch(&m->losses, &q, failed);
}

/* A loss of which only the place is known. */
static enum tn_code
take_damage(struct match *m, uint32_t rank, struct tn_error *err)
{
	if (!m->damage[rank]) {
		uint32_t *at = TN_ARRAY_ADD(&m->damaged);

		if (!at)
			return tn_fail_memory(err);
		*at = rank;
	}
	m->n_damage += m->n_damage < UINT32_MAX;
	m->damage[rank] = m->n_damage;
	return TN_OK;
}

/* ---- telling ---- */

/* The values of the begin, then those that the end has. */
static size_t
unpack_captured(struct match *m, const struct begun *b, const uint64_t *end_words)
{
	const struct tn_span_definition *d = &m->spans->definition.item[b->definition];
	const uint64_t *w = b->captured;

	for (size_t i = 0; i < d->captures.n; i++) {
		m->captured[i] = (struct tn_answer_value) { 0 };
		if (b->captured_words)
			w = tn_unpack(w, &m->captured[i]);
	}
	for (size_t i = 0; end_words && i < d->captures.n; i++) {
		struct tn_answer_value v;

		end_words = tn_unpack(end_words, &v);
		if (v.kind != TN_ANSWER_NONE)
			m->captured[i] = v;
	}
	return d->captures.n;
}

static size_t
unpack_key(struct match *m, const struct begun *b)
{
	const struct tn_span_definition *d = &m->spans->definition.item[b->definition];
	const uint64_t *w = b->stack->key + 1;

	for (size_t i = 0; i < d->begin_key.n; i++) {
		w = tn_unpack(w, &m->key[i]);
		if (m->key[i].kind == TN_ANSWER_UINT || m->key[i].kind == TN_ANSWER_SINT)
			m->key[i].type = d->label[i];
	}
	return d->begin_key.n;
}

/* The span, without the values of its key and of what is shown; @e: NULL while it is open. */
static struct tn_span *
span_of(struct match *m, const struct begun *b, const struct ended *e)
{
	struct tn_span *span = &m->now;

	span->definition = b->definition;
	span->state = (enum tn_span_state)b->state;
	span->name = m->spans->definition.item[b->definition].span_name[b->class];
	span->is_at_begin = b->state != TN_SPAN_ORPHAN;
	span->is_at_end = e != NULL;
	span->begin = b->at;
	span->begin_ns = b->ns;
	span->end = e ? e->at : (struct tn_location) { 0 };
	span->end_ns = e ? e->ns : 0;
	span->has_begin = span->is_at_begin && b->has_time;
	span->has_end = e && e->has_time;
	span->has_duration = span->has_begin && span->has_end;
	span->duration_ns = span->has_duration ? (int64_t)((uint64_t)span->end_ns - (uint64_t)span->begin_ns) : 0;
	span->n_keys = span->n_captured = 0;
	return span;
}

static void
take_values(struct match *m, const struct begun *b, const struct ended *e, struct tn_span *span)
{
	span->n_keys = unpack_key(m, b);
	span->n_captured = unpack_captured(m, b, e && e->n_words ? e->words : NULL);
}

/* Whether its end may have been lost since, or come yet. */
static bool
is_unsure(struct match *m, const struct begun *b, bool *failed)
{
	return b->state == TN_SPAN_OPEN &&
	       (b->unsure || is_doubtful(m, b, &(struct tn_location) { INT64_MAX, b->at.stream, 0, 0 }, failed));
}

static enum tn_code
tell(struct match *m, const struct begun *b, const struct ended *e, struct tn_error *err)
{
	struct tn_span *span = span_of(m, b, e);
	const struct tn_span_where *of_definition = m->spans->definition.item[b->definition].where;
	bool pass = true, has_where = of_definition || m->spans->where, failed = false;
	enum tn_code rc = TN_OK;

	if (!has_where && m->wish.wants && !m->wish.wants(m->user, span)) {
		m->counts.of_state[b->state]++;
		return TN_OK;
	}
	if (has_where || !m->wish.no_values)
		take_values(m, b, e, span);
	if (of_definition)
		rc = tn_span_where_passes(of_definition, &m->condition, span, &pass, err);
	if (rc == TN_OK && pass && m->spans->where)
		rc = tn_span_where_passes(m->spans->where, &m->condition, span, &pass, err);
	if (rc < 0 || !pass)
		return rc;
	m->counts.of_state[b->state]++;
	span->is_unsure = !m->watch && is_unsure(m, b, &failed);
	if (failed)
		return tn_fail_memory(err);
	if (has_where && m->wish.wants && !m->wish.wants(m->user, span))
		return TN_OK;
	if (m->watch && !m->watch->end(m->user, span, b->mine))
		return tn_fail_memory(err);
	if (m->span && m->span(m->user, span))
		return tn_fail(err, TN_ERR_CANCELLED, "stopped");
	return TN_OK;
}

/* As it is: ended, when it waited, or open. */
static enum tn_code
tell_so(struct match *m, const struct begun *b, struct tn_error *err)
{
	return tell(m, b, m->watch ? NULL : b->ended, err);
}

/* Tell those that nothing before them keeps waiting. */
static enum tn_code
tell_ready(struct match *m, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && m->first && m->first->state != TN_SPAN_OPEN) {
		struct begun *b = m->first;
		struct stack *s = b->stack;

		rc = tell_so(m, b, err);
		forget(m, b);
		s->told--;
		drop_stack(m, s);
	}
	return rc;
}

/* A span that ended: told now, or when its turn comes. */
static enum tn_code
finish(struct match *m, struct begun *b, const struct ended *e, struct tn_error *err)
{
	struct stack *s = b->stack;
	uint64_t *words;
	enum tn_code rc;

	if (m->order == TN_SPANS_BY_END) {
		rc = tell(m, b, e, err);
		forget(m, b);
		drop_stack(m, s);
		return rc;
	}
	b->ended = tn_room_take(&m->room, sizeof *e + 8 * (size_t)e->n_words);
	if (!b->ended)
		return tn_fail_memory(err);
	*b->ended = *e;
	words = (uint64_t *)(b->ended + 1);
	if (e->n_words)
		memcpy(words, e->words, 8 * (size_t)e->n_words);
	b->ended->words = words;
	s->told++;
	drop_stack(m, s);
	return tell_ready(m, err);
}

/* ---- bounds ---- */

/* What is open or waits takes too much room: what waits is told now; then the oldest that are open, as they are. */
static enum tn_code
make_room(struct match *m, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	struct begun *next;

	for (struct begun *b = m->first; b && rc == TN_OK; b = next) {
		struct stack *s = b->stack;

		next = b->behind;
		if (b->state == TN_SPAN_OPEN)
			continue;
		m->counts.out_of_order++;
		rc = tell_so(m, b, err);
		forget(m, b);
		s->told--;
		drop_stack(m, s);
	}
	while (m->first && m->room.used > MOST_BYTES / 2 && rc == TN_OK) {
		struct begun *b = m->first;
		struct stack *s = b->stack;

		m->counts.given_up++;
		b->unsure = true;	/* its end may come yet */
		rc = tell(m, b, NULL, err);
		pull(b);
		forget(m, b);
		drop_stack(m, s);
	}
	return rc;
}

/* ---- which thread runs ---- */

static struct current *
current_of(struct match *m, uint32_t trace, uint32_t cpu)
{
	struct current *c;

	for (size_t i = 0; i < m->current.n; i++)
		if (m->current.item[i].cpu == cpu && m->current.item[i].trace == trace)
			return &m->current.item[i];
	c = TN_ARRAY_ADD(&m->current);
	if (c)
		*c = (struct current) { .trace = trace, .cpu = cpu };
	return c;
}

/* The number that is a key, or part of one. */
static enum tn_code
take_switch(struct match *m, const struct tn_taken *t, struct tn_error *err)
{
	struct current *c = current_of(m, m->spans->classes.trace[t->record.rank], t->cpu);

	if (!c)
		return tn_fail_memory(err);
	c->known = true;
	c->rank = t->record.rank;
	c->since_ns = t->record.key_ns;
	memcpy(c->word, words_of(t), sizeof c->word);
	return TN_OK;
}

/* The thread to where it belongs in a record, which is nobody else's. TN_END: it is a key, and not known. */
static enum tn_code
fill_in(struct match *m, const struct tn_taken *record, struct tn_error *err)
{
	struct tn_taken *t = (struct tn_taken *)record;
	struct current *c = current_of(m, m->spans->classes.trace[t->record.rank], t->cpu);
	uint64_t *words = (uint64_t *)(void *)(t + 1);
	bool known;

	if (!c)
		return tn_fail_memory(err);
	known = c->known && t->cpu != UINT32_MAX;
	if (t->current_at && !known)
		return TN_END;
	if (known && t->shown_at)
		memcpy(words + t->shown_at, c->word, sizeof c->word);
	if (!t->current_at)
		return TN_OK;
	/* Another one may have run since, and it was lost. */
	m->unsure = tn_losses_touch_stream(&m->losses, c->rank, c->since_ns, t->record.key_ns);
	memcpy(words + t->current_at, c->word, sizeof c->word);
	t->hash = tn_hash_of(m->spans->seed, words, 8 * (size_t)t->key_words);
	return TN_OK;
}

/* ---- taking ---- */

static enum tn_code
take_begin(struct match *m, const struct met *t, struct tn_error *err)
{
	struct stack *s = stack_of(m, t->key);
	struct begun *b = s ? new_begun(m, t, false) : NULL;

	if (!b)
		return tn_fail_memory(err);
	b->at = tn_record_location(t->record);
	b->ns = t->ns;
	b->has_time = t->key->has_time;
	b->unsure = m->unsure;
	push(s, b);
	append(m, b);
	if (m->watch) {
		struct tn_span *span = span_of(m, b, NULL);

		take_values(m, b, NULL, span);
		if (!m->watch->begin(m->user, span, &b->mine))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

static enum tn_code
take_end(struct match *m, const struct met *t, struct tn_error *err)
{
	struct ended e = {
		.at = tn_record_location(t->record), .ns = t->ns, .has_time = t->key->has_time,
		.words = t->captured, .n_words = t->captured_words,
	};
	struct stack *s = stack_of(m, t->key);
	struct begun *b;
	bool failed = false;

	if (!s)
		return tn_fail_memory(err);
	b = m->spans->definition.item[t->key->definition].fifo ? s->first : s->last;
	if (b) {
		pull(b);
		b->state = b->unsure || m->unsure || is_doubtful(m, b, &e.at, &failed) ? TN_SPAN_DOUBTFUL : TN_SPAN_CLOSED;
		if (failed)
			return tn_fail_memory(err);
	} else {
		b = new_begun(m, t, true);
		if (!b)
			return tn_fail_memory(err);
		b->stack = s;
		b->state = TN_SPAN_ORPHAN;
		append(m, b);
	}
	return finish(m, b, &e, err);
}

static enum tn_code
take_again(struct match *m, const struct tn_record *record, struct tn_error *err)
{
	const struct tn_taken_again *t = (const struct tn_taken_again *)(const void *)record;
	struct met met = {
		.record = record, .ns = t->time_ns, .class = t->class,
		.key = (const struct tn_taken *)(const void *)((const uint8_t *)t - t->back),
		.captured = (const uint64_t *)(const void *)(t + 1), .captured_words = (record->size - (uint32_t)sizeof *t) / 8,
	};

	m->unsure = false;
	return record->kind == TN_TAKEN_BEGIN_AGAIN ? take_begin(m, &met, err) : take_end(m, &met, err);
}

static enum tn_code
take_with_key(struct match *m, const struct tn_taken *t, struct tn_error *err)
{
	struct met met = {
		.record = &t->record, .ns = t->time_ns, .class = t->class, .key = t,
		.captured = words_of(t) + t->key_words, .captured_words = t->captured_words,
	};

	m->unsure = false;
	if (t->current_at || t->shown_at) {
		enum tn_code rc = fill_in(m, t, err);

		m->counts.without_key += rc == TN_END;
		if (rc != TN_OK)
			return rc < 0 ? rc : TN_OK;
	}
	if (t->record.kind == TN_TAKEN_END)
		return take_end(m, &met, err);
	if (m->watch && m->watch->taken && !m->watch->taken(m->user, t))
		return tn_fail_memory(err);
	return take_begin(m, &met, err);
}

static enum tn_code
take(void *user, const struct tn_record *record, struct tn_error *err)
{
	const struct tn_taken *t = (const struct tn_taken *)(const void *)record;
	struct match *m = user;

	if (m->room.used > MOST_BYTES) {
		enum tn_code rc = make_room(m, err);

		if (rc < 0)
			return rc;
	}
	switch ((enum tn_taken_kind)record->kind) {
	case TN_TAKEN_BEGIN_AGAIN:
	case TN_TAKEN_END_AGAIN:
		return take_again(m, record, err);
	case TN_TAKEN_BEGIN:
	case TN_TAKEN_END:
		return take_with_key(m, t, err);
	case TN_TAKEN_SWITCH:
		if (m->watch && m->watch->taken && !m->watch->taken(m->user, t))
			return tn_fail_memory(err);
		return take_switch(m, t, err);
	case TN_TAKEN_LOSS:
		return take_damage(m, record->rank, err);
	case TN_TAKEN_NO_KEY:
		break;
	}
	m->counts.without_key++;
	return TN_OK;
}

/* What was there before the range begins. */
static enum tn_code
take_seeds(struct match *m, const struct tn_record_buffer *seeds, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t at = 0; rc == TN_OK && at < seeds->n;) {
		const struct tn_record *r = (const struct tn_record *)(const void *)(seeds->bytes + at);

		rc = take(m, r, err);
		at += r->size;
	}
	return rc;
}

static enum tn_code
rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
     size_t end, struct tn_error *err)
{
	struct match *m = user;

	return tn_span_rows(m->spans, m->options, !m->watch, out, reader, b, first, end, err);
}

/* What is still open is told as it is. */
static enum tn_code
tell_open(struct match *m, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (struct begun *b = m->first; rc == TN_OK && b; b = b->behind)
		rc = tell_so(m, b, err);
	return rc;
}

static void
release(struct match *m)
{
	while (m->first) {
		struct begun *b = m->first;
		struct stack *s = b->stack;

		if (b->state == TN_SPAN_OPEN)
			pull(b);
		else
			s->told--;
		forget(m, b);
		drop_stack(m, s);
	}
	tn_hash_release(&m->stacks);
	tn_room_release(&m->room);
	tn_losses_release(&m->losses);
	free(m->damage);
	TN_ARRAY_RELEASE(&m->damaged);
	TN_ARRAY_RELEASE(&m->current);
	tn_expression_state_release(&m->condition);
}

static enum tn_code
run(struct match *m, struct tn_error *err)
{
	const struct tn_feed_ops feed_ops = { .rows = rows, .take = take, .all = m->spans->wants_switches };
	struct tn_set *set = m->spans->set;
	enum tn_code rc;

	m->now.key = m->key;
	m->now.captured = m->captured;
	if (m->spans->wants_switches && tn_filter_has_regex(m->options->filter))
		return tn_fail(err, TN_ERR_ARGUMENT, "a filter for lines leaves out what tells which thread runs (sched_switch): "
			       "filter by fields, name =~ /.../");
	rc = tn_losses_find(&m->losses, m->spans, m->options, err);

	m->damage = calloc(set->n_streams + 1, sizeof *m->damage);
	if (rc == TN_OK && !m->damage)
		rc = tn_fail_memory(err);
	if (rc == TN_OK && m->watch && m->watch->seeds)
		rc = take_seeds(m, m->watch->seeds, err);
	if (rc == TN_OK)
		rc = tn_feed_run(set, m->options, &feed_ops, m, err);
	if (rc == TN_OK)
		rc = tell_open(m, err);
	release(m);
	return rc;
}

enum tn_code
tn_spans_watch(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_watch *watch,
	       void *user, struct tn_error *err)
{
	struct match m = { .spans = spans, .options = options, .order = TN_SPANS_BY_END, .watch = watch, .user = user };

	return run(&m, err);
}

enum tn_code
tn_spans_run_some(const struct tn_spans *spans, const struct tn_scan_options *options, const struct tn_span_wish *wish,
		  int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
		  struct tn_error *err)
{
	struct match m = {
		.spans = spans, .options = options, .order = TN_SPANS_BY_END, .span = span, .user = user, .wish = *wish,
	};
	enum tn_code rc = run(&m, err);

	*counts = m.counts;
	return rc;
}

enum tn_code
tn_spans_run(const struct tn_spans *spans, const struct tn_scan_options *options, enum tn_span_order order,
	     int (*span)(void *user, const struct tn_span *span), void *user, struct tn_span_counts *counts,
	     struct tn_error *err)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct match m = { .spans = spans, .options = &o, .order = order, .span = span, .user = user };
	enum tn_code rc;

	if (counts)
		*counts = m.counts;
	if (!spans || !spans->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	rc = run(&m, err);
	if (counts)
		*counts = m.counts;
	return rc;
}
