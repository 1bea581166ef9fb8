/*
 * schema.h - the columns of events: from the fields of their classes to the nodes of a Parquet schema
 *
 * As in CSV, each member of an outer structure has a column: "event.fields.a.b". Structures in lists are groups. A
 * variant is a group with a member for each option, of which at most one is present.
 */
#ifndef TN_COLUMNS_SCHEMA_H
#define TN_COLUMNS_SCHEMA_H

#include "columns/parquet.h"
#include "language/running.h"
#include "model/decoder.h"

#define TN_LABEL_MEMOS 16
#define TN_CONTEXT_BYTES 64	/* largest common context that events share */

/* The text of a number's labels, cached. */
struct tn_label_memo {
	uint64_t number;
	struct tn_label_text { size_t n; bool is_known; const char *bytes; } text;
};

/* How the values of a field become values of its nodes. */
enum tn_field_how {
	TN_HOW_NEW,		/* not known yet */
	TN_HOW_NONE,		/* no column: the field is left out, or is a structure whose members have columns */
	TN_HOW_INTEGER,		/* only one column of integers */
	TN_HOW_TEXT,		/* only one column of texts */
	TN_HOW_FLOAT,		/* only one column of floats */
	TN_HOW_ELEMENT,		/* only one column, for integers that are elements of a list */
	TN_HOW_LEAF, TN_HOW_LABELS, TN_HOW_GROUP, TN_HOW_LIST
};

/* The nodes of a field; all are NULL if it has no column. */
struct tn_field_nodes {
	struct tn_node *node;	/* NULL: the field is a structure whose members have columns */
	struct tn_node *labels;	/* labels of an enumeration or a bit map */
	struct tn_label_memo *memo;	/* cache of TN_LABEL_MEMOS texts, by number */
	bool is_known;
	uint8_t how;		/* enum tn_field_how */
	uint8_t attribute;	/* number of the attribute that the field is, plus 1 */
};

/* The attributes that can be fields of contexts. */
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
	const struct tn_load *load;	/* the same as loads, as far as loads suffice */
};

/* The data for rows of an event class. */
struct tn_class_rows {
	const struct tn_field *field[TN_SCHEMA_ATTRIBUTES];	/* the field of each attribute; NULL: none */
	unsigned char scope[TN_SCHEMA_ATTRIBUTES];
	bool running[TN_SCHEMA_ATTRIBUTES];	/* attributes of the thread that ran on the processor */
	bool is_made;			/* the following members are set */
	bool is_direct;			/* the machine runs the codes; otherwise events are decoded to values */
	uint8_t context_bytes;		/* if direct and contexts are shared: size of the common context */
	uint32_t context_align;		/* alignment of the context in bits */
	unsigned scopes;		/* scopes to read */
	uint32_t row_bytes;		/* if direct: size of the values that each row has */
	struct tn_class_code code[4];	/* code of the existing contexts and of the payload; NULL ends the list */
	size_t name_group;		/* number of the row group whose dictionary has the name, plus 1 */
	uint32_t name_code;		/* code of the name */
};

struct tn_trace_nodes {
	const struct tn_trace *trace;
	struct tn_field_nodes *of_field;	/* by tn_field.id */
	struct tn_class_rows *of_class;		/* by index of the class */
	size_t n_fields, n_classes;		/* numbers of fields and classes; later ones do not have columns */
	const char *process;			/* name of the process in the environment; or NULL */
	bool has_pid;
	uint64_t pid;
};

struct tn_schema {
	struct tn_parquet *file;
	struct tn_arena arena;
	struct tn_hash by_name;		/* the value is a struct tn_same_name */
	struct tn_trace_nodes *trace;
	size_t n_traces;
	struct tn_trace_nodes **of_stream;	/* for each stream, by rank */
	const char **host_of_stream;
	/* The first columns; NULL: no event has the column. */
	struct tn_node *time, *time_ns, *cycles, *trace_path, *host, *stream, *packet, *name;
	struct tn_node *attribute[TN_SCHEMA_ATTRIBUTES];
	struct tn_str path;
	bool in_packet;		/* new columns are columns of packets */
	bool shares_context;	/* columns of common contexts are columns of packets */
	bool has_row_attributes;	/* some attributes are found for each row */
	const struct tn_running *running;	/* NULL is allowed */
};

/*
 * Make the columns of the classes (NULL: of all classes). @running may be NULL, and is borrowed until the release.
 * @without: names of the first columns to leave out, ended by NULL; or NULL.
 */
enum tn_code
tn_schema_make(struct tn_schema *s, struct tn_parquet *file, const struct tn_set *set, const struct tn_event_class *const *classes,
	       size_t n, const char *const *without, const struct tn_running *running, struct tn_error *err);
/* Whether the machine can put the events of the class into columns. */
bool tn_schema_has_code(const struct tn_event_class *ec);
/*
 * Make the columns of common contexts columns of events, because too few events share a context. Only between two row
 * groups.
 */
void tn_schema_part_context(struct tn_schema *s);
/* Add a class that has no columns: its fields use columns with their names, if there are any. */
void tn_schema_meet(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *root, enum tn_scope scope);
void tn_schema_release(struct tn_schema *s);

#endif
