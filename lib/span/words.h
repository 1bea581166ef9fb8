/*
 * words.h - definitions of spans that are written in the words of LTTng's kernel tracer, in those of the traces
 */
#ifndef TN_SPAN_WORDS_H
#define TN_SPAN_WORDS_H

#include "model/trace.h"

/* Lines of definitions in the words of LTTng, of ftrace and perf, or of both. Free it; NULL: memory is out. */
char *tn_words_definitions(const struct tn_set *set, const char *text);
/* Like tn_words_definitions(), for keys between commas; keys that differ in both words are "A|B". */
char *tn_words_keys(const struct tn_set *set, const char *text);

#endif
