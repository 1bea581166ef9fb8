/* table.c - rows of a comparison and findings as rows of a table, which the command line and the browser show */
#include <math.h>
#include <string.h>

#include <tnav/compare.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/str.h"

#define TEXT_ONLY (TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON)

static enum tn_code
add_columns(struct tn_table *table, const struct tn_table_column *column, size_t n, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < n; i++)
		rc = tn_table_add_column(table, &column[i], err);
	return rc;
}

static struct tn_answer_value
fraction(bool some, double f)
{
	return (struct tn_answer_value) { .kind = some && isfinite(f) ? TN_ANSWER_FLOAT : TN_ANSWER_NONE, .is.f = f };
}

static struct tn_answer_value
whole(bool some, uint64_t u)
{
	return (struct tn_answer_value) { .kind = some ? TN_ANSWER_UINT : TN_ANSWER_NONE, .is.u = u };
}

/* The texts of all cells, in one string. Pointers to them are set when all texts are complete. */
struct cells {
	struct tn_str *room;
	size_t from[TN_COMPARE_COLUMNS], n[TN_COMPARE_COLUMNS];
};

static void
cells_begin(struct cells *c, struct tn_str *room)
{
	*c = (struct cells) { .room = room };
	tn_str_clear(room);
}

/* End the text of @column, which starts at @from. */
static void
cells_end(struct cells *c, size_t column, size_t from)
{
	c->from[column] = from;
	c->n[column] = c->room->n - from;
}

static void
cells_set(const struct cells *c, struct tn_answer_value *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c->n[i])
			out[i] = (struct tn_answer_value) {
				.kind = TN_ANSWER_TEXT, .text = c->room->text + c->from[i], .n = c->n[i],
			};
}

/* ---- rows of a comparison ---- */

enum {
	VERDICT, WHAT, NAME, FIELD, VALUE, SIDES, SIDE_COLUMNS = 7, LAST_VERDICT = SIDES + 2 * SIDE_COLUMNS, DOUBTFUL,
	MEASURE, FIRST, SECOND, DIFFERENCE, FACTOR, CHANGED, COLUMNS
};

_Static_assert((int)COLUMNS == (int)TN_COMPARE_COLUMNS, "columns");

enum tn_code
tn_compare_add_columns(struct tn_table *table, struct tn_error *err)
{
	static const char *const side[] = { "first", "second" };
	static const char *const number[SIDE_COLUMNS] = { "count", "rate", "total", "p50", "p90", "p99", "max" };
	const unsigned record = TN_COLUMN_NO_TEXT, right = TEXT_ONLY | TN_COLUMN_RIGHT;
	struct tn_table_column columns[COLUMNS] = {
		[VERDICT] = { .name = "verdict", .flags = TEXT_ONLY },
		[WHAT] = { .name = "what" },
		[NAME] = { .name = "name" },
		[FIELD] = { .name = "field", .flags = record | TN_COLUMN_OPTIONAL },
		[VALUE] = { .name = "value", .flags = record | TN_COLUMN_OPTIONAL },
		[LAST_VERDICT] = { .name = "verdict", .flags = record },
		[DOUBTFUL] = { .name = "doubtful", .flags = record | TN_COLUMN_OPTIONAL | TN_COLUMN_BOOL },
		[MEASURE] = { .name = "measure", .flags = TN_COLUMN_NO_JSON },
		[FIRST] = { .name = "first", .flags = right },
		[SECOND] = { .name = "second", .flags = right },
		[DIFFERENCE] = { .name = "difference", .flags = TN_COLUMN_NO_JSON | TN_COLUMN_RIGHT },
		[FACTOR] = { .name = "factor", .flags = TN_COLUMN_NO_JSON | TN_COLUMN_RIGHT },
		[CHANGED] = { .name = "changed", .flags = TN_COLUMN_NO_JSON | TN_COLUMN_RIGHT },
	};

	if (!table)
		return tn_fail_null(err);
	for (size_t i = 0; i < 2 * SIDE_COLUMNS; i++)
		columns[SIDES + i] = (struct tn_table_column) {
			.name = number[i % SIDE_COLUMNS], .object = side[i / SIDE_COLUMNS], .flags = record,
		};
	return add_columns(table, columns, COLUMNS, err);
}

