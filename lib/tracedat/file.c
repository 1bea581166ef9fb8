#include "tracedat/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/messages.h"

#define MOST_UNPACKED (UINT64_C(64) << 20)	/* limit of bytes of all unpacked sections */
#define MOST_OPTIONS 4096			/* limit of option sections */
#define MOST_CPUS 65536				/* limit of processors of all buffers together */
#define MOST_TEXTS (1u << 20)			/* limit of formats */

enum {
	OPTION_DONE = 0, OPTION_BUFFER = 3, SECTION_HEADERS = 16, SECTION_FTRACE = 17, SECTION_EVENTS = 18,
	SECTION_KALLSYMS = 19, SECTION_PRINTK = 20, SECTION_COMMANDS = 21
};

#define PACKED 1	/* flag of a compressed section */

/* ---- bytes ---- */

/* Read a text that ends with a NUL; "" if the file is bad. */
static const char *
string(struct tn_dat_in *in, struct tn_dat_file *f)
{
	const uint8_t *from = in->p + in->at, *zero = in->bad || in->at == in->size ? NULL : memchr(from, 0, in->size - in->at);
	const char *copy;

	in->bad |= !zero;
	if (!zero)
		return "";
	in->at += (uint64_t)(zero - from) + 1;
	/* Copy the text, because the file can change meanwhile. */
	copy = tn_arena_copy(&f->trace->arena, (const char *)from, (size_t)(zero - from));
	f->no_memory |= !copy;
	return copy ? copy : "";
}

static void
tell_cut(struct tn_dat_file *f, const char *what)
{
	tn_tell(&f->trace->problems, TN_DAMAGE, "%s: %s: the file was cut, or is damaged: the readable part is "
						"shown", f->trace->path,
		what);
}

/* ---- parts that both versions have ---- */

static void
read_headers(struct tn_dat_file *f, struct tn_dat_in *in)
{
	if (strcmp(string(in, f), "header_page") != 0)
		in->bad = true;
	f->header_page = tn_dat_bytes(in, tn_dat_number(in, 8));
	if (strcmp(string(in, f), "header_event") != 0)
		in->bad = true;
	tn_dat_bytes(in, tn_dat_number(in, 8));
}

static void
read_formats(struct tn_dat_file *f, struct tn_dat_in *in, const char *system)
{
	uint64_t n = tn_dat_number(in, 4);

	for (uint64_t i = 0; i < n && !in->bad; i++) {
		struct tn_dat_part text = tn_dat_bytes(in, tn_dat_number(in, 8));
		struct tn_dat_text *one;

		if (in->bad)
			break;
		if (f->formats.n >= MOST_TEXTS || !(one = TN_ARRAY_ADD(&f->formats))) {
			in->bad = true;
			break;
		}
		*one = (struct tn_dat_text) { system, text };
	}
}

static void
read_systems(struct tn_dat_file *f, struct tn_dat_in *in)
{
	uint64_t n = tn_dat_number(in, 4);

	for (uint64_t i = 0; i < n && !in->bad; i++) {
		const char *system = string(in, f);

		read_formats(f, in, system);
	}
}

/* Add the pages of all processors of a buffer. False: there are too many. */
static bool
add_buffer(struct tn_dat_file *f, struct tn_dat_in *in, const char *name, const char *clock, uint32_t page_size, bool is_packed,
	   uint32_t n, bool numbered)
{
	struct tn_dat_buffer *buffer;
	size_t all = 0;

	for (size_t i = 0; i < f->buffers.n; i++)
		all += f->buffers.item[i].n_cpus;
	/* Each CPU takes 16 bytes; a larger number than the rest of the file allows is invalid. */
	if (n > MOST_CPUS - all || n > (in->size - in->at) / 16 || !(buffer = TN_ARRAY_ADD(&f->buffers))) {
		in->bad = true;
		return false;
	}
	*buffer = (struct tn_dat_buffer) { name, clock, page_size, is_packed, NULL, 0 };
	if (!(buffer->cpu = TN_NEW_ARRAY(&f->trace->arena, n + (size_t)1, struct tn_dat_cpu))) {
		f->no_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < n && !in->bad; i++) {
		struct tn_dat_cpu *cpu = &buffer->cpu[i];

		cpu->cpu = numbered ? (uint32_t)tn_dat_number(in, 4) : i;
		cpu->offset = tn_dat_number(in, 8);
		cpu->size = tn_dat_number(in, 8);
		buffer->n_cpus += !in->bad;
	}
	return true;
}

