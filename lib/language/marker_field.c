#include "language/marker_field.h"

#include "model/marker.h"

struct tn_place *
tn_marker_place(struct tn_reference *r, struct tn_place *text)
{
	struct tn_place *place = TN_NEW(&r->arena, struct tn_place);

	if (place) {
		place->way = TN_PLACE_MARKER;
		place->address = text;
	}
	return place;
}

void
tn_marker_part(enum tn_attribute_id part, const struct tn_cell *text, struct tn_cell *out)
{
	struct tn_marker m;

	*out = (struct tn_cell) { .kind = TN_CELL_NONE };
	if (text->kind != TN_CELL_TEXT || !tn_marker_read(&m, text->text, text->n))
		return;
	if (part == TN_ATTRIBUTE_MARKER_PHASE)
		*out = (struct tn_cell) { .kind = TN_CELL_TEXT, .text = m.phase, .n = 1 };
	else if (part == TN_ATTRIBUTE_MARKER_NAME && m.has & TN_MARKER_NAME)
		*out = (struct tn_cell) { .kind = TN_CELL_TEXT, .text = m.name, .n = m.n_name };
	else if (part == TN_ATTRIBUTE_MARKER_TRACK && m.has & TN_MARKER_TRACK)
		*out = (struct tn_cell) { .kind = TN_CELL_TEXT, .text = m.track, .n = m.n_track };
	else if (part == TN_ATTRIBUTE_MARKER_PID && m.has & TN_MARKER_PID)
		*out = (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = m.pid };
	else if ((part == TN_ATTRIBUTE_MARKER_COOKIE && m.has & TN_MARKER_COOKIE) ||
		 (part == TN_ATTRIBUTE_MARKER_VALUE && m.has & TN_MARKER_VALUE))
		*out = (struct tn_cell) { .kind = TN_CELL_SIGNED, .i = m.number };
}
