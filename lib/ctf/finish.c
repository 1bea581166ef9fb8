#include "ctf/finish.h"

#include "model/decoder.h"	/* for TN_SCOPE_... */

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

/* Number the roots of the forest. */
static bool
number_slots(struct tn_trace *trace, struct tn_ctf_slot *slot, size_t n_slots)
{
	struct tn_ctf_slot **sorted = malloc((n_slots + 1) * sizeof *sorted);
	uint32_t below = 0, next = 0, top = 0;
	size_t n = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < n_slots; i++)
		if (slot[i].parent == (int32_t)i)
			sorted[n++] = &slot[i];
	qsort(sorted, n, sizeof *sorted, by_class);
	for (size_t i = 0; i < n; i++) {
		struct tn_ctf_slot *s = sorted[i];

		/* A level begins after the largest class of the previous level. This is simple, and wastes few slots. */
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

static struct tn_ctf_slot *
root_of(struct tn_ctf_wiring *w, int32_t slot)
{
	struct tn_ctf_slot *s = w->slots.item;

	while (s[slot].parent != slot)
		slot = s[slot].parent = s[s[slot].parent].parent;
	return &s[slot];
}

int32_t
tn_ctf_slot_new(struct tn_ctf_wiring *w, int scope, uint32_t stream, uint32_t event)
{
	struct tn_ctf_slot *slot = w->slots.n < INT32_MAX ? TN_ARRAY_ADD(&w->slots) : NULL;

	if (!slot)
		return TN_NO_SLOT;
	*slot = (struct tn_ctf_slot) {
		.parent = (int32_t)w->slots.n - 1,
		.stream = scope <= TN_SCOPE_PACKET_HEADER ? TN_CTF_EVERY : stream,
		.event = scope <= TN_SCOPE_COMMON_CONTEXT ? TN_CTF_EVERY : event,
	};
	return slot->parent;
}

bool
tn_ctf_slot_share(struct tn_ctf_wiring *w, int32_t *slot, struct tn_field *field, int scope, uint32_t stream,
		  uint32_t event)
{
	if (field->slot == TN_NO_SLOT) {
		struct tn_field **place = TN_ARRAY_ADD(&w->slotted);

		if (!place)
			return false;
		*place = field;
		if (*slot == TN_NO_SLOT)
			*slot = tn_ctf_slot_new(w, scope, stream, event);
		field->slot = *slot;
		return *slot != TN_NO_SLOT;
	}
	if (*slot == TN_NO_SLOT)
		*slot = root_of(w, field->slot)->parent;
	else
		root_of(w, field->slot)->parent = root_of(w, *slot)->parent;
	return true;
}

bool
tn_ctf_refers(struct tn_ctf_wiring *w, struct tn_type *type)
{
	struct tn_type **place = TN_ARRAY_ADD(&w->referring);

	if (place)
		*place = type;
	return place != NULL;
}

bool
tn_ctf_guard(struct tn_arena *arena, struct tn_type *t, int32_t slot, const bool *leads)
{
	struct tn_guard *guard = tn_arena_more(arena, t->guard, t->n_guards, sizeof *guard);

	if (!guard)
		return false;
	guard[t->n_guards++] = (struct tn_guard) { slot, leads };
	t->guard = guard;
	return true;
}

bool
tn_ctf_wire(struct tn_trace *trace, struct tn_ctf_wiring *w)
{
	if (!number_slots(trace, w->slots.item, w->slots.n))
		return false;
	for (size_t i = 0; i < w->slotted.n; i++)
		w->slotted.item[i]->slot = root_of(w, w->slotted.item[i]->slot)->number;
	for (size_t i = 0; i < w->referring.n; i++) {
		struct tn_type *t = w->referring.item[i];
		/* This function may still change the guards. */
		struct tn_guard *guard = (struct tn_guard *)t->guard;
		int32_t *clear = (int32_t *)t->clear_slot;

		if (t->ref_slot != TN_NO_SLOT)
			t->ref_slot = root_of(w, t->ref_slot)->number;
		if (t->ref_guard)
			t->ref_guard = (uint32_t)root_of(w, (int32_t)t->ref_guard - 1)->number + 1;
		for (size_t k = 0; k < t->n_guards; k++)
			guard[k].slot = root_of(w, guard[k].slot)->number;
		for (size_t k = 0; k < t->n_clear_slots; k++)
			clear[k] = root_of(w, clear[k])->number;
	}
	return true;
}

void
tn_ctf_wiring_release(struct tn_ctf_wiring *w)
{
	TN_ARRAY_RELEASE(&w->slots);
	TN_ARRAY_RELEASE(&w->slotted);
	TN_ARRAY_RELEASE(&w->referring);
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
	tn_trace_each_scope(t, number_scope, &t->n_fields);
	return true;
}
