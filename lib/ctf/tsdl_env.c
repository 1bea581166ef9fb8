/*
 * tsdl_env.c - entries of env blocks
 *
 * Metadata may consist mostly of these entries. So they are converted to the model's form while they are read, and their
 * names are not words of the unit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/tsdl_parse.h"

/* Read `name` or `name.name` as one text, without blanks around the dots. */
static bool
read_name(struct tsdl_parser *p, const char **out, struct tsdl_place *place)
{
	struct tsdl_place part[TSDL_MAX_PATH];
	size_t n = 0;
	char *to;

	*place = p->token.place;
	for (;;) {
		if (p->token.kind != TSDL_T_NAME)
			return tn_tsdl_unexpected(p, n ? N_("a name") : N_("a name or `}`"));
		if (n == TSDL_MAX_PATH)
			return tn_tsdl_fail(p->u, tsdl_span(*place, p->token.place), "the path has more than %d "
										     "names", TSDL_MAX_PATH);
		part[n++] = p->token.place;
		if (!tn_tsdl_advance(p))
			return false;
		if (p->token.kind != '.' && p->token.kind != TSDL_T_ARROW)
			break;
		if (!tn_tsdl_advance(p))
			return false;
	}
	*place = tsdl_span(*place, part[n - 1]);
	if (!(to = tn_arena_copy(&p->u->trace->arena, p->u->text + place->at, place->n)))
		return tn_tsdl_fail_memory(p->u);
	*out = to;
	for (size_t i = 0; i < n; i++) {
		if (i)
			*to++ = '.';
		memcpy(to, p->u->text + part[i].at, part[i].n);
		to += part[i].n;
	}
	*to = '\0';
	return true;
}

static bool
read_value(struct tsdl_parser *p, struct tn_env *env)
{
	struct tsdl_value v;

	if (!tn_tsdl_parse_value(p, &v))
		return false;
	env->is_text = v.kind != TSDL_VALUE_NUMBER;
	if (env->is_text)
		return (env->text = tn_tsdl_value_text(p->u, &v)) != NULL;
	env->number = (int64_t)(v.is_negative ? 0 - v.magnitude : v.magnitude);
	env->is_unsigned = !v.is_negative && v.magnitude > INT64_MAX;
	return true;
}

static bool
read_entry(struct tsdl_parser *p)
{
	struct tsdl_env *list = &p->u->env;
	struct tn_env env = { .is_text = false };
	struct tsdl_place place;

	if (p->token.kind == ';')
		return tn_tsdl_advance(p);
	if (!read_name(p, &env.name, &place))
		return false;
	p->lexer.names_only = false;
	if (!tn_tsdl_expect(p, '=', "`=`") || !read_value(p, &env))
		return false;
	p->lexer.names_only = true;
	if (!TN_ARRAY_RESERVE(&list->entry, list->entry.n + 1) || !TN_ARRAY_RESERVE(&list->place, list->place.n + 1))
		return tn_tsdl_fail_memory(p->u);
	list->entry.item[list->entry.n++] = env;
	list->place.item[list->place.n++] = place;
	return tn_tsdl_expect_semicolon(p);
}

/* ---- blocks ---- */

static const char *
name_of(const void *user, size_t i)
{
	const struct tsdl_env *list = user;

	return list->entry.item[i].name;
}

/* The entries from @from on belong to a block that is complete. If a name occurs twice, the last value is used. */
static bool
join_block(struct tsdl_unit *u, size_t from)
{
	struct tsdl_env *list = &u->env;
	size_t to = from, same;

	list->names.name_of = name_of;
	list->names.user = list;
	if (!tn_names_once_reserve(&list->names, list->entry.n))
		return tn_tsdl_fail_memory(u);
	for (size_t i = from; i < list->entry.n; i++) {
		const struct tn_env env = list->entry.item[i];

		list->entry.item[to] = env;
		if (!tn_names_once_add(&list->names, to, &same))
			return tn_tsdl_fail_memory(u);
		if (same == to) {
			to++;
			continue;
		}
		tn_tsdl_tell(u, TN_WARNING, list->place.item[i - from], "given twice: the last one counts");
		list->entry.item[same] = env;
	}
	list->entry.n = to;
	return true;
}

bool
tn_tsdl_parse_env(struct tsdl_parser *p)
{
	struct tsdl_env *list = &p->u->env;
	size_t from = list->entry.n;
	bool ok;

	list->place.n = 0;
	p->lexer.names_only = true;
	for (ok = tn_tsdl_expect(p, '{', "`{`"); ok && p->token.kind != '}';)
		ok = read_entry(p);
	p->lexer.names_only = false;
	if (ok && tn_tsdl_advance(p) && tn_tsdl_expect_semicolon(p))
		return join_block(p->u, from);
	list->entry.n = from;	/* the text may end here; the entries of an incomplete block are dropped */
	return false;
}

bool
tn_tsdl_take_env(struct tsdl_unit *u)
{
	struct tsdl_env *list = &u->env;
	struct tn_env *exact;

	tn_names_once_release(&list->names);
	if (!list->entry.n)
		return true;
	exact = realloc(list->entry.item, list->entry.n * sizeof *exact);
	list->entry.item = exact ? exact : list->entry.item;
	if (!tn_arena_adopt(&u->trace->arena, list->entry.item))
		return tn_tsdl_fail_memory(u);
	u->trace->env = list->entry.item;
	u->trace->n_env = list->entry.n;
	list->entry.item = NULL;
	return true;
}
