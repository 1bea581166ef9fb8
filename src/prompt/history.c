#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "screen/line.h"
#include "session/store.h"

#define NAME "history"

/* The letter of each prompt; a line of the file has the letter, a blank and the text. */
static const char letter[HISTORIES] = {
	[HISTORY_SEARCH] = '/', [HISTORY_FILTER] = '&', [HISTORY_TIME] = 't', [HISTORY_COMMAND] = ':',
};

static void
read_into(struct history history[HISTORIES])
{
	size_t n = 0;
	char *all = store_read(NAME, &n);

	for (char *line = all, *next; line && line < all + n; line = next) {
		next = line + strlen(line) + 1;
		for (int i = 0; i < HISTORIES; i++)
			if (line[0] == letter[i] && line[1] == ' ' && strlen(line + 2) < PROMPT_SIZE)
				history_add(&history[i], line + 2);
	}
	free(all);
}

void
history_load(struct prompt_line *q)
{
	read_into(q->history);
	for (int i = 0; i < HISTORIES; i++)
		q->history[i].added = 0;
}

void
history_save(const struct prompt_line *q)
{
	struct history all[HISTORIES] = { { .n = 0 } };
	struct tn_error err;
	struct line l = { 0 };
	uint64_t added = 0;

	for (int i = 0; i < HISTORIES; i++)
		added += q->history[i].added;
	if (!added)
		return;
	read_into(all);
	for (int i = 0; i < HISTORIES; i++) {
		const struct history *h = &q->history[i];
		size_t n = h->added < h->n ? (size_t)h->added : h->n;

		for (size_t k = h->n - n; k < h->n; k++)
			history_add(&all[i], h->text[k]);
		for (size_t k = 0; k < all[i].n; k++) {
			line_add(&l, STYLE_TEXT, (char[]) { letter[i], ' ' }, 2);
			line_puts(&l, STYLE_TEXT, all[i].text[k]);
			line_puts(&l, STYLE_TEXT, "\n");
		}
		history_release(&all[i]);
	}
	/* Ignore a failure, because the user did not request this. */
	if (l.n && l.n < STORE_BYTES)
		(void)!store_write(NAME, l.text, l.n, &err);
	line_release(&l);
}
