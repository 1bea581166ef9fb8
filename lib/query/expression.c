/*
 * expression.c - what an expression says of an event
 *
 * When the expression is made, each leaf is looked up in each event class: whether its events can have
 * the field at all, and where. What follows for a class without looking at an event is its verdict.
 */
#include <inttypes.h>
#include <stdio.h>

#include "query/expression_tree.h"

/* How a leaf finds its field in the events of a class. */
struct lookup {
	bool possible;
	const struct tn_field *field;	/* a member of the scope itself; NULL: the whole path is followed */
	enum tn_scope scope;		/* of the field */
	unsigned scopes;		/* that have to be read */
};

struct verdict {
	enum tn_verdict verdict;
	unsigned scopes;
};

struct tn_expression {
	struct tn_tree tree;
	size_t *first_class;		/* by rank of the stream: the number of the first class of its trace */
	const struct tn_trace **trace;	/* of the set, and */
	size_t *first_of_trace, n_traces;
	struct lookup *lookup;		/* [class * n_leaves + leaf] */
	struct verdict *verdict;	/* by class */
	size_t n_classes;
};

/* ---- numbers ---- */

static double
as_double(const struct tn_number *n)
{
	if (n->is_float)
		return n->f;
	return n->is_negative ? -(double)n->magnitude : (double)n->magnitude;
}

int
tn_number_compare(const struct tn_number *a, const struct tn_number *b)
{
	if (a->is_float || b->is_float) {
		double x = as_double(a), y = as_double(b);

		return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
	}
	if (a->is_negative != b->is_negative)
		return a->is_negative ? -1 : 1;
	if (a->magnitude == b->magnitude)
		return 0;
	return (a->magnitude < b->magnitude) != a->is_negative ? -1 : 1;
}

static struct tn_number
number_of_i64(int64_t i)
{
	return (struct tn_number) { .is_negative = i < 0, .magnitude = i < 0 ? -(uint64_t)i : (uint64_t)i };
}

/* ---- what is compared ---- */

/* A subject: a number, a text, or both (an enumeration, a stream). */
struct operand {
	bool is_number;
	struct tn_number number;
	const char *text;		/* NULL: none */
	size_t n;
	const struct tn_type *labels;	/* any label of this type that has `value` */
	uint64_t value;
};

static bool
value_operand(const struct tn_value *v, struct operand *out)
{
	const struct tn_type *t = v->field->type;

	*out = (struct operand) { 0 };
	switch (t->kind) {
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		out->text = (const char *)v->bytes;
		out->n = (size_t)v->size;
		if (!out->text)
			out->text = "";
		return true;
	case TN_KIND_FLOAT:
		out->is_number = t->length <= 64;
		out->number = (struct tn_number) { .is_float = true, .f = v->f };
		return out->is_number;
	case TN_KIND_SINT:
		out->number = number_of_i64(v->i);
		break;
	case TN_KIND_UINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
		out->number = (struct tn_number) { .magnitude = v->u };
		break;
	default:
		return false;
	}
	out->is_number = t->length <= 64 || t->kind == TN_KIND_BOOL;
	if (t->mapping) {
		out->labels = t;
		out->value = v->u;
	}
	return out->is_number;
}

static int
compare_text(const char *a, size_t n, const char *b, size_t m)
{
	int order = memcmp(a, b, n < m ? n : m);

	return order ? (order < 0 ? -1 : 1) : n < m ? -1 : n > m;
}

/* <0, 0, >0; 2: they cannot be compared. */
static int
compare(const struct operand *o, const struct tn_literal *l)
{
	if (l->is_number && o->is_number)
		return tn_number_compare(&o->number, &l->number);
	if (o->text)
		return compare_text(o->text, o->n, l->text, l->n);
	/* true and false of booleans */
	if (o->is_number && !o->labels && !l->is_number &&
	    (strcmp(l->text, "true") == 0 || strcmp(l->text, "false") == 0))
		return (o->number.magnitude != 0) - (l->text[0] == 't');
	return 2;
}

