#include "scan/chunk.h"

/* The work on one chunk. */
struct work {
	struct tn_chunk *c;
	const struct tn_chunk_plan *plan;
	struct tn_chunk_state *state;
	struct tn_line_previous previous;
	/* The last skipped event, from which the delta of the next line counts; NULL: none. */
	const struct tn_batch *passed_over;
	size_t passed_row;
};

static bool
add_stop(struct tn_chunk *c, const struct tn_batch *b, size_t row, bool is_notice)
{
	struct tn_stop *stop = TN_ARRAY_ADD(&c->stops);

	if (!stop)
		return false;
	*stop = (struct tn_stop) { c->text.n, b, row, is_notice };
	return true;
}

static void
pass_over(struct work *w, const struct tn_batch *b, size_t row)
{
	if (!tn_line_is_stamped(w->plan->match, b, row))
		return;
	w->passed_over = b;
	w->passed_row = row;
}

static void
catch_up(struct work *w)
{
	if (w->passed_over)
		tn_line_pass(w->plan->match, w->passed_over, w->passed_row, &w->previous);
	w->passed_over = NULL;
}

/* Write the line into another buffer, in the format that regular expressions match, and match it. */
static enum tn_code
match_plain(struct work *w, const struct tn_batch *b, size_t row, struct tn_line_previous *previous, bool *pass)
{
	struct tn_filter_state *state = &w->state->filter;
	enum tn_code rc;

	state->plain.n = 0;
	rc = tn_line_append(w->plan->match, &state->line, b, row, previous, &state->plain, &w->c->err);
	if (rc == TN_OK)
		rc = tn_filter_match_line(w->plan->filter, state, b, row, state->plain.text, state->plain.n - 1, pass,
					  &w->c->err);
	return rc;
}

/*
 * Whether the events of the batch are not needed, because none matches, or because they are only counted. A seek also
 * reads packets that are left out.
 */
static bool
is_mute(const struct tn_chunk_plan *plan, const struct tn_batch *b)
{
	return plan->skip && tn_packet_mark(plan->skip->marks, b->stream, b->packet) != TN_MARK_READ;
}

/* Note the place of the event whose line was made last. */
static void
note_key(struct tn_line_previous *previous, const struct tn_text *text, const struct tn_batch *b, size_t row)
{
	if (!tn_line_is_stamped(text, b, row))
		return;
	previous->key_ns = b->refs.item[row].time_ns;
	previous->rank = b->stream->rank;
}

/* Write the line of an event that may match, and match it; remove the line if it does not match. */
static enum tn_code
write_event(struct work *w, const struct tn_batch *b, size_t row, bool *pass)
{
	const struct tn_chunk_plan *plan = w->plan;
	struct tn_str *out = &w->c->text;
	bool match = tn_filter_has_regex(plan->filter);
	size_t begin = out->n;
	enum tn_code rc;

	/* A match can take long, so ask first whether to stop. */
	if (match && plan->stopped && plan->stopped(plan->user))
		return tn_fail(&w->c->err, TN_ERR_CANCELLED, "stopped");
	catch_up(w);
	if (plan->skip)
		tn_packet_skip_previous(plan->skip, b->refs.item[row].time_ns, &w->previous);
	if (match && plan->match != plan->text) {
		struct tn_line_previous previous = w->previous;

		rc = match_plain(w, b, row, &previous, pass);
		if (rc < 0)
			return rc;
		note_key(&previous, plan->match, b, row);
		match = false;
		if (!*pass || !plan->text) {
			w->previous = previous;
			return TN_OK;
		}
	}
	rc = tn_line_append(plan->text, &w->state->line, b, row, &w->previous, out, &w->c->err);
	if (rc < 0)
		return rc;
	note_key(&w->previous, plan->text, b, row);
	if (match)
		rc = tn_filter_match_line(plan->filter, &w->state->filter, b, row, out->text + begin, out->n - 1 - begin,
					  pass, &w->c->err);
	if (rc < 0 || !*pass)
		out->n = begin;
	return rc;
}

