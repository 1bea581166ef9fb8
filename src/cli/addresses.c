#include <config.h>

#include "addresses.h"
#include "gettext.h"
#include "report.h"

void
addresses_serve(struct addresses *a, const struct options *options, struct tn_set *set)
{
	*a = (struct addresses) { .options = options, .set = set };
	tn_set_symbols(set, addresses_read, a);
}

struct tn_symbols *
addresses_read(void *addresses, struct tn_error *err)
{
	struct addresses *a = addresses;
	const struct options *o = a->options;
	struct tn_symbols_options how = {
		TN_SYMBOLS_OPTIONS, .debug_dir = o->debug_dir, .target_prefix = o->target_prefix, .full_path = o->full_path,
		.threads = o->threads,
	};
	enum tn_code rc = o->n_maps && !a->map ? tn_symbol_map_new(&a->map, err) : TN_OK;

	if (a->symbols)
		return a->symbols;
	for (size_t i = 0; i < o->n_maps && rc == TN_OK; i++)
		rc = tn_symbol_map_read(a->map, o->map[i], err);
	how.map = a->map;
	if (rc == TN_OK)
		rc = tn_symbols_new(&a->symbols, a->set, &how, err);
	if (rc < 0) {	/* the next call starts with a clean state */
		tn_symbol_map_free(a->map);
		a->map = NULL;
	}
	return rc == TN_OK ? a->symbols : NULL;
}

bool
addresses_grow(struct addresses *a, int64_t end_ns, struct tn_error *err)
{
	bool changed = false;

	*err = (struct tn_error) { 0 };
	return a->symbols && tn_symbols_grow(a->symbols, a->set, end_ns, &changed, err) == TN_OK && changed;
}

void
addresses_release(struct addresses *a)
{
	char problem[600];

	if (a->symbols && tn_symbols_problem(a->symbols, problem, sizeof problem))
		complain(_("warning"), problem);
	tn_symbols_free(a->symbols);
	tn_symbol_map_free(a->map);
	if (a->set)
		tn_set_symbols(a->set, NULL, NULL);
	*a = (struct addresses) { 0 };
}
