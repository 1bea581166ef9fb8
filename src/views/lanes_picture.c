/*
 * lanes_picture.c - the job that makes the picture of a window of lanes
 *
 * It shows coarse guesses first, then exact columns as they become known, and hits last.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/table.h>

#include "lanes_picture.h"
#include "screen/line.h"
#include "screen/nicknames.h"

#define NAME_BYTES 200
#define MOST_STACKS 40		/* limit of lanes that can be high enough to show all states of a cell */
#define UNIT_BYTES 12
#define CHOOSE_EVENTS 1000000	/* events that are read to find pairs */
#define COARSE 16		/* number of columns between the first guesses */
#define GUESS_EVENTS 3000	/* approximate number of events for a guess */
#define SHOW_US 100000		/* least time between two pictures of one job */
#define SHOW_SHARE 20		/* and this many times the work that the last one was: lanes may have many states */

/* ---- the picture ---- */

void
picture_release(struct picture *p)
{
	for (size_t i = 0; p->lane && i < p->lanes; i++)
		free(p->lane[i]);
	for (size_t i = 0; p->value && i < p->lanes; i++)
		free((char *)p->value[i].text);
	for (size_t i = 0; p->state && i <= p->states; i++)
		free(p->state[i]);
	for (size_t i = 0; p->name && i <= p->states; i++)
		free(p->name[i]);
	free(p->value);
	free(p->name);
	free(p->lane);
	free(p->state);
	free(p->cell);
	free(p->stack);
	free(p->mark);
	free(p->state_ns);
	free(p->letter);
	free(p->color);
	free(p->idle);
	free(p->time_ns);
	free(p->longest);
	*p = (struct picture) { 0 };
}

/* Append the number without its unit, which is not needed next to a name. */
static void
add_name(char **text, const char *key, const struct tn_answer_value *value, const struct tn_nicknames *names)
{
	const char *name = tn_nicknames_find(names, key, NULL, value);
	struct tn_str both = { 0 }, number = { 0 };

	if (!name)
		return;
	tn_answer_value_text(value, &number);
	tn_text_safe(number.text ? number.text : "", number.n, &both);
	tn_text_safe(" ", 1, &both);
	tn_text_safe(name, strlen(name), &both);
	tn_str_release(&number);
	if (both.failed) {
		tn_str_release(&both);
		return;
	}
	free(*text);
	*text = both.text;
}

void
picture_names(struct picture *p, const char *definition, const struct tn_nicknames *names)
{
	const char *by;
	char *of;

	nicknames_of_lanes(definition, &of, &by);
	for (size_t i = 0; names && of && i < p->lanes; i++)
		add_name(&p->lane[i], by, &p->value[i], names);
	for (size_t i = 1; names && of && i <= p->states; i++) {
		const struct tn_answer_value state = tn_answer_text(p->name[i]);

		add_name(&p->state[i], of, &state, names);
	}
	p->names = names;
	free(of);
}

/* The last part of the name of the lanes' field, such as "cpu" in "sched_switch.next_comm by cpu". */
static const char *
unit_of(const char *definition)
{
	const char *unit = definition;

	for (const char *at = definition; (at = strstr(at, " by ")); unit = at)
		at += strlen(" by ");
	while (*unit == ' ')
		unit++;
	if (strrchr(unit, '.'))
		unit = strrchr(unit, '.') + 1;
	return unit == definition || strlen(unit) > UNIT_BYTES || strpbrk(unit, "\"[]() ") ? "" : unit;
}

/* Whether the state is thread 0 of the kernel, by its name or number. */
static bool
is_idle(const char *definition, const char *state)
{
	const char *by = strstr(definition, " by ");

	if (strncmp(state, "swapper", strlen("swapper")) == 0)
		return !state[strlen("swapper")] || state[strlen("swapper")] == '/';
	if (strcmp(state, "<idle>") == 0 || strcmp(state, "idle") == 0)
		return true;
	return strcmp(state, "0") == 0 && by && by - definition >= 3 &&
	       (strncmp(by - 3, "tid", 3) == 0 || strncmp(by - 3, "pid", 3) == 0);
}

