/*
 * expression_check.c - check whether a test fits the fields that it names
 *
 * A comparison that is false for every possible value is an error: a text compared with a number, a label that no
 * enumeration has, an array without an index.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/messages.h"
#include "language/expression_tree.h"
#include "language/kinds.h"

/* ---- labels ---- */

static const struct tn_mapping *
find_label(const struct tn_type *t, const struct tn_literal *l)
{
	const struct tn_mapping *found = NULL;

	for (size_t i = 0; i < t->n_mappings; i++)
		if (strlen(t->mapping[i].label) == l->n && memcmp(t->mapping[i].label, l->text, l->n) == 0)
			return &t->mapping[i];
	if (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL)
		for (size_t i = 0; i < t->n_fields && !found; i++)
			found = find_label(t->field[i].type, l);
	return found;
}

static void
near_label(const struct tn_type *t, const char *typed, const char **best, size_t *distance)
{
	for (size_t i = 0; i < t->n_mappings; i++)
		tn_nearest(typed, t->mapping[i].label, best, distance);
	if (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL)
		for (size_t i = 0; i < t->n_fields; i++)
			near_label(t->field[i].type, typed, best, distance);
}

static bool
fail_label(struct tn_parser *p, const struct tn_meaning *meaning, const struct tn_literal *l)
{
	const char *best = NULL;
	size_t distance = SIZE_MAX;

	for (size_t i = 0; i < meaning->n_targets; i++)
		near_label(meaning->target[i].field->type, l->text, &best, &distance);
	if (!best)
		return tn_parse_fail(p, l->at, "%s has no label '%s'", meaning->path, l->text);
	return tn_parse_fail(p, l->at, "%s has no label '%s'; the nearest is '%s'", meaning->path, l->text, best);
}

/* A label can be compared by order if it has exactly one number. */
static bool
order_label(struct tn_parser *p, const struct tn_meaning *meaning, struct tn_literal *l)
{
	for (size_t i = 0; i < meaning->n_targets; i++) {
		const struct tn_type *t = meaning->target[i].field->type;
		const struct tn_mapping *m = find_label(t, l);

		if (!m || t->kind > TN_KIND_SINT || m->n_ranges != 1 || m->range[0].lower != m->range[0].upper)
			continue;
		l->is_number = true;
		l->number = (struct tn_number) { .magnitude = m->range[0].lower };
		if (t->kind == TN_KIND_SINT && (int64_t)m->range[0].lower < 0)
			l->number = (struct tn_number) { .is_negative = true, .magnitude = -m->range[0].lower };
		return true;
	}
	return tn_parse_fail(p, l->at, "the label '%s' has several values: write the number", l->text);
}

/* ---- levels ---- */

static bool
check_level(struct tn_parser *p, struct tn_literal *l)
{
	const char *text = l->text, *best = NULL;
	size_t distance = SIZE_MAX;

	if (l->is_number || l->is_open)
		return true;
	if (strncmp(text, "TRACE_", 6) == 0)
		text += 6;
	for (int level = 0; tn_log_level_name(level); level++) {
		if (strcmp(text, tn_log_level_name(level)) == 0) {
			l->is_number = true;
			l->number = (struct tn_number) { .magnitude = (uint64_t)level };
			return true;
		}
		tn_nearest(text, tn_log_level_name(level), &best, &distance);
	}
	return best ? tn_parse_fail(p, l->at, "no such log level; the nearest is '%s': EMERG, ALERT, CRIT, ERR, WARNING, "
				    "NOTICE, INFO, DEBUG_SYSTEM to DEBUG_LINE, DEBUG, or a number", best) :
		tn_parse_fail(p, l->at, "no such log level: EMERG, ALERT, CRIT, ERR, WARNING, NOTICE, INFO, "
			      "DEBUG_SYSTEM to DEBUG_LINE, DEBUG, or a number");
}

/* ---- facts that are known before any event is read ---- */

/* Searches the existing values for the value in the condition, or for the most similar one. */
struct among {
	const struct tn_literal *l;
	bool is_trace;
	bool found;
	const char *best;
	size_t distance;
};

/* The part of a name after the last @sign: "blob" can mean "shop:blob", and "kernel" can mean ".../session/kernel". */
static const char *
after_last(const char *name, char sign)
{
	const char *last = strrchr(name, sign);

	return last ? last + 1 : name;
}