static void
put_side(struct tn_answer_value *at, const struct tn_compared *c)
{
	at[0] = whole(true, c->count);
	at[1] = fraction(c->has_rate, c->rate);
	at[2] = whole(c->has_durations, c->total_ns);
	at[3] = whole(c->has_durations, c->p50_ns);
	at[4] = whole(c->has_durations, c->p90_ns);
	at[5] = whole(c->has_durations, c->p99_ns);
	at[6] = whole(c->has_durations, c->max_ns);
}

/* Append a number of the row's measure in a readable form. */
static void
put_measure(struct cells *cells, size_t column, enum tn_compare_measure measure, double x, bool sign)
{
	struct tn_str *out = cells->room;
	size_t from = out->n;

	if (sign && x > 0)
		tn_str_puts(out, "+");
	switch (measure) {
	case TN_COMPARE_COUNT: tn_str_printf(out, "%.0f", x); break;
	case TN_COMPARE_RATE: tn_table_rate(x, out); break;
	case TN_COMPARE_SHARE: tn_str_printf(out, "%.2f %%", x * 100); break;
	default: tn_table_duration(x, out); break;
	}
	cells_end(cells, column, from);
}

static void
put_texts(struct tn_answer_value *v, const struct tn_compare_row *r, struct tn_str *room)
{
	struct cells c;
	size_t from;

	cells_begin(&c, room);
	v[DIFFERENCE] = v[FACTOR] = (struct tn_answer_value) { 0 };
	if (r->has_values) {
		put_measure(&c, FIRST, r->measure, r->first, false);
		put_measure(&c, SECOND, r->measure, r->second, false);
		put_measure(&c, DIFFERENCE, r->measure, r->second - r->first, true);
		from = room->n;
		if (r->first > 0 && r->second > 0)
			tn_str_printf(room, "%.3g", r->second / r->first);
		else if (r->first > 0 || r->second > 0)
			tn_str_puts(room, r->first > 0 ? _("gone") : _("new"));
		cells_end(&c, FACTOR, from);
	}
	from = room->n;
	tn_str_printf(room, "%.2f %%", r->changed * 100);
	cells_end(&c, CHANGED, from);
	from = room->n;
	tn_str_printf(room, "%s%s", r->name, r->side[0].is_doubtful || r->side[1].is_doubtful ? _(" (events lost)") : "");
	cells_end(&c, NAME, from);
	cells_set(&c, v, COLUMNS);
}

void
tn_compare_values(struct tn_answer_value *v, const struct tn_compare_row *r, enum tn_table_form form, struct tn_str *room)
{
	if (!v || !r || !room)
		return;
	memset(v, 0, COLUMNS * sizeof *v);
	v[VERDICT] = v[LAST_VERDICT] = tn_answer_text(tn_compare_verdict_name(r->verdict));
	v[WHAT] = tn_answer_text(tn_compare_what_name(r->what));
	v[NAME] = tn_answer_text(r->name);
	v[FIELD] = tn_answer_text(r->field);
	v[VALUE] = r->value;
	put_side(v + SIDES, &r->side[0]);
	put_side(v + SIDES + SIDE_COLUMNS, &r->side[1]);
	v[DOUBTFUL] = tn_answer_number(r->side[0].is_doubtful || r->side[1].is_doubtful, 1);
	v[MEASURE] = tn_answer_text(tn_compare_measure_name(r->measure));
	v[DIFFERENCE] = fraction(r->has_values, r->second - r->first);
	v[FACTOR] = fraction(r->has_values && r->first > 0, r->second / r->first);
	v[CHANGED] = fraction(true, r->changed);
	if (form == TN_TABLE_TEXT)
		put_texts(v, r, room);
}

/* ---- findings ---- */

enum {
	WHY_VERDICT, WHY_FIELD, WHY_VALUE, FROM, TO, SELECTED, SELECTED_SHARE, REST, REST_SHARE, LIFT, WHY_LAST_VERDICT, SAME,
	WHY_COLUMNS
};

_Static_assert((int)WHY_COLUMNS == (int)TN_WHY_COLUMNS && (int)WHY_COLUMNS <= (int)TN_COMPARE_COLUMNS, "columns");

