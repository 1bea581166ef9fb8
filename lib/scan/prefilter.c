#include <config.h>

#include "scan/prefilter.h"

#include <ctype.h>
#include <stdlib.h>

#include "digest/text_filter.h"
#include "text/head.h"

#define PATTERNS 8
#define LITERALS 24	/* limit for all patterns together */
#define OF_BRANCH 2	/* limit for a branch, if a pattern has several; otherwise twice this number */
#define MANY_CLASSES 10000	/* with this number of classes, patterns of several branches would take too long */
#define CHOICES 100
#define ANY '\0'	/* any character, in a tail */

/* ---- possible texts of a class ---- */

enum verdict {
	OPEN,		/* the line of the class may have the text */
	BYTES,		/* the line can have the text only if the event's bytes contain it */
	NEVER
};

struct literal {
	char text[TN_LITERAL_SIZE];
	size_t n;
	/* The bytes to search for: the text, without a start that may come from an escape. */
	const char *bytes;
	size_t bytes_n;
	size_t rare;		/* place of the rarest byte */
	char tail[TN_TAIL_SIZE];
	size_t n_tail;
	size_t n_rest;		/* characters of the tail after its first one that stay in the part of the line, without escapes */
};

/* A pattern has branches; in each, a set of literals, as bits, must all occur. */
struct pattern {
	uint32_t branch[TN_PATTERN_BRANCHES];
	size_t n;
};

/* For a class: literals, as bits, that it never has, or that only an event's bytes decide. */
struct judged {
	uint32_t never, bytes;
};

struct tn_prefilter {
	struct literal literal[LITERALS];
	size_t n;
	struct pattern pattern[PATTERNS];	/* a line must match all of them */
	size_t n_patterns;
	size_t n_streams;
	uint8_t *verdict;	/* for each class of all traces: NEVER, OPEN, or BYTES + index of the choice */
	struct judged *judged;	/* for each class, like `verdict` */
	uint32_t choice[CHOICES];	/* the bytes must contain one of these literals */
	size_t n_choices;
	size_t *first_class;	/* for each stream, by rank */
	bool asks_texts;
	struct tn_arena arena;
};

static bool
has(const struct literal *l, const char *text, size_t n)
{
	return text && memmem(text, n, l->text, l->n) != NULL;
}

static bool
has_word(const struct literal *l, const char *text)
{
	return text && strstr(text, l->text) != NULL;
}

/* Whether the text may be inside of a number: digits of all bases, exponents, inf, nan. */
static bool
is_numeric(const struct literal *l)
{
	return strspn(l->text, "0123456789abcdefABCDEFxin+-.") == l->n;
}

/* Whether the literal is part of a fixed word of the line that does not come from metadata. */
static bool
is_of_line(const struct literal *l)
{
	static const char *const words[] = {
		"timestamp", "delta", "trace", "hostname", "domain", "procname", "vpid", "loglevel", "model.emf.uri",
		"name", "stream.packet.context", "stream.event.context", "event.context", "event.fields", "container",
		"<unknown>", "<none>", "true", "false", "Error", "inf", "nan",
	};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (has_word(l, words[i]))
			return true;
	return false;
}

/* Judge the texts of a scope: fixed words decide at once, and strings are noted. */
static enum verdict
judge_field(const struct literal *l, const struct tn_field *f, bool *strings)
{
	const struct tn_type *t = f->type;

	if (has_word(l, f->label) || has_word(l, f->name))
		return OPEN;
	for (size_t i = 0; i < t->n_mappings; i++) {
		for (const char *c = t->mapping[i].label; *c; c++)
			if (iscntrl((unsigned char)*c))
				return OPEN;	/* escapes in the text contain letters */
		if (has_word(l, t->mapping[i].label))
			return OPEN;
	}
	if (t->kind == TN_KIND_BLOB || (t->kind == TN_KIND_STRING && t->encoding >= TN_ENCODING_UTF16BE))
		return OPEN;
	*strings |= t->kind == TN_KIND_STRING;
	for (size_t i = 0; i < t->n_fields; i++)
		if (judge_field(l, &t->field[i], strings) == OPEN)
			return OPEN;
	return NEVER;
}

