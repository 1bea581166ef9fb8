/*
 * data_row_run.c - the machine with a sink that writes records
 */
#include <math.h>
#include <stdlib.h>
#include <unistr.h>

#include "text/json_value.h"
#include "text/data_row.h"
#include "text/sink.h"

/*
 * The sink of lines with the additions for CSV. `text` is the first member, because put_repeating() passes only that
 * on.
 */
struct record_sink {
	struct text_sink text;
	size_t cell_from;	/* start of the cell that may need quotes, in out->text */
	struct tn_csv_cell *cell;	/* places of the cells of a scattered class, by cell number */
	bool csv;
};

static inline const struct text_field *
field_of(const struct tn_op *op)
{
	return (const struct text_field *)op->field;
}

static size_t
place_of(const struct text_sink *s, const char *p)
{
	return (size_t)(p - s->out->text);
}

/* Write the text before a value. NULL: is_hidden() gives the reason. */
static inline char *
begin(struct record_sink *r, const struct text_field *f)
{
	struct text_sink *s = &r->text;
	char *p;

	if (UNLIKELY(is_hidden(f)) || !room(s, f->need))
		return NULL;
	p = s->p;
	if (UNLIKELY(f->element) && s->level_n[s->level - 1]++)
		*p++ = ',';
	p = copy(p, f->lead.text, f->lead.n);
	if (UNLIKELY(f->cell)) {
		if (f->cell & CELL_PLACED)
			r->cell[f->number].from = place_of(s, p);
		if (f->cell & CELL_QUOTED)
			r->cell_from = place_of(s, p);
	}
	return p;
}

/* End a cell: add quotes if needed, and note its place. */
static __attribute__((noinline)) char *
end_cell(struct record_sink *r, const struct text_field *f, char *p)
{
	struct text_sink *s = &r->text;

	if (f->cell & CELL_QUOTED) {
		leave(s, p);
		tn_data_row_quote(s->out, r->cell_from);
		if (!come_back(s, f))
			return NULL;
		p = s->p;
		if (f->cell & CELL_PLACED)
			r->cell[f->number].from = r->cell_from;
	}
	if (f->cell & CELL_PLACED)
		r->cell[f->number].to = place_of(s, p);
	return p;
}

static inline bool
finish(struct record_sink *r, const struct text_field *f, char *p)
{
	if (UNLIKELY(f->cell) && !(p = end_cell(r, f, p)))
		return false;
	return put_tail(&r->text, f, p);
}

/* ---- numbers ---- */

/* In CSV, add a cell of labels after the cell of the number. */
static bool
put_label_cells(struct record_sink *r, const struct text_field *f, uint64_t v, char *p)
{
	struct text_sink *s = &r->text;
	size_t from;

	p = f->field.type->kind == TN_KIND_SINT ? tn_put_i64(p, (int64_t)v) : tn_put_u64(p, v);
	if (f->cell & CELL_PLACED)
		r->cell[f->number].to = place_of(s, p);
	p = copy(p, f->between.text, f->between.n);
	from = place_of(s, p);
	leave(s, p);
	tn_data_row_put_labels(f, v, true, s->out);
	if (s->out->n > from)
		tn_data_row_quote(s->out, from);
	if (f->cell & CELL_PLACED)
		r->cell[f->number + 1] = (struct tn_csv_cell) { from, s->out->n };
	return come_back(s, f) && put_tail(s, f, s->p);
}

static __attribute__((noinline)) bool
put_labels(struct record_sink *r, const struct text_field *f, uint64_t v, char *p)
{
	struct text_sink *s = &r->text;

	if (LIKELY(v < f->n_dense))
		return put_words(s, f, v, p);
	if (f->cell & CELL_LABELS)
		return put_label_cells(r, f, v, p);
	leave(s, p);
	tn_data_row_put_labels(f, v, false, s->out);
	return come_back(s, f) && finish(r, f, s->p);
}

static inline __attribute__((always_inline)) bool
put_number(struct record_sink *r, const struct tn_op *op, uint64_t v)
{
	const struct text_field *f = field_of(op);
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	switch ((enum text_how)f->how) {
	case HOW_DECIMAL:
		return finish(r, f, tn_put_u64(p, v));
	case HOW_SIGNED:
		return finish(r, f, tn_put_i64(p, (int64_t)v));
	case HOW_BOOL:
		memcpy(p, v ? "true" : "false", 5);
		return finish(r, f, p + (v ? 4 : 5));
	default:
		return put_labels(r, f, v, p);
	}
}

