/*
 * format.c - format texts line by line: name, ID, fields, print fmt
 */
#include "ftrace/format.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"

#define MOST_FIELDS 1024
#define MOST_BYTES 65536	/* size of the largest record, and range of __data_loc */

struct text {
	const char *p;
	size_t n;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct text
trim(struct text t)
{
	while (t.n && is_blank(*t.p))
		t.p++, t.n--;
	while (t.n && is_blank(t.p[t.n - 1]))
		t.n--;
	return t;
}

static bool
begins(struct text t, const char *with)
{
	size_t n = strlen(with);

	return t.n >= n && memcmp(t.p, with, n) == 0;
}

static bool
is(struct text t, const char *word)
{
	return t.n == strlen(word) && memcmp(t.p, word, t.n) == 0;
}

static struct text
after(struct text t, size_t n)
{
	return trim((struct text) { t.p + n, t.n - n });
}

/* Split the part before the first @c off @t. False: @t does not contain @c, and is unchanged. */
static bool
split(struct text *t, char c, struct text *before)
{
	const char *at = t->n ? memchr(t->p, c, t->n) : NULL;

	if (!at)
		return false;
	*before = (struct text) { t->p, (size_t)(at - t->p) };
	t->n -= before->n + 1;
	t->p = at + 1;
	return true;
}

static bool
number(struct text t, uint64_t *out)
{
	t = trim(t);
	*out = 0;
	for (size_t i = 0; i < t.n; i++)
		if (t.p[i] < '0' || t.p[i] > '9' || __builtin_mul_overflow(*out, UINT64_C(10), out) ||
		    __builtin_add_overflow(*out, (uint64_t)(t.p[i] - '0'), out))
			return false;
	return t.n > 0;
}

/* The value of "key:NUMBER;" in the line; false: not found. */
static bool
keyed(struct text line, const char *key, uint64_t *out)
{
	struct text part;

	while (split(&line, ';', &part)) {
		part = trim(part);
		if (begins(part, key))
			return number(after(part, strlen(key)), out);
	}
	return false;
}

/* ---- declarations ---- */

static bool
is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

/* The size of an element in bytes, by the name of its type; 0: unknown. */
static unsigned
width_of(struct text type, unsigned long_size)
{
	static const struct { const char *name; unsigned size; } known[] = {
		{ "char", 1 }, { "bool", 1 }, { "u8", 1 }, { "s8", 1 }, { "__u8", 1 }, { "__s8", 1 }, { "uint8_t", 1 },
		{ "int8_t", 1 }, { "u_char", 1 }, { "short", 2 }, { "u16", 2 }, { "s16", 2 }, { "__u16", 2 }, { "__s16", 2 },
		{ "__le16", 2 }, { "__be16", 2 }, { "uint16_t", 2 }, { "int16_t", 2 }, { "int", 4 }, { "unsigned", 4 },
		{ "u32", 4 }, { "s32", 4 }, { "__u32", 4 }, { "__s32", 4 }, { "__le32", 4 }, { "__be32", 4 }, { "uint32_t", 4 },
		{ "int32_t", 4 }, { "pid_t", 4 }, { "u64", 8 }, { "s64", 8 }, { "__u64", 8 }, { "__s64", 8 }, { "__le64", 8 },
		{ "__be64", 8 }, { "uint64_t", 8 }, { "int64_t", 8 },
	};
	struct text word = type, first;
	bool two_longs = false, is_long = false;

	if (type.n && type.p[type.n - 1] == '*')
		return long_size;
	while (word.n) {
		if (!split(&word, ' ', &first)) {
			first = word;
			word.n = 0;
		}
		two_longs |= is_long && is(first, "long");
		is_long |= is(first, "long");
	}
	if (is_long)
		return two_longs ? 8 : long_size;
	/* Only the last word counts, such as `char` in "unsigned char". */
	for (size_t i = type.n; i > 0 && is_word_char(type.p[i - 1]); i--)
		word = (struct text) { type.p + i - 1, type.n - i + 1 };
	for (size_t i = 0; i < TN_COUNT(known); i++)
		if (is(word, known[i].name))
			return known[i].size;
	return begins(word, "cpumask") ? long_size : 0;
}

/* Fields of `char` are text; other types of one byte are numbers. */
static bool
is_char(struct text type)
{
	return is(type, "char") || is(type, "const char");
}

static bool
is_hex_type(struct text type)
{
	return (type.n && type.p[type.n - 1] == '*') || begins(type, "cpumask");
}

/* Split the text in [...] off the end of @t; false: no brackets. */
static bool
take_brackets(struct text *t, struct text *inside)
{
	const char *open;

	*t = trim(*t);
	if (!t->n || t->p[t->n - 1] != ']')
		return false;
	for (open = t->p + t->n - 1; *open != '['; open--)
		if (open == t->p)
			return false;
	*inside = trim((struct text) { open + 1, t->n - (size_t)(open - t->p) - 2 });
	*t = trim((struct text) { t->p, (size_t)(open - t->p) });
	return true;
}

/* Set the kind of the field from its declaration. The caller knows name, type, offset and size. */
static void
classify(struct tn_ftrace_field *f, struct text type, bool has_brackets, struct text count, unsigned long_size)
{
	uint64_t n;

	f->width = width_of(type, long_size);
	f->is_hex = is_hex_type(type);
	if (f->located || (has_brackets && (!f->size || !count.n))) {
		if (!f->located)
			f->located = TN_LOCATED_REST;
		f->kind = is_char(type) ? TN_FTRACE_TEXT : TN_FTRACE_NUMBERS;
	} else if (has_brackets) {
		if (!f->width || f->size % f->width)
			f->width = number(count, &n) && n && f->size % n == 0 ? (unsigned)(f->size / n) : 1;
		f->kind = is_char(type) ? TN_FTRACE_TEXT : TN_FTRACE_NUMBERS;
	} else {
		f->width = f->size;
		f->kind = TN_FTRACE_NUMBER;
	}
	if (f->located && !f->width)
		f->width = 1;
	if (f->width != 1 && f->width != 2 && f->width != 4 && f->width != 8)
		f->kind = TN_FTRACE_BYTES;
	if (f->kind == TN_FTRACE_NUMBERS && f->width == 1 && f->located)
		f->is_hex = true;
}

/*
 * Parse a declaration: "unsigned char common_flags", "__data_loc char[] name", "unsigned long args[6]", "const char *
 * str".
 */
static bool
declare(struct tn_ftrace_field *f, struct text decl, unsigned long_size, struct tn_arena *arena)
{
	struct text count = { "", 0 }, name, type, element;
	bool brackets;
	size_t at;

	decl = trim(decl);
	if (begins(decl, "__data_loc ") || begins(decl, "__rel_loc ")) {
		f->located = begins(decl, "__data_loc ") ? TN_LOCATED_DATA : TN_LOCATED_REL;
		decl = after(decl, f->located == TN_LOCATED_DATA ? 10 : 9);
	}
	brackets = take_brackets(&decl, &count);
	for (at = decl.n; at > 0 && is_word_char(decl.p[at - 1]); at--)
		;
	name = (struct text) { decl.p + at, decl.n - at };
	type = trim((struct text) { decl.p, at });
	brackets |= take_brackets(&type, &element);
	if (begins(type, "const "))
		type = after(type, 6);
	f->name = tn_arena_copy(arena, name.p, name.n);
	classify(f, type, brackets, count, long_size);
	return name.n > 0;
}

/* ---- fields ---- */

static enum tn_code
add_field(struct tn_ftrace_format *out, struct tn_arena *arena, size_t *room, struct text line, unsigned long_size,
	  struct tn_error *err)
{
	uint64_t offset, size, is_signed = 0;
	struct tn_ftrace_field *f, *more;
	struct text decl, all = line;

