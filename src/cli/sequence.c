/* sequence.c - the answer --sequence: the first differences of two runs */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "screen/side_by_side.h"
#include "sequence.h"

enum { CONTEXT = 3, USUAL_WIDTH = 80 };	/* equal rows shown around a difference; default width */

struct printer {
	struct answer *answer;
	struct tn_sequence *sequence;
	struct tn_sequence_totals totals;
	struct line line;
	uint64_t rows;		/* number of rows written */
};

static int
put_line(struct printer *p)
{
	size_t n = p->line.n;

	while (n && p->line.text[n - 1] == ' ')
		n--;
	tn_str_add(&p->answer->line, n ? p->line.text : "", n);
	tn_str_puts(&p->answer->line, "\n");
	line_clear(&p->line);
	return answer_put(p->answer);
}

static void
warn(const char *format, uintmax_t a, uintmax_t b)
{
	char text[400];

	snprintf(text, sizeof text, format, a, b);
	complain(_("warning"), text);
}

/* ---- rows as text ---- */

static bool
is_full(const struct printer *p)
{
	const uint64_t top = p->answer->job->options->top;

	return top && p->rows == top;
}

static int
put_rows(struct printer *p, size_t from, size_t to)
{
	const uint64_t columns = p->answer->job->options->columns;
	struct tn_sequence_row r;
	int failed = 0;

	for (size_t i = from; !failed && !is_full(p) && i < to && tn_sequence_row(p->sequence, i, &r); i++) {
		side_by_side_row(&p->line, p->sequence, &r, columns ? (int)columns : USUAL_WIDTH);
		failed = put_line(p);
		p->rows++;
	}
	return failed;
}

/* Print the first and last of the equal rows between two differences, and the number of the rows between them. */
static int
put_equal(struct printer *p, size_t from, size_t to, bool is_first, bool is_last)
{
	const size_t before = is_first ? 0 : CONTEXT, after = is_last ? 0 : CONTEXT;
	int failed;

	if (to - from <= before + after + 1)
		return put_rows(p, from, to);
	failed = put_rows(p, from, from + before);
	if (!failed && !is_full(p)) {
		size_t n = to - from - before - after;

		line_printf(&p->line, STYLE_DIM, ngettext("... %zu equal event ...", "... %zu equal events ...",
							  (unsigned long)n), n);
		failed = put_line(p);
	}
	return failed ? failed : put_rows(p, to - after, to);
}

static int
print_aligned(struct printer *p)
{
	const struct tn_sequence_totals *t = &p->totals;
	const uint64_t columns = p->answer->job->options->columns;
	size_t row, n, done = 0;
	int failed;

	side_by_side_pair(&p->line, p->sequence, &t->pair);
	failed = put_line(p);
	side_by_side_parting(&p->line, p->sequence);
	if (!failed)
		failed = put_line(p);
	if (!failed && t->differences) {
		line_printf(&p->line, STYLE_TEXT,
			    ngettext("%zu difference: %ju events are equal, %ju only first, %ju only second.",
				     "%zu differences: %ju events are equal, %ju only first, %ju only second.",
				     (unsigned long)t->differences),
			    t->differences, (uintmax_t)t->same, (uintmax_t)t->only[0], (uintmax_t)t->only[1]);
		failed = put_line(p);
		side_by_side_heading(&p->line, columns ? (int)columns : USUAL_WIDTH);
		failed = failed ? failed : put_line(p);
	}
	for (size_t i = 0; !failed && tn_sequence_difference(p->sequence, i, &row, &n); i++) {
		failed = put_equal(p, done, row, i == 0, false);
		if (!failed)
			failed = put_rows(p, row, row + n);
		done = row + n;
	}
	return failed || !t->differences ? failed : put_equal(p, done, t->rows, false, true);
}

/* ---- rows as records ---- */

static void
add_side(struct printer *p, const char *side)
{
	const char *field;

	answer_column(p->answer, (struct tn_table_column) { .name = "time_ns", .object = side });
	answer_column(p->answer, (struct tn_table_column) { .name = "name", .object = side, .flags = TN_COLUMN_OBJECT });
	for (size_t i = 0; (field = tn_sequence_field(p->sequence, i)); i++)
		answer_column(p->answer, (struct tn_table_column) { .name = field, .object = side });
	answer_column(p->answer, (struct tn_table_column) {
		.name = "after_loss", .object = side, .flags = TN_COLUMN_BOOL | TN_COLUMN_OPTIONAL });
}

