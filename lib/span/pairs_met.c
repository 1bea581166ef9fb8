/* pairs_met.c - find the pairs whose events occur */
#include <stdlib.h>

#include "span/pairs.h"
#include "scan/pieces.h"
#include "base/error.h"
#include "base/options.h"
#include "scan/packet_skip.h"

struct look {
	const struct tn_classes *classes;
	uint8_t *seen;		/* a flag for each class */
	size_t left;		/* number of classes of pairs without an event so far */
	const uint8_t *wanted;
};

static void *
make(void *user)
{
	return calloc(((struct look *)user)->classes->n + 1, 1);
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	const struct look *l = user;
	uint8_t *seen = (uint8_t *)state + l->classes->first[b->stream->rank];

	(void)reader, (void)err;
	for (size_t i = first; i < end; i++)
		if (b->refs.item[i].event_class != TN_REF_NOTICE)
			seen[b->refs.item[i].event_class] = 1;
	return TN_OK;
}

static void
see(struct look *l, size_t class)
{
	if (l->seen[class])
		return;
	l->seen[class] = 1;
	l->left -= l->wanted[class];
}

/* Use the facts from earlier scans. */
static void
see_known(void *user, const struct tn_stream *stream, uint32_t event_class)
{
	struct look *l = user;

	see(l, l->classes->first[stream->rank] + event_class);
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct look *l = user;
	uint8_t *seen = piece->state;

	(void)err;
	for (size_t c = 0; c < l->classes->n; c++) {
		if (seen[c])
			see(l, c);
		seen[c] = 0;
	}
	return l->left ? TN_OK : TN_END;
}

static bool
is_met(const struct tn_pick *pick, const uint8_t *seen, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (seen[c] && pick->verdict[c] != TN_VERDICT_NO)
			return true;
	return false;
}

/* Move the pairs that have events to the front. Both parts keep their order. */
static void
part(struct tn_pairs *p, const struct tn_spans *spans, const uint8_t *seen, char **rest)
{
	size_t n = spans->definition.n, n_rest = 0;

	p->n_met = 0;
	for (size_t i = 0; i < n; i++) {
		const struct tn_span_definition *d = &spans->definition.item[i];

		if (is_met(&d->begin, seen, spans->classes.n) && (d->whole || is_met(&d->end, seen, spans->classes.n)))
			p->definition.item[p->n_met++] = p->definition.item[i];
		else
			rest[n_rest++] = p->definition.item[i];
	}
	for (size_t i = 0; i < n_rest; i++)
		p->definition.item[p->n_met + i] = rest[i];
}

static bool
is_whole(const struct tn_scan_options *o)
{
	return !o->has_begin && !o->has_end && !o->has_from && !o->has_to;
}

enum tn_code
tn_pairs_look(struct tn_pairs *p, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_pieces_ops ops = { .make = make, .release = free, .rows = rows, .deliver = deliver, .all = true };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_spans *spans = NULL;
	struct look l = { 0 };
	uint8_t *wanted = NULL;
	char **rest = NULL;
	enum tn_code rc;

	if (!p)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = tn_spans_new(&spans, p->set, err);
	for (size_t i = 0; rc == TN_OK && i < p->definition.n; i++)
		rc = tn_spans_add(spans, p->definition.item[i], err);
	if (rc < 0 || !p->definition.n) {
		tn_spans_free(spans);
		return rc;
	}
	l.classes = &spans->classes;
	l.seen = calloc(spans->classes.n + 1, 1);
	l.wanted = wanted = calloc(spans->classes.n + 1, 1);
	rest = calloc(p->definition.n + 1, sizeof *rest);
	if (!l.seen || !wanted || !rest) {
		rc = tn_fail_memory(err);
		goto out;
	}
	for (size_t c = 0; c < spans->classes.n; c++) {
		wanted[c] = spans->some[c];
		l.left += wanted[c];
	}
	o.filter = NULL;
	if (is_whole(&o) && (tn_known_classes(p->set, see_known, &l) || !l.left))
		rc = TN_OK;
	else
		rc = tn_pieces_run(p->set, &o, &ops, &l, err);
	if (rc >= 0 || rc == TN_ERR_CANCELLED)
		part(p, spans, l.seen, rest);
	rc = rc > 0 ? TN_OK : rc;
out:
	free(l.seen);
	free(wanted);
	free(rest);
	tn_spans_free(spans);
	return rc;
}

size_t
tn_pairs_met(const struct tn_pairs *p)
{
	return p ? p->n_met : 0;
}
