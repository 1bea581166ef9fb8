#include <config.h>

#include "base/options.h"

#include <string.h>

#define MOST_SIZE 4096	/* a larger size is a mistake */

enum tn_code
tn_options_take(void *out, size_t size, const void *given, const char *name, struct tn_error *err)
{
	const unsigned char *bytes = given;
	size_t said;

	if (!given)
		return TN_OK;
	memcpy(&said, given, sizeof said);
	if (said < sizeof said || said > MOST_SIZE)
		return tn_fail(err, TN_ERR_ARGUMENT, "struct %s: its size is not set: initialize it with { TN_... }", name);
	for (size_t i = size; i < said; i++)
		if (bytes[i])
			return tn_fail(err, TN_ERR_ARGUMENT, "struct %s: a member is set that this version of libtnav (%s) "
				       "does not know", name, PACKAGE_VERSION);
	memcpy(out, given, said < size ? said : size);
	memcpy(out, &size, sizeof size);
	return TN_OK;
}
