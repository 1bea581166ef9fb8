/*
 * track.c - rows from packets that are not ftrace: classes, tracks, interned texts, state of sequences
 *
 * Packets of one sequence are in the order in which they were written. If packets were lost, the state of the sequence is
 * unknown until a packet clears it. Packets that need the state are left out until then.
 *
 * Source     perfetto.md, 3 and 6
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfetto/private.h"

#define MOST_TRACKS ((1u << 18) - 1)	/* limit of tracks: the largest number that fits into the bits of an entry */
#define MOST_INTERNED (1u << 19)
#define MOST_PARENTS 16
/* The uuid for the track of a sequence that does not name a track. Uuids of programs do not begin like this. */
#define OWN_TRACK UINT64_C(0x5e90e9ce00000000)

struct sequence {
	uint64_t track, clock;		/* default track and clock; clock 0: none */
	uint32_t state;			/* number of its current state; 0: never cleared */
	bool is_lost;			/* packets were lost, so the state is unknown */
	bool was_seen;
	int64_t us;			/* in old packets, times are differences from this */
};

struct tn_pf_tracker {
	struct tn_trace *trace;
	struct tn_pf_trace *own;
	struct tn_filesort sorter;
	struct tn_hash classes, sequence_of;
	TN_ARRAY(struct sequence) sequences;
	uint32_t n_states, last_id;
	size_t last_sequence, n_nodes;
	int64_t last_ns;
	bool failed;
};

/* The parts of a track event except its annotations. */
struct event {
	char type;
	struct tn_pf_bytes name;
	uint64_t track, duration;
	uint32_t has;
	bool has_us;
	int64_t us;
};

/* ---- interned texts ---- */

/* Read InternedData: messages with 1 iid and 2 text. */
static void
take_interned(struct tn_pf_tracker *t, const struct tn_pf_packet *p, uint32_t state)
{
	struct tn_pf_in in = tn_pf_in(p->interned), inner;
	struct tn_pf_trace *own = t->own;
	struct tn_pf_field f, g;

	while (tn_pf_next(&in, &f) && !t->failed) {
		struct tn_pf_intern_key key = { state, (uint32_t)f.number, 0 }, *copy;
		struct tn_pf_bytes text = { f.bytes.p, 0 };
		struct tn_pf_interned *to;
		struct tn_hash_item *item;

		if (f.wire != TN_PF_BYTES || (f.number > TN_PF_NOTE_NAME && f.number != TN_PF_NOTE_TEXT))
			continue;
		for (inner = tn_pf_in(f.bytes); tn_pf_next(&inner, &g);) {
			key.iid = g.number == 1 ? g.value : key.iid;
			text = g.number == 2 ? g.bytes : text;
		}
		if (own->interned.n >= MOST_INTERNED) {
			own->found.n_uninterned++;
			continue;
		}
		item = tn_hash_find(&own->intern, &key, sizeof key);
		if (!item && (copy = (void *)tn_arena_copy(&t->trace->arena, (const char *)&key, sizeof key)))
			item = tn_hash_add(&own->intern, copy, sizeof *copy, NULL);
		to = item ? TN_ARRAY_ADD(&own->interned) : NULL;
		if (!to) {
			t->failed = true;
			return;
		}
		*to = (struct tn_pf_interned) {
			p->at, (uint64_t)(text.p - own->data), (uint32_t)(text.n & UINT32_MAX), (uint32_t)item->value,
		};
		item->value = own->interned.n;
	}
}

/* ---- tracks ---- */

/* The number of the track with this uuid, from 1. 0: there are too many tracks. */
static uint32_t
track_of(struct tn_pf_tracker *t, uint64_t uuid)
{
	struct tn_hash_item *item;
	bool is_new = false;

	if (t->own->tracks.n >= MOST_TRACKS)
		item = tn_hash_find_u64(&t->own->track_of, uuid);
	else if (!(item = tn_hash_add_u64(&t->own->track_of, uuid, &is_new)) || (is_new && !TN_ARRAY_ADD(&t->own->tracks)))
		t->failed = true;
	if (!item || t->failed) {
		t->own->found.n_trackless++;
		return 0;
	}
	if (is_new) {
		item->value = t->own->tracks.n;
		t->own->tracks.item[item->value - 1] = (struct tn_pf_track) { .uuid = uuid, .pid = -1, .tid = -1 };
	}
	return (uint32_t)item->value;
}

