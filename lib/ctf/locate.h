/*
 * locate.h - the walker of paths: from a reference to the fields that it may mean (CTF 1.8.3, 7.3.2; CTF2-SPEC-2.0, 6.4)
 *
 * While what refers is decoded, the fields around it are open: of these a path reaches what stands before. Both front
 * ends read paths and have words for what is wrong with them, of their own.
 */
#ifndef TN_CTF_LOCATE_H
#define TN_CTF_LOCATE_H

#include "base/array.h"
#include "model/trace.h"

#define TN_CTF_MAX_STEPS 100000		/* more ways through variants are an attack on time */
#define TN_CTF_MAX_WORK (UINT64_C(1) << 26)	/* names compared, of all paths; 64 more for each byte of the metadata */

/* Why a way ends; from TN_CTF_NO_MEMORY on the whole search does. */
enum tn_ctf_end {
	TN_CTF_GOES_ON,
	TN_CTF_OUT,		/* up from the root of the scope */
	TN_CTF_UNKNOWN,		/* no field of that name */
	TN_CTF_NOT_BEFORE,	/* nor yet any: more may come */
	TN_CTF_LATER,		/* it is decoded later */
	TN_CTF_OPEN,		/* what it leads to is not complete, or is what refers */
	TN_CTF_OTHER,		/* another option of a variant that is open */
	TN_CTF_INTO_ARRAY, TN_CTF_INTO_VALUE,	/* the path goes on in it */
	TN_CTF_AT_STRUCT,	/* the path ends there */
	TN_CTF_NO_MEMORY, TN_CTF_TOO_MANY_WAYS, TN_CTF_TOO_MUCH_WORK
};

/* An optional or variant that a path goes through from outside, and which of its options lead on. */
struct tn_ctf_gate {
	struct tn_type *type;
	bool *leads;
};

struct tn_ctf_search {
	/* The question. */
	struct tn_arena *arena;		/* for gates */
	const struct tn_field *from;	/* what refers; NULL: nothing is open. The fields around it know their parents. */
	const char *(*step)(const void *path, size_t i);	/* a name; NULL: up, to the structure around */
	const void *path;
	size_t n;
	bool by_option;			/* a path names options and ends anywhere (TSDL); else at values, by any option */
	uint64_t *work, max_work;
	/* The answer. */
	TN_ARRAY(struct tn_field *) found;
	TN_ARRAY(struct tn_ctf_gate) gates;	/* unless by_option */
	size_t steps;
	bool may_miss;			/* some way leads nowhere, or through what may have another option */
	enum tn_ctf_end end;		/* of the search, or why the first way ended, */
	size_t at;			/* at which step, */
	const struct tn_field *where;	/* at what */
};

/* From @start, step @i being next. False: no way leads to a field; s->end says why. */
bool tn_ctf_search(struct tn_ctf_search *s, struct tn_field *start, size_t i);
void tn_ctf_search_release(struct tn_ctf_search *s);

#endif
