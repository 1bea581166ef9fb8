/*
 * read.c - the values of an event
 *
 * Texts that are not in the file in their displayed form (the description, warnings, titles of marks) are in
 * the buffer of the event or in the trace. The buffer is made large enough before its first use, so that
 * pointers into it stay valid.
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/build.h"

#define SHOWN_BYTES 65536	/* limit of shown array elements, and of shown bytes of a string in the text */
#define SHOWN_REST 16		/* limit of shown bytes after the arguments of a known event; in a burst these bytes are filler */
#define WARNING_ROOM 1024

/* The event whose values are being made. */
struct reader {
	struct tn_event *e;
	struct tn_values values;	/* the values made so far */
	const struct tn_ovni_trace *trace;
	const struct tn_ovni_stream *own;
	const uint8_t *head;	/* the event's first byte */
	const uint8_t *data;	/* the payload; for a jumbo event, the part after the size */
	uint64_t size;		/* size of `data` */
	uint64_t bit;		/* position of the payload in the entry */
	bool jumbo;
	char warning[WARNING_ROOM];
	size_t warning_n;
};

static void TN_PRINTF(2, 3)
remark(struct reader *r, const char *format, ...)
{
	va_list ap;
	int n;

	if (r->warning_n && r->warning_n < WARNING_ROOM - 3) {
		memcpy(r->warning + r->warning_n, "; ", 3);
		r->warning_n += 2;
	}
	va_start(ap, format);
	n = vsnprintf(r->warning + r->warning_n, WARNING_ROOM - r->warning_n, format, ap);
	va_end(ap);
	if (n > 0)
		r->warning_n += (size_t)n;
	if (r->warning_n > WARNING_ROOM - 1)
		r->warning_n = WARNING_ROOM - 1;
}

/* ---- arrays ---- */

/* Add bytes [from, size) of the payload as an array of integers of the element's size. */
static void
add_array(struct reader *r, const struct tn_field *field, uint64_t from)
{
	const struct tn_field *element = field->type->field;
	unsigned bytes = (unsigned)(element->type->length / 8);
	uint64_t n = (r->size - from) / bytes;
	unsigned most = bytes == 1 && field != r->trace->unknown_bytes ? SHOWN_REST : SHOWN_BYTES;
	size_t at = tn_values_begin(&r->values, field, r->bit + from * 8);

	if (n > most) {
		remark(r, "only %u of %" PRIu64 " elements are shown", most, n);
		n = most;
	}
	for (uint64_t i = 0; i < n && !r->values.failed; i++) {
		const uint8_t *p = r->data + from + i * bytes;
		struct tn_value *v = tn_values_add(&r->values, element, r->bit + (from + i * bytes) * 8);

		v->u = bytes == 1 ? p[0] : r->own->big_endian ? tn_load64_be(p) : tn_load64(p);
	}
	tn_values_end(&r->values, at, n, r->bit + r->size * 8);
}

static uint64_t
number_at(const struct reader *r, uint64_t at, const struct tn_ovni_arg *arg)
{
	uint64_t v = tn_bits(r->data, at * 8, arg->size * 8u, r->own->big_endian);

	return arg->is_signed ? (uint64_t)tn_sign_extend(v, arg->size * 8u) : v;
}

/* ---- the description ---- */

static char *
put_number(char *at, uint64_t v, bool is_signed, bool hex)
{
	char digits[24];
	unsigned n = 0;

	/* printf() with %#llx has no prefix for zero. */
	if (hex && v) {
		*at++ = '0';
		*at++ = 'x';
	} else if (is_signed && (int64_t)v < 0) {
		*at++ = '-';
		v = 0 - v;
	}
	do {
		unsigned d = (unsigned)(hex ? v & 15 : v % 10);

		digits[n++] = "0123456789abcdef"[d];
		v = hex ? v >> 4 : v / 10;
	} while (v);
	while (n)
		*at++ = digits[--n];
	return at;
}

/* @shown: the number of arguments that the event has; later arguments are missing. */
static size_t
print_text(const struct tn_ovni_event *def, const struct tn_value *arg, uint32_t shown, char *out)
{
	char *at = out;

	for (uint32_t i = 0; i < def->n_pieces; i++) {
		const struct tn_ovni_piece *p = &def->piece[i];

		memcpy(at, p->text, p->n);
		at += p->n;
		if (p->arg < 0)
			continue;
		if ((uint32_t)p->arg >= shown) {
			*at++ = '?';
		} else if (def->arg[p->arg].size) {
			at = put_number(at, arg[p->arg].u, def->arg[p->arg].is_signed, p->hex);
		} else {
			size_t n = arg[p->arg].size < SHOWN_BYTES ? (size_t)arg[p->arg].size : SHOWN_BYTES;

			memcpy(at, arg[p->arg].bytes, n);
			at += n;
		}
	}
	return (size_t)(at - out);
}

