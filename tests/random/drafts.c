/*
 * drafts.c - random drafts: written through tnav/writer.h, read back, each value compared with the one that was written
 *
 *	drafts FOLDER SEED TRACES
 *
 * All options of drafts and streams, all types in each other, both forms of metadata, both byte orders, packets of any size,
 * losses. FOLDER/N is the Nth trace; a line "N FORM" for each says whether another reader can be asked: "1.8", "2", or "own"
 * for times that go back or are missing, and what babeltrace2 2.0 cannot read.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

#include "../make/drafting.h"

#define MEMBERS 5
#define EVENTS 120
#define DATA 512

static uint64_t state;
static struct tn_error err;
static bool form_2, may_swap;
static int bad;

/* The same numbers everywhere. */
static uint64_t
dice(uint64_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return sides ? (state >> 11) % sides : 0;
}

#define ONE_OF(...) ((const unsigned[]) { __VA_ARGS__ }[dice(sizeof((const unsigned[]) { __VA_ARGS__ }) / sizeof(unsigned))])

/* ---- types, with what is needed to make values of them ---- */

enum what { NUMBER, WIDE, REAL, TEXT, FIXED_TEXT, TEXT_SEQUENCE, BLOB, BLOB_SEQUENCE, FIXED, SEQUENCE, STRUCT, VARIANT, OPTIONAL };

struct spec {
	enum what what;
	unsigned bits;		/* of a NUMBER, WIDE, REAL */
	bool is_signed, is_bool;
	uint64_t least, most;	/* a NUMBER that is a length, a tag, a selector: from, and below this; 0: any */
	unsigned n;		/* members, elements, bytes */
	int ref;		/* the member that is the length, the tag, the selector */
	struct spec *in[2 * MEMBERS];
	struct tn_type *type;
};

static struct spec specs[4096];
static size_t n_specs;

static struct spec *
new_spec(enum what what)
{
	struct spec *s = &specs[n_specs++];

	if (n_specs > sizeof specs / sizeof *specs)
		exit(2);
	*s = (struct spec) { .what = what, .ref = -1 };
	return s;
}

static const char *
name(unsigned i)
{
	static const char *const good[] = { "a", "_b", "event", "int", "__c", "d9", "timestamp", "id", "packet_size_", "string" };
	static const char *const odd[] = { "two words", "Umlaut \xc3\xa4", "9", "a.b", "\"q\"", "x[1]", "e", "f", "g", "h" };

	return form_2 && dice(4) == 0 ? odd[i] : good[i];
}

static unsigned
alignment(void)
{
	return dice(3) ? 0 : ONE_OF(1, 2, 4, 8, 16, 32, 64);
}

static struct spec *
number(struct tn_draft *d)
{
	struct spec *s = new_spec(NUMBER);
	unsigned base = ONE_OF(2, 8, 10, 16), kind = (unsigned)dice(form_2 ? 7 : 4);

	/* babeltrace2 2.0 reads 0 where some numbers of 58 to 63 bits are. */
	s->bits = dice(2) ? ONE_OF(8, 16, 32, 64) : 1 + (unsigned)dice(form_2 ? 64 : 57);
	s->is_signed = kind == 1 || kind == 5;
	s->is_bool = kind == 6;
	if (kind == 4 || kind == 5) {
		s->bits = 64;
		s->type = kind == 4 ? tn_draft_varuint(d, base) : tn_draft_varsint(d, base);
		return s;
	}
	s->type = kind == 6 ? tn_draft_bool(d, s->bits, alignment()) : s->is_signed ? tn_draft_sint(d, s->bits, alignment(), base)
		: tn_draft_uint(d, s->bits, alignment(), base);
	if (may_swap && dice(5) == 0)
		tn_draft_swap(d, s->type);
	if (kind == 3) {
		tn_draft_label(d, s->type, "zero", 0, 0);
		tn_draft_label(d, s->type, "say \"one\"", 1, 1);
		tn_draft_label(d, s->type, "int", 0, 1);
	}
	return s;
}

