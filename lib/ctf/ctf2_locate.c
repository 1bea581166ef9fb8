/*
 * ctf2_locate.c - field locations to slots (CTF2-SPEC-2.0, 5.3.3 and 6.4)
 *
 * The procedure of the specification finds a value while a packet is decoded. This file finds, once, all fields that
 * could have this value, and gives them one slot. If a path passes an optional, or a variant with an option without such
 * a field, guards record during decoding whether the slot has a value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/ctf2_builder.h"
#include "ctf/locate.h"
#include "model/path.h"

/* Longer paths are an attack on the stack. */
#define MAX_PATH 1000

static int
find_origin(const char *word)
{
	for (int i = 0; i < TN_SCOPES; i++)
		if (strcmp(tn_scope_origin((enum tn_scope)i), word) == 0)
			return i;
	return -1;
}

/* A location: an object in CTF 2, an array in release candidates. */
struct location {
	int origin;			/* a scope; -1: the location is relative */
	const struct tn_json *node;
	const struct tn_json *path;
	size_t first;			/* index of the first element of the path */
};

static bool
read_location(struct tn_ctf2 *b, const struct tn_json *node, struct location *out)
{
	const struct tn_json *origin;

	*out = (struct location) { .origin = -1, .node = node, .path = node };
	if (node->kind == TN_JSON_ARRAY) {
		tn_ctf2_foreign(b, node, _("a location with a \"path\""));
		if (node->n > 0 && node->child[0].kind == TN_JSON_STRING)
			out->origin = find_origin(node->child[0].text);
		out->first = out->origin >= 0;
	} else {
		if (!tn_ctf2_expect(b, node, TN_JSON_OBJECT) || !tn_ctf2_common(b, node, "origin path", NULL) ||
		    !tn_ctf2_property(b, node, "path", TN_JSON_ARRAY, true, &out->path) ||
		    !tn_ctf2_property(b, node, "origin", TN_JSON_STRING, false, &origin))
			return false;
		if (origin && (out->origin = find_origin(origin->text)) < 0)
			return tn_ctf2_fail(b, origin, "there is no scope \"%.60s\"", origin->text);
	}
	if (out->path->n > MAX_PATH)
		return tn_ctf2_fail(b, out->path, "the path has more than %d elements", MAX_PATH);
	if (out->path->n == out->first)
		return tn_ctf2_fail(b, out->path, "the path is empty");
	for (size_t i = out->first; i < out->path->n; i++)
		if (out->path->child[i].kind != TN_JSON_NULL &&
		    !tn_ctf2_expect(b, &out->path->child[i], TN_JSON_STRING))
			return false;
	if (out->path->child[out->path->n - 1].kind == TN_JSON_NULL)
		return tn_ctf2_fail(b, &out->path->child[out->path->n - 1], "a path must not end with null");
	return true;
}

/* Write "/packet-context/cpu" or "../n", for messages and details. */
static const char *
path_text(struct tn_ctf2 *b, const struct location *l)
{
	struct tn_str s = { 0 };
	const char *copy;

	if (l->origin >= 0)
		tn_str_printf(&s, "/%s", tn_scope_origin((enum tn_scope)l->origin));
	for (size_t i = l->first; i < l->path->n; i++) {
		const struct tn_json *e = &l->path->child[i];

		tn_str_printf(&s, "%s%s", i > l->first || l->origin >= 0 ? "/" : "",
			      e->kind == TN_JSON_NULL ? ".." : e->text);
	}
	copy = s.failed ? NULL : tn_ctf2_copy(b, tn_str_text(&s));
	if (s.failed)
		tn_ctf2_no_memory(b);
	tn_str_release(&s);
	return copy;
}

