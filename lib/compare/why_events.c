/* why_events.c - read events for a "why" question: each thread counts the values of its pieces */
#include <stdlib.h>
#include <string.h>

#include "compare/why.h"
#include "base/error.h"
#include "base/options.h"
#include "scan/pieces.h"

void
tn_why_events_release(struct tn_why *w)
{
	for (size_t i = 0; i < w->take.n; i++)
		tn_take_release(&w->take.item[i]);
	TN_ARRAY_RELEASE(&w->take);
	tn_expression_free(w->expression);
	if (w->has_classes)
		tn_classes_release(&w->classes);
	free(w->among);
	free(w->place);
}

/* Add a field or an attribute that events of these classes have. */
static enum tn_code
add_take(struct tn_why *w, const char *name, struct tn_error *err)
{
	struct tn_take take;
	enum tn_code rc;
	bool no_memory = false, has = false;

	if (w->take.n == TN_WHY_FIELDS || !tn_why_is_asked(w, name))
		return TN_OK;
	rc = tn_take_init_among(&take, &w->classes, w->among, name, strlen(name), name, 1, err);
	if (rc == TN_ERR_ARGUMENT)	/* the name is ambiguous, or these traces do not have the attribute */
		return TN_OK;
	for (size_t c = 0; rc == TN_OK && c < w->classes.n && !has; c++)
		has = w->among[c] && tn_take_has(&take, c, &no_memory);
	if (rc == TN_OK && !has) {
		tn_take_release(&take);
		return TN_OK;
	}
	if (rc == TN_OK && !TN_ARRAY_ADD(&w->take)) {
		tn_take_release(&take);
		rc = tn_fail_memory(err);
	}
	if (rc < 0)
		return rc;
	w->take.item[w->take.n - 1] = take;
	return tn_why_add_factor(w, name, err);
}

static enum tn_code
find_places(struct tn_why *w, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	bool no_memory = false;

	w->place = calloc(w->classes.n * w->take.n + 1, sizeof *w->place);
	if (!w->place)
		return tn_fail_memory(err);
	for (size_t c = 0; c < w->classes.n; c++)
		for (size_t i = 0; rc == TN_OK && w->among[c] && i < w->take.n; i++)
			if (tn_take_has(&w->take.item[i], c, &no_memory))
				rc = tn_take_find(&w->take.item[i], c, &w->place[c * w->take.n + i], err);
	return no_memory ? tn_fail_memory(err) : rc;
}

enum tn_code
tn_why_events_init(struct tn_why *w, struct tn_error *err)
{
	struct tn_language language = { .set = w->selection.set };
	struct tn_why_names names = { .item = { 0 } };
	enum tn_code rc = tn_classes_init(&w->classes, w->selection.set, err);

	w->has_classes = rc == TN_OK;
	language.names = w->classes.names;
	if (rc == TN_OK)
		rc = tn_expression_new(&w->expression, &language, w->condition, err);
	if (rc == TN_OK && tn_expression_wants_line(w->expression))
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': select events by fields, not by the text of the line", w->condition);
	w->among = calloc(w->classes.n + 1, 1);
	if (rc == TN_OK && (!w->among || !tn_why_add_name(&names, "name") || !tn_why_add_attributes(&names)))
		rc = tn_fail_memory(err);
	for (size_t c = 0; rc == TN_OK && c < w->classes.n; c++) {
		w->among[c] = tn_expression_verdict(w->expression, w->classes.item[c]) != TN_VERDICT_NO;
		if (w->among[c] && !tn_why_add_class(&names, w->classes.item[c]))
			rc = tn_fail_memory(err);
	}
	for (size_t i = 0; rc == TN_OK && i < names.item.n; i++)
		rc = add_take(w, names.item.item[i], err);
	tn_why_names_release(&names);
	return rc == TN_OK ? find_places(w, err) : rc;
}

/* ---- reading ---- */

struct reading {
	struct tn_why *w;
	struct tn_scan_options options;
};

/* The findings of one piece of the trace; each slot of the scan has one. */
struct part {
	struct tn_findings findings;
	struct tn_answer_value *value;
};

static void
release(void *state)
{
	struct part *p = state;

	tn_findings_release(&p->findings);
	free(p->value);
	free(p);
}

static void *
make(void *user)
{
	const struct tn_why *w = ((struct reading *)user)->w;
	struct part *p = calloc(1, sizeof *p);
	bool good = p && (p->value = calloc(w->take.n + 1, sizeof *p->value));

	for (size_t i = 0; good && i < w->findings.factor.n; i++) {
		struct tn_factor *f = TN_ARRAY_ADD(&p->findings.factor);

		good = f && (f->name = strdup(w->findings.factor.item[i].name));
	}
	if (!good && p)
		release(p);
	return good ? p : NULL;
}

static enum tn_code
take_row(const struct reading *r, struct part *p, struct tn_piece_reader *reader, const struct tn_batch *b, size_t row,
	 struct tn_error *err)
{
	const struct tn_why *w = r->w;
	const size_t class = tn_class_of(&w->classes, b, row);
	struct tn_answer_value time;
	bool pass = true, selected;
	enum tn_code rc = tn_piece_passes(&r->options, reader, b, row, &pass, err);

	if (rc < 0 || !pass)
		return rc;
	rc = tn_expression_match(w->expression, &reader->filter.expression, b, row, NULL, 0, &selected, err);
	if (rc < 0)
		return rc;
	tn_row_at(&reader->row, b, row);
	for (size_t i = 0; i < w->take.n; i++) {
		const struct tn_take_place *at = &w->place[class * w->take.n + i];

		p->value[i] = (struct tn_answer_value) { 0 };
		if (at->reference)
			rc = tn_take_get(&w->take.item[i], at, &reader->row, &p->value[i], err);
		if (rc < 0)
			return rc;
	}
	time = tn_why_slice(w, tn_batch_time(b, row));
	return tn_findings_add(&p->findings, &time, p->value, selected, err);
}

static enum tn_code
rows(void *user, void *state, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end,
     struct tn_error *err)
{
	const struct reading *r = user;
	const uint8_t *among = r->w->among + r->w->classes.first[b->stream->rank];
	enum tn_code rc = TN_OK;

	for (size_t i = first; rc == TN_OK && i < end; i++)
		if (b->refs.item[i].event_class != TN_REF_NOTICE && among[b->refs.item[i].event_class])
			rc = take_row(r, state, reader, b, i, err);
	return rc;
}

static enum tn_code
deliver(void *user, struct tn_piece *piece, struct tn_error *err)
{
	struct reading *r = user;
	struct part *p = piece->state;
	enum tn_code rc = tn_findings_merge(&r->w->findings, &p->findings, err);

	tn_findings_forget(&p->findings);
	return rc;
}

enum tn_code
tn_why_events_read(struct tn_why *w, struct tn_error *err)
{
	static const struct tn_pieces_ops ops = { .make = make, .release = release, .rows = rows, .deliver = deliver };
	struct reading r = { .w = w, .options = { TN_SCAN_OPTIONS } };
	enum tn_code rc = tn_options_take(&r.options, sizeof r.options, w->selection.options, "tn_scan_options", err);

	return rc == TN_OK ? tn_pieces_run(w->selection.set, &r.options, &ops, &r, err) : rc;
}
