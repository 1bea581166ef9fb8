/*
 * Field locations to slots (CTF2-SPEC-2.0, 5.3.3 and 6.4): the procedure of the specification finds a
 * value while a packet is decoded; here it finds, once, every field that could hold that value, and
 * gives them one slot. Where the way leads through an optional, or through an option that has no such
 * field, guards say at decoding time whether the slot holds anything.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/ctf2_builder.h"

/* Longer paths, and more ways through variants, are an attack on the stack and on time. */
#define MAX_PATH 1000
#define MAX_STEPS 100000
#define MAX_WORK (UINT64_C(1) << 26)	/* names compared, of all paths; more for a longer text */

static const char *const origins[TN_SCOPES] = {
	[TN_SCOPE_PACKET_HEADER] = "packet-header",
	[TN_SCOPE_PACKET_CONTEXT] = "packet-context",
	[TN_SCOPE_EVENT_HEADER] = "event-record-header",
	[TN_SCOPE_COMMON_CONTEXT] = "event-record-common-context",
	[TN_SCOPE_SPECIFIC_CONTEXT] = "event-record-specific-context",
	[TN_SCOPE_PAYLOAD] = "event-record-payload",
};

static int
find_origin(const char *word)
{
	for (int i = 0; i < TN_SCOPES; i++)
		if (strcmp(origins[i], word) == 0)
			return i;
	return -1;
}

/* What a location says: in the final text an object, in release candidates an array. */
struct location {
	int origin;			/* a scope; -1: relative */
	const struct tn_json *node;
	const struct tn_json *path;
	size_t first;			/* element of the path to begin with */
};

