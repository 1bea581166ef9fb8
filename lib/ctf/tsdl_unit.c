#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/metadata.h"
#include "ctf/tsdl_ast.h"

#define QUOTED 60	/* limit of bytes of the text in a message */

static const char *const keywords[TSDL_N_KEYWORDS] = {
	[TSDL_CONST] = "const", [TSDL_VOID] = "void", [TSDL_CHAR] = "char", [TSDL_SHORT] = "short",
	[TSDL_INT] = "int", [TSDL_LONG] = "long", [TSDL_FLOAT] = "float", [TSDL_DOUBLE] = "double",
	[TSDL_SIGNED] = "signed", [TSDL_UNSIGNED] = "unsigned", [TSDL_BOOL] = "_Bool", [TSDL_COMPLEX] = "_Complex",
	[TSDL_IMAGINARY] = "_Imaginary", [TSDL_STRUCT] = "struct", [TSDL_ENUM] = "enum", [TSDL_VARIANT] = "variant",
	[TSDL_INTEGER] = "integer", [TSDL_FLOATING_POINT] = "floating_point", [TSDL_STRING] = "string",
	[TSDL_TYPEDEF] = "typedef", [TSDL_TYPEALIAS] = "typealias", [TSDL_TRACE] = "trace", [TSDL_ENV] = "env",
	[TSDL_CLOCK] = "clock", [TSDL_STREAM] = "stream", [TSDL_EVENT] = "event", [TSDL_CALLSITE] = "callsite",
	[TSDL_ALIGN] = "align",
};

/* ---- words ---- */

struct tsdl_word *
tn_tsdl_word(struct tsdl_unit *u, const char *text, size_t n)
{
	struct tn_hash_item *item = tn_hash_find(&u->words, text, n);
	struct tsdl_word *w;

	if (item)
		return item->pointer;
	w = TN_NEW(&u->arena, struct tsdl_word);
	if (!w || !(w->text = tn_arena_copy(&u->trace->arena, text, n)) ||
	    !(item = tn_hash_add(&u->words, w->text, n, NULL))) {
		tn_tsdl_fail_memory(u);
		return NULL;
	}
	w->n = (uint32_t)n;
	item->pointer = w;
	return w;
}

const char *
tn_tsdl_value_text(struct tsdl_unit *u, const struct tsdl_value *v)
{
	char *s;

	if (v->kind == TSDL_VALUE_STRING)
		return v->string;
	if (v->kind == TSDL_VALUE_PATH && v->path.n == 1)
		return v->path.word[0]->text;
	s = tn_arena_copy(&u->trace->arena, u->text + v->place.at, v->place.n);
	if (!s)
		tn_tsdl_fail_memory(u);
	return s;
}

/* ---- contents of event blocks ---- */

bool
tn_tsdl_bundle_enter(struct tsdl_unit *u, struct tsdl_block *block)
{
	struct tsdl_bundle *b = u->bundle;

	if (!b || block->place.at - b->at > TSDL_BUNDLE) {
		if (!(b = TN_NEW(&u->arena, struct tsdl_bundle)))
			return tn_tsdl_fail_memory(u);
		*b = (struct tsdl_bundle) { .at = block->place.at, .next = u->bundle };
		u->bundle = b;
	}
	b->n_blocks++;
	block->bundle = b;
	u->nodes = &b->arena;
	return true;
}

void
tn_tsdl_bundle_leave(struct tsdl_unit *u)
{
	u->nodes = &u->arena;
}

void
tn_tsdl_bundle_done(struct tsdl_block *block)
{
	if (--block->bundle->n_blocks == 0)
		tn_arena_release(&block->bundle->arena);
	block->bundle = NULL;
	block->entry = NULL;
}

bool
tn_tsdl_unit_init(struct tsdl_unit *u)
{
	u->nodes = &u->arena;
	u->block_end = &u->block;
	u->declaration_end = &u->declaration;
	for (int i = TSDL_NO_KEYWORD + 1; i < TSDL_N_KEYWORDS; i++) {
		struct tsdl_word *w = tn_tsdl_word(u, keywords[i], strlen(keywords[i]));

		if (!w)
			return false;
		w->keyword = (enum tsdl_keyword)i;
	}
	return true;
}

