/* pairs.c - find pairs of begin and end events: of well-known tracers, and by the names of events */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "span/pairs.h"
#include "span/words.h"
#include "base/error.h"
#include "base/str.h"

/* ---- rules ---- */

/* A word in the name of a begin event, and the words of possible end events. */
static const struct rule {
	const char *begin, *end[6];
} rules[] = {
	{ "begin", { "end" } }, { "entry", { "exit", "return" } }, { "enter", { "leave", "exit", "return" } },
	{ "start", { "stop", "done", "end", "finish", "finished", "complete" } }, { "started", { "finished", "stopped" } },
	{ "alloc", { "free", "release" } }, { "acquire", { "release" } }, { "acquired", { "released" } },
	{ "lock", { "unlock" } }, { "locked", { "unlocked" } }, { "open", { "close" } }, { "opened", { "closed" } },
	{ "issue", { "complete", "done" } }, { "submit", { "complete", "done" } }, { "request", { "response", "reply" } },
	{ "send", { "recv", "receive" } }, { "pre", { "post" } }, { "begun", { "ended" } }, { "suspend", { "resume" } },
	{ "create", { "destroy" } }, { "init", { "fini", "exit" } }, { "queue", { "dequeue" } }, { "push", { "pop" } },
};

/* Fields whose value identifies the operation. */
static const char *const id_names[] = {
	"id", "key", "handle", "addr", "ptr", "seq", "req", "request", "tag", "vec", "irq", "timer", "hrtimer", "work",
	"skbaddr", "page", "pfn", "mutex", "lock", "cookie", "callback", "taskid", "bodyid", "token", "span", "transaction",
	"call", "op", "job", "task", "sector", "msg_id", "context", "sensor",
};

static bool
is_id(const struct tn_field *f)
{
	size_t n = strlen(f->label);

	if (!tn_type_is_integer(f->type) || f->hidden)
		return false;
	for (size_t i = 0; i < TN_COUNT(id_names); i++)
		if (strcmp(f->label, id_names[i]) == 0)
			return true;
	return (n > 3 && strcmp(f->label + n - 3, "_id") == 0 && strcmp(f->label, "cpu_id") != 0) ||
	       (f->type->base == 16 && f->type->length >= 32);
}

static const struct tn_field *
payload_field(const struct tn_event_class *ec, const char *label)
{
	for (size_t i = 0; ec->payload && i < ec->payload->type->n_fields; i++)
		if (strcmp(ec->payload->type->field[i].label, label) == 0)
			return &ec->payload->type->field[i];
	return NULL;
}

static const struct tn_event_class *
class_named(const struct tn_pairs *p, const char *name)
{
	const struct tn_hash_item *item = tn_hash_find(&p->names, name, strlen(name));

	return item ? p->spans->classes.item[item->value] : NULL;
}

/* The only number that both events have, unless it is a measure. */
static const struct tn_field *
only_common(const struct tn_event_class *b, const struct tn_event_class *e)
{
	static const char *const measures[] = {
		"ret", "len", "length", "size", "count", "flags", "status", "state", "prio", "cost", "rows", "bytes", "value", "n",
		"result", "error", "level", "type", "kind", "time", "now", "cpu", "cpu_id", "fd",
	};
	const struct tn_field *only = NULL;

	for (size_t i = 0; b->payload && i < b->payload->type->n_fields; i++) {
		const struct tn_field *f = &b->payload->type->field[i], *g = payload_field(e, f->label);

		if (f->hidden || !g || !tn_type_is_integer(f->type) || !tn_type_is_integer(g->type))
			continue;
		for (size_t k = 0; k < TN_COUNT(measures); k++)
			if (strcmp(f->label, measures[k]) == 0)
				return NULL;
		if (only)
			return NULL;
		only = f;
	}
	return only;
}

