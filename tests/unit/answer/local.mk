tests_unit_unit_SOURCES += %D%/test_definitions.c %D%/test_groups_rows.c %D%/test_chain.c %D%/test_keeping.c %D%/test_keeping_words.c %D%/test_lanes.c \
	%D%/test_lanes_shares.c %D%/test_numbers.c %D%/test_pairs.c %D%/test_sketch.c %D%/test_tally.c %D%/test_texts.c %D%/test_groups_texts.c %D%/test_value.c tests/make/small_trace.c tests/make/small_trace.h
tests_unit_unit_SOURCES += %D%/test_lanes_memory.c tests/make/random_trace.c tests/make/random_trace.h
