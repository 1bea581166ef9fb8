/*
 * targets.h - what is fuzzed
 */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;	/* also of its corpus */
	void (*run)(const uint8_t *data, size_t n);
};

extern const struct fuzz_target fuzz_targets[];	/* ends with a name of NULL */
const struct fuzz_target *fuzz_find(const char *name);	/* NULL: there is none */

#endif
