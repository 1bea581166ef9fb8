/*
 * tnav/writer.h - write CTF traces: a model, its metadata, packets of events
 *
 * A draft declares the contents of a trace: clocks, streams, events, their types. A packet writer fills a
 * buffer with packets of one stream and passes full ones to its callbacks. A trace writer puts everything
 * into a folder.
 *
 *	struct tn_draft *d;
 *	tn_draft_new(&d, NULL, &err);
 *	struct tn_type *fields = tn_draft_struct(d);
 *	tn_draft_member(d, fields, "n", tn_draft_uint(d, 32, 0, 10));
 *	struct tn_stream_class *sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM,
 *		.clock = tn_draft_clock(d, "monotonic", 1000000000, 0, 0, true) });
 *	struct tn_event_class *hello = tn_draft_event_class(d, sc, "hello", -1, NULL, fields);
 *	tn_draft_finish(d, &err);
 *
 * Units      Sizes of types and alignments are bits; buffers and text are bytes; times are values of
 *            the stream's clock.
 * Ownership  Objects from tn_draft_...() belong to the draft. Free the draft after its writers.
 *            Writers borrow buffers until they are finished, and data for the call.
 * Threads    Use a packet writer in one thread at a time. A finished draft is read-only.
 * Errors     A draft stores its first mistake: its functions then accept and return NULL,
 *            and tn_draft_finish() reports the mistake. Writers return TN_OK or a negative code.
 * Names      tn_draft_finish() refuses names that no form of metadata can express, tn_draft_metadata() those of its form:
 *            name			in both		only in CTF 1.8		only in CTF 2
 *            environment, clock	each once	a C identifier, not a keyword	UTF-8
 *            member			once in its structure	a C identifier; in a packet context not timestamp_begin,
 *            				    		timestamp_end, content_size, packet_size, packet_seq_num,
 *            				    		events_discarded	UTF-8
 *            option of a variant	a label of the tag	a C identifier, not a keyword, no _ in front	UTF-8
 *            event, stream class,	any text	any text		UTF-8
 *            label, description
 *            stream file		each once, no '/', no '.' in front, not "metadata", not "index"
 * Limits     Structures nest up to 128 deep. All types together make up to 262,144 fields; a type counts in each place
 *            where it is used. If a number begins inside a byte, the previous number must have the same byte order.
 * States     object		state			may be called
 *            a draft		open			tn_draft_...() that add, tn_draft_finish()
 *              		with a mistake		the same, but they do nothing; tn_draft_finish() reports the mistake
 *              		finished		tn_draft_metadata(), writers, tn_draft_reopen()
 *              		reopened		as open; writers continue with classes that were finished (others:
 *              					TN_ERR_ARGUMENT)
 *            a packet writer	init			tn_packet_writer_open() or, with `open` or without members of the
 *            				    		user's, an event
 *              		packet open		events, close, finish; open does nothing
 *              		packet closed		events (they open the next one), open, finish
 *              		finished		everything: it continues as after a closed packet
 *              		off (_enable())		everything; events, open and close do nothing
 *            a trace writer	new			streams, events of their packet writers, tn_trace_writer_finish()
 *              		finished		tn_trace_writer_free(); events count as discarded, a new stream is
 *              					TN_ERR_ARGUMENT, finishing again returns the same
 *              		freed			nothing, nor its packet writers
 *            a new file	begun			writes to *fd, _finish(), _free()
 *              		finished		_free()
 * Source     the platform contract of barectf 3; CTF 1.8.3 and CTF2-SPEC-2.0 for the written formats.
 */
#ifndef TNAV_WRITER_H
#define TNAV_WRITER_H

#include <tnav/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the draft of a model ---- */

struct tn_draft;

#define TN_DRAFT_OPTIONS TN_SIZED(tn_draft_options)
struct tn_draft_options {
	size_t size;		/* TN_DRAFT_OPTIONS sets it */
	bool big_endian;	/* default byte order */
	const uint8_t *uuid;	/* 16 bytes; NULL: the trace does not have one */
};

/* Make an empty draft; @options may be NULL. Free it with tn_draft_free(). */
TN_API TN_MUST_CHECK enum tn_code
tn_draft_new(struct tn_draft **out, const struct tn_draft_options *options, struct tn_error *err);
TN_API void tn_draft_free(struct tn_draft *draft);	/* NULL is allowed */