static struct spec *any(struct tn_draft *d, unsigned depth);

/* The number that says how many, or which. */
static struct spec *
reference(struct tn_draft *d, struct spec *in, const char *own, unsigned most)
{
	struct spec *s = new_spec(NUMBER);

	s->bits = ONE_OF(3, 5, 8, 16, 32, 64);
	s->most = most;
	s->type = tn_draft_uint(d, s->bits, alignment(), 10);
	tn_draft_member(d, in->type, own, s->type);
	in->in[in->n++] = s;
	return s;
}

static struct spec *
variant(struct tn_draft *d, struct tn_type *tag, const char *own, unsigned options, unsigned depth)
{
	static const char *const label[] = { "one", "two", "u3", "four" };
	struct spec *s = new_spec(VARIANT);

	s->type = tn_draft_variant(d, own);
	for (s->n = 0; s->n < options; s->n++) {
		tn_draft_label(d, tag, label[s->n], s->n, s->n);
		s->in[s->n] = any(d, depth);
		tn_draft_member(d, s->type, label[s->n], s->in[s->n]->type);
	}
	return s;
}

/* A member, with one before it that it refers to. */
static struct spec *
referring(struct tn_draft *d, struct spec *in, const char *own, unsigned depth)
{
	unsigned which = (unsigned)dice(form_2 ? 5 : 3), most = which == 2 ? 1 + (unsigned)dice(4) : which == 4 ? 2 : 6;
	struct spec *length = reference(d, in, own, most), *s = NULL;

	switch (which) {
	case 0:
		length->least = !form_2;	/* babeltrace2 2.0 shows the text before in the place of an empty one */
		s = new_spec(TEXT_SEQUENCE);
		s->type = tn_draft_text_sequence(d, own);
		break;
	case 1:
		s = new_spec(SEQUENCE);
		s->in[0] = any(d, depth);
		s->type = tn_draft_sequence(d, own, s->in[0]->type);
		break;
	case 2:
		s = variant(d, length->type, own, most, depth);
		break;
	case 3:
		s = new_spec(BLOB_SEQUENCE);
		s->type = tn_draft_blob_sequence(d, own, NULL);
		break;
	default:
		s = new_spec(OPTIONAL);
		s->in[0] = any(d, depth);
		s->type = tn_draft_optional(d, own, s->in[0]->type);
		break;
	}
	s->ref = (int)in->n - 1;
	return s;
}

static struct spec *
structure_of(struct tn_draft *d, unsigned depth)
{
	struct spec *s = new_spec(STRUCT);
	unsigned members = (unsigned)dice(MEMBERS), first = (unsigned)dice(10);

	s->type = tn_draft_struct(d);
	if (dice(6) == 0)
		tn_draft_align(d, s->type, ONE_OF(8, 16, 32));
	for (unsigned i = 0; i < members; i++) {
		char own[16];
		struct spec *m;

		snprintf(own, sizeof own, "n%zu", n_specs);
		m = dice(3) == 0 ? referring(d, s, own, depth) : any(d, depth);
		tn_draft_member(d, s->type, name((first + i) % 10), m->type);
		s->in[s->n++] = m;
	}
	return s;
}

