/* finish.h - the last steps for TSDL and CTF 2 metadata: slots, order of classes, numbers of fields */
#ifndef TN_CTF_FINISH_H
#define TN_CTF_FINISH_H

#include "base/array.h"
#include "model/trace.h"

#define TN_CTF_EVERY UINT32_MAX	/* all stream classes, or all event classes of a stream class */

struct tn_ctf_slot {
	int32_t parent;		/* index of its parent in a forest: a root is its own parent; all slots of a tree are one slot */
	uint32_t stream, event;	/* the classes whose decoding fills it; or TN_CTF_EVERY */
	int32_t number;
};

/*
 * References of a model that is being built. Slots of fields and types are numbers in this list until tn_ctf_wire()
 * replaces them by slots of the trace. A zeroed structure is empty and valid. Functions return false if memory is out.
 */
struct tn_ctf_wiring {
	TN_ARRAY(struct tn_ctf_slot) slots;
	TN_ARRAY(struct tn_field *) slotted;	/* fields with a slot; each occurs once */
	TN_ARRAY(struct tn_type *) referring;	/* types with slots; each occurs once */
};

/* Make a slot that is filled in @scope of the classes @stream and @event. TN_NO_SLOT: memory is out. */
int32_t tn_ctf_slot_new(struct tn_ctf_wiring *w, int scope, uint32_t stream, uint32_t event);
/* Use one slot for @field, which is in this scope, and for *slot, which is TN_NO_SLOT before the first call. */
bool tn_ctf_slot_share(struct tn_ctf_wiring *w, int32_t *slot, struct tn_field *field, int scope, uint32_t stream,
		       uint32_t event);
/* Register @type, whose reference, guards and cleared slots tn_ctf_wire() will set. */
bool tn_ctf_refers(struct tn_ctf_wiring *w, struct tn_type *type);
/* Make the optional or variant @t store in @slot whether its content leads to a field (@leads). */
bool tn_ctf_guard(struct tn_arena *arena, struct tn_type *t, int32_t slot, const bool *leads);
/*
 * Number the slots, and set trace->n_slots. Slots for the packet header come first, then those for stream classes, then
 * those for event classes. Classes share slots, so a trace needs only as many slots as its largest event.
 */
bool tn_ctf_wire(struct tn_trace *trace, struct tn_ctf_wiring *w);
void tn_ctf_wiring_release(struct tn_ctf_wiring *w);

void tn_ctf_sort_events(struct tn_stream_class *sc);	/* sorts by id */

/*
 * Sort the event classes of each stream class, list all of them in trace->event_class, and set parents and numbers of
 * fields. False: memory is out.
 */
bool tn_ctf_list_classes(struct tn_trace *trace);

#endif
