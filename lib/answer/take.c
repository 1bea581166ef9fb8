#include "answer/take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/iterate.h>

#include "base/error.h"

/* What attributes are called by tracers, the first that an event class has. */
static const struct attribute {
	const char *name;
	enum tn_take_kind kind;	/* NOTHING: one of these fields */
	bool first;		/* before a field of that name */
	const char *field[6];
} attributes[] = {
	{ "name", TN_TAKE_NAME, true, { NULL } },
	{ "event.name", TN_TAKE_NAME, true, { NULL } },
	{ "stream", TN_TAKE_STREAM, true, { NULL } },
	{ "trace", TN_TAKE_TRACE, true, { NULL } },
	{ "time", TN_TAKE_TIME, true, { NULL } },
	{ "loglevel", TN_TAKE_LOG_LEVEL, true, { NULL } },
	{ "cpu", TN_TAKE_NOTHING, false, { "cpu_id", "cpu" } },
	{ "tid", TN_TAKE_NOTHING, false, { "vtid", "tid", "thread_id" } },
	{ "pid", TN_TAKE_NOTHING, false, { "vpid", "pid" } },
	{ "process", TN_TAKE_NOTHING, false, { "procname", "comm" } },
	{ "host", TN_TAKE_HOST, false, { NULL } },
	{ "packet", TN_TAKE_PACKET, false, { NULL } },
	{ "id", TN_TAKE_ID, false, { NULL } },
};

static const enum tn_scope order[] = {
	TN_SCOPE_PAYLOAD, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_PACKET_CONTEXT,
	TN_SCOPE_EVENT_HEADER, TN_SCOPE_PACKET_HEADER,
};

static bool
is_value(const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	while (t->kind == TN_KIND_OPTIONAL)
		t = t->field[0].type;
	return t->kind <= TN_KIND_BLOB || t->kind == TN_KIND_VARIANT;
}

static bool
find_in(const struct tn_event_class *ec, enum tn_scope scope, const char *name, struct tn_way *way)
{
	const struct tn_field *root = tn_event_class_scope(ec, scope), *field;

	if (!root)
		return false;
	if (strchr(name, '[')) {
		char base[256];

		snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "["), name);
		if (!tn_field_find(root, base))
			return false;
		*way = (struct tn_way) { TN_TAKE_PATH, scope, NULL };
		return true;
	}
	field = tn_field_find(root, name);
	if (!field || !is_value(field))
		return false;
	*way = (struct tn_way) { TN_TAKE_FIELD, scope, field };
	return true;
}

static bool
find_field(const struct tn_event_class *ec, const char *name, struct tn_way *way)
{
	for (size_t i = 0; i < TN_COUNT(order); i++) {
		const char *scope = tn_scope_name(order[i]);
		size_t n = strlen(scope);

		if (strncmp(name, scope, n) == 0 && name[n] == '.' && find_in(ec, order[i], name + n + 1, way))
			return true;
		/* The first part of these may be left away. */
		if (strncmp(scope, "stream.", 7) == 0 && strncmp(name, scope + 7, n - 7) == 0 &&
		    name[n - 7] == '.' && find_in(ec, order[i], name + n - 6, way))
			return true;
	}
	for (size_t i = 0; i < TN_COUNT(order); i++)
		if (find_in(ec, order[i], name, way))
			return true;
	return false;
}

static const struct attribute *
attribute_named(const char *name)
{
	for (size_t i = 0; i < TN_COUNT(attributes); i++)
		if (strcmp(attributes[i].name, name) == 0)
			return &attributes[i];
	return NULL;
}

static bool
find(const struct tn_event_class *ec, const struct attribute *a, const char *name, struct tn_way *way)
{
	*way = (struct tn_way) { 0 };
	if (a && a->first) {
		way->kind = a->kind;
		return true;
	}
	if (find_field(ec, name, way))
		return true;
	if (!a)
		return false;
	way->kind = a->kind;
	for (size_t i = 0; a->kind == TN_TAKE_NOTHING && i < TN_COUNT(a->field) && a->field[i]; i++)
		if (find_field(ec, a->field[i], way))
			return true;
	return way->kind != TN_TAKE_NOTHING;
}

/* Offer what could have been meant: names of fields, of attributes. */
static void
offer_fields(struct tn_nearest *nearest, const struct tn_field *root, unsigned depth)
{
	for (size_t i = 0; root && i < root->type->n_fields && depth < 4; i++) {
		const struct tn_field *f = &root->type->field[i];

		tn_nearest_offer(nearest, f->label);
		offer_fields(nearest, f, depth + 1);
	}
}

static enum tn_code
unknown(const struct tn_classes *classes, const char *name, const char *what, size_t column, struct tn_error *err)
{
	const char *tail = strrchr(name, '.');
	struct tn_nearest nearest = { .wanted = tail ? tail + 1 : name };

	nearest.n = strlen(nearest.wanted);
	for (size_t i = 0; i < TN_COUNT(attributes); i++)
		tn_nearest_offer(&nearest, attributes[i].name);
	for (size_t c = 0; c < classes->n; c++)
		for (size_t i = 0; i < TN_COUNT(order); i++)
			offer_fields(&nearest, tn_event_class_scope(classes->item[c], order[i]), 0);
	if (nearest.best)
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: no event has a field '%s'; there is '%s'", what, column,
			       name, nearest.best);
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: no event has a field '%s'", what, column, name);
}

