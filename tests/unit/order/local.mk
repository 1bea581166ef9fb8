tests_unit_unit_SOURCES += %D%/fake.c %D%/fake.h %D%/test_cursor.c %D%/test_open.c %D%/test_merge.c
tests_unit_unit_SOURCES += %D%/test_iterate.c %D%/test_share.c %D%/test_misuse.c
