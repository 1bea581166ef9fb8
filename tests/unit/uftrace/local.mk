tests_unit_unit_SOURCES += \
	%D%/test_changed.c
