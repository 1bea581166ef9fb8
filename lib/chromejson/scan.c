/*
 * scan.c - one pass over the file: entries, classes, threads, names, environment
 *
 * Only an unreadable event is lost: the next event begins at a brace after a comma or a bracket, and before a quote.
 * A reader that fails may already have read far. So after some failures the length of events is limited; otherwise a
 * small file could take hours.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/messages.h"
#include "chromejson/private.h"

#define MOST_CLASSES 4096
#define MOST_NAME 512			/* limit of bytes in a name that makes a class */
#define MOST_TRACKS (1u << 20)
#define MOST_NAMES (1u << 17)		/* limit of names of threads and processes */
#define MOST_ENVIRONMENT 256
#define MOST_TAUGHT 65536		/* limit of remembered pairs of a shape and a class */
#define FEW 256				/* entries of the table that finds recent classes; a power of two */
#define PASS (UINT64_C(4) << 20)	/* bytes after which pages are released */
#define ODD UINT64_C(0x9e3779b97f4a7c15)
#define LONGEST_KEY (2 * MOST_NAME + 8)

struct scan {
	struct tn_trace *trace;
	struct tn_cj_trace *own;
	const uint8_t *begin, *end;
	struct tn_filesort sorter;
	struct tn_cj_learner learner;
	struct tn_hash classes, tracks, names;
	uint64_t passed;
	int64_t last_ns, least_ns;
	uint64_t failures;
	uint32_t last_track;
	struct tn_cj_event event;
	struct tn_cj_shapes shapes;
	struct tn_hash taught;		/* key: a shape and a class; value: the kinds of values that are already learnt */
	uint32_t found[FEW];		/* number of a class plus 1, by a hash of its names */
	TN_ARRAY(struct tn_env) env;
	struct tn_str room;
	struct tn_error *err;
};

static bool
fail_memory(struct scan *s)
{
	tn_fail_memory(s->err);
	return false;
}

/* ---- classes and threads ---- */

static bool
add_class(struct scan *s, char phase, const struct tn_cj_piece *category, const struct tn_cj_piece *name, bool is_other)
{
	struct tn_cj_class *c = TN_ARRAY_ADD(&s->own->classes);
	struct tn_arena *arena = &s->trace->arena;

	if (!c)
		return fail_memory(s);
	*c = (struct tn_cj_class) { .phase = phase, .category = *category, .name = *name, .is_other = is_other };
	c->category.p = (const uint8_t *)tn_arena_copy(arena, (const char *)category->p, category->n);
	c->name.p = (const uint8_t *)tn_arena_copy(arena, (const char *)name->p, name->n);
	return c->category.p && c->name.p ? true : fail_memory(s);
}

/* The number of the event's class. False: memory is out. */
static bool
class_of(struct scan *s, const struct tn_cj_event *e, uint32_t *out)
{
	static const struct tn_cj_piece none = { (const uint8_t *)"", 0, false };
	const struct tn_cj_piece *category = e->value[TN_CJ_CAT].p && e->is_string[TN_CJ_CAT] ? &e->value[TN_CJ_CAT] : &none;
	const struct tn_cj_piece *name = e->value[TN_CJ_NAME].p ? &e->value[TN_CJ_NAME] : &none;
	bool is_other = name->n > MOST_NAME || category->n > MOST_NAME, is_new;
	uint8_t key[LONGEST_KEY];
	struct tn_hash_item *item;
	size_t n = 0;

	for (;;) {
		n = 0;
		key[n++] = (uint8_t)e->phase;
		key[n++] = is_other;
		if (is_other) {
			category = name = &none;
		} else {
			memcpy(key + n, category->p, category->n);
			n += category->n;
			key[n++] = 0;
			memcpy(key + n, name->p, name->n);
			n += name->n;
		}
		item = tn_hash_find(&s->classes, key, n);
		if (item || is_other || s->own->classes.n < MOST_CLASSES)
			break;
		is_other = true;
	}
	if (!item) {
		const char *copy = tn_arena_copy(&s->trace->arena, (const char *)key, n);

		item = copy ? tn_hash_add(&s->classes, copy, n, &is_new) : NULL;
		if (!item)
			return fail_memory(s);
		item->value = s->own->classes.n;
		*out = (uint32_t)item->value;
		return add_class(s, e->phase, category, name, is_other);
	}
	*out = (uint32_t)item->value;
	return true;
}

