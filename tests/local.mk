if HAVE_CRITERION
check_PROGRAMS += tests/unit/unit
TESTS += tests/unit/run.sh
endif
EXTRA_DIST += %D%/unit/run.sh %D%/json.pl
# One program of all unit tests: tests/unit/<folder>/test_<file>.c
tests_unit_unit_CPPFLAGS = $(AM_CPPFLAGS) $(CRITERION_CFLAGS) $(PCRE2_CFLAGS)
tests_unit_unit_LDADD = lib/libtnav-core.la $(CRITERION_LIBS)
# Tests take general ways where they ask for them: lib/base/ways.h
tests_unit_unit_SOURCES = %D%/ways.c
include tests/unit/base/local.mk
include tests/unit/model/local.mk
include tests/unit/plan/local.mk
include tests/unit/ctf/local.mk
include tests/unit/ovni/local.mk
include tests/unit/vartrace/local.mk
include tests/unit/uftrace/local.mk
include tests/unit/ftrace/local.mk
include tests/unit/digest/local.mk
include tests/unit/index/local.mk
include tests/unit/archive/local.mk
include tests/unit/live/local.mk
include tests/unit/text/local.mk
include tests/unit/write/local.mk
include tests/unit/order/local.mk
include tests/unit/language/local.mk
include tests/unit/scan/local.mk
include tests/unit/answer/local.mk
include tests/unit/export/local.mk
include tests/unit/span/local.mk
include tests/unit/group/local.mk
include tests/unit/compare/local.mk
include tests/unit/lane/local.mk
include tests/unit/src/local.mk

# tnav that takes general ways when TNAV_WAYS says so.
check_PROGRAMS += tests/golden/tnav-ways
tests_golden_tnav_ways_SOURCES = %D%/ways.c
tests_golden_tnav_ways_LDADD = $(src_tnav_OBJECTS) $(src_tnav_LDADD)
tests_golden_tnav_ways_DEPENDENCIES = $(src_tnav_OBJECTS) lib/libtnav-core.la

# Every path of every field is understood: agree runs it.
check_PROGRAMS += tests/golden/paths
tests_golden_paths_SOURCES = %D%/golden/paths.c
tests_golden_paths_LDADD = lib/libtnav-core.la

# Golden cases: tests/golden/<format>/<name>.tnt, one text file each.
TESTS += tests/golden/run tests/golden/general tests/golden/exported tests/golden/agree tests/golden/translated
EXTRA_DIST += %D%/golden/run %D%/golden/general %D%/golden/exported %D%/golden/agree %D%/golden/translated
# All of them, without a list: automake would also take the logs of a build folder's tests/golden.
dist-hook:
	cp -p $(srcdir)/check "$(distdir)/check"
	cd $(srcdir) && find tests/golden -name '*.tnt' | while read -r f; do \
		$(MKDIR_P) "$(abs_builddir)/$(distdir)/$${f%/*}" && cp -p "$$f" "$(abs_builddir)/$(distdir)/$$f" || exit 1; \
	done
	@# When the catalogues were made says nothing, and would be another time in each folder.
	for pot in po/tnav.pot lib/po/libtnav.pot; do \
		test -f "$(distdir)/$$pot" || continue; \
		sed 's/^"POT-Creation-Date: .*/"POT-Creation-Date: 2025-01-01 00:00+0000\\n"/' "$(distdir)/$$pot" >"$(distdir)/pot" && \
		mv "$(distdir)/pot" "$(distdir)/$$pot" || exit 1; \
	done

# Mutated metadata; FUZZ_ROUNDS=100000 and --enable-asan for more.
check_PROGRAMS += tests/fuzz/fuzz_tsdl
tests_fuzz_fuzz_tsdl_LDADD = lib/libtnav-core.la
tests_fuzz_fuzz_tsdl_SOURCES = %D%/fuzz/fuzz_tsdl.c
TESTS += %D%/fuzz/run.sh
EXTRA_DIST += %D%/fuzz/run.sh %D%/fuzz/tsdl/example %D%/fuzz/tsdl/kedr %D%/fuzz/tsdl/lttng

# Broken traces, read in all ways.
check_PROGRAMS += tests/fuzz/fuzz_trace
tests_fuzz_fuzz_trace_LDADD = lib/libtnav-core.la
tests_fuzz_fuzz_trace_SOURCES = %D%/fuzz/fuzz_trace.c %D%/ways.c
TESTS += %D%/fuzz/traces.sh
EXTRA_DIST += %D%/fuzz/traces.sh

