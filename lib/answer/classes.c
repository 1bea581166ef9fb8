#include "answer/classes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum tn_code
tn_classes_init(struct tn_classes *c, const struct tn_set *set, struct tn_error *err)
{
	*c = (struct tn_classes) { 0 };
	for (size_t t = 0; t < set->n_traces; t++)
		c->n += set->trace[t]->n_event_classes;
	c->item = calloc(c->n + 1, sizeof *c->item);
	c->first = calloc(set->n_streams + 1, sizeof *c->first);
	c->trace = calloc(set->n_streams + 1, sizeof *c->trace);
	if (!c->item || !c->first || !c->trace) {
		tn_classes_release(c);
		return tn_fail_memory(err);
	}
	c->n = 0;
	for (size_t t = 0; t < set->n_traces; t++) {
		for (size_t s = 0; s < set->n_streams; s++) {
			if (set->stream[s]->trace != set->trace[t])
				continue;
			c->first[s] = c->n;
			c->trace[s] = (uint32_t)t;
		}
		for (size_t i = 0; i < set->trace[t]->n_event_classes; i++)
			c->item[c->n++] = set->trace[t]->event_class[i];
	}
	return TN_OK;
}

void
tn_classes_release(struct tn_classes *c)
{
	free(c->item);
	free(c->first);
	free(c->trace);
	*c = (struct tn_classes) { 0 };
}

bool
tn_glob(const char *pattern, size_t n, const char *name, const char **star, size_t *star_n)
{
	size_t p = 0, size = strlen(name), after = SIZE_MAX, k = 0, again = 0;
	const char *first = memchr(pattern, '*', n);

	while (k < size) {
		if (p < n && pattern[p] == '*') {
			after = ++p;
			again = k;
		} else if (p < n && pattern[p] == name[k]) {
			p++;
			k++;
		} else if (after != SIZE_MAX) {
			p = after;
			k = ++again;
		} else {
			return false;
		}
	}
	while (p < n && pattern[p] == '*')
		p++;
	if (p < n)
		return false;
	if (star) {
		/* With more than one it is all behind the first, but what the pattern ends with. */
		const char *last = first;

		for (size_t i = 0; first && i < n; i++)
			if (pattern[i] == '*')
				last = pattern + i;
		*star = first ? name + (first - pattern) : NULL;
		*star_n = first ? size - (size_t)(first - pattern) - (n - 1 - (size_t)(last - pattern)) : 0;
	}
	return true;
}

/* Edits that make one of the other, case left aside; @most + 1 when it is more. */
static size_t
distance(const char *a, size_t n, const char *b, size_t m, size_t most)
{
	size_t row[65];

	if (n > 64 || m > 64)
		return most + 1;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t up = row[j], best;

			best = corner + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
			best = up + 1 < best ? up + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			row[j] = best;
			corner = up;
		}
	}
	return row[m];
}

void
tn_nearest_offer(struct tn_nearest *nearest, const char *name)
{
	size_t most = nearest->n / 2 + 1, d = distance(nearest->wanted, nearest->n, name, strlen(name), most);

	if (d > most || (nearest->best && d >= nearest->distance))
		return;
	nearest->best = name;
	nearest->distance = d;
}
