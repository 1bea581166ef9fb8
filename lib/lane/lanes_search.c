/* lanes_search.c - find the cells that contain searched events */
#include <string.h>

#include "lane/lanes.h"
#include "base/error.h"
#include "base/options.h"

struct search {
	struct tn_lanes *lanes;
	const struct tn_scan_options *options;
	struct tn_take lane;
};

static enum tn_code
search_rows(void *user, struct tn_record_buffer *out, struct tn_piece_reader *reader, const struct tn_batch *b, size_t first,
	    size_t end, struct tn_error *err)
{
	const struct search *s = user;

	for (size_t i = first; i < end; i++) {
		size_t class = b->refs.item[i].event_class;
		struct tn_answer_value v, of_lane;
		struct tn_str room = { 0 };
		struct tn_record *r;
		enum tn_code rc;
		bool pass, no_memory = false;

		if (class == TN_REF_NOTICE)
			continue;
		rc = tn_piece_passes(s->options, reader, b, i, &pass, err);
		if (rc < 0)
			return rc;
		class = tn_class_of(&s->lanes->spans->classes, b, i);
		if (!pass)
			continue;
		v.kind = TN_ANSWER_NONE;
		tn_row_at(&reader->row, b, i);
		if (tn_take_has(&s->lane, class, &no_memory))
			rc = tn_take_value(&s->lane, class, &reader->row, &v, err);
		if (rc >= 0 && no_memory)
			rc = tn_fail_memory(err);
		if (rc < 0)
			return rc;
		reader->words.n = 0;
		no_memory = !tn_origins_own(&s->lanes->origins, &v, b->stream->rank, &room, &of_lane) ||
			    (v.kind != TN_ANSWER_NONE && !tn_pack(&reader->words, &of_lane, false));
		tn_str_release(&room);
		if (no_memory)
			return tn_fail_memory(err);
		r = tn_record_add(out, b, i, sizeof *r + 8 * reader->words.n);
		if (!r)
			return tn_fail_memory(err);
		if (reader->words.n)
			memcpy(r + 1, reader->words.item, 8 * reader->words.n);
	}
	return TN_OK;
}

static enum tn_code
take_hit(void *user, struct tn_record *r, struct tn_error *err)
{
	struct tn_lanes *l = ((struct search *)user)->lanes;
	size_t size = r->size - sizeof *r;
	struct tn_hash_item *item = size ? tn_hash_find(&l->by_value, r + 1, size) : NULL;
	uint32_t *cell = item ? ((struct lane *)item->pointer)->cell : l->marks;

	(void)err;
	if (r->key_ns >= l->begin_ns && r->key_ns < l->end_ns)
		cell[tn_lanes_column(l, r->key_ns)] |= TN_LANE_HIT;
	return TN_OK;
}

enum tn_code
tn_lanes_search(struct tn_lanes *l, const struct tn_scan_options *options, struct tn_error *err)
{
	static const struct tn_feed_ops ops = { .rows = search_rows, .take = take_hit };
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct search s = { .lanes = l, .options = &o };
	enum tn_code rc;

	if (!l || !l->set)
		return tn_fail_null(err);
	rc = tn_options_take(&o, sizeof o, options, "tn_scan_options", err);
	if (rc < 0 || !l->marks)
		return rc;
	o.has_begin = o.has_end = true;
	o.begin_ns = l->begin_ns;
	o.end_ns = l->end_ns - 1;
	for (size_t c = 0; c < l->columns; c++) {
		l->marks[c] &= ~TN_LANE_HIT;
		for (size_t i = 0; i < l->lane.n; i++)
			l->lane.item[i]->cell[c] &= ~TN_LANE_HIT;
	}
	rc = tn_take_init(&s.lane, &l->spans->classes, l->name, strlen(l->name), l->name, 1, err);
	if (rc < 0)
		return rc;
	rc = tn_feed_run(l->set, &o, &ops, &s, err);
	tn_take_release(&s.lane);
	return rc;
}
