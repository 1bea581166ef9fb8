/* spans.c - definitions of spans, and finding begin and end events in a batch */
#include "span/spans.h"
#include "span/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"

/* ---- definitions ---- */

enum tn_code
tn_spans_new(struct tn_spans **out, struct tn_set *set, struct tn_error *err)
{
	struct tn_spans *s;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set)
		return tn_fail_null(err);
	s = calloc(1, sizeof *s);
	if (!s)
		return tn_fail_memory(err);
	s->set = set;
	s->seed = tn_hash_seed();
	rc = tn_classes_init(&s->classes, set, err);
	if (rc == TN_OK)
		rc = tn_names_new(&s->names, set, NULL, err);
	if (rc == TN_OK && (!(s->some = calloc(s->classes.n + 1, sizeof *s->some)) ||
			    !(s->roles = calloc(s->classes.n + 1, sizeof *s->roles))))
		rc = tn_fail_memory(err);
	if (rc < 0) {
		tn_spans_free(s);
		return rc;
	}
	*out = s;
	return TN_OK;
}

void
tn_spans_free(struct tn_spans *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->definition.n; i++)
		tn_span_definition_release(&s->definition.item[i]);
	for (size_t c = 0; s->roles && c < s->classes.n; c++) {
		for (size_t i = 0; i < s->roles[c].role.n; i++)
			free(s->roles[c].role.item[i].place);
		TN_ARRAY_RELEASE(&s->roles[c].role);
	}
	free(s->roles);
	TN_ARRAY_RELEASE(&s->definition);
	tn_classes_release(&s->classes);
	tn_names_free(s->names);
	tn_span_where_free(s->where);
	free(s->where_text);
	free(s->some);
	free(s);
}

/* Whether the value follows from a number at a known position, or from the packet. */
static bool
add_near(struct tn_span_role *role, const struct tn_take_place *at)
{
	const struct tn_place *place = at->place;

	if (at->other)
		return false;
	if (!place || at->is_constant || place->way == TN_PLACE_PACKET)
		return true;
	for (size_t i = 0; i < role->n_near; i++)
		if (place->way == TN_PLACE_FIXED && role->near[i]->field == place->field)
			return true;
	if (place->way != TN_PLACE_FIXED || !place->reach.load || role->n_near == TN_SPAN_NEAR)
		return false;
	role->near[role->n_near++] = place;
	return true;
}

static void
find_near(struct tn_span_role *role, size_t n_keys, size_t n_captures)
{
	uint8_t n;

	role->is_near = role->has_near_captures = true;
	for (size_t i = 0; i < n_keys; i++)
		role->is_near &= add_near(role, &role->place[i]);
	n = role->n_near;
	for (size_t i = 0; i < n_captures; i++)
		role->has_near_captures &= add_near(role, &role->place[n_keys + i]);
	if (!role->has_near_captures)
		role->n_near = n;
}

/* Find the values of a begin or end event in events of the class. */
static enum tn_code
add_role(struct tn_spans *s, size_t class, size_t definition, bool is_end, struct tn_error *err)
{
	const struct tn_span_definition *d = &s->definition.item[definition];
	enum tn_verdict verdict = (enum tn_verdict)(is_end ? d->end : d->begin).verdict[class];
	const struct tn_take *key = is_end ? d->end_key.item : d->begin_key.item;
	struct tn_span_role *role;
	enum tn_code rc = TN_OK;

	if (verdict == TN_VERDICT_NO)
		return TN_OK;
	role = TN_ARRAY_ADD(&s->roles[class].role);
	if (!role)
		return tn_fail_memory(err);
	*role = (struct tn_span_role) {
		.definition = (uint32_t)definition, .is_end = is_end, .is_sure = verdict == TN_VERDICT_YES,
		.space = tn_span_space(d, is_end ? &d->end : &d->begin, class),
		.is_whole = !is_end && d->whole && d->whole[class],
		.place = calloc(d->begin_key.n + d->captures.n + 1, sizeof *role->place),
	};
	if (!role->place)
		return tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < d->begin_key.n; i++)
		rc = tn_take_find(&key[i], class, &role->place[i], err);
	for (size_t i = 0; rc == TN_OK && i < d->captures.n; i++) {
		const struct tn_capture *c = &d->captures.item[i];

		if (role->is_whole || (is_end ? c->of_end : c->of_begin))
			rc = tn_take_find(&c->take, class, &role->place[d->begin_key.n + i], err);
	}
	if (rc == TN_OK)
		find_near(role, d->begin_key.n, d->captures.n);
	if (rc == TN_OK && role->is_whole)
		rc = tn_take_find(&d->duration, class, &role->place[d->begin_key.n + d->captures.n], err);
	return rc;
}

