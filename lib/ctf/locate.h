/*
 * locate.h - follow paths from a reference to the fields that it may mean (CTF 1.8.3, 7.3.2; CTF2-SPEC-2.0, 6.4)
 *
 * While a referring field is decoded, the structures around it are open: a path reaches their members before that field.
 * The readers of TSDL and CTF 2 read paths and word errors themselves.
 */
#ifndef TN_CTF_LOCATE_H
#define TN_CTF_LOCATE_H

#include "base/array.h"
#include "model/trace.h"

#define TN_CTF_MAX_STEPS 100000		/* limit of steps: more paths through variants are an attack on time */
/* Limit of compared names on all paths; each byte of the metadata adds 64. */
#define TN_CTF_MAX_WORK (UINT64_C(1) << 26)

/* Why a path ends. From TN_CTF_NO_MEMORY on, the whole search ends. */
enum tn_ctf_end {
	TN_CTF_GOES_ON,
	TN_CTF_OUT,		/* the path leads up from the root of the scope */
	TN_CTF_UNKNOWN,		/* no field has the name */
	TN_CTF_NOT_BEFORE,	/* the field is not decoded before the reference; later fields may be the target */
	TN_CTF_LATER,		/* the target is decoded after the reference */
	TN_CTF_OPEN,		/* the target is still being decoded, or is the referring field */
	TN_CTF_OTHER,		/* the target is in another option of an open variant */
	TN_CTF_INTO_ARRAY, TN_CTF_INTO_VALUE,	/* the path continues inside of an array or of a value */
	TN_CTF_AT_STRUCT,	/* the path ends at a structure */
	TN_CTF_NO_MEMORY, TN_CTF_TOO_MANY_WAYS, TN_CTF_TOO_MUCH_WORK
};

/* An optional or variant that a path enters from outside, and its options that lead to the target. */
struct tn_ctf_gate {
	struct tn_type *type;
	bool *leads;
};

struct tn_ctf_search {
	/* The question, which the caller sets. */
	struct tn_arena *arena;		/* memory for `gates` */
	/* The referring field; NULL: no structure is open. The parents of the fields around it must be set. */
	const struct tn_field *from;
	const char *(*step)(const void *path, size_t i);	/* a name; NULL: up, to the structure around */
	const void *path;
	size_t n;
	/* A path names options, and can end anywhere (TSDL). Otherwise it goes through any option, and ends at values. */
	bool by_option;
	uint64_t *work, max_work;
	/* The answer, which tn_ctf_search() sets. */
	TN_ARRAY(struct tn_field *) found;
	TN_ARRAY(struct tn_ctf_gate) gates;	/* empty if by_option */
	size_t steps;
	bool may_miss;			/* some path has no target, or passes a variant that may have another option */
	enum tn_ctf_end end;		/* why the search, or the first path, ended */
	size_t at;			/* the step at which it ended */
	const struct tn_field *where;	/* the field at which it ended */
};

/* Search from @start, beginning with step @i. False: no path leads to a field, and s->end is the reason. */
bool tn_ctf_search(struct tn_ctf_search *s, struct tn_field *start, size_t i);
void tn_ctf_search_release(struct tn_ctf_search *s);

#endif
