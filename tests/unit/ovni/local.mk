tests_unit_unit_SOURCES += \
	%D%/rows.c %D%/rows.h \
	%D%/test_ovni.c \
	tests/make/ovni_maker.c tests/make/ovni_maker.h
