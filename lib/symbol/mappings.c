#include "symbol/mappings.h"

#include <stdlib.h>
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

static uint64_t
last_of(const struct tn_image *x)
{
	return x->size - 1 > UINT64_MAX - x->base ? UINT64_MAX : x->base + (x->size - 1);
}

/* Index of the first mapping with a higher base. */
static size_t
above(const struct tn_process *p, uint64_t base)
{
	size_t at = 0;

	TN_BISECT(at, p->place.n, i, p->place.item[i].image->base <= base);
	return at;
}

/*
 * Find the mapping that exists at a moment and has the same base as the one before @end; NULL: none. *first: index of the
 * first mapping with this base.
 */
static const struct tn_image *
alive_before(const struct tn_process *p, size_t end, const struct tn_moment *at, size_t *first)
{
	const struct tn_place_of_image *place = p->place.item;
	uint64_t base = place[end - 1].image->base;
	size_t begin = 0, next;

	TN_BISECT(begin, end, i, place[i].image->base < base);
	next = *first = begin;
	TN_BISECT(next, end, i, !tn_moment_is_before(at, &place[i].image->begin));
	if (next == begin || (place[next - 1].image->has_end && !tn_moment_is_before(at, &place[next - 1].image->end)))
		return NULL;
	return place[next - 1].image;
}

const struct tn_image *
tn_mappings_find(const struct tn_mappings *m, const struct tn_trace *trace, int64_t vpid, const struct tn_moment *at,
		 uint64_t address)
{
	struct process_key key = { trace, vpid };
	const struct tn_hash_item *item = tn_hash_find(&m->processes, &key, sizeof key);
	const struct tn_process *p = item ? &m->process.item[item->value] : NULL;
	const struct tn_image *found = NULL;

	/* If several mappings contain the address, the first one counts. */
	for (size_t i = p ? above(p, address) : 0; i && p->place.item[i - 1].last >= address;) {
		const struct tn_image *x = alive_before(p, i, at, &i);

		if (x && address - x->base < x->size && (!found || tn_moment_is_before(&x->begin, &found->begin)))
			found = x;
	}
	return found;
}

const struct tn_image *
tn_mappings_find_any(const struct tn_mappings *m, uint64_t address)
{
	const struct tn_image *found = NULL;

	for (size_t k = 0; k < m->process.n; k++) {
		const struct tn_process *p = &m->process.item[k];

		for (size_t i = above(p, address); i && p->place.item[i - 1].last >= address; i--) {
			const struct tn_image *x = p->place.item[i - 1].image;

			if (address - x->base >= x->size)
				continue;
			/* The parts of a mapping that another one divided have other bases, but the same place in the file. */
			if (found && (strcmp(found->path, x->path) != 0 ||
				      tn_image_place(found, address) != tn_image_place(x, address)))
				return NULL;
			found = x;
		}
	}
	return found;
}

static int
by_base(const void *a, const void *b)
{
	const struct tn_image *x = ((const struct tn_place_of_image *)a)->image, *y = ((const struct tn_place_of_image *)b)->image;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	return tn_moment_is_before(&x->begin, &y->begin) ? -1 : tn_moment_is_before(&y->begin, &x->begin);
}

/* Sort the mappings of a process for searches. False: memory is out. */
static bool
order(struct tn_process *p)
{
	uint64_t last = 0;

	p->place.n = 0;
	for (const struct tn_image *x = p->first; x; x = x->next) {
		struct tn_place_of_image *place = TN_ARRAY_ADD(&p->place);

		if (!place)
			return false;
		place->image = x;
	}
	if (p->place.n)
		qsort(p->place.item, p->place.n, sizeof *p->place.item, by_base);
	for (size_t i = 0; i < p->place.n; i++) {
		uint64_t own = last_of(p->place.item[i].image);

		last = own > last ? own : last;
		p->place.item[i].last = last;
	}
	p->changed = false;
	return true;
}

/* ---- mappings that exist while events are read ---- */

/* Index in `now` of the first mapping with this base or a lower one. New mappings are usually below earlier ones. */
static size_t
place_now(const struct tn_process *p, uint64_t base)
{
	size_t at = 0;

	TN_BISECT(at, p->now.n, i, p->now.item[i]->base > base);
	return at;
}

/* The mapping that now has this base. */
static struct tn_image *
mapping_at(const struct tn_process *p, uint64_t base)
{
	size_t at = place_now(p, base);

	return at < p->now.n && p->now.item[at]->base == base ? p->now.item[at] : NULL;
}