/* Make space for @n bytes of text, and drop the text that was there. False: memory is out. */
static bool
make_room(struct tn_event *e, size_t n)
{
	void *room;

	e->text_n = 0;
	if (n <= e->text_size)
		return true;
	room = malloc(n);
	if (!room)
		return false;
	free(e->text_room);
	e->text_room = room;
	e->text_size = n;
	return true;
}

static char *
keep(struct tn_event *e, const char *text, size_t n)
{
	char *at = (char *)e->text_room + e->text_n;

	memcpy(at, text, n);
	e->text_n += n;
	return at;
}

/* ---- an event of the catalogue ---- */

/* Read the arguments that fit, one after the other without padding (7). Returns their number. */
static uint32_t
read_arguments(struct reader *r, const struct tn_ovni_event *def, uint64_t *used)
{
	const struct tn_field *field = def->first_arg;
	uint64_t at = 0;
	uint32_t i;

	for (i = 0; i < def->n_args; i++, field++) {
		const struct tn_ovni_arg *arg = &def->arg[i];

		if (arg->size) {
			if (r->size - at < arg->size)
				break;
			tn_values_add(&r->values, field, r->bit + at * 8)->u = number_at(r, at, arg);
			at += arg->size;
		} else {
			uint64_t begin = at;
			const uint8_t *text = r->data + begin;
			size_t n = (size_t)(r->size - at);
			const uint8_t *nul = n ? memchr(text, 0, n) : NULL;

			if (!n)
				break;
			if (!nul)
				remark(r, "%s has no end", arg->name);
			if (nul)
				n = (size_t)(nul - text);
			at += n + (nul != NULL);
			tn_values_string(&r->values, field, text, n, r->bit + begin * 8)->end = r->bit + at * 8;
		}
	}
	*used = at;
	if (i < def->n_args)
		remark(r, "a payload of %" PRIu64 " bytes has no room for %s", r->size, def->arg[i].name);
	return i;
}

/* Read title and label of a mark from stream.json (9), and check the mark (10). Returns the number of members added. */
static unsigned
read_mark(struct reader *r, const struct tn_ovni_event *def, int64_t value, int64_t type)
{
	const struct tn_ovni_mark *mark;
	size_t label;
	bool set = (def->mcv & 0xff) == '=';

	if (r->size != def->args_size)
		remark(r, "a mark of %" PRIu64 " bytes, not %" PRIu32, r->size, def->args_size);
	if (value == 0)
		remark(r, "value 0 is not allowed");
	if (type < 0 || type >= TN_OVNI_MARKS || !r->trace->mark[type].title) {
		remark(r, "mark type %" PRId64 " is not defined", type);
		return 0;
	}
	mark = &r->trace->mark[type];
	if (mark->is_stack == set)
		remark(r, "mark type %" PRId64 " is a %s channel", type, mark->is_stack ? "stack" : "single");
	tn_values_string(&r->values, def->title, mark->title, strlen(mark->title), r->bit);
	label = tn_ovni_label_at(mark, value);
	if (label == mark->labels.n || mark->labels.item[label].value != value)
		return 1;
	tn_values_string(&r->values, def->label, mark->labels.item[label].text, strlen(mark->labels.item[label].text),
			 r->bit);
	return 2;
}

/* Add the names of the hardware counters. Returns the number of members added. */
static unsigned
read_counters(struct reader *r, const struct tn_ovni_event *def)
{
	const char *names = r->trace->counters;

	if (!names)
		return 0;
	if (r->size / 8 != r->trace->n_counters)
		remark(r, "%" PRIu64 " values of %zu hardware counters", r->size / 8, r->trace->n_counters);
	tn_values_string(&r->values, def->title, names, strlen(names), r->bit);
	return 1;
}

const struct tn_ovni_cpu *
tn_ovni_find_cpu(const struct tn_ovni_stream *own, int64_t index)
{
	size_t lo = 0;

	TN_BISECT(lo, own->n_cpus, mid, own->cpu[mid].index < index);
	return lo < own->n_cpus && own->cpu[lo].index == index ? &own->cpu[lo] : NULL;
}

/* Add the physical id of the CPU that an index means. Returns the number of members added. */
static unsigned
read_cpu(struct reader *r, const struct tn_ovni_event *def, int64_t index)
{
	const struct tn_ovni_cpu *cpu = tn_ovni_find_cpu(r->own, index);
	struct tn_value *v;

	if (!cpu)
		return 0;
	v = tn_values_add(&r->values, def->phyid, r->bit);
	v->i = cpu->phyid;
	v->end = v->bit;
	return 1;
}

