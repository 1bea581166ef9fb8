/*
 * ctf2_sequence.h - read metadata of CTF 2 as a sequence of JSON texts
 *
 * Source     RFC 7464, JSON text sequences; CTF2-SPEC-2.0, 5.1.
 */
#ifndef TN_CTF_CTF2_SEQUENCE_H
#define TN_CTF_CTF2_SEQUENCE_H

#include "base/json.h"

/* Oddities of a sequence. Each is reported once for a text. */
enum tn_ctf2_oddity {
	TN_CTF2_ODD_LEAD = 1,		/* a byte order mark or white space before the first separator */
	TN_CTF2_ODD_NO_SEPARATOR = 2,	/* no record separator before the first text */
	TN_CTF2_ODD_TWO = 4,		/* two values after one separator */
	TN_CTF2_ODD_ARRAY = 8,		/* an array of fragments */
	TN_CTF2_ODD_CUT = 16		/* the last text is incomplete */
};

struct tn_ctf2_sequence {
	const char *text;
	size_t n, at;
	const struct tn_map *map;	/* the mapped file of the text; or NULL */
	bool separated;		/* there was a record separator */
	unsigned since;		/* number of values since the last separator */
	unsigned odd;		/* TN_CTF2_ODD_... that the last call found */
	size_t odd_at;
};

/* Read the next text, allocated in @arena. TN_END: no more texts. On TN_ERR_FORMAT, *where is the place in the text. */
enum tn_code tn_ctf2_next(struct tn_ctf2_sequence *s, struct tn_json **out, struct tn_arena *arena, size_t *where,
			  struct tn_error *err);

#endif
