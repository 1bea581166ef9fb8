#include "base/memory.h"

#include <string.h>

const struct tn_memory_bytes *
tn_memory_find(const struct tn_memory *memory, const char *name)
{
	for (size_t i = 0; i < memory->n; i++)
		if (strcmp(memory->file[i].name, name) == 0)
			return &memory->file[i];
	return NULL;
}
