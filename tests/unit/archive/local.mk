if HAVE_LIBARCHIVE
tests_unit_unit_SOURCES += %D%/test_archive.c %D%/test_packed.c
endif
EXTRA_DIST += %D%/test_archive.c %D%/test_packed.c
