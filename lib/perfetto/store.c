/* store.c - the parts of a scan in the form in which they are stored (index/stored_scan.h) */
#include "index/stored_scan.h"
#include "perfetto/private.h"

static bool
is_inside(const struct tn_pf_trace *own, uint64_t at, uint64_t n)
{
	return at <= own->size && n <= own->size - at;
}

static void
node_parts(struct tn_scan_parts *s, struct tn_pf_node *node, unsigned depth)
{
	struct tn_pf_node *m = node->first;
	size_t n = node->n, key_n;

	s->failed |= depth > 2 * TN_PF_DEPTH;
	tn_scan_bytes(s, &node->seen, sizeof node->seen);
	tn_scan_number(s, &n);
	for (size_t i = 0; i < n && !s->failed; i++, m = m->next) {
		if (s->is_reading && !(m = tn_pf_node_add(s->arena, node))) {
			s->failed = true;
			return;
		}
		key_n = (size_t)m->key.n;
		tn_scan_block(s, &m->key.p, &key_n);
		m->key.n = key_n;
		s->failed |= !m->key.p;
		node_parts(s, m, depth + 1);
	}
}

static void
cpu_parts(struct tn_pf_trace *own, struct tn_scan_parts *s)
{
	TN_SCAN_ITEMS(s, &own->cpus);
	tn_scan_bytes(s, own->cpu_at, sizeof own->cpu_at);
	for (size_t i = 0; i < own->cpus.n && !s->failed; i++) {
		struct tn_pf_cpu *c = &own->cpus.item[i];

		tn_scan_bytes(s, &c->cpu, sizeof c->cpu);
		tn_scan_bytes(s, &c->pid, sizeof c->pid);
		tn_scan_bytes(s, &c->comm, sizeof c->comm);
		TN_SCAN_ARRAY(s, &c->bundles);
		s->failed |= !is_inside(own, c->comm.at, c->comm.n);
		for (size_t k = 0; k < c->bundles.n && !s->failed; k++) {
			const struct tn_pf_bundle *b = &c->bundles.item[k];

			s->failed |= !is_inside(own, b->at, b->n) || !is_inside(own, b->comm.at, b->comm.n);
		}
	}
	for (size_t i = 0; i < TN_COUNT(own->cpu_at) && !s->failed; i++)
		s->failed |= own->cpu_at[i] > own->cpus.n;
}

static void
kind_parts(struct tn_pf_trace *own, struct tn_scan_parts *s)
{
	tn_scan_bytes(s, own->seen, sizeof own->seen);
	TN_SCAN_ARRAY(s, &own->seen_others);
	TN_SCAN_ITEMS(s, &own->others);
	for (size_t i = 0; i < own->others.n && !s->failed; i++) {
		struct tn_pf_kind *k = &own->others.item[i];

		tn_scan_bytes(s, &k->number, sizeof k->number);
		tn_scan_text(s, &k->group);
		tn_scan_text(s, &k->name);
		tn_scan_text(s, &k->fields);
		s->failed |= !k->group || !k->name || !k->fields;
	}
}

static void
name_parts(struct tn_pf_trace *own, struct tn_scan_parts *s)
{
	TN_SCAN_ITEMS(s, &own->names);
	for (size_t i = 0; i < own->names.n && !s->failed; i++) {
		struct tn_pf_name *name = &own->names.item[i];
		struct tn_hash_item *item;

		tn_scan_bytes(s, &name->tid, sizeof name->tid);
		tn_scan_bytes(s, &name->pid, sizeof name->pid);
		tn_scan_text(s, &name->name);
		s->failed |= !name->name;
		if (!s->is_reading || s->failed)
			continue;
		item = tn_hash_add_u64(&own->name_of, (uint32_t)name->tid, NULL);
		s->failed |= !item;
		if (item)
			item->value = i;
	}
}

