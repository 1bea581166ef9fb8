/* private.h - shared by the files of lib/vartrace */
#ifndef TN_VARTRACE_PRIVATE_H
#define TN_VARTRACE_PRIVATE_H

#include "model/decoder.h"
#include "vartrace/record.h"

#define TN_VT_TYPES 16		/* ids below this may be arrays */
#define TN_VT_REST 256		/* event class of the rest of a subtrace; those before it are message ids */

/*
 * The value of a record can have many types, which only the record shows. One field for each shape, all under
 * one name, is made when the dump is opened; values point to the one that fits.
 */
struct tn_vt_trace {
	struct tn_field *payload;	/* type, value, warning */
	struct tn_field *type, *value, *warning;	/* fields of the payload; `value` is a variant of the fields below */
	struct tn_field *scalar[TN_VT_TYPES], *array[TN_VT_TYPES];	/* one field for each type id; NULL: none */
	struct tn_field *text, *bytes, *subtrace;
	struct tn_field *member;	/* an element of a subtrace: message, type, value, warning */
	struct tn_field *member_id, *member_type, *member_warning;
	struct tn_field *header;	/* the event header: time, size, id, type */
	const char *type_name[256];
};

/* stream->own */
struct tn_vt_stream {
	struct tn_vt_dump dump;
	struct tn_vt_start start;
};

enum tn_code tn_vt_build(struct tn_trace *trace, struct tn_error *err);
enum tn_code tn_vt_read(const struct tn_batch *batch, size_t i, unsigned scopes, struct tn_event *out,
			struct tn_error *err);

#endif
