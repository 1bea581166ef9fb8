tests_unit_unit_SOURCES += \
	%D%/test_vartrace.c \
	tests/make/vartrace_maker.c tests/make/vartrace_maker.h