static struct spec *
any(struct tn_draft *d, unsigned depth)
{
	struct spec *s;

	switch (dice(depth ? 12 : 8)) {
	case 8:
	case 9:
		return structure_of(d, depth - 1);
	case 10:
	case 11:
		s = new_spec(FIXED);
		s->n = (unsigned)dice(5);
		s->in[0] = any(d, depth - 1);
		s->type = tn_draft_array(d, s->n, s->in[0]->type);
		return s;
	case 0:
		s = new_spec(TEXT);
		s->type = tn_draft_string(d);
		if (form_2 && dice(3) == 0) {
			s->bits = ONE_OF(TN_ENCODING_UTF16BE, TN_ENCODING_UTF16LE);
			tn_draft_encoding(d, s->type, (enum tn_encoding)s->bits);
		}
		return s;
	case 1:
		s = new_spec(REAL);
		s->bits = ONE_OF(32, 64);
		s->type = tn_draft_float(d, s->bits, dice(2) ? 0 : ONE_OF(8, 32, 64));
		if (may_swap && dice(3) == 0)
			tn_draft_swap(d, s->type);
		return s;
	case 2:
		s = new_spec(FIXED_TEXT);
		s->n = 1 + (unsigned)dice(9);
		s->type = tn_draft_text(d, s->n);
		return s;
	case 3:
		if (!form_2)
			return number(d);
		s = new_spec(dice(2) ? BLOB : WIDE);
		s->n = 1 + (unsigned)dice(9);
		s->bits = 65 + (unsigned)dice(140);
		if (s->what == BLOB)
			s->type = tn_draft_blob(d, s->n, dice(2) ? "image/x \"y\"" : NULL);
		else if ((s->is_signed = dice(2)))
			s->type = tn_draft_sint(d, s->bits, alignment(), 16);
		else
			s->type = tn_draft_uint(d, s->bits, alignment(), 16);
		return s;
	default:
		return number(d);
	}
}

/* babeltrace2 2.0 cannot read a specific context with a reference in it. */
static bool
has_reference(const struct spec *s)
{
	bool some = s && s->ref >= 0;

	for (unsigned i = 0; s && i < sizeof s->in / sizeof *s->in && !some; i++)
		some = s->in[i] && has_reference(s->in[i]);
	return some;
}

/* ---- values ---- */

struct data {
	struct tn_datum datum[DATA];
	size_t n;
	uint8_t bytes[8192];
	size_t n_bytes;
};

static const char nothing[1];	/* all elements of an array that has none */

static void
put(struct data *x, struct tn_datum d)
{
	if (x->n == DATA)
		exit(2);
	x->datum[x->n++] = d;
}

static void
put_bytes(struct data *x, size_t n, bool text)
{
	uint8_t *p = x->bytes + x->n_bytes;

	if (n > sizeof x->bytes - x->n_bytes)
		exit(2);
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(text ? 'a' + dice(26) : dice(256));
	x->n_bytes += n;
	put(x, tn_datum_bytes(p, n));
}

static void
put_wide(struct data *x, const struct spec *s)
{
	size_t n = (s->bits + 7) / 8;
	unsigned top = (s->bits - 1) % 8 + 1;
	uint8_t *p;

	put_bytes(x, n, false);
	p = x->bytes + x->n_bytes - n;
	p[0] = (uint8_t)(p[0] & 0xff >> (8 - top));
	if (s->is_signed && p[0] >> (top - 1) & 1)
		p[0] = (uint8_t)(p[0] | 0xff << top);
}

static uint64_t
put_number(struct data *x, const struct spec *s)
{
	uint64_t v = dice(3) ? dice(UINT64_MAX) * 0x9e3779b97f4a7c15 : dice(3) ? dice(4) : UINT64_MAX;

	if (s->most)
		v = s->least + v % (s->most - s->least);
	if (s->is_signed) {
		int64_t i = (int64_t)(v << (64 - s->bits)) >> (64 - s->bits);

		put(x, tn_datum_i(i));
		return (uint64_t)i;
	}
	v = v << (64 - s->bits) >> (64 - s->bits);
	put(x, tn_datum_u(v));
	return v;
}