/* @head: the text before the fields; NULL: unknown */
static enum verdict
judge_class(const struct literal *l, const struct tn_str *head, const struct tn_event_class *ec)
{
	static const enum tn_scope scopes[] = {
		TN_SCOPE_PACKET_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD,
	};
	bool strings = false;

	if (!head || has(l, head->text, head->n) || is_of_line(l) || is_numeric(l))
		return OPEN;
	for (size_t i = 0; i < TN_COUNT(scopes); i++) {
		const struct tn_field *root = tn_event_class_scope(ec, scopes[i]);

		if (root && judge_field(l, root, &strings) == OPEN)
			return OPEN;
		if (strings && scopes[i] == TN_SCOPE_PACKET_CONTEXT)
			return OPEN;	/* the text is not in the bytes of the event */
	}
	if (!strings)
		return NEVER;
	/* Other formats have strings that are not in the file. */
	return strncmp(ec->stream_class->trace->format, "CTF", 3) == 0 ? BYTES : OPEN;
}

/*
 * A text can begin inside of an escape that the line made from one byte, such as "\n" or "\x1b". Returns how many of its
 * first characters can belong to one.
 */
static size_t
of_escape(const char *text)
{
	if (text[0] == 'x' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]))
		return 3;
	if (isxdigit((unsigned char)text[0]))
		return isxdigit((unsigned char)text[1]) ? 2 : 1;
	return strchr("abefnrtv", text[0]) != NULL;
}

/* Whether the byte is unchanged in a line. Other bytes begin an escape, or belong to a character beyond ASCII. */
static bool
stands_for_itself(uint8_t c)
{
	return c >= 0x20 && c < 0x7f && !strchr("\"'\\?", c);
}

static void
set_literal(struct literal *l, const char *text)
{
	size_t skip = of_escape(text);

	l->n = strlen(text);
	memcpy(l->text, text, l->n + 1);
	l->bytes = l->text + skip;
	l->bytes_n = l->n - skip;
	for (size_t i = 1; i < l->bytes_n; i++)
		if (tn_commonness((unsigned char)l->bytes[i]) < tn_commonness((unsigned char)l->bytes[l->rare]))
			l->rare = i;
}

/*
 * Set the characters that follow the text in every match. If the first of them begins an escape, it may stand for another
 * character.
 */
static void
set_tail(struct literal *l, const char *branch)
{
	l->n_tail = tn_pattern_tail(branch, l->text, l->tail);
	l->n_rest = 0;
	if (l->n_tail < 2 || strchr("abefnrtvx", l->tail[1]) || (l->tail[0] && !stands_for_itself((uint8_t)l->tail[0])))
		return;
	while (1 + l->n_rest < l->n_tail && l->tail[1 + l->n_rest] && isalnum((unsigned char)l->tail[1 + l->n_rest]))
		l->n_rest++;
}

/* Whether the text has a part for an n-gram filter. */
static bool
has_parts(const struct literal *l)
{
	return l->bytes_n + (l->n_rest ? 1 + l->n_rest : 0) >= TN_NGRAM;
}

/* Add the literals of a branch; returns them as bits. 0: there are none. */
static uint32_t
add_branch(struct tn_prefilter *p, const char *branch, size_t most)
{
	char found[2 * OF_BRANCH][TN_LITERAL_SIZE];
	size_t n = tn_pattern_literals(branch, found, most);
	uint32_t bits = 0;

	for (size_t i = 0; i < n && p->n < LITERALS; i++)
		if (of_escape(found[i]) + 1 < strlen(found[i])) {
			struct literal *l = &p->literal[p->n];

			bits |= UINT32_C(1) << p->n++;
			set_literal(l, found[i]);
			set_tail(l, branch);
		}
	return bits;
}

/* A pattern in which a branch has no literals cannot decide anything. */
static void
add_pattern(struct tn_prefilter *p, const char *pattern, bool many_classes)
{
	const char *at[TN_PATTERN_BRANCHES + 1];
	size_t n = tn_pattern_branches(pattern, at), begin = p->n;
	struct pattern *out = &p->pattern[p->n_patterns];

	if (!n || (n > 1 && many_classes))
		return;
	for (out->n = 0; out->n < n; out->n++) {
		char *branch = strndup(at[out->n], (size_t)(at[out->n + 1] - at[out->n]) - 1);

		out->branch[out->n] = branch ? add_branch(p, branch, n > 1 ? OF_BRANCH : 2 * OF_BRANCH) : 0;
		free(branch);
		if (!out->branch[out->n]) {
			p->n = begin;
			return;
		}
	}
	p->n_patterns++;
}

/*
 * Get literals of which an event's bytes must contain one if the pattern matches. *never: the pattern cannot match. 0:
 * unknown.
 */
