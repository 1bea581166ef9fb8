/*
 * specs.c - event classes; arguments and results of functions by the specs of the folder (uftrace.md, 4)
 */
#include <ctype.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/pairs.h"
#include "uftrace/private.h"

#define MOST_SPECS 4096
#define MOST_ARGS 32
#define MOST_PATTERN 256

static const struct tn_span_kind calls = { .name = "function", .by = "tid, depth, func", .rule = "latest", .depth = "depth" };
static const struct tn_span_kind schedules = { .name = "schedule", .by = "tid", .rule = "latest" };

/* ---- types ---- */

static struct tn_field *
add_field(struct tn_uf_trace *t, struct tn_type *in, const char *name, enum tn_kind kind, uint64_t bits, uint8_t base)
{
	struct tn_type *type = tn_build_type(&t->build, kind, bits);

	if (type)
		type->base = base;
	return tn_build_field(&t->build, in, name, type);
}

struct tn_field *
tn_uf_scope(struct tn_uf_trace *t, struct tn_type *type)
{
	struct tn_field *root = tn_build_root(&t->build, type);

	if (!t->build.failed)
		tn_field_number(root, &t->trace->n_fields);
	return root;
}

struct tn_type *
tn_uf_new_call(struct tn_uf_trace *t, size_t more)
{
	struct tn_type *payload = tn_build_compound(&t->build, TN_KIND_STRUCT, 3 + more);

	add_field(t, payload, "func", TN_KIND_STRING, 0, 10);
	add_field(t, payload, "depth", TN_KIND_UINT, 16, 10);
	add_field(t, payload, "addr", TN_KIND_UINT, 64, 16);
	return payload;
}

/* ---- records of threads: 64 bits of time, then type, more, magic, depth, address in another 64 ---- */

#define SIZE_SLOT 1	/* slot of the size of a text; slot 0 belongs to lib/ftrace */

static struct tn_type *
new_thread_call(struct tn_uf_trace *t, size_t more)
{
	struct tn_type *payload = tn_build_compound(&t->build, TN_KIND_STRUCT, 3 + 2 * more), *func;
	struct tn_field *f;

	if ((func = tn_build_type(&t->build, TN_KIND_STRING, 0))) {
		func->extent = TN_EXTENT_STATIC;
		func->lookup = t->functions;
	}
	/* A lookup also gets the 32 bits before the field, which are the first bits of the record. */
	if ((f = tn_build_field(&t->build, payload, "func", func)))
		f->gap = 32;
	if ((f = add_field(t, payload, "depth", TN_KIND_UINT, 10, 10)))
		f->gap = 32 + 6;
	add_field(t, payload, "addr", TN_KIND_UINT, 48, 16);
	return payload;
}

/* Add the size, in 16 bits, of the text or the bytes that follow. */
static struct tn_field *
add_size(struct tn_uf_trace *t, struct tn_type *in, unsigned align)
{
	struct tn_field *f = add_field(t, in, "_size", TN_KIND_UINT, 16, 10);

	if (f) {
		f->type->align = align;
		f->hidden = true;
		f->slot = SIZE_SLOT;
	}
	return f;
}

struct tn_event_class *
tn_uf_add_class(struct tn_uf_trace *t, struct tn_stream_class *sc, const char *name, struct tn_field *payload)
{
	struct tn_event_class *ec = TN_NEW(&t->trace->arena, struct tn_event_class), **add = TN_ARRAY_ADD(&t->classes);

	t->build.failed |= !ec || !add || !name;
	if (t->build.failed)
		return NULL;
	*add = ec;
	ec->index = (uint32_t)(t->classes.n - 1);
	ec->id = ec->last_id = ec->index;
	ec->name = name;
	ec->log_level = -1;
	ec->stream_class = sc;
	ec->payload = payload;
	return ec;
}

static void
set_span(struct tn_event_class *ec, const struct tn_span_kind *kind, enum tn_span_part part)
{
	if (ec) {
		ec->span_kind = kind;
		ec->span_part = part;
	}
}

struct tn_event_class *
tn_uf_add_call(struct tn_uf_trace *t, struct tn_stream_class *sc, bool is_exit, struct tn_field *payload)
{
	struct tn_event_class *ec = tn_uf_add_class(t, sc, is_exit ? "uftrace:exit" : "uftrace:entry", payload);

	set_span(ec, &calls, is_exit ? TN_SPAN_PART_END : TN_SPAN_PART_BEGIN);
	return ec;
}

/* ---- specs ---- */

