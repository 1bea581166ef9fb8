/* sequence.c - the first differences of two runs: align the events of one thread, request or stream of each side */
#include <stdlib.h>
#include <string.h>

#include "compare/align.h"
#include "compare/sequence.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "language/expression.h"
#include "scan/asker.h"

/* ---- the definition ---- */

static const char *
skip(const char *at)
{
	return at + strspn(at, " \t");
}

/* Whether the fields to show begin here. */
static bool
shows(const char *at)
{
	return strncmp(at, "show", 4) == 0 && (at[4] == ' ' || at[4] == '\t');
}

/* Read a name up to one of @ends. Between backticks, these characters belong to the name. */
static const char *
name_end(const char *at, const char *ends)
{
	bool quoted = false;

	for (; *at && (quoted || !strchr(ends, *at)); at++)
		quoted ^= *at == '`';
	return at;
}

/* Read a value, in quotes or up to a comma or the fields to show. NULL: the closing quote is missing. */
static const char *
take_value(const char *at, struct tn_str *out)
{
	if (*at == '"') {
		for (at++; *at && *at != '"'; at++) {
			at += *at == '\\' && at[1];
			tn_str_add(out, at, 1);
		}
		return *at ? at + 1 : NULL;
	}
	for (; *at && *at != ','; at++) {
		if ((*at == ' ' || *at == '\t') && (!*skip(at) || *skip(at) == ',' || shows(skip(at))))
			break;
		tn_str_add(out, at, 1);
	}
	return at;
}

static enum tn_code
take_values(struct tn_sequence *q, const char **at, const char *definition, struct tn_error *err)
{
	*at = skip(*at + (**at == '=') + ((*at)[1] == '='));
	for (size_t i = 0; i < 2; i++) {
		struct tn_str value = { 0 };
		const char *end = take_value(*at, &value);
		bool good = end && value.n && !value.failed;

		q->value[i] = good ? strdup(value.text) : NULL;
		tn_str_release(&value);
		if (!good)
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s': after = write one value, or a value for each side: "
							     "%s=VALUE,VALUE",
				       definition, q->key);
		if (!q->value[i])
			return tn_fail_memory(err);
		*at = skip(end);
		if (**at != ',')
			return TN_OK;
		*at = skip(*at + 1);
	}
	return tn_fail(err, TN_ERR_ARGUMENT, "'%s': more than two values", definition);
}

static enum tn_code
take_fields(struct tn_sequence *q, const char *list, struct tn_error *err)
{
	q->shown = strdup(list);
	if (!q->shown)
		return tn_fail_memory(err);
	for (const char *end; *list; list = skip(end + (*end == ','))) {
		char **field = TN_ARRAY_ADD(&q->fields);
		size_t n;

		end = name_end(list, ",");
		for (n = (size_t)(end - list); n && (list[n - 1] == ' ' || list[n - 1] == '\t'); n--)
			;
		if (!field || !(*field = strndup(list, n)))
			return tn_fail_memory(err);
	}
	return q->fields.n ? TN_OK : tn_fail(err, TN_ERR_ARGUMENT, "'show': name the fields that equal events have in common");
}

static enum tn_code
read_definition(struct tn_sequence *q, const char *definition, struct tn_error *err)
{
	const char *at = skip(definition), *end = name_end(at, " \t=");
	enum tn_code rc = TN_OK;

	if (end == at)
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s': write KEY, KEY=VALUE or KEY=FIRST,SECOND, then maybe show FIELD, ...",
			       definition);
	q->key = strndup(at, (size_t)(end - at));
	if (!q->key)
		return tn_fail_memory(err);
	at = skip(end);
	if (*at == '=')
		rc = take_values(q, &at, definition, err);
	if (rc == TN_OK && shows(at))
		return take_fields(q, skip(at + 4), err);
	if (rc == TN_OK && *at)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': '%s' is not expected here: write KEY=VALUE, or show FIELD, ...",
			     definition, at);
	return rc;
}