static void
class_parts(struct tn_pf_trace *own, struct tn_scan_parts *s)
{
	TN_SCAN_ITEMS(s, &own->classes);
	for (size_t i = 0; i < own->classes.n && !s->failed; i++) {
		struct tn_pf_class *c = &own->classes.item[i];

		tn_scan_bytes(s, &c->type, sizeof c->type);
		tn_scan_bytes(s, &c->is_other, sizeof c->is_other);
		tn_scan_bytes(s, &c->has, sizeof c->has);
		tn_scan_bytes(s, &c->track, sizeof c->track);
		tn_scan_text(s, &c->name);
		s->failed |= !c->name;
		node_parts(s, &c->notes, 0);
	}
	TN_SCAN_ITEMS(s, &own->tracks);
	for (size_t i = 0; i < own->tracks.n && !s->failed; i++) {
		struct tn_pf_track *t = &own->tracks.item[i];

		tn_scan_bytes(s, &t->uuid, sizeof t->uuid);
		tn_scan_bytes(s, &t->pid, sizeof t->pid);
		tn_scan_bytes(s, &t->tid, sizeof t->tid);
		tn_scan_bytes(s, &t->is_change, sizeof t->is_change);
		tn_scan_text(s, &t->name);
		tn_scan_text(s, &t->process);
		tn_scan_text(s, &t->thread);
	}
}

/* Store or read the texts, and the last text of each key. */
static void
interned_parts(struct tn_pf_trace *own, struct tn_scan_parts *s)
{
	size_t n = own->intern.n, k = 0;

	TN_SCAN_ARRAY(s, &own->interned);
	for (size_t i = 0; i < own->interned.n && !s->failed; i++)
		s->failed |= own->interned.item[i].before > i ||
			     !is_inside(own, own->interned.item[i].text_at, own->interned.item[i].n);
	tn_scan_number(s, &n);
	for (size_t i = 0; i < n && !s->failed; i++) {
		struct tn_pf_intern_key key = { 0 }, *copy;
		struct tn_hash_item *item = NULL;
		uint64_t value = 0;

		if (!s->is_reading) {
			while (!own->intern.item[k].hash)
				k++;
			item = &own->intern.item[k++];
			memcpy(&key, item->key.at, sizeof key);
			value = item->value;
		}
		tn_scan_bytes(s, &key, sizeof key);
		tn_scan_bytes(s, &value, sizeof value);
		if (!s->is_reading)
			continue;
		if ((copy = (void *)tn_arena_copy(s->arena, (const char *)&key, sizeof key)))
			item = tn_hash_add(&own->intern, copy, sizeof *copy, NULL);
		s->failed |= !item || value > own->interned.n;
		if (item)
			item->value = value;
	}
}

/* Whether each entry has a class, a track and a packet that exist. */
static bool
check_entries(struct tn_pf_trace *own)
{
	const struct tn_pf_entry *e = (const struct tn_pf_entry *)(const void *)own->entries.data;
	bool good = own->entries.size % sizeof *e == 0;

	own->n_entries = own->entries.size / sizeof *e;
	for (uint64_t i = 0; good && i < own->n_entries; i++)
		good = e[i].at < own->size && (e[i].is_loss || e[i].class < own->classes.n) && e[i].track <= own->tracks.n &&
		       (!i || e[i - 1].ns <= e[i].ns);
	return good;
}

bool
tn_pf_parts(struct tn_trace *trace, struct tn_scan_parts *s)
{
	struct tn_pf_trace *own = trace->own;

	if (own->is_flat)
		return false;
	tn_scan_bytes(s, &own->found, sizeof own->found);
	tn_scan_text(s, &own->version);
	tn_scan_text(s, &own->sysname);
	tn_scan_text(s, &own->release);
	tn_scan_text(s, &own->machine);
	tn_scan_bytes(s, &own->clocks.has_origin, sizeof own->clocks.has_origin);
	tn_scan_bytes(s, &own->clocks.origin, sizeof own->clocks.origin);
	tn_scan_bytes(s, &own->clocks.n_unknown, sizeof own->clocks.n_unknown);
	cpu_parts(own, s);
	kind_parts(own, s);
	name_parts(own, s);
	class_parts(own, s);
	interned_parts(own, s);
	return !s->is_reading || s->failed || check_entries(own);
}
