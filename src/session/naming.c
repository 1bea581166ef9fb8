#include <config.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "naming.h"

#define KEPT 1024		/* number of cached names of rows; a power of two */

struct kept_name {
	struct tn_location at;
	uint64_t address;
	char *name;
};

struct naming {
	pthread_mutex_t lock;	/* protects the making of `symbols` */
	atomic_bool made;
	atomic_bool has;	/* some address may have a name */
	_Atomic int64_t settled_ns;	/* the traces are complete up to this time */
	int64_t read_ns;	/* settled_ns when mappings were read */
	struct kept_name kept[KEPT];	/* by hash: the last name with this hash */
	unsigned changes;
	struct tn_symbol_map *map;
	struct tn_symbols *symbols;	/* NULL: no source has names of addresses */
	struct tn_error error;
	atomic_bool wanted, reads;	/* `wanted`: a condition needs functions. `reads`: a job to read them was started */
	atomic_bool has_functions;	/* functions were read; otherwise `told` may have the reason: */
	struct tn_error why;
	char told[600];		/* the last problem that was reported */
};

struct naming *
naming_new(void)
{
	struct naming *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	pthread_mutex_init(&n->lock, NULL);
	n->settled_ns = INT64_MAX;
	return n;
}

void
naming_free(struct naming *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < KEPT; i++)
		free(n->kept[i].name);
	tn_symbols_free(n->symbols);
	tn_symbol_map_free(n->map);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

static enum tn_code
make(struct naming *n, struct tn_set *set, const struct browse_options *options)
{
	struct tn_symbols_options how = options->symbols;
	enum tn_code rc = options->n_maps ? tn_symbol_map_new(&n->map, &n->error) : TN_OK;

	for (size_t i = 0; i < options->n_maps && rc == TN_OK; i++)
		rc = tn_symbol_map_read(n->map, options->map[i], &n->error);
	how.size = sizeof how;
	how.map = n->map;
	n->read_ns = n->settled_ns;
	if (rc == TN_OK)
		rc = tn_symbols_new(&n->symbols, set, &how, &n->error);
	if (rc == TN_OK && n->read_ns == INT64_MAX && !n->map && !tn_symbols_mappings(n->symbols)) {
		tn_symbols_free(n->symbols);
		n->symbols = NULL;
	}
	return rc;
}

/* Read the new mappings of traces that grow. Conditions that were compiled before do not use them. */
static void
grow(struct naming *n, struct tn_set *set)
{
	int64_t settled_ns = n->settled_ns;
	bool changed = false;

	if (!n->symbols || settled_ns == INT64_MIN || settled_ns == n->read_ns)
		return;
	if (tn_symbols_grow(n->symbols, set, settled_ns, &changed, &n->error) != TN_OK)
		return;
	n->read_ns = settled_ns;
	if (changed && n->has_functions)
		n->has_functions = n->reads = false;
}

void
naming_settled(struct naming *n, int64_t settled_ns)
{
	n->settled_ns = settled_ns;
}

bool
naming_read(struct naming *n, struct tn_set *set, const struct browse_options *options)
{
	pthread_mutex_lock(&n->lock);
	if (!n->made && make(n, set, options) == TN_OK)
		n->error.text[0] = '\0';
	grow(n, set);
	n->has = n->symbols != NULL;
	n->made = true;
	pthread_mutex_unlock(&n->lock);
	return n->symbols != NULL;
}

void
naming_functions(struct naming *n, struct tn_set *set, const struct browse_options *options)
{
	bool some = naming_read(n, set, options);

	n->wanted = n->reads = true;
	if (!some)
		n->why = n->error;
	if (!some && !n->why.text[0])
		snprintf(n->why.text, sizeof n->why.text, "%s", _("the traces do not record which files the processes mapped: "
			 "give function names with --map or --kallsyms"));
	if (some && tn_symbols_functions(n->symbols, &n->why) == TN_OK)
		n->why.text[0] = '\0';
	n->has_functions = true;
}