bool
tn_ctf2_refer(struct tn_ctf2 *b, const struct tn_json *node, const char *key, struct tn_field *field)
{
	const struct tn_json *location = tn_json_get(node, key);
	struct tn_ctf2_ref *ref;
	struct location l;

	if (!location)
		return tn_ctf2_fail(b, node, "the property \"%s\" is missing", key);
	if (!read_location(b, location, &l) || !(field->type->ref_path = path_text(b, &l)))
		return false;
	if (!(ref = TN_ARRAY_ADD(&b->refs)))
		return tn_ctf2_no_memory(b);
	*ref = (struct tn_ctf2_ref) { .field = field, .node = node, .location = location, .use = b->use };
	return true;
}

/* The name of a field in messages. Options and elements without a name have that of their container. */
static const char *
shown(const struct tn_field *f)
{
	while (!f->name[0] && f->parent)
		f = f->parent;
	return f->name[0] ? f->name : _("it");
}

/* ---- keys ---- */

/* The reason why @key cannot be a length or a selector; NULL: it can. */
static const char *
wrong_kind(const struct tn_type *from, const struct tn_type *key)
{
	static const char *const a[] = {
		[TN_KIND_SINT] = N_("a signed integer"), [TN_KIND_BOOL] = N_("a boolean"), [TN_KIND_BITS] = N_("a bit array"),
		[TN_KIND_BITMAP] = N_("a bit map"), [TN_KIND_FLOAT] = N_("a floating point number"),
		[TN_KIND_STRING] = N_("a string"), [TN_KIND_BLOB] = N_("a BLOB"), [TN_KIND_STRUCT] = N_("a structure"),
		[TN_KIND_ARRAY] = N_("an array"), [TN_KIND_VARIANT] = N_("a variant"),
		[TN_KIND_OPTIONAL] = N_("an optional"),
	};

	if (key->length > 64 && tn_type_is_integer(key))
		return N_("an integer longer than 64 bits");
	if (key->kind == TN_KIND_UINT)
		return NULL;
	if (key->kind == TN_KIND_SINT && (from->kind == TN_KIND_VARIANT || from->kind == TN_KIND_OPTIONAL))
		return NULL;
	if (key->kind == TN_KIND_BOOL && from->kind == TN_KIND_OPTIONAL)
		return NULL;
	return (size_t)key->kind < TN_COUNT(a) && a[key->kind] ? a[key->kind] : N_("of an unknown kind");
}

static bool
check_keys(struct tn_ctf2 *b, const struct tn_type *from, const struct tn_json *node, const struct tn_ctf_search *s)
{
	enum tn_kind first = s->found.item[0]->type->kind;

	for (size_t i = 0; i < s->found.n; i++) {
		const struct tn_type *key = s->found.item[i]->type;
		const char *wrong = wrong_kind(from, key);

		if (wrong)
			return tn_ctf2_fail(b, node, from->kind == TN_KIND_VARIANT ?
					    N_("\"%.60s\" is %s: a selector must be an integer of at most 64 bits") :
					    from->kind == TN_KIND_OPTIONAL ?
					    N_("\"%.60s\" is %s: a selector must be a boolean or an integer of at most 64 bits") :
					    N_("\"%.60s\" is %s: a length must be an unsigned integer of at most 64 bits"),
					    shown(s->found.item[i]), _(wrong));
		if (key->kind != first)
			return tn_ctf2_fail(b, node, "the path leads to fields of different kinds: %s and %s",
					    tn_kind_name(first), tn_kind_name(key->kind));
	}
	return true;
}

/* ---- ranges, after the signedness of the selector is known ---- */

struct taken {
	struct tn_range range;
	size_t option;
	bool is_signed;
};

static int
by_lower(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->range.lower == y->range.lower)
		return 0;
	if (x->is_signed)
		return (int64_t)x->range.lower < (int64_t)y->range.lower ? -1 : 1;
	return x->range.lower < y->range.lower ? -1 : 1;
}

