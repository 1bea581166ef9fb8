/* demo_types.h - the types of the sample trace's events */
#ifndef DEMO_TYPES_H
#define DEMO_TYPES_H

#include <tnav/writer.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

#define SECOND UINT64_C(1000000000)
#define BOOT_TIME 1764226800		/* Thursday, 27 November 2025, 07:00 UTC */
#define GATE_HZ 32768

enum stream { CPU0, CPU1, SHOP, DATABASE, GATE, N_STREAMS };

enum what {
	SCHED_SWITCH, SCHED_WAKEUP, IRQ_ENTRY, IRQ_EXIT, BLOCK_ISSUE, NET_XMIT,
	REQUEST_BEGIN, REQUEST_END, CART_ADD, ORDER, LOG,
	QUERY_BEGIN, QUERY_END, CACHE,
	TEMPERATURE, DOOR, FORKLIFT,
	N_WHAT
};

struct demo_types {
	struct tn_draft *draft;
	struct tn_stream_class *kernel, *shop, *database, *gate;
	struct tn_event_class *event[N_WHAT];
};

/* Add all types to @m->draft, and finish the draft. */
enum tn_code demo_draft(struct demo_types *m, struct tn_error *err);

#endif
