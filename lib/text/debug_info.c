#include "text/debug_info.h"

#include "text/line.h"

static bool
has_member(const struct tn_field *root, const char *name, enum tn_kind kind)
{
	for (size_t i = 0; i < root->type->n_fields; i++)
		if (strcmp(root->type->field[i].label, name) == 0)
			return root->type->field[i].type->kind == kind;
	return false;
}

bool
tn_has_debug_info(const struct tn_text *text, const struct tn_field *context)
{
	return text->options.debug_info && text->options.format == TN_LINE_TEXT && context &&
	       context->type->kind == TN_KIND_STRUCT && has_member(context, "ip", TN_KIND_UINT) &&
	       has_member(context, "vpid", TN_KIND_SINT);
}

static void
put_name(const struct tn_text *text, const char *name, bool names, struct tn_str *out)
{
	if (!names)
		return;
	tn_put_words(out, &text->ink.name);
	tn_str_puts(out, name);
	tn_put_words(out, &text->ink.reset);
	tn_str_puts(out, " = ");
}

void
tn_put_debug_info(const struct tn_text *text, const struct tn_event *e, bool names, struct tn_str *out)
{
	static const char *const member[] = { "bin", "func", "src" };
	struct tn_str info[3] = { { 0 } };

	if (out->failed || out->n < 2)
		return;
	out->failed |= !text->options.debug_info(text->options.debug_info_user, e, info);
	out->n -= 2;		/* remove the " }" of the context */
	tn_str_puts(out, ", ");
	put_name(text, "debug_info", names, out);
	tn_str_puts(out, "{ ");
	for (size_t i = 0; i < TN_COUNT(info); i++) {
		tn_str_puts(out, i ? ", " : "");
		put_name(text, member[i], names, out);
		tn_put_words(out, &text->ink.value);
		tn_str_puts(out, "\"");
		tn_put_escaped(out, (const uint8_t *)(info[i].n ? info[i].text : ""), info[i].n);
		tn_str_puts(out, "\"");
		tn_put_words(out, &text->ink.reset);
		out->failed |= info[i].failed;
		tn_str_release(&info[i]);
	}
	tn_str_puts(out, " } }");
}
