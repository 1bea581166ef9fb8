tests_unit_unit_SOURCES += \
	%D%/test_lanes.c \
	%D%/test_lanes_memory.c \
	%D%/test_lanes_shares.c
tests_unit_unit_SOURCES += tests/make/small_trace.c tests/make/small_trace.h tests/make/random_trace.c tests/make/random_trace.h
