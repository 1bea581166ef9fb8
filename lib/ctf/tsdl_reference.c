#include <inttypes.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/locate.h"
#include "ctf/tsdl_builder.h"

/* The words that begin an absolute path, in the order of the packet (CTF 1.8.3, 7.3.2). */
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
	return b->work <= b->max_work || tn_tsdl_fail(b->u, place, "the scope has too many names: its references are not "
								   "followed");
}

static const char *
word_of(const void *path, size_t i)
{
	return ((const struct tsdl_path *)path)->word[i]->text;
}

static bool
tell_end(struct tsdl_builder *b, const struct tsdl_path *path, const struct tn_ctf_search *s)
{
	size_t i = s->end == TN_CTF_OPEN || s->end == TN_CTF_INTO_ARRAY ? s->at + 1 : s->at;
	const char *why = s->end == TN_CTF_INTO_ARRAY ? N_("the path leads into an array") :
		s->end == TN_CTF_INTO_VALUE ? N_("the path continues after a value") :
		s->end == TN_CTF_OTHER ? N_("the field is in another option of the same variant") :
		s->end == TN_CTF_OPEN ? N_("the field is not complete yet") :
		s->end == TN_CTF_NOT_BEFORE ? N_("no earlier field has this name") : N_("no field has this name");

	if (s->end >= TN_CTF_NO_MEMORY)
		return s->end == TN_CTF_NO_MEMORY ? tn_tsdl_fail_memory(b->u) : tn_tsdl_work(b, 0, path->place);
	return tn_tsdl_fail(b->u, path->place, "%s: `%s`", _(why), path->word[i < path->n ? i : path->n - 1]->text);
}

/* Follow @path from @start; word @i of the path is next. */
static bool
descend(struct tsdl_builder *b, const struct tn_field *from, struct tn_field *start, const struct tsdl_path *path,
	size_t i, struct tsdl_found *out)
{
	struct tn_ctf_search s = {
		.from = from, .step = word_of, .path = path, .n = path->n, .by_option = true,
		.work = &b->work, .max_work = b->max_work,
	};
	bool ok = tn_ctf_search(&s, start, i);

	out->field = s.found.n ? s.found.item[0] : NULL;
	out->guarded = s.may_miss;
	tn_ctf_search_release(&s);
	return ok || tell_end(b, path, &s);
}

static bool
find_absolute(struct tsdl_builder *b, const struct tn_field *from, const struct tsdl_path *path, struct tsdl_found *out)
{
	struct tsdl_root *root = &b->root[out->scope];
	struct tn_field *start = root->field;
	size_t i = prefixes[out->scope].n;

	if (b->scope < 0)	/* a declaration that is only checked: the scopes are not known */
		return true;
	if (out->scope > b->scope)
		return tn_tsdl_fail(b->u, path->place, "refers to a field later in the packet");
	if (root->option && i < path->n && path->word[i++] != root->option)
		return true;	/* events of this class have another option */
	if (root->is_open)
		for (start = (struct tn_field *)from; start->parent; start = start->parent)
			;
	if (!start)
		return root->option || tn_tsdl_fail(b->u, path->place, "the trace has no such scope");
	return descend(b, from, start, path, i, out);
}

/*
 * Search from the innermost structure to the outermost (CTF 1.8.3, 7.3.2, and its examples). For an alias declared in a
 * structure, continue at the declaration.
 */
static bool
find_relative(struct tsdl_builder *b, struct tsdl_frame *up, const struct tn_field *from, const struct tsdl_path *path,
	      struct tsdl_found *out)
{
	for (struct tsdl_frame *f = up; f; f = f->up) {
		size_t limit = SIZE_MAX;

		if (f->kind == TSDL_IN_ALIAS && f->home) {
			limit = f->limit;
			f = f->home;
		}
		if (f->kind != TSDL_IN_STRUCT)
			continue;
		/* Find the last field with this name, which is usually the previous one. Equal names have one pointer. */
		for (size_t i = limit < f->type->n_fields ? limit : f->type->n_fields; i > 0; i--, b->work++)
			if (f->type->field[i - 1].name == path->word[0]->text)
				return descend(b, from, &f->type->field[i - 1], path, 1, out);
	}
	return tn_tsdl_fail(b->u, path->place, N_("no earlier field has this name"));
}

bool
tn_tsdl_find(struct tsdl_builder *b, struct tsdl_frame *up, const struct tn_field *from, const struct tsdl_path *path,
	     struct tsdl_found *out)
{
	int scope = scope_of(path);

	*out = (struct tsdl_found) { .scope = scope < 0 ? b->scope : scope };
	if (!tn_tsdl_work(b, 1, path->place))
		return false;
	if (scope >= 0)
		return find_absolute(b, from, path, out);
	if (path->word[0]->keyword != TSDL_NO_KEYWORD)
		return tn_tsdl_fail(b->u, path->place, "no such scope");
	return find_relative(b, up, from, path, out);
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

/* Make each complete variant around @field record in @slot whether its selected option contains @field. */
static bool
guard_variants(struct tsdl_builder *b, const struct tn_field *field, int32_t slot)
{
	for (const struct tn_field *f = field; f->parent; f = f->parent) {
		struct tn_type *t = f->parent->type;
		bool *leads;

		if (t->kind != TN_KIND_VARIANT)
			continue;
		if ((size_t)(f - t->field) >= t->n_fields)	/* the referring field is in the same option */
			break;
		leads = TN_NEW_ARRAY(&b->trace->arena, t->n_fields, bool);
		if (!leads || !tn_ctf_guard(&b->trace->arena, t, slot, leads))
			return tn_tsdl_fail_memory(b->u);
		leads[f - t->field] = true;
		b->work += t->n_fields;
	}
	return true;
}

/* If the option is not selected, the slot must be empty, so the outermost variant clears it (kedr.md, 4). */
static bool
clear_by_variant(struct tsdl_builder *b, const struct tn_field *field)
{
	struct tn_type *outermost = NULL;
	int32_t *slot;

	for (struct tn_field *f = field->parent; f; f = f->parent)
		if (f->type->kind == TN_KIND_VARIANT)
			outermost = f->type;
	slot = tn_arena_more(&b->trace->arena, outermost->clear_slot, outermost->n_clear_slots, sizeof *slot);
	if (!slot)
		return tn_tsdl_fail_memory(b->u);
	slot[outermost->n_clear_slots++] = field->slot;
	outermost->clear_slot = slot;
	return true;
}

bool
tn_tsdl_refer(struct tsdl_builder *b, struct tn_type *type, const struct tsdl_found *found)
{
	int32_t slot;

	if (b->scope < 0)
		return true;
	if (!tn_ctf_slot_share(&b->wiring, &type->ref_slot, found->field, found->scope, b->stream, b->event) ||
	    !tn_ctf_refers(&b->wiring, type))
		return tn_tsdl_fail_memory(b->u);
	if (!found->guarded)
		return true;
	if (!b->dialect->guards)
		return clear_by_variant(b, found->field);
	if ((slot = tn_ctf_slot_new(&b->wiring, found->scope, b->stream, b->event)) == TN_NO_SLOT)
		return tn_tsdl_fail_memory(b->u);
	type->ref_guard = (uint32_t)slot + 1;
	return guard_variants(b, found->field, slot);
}