/* The name of a lane: a number has the name of its field in front. */
static char *
lane_name(const struct tn_answer_value *value, const char *unit)
{
	struct tn_str name = { 0 };
	char *safe;

	tn_answer_value_text(value, &name);
	safe = line_safe_copy(name.text ? name.text : "", name.n < NAME_BYTES ? name.n : NAME_BYTES);
	tn_str_release(&name);
	if (safe && *unit && value->kind != TN_ANSWER_TEXT && *safe >= '0' && *safe <= '9') {	/* not a label */
		char *both;

		if (asprintf(&both, "%s %s", unit, safe) < 0)
			both = NULL;
		free(safe);
		safe = both;
	}
	return safe;
}

/* Give the value its own text. */
static bool
copy_text(struct tn_answer_value *v)
{
	char *text = NULL;

	if (v->kind != TN_ANSWER_TEXT) {
		v->text = NULL;
		return true;
	}
	text = malloc(v->n + 1);
	if (text) {
		memcpy(text, v->text, v->n);
		text[v->n] = '\0';
	}
	v->text = text;
	return text != NULL;
}

/* Take the states, and choose their colours. */
static bool
take_states(struct picture *p, const struct tn_lanes_picture *from, const char *definition, bool few_colors)
{
	size_t most = few_colors ? 6 : STYLE_STATE_LAST - STYLE_STATE, colored = 0;

	p->states = from->states;
	p->state = calloc(p->states + 1, sizeof *p->state);
	p->name = calloc(p->states + 1, sizeof *p->name);
	p->state_ns = calloc(p->states + 1, sizeof *p->state_ns);
	p->letter = calloc(p->states + 1, 1);
	p->color = calloc(p->states + 1, 1);
	p->idle = calloc(p->states + 1, sizeof *p->idle);
	p->longest = calloc(p->states + 1, sizeof *p->longest);
	if (!p->state || !p->name || !p->state_ns || !p->letter || !p->color || !p->idle || !p->longest)
		return false;
	for (size_t i = 0; i < p->states; i++) {
		size_t n = p->longest[i] = from->longest[i];
		const char *name = from->state[n].name;

		p->state_ns[n] = from->state[n].ns;
		p->state[n] = line_safe_copy(name, strnlen(name, NAME_BYTES));
		p->letter[n] = from->state[n].letter;
		p->idle[n] = is_idle(definition, name);
		p->color[n] = (uint8_t)(colored < most ? colored : STYLE_STATE_LAST - STYLE_STATE);
		colored += !p->idle[n];
		p->name[n] = strdup(name);
		if (!p->state[n] || !p->name[n])
			return false;
	}
	return true;
}

static bool
take_cells(struct picture *p, const struct tn_lanes_picture *from, const char *unit)
{
	p->lanes = from->lanes;
	p->lane = calloc(p->lanes + 1, sizeof *p->lane);
	p->value = calloc(p->lanes + 1, sizeof *p->value);
	p->cell = calloc(p->lanes * p->columns + 1, sizeof *p->cell);
	p->mark = calloc(p->columns + 1, sizeof *p->mark);
	p->time_ns = calloc(p->columns + 1, sizeof *p->time_ns);
	if (!p->lane || !p->value || !p->cell || !p->mark || !p->time_ns)
		return false;
	memcpy(p->time_ns, from->time_ns, (p->columns + 1) * sizeof *p->time_ns);
	memcpy(p->mark, from->mark, p->columns * sizeof *p->mark);
	for (size_t c = 0; c < p->columns; c++)
		p->is_elsewhere |= (p->mark[c] & TN_LANE_HIT) != 0;
	for (size_t i = 0; i < p->lanes; i++) {
		p->lane[i] = lane_name(&from->lane[i].value, unit);
		p->value[i] = from->lane[i].value;
		if (!copy_text(&p->value[i]) || !p->lane[i])
			return false;
		memcpy(p->cell + i * p->columns, from->lane[i].cell, p->columns * sizeof *p->cell);
	}
	return true;
}