static uint32_t
choose(const struct pattern *pattern, const struct judged *j, bool *never)
{
	uint32_t all = 0;
	bool open = false;

	*never = true;
	for (size_t i = 0; i < pattern->n; i++) {
		uint32_t bytes = pattern->branch[i] & j->bytes;

		if (pattern->branch[i] & j->never)
			continue;
		*never = false;
		open |= !bytes;
		all |= bytes & -bytes;	/* take the first literal, which is the longest */
	}
	return open ? 0 : all;
}

static uint8_t
number_of_choice(struct tn_prefilter *p, uint32_t choice)
{
	size_t i = 0;

	while (i < p->n_choices && p->choice[i] != choice)
		i++;
	if (i == CHOICES)
		return OPEN;
	if (i == p->n_choices)
		p->choice[p->n_choices++] = choice;
	return (uint8_t)(BYTES + i);
}

/* All patterns must match, so one pattern that decides is enough; otherwise use the pattern that is fastest to search for. */
static uint8_t
judge(struct tn_prefilter *p, const struct tn_text *text, const struct tn_event_class *ec, struct tn_str *room,
      struct judged *out)
{
	const struct tn_str *head = NULL;
	uint32_t best = 0;

	*out = (struct judged) { 0 };
	tn_str_clear(room);
	if (ec->name && text->options.format == TN_LINE_TEXT) {
		tn_head_put(text, ec->stream_class->trace, ec, room);
		head = room->failed || !room->n ? NULL : room;
	}
	for (size_t i = 0; i < p->n; i++) {
		enum verdict v = judge_class(&p->literal[i], head, ec);

		out->never |= (uint32_t)(v == NEVER) << i;
		out->bytes |= (uint32_t)(v == BYTES) << i;
		p->asks_texts |= v == BYTES && has_parts(&p->literal[i]);
	}
	for (size_t i = 0; i < p->n_patterns; i++) {
		bool never;
		uint32_t choice = choose(&p->pattern[i], out, &never);

		if (never)
			return UINT8_MAX;
		if (choice && (!best || __builtin_popcount(choice) < __builtin_popcount(best)))
			best = choice;
	}
	return best ? number_of_choice(p, best) : OPEN;
}

static bool
judge_all(struct tn_prefilter *p, const struct tn_set *set, const struct tn_text *text)
{
	struct tn_str room = { 0 };
	size_t n = 0;
	bool useful = false;

	p->n_streams = set->n_streams;
	for (size_t t = 0; t < set->n_traces; t++)
		n += set->trace[t]->n_event_classes;
	p->verdict = TN_NEW_ARRAY(&p->arena, n + 1, uint8_t);
	p->judged = TN_NEW_ARRAY(&p->arena, n + 1, struct judged);
	p->first_class = TN_NEW_ARRAY(&p->arena, set->n_streams + 1, size_t);
	if (!p->verdict || !p->judged || !p->first_class)
		return false;
	n = 0;
	for (size_t t = 0; t < set->n_traces; t++) {
		const struct tn_trace *trace = set->trace[t];
		bool some = false;

		for (size_t s = 0; s < set->n_streams; s++)
			if (set->stream[s]->trace == trace) {
				p->first_class[s] = n;
				some = tn_text_trace_words(text, set->stream[s]) != NULL;
			}
		for (size_t i = 0; some && i < trace->n_event_classes; i++) {
			p->verdict[n + i] = judge(p, text, trace->event_class[i], &room, &p->judged[n + i]);
			useful |= p->verdict[n + i] != OPEN;
		}
		n += trace->n_event_classes;
	}
	tn_str_release(&room);
	return useful;
}

struct tn_prefilter *
tn_prefilter_new(const struct tn_set *set, const struct tn_text *text, const char *const *pattern, size_t n_patterns)
{
	struct tn_prefilter *p = calloc(1, sizeof *p);
	size_t n_classes = 0;

	for (size_t i = 0; i < set->n_traces; i++)
		n_classes += set->trace[i]->n_event_classes;
	for (size_t i = 0; p && i < n_patterns && p->n_patterns < PATTERNS; i++)
		add_pattern(p, pattern[i], n_classes > MANY_CLASSES);
	if (p && p->n && judge_all(p, set, text))
		return p;
	tn_prefilter_free(p);
	return NULL;
}

void
tn_prefilter_free(struct tn_prefilter *p)
{
	if (!p)
		return;
	tn_arena_release(&p->arena);
	free(p);
}

/* ---- one event ---- */

/* The text does not begin between `from` and `hit`. The bytes after `end` were not searched. */
struct tn_prefilter_window {
	const uint8_t *from, *hit, *end;
};

#define WINDOW 4096	/* bytes that are searched at a time: more than an event, but few useless ones */

#define MOST_TAILED 4096	/* size of the largest event whose line is never cut */

