#include <config.h>

#include <tnav/tnav.h>

#include "cli/about.h"
#include "gettext.h"

void
about_help(FILE *out)
{
	/* TRANSLATORS: this text fills one screen: at most 24 lines of at most 80 columns; keep its columns aligned */
	fputs(_("Usage: tnav [OPTION]... TRACE...      browse; without a terminal: print\n"
		"TRACE: a folder, one above several, a file, an archive, HOST:PATH, net://HOST\n"
		"\n"
		"  -p, --print           print the events, as babeltrace2 does\n"
		"  -c, --count           print the number of events\n"
		"  -i, --info            print a summary of the traces\n"
		"      --check           read everything, print each problem\n"
		"  -w, --output=FILE     write to FILE: text, or .csv, .jsonl\n"
		"      --export=FOLDER   write the events as a CTF trace\n"
		"      --demo            open a sample trace\n"
		"\n"
		"  -f, --filter=FILTER   only events that match: 'ret < 0', 'name == \"open\"',\n"
		"                        or whose line matches: 'open.*ENOENT', '!swapper'\n"
		"  -b, --begin=TIME      only events from 13:46:40.5, 2026-11-21 13:46 or +5ms on\n"
		"  -e, --end=TIME        only events until TIME\n"
		"\n"
		"      --spans='BEGIN END by KEY'   durations; --pairs: suggested pairs\n"
		"      --by=KEYS --show=LIST        groups: --by name --show 'count, p99(ret)'\n"
		"      --lanes='EVENT.FIELD by KEY' states over time\n"
		"      --ask=NAME                   ready questions: syscalls, scheduling, ...\n"
		"\n"
		"In the browser h shows the keys, q leaves. All options: --help=all, man tnav\n"), out);
}

void
about_version(FILE *out, const char *terminal)
{
	char libraries[200];

	tn_libraries(libraries, sizeof libraries);
	fprintf(out, "%s\n", PACKAGE_STRING);
	fprintf(out, _("formats: %s\n"),
		"CTF 1.8 (LTTng, barectf, KEDR), CTF 2, ovni 3, vartrace, trace.dat 6 and 7 (ftrace), perf.data, "
		"Chrome trace JSON, Perfetto, uftrace; LTTng live (relay protocol 2.4 and later)");
	fprintf(out, _("libraries: %s, %s\n"), terminal, libraries);
}