enum tn_code
tn_sequence_new(struct tn_sequence **out, const struct tn_selection *first, const struct tn_selection *second,
		const char *definition, struct tn_error *err)
{
	struct tn_sequence *q;
	enum tn_code rc;

	if (!out || !first || !second || !first->set || !second->set || !definition)
		return tn_fail_null(err);
	*out = NULL;
	q = calloc(1, sizeof *q);
	if (!q)
		return tn_fail_memory(err);
	rc = tn_options_take(&q->side[0].selection, sizeof q->side[0].selection, first, "tn_selection", err);
	if (rc == TN_OK)
		rc = tn_options_take(&q->side[1].selection, sizeof q->side[1].selection, second, "tn_selection", err);
	if (rc == TN_OK)
		rc = read_definition(q, definition, err);
	if (rc == TN_OK) {
		rc = tn_sequence_check(q, 0, err);
		if (rc == TN_ERR_ARGUMENT)	/* one side may lack the key or a field */
			rc = tn_sequence_check(q, 1, err);
	}
	if (rc < 0) {
		tn_sequence_free(q);
		return rc;
	}
	*out = q;
	return TN_OK;
}

static void
forget(struct tn_sequence *q)
{
	tn_sequence_forget(q);
	q->totals = (struct tn_sequence_totals) { 0 };
}

void
tn_sequence_free(struct tn_sequence *q)
{
	if (!q)
		return;
	forget(q);
	for (size_t i = 0; i < q->fields.n; i++)
		free(q->fields.item[i]);
	TN_ARRAY_RELEASE(&q->fields);
	for (size_t i = 0; i < 2; i++) {
		tn_nicknames_free(q->side[i].names);
		free(q->value[i]);
	}
	free(q->key);
	free(q->shown);
	free(q);
}

/* ---- alignment ---- */

static uint32_t
larger(const struct tn_hunk *h)
{
	return h->n[0] > h->n[1] ? h->n[0] : h->n[1];
}

/* All events that the alignment skips on either side, up to the next event that both sides have, are one difference. */
static bool
make_hunks(struct tn_sequence *q, const struct tn_alignment *a)
{
	const uint32_t *first = a->side[0], *second = a->side[1];
	size_t i = 0, j = 0, row = 0;

	while (i < a->n[0] || j < a->n[1]) {
		struct tn_hunk h = { .row = row, .at = { (uint32_t)i, (uint32_t)j } }, *at;
		bool both = i < a->n[0] && j < a->n[1];

		/* If the alignment is not the best one, it may skip equal events on both sides. */
		if (both && a->kept[0][i] == a->kept[1][j] && first[i] == second[j]) {
			q->totals.same++;
			i++, j++, row++;
			continue;
		}
		while (i < a->n[0] && !a->kept[0][i])
			i++;
		while (j < a->n[1] && !a->kept[1][j])
			j++;
		h.n[0] = (uint32_t)(i - h.at[0]);
		h.n[1] = (uint32_t)(j - h.at[1]);
		for (uint32_t k = 1; k < h.n[0] && k < h.n[1]; k++)
			if (first[h.at[0] + k] == second[h.at[1] + k])
				h.n[0] = h.n[1] = k;
		i = h.at[0] + h.n[0];
		j = h.at[1] + h.n[1];
		row += larger(&h);
		q->totals.only[0] += h.n[0];
		q->totals.only[1] += h.n[1];
		at = TN_ARRAY_ADD(&q->hunks);
		if (!at)
			return false;
		*at = h;
	}
	q->totals.rows = row;
	q->totals.differences = q->hunks.n;
	return true;
}

static enum tn_code
align(struct tn_sequence *q, struct tn_error *err)
{
	const struct tn_scan_options *o = q->side[0].selection.options;
	const struct tn_events_of *of[2] = { q->side[0].of.item, q->side[1].of.item };
	struct tn_alignment a = {
		.side = { of[0]->number.item, of[1]->number.item }, .n = { of[0]->number.n, of[1]->number.n },
		.numbers = (uint32_t)q->different.n, .most_work = TN_ALIGN_WORK,
		.stopped = o ? o->stopped : NULL, .user = o ? tn_asker(o) : NULL,
	};
	enum tn_code rc = tn_align(&a, err);

	if (rc == TN_OK && !make_hunks(q, &a))
		rc = tn_fail_memory(err);
	free(a.kept[0]);
	free(a.kept[1]);
	q->totals.is_approximate = a.is_approximate;
	q->totals.is_aligned = rc == TN_OK;
	return rc;
}

/* ---- the choice of sequences ---- */