static void
set_text(struct tn_pf_tracker *t, const char **to, struct tn_pf_bytes text)
{
	if (!text.n || text.n > TN_PF_NAME || (*to && strlen(*to) == text.n && memcmp(*to, text.p, (size_t)text.n) == 0))
		return;
	*to = tn_pf_copy(t->trace, text);
	t->failed |= !*to;
}

/* Read ThreadDescriptor (1 pid, 2 tid, 5 name) or ProcessDescriptor (1 pid, 2 command line, 6 name). */
static void
take_thread(struct tn_pf_tracker *t, struct tn_pf_track *to, struct tn_pf_bytes body, bool is_process)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_bytes command = { body.p, 0 };
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f))
		if (f.number == 1)
			to->pid = (int32_t)f.value;
		else if (!is_process && f.number == 2)
			to->tid = (int32_t)f.value;
		else if (is_process && f.number == 2 && !command.n)
			command = f.bytes;
		else if (f.number == (is_process ? 6 : 5))
			set_text(t, is_process ? &to->process : &to->thread, f.bytes);
	if (is_process && !to->process)
		set_text(t, &to->process, command);
}

/*
 * Read TrackDescriptor: 1 uuid, 5 parent, 2 10 13 name, 3 process, 4 thread, 8 counter (5 is_incremental). The last
 * descriptor of a track counts.
 */
static void
take_descriptor(struct tn_pf_tracker *t, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	struct tn_pf_field f, g;
	uint64_t uuid = 0;
	struct tn_pf_track *to;
	uint32_t i;

	while (tn_pf_next(&in, &f))
		uuid = f.number == 1 ? f.value : uuid;
	if (!(i = track_of(t, uuid)))
		return;
	to = &t->own->tracks.item[i - 1];
	for (in = tn_pf_in(body); tn_pf_next(&in, &f);)
		switch (f.number) {
		case 2: case 10: case 13: set_text(t, &to->name, f.bytes); break;
		case 3: case 4: take_thread(t, to, f.bytes, f.number == 3); break;
		case 5: to->parent = f.value; break;
		case 8:
			for (inner = tn_pf_in(f.bytes); tn_pf_next(&inner, &g);)
				to->is_change = g.number == 5 ? g.value != 0 : to->is_change;
			break;
		default: break;
		}
}

/* Give a track without a thread or process those of its parents. */
static void
find_parents(struct tn_pf_trace *own)
{
	for (size_t i = 0; i < own->tracks.n; i++) {
		struct tn_pf_track *t = &own->tracks.item[i];
		const struct tn_pf_track *up = t;

		for (unsigned depth = 0; depth < MOST_PARENTS && up->parent; depth++) {
			const struct tn_hash_item *item = tn_hash_find_u64(&own->track_of, up->parent);

			if (!item)
				break;
			up = &own->tracks.item[item->value - 1];
			t->pid = t->pid < 0 ? up->pid : t->pid;
			t->tid = t->tid < 0 ? up->tid : t->tid;
			t->process = t->process ? t->process : up->process;
			t->thread = t->thread ? t->thread : up->thread;
		}
	}
	for (size_t i = 0; i < own->tracks.n; i++) {
		struct tn_pf_track *t = &own->tracks.item[i];
		const struct tn_pf_name *name = t->tid >= 0 ? tn_pf_name_of(own, t->tid) : NULL;

		if (!t->thread && name && *name->name)
			t->thread = name->name;
		name = t->pid >= 0 ? tn_pf_name_of(own, t->pid) : NULL;
		if (!t->process && name && *name->name)
			t->process = name->name;
	}
}