/* Whether both events have the attribute. If memory is out, @out has failed. */
static bool
both_have(struct tn_str *out, const struct tn_pairs *p, const char *begin, const char *end, const char *attribute)
{
	const struct tn_hash_item *b = tn_hash_find(&p->names, begin, strlen(begin));
	const struct tn_hash_item *e = tn_hash_find(&p->names, end, strlen(end));
	struct tn_take take;
	enum tn_code rc;
	bool have;

	if (!b || !e)
		return false;
	rc = tn_take_init(&take, &p->spans->classes, attribute, strlen(attribute), "", 1, NULL);
	out->failed |= rc == TN_ERR_MEMORY;
	if (rc < 0)
		return false;
	have = tn_take_has(&take, (size_t)b->value, &out->failed) && tn_take_has(&take, (size_t)e->value, &out->failed);
	tn_take_release(&take);
	return have;
}

/* Whether an attribute with this name has priority, so that a definition needs the full name of the field. */
static bool
is_attribute(const char *label)
{
	size_t n;
	const struct tn_attribute *a = tn_attributes(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(a[i].name, label) == 0)
			return !a[i].yields;
	return false;
}

/* The attribute that distinguishes threads with the same number; NULL: none. */
static const char *
thread_key(const struct tn_event_class *ec)
{
	const struct tn_trace *trace = ec->stream_class->trace;
	const struct tn_pair_rules *format = trace->ops->pairs;

	return format && format->thread_key ? format->thread_key(trace) : NULL;
}

/* Append the key: an id with the same name in both events, otherwise the thread, the processor, or the stream. */
static void
put_keys(struct tn_str *out, const struct tn_pairs *p, const char *begin, const char *end, bool by_thread)
{
	const struct tn_event_class *b = class_named(p, begin), *e = class_named(p, end);
	const struct tn_field *only;
	size_t n = 0;

	if (by_thread && both_have(out, p, begin, end, "tid")) {
		const char *key = b ? thread_key(b) : NULL;

		if (key && both_have(out, p, begin, end, key))
			tn_str_printf(out, " by %s, tid", key);
		else
			tn_str_puts(out, " by tid");
		n++;
	}
	for (size_t i = 0; b && e && b->payload && i < b->payload->type->n_fields && n < 3; i++) {
		const struct tn_field *f = &b->payload->type->field[i], *g;

		if (!is_id(f) || !(g = payload_field(e, f->label)) || !tn_type_is_integer(g->type))
			continue;
		tn_str_printf(out, "%s%s%s", n ? ", " : " by ", is_attribute(f->label) ? "event.fields." : "", f->label);
		n++;
	}
	if (n)
		return;
	only = b && e ? only_common(b, e) : NULL;
	if (only) {
		tn_str_printf(out, " by %s%s", is_attribute(only->label) ? "event.fields." : "", only->label);
		return;
	}
	if (both_have(out, p, begin, end, "tid"))
		tn_str_puts(out, " by tid");
	else if (both_have(out, p, begin, end, "cpu"))
		tn_str_puts(out, " by cpu");
	else
		tn_str_puts(out, " by stream");
}

/* ---- finding pairs ---- */

static enum tn_code
add(struct tn_pairs *p, const char *definition, struct tn_error *err)
{
	char **at = TN_ARRAY_ADD(&p->definition);

	if (!at || !(*at = strdup(definition)))
		return tn_fail_memory(err);
	return TN_OK;
}

static bool
needs_quotes(const char *name)
{
	return strpbrk(name, " ()\"'=,") != NULL;
}

/* Write the common start of both names, as the name of the span. */
static void
put_name(struct tn_str *out, const char *begin, const char *word, size_t at)
{
	size_t n = strlen(word), all = strlen(begin);
	char name[256];

	if (all >= sizeof name)
		return;
	/* Remove the word, and one sign before or after it. */
	if (at && strchr("_:.", begin[at - 1]))
		snprintf(name, sizeof name, "%.*s%s", (int)at - 1, begin, begin + at + n);
	else
		snprintf(name, sizeof name, "%.*s%s", (int)at, begin, begin + at + n + (begin[at + n] == '_'));
	if (*name && !strpbrk(name, " *\"'"))
		tn_str_printf(out, " as %s", name);
}

