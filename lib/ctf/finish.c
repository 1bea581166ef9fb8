#include "ctf/finish.h"

#include <stdlib.h>

/* ---- slots ---- */

static int
level_of(const struct tn_ctf_slot *s)
{
	return s->stream == TN_CTF_EVERY ? 0 : s->event == TN_CTF_EVERY ? 1 : 2;
}

static int
by_class(const void *a, const void *b)
{
	const struct tn_ctf_slot *x = *(struct tn_ctf_slot *const *)a, *y = *(struct tn_ctf_slot *const *)b;
	int level = level_of(x) - level_of(y);

	if (level)
		return level;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x < y ? -1 : x > y;
}

bool
tn_ctf_give_slots(struct tn_trace *trace, struct tn_ctf_slot *slot, size_t n)
{
	struct tn_ctf_slot **sorted = malloc((n + 1) * sizeof *sorted);
	uint32_t below = 0, next = 0, top = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &slot[i];
	qsort(sorted, n, sizeof *sorted, by_class);
	for (size_t i = 0; i < n; i++) {
		struct tn_ctf_slot *s = sorted[i];

		/* A level begins behind the largest class of the one before: simple, and wastes little. */
		if (i && level_of(s) != level_of(sorted[i - 1]))
			next = below = top;
		else if (i && (s->stream != sorted[i - 1]->stream || s->event != sorted[i - 1]->event))
			next = below;
		s->number = (int32_t)next++;
		top = next > top ? next : top;
	}
	free(sorted);
	trace->n_slots = top;
	return true;
}

/* ---- classes ---- */

static int
compare_ids(const void *a, const void *b)
{
	const struct tn_event_class *x = *(struct tn_event_class *const *)a, *y = *(struct tn_event_class *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

void
tn_ctf_sort_events(struct tn_stream_class *sc)
{
	if (sc->n_event_classes)
		qsort(sc->event_class, sc->n_event_classes, sizeof *sc->event_class, compare_ids);
}

void
tn_ctf_each_scope(struct tn_trace *t, void (*fn)(struct tn_field *, void *), void *user)
{
	struct tn_field *root[3];

	if (t->packet_header)
		fn(t->packet_header, user);
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		const struct tn_stream_class *sc = t->stream_class[i];

		root[0] = sc->packet_context;
		root[1] = sc->event_header;
		root[2] = sc->common_context;
		for (size_t k = 0; k < 3; k++)
			if (root[k])
				fn(root[k], user);
	}
	for (size_t i = 0; i < t->n_event_classes; i++) {
		root[0] = t->event_class[i]->specific_context;
		root[1] = t->event_class[i]->payload;
		for (size_t k = 0; k < 2; k++)
			if (root[k])
				fn(root[k], user);
	}
}

static void
number_scope(struct tn_field *root, void *user)
{
	tn_field_number(root, user);
}

bool
tn_ctf_list_classes(struct tn_trace *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_stream_classes; i++)
		n += t->stream_class[i]->n_event_classes + (t->stream_class[i]->other_class != NULL);
	if (!(t->event_class = TN_NEW_ARRAY(&t->arena, n + 1, struct tn_event_class *)))
		return false;
	t->n_event_classes = 0;
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		const struct tn_stream_class *sc = t->stream_class[i];

		tn_ctf_sort_events(t->stream_class[i]);
		for (size_t k = 0; k <= sc->n_event_classes; k++) {
			struct tn_event_class *ec = k < sc->n_event_classes ? sc->event_class[k] : sc->other_class;

			if (!ec)
				continue;
			ec->index = (uint32_t)t->n_event_classes;
			t->event_class[t->n_event_classes++] = ec;
		}
	}
	t->n_fields = 0;
	tn_ctf_each_scope(t, number_scope, &t->n_fields);
	return true;
}
