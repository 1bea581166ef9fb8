/* options.h - options structures that a caller built for another version of the library */
#ifndef TN_BASE_OPTIONS_H
#define TN_BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/*
 * Copy *@given, a structure that begins with its size (TN_SIZED), over *@out of @size bytes. *@out has the defaults
 * for members that the caller does not know. NULL as @given changes nothing. TN_ERR_ARGUMENT: the size is not set, or
 * a member is set that this library does not know. @name is for the message.
 */
enum tn_code tn_options_take(void *out, size_t size, const void *given, const char *name, struct tn_error *err) TN_MUST_CHECK;

#endif
