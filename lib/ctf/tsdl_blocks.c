#include <inttypes.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/tsdl_builder.h"

struct tsdl_entry *
tn_tsdl_entry(const struct tsdl_block *block, const char *name)
{
	for (struct tsdl_entry *e = block->entry; e; e = e->next)
		if (strcmp(e->name->text, name) == 0)
			return e;
	return NULL;
}

/* Whether the entry is in @names, which has "name" or, for types, ":name". */
static const char *
known(const struct tsdl_entry *e, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(e->name->text, *names + (**names == ':')) == 0)
			return *names;
	return NULL;
}

bool
tn_tsdl_check_entries(struct tsdl_builder *b, const struct tsdl_block *block, const char *const *names)
{
	uint32_t mark = ++b->u->mark;

	for (const struct tsdl_entry *e = block->entry; e; e = e->next) {
		const char *name = known(e, names);

		if (!name) {
			tn_tsdl_tell(b->u, TN_WARNING, e->place, "unknown entry, ignored");
			continue;
		}
		if (e->is_type != (*name == ':'))
			return tn_tsdl_fail(b->u, e->place, e->is_type ? N_("not a type: write `=`")
									: N_("a type: write `:=`"));
		if (e->name->mark == mark)
			return tn_tsdl_fail(b->u, e->place, "given twice");
		e->name->mark = mark;
	}
	return true;
}

bool
tn_tsdl_unsigned(struct tsdl_builder *b, const struct tsdl_entry *e, uint64_t *out)
{
	if (e->value.kind != TSDL_VALUE_NUMBER || (e->value.is_negative && e->value.magnitude))
		return tn_tsdl_fail(b->u, e->value.place, "`%s` must be an unsigned integer", e->name->text);
	*out = e->value.magnitude;
	return true;
}

static bool
signed_number(struct tsdl_builder *b, const struct tsdl_entry *e, int64_t *out)
{
	if (e->value.kind != TSDL_VALUE_NUMBER || (!e->value.is_negative && e->value.magnitude > INT64_MAX))
		return tn_tsdl_fail(b->u, e->value.place, "`%s` must be a signed integer of 64 bits", e->name->text);
	*out = (int64_t)(e->value.is_negative ? 0 - e->value.magnitude : e->value.magnitude);
	return true;
}

/* The text of a string or name; a number is an error. */
static bool
text(struct tsdl_builder *b, const struct tsdl_entry *e, const char **out)
{
	if (e->value.kind == TSDL_VALUE_NUMBER)
		return tn_tsdl_fail(b->u, e->value.place, "`%s` must be a string", e->name->text);
	return (*out = tn_tsdl_value_text(b->u, &e->value)) != NULL;
}

static int
hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Read a UUID "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". In the dialect the dashes may be at any places, or missing. */
bool
tn_tsdl_uuid(struct tsdl_builder *b, const struct tsdl_entry *e, uint8_t out[16])
{
	const char *s = e->value.kind == TSDL_VALUE_STRING ? e->value.string : "";
	size_t n = 0, at = 0;

	for (; s[at] && n < 33; at++) {
		if (b->dialect->free_dashes ? s[at] == '-' : at == 8 || at == 13 || at == 18 || at == 23) {
			if (s[at] != '-')
				break;
			continue;
		}
		if (hex(s[at]) < 0 || n == 32)
			break;
		out[n / 2] = (uint8_t)(out[n / 2] << 4 | hex(s[at]));
		n++;
	}
	return (n == 32 && !s[at]) || tn_tsdl_fail(b->u, e->value.place, "not a UUID");
}

/* ---- trace ---- */

bool
tn_tsdl_byte_order(struct tsdl_builder *b, const struct tsdl_entry *e)
{
	const char *s = e->value.kind == TSDL_VALUE_PATH && e->value.path.n == 1 ? e->value.path.word[0]->text : "";

	b->trace->big_endian = strcmp(s, "be") == 0 || strcmp(s, "network") == 0;
	return b->trace->big_endian || strcmp(s, "le") == 0 ||
	       tn_tsdl_fail(b->u, e->value.place, "the byte order of a trace must be le, be or network");
}

