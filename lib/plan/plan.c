#include "plan/plan.h"

#include <string.h>

#include "base/bits.h"
#include "plan/compile.h"

/*
 * Limit of compiled fields; each field and each byte of the metadata raises it, because all events' codes contain the
 * contexts.
 */
#define MOST_WORK (UINT64_C(1) << 20)

/* ---- byte orders ---- */

struct orders {
	bool little, big, odd;
};

static void
look(struct tn_field *f, void *orders)
{
	struct orders *o = orders;

	o->little |= f->type->summary.little;
	o->big |= f->type->summary.big;
	o->odd |= f->type->summary.odd;
}

/* Whether the byte order could change inside a byte. */
static bool
is_mixed(const struct tn_trace *trace)
{
	struct orders o = { 0 };

	tn_trace_each_scope(trace, look, &o);
	return o.little && o.big && o.odd;
}

/* ---- event headers of LTTng ---- */

static bool
is_plain_uint(const struct tn_field *f, uint64_t bits, bool big_endian)
{
	const struct tn_type *t = f->type;

	return t->kind == TN_KIND_UINT && !t->varint && !t->reversed && t->length == bits && t->big_endian == big_endian;
}

/* Whether the option is { timestamp } or { id, timestamp }, which completes a header. */
static const struct tn_field *
option_time(const struct tn_field *option, bool with_id, uint64_t bits, bool big_endian)
{
	const struct tn_type *t = option->type;
	const struct tn_field *time;

	if (t->kind != TN_KIND_STRUCT || t->n_fields != (with_id ? 2 : 1))
		return NULL;
	time = &t->field[with_id];
	if (!is_plain_uint(time, bits, big_endian) || time->type->roles != TN_ROLE_CLOCK || time->slot >= 0)
		return NULL;
	if (with_id && (t->field[0].type->roles != TN_ROLE_EVENT_CLASS_ID || t->field[0].slot >= 0 ||
			t->field[0].type->kind != TN_KIND_UINT))
		return NULL;
	return time;
}

/* Whether all fields are numbers, the last number is the size of the record, and rows begin at whole bytes. */
static bool
is_sized(const struct tn_type *t, uint32_t *bits)
{
	const struct tn_field *last = t->kind == TN_KIND_STRUCT && t->n_fields ? &t->field[t->n_fields - 1] : NULL;

	*bits = 0;
	for (size_t i = 0; last && i < t->n_fields; i++) {
		const struct tn_type *of = t->field[i].type;

		if (of->kind != TN_KIND_UINT || of->align > 8 || of->length % 8 || of->roles || t->field[i].slot >= 0 ||
		    t->field[i].gap)
			return false;
		*bits += (uint32_t)of->length;
	}
	return last && t->align == 8 && last->type->record == TN_RECORD_WHOLE;
}

/*
 * Recognise struct { id; variant <id> { compact { timestamp }, extended { id, timestamp } } } (ctf1-tsdl.md, 11), in any
 * byte order and alignment. The extended form is rare and takes the general path.
 */