/* ---- classes ---- */

static uint32_t
class_of(struct tn_pf_tracker *t, char type, struct tn_pf_bytes name, uint32_t track)
{
	bool is_other = name.n > TN_PF_NAME;
	uint8_t key[TN_PF_NAME + 8];
	struct tn_hash_item *item;
	struct tn_pf_class *c;
	const char *copy;
	size_t n;

	for (;;) {
		n = 0;
		key[n++] = (uint8_t)type;
		key[n++] = is_other;
		if (type == 'C' && !is_other) {
			memcpy(key + n, &track, sizeof track);
			n += sizeof track;
		} else if (!is_other) {
			memcpy(key + n, name.p, (size_t)name.n);
			n += (size_t)name.n;
		}
		item = tn_hash_find(&t->classes, key, n);
		if (item)
			return (uint32_t)item->value;
		if (is_other || t->own->classes.n < TN_PF_CLASSES)
			break;
		is_other = true;
	}
	copy = tn_arena_copy(&t->trace->arena, (const char *)key, n);
	item = copy ? tn_hash_add(&t->classes, copy, n, NULL) : NULL;
	c = item ? TN_ARRAY_ADD(&t->own->classes) : NULL;
	if (!c) {
		t->failed = true;
		return 0;
	}
	*c = (struct tn_pf_class) { .type = type, .is_other = is_other, .track = type == 'C' && !is_other ? track : 0 };
	if (type != 'C' && !is_other)
		c->name = tn_pf_copy(t->trace, name);
	else
		c->name = "";
	t->failed |= !c->name;
	item->value = t->own->classes.n - 1;
	return (uint32_t)item->value;
}

/* ---- track events ---- */

/* Read LegacyEvent: 1 name_iid, 2 phase, 3 duration in microseconds. */
static void
read_legacy(struct tn_pf_tracker *t, struct event *e, struct tn_pf_bytes body, uint32_t state, uint64_t at)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f))
		if (f.number == 1 && !e->name.n)
			e->name = tn_pf_interned(t->own, state, TN_PF_EVENT_NAME, f.value, at);
		else if (f.number == 2 && e->type == 'I')
			e->type = f.value == 'B' || f.value == 'E' || f.value == 'X' ? (char)f.value : 'I';
}

static void
read_event(struct tn_pf_tracker *t, struct event *e, const struct tn_pf_packet *p, struct sequence *s)
{
	static const char types[] = "IBEICI";
	struct tn_pf_in in = tn_pf_in(p->body);
	struct tn_pf_bytes legacy = { p->body.p, 0 };
	struct tn_pf_field f;
	uint64_t iid = 0;

	*e = (struct event) { .type = 'I', .name = { p->body.p, 0 }, .track = s->track };
	while (tn_pf_next(&in, &f))
		switch (f.number) {
		case 1:
			s->us += (int64_t)(f.value & INT64_MAX) > INT64_MAX / 4000 ? 0 : (int64_t)f.value;
			e->us = s->us;
			e->has_us = true;
			break;
		case 16:
			e->us = (int64_t)f.value;
			e->has_us = true;
			break;
		case 6: legacy = f.bytes; break;
		case 9: e->type = f.value < sizeof types - 1 ? types[f.value] : 'I'; break;
		case 10: iid = f.value; break;
		case 11: e->track = f.value; break;
		case 23: e->name = f.bytes; break;
		case 30: e->has |= TN_PF_HAS_INT; break;
		case 44: e->has |= TN_PF_HAS_DOUBLE; break;
		case 36: case 47: e->has |= TN_PF_HAS_FLOW; break;
		case 42: case 48: e->has |= TN_PF_HAS_END_FLOW; break;
		default: break;
		}
	if (!e->name.n && iid)
		e->name = tn_pf_interned(t->own, s->state, TN_PF_EVENT_NAME, iid, p->at);
	if (legacy.n)
		read_legacy(t, e, legacy, s->state, p->at);
	if (!e->track)
		e->track = OWN_TRACK | p->sequence;
}