static void
end_images(struct tn_process *p, size_t first, size_t end, const struct tn_moment *at)
{
	for (size_t i = first; i < end; i++) {
		p->now.item[i]->end = *at;
		p->now.item[i]->has_end = true;
	}
	if (end > first)
		memmove(p->now.item + first, p->now.item + end, (p->now.n - end) * sizeof *p->now.item);
	p->now.n -= end - first;
}

/* ---- values of events ---- */

/* Records of perf have these fields in the event's own context. */
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
	end_images(t->process, 0, t->process->now.n, &t->at);
}

/* Add a file to the process, at a base that no other file has now. If memory is out, t->failed is set. */
static void
add_image(struct told *t, const struct tn_image *image)
{
	struct tn_process *p = t->process;
	size_t at = place_now(p, image->base);
	struct tn_image *x = TN_NEW(&t->m->arena, struct tn_image);

	if (!x || !TN_ARRAY_ADD(&p->now)) {
		t->failed = true;
		return;
	}
	memmove(p->now.item + at + 1, p->now.item + at, (p->now.n - 1 - at) * sizeof *p->now.item);
	p->now.item[at] = x;
	*x = *image;
	x->begin = t->at;
	x->next = NULL;
	if (p->last)
		p->last->next = x;
	else
		p->first = x;
	p->last = x;
	t->m->n++;
}

static void
unload(struct told *t)
{
	uint64_t base;
	size_t at;

	if (!number_of(t->event, "baddr", &base) || !mapping_at(t->process, base))
		return;
	at = place_now(t->process, base);
	end_images(t->process, at, at + 1, &t->at);
}

/*
 * A file was mapped. A file without a size is the kernel's vdso. Of two files at one address, the second counts if
 * @replaces is set.
 */
static void
load_file(struct told *t, bool replaces)
{
	uint64_t base, size, is_pic = 1;
	const struct tn_image *x;
	const char *path;

	if (!number_of(t->event, "baddr", &base) || !number_of(t->event, "memsz", &size) || !size ||
	    !(path = text_of(t->m, t->event, "path", &t->failed)))
		return;
	x = mapping_at(t->process, base);
	if (x && replaces && strcmp(x->path, path) != 0)
		unload(t);	/* the event that unloaded the file was lost */
	else if (x)
		return;
	if (t->m->n >= TN_MAPPINGS_MOST)
		return;
	number_of(t->event, "is_pic", &is_pic);
	add_image(t, &(struct tn_image) { .base = base, .size = size, .path = path, .is_pic = is_pic == 1, .n_open = 1 });
}

/* If a state dump has two files at one base, the first one counts, as in babeltrace2. */
static void
load_dumped(struct told *t)
{
	load_file(t, false);
}

static void
load_new(struct told *t)
{
	load_file(t, true);
}

/* dlopen() of a library that is already loaded counts, because dlclose() must then be called more often. */
static void
open_image(struct told *t)
{
	struct tn_image *x;
	uint64_t base;

	x = number_of(t->event, "baddr", &base) ? mapping_at(t->process, base) : NULL;
	load_new(t);
	if (x && x == mapping_at(t->process, base))
		x->n_open++;
}

