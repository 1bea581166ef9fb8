#include "symbol/mappings.h"

#include <string.h>

#include "base/error.h"
#include "model/decoder.h"

struct reader {
	struct tn_mappings *m;
	bool no_memory;
};

bool
tn_moment_is_before(const struct tn_moment *a, const struct tn_moment *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->packet != b->packet ? a->packet < b->packet : a->row < b->row;
}

/* ---- processes ---- */

struct process_key {
	const struct tn_trace *trace;
	int64_t vpid;
};

static struct tn_process *
process_of(struct tn_mappings *m, const struct tn_trace *trace, int64_t vpid)
{
	struct process_key key = { trace, vpid }, *copy;
	struct tn_hash_item *item;
	bool is_new;

	copy = tn_arena_alloc(&m->arena, sizeof *copy);
	if (!copy)
		return NULL;
	*copy = key;
	item = tn_hash_add(&m->processes, copy, sizeof *copy, &is_new);
	if (!item || (is_new && !TN_ARRAY_ADD(&m->process)))
		return NULL;
	if (is_new) {
		item->value = m->process.n - 1;
		m->process.item[item->value].trace = trace;
		m->process.item[item->value].vpid = vpid;
	}
	return &m->process.item[item->value];
}

const struct tn_image *
tn_mappings_find(const struct tn_mappings *m, const struct tn_trace *trace, int64_t vpid, const struct tn_moment *at,
		 uint64_t address)
{
	struct process_key key = { trace, vpid };
	const struct tn_hash_item *item = tn_hash_find(&m->processes, &key, sizeof key);

	for (const struct tn_image *x = item ? m->process.item[item->value].first : NULL; x; x = x->next) {
		if (tn_moment_is_before(at, &x->begin))
			return NULL;
		if (address >= x->base && address - x->base < x->size && (!x->has_end || tn_moment_is_before(at, &x->end)))
			return x;
	}
	return NULL;
}

const struct tn_image *
tn_mappings_find_any(const struct tn_mappings *m, uint64_t address)
{
	const struct tn_image *found = NULL;

	for (size_t i = 0; i < m->process.n; i++)
		for (const struct tn_image *x = m->process.item[i].first; x; x = x->next) {
			if (address < x->base || address - x->base >= x->size)
				continue;
			if (found && (found->base != x->base || strcmp(found->path, x->path) != 0))
				return NULL;
			found = x;
		}
	return found;
}

/* The mapping that is at this base address now. */
static struct tn_image *
mapping_at(const struct tn_process *p, uint64_t base)
{
	for (struct tn_image *x = p->first; x; x = x->next)
		if (x->base == base && !x->has_end)
			return x;
	return NULL;
}

/* ---- values of events ---- */

/* Records of perf have their fields in the event's own context. */
static const struct tn_value *
find(const struct tn_event *e, const char *name)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_PAYLOAD, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT };
	const struct tn_value *v = NULL;

	for (size_t i = 0; i < TN_COUNT(scopes) && !v; i++)
		if (tn_event_scope(e, scopes[i]))
			v = tn_value_member(tn_event_scope(e, scopes[i]), name);
	return v;
}

static bool
number_of(const struct tn_event *e, const char *name, uint64_t *out)
{
	const struct tn_value *v = find(e, name);
	int64_t i;

	if (!v)
		return false;
	if (tn_value_u64(v, out) == TN_OK)
		return true;
	if (tn_value_i64(v, &i) != TN_OK)
		return false;
	*out = (uint64_t)i;
	return true;
}

static const char *
text_of(struct tn_mappings *m, const struct tn_event *e, const char *name, bool *failed)
{
	const struct tn_value *v = find(e, name);
	const void *bytes;
	const char *text;
	size_t n;

	if (!v || tn_value_bytes(v, &bytes, &n) != TN_OK)
		return NULL;
	text = tn_arena_copy(&m->arena, bytes, n);
	*failed |= !text;
	return text;
}

/* ---- events ---- */

struct told {
	struct tn_mappings *m;
	const struct tn_event *event;
	struct tn_process *process;
	int64_t vpid;
	struct tn_moment at;
	bool failed;
};