/* Take an event that matches the conditions on values, if @pass. Its line can still exclude it. */
static enum tn_code
take_decided(struct work *w, const struct tn_batch *b, size_t row, bool *pass)
{
	const struct tn_chunk_plan *plan = w->plan;
	enum tn_code rc = TN_OK;

	w->c->read++;
	if (*pass && plan->prefilter && !w->c->decided)
		*pass = tn_prefilter_may_match(plan->prefilter, &w->state->prefilter, b, row);
	if (*pass && (plan->text || tn_filter_has_regex(plan->filter)))
		rc = write_event(w, b, row, pass);
	else if (plan->match)
		pass_over(w, b, row);
	if (rc < 0 || !*pass)
		return rc;
	w->c->passed++;
	if (plan->each && !add_stop(w->c, b, row, false))
		return tn_fail_memory(&w->c->err);
	return TN_OK;
}

static enum tn_code
take_event(struct work *w, const struct tn_batch *b, size_t row)
{
	bool pass = !is_mute(w->plan, b);
	enum tn_code rc = TN_OK;

	if (pass && w->plan->filter)
		rc = tn_filter_match_values(w->plan->filter, &w->state->filter, b, row, &pass, &w->c->err);
	return rc < 0 ? rc : take_decided(w, b, row, &pass);
}

static enum tn_code
take_one(struct work *w, const struct tn_batch *b, size_t row, uint8_t *decided)
{
	bool pass = *decided;
	enum tn_code rc = take_decided(w, b, row, &pass);

	*decided = pass;
	return rc;
}

/* Whether the step has enough text. A backward chunk is not divided, because its first rows are known last. */
static bool
has_enough(const struct work *w)
{
	return w->c->text.n >= w->plan->most_text && !w->c->backward;
}

static bool
match_held(struct work *w, struct tn_chunk_batch *held, size_t n, uint8_t *pass)
{
	const struct tn_batch *b = &held->walked->batch;
	struct tn_filter_state *state = &w->state->filter;
	enum tn_code rc;

	/* If a chunk needs several steps, no notes are made. */
	if (!w->c->cut)
		tn_zone_writer_observe(w->plan->zone_writer, &w->state->zone_buffer, &state->expression, &w->c->notes, b, n,
				       &held->observed);
	rc = tn_filter_match_rows(w->plan->filter, state, b, held->low, n, pass, &w->c->err);
	tn_zone_writer_observed(w->plan->zone_writer, &state->expression, b);
	return rc >= 0;
}

/* Exclude rows whose lines cannot match before the lines are made. */
static void
refuse_lines(struct work *w, const struct tn_batch *b, size_t row, size_t n, uint8_t *pass)
{
	if (w->plan->prefilter)
		tn_prefilter_rows(w->plan->prefilter, &w->state->prefilter, b, row, n, pass);
}

/* Decide the conditions on values for all rows, batch by batch, which is faster than run by run. */
static bool
decide(struct work *w)
{
	struct tn_chunk *c = w->c;
	size_t at = 0;

	/* A parcel may have no row in the range, and then has no array. */
	if (!c->rows || !TN_ARRAY_RESERVE(&c->pass, c->rows))
		return false;
	c->pass.n = c->rows;
	memset(c->pass.item, 1, c->rows);
	for (size_t i = 0; i < c->held.n; i++) {
		struct tn_chunk_batch *held = &c->held.item[i];
		size_t n = held->high - held->low + 1;

		if (n > c->rows - at)
			return false;
		if (held->lost || is_mute(w->plan, &held->walked->batch))
			memset(c->pass.item + at, 0, n);
		else if (!match_held(w, held, n, c->pass.item + at))
			return false;	/* the problem is reported after the rows before it */
		else
			refuse_lines(w, &held->walked->batch, held->low, n, c->pass.item + at);
		held->at = at - held->low;
		at += n;
	}
	return at == c->rows;
}