static uint64_t
make(struct data *x, const struct spec *s, uint64_t ref)
{
	uint64_t said[2 * MEMBERS];

	switch (s->what) {
	case NUMBER:
		return put_number(x, s);
	case WIDE:
		put_wide(x, s);
		return 0;
	case REAL:
		put(x, tn_datum_f(s->bits == 32 ? (double)(float)((double)dice(1000) / 7) : (double)dice(UINT64_MAX) / 3));
		return 0;
	case TEXT:
		if (s->bits == TN_ENCODING_UTF16BE)
			put(x, tn_datum_bytes("\0h\0i", 4));
		else if (s->bits == TN_ENCODING_UTF16LE)
			put(x, tn_datum_bytes("h\0i", 4));
		else
			put_bytes(x, !form_2 + dice(12), true);	/* as above, for empty ones */
		return 0;
	case FIXED_TEXT:
		put_bytes(x, form_2 ? dice(s->n + 1) : 1 + dice(s->n), true);
		return 0;
	case TEXT_SEQUENCE:
		put_bytes(x, ref, true);
		return 0;
	case BLOB:
	case BLOB_SEQUENCE:
		put_bytes(x, s->what == BLOB ? s->n : ref, false);
		return 0;
	case FIXED:
	case SEQUENCE:
		/* An array of bytes without elements: the text after it must not be taken for them. */
		if (s->in[0]->what == NUMBER && !s->in[0]->is_bool && (s->what == FIXED ? s->n : ref) == 0 && tn_type_bits(s->in[0]->type) == 8 &&
		    tn_type_align(s->in[0]->type) == 8)
			put(x, tn_datum_bytes(nothing, 0));
		for (uint64_t i = 0; i < (s->what == FIXED ? s->n : ref); i++)
			make(x, s->in[0], 0);
		return 0;
	case STRUCT:
		for (unsigned i = 0; i < s->n; i++)
			said[i] = make(x, s->in[i], s->in[i]->ref >= 0 ? said[s->in[i]->ref] : 0);
		return 0;
	case VARIANT:
		make(x, s->in[ref], 0);
		return 0;
	case OPTIONAL:
		if (ref)
			make(x, s->in[0], 0);
		return 0;
	}
	return 0;
}

/* ---- one trace ---- */

struct event {
	unsigned class;
	uint64_t clock;
	struct data data;
};

struct stream {
	struct tn_stream_class *sc;
	struct tn_event_class *class[3];
	struct spec *common, *specific[3], *payload[3];
	struct spec *context;
	struct data context_data;
	struct tn_draft_stream how;
	struct tn_packet_writer *writer;
	char file[24];
	bool full;
	struct event event[EVENTS];
	unsigned n_events, seen;
	uint64_t lost;
};

static struct stream streams[3];

static bool
is_full(void *user)
{
	return ((struct stream *)user)->full;
}

static void
draft_stream(struct tn_draft *d, struct stream *s, struct tn_clock *clock)
{
	struct tn_draft_stream how = {
		TN_DRAFT_STREAM, .name = dice(2) ? "s" : NULL, .clock = clock, .header = (enum tn_draft_header)dice(3),
		.id_bits = dice(2) ? 0 : 2 + (unsigned)dice(63), .time_bits = dice(2) ? 0 : 1 + (unsigned)dice(64),
		.no_discarded = dice(4) == 0, .no_sequence = dice(4) == 0,
		.discarded_bits = dice(2) ? 0 : 1 + (unsigned)dice(64), .sequence_bits = dice(2) ? 0 : 1 + (unsigned)dice(64),
	};

	how.any_order = dice(4) == 0 && how.header == TN_HEADER_PLAIN && how.time_bits % 64 == 0 && clock;
	if (dice(2))
		how.packet_context = (s->context = structure_of(d, 2))->type;
	if (dice(2))
		how.common_context = (s->common = structure_of(d, 2))->type;
	s->how = how;
	s->sc = tn_draft_stream_class(d, &how);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const names[] = { "e", "with \"quotes\"", "int" };

		if (dice(2))
			s->specific[i] = structure_of(d, 2);
		if (dice(4))
			s->payload[i] = structure_of(d, 3);
		s->class[i] = tn_draft_event_class(d, s->sc, names[i], dice(3) ? -1 : (int)dice(15),
						   s->specific[i] ? s->specific[i]->type : NULL, s->payload[i] ? s->payload[i]->type : NULL);
	}
}