/* Put the states of a cell one above the other, in the same order in all cells. */
static void
take_stack(struct stack_part *stack, const struct picture *p, const struct tn_lanes *l, size_t lane, size_t column,
	   const uint32_t *rank)
{
	int64_t begin = p->time_ns[column], end = p->time_ns[column + 1];
	double sum = 0;
	uint64_t ns[TN_LANE_SHARES];
	uint32_t state;
	size_t n = 0;

	for (uint64_t t; n < TN_LANE_SHARES && (state = (uint32_t)tn_lanes_share(l, lane, column, n, &t)); n++) {
		size_t at = n;

		for (; at && rank[stack[at - 1].state] > rank[state]; at--) {
			stack[at] = stack[at - 1];
			ns[at] = ns[at - 1];
		}
		stack[at].state = state;
		ns[at] = t;
	}
	begin = begin < p->first_ns ? p->first_ns : begin;
	end = end > p->last_ns ? p->last_ns : end;
	for (size_t i = 0; i < n; i++)
		stack[i].until = (float)((sum += (double)ns[i]) / ns_between(begin, end));
}

static bool
take_stacks(struct picture *p, const struct tn_lanes *l, struct tn_set *set)
{
	uint32_t *rank;

	if (p->lanes > MOST_STACKS || tn_set_time_range(set, &p->first_ns, &p->last_ns, NULL) != TN_OK)
		return true;
	p->stack = calloc(p->lanes * p->columns + 1, TN_LANE_SHARES * sizeof *p->stack);
	rank = calloc(p->states + 1, sizeof *rank);
	for (size_t i = 0; rank && i < p->states; i++)
		rank[p->longest[i]] = (uint32_t)(p->idle[p->longest[i]] ? p->states + i : i);
	for (size_t i = 0; rank && p->stack && i < p->lanes * p->columns; i++)
		take_stack(p->stack + i * TN_LANE_SHARES, p, l, i / p->columns, i % p->columns, rank);
	free(rank);
	return rank && p->stack;
}

static enum tn_code
out_of_memory(struct job *job)
{
	snprintf(job->error.text, sizeof job->error.text, "%s", _("out of memory"));
	return TN_ERR_MEMORY;
}

static uint64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Give the current picture to the view. @preview fills the columns that are not known yet. */
static enum tn_code
show(struct job *job, struct tn_lanes *l, struct tn_lanes *preview)
{
	struct drawing *d = job->data;
	struct picture p = { .columns = d->columns, .begin_ns = d->begin_ns, .end_ns = d->end_ns };
	struct tn_lanes_picture from;
	enum tn_code rc = tn_lanes_picture(&from, l, preview, &job->error);

	if (rc < 0)
		return rc;
	if (l == d->exact && !from.known)
		return TN_OK;	/* the guesses show more */
	p.known = from.known;
	p.left_out = from.left_out;
	if (!take_states(&p, &from, d->text, d->few_colors) || !take_cells(&p, &from, unit_of(d->text)) ||
	    !take_stacks(&p, preview ? preview : l, job->q.set)) {
		picture_release(&p);
		return out_of_memory(job);
	}
	tn_lanes_memory_get(from.memory);
	tn_lanes_memory_free(d->memory);
	d->memory = from.memory;
	pthread_mutex_lock(&d->lock);
	picture_release(&d->picture);
	d->picture = p;
	d->has_picture = true;
	pthread_mutex_unlock(&d->lock);
	return TN_OK;
}

/* ---- the job ---- */

static int
looked_enough(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	(void)passed, (void)at_ns;
	return read > CHOOSE_EVENTS || job_stopped(user);
}

/*
 * The lanes are streams, because threads of several hosts can have one number. The format may declare that streams are
 * threads.
 */
static const char *
lane_of(struct tn_set *set, const char *definition)
{
	struct tn_spans *spans = NULL;
	const char *lane = "stream", *key;

	if (*definition == '@' && tn_spans_new(&spans, set, NULL) == TN_OK && tn_spans_add(spans, definition, NULL) == TN_OK
	    && (key = tn_spans_key(spans, 0, 0)) && strcmp(key, "tid") == 0 && !tn_spans_key(spans, 0, 1))
		lane = "tid";
	tn_spans_free(spans);
	return lane;
}