static void
take_event(struct tn_pf_tracker *t, struct tn_pf_entry *entry, const struct tn_pf_packet *p, struct sequence *s)
{
	struct tn_pf_in in = tn_pf_in(p->body);
	struct tn_pf_class *c;
	struct tn_pf_field f;
	struct tn_pf_note note;
	struct event e;

	read_event(t, &e, p, s);
	entry->track = track_of(t, e.track);
	entry->class = class_of(t, e.type, e.name, entry->track);
	entry->state = s->state;
	if (!p->has_time && e.has_us && e.us >= 0 && e.us < INT64_MAX / 4000)
		entry->ns = tn_pf_clock_boot(&t->own->clocks, TN_PF_MONOTONIC, p->sequence, (uint64_t)e.us * 1000);
	if (t->failed)
		return;
	c = &t->own->classes.item[entry->class];
	c->has |= e.has;
	while (tn_pf_next(&in, &f) && !t->failed) {
		if (f.number != 4 || f.wire != TN_PF_BYTES)
			continue;
		tn_pf_note_read(&note, t->own, s->state, p->at, f.bytes);
		t->failed |= !tn_pf_learn(t->trace, &c->notes, &note, s->state, p->at, 1, &t->n_nodes);
	}
}

/* ---- packets ---- */

static struct sequence *
sequence_of(struct tn_pf_tracker *t, uint32_t id)
{
	struct tn_hash_item *item;
	bool is_new;

	if (t->sequences.n && t->last_id == id)
		return &t->sequences.item[t->last_sequence];
	item = tn_hash_add_u64(&t->sequence_of, id, &is_new);
	if (!item || (is_new && !TN_ARRAY_ADD(&t->sequences))) {
		t->failed = true;
		return NULL;
	}
	if (is_new)
		item->value = t->sequences.n - 1;
	t->last_id = id;
	t->last_sequence = (size_t)item->value;
	return &t->sequences.item[item->value];
}

/* Read TracePacketDefaults: 58 clock, 11 track events (11 track). */
static void
take_defaults(struct sequence *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	struct tn_pf_field f, g;

	s->track = s->clock = 0;
	while (tn_pf_next(&in, &f)) {
		s->clock = f.number == 58 ? f.value : s->clock;
		for (inner = tn_pf_in(f.bytes); f.number == 11 && tn_pf_next(&inner, &g);)
			s->track = g.number == 11 ? g.value : s->track;
	}
}

/* Update the state of the packet's sequence. False: the packet needs a state that is unknown. */
static bool
take_state(struct tn_pf_tracker *t, struct sequence *s, const struct tn_pf_packet *p)
{
	if (p->dropped && !p->is_first && s->was_seen)
		s->is_lost = true;
	s->was_seen = true;
	if (p->is_cleared) {
		s->state = ++t->n_states;
		s->is_lost = false;
		s->track = s->clock = 0;
		s->us = 0;
	}
	if (p->needs_state && (s->is_lost || !s->state))
		return false;
	/* The texts of a sequence are its own, even if it was never cleared. */
	if (!s->state && p->interned.n)
		s->state = ++t->n_states;
	if (p->interned.n)
		take_interned(t, p, s->state);
	if (p->defaults.n)
		take_defaults(s, p->defaults);
	return true;
}

static bool
add_entry(struct tn_pf_tracker *t, const struct tn_pf_entry *e, struct tn_error *err)
{
	return tn_filesort_add(&t->sorter, e, err) == TN_OK;
}

/* Read the microseconds from which the differences of an old sequence count: ThreadDescriptor, 6. */
static void
take_old_thread(struct tn_pf_tracker *t, struct sequence *s, const struct tn_pf_packet *p)
{
	uint32_t track = track_of(t, OWN_TRACK | p->sequence);
	struct tn_pf_in in = tn_pf_in(p->body);
	struct tn_pf_field f;

	if (track)
		take_thread(t, &t->own->tracks.item[track - 1], p->body, false);
	while (tn_pf_next(&in, &f))
		if (f.number == 6 && f.value < INT64_MAX / 4000)
			s->us = (int64_t)f.value;
}

