/* syscalls.c - names for system calls that are recorded as numbers (raw_syscalls) */
#include <string.h>

#include "ftrace/types.h"

/* Each label is for one number. */
#define TABLE(name) static const struct tn_mapping name[] = {
#define LABEL(number, name) { #name, &(const struct tn_range) { number, number }, 1 },

#define X86_64(number, name) LABEL(number, name)
#define ARM64(number, name)
#define I386(number, name)
#define SYSCALL(architecture, number, name) architecture(number, name)
TABLE(x86_64)
#include "ftrace/syscalls.def"
};

#undef X86_64
#undef ARM64
#define X86_64(number, name)
#define ARM64(number, name) LABEL(number, name)
TABLE(arm64)
#include "ftrace/syscalls.def"
};

#undef ARM64
#undef I386
#define ARM64(number, name)
#define I386(number, name) LABEL(number, name)
TABLE(x86)	/* not i386, which is a macro of the compiler on that machine */
#include "ftrace/syscalls.def"
};

static const struct {
	const char *architecture;	/* the name that uname prints */
	const struct tn_mapping *label;
	size_t n;
} tables[] = {
	{ "x86_64", x86_64, TN_COUNT(x86_64) }, { "aarch64", arm64, TN_COUNT(arm64) }, { "arm64", arm64, TN_COUNT(arm64) },
	{ "i386", x86, TN_COUNT(x86) }, { "i486", x86, TN_COUNT(x86) }, { "i586", x86, TN_COUNT(x86) },
	{ "i686", x86, TN_COUNT(x86) },
};

const struct tn_mapping *
tn_ftrace_syscalls(const struct tn_trace *trace, size_t *n)
{
	const char *architecture = NULL;

	for (size_t i = 0; i < trace->n_env; i++)
		if (trace->env[i].is_text && strcmp(trace->env[i].name, "architecture") == 0)
			architecture = trace->env[i].text;
	for (size_t i = 0; architecture && i < TN_COUNT(tables); i++)
		if (strcmp(tables[i].architecture, architecture) == 0) {
			*n = tables[i].n;
			return tables[i].label;
		}
	*n = 0;
	return NULL;
}
