/*
 * path.h - the full paths of fields: "event.fields.list[3].`two words`"
 *
 * A path is the scope's (tn_scope_path()) and a step for each field. Names that are not identifiers (CTF 2
 * allows any text) are in backticks, with \` \\ \n \t \xNN inside; so a path never has a control character. The
 * content of a variant or an optional does not have a step of its own. Details, CSV, messages of the language
 * and completion write paths with these functions, and all readers of paths use them too.
 */
#ifndef TN_MODEL_PATH_H
#define TN_MODEL_PATH_H

#include "base/str.h"
#include "model/trace.h"

#define TN_PATH_EACH SIZE_MAX	/* the index of an element that means each: "[]" */

/* Append a name: as it is, or in backticks if it is not an identifier. */
void tn_path_put_name(struct tn_str *out, const char *name);
/* Append the step from the field that contains @field to @field. */
void tn_path_put_step(struct tn_str *out, const struct tn_field *field, size_t index);
/* Append a full path, with "[]" for elements. */
void tn_path_put(struct tn_str *out, enum tn_scope scope, const struct tn_field *field);

/* Length of the name that begins at @text, with its backticks; 0: no name begins here. */
size_t tn_path_name_length(const char *text);
/*
 * Like tn_path_name_length(), in a path without other text: a bare name ends where the next step begins. The name is
 * appended to @name.
 */
size_t tn_path_take_name(const char *text, struct tn_str *name);

/*
 * The blank before the first such word in [@text, @end) that is outside of names in backticks, of quoted text, of
 * regular expressions after `~` and of parentheses; NULL: none.
 */
const char *tn_path_find_word(const char *text, const char *end, const char *word);
/* Whether the text has this name outside of the places that tn_path_find_word() skips, not as a member ("a.name"). */
bool tn_path_has_name(const char *text, const char *name);

/* The scope in the metadata of CTF 2: "packet-header", "event-record-payload" (CTF2-SPEC-2.0, 5.3.3). */
const char *tn_scope_origin(enum tn_scope scope);
/* The rest of a full path after the name of @scope, in either form; NULL: the path is of another scope. */
const char *tn_scope_rest(const char *path, enum tn_scope scope);
/*
 * The field at which @path, below the root @field of a scope, begins: the root, or the structure that the root
 * was made for. *path moves past the name of the option that the root is.
 */
const struct tn_field *tn_root_enter(const struct tn_field *field, const char **path);

static inline bool
tn_path_is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

#endif
