#include "perfdata/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"

#define MOST_ATTRS 65536
#define MOST_TEXTS (1u << 20)			/* limit of formats */
#define MOST_AHEAD (UINT64_C(16) << 20)		/* bytes of a pipe that are searched for descriptions after the first event */

enum {
	FEATURE_TRACING_DATA = 1, FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3, FEATURE_RELEASE, FEATURE_VERSION, FEATURE_ARCH, FEATURE_CPUS,
	FEATURE_COMMAND = 11, FEATURE_EVENTS = 12, FEATURE_AUXTRACE = 18, FEATURE_COMPRESSED = 27, FEATURE_CLOCK = 29
};

/* ---- bytes that are taken one after the other ---- */

struct in {
	const uint8_t *p;
	uint64_t at, size;
	bool big_endian;
	bool bad;		/* a read exceeded the end: all later values are 0 or empty */
};

static const uint8_t *
bytes(struct in *in, uint64_t n)
{
	const uint8_t *p = in->p + in->at;

	in->bad |= n > in->size - in->at;
	if (in->bad)
		return NULL;
	in->at += n;
	return p;
}

static uint64_t
number(struct in *in, unsigned n)
{
	const uint8_t *p = bytes(in, n);
	uint64_t v = 0;

	for (unsigned i = 0; p && i < n; i++)
		v = v << 8 | p[in->big_endian ? i : n - 1 - i];
	return v;
}

static const char *
keep(struct tn_perf_file *f, const void *text, uint64_t n)
{
	const char *copy = tn_arena_copy(&f->trace->arena, text ? text : "", text ? strnlen(text, (size_t)n) : 0);

	f->no_memory |= !copy;
	return copy ? copy : "";
}

/* Read a text of a feature: its size, then its bytes, which may end with NULs. */
static const char *
sized_text(struct in *in, struct tn_perf_file *f)
{
	uint64_t n = number(in, 4);

	return keep(f, bytes(in, n), n);
}

/* Read a text that ends with a NUL. */
static const char *
ended_text(struct in *in, struct tn_perf_file *f)
{
	const uint8_t *from = in->p + in->at, *zero = in->bad || in->at == in->size ? NULL : memchr(from, 0, in->size - in->at);

	in->bad |= !zero;
	if (!zero)
		return "";
	in->at += (uint64_t)(zero - from) + 1;
	return keep(f, from, (uint64_t)(zero - from) + 1);
}

/* ---- formats of tracepoints, which are like those in a trace.dat ---- */

static void
read_formats(struct tn_perf_file *f, struct in *in, const char *system)
{
	uint64_t n = number(in, 4);

	for (uint64_t i = 0; i < n && !in->bad; i++) {
		uint64_t size = number(in, 8);
		const uint8_t *p = bytes(in, size);
		struct tn_perf_text *one = p && f->formats.n < MOST_TEXTS ? TN_ARRAY_ADD(&f->formats) : NULL;

		in->bad |= !one;
		if (one)
			*one = (struct tn_perf_text) { system, (const char *)p, (size_t)size };
	}
}

