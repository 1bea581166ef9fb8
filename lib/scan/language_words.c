/* language_words.c - the words that can be typed at the cursor in a condition: names, labels, values */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "model/functions.h"
#include "scan/filter.h"

#define SYMBOL "symbol("

struct offers {
	const char *typed;	/* the typed start of the word */
	size_t n;
	void (*each)(void *user, const char *word);
	void *user;
	struct tn_hash told;	/* values that were already offered */
	bool no_memory;
};

static bool
is_plain(const char *word)
{
	for (const char *c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && (unsigned char)*c < 0x80 &&
		    !((*c == ':' || *c == '-') && c > word && c[1]))
			return false;
	return *word && !isdigit((unsigned char)*word);
}

static void
offer(struct offers *o, const char *word)
{
	if (strncmp(word, o->typed, o->n) == 0)
		o->each(o->user, word);
}

/* Offer a text that the field can have; in quotes if it needs them, or if the user typed one. */
static void
offer_text(struct offers *o, const char *text)
{
	struct tn_str word = { 0 };
	bool quoted = !is_plain(text) || *o->typed == '"' || *o->typed == '\'';
	char quote = *o->typed == '\'' ? '\'' : '"';
	bool is_new = false;

	if (!tn_hash_add(&o->told, text, strlen(text), &is_new))
		o->no_memory = true;
	if (!is_new)
		return;
	if (quoted)
		tn_str_putc(&word, quote);
	for (const char *c = text; *c; c++) {
		if (quoted && (*c == quote || *c == '\\'))
			tn_str_putc(&word, '\\');
		if ((unsigned char)*c < ' ')
			tn_str_printf(&word, "\\x%02x", (unsigned char)*c);
		else
			tn_str_putc(&word, *c);
	}
	if (quoted)
		tn_str_putc(&word, quote);
	o->no_memory |= word.failed;
	if (!word.failed)
		offer(o, tn_str_text(&word));
	tn_str_release(&word);
}

static void
offer_labels(struct offers *o, const struct tn_type *t)
{
	for (size_t i = 0; i < t->n_mappings; i++)
		offer_text(o, t->mapping[i].label);
	if (t->kind == TN_KIND_BOOL) {
		offer(o, "true");
		offer(o, "false");
	}
	if (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL)
		for (size_t i = 0; i < t->n_fields; i++)
			offer_labels(o, t->field[i].type);
}

static void
offer_values(struct offers *o, const struct tn_set *set, const struct tn_names *names, const struct tn_meaning *meaning)
{
	switch (meaning->attribute) {
	case TN_ATTRIBUTE_NONE:
		for (size_t i = 0; i < meaning->n_targets; i++)
			offer_labels(o, meaning->target[i].field->type);
		return;
	case TN_ATTRIBUTE_NAME:
		for (size_t i = 0; i < tn_names_class_count(names); i++)
			if (tn_names_event_class(names, i)->name)
				offer_text(o, tn_names_event_class(names, i)->name);
		return;
	case TN_ATTRIBUTE_LOG_LEVEL:
		for (int level = 0; tn_log_level_name(level); level++)
			offer(o, tn_log_level_name(level));
		return;
	case TN_ATTRIBUTE_STREAM:
		for (size_t i = 0; i < set->n_streams; i++)
			if (set->stream[i]->name)
				offer_text(o, set->stream[i]->name);
		return;
	case TN_ATTRIBUTE_TRACE:
		for (size_t i = 0; i < set->n_traces; i++)
			offer_text(o, set->trace[i]->path);
		return;
	default:
		return;
	}
}

/* Offer the names of functions. */
static enum tn_code
offer_functions(struct offers *o, const struct tn_set *set, struct tn_error *err)
{
	const struct tn_functions *all;
	enum tn_code rc = set->functions.read ? set->functions.read(&set->functions, &all, err) : TN_END;

	if (rc != TN_OK)
		return rc;
	for (size_t i = 0; i < all->image.n; i++)
		for (size_t k = 0; k < all->image.item[i].n; k++) {
			const char *name = all->image.item[i].function[k].name;
			size_t quote = *o->typed == '"';

			if (strncmp(name, o->typed + quote, o->n - quote) == 0)
				offer_text(o, name);
		}
	return TN_OK;
}

/* ---- the place of the cursor ---- */

static bool
is_name_byte(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_$.[]*", c)) || (unsigned char)c >= 0x80;
}

static const char *
back_over_blanks(const char *text, const char *at)
{
	while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at;
}

/* The place after the quote or backtick that ends the text at @c. NULL: the text is still open at @at. */
static const char *
after_quoted(const char *c, const char *at)
{
	char quote = *c;

	for (c++; c < at; c++)
		if (*c == '\\' && c + 1 < at)
			c++;
		else if (*c == quote)
			return c + 1;
	return NULL;
}

