/* flame.c - the answer --flame: stacks as a tree, as folded lines or as tables */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tnav/flame.h>
#include <tnav/symbol.h>

#include "flame.h"

enum { CALLS, TOTAL, SELF, LONGEST, NAME, STACK, DEPTH, OPEN, LOST, COLUMNS };

struct printer {
	struct answer answer;
	enum flame_form form;
	bool folded;
	struct tn_str path, shown;
};

static bool
is_tree(const struct printer *p)
{
	return p->form != FLAME_FRAMES;
}

static int
make_table(struct printer *p, bool sampled)
{
	const unsigned right = TN_COLUMN_RIGHT | TN_COLUMN_SHORT, data = TN_COLUMN_NO_TEXT;
	const unsigned tree = is_tree(p) ? data : TN_COLUMN_NO_TEXT | TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON;
	const unsigned timed = sampled ? TN_COLUMN_NO_TEXT | TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON : 0;
	const unsigned named = TN_COLUMN_NAMED | TN_COLUMN_RIGHT | timed;
	const enum tn_group_unit unit = sampled ? TN_GROUP_NUMBER : TN_GROUP_DURATION;
	const struct tn_table_column column[COLUMNS] = {
		[CALLS] = { .name = "calls", .unit = TN_GROUP_NUMBER, .flags = right | timed, .width = 9 },
		[TOTAL] = { .name = "total", .unit = unit, .flags = right, .width = 11 },
		[SELF] = { .name = "self", .unit = unit, .flags = right, .width = 11 },
		[LONGEST] = { .name = "longest", .unit = unit, .flags = right | timed, .width = 11 },
		[NAME] = { .name = "name" },
		[STACK] = { .name = "stack", .flags = tree },
		[DEPTH] = { .name = "depth", .flags = tree },
		[OPEN] = { .name = "open", .flags = named },
		[LOST] = { .name = "doubtful", .flags = named },
	};
	int status = answer_table(&p->answer);

	for (size_t i = 0; !status && i < COLUMNS; i++)
		answer_column(&p->answer, column[i]);
	return status;
}

/* The name of a node, indented by its depth. */
static const char *
indented(struct printer *p, const struct tn_flame_node *n)
{
	p->shown.n = 0;
	for (uint32_t i = 1; i < n->depth; i++)
		tn_str_add(&p->shown, i < 40 ? "  " : ".", i < 40 ? 2 : 1);
	tn_str_add(&p->shown, n->name, strlen(n->name));
	return p->shown.failed ? n->name : p->shown.text;
}

static int
print_node(struct printer *p, const struct tn_flame *f, size_t i, const struct tn_flame_node *n)
{
	bool text = answer_form(&p->answer) == TN_TABLE_TEXT;
	struct tn_answer_value row[COLUMNS] = {
		[CALLS] = tn_answer_number(true, (int64_t)n->calls),
		[TOTAL] = tn_answer_number(true, (int64_t)n->total),
		[SELF] = tn_answer_number(true, (int64_t)n->self),
		/* An open call does not have a duration. */
		[LONGEST] = tn_answer_number(n->longest_ns || n->calls > n->open, (int64_t)n->longest_ns),
		[NAME] = tn_answer_text(text && is_tree(p) ? indented(p, n) : n->name),
		[DEPTH] = tn_answer_number(true, n->depth),
		[OPEN] = tn_answer_number(n->open || !text, (int64_t)n->open),
		[LOST] = tn_answer_number(n->doubtful || !text, (int64_t)n->doubtful),
	};

	if (!text && is_tree(p)) {
		p->path.n = 0;
		tn_flame_path(f, i, &p->path);
		row[STACK] = tn_answer_text(p->path.failed || !p->path.n ? "" : p->path.text);
	}
	return answer_row(&p->answer, row);
}

/* Print lines such as "main;read;copy 12345", which flamegraph.pl reads. */
static int
print_folded(struct printer *p, const struct tn_flame *f, size_t i, const struct tn_flame_node *n)
{
	struct tn_str *line = &p->answer.line;

	if (!n->self)
		return 0;
	p->path.n = 0;
	tn_flame_path(f, i, &p->path);
	line->failed |= p->path.failed;
	if (p->path.n)
		tn_text_safe(p->path.text, p->path.n, line);
	put_text(line, " ");
	put_number(line, (int64_t)n->self);
	put_text(line, "\n");
	return answer_put(&p->answer);
}

static void
warn_number(const char *text, uint64_t n)
{
	char all[512];

	snprintf(all, sizeof all, text, (uintmax_t)n);
	complain(_("warning"), all);
}