static void
read_tracing(struct tn_perf_file *f, const uint8_t *p, uint64_t size)
{
	static const uint8_t magic[10] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct in in = { p, 0, size, f->big_endian, f->formats.n > 0 };
	const uint8_t *begin = bytes(&in, sizeof magic);
	const char *version;
	uint64_t systems;

	if (!begin || memcmp(begin, magic, sizeof magic) != 0)
		in.bad = true;
	version = ended_text(&in, f);
	in.big_endian = number(&in, 1) == 1;
	f->long_size = number(&in, 1) == 4 ? 4 : 8;
	number(&in, 4);
	ended_text(&in, f);	/* skip header_page */
	bytes(&in, number(&in, 8));
	ended_text(&in, f);	/* skip header_event */
	bytes(&in, number(&in, 8));
	read_formats(f, &in, "ftrace");
	systems = number(&in, 4);
	for (uint64_t i = 0; i < systems && !in.bad; i++) {
		const char *system = ended_text(&in, f);

		read_formats(f, &in, system);
	}
	f->trace->kallsyms_size = (size_t)number(&in, 4);
	f->trace->kallsyms = (const char *)bytes(&in, f->trace->kallsyms_size);
	f->trace->kallsyms_size = f->trace->kallsyms ? f->trace->kallsyms_size : 0;
	f->printk_formats_size = (size_t)number(&in, 4);
	f->printk_formats = (const char *)bytes(&in, f->printk_formats_size);
	f->printk_formats_size = f->printk_formats ? f->printk_formats_size : 0;
	if (in.bad)
		tn_tell(&f->trace->problems, TN_DAMAGE,
			"%s: the formats of tracepoints are cut or damaged: tnav read %zu of them, and shows other tracepoints "
			"as bytes",
			f->trace->path, f->formats.n);
	if (in.bad || strcmp(version, "0.6") != 0)
		return;
	f->commands_size = (size_t)number(&in, 8);
	f->commands = (const char *)bytes(&in, f->commands_size);
	f->commands_size = f->commands ? f->commands_size : 0;
}

/* ---- attributes ---- */

static struct tn_perf_attr *
add_attr(struct tn_perf_file *f, const uint8_t *p, uint32_t size)
{
	struct tn_perf_attr *a = f->attrs.n < MOST_ATTRS ? TN_ARRAY_ADD(&f->attrs) : NULL;

	f->no_memory |= !a && f->attrs.n < MOST_ATTRS;
	if (a)
		tn_perf_attr_read(a, p, size, f->big_endian);
	return a;
}

static void
add_ids(struct tn_perf_file *f, const uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		struct tn_perf_id *id = TN_ARRAY_ADD(&f->ids);

		f->no_memory |= !id;
		if (!id)
			return;
		*id = (struct tn_perf_id) { tn_perf_u64(p + 8 * i, f->big_endian), (uint32_t)f->attrs.n - 1 };
	}
}

static int
by_id(const void *a, const void *b)
{
	const struct tn_perf_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->attr > y->attr) - (x->attr < y->attr);
}

static void
sort_ids(struct tn_perf_file *f)
{
	size_t kept = 0;

	if (f->ids.n)
		qsort(f->ids.item, f->ids.n, sizeof *f->ids.item, by_id);
	for (size_t i = 0; i < f->ids.n; i++)
		if (!kept || f->ids.item[kept - 1].id != f->ids.item[i].id)
			f->ids.item[kept++] = f->ids.item[i];
	f->ids.n = kept;
}

/* Read the attributes of a file, and their ids. */
static void
read_attrs(struct tn_perf_file *f, uint64_t entry, uint64_t offset, uint64_t size)
{
	bool bad = entry < 80 || entry > 65536 || offset > f->size || size > f->size - offset;
	uint64_t ids = 0;

	for (uint64_t at = offset; !bad && !f->no_memory && size - (at - offset) >= entry; at += entry) {
		const uint8_t *p = f->p + at;
		uint64_t from = tn_perf_u64(p + entry - 16, f->big_endian), bytes = tn_perf_u64(p + entry - 8, f->big_endian);

		if (!add_attr(f, p, (uint32_t)entry - 16))
			break;
		/* Otherwise sections that overlap could use up the memory. */
		if (from > f->size || bytes > f->size - from || bytes > f->size - ids) {
			bad = true;
			break;
		}
		ids += bytes;
		add_ids(f, f->p + from, bytes / 8);
	}
	if (bad)
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the attributes of events are cut or damaged: tnav read %zu of them",
			f->trace->path, f->attrs.n);
	sort_ids(f);
}

