/*
 * model.c - make the model of a perf.data: an event class for each attribute, and for each kind of other records
 *
 * In samples and tracepoints, the fields up to the period are the context, like the common fields of a tracepoint. The
 * payload is the tracepoint's own fields, or the other parts of a sample.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/wide.h"
#include "ftrace/names.h"
#include "perfdata/private.h"

#define SECOND INT64_C(1000000000)
#define EXCLUDE_GUEST 20	/* flag of an attribute */

/* Slots of lengths; slot 0 belongs to located fields (lib/ftrace/types.h). */
enum { SLOT_READ = 1, SLOT_CHAIN, SLOT_RAW, SLOT_BRANCH, SLOT_REGS, SLOT_STACK, SLOT_AUX, SLOTS };

struct model {
	struct tn_ftrace_builder build;
	struct tn_trace *trace;
	struct tn_perf_trace *own;
	struct tn_ftrace_format *format;	/* sorted by id, without duplicates */
	size_t n;
	struct tn_field *header, *bytes;
	struct tn_stream_class *sc;
	size_t room;		/* capacity of the list of its classes */
};

/* ---- fields ---- */

enum { SIGNED = 1, HEX = 2, HIDDEN = 4 };

static struct tn_field *
add_number(struct model *m, struct tn_type *in, const char *name, unsigned bytes, unsigned how)
{
	struct tn_type *t = tn_build_type(&m->build.b, how & SIGNED ? TN_KIND_SINT : TN_KIND_UINT, 8 * bytes);
	struct tn_field *f;

	if (t && how & HEX)
		t->base = 16;
	f = tn_build_field(&m->build.b, in, name, t);
	if (f)
		f->hidden = how & HIDDEN;
	return f;
}

static struct tn_field *
add_text(struct model *m, struct tn_type *in, const char *name)
{
	struct tn_type *t = tn_build_type(&m->build.b, TN_KIND_STRING, 0);

	if (t) {
		t->extent = TN_EXTENT_TERMINATED;
		t->align = 8;
	}
	return tn_build_field(&m->build.b, in, name, t);
}

/* Add the name of the thread whose number is in the field before. */
static void
add_command(struct model *m, struct tn_type *in, const struct tn_lookup *lookup)
{
	static const char derived[] = "{\"derived\":\"comm\"}";
	struct tn_type *t = tn_build_type(&m->build.b, TN_KIND_STRING, 0);
	struct tn_field *f = tn_build_field(&m->build.b, in, "comm", t);

	if (!f)
		return;
	t->extent = TN_EXTENT_STATIC;
	t->lookup = lookup;
	f->attributes = derived;
}

/* Add the number of elements, and the array. */
static void
add_list(struct model *m, struct tn_type *in, const char *count, const char *name, struct tn_type *element, int32_t slot)
{
	struct tn_field *n = add_number(m, in, count, 8, HIDDEN);
	struct tn_type *array = tn_build_array(&m->build.b, element);

	if (n)
		n->slot = slot;
	if (array)
		array->ref_slot = slot;
	tn_build_field(&m->build.b, in, name, array);
}

static struct tn_type *
hex_type(struct model *m)
{
	struct tn_type *t = tn_build_type(&m->build.b, TN_KIND_UINT, 64);

	if (t)
		t->base = 16;
	return t;
}

static void
add_blob(struct model *m, struct tn_type *in, const char *name, unsigned count_bytes, int32_t slot)
{
	struct tn_field *n = add_number(m, in, "", count_bytes, HIDDEN);
	struct tn_type *t = tn_build_type(&m->build.b, TN_KIND_BLOB, 0);

	if (n) {
		n->slot = slot;
		n->name = n->label = "size";
	}
	if (t) {
		t->extent = TN_EXTENT_DYNAMIC;
		t->ref_slot = slot;
	}
	tn_build_field(&m->build.b, in, name, t);
}

static void
add_optional(struct model *m, struct tn_type *in, const char *name, struct tn_type *content, int32_t slot)
{
	struct tn_type *t = tn_build_compound(&m->build.b, TN_KIND_OPTIONAL, 1);

	tn_build_field(&m->build.b, t, "", content);
	if (t)
		t->ref_slot = slot;
	tn_build_field(&m->build.b, in, name, t);
}