static bool
is_same(const struct tn_cj_piece *a, const struct tn_cj_piece *b)
{
	return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* Like class_of(), for names that occurred recently. */
static inline bool
find_class(struct scan *s, const struct tn_cj_event *e, uint32_t *out)
{
	const struct tn_cj_piece *name = &e->value[TN_CJ_NAME], *cat = &e->value[TN_CJ_CAT];
	bool has_category = cat->p && e->is_string[TN_CJ_CAT];
	uint64_t word = name->p && name->n >= 8 ? tn_load64(name->p) ^ tn_load64(name->p + name->n - 8) :
			name->p && name->n ? tn_low_bits(tn_load64(name->p), 8 * (unsigned)name->n) : 0;
	uint32_t *found = &s->found[(word * ODD ^ (uint64_t)e->phase * ODD) >> 56];
	const struct tn_cj_class *c = *found ? &s->own->classes.item[*found - 1] : NULL;

	if (c && c->phase == e->phase && !c->is_other && name->p && is_same(&c->name, name) &&
	    (has_category ? is_same(&c->category, cat) : !c->category.n)) {
		*out = *found - 1;
		return true;
	}
	if (!class_of(s, e, out))
		return false;
	*found = *out + 1;
	return true;
}

static bool
is_integer(const struct tn_cj_piece *v)
{
	uint64_t number;
	bool negative;

	return !v->n || (tn_cj_integer(v->p, v->n, &number, &negative) && number <= INT64_MAX);
}

/* Make the key "x pid, tid"; if @thread is false, only of the process. */
static void
put_key(struct scan *s, char kind, const struct tn_cj_piece *pid, const struct tn_cj_piece *tid)
{
	tn_str_clear(&s->room);
	tn_str_add(&s->room, &kind, 1);
	tn_str_add(&s->room, pid->p, pid->n);
	tn_str_add(&s->room, "", 1);
	tn_str_add(&s->room, tid->p, tid->n);
}

static struct tn_hash_item *
add_key(struct scan *s, struct tn_hash *to, bool *is_new)
{
	struct tn_hash_item *item = s->room.failed ? NULL : tn_hash_find(to, s->room.text, s->room.n);
	const char *copy;

	*is_new = !item;
	if (item)
		return item;
	copy = s->room.failed ? NULL : tn_arena_copy(&s->trace->arena, s->room.text, s->room.n);
	return copy ? tn_hash_add(to, copy, s->room.n, NULL) : NULL;
}

/*
 * Get the process and thread of the event. A B, E or X event without a thread gets the number of its process
 * (uftrace).
 */
static void
place_of(const struct tn_cj_event *e, struct tn_cj_piece *pid, struct tn_cj_piece *tid)
{
	static const struct tn_cj_piece none = { (const uint8_t *)"", 0, false };

	*pid = e->value[TN_CJ_PID].p ? e->value[TN_CJ_PID] : none;
	*tid = e->value[TN_CJ_TID].p ? e->value[TN_CJ_TID] : none;
	if (!tid->n && (e->phase == 'B' || e->phase == 'E' || e->phase == 'X'))
		*tid = *pid;
}

static bool
track_of(struct scan *s, const struct tn_cj_event *e, uint32_t *out)
{
	struct tn_cj_track *t = s->own->tracks.n ? &s->own->tracks.item[s->last_track] : NULL;
	struct tn_cj_piece pid, tid;
	struct tn_hash_item *item;
	bool is_new;

	place_of(e, &pid, &tid);
	if (!t || !is_same(&t->pid, &pid) || !is_same(&t->tid, &tid)) {
		put_key(s, 't', &pid, &tid);
		if (s->own->tracks.n >= MOST_TRACKS) {
			*out = 0;
			return true;
		}
		item = add_key(s, &s->tracks, &is_new);
		if (!item)
			return fail_memory(s);
		if (is_new) {
			item->value = s->own->tracks.n;
			if (!(t = TN_ARRAY_ADD(&s->own->tracks)))
				return fail_memory(s);
			*t = (struct tn_cj_track) { .pid = pid, .tid = tid };
			t->pid.p = (const uint8_t *)tn_arena_copy(&s->trace->arena, (const char *)pid.p, pid.n);
			t->tid.p = (const uint8_t *)tn_arena_copy(&s->trace->arena, (const char *)tid.p, tid.n);
			if (!t->pid.p || !t->tid.p)
				return fail_memory(s);
			s->own->found.pid_is_text |= !is_integer(&pid);
			s->own->found.tid_is_text |= !is_integer(&tid);
		}
		s->last_track = (uint32_t)item->value;
	}
	*out = s->last_track;
	return true;
}

/* ---- meta data ---- */

/* Find the member of the object at @p. */
static bool
find_member(const uint8_t *p, const uint8_t *end, const char *name, struct tn_cj_piece *out)
{
	struct tn_cj_piece key;
	const uint8_t *after;
	bool last;

	if (!p || *p != '{')
		return false;
	for (p++; (p = tn_cj_member(p, end, &key, &last)) && !last; p = after) {
		if (!(after = tn_cj_skip(p, end)))
			return false;
		if (!tn_cj_is(&key, name, strlen(name)))
			continue;
		if (*p == '"')
			tn_cj_string(p, after, out);
		else
			*out = (struct tn_cj_piece) { p, (size_t)(after - p), false };
		return true;
	}
	return false;
}

static bool
take_metadata(struct scan *s, const struct tn_cj_event *e, uint64_t at)
{
	const struct tn_cj_piece *what = &e->value[TN_CJ_NAME], *args = &e->value[TN_CJ_ARGS];
	const uint8_t *end = args->p ? args->p + args->n : NULL;
	struct tn_cj_entry loss = { .at = at, .track = TN_CJ_LOSS, .ns = s->last_ns };
	bool of_process = what->p && TN_CJ_IS(what, "process_name");
	struct tn_cj_piece pid, tid, name;
	struct tn_hash_item *item;
	bool is_new;

	if (what->p && TN_CJ_IS(what, "trace_buffer_overflowed")) {
		if (find_member(args->p, end, "overflowed_at_ts", &name))
			(void)!tn_cj_decimal(name.p, name.n, 3, &loss.ns);
		return tn_filesort_add(&s->sorter, &loss, s->err) == TN_OK;
	}
	if (!what->p || (!of_process && !TN_CJ_IS(what, "thread_name")) || !find_member(args->p, end, "name", &name) ||
	    s->names.n >= MOST_NAMES || name.n > MOST_NAME)
		return true;
	place_of(e, &pid, &tid);
	if (of_process)
		tid.n = 0;
	else if (!tid.n)
		tid = pid;
	put_key(s, of_process ? 'p' : 't', &pid, &tid);
	item = add_key(s, &s->names, &is_new);
	if (item)
		item->pointer = (void *)tn_cj_copy(&s->trace->arena, &name);
	return item && item->pointer ? true : fail_memory(s);
}

static bool
name_tracks(struct scan *s)
{
	for (size_t i = 0; i < s->own->tracks.n; i++) {
		static const struct tn_cj_piece none = { (const uint8_t *)"", 0, false };
		struct tn_cj_track *t = &s->own->tracks.item[i];
		const struct tn_hash_item *item;

		put_key(s, 'p', &t->pid, &none);
		item = s->room.failed ? NULL : tn_hash_find(&s->names, s->room.text, s->room.n);
		t->process = item ? item->pointer : NULL;
		put_key(s, 't', &t->pid, &t->tid);
		item = s->room.failed ? NULL : tn_hash_find(&s->names, s->room.text, s->room.n);
		t->thread = item ? item->pointer : NULL;
	}
	return s->room.failed ? fail_memory(s) : true;
}

/* ---- events ---- */

static void
learn_members(struct scan *s, struct tn_cj_node *payload, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_node *member = NULL, *next;
	struct tn_cj_piece key;
	const uint8_t *after;
	bool last;

	payload->seen |= 1u << TN_CJ_OBJECT;
	for (p++; (p = tn_cj_member(p, end, &key, &last)) && !last; p = after) {
		next = tn_cj_is_apart(tn_cj_special(&key), s->event.phase) ? NULL :
		       tn_cj_member_of(&s->learner, payload, &key, member);
		after = next ? tn_cj_learn(&s->learner, next, p, end, 1) : NULL;
		member = next ? next : member;
		/* Brackets that do not match end only the learning of this member. */
		if (!after && !(after = tn_cj_skip(p, end)))
			return;
	}
}

/* Whether an event of a known shape has only kinds of values that its class already had at these places. */
static bool
is_taught(struct scan *s, uint32_t class)
{
	struct tn_cj_shapes *t = &s->shapes;
	uint32_t key[2] = { t->shape, class }, *seen;
	struct tn_hash_item *item = tn_hash_find(&s->taught, key, sizeof key);
	bool good = item != NULL, is_new;

	if (!item) {
		seen = s->taught.n < MOST_TAUGHT ? tn_arena_alloc(&s->trace->arena, (t->n + 1) * sizeof *seen) : NULL;
		item = seen ? tn_hash_add(&s->taught, key, sizeof key, &is_new) : NULL;
		if (!item)
			return false;
		memset(seen, 0, (t->n + 1) * sizeof *seen);
		item->pointer = seen;
	}
	seen = item->pointer;
	for (unsigned i = 0; i < t->n; i++) {
		uint32_t bits;

		if (tn_cj_is_apart(t->which[i], s->event.phase))
			continue;
		bits = tn_cj_bits(t->value[i].p - t->is_string[i], t->value[i].n + t->is_string[i]);
		/* An array is one value here; its elements can be new. */
		good &= !(bits & ~seen[i]) && !(bits & 1u << TN_CJ_ARRAY);
		seen[i] |= bits;
	}
	return good;
}

static bool
take_event(struct scan *s, const uint8_t *p, const uint8_t *end, bool has_shape)
{
	const struct tn_cj_event *e = &s->event;
	const struct tn_cj_piece *ts = &e->value[TN_CJ_TS];
	struct tn_cj_entry entry = { .at = (uint64_t)(p - s->begin) };

	if (e->phase == 'M')
		return take_metadata(s, e, entry.at);
	if (!find_class(s, e, &entry.class) || !track_of(s, e, &entry.track))
		return false;
	if (ts->p && tn_cj_decimal(ts->p, ts->n, 3, &entry.ns) && entry.ns > INT64_MIN / 4 && entry.ns < INT64_MAX / 4) {
		s->least_ns = entry.ns < s->least_ns ? entry.ns : s->least_ns;
	} else {
		entry.ns = s->last_ns;
		s->own->found.n_untimed++;
	}
	s->last_ns = entry.ns;
	if (!has_shape || !is_taught(s, entry.class))
		learn_members(s, &s->own->classes.item[entry.class].payload, p, end);
	s->own->found.n_events++;
	if (s->learner.failed)
		return fail_memory(s);
	return tn_filesort_add(&s->sorter, &entry, s->err) == TN_OK;
}

/* The next place at which an event may begin; NULL: none. */
static const uint8_t *
recover(const struct scan *s, const uint8_t *p)
{
	for (p++; p < s->end && (p = memchr(p, '{', (size_t)(s->end - p))); p++) {
		const uint8_t *q = tn_cj_blanks(p + 1, s->end), *before = p;

		while (before > s->begin && (before[-1] == ' ' || before[-1] == '\n' || before[-1] == '\t' || before[-1] == '\r'))
			before--;
		if (q < s->end && *q == '"' && before > s->begin && (before[-1] == ',' || before[-1] == '[' || before[-1] == '}'))
			return p;
		/* Do not read long blanks twice. */
		if ((size_t)(q - p) > 4096)
			p = q - 1;
	}
	return NULL;
}

static const uint8_t *
limit_of(const struct scan *s, const uint8_t *p)
{
	size_t most = !s->failures ? SIZE_MAX : s->failures < 16 ? 1 << 20 : s->failures < 1000 ? 1 << 16 : 1 << 10;

	return (size_t)(s->end - p) < most ? s->end : p + most;
}

static bool
take_damage(struct scan *s, const uint8_t *at)
{
	struct tn_cj_entry entry = { .at = (uint64_t)(at - s->begin), .ns = s->last_ns, .track = TN_CJ_DAMAGE };

	return tn_filesort_add(&s->sorter, &entry, s->err) == TN_OK;
}

/* Scan the entry of an array at @p. Returns the place after the entry; NULL: memory is out. */
static const uint8_t *
take_entry(struct scan *s, const uint8_t *p)
{
	const uint8_t *end = limit_of(s, p), *after = tn_cj_shape_read(&s->shapes, p, end, &s->event);
	bool has_shape = after != NULL && s->event.phase != 'M';

	if (!has_shape && *p == '{' && (after = tn_cj_read_members(&s->event, p, end)))
		tn_cj_shape_learn(&s->shapes, &s->trace->arena, p, after);
	if (after)
		return take_event(s, p, after, has_shape) ? after : NULL;
	if (*p != '{')
		after = tn_cj_skip(p, end);
	if (!take_damage(s, p))
		return NULL;
	if (after)
		return after;
	s->failures++;
	after = recover(s, p);
	return after ? after : s->end;
}

/*
 * Scan events from @p, in an array or in a file of events without an array. Returns the place after them; NULL:
 * memory is out.
 */
static const uint8_t *
scan_events(struct scan *s, const uint8_t *p, bool is_member)
{
	bool was_end = !is_member;

	while ((p = tn_cj_blanks(p, s->end)) < s->end) {
		if (*p == ',') {
			p++;
			was_end = false;
			continue;
		}
		if (*p == ']') {
			p++;
			if (is_member)
				return p;
			was_end = true;
			continue;
		}
		if (*p == '[' && was_end) {
			p++;
			continue;
		}
		if (!(p = take_entry(s, p)))
			return NULL;
		was_end = !is_member;
		if ((uint64_t)(p - s->begin) - s->passed > PASS) {
			tn_map_pass(&s->own->map, s->passed, (uint64_t)(p - s->begin));
			s->passed = (uint64_t)(p - s->begin);
		}
	}
	return p;
}


static bool
add_env(struct scan *s, const char *prefix, const struct tn_cj_piece *key, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece text;
	struct tn_str name = { 0 };
	struct tn_env *env;
	uint64_t number;
	bool negative, good;

	if (s->env.n >= MOST_ENVIRONMENT || key->n > MOST_NAME || end - p > 4096)
		return true;
	if (!(env = TN_ARRAY_ADD(&s->env)))
		return fail_memory(s);
	if (*p == '"')
		tn_cj_string(p, end, &text);
	else
		text = (struct tn_cj_piece) { p, (size_t)(end - p), false };
	tn_str_puts(&name, prefix);
	tn_str_add(&name, key->p, key->n);
	*env = (struct tn_env) { .is_text = true };
	env->name = name.failed ? NULL : tn_arena_string(&s->trace->arena, tn_str_text(&name));
	tn_str_release(&name);
	if (*p != '"' && tn_cj_integer(p, (size_t)(end - p), &number, &negative) && number <= INT64_MAX) {
		env->is_text = false;
		env->number = negative ? -(int64_t)number : (int64_t)number;
		good = true;
	} else {
		env->text = tn_cj_copy(&s->trace->arena, &text);
		good = env->text != NULL;
	}
	return env->name && good ? true : fail_memory(s);
}

/* Read a property of the file's object other than its events. */
static bool
take_property(struct scan *s, const struct tn_cj_piece *key, const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece inner;
	const uint8_t *after;
	int64_t origin;
	bool last;

	if (TN_CJ_IS(key, "stackFrames") || TN_CJ_IS(key, "samples") || TN_CJ_IS(key, "systemTraceEvents") ||
	    TN_CJ_IS(key, "powerTraceAsString")) {
		s->own->found.n_unshown++;
		return true;
	}
	if ((TN_CJ_IS(key, "beginningOfTime") && tn_cj_decimal(p, (size_t)(end - p), 3, &origin)) ||
	    (TN_CJ_IS(key, "baseTimeNanoseconds") && tn_cj_decimal(p, (size_t)(end - p), 0, &origin))) {
		s->own->found.has_origin = true;
		s->own->found.origin_ns = origin;
	}
	if (*p != '{')
		return add_env(s, "", key, p, end);
	for (p++; (p = tn_cj_member(p, end, &inner, &last)) && !last; p = after)
		if (!(after = tn_cj_skip(p, end)) || !add_env(s, "", &inner, p, after))
			return after ? false : true;
	return true;
}

/* Scan an object { "traceEvents": [...], ... }. *found: it has events. */
static bool
scan_object(struct scan *s, const uint8_t *p, bool *found)
{
	struct tn_cj_piece key;
	bool last = false;

	for (p++; (p = tn_cj_member(p, s->end, &key, &last)) && !last;) {
		const uint8_t *after;

		if (TN_CJ_IS(&key, "traceEvents") && *p == '[') {
			*found = true;
			if (!(after = scan_events(s, p + 1, true)))
				return false;
		} else {
			if (!(after = tn_cj_skip(p, s->end)))
				break;
			if (!take_property(s, &key, p, after))
				return false;
		}
		p = after;
	}
	s->own->found.is_cut = *found && !last;
	return true;
}

/* Whether the object at @p is an event, so that the file has events without an array. */
static bool
is_event(const struct scan *s, const uint8_t *p)
{
	struct tn_cj_piece key;
	bool last;

	for (p++; (p = tn_cj_member(p, s->end, &key, &last)) && !last;) {
		if (TN_CJ_IS(&key, "ph"))
			return true;
		if (TN_CJ_IS(&key, "traceEvents") || !(p = tn_cj_skip(p, s->end)))
			return false;
	}
	return false;
}

static enum tn_code
scan_all(struct scan *s)
{
	const uint8_t *p = s->begin;
	bool found = false, good;

	if (s->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	p = tn_cj_blanks(p, s->end);
	if (p < s->end && *p == '{' && !is_event(s, p)) {
		good = scan_object(s, p, &found);
		if (good && !found)
			return tn_fail(s->err, TN_ERR_FORMAT, "%s: the file has no traceEvents", s->trace->path);
	} else {
		good = scan_events(s, p, false) != NULL;
	}
	if (!good || !name_tracks(s))
		return s->err->code;
	return tn_filesort_end(&s->sorter, &s->own->entries, &s->own->n_entries, s->err);
}

void
tn_cj_tell(const struct tn_trace *trace)
{
	const struct tn_cj_trace *own = trace->own;
	bool others = false;

	for (size_t i = 0; i < own->classes.n; i++)
		others |= own->classes.item[i].is_other;
	if (others)
		tn_build_tell_others(trace, MOST_CLASSES, MOST_NAME);
	if (own->found.is_cut)
		tn_tell(&trace->problems, TN_NOTE, "%s: the file ends before its last brace: the events before the end are "
						   "shown",
			trace->path);
	if (own->found.n_untimed)
		tn_tell(&trace->problems, TN_WARNING,
			P_("%s: %" PRIu64 " event has no time: it gets the time of the previous event in the file",
			   "%s: %" PRIu64 " events have no time: they get the time of the previous event in the file",
			   (unsigned long)own->found.n_untimed), trace->path, own->found.n_untimed);
	if (own->found.n_unshown)
		tn_tell(&trace->problems, TN_NOTE, "%s: stacks, samples and texts of other tracers are not shown", trace->path);
}

enum tn_code
tn_cj_scan(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_cj_trace *own = trace->own;
	struct scan s = {
		.trace = trace, .own = own, .begin = own->map.data, .end = own->map.data + own->map.size,
		.sorter = { .size = sizeof(struct tn_cj_entry), .arrange = tn_cj_order_spans, .user = own },
		.learner.arena = &trace->arena, .err = err,
	};
	enum tn_code rc = scan_all(&s);

	if (rc == TN_OK && tn_map_torn(&own->map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", trace->path);
	own->found.base_ns = s.least_ns;
	if (rc == TN_OK && s.env.n) {
		trace->env = TN_NEW_ARRAY(&trace->arena, s.env.n, struct tn_env);
		if (trace->env)
			memcpy(trace->env, s.env.item, s.env.n * sizeof *s.env.item);
		else
			rc = tn_fail_memory(err);
		trace->n_env = trace->env ? s.env.n : 0;
	}
	tn_filesort_release(&s.sorter);
	tn_hash_release(&s.classes);
	tn_hash_release(&s.taught);
	TN_ARRAY_RELEASE(&s.shapes.states);
	tn_hash_release(&s.tracks);
	tn_hash_release(&s.names);
	TN_ARRAY_RELEASE(&s.env);
	tn_str_release(&s.room);
	return rc;
}