static enum tn_code
take_pair(struct tn_pairs *p, const char *begin, const char *end, const char *word, size_t at, bool by_thread,
	  struct tn_error *err)
{
	struct tn_str text = { 0 };
	bool is_new;
	enum tn_code rc = TN_OK;

	if (needs_quotes(begin) || needs_quotes(end))
		return TN_OK;
	if (!tn_hash_add(&p->taken, begin, strlen(begin), &is_new))
		return tn_fail_memory(err);
	if (!is_new)
		return TN_OK;
	tn_str_printf(&text, "%s %s", begin, end);
	put_keys(&text, p, begin, end, by_thread);
	if (word)
		put_name(&text, begin, word, at);
	rc = text.failed ? tn_fail_memory(err) : add(p, tn_str_text(&text), err);
	tn_str_release(&text);
	return rc;
}

/* Whether the word at @at of @name is separate: between signs, or at the start or end. */
static bool
is_word(const char *name, size_t at, size_t n)
{
	return (!at || !isalnum((unsigned char)name[at - 1])) && !isalnum((unsigned char)name[at + n]);
}

static enum tn_code
try_rule(struct tn_pairs *p, const char *name, const struct rule *rule, struct tn_error *err)
{
	size_t n = strlen(rule->begin);
	enum tn_code rc = TN_OK;

	for (const char *at = strstr(name, rule->begin); at && rc == TN_OK; at = strstr(at + 1, rule->begin)) {
		size_t place = (size_t)(at - name);

		if (!is_word(name, place, n))
			continue;
		for (size_t i = 0; i < TN_COUNT(rule->end) && rule->end[i] && rc == TN_OK; i++) {
			char end[512];

			snprintf(end, sizeof end, "%.*s%s%s", (int)place, name, rule->end[i], at + n);
			if (!class_named(p, end))
				continue;
			rc = take_pair(p, name, end, rule->begin, place, false, err);
			break;
		}
	}
	return rc;
}

static bool
has_class(void *user, const char *name)
{
	return class_named(user, name);
}

static enum tn_code
try_format(struct tn_pairs *p, const struct tn_event_class *ec, struct tn_error *err)
{
	const struct tn_pair_rules *format = ec->stream_class->trace->ops->pairs;
	char end[TN_PAIR_NAME];

	if (!format || !format->end || !format->end(ec->name, has_class, p, end))
		return TN_OK;
	return take_pair(p, ec->name, end, NULL, 0, true, err);
}

/* Try a pair of a well-known tracer: the traces must have its events, and no other pair may use its begin event. */
static enum tn_code
try_known(struct tn_pairs *p, const char *definition, struct tn_error *err)
{
	const struct tn_pick *begin;
	size_t before = p->spans->definition.n;
	enum tn_code rc = tn_spans_add(p->spans, definition, NULL);

	if (rc < 0)
		return rc == TN_ERR_MEMORY ? tn_fail_memory(err) : TN_OK;
	begin = &p->spans->definition.item[before].begin;
	for (size_t c = 0; c < p->spans->classes.n; c++) {
		const char *name = p->spans->classes.item[c]->name;

		if (name && begin->verdict[c] != TN_VERDICT_NO && !tn_hash_add(&p->taken, name, strlen(name), NULL))
			return tn_fail_memory(err);
	}
	return add(p, definition, err);
}

/*
 * Add the spans that formats know, by the class or by the values of their events. Their begin events are not used for
 * other rules.
 */
static enum tn_code
find_kinds(struct tn_pairs *p, bool by_value, struct tn_error *err)
{
	const struct tn_span_kind *kind;
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && (kind = tn_span_kind(p->spans, i)); i++) {
		char text[64];

		if ((kind->begin != NULL) != by_value)
			continue;
		snprintf(text, sizeof text, "@%s", kind->name);
		rc = try_known(p, text, err);
	}
	return rc;
}

/* Formats may share tables. */
static bool
is_tried(const struct tn_pairs *p, size_t traces, const char *const *table)
{
	for (size_t t = 0; t < traces; t++) {
		const struct tn_pair_rules *format = p->set->trace[t]->ops->pairs;

		for (size_t k = 0; format && format->known && format->known[k]; k++)
			if (format->known[k] == table)
				return true;
	}
	return false;
}