static void
add_registers(struct model *m, struct tn_type *in, const char *name, uint64_t mask)
{
	struct tn_field *abi = add_number(m, in, "abi", 8, HIDDEN);
	struct tn_type *array = tn_build_array(&m->build.b, hex_type(m));

	if (abi)
		abi->slot = SLOT_REGS;
	if (array) {
		array->extent = TN_EXTENT_STATIC;
		array->length = (uint64_t)__builtin_popcountll(mask);
	}
	add_optional(m, in, name, array, SLOT_REGS);
}

static void
add_counters(struct model *m, struct tn_type *in, uint64_t format)
{
	struct tn_type *each = in;

	if (format & 8) {
		each = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 3);
		add_number(m, in, "n_counters", 8, HIDDEN);
		if (in && in->n_fields)
			in->field[in->n_fields - 1].slot = SLOT_READ;
	} else {
		add_number(m, in, "counter", 8, 0);
	}
	if (format & 1)
		add_number(m, in, "time_enabled", 8, 0);
	if (format & 2)
		add_number(m, in, "time_running", 8, 0);
	if (format & 8)
		add_number(m, each, "value", 8, 0);
	if (format & 4)
		add_number(m, each, "id", 8, format & 8 ? 0 : HIDDEN);
	if (format & 16)
		add_number(m, each, "lost", 8, 0);
	if (format & 8) {
		struct tn_type *array = tn_build_array(&m->build.b, each);

		if (array)
			array->ref_slot = SLOT_READ;
		tn_build_field(&m->build.b, in, "counters", array);
	}
}

/* ---- samples ---- */

/*
 * The machine whose addresses and processes the fields of a class have. The fields of guests have other names, because the
 * names of functions and threads are the host's.
 */
enum whose { OF_HOST, GUEST_ADDRESSES, OF_GUEST };

static void
add_place(struct model *m, struct tn_type *in, uint64_t has, enum whose whose)
{
	struct tn_lookup *name = has & TN_PERF_HAS_TIME ? &m->own->name_at : &m->own->name_last;

	if (has & TN_PERF_HAS_TID && whose == OF_GUEST) {
		add_number(m, in, "guest_pid", 4, SIGNED);
		add_number(m, in, "guest_tid", 4, SIGNED);
	} else if (has & TN_PERF_HAS_TID) {
		add_number(m, in, "pid", 4, SIGNED);
		add_number(m, in, "tid", 4, SIGNED);
		add_command(m, in, name);
	}
	if (has & TN_PERF_HAS_TIME)
		add_number(m, in, "time", 8, HIDDEN);
}

static void
add_cpu(struct model *m, struct tn_type *in)
{
	struct tn_field *cpu = add_number(m, in, "cpu", 4, 0);

	if (cpu)
		cpu->type->roles = TN_ROLE_CPU_ID;
	add_number(m, in, "reserved", 4, HIDDEN);
}

/* Add the first parts, up to the period. */
static void
add_head(struct model *m, struct tn_type *in, uint64_t has, enum whose whose)
{
	if (has & TN_PERF_HAS_IDENTIFIER)
		add_number(m, in, "identifier", 8, HIDDEN);
	if (has & TN_PERF_HAS_IP)
		add_number(m, in, whose == OF_HOST ? "ip" : "guest_ip", 8, HEX);
	add_place(m, in, has, whose);
	if (has & TN_PERF_HAS_ADDR)
		add_number(m, in, whose == OF_HOST ? "addr" : "guest_addr", 8, HEX);
	if (has & TN_PERF_HAS_ID)
		add_number(m, in, "id", 8, HIDDEN);
	if (has & TN_PERF_HAS_STREAM_ID)
		add_number(m, in, "stream_id", 8, HIDDEN);
	if (has & TN_PERF_HAS_CPU)
		add_cpu(m, in);
	if (has & TN_PERF_HAS_PERIOD)
		add_number(m, in, "period", 8, 0);
}