static bool
version(struct tsdl_builder *b, const struct tsdl_block *block)
{
	const struct tsdl_entry *major = tn_tsdl_entry(block, "major"), *minor = tn_tsdl_entry(block, "minor");
	uint64_t n = 0;

	if (!tn_tsdl_unsigned(b, major, &n))
		return false;
	if (n != 1)
		return tn_tsdl_fail(b->u, major->value.place, "CTF version is not 1.8");
	b->trace->major = 1;
	if (!tn_tsdl_unsigned(b, minor, &n))
		return false;
	if (n != 8)
		tn_tsdl_tell(b->u, TN_WARNING, minor->value.place, "CTF version is not 1.8");
	b->trace->minor = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
	return true;
}

bool
tn_tsdl_build_trace(struct tsdl_builder *b)
{
	static const char *const names[] = { "major", "minor", "byte_order", "uuid", ":packet.header", NULL };
	static const char *const required[] = { "major", "minor", "byte_order" };
	const struct tsdl_block *block = NULL;
	const struct tsdl_entry *e;

	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		if (i->keyword != TSDL_TRACE)
			continue;
		if (block)
			return tn_tsdl_fail(b->u, i->place, "a second trace block");
		block = i;
	}
	if (!block)
		return tn_tsdl_fail(b->u, (struct tsdl_place) { (uint32_t)b->u->n, 0 }, N_("there is no trace block"));
	if (!tn_tsdl_check_entries(b, block, names))
		return false;
	for (size_t i = 0; i < TN_COUNT(required); i++)
		if (!tn_tsdl_entry(block, required[i]))
			return tn_tsdl_fail(b->u, block->place, "the trace block has no `%s`", required[i]);
	if (!version(b, block) || !tn_tsdl_byte_order(b, tn_tsdl_entry(block, "byte_order")))
		return false;
	if ((e = tn_tsdl_entry(block, "uuid"))) {
		if (!tn_tsdl_uuid(b, e, b->trace->uuid))
			return false;
		b->trace->has_uuid = true;
	}
	return true;
}

/* ---- environment ---- */

/* The arena cannot free buffers that became too small, so pass the final number if it is known. */
static bool
reserve_env(struct tsdl_builder *b, size_t n)
{
	struct tn_trace *t = b->trace;
	struct tn_env *room = TN_NEW_ARRAY(&t->arena, n, struct tn_env);

	if (!room)
		return tn_tsdl_fail_memory(b->u);
	if (t->n_env)
		memcpy(room, t->env, t->n_env * sizeof *room);
	t->env = room;
	b->env_room = n;
	return true;
}

bool
tn_tsdl_add_env(struct tsdl_builder *b, const struct tn_env *env)
{
	struct tn_trace *t = b->trace;

	if (t->n_env == b->env_room && !reserve_env(b, 2 * t->n_env + 4))
		return false;
	t->env[t->n_env++] = *env;
	return true;
}

/* ---- clocks ---- */

struct tn_clock *
tn_tsdl_clock(const struct tsdl_builder *b, const char *name)
{
	for (size_t i = 0; i < b->trace->n_clocks; i++)
		if (strcmp(b->trace->clock[i]->name, name) == 0)
			return b->trace->clock[i];
	return NULL;
}

static struct tn_clock *
new_clock(struct tsdl_builder *b)
{
	struct tn_clock *c = TN_NEW(&b->trace->arena, struct tn_clock);

	if (!c) {
		tn_tsdl_fail_memory(b->u);
		return NULL;
	}
	c->frequency = 1000000000;
	c->precision = c->accuracy = TN_UNKNOWN;
	return c;
}

/* Whether this is LTTng's clock. It counts from 1970, though its metadata does not declare this. */
static bool
is_lttng_clock(const struct tsdl_builder *b, const struct tn_clock *c)
{
	const struct tn_env *tracer = tn_trace_env(b->trace, "tracer_name");

	return tracer && tracer->is_text && strncmp(tracer->text, "lttng", 5) == 0 && strcmp(c->name, "monotonic") == 0;
}

/* Move whole seconds of the offset in cycles, which may be negative, to the offset in seconds. */
static bool
normalise(struct tsdl_builder *b, struct tn_clock *c, int64_t offset, struct tsdl_place place)
{
	uint64_t size = offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset, rest = size % c->frequency;
	int64_t whole = (int64_t)(size / c->frequency);

	if (offset < 0) {
		whole = -whole - (rest != 0);
		rest = rest ? c->frequency - rest : 0;
	}
	if (__builtin_add_overflow(c->offset_s, whole, &c->offset_s))
		return tn_tsdl_fail(b->u, place, "the offset of the clock is out of range");
	c->offset_cycles = rest;
	return true;
}

