/* direct_template.c - make templates; direct_template_run.h fills them in */
#include "text/direct_template.h"

#include "text/direct_make.h"
#include "text/stamp.h"

struct making {
	struct tn_direct_maker *m;
	const struct tn_op *code;
	struct tn_template_op *op;
	size_t n;
	struct tn_words tail;	/* text after the previous value */
	uint64_t rel;		/* bytes since the position that was last checked */
};

/* An empty text, with slack: copy() in sink.h reads more of a text than its length. */
static const char nothing[32] = "";

static struct tn_template_op *
add(struct making *k, enum tn_template_code code)
{
	struct tn_template_op *op = &k->op[k->n++];

	*op = (struct tn_template_op) { .code = (uint8_t)code, .lead = nothing };
	return op;
}

/* Make the text before a value: the end of the previous value, and the text of this one. */
static void
lead(struct making *k, struct tn_template_op *op, const struct tn_words *words)
{
	struct tn_words joined;

	tn_put_words(&k->m->room, &k->tail);
	tn_put_words(&k->m->room, words);
	joined = tn_direct_copy(k->m);
	op->lead = joined.text;
	op->lead_n = (uint32_t)joined.n;
	k->tail = (struct tn_words) { "", 0 };
}

/* Get size, sign and byte order of a fixed number. False: the instruction is not a number that a template can load. */
static bool
shape_of(const struct tn_op *from, struct tn_template_op *op)
{
	struct tn_fixed_number n;

	if (!tn_fixed_number_of(&n, from))
		return false;
	op->bits = n.bits;
	op->big_endian = n.big_endian;
	op->shift = n.shift;
	op->mask = n.mask;
	op->sign = n.sign;
	op->byte = n.byte;
	return true;
}

static enum tn_template_code
code_of(const struct tn_op *from, const struct text_field *f)
{
	if (from->code == TN_OP_FLOAT)
		return f->how == HOW_FLOAT ? TN_TEMPLATE_FLOAT : f->how == HOW_HIDDEN ? TN_TEMPLATE_LOAD : TN_TEMPLATE_RUN;
	switch ((enum text_how)f->how) {
	case HOW_HIDDEN: return TN_TEMPLATE_LOAD;
	case HOW_DECIMAL: return TN_TEMPLATE_DECIMAL;
	case HOW_SIGNED: return TN_TEMPLATE_SIGNED;
	case HOW_HEX: return TN_TEMPLATE_HEX;
	case HOW_ENUM: return TN_TEMPLATE_ENUM;
	case HOW_INTEGER: case HOW_BOOL: case HOW_BITMAP: return TN_TEMPLATE_RARE;
	default: return TN_TEMPLATE_RUN;
	}
}

static bool
make_number(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field;
	struct tn_template_op shape = { 0 }, *op;
	enum tn_template_code code;

	if (!f || f->element || !shape_of(from, &shape) || (code = code_of(from, f)) == TN_TEMPLATE_RUN)
		return false;
	op = add(k, code);
	*op = shape;
	op->code = (uint8_t)code;
	op->lead = nothing;
	op->field = f;
	if (code == TN_TEMPLATE_LOAD)
		return true;
	lead(k, op, &f->lead);
	if (code != TN_TEMPLATE_RARE)
		k->tail = f->tail;
	return true;
}

/* Make one part of ARRAY_FIXED, a number and LOOP_FIXED; NULL: the instructions are others. */
static const struct tn_op *
make_array(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field, *e = (const struct text_field *)from[1].field;
	const struct tn_op *loop = from + 2;
	struct tn_template_op shape = { 0 }, *op;
	struct tn_template_array *a;
	enum tn_template_code code;

	if (!f || !e || f->element || f->how != HOW_ARRAY || from[1].code == TN_OP_END || loop->code != TN_OP_LOOP_FIXED ||
	    k->code + loop->a != from + 1 || k->code + from->a != from + 3 || from->flags & TN_OP_SIGNED_LENGTH ||
	    !shape_of(&from[1], &shape) || loop->n % 8 || loop->m % 8 || !loop->n || !loop->m)
		return NULL;
	code = code_of(&from[1], e);
	if (!e->element || (code != TN_TEMPLATE_DECIMAL && code != TN_TEMPLATE_SIGNED && code != TN_TEMPLATE_HEX))
		return NULL;
	a = TN_NEW(&k->m->text->arena, struct tn_template_array);
	if (!a) {
		k->m->failed = true;
		return NULL;
	}
	*a = (struct tn_template_array) {
		.counted = from->flags & TN_OP_COUNT_IN_SLOT, .names = e->names, .count = from->n, .stride = loop->n / 8,
		.size = loop->m / 8, .lead = e->lead, .tail = e->tail, .need = e->need + 2 * TN_PUT_INTEGER, .how = code,
	};
	op = add(k, TN_TEMPLATE_ARRAY);
	*op = shape;
	op->code = TN_TEMPLATE_ARRAY;
	op->align = shape.byte;	/* offset of the number in its element */
	op->byte = (uint32_t)k->rel;
	op->array = a;
	k->rel = 0;
	lead(k, op, &f->lead);
	k->tail = f->tail;
	return loop + 1;
}

