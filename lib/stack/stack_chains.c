/*
 * stack_chains.c - stacks of sampled call chains, and the spans of function entries and exits
 */
#include "stack/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "language/field.h"
#include "span/feed.h"
#include "span/spans.h"

/*
 * Fields that each contain a chain, the innermost address first: contexts of LTTng; perf's field, with all parts,
 * which tracepoints have in the context; kernel_stack of ftrace. Frames of the kernel are on top of those of its caller.
 */
static const char *const fields[] = { "callstack_user[*]", "callstack_kernel[*]", "event.context.callchain[*]",
	"event.fields.callchain[*]", "caller[*]" };

#define MARKS 4096		/* greater numbers are marks: in perf, before addresses of a kind; in LTTng, at the end */
/* perf's marks of a guest, and of its kernel and programs. Names are those of the host. */
#define IS_GUEST(mark) ((mark) == -UINT64_C(2048) || (mark) == -UINT64_C(2176) || (mark) == -UINT64_C(2560))

enum { CHAINS = TN_COUNT(fields), DEEPEST = 1024 };

struct chains {
	const struct tn_scan_options *options;
	struct tn_names *names;
	struct tn_classes classes;
	struct tn_reference reference[CHAINS];
	bool has[CHAINS];
	struct tn_stacks s;
	struct tn_hash by_address;	/* number of the name of each address */
	struct tn_flame_counts counts;
};

/* A record: the addresses of a chain, the outermost first. */
struct sample {
	struct tn_record record;
	uint64_t n;
	uint64_t address[];
};

struct addresses {
	uint64_t at[DEEPEST];
	size_t n, more;
	bool in_guest;
};

static bool
add_address(void *user, const struct tn_cell *cell)
{
	struct addresses *a = user;

	if (cell->kind != TN_CELL_UNSIGNED && cell->kind != TN_CELL_SIGNED)
		return true;
	if (cell->u > UINT64_MAX - MARKS) {
		a->in_guest = IS_GUEST(cell->u);
		return true;
	}
	if (a->in_guest)
		return true;
	if (a->n < DEEPEST)
		a->at[a->n++] = cell->u;
	else
		a->more++;
	return true;
}

static enum tn_code
take_row(const struct chains *c, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b,
	 size_t row, struct tn_error *err)
{
	struct addresses a[CHAINS];
	struct sample *sample;
	size_t n = 0, at = 0;

	tn_row_at(&reader->row, b, row);
	for (size_t i = 0; i < CHAINS; i++) {
		enum tn_code rc = TN_OK;

		a[i].n = a[i].more = 0;
		a[i].in_guest = false;
		if (c->has[i])
			rc = tn_reference_each(&c->reference[i], &reader->row, add_address, &a[i], NULL, err);
		if (rc < 0)
			return rc;
		n += a[i].n;
	}
	if (!n)
		return TN_OK;
	sample = (struct sample *)(void *)tn_record_add(out, b, row, sizeof *sample + 8 * n);
	if (!sample)
		return tn_fail_memory(err);
	sample->n = n;
	for (size_t i = 0; i < CHAINS; i++)
		while (a[i].n)
			sample->address[at++] = a[i].at[--a[i].n];
	return TN_OK;
}

static bool
may_have(const struct chains *c, size_t class)
{
	for (size_t i = 0; i < CHAINS; i++) {
		const struct tn_place *place = c->has[i] ? tn_reference_place(&c->reference[i], class) : NULL;

		if (c->has[i] && (!place || place->way != TN_PLACE_NONE))
			return true;
	}
	return false;
}

static enum tn_code
rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
     size_t end, struct tn_error *err)
{
	const struct chains *c = user;
	enum tn_code rc = TN_OK;

	for (size_t i = first; i < end && rc == TN_OK; i++) {
		bool pass;

		if (b->refs.item[i].event_class == TN_REF_NOTICE || !may_have(c, tn_class_of(&c->classes, b, i)))
			continue;
		rc = tn_piece_passes(c->options, reader, b, i, &pass, err);
		if (rc == TN_OK && pass)
			rc = take_row(c, out, reader, b, i, err);
	}
	return rc;
}

static uint32_t
name_of(struct chains *c, uint64_t address)
{
	struct tn_hash_item *item = tn_hash_find_u64(&c->by_address, address);
	char text[24];
	uint32_t name;

	if (item)
		return (uint32_t)item->value;
	name = tn_stacks_name(&c->s, text, (size_t)snprintf(text, sizeof text, "0x%" PRIX64, address));
	if (name == UINT32_MAX || name == TN_STACK_NAMELESS)
		return name;
	item = tn_hash_add_u64(&c->by_address, address, NULL);
	if (!item)
		return UINT32_MAX;
	item->value = name;
	return name;
}