/* Count events without looking at rows: if only the number is needed, or all rows as ranges, and there are no notices. */
static void
count_decided(struct tn_chunk *c, const struct tn_chunk_plan *plan)
{
	bool whole = plan->ranges && !plan->filter;

	if ((plan->filter && !c->decided) || plan->text || plan->match || (plan->each && !whole))
		return;
	for (size_t i = 0; i < c->held.n; i++)
		if (c->held.item[i].walked->batch.notices.n || c->held.item[i].lost)
			return;
	c->whole = whole;
	for (size_t i = 0; c->decided && i < c->rows; i++)
		c->passed += c->pass.item[i];
	for (size_t i = 0; !c->decided && i < c->held.n; i++)
		if (!is_mute(plan, &c->held.item[i].walked->batch))
			c->passed += c->held.item[i].high - c->held.item[i].low + 1;
	c->read += c->rows;
	c->next_run = c->runs.n;
}

/* Skip events from row @i of the run on that do not match. Returns the row after them. */
static size_t
pass_over_some(struct work *w, const struct tn_run *run, const uint8_t *pass, size_t i)
{
	const struct tn_batch *b = &run->walked->batch;
	const struct tn_ref *ref = b->refs.item + run->first;
	size_t begin = i;

	while (i < run->n && !pass[i] && ref[i].event_class != TN_REF_NOTICE)
		i++;
	w->c->read += i - begin;
	/* The delta of the next line counts from the last row that has a time. */
	for (size_t k = i; w->plan->match && k-- > begin;)
		if (tn_line_is_stamped(w->plan->match, b, run->first + k)) {
			w->passed_over = b;
			w->passed_row = run->first + k;
			break;
		}
	return i;
}

static enum tn_code
take_run(struct work *w, const struct tn_run *run)
{
	const struct tn_batch *b = &run->walked->batch;
	struct tn_chunk *c = w->c;
	uint8_t *pass = c->decided ? c->pass.item + c->held.item[run->held].at + run->first : NULL;
	enum tn_code rc = TN_OK;

	for (size_t *i = &c->next_row; rc == TN_OK && *i < run->n && !has_enough(w); ++*i) {
		size_t row;

		if (pass && !pass[*i] && (*i = pass_over_some(w, run, pass, *i)) == run->n)
			break;
		row = run->first + *i;
		if (b->refs.item[row].event_class == TN_REF_NOTICE)
			rc = add_stop(c, b, row, true) ? TN_OK : tn_fail_memory(&c->err);
		else if (!pass)
			rc = take_event(w, b, row);
		else
			rc = take_one(w, b, row, &pass[*i]);
	}
	return rc;
}

/* Report that all rows of the run are lost. */
static enum tn_code
take_lost(struct work *w, const struct tn_run *run)
{
	struct tn_chunk_batch *held = &w->c->held.item[run->held];

	w->c->next_row = run->n;
	if (held->told)
		return TN_OK;
	if (!add_stop(w->c, run->batch, run->first, true))
		return tn_fail_memory(&w->c->err);
	w->c->stops.item[w->c->stops.n - 1].is_lost = held->told = true;
	return TN_OK;
}

/* Like take_run(), if only lines are needed, and all of them. */
static enum tn_code
print_run(struct work *w, const struct tn_run *run)
{
	const struct tn_batch *b = &run->walked->batch;
	struct tn_chunk *c = w->c;
	size_t begin = run->first + c->next_row, i = begin, end = run->first + run->n;
	uint64_t notices = 0;
	enum tn_code rc;

	for (;;) {
		rc = tn_line_append_rows(w->plan->text, &w->state->line, b, &i, end, &w->previous, &c->text, &c->err);
		if (rc != TN_OK || i == end || b->refs.item[i].event_class != TN_REF_NOTICE)
			break;
		if (!add_stop(c, b, i, true)) {
			rc = tn_fail_memory(&c->err);
			break;
		}
		notices++;
		if (++i == end || has_enough(w))
			break;
	}
	c->read += i - begin - notices;
	c->next_row = i - run->first;
	return rc;
}