static void
close_image(struct told *t)
{
	struct tn_image *x;
	uint64_t base;

	if (number_of(t->event, "baddr", &base) && (x = mapping_at(t->process, base)) && --x->n_open == 0)
		unload(t);
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

/*
 * perf: a part of a file was mapped. It replaces only the same addresses of earlier mappings. Only files have names of
 * functions.
 */
static void
load_part(struct told *t)
{
	const struct tn_trace *trace = t->event->stream->trace;
	struct tn_image x = { .is_pic = true, .of_file = true, .build_id_at = t->at }, low = { 0 }, high = { 0 };
	struct tn_process *p = t->process;
	size_t first, end;

	if (!number_of(t->event, "addr", &x.base) || !number_of(t->event, "len", &x.size) || !x.size ||
	    !number_of(t->event, "pgoff", &x.offset) || !(x.path = text_of(t->m, t->event, "filename", &t->failed)))
		return;
	/* The current mappings do not overlap each other, but a mapping with a lower base can overlap the new one. */
	first = place_now(p, last_of(&x));
	for (end = first; end < p->now.n && last_of(p->now.item[end]) >= x.base; end++)
		;
	if (end > first) {
		low = *p->now.item[end - 1];
		high = *p->now.item[first];
	}
	end_images(p, first, end, &t->at);
	if (t->m->n + 3 > TN_MAPPINGS_MOST)
		return;
	if (low.size && low.base < x.base) {
		low.size = x.base - low.base;
		add_image(t, &low);
	}
	if (high.size && last_of(&high) > last_of(&x)) {
		uint64_t cut = last_of(&x) + 1 - high.base;

		high.base += cut;
		high.offset += cut;
		high.size -= cut;
		add_image(t, &high);
	}
	if (*x.path != '/')
		return;
	for (size_t i = 0; i < trace->n_file_ids; i++)
		if (strcmp(trace->file_id[i].path, x.path) == 0) {
			x.build_id = trace->file_id[i].id;
			x.build_id_size = trace->file_id[i].size;
		}
	add_image(t, &x);
}

/* perf: a new process has all mappings of its parent, and none of an earlier process with the same number. */
static void
fork_process(struct told *t)
{
	uint64_t parent;
	struct tn_process *p;

	/* Look up both processes again, because adding a process moves the others. */
	if (!number_of(t->event, "parent_process", &parent) || !process_of(t->m, t->event->stream->trace, (int32_t)parent))
		return;
	t->process = process_of(t->m, t->event->stream->trace, t->vpid);
	p = process_of(t->m, t->event->stream->trace, (int32_t)parent);
	if (!p || t->process == p)
		return;
	start(t);
	for (size_t i = 0; i < p->now.n && t->m->n < TN_MAPPINGS_MOST; i++)
		add_image(t, p->now.item[i]);
}

/* @pid: the field with the number of the process; NULL: vpid of the context. */
static const struct { const char *name; void (*take)(struct told *told); const char *pid; } events[] = {
	{ "lttng_ust_statedump:start", start, NULL }, { "lttng_ust_statedump:bin_info", load_dumped, NULL },
	{ "lttng_ust_statedump:build_id", tell_build_id, NULL }, { "lttng_ust_statedump:debug_link", tell_link, NULL },
	{ "lttng_ust_dl:dlopen", open_image, NULL }, { "lttng_ust_dl:dlmopen", open_image, NULL },
	{ "lttng_ust_dl:dlclose", close_image, NULL }, { "lttng_ust_dl:build_id", tell_build_id, NULL },
	{ "lttng_ust_dl:debug_link", tell_link, NULL },
	{ "lttng_ust_lib:load", load_new, NULL }, { "lttng_ust_lib:unload", unload, NULL },
	{ "lttng_ust_lib:build_id", tell_build_id, NULL }, { "lttng_ust_lib:debug_link", tell_link, NULL },
	{ "perf:mmap", load_part, "pid" }, { "perf:mmap2", load_part, "pid" }, { "perf:fork", fork_process, "child_process" },
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
		if (t.process) {
			t.process->changed = r->m->changed = true;
			events[i].take(&t);
		}
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
tn_mappings_read(struct tn_mappings *m, struct tn_set *set, unsigned threads, int64_t end_ns, struct tn_error *err)
{
	struct reader r = { .m = m };
	struct tn_scan_options o = {
		TN_SCAN_OPTIONS, .threads = threads, .event = on_event, .user = &r,
		.has_from = m->is_read, .from = { .time_ns = m->end_ns, .stream = UINT32_MAX },
		.has_end = end_ns != INT64_MAX, .end_ns = end_ns,
	};
	struct tn_filter *filter;
	enum tn_code rc;

	if (!has_events(set) || (m->is_read && end_ns <= m->end_ns))
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
	for (size_t i = 0; i < m->process.n && rc >= 0; i++)
		if (m->process.item[i].changed)
			rc = order(&m->process.item[i]) ? TN_OK : tn_fail_memory(err);
	if (rc < 0)
		return rc;
	m->is_read = true;
	m->end_ns = end_ns;
	return TN_OK;
}

void
tn_mappings_release(struct tn_mappings *m)
{
	tn_arena_release(&m->arena);
	tn_hash_release(&m->processes);
	for (size_t i = 0; i < m->process.n; i++) {
		TN_ARRAY_RELEASE(&m->process.item[i].now);
		TN_ARRAY_RELEASE(&m->process.item[i].place);
	}
	TN_ARRAY_RELEASE(&m->process);
	*m = (struct tn_mappings) { 0 };
}
