/*
 * stack_spans.c - stacks of open spans, one stack for each thread
 *
 * The threads of the scan make records of begin and end events; this file takes them in the order of the events. Records
 * with equal keys have the same thread and name, so the first record stores both. Each begin event costs one search for
 * the callee.
 */
#include "stack/stacks.h"

#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "scan/pack.h"
#include "span/losses.h"
#include "span/spans.h"

#define MOST_THREADS ((size_t)1 << 18)	/* limit of threads with a stack, and of keys */
#define NO_DEPTH UINT64_MAX
#define MOST_FRAMES ((size_t)1 << 20)	/* limit of frames on all stacks together */

struct frame {
	uint64_t hash;		/* hash of the key */
	int64_t begin_ns, key_ns, end_ns;
	uint32_t stack;		/* the stack with this frame on top; frames between may be closed since */
	uint32_t born;		/* the stack at the begin event; the call is counted there */
	uint64_t depth;		/* depth of the call among those of its stream class; NO_DEPTH: unknown */
	uint32_t definition, rank, damage, class;
	bool has_time;
	bool is_whole;		/* the end is known: it is end_ns */
	bool is_cut;		/* a limit was reached, and `born` is the stack of the caller */
};

struct thread {
	TN_ARRAY(struct frame) frame;
	uint64_t id;		/* hash of the thread's keys */
	uint32_t wholes;	/* number of frames whose end is known */
	uint64_t beyond;	/* number of open begins that are not on the stack */
	int64_t last_ns;	/* time of its last begin or end event */
};

struct gather {
	const struct tn_spans *spans;
	const struct tn_scan_options *options;
	struct tn_stacks s;
	struct tn_flame_counts counts;
	TN_ARRAY(struct thread) thread;
	struct tn_hash threads;	/* threads by id */
	struct tn_hash keys;	/* number of the thread, by the hash of a key */
	uint32_t sweeps;	/* 1 + number of times that threads were renumbered */
	size_t n_frames;
	struct tn_losses losses;
	uint32_t *damage, n_damage;	/* for each stream, and for all: number of the last loss of unknown extent */
	uint32_t **name;	/* by definition, by class: number of the name + 1; 0: not known yet */
	uint8_t (*key_kind)[TN_SPAN_KEYS];	/* by definition: a kind for each key that identifies the stack, otherwise 0 */
	struct tn_hash values;	/* names by captured values */
	struct tn_arena arena;	/* memory of these keys */
	TN_ARRAY(uint64_t) words;	/* words of a searched id or name */
	struct tn_str text;
};

/* A begin or an end event. */
struct met {
	const struct tn_record *record;
	struct tn_span_record *key;	/* the record with the definition and the key */
	const struct tn_span_record_again *again;	/* fields of the event; NULL: `key` has them */
	uint32_t class;
	bool is_noted;		/* the number of the name is stored in `key`, and is valid for this record */
	int64_t ns;
};

/* ---- names ---- */

static uint32_t
name_of_values(struct gather *g, const struct met *m, const uint64_t *w, size_t n)
{
	const struct tn_span_definition *d = &g->spans->definition.item[m->key->definition];
	const char *span_name = d->span_name[m->class];
	struct tn_hash_item *item;
	size_t size = 8 * (n + 1);
	uint32_t name;
	size_t first = d->is_named ? d->captures.n - 1 : 0;
	bool some = false;
	char *copy;

	if (!TN_ARRAY_RESERVE(&g->words, n + 1))
		return UINT32_MAX;
	g->words.item[0] = (uint64_t)m->key->definition << 32 | m->class;	/* the rest of the name depends on them */
	memcpy(g->words.item + 1, w, 8 * n);
	item = tn_hash_find(&g->values, g->words.item, size);
	if (item)
		return (uint32_t)item->value;
	g->text.n = 0;
	if (d->name)
		tn_str_add(&g->text, span_name, strlen(span_name));
	for (size_t i = 0; i < d->captures.n; i++) {
		struct tn_answer_value v;

		w = tn_unpack(w, &v);
		if (v.kind == TN_ANSWER_NONE || i < first)
			continue;
		if (g->text.n)
			tn_str_add(&g->text, " ", 1);
		tn_answer_value_text(&v, &g->text);
		some = true;
	}
	if (!some) {
		g->text.n = 0;
		tn_str_add(&g->text, span_name, strlen(span_name));
	}
	name = g->text.failed ? UINT32_MAX : tn_stacks_name(&g->s, g->text.text, g->text.n);
	/* The memory of the table's keys has the same limit as that of names. */
	if (name == UINT32_MAX || name == TN_STACK_NAMELESS || n > TN_STACK_NAME)
		return name;
	copy = tn_arena_copy(&g->arena, (const char *)g->words.item, size);
	item = copy ? tn_hash_add(&g->values, copy, size, NULL) : NULL;
	if (!item)
		return UINT32_MAX;
	item->value = name;
	return name;
}

