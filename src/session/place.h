/* place.h - the place where a view jumps or a search begins, and the range of times */
#ifndef PLACE_H
#define PLACE_H

#include <tnav/cursor.h>

enum place_kind { PLACE_BEGIN, PLACE_END, PLACE_TIME, PLACE_LOCATION };

struct place {
	enum place_kind kind;
	int64_t time_ns;
	struct tn_location location;
};

/* Only rows between these times are shown. */
struct bounds {
	bool has_begin, has_end;
	int64_t begin_ns, end_ns;
};

/* Where on the screen the target of a jump is shown. */
enum align { ALIGN_NEAR, ALIGN_TOP, ALIGN_MIDDLE, ALIGN_BOTTOM, ALIGN_KEEP };

bool in_bounds(const struct bounds *bounds, const struct tn_row *row);

/*
 * Put the cursor on the first row to examine. Forward this is the row at the place (`behind`: the row after it). Backward
 * it is the row before the place; from the end, the last row. TN_END: there is none.
 */
enum tn_code place_cursor(struct tn_cursor *cur, const struct place *from, bool backward, bool behind,
			  const struct bounds *bounds, struct tn_error *err) TN_MUST_CHECK;

#endif
