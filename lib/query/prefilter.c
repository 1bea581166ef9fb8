#include <config.h>

#include "query/prefilter.h"

#include <ctype.h>
#include <limits.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "text/head.h"

#define LITERALS 4
#define SHORTEST 3	/* shorter ones are everywhere */

/* ---- what a pattern cannot do without ---- */

/* Characters that stand between the parts of a line never do inside one of these. */
static bool
is_inner(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_/@%&#$!;~^|`.-+", c));
}

struct literals {
	char (*out)[TN_LITERAL_SIZE];
	size_t n, room;
	char run[TN_LITERAL_SIZE];
	size_t run_n;
};

/* The run ends: keep it in its place by length. */
static void
end_run(struct literals *l)
{
	if (l->run_n >= SHORTEST) {
		size_t i = l->n < l->room ? l->n++ : l->room;

		for (; i > 0 && strlen(l->out[i - 1]) < l->run_n; i--)
			if (i < l->room)
				memcpy(l->out[i], l->out[i - 1], TN_LITERAL_SIZE);
		if (i < l->room) {
			memcpy(l->out[i], l->run, l->run_n);
			l->out[i][l->run_n] = '\0';
		}
	}
	l->run_n = 0;
}

static const char *
skip_blanks(const char *c)
{
	while (*c == ' ' || *c == '\t')
		c++;
	return c;
}

/*
 * Behind "{": the smallest number of times; *at is put behind "}". False when it is no quantifier in any
 * version of PCRE2: "{,3}" and blanks as in "{ 0, 3 }" are one since 10.43, text before; neither the text
 * nor what it would leave out is then looked for.
 */
static bool
parse_times(const char **at, unsigned *least)
{
	const char *c = skip_blanks(*at);

	if (!isdigit((unsigned char)*c) && *c != ',')
		return false;
	for (*least = 0; isdigit((unsigned char)*c); c++)
		*least = *least > 9999 ? *least : *least * 10 + (unsigned)(*c - '0');
	c = skip_blanks(c);
	if (*c == ',')
		for (c = skip_blanks(c + 1); isdigit((unsigned char)*c); c++)
			;
	c = skip_blanks(c);
	if (*c != '}')
		return false;
	*at = c + 1;
	return true;
}

/* A quantifier may follow: how often the item has to be there at least; *once: there is none. */
static unsigned
parse_quantifier(const char **at, bool *once)
{
	unsigned least = 1;
	const char *c = *at;

	*once = false;
	if (*c == '*' || *c == '?')
		least = 0, c++;
	else if (*c == '+')
		c++;
	else if (*c == '{' && (c++, parse_times(&c, &least)))
		;
	else {
		*once = true;
		return 1;
	}
	c += *c == '?' || *c == '+';	/* lazy, possessive */
	*at = c;
	return least;
}

/* Put *at behind a character class "[...]"; false when it is not one that is understood. */
static bool
skip_class(const char **at)
{
	const char *c = *at + 1;

	c += *c == '^';
	c += *c == ']';
	while (*c && *c != ']') {
		if (*c == '[')
			return false;	/* [:alpha:] and the like */
		if (*c == '\\' && !*++c)
			return false;
		c++;
	}
	*at = c + (*c == ']');
	return *c == ']';
}

/* One item of the pattern: *c is its character when it is one that stands for itself, else 0. */
static bool
parse_item(const char **at, char *c)
{
	const char *p = *at;

	*c = 0;
	switch (*p) {
	case '[':
		return skip_class(at);
	case '(': case ')': case '|': case '*': case '?': case '+':
		return false;	/* groups and alternatives: too much for this */
	case '\\':
		if (!p[1] || p[1] == 'Q' || p[1] == 'E' || p[1] == 'K' || p[1] == 'c' || p[1] == 'x' || p[1] == 'o' ||
		    p[1] == 'p' || p[1] == 'P' || p[1] == 'N' || p[1] == 'g' || p[1] == 'k' || p[1] == 'u' ||
		    isdigit((unsigned char)p[1]))
			return false;
		if (!isalnum((unsigned char)p[1]))
			*c = p[1];
		*at = p + 2;
		return true;
	case '.': case '^': case '$':
		*at = p + 1;
		return true;
	default:
		*c = *p;
		*at = p + 1;
		/* All of a character of several bytes, and never itself. */
		if ((unsigned char)*p >= 0x80) {
			*c = 0;
			while (((unsigned char)**at & 0xc0) == 0x80)
				++*at;
		}
		return true;
	}
}

