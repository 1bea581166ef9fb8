#include "model/decoder.h"
#include "model/path.h"

#include <ctype.h>
#include <stdio.h>

/* ---- scopes ---- */

const char *
tn_scope_name(enum tn_scope scope)
{
	static const char *const names[TN_SCOPES] = {
		"trace.packet.header", "stream.packet.context", "stream.event.header",
		"stream.event.context", "event.context", "event.fields",
	};

	return (unsigned)scope < TN_SCOPES ? names[scope] : "unknown";
}

const char *
tn_scope_path(enum tn_scope scope)
{
	static const char *const paths[TN_SCOPES] = {
		"packet.header", "packet.context", "event.header", "event.context", "event.context", "event.fields",
	};

	return (unsigned)scope < TN_SCOPES ? paths[scope] : "unknown";
}

const char *
tn_scope_origin(enum tn_scope scope)
{
	static const char *const origins[TN_SCOPES] = {
		"packet-header", "packet-context", "event-record-header", "event-record-common-context",
		"event-record-specific-context", "event-record-payload",
	};

	return origins[scope];
}

/* ---- writing ---- */

static bool
is_plain(const char *name)
{
	if (!*name || (*name >= '0' && *name <= '9'))
		return false;
	while (tn_path_is_name_byte(*name))
		name++;
	return !*name;
}

void
tn_path_put_name(struct tn_str *out, const char *name)
{
	if (is_plain(name)) {
		tn_str_puts(out, name);
		return;
	}
	tn_str_putc(out, '`');
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c == '`' || c == '\\')
			tn_str_putc(out, '\\');
		if (c == '\n')
			tn_str_puts(out, "\\n");
		else if (c == '\t')
			tn_str_puts(out, "\\t");
		else if (c < ' ' || c == 0x7f)
			tn_str_printf(out, "\\x%02x", c);
		else
			tn_str_putc(out, *name);
	}
	tn_str_putc(out, '`');
}

void
tn_path_put_step(struct tn_str *out, const struct tn_field *field, size_t index)
{
	if (!field->parent)
		return;
	switch (field->parent->type->kind) {
	case TN_KIND_ARRAY:
		if (index == TN_PATH_EACH)
			tn_str_puts(out, "[]");
		else
			tn_str_printf(out, "[%zu]", index);
		break;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		break;
	default:
		tn_str_putc(out, '.');
		tn_path_put_name(out, field->label);
	}
}

void
tn_path_put(struct tn_str *out, enum tn_scope scope, const struct tn_field *field)
{
	if (field->parent) {
		tn_path_put(out, scope, field->parent);
		tn_path_put_step(out, field, TN_PATH_EACH);
	} else {
		tn_str_puts(out, tn_scope_path(scope));
	}
}

size_t
tn_field_step(const struct tn_field *field, size_t index, char *buf, size_t size)
{
	struct tn_str s = { 0 };
	size_t n;

	if (!field || !buf || !size)
		return 0;
	tn_path_put_step(&s, field, index);
	n = s.n;
	snprintf(buf, size, "%s", tn_str_text(&s));
	tn_str_release(&s);
	return n;
}

/* ---- reading ---- */

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Find the text after the backtick that ends the name at @at; NULL: the backtick is missing. @name may be NULL. */
static const char *
take_quoted(const char *at, struct tn_str *name)
{
	for (at++; *at && *at != '`'; at++) {
		char c = *at;

		if (c == '\\' && at[1]) {
			c = *++at;
			if (c == 'n') {
				c = '\n';
			} else if (c == 't') {
				c = '\t';
			} else if (c == 'x' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
				c = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
				at += 2;
			}
		}
		if (name && c)
			tn_str_putc(name, c);
	}
	return *at ? at + 1 : NULL;
}

size_t
tn_path_take_name(const char *text, struct tn_str *name)
{
	size_t n = strcspn(text, ".[");

	if (*text == '`') {
		const char *end = take_quoted(text, name);

		return end ? (size_t)(end - text) : 0;
	}
	tn_str_add(name, text, n);
	return n;
}

size_t
tn_path_name_length(const char *text)
{
	const char *end = text;

	if (*text == '`') {
		end = take_quoted(text, NULL);
		return end ? (size_t)(end - text) : 0;
	}
	while (tn_path_is_name_byte(*end))
		end++;
	return (size_t)(end - text);
}

/* The state of a reader of conditions: the open quote, and the last character that is not a blank. */
struct reading {
	char quote, last;
};

/* Whether *at is outside of texts, names in backticks and regular expressions. *at moves past an escaped character. */
static bool
is_outside(struct reading *r, const char **at, const char *end)
{
	char c = **at;
	bool begins = !r->quote && (c == '"' || c == '\'' || c == '`' || (c == '/' && r->last == '~')), was_quoted = r->quote;

	if (begins)
		r->quote = c;
	else if (r->quote && c == '\\' && *at + 1 < end)
		(*at)++;
	else if (c == r->quote)
		r->quote = '\0';
	r->last = isspace((unsigned char)**at) ? r->last : **at;
	return !begins && !was_quoted;
}

const char *
tn_path_find_word(const char *text, const char *end, const char *word)
{
	struct reading r = { 0 };
	size_t n = strlen(word);
	int depth = 0;

	for (; text < end; text++) {
		if (!is_outside(&r, &text, end))
			continue;
		if (!depth && isspace((unsigned char)*text) && strncmp(text + 1, word, n) == 0 &&
		    (text + 1 + n == end || isspace((unsigned char)text[n + 1])))
			return text;
		depth += *text == '(' ? 1 : *text == ')' && depth ? -1 : 0;
	}
	return NULL;
}

bool
tn_path_has_name(const char *text, const char *name)
{
	const char *end = text + strlen(text), *begin = text;
	struct reading r = { 0 };
	size_t n = strlen(name);

	for (; text < end; text++)
		if (is_outside(&r, &text, end) && strncmp(text, name, n) == 0 && !tn_path_is_name_byte(text[n]) &&
		    (text == begin || (text[-1] != '.' && !tn_path_is_name_byte(text[-1]))))
			return true;
	return false;
}