/* Choose a definition if the user gave none: the threads on each processor, otherwise the first pair with events. */
static enum tn_code
choose(struct job *job, char **text)
{
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_pairs *pairs = NULL;
	/* for LTTng, and for ftrace and perf */
	static const char *const running[] = { "sched_switch.next_comm by cpu", "sched:sched_switch.next_comm by cpu" };
	struct tn_lanes *lanes;
	char *own = NULL;
	enum tn_code rc;

	if (**text)
		return TN_OK;
	for (size_t i = 0; i < sizeof running / sizeof *running && !own; i++)
		if (tn_lanes_new(&lanes, job->q.set, running[i], NULL) == TN_OK) {
			tn_lanes_free(lanes);
			own = strdup(running[i]);
		}
	if (!own) {
		rc = tn_pairs_new(&pairs, job->q.set, &job->error);
		scan.progress = looked_enough;
		if (rc == TN_OK && tn_pairs_count(pairs) > 1)
			rc = tn_pairs_look(pairs, &scan, &job->error);
		if (rc < 0 && (rc != TN_ERR_CANCELLED || job_stopped(job))) {
			tn_pairs_free(pairs);
			return rc;
		}
		if (!tn_pairs_count(pairs))
			own = strdup("name by stream");
		else if (asprintf(&own, "(%s) by %s", tn_pairs_definition(pairs, 0),
				  lane_of(job->q.set, tn_pairs_definition(pairs, 0))) < 0)
			own = NULL;
		tn_pairs_free(pairs);
	}
	if (!own)
		return out_of_memory(job);
	free(*text);
	*text = own;
	return TN_OK;
}

/* Guess every COARSE-th column, then the columns between, until all columns have a guess. */
static enum tn_code
guess(struct job *job)
{
	struct drawing *d = job->data;
	double width = ns_between(d->begin_ns, d->end_ns) / (double)d->columns;
	double look = d->events_ns > 0 ? GUESS_EVENTS / d->events_ns : 0;
	enum tn_code rc = TN_OK;

	if (look < 1 || look > width / 8)
		return TN_OK;	/* the whole picture is nearly as fast */
	for (size_t step = COARSE; rc == TN_OK && step; step /= 2) {
		for (size_t c = 0; rc == TN_OK && c < d->columns; c += step) {
			if (step < COARSE && c % (2 * step) == 0)
				continue;
			rc = tn_lanes_guess(d->guess, &d->scan, d->begin_ns, d->end_ns, d->columns, c, step, (int64_t)look,
					    &job->error);
		}
		d->guessed |= rc == TN_OK;
		if (rc == TN_OK)
			rc = show(job, d->guess, NULL);
	}
	return rc;
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct job *job = user;
	struct drawing *d = job->data;
	uint64_t now = now_us(), work;

	if (now >= d->next_us) {
		(void)show(job, d->exact, d->guessed ? d->guess : NULL);
		work = now_us() - now;
		d->next_us = now + work + (SHOW_SHARE * work > SHOW_US ? SHOW_SHARE * work : SHOW_US);
	}
	return d->progress(user, read, passed, at_ns);
}

void
drawing_run(struct job *job)
{
	struct drawing *d = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	enum tn_code rc = choose(job, &d->text);

	if (rc == TN_OK)
		rc = tn_lanes_new(&d->exact, job->q.set, d->text, &job->error);

	if (rc == TN_OK)
		rc = tn_lanes_new(&d->guess, job->q.set, d->text, &job->error);
	if (rc == TN_OK) {
		tn_lanes_keep_shares(d->exact, MOST_STACKS);
		tn_lanes_keep_shares(d->guess, MOST_STACKS);
	}
	d->scan = scan;
	d->scan.progress = NULL;
	d->next_us = now_us() + SHOW_US;
	if (rc == TN_OK && !tn_lanes_remember(d->exact, d->memory, &scan))
		rc = guess(job);
	d->progress = scan.progress;
	scan.progress = on_progress;
	if (rc == TN_OK)
		rc = tn_lanes_run(d->exact, &scan, d->begin_ns, d->end_ns, d->columns, &job->error);
	if (rc == TN_OK && d->hits) {
		d->scan.filter = d->hits->filter;
		rc = show(job, d->exact, NULL);
		if (rc == TN_OK)
			rc = tn_lanes_search(d->exact, &d->scan, &job->error);
	}
	if (rc == TN_OK)
		rc = show(job, d->exact, NULL);
	tn_lanes_free(d->exact);
	tn_lanes_free(d->guess);
	job->code = rc;
}