size_t
tn_pattern_literals(const char *pattern, char (*out)[TN_LITERAL_SIZE], size_t room)
{
	struct literals l = { .out = out, .room = room };

	for (size_t i = 0; i < room; i++)
		out[i][0] = '\0';
	while (*pattern) {
		unsigned least;
		bool once;
		char c;

		if (!parse_item(&pattern, &c))
			return 0;
		least = parse_quantifier(&pattern, &once);
		if (least && is_inner(c)) {
			if (l.run_n == TN_LITERAL_SIZE - 1)
				end_run(&l);
			l.run[l.run_n++] = c;
			if (once)
				continue;
			/* "ab+c": "ab", and then "bc" from the last of the b. */
			end_run(&l);
			l.run[l.run_n++] = c;
		} else {
			end_run(&l);
		}
	}
	end_run(&l);
	return l.n;
}

/* ---- what stands behind such a text ---- */

/* The characters that follow, as far as each is one character: itself, or ANY. */
#define ANY '\0'

static size_t
parse_items(const char *at, char *out)
{
	size_t n = 0;

	while (*at && n < TN_TAIL_SIZE) {
		const char *item = at;
		bool once;
		char c;

		if (strchr("^$", *item) || (unsigned char)*item >= 0x80 ||
		    (*item == '\\' && isalnum((unsigned char)item[1]) && !strchr("dDwWsShHvV", item[1])))
			break;	/* no character, or no single byte */
		if (!parse_item(&at, &c) || (parse_quantifier(&at, &once), !once))
			break;
		out[n++] = c ? c : ANY;
	}
	return n;
}

size_t
tn_pattern_tail(const char *pattern, const char *literal, char out[TN_TAIL_SIZE])
{
	char run[TN_LITERAL_SIZE];
	size_t n = 0;

	while (*pattern) {
		const char *item = pattern;
		unsigned least;
		bool once;
		char c;

		if (!parse_item(&pattern, &c))
			return 0;
		least = parse_quantifier(&pattern, &once);
		if (least && is_inner(c)) {
			if (n == TN_LITERAL_SIZE - 1 || !once)
				n = 0;
			run[n++] = c;
			continue;
		}
		if (n == strlen(literal) && memcmp(run, literal, n) == 0) {
			n = parse_items(item, out);
			/* A string may end behind the text: then come a quote, and a comma or a blank, which are not inner. */
			return n >= 2 && is_inner(out[1]) ? n : 0;
		}
		n = 0;
	}
	return 0;
}

/* ---- what a class can have ---- */

enum verdict {
	OPEN,		/* its line may have the text */
	BYTES,		/* only if its bytes have it */
	NEVER
};

struct literal {
	char text[TN_LITERAL_SIZE];
	size_t n;
	/* What has to be among the bytes: all but a beginning that may come from an escape. */
	const char *bytes;
	size_t bytes_n;
	size_t rare;		/* which of the bytes is the least common */
	char tail[TN_TAIL_SIZE];
	size_t n_tail;
};

