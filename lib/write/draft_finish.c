/* draft_finish.c - make a model from a draft: copy shared types, resolve references */
#include "write/draft_make.h"

#include <string.h>

#include "base/messages.h"
#include "write/encode.h"

#define DEPTH_LIMIT 128	/* a reader refuses deeper types */
#define FIELD_LIMIT (1u << 18)	/* a reader refuses more; types that are used several times could make any number of fields */

/* Copy @t with its fields, because a shared type needs a copy for each place. */
static struct tn_type *
clone(struct tn_draft *d, struct tn_type *t, struct tn_field *at, int depth)
{
	struct tn_type *n;

	/* The type does not depend on its place, so it can be shared. */
	if (!t->n_fields && !t->ref_path)
		return t;
	if (!(n = TN_NEW(&d->trace.arena, struct tn_type)))
		return no_memory(d);
	if (depth > DEPTH_LIMIT)
		return MISTAKE(d, "types are nested more than %d deep", DEPTH_LIMIT);
	if (t->n_fields > FIELD_LIMIT - d->n_fields)
		return MISTAKE(d, "the types have more than %u fields: each use of a type counts", FIELD_LIMIT);
	d->n_fields += t->n_fields;
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

/* Whether a member of type @to can be the length, tag or selector of @t. */
static bool
can_select(const struct tn_type *t, const struct tn_type *to)
{
	if (to->length > 64)
		return false;
	return to->kind == TN_KIND_UINT || (to->kind == TN_KIND_SINT && t->kind == TN_KIND_VARIANT) ||
	       (to->kind == TN_KIND_BOOL && t->kind == TN_KIND_OPTIONAL);
}

/* An optional with an integer selector must have ranges, and one with a boolean selector must not (CTF2-SPEC-2.0, 5.3.18). */
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
		struct tn_field *to = tn_field_before(f, t->ref_path);

		if (!to || !can_select(t, to->type))
			return MISTAKE(d, t->kind == TN_KIND_OPTIONAL ?
				       N_("'%s' refers to '%s', which is not an unsigned member or boolean before it") :
				       N_("'%s' refers to '%s', which is not an unsigned member before it"),
				       f->name, t->ref_path);
		if (t->kind == TN_KIND_OPTIONAL && !check_selector(d, f, to->type))
			return false;
		if (to->slot == TN_NO_SLOT)
			to->slot = (*n_slots)++;
		t->ref_slot = to->slot;
		t->ref_signed = to->type->kind == TN_KIND_SINT;
		if (t->kind == TN_KIND_VARIANT && !find_options(d, t, to->type))
			return false;
	}
	for (size_t i = 0; i < t->n_fields; i++)
		if (!resolve(d, &t->field[i], n_slots))
			return false;
	return true;
}

/* References stay inside their scope, so each scope counts its slots from 0. */
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

/* Finish the layout of the packets and contexts of a stream class. */
static bool
finish_stream_class(struct tn_draft *d, struct tn_stream_class *sc)
{
	struct tn_draft_class *c = (struct tn_draft_class *)sc;

	if (!finish_scope(d, sc->packet_context) || !finish_scope(d, sc->event_header) || !finish_scope(d, sc->common_context))
		return false;
	if (!tn_draft_check_stream_class(d, sc))
		return false;
	/* The last of the writer's own members is a counter, which may end inside a byte. */
	return tn_encode_compile_members(&c->context, &d->trace.arena, sc->packet_context->type, c->n_own,
					 (c->sequence_bits | c->discarded_bits) % 8 ? 1 : 8) || no_memory(d);
}

/* Finish the layout of the events. */
static bool
finish_event_class(struct tn_draft *d, struct tn_event_class *ec)
{
	const struct tn_draft_class *c = tn_draft_class_of(ec->stream_class);
	bool clock = ec->stream_class->clock;
	unsigned header = c->header != TN_HEADER_PLAIN ? clock ? 8 : 1 : clock ? c->id_bits | c->time_bits : c->id_bits;
	const struct tn_field *root[] = { ec->stream_class->common_context, ec->specific_context, ec->payload };

	if (!finish_scope(d, ec->specific_context) || !finish_scope(d, ec->payload)) {
		if (d->error.code == TN_ERR_ARGUMENT)
			tn_at(&d->error, d->error.code, "event '%s'", ec->name);
		return false;
	}
	if (!tn_draft_check_event_class(d, ec))
		return false;
	return tn_encode_compile(&((struct tn_draft_event *)ec)->program, &d->trace.arena, root, 3, header % 8 ? 1 : 8) ||
	       no_memory(d);
}

enum tn_code
tn_draft_finish(struct tn_draft *d, struct tn_error *err)
{
	if (!d)
		return tn_fail_null(err);

	bool fine = usable(d) && tn_draft_check_names(d) && (d->n_stream_classes || finish_scope(d, d->trace.packet_header));

	for (; fine && d->n_stream_classes < d->trace.n_stream_classes; d->n_stream_classes++)
		fine = finish_stream_class(d, d->trace.stream_class[d->n_stream_classes]);
	for (; fine && d->n_event_classes < d->trace.n_event_classes; d->n_event_classes++)
		fine = finish_event_class(d, d->trace.event_class[d->n_event_classes]);
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

void
tn_draft_reopen(struct tn_draft *d)
{
	if (d)
		d->finished = false;
}

enum tn_code
tn_draft_metadata(const struct tn_draft *d, enum tn_metadata_form form, struct tn_str *out,
		  struct tn_error *err)
{
	if (!d || !out)
		return tn_fail_null(err);

	enum tn_code code;

	const struct tn_error *no = form == TN_METADATA_CTF_2 ? &d->no_2 : &d->no_1_8;

	if (!d->finished)
		return tn_fail(err, TN_ERR_ARGUMENT, "the draft is not finished");
	if (form != TN_METADATA_CTF_1_8 && form != TN_METADATA_CTF_2)
		return tn_fail(err, TN_ERR_ARGUMENT, "metadata form %d: it must be TN_METADATA_CTF_1_8 or TN_METADATA_CTF_2",
			       (int)form);
	if (no->code != TN_OK) {
		if (err)
			*err = *no;
		return no->code;
	}
	code = form == TN_METADATA_CTF_2 ? tn_ctf2_text(out, &d->trace, err) : tn_tsdl_text(out, &d->trace, err);
	if (code == TN_OK && out->failed)
		return tn_fail_memory(err);
	return code;
}
