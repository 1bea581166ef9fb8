# The program's parts that need no terminal.
tests_unit_unit_CPPFLAGS += -I$(top_srcdir)/src
tests_unit_unit_SOURCES += src/give.c src/options.c src/output.c src/records.c %D%/test_give.c %D%/test_options.c
tests_unit_unit_SOURCES += src/canvas.c src/line.c src/key.c src/keymap.c src/action.c src/prompt.c
tests_unit_unit_SOURCES += %D%/test_canvas.c %D%/test_keys.c %D%/test_prompt.c
