#include <config.h>

#include <string.h>

#include "action.h"

static const struct action_info info[] = {
	[ACT_NONE] = { "none", "", GROUP_WORK },
#define A(group, name, text, help) [ACT_##name] = { text, help, GROUP_##group },
	ACTIONS(A)
#undef A
};

const struct action_info *
action_info(enum action action)
{
	return &info[action];
}

const char *
action_group_heading(enum action_group group)
{
	static const char *const heading[] = {
#define G(name, text) [GROUP_##name] = text,
		ACTION_GROUPS(G)
#undef G
	};

	return heading[group];
}

enum action
action_find(const char *name)
{
	for (int i = 0; i < ACTIONS_END; i++)
		if (strcmp(info[i].name, name) == 0)
			return (enum action)i;
	return ACT_NONE;
}
