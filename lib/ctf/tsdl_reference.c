#include <inttypes.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/tsdl_builder.h"

#define MAX_FRAMES 512

/* Paths that begin with these are absolute; in the order of the packet (CTF 1.8.3, 7.3.2). */
static const struct {
	const char *word[3];
	size_t n;
} prefixes[TN_SCOPES] = {
	[TN_SCOPE_PACKET_HEADER] = { { "trace", "packet", "header" }, 3 },
	[TN_SCOPE_PACKET_CONTEXT] = { { "stream", "packet", "context" }, 3 },
	[TN_SCOPE_EVENT_HEADER] = { { "stream", "event", "header" }, 3 },
	[TN_SCOPE_COMMON_CONTEXT] = { { "stream", "event", "context" }, 3 },
	[TN_SCOPE_SPECIFIC_CONTEXT] = { { "event", "context" }, 2 },
	[TN_SCOPE_PAYLOAD] = { { "event", "fields" }, 2 },
};

/* A search on its way along a path. */
struct search {
	struct tsdl_builder *b;
	const struct tsdl_path *path;
	size_t i;			/* the next word */
	struct tsdl_found *found;
};

static bool
is_word(const struct tsdl_word *w, const char *text)
{
	return strcmp(w->text, text) == 0;
}

static int
scope_of(const struct tsdl_path *path)
{
	for (int s = 0; s < TN_SCOPES; s++) {
		size_t i = 0;

		while (i < prefixes[s].n && i < path->n && is_word(path->word[i], prefixes[s].word[i]))
			i++;
		if (i == prefixes[s].n)
			return s;
	}
	return -1;
}

bool
tn_tsdl_work(struct tsdl_builder *b, size_t n, struct tsdl_place place)
{
	b->work += n;
	return b->work <= b->max_work || tn_tsdl_fail(b->u, place, "references among so many names are not followed");
}

/*
 * The last of the first @n fields of that name; mostly it stands right before what refers to it.
 * Names are interned: one text, one pointer.
 */
static struct tn_field *
member(struct search *s, const struct tn_type *t, size_t n, const struct tsdl_word *name)
{
	for (size_t i = n; i > 0; i--) {
		if (t->field[i - 1].name == name->text) {
			s->b->work += n - i;
			return &t->field[i - 1];
		}
	}
	s->b->work += n;
	return NULL;
}

static bool
fail(const struct search *s, const char *why)
{
	return tn_tsdl_fail(s->b->u, s->path->place, "%s: `%s`", _(why), s->path->word[s->i]->text);
}

/* From the complete @field along what is left of the path. */
static bool
descend(struct search *s, struct tn_field *field)
{
	for (; s->i < s->path->n; s->i++) {
		const struct tn_type *t = field->type;

		if (t->kind != TN_KIND_STRUCT && t->kind != TN_KIND_VARIANT)
			return fail(s, t->kind == TN_KIND_ARRAY ? N_("the path leads into an array") :
				    N_("the path leads into a value"));
		if (t->kind == TN_KIND_VARIANT && t->ref_slot == TN_NO_SLOT && !t->n_fields)
			return true;	/* an empty variant, or one whose own tag is never there */
		s->found->guarded |= t->kind == TN_KIND_VARIANT;
		if (!(field = member(s, t, t->n_fields, s->path->word[s->i])))
			return fail(s, N_("no field of that name"));
	}
	s->found->field = field;
	return true;
}

/* From frame[0], the outermost, to the @n-1st, the innermost, all being made; then into what is complete. */
static bool
descend_open(struct search *s, struct tsdl_frame **frame, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const struct tsdl_frame *f = frame[k];
		struct tn_field *field;

		if (s->i == s->path->n)
			break;
		if (f->kind == TSDL_IN_STRUCT && (field = member(s, f->type, f->type->n_fields, s->path->word[s->i]))) {
			s->i++;
			return descend(s, field);
		}
		if (s->path->word[s->i] != f->inside)
			return fail(s, f->kind == TSDL_IN_VARIANT ? N_("another option of the same variant")
								   : N_("no field of that name before this one"));
		s->i++;
	}
	s->i = s->i == s->path->n ? s->i - 1 : s->i;
	return fail(s, N_("not complete yet"));
}

