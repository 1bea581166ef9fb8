#include "tsdl_model.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
tell(void *user, const struct tn_problem *problem)
{
	static const char *const severities[] = { [TN_NOTE] = "note", [TN_WARNING] = "warning", [TN_WRONG] = "wrong", [TN_DAMAGE] = "damage" };
	struct tsdl_model *m = user;

	tn_str_printf(&m->problems, "%s: %s\n", severities[problem->severity], problem->text);
}

void
tsdl_model_build(struct tsdl_model *m, const char *text)
{
	char *copy = strdup(text);

	memset(m, 0, sizeof *m);
	m->trace.problems = (struct tn_problems) { tell, m };
	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	m->code = tn_tsdl_build(&m->trace, copy, strlen(copy), &m->error);
	/* The model keeps nothing of the text. */
	memset(copy, '#', strlen(copy));
	free(copy);
}

void
tsdl_model_release(struct tsdl_model *m)
{
	tn_trace_release(&m->trace);
	tn_str_release(&m->problems);
	tn_str_release(&m->shown);
}

static void
put_ranges(struct tn_str *s, const struct tn_range *range, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		tn_str_printf(s, is_signed ? "%s%" PRId64 : "%s%" PRIu64, i ? "," : "", range[i].lower);
		if (range[i].upper != range[i].lower)
			tn_str_printf(s, is_signed ? "..%" PRId64 : "..%" PRIu64, range[i].upper);
	}
}

static void
put_roles(struct tn_str *s, uint32_t roles)
{
	static const char *const names[] = {
		"magic", "uuid", "stream", "instance", "packet", "content", "end", "discarded", "sequence", "id", "clock",
		"begin", "cpu",
	};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (roles & 1u << i)
			tn_str_printf(s, "!%s", names[i]);
}

static void put_field(struct tn_str *s, const struct tn_field *f);

static void
put_number(struct tn_str *s, const struct tn_type *t, const char *kind)
{
	tn_str_printf(s, "%s%" PRIu64 "%s", kind, t->length, t->big_endian ? "b" : "");
	if (t->align != (t->length % 8 ? 1 : 8))
		tn_str_printf(s, "/%u", (unsigned)t->align);
	if (t->base != 10)
		tn_str_printf(s, "#%u", (unsigned)t->base);
	for (size_t i = 0; i < t->n_mappings; i++) {
		tn_str_printf(s, "%s%s=", i ? " " : "<", t->mapping[i].label);
		put_ranges(s, t->mapping[i].range, t->mapping[i].n_ranges, t->kind == TN_KIND_SINT);
	}
	if (t->n_mappings)
		tn_str_putc(s, '>');
}

static void
put_reference(struct tn_str *s, const struct tn_type *t)
{
	tn_str_printf(s, "@%d", t->ref_slot);
	if (t->ref_guard)
		tn_str_printf(s, "&%u", (unsigned)t->ref_guard - 1);
}

static void
put_length(struct tn_str *s, const struct tn_type *t)
{
	tn_str_putc(s, '[');
	if (t->extent == TN_EXTENT_STATIC)
		tn_str_printf(s, "%" PRIu64, t->length);
	else
		put_reference(s, t);
	tn_str_puts(s, t->signed_length ? " signed]" : "]");
}

static void
put_fields(struct tn_str *s, const struct tn_type *t)
{
	tn_str_putc(s, '{');
	for (size_t i = 0; i < t->n_fields; i++) {
		tn_str_puts(s, i ? " " : "");
		put_field(s, &t->field[i]);
	}
	tn_str_putc(s, '}');
}

static void
put_variant(struct tn_str *s, const struct tn_type *t)
{
	tn_str_putc(s, '?');
	for (size_t i = 0; i < t->n_guards; i++)
		tn_str_printf(s, "%%%d", t->guard[i].slot);
	for (size_t i = 0; i < t->n_clear_slots; i++)
		tn_str_printf(s, "^%d", t->clear_slot[i]);
	put_reference(s, t);
	put_fields(s, t);
}

static void
put_type(struct tn_str *s, const struct tn_type *t)
{
	switch (t->kind) {
	case TN_KIND_UINT: put_number(s, t, "u"); break;
	case TN_KIND_SINT: put_number(s, t, "s"); break;
	case TN_KIND_FLOAT: put_number(s, t, "f"); break;
	case TN_KIND_BITS: put_number(s, t, "bits"); break;
	case TN_KIND_STRING:
		tn_str_puts(s, t->encoding == TN_ENCODING_ASCII ? "ascii" : "str");
		if (t->extent != TN_EXTENT_TERMINATED)
			put_length(s, t);
		break;
	case TN_KIND_ARRAY:
		put_length(s, t);
		put_type(s, t->field[0].type);
		if (t->field[0].slot != TN_NO_SLOT)
			tn_str_printf(s, "=%d", t->field[0].slot);
		break;
	case TN_KIND_STRUCT:
		put_fields(s, t);
		tn_str_printf(s, "/%u", (unsigned)t->align);
		break;
	case TN_KIND_VARIANT: put_variant(s, t); break;
	default: tn_str_puts(s, "unknown"); break;
	}
}

