/*
 * schema.h - the columns of events: from the fields of their classes to the nodes of a Parquet schema
 *
 * Structures at the top are taken apart, as in CSV: "event.fields.a.b" is a column. Inside lists they are groups. A
 * variant is a group with a member for each option, of which at most one is there.
 */
#ifndef TN_COLUMNS_SCHEMA_H
#define TN_COLUMNS_SCHEMA_H

#include "columns/parquet.h"
#include "language/running.h"
#include "model/decoder.h"

#define TN_LABEL_MEMOS 16
#define TN_CONTEXT_BYTES 64	/* limit of a common context that is shared by events */

/* The text of the labels that a number had. */
struct tn_label_memo {
	uint64_t number;
	struct tn_label_text { size_t n; bool is_known; const char *bytes; } text;
};

/* The way in which the values of a field become values of its nodes. */
enum tn_field_how {
	TN_HOW_NEW,		/* not known yet */
	TN_HOW_NONE,		/* no column: the field has none, or is a structure whose members have columns */
	TN_HOW_INTEGER,		/* one column, nothing else to do */
	TN_HOW_TEXT,		/* one column with the text, nothing else to do */
	TN_HOW_FLOAT,		/* one column with the float, nothing else to do */
	TN_HOW_ELEMENT,		/* one column: the integer is an element of a list */
	TN_HOW_LEAF, TN_HOW_LABELS, TN_HOW_GROUP, TN_HOW_LIST
};

/* The nodes of a field. All NULL: it has no column. */
struct tn_field_nodes {
	struct tn_node *node;	/* NULL: a structure that was taken apart */
	struct tn_node *labels;	/* the labels of an enumeration or a bit map */
	struct tn_label_memo *memo;	/* TN_LABEL_MEMOS of them, by number */
	bool is_known;
	uint8_t how;		/* enum tn_field_how */
	uint8_t attribute;	/* the attribute that the field is, + 1 */
};

/* The attributes that are fields of contexts. */
enum { TN_SCHEMA_CPU, TN_SCHEMA_TID, TN_SCHEMA_PID, TN_SCHEMA_PROCESS, TN_SCHEMA_ATTRIBUTES };

static inline enum tn_running_part
tn_schema_part(size_t attribute)
{
	return attribute == TN_SCHEMA_PROCESS ? TN_RUNNING_NAME : attribute == TN_SCHEMA_PID ? TN_RUNNING_PID : TN_RUNNING_TID;
}

static inline const struct tn_field *
tn_field_content(const struct tn_field *f)
{
	while (f->type->kind == TN_KIND_OPTIONAL)
		f = &f->type->field[0];
	return f;
}

struct tn_load;

struct tn_class_code {
	const struct tn_op *op;
	const struct tn_load *load;	/* the same, as far as it is that simple */
};

/* The rows of an event class. */
struct tn_class_rows {
	const struct tn_field *field[TN_SCHEMA_ATTRIBUTES];	/* NULL: none */
	unsigned char scope[TN_SCHEMA_ATTRIBUTES];
	bool running[TN_SCHEMA_ATTRIBUTES];	/* attributes of the thread that ran on the processor */
	bool is_made;			/* the rest is known */
	bool is_direct;			/* codes can be run; else events are read */
	uint8_t context_bytes;		/* direct, and contexts are shared: size of the common context, */
	uint32_t context_align;		/* alignment of the context in bits */
	unsigned scopes;		/* the scopes to read */
	uint32_t row_bytes;		/* direct: of the values that every row has */
	struct tn_class_code code[4];	/* code of the existing contexts and of the payload; then NULL */
	size_t name_group;		/* number of the row group whose dictionary has the name, + 1, */
	uint32_t name_code;		/* the code of the name */
};

struct tn_trace_nodes {
	const struct tn_trace *trace;
	struct tn_field_nodes *of_field;	/* by its id */
	struct tn_class_rows *of_class;		/* by its index */
	size_t n_fields, n_classes;		/* their numbers; later fields and classes have no columns */
	const char *process;			/* the process in the environment; or NULL */
	bool has_pid;
	uint64_t pid;
};

struct tn_schema {
	struct tn_parquet *file;
	struct tn_arena arena;
	struct tn_hash by_name;		/* names of columns; value: a struct tn_same_name */
	struct tn_trace_nodes *trace;
	size_t n_traces;
	struct tn_trace_nodes **of_stream;	/* by rank */
	const char **host_of_stream;
	/* The first columns. NULL: no event has it. */
	struct tn_node *time, *time_ns, *cycles, *trace_path, *host, *stream, *packet, *name;
	struct tn_node *attribute[TN_SCHEMA_ATTRIBUTES];
	struct tn_str path;
	bool in_packet;		/* columns that are made are those of packets */
	bool shares_context;	/* columns of common contexts are those of packets */
	bool has_row_attributes;	/* attributes that are not a column of fields, and not of packets */
	const struct tn_running *running;	/* or NULL */
};

/*
 * Make the columns of the classes (NULL: of all). @running may be NULL; it is borrowed until the release. @without: the
 * first columns that are left out, NULL after the last; or NULL.
 */
enum tn_code
tn_schema_make(struct tn_schema *s, struct tn_parquet *file, const struct tn_set *set, const struct tn_event_class *const *classes,
	       size_t n, const char *const *without, const struct tn_running *running, struct tn_error *err);
/* Whether the machine can put the events of the class into columns. */
bool tn_schema_has_code(const struct tn_event_class *ec);
/* The columns of common contexts become those of events: too few events share one. Between two row groups. */
void tn_schema_part_context(struct tn_schema *s);
/* Fields of a class that has no columns: they go to columns of their names, if there are any. */
void tn_schema_meet(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *root, enum tn_scope scope);
void tn_schema_release(struct tn_schema *s);

#endif
