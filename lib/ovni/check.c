/*
 * check.c - rules that the emulator of the tracer's tools enforces, though the events can be shown (10)
 *
 * One pass over a stream in file order. A rule that is often broken is reported once, with its first place.
 */
#include "ovni/private.h"

#include <inttypes.h>

#include "base/messages.h"

enum rule {
	UNKNOWN_MODEL, NOT_REQUIRED, UNKNOWN_CODE, NOT_JUMBO, JUMBO, SHORT, NO_NUL, MARK_UNDEFINED, MARK_CHANNEL, MARK_ZERO,
	MARK_SIZE, NO_CPU, TOP_BIT, RESERVED, SIZE_CODE, NESTED, NOT_OPEN, NOT_CLOSED, RULES
};

/* After "N events" or "1 event". */
static const char *const what[RULES] = {
	[UNKNOWN_MODEL] = N_("of a model that is not known"),
	[NOT_REQUIRED] = N_("of a model that no stream requires"),
	[UNKNOWN_CODE] = N_("that the model does not have"),
	[NOT_JUMBO] = N_("that must be jumbo, without the jumbo flag"),
	[JUMBO] = N_("that must not be jumbo, with the jumbo flag"),
	[SHORT] = N_("without space for all arguments"),
	[NO_NUL] = N_("whose text does not end with a NUL"),
	[MARK_UNDEFINED] = N_("with a mark type that is not defined"),
	[MARK_CHANNEL] = N_("with a push or pop of a single mark, or a set of a stacked one"),
	[MARK_ZERO] = N_("with the mark value 0"),
	[MARK_SIZE] = N_("with a size other than the 12 bytes of a mark"),
	[NO_CPU] = N_("with the index of a CPU that its loom does not have"),
	[TOP_BIT] = N_("whose clock has the highest bit set"),
	[RESERVED] = N_("with reserved flags"),
	[SIZE_CODE] = N_("with the jumbo flag and a size code other than 3"),
	[NESTED] = N_("that open a sort region inside another"),
	[NOT_OPEN] = N_("that close a sort region that is not open"),
	[NOT_CLOSED] = N_("that open a sort region without its end"),
};

struct check {
	const struct tn_stream *stream;
	const struct tn_ovni_trace *trace;
	const struct tn_ovni_stream *own;
	uint64_t at;		/* position of the event in the file, in bytes */
	bool in_region;
	uint64_t region_at;
	struct broken {
		uint64_t n, first;
		char name[16];
	} broken[RULES];
};

static void
broken(struct check *c, enum rule rule, const uint8_t *event)
{
	struct broken *b = &c->broken[rule];

	if (b->n++)
		return;
	b->first = c->at;
	tn_ovni_name(b->name, event + 1);
}

static void
check_mark(struct check *c, const struct tn_ovni_event *def, const uint8_t *event, const uint8_t *data, uint64_t size)
{
	int64_t value = (int64_t)tn_bits(data, 0, 64, c->own->big_endian);
	int32_t type = (int32_t)tn_ovni_u32(data + 8, c->own->big_endian);
	const struct tn_ovni_mark *mark = type >= 0 && type < TN_OVNI_MARKS ? &c->trace->mark[type] : NULL;

	if (size != def->args_size)
		broken(c, MARK_SIZE, event);
	if (value == 0)
		broken(c, MARK_ZERO, event);
	if (!mark || !mark->title)
		broken(c, MARK_UNDEFINED, event);
	else if (mark->is_stack == ((def->mcv & 0xff) == '='))
		broken(c, MARK_CHANNEL, event);
}

