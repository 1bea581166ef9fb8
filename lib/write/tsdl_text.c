/*
 * tsdl_text.c - write a model as CTF 1.8 metadata (TSDL)
 *
 * Each use of a type writes the whole type. The members that CTF knows by name (id, timestamp, packet_size, ...) have the
 * names of the model.
 */
#include <inttypes.h>
#include <string.h>

#include "base/messages.h"
#include "write/draft.h"

struct tsdl {
	struct tn_str *out;
	const struct tn_trace *trace;
	const struct tn_clock *clock;	/* clock of the current stream class */
	struct tn_error *err;
	enum tn_code code;
	int depth;
};

static void write_type(struct tsdl *s, const struct tn_field *f);

static void
indent(struct tsdl *s)
{
	for (int i = 0; i < s->depth; i++)
		tn_str_putc(s->out, '\t');
}

static void
unsupported(struct tsdl *s, const struct tn_field *f, const char *what)
{
	char path[256];

	if (s->code == TN_OK)
		s->code = tn_fail(s->err, TN_ERR_UNSUPPORTED, "%s: CTF 1.8 cannot describe %s",
				  tn_field_path(f, "field", path, sizeof path), what);
}

/* Write a string with TSDL's escapes; bytes of UTF-8 need none. */
static void
write_quoted(struct tsdl *s, const char *text)
{
	tn_str_putc(s->out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			tn_str_printf(s->out, "\\%c", *text);
		else if (*text == '\n')
			tn_str_puts(s->out, "\\n");
		else if ((unsigned char)*text < 0x20 || *text == 0x7f)
			tn_str_printf(s->out, "\\%03o", (unsigned)(unsigned char)*text);
		else
			tn_str_putc(s->out, *text);
	}
	tn_str_putc(s->out, '"');
}