/* Add a text to the environment. */
TN_API void tn_draft_env_text(struct tn_draft *draft, const char *name, const char *value);
/* Add a number to the environment. */
TN_API void tn_draft_env_number(struct tn_draft *draft, const char *name, int64_t value);
/* Add a clock. @wall_time: it counts from the Unix epoch, beginning at @offset_s seconds and @offset_cycles cycles. */
TN_API struct tn_clock *tn_draft_clock(struct tn_draft *draft, const char *name, uint64_t frequency,
				       int64_t offset_s, uint64_t offset_cycles, bool wall_time);
/* Describe the clock, for people. */
TN_API void tn_draft_clock_description(struct tn_draft *draft, struct tn_clock *clock, const char *text);

/*
 * Types. @align is in bits; 0 means 8 for whole bytes, else 1. @base is for display: 2, 8, 10, 16. You can use
 * a type in several places. tn_draft_metadata() refuses types that are marked "CTF 2 only" for CTF 1.8. The
 * values of an integer of more than 64 bits are bytes (tn_datum_bytes()), the most significant first.
 */
TN_API struct tn_type *tn_draft_uint(struct tn_draft *draft, unsigned bits, unsigned align, unsigned base);
/* A signed integer, in two's complement. */
TN_API struct tn_type *tn_draft_sint(struct tn_draft *draft, unsigned bits, unsigned align, unsigned base);
/* CTF 2 only: an integer of 1 to 10 bytes (LEB128), depending on its value. */
TN_API struct tn_type *tn_draft_varuint(struct tn_draft *draft, unsigned base);
/* As above, signed. */
TN_API struct tn_type *tn_draft_varsint(struct tn_draft *draft, unsigned base);
/* CTF 2 only: false is 0, true is any other value. */
TN_API struct tn_type *tn_draft_bool(struct tn_draft *draft, unsigned bits, unsigned align);
/* CTF 2 only: bits that are not a number. */
TN_API struct tn_type *tn_draft_bits(struct tn_draft *draft, unsigned bits, unsigned align);
/*
 * Add a label for the values @lower to @upper to an integer, which becomes an enumeration. Or add a flag for
 * the bits @lower to @upper (0 is the lowest) to a bit array, which becomes a bit map.
 */
TN_API void tn_draft_label(struct tn_draft *draft, struct tn_type *type, const char *label, int64_t lower,
			   int64_t upper);
TN_API struct tn_type *tn_draft_float(struct tn_draft *draft, unsigned bits, unsigned align);	/* 32, 64 */
TN_API struct tn_type *tn_draft_string(struct tn_draft *draft);	/* up to a NUL, UTF-8 */
TN_API struct tn_type *tn_draft_text(struct tn_draft *draft, uint64_t bytes);	/* text of fixed length in UTF-8 */
/* An array of @n elements. */
TN_API struct tn_type *tn_draft_array(struct tn_draft *draft, uint64_t n, struct tn_type *element);
/* CTF 2 only: the bytes of the string, and of its values (tn_datum_bytes()), are code units of UTF-16 or UTF-32. */
TN_API void tn_draft_encoding(struct tn_draft *draft, struct tn_type *string, enum tn_encoding encoding);
/* CTF 2 only: a fixed number of bytes that are not text; @media_type NULL: "application/octet-stream". */
TN_API struct tn_type *tn_draft_blob(struct tn_draft *draft, uint64_t bytes, const char *media_type);
/*
 * A BLOB whose number of bytes is in @length. @length, @tag and @selector are names of an earlier unsigned
 * member of the same structure, or of a structure that contains it.
 */
TN_API struct tn_type *tn_draft_blob_sequence(struct tn_draft *draft, const char *length, const char *media_type);
/* Text whose number of bytes is in @length. */
TN_API struct tn_type *tn_draft_text_sequence(struct tn_draft *draft, const char *length);
/* A sequence whose number of elements is in @length. */
TN_API struct tn_type *tn_draft_sequence(struct tn_draft *draft, const char *length, struct tn_type *element);
/* A variant. The label of the enumeration @tag selects the option with the same name. */
TN_API struct tn_type *tn_draft_variant(struct tn_draft *draft, const char *tag);
/* CTF 2 only: @content is present if @selector, a number or a boolean, is not 0. */
TN_API struct tn_type *tn_draft_optional(struct tn_draft *draft, const char *selector, struct tn_type *content);
/* The content is present only for selectors (integers) from @lower to @upper. Several calls add ranges. */
TN_API void tn_draft_some(struct tn_draft *draft, struct tn_type *optional, uint64_t lower, uint64_t upper);
TN_API struct tn_type *tn_draft_struct(struct tn_draft *draft);	/* empty; add members with tn_draft_member() */
/* Set the minimum alignment in bits. */
TN_API void tn_draft_align(struct tn_draft *draft, struct tn_type *structure, unsigned align);
/*
 * Give a number the byte order that is not the trace's. See Limits above.
 */
