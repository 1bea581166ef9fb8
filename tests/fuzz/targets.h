/*
 * targets.h - what is fuzzed
 */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_set;
struct tn_str;

struct fuzz_target {
	const char *name;	/* also of its corpus */
	void (*run)(const uint8_t *data, size_t n);
	struct tn_set *(*open)(const uint8_t *data, size_t n);	/* NULL: it is no trace */
};

extern const struct fuzz_target fuzz_targets[];	/* ends with a name of NULL */
const struct fuzz_target *fuzz_find(const char *name);	/* NULL: there is none */

/* The lines of a trace, and a line "notice KIND" for each notice; false: it cannot be opened or read. */
bool fuzz_lines(const struct fuzz_target *target, const uint8_t *data, size_t n, struct tn_str *out);

#endif