static void
warn_of_event(struct reader *r, const struct tn_batch *b, size_t i)
{
	const struct tn_ovni_order *order = b->own;

	if (r->head[0] & 0xe0)
		remark(r, "reserved flags 0x%02x", r->head[0] & 0xe0);
	if (r->jumbo && (r->head[0] & 15) != 3)
		remark(r, "size code %u in a jumbo event", r->head[0] & 15);
	if (r->e->cycles > INT64_MAX)
		remark(r, "the highest bit of the clock is set");
	if (b->entry.flags & TN_OVNI_UNSORTED && order && order->runs_back[i / 8] & 1u << i % 8)
		remark(r, "the clock runs back here, outside of a sort region");
	else if (r->e->time_ns < b->refs.item[i].time_ns)
		remark(r, "too late to be put in its place");
	else if (r->e->time_ns > b->refs.item[i].time_ns)
		remark(r, "the clock is ahead of all that follows");
}

static unsigned
add_warning(struct reader *r, const struct tn_field *field)
{
	if (!r->warning_n)
		return 0;
	tn_values_string(&r->values, field, keep(r->e, r->warning, r->warning_n), r->warning_n, r->e->bit);
	return 1;
}

static void
read_known(struct reader *r, const struct tn_ovni_event *def)
{
	size_t root = tn_values_begin(&r->values, def->payload, r->bit), first = root + 2;
	size_t text_n;
	uint64_t used = 0;
	uint32_t shown;
	unsigned more = 0;
	char *text;

	tn_values_string(&r->values, def->text, NULL, 0, r->e->bit);
	shown = read_arguments(r, def, &used);
	if (r->values.failed || !make_room(r->e, def->text_size + SHOWN_BYTES + WARNING_ROOM)) {
		r->values.failed = true;
		return;
	}
	text = r->e->text_room;
	text_n = print_text(def, r->e->value + first, shown, text);
	r->e->text_n = text_n;
	r->e->value[root + 1].bytes = (const uint8_t *)text;
	r->e->value[root + 1].size = text_n;
	if (def->is_mark && shown == 2)
		more += read_mark(r, def, r->e->value[first].i, r->e->value[first + 1].i);
	else if (def->phyid && shown)
		more += read_cpu(r, def, r->e->value[first].i);
	else if (def->title && !def->is_mark)
		more += read_counters(r, def);
	/* The bytes after the last complete argument are shown as bytes. */
	if (used < r->size && !r->values.failed) {
		if ((r->size - used) % (def->rest->type->field->type->length / 8) == 0) {
			add_array(r, def->rest, used);
			more++;
		} else {
			remark(r, "%" PRIu64 " bytes behind the arguments", r->size - used);
		}
	}
	more += add_warning(r, def->warning);
	tn_values_end(&r->values, root, 1 + shown + more, r->bit + r->size * 8);
}

/* Read an event that is not in the catalogue, or whose jumbo flag differs from the catalogue. */
static void
read_unknown(struct reader *r)
{
	size_t root = tn_values_begin(&r->values, r->trace->unknown, r->bit);
	unsigned more;

	if (!make_room(r->e, WARNING_ROOM)) {
		r->values.failed = true;
		return;
	}
	add_array(r, r->trace->unknown_bytes, 0);
	more = add_warning(r, r->trace->unknown_warning);
	tn_values_end(&r->values, root, 1 + more, r->bit + r->size * 8);
}

/* ---- common parts of all events ---- */

static void
read_header(struct reader *r)
{
	const struct tn_field *f = r->trace->header->type->field;
	size_t root = tn_values_begin(&r->values, r->trace->header, r->e->bit);

	for (unsigned i = 0; i < 4; i++)
		tn_values_add(&r->values, &f[i], r->e->bit + i * 8)->u = r->head[i];
	tn_values_add(&r->values, &f[4], r->e->bit + 32)->u = tn_ovni_clock(r->head, r->own->big_endian);
	tn_values_end(&r->values, root, 5, r->e->bit + TN_OVNI_EVENT_HEADER * 8);
}

/* Add a number that is not in the bits of the event. */
static void
add_apart(struct reader *r, const struct tn_field *field, int32_t number)
{
	struct tn_value *v = tn_values_add(&r->values, field, r->e->bit);

	v->i = number;
	v->end = v->bit;
}

