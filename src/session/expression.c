#include <config.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

static void
say_text(struct tn_str *out, const char *text, size_t n)
{
	tn_str_puts(out, "\"");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f)
			tn_str_printf(out, "\\x%02x", c);
		else
			tn_str_printf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	tn_str_puts(out, "\"");
}

char *
expression_text(const char *path, const char *text, size_t n)
{
	struct tn_str all = { 0 };

	tn_str_printf(&all, "%s == ", path);
	say_text(&all, text, n);
	if (!all.failed)
		return all.text;
	tn_str_release(&all);
	return NULL;
}

static void
say_value(struct tn_str *out, enum tn_group_unit unit, const struct tn_answer_value *v)
{
	bool is_text = v->kind == TN_ANSWER_TEXT;

	tn_str_puts(out, unit == TN_GROUP_TIME && !is_text ? "@" : "");
	if (is_text)
		say_text(out, v->text, v->n);
	else
		tn_answer_value_text(v, out);
	tn_str_puts(out, unit == TN_GROUP_DURATION && !is_text ? "ns" : "");
}

/* "A|B" means A, or B if there is no A. */
static void
say_key(struct tn_str *out, const char *name, enum tn_group_unit unit, const struct tn_answer_value *v)
{
	size_t n = strcspn(name, "|");
	bool either = name[n] != '\0' && *name != '`';

	if (v->kind == TN_ANSWER_NONE) {
		tn_str_printf(out, "not has(%.*s)", either ? (int)n : INT_MAX, name);
		if (either) {
			tn_str_puts(out, " and ");
			say_key(out, name + n + 1, unit, v);
		}
		return;
	}
	tn_str_printf(out, either ? "(%.*s == " : "%.*s == ", either ? (int)n : INT_MAX, name);
	say_value(out, unit, v);
	if (either) {
		tn_str_printf(out, " or not has(%.*s) and ", (int)n, name);
		say_key(out, name + n + 1, unit, v);
		tn_str_puts(out, ")");
	}
}

/* The name in "time/10ms", "ret/100" or "log2(ret)". */
static char *
name_in_steps(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (strncmp(name, "log2(", 5) == 0)
		return strndup(name + 5, strlen(name) - 6);
	return slash ? strndup(name, (size_t)(slash - name)) : strdup(name);
}

void
expression_key(struct tn_str *out, const char *name, bool has_steps, enum tn_group_unit unit, const struct tn_answer_value *v)
{
	char *plain = has_steps ? name_in_steps(name) : NULL;

	say_key(out, plain ? plain : name, unit, v);
	free(plain);
}

void
expression_step(struct tn_str *out, const char *key, enum tn_group_unit unit, const struct tn_answer_value *v,
		const struct tn_answer_value *from, const struct tn_answer_value *to)
{
	bool is_below = tn_answer_value_compare(v, from) != 0, is_alone = !is_below && tn_answer_value_compare(from, to) == 0;
	char *own = name_in_steps(key);
	const char *name = own ? own : key;

	tn_str_printf(out, "%s %s ", name, is_below ? ">" : is_alone ? "==" : ">=");
	say_value(out, unit, from);
	if (!is_alone) {
		tn_str_printf(out, " and %s %s ", name, is_below ? "<=" : "<");
		say_value(out, unit, to);
	}
	free(own);
}

char *
expression_not(char *condition)
{
	char *all;

	/* "and" and "or" may also be inside of a text. The parentheses are then not needed, but do no harm. */
	if (!condition || asprintf(&all, strstr(condition, " and ") || strstr(condition, " or ") ? "not (%s)" : "not %s",
				   condition) < 0)
		all = NULL;
	free(condition);
	return all;
}

char *
expression_or_without(char *condition, const char *path)
{
	char *all;

	/* All events have these attributes. */
	if (!condition || strcmp(path, "name") == 0 || strcmp(path, "stream") == 0)
		return condition;
	if (asprintf(&all, "%s or not has(%s)", condition, path) < 0)
		all = NULL;
	free(condition);
	return all;
}
