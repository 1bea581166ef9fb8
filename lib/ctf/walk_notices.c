#include "ctf/walk_notices.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/messages.h"
#include "model/loss.h"

struct tn_str
tn_ctf_notice_begin(const struct tn_ctf_walk *w)
{
	struct tn_str s = { 0 };

	tn_str_printf(&s, _("packet %zu at byte %" PRIu64), w->b->packet, w->entry->offset);
	if (w->stream->n_files > 1) {
		const char *path = w->stream->file[w->entry->file].path, *slash = strrchr(path, '/');

		tn_str_printf(&s, _(" of %s"), slash ? slash + 1 : path);
	}
	tn_str_puts(&s, ": ");
	return s;
}

static void
add_notice(struct tn_ctf_walk *w, struct tn_notice *n, struct tn_str *text)
{
	if (text) {
		if (text->failed) {
			tn_str_release(text);
			w->no_memory = true;
			return;
		}
		n->text = text->text;
	}
	if (!tn_batch_notice(w->b, w->key, n)) {
		free(n->text);
		w->no_memory = true;
		return;
	}
	if (w->b->cycles)
		w->b->cycles[w->b->refs.n - 1] = w->clock ? tn_clock_cycles(w->clock, w->key) : 0;
}

void
tn_ctf_damage(struct tn_ctf_walk *w, uint64_t bit, struct tn_str *text)
{
	struct tn_notice n = { .kind = TN_ROW_DAMAGE, .count = TN_UNKNOWN, .bit = bit };

	add_notice(w, &n, text);
}

/* Run the event again with the read codes, to describe its problem. */
static void
explain_event(struct tn_ctf_walk *w, struct tn_str *s)
{
	struct tn_machine m = w->m, probe = w->m;
	const struct tn_event_entry *entry;
	enum tn_trouble trouble;
	char text[600];

	m.empty = probe.empty = probe.id = 0;
	if (w->plan->read[TN_SCOPE_EVENT_HEADER]) {
		trouble = tn_machine_skip(&m, w->plan->read[TN_SCOPE_EVENT_HEADER]);
		if (trouble != TN_TROUBLE_NONE) {
			tn_machine_explain(&m, trouble, TN_SCOPE_EVENT_HEADER, text, sizeof text);
			tn_str_puts(s, text);
			return;
		}
	}
	if (tn_machine_skip(&probe, w->plan->header) == TN_TROUBLE_NONE) {
		entry = tn_plan_entry(w->plan, w->sc, probe.id);
		if (entry->event_class != UINT32_MAX) {
			const struct tn_event_plan *plan = tn_plan_event(w->stream->trace->event_class[entry->event_class]);

			w->no_memory |= !plan;
			for (unsigned i = TN_SCOPE_COMMON_CONTEXT; plan && i < TN_SCOPES; i++) {
				if (!plan->read[i])
					continue;
				trouble = tn_machine_skip(&m, plan->read[i]);
				if (trouble != TN_TROUBLE_NONE) {
					tn_machine_explain(&m, trouble, (enum tn_scope)i, text, sizeof text);
					tn_str_puts(s, text);
					return;
				}
			}
		}
	}
	tn_str_puts(s, _("cannot be decoded"));
}

void
tn_ctf_stop_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	struct tn_str s = tn_ctf_notice_begin(w);
	bool content = w->stop == TN_CTF_STOP_TROUBLE && (w->trouble == TN_TROUBLE_CONTENT || w->trouble == TN_TROUBLE_STRING);

	if (w->entry->flags & TN_PACKET_CUT && content)
		tn_str_printf(&s, P_("the file ends %" PRIu64 " byte before the packet does: ",
				     "the file ends %" PRIu64 " bytes before the packet does: ",
				     (h->size_bits - w->entry->size_bits) / 8), (h->size_bits - w->entry->size_bits) / 8);
	tn_str_printf(&s, _("event %" PRIu64 " at bit %" PRIu64 ": "),
		      w->b->begin.row + w->b->refs.n - w->lost_rows - (w->told & TN_CTF_TOLD_BACKWARD ? 1 : 0), w->m.at);
	switch (w->stop) {
	case TN_CTF_STOP_TROUBLE:
		explain_event(w, &s);
		break;
	case TN_CTF_STOP_NO_CLASS:
		if (w->sc->n_event_classes)
			tn_str_printf(&s, _("unknown event class id %" PRIu64), w->stop_id);
		else
			tn_str_puts(&s, _("its stream class has no event class"));
		break;
	case TN_CTF_STOP_NO_SIZE:
		tn_str_puts(&s, _("the event has no bits"));
		break;
	case TN_CTF_NO_STOP:
		break;
	}
	w->told |= TN_CTF_TOLD_CUT;
	tn_ctf_damage(w, w->m.at, &s);
}

void
tn_ctf_cut_notice(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	struct tn_str s = tn_ctf_notice_begin(w);

	tn_str_printf(&s, P_("the file ends %" PRIu64 " byte before the packet does",
			     "the file ends %" PRIu64 " bytes before the packet does",
			     (h->size_bits - w->entry->size_bits) / 8), (h->size_bits - w->entry->size_bits) / 8);
	w->told |= TN_CTF_TOLD_CUT;
	tn_ctf_damage(w, w->m.at, &s);
}

