/*
 * draft_finish.c - a draft becomes a model: types get places of their own, references find what they mean
 */
#include "write/draft_make.h"

#include <string.h>

#include "write/encode.h"

#define DEPTH_LIMIT 64

/* A copy of @t with fields of its own, so that a shared type becomes several places. */
static struct tn_type *
clone(struct tn_draft *d, const struct tn_type *t, struct tn_field *at, int depth)
{
	struct tn_type *n = TN_NEW(&d->trace.arena, struct tn_type);

	if (!n)
		return no_memory(d);
	if (depth > DEPTH_LIMIT)
		return MISTAKE(d, "types are nested more than %d deep", DEPTH_LIMIT);
	*n = *t;
	n->field = TN_NEW_ARRAY(&d->trace.arena, t->n_fields, struct tn_field);
	if (!n->field && t->n_fields)
		return no_memory(d);
	for (size_t i = 0; i < t->n_fields; i++) {
		n->field[i] = t->field[i];
		n->field[i].parent = at;
		n->field[i].type = clone(d, t->field[i].type, &n->field[i], depth + 1);
		if (!n->field[i].type)
			return NULL;
		if (t->kind != TN_KIND_VARIANT && t->kind != TN_KIND_OPTIONAL && n->field[i].type->align > n->align)
			n->align = n->field[i].type->align;
	}
	return n;
}

/* The member @name that comes before @from, in the same structure or one around it. */
static struct tn_field *
find_before(const struct tn_field *from, const char *name)
{
	for (const struct tn_field *f = from; f->parent; f = f->parent) {
		struct tn_type *in = f->parent->type;

		if (in->kind != TN_KIND_STRUCT)
			continue;
		for (struct tn_field *m = in->field; m < f; m++)
			if (strcmp(m->name, name) == 0)
				return m;
	}
	return NULL;
}

static bool
find_options(struct tn_draft *d, struct tn_type *variant, const struct tn_type *tag)
{
	for (size_t i = 0; i < variant->n_fields; i++) {
		struct tn_field *option = &variant->field[i];

		for (size_t k = 0; k < tag->n_mappings && !option->range; k++)
			if (strcmp(tag->mapping[k].label, option->name) == 0) {
				option->range = tag->mapping[k].range;
				option->n_ranges = tag->mapping[k].n_ranges;
			}
		if (!option->range)
			return MISTAKE(d, "variant option '%s': no label of '%s' has that name", option->name,
				       variant->ref_path);
	}
	return true;
}

/* Optionals by integer always have ranges, by boolean never (CTF2-SPEC-2.0, 5.3.18). */
static bool
check_selector(struct tn_draft *d, struct tn_field *f, const struct tn_type *selector)
{
	static const struct tn_range not_0 = { 1, UINT64_MAX };
	struct tn_type *t = f->type;

	if (selector->kind == TN_KIND_BOOL && t->some)
		return MISTAKE(d, "'%s' has values that enable it, but '%s' is a boolean", f->name, t->ref_path);
	if (selector->kind != TN_KIND_BOOL && !t->some) {
		t->some = &not_0;
		t->n_some = 1;
	}
	return true;
}

static bool
resolve(struct tn_draft *d, struct tn_field *f, int32_t *n_slots)
{
	struct tn_type *t = f->type;

	if (t->ref_path) {
		struct tn_field *to = find_before(f, t->ref_path);
		bool fits = to && to->type->length <= 64 &&
			    (to->type->kind == TN_KIND_UINT || (to->type->kind == TN_KIND_BOOL && t->kind == TN_KIND_OPTIONAL));

		if (!fits)
			return MISTAKE(d, "'%s' refers to '%s', which is no unsigned member%s before it", f->name, t->ref_path,
				       t->kind == TN_KIND_OPTIONAL ? " or boolean" : "");
		if (t->kind == TN_KIND_OPTIONAL && !check_selector(d, f, to->type))
			return false;
		if (to->slot == TN_NO_SLOT)
			to->slot = (*n_slots)++;
		if (*n_slots > TN_ENCODE_SLOTS)
			return MISTAKE(d, "'%s': more than %d lengths and tags in one scope", f->name, TN_ENCODE_SLOTS);
		t->ref_slot = to->slot;
		if (t->kind == TN_KIND_VARIANT && !find_options(d, t, to->type))
			return false;
	}
	for (size_t i = 0; i < t->n_fields; i++)
		if (!resolve(d, &t->field[i], n_slots))
			return false;
	return true;
}