struct tn_prefilter {
	struct literal literal[LITERALS];
	size_t n;
	size_t n_streams;
	uint8_t *verdict;	/* by class of all traces: NEVER, OPEN, or BYTES + number of the literal */
	size_t *first_class;	/* by rank */
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

/* Digits of all bases, exponents, inf, nan: may the text be inside a number? */
static bool
is_numeric(const struct literal *l)
{
	return strspn(l->text, "0123456789abcdefABCDEFxin+-.") == l->n;
}

/* Words of the line that no metadata gives. */
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

/* What is in a scope: its own words decide at once, strings are remembered. */
static enum verdict
judge_field(const struct literal *l, const struct tn_field *f, bool *strings)
{
	const struct tn_type *t = f->type;

	if (has_word(l, f->label) || has_word(l, f->name))
		return OPEN;
	for (size_t i = 0; i < t->n_mappings; i++) {
		for (const char *c = t->mapping[i].label; *c; c++)
			if (iscntrl((unsigned char)*c))
				return OPEN;	/* its escapes have letters */
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

/* @head: what stands before the fields; NULL: not known. */
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
			return OPEN;	/* its bytes are not the event's */
	}
	if (!strings)
		return NEVER;
	/* Other formats make strings that are not in the file. */
	return strncmp(ec->stream_class->trace->format, "CTF", 3) == 0 ? BYTES : OPEN;
}

/*
 * An occurrence may begin inside an escape that the line made of one byte: "\n", "\x1b". How many of
 * the first characters can be of one.
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

/* How common a byte is in what is recorded, roughly: small numbers, digits, then letters of words. */
static unsigned
commonness(unsigned char c)
{
	static const char by_rarity[] = "~`^|;@$#&!%+QZXJKVWYqzjxkvwGHBUPFMbDyOLCRNTISAEgpfhmudclonrs-ait_.e/";
	const char *at = c ? strchr(by_rarity, c) : NULL;

	return at ? (unsigned)(at - by_rarity) : 100;
}

bool
tn_pattern_pair(const char *pattern, char out[2])
{
	unsigned best = UINT_MAX;
	char last = 0;

	while (*pattern) {
		unsigned sum;
		bool once;
		char c;

		if (!parse_item(&pattern, &c))
			return false;
		if (parse_quantifier(&pattern, &once), !once)
			c = 0;
		sum = commonness((unsigned char)last) + commonness((unsigned char)c);
		if (last && c && sum < best) {
			best = sum;
			out[0] = last;
			out[1] = c;
		}
		last = c;
	}
	return best < UINT_MAX;
}

bool
tn_has_pair(const char *text, size_t n, const char pair[2])
{
	size_t i = 0;

#ifdef __SSE2__
	__m128i first = _mm_set1_epi8(pair[0]), second = _mm_set1_epi8(pair[1]);

	for (; n - i >= 17; i += 16) {
		__m128i a = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(text + i + 1));

		if (_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(a, first), _mm_cmpeq_epi8(b, second))))
			return true;
	}
#endif
	for (; i + 1 < n; i++)
		if (text[i] == pair[0] && text[i + 1] == pair[1])
			return true;
	return false;
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
		if (commonness((unsigned char)l->bytes[i]) < commonness((unsigned char)l->bytes[l->rare]))
			l->rare = i;
}

static void
add_pattern(struct tn_prefilter *p, const char *pattern)
{
	char found[LITERALS][TN_LITERAL_SIZE];
	size_t n = tn_pattern_literals(pattern, found, LITERALS);

	for (size_t i = 0; i < n && p->n < LITERALS; i++)
		if (of_escape(found[i]) + 1 < strlen(found[i])) {
			struct literal *l = &p->literal[p->n++];

			set_literal(l, found[i]);
			l->n_tail = tn_pattern_tail(pattern, found[i], l->tail);
		}
}

