/* running_marks.h - the events that are switches, and the marks of a packet (running.h) */
#ifndef TN_LANGUAGE_RUNNING_MARKS_H
#define TN_LANGUAGE_RUNNING_MARKS_H

#include <stdatomic.h>

#include "index/batches.h"
#include "language/running.h"
#include "plan/reach.h"

/* A field of a switch. */
struct tn_switch_field {
	struct tn_target target;	/* target.field NULL: the field is absent */
	struct tn_reach reach;
};

/* A class of events that are switches. */
struct tn_switch {
	const struct tn_event_class *ec;
	struct tn_switch_field before[2], after[2];	/* fields with the thread before and after, by part */
	struct tn_switch_field cpu;	/* the processor, if it differs between the events of a stream */
};

struct tn_running_mark {
	uint64_t row;		/* number of the row in the packet */
	int64_t time_ns;	/* merge key */
	int64_t tid;
	uint32_t cpu;		/* processor, if the events have it */
	uint32_t name, name_n;	/* range in `text` of the marks */
	bool is_loss;		/* a loss: the thread is unknown after it */
};

/* A running thread, with a copy of its name. */
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
	uint64_t content_bits;	/* size of the packet when it was read */
	TN_ARRAY(struct tn_running_mark) mark;
	struct tn_str text;
	/* The thread before the first mark, if the stream has one processor. Written once, with the lock of the tables. */
	bool has_before;
	struct tn_running_thread before;
};

/* Reads fields of switches. Zero it before first use. */
struct tn_switch_reader {
	struct tn_machine m;
	struct tn_slot *slot;
	size_t n_slots;
	struct tn_event event;
	struct tn_walk_pool pool;
	bool has_pool;
};

void tn_switch_reader_release(struct tn_switch_reader *reader);
/* Call this before fields of a batch's rows are read. False: memory is out. */
bool tn_switch_reader_begin(struct tn_switch_reader *reader, const struct tn_batch *batch);

/* Find the way to f->target, with memory from @arena. Does nothing if the target is NULL. */
enum tn_code tn_switch_place(struct tn_switch_field *f, struct tn_arena *arena, const struct tn_event_class *ec,
			     struct tn_error *err);
/* Get the value of the field in a row. NONE for a field of packets. Text is borrowed until the next call. */
struct tn_cell tn_switch_get(struct tn_switch_reader *reader, const struct tn_switch_field *f, const struct tn_batch *batch,
			     size_t row);

/* Describe @ec as a switch, with memory from @arena. TN_END: it is not a switch. */
enum tn_code tn_switch_init(struct tn_switch *out, struct tn_arena *arena, const struct tn_event_class *ec,
			    struct tn_error *err);

/*
 * Make the marks of a packet, with one user. @of_class: by index of the class; NULL for classes that are not switches.
 * @batch: all rows of the packet, or NULL. TN_END: no such packet.
 */
enum tn_code tn_running_marks_make(struct tn_running_marks **out, struct tn_switch_reader *reader,
				   struct tn_switch *const *of_class, const struct tn_stream *stream, size_t packet,
				   const struct tn_batch *batch, struct tn_error *err);
void tn_running_marks_drop(struct tn_running_marks *marks);	/* NULL is allowed */

/* Get the number of the packet's processor. False: the packet does not have it. */
bool tn_running_cpu(struct tn_switch_reader *reader, const struct tn_stream *stream, const struct tn_field *field, uint32_t *cpu);

#endif