enum tn_code
tn_pf_tracker_take(struct tn_pf_tracker *t, const struct tn_pf_packet *p, struct tn_error *err)
{
	struct sequence *s = sequence_of(t, p->sequence);
	struct tn_pf_entry entry = { .ns = t->last_ns, .at = p->at };
	const char *name;
	bool usable;

	if (!s)
		return tn_fail_memory(err);
	if (p->dropped && !p->is_first && s->was_seen) {
		struct tn_pf_entry loss = { .ns = t->last_ns, .at = p->at, .is_loss = true };

		if (!add_entry(t, &loss, err))
			return err->code;
	}
	usable = take_state(t, s, p);
	if (p->content == TN_PF_CLOCKS && !p->is_foreign)
		t->failed |= !tn_pf_clock_begin(&t->own->clocks, p->body, p->sequence);
	if (p->has_time && !p->is_foreign) {
		uint64_t clock = p->clock ? p->clock : s->clock ? s->clock : TN_PF_BOOTTIME;

		entry.ns = tn_pf_clock_boot(&t->own->clocks, clock, p->sequence, p->time);
	}
	if (p->content == TN_PF_TRACK)
		take_descriptor(t, p->body);
	else if (p->content == TN_PF_THREAD)
		take_old_thread(t, s, p);
	if (!p->content || p->content == TN_PF_FTRACE || p->content == TN_PF_SYNC || p->bad) {
		t->last_ns = p->has_time ? entry.ns : t->last_ns;
		return t->failed ? tn_fail_memory(err) : TN_OK;
	}
	if (!usable) {
		t->own->found.n_dropped++;
		return t->failed ? tn_fail_memory(err) : TN_OK;
	}
	if (p->content == TN_PF_TRACK_EVENT) {
		take_event(t, &entry, p, s);
	} else {
		char number[32];

		name = tn_pf_content_name(p->content);
		if (!name) {
			snprintf(number, sizeof number, "#%" PRIu64, p->content);
			name = number;
		}
		entry.class = class_of(t, 'P', (struct tn_pf_bytes) { (const uint8_t *)name, strlen(name) }, 0);
	}
	t->last_ns = entry.ns;
	if (t->failed)
		return tn_fail_memory(err);
	return add_entry(t, &entry, err) ? TN_OK : err->code;
}

struct tn_pf_tracker *
tn_pf_tracker_new(struct tn_trace *trace, int64_t start)
{
	struct tn_pf_tracker *t = calloc(1, sizeof *t);

	if (t) {
		t->trace = trace;
		t->own = trace->own;
		t->last_ns = start;
		t->sorter.size = sizeof(struct tn_pf_entry);
	}
	return t;
}

enum tn_code
tn_pf_tracker_end(struct tn_pf_tracker *t, struct tn_error *err)
{
	struct tn_pf_trace *own = t->own;

	find_parents(own);
	for (size_t i = 0; i < own->classes.n; i++) {
		struct tn_pf_class *c = &own->classes.item[i];
		const struct tn_pf_track *track = c->track ? &own->tracks.item[c->track - 1] : NULL;

		if (track && track->name)
			c->name = track->name;
		if (track && track->is_change)
			c->has |= TN_PF_IS_CHANGE;
	}
	return tn_filesort_end(&t->sorter, &own->entries, &own->n_entries, err);
}

void
tn_pf_tracker_free(struct tn_pf_tracker *t)
{
	if (!t)
		return;
	tn_filesort_release(&t->sorter);
	tn_hash_release(&t->classes);
	tn_hash_release(&t->sequence_of);
	TN_ARRAY_RELEASE(&t->sequences);
	free(t);
}