/* The structures and variants around @from, outermost first. */
static size_t
open_frames(struct tsdl_frame *from, struct tsdl_frame **out)
{
	size_t n = 0;

	for (struct tsdl_frame *f = from; f && n < MAX_FRAMES; f = f->up)
		if (f->kind == TSDL_IN_STRUCT || f->kind == TSDL_IN_VARIANT)
			out[n++] = f;
	for (size_t i = 0; i < n / 2; i++) {
		struct tsdl_frame *swap = out[i];

		out[i] = out[n - 1 - i];
		out[n - 1 - i] = swap;
	}
	return n;
}

static bool
find_absolute(struct search *s, struct tsdl_frame *from, int scope)
{
	struct tsdl_root *root = &s->b->root[scope];
	struct tsdl_frame *frame[MAX_FRAMES];

	s->i = prefixes[scope].n;
	s->found->scope = scope;
	if (s->b->scope < 0)	/* a declaration by itself: the scopes are not known */
		return true;
	if (scope > s->b->scope)
		return tn_tsdl_fail(s->b->u, s->path->place, "refers to what comes later in the packet");
	if (root->option && s->i < s->path->n) {
		if (s->path->word[s->i] != root->option)
			return true;	/* the event has another option */
		s->i++;
	}
	if (root->is_open)
		return descend_open(s, frame, open_frames(from, frame));
	if (!root->field)
		return root->option ? true : tn_tsdl_fail(s->b->u, s->path->place, "the trace has no such scope");
	return descend(s, root->field);
}

/*
 * From the innermost structure outwards (CTF 1.8.3, 7.3.2, and what its examples need); an alias
 * that a structure declared goes on where it was declared.
 */
static bool
find_relative(struct search *s, struct tsdl_frame *from)
{
	s->found->scope = s->b->scope;
	for (struct tsdl_frame *f = from; f; f = f->up) {
		size_t limit = SIZE_MAX;
		struct tn_field *field;

		if (f->kind == TSDL_IN_ALIAS && f->home) {
			limit = f->limit;
			f = f->home;
		}
		if (f->kind != TSDL_IN_STRUCT)
			continue;
		if (limit > f->type->n_fields)
			limit = f->type->n_fields;
		if ((field = member(s, f->type, limit, s->path->word[0]))) {
			s->i = 1;
			return descend(s, field);
		}
	}
	return tn_tsdl_fail(s->b->u, s->path->place, N_("no field of that name before this one"));
}

bool
tn_tsdl_find(struct tsdl_builder *b, struct tsdl_frame *from, const struct tsdl_path *path, struct tsdl_found *out)
{
	struct search s = { .b = b, .path = path, .found = out };
	int scope = scope_of(path);

	*out = (struct tsdl_found) { .field = NULL };
	if (!tn_tsdl_work(b, 1, path->place))
		return false;
	if (scope >= 0)
		return find_absolute(&s, from, scope);
	if (path->word[0]->keyword != TSDL_NO_KEYWORD)
		return tn_tsdl_fail(b->u, path->place, "no such scope");
	return find_relative(&s, from);
}

bool
tn_tsdl_env_length(struct tsdl_builder *b, const struct tsdl_path *path, uint64_t *out, bool *is_env)
{
	const struct tn_env *e;

	*is_env = path->word[0]->keyword == TSDL_ENV;
	if (!*is_env)
		return true;
	e = path->n == 2 ? tn_trace_env(b->trace, path->word[1]->text) : NULL;
	if (!e)
		return tn_tsdl_fail(b->u, path->place, "the environment has no such entry");
	if (e->is_text || (e->number < 0 && !e->is_unsigned))
		return tn_tsdl_fail(b->u, path->place, "the entry is not a number of elements");
	*out = (uint64_t)e->number;
	return true;
}