/* Read the origin of the event. The stream's bytes do not contain it, so it gets the position of the event. */
static void
read_context(struct reader *r)
{
	const struct tn_field *f = r->trace->context->type->field;
	size_t root = tn_values_begin(&r->values, r->trace->context, r->e->bit);
	unsigned n = 0;

	if (r->own->loom) {
		tn_values_string(&r->values, &f[0], r->own->loom, r->own->loom_n, r->e->bit);
		n++;
	}
	if (r->own->has_pid) {
		add_apart(r, &f[1], r->own->pid);
		n++;
	}
	if (r->own->has_tid) {
		add_apart(r, &f[2], r->own->tid);
		n++;
	}
	if (r->own->app_id > 0) {
		add_apart(r, &f[3], r->own->app_id);
		n++;
	}
	if (r->own->rank >= 0) {
		add_apart(r, &f[4], r->own->rank);
		n++;
	}
	if (r->own->n_ranks >= 0) {
		add_apart(r, &f[5], r->own->n_ranks);
		n++;
	}
	if (r->own->cpu_text) {
		tn_values_string(&r->values, &f[6], r->own->cpu_text, r->own->cpu_text_n, r->e->bit);
		n++;
	}
	tn_values_end(&r->values, root, n, r->e->bit);
}

void
tn_ovni_name(char *at, const uint8_t *mcv)
{
	for (unsigned i = 0; i < 3; i++) {
		if (mcv[i] > ' ' && mcv[i] < 0x7f)
			*at++ = (char)mcv[i];
		else
			at += sprintf(at, "\\x%02x", mcv[i]);
	}
	*at = '\0';
}

static void
set_event(const struct tn_batch *b, size_t i, struct tn_event *e, uint64_t at)
{
	const struct tn_stream *s = b->stream;

	e->event_class = s->trace->event_class[b->refs.item[i].event_class];
	e->name = e->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = tn_ovni_clock(b->data + at, ((const struct tn_ovni_stream *)s->own)->big_endian);
	e->time_ns = tn_clock_ns(s->stream_class->clock, e->cycles);
	e->row = b->begin.row + i;
	e->bit = at * 8;
}

enum tn_code
tn_ovni_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_ref *ref = i == TN_READ_PACKET ? NULL : &b->refs.item[i];
	struct reader r = { .e = e, .values.event = e, .trace = b->stream->trace->own, .own = b->stream->own };
	uint64_t at, end_at = b->entry.content_bits / 8, size;
	uint32_t number;

	tn_event_begin(e, b);
	if (i == TN_READ_PACKET)
		return TN_OK;	/* packets do not have scopes */
	at = (b->base_bit + ref->bit) / 8;
	number = ref->event_class - r.own->class_base;
	size = at < end_at ? tn_ovni_event_size(b->data + at, end_at - at, r.own->big_endian) : 0;
	if (!size || number > r.trace->n_events)
		return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu at byte %" PRIu64 ": byte %" PRIu64 ": the event is no longer "
			       "in the file", b->stream->path, b->packet, b->entry.offset,
			       b->entry.offset + at);
	set_event(b, i, e, at);
	e->end_bit = (at + size) * 8;
	r.head = b->data + at;
	r.jumbo = r.head[0] & TN_OVNI_JUMBO;
	r.data = r.head + (r.jumbo ? TN_OVNI_JUMBO_HEADER : TN_OVNI_EVENT_HEADER);
	r.size = size - (uint64_t)(r.data - r.head);
	r.bit = (uint64_t)(r.data - b->data) * 8;
	if (number == r.trace->n_events) {
		tn_ovni_name(e->name_room, r.head + 1);	/* an event that is not in the catalogue has its letters as name */
		e->name = e->name_room;
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER)) {
		e->scope[TN_SCOPE_EVENT_HEADER] = (uint32_t)e->n_values;
		read_header(&r);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT)) {
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
		read_context(&r);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		const struct tn_ovni_event *def = &r.trace->event[number];
		bool odd = number < r.trace->n_events && def->def->jumbo != r.jumbo;

		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		warn_of_event(&r, b, i);
		/* The tracer writes bursts with and without the jumbo flag. */
		if (odd && def->mcv != TN_OVNI_MCV('O', 'B', '.'))
			remark(&r, r.jumbo ? "%s is no jumbo event" : "%s should be a jumbo event", def->def->mcv);
		/* The wrong flag moves the arguments, so they are not read (10). */
		if (odd && def->n_args) {
			read_unknown(&r);
		} else if (number < r.trace->n_events) {
			read_known(&r, def);
		} else {
			read_unknown(&r);
		}
	}
	return r.values.failed ? tn_fail_memory(err) : TN_OK;
}
