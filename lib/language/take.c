#include "language/take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/kinds.h"
#include "model/path.h"

enum tn_code
tn_take_step(const char *name, int64_t *step_ns, struct tn_error *err)
{
	struct tn_time_context zero = { TN_TIME_CONTEXT };
	char span[64];

	snprintf(span, sizeof span, "+%s", name + 5);
	if (tn_time_parse(span, &zero, step_ns, NULL) == TN_OK && *step_ns > 0)
		return TN_OK;
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s' is not a step of time: write time/10ms", name);
}

/* Make a reference to one field or attribute with this name. */
static enum tn_code
refer(struct tn_reference **out, const struct tn_take *take, const char *name, const uint8_t *among, struct tn_error *err)
{
	struct tn_reference *r = calloc(1, sizeof *r);
	enum tn_code rc;

	if (!r)
		return tn_fail_memory(err);
	rc = tn_reference_init(r, take->classes->names, name, among, err);
	if (rc < 0) {
		free(r);
		return rc;
	}
	*out = r;
	return tn_meaning_has_one_value(&r->meaning, err);
}

/* The place of the bar in "A|B"; NULL: none. Text in backticks belongs to a name. */
static char *
find_bar(char *name)
{
	while (*name && *name != '|') {
		size_t n = *name == '`' ? tn_path_name_length(name) : 0;

		name += n ? n : 1;
	}
	return *name ? name : NULL;
}

/* Resolve "A|B": the value is A, or B in events that do not have A. */
static enum tn_code
resolve_either(struct tn_take *take, const char *name, const uint8_t *among, struct tn_error *err)
{
	char *first = strdup(name), *bar = first ? find_bar(first) : NULL;
	enum tn_code rc;

	if (!first)
		return tn_fail_memory(err);
	*bar++ = '\0';
	take->is_either = true;
	rc = find_bar(bar) ? tn_fail(err, TN_ERR_ARGUMENT, "'%s': write only one |, between two names", name) : TN_OK;
	if (rc == TN_OK)
		rc = refer(&take->reference, take, first, among, err);
	if (rc == TN_OK)
		rc = refer(&take->field, take, bar, among, err);
	free(first);
	return rc;
}

static enum tn_code
resolve(struct tn_take *take, char *name, const uint8_t *among, struct tn_error *err)
{
	char field[256];
	enum tn_code rc;

	if (find_bar(name))
		return resolve_either(take, name, among, err);
	rc = refer(&take->reference, take, take->step_ns ? "time" : name, among, err);
	if (rc < 0 || !tn_is_of_contexts(&take->reference->meaning) || strchr(name, '.'))
		return rc;
	take->field = calloc(1, sizeof *take->field);
	if (!take->field)
		return tn_fail_memory(err);
	snprintf(field, sizeof field, "event.fields.%s", name);
	rc = tn_reference_init(take->field, take->classes->names, field, among, NULL);
	if (rc == TN_OK)
		return TN_OK;
	free(take->field);
	take->field = NULL;
	return rc == TN_ERR_MEMORY ? tn_fail_memory(err) : TN_OK;
}

enum tn_code
tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n, const char *what,
	     size_t column, struct tn_error *err)
{
	return tn_take_init_among(take, classes, NULL, name, n, what, column, err);
}

enum tn_code
tn_take_init_among(struct tn_take *take, const struct tn_classes *classes, const uint8_t *among, const char *name, size_t n,
		   const char *what, size_t column, struct tn_error *err)
{
	char *field = NULL;
	enum tn_code rc;

	*take = (struct tn_take) { .name = strndup(name, n), .classes = classes };
	if (!take->name)
		return tn_fail_memory(err);
	rc = strncmp(take->name, "time/", 5) == 0 ? tn_take_step(take->name, &take->step_ns, err) : TN_OK;
	if (rc == TN_OK)
		rc = tn_bins_read(&take->bins, &name, &n, err);
	if (rc == TN_OK) {
		field = strndup(name, n);
		rc = field ? resolve(take, field, among, err) : tn_fail_memory(err);
	}
	free(field);
	if (rc == TN_ERR_ARGUMENT)
		tn_at(err, rc, "'%s', column %zu", what, column);
	if (rc < 0)
		tn_take_release(take);
	else
		take->is_time = take->reference->meaning.attribute == TN_ATTRIBUTE_TIME;
	return rc;
}

