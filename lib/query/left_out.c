#include "query/left_out.h"

#include <stdlib.h>

#include "query/forecast.h"

struct tn_left_out {
	struct tn_question question;
	struct tn_forecast forecast;
};

struct tn_left_out *
tn_left_out_new(const struct tn_set *set, const struct tn_scan_options *options)
{
	struct tn_left_out *left;
	bool any = false;

	for (size_t i = 0; i < set->n_traces; i++)
		any |= set->trace[i]->digest != NULL;
	if (!any || !options->filter || tn_filter_empty(options->filter) || tn_filter_has_regex(options->filter))
		return NULL;
	left = calloc(1, sizeof *left);
	if (left && tn_question_of(&left->question, options->filter, set, NULL))
		tn_forecast_make(&left->forecast, set, options, &left->question, NULL, false, false);
	return left;
}

const struct tn_packet_marks *
tn_left_out_marks(const struct tn_left_out *left)
{
	return left ? left->forecast.marks : NULL;
}

void
tn_left_out_free(struct tn_left_out *left)
{
	if (!left)
		return;
	tn_forecast_release(&left->forecast);
	tn_question_release(&left->question);
	free(left);
}
