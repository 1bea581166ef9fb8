/*
 * private.h - shared by the files of lib/uftrace
 *
 * Source     uftrace.md
 */
#ifndef TN_UFTRACE_PRIVATE_H
#define TN_UFTRACE_PRIVATE_H

#include "base/bits.h"
#include "base/hash.h"
#include "ftrace/rows.h"
#include "model/build.h"
#include "plan/plan.h"

/* An argument or a result, with its format in a spec (specs.c). */
struct tn_uf_arg {
	char format;		/* a letter of "diuxopsScfet" */
	uint16_t size;		/* bytes; 0: a text, whose size is in front of it */
};

/* The arguments of a call, or its result. */
struct tn_uf_spec {
	const char *text;	/* text of the spec, such as "arg1/s,arg2/d32" */
	bool is_exit;
	struct tn_uf_arg *arg;
	size_t n;
	uint32_t event_class;
};

struct tn_uf_symbol {
	uint64_t address;	/* address in the file of the module */
	const char *name;	/* demangled name, followed by TN_LOOKUP_SLACK bytes; NULL: end of a range */
	const struct tn_uf_spec *call, *result;	/* specs of the arguments and of the result; NULL: none */
};

struct tn_uf_module {
	const char *name;	/* name of its .sym file */
	TN_ARRAY(struct tn_uf_symbol) symbols;	/* sorted by address */
};

struct tn_uf_map {
	uint64_t begin, end, offset;
	const struct tn_uf_module *module;
};

struct tn_uf_session {
	uint64_t time;
	int64_t pid;
	const char *id, *program;	/* `program` is the file name without its folder */
	TN_ARRAY(struct tn_uf_map) maps;	/* sorted by address */
};

struct tn_uf_task {
	int64_t tid, pid, parent;	/* `parent`: the process that forked this one, or 0 */
	uint64_t time;
};

struct tn_uf_event {	/* an event of events.txt */
	uint32_t id, event_class;
	uint32_t size;		/* bytes of data that the event needs */
};

/* An event class of kernel_header. */
struct tn_uf_format {
	const struct tn_ftrace_format *call;	/* an entry or exit of a function; NULL: another event */
	const struct tn_op *payload;	/* payload of another event */
};

/* The contents of kernel-cpuN.dat, kernel_header and kallsyms. */
struct tn_uf_kernel {
	bool is_read;
	struct tn_ftrace_layout layout;
	struct tn_ftrace_classes classes;
	struct tn_ftrace_rows rows;
	struct tn_stream_class *stream_class;
	const struct tn_op *header, *context;
	struct tn_uf_format *format;	/* formats of the classes from `first` on */
	uint32_t first;
	struct tn_uf_module symbols;
};

struct tn_uf_names;		/* names.c */

/* trace->own */
struct tn_uf_trace {
	struct tn_trace *trace;
	bool big_endian, is_32;
	unsigned version;
	const char *program, *command, *kernel, *hostname, *writer;	/* NULL: absent */
	TN_ARRAY(const char *) spec_lines;	/* specs, such as "name@arg1/d32,..."; first those of argspec and retspec */
	size_t n_manual;	/* number of specs from argspec and retspec */
	bool is_glob;
	TN_ARRAY(struct tn_uf_session *) sessions;
	TN_ARRAY(struct tn_uf_task) tasks;
	TN_ARRAY(struct tn_uf_module *) modules;
	TN_ARRAY(struct tn_uf_spec *) specs;
	TN_ARRAY(struct tn_uf_event) events;
	uint64_t symbol_bytes;
	TN_ARRAY(struct tn_event_class *) classes;
	const struct tn_field *call, *event_data;	/* payloads of the classes without a spec */
	struct tn_lookup *functions;
	struct tn_uf_names *names;
	struct tn_stream_class *threads, *cpus, *messages;
	uint32_t message;	/* class of the lines of extern.dat */
	struct tn_uf_kernel kernel_data;
	struct tn_builder build;
};