static bool
equals(const struct operand *o, const struct tn_literal *l)
{
	if (o->labels && !l->is_number) {
		for (size_t i = 0; i < o->labels->n_mappings; i++) {
			const struct tn_mapping *m = &o->labels->mapping[i];

			if (strlen(m->label) == l->n && memcmp(m->label, l->text, l->n) == 0 &&
			    tn_mapping_has(o->labels, m, o->value))
				return true;
		}
		return false;
	}
	return compare(o, l) == 0;
}

/* Room for regular expressions, and what went wrong with one. */
struct trial {
	struct tn_regex_room *room;
	enum tn_code code;
	struct tn_error *err;
};

static bool
matches_text(struct trial *trial, const struct tn_regex *regex, const char *text, size_t n)
{
	bool matched = false;

	if (trial->code == TN_OK)
		trial->code = tn_regex_match(regex, trial->room, text, n, &matched, trial->err);
	return matched;
}

static bool
matches(const struct operand *o, const struct tn_regex *regex, struct trial *trial)
{
	char digits[64];
	int n;

	if (o->text)
		return matches_text(trial, regex, o->text, o->n);
	for (size_t i = 0; o->labels && i < o->labels->n_mappings; i++) {
		const struct tn_mapping *m = &o->labels->mapping[i];

		if (tn_mapping_has(o->labels, m, o->value) && matches_text(trial, regex, m->label, strlen(m->label)))
			return true;
	}
	if (!o->is_number || o->labels)
		return false;
	if (o->number.is_float)
		n = snprintf(digits, sizeof digits, "%g", o->number.f);
	else
		n = snprintf(digits, sizeof digits, "%s%" PRIu64, o->number.is_negative ? "-" : "", o->number.magnitude);
	return matches_text(trial, regex, digits, (size_t)n);
}

static bool
is_in(const struct operand *o, const struct tn_node *leaf)
{
	for (size_t i = 0; i < leaf->n_items; i++) {
		const struct tn_item *item = &leaf->item[i];
		int low, high;

		if (equals(o, &item->low) || equals(o, &item->high))
			return true;
		low = compare(o, &item->low);
		high = compare(o, &item->high);
		if (low == 1 && high == -1)
			return true;
	}
	return false;
}

static bool
test(const struct tn_node *leaf, const struct operand *o, struct trial *trial)
{
	int order;

	switch (leaf->kind) {
	case TN_NODE_HAS:
		return o->is_number ? o->number.is_float ? o->number.f != 0 : o->number.magnitude != 0 : o->n > 0;
	case TN_NODE_EQUAL:
		return equals(o, &leaf->item->low);
	case TN_NODE_DIFFERENT:
		return !equals(o, &leaf->item->low);
	case TN_NODE_MATCH:
		return matches(o, leaf->regex, trial);
	case TN_NODE_NO_MATCH:
		return !matches(o, leaf->regex, trial);
	case TN_NODE_IN:
		return is_in(o, leaf);
	default:
		break;
	}
	order = compare(o, &leaf->item->low);
	if (order == 2)
		return false;
	switch (leaf->kind) {
	case TN_NODE_LESS: return order < 0;
	case TN_NODE_LESS_EQUAL: return order <= 0;
	case TN_NODE_GREATER: return order > 0;
	default: return order >= 0;
	}
}

/* ---- subjects that are not fields ---- */

static struct operand
text_operand(const char *text)
{
	return (struct operand) { .text = text, .n = strlen(text) };
}

static bool
test_log_level(const struct tn_node *leaf, int level, struct trial *trial)
{
	struct operand o = { .is_number = true, .number = number_of_i64(level) };
	const char *name = tn_log_level_name(level);

	if (level < 0)
		return false;
	if (leaf->regex) {
		o = text_operand(name ? name : "");
		return test(leaf, &o, trial);
	}
	return leaf->kind == TN_NODE_HAS || test(leaf, &o, trial);
}

static bool
test_stream(const struct tn_node *leaf, const struct tn_stream *s, struct trial *trial)
{
	struct operand o = { .is_number = true, .number = { .magnitude = s->id } };

	if (leaf->regex || (leaf->item && !leaf->item->low.is_number) || leaf->kind == TN_NODE_HAS)
		o = text_operand(s->name ? s->name : "");
	return test(leaf, &o, trial);
}

/* ---- fields ---- */

