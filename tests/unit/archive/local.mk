if HAVE_LIBARCHIVE
tests_unit_unit_SOURCES += %D%/test_archive.c
endif
EXTRA_DIST += %D%/test_archive.c
