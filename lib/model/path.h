/*
 * path.h - the full paths of fields: "event.fields.list[3].`two words`"
 *
 * A path consists of the path of the scope (tn_scope_path()) and a step for each field. A name that is not an
 * identifier (CTF 2 allows any text) is in backticks, with \` \\ \n \t \xNN inside; so a path never contains a
 * control character. The content of a variant or an optional does not have a step. All code that writes or reads
 * paths uses these functions: details, CSV, messages of the language, completion.
 */
#ifndef TN_MODEL_PATH_H
#define TN_MODEL_PATH_H

#include "base/str.h"
#include "model/trace.h"

#define TN_PATH_EACH SIZE_MAX	/* as an index: all elements, written "[]" */

/* Append a name, in backticks if it is not an identifier. */
void tn_path_put_name(struct tn_str *out, const char *name);
/* Append the step from the field that contains @field to @field. */
void tn_path_put_step(struct tn_str *out, const struct tn_field *field, size_t index);
/* Append a full path, with "[]" for elements. */
void tn_path_put(struct tn_str *out, enum tn_scope scope, const struct tn_field *field);

/* Length of the name that begins at @text, with its backticks; 0: no name begins here. */
size_t tn_path_name_length(const char *text);
/*
 * Like tn_path_name_length(), in a text that is only a path: a name without backticks ends where the next step
 * begins. Appends the name to @name.
 */
size_t tn_path_take_name(const char *text, struct tn_str *name);

/*
 * The blank before the first occurrence of the word in [@text, @end) that is outside of names in backticks, quoted
 * text, regular expressions after `~`, and parentheses; NULL: none.
 */
const char *tn_path_find_word(const char *text, const char *end, const char *word);
/*
 * Whether the text contains the name, not as a member ("a.name"), outside of the places that tn_path_find_word()
 * skips.
 */
bool tn_path_has_name(const char *text, const char *name);

/* The name of a scope in the metadata of CTF 2, such as "packet-header" (CTF2-SPEC-2.0, 5.3.3). */
const char *tn_scope_origin(enum tn_scope scope);
/*
 * The part of a full path after the name of @scope, which may be the path's or the metadata's name; NULL: the path is
 * in another scope.
 */
const char *tn_scope_rest(const char *path, enum tn_scope scope);
/*
 * The field where @path begins, below the root @field of a scope: the root, or the structure that was made for the
 * root. If the root is an option, *path moves past the option's name.
 */
const struct tn_field *tn_root_enter(const struct tn_field *field, const char **path);

static inline bool
tn_path_is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

#endif
