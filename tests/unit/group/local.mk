tests_unit_unit_SOURCES += \
	%D%/test_groups_rows.c \
	%D%/test_groups_texts.c \
	%D%/test_numbers.c \
	%D%/test_sketch.c \
	%D%/test_group_table.c