static void
look_at(struct among *a, const char *name)
{
	const char *const form[] = { name, after_last(name, a->is_trace ? '/' : ':') };

	a->found |= (strlen(name) == a->l->n && memcmp(name, a->l->text, a->l->n) == 0) ||
		    (a->is_trace && tn_path_ends(name, strlen(name), a->l));
	for (size_t i = 0; i < TN_COUNT(form); i++) {
		const char *near = NULL;
		size_t least = a->distance;

		tn_nearest(a->l->text, form[i], &near, &least);
		if (near)
			a->best = a->is_trace ? form[i] : name;
		a->distance = least;
	}
}

/* Examine all values of an attribute. False: events may have other values, which are only known by reading them. */
static bool
look_at_all(struct among *a, const struct tn_parser *p, const struct tn_reference *r)
{
	const struct tn_set *set = p->language->set;
	size_t n = tn_names_class_count(p->language->names);

	if (r->meaning.attribute == TN_ATTRIBUTE_STREAM) {
		for (size_t i = 0; set && i < set->n_streams; i++)
			look_at(a, set->stream[i]->name ? set->stream[i]->name : "");
		return set;
	}
	for (size_t i = 0; r->meaning.attribute == TN_ATTRIBUTE_HOST && set && i < set->n_streams; i++)
		if (set->stream[i]->host)
			look_at(a, set->stream[i]->host);
	for (size_t i = 0; i < n; i++) {
		const struct tn_place *place = tn_reference_place(r, i);

		if (!place || (place->way != TN_PLACE_CONSTANT &&
			       (place->way != TN_PLACE_ROW || r->meaning.attribute == TN_ATTRIBUTE_PROCESS)))
			return false;
		if (place->way == TN_PLACE_CONSTANT && place->cell.kind == TN_CELL_TEXT)
			look_at(a, place->cell.text);
	}
	return true;
}

/*
 * Remark that no event has this value: this can be intended or a mistake. Traces that grow may get such classes and
 * streams later.
 */
static bool
remark_value(struct tn_parser *p, const struct tn_reference *r, const struct tn_literal *l)
{
	bool is_name = r->meaning.attribute == TN_ATTRIBUTE_NAME;
	struct among a = { .l = l, .is_trace = r->meaning.attribute == TN_ATTRIBUTE_TRACE, .distance = SIZE_MAX };
	struct tn_str text = { 0 };

	if (!look_at_all(&a, p, r) || a.found)
		return true;
	if (is_name)
		tn_str_printf(&text, a.best ? _("no event class has the name '%s'; the nearest is '%s'") :
			      _("no event class has the name '%s'"), l->text, a.best);
	else
		tn_str_printf(&text, a.best ? _("no event has the %s '%s'; the nearest is '%s'") :
			      _("no event has the %s '%s'"), r->meaning.path, l->text, a.best);
	p->tree->remark = text.failed ? NULL : tn_arena_string(&p->tree->arena, text.text);
	tn_str_release(&text);
	return p->tree->remark || tn_parse_memory(p);
}

/* Remark on a text in which '*' is meant as a wildcard, and propose the regular expression for it. */
static bool
remark_star(struct tn_parser *p, const struct tn_node *test, const struct tn_literal *l)
{
	struct tn_str text = { 0 }, pattern = { 0 };
	size_t begin = 0, end = l->n;

	while (begin < end && l->text[begin] == '*')
		begin++;
	while (end > begin && l->text[end - 1] == '*')
		end--;
	tn_str_printf(&pattern, "'%s %s /%s", test->reference->meaning.path,
		      test->kind == TN_NODE_DIFFERENT || test->kind == TN_NODE_NOT_IN ? "!~" : "=~", begin ? "" : "^");
	for (size_t i = begin; i < end; i++)
		if (l->text[i] == '*')
			tn_str_puts(&pattern, ".*");
		else
			tn_str_printf(&pattern, strchr("\\^$.[|()?+{/", l->text[i]) ? "\\%c" : "%c", l->text[i]);
	tn_str_puts(&pattern, end < l->n ? "/'" : "$/'");
	tn_str_printf(&text, _("'*' is not a pattern here, only a character: write %s"), tn_str_text(&pattern));
	p->tree->remark = text.failed || pattern.failed ? NULL : tn_arena_string(&p->tree->arena, text.text);
	tn_str_release(&text);
	tn_str_release(&pattern);
	return p->tree->remark || tn_parse_memory(p);
}