/* Parse a format such as "d32", "s" or "t16:NAME"; false: unknown. */
static bool
parse_format(const struct tn_uf_trace *t, struct tn_uf_arg *a, const char *p, bool is_float)
{
	char *end;
	unsigned long bits;

	a->format = is_float ? 'f' : 'd';
	a->size = is_float ? 8 : t->is_32 ? 4 : 8;
	if (isalpha((unsigned char)*p))
		a->format = *p++;
	bits = strtoul(p, &end, 10);
	if (!strchr("diuxopsScfet", a->format) || bits > 65535)
		return false;
	if (a->format == 't')
		a->size = (uint16_t)bits;
	else if (a->format == 's' || a->format == 'S')
		a->size = 0;
	else if (a->format == 'c')
		a->size = 1;
	else if (end > p && bits % 8 == 0 && bits >= 8 && bits <= 80)
		a->size = (uint16_t)(bits / 8);
	else if (end > p)
		return false;
	else if (a->format == 'f')
		a->size = 8;
	return a->format == 't' || a->size <= 8 || (a->format == 'f' && a->size == 10);
}

#define BY_SIZE UINT64_MAX

/* Add a field of @n bytes; BY_SIZE: the size in front of the bytes gives their number. */
static void
add_bytes(struct tn_uf_trace *t, struct tn_type *in, const char *name, uint64_t n)
{
	struct tn_type *byte = tn_build_type(&t->build, TN_KIND_UINT, 8), *array = tn_build_array(&t->build, byte);

	if (!byte || !array)
		return;
	byte->base = 16;
	array->extent = n == BY_SIZE ? TN_EXTENT_DYNAMIC : TN_EXTENT_STATIC;
	array->length = n == BY_SIZE ? 0 : n;
	array->ref_slot = n == BY_SIZE ? SIZE_SLOT : TN_NO_SLOT;
	if (n != BY_SIZE)
		array->align = 32;
	tn_build_field(&t->build, in, name, array);
}

/* Arguments begin at multiples of 4 bytes. */
static void
add_arg(struct tn_uf_trace *t, struct tn_type *in, const char *name, const struct tn_uf_arg *a)
{
	bool number = strchr("diuxope", a->format) || (a->format == 'f' && a->size <= 8);
	struct tn_type *text;
	struct tn_field *f;

	if (number) {
		f = a->format == 'f' ? add_field(t, in, name, TN_KIND_FLOAT, 8 * (uint64_t)a->size, 10) :
		    add_field(t, in, name, strchr("die", a->format) ? TN_KIND_SINT : TN_KIND_UINT, 8 * (uint64_t)a->size,
			      a->format == 'o' ? 8 : strchr("xp", a->format) ? 16 : 10);
		if (f)
			f->type->align = 32;
	} else if (a->format == 't' || a->format == 'f') {
		add_bytes(t, in, name, a->size);
	} else {
		if (a->format != 'c')
			add_size(t, in, 32);
		if ((text = tn_build_type(&t->build, TN_KIND_STRING, a->format == 'c'))) {
			text->extent = a->format == 'c' ? TN_EXTENT_STATIC : TN_EXTENT_DYNAMIC;
			text->ref_slot = a->format == 'c' ? TN_NO_SLOT : SIZE_SLOT;
			text->align = a->format == 'c' ? 32 : 8;
		}
		tn_build_field(&t->build, in, name, text);
	}
}

/*
 * Find the spec, such as "arg1/d32,arg2" or "retval/s"; the first use makes it. NULL in *out: no spec. False: memory
 * is out.
 */
static bool
find_spec(struct tn_uf_trace *t, const char *text, bool is_exit, const struct tn_uf_spec **out)
{
	struct tn_uf_spec *s, **add;
	struct tn_uf_arg arg[MOST_ARGS];
	char *copy, *save = NULL;
	struct tn_type *payload;
	struct tn_event_class *ec;

	for (size_t i = 0; i < t->specs.n; i++)
		if (t->specs.item[i]->is_exit == is_exit && strcmp(t->specs.item[i]->text, text) == 0) {
			*out = t->specs.item[i];
			return true;
		}
	if (t->specs.n >= MOST_SPECS)
		return true;
	s = TN_NEW(&t->trace->arena, struct tn_uf_spec);
	copy = tn_arena_string(&t->trace->arena, text);
	if (!s || !copy || !(s->text = tn_arena_string(&t->trace->arena, text)))
		return false;
	s->is_exit = is_exit;
	payload = new_thread_call(t, MOST_ARGS);
	for (char *p = strtok_r(copy, ",", &save); p && s->n < MOST_ARGS; p = strtok_r(NULL, ",", &save)) {
		char *format = strchr(p, '/'), *place = strchr(p, '%');
		bool is_float = strncmp(p, "fparg", 5) == 0;

		if (place)
			*place = '\0';
		if (format && (!place || format < place))
			*format++ = '\0';
		else
			format = NULL;
		if (!parse_format(t, &arg[s->n], format ? format : "", is_float))
			return true;
		add_arg(t, payload, p, &arg[s->n]);
		s->n++;
	}
	if (!s->n)
		return true;
	ec = tn_uf_add_call(t, t->threads, is_exit, tn_uf_scope(t, payload));
	if (t->build.failed || !(s->arg = calloc(s->n, sizeof *s->arg)) || !(add = TN_ARRAY_ADD(&t->specs))) {
		free(s->arg);
		return false;
	}
	memcpy(s->arg, arg, s->n * sizeof *s->arg);
	s->event_class = ec->index;
	*add = s;
	*out = s;
	return true;
}

