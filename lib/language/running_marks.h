/*
 * running_marks.h - which events are switches, and the marks of a packet (running.h)
 */
#ifndef TN_LANGUAGE_RUNNING_MARKS_H
#define TN_LANGUAGE_RUNNING_MARKS_H

#include <stdatomic.h>

#include "index/batches.h"
#include "language/running.h"
#include "plan/reach.h"

/* A field of a switch. */
struct tn_switch_field {
	struct tn_target target;	/* .field NULL: there is none */
	struct tn_reach reach;
};

/* A class of events that are switches. */
struct tn_switch {
	const struct tn_event_class *ec;
	struct tn_target before[2];	/* by part */
	struct tn_switch_field after[2], cpu;	/* cpu: where it is another one in each event */
};

struct tn_running_mark {
	uint64_t row;		/* in the packet */
	int64_t time_ns;	/* merge key */
	int64_t tid;
	uint32_t cpu;		/* where events tell it */
	uint32_t name, name_n;	/* in the text of the marks */
	bool is_loss;		/* nobody knows from here on */
};

/* Who runs, with a copy of the name. */
struct tn_running_thread {
	bool known;
	int64_t tid;
	char *name;
	size_t name_n;
};

struct tn_running_marks {
	atomic_uint holders;
	const struct tn_stream *stream;
	size_t packet;
	uint64_t content_bits;	/* that the packet had */
	TN_ARRAY(struct tn_running_mark) mark;
	struct tn_str text;
	/* Before the first mark, where one processor has the stream; written once, with the lock of the tables. */
	bool has_before;
	struct tn_running_thread before;
};

/* What reads fields of switches; zeroed before first use. */
struct tn_switch_reader {
	struct tn_machine m;
	struct tn_slot *slot;
	size_t n_slots;
	struct tn_event event;
	struct tn_walk_pool pool;
	bool has_pool;
};

void tn_switch_reader_release(struct tn_switch_reader *reader);

/* @ec as a switch, if it is one; what is made lives in @arena. TN_END: it is none. */
enum tn_code tn_switch_init(struct tn_switch *out, struct tn_arena *arena, const struct tn_event_class *ec,
			    struct tn_error *err);

/*
 * The marks of a packet, one holder; @of_class: by the index of the class, NULL where it is no switch. @batch may be NULL: all of
 * the packet, walked already. TN_END: there is no such packet.
 */
enum tn_code tn_running_marks_make(struct tn_running_marks **out, struct tn_switch_reader *reader,
				   struct tn_switch *const *of_class, const struct tn_stream *stream, size_t packet,
				   const struct tn_batch *batch, struct tn_error *err);
void tn_running_marks_drop(struct tn_running_marks *marks);	/* NULL is allowed */

/* The number of the processor that a packet is of; false: it does not say. */
bool tn_running_cpu(struct tn_switch_reader *reader, const struct tn_stream *stream, const struct tn_field *field, uint32_t *cpu);

#endif