TN_API void tn_draft_swap(struct tn_draft *draft, struct tn_type *type);
/* Add a member to a structure, an option to a variant. */
TN_API void tn_draft_member(struct tn_draft *draft, struct tn_type *in, const char *name, struct tn_type *type);

enum tn_draft_header {
	TN_HEADER_PLAIN,	/* id and clock value, of id_bits and time_bits */
	TN_HEADER_COMPACT,	/* 5 bits of id, 27 of clock; LTTng's default */
	TN_HEADER_LARGE		/* 16 bits of id, 32 of clock */
};

#define TN_DRAFT_STREAM TN_SIZED(tn_draft_stream)
struct tn_draft_stream {
	size_t size;		/* TN_DRAFT_STREAM sets it */
	const char *name;	/* NULL: none */
	struct tn_clock *clock;	/* NULL: events have no time */
	enum tn_draft_header header;
	/* PLAIN: 1 to 64; 0 means 16 and 64. Times are cut to these bits; any time between two events is allowed. */
	unsigned id_bits, time_bits;
	bool no_discarded, no_sequence;	/* the packet context has no counter, no number */
	struct tn_type *packet_context;	/* a structure: members after the writer's own; NULL: no more members */
	struct tn_type *common_context;	/* a structure or NULL */
	unsigned discarded_bits, sequence_bits;	/* size of the counter and the number: 1 to 64 (they wrap); 0: 64 */
	bool any_order;		/* times can go back; requires a plain header with times of 64 bits */
};

/* Add a class of streams; @stream is copied. */
TN_API struct tn_stream_class *tn_draft_stream_class(struct tn_draft *draft, const struct tn_draft_stream *stream);
/* Add an event class. @log_level -1: none. The context and the payload are structures or NULL. */
TN_API struct tn_event_class *
tn_draft_event_class(struct tn_draft *draft, struct tn_stream_class *stream_class, const char *name, int log_level,
		     struct tn_type *specific_context, struct tn_type *payload);

/* Finish the draft: check it (see Names and Limits above), and resolve references. */
TN_API TN_MUST_CHECK enum tn_code tn_draft_finish(struct tn_draft *draft, struct tn_error *err);

/*
 * Reopen the draft to add more parts; then finish it again. The finished parts stay valid, and packet writers
 * can continue. No other thread may use the draft meanwhile.
 */
TN_API void tn_draft_reopen(struct tn_draft *draft);

enum tn_metadata_form { TN_METADATA_CTF_1_8, TN_METADATA_CTF_2 };
/* Append the metadata of a finished draft. TN_ERR_UNSUPPORTED: the form cannot express a type or a name. */
TN_API TN_MUST_CHECK enum tn_code
tn_draft_metadata(const struct tn_draft *draft, enum tn_metadata_form form, struct tn_str *out,
		  struct tn_error *err);

/* ---- the data of an event ---- */

/*
 * A value of an event. Pass the values in the order of scopes (common context, specific context, payload) and members.
 * Structures and arrays have no value of their own. An array needs one value for each element (a sequence: as many as
 * its length says), a variant the values of the selected option, an optional those of its content if it is present.
 */
enum tn_datum_kind { TN_DATUM_UINT, TN_DATUM_SINT, TN_DATUM_FLOAT, TN_DATUM_BYTES };
struct tn_datum {
	enum tn_datum_kind kind;
	union {
		uint64_t u;
		int64_t i;
		double f;
		const void *bytes;
	} is;
	size_t n;	/* number of bytes */
};

TN_API struct tn_datum tn_datum_u(uint64_t value);	/* an unsigned integer */
TN_API struct tn_datum tn_datum_i(int64_t value);	/* also for unsigned types, if not negative */
TN_API struct tn_datum tn_datum_f(double value);	/* a floating point number */
TN_API struct tn_datum tn_datum_text(const char *text);	/* up to its NUL; borrowed for the call */
/*
 * Text, a BLOB, an integer of more than 64 bits, or all elements of an array of bytes; borrowed for the call.
 * For an array of bytes without elements pass @n 0. Do not omit this value: if the next value is an empty text, the
 * writer would use it for the array.
 */
TN_API struct tn_datum tn_datum_bytes(const void *bytes, size_t n);

/* ---- packets ---- */

struct tn_packet_writer;