static bool
put_too_large(struct record_sink *r, const struct tn_op *op)
{
	static const char labelled[] = "{\"value\":\"too large\",\"labels\":[]}";
	const struct text_field *f = field_of(op);
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	if (f->cell & CELL_LABELS) {
		memcpy(p, "too large", 9);
		if (f->cell & CELL_PLACED) {
			r->cell[f->number].to = place_of(&r->text, p + 9);
			r->cell[f->number + 1] = (struct tn_csv_cell) { 0, 0 };
		}
		return put_tail(&r->text, f, copy(p + 9, f->between.text, f->between.n));
	}
	if (f->how == HOW_ENUM) {
		memcpy(p, labelled, sizeof labelled - 1);
		return finish(r, f, p + sizeof labelled - 1);
	}
	if (r->csv && r->text.level == 0) {
		memcpy(p, "too large", 9);
		return finish(r, f, p + 9);
	}
	memcpy(p, "\"too large\"", 11);
	return finish(r, f, p + 11);
}

static bool
put_float(struct record_sink *r, const struct tn_op *op, double v)
{
	const struct text_field *f = field_of(op);
	bool bare;
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	if (isfinite(v))
		return finish(r, f, tn_json_put_finite(p, v, f->field.type->length == 32));
	bare = r->csv && r->text.level == 0;
	if (!bare)
		*p++ = '"';
	if (!isnan(v) && v < 0)
		*p++ = '-';
	memcpy(p, isnan(v) ? "nan" : "inf", 3);
	p += 3;
	if (!bare)
		*p++ = '"';
	return finish(r, f, p);
}

static bool
put_wide(struct record_sink *r, const struct tn_op *op, const uint8_t *from, uint64_t bit)
{
	const struct text_field *f = field_of(op);
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	leave(&r->text, p);
	tn_put_wide(r->text.out, from, (unsigned)(bit & 7), f->field.type);
	return come_back(&r->text, f) && finish(r, f, r->text.p);
}

/* ---- bytes ---- */

/* Write a text that is a whole cell, with quotes only if it needs them. */
static bool
put_text_cell(struct record_sink *r, const struct text_field *f, const uint8_t *from, size_t n, char *p)
{
	leave(&r->text, p);
	tn_json_utf8(r->text.out, from, n);
	return come_back(&r->text, f) && finish(r, f, r->text.p);
}

static bool
put_string(struct record_sink *r, const struct tn_op *op, const uint8_t *from, size_t n)
{
	const struct text_field *f = field_of(op);
	struct text_sink *s = &r->text;
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	if (f->cell)
		return put_text_cell(r, f, from, n, p);
	do {
		size_t some = n < TN_PUT_PIECE ? n : TN_PUT_PIECE;

		s->p = p;
		if (!room(s, f->need + 6 * some))
			return false;
		some = tn_json_put_some(s->p, from, n, some, &p);
		from += some;
		n -= some;
	} while (n);
	return finish(r, f, p);
}

static bool
put_blob(struct record_sink *r, const struct tn_op *op, const uint8_t *from, size_t n)
{
	const struct text_field *f = field_of(op);
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	leave(&r->text, p);
	tn_json_blob(r->text.out, from, n);
	return come_back(&r->text, f) && finish(r, f, r->text.p);
}

/* ---- compounds ---- */

/* Begin a structure that is one cell. Any other structure is written whole, because none of its members is shown. */
static bool
put_struct(struct record_sink *r, const struct tn_op *op)
{
	const struct text_field *f = field_of(op);
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	if (f->how != HOW_OBJECT)
		return finish(r, f, p);
	*p++ = '{';
	r->text.p = p;
	return open_level(&r->text, 0);
}

static bool
put_open(struct record_sink *r, const struct tn_op *op, bool inside)
{
	const struct text_field *f = field_of(op);
	struct text_sink *s = &r->text;
	char *p = begin(r, f);

	if (!p)
		return is_hidden(f);
	if (f->how == HOW_ARRAY) {
		if (!open_level(s, 0))
			return false;
		if (f->cell)
			*p++ = '[';
	} else if (!inside && !(r->csv && s->level == 0)) {
		memcpy(p, "null", 4);
		p += 4;
	}
	s->p = p;
	return true;
}

