tests_unit_unit_SOURCES += \
	%D%/test_direct.c \
	%D%/test_line.c \
	%D%/test_number.c \
	%D%/test_safe.c \
	%D%/test_time.c
