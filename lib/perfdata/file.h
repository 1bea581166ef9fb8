/*
 * file.h - the parts of a perf.data: header, attributes, features, records
 *
 * Texts are copied into the arena of the trace. Nothing in the file is trusted; damaged parts are left out and reported.
 *
 * Source     perfdata.md, 1 to 3, 5 and 6.
 */
#ifndef TN_PERFDATA_FILE_H
#define TN_PERFDATA_FILE_H

#include "base/bits.h"
#include "ftrace/rows.h"
#include "model/decoder.h"

enum tn_perf_type {
	TN_PERF_MMAP = 1, TN_PERF_LOST, TN_PERF_COMM, TN_PERF_EXIT, TN_PERF_THROTTLE, TN_PERF_UNTHROTTLE, TN_PERF_FORK,
	TN_PERF_READ, TN_PERF_SAMPLE, TN_PERF_MMAP2, TN_PERF_AUX, TN_PERF_ITRACE_START, TN_PERF_LOST_SAMPLES, TN_PERF_SWITCH,
	TN_PERF_SWITCH_CPU_WIDE, TN_PERF_NAMESPACES, TN_PERF_KSYMBOL, TN_PERF_BPF_EVENT, TN_PERF_CGROUP, TN_PERF_TEXT_POKE,
	TN_PERF_AUX_OUTPUT_HW_ID, TN_PERF_KERNEL_TYPES,
	/* Types of records that perf itself makes. */
	TN_PERF_HEADER_ATTR = 64, TN_PERF_TRACING_DATA = 66, TN_PERF_FINISHED_ROUND = 68, TN_PERF_ID_INDEX, TN_PERF_AUXTRACE_INFO,
	TN_PERF_AUXTRACE = 71, TN_PERF_EVENT_UPDATE = 78, TN_PERF_FEATURE = 80, TN_PERF_COMPRESSED = 81, TN_PERF_FINISHED_INIT = 82,
	TN_PERF_COMPRESSED2 = 83
};

/* Bits of sample_type. */
enum {
	TN_PERF_HAS_IP = 1 << 0, TN_PERF_HAS_TID = 1 << 1, TN_PERF_HAS_TIME = 1 << 2, TN_PERF_HAS_ADDR = 1 << 3,
	TN_PERF_HAS_READ = 1 << 4, TN_PERF_HAS_CALLCHAIN = 1 << 5, TN_PERF_HAS_ID = 1 << 6, TN_PERF_HAS_CPU = 1 << 7,
	TN_PERF_HAS_PERIOD = 1 << 8, TN_PERF_HAS_STREAM_ID = 1 << 9, TN_PERF_HAS_RAW = 1 << 10,
	TN_PERF_HAS_BRANCH = 1 << 11, TN_PERF_HAS_REGS_USER = 1 << 12, TN_PERF_HAS_STACK_USER = 1 << 13,
	TN_PERF_HAS_WEIGHT = 1 << 14, TN_PERF_HAS_DATA_SRC = 1 << 15, TN_PERF_HAS_IDENTIFIER = 1 << 16,
	TN_PERF_HAS_TRANSACTION = 1 << 17, TN_PERF_HAS_REGS_INTR = 1 << 18, TN_PERF_HAS_PHYS_ADDR = 1 << 19,
	TN_PERF_HAS_AUX = 1 << 20, TN_PERF_HAS_CGROUP = 1 << 21, TN_PERF_HAS_DATA_PAGE = 1 << 22,
	TN_PERF_HAS_CODE_PAGE = 1 << 23, TN_PERF_HAS_WEIGHT_STRUCT = 1 << 24
};

#define TN_PERF_NOWHERE UINT32_MAX

/* A step over a part of a sample that has a variable size. */
enum tn_perf_step {
	TN_PERF_STEP_END, TN_PERF_STEP_FIXED, TN_PERF_STEP_CHAIN, TN_PERF_STEP_RAW, TN_PERF_STEP_BYTES, TN_PERF_STEP_STACK,
	TN_PERF_STEP_REGS
};