/* Print one run after another, as long as only lines are needed. */
static void
print_runs(struct work *w, const struct tn_text *text, struct tn_str *out)
{
	struct tn_chunk *c = w->c;
	size_t begin = c->next_run;

	c->read -= c->next_row;	/* print_run() has counted these rows */
	while (c->next_run < c->runs.n) {
		const struct tn_run *run = &c->runs.item[c->next_run];
		size_t row = c->next_row, i, end;

		c->next_run += tn_line_append_runs(text, &w->state->line, &run->rows, sizeof *run, c->runs.n - c->next_run, &row,
						   &w->previous, out);
		c->next_row = row;
		if (c->next_run == c->runs.n)
			break;
		run = &c->runs.item[c->next_run];
		i = run->first + row;
		end = run->first + run->n;
		c->code = tn_line_append_rows(text, &w->state->line, run->batch, &i, end, &w->previous, out, &c->err);
		c->next_row = i - run->first;
		if (i != end)
			break;
		c->next_row = 0;
		c->next_run++;
	}
	for (size_t i = begin; i < c->next_run; i++)
		c->read += c->runs.item[i].n;
	c->read += c->next_row;
}

#define SLICE ((size_t)64 << 10)	/* bytes of lines that are made before they are searched */

/* Match the lines from @line to the end of the buffer, which belong to the rows after *run, *row of the chunk. */
static enum tn_code
match_lines(struct work *w, const struct tn_line_match *match, const struct tn_str *lines, size_t *run, size_t *row)
{
	const struct tn_chunk_plan *plan = w->plan;
	const char *at = lines->text, *end = at + lines->n, *next;
	struct tn_chunk *c = w->c;

	for (; at < end; at = next + 1) {
		const struct tn_run *r = &c->runs.item[*run];
		bool pass = false;

		next = memchr(at, '\n', (size_t)(end - at));
		if (!match->has_pair || tn_has_pair(at, (size_t)(next - at), match->pair)) {
			enum tn_code rc = plan->stopped && plan->stopped(plan->user)
						  ? tn_fail(&c->err, TN_ERR_CANCELLED, "stopped")
						  : tn_regex_match(match->regex, &w->state->filter.expression.regex, at,
								   (size_t)(next - at), &pass, &c->err);

			if (rc < 0)
				return tn_regex_at(r->batch, r->first + *row, rc, &c->err);
		}
		pass = pass != match->negate;
		c->pass.item[c->held.item[r->held].at + r->first + *row] = pass;
		c->passed += pass;
		if (++*row == r->n) {
			*row = 0;
			++*run;
		}
	}
	return TN_OK;
}