/* The number of a frame's name. UINT32_MAX: memory is out. */
static uint32_t
name_of(struct gather *g, const struct met *m)
{
	const struct tn_span_definition *d = &g->spans->definition.item[m->key->definition];
	const uint64_t *captured = tn_span_record_words(m->key) + m->key->key_words;
	uint32_t **names = &g->name[m->key->definition], name, class = m->class, n_words = m->key->captured_words;

	if (m->again)
		captured = tn_again_words(m->again, m->key, &n_words);
	if (n_words)
		return name_of_values(g, m, captured, n_words);
	if (!*names && !(*names = calloc(g->spans->classes.n + 1, sizeof **names)))
		return UINT32_MAX;
	if (!(*names)[class]) {
		name = tn_stacks_name(&g->s, d->span_name[class], strlen(d->span_name[class]));
		if (name == UINT32_MAX)
			return name;
		(*names)[class] = name + 1;
	}
	return (*names)[class] - 1;
}

/* ---- threads ---- */

/* Kinds of keys that identify a stack: processor 1 and thread 1 have two stacks. */
enum key_kind { KEY_JOINS, KEY_THREAD, KEY_CPU, KEY_STREAM, KEY_OTHER };

/* "vtid", "prev_tid", "cpu_id": the end of a name tells. */
static enum key_kind
kind_of(const char *name)
{
	static const struct { const char *end; enum key_kind kind; } ends[] = {
		{ "tid", KEY_THREAD }, { "pid", KEY_THREAD }, { "thread", KEY_THREAD }, { "thread_id", KEY_THREAD },
		{ "pthread_id", KEY_THREAD }, { "cpu", KEY_CPU }, { "cpu_id", KEY_CPU }, { "stream", KEY_STREAM },
	};

	for (size_t i = 0; i < TN_COUNT(ends); i++) {
		size_t n = strlen(ends[i].end), all = strlen(name);

		if (all >= n && strcmp(name + all - n, ends[i].end) == 0)
			return ends[i].kind;
	}
	return KEY_JOINS;
}

static enum tn_code
look_at_definitions(struct gather *g, struct tn_error *err)
{
	size_t n = g->spans->definition.n;

	g->key_kind = calloc(n + 1, sizeof *g->key_kind);
	g->name = calloc(n + 1, sizeof *g->name);
	if (!g->key_kind || !g->name)
		return tn_fail_memory(err);
	for (size_t d = 0; d < n; d++) {
		const struct tn_span_definition *def = &g->spans->definition.item[d];
		bool some = false;

		if (def->where || g->spans->where)
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s': stacks contain all spans: remove the condition from the "
				       "definition", def->text);
		for (size_t i = 0; i < def->begin_key.n; i++)
			some |= (g->key_kind[d][i] = kind_of(def->begin_key.item[i].name)) != KEY_JOINS;
		if (!some)
			memset(g->key_kind[d], KEY_OTHER, sizeof g->key_kind[d]);
	}
	return TN_OK;
}

/* Identify the thread of a key by words: the place in which its values are unique, then the values. */
static uint64_t
id_of(struct gather *g, const struct tn_span_record *key)
{
	const struct tn_span_definition *d = &g->spans->definition.item[key->definition];
	const uint64_t *w = (const uint64_t *)(const void *)(key + 1), *end = w + key->key_words;
	size_t n = 1;

	if (!TN_ARRAY_RESERVE(&g->words, key->key_words + 1u + TN_SPAN_KEYS))
		return 0;
	g->words.item[0] = (w[0] & UINT32_MAX) | (uint64_t)d->of_loom << 32;
	w++;
	for (size_t i = 0; i < d->begin_key.n && w < end; i++) {
		struct tn_answer_value v;
		const uint64_t *next = tn_unpack(w, &v);
		uint8_t kind = g->key_kind[key->definition][i];

		if (kind != KEY_JOINS)
			g->words.item[n++] = kind;
		for (; kind != KEY_JOINS && w < next; w++)
			g->words.item[n++] = *w;
		w = next;
	}
	return tn_hash_of(g->spans->seed, g->words.item, 8 * n);
}

