/* span_kind.c - read "@KIND": spans whose events the format knows (model/pairs.h) */
#include <stdlib.h>
#include <string.h>

#include "span/spans.h"
#include "base/error.h"

const struct tn_span_kind *
tn_span_kind(const struct tn_spans *spans, size_t i)
{
	const struct tn_span_kind *seen[16];
	size_t n = 0;

	for (size_t c = 0; c < spans->classes.n && n < TN_COUNT(seen); c++) {
		const struct tn_span_kind *kind = spans->classes.item[c]->span_kind;

		for (; kind && n < TN_COUNT(seen); kind = kind->next) {
			size_t k = 0;

			while (k < n && strcmp(seen[k]->name, kind->name) != 0)
				k++;
			if (k < n)
				continue;
			if (n == i)
				return kind;
			seen[n++] = kind;
		}
	}
	return NULL;
}

static enum tn_code
no_such_kind(const struct tn_spans *spans, const char *name, size_t n, struct tn_error *err)
{
	char typed[64];
	const char *best = NULL;
	const struct tn_span_kind *other;
	size_t distance = SIZE_MAX;

	if (!tn_span_kind(spans, 0))
		return tn_fail(err, TN_ERR_ARGUMENT, "these traces define no spans: write BEGIN END by KEY");
	memcpy(typed, name, n < sizeof typed ? n : sizeof typed - 1);
	typed[n < sizeof typed ? n : sizeof typed - 1] = '\0';
	for (size_t i = 0; (other = tn_span_kind(spans, i)); i++)
		tn_nearest(typed, other->name, &best, &distance);
	return tn_fail(err, TN_ERR_ARGUMENT, "these traces define no spans '@%s': the nearest name is '@%s'", typed,
		       best ? best : tn_span_kind(spans, 0)->name);
}

enum tn_code
tn_span_read_kind(struct tn_span_definition *out, const struct tn_spans *spans, const char *name, size_t n,
		  const struct tn_span_kind **kind, struct tn_error *err)
{
	size_t all = spans->classes.n;
	bool has_whole = false;

	*kind = NULL;
	out->begin.verdict = calloc(all + 1, 1);
	out->end.verdict = calloc(all + 1, 1);
	out->whole = calloc(all + 1, 1);
	if (!out->begin.verdict || !out->end.verdict || !out->whole)
		return tn_fail_memory(err);
	for (size_t c = 0; c < all; c++) {
		const struct tn_event_class *ec = spans->classes.item[c];
		const struct tn_span_kind *of = ec->span_kind;

		while (of && (strlen(of->name) != n || memcmp(of->name, name, n) != 0))
			of = of->next;
		if (!of)
			continue;
		*kind = *kind ? *kind : of;
		out->whole[c] = ec->span_part == TN_SPAN_PART_WHOLE && ec->span_kind->duration;
		has_whole |= out->whole[c];
		if (ec->span_part == TN_SPAN_PART_BEGIN || out->whole[c])
			out->begin.verdict[c] = TN_VERDICT_YES;
		if (ec->span_part == TN_SPAN_PART_END)
			out->end.verdict[c] = TN_VERDICT_YES;
	}
	if (!*kind)
		return no_such_kind(spans, name, n, err);
	if (has_whole)
		return tn_take_init_among(&out->duration, &spans->classes, out->whole, (*kind)->duration,
					  strlen((*kind)->duration), (*kind)->duration, 1, err);
	free(out->whole);
	out->whole = NULL;
	return TN_OK;
}
