/* span_text.c - parse "BEGIN END by KEY, KEY = KEY show FIELD, begin.FIELD latest as NAME" */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "span/spans.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/messages.h"
#include "base/str.h"

struct reader {
	const struct tn_spans *spans;
	const char *text, *at;
};

/* A piece of the definition's text. */
struct piece {
	const char *at;
	size_t n;
};

static size_t
column(const struct reader *r, const char *at)
{
	return (size_t)(at - r->text) + 1;
}

static enum tn_code
wrong(const struct reader *r, const char *at, const char *what, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: %s", r->text, column(r, at), what);
}

static void
skip_blanks(struct reader *r)
{
	while (isspace((unsigned char)*r->at))
		r->at++;
}

/* The place after the text in brackets or quotes that begins at @p. NULL: its end is missing. */
static const char *
after_group(const char *p)
{
	size_t depth = 0;

	for (; *p; p++) {
		if (*p == '"' || *p == '\'') {
			const char quote = *p++;

			while (*p && *p != quote)
				p += *p == '\\' && p[1] ? 2 : 1;
			if (!*p)
				return NULL;
			if (!depth)
				return p + 1;
		} else if (*p == '(') {
			depth++;
		} else if (*p == ')' && --depth == 0) {
			return p + 1;
		}
	}
	return NULL;
}

/*
 * Read the next word: up to a blank, or with @comma, also up to a comma. If a word begins with a bracket or a quote, it
 * extends to the closing one.
 */
static enum tn_code
word(struct reader *r, bool comma, struct piece *out, struct tn_error *err)
{
	const char *from, *p;

	skip_blanks(r);
	from = p = r->at;
	if (*p == '(' || *p == '"' || *p == '\'') {
		p = after_group(p);
		if (!p)
			return wrong(r, from, *from == '(' ? _("the ) of the function is "
							       "missing") : _("the closing quote is missing"), err);
	}
	while (*p && !isspace((unsigned char)*p) && !(comma && (*p == ',' || *p == '=')))
		p++;
	*out = (struct piece) { from, (size_t)(p - from) };
	r->at = p;
	return TN_OK;
}

static bool
is(const struct piece *p, const char *text)
{
	return strlen(text) == p->n && memcmp(p->at, text, p->n) == 0;
}

/* Names of the rules for a second begin with the same key. */
static const char *const rules[] = { [TN_SPAN_NESTED] = "nested", [TN_SPAN_LATEST] = "latest", [TN_SPAN_FIFO] = "fifo" };

#define RULES TN_COUNT(rules)

static size_t
rule_of(const struct piece *p)
{
	size_t i = 0;

	while (i < RULES && !is(p, rules[i]))
		i++;
	return i;
}

static bool
is_clause(const struct piece *p)
{
	return is(p, "by") || is(p, "show") || is(p, "as") || is(p, "where") || rule_of(p) != RULES;
}

/* ---- events ---- */

static bool
looks_like_condition(const struct piece *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (strchr("=<>~&|()", p->at[i]))
			return true;
	return false;
}

static enum tn_code
pick_expression(struct tn_pick *out, const struct tn_spans *spans, const struct piece *p, struct tn_error *err)
{
	struct tn_language language = { .names = spans->names, .set = spans->set };
	char *text = strndup(p->at, p->n);
	enum tn_code rc;

	if (!text)
		return tn_fail_memory(err);
	rc = tn_expression_new(&out->expression, &language, text, err);
	if (rc == TN_OK && tn_expression_wants_line(out->expression))
		rc = tn_fail(err, TN_ERR_ARGUMENT,
			     "'%s': select the events of a span by fields, not by the text of the line", text);
	free(text);
	for (size_t c = 0; rc == TN_OK && c < spans->classes.n; c++)
		out->verdict[c] = (uint8_t)tn_expression_verdict(out->expression, spans->classes.item[c]);
	return rc;
}