/* Forget the threads whose stacks are empty. False: memory is out. */
static bool
sweep(struct gather *g)
{
	size_t kept = 0;

	g->sweeps++;
	tn_hash_clear(&g->threads);
	tn_hash_clear(&g->keys);
	for (size_t i = 0; i < g->thread.n; i++) {
		struct thread *t = &g->thread.item[i];
		struct tn_hash_item *item;

		if (!t->frame.n && !t->beyond) {
			TN_ARRAY_RELEASE(&t->frame);
			continue;
		}
		item = tn_hash_add_u64(&g->threads, t->id, NULL);
		if (!item)
			return false;
		item->value = kept;
		if (kept != i) {
			g->thread.item[kept] = *t;
			t->frame.item = NULL;
			t->frame.n = t->frame.room = 0;
		}
		kept++;
	}
	g->thread.n = kept;
	return true;
}

static struct thread *
find_thread(struct gather *g, const struct tn_span_record *key, bool *failed)
{
	uint64_t id = id_of(g, key);
	struct tn_hash_item *item;
	bool is_new;

	*failed = true;
	if (!id || ((g->thread.n >= MOST_THREADS || g->keys.n >= MOST_THREADS) && !sweep(g)))
		return NULL;
	*failed = false;
	if (g->thread.n >= MOST_THREADS - MOST_THREADS / 8)	/* otherwise each new key would call sweep() again */
		return NULL;
	*failed = true;
	item = tn_hash_add_u64(&g->threads, id, &is_new);
	if (!item)
		return NULL;
	if (is_new) {
		struct thread *t = TN_ARRAY_ADD(&g->thread);

		if (!t)
			return NULL;
		t->id = id;
		item->value = g->thread.n - 1;
	}
	*failed = false;
	return &g->thread.item[item->value];
}

/* The thread of a record. NULL: there are too many threads, or memory is out. */
static struct thread *
thread_of_key(struct gather *g, const struct tn_span_record *key, bool *failed)
{
	struct tn_hash_item *item = tn_hash_find_u64(&g->keys, key->hash);
	struct thread *t;

	*failed = false;
	if (item)
		return &g->thread.item[item->value];
	t = find_thread(g, key, failed);
	item = t ? tn_hash_add_u64(&g->keys, key->hash, NULL) : NULL;
	*failed |= t && !item;
	if (!item)
		return NULL;
	item->value = (uint64_t)(t - g->thread.item);
	return t;
}

/*
 * The thread of the record with a key. `own` of this record stores: the number of sweeps when the thread was found, the
 * thread, and the number of the name plus 1. 0: unknown.
 */
static inline struct thread *
thread_of(struct gather *g, struct tn_span_record *key, bool *failed)
{
	struct thread *t;

	*failed = false;
	if (__builtin_expect(key->own[0] == g->sweeps, 1))
		return &g->thread.item[key->own[1]];
	t = thread_of_key(g, key, failed);
	if (t) {
		key->own[0] = g->sweeps;
		key->own[1] = (uint32_t)(t - g->thread.item);
	}
	return t;
}

/* ---- losses ---- */

static inline bool
any_lost(const struct gather *g)
{
	return g->losses.rank.n || g->n_damage;
}

static bool
is_doubtful(struct gather *g, const struct frame *f, uint32_t rank, int64_t key_ns, bool *failed)
{
	struct tn_lost_question q = {
		.definition = f->definition, .begin_rank = f->rank, .end_rank = rank, .begin_ns = f->key_ns, .end_ns = key_ns,
	};

	if (g->n_damage > f->damage)
		for (uint32_t i = 0; i < g->spans->set->n_streams; i++)
			if (g->damage[i] > f->damage && tn_loss_matters(g->spans, i, &q))
				return true;
	return g->losses.rank.n && tn_losses_touch(&g->losses, &q, failed);
}

/* ---- begins and ends ---- */

static uint32_t
top_of(const struct thread *t)
{
	return t->frame.n ? t->frame.item[t->frame.n - 1].stack : 0;
}

/* Add the time since the thread's last begin or end event to its stack. */
static void
account(struct gather *g, struct thread *t, int64_t now_ns)
{
	if (t->frame.n && now_ns > t->last_ns)
		g->s.stack.item[top_of(t)].self += (uint64_t)now_ns - (uint64_t)t->last_ns;
	t->last_ns = now_ns;
}

