/* library_answers.c - what is asked of events, while calls of the system fail: jobs of library.c */
#include "library.h"

static int
on_span(void *user, const struct tn_span *s)
{
	struct job *j = user;

	add_text(j, s->name);
	add_number(j, (uint64_t)s->state);
	add_number(j, (uint64_t)s->begin_ns);
	add_number(j, (uint64_t)s->end_ns);
	for (size_t i = 0; i < s->n_keys; i++)
		add_value(j, &s->key[i]);
	for (size_t i = 0; i < s->n_captured; i++)
		add_value(j, &s->captured[i]);
	return 0;
}

static enum tn_code
spans(struct job *j, enum tn_span_order order)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_span_counts counts;
	struct tn_spans *spans = NULL;
	enum tn_code rc = tn_spans_new(&spans, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_spans_add(spans, j->text, &j->err);
	if (rc == TN_OK)
		rc = tn_spans_run(spans, &o, order, on_span, j, &counts, &j->err);
	tn_spans_free(spans);
	return rc;
}

enum tn_code spans_by_begin(struct job *j) { return spans(j, TN_SPANS_BY_BEGIN); }
enum tn_code spans_by_end(struct job *j) { return spans(j, TN_SPANS_BY_END); }

/* Of a question: what is there of its definitions, by a condition for all of them. */
enum tn_code
slowest(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_span_counts counts;
	struct tn_spans *spans = NULL;
	enum tn_code rc = tn_spans_new(&spans, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_spans_add_question(spans, j->text, &j->err);
	if (rc == TN_OK)
		rc = tn_spans_where(spans, "duration > 3us or open or name =~ /q/", &j->err);
	add_number(j, tn_spans_count(spans));
	if (rc == TN_OK)
		rc = tn_spans_sorted(spans, &o, NULL, 4, on_span, j, &counts, &j->err);
	tn_spans_free(spans);
	return rc;
}

static enum tn_code
list_groups(struct job *j, struct tn_groups *groups)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	const struct tn_answer_value *row;
	size_t columns = 0;
	uint64_t part[4];
	enum tn_code rc = tn_groups_run(groups, &o, &j->err);

	while (tn_groups_column(groups, columns))
		columns++;
	for (size_t c = 0; rc == TN_OK && c < columns; c++)
		rc = tn_groups_sort(groups, c, c & 1, &j->err);
	for (size_t i = 0; rc == TN_OK && (row = tn_groups_row(groups, i, NULL)); i++)
		for (size_t c = 0; c < columns; c++) {
			add_value(j, &row[c]);
			if (tn_groups_spread(groups, i, c, part, 4))
				add(j, part, sizeof part);
		}
	if (rc == TN_OK)
		rc = tn_groups_top(groups, 0, true, 1, &j->err);
	return rc;
}

#define ALL_AGGREGATES "count, sum(id), min(id), max(ret), mean(id), distinct(id), p50(id), median(ret), first(what), last(what), rate"

enum tn_code
groups(struct job *j)
{
	struct tn_groups *groups = NULL;
	enum tn_code rc = tn_groups_new(&groups, j->set, j->text, ALL_AGGREGATES, &j->err);

	if (rc == TN_OK)
		rc = list_groups(j, groups);
	tn_groups_free(groups);
	return rc;
}

