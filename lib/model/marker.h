/*
 * marker.h - Android's markers: texts that programs write into the kernel's trace (trace_marker, ftrace:print)
 *
 *	B|PID|NAME	E|PID	E		a slice of the running thread; slices nest
 *	S|PID|NAME|COOKIE	F|PID|NAME|COOKIE	an asynchronous slice
 *	G|PID|TRACK|NAME|COOKIE	H|PID|TRACK|COOKIE	a slice on a track of its own; H may have a name before the cookie
 *	I|PID|NAME	N|PID|TRACK|NAME	an instant
 *	C|PID|NAME|VALUE			a counter
 *
 * PID, COOKIE and VALUE are decimal integers. A NAME may have a bar in it. All other texts are not markers.
 *
 * Source     tracedat.md, 6; perfetto.md, 5.
 */
#ifndef TN_MODEL_MARKER_H
#define TN_MODEL_MARKER_H

#include "model/trace.h"

enum {
	TN_MARKER_PID = 1, TN_MARKER_NAME = 2, TN_MARKER_TRACK = 4, TN_MARKER_COOKIE = 8, TN_MARKER_VALUE = 16
};

struct tn_marker {
	const char *phase;	/* the letter of the phase as a text */
	unsigned has;		/* the parts that the text has, as TN_MARKER_... bits */
	int64_t pid, number;	/* `number`: the cookie or the value */
	const char *name, *track;	/* parts of the text, without a NUL at their end */
	size_t n_name, n_track;
};

/* Read a marker; false: the text is not a marker. */
bool tn_marker_read(struct tn_marker *out, const char *text, size_t n);

/* Set the field of markers, and the kinds of their spans, for classes of @trace whose events may be markers. */
void tn_marker_find(const struct tn_trace *trace);

#endif
