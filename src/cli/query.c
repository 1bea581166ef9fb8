#include <config.h>

#include <ctype.h>
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
	tn_text_free(q->text);
	free(q);
}

bool
condition_is_expression(const char *text)
{
	static const char *const operators[] = { "==", "!=", "=~", "!~", "<=", ">=", "<", ">" };

	while (*text == '(' || *text == ' ')
		text++;
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || (*text && strchr("_.$[]:", *text)))
		text++;
	while (*text == ' ')
		text++;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		size_t n = strlen(operators[i]);

		if (strncmp(text, operators[i], n) == 0)
			return true;
	}
	return false;
}

enum tn_code
condition_add(struct tn_filter *filter, const char *text, struct tn_error *err)
{
	if (condition_is_expression(text))
		return tn_filter_add_expression(filter, text, err);
	if (*text == '!')
		return tn_filter_add_regex(filter, text + 1, true, err);
	return tn_filter_add_regex(filter, text, false, err);
}

static enum tn_code
fill(struct query *q, struct tn_set *set, const struct condition *condition, size_t n, const char *extra,
     bool extra_is_expression, struct tn_error *err)
{
	enum tn_code rc = tn_filter_new(&q->filter, set, err);

	for (size_t i = 0; i < n && rc == TN_OK; i++)
		if (condition[i].on)
			rc = condition_add(q->filter, condition[i].text, err);
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
		rc = fill(q, set, condition, n, extra, extra_is_expression, err);
	if (rc != TN_OK) {
		query_put(q);
		return rc;
	}
	*out = q;
	return TN_OK;
}
