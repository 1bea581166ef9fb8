tests_unit_unit_SOURCES += \
	%D%/test_answer_cache.c \
	%D%/test_answer_words.c \
	%D%/test_named.c \
	%D%/test_table.c \
	%D%/test_value.c
