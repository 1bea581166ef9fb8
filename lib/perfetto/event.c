/*
 * event.c - rows that are packets: blocks of entries, and the values of track events
 *
 * Each block of entries is a packet of the index.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "perfetto/private.h"

#define MOST_SPLIT 65536	/* limit of packets that begin at a loss */
#define SLOTS 64	/* members of a dictionary that need no allocated memory */

/* ---- index ---- */

static const struct tn_pf_entry *
entry_at(const struct tn_pf_trace *own, uint64_t i)
{
	return (const struct tn_pf_entry *)(const void *)own->entries.data + i;
}

static int64_t
key_of(const struct tn_stream *stream, const struct tn_pf_entry *e)
{
	int64_t ns = tn_clock_ns(stream->stream_class->clock, (uint64_t)e->ns);

	return ns == INT64_MAX ? ns - 1 : ns;
}

enum tn_code
tn_pf_event_extend(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_pf_trace *own = stream->trace->own;
	struct tn_packet_index *ix = &stream->index;
	uint64_t at = ix->n ? (tn_packet_at(ix, ix->n - 1)->offset + tn_packet_at(ix, ix->n - 1)->size_bits / 8) /
			      sizeof(struct tn_pf_entry) : 0;

	for (unsigned step = 0; step < 64 && at < own->n_entries; step++) {
		const struct tn_pf_entry *e = entry_at(own, at);
		uint64_t n = 0, losses = 0;
		struct tn_packet p;

		/* A loss must come before its packet. If there are too many losses, some are reported too early. */
		for (; n < TN_PF_BLOCK && at + n < own->n_entries && (!n || !e[n].is_loss || ix->n >= MOST_SPLIT); n++)
			losses += e[n].is_loss;
		p = (struct tn_packet) {
			.offset = at * sizeof *e, .size_bits = 8 * n * sizeof *e, .content_bits = 8 * n * sizeof *e,
			.begin_cycles = (uint64_t)e->ns, .end_cycles = (uint64_t)e[n - 1].ns, .clock_start = (uint64_t)e->ns,
			.begin_ns = key_of(stream, e), .end_ns = key_of(stream, &e[n - 1]), .discarded = 0,
			.sequence = TN_UNKNOWN, .n_events = n - losses,
			.flags = TN_PACKET_CHECKED | (losses ? TN_PACKET_LOSES : 0),
		};
		at += n;
		if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
			return tn_fail_memory(err);
		ix->packet[ix->n++] = p;
	}
	ix->complete = at >= own->n_entries;
	return TN_OK;
}

/* ---- rows ---- */

enum tn_code
tn_pf_event_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_pf_trace *own = b->stream->trace->own;
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	uint64_t at = b->begin.bit, end = b->entry.content_bits, step = 8 * sizeof(struct tn_pf_entry);
	int64_t key = b->begin.key;

	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	b->base_bit = 0;
	if (!b->begin.bit && !b->begin.row && b->entry.flags & TN_PACKET_LOSES && !tn_pf_put_loss(b))
		return tn_fail_memory(err);
	for (; b->refs.n < limit && at < end; at += step) {
		const struct tn_pf_entry *e = (const struct tn_pf_entry *)(const void *)(b->data + at / 8);

		key = key_of(b->stream, e);
		if (e->is_loss)
			continue;
		b->refs.item[b->refs.n++] = (struct tn_ref) { key, (uint32_t)at, own->classes.item[e->class].event_class->index };
		b->n_events++;
	}
	b->last = at >= end;
	b->end = (struct tn_mark) { at, b->begin.clock, b->begin.row + b->refs.n, key, b->begin.told };
	return TN_OK;
}

/* ---- values ---- */

struct reader {
	struct tn_values values;
	struct tn_event *e;
	const struct tn_pf_trace *own;
	const struct tn_pf_entry *entry;
	const struct tn_pf_class *c;
};

void
tn_pf_put_text(struct tn_values *values, const struct tn_field *field, struct tn_str *s)
{
	struct tn_event *e = values->event;
	size_t n = s->n;
	char *to;

	/* Allocate once for each event, so that texts keep their addresses. */
	if (e->text_size < TN_PF_ROOM && !e->text_n) {
		void *more = realloc(e->text_room, TN_PF_ROOM);

		values->failed |= !more;
		if (more) {
			e->text_room = more;
			e->text_size = TN_PF_ROOM;
		}
	}
	values->failed |= s->failed;
	if (!values->failed) {
		n = n < e->text_size - e->text_n ? n : e->text_size - e->text_n;
		to = (char *)e->text_room + e->text_n;
		if (n)
			memcpy(to, s->text, n);
		tn_values_string(values, field, to, n, e->bit);
		e->text_n += n;
	}
	tn_str_release(s);
}