static bool
absolute(struct tsdl_builder *b, const struct tsdl_entry *e, bool *out)
{
	const char *s = e->value.kind == TSDL_VALUE_PATH && e->value.path.n == 1 ? e->value.path.word[0]->text : "";

	*out = e->value.kind == TSDL_VALUE_NUMBER ? e->value.magnitude != 0 : strcmp(s, "true") == 0 || strcmp(s, "TRUE") == 0;
	return *out || e->value.kind == TSDL_VALUE_NUMBER || strcmp(s, "false") == 0 || strcmp(s, "FALSE") == 0 ||
	       tn_tsdl_fail(b->u, e->value.place, "not a boolean: write true, false, 1 or 0");
}

static bool
clock_entry(struct tsdl_builder *b, struct tn_clock *c, const struct tsdl_entry *e, int64_t *offset, bool *is_absolute)
{
	const char *name = e->name->text;

	if (strcmp(name, "name") == 0)
		return text(b, e, &c->name);
	if (strcmp(name, "description") == 0)
		return text(b, e, &c->description);
	if (strcmp(name, "uuid") == 0)
		return c->has_uuid = true, tn_tsdl_uuid(b, e, c->uuid);
	if (strcmp(name, "precision") == 0)
		return tn_tsdl_unsigned(b, e, &c->precision);
	if (strcmp(name, "offset_s") == 0)
		return signed_number(b, e, &c->offset_s);
	if (strcmp(name, "offset") == 0)
		return signed_number(b, e, offset);
	if (strcmp(name, "absolute") == 0)
		return absolute(b, e, is_absolute);
	if (strcmp(name, "freq") == 0)
		return tn_tsdl_unsigned(b, e, &c->frequency) &&
		       (c->frequency || tn_tsdl_fail(b->u, e->value.place, "a frequency must not be 0"));
	return true;
}

static bool
build_clock(struct tsdl_builder *b, const struct tsdl_block *block, struct tn_clock *c)
{
	static const char *const names[] = {
		"name", "uuid", "description", "freq", "precision", "offset_s", "offset", "absolute", NULL
	};
	bool is_absolute = false;
	int64_t offset = 0;

	if (!tn_tsdl_check_entries(b, block, names))
		return false;
	for (const struct tsdl_entry *e = block->entry; e; e = e->next)
		if (!clock_entry(b, c, e, &offset, &is_absolute))
			return false;
	if (!c->name || !*c->name)
		return tn_tsdl_fail(b->u, block->place, "a clock needs a name");
	if (tn_tsdl_clock(b, c->name))
		return tn_tsdl_fail(b->u, tn_tsdl_entry(block, "name")->value.place, "the name of the clock is used twice");
	if (is_absolute || is_lttng_clock(b, c))
		c->origin = TN_ORIGIN_UNIX;
	return normalise(b, c, offset, block->place);
}

bool
tn_tsdl_build_clocks(struct tsdl_builder *b)
{
	size_t n = 1;	/* one more, for tn_tsdl_default_clock() */

	for (const struct tsdl_block *i = b->u->block; i; i = i->next)
		n += i->keyword == TSDL_CLOCK;
	if (n > 10000)	/* because names are compared with each other */
		return tn_tsdl_fail(b->u, (struct tsdl_place) { 0, 0 }, "%zu clocks", n);
	if (!(b->trace->clock = TN_NEW_ARRAY(&b->trace->arena, n, struct tn_clock *)))
		return tn_tsdl_fail_memory(b->u);
	for (const struct tsdl_block *i = b->u->block; i; i = i->next) {
		struct tn_clock *c;

		if (i->keyword != TSDL_CLOCK)
			continue;
		if (!(c = new_clock(b)) || !build_clock(b, i, c))
			return false;
		b->trace->clock[b->trace->n_clocks++] = c;
	}
	return true;
}

struct tn_clock *
tn_tsdl_default_clock(struct tsdl_builder *b)
{
	if (b->implicit_clock || !(b->implicit_clock = new_clock(b)))
		return b->implicit_clock;
	b->implicit_clock->name = "default";
	b->trace->clock[b->trace->n_clocks++] = b->implicit_clock;
	return b->implicit_clock;
}
