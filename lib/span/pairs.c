/*
 * pairs.c - begins and ends that are found in the model: those of well-known tracers, and by their names
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "span/pairs.h"
#include "base/error.h"
#include "base/str.h"

static const char *const known[] = {
#define PAIR(definition) definition,
#define QUESTION(name, title, spans, by, show, sort, where)
#include "span/questions.def"
#undef PAIR
#undef QUESTION
};

/* ---- rules ---- */

/* A word of a name and those that end what it begins. */
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

/* Fields whose value tells which one it is. */
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

/* The one number that both have, when it is no measure. */
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

/* Whether both events have the attribute; when memory is out @out has failed. */
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

/* A field of that name has to be told from what every event has. */
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

/* ovni: threads of several looms, which may be on several hosts, can have the same number. Streams are LOOM/proc/thread. */
static bool
has_looms(const struct tn_event_class *ec)
{
	const struct tn_trace *trace = ec->stream_class->trace;
	size_t n = trace->n_streams ? strcspn(trace->stream[0]->name, "/") : 0;

	if (strncmp(trace->format, "ovni", 4) != 0)
		return false;
	for (size_t i = 1; i < trace->n_streams; i++)
		if (strncmp(trace->stream[i]->name, trace->stream[0]->name, n + 1) != 0)
			return true;
	return false;
}

/* A same-named id; else the thread; else the processor; else the stream. */
static void
put_keys(struct tn_str *out, const struct tn_pairs *p, const char *begin, const char *end, bool by_thread)
{
	const struct tn_event_class *b = class_named(p, begin), *e = class_named(p, end);
	const struct tn_field *only;
	size_t n = 0;

	if (by_thread && both_have(out, p, begin, end, "tid")) {
		tn_str_puts(out, b && has_looms(b) && both_have(out, p, begin, end, "loom") ? " by loom, tid" : " by tid");
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

/* ---- finding ---- */

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

/* What both names begin with, to call the span by. */
static void
put_name(struct tn_str *out, const char *begin, const char *word, size_t at)
{
	size_t n = strlen(word), all = strlen(begin);
	char name[256];

	if (all >= sizeof name)
		return;
	/* Without the word and one sign before or behind it. */
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

/* The word at @at of @name stands alone: between signs, or at the ends. */
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

/*
 * ovni: the third letter of a name says what it is. `[` and a small letter begin, `]` and the capital end; x begins
 * to execute and e ends it; p pauses and r resumes, h hungry and f filled, O and I: out of a processor and in again.
 */
static const char ovni_rules[][3] = { "[]", "xe", "pr", "hf", "OI" };

/* Letters that look like it and are not: two ways to create, values of a state, two pairs side by side. */
static bool
is_no_ovni_pair(const char *begin, const char *end)
{
	static const char *const none[] = { "OHc OHC", "VTc VTC", "6Pp 6Pr", "VPp VPr", "VAO VAI", "VSn VSN" };
	char both[8];

	snprintf(both, sizeof both, "%.3s %.3s", begin, end);
	for (size_t i = 0; i < TN_COUNT(none); i++)
		if (strcmp(none[i], both) == 0)
			return true;
	return false;
}

static enum tn_code
try_ovni(struct tn_pairs *p, const char *name, struct tn_error *err)
{
	char end[4] = { name[0], name[1], 0, 0 };

	/* A small letter and its capital, when both are there. */
	if (islower((unsigned char)name[2])) {
		end[2] = (char)toupper((unsigned char)name[2]);
		if (class_named(p, end) && !is_no_ovni_pair(name, end))
			return take_pair(p, name, end, NULL, 0, true, err);
	}
	/* The one that is the other way round. */
	if (strcmp(name, "VSN") == 0 && class_named(p, "VSn"))
		return take_pair(p, name, "VSn", NULL, 0, true, err);
	for (size_t i = 0; i < TN_COUNT(ovni_rules); i++) {
		end[2] = ovni_rules[i][1];
		if (name[2] == ovni_rules[i][0] && class_named(p, end) && !is_no_ovni_pair(name, end))
			return take_pair(p, name, end, NULL, 0, true, err);
	}
	return TN_OK;
}

/* Those of well-known tracers that are here; their begins are taken. */
static enum tn_code
find_known(struct tn_pairs *p, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; i < TN_COUNT(known) && rc == TN_OK; i++) {
		const struct tn_pick *begin;
		size_t before = p->spans->definition.n;

		rc = tn_spans_add(p->spans, known[i], NULL);
		if (rc == TN_ERR_MEMORY)
			return tn_fail_memory(err);
		if (rc < 0) {
			rc = TN_OK;
			continue;
		}
		begin = &p->spans->definition.item[before].begin;
		for (size_t c = 0; c < p->spans->classes.n && rc == TN_OK; c++) {
			const char *name = p->spans->classes.item[c]->name;

			if (name && begin->verdict[c] != TN_VERDICT_NO && !tn_hash_add(&p->taken, name, strlen(name), NULL))
				rc = tn_fail_memory(err);
		}
		if (rc == TN_OK)
			rc = add(p, known[i], err);
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

		if (!item || item->value != c)	/* each name once */
			continue;
		if (strncmp(ec->stream_class->trace->format, "ovni", 4) == 0 && strlen(ec->name) == 3)
			rc = try_ovni(p, ec->name, err);
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
		rc = find_known(p, err);
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
#define PAIR(definition)
#define QUESTION(name, title, spans, by, show, sort, where) { name, title, spans, by, show, sort, where },
#include "span/questions.def"
#undef PAIR
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

	if (!q || !q->by)
		return NULL;
	if (set && tn_set_has_hosts(set))
		tn_str_puts(&keys, *q->by ? "host, " : "host");
	tn_str_puts(&keys, q->by);
	return tn_str_take(&keys);
}