static void
write_events(struct stream *s, uint64_t frequency)
{
	bool counts = !s->how.no_discarded && (!s->how.discarded_bits || s->how.discarded_bits >= 16);
	unsigned events = (unsigned)dice(EVENTS);
	uint64_t clock = dice(100000), before;

	for (unsigned i = 0; i < events; i++) {
		struct event *e = &s->event[s->n_events];

		*e = (struct event) { .class = (unsigned)dice(3) };
		/* babeltrace2 2.0 rounds long times of slow clocks. */
		clock += dice(4) ? dice(100) : dice(3) ? 0 : UINT64_C(1) << dice(frequency == 1000000000 ? 34 : 14);
		e->clock = s->how.any_order && clock > 50 ? clock - dice(50) : clock;
		if (s->common)
			make(&e->data, s->common, 0);
		if (s->specific[e->class])
			make(&e->data, s->specific[e->class], 0);
		if (s->payload[e->class])
			make(&e->data, s->payload[e->class], 0);
		s->full = counts && tn_packet_writer_sequence(s->writer) && dice(3) == 0;
		before = tn_packet_writer_discarded(s->writer);
		if (tn_packet_writer_event_at(s->writer, e->clock, s->class[e->class], e->data.datum, e->data.n, &err) != TN_OK) {
			printf("cannot write: %s\n", err.text);
			bad++;
			return;
		}
		s->n_events += tn_packet_writer_discarded(s->writer) == before;
	}
	s->lost = tn_packet_writer_discarded(s->writer);
}

static bool
same_bytes(const struct tn_value *v, const struct tn_datum *d)
{
	enum tn_kind kind = tn_type_kind(tn_value_type(v));
	const void *p;
	size_t n;

	if (kind != TN_KIND_STRING && kind != TN_KIND_BLOB) {
		uint8_t wide[64];

		return tn_value_wide(v, wide, sizeof wide, &n) == TN_OK && n == d->n && memcmp(wide, d->is.bytes, n) == 0;
	}
	if (tn_value_bytes(v, &p, &n) != TN_OK)
		return false;
	if (tn_type_encoding(tn_value_type(v)) >= TN_ENCODING_UTF16BE)
		return n == 2 && memcmp(p, "hi", 2) == 0;
	return n == d->n && (!n || memcmp(p, d->is.bytes, n) == 0);
}

static bool
same_leaf(const struct tn_value *v, const struct tn_datum *d)
{
	double f;
	uint64_t u;
	int64_t i;

	switch (d->kind) {
	case TN_DATUM_BYTES:
		return same_bytes(v, d);
	case TN_DATUM_FLOAT:
		return tn_value_double(v, &f) == TN_OK && memcmp(&f, &d->is.f, sizeof f) == 0;
	case TN_DATUM_SINT:
		return tn_value_i64(v, &i) == TN_OK && i == d->is.i;
	default:
		if (tn_type_kind(tn_value_type(v)) == TN_KIND_BOOL)
			return tn_value_u64(v, &u) == TN_OK && !u == !d->is.u;
		return tn_value_u64(v, &u) == TN_OK && u == d->is.u;
	}
}

static void
skip_nothing(const struct data *x, size_t *at)
{
	while (*at < x->n && x->datum[*at].kind == TN_DATUM_BYTES && x->datum[*at].is.bytes == nothing)
		++*at;
}

