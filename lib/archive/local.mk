lib_libtnav_core_la_SOURCES += %D%/archive.c %D%/archive.h
