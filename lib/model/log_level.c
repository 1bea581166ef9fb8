/* log_level.c - the names of LTTng's log levels */
#include <stddef.h>

#include <tnav/trace.h>

#include "base/array.h"

const char *
tn_log_level_name(int level)
{
	static const char *const names[] = {
		"EMERG", "ALERT", "CRIT", "ERR", "WARNING", "NOTICE", "INFO", "DEBUG_SYSTEM", "DEBUG_PROGRAM",
		"DEBUG_PROCESS", "DEBUG_MODULE", "DEBUG_UNIT", "DEBUG_FUNCTION", "DEBUG_LINE", "DEBUG",
	};

	return level >= 0 && (size_t)level < TN_COUNT(names) ? names[level] : NULL;
}