static void
find_shape(struct tn_plan *plan, const struct tn_stream_class *sc)
{
	const struct tn_field *header = sc->event_header;
	const struct tn_type *t, *variant;
	const struct tn_field *id, *time = NULL;
	uint64_t last;
	unsigned time_bits;

	if (!header && sc->align >= 8) {
		plan->shape = TN_SHAPE_FIXED;
		plan->shape_align = sc->align;
		plan->shape_time_align = 1;
		return;
	}
	if (header && is_sized(header->type, &plan->shape_bits)) {
		plan->shape = TN_SHAPE_FIXED;
		plan->shape_align = 8;
		plan->shape_time_align = 1;
		plan->shape_record = plan->shape_bits - 16;
		return;
	}
	plan->shape_bits = 0;
	if (!header || header->slot >= 0 || header->type->kind != TN_KIND_STRUCT || header->type->n_fields != 2)
		return;
	t = header->type;
	/* The header of a record in a ring buffer has the same layout; in its longer form type_len is 0. */
	if (t->record == TN_RECORD_RING) {
		plan->shape = TN_SHAPE_COMPACT;
		plan->shape_big_endian = t->big_endian;
		plan->shape_align = 32;
		plan->shape_time_align = 1;
		return;
	}
	id = &t->field[0];
	variant = t->field[1].type;
	if (id->type->length != 5 && id->type->length != 16)
		return;
	if (!is_plain_uint(id, id->type->length, id->type->big_endian) || id->slot < 0 ||
	    id->type->roles != TN_ROLE_EVENT_CLASS_ID)
		return;
	if (variant->kind != TN_KIND_VARIANT || variant->n_fields != 2 || variant->ref_slot != id->slot ||
	    variant->ref_guard || variant->n_guards || variant->n_clear_slots || variant->ref_signed)
		return;
	last = (UINT64_C(1) << id->type->length) - 1;
	time_bits = id->type->length == 5 ? 27 : 32;
	/* All ids except the last one select the compact option. */
	for (size_t i = 0; i < 2; i++) {
		const struct tn_field *o = &variant->field[i];

		if (o->n_ranges == 1 && o->range[0].lower == 0 && o->range[0].upper == last - 1)
			time = option_time(o, false, time_bits, id->type->big_endian);
		else if (o->n_ranges != 1 || o->range[0].lower != last || o->range[0].upper != last ||
			 !option_time(o, true, 64, id->type->big_endian))
			return;
	}
	if (!time || t->align < 8 || t->align > 64 || time->parent->type->align > 64)
		return;
	if (time_bits == 27 && time->parent->type->align != 1)
		return;
	plan->shape = time_bits == 27 ? TN_SHAPE_COMPACT : TN_SHAPE_LARGE;
	plan->shape_big_endian = id->type->big_endian;
	plan->shape_align = t->align;
	plan->shape_long = 31;
	plan->shape_slot = (uint32_t)id->slot;
	plan->shape_time_align = time->parent->type->align;
}

/* ---- an enumeration in the header that names events without a name (KEDR) ---- */

static const struct tn_field *
find_name_field(const struct tn_field *header)
{
	const struct tn_field *only = NULL;

	if (!header)
		return NULL;
	if (tn_type_is_integer(header->type) && header->type->mapping)
		return header;
	if (header->type->kind != TN_KIND_STRUCT)
		return NULL;
	for (size_t i = 0; i < header->type->n_fields; i++) {
		const struct tn_field *f = &header->type->field[i];

		if (tn_type_is_integer(f->type) && f->type->mapping && (!only || f->slot >= 0)) {
			if (only && only->slot >= 0)
				break;
			only = f;
		}
	}
	return only;
}

/* ---- stream and event classes ---- */

static bool
compile_both(struct tn_compiler *c, const struct tn_op **skip, const struct tn_op **read, const struct tn_field *root,
	     struct tn_error *err)
{
	if (!root)
		return true;
	for (int reads = 0; reads < 2; reads++) {
		const struct tn_op *code;

		tn_compiler_position(c, 1, 0);
		tn_compiler_scope(c, root, reads);
		code = tn_compiler_end(c, NULL, err);
		if (!code)
			return false;
		*(reads ? read : skip) = code;
	}
	return true;
}

static bool
compile_part(struct tn_compiler *c, struct tn_plan *plan, enum tn_scope scope, const struct tn_field *root,
	     struct tn_error *err)
{
	return compile_both(c, &plan->skip[scope], &plan->read[scope], root, err);
}