/* Make a table of the ids, when all are known. */
static void
tabulate_ids(struct tn_perf_file *f)
{
	size_t n = f->ids.n;
	uint64_t span = n ? f->ids.item[n - 1].id - f->ids.item[0].id : 0;

	if (!n || span > 16 * n + 4096 || !(f->attr_of_id = TN_NEW_ARRAY(&f->trace->arena, span + 1, uint32_t)))
		return;
	for (size_t i = 0; i < n; i++)
		f->attr_of_id[f->ids.item[i].id - f->ids.item[0].id] = f->ids.item[i].attr + 1;
}

/* Read EVENT_DESC: the names of the attributes, which are in the same order, or have the same ids. */
static void
read_names(struct tn_perf_file *f, struct in *in)
{
	uint64_t n = number(in, 4), size = number(in, 4);

	for (uint64_t i = 0; i < n && !in->bad; i++) {
		const uint8_t *ids, *attr = bytes(in, size);
		uint64_t n_ids = number(in, 4);
		const char *name = sized_text(in, f);
		const struct tn_perf_attr *by_id = NULL;

		ids = bytes(in, n_ids * 8);
		if (in->bad)
			break;
		if (ids && n_ids)
			by_id = tn_perf_attr_of(f, tn_perf_u64(ids, in->big_endian));
		if (by_id)
			f->attrs.item[by_id - f->attrs.item].name = name;
		else if (i < f->attrs.n && attr && !f->attrs.item[i].name)
			f->attrs.item[i].name = name;
	}
}

/*
 * Read BUILD_ID. Its records, one for each mapped file, have a header, the process, 20 bytes for the id and perhaps its
 * size, and the path.
 */
static void
read_build_ids(struct tn_perf_file *f, struct in *in)
{
	TN_ARRAY(struct tn_file_id) all = { 0 };
	struct tn_file_id *copy;

	while (!in->bad && in->at < in->size) {
		uint32_t misc, size;
		const uint8_t *id;
		struct tn_file_id one;

		number(in, 4);
		misc = (uint32_t)number(in, 2);
		size = (uint32_t)number(in, 2);
		number(in, 4);
		id = bytes(in, 24);
		in->bad |= size <= 36 || size - 36 > 4096 || all.n >= MOST_TEXTS;
		one.path = in->bad ? NULL : keep(f, bytes(in, size - 36), size - 36);
		if (in->bad || !one.path)
			break;
		one.id = id;
		one.size = misc & 0x8000 && id[20] <= 20 ? id[20] : 20;
		f->no_memory |= !TN_ARRAY_ADD(&all);
		if (f->no_memory)
			break;
		all.item[all.n - 1] = one;
	}
	copy = all.n ? TN_NEW_ARRAY(&f->trace->arena, all.n, struct tn_file_id) : NULL;
	if (copy) {
		memcpy(copy, all.item, all.n * sizeof *copy);
		f->trace->file_id = copy;
		f->trace->n_file_ids = all.n;
	}
	TN_ARRAY_RELEASE(&all);
}

/* ---- features ---- */

static void
read_feature(struct tn_perf_file *f, unsigned which, const uint8_t *p, uint64_t size)
{
	struct in in = { p, 0, size, f->big_endian, false };
	struct tn_str words = { 0 };
	uint64_t n;

	switch (which) {
	case FEATURE_TRACING_DATA: read_tracing(f, p, size); break;
	case FEATURE_BUILD_ID: read_build_ids(f, &in); break;
	case FEATURE_HOSTNAME: f->hostname = sized_text(&in, f); break;
	case FEATURE_RELEASE: f->release = sized_text(&in, f); break;
	case FEATURE_VERSION: f->version = sized_text(&in, f); break;
	case FEATURE_ARCH: f->arch = sized_text(&in, f); break;
	case FEATURE_CPUS:
		number(&in, 4);
		f->n_cpus = (uint32_t)number(&in, 4);
		break;
	case FEATURE_COMMAND:
		n = number(&in, 4);
		for (uint64_t i = 0; i < n && !in.bad; i++)
			tn_str_printf(&words, "%s%s", i ? " " : "", sized_text(&in, f));
		f->command = keep(f, words.text, words.n);
		f->no_memory |= words.failed;
		tn_str_release(&words);
		break;
	case FEATURE_EVENTS: read_names(f, &in); break;
	case FEATURE_AUXTRACE: f->has_aux = true; break;
	case FEATURE_COMPRESSED:
		number(&in, 8);	/* version, type, level and ratio: only a cut is of interest */
		number(&in, 8);
		f->is_packed = true;
		break;
	case FEATURE_CLOCK:
		number(&in, 4);
		f->clock_id = (uint32_t)number(&in, 4);
		f->wall = number(&in, 8);
		f->clock = number(&in, 8);
		f->has_clock = !in.bad;
		break;
	default: break;
	}
	if (in.bad)
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: feature %u is cut or damaged", f->trace->path, which);
}

