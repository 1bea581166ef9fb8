/*
 * packet.h - the header and context of a packet
 *
 * Source     CTF 1.8.3, 5 "Event packet header"; CTF2-SPEC-2.0, 6.1. ctf1-binary.md 5, 6, 8.
 */
#ifndef TN_CTF_PACKET_H
#define TN_CTF_PACKET_H

#include "model/decoder.h"
#include "plan/machine.h"

#define TN_CTF_MAGIC UINT32_C(0xc1fc1fc1)
#define TN_CTF_MAGIC_SWAPPED UINT32_C(0xc11ffcc1)

/* Flaws of a packet that prevent the decoding of all its events. */
enum tn_ctf_flaw {
	TN_CTF_FINE,
	TN_CTF_NO_MAGIC,
	TN_CTF_SHORT,		/* header and context do not fit into the packet */
	TN_CTF_SIZES,		/* the sizes of the packet are impossible */
	TN_CTF_CLASS,		/* the packet has no existing stream class, or not that of its stream */
	TN_CTF_UUID,		/* the packet has the UUID of another trace, and strict_uuid is set */
	TN_CTF_TYPES		/* the header cannot be decoded, for example because of a tag without an option */
};

struct tn_ctf_header {
	enum tn_ctf_flaw flaw;
	struct tn_stream_class *stream_class;	/* NULL: unknown */
	bool has_instance;
	uint64_t instance;
	uint64_t context_end;	/* end of the context, in bits */
	/* Sizes recorded in the packet, otherwise the size of the existing bytes. They may exceed the file. */
	uint64_t size_bits, content_bits;
	uint64_t clock;		/* the running clock after the context */
	uint64_t begin_cycles, end_cycles, discarded, sequence;	/* TN_UNKNOWN: absent */
	bool sizes_open;	/* the sizes have all bits set, because the packet was never finished */
	bool other_uuid;	/* the UUID differs from the trace's */
};

/*
 * Decode header and context of the packet at m->p, which has m->end bits. m->clock must be the running clock before the
 * packet, and m->slot allocated. Afterwards the machine is after the context. @want: class of the stream; NULL: any. On a
 * flaw, *why is the cause (why may be NULL).
 */
enum tn_ctf_flaw
tn_ctf_header_read(struct tn_ctf_header *h, struct tn_machine *m, const struct tn_trace *trace,
		   const struct tn_stream_class *want, struct tn_error *why);

/* Memory for slots, which is on the stack if they are few. */
struct tn_ctf_slots {
	struct tn_slot few[64];
	struct tn_slot *slot;
};

bool tn_ctf_slots_init(struct tn_ctf_slots *s, const struct tn_trace *trace);	/* false: memory is out */
void tn_ctf_slots_release(struct tn_ctf_slots *s);

#endif