/* Warn if two options have a common value, for which the first one is selected. */
static bool
warn_of_overlap(struct tn_ctf2 *b, const struct tn_type *t, const struct tn_json *options)
{
	struct taken *taken;
	size_t n = 0, last = 0;

	for (size_t i = 0; i < t->n_fields; i++)
		n += t->field[i].n_ranges;
	if (!(taken = calloc(n + 1, sizeof *taken)))
		return tn_ctf2_no_memory(b);
	n = 0;
	for (size_t i = 0; i < t->n_fields; i++)
		for (size_t k = 0; k < t->field[i].n_ranges; k++)
			taken[n++] = (struct taken) { t->field[i].range[k], i, t->ref_signed };
	qsort(taken, n, sizeof *taken, by_lower);
	for (size_t i = 1; i < n; i++) {
		bool meets = t->ref_signed ?
			(int64_t)taken[i].range.lower <= (int64_t)taken[last].range.upper :
			taken[i].range.lower <= taken[last].range.upper;
		size_t p = taken[i].option, q = taken[last].option;

		if (meets && p != q) {
			tn_ctf2_wrong(b, &options->child[p > q ? p : q],
				     "the selector ranges overlap the ranges of option %zu, which has priority", p < q ? p : q);
			break;
		}
		if (!meets || (t->ref_signed ? (int64_t)taken[i].range.upper > (int64_t)taken[last].range.upper
					     : taken[i].range.upper > taken[last].range.upper))
			last = i;
	}
	free(taken);
	return true;
}

static bool
set_ranges(struct tn_ctf2 *b, const struct tn_ctf2_ref *ref, enum tn_kind selector)
{
	struct tn_type *t = ref->field->type;
	const struct tn_json *node = tn_json_get(ref->node, "selector-field-ranges");

	if (t->kind == TN_KIND_OPTIONAL && selector == TN_KIND_BOOL) {
		if (node)
			tn_ctf2_wrong(b, node, "the ranges are ignored: the selector is a boolean");
		return true;
	}
	if (t->kind == TN_KIND_OPTIONAL) {
		if (!node)
			return tn_ctf2_fail(b, ref->node, "the property \"selector-field-ranges\" is missing: the selector "
					    "is an integer");
		return tn_ctf2_ranges(b, node, t->ref_signed, &t->some, &t->n_some);
	}
	if (t->kind != TN_KIND_VARIANT)
		return true;
	node = tn_json_get(ref->node, "options");
	for (size_t i = 0; i < t->n_fields; i++)
		if (!tn_ctf2_ranges(b, tn_json_get(&node->child[i], "selector-field-ranges"), t->ref_signed,
				    &t->field[i].range, &t->field[i].n_ranges))
			return false;
	return warn_of_overlap(b, t, node);
}

/* ---- one reference ---- */

static struct tn_field *
start_of(struct tn_ctf2 *b, const struct location *l, const struct tn_field *from)
{
	struct tn_field *v;

	if (l->origin > b->scope) {
		tn_ctf2_fail(b, l->node, "the scope %s is decoded later", tn_scope_origin((enum tn_scope)l->origin));
		return NULL;
	}
	if (l->origin >= 0) {
		if (!b->root[l->origin])
			tn_ctf2_fail(b, l->node, "there is no %s here", tn_scope_origin((enum tn_scope)l->origin));
		return b->root[l->origin];
	}
	for (v = from->parent; v && v->type->kind != TN_KIND_STRUCT;)
		v = v->parent;
	return v;	/* the root of a scope is a structure */
}

static const char *
step_of(const void *location, size_t i)
{
	const struct location *l = location;
	const struct tn_json *e = &l->path->child[l->first + i];

	return e->kind == TN_JSON_NULL ? NULL : e->text;
}