static void
read_features(struct tn_perf_file *f, const uint8_t *flags)
{
	uint64_t at = f->data_end;

	for (unsigned i = 0; i < 256; i++) {
		uint64_t word = tn_perf_u64(flags + i / 64 * 8, f->big_endian), offset, size;

		if (!(word >> i % 64 & 1))
			continue;
		if (f->size - at < 16) {
			tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the file ends before its features do", f->trace->path);
			return;
		}
		offset = tn_perf_u64(f->p + at, f->big_endian);
		size = tn_perf_u64(f->p + at + 8, f->big_endian);
		at += 16;
		if (offset > f->size || size > f->size - offset)
			tn_tell(&f->trace->problems, TN_DAMAGE, "%s: feature %u is cut or damaged", f->trace->path, i);
		else
			read_feature(f, i, f->p + offset, size);
	}
}

/* ---- both kinds of file ---- */

static enum tn_code
read_file(struct tn_perf_file *f, struct tn_error *err)
{
	uint64_t size;

	if (f->size < 104)
		return tn_fail(err, TN_ERR_FORMAT, "%s: the file of %" PRIu64 " bytes ends in the header of a "
						   "perf.data", f->trace->path,
			       f->size);
	read_attrs(f, tn_perf_u64(f->p + 16, f->big_endian), tn_perf_u64(f->p + 24, f->big_endian),
		   tn_perf_u64(f->p + 32, f->big_endian));
	f->data_at = tn_perf_u64(f->p + 40, f->big_endian);
	size = tn_perf_u64(f->p + 48, f->big_endian);
	if (f->data_at > f->size) {
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the file ends at byte %" PRIu64 ", before its events",
			f->trace->path, f->size);
		f->data_at = f->data_end = f->size;
		return TN_OK;
	}
	f->data_end = f->size;
	if (!size) {
		tn_tell(&f->trace->problems, TN_WARNING,
			"%s: the recording was interrupted: all recorded data is shown", f->trace->path);
	} else if (size > f->size - f->data_at) {
		tn_tell(&f->trace->problems, TN_DAMAGE, "%s: the file ends at byte %" PRIu64 ", its events at byte %" PRIu64 ": "
			"the readable part is shown", f->trace->path, f->size,
			size < UINT64_MAX - f->data_at ? f->data_at + size : UINT64_MAX);
	} else {
		f->data_end = f->data_at + size;
		f->has_features = true;
		read_features(f, f->p + 72);
	}
	return TN_OK;
}

/*
 * Read a record of a pipe that describes events. Names of attributes need all ids, so a second call with @later reads
 * them.
 */
