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
	struct tn_set *(*open)(const uint8_t *data, size_t n);	/* NULL: not a trace */
};

extern const struct fuzz_target fuzz_targets[];	/* ends with a name of NULL */
const struct fuzz_target *fuzz_find(const char *name);	/* NULL: there is none */

/* The lines of a trace, and a line "notice KIND" for each notice; false: it cannot be opened or read. */
bool fuzz_lines(const struct fuzz_target *target, const uint8_t *data, size_t n, struct tn_str *out);

size_t fuzz_count_lines(const struct tn_str *s);

/* ---- for targets in files of their own ---- */

extern unsigned fuzz_ways;		/* result of tn_ways() */
extern const char fuzz_metadata[];	/* with events of all kinds */

/* A new folder in memory; the name is borrowed until the next one is made. Remove the last one made. */
const char *fuzz_make_folder(void);
void fuzz_remove_folder(void);
void fuzz_read_path(const char *path);		/* open what is there and read it in all ways */
void fuzz_read_stored(const char *path);	/* the same, with stored indices */

/* Where tnav keeps files of its user, as long as the process lives: only where src is linked, too. */
const char *fuzz_home(void);
void fuzz_home_file(const char *name, const uint8_t *data, size_t n);

void fuzz_relay(const uint8_t *data, size_t n);
void fuzz_stored_index(const uint8_t *data, size_t n);
void fuzz_stored_digest(const uint8_t *data, size_t n);
/* Only where src is linked, too: */
__attribute__((weak)) void fuzz_configuration(const uint8_t *data, size_t n);
__attribute__((weak)) void fuzz_session(const uint8_t *data, size_t n);
__attribute__((weak)) void fuzz_kept(const uint8_t *data, size_t n);

#endif
