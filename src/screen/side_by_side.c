#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/table.h>

#include "side_by_side.h"
#include "canvas.h"
#include "charset.h"
#include "gettext.h"

enum { SINCE = 10, GAP = 11, SIGNS = 5 };	/* widths of a time, of a difference, of signs and blanks */

static int
name_width(int width)
{
	return ((width > SIDE_BY_SIDE_LEAST ? width : SIDE_BY_SIDE_LEAST) - 2 * SINCE - GAP - SIGNS - 1) / 2;
}

/* Append the name of an event and its fields, safe for a terminal. */
static void
put_text(struct tn_str *out, const struct tn_sequence *q, const struct tn_sequence_event *e)
{
	struct tn_str text = { 0 };
	const char *field;

	tn_str_puts(&text, e->name);
	for (size_t i = 0; (field = tn_sequence_field(q, i)); i++) {
		if (e->field[i].kind == TN_ANSWER_NONE)
			continue;
		tn_str_printf(&text, " %s=", field);
		tn_answer_value_text(&e->field[i], &text);
	}
	tn_text_safe(tn_str_text(&text), text.n, out);
	tn_str_release(&text);
}

/* The first column in which two texts differ. */
static int
apart_at(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n && ((unsigned char)a[n] & 0xc0) == 0x80)
		n--;
	return text_width(a, n);
}

/*
 * Append a text. If it is too long, keep its begin and its end, because names differ there, or else the part around
 * column @apart, where it differs from another text; 0: no such column.
 */
static void
put_cut(struct line *out, unsigned style, const char *text, int apart, int width)
{
	const size_t n = strlen(text);
	const int head = width / 2, tail = width - head - 1, end = out->width + width;
	size_t from = 0;

	if (text_width(text, n) > width) {
		if (apart >= head && apart < text_width(text, n) - tail) {
			from = text_fit(text, n, apart - head / 2, NULL);
			line_puts(out, style, charset_cut());
			line_add(out, style, text + from, text_fit(text + from, n - from, end - out->width - 1, NULL));
			from = n;
		} else {
			line_add(out, style, text, text_fit(text, n, head, NULL));
			from = text_skip(text, n, tail);
		}
		if (out->width < end)
			line_puts(out, style, charset_cut());
	}
	line_puts(out, style, text + from);
	line_pad(out, end, false);
}

static void
put_duration(struct line *out, unsigned style, bool some, int64_t ns, bool sign, int width)
{
	struct tn_str text = { 0 };

	if (some && sign && ns > 0)
		tn_str_puts(&text, "+");
	if (some)
		tn_table_duration((double)ns, &text);
	line_right(out, style, tn_str_text(&text), width);
	tn_str_release(&text);
}

void
side_by_side_heading(struct line *out, int width)
{
	const int name = name_width(width);

	for (int side = 0; side < 2; side++) {
		int from = out->width;

		line_right(out, STYLE_HEADING, _("since"), SINCE);
		line_puts(out, STYLE_HEADING, " ");
		put_cut(out, STYLE_HEADING, side ? _("second") : _("first"), 0, name);
		line_pad(out, from + SINCE + 1 + name + (side ? 0 : 3), false);
	}
	line_right(out, STYLE_HEADING, _("gap"), GAP + 1);
}

void
side_by_side_row(struct line *out, const struct tn_sequence *q, const struct tn_sequence_row *r, int width)
{
	const bool both = r->has[0] && r->has[1];
	const unsigned style = r->same ? STYLE_TEXT : STYLE_WARNING;
	struct tn_str text[2] = { { 0 } };
	int64_t gap = 0;
	bool some = both && r->side[0].has_since && r->side[1].has_since &&
		    !__builtin_sub_overflow(r->side[1].since_ns, r->side[0].since_ns, &gap);
	int apart = 0;

	for (size_t i = 0; i < 2; i++)
		if (r->has[i])
			put_text(&text[i], q, &r->side[i]);
	if (both && !r->same)
		apart = apart_at(tn_str_text(&text[0]), tn_str_text(&text[1]));
	for (size_t i = 0; i < 2; i++) {
		const struct tn_sequence_event *e = &r->side[i];

		put_duration(out, STYLE_DIM, r->has[i] && e->has_since, e->since_ns, false, SINCE);
		line_puts(out, STYLE_LOSS, e->after_loss ? "!" : " ");
		put_cut(out, style, tn_str_text(&text[i]), apart, name_width(width));
		if (i == 0)
			line_puts(out, style, r->same ? "   " : both ? " | " : r->has[0] ? " < " : " > ");
		tn_str_release(&text[i]);
	}
	put_duration(out, STYLE_DIM, some, gap, true, GAP + 1);
}

const char *
side_by_side_pairing(enum tn_sequence_pairing by)
{
	static const char *const text[] = {
		[TN_SEQUENCE_GIVEN] = N_("as given"), [TN_SEQUENCE_BY_NAME] = N_("by name"),
		[TN_SEQUENCE_BY_VALUE] = N_("by value"), [TN_SEQUENCE_BY_ORDER] = N_("by order"), [TN_SEQUENCE_ALONE] = N_("alone"),
	};

	return text[by];
}

void
side_by_side_pair(struct line *out, const struct tn_sequence *q, const struct tn_sequence_pair *pair)
{
	for (size_t i = 0; i < 2; i++) {
		line_puts(out, STYLE_DIM, i ? " | " : "");
		line_puts_unsafe(out, STYLE_FIELD, tn_sequence_key(q));
		line_puts(out, STYLE_TEXT, " ");
		line_puts_unsafe(out, STYLE_TEXT, pair->value[i]);
		line_puts(out, STYLE_DIM, pair->name[i] ? " " : "");
		line_puts_unsafe(out, STYLE_DIM, pair->name[i]);
	}
	line_printf(out, STYLE_DIM, _(" (paired %s)"), _(side_by_side_pairing(pair->by)));
}

void
side_by_side_parting(struct line *out, const struct tn_sequence *q)
{
	struct tn_sequence_totals t = { 0 };

	tn_sequence_totals(q, &t);
	if (!t.differences) {
		line_printf(out, STYLE_TEXT, ngettext("%ju event on each side: all are equal.",
						      "%ju events on each side: all are equal.", (unsigned long)t.same),
			    (uintmax_t)t.same);
		return;
	}
	line_printf(out, STYLE_TEXT, ngettext("The first difference is after %ju equal event: ",
					      "The first difference is after %ju equal events: ",
					      (unsigned long)t.pair.equal), (uintmax_t)t.pair.equal);
	for (size_t i = 0; i < 2; i++) {
		line_puts(out, STYLE_DIM, i ? " | " : "");
		line_puts_unsafe(out, STYLE_NAME, t.pair.event[i] ? t.pair.event[i] : _("(no event)"));
		if (t.pair.has_since[i]) {
			line_puts(out, STYLE_TEXT, " ");
			put_duration(out, STYLE_TEXT, true, t.pair.since_ns[i], false, 0);
		}
	}
}