void
drawing_free(void *data)
{
	struct drawing *d = data;

	picture_release(&d->picture);
	pthread_mutex_destroy(&d->lock);
	query_put(d->hits);
	tn_lanes_memory_free(d->memory);
	free(d->text);
	free(d);
}

/* ---- the states of a cell ---- */

struct sharing *
sharing_new(const char *text, const struct picture *p, const struct cell_shares *cell, struct tn_lanes_memory *memory)
{
	struct sharing *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->lane = p->value[cell->lane];
	f->shares = *cell;
	f->text = strdup(text);
	f->memory = tn_lanes_memory_get(memory);
	if (copy_text(&f->lane) && f->text)
		return f;
	sharing_free(f);
	return NULL;
}

static void
add_share(struct cell_shares *s, const char *name, uint64_t ns)
{
	char *safe = line_safe_copy(name, strnlen(name, sizeof s->item[0].name - 1));

	snprintf(s->item[s->n].name, sizeof s->item[0].name, "%s", safe ? safe : "?");
	free(safe);
	s->item[s->n++].ns = ns;
}

/* The time without a state comes last. */
static void
take_shares(struct cell_shares *s, const struct tn_lanes *l, const struct tn_lanes_picture *p, size_t lane)
{
	uint64_t rest = (uint64_t)s->end_ns - (uint64_t)s->begin_ns, ns;

	for (size_t i = 0, state; (state = tn_lanes_share(l, lane, 0, i, &ns)); i++) {
		rest -= ns < rest ? ns : rest;
		if (s->n < SHARES - 1)
			add_share(s, p->state[state].name, ns);
		else
			s->more = true;
	}
	if (rest && s->n)
		add_share(s, "", rest);
}

void
sharing_run(struct job *job)
{
	struct sharing *f = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_lanes_picture p = { 0 };
	struct tn_lanes *l = NULL;
	enum tn_code rc = tn_lanes_new(&l, job->q.set, f->text, &job->error);

	if (rc == TN_OK)
		rc = tn_lanes_remember(l, f->memory, &scan) ?
		     tn_lanes_run(l, &scan, f->shares.begin_ns, f->shares.end_ns, 1, &job->error) : TN_END;
	if (rc == TN_OK)
		rc = tn_lanes_picture(&p, l, NULL, &job->error);
	for (size_t i = 0; i < p.lanes; i++)
		if (p.lane[i].value.kind == f->lane.kind && tn_answer_value_compare(&p.lane[i].value, &f->lane) == 0)
			take_shares(&f->shares, l, &p, i);
	tn_lanes_free(l);
	job->code = rc == TN_END ? TN_OK : rc;
}

void
sharing_free(void *data)
{
	struct sharing *f = data;

	free(f->text);
	free((char *)f->lane.text);
	tn_lanes_memory_free(f->memory);
	free(f);
}

/* ---- the event that began a state ---- */

bool
finding_of(struct finding *f, const char *text, const struct picture *p, size_t lane, size_t column, int64_t begin_ns,
	   int64_t end_ns)
{
	uint32_t state = p->cell[lane * p->columns + column] & TN_LANE_STATE;

	*f = (struct finding) { .begin_ns = begin_ns, .end_ns = end_ns, .lane = p->value[lane] };
	f->text = strdup(text);
	f->state = strdup(state ? p->name[state] : "");
	return copy_text(&f->lane) && f->text && f->state;
}

void
finding_run(struct job *job)
{
	struct finding *f = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_lanes *l = NULL;
	enum tn_code rc = tn_lanes_new(&l, job->q.set, f->text, &job->error);

	if (rc == TN_OK)
		rc = tn_lanes_event(l, &scan, &f->lane, f->begin_ns, f->end_ns, f->state, &f->at, &job->error);
	f->found = rc == TN_OK;
	tn_lanes_free(l);
	job->code = rc == TN_END ? TN_OK : rc;
}

void
finding_free(void *data)
{
	struct finding *f = data;

	free(f->text);
	free((char *)f->lane.text);
	free(f->state);
	free(f);
}