static void
read_description(struct tn_perf_file *f, const struct tn_perf_record *r, bool later)
{
	const uint8_t *body = r->p + 8;
	uint32_t size = r->size - 8, own = size >= 8 ? tn_perf_u32(body + 4, f->big_endian) : 0;
	uint64_t which = size >= 8 ? tn_perf_u64(body, f->big_endian) : 0;
	const struct tn_perf_attr *a;

	if (r->type == TN_PERF_HEADER_ATTR && !later && own >= 64 && own <= size && add_attr(f, body, own)) {
		add_ids(f, body + own, (size - own) / 8);
	} else if (r->type == TN_PERF_TRACING_DATA && later && size >= 4) {
		uint64_t n = tn_perf_u32(body, f->big_endian), there = r->next - (r->at + r->size);

		read_tracing(f, r->p + r->size, n < there ? n : there);
	} else if (r->type == TN_PERF_FEATURE && later && size > 8 && which < 256) {
		read_feature(f, (unsigned)which, body + 8, size - 8);
	} else if (r->type == TN_PERF_EVENT_UPDATE && later && size > 16 && which == 2) {
		a = tn_perf_attr_of(f, tn_perf_u64(body + 8, f->big_endian));
		if (a)
			f->attrs.item[a - f->attrs.item].name = keep(f, body + 16, size - 16);
	}
}

/* Read ahead in a pipe: it describes events in records before them, and its machine perhaps after the first events. */
static void
read_ahead(struct tn_perf_file *f, bool later)
{
	struct tn_perf_record r;
	uint64_t at = f->data_at, end = f->data_end;

	for (bool events = false; tn_perf_next(&r, f->p, at, end, f->big_endian) && r.type != TN_PERF_FINISHED_INIT; at = r.next) {
		if (r.type == TN_PERF_SAMPLE && !events) {
			events = true;
			end = end - at > MOST_AHEAD ? at + MOST_AHEAD : end;
		}
		f->is_packed |= r.type == TN_PERF_COMPRESSED || r.type == TN_PERF_COMPRESSED2;
		f->has_aux |= r.type == TN_PERF_AUXTRACE_INFO;
		if (f->is_pipe)
			read_description(f, &r, later);
	}
	sort_ids(f);
}

/*
 * `perf inject --guest-data` adds what perf recorded in a guest, with ids that ID_INDEX lists with the guest's process. Such
 * records have numbers of processes and addresses of the guest, so their ids get attributes of their own.
 */
static void
add_guests(struct tn_perf_file *f, const struct tn_perf_record *r)
{
	uint64_t n = r->size >= 16 ? tn_perf_u64(r->p + 8, f->big_endian) : 0;
	const uint8_t *id = r->p + 16, *guest;

	/* Older versions have no part about guests. */
	if (!n || n > (r->size - 16u) / 48)
		return;
	guest = id + 32 * n;
	for (uint64_t i = 0; i < n; i++, id += 32, guest += 16) {
		uint64_t number = tn_perf_u64(id, f->big_endian);
		struct tn_perf_attr *a = (struct tn_perf_attr *)tn_perf_attr_of(f, number), *copy;
		size_t at = 0;

		if (!a || a->is_guest || !tn_perf_u64(guest, f->big_endian))
			continue;
		if (!a->guest) {
			size_t from = (size_t)(a - f->attrs.item);

			if (!(copy = TN_ARRAY_ADD(&f->attrs))) {
				f->no_memory = true;
				return;
			}
			a = &f->attrs.item[from];
			*copy = *a;
			copy->is_guest = true;
			a->guest = (uint32_t)f->attrs.n;
		}
		TN_BISECT(at, f->ids.n, mid, f->ids.item[mid].id < number);
		f->ids.item[at].attr = a->guest - 1;
	}
}

static void
find_guests(struct tn_perf_file *f)
{
	struct tn_perf_record r;

	/* perf writes ID_INDEX before all events. */
	for (uint64_t at = f->data_at; tn_perf_next(&r, f->p, at, f->data_end, f->big_endian) && r.type != TN_PERF_SAMPLE &&
	     r.type != TN_PERF_FINISHED_ROUND && at - f->data_at < MOST_AHEAD; at = r.next)
		if (r.type == TN_PERF_ID_INDEX)
			add_guests(f, &r);
}