bool
tn_tsdl_is_keyword(const char *name)
{
	static const char *const words[] = {
		"align", "callsite", "char", "clock", "const", "double", "enum", "env", "event", "float",
		"floating_point", "int", "integer", "long", "short", "signed", "stream", "string", "struct", "trace",
		"typealias", "typedef", "unsigned", "variant", "void", "_Bool", "_Complex", "_Imaginary",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	return false;
}

/* Write a name. Readers remove one leading underscore, so names that begin with one, and keywords, get one more. */
static void
write_name(struct tsdl *s, const char *name)
{
	if (name[0] == '_' || tn_tsdl_is_keyword(name))
		tn_str_putc(s->out, '_');
	tn_str_puts(s->out, name);
}

/*
 * Write the name of a field. A model that was read, or will be read, has the names of its metadata: the label after an
 * underscore.
 */
static void
write_field_name(struct tsdl *s, const struct tn_field *f)
{
	if (f->name[0] == '_' && strcmp(f->name + 1, f->label) == 0)
		tn_str_puts(s->out, f->name);
	else
		write_name(s, f->label);
}

/* Write the name of the field that @f refers to. */
static void
write_reference(struct tsdl *s, const struct tn_field *f)
{
	const struct tn_field *to = tn_field_before(f, f->type->ref_path);

	if (to)
		write_field_name(s, to);
	else
		write_name(s, f->type->ref_path);
}

static void
write_byte_order(struct tsdl *s, const struct tn_type *t)
{
	if (t->big_endian != s->trace->big_endian)
		tn_str_printf(s->out, " byte_order = %s;", t->big_endian ? "be" : "le");
}

static void
write_integer(struct tsdl *s, const struct tn_type *t)
{
	tn_str_printf(s->out, "integer { size = %" PRIu64 "; align = %u; signed = %s;", t->length, t->align,
		      t->kind == TN_KIND_SINT ? "true" : "false");
	write_byte_order(s, t);
	if (t->base && t->base != 10)
		tn_str_printf(s->out, " base = %u;", t->base);
	if (s->clock && (t->roles & (TN_ROLE_CLOCK | TN_ROLE_TIMESTAMP_END)))
		tn_str_printf(s->out, " map = clock.%s.value;", s->clock->name);
	tn_str_puts(s->out, " }");
}

static void
write_bound(struct tsdl *s, const struct tn_type *t, uint64_t v)
{
	if (t->kind == TN_KIND_SINT)
		tn_str_printf(s->out, "%" PRId64, (int64_t)v);
	else
		tn_str_printf(s->out, "%" PRIu64, v);
}

static void
write_enumeration(struct tsdl *s, const struct tn_type *t)
{
	tn_str_puts(s->out, "enum : ");
	write_integer(s, t);
	tn_str_puts(s->out, " {");
	for (size_t i = 0; i < t->n_mappings; i++)
		for (size_t k = 0; k < t->mapping[i].n_ranges; k++) {
			const struct tn_range *r = &t->mapping[i].range[k];

			tn_str_putc(s->out, ' ');
			write_quoted(s, t->mapping[i].label);
			tn_str_puts(s->out, " = ");
			write_bound(s, t, r->lower);
			if (r->upper != r->lower) {
				tn_str_puts(s->out, " ... ");
				write_bound(s, t, r->upper);
			}
			tn_str_putc(s->out, ',');
		}
	tn_str_puts(s->out, " }");
}

/* Write the text after the name, such as "[4][n]", the outermost length first. */
static void
write_lengths(struct tsdl *s, const struct tn_field *f)
{
	for (;; f = &f->type->field[0]) {
		const struct tn_type *t = f->type;
		bool text = t->kind == TN_KIND_STRING && t->extent != TN_EXTENT_TERMINATED;

		if (t->kind != TN_KIND_ARRAY && !text)
			return;
		tn_str_putc(s->out, '[');
		if (t->extent == TN_EXTENT_STATIC)
			tn_str_printf(s->out, "%" PRIu64, t->length);
		else
			write_reference(s, f);
		tn_str_putc(s->out, ']');
		if (text)
			return;
	}
}

/* Write the members of a structure, or the options of a variant. */
static void
write_members(struct tsdl *s, const struct tn_type *t)
{
	s->depth++;
	for (size_t i = 0; i < t->n_fields; i++) {
		indent(s);
		write_type(s, &t->field[i]);
		tn_str_putc(s->out, ' ');
		write_field_name(s, &t->field[i]);
		write_lengths(s, &t->field[i]);
		tn_str_puts(s->out, ";\n");
	}
	s->depth--;
	indent(s);
	tn_str_putc(s->out, '}');
}

static void
write_struct(struct tsdl *s, const struct tn_type *t)
{
	uint32_t align = 1;

	for (size_t i = 0; i < t->n_fields; i++)
		if (t->field[i].type->align > align)
			align = t->field[i].type->align;
	tn_str_puts(s->out, "struct {\n");
	write_members(s, t);
	if (t->align > align)
		tn_str_printf(s->out, " align(%u)", t->align);
}

/* Write the type up to the name. For an array this is the type of its elements. */
static void
write_type(struct tsdl *s, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
		if (t->varint || t->reversed)
			unsupported(s, f, t->varint ? _("an integer of variable length") : _("a reversed bit order"));
		else if (t->n_mappings)
			write_enumeration(s, t);
		else
			write_integer(s, t);
		return;
	case TN_KIND_FLOAT:
		tn_str_printf(s->out, "floating_point { exp_dig = %d; mant_dig = %d; align = %u;",
			      t->length == 32 ? 8 : 11, t->length == 32 ? 24 : 53, t->align);
		write_byte_order(s, t);
		tn_str_puts(s->out, " }");
		if ((t->length != 32 && t->length != 64) || t->reversed)
			unsupported(s, f, _("such a floating point number"));
		return;
	case TN_KIND_STRING:
		if (t->encoding > TN_ENCODING_UTF8)
			unsupported(s, f, _("an encoding other than UTF-8"));
		tn_str_puts(s->out, t->extent == TN_EXTENT_TERMINATED ? "string { encoding = UTF8; }" :
			    "integer { size = 8; align = 8; signed = false; encoding = UTF8; }");
		return;
	case TN_KIND_ARRAY:
		write_type(s, &t->field[0]);
		return;
	case TN_KIND_STRUCT:
		write_struct(s, t);
		return;
	case TN_KIND_VARIANT:
		tn_str_puts(s->out, "variant <");
		write_reference(s, f);
		tn_str_puts(s->out, "> {\n");
		write_members(s, t);
		return;
	default:
		unsupported(s, f, tn_kind_name(t->kind));
	}
}

