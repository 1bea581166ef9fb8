tests_unit_unit_SOURCES += \
	%D%/test_chain.c \
	%D%/test_definitions.c \
	%D%/test_kinds.c \
	%D%/test_pairs.c
