/*
 * skim.c - what a pattern makes of the lines of each class
 */
#include "text/skim.h"

#include <stdlib.h>

#include "text/class_words.h"
#include "text/template.h"

#define MOST_CONSTANT 65536	/* bytes of a line beside its values */
#define MOST_OPS 200		/* of a class */
#define MOST_WORK ((size_t)16 << 20)	/* bytes of tables, and steps to make them: a few hundredths of a second */

/* States as flags. */
struct states {
	bool is[TN_AUTOMATON_STATES];
};

/* What is reached from a state by any text of these characters. */
static void
spread(const struct tn_automaton *a, struct states *s, uint8_t from, const bool *character)
{
	uint8_t stack[TN_AUTOMATON_STATES];
	size_t n = 0;

	memset(s, 0, sizeof *s);
	s->is[from] = true;
	stack[n++] = from;
	while (n) {
		const uint8_t *next = a->next[stack[--n]];

		for (unsigned c = 0; c < 256; c++)
			if (character[c] && !s->is[next[c]]) {
				s->is[next[c]] = true;
				stack[n++] = next[c];
			}
	}
}

static void
allow(bool *character, const char *some)
{
	for (; *some; some++)
		character[(uint8_t)*some] = true;
}

/* What a value may be made of. */
static void
characters_of(enum tn_template_code code, const struct tn_template_array *array, bool character[256])
{
	memset(character, 0, 256 * sizeof *character);
	switch (code) {
	case TN_TEMPLATE_SIGNED:
		allow(character, "-0123456789");
		break;
	case TN_TEMPLATE_DECIMAL:
		allow(character, "0123456789");
		break;
	case TN_TEMPLATE_HEX:
		allow(character, "0123456789ABCDEF");
		break;
	case TN_TEMPLATE_LOAD: case TN_TEMPLATE_SAVE: case TN_TEMPLATE_PASS: case TN_TEMPLATE_CHECK: case TN_TEMPLATE_END:
		break;
	case TN_TEMPLATE_ARRAY:
		allow(character, "-0123456789ABCDEF[]=, ");
		for (size_t i = 0; i < array->lead.n; i++)
			character[(uint8_t)array->lead.text[i]] = true;
		for (size_t i = 0; i < array->tail.n; i++)
			character[(uint8_t)array->tail.text[i]] = true;
		break;
	default:
		memset(character, true, 256 * sizeof *character);
		break;
	}
}

struct making {
	struct tn_skim *skim;
	struct states *of_code[TN_TEMPLATE_RUN + 1];	/* by code of a value and state; NULL: not yet made */
	size_t left;		/* of MOST_WORK */
};

/* By state, what is reached by the value of @op; NULL: memory is out, or there is too much to do. */
static const struct states *
states_of(struct making *m, const struct tn_template_op *op)
{
	const struct tn_automaton *a = &m->skim->automaton;
	struct states **made = &m->of_code[op->code];
	size_t work = a->n * a->n * 256;
	bool character[256];

	if (*made && op->code != TN_TEMPLATE_ARRAY)
		return *made;
	if (work > m->left || (!*made && !(*made = calloc(a->n, sizeof **made))))
		return NULL;
	m->left -= work;
	characters_of((enum tn_template_code)op->code, op->code == TN_TEMPLATE_ARRAY ? op->array : NULL, character);
	for (size_t i = 0; i < a->n; i++)
		spread(a, &(*made)[i], (uint8_t)i, character);
	return *made;
}

/* The tables of an operation, from those of the one behind it; @next NULL: nothing comes. False: it cannot be. */
static bool
make_op(struct making *m, const struct tn_template_op *op, struct tn_skim_op *out, const struct tn_skim_op *next)
{
	const struct tn_automaton *a = &m->skim->automaton;
	const struct states *states = states_of(m, op);

	for (size_t i = 0; states && i < a->n; i++) {
		const struct states *s = &states[i];
		unsigned behind = UINT8_MAX + 1;

		out->lead[i] = tn_automaton_run(a, (uint8_t)i, op->lead, op->lead_n);
		out->dead[i] = !s->is[TN_AUTOMATON_FOUND];
		for (size_t k = 0; k < a->n; k++) {
			unsigned to;

			if (!s->is[k])
				continue;
			to = next ? next->lead[k] : 0;
			out->dead[i] &= !next || (to != TN_AUTOMATON_FOUND && next->dead[to]);
			behind = behind == UINT8_MAX + 1 || behind == to ? to : TN_SKIM_NEED;
		}
		out->skip[i] = s->is[TN_AUTOMATON_FOUND] || behind == TN_AUTOMATON_FOUND ? TN_SKIM_NEED : (uint8_t)behind;
	}
	return states != NULL;
}

