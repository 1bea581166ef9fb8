#include <config.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "screen/array.h"

struct entry {
	enum tn_severity severity;
	char *text;
};

struct problems {
	pthread_mutex_t lock;
	struct entry *entry;
	size_t n, room, left_out;
};

struct problems *
problems_new(void)
{
	struct problems *list = calloc(1, sizeof *list);

	if (list)
		pthread_mutex_init(&list->lock, NULL);
	return list;
}

void
problems_free(struct problems *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->n; i++)
		free(list->entry[i].text);
	free(list->entry);
	pthread_mutex_destroy(&list->lock);
	free(list);
}

/* Add a problem. The caller holds the lock. */
static bool
add(struct problems *list, const struct tn_problem *problem)
{
	struct entry *grown = list->n < PROBLEMS_KEPT ? array_more(list->entry, list->n, &list->room, sizeof *grown) : NULL;
	char *text;

	if (!grown)
		return false;
	list->entry = grown;
	text = strdup(problem->text);
	if (!text)
		return false;
	list->entry[list->n++] = (struct entry) { problem->severity, text };
	return true;
}

void
problems_tell(void *user, const struct tn_problem *problem)
{
	struct problems *list = user;

	if (problem->severity == TN_NOTE)	/* not a problem; --check shows it */
		return;
	pthread_mutex_lock(&list->lock);
	if (!add(list, problem))
		list->left_out++;
	pthread_mutex_unlock(&list->lock);
}

/* Read a number of the list, which jobs may change. */
static size_t
number_of(const struct problems *list, const size_t *number)
{
	struct problems *own = (struct problems *)list;
	size_t n;

	pthread_mutex_lock(&own->lock);
	n = *number;
	pthread_mutex_unlock(&own->lock);
	return n;
}

size_t
problems_count(const struct problems *list)
{
	return list ? number_of(list, &list->n) : 0;
}

size_t
problems_left_out(const struct problems *list)
{
	return list ? number_of(list, &list->left_out) : 0;
}

const char *
problems_text(const struct problems *list, size_t i, enum tn_severity *severity)
{
	struct problems *own = (struct problems *)list;
	const char *text;

	pthread_mutex_lock(&own->lock);
	*severity = list->entry[i].severity;
	text = list->entry[i].text;
	pthread_mutex_unlock(&own->lock);
	return text;
}
