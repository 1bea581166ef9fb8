lib_libtnav_core_la_SOURCES += \
	%D%/attr.c \
	%D%/file.c %D%/file.h \
	%D%/model.c \
	%D%/names.c \
	%D%/perfdata.c %D%/perfdata.h \
	%D%/private.h \
	%D%/scan.c \
	%D%/unpack.c \
	%D%/walk.c
