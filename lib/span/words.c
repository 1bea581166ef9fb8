/*
 * words.c - ready questions in the names of ftrace and perf; the questions are written in the names of LTTng
 *
 * ftrace names an event SYSTEM:EVENT, and its name for a thread's number is pid.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "span/words.h"

/* `is_event`: the start of an event's name. Otherwise a whole word, also after "begin." or "end.". */
static const struct { bool is_event; const char *lttng, *ftrace; } rows[] = {
	{ true, "syscall_entry_", "syscalls:sys_enter_" }, { true, "syscall_exit_", "syscalls:sys_exit_" },
	{ true, "sched_", "sched:sched_" }, { true, "irq_handler_", "irq:irq_handler_" }, { true, "softirq_", "irq:softirq_" },
	{ true, "timer_expire_", "timer:timer_expire_" }, { true, "hrtimer_expire_", "timer:hrtimer_expire_" },
	{ true, "block_rq_", "block:block_rq_" }, { true, "workqueue_", "workqueue:workqueue_" },
	{ true, "kmalloc", "kmem:kmalloc" }, { true, "kfree", "kmem:kfree" }, { true, "kmem_cache_", "kmem:kmem_cache_" },
	{ true, "mm_page_", "kmem:mm_page_" },
	{ false, "prev_tid", "prev_pid" }, { false, "next_tid", "next_pid" }, { false, "child_tid", "child_pid" },
	{ false, "event.fields.tid", "event.fields.pid" }, { false, "page", "pfn" },
	/* The payload's field is named in full, because the context also has a comm, which is that of the running thread. */
	{ false, "comm", "event.fields.comm" },
};

enum { ONLY_LTTNG, ONLY_FTRACE, BOTH };

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The length of the word at @p, which may be a pattern. */
static size_t
word_length(const char *p)
{
	static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:*";

	return strspn(p, signs);
}

/* The row for the word @p[0, n); TN_COUNT(rows): none. */
static size_t
row_of(const char *p, size_t n)
{
	size_t i = 0;

	while (i < TN_COUNT(rows) && !(begins(p, rows[i].lttng) && (rows[i].is_event || strlen(rows[i].lttng) == n)))
		i++;
	return i;
}

/*
 * Write @text[0, size) in the other names. False: nothing has changed. The word after "as" is not changed, because the
 * user chose it.
 */
static bool
put_words(struct tn_str *out, const char *text, size_t size)
{
	bool changed = false, is_name = false;

	for (size_t i = 0, n, row; i < size; i += n) {
		const char *p = text + i;
		size_t before;

		if (!(n = word_length(p))) {
			tn_str_add(out, p, n = 1);
			continue;
		}
		before = begins(p, "begin.") ? strlen("begin.") : begins(p, "end.") ? strlen("end.") : 0;
		tn_str_add(out, p, before);
		row = is_name ? TN_COUNT(rows) : row_of(p + before, n - before);
		is_name = n == 2 && begins(p, "as");
		if (row < TN_COUNT(rows)) {
			tn_str_puts(out, rows[row].ftrace);
			before += strlen(rows[row].lttng);
			changed = true;
		}
		tn_str_add(out, p + before, n - before);
	}
	return changed;
}

/* Whether the events of the traces have the names of LTTng, those of ftrace and perf, or both. */
static int
words_of(const struct tn_set *set)
{
	bool has[2] = { false, false };

	for (size_t t = 0; set && t < set->n_traces; t++)
		for (size_t i = 0; i < set->trace[t]->n_event_classes; i++) {
			const char *name = set->trace[t]->event_class[i]->name;

			for (size_t k = 0; name && k < TN_COUNT(rows) && rows[k].is_event; k++) {
				has[0] |= begins(name, rows[k].lttng);
				has[1] |= begins(name, rows[k].ftrace);
			}
		}
	return !has[1] ? ONLY_LTTNG : has[0] ? BOTH : ONLY_FTRACE;
}