struct tn_perf_attr {
	uint32_t type;
	uint64_t config, sample_type, read_format, flags, branch_type, regs_user, regs_intr;
	int32_t clock_id;
	const char *name;	/* NULL: unknown */
	/* The layout of its samples, from the start of the record (attr.c). */
	uint32_t id_at, tid_at, time_at, cpu_at;	/* positions; TN_PERF_NOWHERE: absent */
	uint32_t fixed;		/* size of the parts before the first step */
	struct { enum tn_perf_step what; uint32_t size, extra; } step[20];	/* ended by END */
	/* The trailer of its other records: its size, and the position of the time in it. */
	uint32_t trailer, trailer_time;
	uint32_t event_class;	/* index in the trace */
	uint32_t guest_class;	/* the class of samples with an address of a guest */
	bool is_guest;		/* a perf in a guest wrote its records */
	uint32_t guest;		/* index of its copy with is_guest, plus 1; 0: none */
	uint32_t first_other;	/* number of the first class of kernel records with its trailer, by type */
	const struct tn_ftrace_format *format;	/* format of its tracepoint; NULL: none */
};

struct tn_perf_id {
	uint64_t id;
	uint32_t attr;
};

struct tn_perf_text {	/* the format of a tracepoint */
	const char *system;
	const char *text;
	size_t size;
};

struct tn_perf_file {
	struct tn_trace *trace;
	const uint8_t *p;	/* the file */
	uint64_t size;
	bool big_endian, is_pipe, is_packed, has_features, no_memory;
	uint64_t data_at, data_end;	/* range of the records, inside of the file */
	TN_ARRAY(struct tn_perf_attr) attrs;
	TN_ARRAY(struct tn_perf_id) ids;	/* sorted by id, without duplicates */
	uint32_t *attr_of_id;	/* attribute + 1 of ids from the first one on, or 0; NULL: the ids are far apart */
	uint32_t id_at, id_from_end;	/* samples, if all attributes agree; other records; TN_PERF_NOWHERE */
	/* Positions of times, if all attributes agree: in samples from their start, in other records from their end. */
	uint32_t time_at, time_from_end;
	/* Contents of TRACING_DATA. */
	TN_ARRAY(struct tn_perf_text) formats;
	unsigned long_size;
	const char *commands, *printk_formats;
	size_t commands_size, printk_formats_size;
	/* Contents of features. */
	const char *hostname, *release, *version, *arch, *command;	/* NULL: absent */
	uint32_t n_cpus;
	bool has_clock, has_aux;
	uint32_t clock_id;
	uint64_t wall, clock;
};

/* Read header, attributes and features; in a pipe, the records before the events. */
enum tn_code tn_perf_read(struct tn_perf_file *f, struct tn_error *err);
void tn_perf_release(struct tn_perf_file *f);
/* Whether a file begins like a perf.data of any version. */
bool tn_perf_begins(const uint8_t *p, uint64_t size);

/* ---- attr.c ---- */

/* Read an attribute of @size bytes. */
void tn_perf_attr_read(struct tn_perf_attr *out, const uint8_t *p, uint32_t size, bool big_endian);
/* Flag number @i of an attribute. */
bool tn_perf_attr_flag(const struct tn_perf_attr *a, unsigned i, bool big_endian);
/* Make a name for an attribute without one, in @room. */
void tn_perf_attr_name(const struct tn_perf_attr *a, char *room, size_t size);

/* ---- numbers ---- */

static inline uint64_t
tn_perf_u64(const uint8_t *p, bool big_endian)
{
	return big_endian ? tn_load64_be(p) : tn_load64(p);
}

static inline uint32_t
tn_perf_u32(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint32_t)(tn_load64_be(p) >> 32) : (uint32_t)tn_load64(p);
}

static inline uint16_t
tn_perf_u16(const uint8_t *p, bool big_endian)
{
	return big_endian ? (uint16_t)(tn_load64_be(p) >> 48) : (uint16_t)tn_load64(p);
}