static void
write_scope(struct tsdl *s, const char *name, const struct tn_field *root)
{
	if (!root)
		return;
	tn_str_printf(s->out, "\t%s := ", name);
	s->depth = 1;
	write_struct(s, root->type);
	tn_str_puts(s->out, ";\n");
}

static void
write_uuid(struct tsdl *s, const uint8_t *u)
{
	tn_str_puts(s->out, "\tuuid = \"");
	tn_str_put_uuid(s->out, u);
	tn_str_puts(s->out, "\";\n");
}

static void
write_clock(struct tsdl *s, const struct tn_clock *c)
{
	tn_str_printf(s->out, "clock {\n\tname = \"%s\";\n", c->name);
	if (c->has_uuid)
		write_uuid(s, c->uuid);
	if (c->description) {
		tn_str_puts(s->out, "\tdescription = ");
		write_quoted(s, c->description);
		tn_str_puts(s->out, ";\n");
	}
	tn_str_printf(s->out, "\tfreq = %" PRIu64 ";\n", c->frequency);
	if (c->precision != TN_UNKNOWN)
		tn_str_printf(s->out, "\tprecision = %" PRIu64 ";\n", c->precision);
	tn_str_printf(s->out, "\toffset_s = %" PRId64 ";\n\toffset = %" PRIu64 ";\n\tabsolute = %s;\n};\n\n", c->offset_s,
		      c->offset_cycles, c->origin == TN_ORIGIN_UNIX ? "true" : "false");
}

static void
write_env(struct tsdl *s)
{
	const struct tn_trace *t = s->trace;

	if (t->n_env == 0)
		return;
	tn_str_puts(s->out, "env {\n");
	for (size_t i = 0; i < t->n_env; i++) {
		const struct tn_env *e = &t->env[i];

		tn_str_printf(s->out, "\t%s = ", e->name);
		if (e->is_text)
			write_quoted(s, e->text);
		else if (e->is_unsigned)
			tn_str_printf(s->out, "%" PRIu64, (uint64_t)e->number);
		else
			tn_str_printf(s->out, "%" PRId64, e->number);
		tn_str_puts(s->out, ";\n");
	}
	tn_str_puts(s->out, "};\n\n");
}

static void
write_event(struct tsdl *s, const struct tn_event_class *ec)
{
	tn_str_puts(s->out, "event {\n\tname = ");
	write_quoted(s, ec->name ? ec->name : "");
	tn_str_printf(s->out, ";\n\tid = %" PRIu64 ";\n\tstream_id = %" PRIu64 ";\n", ec->id, ec->stream_class->id);
	if (ec->log_level >= 0)
		tn_str_printf(s->out, "\tloglevel = %d;\n", ec->log_level);
	if (ec->emf_uri) {
		tn_str_puts(s->out, "\tmodel.emf.uri = ");
		write_quoted(s, ec->emf_uri);
		tn_str_puts(s->out, ";\n");
	}
	write_scope(s, "context", ec->specific_context);
	write_scope(s, "fields", ec->payload);
	tn_str_puts(s->out, "};\n\n");
}

enum tn_code
tn_tsdl_text(struct tn_str *out, const struct tn_trace *t, struct tn_error *err)
{
	struct tsdl s = { .out = out, .trace = t, .err = err };

	tn_str_puts(out, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n");
	if (t->has_uuid)
		write_uuid(&s, t->uuid);
	tn_str_printf(out, "\tbyte_order = %s;\n", t->big_endian ? "be" : "le");
	write_scope(&s, "packet.header", t->packet_header);
	tn_str_puts(out, "};\n\n");
	write_env(&s);
	for (size_t i = 0; i < t->n_clocks; i++)
		write_clock(&s, t->clock[i]);
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		const struct tn_stream_class *sc = t->stream_class[i];

		s.clock = sc->clock;
		tn_str_printf(out, "stream {\n\tid = %" PRIu64 ";\n", sc->id);
		write_scope(&s, "packet.context", sc->packet_context);
		write_scope(&s, "event.header", sc->event_header);
		write_scope(&s, "event.context", sc->common_context);
		tn_str_puts(out, "};\n\n");
		for (size_t k = 0; k < sc->n_event_classes; k++)
			write_event(&s, sc->event_class[k]);
	}
	return s.code;
}
