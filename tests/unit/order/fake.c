#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

#include "set/open.h"

struct fake_trace fake;

static struct fake_trace *
mine(const struct tn_stream *s)
{
	return s->trace->own;
}

static const struct fake_stream *
content(const struct tn_stream *s)
{
	return &mine(s)->stream[(size_t)s->id];
}

static enum tn_probe
fake_probe(const char *path, bool is_folder)
{
	return is_folder && path[0] == '/' ? TN_PROBE_YES : TN_PROBE_NO;
}

static struct tn_field *
add_field(struct tn_arena *a, struct tn_field *at, const char *name, enum tn_kind kind)
{
	at->name = at->label = name;
	at->slot = TN_NO_SLOT;
	at->type = TN_NEW(a, struct tn_type);
	at->type->kind = kind;
	at->type->align = 8;
	at->type->base = 10;
	at->type->ref_slot = TN_NO_SLOT;
	if (kind == TN_KIND_UINT)
		at->type->length = 64;
	if (kind == TN_KIND_STRING) {
		at->type->extent = TN_EXTENT_TERMINATED;
		at->type->encoding = TN_ENCODING_UTF8;
	}
	return at;
}

/* Two stream classes, with and without clock, each with two event classes of { number, text }. */
static void
make_classes(struct tn_trace *t)
{
	struct tn_arena *a = &t->arena;
	static const char *const names[] = { "even", "odd" };

	t->n_clocks = 1;
	t->clock = TN_NEW_ARRAY(a, 1, struct tn_clock *);
	t->clock[0] = TN_NEW(a, struct tn_clock);
	*t->clock[0] = (struct tn_clock) { .name = "c", .frequency = 1000000000, .origin = TN_ORIGIN_UNIX };
	t->n_stream_classes = 2;
	t->stream_class = TN_NEW_ARRAY(a, 2, struct tn_stream_class *);
	t->n_event_classes = 4;
	t->event_class = TN_NEW_ARRAY(a, 4, struct tn_event_class *);
	for (uint32_t i = 0; i < 2; i++) {
		struct tn_stream_class *sc = t->stream_class[i] = TN_NEW(a, struct tn_stream_class);

		sc->id = i;
		sc->trace = t;
		sc->clock = i ? NULL : t->clock[0];
		sc->n_event_classes = 2;
		sc->event_class = &t->event_class[2 * i];
		for (uint32_t k = 0; k < 2; k++) {
			struct tn_event_class *ec = sc->event_class[k] = TN_NEW(a, struct tn_event_class);

			ec->id = k;
			ec->index = 2 * i + k;
			ec->name = names[k];
			ec->log_level = k ? 6 : -1;
			ec->stream_class = sc;
			ec->payload = TN_NEW(a, struct tn_field);
			add_field(a, ec->payload, "fields", TN_KIND_STRUCT);
			ec->payload->type->n_fields = 2;
			ec->payload->type->field = TN_NEW_ARRAY(a, 2, struct tn_field);
			add_field(a, &ec->payload->type->field[0], "number", TN_KIND_UINT);
			add_field(a, &ec->payload->type->field[1], "text", TN_KIND_STRING);
			tn_field_number(ec->payload, &t->n_fields);
		}
	}
}

static enum tn_code
fake_open_trace(struct tn_trace *t, struct tn_error *err)
{
	struct fake_trace *own = TN_NEW(&t->arena, struct fake_trace);

	(void)err;
	*own = fake;
	t->own = own;
	t->format = "fake";
	make_classes(t);
	t->n_streams = own->n;
	t->stream = TN_NEW_ARRAY(&t->arena, own->n, struct tn_stream *);
	for (size_t i = 0; i < own->n; i++) {
		struct tn_stream *s = t->stream[i] = TN_NEW(&t->arena, struct tn_stream);

		s->trace = t;
		s->stream_class = t->stream_class[own->stream[i].no_clock];
		s->id = i;
		s->path = s->name = "fake";
		s->size = own->size ? own->size : 16;
		s->file = TN_NEW(&t->arena, struct tn_stream_file);
		s->file->path = "fake";
		s->n_files = 1;
		if (own->file ? tn_map_open(&s->file->map, own->file, NULL) < 0
			      : tn_map_memory(&s->file->map, "0123456789abcdef", 16, NULL) < 0)
			abort();
	}
	return TN_OK;
}