/* Remove a frame from any place of its stack. */
static void
pull(struct gather *g, struct thread *t, size_t at)
{
	t->frame.n--;
	if (at < t->frame.n)
		memmove(&t->frame.item[at], &t->frame.item[at + 1], (t->frame.n - at) * sizeof *t->frame.item);
	g->n_frames--;
}

/* Find an open frame of the key, the first or the last one. */
static bool
find_frame(const struct thread *t, uint64_t hash, bool first, size_t *at)
{
	if (first) {
		for (*at = 0; *at < t->frame.n; ++*at)
			if (t->frame.item[*at].hash == hash && !t->frame.item[*at].is_whole)
				return true;
		return false;
	}
	for (*at = t->frame.n; (*at)--;)
		if (t->frame.item[*at].hash == hash && !t->frame.item[*at].is_whole)
			return true;
	return false;
}

/*
 * After frames were removed from the middle, the frames above are on other stacks, which get their later time. Their
 * calls stay counted where they began.
 */
static bool
restack(struct gather *g, struct thread *t, size_t from)
{
	for (size_t i = from; i < t->frame.n; i++) {
		struct frame *f = &t->frame.item[i];
		uint32_t below = i ? f[-1].stack : 0, name = g->s.stack.item[f->born].name;

		f->stack = f->is_cut ? below : tn_stacks_callee(&g->s, below, name);
		if (f->stack == UINT32_MAX)
			return false;
	}
	return true;
}

/* The depth of a call, if its key has it. */
static uint64_t
depth_of(const struct gather *g, const struct tn_span_record *key)
{
	size_t n = g->spans->definition.item[key->definition].depth;
	const uint64_t *w = tn_span_record_words(key) + 1;
	struct tn_answer_value v = { 0 };

	while (n--)
		w = tn_unpack(w, &v);
	return v.kind == TN_ANSWER_UINT ? v.is.u : NO_DEPTH;
}

/*
 * Remove the calls that are at least @depth deep, the depth of @m, down to the frame @above: they ended without an event.
 * The kernel and the program count depths separately. False: memory is out.
 */
static bool
end_deeper(struct gather *g, struct thread *t, const struct met *m, uint64_t depth, size_t above)
{
	const struct tn_event_class *const *class = (const struct tn_event_class *const *)g->spans->classes.item;
	size_t first = t->frame.n;
	bool failed = false;

	for (size_t i = t->frame.n; depth != NO_DEPTH && i-- > above;) {
		struct frame *f = &t->frame.item[i];
		struct tn_stack *s = &g->s.stack.item[f->born];

		if (f->depth == NO_DEPTH || class[f->class]->stream_class != class[m->class]->stream_class)
			continue;
		if (f->depth < depth)
			break;
		s->open += !f->is_cut;
		s->doubtful += !f->is_cut && any_lost(g) && is_doubtful(g, f, m->record->rank, m->record->key_ns, &failed);
		pull(g, t, i);
		first = i;
	}
	return !failed && restack(g, t, first);
}

/* Count a call that has ended. */
static void
count_call(struct gather *g, const struct frame *f, bool has_time, int64_t end_ns)
{
	struct tn_stack *s = &g->s.stack.item[f->born];
	uint64_t ns = f->has_time && has_time && end_ns > f->begin_ns ? (uint64_t)end_ns - (uint64_t)f->begin_ns : 0;

	if (!f->is_cut && ns > s->longest_ns)
		s->longest_ns = ns;
}

/* Remove the frames whose known end is at or before @until_ns, in the order of ends; of equal ends, the last begin first. */
static bool
end_wholes(struct gather *g, struct thread *t, int64_t until_ns)
{
	while (t->wholes) {
		size_t first = SIZE_MAX;
		struct frame f;

		for (size_t i = t->frame.n; i--;) {
			const struct frame *x = &t->frame.item[i];

			if (x->is_whole && x->end_ns <= until_ns && (first == SIZE_MAX || x->end_ns < t->frame.item[first].end_ns))
				first = i;
		}
		if (first == SIZE_MAX)
			return true;
		f = t->frame.item[first];
		account(g, t, f.end_ns);
		pull(g, t, first);
		t->wholes--;
		count_call(g, &f, true, f.end_ns);
		if (first < t->frame.n && !restack(g, t, first))
			return false;
	}
	return true;
}