static void
put_field(struct tn_str *s, const struct tn_field *f)
{
	tn_str_printf(s, "%s%s", f->hidden ? "-" : "", f->name);
	if (f->parent && f->parent->type->kind == TN_KIND_VARIANT) {
		tn_str_putc(s, '(');
		put_ranges(s, f->range, f->n_ranges, f->parent->type->ref_signed);
		tn_str_putc(s, ')');
	}
	put_roles(s, f->type->roles);
	if (f->slot != TN_NO_SLOT)
		tn_str_printf(s, "=%d", f->slot);
	if (f->parent)
		tn_str_putc(s, ':');
	put_type(s, f->type);
}

const char *
tsdl_show(struct tsdl_model *m, const struct tn_field *field)
{
	tn_str_clear(&m->shown);
	if (field)
		put_field(&m->shown, field);
	return tn_str_text(&m->shown);
}

static void
put_scope(struct tn_str *s, const char *name, const struct tn_field *root)
{
	if (!root)
		return;
	tn_str_printf(s, "%s ", name);
	put_field(s, root);
	tn_str_putc(s, '\n');
}

static void
put_clock(struct tn_str *s, const struct tn_clock *c)
{
	tn_str_printf(s, "clock %s %" PRIu64 " Hz %" PRId64 " s + %" PRIu64 "%s", c->name, c->frequency, c->offset_s,
		      c->offset_cycles, c->origin == TN_ORIGIN_UNIX ? " unix" : "");
	if (c->has_uuid)
		tn_str_printf(s, " uuid %02x..%02x", c->uuid[0], c->uuid[15]);
	if (c->precision != TN_UNKNOWN)
		tn_str_printf(s, " precision %" PRIu64, c->precision);
	if (c->description)
		tn_str_printf(s, " (%s)", c->description);
	tn_str_putc(s, '\n');
}

static void
put_event_class(struct tn_str *s, const struct tn_event_class *ec)
{
	tn_str_printf(s, "event %" PRIu64, ec->id);
	if (ec->last_id != ec->id)
		tn_str_printf(s, "..%" PRIu64, ec->last_id);
	tn_str_printf(s, " %s", ec->name ? ec->name : "(no name)");
	if (ec->log_level >= 0)
		tn_str_printf(s, " level %d", ec->log_level);
	if (ec->emf_uri)
		tn_str_printf(s, " emf %s", ec->emf_uri);
	tn_str_putc(s, '\n');
	put_scope(s, "  context", ec->specific_context);
	put_scope(s, "  fields", ec->payload);
}

static void
put_stream_class(struct tn_str *s, const struct tn_stream_class *sc)
{
	tn_str_printf(s, "stream %" PRIu64 "%s%s%s\n", sc->id, sc->clock ? " by " : "", sc->clock ? sc->clock->name : "",
		      sc->late_time ? " late" : "");
	put_scope(s, "packet", sc->packet_context);
	put_scope(s, "header", sc->event_header);
	put_scope(s, "common", sc->common_context);
	for (size_t i = 0; i < sc->n_event_classes; i++)
		put_event_class(s, sc->event_class[i]);
	if (sc->other_class) {
		tn_str_puts(s, "other ");
		put_event_class(s, sc->other_class);
	}
}

const char *
tsdl_show_all(struct tsdl_model *m)
{
	const struct tn_trace *t = &m->trace;
	struct tn_str *s = &m->shown;

	tn_str_clear(s);
	tn_str_printf(s, "%s %u.%u %s", t->is_loose ? "kedr" : "ctf", (unsigned)t->major, (unsigned)t->minor,
		      t->big_endian ? "be" : "le");
	if (t->has_uuid)
		tn_str_printf(s, " uuid %02x..%02x", t->uuid[0], t->uuid[15]);
	tn_str_putc(s, '\n');
	for (size_t i = 0; i < t->n_env; i++) {
		char room[32];

		tn_str_printf(s, t->env[i].is_text ? "env %s = '%s'\n" : "env %s = %s\n", t->env[i].name,
			      tn_trace_env_value(t, i, room, sizeof room));
	}
	for (size_t i = 0; i < t->n_clocks; i++)
		put_clock(s, t->clock[i]);
	put_scope(s, "trace", t->packet_header);
	for (size_t i = 0; i < t->n_stream_classes; i++)
		put_stream_class(s, t->stream_class[i]);
	return tn_str_text(s);
}

void
tsdl_check(const struct tsdl_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *problems = row[i].problems ? row[i].problems : "", *got;
		struct tsdl_model m;

		tsdl_model_build(&m, row[i].text);
		got = m.code < 0 ? m.error.text
		    : row[i].want[0] == '{' ? tsdl_show(&m, m.trace.event_class[0]->payload)
		    : tsdl_show_all(&m);
		cr_expect_str_eq(got, row[i].want, "row %zu: %s\n  gives  %s\n  not    %s", i, row[i].text, got, row[i].want);
		cr_expect_str_eq(tn_str_text(&m.problems), problems, "row %zu: %s\n  tells  %s\n  not    %s", i,
				 row[i].text, tn_str_text(&m.problems), problems);
		tsdl_model_release(&m);
	}
}
