/* private.h - shared by the files of lib/perfdata */
#ifndef TN_PERFDATA_PRIVATE_H
#define TN_PERFDATA_PRIVATE_H

#include <pthread.h>

#include "perfdata/file.h"

/* ---- names.c: names of threads by time, from COMM and FORK records ---- */

struct tn_perf_thread;

struct tn_perf_names {
	bool big_endian;
	struct tn_perf_thread **bucket;	/* atomic, because names are added while other threads read */
	struct tn_arena arena;		/* memory for the thread that adds names */
	bool no_memory;
};

/* A COMM or FORK record, kept until all records of its time are known. */
struct tn_perf_task {
	uint64_t time;
	uint64_t at;
};

/* Make the table empty, also when it was used before. */
bool tn_perf_names_begin(struct tn_perf_names *names);
/*
 * Add the records of the first @n tasks, in the order of time. Only one thread at a time may call this, and times must
 * not fall from call to call.
 */
void tn_perf_names_add(struct tn_perf_names *names, const uint8_t *data, uint64_t end, struct tn_perf_task *task, size_t n);
void tn_perf_names_release(struct tn_perf_names *names);
/* Implements tn_lookup.find: the name of the thread whose number is at @place. @user is a struct tn_perf_names. */
const char *tn_perf_name_at(const struct tn_lookup *lookup, const uint8_t *place, size_t *size);
const char *tn_perf_name_last(const struct tn_lookup *lookup, const uint8_t *place, size_t *size);

/* ---- scan.c: one pass over the records makes the index ---- */

#define TN_PERF_HAS_TASKS TN_PACKET_OWN	/* flag of an entry: it has COMM or FORK records */
#define TN_PERF_ENDS_BADLY (TN_PACKET_OWN << 1)	/* flag of an entry: the data end with a record that cannot be passed */
#define TN_PERF_ROUNDS 3

/* Records from @at to @end, with their smallest and largest time. */
struct tn_perf_piece {
	uint64_t at, end, least, most;
};

struct tn_perf_loss {
	uint64_t time, n;
};

struct tn_perf_scan {
	bool begun;
	uint64_t at;		/* position of the next record */
	uint64_t start;		/* all records before this position belong to finished entries */
	uint64_t floor;		/* largest time of the previous entry */
	bool has_floor;
	uint64_t most;		/* largest time so far */
	bool has_most;
	uint64_t round[TN_PERF_ROUNDS], round_at;	/* `most` at the ends of the last rounds; start of the current round */
	TN_ARRAY(struct tn_perf_piece) pieces;	/* the records from @start on, in pieces */
	TN_ARRAY(struct tn_perf_task) tasks;
	TN_ARRAY(struct tn_perf_loss) losses;
	uint64_t lost;
	int64_t key;
};

enum tn_code tn_perf_extend(struct tn_stream *stream, struct tn_error *err);
/* Fill the names for a stored index, whose records were not scanned. */
void tn_perf_names_stored(const struct tn_stream *stream);

/* Whether a record is a row, or changes names; *time is its time. Its attribute is tn_perf_attr_of_record(). */
static inline bool
tn_perf_has_place(const struct tn_perf_file *f, const struct tn_perf_record *r, const bool big_endian, uint64_t *time)
{
	const struct tn_perf_attr *a;
	bool timed;

	if (__builtin_expect(r->type == TN_PERF_SAMPLE && f->time_at != TN_PERF_NOWHERE && r->size >= f->time_at + 8, 1)) {
		*time = tn_perf_u64(r->p + f->time_at, big_endian);
		return true;
	}
	if (r->type >= TN_PERF_KERNEL_TYPES || !r->type)
		return false;
	if (r->type != TN_PERF_SAMPLE && f->time_from_end != TN_PERF_NOWHERE && r->size >= f->time_from_end + 8) {
		*time = tn_perf_u64(r->p + r->size - f->time_from_end, big_endian);
		return *time;
	}
	a = tn_perf_attr_of_record(f, r);
	timed = tn_perf_time(r, a ? a : f->attrs.item, big_endian, time);
	if (!timed)
		*time = 0;
	/* Records without a time describe the state before the recording; perf itself made them. */
	return r->type == TN_PERF_SAMPLE || (timed && *time);
}

/* Whether a record names threads of the host. */
static inline bool
tn_perf_names_threads(const struct tn_perf_file *f, const struct tn_perf_record *r)
{
	const struct tn_perf_attr *a;

	if (r->type != TN_PERF_COMM && r->type != TN_PERF_FORK)
		return false;
	a = tn_perf_attr_of_record(f, r);
	return !(a && a->is_guest) && !tn_perf_in_guest(r);
}

/* ---- walk.c ---- */

#define TN_PERF_LIST_BYTES ((size_t)32 << 20)	/* limit of all lists together, unless there is only one */

struct tn_perf_list;

/* The sorted records of the entries that were walked last. */
struct tn_perf_lists {
	struct tn_perf_list *item[16];
	size_t n, bytes;
};

enum tn_code tn_perf_walk(struct tn_batch *b, struct tn_error *err);
void tn_perf_lists_release(struct tn_perf_lists *lists);

/* ---- model.c ---- */

/* trace->own */
struct tn_perf_trace {
	struct tn_map map;	/* the file */
	struct tn_perf_file file;
	struct tn_ftrace_classes formats;	/* sizes and positions of tracepoints, by common_type */
	struct tn_perf_names names;
	struct tn_lookup name_at, name_last;
	uint32_t raw_class;	/* class for samples that cannot be decoded: shows their bytes */
	struct tn_perf_scan scan;
	int spool;		/* file of unpacked records; -1: none */
	struct tn_perf_lists lists;
	pthread_mutex_t lock;	/* protects the lists, and the names of a stored index */
	bool has_names;		/* the names exist, or the scan adds them; atomic */
	bool is_open;		/* `lock` and `names` are initialised */
};

/*
 * The class of a record of the kernel that is not a sample, @at bytes after the start of its entry. own->raw_class: its
 * parts exceed the record.
 */
uint32_t tn_perf_other_class(const struct tn_perf_trace *own, const struct tn_perf_attr *a, const struct tn_perf_record *r,
			     uint32_t at);
enum tn_code tn_perf_build(struct tn_trace *trace, struct tn_error *err);

/* ---- unpack.c ---- */

/* Unpack all records into @map, and set f->data_at and data_end to positions in it. */
enum tn_code tn_perf_unpack(struct tn_perf_file *f, struct tn_map *map, int *spool, struct tn_error *err);

#endif