static size_t
count_lines(const struct tn_str *lines)
{
	size_t n = 0;

	for (const char *at = lines->text, *end = at + lines->n; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
		n++;
	return n;
}

/*
 * If lines are made only for one regular expression, and only the number is needed, make many lines and search them
 * together. Other cases are handled event by event.
 */
static void
match_all(struct work *w)
{
	const struct tn_chunk_plan *plan = w->plan;
	struct tn_line_match match;
	struct tn_chunk *c = w->c;
	struct tn_str *lines = &w->state->filter.plain;
	size_t run = 0, row = 0;

	if (!c->decided || c->backward || plan->text || plan->each || plan->skip || c->next_run || c->next_row || !c->rows ||
	    memchr(c->pass.item, 0, c->rows) || !tn_filter_line_match(plan->filter, &match))
		return;
	for (size_t i = 0; i < c->held.n; i++)
		if (c->held.item[i].walked->batch.notices.n || c->held.item[i].lost)
			return;
	w->state->line.stop_at = SLICE;
	while (c->code == TN_OK && c->next_run < c->runs.n) {
		struct tn_line_previous previous = w->previous;
		size_t next_run = c->next_run, next_row = c->next_row;
		uint64_t read = c->read;

		lines->n = 0;
		print_runs(w, plan->match, lines);
		/* A name can contain a newline. */
		if (c->code < 0 || lines->failed || !lines->n || count_lines(lines) != c->read - read) {
			c->code = lines->failed ? tn_fail_memory(&c->err) : TN_OK;
			c->next_run = next_run;
			c->next_row = next_row;
			c->read = read;
			w->previous = previous;
			break;
		}
		c->code = match_lines(w, &match, lines, &run, &row);
	}
	w->state->line.stop_at = 0;
}

/* Note the packets that were read. */
static void
note(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state)
{
	c->cut |= c->more;
	if (!plan->zone_writer || c->cut || c->code < 0 || (plan->filter && !c->decided))
		return;
	for (size_t i = 0; i < c->held.n; i++) {
		const struct tn_chunk_batch *held = &c->held.item[i];

		if (!held->lost && !is_mute(plan, &held->walked->batch))
			tn_zone_writer_read(plan->zone_writer, &state->zone_buffer, &state->filter.expression, &c->notes,
				       &held->walked->batch, held->low, held->high,
				       plan->filter ? c->pass.item + (held->at + held->low) : NULL, &held->observed);
	}
}

/* If a packet was cut, some of its bytes may have been read as zeros: keep only the notices. */
static void
take_back(struct tn_chunk *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->stops.n; i++) {
		struct tn_stop stop = c->stops.item[i];

		stop.text_end = 0;
		if (stop.is_notice)
			c->stops.item[n++] = stop;
	}
	c->stops.n = n;
	c->text.n = 0;
	c->read = c->passed = 0;
	c->more = c->whole = false;
}

/*
 * Check that the packets did not change while they were read. This is also needed after a failure, because lines were
 * made before it.
 */
static void
check_held(struct tn_chunk *c)
{
	struct tn_error err;

	for (size_t i = 0; i < c->held.n; i++) {
		const struct tn_batch *b = &c->held.item[i].walked->batch;
		enum tn_code rc = c->held.item[i].lost ? TN_OK : tn_packet_check(b->stream, &b->entry, &err);

		if (rc < 0) {
			if (c->code == TN_OK) {
				c->code = rc;
				c->err = err;
			}
			take_back(c);
			return;
		}
	}
}

/* In a trace that grows, a packet can be overwritten or dropped while it is read. Returns whether this has just happened. */
static bool
note_lost(struct tn_chunk *c)
{
	bool any = false;

	for (size_t i = 0; i < c->held.n; i++) {
		struct tn_chunk_batch *held = &c->held.item[i];
		const struct tn_batch *b = &held->walked->batch;

		if (!held->lost && b->stream->trace->options->growing &&
		    tn_packet_check(b->stream, &b->entry, NULL) < 0)
			held->lost = any = true;
	}
	return any;
}

/*
 * If no event matches and there are no notices, there is no work: only the last event is needed, for the next chunk's
 * delta.
 */
static void
pass_over_all(struct tn_chunk *c)
{
	if (!c->decided || c->backward || memchr(c->pass.item, 1, c->rows))
		return;
	for (size_t i = 0; i < c->held.n; i++)
		if (c->held.item[i].walked->batch.notices.n || c->held.item[i].lost)
			return;
	c->read += c->rows;
	c->next_run = c->runs.n;
}