static bool
compile_stream_class(struct tn_compiler *c, struct tn_stream_class *sc, struct tn_error *err)
{
	struct tn_trace *trace = sc->trace;
	const struct tn_plan *first = sc != trace->stream_class[0] ? trace->stream_class[0]->plan : NULL;
	struct tn_plan *plan = TN_NEW(&trace->arena, struct tn_plan);
	uint32_t roles = tn_field_roles(sc->event_header), before = tn_field_roles(trace->packet_header);

	if (!plan) {
		tn_fail_memory(err);
		return false;
	}
	sc->plan = plan;
	/* All stream classes of a trace have the same packet header, so one code suffices. */
	if (first) {
		plan->skip[TN_SCOPE_PACKET_HEADER] = first->skip[TN_SCOPE_PACKET_HEADER];
		plan->read[TN_SCOPE_PACKET_HEADER] = first->read[TN_SCOPE_PACKET_HEADER];
	} else if (!compile_part(c, plan, TN_SCOPE_PACKET_HEADER, trace->packet_header, err)) {
		return false;
	}
	if (!compile_part(c, plan, TN_SCOPE_PACKET_CONTEXT, sc->packet_context, err) ||
	    !compile_part(c, plan, TN_SCOPE_EVENT_HEADER, sc->event_header, err) ||
	    !compile_part(c, plan, TN_SCOPE_COMMON_CONTEXT, sc->common_context, err))
		return false;
	/* Compile again, to find the position where the contexts of events begin. */
	tn_compiler_position(c, sc->align ? sc->align : 1, 0);
	tn_compiler_scope(c, sc->event_header, false);
	plan->header = tn_compiler_end(c, NULL, err);
	plan->mixed = c->mixed;
	plan->after_mod = c->mod;
	plan->after_off = c->off;
	plan->has_id = (roles & TN_ROLE_EVENT_CLASS_ID) != 0;
	plan->other.event_class = UINT32_MAX;
	find_shape(plan, sc);
	plan->name_field = find_name_field(sc->event_header);
	plan->packet_slots = tn_field_has_slots(trace->packet_header) || tn_field_has_slots(sc->packet_context);
	before |= tn_field_roles(sc->packet_context);
	plan->begin_known = (before & TN_ROLE_CLOCK) != 0;
	plan->end_known = (before & TN_ROLE_TIMESTAMP_END) != 0;
	plan->begin_bits = tn_context_bits(sc, TN_ROLE_TIMESTAMP_BEGIN);
	plan->end_bits = tn_context_bits(sc, TN_ROLE_TIMESTAMP_END);
	if (!plan->begin_bits && plan->begin_known)
		plan->begin_bits = tn_context_bits(sc, TN_ROLE_CLOCK);
	return plan->header != NULL;
}

/* ---- event classes ---- */

static void
compile_walk(struct tn_compiler *c, const struct tn_event_class *ec, const struct tn_stream_class *sc)
{
	tn_compiler_position(c, sc->plan->after_mod, sc->plan->after_off);
	tn_compiler_scope(c, sc->common_context, false);
	if (sc->late_time)
		tn_compiler_time(c);
	tn_compiler_scope(c, ec->specific_context, false);
	tn_compiler_scope(c, ec->payload, false);
}

static bool
check_both(struct tn_compiler *c, const struct tn_field *root, struct tn_error *err)
{
	for (int reads = 0; root && reads < 2; reads++) {
		tn_compiler_position(c, 1, 0);
		tn_compiler_scope(c, root, reads);
		if (!tn_compiler_check(c, NULL, err))
			return false;
	}
	return true;
}

/* Check that the codes of the class can be made, and get the size of its events. */
static bool
check_event_class(struct tn_compiler *c, const struct tn_event_class *ec, uint64_t *fixed_bits, struct tn_error *err)
{
	if (!check_both(c, ec->specific_context, err) || !check_both(c, ec->payload, err))
		return false;
	compile_walk(c, ec, ec->stream_class);
	return tn_compiler_check(c, fixed_bits, err);
}

static uint64_t
last_id(const struct tn_event_class *ec)
{
	return ec->last_id > ec->id ? ec->last_id : ec->id;
}

static const struct tn_op unmade[] = { { .code = TN_OP_UNMADE } };

