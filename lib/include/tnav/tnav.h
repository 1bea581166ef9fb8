/*
 * tnav/tnav.h - all of libtnav
 *
 * The parts, each of which can be included alone:
 *
 *	error.h		result codes, errors, problems of a trace
 *	value.h		types and decoded values
 *	event.h		a decoded event
 *	trace.h		open traces and their contents
 *	grow.h		traces that are still being written; live sessions
 *	cursor.h	events of all streams in time order
 *	iterate.h	packets, events of one stream, variables by name
 *	str.h		a growable string
 *	text.h		events and times as text
 *	query.h		filters, scans, exports
 *	answer.h	spans, groups, lanes
 *	flame.h		stacks and flame graphs
 *	symbol.h	names of addresses
 *	plot.h		numbers over time
 *	table.h		answers as text, CSV and JSON lines
 *	writer.h	write traces
 *	worker.h	a thread beside the program's own
 *	recorder.h	record a program's last moments
 *
 * NULL       Do not pass NULL unless the function allows it. No function dereferences it: a function that
 *            returns a code returns TN_ERR_ARGUMENT, a pointer NULL, a bool false, a number 0 (-1 where -1
 *            means "none"); other functions do nothing. *out is not set then.
 * Indices    An index beyond the count gives NULL, TN_END or 0.
 * Names      In C++, write both words for a structure that has the name of a function:
 *            `struct tn_event_class *ec`.
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_TNAV_H
#define TNAV_TNAV_H

#include <tnav/answer.h>
#include <tnav/columns.h>
#include <tnav/compare.h>
#include <tnav/flame.h>
#include <tnav/plot.h>
#include <tnav/grow.h>
#include <tnav/iterate.h>
#include <tnav/recorder.h>
#include <tnav/symbol.h>
#include <tnav/table.h>
#include <tnav/worker.h>
#include <tnav/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the running library: "0.1.0". */
TN_API const char *tn_version(void);

/*
 * Libraries in use, and their versions: "PCRE2 10.42, libunistring 1.0". Returns the length without the NUL;
 * the text is cut to @room bytes.
 */
TN_API size_t tn_libraries(char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
