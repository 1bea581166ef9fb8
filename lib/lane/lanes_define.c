/* lanes_define.c - make the definition of spans for a definition of lanes */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lane/lanes.h"
#include "base/error.h"
#include "base/str.h"

/* Append a condition: an event without the field does not change the state. Without an attribute, the state is unknown. */
static void
put_has(struct tn_str *out, const struct tn_take *take, const char *field)
{
	const struct tn_reference *r = take->reference;

	if (r->meaning.attribute == TN_ATTRIBUTE_NONE && !r->functions && !take->is_either)
		tn_str_printf(out, " and has(%s)", field);
}

/*
 * Append an expression for events that have the field, or for the event named before the last dot. False: there is none,
 * or @out failed.
 */
static bool
put_events(struct tn_str *out, const struct tn_classes *classes, const char *field)
{
	struct tn_take take;
	bool some = false;
	enum tn_code rc = tn_take_init(&take, classes, field, strlen(field), field, 1, NULL);

	out->failed |= rc == TN_ERR_MEMORY;
	if (rc < 0)
		return false;
	tn_str_puts(out, "(name in (");
	for (size_t c = 0; c < classes->n; c++) {
		if (!classes->item[c]->name || !tn_take_has(&take, c, &out->failed))
			continue;
		tn_str_puts(out, some ? ", " : "");
		tn_put_quoted(out, classes->item[c]->name);
		some = true;
	}
	tn_str_puts(out, ")");
	put_has(out, &take, field);
	tn_str_puts(out, ")");
	tn_take_release(&take);
	return some;
}

/* Define "EVENT.FIELD by LANE": spans from one such event to the next. */
static enum tn_code
define_field(struct tn_lanes *l, const char *what, size_t n, const char *lane, struct tn_error *err)
{
	struct tn_str events = { 0 }, text = { 0 };
	char name[256];
	const char *field = name;
	struct tn_take take;
	char *dot = NULL;
	enum tn_code rc;

	snprintf(name, sizeof name, "%.*s", (int)n, what);
	for (char *at = strchr(name, '.'); at; at = strchr(at + 1, '.')) {
		bool is_event = false;

		*at = '\0';
		for (size_t c = 0; c < l->spans->classes.n && !is_event; c++)
			is_event = l->spans->classes.item[c]->name && strcmp(l->spans->classes.item[c]->name, name) == 0;
		if (is_event)
			dot = at;
		*at = '.';
	}
	if (dot) {
		*dot = '\0';
		field = dot + 1;
		tn_str_puts(&events, "(name == ");
		tn_put_quoted(&events, name);
		/* A name with several meanings has only one in the event. */
		if (tn_take_init(&take, &l->spans->classes, field, strlen(field), field, 1, NULL) == TN_OK) {
			put_has(&events, &take, field);
			tn_take_release(&take);
		}
		tn_str_putc(&events, ')');
	} else if (!put_events(&events, &l->spans->classes, field) && !events.failed) {
		tn_str_release(&events);
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s': no event has such a field: write EVENT.FIELD by LANE, or "
			       "(BEGIN END by KEY) by LANE", name);
	}
	tn_str_printf(&text, "%s %s by %s show begin.%s", tn_str_text(&events), tn_str_text(&events), lane, field);
	rc = text.failed || events.failed ? tn_fail_memory(err) : tn_spans_add_meant(l->spans, tn_str_text(&text), what, err);
	tn_str_release(&events);
	tn_str_release(&text);
	l->by_field = true;
	l->key = 0;
	return rc;
}

/* Define "(BEGIN END by KEY) by LANE": the lane is a key, or a value of the begin event. */
static enum tn_code
define_spans(struct tn_lanes *l, const char *what, size_t n, const char *lane, struct tn_error *err)
{
	struct tn_str text = { 0 };
	enum tn_code rc;

	/* Refuse a condition, because it can be tested only when a span ends. */
	for (size_t i = 1; i + 7 < n; i++)
		if (strncmp(what + i, " where ", 7) == 0)
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: lanes do not take `where`; a filter (-f, &) "
				       "leaves events out", what, i + 2);
	tn_str_add(&text, what + 1, n - 2);
	tn_str_printf(&text, " show begin.%s", lane);
	rc = text.failed ? tn_fail_memory(err) : tn_spans_add_meant(l->spans, tn_str_text(&text), what, err);
	tn_str_release(&text);
	for (size_t i = 0; rc == TN_OK && tn_spans_captured(l->spans, 0, i); i++)
		l->captured = i;
	return rc;
}

enum tn_code
tn_lanes_define(struct tn_lanes *l, const char *text, struct tn_error *err)
{
	const char *end = text, *by, *lane;
	char name[256];
	size_t depth = 0;

	while (isspace((unsigned char)*text))
		text++;
	for (end = text; *end && (depth || !isspace((unsigned char)*end)); end++)
		depth += *end == '(' ? 1 : *end == ')' && depth ? (size_t)-1 : 0;
	for (by = end; isspace((unsigned char)*by);)
		by++;
	if (strncmp(by, "by", 2) != 0 || !isspace((unsigned char)by[2]))
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: expected `by` and the key of a lane: stream, cpu, tid, "
			       "or a field", text, (size_t)(by - text) + 1);
	for (lane = by + 2; isspace((unsigned char)*lane);)
		lane++;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(lane, " \t,"), lane);
	if (!*name || lane[strcspn(lane, " \t,")])
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: write one field or attribute", text,
			       (size_t)(lane - text) + 1);
	l->name = strdup(name);
	if (!l->name)
		return tn_fail_memory(err);
	return *text == '(' ? define_spans(l, text, (size_t)(end - text), name, err)
			    : define_field(l, text, (size_t)(end - text), name, err);
}

/* ---- values of lanes ---- */

const struct tn_answer_value *
tn_lanes_value_of(const struct tn_lanes *l, const struct tn_span *s)
{
	static const struct tn_answer_value none;

	return l->key < s->n_keys ? &s->key[l->key] : l->captured < s->n_captured ? &s->captured[l->captured] : &none;
}

bool
tn_lanes_own_of(const struct tn_lanes *l, const struct tn_span *s, struct tn_str *room, struct tn_answer_value *out)
{
	return tn_origins_own(&l->origins, tn_lanes_value_of(l, s), s->begin.stream, room, out);
}

const struct tn_type *
tn_lanes_type(const struct tn_lanes *l, size_t class, bool *no_memory)
{
	const struct tn_span_definition *d = &l->spans->definition.item[0];

	return l->key < d->begin_key.n ? d->label[l->key] : tn_take_labels(&d->captures.item[l->captured].take, class, no_memory);
}
