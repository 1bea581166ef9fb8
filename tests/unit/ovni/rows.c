#include "rows.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <inttypes.h>

static void
put_text(struct tn_str *out, const uint8_t *bytes, uint64_t n)
{
	tn_str_putc(out, '"');
	for (uint64_t i = 0; i < n; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			tn_str_printf(out, "\\%c", bytes[i]);
		else if (iscntrl(bytes[i]))
			tn_str_printf(out, "\\x%02x", bytes[i]);
		else
			tn_str_putc(out, (char)bytes[i]);
	}
	tn_str_putc(out, '"');
}

static void
put_inside(struct tn_str *out, const struct tn_value *v, const char *braces)
{
	const struct tn_value *at = tn_value_first(v);

	tn_str_putc(out, braces[0]);
	for (size_t i = 0; at; at = tn_value_after(v, at)) {
		if (at->field->hidden)
			continue;
		tn_str_puts(out, i ? ", " : " ");
		if (braces[0] == '[')
			tn_str_printf(out, "[%zu] = ", i);
		else
			tn_str_printf(out, "%s = ", at->field->label);
		rows_value(out, at);
		i++;
	}
	tn_str_printf(out, " %c", braces[1]);
}

void
rows_value(struct tn_str *out, const struct tn_value *v)
{
	switch (v->field->type->kind) {
	case TN_KIND_UINT:
		if (v->field->type->base == 16)
			tn_str_printf(out, "0x%" PRIX64, v->u);
		else
			tn_str_printf(out, "%" PRIu64, v->u);
		break;
	case TN_KIND_SINT:
		tn_str_printf(out, "%" PRId64, v->i);
		break;
	case TN_KIND_FLOAT:
		tn_str_printf(out, "%.17g", v->f);
		break;
	case TN_KIND_STRING:
		put_text(out, v->bytes, v->size);
		break;
	case TN_KIND_STRUCT:
		put_inside(out, v, "{}");
		break;
	case TN_KIND_ARRAY:
		put_inside(out, v, "[]");
		break;
	default:
		cr_assert_fail("no value of kind %d is expected", (int)v->field->type->kind);
	}
}

/* Preorder: each value holds exactly what is said to be in it. */
static size_t
check_tree(const struct tn_value *v)
{
	size_t n = 0, count = tn_value_count(v);

	cr_assert_leq(v->bit, v->end, "%s", v->field->name);
	for (const struct tn_value *at = tn_value_first(v); at; at = tn_value_after(v, at), n++)
		check_tree(at);
	cr_assert_eq(n, count, "%zu values in %s, not %zu", n, v->field->name, count);
	return n;
}

static void
put_event(struct rows *r, const struct tn_batch *b, size_t i, struct tn_event *e)
{
	static const enum tn_scope scopes[] = { TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_PAYLOAD };
	enum tn_code rc = b->stream->trace->ops->read(b, i, TN_SCOPE_SHOWN, e, &r->err);

	cr_assert_eq(rc, TN_OK, "%s", r->err.text);
	cr_assert_eq(e->time_ns, tn_batch_time(b, i));
	cr_assert_eq(e->cycles, tn_batch_cycles(b, i), "row %zu", i);
	cr_assert_lt(e->bit, e->end_bit);
	cr_assert_leq(e->end_bit, b->entry.content_bits);
	tn_str_printf(&r->text, "[%" PRIu64 "] %s:", e->cycles, e->name);
	for (size_t k = 0, n = 0; k < TN_COUNT(scopes); k++) {
		const struct tn_value *v = tn_event_scope(e, scopes[k]);

		if (!v)
			continue;
		check_tree(v);
		cr_assert_leq(v->end, e->end_bit, "%s", e->name);
		tn_str_puts(&r->text, n++ ? ", " : " ");
		rows_value(&r->text, v);
	}
	tn_str_putc(&r->text, '\n');
	r->n_events++;
}

static void
put_batch(struct rows *r, const struct tn_batch *b, struct tn_event *e, int64_t *key)
{
	size_t events = 0;

	for (size_t i = 0; i < b->refs.n; i++) {
		const struct tn_ref *ref = &b->refs.item[i];

		r->keys_fall |= ref->time_ns < *key;
		*key = ref->time_ns;
		if (ref->event_class == TN_REF_NOTICE) {
			tn_str_printf(&r->text, "[%" PRIu64 "] damage: %s\n", tn_batch_cycles(b, i),
				      b->notices.item[ref->bit].text);
			continue;
		}
		events++;
		put_event(r, b, i, e);
	}
	cr_assert_eq(events, b->n_events);
}

static void
read_entry(struct rows *r, struct tn_stream *s, size_t number, struct tn_event *e, int64_t *key)
{
	struct tn_batch b = { 0 };
	struct tn_packet *p = &s->index.packet[number];
	struct tn_mark mark = { .clock = p->clock_start, .key = p->begin_ns };
	uint64_t rows = 0, events = 0;

	do {
		tn_batch_clear(&b);
		b.stream = s;
		b.packet = number;
		b.entry = *p;
		b.has_before = number > 0;
		if (number)
			b.before = p[-1];
		b.limit = r->limit;
		b.data = s->file[p->file].map.data + p->offset;
		b.begin = mark;
		cr_assert_eq(r->trace.ops->walk(&b, &r->err), TN_OK, "%s", r->err.text);
		cr_assert_leq(b.refs.n, r->limit ? r->limit : TN_BATCH_REFS);
		put_batch(r, &b, e, key);
		cr_assert_leq(*key, p->end_ns);
		events += b.n_events;
		rows += b.refs.n;
		mark = b.end;
		cr_assert_eq(mark.row, rows);
	} while (!b.last);
	if (p->n_events != TN_UNKNOWN && !(p->flags & TN_PACKET_CUT))
		cr_assert_eq(p->n_events, events);
	tn_batch_release(&b);
}

static void
on_problem(void *user, const struct tn_problem *problem)
{
	static const char *const names[] = { "note", "warning", "wrong", "damage" };
	struct rows *r = user;

	tn_str_printf(&r->problems, "%s: %s\n", names[problem->severity], problem->text);
}

void
rows_read(struct rows *r, const struct tn_format *format, const char *path)
{
	struct tn_event e = { 0 };

	r->trace = (struct tn_trace) { .path = path, .ops = format, .options = &r->options,
				       .problems = { on_problem, r } };
	r->rc = format->open(&r->trace, &r->err);
	for (size_t i = 0; r->rc == TN_OK && i < r->trace.n_streams; i++) {
		struct tn_stream *s = r->trace.stream[i];
		int64_t key = INT64_MIN;

		for (size_t n = 0; !s->index.complete; n = s->index.n) {
			cr_assert_eq(format->extend(s, &r->err), TN_OK, "%s", r->err.text);
			cr_assert(s->index.n > n || s->index.complete);
		}
		for (size_t n = 0; n < s->index.n; n++)
			read_entry(r, s, n, &e, &key);
	}
	tn_event_release(&e);
}

void
rows_release(struct rows *r)
{
	/* They may have been handed on by value. */
	for (size_t i = 0; i < r->trace.n_streams; i++)
		r->trace.stream[i]->trace = &r->trace;
	tn_trace_release(&r->trace);
	tn_str_release(&r->problems);
	tn_str_release(&r->text);
}