/* Add the parts from the counters to the call chain. */
static void
add_middle(struct model *m, struct tn_type *in, const struct tn_perf_attr *a, enum whose whose)
{
	if (a->sample_type & TN_PERF_HAS_READ)
		add_counters(m, in, a->read_format);
	if (a->sample_type & TN_PERF_HAS_CALLCHAIN)
		add_list(m, in, "n_callchain", whose == OF_HOST ? "callchain" : "guest_callchain", hex_type(m), SLOT_CHAIN);
}

/* Add the remaining parts, which tracepoints do not have. */
static void
add_tail(struct model *m, struct tn_type *in, const struct tn_perf_attr *a)
{
	static const struct { uint64_t bit; const char *name; unsigned how; } one[] = {
		{ TN_PERF_HAS_DATA_SRC, "data_src", HEX }, { TN_PERF_HAS_TRANSACTION, "transaction", HEX },
	}, last[] = {
		{ TN_PERF_HAS_PHYS_ADDR, "phys_addr", HEX }, { TN_PERF_HAS_CGROUP, "cgroup", 0 },
		{ TN_PERF_HAS_DATA_PAGE, "data_page_size", 0 }, { TN_PERF_HAS_CODE_PAGE, "code_page_size", 0 },
	};
	uint64_t has = a->sample_type;

	if (has & TN_PERF_HAS_RAW)
		add_blob(m, in, "raw", 4, SLOT_RAW);
	if (has & TN_PERF_HAS_BRANCH) {
		struct tn_type *branch = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 3);
		struct tn_type *array = tn_build_array(&m->build.b, branch);
		struct tn_field *n = add_number(m, in, "n_branches", 8, HIDDEN);

		if (n)
			n->slot = SLOT_BRANCH;
		if (a->branch_type >> 17 & 1)
			add_number(m, in, "hw_index", 8, 0);
		add_number(m, branch, "from", 8, HEX);
		add_number(m, branch, "to", 8, HEX);
		add_number(m, branch, "flags", 8, HEX);
		if (array)
			array->ref_slot = SLOT_BRANCH;
		tn_build_field(&m->build.b, in, "branches", array);
	}
	if (has & TN_PERF_HAS_REGS_USER)
		add_registers(m, in, "user_registers", a->regs_user);
	if (has & TN_PERF_HAS_STACK_USER) {
		add_blob(m, in, "user_stack", 8, SLOT_STACK);
		add_optional(m, in, "user_stack_size", tn_build_type(&m->build.b, TN_KIND_UINT, 64), SLOT_STACK);
	}
	if (has & (TN_PERF_HAS_WEIGHT | TN_PERF_HAS_WEIGHT_STRUCT))
		add_number(m, in, "weight", 8, 0);
	for (size_t i = 0; i < TN_COUNT(one); i++)
		if (has & one[i].bit)
			add_number(m, in, one[i].name, 8, one[i].how);
	if (has & TN_PERF_HAS_REGS_INTR)
		add_registers(m, in, "registers", a->regs_intr);
	for (size_t i = 0; i < TN_COUNT(last); i++)
		if (has & last[i].bit)
			add_number(m, in, last[i].name, 8, last[i].how);
	if (has & TN_PERF_HAS_AUX)
		add_blob(m, in, "aux", 8, SLOT_AUX);
}

static struct tn_field *
scope(struct model *m, struct tn_type *type)
{
	struct tn_field *root;

	if (type && !type->n_fields)
		return NULL;
	root = tn_build_root(&m->build.b, type);
	if (!m->build.b.failed)
		tn_field_number(root, &m->trace->n_fields);
	return root;
}

/* ---- classes ---- */

static struct tn_event_class *
add_class(struct model *m, const char *name, struct tn_field *context, struct tn_field *payload)
{
	struct tn_event_class *ec = TN_NEW(&m->trace->arena, struct tn_event_class);

	if (!ec || m->trace->n_event_classes == m->room || !(ec->name = tn_arena_string(&m->trace->arena, name))) {
		m->build.b.failed = true;
		return NULL;
	}
	ec->id = ec->last_id = ec->index = (uint32_t)m->trace->n_event_classes;
	ec->log_level = -1;
	ec->stream_class = m->sc;
	ec->specific_context = context;
	ec->payload = payload;
	m->trace->event_class[m->trace->n_event_classes++] = ec;
	return ec;
}

