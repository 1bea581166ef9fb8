/* expression_tree.h - the tree of an expression, which the parser makes and the general path runs */
#ifndef TN_LANGUAGE_EXPRESSION_TREE_H
#define TN_LANGUAGE_EXPRESSION_TREE_H

#include "base/arena.h"
#include "language/expression.h"
#include "language/regex.h"

enum tn_node_kind {
	TN_NODE_OR, TN_NODE_AND, TN_NODE_NOT,	/* combinations of the nodes in `in` */
	TN_NODE_LINE,				/* the line matches `regex` */
	TN_NODE_HAS,
	TN_NODE_TRUE,				/* the value is not 0 and not empty */
	TN_NODE_EQUAL, TN_NODE_DIFFERENT, TN_NODE_LESS, TN_NODE_LESS_EQUAL, TN_NODE_GREATER, TN_NODE_GREATER_EQUAL,
	TN_NODE_MATCH, TN_NODE_NO_MATCH,
	TN_NODE_IN, TN_NODE_NOT_IN,
	TN_NODE_UNLESS				/* the node in `in` is not true: false or neither */
};

/* The result of a test. */
enum tn_truth { TN_FALSE, TN_TRUE, TN_NEITHER };

/* A number of any kind, which compares by its value. */
struct tn_number {
	bool is_float;
	bool is_negative;
	uint64_t magnitude;
	double f;
};

struct tn_literal {
	bool is_number;
	bool is_quoted;
	bool is_open;		/* this end of the range is open */
	struct tn_number number;
	const char *text;	/* the text, if it is not a number; for a number, its spelling */
	size_t n;
	const char *at;		/* position in the text of the expression */
};

struct tn_item {
	struct tn_literal low, high;	/* both are equal if the item is not a range */
	bool is_range;
};

struct tn_node {
	enum tn_node_kind kind;
	struct tn_node *in, *next;	/* first node inside; next node at the same level */
	/* The following members are for tests. */
	size_t number;			/* number of the test in the tree */
	struct tn_reference *reference;	/* NULL for TN_NODE_LINE */
	const char *at;			/* position in the text of the expression */
	struct tn_item *item;		/* one item; TN_NODE_IN may have several */
	size_t n_items;
	struct tn_regex *regex;
	struct tn_node *next_test;	/* the test that was parsed before */
};

struct tn_tree {
	struct tn_arena arena;
	struct tn_node *root;
	struct tn_node *tests;
	size_t n_tests;
	bool wants_line;
	const char *remark;		/* result of tn_expression_remark() */
};

struct tn_parser {
	const char *text, *at;
	const struct tn_language *language;
	struct tn_tree *tree;
	unsigned depth;
	struct tn_error *err;
};

enum tn_code tn_tree_parse(struct tn_tree *out, const struct tn_language *language, const char *text,
			   struct tn_error *err);
void tn_tree_release(struct tn_tree *tree);

/* ---- for the parts of the parser (expression_signs.c) ---- */

/* Set an error with place and text. Returns false. */
bool tn_parse_fail(struct tn_parser *p, const char *at, const char *format, ...) TN_PRINTF(3, 4);
bool tn_parse_memory(struct tn_parser *p);
void tn_parse_blanks(struct tn_parser *p);
bool tn_parse_take(struct tn_parser *p, const char *sign);
bool tn_parse_is_word(char c);
bool tn_parse_take_word(struct tn_parser *p, const char *word);	/* false if it is only the beginning of a longer word */

struct tn_node *tn_parse_node(struct tn_parser *p, enum tn_node_kind kind, struct tn_node *in);
struct tn_node *tn_parse_test(struct tn_parser *p);	/* makes a node of the tree */

/*
 * Convert a test of a field's symbol to tests of its addresses, by process and time (expression_symbol.c). The tree then
 * has everything that the answer depends on; it is in the keys of answers.
 */
struct tn_node *tn_expand_symbol(struct tn_parser *p, struct tn_node *test);

/* Parse a literal for a test of @reference (literal.c). */
bool tn_parse_literal(struct tn_parser *p, const struct tn_reference *reference, struct tn_literal *out);
bool tn_is_time(const struct tn_meaning *meaning);	/* a time in readable form, not a number of nanoseconds */
bool tn_parse_quoted(struct tn_parser *p, struct tn_literal *out);

/* Check that the test fits the fields that it names, and find the numbers of levels and labels (expression_check.c). */
bool tn_check_test(struct tn_parser *p, struct tn_node *test);

/* ---- deciding (expression_decide.c) ---- */

/* Compare two numbers: negative, 0 or positive; 2: one is not a number. */
int tn_number_compare(const struct tn_number *a, const struct tn_number *b);

/* Whether the text is the path of a trace, or its end: "kernel" for ".../session/kernel". */
bool tn_path_ends(const char *path, size_t n, const struct tn_literal *l);

struct tn_trial {
	struct tn_regex_room *room;
	enum tn_code code;
	bool gave_up;		/* a regex reached its limit for a text */
	struct tn_error *err;
};

/* The result of the test for one cell. */
enum tn_truth tn_test_cell(const struct tn_node *test, const struct tn_cell *cell, struct tn_trial *trial);

/* The result of a condition for an event, on the general path. */
enum tn_truth tn_decide(const struct tn_node *node, struct tn_expression_state *state, const char *line, size_t n,
			struct tn_trial *trial);

/* ---- compiled (condition.c), and run (condition_run.c) ---- */

struct tn_steps;

/*
 * Compile a condition for the events of one class, in @arena. NULL: memory is out, or a regex reached its limit for a
 * constant (*err).
 */
struct tn_steps *tn_steps_compile(struct tn_arena *arena, const struct tn_tree *tree, const struct tn_names *names,
				  size_t class, struct tn_error *err);
enum tn_verdict tn_steps_verdict(const struct tn_steps *steps);
/* TN_VERDICT_OPEN: the line decides, but was not passed. */
enum tn_verdict tn_steps_run(const struct tn_steps *steps, struct tn_expression_state *state, const struct tn_batch *batch,
			     size_t row, const char *line, size_t n, struct tn_trial *trial);

struct tn_observer;
void tn_observer_miss(struct tn_observer *observer);	/* NULL is allowed */

/*
 * Decide rows [row, end) whose *pass is still 1, without lines; notices are skipped. Returns the row before which it
 * stopped: a row whose class does not have steps yet, or a row with trouble; otherwise @end. @of_class is the entry of
 * the trace's first class.
 */
size_t tn_steps_run_rows(const _Atomic(struct tn_steps *) *of_class, size_t n_classes, struct tn_expression_state *state,
			 const struct tn_batch *batch, size_t row, size_t end, uint8_t *pass, struct tn_trial *trial);

#endif
