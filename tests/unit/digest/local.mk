tests_unit_unit_SOURCES += %D%/test_kept.c