/* Add the parts of a list such as "arg1,arg2/s,retval" that are arguments, or those that are results. */
static bool
apply(struct tn_uf_trace *t, struct tn_uf_symbol *symbol, const char *text, bool calls_too, bool results_too)
{
	struct tn_str call = { 0 }, result = { 0 };
	bool good = true;

	while (*text) {
		size_t n = strcspn(text, ",");
		bool is_result = strncmp(text, "retval", 6) == 0;
		bool is_arg = strncmp(text, "arg", 3) == 0 || strncmp(text, "fparg", 5) == 0;
		struct tn_str *to = is_result ? &result : &call;

		if (is_result || is_arg)
			tn_str_printf(to, "%s%.*s", to->n ? "," : "", (int)n, text);
		text += n + (text[n] == ',');
	}
	if (calls_too && call.n && !symbol->call)
		good = find_spec(t, call.text, false, &symbol->call);
	if (good && results_too && result.n && !symbol->result)
		good = find_spec(t, result.text, true, &symbol->result);
	good = good && !call.failed && !result.failed;
	tn_str_release(&call);
	tn_str_release(&result);
	return good;
}

/* Whether the pattern before the @ names the function. */
static bool
names(const struct tn_uf_trace *t, const char *spec, size_t n, bool manual, const struct tn_uf_symbol *symbol, const char *raw)
{
	char pattern[MOST_PATTERN];
	regex_t regex;
	bool found;

	if ((strlen(raw) == n && memcmp(raw, spec, n) == 0) || (strlen(symbol->name) == n && memcmp(symbol->name, spec, n) == 0))
		return true;
	if (!manual || n >= sizeof pattern || !memchr(spec, '*', n) + !memchr(spec, '.', n) + !memchr(spec, '^', n) +
	    !memchr(spec, '$', n) + !memchr(spec, '[', n) + !memchr(spec, '?', n) == 6)
		return false;
	memcpy(pattern, spec, n);
	pattern[n] = '\0';
	if (t->is_glob)
		return fnmatch(pattern, symbol->name, 0) == 0;
	/* Patterns with counted repeats are refused, because they can use any amount of memory. */
	if (strpbrk(pattern, "{(") || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	found = regexec(&regex, symbol->name, 0, NULL, 0) == 0;
	regfree(&regex);
	return found;
}

bool
tn_uf_find_specs(struct tn_uf_trace *t, struct tn_uf_symbol *symbol, const char *raw, const char *call, const char *result)
{
	if (call || result)
		return apply(t, symbol, call ? call : result, call != NULL, result != NULL);
	for (size_t i = 0; i < t->spec_lines.n && (!symbol->call || !symbol->result); i++) {
		const char *spec = t->spec_lines.item[i], *at = strchr(spec, '@');

		if (at && names(t, spec, (size_t)(at - spec), i < t->n_manual, symbol, raw) &&
		    !apply(t, symbol, at + 1, true, true))
			return false;
	}
	return true;
}

/* ---- classes ---- */

static void
add_task_class(struct tn_uf_trace *t, const char *name, const char *const *fields, bool text)
{
	struct tn_type *payload = *fields ? tn_build_compound(&t->build, TN_KIND_STRUCT, 5) : NULL;

	for (; *fields; fields++)
		add_field(t, payload, *fields, text ? TN_KIND_STRING : TN_KIND_SINT, text ? 0 : 32, 10);
	tn_uf_add_class(t, t->cpus, name, payload ? tn_uf_scope(t, payload) : NULL);
}

struct tn_stream_class *
tn_uf_new_stream_class(struct tn_uf_trace *t, const char *const *context, const char *name)
{
	struct tn_stream_class *sc = TN_NEW(&t->trace->arena, struct tn_stream_class);
	struct tn_type *type = tn_build_compound(&t->build, TN_KIND_STRUCT, 4);

	for (; *context; context++) {
		bool text = strcmp(*context, "procname") == 0;
		struct tn_field *f = add_field(t, type, *context, text ? TN_KIND_STRING : TN_KIND_UINT, text ? 0 : 32, 10);

		if (f && strcmp(*context, "cpu_id") == 0)
			f->type->roles = TN_ROLE_CPU_ID;
		/* The bytes of the file do not contain the text. */
		if (f && text)
			f->type->extent = TN_EXTENT_STATIC;
	}
	if (!sc || t->build.failed) {
		t->build.failed = true;
		return NULL;
	}
	sc->trace = t->trace;
	sc->name = name;
	sc->clock = t->trace->clock[0];
	sc->packet_context = type->n_fields ? tn_uf_scope(t, type) : NULL;
	sc->id = t->trace->n_stream_classes;
	sc->has_id = true;
	t->trace->stream_class[t->trace->n_stream_classes++] = sc;
	return sc;
}

/* Make the clock that the command selected with "--clock NAME"; the default is mono. */
static struct tn_clock *
new_clock(struct tn_uf_trace *t)
{
	static const char *const known[] = { "mono_raw", "boot" };
	struct tn_clock *clock = tn_build_clock(t->trace, "mono", "nanoseconds of CLOCK_MONOTONIC", 0);
	const char *chosen = t->command ? strstr(t->command, "--clock") : NULL;

	for (size_t i = 0; clock && chosen && i < TN_COUNT(known); i++)
		if (strncmp(chosen + 8, known[i], strlen(known[i])) == 0) {
			clock->name = known[i];
			clock->description = NULL;
		}
	return clock;
}

/* Add the events of uftrace itself. Their fields are numbers of 64 bits, except the processor. */
static void
add_known_events(struct tn_uf_trace *t)
{
	static const struct { uint32_t id; const char *name, *field[4]; } known[] = {
		{ 100001, "read:proc/statm", { "vmsize", "rss", "shared" } }, { 100002, "read:page-fault", { "major", "minor" } },
		{ 100003, "diff:proc/statm", { "vmsize", "rss", "shared" } }, { 100004, "diff:page-fault", { "major", "minor" } },
		{ 100005, "read:pmu-cycle", { "cycles", "instructions" } },
		{ 100006, "diff:pmu-cycle", { "cycles", "instructions" } },
		{ 100007, "read:pmu-cache", { "refers", "misses" } }, { 100008, "diff:pmu-cache", { "refers", "misses" } },
		{ 100009, "read:pmu-branch", { "branch", "misses" } }, { 100010, "diff:pmu-branch", { "branch", "misses" } },
		{ 100011, "watch:cpu", { "cpu" } }, { 100012, "watch:var", { "address", "value" } },
	};

	for (size_t i = 0; i < TN_COUNT(known) && !t->build.failed; i++) {
		struct tn_type *type = tn_build_compound(&t->build, TN_KIND_STRUCT, 4);
		struct tn_uf_event *add = TN_ARRAY_ADD(&t->events);

		unsigned bits = known[i].id == 100011 ? 32 : 64, n = 0;

		for (; known[i].field[n]; n++) {
			struct tn_field *f = add_field(t, type, known[i].field[n], TN_KIND_SINT, bits, 10);

			/* The data follow the record and the size. */
			if (f && !n)
				f->gap = 128 + 16;
		}
		t->build.failed |= !add;
		if (add)
			*add = (struct tn_uf_event) { known[i].id, (uint32_t)t->classes.n, n * bits / 8 };
		tn_uf_add_class(t, t->threads, known[i].name, tn_uf_scope(t, type));
	}
}

/* The id is the lower half of the address. */
static struct tn_type *
new_event(struct tn_uf_trace *t, bool has_data)
{
	struct tn_type *type = tn_build_compound(&t->build, TN_KIND_STRUCT, 3);
	struct tn_field *id = add_field(t, type, "id", TN_KIND_UINT, 32, 10);

	if (id)
		id->gap = t->big_endian ? 96 : 80;
	if (!has_data)
		return type;
	if ((id = add_size(t, type, 1)))
		id->gap = t->big_endian ? 0 : 16;
	add_bytes(t, type, "data", BY_SIZE);
	return type;
}

bool
tn_uf_add_event(struct tn_uf_trace *t, uint32_t id, const char *name)
{
	struct tn_uf_event *add = TN_ARRAY_ADD(&t->events);

	if (add)
		*add = (struct tn_uf_event) { id, (uint32_t)t->classes.n, 0 };
	tn_uf_add_class(t, t->threads, name, (struct tn_field *)t->event_data);
	return add && !t->build.failed;
}

enum tn_code
tn_uf_build(struct tn_uf_trace *t, struct tn_error *err)
{
	static const char *const thread[] = { "tid", "pid", "procname", NULL }, *const cpu[] = { "cpu_id", NULL },
		*const none[] = { NULL },
		*const fork[] = { "pid", "ppid", "tid", "ptid", NULL }, *const task[] = { "pid", "tid", "procname", NULL },
		*const name[] = { "name", NULL };
	struct tn_trace *trace = t->trace;
	struct tn_type *type;

	t->build.trace = trace;
	trace->big_endian = t->big_endian;
	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 4, struct tn_stream_class *);
	if (!trace->stream_class || !new_clock(t))
		return tn_fail_memory(err);
	if ((t->threads = tn_uf_new_stream_class(t, thread, "thread")))
		t->threads->align = 64;
	t->cpus = tn_uf_new_stream_class(t, cpu, "cpu");
	type = tn_build_compound(&t->build, TN_KIND_STRUCT, 3);
	for (size_t i = 0; task[i]; i++)
		add_field(t, type, task[i], i == 2 ? TN_KIND_STRING : TN_KIND_SINT, i == 2 ? 0 : 32, 10);
	if (!t->build.failed)
		t->cpus->common_context = tn_uf_scope(t, type);
	t->call = tn_uf_scope(t, new_thread_call(t, 0));
	tn_uf_add_call(t, t->threads, false, (struct tn_field *)t->call);
	tn_uf_add_call(t, t->threads, true, (struct tn_field *)t->call);
	add_task_class(t, "linux:sched-in", none, false);
	add_task_class(t, "linux:sched-out", none, false);
	add_task_class(t, "linux:sched-out (pre-empted)", none, false);
	if (!t->build.failed) {
		set_span(t->classes.item[TN_UF_SCHED_IN], &schedules, TN_SPAN_PART_END);
		set_span(t->classes.item[TN_UF_SCHED_OUT], &schedules, TN_SPAN_PART_BEGIN);
		set_span(t->classes.item[TN_UF_PREEMPTED], &schedules, TN_SPAN_PART_BEGIN);
	}
	add_task_class(t, "linux:task-new", fork, false);
	add_task_class(t, "linux:task-exit", fork, false);
	add_task_class(t, "linux:task-name", name, true);
	t->event_data = tn_uf_scope(t, new_event(t, true));
	tn_uf_add_class(t, t->threads, "uftrace:event", (struct tn_field *)t->event_data);
	tn_uf_add_class(t, t->threads, "uftrace:event", tn_uf_scope(t, new_event(t, false)));
	add_known_events(t);
	return t->build.failed ? tn_fail_memory(err) : TN_OK;
}