static void
drop_roles(struct tn_spans *s, size_t definition)
{
	for (size_t c = 0; c < s->classes.n; c++)
		while (s->roles[c].role.n && s->roles[c].role.item[s->roles[c].role.n - 1].definition == definition)
			free(s->roles[c].role.item[--s->roles[c].role.n].place);
}

static enum tn_code
add_one(struct tn_spans *s, const char *text, struct tn_error *err)
{
	struct tn_span_definition *d;
	enum tn_code rc;

	if (s->definition.n == TN_SPANS_MOST)
		return tn_fail(err, TN_ERR_ARGUMENT, "more than %u definitions", TN_SPANS_MOST);
	d = TN_ARRAY_ADD(&s->definition);
	if (!d)
		return tn_fail_memory(err);
	rc = tn_span_read(d, s, text, err);
	if (rc < 0) {
		s->definition.n--;
		return rc;
	}
	if (s->definition.n > 1)
		d->space = d[-1].space + d[-1].n_spaces;
	if (d->n_spaces > UINT32_MAX - d->space)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': the definitions have more than 4294967295 names of spans", text);
	if (rc == TN_OK && !(d->text = strdup(text)))
		rc = tn_fail_memory(err);
	for (size_t c = 0; rc == TN_OK && c < s->classes.n; c++) {
		rc = add_role(s, c, s->definition.n - 1, true, err);
		if (rc == TN_OK)
			rc = add_role(s, c, s->definition.n - 1, false, err);
	}
	if (rc < 0) {
		drop_roles(s, s->definition.n - 1);
		tn_span_definition_release(d);
		s->definition.n--;
		return rc;
	}
	for (size_t c = 0; rc == TN_OK && c < s->classes.n; c++)
		s->some[c] |= d->begin.verdict[c] != TN_VERDICT_NO || d->end.verdict[c] != TN_VERDICT_NO;
	return rc;
}

/* Add a definition "@KIND", with the clauses, for each kind of spans that the formats know. */
static enum tn_code
add_kinds(struct tn_spans *s, const char *clauses, struct tn_error *err)
{
	const struct tn_span_kind *kind = tn_span_kind(s, 0);
	enum tn_code rc = TN_OK;

	if (!kind)
		return tn_fail(err, TN_ERR_ARGUMENT, "'@': these traces define no spans: write BEGIN END by KEY");
	for (size_t i = 0; rc == TN_OK && (kind = tn_span_kind(s, i)); i++) {
		struct tn_str text = { 0 };

		tn_str_printf(&text, "@%s%s", kind->name, clauses);
		rc = text.failed ? tn_fail_memory(err) : add_one(s, tn_str_text(&text), err);
		tn_str_release(&text);
	}
	return rc;
}

enum tn_code
tn_spans_add(struct tn_spans *s, const char *text, struct tn_error *err)
{
	const char *at = text;

	if (!s || !text)
		return tn_fail_null(err);
	while (isspace((unsigned char)*at))
		at++;
	if (*at == '@' && (!at[1] || isspace((unsigned char)at[1])))
		return add_kinds(s, at + 1, err);
	return add_one(s, text, err);
}

enum tn_code
tn_spans_add_meant(struct tn_spans *s, const char *definition, const char *typed, struct tn_error *err)
{
	struct tn_error inner = { 0 };
	enum tn_code rc = tn_spans_add(s, definition, &inner);

	return rc == TN_OK ? rc : tn_fail(err, rc, "'%s': %s", typed, tn_error_reason(&inner, definition));
}

