/* attribute_field.h - find attributes that are fields of contexts, by the names that tracers give these fields */
#ifndef TN_LANGUAGE_ATTRIBUTE_FIELD_H
#define TN_LANGUAGE_ATTRIBUTE_FIELD_H

#include "language/names.h"

/* Find the field that is TID, PID, PROCESS or CPU in events of the class. False: there is none. */
bool tn_attribute_field(enum tn_attribute_id id, const struct tn_event_class *ec, struct tn_target *out);

/* Find a direct member of a scope by one of its names, a list that NULL ends. A member with @role has priority over names. */
bool tn_member_field(const struct tn_event_class *ec, enum tn_scope scope, const char *const *name, uint32_t role,
		     struct tn_target *out);

#endif