static void
start(struct told *t)
{
	for (struct tn_image *x = t->process->first; x; x = x->next) {
		x->end = x->has_end ? x->end : t->at;
		x->has_end = true;
	}
}

/* The next one of the process; NULL: memory is out. */
static struct tn_image *
add_image(struct told *t)
{
	struct tn_image *x = TN_NEW(&t->m->arena, struct tn_image);

	t->failed |= !x;
	if (!x)
		return NULL;
	if (t->process->last)
		t->process->last->next = x;
	else
		t->process->first = x;
	t->process->last = x;
	t->m->n++;
	return x;
}

/* A file was mapped. Without a size it is the kernel's own (vdso). */
static void
load(struct told *t)
{
	struct tn_image *x;
	uint64_t base, size, is_pic = 1;
	const char *path;

	if (!number_of(t->event, "baddr", &base) || !number_of(t->event, "memsz", &size) || !size ||
	    mapping_at(t->process, base) || t->m->n >= TN_MAPPINGS_MOST ||
	    !(path = text_of(t->m, t->event, "path", &t->failed)))
		return;
	number_of(t->event, "is_pic", &is_pic);
	if ((x = add_image(t)))
		*x = (struct tn_image) { .begin = t->at, .base = base, .size = size, .path = path, .is_pic = is_pic == 1 };
}

static void
unload(struct told *t)
{
	struct tn_image *x;
	uint64_t base;

	if (!number_of(t->event, "baddr", &base) || !(x = mapping_at(t->process, base)))
		return;
	x->end = t->at;
	x->has_end = true;
}

static void
tell_build_id(struct told *t)
{
	const struct tn_value *root = tn_event_scope(t->event, TN_SCOPE_PAYLOAD), *v = NULL;
	struct tn_image *x;
	uint64_t base, byte;
	uint8_t *id;
	size_t n;

	if (!number_of(t->event, "baddr", &base) || !(x = mapping_at(t->process, base)) || x->build_id ||
	    !(v = tn_value_member(root, "build_id")))
		return;
	n = tn_value_count(v) < 4096 ? tn_value_count(v) : 4096;
	id = tn_arena_alloc(&t->m->arena, n + 1);
	t->failed = !id;
	for (size_t i = 0; id && i < n; i++) {
		const struct tn_value *one = tn_value_at(v, i);

		if (one && tn_value_u64(one, &byte) == TN_OK)
			id[i] = (uint8_t)byte;
	}
	x->build_id = id;
	x->build_id_size = n;
	x->build_id_at = t->at;
}

static void
tell_link(struct told *t)
{
	struct tn_image *x;
	uint64_t base, crc;

	if (!number_of(t->event, "baddr", &base) || !number_of(t->event, "crc", &crc) ||
	    !(x = mapping_at(t->process, base)) || x->link)
		return;
	x->link = text_of(t->m, t->event, "filename", &t->failed);
	x->crc = (uint32_t)crc;
	x->link_at = t->at;
}

/* perf: a part of a file, in place of what was there. Only files have names of functions. */
static void
load_part(struct told *t)
{
	const struct tn_trace *trace = t->event->stream->trace;
	struct tn_image *x;
	uint64_t base, size, offset;
	const char *path;

	if (!number_of(t->event, "addr", &base) || !number_of(t->event, "len", &size) ||
	    !number_of(t->event, "pgoff", &offset) || !(path = text_of(t->m, t->event, "filename", &t->failed)))
		return;
	for (x = t->process->first; x; x = x->next)
		if (!x->has_end && (base >= x->base ? base - x->base < x->size : x->base - base < size)) {
			x->end = t->at;
			x->has_end = true;
		}
	if (*path != '/' || t->m->n >= TN_MAPPINGS_MOST)
		return;
	if (!(x = add_image(t)))
		return;
	*x = (struct tn_image) {
		.begin = t->at, .base = base, .size = size, .path = path, .is_pic = true, .of_file = true, .offset = offset,
	};
	for (size_t i = 0; i < trace->n_file_ids; i++)
		if (strcmp(trace->file_id[i].path, path) == 0) {
			x->build_id = trace->file_id[i].id;
			x->build_id_size = trace->file_id[i].size;
			x->build_id_at = t->at;
		}
}