enum tn_code
groups_of_spans(struct job *j)
{
	struct tn_groups *groups = NULL;
	struct tn_spans *spans = NULL;
	enum tn_code rc = tn_spans_new(&spans, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_spans_add(spans, j->text, &j->err);
	if (rc == TN_OK)
		rc = tn_groups_of_spans(&groups, spans, "name, time/1ms, state", "count, p99(dur), sum(dur), first(begin), last(end)",
					&j->err);
	if (rc == TN_OK)
		rc = list_groups(j, groups);
	tn_groups_free(groups);
	tn_spans_free(spans);
	return rc;
}

enum tn_code
lanes(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_lanes_picture p = { 0 };
	struct tn_lanes *lanes = NULL;
	enum tn_code rc = tn_lanes_new(&lanes, j->set, j->text, &j->err);

	if (rc == TN_OK)
		rc = tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 50000000, 40, &j->err);
	/* Out of what is remembered, and from the events. */
	if (rc == TN_OK)
		rc = tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN + 20000, SMALL_TRACE_BEGIN + 38000000, 40, &j->err);
	if (rc == TN_OK)
		rc = tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN + 20000, SMALL_TRACE_BEGIN + 40000, 40, &j->err);
	if (rc == TN_OK)
		rc = tn_lanes_picture(&p, lanes, NULL, &j->err);
	for (size_t i = 0; i < p.lanes; i++) {
		add_value(j, &p.lane[i].value);
		for (size_t c = 0; c < 40; c++)
			add_text(j, p.state[p.lane[i].cell[c] & TN_LANE_STATE].name);
	}
	tn_lanes_free(lanes);
	return rc;
}

static void
add_picture(struct job *j, const struct tn_lanes_picture *p)
{
	for (size_t i = 0; i <= p->lanes; i++)
		for (size_t c = 0; c < p->columns; c++) {
			uint32_t cell = i < p->lanes ? p->lane[i].cell[c] : p->mark[c];

			add_text(j, p->state[cell & TN_LANE_STATE].name);
			add_number(j, cell & TN_LANE_HIT);
		}
}

/* A guess, and the picture in its place; what the filter finds there, and with which event each cell's state began. */
enum tn_code
lanes_step_by_step(struct job *j)
{
	const int64_t begin = SMALL_TRACE_BEGIN, end = SMALL_TRACE_BEGIN + 50000000;
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_lanes *guess = NULL, *exact = NULL;
	struct tn_lanes_picture p = { 0 };
	struct tn_filter *filter = NULL;
	struct tn_location at;
	enum tn_code rc = tn_lanes_new(&guess, j->set, j->text, &j->err);

	if (rc == TN_OK)
		rc = tn_lanes_new(&exact, j->set, j->text, &j->err);
	if (rc == TN_OK)
		rc = tn_lanes_guess(guess, &o, begin, end, 12, 0, 6, 100000, &j->err);
	if (rc == TN_OK)
		rc = tn_lanes_run(exact, &o, begin, end, 12, &j->err);
	if (rc == TN_OK)
		rc = tn_lanes_picture(&p, guess, NULL, &j->err);
	if (rc == TN_OK) {
		add_picture(j, &p);
		rc = tn_lanes_picture(&p, exact, guess, &j->err);
	}
	if (rc == TN_OK)
		add_picture(j, &p);
	if (rc == TN_OK && (rc = tn_filter_new(&filter, j->set, &j->err)) == TN_OK)
		rc = tn_filter_add(filter, "ret or kind == write or irq", &j->err);
	o.filter = filter;
	if (rc == TN_OK)
		rc = tn_lanes_search(exact, &o, &j->err);
	if (rc == TN_OK && (rc = tn_lanes_picture(&p, exact, NULL, &j->err)) == TN_OK)
		add_picture(j, &p);
	o.filter = NULL;
	for (size_t i = 0; rc >= 0 && i < p.lanes; i++)
		for (size_t c = 0; rc >= 0 && c < 12; c += 3) {
			const char *state = p.state[p.lane[i].cell[c] & TN_LANE_STATE].name;

			if (state)
				rc = tn_lanes_event(exact, &o, &p.lane[i].value, p.time_ns[c], p.time_ns[c + 1], state, &at, &j->err);
			add_number(j, state && rc == TN_OK ? at.row : (uint64_t)(rc == TN_END));
		}
	tn_filter_free(filter);
	tn_lanes_free(exact);
	tn_lanes_free(guess);
	return rc < 0 ? rc : TN_OK;
}