/* Callbacks of a packet writer, with the user's pointer. All but `close` may be NULL. */
struct tn_packet_callbacks {
	/*
	 * Returns the value of the clock, which never decreases. NULL: the latest time of
	 * tn_packet_writer_event_at().
	 */
	uint64_t (*clock)(void *user);
	/* Returns true if the destination does not have space for another packet. NULL: there is always space. */
	bool (*is_full)(void *user);
	/* Must call tn_packet_writer_open(). NULL: the writer opens packets, without members of the user's. */
	void (*open)(void *user);
	/*
	 * Must call tn_packet_writer_close() or tn_packet_writer_close_as(), then take the
	 * tn_packet_writer_packet_size() bytes of the packet from the buffer. May set another buffer.
	 */
	void (*close)(void *user);
	/*
	 * Returns a buffer of @size bytes, more than the current one, that begins with the bytes of the current
	 * buffer (the same buffer enlarged, or another buffer); NULL: there is no memory. With this callback a
	 * packet is as long as its contents, in whole bytes, and the first buffer can be NULL. Without it a
	 * packet is as long as the buffer.
	 */
	void *(*grow)(void *user, size_t size);
};

/* Allocated by the caller, anywhere in memory; the members are private. */
struct tn_packet_writer {
	const struct tn_stream_class *stream_class;
	uint64_t stream_id;
	uint8_t *buffer;
	uint64_t size_bits, at, off_content, content_bits;
	uint64_t late;		/* bit position of the members that closing writes */
	uint64_t begin, end, packet_bits;	/* values of the open packet, or of the last closed one */
	size_t used;		/* bytes of a growing buffer that may not be 0 */
	uint64_t clock, now;	/* the running clock of the open packet; the time of the event, or the latest */
	uint64_t discarded, sequence;
	uint64_t told;		/* number of discarded events in the last closed packet */
	bool is_open, use_event_time, enabled;
	volatile int in_tracing_section;
	struct tn_packet_callbacks callbacks;
	void *user;
};

/*
 * Initialise a writer. The draft of @stream_class is finished; @stream_id distinguishes streams of one class;
 * @size: bytes.
 */
TN_API void tn_packet_writer_init(struct tn_packet_writer *writer, const struct tn_stream_class *stream_class,
				  uint64_t stream_id, void *buffer, size_t size,
				  const struct tn_packet_callbacks *callbacks, void *user);

/*
 * Open a packet. @data has the values of the user's members of the packet context. The caller opens the first packet.
 * Does nothing while a packet is open or tracing is off.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_writer_open(struct tn_packet_writer *writer, const struct tn_datum *data, size_t n, struct tn_error *err);
/*
 * Close the packet: write the members that are known only now (sizes, end time, counters). The caller then
 * takes the buffer.
 */
TN_API void tn_packet_writer_close(struct tn_packet_writer *writer);

/* Values of a packet that replace the writer's own. */
#define TN_PACKET_SAYS TN_SIZED(tn_packet_says)
struct tn_packet_says {
	size_t size;		/* TN_PACKET_SAYS sets it */
	bool has_begin, has_end, has_sequence, has_discarded;
	uint64_t begin, end;	/* times; a begin time only if event times have 64 bits */
	uint64_t sequence, discarded;	/* the writer continues to count from them */
};
/*
 * Close the packet with the values of @says (NULL: with the writer's own). TN_ERR_ARGUMENT: a value is invalid, and the
 * packet stays open. Does nothing if no packet is open.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_packet_writer_close_as(struct tn_packet_writer *writer, const struct tn_packet_says *says, struct tn_error *err);

/*
 * Write an event. TN_OK: the event is written, or counts as discarded because there is no space, or tracing is
 * off. TN_ERR_ARGUMENT: the event class is not one of the writer's stream class, or @data does not fit its
 * types; nothing was written.
 */
TN_API enum tn_code
tn_packet_writer_event(struct tn_packet_writer *writer, const struct tn_event_class *event_class,
		       const struct tn_datum *data, size_t n, struct tn_error *err);
/*
 * As above, with the event's time in place of the callback's. Times must not go back, unless the stream class
 * allows it.
 */
TN_API enum tn_code
tn_packet_writer_event_at(struct tn_packet_writer *writer, uint64_t clock, const struct tn_event_class *event_class,
			  const struct tn_datum *data, size_t n, struct tn_error *err);

/*
 * Close the last packet, with the callback, if it contains events. If events were discarded after the last
 * packet, write a packet without events that reports them (two packets if there is no earlier one), unless
 * `is_full` returns true.
 */
TN_API void tn_packet_writer_finish(struct tn_packet_writer *writer);