/* Make the part for a string of fixed size. */
static bool
make_text(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field;
	struct tn_template_op *op;

	if (!f || f->element || f->how != HOW_STRING || from->n % 8 || from->n / 8 > UINT32_MAX || from->m > TN_PUT_PIECE)
		return false;
	op = add(k, TN_TEMPLATE_TEXT);
	op->byte = (uint32_t)(from->n / 8);
	op->mask = from->m;
	lead(k, op, &f->lead);
	k->tail = f->tail;
	return true;
}

static bool
make_lookup(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field;
	struct tn_template_op *op;

	if (!f || f->element || f->how != HOW_STRING || from->n % 8 || from->n / 8 > UINT32_MAX)
		return false;
	op = add(k, TN_TEMPLATE_LOOKUP);
	op->byte = (uint32_t)(from->n / 8);
	op->align = from->flags;
	op->lookup = from->more;
	lead(k, op, &f->lead);
	k->tail = f->tail;
	return true;
}

/* Make one part of LOCATE, a string and BACK; NULL: the instructions are others. */
static const struct tn_op *
make_located(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field;
	struct tn_template_op *op;

	if (!f || f->element || f->how != HOW_STRING || from[1].code != TN_OP_STRING_DYNAMIC)
		return NULL;
	op = add(k, TN_TEMPLATE_LOCATED);
	op->byte = (uint32_t)k->rel;
	op->bits = from->bits;
	op->align = from->flags;
	k->rel = from->bits >= TN_LOCATED_REST ? 0 : 4;
	lead(k, op, &f->lead);
	k->tail = f->tail;
	return from + 3;
}

static bool
make_string(struct making *k, const struct tn_op *from)
{
	const struct text_field *f = (const struct text_field *)from->field;
	struct tn_template_op *op;

	if (!f || f->element || (f->how != HOW_STRING && f->how != HOW_HIDDEN))
		return false;
	op = add(k, f->how == HOW_STRING ? TN_TEMPLATE_STRING : TN_TEMPLATE_PASS);
	op->byte = (uint32_t)k->rel;
	k->rel = 0;
	if (f->how == HOW_HIDDEN)
		return true;
	lead(k, op, &f->lead);
	k->tail = f->tail;
	return true;
}

/* Make one part of an ALIGN and a CHECK; NULL: the instructions are others. */
static const struct tn_op *
make_check(struct making *k, const struct tn_op *from)
{
	uint32_t align = 8;
	struct tn_template_op *op;

	if (from->code == TN_OP_ALIGN) {
		align = from->a;
		from++;
	}
	if (align % 8 || (from->code != TN_OP_CHECK && from->code != TN_OP_STRING8))
		return NULL;
	if (from->code == TN_OP_STRING8 && align == 8)
		return from;
	op = add(k, TN_TEMPLATE_CHECK);
	op->byte = (uint32_t)k->rel;
	op->align = align / 8;
	k->rel = 0;
	if (from->code == TN_OP_STRING8)
		return from;
	op->mask = from->n / 8 + !!(from->n % 8);
	return from + 1;
}