void
naming_prepare(struct naming *n, struct tn_set *set, const struct browse_options *options, const char *text)
{
	if (!text || !strstr(text, "symbol("))
		return;
	naming_read(n, set, options);
	if (!n->has_functions)
		naming_functions(n, set, options);
}

static struct tn_symbols *
symbols_of(void *naming, struct tn_error *err)
{
	struct naming *n = naming;

	n->wanted = true;
	if (n->has_functions && !n->why.text[0])
		return n->symbols;
	err->code = TN_ERR_NOT_FOUND;
	snprintf(err->text, sizeof err->text, "%s", n->has_functions ? n->why.text :
		 _("the names of functions are being read: repeat the condition later"));
	return NULL;
}

void
naming_serve(struct naming *n, struct tn_set *set)
{
	tn_set_symbols(set, symbols_of, n);
}

bool
naming_wants_functions(const struct naming *n)
{
	return n->wanted;
}

bool
naming_starts_functions(struct naming *n)
{
	return n->wanted && !n->has_functions && !atomic_exchange(&n->reads, true);
}

bool
naming_may(const struct naming *n)
{
	return !n->made || n->has;
}

static size_t
slot_of(const struct tn_location *at, uint64_t address)
{
	uint64_t hash = (uint64_t)at->time_ns * 31 + at->stream * 17 + at->packet * 7 + at->row * 3 + address;

	return (size_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % KEPT;
}

void
naming_keep(struct naming *n, const struct tn_location *at, uint64_t address, const char *name)
{
	struct kept_name *k = &n->kept[slot_of(at, address)];

	free(k->name);
	*k = (struct kept_name) { *at, address, strdup(name) };
	n->changes++;
}

const char *
naming_kept(const struct naming *n, const struct tn_location *at, uint64_t address)
{
	const struct kept_name *k = &n->kept[slot_of(at, address)];

	return k->address == address && k->name && tn_location_compare(&k->at, at) == 0 ? k->name : NULL;
}

unsigned
naming_changes(const struct naming *n)
{
	return n->changes;
}

bool
naming_name(struct naming *n, const struct tn_event *event, uint64_t address, unsigned parts, struct tn_str *out)
{
	struct tn_str name = { 0 };
	bool ok = tn_symbols_name(n->symbols, event, address, parts, parts == NAMING_WHOLE ? &name : out);

	/* If there are inlined functions, each has a line. */
	for (size_t i = 0, size; i < name.n; i += size + 1) {
		size = strcspn(name.text + i, "\n");
		tn_str_puts(out, i ? " > " : "");
		tn_str_add(out, name.text + i, size);
	}
	out->failed |= name.failed;
	tn_str_release(&name);
	return ok && !out->failed;
}

const char *
naming_news(struct naming *n)
{
	char text[sizeof n->told] = "";

	if (n->made && !tn_symbols_problem(n->symbols, text, sizeof text))
		snprintf(text, sizeof text, "%.500s", n->error.text);
	if (!text[0] || strcmp(text, n->told) == 0)
		return NULL;
	return strcpy(n->told, text);
}

void
naming_problem(struct naming *n, struct line *out)
{
	char text[600] = "";

	if (pthread_mutex_trylock(&n->lock) != 0)	/* a job is reading now */
		return;
	if (n->error.text[0])
		line_printf(out, STYLE_STATUS_NOTE, ", %.500s", n->error.text);
	pthread_mutex_unlock(&n->lock);
	if (tn_symbols_problem(n->symbols, text, sizeof text))
		line_printf(out, STYLE_STATUS_NOTE, ", %.500s", text);
}

void
naming_words(const struct browse_options *o, void (*word)(void *user, const char *word), void *user)
{
	for (size_t i = 0; i < o->n_maps; i++) {
		word(user, "--map");
		word(user, o->map[i]);
	}
	if (o->symbols.debug_dir) {
		word(user, "--debug-info-dir");
		word(user, o->symbols.debug_dir);
	}
	if (o->symbols.target_prefix) {
		word(user, "--debug-info-target-prefix");
		word(user, o->symbols.target_prefix);
	}
}