/* All literals are needed: one that is nowhere decides; else the first one that can be looked for. */
static uint8_t
judge(const struct tn_prefilter *p, const struct tn_text *text, const struct tn_event_class *ec, struct tn_str *room)
{
	const struct tn_str *head = NULL;
	uint8_t verdict = OPEN;

	tn_str_clear(room);
	if (ec->name && text->options.format == TN_LINE_TEXT) {
		tn_head_put(text, ec->stream_class->trace, ec, room);
		head = room->failed || !room->n ? NULL : room;
	}
	for (size_t i = 0; i < p->n; i++) {
		enum verdict v = judge_class(&p->literal[i], head, ec);

		if (v == NEVER)
			return UINT8_MAX;
		if (v == BYTES && verdict == OPEN)
			verdict = (uint8_t)(BYTES + i);
	}
	return verdict;
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
	p->first_class = TN_NEW_ARRAY(&p->arena, set->n_streams + 1, size_t);
	if (!p->verdict || !p->first_class)
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
			p->verdict[n + i] = judge(p, text, trace->event_class[i], &room);
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

	for (size_t i = 0; p && i < n_patterns; i++)
		add_pattern(p, pattern[i]);
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

/* Between `from` and `hit` the text does not begin; nobody has looked behind `end`. */
struct tn_prefilter_window {
	const uint8_t *from, *hit, *end;
};

#define WINDOW 4096	/* bytes looked at at a time: more than an event, less than would be for nothing */

#define MOST_TAILED 4096	/* bytes of an event whose line is never cut */

/* Whether the line may go on as it must behind the text, which ends at @at: as long as bytes stand for themselves. */
static bool
goes_on(const struct literal *l, const uint8_t *at, const uint8_t *packet_end)
{
	for (size_t i = 0; i < l->n_tail && at < packet_end; i++, at++) {
		if (*at < 0x20 || *at >= 0x7f || strchr("\"'\\?", *at))
			break;
		if (l->tail[i] != ANY && l->tail[i] != (char)*at)
			return false;
	}
	return true;
}

/* Where the text begins that goes on as it must; @end when it is not there. */
static const uint8_t *
find(const struct literal *l, const uint8_t *from, const uint8_t *end, const uint8_t *packet_end)
{
	/* The rare byte first: memchr() is the fastest thing there is. */
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

/* The bytes of an event reach to the next event's at most. */
static const uint8_t *
end_of(const struct tn_batch *b, size_t row, const uint8_t *begin, const uint8_t *packet_end)
{
	uint64_t bit = b->end.bit;

	while (++row < b->refs.n)
		if (b->refs.item[row].event_class != TN_REF_NOTICE) {
			bit = b->base_bit + b->refs.item[row].bit;
			break;
		}
	/* Rows that are not in the order of their bytes; an end that is none. */
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

bool
tn_prefilter_may_match(const struct tn_prefilter *p, struct tn_prefilter_state *state, const struct tn_batch *b,
		       size_t row)
{
	uint8_t verdict = p->verdict[p->first_class[b->stream->rank] + b->refs.item[row].event_class];

	if (verdict == OPEN)
		return true;
	if (verdict == UINT8_MAX)
		return false;
	if (!state->window && !(state->window = calloc(p->n_streams * LITERALS, sizeof *state->window)))
		return true;
	verdict -= BYTES;
	return bytes_have(&p->literal[verdict], &state->window[b->stream->rank * LITERALS + verdict], b, row);
}

/* Rows whose bytes lie between these bits, behind base_bit, have none of it: what was looked for last. */
struct without {
	unsigned verdict;	/* OPEN: nothing was */
	uint64_t from, to;
};

static struct without
find_without(const struct tn_prefilter *p, const struct tn_prefilter_state *state, const struct tn_batch *b, uint8_t verdict)
{
	const struct literal *l = &p->literal[verdict - BYTES];
	const struct tn_prefilter_window *w = state->window ? &state->window[b->stream->rank * LITERALS + verdict - BYTES] : NULL;
	const uint8_t *to;

	if (!w || !w->from || w->from < b->data)
		return (struct without) { .verdict = OPEN };
	to = w->hit < w->end ? w->hit + l->bytes_n - 1 : w->end;
	if ((uint64_t)(to - b->data) * 8 < b->base_bit || (l->n_tail && to - w->from > WINDOW))
		return (struct without) { .verdict = OPEN };
	return (struct without) {
		.verdict = verdict,
		.from = (uint64_t)(w->from - b->data) * 8 <= b->base_bit ? 0 : (uint64_t)(w->from - b->data) * 8 - b->base_bit,
		.to = (uint64_t)(to - b->data) * 8 - b->base_bit,
	};
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