/* Close an array, a variant, an optional or an object. */
static bool
put_close(struct record_sink *r, const struct tn_op *op)
{
	const struct text_field *f = field_of(op);
	struct text_sink *s = &r->text;

	if (f->how == HOW_HIDDEN || f->how == HOW_STRUCT)
		return true;
	if (!room(s, f->need))
		return false;
	if (f->how == HOW_ARRAY || f->how == HOW_OBJECT)
		s->level--;
	if (f->how == HOW_OBJECT || (f->how == HOW_ARRAY && f->cell))
		*s->p++ = f->how == HOW_ARRAY ? ']' : '}';
	return finish(r, f, s->p);
}

#define TN_RUN_NAME run_records
#define TN_RUN_SINK struct record_sink
#include "text/sink_run.h"

static enum tn_trouble
run(struct tn_machine *m, const struct tn_op *code, struct text_sink *s)
{
	return run_records(m, code, (struct record_sink *)s);
}

/* ---- the record ---- */

static inline bool
is_csv(const struct place *at)
{
	return at->text->options.format == TN_LINE_CSV;
}

static inline char *
put(char *p, const char *text, size_t n)
{
	memcpy(p, text, n);
	return p + n;
}
#define PUT(p, literal) put((p), "" literal, sizeof(literal) - 1)

/* Write time, nanoseconds and cycles. */
static bool
put_times(const struct place *at, size_t row)
{
	struct tn_str *out = at->out;
	bool has_time = at->batch->stream->stream_class->clock, csv = is_csv(at);
	int64_t ns;
	char *p;

	if (!tn_str_reserve(out, TN_STR_SLACK + 64))
		return false;
	p = out->text + out->n;
	if (!has_time) {
		p = csv ? PUT(p, ",,,") : PUT(p, "{");
	} else {
		ns = tn_batch_time(at->batch, row);
		out->n = (size_t)((csv ? p : PUT(p, "{\"time\":\"")) - out->text);
		tn_put_time(at->text, &at->cache->second, ns, out);
		if (!tn_str_reserve(out, 2 * TN_STR_SLACK + 64))
			return false;
		p = out->text + out->n;
		p = tn_put_i64(csv ? PUT(p, ",") : PUT(p, "\",\"time_ns\":"), ns);
		p = tn_put_u64(csv ? PUT(p, ",") : PUT(p, ",\"cycles\":"), tn_batch_cycles(at->batch, row));
		*p++ = ',';
	}
	out->n = (size_t)(p - out->text);
	return true;
}

/* Write the cells from @from on in the order of their columns. */
static bool
put_in_order(const struct place *at, const struct tn_class_columns *c, size_t from)
{
	struct tn_str *out = at->out, *copy_of = &at->cache->room.room;
	size_t n = c->begin[TN_COLUMN_SCOPES], first = c->begin[1], size = out->n - from;
	size_t last = first ? c->column[first - 1] : TN_FIRST_COLUMNS - 1;
	const struct tn_csv_cell *cell = at->cache->room.cell;

	copy_of->n = 0;
	tn_str_put(copy_of, out->text + from, size);
	if (copy_of->failed || !tn_str_reserve(out, at->text->columns->n))
		return false;
	out->n = from;
	for (size_t i = 0; i < n; i++) {
		size_t k = c->order[i];

		if (k < first)
			continue;
		if (!tn_str_reserve(out, cell[k].to - cell[k].from + at->text->columns->n))
			return false;
		memset(out->text + out->n, ',', c->column[k] - last);
		out->n += c->column[k] - last;
		last = c->column[k];
		memcpy(out->text + out->n, copy_of->text + (cell[k].from - from), cell[k].to - cell[k].from);
		out->n += cell[k].to - cell[k].from;
	}
	return true;
}

static bool
make_cells(const struct place *at)
{
	struct tn_data_row_room *r = &at->cache->room;

	if (!r->cell)
		r->cell = calloc(at->text->columns->n, sizeof *r->cell);
	return r->cell;
}

/* Make all cells empty at @from, so that a cell that the event does not write is empty. */
static void
clear_cells(const struct place *at, const struct tn_class_columns *c, size_t from)
{
	for (size_t i = c->begin[1]; i < c->begin[TN_COLUMN_SCOPES]; i++)
		at->cache->room.cell[i] = (struct tn_csv_cell) { from, from };
}