/* Find names for the key's values, if they can have names, which pair threads of two runs. */
static enum tn_code
find_names(struct tn_sequence *q, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < 2; i++) {
		struct tn_sequence_side *s = &q->side[i];
		struct tn_scan_options o = { TN_SCAN_OPTIONS };

		if (s->names || !tn_nicknames_of(s->selection.set, q->key))
			continue;
		if (s->selection.options) {
			o.threads = s->selection.options->threads;
			o.stopped = s->selection.options->stopped;
			o.user = tn_asker(s->selection.options);
		}
		rc = tn_nicknames_new(&s->names, s->selection.set, &o, err);
	}
	return rc;
}

static enum tn_code
list(struct tn_sequence *q, struct tn_error *err)
{
	enum tn_code rc = tn_sequence_read(q, 0, NULL, err);

	if (rc == TN_OK)
		rc = tn_sequence_read(q, 1, NULL, err);
	for (size_t i = 0; i < 2; i++) {
		q->totals.more[i] = q->side[i].more;
		q->totals.lost[i] = q->side[i].lost;
	}
	return rc == TN_OK ? tn_sequence_make_pairs(q, err) : rc;
}

/* Find the pair with the value for the first side, or the only pair. NULL: there is none, or there are several. */
static const struct tn_listed_pair *
choose(const struct tn_sequence *q)
{
	if (!q->value[0])
		return q->pairs.n == 1 && q->pairs.item[0].pair.by != TN_SEQUENCE_ALONE ? &q->pairs.item[0] : NULL;
	for (size_t i = 0; i < q->pairs.n; i++) {
		const char *value = q->pairs.item[i].pair.value[0];

		if (value && strcmp(value, q->value[0]) == 0)
			return &q->pairs.item[i];
	}
	return NULL;
}

/* Read and align the sequences of two values. */
static enum tn_code
align_values(struct tn_sequence *q, const char *first, const char *second, enum tn_sequence_pairing by, struct tn_error *err)
{
	char *value[2] = { strdup(first), strdup(second) };
	enum tn_code rc = value[0] && value[1] ? TN_OK : tn_fail_memory(err);

	forget(q);
	for (size_t i = 0; rc == TN_OK && i < 2; i++) {
		rc = tn_sequence_read(q, i, value[i], err);
		q->totals.more[i] = q->side[i].more;
		q->totals.lost[i] = q->side[i].lost;
	}
	if (rc == TN_OK)
		rc = align(q, err);
	if (rc == TN_OK) {
		q->totals.pair.by = by;
		tn_sequence_compare(q, q->side[0].of.item, q->side[1].of.item, &q->totals.pair);
	}
	free(value[0]);
	free(value[1]);
	return rc;
}

enum tn_code
tn_sequence_run(struct tn_sequence *q, struct tn_error *err)
{
	const struct tn_listed_pair *chosen;
	enum tn_code rc;

	if (!q)
		return tn_fail_null(err);
	forget(q);
	rc = find_names(q, err);
	if (rc < 0)
		return rc;
	if (q->value[1])
		return align_values(q, q->value[0], q->value[1], TN_SEQUENCE_GIVEN, err);
	if (q->value[0] && !q->side[0].names && !q->side[1].names)
		return align_values(q, q->value[0], q->value[0], TN_SEQUENCE_BY_VALUE, err);
	rc = list(q, err);
	chosen = rc == TN_OK ? choose(q) : NULL;
	if (chosen && chosen->pair.by != TN_SEQUENCE_ALONE)
		return align_values(q, chosen->pair.value[0], chosen->pair.value[1], chosen->pair.by, err);
	if (rc == TN_OK && chosen)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "no value of the second side matches %s = %s: write %s=%s,VALUE; '%s' alone "
			     "lists all", q->key, q->value[0], q->key, q->value[0], q->key);
	else if (rc == TN_OK && q->value[0])
		rc = tn_fail(err, TN_ERR_ARGUMENT, "the first side does not have an event with %s = %s: '%s' alone lists all",
			     q->key, q->value[0], q->key);
	return rc;
}

/* ---- results ---- */

void
tn_sequence_totals(const struct tn_sequence *q, struct tn_sequence_totals *out)
{
	if (q && out)
		*out = q->totals;
}

const char *
tn_sequence_key(const struct tn_sequence *q)
{
	return q ? q->key : NULL;
}

const char *
tn_sequence_field(const struct tn_sequence *q, size_t i)
{
	return q && i < q->fields.n ? q->fields.item[i] : NULL;
}

bool
tn_sequence_pair(const struct tn_sequence *q, size_t i, struct tn_sequence_pair *out)
{
	if (!q || !out || i >= q->pairs.n)
		return false;
	*out = q->pairs.item[i].pair;
	return true;
}