enum tn_code
tn_why_add_columns(struct tn_table *table, bool of_ranges, struct tn_error *err)
{
	const unsigned record = TN_COLUMN_NO_TEXT, right = TN_COLUMN_RIGHT;
	const struct tn_table_column columns[WHY_COLUMNS] = {
		[WHY_VERDICT] = { .name = "verdict", .flags = TEXT_ONLY },
		[WHY_FIELD] = { .name = "field" },
		[WHY_VALUE] = { .name = "value", .flags = TN_COLUMN_BRIEF | (of_ranges ? TN_COLUMN_NO_JSON : 0) },
		[FROM] = { .name = "from", .object = "value", .flags = record | (of_ranges ? 0 : TN_COLUMN_NO_JSON) },
		[TO] = { .name = "to", .object = "value", .flags = record | (of_ranges ? 0 : TN_COLUMN_NO_JSON) },
		[SELECTED] = { .name = "count", .heading = "selected", .object = "selected", .flags = right },
		[SELECTED_SHARE] = { .name = "share", .object = "selected", .flags = right },
		[REST] = { .name = "count", .heading = "rest", .object = "rest", .flags = right },
		[REST_SHARE] = { .name = "share", .object = "rest", .flags = right },
		[LIFT] = { .name = "lift", .flags = right },
		[WHY_LAST_VERDICT] = { .name = "verdict", .flags = record },
		[SAME] = { .name = "same", .flags = TN_COLUMN_NAMED | TN_COLUMN_OPTIONAL },
	};

	return table ? add_columns(table, columns, WHY_COLUMNS, err) : tn_fail_null(err);
}

/* Append a limit of a range; times are in the format of events. */
static void
put_limit(const struct tn_text *times, struct tn_str *out, const struct tn_why_finding *f, const struct tn_answer_value *v)
{
	if (times && strcmp(f->field, "time") == 0)
		tn_text_time(times, v->is.i, out);
	else
		tn_answer_value_text(v, out);
}

static void
put_share(struct cells *c, size_t column, double share, bool is_rate)
{
	size_t from = c->room->n;

	if (is_rate)
		tn_table_rate(share, c->room);
	else
		tn_str_printf(c->room, "%.1f %%", share * 100);
	cells_end(c, column, from);
}

static void
put_why_texts(struct tn_answer_value *v, const struct tn_why_finding *f, const struct tn_text *times, struct tn_str *room)
{
	struct cells c;
	size_t from;

	cells_begin(&c, room);
	if (f->is_range) {
		put_limit(times, room, f, &f->from);
		tn_str_puts(room, _(" to "));
		put_limit(times, room, f, &f->to);
		cells_end(&c, WHY_VALUE, 0);
	}
	put_share(&c, SELECTED_SHARE, f->selected_share, f->is_rate);
	put_share(&c, REST_SHARE, f->rest_share, f->is_rate);
	from = room->n;
	if (isfinite(f->lift))
		tn_str_printf(room, "%.3g", f->lift);
	cells_end(&c, LIFT, from);
	cells_set(&c, v, WHY_COLUMNS);
}

void
tn_why_values(struct tn_answer_value *v, const struct tn_why_finding *f, enum tn_table_form form, const struct tn_text *times,
	      struct tn_str *room)
{
	if (!v || !f || !room)
		return;
	memset(v, 0, WHY_COLUMNS * sizeof *v);
	v[WHY_VERDICT] = v[WHY_LAST_VERDICT] = tn_answer_text(tn_compare_verdict_name(f->verdict));
	v[WHY_FIELD] = tn_answer_text(f->field);
	v[WHY_VALUE] = f->value;
	v[FROM] = f->is_range ? f->from : (struct tn_answer_value) { 0 };
	v[TO] = f->is_range ? f->to : (struct tn_answer_value) { 0 };
	v[SELECTED] = whole(true, f->selected);
	v[SELECTED_SHARE] = fraction(true, f->selected_share);
	v[REST] = whole(true, f->rest);
	v[REST_SHARE] = fraction(true, f->rest_share);
	v[LIFT] = fraction(true, f->lift);
	v[SAME] = tn_answer_text(f->same);
	if (form == TN_TABLE_TEXT)
		put_why_texts(v, f, times, room);
}
