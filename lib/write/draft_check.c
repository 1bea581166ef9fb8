/* draft_check.c - check a draft when it is finished: names, and byte orders inside of bytes */
#include "write/draft_make.h"

#include <string.h>
#include <unistr.h>

#include "base/messages.h"
#include "write/encode.h"

/* ---- names ---- */

/* A name with its place, for messages. */
struct named {
	struct tn_draft *draft;
	const char *what;	/* "environment", "event", ... */
	bool in_event;		/* the type belongs to an event class, otherwise to a stream class */
	const char *owner;	/* name of this class; NULL: none */
};

static void
note(struct tn_error *to, const struct named *at, const char *name, const char *why)
{
	if (to->code != TN_OK)
		return;
	tn_fail(to, TN_ERR_UNSUPPORTED, "%s '%s': %s", _(at->what), name, _(why));
	if (at->owner)
		tn_at(to, to->code, "%s '%s'", at->in_event ? _("event") : _("stream class"), at->owner);
}

/* Check a text of any kind, because CTF 2 metadata is JSON. */
static void
check_text(const struct named *at, const char *text)
{
	if (text && u8_check((const uint8_t *)text, strlen(text)))
		note(&at->draft->no_2, at, text, N_("CTF 2 allows only UTF-8"));
}

static bool
is_identifier(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!(*c == '_' || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		      (c > name && *c >= '0' && *c <= '9')))
			return false;
	return *name != '\0';
}

/* Check a name that CTF 1.8 writes without quotes. @keywords: refuse keywords. */
static void
check_identifier(const struct named *at, const char *name, bool keywords)
{
	if (!is_identifier(name))
		note(&at->draft->no_1_8, at, name, N_("CTF 1.8 allows only letters, digits and _, and no leading digit"));
	else if (keywords && tn_tsdl_is_keyword(name))
		note(&at->draft->no_1_8, at, name, N_("a keyword of CTF 1.8"));
}

/* Check members, options and labels of all types in @f. */
static void
check_field(struct named *at, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	bool named = t->kind == TN_KIND_STRUCT || t->kind == TN_KIND_VARIANT;

	at->what = N_("label");
	for (size_t i = 0; i < t->n_mappings; i++)
		check_text(at, t->mapping[i].label);
	at->what = N_("media type");
	check_text(at, t->media_type);
	for (size_t i = 0; i < t->n_fields; i++) {
		const struct tn_field *m = &t->field[i];
		bool as_is = m->name[0] == '_' && strcmp(m->name + 1, m->label) == 0;

		at->what = N_("member");
		if (named) {
			check_text(at, m->label);
			check_identifier(at, as_is ? m->name : m->label, false);
			/* The name would get a leading underscore, but the label of the tag does not have one. */
			if (t->kind == TN_KIND_VARIANT && !as_is && (m->label[0] == '_' || tn_tsdl_is_keyword(m->label)))
				note(&at->draft->no_1_8, at, m->label,
				     N_("CTF 1.8 does not allow a keyword or a leading _ in an option"));
		}
		check_field(at, m);
	}
}

static void
check_scope(struct named *at, const struct tn_field *root)
{
	if (root)
		check_field(at, root);
}

/* Readers of CTF 1.8 recognise these members of a packet context by name. */
static void
check_context(struct named *at, const struct tn_stream_class *sc)
{
	static const char *const taken[] = {
		"timestamp_begin", "timestamp_end", "content_size", "packet_size", "packet_seq_num", "events_discarded",
	};
	const struct tn_type *t = sc->packet_context->type;

	at->what = N_("member");
	for (size_t i = tn_draft_class_of(sc)->n_own; i < t->n_fields; i++)
		for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
			if (strcmp(t->field[i].name, taken[k]) == 0)
				note(&at->draft->no_1_8, at, taken[k], N_("CTF 1.8 reserves this name for the packet"));
}

