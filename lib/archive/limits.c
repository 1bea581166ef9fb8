#include "archive/archive.h"

#include <string.h>

#define LEAST_MEMBERS 10000	/* any archive may have this number of members */
#define MEMBER_SIZE 32		/* and a large one a member for each 32 bytes: one name can make a thousand folders */
#define MOST_MEMBERS 200000
#define LEAST_BYTES ((uint64_t)1 << 30)	/* any archive may have this unpacked size */
#define MOST_TIMES 1000			/* a large archive may have this multiple of its size */

struct tn_archive_limits
tn_archive_limits_of(uint64_t size)
{
	struct tn_archive_limits l = { .members = size / MEMBER_SIZE, .bytes = LEAST_BYTES };

	if (l.members < LEAST_MEMBERS)
		l.members = LEAST_MEMBERS;
	if (l.members > MOST_MEMBERS)
		l.members = MOST_MEMBERS;
	if (size > LEAST_BYTES / MOST_TIMES)
		l.bytes = size > UINT64_MAX / MOST_TIMES ? UINT64_MAX : size * MOST_TIMES;
	return l;
}

char *
tn_archive_single(const char *path)
{
	static const char *const endings[] = { ".json", ".pftrace", ".perfetto-trace", ".dat", ".data" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);

		if ((size_t)(dot - name) > n && memcmp(dot - n, endings[i], n) == 0)
			return strndup(name, (size_t)(dot - name));
	}
	return NULL;
}