/* Add the class of the samples of an attribute; its index. */
static uint32_t
add_sample_class(struct model *m, struct tn_perf_attr *a, enum whose whose)
{
	struct tn_type *context = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 40), *payload;
	struct tn_field *of_context, *of_payload, *size;
	uint32_t index = (uint32_t)m->trace->n_event_classes;

	add_head(m, context, a->sample_type, whose);
	if (a->type == 2 && a->sample_type & TN_PERF_HAS_RAW) {
		add_middle(m, context, a, whose);
		size = add_number(m, context, "raw_size", 4, HIDDEN);
		if (size)
			size->type->record = TN_RECORD_SIZED;
		if (a->format && a->format->n_common < 16)
			tn_ftrace_common(&m->build, context, a->format);
		of_context = scope(m, context);
		of_payload = a->format && a->format->n_common < 16 ? tn_ftrace_payload(&m->build, a->format) : m->bytes;
	} else {
		payload = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 40);
		of_context = scope(m, context);
		add_middle(m, payload, a, whose);
		add_tail(m, payload, a);
		of_payload = scope(m, payload);
	}
	if (!m->build.b.failed)
		add_class(m, a->name, of_context, of_payload);
	return index;
}

/*
 * Add the classes of the samples of an attribute. Samples with an address of a guest have a class of their own, unless the
 * attribute excludes guests, or it is a tracepoint, which is in the host's code.
 */
static void
add_sample_classes(struct model *m, struct tn_perf_attr *a)
{
	char name[64];

	for (size_t i = 0; a->type == 2 && i < m->n; i++)
		if (m->format[i].id == a->config)
			a->format = &m->format[i];
	if (!a->name || !*a->name) {
		struct tn_str text = { 0 };

		tn_perf_attr_name(a, name, sizeof name);
		if (a->format)
			tn_str_printf(&text, "%s:%s", a->format->system, a->format->name);
		a->name = a->format ? text.failed ? NULL : tn_arena_string(&m->trace->arena, text.text)
				    : tn_arena_string(&m->trace->arena, name);
		tn_str_release(&text);
		m->build.b.failed |= !a->name;
	}
	a->event_class = a->guest_class = add_sample_class(m, a, a->is_guest ? OF_GUEST : OF_HOST);
	if (!a->is_guest && a->type != 2 && !tn_perf_attr_flag(a, EXCLUDE_GUEST, m->own->file.big_endian))
		a->guest_class = add_sample_class(m, a, GUEST_ADDRESSES);
}

/* ---- other records ---- */

#define FIELDS(...) (const struct other_field[]) { __VA_ARGS__, { NULL, 0, 0, 0 } }

/*
 * Records by type and, for SWITCH, direction; for MMAP, host and guest. Records without fields are shown as bytes. The
 * names of the fields differ from those of sched:*, to avoid ambiguous names.
 */