static enum tn_code
take_begin(struct gather *g, struct thread *t, const struct met *m, struct tn_error *err)
{
	uint32_t name = m->is_noted ? m->key->own[2] - 1 : UINT32_MAX, below, stack;
	uint64_t depth = depth_of(g, m->key);
	struct frame *f;
	size_t at;

	if (name == UINT32_MAX)
		name = name_of(g, m);
	if (m->is_noted)
		m->key->own[2] = name + 1;
	g->counts.calls++;
	g->counts.nameless += name == TN_STACK_NAMELESS;
	if (!end_deeper(g, t, m, depth, 0))
		return tn_fail_memory(err);
	if (g->spans->definition.item[m->key->definition].rule == TN_SPAN_LATEST && find_frame(t, m->key->hash, false, &at)) {
		pull(g, t, at);
		if (!restack(g, t, at))
			return tn_fail_memory(err);
	}
	below = top_of(t);
	if (name == UINT32_MAX)
		return tn_fail_memory(err);
	if (t->frame.n >= TN_FLAME_DEPTH || g->n_frames >= MOST_FRAMES) {
		t->beyond += m->record->kind != TN_SPAN_RECORD_WHOLE;
		g->counts.cut++;
		return TN_OK;
	}
	stack = tn_stacks_callee(&g->s, below, name);
	f = stack == UINT32_MAX ? NULL : TN_ARRAY_ADD(&t->frame);
	if (!f)
		return tn_fail_memory(err);
	g->n_frames++;
	f->hash = m->key->hash;
	f->begin_ns = m->ns;
	f->key_ns = m->record->key_ns;
	f->stack = f->born = stack;
	f->definition = m->key->definition;
	f->rank = m->record->rank;
	f->depth = depth;
	f->class = m->class;
	f->damage = g->n_damage;
	f->has_time = m->key->has_time;
	f->is_whole = m->record->kind == TN_SPAN_RECORD_WHOLE;
	f->end_ns = m->ns + m->key->duration_ns;
	t->wholes += f->is_whole;
	f->is_cut = stack == below;
	g->s.stack.item[stack].calls += !f->is_cut;
	g->counts.cut += f->is_cut;
	return TN_OK;
}

/* Drop the frames above a frame that has ended. If events were lost, the end events of these frames were among them. */
static bool
drop_lost(struct gather *g, struct thread *t, size_t above, const struct met *m, bool *failed)
{
	for (size_t i = t->frame.n; i-- > above;) {
		struct frame *f = &t->frame.item[i];

		if (f->is_whole || !is_doubtful(g, f, m->record->rank, m->record->key_ns, failed))
			continue;
		g->s.stack.item[f->born].doubtful += !f->is_cut;
		pull(g, t, i);
	}
	return !*failed;
}

static enum tn_code
take_end(struct gather *g, struct thread *t, const struct met *m, struct tn_error *err)
{
	bool fifo = g->spans->definition.item[m->key->definition].rule == TN_SPAN_FIFO, failed = false;
	struct frame f;
	size_t at;

	if (t->beyond) {
		t->beyond--;
		return TN_OK;
	}
	if (!find_frame(t, m->key->hash, fifo, &at)) {
		g->counts.orphans++;
		return end_deeper(g, t, m, depth_of(g, m->key), 0) ? TN_OK : tn_fail_memory(err);
	}
	if (at + 1 < t->frame.n && any_lost(g) && !drop_lost(g, t, at + 1, m, &failed))
		return tn_fail_memory(err);
	if (at + 1 < t->frame.n && !end_deeper(g, t, m, depth_of(g, m->key), at + 1))
		return tn_fail_memory(err);
	f = t->frame.item[at];
	pull(g, t, at);
	count_call(g, &f, m->key->has_time, m->ns);
	if (!f.is_cut && any_lost(g))
		g->s.stack.item[f.born].doubtful += is_doubtful(g, &f, m->record->rank, m->record->key_ns, &failed);
	if (failed || (at < t->frame.n && !restack(g, t, at)))
		return tn_fail_memory(err);
	return TN_OK;
}

static enum tn_code
take_met(struct gather *g, const struct met *m, bool is_end, struct tn_error *err)
{
	bool failed;
	struct thread *t = thread_of(g, m->key, &failed);

	if (failed)
		return tn_fail_memory(err);
	if (!t) {
		g->counts.dropped += !is_end;
		return TN_OK;
	}
	if (t->wholes && !end_wholes(g, t, m->ns))
		return tn_fail_memory(err);
	if (m->key->has_time)
		account(g, t, m->ns);
	return is_end ? take_end(g, t, m, err) : take_begin(g, t, m, err);
}