void
flame_tell(const struct tn_flame *f)
{
	struct tn_flame_counts c = tn_flame_counts(f);

	if (c.cut)
		warn_number(ngettext("%ju call exceeds the limit of 262144 stacks or 4096 levels: its time counts "
				     "for its caller; use --begin, --end or --filter to select fewer",
				     "%ju calls exceed the limit of 262144 stacks or 4096 levels: their time counts for their "
				     "callers; use --begin, --end or --filter to select fewer", c.cut), c.cut);
	if (c.nameless)
		warn_number(ngettext("%ju call has the name \"...\": the stacks have more than 100000 names; use "
				     "--begin, --end or --filter to select fewer",
				     "%ju calls have the name \"...\": the stacks have more than 100000 names; use "
				     "--begin, --end or --filter to select fewer", c.nameless), c.nameless);
	if (c.dropped)
		warn_number(ngettext("%ju call is left out: more than 229376 threads have a stack at once",
				     "%ju calls are left out: more than 229376 threads have a stack at once", c.dropped),
			    c.dropped);
	if (c.orphans)
		warn_number(ngettext("%ju end does not have a begin and is left out",
				     "%ju ends do not have a begin and are left out", c.orphans), c.orphans);
	if (c.without_key)
		warn_number(ngettext("%ju event does not have all of the keys and is left out",
				     "%ju events do not have all of the keys and are left out", c.without_key), c.without_key);
}

static int
print_all(struct printer *p, const struct tn_flame *f)
{
	uint64_t top = p->answer.job->options->top, n = 0;
	struct tn_flame_node node;
	int failed = 0;

	if (!p->folded && answer_heading(&p->answer))
		return 0;
	for (size_t i = 1; !failed && (!top || n < top) && tn_flame_node(f, i, &node); i++, n++)
		failed = p->folded ? print_folded(p, f, i, &node) : print_node(p, f, i, &node);
	return 0;
}

static bool
name_entry(void *user, uint64_t address, struct tn_str *out)
{
	return tn_symbols_name(user, NULL, address, 0, out);
}

static bool
name_sample(void *user, uint64_t address, struct tn_str *out)
{
	return tn_symbols_name(user, NULL, address, TN_SYMBOL_INLINED, out);
}

/* Replace addresses in the flame by names. */
static enum tn_code
name_frames(const struct options *o, struct addresses *addresses, struct tn_flame **f, struct tn_error *err)
{
	struct tn_symbols *symbols = addresses_read(addresses, err);
	struct tn_flame *named = NULL;
	enum tn_code rc = TN_OK;

	if (!symbols)
		return err->code;
	if (o->n_maps || tn_symbols_mappings(symbols))
		rc = tn_flame_named(&named, *f, tn_flame_is_sampled(*f) ? name_sample : name_entry, symbols, err);
	if (named) {
		tn_flame_free(*f);
		*f = named;
	}
	return rc;
}

/* Transform the flame to the requested form. */
static enum tn_code
transform(const struct printer *p, struct tn_flame **f, struct tn_error *err)
{
	struct tn_flame *other = NULL;
	enum tn_code rc;

	if (p->form != FLAME_CALLERS && p->form != FLAME_FRAMES)
		return TN_OK;
	rc = p->form == FLAME_CALLERS ? tn_flame_callers(&other, *f, 0, err) : tn_flame_frames(&other, *f, err);
	if (rc == TN_OK) {
		tn_flame_free(*f);
		*f = other;
	}
	return rc;
}

static enum tn_code
gather_spans(struct tn_flame **f, const struct options *o, struct tn_set *set, const struct tn_scan_options *scan,
	     struct tn_error *err)
{
	struct tn_spans *spans = NULL;
	const char *ready;
	enum tn_code rc = tn_spans_new(&spans, set, err);

	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(spans, o->spans[i], err);
	for (size_t i = 0; !o->n_spans && rc == TN_OK && (ready = tn_flame_ready(set, i)); i++)
		rc = tn_spans_add(spans, ready, err);
	if (rc == TN_OK)
		rc = tn_flame_of_spans(f, spans, scan, err);
	tn_spans_free(spans);
	return rc;
}

enum tn_code
flame_read(struct tn_flame **out, const struct options *o, struct tn_set *set, const struct tn_scan_options *scan,
	   struct addresses *addresses, struct tn_error *err)
{
	bool chains = !o->n_spans && !tn_flame_ready(set, 0);
	enum tn_code rc = chains ? tn_flame_of_chains(out, set, scan, err) : gather_spans(out, o, set, scan, err);

	return rc == TN_OK ? name_frames(o, addresses, out, err) : rc;
}

static int
run(struct printer *p)
{
	struct job *job = p->answer.job;
	struct tn_flame *f = NULL;
	struct tn_error err;
	enum tn_code rc = flame_read(&f, job->options, job->set, &p->answer.scan, &job->addresses, &err);
	int status;

	if (rc == TN_OK)
		rc = transform(p, &f, &err);
	status = answer_status(&p->answer, rc, &err);
	if (!status && f) {
		flame_tell(f);
		status = make_table(p, tn_flame_is_sampled(f));
	}
	if (!status && f) {
		status = print_all(p, f);
		job->events = tn_flame_counts(f).calls;
	}
	tn_flame_free(f);
	return status;
}

int
print_flame(struct job *job)
{
	struct printer p = { .form = job->options->flame };
	const char *dot = job->options->output ? strrchr(job->options->output, '.') : NULL;
	int status = answer_begin(&p.answer, job);

	p.folded = p.form == FLAME_FOLDED || (dot && strcmp(dot, ".folded") == 0);
	p.form = p.folded && p.form == FLAME_FRAMES ? FLAME_FOLDED : p.form;	/* a table does not show stacks */
	if (!status)
		status = run(&p);
	status = answer_end(&p.answer, status);
	tn_str_release(&p.path);
	tn_str_release(&p.shown);
	return status;
}
