/*
 * tnav/tnav.h - all of libtnav
 *
 * You can include each part alone:
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
 *	compare.h	differences of two selections of events
 *	flame.h		stacks and flame graphs
 *	symbol.h	names of addresses
 *	plot.h		numbers over time
 *	table.h		answers as text, CSV and JSON lines
 *	columns.h	events and answers as Parquet files
 *	writer.h	write traces
 *	worker.h	a thread of the library
 *	recorder.h	a ring buffer with the last records of a program
 *
 * NULL       Do not pass NULL unless the function allows it. No function dereferences a NULL argument: it returns
 *            TN_ERR_ARGUMENT if it returns a code, else NULL, false, 0, or -1 where -1 means "none". It does not
 *            set *out.
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
 * Writes the names and versions of the libraries in use: "PCRE2 10.42, libunistring 1.0". Returns the full length
 * without the NUL; cuts the text to @room bytes.
 */
TN_API size_t tn_libraries(char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