enum tn_uf_source {
	TN_UF_THREAD,		/* TID.dat */
	TN_UF_CPU,		/* perf-cpuN.dat */
	TN_UF_KERNEL,		/* kernel-cpuN.dat */
	TN_UF_EXTERN		/* extern.dat */
};

/* stream->own */
struct tn_uf_stream {
	enum tn_uf_source source;
	int64_t tid, pid, cpu;
	const struct tn_uf_session **session;	/* sessions of the stream's thread, by time */
	size_t n_sessions;
	/* state of the index scan */
	uint64_t at, time, lost;
	int64_t key;
};

/* Numbers of the event classes that all folders have; specs and events.txt add others. */
enum {
	TN_UF_ENTRY, TN_UF_EXIT, TN_UF_SCHED_IN, TN_UF_SCHED_OUT, TN_UF_PREEMPTED, TN_UF_TASK_NEW, TN_UF_TASK_EXIT, TN_UF_TASK_NAME,
	TN_UF_EVENT, TN_UF_BARE_EVENT
};

/* ---- text_files.c ---- */
enum tn_code tn_uf_read_folder(struct tn_uf_trace *t, struct tn_error *err);
void tn_uf_release_folder(struct tn_uf_trace *t);
/* Find the sessions of a thread, in order, and the thread's process. */
bool tn_uf_find_sessions(struct tn_uf_trace *t, struct tn_uf_stream *s);
static inline const struct tn_uf_session *
tn_uf_find_session(const struct tn_uf_stream *s, uint64_t time)
{
	const struct tn_uf_session *session = s->n_sessions ? s->session[0] : NULL;

	for (size_t i = 1; i < s->n_sessions && s->session[i]->time <= time; i++)
		session = s->session[i];
	return session;
}
/* The function at @address; NULL: unknown. */
const struct tn_uf_symbol *tn_uf_find_symbol(const struct tn_uf_session *session, uint64_t address);

/* The name of a kernel function; NULL: unknown. */
const char *tn_uf_kernel_symbol(const struct tn_uf_trace *t, uint64_t address);
/* Map a file of the folder. False: this failed, which is reported if the file is needed. */
bool tn_uf_map(struct tn_uf_trace *t, struct tn_map *map, const char *name, bool needed);
/*
 * Read symbols from a file of lines "ADDRESS TYPE NAME". If the file is absent, there are no symbols. False: memory
 * is out.
 */
bool tn_uf_read_symbols(struct tn_uf_trace *t, struct tn_uf_module *m, const char *file);

/* ---- specs.c ---- */
struct tn_field *tn_uf_scope(struct tn_uf_trace *t, struct tn_type *type);
/* Make the payload of a kernel call: func, depth, addr, and space for @more fields. */
struct tn_type *tn_uf_new_call(struct tn_uf_trace *t, size_t more);
struct tn_event_class *tn_uf_add_class(struct tn_uf_trace *t, struct tn_stream_class *sc, const char *name,
				       struct tn_field *payload);
/* Add a class for the entry or the exit of a function. */
struct tn_event_class *tn_uf_add_call(struct tn_uf_trace *t, struct tn_stream_class *sc, bool is_exit, struct tn_field *payload);
/* @context: names of the fields of the packet context */
struct tn_stream_class *tn_uf_new_stream_class(struct tn_uf_trace *t, const char *const *context, const char *name);
/*
 * Find the specs of a symbol, whose name in the ELF file is @raw. @call, @result: the specs in the .dbg file, or
 * NULL.
 */