static void
put_number(struct reader *r, const struct tn_field *f, uint64_t v)
{
	struct tn_value *value = tn_values_add(&r->values, f, r->e->bit);

	value->u = v;
	value->end = value->bit;
}

static void
put_double(struct reader *r, const struct tn_field *f, double v)
{
	struct tn_value *value = tn_values_add(&r->values, f, r->e->bit);

	value->f = v;
	value->end = value->bit;
}

static void
put_string(struct reader *r, const struct tn_field *f, const char *text)
{
	tn_values_string(&r->values, f, text, strlen(text), r->e->bit);
}

/* Put a value as text, because its type differs from that of the field. */
static void
put_as_text(struct reader *r, const struct tn_field *f, const struct tn_pf_note *note)
{
	struct tn_str s = { 0 };

	switch (note->what) {
	case TN_PF_STRING:
		tn_values_string(&r->values, f, note->bytes.p, (size_t)note->bytes.n, r->e->bit);
		return;
	case TN_PF_BOOL: tn_str_puts(&s, note->value ? "true" : "false"); break;
	case TN_PF_UINT: tn_str_printf(&s, "%" PRIu64, note->value); break;
	case TN_PF_SINT: tn_str_printf(&s, "%" PRId64, (int64_t)note->value); break;
	case TN_PF_DOUBLE: tn_str_printf(&s, "%.17g", tn_pf_double(note->value)); break;
	default: tn_pf_text(&s, note->bytes);
	}
	tn_pf_put_text(&r->values, f, &s);
}

static uint64_t put_notes(struct reader *r, const struct tn_pf_node *node, struct tn_pf_bytes message, uint64_t number);

static void
put_note(struct reader *r, const struct tn_pf_node *node, const struct tn_pf_note *note)
{
	const struct tn_field *f = node->field;
	struct tn_pf_in in = tn_pf_in(note->bytes);
	struct tn_pf_note element;
	struct tn_pf_field field;
	uint64_t n = 0;
	size_t at;

	switch (f->type->kind) {
	case TN_KIND_BOOL: put_number(r, f, note->value != 0); break;
	case TN_KIND_UINT: case TN_KIND_SINT: put_number(r, f, note->value); break;
	case TN_KIND_FLOAT:
		put_double(r, f, note->what == TN_PF_DOUBLE ? tn_pf_double(note->value) :
			   note->what == TN_PF_SINT ? (double)(int64_t)note->value : (double)note->value);
		break;
	case TN_KIND_STRUCT:
		at = tn_values_begin(&r->values, f, r->e->bit);
		n = put_notes(r, node, note->bytes, 11);
		tn_values_end(&r->values, at, n, r->e->bit);
		break;
	case TN_KIND_ARRAY:
		at = tn_values_begin(&r->values, f, r->e->bit);
		while (tn_pf_next(&in, &field)) {
			if (field.number != 12)
				continue;
			tn_pf_note_read(&element, r->own, r->entry->state, r->entry->at, field.bytes);
			put_note(r, node->first, &element);
			n++;
		}
		tn_values_end(&r->values, at, n, r->e->bit);
		break;
	default: put_as_text(r, f, note);
	}
}

/*
 * Put the members of a dictionary, or the annotations of an event, in the order of the fields. Each is put once; of
 * several with one name, the last.
 */
static uint64_t
put_notes(struct reader *r, const struct tn_pf_node *node, struct tn_pf_bytes message, uint64_t number)
{
	struct tn_pf_note few[SLOTS], *slot = few;
	struct tn_pf_in in = tn_pf_in(message);
	const struct tn_pf_node *hint = NULL;
	struct tn_pf_field f;
	uint64_t n = 0;

	if (node->n > SLOTS && !(slot = malloc(node->n * sizeof *slot))) {
		r->values.failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < node->n; i++)
		slot[i].bytes.p = NULL;
	while (tn_pf_next(&in, &f)) {
		struct tn_pf_note note;
		const struct tn_pf_node *m;

		if (f.number != number || f.wire != TN_PF_BYTES)
			continue;
		tn_pf_note_read(&note, r->own, r->entry->state, r->entry->at, f.bytes);
		if ((m = tn_pf_member(node, note.name, hint))) {
			slot[m->index] = note;
			hint = m;
		}
	}
	for (const struct tn_pf_node *m = node->first; m && !r->values.failed; m = m->next)
		if (slot[m->index].bytes.p) {
			put_note(r, m, &slot[m->index]);
			n++;
		}
	if (slot != few)
		free(slot);
	return n;
}