static void
release(struct tn_reference *r)
{
	if (r)
		tn_reference_release(r);
	free(r);
}

void
tn_take_release(struct tn_take *take)
{
	release(take->reference);
	release(take->field);
	free(take->name);
	free(take->label);
	free(take->of);
	*take = (struct tn_take) { 0 };
}

/* Whether no event of a class has the value. */
static bool
is_nothing(const struct tn_place *place)
{
	return place->way == TN_PLACE_NONE || (place->way == TN_PLACE_CONSTANT && place->cell.kind == TN_CELL_NONE);
}

/* The reference for the class. @place may be NULL. */
static const struct tn_reference *
meant(const struct tn_take *take, size_t class, const struct tn_place **place)
{
	*place = tn_reference_place(take->reference, class);
	if (!take->field || !*place || !is_nothing(*place))
		return take->reference;
	*place = tn_reference_place(take->field, class);
	return take->field;
}

bool
tn_take_has(const struct tn_take *take, size_t class, bool *no_memory)
{
	const struct tn_place *place;

	meant(take, class, &place);
	*no_memory |= !place;
	return place && !is_nothing(place);
}

bool
tn_take_has_field(const struct tn_take *take, size_t class)
{
	const struct tn_place *place;

	return take->field && meant(take, class, &place) == take->field && place && !is_nothing(place);
}

static bool
is_text(const struct tn_reference *r, const struct tn_place *place)
{
	if (place->way == TN_PLACE_CONSTANT)
		return place->cell.kind == TN_CELL_TEXT;
	if (place->way == TN_PLACE_SYMBOL)
		return true;
	if (place->way == TN_PLACE_MARKER)
		return tn_meaning_kinds(&r->meaning) == TN_IS_TEXTS;
	if (place->way == TN_PLACE_ROW)
		return r->meaning.attribute == TN_ATTRIBUTE_STREAM || r->meaning.attribute == TN_ATTRIBUTE_TRACE ||
		       r->meaning.attribute == TN_ATTRIBUTE_HOST || r->meaning.attribute == TN_ATTRIBUTE_PROCESS;
	return place->field && place->field->type->kind == TN_KIND_STRING;
}

/*
 * "A|B": the place of B in a class whose events may have A: an event can lack it. *other is NULL if A alone decides.
 * False: memory is out.
 */
static bool
find_other(const struct tn_take *take, size_t class, const struct tn_reference *r, const struct tn_place *place,
	   const struct tn_place **other)
{
	*other = NULL;
	if (!take->is_either || r != take->reference || place->way == TN_PLACE_CONSTANT)
		return true;
	*other = tn_reference_place(take->field, class);
	if (!*other)
		return false;
	if (is_nothing(*other))
		*other = NULL;
	return true;
}

bool
tn_take_is_text(const struct tn_take *take, size_t class, bool *no_memory)
{
	const struct tn_place *place, *other = NULL;
	const struct tn_reference *r = meant(take, class, &place);

	if (!place || !find_other(take, class, r, place, &other)) {
		*no_memory = true;
		return false;
	}
	return is_text(r, place) && (!other || is_text(take->field, other));
}

/* Whether all events of the class in one stream have the same value. */
static bool
is_constant(const struct tn_take *take, size_t class)
{
	const struct tn_place *place;
	const struct tn_reference *r = meant(take, class, &place);

	if (!place || place->way == TN_PLACE_NONE || place->way == TN_PLACE_CONSTANT)
		return place != NULL;
	return place->way == TN_PLACE_ROW &&
	       (r->meaning.attribute == TN_ATTRIBUTE_STREAM || r->meaning.attribute == TN_ATTRIBUTE_TRACE ||
		r->meaning.attribute == TN_ATTRIBUTE_HOST);
}

/* Whether numbers of the type are displayed in another form than decimal. */
static bool
is_shown(const struct tn_type *t)
{
	return t->mapping || t->kind == TN_KIND_BOOL || (t->base && t->base != 10);
}

