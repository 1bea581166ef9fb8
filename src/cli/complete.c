/* complete.c - completions of a condition, for shells and editors */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "output.h"
#include "report.h"
#include "screen/array.h"

struct offers {
	char **word;
	size_t n, room;
	bool failed;
};

static void
keep(void *user, const char *word)
{
	struct offers *o = user;
	char **more;

	more = array_more(o->word, o->n, &o->room, sizeof *more);
	if (!more) {
		o->failed = true;
		return;
	}
	o->word = more;
	if ((o->word[o->n] = strdup(word)))
		o->n++;
	else
		o->failed = true;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Write each completed text in a line of its own, sorted. */
static int
write_offers(struct offers *o, const char *text, size_t begin, const struct options *options)
{
	struct output out;
	int status = output_open(&out, options->output, options->force);

	if (status)
		return status;
	if (o->n)
		qsort(o->word, o->n, sizeof *o->word, by_text);
	for (size_t i = 0; i < o->n; i++) {
		/* Omit a word that occurs twice in the list, and a word that contains a line feed. */
		if ((i && strcmp(o->word[i - 1], o->word[i]) == 0) || strchr(o->word[i], '\n') ||
		    strncmp(o->word[i], text + begin, strlen(text + begin)) != 0)
			continue;
		output_write(&out, text, begin);
		output_puts(&out, o->word[i]);
		output_puts(&out, "\n");
	}
	return output_close(&out);
}

static int
no_memory(void)
{
	complain(NULL, _("out of memory"));
	return 1;
}

int
print_completions(struct job *job)
{
	const char *text = job->options->complete;
	struct tn_filter *filter;
	struct offers o = { 0 };
	struct tn_error err;
	size_t begin = 0;
	int status = 0;

	if (tn_filter_new(&filter, job->set, &err) != TN_OK)
		return job_failed(&err);
	if (tn_filter_complete(filter, text, strlen(text), &begin, keep, &o, &err) != TN_OK)
		status = job_failed(&err);
	else if (o.failed)
		status = no_memory();
	else
		status = write_offers(&o, text, begin, job->options);
	tn_filter_free(filter);
	for (size_t i = 0; i < o.n; i++)
		free(o.word[i]);
	free(o.word);
	return status;
}