void
tn_ctf_bad_notice(struct tn_ctf_walk *w, enum tn_ctf_flaw flaw, const struct tn_ctf_header *h, const struct tn_error *why)
{
	struct tn_str s = tn_ctf_notice_begin(w);
	uint64_t bytes = w->entry->size_bits / 8;

	if (w->entry->flags & TN_CTF_ZEROS)
		tn_str_printf(&s, P_("%" PRIu64 " zero byte up to the end of the file",
				     "%" PRIu64 " zero bytes up to the end of the file", bytes), bytes);
	else if (w->entry->flags & TN_CTF_TAIL)
		tn_str_printf(&s, P_("the last %" PRIu64 " byte of the file is not a packet: %s",
				     "the last %" PRIu64 " bytes of the file are not a packet: %s", bytes), bytes, why->text);
	else if (flaw == TN_CTF_FINE)
		tn_str_printf(&s, P_("packet size of %" PRIu64 " bits overlaps the next packet; %" PRIu64 " byte is left "
				     "out", "packet size of %" PRIu64 " bits overlaps the next packet; %" PRIu64 " "
				     "bytes are left out", bytes),
			      h->size_bits, bytes);
	else
		tn_str_printf(&s, P_("%s; %" PRIu64 " byte is left out", "%s; %" PRIu64 " bytes are left out", bytes),
			      why->text, bytes);
	tn_ctf_damage(w, 0, &s);
}

static void
add_loss(struct tn_ctf_walk *w, enum tn_row_kind kind, uint64_t count, uint64_t begin, uint64_t end)
{
	struct tn_notice n = { .kind = kind, .count = count };

	n.has_range = w->clock && !w->clock->beyond && begin != TN_UNKNOWN && end != TN_UNKNOWN;
	if (n.has_range) {
		n.begin_ns = tn_clock_ns(w->clock, begin);
		n.end_ns = tn_clock_ns(w->clock, end);
	}
	add_notice(w, &n, NULL);
}

static void
break_row(struct tn_ctf_walk *w, uint64_t skip)
{
	if (w->entry->flags & TN_PACKET_BREAK && w->lost_rows++ >= skip && w->b->refs.n < w->limit)
		add_loss(w, TN_ROW_BREAK, 0, w->b->has_before ? w->b->before.end_cycles : TN_UNKNOWN, w->entry->begin_cycles);
}

/* Add rows for the losses before this packet: first events, then packets (ctf1-binary.md, 9). */
static void
loss_rows(struct tn_ctf_walk *w, uint64_t skip)
{
	const struct tn_packet *e = w->entry, *before = w->b->has_before ? &w->b->before : NULL;
	struct tn_loss loss = tn_loss_find(w->stream->stream_class, e, before);

	if (loss.events && w->lost_rows++ >= skip && w->b->refs.n < w->limit)
		add_loss(w, TN_ROW_LOST_EVENTS, loss.events, before ? before->end_cycles : e->begin_cycles, e->end_cycles);
	if (loss.packets && w->lost_rows++ >= skip && w->b->refs.n < w->limit)
		add_loss(w, TN_ROW_LOST_PACKETS, loss.packets, before->end_cycles, e->begin_cycles);
}

/* Describe the differences between index file and packet in @s (may be NULL). False: there are none. */
static bool
describe_lies(const struct tn_ctf_walk *w, const struct tn_ctf_header *h, struct tn_str *s)
{
	const struct tn_packet *e = w->entry;
	const struct { const char *name; uint64_t entry, packet; } said[] = {
		{ N_("packet size"), e->size_bits, h->size_bits }, { N_("content size"), e->content_bits, h->content_bits },
		{ N_("begin"), e->begin_cycles, h->begin_cycles }, { N_("end"), e->end_cycles, h->end_cycles },
		{ N_("discarded events"), e->discarded, h->discarded }, { N_("sequence number"), e->sequence, h->sequence },
	};
	const char *between = "";

	for (size_t i = 0; !(e->flags & TN_PACKET_CHECKED) && i < TN_COUNT(said); i++) {
		if (said[i].entry == TN_UNKNOWN || said[i].entry == said[i].packet)
			continue;
		if (!s)
			return true;
		tn_str_puts(s, between);
		if (said[i].packet == TN_UNKNOWN)
			tn_str_printf(s, _("%s %" PRIu64 " in the index file, none in the packet"), _(said[i].name),
				      said[i].entry);
		else
			tn_str_printf(s, _("%s %" PRIu64 " in the index file, %" PRIu64 " in the packet"), _(said[i].name),
				      said[i].entry, said[i].packet);
		between = "; ";
	}
	return *between;
}

bool
tn_ctf_index_lies(const struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	return describe_lies(w, h, NULL);
}

void
tn_ctf_begin_notices(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	uint64_t skip = w->b->begin.row;

	w->lost_rows = 0;
	if (tn_ctf_index_lies(w, h) && w->lost_rows++ >= skip && w->b->refs.n < w->limit) {
		struct tn_str s = tn_ctf_notice_begin(w);

		describe_lies(w, h, &s);
		tn_ctf_damage(w, 0, &s);
	}
	break_row(w, skip);
	loss_rows(w, skip);
}
