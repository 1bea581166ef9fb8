/*
 * automaton.h - a pattern as a table, byte by byte: what it refuses has no match
 *
 * It takes all texts that the pattern (PCRE2, UTF-8, case matters) has a match in, and some more: what looks around,
 * anchors and boundaries of words are left out of it, and any character beyond ASCII stands for any other. So it answers
 * for the parts of a text by themselves: the state that one part leaves is the one that the next part begins with.
 */
#ifndef TN_BASE_AUTOMATON_H
#define TN_BASE_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_AUTOMATON_STATES 200	/* at most; a pattern that has more has none */
#define TN_AUTOMATON_FOUND 0	/* the state in which there may be a match, and stays */

struct tn_automaton {
	size_t n;		/* states */
	uint8_t begin;
	uint8_t (*next)[256];	/* by state and byte */
};

/* False: the pattern is too much for this, or memory is out. Freed by tn_automaton_release(). */
bool tn_automaton_make(struct tn_automaton *out, const char *pattern);
void tn_automaton_release(struct tn_automaton *a);

static inline uint8_t
tn_automaton_run(const struct tn_automaton *a, uint8_t state, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		state = a->next[state][(uint8_t)text[i]];
	return state;
}

#endif
