/* answers_pairs.c - proposed pairs with their numbers, and ready questions */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers_run.h"
#include "gettext.h"
#include "session/chosen_spans.h"

#define NUMBERS "count, sum(duration), p50(duration), p99(duration), max(duration)"

static void
add_pair(struct table *t, const char *definition, int what)
{
	static const char *const says[] = { "", N_("used"), N_("hidden"), "", "" };
	struct answer_row *r = table_row(t);

	if (!r)
		return;
	r->pair = what;
	table_text(t, r, PAIR_STATE, *says[what] ? _(says[what]) : "");
	table_text(t, r, PAIR_TEXT, definition);
	if (what < PAIR_REFUSED)
		table_text(t, r, PAIR_COUNT, "...");	/* shown until the pair is measured */
}

/* Whether the search has lasted long enough: the user should not wait only for a better order of the pairs. */
static bool
looked_enough(void *user)
{
	const struct answer_request *ask = ((struct job *)user)->data;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return job_stopped(user) || now.tv_sec > ask->until.tv_sec ||
	       (now.tv_sec == ask->until.tv_sec && now.tv_nsec > ask->until.tv_nsec);
}

static enum tn_code
look(struct job *job, struct tn_pairs *pairs)
{
	struct answer_request *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	enum tn_code rc;

	clock_gettime(CLOCK_MONOTONIC, &ask->until);
	ask->until.tv_sec++;
	scan.progress = NULL;
	scan.stopped = looked_enough;
	rc = tn_pairs_look(pairs, &scan, &job->error);
	return rc == TN_ERR_CANCELLED && !job_stopped(job) ? TN_OK : rc;
}

/* Add the proposed pairs that have events. The others are in a fold. */
static void
add_proposed(struct answer_request *ask, const struct tn_pairs *pairs, const struct kept *kept)
{
	size_t n = tn_pairs_count(pairs), folded = 0;
	char text[200], number[32];

	for (size_t i = 0; i < n; i++) {
		const char *d = tn_pairs_definition(pairs, i);

		if (kept_find(kept, d))
			continue;
		if (i < tn_pairs_met(pairs) || ask->unfolded)
			add_pair(&ask->table, d, PAIR_PROPOSED);
		else
			folded++;
	}
	if (!folded)
		return;
	snprintf(text, sizeof text, ngettext("%s more without events here: Enter shows it",
					     "%s more without events here: Enter shows them", folded), number_text(folded, number));
	add_pair(&ask->table, text, PAIR_FOLD);
}

static void
make_columns(struct table *t)
{
	static const char *const names[] = { N_("count"), N_("total"), "p50", "p99", N_("longest") };

	table_column(t, "", TN_COLUMN_BRIEF, TN_GROUP_NUMBER);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		table_column(t, _(names[i]), TN_COLUMN_BRIEF | TN_COLUMN_RIGHT | TN_COLUMN_SHORT,
			     i ? TN_GROUP_DURATION : TN_GROUP_NUMBER);
	table_column(t, _("spread"), TN_COLUMN_BRIEF, TN_GROUP_NUMBER);
	table_column(t, _("pair"), 0, TN_GROUP_NUMBER);
}

static void
add_question(struct job *job, const struct tn_ready_question *q)
{
	struct table *t = &((struct answer_request *)job->data)->table;
	struct answer_row *r = tn_ready_question_check(q, job->q.set, NULL) == TN_OK ? table_row(t) : NULL;

	if (!r)
		return;
	r->pair = PAIR_QUESTION;
	r->question = q;
	table_text(t, r, PAIR_TEXT, q->name);
}

/* List the accepted pairs that have events in these traces, then the proposed pairs, then the hidden ones. */
enum tn_code
pairs_run(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_spans *spans = NULL;
	struct tn_pairs *pairs;
	struct kept kept = { 0 };
	enum tn_code rc = tn_pairs_new(&pairs, job->q.set, &job->error);

	if (rc == TN_OK)
		rc = tn_spans_new(&spans, job->q.set, &job->error);
	if (rc == TN_OK && !kept_read(&kept, &job->error))
		rc = TN_ERR_SYSTEM;
	if (rc == TN_OK)
		rc = look(job, pairs);
	make_columns(&ask->table);
	for (int what = PAIR_TAKEN; rc == TN_OK && what <= PAIR_REFUSED; what++) {
		for (size_t i = 0; i < kept.n; i++)
			if (kept.item[i].refused == (what == PAIR_REFUSED) &&
			    tn_spans_add(spans, kept.item[i].definition, NULL) == TN_OK)
				add_pair(&ask->table, kept.item[i].definition, what);
		if (what == PAIR_TAKEN)
			add_proposed(ask, pairs, &kept);
	}
	if (rc == TN_OK && !ask->table.n)
		add_pair(&ask->table,
			 _("no two event names look like a begin and an end: name them with :span BEGIN END by KEY"),
			 PAIR_WORDS);
	for (size_t i = 0; rc == TN_OK && tn_ready_question_at(i); i++)
		add_question(job, tn_ready_question_at(i));
	kept_release(&kept);
	tn_spans_free(spans);
	tn_pairs_free(pairs);
	return rc;
}