void
tn_tsdl_unit_release(struct tsdl_unit *u)
{
	tn_hash_release(&u->words);
	tn_names_once_release(&u->env.names);
	TN_ARRAY_RELEASE(&u->env.entry);
	TN_ARRAY_RELEASE(&u->env.place);
	free(u->lines);
	tn_str_release(&u->unescaped);
	for (struct tsdl_bundle *b = u->bundle; b; b = b->next)
		tn_arena_release(&b->arena);
	tn_arena_release(&u->arena);
}

/* ---- places ---- */

/* The line of @to; @line must be the line of @from. */
static struct tsdl_line
go_on(const struct tsdl_unit *u, struct tsdl_line line, size_t from, size_t to)
{
	const char *p = u->text + from, *end = u->text + to;

	while ((p = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL)) {
		line.number++;
		line.at = (uint32_t)(++p - u->text);
	}
	return line;
}

static bool
find_lines(struct tsdl_unit *u)
{
	size_t n = u->n / TSDL_LINES + 1;

	if (!(u->lines = calloc(n, sizeof *u->lines)))
		return false;
	for (size_t i = 1; i < n; i++)
		u->lines[i] = go_on(u, u->lines[i - 1], (i - 1) * TSDL_LINES, i * TSDL_LINES);
	return true;
}

/* Write "LINE:COLUMN: `text`". Both count from 1, and columns count bytes. */
static void
describe(struct tsdl_unit *u, struct tsdl_place place, char *out, size_t size)
{
	size_t n = 0, at = 0, begin = place.at / TSDL_LINES;
	char quoted[QUOTED + 8];
	struct tsdl_line line;

	if (!u->lines && !find_lines(u)) {
		snprintf(out, size, _("byte %u"), (unsigned)place.at);
		return;
	}
	line = go_on(u, u->lines[begin], begin * TSDL_LINES, place.at);
	for (; n < place.n && at < QUOTED && u->text[place.at + n] != '\n'; n++) {
		unsigned char c = (unsigned char)u->text[place.at + n];

		if (c == '\t' || (c >= ' ' && c <= '~'))
			quoted[at++] = c == '\t' ? ' ' : (char)c;
		else
			at += (size_t)snprintf(quoted + at, 5, "\\x%02x", c);
	}
	strcpy(quoted + at, n < place.n ? "..." : "");
	snprintf(out, size, place.n ? "%zu:%u: `%s`" : _("%zu:%u: end of the text"), (size_t)line.number + 1,
		 (unsigned)(place.at - line.at + 1), quoted);
}

bool
tn_tsdl_fail(struct tsdl_unit *u, struct tsdl_place place, const char *format, ...)
{
	char where[QUOTED + 64], why[TN_ERROR_SIZE / 2];
	struct tn_str path = { 0 };
	va_list ap;

	if (u->code < 0)
		return false;
	va_start(ap, format);
	vsnprintf(why, sizeof why, _(format), ap);
	va_end(ap);
	describe(u, place, where, sizeof where);
	tn_ctf_metadata_path(u->trace, &path);
	u->code = tn_fail(u->err, TN_ERR_FORMAT, "%s:%s: %s", tn_str_text(&path), where, why);
	tn_str_release(&path);
	return false;
}

bool
tn_tsdl_fail_memory(struct tsdl_unit *u)
{
	if (u->code >= 0)
		u->code = tn_fail_memory(u->err);
	return false;
}

void
tn_tsdl_tell(struct tsdl_unit *u, enum tn_severity severity, struct tsdl_place place, const char *format, ...)
{
	char where[QUOTED + 64], why[TN_ERROR_SIZE / 2];
	struct tn_str path = { 0 };
	va_list ap;

	if (!u->trace->problems.fn)
		return;
	va_start(ap, format);
	vsnprintf(why, sizeof why, _(format), ap);
	va_end(ap);
	describe(u, place, where, sizeof where);
	tn_ctf_metadata_path(u->trace, &path);
	tn_tell(&u->trace->problems, severity, "%s:%s: %s", tn_str_text(&path), where, why);
	tn_str_release(&path);
}
