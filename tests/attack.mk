# What surrounds and what breaks: paths, files that shrink, ways, fuzzing, every byte.

# All golden cases, each way the program has.
TESTS += %D%/golden/ways
EXTRA_DIST += %D%/golden/ways

check_PROGRAMS += tests/hostile/shrink
tests_hostile_shrink_LDADD = lib/libtnav-core.la
tests_hostile_shrink_SOURCES = %D%/hostile/shrink.c

# What libFuzzer has found, again: tests/fuzz/fuzz looks for more.
check_PROGRAMS += tests/fuzz/replay
fuzz_targets = %D%/fuzz/targets.c %D%/fuzz/targets.h %D%/fuzz/relay.c %D%/fuzz/stored_index.c
tests_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests -I$(srcdir)/src
# Of the two main() the first is taken.
tests_fuzz_replay_LDFLAGS = -Wl,-z,muldefs
tests_fuzz_replay_LDADD = $(src_tnav_OBJECTS) $(src_tnav_LDADD)
tests_fuzz_replay_DEPENDENCIES = $(src_tnav_OBJECTS) lib/libtnav-core.la
tests_fuzz_replay_SOURCES = %D%/fuzz/replay.c %D%/fuzz/configuration.c %D%/fuzz/chosen_spans.c %D%/fuzz/session.c $(fuzz_targets)
TESTS += %D%/fuzz/corpus.sh
EXTRA_DIST += %D%/fuzz/corpus.sh %D%/fuzz/fuzz %D%/fuzz/corpus
check_PROGRAMS += tests/fuzz/every_byte
tests_fuzz_every_byte_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_fuzz_every_byte_LDADD = lib/libtnav-core.la
tests_fuzz_every_byte_SOURCES = %D%/fuzz/every_byte.c $(fuzz_targets)
TESTS += %D%/fuzz/every_byte.sh
EXTRA_DIST += %D%/fuzz/every_byte.sh
SECONDS = 60
fuzz:
	$(srcdir)/%D%/fuzz/fuzz $(SECONDS)
.PHONY: fuzz

# What a path leads to.
TESTS += %D%/open/run.sh
EXTRA_DIST += %D%/open/run.sh

# tnav whose calls of the system fail when TNAV_FAULT says so.
check_PROGRAMS += tests/faults/tnav-faults
tests_faults_tnav_faults_SOURCES = %D%/faults/faults.c %D%/faults/faults.h
tests_faults_tnav_faults_LDADD = $(src_tnav_OBJECTS) $(src_tnav_LDADD)
tests_faults_tnav_faults_DEPENDENCIES = $(src_tnav_OBJECTS) lib/libtnav-core.la
fault_calls = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup,--wrap=realpath \
	-Wl,--wrap=open,--wrap=fopen,--wrap=read,--wrap=pread,--wrap=mmap,--wrap=munmap,--wrap=write,--wrap=fwrite,--wrap=fsync \
	-Wl,--wrap=pwrite,--wrap=mkdir,--wrap=mkdtemp,--wrap=mkostemp,--wrap=fflush,--wrap=fclose,--wrap=close \
	-Wl,--wrap=fdatasync,--wrap=syncfs,--wrap=rename,--wrap=renameat2,--wrap=link,--wrap=pthread_create,--wrap=opendir,--wrap=readdir,--wrap=stat,--wrap=lstat,--wrap=fstat,--wrap=poll
tests_faults_tnav_faults_LDFLAGS = $(fault_calls)
check_PROGRAMS += tests/faults/library
tests_faults_library_SOURCES = %D%/faults/library.c %D%/faults/library.h %D%/faults/library_answers.c %D%/faults/library_more.c %D%/faults/faults.c %D%/faults/faults.h \
	%D%/make/all_kinds.c %D%/make/all_kinds.h %D%/make/small_trace.c %D%/make/small_trace.h
tests_faults_library_LDADD = lib/libtnav-core.la
tests_faults_library_LDFLAGS = $(fault_calls)
check_PROGRAMS += tests/faults/browse
tests_faults_browse_SOURCES = %D%/faults/browse.c
# And tnav that has no memory left, nor have the libraries it uses.
check_PROGRAMS += tests/faults/tnav-exhaust
tests_faults_tnav_exhaust_SOURCES = %D%/faults/exhaust.c
tests_faults_tnav_exhaust_LDADD = $(src_tnav_OBJECTS) $(src_tnav_LDADD)
tests_faults_tnav_exhaust_DEPENDENCIES = $(src_tnav_OBJECTS) lib/libtnav-core.la
TESTS += %D%/faults/run %D%/faults/tour %D%/faults/library.sh %D%/faults/allocations
EXTRA_DIST += %D%/faults/run %D%/faults/tour %D%/faults/library.sh %D%/faults/allocations
# Outputs on a disk that is full.
TESTS += %D%/hostile/full.sh
EXTRA_DIST += %D%/hostile/full.sh
# And files that change while they are read; make change CHANGE=3: more moments, all changes, 1 and 8 threads.
TESTS += %D%/hostile/change
CHANGE = 1
change: tests/faults/tnav-faults tests/faults/browse tests/demo/write_demo
	CHANGE=$(CHANGE) nice $(srcdir)/%D%/hostile/change
.PHONY: change
EXTRA_DIST += %D%/hostile/change
# And random keys: make monkey SECONDS=N SEED=N TRACES='TRACE...', best in a build with sanitizers.
TRACES = --demo
monkey: src/tnav tests/faults/browse
	nice $(srcdir)/%D%/hostile/monkey -t $(SECONDS) -s $(SEED) -- $(TRACES)
.PHONY: monkey
EXTRA_DIST += %D%/hostile/monkey

# What the tests do not see: make mutate N=100 SEED=3, then
# make mutate AGAIN=-r when tests were added for what was not seen. What they do not run: make coverage. The record of all: make record.
N = 60
SEED = 1
mutate:
	nice $(srcdir)/%D%/mutate/mutate -n $(N) -s $(SEED) $(AGAIN)
coverage:
	$(srcdir)/scripts/coverage
record:
	$(srcdir)/scripts/record
.PHONY: mutate coverage record
EXTRA_DIST += %D%/mutate/mutate %D%/mutate/cover.c %D%/mutate/equivalent