static void
check_arguments(struct check *c, const struct tn_ovni_event *def, const uint8_t *event, const uint8_t *data, uint64_t size)
{
	bool has_text = def->n_args && !def->arg[def->n_args - 1].size;

	if (size < def->args_size + (uint64_t)has_text)
		broken(c, SHORT, event);
	else if (has_text && !memchr(data + def->args_size, 0, (size_t)(size - def->args_size)))
		broken(c, NO_NUL, event);
	else if (def->is_mark)
		check_mark(c, def, event, data, size);
	else if (def->phyid && c->own->n_cpus &&
		 !tn_ovni_find_cpu(c->own, (int32_t)tn_ovni_u32(data, c->own->big_endian)) &&
		 (int32_t)tn_ovni_u32(data, c->own->big_endian) != -1)
		broken(c, NO_CPU, event);
}

static void
check_region(struct check *c, const uint8_t *event)
{
	if (event[1] != 'O' || event[2] != 'U')
		return;
	if (event[3] == '[') {
		if (c->in_region)
			broken(c, NESTED, event);
		else
			c->region_at = c->at;
		c->in_region = true;
	} else if (event[3] == ']') {
		if (!c->in_region)
			broken(c, NOT_OPEN, event);
		c->in_region = false;
	}
}

/* Index in tn_ovni_models; TN_OVNI_MODELS: none. */
static size_t
find_model(uint8_t letter)
{
	size_t i;

	for (i = 0; i < TN_OVNI_MODELS && tn_ovni_models[i].letter != (char)letter; i++)
		;
	return i;
}

static void
check_event(struct check *c, const uint8_t *event, uint64_t all)
{
	bool jumbo = event[0] & TN_OVNI_JUMBO;
	uint64_t head = jumbo ? TN_OVNI_JUMBO_HEADER : TN_OVNI_EVENT_HEADER;
	uint32_t number = tn_ovni_find(c->trace, event);
	const struct tn_ovni_event *def = number < c->trace->n_events ? &c->trace->event[number] : NULL;
	size_t model = find_model(event[1]);

	if (event[0] & 0xe0)
		broken(c, RESERVED, event);
	if (jumbo && (event[0] & 15) != 3)
		broken(c, SIZE_CODE, event);
	if (tn_ovni_clock(event, c->own->big_endian) > INT64_MAX)
		broken(c, TOP_BIT, event);
	check_region(c, event);
	if (model == TN_OVNI_MODELS)
		broken(c, UNKNOWN_MODEL, event);
	else if (c->trace->requires_some && !c->trace->required[model].any)
		broken(c, NOT_REQUIRED, event);
	if (!def) {
		if (model < TN_OVNI_MODELS)
			broken(c, UNKNOWN_CODE, event);
	} else if (def->def->jumbo != jumbo) {
		broken(c, jumbo ? JUMBO : NOT_JUMBO, event);
	} else {
		check_arguments(c, def, event, event + head, all - head);
	}
}

static void
tell(const struct check *c)
{
	for (size_t i = 0; i < RULES; i++) {
		const struct broken *b = &c->broken[i];

		if (b->n)
			/* TRANSLATORS: first the stream, then one of the parts of sentences with "of", "that", "with"... */
			tn_tell(&c->stream->trace->problems, TN_WRONG, P_("%s: %" PRIu64 " event %s; the first is %s at byte %"
				PRIu64, "%s: %" PRIu64 " events %s; the first is %s at byte %" PRIu64, b->n), c->stream->name,
				b->n, _(what[i]), b->name, b->first);
	}
}

enum tn_code
tn_ovni_check(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_map *map = &stream->file[0].map;
	struct check c = {
		.stream = stream, .trace = stream->trace->own, .own = stream->own, .at = TN_OVNI_STREAM_HEADER,
	};
	uint64_t size;

	while ((size = tn_ovni_event_size(map->data + c.at, map->size - c.at, c.own->big_endian))) {
		check_event(&c, map->data + c.at, size);
		c.at += size;
	}
	if (tn_map_torn(map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	if (c.in_region) {
		c.at = c.region_at;
		broken(&c, NOT_CLOSED, map->data + c.at);
	}
	tell(&c);
	return TN_OK;
}