/* The start of the word that ends at @at: a name, a value, or a string without its closing quote. */
static const char *
word_begin(const char *text, const char *at, bool value)
{
	const char *begin = NULL, *end;

	for (const char *c = text; c < at; c = end) {
		end = c + 1;
		if (*c == '"' || *c == '\'' || *c == '`') {
			end = after_quoted(c, at);
			begin = *c != '`' ? NULL : begin ? begin : c;
			if (!end)
				return begin ? begin : c;
		} else if (is_name_byte(*c) || (value && strchr(":-", *c))) {
			begin = begin ? begin : c;
		} else {
			begin = NULL;
		}
	}
	return begin ? begin : at;
}

/* The name that is compared at @at, after an operator or inside of a list. NULL: none, or memory is out (*no_memory). */
static char *
compared_name(const char *text, const char *at, bool *no_memory)
{
	const char *end;
	char *name;

	at = back_over_blanks(text, at);
	if (at > text && (at[-1] == ',' || at[-1] == '(')) {	/* a list such as in (a, */
		while (at > text && at[-1] != '(' && at[-1] != ')')
			at--;
		if (at == text || at[-1] != '(')
			return NULL;
		at = back_over_blanks(text, at - 1);
		if (at - text < 3 || memcmp(at - 2, "in", 2) != 0 || is_name_byte(at[-3]))
			return NULL;
		at = back_over_blanks(text, at - 2);
		if (at - text > 4 && memcmp(at - 3, "not", 3) == 0 && !is_name_byte(at[-4]))
			at = back_over_blanks(text, at - 3);
	} else {
		if (at == text || !strchr("=<>", at[-1]))
			return NULL;
		while (at > text && strchr("=<>!", at[-1]))
			at--;
		at = back_over_blanks(text, at);
	}
	end = at;
	if (at > text && at[-1] == ')') {	/* a function such as symbol(ip) */
		while (at > text && at[-1] != '(')
			at--;
		at = at - text > 6 && memcmp(at - 7, SYMBOL, sizeof SYMBOL - 1) == 0 ? at - 7 : end;
	} else {
		at = word_begin(text, end, false);
	}
	if (at == end)
		return NULL;
	name = strndup(at, (size_t)(end - at));
	*no_memory |= !name;
	return name;
}

enum tn_code
tn_filter_complete(struct tn_filter *filter, const char *text, size_t at, size_t *begin,
		   void (*each)(void *user, const char *word), void *user, struct tn_error *err)
{
	static const char *const words[] = { "and", "or", "not", "in", "has(", SYMBOL };
	struct offers o = { .each = each, .user = user };
	const struct tn_names *names;
	struct tn_arena arena = { 0 };
	struct tn_meaning meaning;
	struct tn_error why = { .code = TN_OK };
	const char *word;
	char *name, *typed;
	enum tn_code rc;

	if (!filter || !text || !begin || !each || at > strlen(text))
		return tn_fail_null(err);
	rc = tn_filter_names(filter, &names, err);
	if (rc < 0)
		return rc;
	word = word_begin(text, text + at, true);
	name = compared_name(text, word, &o.no_memory);
	if (!name)
		word = word_begin(text, text + at, false);
	*begin = (size_t)(word - text);
	o.typed = typed = strndup(word, (size_t)(text + at - word));
	o.n = typed ? strlen(typed) : 0;
	if (!typed) {
		free(name);
		return tn_fail_memory(err);
	}
	if (name && strncmp(name, SYMBOL, sizeof SYMBOL - 1) == 0) {
		rc = offer_functions(&o, tn_filter_set(filter), err);
	} else if (name) {
		if (tn_names_resolve(names, &arena, name, NULL, &meaning, &why) == TN_OK)
			offer_values(&o, tn_filter_set(filter), names, &meaning);
		o.no_memory |= why.code == TN_ERR_MEMORY;
	} else if (!o.no_memory) {
		o.no_memory = !tn_names_each(names, typed, each, user);
		for (size_t i = 0; o.n && i < TN_COUNT(words); i++)
			offer(&o, words[i]);
	}
	tn_hash_release(&o.told);
	tn_arena_release(&arena);
	free(typed);
	free(name);
	return rc < 0 ? rc : o.no_memory ? tn_fail_memory(err) : TN_OK;
}

bool
tn_condition_compared(const char *text, size_t at, char *name, size_t size)
{
	char *compared;
	bool fits, no_memory = false;

	if (!text || !name || !size || at > strlen(text))
		return false;
	compared = compared_name(text, word_begin(text, text + at, true), &no_memory);
	fits = compared && strlen(compared) < size;
	strcpy(name, fits ? compared : "");
	free(compared);
	return fits;
}
