#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "memory:";

struct folder {
	struct folder *next;
	unsigned long number;
	const struct tn_memory_bytes *file;	/* the caller's */
	size_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct folder *folders;
static unsigned long last_number;

enum tn_code
tn_memory_add(const struct tn_memory_bytes *file, size_t n, char path[TN_MEMORY_PATH], struct tn_error *err)
{
	struct folder *f = calloc(1, sizeof *f);

	if (!f)
		return tn_fail_memory(err);
	f->file = file;
	f->n = n;
	pthread_mutex_lock(&lock);
	f->number = ++last_number;
	f->next = folders;
	folders = f;
	pthread_mutex_unlock(&lock);
	snprintf(path, TN_MEMORY_PATH, "%s%lu", prefix, f->number);
	return TN_OK;
}

bool
tn_memory_is(const char *path)
{
	return strncmp(path, prefix, sizeof prefix - 1) == 0;
}

unsigned long
tn_memory_number(const char *path)
{
	return tn_memory_is(path) ? strtoul(path + sizeof prefix - 1, NULL, 10) : 0;
}

void
tn_memory_drop(const char *path)
{
	unsigned long number = tn_memory_number(path);

	pthread_mutex_lock(&lock);
	for (struct folder **at = &folders; *at; at = &(*at)->next)
		if ((*at)->number == number) {
			struct folder *f = *at;

			*at = f->next;
			free(f);
			break;
		}
	pthread_mutex_unlock(&lock);
}

/* File @i, or the one named @name when that is not NULL. */
static bool
look_up(unsigned long number, size_t i, const char *name, struct tn_memory_bytes *out)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (const struct folder *f = folders; f && !found; f = f->next) {
		if (f->number != number)
			continue;
		for (size_t k = name ? 0 : i; k < f->n && !found; k++)
			if (!name || strcmp(f->file[k].name, name) == 0) {
				*out = f->file[k];
				found = true;
			}
		break;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

bool
tn_memory_find(const char *path, struct tn_memory_bytes *out)
{
	const char *slash = tn_memory_is(path) ? strchr(path, '/') : NULL;

	return slash && look_up(tn_memory_number(path), 0, slash + 1, out);
}

bool
tn_memory_file(const char *path, size_t i, struct tn_memory_bytes *out)
{
	return tn_memory_is(path) && look_up(tn_memory_number(path), i, NULL, out);
}