static enum tn_code
no_such_event(const struct tn_spans *spans, const struct piece *p, const char *what, size_t at, struct tn_error *err)
{
	const char *best = NULL;
	char name[256];
	size_t distance = SIZE_MAX;

	snprintf(name, sizeof name, "%.*s", (int)p->n, p->at);
	for (size_t c = 0; c < spans->classes.n; c++)
		if (spans->classes.item[c]->name)
			tn_nearest(name, spans->classes.item[c]->name, &best, &distance);
	if (best)
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: no event has the name '%s': the nearest name is "
						     "'%s'", what,
			       at, name, best);
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: no event has the name '%.*s'", what, at, (int)p->n, p->at);
}

/* Parse the selection of events @text[0, n); @what and @column are for errors. */
static enum tn_code
pick_read(struct tn_pick *out, const struct tn_spans *spans, const char *text, size_t n, const char *what,
	     size_t at, struct tn_error *err)
{
	struct piece p = { text, n };
	bool quoted = n >= 2 && (*text == '"' || *text == '\'');
	bool some = false;

	*out = (struct tn_pick) { .verdict = calloc(spans->classes.n + 1, 1) };
	if (!out->verdict)
		return tn_fail_memory(err);
	if (n && *text == '(')
		return pick_expression(out, spans, &p, err);
	if (quoted)
		p = (struct piece) { text + 1, n - 2 };
	for (size_t c = 0; c < spans->classes.n; c++) {
		const char *name = spans->classes.item[c]->name;

		if (!name || !tn_glob(p.at, p.n, name, NULL, NULL))
			continue;
		out->verdict[c] = TN_VERDICT_YES;
		some = true;
	}
	if (!some && !quoted && looks_like_condition(&p))
		return pick_expression(out, spans, &p, err);
	if (!some && spans->classes.n)
		return no_such_event(spans, &p, what, at, err);
	out->pattern = strndup(p.at, p.n);
	return out->pattern ? TN_OK : tn_fail_memory(err);
}

static void
pick_release(struct tn_pick *p)
{
	free(p->pattern);
	tn_expression_free(p->expression);
	free(p->verdict);
	free(p->star);
	*p = (struct tn_pick) { 0 };
}

static enum tn_code
read_event(struct reader *r, struct tn_pick *out, const char *which, struct tn_error *err)
{
	struct piece p;
	enum tn_code rc = word(r, false, &p, err);

	if (rc < 0)
		return rc;
	if (!p.n || is_clause(&p))
		return wrong(r, p.at, which, err);
	return pick_read(out, r->spans, p.at, p.n, r->text, column(r, p.at), err);
}

/* ---- texts that `*` matches ---- */

static size_t
count_stars(const char *pattern)
{
	size_t n = 0;

	for (; *pattern; pattern++)
		n += *pattern == '*';
	return n;
}

/*
 * Get the texts that the `*` match, with a NUL after each; @whole: one text, from the start of the first to the end of
 * the last.
 */
static bool
star_text(struct tn_str *out, const char *pattern, const char *name, bool whole)
{
	const char *star = NULL;
	size_t n = 0;

	out->n = 0;
	if (!whole)
		return tn_glob_stars(pattern, name, out);
	if (tn_glob(pattern, strlen(pattern), name, &star, &n) && star)
		tn_str_add(out, star, n);
	return !out->failed;
}

/* Number the texts of @pick; a text that is in @texts keeps its number. *same: there are such texts. False: memory is out. */
static bool
number_stars(struct tn_pick *pick, const struct tn_spans *spans, bool whole, struct tn_hash *texts, struct tn_arena *arena,
	     bool *same)
{
	size_t known = texts->n;
	struct tn_str text = { 0 };
	bool ok = true;

	pick->star = calloc(spans->classes.n + 1, sizeof *pick->star);
	for (size_t c = 0; ok && pick->star && c < spans->classes.n; c++) {
		struct tn_hash_item *item;
		bool is_new;
		char *copy;

		if (pick->verdict[c] == TN_VERDICT_NO)
			continue;
		ok = star_text(&text, pick->pattern, spans->classes.item[c]->name, whole);
		item = ok ? tn_hash_add(texts, tn_str_text(&text), text.n, &is_new) : NULL;
		if (item && is_new) {
			copy = tn_arena_alloc(arena, text.n + 1);
			ok = copy != NULL;
			if (!ok)
				break;
			memcpy(copy, tn_str_text(&text), text.n);
			tn_hash_copy_key(item, copy);
			item->value = texts->n - 1;
		}
		ok = item != NULL;
		if (item)
			pick->star[c] = (uint32_t)item->value;
		*same |= item && item->value < known;
	}
	tn_str_release(&text);
	return ok && pick->star;
}

