#include "scan/question.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "index/key.h"
#include "index/packet_index.h"
#include "language/expression_tree.h"
#include "text/text.h"

/* ---- the texts of tests ---- */

/* Append a text of the trace or the user, without line feeds. */
static void
say_text(struct tn_str *out, const char *text, size_t n)
{
	tn_str_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)text[i];

		if (c < ' ' || c == '"' || c == '\\' || c == 127)
			tn_str_printf(out, "\\%02x", c);
		else
			tn_str_putc(out, (char)c);
	}
	tn_str_putc(out, '"');
}

static void
say_literal(struct tn_str *out, const struct tn_literal *l)
{
	const struct tn_number *v = &l->number;

	if (l->is_open)
		tn_str_puts(out, "open");
	else if (l->is_number && v->is_float)
		tn_str_printf(out, "%a", v->f);
	else if (l->is_number)
		tn_str_printf(out, "%s%" PRIu64, v->is_negative ? "-" : "", v->magnitude);
	/* Texts are also compared with the spelling of numbers. */
	if (!l->is_open && l->text)
		say_text(out, l->text, l->n);
}

/* Whether the name means fields of both contexts. A field that is only in the stream's context has the same path. */
static bool
is_of_both_contexts(const struct tn_meaning *m)
{
	for (size_t i = 1; i < m->n_targets; i++)
		if (m->target[i].scope != m->target[0].scope)
			return true;
	return false;
}

void
tn_question_name(struct tn_str *out, const struct tn_meaning *m)
{
	tn_str_printf(out, is_of_both_contexts(m) ? " %d both " : " %d ", (int)m->attribute);
	if (m->path)
		say_text(out, m->path, strlen(m->path));
	for (size_t i = 0; i < m->n_indices; i++)
		tn_str_printf(out, "[%" PRId64 "]", m->index[i]);
}

static void
say_regex(struct tn_str *out, const struct tn_regex *regex)
{
	const char *pattern = tn_regex_pattern(regex);

	tn_str_puts(out, tn_regex_ignores_case(regex) ? " ~i" : " ~");
	say_text(out, pattern, strlen(pattern));
}

/* Append a node and its contents in the form "(kind ...)". */
static void
say_node(struct tn_str *out, const struct tn_node *node)
{
	tn_str_printf(out, "(%d", (int)node->kind);
	if (node->reference)
		tn_question_name(out, &node->reference->meaning);
	if (node->regex)
		say_regex(out, node->regex);
	for (size_t i = 0; i < node->n_items; i++) {
		tn_str_putc(out, ' ');
		say_literal(out, &node->item[i].low);
		if (node->item[i].is_range) {
			tn_str_puts(out, "..");
			say_literal(out, &node->item[i].high);
		}
	}
	for (const struct tn_node *in = node->in; in; in = in->next)
		say_node(out, in);
	tn_str_putc(out, ')');
}

void
tn_question_expression(struct tn_str *out, const struct tn_expression *expression)
{
	say_node(out, tn_expression_root(expression));
}

/* ---- the data that lines depend on ---- */

#define SECOND INT64_C(1000000000)
#define WEEK INT64_C(604800)	/* in this number of seconds, no zone changes twice */
#define AHEAD (105 * WEEK)	/* the text has the rules at least for this time, even if less of the index is known */
#define SAMPLES 4096

/* Get the range of the set's times in seconds. False: no stream has a clock. */
static bool
seconds_of(const struct tn_set *set, int64_t *first, int64_t *last)
{
	int64_t end = INT64_MIN;

	*first = INT64_MAX;
	for (size_t i = 0; i < set->n_streams; i++) {
		struct tn_stream *s = set->stream[i];
		struct tn_packet p;
		size_t n = 0;

		if (!s->stream_class->clock || tn_index_get(s, 0, &p, NULL, NULL) != TN_OK)
			continue;
		*first = p.begin_ns / SECOND - 1 < *first ? p.begin_ns / SECOND - 1 : *first;
		if (tn_index_is_complete(s) && tn_index_complete(s, &n, NULL) == TN_OK && n &&
		    tn_index_get(s, n - 1, &p, NULL, NULL) == TN_OK)
			end = p.end_ns / SECOND + 1 > end ? p.end_ns / SECOND + 1 : end;
	}
	if (*first == INT64_MAX)
		return false;
	*last = end > *first + AHEAD ? end : *first + AHEAD;
	return true;
}

struct zone {
	long offset;
	char name[16];
};

/* tzname is not used, because it is NULL for a moment while another thread computes the zone. */
static struct zone
zone_at(int64_t second)
{
	struct zone zone = { 0 };
	time_t at = (time_t)second;
	struct tm tm;

	if (localtime_r(&at, &tm)) {
		zone.offset = tm.tm_gmtoff;
		snprintf(zone.name, sizeof zone.name, "%s", tm.tm_zone);
	}
	return zone;
}

static bool
same_zone(const struct zone *a, const struct zone *b)
{
	return a->offset == b->offset && strcmp(a->name, b->name) == 0;
}