TN_API void *tn_packet_writer_buffer(const struct tn_packet_writer *writer);	/* the current buffer */
TN_API size_t tn_packet_writer_size(const struct tn_packet_writer *writer);	/* size of the buffer in bytes */
/* Size of the last closed packet in bytes. */
TN_API size_t tn_packet_writer_packet_size(const struct tn_packet_writer *writer);
/* Set another buffer; only within `close`. */
TN_API void tn_packet_writer_set_buffer(struct tn_packet_writer *writer, void *buffer, size_t size);
/* Whether the buffer has no space for more events. Valid also between two packets. */
TN_API bool tn_packet_writer_is_full(const struct tn_packet_writer *writer);
TN_API bool tn_packet_writer_is_empty(const struct tn_packet_writer *writer);	/* whether it contains no events */
TN_API bool tn_packet_writer_is_open(const struct tn_packet_writer *writer);	/* between open and close */
/* Number of discarded events since init. */
TN_API uint64_t tn_packet_writer_discarded(const struct tn_packet_writer *writer);
/* Number of the open or next packet. */
TN_API uint64_t tn_packet_writer_sequence(const struct tn_packet_writer *writer);
/* A variable for interrupt handlers: 1 while the writer writes an event. */
TN_API const volatile int *tn_packet_writer_in_tracing_section(const struct tn_packet_writer *writer);
TN_API bool tn_packet_writer_is_enabled(const struct tn_packet_writer *writer);	/* whether tracing is on */
/* Switch tracing on or off. Off: events, open and close do nothing. */
TN_API void tn_packet_writer_enable(struct tn_packet_writer *writer, bool on);

/* ---- a trace in a folder ---- */

struct tn_trace_writer;

#define TN_OUTPUT_STREAM TN_SIZED(tn_output_stream)
struct tn_output_stream {
	size_t size;		/* TN_OUTPUT_STREAM sets it */
	const char *name;	/* name of the file */
	uint64_t id;		/* distinguishes streams of one class */
	size_t packet_size;	/* bytes; 0: 4096 */
	/*
	 * As in struct tn_packet_callbacks; NULL: the destination always has space. tn_trace_writer_finish(), which
	 * records the last losses, does not call it.
	 */
	bool (*is_full)(void *user);
	void *user;
	const struct tn_datum *context;	/* values of the user's members for each packet, borrowed, or NULL */
	size_t n_context;
};

/*
 * Make a trace in @folder, and write the draft's metadata. Creates @folder if needed, and replaces files with the same
 * names. TN_ERR_UNSUPPORTED: the form cannot express a part of the draft.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_trace_writer_new(struct tn_trace_writer **out, const char *folder, const struct tn_draft *draft,
		    enum tn_metadata_form form, struct tn_error *err);
/*
 * Add a stream file and, if the stream has a clock, an index of its packets in LTTng's format. Write events to
 * *out with tn_packet_writer_event_at(); the first event opens the first packet.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_trace_writer_stream(struct tn_trace_writer *writer, const struct tn_stream_class *stream_class,
		       const struct tn_output_stream *file, struct tn_packet_writer **out, struct tn_error *err);
/*
 * Close all packets and files; returns the first failure. If the draft has more parts since
 * tn_trace_writer_new(), writes the metadata again.
 */
TN_API TN_MUST_CHECK enum tn_code tn_trace_writer_finish(struct tn_trace_writer *writer, struct tn_error *err);
TN_API void tn_trace_writer_free(struct tn_trace_writer *writer);	/* NULL is allowed */

/* ---- a file that appears whole or not at all ---- */

struct tn_new_file;

/*
 * Begin a file with a temporary name in the same folder; tn_new_file_finish() gives it its name. *fd is open
 * for writing and belongs to the file. TN_ERR_EXISTS: the name exists, and @replace is false. Devices, pipes
 * and other special files are written in place. Removes temporary files of killed programs from the folder.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_new_file_begin(struct tn_new_file **out, const char *path, bool replace, int *fd, struct tn_error *err);
/* The path of the temporary file, which a signal handler can remove; NULL: the file is written in place. */
TN_API const char *tn_new_file_draft(const struct tn_new_file *file);
/* Write everything to the disk and give the file its name. */
TN_API TN_MUST_CHECK enum tn_code tn_new_file_finish(struct tn_new_file *file, struct tn_error *err);
/* Free it, and remove the file if it is not finished; NULL is allowed. */
TN_API void tn_new_file_free(struct tn_new_file *file);

#ifdef __cplusplus
}
#endif
#endif