static const struct other {
	uint8_t type;
	const char *name;
	const struct other_field { const char *name; uint8_t bytes, how, gap; } *field;
	uint8_t need;		/* size of the fields */
	const char *text;	/* a text after the fields; or NULL */
} others[] = {
	{ TN_PERF_MMAP, "perf:mmap", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }, { "addr", 8, HEX, 0 },
		{ "len", 8, HEX, 0 }, { "pgoff", 8, HEX, 0 }), 32, "filename" },
	{ TN_PERF_MMAP, "perf:guest_mmap", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }, { "addr", 8, HEX, 0 },
		{ "len", 8, HEX, 0 }, { "pgoff", 8, HEX, 0 }), 32, "filename" },
	{ TN_PERF_MMAP2, "perf:mmap2", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }, { "addr", 8, HEX, 0 },
		{ "len", 8, HEX, 0 }, { "pgoff", 8, HEX, 0 }, { "prot", 4, HEX, 24 }, { "flags", 4, HEX, 0 }), 64, "filename" },
	{ TN_PERF_MMAP2, "perf:guest_mmap2", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }, { "addr", 8, HEX, 0 },
		{ "len", 8, HEX, 0 }, { "pgoff", 8, HEX, 0 }, { "prot", 4, HEX, 24 }, { "flags", 4, HEX, 0 }), 64, "filename" },
	{ TN_PERF_COMM, "perf:comm", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }), 8, "comm" },
	{ TN_PERF_EXIT, "perf:exit", FIELDS({ "exit_pid", 4, SIGNED, 0 }, { "parent_process", 4, SIGNED, 0 },
		{ "exit_tid", 4, SIGNED, 0 }, { "parent_tid", 4, SIGNED, 0 }, { "exit_time", 8, HIDDEN, 0 }), 24, NULL },
	{ TN_PERF_FORK, "perf:fork", FIELDS({ "child_process", 4, SIGNED, 0 }, { "parent_process", 4, SIGNED, 0 },
		{ "child_tid", 4, SIGNED, 0 }, { "parent_tid", 4, SIGNED, 0 }, { "fork_time", 8, HIDDEN, 0 }), 24, NULL },
	{ TN_PERF_THROTTLE, "perf:throttle", FIELDS({ "throttle_time", 8, HIDDEN, 0 }, { "throttle_id", 8, 0, 0 },
		{ "throttle_stream", 8, HIDDEN, 0 }), 24, NULL },
	{ TN_PERF_UNTHROTTLE, "perf:unthrottle", FIELDS({ "throttle_time", 8, HIDDEN, 0 }, { "throttle_id", 8, 0, 0 },
		{ "throttle_stream", 8, HIDDEN, 0 }), 24, NULL },
	{ TN_PERF_READ, "perf:read", NULL, 0, NULL },
	{ TN_PERF_AUX, "perf:aux", FIELDS({ "aux_offset", 8, 0, 0 }, { "aux_size", 8, 0, 0 },
		{ "aux_flags", 8, HEX, 0 }), 24, NULL },
	{ TN_PERF_ITRACE_START, "perf:itrace_start", FIELDS({ "pid", 4, SIGNED, 0 }, { "tid", 4, SIGNED, 0 }), 8, NULL },
	{ TN_PERF_SWITCH, "perf:switch_in", FIELDS({ NULL, 0, 0, 0 }), 0, NULL },
	{ TN_PERF_SWITCH, "perf:switch_out", FIELDS({ NULL, 0, 0, 0 }), 0, NULL },
	{ TN_PERF_SWITCH_CPU_WIDE, "perf:switch_in", FIELDS({ "prev_process", 4, SIGNED, 0 },
		{ "prev_tid", 4, SIGNED, 0 }), 8, NULL },
	{ TN_PERF_SWITCH_CPU_WIDE, "perf:switch_out", FIELDS({ "next_process", 4, SIGNED, 0 },
		{ "next_tid", 4, SIGNED, 0 }), 8, NULL },
	{ TN_PERF_NAMESPACES, "perf:namespaces", NULL, 0, NULL },
	{ TN_PERF_KSYMBOL, "perf:ksymbol", FIELDS({ "addr", 8, HEX, 0 }, { "len", 4, 0, 0 }, { "ksym_type", 2, 0, 0 },
		{ "flags", 2, HEX, 0 }), 16, "symbol" },
	{ TN_PERF_BPF_EVENT, "perf:bpf_event", FIELDS({ "bpf_type", 2, 0, 0 }, { "flags", 2, HEX, 0 }, { "prog_id", 4, 0, 0 },
		{ "tag", 8, HEX, 0 }), 16, NULL },
	{ TN_PERF_CGROUP, "perf:cgroup", FIELDS({ "cgroup", 8, 0, 0 }), 8, "path" },
	{ TN_PERF_TEXT_POKE, "perf:text_poke", NULL, 0, NULL },
	{ TN_PERF_AUX_OUTPUT_HW_ID, "perf:aux_output_hw_id", FIELDS({ "hw_id", 8, 0, 0 }), 8, NULL },
};

#define SWITCHED_OUT (1 << 13)

static unsigned
other_number(const struct tn_perf_record *r)
{
	bool second = r->type == TN_PERF_MMAP || r->type == TN_PERF_MMAP2 ? tn_perf_in_guest(r) : r->misc & SWITCHED_OUT &&
		      (r->type == TN_PERF_SWITCH || r->type == TN_PERF_SWITCH_CPU_WIDE);

	for (unsigned i = 0; i < TN_COUNT(others); i++)
		if (others[i].type == r->type)
			return i + second;
	return TN_COUNT(others);
}

