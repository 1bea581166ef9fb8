lib_libtnav_core_la_SOURCES += \
	%D%/asked.c %D%/asked.h \
	%D%/chain.c \
	%D%/classes.c %D%/classes.h \
	%D%/feed.c %D%/feed.h \
	%D%/group_spans.c \
	%D%/groups.c %D%/groups.h \
	%D%/groups_columns.c \
	%D%/groups_count.c \
	%D%/groups_rows.c %D%/groups_rows.h \
	%D%/groups_sort.c \
	%D%/keeping.c %D%/keeping.h \
	%D%/ladder.c \
	%D%/lanes.c %D%/lanes.h \
	%D%/lanes_define.c \
	%D%/lanes_event.c \
	%D%/lanes_guess.c \
	%D%/lanes_gather.c \
	%D%/lanes_marks.c \
	%D%/lanes_memory.c %D%/lanes_memory.h \
	%D%/lanes_recall.c \
	%D%/lanes_run.c \
	%D%/lanes_seeds.c \
	%D%/lanes_shares.c \
	%D%/losses.c %D%/losses.h \
	%D%/numbers.c %D%/numbers.h \
	%D%/origins.c %D%/origins.h \
	%D%/other_end.c \
	%D%/pack.h \
	%D%/pairs.c %D%/pairs.h %D%/questions.def \
	%D%/pairs_met.c \
	%D%/pieces.c %D%/pieces.h \
	%D%/room.c %D%/room.h \
	%D%/sketch.c %D%/sketch.h \
	%D%/slowest.c \
	%D%/span_keep.c \
	%D%/span_match.c \
	%D%/span_text.c \
	%D%/span_value.c \
	%D%/spans.c %D%/spans.h \
	%D%/take.c %D%/take.h \
	%D%/tally.c %D%/tally.h %D%/tally_state.h \
	%D%/tally_column.c \
	%D%/tally_value.c \
	%D%/tally_keep.c \
	%D%/tally_numbers.c \
	%D%/tally_state.c \
	%D%/texts.c %D%/texts.h \
	%D%/value.c