/* Make the table of ids. It is indexed by the id if its size is not much larger than its contents. */
static bool
index_classes(struct tn_stream_class *sc, struct tn_error *err)
{
	const struct tn_event_entry none = { unmade, TN_PLAN_VARIES, UINT32_MAX };
	struct tn_plan *plan = sc->plan;
	uint64_t room = sc->n_event_classes * UINT64_C(8) + 1024, top = 0;
	size_t first = sc->n_event_classes;

	for (size_t i = 0; i < sc->n_event_classes; i++)
		if (sc->event_class[i]->id < room)
			top = last_id(sc->event_class[i]) < room ? last_id(sc->event_class[i]) + 1 : room;
	while (first && last_id(sc->event_class[first - 1]) >= top)
		first--;
	plan->dense = TN_NEW_ARRAY(&sc->trace->arena, (size_t)top + 1, struct tn_event_entry);
	plan->sparse = TN_NEW_ARRAY(&sc->trace->arena, sc->n_event_classes - first + 1, struct tn_event_entry);
	if (!plan->dense || !plan->sparse) {
		tn_fail_memory(err);
		return false;
	}
	plan->other = none;
	if (sc->other_class)
		plan->other.event_class = sc->other_class->index;
	for (uint64_t id = 0; id < top; id++)
		plan->dense[id] = plan->other;
	for (size_t i = 0; i < sc->n_event_classes; i++) {
		const struct tn_event_class *ec = sc->event_class[i];

		for (uint64_t id = ec->id; id < top && id <= last_id(ec); id++)
			plan->dense[id].event_class = ec->index;
		if (i >= first)
			plan->sparse[i - first] = (struct tn_event_entry) { unmade, TN_PLAN_VARIES, ec->index };
	}
	plan->n_dense = top;
	plan->first_sparse = first;
	/* If the header does not contain an id, all events have the only class. */
	if (!plan->has_id && sc->n_event_classes == 1) {
		plan->n_dense = 0;
		plan->other.event_class = sc->event_class[0]->index;
	}
	return true;
}

/* The number of the class in @sc that has @id; SIZE_MAX: none. */
static size_t
class_by_id(const struct tn_stream_class *sc, uint64_t id)
{
	size_t lo = 0;

	TN_BISECT(lo, sc->n_event_classes, mid, last_id(sc->event_class[mid]) < id);
	return lo < sc->n_event_classes && sc->event_class[lo]->id <= id ? lo : SIZE_MAX;
}

/* Set @walk in all entries of the class, or @fixed_bits if @walk is NULL. Other threads may read the entries meanwhile. */
static void
set_entries(const struct tn_stream_class *sc, const struct tn_event_class *ec, const struct tn_op *walk, uint64_t fixed_bits)
{
	struct tn_plan *plan = sc->plan;
	bool other = ec == sc->other_class;
	size_t i = class_by_id(sc, ec->id);
	struct tn_event_entry *some[2] = {
		!other && i != SIZE_MAX && i >= plan->first_sparse ? &plan->sparse[i - plan->first_sparse] : NULL, &plan->other,
	};

	for (size_t k = 0; k < 2; k++) {
		if (!some[k] || some[k]->event_class != ec->index)
			continue;
		if (walk)
			__atomic_store_n(&some[k]->walk, walk, __ATOMIC_RELEASE);
		else
			some[k]->fixed_bits = fixed_bits;
	}
	for (uint64_t id = other ? 0 : ec->id; id < plan->n_dense && (other || id <= last_id(ec)); id++) {
		if (plan->dense[id].event_class != ec->index)
			continue;
		if (walk)
			__atomic_store_n(&plan->dense[id].walk, walk, __ATOMIC_RELEASE);
		else
			plan->dense[id].fixed_bits = fixed_bits;
	}
}

