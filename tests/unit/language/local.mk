tests_unit_unit_SOURCES += \
	%D%/test_condition.c \
	%D%/test_conditions.c \
	%D%/test_expression.c \
	%D%/test_field.c \
	%D%/test_regex.c
