tests_unit_unit_SOURCES += %D%/relay.c %D%/relay.h %D%/test_grow.c %D%/test_live.c %D%/test_url.c
tests_unit_unit_SOURCES += tests/make/all_kinds.c tests/make/all_kinds.h
