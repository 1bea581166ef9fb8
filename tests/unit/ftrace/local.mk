tests_unit_unit_SOURCES += \
	%D%/test_format.c \
	%D%/test_names.c \
	%D%/test_page.c
