# The program's parts that need no terminal.
tests_unit_unit_CPPFLAGS += -I$(top_srcdir)/src
tests_unit_unit_SOURCES += src/cli/options.c src/cli/options_refuse.c src/cli/output.c src/cli/data_rows.c src/cli/trace_events.c src/screen/readable.c %D%/test_options.c %D%/test_readable.c
tests_unit_unit_SOURCES += src/screen/canvas.c src/screen/charset.c src/screen/line.c src/screen/key.c src/screen/key_escape.c src/session/keymap.c src/session/action.c src/prompt/prompt.c src/term/palette.c
tests_unit_unit_SOURCES += src/session/bars.c src/session/grid.c src/session/chosen_spans.c src/session/store.c
tests_unit_unit_SOURCES += %D%/test_canvas.c %D%/test_charset.c %D%/test_keys.c %D%/test_escape.c %D%/test_bars.c %D%/test_grid.c %D%/test_prompt.c %D%/test_chosen_spans.c %D%/test_palette.c
