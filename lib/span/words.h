/* words.h - translate definitions of spans from the names of LTTng's kernel tracer to those in the traces */
#ifndef TN_SPAN_WORDS_H
#define TN_SPAN_WORDS_H

#include "model/trace.h"

/*
 * Get lines of definitions in the names of LTTng, of ftrace and perf, or of both. The caller frees the text. NULL: memory
 * is out.
 */
char *tn_words_definitions(const struct tn_set *set, const char *text);
/*
 * Like tn_words_definitions(), for keys with commas between them. Keys that differ between both kinds of names become
 * "A|B".
 */
char *tn_words_keys(const struct tn_set *set, const char *text);

#endif
