/* stream.h - the format's own data of a trace and of its streams */
#ifndef TN_CTF_STREAM_H
#define TN_CTF_STREAM_H

#include "ctf/packet.h"
#include "model/decoder.h"

/* More flags of a struct tn_packet, for messages; their bits are above the model's flags. */
enum {
	TN_CTF_ZEROS = 1 << 16,		/* zero bytes to the end of the file */
	TN_CTF_TAIL = 1 << 17,		/* fewer bytes than a header has, to the end of the file */
	TN_CTF_OPEN_SIZES = 1 << 18	/* the sizes in the packet are all ones */
};

struct tn_ctf_trace {
	bool general;		/* never take a specialised path (tests) */
	bool is_ctf2;		/* the running clock restarts in each packet */
	bool late_events;	/* the tracer is known to write events after the end of their packet */
	uint8_t magic[4];	/* the first bytes of packets */
	bool has_magic;
};

/* An LTTng index file (ctf1-binary.md, 11). */
struct tn_ctf_lttng_index {
	struct tn_map map;
	size_t stride;		/* bytes of an entry */
	size_t n;
	uint64_t identity;	/* identity of the index file, trusted or not; 0: no file */
};

/* The bytes after an invalid packet header. */
struct tn_ctf_sweep {
	bool begun;
	uint64_t from;		/* the header */
	uint64_t at;		/* read up to here; at the end: the next packet, or the end of the file */
	bool in_zeros;		/* nothing but zero bytes so far */
	bool zeros;		/* nothing but zero bytes to the end of the file */
	bool found;		/* a packet of the wanted class can begin there */
};

/* A file of a stream while its packets are looked up. */
struct tn_ctf_file {
	uint64_t offset;	/* start of the next packet */
	struct tn_ctf_sweep sweep;	/* the bytes after it */
	bool has_next, done;
	struct tn_packet next;
	struct tn_peek *peek;	/* set while extend runs; NULL: only the map is available */
	bool has_index;		/* entries come from the index file, else from the packets */
	struct tn_ctf_lttng_index index;
	size_t i;		/* next entry of it */
	uint64_t clock;		/* running clock after the previous packet */
	bool told_uuid, told_instance;
	uint64_t instance;
	bool has_instance;
};

struct tn_ctf_stream {
	struct tn_ctf_file *file;	/* one for each stream->file; malloc */
	size_t n_files;
	bool has_pending;
	struct tn_packet pending;	/* found, but its end is unknown until the next one is found */
	int64_t end_ns;		/* end of the last entry appended */
	uint64_t highest;	/* `highest` of that entry */
	uint64_t budget;	/* steps left for sweeps, until extend is called again */
};

/* Open the index file of the stream file at @path; false, without a message: no trustworthy index file. */
bool tn_ctf_lttng_index_open(struct tn_ctf_lttng_index *out, const struct tn_trace *trace, const char *path,
			     uint64_t file_size);
/* Entry @i: positions, sizes, raw times, counters. */
void tn_ctf_lttng_index_entry(const struct tn_ctf_lttng_index *index, size_t i, struct tn_packet *out);
void tn_ctf_lttng_index_ids(const struct tn_ctf_lttng_index *index, size_t i, uint64_t *stream_class, uint64_t *instance);

/* Current size of the file, which may have shrunk. */
uint64_t tn_ctf_file_size(const struct tn_stream_file *file);

/*
 * Search after the header at @from for the first place where a packet of class @want (NULL: any) can begin.
 * Costs about a byte of @budget a byte; false: the budget is used up, and the next call for the same header
 * continues.
 */
bool tn_ctf_sweep(struct tn_ctf_sweep *sweep, uint64_t *budget, const struct tn_trace *trace,
		  const struct tn_stream_file *file, const struct tn_stream_class *want, uint64_t from);

/* Running clock after the packet, its number of events and its last time; false: memory is out. */
bool tn_ctf_packet_end(const struct tn_stream *stream, const struct tn_packet *entry, uint64_t *clock, uint64_t *events,
		       int64_t *last_ns);

bool tn_ctf_agrees(const struct tn_stream *stream, const struct tn_packet *entry);
void tn_ctf_put_right(struct tn_stream *stream);
enum tn_code tn_ctf_extend(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_ctf_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);
enum tn_code tn_ctf_walk(struct tn_batch *batch, struct tn_error *err);
enum tn_code
tn_ctf_read(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err);

/* Add the streams of @from to @into if both folders have the same trace; TN_END: they do not. */
enum tn_code tn_ctf_join(struct tn_trace *into, struct tn_trace *from, struct tn_error *err);

extern const struct tn_pair_rules tn_ctf_pairs;

#endif
