tests_unit_unit_SOURCES += \
	%D%/test_large_lines.c \
	%D%/test_zone_writer.c \
	%D%/test_prefilter.c \
	%D%/test_question.c \
	%D%/test_scan.c
tests_unit_unit_SOURCES += tests/make/scratch.h