static enum tn_code
find_known(struct tn_pairs *p, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t t = 0; t < p->set->n_traces; t++) {
		const struct tn_pair_rules *format = p->set->trace[t]->ops->pairs;

		for (size_t k = 0; format && format->known && format->known[k]; k++) {
			const char *const *table = format->known[k];

			for (size_t i = 0; !is_tried(p, t, table) && table[i] && rc == TN_OK; i++)
				rc = try_known(p, table[i], err);
		}
	}
	return rc;
}

static enum tn_code
find_named(struct tn_pairs *p, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t c = 0; c < p->spans->classes.n && rc == TN_OK; c++) {
		const struct tn_event_class *ec = p->spans->classes.item[c];
		const struct tn_hash_item *item = ec->name ? tn_hash_find(&p->names, ec->name, strlen(ec->name)) : NULL;

		if (!item || item->value != c)	/* examine each name once */
			continue;
		rc = try_format(p, ec, err);
		for (size_t i = 0; i < TN_COUNT(rules) && rc == TN_OK; i++)
			rc = try_rule(p, ec->name, &rules[i], err);
	}
	return rc;
}

enum tn_code
tn_pairs_new(struct tn_pairs **out, struct tn_set *set, struct tn_error *err)
{
	struct tn_pairs *p;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set)
		return tn_fail_null(err);
	p = calloc(1, sizeof *p);
	if (!p)
		return tn_fail_memory(err);
	p->set = set;
	rc = tn_spans_new(&p->spans, set, err);
	for (size_t c = 0; rc == TN_OK && c < p->spans->classes.n; c++) {
		const char *name = p->spans->classes.item[c]->name;
		struct tn_hash_item *item;
		bool is_new;

		if (!name)
			continue;
		item = tn_hash_add(&p->names, name, strlen(name), &is_new);
		if (!item)
			rc = tn_fail_memory(err);
		else if (is_new)
			item->value = c;
	}
	if (rc == TN_OK)
		rc = find_kinds(p, false, err);
	if (rc == TN_OK)
		rc = find_known(p, err);
	/* These come last, because events of these classes may not be spans. */
	if (rc == TN_OK)
		rc = find_kinds(p, true, err);
	if (rc == TN_OK)
		rc = find_named(p, err);
	if (rc < 0) {
		tn_pairs_free(p);
		return rc;
	}
	p->n_met = p->definition.n;
	*out = p;
	return TN_OK;
}

void
tn_pairs_free(struct tn_pairs *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->definition.n; i++)
		free(p->definition.item[i]);
	TN_ARRAY_RELEASE(&p->definition);
	tn_hash_release(&p->names);
	tn_hash_release(&p->taken);
	tn_spans_free(p->spans);
	free(p);
}

size_t
tn_pairs_count(const struct tn_pairs *p)
{
	return p ? p->definition.n : 0;
}

const char *
tn_pairs_definition(const struct tn_pairs *p, size_t i)
{
	return p && i < p->definition.n ? p->definition.item[i] : NULL;
}

/* ---- ready questions ---- */

static const struct tn_ready_question questions[] = {
#define QUESTION(name, title, spans, by, show, sort, where) { name, title, spans, by, show, sort, where },
#include "span/questions.def"
#undef QUESTION
};

const struct tn_ready_question *
tn_ready_question_at(size_t i)
{
	return i < TN_COUNT(questions) ? &questions[i] : NULL;
}

char *
tn_ready_question_keys(const struct tn_ready_question *q, const struct tn_set *set)
{
	struct tn_str keys = { 0 };
	char *words;

	if (!q || !q->by || !(words = tn_words_keys(set, q->by)))
		return NULL;
	if (set && tn_set_has_hosts(set))
		tn_str_puts(&keys, *q->by ? "host, " : "host");
	tn_str_puts(&keys, words);
	free(words);
	return tn_str_take(&keys);
}