uint32_t
tn_perf_other_class(const struct tn_perf_trace *own, const struct tn_perf_attr *a, const struct tn_perf_record *r, uint32_t at)
{
	unsigned i = other_number(r);
	uint32_t need, end;

	if (!a)
		a = own->file.attrs.item;
	if (i == TN_COUNT(others) || (others[i].field && (r->size < 8u + others[i].need + a->trailer)))
		return own->raw_class;
	need = 8u + others[i].need;
	end = r->size - a->trailer;
	if (!others[i].field)
		return a->first_other + i;
	if (others[i].text) {
		const uint8_t *zero = need < end ? memchr(r->p + need, 0, end - need) : NULL;

		/* The plan finds the trailer at the next multiple of 8 bytes. */
		if (!zero || at % 8 || (((uint32_t)(zero - r->p) + 8) & ~UINT32_C(7)) != end)
			return own->raw_class;
	} else if (need != end) {
		return own->raw_class;
	}
	return a->first_other + i;
}

static void
add_other_class(struct model *m, const struct other *o, uint64_t has, bool is_guest)
{
	struct tn_type *context = o->field ? tn_build_compound(&m->build.b, TN_KIND_STRUCT, 20) : NULL;
	static const char *const again[] = { "sample_pid", "sample_tid", "sample_comm" };
	const char *const was[] = { is_guest ? "guest_pid" : "pid", is_guest ? "guest_tid" : "tid", "comm" };
	bool is_named = false, is_known = false;
	char room[40], *name = room;
	struct tn_field *f;
	size_t first;

	snprintf(room, sizeof room, is_guest && !strstr(o->name, "guest") ? "perf:guest_%s" : "perf:%s", o->name + strlen("perf:"));
	if (!o->field) {
		add_class(m, name, NULL, m->bytes);
		return;
	}
	for (const struct other_field *of = o->field; of->name; of++) {
		bool is_pid = strcmp(of->name, "pid") == 0, is_tid = strcmp(of->name, "tid") == 0;

		if ((f = add_number(m, context, is_pid ? was[0] : is_tid ? was[1] : of->name, of->bytes, of->how)))
			f->gap = 8u * of->gap;
		is_known |= is_tid;
	}
	if (o->text && (f = add_text(m, context, o->text)))
		is_named = strcmp(o->text, "comm") == 0;
	if (m->build.b.failed)
		return;
	first = context->n_fields;
	add_place(m, context, has, is_guest ? OF_GUEST : OF_HOST);
	for (size_t i = first; i < context->n_fields; i++) {
		const char *const *hidden = NULL;

		f = &context->field[i];
		for (size_t k = 0; k < TN_COUNT(was); k++)
			hidden = strcmp(f->name, was[k]) == 0 ? &again[k] : hidden;
		/* The body already has this value. */
		if (hidden && ((is_known && hidden != &again[2]) || is_named)) {
			f->hidden = true;
			f->name = f->label = *hidden;
		}
	}
	if (has & TN_PERF_HAS_ID)
		add_number(m, context, "id", 8, HIDDEN);
	if (has & TN_PERF_HAS_STREAM_ID)
		add_number(m, context, "stream_id", 8, HIDDEN);
	if (has & TN_PERF_HAS_CPU)
		add_cpu(m, context);
	if (has & TN_PERF_HAS_IDENTIFIER)
		add_number(m, context, "identifier", 8, HIDDEN);
	if (!m->build.b.failed && o->text && first < context->n_fields)
		context->field[first].type->align = 64;
	add_class(m, name, scope(m, context), NULL);
}

/* Add the classes of other records. Attributes with the same trailer share classes. */
static void
add_other_classes(struct model *m, size_t i)
{
	const uint64_t parts = TN_PERF_HAS_TID | TN_PERF_HAS_TIME | TN_PERF_HAS_ID | TN_PERF_HAS_STREAM_ID | TN_PERF_HAS_CPU |
			       TN_PERF_HAS_IDENTIFIER;
	struct tn_perf_attr *all = m->own->file.attrs.item, *a = &all[i];
	uint64_t has = a->sample_type & parts;

	for (size_t k = 0; k < i; k++)
		if ((all[k].sample_type & parts) == has && all[k].is_guest == a->is_guest) {
			a->first_other = all[k].first_other;
			return;
		}
	a->first_other = (uint32_t)m->trace->n_event_classes;
	for (size_t k = 0; k < TN_COUNT(others); k++)
		add_other_class(m, &others[k], has, a->is_guest);
}

