/*
 * schema.h - the columns of events: from the fields of their classes to the nodes of a Parquet schema
 *
 * Structures at the top are taken apart, as in CSV: "event.fields.a.b" is a column. Inside lists they are groups. A
 * variant is a group with a member for each option, of which at most one is there.
 */
#ifndef TN_COLUMNS_SCHEMA_H
#define TN_COLUMNS_SCHEMA_H

#include "columns/parquet.h"
#include "model/decoder.h"

#define TN_LABEL_MEMOS 16

/* The text of the labels that a number had. */
struct tn_label_memo {
	uint64_t number;
	struct tn_label_text { size_t n; bool is_known; const char *bytes; } text;
};

/* The nodes of a field. All NULL: it has no column. */
struct tn_field_nodes {
	struct tn_node *node;	/* NULL: a structure that was taken apart */
	struct tn_node *labels;	/* of an enumeration, a bit map */
	struct tn_label_memo *memo;	/* TN_LABEL_MEMOS of them, by number */
	bool is_known;
};

/* The attributes that are fields of contexts. */
enum { TN_SCHEMA_CPU, TN_SCHEMA_TID, TN_SCHEMA_PID, TN_SCHEMA_PROCESS, TN_SCHEMA_ATTRIBUTES };

struct tn_class_attributes {
	const struct tn_event_class *event_class;
	const struct tn_field *field[TN_SCHEMA_ATTRIBUTES];	/* NULL: none */
	unsigned char scope[TN_SCHEMA_ATTRIBUTES];
};

struct tn_trace_nodes {
	const struct tn_trace *trace;
	struct tn_field_nodes *of_field;	/* by its id */
	struct tn_class_attributes **of_class;	/* by its index; NULL: it has no columns */
	const char *process;			/* of the environment; NULL */
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
	struct tn_error *err;
};

/* Make the columns of the classes (NULL: of all). @without: the first columns that are left out, NULL after the last; or NULL. */
enum tn_code
tn_schema_make(struct tn_schema *s, struct tn_parquet *file, const struct tn_set *set, const struct tn_event_class *const *classes,
	       size_t n, const char *const *without, struct tn_error *err);
/* Fields that came without a class that has them: they go to columns of their names, if there are any. */
void tn_schema_meet(struct tn_schema *s, struct tn_trace_nodes *t, const struct tn_field *root, enum tn_scope scope);
void tn_schema_release(struct tn_schema *s);

#endif