static void
work_through(struct work *w)
{
	const struct tn_chunk_plan *plan = w->plan;
	struct tn_chunk *c = w->c;
	bool all = plan->text && !plan->filter && !plan->each, lost = false;

	if (!c->begun) {
		c->begun = true;
		c->decided = plan->filter && decide(w);
		count_decided(c, plan);
		if (c->next_run == 0 && c->next_row == 0)
			pass_over_all(c);
		match_all(w);
	}
	for (size_t i = 0; i < c->held.n; i++)
		lost = lost || c->held.item[i].lost;
	c->cut |= lost;
	c->more = false;
	w->state->line.stop_at = all && !c->backward ? plan->most_text : 0;
	if (all && !c->backward && !lost && c->code == TN_OK)
		print_runs(w, plan->text, &c->text);
	while (c->code == TN_OK && c->next_run < c->runs.n && !c->more) {
		const struct tn_run *run = &c->runs.item[c->backward ? c->runs.n - 1 - c->next_run : c->next_run];

		c->code = c->held.item[run->held].lost ? take_lost(w, run) : all ? print_run(w, run) : take_run(w, run);
		if (c->next_row < run->n) {
			c->more = c->code == TN_OK;
		} else {
			c->next_row = 0;
			c->next_run++;
		}
	}
	w->state->line.stop_at = 0;
	if (all)
		c->passed = c->read;
}

void
tn_chunk_work_on(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state)
{
	struct work w = { .c = c, .plan = plan, .state = state, .previous = c->previous };
	size_t run = c->next_run, row = c->next_row;

	work_through(&w);
	/* Work again without the lost rows. Each time more rows may be lost, until none is left. */
	while (note_lost(c)) {
		c->begun = c->whole = false;
		c->code = TN_OK;
		c->next_run = run;
		c->next_row = row;
		c->stops.n = c->text.n = 0;
		c->read = c->passed = 0;
		for (size_t i = 0; i < c->held.n; i++)
			c->held.item[i].told = false;
		w.previous = c->previous;
		w.passed_over = NULL;
		work_through(&w);
	}
	if (c->more)
		catch_up(&w);
	c->previous = w.previous;
	check_held(c);
	if (c->code == TN_OK && c->text.failed)
		c->code = tn_fail_memory(&c->err);
	note(c, plan, state);
	atomic_fetch_add(plan->waiting, c->text.n);
}

void
tn_chunk_work(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state)
{
	if (atomic_load(plan->waiting) > TN_CHUNK_WAITING && !c->backward)
		c->more = true;
	else
		tn_chunk_work_on(c, plan, state);
}

void
tn_chunk_delivered(struct tn_chunk *c, const struct tn_chunk_plan *plan)
{
	atomic_fetch_sub(plan->waiting, c->text.n);
	c->text.n = 0;
	if (c->text.room > 4 * plan->most_text)
		tn_str_release(&c->text);
	c->stops.n = 0;
	c->read = c->passed = c->counted = 0;
	c->begun = c->decided = c->whole = false;
}

void
tn_chunk_clear(struct tn_chunk *c)
{
	for (size_t i = 0; i < c->held.n; i++)
		tn_walked_drop(c->held.item[i].walked);
	c->held.n = 0;
	c->runs.n = 0;
	c->rows = 0;
	c->text.n = 0;
	c->text.failed = c->text.full = false;
	c->stops.n = 0;
	c->read = c->passed = c->counted = 0;
	c->more = c->cut = c->whole = false;
	c->notes.seen.n = c->notes.counts.n = c->notes.values.n = 0;
	tn_zone_lists_clear(&c->notes.lists);
	c->next_run = c->next_row = 0;
	c->code = TN_OK;
}

void
tn_chunk_release(struct tn_chunk *c)
{
	tn_chunk_clear(c);
	TN_ARRAY_RELEASE(&c->runs);
	TN_ARRAY_RELEASE(&c->held);
	TN_ARRAY_RELEASE(&c->pass);
	TN_ARRAY_RELEASE(&c->stops);
	tn_str_release(&c->text);
	tn_zone_notes_release(&c->notes);
}

void
tn_chunk_state_release(struct tn_chunk_state *state)
{
	tn_line_state_release(&state->line);
	tn_filter_state_release(&state->filter);
	tn_zone_buffer_release(&state->zone_buffer);
	free(state->prefilter.window);
}
