/*
 * class_words.h - the words of event classes, made on first use
 *
 * The general path makes the words, because in each thread it handles the first event of a class. The direct path has
 * no time to make them in its loop; it reads the finished words from its cache.
 */
#ifndef TN_TEXT_CLASS_WORDS_H
#define TN_TEXT_CLASS_WORDS_H

#include "text/text.h"

/* Prepare the words of a text whose traces are known; false: memory is out. */
bool tn_class_words_begin(struct tn_text *text);
void tn_class_words_release(struct tn_text *text);	/* also allowed if tn_class_words_begin() was not called */

/* Make the words of the class with index @class in the trace of @trace; any thread. False: memory is out. */
bool tn_class_words_make(const struct tn_text *text, const struct tn_trace_words *trace, size_t class);

/* Returns the words of a class, made if necessary; NULL: memory is out. */
static inline const struct tn_class_words *
tn_class_words(const struct tn_text *text, const struct tn_trace_words *trace, size_t class)
{
	const struct tn_class_words *words = &trace->of_class[class];

	return __atomic_load_n(&words->made, __ATOMIC_ACQUIRE) || tn_class_words_make(text, trace, class) ? words : NULL;
}

#endif
