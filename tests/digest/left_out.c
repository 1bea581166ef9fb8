#include "left_out.h"

#include "query/forecast.h"
#include "tnav/query.h"

size_t
left_out(struct tn_set *set, const char *text, size_t *n)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_question question = { 0 };
	struct tn_filter *filter = NULL;
	struct tn_forecast f = { 0 };
	size_t out = 0;

	*n = 0;
	if (tn_filter_new(&filter, set, NULL) < 0 || tn_filter_add(filter, text, NULL) < 0 ||
	    !tn_question_of(&question, filter, set, NULL)) {
		tn_filter_free(filter);
		return SIZE_MAX;
	}
	o.filter = filter;
	tn_forecast_make(&f, set, &o, &question, true, false);
	for (size_t i = 0; f.marks && i < f.n_streams; i++)
		for (size_t k = 0; k < f.marks[i].n; k++, ++*n)
			out += f.marks[i].mark[k] == TN_MARK_LEFT_OUT;
	tn_forecast_release(&f);
	tn_question_release(&question);
	tn_filter_free(filter);
	return out;
}
