/* debug_info.h - names of an event's address, as a member of its common context */
#ifndef TN_TEXT_DEBUG_INFO_H
#define TN_TEXT_DEBUG_INFO_H

#include "text/text.h"

/* Whether lines have such a member in this common context (may be NULL). */
bool tn_has_debug_info(const struct tn_text *text, const struct tn_field *context);
/* Append the member to the context that was put last. */
void tn_put_debug_info(const struct tn_text *text, const struct tn_event *e, bool names, struct tn_str *out);

#endif
