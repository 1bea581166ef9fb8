/*
 * tnav/tnav.h - all of libtnav
 *
 * The parts, each of which can be included alone:
 *
 *	error.h		result codes, errors, problems of a trace
 *	value.h		types and decoded values
 *	event.h		a decoded event
 *	trace.h		open traces; what they hold
 *	grow.h		traces that are still being written; live sessions
 *	cursor.h	events of all streams in time order
 *	iterate.h	packets, events of one stream, variables by name
 *	str.h		a growable string
 *	text.h		events and times as text
 *	query.h		filters, scans, exports
 *	answer.h	spans, groups, lanes
 *	writer.h	write traces
 *	worker.h	a thread beside the program's own
 *	recorder.h	record a program's last moments
 *
 * NULL       Where a function does not say that NULL is allowed it must not be given; it is not followed
 *            all the same: a function that returns a code returns TN_ERR_ARGUMENT, one that returns a
 *            pointer NULL, one that returns bool false, one that returns a number 0 (-1 where that means
 *            "none"); others do nothing. *out is not set then.
 * Indices    A number that is not below the count gets NULL, TN_END or 0, as if there were nothing there.
 * Names      In C++ a structure that shares its name with a function is to be called by both words:
 *            `struct tn_event_class *ec`.
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_TNAV_H
#define TNAV_TNAV_H

#include <tnav/answer.h>
#include <tnav/grow.h>
#include <tnav/iterate.h>
#include <tnav/recorder.h>
#include <tnav/table.h>
#include <tnav/worker.h>
#include <tnav/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library that runs: "0.1.0". */
TN_API const char *tn_version(void);

/*
 * The libraries it runs with, and their versions: "PCRE2 10.42, libunistring 1.0". Returns the length without the
 * NUL; @out is cut at @room.
 */
TN_API size_t tn_libraries(char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
