/*
 * model.c - the catalogue as types: one event class for each of its events, and one for all others
 *
 * The payload of an event has the parts of the text line: the text, the arguments by name, and optional parts:
 * title and label of a mark, bytes after the arguments, a warning. The classes of all stream classes share
 * these types.
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/build.h"

struct builder {
	struct tn_builder b;
	struct tn_ovni_trace *own;
};

/* Make a string that ends with a NUL, or whose text tnav makes. */
static struct tn_type *
new_string(struct builder *b)
{
	struct tn_type *t = tn_build_type(&b->b, TN_KIND_STRING, 0);

	if (t)
		t->extent = TN_EXTENT_TERMINATED;
	return t;
}

static struct tn_type *
new_integer(struct builder *b, enum tn_kind kind, unsigned bits, unsigned base)
{
	struct tn_type *t = tn_build_type(&b->b, kind, bits);

	if (t)
		t->base = (uint8_t)base;
	return t;
}

/* Make an array of integers. */
static struct tn_type *
new_array(struct builder *b, enum tn_kind kind, unsigned bits, unsigned base)
{
	return tn_build_array(&b->b, new_integer(b, kind, bits, base));
}

/* Make a root with space for @n members, which add_member() adds. */
static struct tn_field *
new_root(struct builder *b, size_t n)
{
	return tn_build_root(&b->b, tn_build_compound(&b->b, TN_KIND_STRUCT, n));
}

static struct tn_field *
add_member(struct builder *b, struct tn_field *root, const char *name, struct tn_type *type)
{
	return tn_build_field(&b->b, root ? root->type : NULL, name, type);
}

static void
number(struct builder *b, struct tn_field *root)
{
	if (!b->b.failed)
		tn_field_number(root, &b->b.trace->n_fields);
}

/* Parse the text of arguments, such as "u32:taskid,str:label". */
static void
parse_arguments(struct builder *b, struct tn_ovni_event *e)
{
	for (const char *at = e->def->arguments; *at;) {
		size_t n = strcspn(at, ","), type = strcspn(at, ":");
		struct tn_ovni_arg *arg = &e->arg[e->n_args++];

		arg->is_signed = at[0] == 'i';
		arg->size = at[0] == 's' ? 0 : (uint8_t)(atoi(at + 1) / 8);
		arg->name = tn_arena_copy(&b->b.trace->arena, at + type + 1, n - type - 1);
		b->b.failed |= !arg->name;
		e->args_size += arg->size;
		at += n + (at[n] == ',');
	}
}

/* Parse a description, such as "task {taskid} is done" or "tag {#tag}". */
static void
parse_description(struct builder *b, struct tn_ovni_event *e)
{
	const char *at = e->def->description;

	e->text_size = strlen(at);
	do {
		struct tn_ovni_piece *piece = &e->piece[e->n_pieces++];
		size_t n;

		piece->text = at;
		piece->n = (uint32_t)strcspn(at, "{");
		piece->arg = -1;
		at += piece->n;
		if (!*at)
			break;
		at++;
		piece->hex = *at == '#';
		at += piece->hex;
		n = strcspn(at, "}");
		for (uint32_t i = 0; i < e->n_args && !b->b.failed; i++)
			if (strncmp(e->arg[i].name, at, n) == 0 && !e->arg[i].name[n])
				piece->arg = (int)i;
		at += n + 1;
		e->text_size += 24;	/* characters of the longest number */
	} while (*at && e->n_pieces <= TN_OVNI_ARGS);
}

static void
build_payload(struct builder *b, struct tn_ovni_event *e)
{
	bool counters = e->mcv == TN_OVNI_MCV('V', 'W', 'C');

	e->payload = new_root(b, e->n_args + 6);
	e->text = add_member(b, e->payload, "text", new_string(b));
	for (uint32_t i = 0; i < e->n_args; i++) {
		const struct tn_ovni_arg *arg = &e->arg[i];
		enum tn_kind kind = arg->is_signed ? TN_KIND_SINT : TN_KIND_UINT;
		struct tn_field *f = add_member(b, e->payload, arg->name,
						arg->size ? new_integer(b, kind, arg->size * 8u, 10) : new_string(b));

		if (i == 0)
			e->first_arg = f;
	}
	if (e->is_mark) {
		e->title = add_member(b, e->payload, "title", new_string(b));
		e->label = add_member(b, e->payload, "label", new_string(b));
	}
	if (!b->b.failed && e->n_args && strcmp(e->arg[0].name, "cpu") == 0)
		e->phyid = add_member(b, e->payload, "phyid", new_integer(b, TN_KIND_SINT, 64, 10));
	if (counters)
		e->title = add_member(b, e->payload, "counters", new_string(b));
	/* Hardware counters: the catalogue names only the first of an array of i64 (7). */
	e->rest = add_member(b, e->payload, "rest",
			     counters ? new_array(b, TN_KIND_SINT, 64, 10) : new_array(b, TN_KIND_UINT, 8, 16));
	e->warning = add_member(b, e->payload, "warning", new_string(b));
	number(b, e->payload);
}