bool
tn_tsdl_refer(struct tsdl_builder *b, struct tn_type *type, const struct tsdl_found *found)
{
	struct tsdl_guarded *guarded;

	if (b->scope < 0)
		return true;
	if (!tn_ctf_slot_share(&b->wiring, &type->ref_slot, found->field, found->scope, b->stream, b->event) ||
	    !tn_ctf_refers(&b->wiring, type))
		return tn_tsdl_fail_memory(b->u);
	if (!found->guarded)
		return true;
	if (!(guarded = TN_ARRAY_ADD(&b->guarded)))
		return tn_tsdl_fail_memory(b->u);
	*guarded = (struct tsdl_guarded) { found->field, type, found->scope, b->stream, b->event };
	return true;
}

/* ---- references into variants ---- */

/* Room for one more item of @size bytes behind the @n there are, which doubles: long lists stay linear. */
static void *
more_room(struct tsdl_builder *b, const void *item, size_t n, size_t size)
{
	void *room;

	if (n & (n - 1))
		return (void *)item;
	room = tn_arena_array(&b->trace->arena, n ? 2 * n : 1, size);
	if (!room)
		tn_tsdl_fail_memory(b->u);
	else if (n)
		memcpy(room, item, n * size);
	return room;
}

/* Each variant around @field tells, in the slot of the guard, whether it holds what leads to it. */
static bool
guard_variants(struct tsdl_builder *b, struct tn_field *field, int32_t slot)
{
	for (struct tn_field *f = field; f->parent; f = f->parent) {
		struct tn_type *t = f->parent->type;
		struct tn_guard *guard;
		bool *leads;

		if (t->kind != TN_KIND_VARIANT)
			continue;
		guard = more_room(b, t->guard, t->n_guards, sizeof *guard);
		leads = TN_NEW_ARRAY(&b->trace->arena, t->n_fields, bool);
		if (!guard || !leads)
			return tn_tsdl_fail_memory(b->u);
		leads[f - t->field] = true;
		guard[t->n_guards++] = (struct tn_guard) { slot, leads };
		t->guard = guard;
	}
	return true;
}

/* Nothing is there instead: the outermost variant clears the slot (kedr.md, 4). */
static bool
clear_by_variant(struct tsdl_builder *b, const struct tn_field *field)
{
	struct tn_type *outermost = NULL;
	int32_t *slot;

	for (struct tn_field *f = field->parent; f; f = f->parent)
		if (f->type->kind == TN_KIND_VARIANT)
			outermost = f->type;
	if (!outermost)
		return true;
	if (!(slot = more_room(b, outermost->clear_slot, outermost->n_clear_slots, sizeof *slot)))
		return false;
	slot[outermost->n_clear_slots++] = field->slot;
	outermost->clear_slot = slot;
	return true;
}

/* The first reference to @g's field makes what the others use, too. */
static bool
guard(struct tsdl_builder *b, const struct tsdl_guarded *g, int32_t *slot)
{
	if (!b->dialect->guards)
		return clear_by_variant(b, g->field);
	*slot = tn_ctf_slot_new(&b->wiring, g->scope, g->stream, g->event);
	return *slot == TN_NO_SLOT ? tn_tsdl_fail_memory(b->u) : guard_variants(b, g->field, *slot);
}

bool
tn_tsdl_guard(struct tsdl_builder *b)
{
	size_t n = b->wiring.slots.n;
	int32_t *slot = TN_NEW_ARRAY(&b->u->arena, n, int32_t);	/* of its guard + 1, by that of a field */

	if (!slot)
		return tn_tsdl_fail_memory(b->u);
	for (size_t i = 0; i < b->guarded.n; i++) {
		const struct tsdl_guarded *g = &b->guarded.item[i];
		int32_t *own = &slot[g->field->slot];

		if (!*own) {
			if (!guard(b, g, own))
				return false;
			++*own;
		}
		if (b->dialect->guards)
			g->type->ref_guard = (uint32_t)*own;
	}
	return true;
}