/* All leaves inside, in order. */
static bool
same_values(const struct tn_value *v, const struct data *x, size_t *at)
{
	enum tn_kind kind = tn_type_kind(tn_value_type(v));

	if (kind < TN_KIND_STRUCT) {
		char path[256];

		skip_nothing(x, at);
		if (*at < x->n && same_leaf(v, &x->datum[*at]))
			return ++*at;
		tn_field_step(tn_value_field(v), SIZE_MAX, path, sizeof path);
		printf("value %zu, %s, at bit %llu:\n", *at, path, (unsigned long long)tn_value_bit(v));
		return false;
	}
	for (const struct tn_value *in = tn_value_first(v); in; in = tn_value_after(v, in))
		if (!same_values(in, x, at))
			return false;
	return true;
}

static const char *
difference(struct stream *s, const struct tn_row *row, const struct tn_event *e)
{
	const struct event *want = &s->event[s->seen++];
	const struct tn_value *context = tn_event_scope(e, TN_SCOPE_PACKET_CONTEXT);
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_PAYLOAD };
	size_t at = 0;

	if (s->seen > s->n_events)
		return "one more than was written";
	if (strcmp(tn_event_name(e), ((const char *const[]) { "e", "with \"quotes\"", "int" })[want->class]) != 0)
		return "its class";
	if (s->how.clock && row->cycles != want->clock)
		return "its time";
	for (unsigned i = 0; i < 3; i++) {
		const struct tn_value *scope = tn_event_scope(e, scopes[i]);

		if (scope && !same_values(scope, &want->data, &at))
			return "a value";
	}
	skip_nothing(&want->data, &at);
	if (at != want->data.n)
		return "the number of values";
	at = 0;
	if (s->context && context) {
		/* Behind the writer's own. */
		const struct tn_value *in = tn_value_first(context);

		while (in && !tn_value_member(context, "content_size"))
			in = NULL;
		for (unsigned own = (s->how.clock ? 4 : 2) + !s->how.no_sequence + !s->how.no_discarded; in && own; own--)
			in = tn_value_after(context, in);
		for (; in; in = tn_value_after(context, in))
			if (!same_values(in, &s->context_data, &at))
				return "a value of the packet context";
		skip_nothing(&s->context_data, &at);
		if (at != s->context_data.n)
			return "the number of values in the packet context";
	}
	return NULL;
}

static void
tell(void *user, const struct tn_problem *problem)
{
	if (problem->severity >= TN_WARNING && !strstr(problem->text, "is used for label")) {
		printf("trace %s: %s\n", (const char *)user, problem->text);
		bad++;
	}
}

static void
read_back(const char *folder, unsigned n)
{
	struct tn_set *set;
	struct tn_cursor *cur;
	uint64_t lost[3] = { 0 };
	enum tn_code rc;

	if (tn_set_open(&set, &folder, 1, &(struct tn_open_options) { TN_OPEN_OPTIONS, .no_index_cache = true, .problem = tell,
			.user = (void *)folder }, &err) != TN_OK) {
		printf("%s: cannot be opened: %s\n", folder, err.text);
		bad++;
		return;
	}
	check(tn_cursor_new(&cur, set, &err), &err);
	for (rc = tn_cursor_first(cur, &err); rc == TN_OK; rc = tn_cursor_next(cur, &err)) {
		const struct tn_event *e;
		const char *how = NULL;
		struct stream *s = NULL;
		struct tn_row row;

		tn_cursor_row(cur, &row);
		for (unsigned i = 0; i < n; i++)
			if (strstr(tn_stream_name(row.stream), streams[i].file))
				s = &streams[i];
		if (row.kind == TN_ROW_LOST_EVENTS && s)
			lost[s - streams] += row.count;
		else if (row.kind == TN_ROW_DAMAGE && s && s->how.any_order && row.text && strstr(row.text, "time goes back"))
			continue;
		else if (row.kind != TN_ROW_EVENT)
			how = row.text ? row.text : "a notice";
		else if (tn_cursor_read(cur, ~0u, &e, &err) != TN_OK)
			how = err.text;
		else
			how = s ? difference(s, &row, e) : "its stream";
		if (how) {
			printf("%s: %s: event %u: %s\n", folder, tn_stream_name(row.stream), s ? s->seen : 0, how);
			bad++;
			break;
		}
	}
	for (unsigned i = 0; i < n && rc != TN_OK; i++) {
		if (streams[i].seen == streams[i].n_events && lost[i] == (streams[i].how.no_discarded ? 0 : streams[i].lost))
			continue;
		printf("%s: %s: %u events of %u, %llu lost of %llu\n", folder, streams[i].file, streams[i].seen, streams[i].n_events,
		       (unsigned long long)lost[i], (unsigned long long)streams[i].lost);
		bad++;
	}
	tn_cursor_free(cur);
	tn_set_close(set);
}