/* Whether events have the attribute in their contexts; *field: some have a field with its name elsewhere. */
static bool
is_recorded(const struct tn_parser *p, const struct tn_reference *r, bool *field)
{
	size_t n = tn_names_class_count(p->language->names);

	*field = false;
	for (size_t i = 0; i < n; i++) {
		const struct tn_place *place = tn_reference_place(r, i);
		const struct tn_field *root = tn_event_class_scope(tn_names_event_class(p->language->names, i), TN_SCOPE_PAYLOAD);

		if (!place || (place->way != TN_PLACE_NONE &&
			       (place->way != TN_PLACE_CONSTANT || place->cell.kind != TN_CELL_NONE)))
			return true;
		for (size_t k = 0; root && k < root->type->n_fields; k++)
			*field |= strcmp(root->type->field[k].label, r->meaning.path) == 0;
	}
	return n == 0;
}

/* Remark that no event class has the attribute, so that no event matches. */
static bool
remark_absent(struct tn_parser *p, const struct tn_reference *r)
{
	struct tn_str text = { 0 };
	char path[64];
	bool field;

	if (is_recorded(p, r, &field))
		return true;
	snprintf(path, sizeof path, "event.fields.%s", r->meaning.path);
	if (field)
		tn_str_printf(&text, _("no event has the attribute '%s', because the tracer did not record it; there is a field "
				       "'%s'"),
			      r->meaning.path, path);
	else
		tn_str_printf(&text, _("no event has the attribute '%s', because the tracer did not record it"), r->meaning.path);
	p->tree->remark = text.failed ? NULL : tn_arena_string(&p->tree->arena, text.text);
	tn_str_release(&text);
	return p->tree->remark || tn_parse_memory(p);
}

/* If an attribute and a field have the name, remark which of them the name means. */
static bool
remark_both(struct tn_parser *p, const struct tn_meaning *meaning)
{
	struct tn_str text = { 0 };

	tn_str_printf(&text, meaning->attribute ? _("'%s' is the attribute; the field of that name is %s") :
		      _("'%s' is the field; the attribute of that name is %s"),
		      meaning->attribute ? meaning->path : meaning->also + strlen("event."), meaning->also);
	p->tree->remark = text.failed ? NULL : tn_arena_string(&p->tree->arena, text.text);
	tn_str_release(&text);
	return p->tree->remark || tn_parse_memory(p);
}

/* Whether the values of the name can be known before events are read. */
static bool
is_known(const struct tn_meaning *meaning)
{
	switch (meaning->attribute) {
	case TN_ATTRIBUTE_NAME:
	case TN_ATTRIBUTE_STREAM:
	case TN_ATTRIBUTE_TRACE:
	case TN_ATTRIBUTE_HOST:
	case TN_ATTRIBUTE_PROCESS:
		return true;
	default:
		return false;
	}
}

/* ---- tests ---- */

static bool
is_order(const struct tn_node *test, const struct tn_item *item)
{
	return item->is_range || (test->kind >= TN_NODE_LESS && test->kind <= TN_NODE_GREATER_EQUAL);
}

/* Read the other floating-point numbers of lines: nan and inf, with or without a sign. */
static bool
is_special(struct tn_literal *l)
{
	static const struct { const char *word; double f; } words[] = { { "nan", NAN }, { "inf", INFINITY } };
	size_t sign = l->n && (*l->text == '-' || *l->text == '+');

	for (size_t i = 0; i < TN_COUNT(words) && !l->is_quoted; i++)
		if (l->n == sign + 3 && memcmp(l->text + sign, words[i].word, 3) == 0) {
			l->number = (struct tn_number) { .is_float = true, .f = *l->text == '-' ? -words[i].f : words[i].f };
			return l->is_number = true;
		}
	return false;
}

static bool
check_literal(struct tn_parser *p, const struct tn_node *test, const struct tn_item *item, unsigned kinds,
	      struct tn_literal *l)
{
	const struct tn_meaning *meaning = &test->reference->meaning;
	bool found = false;