/* The merge key of the last row before packet @n. */
static int64_t
key_before(const struct fake_stream *s, size_t n)
{
	int64_t key = INT64_MIN;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < s->packet[i].n; k++)
			if (s->packet[i].row[k].time_ns > key)
				key = s->packet[i].row[k].time_ns;
	return key;
}

static enum tn_code
fake_extend(struct tn_stream *s, struct tn_error *err)
{
	const struct fake_stream *c = content(s);
	size_t by = mine(s)->extend_by ? mine(s)->extend_by : c->n;

	(void)err;
	__atomic_add_fetch(&fake.extends, 1, __ATOMIC_RELAXED);
	for (; by && s->index.n < c->n; by--) {
		size_t i = s->index.n;
		struct tn_packet *p;

		if (!tn_array_reserve((void **)&s->index.packet, &s->index.room, i + 1 - s->index.n_dropped, sizeof *p))
			return TN_ERR_MEMORY;
		p = tn_packet_at(&s->index, i);
		*p = (struct tn_packet) {
			.size_bits = 128, .content_bits = 128, .begin_cycles = TN_UNKNOWN, .end_cycles = TN_UNKNOWN,
			.discarded = TN_UNKNOWN, .sequence = TN_UNKNOWN, .n_events = TN_UNKNOWN,
			.begin_ns = INT64_MIN, .end_ns = INT64_MAX,
		};
		/* The notices are in the rows alone: an entry that knew its number would not say that they are there. */
		for (size_t k = 0; k < c->packet[i].n; k++)
			p->flags |= c->packet[i].row[k].is_notice ? TN_PACKET_BREAK : 0;
		if (!c->no_clock) {
			p->begin_ns = key_before(c, i);
			if (c->packet[i].n && c->packet[i].row[0].time_ns > p->begin_ns)
				p->begin_ns = c->packet[i].row[0].time_ns;
			if (i + 1 < c->n || fake.ends)
				p->end_ns = key_before(c, i + 1);
		}
		s->index.n++;
	}
	if (s->index.n == c->n)
		s->index.complete = true;
	return TN_OK;
}

/* A mark's bit is its row + 1. */
static enum tn_code
fake_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct fake_packet *p = &content(b->stream)->packet[b->packet];
	size_t limit = b->limit ? b->limit : TN_BATCH_REFS, i = (size_t)b->begin.row;
	int64_t key = b->begin.key;

	(void)err;
	__atomic_add_fetch(&fake.walks, 1, __ATOMIC_RELAXED);
	*(volatile const uint8_t *)&b->stream->file->map.data[b->stream->file->map.size - 1];
	if (mine(b->stream)->walk_rows && limit > mine(b->stream)->walk_rows)
		limit = mine(b->stream)->walk_rows;
	for (; limit && i < p->n; limit--, i++) {
		int64_t time = p->row[i].time_ns;

		if (time > key)
			key = time;
		if (p->row[i].is_notice) {
			struct tn_notice n = { .kind = TN_ROW_LOST_EVENTS, .count = i };

			if (!tn_batch_notice(b, key, &n))
				return TN_ERR_MEMORY;
		} else {
			struct tn_ref *ref = TN_ARRAY_ADD(&b->refs);

			if (!ref)
				return TN_ERR_MEMORY;
			*ref = (struct tn_ref) { key, (uint32_t)i, (uint32_t)(i & 1) };
			if (content(b->stream)->no_clock)
				ref->event_class += 2;
			b->n_events++;
		}
		if (!b->cycles) {
			b->cycles = calloc(TN_BATCH_REFS, sizeof *b->cycles);
			b->cycles_room = TN_BATCH_REFS;
		}
		b->cycles[b->refs.n - 1] = (uint64_t)time;
	}
	b->end = (struct tn_mark) { .bit = i + 1, .row = i, .key = key };
	b->last = i == p->n;
	return TN_OK;
}

