/*
 * read.c - the value of a record
 */
#include "vartrace/private.h"

#include <inttypes.h>

#include "model/build.h"

#define SHOWN (UINT64_C(1) << 20)	/* limit of array elements that are shown */

struct reader {
	struct tn_values values;
	const struct tn_vt_trace *trace;
	const struct tn_vt_dump *dump;
	uint64_t entry;		/* start of the entry in the dump, from which positions in bits count */
};

/* Convert a position in the dump to a bit of the entry. */
static uint64_t
bit(const struct reader *r, uint64_t at)
{
	return (at - r->entry) * 8;
}

static struct tn_value *
add(struct reader *r, const struct tn_field *field, uint64_t at)
{
	return tn_values_add(&r->values, field, bit(r, at));
}

static struct tn_value *
add_text(struct reader *r, const struct tn_field *field, const void *bytes, size_t n, uint64_t at)
{
	return tn_values_string(&r->values, field, bytes, n, bit(r, at));
}

static size_t
begin(struct reader *r, const struct tn_field *field, uint64_t at)
{
	return tn_values_begin(&r->values, field, bit(r, at));
}

static void
end(struct reader *r, size_t begun, uint64_t n, uint64_t at)
{
	tn_values_end(&r->values, begun, n, bit(r, at));
}

/* The header of the record has the type in a byte of its own, and the message in another. */
static void
add_type(struct reader *r, const struct tn_field *field, const struct tn_vt_record *rec)
{
	const char *name = r->trace->type_name[rec->type];
	uint64_t at = rec->data - (r->dump->big_endian ? 4 : 1);

	add_text(r, field, name, strlen(name), at)->end = bit(r, at + 1);
}

static void
set_number(struct tn_value *v, const struct tn_vt_dump *d, unsigned type, uint64_t at)
{
	unsigned bits = tn_vt_element_size(type) * 8;
	uint64_t u = tn_bits(d->data, at * 8, bits, d->big_endian);

	if (type == TN_VT_DOUBLE) {
		memcpy(&v->f, &u, 8);
	} else if (type == TN_VT_FLOAT) {
		uint32_t half = (uint32_t)u;
		float f;

		memcpy(&f, &half, 4);
		v->f = (double)f;
	} else {
		v->u = type & 1 ? (uint64_t)tn_sign_extend(u, bits) : u;
	}
}

/*
 * Single integers of 8 and 16 bits are assigned to a word, which on a big-endian machine puts them at its end;
 * an array of one element is at its start (4). The extension before the value decides.
 */
static uint64_t
place_of_scalar(const struct tn_vt_dump *d, unsigned type, uint64_t at)
{
	unsigned size = tn_vt_element_size(type);
	int32_t word;
	int64_t v;

	if (!d->big_endian || size > 2 || type > TN_VT_UINT32 || d->size - at < 4)
		return at;
	word = (int32_t)tn_vt_u32(d, at);
	v = type & 1 ? tn_sign_extend((uint32_t)word, size * 8) : (int64_t)tn_low_bits((uint32_t)word, size * 8);
	return word == v ? at + 4 - size : at;
}

static const char *
add_numbers(struct reader *r, const struct tn_vt_record *rec)
{
	unsigned size = tn_vt_element_size(rec->type);
	uint64_t n = rec->size / size, shown = n < SHOWN ? n : SHOWN;
	const struct tn_field *array = r->trace->array[rec->type];
	size_t root;

	if (n == 1) {
		uint64_t at = place_of_scalar(r->dump, rec->type, rec->data);

		set_number(add(r, r->trace->scalar[rec->type], at), r->dump, rec->type, at);
		return NULL;
	}
	root = begin(r, array, rec->data);
	for (uint64_t i = 0; i < shown && !r->values.failed; i++)
		set_number(add(r, array->type->field, rec->data + i * size), r->dump, rec->type, rec->data + i * size);
	end(r, root, shown, rec->data + rec->size);
	return shown < n ? "only the first 1048576 elements are shown" : NULL;
}

static const char *
add_bytes(struct reader *r, const struct tn_vt_record *rec)
{
	uint64_t shown = rec->size < SHOWN ? rec->size : SHOWN;
	size_t root = begin(r, r->trace->bytes, rec->data);

	for (uint64_t i = 0; i < shown && !r->values.failed; i++)
		add(r, r->trace->bytes->type->field, rec->data + i)->u = r->dump->data[rec->data + i];
	end(r, root, shown, rec->data + rec->size);
	return shown < rec->size ? "only the first 1048576 bytes are shown" : NULL;
}

static const char *add_value(struct reader *r, const struct tn_vt_record *rec, unsigned depth);