/* ---- version 6 ---- */

/* Read a buffer of version 6, which begins with "flyrecord". */
static void
read_flyrecord(struct tn_dat_file *f, struct tn_dat_in *in, const char *name)
{
	struct tn_dat_part text;
	char *clock;

	if (!add_buffer(f, in, name, "local", f->page_size, false, f->n_cpus, false) || in->bad)
		return;
	/* Old files have no clock here. */
	text = tn_dat_bytes(in, tn_dat_number(in, 8));
	if (in->bad || text.size > 4096) {
		in->bad = false;
		return;
	}
	if (!(clock = tn_arena_copy(&f->trace->arena, (const char *)text.p, (size_t)text.size)))
		f->no_memory = true;
	else
		f->buffers.item[f->buffers.n - 1].clock = tn_dat_chosen_clock(f, clock);
}

/* Read options of version 6, which follow "options  ". Options of instances are positions, which are read at the end. */
static void
read_options_6(struct tn_dat_file *f, struct tn_dat_in *in)
{
	struct { uint64_t offset; const char *name; } instance[64];
	struct tn_dat_part what;
	size_t n = 0;

	for (;;) {
		unsigned id = (unsigned)tn_dat_number(in, 2);
		struct tn_dat_part part;

		if (in->bad || id == OPTION_DONE)
			break;
		part = tn_dat_bytes(in, tn_dat_number(in, 4));
		if (in->bad)
			break;
		if (id == OPTION_BUFFER && n < TN_COUNT(instance)) {
			struct tn_dat_in at = { part.p, 0, part.size, in->big_endian, false };

			instance[n].offset = tn_dat_number(&at, 8);
			instance[n++].name = string(&at, f);
		} else if (id == OPTION_BUFFER) {
			tn_tell(&f->trace->problems, TN_WARNING, "%s: more than %zu instances: the others are left out",
				f->trace->path, TN_COUNT(instance));
		} else {
			tn_dat_option(f, id, part);
		}
	}
	what = tn_dat_bytes(in, 10);
	f->is_latency = what.p && memcmp(what.p, "latency", 7) == 0;
	if (in->bad || f->is_latency)
		return;
	read_flyrecord(f, in, "");
	for (size_t i = 0; i < n && !f->no_memory; i++) {
		struct tn_dat_in at = { f->p, instance[i].offset, f->size, in->big_endian, instance[i].offset > f->size };
		struct tn_dat_part word = tn_dat_bytes(&at, 10);

		if (word.p && memcmp(word.p, "flyrecord", 10) == 0)
			read_flyrecord(f, &at, instance[i].name);
		else
			at.bad = true;
		in->bad |= at.bad;
	}
}

static void
read_kallsyms(struct tn_dat_file *f, struct tn_dat_in *in)
{
	struct tn_dat_part part = tn_dat_bytes(in, tn_dat_number(in, 4));

	f->trace->kallsyms = (const char *)part.p;
	f->trace->kallsyms_size = part.p ? (size_t)part.size : 0;
}

static void
read_version_6(struct tn_dat_file *f, struct tn_dat_in *in)
{
	struct tn_dat_part word;

	read_headers(f, in);
	read_formats(f, in, "ftrace");
	read_systems(f, in);
	read_kallsyms(f, in);
	f->printk_formats = tn_dat_bytes(in, tn_dat_number(in, 4));
	f->commands = tn_dat_bytes(in, tn_dat_number(in, 8));
	f->n_cpus = (uint32_t)tn_dat_number(in, 4);
	word = tn_dat_bytes(in, 10);
	if (!word.p)
		;
	else if (memcmp(word.p, "options  ", 10) == 0)
		read_options_6(f, in);
	else if (memcmp(word.p, "flyrecord", 10) == 0)
		read_flyrecord(f, in, "");
	else if (memcmp(word.p, "latency  ", 10) == 0)
		f->is_latency = true;
	else
		in->bad = true;
	if (in->bad)
		tell_cut(f, f->buffers.n ? N_("some of its buffers and options are missing") : N_("it ends before its events"));
}

/* ---- version 7 ---- */

