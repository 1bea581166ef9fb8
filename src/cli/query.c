#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query.h"

struct query *
query_get(struct query *q)
{
	atomic_fetch_add(&q->refs, 1);
	return q;
}

void
query_put(struct query *q)
{
	if (!q || atomic_fetch_sub(&q->refs, 1) != 1)
		return;
	tn_filter_free(q->filter);
	for (size_t i = 0; i < COLOR_RULES; i++)
		tn_filter_free(q->rule_filter[i]);
	tn_text_free(q->text);
	free(q);
}

static enum tn_code
fill(struct query *q, struct tn_set *set, const struct tn_text_options *options, const struct condition *condition, size_t n,
     const char *extra, bool extra_is_expression, struct tn_error *err)
{
	struct tn_time_context times = { TN_TIME_CONTEXT, .utc = options->utc };
	enum tn_code rc = tn_filter_new(&q->filter, set, err);

	if (rc == TN_OK)
		tn_filter_times(q->filter, &times);
	for (size_t i = 0; i < n && rc == TN_OK; i++)
		if (condition[i].on && !condition[i].is_range)
			rc = tn_filter_add(q->filter, condition[i].text, err);
	if (rc == TN_OK && extra)
		rc = extra_is_expression ? tn_filter_add_expression(q->filter, extra, err)
					 : tn_filter_add_regex(q->filter, extra, false, err);
	if (rc == TN_OK && tn_filter_empty(q->filter)) {
		tn_filter_free(q->filter);
		q->filter = NULL;
	}
	return rc;
}

enum tn_code
query_new(struct query **out, struct tn_set *set, const struct tn_text_options *options,
	  const struct condition *condition, size_t n, const char *extra,
	  bool extra_is_expression, struct tn_error *err)
{
	struct query *q = calloc(1, sizeof *q);
	enum tn_code rc;

	if (!q) {
		err->code = TN_ERR_MEMORY;
		snprintf(err->text, sizeof err->text, "out of memory");
		return TN_ERR_MEMORY;
	}
	atomic_init(&q->refs, 1);
	rc = tn_text_new(&q->text, set, options, err);
	if (rc == TN_OK)
		rc = fill(q, set, options, condition, n, extra, extra_is_expression, err);
	if (rc != TN_OK) {
		query_put(q);
		return rc;
	}
	*out = q;
	return TN_OK;
}

void
query_rules(struct query *q, struct tn_set *set, const struct color_rule rule[COLOR_RULES])
{
	struct tn_error err;

	for (size_t i = 0; i < COLOR_RULES; i++) {
		struct tn_filter *filter;

		q->rule[i] = rule[i];
		if (!*rule[i].text || tn_filter_new(&filter, set, &err) != TN_OK)
			continue;
		if (tn_filter_add(filter, rule[i].text, &err) == TN_OK) {
			q->rule_filter[i] = filter;
			q->has_rules = true;
		} else {
			tn_filter_free(filter);
		}
	}
}

unsigned
query_style(const struct query *q, struct tn_cursor *cur)
{
	struct tn_error err;
	bool pass;

	for (size_t i = 0; q->has_rules && i < COLOR_RULES; i++)
		if (q->rule_filter[i] && tn_filter_match(q->rule_filter[i], q->text, cur, &pass, &err) == TN_OK && pass)
			return q->rule[i].style;
	return 0;
}