/* If both names have `*`, they must match the same text: an end event with another text ends no span. */
static enum tn_code
match_stars(const struct reader *r, struct tn_span_definition *d, struct tn_error *err)
{
	size_t begin = d->begin.pattern ? count_stars(d->begin.pattern) : 0;
	size_t end = d->end.pattern ? count_stars(d->end.pattern) : 0;
	struct tn_hash texts = { 0 };
	struct tn_arena arena = { 0 };
	bool same = false, ok;

	if (!begin || !end || !r->spans->classes.n)
		return TN_OK;
	ok = number_stars(&d->begin, r->spans, begin != end, &texts, &arena, &same);
	same = false;
	ok = ok && number_stars(&d->end, r->spans, begin != end, &texts, &arena, &same);
	d->n_spaces = (uint32_t)texts.n;
	tn_hash_release(&texts);
	tn_arena_release(&arena);
	if (!ok)
		return tn_fail_memory(err);
	if (same)
		return TN_OK;
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s': `*` matches different texts in begin and end events: write an expression for "
		       "one of the two, (name =~ /.../)", r->text);
}

/* ---- keys and fields ---- */

/* Check that the events that need the key have it; other events do not count. */
static enum tn_code
check_key(const struct reader *r, const struct tn_pick *pick, const struct tn_take *take, const char *at,
	  const char *which, struct tn_error *err)
{
	bool some = false, no_memory = false;

	for (size_t c = 0; c < r->spans->classes.n; c++) {
		if (pick->verdict[c] == TN_VERDICT_NO)
			continue;
		if (tn_take_has(take, c, &no_memory))
			return TN_OK;
		some = true;
	}
	if (no_memory)
		return tn_fail_memory(err);
	if (!some)
		return TN_OK;
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: no %s event has a field '%s'", r->text, column(r, at),
		       which, take->name);
}

static enum tn_code
take_name(struct reader *r, const struct tn_pick *pick, struct tn_take *out, struct piece *p, struct tn_error *err)
{
	enum tn_code rc = word(r, true, p, err);

	if (rc < 0)
		return rc;
	if (!p->n)
		return wrong(r, p->at, _("the name of a field is missing"), err);
	return tn_take_init_among(out, &r->spans->classes, pick->verdict, p->at, p->n, r->text, column(r, p->at), err);
}

/* A type that has labels for the key, in the events that the definition selects; NULL: none. */
static const struct tn_type *
labels_of(const struct tn_spans *spans, const struct tn_pick *pick, const struct tn_take *take, bool *no_memory)
{
	for (size_t c = 0; c < spans->classes.n; c++) {
		const struct tn_type *t = pick->verdict[c] != TN_VERDICT_NO ? tn_take_labels(take, c, no_memory) : NULL;

		if (t)
			return t;
	}
	return NULL;
}

/* Whether the key is like "tid", "event.tid" or "vpid": numbers that are unique only in the loom that assigned them. */
static bool
is_of_loom(const struct piece *p)
{
	static const char *const names[] = { "tid", "pid", "cpu", "vtid", "vpid", "cpu_id" };
	const char *name = p->at + p->n;
	size_t n;

	while (name > p->at && name[-1] != '.')
		name--;
	n = (size_t)(p->at + p->n - name);

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
			return true;
	return false;
}