/*
 * Returns the event as it is in the required version of its model; if streams require several versions, in the
 * newest.
 */
static const struct tn_ovni_def *
find_def(const struct tn_ovni_trace *own, const struct tn_ovni_def *def)
{
	for (size_t i = 0; i < tn_ovni_n_olders; i++) {
		const struct tn_ovni_older *older = &tn_ovni_olders[i];

		if (strcmp(older->def.mcv, def->mcv) != 0)
			continue;
		for (size_t m = 0; m < TN_OVNI_MODELS; m++)
			if (tn_ovni_models[m].letter == def->mcv[0] && own->required[m].any &&
			    own->required[m].highest < older->major)
				return &older->def;
	}
	return def;
}

static int
by_mcv(const void *a, const void *b)
{
	uint32_t x = ((const struct tn_ovni_event *)a)->mcv, y = ((const struct tn_ovni_event *)b)->mcv;

	return x < y ? -1 : x > y;
}

/* Make the table that finds numbers of events by their three letters. */
static void
make_rows(struct builder *b)
{
	struct tn_ovni_trace *own = b->own;
	unsigned rows = 0;

	for (size_t i = 0; i < own->n_events; i++) {
		uint32_t mcv = own->event[i].mcv;
		uint8_t *row = &own->row[mcv >> 16][mcv >> 8 & 0xff];

		if (!*row)
			*row = (uint8_t)++rows;
	}
	own->number = tn_arena_alloc(&b->b.trace->arena, (rows + 1) * sizeof *own->number);
	if (!own->number) {
		b->b.failed = true;
		return;
	}
	for (unsigned r = 0; r <= rows; r++)
		for (unsigned v = 0; v < TN_OVNI_LETTERS; v++)
			own->number[r][v] = (uint16_t)own->n_events;
	for (size_t i = 0; i < own->n_events; i++) {
		uint32_t mcv = own->event[i].mcv;

		own->number[own->row[mcv >> 16][mcv >> 8 & 0xff]][mcv & 0xff] = (uint16_t)i;
	}
}

static void
build_events(struct builder *b)
{
	struct tn_ovni_trace *own = b->own;

	own->event = TN_NEW_ARRAY(&b->b.trace->arena, tn_ovni_n_defs, struct tn_ovni_event);
	if (!own->event) {
		b->b.failed = true;
		return;
	}
	own->n_events = tn_ovni_n_defs;
	for (size_t i = 0; i < own->n_events; i++) {
		own->event[i].def = find_def(own, &tn_ovni_defs[i]);
		own->event[i].mcv = tn_ovni_mcv(tn_ovni_defs[i].mcv);
	}
	qsort(own->event, own->n_events, sizeof *own->event, by_mcv);
	make_rows(b);
	for (uint32_t i = 0; i < own->n_events && !b->b.failed; i++) {
		struct tn_ovni_event *e = &own->event[i];

		e->is_mark = e->mcv >> 8 == TN_OVNI_MCV(0, 'O', 'M');
		parse_arguments(b, e);
		parse_description(b, e);
		build_payload(b, e);
	}
}

uint32_t
tn_ovni_find(const struct tn_ovni_trace *t, const uint8_t *event)
{
	uint8_t m = event[1], c = event[2], v = event[3];

	return (m | c | v) < TN_OVNI_LETTERS ? t->number[t->row[m][c]][v] : (uint32_t)t->n_events;
}

/* Hide the field in lines of text, because its value is the same in every line. */
static void
hide(struct tn_field *f)
{
	if (f)
		f->hidden = true;
}

