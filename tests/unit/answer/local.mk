tests_unit_unit_SOURCES += \
	%D%/test_keeping.c \
	%D%/test_keeping_words.c \
	%D%/test_table.c \
	%D%/test_value.c
