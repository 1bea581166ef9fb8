/*
 * path.h - the full paths of fields: "event.fields.list[3].`two words`"
 *
 * A path is the scope's (tn_scope_path()) and a step for each field on the way. Names that are no identifiers (CTF 2
 * allows any text) stand in backticks, with \` \\ \n \t \xNN inside; so no path has a control character in it. What
 * a variant or an optional holds has no step of its own. Details, CSV, messages of the language and completion write
 * paths with these functions, and all that takes one reads it with them.
 */
#ifndef TN_MODEL_PATH_H
#define TN_MODEL_PATH_H

#include "base/str.h"
#include "model/trace.h"

#define TN_PATH_EACH SIZE_MAX	/* the index of an element that means each: "[]" */

/* One name: as it is, or in backticks when it is no identifier. */
void tn_path_put_name(struct tn_str *out, const char *name);
/* What leads from the field that contains @field to it. */
void tn_path_put_step(struct tn_str *out, const struct tn_field *field, size_t index);
/* All of it, with "[]" for elements. */
void tn_path_put(struct tn_str *out, enum tn_scope scope, const struct tn_field *field);

/* How many bytes the name that begins at @text takes, its backticks included; 0: none begins here. */
size_t tn_path_name_length(const char *text);
/* The same in a path that is nothing else: a bare name ends where the next step begins. It is appended to @name. */
size_t tn_path_take_name(const char *text, struct tn_str *name);

/* The scope in the metadata of CTF 2: "packet-header", "event-record-payload" (CTF2-SPEC-2.0, 5.3.3). */
const char *tn_scope_origin(enum tn_scope scope);
/* What follows the name of @scope in a full path, in either form; NULL when it is of another scope. */
const char *tn_scope_behind(const char *path, enum tn_scope scope);
/*
 * The field that @path, below the root @field of a scope, begins at: the root, or what it was made for. *path
 * moves behind the name of the option that the root is.
 */
const struct tn_field *tn_root_enter(const struct tn_field *field, const char **path);

static inline bool
tn_path_is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

#endif
