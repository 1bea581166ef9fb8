#include <string.h>

#include "ctf/locate.h"

static bool
dead_end(struct tn_ctf_search *s, enum tn_ctf_end end, size_t at, const struct tn_field *where)
{
	s->may_miss = true;
	if (!s->end || end >= TN_CTF_NO_MEMORY) {
		s->end = end;
		s->at = at;
		s->where = where;
	}
	return false;
}

/* The child of @v on the way down to s->from; NULL: @v does not contain s->from. */
static struct tn_field *
towards(const struct tn_ctf_search *s, const struct tn_field *v)
{
	for (const struct tn_field *f = s->from; f && f->parent; f = f->parent)
		if (f->parent == v)
			return &v->type->field[f - v->type->field];
	return NULL;
}

static bool arrive(struct tn_ctf_search *s, struct tn_field *v, bool is_open, size_t i);

/* Enter an optional or variant that is not being decoded now: the path may go through any of its options. */
static bool
pass_gate(struct tn_ctf_search *s, struct tn_field *v, size_t i)
{
	bool *leads = TN_NEW_ARRAY(s->arena, v->type->n_fields, bool), any = false;
	struct tn_ctf_gate *gate = leads ? TN_ARRAY_ADD(&s->gates) : NULL;

	*s->work += v->type->n_fields;
	if (!gate)
		return dead_end(s, TN_CTF_NO_MEMORY, i, v);
	*gate = (struct tn_ctf_gate) { .type = v->type, .leads = leads };
	for (size_t k = 0; k < v->type->n_fields && s->end < TN_CTF_NO_MEMORY; k++) {
		leads[k] = arrive(s, &v->type->field[k], false, i);
		any = any || leads[k];
	}
	if (v->type->kind == TN_KIND_OPTIONAL)
		s->may_miss = true;
	return any;
}

static bool
add(struct tn_ctf_search *s, struct tn_field *v)
{
	struct tn_field **place;

	for (size_t i = 0; i < s->found.n; i++)
		if (s->found.item[i] == v)
			return true;
	if (!(place = TN_ARRAY_ADD(&s->found)))
		return dead_end(s, TN_CTF_NO_MEMORY, s->n, v);
	*place = v;
	return true;
}

/* Find the last field with this name, usually before the referring field. @inside: the field that is being decoded. */
static bool
take_step(struct tn_ctf_search *s, struct tn_field *v, struct tn_field *inside, size_t i)
{
	const char *name = s->step(s->path, i);
	struct tn_field *field = v->type->field;
	size_t k = v->type->n_fields;

	if (++s->steps > TN_CTF_MAX_STEPS || *s->work > s->max_work)
		return dead_end(s, s->steps > TN_CTF_MAX_STEPS ? TN_CTF_TOO_MANY_WAYS : TN_CTF_TOO_MUCH_WORK, i, v);
	if (!name) {
		do
			v = v->parent;
		while (v && v->type->kind != TN_KIND_STRUCT);
		return v ? take_step(s, v, towards(s, v), i + 1) : dead_end(s, TN_CTF_OUT, i, NULL);
	}
	if (inside && strcmp(inside->name, name) == 0)
		return arrive(s, inside, true, i + 1);
	if (inside && v->type->kind == TN_KIND_VARIANT)
		return dead_end(s, TN_CTF_OTHER, i, v);
	for (; k > 0 && strcmp(field[k - 1].name, name) != 0; k--)
		;
	*s->work += 1 + v->type->n_fields - k;
	if (k == 0)
		return dead_end(s, inside ? TN_CTF_NOT_BEFORE : TN_CTF_UNKNOWN, i, v);
	return inside && &field[k - 1] > inside ? dead_end(s, TN_CTF_LATER, i, v) : arrive(s, &field[k - 1], false, i + 1);
}

/* The path has reached @v, and step @i is next. False: it leads to no target. */
static bool
arrive(struct tn_ctf_search *s, struct tn_field *v, bool is_open, size_t i)
{
	struct tn_field *inside = is_open ? towards(s, v) : NULL;

	if (v == s->from || (s->by_option && i == s->n && inside))
		return dead_end(s, TN_CTF_OPEN, i - 1, v);
	if (s->by_option && i == s->n)
		return add(s, v);
	switch (v->type->kind) {
	case TN_KIND_ARRAY:
		return inside ? arrive(s, inside, true, i) : dead_end(s, TN_CTF_INTO_ARRAY, i - 1, v);
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		if (!s->by_option)
			return inside ? arrive(s, inside, true, i) : pass_gate(s, v, i);
		if (!inside && v->type->ref_slot == TN_NO_SLOT && !v->type->n_fields)
			return true;	/* the variant is empty, or its own tag is never present */
		s->may_miss |= !inside;
		return take_step(s, v, inside, i);
	case TN_KIND_STRUCT:
		return i < s->n ? take_step(s, v, inside, i) : dead_end(s, TN_CTF_AT_STRUCT, i - 1, v);
	default:
		return i == s->n ? add(s, v) : dead_end(s, TN_CTF_INTO_VALUE, i, v);
	}
}

bool
tn_ctf_search(struct tn_ctf_search *s, struct tn_field *start, size_t i)
{
	return arrive(s, start, true, i) && s->end < TN_CTF_NO_MEMORY;
}

void
tn_ctf_search_release(struct tn_ctf_search *s)
{
	TN_ARRAY_RELEASE(&s->found);
	TN_ARRAY_RELEASE(&s->gates);
}
