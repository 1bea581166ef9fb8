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

/* Flaws of a packet that make all of its events undecodable. */
enum tn_ctf_flaw {
	TN_CTF_FINE,
	TN_CTF_NO_MAGIC,
	TN_CTF_SHORT,		/* the header or context does not fit */
	TN_CTF_SIZES,		/* the sizes of the packet are impossible */
	TN_CTF_CLASS,		/* no such stream class, or not the one of its stream */
	TN_CTF_UUID,		/* the UUID of another trace, if that is a flaw (strict_uuid) */
	TN_CTF_TYPES		/* the header cannot be decoded: a tag without option, for example */
};

struct tn_ctf_header {
	enum tn_ctf_flaw flaw;
	struct tn_stream_class *stream_class;	/* NULL if unknown */
	bool has_instance;
	uint64_t instance;
	uint64_t context_end;	/* bits */
	/* Sizes in the packet, or the size of the existing bytes; may exceed the file. */
	uint64_t size_bits, content_bits;
	uint64_t clock;		/* the running clock after the context */
	uint64_t begin_cycles, end_cycles, discarded, sequence;	/* TN_UNKNOWN */
	bool sizes_open;	/* all ones: the packet was never finished */
	bool other_uuid;	/* the UUID differs from the trace's */
};

/*
 * Decode header and context of the packet at m->p, which has m->end bits; m->clock is the running clock before
 * it, m->slot is allocated. Leaves the machine after the context. @want: the class of its stream; NULL: any. On
 * a flaw *why (may be NULL) is the cause.
 */
enum tn_ctf_flaw
tn_ctf_header_read(struct tn_ctf_header *h, struct tn_machine *m, const struct tn_trace *trace,
		   const struct tn_stream_class *want, struct tn_error *why);

/* Memory for slots: on the stack if they are few. */
struct tn_ctf_slots {
	struct tn_slot few[64];
	struct tn_slot *slot;
};

bool tn_ctf_slots_init(struct tn_ctf_slots *s, const struct tn_trace *trace);	/* false: memory is out */
void tn_ctf_slots_release(struct tn_ctf_slots *s);

#endif