/* ---- numbers ---- */

void
spread_text(char room[SPREAD_BYTES], struct tn_groups *g, size_t row, size_t column, bool utf8)
{
	static const char *const blocks[] = {
		" ", "\342\226\201", "\342\226\202", "\342\226\203", "\342\226\204", "\342\226\205", "\342\226\206",
		"\342\226\207", "\342\226\210",
	}, *const letters[] = { " ", ".", ":", "-", "=", "+", "*", "%", "#" };
	uint64_t part[SPREAD_PARTS] = { 0 }, most = 0;

	*room = '\0';
	if (tn_groups_spread(g, row, column, part, SPREAD_PARTS))
		for (size_t i = 0; i < SPREAD_PARTS; i++)
			most = part[i] > most ? part[i] : most;
	for (size_t i = 0; i < SPREAD_PARTS && most; i++)
		strcat(room, (utf8 ? blocks : letters)[part[i] ? 1 + (size_t)((double)part[i] * 7 / (double)most) : 0]);
}

struct measuring *
measuring_new(const struct table *t, bool utf8)
{
	struct measuring *m = calloc(1, sizeof *m + t->n * sizeof *m->item);

	for (size_t i = 0; m && i < t->n; i++) {
		const struct answer_row *r = &t->row[i];

		if (r->pair >= PAIR_REFUSED)
			continue;
		m->item[m->n].definition = strdup(row_text(r, PAIR_TEXT));
		m->n += m->item[m->n].definition != NULL;
	}
	if (m && !m->n) {
		measuring_free(m);
		return NULL;
	}
	if (m)
		m->utf8 = utf8;
	return m;
}

static enum tn_code
measure(struct job *job, struct measured *item, bool utf8)
{
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_groups *groups = NULL;
	struct tn_spans *spans = NULL;
	enum tn_code rc = tn_spans_new(&spans, job->q.set, &job->error);

	if (rc == TN_OK)
		rc = tn_spans_add(spans, item->definition, &job->error);
	if (rc == TN_OK)
		rc = tn_groups_of_spans(&groups, spans, "", NUMBERS, &job->error);
	if (rc == TN_OK)
		rc = tn_groups_run(groups, &scan, &job->error);
	if (rc == TN_OK) {
		size_t keys = tn_groups_key_count(groups);

		item->is_known = tn_groups_count(groups) == 1;
		for (size_t i = PAIR_COUNT; i < PAIR_SPREAD && item->is_known; i++)
			item->number[i] = tn_groups_row(groups, 0, NULL)[keys + i - PAIR_COUNT];
		if (item->is_known)
			spread_text(item->spread, groups, 0, keys + PAIR_P50 - PAIR_COUNT, utf8);
	}
	tn_groups_free(groups);
	tn_spans_free(spans);
	return rc;
}

void
measuring_run(struct job *job)
{
	struct measuring *m = job->data;

	for (size_t i = 0; i < m->n && !job_stopped(job); i++) {
		job->code = measure(job, &m->item[i], m->utf8);
		if (job->code == TN_ERR_CANCELLED || job->code == TN_ERR_MEMORY)
			return;
		job->code = TN_OK;	/* this failed only for one pair, whose row stays empty */
		atomic_store(&m->done, i + 1);
		if (job->jobs->wake)
			job->jobs->wake();
	}
}

void
measuring_free(void *data)
{
	struct measuring *m = data;

	for (size_t i = 0; i < m->n; i++)
		free(m->item[i].definition);
	free(m);
}

bool
measuring_take(struct measuring *m, struct table *t)
{
	size_t done = atomic_load(&m->done), before = m->taken;

	for (; m->taken < done; m->taken++) {
		const struct measured *item = &m->item[m->taken];

		for (size_t i = 0; i < t->n; i++) {
			struct answer_row *r = &t->row[i];

			if (r->pair > PAIR_REFUSED || strcmp(row_text(r, PAIR_TEXT), item->definition) != 0)
				continue;
			for (size_t c = PAIR_COUNT; c < PAIR_SPREAD; c++)
				table_value(t, r, c, &item->number[c]);
			table_text(t, r, PAIR_SPREAD, item->spread);
		}
	}
	return m->taken > before;
}

int
pair_compare(const void *x, const void *y)
{
	static const int rank[] = {
		[PAIR_PROPOSED] = 0, [PAIR_TAKEN] = 0, [PAIR_REFUSED] = 1, [PAIR_FOLD] = 2, [PAIR_WORDS] = 3, [PAIR_QUESTION] = 4,
	};
	const struct answer_row *a = x, *b = y;
	int order = rank[a->pair] - rank[b->pair];

	if (!order && a->question)
		return (a->question > b->question) - (a->question < b->question);
	if (!order)
		order = table_compare(a, b, PAIR_TOTAL);
	return order ? order : strcmp(row_text(a, PAIR_TEXT), row_text(b, PAIR_TEXT));
}