static bool
is_cpu(const struct tn_field *f)
{
	return f->type->roles & TN_ROLE_CPU_ID || strcmp(f->label, "cpu_id") == 0;
}

static const struct tn_value *
find_value(const struct tn_node *leaf, const struct lookup *lookup, const struct tn_event *e)
{
	const struct tn_value *root, *v;

	if (!lookup->field)
		return tn_event_find(e, leaf->path);
	root = tn_event_scope(e, lookup->scope);
	for (v = root ? tn_value_first(root) : NULL; v && v->field != lookup->field; v = tn_value_after(root, v))
		;
	return v;
}

static bool
test_field(const struct tn_node *leaf, const struct lookup *lookup, const struct tn_event *e, struct trial *trial)
{
	const struct tn_value *v = lookup->possible ? find_value(leaf, lookup, e) : NULL;
	struct operand o;

	while (v && (v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL))
		v = tn_value_first(v);
	if (!v)
		return false;
	if (!value_operand(v, &o))	/* a compound: there, or not */
		return leaf->kind == TN_NODE_HAS && v->next > 1;
	return test(leaf, &o, trial);
}

/* ---- verdicts ---- */

/* What can be said of a leaf without an event, and @s, which may be NULL too. */
static enum tn_verdict
judge_leaf(const struct tn_node *leaf, const struct lookup *lookup, const struct tn_event_class *ec,
	   struct trial *trial)
{
	struct operand o;

	switch (leaf->subject) {
	case TN_SUBJECT_NAME:
		if (!ec->name)
			return TN_VERDICT_OPEN;	/* its events may have names of their own */
		o = text_operand(ec->name);
		return test(leaf, &o, trial) ? TN_VERDICT_YES : TN_VERDICT_NO;
	case TN_SUBJECT_LOG_LEVEL:
		return test_log_level(leaf, ec->log_level, trial) ? TN_VERDICT_YES : TN_VERDICT_NO;
	case TN_SUBJECT_STREAM:
		return TN_VERDICT_OPEN;
	default:
		return lookup->possible ? TN_VERDICT_OPEN : TN_VERDICT_NO;
	}
}

static enum tn_verdict
judge(const struct tn_node *node, const struct lookup *lookup, const struct tn_event_class *ec, struct trial *trial)
{
	enum tn_verdict a, b;

	if (node->kind == TN_NODE_NOT) {
		a = judge(node->a, lookup, ec, trial);
		return a == TN_VERDICT_OPEN ? a : a == TN_VERDICT_YES ? TN_VERDICT_NO : TN_VERDICT_YES;
	}
	if (node->kind != TN_NODE_AND && node->kind != TN_NODE_OR)
		return judge_leaf(node, &lookup[node->number], ec, trial);
	a = judge(node->a, lookup, ec, trial);
	b = judge(node->b, lookup, ec, trial);
	if (a == b)
		return a;
	if (node->kind == TN_NODE_AND)
		return a == TN_VERDICT_NO || b == TN_VERDICT_NO ? TN_VERDICT_NO : TN_VERDICT_OPEN;
	return a == TN_VERDICT_YES || b == TN_VERDICT_YES ? TN_VERDICT_YES : TN_VERDICT_OPEN;
}

/* ---- looking leaves up in classes ---- */

static bool
is_named(const struct tn_field *f, const char *name, size_t n)
{
	return (strlen(f->name) == n && memcmp(f->name, name, n) == 0) ||
	       (strlen(f->label) == n && memcmp(f->label, name, n) == 0);
}

/* Whether a field of that name is anywhere below. */
static bool
has_below(const struct tn_field *root, const char *name, size_t n)
{
	const struct tn_type *t = root->type;

	for (size_t i = 0; i < t->n_fields; i++)
		if (is_named(&t->field[i], name, n) || has_below(&t->field[i], name, n))
			return true;
	return false;
}

/* A direct member of a structure, by the leaf's path or by its role. */
static const struct tn_field *
member(const struct tn_field *root, const struct tn_node *leaf)
{
	size_t n = strlen(leaf->path);

	if (root->type->kind != TN_KIND_STRUCT)
		return NULL;
	for (size_t i = 0; i < root->type->n_fields; i++) {
		const struct tn_field *f = &root->type->field[i];

		if (leaf->subject == TN_SUBJECT_CPU ? is_cpu(f) : is_named(f, leaf->path, n))
			return f;
	}
	return NULL;
}

