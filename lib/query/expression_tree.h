/*
 * expression_tree.h - what the parser of expressions makes, and the matcher runs
 */
#ifndef TN_QUERY_EXPRESSION_TREE_H
#define TN_QUERY_EXPRESSION_TREE_H

#include "base/arena.h"
#include "query/expression.h"
#include "query/regex.h"

enum tn_node_kind {
	TN_NODE_OR, TN_NODE_AND, TN_NODE_NOT,	/* of a and b, or a */
	TN_NODE_HAS,				/* the subject is there, not zero, not empty */
	TN_NODE_EQUAL, TN_NODE_DIFFERENT, TN_NODE_LESS, TN_NODE_LESS_EQUAL, TN_NODE_GREATER, TN_NODE_GREATER_EQUAL,
	TN_NODE_MATCH, TN_NODE_NO_MATCH,
	TN_NODE_IN
};

enum tn_subject { TN_SUBJECT_FIELD, TN_SUBJECT_NAME, TN_SUBJECT_STREAM, TN_SUBJECT_CPU, TN_SUBJECT_LOG_LEVEL };

/* A number of any kind, compared by its value. */
struct tn_number {
	bool is_float;
	bool is_negative;
	uint64_t magnitude;
	double f;
};

struct tn_literal {
	bool is_number;
	struct tn_number number;
	const char *text;	/* when it is none; also the spelling of a number */
	size_t n;
};

struct tn_item {
	struct tn_literal low, high;	/* the same twice when it is no range */
};

struct tn_node {
	enum tn_node_kind kind;
	struct tn_node *a, *b;
	/* Leaves. */
	enum tn_subject subject;
	const char *path;	/* of TN_SUBJECT_FIELD */
	size_t column;
	size_t number;		/* of the leaf: its column in the table of lookups */
	struct tn_item *item;	/* one; some with TN_NODE_IN */
	size_t n_items;
	struct tn_regex *regex;
	struct tn_node *next;	/* the leaf parsed before */
};

struct tn_tree {
	struct tn_arena arena;
	struct tn_node *root;
	struct tn_node *leaves;
	size_t n_leaves;
};

enum tn_code tn_tree_parse(struct tn_tree *out, const char *text, struct tn_error *err);
void tn_tree_release(struct tn_tree *tree);

/* <0, 0, >0; 2 when one is not a number. */
int tn_number_compare(const struct tn_number *a, const struct tn_number *b);

#endif
