/* span_question.c - write the question of spans for stored answers */
#include "answer/answer_cache.h"
#include "scan/question.h"
#include "span/spans.h"

void
tn_spans_question(const struct tn_spans *spans, struct tn_answer_cache *k)
{
	for (size_t i = 0; i < spans->definition.n; i++) {
		const struct tn_span_definition *d = &spans->definition.item[i];

		tn_str_printf(&k->question, "span %s\n", d->text);
		if (strstr(d->text, "symbol") && d->begin.expression)
			tn_question_expression(&k->question, d->begin.expression);
		if (strstr(d->text, "symbol") && d->end.expression)
			tn_question_expression(&k->question, d->end.expression);
	}
	if (spans->where)
		tn_str_printf(&k->question, "where %s\n", spans->where_text);
	tn_str_puts(&k->question, "zone");
	tn_question_zone(&k->question, spans->set);
	tn_str_puts(&k->question, "\n");
}

bool
tn_spans_types(const struct tn_spans *spans, struct tn_types *types)
{
	bool no_memory = false;

	for (size_t i = 0; i < spans->definition.n && !no_memory; i++) {
		const struct tn_span_definition *d = &spans->definition.item[i];

		for (size_t k = 0; k < d->begin_key.n && !no_memory; k++)
			no_memory = !tn_types_add(types, d->label[k]);
		for (size_t k = 0; k < d->captures.n && !no_memory; k++)
			for (size_t c = 0; c < spans->classes.n && !no_memory; c++)
				no_memory = !tn_types_add(types, tn_take_labels(&d->captures.item[k].take, c, &no_memory));
	}
	return !no_memory;
}