static int
print_records(struct printer *p)
{
	struct tn_answer_value v[2 * (3 + 64) + 1];
	const uint64_t top = p->answer->job->options->top;
	struct tn_sequence_row r;
	size_t fields = 0;
	int failed;

	while (tn_sequence_field(p->sequence, fields))
		fields++;
	add_side(p, "first");
	add_side(p, "second");
	answer_column(p->answer, (struct tn_table_column) { .name = "same", .flags = TN_COLUMN_BOOL });
	failed = answer_check_members(p->answer);
	if (failed)
		return failed;
	failed = answer_heading(p->answer);
	for (size_t i = 0; !failed && (!top || i < top) && tn_sequence_row(p->sequence, i, &r); i++) {
		size_t at = 0;

		for (size_t side = 0; side < 2; side++) {
			const struct tn_sequence_event *e = &r.side[side];

			v[at++] = tn_answer_number(r.has[side] && e->has_time, e->time_ns);
			v[at++] = tn_answer_text(r.has[side] ? e->name : NULL);
			for (size_t f = 0; f < fields; f++)
				v[at++] = r.has[side] ? e->field[f] : (struct tn_answer_value) { 0 };
			v[at++] = tn_answer_number(r.has[side] && e->after_loss, 1);
		}
		v[at] = tn_answer_number(true, r.same);
		failed = answer_row(p->answer, v);
		p->rows++;
	}
	return 0;	/* the end of the answer reports a failed write */
}

/* ---- the list of pairs ---- */

enum { VALUE, NAME, COUNT, PARTS, EVENT, SIDE_COLUMNS, PAIRED = 2 * SIDE_COLUMNS, EQUAL, PAIR_COLUMNS };

static void
take_pair(struct tn_answer_value *v, const struct tn_sequence_pair *pair)
{
	for (size_t i = 0; i < 2; i++) {
		struct tn_answer_value *of = v + i * SIDE_COLUMNS;

		of[VALUE] = tn_answer_text(pair->value[i]);
		of[NAME] = tn_answer_text(pair->name[i]);
		of[COUNT] = tn_answer_number(pair->value[i] != NULL, (int64_t)pair->count[i]);
		of[PARTS] = tn_answer_number(pair->has_since[i], pair->since_ns[i]);
		of[EVENT] = tn_answer_text(pair->event[i]);
	}
	v[PAIRED] = tn_answer_text(side_by_side_pairing(pair->by));
	v[EQUAL] = tn_answer_number(pair->value[0] && pair->value[1], (int64_t)pair->equal);
}

/* Add the columns; text has a column of names only if there are names, and the events only records show. */
static void
add_pair_columns(const struct printer *p)
{
	static const char *const side[] = { "first", "second" };
	struct tn_sequence_pair pair;
	bool named = false;

	for (size_t i = 0; !named && tn_sequence_pair(p->sequence, i, &pair); i++)
		named = pair.name[0] || pair.name[1];
	for (size_t i = 0; i < 2; i++) {
		const struct tn_table_column columns[SIDE_COLUMNS] = {
			[VALUE] = { .name = "value", .heading = side[i], .flags = TN_COLUMN_OBJECT | TN_COLUMN_BRIEF },
			[NAME] = { .name = "name", .flags = TN_COLUMN_BRIEF | (named ? 0 : TN_COLUMN_NO_TEXT) },
			[COUNT] = { .name = "count", .heading = "events", .flags = TN_COLUMN_RIGHT },
			[PARTS] = { .name = "parts_ns", .heading = "parts at", .unit = TN_GROUP_DURATION,
				    .flags = TN_COLUMN_RIGHT | TN_COLUMN_SHORT },
			[EVENT] = { .name = "event", .flags = TN_COLUMN_NO_TEXT },
		};

		for (size_t c = 0; c < SIDE_COLUMNS; c++) {
			struct tn_table_column column = columns[c];

			column.object = side[i];
			answer_column(p->answer, column);
		}
	}
	answer_column(p->answer, (struct tn_table_column) { .name = "paired" });
	answer_column(p->answer, (struct tn_table_column) { .name = "equal", .flags = TN_COLUMN_RIGHT });
}

