#include "ctf/packet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/messages.h"
#include "ctf/stream.h"

bool
tn_ctf_slots_init(struct tn_ctf_slots *s, const struct tn_trace *trace)
{
	size_t n = trace->n_slots;

	if (n <= TN_COUNT(s->few)) {
		s->slot = s->few;
		memset(s->few, 0, n * sizeof *s->few);
	} else {
		s->slot = calloc(n, sizeof *s->slot);
	}
	return s->slot;
}

void
tn_ctf_slots_release(struct tn_ctf_slots *s)
{
	if (s->slot != s->few)
		free(s->slot);
}

static enum tn_ctf_flaw
flaw(struct tn_ctf_header *h, enum tn_ctf_flaw what)
{
	h->flaw = what;
	return what;
}

/* Run a scope. In case of trouble, run the read code to find the place. */
static bool
run_scope(struct tn_ctf_header *h, struct tn_machine *m, const struct tn_plan *plan, enum tn_scope scope,
	  struct tn_error *why)
{
	struct tn_machine before;
	enum tn_trouble trouble, again;
	char text[600];

	if (!plan || !plan->skip[scope])
		return true;
	before = *m;
	trouble = tn_machine_skip(m, plan->skip[scope]);
	if (trouble == TN_TROUBLE_NONE && m->at - before.at > TN_PLAN_SURE_BITS) {
		struct tn_machine again_m = before;

		if (tn_machine_too_many(&again_m, plan->read[scope])) {
			tn_fail(why, TN_ERR_FORMAT, "%s: more than %u values", tn_scope_name(scope), TN_PLAN_VALUES);
			return flaw(h, TN_CTF_TYPES) == TN_CTF_FINE;
		}
	}
	if (trouble == TN_TROUBLE_NONE)
		return true;
	flaw(h, trouble == TN_TROUBLE_CONTENT || trouble == TN_TROUBLE_STRING ? TN_CTF_SHORT : TN_CTF_TYPES);
	if (why) {
		again = tn_machine_skip(&before, plan->read[scope]);
		if (again == TN_TROUBLE_NONE)
			tn_machine_explain(m, trouble, scope, text, sizeof text);
		else
			tn_machine_explain(&before, again, scope, text, sizeof text);
		tn_fail(why, TN_ERR_FORMAT, "%s", text);
	}
	return false;
}

static struct tn_stream_class *
find_class(const struct tn_trace *trace, uint64_t id)
{
	for (size_t i = 0; i < trace->n_stream_classes; i++)
		if (trace->stream_class[i]->id == id)
			return trace->stream_class[i];
	return NULL;
}

static bool
check_header(struct tn_ctf_header *h, const struct tn_machine *m, const struct tn_trace *trace,
	     const struct tn_stream_class *want, struct tn_error *why)
{
	bool has_class = m->seen & TN_ROLE_STREAM_CLASS_ID;
	uint64_t id = has_class ? m->role[2] : 0;

	if (m->seen & TN_ROLE_MAGIC && m->role[0] != TN_CTF_MAGIC) {
		tn_fail(why, TN_ERR_FORMAT, m->role[0] == TN_CTF_MAGIC_SWAPPED ?
			N_("magic number is 0x%08" PRIx64 ", not 0xc1fc1fc1: the byte order differs from the metadata") :
			N_("magic number is 0x%08" PRIx64 ", not 0xc1fc1fc1"), m->role[0]);
		flaw(h, TN_CTF_NO_MAGIC);
		return false;
	}
	if (m->seen & TN_ROLE_UUID && trace->has_uuid && m->role[1] % 8 == 0)
		h->other_uuid = memcmp(m->p + m->role[1] / 8, trace->uuid, 16) != 0;
	h->stream_class = has_class || trace->n_stream_classes != 1 ? find_class(trace, id) : trace->stream_class[0];
	if (!h->stream_class) {
		if (has_class)
			tn_fail(why, TN_ERR_FORMAT, "no stream class has the id %" PRIu64, id);
		else
			tn_fail(why, TN_ERR_FORMAT, "the packet header has no stream class id, but there are several stream "
						    "classes");
		flaw(h, TN_CTF_CLASS);
		return false;
	}
	if (want && h->stream_class != want) {
		tn_fail(why, TN_ERR_FORMAT, "stream class %" PRIu64 ", not %" PRIu64 " as in the packets before",
			h->stream_class->id, want->id);
		flaw(h, TN_CTF_CLASS);
		return false;
	}
	h->has_instance = m->seen & TN_ROLE_STREAM_ID;
	h->instance = h->has_instance ? m->role[3] : 0;
	return true;
}