static enum tn_code
read_key(struct reader *r, struct tn_span_definition *d, struct tn_error *err)
{
	struct tn_take *begin = TN_ARRAY_ADD(&d->begin_key), *end = TN_ARRAY_ADD(&d->end_key);
	struct piece p, q;
	enum tn_code rc;

	if (!begin || !end)
		return tn_fail_memory(err);
	if (d->begin_key.n > TN_SPAN_KEYS)
		return wrong(r, r->at, _("more than 8 keys"), err);
	rc = take_name(r, &d->begin, begin, &p, err);
	if (rc < 0)
		return rc;
	q = p;
	skip_blanks(r);
	if (*r->at == '=') {
		r->at += r->at[1] == '=' ? 2 : 1;
		rc = take_name(r, &d->end, end, &q, err);
	} else {
		/* Whole spans do not need an end event. */
		rc = tn_take_init_among(end, &r->spans->classes, d->whole ? NULL : d->end.verdict, p.at, p.n, r->text,
					column(r, p.at), err);
	}
	d->of_loom |= rc == TN_OK && is_of_loom(&p) && is_of_loom(&q);
	d->of_running |= is(&p, "tid") && tn_names_running(r->spans->classes.names);
	if (rc == TN_OK)
		rc = check_key(r, &d->begin, begin, p.at, "begin", err);
	if (rc == TN_OK)
		rc = check_key(r, &d->end, end, q.at, "end", err);
	if (rc < 0)
		return rc;
	d->of_stream |= is(&p, "stream") && is(&q, "stream");
	d->of_cpu |= is(&p, "cpu") && is(&q, "cpu");
	return TN_OK;
}

static enum tn_code
read_capture(struct reader *r, struct tn_span_definition *d, struct tn_error *err)
{
	struct tn_capture *c = TN_ARRAY_ADD(&d->captures);
	struct piece p, field;
	uint8_t *among;
	enum tn_code rc;

	if (!c)
		return tn_fail_memory(err);
	if (tn_span_shown(d) > TN_SPAN_FIELDS)
		return wrong(r, r->at, _("more than 64 fields"), err);
	rc = word(r, true, &p, err);
	if (rc < 0)
		return rc;
	if (!p.n)
		return wrong(r, p.at, _("the name of a field is missing"), err);
	c->name = strndup(p.at, p.n);
	if (!c->name)
		return tn_fail_memory(err);
	field = p;
	c->of_begin = strncmp(c->name, "end.", 4) != 0;
	c->of_end = strncmp(c->name, "begin.", 6) != 0;
	if (!c->of_begin || !c->of_end) {
		size_t skip = c->of_end ? 4 : 6;

		field = (struct piece) { p.at + skip, p.n - skip };
	}
	if (is(&field, "current")) {
		if (!tn_names_running(r->spans->classes.names))
			return wrong(r, field.at, _("the running thread needs sched_switch events, and these traces have none"),
				     err);
		field = (struct piece) { "event.running", strlen("event.running") };
	}
	among = malloc(r->spans->classes.n + 1);
	if (!among)
		return tn_fail_memory(err);
	for (size_t i = 0; i < r->spans->classes.n; i++)
		among[i] = (c->of_begin && d->begin.verdict[i] != TN_VERDICT_NO) ||
			    (c->of_end && d->end.verdict[i] != TN_VERDICT_NO);
	rc = tn_take_init_among(&c->take, &r->spans->classes, among, field.at, field.n, r->text, column(r, p.at), err);
	free(among);
	return rc;
}

static enum tn_code
read_list(struct reader *r, struct tn_span_definition *d,
	  enum tn_code (*item)(struct reader *, struct tn_span_definition *, struct tn_error *), struct tn_error *err)
{
	enum tn_code rc;

	for (;;) {
		rc = item(r, d, err);
		if (rc < 0)
			return rc;
		skip_blanks(r);
		if (*r->at != ',')
			return TN_OK;
		r->at++;
	}
}

