#include "ftrace/names.h"

#include <string.h>

#include "base/array.h"
#include "base/hash.h"

/* The next line of the text, without its newline; false: no more lines. */
static bool
next_line(const char **p, const char *end, const char **line, const char **line_end)
{
	const char *newline;

	if (*p >= end)
		return false;
	newline = memchr(*p, '\n', (size_t)(end - *p));
	*line = *p;
	*line_end = newline ? newline : end;
	*p = newline ? newline + 1 : end;
	return true;
}

static void
skip_blanks(const char **p, const char *end)
{
	while (*p < end && (**p == ' ' || **p == '\t'))
		++*p;
}

/* Parse a number at *p, and move *p after it; false: no number. */
static bool
read_number(const char **p, const char *end, unsigned base, uint64_t *out)
{
	const char *from;

	skip_blanks(p, end);
	if (base == 16 && end - *p > 2 && **p == '0' && (*p)[1] == 'x')
		*p += 2;
	from = *p;
	for (*out = 0; *p < end; ++*p) {
		unsigned digit = **p >= '0' && **p <= '9' ? (unsigned)(**p - '0')
			       : (**p | 32) >= 'a' && (**p | 32) <= 'f' ? (unsigned)((**p | 32) - 'a' + 10) : 99;

		if (digit >= base)
			break;
		if (*out > (UINT64_MAX - digit) / base)
			return false;
		*out = *out * base + digit;
	}
	return *p > from;
}

/* ---- threads ---- */

static const char *
keep_text(struct tn_arena *arena, const char *text, size_t n)
{
	char *copy = tn_arena_alloc(arena, n + TN_LOOKUP_SLACK);

	if (copy)
		memcpy(copy, text, n);
	return copy;
}

static int
by_number(const void *a, const void *b)
{
	const struct tn_lookup_text *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

const struct tn_lookup *
tn_ftrace_commands(struct tn_arena *arena, const char *text, size_t n)
{
	const char *p = text, *end = text + n, *line, *line_end;
	struct tn_lookup *out = TN_NEW(arena, struct tn_lookup);
	size_t lines = 2, kept = 0;
	uint64_t pid;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	if (!out || !(out->item = TN_NEW_ARRAY(arena, lines, struct tn_lookup_text)) ||
	    !(out->other = keep_text(arena, "<...>", 5)))
		return NULL;
	out->item[out->n++] = (struct tn_lookup_text) { 0, keep_text(arena, "<idle>", 6), 6 };
	while (next_line(&p, end, &line, &line_end)) {
		size_t size;

		if (!read_number(&line, line_end, 10, &pid) || pid > INT32_MAX || !pid)
			continue;
		skip_blanks(&line, line_end);
		/* A NUL also ends the text. */
		size = strnlen(line, (size_t)(line_end - line));
		out->item[out->n++] = (struct tn_lookup_text) { (int64_t)pid, keep_text(arena, line, size), (uint32_t)size };
	}
	qsort(out->item, out->n, sizeof *out->item, by_number);
	for (size_t i = 0; i < out->n; i++) {
		if (!out->item[i].text)
			return NULL;
		if (!kept || out->item[kept - 1].number != out->item[i].number)
			out->item[kept++] = out->item[i];
	}
	out->n = kept;
	return out;
}

/* ---- formats of bprint ---- */

/*
 * The text in the quotes, with the kernel's escapes decoded; the newline at its end is not part of the message.
 */
static const char *
unquote(struct tn_arena *arena, const char *p, const char *end)
{
	char *text, *to;

	if (p < end && *p == '"')
		p++;
	if (p < end && end[-1] == '"')
		end--;
	if (end - p >= 2 && end[-2] == '\\' && end[-1] == 'n')
		end -= 2;
	text = to = tn_arena_copy(arena, p, (size_t)(end - p));
	for (; text && p < end; p++) {
		if (*p == '\\' && p + 1 < end) {
			p++;
			*to++ = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
		} else {
			*to++ = *p;
		}
	}
	if (text)
		*to = '\0';
	return text;
}

bool
tn_ftrace_printk_formats(struct tn_arena *arena, const char *text, size_t n, const struct tn_mapping **out, size_t *n_out)
{
	const char *p = text, *end = text + n, *line, *line_end;
	struct tn_mapping *mapping;
	struct tn_range *range;
	struct tn_hash labels = { 0 };
	size_t lines = 1;
	uint64_t address;
	bool good = true, is_new;

	*out = NULL;
	*n_out = 0;
	if (!n)
		return true;
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	mapping = TN_NEW_ARRAY(arena, lines, struct tn_mapping);
	range = TN_NEW_ARRAY(arena, lines, struct tn_range);
	if (!mapping || !range)
		return false;
	while (good && next_line(&p, end, &line, &line_end)) {
		struct tn_hash_item *item;
		const char *label;

		if (!read_number(&line, line_end, 16, &address))
			continue;
		skip_blanks(&line, line_end);
		if (line == line_end || *line++ != ':')
			continue;
		skip_blanks(&line, line_end);
		label = unquote(arena, line, line_end);
		item = label ? tn_hash_add(&labels, label, strlen(label), &is_new) : NULL;
		good = item;
		/*
		 * A label can occur once in a type: of several addresses with the same text, the first gets the
		 * label.
		 */
		if (!good || !is_new || !*label)
			continue;
		*range = (struct tn_range) { address, address };
		mapping[(*n_out)++] = (struct tn_mapping) { .label = label, .range = range++, .n_ranges = 1 };
	}
	tn_hash_release(&labels);
	*out = *n_out ? mapping : NULL;
	return good;
}