/* Whether the line may continue as needed after the text, which ends at @at, as long as bytes need no escapes. */
static bool
goes_on(const struct literal *l, const uint8_t *at, const uint8_t *packet_end)
{
	for (size_t i = 0; i < l->n_tail && at < packet_end; i++, at++) {
		if (!stands_for_itself(*at))
			break;
		if (l->tail[i] != ANY && l->tail[i] != (char)*at)
			return false;
	}
	return true;
}

/* Find the text with the needed continuation; @end: it does not occur. */
static const uint8_t *
find(const struct literal *l, const uint8_t *from, const uint8_t *end, const uint8_t *packet_end)
{
	/* Search for the rare byte first, because memchr() is faster than any other search. */
	while ((size_t)(end - from) >= l->bytes_n) {
		const uint8_t *at = memchr(from + l->rare, l->bytes[l->rare], (size_t)(end - from) - l->bytes_n + 1);

		if (!at)
			return end;
		at -= l->rare;
		if (memcmp(at, l->bytes, l->bytes_n) == 0 && goes_on(l, at + l->bytes_n, packet_end))
			return at;
		from = at + 1;
	}
	return end;
}

/* The end of an event's bytes, at most the start of the next event. */
static const uint8_t *
end_of(const struct tn_batch *b, size_t row, const uint8_t *begin, const uint8_t *packet_end)
{
	uint64_t bit = b->end.bit;

	while (++row < b->refs.n)
		if (b->refs.item[row].event_class != TN_REF_NOTICE) {
			bit = b->base_bit + b->refs.item[row].bit;
			break;
		}
	/* The rows are not in the order of their bytes, or the end is invalid. */
	if (bit / 8 < (uint64_t)(begin - b->data) || bit / 8 >= (uint64_t)(packet_end - b->data))
		return packet_end;
	return b->data + (bit + 7) / 8;
}

static bool
bytes_have(const struct literal *l, struct tn_prefilter_window *w, const struct tn_batch *b, size_t row)
{
	const uint8_t *packet_end = b->data + (b->entry.size_bits + 7) / 8;
	const uint8_t *begin = b->data + (b->base_bit + b->refs.item[row].bit) / 8;
	const uint8_t *end = end_of(b, row, begin, packet_end);

	if (l->n_tail && end - begin > MOST_TAILED)
		return memmem(begin, (size_t)(end - begin), l->bytes, l->bytes_n) != NULL;
	if (begin < w->from || end > w->end || w->hit < begin) {
		w->from = begin;
		w->end = (size_t)(packet_end - begin) > WINDOW && end < begin + WINDOW ? begin + WINDOW : end;
		w->hit = find(l, begin, w->end, packet_end);
	}
	return w->hit + l->bytes_n <= end;
}

static struct tn_prefilter_window *
window_of(const struct tn_prefilter *p, const struct tn_prefilter_state *state, const struct tn_batch *b, unsigned literal)
{
	return &state->window[b->stream->rank * p->n + literal];
}

bool
tn_prefilter_may_match(const struct tn_prefilter *p, struct tn_prefilter_state *state, const struct tn_batch *b,
		       size_t row)
{
	uint8_t verdict = p->verdict[p->first_class[b->stream->rank] + b->refs.item[row].event_class];

	if (verdict == OPEN)
		return true;
	if (verdict == UINT8_MAX)
		return false;
	if (!state->window && !(state->window = calloc(p->n_streams * p->n, sizeof *state->window)))
		return true;
	for (uint32_t left = p->choice[verdict - BYTES]; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);

		if (bytes_have(&p->literal[i], window_of(p, state, b, i), b, row))
			return true;
	}
	return false;
}

/* A range of bits, after base_bit, in which no row contains the literal that was searched for last. */
struct without {
	unsigned verdict;	/* OPEN: no literal was searched for */
	uint64_t from, to;
};

/* Extend the range for one literal. False: nothing is known. */
static bool
cut_without(const struct literal *l, const struct tn_prefilter_window *w, const struct tn_batch *b, struct without *out)
{
	const uint8_t *to;
	uint64_t from_bit, to_bit;

	if (!w->from || w->from < b->data)
		return false;
	to = w->hit < w->end ? w->hit + l->bytes_n - 1 : w->end;
	if ((uint64_t)(to - b->data) * 8 < b->base_bit || (l->n_tail && to - w->from > WINDOW))
		return false;
	from_bit = (uint64_t)(w->from - b->data) * 8 <= b->base_bit ? 0 : (uint64_t)(w->from - b->data) * 8 - b->base_bit;
	to_bit = (uint64_t)(to - b->data) * 8 - b->base_bit;
	out->from = from_bit > out->from ? from_bit : out->from;
	out->to = to_bit < out->to ? to_bit : out->to;
	return true;
}