/* Unpack the compressed section at @in. */
static struct tn_dat_in
unpack(struct tn_dat_file *f, struct tn_dat_in *in)
{
	uint64_t packed = tn_dat_number(in, 4), size = tn_dat_number(in, 4);
	struct tn_dat_part part = tn_dat_bytes(in, packed);
	struct tn_dat_in out = { .big_endian = in->big_endian, .bad = true };
	uint8_t *room;

	if (in->bad || !f->unpacker.handle || size > MOST_UNPACKED - f->unpacked)
		return out;
	f->unpacked += size;
	room = calloc(1, (size_t)size + TN_MAP_SLACK);
	if (!room || !tn_arena_adopt(&f->trace->arena, room)) {
		free(room);
		f->no_memory = true;
		return out;
	}
	out.bad = !tn_unpacker_run(&f->unpacker, room, (size_t)size, part.p, (size_t)part.size);
	out.p = room;
	out.size = out.bad ? 0 : size;
	return out;
}

/* Open the section at @offset, after its header. */
static struct tn_dat_in
open_section(struct tn_dat_file *f, uint64_t offset, unsigned *id, unsigned *flags)
{
	struct tn_dat_in in = { f->p, offset, f->size, f->big_endian, offset > f->size };
	uint64_t size;

	if (in.bad)
		in.at = f->size;
	*id = (unsigned)tn_dat_number(&in, 2);
	*flags = (unsigned)tn_dat_number(&in, 2);
	tn_dat_number(&in, 4);
	size = tn_dat_number(&in, 8);
	if (in.bad || *id == OPTION_BUFFER)
		return in;
	if (*flags & PACKED)
		return unpack(f, &in);
	/* The file was cut: use the part that exists. */
	if (size < in.size - in.at)
		in.size = in.at + size;
	return in;
}

static void
read_section(struct tn_dat_file *f, unsigned id, uint64_t offset)
{
	unsigned found, flags;
	struct tn_dat_in in;

	/* A file has one section of each id. */
	if (f->sections & 1u << id)
		return;
	f->sections |= 1u << id;
	in = open_section(f, offset, &found, &flags);
	in.bad |= found != id;
	if (in.bad)
		;
	else if (id == SECTION_HEADERS)
		read_headers(f, &in);
	else if (id == SECTION_FTRACE)
		read_formats(f, &in, "ftrace");
	else if (id == SECTION_EVENTS)
		read_systems(f, &in);
	else if (id == SECTION_KALLSYMS)
		read_kallsyms(f, &in);
	else if (id == SECTION_PRINTK)
		f->printk_formats = tn_dat_bytes(&in, tn_dat_number(&in, 4));
	else
		f->commands = tn_dat_bytes(&in, tn_dat_number(&in, 8));
	if (in.bad)
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the section %u at byte %" PRIu64 " cannot be read: the readable "
			"part is shown", f->trace->path, id, offset);
}

static void
read_buffer(struct tn_dat_file *f, struct tn_dat_part part)
{
	struct tn_dat_in in = { part.p, 0, part.size, f->big_endian, false };
	uint64_t offset = tn_dat_number(&in, 8);
	const char *name = string(&in, f), *clock = string(&in, f);
	uint32_t page_size = (uint32_t)tn_dat_number(&in, 4), n = (uint32_t)tn_dat_number(&in, 4);
	unsigned id, flags = 0;
	struct tn_dat_in section = open_section(f, offset, &id, &flags);

	if (section.bad || id != OPTION_BUFFER)
		tn_tell(&f->trace->problems, TN_DAMAGE,
			"%s: the buffer `%s` at byte %" PRIu64 " is missing: the file was cut, or is "
			"damaged", f->trace->path, name, offset);
	if (in.bad)
		n = 0;
	add_buffer(f, &in, name, tn_dat_chosen_clock(f, clock), page_size, !section.bad && flags & PACKED, n, true);
	if (in.bad)
		tell_cut(f, N_("the description of a buffer is incomplete"));
}