/* "time/10ms" */
static bool
read_step(char *name, int64_t *step)
{
	struct tn_time_context zero = { 0 };
	char span[64];
	char *slash = strchr(name, '/');

	if (!slash || slash - name != 4 || memcmp(name, "time", 4) != 0)
		return false;
	snprintf(span, sizeof span, "+%s", slash + 1);
	return tn_time_parse(span, &zero, step, NULL) == TN_OK && *step > 0;
}

enum tn_code
tn_take_init(struct tn_take *take, const struct tn_classes *classes, const char *name, size_t n, const char *what,
	     size_t column, struct tn_error *err)
{
	const struct attribute *a;
	bool somewhere = false;

	*take = (struct tn_take) { .name = strndup(name, n), .way = calloc(classes->n + 1, sizeof *take->way) };
	if (!take->name || !take->way) {
		tn_take_release(take);
		return tn_fail_memory(err);
	}
	a = attribute_named(read_step(take->name, &take->step_ns) ? "time" : take->name);
	for (size_t c = 0; c < classes->n; c++)
		somewhere |= find(classes->item[c], a, take->name, &take->way[c]);
	if (!somewhere && classes->n) {
		char wrong[256];

		snprintf(wrong, sizeof wrong, "%s", take->name);
		tn_take_release(take);
		return unknown(classes, wrong, what, column, err);
	}
	return TN_OK;
}

void
tn_take_release(struct tn_take *take)
{
	free(take->name);
	free(take->way);
	*take = (struct tn_take) { 0 };
}

/* ---- values ---- */

static struct tn_answer_value
of_text(const char *text)
{
	if (!text)
		return (struct tn_answer_value) { 0 };
	return (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) };
}

static struct tn_answer_value
of_i64(int64_t i)
{
	if (i < 0)
		return (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = i };
	return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = (uint64_t)i };
}

void
tn_take_of(const struct tn_value *v, struct tn_answer_value *out)
{
	const struct tn_type *t;

	*out = (struct tn_answer_value) { 0 };
	while (v && (v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL))
		v = tn_value_first(v);
	if (!v)
		return;
	t = v->field->type;
	switch (t->kind) {
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		out->kind = TN_ANSWER_TEXT;
		out->text = v->bytes ? (const char *)v->bytes : "";
		out->n = v->bytes ? (size_t)v->size : 0;
		/* As the text line: a NUL ends it. */
		if (t->kind == TN_KIND_STRING && !(t->encoding == TN_ENCODING_NONE && t->extent == TN_EXTENT_DYNAMIC))
			out->n = strnlen(out->text, out->n);
		return;
	case TN_KIND_FLOAT:
		if (t->length <= 64)
			*out = (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = v->f };
		return;
	case TN_KIND_SINT:
		if (t->length <= 64)
			*out = of_i64(v->i);
		break;
	case TN_KIND_UINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
		if (t->length <= 64 || t->kind == TN_KIND_BOOL)
			*out = (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = v->u };
		break;
	default:
		return;
	}
	if (t->mapping || t->kind == TN_KIND_BOOL)
		out->field = v->field;
}

/* The start of its step. */
static int64_t
step_of(int64_t time_ns, int64_t step_ns)
{
	int64_t rest = time_ns % step_ns;

	return time_ns - (rest < 0 ? rest + step_ns : rest);
}

void
tn_take_value(const struct tn_take *take, size_t class, const struct tn_batch *b, size_t row,
	      const struct tn_event *event, struct tn_answer_value *out)
{
	const struct tn_way *way = &take->way[class];
	const struct tn_stream *s = b->stream;
	const struct tn_event_class *ec = s->trace->event_class[b->refs.item[row].event_class];
	const struct tn_value *v = NULL;
	const struct tn_env *host;

	*out = (struct tn_answer_value) { 0 };
	switch (way->kind) {
	case TN_TAKE_NOTHING:
		return;
	case TN_TAKE_FIELD:
		if (tn_event_value(event, way->field, &v) == TN_OK)
			tn_take_of(v, out);
		return;
	case TN_TAKE_PATH:
		tn_take_of(tn_event_find(event, take->name), out);
		return;
	case TN_TAKE_NAME:
		*out = of_text(ec->name);
		return;
	case TN_TAKE_ID:
		*out = (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = ec->id };
		return;
	case TN_TAKE_LOG_LEVEL:
		if (ec->log_level >= 0)
			*out = of_i64(ec->log_level);
		return;
	case TN_TAKE_STREAM:
		*out = of_text(s->name);
		return;
	case TN_TAKE_TRACE:
		*out = of_text(s->trace->path);
		return;
	case TN_TAKE_HOST:
		host = tn_trace_env(s->trace, "hostname");
		if (host && host->is_text)
			*out = of_text(host->text);
		return;
	case TN_TAKE_TIME:
		if (!s->stream_class->clock)
			return;
		*out = of_i64(take->step_ns ? step_of(tn_batch_time(b, row), take->step_ns) : tn_batch_time(b, row));
		return;
	case TN_TAKE_PACKET:
		*out = (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = b->packet };
		return;
	}
}