const struct tn_event_entry *
tn_plan_find(const struct tn_plan *plan, const struct tn_stream_class *sc, uint64_t id)
{
	size_t i = !plan->n_dense && !plan->has_id ? SIZE_MAX : class_by_id(sc, id);

	return i == SIZE_MAX ? &plan->other : &plan->sparse[i - plan->first_sparse];
}

/* ---- codes made on first use ---- */

static void
begin_late(struct tn_compiler *c, const struct tn_stream_class *sc)
{
	pthread_mutex_lock(&sc->trace->late->lock);
	tn_compiler_begin(c, &sc->trace->late->arena, sc->plan->mixed);
}

static void
end_late(struct tn_compiler *c, const struct tn_stream_class *sc)
{
	tn_compiler_release(c);
	pthread_mutex_unlock(&sc->trace->late->lock);
}

static struct tn_event_plan *
make_event(struct tn_compiler *c, const struct tn_event_class *ec)
{
	const struct tn_plan *of_stream = ec->stream_class->plan;
	struct tn_event_plan *plan = TN_NEW(c->arena, struct tn_event_plan);

	if (!plan)
		return NULL;
	plan->skip[TN_SCOPE_COMMON_CONTEXT] = of_stream->skip[TN_SCOPE_COMMON_CONTEXT];
	plan->read[TN_SCOPE_COMMON_CONTEXT] = of_stream->read[TN_SCOPE_COMMON_CONTEXT];
	if (!compile_both(c, &plan->skip[TN_SCOPE_SPECIFIC_CONTEXT], &plan->read[TN_SCOPE_SPECIFIC_CONTEXT],
			  ec->specific_context, NULL) ||
	    !compile_both(c, &plan->skip[TN_SCOPE_PAYLOAD], &plan->read[TN_SCOPE_PAYLOAD], ec->payload, NULL))
		return NULL;
	return plan;
}

const struct tn_event_plan *
tn_plan_event(const struct tn_event_class *ec)
{
	const struct tn_stream_class *sc = ec->stream_class;
	struct tn_event_plan *plan = __atomic_load_n(&ec->plan, __ATOMIC_ACQUIRE);
	struct tn_compiler c;

	if (plan)
		return plan;
	begin_late(&c, sc);
	plan = ec->plan;
	if (!plan && (plan = make_event(&c, ec)))
		/* The plan belongs to the trace. */
		__atomic_store_n(&sc->trace->event_class[ec->index]->plan, plan, __ATOMIC_RELEASE);
	end_late(&c, sc);
	return plan;
}

bool
tn_plan_make_walk(const struct tn_stream_class *sc, const struct tn_event_entry *entry)
{
	const struct tn_event_class *ec = sc->trace->event_class[entry->event_class];
	const struct tn_op *walk;
	struct tn_compiler c;

	begin_late(&c, sc);
	walk = entry->walk;
	if (walk->code == TN_OP_UNMADE) {
		compile_walk(&c, ec, sc);
		walk = tn_compiler_end(&c, NULL, NULL);
		if (walk)
			set_entries(sc, ec, walk, 0);
	}
	end_late(&c, sc);
	return walk != NULL;
}

/* ---- all plans of a trace ---- */

/* Drop the code of an event that no sink reads; it has at most a block or two. */
static void
forget(struct tn_arena *scratch, size_t *n)
{
	if (++*n % 16 == 0)
		tn_arena_release(scratch);
}

static bool
check_classes(struct tn_compiler *c, struct tn_stream_class *sc, struct tn_error *err)
{
	struct tn_arena scratch = { 0 }, *own = c->arena;
	bool good = index_classes(sc, err);
	size_t n = 0;

	c->arena = &scratch;
	for (size_t i = 0; good && i <= sc->n_event_classes; i++) {
		const struct tn_event_class *ec = i < sc->n_event_classes ? sc->event_class[i] : sc->other_class;
		uint64_t fixed_bits;

		if (!ec)
			continue;
		good = check_event_class(c, ec, &fixed_bits, err);
		if (good)
			set_entries(sc, ec, NULL, fixed_bits);
		forget(&scratch, &n);
	}
	c->arena = own;
	tn_arena_release(&scratch);
	return good;
}

