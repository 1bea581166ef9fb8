/*
 * skim.h - which lines a pattern has no match in, without making them
 *
 * Of the line of a class all is known but its values (template.h): what an automaton of the pattern (base/automaton.h) does
 * with the text between them is looked up, and a value is written and read only where it can make a difference. What
 * is behind the last value that can is not looked at.
 */
#ifndef TN_TEXT_SKIM_H
#define TN_TEXT_SKIM_H

#include "base/arena.h"
#include "base/automaton.h"
#include "base/str.h"
#include "text/line.h"

struct tn_class_words;

#define TN_SKIM_NEED UINT8_MAX	/* no state: the value has to be looked at */

/* By state; of an operation of the template. */
struct tn_skim_op {
	uint8_t lead[TN_AUTOMATON_STATES];	/* behind the text that stands before its value */
	/* Of a state behind that: */
	bool dead[TN_AUTOMATON_STATES];		/* no value, here or later, makes a match */
	uint8_t skip[TN_AUTOMATON_STATES];	/* behind the text before the next value, whatever this one is */
};

struct tn_skim_class {
	const struct tn_class_words *words;	/* NULL: each line has to be made */
	struct tn_skim_op *op;
	size_t number;		/* of the class */
};

struct tn_skim {
	struct tn_automaton automaton;
	const struct tn_text *text;
	uint8_t begin;		/* behind any stamp */
	size_t need;		/* room for any line's numbers and constant text */
	size_t n_streams;
	const struct tn_skim_class **of_stream;	/* by rank, then by event class */
	struct tn_arena arena;
};

#define TN_SKIM_BYTES 64

/* What is kept of contexts: the state behind them. */
struct tn_skim_prefix {
	const struct tn_class_words *words;
	uint8_t state;
	bool dead;		/* no value behind them makes a match */
	uint8_t bytes[TN_SKIM_BYTES];	/* of the common context */
};

#define TN_SKIM_PREFIXES 16

/* Of a thread. Zeroed before first use; freed by tn_skim_state_release(). */
struct tn_skim_state {
	struct tn_line_state line;
	struct tn_str room;
	const uint8_t *data;	/* and packet that the prefixes are of */
	size_t packet;
	struct tn_skim_prefix prefix[TN_SKIM_PREFIXES];
	uint32_t seen, left;	/* rows: where most may match there is nothing to be had from it */
};

/* Lines of @text, which has no colour. NULL: the pattern is too much for it, or memory is out. */
struct tn_skim *tn_skim_new(const struct tn_set *set, const struct tn_text *text, const char *pattern);
void tn_skim_free(struct tn_skim *skim);	/* NULL is allowed */
void tn_skim_state_release(struct tn_skim_state *state);

/* Rows [row, row + n): pass[i], of an event whose line has no match, becomes 0. */
void tn_skim_rows(const struct tn_skim *skim, struct tn_skim_state *state, const struct tn_batch *batch, size_t row, size_t n,
		  uint8_t *pass);

#endif
