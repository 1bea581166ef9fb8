dist_man1_MANS = %D%/tnav.1
dist_man5_MANS = %D%/tnavrc.5
dist_man7_MANS = %D%/tnav-answers.7 %D%/tnav-check.7 %D%/tnav-language.7
EXTRA_DIST += %D%/screen-dark.svg %D%/screen-light.svg %D%/guide.md %D%/fleet.md %D%/tnav.cast %D%/formats/barectf.md %D%/formats/ctf1.md %D%/formats/ctf2.md %D%/formats/kedr.md \
	%D%/formats/chromejson.md %D%/formats/ovni.md %D%/formats/perfdata.md %D%/formats/perfetto.md %D%/formats/tracedat.md %D%/formats/uftrace.md %D%/formats/vartrace.md
EXTRA_DIST += %D%/ctf2-text.md %D%/differences.md \
	%D%/dev/architecture.md %D%/dev/performance.md %D%/dev/testing.md %D%/dev/uncovered.reasons
completiondir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
zsh_DATA = %D%/_tnav
fishdir = $(datadir)/fish/vendor_completions.d
fish_DATA = %D%/tnav.fish
CLEANFILES += %D%/_tnav %D%/tnav.fish %D%/tnav.bash
doc/_tnav: $(srcdir)/scripts/completions $(srcdir)/src/cli/options.c $(srcdir)/lib/span/questions.def
	$(AM_V_GEN)$(MKDIR_P) doc && perl $(srcdir)/scripts/completions doc
doc/tnav.fish doc/tnav.bash: doc/_tnav
all-local: doc/tnav.bash
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(completiondir)"
	$(INSTALL_DATA) doc/tnav.bash "$(DESTDIR)$(completiondir)/tnav"
uninstall-local:
	rm -f "$(DESTDIR)$(completiondir)/tnav"

# The place in a desktop: a terminal program that opens folders.
applicationsdir = $(datadir)/applications
dist_applications_DATA = %D%/tnav.desktop
iconsdir = $(datadir)/icons/hicolor/scalable/apps
dist_icons_DATA = %D%/tnav.svg
metainfodir = $(datadir)/metainfo
dist_metainfo_DATA = %D%/io.tnav.tnav.metainfo.xml

# libtnav(3) and a page for each part are made from the public headers. Each function has a page of its own name, which
# reads that of its part.
reference = error str value event trace cursor iterate text query answer table grow worker writer recorder
man3_MANS = %D%/libtnav.3 %D%/libtnav-error.3 %D%/libtnav-str.3 %D%/libtnav-value.3 %D%/libtnav-event.3 %D%/libtnav-trace.3 \
	%D%/libtnav-cursor.3 %D%/libtnav-iterate.3 %D%/libtnav-text.3 %D%/libtnav-query.3 %D%/libtnav-answer.3 %D%/libtnav-table.3 \
	%D%/libtnav-grow.3 %D%/libtnav-worker.3 %D%/libtnav-writer.3 %D%/libtnav-recorder.3
CLEANFILES += $(man3_MANS) %D%/libtnav.links
install-data-hook:
	while read -r function page; do \
		echo ".so man3/$$page.3" >"$(DESTDIR)$(man3dir)/$$function.3" && chmod 644 "$(DESTDIR)$(man3dir)/$$function.3"; \
	done <doc/libtnav.links
uninstall-hook:
	test ! -e doc/libtnav.links || while read -r function page; do \
		rm -f "$(DESTDIR)$(man3dir)/$$function.3"; \
	done <doc/libtnav.links
EXTRA_DIST += %D%/make-reference
doc/libtnav.3: $(top_srcdir)/doc/make-reference $(top_srcdir)/doc/examples/timeline.c $(tnav_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) doc && perl $(top_srcdir)/doc/make-reference $(VERSION) doc \
		$(reference:%=$(top_srcdir)/lib/include/tnav/%.h)
%D%/libtnav-error.3 %D%/libtnav-str.3 %D%/libtnav-value.3 %D%/libtnav-event.3 %D%/libtnav-trace.3 %D%/libtnav-cursor.3 \
%D%/libtnav-iterate.3 %D%/libtnav-text.3 %D%/libtnav-query.3 %D%/libtnav-answer.3 %D%/libtnav-table.3 %D%/libtnav-grow.3 \
%D%/libtnav-worker.3 %D%/libtnav-writer.3 %D%/libtnav-recorder.3: %D%/libtnav.3

# The example programs use the installed library's headers and the shared library only.
check_PROGRAMS += doc/examples/packets doc/examples/stream_events doc/examples/timeline
doc_examples_packets_CPPFLAGS = -I$(top_srcdir)/lib/include
doc_examples_packets_SOURCES = %D%/examples/packets.c
doc_examples_packets_LDADD = lib/libtnav.la
doc_examples_stream_events_CPPFLAGS = -I$(top_srcdir)/lib/include
doc_examples_stream_events_SOURCES = %D%/examples/stream_events.c
doc_examples_stream_events_LDADD = lib/libtnav.la
doc_examples_timeline_CPPFLAGS = -I$(top_srcdir)/lib/include
doc_examples_timeline_SOURCES = %D%/examples/timeline.c
doc_examples_timeline_LDADD = lib/libtnav.la
TESTS += tests/examples/run.sh tests/examples/commands.sh
EXTRA_DIST += tests/examples/run.sh tests/examples/commands.sh
