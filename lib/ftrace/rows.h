/*
 * rows.h - pages to rows: the walk for formats whose packets are pages of a ring buffer
 *
 * A row begins at its event's header (types.h: tn_ftrace_header()). A record that is too short for its class becomes
 * a row of another class, which shows its bytes. A reference that points out of its record is cut (plan.h, LOCATE). tnav
 * reports both as damage before the row.
 *
 * The clock value of an event is its time in the buffer, which `clock` converts if it is set. Clock values have 10^9
 * cycles a second. In marks, `clock` is the time in the buffer.
 */
#ifndef TN_FTRACE_ROWS_H
#define TN_FTRACE_ROWS_H

#include "ftrace/page.h"
#include "ftrace/types.h"
#include "model/decoder.h"

/* A field whose value gives the place of other bytes in the record. */
struct tn_ftrace_located {
	uint32_t offset;	/* offset of the field in the record */
	enum tn_located how;	/* DATA or REL */
	const char *name;
};

struct tn_ftrace_class {
	uint32_t event_class;	/* index of the class in the trace */
	uint32_t need;		/* smallest size of the records */
	const struct tn_ftrace_located *located;
	uint32_t n_located;
};

/* The classes of a stream class, by common_type. */
struct tn_ftrace_classes {
	const struct tn_ftrace_class *of_id;	/* `n` classes; `need` is UINT32_MAX for unused ids */
	uint32_t n;
	uint32_t bytes;		/* the class of all other records */
	uint32_t bytes_need;
};

/*
 * Make the class table of @n formats; @first is the trace's index of the first class, and @bytes the class of bytes.
 * False: memory is out.
 */
bool tn_ftrace_classes_make(struct tn_ftrace_classes *out, struct tn_arena *arena, const struct tn_ftrace_format *format, size_t n,
			    uint32_t first, uint32_t bytes, uint32_t bytes_need);

/* Find the first field whose value points out of the record of @size bytes, and this value; NULL: none. */
const struct tn_ftrace_located *tn_ftrace_outside(const struct tn_ftrace_class *class, const uint8_t *record, uint32_t size,
						  bool big_endian, uint32_t *what);

struct tn_ftrace_rows {
	const struct tn_ftrace_layout *layout;
	const struct tn_ftrace_classes *classes;
	uint32_t page_size;
	uint64_t (*clock)(const void *user, uint64_t time);	/* NULL: the clock value is the time */
	const void *user;
	/*
	 * The class of an event that the end of the file cuts: tnav shows its record as bytes. 0: the class of bytes
	 * itself.
	 */
	uint32_t cut_class;
};

/* Implements ops->walk for b->entry, whose first byte is b->data. */
enum tn_code tn_ftrace_walk(struct tn_batch *b, const struct tn_ftrace_rows *rows, struct tn_error *err);

/*
 * Get the number of events of the page at @p. False: the page has other rows, too, so it must be walked. *last: the
 * time of the last event as clock value; may be NULL.
 */
bool tn_ftrace_count(const struct tn_packet *entry, const uint8_t *p, const struct tn_ftrace_rows *rows, uint64_t *events,
		     uint64_t *last);

/*
 * Get the common_type of the event in the page at @p that the end of the file cuts. False: no event is cut, or its
 * type is unknown.
 */
bool tn_ftrace_cut_type(const struct tn_packet *entry, const uint8_t *p, const struct tn_ftrace_rows *rows, uint32_t *type);

/*
 * Read the values of row @i of a batch; for TN_READ_PACKET, the packet's context, whose only member is the processor
 * @cpu.
 */
enum tn_code tn_ftrace_read(const struct tn_batch *b, size_t i, unsigned scopes, uint64_t cpu, struct tn_event *out,
			    struct tn_error *err);

#endif
