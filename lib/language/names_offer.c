/* names_offer.c - find names that complete a typed prefix */
#include <stdlib.h>

#include "language/names_index.h"
#include "model/path.h"

#define PATHS 64	/* limit of offered paths with the same last name */

struct offer {
	const struct tn_names *names;
	const char *prefix, *bare;	/* the typed text, with and without a backtick */
	size_t n;
	void (*each)(void *user, const char *name);
	void *user;
	bool no_memory;
};

/* Offer the name of a field, unless its path was already offered. */
static void
offer_field(struct offer *o, const struct entry *e, char **told, size_t *n_told)
{
	struct tn_str path = { 0 }, name = { 0 };
	const char *full;

	if (*n_told == PATHS)
		return;
	tn_path_put(&path, e->scope, e->field);
	full = tn_str_text(&path);
	for (size_t i = 0; i < *n_told; i++)
		if (strcmp(told[i], full) == 0) {
			tn_str_release(&path);
			return;
		}
	o->no_memory |= path.failed;
	told[*n_told] = strdup(full);
	o->no_memory |= !told[*n_told];
	*n_told += told[*n_told] != NULL;
	if (strncmp(e->label, o->bare, strlen(o->bare)) == 0)
		o->no_memory |= !tn_names_shortest(o->names, e->scope, e->field, &name);
	else if (strncmp(full, o->prefix, o->n) == 0)
		tn_str_puts(&name, full);
	o->no_memory |= name.failed;
	if (name.n && !o->no_memory)
		o->each(o->user, tn_str_text(&name));
	tn_str_release(&path);
	tn_str_release(&name);
}

static void
offer_attributes(struct offer *o)
{
	size_t n_attributes;
	const struct tn_attribute *attribute = tn_attributes(&n_attributes);

	for (size_t i = 0; i < o->names->extras.n; i++)
		if (strncmp(o->names->extras.name[i], o->prefix, o->n) == 0)
			o->each(o->user, o->names->extras.name[i]);
	for (size_t i = 0; i < n_attributes; i++) {
		struct tn_arena arena = { 0 };
		struct tn_meaning meaning;
		struct tn_error err = { .code = TN_OK };

		/* If a field has priority over the attribute, the name is offered as a field. */
		if (strncmp(attribute[i].name, o->prefix, o->n) == 0 &&
		    tn_names_resolve(o->names, &arena, attribute[i].name, NULL, &meaning, &err) == TN_OK && meaning.attribute)
			o->each(o->user, attribute[i].name);
		o->no_memory |= err.code == TN_ERR_MEMORY;
		tn_arena_release(&arena);
	}
	for (size_t i = 0; o->names->has_markers && tn_marker_attribute(i); i++)
		if (strncmp(tn_marker_attribute(i), o->prefix, o->n) == 0)
			o->each(o->user, tn_marker_attribute(i));
}

bool
tn_names_each(const struct tn_names *names, const char *prefix, void (*each)(void *user, const char *name), void *user)
{
	const char *bare = prefix + (*prefix == '`');
	struct offer o = { names, prefix, bare, strlen(prefix), each, user, false };
	bool is_path = strchr(prefix, '.');
	char *told[PATHS];
	size_t n_told = 0;

	offer_attributes(&o);
	for (size_t i = is_path ? 0 : tn_names_find_entry(names, bare); i < names->entry.n; i++) {
		const struct entry *e = &names->entry.item[i];

		if (!is_path && strncmp(e->label, bare, strlen(bare)) != 0)
			break;
		if (i && strcmp(e->label, names->entry.item[i - 1].label) != 0)
			while (n_told)
				free(told[--n_told]);
		if (!e->field->hidden && strcmp(e->label, e->field->label) == 0 && e->scope != TN_SCOPE_PACKET_HEADER &&
		    e->scope != TN_SCOPE_EVENT_HEADER)
			offer_field(&o, e, told, &n_told);
	}
	while (n_told)
		free(told[--n_told]);
	return !o.no_memory;
}