enum tn_code
tn_plan_compile(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_compiler c;
	enum tn_code rc = TN_ERR_MEMORY;

	tn_compiler_begin(&c, &trace->arena, is_mixed(trace));
	if (!trace->late && !(trace->late = tn_shared_arena_new())) {
		tn_fail_memory(err);
		goto out;
	}
	c.limit = MOST_WORK + 8 * (uint64_t)trace->n_fields + 4 * (uint64_t)trace->metadata_size;
	for (size_t s = 0; s < trace->n_stream_classes; s++) {
		struct tn_stream_class *sc = trace->stream_class[s];

		if (!compile_stream_class(&c, sc, err) || !check_classes(&c, sc, err))
			goto out;
	}
	rc = TN_OK;
out:
	tn_compiler_release(&c);
	return rc == TN_OK ? TN_OK : err ? err->code : rc;
}

const struct tn_op *
tn_plan_scope(struct tn_trace *trace, struct tn_field *root, bool read, struct tn_error *err)
{
	const struct tn_summary *s = &root->type->summary;
	struct tn_compiler c;
	const struct tn_op *code;

	tn_compiler_begin(&c, &trace->arena, s->little && s->big && s->odd);
	tn_compiler_scope(&c, root, read);
	code = tn_compiler_end(&c, NULL, err);
	tn_compiler_release(&c);
	return code;
}

bool
tn_fixed_number_of(struct tn_fixed_number *out, const struct tn_op *op)
{
	static const struct {
		uint8_t bits, flags;
	} fixed[] = {
		[TN_OP_U8] = { 8, 0 }, [TN_OP_U16LE] = { 16, 0 }, [TN_OP_U16BE] = { 16, TN_OP_BIG_ENDIAN },
		[TN_OP_U32LE] = { 32, 0 }, [TN_OP_U32BE] = { 32, TN_OP_BIG_ENDIAN },
		[TN_OP_U64LE] = { 64, 0 }, [TN_OP_U64BE] = { 64, TN_OP_BIG_ENDIAN },
		[TN_OP_S8] = { 8, TN_OP_SIGNED }, [TN_OP_S16LE] = { 16, TN_OP_SIGNED },
		[TN_OP_S16BE] = { 16, TN_OP_SIGNED | TN_OP_BIG_ENDIAN }, [TN_OP_S32LE] = { 32, TN_OP_SIGNED },
		[TN_OP_S32BE] = { 32, TN_OP_SIGNED | TN_OP_BIG_ENDIAN }, [TN_OP_S64LE] = { 64, TN_OP_SIGNED },
		[TN_OP_S64BE] = { 64, TN_OP_SIGNED | TN_OP_BIG_ENDIAN },
	};
	bool any = op->code == TN_OP_BITS || op->code == TN_OP_FLOAT;
	unsigned bits, flags, below = op->n & 7;

	if (!any && (op->code < TN_OP_U8 || op->code > TN_OP_S64BE))
		return false;
	bits = any ? op->bits : fixed[op->code].bits;
	flags = any ? op->flags : fixed[op->code].flags;
	if (!bits || below + bits > 64 || flags & TN_OP_REVERSED || op->n / 8 > UINT32_MAX)
		return false;
	*out = (struct tn_fixed_number) {
		.bits = (uint8_t)bits, .big_endian = flags & TN_OP_BIG_ENDIAN,
		.shift = (uint8_t)(flags & TN_OP_BIG_ENDIAN ? 64 - below - bits : below),
		.mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
		.sign = flags & TN_OP_SIGNED && op->code != TN_OP_FLOAT ? UINT64_C(1) << (bits - 1) : 0,
		.byte = (uint32_t)(op->n / 8),
	};
	return true;
}