/* False: its byte orders may change inside a byte. */
static bool
one(const char *folder, unsigned number, bool swaps)
{
	static const uint8_t uuid[16] = "random drafts .";
	static const uint64_t frequencies[] = { 1000000000, 1000, 1, 3579545, 19200000 };
	unsigned n = 1 + (unsigned)dice(3);
	uint64_t frequency = frequencies[dice(5)];
	bool own = false;
	struct tn_trace_writer *w;
	struct tn_clock *clock;
	struct tn_draft *d;

	form_2 = dice(2);
	may_swap = swaps;
	n_specs = 0;
	memset(streams, 0, sizeof streams);
	check(tn_draft_new(&d, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .big_endian = dice(2), .uuid = dice(2) ? uuid : NULL },
			   &err), &err);
	tn_draft_env_text(d, "host", "a \"b\"\n\\");
	tn_draft_env_number(d, "minus", -7);
	clock = dice(6) ? tn_draft_clock(d, "c", frequency, (int64_t)dice(1000000), dice(1000), true) : NULL;
	for (unsigned i = 0; i < n; i++)
		draft_stream(d, &streams[i], clock);
	if (tn_draft_finish(d, &err) != TN_OK) {
		bool order = strstr(err.text, "byte order") != NULL;

		if (!order) {
			printf("%s: %s\n", folder, err.text);
			bad++;
		}
		tn_draft_free(d);
		return !order;
	}
	check(tn_trace_writer_new(&w, folder, d, form_2 ? TN_METADATA_CTF_2 : TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < n; i++) {
		struct stream *s = &streams[i];
		struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = s->file, .id = dice(100), .packet_size = 1024 + dice(3000),
						 .is_full = is_full, .user = s };

		snprintf(s->file, sizeof s->file, "stream%u", i);
		if (s->context) {
			make(&s->context_data, s->context, 0);
			file.context = s->context_data.datum;
			file.n_context = s->context_data.n;
		}
		check(tn_trace_writer_stream(w, s->sc, &file, &s->writer, &err), &err);
		write_events(s, frequency);
		own = own || s->how.any_order || !clock;
		for (unsigned k = 0; k < 3; k++)
			own = own || (!form_2 && has_reference(s->specific[k]));
	}
	check(tn_trace_writer_finish(w, &err), &err);
	tn_trace_writer_free(w);
	tn_draft_free(d);
	printf("%u %s\n", number, own ? "own" : form_2 ? "2" : "1.8");
	read_back(folder, n);
	return true;
}

int
main(int argc, char **argv)
{
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, traces = argc > 3 ? strtoul(argv[3], NULL, 10) : 20;

	if (argc < 2) {
		fprintf(stderr, "usage: drafts FOLDER [SEED [TRACES]]\n");
		return 2;
	}
	for (unsigned i = 0; i < traces; i++) {
		uint64_t begin = (seed * 1000003 + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
		char folder[4096];

		snprintf(folder, sizeof folder, "%s/%u", argv[1], i);
		state = begin;
		for (unsigned k = 0; k < 8; k++)
			dice(0), dice(2);
		if (!one(folder, i, true))
			one(folder, i, false);
	}
	return bad != 0;
}