static bool
read_location(struct tn_ctf2 *b, const struct tn_json *node, struct location *out)
{
	const struct tn_json *origin;

	*out = (struct location) { .origin = -1, .node = node, .path = node };
	if (node->kind == TN_JSON_ARRAY) {
		tn_ctf2_foreign(b, node, "a location with a \"path\"");
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
		return tn_ctf2_fail(b, out->path, "a path of more than %d elements", MAX_PATH);
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

/* "/packet-context/cpu", "../n": for messages and details. */
static const char *
path_text(struct tn_ctf2 *b, const struct location *l)
{
	struct tn_str s = { 0 };
	const char *copy;

	if (l->origin >= 0)
		tn_str_printf(&s, "/%s", origins[l->origin]);
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

/* ---- the walk along a path ---- */

/* An optional or variant that the path goes through from outside. */
struct gate {
	struct tn_type *type;
	bool *leads;
};

struct walk {
	struct tn_ctf2 *b;
	const struct tn_field *from;	/* what refers */
	const struct location *l;
	TN_ARRAY(struct tn_field *) keys;
	TN_ARRAY(struct gate) gates;
	size_t steps;
	bool failed;			/* b->error is set */
	bool may_fail;			/* some way leads nowhere */
	size_t dead;			/* element of the path where the first way ended; why: */
	char why[200];
};

static bool
dead_end(struct walk *w, size_t i, const char *format, ...) TN_PRINTF(3, 4);

static bool
dead_end(struct walk *w, size_t i, const char *format, ...)
{
	va_list ap;

	w->may_fail = true;
	if (!w->why[0]) {
		w->dead = i;
		va_start(ap, format);
		vsnprintf(w->why, sizeof w->why, _(format), ap);
		va_end(ap);
	}
	return false;
}

/* The child of @v on the way down to w->from, NULL when @v does not contain it. */
static struct tn_field *
towards(const struct walk *w, const struct tn_field *v)
{
	for (const struct tn_field *f = w->from; f->parent; f = f->parent)
		if (f->parent == v)
			return &v->type->field[f - v->type->field];
	return NULL;
}

/* Options and elements without a name go under that of what they are in. */
static const char *
shown(const struct tn_field *f)
{
	while (!f->name[0] && f->parent)
		f = f->parent;
	return f->name[0] ? f->name : _("it");
}

static bool arrive(struct walk *w, struct tn_field *v, size_t i);

/* Go through an optional or variant that is not being decoded now: every option may be a way. */
static bool
pass_gate(struct walk *w, struct tn_field *v, size_t i)
{
	bool *leads = TN_CTF2_NEW(w->b, v->type->n_fields, bool), any = false;
	struct gate *gate = leads ? TN_ARRAY_ADD(&w->gates) : NULL;

	if (!gate) {
		if (leads)
			tn_ctf2_no_memory(w->b);
		w->failed = true;
		return false;
	}
	*gate = (struct gate) { .type = v->type, .leads = leads };
	for (size_t k = 0; k < v->type->n_fields && !w->failed; k++) {
		leads[k] = arrive(w, &v->type->field[k], i);
		any = any || leads[k];
	}
	if (v->type->kind == TN_KIND_OPTIONAL)
		w->may_fail = true;
	return any;
}

static bool
add_key(struct walk *w, struct tn_field *v)
{
	struct tn_field **place;

	for (size_t i = 0; i < w->keys.n; i++)
		if (w->keys.item[i] == v)
			return true;
	if (!(place = TN_ARRAY_ADD(&w->keys))) {
		w->failed = true;
		return tn_ctf2_no_memory(w->b);
	}
	*place = v;
	return true;
}

static bool
take_step(struct walk *w, struct tn_field *v, size_t i)
{
	const struct tn_json *e = &w->l->path->child[i];
	const struct tn_field *inside = towards(w, v);
	struct tn_type *t = v->type;

	if (++w->steps > MAX_STEPS) {
		w->failed = true;
		return tn_ctf2_fail(w->b, w->l->node, "the path leads more than %d ways", MAX_STEPS);
	}
	if ((w->b->work += 1 + t->n_fields) > MAX_WORK + 64 * (uint64_t)w->b->n) {
		w->failed = true;
		return tn_ctf2_fail(w->b, w->l->node, "references among so many names are not followed");
	}
	if (e->kind == TN_JSON_NULL) {
		do
			v = v->parent;
		while (v && v->type->kind != TN_KIND_STRUCT);
		if (!v)
			return dead_end(w, i, "null leads out of the scope");
		return take_step(w, v, i + 1);
	}
	for (size_t k = 0; k < t->n_fields; k++) {
		struct tn_field *member = &t->field[k];

		if (strcmp(member->name, e->text) != 0)
			continue;
		if (member == w->from)
			return dead_end(w, i, "\"%.60s\" is the field itself", e->text);
		if (inside && member > inside)
			return dead_end(w, i, "\"%.60s\" is decoded later", e->text);
		return arrive(w, member, i + 1);
	}
	return v->parent || w->l->origin < 0 ? dead_end(w, i, "there is no member \"%.60s\" in the structure", e->text) :
		dead_end(w, i, "there is no member \"%.60s\" in the scope", e->text);
}

/* The way has come to @v; element @i of the path is next. False: it leads nowhere. */
static bool
arrive(struct walk *w, struct tn_field *v, size_t i)
{
	struct tn_field *inside = towards(w, v);

	switch (v->type->kind) {
	case TN_KIND_ARRAY:
		return inside ? arrive(w, inside, i) :
			dead_end(w, i - 1, "it leads into an array, \"%.60s\", that does not contain the field", shown(v));
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		return inside ? arrive(w, inside, i) : pass_gate(w, v, i);
	case TN_KIND_STRUCT:
		return i < w->l->path->n ? take_step(w, v, i) :
			dead_end(w, i - 1, "it ends at a structure, \"%.60s\"", shown(v));
	default:
		return i == w->l->path->n ? add_key(w, v) :
			dead_end(w, i, "\"%.60s\" is no structure", shown(v));
	}
}

/* ---- keys ---- */

/* What @key is that may not decide a length or a selection; NULL: it may. */
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
check_keys(struct tn_ctf2 *b, const struct walk *w)
{
	const struct tn_type *from = w->from->type;

	for (size_t i = 0; i < w->keys.n; i++) {
		const struct tn_type *key = w->keys.item[i]->type;
		const char *wrong = wrong_kind(from, key);

		if (wrong)
			return tn_ctf2_fail(b, w->l->node, from->kind == TN_KIND_VARIANT ?
					    N_("\"%.60s\" is %s: a selector must be an integer of at most 64 bits") :
					    from->kind == TN_KIND_OPTIONAL ?
					    N_("\"%.60s\" is %s: a selector must be a boolean or an integer of at most 64 bits") :
					    N_("\"%.60s\" is %s: a length must be an unsigned integer of at most 64 bits"),
					    shown(w->keys.item[i]), _(wrong));
		if (key->kind != w->keys.item[0]->type->kind)
			return tn_ctf2_fail(b, w->l->node, "it leads to fields of different kinds: %s and %s",
					    tn_kind_name(w->keys.item[0]->type->kind), tn_kind_name(key->kind));
	}
	return true;
}

/* The scope that the path leads to. */
static int
scope_of(const struct walk *w)
{
	return w->l->origin >= 0 ? w->l->origin : w->b->scope;
}

/* One more guard of @t: its room doubles, so that many references through one gate cost what they are. */
static bool
add_guard(struct tn_ctf2 *b, struct tn_type *t, const struct tn_guard *guard)
{
	struct tn_guard *all = (struct tn_guard *)(uintptr_t)t->guard;	/* made here */

	if ((t->n_guards & (t->n_guards - 1)) == 0) {
		all = TN_CTF2_NEW(b, t->n_guards ? 2 * t->n_guards : 1, struct tn_guard);
		if (!all)
			return false;
		if (t->n_guards)
			memcpy(all, t->guard, t->n_guards * sizeof *all);
		t->guard = all;
	}
	all[t->n_guards++] = *guard;
	return true;
}

static bool
add_guards(struct tn_ctf2 *b, const struct walk *w)
{
	int32_t slot = tn_ctf_slot_new(&b->wiring, scope_of(w), b->stream, b->event);

	if (slot == TN_NO_SLOT)
		return tn_ctf2_no_memory(b);
	w->from->type->ref_guard = (uint32_t)slot + 1;
	/* They stand before what refers: their own selectors are resolved, and they are noted. */
	for (size_t i = 0; i < w->gates.n; i++)
		if (!add_guard(b, w->gates.item[i].type, &(struct tn_guard) { .slot = slot, .leads = w->gates.item[i].leads }))
			return false;
	return true;
}

/* ---- ranges, now that it is known how the selector counts ---- */

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

/* Two options for one value: the first one counts. */
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
				     "its selector ranges overlap those of option %zu, which counts", p < q ? p : q);
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
		tn_ctf2_fail(b, l->node, "the scope %s is decoded later", origins[l->origin]);
		return NULL;
	}
	if (l->origin >= 0) {
		if (!b->root[l->origin])
			tn_ctf2_fail(b, l->node, "there is no %s here", origins[l->origin]);
		return b->root[l->origin];
	}
	for (v = from->parent; v && v->type->kind != TN_KIND_STRUCT;)
		v = v->parent;
	return v;	/* the root of a scope is a structure */
}