/* References stay inside their scope, so that each scope counts its slots from 0. */
static bool
finish_scope(struct tn_draft *d, struct tn_field *root)
{
	int32_t n_slots = 0;

	if (!root)
		return true;
	if (!(root->type = clone(d, root->type, root, 0)) || !resolve(d, root, &n_slots))
		return false;
	if ((uint32_t)n_slots > d->trace.n_slots)
		d->trace.n_slots = (uint32_t)n_slots;
	tn_field_number(root, &d->trace.n_fields);
	return true;
}

/* How its events are written. */
static bool
compile(struct tn_draft *d, struct tn_stream_class *sc)
{
	struct tn_draft_class *c = (struct tn_draft_class *)sc;
	bool fine = (c->event = TN_NEW_ARRAY(&d->trace.arena, sc->n_event_classes + 1, struct tn_encode_program));
	unsigned header = c->header == TN_HEADER_PLAIN ? c->id_bits : sc->clock ? 8 : 1;

	if (c->header == TN_HEADER_PLAIN && sc->clock)
		header |= c->time_bits;
	for (size_t i = 0; fine && i < sc->n_event_classes; i++) {
		const struct tn_event_class *ec = sc->event_class[i];
		const struct tn_field *root[] = { sc->common_context, ec->specific_context, ec->payload };

		fine = tn_encode_compile(&c->event[i], &d->trace.arena, root, 3, header % 8 ? 1 : 8);
	}
	fine = fine && tn_encode_compile_members(&c->context, &d->trace.arena, sc->packet_context->type, c->n_own, 8);
	return fine || no_memory(d);
}

enum tn_code
tn_draft_finish(struct tn_draft *d, struct tn_error *err)
{
	if (!d)
		return tn_fail_null(err);

	bool fine = usable(d) && finish_scope(d, d->trace.packet_header);

	for (size_t i = 0; fine && i < d->trace.n_stream_classes; i++) {
		struct tn_stream_class *sc = d->trace.stream_class[i];

		fine = finish_scope(d, sc->packet_context) && finish_scope(d, sc->event_header) &&
		       finish_scope(d, sc->common_context);
	}
	for (size_t i = 0; fine && i < d->trace.n_event_classes; i++) {
		struct tn_event_class *ec = d->trace.event_class[i];

		fine = finish_scope(d, ec->specific_context) && finish_scope(d, ec->payload);
		if (!fine && d->error.code == TN_ERR_ARGUMENT)
			tn_at(&d->error, d->error.code, "event '%s'", ec->name);
	}
	for (size_t i = 0; fine && i < d->trace.n_stream_classes; i++)
		fine = compile(d, d->trace.stream_class[i]);
	if (fine && d->trace.n_stream_classes == 0)
		fine = MISTAKE(d, "no stream class") != NULL;
	if (!fine) {
		if (err)
			*err = d->error;
		return d->error.code;
	}
	d->finished = true;
	return TN_OK;
}

enum tn_code
tn_draft_metadata(const struct tn_draft *d, enum tn_metadata_form form, struct tn_str *out,
		  struct tn_error *err)
{
	if (!d || !out)
		return tn_fail_null(err);

	struct tn_str s = { out->text, out->n, out->room, out->failed };
	enum tn_code code;

	if (!d->finished)
		return tn_fail(err, TN_ERR_ARGUMENT, "the draft is not finished");
	code = form == TN_METADATA_CTF_2 ? tn_ctf2_text(&s, &d->trace, err) : tn_tsdl_text(&s, &d->trace, err);
	*out = (struct tn_str) { s.text, s.n, s.room, s.failed };
	if (code == TN_OK && s.failed)
		return tn_fail_memory(err);
	return code;
}