	if (!split(&line, ';', &decl) || !keyed(all, "offset:", &offset) || !keyed(all, "size:", &size) ||
	    offset > MOST_BYTES || size > MOST_BYTES - offset)
		return tn_fail(err, TN_ERR_FORMAT, "the field `%.*s` has an impossible offset or size",
			       (int)(all.n < 80 ? all.n : 80), all.p);
	if (out->n_fields == MOST_FIELDS)
		return tn_fail(err, TN_ERR_UNSUPPORTED, "more than %d fields", MOST_FIELDS);
	if (out->n_fields == *room) {
		*room = *room ? 2 * *room : 16;
		if (!(more = TN_NEW_ARRAY(arena, *room, struct tn_ftrace_field)))
			return tn_fail_memory(err);
		if (out->n_fields)
			memcpy(more, out->field, out->n_fields * sizeof *more);
		out->field = more;
	}
	f = &out->field[out->n_fields];
	*f = (struct tn_ftrace_field) { .offset = (uint32_t)offset, .size = (uint32_t)size };
	/* Old kernels omit this part: the field is then unsigned. */
	if (!keyed(all, "signed:", &is_signed))
		is_signed = 0;
	f->is_signed = is_signed;
	if (!declare(f, after(decl, 0), long_size, arena) || (f->located && f->located != TN_LOCATED_REST && size != 4))
		return tn_fail(err, TN_ERR_FORMAT, "the type of the field `%.*s` is "
						   "unknown", (int)(all.n < 80 ? all.n : 80), all.p);
	if (!f->name)
		return tn_fail_memory(err);
	if (f->located == TN_LOCATED_REST)
		f->size = 0;
	out->n_fields++;
	return TN_OK;
}

static int
by_offset(const void *a, const void *b)
{
	const struct tn_ftrace_field *x = a, *y = b;

	return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset) : (x > y) - (x < y);
}

