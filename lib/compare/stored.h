/*
 * stored.h - stored answers of comparisons and of "why" questions (answer/answer_cache.h)
 *
 * One function both writes and reads an answer: each tn_move_...() returns the value that it wrote, or the value that it
 * read.
 */
#ifndef TN_COMPARE_STORED_H
#define TN_COMPARE_STORED_H

#include <tnav/compare.h>

#include "answer/answer_cache.h"
#include "base/arena.h"

struct tn_moving {
	struct tn_answer_out *out;	/* NULL: the answer is being read */
	struct tn_answer_in in;		/* if `bad` is set, the answer is ignored */
	struct tn_arena *arena;		/* memory of the texts that are read */
	bool failed;			/* memory is out */
};

uint64_t tn_move_word(struct tn_moving *m, uint64_t word);
double tn_move_real(struct tn_moving *m, double real);
unsigned tn_move_choice(struct tn_moving *m, unsigned choice, unsigned n);	/* the choice is less than @n */
const char *tn_move_text(struct tn_moving *m, const char *text);	/* NULL is allowed */
struct tn_answer_value tn_move_value(struct tn_moving *m, struct tn_answer_value v);
/* The number of objects, each of which has at least @words words. */
size_t tn_move_count(struct tn_moving *m, size_t n, size_t words);

struct tn_stored_question {
	struct tn_selection *side;	/* one or two selections */
	size_t n;
	const struct tn_str *text;	/* the remaining part of the question */
	const struct tn_types *types;	/* types of the values in the answer */
	struct tn_arena *arena;
	void *user;
	/* Reads the events, with the current options of the sides. */
	enum tn_code (*read)(void *user, struct tn_error *err);
	void (*move)(void *user, struct tn_moving *m);	/* reads into an empty answer, or over an invalid one */
};

/* Add a text to a question, in a form that differs from all other texts. */
void tn_stored_say(struct tn_str *question, const char *what, const char *text);
/* Find the stored answer, or read the events and store the answer. */
enum tn_code tn_stored_answer(const struct tn_stored_question *q, struct tn_error *err) TN_MUST_CHECK;

#endif