# Every function of the library with NULL for each pointer.
check_PROGRAMS += tests/null/null
tests_null_null_CPPFLAGS = -I$(top_srcdir)/lib/include -Itests/null
tests_null_null_LDADD = lib/libtnav-core.la
tests_null_null_SOURCES = %D%/null/null.c
nodist_tests_null_null_SOURCES = tests/null/calls.h
tests/null/tests_null_null-null.$(OBJEXT) tests/null/null-null.$(OBJEXT): tests/null/calls.h
tests/null/calls.h: $(srcdir)/%D%/null/calls $(tnav_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) tests/null && perl $(srcdir)/%D%/null/calls $(srcdir)/lib/include/tnav/*.h >$@-t && mv $@-t $@
CLEANFILES += tests/null/calls.h
EXTRA_DIST += %D%/null/calls
TESTS += tests/null/null

# The sample trace of --demo.
check_PROGRAMS += tests/demo/write_demo
tests_demo_write_demo_CPPFLAGS = -I$(top_srcdir)/lib/include -I$(top_srcdir)/src
tests_demo_write_demo_LDADD = lib/libtnav-core.la
tests_demo_write_demo_SOURCES = %D%/demo/write_demo.c src/cli/demo.c src/cli/demo.h src/cli/demo_types.c src/cli/demo_types.h \
	src/cli/demo_place.c
EXTRA_DIST += %D%/demo/run.sh
TESTS += %D%/demo/run.sh

# What --record writes.
TESTS += %D%/record/run.sh %D%/record/types.sh
EXTRA_DIST += %D%/record/run.sh %D%/record/types.sh %D%/record/types.cc %D%/record/types.c

# What is exported reads as it was; an export that cannot be leaves nothing.
TESTS += %D%/export/run.sh %D%/live/run.sh %D%/live/breaks.sh %D%/archive/run.sh %D%/follow/run.sh %D%/remote/run.sh %D%/remote/sshd.sh
EXTRA_DIST += %D%/archive/run.sh %D%/follow/run.sh %D%/remote/run.sh %D%/remote/sshd.sh %D%/export/run.sh %D%/live/run.sh %D%/live/breaks.sh %D%/live/daemons.sh %D%/live/proxy %D%/live/app.c %D%/live/tp.h

# Spans, groups and lanes against the same computed by brute force; and straight from the bits beside from values.
TESTS += %D%/answer/run %D%/answer/questions %D%/answer/ways %D%/stack/run %D%/symbol/run %D%/plot/run
EXTRA_DIST += %D%/answer/run %D%/answer/questions %D%/answer/ways %D%/stack/run %D%/symbol/run %D%/plot/run

# What surrounds the program: closed descriptors, terminals that go away.
check_PROGRAMS += tests/hostile/gone tests/hostile/poke
tests_hostile_gone_SOURCES = %D%/hostile/gone.c
tests_hostile_poke_SOURCES = %D%/hostile/poke.c
TESTS += %D%/hostile/run.sh %D%/hostile/stores.sh %D%/hostile/memory %D%/hostile/changed
EXTRA_DIST += %D%/hostile/run.sh %D%/hostile/stores.sh %D%/hostile/memory %D%/hostile/small %D%/hostile/changed

# make installcheck, which make distcheck runs: the installed library as others see it.
TESTS += %D%/install/completion.sh
EXTRA_DIST += %D%/install/run.sh %D%/install/program.c %D%/install/completion.sh
installcheck-local: tests/demo/write_demo
	BINDIR='$(DESTDIR)$(bindir)' LIBDIR='$(DESTDIR)$(libdir)' PKGCONFIGDIR='$(DESTDIR)$(pkgconfigdir)' MANDIR='$(DESTDIR)$(mandir)' \
		CC='$(CC)' srcdir='$(srcdir)' sh $(srcdir)/%D%/install/run.sh

# Keys played in a real terminal: tests/screen/<name>.keys, what it then shows: <name>.screen.
TESTS += tests/screen/run tests/screen/tour tests/screen/languages tests/screen/cast tests/screen/terminals
EXTRA_DIST += %D%/screen/run %D%/screen/tour %D%/screen/languages %D%/screen/cast %D%/screen/terminals $(screen_tests)
screen_tests =
include tests/screen/local.mk

# Random conditions against a plain evaluation over the JSON lines.
TESTS += tests/language/run
EXTRA_DIST += %D%/language/run

# Random traces against what was put into them.
TESTS += tests/random/run
EXTRA_DIST += %D%/random/run

# Random drafts, written and read back, by babeltrace2 too.
check_PROGRAMS += tests/random/drafts
tests_random_drafts_CPPFLAGS = -I$(top_srcdir)/lib/include
tests_random_drafts_LDADD = lib/libtnav-core.la
tests_random_drafts_SOURCES = %D%/random/drafts.c %D%/make/drafting.h
TESTS += tests/random/drafts.sh
EXTRA_DIST += %D%/random/drafts.sh

# Two traces compared: what a generator planted is found.
check_PROGRAMS += tests/compare/generate
tests_compare_generate_CPPFLAGS = -I$(top_srcdir)/lib/include
tests_compare_generate_LDADD = lib/libtnav-core.la -lm
tests_compare_generate_SOURCES = %D%/compare/generate.c %D%/make/drafting.h
TESTS += tests/compare/run tests/compare/sequence
EXTRA_DIST += %D%/compare/run %D%/compare/sequence

# Recordings of ftrace and perf against the stored text of their owners, where there are any beside the checkout.
TESTS += tests/chromejson/run
EXTRA_DIST += %D%/chromejson/run
TESTS += tests/tracedat/owner tests/tracedat/questions tests/tracedat/run
TESTS += tests/perfdata/owner tests/perfdata/run tests/perfdata/syscalls tests/uftrace/owner tests/uftrace/kernel
EXTRA_DIST += %D%/uftrace/owner %D%/uftrace/kernel
TESTS += tests/perfetto/owner tests/perfetto/run
EXTRA_DIST += %D%/perfetto/owner %D%/perfetto/run %D%/perfetto/writer.pl
EXTRA_DIST += %D%/perfdata/owner %D%/perfdata/run %D%/perfdata/syscalls %D%/perfdata/writer.pl
EXTRA_DIST += %D%/tracedat/owner %D%/tracedat/questions %D%/tracedat/run %D%/tracedat/writer.pl

# Files of columns, by a reader that has no line of the writer.
TESTS += tests/parquet/run tests/parquet/fleet
EXTRA_DIST += %D%/parquet/fleet %D%/parquet/run %D%/parquet/reader.pl

include tests/digest/local.mk

# make bench: no test, but answer/ways reads what it writes.
check_PROGRAMS += tests/bench/generate tests/bench/measure
EXTRA_PROGRAMS = tests/make/make-trace
tests_bench_generate_CPPFLAGS = -I$(top_srcdir)/lib/include
tests_bench_generate_LDADD = lib/libtnav-core.la
tests_bench_generate_SOURCES = %D%/bench/generate.c %D%/make/drafting.h
tests_bench_measure_SOURCES = %D%/bench/measure.c
tests_make_make_trace_SOURCES = %D%/make/make-trace.c \
	%D%/make/ovni_maker.c %D%/make/ovni_maker.h %D%/make/vartrace_maker.c %D%/make/vartrace_maker.h
# What many events a second cost: tests/load/live.
check_PROGRAMS += tests/load/relay
tests_load_relay_SOURCES = %D%/load/relay.c
EXTRA_DIST += %D%/load/live %D%/load/run
# A set that grows while it is read: for ThreadSanitizer.
check_PROGRAMS += tests/load/growing
tests_load_growing_CPPFLAGS = -I$(top_srcdir)/lib/include
tests_load_growing_LDADD = lib/libtnav-core.la
tests_load_growing_SOURCES = %D%/load/growing.c %D%/make/drafting.h
TESTS += %D%/load/growing.sh
EXTRA_DIST += %D%/load/growing.sh
EXTRA_DIST += %D%/bench/run %D%/bench/ust-trace %D%/bench/ust_load.c %D%/bench/ust_load.h
CLEANFILES += $(EXTRA_PROGRAMS)
bench: src/tnav $(EXTRA_PROGRAMS)
	$(srcdir)/tests/bench/run
.PHONY: bench

include tests/attack.mk
include tests/browser/local.mk

# Rules of the house that no compiler knows.
lint = %D%/lint/build.sh %D%/lint/check.sh %D%/lint/differences.sh %D%/lint/errors %D%/lint/includes.sh %D%/lint/headers.sh %D%/lint/library.sh %D%/lint/manual.sh %D%/lint/meanings.sh %D%/lint/messages.sh %D%/lint/names.sh %D%/lint/objects.sh %D%/lint/settings.sh %D%/lint/setup.sh %D%/lint/sizes.sh %D%/lint/weights.sh %D%/lint/words.sh
TESTS += $(lint)
EXTRA_DIST += $(lint) %D%/lint/errors.known %D%/lint/words.known %D%/lint/meanings.known %D%/lint/lib.sh %D%/corpus/run %D%/corpus/content %D%/corpus/expected %D%/corpus/known

# What a test sees is the same everywhere; CC and CXX are for the ones that compile.
AM_TESTS_ENVIRONMENT = LC_ALL=C.UTF-8; export LC_ALL; TZ=UTC; export TZ; \
	CC='$(CC)'; export CC; srcdir='$(srcdir)'; export srcdir; \
	ASAN_OPTIONS="$${ASAN_OPTIONS:-exitcode=99:intercept_strstr=0}"; export ASAN_OPTIONS;
