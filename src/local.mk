bin_PROGRAMS += src/tnav
src_tnav_CPPFLAGS = -I$(top_srcdir)/lib/include -I$(top_srcdir)/src -DLOCALEDIR=\"$(localedir)\" $(NCURSES_CFLAGS)
src_tnav_LDADD = lib/libtnav-core.la $(NCURSES_LIBS) $(UNISTRING_LIBS) $(LTLIBINTL)
src_tnav_SOURCES = %D%/main.c %D%/gettext.h
# Rows of styled cells.
src_tnav_SOURCES += %D%/screen/charset.c %D%/screen/charset.h
src_tnav_SOURCES += %D%/screen/canvas.c %D%/screen/canvas.h
src_tnav_SOURCES += %D%/screen/key.c %D%/screen/key.h
src_tnav_SOURCES += %D%/screen/line.c %D%/screen/line.h
src_tnav_SOURCES += %D%/screen/style.h
# ncurses.
src_tnav_SOURCES += %D%/term/term.c %D%/term/term.h
# Without a terminal.
src_tnav_SOURCES += %D%/cli/answers.c %D%/cli/answers.h
src_tnav_SOURCES += %D%/cli/check.c
src_tnav_SOURCES += %D%/cli/demo.c %D%/cli/demo.h
src_tnav_SOURCES += %D%/cli/export.c
src_tnav_SOURCES += %D%/cli/give.c %D%/cli/give.h
src_tnav_SOURCES += %D%/cli/info.c
src_tnav_SOURCES += %D%/cli/live.c %D%/cli/live.h
src_tnav_SOURCES += %D%/cli/losses.c %D%/cli/losses.h
src_tnav_SOURCES += %D%/cli/options.c %D%/cli/options.h
src_tnav_SOURCES += %D%/cli/output.c %D%/cli/output.h
src_tnav_SOURCES += %D%/cli/print.c
src_tnav_SOURCES += %D%/cli/query.c %D%/cli/query.h
src_tnav_SOURCES += %D%/cli/record.c %D%/cli/record.h
src_tnav_SOURCES += %D%/cli/records.c %D%/cli/records.h
src_tnav_SOURCES += %D%/cli/report.h
src_tnav_SOURCES += %D%/cli/spans.c
# What all views look at.
src_tnav_SOURCES += %D%/session/action.c %D%/session/action.h
src_tnav_SOURCES += %D%/session/browse.h
src_tnav_SOURCES += %D%/session/hunt.c %D%/session/hunt.h
src_tnav_SOURCES += %D%/session/job.c %D%/session/job.h
src_tnav_SOURCES += %D%/session/keymap.c %D%/session/keymap.h
src_tnav_SOURCES += %D%/session/problems.c %D%/session/problems.h
src_tnav_SOURCES += %D%/session/session.c %D%/session/session.h
src_tnav_SOURCES += %D%/session/window.c %D%/session/window.h
# One file a view.
src_tnav_SOURCES += %D%/views/bookmarks.c
src_tnav_SOURCES += %D%/views/bytes.c
src_tnav_SOURCES += %D%/views/columns.c
src_tnav_SOURCES += %D%/views/details.c
src_tnav_SOURCES += %D%/views/event_line.c %D%/views/event_line.h
src_tnav_SOURCES += %D%/views/events.c %D%/views/events.h
src_tnav_SOURCES += %D%/views/help.c
src_tnav_SOURCES += %D%/views/histogram.c
src_tnav_SOURCES += %D%/views/list.c %D%/views/list.h
src_tnav_SOURCES += %D%/views/metadata.c
src_tnav_SOURCES += %D%/views/packets.c
src_tnav_SOURCES += %D%/views/problems.c
src_tnav_SOURCES += %D%/views/registry.c
src_tnav_SOURCES += %D%/views/statistics.c
src_tnav_SOURCES += %D%/views/streams.c
src_tnav_SOURCES += %D%/views/values.c
src_tnav_SOURCES += %D%/views/view.h
# The loop and its parts.
src_tnav_SOURCES += %D%/browser/act.c
src_tnav_SOURCES += %D%/browser/app.c %D%/browser/app.h
src_tnav_SOURCES += %D%/browser/app_state.h
src_tnav_SOURCES += %D%/browser/command.c
src_tnav_SOURCES += %D%/browser/config.c
src_tnav_SOURCES += %D%/browser/copy.c
src_tnav_SOURCES += %D%/browser/filter.c
src_tnav_SOURCES += %D%/browser/find.c
src_tnav_SOURCES += %D%/browser/marks.c
src_tnav_SOURCES += %D%/browser/offset.c
src_tnav_SOURCES += %D%/browser/origin.c %D%/browser/origin.h
src_tnav_SOURCES += %D%/browser/prompt.c %D%/browser/prompt.h
src_tnav_SOURCES += %D%/browser/reload.c
src_tnav_SOURCES += %D%/browser/status.c
