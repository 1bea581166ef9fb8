/*
 * error.h - raise an error, add where it happened, report a problem
 *
 * Raising an error takes one line, and so does adding the place:
 *
 *	return tn_fail(err, TN_ERR_FORMAT, "content of %" PRIu64 " bits", n);
 *	...
 *	return tn_at(err, rc, "%s: packet %zu", name, i);	// one level up; returns rc
 */
#ifndef TN_BASE_ERROR_H
#define TN_BASE_ERROR_H

#include <tnav/error.h>

/* Set *err (may be NULL) to @code and a text; returns @code. */
enum tn_code tn_fail(struct tn_error *err, enum tn_code code, const char *format, ...) TN_PRINTF(3, 4);

/* Like tn_fail() with TN_ERR_SYSTEM, and ": strerror(errno)" at the end. */
enum tn_code tn_fail_errno(struct tn_error *err, const char *format, ...) TN_PRINTF(2, 3);

/* Set TN_ERR_MEMORY with its text. */
enum tn_code tn_fail_memory(struct tn_error *err);

/* Set TN_ERR_ARGUMENT: a pointer that must not be NULL is NULL. */
enum tn_code tn_fail_null(struct tn_error *err);

/* Put "where: " before the text of *err (may be NULL); returns @rc, the code of the failure. */
enum tn_code tn_at(struct tn_error *err, enum tn_code rc, const char *format, ...) TN_PRINTF(3, 4);

/* The part of the error's text after "'QUOTED', column N: "; the whole text if there is no such part. */
const char *tn_error_reason(const struct tn_error *err, const char *quoted);

/* The receiver of problems. If the sink or its @fn is NULL, problems are dropped. */
struct tn_problems {
	tn_problem_fn *fn;
	void *user;
};

void tn_tell(const struct tn_problems *to, enum tn_severity severity, const char *format, ...) TN_PRINTF(3, 4);

#endif
