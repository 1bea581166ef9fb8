#include "query/values.h"

#include <stdlib.h>

#define CLOSELY 8	/* beside the kind */

static int
compare_prints(const void *a, const void *b)
{
	return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void
sort_prints(struct tn_values *v)
{
	size_t n = 0;

	if (v->print.n)
		qsort(v->print.item, v->print.n, sizeof *v->print.item, compare_prints);
	for (size_t i = 0; i < v->print.n; i++)
		if (!n || v->print.item[i] != v->print.item[n - 1])
			v->print.item[n++] = v->print.item[i];
	v->print.n = n;
}

void
tn_values_clear(struct tn_values *v)
{
	v->kind = TN_VALUES_NONE;
	v->closely = v->many = false;
	v->least = UINT64_MAX;
	v->greatest = 0;
	v->print.n = 0;
}

void
tn_values_release(struct tn_values *v)
{
	TN_ARRAY_RELEASE(&v->print);
}

void
tn_values_join(struct tn_values *v, enum tn_values_kind kind, uint64_t least, uint64_t greatest, bool many,
	       const uint16_t *print, size_t n)
{
	if (kind == TN_VALUES_NONE)
		return;
	v->kind = v->kind == TN_VALUES_NONE || v->kind == kind ? kind : TN_VALUES_MIXED;
	v->least = least < v->least ? least : v->least;
	v->greatest = greatest > v->greatest ? greatest : v->greatest;
	v->many |= many || !TN_ARRAY_RESERVE(&v->print, v->print.n + n);
	if (v->many)
		return;
	if (n)
		memcpy(v->print.item + v->print.n, print, n * sizeof *print);
	v->print.n += n;
	if (v->print.n <= (size_t)4 * TN_PRINTS)
		return;
	sort_prints(v);
	v->many = v->print.n > TN_PRINTS;
}

bool
tn_values_write(struct tn_values *v, size_t most, struct tn_note_bytes *out)
{
	size_t room;

	sort_prints(v);
	v->many |= v->print.n > most || v->print.n > TN_PRINTS;
	room = 1 + 3 * TN_VARINT_SIZE + (v->many ? 0 : v->print.n * 3);
	if (!TN_ARRAY_RESERVE(out, out->n + room))
		return false;
	out->item[out->n++] = (uint8_t)((unsigned)v->kind | (v->closely ? CLOSELY : 0));
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return true;
	if (v->kind != TN_VALUES_TEXT) {
		out->n += tn_varint_put(out->item + out->n, v->least);
		out->n += tn_varint_put(out->item + out->n, v->greatest - v->least);
	}
	out->n += tn_varint_put(out->item + out->n, v->many ? 0 : v->print.n + 1);
	for (size_t i = 0; !v->many && i < v->print.n; i++)
		out->n += tn_varint_put(out->item + out->n, (uint64_t)(v->print.item[i] - (i ? v->print.item[i - 1] : 0)));
	return true;
}

bool
tn_values_read(struct tn_values *v, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	uint64_t span, prints, gap, at = 0;

	tn_values_clear(v);
	if (p == end || (*p & ~CLOSELY) > TN_VALUES_MIXED)
		return false;
	v->closely = *p & CLOSELY;
	v->kind = (enum tn_values_kind)(*p++ & ~CLOSELY);
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return p == end;
	if (v->kind != TN_VALUES_TEXT) {
		if (!tn_varint_get(&p, end, &v->least) || !tn_varint_get(&p, end, &span) || span > UINT64_MAX - v->least)
			return false;
		v->greatest = v->least + span;
	}
	if (!tn_varint_get(&p, end, &prints) || prints > TN_PRINTS + 1)
		return false;
	v->many = prints == 0;
	if (!TN_ARRAY_RESERVE(&v->print, TN_PRINTS))
		return false;
	for (; prints > 1; prints--) {
		if (!tn_varint_get(&p, end, &gap) || gap > UINT16_MAX || (at += gap) > UINT16_MAX)
			return false;
		v->print.item[v->print.n++] = (uint16_t)at;
	}
	return p == end;
}

bool
tn_values_suffice(const uint8_t *p, size_t n, bool closely)
{
	return n && (!closely || *p & CLOSELY);
}

bool
tn_values_may_have(const struct tn_values *v, uint16_t print)
{
	size_t lo = 0, hi = v->print.n;

	if (v->many)
		return true;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v->print.item[mid] < print)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < v->print.n && v->print.item[lo] == print;
}
