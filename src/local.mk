bin_PROGRAMS += src/tnav
src_tnav_CPPFLAGS = -I$(top_srcdir)/lib/include -I$(top_srcdir)/src -DLOCALEDIR=\"$(localedir)\" $(NCURSES_CFLAGS)
src_tnav_LDADD = lib/libtnav-core.la $(NCURSES_LIBS) $(UNISTRING_LIBS) $(LTLIBINTL)
src_tnav_SOURCES = %D%/main.c %D%/gettext.h
src_tnav_SOURCES += %D%/options.c %D%/options.h %D%/give.c %D%/give.h %D%/output.c %D%/output.h
src_tnav_SOURCES += %D%/report.h %D%/check.c %D%/export.c %D%/info.c %D%/losses.c %D%/losses.h %D%/print.c
src_tnav_SOURCES += %D%/records.c %D%/records.h
src_tnav_SOURCES += %D%/record.c %D%/record.h
# The browser.
src_tnav_SOURCES += %D%/app.c %D%/app.h %D%/app_state.h %D%/problems.c %D%/problems.h
src_tnav_SOURCES += %D%/act.c %D%/command.c %D%/config.c %D%/copy.c %D%/filter.c %D%/find.c %D%/marks.c %D%/offset.c
src_tnav_SOURCES += %D%/reload.c %D%/status.c
src_tnav_SOURCES += %D%/action.c %D%/action.h %D%/canvas.c %D%/canvas.h %D%/hunt.c %D%/hunt.h
src_tnav_SOURCES += %D%/job.c %D%/job.h %D%/key.c %D%/key.h %D%/keymap.c %D%/keymap.h %D%/line.c %D%/line.h
src_tnav_SOURCES += %D%/origin.c %D%/origin.h %D%/prompt.c %D%/prompt.h %D%/query.c %D%/query.h
src_tnav_SOURCES += %D%/session.c %D%/session.h %D%/style.h %D%/window.c %D%/window.h
src_tnav_SOURCES += %D%/term/term.c %D%/term/term.h
src_tnav_SOURCES += %D%/views/view.h %D%/views/registry.c %D%/list.c %D%/list.h
src_tnav_SOURCES += %D%/views/events.c %D%/views/events.h %D%/event_line.c %D%/event_line.h
src_tnav_SOURCES += %D%/views/bookmarks.c %D%/views/bytes.c %D%/views/columns.c %D%/views/details.c
src_tnav_SOURCES += %D%/views/help.c %D%/views/histogram.c %D%/views/metadata.c %D%/views/packets.c
src_tnav_SOURCES += %D%/views/problems.c %D%/views/statistics.c %D%/views/streams.c %D%/views/values.c
# The sample trace behind --demo.
src_tnav_SOURCES += %D%/demo.c %D%/demo.h