static enum tn_code
take(void *user, struct tn_record *record, struct tn_error *err)
{
	struct chains *c = user;
	const struct sample *sample = (const struct sample *)(const void *)record;
	uint32_t at = 0;

	for (uint64_t i = 0; i < sample->n; i++) {
		uint32_t name = name_of(c, sample->address[i]), next;

		next = name == UINT32_MAX ? name : tn_stacks_callee(&c->s, at, name);
		if (next == UINT32_MAX)
			return tn_fail_memory(err);
		if (next == at) {
			c->counts.cut++;
			break;
		}
		c->counts.nameless += name == TN_STACK_NAMELESS;
		at = next;
		c->s.stack.item[at].calls++;
	}
	c->counts.calls++;
	c->s.stack.item[at].self++;
	return TN_OK;
}

static void
release(struct chains *c)
{
	for (size_t i = 0; i < CHAINS; i++)
		if (c->has[i])
			tn_reference_release(&c->reference[i]);
	tn_classes_release(&c->classes);
	tn_names_free(c->names);
	tn_stacks_release(&c->s);
	tn_hash_release(&c->by_address);
}

/* Find the fields. TN_ERR_ARGUMENT: there are none. */
static enum tn_code
find_fields(struct chains *c, struct tn_set *set, struct tn_error *err)
{
	struct tn_error inner;
	enum tn_code rc = tn_names_new(&c->names, set, NULL, err), found = TN_ERR_ARGUMENT;

	if (rc == TN_OK)
		rc = tn_classes_init(&c->classes, set, err);
	for (size_t i = 0; rc == TN_OK && i < CHAINS; i++) {
		rc = tn_reference_init(&c->reference[i], c->names, fields[i], NULL, &inner);
		c->has[i] = rc == TN_OK;
		found = rc == TN_OK ? TN_OK : found;
		if (rc == TN_ERR_ARGUMENT)
			rc = TN_OK;
		else if (rc < 0)
			return tn_fail(err, rc, "%s", inner.text);
	}
	if (rc == TN_OK && found < 0)
		return tn_fail(err, found, "no event has a call chain (callstack_user, callstack_kernel): --spans names spans to "
			       "stack");
	return rc;
}

bool
tn_set_has_chains(struct tn_set *set)
{
	struct chains c = { 0 };
	bool has = set && find_fields(&c, set, NULL) == TN_OK;

	release(&c);
	return has;
}

enum tn_code
tn_flame_of_chains(struct tn_flame **out, struct tn_set *set, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_feed_ops feed_ops = { .rows = rows, .take = take };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct chains c = { .options = &o };
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc == TN_OK)
		rc = find_fields(&c, set, err);
	if (rc == TN_OK && !tn_stacks_init(&c.s))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_feed_run(set, &o, &feed_ops, &c, err);
	if (rc == TN_OK)
		rc = tn_flame_make(out, &c.s, &c.counts, true, err);
	release(&c);
	return rc;
}

/* ---- ready definitions ---- */

/*
 * If exit events have the address, it pairs an entry with its exit. An exit whose entry was lost then closes no other
 * function. Exits of cyg_profile_fast do not have it.
 */
static const struct { const char *definition, *if_there; } ready[] = {
	{ "lttng_ust_cyg_profile:func_entry lttng_ust_cyg_profile:func_exit by vtid, addr show addr", NULL },
	{ "lttng_ust_cyg_profile:func_entry lttng_ust_cyg_profile:func_exit by stream, addr show addr", NULL },
	{ "lttng_ust_cyg_profile_fast:func_entry lttng_ust_cyg_profile_fast:func_exit by vtid show addr", NULL },
	{ "lttng_ust_cyg_profile_fast:func_entry lttng_ust_cyg_profile_fast:func_exit by stream show addr", NULL },
	{ "@ show func", "@function" },	/* spans that the format knows: of uftrace, then of others */
	{ "@", NULL },
};

/* Whether an event class declares that its events are spans. If only values can tell (markers), there may be no spans. */
static bool
has_spans(const struct tn_spans *spans)
{
	const struct tn_span_kind *kind;

	for (size_t i = 0; (kind = tn_span_kind(spans, i)); i++)
		if (!kind->begin)
			return true;
	return false;
}

const char *
tn_flame_ready(struct tn_set *set, size_t n)
{
	for (size_t i = 0; set && i < TN_COUNT(ready); i++) {
		struct tn_spans *spans = NULL;
		bool has = tn_spans_new(&spans, set, NULL) == TN_OK && tn_spans_add(spans, ready[i].definition, NULL) == TN_OK &&
			   (!ready[i].if_there || tn_spans_add(spans, ready[i].if_there, NULL) == TN_OK) &&
			   (ready[i].definition[0] != '@' || has_spans(spans));

		tn_spans_free(spans);
		if (!has)
			continue;
		if (!n--)
			return ready[i].definition;
		i |= 1;		/* threads are known: streams are not needed */
	}
	return NULL;
}
