/*
 * class_words.c - the text that all events of a class share (text.md, 1), made at the first event
 *
 * A trace may have 100,000 classes, and events of only ten of them. One thread makes the words of a class while it
 * has the lock; threads that find the words published need no lock.
 */
#include "text/class_words.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/ways.h"
#include "text/direct_make.h"
#include "text/head.h"
#include "text/data_row.h"

struct tn_text_making {
	pthread_mutex_t lock;	/* protects all members below, and the text's arena */
	struct tn_text *text;
	bool directly;		/* classes get codes, unless there are colours, or a test switches this off */
	struct tn_str room;
	struct tn_direct_maker maker[];		/* TN_DIRECT_MAKERS makers for each trace */
};

bool
tn_class_words_begin(struct tn_text *text)
{
	size_t n = TN_DIRECT_MAKERS * text->n_traces;
	struct tn_text_making *k = calloc(1, sizeof *k + n * sizeof k->maker[0]);

	if (!k)
		return false;
	pthread_mutex_init(&k->lock, NULL);
	k->text = text;
	k->directly = !text->options.color && !(tn_ways() & TN_WAYS_VALUES);
	for (size_t i = 0; i < n; i++)
		tn_direct_maker_init(&k->maker[i], text, text->trace[i / TN_DIRECT_MAKERS].trace);
	text->making = k;
	return true;
}

void
tn_class_words_release(struct tn_text *text)
{
	struct tn_text_making *k = text->making;

	if (!k)
		return;
	for (size_t i = 0; i < TN_DIRECT_MAKERS * text->n_traces; i++)
		tn_direct_maker_release(&k->maker[i]);
	tn_str_release(&k->room);
	pthread_mutex_destroy(&k->lock);
	free(k);
	text->making = NULL;
}

static bool
keep(struct tn_text_making *k, struct tn_words *out)
{
	bool kept = tn_text_copy(k->text, out, &k->room);

	if (!kept)
		tn_str_release(&k->room);	/* a later call can try again */
	return kept;
}

/* Make the text up to the name (or all of it) and the text after the name. */
static bool
make_head(struct tn_text_making *k, const struct tn_trace *trace, const struct tn_event_class *ec, struct tn_class_words *w)
{
	w->whole = ec->name != NULL;
	if (k->text->options.format != TN_LINE_TEXT)	/* data_row_make.c makes the words of records */
		return keep(k, &w->head) && keep(k, &w->middle);
	tn_head_put(k->text, trace, ec, &k->room);
	if (!w->whole) {
		if (!keep(k, &w->head))
			return false;
		tn_head_put_end(k->text, &k->room);
		return keep(k, &w->tail);
	}
	return keep(k, &w->head);
}

/*
 * Make the code of a class. If memory is out, the class does not get a code: its lines are then made from values,
 * with the same result.
 */
static void
make_code(struct tn_text_making *k, const struct tn_trace_words *trace, const struct tn_event_class *ec,
	  struct tn_class_words *w)
{
	struct tn_direct_maker *m = &k->maker[TN_DIRECT_MAKERS * (size_t)(trace - k->text->trace)];

	if (!k->directly || !w->whole)
		return;
	if (k->text->options.format == TN_LINE_TEXT)
		tn_direct_make_class(m, ec, w);
	else
		tn_data_row_make_class(m, ec, w);
}

bool
tn_class_words_make(const struct tn_text *text, const struct tn_trace_words *trace, size_t class)
{
	struct tn_class_words *words = &trace->of_class[class];
	const struct tn_event_class *ec = trace->trace->event_class[class];
	struct tn_text_making *k = text->making;
	bool made = true;

	pthread_mutex_lock(&k->lock);
	if (!words->made) {
		made = make_head(k, trace->trace, ec, words);
		if (made) {
			make_code(k, trace, ec, words);
			/* A thread that sees `made` may read the other members. */
			__atomic_store_n(&words->made, true, __ATOMIC_RELEASE);
		}
	}
	pthread_mutex_unlock(&k->lock);
	return made;
}