static void
make_class(struct making *m, const struct tn_trace_words *trace, size_t class, struct tn_skim_class *out)
{
	struct tn_skim *skim = m->skim;
	size_t states = skim->automaton.n, work;
	const struct tn_class_words *words = m->left ? tn_class_words(skim->text, trace, class) : NULL;
	const struct tn_template *t = words ? words->template : NULL;
	size_t n = 0;

	if (!t || !words->whole || t->need > MOST_CONSTANT || words->repeat_bytes > TN_SKIM_BYTES)
		return;
	while (t->op[n].code != TN_TEMPLATE_END && t->op[n].code != TN_TEMPLATE_RUN)
		n++;
	work = ++n * (sizeof *out->op + states * states) + states * t->need;
	if (n > MOST_OPS)
		return;
	if (work > m->left) {	/* the words of more classes are not made for this */
		m->left = 0;
		return;
	}
	m->left -= work;
	out->op = tn_arena_alloc(&skim->arena, n * sizeof *out->op);
	if (!out->op)
		return;
	for (size_t i = n; i-- > 0;)
		if (!make_op(m, &t->op[i], &out->op[i], i + 1 < n ? &out->op[i + 1] : NULL))
			return;
	out->words = words;
	skim->need = t->need > skim->need ? t->need : skim->need;
}

/* The state behind any stamp, and behind none; false: it depends on the time. */
static bool
find_begin(struct tn_skim *skim)
{
	const struct tn_automaton *a = &skim->automaton;
	struct states s;
	bool character[256] = { false };

	skim->begin = a->begin;
	if (skim->text->options.names & TN_NAMES_HEADER)
		return false;
	/* "[2026-11-22 01:45:08.059427221] (+0.000021405) " */
	allow(character, "0123456789+-.:? []()");
	spread(a, &s, a->begin, character);
	for (size_t i = 0; i < a->n; i++)
		if (s.is[i] && a->next[i][' '] != a->begin)
			return false;
	return a->begin != TN_AUTOMATON_FOUND;
}

static bool
make_streams(struct tn_skim *skim, const struct tn_set *set)
{
	struct making m = { .skim = skim, .left = MOST_WORK };
	bool made = true;

	skim->n_streams = set->n_streams;
	skim->of_stream = calloc(set->n_streams + 1, sizeof *skim->of_stream);
	for (size_t i = 0; skim->of_stream && i < set->n_traces; i++) {
		const struct tn_trace *t = set->trace[i];
		struct tn_skim_class *class = tn_arena_alloc(&skim->arena, (t->n_event_classes + 1) * sizeof *class);

		made &= class != NULL;
		if (!class)
			break;
		memset(class, 0, (t->n_event_classes + 1) * sizeof *class);
		for (size_t s = 0; s < t->n_streams; s++) {
			const struct tn_trace_words *words = tn_text_trace_words(skim->text, t->stream[s]);

			if (!words || t->stream[s]->rank >= set->n_streams)
				continue;
			for (size_t c = 0; c < t->n_event_classes; c++)
				if (!class[c].words && t->event_class[c]->stream_class == t->stream[s]->stream_class) {
					class[c].number = c;
					make_class(&m, words, c, &class[c]);
				}
			skim->of_stream[t->stream[s]->rank] = class;
		}
	}
	for (size_t i = 0; i < TN_COUNT(m.of_code); i++)
		free(m.of_code[i]);
	return made && skim->of_stream;
}

struct tn_skim *
tn_skim_new(const struct tn_set *set, const struct tn_text *text, const char *pattern)
{
	struct tn_skim *skim;

	if (text->options.format != TN_LINE_TEXT || text->options.color || !(skim = calloc(1, sizeof *skim)))
		return NULL;
	skim->text = text;
	if (tn_automaton_make(&skim->automaton, pattern) && find_begin(skim) && make_streams(skim, set))
		return skim;
	tn_skim_free(skim);
	return NULL;
}

void
tn_skim_free(struct tn_skim *skim)
{
	if (!skim)
		return;
	tn_automaton_release(&skim->automaton);
	tn_arena_release(&skim->arena);
	free((void *)skim->of_stream);
	free(skim);
}

void
tn_skim_state_release(struct tn_skim_state *state)
{
	tn_line_state_release(&state->line);
	tn_str_release(&state->room);
	*state = (struct tn_skim_state) { 0 };
}