/* The type of the first such field in the class; NULL: none. */
static const struct tn_type *
shown_type(const struct tn_place *place)
{
	if (is_nothing(place))
		return NULL;
	for (size_t i = 0; i < place->n_targets; i++) {
		const struct tn_type *t = place->target[i].field->type;

		while (t->kind == TN_KIND_OPTIONAL)
			t = t->field[0].type;
		if (is_shown(t))
			return t;
	}
	return NULL;
}

const struct tn_type *
tn_take_labels(const struct tn_take *take, size_t class, bool *no_memory)
{
	const struct tn_place *place, *other = NULL;
	const struct tn_reference *r = meant(take, class, &place);
	const struct tn_type *t, *t_other;

	if (!place || !find_other(take, class, r, place, &other)) {
		*no_memory = true;
		return NULL;
	}
	if (take->bins.kind)
		return NULL;
	t = shown_type(place);
	t_other = other ? shown_type(other) : t;
	/* A boolean and a number: plain. */
	return (t && t->kind == TN_KIND_BOOL) == (t_other && t_other->kind == TN_KIND_BOOL) ? t : NULL;
}

/* Convert a cell to a value of an answer. */
static struct tn_answer_value
take_of(const struct tn_cell *c)
{
	struct tn_answer_value v = { 0 };

	switch (c->kind) {
	case TN_CELL_NONE:
	case TN_CELL_OPAQUE:
		return v;
	case TN_CELL_UNSIGNED:
		v.kind = TN_ANSWER_UINT;
		v.is.u = tn_take_number(c);
		break;
	case TN_CELL_SIGNED:
		v.kind = c->i < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
		v.is.i = c->i;
		break;
	case TN_CELL_DOUBLE:
		v.kind = TN_ANSWER_FLOAT;
		v.is.f = c->f;
		return v;
	case TN_CELL_TEXT:
		v.kind = TN_ANSWER_TEXT;
		v.text = c->text;
		v.n = c->n;
		return v;
	}
	if (c->type && is_shown(c->type))
		v.type = c->type;
	return v;
}

enum tn_code
tn_take_find(const struct tn_take *take, size_t class, struct tn_take_place *out, struct tn_error *err)
{
	out->reference = meant(take, class, &out->place);
	out->is_constant = out->place && is_constant(take, class);
	out->type = out->place && !take->bins.kind ? shown_type(out->place) : NULL;
	return out->place && find_other(take, class, out->reference, out->place, &out->other) ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_take_get(const struct tn_take *take, const struct tn_take_place *at, struct tn_row_state *state,
	    struct tn_answer_value *out, struct tn_error *err)
{
	struct tn_cell cell;
	enum tn_code rc;

	if (at->place->way == TN_PLACE_NONE) {
		*out = (struct tn_answer_value) { 0 };
		return TN_OK;
	}
	rc = tn_place_get(at->reference, at->place, state, &cell, err);
	if (rc < 0)
		return rc;
	*out = take_of(&cell);
	if (out->kind == TN_ANSWER_NONE && at->other) {
		rc = tn_place_get(take->field, at->other, state, &cell, err);
		if (rc < 0)
			return rc;
		*out = take_of(&cell);
	}
	if (take->bins.kind)
		*out = tn_bin(&take->bins, out);
	if (take->step_ns && (out->kind == TN_ANSWER_UINT || out->kind == TN_ANSWER_SINT)) {
		out->is.i = tn_take_step_of(out->is.i, take->step_ns);
		out->kind = out->is.i < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
	}
	return TN_OK;
}

enum tn_code
tn_take_value(const struct tn_take *take, size_t class, struct tn_row_state *state, struct tn_answer_value *out,
	      struct tn_error *err)
{
	struct tn_take_place at;

	*out = (struct tn_answer_value) { 0 };
	at.reference = meant(take, class, &at.place);
	return at.place && find_other(take, class, at.reference, at.place, &at.other) ? tn_take_get(take, &at, state, out, err) :
	       tn_fail_memory(err);
}
