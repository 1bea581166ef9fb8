/* classes.h - the numbered event classes of a set, and patterns of their names */
#ifndef TN_LANGUAGE_CLASSES_H
#define TN_LANGUAGE_CLASSES_H

#include "language/names.h"

struct tn_classes {
	struct tn_names *names;
	const struct tn_event_class **item;
	size_t n;
	size_t *first;		/* for each stream, by rank: number of the first class of its trace */
	uint32_t *trace;	/* for each stream, by rank: number of its trace */
	uint32_t *loom;		/* for each stream, by rank: number of its loom, which is unique in the set (tn_stream.loom) */
};

enum tn_code tn_classes_init(struct tn_classes *c, const struct tn_set *set, struct tn_error *err);
void tn_classes_release(struct tn_classes *c);

/* The number of the event class of a row. */
static inline size_t
tn_class_of(const struct tn_classes *c, const struct tn_batch *b, size_t row)
{
	return c->first[b->stream->rank] + b->refs.item[row].event_class;
}

/*
 * Whether @name matches @pattern[0, n), in which `*` means any characters. *star and *star_n become the text that the
 * first `*` matches; they may be NULL.
 */
bool tn_glob(const char *pattern, size_t n, const char *name, const char **star, size_t *star_n);
/*
 * Append the texts that the `*` of @pattern match in @name, each with a NUL after it. @name must match the pattern.
 * False: memory is out.
 */
bool tn_glob_stars(const char *pattern, const char *name, struct tn_str *out);

#endif