static enum tn_code
fake_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_ref *ref = &b->refs.item[i];
	const struct tn_event_class *ec = b->stream->trace->event_class[ref->event_class];
	const char *name = mine(b->stream)->name;
	struct tn_value *v;

	(void)err;
	e->stream = b->stream;
	e->event_class = ec;
	e->name = ec->name;
	e->has_time = e->has_cycles = b->stream->stream_class->clock != NULL;
	e->time_ns = tn_batch_time(b, i);
	e->cycles = tn_batch_cycles(b, i);
	e->packet = b->packet;
	e->row = b->begin.row + i;
	e->n_values = 0;
	for (unsigned k = 0; k < TN_SCOPES; k++)
		e->scope[k] = UINT32_MAX;
	if (!(scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)))
		return TN_OK;
	if (!e->text_room) {
		e->text_room = malloc(64);
		e->text_size = 64;
	}
	e->text_n = (size_t)snprintf(e->text_room, 64, "row %u", ref->bit);
	e->scope[TN_SCOPE_PAYLOAD] = 0;
	v = tn_event_add(e);
	*v = (struct tn_value) { .field = ec->payload, .n = 2, .next = 3 };
	v = tn_event_add(e);
	*v = (struct tn_value) {
		.field = &ec->payload->type->field[0], .u = b->packet * 1000 + ref->bit, .next = 1
	};
	v = tn_event_add(e);
	*v = (struct tn_value) {
		.field = &ec->payload->type->field[1], .next = 1,
		.bytes = (const uint8_t *)(name ? name : (const char *)e->text_room),
		.size = name ? strlen(name) : e->text_n,
	};
	return TN_OK;
}

const struct tn_format fake_format = {
	.name = "fake", .probe = fake_probe, .open = fake_open_trace, .extend = fake_extend, .walk = fake_walk,
	.read = fake_read,
};

struct tn_set *
fake_open(void)
{
	static const struct tn_format *const formats[] = { &fake_format, NULL };
	static const struct tn_open_options options = { TN_OPEN_OPTIONS, .no_index_cache = true };
	const char *path = "/";
	struct tn_error err;
	struct tn_set *set;

	if (tn_set_open_formats(&set, formats, &path, 1, &options, &err) < 0) {
		fprintf(stderr, "fake: %s\n", err.text);
		abort();
	}
	return set;
}

static int
by_location(const void *a, const void *b)
{
	const struct fake_place *x = a, *y = b;

	return tn_location_compare(&x->at, &y->at);
}

size_t
fake_order(struct fake_place **out)
{
	TN_ARRAY(struct fake_place) all = { 0 };

	for (size_t s = 0; s < fake.n; s++) {
		int64_t key = INT64_MIN;

		for (size_t p = 0; p < fake.stream[s].n; p++) {
			const struct fake_packet *packet = &fake.stream[s].packet[p];

			for (size_t i = 0; i < packet->n; i++) {
				struct fake_place *place = TN_ARRAY_ADD(&all);

				if (packet->row[i].time_ns > key && !fake.stream[s].no_clock)
					key = packet->row[i].time_ns;
				place->at = (struct tn_location) { key, (uint32_t)s, (uint32_t)p, i };
				place->shown_ns = packet->row[i].time_ns;
				place->is_notice = packet->row[i].is_notice;
			}
		}
	}
	if (all.n)
		qsort(all.item, all.n, sizeof *all.item, by_location);
	*out = all.item;
	return all.n;
}

static unsigned
next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16 & 0x7fff;
}

void
fake_random(unsigned seed, size_t n_streams, size_t n_packets, size_t n_rows, unsigned ties, unsigned back)
{
	static struct fake_stream streams[64];
	static struct fake_packet packets[4096];
	static struct fake_row rows[1 << 16];
	size_t used_packets = 0, used_rows = 0;

	for (size_t s = 0; s < n_streams; s++) {
		int64_t time = 1000 + next_random(&seed) % 50;

		streams[s] = (struct fake_stream) { &packets[used_packets], n_packets, next_random(&seed) % 13 == 0 };
		/* Streams without clock come after those with one: ranks go by stream class. */
		if (s && streams[s - 1].no_clock)
			streams[s].no_clock = true;
		for (size_t p = 0; p < n_packets; p++) {
			size_t n = next_random(&seed) % 5 == 0 ? 0 : next_random(&seed) % (2 * n_rows + 1);

			if (used_rows + n > sizeof rows / sizeof *rows)
				abort();
			packets[used_packets++] = (struct fake_packet) { &rows[used_rows], n };
			for (size_t i = 0; i < n; i++) {
				unsigned kind = next_random(&seed) % 10;

				if (kind >= ties + back)
					time += 1 + next_random(&seed) % 20;
				rows[used_rows].time_ns = kind >= ties && kind < ties + back ? time - 15 : time;
				rows[used_rows++].is_notice = next_random(&seed) % 12 == 0;
			}
		}
	}
	fake = (struct fake_trace) { .stream = streams, .n = n_streams };
}
