/*
 * tsdl_lexer.h - TSDL text to tokens (CTF 1.8.3, C.1 "Lexical grammar")
 */
#ifndef TN_CTF_TSDL_LEXER_H
#define TN_CTF_TSDL_LEXER_H

#include "ctf/tsdl_ast.h"

/* The kinds of tokens, in addition to single characters. */
enum {
	TSDL_T_END = 0,
	TSDL_T_WORD = 256,	/* `word` has it */
	TSDL_T_NAME,		/* a word for which no table is searched */
	TSDL_T_NUMBER,		/* `number` has it */
	TSDL_T_TEXT,		/* "..." or '...': `text` has it */
	TSDL_T_ELLIPSIS,
	TSDL_T_ARROW,
	TSDL_T_TYPE_ASSIGN	/* the token := */
};

struct tsdl_token {
	int kind;
	struct tsdl_place place;
	union {
		struct tsdl_word *word;
		uint64_t number;
		struct {
			const char *at;		/* valid until the next text is read */
			size_t n;
		} text;
	};
};

struct tsdl_lexer {
	struct tsdl_unit *unit;
	size_t at;
	bool names_only;	/* the next word is a name, and not searched for in tables */
};

/* Read the next token. False: the error is raised. */
bool tn_tsdl_next(struct tsdl_lexer *lexer, struct tsdl_token *out);

#endif