/* Answers that are kept beside the index, of any trace: asked, and asked again when it is opened anew. */
enum tn_code
kept(struct job *j)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	enum tn_code rc = TN_OK;

	keeps = true;
	for (int i = 0; rc >= 0 && i < 2; i++) {
		struct tn_groups *groups = NULL;
		struct tn_spans *spans = NULL;
		struct tn_lanes *lanes = NULL;
		struct tn_lanes_picture picture;
		struct tn_span_counts counts;
		int64_t begin, end;

		rc = tn_set_open(&j->set, &j->path, 1, &how, &j->err);
		if (rc == TN_OK)
			rc = tn_set_time_range(j->set, &begin, &end, &j->err);
		if (rc == TN_OK && (rc = tn_spans_new(&spans, j->set, &j->err)) == TN_OK)
			rc = tn_spans_add(spans, "* * by stream", &j->err);
		if (rc == TN_OK)
			rc = tn_spans_sorted(spans, &o, NULL, 5, on_span, j, &counts, &j->err);
		if (rc == TN_OK)
			rc = tn_groups_of_spans(&groups, spans, "name", "count, p50(duration)", &j->err);
		if (rc == TN_OK)
			rc = list_groups(j, groups);
		if (rc == TN_OK)
			rc = tn_lanes_new(&lanes, j->set, "name by stream", &j->err);
		if (rc == TN_OK)
			rc = tn_lanes_run(lanes, &o, begin, end + 1, 10, &j->err);
		if (rc == TN_OK && (rc = tn_lanes_picture(&picture, lanes, NULL, &j->err)) == TN_OK)
			add_picture(j, &picture);
		tn_lanes_free(lanes);
		tn_groups_free(groups);
		tn_spans_free(spans);
		tn_set_close(j->set);
		j->set = NULL;
	}
	keeps = false;
	return rc < 0 ? rc : TN_OK;
}

static bool
name_frame(void *user, uint64_t address, struct tn_str *out)
{
	(void)user;
	tn_str_printf(out, "f%d", (int)(address & 1));
	return true;
}

enum tn_code
plot(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	bool of_spans = strncmp(j->text, "log2(dur)", 9) == 0;
	struct tn_spans *spans = NULL;
	struct tn_plot *p = NULL;
	int64_t first, last;
	enum tn_code rc = of_spans ? tn_spans_new(&spans, j->set, &j->err) : TN_OK;

	if (rc == TN_OK && of_spans)
		rc = tn_spans_add(spans, "req_begin req_end by id", &j->err);
	if (rc == TN_OK)
		rc = tn_set_time_range(j->set, &first, &last, &j->err);
	if (rc == TN_OK)
		rc = tn_plot_new(&p, j->set, spans, j->text, &j->err);
	for (int form = TN_PLOT_HEAT; rc == TN_OK && form <= TN_PLOT_LINE; form++) {
		rc = tn_plot_run(p, &o, (enum tn_plot_form)form, first, last + 1, 7, 5, &j->err);
		for (size_t s = 0; rc == TN_OK && s < tn_plot_series(p); s++)
			for (size_t c = 0; c < tn_plot_columns(p); c++) {
				add_number(j, tn_plot_point(p, s, c).count);
				for (size_t r = 0; r < tn_plot_rows(p); r++)
					add_number(j, tn_plot_cell(p, s, c, r));
			}
	}
	tn_plot_free(p);
	tn_spans_free(spans);
	return rc;
}

