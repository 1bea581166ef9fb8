#include "left_out.h"

#include "scan/packet_skip.h"
#include "tnav/query.h"

size_t
left_out(struct tn_set *set, const char *text, size_t *n)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_question question = { 0 };
	struct tn_filter *filter = NULL;
	struct tn_packet_skip f = { 0 };
	size_t out = 0;

	*n = 0;
	if (tn_filter_new(&filter, set, NULL) < 0 || tn_filter_add(filter, text, NULL) < 0 ||
	    !tn_question_of(&question, filter, set, NULL)) {
		tn_filter_free(filter);
		return SIZE_MAX;
	}
	o.filter = filter;
	tn_packet_skip_make(&f, set, &o, &question, NULL, true, false);
	for (size_t i = 0; f.marks && i < f.n_streams; i++)
		for (size_t k = 0; k < f.marks[i].n; k++, ++*n)
			out += f.marks[i].mark[k] == TN_MARK_LEFT_OUT;
	tn_packet_skip_release(&f);
	tn_question_release(&question);
	tn_filter_free(filter);
	return out;
}

/* ---- without a scan ---- */

static struct tn_filter *
filter_of(struct tn_set *set, char (*text)[300], size_t n)
{
	struct tn_filter *filter = NULL;
	bool good = tn_filter_new(&filter, set, NULL) >= 0;

	for (size_t i = 0; i < n && good; i++)
		good = tn_filter_add(filter, text[i], NULL) >= 0;
	if (good)
		return filter;
	tn_filter_free(filter);
	return NULL;
}

struct looking {
	const struct tn_packet_marks *marks;
	bool right;
};

static int
look_at(void *user, const struct tn_row *row)
{
	struct looking *l = user;
	const struct tn_packet_marks *m = &l->marks[row->location.stream];

	l->right &= row->kind != TN_ROW_EVENT || row->location.packet >= m->n ||
		    m->mark[row->location.packet] != TN_MARK_LEFT_OUT;
	return 0;
}

bool
is_rightly_left_out(struct tn_set *set, struct tn_set *plain, char (*text)[300], size_t n, size_t *out)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .filter = filter_of(set, text, n) };
	struct tn_left_out *left = o.filter ? tn_left_out_new(set, &o) : NULL;
	struct looking l = { tn_left_out_marks(left), true };

	*out = 0;
	for (size_t i = 0; l.marks && i < set->n_streams; i++)
		for (size_t k = 0; k < l.marks[i].n; k++)
			*out += l.marks[i].mark[k] == TN_MARK_LEFT_OUT;
	tn_filter_free((struct tn_filter *)o.filter);
	o.filter = *out ? filter_of(plain, text, n) : NULL;
	o.row = look_at;
	o.user = &l;
	l.right &= !o.filter || tn_scan(plain, &o, NULL, NULL) >= 0;
	tn_filter_free((struct tn_filter *)o.filter);
	tn_left_out_free(left);
	return l.right;
}
