/* nearest.c - find the existing name that is nearest to a mistyped one */
#include <ctype.h>
#include <string.h>

#include <tnav/text.h>

static bool
is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t
least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The number of letters to change, add, remove or swap. SIZE_MAX: more than a third of the letters. */
static size_t
distance(const char *a, const char *b)
{
	size_t room[3][65], *row = room[0], *before = room[1], *second = room[2], *spare;
	size_t n = strlen(a), m = strlen(b), longest = n > m ? n : m;

	if (n > 64 || m > 64 || (n > m ? n - m : m - n) > longest / 3 + 1)
		return SIZE_MAX;
	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= n; i++) {
		spare = second;
		second = before;
		before = row;
		row = spare;
		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			row[k] = least_of(before[k - 1] + !is_same(a[i - 1], b[k - 1]), 1 + least_of(before[k], row[k - 1]));
			if (i > 1 && k > 1 && is_same(a[i - 1], b[k - 2]) && is_same(a[i - 2], b[k - 1]))
				row[k] = least_of(row[k], second[k - 2] + 1);
		}
	}
	return row[m] <= longest / 3 + 1 && row[m] < longest ? row[m] : SIZE_MAX;
}

void
tn_nearest(const char *typed, const char *candidate, const char **best, size_t *least)
{
	size_t d;

	if (!typed || !candidate || !best || !least)
		return;
	d = distance(typed, candidate);
	if (d < *least) {
		*least = d;
		*best = candidate;
	}
}