static const char *
add_subtrace(struct reader *r, const struct tn_vt_record *rec, unsigned depth)
{
	uint64_t at = rec->data, stop = rec->data + rec->size, n = 0;
	size_t root = begin(r, r->trace->subtrace, rec->data);
	struct tn_vt_record one;

	while (at < stop && !r->values.failed && tn_vt_nested(r->dump, at, stop, &one)) {
		size_t member = begin(r, r->trace->member, at);
		const char *warning;

		add(r, r->trace->member_id, at + (r->dump->big_endian ? 1 : 2))->u = one.id;
		add_type(r, r->trace->member_type, &one);
		warning = add_value(r, &one, depth + 1);
		if (warning)
			add_text(r, r->trace->member_warning, warning, strlen(warning), at);
		end(r, member, warning ? 4 : 3, one.data + one.size);
		at = one.next;
		n++;
	}
	end(r, root, n, stop);
	return at < stop ? "what follows is cut by the end of the subtrace" : NULL;
}

/* Returns the problem with the value; NULL: none. */
static const char *
add_value(struct reader *r, const struct tn_vt_record *rec, unsigned depth)
{
	unsigned element = tn_vt_element_size(rec->type);
	const char *warning;

	if (rec->type == TN_VT_SUBTRACE) {
		if (depth < TN_VT_DEPTH)
			return add_subtrace(r, rec, depth);
		warning = add_bytes(r, rec);
		return warning ? warning : "subtraces deeper than 256 are shown as bytes";
	}
	if (rec->type == TN_VT_CHAR) {
		add_text(r, r->trace->text, r->dump->data + rec->data, (size_t)rec->size, rec->data)->end =
			bit(r, rec->data + rec->size);
		return NULL;
	}
	if (!element)
		return add_bytes(r, rec);
	if (rec->size % element == 0)
		return add_numbers(r, rec);
	warning = add_bytes(r, rec);
	return warning ? warning : "the size is not a multiple of the element's";
}

static void
read_payload(struct reader *r, const struct tn_vt_record *rec)
{
	size_t root = begin(r, r->trace->payload, rec->at);
	const char *warning;

	add_type(r, r->trace->type, rec);
	warning = add_value(r, rec, 0);
	if (!warning && rec->repaired)
		warning = "more data than the size field holds: size, id and type are put right";
	if (warning)
		add_text(r, r->trace->warning, warning, strlen(warning), rec->at);
	end(r, root, warning ? 3 : 2, rec->data + rec->size);
}

/* Nested records without the records around them: the ring has overwritten the start (6). They end at @stop. */
static void
read_rest(struct reader *r, uint64_t stop)
{
	static const char warning[] = "the start of this subtrace is not in the dump";
	const struct tn_vt_record rec = { .size = stop };
	const char *type = r->trace->type_name[TN_VT_SUBTRACE];
	size_t root = begin(r, r->trace->payload, 0);

	add_text(r, r->trace->type, type, strlen(type), 0)->end = 0;
	add_subtrace(r, &rec, 0);
	add_text(r, r->trace->warning, warning, sizeof warning - 1, 0)->end = 0;
	end(r, root, 3, stop);
}

/* Read the header of the record from the dump. */
static void
read_header(struct reader *r, uint64_t at)
{
	const struct tn_field *f = r->trace->header->type->field;
	size_t root = begin(r, r->trace->header, at);
	uint32_t word = tn_vt_u32(r->dump, at + 4);
	bool be = r->dump->big_endian;

	add(r, &f[0], at)->u = tn_vt_u32(r->dump, at);
	add(r, &f[1], at + (be ? 6 : 4))->u = word & 0xffff;
	add(r, &f[2], at + (be ? 5 : 6))->u = word >> 16 & 0xff;
	add(r, &f[3], at + (be ? 4 : 7))->u = word >> 24;
	end(r, root, 4, at + TN_VT_HEADER);
}

enum tn_code
tn_vt_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_vt_stream *own = b->stream->own;
	struct reader r = { .values.event = e, .trace = b->stream->trace->own, .dump = &own->dump, .entry = b->entry.offset };
	struct tn_vt_record rec = { 0 };
	uint64_t at;
	bool is_rest;

	tn_event_begin(e, b);
	if (i == TN_READ_PACKET)
		return TN_OK;	/* packets do not have scopes */
	at = b->entry.offset + (b->base_bit + b->refs.item[i].bit) / 8;
	is_rest = b->refs.item[i].event_class == TN_VT_REST;
	if (!is_rest && !tn_vt_record(&own->dump, at, &rec))
		return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu at byte %" PRIu64 ": byte %" PRIu64 ": the record is no "
			       "longer in the file", b->stream->path, b->packet, b->entry.offset, at);
	e->event_class = b->stream->trace->event_class[is_rest ? TN_VT_REST : rec.id];
	e->name = e->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = tn_batch_cycles(b, i);
	e->time_ns = tn_batch_time(b, i);
	e->row = b->begin.row + i;
	e->bit = (at - b->entry.offset) * 8;
	e->end_bit = ((is_rest ? own->start.at : rec.next) - b->entry.offset) * 8;
	if (!is_rest && scopes & TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER)) {
		e->scope[TN_SCOPE_EVENT_HEADER] = (uint32_t)e->n_values;
		read_header(&r, at);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		if (is_rest)
			read_rest(&r, own->start.at);
		else
			read_payload(&r, &rec);
	}
	return r.values.failed ? tn_fail_memory(err) : TN_OK;
}
