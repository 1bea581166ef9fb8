/* answers_measure.c - the job that adds up the numbers of the pairs on the screen */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

/* All numbers are known: sort, the largest total first. If the user has moved the cursor, it stays on its row. */
static void
measuring_end(struct job *job)
{
	struct measuring *m = job->data;
	struct answers *a = m->view;
	size_t i = a->list.selected;
	char *row = i < a->table.n && (i || a->left.row) ? strdup(row_text(&a->table.row[i], PAIR_TEXT)) : NULL;

	measuring_take(m, &a->table);
	a->measuring_job = NULL;
	a->measuring = NULL;
	qsort(a->table.row, a->table.n, sizeof *a->table.row, pair_compare);
	for (i = 0; row && i < a->table.n; i++)
		if (strcmp(row_text(&a->table.row[i], PAIR_TEXT), row) == 0)
			list_select(&a->list, i);
	free(row);
}

static const struct job_class measuring_class = {
	.label = N_("measuring the pairs"), .quiet = true,
	.run = measuring_run, .finish = measuring_end, .cancelled = measuring_end, .free = measuring_free,
};

void
answers_measure(struct answers *a)
{
	struct measuring *m = measuring_new(&a->table, a->list.base.session->utf8);

	if (!m)
		return;
	m->view = a;
	a->measuring_job = job_start(a->list.base.session, &measuring_class, m);
	a->measuring = a->measuring_job ? m : NULL;
}