static void
put_value(struct tn_str *out, const char *value)
{
	if (strpbrk(value, " \t,\"\\"))
		tn_put_quoted(out, value);
	else
		tn_str_puts(out, value);
}

char *
tn_sequence_definition(const struct tn_sequence *q, const struct tn_sequence_pair *pair)
{
	struct tn_str text = { 0 };

	if (!q || !pair || !pair->value[0] || !pair->value[1])
		return NULL;
	tn_str_printf(&text, "%s=", q->key);
	put_value(&text, pair->value[0]);
	if (pair->by != TN_SEQUENCE_BY_VALUE) {
		tn_str_puts(&text, ",");
		put_value(&text, pair->value[1]);
	}
	if (q->shown)
		tn_str_printf(&text, " show %s", q->shown);
	return tn_str_take(&text);
}

/* The number of differences that begin at or before @row. */
static size_t
hunks_to(const struct tn_sequence *q, size_t row)
{
	size_t lo = 0;

	TN_BISECT(lo, q->hunks.n, mid, q->hunks.item[mid].row <= row);
	return lo;
}

bool
tn_sequence_difference(const struct tn_sequence *q, size_t i, size_t *row, size_t *n)
{
	if (!q || !row || !n || i >= q->hunks.n)
		return false;
	*row = q->hunks.item[i].row;
	*n = larger(&q->hunks.item[i]);
	return true;
}

size_t
tn_sequence_difference_at(const struct tn_sequence *q, size_t row)
{
	return !q ? 0 : row ? hunks_to(q, row - 1) : 0;
}

static bool
is_after_loss(const struct tn_events_of *of, uint32_t event)
{
	size_t lo = 0;

	TN_BISECT(lo, of->after_loss.n, mid, of->after_loss.item[mid] < event);
	return lo < of->after_loss.n && of->after_loss.item[lo] == event;
}

/* Take the displayed time, if it differs from the time of the place. */
static void
take_odd_time(const struct tn_events_of *of, uint32_t event, struct tn_sequence_event *out)
{
	size_t lo = 0;

	TN_BISECT(lo, of->odd.n, mid, of->odd.item[mid].event < event);
	if (lo < of->odd.n && of->odd.item[lo].event == event) {
		out->has_time = of->odd.item[lo].has_time;
		out->time_ns = of->odd.item[lo].time_ns;
	}
}

static void
put_event(const struct tn_sequence *q, size_t side, uint32_t event, struct tn_sequence_event *out)
{
	const struct tn_events_of *of = q->side[side].of.item;
	const struct tn_different *d = &q->different.item[of->number.item[event]];
	const struct tn_event_place *place = &of->place.item[event];
	struct tn_sequence_event first = { .has_time = true, .time_ns = of->time_ns.item[0] };

	*out = (struct tn_sequence_event) {
		.name = d->name, .field = d->field, .has_time = true, .time_ns = of->time_ns.item[event],
		.at = { of->time_ns.item[event], place->stream, place->packet, place->row },
		.after_loss = is_after_loss(of, event),
	};
	take_odd_time(of, event, out);
	take_odd_time(of, 0, &first);
	out->has_since = out->has_time && first.has_time && !__builtin_sub_overflow(out->time_ns, first.time_ns, &out->since_ns);
}

bool
tn_sequence_row(const struct tn_sequence *q, size_t i, struct tn_sequence_row *out)
{
	const struct tn_hunk *h;
	size_t before, o;
	uint32_t at[2];

	if (!q || !out || i >= q->totals.rows)
		return false;
	before = hunks_to(q, i);
	h = before ? &q->hunks.item[before - 1] : NULL;
	o = h ? i - h->row : i;
	*out = (struct tn_sequence_row) { .has = { true, true }, .same = !h || o >= larger(h) };
	for (size_t side = 0; side < 2; side++) {
		if (!out->same) {
			out->has[side] = o < h->n[side];
			at[side] = h->at[side] + (uint32_t)o;
		} else {
			at[side] = h ? h->at[side] + h->n[side] + (uint32_t)(o - larger(h)) : (uint32_t)i;
		}
		if (out->has[side])
			put_event(q, side, at[side], &out->side[side]);
		else	/* events after the last one may be lost */
			out->side[side].after_loss = o == h->n[side] && at[side] == q->side[side].of.item->number.n &&
						     is_after_loss(q->side[side].of.item, at[side]);
	}
	return true;
}