/*
 * Correct formats of the system ftrace, which omit properties: kernel_stack has a variable number of addresses, and
 * the text of print is one line.
 */
static void
mend_special(struct tn_ftrace_format *f)
{
	struct tn_ftrace_field *last = f->n_fields ? &f->field[f->n_fields - 1] : NULL;

	if (!last || strcmp(f->system, "ftrace") != 0)
		return;
	if (strcmp(f->name, "kernel_stack") == 0 && last->kind == TN_FTRACE_NUMBERS && !last->located) {
		last->located = TN_LOCATED_REST;
		last->size = 0;
	} else if (strcmp(f->name, "print") == 0 && last->kind == TN_FTRACE_TEXT && last->located == TN_LOCATED_REST) {
		last->located = TN_LOCATED_LINE;
	}
}

/* Sort the fields, and check that they do not overlap, so that they can be read one after another. */
static enum tn_code
order_fields(struct tn_ftrace_format *out, struct tn_error *err)
{
	uint64_t end = 0;

	if (out->n_fields)
		qsort(out->field, out->n_fields, sizeof *out->field, by_offset);
	mend_special(out);
	for (size_t i = 0; i < out->n_fields; i++) {
		const struct tn_ftrace_field *f = &out->field[i];

		if (f->offset < end || (f->located >= TN_LOCATED_REST && i + 1 < out->n_fields))
			return tn_fail(err, TN_ERR_FORMAT, "the field %s overlaps another one", f->name);
		end = (uint64_t)f->offset + f->size;
	}
	return TN_OK;
}

/* ---- the text ---- */

static struct text
next_line(struct text *all)
{
	struct text line = *all;

	if (!split(all, '\n', &line))
		all->n = 0;
	return line;
}

/*
 * A field with one of these prefixes is common to all events. An empty line follows the common fields in most texts,
 * but not in all. The kernel guarantees the prefixes.
 */
static bool
is_common(const struct tn_ftrace_field *f)
{
	return strncmp(f->name, "common_", 7) == 0;
}