static bool
walk_path(struct tn_ctf2 *b, struct walk *w, struct tn_field *start, const struct tn_ctf2_ref *ref)
{
	struct tn_type *t = ref->field->type;
	bool found = take_step(w, start, w->l->first);

	if (w->failed)
		return false;
	if (!found)
		return tn_ctf2_fail(b, &w->l->path->child[w->dead < w->l->path->n ? w->dead : w->l->path->n - 1],
				    "the path leads nowhere: %s", w->why);
	if (!check_keys(b, w))
		return false;
	for (size_t i = 0; i < w->keys.n; i++)
		if (!tn_ctf_slot_share(&b->wiring, &t->ref_slot, w->keys.item[i], scope_of(w), b->stream, b->event))
			return tn_ctf2_no_memory(b);
	t->ref_signed = w->keys.item[0]->type->kind == TN_KIND_SINT;
	if (!tn_ctf_refers(&b->wiring, t))
		return tn_ctf2_no_memory(b);
	if (w->may_fail && !add_guards(b, w))
		return false;
	return set_ranges(b, ref, w->keys.item[0]->type->kind);
}

static bool
resolve(struct tn_ctf2 *b, const struct tn_ctf2_ref *ref)
{
	struct location l;
	struct walk w = { .b = b, .from = ref->field, .l = &l };
	struct tn_field *start;
	bool ok;

	if (!read_location(b, ref->location, &l) || !(start = start_of(b, &l, ref->field)))
		return false;
	ok = walk_path(b, &w, start, ref);
	TN_ARRAY_RELEASE(&w.keys);
	TN_ARRAY_RELEASE(&w.gates);
	return ok;
}

bool
tn_ctf2_resolve(struct tn_ctf2 *b)
{
	for (size_t i = 0; i < b->refs.n; i++) {
		b->use = b->refs.item[i].use;
		if (!resolve(b, &b->refs.item[i]))
			return false;	/* b->use stays: tn_ctf2_fail() has told it */
		b->use = NULL;
	}
	b->refs.n = 0;
	return true;
}
