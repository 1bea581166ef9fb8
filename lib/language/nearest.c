/* nearest.c - the name that a mistyped one probably means */
#include <ctype.h>
#include <string.h>

#include <tnav/text.h>

/* Number of letters to change, add or leave out; a large number if it is more than a third of them. */
static size_t
distance(const char *a, const char *b)
{
	size_t row[65], n = strlen(a), m = strlen(b), longest = n > m ? n : m;

	if (n > 64 || m > 64 || (n > m ? n - m : m - n) > longest / 3 + 1)
		return SIZE_MAX;
	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			size_t change = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[k - 1]));
			size_t best = row[k] + 1 < row[k - 1] + 1 ? row[k] + 1 : row[k - 1] + 1;

			diagonal = row[k];
			row[k] = change < best ? change : best;
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