static enum tn_code
check(struct tn_ftrace_format *out, bool has_id, struct tn_error *err)
{
	enum tn_code rc;

	if (!has_id || !*out->name)
		return tn_fail(err, TN_ERR_FORMAT, "the format has no name or no ID");
	rc = order_fields(out, err);
	while (rc == TN_OK && out->n_common < out->n_fields && is_common(&out->field[out->n_common]))
		out->n_common++;
	if (rc == TN_OK && (!out->n_common || out->field[0].offset || out->field[0].size != 2 ||
			    strcmp(out->field[0].name, "common_type") != 0))
		return tn_fail(err, TN_ERR_FORMAT, "the format does not begin with common_type, 2 bytes");
	return rc;
}

enum tn_code
tn_ftrace_format_parse(struct tn_ftrace_format *out, struct tn_arena *arena, const struct tn_ftrace_machine *machine,
		       const char *system, const char *text, size_t n, struct tn_error *err)
{
	struct text all = { text, n }, print = { NULL, 0 };
	enum tn_code rc = TN_OK;
	bool has_id = false;
	size_t room = 0;
	uint64_t id;

	*out = (struct tn_ftrace_format) { .system = system, .name = "" };
	while (all.n && rc == TN_OK) {
		struct text line = trim(next_line(&all));

		if (begins(line, "name:")) {
			struct text name = after(line, 5);

			if (!(out->name = tn_arena_copy(arena, name.p, name.n)))
				return tn_fail_memory(err);
		} else if (begins(line, "ID:")) {
			has_id = number(after(line, 3), &id) && id <= UINT16_MAX;
			out->id = has_id ? (uint16_t)id : 0;
		} else if (begins(line, "field:")) {
			rc = add_field(out, arena, &room, after(line, 6), machine->long_size, err);
		} else if (begins(line, "print fmt:")) {
			/* The print format is the rest of the text, because it can contain newlines. */
			print = (struct text) { line.p + 10, (size_t)(text + n - (line.p + 10)) };
			break;
		}
	}
	if (rc == TN_OK)
		rc = check(out, has_id, err);
	if (rc == TN_OK && print.n && !tn_ftrace_print_parse(out, arena, print.p, print.n))
		rc = tn_fail_memory(err);
	return rc;
}

enum tn_code
tn_ftrace_layout_parse(struct tn_ftrace_layout *out, const char *text, size_t n, struct tn_error *err)
{
	struct text all = { text, n };
	bool big_endian = out->big_endian;
	unsigned found = 0;

	*out = (struct tn_ftrace_layout) { .big_endian = big_endian };
	while (all.n) {
		struct text line = trim(next_line(&all)), decl, rest;
		uint64_t offset, size;

		rest = line;
		if (!begins(line, "field:") || !split(&rest, ';', &decl) || !keyed(line, "offset:", &offset) ||
		    !keyed(line, "size:", &size) || offset > 64)
			continue;
		decl = trim(decl);
		if (decl.n > 9 && memcmp(decl.p + decl.n - 9, "timestamp", 9) == 0 && size == 8) {
			out->time_at = (uint32_t)offset;
			found |= 1;
		} else if (decl.n > 6 && memcmp(decl.p + decl.n - 6, "commit", 6) == 0 && (size == 4 || size == 8)) {
			out->commit_at = (uint32_t)offset;
			out->commit_size = (uint32_t)size;
			found |= 2;
		} else if (decl.n > 4 && memcmp(decl.p + decl.n - 4, "data", 4) == 0) {
			out->data_at = (uint32_t)offset;
			found |= 4;
		}
	}
	if (found != 7 || out->data_at % 4 || out->data_at < out->time_at + 8 || out->data_at < out->commit_at + out->commit_size)
		return tn_fail(err, TN_ERR_FORMAT, "header_page does not say where timestamp, commit and data are");
	return TN_OK;
}
