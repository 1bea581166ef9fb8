/* seen.c - the event classes whose events occur in a scan */
#include "base/error.h"
#include "base/options.h"
#include "scan/ranges.h"

struct seen {
	const struct tn_set *set;
	struct seen_trace {
		TN_ARRAY(bool) class;	/* flags by index */
	} *trace;		/* for each trace of the set */
	size_t left;		/* number of classes that have not occurred yet */
};

/* Add the classes that were made meanwhile, while the index of a stream was extended. */
static bool
add_classes(struct seen *s, struct seen_trace *t, const struct tn_trace *trace)
{
	size_t n = trace->n_event_classes;

	if (!TN_ARRAY_RESERVE(&t->class, n + 1))
		return false;
	memset(t->class.item + t->class.n, 0, n - t->class.n);
	s->left += n - t->class.n;
	t->class.n = n;
	return true;
}

static bool
is_complete(const struct tn_set *set)
{
	for (size_t i = 0; i < set->n_streams; i++)
		if (!set->stream[i]->index.complete)
			return false;
	return true;
}

static enum tn_code
take(void *user, const struct tn_batch *b, size_t first, size_t n, struct tn_error *err)
{
	const struct tn_trace *trace = b->stream->trace;
	struct seen *s = user;
	struct seen_trace *t = s->trace;
	const struct tn_ref *ref = b->refs.item;

	while (s->set->trace[t - s->trace] != trace)
		t++;
	if (t->class.n < trace->n_event_classes && !add_classes(s, t, trace))
		return tn_fail_memory(err);
	for (size_t i = first; i < first + n; i++)
		if (__builtin_expect(ref[i].event_class < t->class.n && !t->class.item[ref[i].event_class], 0)) {
			t->class.item[ref[i].event_class] = true;
			s->left--;
		}
	return s->left || !is_complete(s->set) ? TN_OK : tn_fail(err, TN_ERR_CANCELLED, "stopped");
}

enum tn_code
tn_scan_classes(struct tn_set *set, const struct tn_scan_options *options, const struct tn_event_class ***out, size_t *out_n,
		struct tn_error *err)
{
	struct tn_scan_options scan = { TN_SCAN_OPTIONS }, look;
	struct seen s = { .set = set };
	enum tn_code rc;
	size_t n = 0;

	if (!set || !out || !out_n)
		return tn_fail_null(err);
	*out = NULL;
	*out_n = 0;
	if ((rc = tn_options_take(&scan, sizeof scan, options, "tn_scan_options", err)) < 0)
		return rc;
	look = scan;
	look.lines = NULL;
	look.row = NULL;
	look.event = NULL;
	look.notice = NULL;
	look.packet = NULL;
	look.times = NULL;
	look.any_order = !scan.limit;
	if (!(s.trace = calloc(set->n_traces + 1, sizeof *s.trace)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < set->n_traces; i++)
		if (!add_classes(&s, &s.trace[i], set->trace[i]))
			rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_scan_ranges(set, &look, &(struct tn_scan_ranges) { take, &s }, NULL, err);
	if (rc == TN_ERR_CANCELLED && !s.left)
		rc = TN_OK;
	for (size_t i = 0; rc == TN_OK && i < set->n_traces; i++)
		n += s.trace[i].class.n;
	if (rc == TN_OK && !(*out = calloc(n + 1, sizeof **out)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; s.trace && i < set->n_traces; i++) {
		for (size_t k = 0; *out && k < s.trace[i].class.n; k++)
			if (s.trace[i].class.item[k])
				(*out)[(*out_n)++] = set->trace[i]->event_class[k];
		TN_ARRAY_RELEASE(&s.trace[i].class);
	}
	free(s.trace);
	return rc;
}