static bool
tell_end(struct tn_ctf2 *b, const struct location *l, const struct tn_ctf_search *s)
{
	const struct tn_json *node = &l->path->child[l->first + (s->at < s->n ? s->at : s->n - 1)];
	bool at_field = s->end == TN_CTF_INTO_ARRAY || s->end == TN_CTF_AT_STRUCT || s->end == TN_CTF_INTO_VALUE;
	char why[200];

	switch (s->end) {
	case TN_CTF_NO_MEMORY:
		return tn_ctf2_no_memory(b);
	case TN_CTF_TOO_MANY_WAYS:
		return tn_ctf2_fail(b, l->node, "the path has more than %d alternatives", TN_CTF_MAX_STEPS);
	case TN_CTF_TOO_MUCH_WORK:
		return tn_ctf2_fail(b, l->node, "the scope has too many names: its references are not followed");
	case TN_CTF_OUT:
		return tn_ctf2_fail(b, node, "the path does not lead to a field: %s", _("a null element leads out of the scope"));
	default:
		snprintf(why, sizeof why,
			 s->end == TN_CTF_OPEN ? _("\"%.60s\" is the field itself") :
			 s->end == TN_CTF_LATER ? _("\"%.60s\" is decoded later") :
			 s->end == TN_CTF_INTO_ARRAY ?
			 _("it leads into an array, \"%.60s\", that does not contain the field") :
			 s->end == TN_CTF_AT_STRUCT ? _("it ends at a structure, \"%.60s\"") :
			 s->end == TN_CTF_INTO_VALUE ? _("\"%.60s\" is not a structure") :
			 s->where->parent || l->origin < 0 ? _("there is no member \"%.60s\" in the structure") :
			 _("there is no member \"%.60s\" in the scope"), at_field ? shown(s->where) : node->text);
		return tn_ctf2_fail(b, node, "the path does not lead to a field: %s", why);
	}
}

static bool
set_keys(struct tn_ctf2 *b, struct tn_type *t, int scope, const struct tn_ctf_search *s)
{
	int32_t slot;

	for (size_t i = 0; i < s->found.n; i++)
		if (!tn_ctf_slot_share(&b->wiring, &t->ref_slot, s->found.item[i], scope, b->stream, b->event))
			return tn_ctf2_no_memory(b);
	t->ref_signed = s->found.item[0]->type->kind == TN_KIND_SINT;
	if (!tn_ctf_refers(&b->wiring, t))
		return tn_ctf2_no_memory(b);
	if (!s->may_miss)
		return true;
	if ((slot = tn_ctf_slot_new(&b->wiring, scope, b->stream, b->event)) == TN_NO_SLOT)
		return tn_ctf2_no_memory(b);
	t->ref_guard = (uint32_t)slot + 1;
	/*
	 * These variants and optionals are before the referring field, so their selectors are resolved. Record their
	 * guards.
	 */
	for (size_t i = 0; i < s->gates.n; i++)
		if (!tn_ctf_guard(b->arena, s->gates.item[i].type, slot, s->gates.item[i].leads))
			return tn_ctf2_no_memory(b);
	return true;
}

static bool
resolve(struct tn_ctf2 *b, const struct tn_ctf2_ref *ref)
{
	struct tn_type *t = ref->field->type;
	struct location l;
	struct tn_ctf_search s = {
		.arena = b->arena, .from = ref->field, .step = step_of, .path = &l,
		.work = &b->work, .max_work = TN_CTF_MAX_WORK + 64 * (uint64_t)b->n,
	};
	struct tn_field *start;
	bool ok;

	if (!read_location(b, ref->location, &l) || !(start = start_of(b, &l, ref->field)))
		return false;
	s.n = l.path->n - l.first;
	ok = tn_ctf_search(&s, start, 0) ?
		check_keys(b, t, l.node, &s) && set_keys(b, t, l.origin >= 0 ? l.origin : b->scope, &s) &&
		set_ranges(b, ref, s.found.item[0]->type->kind) : tell_end(b, &l, &s);
	tn_ctf_search_release(&s);
	return ok;
}

bool
tn_ctf2_resolve(struct tn_ctf2 *b)
{
	for (size_t i = 0; i < b->refs.n; i++) {
		b->use = b->refs.item[i].use;
		if (!resolve(b, &b->refs.item[i]))
			return false;	/* b->use does not matter after a failure */
		b->use = NULL;
	}
	b->refs.n = 0;
	return true;
}
