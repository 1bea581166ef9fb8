/* debug_info.h - the names of an event's address, as a member of the event's common context */
#ifndef TN_TEXT_DEBUG_INFO_H
#define TN_TEXT_DEBUG_INFO_H

#include "text/text.h"

/* Whether lines have this member in the common context, which may be NULL. */
bool tn_has_debug_info(const struct tn_text *text, const struct tn_field *context);
/* Append the member to the context that was written last. */
void tn_put_debug_info(const struct tn_text *text, const struct tn_event *e, bool names, struct tn_str *out);

#endif
