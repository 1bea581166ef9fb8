#include "ctf2_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
note(void *user, const struct tn_problem *problem)
{
	struct ctf2_model *m = user;

	tn_str_printf(&m->problems, "%s\n", problem->text);
}

void
ctf2_model_build(struct ctf2_model *m, const char *text)
{
	char *json = strdup(text);
	size_t n = strlen(json);

	memset(m, 0, sizeof *m);
	for (char *p = json; *p; p++)
		*p = *p == '\'' ? '"' : *p == '^' ? '\x1e' : *p;
	m->trace.problems = (struct tn_problems) { note, m };
	m->code = tn_ctf2_build(&m->trace, json, n, &m->error);
	free(json);
}

void
ctf2_model_release(struct ctf2_model *m)
{
	tn_trace_release(&m->trace);
	tn_str_release(&m->problems);
	tn_str_release(&m->room);
}

static void
show_ranges(struct tn_str *s, const struct tn_range *range, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		if (is_signed)
			tn_str_printf(s, "%s%" PRId64 "..%" PRId64, i ? "|" : "", (int64_t)range[i].lower,
				      (int64_t)range[i].upper);
		else
			tn_str_printf(s, "%s%" PRIu64 "..%" PRIu64, i ? "|" : "", range[i].lower, range[i].upper);
	}
}

static void
show_roles(struct tn_str *s, uint32_t roles)
{
	static const char *const names[] = {
		"magic", "uuid", "stream-class", "stream", "size", "content", "end", "discarded", "sequence",
		"event-class", "clock", "begin", "cpu",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (roles & 1u << i)
			tn_str_printf(s, "!%s", names[i]);
}

static void show_type(struct tn_str *s, const struct tn_type *t);

static void
show_field(struct tn_str *s, const struct tn_field *f, bool options, bool is_signed)
{
	if (f->hidden)
		tn_str_puts(s, "-");
	tn_str_puts(s, f->name);
	if (f->slot != TN_NO_SLOT)
		tn_str_printf(s, "#%d", f->slot);
	if (options) {
		tn_str_puts(s, "(");
		show_ranges(s, f->range, f->n_ranges, is_signed);
		tn_str_puts(s, ")");
	}
	if (f->name[0] || options || f->slot != TN_NO_SLOT)
		tn_str_puts(s, ":");
	show_type(s, f->type);
}

static void
show_fields(struct tn_str *s, const struct tn_type *t, bool options)
{
	tn_str_puts(s, "{");
	for (size_t i = 0; i < t->n_fields; i++) {
		tn_str_puts(s, i ? ", " : "");
		show_field(s, &t->field[i], options, t->ref_signed);
	}
	tn_str_puts(s, "}");
}

static void
show_length(struct tn_str *s, const struct tn_type *t)
{
	if (t->extent == TN_EXTENT_STATIC)
		tn_str_printf(s, "[%" PRIu64 "]", t->length);
	else if (t->extent == TN_EXTENT_DYNAMIC)
		tn_str_printf(s, "[#%d %s]", t->ref_slot, t->ref_path);
}

/*
 * u8le, s16be, flt32le, bool8le, bits3le, map8le, uleb, sleb; ~ other bit order; x2 base; {LABEL=0..1};
 * str[4], blob[#0 n]; array[3]<...>; {members}; var<#0 path>{name(0..3):...}; opt<#0 path (0..1)>...;
 * at the end @alignment unless it is 1. Guards: ?2 what refers, &2(10) what stores, a digit an option.
 */
static void
show_type(struct tn_str *s, const struct tn_type *t)
{
	static const char *const kinds[] = { "u", "s", "bool", "bits", "map", "flt", "str", "blob", "", "array",
					     "var", "opt" };
	static const char *const encodings[] = { "?", "ascii", "", "16be", "16le", "32be", "32le" };

	tn_str_puts(s, kinds[t->kind]);
	if (t->varint)
		tn_str_puts(s, "leb");
	else if (t->kind <= TN_KIND_FLOAT)
		tn_str_printf(s, "%" PRIu64 "%s%s", t->length, t->big_endian ? "be" : "le", t->reversed ? "~" : "");
	if (t->kind == TN_KIND_STRING)
		tn_str_puts(s, encodings[t->encoding]);
	if (t->base != 10)
		tn_str_printf(s, "x%d", t->base);
	show_roles(s, t->roles);
	for (size_t i = 0; i < t->n_mappings; i++) {
		tn_str_printf(s, "%s%s=", i ? "," : "{", t->mapping[i].label);
		show_ranges(s, t->mapping[i].range, t->mapping[i].n_ranges, t->kind == TN_KIND_SINT);
	}
	if (t->n_mappings)
		tn_str_puts(s, "}");
	if (t->kind == TN_KIND_STRING || t->kind == TN_KIND_BLOB || t->kind == TN_KIND_ARRAY)
		show_length(s, t);
	if (t->kind == TN_KIND_BLOB && strcmp(t->media_type, "application/octet-stream") != 0)
		tn_str_printf(s, "(%s)", t->media_type);
	if (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL) {
		tn_str_printf(s, "<#%d%s %s", t->ref_slot, t->ref_signed ? "s" : "", t->ref_path);
		if (t->some) {
			tn_str_puts(s, " ");
			show_ranges(s, t->some, t->n_some, t->ref_signed);
		}
		tn_str_puts(s, ">");
	}
	if (t->ref_guard)
		tn_str_printf(s, "?%u", t->ref_guard - 1);
	for (size_t i = 0; i < t->n_guards; i++) {
		tn_str_printf(s, "&%d(", t->guard[i].slot);
		for (size_t k = 0; k < t->n_fields; k++)
			tn_str_putc(s, t->guard[i].leads[k] ? '1' : '0');
		tn_str_puts(s, ")");
	}
	if (t->kind == TN_KIND_ARRAY || t->kind == TN_KIND_OPTIONAL) {
		tn_str_puts(s, t->kind == TN_KIND_ARRAY ? "<" : "");
		show_field(s, &t->field[0], false, false);
		tn_str_puts(s, t->kind == TN_KIND_ARRAY ? ">" : "");
	} else if (t->kind == TN_KIND_STRUCT || t->kind == TN_KIND_VARIANT) {
		show_fields(s, t, t->kind == TN_KIND_VARIANT);
	}
	if (t->align != 1)
		tn_str_printf(s, "@%u", t->align);
}

const char *
ctf2_show(struct ctf2_model *m, const struct tn_field *field)
{
	tn_str_clear(&m->room);
	if (!field)
		return "none";
	show_field(&m->room, field, false, false);
	return tn_str_text(&m->room);
}