/* Check the environment: CTF 2 needs unique names. */
static bool
check_env(struct tn_draft *d, const struct tn_env *e)
{
	struct named at = { .draft = d, .what = N_("environment") };
	struct tn_draft_name *key = tn_arena_alloc(&d->trace.arena, sizeof *key);
	bool is_new = false;

	if (key)
		*key = (struct tn_draft_name) { d, e->name };
	if (!key || !tn_hash_add(&d->members, key, sizeof *key, &is_new))
		return no_memory(d);
	if (!is_new)
		return MISTAKE(d, "two entries '%s' in the environment", e->name);
	check_text(&at, e->name);
	check_identifier(&at, e->name, true);
	check_text(&at, e->is_text ? e->text : NULL);
	return true;
}

static bool
check_clock(struct tn_draft *d, size_t i)
{
	struct named at = { .draft = d, .what = N_("clock") };
	const struct tn_clock *c = d->trace.clock[i];

	for (size_t k = 0; k < i; k++)
		if (strcmp(d->trace.clock[k]->name, c->name) == 0)
			return MISTAKE(d, "two clocks '%s'", c->name);
	check_text(&at, c->name);
	check_identifier(&at, c->name, true);
	check_text(&at, c->description);
	return true;
}

/* Whether CTF 1.8 or CTF 2 can express all names. */
static bool
can_be_said(struct tn_draft *d)
{
	if (d->no_1_8.code == TN_OK || d->no_2.code == TN_OK)
		return true;
	d->error = d->no_2;
	d->error.code = TN_ERR_ARGUMENT;
	return false;
}

bool
tn_draft_check_names(struct tn_draft *d)
{
	struct tn_trace *t = &d->trace;

	for (; d->n_env < t->n_env; d->n_env++)
		if (!check_env(d, &t->env[d->n_env]))
			return false;
	for (; d->n_clocks < t->n_clocks; d->n_clocks++)
		if (!check_clock(d, d->n_clocks))
			return false;
	return can_be_said(d);
}

/* ---- byte orders ---- */

/*
 * A byte has one byte order (CTF 1.8.3, 4.1.5; CTF2-SPEC-2.0, 6.4): a number that begins inside of a byte must have the
 * order of the number before it. A state is a position where a field may begin: at a byte, at one of 7 bits in a byte of
 * either order, or BAD. A table gives the states that can follow each state. Tables of successive fields are multiplied,
 * so the length of an array costs no time.
 */
#define STATES 16
#define AT_BYTE 0
#define BAD 15

struct table { uint16_t to[STATES]; };	/* for each state, the states that can follow it, one bit for each */

static unsigned
state_of(unsigned bit, bool big_endian)
{
	return bit ? 2 * bit - 1 + big_endian : AT_BYTE;
}

static struct table
unchanged(void)
{
	struct table t;

	for (unsigned s = 0; s < STATES; s++)
		t.to[s] = (uint16_t)(1u << s);
	return t;
}

static struct table
then(const struct table *a, const struct table *b)
{
	struct table t = { { 0 } };

	for (unsigned s = 0; s < STATES; s++)
		for (unsigned k = 0; k < STATES; k++)
			if (a->to[s] >> k & 1)
				t.to[s] |= b->to[k];
	return t;
}

static struct table
or(const struct table *a, const struct table *b)
{
	struct table t;

	for (unsigned s = 0; s < STATES; s++)
		t.to[s] = a->to[s] | b->to[s];
	return t;
}

/* The table of a number of @bits bits in this byte order, after alignment to @align bits (0: no alignment). */
static struct table
number(uint64_t align, uint64_t bits, bool big_endian)
{
	struct table t = { { 0 } };

	for (unsigned s = 0; s < BAD; s++) {
		unsigned bit = (s + 1) / 2, mask = align < 8 ? (unsigned)align - 1 : 7, at = (bit + mask) & ~mask & 7;
		bool order = s && s % 2 == 0;

		if (at && bits && order != big_endian)
			t.to[s] = 1u << BAD;
		else
			t.to[s] = (uint16_t)(1u << state_of((at + bits % 8) % 8, bits ? big_endian : order));
	}
	t.to[BAD] = 1u << BAD;
	return t;
}

/* The table of @n repetitions of a table. */
static struct table
times(struct table t, uint64_t n)
{
	struct table all = unchanged();

	for (; n; n >>= 1) {
		if (n & 1)
			all = then(&all, &t);
		t = then(&t, &t);
	}
	return all;
}