bool tn_uf_find_specs(struct tn_uf_trace *t, struct tn_uf_symbol *symbol, const char *raw, const char *call, const char *result);
/* Build the classes that all folders have; specs that are found later add classes. */
enum tn_code tn_uf_build(struct tn_uf_trace *t, struct tn_error *err);
/* Add the class of an event of the program, from events.txt. */
bool tn_uf_add_event(struct tn_uf_trace *t, uint32_t id, const char *name);
/* Add the class of the lines of extern.dat. */
void tn_uf_add_messages(struct tn_uf_trace *t);
/* Give the trace its classes; none can be added later. */
enum tn_code tn_uf_finish(struct tn_uf_trace *t, struct tn_error *err);

/* ---- names.c ---- */
/* Make the lookup by which plans get the text of a function's name; NULL: memory is out. */
struct tn_lookup *tn_uf_new_lookup(struct tn_uf_trace *t);
/* Call this function when the streams are open, before an event is read. */
bool tn_uf_begin_names(struct tn_uf_trace *t);
void tn_uf_release_names(struct tn_uf_trace *t);

/* ---- demangle.c ---- */
/* Write a C++ name without its types, as uftrace shows it. Other names do not change. */
bool tn_uf_demangle(struct tn_str *out, const char *name);

/* ---- kernel.c ---- */
/* Read kernel_header and kallsyms. TN_END: there are no usable formats, which was reported. */
enum tn_code tn_uf_read_kernel_header(struct tn_uf_trace *t, struct tn_error *err);
enum tn_code tn_uf_extend_kernel(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_uf_walk_kernel(struct tn_batch *b, struct tn_error *err);
/* Add the values of row @i to @e, whose header is set. */
enum tn_code tn_uf_read_kernel(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err);

/* ---- rows.c ---- */
struct tn_uf_record {
	uint64_t time, address;	/* `address`: of the function; or the number of losses, or the id of the event */
	uint32_t type, depth;
	bool more;
	uint32_t size;		/* size of the record and its data, in bytes */
};

enum { TN_UF_TYPE_ENTRY, TN_UF_TYPE_EXIT, TN_UF_TYPE_LOST, TN_UF_TYPE_EVENT };

enum tn_code tn_uf_extend(struct tn_stream *stream, struct tn_error *err);
enum tn_code tn_uf_walk(struct tn_batch *b, struct tn_error *err);
enum tn_code tn_uf_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err);

static inline uint64_t
tn_uf_number(const uint8_t *p, unsigned bytes, bool big_endian)
{
	uint64_t v = big_endian ? tn_load64_be(p) : tn_load64(p);

	return bytes == 8 ? v : big_endian ? v >> (64 - 8 * bytes) : v & ((UINT64_C(1) << 8 * bytes) - 1);
}

/*
 * Whether the record at @p, of a little-endian trace, is an entry or exit without data: it has the magic, and the bit
 * `more` is 0.
 */
static inline bool
tn_uf_is_call(const uint8_t *p)
{
	return (p[8] & 0x3e) == 0x28;
}

/* Read the fixed part of a record. False: the bytes do not look like a record. */
static inline bool
tn_uf_look(const struct tn_uf_trace *t, const uint8_t *p, struct tn_uf_record *r)
{
	uint64_t bits = tn_uf_number(p + 8, 8, t->big_endian);
	unsigned magic;

	r->time = tn_uf_number(p, 8, t->big_endian);
	r->size = 16;
	if (t->big_endian) {
		r->type = (uint32_t)(bits >> 62);
		r->more = t->version > 3 && bits >> 61 & 1;
		magic = t->version > 3 ? bits >> 58 & 7 : bits >> 58 & 15;
		r->depth = (uint32_t)(bits >> 48 & 0x3ff);
		r->address = bits & 0xffffffffffff;
	} else {
		r->type = (uint32_t)(bits & 3);
		r->more = t->version > 3 && bits >> 2 & 1;
		magic = t->version > 3 ? bits >> 3 & 7 : bits >> 2 & 15;
		r->depth = (uint32_t)(bits >> 6 & 0x3ff);
		r->address = bits >> 16;
	}
	return magic == (t->version > 3 ? 5 : 10);
}

#endif