/* Find the positions of ids, if all attributes agree on them. */
static void
find_ids(struct tn_perf_file *f)
{
	f->id_at = f->id_from_end = TN_PERF_NOWHERE;
	for (size_t i = 0; i < f->attrs.n; i++) {
		uint64_t has = f->attrs.item[i].sample_type;
		uint32_t from_end = has & TN_PERF_HAS_IDENTIFIER ? 8 : 8 * (uint32_t)__builtin_popcountll(has & (TN_PERF_HAS_ID |
			TN_PERF_HAS_STREAM_ID | TN_PERF_HAS_CPU));

		if (!(has & (TN_PERF_HAS_ID | TN_PERF_HAS_IDENTIFIER)))
			from_end = TN_PERF_NOWHERE;
		if (i && (f->attrs.item[i].id_at != f->id_at || from_end != f->id_from_end)) {
			/*
			 * If the attributes do not have the id at a common position, the first attribute is used for all
			 * records.
			 */
			f->id_at = f->id_at == f->attrs.item[i].id_at ? f->id_at : TN_PERF_NOWHERE;
			f->id_from_end = f->id_from_end == from_end ? from_end : TN_PERF_NOWHERE;
			continue;
		}
		f->id_at = f->attrs.item[i].id_at;
		f->id_from_end = from_end;
	}
}

static void
find_times(struct tn_perf_file *f)
{
	for (size_t i = 0; i < f->attrs.n; i++) {
		const struct tn_perf_attr *a = &f->attrs.item[i];
		uint32_t from_end = a->trailer_time == TN_PERF_NOWHERE ? TN_PERF_NOWHERE : a->trailer - a->trailer_time;

		if (!i) {
			f->time_at = a->time_at;
			f->time_from_end = from_end;
		}
		f->time_at = a->time_at == f->time_at ? f->time_at : TN_PERF_NOWHERE;
		f->time_from_end = from_end == f->time_from_end ? from_end : TN_PERF_NOWHERE;
	}
}

bool
tn_perf_begins(const uint8_t *p, uint64_t size)
{
	return size >= 16 && (memcmp(p, "PERFILE2", 8) == 0 || memcmp(p, "2ELIFREP", 8) == 0 || memcmp(p, "PERFFILE", 8) == 0);
}

enum tn_code
tn_perf_read(struct tn_perf_file *f, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	uint64_t header;

	if (!tn_perf_begins(f->p, f->size))
		return tn_fail(err, TN_ERR_FORMAT, "%s: the file does not begin like a perf.data", f->trace->path);
	if (memcmp(f->p, "PERFFILE", 8) == 0)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "%s: a perf.data of version 1, from before 2010: tnav reads version 2",
			       f->trace->path);
	f->big_endian = *f->p == '2';
	f->long_size = 8;
	header = tn_perf_u64(f->p + 8, f->big_endian);
	f->is_pipe = header == 16;
	f->data_at = 16;
	f->data_end = f->size;
	if (!f->is_pipe)
		rc = read_file(f, err);
	if (rc == TN_OK && !f->has_features)
		read_ahead(f, false);
	if (rc == TN_OK && f->is_pipe)
		read_ahead(f, true);
	if (rc == TN_OK && !f->attrs.n && !f->no_memory)
		rc = tn_fail(err, TN_ERR_FORMAT, "%s: the perf.data does not describe any event", f->trace->path);
	if (rc == TN_OK)
		find_guests(f);
	if (rc == TN_OK && f->no_memory)
		rc = tn_fail_memory(err);
	find_ids(f);
	find_times(f);
	tabulate_ids(f);
	if (f->has_aux)
		tn_tell(&f->trace->problems, TN_WARNING, "%s: the hardware trace (AUX) of the file is left out", f->trace->path);
	return rc;
}

void
tn_perf_release(struct tn_perf_file *f)
{
	TN_ARRAY_RELEASE(&f->attrs);
	TN_ARRAY_RELEASE(&f->ids);
	TN_ARRAY_RELEASE(&f->formats);
}