/* Put the numbers of a repeated field that has a new and an old field number. */
static void
put_flows(struct reader *r, const struct tn_field *f, struct tn_pf_bytes message, uint64_t new, uint64_t old)
{
	size_t at = tn_values_begin(&r->values, f, r->e->bit);
	struct tn_pf_in in = tn_pf_in(message), packed;
	struct tn_pf_field field;
	uint64_t n = 0;

	while (tn_pf_next(&in, &field)) {
		if (field.number != new && field.number != old)
			continue;
		if (field.wire != TN_PF_BYTES) {
			put_number(r, &f->type->field[0], field.value);
			n++;
			continue;
		}
		for (packed = tn_pf_in(field.bytes); packed.p < packed.end && !packed.bad; n++) {
			bool fixed = field.number == new;

			if (fixed && packed.end - packed.p < 8)
				break;
			put_number(r, &f->type->field[0], fixed ? tn_load64(packed.p) : tn_pf_varint(&packed));
			packed.p += fixed ? 8 : 0;
		}
	}
	tn_values_end(&r->values, at, n, r->e->bit);
}

static uint64_t
legacy_duration(struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field f;
	uint64_t us = 0;

	while (tn_pf_next(&in, &f))
		us = f.number == 3 ? f.value : us;
	return us < INT64_MAX / 1000 ? us * 1000 : 0;
}

/* The parts of a track event except its annotations. */
struct parts {
	uint64_t value, name_iid;
	bool has_value, is_double;
	struct tn_pf_bytes name, legacy;
};

static void
read_parts(struct parts *out, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field f;

	*out = (struct parts) { .name = { body.p, 0 }, .legacy = { body.p, 0 } };
	while (tn_pf_next(&in, &f)) {
		if (f.number == 30 || f.number == 44) {
			out->value = f.value;
			out->is_double = f.number == 44;
			out->has_value = true;
		}
		out->name_iid = f.number == 10 ? f.value : out->name_iid;
		out->name = f.number == 23 ? f.bytes : out->name;
		out->legacy = f.number == 6 ? f.bytes : out->legacy;
	}
}

/* Read the values in the order of build_packet_payload() (model.c). */
static void
read_event(struct reader *r, const struct tn_pf_packet *p)
{
	const struct tn_field *root = r->c->event_class->payload, *f = root->type->field;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	struct parts parts;
	uint64_t n = 0;

	read_parts(&parts, p->body);
	if (r->c->type == 'X') {
		put_number(r, f++, legacy_duration(parts.legacy));
		n++;
	}
	if (r->c->is_other) {
		if (!parts.name.n)
			parts.name = tn_pf_interned(r->own, r->entry->state, TN_PF_EVENT_NAME, parts.name_iid, r->entry->at);
		tn_values_string(&r->values, f++, parts.name.p, (size_t)parts.name.n, r->e->bit);
		n++;
	}
	if (r->c->has & (TN_PF_HAS_INT | TN_PF_HAS_DOUBLE)) {
		if (parts.has_value && f->type->kind == TN_KIND_FLOAT)
			put_double(r, f, parts.is_double ? tn_pf_double(parts.value) : (double)(int64_t)parts.value);
		else if (parts.has_value)
			put_number(r, f, parts.value);
		n += parts.has_value;
		f++;
	}
	if (r->c->has & TN_PF_HAS_FLOW) {
		put_flows(r, f++, p->body, 47, 36);
		n++;
	}
	if (r->c->has & TN_PF_HAS_END_FLOW) {
		put_flows(r, f++, p->body, 48, 42);
		n++;
	}
	n += put_notes(r, &r->c->notes, p->body, 4);
	tn_values_end(&r->values, at, n, r->e->bit);
}

static void
read_other(struct reader *r, const struct tn_pf_packet *p)
{
	const struct tn_field *root = r->c->event_class->payload;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	struct tn_str s = { 0 };

	tn_pf_text(&s, p->body);
	tn_pf_put_text(&r->values, &root->type->field[0], &s);
	tn_values_end(&r->values, at, 1, r->e->bit);
}