static enum tn_code
read_clause(struct reader *r, struct tn_span_definition *d, const char **where, const char **rule, struct tn_error *err)
{
	struct piece p, name;
	enum tn_code rc = word(r, false, &p, err);

	if (rc < 0)
		return rc;
	if (is(&p, "by"))
		return read_list(r, d, read_key, err);
	if (is(&p, "show"))
		return read_list(r, d, read_capture, err);
	if (rule_of(&p) != RULES) {
		if (*rule && !is(&p, *rule))
			return wrong(r, p.at, _("`nested`, `latest` and `fifo` exclude each other: keep one of them"), err);
		d->rule = (enum tn_span_rule)rule_of(&p);
		*rule = rules[d->rule];
		return TN_OK;
	}
	if (is(&p, "where")) {
		/* Read all other clauses. Their names can be resolved only when the definition is complete. */
		skip_blanks(r);
		*where = r->at;
		r->at += strlen(r->at);
		return **where ? TN_OK : wrong(r, *where, _("a condition is missing after `where`"), err);
	}
	if (!is(&p, "as"))
		return wrong(r, p.at, _("expected `by`, `show`, `where`, `nested`, `latest`, `fifo` or `as`; an expression "
					"with blanks needs parentheses"), err);
	rc = word(r, false, &name, err);
	if (rc < 0)
		return rc;
	if (!name.n)
		return wrong(r, name.at, _("a name is missing after `as`"), err);
	if (name.n >= 2 && (*name.at == '"' || *name.at == '\''))
		name = (struct piece) { name.at + 1, name.n - 2 };
	free(d->name);
	d->name = strndup(name.at, name.n);
	return d->name ? TN_OK : tn_fail_memory(err);
}

/* The name of spans that begin with an event of the class, or, for orphans, that end with one. */
static char *
name_of(const struct tn_span_definition *d, const char *event)
{
	const char *pattern = d->begin.pattern, *star = NULL, *at = d->name ? strchr(d->name, '*') : NULL;
	size_t n = 0, size;
	char *out;

	if (!event)
		event = "?";
	if (!d->name)
		return strdup(event);
	if (!pattern || !tn_glob(pattern, strlen(pattern), event, &star, &n)) {
		pattern = d->end.pattern;
		if (pattern)
			tn_glob(pattern, strlen(pattern), event, &star, &n);
	}
	if (!at || !star)
		return strdup(d->name);
	size = strlen(d->name) + n;
	out = malloc(size);
	if (!out)
		return NULL;
	memcpy(out, d->name, (size_t)(at - d->name));
	memcpy(out + (at - d->name), star, n);
	strcpy(out + (at - d->name) + n, at + 1);
	return out;
}

