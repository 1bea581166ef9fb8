/* store.c - the parts of a scan in the form in which they are stored (index/stored_scan.h) */
#include "chromejson/private.h"
#include "index/stored_scan.h"

#define MOST_DEPTH 16	/* exceeds the depth that learn.c makes */

static void
piece(struct tn_scan_parts *s, struct tn_cj_piece *p)
{
	tn_scan_block(s, &p->p, &p->n);
	tn_scan_bytes(s, &p->escaped, sizeof p->escaped);
	if (!p->p)
		s->failed = true;
}

/* Store or read a place: the kinds of values that occurred there, and its members. */
static void
node_parts(struct tn_scan_parts *s, struct tn_cj_node *node, unsigned depth)
{
	struct tn_cj_node *m = node->first;
	size_t n = node->n, raw_n;

	s->failed |= depth > MOST_DEPTH;
	tn_scan_bytes(s, &node->seen, sizeof node->seen);
	tn_scan_bytes(s, &node->more, sizeof node->more);
	tn_scan_number(s, &n);
	for (size_t i = 0; i < n && !s->failed; i++, m = m->next) {
		if (s->is_reading && !(m = tn_cj_node_add(s->arena, node))) {
			s->failed = true;
			return;
		}
		raw_n = m->raw_n;
		tn_scan_text(s, &m->key);
		tn_scan_block(s, &m->raw, &raw_n);
		m->raw_n = (uint32_t)raw_n;
		node_parts(s, m, depth + 1);
	}
	s->failed |= node->seen & 1u << TN_CJ_ARRAY && !node->first && !(node->seen & 1u << TN_CJ_WORD);
}

static void
env_parts(struct tn_trace *trace, struct tn_scan_parts *s)
{
	tn_scan_number(s, &trace->n_env);
	if (s->is_reading && !(trace->env = TN_NEW_ARRAY(s->arena, trace->n_env + 1, struct tn_env)))
		s->failed = true;
	for (size_t i = 0; i < trace->n_env && !s->failed; i++) {
		struct tn_env *env = &trace->env[i];

		tn_scan_text(s, &env->name);
		tn_scan_bytes(s, &env->is_text, sizeof env->is_text);
		if (env->is_text)
			tn_scan_text(s, &env->text);
		else
			tn_scan_bytes(s, &env->number, sizeof env->number);
		s->failed |= !env->name || (env->is_text && !env->text);
	}
}

/* Whether each entry has a class and a place that exist. */
static bool
check_entries(struct tn_cj_trace *own)
{
	const struct tn_cj_entry *e = (const struct tn_cj_entry *)(const void *)own->entries.data;
	bool good = own->entries.size % sizeof *e == 0;

	own->n_entries = own->entries.size / sizeof *e;
	for (uint64_t i = 0; good && i < own->n_entries; i++)
		good = e[i].at < own->map.size && (e[i].track & (TN_CJ_DAMAGE | TN_CJ_LOSS) || (e[i].class < own->classes.n &&
		       e[i].track < own->tracks.n)) && (!i || e[i - 1].ns <= e[i].ns);
	return good;
}

bool
tn_cj_parts(struct tn_trace *trace, struct tn_scan_parts *s)
{
	struct tn_cj_trace *own = trace->own;

	tn_scan_bytes(s, &own->found, sizeof own->found);
	TN_SCAN_ITEMS(s, &own->classes);
	for (size_t i = 0; i < own->classes.n && !s->failed; i++) {
		struct tn_cj_class *c = &own->classes.item[i];

		tn_scan_bytes(s, &c->phase, sizeof c->phase);
		tn_scan_bytes(s, &c->is_other, sizeof c->is_other);
		piece(s, &c->category);
		piece(s, &c->name);
		node_parts(s, &c->payload, 0);
	}
	TN_SCAN_ITEMS(s, &own->tracks);
	for (size_t i = 0; i < own->tracks.n && !s->failed; i++) {
		struct tn_cj_track *t = &own->tracks.item[i];

		piece(s, &t->pid);
		piece(s, &t->tid);
		tn_scan_text(s, &t->process);
		tn_scan_text(s, &t->thread);
	}
	env_parts(trace, s);
	return !s->is_reading || s->failed || check_entries(own);
}
