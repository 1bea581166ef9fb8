tests_unit_unit_SOURCES += %D%/test_index_cache.c %D%/test_packet_index.c