/* perf: a new process has all of its parent. */
static void
fork_process(struct told *t)
{
	uint64_t parent;
	struct tn_process *p;
	struct tn_image *x;

	/* Both are looked up again: a process that is new moves the others. */
	if (!number_of(t->event, "parent_pid", &parent) || !process_of(t->m, t->event->stream->trace, (int32_t)parent))
		return;
	t->process = process_of(t->m, t->event->stream->trace, t->vpid);
	p = process_of(t->m, t->event->stream->trace, (int32_t)parent);
	for (const struct tn_image *from = p && t->process != p ? p->first : NULL; from; from = from->next)
		if (!from->has_end && t->m->n < TN_MAPPINGS_MOST && (x = add_image(t))) {
			*x = *from;
			x->next = NULL;
			x->begin = t->at;
		}
}

/* @pid: the field with the number of the process; NULL: the context's vpid. */
static const struct { const char *name; void (*take)(struct told *told); const char *pid; } events[] = {
	{ "lttng_ust_statedump:start", start, NULL }, { "lttng_ust_statedump:bin_info", load, NULL },
	{ "lttng_ust_statedump:build_id", tell_build_id, NULL }, { "lttng_ust_statedump:debug_link", tell_link, NULL },
	{ "lttng_ust_dl:dlopen", load, NULL }, { "lttng_ust_dl:dlmopen", load, NULL }, { "lttng_ust_dl:dlclose", unload, NULL },
	{ "lttng_ust_lib:load", load, NULL }, { "lttng_ust_lib:unload", unload, NULL },
	{ "lttng_ust_lib:build_id", tell_build_id, NULL }, { "lttng_ust_lib:debug_link", tell_link, NULL },
	{ "perf:mmap", load_part, "pid" }, { "perf:mmap2", load_part, "pid" }, { "perf:fork", fork_process, "child_pid" },
};

static int
on_event(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct reader *r = user;
	const char *name = event ? tn_event_name(event) : NULL;
	uint64_t vpid;

	(void)row, (void)why;
	if (!name)
		return 0;
	for (size_t i = 0; i < TN_COUNT(events); i++) {
		struct told t = {
			.m = r->m, .event = event, .at = { event->time_ns, event->stream->rank, event->packet, event->row },
		};

		if (strcmp(name, events[i].name) != 0 ||
		    !number_of(event, events[i].pid ? events[i].pid : "vpid", &vpid))
			continue;
		t.vpid = (int64_t)vpid;
		t.process = process_of(r->m, event->stream->trace, (int64_t)vpid);
		if (t.process)
			events[i].take(&t);
		r->no_memory |= !t.process || t.failed;
		break;
	}
	return r->no_memory;
}

static bool
has_events(const struct tn_set *set)
{
	for (size_t t = 0; t < set->n_traces; t++)
		for (size_t c = 0; c < set->trace[t]->n_event_classes; c++) {
			const char *name = set->trace[t]->event_class[c]->name;

			for (size_t i = 0; name && i < TN_COUNT(events); i++)
				if (strcmp(name, events[i].name) == 0)
					return true;
		}
	return false;
}

enum tn_code
tn_mappings_read(struct tn_mappings *m, struct tn_set *set, unsigned threads, struct tn_error *err)
{
	struct reader r = { .m = m };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = threads, .event = on_event, .user = &r };
	struct tn_filter *filter;
	enum tn_code rc;

	if (!has_events(set))
		return TN_OK;
	rc = tn_filter_new(&filter, set, err);
	if (rc == TN_OK)
		rc = tn_filter_add_expression(filter, "event.name =~ /^(lttng_ust_(statedump|dl|lib):|perf:(mmap|fork))/", err);
	o.filter = filter;
	if (rc == TN_OK)
		rc = tn_scan(set, &o, NULL, err);
	if (r.no_memory)
		rc = tn_fail_memory(err);
	tn_filter_free(filter);
	return rc < 0 ? rc : TN_OK;
}

void
tn_mappings_release(struct tn_mappings *m)
{
	tn_arena_release(&m->arena);
	tn_hash_release(&m->processes);
	TN_ARRAY_RELEASE(&m->process);
	*m = (struct tn_mappings) { 0 };
}