static void
tell_choice(const struct printer *p)
{
	struct tn_sequence_pair pair;
	char *definition = NULL, text[1024];

	for (size_t i = 0; !definition && tn_sequence_pair(p->sequence, i, &pair); i++)
		definition = tn_sequence_definition(p->sequence, &pair);
	snprintf(text, sizeof text, definition ?
		 _("pairs of values, the first to differ at the top; to align one: --sequence '%s'") :
		 _("no value of one side matches a value of the other: name both, --sequence KEY=FIRST,SECOND"), definition);
	complain(_("note"), text);
	free(definition);
}

static int
print_pairs_of_values(struct printer *p)
{
	struct tn_answer_value v[PAIR_COLUMNS];
	const uint64_t top = p->answer->job->options->top;
	struct tn_sequence_pair pair;
	int failed;

	add_pair_columns(p);
	for (size_t i = 0; (!top || i < top) && tn_sequence_pair(p->sequence, i, &pair); i++) {
		take_pair(v, &pair);
		answer_measure(p->answer, v);
	}
	failed = answer_heading(p->answer);
	for (size_t i = 0; !failed && (!top || i < top) && tn_sequence_pair(p->sequence, i, &pair); i++) {
		take_pair(v, &pair);
		failed = answer_row(p->answer, v);
		p->rows++;
	}
	tell_choice(p);
	return 0;
}

/* ---- the answer ---- */

/* Whether some pair of values differs. */
static bool
is_parted(const struct printer *p)
{
	struct tn_sequence_pair pair;

	if (p->totals.is_aligned)
		return p->totals.differences;
	return tn_sequence_pair(p->sequence, 0, &pair) && !pair.is_equal;
}

static void
tell_limits(const struct printer *p)
{
	const struct tn_sequence_totals *t = &p->totals;

	if (t->is_aligned && (t->more[0] || t->more[1]))
		warn(_("%ju events of the first side and %ju of the second did not fit into memory: the rest is aligned; "
		       "--begin and --end, or --filter, select fewer"), t->more[0], t->more[1]);
	else if (t->more[0] || t->more[1])
		warn(_("%ju events of the first side and %ju of the second did not fit into memory: their values may "
		       "differ at another place, or are missing; use --begin, --end or --filter"), t->more[0], t->more[1]);
	if (t->is_approximate)
		complain(_("warning"), _("there are too many differences for the best alignment: where they part is exact, the "
					 "rest may have fewer differences; --begin and --end select less"));
	if (t->lost[0] || t->lost[1])
		warn(t->is_aligned && answer_form(p->answer) == TN_TABLE_TEXT ?
		     _("losses of events and damage: %ju on the first side, %ju on the second; '!' marks the next event") :
		     _("losses of events and damage: %ju on the first side, %ju on the second"), t->lost[0], t->lost[1]);
}

int
print_sequence(struct answer *a, const struct tn_selection *first, const struct tn_selection *second, int *differs)
{
	const struct options *o = a->job->options;
	struct printer p = { .answer = a };
	struct tn_str definition = { 0 };
	struct tn_error err;
	enum tn_code rc;
	int status;

	tn_str_printf(&definition, "%s%s%s", o->sequence, o->values ? " show " : "", o->values ? o->values : "");
	rc = tn_sequence_new(&p.sequence, first, second, tn_str_text(&definition), &err);
	tn_str_release(&definition);
	if (rc < 0 || (rc = tn_sequence_run(p.sequence, &err)) < 0) {
		tn_sequence_free(p.sequence);
		return answer_status(a, rc, &err);
	}
	tn_sequence_totals(p.sequence, &p.totals);
	status = !p.totals.is_aligned ? print_pairs_of_values(&p) :
		 answer_form(a) == TN_TABLE_TEXT ? (print_aligned(&p), 0) : print_records(&p);
	a->job->events = p.rows;
	tell_limits(&p);
	*differs = o->exit_code && is_parted(&p) ? EXIT_DIFFERS : 0;
	line_release(&p.line);
	tn_sequence_free(p.sequence);
	return status;
}