/* Read the options at @offset; *next becomes the offset of the next options. */
static void
read_options_7(struct tn_dat_file *f, uint64_t offset, uint64_t *next)
{
	unsigned found, flags;
	struct tn_dat_in in = open_section(f, offset, &found, &flags);

	*next = 0;
	in.bad |= found != 0;
	while (!in.bad && in.at < in.size) {
		unsigned id = (unsigned)tn_dat_number(&in, 2);
		struct tn_dat_part part = tn_dat_bytes(&in, tn_dat_number(&in, 4));
		struct tn_dat_in at = { part.p, 0, part.size, f->big_endian, false };

		if (in.bad)
			break;
		if (id == OPTION_DONE) {
			*next = part.size ? tn_dat_number(&at, 8) : 0;
			return;
		}
		if (id == OPTION_BUFFER)
			read_buffer(f, part);
		else if (id == SECTION_HEADERS || id == SECTION_FTRACE || id == SECTION_EVENTS || id == SECTION_KALLSYMS ||
			 id == SECTION_PRINTK || id == SECTION_COMMANDS)
			read_section(f, id, tn_dat_number(&at, 8));
		else
			tn_dat_option(f, id, part);
	}
	if (in.bad)
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the options at byte %" PRIu64 " cannot be read: the file was cut, or "
			"is damaged; events that they describe are not shown", f->trace->path, offset);
}

static enum tn_code
load_unpacker(struct tn_dat_file *f, const char *name, struct tn_error *err)
{
	if (strcmp(name, "zlib") == 0)
		return tn_unpacker_load(&f->unpacker, TN_COMPRESSION_ZLIB, f->trace->path, err);
	if (strcmp(name, "zstd") == 0)
		return tn_unpacker_load(&f->unpacker, TN_COMPRESSION_ZSTD, f->trace->path, err);
	if (*name && strcmp(name, "none") != 0)
		tn_tell(&f->trace->problems, TN_WARNING, "%s: compressed by `%s`: tnav reads zlib and zstd",
			f->trace->path, name);
	return TN_OK;
}

static enum tn_code
read_version_7(struct tn_dat_file *f, struct tn_dat_in *in, struct tn_error *err)
{
	const char *packing = string(in, f);
	uint64_t next;
	uint64_t seen[MOST_OPTIONS];
	size_t n = 0;
	enum tn_code rc;

	string(in, f);
	next = tn_dat_number(in, 8);
	if (in->bad)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the trace.dat ends before its options", f->trace->path);
	if ((rc = load_unpacker(f, packing, err)) < 0)
		return rc;
	while (next && !f->no_memory) {
		for (size_t i = 0; i < n; i++)
			if (seen[i] == next || n == MOST_OPTIONS) {
				tell_cut(f, N_("its options refer to themselves"));
				return TN_OK;
			}
		seen[n++] = next;
		read_options_7(f, next, &next);
	}
	return TN_OK;
}

/* ---- all of it ---- */

static const uint8_t magic[10] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

bool
tn_dat_begins(const uint8_t *p, uint64_t size)
{
	return size >= sizeof magic && memcmp(p, magic, sizeof magic) == 0;
}

enum tn_code
tn_dat_read(struct tn_dat_file *f, struct tn_error *err)
{
	struct tn_dat_in in = { f->p, sizeof magic, f->size, false, !tn_dat_begins(f->p, f->size) };
	const char *version;
	enum tn_code rc = TN_OK;

	if (in.bad)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the file does not begin like a trace.dat", f->trace->path);
	version = string(&in, f);
	f->big_endian = in.big_endian = tn_dat_number(&in, 1) == 1;
	f->long_size = (unsigned)tn_dat_number(&in, 1);
	f->page_size = (uint32_t)tn_dat_number(&in, 4);
	if (in.bad)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the file of %" PRIu64 " bytes ends in the first line of a trace.dat",
			       f->trace->path,
			       f->size);
	if (strcmp(version, "6") != 0 && strcmp(version, "7") != 0)
		return tn_fail(err, TN_ERR_UNSUPPORTED,
			       "%s: a trace.dat of version %.16s: tnav reads 6 and 7; record it with a newer "
			       "trace-cmd, or convert it", f->trace->path, version);
	f->version = *version == '6' ? 6 : 7;
	if (f->version == 6)
		read_version_6(f, &in);
	else
		rc = read_version_7(f, &in, err);
	if (rc == TN_OK && f->no_memory)
		rc = tn_fail_memory(err);
	return rc;
}

void
tn_dat_release(struct tn_dat_file *f)
{
	TN_ARRAY_RELEASE(&f->formats);
	TN_ARRAY_RELEASE(&f->buffers);
	TN_ARRAY_RELEASE(&f->statistics);
	TN_ARRAY_RELEASE(&f->guests);
}