static struct without
find_without(const struct tn_prefilter *p, const struct tn_prefilter_state *state, const struct tn_batch *b, uint8_t verdict)
{
	struct without without = { .verdict = verdict, .to = UINT64_MAX };

	for (uint32_t left = p->choice[verdict - BYTES]; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);

		if (!state->window || !cut_without(&p->literal[i], window_of(p, state, b, i), b, &without))
			return (struct without) { .verdict = OPEN };
	}
	return without;
}

void
tn_prefilter_rows(const struct tn_prefilter *p, struct tn_prefilter_state *state, const struct tn_batch *b, size_t row,
		  size_t n, uint8_t *pass)
{
	const uint8_t *of_class = p->verdict + p->first_class[b->stream->rank];
	const struct tn_ref *ref = b->refs.item + row;
	struct without without = { .verdict = OPEN };

	for (size_t i = 0; i < n; i++) {
		uint8_t verdict;

		if (!pass[i] || ref[i].event_class == TN_REF_NOTICE)
			continue;
		verdict = of_class[ref[i].event_class];
		if (verdict == UINT8_MAX) {
			pass[i] = 0;
		} else if (verdict == without.verdict && verdict != OPEN && i + 1 < n && ref[i + 1].event_class != TN_REF_NOTICE &&
			   ref[i].bit >= without.from && ref[i + 1].bit >= ref[i].bit && ref[i + 1].bit <= without.to) {
			pass[i] = 0;
		} else if (verdict != OPEN) {
			pass[i] = tn_prefilter_may_match(p, state, b, row + i);
			without = find_without(p, state, b, verdict);
		}
	}
}

/* ---- a packet ---- */

/* Whether some text of the packet may contain the literal and its tail. @any replaces ANY. */
static bool
may_have_after(const struct tn_zone *texts, const struct literal *l, char any)
{
	char text[TN_LITERAL_SIZE + TN_TAIL_SIZE];

	memcpy(text, l->bytes, l->bytes_n);
	memcpy(text + l->bytes_n, l->tail, 1 + l->n_rest);
	if (!l->tail[0])
		text[l->bytes_n] = any;
	return tn_zone_may_have_inside(texts, text, l->bytes_n + 1 + l->n_rest);
}

/* Like may_have_after(), for a text with a character beyond ASCII: only parts without this character can be searched for. */
static bool
may_have_beyond(const struct tn_zone *texts, const struct literal *l)
{
	char text[TN_TAIL_SIZE];

	if (l->n_rest < TN_NGRAM - 1)
		return true;
	memcpy(text, l->tail, 1 + l->n_rest);
	for (unsigned c = 0x80; c < 0x100; c++) {
		text[0] = (char)c;
		if (tn_zone_may_have_inside(texts, text, 1 + l->n_rest))
			return true;
	}
	return false;
}

static bool
texts_may_have(const struct tn_zone *texts, const struct literal *l)
{
	if (texts->kind != TN_ZONE_TEXT)
		return texts->kind != TN_ZONE_NONE;
	if (!tn_zone_may_have_inside(texts, l->bytes, l->bytes_n))
		return false;
	if (!l->n_rest)
		return true;
	if (l->tail[0])
		return may_have_after(texts, l, 0);
	for (unsigned c = 0x20; c < 0x7f; c++)
		if (stands_for_itself((uint8_t)c) && may_have_after(texts, l, (char)c))
			return true;
	return texts->beyond && may_have_beyond(texts, l);
}

bool
tn_prefilter_needs_texts(const struct tn_prefilter *p)
{
	return p && p->asks_texts;
}

bool
tn_prefilter_may_pass(const struct tn_prefilter *p, const struct tn_stream *stream, uint32_t event_class,
		      const struct tn_zone *texts)
{
	const struct judged *j = &p->judged[p->first_class[stream->rank] + event_class];

	for (size_t i = 0; i < p->n_patterns; i++) {
		bool may = false;

		for (size_t k = 0; k < p->pattern[i].n && !may; k++) {
			uint32_t bytes = texts ? p->pattern[i].branch[k] & j->bytes : 0;

			may = !(p->pattern[i].branch[k] & j->never);
			for (; bytes && may; bytes &= bytes - 1)
				may = texts_may_have(texts, &p->literal[__builtin_ctz(bytes)]);
		}
		if (!may)
			return false;
	}
	return true;
}