/* Make a part of the template from one or several instructions. NULL: from here on the machine runs. */
static const struct tn_op *
make_op(struct making *k, const struct tn_op *from)
{
	switch ((enum tn_op_code)from->code) {
	case TN_OP_ALIGN:
	case TN_OP_CHECK:
		return make_check(k, from);
	case TN_OP_ADVANCE:
		/* Positions of the machine are bits, so it handles a field that does not end with a byte. */
		if (from->n % 8 || from->n / 8 > UINT32_MAX - k->rel)
			return NULL;
		k->rel += from->n / 8;
		return from + 1;
	case TN_OP_SAVE:
		add(k, TN_TEMPLATE_SAVE)->align = from->a;
		return from + 1;
	case TN_OP_ARRAY_FIXED:
		return make_array(k, from);
	case TN_OP_STRING_FIXED:
		return make_text(k, from) ? from + 1 : NULL;
	case TN_OP_STRING_LOOKUP:
		return make_lookup(k, from) ? from + 1 : NULL;
	case TN_OP_RECORD:
		add(k, TN_TEMPLATE_RECORD)->byte = (uint32_t)k->rel;
		k->rel = 0;
		return from + 1;
	case TN_OP_LOCATE:
		return make_located(k, from);
	case TN_OP_STRING8:
		return make_string(k, from) ? from + 1 : NULL;
	default:
		return make_number(k, from) ? from + 1 : NULL;
	}
}

/*
 * Positions of fields count from their CHECK, up to an ADVANCE. The machine cannot begin between these, so if it has
 * to continue, the parts since the last CHECK are removed.
 */
static void
make_ops(struct making *k)
{
	const struct tn_op *from = k->code, *next, *safe = from;
	struct making before = *k;
	struct tn_template_op *op;

	while (!k->m->failed && from->code != TN_OP_END) {
		if (from->code == TN_OP_CHECK || from->code == TN_OP_ALIGN) {
			safe = from;
			before = *k;
		}
		next = make_op(k, from);
		if (!next) {
			*k = before;
			break;
		}
		from = next;
		if (from[-1].code == TN_OP_ADVANCE || from[-1].code == TN_OP_STRING8 || from[-1].code == TN_OP_LOOP_FIXED ||
		    from[-1].code == TN_OP_BACK || from[-1].code == TN_OP_RECORD) {
			safe = from;
			before = *k;
		}
	}
	if (from->code == TN_OP_END) {
		op = add(k, TN_TEMPLATE_END);
		lead(k, op, &(struct tn_words) { "\n", 1 });
		return;
	}
	op = add(k, TN_TEMPLATE_RUN);
	lead(k, op, &(struct tn_words) { "", 0 });
	op->byte = (uint32_t)k->rel;
	op->run = safe;
}

/* A string, a label or output of the machine has a variable size, so space is reserved again after it. */
static void
sum_up(struct tn_template *t, size_t n, size_t head)
{
	size_t need = TN_STR_SLACK;

	for (size_t i = n; i-- > 0;) {
		struct tn_template_op *op = &t->op[i];

		op->need = need;
		if (op->code == TN_TEMPLATE_STRING || op->code == TN_TEMPLATE_ENUM || op->code == TN_TEMPLATE_RARE ||
		    op->code == TN_TEMPLATE_RUN || op->code == TN_TEMPLATE_ARRAY || op->code == TN_TEMPLATE_TEXT ||
		    op->code == TN_TEMPLATE_LOCATED || op->code == TN_TEMPLATE_LOOKUP)
			need = TN_STR_SLACK;
		need += op->lead_n + TN_PUT_INTEGER;
		if (op->code == TN_TEMPLATE_RARE)
			need += op->field->need;
	}
	t->need = TN_STAMP_ROOM + TN_PREFIX_TEXT + head + need;
}

const struct tn_template *
tn_template_make(struct tn_direct_maker *m, const struct tn_plan *plan, const struct tn_class_words *words)
{
	struct making k = { .m = m, .code = words->code, .tail = { "", 0 } };
	struct tn_template *t;
	size_t n = 0;

	/* The payload must begin at a byte: after contexts of whole bytes, or after a header that ends at a byte. */
	if (!words->repeats && (plan->after_mod % 8 || plan->after_off % 8))
		return NULL;
	while (k.code[n].code != TN_OP_END)
		n++;
	t = tn_arena_alloc(&m->text->arena, sizeof *t + (n + 2) * sizeof t->op[0]);
	if (!t) {
		m->failed = true;
		return NULL;
	}
	k.op = t->op;
	make_ops(&k);
	t->check = 0;
	if (k.n && t->op[0].code == TN_TEMPLATE_CHECK && t->op[0].align == 1) {
		t->check = t->op[0].mask;
		memmove(t->op, t->op + 1, --k.n * sizeof t->op[0]);
	}
	if (m->failed || (k.n == 1 && t->op[0].code == TN_TEMPLATE_RUN))
		return NULL;
	sum_up(t, k.n, words->head.n);
	return t;
}
