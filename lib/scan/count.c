/* count.c - count events: a scan that needs only their number */
#include <tnav/query.h>

#include "base/options.h"
#include "model/trace.h"

struct count {
	const struct tn_set *set;
	struct tn_count_options o;
	uint64_t done_bytes, all_bytes;
};

static int
on_notice(void *user, const struct tn_row *row)
{
	const struct count *c = user;

	return c->o.notice(c->o.user, row);
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct count *c = user;
	const struct tn_location at = { .time_ns = at_ns, .stream = UINT32_MAX };
	double share;

	(void)read;
	(void)passed;
	if (tn_location_share(c->set, &at, &share))
		c->done_bytes = (uint64_t)(share * (double)c->all_bytes);
	return c->o.progress(c->o.user, c->done_bytes, c->all_bytes);
}

enum tn_code
tn_count(struct tn_set *set, const struct tn_count_options *options, uint64_t *events, struct tn_error *err)
{
	if (!set || !events)
		return tn_fail_null(err);

	struct count c = { .set = set, .o = { TN_COUNT_OPTIONS } };
	enum tn_code rc;

	*events = 0;
	rc = tn_options_take(&c.o, sizeof c.o, options, "tn_count_options", err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < set->n_streams; i++)
		c.all_bytes += set->stream[i]->size;
	return tn_scan(set, &(struct tn_scan_options) {
		TN_SCAN_OPTIONS, .threads = c.o.threads, .notice = c.o.notice ? on_notice : NULL,
		.progress = c.o.progress ? on_progress : NULL, .user = &c,
	}, events, err);
}
