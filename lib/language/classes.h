/*
 * classes.h - the event classes of a set, numbered; names among them
 */
#ifndef TN_LANGUAGE_CLASSES_H
#define TN_LANGUAGE_CLASSES_H

#include "language/names.h"

struct tn_classes {
	struct tn_names *names;
	const struct tn_event_class **item;
	size_t n;
	size_t *first;		/* by rank of a stream: number of the first class of its trace */
	uint32_t *trace;	/* by rank: number of its trace */
	uint32_t *loom;		/* by rank: a number for each loom of each trace (tn_stream.loom) */
};

enum tn_code tn_classes_init(struct tn_classes *c, const struct tn_set *set, struct tn_error *err);
void tn_classes_release(struct tn_classes *c);

/* The number of the class of an event. */
static inline size_t
tn_class_of(const struct tn_classes *c, const struct tn_batch *b, size_t row)
{
	return c->first[b->stream->rank] + b->refs.item[row].event_class;
}

/*
 * Whether @name matches @pattern[0, n), with `*` for any characters. *star and *star_n (may be NULL) become the
 * text that the first `*` matches.
 */
bool tn_glob(const char *pattern, size_t n, const char *name, const char **star, size_t *star_n);
/*
 * Append the text that each `*` of @pattern matches in @name, which matches the pattern, with a NUL after each.
 * False: memory is out.
 */
bool tn_glob_stars(const char *pattern, const char *name, struct tn_str *out);

#endif