static bool
put_categories(struct reader *r, const struct tn_field *f, const struct tn_pf_packet *p)
{
	struct tn_pf_in in = tn_pf_in(p->body), packed;
	struct tn_str s = { 0 };
	struct tn_pf_field field;

	while (tn_pf_next(&in, &field)) {
		struct tn_pf_bytes text = field.bytes;

		if (field.number != 3 && field.number != 22)
			continue;
		packed = tn_pf_in(field.bytes);
		do {
			uint64_t iid = field.number == 3 && field.wire == TN_PF_BYTES ? tn_pf_varint(&packed) : field.value;

			if (field.number == 3)
				text = tn_pf_interned(r->own, r->entry->state, TN_PF_CATEGORY, iid, r->entry->at);
			if (s.n + text.n > 1024)
				break;
			if (s.n && text.n)
				tn_str_puts(&s, ",");
			tn_str_add(&s, text.p, (size_t)text.n);
		} while (field.number == 3 && packed.p < packed.end && !packed.bad);
	}
	if (!s.n) {
		tn_str_release(&s);
		return false;
	}
	tn_pf_put_text(&r->values, f, &s);
	return true;
}

static void
read_context(struct reader *r, const struct tn_pf_packet *p)
{
	const struct tn_field *root = r->own->track, *f = root->type->field;
	const struct tn_pf_track *t = r->entry->track && r->c->type != 'P' ? &r->own->tracks.item[r->entry->track - 1] : NULL;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	uint64_t n = 1;

	put_number(r, &f[0], p->sequence);
	if (t) {
		put_number(r, &f[1], t->uuid);
		n++;
	}
	if (t && t->name) {
		put_string(r, &f[2], t->name);
		n++;
	}
	n += t && put_categories(r, &f[3], p);
	if (t && t->pid >= 0) {
		put_number(r, &f[4], (uint64_t)t->pid);
		n++;
	}
	if (t && t->tid >= 0) {
		put_number(r, &f[5], (uint64_t)t->tid);
		n++;
	}
	if (t && t->process) {
		put_string(r, &f[6], t->process);
		n++;
	}
	if (t && t->thread) {
		put_string(r, &f[7], t->thread);
		n++;
	}
	tn_values_end(&r->values, at, n, r->e->bit);
}

/* Get the packet that contains the bytes at @at, which the scan has read: its length is before them. */
static bool
packet_of(struct tn_pf_packet *out, const struct tn_pf_trace *own, uint64_t at)
{
	/* Find the byte before @at at which field 1 of the file begins: a key, and a length of at most ten bytes. */
	for (uint64_t back = 2; back <= 11 && back <= at; back++)
		if (own->data[at - back] == 0x0a && tn_pf_packet_at(out, own->data, at - back, own->size) && out->at == at)
			return true;
	return false;
}

enum tn_code
tn_pf_event_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	struct reader r = { .values.event = e, .e = e, .own = b->stream->trace->own };
	const struct tn_ref *ref = i == TN_READ_PACKET ? NULL : &b->refs.item[i];
	struct tn_pf_packet p;

	tn_event_begin(e, b);
	if (!ref)
		return TN_OK;
	r.entry = (const struct tn_pf_entry *)(const void *)(b->data + (b->base_bit + ref->bit) / 8);
	r.c = &r.own->classes.item[r.entry->class];
	e->event_class = r.c->event_class;
	e->name = e->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = (uint64_t)r.entry->ns;
	e->time_ns = tn_clock_ns(b->stream->stream_class->clock, e->cycles);
	e->row = b->begin.row + i;
	e->bit = b->base_bit + ref->bit;
	e->end_bit = e->bit + 8 * sizeof *r.entry;
	if (!(scopes & (TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT) | TN_SCOPE_BIT(TN_SCOPE_PAYLOAD))))
		return TN_OK;
	/* The file may have changed since the scan. */
	if (!packet_of(&p, r.own, r.entry->at) || tn_map_torn(&r.own->map))
		return tn_fail(err, TN_ERR_FORMAT, "%s: byte %" PRIu64 ": the event is no longer in the file", b->stream->path,
			       r.entry->at);
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT)) {
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
		read_context(&r, &p);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		if (r.c->type == 'P')
			read_other(&r, &p);
		else
			read_event(&r, &p);
	}
	return r.values.failed ? tn_fail_memory(err) : TN_OK;
}
