/* lanes_run.c - make a picture from the recording, or from the events */
#include <stdlib.h>

#include "answer/question_text.h"
#include "lane/lanes.h"
#include "lane/lanes_memory.h"
#include "base/error.h"
#include "base/meaning.h"
#include "base/options.h"
#include "base/str.h"
#include "scan/filter.h"


/*
 * The question: everything except the window that a picture depends on. NULL: the picture must not be stored, or memory
 * is out.
 */
static char *
question_of(const struct tn_lanes *l, const struct tn_scan_options *o)
{
	struct tn_scan_options all = *o;
	struct tn_str text = { 0 };

	if (tn_filter_has_regex(o->filter))
		return NULL;	/* the picture depends on the format of lines */
	all.has_begin = all.has_end = false;
	tn_str_printf(&text, "lanes %d %d\n%s\n", TN_MEANING_LANES, TN_MEANING_SPANS, l->text);
	if (tn_question_text(&text, &all, l->set))
		return tn_str_take(&text);
	tn_str_release(&text);
	return NULL;
}

/* Whether fine cells can be made: each event must have a time, and sums of times must fit into 64 bits. */
static bool
can_gather(const struct tn_lanes *l, int64_t *begin_ns, int64_t *last_ns)
{
	for (size_t i = 0; i < l->set->n_streams; i++) {
		const struct tn_clock *clock = l->set->stream[i]->stream_class->clock;

		if (!clock || clock->beyond)
			return false;
	}
	return l->fine_cells && tn_set_time_range(l->set, begin_ns, last_ns, NULL) == TN_OK;
}

/* Keep the recording, and store it. */
static void
remember(struct tn_lanes *l, struct tn_gather *gather, char *question, int64_t first, int64_t last)
{
	struct tn_lanes_memory *m = tn_memory_new(l, question);
	size_t n;

	if (!m)
		return;
	m->bytes = tn_gather_finish(gather, l, &n);
	if (!m->bytes || !tn_memory_take(m, l, m->bytes, n, first, last)) {
		tn_lanes_memory_free(m);
		return;
	}
	l->memory = m;
	if (n <= tn_answer_file_room(l->set))
		(void)tn_answer_file_put(l->set, m->question, m->bytes, n);
}

/* Read the events. If all of the time is read, record it for the next picture. */
static enum tn_code
read_window(struct tn_lanes *l, const struct tn_scan_options *o, struct tn_error *err)
{
	static const struct tn_lanes_way way = { .has_from = false };
	size_t room = tn_answer_file_room(l->set);
	char *question = question_of(l, o);
	uint64_t grown = l->set->grown;
	struct tn_gather *gather;
	int64_t first, last;
	enum tn_code rc;

	if (question && can_gather(l, &first, &last) && l->end_ns > last - (last - first) / 4)
		l->gather = tn_gather_new(first, last, l->fine_cells, room && room < l->fine_bytes ? room : l->fine_bytes);
	rc = tn_lanes_fill(l, o, &way, err);
	gather = l->gather;
	tn_lanes_memory_free(l->memory);
	l->memory = NULL;
	if (!gather) {
		free(question);
		return rc;
	}
	for (size_t i = 0; rc == TN_OK && i < l->lane.n; i++)
		tn_gather_advance(gather, l->lane.item[i], last);
	l->gather = NULL;
	if (rc == TN_OK && l->set->grown == grown)
		remember(l, gather, question, first, last);
	else
		free(question);
	tn_gather_free(gather);
	tn_lanes_forget_after(l);
	return rc;
}

/* Load the stored recording; NULL: there is none, or it is invalid. */
static struct tn_lanes_memory *
load(const struct tn_lanes *l, char *question)
{
	struct tn_lanes_memory *m = tn_memory_new(l, question);
	int64_t first, last;

	if (!m)
		return NULL;
	if (tn_answer_file_load(&m->kept, l->set, m->question) && can_gather(l, &first, &last) &&
	    tn_memory_take(m, l, m->kept.bytes, m->kept.n, first, last))
		return m;
	tn_lanes_memory_free(m);
	return NULL;
}

/* Whether the recording answers the current question; if it does not, load the stored one. */
static bool
is_remembered(struct tn_lanes *l, const struct tn_scan_options *o)
{
	const struct tn_lanes_memory *m = l->memory;
	char *question = l->fine_cells ? question_of(l, o) : NULL;

	if (!question)
		return false;
	if (m && strcmp(m->question, question) == 0 && m->set == l->set && m->grown == l->set->grown) {
		free(question);
		return true;
	}
	tn_lanes_memory_free(l->memory);
	l->memory = load(l, question);
	return l->memory != NULL;
}

bool
tn_lanes_remember(struct tn_lanes *l, struct tn_lanes_memory *memory, const struct tn_scan_options *options)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };

	if (!l || !l->set)
		return false;
	if (memory) {
		tn_lanes_memory_get(memory);
		tn_lanes_memory_free(l->memory);
		l->memory = memory;
	}
	return tn_options_take(&o, sizeof o, options, "tn_scan_options", NULL) == TN_OK && is_remembered(l, &o);
}

static enum tn_code
begin_window(struct tn_lanes *l, int64_t begin_ns, int64_t end_ns, size_t columns, struct tn_error *err)
{
	enum tn_code rc = tn_lanes_window(l, begin_ns, end_ns, columns, err);

	if (rc == TN_OK)
		rc = tn_set_time_range(l->set, &l->first_ns, &l->last_ns, err);
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_lanes_run(struct tn_lanes *l, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t columns,
	     struct tn_error *err)
{
	struct tn_scan_options given = { TN_SCAN_OPTIONS };
	enum tn_code rc;

	if (!l || !l->set)
		return tn_fail_null(err);
	rc = tn_options_take(&given, sizeof given, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = begin_window(l, begin_ns, end_ns, columns, err);
	if (rc == TN_OK)
		rc = is_remembered(l, &given) ? tn_memory_recall(l->memory, l, &given, err) : TN_END;
	if (rc == TN_END) {
		rc = begin_window(l, begin_ns, end_ns, columns, err);
		if (rc == TN_OK)
			rc = read_window(l, &given, err);
	}
	if (l->failed)
		tn_lanes_clear(l);	/* a lane or a state may be incomplete */
	else if (rc == TN_OK)
		l->known = columns;
	tn_lanes_sort(l);
	return rc;
}
