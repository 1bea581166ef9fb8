/*
 * locate.h - the walker of paths: from a reference to the fields that it may mean (CTF 1.8.3, 7.3.2;
 * CTF2-SPEC-2.0, 6.4)
 *
 * While a referring field is decoded, the structures around it are open: a path reaches their members before
 * that field. Each front end reads paths and words its errors itself.
 */
#ifndef TN_CTF_LOCATE_H
#define TN_CTF_LOCATE_H

#include "base/array.h"
#include "model/trace.h"

#define TN_CTF_MAX_STEPS 100000		/* a larger number of paths through variants is an attack on time */
/* Limit of compared names, for all paths; 64 more for each byte of the metadata. */
#define TN_CTF_MAX_WORK (UINT64_C(1) << 26)

/* The reason why a path ends; from TN_CTF_NO_MEMORY on it ends the whole search. */
enum tn_ctf_end {
	TN_CTF_GOES_ON,
	TN_CTF_OUT,		/* up from the root of the scope */
	TN_CTF_UNKNOWN,		/* no field of that name */
	TN_CTF_NOT_BEFORE,	/* not decoded yet: more fields may follow */
	TN_CTF_LATER,		/* the target is decoded after the reference */
	TN_CTF_OPEN,		/* the target is incomplete, or is the referring field itself */
	TN_CTF_OTHER,		/* another option of a variant that is open */
	TN_CTF_INTO_ARRAY, TN_CTF_INTO_VALUE,	/* the path continues inside of it */
	TN_CTF_AT_STRUCT,	/* the path ends there */
	TN_CTF_NO_MEMORY, TN_CTF_TOO_MANY_WAYS, TN_CTF_TOO_MUCH_WORK
};

/* An optional or variant that a path enters from outside, and which of its options lead to the target. */
struct tn_ctf_gate {
	struct tn_type *type;
	bool *leads;
};

struct tn_ctf_search {
	/* The question. */
	struct tn_arena *arena;		/* memory of the gates */
	/* The referring field; NULL: no structure is open. The fields around it know their parents. */
	const struct tn_field *from;
	const char *(*step)(const void *path, size_t i);	/* a name; NULL: up, to the structure around */
	const void *path;
	size_t n;
	/* A path names options and ends anywhere (TSDL); else it ends at values, through any option. */
	bool by_option;
	uint64_t *work, max_work;
	/* The answer. */
	TN_ARRAY(struct tn_field *) found;
	TN_ARRAY(struct tn_ctf_gate) gates;	/* not if by_option */
	size_t steps;
	bool may_miss;			/* a path has no target, or passes a variant that may have another option */
	enum tn_ctf_end end;		/* the end of the search, or of the first path, */
	size_t at;			/* the step where it ended, */
	const struct tn_field *where;	/* and the field */
};

/* Search from @start, beginning with step @i. False: no path leads to a field; s->end is the reason. */
bool tn_ctf_search(struct tn_ctf_search *s, struct tn_field *start, size_t i);
void tn_ctf_search_release(struct tn_ctf_search *s);

#endif
