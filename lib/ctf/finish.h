/*
 * finish.h - the end that TSDL and CTF 2 metadata share: slots, classes in order, numbers of fields
 */
#ifndef TN_CTF_FINISH_H
#define TN_CTF_FINISH_H

#include "model/trace.h"

#define TN_CTF_EVERY UINT32_MAX	/* of all stream classes, of all events of a stream class */

/* A slot wanted by the class that fills it: the number is given out when all are known. */
struct tn_ctf_slot {
	uint32_t stream, event;	/* numbers of the classes, or TN_CTF_EVERY */
	int32_t number;
};

/*
 * Number the slots; sets trace->n_slots. Those of event classes begin behind those of stream classes, and those
 * behind the packet header's: a trace needs as many as its largest event, not as all together. False: memory is out.
 */
bool tn_ctf_give_slots(struct tn_trace *trace, struct tn_ctf_slot *slot, size_t n);

void tn_ctf_sort_events(struct tn_stream_class *sc);	/* by id */

/*
 * Sort the event classes of each stream class, list them all in trace->event_class, and give fields their
 * parents and numbers. False: memory is out.
 */
bool tn_ctf_list_classes(struct tn_trace *trace);

/* The roots of all scopes, NULL left out; those of stream classes and of event classes in their order. */
void tn_ctf_each_scope(struct tn_trace *trace, void (*fn)(struct tn_field *root, void *user), void *user);

#endif
