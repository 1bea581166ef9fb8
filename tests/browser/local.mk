# The whole program in one process, on a terminal that is made up: keys in, rows of text out, in milliseconds.
check_PROGRAMS += tests/browser/play
tests_browser_play_CPPFLAGS = -I$(top_srcdir)/lib/include -I$(top_srcdir)/src
tests_browser_play_SOURCES = %D%/play.c %D%/play_script.c %D%/play_term.c %D%/play.h tests/faults/faults.c tests/faults/faults.h tests/make/small_trace.c tests/make/small_trace.h
tests_browser_play_LDADD = $(src_tnav_OBJECTS) $(src_tnav_LDADD)
tests_browser_play_DEPENDENCIES = $(src_tnav_OBJECTS) lib/libtnav-core.la
tests_browser_play_LDFLAGS = $(fault_calls) -Wl,--wrap=main,--wrap=isatty,--wrap=term_start,--wrap=term_colors,--wrap=term_stop \
	-Wl,--wrap=term_color_count,--wrap=term_size,--wrap=term_draw,--wrap=term_redraw,--wrap=term_key,--wrap=term_key_ready \
	-Wl,--wrap=term_mouse,--wrap=term_ask_mouse,--wrap=term_wake,--wrap=term_signal,--wrap=term_suspend,--wrap=term_leave \
	-Wl,--wrap=term_return,--wrap=term_send,--wrap=tn_named_value
TESTS += %D%/run %D%/faults
EXTRA_DIST += %D%/run %D%/faults $(browser_tests)
browser_tests = %D%/act_answers.play %D%/act_bookmarks.play %D%/act_bytes.play %D%/act_columns.play %D%/act_details.play \
	%D%/act_events.play %D%/act_filters.play %D%/act_flame.play %D%/act_groups.play %D%/act_help.play %D%/act_histogram.play \
	%D%/act_ladder.play %D%/act_lanes.play %D%/act_metadata.play %D%/act_packets.play %D%/act_problems.play \
	%D%/act_spans.play %D%/act_statistics.play %D%/act_streams.play %D%/act_values.play %D%/answers_width.play %D%/chain.play %D%/compare.play \
	%D%/attributes.play %D%/cli.play %D%/commands.play %D%/cursor.play %D%/early.play %D%/examples.play %D%/exclude.play %D%/first.play %D%/follow_untimed.play %D%/group_units.play %D%/histogram.play %D%/histogram_scale.play %D%/kernel.play %D%/linux.play %D%/metadata.play %D%/names.play %D%/narrow.play %D%/places.play %D%/bins.play %D%/offer.play \
	%D%/jumps.play %D%/losses.play %D%/prompts.play %D%/rates.play %D%/refused.play %D%/refused_signal.play %D%/streams.play %D%/tables.play %D%/untimed.play %D%/values.play %D%/values_sorted.play
