/*
 * ways.c - in place of the library's (base/ways.h): the general ways that TNAV_WAYS names, "walk,values,lines,small,store,
 * undigested,beside,unpacked"
 */
#include <stdlib.h>
#include <string.h>

#include "base/ways.h"

unsigned
tn_ways(void)
{
	const char *names = getenv("TNAV_WAYS");

	if (!names)
		return 0;
	return (strstr(names, "walk") ? TN_WAYS_WALK : 0) | (strstr(names, "values") ? TN_WAYS_VALUES : 0) |
	       (strstr(names, "lines") ? TN_WAYS_ALL_LINES : 0) | (strstr(names, "small") ? TN_WAYS_SMALL : 0) |
	       (strstr(names, "store") ? TN_WAYS_STORE : 0) | (strstr(names, "undigested") ? TN_WAYS_NO_DIGEST : 0) |
	       (strstr(names, "beside") ? TN_WAYS_BESIDE : 0) | (strstr(names, "unpacked") ? TN_WAYS_UNPACKED : 0);
}
