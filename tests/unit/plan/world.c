#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "plan/machine.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

/* ---- a small generator of numbers ---- */

static uint64_t seed;

void
world_seed(uint64_t s)
{
	seed = s;
}

uint32_t
dice(uint32_t sides)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % sides;
}

/* ---- types ---- */


static void make_type(struct world *w, struct tn_field *f, unsigned depth);

static const char *const names[] = { "a", "_b", "counter", "a_name_that_is_longer_than_one_chunk_of_thirty_two", "x", "" };
/* Mostly different ones, of few: two classes have some in common, in another order. */
static const char *const more_names[] = { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11" };

static void
make_field(struct world *w, struct tn_field *f, unsigned depth)
{
	f->name = dice(3) ? more_names[dice(ROWS(more_names))] : names[dice(ROWS(names))];
	f->label = f->name + (f->name[0] == '_');
	f->slot = TN_NO_SLOT;
	f->hidden = depth && dice(8) == 0;
	f->type = TN_NEW(&w->trace.arena, struct tn_type);
	f->type->align = 1;
	f->type->ref_slot = TN_NO_SLOT;
	make_type(w, f, depth);
}

static void
make_integer(struct world *w, struct tn_type *t)
{
	static const uint8_t bases[] = { 10, 10, 10, 16, 16, 8, 2 };
	static const struct tn_range one = { 1, 1 }, few = { 2, 9 }, minus = { UINT64_C(0xfffffffffffffffe), UINT64_C(0xffffffffffffffff) },
		many = { 5, 300 };
	static const struct tn_mapping labels[] = {
		{ "ONE", &one, 1 }, { "FEW \"?\"", &few, 1 }, { "MINUS", &minus, 1 }, { "MANY", &many, 1 },
	};
	static const uint64_t sizes[] = { 8, 16, 32, 64, 1, 5, 27, 33, 61, 63, 72, 130 };

	t->kind = dice(2) ? TN_KIND_UINT : TN_KIND_SINT;
	t->length = sizes[dice(ROWS(sizes))];
	t->base = bases[dice(ROWS(bases))];
	t->big_endian = w->trace.big_endian;
	t->align = t->length % 8 == 0 && dice(4) ? 8 : 1;
	if (dice(5) == 0) {
		t->mapping = labels;
		t->n_mappings = ROWS(labels);
	}
}

static void
make_leaf(struct world *w, struct tn_type *t)
{
	static const struct tn_range b0 = { 0, 0 }, b3 = { 2, 5 };
	static const struct tn_mapping flags[] = { { "ZERO", &b0, 1 }, { "A", &b3, 1 } };

	switch (dice(10)) {
	case 0:
		t->kind = TN_KIND_STRING;
		t->align = 8;
		t->extent = TN_EXTENT_TERMINATED;
		break;
	case 1:
		t->kind = TN_KIND_STRING;
		t->align = 8;
		t->extent = TN_EXTENT_STATIC;
		t->length = dice(40);
		break;
	case 2:
		t->kind = TN_KIND_FLOAT;
		t->align = 8;
		t->length = dice(2) ? 32 : 64;
		t->big_endian = w->trace.big_endian;
		break;
	case 3:
		t->kind = TN_KIND_BLOB;
		t->align = 8;
		t->extent = TN_EXTENT_STATIC;
		t->length = dice(20);
		break;
	case 4:
		t->kind = TN_KIND_BOOL + dice(3);
		t->length = 1 + dice(64);
		t->big_endian = w->trace.big_endian;
		t->base = 16;
		if (t->kind == TN_KIND_BITMAP) {
			t->mapping = flags;
			t->n_mappings = ROWS(flags);
		}
		break;
	case 5:
		t->kind = dice(2) ? TN_KIND_UINT : TN_KIND_SINT;
		t->varint = true;
		t->align = 8;
		t->base = dice(2) ? 10 : 16;
		break;
	default:
		make_integer(w, t);
		break;
	}
}

/* A member that a later one refers to. */
static int32_t
make_selector(struct world *w, struct tn_field *f)
{
	make_field(w, f, 99);
	*f->type = (struct tn_type) { .kind = TN_KIND_UINT, .length = 3, .align = 1, .base = 10, .ref_slot = TN_NO_SLOT,
				      .big_endian = w->trace.big_endian };
	f->slot = w->next_slot++;
	return f->slot;
}

static struct tn_field *
make_fields(struct world *w, struct tn_type *t, size_t n)
{
	t->field = TN_NEW_ARRAY(&w->trace.arena, n + 1, struct tn_field);
	t->n_fields = n;
	return t->field;
}

static void
make_struct(struct world *w, struct tn_type *t, unsigned depth)
{
	size_t n = dice(5);
	struct tn_field *f = make_fields(w, t, n + 2);

	t->kind = TN_KIND_STRUCT;
	t->n_fields = 0;
	for (size_t i = 0; i < n; i++, f++) {
		/* Now and then a pair: a length or a tag, and what uses it. */
		if (i + 1 < n && dice(3) == 0) {
			int32_t slot = make_selector(w, f);
			struct tn_type *user;
			static const struct tn_range low = { 0, 2 }, high = { 3, 7 };

			f++;
			i++;
			make_field(w, f, 99);
			user = f->type;
			*user = (struct tn_type) { .align = 1, .ref_slot = slot };
			switch (dice(3)) {
			case 0:
				user->kind = TN_KIND_ARRAY;
				user->extent = TN_EXTENT_DYNAMIC;
				make_field(w, make_fields(w, user, 1), depth + 1);
				user->align = user->field[0].type->align;
				break;
			case 1:
				user->kind = TN_KIND_VARIANT;
				make_fields(w, user, 2);
				make_field(w, &user->field[0], depth + 1);
				make_field(w, &user->field[1], depth + 1);
				user->field[0].range = &low;
				user->field[1].range = &high;
				user->field[0].n_ranges = user->field[1].n_ranges = 1;
				break;
			default:
				user->kind = TN_KIND_OPTIONAL;
				make_field(w, make_fields(w, user, 1), depth + 1);
				break;
			}
		} else {
			make_field(w, f, depth + 1);
		}
	}
	t->n_fields = n;
}

static void
make_type(struct world *w, struct tn_field *f, unsigned depth)
{
	struct tn_type *t = f->type;

	if (depth == 0 || (depth < 4 && dice(4) == 0)) {
		make_struct(w, t, depth);
	} else if (depth < 4 && dice(5) == 0) {
		t->kind = TN_KIND_ARRAY;
		t->extent = TN_EXTENT_STATIC;
		t->length = dice(5);
		make_field(w, make_fields(w, t, 1), depth + 1);
	} else {
		make_leaf(w, t);
	}
	for (size_t i = 0; i < t->n_fields; i++)
		t->align = t->kind != TN_KIND_VARIANT && t->kind != TN_KIND_OPTIONAL && t->field[i].type->align > t->align ?
			   t->field[i].type->align : t->align;
}

static struct tn_field *
make_root(struct world *w)
{
	struct tn_field *root;

	if (dice(4) == 0)
		return NULL;
	root = TN_NEW(&w->trace.arena, struct tn_field);
	make_field(w, root, 0);
	root->name = root->label = "";
	root->hidden = false;
	tn_field_number(root, &w->next_id);
	tn_field_hide_empty(root);
	return root;
}

/* ---- the headers that LTTng writes ---- */

static void
make_uint(struct world *w, struct tn_field *f, unsigned bits, unsigned align, uint32_t roles)
{
	make_field(w, f, 99);
	f->hidden = false;
	*f->type = (struct tn_type) { .kind = TN_KIND_UINT, .length = bits, .align = align, .base = 10, .roles = roles,
				      .ref_slot = TN_NO_SLOT, .big_endian = w->trace.big_endian };
}

static struct tn_type *
make_compound(struct world *w, struct tn_field *f, enum tn_kind kind, size_t n, unsigned align)
{
	make_field(w, f, 99);
	f->hidden = false;
	*f->type = (struct tn_type) { .kind = kind, .align = align, .ref_slot = TN_NO_SLOT };
	make_fields(w, f->type, n);
	return f->type;
}

static struct tn_field *
make_header(struct world *w, unsigned id_bits, unsigned align)
{
	static const struct tn_range compact5 = { 0, 30 }, extended5 = { 31, 31 }, compact16 = { 0, 65534 }, extended16 = { 65535, 65535 };
	struct tn_field *root = TN_NEW(&w->trace.arena, struct tn_field);
	struct tn_type *t = make_compound(w, root, TN_KIND_STRUCT, 2, align), *v, *o;

	make_uint(w, &t->field[0], id_bits, id_bits == 5 ? 1 : align, TN_ROLE_EVENT_CLASS_ID);
	t->field[0].slot = w->next_slot++;
	v = make_compound(w, &t->field[1], TN_KIND_VARIANT, 2, 1);
	v->ref_slot = t->field[0].slot;
	o = make_compound(w, &v->field[0], TN_KIND_STRUCT, 1, id_bits == 5 ? 1 : align);
	make_uint(w, &o->field[0], id_bits == 5 ? 27 : 32, id_bits == 5 ? 1 : align, TN_ROLE_CLOCK);
	v->field[0].range = id_bits == 5 ? &compact5 : &compact16;
	o = make_compound(w, &v->field[1], TN_KIND_STRUCT, 2, align);
	make_uint(w, &o->field[0], 32, align, TN_ROLE_EVENT_CLASS_ID);
	make_uint(w, &o->field[1], 64, align, TN_ROLE_CLOCK);
	v->field[1].range = id_bits == 5 ? &extended5 : &extended16;
	v->field[0].n_ranges = v->field[1].n_ranges = 1;
	root->name = root->label = "";
	tn_field_number(root, &w->next_id);
	return root;
}

/* ---- the format ---- */

static enum tn_code
read_row(const struct tn_batch *batch, size_t row, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_stream_class *sc = batch->stream->stream_class;
	const struct tn_event_class *ec = sc->trace->event_class[0];
	struct tn_slot slots[256] = { 0 };
	struct tn_machine m = { .p = batch->data, .end = batch->entry.content_bits, .slot = slots };

	e->stream = batch->stream;
	e->event_class = ec;
	e->name = ec->name;
	e->n_values = 0;
	for (unsigned s = 0; s < TN_SCOPES; s++) {
		const struct tn_op *code = s < TN_SCOPE_SPECIFIC_CONTEXT ? sc->plan->read[s] : tn_plan_event(ec)->read[s];
		size_t at = e->n_values;

		e->scope[s] = UINT32_MAX;
		if (row == TN_READ_PACKET && s > TN_SCOPE_PACKET_CONTEXT)
			continue;
		if (s == TN_SCOPE_EVENT_HEADER) {
			m.at = batch->base_bit + batch->refs.item[row].bit;
			if (code && tn_machine_read(&m, code, e) != TN_TROUBLE_NONE)
				return tn_fail(err, TN_ERR_FORMAT, "no");
			continue;
		}
		if (!code)
			continue;
		if (tn_machine_read(&m, code, e) != TN_TROUBLE_NONE)
			return tn_fail(err, TN_ERR_FORMAT, "no");
		if (e->n_values > at && scopes & 1u << s)
			e->scope[s] = (uint32_t)at;
	}
	if (row != TN_READ_PACKET) {
		e->has_time = e->has_cycles = sc->clock;
		e->time_ns = tn_batch_time(batch, row);
		e->cycles = tn_batch_cycles(batch, row);
	}
	return TN_OK;
}

static const struct tn_format format = { .name = "test", .read = read_row };

void
make_world(struct world *w)
{
	memset(w, 0, sizeof *w);
	w->trace.ops = &format;
	w->trace.name = "t";
	w->trace.path = "/t";
	w->trace.big_endian = dice(2);
	w->clock = (struct tn_clock) { .name = "c", .frequency = 1000000000 };
	w->stream_class.trace = &w->trace;
	w->stream_class.clock = dice(4) ? &w->clock : NULL;
	w->stream_class.packet_context = make_root(w);
	w->stream_class.common_context = make_root(w);
	switch (dice(4)) {
	case 0: w->stream_class.event_header = make_header(w, 5, 8); break;
	case 1: w->stream_class.event_header = make_header(w, 16, dice(2) ? 8 : 32); break;
	case 2: w->stream_class.event_header = make_root(w); break;
	default: break;
	}
	w->event_class.name = "event";
	w->event_class.log_level = -1;
	w->event_class.stream_class = &w->stream_class;
	w->event_class.specific_context = make_root(w);
	w->event_class.payload = make_root(w);
	w->other_class = (struct tn_event_class) {
		.name = "other", .log_level = -1, .index = 1, .id = 1, .stream_class = &w->stream_class,
		.payload = make_root(w), .specific_context = make_root(w),
	};
	w->classes[0] = &w->event_class;
	w->classes[1] = &w->other_class;
	w->stream_classes[0] = &w->stream_class;
	w->trace.event_class = w->classes;
	w->trace.n_event_classes = 2;
	w->trace.stream_class = w->stream_classes;
	w->trace.n_stream_classes = 1;
	w->stream_class.event_class = w->classes;
	w->stream_class.n_event_classes = 2;
	w->trace.n_fields = w->next_id;
	w->trace.n_slots = (uint32_t)w->next_slot;
	w->stream = (struct tn_stream) { .trace = &w->trace, .stream_class = &w->stream_class, .name = "s, 1" };
	w->streams[0] = &w->stream;
	w->trace.stream = w->streams;
	w->trace.n_streams = 1;
	w->traces[0] = &w->trace;
	w->set = (struct tn_set) { .trace = w->traces, .n_traces = 1, .stream = w->streams, .n_streams = 1 };
}

void
make_bits(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (dice(6)) {
		case 0: p[i] = 0; break;
		case 1: p[i] = (uint8_t)dice(256); break;
		case 2: p[i] = (uint8_t)"\"\\?'\033\t\177\377"[dice(8)]; break;
		default: p[i] = (uint8_t)('a' + dice(26)); break;
		}
}