/* Check the sizes: ctf1-binary.md, 6. */
static bool
check_sizes(struct tn_ctf_header *h, const struct tn_machine *m, struct tn_error *why)
{
	bool has_size = m->seen & TN_ROLE_PACKET_SIZE, has_content = m->seen & TN_ROLE_CONTENT_SIZE;
	uint64_t all = m->end;

	h->context_end = m->at;
	h->size_bits = has_size ? m->role[4] : has_content ? m->role[5] : all;
	h->content_bits = has_content ? m->role[5] : h->size_bits;
	/* The packet was never finished: a copy of LTTng's shared memory (13). */
	if (has_size && has_content && h->size_bits == UINT64_MAX && h->content_bits == UINT64_MAX) {
		h->sizes_open = true;
		h->size_bits = h->content_bits = all;
		return true;
	}
	if (h->size_bits == 0 || h->size_bits % 8)
		tn_fail(why, TN_ERR_FORMAT, h->size_bits ? N_("packet size of %" PRIu64 " bits is not a whole number of bytes") :
			N_("packet size of %" PRIu64 " bits"), h->size_bits);
	else if (h->content_bits > h->size_bits)
		tn_fail(why, TN_ERR_FORMAT, "content of %" PRIu64 " bits in a packet of %" PRIu64, h->content_bits,
			h->size_bits);
	else if (h->content_bits < m->at)
		tn_fail(why, TN_ERR_FORMAT, "content of %" PRIu64 " bits ends inside its header and context of %" PRIu64,
			h->content_bits, m->at);
	else
		return true;
	flaw(h, TN_CTF_SIZES);
	return false;
}

static void
take_times(struct tn_ctf_header *h, const struct tn_machine *m, const struct tn_trace *trace)
{
	const struct tn_stream_class *sc = h->stream_class;

	h->clock = m->clock;
	if (sc->clock && m->seen & TN_ROLE_TIMESTAMP_BEGIN)
		h->begin_cycles = m->role[11];
	else if (sc->clock && m->seen & TN_ROLE_CLOCK)
		h->begin_cycles = m->clock;
	if (sc->clock && m->seen & TN_ROLE_TIMESTAMP_END) {
		h->end_cycles = m->role[6];
		/*
		 * A narrow time is the lower bits of the clock, for example in barectf; CTF 2 defines it as the whole
		 * time.
		 */
		if (sc->plan->end_bits && sc->plan->end_bits < 64 && h->begin_cycles != TN_UNKNOWN && trace->major < 2)
			h->end_cycles = tn_clock_update(h->begin_cycles, h->end_cycles, sc->plan->end_bits);
	}
	if (m->seen & TN_ROLE_DISCARDED)
		h->discarded = m->role[7];
	if (m->seen & TN_ROLE_SEQUENCE_NUMBER)
		h->sequence = m->role[8];
}

enum tn_ctf_flaw
tn_ctf_header_read(struct tn_ctf_header *h, struct tn_machine *m, const struct tn_trace *trace,
		   const struct tn_stream_class *want, struct tn_error *why)
{
	const struct tn_plan *first = trace->n_stream_classes ? trace->stream_class[0]->plan : NULL;

	*h = (struct tn_ctf_header) {
		.begin_cycles = TN_UNKNOWN, .end_cycles = TN_UNKNOWN, .discarded = TN_UNKNOWN, .sequence = TN_UNKNOWN,
	};
	m->at = 0;
	m->seen = 0;
	m->order = 0;
	m->empty = 0;
	/* All stream classes of a trace have the same packet header. */
	if (!run_scope(h, m, first, TN_SCOPE_PACKET_HEADER, why) || !check_header(h, m, trace, want, why) ||
	    !run_scope(h, m, h->stream_class->plan, TN_SCOPE_PACKET_CONTEXT, why) || !check_sizes(h, m, why))
		return h->flaw;
	take_times(h, m, trace);
	if (h->other_uuid && trace->strict_uuid) {
		tn_fail(why, TN_ERR_FORMAT, "its UUID differs from the UUID of the trace");
		return flaw(h, TN_CTF_UUID);
	}
	return TN_CTF_FINE;
}

uint64_t
tn_ctf_file_size(const struct tn_stream_file *file)
{
	struct stat st;

	if (!tn_map_torn(&file->map))
		return file->map.size;
	if (stat(file->path, &st) < 0 || st.st_size < 0)
		return 0;
	return (uint64_t)st.st_size < file->map.size ? (uint64_t)st.st_size : file->map.size;
}
