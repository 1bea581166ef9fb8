tests_unit_unit_SOURCES += \
	%D%/test_align.c \
	%D%/test_codes.c \
	%D%/test_findings.c \
	%D%/test_items.c \
	%D%/test_statistics.c