enum tn_code
tn_spans_add_question(struct tn_spans *s, const char *definitions, struct tn_error *err)
{
	static const char other[] = "else ";
	const char *first = definitions ? strstr(definitions, " by ") : NULL;
	enum tn_code rc = TN_OK, some = TN_ERR_ARGUMENT;
	char *copy, *rest;
	bool had = false;

	if (!s || !definitions)
		return tn_fail_null(err);
	copy = rest = tn_words_definitions(s->set, definitions);
	if (!copy)
		return tn_fail_memory(err);
	for (char *line; rc != TN_ERR_MEMORY && (line = strsep(&rest, "\n"));) {
		bool is_other = strncmp(line, other, sizeof other - 1) == 0;

		if (is_other && had)
			continue;
		rc = tn_spans_add(s, line + (is_other ? sizeof other - 1 : 0), err);
		had = rc == TN_OK;
		some = had ? TN_OK : some;
	}
	free(copy);
	if (rc == TN_ERR_ARGUMENT && some != TN_OK && strchr(definitions, '\n'))
		return tn_fail(err, rc, "the traces do not have the events of this question, such as '%.*s'",
			       (int)((first ? first : strchr(definitions, '\n')) - definitions), definitions);
	return rc == TN_ERR_MEMORY ? rc : some;
}

enum tn_code
tn_spans_where(struct tn_spans *s, const char *condition, struct tn_error *err)
{
	struct tn_span_where *where;
	enum tn_code rc;

	if (!s || !condition)
		return tn_fail_null(err);
	rc = tn_span_where_new(&where, s, NULL, condition, err);
	if (rc < 0)
		return rc;
	tn_span_where_free(s->where);
	s->where = where;
	free(s->where_text);
	s->where_text = strdup(condition);
	if (!s->where_text)
		return tn_fail_memory(err);
	return TN_OK;
}

size_t
tn_spans_count(const struct tn_spans *s)
{
	return s ? s->definition.n : 0;
}

/* ---- records, which the threads make ---- */

static struct tn_span_record *
add_record(struct tn_record_buffer *out, const struct tn_batch *b, size_t row, enum tn_span_record_kind kind, size_t words)
{
	struct tn_span_record *t = (struct tn_span_record *)(void *)tn_record_add(out, b, row, sizeof *t + 8 * words);

	if (!t)
		return NULL;
	t->record.kind = kind;
	t->has_time = b->stream->stream_class->clock != NULL;
	t->time_ns = 0;
	t->class = 0;
	t->definition = 0;
	t->key_words = t->captured_words = 0;
	memset(t->own, 0, sizeof t->own);
	t->duration_ns = 0;
	return t;
}

/* A recent key, and its record. */
struct known {
	const struct tn_span_role *role;	/* the role whose numbers decide the key; NULL: compare the words */
	uint64_t value[TN_SPAN_NEAR];	/* these numbers; or the hash of the words */
	const struct tn_stream *stream;	/* a key may have values that are constant in its stream and packet */
	size_t packet;
	size_t at;		/* position of the record */
	uint32_t piece;		/* number of the piece with the record; keys of other pieces cannot be used */
	uint32_t space;
	uint8_t n;
};

#define KNOWN_BITS 12

/* The recent keys of a thread in its piece. */
struct knowns {
	uint32_t piece;
	struct known known[1 << KNOWN_BITS];
};

/* The current event. */
struct event {
	const struct tn_spans *spans;
	const struct tn_batch *batch;
	size_t row, class;
	struct tn_piece_reader *reader;
	struct tn_record_buffer *out;
	bool has_time;		/* events of the stream have times */
	bool is_prepared;	/* the machine is prepared for the packet */
	struct knowns *knowns;
};