/* Make the header that every record has. */
static struct tn_field *
new_header(struct model *m)
{
	struct tn_type *header = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 3);
	struct tn_field *size;

	/* Records are normally aligned to 8 bytes. All begin at a byte, so their numbers are fast to load. */
	if (header)
		header->align = 8;
	add_number(m, header, "type", 4, HIDDEN);
	add_number(m, header, "misc", 2, HIDDEN);
	size = add_number(m, header, "size", 2, HIDDEN);
	if (size)
		size->type->record = TN_RECORD_WHOLE;
	return scope(m, header);
}

/* Make a field for the bytes of a whole record, or of a tracepoint without a format. */
static struct tn_field *
new_bytes(struct model *m, enum tn_record_kind record)
{
	m->build.record = record;
	return tn_ftrace_bytes(&m->build);
}

/* ---- formats ---- */

static int
by_format(const void *a, const void *b)
{
	const struct tn_ftrace_format *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static enum tn_code
parse_formats(struct model *m, struct tn_error *err)
{
	const struct tn_perf_file *f = &m->own->file;
	const struct tn_ftrace_machine machine = { f->long_size };
	size_t kept = 0;

	m->format = TN_NEW_ARRAY(&m->trace->arena, f->formats.n + 1, struct tn_ftrace_format);
	if (!m->format)
		return tn_fail_memory(err);
	for (size_t i = 0; i < f->formats.n; i++) {
		const struct tn_perf_text *text = &f->formats.item[i];
		struct tn_error why = { 0 };
		enum tn_code rc = tn_ftrace_format_parse(&m->format[m->n], &m->trace->arena, &machine, text->system, text->text,
							 text->size, &why);

		if (rc == TN_ERR_MEMORY)
			return tn_fail_memory(err);
		if (rc < 0)
			tn_tell(&m->trace->problems, TN_WARNING,
				"%s: the format of %s:%s is unknown, so its events are shown as bytes: %s",
				m->trace->path, text->system, m->format[m->n].name, why.text);
		m->n += rc == TN_OK && m->format[m->n].n_fields;
	}
	qsort(m->format, m->n, sizeof *m->format, by_format);
	for (size_t i = 0; i < m->n; i++)
		if (!kept || m->format[kept - 1].id != m->format[i].id)
			m->format[kept++] = m->format[i];
	m->n = kept;
	if (!tn_ftrace_printk_formats(&m->trace->arena, f->printk_formats, f->printk_formats_size, &m->build.addresses,
				      &m->build.n_addresses) ||
	    !tn_ftrace_classes_make(&m->own->formats, &m->trace->arena, m->format, m->n, 0, 0, 0))
		return tn_fail_memory(err);
	return TN_OK;
}

/* ---- clock ---- */

static struct tn_clock *
new_clock(struct model *m)
{
	static const struct { int32_t id; const char *name, *description; } known[] = {
		{ 0, "realtime", "nanoseconds of CLOCK_REALTIME" }, { 1, "mono", "nanoseconds of CLOCK_MONOTONIC" },
		{ 4, "mono_raw", "nanoseconds of CLOCK_MONOTONIC_RAW" }, { 7, "boot", "nanoseconds of CLOCK_BOOTTIME" },
		{ 11, "tai", "nanoseconds of CLOCK_TAI" },
	};
	const struct tn_perf_file *f = &m->own->file;
	const struct tn_perf_attr *a = f->attrs.item;
	struct tn_clock *clock = tn_build_clock(m->trace, "perf", "nanoseconds since boot, as perf counts them", 0);
	bool chosen = tn_perf_attr_flag(a, 25, f->big_endian);

	if (!clock)
		return NULL;
	for (size_t i = 0; chosen && i < TN_COUNT(known); i++)
		if (known[i].id == a->clock_id) {
			clock->name = known[i].name;
			clock->description = known[i].description;
		}
	if (chosen && (a->clock_id == 0 || a->clock_id == 11))
		clock->origin = TN_ORIGIN_UNIX;
	if (chosen && f->has_clock && (int32_t)f->clock_id == a->clock_id && a->clock_id != 0) {
		bool before = f->wall < f->clock;
		uint64_t shift = before ? f->clock - f->wall : f->wall - f->clock, rest = shift % (uint64_t)SECOND;

		clock->origin = TN_ORIGIN_UNIX;
		clock->offset_s = (int64_t)(shift / (uint64_t)SECOND);
		clock->offset_cycles = rest;
		if (before) {
			clock->offset_s = -clock->offset_s - (rest != 0);
			clock->offset_cycles = rest ? (uint64_t)SECOND - rest : 0;
		}
	}
	return clock;
}

/* ---- environment ---- */

static void
add_env(struct tn_trace *trace, const char *name, const char *text)
{
	if (text && *text)
		trace->env[trace->n_env++] = (struct tn_env) { .name = name, .is_text = true, .text = text };
}

static enum tn_code
build_environment(struct tn_trace *trace, const struct tn_perf_file *f, const struct tn_clock *clock, struct tn_error *err)
{
	if (!(trace->env = TN_NEW_ARRAY(&trace->arena, 16, struct tn_env)))
		return tn_fail_memory(err);
	add_env(trace, "hostname", f->hostname);
	add_env(trace, "domain", "kernel");
	add_env(trace, "sysname", "Linux");
	add_env(trace, "kernel_release", f->release);
	add_env(trace, "architecture", f->arch);
	add_env(trace, "tracer_name", "perf");
	add_env(trace, "writer_name", "perf");
	add_env(trace, "writer_version", f->version);
	add_env(trace, "command_line", f->command);
	add_env(trace, "trace_clock", clock->name);
	if (f->n_cpus)
		trace->env[trace->n_env++] = (struct tn_env) { .name = "cpus", .number = f->n_cpus };
	return TN_OK;
}

enum tn_code
tn_perf_build(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_perf_trace *own = trace->own;
	struct model m = { .trace = trace, .own = own, .build = { .b.trace = trace } };
	enum tn_code rc;

	trace->n_slots = SLOTS;
	own->name_at = (struct tn_lookup) { .other = "<...>", .find = tn_perf_name_at, .user = &own->names };
	own->name_last = (struct tn_lookup) { .other = "<...>", .find = tn_perf_name_last, .user = &own->names };
	own->name_at.other = own->name_last.other = tn_arena_alloc(&trace->arena, 8 + TN_LOOKUP_SLACK);
	if (!own->name_at.other)
		return tn_fail_memory(err);
	memcpy((char *)own->name_at.other, "<...>", 6);
	if ((rc = parse_formats(&m, err)) < 0)
		return rc;
	/* There are 64 different trailers, of host and guest. */
	m.room = 1 + 2 * own->file.attrs.n + TN_COUNT(others) * (own->file.attrs.n < 128 ? own->file.attrs.n : 128);
	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 1, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, m.room, struct tn_event_class *);
	m.sc = TN_NEW(&trace->arena, struct tn_stream_class);
	if (!trace->stream_class || !trace->event_class || !m.sc || !new_clock(&m))
		return tn_fail_memory(err);
	trace->n_stream_classes = 1;
	trace->stream_class[0] = m.sc;
	/* The names of system calls depend on the architecture. */
	if ((rc = build_environment(trace, &own->file, trace->clock[0], err)) < 0)
		return rc;
	m.header = new_header(&m);
	own->raw_class = 0;
	add_class(&m, "perf:record", NULL, new_bytes(&m, TN_RECORD_WHOLE));
	m.bytes = new_bytes(&m, TN_RECORD_WHOLE);
	m.build.record = TN_RECORD_SIZED;
	for (size_t i = 0; i < own->file.attrs.n && !m.build.b.failed; i++) {
		add_sample_classes(&m, &own->file.attrs.item[i]);
		add_other_classes(&m, i);
	}
	if (m.build.b.failed)
		return tn_fail_memory(err);
	*m.sc = (struct tn_stream_class) {
		.trace = trace, .clock = trace->clock[0], .event_header = m.header, .event_class = trace->event_class,
		.n_event_classes = trace->n_event_classes,
	};
	return TN_OK;
}