static enum tn_code
make_names(struct tn_span_definition *d, const struct tn_spans *spans, const struct tn_span_kind *kind, struct tn_error *err)
{
	d->n_names = spans->classes.n;
	d->span_name = calloc(d->n_names + 1, sizeof *d->span_name);
	if (!d->span_name)
		return tn_fail_memory(err);
	for (size_t c = 0; c < d->n_names; c++) {
		if (d->begin.verdict[c] == TN_VERDICT_NO && d->end.verdict[c] == TN_VERDICT_NO)
			continue;
		/* The name of the event does not matter, because values decide. */
		d->span_name[c] = name_of(d, kind && kind->begin ? kind->name : spans->classes.item[c]->name);
		if (!d->span_name[c])
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Select the events of a kind that begin and end spans by their values. */
static enum tn_code
pick_kind(struct tn_span_definition *out, const struct tn_spans *spans, const struct tn_span_kind *kind, struct tn_error *err)
{
	enum tn_code rc;

	pick_release(&out->begin);
	pick_release(&out->end);
	rc = pick_read(&out->begin, spans, kind->begin, strlen(kind->begin), kind->begin, 1, err);
	return rc == TN_OK ? pick_read(&out->end, spans, kind->end, strlen(kind->end), kind->end, 1, err) : rc;
}

/* Read BEGIN END, or @KIND. */
static enum tn_code
read_events(struct reader *r, struct tn_span_definition *out, const struct tn_span_kind **kind, struct tn_error *err)
{
	struct piece p;
	enum tn_code rc;

	skip_blanks(r);
	if (*r->at == '@') {
		rc = word(r, false, &p, err);
		if (rc == TN_OK)
			rc = tn_span_read_kind(out, r->spans, p.at + 1, p.n - 1, kind, err);
		if (rc == TN_OK && (*kind)->begin)
			rc = pick_kind(out, r->spans, *kind, err);
		return rc < 0 ? tn_at(err, rc, "'%s', column %zu", r->text, column(r, p.at)) : rc;
	}
	rc = read_event(r, &out->begin, _("the event that begins a span is missing"), err);
	if (rc == TN_OK)
		rc = read_event(r, &out->end, _("the event that ends a span is missing"), err);
	return rc == TN_OK ? match_stars(r, out, err) : rc;
}

/* Use the clauses of the kind, unless the definition has its own. */
static enum tn_code
take_defaults(struct tn_span_definition *d, const struct tn_spans *spans, const struct tn_span_kind *kind, bool has_rule,
	      struct tn_error *err)
{
	struct reader r = { spans, kind->by, kind->by };
	struct piece rule = { kind->rule, kind->rule ? strlen(kind->rule) : 0 };
	enum tn_code rc;

	if (!has_rule && kind->rule && rule_of(&rule) != RULES)
		d->rule = (enum tn_span_rule)rule_of(&rule);
	if (!d->begin_key.n && (rc = read_list(&r, d, read_key, err)) < 0)
		return rc;
	for (size_t i = 0; kind->depth && i < d->begin_key.n; i++)
		if (strcmp(d->begin_key.item[i].name, kind->depth) == 0)
			d->depth = i + 1;
	if (d->name || !kind->named)
		return TN_OK;
	d->is_named = true;
	r.text = r.at = kind->named;
	return read_list(&r, d, read_capture, err);
}

enum tn_code
tn_span_read(struct tn_span_definition *out, const struct tn_spans *spans, const char *text, struct tn_error *err)
{
	struct reader r = { spans, text, text };
	const struct tn_span_kind *kind = NULL;
	const char *where = NULL, *rule = NULL;
	bool no_memory = false;
	enum tn_code rc;

	*out = (struct tn_span_definition) { 0 };
	out->n_spaces = 1;
	rc = read_events(&r, out, &kind, err);
	while (rc == TN_OK && (skip_blanks(&r), *r.at))
		rc = read_clause(&r, out, &where, &rule, err);
	if (rc == TN_OK && kind)
		rc = take_defaults(out, spans, kind, rule != NULL, err);
	if (rc == TN_OK && !(out->label = calloc(out->begin_key.n + 1, sizeof *out->label)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < out->begin_key.n; i++)
		out->label[i] = labels_of(spans, &out->begin, &out->begin_key.item[i], &no_memory);
	if (no_memory)
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = make_names(out, spans, kind, err);
	if (rc == TN_OK && where)
		rc = tn_span_where_new(&out->where, spans, out, where, err);
	if (rc < 0)
		tn_span_definition_release(out);
	return rc;
}

void
tn_span_definition_release(struct tn_span_definition *d)
{
	pick_release(&d->begin);
	pick_release(&d->end);
	for (size_t i = 0; i < d->begin_key.n; i++)
		tn_take_release(&d->begin_key.item[i]);
	for (size_t i = 0; i < d->end_key.n; i++)
		tn_take_release(&d->end_key.item[i]);
	for (size_t i = 0; i < d->captures.n; i++) {
		tn_take_release(&d->captures.item[i].take);
		free(d->captures.item[i].name);
	}
	if (d->whole)
		tn_take_release(&d->duration);
	free(d->whole);
	TN_ARRAY_RELEASE(&d->begin_key);
	TN_ARRAY_RELEASE(&d->end_key);
	TN_ARRAY_RELEASE(&d->captures);
	for (size_t i = 0; d->span_name && i < d->n_names; i++)
		free(d->span_name[i]);
	free(d->span_name);
	free(d->label);
	free(d->text);
	free(d->name);
	tn_span_where_free(d->where);
	*d = (struct tn_span_definition) { 0 };
}
