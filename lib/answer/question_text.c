#include "answer/question_text.h"

#include <inttypes.h>

#include "scan/question.h"

bool
tn_question_text(struct tn_str *out, const struct tn_scan_options *o, const struct tn_set *set)
{
	struct tn_question q = { 0 };
	bool known = tn_question_of(&q, o->filter, set, o->match ? o->match : o->text);

	if (o->has_begin)
		tn_str_printf(out, "from %" PRId64 "\n", o->begin_ns);
	if (o->has_end)
		tn_str_printf(out, "to %" PRId64 "\n", o->end_ns);
	tn_str_puts(out, tn_str_text(&q.all));
	tn_question_release(&q);
	return known && !out->failed;
}
