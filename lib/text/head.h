/* head.h - the part of a line before the name of an event */
#ifndef TN_TEXT_HEAD_H
#define TN_TEXT_HEAD_H

#include "text/text.h"

/*
 * Append the part between time and fields that all events of a class share; only up to the name if each event has its
 * own name.
 */
void tn_head_put(const struct tn_text *text, const struct tn_trace *trace, const struct tn_event_class *ec, struct tn_str *out);
void tn_head_put_end(const struct tn_text *text, struct tn_str *out);	/* the part after the name */
void tn_head_put_origin(const struct tn_trace *trace, struct tn_str *out);	/* "host:procname:(vpid)" */

/* Copy the text in @from to the text's arena, with slack after it. False: memory is out. */
bool tn_text_copy(struct tn_text *text, struct tn_words *out, struct tn_str *from);

#endif
