/* stream.h - the data that the format CTF keeps for a trace and for its streams */
#ifndef TN_CTF_STREAM_H
#define TN_CTF_STREAM_H

#include "ctf/packet.h"
#include "model/decoder.h"

/* Flags of a struct tn_packet that this format adds, for messages. */
enum {
	TN_CTF_ZEROS = 1 << 16,		/* the rest of the file is zeros */
	TN_CTF_TAIL = 1 << 17,		/* the rest of the file has fewer bytes than a header */
	TN_CTF_OPEN_SIZES = 1 << 18	/* the sizes in the packet have all bits set */
};

struct tn_ctf_trace {
	bool general;		/* do not use specialised code (tests) */
	bool is_ctf2;		/* the clock does not continue from one packet to the next */
	bool late_events;	/* the tracer may write events after the end of their packet */
	uint8_t magic[4];	/* the bytes with which packets begin */
	bool has_magic;
};

/* An LTTng index file (ctf1-binary.md, 11). */
struct tn_ctf_lttng_index {
	struct tn_map map;
	size_t stride;		/* size of an entry */
	size_t n;
	uint64_t identity;	/* identity of the index file, even if it is not trusted; 0: no file */
};

/* The search in the bytes after an invalid packet header. */
struct tn_ctf_sweep {
	bool begun;
	uint64_t from;		/* position of the header */
	uint64_t at;		/* position of the search; at its end, the next packet or the end of the file */
	bool in_zeros;		/* only zeros so far */
	bool zeros;		/* only zeros up to the end of the file */
	bool found;		/* a packet of the wanted class can begin at `at` */
};

/* A file of a stream while its packets are searched for. */
struct tn_ctf_file {
	uint64_t offset;	/* position of the next packet */
	struct tn_ctf_sweep sweep;	/* the search in the bytes after it */
	bool has_next, done;
	struct tn_packet next;
	struct tn_peek *peek;	/* set while `extend` runs; NULL: use only the map */
	bool has_index;		/* entries come from the index file; otherwise from the packets */
	struct tn_ctf_lttng_index index;
	size_t i;		/* number of its next entry */
	uint64_t clock;		/* running clock after the previous packet */
	bool told_uuid, told_instance;
	uint64_t instance;
	bool has_instance;
};

struct tn_ctf_stream {
	struct tn_ctf_file *file;	/* one for each item of stream->file; allocated with malloc() */
	size_t n_files;
	bool has_pending;
	struct tn_packet pending;	/* a packet that was found, but whose end depends on the next one */
	int64_t end_ns;		/* end_ns of the last entry */
	uint64_t highest;	/* `highest` of the last entry */
	uint64_t budget;	/* bytes that searches may still read in this call of `extend` */
};

/*
 * Open the index file of the stream file at @path. False: the index file is missing, or does not agree with the stream.
 * tnav does not report this.
 */
bool tn_ctf_lttng_index_open(struct tn_ctf_lttng_index *out, const struct tn_trace *trace, const char *path,
			     uint64_t file_size);
/* Get entry @i: positions, sizes, raw times, counters. */
void tn_ctf_lttng_index_entry(const struct tn_ctf_lttng_index *index, size_t i, struct tn_packet *out);
void tn_ctf_lttng_index_ids(const struct tn_ctf_lttng_index *index, size_t i, uint64_t *stream_class, uint64_t *instance);

/* The current size of the file, which may have been cut. */
uint64_t tn_ctf_file_size(const struct tn_stream_file *file);

/*
 * Search after the header at @from for the first place where a packet of class @want (NULL: any) can begin. The search
 * uses about one unit of @budget for each byte. False: the budget is used up; the next call for the same header
 * continues.
 */
bool tn_ctf_sweep(struct tn_ctf_sweep *sweep, uint64_t *budget, const struct tn_trace *trace,
		  const struct tn_stream_file *file, const struct tn_stream_class *want, uint64_t from);

/* Get the running clock after the packet, its number of events and its last time. False: memory is out. */
bool tn_ctf_packet_end(const struct tn_stream *stream, const struct tn_packet *entry, uint64_t *clock, uint64_t *events,
		       int64_t *last_ns);

bool tn_ctf_agrees(const struct tn_stream *stream, const struct tn_packet *entry);
void tn_ctf_put_right(struct tn_stream *stream);
enum tn_code tn_ctf_extend(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_ctf_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err);
enum tn_code tn_ctf_walk(struct tn_batch *batch, struct tn_error *err);
enum tn_code
tn_ctf_read(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err);

/* Add the streams of @from to @into, if both folders are the same trace. TN_END: they are not. */
enum tn_code tn_ctf_join(struct tn_trace *into, struct tn_trace *from, struct tn_error *err);

extern const struct tn_pair_rules tn_ctf_pairs;

#endif
