/*
 * tnav/error.h - result codes, errors with context, problems found in a trace
 *
 * Ownership  A struct tn_error belongs to the caller. It has no pointers, so there is nothing to free, and it
 *            works when memory is out. It is the last argument of every function that can fail; NULL is allowed.
 * Text       "where: where: cause", without a newline: each level that passes an error on adds its own
 *            place at the front.
 * States     A struct tn_error has no state: any call may reuse it. Its text is valid after a call that returned
 *            a negative code; a call that succeeds may leave the text of an earlier one.
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_ERROR_H
#define TNAV_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TN_API
#if defined(__GNUC__)
#define TN_API __attribute__((visibility("default")))
#define TN_MUST_CHECK __attribute__((warn_unused_result))
#define TN_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TN_API
#define TN_MUST_CHECK
#define TN_PRINTF(f, a)
#endif
#endif

/*
 * Structures of options begin with their size, so that a program continues to work with a later library, which
 * may have more options. A macro sets the size. Set members by name after the macro; all others are then 0:
 *
 *	struct tn_scan_options scan = { TN_SCAN_OPTIONS, .backward = true };
 *
 * TN_ERR_ARGUMENT: the size is not set, or the program sets a member that the (earlier) library does not know.
 * (C++ before C++20 cannot name members there: write { TN_SCAN_OPTIONS }, then set the members one by one.)
 */
#if defined(__cplusplus) && __cplusplus < 202002L
#define TN_SIZED(structure) sizeof(struct structure)
#else
#define TN_SIZED(structure) .size = sizeof(struct structure)
#endif

/* Zero is success, negative is failure. TN_END means "no more" and is not a failure. */
enum tn_code {
	TN_OK = 0,
	TN_END = 1,		/* no further event, packet, value */
	TN_ERR_SYSTEM = -1,	/* a system call failed: file, memory map, thread */
	TN_ERR_MEMORY = -2,	/* out of memory */
	TN_ERR_FORMAT = -3,	/* the trace or its metadata is malformed */
	TN_ERR_UNSUPPORTED = -4,	/* valid, but not something tnav can decode */
	TN_ERR_NOT_FOUND = -5,	/* no such file, trace, field, stream */
	TN_ERR_ARGUMENT = -6,	/* the caller's text or number is invalid: regex, time, option */
	TN_ERR_RANGE = -7,	/* a value does not fit the requested type; the function does not cut it */
	TN_ERR_CANCELLED = -8,	/* the caller asked to stop */
	TN_ERR_EXISTS = -9	/* the file exists already, and the caller did not ask to replace it */
};

#define TN_ERROR_SIZE 1024

struct tn_error {
	enum tn_code code;
	char text[TN_ERROR_SIZE];	/* never NULL, NUL-terminated; valid UTF-8 if the cause was */
};

/* How serious a problem is. The rest of the trace stays readable. */
enum tn_severity {
	TN_NOTE,		/* the data is right, but the fact is worth knowing */
	TN_WARNING,		/* the format allows it, but it is unusual, and perhaps a mistake */
	TN_WRONG,		/* the data breaks a rule of the format, but the library decoded it */
	TN_DAMAGE		/* the library could not decode a part of the trace: programs exit with 1 */
};

#define TN_SEVERITIES 4

/* One problem. @text is "where: where: cause", valid during the call. */
struct tn_problem {
	enum tn_severity severity;
	const char *text;
};

/* The library calls this for each problem, in the thread that found it, but never in two threads at a time. */
typedef void tn_problem_fn(void *user, const struct tn_problem *problem);

/*
 * Translates later errors and problems into the language that setlocale() set for LC_MESSAGES, or that LANGUAGE
 * names. Texts stay English without a catalogue for the language, when memory is out, or if you never call this
 * function. @folder contains the catalogues (LANGUAGE/LC_MESSAGES/libtnav.mo); NULL: the folder of the installed
 * library. The setting affects the whole process: call this before other threads use the library. Texts are
 * UTF-8 in every locale.
 */
TN_API void tn_messages_in_language(const char *folder);

#ifdef __cplusplus
}
#endif
#endif