static void
look_up_whole(const struct tn_node *leaf, const struct tn_event_class *ec, struct lookup *out)
{
	for (unsigned s = 0; s < TN_SCOPES; s++) {
		const char *scope = tn_scope_name((enum tn_scope)s);
		size_t n = strlen(scope);

		if (strncmp(leaf->path, scope, n) != 0 || (leaf->path[n] && !strchr(".[", leaf->path[n])))
			continue;
		out->possible = tn_event_class_scope(ec, (enum tn_scope)s);
		out->scopes = TN_SCOPE_BIT(s);
		return;
	}
}

static void
look_up(const struct tn_node *leaf, const struct tn_event_class *ec, struct lookup *out)
{
	static const enum tn_scope order[] = {
		TN_SCOPE_PAYLOAD, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_PACKET_CONTEXT,
	};
	size_t n = strcspn(leaf->path, ".[");

	*out = (struct lookup) { 0 };
	if (leaf->subject != TN_SUBJECT_FIELD && leaf->subject != TN_SUBJECT_CPU)
		return;
	look_up_whole(leaf, ec, out);
	if (out->scopes)
		return;
	for (size_t i = 0; i < TN_COUNT(order); i++) {
		enum tn_scope scope = leaf->subject == TN_SUBJECT_CPU ? order[TN_COUNT(order) - 1 - i] : order[i];
		const struct tn_field *root = tn_event_class_scope(ec, scope);

		if (!root)
			continue;
		if (!out->possible && leaf->path[n] == '\0' && (out->field = member(root, leaf))) {
			out->possible = true;
			out->scope = scope;
			out->scopes = TN_SCOPE_BIT(scope);
			return;
		}
		if (leaf->subject == TN_SUBJECT_FIELD && has_below(root, leaf->path, n)) {
			out->possible = true;
			out->scopes |= TN_SCOPE_BIT(scope);
		}
	}
}

static enum tn_code
look_up_all(struct tn_expression *e, const char *text, struct tn_error *err)
{
	struct tn_regex_room room = { 0 };
	struct trial trial = { .room = &room, .err = err };

	for (const struct tn_node *leaf = e->tree.leaves; leaf; leaf = leaf->next) {
		bool somewhere = leaf->subject != TN_SUBJECT_FIELD || e->n_classes == 0;

		for (size_t t = 0, c = 0; t < e->n_traces; t++)
			for (size_t i = 0; i < e->trace[t]->n_event_classes; i++, c++) {
				struct lookup *lookup = &e->lookup[c * e->tree.n_leaves + leaf->number];

				look_up(leaf, e->trace[t]->event_class[i], lookup);
				somewhere |= lookup->possible;
			}
		if (!somewhere)
			return tn_fail(err, TN_ERR_ARGUMENT, "expression '%s', column %zu: no event has a field '%s'",
				       text, leaf->column, leaf->path);
	}
	for (size_t t = 0, c = 0; t < e->n_traces; t++)
		for (size_t i = 0; i < e->trace[t]->n_event_classes; i++, c++) {
			const struct lookup *lookup = &e->lookup[c * e->tree.n_leaves];

			e->verdict[c].verdict = judge(e->tree.root, lookup, e->trace[t]->event_class[i], &trial);
			for (size_t k = 0; k < e->tree.n_leaves; k++)
				e->verdict[c].scopes |= lookup[k].scopes;
		}
	tn_regex_room_release(&room);
	return trial.code;
}

