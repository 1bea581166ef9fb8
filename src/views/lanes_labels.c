#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lanes_labels.h"
#include "screen/canvas.h"
#include "screen/charset.h"

#define COMPARE_MOST 4096	/* limit of names that are compared, if there are more */

int
labels_widest(char *const *name, size_t n)
{
	int widest = 0;

	for (size_t i = 0; i < n; i++) {
		int width = text_width(name[i], strlen(name[i]));

		widest = width > widest ? width : widest;
	}
	return widest;
}

static void
put_begin(struct line *out, unsigned style, const char *text, int width)
{
	line_add(out, style, text, text_fit(text, strlen(text), width, NULL));
}

static void
put_end(struct line *out, unsigned style, const char *text, int width)
{
	line_puts(out, style, text + text_skip(text, strlen(text), width));
}

void
labels_put(const struct labels *l, const char *name, unsigned style, struct line *out)
{
	int width = text_width(name, strlen(name)), begin = (l->width - 1) / 2;
	enum label_part part = l->part;

	if (width <= l->width) {
		line_puts(out, style, name);
		return;
	}
	if (part == LABEL_MIDDLE && width - l->skip < l->width)	/* the end is near */
		part = LABEL_END;
	if (part == LABEL_BEGIN || part == LABEL_BOTH)
		put_begin(out, style, name, part == LABEL_BOTH ? begin : l->width - 1);
	line_puts(out, STYLE_DIM, charset_cut());
	if (part == LABEL_END || part == LABEL_BOTH)
		put_end(out, style, name, part == LABEL_BOTH ? l->width - 1 - begin : l->width - 1);
	if (part == LABEL_MIDDLE) {
		put_begin(out, style, name + text_fit(name, strlen(name), l->skip, NULL), l->width - 2);
		line_puts(out, STYLE_DIM, charset_cut());
	}
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The number of different labels. 0: memory is out. */
static size_t
count_different(const struct labels *l, char *const *name, size_t n)
{
	char **shown = calloc(n, sizeof *shown);
	struct line line = { 0 };
	size_t different = 0, i;

	for (i = 0; shown && i < n; i++) {
		line_clear(&line);
		labels_put(l, name[i], STYLE_TEXT, &line);
		shown[i] = strdup(line.n ? line.text : "");
		if (!shown[i])
			break;
	}
	if (i == n) {
		qsort(shown, n, sizeof *shown, compare);
		for (different = 1, i = 1; i < n; i++)
			different += strcmp(shown[i], shown[i - 1]) != 0;
	}
	for (i = 0; shown && i < n; i++)
		free(shown[i]);
	free(shown);
	line_release(&line);
	return different;
}

/* The number of columns at the start that are the same in all names. */
static int
same_begin(char *const *name, size_t n)
{
	size_t same = strlen(name[0]);

	for (size_t i = 1; i < n; i++) {
		size_t k = 0;

		while (k < same && name[i][k] == name[0][k])
			k++;
		same = k;
	}
	while (same && ((unsigned char)name[0][same] & 0xC0) == 0x80)	/* not inside of a character */
		same--;
	return text_width(name[0], same);
}

struct labels
labels_of(char *const *name, size_t n, int width)
{
	struct labels l = { .width = width };
	size_t most = 0;

	n = n < COMPARE_MOST ? n : COMPARE_MOST;
	if (n < 2 || labels_widest(name, n) <= width)
		return l;
	l.skip = same_begin(name, n);
	for (struct labels try = l; try.part < LABEL_PARTS; try.part++) {
		size_t different = count_different(&try, name, n);

		if (different > most) {
			most = different;
			l.part = try.part;
		}
	}
	return l;
}
