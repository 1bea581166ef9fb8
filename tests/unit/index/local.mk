tests_unit_unit_SOURCES += %D%/test_index_cache.c
