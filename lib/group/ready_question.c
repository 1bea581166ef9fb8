/* ready_question.c - whether the traces describe events of a ready question */
#include <stdlib.h>
#include <string.h>

#include "group/groups.h"
#include "scan/filter.h"
#include "span/spans.h"
#include "base/error.h"

/* Whether the filter can select events of a class that has a name. */
static bool
selects_a_class(const struct tn_filter *filter, const struct tn_set *set)
{
	for (size_t t = 0; t < set->n_traces; t++)
		for (size_t i = 0; i < set->trace[t]->n_event_classes; i++)
			if (set->trace[t]->event_class[i]->name &&
			    tn_filter_verdict(filter, set->trace[t]->event_class[i]) != TN_VERDICT_NO)
				return true;
	return false;
}

enum tn_code
tn_ready_question_check(const struct tn_ready_question *q, struct tn_set *set, struct tn_error *err)
{
	struct tn_groups *groups = NULL;
	struct tn_filter *filter = NULL;
	struct tn_spans *spans = NULL;
	char *keys;
	enum tn_code rc;

	if (!q || !q->spans || !q->by || !q->show || !q->where || !set)
		return tn_fail_null(err);
	if (*q->spans) {
		rc = tn_spans_new(&spans, set, err);
		if (rc == TN_OK)
			rc = tn_spans_add_question(spans, q->spans, err);
		tn_spans_free(spans);
		return rc;
	}
	keys = tn_ready_question_keys(q, set);
	rc = keys ? tn_groups_new(&groups, set, keys, q->show, err) : tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_filter_new(&filter, set, err);
	if (rc == TN_OK && *q->where)
		rc = tn_filter_add(filter, q->where, err);
	if (rc == TN_OK && !selects_a_class(filter, set))
		rc = tn_fail(err, TN_ERR_ARGUMENT, "the traces do not have the events of this question, such as '%.*s'",
			     (int)strlen(q->where), q->where);
	tn_groups_free(groups);
	tn_filter_free(filter);
	free(keys);
	return rc;
}
