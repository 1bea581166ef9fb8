tests_unit_unit_SOURCES += %D%/test_bits.c %D%/test_error.c %D%/test_filesort.c %D%/test_folder.c %D%/test_hash.c %D%/test_json.c %D%/test_mapfile.c %D%/test_options.c %D%/test_str.c %D%/test_threads.c

tests_unit_unit_SOURCES += %D%/test_utf.c
