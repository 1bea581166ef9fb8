/*
 * tnav/error.h - result codes, errors with context, problems found in a trace
 *
 * Ownership  A struct tn_error belongs to the caller and has no pointers: nothing to free, and it
 *            works when memory is out. It is the last argument of every function that can fail; NULL is allowed.
 * Text       "where: where: cause", without a newline: each level that passes an error on adds its own
 *            step in front.
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
 * Structures of options begin with their size, so that they can grow: a program continues to work with a
 * later library. Each has a macro that sets the size; members are named after it, and all others are 0:
 *
 *	struct tn_scan_options scan = { TN_SCAN_OPTIONS, .backward = true };
 *
 * TN_ERR_ARGUMENT: the size is not set, or a member is set that an earlier library does not know. (In C++
 * before C++20, which cannot name members there: { TN_SCAN_OPTIONS }, and set them one by one.)
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
	TN_ERR_ARGUMENT = -6,	/* the caller's text or number makes no sense: regex, time, option */
	TN_ERR_RANGE = -7,	/* a value does not fit the requested type; nothing was cut */
	TN_ERR_CANCELLED = -8,	/* the caller asked to stop */
	TN_ERR_EXISTS = -9	/* the name exists already and is not replaced */
};

#define TN_ERROR_SIZE 1024

struct tn_error {
	enum tn_code code;
	char text[TN_ERROR_SIZE];	/* never NULL, NUL-terminated; valid UTF-8 if the cause was */
};

/* Severities of problems that leave a trace readable. */
enum tn_severity {
	TN_NOTE,		/* worth knowing: nothing is wrong */
	TN_WARNING,		/* unusual, and perhaps a mistake, but no rule forbids it */
	TN_WRONG,		/* against the rules of the trace's format, decoded all the same */
	TN_DAMAGE		/* part of the trace could not be decoded: programs exit with 1 */
};

#define TN_SEVERITIES 4

/* One problem; @text is borrowed for the call and is "where: where: what". */
struct tn_problem {
	enum tn_severity severity;
	const char *text;
};

/* Called for each problem, in the thread that found it, never by two threads at a time. */
typedef void tn_problem_fn(void *user, const struct tn_problem *problem);

/*
 * Translate later errors and problems into the language that setlocale() has set for LC_MESSAGES, or that
 * LANGUAGE names. Without a catalogue for it, and in programs that never call this, texts are in English.
 * @folder contains the catalogues (LANGUAGE/LC_MESSAGES/libtnav.mo); NULL: the folder of the installed library.
 * The setting is for the whole process: call this before other threads use the library. Texts are UTF-8 in
 * every locale; without memory they stay English.
 */
TN_API void tn_messages_in_language(const char *folder);

#ifdef __cplusplus
}
#endif
#endif