/* The table of any number of repetitions. */
static struct table
any_times(const struct table *t)
{
	struct table one = unchanged(), all = or(&one, t);

	for (unsigned i = 1; i < STATES; i *= 2)
		all = then(&all, &all);
	return all;
}

static struct table
table_of(const struct tn_type *t)
{
	struct table table = number(t->align, 0, false), inner, none = { { 0 } };

	switch (t->kind) {
	case TN_KIND_STRUCT:
		for (size_t i = 0; i < t->n_fields; i++) {
			inner = table_of(t->field[i].type);
			table = then(&table, &inner);
		}
		return table;
	case TN_KIND_ARRAY:
		inner = table_of(t->field[0].type);
		inner = t->extent == TN_EXTENT_STATIC ? times(inner, t->length) : any_times(&inner);
		return then(&table, &inner);
	case TN_KIND_VARIANT:
		for (size_t i = 0; i < t->n_fields; i++) {
			inner = table_of(t->field[i].type);
			none = or(&none, &inner);
		}
		return then(&table, &none);
	case TN_KIND_OPTIONAL:
		inner = table_of(t->field[0].type);
		none = unchanged();
		inner = or(&inner, &none);
		return then(&table, &inner);
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		return number(8, 0, false);
	default:
		return t->varint ? number(8, 0, false) : number(t->align, t->length, t->big_endian);
	}
}

/* Apply the types in @f to @states. False: two byte orders may share a byte, and the draft has the error. */
static bool
take_field(struct tn_draft *d, const struct tn_field *f, unsigned *states)
{
	struct table table = table_of(f->type);
	unsigned after = 0, inside = *states;
	char path[256];

	for (unsigned s = 0; s < STATES; s++)
		after |= inside >> s & 1 ? table.to[s] : 0;
	if (!(after >> BAD & 1)) {
		*states = after;
		return true;
	}
	if (f->type->kind == TN_KIND_STRUCT) {
		table = number(f->type->align, 0, false);
		*states = 0;
		for (unsigned s = 0; s < STATES; s++)
			*states |= inside >> s & 1 ? table.to[s] : 0;
		for (size_t i = 0; i < f->type->n_fields; i++)
			if (!take_field(d, &f->type->field[i], states))
				return false;
	}
	return MISTAKE(d, "%s: this number can begin inside a byte of the other byte order: give it an alignment of 8 bits",
		       tn_field_path(f, "field", path, sizeof path));
}

static bool
take_scopes(struct tn_draft *d, const struct tn_field *const *scope, size_t n)
{
	unsigned states = 1u << AT_BYTE;

	for (size_t i = 0; d->is_mixed && i < n; i++)
		if (scope[i] && !take_field(d, scope[i], &states))
			return false;
	return true;
}

/* ---- classes ---- */

bool
tn_draft_check_stream_class(struct tn_draft *d, const struct tn_stream_class *sc)
{
	struct named at = { .draft = d, .what = N_("stream class") };

	check_text(&at, sc->name);
	at.owner = sc->name ? sc->name : "";
	check_context(&at, sc);
	check_scope(&at, sc->packet_context);
	check_scope(&at, sc->common_context);
	return can_be_said(d) &&
	       take_scopes(d, (const struct tn_field *[]) { d->trace.packet_header, sc->packet_context }, 2);
}

bool
tn_draft_check_event_class(struct tn_draft *d, const struct tn_event_class *ec)
{
	const struct tn_stream_class *sc = ec->stream_class;
	struct named at = { .draft = d, .what = N_("event"), .in_event = true };

	check_text(&at, ec->name);
	check_text(&at, ec->emf_uri);
	at.owner = ec->name;
	check_scope(&at, ec->specific_context);
	check_scope(&at, ec->payload);
	if (!can_be_said(d))
		return false;
	if (take_scopes(d, (const struct tn_field *[]) { sc->event_header, sc->common_context, ec->specific_context,
							  ec->payload }, 4))
		return true;
	tn_at(&d->error, d->error.code, "event '%s'", ec->name);
	return false;
}
