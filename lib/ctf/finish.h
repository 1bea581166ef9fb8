/*
 * finish.h - the end that TSDL and CTF 2 metadata share: slots, classes in order, numbers of fields
 */
#ifndef TN_CTF_FINISH_H
#define TN_CTF_FINISH_H

#include "base/array.h"
#include "model/trace.h"

#define TN_CTF_EVERY UINT32_MAX	/* of all stream classes, of all events of a stream class */

struct tn_ctf_slot {
	int32_t parent;		/* a forest: itself when it is a root, else it is one with that */
	uint32_t stream, event;	/* the classes that fill it, or TN_CTF_EVERY */
	int32_t number;
};

/*
 * Who refers to whom, while a model is made: slots of fields and types are numbers in this list until tn_ctf_wire()
 * gives them those of the trace. Zeroed is empty and valid. What returns false has no memory.
 */
struct tn_ctf_wiring {
	TN_ARRAY(struct tn_ctf_slot) slots;
	TN_ARRAY(struct tn_field *) slotted;	/* fields with a slot, each once */
	TN_ARRAY(struct tn_type *) referring;	/* types with slots, each once */
};

/* A slot that is filled in @scope of the classes @stream and @event; TN_NO_SLOT: memory is out. */
int32_t tn_ctf_slot_new(struct tn_ctf_wiring *w, int scope, uint32_t stream, uint32_t event);
/* One slot for @field, which is in that scope, and *slot, which is TN_NO_SLOT before the first. */
bool tn_ctf_slot_share(struct tn_ctf_wiring *w, int32_t *slot, struct tn_field *field, int scope, uint32_t stream,
		       uint32_t event);
/* The reference, guards and cleared slots of @type are to be wired. */
bool tn_ctf_refers(struct tn_ctf_wiring *w, struct tn_type *type);
/* The optional or variant @t tells in @slot whether what it holds @leads to a field. */
bool tn_ctf_guard(struct tn_arena *arena, struct tn_type *t, int32_t slot, const bool *leads);
/*
 * Number the slots; sets trace->n_slots. Those of event classes begin behind those of stream classes, and those
 * behind the packet header's: a trace needs as many as its largest event, not as all together.
 */
bool tn_ctf_wire(struct tn_trace *trace, struct tn_ctf_wiring *w);
void tn_ctf_wiring_release(struct tn_ctf_wiring *w);

void tn_ctf_sort_events(struct tn_stream_class *sc);	/* by id */

/*
 * Sort the event classes of each stream class, list them all in trace->event_class, and give fields their
 * parents and numbers. False: memory is out.
 */
bool tn_ctf_list_classes(struct tn_trace *trace);

#endif
