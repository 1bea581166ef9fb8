/*
 * members.c - make and release the members of a session that own memory
 */
#include <config.h>

#include <stdlib.h>

#include <tnav/grow.h>

#include "naming.h"
#include "session.h"
#include "whole_event.h"

struct condition *
conditions_copy(const struct condition *from, size_t n, size_t more)
{
	struct condition *copy = calloc(n + more + 1, sizeof *copy);

	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = from[i];
		copy[i].text = strdup(from[i].text);
		if (!copy[i].text) {
			conditions_free(copy, i);
			return NULL;
		}
	}
	return copy;
}

void
conditions_free(struct condition *condition, size_t n)
{
	for (size_t i = 0; condition && i < n; i++)
		free(condition[i].text);
	free(condition);
}

void
labels_free(char **label, size_t n)
{
	for (size_t i = 0; label && i < n; i++)
		free(label[i]);
	free(label);
}

void
offsets_free(struct tn_trace_offset *offset, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)offset[i].path);
	free(offset);
}

bool
traces_init(struct traces *t, struct tn_set *set, bool grows)
{
	t->opened = opened_new(set, false);
	t->set = set;
	t->unpacks = tn_set_is_unpacking(set);
	t->grows = grows || t->unpacks;
	t->settled_ns = t->grows ? INT64_MIN : INT64_MAX;	/* INT64_MIN: no row is in its final order yet */
	if (t->opened)
		naming_settled(t->opened->naming, t->settled_ns);
	return t->opened;
}

void
traces_times(const struct traces *t, int64_t *begin_ns, int64_t *end_ns)
{
	*begin_ns = t->bounds.has_begin && t->bounds.begin_ns > t->begin_ns ? t->bounds.begin_ns : t->begin_ns;
	*end_ns = t->bounds.has_end && t->bounds.end_ns < t->end_ns ? t->bounds.end_ns : t->end_ns;
}

void
traces_forget_labels(struct traces *t)
{
	labels_free(t->origin, t->origin ? tn_set_stream_count(t->set) : 0);
	t->origin = NULL;
}

void
traces_release(struct traces *t)
{
	traces_forget_labels(t);
	tn_nicknames_free(t->names);
	offsets_free(t->offset, t->n_offsets);
	opened_put(t->opened);
	*t = (struct traces) { 0 };
}

void
asks_init(struct asks *a, struct session *s)
{
	tally_init(&a->all, s);
	tally_init(&a->pass, s);
	tally_init(&a->found, s);
}

void
asks_release(struct asks *a)
{
	tally_release(&a->all);
	tally_release(&a->pass);
	tally_release(&a->found);
	conditions_free(a->condition, a->n_conditions);
	query_put(a->query);
	tn_regex_free(a->mark);
	free(a->pattern);
	a->condition = NULL;
	a->n_conditions = 0;
	a->query = NULL;
	a->mark = NULL;
	a->pattern = NULL;
}

void
bookmarks_release(struct here *h)
{
	for (size_t i = 0; i < h->n_bookmarks; i++) {
		free(h->bookmark[i].note);
		free(h->bookmark[i].text);
	}
	free(h->bookmark);
	h->bookmark = NULL;
	h->n_bookmarks = 0;
}

void
here_release(struct here *h)
{
	whole_event_release(&h->whole);
	bookmarks_release(h);
	free(h->focus_path);
	free(h->focus_value);
	*h = (struct here) { 0 };
}

void
answer_wish_release(struct answer_wish *w)
{
	free(w->spans);
	free(w->by);
	free(w->show);
	free(w->where);
	free(w->other);
	free(w->why);
	w->spans = w->by = w->show = w->where = w->other = w->why = NULL;
}

void
answer_asks_release(struct answer_asks *a)
{
	answer_wish_release(&a->wish);
	free(a->wish.changes);
	free(a->wish.left.row);
	free(a->lanes);
	free(a->plot);
	free(a->flame);
	free(a->followed);
	free(a->table);
	free(a->table_end);
	opened_put(a->other);
	free(a->other_path);
	*a = (struct answer_asks) { 0 };
}
