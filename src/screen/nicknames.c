#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "nicknames.h"

bool
nicknames_follow(const struct tn_table *table, size_t column)
{
	static const char *const names[] = { "comm", "procname", "process" };
	const char *next = tn_table_column_name(table, column + 1);

	for (size_t i = 0; next && i < sizeof names / sizeof *names; i++)
		if (strlen(next) >= strlen(names[i]) && strcmp(next + strlen(next) - strlen(names[i]), names[i]) == 0)
			return true;
	return false;
}

void
nicknames_of_lanes(const char *definition, char **of, const char **by)
{
	static const char word[] = " by ";
	const char *last = NULL;

	for (const char *at = definition; (at = strstr(at, word)); at++)
		last = at;
	*by = last ? last + strlen(word) + strspn(last + strlen(word), " ") : "";
	*of = !last || *definition == '(' ? strdup("name") : strndup(definition, (size_t)(last - definition));
}
