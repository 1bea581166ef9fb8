/*
 * question_text.h - the filter and the range of an answer's options, as a text
 */
#ifndef TN_ANSWER_QUESTION_TEXT_H
#define TN_ANSWER_QUESTION_TEXT_H

#include "base/str.h"
#include "model/decoder.h"

struct tn_scan_options;

/* Append filter and range. The same rows give the same text, however they were typed. False: memory is out. */
bool tn_question_text(struct tn_str *out, const struct tn_scan_options *options, const struct tn_set *set);

#endif
