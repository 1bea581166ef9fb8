tests_unit_unit_SOURCES += %D%/test_answer_file.c %D%/test_slices.c %D%/test_zone_map.c
