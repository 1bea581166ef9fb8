/* condition_verdict.h - the verdict on the events of a class in one packet, from the zone maps of their fields */
#ifndef TN_SCAN_CONDITION_VERDICT_H
#define TN_SCAN_CONDITION_VERDICT_H

#include "language/expression.h"
#include "digest/zone_map.h"

/*
 * @known returns the zone map of the field that a reference names; NULL: any value is possible. Regular expressions over
 * the line are ignored. TN_VERDICT_OPEN: an event of the class may match.
 */
enum tn_verdict tn_condition_verdict(const struct tn_expression *expression, const struct tn_event_class *ec,
				      const struct tn_zone *(*known)(void *user, const struct tn_reference *reference),
				      void *user);

#endif