/* Whether system calls have only numbers: the traces have raw_syscalls, and no events that are named after system calls. */
static bool
is_raw(const struct tn_set *set)
{
	bool raw = false;

	for (size_t t = 0; set && t < set->n_traces; t++)
		for (size_t i = 0; i < set->trace[t]->n_event_classes; i++) {
			const char *name = set->trace[t]->event_class[i]->name;

			if (name && (begins(name, "syscalls:sys_enter_") || begins(name, "syscall_entry_")))
				return false;
			raw |= name && strcmp(name, "raw_syscalls:sys_enter") == 0;
		}
	return raw;
}

/* Keep lines that begin with "raw ", without this word, or remove them. */
static void
choose_lines(char *text, bool raw)
{
	static const char word[] = "raw ";
	char *out = text;

	for (const char *line = text, *next; *line; line = next) {
		bool is_marked = begins(line, word);

		next = line + strcspn(line, "\n");
		next += *next == '\n';
		line += is_marked ? strlen(word) : 0;
		if (is_marked && !raw)
			continue;
		memmove(out, line, (size_t)(next - line));
		out += next - line;
	}
	*out = '\0';
	if (out > text && out[-1] == '\n')
		out[-1] = '\0';
}

/*
 * Choose one of the alternatives in keys such as "begin.id|name" and "begin.args[0]|begin.fd": the fields of
 * raw_syscalls, or the others.
 */
static void
choose_keys(char *text, bool raw)
{
	static const char *const fields[] = { "begin.id|", "begin.args[0]|" };

	for (size_t i = 0; i < TN_COUNT(fields); i++) {
		char *at = strstr(text, fields[i]), *rest;

		if (!at)
			continue;
		rest = at + strlen(fields[i]);
		if (!raw) {
			memmove(at, rest, strlen(rest) + 1);
		} else {
			at = rest - 1;
			rest += strcspn(rest, ",");
			memmove(at, rest, strlen(rest) + 1);
		}
	}
}

/* ---- definitions, keys ---- */

/*
 * Append the definitions, one in each line. If the traces have both kinds of names, lines that differ are repeated in the
 * other names.
 */
static void
put_definitions(struct tn_str *out, const char *text, int words)
{
	if (words == BOTH)
		tn_str_puts(out, text);
	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n"), before = out->n;

		if (before)
			tn_str_putc(out, '\n');
		if (!put_words(out, line, n) && words == BOTH)
			out->n = before;
		line += n + (line[n] == '\n');
	}
}

/* Write keys or aggregates with commas between them, each in one kind of names, or as "A|B". */
static void
put_keys(struct tn_str *out, const char *text, int words)
{
	while (*text) {
		size_t n = strcspn(text, ","), blanks = strspn(text, " "), before;

		tn_str_add(out, text, blanks);
		text += blanks;
		n -= blanks;
		before = out->n;
		if (words == BOTH) {
			tn_str_add(out, text, n);
			tn_str_putc(out, '|');
		}
		if (!put_words(out, text, n) && words == BOTH) {
			out->n = before;
			tn_str_add(out, text, n);
		}
		text += n;
		if (*text)
			tn_str_putc(out, *text++);
	}
}

char *
tn_words_definitions(const struct tn_set *set, const char *text)
{
	char *chosen = strdup(text);
	int words = words_of(set);
	struct tn_str out = { 0 };

	if (chosen)
		choose_lines(chosen, is_raw(set));
	if (!chosen || words == ONLY_LTTNG || !*chosen)
		return chosen;
	put_definitions(&out, chosen, words);
	free(chosen);
	return tn_str_take(&out);
}

char *
tn_words_keys(const struct tn_set *set, const char *text)
{
	char *chosen = strdup(text);
	int words = words_of(set);
	struct tn_str out = { 0 };

	if (chosen)
		choose_keys(chosen, is_raw(set));
	if (!chosen || words == ONLY_LTTNG || !*chosen)
		return chosen;
	put_keys(&out, chosen, words);
	free(chosen);
	return tn_str_take(&out);
}
