/* annotations.c - types of annotations, which the file does not describe: the union of all values at each place */
#include "perfetto/private.h"

#define MOST_NODES 65536	/* limit of nodes in a trace */
#define MOST_MEMBERS 512	/* limit of members in a dictionary */
#define MOST_KEY 128		/* limit of bytes in a name */

static const struct { uint8_t number, what; } kinds[] = {
	{ 2, TN_PF_BOOL }, { 3, TN_PF_UINT }, { 4, TN_PF_SINT }, { 5, TN_PF_DOUBLE }, { 6, TN_PF_STRING }, { 7, TN_PF_UINT },
	{ 8, TN_PF_MESSAGE }, { 9, TN_PF_STRING }, { 11, TN_PF_DICT }, { 12, TN_PF_ARRAY }, { 14, TN_PF_MESSAGE },
	{ 17, TN_PF_STRING },
};

void
tn_pf_note_read(struct tn_pf_note *out, const struct tn_pf_trace *own, uint32_t state, uint64_t at, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field f;

	*out = (struct tn_pf_note) { .name = { body.p, 0 }, .what = TN_PF_STRING, .bytes = { body.p, 0 } };
	while (tn_pf_next(&in, &f)) {
		if (f.number == 1)
			out->name = tn_pf_interned(own, state, TN_PF_NOTE_NAME, f.value, at);
		else if (f.number == 10)
			out->name = f.bytes;
		for (size_t i = 0; i < TN_COUNT(kinds); i++)
			if (kinds[i].number == f.number) {
				out->what = (enum tn_pf_seen)kinds[i].what;
				out->value = f.value;
				out->bytes = out->what == TN_PF_DICT || out->what == TN_PF_ARRAY ? body : f.number == 17 ?
					     tn_pf_interned(own, state, TN_PF_NOTE_TEXT, f.value, at) : f.bytes;
			}
	}
}

struct tn_pf_node *
tn_pf_node_add(struct tn_arena *arena, struct tn_pf_node *in)
{
	struct tn_pf_node *node = TN_NEW(arena, struct tn_pf_node);

	if (!node)
		return NULL;
	node->index = in->n++;
	if (in->last)
		in->last->next = node;
	else
		in->first = node;
	in->last = node;
	return node;
}

static bool
is_key(const struct tn_pf_node *node, struct tn_pf_bytes key)
{
	return node->key.n == key.n && memcmp(node->key.p, key.p, (size_t)key.n) == 0;
}

struct tn_pf_node *
tn_pf_member(const struct tn_pf_node *in, struct tn_pf_bytes key, const struct tn_pf_node *hint)
{
	struct tn_pf_node *node = hint && hint->next ? hint->next : in->first;

	if (node && is_key(node, key))
		return node;
	for (node = in->first; node && !is_key(node, key); node = node->next)
		;
	return node;
}

bool
tn_pf_learn(struct tn_trace *trace, struct tn_pf_node *in, const struct tn_pf_note *note, uint32_t state, uint64_t at,
	    unsigned depth, size_t *n_nodes)
{
	struct tn_pf_node *node = tn_pf_member(in, note->name, NULL);
	bool deep = depth >= TN_PF_DEPTH;
	struct tn_pf_in inside = tn_pf_in(note->bytes);
	struct tn_pf_field f;
	unsigned members = note->what == TN_PF_DICT ? 11 : 12;

	if (!node) {
		if (*n_nodes >= MOST_NODES || in->n >= MOST_MEMBERS || note->name.n > MOST_KEY)
			return true;
		node = tn_pf_node_add(&trace->arena, in);
		if (!node || !(node->key.p = (const uint8_t *)tn_arena_copy(&trace->arena, (const char *)note->name.p,
									    (size_t)note->name.n)))
			return false;
		node->key.n = note->name.n;
		++*n_nodes;
	}
	node->seen |= 1u << (deep && (note->what == TN_PF_DICT || note->what == TN_PF_ARRAY) ? TN_PF_MESSAGE : note->what);
	node->seen |= note->what == TN_PF_UINT && note->value > INT64_MAX ? TN_PF_LARGE : 0;
	if (deep || (note->what != TN_PF_DICT && note->what != TN_PF_ARRAY))
		return true;
	while (tn_pf_next(&inside, &f)) {
		struct tn_pf_note member;

		if (f.number != members)
			continue;
		tn_pf_note_read(&member, trace->own, state, at, f.bytes);
		/* All elements of an array are one place. */
		if (note->what == TN_PF_ARRAY)
			member.name.n = 0;
		if (!tn_pf_learn(trace, node, &member, state, at, depth + 1, n_nodes))
			return false;
	}
	return true;
}

/* ---- types ---- */

static enum tn_kind
kind_of(const struct tn_pf_node *node)
{
	const uint32_t integers = 1u << TN_PF_UINT | 1u << TN_PF_SINT, numbers = integers | 1u << TN_PF_DOUBLE;
	uint32_t seen = node->seen & 0xffff;

	if (seen == 1u << TN_PF_BOOL)
		return TN_KIND_BOOL;
	if (seen == 1u << TN_PF_UINT)
		return TN_KIND_UINT;
	if ((seen & ~integers) == 0)
		return node->seen & TN_PF_LARGE ? TN_KIND_FLOAT : TN_KIND_SINT;
	if ((seen & ~numbers) == 0)
		return TN_KIND_FLOAT;
	if (seen == 1u << TN_PF_DICT)
		return TN_KIND_STRUCT;
	return seen == 1u << TN_PF_ARRAY && node->n == 1 ? TN_KIND_ARRAY : TN_KIND_STRING;
}

struct tn_type *
tn_pf_node_type(struct tn_builder *b, const struct tn_pf_node *node)
{
	enum tn_kind kind = kind_of(node);
	struct tn_type *t;

	switch (kind) {
	case TN_KIND_STRUCT:
		t = tn_build_compound(b, TN_KIND_STRUCT, node->n + 1);
		for (struct tn_pf_node *m = node->first; m && t; m = m->next)
			m->field = tn_build_field(b, t, m->key.n ? (const char *)m->key.p : "_", tn_pf_node_type(b, m));
		return t;
	case TN_KIND_ARRAY:
		t = tn_build_array(b, tn_pf_node_type(b, node->first));
		if (t)
			node->first->field = &t->field[0];
		return t;
	case TN_KIND_BOOL: return tn_build_type(b, kind, 8);
	case TN_KIND_STRING: return tn_build_type(b, kind, 0);
	default: return tn_build_type(b, kind, 64);
	}
}