enum tn_code
flame(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_flame *made[4] = { NULL };
	struct tn_flame_node node;
	struct tn_spans *spans = NULL;
	enum tn_code rc = tn_spans_new(&spans, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_spans_add(spans, j->text, &j->err);
	if (rc == TN_OK)
		rc = tn_flame_of_spans(&made[0], spans, &o, &j->err);
	if (rc == TN_OK)
		rc = tn_flame_callers(&made[1], made[0], 0, &j->err);
	if (rc == TN_OK)
		rc = tn_flame_frames(&made[2], made[0], &j->err);
	if (rc == TN_OK)
		rc = tn_flame_named(&made[3], made[0], name_frame, NULL, &j->err);
	for (size_t f = 0; f < 4; f++) {
		for (size_t i = 0; rc == TN_OK && tn_flame_node(made[f], i, &node); i++) {
			add_text(j, node.name);
			add_number(j, node.total ^ node.calls << 40);
		}
		tn_flame_free(made[f]);
	}
	tn_spans_free(spans);
	return rc;
}

enum tn_code
ladder(struct job *j)
{
	static const char *const by[] = { "stream", "vtid", "kind", "what" };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_ladder *ladder = NULL;
	struct tn_rung rung;
	enum tn_code rc = tn_ladder_new(&ladder, j->set, by, 4, &j->err);

	if (rc == TN_OK)
		rc = tn_ladder_run(ladder, &o, 100, &j->err);
	for (size_t k = 0; rc == TN_OK && k < 4; k++) {
		for (size_t i = 0; tn_ladder_rung(ladder, k, i, &rung); i++) {
			add_text(j, rung.name);
			add_number(j, rung.lane ^ rung.from << 8);
		}
		for (size_t i = 0; i < tn_ladder_lanes(ladder, k, NULL); i++)
			add_text(j, tn_ladder_lane(ladder, k, i));
	}
	tn_ladder_free(ladder);
	return rc;
}

/* Which thread each event is of; what one of them did. */
static int
on_link(void *user, const struct tn_chain_link *link)
{
	add_number(user, link->depth << 8 | (uint64_t)link->kind);
	add_number(user, (uint64_t)link->begin_ns);
	return 0;
}

enum tn_code
chain(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_cursor *cursor = NULL;
	int64_t tid = 0, begin, end;
	struct tn_row row;
	bool cut = false;
	enum tn_code rc = tn_cursor_new(&cursor, j->set, &j->err);

	for (rc = rc == TN_OK ? tn_cursor_last(cursor, &j->err) : rc; rc == TN_OK; rc = tn_cursor_prev(cursor, &j->err)) {
		const char *host;

		tn_cursor_row(cursor, &row);
		rc = tn_chain_thread(j->set, &o, &row.location, &host, &tid, &j->err);
		if (rc < 0)
			break;
		add_number(j, (uint64_t)tid + (uint64_t)rc);
	}
	if (rc == TN_END && (rc = tn_set_time_range(j->set, &begin, &end, &j->err)) == TN_OK)
		rc = tn_chain_run(j->set, &o, NULL, tid, begin, end, on_link, j, &cut, &j->err);
	tn_cursor_free(cursor);
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
pairs(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_pairs *pairs = NULL;
	enum tn_code rc = tn_pairs_new(&pairs, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_pairs_look(pairs, &o, &j->err);
	for (size_t i = 0; i < tn_pairs_count(pairs); i++)
		add_text(j, tn_pairs_definition(pairs, i));
	tn_pairs_free(pairs);
	return rc;
}

enum tn_code
other_ends(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_cursor *cursor = NULL;
	struct tn_location other = { 0 };
	struct tn_row row;
	enum tn_code rc = tn_cursor_new(&cursor, j->set, &j->err);

	for (rc = rc == TN_OK ? tn_cursor_first(cursor, &j->err) : rc; rc == TN_OK; rc = tn_cursor_next(cursor, &j->err)) {
		tn_cursor_row(cursor, &row);
		rc = tn_span_other_end(j->set, &j->text, 1, &o, &row.location, &other, NULL, &j->err);
		if (rc < 0)
			break;
		add_number(j, rc == TN_OK ? (uint64_t)other.time_ns : 0);
	}
	tn_cursor_free(cursor);
	return rc < 0 ? rc : TN_OK;
}
