lib_libtnav_core_la_SOURCES += %D%/archive.c %D%/archive.h %D%/limits.c %D%/pack.c %D%/whole.c %D%/whole.h
if HAVE_LIBARCHIVE
lib_libtnav_core_la_SOURCES += %D%/library.c %D%/library.h
endif
EXTRA_DIST += %D%/library.c %D%/library.h
