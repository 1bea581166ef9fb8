/*
 * options_refuse.c - mistakes in the command line, such as options that the mode does not read: tnav must not silently
 * ignore them
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tnav/grow.h>

#include "gettext.h"
#include "options_refuse.h"
#include "output.h"
#include "screen/canvas.h"

int
usage(const char *format, const char *a, const char *b)
{
	char text[4200];

	snprintf(text, sizeof text, format, a, b);
	complain(NULL, text);
	fputs(_("Try 'tnav --help'.\n"), stderr);
	return 2;
}

static bool
is_live(const struct options *o)
{
	for (size_t i = 0; i < o->n_traces; i++)
		if (tn_path_is_live(o->trace[i]))
			return true;
	return false;
}

/* Whether the command line contains symbol(). */
static bool
asks_symbols(const struct options *o)
{
	const char *const text[] = {
		o->where, o->why, o->first, o->second, o->complete, o->by, o->show, o->group_by,
	};
	bool asked = false;

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		asked |= text[i] && strstr(text[i], "symbol");
	for (size_t i = 0; i < o->n_filters; i++)
		asked |= strstr(o->filter[i], "symbol") != NULL;
	for (size_t i = 0; i < o->n_spans; i++)
		asked |= strstr(o->spans[i], "symbol") != NULL;
	return asked;
}

int
options_refuse_ignored(const struct options *o)
{
	static const char *const name[] = {
		[MODE_INFO] = "--info", [MODE_CHECK] = "--check", [MODE_METADATA] = "--metadata", [MODE_PAIRS] = "--pairs",
		[MODE_CHAIN] = "--chain", [MODE_LANES] = "--lanes",
		[MODE_LADDER] = "--ladder", [MODE_FLAME] = "--flame", [MODE_PLOT] = "--plot",
		[MODE_EXPORT] = "--export", [MODE_DIFF] = "--diff", [MODE_WHY] = "--why",
		[MODE_ASK] = "--ask=list",
	};
	bool ask_list = o->mode == MODE_ASK && strcmp(o->ask, "list") == 0;
	bool whole = o->mode == MODE_INFO || o->mode == MODE_CHECK || o->mode == MODE_METADATA || o->mode == MODE_PAIRS ||
		     ask_list;
	bool ask_chain = o->mode == MODE_ASK && strcmp(o->ask, "chain") == 0;
	bool listed = o->mode == MODE_PAIRS || o->mode == MODE_CHAIN || o->mode == MODE_LANES || o->mode == MODE_PLOT ||
		      ask_chain || ask_list;
	const struct { const char *option; bool is; } given[] = {
		{ "--filter", o->n_filters && (whole || o->mode == MODE_CHAIN) },
		{ "--begin", o->begin && whole },
		{ "--end", o->end && whole },
		{ "--stream-intersection", o->intersection && whole },
		{ "--top", o->top && listed },
		{ "--sort", o->sort && (listed || o->mode == MODE_LADDER || o->mode == MODE_FLAME || o->mode == MODE_DIFF ||
			   o->mode == MODE_WHY) },
		{ "--follow", o->follow && (o->mode == MODE_DIFF || o->mode == MODE_WHY) },
		{ "--by", o->by && (ask_chain || ask_list) },
		{ "--show", o->show && (ask_chain || ask_list) },
		{ "--where", o->where && ask_list },
		{ "--output", o->output && o->mode == MODE_EXPORT },
	};

	const bool flames = o->mode == MODE_FLAME || o->flame_diff;
	const bool asked = asks_symbols(o);
	const bool may_browse = o->mode == MODE_AUTO && isatty(STDOUT_FILENO);
	const struct { const char *option, *with; bool is; } needs[] = {
		{ "--output-format", "--flame, --flame=frames, --flame=callers",
		  o->mode == MODE_FLAME && o->flame == FLAME_FOLDED && o->as != FORMAT_UNKNOWN },
		{ "--partition", "--output", o->partition && (!o->output || o->mode != MODE_PRINT) },
		{ "--force", "--output=FILE", o->partition && o->force },
		{ "--columns", "--lanes, --plot, --sequence",
		  o->columns && o->mode != MODE_LANES && o->mode != MODE_PLOT && !o->sequence },
		{ "--sequence", "--diff, --first", o->sequence && o->mode != MODE_DIFF },
		{ "--rows", "--plot", o->rows && o->mode != MODE_PLOT },
		{ "--plot-as", "--plot", o->plot_as && o->mode != MODE_PLOT },
		{ "--values", "--diff, --first", o->values && (o->mode != MODE_DIFF || o->flame_diff) },
		{ "--flame=folded, --flame=callers", "one side",
		  o->flame_diff && o->flame != FLAME_TREE && o->flame != FLAME_FRAMES },
		{ "--copy-limit", "--diff", o->copy_limit && o->mode != MODE_DIFF },
		{ "--exit-code", "--diff, --first, --why",
		  o->exit_code && (o->flame_diff || (o->mode != MODE_DIFF && o->mode != MODE_WHY)) },
		{ "--map, --kallsyms", "--flame, symbol()", o->n_maps && !flames && !may_browse && !asked },
		{ "--debug-info", "--print, --flame, symbol()",
		  o->debug_info && !asked && !flames && ((o->mode != MODE_PRINT && o->mode != MODE_AUTO) ||
							     o->as == FORMAT_CSV || o->as == FORMAT_JSON) },
		{ "--force", "--output", o->force && !o->output },
		{ "--live-from", "net://", o->live_from && !is_live(o) },
		{ "--keep", "net://", o->live_keep && !is_live(o) },
		{ "--live-lag", "--follow, net://", o->live_lag_ns && !o->follow && !is_live(o) },
	};

	if (o->output && o->as == FORMAT_UNKNOWN && screenshot_kind_of(o->output) != SCREENSHOT_NONE)
		return usage(_("--output=%s: only the browser writes pictures: use :w %s there"), o->output, o->output);
	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (needs[i].is)
			return usage(_("%s has no effect here: it works with %s"), needs[i].option, needs[i].with);
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i].is)
			return ask_chain ?
			       usage(_("%s cannot be combined with --ask=chain"), given[i].option, NULL) :
			       usage(_("%s cannot be combined with %s"), given[i].option, name[o->mode]);
	if (o->sequence && o->flame_diff)
		return usage(_("%s cannot be combined with %s"), "--flame", "--sequence");
	if (o->sequence && o->n_spans)
		return usage(_("%s cannot be combined with %s"), "--spans", "--sequence");
	if (o->follow && o->demo)
		return usage(_("%s cannot be combined with %s"), "--follow", "--demo");
	return 0;
}