/* ---- records ---- */

struct tn_perf_record {
	const uint8_t *p;
	uint64_t at, next;	/* `next`: position of the next record, after bytes that the size of this one does not include */
	uint32_t type, size;
	uint16_t misc;
};

/* Get the record at @at in data that end at @end. False: there is none, or its size is impossible. */
static inline bool
tn_perf_next(struct tn_perf_record *r, const uint8_t *data, uint64_t at, uint64_t end, const bool big_endian)
{
	uint64_t extra;

	if (end - at < 8)
		return false;
	r->p = data + at;
	r->at = at;
	r->type = tn_perf_u32(r->p, big_endian);
	r->misc = tn_perf_u16(r->p + 4, big_endian);
	r->size = tn_perf_u16(r->p + 6, big_endian);
	if (r->size < 8 || r->size > end - at)
		return false;
	r->next = at + r->size;
	if (__builtin_expect(r->type < TN_PERF_TRACING_DATA || r->type > TN_PERF_AUXTRACE, 1))
		return true;
	extra = 0;
	if (r->type == TN_PERF_TRACING_DATA && r->size >= 12)
		extra = ((uint64_t)tn_perf_u32(r->p + 8, big_endian) + 7) & ~UINT64_C(7);
	else if (r->type == TN_PERF_AUXTRACE && r->size >= 16)
		extra = tn_perf_u64(r->p + 8, big_endian);
	r->next = extra < end - r->next ? r->next + extra : end;
	return true;
}

/* The attribute with an id; NULL: none. */
static inline const struct tn_perf_attr *
tn_perf_attr_of(const struct tn_perf_file *f, uint64_t id)
{
	size_t lo = 0, hi = f->ids.n;

	if (f->attr_of_id) {
		uint64_t first = f->ids.item[0].id;
		uint32_t i = id - first <= f->ids.item[hi - 1].id - first ? f->attr_of_id[id - first] : 0;

		return i ? &f->attrs.item[i - 1] : NULL;
	}
	TN_BISECT(lo, hi, mid, f->ids.item[mid].id < id);
	return lo < f->ids.n && f->ids.item[lo].id == id ? &f->attrs.item[f->ids.item[lo].attr] : NULL;
}

/* The attribute of a record of the kernel; NULL: unknown. */
static inline const struct tn_perf_attr *
tn_perf_attr_of_record(const struct tn_perf_file *f, const struct tn_perf_record *r)
{
	const struct tn_perf_attr *first = f->attrs.item;
	bool sample = r->type == TN_PERF_SAMPLE;
	uint32_t at = sample ? f->id_at : f->id_from_end;

	if (f->attrs.n == 1 || at == TN_PERF_NOWHERE)
		return first;
	if (sample ? r->size < at + 8 : r->size < at + 8)
		return NULL;
	return tn_perf_attr_of(f, tn_perf_u64(sample ? r->p + at : r->p + r->size - at, f->big_endian));
}

/* Whether the processor ran a guest of this machine: the addresses are the guest's. */
static inline bool
tn_perf_in_guest(const struct tn_perf_record *r)
{
	return (r->misc & 7) == 4 || (r->misc & 7) == 5;
}

/* Get the time of a record of the kernel with attribute @a. False: the record does not have a time. */
static inline bool
tn_perf_time(const struct tn_perf_record *r, const struct tn_perf_attr *a, const bool big_endian, uint64_t *time)
{
	if (r->type == TN_PERF_SAMPLE) {
		if (a->time_at == TN_PERF_NOWHERE || r->size < a->time_at + 8)
			return false;
		*time = tn_perf_u64(r->p + a->time_at, big_endian);
		return true;
	}
	if (a->trailer_time == TN_PERF_NOWHERE || r->size < 8 + a->trailer)
		return false;
	*time = tn_perf_u64(r->p + r->size - a->trailer + a->trailer_time, big_endian);
	return true;
}

#endif