static void
build_common(struct builder *b)
{
	struct tn_ovni_trace *own = b->own;
	struct tn_field *rank;

	own->unknown = new_root(b, 2);
	own->unknown_bytes = add_member(b, own->unknown, "payload", new_array(b, TN_KIND_UINT, 8, 10));
	own->unknown_warning = add_member(b, own->unknown, "warning", new_string(b));
	number(b, own->unknown);

	own->context = new_root(b, 7);
	add_member(b, own->context, "loom", new_string(b));
	add_member(b, own->context, "pid", new_integer(b, TN_KIND_SINT, 32, 10));
	add_member(b, own->context, "tid", new_integer(b, TN_KIND_SINT, 32, 10));
	hide(add_member(b, own->context, "app_id", new_integer(b, TN_KIND_SINT, 32, 10)));
	rank = add_member(b, own->context, "rank", new_integer(b, TN_KIND_SINT, 32, 10));
	if (!own->has_ranks)
		hide(rank);
	hide(add_member(b, own->context, "nranks", new_integer(b, TN_KIND_SINT, 32, 10)));
	hide(add_member(b, own->context, "loom_cpus", new_string(b)));
	number(b, own->context);

	own->header = new_root(b, 5);
	add_member(b, own->header, "flags", new_integer(b, TN_KIND_UINT, 8, 16));
	add_member(b, own->header, "model", new_integer(b, TN_KIND_UINT, 8, 16));
	add_member(b, own->header, "category", new_integer(b, TN_KIND_UINT, 8, 16));
	add_member(b, own->header, "value", new_integer(b, TN_KIND_UINT, 8, 16));
	add_member(b, own->header, "clock", new_integer(b, TN_KIND_UINT, 64, 10));
	number(b, own->header);
}

/* A stream class has one clock. Streams of hosts whose clocks have another offset get another class (6). */
static void
build_stream_class(struct builder *b, size_t i)
{
	struct tn_trace *trace = b->b.trace;
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);
	size_t n = b->own->n_events + 1;
	struct tn_event_class *ec = TN_NEW_ARRAY(&trace->arena, n, struct tn_event_class);

	if (!sc || !ec || !(sc->event_class = TN_NEW_ARRAY(&trace->arena, n, struct tn_event_class *))) {
		b->b.failed = true;
		return;
	}
	trace->stream_class[i] = sc;
	sc->name = "thread";
	sc->trace = trace;
	sc->clock = trace->clock[i];
	sc->event_header = b->own->header;
	sc->common_context = b->own->context;
	sc->n_event_classes = n;
	for (size_t k = 0; k < n; k++) {
		const struct tn_ovni_event *e = k < b->own->n_events ? &b->own->event[k] : NULL;

		/* The class of unknown events does not have a name, because each of its events has another name. */
		ec[k].id = e ? e->mcv : UINT64_C(1) << 24;
		ec[k].index = (uint32_t)(i * n + k);
		ec[k].name = e ? e->def->mcv : NULL;
		ec[k].log_level = -1;
		ec[k].stream_class = sc;
		ec[k].payload = e ? e->payload : b->own->unknown;
		ec[k].description = e ? e->def->description : "an event that is not in the catalogue";
		sc->event_class[k] = trace->event_class[ec[k].index] = &ec[k];
	}
}

static void
tell_of_versions(struct tn_trace *trace)
{
	const struct tn_ovni_trace *own = trace->own;

	for (size_t i = 0; i < TN_OVNI_MODELS; i++)
		if (own->required[i].any && own->required[i].lowest != own->required[i].highest)
			tn_tell(&trace->problems, TN_WARNING, "streams require versions %" PRIu32 " and %" PRIu32 " of model "
				"\"%s\": tnav reads its events with the newest",
				own->required[i].lowest, own->required[i].highest, tn_ovni_models[i].name);
}

enum tn_code
tn_ovni_build(struct tn_trace *trace, struct tn_error *err)
{
	struct builder b = { .b.trace = trace, .own = trace->own };

	tell_of_versions(trace);
	build_events(&b);
	build_common(&b);
	trace->n_stream_classes = trace->n_clocks;
	trace->n_event_classes = trace->n_clocks * (tn_ovni_n_defs + 1);
	trace->stream_class = TN_NEW_ARRAY(&trace->arena, trace->n_clocks, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, trace->n_event_classes, struct tn_event_class *);
	b.b.failed |= !trace->stream_class || !trace->event_class;
	for (size_t i = 0; i < trace->n_clocks && !b.b.failed; i++)
		build_stream_class(&b, i);
	return b.b.failed ? tn_fail_memory(err) : TN_OK;
}