/* The first second after @from, and not after @to, that is not in @zone. */
static int64_t
change_between(int64_t from, int64_t to, const struct zone *zone)
{
	while (to - from > 1) {
		int64_t at = from + (to - from) / 2;
		struct zone there = zone_at(at);

		*(same_zone(zone, &there) ? &from : &to) = at;
	}
	return to;
}

static void
say_offset(struct tn_str *out, int64_t since, const struct zone *zone)
{
	tn_str_printf(out, " @%" PRId64 " %ld", since, zone->offset);
	say_text(out, zone->name, strlen(zone->name));
}

/* Append offset and name of the zone at the first time, and at each time when one of them changes. */
void
tn_question_zone(struct tn_str *out, const struct tn_set *set)
{
	int64_t first, last, step;
	struct zone zone, next;

	tzset();
	if (!seconds_of(set, &first, &last))
		return;
	step = (last - first) / SAMPLES > WEEK ? (last - first) / SAMPLES : WEEK;
	zone = zone_at(first);
	say_offset(out, first, &zone);
	for (int64_t at = first, to; at < last; at = to) {
		to = last - at > step ? at + step : last;
		next = zone_at(to);
		if (same_zone(&zone, &next))
			continue;
		to = change_between(at, to, &zone);
		zone = zone_at(to);
		say_offset(out, to, &zone);
	}
	tn_str_printf(out, " %" PRId64, last);
}

/* Append the format of lines, and all traces, because the delta of a line depends on their events. */
static void
say_lines(struct tn_str *out, const struct tn_set *set, const struct tn_text *match)
{
	const struct tn_text_options *o = &match->options;

	tn_str_printf(out, " line %d %d %d %u %u %d ", (int)o->time, o->utc, o->no_delta, o->fields, o->names, o->safe);
	if (!o->utc)
		tn_question_zone(out, set);
	for (size_t i = 0; i < set->n_traces; i++) {
		struct tn_str key = { 0 };

		tn_key_put(&key, set->trace[i]);
		out->failed |= key.failed;
		tn_str_printf(out, " %016" PRIx64 "/%s", tn_sum_bytes(0, tn_str_text(&key), key.n),
			      tn_trace_line_name(set->trace[i]));
		tn_str_release(&key);
	}
}

/* ---- questions ---- */

struct saying {
	struct tn_question *out;
	struct tn_str lines;	/* the text that all parts about lines share */
	bool failed;
};

static void
add_part(struct saying *s, struct tn_str *text, bool of_lines)
{
	char **part = NULL;

	if (of_lines)
		tn_str_add(text, tn_str_text(&s->lines), s->lines.n);
	s->out->of_lines |= of_lines;
	if (!text->failed && text->text)
		part = TN_ARRAY_ADD(&s->out->part);
	if (part)
		*part = text->text;
	else
		tn_str_release(text);
	s->failed |= !part;
}

static bool
has_line(const struct tn_node *node)
{
	bool has = node->kind == TN_NODE_LINE;

	for (const struct tn_node *in = node->in; in && !has; in = in->next)
		has = has_line(in);
	return has;
}

static void
add_parts(void *user, const struct tn_node *node)
{
	struct tn_str text = { 0 };

	if (node->kind == TN_NODE_AND) {
		for (const struct tn_node *in = node->in; in; in = in->next)
			add_parts(user, in);
		return;
	}
	say_node(&text, node);
	add_part(user, &text, has_line(node));
}

static void
add_regex(void *user, const struct tn_regex *regex, bool negate)
{
	struct tn_str text = { 0 };

	tn_str_puts(&text, negate ? "not" : "");
	say_regex(&text, regex);
	add_part(user, &text, true);
}

static int
compare_parts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool
tn_question_of(struct tn_question *out, const struct tn_filter *filter, const struct tn_set *set,
	       const struct tn_text *match)
{
	struct saying s = { .out = out };
	size_t n = 0;

	if (match && filter && tn_filter_has_regex(filter))
		say_lines(&s.lines, set, match);
	if (filter)
		tn_filter_each(filter, add_parts, add_regex, &s);
	if (out->part.n)
		qsort(out->part.item, out->part.n, sizeof *out->part.item, compare_parts);
	for (size_t i = 0; i < out->part.n; i++) {
		if (n && strcmp(out->part.item[n - 1], out->part.item[i]) == 0)
			free(out->part.item[i]);
		else
			out->part.item[n++] = out->part.item[i];
	}
	out->part.n = n;
	for (size_t i = 0; i < n; i++)
		tn_str_printf(&out->all, "%s%s", i ? "\n" : "", out->part.item[i]);
	s.failed |= out->all.failed || s.lines.failed;
	tn_str_release(&s.lines);
	return !s.failed;
}

void
tn_question_release(struct tn_question *q)
{
	for (size_t i = 0; i < q->part.n; i++)
		free(q->part.item[i]);
	TN_ARRAY_RELEASE(&q->part);
	tn_str_release(&q->all);
}

bool
tn_question_has(const struct tn_question *q, const char *all)
{
	while (*all) {
		size_t n = strcspn(all, "\n"), i = 0;

		while (i < q->part.n && (strncmp(q->part.item[i], all, n) != 0 || q->part.item[i][n]))
			i++;
		if (i == q->part.n)
			return false;
		all += n + (all[n] == '\n');
	}
	return true;
}