static enum tn_trouble
put_fields(const struct place *at, const struct tn_class_words *words, struct tn_machine *m)
{
	struct tn_direct *d = at->direct;
	struct tn_str *out = at->out;
	size_t from = out->n;
	struct record_sink r = {
		.text = { .out = out, .text = at->text, .p = out->text + out->n, .limit = out->text + out->room },
		.cell = at->cache->room.cell, .csv = is_csv(at),
	};
	enum tn_trouble trouble = TN_TROUBLE_NONE;

	if (words->scattered)
		clear_cells(at, words->columns, from);
	if (words->repeats && words->repeat_bytes)
		trouble = put_repeating(run, words, d, m, &r.text);
	else if (words->repeats)
		trouble = run(m, words->repeats, &r.text);
	if (trouble == TN_TROUBLE_NONE && words->middle.n) {
		if (!room(&r.text, words->middle.n))
			return TN_TROUBLE_SINK;
		r.text.p = copy(r.text.p, words->middle.text, words->middle.n);
	}
	if (trouble == TN_TROUBLE_NONE)
		trouble = run(m, words->code, &r.text);
	leave(&r.text, r.text.p);
	if (trouble == TN_TROUBLE_NONE && words->scattered && !put_in_order(at, words->columns, from))
		return TN_TROUBLE_SINK;
	return trouble;
}

/* Write a cut event without its fields, which need not be read. */
static enum tn_code
cut(const struct place *at, size_t row, size_t begin, struct tn_error *err)
{
	const struct tn_batch *b = at->batch;
	const struct tn_stream *s = b->stream;
	const struct tn_event_class *ec = s->trace->event_class[b->refs.item[row].event_class];
	bool clock = s->stream_class->clock;
	struct tn_event e = {
		.stream = s, .event_class = ec, .name = ec->name, .packet = b->packet, .has_time = clock,
		.has_cycles = clock, .time_ns = tn_batch_time(b, row), .cycles = tn_batch_cycles(b, row),
	};

	return tn_line_cut(at->text, &e, at->out, begin, err);
}

/* Write the record of a row whose class has a code. TN_END: the row needs the general path, and @out is unchanged. */
static enum tn_code
put_record(const struct place *at, const struct tn_class_words *words, size_t row, struct tn_error *err)
{
	struct tn_direct *d = at->direct;
	struct tn_str *out = at->out;
	size_t n = out->n;
	struct tn_machine m = {
		.p = at->batch->data, .at = at->batch->base_bit + at->batch->refs.item[row].bit,
		.end = at->batch->entry.content_bits, .slot = d->slot,
	};

	if (UNLIKELY(m.at > m.end))
		return TN_END;
	if (!pass_shape(at->plan, &m) && tn_machine_skip(&m, at->plan->header) != TN_TROUBLE_NONE)
		return TN_END;
	if (words->scattered && !make_cells(at))
		return tn_fail_memory(err);
	if (!put_times(at, row) ||
	    !tn_str_reserve(out, d->context.n + words->head.n + d->cells.n + 2 * TN_STR_SLACK)) {
		out->n = n;
		return tn_fail_memory(err);
	}
	tn_str_put(out, d->context.text, d->context.n);
	tn_str_put(out, words->head.text, words->head.n);
	tn_str_put(out, d->cells.text, d->cells.n);
	if (UNLIKELY(put_fields(at, words, &m) != TN_TROUBLE_NONE)) {
		if (out->full)
			return cut(at, row, n, err);
		out->n = n;
		return out->failed ? tn_fail_memory(err) : TN_END;
	}
	tn_str_put(out, words->tail.text, words->tail.n);
	if (!out->failed && out->n <= out->most)
		return TN_OK;
	if (out->full || !out->failed)
		return cut(at, row, n, err);
	out->n = n;
	return tn_fail_memory(err);
}

#define TN_PUT_ROW(at, words, row, bit, now, previous, err) put_record(at, words, row, err)
#include "text/rows.h"

enum tn_code
tn_data_row_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		      size_t end, struct tn_str *out, struct tn_error *err)
{
	return append_rows(text, state, batch, row, end, NULL, out, err);
}
