tests_unit_unit_SOURCES += %D%/test_check.c