	if (l->is_open)
		return true;
	if (l->is_number && kinds == TN_IS_TRUTHS)
		return l->number.magnitude <= 1 && !l->number.is_float ? true :
		       tn_parse_fail(p, l->at, "%s is a boolean: write true or false", meaning->path);
	if (l->is_number || kinds & (TN_IS_TEXTS | TN_IS_ANYTHING))
		return true;
	if (kinds & TN_IS_FLOATS && !(kinds & TN_IS_LABELS) && is_special(l))
		return !isnan(l->number.f) || !is_order(test, item) ? true :
		       tn_parse_fail(p, l->at, "nan can only be compared with == and !=");
	if (kinds & TN_IS_LABELS) {
		for (size_t i = 0; i < meaning->n_targets && !found; i++)
			found = find_label(meaning->target[i].field->type, l);
		if (!found)
			return fail_label(p, meaning, l);
		return is_order(test, item) ? order_label(p, meaning, l) : true;
	}
	if (kinds & TN_IS_TRUTHS)
		return strcmp(l->text, "true") == 0 || strcmp(l->text, "false") == 0 ? true :
		       tn_parse_fail(p, l->at, "write true or false here");
	return tn_parse_fail(p, l->at, "write a number here: %s is a number", meaning->path);
}

/* Fail for a field without a value, and for an integer longer than 64 bits. */
static bool
check_one(struct tn_parser *p, const struct tn_node *test)
{
	struct tn_error why;

	return tn_meaning_has_value(&test->reference->meaning, &why) == TN_OK || tn_parse_fail(p, test->at, "%s", why.text);
}

static bool
check_range(struct tn_parser *p, const struct tn_item *item)
{
	if (!item->is_range || item->low.is_open || item->high.is_open || !item->low.is_number || !item->high.is_number ||
	    tn_number_compare(&item->low.number, &item->high.number) != 1)
		return true;
	return tn_parse_fail(p, item->low.at, "the range is empty: its begin is greater than its end");
}

/* Whether the text has a star, and other characters. */
static bool
is_star(const struct tn_literal *l)
{
	return !l->is_open && !l->is_number && memchr(l->text, '*', l->n) && strspn(l->text, "*") < l->n;
}

bool
tn_check_test(struct tn_parser *p, struct tn_node *test)
{
	struct tn_meaning *meaning = &test->reference->meaning;
	unsigned kinds = tn_meaning_kinds(meaning);
	bool numbers = true;

	if (test->kind == TN_NODE_TRUE && kinds != TN_IS_WIDE)
		return true;
	if (!check_one(p, test))
		return false;
	if (test->regex && tn_is_time(meaning))
		return tn_parse_fail(p, test->at, "a time cannot be matched: write %s >= 13:46:40, or %s in 13:46..13:47",
				     meaning->path, meaning->path);
	if (tn_is_of_contexts(meaning) && test->kind != TN_NODE_HAS && !p->tree->remark && !remark_absent(p, test->reference))
		return false;
	if (meaning->also && !p->tree->remark && !remark_both(p, meaning))
		return false;
	for (size_t i = 0; i < test->n_items; i++) {
		struct tn_item *item = &test->item[i];
		struct tn_literal *end[] = { &item->low, &item->high };

		for (size_t k = 0; k < TN_COUNT(end); k++) {
			if (meaning->attribute == TN_ATTRIBUTE_LOG_LEVEL ? !check_level(p, end[k])
									 : !check_literal(p, test, item, kinds, end[k]))
				return false;
			numbers &= end[k]->is_number || end[k]->is_open;
		}
		if (!check_range(p, item))
			return false;
		if (is_known(meaning) && !is_order(test, item) && !item->low.is_number && !p->tree->remark &&
		    !remark_value(p, test->reference, &item->low))
			return false;
		if (is_star(&item->low) && !item->is_range && !is_order(test, item) && kinds & TN_IS_TEXTS &&
		    (!is_known(meaning) || p->tree->remark) && !remark_star(p, test, &item->low))
			return false;
	}
	/* A stream has a name and a number. */
	if (meaning->attribute == TN_ATTRIBUTE_STREAM && test->n_items && numbers)
		meaning->attribute = TN_ATTRIBUTE_STREAM_ID;
	return true;
}
