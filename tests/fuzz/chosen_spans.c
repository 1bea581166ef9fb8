/*
 * chosen_spans.c - definitions of spans, and what was typed, as the browser keeps them between runs
 *
 * What was read is written and read again: that is the same, whatever the file was.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "prompt/prompt_line.h"
#include "prompt/history.h"
#include "fuzz/targets.h"
#include "session/chosen_spans.h"

static void
read_spans(void)
{
	struct kept before, after;
	struct tn_error err;

	if (!kept_read(&before, &err)) {
		if (!err.text[0])
			abort();
		return;
	}
	for (size_t i = 0; i < before.n && i < 4; i++) {
		const struct kept_span *now;

		if (!kept_change(before.item[i].definition, KEEP_REFUSED, &err) || !kept_read(&after, &err))
			abort();
		now = kept_find(&after, before.item[i].definition);
		if (!now || !now->refused || after.n > before.n)
			abort();
		kept_release(&after);
	}
	kept_release(&before);
}

static void
read_histories(void)
{
	struct prompt_line first = { .begun = false }, second = { .begun = false };

	history_load(&first);
	history_add(&first.history[HISTORY_TIME], "@1");
	history_save(&first);
	history_load(&second);
	for (int i = 0; i < HISTORIES; i++) {
		const struct history *a = &first.history[i], *b = &second.history[i];

		if (a->n != b->n)
			abort();
		for (size_t k = 0; k < a->n; k++)
			if (strcmp(a->text[k], b->text[k]) != 0)
				abort();
	}
	prompt_line_release(&first);
	prompt_line_release(&second);
}

/* The first byte says which of the two files the others are. */
void
fuzz_kept(const uint8_t *data, size_t n)
{
	bool spans = n && data[0] % 2 == 0;

	fuzz_home();
	fuzz_home_file(spans ? "spans" : "history", n ? data + 1 : data, n ? n - 1 : 0);
	if (spans)
		read_spans();
	else
		read_histories();
}