/* Pack the key as words: definition and trace, then the values. TN_END: the event does not have the key. */
static enum tn_code
pack_key(const struct event *e, const struct tn_span_role *role, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[role->definition];
	const struct tn_take *key = role->is_end ? d->end_key.item : d->begin_key.item;
	struct tn_words_out *out = &e->reader->words;
	struct tn_answer_value v;

	if (!TN_ARRAY_RESERVE(out, 1))
		return tn_fail_memory(err);
	out->item[0] = tn_spans_origin(e->spans, d, role->space, e->batch->stream->rank);
	out->n = 1;
	for (size_t i = 0; i < d->begin_key.n; i++) {
		enum tn_code rc = tn_take_get(&key[i], &role->place[i], &e->reader->row, &v, err);

		if (rc < 0)
			return rc;
		if (v.kind == TN_ANSWER_NONE)
			return TN_END;
		if (!tn_pack(out, &v, false))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* Pack the values to show that come from this event; NONE if the event does not have a value. */
static enum tn_code
pack_captured(const struct event *e, const struct tn_span_definition *d, const struct tn_span_role *role, struct tn_error *err)
{
	for (size_t i = 0; i < d->captures.n; i++) {
		const struct tn_take_place *at = &role->place[d->begin_key.n + i];
		struct tn_answer_value v = { 0 };
		enum tn_code rc = TN_OK;

		if (at->place)
			rc = tn_take_get(&d->captures.item[i].take, at, &e->reader->row, &v, err);
		if (rc < 0)
			return rc;
		if (!tn_pack(&e->reader->words, &v, true))
			return tn_fail_memory(err);
	}
	return TN_OK;
}

/* ---- recent keys ---- */

static struct known *
known_at(struct event *e, const struct known *key)
{
	uint64_t mixed = (uintptr_t)key->role >> 4 ^ (uint64_t)key->space << 32;

	for (size_t i = 0; i < key->n; i++)
		mixed = (mixed * UINT64_C(0x9e3779b97f4a7c15)) ^ key->value[i];
	mixed *= UINT64_C(0x9e3779b97f4a7c15);
	return &e->knowns->known[mixed >> (64 - KNOWN_BITS)];
}

/* Get the numbers that decide the key. False: only its words identify it. */
static bool
is_known(struct event *e, const struct tn_span_role *role, struct known *key)
{
	struct tn_row_state *row = &e->reader->row;
	struct tn_cell cell;

	*key = (struct known) {
		.piece = e->knowns->piece, .stream = e->batch->stream, .packet = e->batch->packet,
		.role = role, .space = role->space, .n = role->n_near,
	};
	if (!role->is_near || row->values_only)
		return false;
	if (!role->n_near)
		return true;
	if (!e->is_prepared && !(e->is_prepared = tn_row_prepare(row, e->batch)))
		return false;
	if (!tn_row_after_prepared(row))
		return false;
	for (size_t i = 0; i < role->n_near; i++) {
		const struct tn_reach *reach = &role->near[i]->reach;

		if (tn_reach_key(reach, &row->m, &key->value[i]))
			continue;
		if (!tn_reach_load(reach, &row->m, role->near[i]->field, &cell))
			return false;
		if (cell.kind == TN_CELL_UNSIGNED || cell.kind == TN_CELL_SIGNED)
			key->value[i] = cell.u;
		else if (reach->load->code == TN_OP_STRING_LOOKUP)
			key->value[i] = (uintptr_t)cell.text;	/* equal texts have one address */
		else
			return false;
	}
	return true;
}

static struct tn_span_record *
record_at(const struct event *e, size_t at)
{
	return (struct tn_span_record *)(void *)(e->out->bytes + at);
}

/* Whether the key that was packed is the recent one; its words decide. */
static inline bool
is_same(const struct event *e, const struct known *known, const struct known *key, size_t key_words)
{
	const struct tn_span_record *t;

	if (known->piece != key->piece || known->stream != key->stream || known->packet != key->packet ||
	    known->role != key->role || known->space != key->space)
		return false;
	for (size_t i = 0; i < key->n; i++)
		if (known->value[i] != key->value[i])
			return false;
	if (key->role)
		return true;
	t = record_at(e, known->at);
	return t->key_words == key_words && memcmp(t + 1, e->reader->words.item, 8 * key_words) == 0;
}

/* ---- records ---- */

/* Add a record that refers to the key of the record at @at, with its own fields to show if needed. */
static enum tn_code
take_again(struct event *e, const struct tn_span_role *role, size_t at, bool is_same_in_captures, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[role->definition];
	const struct tn_words_out *words = &e->reader->words;
	size_t n = 0;
	struct tn_span_record_again *t;

	if (d->captures.n && !is_same_in_captures) {
		enum tn_code rc;

		e->reader->words.n = 0;
		rc = pack_captured(e, d, role, err);
		if (rc < 0)
			return rc;
		n = words->n;
	}
	t = (struct tn_span_record_again *)(void *)tn_record_add(e->out, e->batch, e->row, sizeof *t + 8 * n);
	if (!t)
		return tn_fail_memory(err);
	t->record.kind = role->is_end ? TN_SPAN_RECORD_END_AGAIN : TN_SPAN_RECORD_BEGIN_AGAIN;
	t->time_ns = !e->has_time ? 0 : e->batch->cycles ? tn_batch_time(e->batch, e->row) : t->record.key_ns;
	t->class = (uint32_t)e->class;
	t->back = (uint32_t)((size_t)((uint8_t *)t - e->out->bytes) - at);
	if (n)
		memcpy(t + 1, words->item, 8 * n);
	return TN_OK;
}

/* Add a record with its own key, whose words are already packed. */
static enum tn_code
take_with_key(struct event *e, const struct tn_span_role *role, uint64_t hash, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[role->definition];
	const struct tn_words_out *words = &e->reader->words;
	size_t key_words = words->n;
	struct tn_span_record *t;
	enum tn_code rc = d->captures.n ? pack_captured(e, d, role, err) : TN_OK;

	if (rc < 0)
		return rc;
	t = add_record(e->out, e->batch, e->row, role->is_end ? TN_SPAN_RECORD_END : TN_SPAN_RECORD_BEGIN, words->n);
	if (!t)
		return tn_fail_memory(err);
	if (t->has_time)
		t->time_ns = tn_batch_time(e->batch, e->row);
	t->class = (uint32_t)e->class;
	t->definition = role->definition;
	t->key_words = (uint32_t)key_words;
	t->captured_words = (uint32_t)(words->n - key_words);
	t->hash = hash;
	memcpy(t + 1, words->item, 8 * words->n);
	return TN_OK;
}

/* The event is a span, whose end follows from its duration. If the duration is missing, so is the end. */
static enum tn_code
take_duration(struct event *e, const struct tn_span_role *role, struct tn_span_record *t, struct tn_error *err)
{
	const struct tn_span_definition *d = &e->spans->definition.item[role->definition];
	const struct tn_take_place *at = &role->place[d->begin_key.n + d->captures.n];
	struct tn_answer_value v = { 0 };
	int64_t key_end, end;
	enum tn_code rc = tn_take_get(&d->duration, at, &e->reader->row, &v, err);

	if (rc < 0)
		return rc;
	t->record.kind = TN_SPAN_RECORD_WHOLE;
	if (v.kind == TN_ANSWER_UINT && v.is.u <= INT64_MAX)
		t->duration_ns = (int64_t)v.is.u;
	if (__builtin_add_overflow(t->record.key_ns, t->duration_ns, &key_end) ||
	    __builtin_add_overflow(t->time_ns, t->duration_ns, &end))
		t->duration_ns = 0;
	return TN_OK;
}

static enum tn_code
take_out(struct event *e, const struct tn_span_role *role, struct tn_error *err)
{
	const struct tn_words_out *words = &e->reader->words;
	bool again = e->out->n < UINT32_MAX && !role->is_whole;
	size_t at = e->out->n;
	struct known key, *known = NULL;
	uint64_t hash;
	enum tn_code rc;

	if (again && is_known(e, role, &key)) {
		known = known_at(e, &key);
		if (is_same(e, known, &key, 0))
			return take_again(e, role, known->at, role->has_near_captures, err);
	}
	rc = pack_key(e, role, err);
	if (rc == TN_END)
		return add_record(e->out, e->batch, e->row, TN_SPAN_RECORD_NO_KEY, 0) ? TN_OK : tn_fail_memory(err);
	if (rc < 0)
		return rc;
	hash = tn_hash_of(e->spans->seed, words->item, 8 * words->n);
	if (again && !known) {
		key = (struct known) {
			.piece = e->knowns->piece, .stream = e->batch->stream, .packet = e->batch->packet,
			.space = role->space, .n = 1, .value = { hash },
		};
		known = known_at(e, &key);
		if (is_same(e, known, &key, words->n))
			return take_again(e, role, known->at, false, err);
	}
	rc = take_with_key(e, role, hash, err);
	if (rc == TN_OK && role->is_whole)
		return take_duration(e, role, record_at(e, at), err);
	if (rc == TN_OK && known) {
		*known = key;
		known->at = at;
	}
	return rc;
}

/* Whether @pick selects the event, if its class does not decide this. */
static enum tn_code
is_meant(struct event *e, const struct tn_pick *pick, bool *meant, struct tn_error *err)
{
	return tn_expression_match(pick->expression, &e->reader->filter.expression, e->batch, e->row, NULL, 0, meant, err);
}

/* Add the records of an event. An event may end a span and begin the next one. */
static enum tn_code
look_at_event(struct event *e, struct tn_error *err)
{
	const struct tn_span_roles *roles = &e->spans->roles[e->class];
	enum tn_code rc = TN_OK;

	for (size_t i = 0; rc == TN_OK && i < roles->role.n; i++) {
		const struct tn_span_role *role = &roles->role.item[i];
		const struct tn_span_definition *d = &e->spans->definition.item[role->definition];
		bool meant = role->is_sure;

		if (!meant)
			rc = is_meant(e, role->is_end ? &d->end : &d->begin, &meant, err);
		if (rc == TN_OK && meant)
			rc = take_out(e, role, err);
	}
	return rc;
}

/* Add an event whose class may be selected, or a notice. */
static enum tn_code
look_at_row(struct event *e, const struct tn_scan_options *o, struct tn_error *err)
{
	const struct tn_spans *spans = e->spans;
	const struct tn_batch *b = e->batch;
	const struct tn_ref *ref = &b->refs.item[e->row];
	enum tn_code rc;
	bool pass;

	if (ref->event_class == TN_REF_NOTICE)
		/* Losses with a range come from the index (losses.h). */
		return b->notices.item[ref->bit].has_range || add_record(e->out, b, e->row, TN_SPAN_RECORD_LOSS, 0)
		       ? TN_OK : tn_fail_memory(err);
	rc = tn_piece_passes(o, e->reader, b, e->row, &pass, err);
	e->class = tn_class_of(&spans->classes, b, e->row);
	tn_row_at(&e->reader->row, b, e->row);
	if (rc == TN_OK && pass)
		rc = look_at_event(e, err);
	return rc;
}

enum tn_code
tn_span_rows(const struct tn_spans *spans, const struct tn_scan_options *o, struct tn_record_buffer *out,
	     struct tn_piece_reader *reader, const struct tn_batch *b, size_t first, size_t end, struct tn_error *err)
{
	const bool *some = spans->some + spans->classes.first[b->stream->rank];
	const struct tn_ref *refs = b->refs.item;
	struct event e = { .spans = spans, .batch = b, .reader = reader, .out = out };

	e.has_time = b->stream->stream_class->clock != NULL;
	if (!reader->own && !(reader->own = calloc(1, sizeof *e.knowns)))
		return tn_fail_memory(err);
	e.knowns = reader->own;
	if (!out->n)
		e.knowns->piece++;
	for (size_t i = first; i < end; i++) {
		enum tn_code rc;

		if (refs[i].event_class != TN_REF_NOTICE && !some[refs[i].event_class])
			continue;
		e.row = i;
		rc = look_at_row(&e, o, err);
		if (rc < 0)
			return rc;
	}
	return TN_OK;
}