static enum tn_code
take_damage(struct gather *g, uint32_t rank)
{
	g->n_damage += g->n_damage < UINT32_MAX;
	g->damage[rank] = g->n_damage;
	return TN_OK;
}

static enum tn_code
take(void *user, struct tn_record *record, struct tn_error *err)
{
	struct gather *g = user;
	struct tn_span_record *t = (struct tn_span_record *)(void *)record;
	const struct tn_span_record_again *again = (const struct tn_span_record_again *)(const void *)record;
	struct met m = { .record = record };

	switch ((enum tn_span_record_kind)record->kind) {
	case TN_SPAN_RECORD_BEGIN_AGAIN:
	case TN_SPAN_RECORD_END_AGAIN:
		m.key = (struct tn_span_record *)(void *)((uint8_t *)record - again->back);
		m.ns = again->time_ns;
		m.class = again->class;
		m.is_noted = m.class == m.key->class && record->size == sizeof *again;
		m.again = again;
		return take_met(g, &m, record->kind == TN_SPAN_RECORD_END_AGAIN, err);
	case TN_SPAN_RECORD_BEGIN:
	case TN_SPAN_RECORD_END:
	case TN_SPAN_RECORD_WHOLE:
		m.key = t;
		m.ns = t->time_ns;
		m.class = t->class;
		m.is_noted = true;
		return take_met(g, &m, record->kind == TN_SPAN_RECORD_END, err);
	case TN_SPAN_RECORD_LOSS:
		return take_damage(g, record->rank);
	case TN_SPAN_RECORD_NO_KEY:
		break;
	}
	g->counts.without_key++;
	return TN_OK;
}

static enum tn_code
rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
     size_t end, struct tn_error *err)
{
	struct gather *g = user;

	return tn_span_rows(g->spans, g->options, out, reader, b, first, end, err);
}

/* Count the frames without an end. */
static bool
count_open(struct gather *g)
{
	bool failed = false;

	for (size_t i = 0; i < g->thread.n; i++) {
		if (!end_wholes(g, &g->thread.item[i], INT64_MAX))
			return false;
		for (size_t k = 0; k < g->thread.item[i].frame.n; k++) {
			const struct frame *f = &g->thread.item[i].frame.item[k];
			struct tn_stack *s = &g->s.stack.item[f->born];

			if (f->is_cut)
				continue;
			s->open++;
			s->doubtful += any_lost(g) && is_doubtful(g, f, f->rank, INT64_MAX, &failed);
		}
	}
	return !failed;
}

static void
release(struct gather *g)
{
	for (size_t i = 0; i < g->thread.n; i++)
		TN_ARRAY_RELEASE(&g->thread.item[i].frame);
	TN_ARRAY_RELEASE(&g->thread);
	TN_ARRAY_RELEASE(&g->words);
	tn_hash_release(&g->threads);
	tn_hash_release(&g->keys);
	tn_hash_release(&g->values);
	tn_arena_release(&g->arena);
	tn_losses_release(&g->losses);
	for (size_t i = 0; g->name && i < g->spans->definition.n; i++)
		free(g->name[i]);
	free(g->name);
	free(g->key_kind);
	free(g->damage);
	tn_stacks_release(&g->s);
	tn_str_release(&g->text);
}

enum tn_code
tn_flame_of_spans(struct tn_flame **out, const struct tn_spans *spans, const struct tn_scan_options *options,
		  struct tn_error *err)
{
	static const struct tn_feed_ops feed_ops = { .rows = rows, .take = take };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct gather g = { .spans = spans, .options = &o, .sweeps = 1 };
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !spans || !spans->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0)
		return rc;
	rc = look_at_definitions(&g, err);
	if (rc == TN_OK)
		rc = tn_losses_find(&g.losses, spans, &o, err);
	g.damage = calloc(spans->set->n_streams + 1, sizeof *g.damage);
	if (rc == TN_OK && (!g.damage || !tn_stacks_init(&g.s)))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_feed_run(spans->set, &o, &feed_ops, &g, err);
	if (rc == TN_OK && !count_open(&g))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_flame_make(out, &g.s, &g.counts, false, err);
	release(&g);
	return rc < 0 ? rc : TN_OK;
}