void
tn_uf_add_messages(struct tn_uf_trace *t)
{
	static const char *const none[] = { NULL };
	struct tn_type *type = tn_build_compound(&t->build, TN_KIND_STRUCT, 1);

	t->messages = tn_uf_new_stream_class(t, none, "extern");
	add_field(t, type, "text", TN_KIND_STRING, 0, 10);
	t->message = (uint32_t)t->classes.n;
	tn_uf_add_class(t, t->messages, "external-data", tn_uf_scope(t, type));
}

enum tn_code
tn_uf_finish(struct tn_uf_trace *t, struct tn_error *err)
{
	struct tn_trace *trace = t->trace;
	enum tn_code rc;
	size_t n;

	trace->event_class = TN_NEW_ARRAY(&trace->arena, t->classes.n, struct tn_event_class *);
	if (t->build.failed || !trace->event_class)
		return tn_fail_memory(err);
	for (size_t k = 0; k < trace->n_stream_classes; k++) {
		struct tn_stream_class *sc = trace->stream_class[k];

		if (!(sc->event_class = TN_NEW_ARRAY(&trace->arena, t->classes.n, struct tn_event_class *)))
			return tn_fail_memory(err);
		for (size_t i = 0; i < t->classes.n; i++)
			if (t->classes.item[i]->stream_class == sc)
				sc->event_class[sc->n_event_classes++] = t->classes.item[i];
	}
	memcpy(trace->event_class, t->classes.item, t->classes.n * sizeof *t->classes.item);
	trace->n_event_classes = t->classes.n;
	/* Only the first class, for records of threads, has a plan. */
	n = trace->n_stream_classes;
	trace->n_slots = SIZE_SLOT + 1;
	trace->n_stream_classes = 1;
	rc = tn_plan_compile(trace, err);
	trace->n_stream_classes = n;
	return rc;
}
