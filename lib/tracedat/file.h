/*
 * file.h - the parts of a trace.dat of version 6 or 7
 *
 * All pointers point into the file or into unpacked sections, and live as long as the trace. A file that was cut, or
 * that contains impossible positions, is read as far as possible; the problems of the trace list the missing parts.
 *
 * Source     tracedat.md, 1 to 3.
 */
#ifndef TN_TRACEDAT_FILE_H
#define TN_TRACEDAT_FILE_H

#include "base/compression.h"
#include "model/decoder.h"

struct tn_dat_part {
	const uint8_t *p;
	uint64_t size;
};

struct tn_dat_text {	/* the text of an event's format */
	const char *system;
	struct tn_dat_part text;
};

struct tn_dat_cpu {
	uint32_t cpu;
	uint64_t offset, size;	/* range of the pages or chunks in the file */
};

struct tn_dat_buffer {
	const char *name;	/* "" for the top buffer */
	const char *clock;	/* name of the clock, without brackets */
	uint32_t page_size;
	bool is_packed;		/* the data are chunks */
	struct tn_dat_cpu *cpu;
	size_t n_cpus;
};

/* The conversion of a guest's times to times of its host, for one processor (tracedat.md, 5). */
struct tn_dat_shift {
	struct tn_dat_sample { uint64_t time; int64_t offset, scaling; uint64_t fraction; } *sample;
	size_t n;
};

struct tn_dat_file {
	struct tn_trace *trace;
	const uint8_t *p;
	uint64_t size;
	bool big_endian;
	unsigned version, long_size;
	uint32_t page_size;
	struct tn_unpacker unpacker;
	uint64_t unpacked;	/* bytes of all unpacked sections */
	uint32_t sections;	/* ids of the sections that were read, one bit each */

	struct tn_dat_part header_page, printk_formats, commands;
	TN_ARRAY(struct tn_dat_text) formats;
	TN_ARRAY(struct tn_dat_buffer) buffers;
	uint32_t n_cpus;
	bool is_latency;	/* the file contains only the text of a latency tracer */

	/* Options. */
	const char *date, *offset, *clocks, *uname, *writer;	/* texts of options; NULL: absent */
	bool has_tsc, has_id, has_shift, interpolates;
	uint32_t tsc_multiplier, tsc_shift;
	uint64_t id;
	struct tn_dat_shift *shift;
	uint32_t n_shifts;
	TN_ARRAY(const char *) statistics;
	TN_ARRAY(const char *) guests;
	uint32_t machine_cpus;
	bool no_memory;
};

/* Read @f->p, @f->size. The other members except `trace` are set to zero first. */
enum tn_code tn_dat_read(struct tn_dat_file *f, struct tn_error *err);
void tn_dat_release(struct tn_dat_file *f);	/* releases the parts outside of the arena */

bool tn_dat_begins(const uint8_t *p, uint64_t size);	/* whether a file begins as one of any version */

/* ---- bytes that are taken one after the other ---- */

struct tn_dat_in {
	const uint8_t *p;
	uint64_t at, size;
	bool big_endian;
	bool bad;		/* a read exceeded the end: all later values are 0 or empty */
};

static inline struct tn_dat_part
tn_dat_bytes(struct tn_dat_in *in, uint64_t n)
{
	struct tn_dat_part part = { NULL, 0 };

	in->bad |= n > in->size - in->at;
	if (in->bad)
		return part;
	part = (struct tn_dat_part) { in->p + in->at, n };
	in->at += n;
	return part;
}

/* Read a number of 1, 2, 4 or 8 bytes. */
static inline uint64_t
tn_dat_number(struct tn_dat_in *in, unsigned bytes)
{
	struct tn_dat_part part = tn_dat_bytes(in, bytes);
	uint64_t v = 0;

	for (unsigned i = 0; part.p && i < bytes; i++)
		v = v << 8 | part.p[in->big_endian ? i : bytes - 1 - i];
	return v;
}

/* options.c */
void tn_dat_option(struct tn_dat_file *f, unsigned id, struct tn_dat_part part);
/* The clock in brackets in a text such as "local [mono] boot"; "local" if none is in brackets. */
const char *tn_dat_chosen_clock(struct tn_dat_file *f, const char *text);

#endif