static bool
make_room(struct tn_expression *e, const struct tn_set *set)
{
	struct tn_arena *a = &e->tree.arena;

	e->n_traces = set->n_traces;
	e->trace = TN_NEW_ARRAY(a, set->n_traces + 1, const struct tn_trace *);
	e->first_of_trace = TN_NEW_ARRAY(a, set->n_traces + 1, size_t);
	e->first_class = TN_NEW_ARRAY(a, set->n_streams + 1, size_t);
	if (!e->trace || !e->first_of_trace || !e->first_class)
		return false;
	for (size_t t = 0; t < set->n_traces; t++) {
		e->trace[t] = set->trace[t];
		e->first_of_trace[t] = e->n_classes;
		for (size_t s = 0; s < set->n_streams; s++)
			if (set->stream[s]->trace == set->trace[t])
				e->first_class[s] = e->n_classes;
		e->n_classes += set->trace[t]->n_event_classes;
	}
	e->lookup = TN_NEW_ARRAY(a, e->n_classes * e->tree.n_leaves + 1, struct lookup);
	e->verdict = TN_NEW_ARRAY(a, e->n_classes + 1, struct verdict);
	return e->lookup && e->verdict;
}

enum tn_code
tn_expression_new(struct tn_expression **out, const struct tn_set *set, const char *text, struct tn_error *err)
{
	struct tn_expression *e = calloc(1, sizeof *e);
	enum tn_code rc;

	*out = NULL;
	if (!e)
		return tn_fail_memory(err);
	rc = tn_tree_parse(&e->tree, text, err);
	if (rc == TN_OK)
		rc = make_room(e, set) ? look_up_all(e, text, err) : tn_fail_memory(err);
	if (rc < 0) {
		tn_expression_free(e);
		return rc;
	}
	*out = e;
	return TN_OK;
}

void
tn_expression_free(struct tn_expression *e)
{
	if (!e)
		return;
	tn_tree_release(&e->tree);
	free(e);
}

enum tn_verdict
tn_expression_verdict(const struct tn_expression *e, const struct tn_event_class *ec)
{
	for (size_t t = 0; t < e->n_traces; t++)
		if (e->trace[t] == ec->stream_class->trace)
			return e->verdict[e->first_of_trace[t] + ec->index].verdict;
	return TN_VERDICT_OPEN;
}

/* ---- matching ---- */

struct subject {
	const struct tn_event *event;
	const struct tn_event_class *event_class;
	const struct tn_stream *stream;
	const struct lookup *lookup;
	struct trial *trial;
};

static bool
match_leaf(const struct tn_node *leaf, const struct subject *s)
{
	struct trial *trial = s->trial;
	struct operand o;

	switch (leaf->subject) {
	case TN_SUBJECT_NAME:
		o = text_operand(s->event->name ? s->event->name : "");
		return test(leaf, &o, trial);
	case TN_SUBJECT_LOG_LEVEL:
		return test_log_level(leaf, s->event_class->log_level, trial);
	case TN_SUBJECT_STREAM:
		return test_stream(leaf, s->stream, trial);
	default:
		return test_field(leaf, &s->lookup[leaf->number], s->event, trial);
	}
}

static bool
match_node(const struct tn_node *node, const struct subject *s)
{
	switch (node->kind) {
	case TN_NODE_OR:
		return match_node(node->a, s) || match_node(node->b, s);
	case TN_NODE_AND:
		return match_node(node->a, s) && match_node(node->b, s);
	case TN_NODE_NOT:
		return !match_node(node->a, s);
	default:
		return match_leaf(node, s);
	}
}

enum tn_code
tn_expression_match(const struct tn_expression *e, struct tn_event *event, struct tn_regex_room *room,
		    const struct tn_batch *batch, size_t row, bool *pass, struct tn_error *err)
{
	const struct tn_ref *ref = &batch->refs.item[row];
	size_t class = e->first_class[batch->stream->rank] + ref->event_class;
	const struct verdict *verdict = &e->verdict[class];
	struct trial trial = { .room = room, .err = err };
	struct subject s = {
		.event = event, .trial = &trial, .stream = batch->stream,
		.event_class = batch->stream->trace->event_class[ref->event_class],
		.lookup = &e->lookup[class * e->tree.n_leaves],
	};
	enum tn_code rc;

	*pass = verdict->verdict == TN_VERDICT_YES;
	if (verdict->verdict != TN_VERDICT_OPEN)
		return TN_OK;
	rc = batch->stream->trace->ops->read(batch, row, verdict->scopes, event, err);
	if (rc == TN_OK)
		*pass = match_node(e->tree.root, &s);
	return rc == TN_OK ? trial.code : rc;
}
