lib_libtnav_core_la_SOURCES += \
	%D%/check.c \
	%D%/export.c \
	%D%/export.h \
	%D%/export_stream.c
